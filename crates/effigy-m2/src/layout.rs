//! The canonical layout: every block at the next multiple of 16, in the order of the walk.
//!
//! True of 79 of 79 original files of 256 to 263: no gaps but zeros, no overlaps, an empty array has offset 0, and
//! the length is a multiple of 16. In 264 the tables of a track stand in that order too; the keys follow behind
//! everything else, sequence by sequence.

use crate::block::{Block, Element, Key};
use crate::series::{Series, word};
use crate::version::Caps;
use crate::walk::{Tree, WalkerMut};
use effigy_wire::{Error, Result};
use std::collections::BTreeMap;

const ALIGNMENT: usize = 16;

/// Reserves the next place for this many bytes.
fn reserve(position: &mut usize, bytes: usize) -> u32 {
    let start = position.next_multiple_of(ALIGNMENT);
    *position = start.saturating_add(bytes);
    word(start)
}

/// First pass: places blocks and tables, and lists the keys that belong to sequences.
struct Place<'a> {
    position: usize,
    caps: Caps,
    external: &'a [bool],
    /// Sequence and bytes of each list of keys, in the order of the walk.
    keys: Vec<(usize, usize)>,
}

impl WalkerMut for Place<'_> {
    fn enter(&mut self, _: &'static str) {}
    fn leave(&mut self) {}

    fn block<T: Element>(&mut self, block: &mut Block<T>) {
        block.unread = 0;
        let bytes = block.len().saturating_mul(T::size(self.caps));
        block.place.room = bytes;
        block.place.offset = if bytes == 0 { 0 } else { reserve(&mut self.position, bytes) };
        if !T::LEAF {
            for item in block {
                item.walk_mut(self);
            }
        }
    }

    fn series<T: Key>(&mut self, series: &mut Series<T>, bound: bool) {
        series.unread = 0;
        let nested = self.caps.contains(Caps::NESTED);
        let bytes =
            if nested { series.parts.len().saturating_mul(8) } else { size_of_val(series.items.as_slice()) };
        series.place.room = bytes;
        series.place.offset = if bytes == 0 { 0 } else { reserve(&mut self.position, bytes) };
        for (index, part) in series.parts.iter_mut().enumerate() {
            let bytes = (part.count as usize).saturating_mul(size_of::<T>());
            part.room = part.count;
            if part.count == 0 {
                part.offset = 0;
            } else if part.is_absent() {
                // Keys in a file that is not at hand stay where they are; keys that were lost are gone.
                if !(bound && self.external.get(index) == Some(&true)) {
                    part.count = 0;
                    part.offset = 0;
                }
            } else if bound {
                self.keys.push((index, bytes));
            } else {
                part.offset = reserve(&mut self.position, bytes);
            }
        }
    }
}

/// Second pass: hands out the places of the keys.
struct Keys<'a> {
    offsets: std::slice::Iter<'a, u32>,
}

impl WalkerMut for Keys<'_> {
    fn enter(&mut self, _: &'static str) {}
    fn leave(&mut self) {}

    fn block<T: Element>(&mut self, block: &mut Block<T>) {
        if !T::LEAF {
            for item in block {
                item.walk_mut(self);
            }
        }
    }

    fn series<T: Key>(&mut self, series: &mut Series<T>, bound: bool) {
        for part in series.parts.iter_mut().filter(|part| bound && part.count > 0 && !part.is_absent()) {
            part.offset = self.offsets.next().copied().unwrap_or_default();
        }
    }
}

/// The lengths of the files that a layout makes.
pub(crate) struct Lengths {
    pub model: usize,
    /// Sequence to bytes of its `.anim` file, for those whose keys are at hand.
    pub anims: BTreeMap<usize, usize>,
}

/// Gives every block its canonical place behind a header of this many bytes.
pub(crate) fn lay_out<T: Tree>(
    tree: &mut T,
    header: usize,
    caps: Caps,
    external: &[bool],
) -> Result<Lengths> {
    let mut place = Place { position: header, caps, external, keys: Vec::new() };
    tree.walk_mut(&mut place);
    let Place { mut position, keys, .. } = place;

    let mut order: Vec<usize> = (0..keys.len()).collect();
    order.sort_by_key(|&index| keys.get(index).map(|key| key.0));
    let mut offsets = vec![0; keys.len()];
    let mut anims: BTreeMap<usize, usize> = BTreeMap::new();
    for index in order {
        let (Some(&(sequence, bytes)), Some(offset)) = (keys.get(index), offsets.get_mut(index)) else {
            continue;
        };
        *offset = if external.get(sequence) == Some(&true) {
            reserve(anims.entry(sequence).or_default(), bytes)
        } else {
            reserve(&mut position, bytes)
        };
    }
    tree.walk_mut(&mut Keys { offsets: offsets.iter() });

    if anims.values().chain([&position]).any(|&length| u32::try_from(length).is_err()) {
        return Err(Error::unrepresentable("the model needs more than 4 GiB, which its offsets cannot say"));
    }
    for length in anims.values_mut() {
        *length = length.next_multiple_of(ALIGNMENT);
    }
    Ok(Lengths { model: position.next_multiple_of(ALIGNMENT), anims })
}
