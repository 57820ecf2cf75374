"""Animation curves of Blender: found the same way in all its versions, and read as keys."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import bpy
import numpy as np
import numpy.typing as npt

from ..effigy_build import sequences_of
from ..effigy_build.curves import known_as

Array = npt.NDArray[np.float64]

CONSTANT, LINEAR = 0, 1
# Frames before a step where the value before it is written.
BEFORE = 0.01
# How often the time between two keys of a bent curve is halved at most.
HALVINGS = 5


@dataclass
class Span:
    """The frames of a sequence. The games count whole milliseconds from its start."""

    first: float
    last: float
    rate: float

    def snapped(self, frames: Array) -> Array:
        """The frames at whole milliseconds that are nearest to these, each once."""
        whole = np.unique(np.round((frames - self.first) * 1000.0 / self.rate))
        return self.first + whole[(whole >= 0.0)] * self.rate / 1000.0


@dataclass
class Keys:
    """Keys of one channel: frames, values (keys, width), and whether values stay until the next key."""

    frames: Array
    values: Array
    steps: bool


def slot_of(action: bpy.types.Action, owner: bpy.types.ID) -> bpy.types.ActionSlot | None:
    """The slot of an action that moves this owner."""
    data = owner.animation_data
    if data is not None and data.action == action and data.action_slot is not None:
        return data.action_slot
    fitting = [slot for slot in action.slots if slot.target_id_type in (owner.id_type, "UNSPECIFIED")]
    named = [slot for slot in fitting if slot.name_display in known_as(owner)]
    if not named and len(fitting) == 1 and getattr(owner, "type", "") == "ARMATURE":
        # An action that was made for another armature of the same bones.
        named = fitting
    return named[0] if named else None


def curves_of(action: bpy.types.Action, owner: bpy.types.ID) -> list[bpy.types.FCurve]:
    """The curves of an action that move this owner."""
    if not hasattr(action, "slots"):
        # Blender 4.2: an action has one owner, and an import names those of meshes after them.
        if getattr(owner, "type", "") != "ARMATURE":
            names = [f"{action.name} ({name})" for name in known_as(owner)]
            found = next((bpy.data.actions[name] for name in names if name in bpy.data.actions), None)
            return list(found.fcurves) if found else []
        return list(action.fcurves)
    slot = slot_of(action, owner)
    if slot is None:
        return []
    bags = [strip.channelbag(slot) for layer in action.layers for strip in layer.strips]
    return [curve for bag in bags if bag is not None for curve in bag.fcurves]


def bone_of(path: str) -> str | None:
    """The bone that a path such as ``pose.bones["Head"].scale`` is about."""
    if not path.startswith('pose.bones["'):
        return None
    return bpy.utils.unescape_identifier(path[len('pose.bones["') : path.rindex('"]')])


def names_of(bone: bpy.types.Bone, armature: bpy.types.Object) -> list[str]:
    """The keys of ``by_owner`` that stand for a bone. Blender gives the curves of a renamed bone its new name only in the action
    that plays; the other actions still have the old one."""
    names = [bone.name]
    old = bone.get("effigy_name")
    if old is not None and old not in armature.data.bones:
        names.append(old)
    return [f"bone {name}" for name in names]


def by_owner(owner: bpy.types.ID, curves: Iterable[bpy.types.FCurve]) -> dict[str, list[bpy.types.FCurve]]:
    """Curves by the bone that they move, or by their owner."""
    found: dict[str, list[bpy.types.FCurve]] = {}
    for curve in curves:
        bone = bone_of(curve.data_path)
        found.setdefault(f"bone {bone}" if bone is not None else f"object {owner.name}", []).append(curve)
    return found


def _points(curve: bpy.types.FCurve) -> tuple[Array, Array, npt.NDArray[np.uint8]]:
    points = curve.keyframe_points
    at = np.empty(len(points) * 2, dtype=np.float32)
    points.foreach_get("co", at)
    modes = np.empty(len(points), dtype=np.uint8)
    points.foreach_get("interpolation", modes)
    at = at.reshape(-1, 2).astype(np.float64)
    return at[:, 0], at[:, 1], modes


class _Curve:
    """A curve that can be asked for many values at once."""

    def __init__(self, curve: bpy.types.FCurve | None, missing: float) -> None:
        there = curve is not None and not curve.mute and len(curve.keyframe_points) > 0
        self.curve, self.missing = (curve, missing) if there else (None, missing)
        self.at = self.value = np.zeros(0)
        self.modes = np.zeros(0, dtype=np.uint8)
        if self.curve is not None:
            self.at, self.value, self.modes = _points(self.curve)
        self.changed = self.curve is not None and len(self.curve.modifiers) > 0
        self.bent = self.changed or bool(np.any(self.modes > LINEAR))

    def values(self, frames: Array) -> Array:
        """The values in these frames."""
        if self.curve is None:
            return np.full(len(frames), self.missing)
        if not self.changed and np.all(self.modes == LINEAR):
            return np.interp(frames, self.at, self.value)
        if not self.changed and np.all(self.modes == CONSTANT):
            return self.value[np.maximum(np.searchsorted(self.at, frames + 1e-4, side="right") - 1, 0)]
        return np.array([self.curve.evaluate(frame) for frame in frames])


def keys_of(
    curves: list[bpy.types.FCurve | None], missing: list[float], span: Span, limit: float = 1e-4
) -> Keys | None:
    """The keys of the curves of one channel in a sequence; None without any.

    Straight curves give their own keys. Any other gets as many as it needs to be off by no more than ``limit``.
    """
    asked = [_Curve(curve, default) for curve, default in zip(curves, missing)]
    there = [curve for curve in asked if curve.curve is not None]
    if not there:
        return None
    bent = any(curve.bent for curve in there)
    steps = not bent and all(bool(np.all(curve.modes == CONSTANT)) for curve in there)
    frames = [curve.at for curve in there]
    frames.append(np.array([span.first, span.last]))
    if bent:
        frames.append(np.arange(np.ceil(span.first), span.last))
    if not steps:
        frames.extend(curve.at[1:][curve.modes[:-1] == CONSTANT] - BEFORE for curve in there)
    moments = np.unique(np.concatenate(frames).round(4))
    moments = moments[(moments >= span.first - 1e-3) & (moments <= span.last + 1e-3)]
    if not steps:
        # A value that is taken where its key will be is right there, however fast it changes.
        moments = span.snapped(moments)
    values = _table(asked, moments)
    if bent:
        moments, values = _refined(asked, moments, values, span, limit)
    if len(moments) > 1 and np.all(values == values[:1]):
        moments, values = moments[:1], values[:1]
    return Keys(moments, values, steps)


def _table(curves: list[_Curve], frames: Array) -> Array:
    return np.column_stack([curve.values(frames) for curve in curves])


def _refined(
    curves: list[_Curve], frames: Array, values: Array, span: Span, limit: float
) -> tuple[Array, Array]:
    """More keys where the straight way between two is off, down to a millisecond."""
    fresh = np.ones(len(frames), dtype=bool)
    for _ in range(HALVINGS):
        open_ = fresh[:-1] | fresh[1:]
        middles = span.snapped((frames[:-1] + frames[1:])[open_] * 0.5)
        middles = middles[np.abs(frames[:, None] - middles[None, :]).min(axis=0) > 1e-6] if len(middles) else middles
        if not len(middles):
            break
        found = _table(curves, middles)
        straight = np.column_stack([np.interp(middles, frames, values[:, at]) for at in range(values.shape[1])])
        off = np.abs(found - straight).max(axis=1) > limit
        if not np.any(off):
            break
        frames, fresh = np.append(frames, middles[off]), np.append(np.zeros(len(frames), bool), np.ones(off.sum(), bool))
        order = np.argsort(frames)
        frames, fresh, values = frames[order], fresh[order], np.concatenate([values, found[off]])[order]
    return frames, values


def channel(curves: Iterable[bpy.types.FCurve], name: str, width: int) -> list[bpy.types.FCurve | None]:
    """The curves of a property, by their index."""
    found: list[bpy.types.FCurve | None] = [None] * width
    for curve in curves:
        if curve.data_path.rsplit(".", 1)[-1] == name and curve.array_index < width:
            found[curve.array_index] = curve
    return found


def actions_of(armature: bpy.types.Object) -> Iterator[bpy.types.Action]:
    """The actions of a model: those of its sequences in their order, then those that move its bones."""
    mine = sequences_of(armature)
    yield from mine
    bones = {bone.name for bone in armature.data.bones}
    for action in bpy.data.actions:
        if action in mine or "effigy_model" in action:
            continue
        if any(bone_of(curve.data_path) in bones for curve in curves_of(action, armature)):
            yield action
