"""How far the vertices of each model move in each of its sequences: `python motion.py FOLDER`. It works on arrays alone."""

import sys

import numpy as np

import pyeffigy


def reach(model: pyeffigy.Model, number: int, steps: int = 8) -> float:
    """The longest way of a vertex from where it is at the start of the sequence."""
    length = model.sequences[number].seconds
    first = model.pose(number, 0.0)
    farthest = 0.0
    for step in range(1, steps):
        pose = model.pose(number, length * step / steps)
        for start, now in zip(first.meshes, pose.meshes, strict=True):
            if len(now.positions):
                farthest = max(farthest, float(np.linalg.norm(now.positions - start.positions, axis=1).max()))
    return farthest


def main() -> None:
    for path in pyeffigy.find(*sys.argv[1:])[:10]:
        try:
            model = pyeffigy.open(path)
            for number, sequence in enumerate(model.sequences):
                print(f"{reach(model, number):>10.2f}  {sequence.name:<20}  {path}")
        except pyeffigy.EffigyError as error:
            print(f"{error.code:>10}  {error}")


if __name__ == "__main__":
    main()
