"""Sequences as actions: keys of the game as keys of Blender where both mean the same, and samples where they do not.

Splines of translations and scales keep their tangents. Rotations turn along an arc in the games, while Blender mixes the
four numbers one by one, so keys far apart get more keys between them; splines of rotations, nodes that do not inherit
everything, and the clocks of global sequences are sampled.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
import numpy.typing as npt
import pyeffigy
from mathutils import Matrix

from .bones import Skeleton, size_of
from .curves import CUBIC, LINEAR, STEP, Channels
from .space import Space

Array = npt.NDArray[np.float64]

# Samples a second where keys cannot say it; where the way between two is not straight there are more.
RATE = 30.0
# How often the time between two samples is halved at most.
HALVINGS = 4
# How far the straight way between two samples may be off: radians, shares of the model's size, and scales.
ANGLE, SHARE, RATIO = 2e-4, 2e-5, 2e-4
# Radians between two keys of a rotation at most: the straight way is then off by less than 2e-5.
ARC = 0.17
# A step just before the moment at which a clock starts again, in seconds.
BEFORE = 0.0005
# Longest sequence in seconds; times of some models are broken.
LONGEST = 600.0


@dataclass
class Curve:
    """Keys of one channel: seconds, values, how to go on, and handles."""

    times: Array
    values: Array
    mode: int
    handles: Array | None = None


class Sampler:
    """Local transforms of nodes at moments of a sequence, by the library's own sampler."""

    def __init__(self, model: pyeffigy.Model, skeleton: Skeleton, space: Space, sequence: int | None) -> None:
        self.model, self.skeleton, self.space, self.sequence = model, skeleton, space, sequence
        self.known: dict[float, Array] = {}

    def matrices(self, times: Array) -> Array:
        """The matrices of all nodes at these times: times, nodes, 4, 4."""
        new = [time for time in times.tolist() if time not in self.known]
        self.known.update(zip(new, self.model.motion(self.sequence, new)))
        return np.array([self.known[time] for time in times.tolist()])

    def local(self, node: int, times: Array) -> tuple[Array, Array, Array]:
        """Location, rotation (w, x, y, z) and scale of a bone from its rest place."""
        scene = self.model.scene
        parent = scene.nodes[node].parent
        turn, pivot = self.skeleton.turns[node], self.space.point(scene.nodes[node].pivot)
        rest, back = np.eye(4), np.eye(4)
        rest[:3, :3], rest[:3, 3] = turn, pivot
        back[:3, :3], back[:3, 3] = turn.T, -turn.T @ pivot
        matrices = self.matrices(times)
        moved = self.space.matrix(matrices[:, node])
        if parent is not None:
            # What is scaled to nothing has no inverse.
            moved = np.linalg.pinv(self.space.matrix(matrices[:, parent])) @ moved
        basis = back @ moved @ rest
        lengths = np.linalg.norm(basis[:, :3, :3], axis=1)
        turns = basis[:, :3, :3] / np.where(lengths > 1e-12, lengths, 1.0)[:, None, :]
        mirrored = np.linalg.det(turns) < 0.0
        lengths[mirrored], turns[mirrored] = -lengths[mirrored], -turns[mirrored]
        return basis[:, :3, 3], _same_signs(_quaternions(turns)), lengths


def _quaternions(turns: Array) -> Array:
    return np.array([Matrix(turn).to_quaternion() for turn in turns.tolist()])


def _same_signs(rotations: Array) -> Array:
    """Each rotation with the sign that is nearer to the one before it."""
    for at in range(1, len(rotations)):
        if rotations[at] @ rotations[at - 1] < 0.0:
            rotations[at] = -rotations[at]
    return rotations


def span(track: pyeffigy.scene.Track[Any], number: int, sequence: pyeffigy.scene.Sequence) -> slice:
    """The keys of a track that belong to a sequence."""
    if len(track.windows):
        if number >= len(track.windows):
            return slice(0, 0)
        first, last = (int(at) for at in track.windows[number])
        return slice(first, last + 1)
    first = int(np.searchsorted(track.times, sequence.start, side="left"))
    return slice(first, int(np.searchsorted(track.times, sequence.end, side="right")))


def tracks_of(node: pyeffigy.scene.Node) -> list[Any]:
    """The tracks of translation, rotation and scale; None where there is none."""
    return [node.translation.track, node.rotation.track, node.scale.track]


def ignores(node: pyeffigy.scene.Node) -> bool:
    """Whether a node does not take everything from its parent."""
    return node.ignore.translation or node.ignore.rotation or node.ignore.scale


def length_of(sequence: pyeffigy.scene.Sequence) -> float:
    """Seconds that are written."""
    return min(sequence.seconds, LONGEST)


