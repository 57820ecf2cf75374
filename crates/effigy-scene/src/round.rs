//! Key times that are whole milliseconds, as the games' files have them.

use crate::sample::Value;
use crate::validate::walk::{each_animated, each_track};
use crate::{Animated, Interpolation, Scene, Track, TurnRule};
use std::cell::Cell;

/// What a key may be mixed with: keys of the same interval of the timeline.
struct Rounding {
    turns: TurnRule,
    /// First and last millisecond of each sequence.
    intervals: Vec<[f64; 2]>,
    /// The interval that was found last. Keys ascend, so that the next ones are usually in it as well.
    last: Cell<usize>,
}

impl Rounding {
    /// Whether both times are in the same sequence. A fraction may put a key before the first or after the last
    /// millisecond.
    fn together(&self, a: f64, b: f64) -> bool {
        let inside = |time: f64, [start, end]: [f64; 2]| time >= start - 0.5 && time <= end + 0.5;
        let both = |interval: &[f64; 2]| inside(a, *interval) && inside(b, *interval);
        if self.intervals.get(self.last.get()).is_some_and(both) {
            return true;
        }
        let found = self.intervals.iter().position(both);
        self.last.set(found.unwrap_or(self.last.get()));
        found.is_some()
    }
}

impl Scene {
    /// Makes all key times whole milliseconds, which the games' files hold. A key of straight lines that is between two
    /// milliseconds becomes two keys with the values that the lines have there: the curve differs only in that millisecond.
    pub fn round_times(&mut self) {
        fn animated<T: Value>(rounding: &Rounding, _: &str, _: usize, _: &str, value: &mut Animated<T>) {
            if let Some(track) = &mut value.track {
                round(rounding, track);
            }
        }
        fn keys<T: Value>(rounding: &Rounding, _: &str, _: usize, _: &str, track: &mut Track<T>) {
            round(rounding, track);
        }
        let intervals =
            self.sequences.iter().map(|(_, it)| [f64::from(it.start), f64::from(it.end)]).collect();
        let rounding = &Rounding { turns: self.turn_rule, intervals, last: Cell::new(0) };
        let scene = self;
        each_animated!(scene, as_mut_slice, [mut], animated, rounding);
        each_track!(scene, as_mut_slice, [mut], keys, rounding);
    }
}

fn round<T: Value>(rounding: &Rounding, track: &mut Track<T>) {
    if track.fractions.is_empty() {
        return;
    }
    if track.interpolation != Interpolation::Linear {
        track.fractions.clear();
        return;
    }
    let most = track.len().saturating_mul(2);
    let mut rounded = Track {
        times: Vec::with_capacity(most),
        fractions: Vec::new(),
        values: Vec::with_capacity(most),
        tangents: std::mem::take(&mut track.tangents),
        windows: std::mem::take(&mut track.windows),
        ..*track
    };
    // Where the keys of each old key are now.
    let mut places: Vec<[u32; 2]> = Vec::with_capacity(track.times.len());
    let number = |index: usize| u32::try_from(index).unwrap_or(u32::MAX);
    for key in 0..track.len() {
        let first = rounded.times.len();
        for (time, value) in whole_keys(rounding, track, key).into_iter().flatten() {
            if first == rounded.times.len() && rounded.times.last() == Some(&time) {
                continue;
            }
            rounded.times.push(time);
            rounded.values.push(value);
        }
        let last = rounded.times.len().saturating_sub(1);
        places.push([number(first.min(last)), number(last)]);
    }
    for window in &mut rounded.windows {
        let [first, last] = window.map(|key| places.get(key as usize).copied().unwrap_or_default());
        *window = [first[0], last[1]];
    }
    *track = rounded;
}

