"""Changes a model in Blender in every way that users do, exports it, and looks at the result with the library.

    python edits.py MODEL.mdx

Poses are compared with what Blender itself shows. It prints one line for each change, and fails with a message.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import bpy
import numpy as np
import pyeffigy

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from blender import effigy_build, effigy_export  # noqa: E402

SCALE = 0.02
LIMIT = 1e-3


def imported(path: str) -> tuple[pyeffigy.Model, effigy_build.Built]:
    """A model in an empty file."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    model = pyeffigy.open(path)
    built = effigy_build.build(model, Path(path).stem, effigy_build.Options(scale=SCALE), bpy.context.collection)
    effigy_export.marks.leave(built.armature, model, built, SCALE, True)
    return model, built


def exported(built: effigy_build.Built, target: str = "mdx:800") -> tuple[pyeffigy.Model, effigy_export.Collected]:
    """What an export makes of it."""
    found = effigy_export.collect(built.armature)
    made = pyeffigy.make(found.scene, target, name="edited", textures=found.images)
    return pyeffigy.open(made.data, name=f"edited.{target.split(':')[0]}"), found


def shown(built: effigy_build.Built, action: bpy.types.Action, share: float) -> list[np.ndarray]:
    """The vertices of all meshes as Blender shows them, in units of the game."""
    effigy_build.play(built.armature, action)
    frame = action.frame_range[0] + share * (action.frame_range[1] - action.frame_range[0])
    bpy.context.scene.frame_set(int(frame), subframe=min(frame - int(frame), 0.999999))
    graph = bpy.context.evaluated_depsgraph_get()
    back = effigy_build.Space(SCALE, True).back() / SCALE
    found = []
    for made in built.objects:
        data = made.evaluated_get(graph).to_mesh()
        places = np.empty(len(data.vertices) * 3, dtype=np.float32)
        data.vertices.foreach_get("co", places)
        found.append(places.reshape(-1, 3).astype(np.float64) @ back.T)
        made.evaluated_get(graph).to_mesh_clear()
    return found


def agrees(built: effigy_build.Built, action: bpy.types.Action, new: pyeffigy.Model, name: str) -> float:
    """How far the new model is from what Blender shows, as a share of its size."""
    (number,) = [at for at, one in enumerate(new.sequences) if one.name == name]
    size = effigy_build.bones.size_of(new.scene)
    worst = 0.0
    for share in (0.0, 0.31, 0.5, 0.83, 1.0):
        moment = new.sequences[number].seconds * share
        places = shown(built, action, share)
        for mesh, wanted in zip(new.pose(number, moment, clock=moment).meshes, places):
            if mesh.visible:
                assert len(mesh.positions) == len(wanted)
                worst = max(worst, float(np.linalg.norm(mesh.positions - wanted, axis=1).max(initial=0.0)) / size)
    assert worst < LIMIT, f"{name}: {worst}"
    return worst


def tracks(node: pyeffigy.scene.Node) -> list[bytes | None]:
    """The keys of a node."""
    found = (node.translation.track, node.rotation.track, node.scale.track)
    return [one.values.tobytes() + one.times.tobytes() if one is not None else None for one in found]


def moving_bone(built: effigy_build.Built, model: pyeffigy.Model) -> int:
    """A node whose rotation has keys, and that moves vertices."""
    influences = [mesh.skin.influences["node"] for mesh in model.meshes if mesh.skin is not None]
    used = set(np.concatenate(influences).tolist())
    for number, node in enumerate(model.nodes):
        track = node.rotation.track
        if number in used and track is not None and track.global_sequence is None and len(track.times) > 4:
            return number
    raise AssertionError("no node moves")


def bone_name(built: effigy_build.Built, number: int) -> str:
    """The name of the bone of a node."""
    return next(bone.name for bone in built.armature.data.bones if bone["effigy_node"] == number)


def nothing(path: str) -> str:
    """An untouched model is the file that was imported."""
    model, built = imported(path)
    _, found = exported(built)
    assert found.original is not None and found.original.to_bytes() == model.to_bytes()
    return f"{found.kept} parts kept"


