"""From the game's space into Blender's: a scale, and a quarter turn so that models look along -Y.

Both only move and scale components, so nothing is lost on the way.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


class Space:
    """How a model is placed in Blender. The game's X is forward and Z is up."""

    def __init__(self, scale: float = 1.0, face_front: bool = True) -> None:
        self.scale = scale
        self.face_front = face_front

    def direction(self, vectors: npt.ArrayLike) -> Array:
        """Vectors without a length, such as normals: (x, y, z) becomes (y, -x, z)."""
        vectors = np.array(vectors, dtype=np.float64)
        if self.face_front:
            vectors[..., [0, 1]] = vectors[..., [1, 0]]
            vectors[..., 1] *= -1.0
        return vectors

    def point(self, points: npt.ArrayLike) -> Array:
        """Positions and distances."""
        return self.direction(points) * self.scale

    def rotation(self, rotations: npt.ArrayLike) -> Array:
        """Rotations x, y, z, w: the axis turns, the angle stays."""
        rotations = np.array(rotations, dtype=np.float64)
        rotations[..., :3] = self.direction(rotations[..., :3])
        return rotations

    def stretch(self, scales: npt.ArrayLike) -> Array:
        """Scales along the axes."""
        scales = np.array(scales, dtype=np.float64)
        if self.face_front:
            scales[..., [0, 1]] = scales[..., [1, 0]]
        return scales

    def back(self) -> Array:
        """The matrix that turns directions of Blender into those of the game."""
        return self.direction(np.eye(3))

    def matrix(self, matrices: npt.ArrayLike) -> Array:
        """Matrices that move points of the game, as matrices that move points of Blender."""
        turn = np.eye(4)
        turn[:3, :3] = self.direction(np.eye(3)).T
        moved = turn @ np.asarray(matrices, dtype=np.float64) @ turn.T
        moved[..., :3, 3] *= self.scale
        return moved
