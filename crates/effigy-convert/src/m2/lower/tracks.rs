//! The tracks of an M2 as tracks of the scene.

use super::{GAP, Lowering};
use effigy_m2::{Caps, Interpolation as Source, Key, Track as M2Track};
use effigy_scene::{Animated, Id, Interpolation, Track};

/// A fixed-point number: 32767 is 1. Negative numbers occur and hide a batch like 0 does.
pub(super) fn fix16(value: i16) -> f32 {
    f32::from(value) / 32767.0
}

impl Lowering<'_> {
    fn is_nested(&self) -> bool {
        self.model.caps().contains(Caps::NESTED)
    }

    /// Times and values on the scene's timeline; windows of sequences.
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
        let signed = |time: u32| i32::try_from(time).unwrap_or(i32::MAX);
        let mut track = Track {
            interpolation,
            global,
            times: Vec::new(),
            values: Vec::new(),
            tangents: Vec::new(),
            windows: Vec::new(),
            default,
        };
        if !self.is_nested() || global.is_some() {
            let (times, values) =
                if self.is_nested() { source.keys(0) } else { (source.times.all(), source.values.all()) };
            track.times = times.iter().map(|time| signed(*time)).collect();
            track.values = values.iter().map(|value| map(*value)).collect();
            if global.is_none() {
                track.windows.extend(source.ranges.iter().take(self.spans.len()));
            }
            return (!track.times.is_empty() && !track.values.is_empty()).then_some(track);
        }
        if source.is_empty() {
            return None;
        }
        for (index, span) in self.spans.iter().enumerate() {
            if span.keys != index {
                // An alias plays the keys of another sequence: its window is filled in below.
                track.windows.push([0, 0]);
                continue;
            }
            let first = u32::try_from(track.times.len()).unwrap_or(u32::MAX);
            let (times, values) = source.keys(index);
            let latest = span.length.saturating_add(GAP - 1);
            track.times.extend(times.iter().map(|time| span.start.saturating_add(signed(*time).min(latest))));
            track.values.extend(values.iter().map(|value| map(*value)));
            if times.is_empty() {
                track.times.push(span.start);
                track.values.push(default);
            }
            let last = u32::try_from(track.times.len().saturating_sub(1)).unwrap_or(u32::MAX);
            track.windows.push([first, last]);
        }
        for (index, span) in self.spans.iter().enumerate() {
            let window = track.windows.get(span.keys).copied();
            if let (Some(slot), Some(window)) = (track.windows.get_mut(index), window) {
                *slot = window;
            }
        }
        (!track.times.is_empty()).then_some(track)
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
