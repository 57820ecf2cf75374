"""Makes a scene of the library from what Blender shows: an armature, its meshes and its actions.

A model that was imported keeps its file, and marks on everything that was built from it. What nobody changed is taken from that
file, so that it is written as it was; what Blender has no place for comes from there too.
"""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass, field
from typing import Any

import bpy
import numpy as np
import pyeffigy
from pyeffigy.scene import Attachment, Camera, Ignore, Morph, Node, Scene, Sequence, Track

from ..effigy_build.space import Space
from . import marks, materials, meshes, motion
from .curves import Keys, Span, actions_of, by_owner, channel, curves_of, keys_of, names_of
from .motion import Clip, Moving, Place, fixed

__all__ = ["Collected", "Origin", "collect", "marks"]

FREE = Ignore(False, False, False)


@dataclass
class Origin:
    """The object that a mesh was made from, and the vertex of Blender that each of its vertices was."""

    object: bpy.types.Object
    vertices: Any


@dataclass
class Collected:
    """A scene with its images, and what to say about it."""

    scene: Scene
    images: dict[int, pyeffigy.Image]
    files: dict[str, bytes]
    """Textures that belong next to the model."""
    notes: list[str] = field(default_factory=list)
    kept: int = 0
    """Parts that are written as the imported file has them."""
    read: int = 0
    """Parts that were read from Blender."""
    origins: list[Origin] = field(default_factory=list)
    """Where each mesh comes from."""
    original: pyeffigy.Model | None = None
    """The model of the imported file, if nothing at all was changed."""


def collect(armature: bpy.types.Object, folder: str = "war3mapImported", use_source: bool = True) -> Collected:
    """The model of an armature. Without ``use_source`` everything is read from Blender, as for a model that was made there."""
    return _Collector(armature, folder, use_source).collect()


def mesh_objects(armature: bpy.types.Object) -> list[bpy.types.Object]:
    """The meshes that belong to an armature: below it, or moved by it."""
    found = [one for one in armature.children_recursive if one.type == "MESH"]
    for one in bpy.context.scene.objects:
        moved = one.type == "MESH" and any(mod.type == "ARMATURE" and mod.object == armature for mod in one.modifiers)
        if moved and one not in found:
            found.append(one)
    last = 1 << 30
    return sorted(found, key=lambda one: one.get("effigy_mesh", last))


