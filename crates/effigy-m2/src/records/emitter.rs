//! Emitters: particles and ribbons.
//!
//! The particle layout is that of 146 original emitters of 256 and 260 (0x1F8 bytes) and of real 264 files (0x1DC).
//! No public file has ribbons before 264 (0xDC bytes); their layout follows the header and public projects.

use super::ParticleFlags;
use crate::block::{Block, elements, plain};
use crate::track::{LifeTrack, Track};
use crate::version::Caps;
use effigy_wire::record;

plain! {
    /// The texture cells that a particle shows over its life. Before 264.
    pub struct Cells {
        /// First and last cell of the head until the middle of the life, and the number of repetitions.
        pub head_life: [u16; 3],
        /// The same after the middle.
        pub head_decay: [u16; 3],
        /// First and last cell of the tail until the middle.
        pub tail_life: [u16; 2],
        /// The same after the middle.
        pub tail_decay: [u16; 2],
    }
}

record! {
    /// A source of particles.
    pub struct Particle(Caps) {
        /// -1 in all files.
        pub id: i32 = -1,
        /// Behaviour of the particles.
        pub flags: ParticleFlags,
        /// Position in model space; it moves with the bone.
        (point) pub position: [f32; 3],
        /// The bone that it is attached to.
        pub bone: u16,
        /// Texture; three of five bits each in later expansions.
        pub texture: u16,
        /// A model that is drawn for each particle.
        pub geometry_model: Block<u8>,
        /// A model whose emitters are attached to every particle.
        pub recursion_model: Block<u8>,
        /// Blend mode, numbered as in a material.
        pub blend: u16 as (crate::codec::Word) [Caps::WORD_EMITTER],
        /// 1 plane, 2 sphere, 3 spline.
        pub kind: u16 as (crate::codec::Word) [Caps::WORD_EMITTER] = 1,
        again blend as (crate::codec::Byte) [Caps::BYTE_EMITTER],
        again kind as (crate::codec::Byte) [Caps::BYTE_EMITTER],
        /// Row of `ParticleColor.dbc`, or 0. 262 on.
        pub color_index: u16 [Caps::BYTE_EMITTER],
        /// 0 head, 1 tail, 2 both; 264 uses flags instead. From 265 on a texture parameter.
        pub head_or_tail: u8,
        /// 0 in all files before 265.
        pub unknown_0x2d: u8,
        /// Priority plane, or tile rotation.
        pub priority_plane: i16,
        /// Rows of cells in the texture.
        pub rows: u16 = 1,
        /// Columns of cells in the texture.
        pub columns: u16 = 1,
        /// Speed at birth.
        (length) pub speed: Track<f32>,
        /// Random share of the speed.
        (plain) pub speed_variation: Track<f32>,
        /// Spread from the axis in radians.
        (plain) pub vertical_range: Track<f32>,
        /// Spread around the axis in radians.
        (plain) pub horizontal_range: Track<f32>,
        /// Downward acceleration in units per second squared.
        (length) pub gravity: Track<f32>,
        /// Life of a particle in seconds.
        (plain) pub lifespan: Track<f32>,
        /// Random part of the life in seconds. 264 on.
        (plain) pub lifespan_variation: f32 [Caps::FREE_LIFE],
        /// Particles per second.
        (plain) pub rate: Track<f32>,
        /// Random part of the rate in particles per second. 264 on.
        (plain) pub rate_variation: f32 [Caps::FREE_LIFE],
        /// Length of the area, or inner radius.
        (length) pub length: Track<f32>,
        /// Width of the area, or outer radius.
        (length) pub width: Track<f32>,
        /// Height of a point that particles fly away from; 0 for none.
        (length) pub z_source: Track<f32>,
        /// Time of the middle key, 0 to 1 of the life. Before 264.
        (plain) pub middle: f32 [Caps::FIXED_LIFE],
        /// Blue, green, red, alpha at birth, middle and death. Before 264.
        pub colors: [u8; 12] [Caps::FIXED_LIFE],
        /// Half the edge length at birth, middle and death. Before 264.
        (length) pub scales: [f32; 3] [Caps::FIXED_LIFE],
        /// Texture cells over the life. Before 264.
        pub cells: Cells [Caps::FIXED_LIFE],
        /// Red, green, blue, 0 to 255. 264 on.
        (plain) pub color_life: LifeTrack<[f32; 3]> [Caps::FREE_LIFE],
        /// 32767 is opaque. 264 on.
        pub alpha_life: LifeTrack<u16> [Caps::FREE_LIFE],
        /// Half the edge lengths in x and y. 264 on.
        (length) pub scale_life: LifeTrack<[f32; 2]> [Caps::FREE_LIFE],
        /// Random share of the scale. 264 on.
        (plain) pub scale_variation: [f32; 2] [Caps::FREE_LIFE],
        /// Texture cell of the head. 264 on.
        pub head_cell_life: LifeTrack<u16> [Caps::FREE_LIFE],
        /// Texture cell of the tail. 264 on.
        pub tail_cell_life: LifeTrack<u16> [Caps::FREE_LIFE],
        /// Length of the tail in seconds of flight.
        (plain) pub tail_length: f32,
        /// Random changes of size per second.
        (plain) pub twinkle_speed: f32,
        /// Share of the particles that is visible at a time.
        (plain) pub twinkle_percent: f32,
        /// Smallest and largest random factor of the size.
        (plain) pub twinkle_scale: [f32; 2],
        /// Share of the emitter's velocity that particles inherit.
        (plain) pub burst_multiplier: f32,
        /// Deceleration: speed is multiplied by exp(-drag * seconds).
        (plain) pub drag: f32,
        /// Rotation at birth. 264 on.
        (plain) pub base_spin: f32 [Caps::FREE_LIFE],
        /// Random part of the rotation at birth. 264 on.
        (plain) pub base_spin_variation: f32 [Caps::FREE_LIFE],
        /// Angular speed of the rotation.
        (plain) pub spin: f32,
        /// Random part of the angular speed. 264 on.
        (plain) pub spin_variation: f32 [Caps::FREE_LIFE],
        /// Smallest and largest angular speed of a geometry model, x, y, z each.
        (plain) pub tumble: [f32; 6],
        /// Velocity of the wind.
        (vector) pub wind: [f32; 3],
        /// How long the wind acts on a particle, in seconds.
        (plain) pub wind_time: f32,
        /// Two pairs of speed and scale that define how particles follow the emitter.
        (speed_and_factor) pub follow: [f32; 4],
        /// Points of the spline emitter.
        (own_vector) pub spline: Block<[f32; 3]>,
        /// 1 emits, 0 does not.
        pub enabled: Track<u8>,
        /// Scrolling of two more textures. 265 on.
        pub multi_texture: [u16; 8] [Caps::CATACLYSM],
    }
}

