"""Attachment points, cameras, and what Blender has no place for: that is kept as JSON in properties of its bone."""

from __future__ import annotations

import dataclasses
import json
import math
from typing import Any

import bpy
import numpy as np
import pyeffigy
from mathutils import Matrix, Vector

from .bones import Skeleton
from .space import Space


def build(
    scene: pyeffigy.scene.Scene, skeleton: Skeleton, space: Space, into: bpy.types.Collection
) -> list[bpy.types.Object]:
    """Makes the objects of a model that are not meshes."""
    made = [_attachment(scene, one, skeleton, space, into) for one in scene.attachments]
    made += [_camera(one, skeleton, space, into) for one in scene.cameras]
    keep(scene, skeleton)
    return made


def _attachment(
    scene: pyeffigy.scene.Scene,
    source: pyeffigy.scene.Attachment,
    skeleton: Skeleton,
    space: Space,
    into: bpy.types.Collection,
) -> bpy.types.Object:
    empty = bpy.data.objects.new(source.name or f"Attachment {source.number}", None)
    empty.empty_display_type = "ARROWS"
    bone = skeleton.object.data.bones[skeleton.names[source.node]]
    empty.empty_display_size = bone.length
    into.objects.link(empty)
    empty.parent, empty.parent_type, empty.parent_bone = skeleton.object, "BONE", bone.name
    # Children of a bone begin at its tail, in its axes.
    shift = space.point(np.subtract(source.position, scene.nodes[source.node].pivot))
    back = Matrix(skeleton.turns[source.node].T.tolist()).to_4x4()
    empty.matrix_basis = Matrix.Translation((0.0, -bone.length, 0.0)) @ back @ Matrix.Translation(Vector(shift))
    empty["effigy_attachment"] = source.number
    if source.path:
        empty["effigy_model"] = source.path
    return empty


def _camera(
    source: pyeffigy.scene.Camera, skeleton: Skeleton, space: Space, into: bpy.types.Collection
) -> bpy.types.Object:
    data = bpy.data.cameras.new(source.name or "Camera")
    # The game's angle is that of the diagonal of a picture of four to three.
    data.sensor_fit = "HORIZONTAL"
    data.angle = 2.0 * math.atan(math.tan(min(max(source.fov, 0.01), 3.1) * 0.5) * 0.8)
    data.clip_start = max(source.near * space.scale, 1e-3)
    data.clip_end = max(source.far * space.scale, data.clip_start * 10.0)
    made = bpy.data.objects.new(data.name, data)
    into.objects.link(made)
    made.parent = skeleton.object
    made.location = Vector(space.point(source.position))
    way = Vector(space.point(np.subtract(source.target, source.position)))
    if way.length > 0.0:
        made.rotation_euler = way.to_track_quat("-Z", "Y").to_euler()
    made["effigy_camera"] = json.dumps(plain(source))
    return made


def keep(scene: pyeffigy.scene.Scene, skeleton: Skeleton) -> None:
    """Emitters, ribbons, events, lights, effects and collision shapes, on their bones."""
    kinds: dict[str, Any] = {
        "emitters": scene.emitters,
        "ribbons": scene.ribbons,
        "events": scene.events,
        "lights": scene.lights,
        "effects": scene.effects,
        "shapes": scene.shapes,
    }
    for kind, things in kinds.items():
        by_node: dict[int, list[Any]] = {}
        for thing in things:
            by_node.setdefault(thing.node, []).append(plain(thing))
        for node, found in by_node.items():
            skeleton.object.data.bones[skeleton.names[node]][f"effigy_{kind}"] = json.dumps(found)


def plain(value: Any) -> Any:
    """A part of the scene as numbers, texts, lists and dictionaries."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {one.name: plain(getattr(value, one.name)) for one in dataclasses.fields(value)}
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, dict):
        return {name: plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    return value
