"""Poses, with values computed by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from handmade import MDL

import pyeffigy


def handmade() -> pyeffigy.Model:
    return pyeffigy.open(MDL, name="handmade.mdl")


def test_a_bone_moves_its_vertices() -> None:
    # A quarter of the way from (0, 0, 0) to (10, 0, 0).
    pose = handmade().pose("Stand", 0.25)
    assert (pose.sequence, pose.time) == (0, 0.25)
    np.testing.assert_allclose(pose.matrices, [[[1, 0, 0, 2.5], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]])
    np.testing.assert_allclose(pose.meshes[0].positions, [[3.5, 0, 0], [2.5, 2, 0], [2.5, 0, 4]])


def test_a_bone_turns_about_its_pivot() -> None:
    # At the end: 90 degrees about the z axis through (1, 0, 0), and up by 8.
    pose = handmade().pose("Turn", 2.0)
    np.testing.assert_allclose(pose.meshes[0].positions, [[1, 0, 8], [-1, -1, 8], [1, -1, 12]], atol=1e-5)
    np.testing.assert_allclose(
        pose.matrices[0], [[0, -1, 0, 1], [1, 0, 0, -1], [0, 0, 1, 8], [0, 0, 0, 1]], atol=1e-5
    )
    # Past its end a sequence that does not loop holds.
    later = handmade().pose("Turn", 9.0)
    np.testing.assert_array_equal(later.meshes[0].positions, pose.meshes[0].positions)
    # Half the time is half the angle.
    middle = handmade().pose(1, 1.0)
    half = np.sqrt(0.5)
    np.testing.assert_allclose(
        middle.matrices[0][:2, :2], [[half, -half], [half, half]], atol=1e-5
    )


def test_motion_has_the_matrices_of_many_times() -> None:
    # From (0, 0, 0) to (10, 0, 0) in a second.
    matrices = handmade().motion("Stand", [0.0, 0.25, 0.5])
    assert matrices.shape == (3, 1, 4, 4)
    np.testing.assert_allclose(matrices[:, 0, :3, 3], [[0, 0, 0], [2.5, 0, 0], [5, 0, 0]])
    np.testing.assert_array_equal(matrices[:, 0, :3, :3], np.broadcast_to(np.eye(3), (3, 3, 3)))
    assert handmade().motion(0, []).shape == (0, 1, 4, 4)
    for times in ([float("nan")], [0.0, float("inf")]):
        with pytest.raises(pyeffigy.UsageError):
            handmade().motion(0, times)
    with pytest.raises(pyeffigy.UsageError):
        handmade().motion("Dance", [0.0])


def test_matrices_and_weights_give_the_posed_vertices(samples: Path) -> None:
    model = pyeffigy.open(samples / "mdx-800-creature.mdx")
    pose = model.pose("Walk", 0.3)
    moved = 0.0
    for mesh, posed in zip(model.meshes, pose.meshes, strict=True):
        assert mesh.skin is not None
        rest = np.concatenate([mesh.positions, np.ones((len(mesh.positions), 1), np.float32)], axis=1)
        expected = np.zeros_like(mesh.positions)
        for vertex, group in enumerate(mesh.skin.vertex_groups):
            first, end = mesh.skin.groups[group]
            for node, weight in mesh.skin.influences[first:end]:
                expected[vertex] += weight * (pose.matrices[node] @ rest[vertex])[:3]
        np.testing.assert_allclose(posed.positions, expected, atol=1e-3)
        moved = max(moved, float(np.abs(posed.positions - mesh.positions).max()))
    assert moved > 1


def test_frames_mix(samples: Path) -> None:
    model = pyeffigy.open(samples / "chest.mdc")
    morph = model.meshes[0].morph
    assert morph is not None
    order = morph.order
    start = model.sequences[0].start
    first, second = order.values[0], order.values[1]
    middle = (order.times[0] + order.times[1]) / 2 - start
    pose = model.pose(0, float(middle) / 1000)
    expected = (morph.frames[first].positions + morph.frames[second].positions) / 2
    np.testing.assert_allclose(pose.meshes[0].positions, expected, atol=1e-4)


def test_a_pose_keeps_its_memory_and_cannot_be_changed() -> None:
    positions = handmade().pose("Stand", 0.5).meshes[0].positions
    np.testing.assert_allclose(positions[0], [6, 0, 0])
    assert not positions.flags.writeable


def test_a_sequence_that_is_not_there_is_an_error() -> None:
    for wanted in ("Swim", 2):
        with pytest.raises(pyeffigy.UsageError, match="there is no sequence") as caught:
            handmade().pose(wanted)
        assert caught.value.hint is not None and "Stand, Turn" in caught.value.hint
    with pytest.raises(pyeffigy.UsageError):
        handmade().pose("Stand", float("nan"))
    assert handmade().pose().sequence is None
