"""The sidebar of the 3D view: the sequences of a model and what is wrong with it."""

from __future__ import annotations

import json

import bpy

from .effigy_build import play, sequences_of


def model_of(context: bpy.types.Context) -> bpy.types.Object | None:
    """The armature of the model that is selected."""
    chosen = context.object
    while chosen is not None and "effigy_path" not in chosen:
        chosen = chosen.parent
    return chosen


class EFFIGY_OT_play(bpy.types.Operator):
    """Show this sequence on all parts of the model"""

    bl_idname = "effigy.play"
    bl_label = "Show sequence"
    bl_options = {"REGISTER", "UNDO"}

    action: bpy.props.StringProperty(options={"HIDDEN"})

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Plays the action."""
        armature, action = model_of(context), bpy.data.actions.get(self.action)
        if armature is None or action is None:
            return {"CANCELLED"}
        play(armature, action)
        context.scene.frame_start, context.scene.frame_end = int(action.frame_start), int(action.frame_end)
        context.scene.frame_set(int(action.frame_start))
        return {"FINISHED"}


class EFFIGY_OT_select(bpy.types.Operator):
    """Select the object that this is about"""

    bl_idname = "effigy.select"
    bl_label = "Select the object"
    bl_options = {"REGISTER", "UNDO"}

    mesh: bpy.props.IntProperty(options={"HIDDEN"})

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Selects a mesh of the model."""
        armature = model_of(context)
        for one in armature.children if armature is not None else ():
            if one.get("effigy_mesh") == self.mesh:
                bpy.ops.object.select_all(action="DESELECT")
                one.select_set(True)
                context.view_layer.objects.active = one
                return {"FINISHED"}
        return {"CANCELLED"}


def mesh_number(path: str) -> int | None:
    """The mesh that a path such as ``geosets[3].faces`` is about."""
    for word in ("geosets[", "surfaces[", "meshes["):
        if path.startswith(word):
            number = path[len(word) :].split("]", 1)[0]
            return int(number) if number.isdigit() else None
    return None


class _Sidebar:
    """A panel in the tab Effigy, for models that were imported."""

    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Effigy"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Only for models that were imported."""
        return model_of(context) is not None


class EFFIGY_PT_model(_Sidebar, bpy.types.Panel):
    """The sequences of a model"""

    bl_idname = "EFFIGY_PT_model"
    bl_label = "Sequences"

    def draw(self, context: bpy.types.Context) -> None:
        """Draws a button for each sequence."""
        armature = model_of(context)
        current = armature.animation_data.action if armature.animation_data else None
        column = self.layout.column(align=True)
        for action in sequences_of(armature):
            row = column.operator("effigy.play", text=action.name, depress=action == current)
            row.action = action.name


class EFFIGY_PT_findings(_Sidebar, bpy.types.Panel):
    """What the checks say about a model"""

    bl_idname = "EFFIGY_PT_findings"
    bl_label = "Findings"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draws each finding."""
        findings = json.loads(model_of(context).get("effigy_findings", "[]"))
        if not findings:
            self.layout.label(text="Nothing was found", icon="CHECKMARK")
        icons = {"error": "ERROR", "severe": "ERROR", "warning": "INFO"}
        for finding in findings:
            box = self.layout.box()
            box.label(text=finding["code"], icon=icons.get(finding["severity"], "DOT"))
            for line in wrapped(f"{finding['path']}: {finding['message']}"):
                box.label(text=line)
            number = mesh_number(finding["path"])
            if number is not None:
                box.operator("effigy.select", icon="RESTRICT_SELECT_OFF").mesh = number


def wrapped(text: str, width: int = 44) -> list[str]:
    """Text in lines: labels of Blender do not wrap."""
    lines: list[str] = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) >= width and lines[-1]:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


CLASSES = (EFFIGY_OT_play, EFFIGY_OT_select, EFFIGY_PT_model, EFFIGY_PT_findings)
