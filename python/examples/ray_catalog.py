"""Makes a catalogue of models with Ray Data: `python ray_catalog.py FOLDER [OUT]`. It needs `ray[data]`, which brings pyarrow.

On one machine the command does the same faster: `effigy catalog FOLDER -o models.parquet`. This is for a cluster that Ray runs on
already, whose machines all see the folder under the same path and have pyeffigy installed.

OUT becomes a folder of Parquet files with the rows and columns of the command; `SELECT * FROM 'OUT/*.parquet' ORDER BY path` reads it.

- Started again with the same OUT, it makes the rows that are missing there. Whether a finished file has changed is not looked at.
- A worker that is killed costs nothing: Ray starts its files again elsewhere.
- Ray would do that for ever with a file that kills its worker each time. Such a file is given up after some attempts, and its row
  says so in the column `error`.
"""

from __future__ import annotations

import argparse
import functools
import json
import os
import time
import uuid
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import ray

import pyeffigy

Row = dict[str, Any]

SCALARS = {
    "text": pa.string(),
    "int": pa.int64(),
    "float": pa.float32(),
    "double": pa.float64(),
    "bool": pa.bool_(),
    "bytes": pa.binary(),
}


def arrow_field(column: pyeffigy.results.Column) -> pa.Field:
    if column.kind == "texts":
        kind = pa.list_(pa.string())
    elif column.kind == "records":
        kind = pa.list_(pa.struct([arrow_field(field) for field in column.fields]))
    else:
        kind = SCALARS[column.kind]
    return pa.field(column.name, kind, nullable=column.optional)


def schema() -> pa.Schema:
    """The columns of a catalogue. It is fixed, since a batch without cameras would have a list of nothing otherwise."""
    return pa.schema([arrow_field(column) for column in pyeffigy.catalog_columns()])


class Attempts:
    """Which file each worker is on, in a folder that all machines see.

    A worker that is killed cannot tell anybody. So it writes each path down before it begins with it, into a journal of its own,
    which it removes when its batch is done. The last line of a journal that stays is the file that a worker ended with, or one that
    another worker is on right now, which is in another batch.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def deaths(self) -> Counter[str]:
        """How many workers ended with a file, by its path."""
        counts: Counter[str] = Counter()
        for journal in self.folder.glob("*.journal"):
            try:
                lines = journal.read_bytes().splitlines()
                counts.update([json.loads(lines[-1])] if lines else [])
            except (FileNotFoundError, ValueError):
                # Its worker is done by now, or ended before the line was complete.
                continue
        return counts

    def each(self, paths: list[str], work: Callable[[str], Row]) -> list[Row]:
        """The rows of some paths, with a note before each."""
        journal = self.folder / f"{uuid.uuid4().hex}.journal"
        rows = []
        try:
            with journal.open("w", encoding="utf-8", buffering=1) as notes:
                for path in paths:
                    notes.write(json.dumps(path) + "\n")
                    rows.append(work(path))
        finally:
            # Also after an exception: only the end of the process leaves the journal.
            journal.unlink()
        return rows


def make_rows(batch: pa.Table, row: Callable[..., Row], attempts: Attempts, budget: int) -> pa.Table:
    """The rows of a batch of paths. This runs on the workers."""
    deaths = attempts.deaths()

    def work(path: str) -> Row:
        if deaths[path] < budget:
            return row(path)
        times = f"{deaths[path]} times" if deaths[path] > 1 else "once"
        text = f"the process that worked on it ended {times}, and it was given up; `effigy info` on one machine may show why"
        return row(path, failed=text)

    return pa.Table.from_pylist(attempts.each(batch["path"].to_pylist(), work), schema=schema())


def settle(out: Path, version: str) -> set[str]:
    """The paths that have a row. Files that a killed job did not finish are removed, and rows that are there already."""
    known: set[str] = set()
    for part in sorted(out.glob("*.parquet")):
        try:
            table = pq.read_table(part, columns=["path", "effigy"])
        except pa.ArrowInvalid:
            part.unlink()
            continue
        if others := set(table["effigy"].to_pylist()) - {version}:
            raise SystemExit(f"{part} was made by effigy {', '.join(others)} and not by {version}; give another OUT, or remove it")
        paths = table["path"].to_pylist()
        # A worker that outlives its job may finish files of which the next one does not know.
        twice = known.intersection(paths)
        if len(twice) == len(paths):
            part.unlink()
        elif twice:
            rest = pq.read_table(part).filter(pa.array([path not in twice for path in paths]))
            pq.write_table(rest, part.with_suffix(".new"))
            os.replace(part.with_suffix(".new"), part)
        known.update(paths)
    return known


def run(
    words: list[str],
    out: Path,
    *,
    row: Callable[..., Row] = pyeffigy.catalog_row,
    budget: int = 3,
    files: int = 200,
) -> int:
    """Makes the rows that are missing in OUT, with as many attempts for each file as the budget says. The number of all rows."""
    start = time.monotonic()
    # Workers have another current folder.
    out = out.absolute()
    folder = out / "attempts"
    folder.mkdir(parents=True, exist_ok=True)
    paths = sorted(set(pyeffigy.find(*(os.path.abspath(word) for word in words))))
    version = row("", failed="this row is not kept")["effigy"]
    known = settle(out, version)
    missing = [path for path in paths if path not in known]
    print(f"{len(paths)} models, {len(paths) - len(missing)} of them are in {out} already")
    if missing:
        parts = -(-len(missing) // files)
        # One block is one task, which makes one file: what is lost with a killed worker are these rows.
        tasks = ray.data.from_items([{"path": path} for path in missing], override_num_blocks=parts)
        work = functools.partial(make_rows, row=row, attempts=Attempts(folder), budget=budget)
        rows = tasks.map_batches(work, batch_size=None, batch_format="pyarrow")
        rows.write_parquet(str(out))
        known = settle(out, version)
        if lost := [path for path in missing if path not in known]:
            raise SystemExit(f"{len(lost)} rows are missing in {out}, such as that of {lost[0]}; start it again")
    for journal in folder.glob("*.journal"):
        journal.unlink()
    folder.rmdir()
    errors = sum(len(table) - table["error"].null_count for table in map(read_errors, sorted(out.glob("*.parquet"))))
    print(f"{out}   {len(known)} rows, {errors} with an error, in {time.monotonic() - start:.1f} s")
    return len(known)


def read_errors(part: Path) -> pa.Table:
    return pq.read_table(part, columns=["error"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", help="a folder, an archive or a file")
    parser.add_argument("out", nargs="?", type=Path, default=Path("catalog"), help="the folder of the Parquet files [catalog]")
    parser.add_argument("--assets", action="append", default=[], help="a game folder or archive to look for textures in")
    parser.add_argument("--attempts", type=int, default=3, help="how often a file may end its worker [3]")
    parser.add_argument("--files", type=int, default=200, help="how many models a task has [200]")
    parser.add_argument("--workers", type=int, help="start Ray on this machine with so many workers; without it, Ray decides")
    words = parser.parse_args()
    row: Callable[..., Row] = pyeffigy.catalog_row
    if words.assets:
        row = functools.partial(row, assets=pyeffigy.Assets(*map(os.path.abspath, words.assets)))
    with ray.init(**({"num_cpus": words.workers} if words.workers else {})):
        run([words.folder], words.out, row=row, budget=words.attempts, files=words.files)


if __name__ == "__main__":
    main()
