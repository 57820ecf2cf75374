"""Compares exported models in Blender with our own poses.

    python blender_check.py FOLDER [--ratchet FILE] [--update] [--limit N] [--results FILE] [NAME...]

FOLDER holds NAME.glb, NAME.json and NAME.pos as written by

    cargo run --release -p effigy-peers --example export_models -- FOLDER MODELS... --expect

Needs the package bpy (PyPI; Python 3.11). Every model is imported, each listed sequence is played at the listed times,
and evaluated vertex positions are compared with those in the JSON. Blender turns glTF's Y up back to Z up, so its
world is the game's own space. Differences are given as a share of the model's size, next to those of the file itself,
evaluated as the standard says (gltf_pose.py), which shows whether a difference comes from the file or from Blender.

A ratchet holds a line for each model, `BLENDER FILE NAME NOTES`. With it those models are compared, and one that got
worse, or differs by more than 1e-3, is an error; --update writes the numbers of this run. The notes say what is special:
`globals` (global sequences move something), `billboards` (nothing turns to the camera in the comparison), `refuses` (nodes that
do not inherit everything from their parents are sampled). With --results every .glb below FOLDER is opened, and a line of
JSON per model is written instead.
"""

import argparse
import json
import struct
import sys
import tempfile
from pathlib import Path

import bpy
import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
from gltf_pose import Document  # noqa: E402 (the folder is not a package)

MOST = 1e-3
# The area of a hidden mesh, as a share of the square of the model's size, from which on it is seen.
LEAST_AREA = 1e-5


def import_model(path):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    # Vertices stay one to one with the file: nothing is merged.
    bpy.ops.import_scene.gltf(filepath=str(path), merge_vertices=False, import_pack_images=False)


