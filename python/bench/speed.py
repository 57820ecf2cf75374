"""Measures pyeffigy next to Rust and to what other Python users have, in one run.

    python speed.py [--corpus FOLDER] [--rust PROGRAM] [--runs N]

PROGRAM is the compiled example `open_all` of the crate `effigy-python`, with the same optimisation as the wheel. Pillow and assimp-py are
compared where they are installed. Each number is the fastest of several runs, which are taken in turns, so that other work on the
machine disturbs all of them alike.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import importlib
import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyeffigy

MODELS = (".mdx", ".mdl", ".m2", ".mdc", ".md3", ".mds")


def files(folder: Path, *extensions: str) -> list[str]:
    found = (str(path) for path in folder.rglob("*") if path.suffix.lower() in extensions and path.is_file())
    return sorted(found)


def fastest(runs: int, *works: Callable[[], object]) -> list[float]:
    """The shortest time of each, taken in turns."""
    best = [float("inf")] * len(works)
    for _ in range(runs):
        for number, work in enumerate(works):
            start = time.perf_counter()
            work()
            best[number] = min(best[number], time.perf_counter() - start)
    return best


def optional(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        print(f"{name} is not installed: it is left out")
        return None


def succeed(work: Callable[[str], object], paths: list[str]) -> list[str]:
    """The paths for which it works."""
    good = []
    for path in paths:
        try:
            work(path)
        except Exception:  # each program has errors of its own
            continue
        good.append(path)
    return good


def open_all(paths: list[str]) -> int:
    """Opens and summarises every model, like the program in Rust."""
    count = 0
    for path in paths:
        try:
            _ = pyeffigy.open(path).summary
        except pyeffigy.EffigyError:
            continue
        count += 1
    return count


def against_rust(program: str, paths: list[str], runs: int) -> None:
    opened, python, rust = 0, float("inf"), float("inf")
    for _ in range(runs):
        start = time.perf_counter()
        opened = open_all(paths)
        python = min(python, time.perf_counter() - start)
        output = subprocess.run([program, "1"], input="\n".join(paths), capture_output=True, text=True, check=True)
        seconds, count = output.stdout.split()
        assert int(count) == opened, (count, opened)
        rust = min(rust, float(seconds))
    print(f"open and summarise   {opened:>5} models   Python {python:.4f} s   Rust {rust:.4f} s   {rust / python:.2f} of Rust's speed")


def threads(paths: list[str], runs: int) -> None:
    models = [pyeffigy.open(path) for path in succeed(lambda path: pyeffigy.open(path).convert("glb"), paths)]

    def work(count: int) -> None:
        with concurrent.futures.ThreadPoolExecutor(count) as pool:
            list(pool.map(lambda model: model.convert("glb"), models))

    one, two = fastest(runs, lambda: work(1), lambda: work(2))
    print(f"convert to glb       {len(models):>5} models   1 thread {one:.3f} s   2 threads {two:.3f} s   {one / two:.2f} times")


def against_pillow(pillow: Any, numpy: Any, paths: list[str], runs: int) -> None:
    def theirs(path: str) -> object:
        with pillow.open(path) as image:
            return numpy.asarray(image.convert("RGBA"))

    def ours(path: str) -> object:
        return pyeffigy.read_texture(path).pixels

    both = succeed(ours, succeed(theirs, paths))
    they, we = fastest(runs, lambda: [theirs(path) for path in both], lambda: [ours(path) for path in both])
    print(f"BLP to pixels        {len(both):>5} of {len(paths)}   Pillow {they:.3f} s   pyeffigy {we:.3f} s   {they / we:.1f} times")


def against_assimp(assimp: Any, paths: list[str], runs: int) -> None:
    def theirs(path: str) -> object:
        return assimp.import_file(path, assimp.Process_Triangulate)

    def ours(path: str) -> object:
        return [mesh.positions for mesh in pyeffigy.open(path).meshes]

    read_by_them, read_by_us = succeed(theirs, paths), succeed(ours, paths)
    both = [path for path in read_by_them if path in read_by_us]
    they, we, bare = fastest(
        runs,
        lambda: [theirs(path) for path in both],
        lambda: [ours(path) for path in both],
        lambda: [pyeffigy.open(path) for path in both],
    )
    # Assimp reads the first frame, without the shader scripts and textures that decide how a surface looks.
    their_vertices = sum(mesh.num_vertices for path in both for mesh in assimp.import_file(path, assimp.Process_Triangulate).meshes)
    our_vertices = sum(
        len(mesh.positions) * (len(mesh.morph.frames) if mesh.morph else 1)
        for path in both
        for mesh in pyeffigy.open(path).meshes
    )
    print(
        f"MD3 to arrays        {len(both):>5} of {len(paths)}   assimp-py reads {len(read_by_them)}, {their_vertices} vertices of first "
        f"frames in {they:.4f} s   pyeffigy reads {len(read_by_us)}, {our_vertices} vertices of all frames in {we:.4f} s   "
        f"{they / we:.1f} times; opened alone in {bare:.4f} s, {they / bare:.1f} times"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    usual = os.environ.get("EFFIGY_CORPUS", str(Path(__file__).resolve().parents[3] / "shared" / "corpus"))
    parser.add_argument("--corpus", type=Path, default=Path(usual))
    parser.add_argument("--rust", help="the compiled example open_all")
    parser.add_argument("--runs", type=int, default=9)
    words = parser.parse_args()
    paths = files(words.corpus, *MODELS)
    if not paths:
        raise SystemExit(f"{words.corpus} has no models; --corpus names a folder that does")
    if words.rust:
        against_rust(words.rust, paths, words.runs)
    threads(paths, words.runs)
    if pillow := optional("PIL.Image"):
        against_pillow(pillow, importlib.import_module("numpy"), files(words.corpus, ".blp"), words.runs)
    if assimp := optional("assimp_py"):
        against_assimp(assimp, files(words.corpus, ".md3"), words.runs)


if __name__ == "__main__":
    main()
