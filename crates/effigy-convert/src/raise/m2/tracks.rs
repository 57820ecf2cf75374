//! Tracks of the scene as tracks of an M2.

use super::Writer;
use effigy_m2::{Caps, Key, Moments, ScalarKey, Series, Track as M2Track, VectorKey};
use effigy_scene::{Animated, Interpolation, Rotation, Track};

const fn number(interpolation: Interpolation) -> i16 {
    match interpolation {
        Interpolation::Step => 0,
        Interpolation::Linear => 1,
        Interpolation::Bezier => 2,
        Interpolation::Hermite => 3,
    }
}

/// A number from 0 to 1 as the file has it: 32767 is 1.
#[allow(clippy::cast_possible_truncation, reason = "float to integer casts saturate")]
pub(super) fn fix16(value: f32) -> i16 {
    (value * 32767.0).round() as i16
}

/// A switch.
pub(super) fn flag(value: f32) -> u8 {
    u8::from(value > 0.0)
}

/// Keys of these times, from a start on, and values.
fn keys<T: Copy, U>(
    times: &[i32],
    values: &[T],
    start: i32,
    map: &impl Fn(T) -> U,
) -> impl Iterator<Item = (u32, U)> {
    let since = move |time: &i32| u32::try_from(time.saturating_sub(start)).unwrap_or(0);
    times.iter().map(since).zip(values.iter().map(|value| map(*value)))
}

impl Writer<'_> {
    /// The part of a sorted list that belongs to a sequence, as positions.
    fn range(&self, times: &[i32], clip: usize) -> std::ops::Range<usize> {
        let Some(clip) = self.plan.clips.get(clip) else { return 0..0 };
        let first = times.partition_point(|time| *time < clip.start);
        first..times.partition_point(|time| *time <= clip.end).max(first)
    }

    /// The keys of all sequences, and where those of each end; sequences that play the keys of another have none.
    fn lists<T: Copy, U>(&self, track: &Track<T>, map: &impl Fn(T) -> U) -> (Vec<(u32, U)>, Vec<usize>) {
        let mut all = Vec::with_capacity(track.len());
        let mut ends = Vec::with_capacity(self.plan.sequences.len());
        for planned in &self.plan.sequences {
            if planned.alias.is_none() {
                let range = self.range(&track.times, planned.clip);
                let start = self.plan.clips.get(planned.clip).map_or(0, |clip| clip.start);
                let times = track.times.get(range.clone()).unwrap_or_default();
                all.extend(keys(times, track.values.get(range).unwrap_or_default(), start, map));
            }
            ends.push(all.len());
        }
        (all, ends)
    }

    fn made<T: Copy + PartialEq, U: Key>(&self, track: &Track<T>, map: impl Fn(T) -> U) -> M2Track<U> {
        let interpolation = number(track.interpolation);
        if let Some(global) = track.global {
            let keys: Vec<(u32, U)> = keys(&track.times, &track.values, 0, &map).collect();
            return self.model.make_loop(interpolation, i16::try_from(global.index()).unwrap_or(-1), &keys);
        }
        let first = track.values.first().copied();
        let still = track.values.iter().all(|value| Some(*value) == first);
        match first {
            Some(first) if still || self.plan.sequences.is_empty() => {
                M2Track::constant(map(first), self.caps)
            }
            _ => {
                let (keys, ends) = self.lists(track, &map);
                let starts = std::iter::once(&0).chain(&ends);
                let list = |(start, end): (&usize, &usize)| keys.get(*start..*end).unwrap_or_default();
                let lists: Vec<&[(u32, U)]> = starts.zip(&ends).map(list).collect();
                self.model.make_track(interpolation, &lists)
            }
        }
    }

    /// A value with its track.
    pub(super) fn track<T: Copy + PartialEq, U: Key>(
        &self,
        value: &Animated<T>,
        map: impl Fn(T) -> U,
    ) -> M2Track<U> {
        match &value.track {
            Some(track) => self.made(track, map),
            None => M2Track::constant(map(value.base), self.caps),
        }
    }

    /// A value whose rest needs no keys.
    pub(super) fn resting<T: Copy + PartialEq, U: Key>(
        &self,
        value: &Animated<T>,
        rest: T,
        map: impl Fn(T) -> U,
    ) -> M2Track<U> {
        let still = match &value.track {
            Some(track) => track.values.iter().all(|value| *value == rest),
            None => value.base == rest,
        };
        if still { M2Track::default() } else { self.track(value, map) }
    }

    /// A track of a camera, with tangents.
    pub(super) fn vectors(&self, track: Option<&Track<[f32; 3]>>) -> M2Track<VectorKey> {
        let Some(track) = track else { return M2Track::default() };
        let joined =
            joined(track, |value, [in_tangent, out_tangent]| VectorKey { value, in_tangent, out_tangent });
        self.made(&joined, |key| key)
    }

    /// A track of a camera, with tangents.
    pub(super) fn numbers(&self, track: Option<&Track<f32>>) -> M2Track<ScalarKey> {
        let Some(track) = track else { return M2Track::default() };
        let joined =
            joined(track, |value, [in_tangent, out_tangent]| ScalarKey { value, in_tangent, out_tangent });
        self.made(&joined, |key| key)
    }

    /// The times of an event.
    pub(super) fn moments(&self, times: &[i32], global: Option<i16>) -> Moments {
        if let Some(global_sequence) = global {
            let times: Vec<u32> = times.iter().filter_map(|time| u32::try_from(*time).ok()).collect();
            let nested = self.caps.contains(Caps::NESTED);
            let times = if nested { Series::nested([times]) } else { Series::flat(times) };
            return Moments { global_sequence, times, ..Moments::default() };
        }
        // On a shared timeline a sequence that plays the keys of another has its times already.
        let shared = !self.caps.contains(Caps::NESTED);
        let list = |planned: &super::sequences::Planned| -> Vec<u32> {
            if shared && planned.alias.is_some() {
                return Vec::new();
            }
            let start = self.plan.clips.get(planned.clip).map_or(0, |clip| clip.start);
            let found = times.get(self.range(times, planned.clip)).unwrap_or_default();
            let mut list: Vec<u32> =
                found.iter().filter_map(|time| u32::try_from(time.saturating_sub(start)).ok()).collect();
            list.dedup();
            list
        };
        let lists: Vec<Vec<u32>> = self.plan.sequences.iter().map(list).collect();
        let lists: Vec<&[u32]> = lists.iter().map(Vec::as_slice).collect();
        let mut made = self.model.make_moments(&lists);
        for (index, planned) in self.plan.sequences.iter().enumerate().filter(|_| shared) {
            let range = planned.alias.and_then(|leader| made.ranges.get(leader).copied());
            if let (Some(range), Some(own)) = (range, made.ranges.get_mut(index)) {
                *own = range;
            }
        }
        made
    }
}

