//! The tracks of an M2 as tracks of the scene.

use super::Lowering;
use super::timeline::Keys;
use effigy_m2::{Interpolation as Source, Key, Track as M2Track};
use effigy_scene::{Animated, Id, Interpolation, Track};

/// A fixed-point number: 32767 is 1. Negative numbers occur and hide a batch like 0 does.
pub(super) fn fix16(value: i16) -> f32 {
    f32::from(value) / 32767.0
}

impl Lowering<'_> {
    /// The keys on the scene's timeline, or on the clock of a global sequence.
    fn keys<T: Key, U: Copy>(
        &self,
        source: &M2Track<T>,
        default: U,
        map: &impl Fn(T) -> U,
    ) -> Option<Track<U>> {
        let global = u32::try_from(source.global_sequence).ok().map(Id::new);
        let interpolation = match source.interpolation() {
            Source::Step => Interpolation::Step,
            _ => Interpolation::Linear,
        };
        let Keys { times, values, windows } = if global.is_some() {
            let (times, values) = source.keys(0);
            let times = times.iter().map(|time| i32::try_from(*time).unwrap_or(i32::MAX)).collect();
            Keys { times, values: values.iter().map(|value| map(*value)).collect(), windows: Vec::new() }
        } else {
            self.timeline.keys(source, default, map)?
        };
        let track = Track {
            interpolation,
            global,
            times,
            fractions: Vec::new(),
            values,
            tangents: Vec::new(),
            windows,
            default,
        };
        (!track.times.is_empty() && !track.values.is_empty()).then_some(track)
    }

    /// A value with its track. If all keys have the same value, the track is not needed.
    pub(super) fn animated<T: Key, U: Copy + PartialEq>(
        &self,
        source: &M2Track<T>,
        default: U,
        map: impl Fn(T) -> U,
    ) -> Animated<U> {
        let Some(track) = self.keys(source, default, &map) else { return Animated::fixed(default) };
        if let Some(first) = track.values.first().copied()
            && track.values.iter().all(|value| *value == first)
        {
            return Animated::fixed(first);
        }
        Animated { base: default, track: Some(track) }
    }

    /// A track of a camera: only these have tangents and cubic interpolation.
    pub(super) fn spline<T: Key, U: Copy>(
        &self,
        source: &M2Track<T>,
        default: U,
        parts: impl Fn(T) -> (U, U, U),
    ) -> Option<Track<U>> {
        let mut track = self.keys(source, default, &|key| parts(key).0)?;
        track.interpolation = match source.interpolation() {
            Source::Step => Interpolation::Step,
            Source::Linear | Source::Other(_) => Interpolation::Linear,
            Source::Bezier => Interpolation::Bezier,
            Source::Hermite => Interpolation::Hermite,
        };
        if track.interpolation.is_spline() {
            let into = self.keys(source, default, &|key| parts(key).1)?;
            let out = self.keys(source, default, &|key| parts(key).2)?;
            track.tangents = into.values.into_iter().zip(out.values).map(|(into, out)| [into, out]).collect();
        }
        Some(track)
    }
}
