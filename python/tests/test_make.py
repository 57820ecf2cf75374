"""Scenes that come from Python: what was taken apart is put together again, and mistakes are named."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from handmade import MDL

import pyeffigy
from pyeffigy.scene import Animated, Mesh, Scene


def models(folder: Path, pattern: str) -> list[pyeffigy.Model]:
    """The models of a folder, without those that have no scene."""
    found = []
    for path in sorted(folder.rglob(pattern)):
        try:
            model = pyeffigy.open(path)
            model.scene
        except pyeffigy.EffigyError:
            continue
        found.append(model)
    return found


@pytest.mark.parametrize(("pattern", "target"), [("*.mdx", "m2:264"), ("*.m2", "mdx:800"), ("*.md3", "mdx:1100"), ("*.mdc", "m2:256")])
def test_the_scene_of_a_model_becomes_what_the_model_becomes(samples: Path, pattern: str, target: str) -> None:
    """The library converts without Python: what goes through Python must not differ by a byte."""
    found = [model for model in models(samples, pattern) if model.format == pattern[2:]]
    assert found
    for model in found:
        wanted = model.convert(target, textures=False)
        made = pyeffigy.make(model.scene, target, name=Path(model.path or "").stem)
        assert made.data == wanted.data, model.path


def test_models_of_the_corpus_come_back(corpus: Path) -> None:
    """Real models into the other family, with and without Python."""
    into = {"mdx": "m2:264", "mdl": "m2:264", "m2": "mdx:800", "mdc": "mdx:1100", "md3": "mdx:1100"}
    compared = dict.fromkeys(into, 0)
    for path in sorted(path for path in corpus.rglob("*") if path.suffix.lower()[1:] in into)[::4]:
        try:
            model = pyeffigy.open(path)
            wanted = model.convert(into[model.format], textures=False)
        except (pyeffigy.EffigyError, KeyError):
            continue
        made = pyeffigy.make(model.scene, into[model.format], name=path.stem)
        assert made.data == wanted.data, path
        compared[model.format] += 1
    assert all(compared.values()) and sum(compared.values()) >= 100, compared


def test_a_scene_of_warcraft_is_written_as_it_is() -> None:
    model = pyeffigy.open(MDL, name="handmade.mdl")
    again = pyeffigy.open(pyeffigy.make(model.scene, "mdl:800").data, name="again.mdl")
    assert again.name == "Handmade"
    assert [(one.name, one.start, one.end) for one in again.sequences] == [
        (one.name, one.start, one.end) for one in model.sequences
    ]
    for number, share in ((0, 0.3), (1, 0.8)):
        np.testing.assert_allclose(
            again.pose(number, share).meshes[0].positions, model.pose(number, share).meshes[0].positions, atol=1e-6
        )


def test_a_changed_scene_is_another_model() -> None:
    model = pyeffigy.open(MDL, name="handmade.mdl")
    (mesh,) = model.scene.meshes
    larger = dataclasses.replace(mesh, positions=mesh.positions * 2.0)
    made = pyeffigy.make(dataclasses.replace(model.scene, meshes=(larger,), name="Larger"), "mdx:800")
    again = pyeffigy.open(made.data)
    assert again.name == "Larger"
    np.testing.assert_array_equal(again.meshes[0].positions, mesh.positions * np.float32(2.0))


def test_lists_of_numbers_are_arrays_too() -> None:
    model = pyeffigy.open(MDL, name="handmade.mdl")
    (mesh,) = model.scene.meshes
    plain: Any = mesh.positions.tolist()
    made = pyeffigy.make(dataclasses.replace(model.scene, meshes=(dataclasses.replace(mesh, positions=plain),)), "mdx")
    assert made.data == pyeffigy.make(model.scene, "mdx").data


def broken(change: dict[str, Any]) -> Scene:
    """The handmade scene with other values in its mesh."""
    scene = pyeffigy.open(MDL, name="handmade.mdl").scene
    return dataclasses.replace(scene, meshes=(dataclasses.replace(scene.meshes[0], **change),))


def test_mistakes_are_named_with_their_place() -> None:
    for change, wanted in (
        ({"positions": np.zeros((3, 2), dtype=np.float32)}, r"meshes\[0\]\.positions: an array of the shape \[3, 2\]"),
        ({"material": "stone"}, r"meshes\[0\]\.material: "),
        ({"color": Animated((1.0, 1.0), None)}, r"meshes\[0\]\.color\.base: 2 values instead of 3"),
    ):
        with pytest.raises(TypeError, match=wanted):
            pyeffigy.make(broken(change), "mdx")
    with pytest.raises(pyeffigy.EffigyError):
        pyeffigy.make(broken({"material": 7}), "mdx")
    with pytest.raises(pyeffigy.UsageError, match="mdx, mdl, m2, md3 and mdc"):
        pyeffigy.make(broken({}), "glb")
    word: Any = dataclasses.replace(broken({}), key_rule="maybe")
    with pytest.raises(TypeError, match="key_rule: 'maybe' is none of wrap, continue, hold"):
        pyeffigy.make(word, "mdx")


def test_images_become_textures_of_the_game(samples: Path) -> None:
    """A texture of another game is written in the game's own encoding, from the image that is given."""
    model = next(model for model in models(samples, "*.m2") if any(one.path for one in model.textures))
    number = next(at for at, one in enumerate(model.textures) if one.path)
    pixels = np.full((16, 16, 4), (200, 100, 50, 255), dtype=np.uint8)
    image = pyeffigy.read_texture(tga(pixels))
    made = pyeffigy.make(model.scene, "mdx:800", textures={number: image}, texture_folder="Own")
    (name,) = [name for name in made.companions if name.startswith("Own/")][:1]
    back = np.asarray(pyeffigy.read_texture(made.companions[name]))
    assert back.shape == (16, 16, 4)
    assert np.abs(back[..., :3].astype(int) - pixels[..., :3]).max() <= 6
    lost = pyeffigy.make(model.scene, "mdx:800", texture_folder="Own")
    assert not lost.companions and any("Own" in note.message for note in lost.report)


def tga(pixels: np.ndarray[Any, Any]) -> bytes:
    """An uncompressed TGA file with its origin at the top."""
    height, width, _ = pixels.shape
    head = bytes([0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, width & 255, width >> 8, height & 255, height >> 8, 32, 0x28])
    return head + pixels[..., [2, 1, 0, 3]].tobytes()


def test_a_mesh_of_ones_own() -> None:
    """A triangle that no file has held."""
    scene = pyeffigy.open(MDL, name="handmade.mdl").scene
    one: Mesh = dataclasses.replace(
        scene.meshes[0],
        positions=np.array([[0, 0, 0], [10, 0, 0], [0, 10, 0]], dtype=np.float64),
        normals=np.tile([0.0, 0.0, 1.0], (3, 1)),
        indices=np.array([0, 1, 2]),
    )
    made = pyeffigy.open(pyeffigy.make(dataclasses.replace(scene, meshes=(one,)), "mdx:1100").data)
    assert made.version == 1100
    np.testing.assert_array_equal(made.meshes[0].positions, one.positions.astype(np.float32))
