//! Lights that are attached to a model.

use crate::block::elements;
use crate::track::Track;
use crate::version::Caps;
use effigy_wire::record;

record! {
    /// A light that moves with the model.
    pub struct Light(Caps) {
        /// 0 directional, 1 point.
        pub kind: u16,
        /// The bone that it is attached to, or -1.
        pub bone: i16 = -1,
        /// Position.
        (point) pub position: [f32; 3],
        /// Ambient red, green, blue.
        (plain) pub ambient_color: Track<[f32; 3]>,
        /// Strength of the ambient colour.
        (plain) pub ambient_intensity: Track<f32>,
        /// Diffuse red, green, blue.
        (plain) pub diffuse_color: Track<[f32; 3]>,
        /// Strength of the diffuse colour.
        (plain) pub diffuse_intensity: Track<f32>,
        /// Distance at which the light starts to fade.
        (length) pub attenuation_start: Track<f32>,
        /// Distance at which the light has faded completely.
        (length) pub attenuation_end: Track<f32>,
        /// 1 on, 0 off.
        pub visible: Track<u8>,
    }
}

elements! {
    Light {
        ambient_color, ambient_intensity, diffuse_color, diffuse_intensity, attenuation_start, attenuation_end,
        visible
    }
}
