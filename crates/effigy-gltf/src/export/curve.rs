//! From a track of the scene to keys of a glTF animation.
//!
//! A clip is cut into pieces at its ends and at every key inside. On each piece the game's curve is one polynomial or
//! one arc, so its ends (and the slopes there) determine it: straight and stepped tracks and splines of numbers
//! are exact, whichever rule the game has before the first and after the last key. Where the curve jumps, the
//! piece before ends one millisecond early. Splines of rotations are not the kind of curve that glTF has, and are
//! sampled until the error is below a bound.

mod guard;
mod numbers;
mod pieces;
mod rotations;
mod thin;

pub(crate) use numbers::numbers;
pub(crate) use pieces::still;
pub(crate) use rotations::{off_arc, rotation_chord, rotations, unit_rotation};
pub(crate) use thin::{Off, off_line, thinned};

/// A jump needs this much room before it, in milliseconds.
pub(crate) const JUMP: f64 = 1.0;

/// How keys are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Step,
    Linear,
    Cubic,
}

impl Mode {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Step => "STEP",
            Self::Linear => "LINEAR",
            Self::Cubic => "CUBICSPLINE",
        }
    }
}

/// Keys of an animation: seconds from its start.
#[derive(Clone, Debug)]
pub(crate) struct Curve<T> {
    pub mode: Mode,
    pub times: Vec<f32>,
    pub values: Vec<T>,
    /// In and out, per second; only for [`Mode::Cubic`].
    pub tangents: Vec<[T; 2]>,
}

impl<T: Copy + PartialEq> Curve<T> {
    /// A curve without keys, with room for some.
    pub(crate) fn with_room(mode: Mode, keys: usize) -> Self {
        let tangents = Vec::with_capacity(if mode == Mode::Cubic { keys } else { 0 });
        Self { mode, times: Vec::with_capacity(keys), values: Vec::with_capacity(keys), tangents }
    }

    /// One key: the value never changes.
    pub(crate) fn still(mode: Mode, value: T) -> Self {
        let mode = if mode == Mode::Cubic { Mode::Linear } else { mode };
        Self { mode, times: vec![0.0], values: vec![value], tangents: Vec::new() }
    }

    /// Adds a key. If single precision cannot distinguish its time from the last one, it replaces that key.
    pub(crate) fn push(&mut self, milliseconds: f64, value: T, tangents: [T; 2]) {
        let time = seconds(milliseconds);
        if self.times.last().is_some_and(|last| *last >= time) {
            if let Some(last) = self.values.last_mut() {
                *last = value;
            }
            if self.mode == Mode::Cubic
                && let Some(last) = self.tangents.last_mut()
            {
                last[1] = tangents[1];
            }
            return;
        }
        self.times.push(time);
        self.values.push(value);
        if self.mode == Mode::Cubic {
            self.tangents.push(tangents);
        }
    }

    /// The value when there is only one key.
    pub(crate) fn constant(&self) -> Option<T> {
        match self.values.as_slice() {
            [only] => Some(*only),
            _ => None,
        }
    }

    /// Keeps one key when the value never changes. `flat` is the tangent of rest.
    pub(crate) fn collapse(mut self, flat: T) -> Self {
        let Some(first) = self.values.first().copied() else { return self };
        if self.values.iter().all(|value| *value == first)
            && self.tangents.iter().flatten().all(|it| *it == flat)
        {
            self.mode = if self.mode == Mode::Cubic { Mode::Linear } else { self.mode };
            self.times.truncate(1);
            self.values.truncate(1);
            self.tangents.clear();
        }
        self
    }

    /// The same keys with other values.
    pub(crate) fn map<U>(self, value: impl Fn(T) -> U, tangent: impl Fn(T) -> U) -> Curve<U> {
        Curve {
            mode: self.mode,
            times: self.times,
            values: self.values.into_iter().map(value).collect(),
            tangents: self.tangents.into_iter().map(|pair| pair.map(&tangent)).collect(),
        }
    }
}

#[allow(clippy::cast_possible_truncation, reason = "glTF times are single precision")]
pub(crate) fn seconds(milliseconds: f64) -> f32 {
    (milliseconds / 1000.0) as f32
}

/// How finely curves are cut.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fineness {
    /// Keys per second, at most.
    pub fps: f32,
    /// The largest error of a player that draws straight lines between keys.
    pub tolerance: f32,
}

#[cfg(test)]
mod tests;
