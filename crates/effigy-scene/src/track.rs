//! Values that change over time: keys, how they are interpolated, and which clock they follow.

use crate::{GlobalSequence, Id};

/// How values between two keys are computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Interpolation {
    /// The value of the earlier key.
    Step,
    /// Straight from key to key; rotations as the scene's [`crate::TurnRule`] says.
    #[default]
    Linear,
    /// Cubic with tangents (change per segment, not per second).
    Hermite,
    /// Cubic with control points.
    Bezier,
}

impl Interpolation {
    /// Whether keys carry tangents.
    #[must_use]
    pub const fn is_spline(self) -> bool {
        matches!(self, Self::Hermite | Self::Bezier)
    }
}

/// A rotation as a quaternion x, y, z, w. In memory it is these four numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(transparent)]
pub struct Rotation(pub [f32; 4]);

impl Rotation {
    /// No rotation.
    pub const IDENTITY: Self = Self([0.0, 0.0, 0.0, 1.0]);
}

impl Default for Rotation {
    fn default() -> Self {
        Self::IDENTITY
    }
}

/// Keys over time. `times`, `values` and (for splines) `tangents` have the same length; times ascend.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Track<T> {
    /// How values between two keys are computed.
    pub interpolation: Interpolation,
    /// The global sequence whose clock the keys follow; none: the sequence that plays.
    pub global: Option<Id<GlobalSequence>>,
    /// Key times in milliseconds, on the scene's single timeline or from the start of the global sequence.
    pub times: Vec<i32>,
    /// What is added to each of `times`, -0.5 to 0.5 milliseconds. Empty: all times are whole milliseconds, as in the games' files;
    /// glTF has finer ones.
    pub fractions: Vec<f32>,
    /// One value per key.
    pub values: Vec<T>,
    /// In- and out-tangent of each key; empty unless [`Interpolation::is_spline`].
    pub tangents: Vec<[T; 2]>,
    /// First and last key of each sequence, both included. Empty: a sequence's keys are those inside its interval.
    pub windows: Vec<[u32; 2]>,
    /// The value in a sequence that has no key of this track.
    pub default: T,
}

impl<T> Track<T> {
    /// The time of a key in milliseconds; 0 if there is no such key.
    #[inline]
    #[must_use]
    pub fn time(&self, key: usize) -> f64 {
        let whole = f64::from(self.times.get(key).copied().unwrap_or(0));
        match self.fractions.get(key) {
            Some(fraction) => whole + f64::from(*fraction),
            None => whole,
        }
    }

    /// Whether no key is before the one in front of it.
    #[must_use]
    pub fn ascends(&self) -> bool {
        if self.fractions.is_empty() {
            return self.times.is_sorted();
        }
        (1..self.times.len()).all(|key| self.time(key - 1) <= self.time(key))
    }
}

impl<T: Copy> Track<T> {
    /// A track of straight lines on the sequence clock.
    pub fn linear(times: Vec<i32>, values: Vec<T>, default: T) -> Self {
        Self {
            interpolation: Interpolation::Linear,
            global: None,
            times,
            fractions: Vec::new(),
            values,
            tangents: Vec::new(),
            windows: Vec::new(),
            default,
        }
    }

    /// Adds a time. The value of the key, and its tangents, must be added too.
    pub fn push_time(&mut self, time: i32, fraction: f32) {
        if fraction != 0.0 && self.fractions.is_empty() {
            self.fractions.resize(self.times.len(), 0.0);
        }
        self.times.push(time);
        if !self.fractions.is_empty() || fraction != 0.0 {
            self.fractions.push(fraction);
        }
    }

    /// How many keys there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.times.len().min(self.values.len())
    }

    /// Whether there is no key.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A value that is constant or follows a track. The track, where there is one, wins entirely.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Animated<T> {
    /// The value without a track.
    pub base: T,
    /// The keys.
    pub track: Option<Track<T>>,
}

impl<T> Animated<T> {
    /// A value that does not change.
    pub const fn fixed(base: T) -> Self {
        Self { base, track: None }
    }

    /// Whether it can change.
    #[must_use]
    pub const fn is_animated(&self) -> bool {
        self.track.is_some()
    }
}

impl<T> From<T> for Animated<T> {
    fn from(base: T) -> Self {
        Self::fixed(base)
    }
}
