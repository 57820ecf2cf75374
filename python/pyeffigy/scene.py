"""The scene: a model with everything that a viewer or an exporter needs, the same for every format.

Space is right-handed with Z up and X forward, in the game's units; texture coordinates count from the top; triangles are
counter-clockwise. Times are milliseconds on one timeline, of which each sequence is an interval. References between lists are
positions in them.

All arrays look at the memory of the library. They are read only, and they stay valid when the model is changed or gone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

import numpy as np
import numpy.typing as npt

from .summary import Bounds

__all__ = [
    "Animated",
    "Attachment",
    "Box",
    "Camera",
    "Cells",
    "Cylinder",
    "Effect",
    "Event",
    "Frame",
    "Ignore",
    "Layer",
    "LayerTexture",
    "Light",
    "Material",
    "Mesh",
    "Morph",
    "Node",
    "OverLife",
    "ParticleEmitter",
    "Plane",
    "Ribbon",
    "Scene",
    "Sequence",
    "Shape",
    "Skin",
    "SortPoint",
    "Sphere",
    "Texture",
    "TextureTransform",
    "Track",
]

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int32]
Indices = npt.NDArray[np.uint32]
Vector = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]
Extras = dict[str, Any]

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Track(Generic[T]):
    """Keys over time."""

    interpolation: Literal["step", "linear", "hermite", "bezier"]
    """How values between two keys are computed. Hermite tangents are changes per segment."""
    global_sequence: int | None
    """The global sequence whose clock the keys follow; None: the sequence that plays."""
    times: Ints
    """Key times in milliseconds, ascending."""
    fractions: Floats
    """What is added to each of ``times``, -0.5 to 0.5 milliseconds; empty: nothing."""
    values: npt.NDArray[Any]
    """One value per key: keys, or keys, 3 for vectors and keys, 4 for rotations (x, y, z, w)."""
    tangents: npt.NDArray[Any]
    """In- and out-tangent of each key; empty unless the interpolation is hermite or bezier."""
    windows: Indices
    """First and last key of each sequence, both included. Empty: where the key rule is ``wrap``, the keys of a sequence are those
    inside its interval; with the other rules all keys count, those of other sequences too."""
    default: T
    """The value in a sequence that has no key of this track."""

    @property
    def seconds(self) -> npt.NDArray[np.float64]:
        """Key times in seconds, fractions included. This is a copy."""
        times = self.times.astype(np.float64)
        if len(self.fractions):
            times += self.fractions
        return times / 1000.0


@dataclass(frozen=True, eq=False)
class Animated(Generic[T]):
    """A value that is constant or follows a track. The track, where there is one, wins entirely."""

    base: T
    """The value without a track."""
    track: Track[T] | None
    """The keys."""


@dataclass(frozen=True)
class Ignore:
    """What a node does not take from its parent."""

    translation: bool
    """The parent's translation."""
    rotation: bool
    """The parent's rotation."""
    scale: bool
    """The parent's scale."""


@dataclass(frozen=True, eq=False)
class Node:
    """A place that moves with its parent. In the bind pose it is at its pivot, without rotation."""

    name: str
    """Its name; may repeat."""
    kind: Literal["bone", "helper", "attachment", "light", "emitter", "ribbon", "event", "shape", "tag"]
    """What it is for; it decides nothing about how it moves."""
    parent: int | None
    """The node that carries it."""
    pivot: Vector
    """Where it is in the bind pose, in model space."""
    ignore: Ignore
    """What it does not take from its parent."""
    billboard: Literal["none", "full", "lock_x", "lock_y", "lock_z"]
    """How it turns toward the camera."""
    camera_anchored: bool
    """It keeps its distance from its parent on the line to the camera."""
    translation: Animated[Vector]
    """Translation from the pivot, in the parent's axes."""
    rotation: Animated[Quaternion]
    """Rotation about the pivot."""
    scale: Animated[Vector]
    """Scale about the pivot."""
    gate: int | None
    """While this mesh has an alpha of 0, everything that is attached to this node is switched off."""
    extras: Extras
    """What only the source format knows."""


