"""What is in a model, in the same words for every format. ``effigy info`` shows the same."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = [
    "Bounds",
    "Count",
    "MaterialSummary",
    "MeshSummary",
    "SequenceSummary",
    "Summary",
    "TextureSummary",
]


@dataclass(frozen=True)
class Bounds:
    """A box and a sphere around something, in the model's own units."""

    min: tuple[float, float, float]
    """Smallest corner."""
    max: tuple[float, float, float]
    """Largest corner."""
    radius: float
    """Radius as stored; 0 where the format or the file has none."""


@dataclass(frozen=True)
class MeshSummary:
    """One mesh: a geoset, a submesh or a surface."""

    name: str
    """Its name; empty where the format has none."""
    vertices: int
    """Number of vertices."""
    triangles: int
    """Number of triangles."""


@dataclass(frozen=True)
class Count:
    """How many there are of a kind."""

    kind: str
    """The kind in the singular, such as ``bone``."""
    count: int
    """How many."""


@dataclass(frozen=True)
class SequenceSummary:
    """One animation."""

    name: str
    """Its name, or ``id 4`` where the format only numbers them."""
    seconds: float
    """How long it plays."""
    speed: float
    """How far the model walks in a second while it plays; 0 for most."""
    looping: bool
    """Whether it starts again at its end."""


@dataclass(frozen=True)
class MaterialSummary:
    """The materials in a few words."""

    count: int
    """How many there are."""
    words: tuple[str, ...]
    """What is special about them, such as ``team colour`` or ``alpha blend``, each once."""


@dataclass(frozen=True)
class TextureSummary:
    """One texture that the model names."""

    path: str
    """The path as the model says it; empty for a texture that the game puts in."""
    replaceable: int
    """Which texture the game puts in instead (1 is the team colour); 0 for none."""
    meaning: str
    """What that replaceable texture is called, where it has a name."""
    found: str | None
    """The image inside the model's own file, for glTF. ``Model.find_textures`` looks for the others."""


@dataclass(frozen=True)
class Summary:
    """What is in a model."""

    meshes: tuple[MeshSummary, ...]
    """The meshes, in file order."""
    nodes: tuple[Count, ...]
    """Nodes by kind, bones first; kinds with none are left out."""
    sequences: tuple[SequenceSummary, ...]
    """The animations, in file order."""
    materials: MaterialSummary
    """The materials."""
    emitters: tuple[Count, ...]
    """Emitters by kind; kinds with none are left out."""
    textures: tuple[TextureSummary, ...]
    """The textures, in file order."""
    cameras: tuple[str, ...]
    """Names of the cameras."""
    others: tuple[Count, ...]
    """Whatever else there is, by kind (``light``, ``event``, ``frame``, ``tag``)."""
    bounds: Bounds | None
    """The model's bounds as stored."""
    files: tuple[str, ...]
    """Names of the files next to the model that say more about it, such as ``wolfanim.cfg``."""
    problems: tuple[str, ...]
    """What is not right about these files, or missing."""

    @property
    def vertices(self) -> int:
        """Vertices of all meshes."""
        return sum(mesh.vertices for mesh in self.meshes)

    @property
    def triangles(self) -> int:
        """Triangles of all meshes."""
        return sum(mesh.triangles for mesh in self.meshes)