/// The same track with tangents in its values.
fn joined<T: Copy, U: Copy>(track: &Track<T>, join: impl Fn(T, [T; 2]) -> U) -> Track<U> {
    let tangents = track.tangents.iter().copied().map(Some).chain(std::iter::repeat(None));
    let values =
        track.values.iter().zip(tangents).map(|(value, both)| join(*value, both.unwrap_or([*value; 2])));
    Track {
        interpolation: track.interpolation,
        global: track.global,
        times: track.times.clone(),
        fractions: Vec::new(),
        values: values.collect(),
        tangents: Vec::new(),
        windows: Vec::new(),
        default: join(track.default, [track.default; 2]),
    }
}

/// A rotation of length 1. Those that have it already keep their numbers.
pub(super) fn unit(Rotation(turn): Rotation) -> [f32; 4] {
    let turn = glam::Quat::from_array(turn);
    let square = turn.length_squared();
    let made = if (square - 1.0).abs() < 1e-3 {
        turn
    } else if square > 1e-12 {
        turn.normalize()
    } else {
        glam::Quat::IDENTITY
    };
    made.to_array()
}

/// The lengths that are tried for a packed rotation, in steps of 6e-6 from 1: the nearest to 1 come first.
const LENGTHS: [f32; 16] =
    [0.0, -1.0, 1.0, -2.0, 2.0, -3.0, 3.0, -4.0, 4.0, -5.0, 5.0, -6.0, 6.0, -7.0, 7.0, -8.0];
const STEP: f32 = 6e-6;
/// Of unit length, the words of a packed rotation are this far from their middle.
const MIDDLE: f32 = 32767.5;