@dataclass(frozen=True, eq=False)
class Skin:
    """Which nodes move which vertices. Vertices that follow the same nodes with the same weights share a group."""

    groups: Indices
    """First and end (excluded) influence of each group: groups, 2."""
    influences: npt.NDArray[np.void]
    """The influences of all groups, with the fields ``node`` and ``weight``."""
    vertex_groups: Indices
    """The group of each vertex."""


@dataclass(frozen=True, eq=False)
class Frame:
    """One frame of a morphing mesh."""

    positions: Floats
    """Positions: vertices, 3."""
    normals: Floats
    """Normals: vertices, 3."""


@dataclass(frozen=True, eq=False)
class Morph:
    """A mesh that changes its shape from frame to frame."""

    frames: tuple[Frame, ...]
    """The distinct frames."""
    order: Track[int]
    """Which frame is shown at which time; between two keys both frames mix."""


@dataclass(frozen=True)
class SortPoint:
    """The point by which transparent meshes of the same priority are sorted."""

    node: int
    """The node that carries the point."""
    point: Vector
    """The point whose distance from the eye counts, in the bind pose."""
    shift: float
    """What is added to the distance."""


@dataclass(frozen=True, eq=False)
class Mesh:
    """Triangles with one material."""

    name: str
    """Its name; may be empty or repeat."""
    positions: Floats
    """Positions in model space, in the bind pose or frame 0: vertices, 3."""
    normals: Floats
    """Unit normals: vertices, 3; or none."""
    tangents: Floats
    """Tangents with the sign of the bitangent in w: vertices, 4; or none."""
    uvs: tuple[Floats, ...]
    """Sets of texture coordinates, each vertices, 2; t counts from the top."""
    indices: Indices
    """Three indices per triangle, one after the other."""
    material: int | None
    """The material."""
    skin: Skin | None
    """Which nodes move it."""
    morph: Morph | None
    """Its frames."""
    color: Animated[Vector]
    """Colour that multiplies the material."""
    alpha: Animated[float]
    """Alpha that multiplies the material; at 0 the mesh is not drawn."""
    lod: int | None
    """Level of detail, 0 the finest; None: drawn at each level."""
    part: int
    """Group number for choosing parts (selection group, geoset id)."""
    sort: SortPoint | None
    """The point by which it is sorted by distance; None: the order in the file decides."""
    shown: bool
    """Whether it is shown unless the user chooses otherwise."""
    bounds: Bounds | None
    """Bounds as the source states them."""
    extras: Extras
    """What only the source format knows."""

    @property
    def triangles(self) -> Indices:
        """The indices as triangles, 3. This looks at the same memory."""
        return self.indices.reshape(-1, 3)


@dataclass(frozen=True)
class Texture:
    """A texture, by name. ``Model.texture`` reads its pixels."""

    path: str
    """The path as the game names it; empty for a texture that the game puts in."""
    replaceable: int | None
    """What the game puts in its place: 1 the player's colour, 2 the player's glow."""
    repeat: tuple[bool, bool]
    """Whether it repeats in u and in v."""


@dataclass(frozen=True, eq=False)
class TextureTransform:
    """Texture coordinates that move, about the middle of the texture."""

    order: Literal["rotate_scale_move", "move_scale_rotate"]
    """In which order its parts are applied."""
    translation: Animated[Vector]
    """Shift in u, v."""
    rotation: Animated[Quaternion]
    """Turn about the third axis."""
    scale: Animated[Vector]
    """Scale in u, v."""


@dataclass(frozen=True, eq=False)
class LayerTexture:
    """A texture in a layer."""

    role: Literal["base", "second", "normal", "orm", "emissive", "team_color", "environment"]
    """Its role."""
    texture: int | None
    """The texture; None: white."""
    flipbook: Track[int] | None
    """Numbers of textures over time; wins over ``texture``."""
    coordinates: int | Literal["sphere", "ball", "room"]
    """The mesh's set of this number, or a reflection."""
    transform: int | None
    """How the coordinates move: a texture transform."""
    combine: Literal[
        "modulate",
        "modulate_color",
        "modulate2x",
        "modulate2x_color",
        "add",
        "add_color",
        "decal",
        "fade",
    ]
    """What it does to the colour of the textures before it."""


