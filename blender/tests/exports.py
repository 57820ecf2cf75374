"""Imports models into Blender, exports them again, and compares posed vertices with those of the file.

    python exports.py MODEL...
    python exports.py --corpus FOLDER

One line of JSON a model: how far vertices are off as a share of the model's size, once with everything that is unchanged kept as
it was (``kept``), and once with everything read from Blender (``read``), and the findings of the checks that the file itself
does not have. The second does so for models of the reference corpus, and fails where a vertex is farther off than allowed, where
an untouched model is not the file that was imported, or where an export is worse than the file.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pyeffigy

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

sys.path.insert(0, str(Path(__file__).resolve().parent))

import corpus  # noqa: E402

from blender import effigy_build, effigy_export  # noqa: E402

SEQUENCES = 5
MOMENTS = (0.0, 0.21, 0.5, 0.77, 1.0)
TARGETS = {"mdx": "mdx", "mdl": "mdl", "m2": "mdx:800", "mdc": "mdc", "md3": "md3", "glb": "mdx:1100"}


def target_of(model: pyeffigy.Model) -> str:
    """The format and version that a model is exported to: its own, where there is a way."""
    target = TARGETS[model.format]
    return f"{target}:{model.version}" if target in ("mdx", "mdl") and model.version >= 800 else target


def posed(model: pyeffigy.Model, sequence: int | None, share: float) -> list[np.ndarray | None]:
    """The vertices of all meshes that are seen; without a sequence, as they are at rest."""
    moment = 0.0
    if sequence is not None:
        moment = effigy_build.motion.length_of(model.scene.sequences[sequence]) * share
    return [one.positions if one.visible else None for one in model.pose(sequence, moment, clock=moment).meshes]


def off(old: pyeffigy.Model, new: pyeffigy.Model, sources: list[tuple[int, np.ndarray]]) -> float:
    """The largest distance of a vertex from its place, as a share of the size. ``sources`` has the mesh of the old model that each
    new one comes from, and the old vertex of each of its vertices."""
    size = effigy_build.bones.size_of(old.scene)
    assert len(new.scene.meshes) == len(sources), f"{len(new.scene.meshes)} meshes instead of {len(sources)}"
    numbers: list[int | None] = list(range(len(old.scene.sequences))) or [None]
    worst, compared = 0.0, 0
    for number in numbers[:: max(1, len(numbers) // SEQUENCES)][:SEQUENCES]:
        for share in MOMENTS:
            before = posed(old, number, share)
            for (mesh, vertices), theirs in zip(sources, posed(new, number, share)):
                mine = before[mesh]
                if mine is None or theirs is None or not len(mine):
                    continue
                compared += 1
                distance = np.linalg.norm(theirs - mine[vertices], axis=1).max(initial=0.0)
                worst = max(worst, float(distance) / size)
    assert compared or not any(len(vertices) for _, vertices in sources), "nothing was compared"
    return worst


def findings(model: pyeffigy.Model) -> set[str]:
    """The codes of errors and severe findings."""
    return {one.code for one in model.check() if one.severity in ("error", "severe")}


def compare(path: str, into: Path | None = None) -> dict[str, object]:
    """Exports a model both ways."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    model = pyeffigy.open(path)
    options = effigy_build.Options(scale=0.02)
    built = effigy_build.build(model, Path(path).stem, options, bpy.context.collection)
    effigy_export.marks.leave(built.armature, model, built, options.scale, options.face_front)
    target = target_of(model)
    line: dict[str, object] = {"path": Path(path).name, "target": target}
    reference = model
    for way, kept in (("kept", True), ("read", False)):
        begin = time.perf_counter()
        found = effigy_export.collect(built.armature, use_source=kept)
        made = pyeffigy.make(found.scene, target, name=Path(path).stem, textures=found.images)
        line[f"{way} s"] = round(time.perf_counter() - begin, 2)
        file = f"{Path(path).stem}-{way}.{target.split(':')[0]}"
        if into is not None:
            (into / file).write_bytes(made.data)
        new = pyeffigy.open(made.data, name=file)
        if kept:
            line["file"] = found.original is not None and found.original.to_bytes() == model.to_bytes()
        if kept and model.format == "m2":
            # Another game: what is unchanged becomes what the file becomes without Blender, and that is what the other way
            # is compared with.
            line["kept"] = 0.0 if made.data == model.convert(target, name=Path(path).stem).data else 1.0
            reference = new
        else:
            sources = [(int(one.object["effigy_mesh"]), one.vertices) for one in found.origins]
            line[way] = off(reference, new, sources)
        line[f"{way} parts"] = [found.kept, found.read]
        line[f"{way} worse"] = sorted(findings(new) - findings(reference))
    return line


def judge(line: dict[str, Any]) -> str | None:
    """What is wrong with a result."""
    if "error" in line:
        return str(line["error"])
    worse = line["kept worse"] or line["read worse"]
    off = max(line["kept"], line["read"]) > corpus.LIMIT
    return str(line) if off or worse or not line["file"] else None


def main() -> None:
    """Compares all models that are named, or those of the corpus."""
    into = None
    paths = sys.argv[1:]
    if paths[:1] == ["--corpus"]:
        sys.exit(0 if corpus.compare_all(__file__, Path(paths[1]), judge, corpus.KNOWN_EXPORTS) else 1)
    if paths[:1] == ["--into"]:
        into, paths = Path(paths[1]), paths[2:]
        into.mkdir(parents=True, exist_ok=True)
    for path in paths:
        try:
            line = compare(path, into)
        except Exception as error:  # noqa: BLE001 - each model is reported
            line = {"path": Path(path).name, "error": f"{type(error).__name__}: {error}"}
        print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
