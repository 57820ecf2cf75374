//! Writing: the frame of the file that was read, filled with the model's records.

use crate::chunks::ChunkKind;
use crate::model::{Content, Model, Slot, stray_caps};
use effigy_wire::{Buffer, Sink, Wire};
use std::borrow::Cow;
use std::ops::Range;

/// A slot and the records that go into it.
pub(crate) struct Step<'a> {
    pub slot: Cow<'a, Slot>,
    pub range: Range<usize>,
}

/// The slots in the order in which they are written: those of the file, and new ones where records have none yet.
///
/// The last chunk of a kind gets all remaining records, so that added records are written, too.
pub(crate) fn plan(model: &Model) -> Vec<Step<'_>> {
    let mut slots: Vec<Cow<'_, Slot>> = model.slots.iter().map(Cow::Borrowed).collect();
    for &kind in ChunkKind::ALL {
        let wanted = model.lists.count(kind) > 0 && model.caps().contains(kind.needs());
        if wanted && !slots.iter().any(|slot| kind_of(slot) == Some(kind)) {
            let content = Content::Records { kind, count: 0, guard: None };
            let place = place_for(kind, &slots);
            slots.insert(place, Cow::Owned(Slot { tag: kind.tag(), offset: 0, content }));
        }
    }
    let mut used = [0_usize; ChunkKind::ALL.len()];
    let mut steps = Vec::with_capacity(slots.len());
    let last = |kind| slots.iter().rposition(|slot| kind_of(slot) == Some(kind));
    let last: Vec<Option<usize>> = ChunkKind::ALL.iter().map(|kind| last(*kind)).collect();
    for (index, slot) in slots.into_iter().enumerate() {
        let mut range = 0..0;
        if let Content::Records { kind, count, .. } = slot.content
            && let Some(used) = used.get_mut(kind as usize)
        {
            let all = model.lists.count(kind);
            let is_last = last.get(kind as usize).copied().flatten() == Some(index);
            let end = if is_last { all } else { used.saturating_add(count).min(all) };
            range = *used..end;
            *used = end;
        }
        steps.push(Step { slot, range });
    }
    steps
}

fn kind_of(slot: &Slot) -> Option<ChunkKind> {
    match slot.content {
        Content::Records { kind, .. } => Some(kind),
        _ => None,
    }
}

/// The position after the last chunk that usually comes before it.
fn place_for(kind: ChunkKind, slots: &[Cow<'_, Slot>]) -> usize {
    let before = |slot: &Cow<'_, Slot>| {
        matches!(slot.content, Content::Version) || kind_of(slot).is_some_and(|other| other < kind)
    };
    slots.iter().rposition(before).map_or(0, |index| index.saturating_add(1))
}

/// Writes the whole file.
pub(crate) fn write<S: Sink>(model: &Model, sink: &mut S) {
    let caps = model.caps();
    sink.put(b"MDLX");
    for Step { slot, range } in plan(model) {
        match &slot.content {
            Content::Version => {
                sink.put(&slot.tag.0);
                sink.count(4);
                sink.put(&model.version.to_le_bytes());
            }
            Content::Records { kind, guard, .. } => {
                sink.put(&slot.tag.0);
                if let Some(guard) = guard {
                    let mut fresh = Buffer::with_capacity(guard.canonical.len());
                    model.lists.write(*kind, range.clone(), &mut fresh, caps);
                    if fresh.into_bytes().is_ok_and(|fresh| fresh == guard.canonical) {
                        sink.count(guard.source.len());
                        sink.put(&guard.source);
                        continue;
                    }
                }
                let mark = sink.begin_size();
                model.lists.write(*kind, range, sink, caps);
                sink.end_exclusive(mark);
            }
            Content::Kept { payload, size, .. } => {
                sink.put(&slot.tag.0);
                sink.put(&size.to_le_bytes());
                sink.put(payload);
            }
            Content::Stray(bytes) => sink.put(bytes),
            Content::Track(track) => track.write(sink, stray_caps()),
        }
    }
}
