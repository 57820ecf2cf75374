"""Actions as tracks of the game: the keys of bones, turned from the axes of Blender's bones into those of the game."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import bpy
import numpy as np
import numpy.typing as npt
import pyeffigy
from mathutils import Euler, Matrix, Quaternion
from pyeffigy.scene import Animated, Track

from .curves import Keys, Span, by_owner, channel, curves_of, keys_of, names_of

Array = npt.NDArray[np.float64]

# Radians between two keys of a rotation at most: Blender mixes the four numbers, the games turn along an arc.
ARC = 0.17
# How often the time between two frames is halved at most, where bones are looked at as Blender shows them.
HALVINGS = 4
# Milliseconds between two sequences on the timeline.
GAP = 1000
# Values that differ by less are the same.
SAME = 1e-6


@dataclass
class Clip:
    """A sequence: an action of Blender, and its place on the timeline."""

    action: bpy.types.Action
    sequence: pyeffigy.scene.Sequence
    span: Span


@dataclass
class Place:
    """How a bone's own axes and lengths become the game's."""

    axes: Array
    """Columns: the axes of the bone in the game."""
    unit: float
    """Units of the game in one of Blender."""

    def point(self, values: Array) -> Array:
        """Translations."""
        return values @ self.axes.T * self.unit

    def turn(self, values: Array) -> Array:
        """Rotations w, x, y, z as x, y, z, w."""
        return np.column_stack([values[:, 1:] @ self.axes.T, values[:, :1]])

    def stretch(self, values: Array) -> Array:
        """Scales, of which the game keeps what lies along its axes."""
        return np.einsum("ij,nj,ij->ni", self.axes, values, self.axes)


@dataclass
class Segment:
    """Keys of one channel in one sequence, in milliseconds of the timeline and in values of the game."""

    times: Array
    values: Array
    steps: bool

    def straight(self) -> Segment:
        """The same motion without steps: each value is there once more just before the next."""
        if not self.steps:
            return self
        apart = np.diff(self.times) > 1.5
        times = np.concatenate([self.times, self.times[1:][apart] - 1.0])
        values = np.concatenate([self.values, self.values[:-1][apart]])
        order = np.argsort(times, kind="stable")
        return Segment(times[order], values[order], False)


    def both_ends(self, clip: Clip) -> Segment:
        """A value that stays, from the start of its sequence to the end."""
        times = np.array([clip.sequence.start, clip.sequence.end], dtype=np.float64)
        return Segment(times, np.repeat(self.values[:1], 2, axis=0), self.steps)

    def whole(self) -> Segment:
        """At whole milliseconds, each once."""
        times = np.round(self.times)
        keep = np.append(True, np.diff(times) > 0)
        return Segment(times[keep], self.values[keep], self.steps)


@dataclass
class Moving:
    """The channels of one bone: segments by the number of their sequence, and the value where there are no curves."""

    base: Array
    rest: Array | None = None
    """The value in a sequence without curves, where others have some; None: the base."""
    segments: dict[int, Segment] = field(default_factory=dict)

    def animated(self, clips: list[Clip], turns: bool, windows: bool) -> Animated[Any]:
        """The channel as the scene has it. With ``windows`` it says which keys belong to which sequence, which games other than
        Warcraft III need."""
        plain = tuple(float(part) for part in self.base)
        if not self.segments:
            return Animated(plain, None)
        parts = [self._part(number, clip) for number, clip in enumerate(clips)]
        constant = [np.ptp(part.values, axis=0).max(initial=0.0) <= SAME for part in parts]
        same = all(np.abs(part.values - self.base).max(initial=0.0) <= SAME for part in parts)
        if all(constant) and same:
            return Animated(plain, None)
        steps = all(part.steps or still for part, still in zip(parts, constant))
        if not steps:
            parts = [part if still else part.straight() for part, still in zip(parts, constant)]
        if windows:
            parts = [part.both_ends(clip) if still else part for part, clip, still in zip(parts, clips, constant)]
        parts = [part.whole() for part in parts]
        order = sorted(range(len(parts)), key=lambda at: parts[at].times[0])
        ends = np.cumsum([len(parts[at].times) for at in order])
        rows = np.zeros((len(parts) if windows else 0, 2), dtype=np.uint32)
        if windows:
            rows[order] = np.column_stack([np.append(0, ends[:-1]), ends - 1])
        values = np.concatenate([parts[at].values for at in order]).astype(np.float32)
        return Animated(
            plain,
            Track(
                "step" if steps else "linear",
                None,
                np.concatenate([parts[at].times for at in order]).astype(np.int32),
                np.zeros(0, dtype=np.float32),
                values,
                np.zeros((0, 2, values.shape[1]), dtype=np.float32),
                rows,
                (0.0, 0.0, 0.0, 1.0) if turns else plain,
            ),
        )

    def _part(self, number: int, clip: Clip) -> Segment:
        """The keys of a sequence; one without curves of a channel that others move has one key."""
        rest = self.rest if self.rest is not None else self.base
        return self.segments.get(number) or Segment(np.array([float(clip.sequence.start)]), rest[None], True)


def fixed(value: Any) -> Animated[Any]:
    """A value that never changes."""
    return Animated(value, None)


def same_signs(rotations: Array) -> Array:
    """Each rotation at unit length, with the sign that is nearer to the one before it."""
    rotations = rotations / np.maximum(np.linalg.norm(rotations, axis=1, keepdims=True), 1e-12)
    for at in range(1, len(rotations)):
        if rotations[at] @ rotations[at - 1] < 0.0:
            rotations[at] = -rotations[at]
    return rotations


def _finer(frames: Array, rotations: Array, span: Span) -> tuple[Array, Array]:
    """More keys where two are far apart, on the straight way that Blender takes between them."""
    lengths = np.maximum(np.linalg.norm(rotations, axis=1), 1e-12)
    cosines = np.sum(rotations[1:] * rotations[:-1], axis=1) / (lengths[1:] * lengths[:-1])
    cosines = np.clip(cosines, -1.0, 1.0)
    counts = np.maximum(np.ceil(2.0 * np.arccos(cosines) / ARC).astype(int), 1)
    if np.all(counts == 1):
        return frames, rotations
    moments = [frames[at] + (frames[at + 1] - frames[at]) * np.arange(count) / count for at, count in enumerate(counts)]
    fine = span.snapped(np.append(np.concatenate(moments), frames[-1]))
    mixed = np.column_stack([np.interp(fine, frames, rotations[:, part]) for part in range(4)])
    return fine, mixed / np.maximum(np.linalg.norm(mixed, axis=1, keepdims=True), 1e-12)


def _rotation_keys(bone: bpy.types.PoseBone, curves: list[bpy.types.FCurve], span: Span) -> Keys | None:
    """The rotation of a bone as quaternions w, x, y, z, whichever way its user turns it."""
    if bone.rotation_mode == "QUATERNION":
        keys = keys_of(channel(curves, "rotation_quaternion", 4), [1.0, 0.0, 0.0, 0.0], span)
        if keys is None:
            return None
        raw = keys.values
        if not keys.steps:
            # Blender mixes the numbers as they are.
            keys.frames, raw = _finer(keys.frames, raw, span)
        keys.values = same_signs(raw)
        return keys
    name, width = ("rotation_axis_angle", 4) if bone.rotation_mode == "AXIS_ANGLE" else ("rotation_euler", 3)
    found = channel(curves, name, width)
    keys = keys_of(found, [0.0] * width, span)
    if keys is None:
        return None
    if not keys.steps and len(keys.frames) > 1:
        # The way between two angles is no straight line of quaternions.
        grid = span.snapped(np.concatenate([keys.frames, np.arange(np.ceil(span.first), span.last)]))
        keys.values = np.column_stack([np.interp(grid, keys.frames, keys.values[:, at]) for at in range(width)])
        keys.frames = grid
    if width == 4:
        turns = [Quaternion(row[1:], row[0]) for row in keys.values.tolist()]
    else:
        turns = [Euler(row, bone.rotation_mode).to_quaternion() for row in keys.values.tolist()]
    keys.values = same_signs(np.array(turns))
    return keys


def _pose(bone: bpy.types.PoseBone) -> tuple[Array, Array, Array]:
    """What a bone does without curves."""
    location, rotation, scale = bone.matrix_basis.decompose()
    return np.array([location]), np.array([rotation]), np.array([scale])


class Reader:
    """Reads the motion of an armature."""

    def __init__(self, armature: bpy.types.Object, clips: list[Clip], windows: bool) -> None:
        self.armature, self.clips, self.windows = armature, clips, windows
        # How far a bone may be off on the way between two keys.
        self.limit = max(armature.dimensions) * 2e-5 or 1e-4
        self.curves = [by_owner(armature, curves_of(clip.action, armature)) for clip in clips]
        self.baked: list[dict[str, tuple[Array, Array]]] | None = None
        if needs_baking(armature):
            self.baked = [_bake(armature, clip) for clip in clips]

    def _segment(self, clip: Clip, frames: Array, values: Array, steps: bool) -> Segment:
        milliseconds = (frames - clip.span.first) / clip.span.rate * 1000.0 + clip.sequence.start
        return Segment(np.clip(milliseconds, clip.sequence.start, clip.sequence.end), values, steps)

    def bone(self, name: str, place: Place) -> tuple[Animated[Any], Animated[Any], Animated[Any]]:
        """Translation, rotation and scale of a bone."""
        posed = self.armature.pose.bones[name]
        location, rotation, scale = _pose(posed)
        ways = (place.point, place.turn, place.stretch)
        idle = (np.zeros((1, 3)), np.array([[1.0, 0.0, 0.0, 0.0]]), np.ones((1, 3)))
        bases = zip(ways, (location, rotation, scale), idle)
        moving = [Moving(way(base)[0], way(rest)[0]) for way, base, rest in bases]
        for number, clip in enumerate(self.clips):
            for at, keys in enumerate(self._keys(number, posed)):
                if keys is not None:
                    values = ways[at](keys.values)
                    moving[at].segments[number] = self._segment(clip, keys.frames, values, keys.steps)
        made = [one.animated(self.clips, at == 1, self.windows) for at, one in enumerate(moving)]
        return made[0], made[1], made[2]

    def _keys(self, number: int, posed: bpy.types.PoseBone) -> tuple[Keys | None, Keys | None, Keys | None]:
        clip = self.clips[number]
        if self.baked is not None:
            frames, locals_ = self.baked[number][posed.name]
            parts = [Matrix(one).decompose() for one in locals_.tolist()]
            locations, rotations, scales = (np.array([part[at] for part in parts]) for at in range(3))
            return (
                Keys(frames, locations, False),
                Keys(frames, same_signs(rotations), False),
                Keys(frames, scales, False),
            )
        names = names_of(posed.bone, self.armature)
        curves = next((self.curves[number][name] for name in names if name in self.curves[number]), [])
        return (
            keys_of(channel(curves, "location", 3), [0.0] * 3, clip.span, self.limit),
            _rotation_keys(posed, curves, clip.span),
            keys_of(channel(curves, "scale", 3), [1.0] * 3, clip.span),
        )


def needs_baking(armature: bpy.types.Object) -> bool:
    """Whether more than curves moves the bones: constraints, drivers, or bones that do not take everything from their parents."""
    if armature.animation_data and len(armature.animation_data.drivers):
        return True
    if armature.pose is None:
        # Blender gives an armature without bones none.
        return False
    for posed in armature.pose.bones:
        if any(not one.mute and one.influence > 0.0 for one in posed.constraints):
            return True
        bone = posed.bone
        if bone.parent and (not bone.use_inherit_rotation or bone.inherit_scale != "FULL" or not bone.use_local_location):
            return True
    return False


def _bake(armature: bpy.types.Object, clip: Clip) -> dict[str, tuple[Array, Array]]:
    """The transform of every bone from its rest place, in its own axes, as Blender shows it: in each frame, and between frames
    where something turns far."""
    from ..effigy_build import play

    scene = bpy.context.scene
    before = scene.frame_current
    play(armature, clip.action)
    frames = clip.span.snapped(np.append(np.arange(clip.span.first, clip.span.last), clip.span.last))
    found = np.array([_shown(armature, frame) for frame in frames.tolist()])
    for _ in range(HALVINGS):
        turns = found[:, :, :3, :3]
        traces = np.einsum("tbij,tbij->tb", turns[1:], turns[:-1])
        lengths = np.linalg.norm(turns, axis=(2, 3))
        # The cosine of the angle between two rotations, however they are scaled.
        cosines = (traces / np.maximum(lengths[1:] * lengths[:-1], 1e-12) * 3.0 - 1.0) * 0.5
        far = np.arccos(np.clip(cosines, -1.0, 1.0)).max(axis=1) > ARC
        middles = clip.span.snapped((frames[:-1] + frames[1:])[far] * 0.5)
        middles = middles[~np.isin(middles.round(6), frames.round(6))]
        if not len(middles):
            break
        fresh = np.array([_shown(armature, frame) for frame in middles.tolist()])
        frames, found = np.append(frames, middles), np.concatenate([found, fresh])
        order = np.argsort(frames)
        frames, found = frames[order], found[order]
    scene.frame_set(before)
    return {bone.name: (frames, found[:, at]) for at, bone in enumerate(armature.pose.bones)}


def _shown(armature: bpy.types.Object, frame: float) -> Array:
    """The local matrices of all bones in a frame."""
    bpy.context.scene.frame_set(int(frame), subframe=min(frame - int(frame), 0.999999))
    posed = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    matrices = []
    for bone in posed.pose.bones:
        rest, moved = bone.bone.matrix_local, bone.matrix
        if bone.parent is not None:
            rest = bone.parent.bone.matrix_local.inverted_safe() @ rest
            moved = bone.parent.matrix.inverted_safe() @ moved
        matrices.append(np.array(rest.inverted_safe() @ moved))
    return np.array(matrices)
