"""The example for Ray: the rows of the command, whatever is killed."""

from __future__ import annotations

import importlib
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import require
from ray_rows import EXAMPLES, RowFunction

import pyeffigy

# A model in the middle of the corpus.
VICTIM = "hiback5.mdc"


@pytest.fixture(scope="module")
def example() -> Iterator[Any]:
    """The example as a module, with Ray running on two processors."""
    missing = [name for name in ("ray", "pyarrow") if importlib.util.find_spec(name) is None]
    require("ray", not missing, f"{' and '.join(missing)} cannot be imported (pip install 'ray[data]')")
    import ray

    # Paths of sockets are short.
    session = tempfile.mkdtemp(prefix="ray-")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(EXAMPLES))
        # The workers import the example and the row functions too.
        folders = [str(EXAMPLES), str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")]
        patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, folders)))
        # Ray's workers give way to all other programs, so that on a busy machine they would hardly run.
        patch.setenv("RAY_worker_niceness", "0")
        ray.init(num_cpus=2, include_dashboard=False, object_store_memory=100_000_000, _temp_dir=session)
        yield importlib.import_module("ray_catalog")
        ray.shutdown()
    shutil.rmtree(session, ignore_errors=True)


@pytest.fixture(scope="module")
def table(example: Any, command: str, corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What the command makes of the corpus."""
    import pyarrow.parquet as pq

    out = tmp_path_factory.mktemp("command") / "models.parquet"
    environment = {**os.environ, "EFFIGY_ASSETS": ""}
    words = [command, "catalog", str(corpus.resolve()), "-o", str(out), "--quiet"]
    assert subprocess.run(words, env=environment, capture_output=True).returncode in (0, 1)
    return pq.read_table(out).cast(example.schema())


def made(out: Path, example: Any) -> Any:
    """All rows of a folder, in the order of their paths."""
    import pyarrow.parquet as pq

    parts = list(out.iterdir())
    assert parts and all(part.suffix == ".parquet" for part in parts), f"only tables stay: {parts}"
    return pq.read_table(parts).cast(example.schema()).sort_by("path")


def until(condition: Callable[[], object], what: str) -> None:
    """Waits until something is the case."""
    end = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < end, f"{what} did not happen in two minutes"
        time.sleep(0.05)


def test_two_workers_make_the_rows_of_the_command(example: Any, table: Any, corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert example.run([str(corpus)], out, files=50) == len(table) > 400
    assert len(list(out.iterdir())) > 8
    assert made(out, example).equals(table)


def test_a_worker_that_is_killed_costs_nothing(example: Any, table: Any, corpus: Path, tmp_path: Path) -> None:
    row = RowFunction(tmp_path, VICTIM, "wait")
    waiting = tmp_path / "waiting"

    def kill() -> None:
        until(waiting.exists, "the file")
        os.kill(int(waiting.read_text()), signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    example.run([str(corpus)], tmp_path / "out", row=row, files=50)
    killer.join()
    assert made(tmp_path / "out", example).equals(table)
    # The files of its task were begun a second time.
    assert 1 < sum(count == 2 for count in Counter(row.calls()).values()) <= 50


def test_a_file_that_always_kills_its_worker_is_given_up(example: Any, table: Any, corpus: Path, tmp_path: Path) -> None:
    import pyarrow.compute as pc

    row = RowFunction(tmp_path, VICTIM, "die")
    example.run([str(corpus)], tmp_path / "out", row=row, budget=2, files=50)
    rows = made(tmp_path / "out", example)
    ends = pc.ends_with(rows["path"], VICTIM)
    bad = rows.filter(ends).to_pylist()
    assert bad
    for one in bad:
        assert "ended 2 times" in one["error"] and one["format"] is None, one["error"]
        assert row.calls().count(one["path"]) == 2
    assert rows.filter(pc.invert(ends)).equals(table.filter(pc.invert(pc.ends_with(table["path"], VICTIM))))


def test_a_job_that_is_killed_goes_on(example: Any, table: Any, corpus: Path, tmp_path: Path) -> None:
    import ray

    out, notes = tmp_path / "out", tmp_path / "notes"
    notes.mkdir()
    environment = {**os.environ, "RAY_ADDRESS": ray.get_runtime_context().gcs_address}
    words = [sys.executable, str(Path(__file__).with_name("ray_rows.py")), str(corpus), str(out), str(notes), VICTIM]
    log = (tmp_path / "log").open("wb")
    job = subprocess.Popen([*words, "wait"], env=environment, stdout=log, stderr=log)
    try:
        until((notes / "waiting").exists, "the file that it waits at")
        until(lambda: len(list(out.glob("*.parquet"))) > 2, "some tables")
    finally:
        job.kill()
        job.wait()
    # What a worker leaves that ends while it writes.
    (out / "torn.parquet").write_bytes(b"PAR1")
    worker = int((notes / "waiting").read_text())
    until(lambda: not Path(f"/proc/{worker}").exists(), "the end of the workers of a job that has ended")
    finished = example.settle(out, pyeffigy.catalog_row("", failed="-")["effigy"])
    assert 20 <= len(finished) < len(table)
    before = len(RowFunction(notes).calls())
    subprocess.run([*words, "wait"], env=environment, stdout=log, stderr=log, check=True)
    assert made(out, example).equals(table)
    again = RowFunction(notes).calls()[before:]
    assert finished.isdisjoint(again) and len(again) == len(table) - len(finished)
    # There is nothing left to do.
    assert example.run([str(corpus)], out) == len(table)


def test_rows_that_are_there_twice_are_removed(example: Any, samples: Path, tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    paths = pyeffigy.find(samples)[:9]
    rows = [pyeffigy.catalog_row(path) for path in paths]
    for name, some in [("a", rows[:4]), ("b", rows[2:7]), ("c", rows[3:4]), ("d", rows[7:])]:
        pq.write_table(pa.Table.from_pylist(some, schema=example.schema()), tmp_path / f"{name}.parquet")
    version = rows[0]["effigy"]
    assert example.settle(tmp_path, version) == set(paths)
    assert made(tmp_path, example).equals(pa.Table.from_pylist(rows, schema=example.schema()).sort_by("path"))
    with pytest.raises(SystemExit, match="another OUT"):
        example.settle(tmp_path, "another")
