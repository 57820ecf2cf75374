//! Keys for curves that the target does not have: as many as the tolerance asks for.

use super::{Keys, MOST, Retiming};
use crate::raise::metric::Metric;
use crate::raise::reduce::place;
use effigy_scene::{Interpolation, Track, TurnRule};

/// A bow that is 1 high in its middle is 3/4 high at its quarters. An S is highest near its quarters and has nothing in its
/// middle, so that quarters tell enough.
const AT_QUARTERS: f32 = 0.75;

/// A part of a curve that may need more keys.
struct Span<T> {
    times: [i32; 2],
    ends: [T; 2],
    /// The value half way, if it is known already.
    middle: Option<T>,
}

/// The curve from a key to the next one; none if there is none.
pub(super) fn segment<T: Metric>(track: &Track<T>, key: usize, turns: TurnRule) -> Option<impl Fn(i32) -> T> {
    let next = key.checked_add(1)?;
    let times = [*track.times.get(key)?, *track.times.get(next)?];
    let (a, b) = (*track.values.get(key)?, *track.values.get(next)?);
    let (kind, out, into) = match (track.tangents.get(key), track.tangents.get(next)) {
        (Some([_, out]), Some([into, _])) => (track.interpolation, *out, *into),
        // A spline without tangents is straight.
        _ if track.interpolation.is_spline() => (Interpolation::Linear, a, b),
        _ => (track.interpolation, a, b),
    };
    let curve = T::curve(kind, [a, out, into, b], turns);
    Some(move |time: i32| match time {
        time if time <= times[0] => a,
        time if time >= times[1] => b,
        time => curve(place(time, times[0], times[1])),
    })
}

impl Retiming<'_> {
    /// Adds keys between two times with these values, until going straight from key to key is near enough to the curve.
    pub(super) fn fill<T: Metric>(
        &self,
        [from, to]: [i32; 2],
        ends: [T; 2],
        straight: bool,
        value: &impl Fn(i32) -> T,
        keys: &mut Keys<T>,
    ) {
        let turns = T::ANGLE && self.quarters;
        if straight && !turns {
            return;
        }
        let tolerance = self.fine.of::<T>(self.lengths);
        let (limit, at_quarters) = (T::gap_of(tolerance), T::gap_of(tolerance * AT_QUARTERS));
        let mut open = vec![Span { times: [from, to], ends, middle: None }];
        // From the left to the right, so that keys are only ever added at the end.
        while let Some(Span { times: [start, end], ends: [a, b], middle }) = open.pop() {
            let half = start.midpoint(end);
            let can_split = keys.times.len() < MOST && half != start && half != end;
            let split = can_split.then(|| {
                let near = if self.aligns() { b.near(a) } else { b };
                if turns && T::is_far(a, near) {
                    return Some((middle.unwrap_or_else(|| value(half)), [None; 2]));
                }
                if straight {
                    return None;
                }
                let gaps = T::gaps(a, near, self.turns);
                let is_off = |time: i32, found: T, limit| gaps(place(time, start, end), found) > limit;
                let quarters = [start.midpoint(half), half.midpoint(end)];
                let (first, last) = (value(quarters[0]), value(quarters[1]));
                let bad = middle.is_some_and(|middle| is_off(half, middle, limit))
                    || is_off(quarters[0], first, at_quarters)
                    || is_off(quarters[1], last, at_quarters);
                bad.then(|| (middle.unwrap_or_else(|| value(half)), [Some(first), Some(last)]))
            });
            match split.flatten() {
                Some((middle, [first, last])) => {
                    open.push(Span { times: [half, end], ends: [middle, b], middle: last });
                    open.push(Span { times: [start, half], ends: [a, middle], middle: first });
                }
                // The last end is added by the caller.
                None if end < to => {
                    keys.times.push(end);
                    keys.values.push(b);
                }
                None => {}
            }
        }
    }
}