def saved(path: str) -> str:
    """Also when Blender has saved it and opened it again."""
    model, built = imported(path)
    name = built.armature.name
    file = Path(bpy.app.tempdir) / "saved.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(file))
    bpy.ops.wm.open_mainfile(filepath=str(file))
    found = effigy_export.collect(bpy.data.objects[name])
    assert found.read == 0, f"{found.read} parts are taken for changed"
    assert found.original is not None and found.original.to_bytes() == model.to_bytes()
    return f"{found.kept} parts kept"


def placed(path: str) -> str:
    """A model that stands elsewhere in Blender, turned and larger, is the same model, and so is one of its meshes that changed."""
    model, built = imported(path)
    built.armature.location, built.armature.rotation_euler = (3.0, 1.0, 0.0), (0.0, 0.0, 1.0)
    built.armature.scale = (2.0, 2.0, 2.0)
    bpy.context.view_layer.update()
    _, found = exported(built)
    assert found.original is not None and found.original.to_bytes() == model.to_bytes()
    built.objects[0].data.vertices[3].co.z += 1.0
    new, _ = exported(built)
    assert np.abs(np.delete(new.meshes[0].positions - model.meshes[0].positions, 3, axis=0)).max() < 1e-3
    return f"{found.kept} parts kept"


def vertex(path: str) -> str:
    """A vertex that was moved: its mesh is read again, and nothing else."""
    model, built = imported(path)
    built.objects[0].data.vertices[3].co.z += 1.0
    new, found = exported(built)
    assert found.read == 1, found.read
    moved = new.meshes[0].positions - model.meshes[0].positions
    assert abs(moved[3, 2] - 1.0 / SCALE) < 1e-3 and np.abs(np.delete(moved, 3, axis=0)).max() < 1e-3
    assert [tracks(one) for one in new.nodes] == [tracks(one) for one in model.nodes]
    return "one vertex"


def key(path: str) -> str:
    """A key that was turned: the bone is read again, and the others stay as they are."""
    model, built = imported(path)
    number = moving_bone(built, model)
    name = bone_name(built, number)
    action = built.actions[0]
    curves = effigy_export.curves.curves_of(action, built.armature)
    mine = [one for one in curves if effigy_export.curves.bone_of(one.data_path) == name]
    for curve in mine:
        if curve.data_path.endswith("rotation_quaternion"):
            for point in curve.keyframe_points:
                point.co[1] = (0.8, 0.6, 0.0, 0.0)[curve.array_index]
    new, found = exported(built)
    assert found.read == 1, found.read
    differ = [at for at, (one, two) in enumerate(zip(model.nodes, new.nodes)) if tracks(one) != tracks(two)]
    assert differ == [number], differ
    return f"{agrees(built, action, new, action.name):.1e} of the size from Blender"


def names(path: str) -> str:
    """New names of a bone and of a sequence: nothing but the names changes."""
    model, built = imported(path)
    number = moving_bone(built, model)
    built.armature.data.bones[bone_name(built, number)].name = "Renamed"
    built.actions[0].name = "Stand Ready"
    new, found = exported(built)
    assert found.read == 0, found.read
    assert found.original is None
    assert new.nodes[number].name == "Renamed" and new.sequences[0].name == "Stand Ready"
    assert [tracks(one) for one in new.nodes] == [tracks(one) for one in model.nodes]
    assert [one.name for one in new.sequences[1:]] == [one.name for one in model.sequences[1:]]
    return "two names"


def objects(path: str) -> str:
    """New names of the armature and of a mesh: the motion stays, and so does the file."""
    model, built = imported(path)
    built.armature.name, built.objects[0].name = "Flyer", "Hull"
    new, found = exported(built)
    assert [one.name for one in new.sequences] == [one.name for one in model.sequences]
    assert [tracks(one) for one in new.nodes] == [tracks(one) for one in model.nodes]
    effigy_build.play(built.armature, built.actions[-1])
    assert built.armature.animation_data.action == built.actions[-1]
    return f"{found.kept} parts kept, {found.read} read"


