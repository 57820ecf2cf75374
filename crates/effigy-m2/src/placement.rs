//! The offsets of all blocks of a file in a dump: only where they are not the canonical ones, and only used while every list
//! has its length.

use crate::block::{Block, Element, Key};
use crate::coverage::Gap;
use crate::load::Frame;
use crate::series::Series;
use crate::version::Caps;
use crate::walk::{Tree, Walker, WalkerMut};
use effigy_wire::placed::Dumped;
use effigy_wire::{Visitor, bytemuck};

/// What the walk over the blocks of a model finds.
struct Found<'e> {
    caps: Caps,
    external: &'e [bool],
    /// The numbers of all elements.
    shape: Vec<usize>,
    /// The offsets that writing would state.
    offsets: Vec<u32>,
    /// The bytes that are at each offset of this file.
    bytes: Vec<usize>,
}

impl<'e> Found<'e> {
    fn of<T: Tree>(tree: &T, caps: Caps, external: &'e [bool]) -> Self {
        let mut found = Self { caps, external, shape: Vec::new(), offsets: Vec::new(), bytes: Vec::new() };
        tree.walk(&mut found);
        found
    }

    fn push(&mut self, offset: u32, bytes: usize) {
        self.offsets.push(offset);
        self.bytes.push(bytes);
    }
}

impl<'a> Walker<'a> for Found<'_> {
    fn enter(&mut self, _: &'static str) {}
    fn leave(&mut self) {}

    fn block<T: Element>(&mut self, block: &'a Block<T>) {
        self.shape.extend([block.len(), block.unread as usize]);
        self.push(block.offset(), block.len().saturating_mul(T::size(self.caps)));
        if !T::LEAF {
            for item in block {
                item.walk(self);
            }
        }
    }

    fn series<T: Key>(&mut self, series: &'a Series<T>, bound: bool) {
        let nested = self.caps.contains(Caps::NESTED);
        let count = if nested { series.parts.len() } else { series.items.len() };
        self.shape.extend([count, series.unread as usize]);
        self.push(series.offset(count), count.saturating_mul(if nested { 8 } else { size_of::<T>() }));
        for (index, part) in series.parts.iter().enumerate() {
            let external = bound && self.external.get(index) == Some(&true);
            let count = if external || part.is_absent() { 0 } else { part.count as usize };
            self.shape.push(part.count as usize);
            self.push(part.written_offset(), count.saturating_mul(size_of::<T>()));
        }
    }
}

/// Gives every block an offset.
struct Give<'a> {
    caps: Caps,
    offsets: std::slice::Iter<'a, u32>,
}

impl Give<'_> {
    fn next(&mut self) -> u32 {
        self.offsets.next().copied().unwrap_or_default()
    }
}

impl WalkerMut for Give<'_> {
    fn block<T: Element>(&mut self, block: &mut Block<T>) {
        block.place.offset = self.next();
        block.place.room = block.len().saturating_mul(T::size(self.caps));
        if !T::LEAF {
            for item in block {
                item.walk_mut(self);
            }
        }
    }

    fn series<T: Key>(&mut self, series: &mut Series<T>, _: bool) {
        series.place.offset = self.next();
        series.place.room = match self.caps.contains(Caps::NESTED) {
            true => series.parts.len().saturating_mul(8),
            false => bytemuck::cast_slice::<T, u8>(&series.items).len(),
        };
        for part in &mut series.parts {
            part.offset = self.next();
            part.room = part.count;
        }
    }
}

/// Shows the placement of a file.
pub(crate) fn show<T: Tree>(
    tree: &T,
    frame: &Frame,
    caps: Caps,
    external: &[bool],
    visitor: &mut dyn Visitor,
) {
    let found = Found::of(tree, caps, external);
    let filler = frame.gaps.iter().map(|gap| (gap.offset, gap.bytes.clone())).collect();
    Dumped { length: frame.length, filler, offsets: found.offsets }.show(&found.shape, visitor);
}

/// Gives every block the offset that the tree of a dump has for it. `None` if it has none, or if they do not fit any more;
/// the blocks stay as they are then. `usual`: the length of the canonical file.
pub(crate) fn restore<T: Tree>(
    tree: &mut T,
    dumped: &effigy_wire::Tree<'_>,
    usual: usize,
    caps: Caps,
    external: &[bool],
) -> effigy_wire::Result<Option<Frame>> {
    let found = Found::of(tree, caps, external);
    let Some(Dumped { length, filler, offsets }) = Dumped::parse(dumped, &found.shape, usual)? else {
        return Ok(None);
    };
    let inside =
        |at: usize, bytes: usize| bytes == 0 || at.checked_add(bytes).is_some_and(|end| end <= length);
    let fits = offsets.len() == found.bytes.len()
        && offsets.iter().zip(&found.bytes).all(|(&at, &bytes)| inside(at as usize, bytes))
        && filler.iter().all(|(at, bytes)| inside(*at, bytes.len()));
    if !fits {
        return Ok(None);
    }
    tree.walk_mut(&mut Give { caps, offsets: offsets.iter() });
    let gaps = filler.into_iter().map(|(offset, bytes)| Gap { offset, bytes }).collect();
    // The offsets are those of a text that may have been edited: every block is compared after writing.
    Ok(Some(Frame { read: true, length, gaps, overlaps: true, lost: Vec::new() }))
}
