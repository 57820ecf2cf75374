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
        pub emission_rate: f32,
        /// Downward acceleration.
        pub gravity: f32,
        /// Spread around the axis.
        pub longitude: f32,
        /// Spread away from the axis.
        pub latitude: f32,
        /// Path of the particle's model.
        pub path: FixedStr<260>,
        /// Seconds that a particle lives.
        pub life_span: f32,
        /// Speed at birth.
        pub speed: f32,
        /// Its tracks; the table of tracks lists those that it can have.
        pub tracks: Tracks,
    }
}
