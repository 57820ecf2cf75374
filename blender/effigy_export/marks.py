"""Marks of what an import has built: an export sees by them what nobody has changed, and writes that as it was.

A mark is a hash of what Blender holds, so it also stands for models that were saved and opened again.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from typing import Any

import bpy
import numpy as np
import pyeffigy

from .curves import by_owner, curves_of

MARK = "effigy_mark"
SOURCE = "effigy_source"
SCALE, FRONT = "effigy_scale", "effigy_front"


def _hash(*parts: object) -> str:
    digest = hashlib.sha1(usedforsecurity=False)
    for part in parts:
        digest.update(part if isinstance(part, bytes) else repr(part).encode())
        digest.update(b"\0")
    return digest.hexdigest()


def column(things: Any, name: str, width: int, kind: Any = np.float32) -> Any:
    """A property of all elements of a collection: rows of this width."""
    values = np.empty(len(things) * width, dtype=kind)
    things.foreach_get(name, values)
    return values.reshape(-1, width) if width > 1 else values


def of_bone(bone: bpy.types.Bone) -> str:
    """Where a bone rests, and below which one."""
    rest = np.array(bone.matrix_local, dtype=np.float32).tobytes()
    return _hash(rest, bone.parent.get("effigy_node") if bone.parent else None)


def _place(made: bpy.types.Object) -> bytes:
    """Where an object is below its parent. Blender computes ``matrix_local`` from the places of both in the world, inexactly."""
    return np.array(made.matrix_parent_inverse @ made.matrix_basis, dtype=np.float32).tobytes()


def of_mesh(made: bpy.types.Object) -> str:
    """Shape, texture coordinates, weights and frames of a mesh, and where its object is."""
    data = made.data
    parts: list[object] = [column(data.vertices, "co", 3).tobytes(), _place(made)]
    parts.append(column(data.loops, "vertex_index", 1, np.int32).tobytes())
    parts.append(column(data.corner_normals, "vector", 3).round(2).tobytes())
    parts.extend(column(layer.uv, "vector", 2).tobytes() for layer in data.uv_layers)
    armature = made.find_armature()
    bones = armature.data.bones if armature is not None else {}
    # A bone may get another name, and its group with it.
    nodes = [bones[one.name].get("effigy_node") if one.name in bones else one.name for one in made.vertex_groups]
    parts.append(nodes)
    weights = [(link.group, round(link.weight, 6)) for vertex in data.vertices for link in vertex.groups]
    parts.append(np.array(weights, dtype=np.float64).tobytes())
    if data.shape_keys:
        parts.extend(column(key.data, "co", 3).tobytes() for key in data.shape_keys.key_blocks)
    parts.append([(one.type, one.show_viewport) for one in made.modifiers])
    return _hash(*parts)


def of_object(made: bpy.types.Object) -> str:
    """Where an object is, and what it follows."""
    return _hash(_place(made), made.parent_bone, made.parent_type)


def of_camera(made: bpy.types.Object) -> str:
    """Where a camera is, and what it sees."""
    return _hash(of_object(made), made.data.lens, made.data.sensor_width, made.data.clip_start, made.data.clip_end)


def of_material(material: bpy.types.Material) -> str:
    """The nodes of a material, their values, links and images."""
    parts: list[object] = [material.use_backface_culling, material.surface_render_method]
    if material.node_tree is None:
        return _hash(*parts)
    for node in material.node_tree.nodes:
        values = []
        for socket in node.inputs:
            value = getattr(socket, "default_value", None)
            plain = tuple(value) if hasattr(value, "__len__") and not isinstance(value, str) else value
            values.append((socket.identifier, plain))
        chosen = [getattr(node, name, None) for name in ("operation", "blend_type", "extension", "uv_map", "mute")]
        image = getattr(node, "image", None)
        parts.append((node.type, node.name, values, chosen, image.name if image else None))
    for link in material.node_tree.links:
        ends = (link.from_node.name, link.from_socket.identifier, link.to_node.name, link.to_socket.identifier)
        parts.append(ends)
    return _hash(*parts)


def of_curves(curves: list[bpy.types.FCurve]) -> str:
    """The keys of some curves."""
    parts: list[object] = []
    for curve in curves:
        points = curve.keyframe_points
        parts.append((curve.data_path.rsplit(".", 1)[-1], curve.array_index, curve.mute, len(curve.modifiers)))
        parts.append(column(points, "co", 2).tobytes())
        parts.append(column(points, "interpolation", 1, np.uint8).tobytes())
        parts.extend(column(points, name, 2).tobytes() for name in ("handle_left", "handle_right"))
    return _hash(*parts)


def of_action(action: bpy.types.Action, owners: list[bpy.types.ID]) -> dict[str, str]:
    """The marks of all curves of an action, by the bone or object that they move."""
    marks = {"range": _hash(round(action.frame_start, 3), round(action.frame_end, 3))}
    for owner in owners:
        for name, curves in by_owner(owner, curves_of(action, owner)).items():
            marks[name] = of_curves(curves)
    return marks


def leave(
    armature: bpy.types.Object, model: pyeffigy.Model, built: Any, scale: float, face_front: bool
) -> None:
    """Marks everything that was built, and keeps the model's files."""
    armature[SCALE], armature[FRONT] = scale, face_front
    armature["effigy_format"], armature["effigy_version"] = model.format, model.version
    try:
        companions = model.companions()
    except pyeffigy.EffigyError:
        # A model of several files: it is written from what Blender has.
        return
    armature[SOURCE] = packed(model, companions)
    armature[MARK] = json.dumps(list(scene_counts(model.scene)))
    for owner in owners_of(armature):
        owner["effigy_name"] = owner.name
    for bone in armature.data.bones:
        bone["effigy_name"], bone[MARK] = bone.name, of_bone(bone)
    for made in built.objects:
        made[MARK] = of_mesh(made)
        for material in made.data.materials:
            material["effigy_name"], material[MARK] = material.name, of_material(material)
    for made in built.others:
        made[MARK] = of_camera(made) if made.type == "CAMERA" else of_object(made)
    owners = owners_of(armature)
    for action in built.actions:
        action["effigy_name"], action[MARK] = action.name, json.dumps(of_action(action, owners))


def scene_counts(scene: pyeffigy.scene.Scene) -> tuple[int, int, int]:
    """What tells that a kept file is the one that was imported."""
    return len(scene.nodes), len(scene.meshes), len(scene.sequences)


def owners_of(armature: bpy.types.Object) -> list[bpy.types.ID]:
    """Everything of a model that actions may move: the armature, its meshes, and their shape keys."""
    owners: list[bpy.types.ID] = [armature]
    for child in armature.children_recursive:
        owners.append(child)
        if child.type == "MESH" and child.data.shape_keys:
            owners.append(child.data.shape_keys)
    return owners


def packed(model: pyeffigy.Model, companions: dict[str, bytes]) -> bytes:
    """The files of a model as a zip file, the model first."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(f"model.{model.format}", model.to_bytes())
        for name, data in companions.items():
            archive.writestr(name, data)
    return content.getvalue()


def source(armature: bpy.types.Object) -> pyeffigy.Model | None:
    """The model that an armature was imported from; none for one that was made in Blender."""
    kept = armature.get(SOURCE)
    if not isinstance(kept, bytes):
        return None
    with zipfile.ZipFile(io.BytesIO(kept)) as archive:
        first, *others = archive.namelist()
        files = {name: archive.read(name) for name in others}
        model = pyeffigy.open(archive.read(first), name=first, files=files)
    same = json.loads(armature.get(MARK, "[]")) == list(scene_counts(model.scene))
    return model if same else None
