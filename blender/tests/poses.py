"""Imports models into Blender and compares posed vertices with the library's own sampler, global sequences included.

    python poses.py MODEL...
    python poses.py --corpus FOLDER

The first prints one line of JSON a model: the largest distance of a vertex from its place, as a share of the model's size. The
second does so for models of the reference corpus, and fails where a vertex is farther off than allowed.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import bpy
import numpy as np
import pyeffigy

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import effigy_build  # noqa: E402

SEQUENCES = 4
MOMENTS = (0.0, 0.21, 0.5, 0.77, 1.0)


def clear() -> None:
    """An empty file."""
    bpy.ops.wm.read_factory_settings(use_empty=True)


def compare(path: str, scale: float = 1.0) -> dict[str, object]:
    """The largest differences of a model."""
    clear()
    model = pyeffigy.open(path)
    space = effigy_build.Space(scale)
    begin = time.perf_counter()
    name = Path(path).stem
    built = effigy_build.build(model, name, effigy_build.Options(scale=scale), bpy.context.collection)
    seconds = time.perf_counter() - begin
    scene = model.scene
    size = effigy_build.bones.size_of(scene) * scale
    rate = bpy.context.scene.render.fps / bpy.context.scene.render.fps_base
    worst: tuple[float, str] = (0.0, "")
    numbers = range(len(scene.sequences))
    for number in list(numbers)[:: max(1, len(numbers) // SEQUENCES)][:SEQUENCES]:
        effigy_build.play(built.armature, built.actions[number])
        length = effigy_build.motion.length_of(scene.sequences[number])
        for share in MOMENTS:
            moment = share * length
            frame = moment * rate
            bpy.context.scene.frame_set(int(frame), subframe=min(frame - int(frame), 0.999999))
            graph = bpy.context.evaluated_depsgraph_get()
            pose = model.pose(number, moment, clock=moment)
            for mesh, made in zip(pose.meshes, built.objects):
                if not mesh.visible or not len(mesh.positions):
                    continue
                shown = made.evaluated_get(graph)
                data = shown.to_mesh()
                got = np.empty(len(data.vertices) * 3, dtype=np.float32)
                data.vertices.foreach_get("co", got)
                got = got.reshape(-1, 3).astype(np.float64)
                shown.to_mesh_clear()
                wanted = space.point(mesh.positions)
                if got.shape != wanted.shape:
                    worst = (float("inf"), f"{made.name}: {len(got)} of {len(wanted)} vertices")
                    continue
                off = float(np.linalg.norm(got - wanted, axis=1).max()) / size
                if off > worst[0]:
                    worst = (off, f"{scene.sequences[number].name} at {moment:.3f} s, {made.name}")
                if made.hide_render and mesh.visible and scene.meshes[made["effigy_mesh"]].shown:
                    return {"path": path, "error": f"{made.name} is hidden in {scene.sequences[number].name}"}
    return {"path": path, "off": worst[0], "where": worst[1], "seconds": round(seconds, 3), "nodes": len(scene.nodes)}


# Models that cannot be the same, with the reason.
KNOWN = {"tests__fixtures__mdl__skin_v900.mdl": "its weights do not add up to 1, which Blender makes them do"}
# How many sound models of each format and version are compared at most.
MANY = {"mdx": 8, "mdl": 4, "m2": 8, "mdc": 6, "md3": 4}
# The largest share of the size that a vertex may be off.
LIMIT = 1e-3


def chosen(corpus: Path) -> list[Path]:
    """Models of the reference corpus, spread over the formats and versions."""
    lines = (corpus / "index.tsv").read_text(encoding="utf-8").splitlines()
    names = lines[0].split("\t")
    kinds: dict[tuple[str, str], list[str]] = {}
    for line in lines[1:]:
        row = dict(zip(names, line.split("\t")))
        if row["format"] in MANY and not row["problem"] and row["version"] != "record":
            kinds.setdefault((row["format"], row["version"]), []).append(row["local"])
    found = []
    for (kind, _), paths in sorted(kinds.items()):
        step = max(1, len(paths) // MANY[kind])
        found += [corpus / path for path in paths[::step][: MANY[kind]]]
    return found


def compare_all(corpus: Path) -> bool:
    """Compares models of the corpus, each in a process of its own: what crashes Blender is one line of the result."""
    compared = failed = 0
    for path in chosen(corpus):
        run = subprocess.run([sys.executable, __file__, str(path)], capture_output=True, text=True, timeout=300)
        lines = [line for line in run.stdout.splitlines() if line.startswith("{")]
        line = json.loads(lines[-1]) if lines else {"error": f"Blender ended with {run.returncode}"}
        if "nothing to draw without" in line.get("error", ""):
            continue
        compared += 1
        if line.get("off", LIMIT * 2.0) > LIMIT and path.name not in KNOWN:
            failed += 1
            print(f"{path.name}: {line.get('error') or line}")
    print(f"{bpy.app.version_string}: {compared} models compared, {failed} failed")
    return failed == 0 and compared >= 60


def main() -> None:
    """Compares all models that are named, or those of a corpus."""
    if sys.argv[1:2] == ["--corpus"]:
        sys.exit(0 if compare_all(Path(sys.argv[2])) else 1)
    for path in sys.argv[1:]:
        try:
            line = compare(path)
        except Exception as error:  # noqa: BLE001 - each model is reported
            line = {"path": path, "error": f"{type(error).__name__}: {error}"}
        print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
