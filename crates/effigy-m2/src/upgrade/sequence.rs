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

#[cfg(test)]
mod tests {
    use super::super::aside::Timing;
    use super::*;
    use crate::records::Sequence;
    use crate::version::Version;

    fn model(sequences: Vec<Sequence>) -> Model {
        let mut model = Model::new(Version::WRATH);
        model.sequences = sequences.into();
        model
    }

    fn flagged(flags: u32, alias: u16) -> Sequence {
        Sequence { flags: SequenceFlags::from_bits_retain(flags), alias, duration: 10, ..Sequence::default() }
    }

    #[test]
    fn durations_and_embedded_keys_replace_the_timeline() {
        let sequence = |start, end, flags| Sequence { start, end, ..flagged(flags, 0) };
        let mut model = model(vec![sequence(100, 350, 0xff1), sequence(9, 5, 0x2), sequence(7, 7, 0x20)]);
        model.sequences.iter_mut().for_each(|sequence| sequence.duration = 0);
        to_durations(&mut model);
        let found: Vec<_> =
            model.sequences.iter().map(|it| (it.start, it.end, it.duration, it.flags.bits())).collect();
        assert_eq!(found, [(0, 0, 250, 0x21), (0, 0, 0, 0x22), (0, 0, 0, 0x20)]);
    }

    #[test]
    fn sequences_follow_each_other_with_gaps() {
        let mut made = model(vec![flagged(0x21, 0), flagged(0x61, 0), flagged(0x20, 0)]);
        for (sequence, duration) in made.contents.sequences.iter_mut().zip([1000, 500, 0]) {
            sequence.duration = duration;
        }
        let mut report = Report::default();
        to_timeline(&mut made, None, &mut report).unwrap();
        let found: Vec<_> =
            made.sequences.iter().map(|it| (it.start, it.end, it.duration, it.flags.bits())).collect();
        // The second plays the keys of the first, but has its own place before the third.
        assert_eq!(found, [(3333, 4333, 0, 1), (3333, 4333, 0, 1), (11_499, 11_499, 0, 0)]);
        let paths: Vec<&str> = report.notes().iter().map(|note| note.path.as_str()).collect();
        assert_eq!(paths, ["sequences[1]", "sequences"]);
        let mut report = Report::default();
        to_timeline(&mut model(vec![]), None, &mut report).unwrap();
        assert!(report.is_empty());
        let long = Sequence { duration: u32::MAX - 3332, ..Sequence::default() };
        assert!(to_timeline(&mut model(vec![long.clone()]), None, &mut report).is_err());
        let fits = Sequence { duration: u32::MAX - 3333, ..long };
        assert!(to_timeline(&mut model(vec![fits]), None, &mut report).is_ok());
    }

    #[test]
    fn flags_without_a_meaning_before_264_are_dropped_and_reported() {
        for (flags, after, message) in [
            (0x21, 0x1, None),
            (0x2e, 0xe, None),
            (0xe1, 0x1, None),
            (0x40, 0, None),
            (0x80, 0, None),
            (0x331, 0x1, Some("0x310 has no meaning before 264")),
            (0x2c0, 0, Some("0x2c0 has no meaning before 264")),
        ] {
            let mut model = model(vec![flagged(flags, 0)]);
            let mut report = Report::default();
            to_timeline(&mut model, None, &mut report).unwrap();
            let dropped = report.notes().iter().find(|note| note.path == "sequences[0].flags");
            assert_eq!(dropped.map(|note| note.message.as_ref()), message, "{flags:#x}");
            assert_eq!(model.sequences[0].flags.bits(), after, "{flags:#x}");
        }
    }

    #[test]
    fn kept_times_and_flags_are_restored() {
        let aside = Aside { timings: vec![Timing { start: 70, end: 80, flags: 0x101 }], ..Aside::default() };
        let mut model = model(vec![flagged(0x20, 0)]);
        let mut report = Report::default();
        to_timeline(&mut model, Some(&aside), &mut report).unwrap();
        let found = &model.sequences[0];
        assert_eq!((found.start, found.end, found.duration, found.flags.bits()), (70, 80, 0, 0x101));
        assert!(report.is_empty());
    }

    #[test]
    fn aliases_are_followed_to_the_sequence_with_keys() {
        const ALIAS: u32 = 0x40;
        let model = model(vec![
            // Without the flag the number means nothing.
            flagged(0, 2),
            flagged(ALIAS, 0),
            flagged(ALIAS, 1),
            // Itself, and one that does not exist.
            flagged(ALIAS, 3),
            flagged(ALIAS, 7),
            // A cycle.
            flagged(ALIAS, 6),
            flagged(ALIAS, 5),
        ]);
        let sources: Vec<usize> = (0..7).map(|index| source(&model, index)).collect();
        assert_eq!(sources, [0, 0, 0, 3, 4, 5, 6]);
    }
}