def gone(path: str) -> str:
    """A sequence that was deleted."""
    model, built = imported(path)
    last = built.actions.pop()
    name = last.name
    bpy.data.actions.remove(last)
    new, found = exported(built)
    assert [one.name for one in new.sequences] == [one.name for one in model.sequences[:-1]], name
    assert found.read == 0
    return f"{len(new.sequences)} sequences"


def another(path: str) -> str:
    """A sequence that was added, with curves as Blender makes them."""
    model, built = imported(path)
    action = built.actions[0].copy()
    action.name = "Spell Throw"
    for left in ("effigy_model", "effigy_sequence", "effigy_mark", "effigy_name"):
        del action[left]
    for curve in effigy_export.curves.curves_of(action, built.armature):
        for point in curve.keyframe_points:
            point.interpolation = "BEZIER"
            point.handle_left_type = point.handle_right_type = "AUTO_CLAMPED"
        curve.update()
    new, found = exported(built)
    assert [one.name for one in new.sequences] == [*(one.name for one in model.sequences), "Spell Throw"]
    return f"{agrees(built, action, new, 'Spell Throw'):.1e} of the size from Blender"


def constraint(path: str) -> str:
    """Bones that a constraint moves are written as Blender shows them."""
    model, built = imported(path)
    number = moving_bone(built, model)
    posed = built.armature.pose.bones[bone_name(built, number)]
    limit = posed.constraints.new("LIMIT_ROTATION")
    limit.use_limit_x = limit.use_limit_y = limit.use_limit_z = True
    limit.owner_space = "LOCAL"
    new, _ = exported(built)
    return f"{agrees(built, built.actions[0], new, built.actions[0].name):.1e} of the size from Blender"


def material(path: str) -> str:
    """A material of Blender's own with a painted image: the texture is written, and the model names it."""
    model, built = imported(path)
    image = bpy.data.images.new("Painted", 32, 32)
    image.pixels = [0.5, 0.25, 1.0, 1.0] * (32 * 32)
    fresh = bpy.data.materials.new("Own")
    fresh.use_nodes = True
    picture = fresh.node_tree.nodes.new("ShaderNodeTexImage")
    picture.image = image
    shader = next(node for node in fresh.node_tree.nodes if node.type == "BSDF_PRINCIPLED")
    fresh.node_tree.links.new(picture.outputs["Color"], shader.inputs["Base Color"])
    built.objects[0].data.materials[0] = fresh
    new, found = exported(built)
    (use,) = new.materials[new.meshes[0].material].layers[0].textures
    assert new.textures[use.texture].path == "war3mapImported\\Painted.blp"
    pixels = np.asarray(pyeffigy.read_texture(found.files["war3mapImported/Painted.blp"]))
    assert pixels.shape == (32, 32, 4) and np.abs(pixels[5, 5].astype(int) - (128, 64, 255, 255)).max() <= 6, pixels[5, 5]
    return "one texture"


def bone(path: str) -> str:
    """A bone that was removed: its vertices follow the bone above it."""
    model, built = imported(path)
    used = {int(node) for mesh in model.meshes if mesh.skin is not None for node in mesh.skin.influences["node"]}
    number = next(at for at in sorted(used, reverse=True) if model.nodes[at].parent is not None)
    name = bone_name(built, number)
    bpy.context.view_layer.objects.active = built.armature
    bpy.ops.object.mode_set(mode="EDIT")
    built.armature.data.edit_bones.remove(built.armature.data.edit_bones[name])
    bpy.ops.object.mode_set(mode="OBJECT")
    new, found = exported(built)
    assert len(found.scene.nodes) == len(model.nodes) - 1, len(found.scene.nodes)
    assert name not in [one.name for one in new.nodes]
    assert any("gone" in note for note in found.notes), found.notes
    return json.dumps(found.notes)


CHANGES: tuple[Callable[[str], str], ...] = (
    nothing, saved, placed, vertex, key, names, objects, gone, another, constraint, material, bone,
)  # fmt: skip


def main() -> None:
    """Makes every change."""
    failed = 0
    for change in CHANGES:
        try:
            print(f"{change.__name__}: {change(sys.argv[1])}")
        except AssertionError as error:
            failed += 1
            print(f"{change.__name__}: FAILED: {error}")
    print(f"{bpy.app.version_string}: {len(CHANGES)} changes, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
