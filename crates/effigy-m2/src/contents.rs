//! The header (`MD20`): it refers to every block of the model, so the decoded header is the model.
//!
//! 0x144 bytes before 264, 0x130 in 264 (0x138 with the combiner table). The blocks follow in the order of the header.
//! Blocks that older documents call C, D, F, I, K, Y, O, P and Q are sequence lookup, playable lookup,
//! key bones, flipbooks, replaceable textures, bone combos, attachments, attachment lookup and events.

use crate::block::Block;
use crate::codec::OnlyIf;
use crate::records::{
    Attachment, Bone, Camera, Color, Event, Flipbook, Light, Material, ModelFlags, Particle, Playable,
    Ribbon, Sequence, Texture, TextureTransform, TextureWeight, Vertex, View,
};
use crate::version::Caps;
use crate::walk::tree;
use effigy_wire::record;

record! {
    /// Everything that a model file contains.
    pub struct Contents(Caps) {
        /// The model's name, with its NUL.
        pub name: Block<u8>,
        /// Properties of the whole model.
        pub flags: ModelFlags,
        /// Lengths in milliseconds of loops that run independently of the sequences.
        pub global_sequences: Block<u32>,
        /// The animations.
        pub sequences: Block<Sequence>,
        /// Table from animation number to sequence, or -1.
        pub sequence_lookup: Block<i16>,
        /// Table from animation number to what an older client plays for it. Before 264.
        pub playable_lookup: Block<Playable> [Caps::PLAYABLE],
        /// The skeleton.
        pub bones: Block<Bone>,
        /// Table from key bone to bone, or -1.
        pub key_bones: Block<i16>,
        /// The vertices, shared by all views.
        pub vertices: Block<Vertex>,
        /// Versions of the mesh for different numbers of bones. Before 264.
        pub views: Block<View> [Caps::VIEWS],
        /// Number of `.skin` files. 264 on.
        pub skin_count: u32 [Caps::SKINS],
        /// Colours of batches.
        pub colors: Block<Color>,
        /// Textures.
        pub textures: Block<Texture>,
        /// Opacities of textures.
        pub weights: Block<TextureWeight>,
        /// Empty in all files. Before 264.
        pub flipbooks: Block<Flipbook> [Caps::PLAYABLE],
        /// Animated transforms of texture coordinates.
        pub transforms: Block<TextureTransform>,
        /// Table from kind of texture to texture, or -1.
        pub replaceable_lookup: Block<i16>,
        /// Materials of batches.
        pub materials: Block<Material>,
        /// Bones of submeshes.
        pub bone_combos: Block<u16>,
        /// Textures of batches.
        pub texture_combos: Block<u16>,
        /// Texture coordinates of batches: -1 environment map, 0 or 1 coordinate set.
        pub coord_combos: Block<i16>,
        /// Weights of batches.
        pub weight_combos: Block<u16>,
        /// Texture transforms of batches, or -1.
        pub transform_combos: Block<i16>,
        /// Smallest x, y, z of all poses, then largest.
        (corners) pub bounds: [f32; 6],
        /// Radius of a sphere around the bounds.
        (length) pub radius: f32,
        /// Smallest x, y, z of the collision mesh, then largest.
        (corners) pub collision_bounds: [f32; 6],
        /// Radius of a sphere around the collision mesh.
        (length) pub collision_radius: f32,
        /// Three per triangle.
        pub collision_triangles: Block<u16>,
        /// Positions.
        (point) pub collision_vertices: Block<[f32; 3]>,
        /// One per triangle.
        (direction) pub collision_normals: Block<[f32; 3]>,
        /// Points where other models are attached.
        pub attachments: Block<Attachment>,
        /// Table from purpose to attachment point, or -1.
        pub attachment_lookup: Block<i16>,
        /// Events that happen while sequences play.
        pub events: Block<Event>,
        /// Lights.
        pub lights: Block<Light>,
        /// Cameras.
        pub cameras: Block<Camera>,
        /// Table from kind of camera to camera, or -1.
        pub camera_lookup: Block<i16>,
        /// Ribbon emitters.
        pub ribbons: Block<Ribbon>,
        /// Particle emitters.
        pub particles: Block<Particle>,
        /// Operations that combine the textures of a batch; present if `flags` says so. 264 on.
        pub combiners: Block<u16>
            as (|contents| OnlyIf(contents.flags.contains(ModelFlags::COMBINERS))) [Caps::SKINS],
    }
}

tree! {
    Contents {
        name, global_sequences, sequences, sequence_lookup, playable_lookup, bones, key_bones, vertices, views, colors,
        textures, weights, flipbooks, transforms, replaceable_lookup, materials, bone_combos, texture_combos,
        coord_combos, weight_combos, transform_combos, collision_triangles, collision_vertices, collision_normals,
        attachments, attachment_lookup, events, lights, cameras, camera_lookup, ribbons, particles, combiners
    }
}

impl Contents {
    /// For each sequence, whether its keys are in a `.anim` file.
    pub(crate) fn external(&self, caps: Caps) -> Vec<bool> {
        let nested = caps.contains(Caps::NESTED);
        self.sequences.iter().map(|sequence| nested && sequence.is_external()).collect()
    }
}
