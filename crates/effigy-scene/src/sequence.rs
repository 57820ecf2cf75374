//! Sequences: the named stretches of the timeline that play, and clocks of their own.

use crate::{Bounds, Extras};

/// A named stretch of the timeline.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sequence {
    /// Its name; may repeat.
    pub name: String,
    /// First millisecond on the timeline.
    pub start: i32,
    /// Last millisecond on the timeline.
    pub end: i32,
    /// Whether it starts again at its end; otherwise the last pose holds.
    pub looping: bool,
    /// How far the model walks in a second while it plays; 0 for most.
    pub move_speed: f32,
    /// Bounds while it plays, as the source states them.
    pub bounds: Bounds,
    /// What only the source format knows (rarity, frequency, blend time).
    pub extras: Extras,
}

impl Sequence {
    /// Its length in milliseconds, never negative.
    #[must_use]
    pub fn length(&self) -> i32 {
        self.end.saturating_sub(self.start).max(0)
    }
}

/// A clock that runs on whatever sequence plays.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GlobalSequence {
    /// After so many milliseconds it starts again; 0: it stands still.
    pub length: u32,
}
