"""Builds a Blender scene from a model that ``pyeffigy`` has opened."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field

import bpy
import numpy as np
import pyeffigy

from . import bones, materials, meshes, motion, objects
from .curves import LINEAR, STEP, Channels, known_as
from .space import Space

__all__ = ["Built", "Options", "Space", "build", "play", "sequences_of"]


@dataclass
class Options:
    """What is built, and how."""

    scale: float = 1.0
    face_front: bool = True
    animations: bool = True
    team: int | None = 0


@dataclass
class Built:
    """What was built."""

    armature: bpy.types.Object
    objects: list[bpy.types.Object]
    """The object of each mesh, in the model's order."""
    others: list[bpy.types.Object]
    """Attachment points and cameras."""
    actions: list[bpy.types.Action]
    missing: list[str] = field(default_factory=list)
    """Textures that were not found."""


def build(model: pyeffigy.Model, name: str, options: Options, into: bpy.types.Collection) -> Built:
    """Builds a model below an armature."""
    scene = model.scene
    space = Space(options.scale, options.face_front)
    skeleton = bones.build(scene, name, space, into)
    # Its actions know it by this: users rename armatures.
    skeleton.object["effigy_id"] = uuid.uuid4().hex
    pictures = materials.Pictures(model, options.team)
    looks = [materials.build(scene, number, pictures) for number in range(len(scene.materials))]
    parts = [
        meshes.build(scene, number, mesh.name or f"{name} {number}", looks, skeleton, space, into)
        for number, mesh in enumerate(scene.meshes)
    ]
    _rest(scene, skeleton, space)
    others = objects.build(scene, skeleton, space, into)
    made = Built(skeleton.object, parts, others, [], pictures.missing)
    if options.animations:
        _actions(model, made, skeleton, space)
    return made


def _rest(scene: pyeffigy.scene.Scene, skeleton: bones.Skeleton, space: Space) -> None:
    """What nodes without tracks always do."""
    for number, node in enumerate(scene.nodes):
        bone = skeleton.object.pose.bones[skeleton.names[number]]
        bone.rotation_mode = "QUATERNION"
        turn = skeleton.turns[number]
        bone.location = space.point(node.translation.base) @ turn
        x, y, z, w = space.rotation(node.rotation.base)
        bone.rotation_quaternion = (w, *(np.array([x, y, z]) @ turn))
        bone.scale = space.stretch(node.scale.base)


def _actions(model: pyeffigy.Model, made: Built, skeleton: bones.Skeleton, space: Space) -> None:
    rate = bpy.context.scene.render.fps / bpy.context.scene.render.fps_base
    first: list[tuple[Channels, bpy.types.ID]] = []
    for number, sequence in enumerate(model.scene.sequences):
        writer = motion.Writer(model, skeleton, space, number, rate)
        action = writer.action(sequence.name or f"Sequence {number}")
        action["effigy_model"] = skeleton.object["effigy_id"]
        played = []
        if skeleton.names:
            # Blender 5.0 crashes when an armature without bones gets an action.
            channels = Channels(action, skeleton.object)
            writer.bones(channels)
            played.append((channels, skeleton.object))
        played.extend(_visibility(writer, action, made))
        played.extend(_frames(writer, action, made))
        made.actions.append(action)
        first = first or played
    for channels, owner in first:
        channels.play(owner)


def sequences_of(armature: bpy.types.Object) -> list[bpy.types.Action]:
    """The actions of an imported model, in the order of its sequences."""
    model = armature.get("effigy_id")
    mine = [one for one in bpy.data.actions if model and one.get("effigy_model") == model and "effigy_sequence" in one]
    return sorted(mine, key=lambda one: one["effigy_sequence"])


def play(armature: bpy.types.Object, action: bpy.types.Action) -> None:
    """Plays an action on all parts of a model; parts that it does not move stop playing another one."""
    owners: list[bpy.types.ID] = [armature] if armature.data.bones else []
    for child in armature.children:
        owners.append(child)
        if child.type == "MESH" and child.data.shape_keys:
            owners.append(child.data.shape_keys)
    for owner in owners:
        data = owner.animation_data or owner.animation_data_create()
        if hasattr(action, "slots"):
            fitting = [slot for slot in action.slots if slot.name_display in known_as(owner)]
            data.action = action if fitting else None
            if fitting:
                data.action_slot = fitting[0]
        elif owner is armature:
            data.action = action
        else:
            found = (bpy.data.actions.get(f"{action.name} ({name})") for name in known_as(owner))
            data.action = next((one for one in found if one is not None), None)


def _extra(action: bpy.types.Action, owner: bpy.types.ID) -> Channels:
    """Curves of another object: in the same action where Blender has slots, in one of its own elsewhere."""
    if not hasattr(action, "slots"):
        action = bpy.data.actions.new(f"{action.name} ({owner.name})")
        action.use_fake_user = True
    return Channels(action, owner)


def _visibility(
    writer: motion.Writer, action: bpy.types.Action, made: Built
) -> list[tuple[Channels, bpy.types.ID]]:
    """Meshes that come and go: the alpha of the object's colour, and whether it is rendered."""
    played: list[tuple[Channels, bpy.types.ID]] = []
    for number, mesh in enumerate(writer.scene.meshes):
        track = mesh.alpha.track
        if track is None:
            if mesh.alpha.base < 1.0:
                made.objects[number].color[3] = mesh.alpha.base
            continue
        keys = motion.span(track, writer.number, writer.sequence)
        times = track.seconds[keys] - writer.sequence.start / 1000.0
        if track.global_sequence is not None or track.interpolation in ("hermite", "bezier"):
            times = np.arange(0.0, writer.length, 1.0 / motion.RATE)
        times = np.unique(np.concatenate([[0.0, writer.length], times]))
        times = times[(times >= 0.0) & (times <= writer.length)]
        poses = [writer.model.pose(writer.number, float(time), clock=float(time)) for time in times]
        alphas = np.array([pose.meshes[number].color[3] for pose in poses], dtype=np.float64)
        hidden = np.array([not pose.meshes[number].visible for pose in poses], dtype=np.float64)
        if track.interpolation != "step":
            # What fades in is seen from the key before on.
            hidden[:-1] = np.minimum(hidden[:-1], hidden[1:])
        owner = made.objects[number]
        channels = _extra(action, owner)
        frames = times * writer.rate
        channels.write("color", 3, frames, alphas, STEP if track.interpolation == "step" else LINEAR)
        channels.write("hide_render", 0, frames, hidden, STEP)
        played.append((channels, owner))
    return played


def _frames(
    writer: motion.Writer, action: bpy.types.Action, made: Built
) -> list[tuple[Channels, bpy.types.ID]]:
    """Meshes that change their shape from frame to frame: one curve over the absolute shape keys."""
    played: list[tuple[Channels, bpy.types.ID]] = []
    for number, mesh in enumerate(writer.scene.meshes):
        if mesh.morph is None:
            continue
        order = mesh.morph.order
        keys = motion.span(order, writer.number, writer.sequence)
        numbers = np.arange(len(order.times))[keys].astype(np.float64)
        times = order.seconds[keys] - writer.sequence.start / 1000.0
        if not len(times):
            continue
        owner = made.objects[number].data.shape_keys
        channels = _extra(action, owner)
        mode = STEP if order.interpolation == "step" else LINEAR
        channels.write("eval_time", 0, times * writer.rate, numbers * meshes.KEY_DISTANCE, mode)
        played.append((channels, owner))
    return played
