//! Sequences: start and end on one timeline (before 264), or a duration each (264).

use super::aside::Aside;
use crate::model::Model;
use crate::records::SequenceFlags;
use effigy_wire::{Error, Report, Result};

/// Milliseconds before the first sequence and between sequences, as in many original files.
const GAP: u64 = 3333;

/// Flags that have the same meaning in all versions.
const OLD_FLAGS: u32 = 0xf;

pub(super) fn to_durations(model: &mut Model) {
    for sequence in &mut model.contents.sequences {
        sequence.duration = sequence.length();
        sequence.start = 0;
        sequence.end = 0;
        sequence.flags =
            SequenceFlags::from_bits_retain(sequence.flags.bits() & OLD_FLAGS) | SequenceFlags::EMBEDDED;
    }
}

/// Places the sequences on one timeline: where they were before a conversion to 264, or one after another.
pub(super) fn to_timeline(model: &mut Model, aside: Option<&Aside>, report: &mut Report) -> Result<()> {
    if let Some(aside) = aside {
        for (sequence, timing) in model.contents.sequences.iter_mut().zip(&aside.timings) {
            sequence.start = timing.start;
            sequence.end = timing.end;
            sequence.duration = 0;
            sequence.flags = SequenceFlags::from_bits_retain(timing.flags);
        }
        return Ok(());
    }
    let sources: Vec<usize> = (0..model.sequences.len()).map(|index| source(model, index)).collect();
    let mut next = GAP;
    for sequence in &mut model.contents.sequences {
        let end = next.saturating_add(sequence.duration.into());
        let fits = |time: u64| {
            u32::try_from(time)
                .map_err(|_| Error::unrepresentable("the sequences are longer than a timeline of 32 bits"))
        };
        sequence.start = fits(next)?;
        sequence.end = fits(end)?;
        next = end.saturating_add(GAP);
    }
    for (index, source) in sources.into_iter().enumerate() {
        let Some(times) = model.sequences.get(source).map(|found| (found.start, found.end)) else { continue };
        let Some(sequence) = model.contents.sequences.get_mut(index) else { continue };
        if source != index {
            let message = format!("it plays the keys of sequence {source} and gets the same start and end");
            report.rebuilt(format!("sequences[{index}]"), message);
        }
        (sequence.start, sequence.end) = times;
        sequence.duration = 0;
        let gone = sequence.flags.bits() & !OLD_FLAGS & !SequenceFlags::EMBEDDED.bits();
        if gone & !(SequenceFlags::ALIAS | SequenceFlags::BLENDED).bits() != 0 {
            let message = format!("{gone:#x} has no meaning before 264");
            report.dropped(format!("sequences[{index}].flags"), message);
        }
        sequence.flags = SequenceFlags::from_bits_retain(sequence.flags.bits() & OLD_FLAGS);
    }
    if !model.sequences.is_empty() {
        report.rebuilt("sequences", "placed on one timeline, one after another");
    }
    Ok(())
}

/// The sequence whose keys are played. A valid chain of aliases is not longer than the list.
fn source(model: &Model, index: usize) -> usize {
    let mut at = index;
    for _ in 0..model.sequences.len() {
        match model.sequences.get(at) {
            Some(found) if found.flags.contains(SequenceFlags::ALIAS) => {
                let next = usize::from(found.alias);
                if next == at || next >= model.sequences.len() {
                    return at;
                }
                at = next;
            }
            _ => return at,
        }
    }
    // A cycle of aliases: in some files every member of one has its own keys.
    index
}
