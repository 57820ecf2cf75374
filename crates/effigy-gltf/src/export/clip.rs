//! Clips: what an animation plays, and at which times its tracks have keys.

use effigy_scene::sample::{Moment, Sampler};
use effigy_scene::{GlobalSequence, Id, Sequence, Track};

/// Longest animation in milliseconds: ten minutes. Longer ones come from broken times.
pub(crate) const LONGEST: f64 = 600_000.0;
/// Even samples of one curve, at most: ten minutes at 60 per second.
const MOST_SAMPLES: f64 = 36_000.0;

/// More pieces than this are not made from repeated global sequences: they are sampled instead.
const MOST_PIECES: usize = 36_000;

/// What plays in an animation.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Clip {
    /// A sequence; with `unroll`, global clocks start with it.
    Sequence { id: Id<Sequence>, length: f64, unroll: bool },
    /// A global sequence alone.
    Global { id: Id<GlobalSequence>, length: f64 },
}

impl Clip {
    pub(crate) const fn length(&self) -> f64 {
        match self {
            Self::Sequence { length, .. } | Self::Global { length, .. } => *length,
        }
    }

    pub(crate) const fn moment(&self, time: f64) -> Moment {
        match self {
            Self::Sequence { id, .. } => Moment { sequence: Some(*id), time, clock: time },
            Self::Global { .. } => Moment { sequence: None, time: 0.0, clock: time },
        }
    }

    /// Whether a track moves in this clip.
    pub(crate) fn plays<T>(&self, track: &Track<T>) -> bool {
        match (self, track.global) {
            (Self::Sequence { .. }, None) => true,
            (Self::Sequence { unroll, .. }, Some(_)) => *unroll,
            (Self::Global { id, .. }, global) => global == Some(*id),
        }
    }

    /// Adds the times inside the clip at which a track has keys. False when there are too many.
    pub(crate) fn key_times<T>(&self, sampler: &Sampler<'_>, track: &Track<T>, times: &mut Vec<f64>) -> bool {
        let length = self.length();
        let inside = |time: f64| (time > 0.0 && time < length).then_some(time);
        let moment = self.moment(0.0);
        let Some((first, last)) = sampler.window(track, &moment) else { return true };
        // In formats that interpolate toward it, the next key after the window ends the last piece.
        let keys = first..(last + 2).min(track.times.len());
        let period = track
            .global
            .and_then(|id| sampler.scene().global_sequences.get(id))
            .map(|it| f64::from(it.length));
        match (self, period) {
            (Self::Sequence { .. }, Some(period)) if period > 0.0 => {
                let rounds = (length / period).ceil();
                if rounds * (keys.len() as f64 + 1.0) > MOST_PIECES as f64 {
                    return false;
                }
                let mut start = 0.0;
                while start < length {
                    times.extend(inside(start));
                    let keys = keys.clone().map(|key| track.time(key)).filter(|time| *time < period);
                    times.extend(keys.filter_map(|time| inside(start + time)));
                    start += period;
                }
            }
            (Self::Sequence { id, .. }, None) => {
                let start = sampler.scene().sequences.get(*id).map_or(0.0, |it| f64::from(it.start));
                times.extend(keys.filter_map(|key| inside(track.time(key) - start)));
            }
            _ => times.extend(keys.filter_map(|key| inside(track.time(key)))),
        }
        true
    }

    /// Times of evenly spaced samples inside the clip.
    pub(crate) fn even_times(&self, fps: f32, times: &mut Vec<f64>) {
        self.some_times(fps, MOST_SAMPLES, times);
    }

    /// Times of at most so many evenly spaced samples. False when they are further apart than asked.
    pub(crate) fn some_times(&self, fps: f32, most: f64, times: &mut Vec<f64>) -> bool {
        let asked = 1000.0 / f64::from(fps.clamp(1.0, 1000.0));
        let step = asked.max(self.length() / most.clamp(1.0, MOST_SAMPLES));
        let mut time = step;
        while time < self.length() {
            times.push(time);
            time += step;
        }
        step <= asked
    }

    /// Both ends and the given times, ascending, each once.
    pub(crate) fn boundaries(&self, mut times: Vec<f64>) -> Vec<f64> {
        if times.first() != Some(&0.0) {
            times.push(0.0);
        }
        times.push(self.length());
        if !times.is_sorted() {
            // Several sorted runs, which a stable sort handles fast.
            times.sort_by(f64::total_cmp);
        }
        times.dedup_by(|a, b| (*a - *b).abs() < 1e-6);
        times
    }
}

#[cfg(test)]
mod tests;
