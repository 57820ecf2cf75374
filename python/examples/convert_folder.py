"""Converts every model of a folder to glTF with all cores: `python convert_folder.py FOLDER [OUT]`.

Threads are enough: the library works without the interpreter's lock.
"""

import concurrent.futures
import os
import sys
from collections import Counter
from pathlib import Path

import pyeffigy


def convert(path: str, out: Path) -> tuple[str, int]:
    target = out / (Path(path.replace(":", "/")).stem + ".glb")
    try:
        converted = pyeffigy.open(path).convert("glb", name=target.stem)
    except pyeffigy.EffigyError as error:
        return (error.code, 0)
    converted.save(target)
    return ("converted", len(converted.report))


def main() -> None:
    folder, out = sys.argv[1], Path(sys.argv[2] if len(sys.argv) > 2 else "converted")
    out.mkdir(exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda path: convert(path, out), pyeffigy.find(folder)))
    for outcome, count in Counter(outcome for outcome, _ in results).most_common():
        print(f"{count:>6} {outcome}")
    print(f"{sum(notes for _, notes in results):>6} notes about what did not arrive as it was")


if __name__ == "__main__":
    main()
