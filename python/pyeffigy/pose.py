"""A model at a moment, as ``Model.pose`` computes it. All arrays are read only."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

__all__ = ["LayerPose", "MeshPose", "Pose", "TexturePose"]


@dataclass(frozen=True)
class TexturePose:
    """A texture of a layer at a moment."""

    texture: int | None
    """The texture that shows; None: white."""
    matrix: tuple[tuple[float, float, float], tuple[float, float, float]]
    """``u' = m[0][0] u + m[0][1] v + m[0][2]``, and the same for v with ``m[1]``."""


@dataclass(frozen=True)
class LayerPose:
    """A layer of a mesh at a moment."""

    color: tuple[float, float, float, float]
    """Colour and alpha, those of the mesh multiplied in."""
    visible: bool
    """Whether it is drawn."""
    emissive_gain: float
    """Strength of the emissive texture."""
    textures: tuple[TexturePose, ...]
    """Its textures, in the layer's order."""


@dataclass(frozen=True, eq=False)
class MeshPose:
    """A mesh at a moment."""

    positions: npt.NDArray[np.float32]
    """Positions in model space: vertices, 3."""
    normals: npt.NDArray[np.float32]
    """Unit normals: vertices, 3; or none."""
    color: tuple[float, float, float, float]
    """Colour and alpha of the mesh."""
    visible: bool
    """Whether any of it is drawn."""
    layers: tuple[LayerPose, ...]
    """The layers of its material."""


@dataclass(frozen=True, eq=False)
class Pose:
    """A model at a moment."""

    sequence: int | None
    """The number of the sequence; None: the model rests."""
    time: float
    """Seconds since the sequence started."""
    clock: float
    """Seconds since the model appeared: what global sequences count."""
    matrices: npt.NDArray[np.float32]
    """The matrix of each node: nodes, 4, 4. It moves a point of the bind pose: ``matrix @ (x, y, z, 1)``."""
    meshes: tuple[MeshPose, ...]
    """The meshes, in the scene's order."""
