//! Particle emitters of the second kind (`PRE2`): each particle is a textured square.
//!
//! WoW alpha adds the emitter's shape, a longitude, a source height, models, twinkling, tumbling, wind, following and
//! splines, stores the filter mode after the cells, and begins with an inner size.

use super::{Counted, Node, choices};
use crate::track::Tracks;
use crate::version::Caps;
use effigy_wire::{FixedStr, record};

choices! {
    /// How particles are blended with what was drawn before them.
    pub struct ParticleFilter {
        /// Blended by alpha.
        const BLEND = 0, "Blend";
        /// Added.
        const ADDITIVE = 1, "Additive";
        /// Multiplied.
        const MODULATE = 2, "Modulate";
        /// Multiplied and doubled.
        const MODULATE_2X = 3, "Modulate2x";
        /// Cut out by alpha.
        const ALPHA_KEY = 4, "AlphaKey";
    }
}

record! {
    /// Emits textured particles.
    pub struct ParticleEmitter2(Caps) sized {
        /// The node.
        pub node: Node,
        /// Size of the fields up to the tracks, including this word; no known reader uses it.
        pub content_size: u32 [Caps::WOW],
        /// Shape: 0 base, 1 plane, 2 sphere, 3 spline.
        pub emitter_type: u32 [Caps::WOW],
        /// Speed at birth.
        (length) pub speed: f32,
        /// Random part of the speed, 0 to 1.
        (plain) pub variation: f32,
        /// Spread away from the axis; degrees in Warcraft III.
        (plain) pub latitude: f32,
        /// Spread around the axis.
        (plain) pub longitude: f32 [Caps::WOW],
        /// Downward acceleration.
        (length) pub gravity: f32,
        /// Subtracted from the height at birth.
        (length) pub z_source: f32 [Caps::WOW],
        /// Seconds that a particle lives.
        (plain) pub life_span: f32,
        /// Particles per second.
        (plain) pub emission_rate: f32,
        /// Size of the emitting area along x; WoW alpha spheres: outer radius.
        (length) pub length: f32,
        /// Size of the emitting area along y; WoW alpha spheres: inner radius.
        (length) pub width: f32,
        /// How particles are blended.
        pub filter_mode: ParticleFilter [Caps::WC3],
        /// Rows of cells in the texture.
        pub rows: u32 = 1,
        /// Columns of cells in the texture.
        pub columns: u32 = 1,
        /// 0 head, 1 tail, 2 both.
        pub head_or_tail: u32,
        /// Seconds of movement that a tail shows.
        (plain) pub tail_length: f32,
        /// When the middle of the life is, 0 to 1.
        (plain) pub time_middle: f32,
        /// Colours at start, middle and end; red, green, blue.
        (plain) pub segment_colors: [f32; 9],
        /// Opacity at start, middle and end, 0 to 255.
        pub segment_alphas: [u8; 3],
        /// Size at start, middle and end.
        (length) pub segment_scales: [f32; 3],
        /// Cells of the head in the first half: first, last, repetitions.
        pub head_life: [u32; 3],
        /// Cells of the head in the second half.
        pub head_decay: [u32; 3],
        /// Cells of the tail in the first half.
        pub tail_life: [u32; 3],
        /// Cells of the tail in the second half.
        pub tail_decay: [u32; 3],
        again filter_mode [Caps::WOW],
        /// Index of the texture, or -1.
        pub texture: i32,
        /// 1: particles come in bursts.
        pub squirt: u32 [Caps::WC3],
        /// Among translucent things, lower planes are drawn first.
        pub priority_plane: i32,
        /// The same as for textures.
        pub replaceable: u32,
        /// Model of a particle.
        pub geometry_model: FixedStr<260> [Caps::WOW],
        /// Model whose emitters each particle carries.
        pub recursion_model: FixedStr<260> [Caps::WOW],
        /// Twinkles per second.
        (plain) pub twinkle_fps: f32 [Caps::WOW] = 10.0,
        /// Whether it twinkles.
        (plain) pub twinkle_on_off: f32 [Caps::WOW],
        /// Least and most scale while twinkling.
        (plain) pub twinkle_scale: [f32; 2] [Caps::WOW],
        /// Factor for the speed that comes from the emitter's movement.
        (plain) pub instant_velocity_scale: f32 [Caps::WOW],
        /// Least and most rotation about x, y and z.
        (plain) pub tumble: [f32; 6] [Caps::WOW],
        /// How fast particles slow down.
        (plain) pub drag: f32 [Caps::WOW],
        /// Rotation of each particle.
        (plain) pub spin: f32 [Caps::WOW],
        /// Direction and strength of the wind.
        (vector) pub wind: [f32; 3] [Caps::WOW],
        /// Seconds that the wind blows.
        (plain) pub wind_time: f32 [Caps::WOW],
        /// Speed and scale of following, twice.
        (speed_and_factor) pub follow: [f32; 4] [Caps::WOW],
        /// Points of the spline that it emits along.
        (own_vector) pub spline: Vec<[f32; 3]> as (Counted) [Caps::WOW],
        again squirt [Caps::WOW],
        /// Its tracks; the table of tracks lists those that it can have.
        pub tracks: Tracks,
    }
}