class _Collector:
    def __init__(self, armature: bpy.types.Object, folder: str, use_source: bool) -> None:
        self.armature = armature
        self.source = marks.source(armature)
        self.file = self.source.scene if self.source is not None else None
        """The scene of the file that the armature was imported from."""
        self.old = self.file if use_source else None
        self.imported = marks.SCALE in armature
        self.space = Space(armature.get(marks.SCALE, 1.0), bool(armature.get(marks.FRONT, True)))
        # Where an imported model stands in Blender is not a part of it; what was made in Blender is exported as it is seen.
        world = np.eye(3) if self.imported else np.array(armature.matrix_world, dtype=np.float64)[:3, :3]
        lengths = np.linalg.norm(world, axis=0)
        self.size = float(lengths.mean())
        self.world = world / np.where(lengths > 1e-12, lengths, 1.0)
        self.unit = self.size / self.space.scale
        self.back = self.space.back() @ self.world
        self.notes: list[str] = []
        if np.ptp(lengths) > 1e-4 * self.size:
            self.notes.append("the scale of the armature differs between its axes: apply it in Blender first")
        self.native = self.file is not None and (self.file.node_rule, self.file.key_rule) == ("warcraft", "wrap")
        render = bpy.context.scene.render
        self.rate = render.fps / render.fps_base
        self.kept = self.read = 0
        known = self.old.textures if self.old is not None else ()
        self.pictures = materials.Pictures(known, folder, self.native)
        self.origins: list[Origin] = []
        self.nodes: dict[str, int] = {}
        self.numbers: dict[int, int] = {}

    def collect(self) -> Collected:
        clips = self._clips()
        order = self._order()
        self.nodes = {bone.name: number for number, bone in enumerate(order)}
        self._renumber(order)
        changed = self._changed(order, clips)
        nodes = self._nodes(order, clips, changed)
        looks: list[Any] = list(self.old.materials) if self.old is not None else []
        found, sources = self._meshes(looks, clips)
        scene = self._scene(nodes, found, looks, clips)
        scene = self._points(scene, sources)
        if self.pictures.unreadable:
            self.notes.append(f"images without pixels: {', '.join(self.pictures.unreadable)}")
        original = self.source if self.read == 0 and self._is_old(scene) else None
        made = Collected(scene, self.pictures.images, self.pictures.files, self.notes)
        return dataclasses.replace(made, kept=self.kept, read=self.read, origins=self.origins, original=original)

    def _is_old(self, scene: Scene) -> bool:
        """Whether a scene whose parts are all of the file has all of them, with their names and in their order."""
        if self.old is None or self.pictures.textures != list(self.old.textures):
            return False

        def order(one: Scene) -> list[Any]:
            parts = [[(node.name, node.parent) for node in one.nodes]]
            parts.append([(mesh.name, mesh.material) for mesh in one.meshes])
            parts.append([(each.name, each.start, each.end) for each in one.sequences])
            parts.append([(each.name, each.node) for each in one.attachments])
            return [*parts, [each.name for each in one.cameras], len(one.materials)]

        return order(scene) == order(self.old)

    # Sequences

    def _clips(self) -> list[Clip]:
        """The sequences: those of the file where they were, others behind them."""
        clips: list[Clip] = []
        end = max((one.end for one in self.old.sequences), default=0) if self.old is not None else -motion.GAP
        for action in actions_of(self.armature):
            first, last = (float(frame) for frame in action.frame_range)
            span = Span(first, last, self.rate)
            number = action.get("effigy_sequence")
            old = self.old.sequences[number] if self.old is not None and number is not None else None
            name = self._name(action, old.name if old is not None else None)
            if old is not None and self._mark(action, "range"):
                clips.append(Clip(action, dataclasses.replace(old, name=name), span))
                continue
            start = end + motion.GAP
            end = start + max(round((last - first) / self.rate * 1000.0), 1)
            fresh = Sequence(name, start, end, bool(action.use_cyclic), 0.0, None, {})
            if old is not None:
                fresh = dataclasses.replace(old, name=name, start=start, end=end, bounds=None)
            clips.append(Clip(action, fresh, span))
        return clips

    def _mark(self, action: bpy.types.Action, name: str) -> bool:
        """Whether the curves of a part, or the range, are those of the import."""
        left = self._left(action)
        return bool(left) and left.get(name) == self._now(action).get(name)

    @staticmethod
    def _left(action: bpy.types.Action) -> dict[str, str]:
        """The marks that the import left."""
        left: dict[str, str] = json.loads(action.get(marks.MARK, "{}"))
        return left

    def _bone_mark(self, action: bpy.types.Action, bone: bpy.types.Bone) -> str | None:
        """The mark that the curves of a bone have now."""
        now = self._now(action)
        return next((now[name] for name in names_of(bone, self.armature) if name in now), None)

    def _now(self, action: bpy.types.Action) -> dict[str, str]:
        known: dict[str, dict[str, str]] = self.__dict__.setdefault("_marks", {})
        if action.name not in known:
            known[action.name] = marks.of_action(action, marks.owners_of(self.armature))
        return known[action.name]

    def _all_old(self, clips: list[Clip]) -> bool:
        """Whether every sequence is one of the file, at its place."""
        old = self.old.sequences if self.old is not None else ()
        places = {(one.start, one.end) for one in old}
        return all((clip.sequence.start, clip.sequence.end) in places for clip in clips)

    @staticmethod
    def _name(thing: Any, old: str | None) -> str:
        """The name that a thing has in the game. Blender's are unique, so one that it has given itself does not count."""
        if old is not None and thing.get("effigy_name") == thing.name:
            return old
        return str(thing.name)

    # Nodes

    def _order(self) -> list[bpy.types.Bone]:
        last = 1 << 30
        return sorted(self.armature.data.bones, key=lambda bone: bone.get("effigy_node", last))

    def _renumber(self, order: list[bpy.types.Bone]) -> None:
        """The new number of each node of the file; of one that is gone, that of the nearest node above it."""
        if self.old is None:
            return
        there = {bone["effigy_node"]: number for number, bone in enumerate(order) if "effigy_node" in bone}
        for number in range(len(self.old.nodes)):
            at: int | None = number
            while at is not None and at not in there:
                at = self.old.nodes[at].parent
            self.numbers[number] = there[at] if at is not None else 0
        gone = len(self.old.nodes) - len(there)
        if gone:
            self.notes.append(f"{gone} nodes of the file are gone, and with them what they carried")
        self.there = there

    def _changed(self, order: list[bpy.types.Bone], clips: list[Clip]) -> set[str]:
        """The bones whose rest place or motion is no longer that of the file."""
        if self.old is None or motion.needs_baking(self.armature):
            return {bone.name for bone in order}
        settled = self._all_old(clips)
        changed = set()
        for bone in order:
            same = "effigy_node" in bone and bone.get(marks.MARK) == marks.of_bone(bone)
            if same:
                old = f"bone {bone['effigy_name']}"
                marked = [clip for clip in clips if marks.MARK in clip.action]
                same = all(self._left(clip.action).get(old) == self._bone_mark(clip.action, bone) for clip in marked)
            if same and not settled:
                fresh = [clip for clip in clips if marks.MARK not in clip.action or not self._mark(clip.action, "range")]
                same = not any(self._bone_mark(clip.action, bone) for clip in fresh)
            if not same:
                changed.add(bone.name)
        return changed

    def _nodes(self, order: list[bpy.types.Bone], clips: list[Clip], changed: set[str]) -> list[Node]:
        reader = motion.Reader(self.armature, clips, not self.native) if changed else None
        nodes = []
        for bone in order:
            parent = self.nodes[bone.parent.name] if bone.parent else None
            number = bone.get("effigy_node")
            old = self.old.nodes[number] if self.old is not None and number is not None else None
            name = self._name(bone, old.name if old is not None else None)
            if old is not None and bone.name not in changed:
                self.kept += 1
                nodes.append(dataclasses.replace(old, name=name, parent=parent))
                continue
            self.read += 1
            rest = np.array(bone.matrix_local, dtype=np.float64)
            place = Place(self.back @ rest[:3, :3], self.unit)
            pivot = tuple((self.back @ rest[:3, 3] * self.unit).tolist())
            assert reader is not None
            translation, rotation, scale = reader.bone(bone.name, place)
            changes: dict[str, Any] = {"translation": translation, "rotation": rotation, "scale": scale}
            changes |= {"name": name, "parent": parent, "pivot": pivot, "ignore": FREE}
            if old is None:
                kind = bone.get("effigy_kind", "bone")
                old = Node(name, kind, parent, pivot, FREE, "none", False, translation, rotation, scale, None, {})
            nodes.append(dataclasses.replace(old, **changes))
        return nodes

    # Meshes

    def _way(self, made: bpy.types.Object) -> tuple[Any, Any]:
        """What brings points of an object into the game."""
        relative = self._rest(made)
        return self.back @ relative[:3, :3] * self.unit, self.back @ relative[:3, 3] * self.unit

    def _rest(self, made: bpy.types.Object) -> Any:
        """The matrix of an object in the armature while all bones rest."""
        if made.parent != self.armature:
            return np.array(self.armature.matrix_world.inverted_safe() @ made.matrix_world, dtype=np.float64)
        if made.parent_type != "BONE":
            return np.array(made.matrix_parent_inverse @ made.matrix_basis, dtype=np.float64)
        bone = self.armature.data.bones[made.parent_bone]
        # Children of a bone begin at its tail, in its axes.
        base = np.array(bone.matrix_local, dtype=np.float64)
        base[:3, 3] += base[:3, 1] * bone.length
        return base @ np.array(made.matrix_parent_inverse @ made.matrix_basis, dtype=np.float64)

    def _meshes(self, looks: list[Any], clips: list[Clip]) -> tuple[list[Any], dict[int, int]]:
        """All meshes, and the new number of each mesh of the file."""
        found: list[Any] = []
        sources: dict[int, int] = {}
        known: dict[str, int] = {}
        for made in mesh_objects(self.armature):
            number = made.get("effigy_mesh")
            old = self.old.meshes[number] if self.old is not None and number is not None else None
            if old is not None:
                sources[number] = len(found)
            first = made.data.materials[0] if len(made.data.materials) else None
            if old is not None and made.get(marks.MARK) == marks.of_mesh(made):
                self.kept += 1
                mesh = meshes.moved_nodes(old, self.numbers)
                look = self._look(first, looks, known) if old.material is not None or first is not None else None
                mesh = dataclasses.replace(mesh, material=look)
                found.append(self._fading(mesh, made, clips))
                self.origins.append(Origin(made, np.arange(len(mesh.positions))))
                continue
            self.read += 1
            turn, shift = self._way(made)
            for part in meshes.read(made, self.nodes, self._carrier(made), turn, shift):
                mesh = dataclasses.replace(part.mesh, material=self._look(part.material, looks, known))
                if old is not None:
                    kept = {"lod": old.lod, "part": old.part, "shown": old.shown, "color": old.color, "alpha": old.alpha}
                    mesh = dataclasses.replace(mesh, extras=old.extras, **kept)
                elif made.hide_render:
                    continue
                if made.data.shape_keys and not made.data.shape_keys.use_relative:
                    mesh = self._morphing(mesh, made, part, turn, shift, clips)
                found.append(self._fading(mesh, made, clips))
                self.origins.append(Origin(made, part.vertices))
        return found, sources

    def _carrier(self, made: bpy.types.Object) -> int | None:
        """The node that carries a whole object."""
        carried = made.parent == self.armature and made.parent_type == "BONE"
        return self.nodes.get(made.parent_bone) if carried else None

    def _look(self, material: bpy.types.Material | None, looks: list[Any], known: dict[str, int]) -> int:
        """The number of a material."""
        name = material.name if material is not None else ""
        if name in known:
            return known[name]
        number = material.get("effigy_material") if material is not None else None
        if self.old is not None and number is not None and material.get(marks.MARK) == marks.of_material(material):
            self.kept += 1
            known[name] = number
            for image in _images(material):
                self.pictures.number(image)
            return int(number)
        self.read += 1
        fresh = materials.read(material, self.pictures)
        if self.old is not None and number is not None and number not in known.values():
            looks[number] = dataclasses.replace(fresh, priority=looks[number].priority)
        else:
            number = len(looks)
            looks.append(fresh)
        known[name] = number
        return int(number)

    def _fading(self, mesh: Any, made: bpy.types.Object, clips: list[Clip]) -> Any:
        """A mesh with the alpha of its object."""
        name = f"object {made.name}"
        if self.old is not None and "effigy_mesh" in made:
            marked = [clip for clip in clips if marks.MARK in clip.action]
            if len(marked) == len(clips) and all(self._mark(clip.action, name) for clip in clips):
                return mesh
        moving = Moving(np.array([float(made.color[3])]))
        for number, clip in enumerate(clips):
            curves = by_owner(made, curves_of(clip.action, made)).get(name, [])
            alpha = keys_of([channel(curves, "color", 4)[3]], [1.0], clip.span)
            hidden = keys_of(channel(curves, "hide_render", 1), [0.0], clip.span)
            keys = alpha or (Keys(hidden.frames, 1.0 - hidden.values, True) if hidden is not None else None)
            if keys is not None:
                moving.segments[number] = self._segment(clip, keys)
        return dataclasses.replace(mesh, alpha=_number(moving.animated(clips, False, not self.native)))

    def _segment(self, clip: Clip, keys: Keys) -> motion.Segment:
        times = (keys.frames - clip.span.first) / clip.span.rate * 1000.0 + clip.sequence.start
        return motion.Segment(np.clip(times, clip.sequence.start, clip.sequence.end), keys.values, keys.steps)

    def _morphing(self, mesh: Any, made: bpy.types.Object, part: Any, turn: Any, shift: Any, clips: list[Clip]) -> Any:
        """A mesh with the absolute shape keys of its object as frames."""
        keys_id = made.data.shape_keys
        frames = meshes.frames_of(made, part, turn, shift)
        moments = np.array([block.frame for block in keys_id.key_blocks], dtype=np.float64)
        times, values = [], []
        rows = np.zeros((len(clips), 2), dtype=np.uint32)
        count = 0
        for number, clip in enumerate(clips):
            curves = by_owner(keys_id, curves_of(clip.action, keys_id)).get(f"object {keys_id.name}", [])
            found = keys_of(channel(curves, "eval_time", 1), [0.0], clip.span)
            if found is None:
                continue
            segment = self._segment(clip, found).whole()
            rows[number] = (count, count + len(segment.times) - 1)
            count += len(segment.times)
            times.append(segment.times)
            values.append(np.abs(segment.values - moments[None, :]).argmin(axis=1))
        if not times:
            return dataclasses.replace(mesh, morph=None, positions=frames[0].positions, normals=frames[0].normals)
        whole, order = np.concatenate(times).astype(np.int32), np.concatenate(values).astype(np.uint32)
        none = np.zeros((0, 2), dtype=np.uint32)
        track = Track("linear", None, whole, np.zeros(0, dtype=np.float32), order, none, rows, 0)
        return dataclasses.replace(
            mesh, morph=Morph(frames, track), skin=None, positions=frames[0].positions, normals=frames[0].normals
        )

    # The rest

    def _scene(self, nodes: list[Node], found: list[Any], looks: list[Any], clips: list[Clip]) -> Scene:
        sequences = tuple(clip.sequence for clip in clips)
        parts = {"nodes": tuple(nodes), "meshes": tuple(found), "materials": tuple(looks), "sequences": sequences}
        textures = tuple(self.pictures.textures)
        if self.old is None:
            # What Blender shows is in metres, unless it was imported in units of a game.
            file = self.file
            extras = dict(file.extras) if file is not None else {"format": "gltf"}
            rules: list[Any] = ["hold", "slerp", "one_step", "warcraft"]
            if file is not None:
                rules = ["wrap" if self.native else "hold", "slerp", file.alpha_rule, file.node_rule]
            empty: tuple[Any, ...] = ()
            scene = Scene(self.armature.name, *rules, 150, *([empty] * 15), None, extras)
            return dataclasses.replace(scene, textures=textures, **parts)
        scene = dataclasses.replace(self.old, textures=textures, **parts)
        numbers = [self._number_of(clip) for clip in clips]
        if numbers != list(range(len(self.old.sequences))):
            scene = _windows(scene, numbers)
        return self._carried(scene)

    def _number_of(self, clip: Clip) -> int | None:
        assert self.old is not None
        number = clip.action.get("effigy_sequence")
        if number is None or self.old.sequences[number].start != clip.sequence.start:
            return None
        return int(number)

    def _carried(self, scene: Scene) -> Scene:
        """What nodes carry, below their new numbers; what nodes carried that are gone is gone too."""
        changes: dict[str, Any] = {}
        for kind in ("events", "lights", "emitters", "ribbons", "effects", "shapes"):
            things = getattr(scene, kind)
            kept = [dataclasses.replace(one, node=self.there[one.node]) for one in things if one.node in self.there]
            changes[kind] = tuple(kept)
        return dataclasses.replace(scene, **changes)

    def _points(self, scene: Scene, sources: dict[int, int]) -> Scene:
        """Attachment points and cameras; nodes that a mesh switches off follow it under its new number."""
        nodes = [dataclasses.replace(node, gate=sources.get(node.gate)) if node.gate is not None else node for node in scene.nodes]
        attachments: list[Attachment] = []
        cameras: list[Camera] = []
        last = 1 << 30
        others = sorted(self.armature.children_recursive, key=lambda one: one.get("effigy_index", last))
        for made in others:
            index = made.get("effigy_index")
            if made.type == "CAMERA":
                old = self.old.cameras[index] if self.old is not None and index is not None else None
                if old is not None and made.get(marks.MARK) == marks.of_camera(made):
                    cameras.append(dataclasses.replace(old, name=self._name(made, old.name)))
                else:
                    cameras.append(self._camera(made, old))
            elif made.type == "EMPTY" and ("effigy_attachment" in made or made.name.endswith("Ref")):
                attached = self._attachment(made, index, nodes, len(attachments))
                if attached is not None:
                    attachments.append(attached)
        return dataclasses.replace(scene, nodes=tuple(nodes), attachments=tuple(attachments), cameras=tuple(cameras))

    def _attachment(self, made: bpy.types.Object, index: Any, nodes: list[Node], count: int) -> Attachment | None:
        old = self.old.attachments[index] if self.old is not None and index is not None else None
        if old is not None and made.get(marks.MARK) == marks.of_object(made) and old.node in self.there:
            return dataclasses.replace(old, name=self._name(made, old.name), node=self.there[old.node])
        if made.parent != self.armature or made.parent_type != "BONE" or made.parent_bone not in self.nodes:
            self.notes.append(f"{made.name} follows no bone and was left out")
            return None
        bone = self.armature.data.bones[made.parent_bone]
        position = tuple((self.back @ self._rest(made)[:3, 3] * self.unit).tolist())
        name = self._name(made, old.name if old is not None else None)
        parent = self.nodes[bone.name]
        if self.imported:
            # The bone of an attachment point is its node.
            number = made.get("effigy_attachment", count)
            return Attachment(name, int(number), parent, position, str(made.get("effigy_model", "")), fixed(1.0))
        nodes.append(Node(name, "attachment", parent, position, FREE, "none", False, *_still(), None, {}))
        return Attachment(name, count, len(nodes) - 1, position, "", fixed(1.0))

    def _camera(self, made: bpy.types.Object, old: Camera | None) -> Camera:
        matrix = self.armature.matrix_world.inverted_safe() @ made.matrix_world
        place, way = np.array(matrix.translation), -np.array(matrix.col[2])[:3]
        far = np.linalg.norm(np.subtract(old.target, old.position)) / self.unit if old is not None else 1.0
        target = place + way / max(float(np.linalg.norm(way)), 1e-12) * far
        fov = 2.0 * np.arctan(np.tan(made.data.angle_x * 0.5) / 0.8)
        name = self._name(made, old.name if old is not None else None)
        position, target = (tuple((self.back @ one * self.unit).tolist()) for one in (place, target))
        near, end = made.data.clip_start * self.unit, made.data.clip_end * self.unit
        return Camera(name, position, target, float(fov), near, end, None, None, None, {})


