"""File > Export."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import bpy
import pyeffigy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, StringProperty
from bpy_extras.io_utils import ExportHelper

from . import effigy_export
from .import_model import finding_line, note
from .panel import model_of

FORMATS = (
    ("mdx", "MDX", "Warcraft III"),
    ("mdl", "MDL", "Warcraft III, as text"),
    ("md3", "MD3", "Quake III, Return to Castle Wolfenstein, Enemy Territory"),
    ("mdc", "MDC", "Return to Castle Wolfenstein, Enemy Territory"),
)
VERSIONS = (
    ("800", "800: classic", "Every edition of Warcraft III"),
    ("900", "900", "The first Reforged"),
    ("1000", "1000", "Reforged, with its maps of roughness and metal"),
    ("1100", "1100: Reforged", "Reforged, as most tools know it"),
    *((str(number), str(number), "Later editions of Reforged") for number in (1200, 1300, 1400, 1600, 1800)),
)


class EFFIGY_OT_export(bpy.types.Operator, ExportHelper):
    """Export the selected model to Warcraft III or Wolfenstein"""

    bl_idname = "export_scene.effigy"
    bl_label = "Export classic game model"
    bl_options = {"REGISTER", "PRESET"}

    filename_ext = ".mdx"
    filter_glob: StringProperty(default="*.mdx;*.mdl;*.md3;*.mdc", options={"HIDDEN"})

    format: EnumProperty(name="Format", description="What is written", items=FORMATS, default="mdx")
    version: EnumProperty(
        name="Version", description="The edition of Warcraft III that reads it", items=VERSIONS, default="800"
    )
    texture_folder: StringProperty(
        name="Texture folder",
        description="Where new textures are, as the model names them; they are written below the folder of the model",
        default="war3mapImported",
    )
    names: StringProperty(
        name="Names",
        description="A file with names of sequences and attachment points, as `effigy convert --print-names` begins it",
        subtype="FILE_PATH",
    )
    scale: FloatProperty(
        name="Scale",
        description="Units of the game in a metre, for models made in Blender; 0: what makes people as tall as people are",
        default=0.0,
        min=0.0,
        soft_max=100.0,
    )
    unchanged: BoolProperty(
        name="Keep what is unchanged",
        description="Parts of an imported model that nobody changed are written exactly as they were. Otherwise everything is "
        "made from what Blender shows",
        default=True,
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Something has to be selected."""
        return armature_of(context) is not None

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """An imported model is exported as what it was, unless something else is chosen."""
        armature = armature_of(context)
        if armature is not None:
            if armature.get("effigy_format") in {name for name, *_ in FORMATS}:
                self.format = armature["effigy_format"]
            if str(armature.get("effigy_version")) in {name for name, *_ in VERSIONS}:
                self.version = str(armature["effigy_version"])
            if not self.filepath and "effigy_path" in armature:
                self.filepath = str(Path(armature["effigy_path"]).with_suffix(f".{self.format}").name)
        return ExportHelper.invoke(self, context, event)

    def check(self, context: bpy.types.Context) -> bool:
        """The extension follows the format."""
        self.filename_ext = f".{self.format}"
        return ExportHelper.check(self, context)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Writes the model and the files that belong to it."""
        armature = armature_of(context)
        if armature is None:
            self.report({"ERROR"}, "Select an armature, or a mesh that it moves")
            return {"CANCELLED"}
        path = Path(bpy.path.abspath(self.filepath))
        extension = path.suffix.lower().removeprefix(".")
        target = extension if extension in {name for name, *_ in FORMATS} else self.format
        try:
            lines, findings = self._write(armature, path, target)
        except (pyeffigy.EffigyError, OSError) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        note(lines)
        armature["effigy_findings"] = json.dumps(findings)
        bad = [one for one in findings if one["severity"] in ("error", "severe")]
        if bad:
            self.report({"WARNING"}, f"{len(bad)} findings of the checks; the tab Effigy of the sidebar shows them")
        else:
            self.report({"INFO"}, f"{path.name} was written; the text 'Effigy' says what is not exact")
        return {"FINISHED"}

    def _write(self, armature: bpy.types.Object, path: Path, target: str) -> tuple[list[str], list[dict[str, str]]]:
        if self.scale and effigy_export.marks.SOURCE in armature:
            text = "an imported model keeps its size; `effigy edit --scale` scales the file"
            raise pyeffigy.UsageError(text)
        found = effigy_export.collect(armature, self.texture_folder, self.unchanged)
        old = found.original
        version = self.version if target in ("mdx", "mdl") else str(old.version if old is not None else "")
        if old is not None and (old.format, str(old.version)) == (target, version) and not self.names:
            path.write_bytes(old.to_bytes())
            return [f"{path}: nothing was changed, so it is the file that was imported"], []
        names = Path(bpy.path.abspath(self.names)).read_text(encoding="utf-8") if self.names else None
        made = pyeffigy.make(
            found.scene,
            f"{target}:{self.version}" if target in ("mdx", "mdl") else target,
            name=path.stem,
            textures=found.images,
            scale=self.scale or None,
            names=names,
            texture_folder=self.texture_folder,
        )
        dataclasses.replace(made, companions={**made.companions, **found.files}).save(path)
        lines = [f"{path}: {found.kept} parts as they were, {found.read} read from Blender"]
        lines += found.notes + [str(one) for one in made.report]
        findings = pyeffigy.open(path).check()
        return lines, [finding_line(one) for one in findings]


def armature_of(context: bpy.types.Context) -> bpy.types.Object | None:
    """The armature that is selected, that moves what is selected, or the only one."""
    imported = model_of(context)
    chosen = imported or context.object
    if chosen is not None and chosen.type != "ARMATURE":
        moved_by = [one.object for one in chosen.modifiers if one.type == "ARMATURE" and one.object]
        chosen = moved_by[0] if moved_by else chosen.find_armature()
    if chosen is not None:
        return chosen
    all_of_them = [one for one in context.scene.objects if one.type == "ARMATURE"]
    return all_of_them[0] if len(all_of_them) == 1 else None


def menu(self: bpy.types.Menu, _context: bpy.types.Context) -> None:
    """The line in File > Export."""
    self.layout.operator(EFFIGY_OT_export.bl_idname, text="Classic game model (.mdx, .mdl, .md3, .mdc)")


CLASSES = (EFFIGY_OT_export,)