/// What rounding adds to the word of a part of a unit quaternion that is this long.
#[inline]
fn rest(part: f32, length: f32) -> f32 {
    // 1.5 * 2^23: numbers of this size have no digits after the point, so that adding and subtracting it rounds.
    const ROUND: f32 = 12_582_912.0;
    let exact = part * length + MIDDLE;
    let word = (exact + ROUND) - ROUND;
    let word = if word < 65535.0 { word } else { 65535.0 };
    word - exact
}

/// A rotation in 16 bits per component. The length does not count, so that of a few lengths the one is taken whose direction is
/// nearest; a rotation that came from such numbers becomes the same numbers again.
///
/// All lengths are tried together, without a branch: the processor does several at a time, and a branch that depends on rounding
/// cannot be predicted.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float to integer casts saturate")]
pub(super) fn packed(Rotation(turn): Rotation) -> [u16; 4] {
    // The last bits of a number, which hold the position in the list.
    const POSITION: u32 = 0xf;
    // 1.5 * 2^52 rounds numbers of 64 bits, as in `rest`.
    const ROUND: f64 = 6_755_399_441_055_744.0;
    let length = turn.iter().map(|part| f64::from(*part).powi(2)).sum::<f64>().sqrt();
    if length < 1e-6 {
        return effigy_m2::rotation::IDENTITY;
    }
    let per_length = length.recip();
    let unit = turn.map(|part| f64::from(part) * per_length);
    let (mut along, mut square) = ([0.0_f32; LENGTHS.len()], [0.0_f32; LENGTHS.len()]);
    for part in unit.map(|part| part as f32) {
        for ((along, square), step) in along.iter_mut().zip(&mut square).zip(LENGTHS) {
            let rest = rest(part, (1.0 + step * STEP) * MIDDLE);
            *along += rest * part;
            *square += rest * rest;
        }
    }
    // What rounding changes about the direction: its part along the direction only changes the length.
    let mut best = [f32::MAX; 4];
    let all = along.as_chunks::<4>().0.iter().zip(square.as_chunks::<4>().0);
    for (first, (along, square)) in (0_u32..).step_by(4).zip(all) {
        for (at, ((along, square), best)) in (first..).zip(along.iter().zip(square).zip(&mut best)) {
            let off = square - along * along;
            let off = if off > 0.0 { off } else { 0.0 };
            let marked = f32::from_bits(off.to_bits() & !POSITION | at);
            *best = if marked < *best { marked } else { *best };
        }
    }
    let best = best.into_iter().fold(f32::MAX, f32::min).to_bits() & POSITION;
    let step = LENGTHS.get(best as usize).copied().unwrap_or(0.0);
    let length = (1.0 + f64::from(step) * f64::from(STEP)) * f64::from(MIDDLE);
    unit.map(|part| ((part * length + f64::from(MIDDLE) + ROUND) - ROUND) as u16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_rotations_come_back_and_others_are_near() {
        for words in [[32767, 32767, 32767, 65535], [40000, 20000, 33000, 60000], [1, 32768, 30000, 40000]] {
            let turn = glam::Quat::from_array(effigy_m2::rotation::unpack(words)).normalize();
            let again =
                glam::Quat::from_array(effigy_m2::rotation::unpack(packed(Rotation(turn.to_array()))));
            assert!(again.normalize().dot(turn) > 0.999_999_9, "{words:?}");
        }
        // Of a unit quaternion the same numbers.
        let turn = glam::Quat::from_array(effigy_m2::rotation::unpack([49151, 32767, 16384, 61000]));
        let words = packed(Rotation(turn.normalize().to_array()));
        let again = glam::Quat::from_array(effigy_m2::rotation::unpack(words)).normalize();
        assert!((again - turn.normalize()).length() < 4e-5);
        assert_eq!(unit(Rotation([0.0, 0.0, 3.0, 4.0])), [0.0, 0.0, 0.6, 0.8]);
        assert_eq!(unit(Rotation([0.0; 4])), [0.0, 0.0, 0.0, 1.0]);
        // As good as 1 already: the numbers stay.
        assert_eq!(unit(Rotation([0.0, 0.0, 0.6001, 0.8])), [0.0, 0.0, 0.6001, 0.8]);
        assert_eq!((fix16(1.0), fix16(0.5), flag(0.2), flag(0.0)), (32767, 16384, 1, 0));
    }
}
