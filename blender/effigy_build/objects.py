"""Attachment points and cameras."""

from __future__ import annotations

import math

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
    made = []
    for number, attachment in enumerate(scene.attachments):
        made.append(_attachment(scene, attachment, skeleton, space, into))
        made[-1]["effigy_index"] = number
    for number, camera in enumerate(scene.cameras):
        made.append(_camera(camera, skeleton, space, into))
        made[-1]["effigy_index"] = number
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
    return made
