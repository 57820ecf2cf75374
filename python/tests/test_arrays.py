"""Arrays: their values, whose memory they are, and how long it lives."""

from __future__ import annotations

import gc
import struct
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from handmade import MDL

import pyeffigy


def address(array: npt.NDArray[np.float32]) -> int:
    return int(array.__array_interface__["data"][0])


def test_a_handmade_model_has_the_numbers_of_its_text() -> None:
    model = pyeffigy.open(MDL, name="handmade.mdl")
    (mesh,) = model.meshes
    np.testing.assert_array_equal(mesh.positions, [[1, 0, 0], [0, 2, 0], [0, 0, 4]])
    np.testing.assert_array_equal(mesh.normals, [[0, 0, 1]] * 3)
    np.testing.assert_array_equal(mesh.uvs[0], [[0, 0], [0.5, 0], [0, 0.25]])
    np.testing.assert_array_equal(mesh.triangles, [[0, 1, 2]])
    assert (mesh.positions.dtype, mesh.indices.dtype) == (np.float32, np.uint32)
    assert mesh.skin is not None
    np.testing.assert_array_equal(mesh.skin.influences["node"], [0])
    np.testing.assert_array_equal(mesh.skin.influences["weight"], [1])
    np.testing.assert_array_equal(mesh.skin.groups, [[0, 1]])
    np.testing.assert_array_equal(mesh.skin.vertex_groups, [0, 0, 0])
    (node,) = model.nodes
    assert (node.name, node.kind, node.parent, node.pivot) == ("Root", "bone", None, (1, 0, 0))
    track = node.translation.track
    assert track is not None and track.interpolation == "linear"
    np.testing.assert_array_equal(track.times, [0, 1000, 2000, 4000])
    np.testing.assert_array_equal(track.seconds, [0, 1, 2, 4])
    np.testing.assert_array_equal(track.values, [[0, 0, 0], [10, 0, 0], [0, 0, 0], [0, 0, 8]])
    turn = node.rotation.track
    assert turn is not None
    np.testing.assert_array_equal(turn.values, np.float32([[0, 0, 0, 1], [0, 0, 0.70710678, 0.70710678]]))
    assert node.scale.track is None and node.scale.base == (1, 1, 1)
    (material,) = model.materials
    assert [(layer.blend, layer.two_sided) for layer in material.layers] == [("add_alpha", True)]
    assert [(one.name, one.start, one.end, one.looping) for one in model.sequences] == [
        ("Stand", 0, 1000, True),
        ("Turn", 2000, 4000, False),
    ]
    assert model.textures[0].path == "Textures\\Handmade.blp"


def test_positions_are_those_of_the_file(samples: Path) -> None:
    path = samples / "mdx-800-creature.mdx"
    content = path.read_bytes()
    model = pyeffigy.open(path)
    at, lists = 0, []
    while (at := content.find(b"VRTX", at)) >= 0:
        (count,) = struct.unpack_from("<I", content, at + 4)
        lists.append(np.frombuffer(content, "<f4", count * 3, at + 8).reshape(-1, 3))
        at += 8 + count * 12
    assert len(lists) == len(model.meshes) == 7
    for stored, mesh in zip(lists, model.meshes, strict=True):
        np.testing.assert_array_equal(stored, mesh.positions)


def test_arrays_share_the_memory_of_the_library(samples: Path) -> None:
    model = pyeffigy.open(samples / "mdx-800-creature.mdx")
    mesh = model.meshes[0]
    assert not mesh.positions.flags.owndata and not mesh.positions.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        mesh.positions[0, 0] = 1
    with pytest.raises(ValueError):
        mesh.positions.flags.writeable = True
    # Two looks at the same list are at the same address; so is one through the triangles.
    assert address(model.scene.meshes[0].positions) == address(mesh.positions)
    assert np.shares_memory(mesh.triangles, mesh.indices)
    # The owner says the same address each time it is asked, and NumPy uses it without a copy.
    owner = mesh.positions.base
    assert isinstance(owner, pyeffigy._pyeffigy.Buffer)
    assert address(np.asarray(owner)) == owner.__array_interface__["data"][0] == address(mesh.positions)


def test_arrays_outlive_their_model(samples: Path) -> None:
    model = pyeffigy.open(samples / "mdx-800-creature.mdx")
    positions = model.meshes[0].positions
    track = next(node.rotation.track for node in model.nodes if node.rotation.track is not None)
    values = track.values
    before = positions.copy(), values.copy()
    del model, track
    gc.collect()
    # Whatever was freed would be used again by now.
    others = [pyeffigy.open(path).meshes for path in sorted(samples.glob("mdx-*-everything.mdx"))]
    assert others
    np.testing.assert_array_equal(positions, before[0])
    np.testing.assert_array_equal(values, before[1])


def test_arrays_of_before_a_change_stay_as_they_were(samples: Path) -> None:
    model = pyeffigy.open(samples / "mdx-800-hat.mdx")
    before = model.meshes[0].positions
    copy = before.copy()
    model.edit("scale", "2")
    np.testing.assert_array_equal(before, copy)
    np.testing.assert_allclose(model.meshes[0].positions, copy * 2)


def test_frames_and_splines_are_arrays(samples: Path) -> None:
    chest = pyeffigy.open(samples / "chest.mdc")
    morph = chest.meshes[0].morph
    assert morph is not None
    vertices = len(chest.meshes[0].positions)
    assert all(frame.positions.shape == frame.normals.shape == (vertices, 3) for frame in morph.frames)
    everything = pyeffigy.open(samples / "mdx-800-everything.mdx")
    tracks = [node.translation.track for node in everything.nodes]
    splines = [track for track in tracks if track is not None and track.interpolation in ("hermite", "bezier")]
    assert splines
    for track in splines:
        assert track.tangents.shape == (len(track.times), 2, 3)


def test_every_list_of_every_sample_is_given(samples: Path) -> None:
    seen = set()
    for path in pyeffigy.find(samples):
        try:
            scene = pyeffigy.open(path).scene
        except pyeffigy.EffigyError:
            continue
        for name in scene.__dataclass_fields__:
            if isinstance(getattr(scene, name), tuple) and len(getattr(scene, name)) > 0:
                seen.add(name)
    assert seen == {
        "attachments",
        "cameras",
        "effects",
        "emitters",
        "events",
        "global_sequences",
        "lights",
        "materials",
        "meshes",
        "nodes",
        "ribbons",
        "sequences",
        "shapes",
        "texture_transforms",
        "textures",
    }