/// The keys at whole milliseconds in place of one key: one, or two around it.
#[allow(
    clippy::cast_possible_truncation,
    reason = "a share between two keys, and a time within half a millisecond of a whole one"
)]
fn whole_keys<T: Value>(rounding: &Rounding, track: &Track<T>, key: usize) -> [Option<(i32, T)>; 2] {
    let (Some(value), Some(nearest)) = (track.values.get(key), track.times.get(key)) else {
        return [None; 2];
    };
    let exact = track.time(key);
    if exact == f64::from(*nearest) {
        return [Some((*nearest, *value)), None];
    }
    let on_line = |other: Option<usize>, whole: f64| {
        let other = other.filter(|other| *other < track.len())?;
        let time = track.time(other);
        let share = (whole - exact) / (time - exact);
        let fits = (0.0..=1.0).contains(&share) && (track.global.is_some() || rounding.together(time, exact));
        let other = track.values.get(other)?;
        fits.then(|| (whole as i32, T::mix(*value, *other, share as f32, rounding.turns)))
    };
    let before = on_line(key.checked_sub(1), exact.floor());
    let after = on_line(key.checked_add(1), exact.ceil());
    match (before, after) {
        (Some(before), Some(after)) => [Some(before), Some(after)],
        // At an end, the nearest millisecond, if it is on the line.
        (found @ Some((time, _)), None) | (None, found @ Some((time, _))) if time == *nearest => {
            [found, None]
        }
        _ => [Some((*nearest, *value)), None],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Node, NodeKind, Sequence};

    fn rounded(track: Track<[f32; 3]>) -> Track<[f32; 3]> {
        let mut scene = Scene::default();
        scene.sequences.push(Sequence { start: 0, end: 100, ..Sequence::default() });
        scene.sequences.push(Sequence { start: 1000, end: 1100, ..Sequence::default() });
        let mut node = Node::new("node", NodeKind::Bone, None, [0.0; 3]);
        node.translation.track = Some(track);
        scene.nodes.push(node);
        scene.round_times();
        scene.nodes.as_slice()[0].translation.track.clone().unwrap()
    }

    /// Keys at 0, 40.25, 79.5, and in the other sequence at 999.75. Up by ten per millisecond, and down again.
    fn track() -> Track<[f32; 3]> {
        let values = vec![[0.0; 3], [402.5; 3], [10.0; 3], [7.0; 3]];
        let fractions = vec![0.0, 0.25, -0.5, -0.25];
        let windows = vec![[0, 2], [3, 3]];
        Track { fractions, windows, ..Track::linear(vec![0, 40, 80, 1000], values, [0.0; 3]) }
    }

    #[test]
    fn a_key_between_milliseconds_becomes_two_on_the_lines() {
        let found = rounded(track());
        assert!(found.fractions.is_empty());
        // The last key of a sequence has nothing after it.
        assert_eq!(found.times, [0, 40, 41, 80, 1000]);
        // Down by 392.5 in 39.25 milliseconds: three quarters of one after 40.25.
        assert_eq!(found.values, [[0.0; 3], [400.0; 3], [395.0; 3], [10.0; 3], [7.0; 3]]);
        assert_eq!(found.windows, [[0, 3], [4, 4]]);
    }

    #[test]
    fn steps_and_whole_times_keep_their_values() {
        let stepped = rounded(Track { interpolation: Interpolation::Step, ..track() });
        assert_eq!((&stepped.times, &stepped.values), (&track().times, &track().values));
        assert!(stepped.fractions.is_empty());
        let whole = Track::linear(vec![0, 50], vec![[1.0; 3], [2.0; 3]], [0.0; 3]);
        assert_eq!(rounded(whole.clone()), whole);
    }

    #[test]
    fn keys_within_one_millisecond_stay_in_order() {
        let values = vec![[0.0; 3], [1.0; 3], [2.0; 3], [3.0; 3]];
        let close = Track {
            fractions: vec![0.0, 0.2, 0.4, 0.0],
            ..Track::linear(vec![0, 10, 10, 20], values, [0.0; 3])
        };
        let found = rounded(close);
        assert!(found.times.is_sorted() && found.times.len() == found.values.len(), "{found:?}");
        assert_eq!((found.times.first(), found.times.last()), (Some(&0), Some(&20)));
    }
}
