//! One list of everything animated, walked by the check (`&`) and by the repair (`&mut`).

use crate::{Rotation, Track};

/// A key value that can be checked.
pub(super) trait Sound: Copy + Default {
    /// Whether every number is finite.
    fn is_finite(&self) -> bool;
}

impl Sound for f32 {
    fn is_finite(&self) -> bool {
        f32::is_finite(*self)
    }
}
impl Sound for u32 {
    fn is_finite(&self) -> bool {
        true
    }
}
impl Sound for [f32; 3] {
    fn is_finite(&self) -> bool {
        self.iter().all(|number| number.is_finite())
    }
}
impl Sound for Rotation {
    fn is_finite(&self) -> bool {
        // A quaternion of length 0 is not a rotation and cannot be normalised.
        self.0.iter().all(|number| number.is_finite()) && self.0.iter().map(|x| x * x).sum::<f32>() > 1e-12
    }
}

/// What is wrong with a track, if anything.
pub(super) fn fault<T: Sound>(track: &Track<T>, sequences: usize, globals: usize) -> Option<&'static str> {
    let keys = track.times.len();
    if track.values.len() != keys {
        return Some("the numbers of values and times differ");
    }
    if !track.fractions.is_empty() && track.fractions.len() != keys {
        return Some("the numbers of fractions and times differ");
    }
    if !track.fractions.iter().all(|fraction| fraction.abs() <= 0.5) {
        return Some("a fraction of a millisecond is more than half of one");
    }
    if track.tangents.len() != if track.interpolation.is_spline() { keys } else { 0 } {
        return Some("splines need two tangents per key, other tracks none");
    }
    if track.global.is_some_and(|id| id.index() >= globals) {
        return Some("the global sequence does not exist");
    }
    if !track.windows.is_empty() && track.windows.len() < sequences {
        return Some("some sequences have no window");
    }
    if track.windows.iter().any(|[first, last]| first > last || *last as usize >= keys.max(1)) {
        return Some("a window is beyond the keys");
    }
    if track.ascends() {
        let finite = track.values.iter().all(Sound::is_finite)
            && track.default.is_finite()
            && track.tangents.iter().flatten().all(Sound::is_finite);
        return if finite { None } else { Some("a number is not finite, or a rotation has length 0") };
    }
    Some("times do not ascend")
}

/// Calls `$f($context, list, index, field, &[mut] animated)` for every [`crate::Animated`] of the scene, in order.
macro_rules! each_animated {
    ($scene:ident, $slice:ident, [$($m:tt)?], $f:ident, $context:expr) => {{
        $crate::validate::walk::each_list!($scene, $slice, [$($m)?], $f, $context, nodes: translation rotation scale);
        $crate::validate::walk::each_list!($scene, $slice, [$($m)?], $f, $context, meshes: color alpha);
        $crate::validate::walk::each_list!($scene, $slice, [$($m)?], $f, $context, texture_transforms: translation rotation scale);
        $crate::validate::walk::each_list!($scene, $slice, [$($m)?], $f, $context, attachments: visibility);
        $crate::validate::walk::each_list!($scene, $slice, [$($m)?], $f, $context, lights:
            attenuation_start attenuation_end color intensity ambient_color ambient_intensity visibility);
        $crate::validate::walk::each_list!($scene, $slice, [$($m)?], $f, $context, emitters:
            speed variation latitude longitude gravity lifespan rate length width z_source visibility);
        $crate::validate::walk::each_list!($scene, $slice, [$($m)?], $f, $context, ribbons:
            above below alpha color slot visibility);
        $crate::validate::walk::each_list!($scene, $slice, [$($m)?], $f, $context, effects: visibility);
        for (i, material) in $scene.materials.$slice().into_iter().enumerate() {
            for layer in & $($m)? material.layers {
                $f($context, "materials", i, "color", & $($m)? layer.color);
                $f($context, "materials", i, "alpha", & $($m)? layer.alpha);
                $f($context, "materials", i, "color_alpha", & $($m)? layer.color_alpha);
                $f($context, "materials", i, "emissive_gain", & $($m)? layer.emissive_gain);
            }
        }
    }};
}

/// Calls `$f($context, list, index, field, &[mut] track)` for every track outside an [`crate::Animated`].
macro_rules! each_track {
    ($scene:ident, $slice:ident, [$($m:tt)?], $f:ident, $context:expr) => {{
        for (i, camera) in $scene.cameras.$slice().into_iter().enumerate() {
            if let Some(track) = & $($m)? camera.translation { $f($context, "cameras", i, "translation", track); }
            if let Some(track) = & $($m)? camera.target_translation { $f($context, "cameras", i, "target_translation", track); }
            if let Some(track) = & $($m)? camera.roll { $f($context, "cameras", i, "roll", track); }
        }
        for (i, material) in $scene.materials.$slice().into_iter().enumerate() {
            for layer in & $($m)? material.layers {
                for texture in & $($m)? layer.textures {
                    if let Some(track) = & $($m)? texture.flipbook { $f($context, "materials", i, "flipbook", track); }
                }
            }
        }
        for (i, mesh) in $scene.meshes.$slice().into_iter().enumerate() {
            if let Some(morph) = & $($m)? mesh.morph { $f($context, "meshes", i, "morph", & $($m)? morph.order); }
        }
    }};
}

macro_rules! each_list {
    ($scene:ident, $slice:ident, [$($m:tt)?], $f:ident, $context:expr, $list:ident: $($field:ident)*) => {
        for (i, item) in $scene.$list.$slice().into_iter().enumerate() {
            $crate::validate::walk::each_field!([$($m)?], $f, $context, $list, i, item, $($field)*);
        }
    };
}

macro_rules! each_field {
    ($m:tt, $f:ident, $context:expr, $list:ident, $i:ident, $item:ident, $($field:ident)*) => {
        $( $crate::validate::walk::one_field!($m, $f, $context, $list, $i, $item, $field); )*
    };
}

macro_rules! one_field {
    ([$($m:tt)?], $f:ident, $context:expr, $list:ident, $i:ident, $item:ident, $field:ident) => {
        $f($context, stringify!($list), $i, stringify!($field), & $($m)? $item.$field);
    };
}

pub(crate) use {each_animated, each_field, each_list, each_track, one_field};
