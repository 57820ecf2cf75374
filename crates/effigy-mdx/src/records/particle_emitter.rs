//! Particle emitters of the first kind (`PREM`): each particle is a model.

use super::Node;
use crate::track::Tracks;
use crate::version::Caps;
use effigy_wire::{FixedStr, record};

record! {
    /// Emits models.
    pub struct ParticleEmitter(Caps) sized {
        /// The node.
        pub node: Node,
        /// Particles per second.
        (plain) pub emission_rate: f32,
        /// Downward acceleration.
        (length) pub gravity: f32,
        /// Spread around the axis.
        (plain) pub longitude: f32,
        /// Spread away from the axis.
        (plain) pub latitude: f32,
        /// Path of the particle's model.
        pub path: FixedStr<260>,
        /// Seconds that a particle lives.
        (plain) pub life_span: f32,
        /// Speed at birth.
        (length) pub speed: f32,
        /// Its tracks; the table of tracks lists those that it can have.
        pub tracks: Tracks,
    }
}
