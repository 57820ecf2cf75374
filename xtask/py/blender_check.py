"""Compares Blender's idea of exported models with ours.

    python blender_check.py FOLDER [--limit N] [--json OUT]

FOLDER holds pairs NAME.glb and NAME.json as written by

    cargo run --release -p effigy-convert --example export_corpus -- FOLDER MODELS... --expect

Needs the package bpy (PyPI; Python 3.11). Every model is imported, each listed sequence is played at the listed times,
and evaluated vertex positions are compared with those in the JSON. Blender turns glTF's Y up back to Z up, so its
world is the game's own space. Differences are given as a share of the model's size.
"""

import json
import struct
import sys
import tempfile
from pathlib import Path

import bpy
import numpy as np


def import_model(path):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    # Vertices stay one to one with the file: nothing is merged.
    bpy.ops.import_scene.gltf(filepath=str(path), merge_vertices=False, import_pack_images=False)


def assign(name):
    """Plays the animation of that name on everything it moves; what it does not move rests.

    The importer stacks animations as tracks that begin at frame 1; played as actions they begin at frame 0.
    """
    for owner in animated():
        data = owner.animation_data
        if not data:
            continue
        data.action = None
        for track in data.nla_tracks:
            track.mute = True
            if track.name == name:
                strip = track.strips[0]
                data.action = strip.action
                data.action_slot = strip.action_slot


def animated():
    for thing in bpy.data.objects:
        yield thing
        if thing.type == "MESH" and thing.data.shape_keys:
            yield thing.data.shape_keys


def remember(path):
    """How objects stand when nothing plays: the same file, imported without its animations."""
    data = path.read_bytes()
    (length,) = struct.unpack_from("<I", data, 12)
    document = json.loads(data[20 : 20 + length])
    document.pop("animations", None)
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    rest = data[20 + length :]
    head = struct.pack("<4sIIII", b"glTF", 2, 20 + len(text) + len(rest), len(text), 0x4E4F534A)
    with tempfile.NamedTemporaryFile(suffix=".glb") as still:
        still.write(head + text + rest)
        still.flush()
        import_model(Path(still.name))
    stands = {thing.name: thing.matrix_basis.copy() for thing in bpy.data.objects}
    for thing in bpy.data.objects:
        if thing.type == "ARMATURE":
            # Nodes may rest elsewhere than vertices were bound.
            stands.update({(thing.name, bone.name): bone.matrix_basis.copy() for bone in thing.pose.bones})
    return stands


def rest(stands):
    """Puts everything back: an animation moves only what it names."""
    for thing in bpy.data.objects:
        if thing.name in stands:
            thing.matrix_basis = stands[thing.name]
        if thing.type == "ARMATURE":
            for bone in thing.pose.bones:
                bone.matrix_basis = stands[thing.name, bone.name]
        if thing.type == "MESH" and thing.data.shape_keys:
            for key in thing.data.shape_keys.key_blocks:
                key.value = 0.0


def positions(thing, graph):
    evaluated = thing.evaluated_get(graph)
    mesh = evaluated.to_mesh()
    points = np.empty(len(mesh.vertices) * 3, dtype=np.float32)
    mesh.vertices.foreach_get("co", points)
    evaluated.to_mesh_clear()
    world = np.array(evaluated.matrix_world, dtype=np.float64)
    points = points.reshape(-1, 3).astype(np.float64)
    return points @ world[:3, :3].T + world[:3, 3]


def check(glb):
    expected = json.loads(glb.with_suffix(".json").read_text())
    stands = remember(glb)
    import_model(glb)
    fps = bpy.context.scene.render.fps / bpy.context.scene.render.fps_base
    meshes = {thing.name: thing for thing in bpy.data.objects if thing.type == "MESH"}
    size = expected["size"] or 1.0
    worst, where, compared = 0.0, "", 0
    for sequence in expected["sequences"]:
        assign(None)
        rest(stands)
        assign(sequence["animation"])
        for entry in sequence["times"]:
            frame = entry["time"] / 1000.0 * fps
            bpy.context.scene.frame_set(int(frame), subframe=frame - int(frame))
            graph = bpy.context.evaluated_depsgraph_get()
            for mesh in entry["meshes"]:
                thing = meshes.get(mesh["node"])
                wanted = np.array(mesh["positions"], dtype=np.float64).reshape(-1, 3)
                if thing is None or len(wanted) == 0:
                    continue
                have = positions(thing, graph)
                if have.shape != wanted.shape:
                    return {"worst": float("inf"), "where": f"{mesh['node']}: {have.shape} vertices, not {wanted.shape}"}
                error = float(np.abs(have - wanted).max()) / size
                compared += 1
                if error > worst:
                    worst, where = error, f"{sequence['name']} at {entry['time']} ms, {mesh['node']}"
    return {"worst": worst, "where": where, "compared": compared}


def main():
    arguments = sys.argv[1:]
    limit = int(arguments[arguments.index("--limit") + 1]) if "--limit" in arguments else None
    out = arguments[arguments.index("--json") + 1] if "--json" in arguments else None
    folder = Path(arguments[0])
    files = sorted(path for path in folder.glob("*.glb") if path.with_suffix(".json").exists())
    if limit and len(files) > limit:
        files = [files[i * len(files) // limit] for i in range(limit)]
    results, bad = {}, 0
    for path in files:
        try:
            result = check(path)
        except Exception as error:  # a model that Blender cannot import counts as a difference
            result = {"worst": float("inf"), "where": f"{type(error).__name__}: {error}"}
        results[path.stem] = result
        if result["worst"] > 1e-3:
            bad += 1
            print(f"{path.stem}: {result['worst']:.2e} {result['where']}", flush=True)
    print(f"{len(files)} models, {bad} differ by more than 1e-3 of their size", flush=True)
    if out:
        Path(out).write_text(json.dumps(results, indent=1, sort_keys=True) + "\n")
    sys.exit(1 if bad else 0)


main()