@dataclass(frozen=True, eq=False)
class Layer:
    """One pass over a mesh."""

    blend: Literal["opaque", "alpha_key", "alpha", "add", "add_alpha", "modulate", "modulate2x"]
    """How it mixes with what is behind."""
    alpha_test: float
    """Fragments with less alpha are not drawn; 0: all are."""
    alpha_below: bool
    """The alpha test the other way round."""
    textures: tuple[LayerTexture, ...]
    """Its textures; the first of role ``base`` gives the colour."""
    color: Animated[Vector]
    """Its colour."""
    alpha: Animated[float]
    """First factor of its alpha."""
    color_alpha: Animated[float]
    """Second factor of its alpha."""
    unlit: bool
    """Light does not change it."""
    two_sided: bool
    """Both sides are drawn."""
    unfogged: bool
    """Fog does not change it."""
    no_depth_test: bool
    """What is nearer does not hide it."""
    no_depth_write: bool
    """It does not hide what is farther."""
    emissive_gain: Animated[float]
    """Strength of the emissive texture."""
    extras: Extras
    """What only the source format knows."""


@dataclass(frozen=True, eq=False)
class Material:
    """Layers, drawn in order over each other."""

    name: str
    """Its name; may be empty."""
    priority: int
    """Higher is drawn later."""
    layers: tuple[Layer, ...]
    """The passes."""
    physical: bool
    """Metal and roughness maps are used (Reforged HD)."""
    extras: Extras
    """What only the source format knows."""


@dataclass(frozen=True)
class Sequence:
    """A named interval of the timeline."""

    name: str
    """Its name; may repeat."""
    start: int
    """First millisecond on the timeline."""
    end: int
    """Last millisecond on the timeline."""
    looping: bool
    """Whether it starts again at its end; otherwise the last pose holds."""
    move_speed: float
    """How far the model walks per second while it plays; usually 0."""
    bounds: Bounds | None
    """Bounds while it plays, as the source states them."""
    extras: Extras
    """What only the source format knows."""

    @property
    def seconds(self) -> float:
        """How long it plays."""
        return max(self.end - self.start, 0) / 1000.0


@dataclass(frozen=True, eq=False)
class Attachment:
    """A named point for other models."""

    name: str
    """Its name."""
    number: int
    """Number by which the game finds it."""
    node: int
    """The node it follows."""
    position: Vector
    """Where it is in the bind pose, in model space."""
    path: str
    """A model that the file itself attaches; usually empty."""
    visibility: Animated[float]
    """Above 0: what is attached is shown."""


@dataclass(frozen=True, eq=False)
class Event:
    """Something that happens at certain times: sounds, footprints, splats."""

    name: str
    """Its name, such as ``SNDxDHFS`` or ``$HIT``."""
    data: int
    """A number for the game."""
    node: int
    """The node it happens at."""
    position: Vector
    """Where it is in the bind pose, in model space."""
    times: Ints
    """When it happens, in milliseconds, ascending."""
    global_sequence: int | None
    """The clock of ``times``, when it is not the sequence that plays."""


@dataclass(frozen=True, eq=False)
class Camera:
    """A point to look from."""

    name: str
    """Its name."""
    position: Vector
    """Where it is."""
    target: Vector
    """Where it looks."""
    fov: float
    """Diagonal field of view in radians."""
    near: float
    """Nearest distance it sees."""
    far: float
    """Farthest distance it sees."""
    translation: Track[Vector] | None
    """Shift of the position."""
    target_translation: Track[Vector] | None
    """Shift of the target."""
    roll: Track[float] | None
    """Turn about the view axis, radians."""
    extras: Extras
    """What only the source format knows."""


