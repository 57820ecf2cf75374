//! Bones and vertices.
//!
//! Bone layout by real files: 0x6C bytes before 260, 0x70 to 263, 0x58 in 264. The four bytes that came with 260 are
//! two distances until 263 and the CRC-32 of the bone's name from 264 on.

use super::BoneFlags;
use crate::block::{elements, plain};
use crate::track::Track;
use crate::version::Caps;
use effigy_wire::record;

record! {
    /// A joint of the skeleton. Parents precede their children.
    pub struct Bone(Caps) {
        /// Which key bone it is, or -1; see [`crate::names::key_bone`].
        pub key_bone: i32 = -1,
        /// How it follows its parent and the camera.
        pub flags: BoneFlags,
        /// Index of the parent, or -1.
        pub parent: i16 = -1,
        /// 0 in nearly all vanilla files; from 260 on the distance to the parent's pivot in 1/36 units.
        pub submesh: u16,
        /// Length of the longest path to a descendant in 1/36 units. 260 to 263.
        pub distance: u16 [Caps::BONE_DISTANCES],
        /// Height of the lowest pivot among the bone and its descendants, in hundredths: see `docs/formats/m2.md`. 260 to
        /// 263.
        pub z_ratio: u16 [Caps::BONE_DISTANCES],
        /// CRC-32 of the bone's name; see [`crate::names::bone`]. 264 on.
        pub name_crc: u32 [Caps::BONE_CRC],
        /// Translation relative to the pivot.
        (vector) pub translation: Track<[f32; 3]>,
        /// Quaternion x, y, z, w. Before 260.
        (rotation) pub rotation: Track<[f32; 4]> [Caps::FLOAT_ROTATION],
        /// Quaternion x, y, z, w in 16 bits each; see [`crate::rotation`]. 260 on.
        (rotation) pub packed_rotation: Track<[u16; 4]> [Caps::PACKED_ROTATION],
        /// Scale around the pivot.
        (plain) pub scale: Track<[f32; 3]>,
        /// The point that the bone rotates and scales around, in model space.
        (point) pub pivot: [f32; 3],
    }
}

elements! { Bone { translation, rotation, packed_rotation, scale } }

plain! {
    /// A vertex, 48 bytes in all versions.
    pub struct Vertex {
        /// Position.
        pub position: [f32; 3],
        /// Weights of up to four bones; they add up to 255.
        pub weights: [u8; 4],
        /// The bones, by index in the model.
        pub bones: [u8; 4],
        /// Normal.
        pub normal: [f32; 3],
        /// Texture coordinates.
        pub uv: [f32; 2],
        /// Second texture coordinates; zero in most files.
        pub uv2: [f32; 2],
    }
}
