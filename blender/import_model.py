"""File > Import, and files that are dropped into the view."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import bpy
import pyeffigy
from bpy.props import BoolProperty, CollectionProperty, EnumProperty, FloatProperty, StringProperty
from bpy_extras.io_utils import ImportHelper

from . import effigy_build, effigy_export

EXTENSIONS = (".mdx", ".mdl", ".m2", ".mdc", ".md3", ".mds", ".mdm")

# How long a unit of each game is.
METRES = {"warcraft": 0.02, "world": 0.9144, "wolfenstein": 0.0254}

PLAYERS = (
    "Red", "Blue", "Teal", "Purple", "Yellow", "Orange", "Green", "Pink", "Grey", "Light blue", "Dark green", "Brown",
)  # fmt: skip


class EFFIGY_OT_import(bpy.types.Operator, ImportHelper):
    """Import models of Warcraft III, World of Warcraft and Wolfenstein"""

    bl_idname = "import_scene.effigy"
    bl_label = "Import classic game model"
    bl_options = {"REGISTER", "UNDO", "PRESET"}

    filename_ext = ".mdx"
    filter_glob: StringProperty(default=";".join(f"*{one}" for one in EXTENSIONS), options={"HIDDEN"})
    files: CollectionProperty(type=bpy.types.OperatorFileListElement, options={"HIDDEN", "SKIP_SAVE"})
    directory: StringProperty(subtype="DIR_PATH", options={"HIDDEN", "SKIP_SAVE"})

    scale: FloatProperty(
        name="Scale",
        description="Metres in one unit of the game; 0: what makes its people as tall as people are",
        default=0.0,
        min=0.0,
        soft_max=1.0,
        precision=4,
    )
    face_front: BoolProperty(
        name="Look forward",
        description="Turn the model so that it looks along -Y, the front view of Blender; the games look along X",
        default=True,
    )
    animations: BoolProperty(name="Sequences", description="One action for each sequence", default=True)
    team_color: EnumProperty(
        name="Player colour",
        description="The colour of the player on models of Warcraft III",
        items=[(str(number), name, "") for number, name in enumerate(PLAYERS)],
        default="0",
    )
    game_files: StringProperty(
        name="Game files",
        description="A folder or an archive of the game with textures; the model's own folder is always looked in",
        subtype="FILE_PATH",
    )

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Imports all files that were chosen."""
        if self.files and self.directory:
            paths = [str(Path(self.directory) / one.name) for one in self.files if one.name]
        else:
            paths = [self.filepath]
        failed = 0
        for path in paths:
            try:
                self._import(context, path)
            except (pyeffigy.EffigyError, OSError) as error:
                failed += 1
                self.report({"ERROR" if len(paths) == 1 else "WARNING"}, str(error))
        return {"FINISHED"} if failed < len(paths) else {"CANCELLED"}

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Dropped files have a path already: the options are shown in a small window."""
        if self.files and self.directory:
            return context.window_manager.invoke_props_dialog(self)
        return ImportHelper.invoke(self, context, event)

    def _import(self, context: bpy.types.Context, path: str) -> None:
        assets = [bpy.path.abspath(self.game_files)] if self.game_files else None
        model = pyeffigy.open(path, assets=assets)
        options = effigy_build.Options(
            scale=self.scale or METRES[model.scene.node_rule],
            face_front=self.face_front,
            animations=self.animations,
            team=int(self.team_color),
        )
        built = effigy_build.build(model, Path(path).stem, options, context.collection)
        built.armature["effigy_path"] = path
        effigy_export.marks.leave(built.armature, model, built, options.scale, options.face_front)
        built.armature["effigy_findings"] = json.dumps([finding_line(one) for one in model.check()])
        if built.actions:
            first = built.actions[0]
            context.scene.frame_start, context.scene.frame_end = int(first.frame_start), int(first.frame_end)
        lines = [f"{path}: {model.format} {model.version}"]
        lines += [f"missing texture: {name}" for name in built.missing]
        lines += [str(note) for note in model.scene_report]
        note(lines)
        if built.missing:
            many = len(built.missing)
            text = f"{many} textures are missing; choose the game's files, and see the text 'Effigy' for their names"
            self.report({"WARNING"}, text)


def finding_line(finding: Any) -> dict[str, str]:
    """A finding as the panel shows it."""
    return {
        "code": finding.code,
        "severity": finding.severity,
        "path": finding.path,
        "message": finding.message,
    }


def note(lines: list[str]) -> None:
    """Adds lines to the text that users read."""
    text = bpy.data.texts.get("Effigy") or bpy.data.texts.new("Effigy")
    text.write("\n".join(lines) + "\n")


class EFFIGY_FH_model(bpy.types.FileHandler):
    """Files that are dropped into the view"""

    bl_idname = "EFFIGY_FH_model"
    bl_label = "Classic game models"
    bl_import_operator = "import_scene.effigy"
    bl_file_extensions = ";".join(EXTENSIONS)

    @classmethod
    def poll_drop(cls, context: bpy.types.Context) -> bool:
        """Only the 3D view takes models."""
        return context.area is not None and context.area.type == "VIEW_3D"


def menu(self: bpy.types.Menu, _context: bpy.types.Context) -> None:
    """The line in File > Import."""
    self.layout.operator(EFFIGY_OT_import.bl_idname, text="Classic game model (.mdx, .mdl, .m2, .mdc, .md3, .mds)")


CLASSES = (EFFIGY_OT_import, EFFIGY_FH_model)