@dataclass(frozen=True, eq=False)
class Light:
    """A light that a node carries."""

    name: str
    """Its name."""
    kind: Literal["omni", "directional", "ambient"]
    """How it shines."""
    node: int
    """The node that carries it."""
    position: Vector
    """Where it is in the bind pose, in model space."""
    attenuation_start: Animated[float]
    """Distance where it begins to fade."""
    attenuation_end: Animated[float]
    """Distance where it has faded."""
    color: Animated[Vector]
    """Red, green, blue."""
    intensity: Animated[float]
    """Strength."""
    ambient_color: Animated[Vector]
    """Red, green, blue of its ambient part."""
    ambient_intensity: Animated[float]
    """Strength of its ambient part."""
    visibility: Animated[float]
    """Above 0: it is on."""
    extras: Extras
    """What only the source format knows."""


@dataclass(frozen=True)
class Box:
    """A box by two corners."""

    min: Vector
    """Lower corner."""
    max: Vector
    """Upper corner."""


@dataclass(frozen=True)
class Cylinder:
    """An upright cylinder."""

    base: Vector
    """Middle of its base."""
    height: float
    """Height."""
    radius: float
    """Radius."""


@dataclass(frozen=True)
class Sphere:
    """A ball."""

    center: Vector
    """Middle."""
    radius: float
    """Radius."""


@dataclass(frozen=True)
class Plane:
    """A rectangle about the pivot."""

    length: float
    """Along X."""
    width: float
    """Along Y."""


@dataclass(frozen=True)
class Shape:
    """A shape for selection or collision; the game never draws it."""

    name: str
    """Its name."""
    node: int
    """The node it follows."""
    geometry: Box | Cylinder | Sphere | Plane
    """Its geometry, relative to the node's pivot."""


@dataclass(frozen=True)
class Cells:
    """A range of cells of a texture that plays as an animation."""

    start: int
    """First cell."""
    end: int
    """Last cell, included; below ``start`` it plays backwards."""
    repeat: int
    """How often; 0 counts as 1."""


@dataclass(frozen=True)
class OverLife:
    """Colour, alpha and size of a particle at the start, in the middle and at the end of its life."""

    middle: float
    """Where the middle is, 0 to 1."""
    colors: tuple[Vector, Vector, Vector]
    """Red, green, blue."""
    alphas: Vector
    """Alpha 0 to 1."""
    sizes: Vector
    """Half the edge."""
    head: tuple[Cells, Cells]
    """Cells of the head until and after the middle."""
    tail: tuple[Cells, Cells]
    """Cells of the tail until and after the middle."""


@dataclass(frozen=True, eq=False)
class ParticleEmitter:
    """A source of particles."""

    name: str
    """Its name."""
    node: int
    """The node that carries it."""
    position: Vector
    """Where it is in the bind pose, in model space."""
    shape: Literal["plane", "sphere"] | Floats
    """From where particles start; an array has the points of a chain of cubic Bezier curves."""
    speed: Animated[float]
    """Speed at birth, units per second."""
    variation: Animated[float]
    """Share by which the speed varies."""
    latitude: Animated[float]
    """Cone half-angle, radians."""
    longitude: Animated[float]
    """Turn about the axis, radians; 0 keeps particles in a plane."""
    gravity: Animated[float]
    """Pull downwards, units per second squared."""
    lifespan: Animated[float]
    """Life of a particle in seconds."""
    rate: Animated[float]
    """Particles per second."""
    length: Animated[float]
    """Extent along the node's X."""
    width: Animated[float]
    """Extent along the node's Y."""
    z_source: Animated[float]
    """Unless 0: particles fly away from the point at this height on the emitter's Z axis."""
    visibility: Animated[float]
    """Above 0: it emits."""
    blend: Literal["opaque", "alpha_key", "alpha", "add", "add_alpha", "modulate", "modulate2x"]
    """How particles mix with what is behind."""
    texture: int | None
    """The texture."""
    cells: tuple[int, int]
    """Rows and columns of cells in the texture."""
    head: bool
    """A quad is drawn at the particle."""
    tail: bool
    """A streak is drawn behind the particle."""
    tail_length: float
    """Length of the streak in seconds of flight."""
    tail_grows: bool
    """The streak never covers more time than the age of the particle."""
    over_life: OverLife
    """Values over the life of a particle."""
    squirt: bool
    """All particles of ``rate`` are emitted at once when it rises above 0."""
    model_space: bool
    """Particles move with the node after birth."""
    flat: bool
    """Quads lie flat instead of facing the camera."""
    unlit: bool
    """Light does not change it."""
    unfogged: bool
    """Fog does not change it."""
    sort: bool
    """Far particles are drawn first."""
    drag: float
    """Share of the speed that is lost per second."""
    spin: float
    """Turn of the quad, radians per second."""
    priority: int
    """Higher is drawn later."""
    extras: Extras
    """What only the source format knows."""


