//! How far the keys of a model extend around its sequences, for programs that place sequences on a new timeline.

use crate::block::{Block, Element, Key};
use crate::model::Model;
use crate::series::Series;
use crate::track::{Moments, Track};
use crate::version::Caps;
use crate::walk::{Tree, Walker};

/// The range of time that the keys of a model cover.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeyExtents {
    /// For each sequence, the smallest and largest time of its keys and events in milliseconds from its start. 0 is always
    /// included. Before 264 a linear track also depends on the key after the range of a sequence; that key is included if
    /// it is less than [`NEAR`] later than the range.
    pub sequences: Vec<[i32; 2]>,
    /// The largest time on the shared timeline, 0 from 264 on. From 2^31 on the times cannot be used as signed numbers.
    pub latest: u32,
}

/// A key that is at least this many milliseconds after the previous one (17 minutes) has no visible influence on the time
/// between them.
pub const NEAR: u32 = 1 << 20;

/// The time of a key in milliseconds from the start of its sequence. Times are numbers modulo 2^32, so that a sequence may
/// start before 0 or cross 2^31.
#[must_use]
pub const fn since(start: u32, time: u32) -> i32 {
    time.wrapping_sub(start).cast_signed()
}

impl Model {
    /// The range of time that the keys of the model cover.
    #[must_use]
    pub fn key_extents(&self) -> KeyExtents {
        let latest = self.sequences.iter().map(|sequence| sequence.start.max(sequence.end)).max();
        let sequences = vec![[0, 0]; self.sequences.len()];
        let found = KeyExtents { sequences, latest: latest.unwrap_or(0) };
        let starts = self.sequences.iter().map(|sequence| sequence.start).collect();
        let nested = self.caps().contains(Caps::NESTED);
        let mut search = Search { starts, nested, found };
        self.contents.walk(&mut search);
        search.found
    }
}

struct Search {
    starts: Vec<u32>,
    nested: bool,
    found: KeyExtents,
}

impl Search {
    fn note(&mut self, sequence: usize, times: &[u32]) {
        let start = self.starts.get(sequence).copied().unwrap_or(0);
        let Some([low, high]) = self.found.sequences.get_mut(sequence) else { return };
        // Keys are sorted, so the first and the last are enough.
        for &time in times.first().into_iter().chain(times.last()) {
            let offset = since(start, time);
            *low = offset.min(*low);
            *high = offset.max(*high);
        }
    }

    /// `open`: ranges end before their second number. `linear`: the key after a range has an influence.
    fn times(&mut self, times: &Series<u32>, ranges: &[[u32; 2]], open: bool, linear: bool) {
        if self.nested {
            for sequence in 0..times.part_count() {
                self.note(sequence, times.part(sequence));
            }
            return;
        }
        let all = times.all();
        self.found.latest = all.iter().copied().max().unwrap_or(0).max(self.found.latest);
        for sequence in 0..self.starts.len() {
            let (first, end) = match ranges.get(sequence) {
                Some(&[first, last]) => {
                    (first as usize, (last as usize).saturating_add(usize::from(!open)).min(all.len()))
                }
                // A single key without a range is a constant, whose time does not matter.
                None if all.len() <= 1 => return,
                None => (0, all.len()),
            };
            let keys = all.get(first..end).unwrap_or_default();
            self.note(sequence, keys);
            if let (true, Some(last), Some(next)) = (linear, keys.last(), all.get(end))
                && next.wrapping_sub(*last) < NEAR
            {
                self.note(sequence, std::slice::from_ref(next));
            }
        }
    }
}

