//! The walk over all blocks of a model, in the order in which original files have them.
//!
//! A record names its blocks once, with `elements!` or `tree!`. Loading, laying out, writing, comparing and showing
//! are walkers over that one list: a block stands before the blocks of its items, and items follow one another. That
//! is the canonical order of the format.

use crate::block::{Block, Element, Key};
use crate::series::Series;

/// Something that holds blocks.
pub trait Tree {
    /// Whether it holds none, whatever its value.
    const LEAF: bool = true;

    /// Shows its blocks to the walker, in file order.
    fn walk<'a, W: Walker<'a>>(&'a self, walker: &mut W) {
        let _ = walker;
    }

    /// Hands its blocks to the walker, in file order.
    fn walk_mut<W: WalkerMut>(&mut self, walker: &mut W) {
        let _ = walker;
    }
}

/// Sees every block. A walker goes on into a block's items by itself.
pub trait Walker<'a>: Sized {
    /// A field begins.
    fn enter(&mut self, field: &'static str);
    /// The field that began last ends.
    fn leave(&mut self);
    /// A block.
    fn block<T: Element>(&mut self, block: &'a Block<T>);
    /// The keys of a track. `bound`: part `n` belongs to sequence `n`.
    fn series<T: Key>(&mut self, series: &'a Series<T>, bound: bool);
}

/// Changes every block. A walker goes on into a block's items by itself.
pub trait WalkerMut: Sized {
    /// A field begins.
    fn enter(&mut self, field: &'static str);
    /// The field that began last ends.
    fn leave(&mut self);
    /// A block.
    fn block<T: Element>(&mut self, block: &mut Block<T>);
    /// The keys of a track. `bound`: part `n` belongs to sequence `n`.
    fn series<T: Key>(&mut self, series: &mut Series<T>, bound: bool);
}

/// Names the blocks of a record in file order.
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