@dataclass(frozen=True, eq=False)
class Ribbon:
    """A band that a moving node draws behind it."""

    name: str
    """Its name."""
    node: int
    """The node that carries it."""
    position: Vector
    """Where it is in the bind pose, in model space."""
    above: Animated[float]
    """Extent along the node's +Y."""
    below: Animated[float]
    """Extent along the node's -Y."""
    alpha: Animated[float]
    """Alpha."""
    color: Animated[Vector]
    """Red, green, blue."""
    slot: Animated[int]
    """Cell of the texture."""
    visibility: Animated[float]
    """Above 0: it draws."""
    lifespan: float
    """Life of an edge in seconds."""
    rate: float
    """Edges per second."""
    cells: tuple[int, int]
    """Rows and columns of cells in the texture."""
    material: int | None
    """Its material; each layer is one pass."""
    gravity: float
    """Change of height: gravity times age squared."""
    gravity_direction: Literal["down", "up"]
    """Which way a positive value goes."""
    extras: Extras
    """What only the source format knows."""


@dataclass(frozen=True, eq=False)
class Effect:
    """Something that the scene keeps but does not play: model emitters, effects of other programs."""

    name: str
    """Its name."""
    kind: str
    """What it is, such as ``modelEmitter`` or ``popcorn``."""
    node: int
    """The node that carries it."""
    path: str
    """The file it plays."""
    visibility: Animated[float]
    """Above 0: it is on."""
    extras: Extras
    """All its parameters."""


@dataclass(frozen=True, eq=False)
class Scene:
    """A model without its file format."""

    name: str
    """The model's name."""
    key_rule: Literal["wrap", "continue", "hold"]
    """What tracks do before their first and after their last key of a sequence."""
    turn_rule: Literal["slerp", "nlerp"]
    """How rotations go from key to key on a linear track."""
    alpha_rule: Literal["one_step", "ten_thousandth", "above_zero"]
    """From which alpha on a layer is drawn."""
    node_rule: Literal["warcraft", "world", "wolfenstein"]
    """Which game's rules are followed where they differ."""
    blend_time: int
    """Milliseconds over which the games blend from one sequence to the next."""
    nodes: tuple[Node, ...]
    """Bones and empties."""
    meshes: tuple[Mesh, ...]
    """Triangles."""
    materials: tuple[Material, ...]
    """Materials."""
    textures: tuple[Texture, ...]
    """Textures, by name."""
    texture_transforms: tuple[TextureTransform, ...]
    """Moving texture coordinates."""
    sequences: tuple[Sequence, ...]
    """Named intervals of the timeline."""
    global_sequences: tuple[int, ...]
    """Lengths in milliseconds of the clocks that are independent of the sequence; 0: it does not run."""
    attachments: tuple[Attachment, ...]
    """Named points."""
    events: tuple[Event, ...]
    """Things that happen."""
    cameras: tuple[Camera, ...]
    """Points to look from."""
    lights: tuple[Light, ...]
    """Lights."""
    emitters: tuple[ParticleEmitter, ...]
    """Sources of particles."""
    ribbons: tuple[Ribbon, ...]
    """Bands behind moving nodes."""
    effects: tuple[Effect, ...]
    """Effects that are preserved but not played."""
    shapes: tuple[Shape, ...]
    """Collision and hit-test shapes."""
    bounds: Bounds | None
    """Bounds as the source states them."""
    extras: Extras
    """What only the source format knows."""
