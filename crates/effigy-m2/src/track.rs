//! Tracks ("animation blocks"): values that change over time.
//!
//! Before 264 all sequences share one timeline, and a range per sequence selects its keys: first and last, both
//! included. Where no key is exactly at the start or the end, the range includes the key before or after it. From 264 on
//! each sequence has its own list of keys, with times from 0.
//! Evidence: real files of 256, 260, 263 and 264.

use crate::block::{Block, Key};
use crate::series::Series;
use crate::version::Caps;
use crate::walk::{Tree, Walker, WalkerMut};
use effigy_wire::{Cursor, Label, Locate, Result, Sink, Wire, record};

/// How the value between two keys is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpolation {
    /// The value of the last key, unchanged until the next one.
    Step,
    /// Linear between keys (shortest arc for rotations).
    Linear,
    /// Cubic Bezier: value, outgoing control point, incoming control point of the next key, its value.
    Bezier,
    /// Cubic Hermite with outgoing and incoming tangents.
    Hermite,
    /// A number that is not known from any file.
    Other(i16),
}

impl From<i16> for Interpolation {
    fn from(number: i16) -> Self {
        match number {
            0 => Self::Step,
            1 => Self::Linear,
            2 => Self::Bezier,
            3 => Self::Hermite,
            other => Self::Other(other),
        }
    }
}

/// A value that changes over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Track<T> {
    /// 0 step, 1 linear, 2 Bezier, 3 Hermite; see [`Interpolation`].
    pub interpolation: i16,
    /// The global sequence whose clock drives the track, or -1 for the sequence that is playing.
    pub global_sequence: i16,
    /// First and last key of each sequence, then of each global sequence (zeros). Empty for constants. Before 264.
    pub ranges: Block<[u32; 2]>,
    /// Milliseconds, increasing.
    pub times: Series<u32>,
    /// One value per time.
    pub values: Series<T>,
}

impl<T> Default for Track<T> {
    fn default() -> Self {
        Self {
            interpolation: 0,
            global_sequence: -1,
            ranges: Block::default(),
            times: Series::default(),
            values: Series::default(),
        }
    }
}

impl<T: Key> Track<T> {
    /// A track with one key at time 0, so that the value never changes, in the layout of `caps`.
    #[must_use]
    pub fn constant(value: T, caps: Caps) -> Self {
        let mut track = Self::default();
        if caps.contains(Caps::NESTED) {
            track.times.push_part(&[0]);
            track.values.push_part(&[value]);
        } else {
            track.times = Series::flat(vec![0]);
            track.values = Series::flat(vec![value]);
        }
        track
    }

    /// How the value between two keys is computed.
    #[must_use]
    pub fn interpolation(&self) -> Interpolation {
        self.interpolation.into()
    }

    /// Whether the track has no keys at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.times.is_empty() && self.values.is_empty()
    }

    /// The keys of a sequence: as many times as values. Before 264 the times are on the timeline that all sequences
    /// share, from 264 on they start at 0 with the sequence. A track of a global sequence returns all its keys.
    #[must_use]
    pub fn keys(&self, sequence: usize) -> (&[u32], &[T]) {
        let (times, values) = if self.times.parts.is_empty() {
            let last = self.times.all().len().saturating_sub(1);
            let (first, last) = match self.ranges.get(sequence) {
                Some(&[first, last]) if self.global_sequence < 0 => (first as usize, last as usize),
                _ => (0, last),
            };
            let range = first..last.saturating_add(1).max(first);
            (
                self.times.all().get(range.clone()).unwrap_or_default(),
                self.values.all().get(range).unwrap_or_default(),
            )
        } else {
            // A track with fewer lists than sequences uses its first one.
            let part = if sequence < self.times.parts.len() { sequence } else { 0 };
            (self.times.part(part), self.values.part(part))
        };
        let count = times.len().min(values.len());
        (times.get(..count).unwrap_or_default(), values.get(..count).unwrap_or_default())
    }

    /// Whether part `n` belongs to sequence `n`.
    pub(crate) const fn is_bound(&self) -> bool {
        self.global_sequence < 0
    }
}

