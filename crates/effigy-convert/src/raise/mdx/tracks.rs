//! Tracks of the scene as tracks of an MDX.

use effigy_mdx::{Interpolation, Key, KeyValue, Track as MdxTrack, Tracks};
use effigy_scene::{Animated, Interpolation as Curve, Rotation, Track};
use effigy_wire::Tag;

/// A value of the scene that has a form in MDX.
pub(super) trait Written: Copy {
    type Wire: KeyValue;
    fn wire(self) -> Self::Wire;
}

impl Written for f32 {
    type Wire = Self;
    fn wire(self) -> Self {
        self
    }
}
impl Written for u32 {
    type Wire = Self;
    fn wire(self) -> Self {
        self
    }
}
impl Written for [f32; 3] {
    type Wire = Self;
    fn wire(self) -> Self {
        self
    }
}
impl Written for Rotation {
    type Wire = [f32; 4];
    fn wire(self) -> [f32; 4] {
        self.0
    }
}

/// A track with changed values.
pub(super) fn mapped<T: Written>(tag: Tag, track: &Track<T>, change: impl Fn(T) -> T) -> Option<MdxTrack> {
    let interpolation = match track.interpolation {
        Curve::Step => Interpolation::STEP,
        Curve::Linear => Interpolation::LINEAR,
        Curve::Hermite => Interpolation::HERMITE,
        Curve::Bezier => Interpolation::BEZIER,
    };
    let keys: Vec<Key<T::Wire>> = track
        .times
        .iter()
        .zip(&track.values)
        .enumerate()
        .map(|(index, (time, value))| Key {
            time: *time,
            value: change(*value).wire(),
            tangents: track.tangents.get(index).map(|both| both.map(|it| change(it).wire())),
        })
        .collect();
    if keys.is_empty() {
        return None;
    }
    let global = track.global.and_then(|id| i32::try_from(id.index()).ok()).unwrap_or(-1);
    MdxTrack::new(tag, interpolation, &keys).ok().map(|track| track.on_global_sequence(global))
}

/// Adds a track, if there is one.
pub(super) fn put<T: Written>(tracks: &mut Tracks, tag: Tag, track: Option<&Track<T>>) {
    put_mapped(tracks, tag, track, |value| value);
}

/// Adds a track with changed values, if there is one.
pub(super) fn put_mapped<T: Written>(
    tracks: &mut Tracks,
    tag: Tag,
    track: Option<&Track<T>>,
    change: impl Fn(T) -> T,
) {
    if let Some(track) = track.and_then(|track| mapped(tag, track, change)) {
        tracks.0.push(track);
    }
}

/// Adds the track of a value and returns what goes into the field next to it.
pub(super) fn value<T: Written>(tracks: &mut Tracks, tag: Tag, animated: &Animated<T>) -> T {
    put(tracks, tag, animated.track.as_ref());
    animated.base
}

/// The same for a colour: the field is red first, the keys are blue first.
pub(super) fn color(tracks: &mut Tracks, tag: Tag, animated: &Animated<[f32; 3]>) -> [f32; 3] {
    put_mapped(tracks, tag, animated.track.as_ref(), |[r, g, b]| [b, g, r]);
    animated.base
}
