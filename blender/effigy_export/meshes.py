"""Meshes of Blender as those of the games: triangles with one material, whose vertices have one normal and one place in the
texture each."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
import numpy.typing as npt
import pyeffigy
from pyeffigy.scene import Frame, Mesh, Skin

from .marks import column
from .motion import fixed

Array = npt.NDArray[np.float64]

# Corners of a vertex whose normals are nearer than this share one: the cosine of a degree.
SMOOTH = 0.99985
INFLUENCE = np.dtype([("node", np.uint32), ("weight", np.float32)])


@dataclass
class Part:
    """The triangles of an object with one material."""

    mesh: Mesh
    material: bpy.types.Material | None
    vertices: npt.NDArray[np.int64]
    """The vertex of Blender that each vertex was made from."""


def read(made: bpy.types.Object, nodes: dict[str, int], carrier: int | None, turn: Array, shift: Array) -> list[Part]:
    """The parts of an object. ``turn`` and ``shift`` bring its points into the game; vertices without weights follow the node
    ``carrier``, or nothing."""
    with _shape(made) as data:
        return list(_parts(made, data, nodes, carrier, turn, shift))


class _shape:
    """The mesh of an object as its modifiers make it, all but the armature's."""

    def __init__(self, made: bpy.types.Object) -> None:
        self.made, self.evaluated = made, None
        self.off: list[bpy.types.Modifier] = []

    def __enter__(self) -> bpy.types.Mesh:
        others = [one for one in self.made.modifiers if one.type != "ARMATURE" and one.show_viewport]
        if not others:
            return self.made.data
        self.off = [one for one in self.made.modifiers if one.type == "ARMATURE" and one.show_viewport]
        for modifier in self.off:
            modifier.show_viewport = False
        bpy.context.view_layer.update()
        self.evaluated = self.made.evaluated_get(bpy.context.evaluated_depsgraph_get())
        return self.evaluated.to_mesh()

    def __exit__(self, *_: object) -> None:
        if self.evaluated is not None:
            self.evaluated.to_mesh_clear()
        for modifier in self.off:
            modifier.show_viewport = True


def _parts(
    made: bpy.types.Object, data: bpy.types.Mesh, nodes: dict[str, int], carrier: int | None, turn: Array, shift: Array
) -> Iterator[Part]:
    data.calc_loop_triangles()
    triangles = column(data.loop_triangles, "loops", 3, np.int32)
    slots = column(data.loop_triangles, "material_index", 1, np.int32)
    owners = column(data.loops, "vertex_index", 1, np.int32).astype(np.int64)
    normals = _normals(data, owners)
    coordinates = [column(layer.uv, "vector", 2) for layer in data.uv_layers]
    coordinates = coordinates or [np.zeros((len(owners), 2), dtype=np.float32)]
    places = column(data.vertices, "co", 3).astype(np.float64) @ turn.T + shift
    inverse = np.linalg.inv(turn).T
    if np.linalg.det(turn) < 0.0:
        triangles = triangles[:, ::-1]
    for slot in np.unique(slots).tolist():
        corners = triangles[slots == slot].ravel()
        rows = [owners[corners, None]]
        rows += [layer[corners].view(np.int32).astype(np.int64) for layer in coordinates]
        rows.append((normals[corners] * 1000.0).round().astype(np.int64))
        _, first, indices = np.unique(np.column_stack(rows), axis=0, return_index=True, return_inverse=True)
        chosen = corners[first]
        vertices = owners[chosen]
        directions = normals[chosen] @ inverse.T
        directions /= np.maximum(np.linalg.norm(directions, axis=1, keepdims=True), 1e-12)
        uvs = tuple(np.column_stack([layer[chosen, 0], 1.0 - layer[chosen, 1]]) for layer in coordinates)
        material = data.materials[slot] if slot < len(data.materials) else None
        mesh = Mesh(
            name=made.name,
            positions=places[vertices].astype(np.float32),
            normals=directions.astype(np.float32),
            tangents=np.zeros((0, 4), dtype=np.float32),
            uvs=tuple(one.astype(np.float32) for one in uvs),
            indices=indices.ravel().astype(np.uint32),
            material=None,
            skin=_skin(made, data, vertices, nodes, carrier),
            morph=None,
            color=fixed((1.0, 1.0, 1.0)),
            alpha=fixed(1.0),
            lod=None,
            part=0,
            sort=None,
            shown=True,
            bounds=None,
            extras={},
        )
        yield Part(mesh, material, vertices)


