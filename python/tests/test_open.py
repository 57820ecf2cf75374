"""Opening models, and what is in them."""

from __future__ import annotations

import dataclasses
import json
import subprocess
from pathlib import Path

import numpy as np
import pytest
from conftest import require
from handmade import MDL

import pyeffigy


def test_a_handmade_model_is_what_its_text_says() -> None:
    model = pyeffigy.open(MDL, name="handmade.mdl")
    assert (model.format, model.version, model.name) == ("mdl", 800, "Handmade")
    assert model.dialect == "Warcraft III"
    assert model.path is None
    summary = model.summary
    assert (summary.vertices, summary.triangles) == (3, 1)
    assert [(one.name, one.seconds, one.speed, one.looping) for one in summary.sequences] == [
        ("Stand", 1.0, 0.0, True),
        ("Turn", 2.0, 30.0, False),
    ]
    assert summary.bounds == pyeffigy.summary.Bounds((-1, -2, -3), (4, 5, 6), 7)
    assert [one.path for one in summary.textures] == ["Textures\\Handmade.blp"]
    assert summary.nodes == (pyeffigy.summary.Count("bone", 1),)


def test_summaries_are_frozen_dataclasses() -> None:
    summary = pyeffigy.open(MDL, name="handmade.mdl").summary
    assert dataclasses.asdict(summary)["meshes"] == ({"name": "", "vertices": 3, "triangles": 1},)
    with pytest.raises(dataclasses.FrozenInstanceError):
        summary.files = ()  # type: ignore[misc]


def same(found: object, printed: object) -> bool:
    """Whether a value is the printed one. The command looks for textures, and prints floats with fewer digits."""
    if isinstance(found, dict) and isinstance(printed, dict):
        return found.keys() == printed.keys() and all(key == "found" or same(found[key], printed[key]) for key in found)
    if isinstance(found, tuple) and isinstance(printed, list):
        return len(found) == len(printed) and all(same(one, other) for one, other in zip(found, printed, strict=True))
    if isinstance(found, float):
        return bool(np.float32(found) == np.float32(printed))  # type: ignore[arg-type]
    return found == printed


def compare(command: str, paths: list[Path]) -> int:
    """Compares summaries with what the command prints, and returns how many there were."""
    lines = subprocess.run(
        [command, "info", "--json", *map(str, paths)], check=False, capture_output=True, text=True
    ).stdout.splitlines()
    compared = 0
    for line in map(json.loads, lines):
        if "error" in line:
            with pytest.raises(pyeffigy.EffigyError) as caught:
                pyeffigy.open(line["path"])
            assert (caught.value.code, caught.value.offset, caught.value.path) == (line["kind"], line["offset"], line["place"])
            continue
        model = pyeffigy.open(line["path"])
        assert (model.format, model.version, model.name) == (line["format"], line["version"], line["name"])
        assert model.dialect == line["dialect"]
        for name, value in dataclasses.asdict(model.summary).items():
            assert same(value, line[name]), (line["path"], name)
        compared += 1
    return compared


MODELS = (".mdx", ".mdl", ".m2", ".mdc", ".md3", ".mds")


def test_everything_that_info_prints_is_in_the_summary(samples: Path, command: str) -> None:
    paths = sorted(path for path in samples.iterdir() if path.suffix in MODELS)
    assert compare(command, paths) > 60


def test_everything_that_info_prints_of_the_corpus_is_in_the_summary(corpus: Path, command: str) -> None:
    paths = sorted(path for path in corpus.rglob("*") if path.suffix.lower() in MODELS)
    assert compare(command, paths) > 400


def test_any_kind_of_bytes_and_any_kind_of_path_opens(tmp_path: Path) -> None:
    path = tmp_path / "handmade.mdl"
    path.write_bytes(MDL)
    for source in (path, str(path)):
        assert pyeffigy.open(source).path == str(path)
    for source in (MDL, bytearray(MDL), memoryview(MDL), np.frombuffer(MDL, np.uint8)):
        assert pyeffigy.open(source).name == "Handmade"
    with pytest.raises(TypeError):
        pyeffigy.open(12)  # type: ignore[arg-type]


def test_skins_are_found_among_files_in_memory(samples: Path) -> None:
    stem = "m2-264-creature"
    files = {path.name: path.read_bytes() for path in samples.glob(f"{stem}*.skin")}
    assert len(files) == 4
    main = (samples / f"{stem}.m2").read_bytes()
    alone = pyeffigy.open(main, name=f"{stem}.m2")
    with pytest.raises(pyeffigy.UsageError, match="m2-264-creature00.skin"):
        _ = alone.meshes
    with_skins = pyeffigy.open(main, name=f"{stem}.m2", files=files)
    assert len(with_skins.meshes) == len(pyeffigy.open(samples / f"{stem}.m2").meshes) > 0


def test_models_of_a_folder_are_found(samples: Path) -> None:
    found = pyeffigy.find(samples)
    assert str(samples / "mdx-800-hat.mdx") in found
    assert not any(path.endswith(".skin") for path in found)


def test_a_missing_thing_is_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    skips = tmp_path / "skips.tsv"
    monkeypatch.setenv("EFFIGY_SKIPPED", str(skips))
    monkeypatch.setenv("EFFIGY_REQUIRE", "corpus,gpu")
    require("moon", True, "it is there")
    with pytest.raises(pytest.skip.Exception):
        require("moon", False, "no moon")
    thing, why, test = skips.read_text().rstrip("\n").split("\t")
    assert (thing, why) == ("moon", "no moon") and test.startswith("python::")
    with pytest.raises(pytest.fail.Exception):
        require("gpu", False, "no driver")