impl<'a> Walker<'a> for Search {
    fn enter(&mut self, _: &'static str) {}
    fn leave(&mut self) {}

    fn block<T: Element>(&mut self, block: &'a Block<T>) {
        if !T::LEAF {
            for item in block {
                item.walk(self);
            }
        }
    }

    fn series<T: Key>(&mut self, _: &'a Series<T>, _: bool) {}

    fn track<T: Key>(&mut self, track: &'a Track<T>) {
        if track.is_bound() {
            self.times(&track.times, &track.ranges, false, track.interpolation != 0);
        }
    }

    fn moments(&mut self, moments: &'a Moments) {
        if moments.is_bound() {
            self.times(&moments.times, &moments.ranges, true, false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::{Bone, Sequence};
    use crate::version::Version;

    #[test]
    fn times_before_zero_and_across_the_sign_are_differences() {
        assert_eq!(since(0xffff_fff0, 10), 26);
        assert_eq!(since(100, 90), -10);
        assert_eq!(since(0x7fff_ffff, 0x8000_0001), 2);
    }

    #[test]
    fn the_key_after_a_range_counts_if_it_is_near() {
        let mut model = Model::new(Version::VANILLA);
        let sequence = |start, end| Sequence { start, end, ..Sequence::default() };
        model.sequences = vec![sequence(3_000_000_000, 3_000_001_000), sequence(100, 200)].into();
        let translation = Track {
            interpolation: 1,
            ranges: vec![[1, 2], [0, 0]].into(),
            times: Series::flat(vec![150, 2_999_999_990, 3_000_000_500, 3_000_005_000]),
            values: Series::flat(vec![[0.0; 3]; 4]),
            ..Track::default()
        };
        model.bones = vec![Bone { translation, ..Bone::default() }].into();
        let found = model.key_extents();
        assert_eq!(found.latest, 3_000_005_000);
        // The key after the second sequence is a month later.
        assert_eq!(found.sequences, [[-10, 5000], [0, 50]]);
    }

    #[test]
    fn lists_are_measured_from_their_own_start() {
        let mut model = Model::new(Version::WRATH);
        model.sequences = vec![Sequence { duration: 100, ..Sequence::default() }; 2].into();
        let mut translation = Track::<[f32; 3]>::default();
        translation.times.push_part(&[0, 5000]);
        translation.times.push_part(&[20]);
        model.bones = vec![Bone { translation, ..Bone::default() }].into();
        let found = model.key_extents();
        assert_eq!((found.sequences.as_slice(), found.latest), (&[[0, 5000], [0, 20]][..], 0));
    }

    #[test]
    fn which_keys_count() {
        let track = |interpolation, ranges: &[[u32; 2]], times: &[u32]| Track {
            interpolation,
            ranges: ranges.into(),
            times: Series::flat(times.to_vec()),
            values: Series::flat(vec![[0.0; 3]; times.len()]),
            ..Track::default()
        };
        let found = |translation: Track<[f32; 3]>| {
            let mut model = Model::new(Version::VANILLA);
            let sequence = |start, end| Sequence { start, end, ..Sequence::default() };
            model.sequences = vec![sequence(1000, 2000), sequence(5000, 6000)].into();
            model.bones = vec![Bone { translation, ..Bone::default() }].into();
            let found = model.key_extents();
            (found.sequences, found.latest)
        };
        let none = vec![[0, 0], [0, 0]];
        // A constant, and a track of a global sequence.
        assert_eq!(found(track(1, &[], &[90_000])), (none.clone(), 90_000));
        let global = Track { global_sequence: 0, ..track(1, &[[0, 1]], &[0, 90_000]) };
        assert_eq!(found(global), (none.clone(), 6000));
        // Without ranges every key belongs to every sequence.
        assert_eq!(found(track(1, &[], &[1500, 7000])), (vec![[0, 6000], [-3500, 2000]], 7000));
        // The key after a range counts for linear tracks only, and only if it is near.
        let ranges = [[0, 0], [1, 1]];
        assert_eq!(found(track(1, &ranges, &[1000, 5100])).0, [[0, 4100], [0, 100]]);
        assert_eq!(found(track(0, &ranges, &[1000, 5100])).0, [[0, 0], [0, 100]]);
        assert_eq!(found(track(1, &[[0, 0]], &[1000, 1000 + 0x10_0000])).0[0], [0, 0]);
        assert_eq!(found(track(1, &[[0, 0]], &[1000, 1000 + 0xf_ffff])).0[0], [0, 0xf_ffff]);
    }

    #[test]
    fn ranges_of_events_end_before_their_second_number() {
        let mut model = Model::new(Version::VANILLA);
        model.sequences = vec![Sequence { start: 1000, end: 2000, ..Sequence::default() }].into();
        let moments = Moments {
            ranges: vec![[0, 2]].into(),
            times: Series::flat(vec![900, 1100, 2500]),
            ..Moments::default()
        };
        model.events = vec![crate::records::Event { moments, ..Default::default() }].into();
        let found = model.key_extents();
        assert_eq!((found.sequences.as_slice(), found.latest), (&[[-100, 100]][..], 2500));
    }
}
