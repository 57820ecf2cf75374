//! Which way a file's models face.

use effigy_scene::Rotation;
use effigy_scene::coordinates::{
    from_front, from_y_up, rotation_from_front, rotation_from_y_up, scale_swapped,
};

/// From the axes of a file to those of the scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Axes {
    /// Y up, facing +Z: glTF.
    Front,
    /// Y up, facing +X: what is below the root node of our own files, which only turns and scales it.
    Side,
}

impl Axes {
    pub(crate) const fn point(self, value: [f32; 3]) -> [f32; 3] {
        match self {
            Self::Front => from_front(value),
            Self::Side => from_y_up(value),
        }
    }

    pub(crate) const fn tangent(self, [x, y, z, w]: [f32; 4]) -> [f32; 4] {
        let [x, y, z] = self.point([x, y, z]);
        [x, y, z, w]
    }

    pub(crate) const fn rotation(self, value: Rotation) -> Rotation {
        match self {
            Self::Front => rotation_from_front(value),
            Self::Side => rotation_from_y_up(value),
        }
    }

    pub(crate) const fn scale(self, value: [f32; 3]) -> [f32; 3] {
        match self {
            Self::Front => from_front(value),
            Self::Side => scale_swapped(value),
        }
    }
}
