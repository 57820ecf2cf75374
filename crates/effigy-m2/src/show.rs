//! Dumping: every field with its name, value and offset, for `dump` and `diff`.
//!
//! The writer of a record drives it. Where the writer puts a count, the items of that block are dumped instead; they
//! come from the record's walk, which has the same order.

use crate::block::{Block, Element, Key};
use crate::series::{Series, word};
use crate::version::Caps;
use crate::walk::{Tree, Walker};
use effigy_wire::{Kept, Label, Leaf, Mark, Sink, Visitor, Wire};
use std::collections::VecDeque;

/// What is the same for all records of a dump.
pub(crate) struct Stage<'v> {
    pub visitor: &'v mut dyn Visitor,
    pub caps: Caps,
    /// Whether the offsets are those of a file.
    pub offsets: bool,
    /// Offset of the model in the file.
    pub base: usize,
    /// For each sequence, whether its keys are in a `.anim` file.
    pub external: &'v [bool],
}

impl Stage<'_> {
    /// Dumps a record that is located at this offset of the model.
    pub fn record<T: Tree + Wire<Caps>>(&mut self, record: &T, place: usize) {
        let mut collect = Collect::default();
        record.walk(&mut collect);
        let caps = self.caps;
        let mut show = Show { stage: self, position: place, path: Vec::new(), blocks: collect.blocks };
        record.write(&mut show, caps);
    }

    /// Elements that could not be read.
    fn lost(&mut self, count: u32, at: u32) {
        self.visitor.leaf(Leaf::Text(b"(outside the file)"));
        self.visitor.kept(Kept::Elsewhere { count, at });
    }

    fn place(&self, place: usize) -> Option<usize> {
        self.offsets.then_some(place.saturating_add(self.base))
    }
}

/// A block that can dump its items.
trait Items {
    /// `bound`: list `n` belongs to sequence `n`.
    fn show(&self, stage: &mut Stage<'_>, bound: bool);
}

impl<T: Element> Items for Block<T> {
    fn show(&self, stage: &mut Stage<'_>, _: bool) {
        if self.is_lost() {
            stage.lost(self.unread, self.place.offset);
            return;
        }
        if let Some(leaf) = T::leaf(self) {
            stage.visitor.leaf(leaf);
            if let Some(count) = T::stated(self) {
                stage.visitor.kept(Kept::Size(count));
            }
            return;
        }
        let size = T::size(stage.caps);
        for (index, item) in self.iter().enumerate() {
            let place = index.saturating_mul(size).saturating_add(self.place.offset as usize);
            let offset = stage.place(place);
            stage.visitor.enter(Label::Index(index), offset);
            stage.record(item, place);
            stage.visitor.leave();
        }
    }
}

impl<T: Key> Items for Series<T> {
    fn show(&self, stage: &mut Stage<'_>, bound: bool) {
        if self.unread > 0 {
            stage.lost(self.unread, self.place.offset);
            return;
        }
        if !stage.caps.contains(Caps::NESTED) {
            stage.visitor.leaf(T::ITEM(&self.items));
            return;
        }
        // Empty lists are not shown, so that those after the last one would be forgotten.
        if self.parts.last().is_some_and(|last| last.count == 0) {
            stage.visitor.kept(Kept::Size(word(self.parts.len())));
        }
        for (index, part) in self.parts.iter().enumerate().filter(|(_, part)| part.count > 0) {
            let offset = if part.is_absent() { None } else { stage.place(part.offset as usize) };
            stage.visitor.enter(Label::Index(index), offset);
            stage.visitor.leaf(if part.is_absent() {
                Leaf::Text(b"(in an animation file)")
            } else {
                T::ITEM(self.part(index))
            });
            if part.is_absent() || (bound && stage.external.get(index) == Some(&true)) {
                stage.visitor.kept(Kept::Elsewhere { count: part.count, at: part.offset });
            }
            stage.visitor.leave();
        }
    }
}

/// Lists the blocks of a record with their paths inside it.
#[derive(Default)]
struct Collect<'a> {
    path: Vec<&'static str>,
    blocks: VecDeque<(Vec<&'static str>, &'a dyn Items, bool)>,
}

impl<'a> Walker<'a> for Collect<'a> {
    fn enter(&mut self, field: &'static str) {
        self.path.push(field);
    }
    fn leave(&mut self) {
        self.path.pop();
    }
    fn block<T: Element>(&mut self, block: &'a Block<T>) {
        self.blocks.push_back((self.path.clone(), block, false));
    }
    fn series<T: Key>(&mut self, series: &'a Series<T>, bound: bool) {
        self.blocks.push_back((self.path.clone(), series, bound));
    }
}

/// Dumps one record.
struct Show<'s, 'v, 'r> {
    stage: &'s mut Stage<'v>,
    position: usize,
    /// Names of the fields around the current one.
    path: Vec<String>,
    /// The record's blocks that are not dumped yet.
    blocks: VecDeque<(Vec<&'static str>, &'r dyn Items, bool)>,
}

impl Sink for Show<'_, '_, '_> {
    const TALKS: bool = true;

    fn put(&mut self, bytes: &[u8]) {
        self.position = self.position.saturating_add(bytes.len());
    }

    fn position(&self) -> usize {
        self.position
    }

    fn finish_size(&mut self, _: Mark, _: u32) {}

    fn too_large(&mut self, _: usize) {}

    fn enter(&mut self, label: Label<'_>) {
        if let Label::Field(name) = label {
            self.path.push(name.to_owned());
        }
        let offset = self.stage.place(self.position);
        self.stage.visitor.enter(label, offset);
    }

    fn leave(&mut self) {
        self.path.pop();
        self.stage.visitor.leave();
    }

    fn show(&mut self, leaf: Leaf<'_>) {
        self.stage.visitor.leaf(leaf);
    }

    /// Skips the blocks of fields that this version does not have.
    fn count(&mut self, _: usize) {
        while let Some((path, items, bound)) = self.blocks.pop_front() {
            if path.iter().eq(self.path.iter()) {
                items.show(self.stage, bound);
                break;
            }
        }
        self.position = self.position.saturating_add(4);
    }
}
