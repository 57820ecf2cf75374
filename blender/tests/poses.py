"""Imports models into Blender and compares posed vertices with the library's own sampler, global sequences included.

    python poses.py MODEL...
    python poses.py --corpus FOLDER

The first prints one line of JSON a model: the largest distance of a vertex from its place, as a share of the model's size. The
second does so for models of the reference corpus, and fails where a vertex is farther off than allowed.
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

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import corpus  # noqa: E402
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


def judge(line: dict[str, Any]) -> str | None:
    """What is wrong with a result."""
    return line.get("error") or (str(line) if line["off"] > corpus.LIMIT else None)


def main() -> None:
    """Compares all models that are named, or those of a corpus."""
    if sys.argv[1:2] == ["--corpus"]:
        sys.exit(0 if corpus.compare_all(__file__, Path(sys.argv[2]), judge) else 1)
    for path in sys.argv[1:]:
        try:
            line = compare(path)
        except Exception as error:  # noqa: BLE001 - each model is reported
            line = {"path": path, "error": f"{type(error).__name__}: {error}"}
        print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