record! {
    /// A ribbon that a bone leaves behind when it moves.
    pub struct Ribbon(Caps) {
        /// -1 in all files.
        pub id: i32 = -1,
        /// The bone that it is attached to.
        pub bone: u32,
        /// Position in model space; it moves with the bone.
        (point) pub position: [f32; 3],
        /// Textures.
        pub textures: Block<u16>,
        /// Materials; one pass is drawn for each.
        pub materials: Block<u16>,
        /// Red, green, blue.
        (plain) pub color: Track<[f32; 3]>,
        /// 32767 is opaque.
        pub alpha: Track<i16>,
        /// Width above the bone.
        (length) pub height_above: Track<f32>,
        /// Width below the bone.
        (length) pub height_below: Track<f32>,
        /// New edges per second.
        (plain) pub edges_per_second: f32,
        /// Life of an edge in seconds.
        (plain) pub edge_lifetime: f32,
        /// Acceleration along z.
        (length) pub gravity: f32,
        /// Rows of cells in the texture.
        pub rows: u16 = 1,
        /// Columns of cells in the texture.
        pub columns: u16 = 1,
        /// Index of the texture cell.
        pub texture_slot: Track<u16>,
        /// 1 draws, 0 does not.
        pub visible: Track<u8>,
        /// Lower planes are drawn first. 264 on.
        pub priority_plane: i16 [Caps::NESTED],
        /// 0; two indices in later expansions. 264 on.
        pub padding: u16 [Caps::NESTED],
    }
}

elements! {
    Particle {
        geometry_model, recursion_model, speed, speed_variation, vertical_range, horizontal_range, gravity, lifespan,
        rate, length, width, z_source, color_life, alpha_life, scale_life, head_cell_life, tail_cell_life, spline,
        enabled
    }
    Ribbon { textures, materials, color, alpha, height_above, height_below, texture_slot, visible }
}
