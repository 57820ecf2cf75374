//! The records of a model, one file per part of it.

pub mod bone;
pub mod camera;
pub mod emitter;
pub mod flags;
pub mod light;
pub mod look;
pub mod place;
pub mod sequence;
pub mod view;

pub use bone::{Bone, Vertex};
pub use camera::{Camera, ScalarKey, VectorKey};
pub use emitter::{Cells, Particle, Ribbon};
pub use flags::{
    BatchFlags, BoneFlags, MaterialFlags, ModelFlags, ParticleFlags, SequenceFlags, TextureFlags,
};
pub use light::Light;
pub use look::{Color, Flipbook, Material, Texture, TextureTransform, TextureWeight};
pub use place::{Attachment, Event};
pub use sequence::{Playable, Sequence};
pub use view::{Batch, Submesh, View};
