//! The walk over all blocks of a model, in the order in which original files have them.
//!
//! A record lists its blocks once, with `elements!` or `tree!`. Loading, laying out, writing, comparing and dumping are
//! walkers over that one list: a block comes before the blocks of its items, and the items follow one another. That is
//! the canonical order of the format.

use crate::block::{Block, Element, Key};
use crate::series::Series;
use crate::track::{Moments, Track};

/// A value that may contain blocks.
pub trait Tree {
    /// Whether values of this type never contain blocks, so that walkers can skip them.
    const LEAF: bool = true;

    /// Passes its blocks to the walker, in file order.
    fn walk<'a, W: Walker<'a>>(&'a self, walker: &mut W) {
        let _ = walker;
    }

    /// Passes its blocks to the walker for changes, in file order.
    fn walk_mut<W: WalkerMut>(&mut self, walker: &mut W) {
        let _ = walker;
    }
}

/// Visits every block. A walker decides itself whether to go on into a block's items.
pub trait Walker<'a>: Sized {
    /// A field starts.
    fn enter(&mut self, field: &'static str);
    /// The field that started last ends.
    fn leave(&mut self);
    /// A block.
    fn block<T: Element>(&mut self, block: &'a Block<T>);
    /// The keys of a track. `bound`: part `n` belongs to sequence `n`.
    fn series<T: Key>(&mut self, series: &'a Series<T>, bound: bool);

    /// The three blocks of a track.
    #[inline]
    fn track<T: Key>(&mut self, track: &'a Track<T>) {
        let bound = track.is_bound();
        self.enter("ranges");
        self.block(&track.ranges);
        self.leave();
        self.enter("times");
        self.series(&track.times, bound);
        self.leave();
        self.enter("values");
        self.series(&track.values, bound);
        self.leave();
    }

    /// The two blocks of an event's times.
    #[inline]
    fn moments(&mut self, moments: &'a Moments) {
        let bound = moments.is_bound();
        self.enter("ranges");
        self.block(&moments.ranges);
        self.leave();
        self.enter("times");
        self.series(&moments.times, bound);
        self.leave();
    }
}

/// Visits every block and may change it. A walker decides itself whether to go on into a block's items.
pub trait WalkerMut: Sized {
    /// A field starts. Most walkers do not need the path.
    fn enter(&mut self, _field: &'static str) {}
    /// The field that started last ends.
    fn leave(&mut self) {}
    /// A block. Most walkers only need its items.
    #[inline]
    fn block<T: Element>(&mut self, block: &mut Block<T>) {
        if !T::LEAF {
            for item in block {
                item.walk_mut(self);
            }
        }
    }
    /// The keys of a track. `bound`: part `n` belongs to sequence `n`.
    fn series<T: Key>(&mut self, series: &mut Series<T>, bound: bool);

    /// A track. Most walkers only need its blocks.
    #[inline]
    fn track<T: Key>(&mut self, track: &mut Track<T>) {
        let bound = track.is_bound();
        self.enter("ranges");
        self.block(&mut track.ranges);
        self.leave();
        self.enter("times");
        self.series(&mut track.times, bound);
        self.leave();
        self.enter("values");
        self.series(&mut track.values, bound);
        self.leave();
    }

    /// The times of an event. Most walkers only need their blocks.
    #[inline]
    fn moments(&mut self, moments: &mut Moments) {
        let bound = moments.is_bound();
        self.enter("ranges");
        self.block(&mut moments.ranges);
        self.leave();
        self.enter("times");
        self.series(&mut moments.times, bound);
        self.leave();
    }
}

/// Lists the blocks of a record in file order.
macro_rules! tree {
    ($ty:ty { }) => { impl $crate::walk::Tree for $ty {} };
    ($ty:ty { $($field:ident),+ }) => {
        impl $crate::walk::Tree for $ty {
            const LEAF: bool = false;
            fn walk<'a, W: $crate::walk::Walker<'a>>(&'a self, walker: &mut W) {
                $(
                    walker.enter(stringify!($field));
                    $crate::walk::Tree::walk(&self.$field, walker);
                    walker.leave();
                )+
            }
            fn walk_mut<W: $crate::walk::WalkerMut>(&mut self, walker: &mut W) {
                $(
                    walker.enter(stringify!($field));
                    $crate::walk::Tree::walk_mut(&mut self.$field, walker);
                    walker.leave();
                )+
            }
        }
    };
}
pub(crate) use tree;