class Writer:
    """Writes the action of one sequence."""

    def __init__(
        self,
        model: pyeffigy.Model,
        skeleton: Skeleton,
        space: Space,
        number: int,
        frames_per_second: float,
    ) -> None:
        self.model, self.scene = model, model.scene
        self.skeleton, self.space, self.number = skeleton, space, number
        self.sequence = self.scene.sequences[number]
        self.rate = frames_per_second
        self.length = length_of(self.sequence)
        self.sampler = Sampler(model, skeleton, space, number)
        self.size = size_of(self.scene) * space.scale

    def action(self, name: str) -> bpy.types.Action:
        """An empty action of the sequence's length."""
        action = bpy.data.actions.new(name)
        action.use_fake_user = True
        action.use_frame_range = True
        action.frame_start, action.frame_end = 0.0, max(self.length * self.rate, 1.0)
        action.use_cyclic = self.sequence.looping
        action["effigy_sequence"] = self.number
        return action

    def bones(self, channels: Channels) -> None:
        """The motion of all bones."""
        for node in range(len(self.scene.nodes)):
            self._bone(node, channels)

    def _bone(self, number: int, channels: Channels) -> None:
        node = self.scene.nodes[number]
        tracks = tracks_of(node)
        path = f'pose.bones["{bpy.utils.escape_identifier(self.skeleton.names[number])}"]'
        if ignores(node) and self._chain_moves(number):
            self._sampled(number, [True, True, True], path, channels)
            return
        turn = self.skeleton.turns[number]
        to_bone: list[Callable[[Any], Array]] = [
            lambda values: self.space.point(values) @ turn,
            lambda values: self._turned(values, turn),
            lambda values: self.space.stretch(values),
        ]
        sampled = [False, False, False]
        for at, (track, convert) in enumerate(zip(tracks, to_bone)):
            if track is None:
                continue
            curve = self._direct(track, convert, at == 1)
            if curve is None:
                sampled[at] = True
            else:
                self._write(curve, at, path, channels)
        if any(sampled):
            self._sampled(number, sampled, path, channels)

    def _chain(self, number: int) -> list[pyeffigy.scene.Node]:
        """A node and all nodes above it."""
        chain = [self.scene.nodes[number]]
        while chain[-1].parent is not None:
            chain.append(self.scene.nodes[chain[-1].parent])
        return chain

    def _chain_moves(self, number: int) -> bool:
        return any(track is not None for node in self._chain(number) for track in tracks_of(node))

    def _turned(self, values: Any, turn: Array) -> Array:
        """Rotations x, y, z, w of the game as w, x, y, z in the axes of the bone."""
        rotations = self.space.rotation(np.atleast_2d(values))
        return np.column_stack([rotations[:, 3], rotations[:, :3] @ turn])

    def _direct(self, track: Any, convert: Callable[[Any], Array], turns: bool) -> Curve | None:
        """The keys of a track in this sequence as they are; none if they have to be sampled."""
        if track.global_sequence is not None:
            return None
        keys = span(track, self.number, self.sequence)
        times = track.seconds[keys] - self.sequence.start / 1000.0
        spline = track.interpolation in ("hermite", "bezier")
        if len(times) == 0:
            return Curve(np.zeros(1), np.atleast_2d(convert(track.default)), STEP)
        values = np.atleast_2d(convert(track.values[keys]))
        if len(times) == 1:
            return Curve(np.zeros(1), values, STEP)
        # Before the first and after the last key the games differ.
        reaches = times[0] <= 1e-6 and times[-1] >= self.length - 1e-6
        if track.interpolation == "step":
            if times[0] > 1e-6:
                return None
            return Curve(times, values, STEP)
        if not reaches or (spline and turns) or np.any(np.diff(times) <= 0.0):
            return None
        if spline:
            tangents = track.tangents[keys]
            into, out = (np.atleast_2d(convert(tangents[:, side])) for side in (0, 1))
            if track.interpolation == "hermite":
                into, out = values - into / 3.0, values + out / 3.0
            return Curve(times, values, CUBIC, np.stack([into, out], axis=1))
        if turns:
            values = _same_signs(values.copy())
            if self.scene.turn_rule == "slerp":
                times, values = _refined(times, values)
        return Curve(times, values, LINEAR)

    def _sample_times(self, number: int) -> Array:
        node = self.scene.nodes[number]
        times = [0.0, self.length]
        chain = self._chain(number) if ignores(node) else [node]
        tracks = [track for one in chain for track in tracks_of(one)]
        for track in tracks:
            if track is None:
                continue
            if track.global_sequence is None:
                keys = span(track, self.number, self.sequence)
                times.extend(track.seconds[keys] - self.sequence.start / 1000.0)
                continue
            period = self.scene.global_sequences[track.global_sequence] / 1000.0
            if period <= 0.0:
                continue
            for turn in range(int(min(self.length / period, 10_000.0)) + 1):
                start = turn * period
                times.extend([start - BEFORE, start])
                times.extend(start + track.seconds[track.seconds <= period])
        keys = np.unique(np.round([time for time in times if 0.0 <= time <= self.length], 6))
        # Blender makes one key of two that are nearer than a hundredth of a frame.
        keys = keys[np.diff(keys, prepend=-1.0) > 0.8 * BEFORE]
        if not any(track is not None and track.interpolation != "step" for track in tracks):
            return keys
        grid = np.arange(0.0, self.length, 1.0 / RATE)
        nearest = np.abs(grid[:, None] - keys[None, :]).min(axis=1)
        return np.sort(np.concatenate([keys, grid[nearest > 2.0 * BEFORE]]))

    def _sampled(self, number: int, wanted: list[bool], path: str, channels: Channels) -> None:
        times = self._sample_times(number)
        parts = self.sampler.local(number, times)
        node = self.scene.nodes[number]
        tracks = tracks_of(node)
        if any(track is not None and track.interpolation != "step" for track in tracks) or wanted == [True] * 3:
            times, parts = self._straightened(number, times, parts)
        for at, (part, want) in enumerate(zip(parts, wanted)):
            if want:
                steps = tracks[at] is not None and tracks[at].interpolation == "step"
                alone = not any(wanted[:at] + wanted[at + 1 :])
                self._write(Curve(times, part, STEP if steps and alone else LINEAR), at, path, channels)

    def _straightened(self, number: int, times: Array, parts: tuple[Array, ...]) -> tuple[Array, tuple[Array, ...]]:
        """More samples where the straight way between two is off."""
        limits = (self.size * SHARE, ANGLE * 0.5, RATIO)
        bent = np.diff(times) > 2.0 * BEFORE
        for _ in range(HALVINGS):
            middles = (times[:-1] + times[1:])[bent] * 0.5
            if not len(middles):
                break
            found = self.sampler.local(number, middles)
            off = np.zeros(len(middles), dtype=bool)
            for at, (part, new, limit) in enumerate(zip(parts, found, limits)):
                straight = (part[:-1] + part[1:])[bent] * 0.5
                if at == 1:
                    straight /= np.maximum(np.linalg.norm(straight, axis=1, keepdims=True), 1e-12)
                    new = new * np.sign(np.sum(new * straight, axis=1, keepdims=True) + 1e-30)
                    # The middle of an even turn is right however far it goes; the quarters are not.
                    off |= np.linalg.norm(np.diff(part, axis=0)[bent], axis=1) > ARC * 0.5
                off |= np.linalg.norm(straight - new, axis=1) > limit
            order = np.argsort(np.concatenate([times, middles[off]]), kind="stable")
            fresh = np.concatenate([np.zeros(len(times), dtype=bool), np.ones(int(off.sum()), dtype=bool)])[order]
            parts = tuple(np.concatenate([part, new[off]])[order] for part, new in zip(parts, found))
            parts = (parts[0], _same_signs(parts[1]), parts[2])
            times = np.concatenate([times, middles[off]])[order]
            bent = (fresh[:-1] | fresh[1:]) & (np.diff(times) > 2.0 * BEFORE)
        return times, parts

    def _write(self, curve: Curve, at: int, path: str, channels: Channels) -> None:
        name = ("location", "rotation_quaternion", "scale")[at]
        frames = curve.times * self.rate
        group = path.split('"')[1]
        for index in range(curve.values.shape[1]):
            handles = None if curve.handles is None else curve.handles[:, :, index]
            channels.write(f"{path}.{name}", index, frames, curve.values[:, index], curve.mode, handles, group)


def _refined(times: Array, values: Array) -> tuple[Array, Array]:
    """More keys on the arcs between keys that are far apart."""
    cosines = np.clip(np.abs(np.sum(values[1:] * values[:-1], axis=1)), 0.0, 1.0)
    counts = np.maximum(np.ceil(2.0 * np.arccos(cosines) / ARC).astype(int), 1)
    if np.all(counts == 1):
        return times, values
    new_times, new_values = [], []
    for at, count in enumerate(counts):
        shares = np.arange(count) / count
        new_times.append(times[at] + (times[at + 1] - times[at]) * shares)
        angle = np.arccos(np.clip(values[at] @ values[at + 1], -1.0, 1.0))
        if angle < 1e-6:
            part = values[at] + (values[at + 1] - values[at]) * shares[:, None]
        else:
            one, two = np.sin((1.0 - shares) * angle), np.sin(shares * angle)
            part = (one[:, None] * values[at] + two[:, None] * values[at + 1]) / np.sin(angle)
        new_values.append(part)
    new_times.append(times[-1:])
    new_values.append(values[-1:])
    return np.concatenate(new_times), np.concatenate(new_values)
