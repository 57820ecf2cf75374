"""Opens a glTF file with Blender's own importer, exports it to Warcraft III, and compares the result with what the library makes of
the same file without Blender.

    python knight.py MODEL.glb
"""

from __future__ import annotations

import sys
from pathlib import Path

import bpy  # isort: skip - the modules of Blender are found once it runs
import addon_utils
import numpy as np
import pyeffigy

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from blender import effigy_export  # noqa: E402

TARGET = "mdx:1100"
# How far the extent of a posed model may be off, as a share of its size.
LIMIT = 1e-3


def extent(model: pyeffigy.Model, sequence: int, seconds: float) -> np.ndarray:
    """The corners of the box around everything that is seen."""
    pose = model.pose(sequence, seconds)
    places = np.concatenate([one.positions for one in pose.meshes if one.visible])
    return np.stack([places.min(axis=0), places.max(axis=0)])


def main() -> None:
    """Fails where the two differ."""
    path = Path(sys.argv[1])
    bpy.ops.wm.read_factory_settings(use_empty=True)
    addon_utils.enable("io_scene_gltf2")
    bpy.ops.import_scene.gltf(filepath=str(path))
    (armature,) = [one for one in bpy.data.objects if one.type == "ARMATURE"]
    found = effigy_export.collect(armature)
    file = pyeffigy.open(path)
    # Each sequence keeps its own name, so that the same ones are compared. Blender 4.2 adds the name of the armature.
    names = "[sequences]\n"
    for one in file.sequences:
        names += "".join(f'"{one.name}{end}" = "Spell {one.name}"\n' for end in ("", f"_{armature.name}"))
    made = pyeffigy.make(found.scene, TARGET, name=path.stem, names=names, textures=found.images)
    ours, direct = pyeffigy.open(made.data), pyeffigy.open(pyeffigy.make(file.scene, TARGET, names=names).data)
    assert made.companions, "no texture was written"
    errors = [str(one) for one in ours.check() if one.severity in ("error", "severe")]
    assert not errors, errors
    there = {one.name: at for at, one in enumerate(ours.sequences)}
    size = float(np.ptp(extent(direct, 0, 0.0), axis=0).max())
    worst, compared = 0.0, 0
    for number, sequence in enumerate(direct.sequences):
        assert sequence.name in there, f"{sequence.name} is missing"
        for share in (0.0, 0.4, 0.8):
            moment = share * min(sequence.seconds, ours.sequences[there[sequence.name]].seconds)
            difference = extent(direct, number, moment) - extent(ours, there[sequence.name], moment)
            worst = max(worst, float(np.abs(difference).max()) / size)
            compared += 1
    assert worst < LIMIT, f"an extent is off by {worst}"
    print(f"{bpy.app.version_string}: {path.name}: {compared} poses, {worst:.1e} of the size from the direct way")


if __name__ == "__main__":
    main()
