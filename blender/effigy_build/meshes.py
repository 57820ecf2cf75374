"""Meshes with texture coordinates, normals, weights, and frames as absolute shape keys."""

from __future__ import annotations

import bpy
import numpy as np
import pyeffigy

from .bones import Skeleton
from .space import Space

# Blender counts this many units of ``eval_time`` from one absolute shape key to the next.
KEY_DISTANCE = 10.0


def build(
    scene: pyeffigy.scene.Scene,
    number: int,
    name: str,
    materials: list[bpy.types.Material],
    skeleton: Skeleton,
    space: Space,
    into: bpy.types.Collection,
) -> bpy.types.Object:
    """Makes the object of a mesh."""
    mesh = scene.meshes[number]
    data = bpy.data.meshes.new(name)
    triangles = np.asarray(mesh.triangles, dtype=np.int32)
    data.vertices.add(len(mesh.positions))
    data.vertices.foreach_set("co", space.point(mesh.positions).astype(np.float32).ravel())
    data.loops.add(triangles.size)
    data.loops.foreach_set("vertex_index", triangles.ravel())
    data.polygons.add(len(triangles))
    data.polygons.foreach_set("loop_start", np.arange(0, triangles.size, 3, dtype=np.int32))
    corners = triangles.ravel()
    for at, coordinates in enumerate(mesh.uvs):
        layer = data.uv_layers.new(name=f"UVMap{at or ''}", do_init=False)
        # Blender counts v from below.
        flipped = np.column_stack([coordinates[:, 0], 1.0 - coordinates[:, 1]])
        layer.uv.foreach_set("vector", flipped[corners].astype(np.float32).ravel())
    if mesh.material is not None:
        data.materials.append(materials[mesh.material])
    data.update(calc_edges=True)
    data.validate(clean_customdata=False)
    if len(mesh.normals) == len(mesh.positions) and len(data.vertices) == len(mesh.positions):
        data.shade_smooth()
        data.normals_split_custom_set_from_vertices(space.direction(mesh.normals).astype(np.float32))
    made = bpy.data.objects.new(name, data)
    made["effigy_mesh"] = number
    into.objects.link(made)
    made.parent = skeleton.object
    if mesh.skin is not None:
        _weights(mesh.skin, made, skeleton)
    if mesh.morph is not None:
        _frames(mesh.morph, made, space)
    if not mesh.shown or (mesh.lod or 0) > 0:
        made.hide_set(True)
        made.hide_render = True
    return made


def _weights(skin: pyeffigy.scene.Skin, made: bpy.types.Object, skeleton: Skeleton) -> None:
    groups: dict[int, bpy.types.VertexGroup] = {}
    order = np.argsort(skin.vertex_groups, kind="stable")
    numbers, starts = np.unique(skin.vertex_groups[order], return_index=True)
    ends = np.append(starts[1:], len(order))
    for number, start, end in zip(numbers, starts, ends):
        vertices = order[start:end].tolist()
        first, last = (int(at) for at in skin.groups[number])
        for node, weight in zip(skin.influences["node"][first:last], skin.influences["weight"][first:last]):
            group = groups.get(int(node))
            if group is None:
                group = made.vertex_groups.new(name=skeleton.names[int(node)])
                groups[int(node)] = group
            # A node may be listed twice.
            group.add(vertices, float(weight), "ADD")
    modifier = made.modifiers.new("Armature", "ARMATURE")
    modifier.object = skeleton.object


def _frames(morph: pyeffigy.scene.Morph, made: bpy.types.Object, space: Space) -> None:
    """A shape key for each key of the order: two frames that follow each other are then neighbours, and only they mix."""
    made.shape_key_add(name="Basis", from_mix=False)
    keys = made.data.shape_keys
    keys.use_relative = False
    for at, frame in enumerate(morph.order.values.tolist()):
        block = keys.key_blocks[0] if at == 0 else made.shape_key_add(name=f"Frame {at}", from_mix=False)
        positions = space.point(morph.frames[int(frame)].positions).astype(np.float32)
        block.data.foreach_set("co", positions.ravel())
        block.interpolation = "KEY_LINEAR"