def _still() -> tuple[Any, Any, Any]:
    return fixed((0.0, 0.0, 0.0)), fixed((0.0, 0.0, 0.0, 1.0)), fixed((1.0, 1.0, 1.0))


def _number(animated: Any) -> Any:
    """A channel of width 1 as plain numbers."""
    track = animated.track
    if track is not None:
        tangents = np.zeros((0, 2), dtype=np.float32)
        track = dataclasses.replace(track, values=track.values[:, 0], tangents=tangents, default=track.default[0])
    return dataclasses.replace(animated, base=animated.base[0], track=track)


def _images(material: bpy.types.Material) -> list[bpy.types.Image]:
    nodes = material.node_tree.nodes if material.node_tree else ()
    return [node.image for node in nodes if node.type == "TEX_IMAGE" and node.image is not None]


def _windows(value: Any, numbers: list[int | None]) -> Any:
    """A part of a scene whose tracks have the keys of these sequences of the file; None: of no sequence."""
    if isinstance(value, Track):
        if not len(value.windows):
            return value
        none = np.zeros(2, dtype=np.uint32)
        rows = [value.windows[at] if at is not None and at < len(value.windows) else none for at in numbers]
        return dataclasses.replace(value, windows=np.array(rows, dtype=np.uint32).reshape(-1, 2))
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        changes = {}
        for one in dataclasses.fields(value):
            old = getattr(value, one.name)
            new = _windows(old, numbers)
            if new is not old:
                changes[one.name] = new
        return dataclasses.replace(value, **changes) if changes else value
    if isinstance(value, tuple):
        new = tuple(_windows(one, numbers) for one in value)
        return new if any(one is not two for one, two in zip(new, value)) else value
    return value
