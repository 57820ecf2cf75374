//! The tracks of an MDX as tracks of the scene.

use super::Lowering;
use effigy_mdx::{KeyValue, Tracks};
use effigy_scene::{Animated, Extra, Extras, Id, Interpolation, Rotation, Track};
use effigy_wire::Tag;

/// A value of MDX that can be converted to a value of the scene.
pub(super) trait Stored: Copy + Default {
    type Wire: KeyValue;
    fn from_wire(wire: Self::Wire) -> Self;
    /// Whether a tangent is invalid, so that the value of the key is used instead.
    fn is_void(&self) -> bool {
        false
    }
}

impl Stored for f32 {
    type Wire = f32;
    fn from_wire(wire: f32) -> Self {
        wire
    }
}
impl Stored for u32 {
    type Wire = u32;
    fn from_wire(wire: u32) -> Self {
        wire
    }
}
impl Stored for [f32; 3] {
    type Wire = [f32; 3];
    fn from_wire(wire: [f32; 3]) -> Self {
        wire
    }
}
impl Stored for Rotation {
    type Wire = [f32; 4];
    fn from_wire(wire: [f32; 4]) -> Self {
        Self(wire)
    }
    fn is_void(&self) -> bool {
        self.0.iter().map(|x| x * x).sum::<f32>() < 1e-12
    }
}

/// The interpolation of the scene for a number of MDX; unknown numbers are linear.
fn interpolation(number: u32) -> Interpolation {
    match number {
        0 => Interpolation::Step,
        2 => Interpolation::Hermite,
        3 => Interpolation::Bezier,
        _ => Interpolation::Linear,
    }
}

/// A track of the scene; `None` if there is no such track or it has no keys.
pub(super) fn track<T: Stored>(tracks: &Tracks, tag: Tag, default: T) -> Option<Track<T>> {
    tracks.get(tag).and_then(|source| convert(source, default))
}

pub(super) fn convert<T: Stored>(source: &effigy_mdx::Track, default: T) -> Option<Track<T>> {
    let keys = source.keys::<T::Wire>()?;
    let count = keys.len();
    if count == 0 {
        return None;
    }
    let interpolation = interpolation(source.interpolation().0);
    let mut track = Track {
        interpolation,
        global: u32::try_from(source.global_sequence).ok().map(Id::new),
        times: Vec::with_capacity(count),
        fractions: Vec::new(),
        values: Vec::with_capacity(count),
        tangents: Vec::with_capacity(if interpolation.is_spline() { count } else { 0 }),
        windows: Vec::new(),
        default,
    };
    for key in keys {
        track.times.push(key.time);
        let value = T::from_wire(key.value);
        track.values.push(value);
        if interpolation.is_spline() {
            let tangents = key.tangents.unwrap_or([key.value; 2]).map(T::from_wire);
            track.tangents.push(tangents.map(|tangent| if tangent.is_void() { value } else { tangent }));
        }
    }
    Some(track)
}

/// A value with its track.
pub(super) fn animated<T: Stored>(base: T, tracks: &Tracks, tag: Tag, default: T) -> Animated<T> {
    Animated { base, track: track(tracks, tag, default) }
}

/// A track whose values are converted (units, order of colour components).
pub(super) fn map<T: Copy>(animated: Animated<T>, change: impl Fn(T) -> T) -> Animated<T> {
    Animated {
        base: animated.base,
        track: animated.track.map(|mut track| {
            track
                .values
                .iter_mut()
                .chain(track.tangents.iter_mut().flatten())
                .for_each(|value| *value = change(*value));
            track
        }),
    }
}

/// A track as typed extras, for what the scene does not animate.
pub(super) fn extra(source: &effigy_mdx::Track) -> Extra {
    let mut extras = Extras::default();
    let spline = source.interpolation().has_tangents();
    extras.set("interpolation", source.interpolation().0);
    if source.global_sequence >= 0 {
        extras.set("globalSequence", source.global_sequence);
    }
    extras.set("times", source.times().map(i64::from).collect::<Vec<_>>());
    let width = source.kind().width();
    let part = |first: usize| -> Vec<f32> {
        source
            .words()
            .chunks_exact(source.stride())
            .flat_map(|key| key.iter().skip(1 + first * width).take(width))
            .map(|word| {
                if source.kind() == effigy_mdx::ValueKind::Index {
                    *word as f32
                } else {
                    f32::from_bits(*word)
                }
            })
            .map(|value| if value.is_finite() { value } else { 0.0 })
            .collect()
    };
    extras.set("values", part(0));
    if spline {
        extras.set("in", part(1)).set("out", part(2));
    }
    extras.into()
}

/// A colour: the static one is stored red first, its keys blue first.
pub(super) fn color(base: [f32; 3], tracks: &Tracks, tag: Tag, default: [f32; 3]) -> Animated<[f32; 3]> {
    map(animated(base, tracks, tag, default), |[b, g, r]| [r, g, b])
}

impl Lowering<'_> {
    /// Visibility is on or off, without interpolation. `KVIS` is the tag in WoW alpha.
    pub(super) fn visibility(&self, tracks: &Tracks, tag: Tag) -> Animated<f32> {
        let tag = if self.is_wow() { effigy_mdx::track::tags::KVIS } else { tag };
        let mut visibility = animated(1.0, tracks, tag, 1.0);
        if let Some(track) = &mut visibility.track {
            track.interpolation = Interpolation::Step;
            track.tangents.clear();
        }
        visibility
    }
}
