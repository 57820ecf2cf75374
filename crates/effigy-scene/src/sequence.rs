//! Sequences: named intervals of the timeline, and clocks that are independent of them.

use crate::{Bounds, Extras};

/// A named interval of the timeline.
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
    /// How far the model walks per second while it plays; usually 0.
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

/// A clock that keeps running when the sequence changes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GlobalSequence {
    /// Milliseconds after which it starts again; 0: it does not run.
    pub length: u32,
}
