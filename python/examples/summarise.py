"""Prints a line about every model in a folder or an archive: `python summarise.py FOLDER`."""

import sys

import pyeffigy


def line(path: str) -> str:
    try:
        model = pyeffigy.open(path)
    except pyeffigy.EffigyError as error:
        return f"{error.code:>12}  {error}"
    summary = model.summary
    counts = f"{summary.vertices:>7} {summary.triangles:>7} {len(summary.sequences):>4}"
    return f"{model.format:>4} {model.version:>7} {counts}  {path}"


def main() -> None:
    print("format  version   verts    tris  seq  path")
    for path in pyeffigy.find(*sys.argv[1:]):
        print(line(path))


if __name__ == "__main__":
    main()