impl<T: Key> Tree for Track<T> {
    const LEAF: bool = false;
    #[inline]
    fn walk<'a, W: Walker<'a>>(&'a self, walker: &mut W) {
        walker.track(self);
    }
    #[inline]
    fn walk_mut<W: WalkerMut>(&mut self, walker: &mut W) {
        walker.track(self);
    }
}

/// Reader and writer of a record with a type parameter, which `record!` does not take: its fields in file order.
macro_rules! generic_record {
    ($name:ident { $($field:ident $([$cap:expr])?,)* }) => {
        impl<T: Key> Wire<Caps> for $name<T> {
            #[inline]
            fn read(cursor: &mut Cursor<'_>, caps: Caps) -> Result<Self> {
                let mut this = Self::default();
                $(if true $(&& caps.contains($cap))? {
                    this.$field = Wire::read(cursor, caps).in_field(stringify!($field))?;
                })*
                Ok(this)
            }

            #[inline]
            fn write<S: Sink>(&self, sink: &mut S, caps: Caps) {
                $(if true $(&& caps.contains($cap))? {
                    sink.enter(Label::Field(stringify!($field)));
                    self.$field.write(sink, caps);
                    sink.leave();
                })*
            }

            fn parse(tree: &effigy_wire::Tree<'_>, caps: Caps) -> Result<Self> {
                tree.only(&[$(stringify!($field)),*])?;
                let mut this = Self::default();
                $(if let Some(part) = tree.part(stringify!($field)) $(&& caps.contains($cap))? {
                    this.$field = Wire::parse(part, caps).in_field(stringify!($field))?;
                })*
                Ok(this)
            }
        }
    };
}

generic_record! { Track { interpolation, global_sequence, ranges [Caps::TIMELINE], times, values, } }

record! {
    /// A track without values: the times at which an event happens.
    pub struct Moments(Caps) {
        /// 0 in all files.
        pub interpolation: i16,
        /// The global sequence whose clock drives the track, or -1 for the sequence that is playing.
        pub global_sequence: i16 = -1,
        /// First and last time of each sequence. Present in real files even when there are no times. Before 264.
        pub ranges: Block<[u32; 2]> [Caps::TIMELINE],
        /// Milliseconds, increasing.
        pub times: Series<u32>,
    }
}

impl Moments {
    pub(crate) const fn is_bound(&self) -> bool {
        self.global_sequence < 0
    }
}

impl Tree for Moments {
    const LEAF: bool = false;
    #[inline]
    fn walk<'a, W: Walker<'a>>(&'a self, walker: &mut W) {
        walker.moments(self);
    }
    #[inline]
    fn walk_mut<W: WalkerMut>(&mut self, walker: &mut W) {
        walker.moments(self);
    }
}

/// Values over a particle's life, with times from 0 to 32767 (264 on).
#[derive(Clone, Debug, PartialEq)]
pub struct LifeTrack<T> {
    /// Fractions of the life: 0 is birth, 32767 death.
    pub times: Block<u16>,
    /// One value per time.
    pub values: Block<T>,
}

impl<T> Default for LifeTrack<T> {
    fn default() -> Self {
        Self { times: Block::default(), values: Block::default() }
    }
}

impl<T: Key> Tree for LifeTrack<T> {
    const LEAF: bool = false;
    fn walk<'a, W: Walker<'a>>(&'a self, walker: &mut W) {
        walker.enter("times");
        walker.block(&self.times);
        walker.leave();
        walker.enter("values");
        walker.block(&self.values);
        walker.leave();
    }
    fn walk_mut<W: WalkerMut>(&mut self, walker: &mut W) {
        walker.enter("times");
        walker.block(&mut self.times);
        walker.leave();
        walker.enter("values");
        walker.block(&mut self.values);
        walker.leave();
    }
}

generic_record! { LifeTrack { times, values, } }