def _normals(data: bpy.types.Mesh, owners: npt.NDArray[np.int64]) -> Array:
    """The normal of each corner; those of a smooth vertex are exactly alike."""
    corners = column(data.corner_normals, "vector", 3).astype(np.float64)
    sums = np.zeros((len(data.vertices), 3))
    np.add.at(sums, owners, corners)
    means = sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-12)
    nearest = np.ones(len(data.vertices))
    np.minimum.at(nearest, owners, np.sum(corners * means[owners], axis=1))
    smooth = nearest[owners] > SMOOTH
    return np.where(smooth[:, None], means[owners], corners)


def _skin(
    made: bpy.types.Object,
    data: bpy.types.Mesh,
    vertices: npt.NDArray[np.int64],
    nodes: dict[str, int],
    carrier: int | None,
) -> Skin | None:
    numbers = {group.index: nodes[group.name] for group in made.vertex_groups if group.name in nodes}
    rest = ((carrier, 1.0),) if carrier is not None else ()
    known: dict[tuple[tuple[int, float], ...], int] = {}
    by_vertex: dict[int, int] = {}
    for at in np.unique(vertices).tolist():
        links = data.vertices[at].groups
        weights: dict[int, float] = {}
        for link in links:
            if link.weight > 0.0 and link.group in numbers:
                node = numbers[link.group]
                weights[node] = weights.get(node, 0.0) + link.weight
        total = sum(weights.values())
        shares = tuple((node, weight / total) for node, weight in sorted(weights.items())) or rest
        by_vertex[at] = known.setdefault(shares, len(known))
    if set(known) <= {()}:
        return None
    influences = [pair for shares in known for pair in shares]
    ends = np.cumsum([len(shares) for shares in known])
    starts = np.append(0, ends[:-1])
    return Skin(
        groups=np.column_stack([starts, ends]).astype(np.uint32),
        influences=np.array(influences, dtype=INFLUENCE),
        vertex_groups=np.array([by_vertex[at] for at in vertices.tolist()], dtype=np.uint32),
    )


def frames_of(made: bpy.types.Object, part: Part, turn: Array, shift: Array) -> tuple[Frame, ...]:
    """The absolute shape keys of an object as frames of a part."""
    frames = []
    for key in made.data.shape_keys.key_blocks:
        places = column(key.data, "co", 3).astype(np.float64)[part.vertices] @ turn.T + shift
        frames.append(Frame(places.astype(np.float32), face_normals(places, part.mesh.indices)))
    return tuple(frames)


def face_normals(places: Array, indices: npt.NDArray[np.uint32]) -> npt.NDArray[np.float32]:
    """The normal of each vertex: the mean of its triangles."""
    triangles = indices.reshape(-1, 3)
    one, two, three = (places[triangles[:, at]] for at in range(3))
    faces = np.cross(two - one, three - one)
    sums = np.zeros_like(places)
    for at in range(3):
        np.add.at(sums, triangles[:, at], faces)
    return (sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-12)).astype(np.float32)


def moved_nodes(mesh: Mesh, numbers: dict[int, int]) -> Mesh:
    """A mesh whose nodes have other numbers now."""
    changes: dict[str, Any] = {}
    if mesh.skin is not None:
        influences = mesh.skin.influences.copy()
        influences["node"] = [numbers[int(node)] for node in influences["node"]]
        changes["skin"] = dataclasses.replace(mesh.skin, influences=influences)
    if mesh.sort is not None:
        changes["sort"] = dataclasses.replace(mesh.sort, node=numbers[mesh.sort.node])
    return dataclasses.replace(mesh, **changes) if changes else mesh
