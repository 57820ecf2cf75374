"""Models in other processes and threads."""

from __future__ import annotations

import concurrent.futures
import copy
import multiprocessing
import pickle
import shutil
from pathlib import Path

import numpy as np
import pytest
from handmade import MDL

import pyeffigy


def again(model: pyeffigy.Model) -> pyeffigy.Model:
    restored = pickle.loads(pickle.dumps(model))
    assert isinstance(restored, pyeffigy.Model)
    return restored


def test_a_model_comes_back_with_its_changes() -> None:
    model = pyeffigy.open(MDL, name="handmade.mdl")
    model.set("MODL.name", "Changed")
    for other in (again(model), copy.deepcopy(model)):
        assert other.to_bytes() == model.to_bytes()
        assert (other.name, other.format) == ("Changed", "mdl")
        np.testing.assert_array_equal(other.meshes[0].positions, model.meshes[0].positions)


def test_skins_and_animations_come_along(samples: Path, tmp_path: Path) -> None:
    for name in ("m2-264-creature", "m2-264-everything"):
        for path in samples.glob(f"{name}*"):
            shutil.copy(path, tmp_path)
        model = pyeffigy.open(tmp_path / f"{name}.m2")
        expected = model.pose(0, 0.3).meshes
        packed = pickle.dumps(model)
        # Nothing of it is left where it was.
        for path in tmp_path.iterdir():
            path.unlink()
        restored = pickle.loads(packed)
        assert restored.to_bytes() == model.to_bytes()
        posed = restored.pose(0, 0.3).meshes
        assert len(posed) == len(expected) > 0
        for one, other in zip(posed, expected, strict=True):
            np.testing.assert_array_equal(one.positions, other.positions)


def test_a_body_keeps_its_list_of_animations(samples: Path, tmp_path: Path) -> None:
    for name in ("soldier.mds", "wolfanim.cfg", "soldier.aninc", "soldier_default.skin"):
        shutil.copy(samples / name, tmp_path)
    model = pyeffigy.open(tmp_path / "soldier.mds")
    names = [one.name for one in model.sequences]
    packed = pickle.dumps(model)
    shutil.rmtree(tmp_path)
    assert [one.name for one in pickle.loads(packed).sequences] == names
    assert len(names) > 1


def test_files_in_memory_come_along(samples: Path) -> None:
    texture = (samples / "LanternBeetle.tga").read_bytes()
    main = (samples / "mdx-800-creature.mdx").read_bytes()
    model = pyeffigy.open(main, name="units/beetle.mdx", files={"units/LanternBeetle.tga": texture})
    number = next(number for number, one in enumerate(model.textures) if "LanternBeetle." in one.path)
    image = again(model).texture(number)
    assert image is not None
    np.testing.assert_array_equal(image.pixels, pyeffigy.read_texture(texture).pixels)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(image)).pixels, image.pixels)


def test_textures_are_found_where_the_model_was(samples: Path) -> None:
    model = again(pyeffigy.open(samples / "mdx-800-creature.mdx"))
    assert any(found is not None for found in model.find_textures())


def count_vertices(model: pyeffigy.Model) -> int:
    return sum(len(mesh.positions) for mesh in model.pose(0, 0.1).meshes)


def test_models_go_to_other_processes_and_back(samples: Path) -> None:
    models = [pyeffigy.open(samples / name) for name in ("mdx-800-creature.mdx", "m2-264-creature.m2", "chest.mdc")]
    expected = [count_vertices(model) for model in models]
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
        assert list(pool.map(count_vertices, models)) == expected


def test_many_threads_use_one_model(samples: Path) -> None:
    model = pyeffigy.open(samples / "mdx-800-creature.mdx")
    expected = [model.pose("Walk", step / 20).meshes[0].positions.copy() for step in range(16)]
    glb = model.convert("glb").data

    def work(step: int) -> bool:
        posed = model.pose("Walk", step / 20).meshes[0].positions
        return bool(np.array_equal(posed, expected[step])) and (step % 4 != 0 or model.convert("glb").data == glb)

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert all(pool.map(work, [step % 16 for step in range(64)]))


def test_changes_of_many_threads_are_all_made(samples: Path) -> None:
    model = pyeffigy.open(samples / "mdx-800-everything.mdx")
    count = len(model.summary.sequences)

    def work(number: int) -> bool:
        return model.set(f"SEQS[{number}].rarity", number + 0.5) == ()

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert all(pool.map(work, range(count)))
    assert [one["rarity"] for one in model.fields()["SEQS"]] == [number + 0.5 for number in range(count)]


def test_the_interpreter_is_free_while_rust_works(samples: Path) -> None:
    """While one thread converts, another one runs Python code: with the lock held it could not run at all."""
    import threading
    import time

    model = pyeffigy.open(samples / "mdx-1800-everything.mdx")
    creature = pyeffigy.open(samples / "mdx-800-creature.mdx")
    inside = threading.Event()
    spans: list[tuple[float, float]] = []

    def convert() -> None:
        inside.set()
        for _ in range(30):
            start = time.perf_counter()
            model.convert("glb")
            creature.convert("glb")
            spans.append((start, time.perf_counter()))

    ticks: list[float] = []
    thread = threading.Thread(target=convert)
    thread.start()
    inside.wait()
    while thread.is_alive():
        ticks.append(time.perf_counter())
        time.sleep(0.0005)
    thread.join()
    # Some conversion was interrupted by a tick in its middle.
    assert any(start + 0.2 * (end - start) < tick < start + 0.8 * (end - start) for start, end in spans for tick in ticks)


def test_assets_and_archives_are_pickled(samples: Path) -> None:
    assets = pyeffigy.Assets(samples, {"extra/note.txt": b"hello"})
    other = pickle.loads(pickle.dumps(assets))
    assert other.read("EXTRA\\note.txt") == b"hello"
    assert "chest.md3" in other and "nothing.md3" not in other
    model = pyeffigy.open(samples / "chest.mdc", assets=assets)
    assert again(model).summary == model.summary


def test_what_cannot_be_pickled_says_so() -> None:
    with pytest.raises(TypeError):
        pickle.dumps(pyeffigy.open(MDL, name="handmade.mdl").meshes[0].positions.base)
