"""The armature: a bone for each node, turned towards what follows it."""

from __future__ import annotations

from dataclasses import dataclass

import bpy
import numpy as np
import numpy.typing as npt
import pyeffigy
from mathutils import Vector

from .space import Space

# Bones of no length vanish, and very short ones cannot be clicked: at least this share of the model's size.
SHORTEST = 0.01
# Scales that differ by less between the axes are the same on all of them.
EVEN = 1e-4


@dataclass
class Skeleton:
    """The bones of an armature, by the number of their nodes."""

    object: bpy.types.Object
    names: list[str]
    turns: npt.NDArray[np.float64]
    """The rest rotation of each bone: nodes, 3, 3."""


def stretches_unevenly(node: pyeffigy.scene.Node) -> bool:
    """Whether the scale of a node differs between its axes at any time. Such a bone must keep the axes of the game."""
    scales = [np.asarray(node.scale.base, dtype=np.float64)[None]]
    if node.scale.track is not None:
        scales.append(np.asarray(node.scale.track.values, dtype=np.float64))
        scales.append(np.asarray(node.scale.track.default, dtype=np.float64)[None])
    return any(bool(np.any(np.ptp(values, axis=1) > EVEN)) for values in scales if len(values))


def size_of(scene: pyeffigy.scene.Scene) -> float:
    """The largest extent of what is drawn, or of the nodes where nothing is."""
    points = [mesh.positions for mesh in scene.meshes if len(mesh.positions)]
    if not points:
        points = [np.array([node.pivot for node in scene.nodes] or [[0.0, 0.0, 0.0]])]
    low = np.min([part.min(axis=0) for part in points], axis=0)
    high = np.max([part.max(axis=0) for part in points], axis=0)
    return float(np.max(high - low)) or 1.0


def build(scene: pyeffigy.scene.Scene, name: str, space: Space, into: bpy.types.Collection) -> Skeleton:
    """Makes the armature."""
    data = bpy.data.armatures.new(name)
    armature = bpy.data.objects.new(name, data)
    into.objects.link(armature)
    names: list[str] = []
    if scene.nodes:
        names = _edit(scene, armature, space)
    turns = np.tile(np.eye(3), (len(names), 1, 1))
    for number, bone in enumerate(names):
        turns[number] = np.array(data.bones[bone].matrix_local.to_3x3())
    data.display_type = "STICK"
    armature.show_in_front = True
    return Skeleton(armature, names, turns)


def _edit(scene: pyeffigy.scene.Scene, armature: bpy.types.Object, space: Space) -> list[str]:
    size = size_of(scene) * space.scale
    heads = space.point([node.pivot for node in scene.nodes])
    tails = _tails(scene, heads, size)
    view = bpy.context.view_layer
    view.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    try:
        made = []
        for number, node in enumerate(scene.nodes):
            bone = armature.data.edit_bones.new(node.name or f"Node {number}")
            bone.head, bone.tail = Vector(heads[number]), Vector(tails[number])
            bone["effigy_node"] = number
            made.append(bone)
        for number, node in enumerate(scene.nodes):
            if node.parent is not None:
                made[number].parent = made[node.parent]
        names = [bone.name for bone in made]
    finally:
        bpy.ops.object.mode_set(mode="OBJECT")
    for number, node in enumerate(scene.nodes):
        bone = armature.data.bones[names[number]]
        bone["effigy_node"] = number
        bone["effigy_kind"] = node.kind
    return names


def _tails(scene: pyeffigy.scene.Scene, heads: npt.NDArray[np.float64], size: float) -> npt.NDArray[np.float64]:
    children: list[list[int]] = [[] for _ in scene.nodes]
    for number, node in enumerate(scene.nodes):
        if node.parent is not None:
            children[node.parent].append(number)
    shortest = size * SHORTEST
    tails = heads.copy()
    for number in _parents_first(scene):
        node = scene.nodes[number]
        head = heads[number]
        ways = [heads[child] - head for child in children[number]]
        ways = [way for way in ways if np.linalg.norm(way) > shortest]
        if ways:
            way = np.mean(ways, axis=0)
        elif node.parent is not None:
            # The end of a limb goes on as the bone before it.
            way = (tails[node.parent] - heads[node.parent]) * 0.5
        else:
            way = np.array([0.0, 0.0, size * 0.1])
        length = float(np.linalg.norm(way))
        if stretches_unevenly(node):
            # The axes of a bone that points along Y are those of the armature.
            way = np.array([0.0, 1.0, 0.0]) * max(length, shortest)
        elif length < shortest:
            way = np.array([0.0, 0.0, 1.0]) * shortest
        tails[number] = head + way
    return tails


def _parents_first(scene: pyeffigy.scene.Scene) -> list[int]:
    depths = []
    for node in scene.nodes:
        depth, parent = 0, node.parent
        while parent is not None:
            depth, parent = depth + 1, scene.nodes[parent].parent
        depths.append(depth)
    return sorted(range(len(depths)), key=lambda number: depths[number])