def assign(name):
    """Plays the animation of that name on everything it moves; everything else stays at rest.

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
    """The transformations of objects at rest: the same file, imported without its animations."""
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
    at_rest = {thing.name: thing.matrix_basis.copy() for thing in bpy.data.objects}
    for thing in bpy.data.objects:
        if thing.type == "ARMATURE":
            # The rest pose of nodes may differ from the pose that vertices were bound in.
            at_rest.update({(thing.name, bone.name): bone.matrix_basis.copy() for bone in thing.pose.bones})
    return at_rest


def rest(at_rest):
    """Resets everything to its rest pose: an animation moves only what it names."""
    for thing in bpy.data.objects:
        if thing.name in at_rest:
            thing.matrix_basis = at_rest[thing.name]
        if thing.type == "ARMATURE":
            for bone in thing.pose.bones:
                bone.matrix_basis = at_rest[thing.name, bone.name]
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
    x, y, z = (points @ world[:3, :3].T + world[:3, 3]).T
    # The root turns the games' front (+X) to glTF's (+Z), which is -Y in Blender.
    return np.stack([-y, x, z], axis=1)


def area(thing, graph):
    """The area of all triangles of a mesh."""
    points = positions(thing, graph)
    mesh = thing.data
    mesh.calc_loop_triangles()
    corners = np.empty(len(mesh.loop_triangles) * 3, dtype=np.int32)
    mesh.loop_triangles.foreach_get("vertices", corners)
    a, b, c = points[corners.reshape(-1, 3)].transpose(1, 0, 2)
    return float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum()) / 2.0


def check(glb, standard=True):
    expected = json.loads(glb.with_suffix(".json").read_text())
    points = np.fromfile(glb.with_suffix(".pos"), dtype="<f4").reshape(-1, 3).astype(np.float64)
    at_rest = remember(glb)
    import_model(glb)
    fps = bpy.context.scene.render.fps / bpy.context.scene.render.fps_base
    meshes = {thing.name: thing for thing in bpy.data.objects if thing.type == "MESH"}
    size = expected["size"] or 1.0
    document = Document(glb) if standard else None
    worst, where, own, seen = 0.0, "", 0.0, set()
    for sequence in expected["sequences"]:
        assign(None)
        rest(at_rest)
        assign(sequence["animation"])
        for entry in sequence["times"]:
            frame = entry["time"] / 1000.0 * fps
            bpy.context.scene.frame_set(int(frame), subframe=frame - int(frame))
            graph = bpy.context.evaluated_depsgraph_get()
            pose = document.pose(sequence["animation"], entry["time"] / 1000.0) if document else None
            place = f"{sequence['name']} at {entry['time']} ms"
            for mesh in entry["meshes"]:
                thing = meshes.get(mesh["node"])
                wanted = points[mesh["first"] : mesh["first"] + mesh["count"]]
                if thing is None or len(wanted) == 0:
                    continue
                have = positions(thing, graph)
                if have.shape != wanted.shape:
                    raise ValueError(f"{mesh['node']}: {have.shape} vertices, not {wanted.shape}")
                if document:
                    own = max(own, float(np.abs(document.vertices(mesh["node"], pose) - wanted).max()) / size)
                error = float(np.abs(have - wanted).max()) / size
                if error > worst:
                    worst, where = error, f"{place}, {mesh['node']}"
            for name in entry["hidden"]:
                if name in meshes and area(meshes[name], graph) > LEAST_AREA * size**2:
                    seen.add(f"{name} in {place}")
    return worst, own, expected["notes"], where, sorted(seen)


def read_ratchet(path):
    lines = [line.split() for line in path.read_text().splitlines() if line and not line.startswith("#")]
    return {words[2]: (float(words[0]), float(words[1])) for words in lines}


def choose(folder, names, limit):
    files = sorted(path for path in folder.glob("*.glb") if path.with_suffix(".json").exists())
    if names:
        return [path for path in files if path.stem in names]
    if limit and len(files) > limit:
        return [files[i * len(files) // limit] for i in range(limit)]
    return files


def write_results(options):
    """A line per model for `cargo xtask clients`: whether it opens, and how far its poses are off."""
    files = sorted(options.folder.rglob("*.glb"))
    with options.results.open("w") as out:
        for path in files:
            result = {"name": path.relative_to(options.folder).with_suffix("").as_posix()}
            try:
                if path.with_suffix(".json").exists():
                    off, _, _, result["where"], result["seen"] = check(path, standard=False)
                    # A model without meshes has no pose to compare.
                    if path.with_suffix(".pos").stat().st_size > 0:
                        result["off"] = off
                else:
                    import_model(path)
                if not any(True for _ in bpy.data.objects):
                    raise ValueError("nothing was imported")
            except Exception as error:
                result["error"] = f"{type(error).__name__}: {error}"
            out.write(json.dumps(result) + "\n")
            out.flush()
    print(f"{len(files)} models in Blender {bpy.app.version_string}", flush=True)


def worse(new, old):
    """Small numbers differ with the rounding of the machine."""
    return new > old * 1.25 + 1e-5


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--ratchet", type=Path)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--results", type=Path)
    options = parser.parse_args()
    if options.results:
        write_results(options)
        return
    known = read_ratchet(options.ratchet) if options.ratchet and options.ratchet.exists() else {}
    files = choose(options.folder, options.names or known, options.limit)
    lines, bad, largest = [], 0, 0.0
    for path in files:
        try:
            blender, own, notes, where, _ = check(path)
        except Exception as error:  # a model that Blender cannot import counts as a difference
            blender, own, notes, where = float("inf"), 0.0, [], f"{type(error).__name__}: {error}"
        lines.append(f"{blender:.1e} {own:.1e} {path.stem} {','.join(notes)}".rstrip())
        largest = max(largest, blender)
        old = known.get(path.stem, (MOST, MOST))
        if blender > MOST or (not options.update and (worse(blender, old[0]) or worse(own, old[1]))):
            bad += 1
            print(f"{path.stem}: {blender:.2e}, was {old[0]:.2e}; the file {own:.2e}, was {old[1]:.2e}; {where}", flush=True)
    missing = sorted(set(known) - {path.stem for path in files}) if not options.names else []
    for name in missing:
        print(f"{name}: it is in the ratchet but was not exported")
    print(f"{len(files)} models in Blender {bpy.app.version_string}, {bad} worse or off by more than {MOST:g} of their size; the largest difference is {largest:.1e}", flush=True)
    if options.update and options.ratchet:
        head = "# Largest difference in Blender and in the file itself, as shares of the model's size; name; notes (blender_check.py).\n"
        options.ratchet.write_text(head + "\n".join(lines) + "\n")
    if not files:
        print("error: no model was compared")
    sys.exit(1 if bad or missing or not files else 0)


main()
