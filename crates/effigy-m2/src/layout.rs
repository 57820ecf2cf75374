//! The canonical layout: every block at the next multiple of 16, in the order of the walk.
//!
//! 79 of 79 original files of 256 to 263 have this layout: gaps are zero, nothing overlaps, an empty array has offset 0,
//! and the length is a multiple of 16. In 264 the tables of a track are in that order too; the keys follow after
//! everything else: the first list of every track, then the second, and so on, that is, sequence by sequence. A `.anim`
//! file has the lists of its sequence in the same order from its start.

use crate::block::{Block, Element, Key};
use crate::series::{Series, word};
use crate::version::Caps;
use crate::walk::{Tree, WalkerMut};
use effigy_wire::{Error, Result};
use std::collections::BTreeMap;

const ALIGNMENT: usize = 16;

/// Reserves the next offset for this many bytes.
fn reserve(position: &mut usize, bytes: usize) -> u32 {
    let start = position.next_multiple_of(ALIGNMENT);
    *position = start.saturating_add(bytes);
    word(start)
}

/// A list of keys that needs an offset.
struct List {
    /// Its index among the lists of its track.
    index: usize,
    bytes: usize,
    /// Whether it is in a `.anim` file.
    external: bool,
}

/// First pass: places blocks and tables, and collects the lists of keys.
struct Place<'a> {
    position: usize,
    caps: Caps,
    external: &'a [bool],
    /// The lists of keys, in the order of the walk.
    keys: Vec<List>,
}

impl WalkerMut for Place<'_> {
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
                continue;
            }
            let external = bound && self.external.get(index) == Some(&true);
            if !part.is_absent() {
                self.keys.push(List { index, bytes, external });
            } else if !external {
                // Offsets into a .anim file that is not attached are kept; keys that could not be read are dropped.
                part.count = 0;
                part.offset = 0;
            }
        }
    }
}

/// Second pass: stores the offsets of the keys.
struct Keys<'a> {
    offsets: std::slice::Iter<'a, u32>,
}

impl WalkerMut for Keys<'_> {
    fn series<T: Key>(&mut self, series: &mut Series<T>, _: bool) {
        for part in series.parts.iter_mut().filter(|part| part.count > 0 && !part.is_absent()) {
            part.offset = self.offsets.next().copied().unwrap_or_default();
        }
    }
}

/// The lengths of the files of a layout.
pub(crate) struct Lengths {
    pub model: usize,
    /// From sequence to the length of its `.anim` file, for those whose keys are loaded.
    pub anims: BTreeMap<usize, usize>,
}

/// Gives every block its canonical offset after a header of this many bytes.
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
    order.sort_by_key(|&index| keys.get(index).map(|list| list.index));
    let mut offsets = vec![0; keys.len()];
    let mut anims: BTreeMap<usize, usize> = BTreeMap::new();
    for at in order {
        let (Some(list), Some(offset)) = (keys.get(at), offsets.get_mut(at)) else { continue };
        let file = if list.external { anims.entry(list.index).or_default() } else { &mut position };
        *offset = reserve(file, list.bytes);
    }
    tree.walk_mut(&mut Keys { offsets: offsets.iter() });

    if anims.values().chain([&position]).any(|&length| u32::try_from(length).is_err()) {
        return Err(Error::unrepresentable(
            "the model needs more than 4 GiB, which 32-bit offsets cannot address",
        ));
    }
    for length in anims.values_mut() {
        *length = length.next_multiple_of(ALIGNMENT);
    }
    Ok(Lengths { model: position.next_multiple_of(ALIGNMENT), anims })
}
