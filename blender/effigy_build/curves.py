"""Animation curves of Blender: written in one piece, and the same for all its versions.

Blender 4.4 gave actions slots, and 5.0 took the old list of curves away.
"""

from __future__ import annotations

import bpy
import numpy as np
import numpy.typing as npt

STEP, LINEAR, CUBIC = 0, 1, 2
FREE = 0


def known_as(owner: bpy.types.ID) -> list[str]:
    """The names under which actions know an object: its own, and the one that an import gave it."""
    return list(dict.fromkeys([owner.name, owner.get("effigy_name", owner.name)]))


class Channels:
    """The curves of one object in an action."""

    def __init__(self, action: bpy.types.Action, owner: bpy.types.ID) -> None:
        self.action = action
        # Only the name: a slot itself moves in memory when the action gets another one.
        self.slot: str | None = None
        if hasattr(action, "slots"):
            slot = action.slots.new(id_type=owner.id_type, name=owner.name)
            self.slot = slot.identifier
            layer = action.layers[0] if action.layers else action.layers.new("Layer")
            strip = layer.strips[0] if layer.strips else layer.strips.new(type="KEYFRAME")
            self.curves = strip.channelbag(slot, ensure=True).fcurves
        else:
            self.curves = action.fcurves

    def write(
        self,
        path: str,
        index: int,
        frames: npt.NDArray[np.float64],
        values: npt.NDArray[np.float64],
        mode: int = LINEAR,
        handles: npt.NDArray[np.float64] | None = None,
        group: str = "",
    ) -> None:
        """Writes a curve. ``handles`` are the values of the left and the right handle of each key; their times are a third
        of the way to the neighbours, with which the curve is the cubic polynomial of the game."""
        curve = self._new(path, index, group)
        count = len(frames)
        points = curve.keyframe_points
        points.add(count)
        points.foreach_set("co", np.column_stack([frames, values]).astype(np.float32).ravel())
        points.foreach_set("interpolation", np.full(count, mode, dtype=np.uint8))
        if handles is not None:
            before = np.diff(frames, prepend=frames[0]) / 3.0
            after = np.diff(frames, append=frames[-1]) / 3.0
            left = np.column_stack([frames - before, handles[:, 0]])
            right = np.column_stack([frames + after, handles[:, 1]])
            for side, at in (("left", left), ("right", right)):
                points.foreach_set(f"handle_{side}_type", np.full(count, FREE, dtype=np.uint8))
                points.foreach_set(f"handle_{side}", at.astype(np.float32).ravel())
        curve.update()

    def _new(self, path: str, index: int, group: str) -> bpy.types.FCurve:
        if self.slot is None:
            return self.curves.new(path, index=index, action_group=group)
        if group and bpy.app.version >= (5, 0, 0):
            return self.curves.new(path, index=index, group_name=group)
        return self.curves.new(path, index=index)

    def play(self, owner: bpy.types.ID) -> None:
        """Makes the owner play this action."""
        data = owner.animation_data or owner.animation_data_create()
        data.action = self.action
        if self.slot is not None:
            data.action_slot = self.action.slots[self.slot]
