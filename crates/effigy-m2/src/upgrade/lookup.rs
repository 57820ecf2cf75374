//! Lookups from animation to sequence: a direct table before 264, a hash table from 264 on; and the playable lookup.
//!
//! The hash table has the smallest prime number of rows that is at least twice the number of animations. An animation
//! is located at its number modulo that, or after 1, 4, 9... more steps. Three real files confirm this.

use super::aside::Aside;
use crate::block::Block;
use crate::model::Model;
use crate::names;
use crate::records::{Playable, Sequence};
use crate::version::Caps;
use effigy_wire::Report;

/// The playable lookup of original files: their number of rows, and how the replacement of a missing animation is played.
struct PlayableTable {
    rows: u16,
    backwards: &'static [u16],
    frozen: &'static [u16],
}

const VANILLA: PlayableTable = PlayableTable {
    rows: 201,
    backwards: &[13, 45, 98, 101, 116, 129, 152, 189],
    frozen: &[6, 97, 100, 115, 123, 132, 151, 188],
};

const BURNING_CRUSADE: PlayableTable =
    PlayableTable { rows: 203, backwards: &[45], frozen: &[6, 97, 100, 115, 123, 132, 188] };

const fn table(caps: Caps) -> &'static PlayableTable {
    if caps.contains(Caps::FLOAT_ROTATION) { &VANILLA } else { &BURNING_CRUSADE }
}

/// The first sequence of each animation, in file order.
fn heads(sequences: &[Sequence]) -> Vec<(u16, i16)> {
    let mut seen = std::collections::BTreeSet::new();
    let first = |(index, sequence): (usize, &Sequence)| {
        let index = i16::try_from(index).ok()?;
        seen.insert(sequence.id).then_some((sequence.id, index))
    };
    sequences.iter().enumerate().filter_map(first).collect()
}

/// A row for each animation up to the largest.
fn direct(sequences: &[Sequence]) -> Vec<i16> {
    let heads = heads(sequences);
    let rows = heads.iter().map(|head| usize::from(head.0).saturating_add(1)).max().unwrap_or(0);
    let mut table = vec![-1; rows];
    for (id, index) in heads {
        if let Some(row) = table.get_mut(usize::from(id)) {
            *row = index;
        }
    }
    table
}

/// The table of 264; empty for a single animation.
fn hashed(sequences: &[Sequence]) -> Vec<i16> {
    let heads = heads(sequences);
    if heads.len() < 2 {
        return Vec::new();
    }
    let rows = (heads.len().saturating_mul(2)..).find(|&rows| is_prime(rows)).unwrap_or(1);
    let mut table = vec![-1; rows];
    for (id, index) in heads {
        let mut at = usize::from(id) % rows;
        for step in 1..rows {
            match table.get_mut(at) {
                Some(row) if *row < 0 => {
                    *row = index;
                    break;
                }
                _ => at = at.wrapping_add(step.wrapping_mul(step)) % rows,
            }
        }
    }
    table
}

fn is_prime(number: usize) -> bool {
    number > 1
        && (2..number)
            .take_while(|divisor| divisor.saturating_mul(*divisor) <= number)
            .all(|divisor| !number.is_multiple_of(divisor))
}

pub(super) fn to_hashed(model: &mut Model, report: &mut Report) {
    if model.sequence_lookup.as_slice() != direct(&model.sequences).as_slice() {
        report.dropped("sequence_lookup", "it is not the table that follows from the sequences");
    }
    model.contents.sequence_lookup = hashed(&model.sequences).into();
    // It is stored after the model.
    model.contents.playable_lookup = Block::default();
}

pub(super) fn to_direct(model: &mut Model, to: Caps, aside: Option<&Aside>, report: &mut Report) {
    model.contents.sequence_lookup = direct(&model.sequences).into();
    if let Some(aside) = aside {
        model.contents.playable_lookup = aside.playable.as_slice().into();
        if let Some(version) = aside.version {
            convert_playable(model, version.caps(), to, report);
        }
        return;
    }
    let table = table(to);
    model.contents.playable_lookup =
        (0..table.rows).map(|id| playable(&model.sequences, id, table)).collect();
    report.rebuilt("playable_lookup", "generated from the sequences and the fallbacks of animations");
}

/// The tables from animation to sequence that follow from the sequences.
pub(super) fn generate(model: &mut Model, caps: Caps) {
    let nested = caps.contains(Caps::NESTED);
    let found = if nested { hashed(&model.sequences) } else { direct(&model.sequences) };
    model.contents.sequence_lookup = found.into();
    if caps.contains(Caps::PLAYABLE) {
        let table = table(caps);
        model.contents.playable_lookup =
            (0..table.rows).map(|id| playable(&model.sequences, id, table)).collect();
    }
}

/// Replaces the rows that original files of one version have by those of the other. Tables of converters, which have
/// another number of rows, are not changed.
pub(super) fn convert_playable(model: &mut Model, from: Caps, to: Caps, report: &mut Report) {
    let (old, new) = (table(from), table(to));
    let rows = model.playable_lookup.len();
    if old.rows == new.rows || rows != usize::from(old.rows) {
        return;
    }
    let row = |id: u16| {
        let before = model.playable_lookup.get(usize::from(id)).copied();
        match before {
            Some(before) if before != playable(&model.sequences, id, old) => before,
            _ => playable(&model.sequences, id, new),
        }
    };
    let made: Vec<Playable> = (0..new.rows).map(row).collect();
    let lost = (new.rows..old.rows).filter(|&id| {
        let before = model.playable_lookup.get(usize::from(id)).copied();
        before != Some(playable(&model.sequences, id, old))
    });
    for id in lost {
        report.dropped(format!("playable_lookup[{id}]"), format!("the table has {} rows", new.rows));
    }
    model.contents.playable_lookup = made.into();
}

/// What an older client plays for an animation.
fn playable(sequences: &[Sequence], id: u16, table: &PlayableTable) -> Playable {
    let has = |id: u16| sequences.iter().any(|sequence| sequence.id == id);
    if has(id) {
        return Playable { animation: id, mode: 0 };
    }
    let mode = if table.backwards.contains(&id) {
        1
    } else if table.frozen.contains(&id) {
        3
    } else {
        0
    };
    let mut animation = id;
    // Fallbacks may form a cycle (146 and 148 do).
    for _ in 0..8 {
        animation = names::animation_fallback(animation).unwrap_or(0);
        if has(animation) {
            return Playable { animation, mode };
        }
    }
    let first = sequences.first().map_or(0, |sequence| sequence.id);
    Playable { animation: if has(0) { 0 } else { first }, mode: if has(0) { mode } else { 0 } }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sequences(ids: &[u16]) -> Vec<Sequence> {
        ids.iter().map(|&id| Sequence { id, ..Sequence::default() }).collect()
    }

    #[test]
    fn the_direct_table_refers_to_the_first_variation() {
        assert_eq!(direct(&sequences(&[4, 0, 0, 2])), [1, -1, 3, -1, 0]);
        assert_eq!(direct(&[]), []);
    }

    #[test]
    fn the_hash_table_finds_every_animation_by_the_clients_steps() {
        let ids = [0, 4, 5, 29, 225, 484, 500, 1, 143, 187];
        let list = sequences(&ids);
        let table = hashed(&list);
        assert_eq!(table.len(), 23);
        for (index, id) in ids.into_iter().enumerate() {
            let mut at = usize::from(id) % table.len();
            let mut step = 1;
            while list[usize::try_from(table[at]).unwrap()].id != id {
                at = (at + step * step) % table.len();
                step += 1;
            }
            assert_eq!(usize::try_from(table[at]).unwrap(), index);
        }
    }

    #[test]
    fn missing_animations_fall_back_as_in_original_files() {
        let stand = sequences(&[0]);
        for (id, vanilla, later) in
            [(0, 0, 0), (6, 3, 3), (13, 1, 0), (45, 1, 1), (97, 3, 3), (151, 3, 0), (200, 0, 0)]
        {
            assert_eq!(playable(&stand, id, &VANILLA), Playable { animation: 0, mode: vanilla }, "{id}");
            assert_eq!(
                playable(&stand, id, &BURNING_CRUSADE),
                Playable { animation: 0, mode: later },
                "{id}"
            );
        }
        let creature = sequences(&[0, 1, 4]);
        assert_eq!(playable(&creature, 6, &VANILLA), Playable { animation: 1, mode: 3 });
        assert_eq!(playable(&creature, 13, &VANILLA), Playable { animation: 4, mode: 1 });
        assert_eq!(playable(&creature, 132, &VANILLA), Playable { animation: 1, mode: 3 });
    }

    #[test]
    fn eight_modes_and_two_rows_differ_between_vanilla_and_burning_crusade() {
        let (vanilla, later) = (crate::Version::VANILLA.caps(), crate::Version::BURNING_CRUSADE.caps());
        let mut model = Model::new(crate::Version::VANILLA);
        model.contents.sequences = sequences(&[0]).into();
        model.contents.playable_lookup =
            (0..201).map(|id| playable(&model.sequences, id, &VANILLA)).collect();
        // A row that does not follow the rule is kept.
        model.contents.playable_lookup[7] = Playable { animation: 0, mode: 3 };
        let before = model.playable_lookup.to_vec();
        let mut report = Report::default();
        convert_playable(&mut model, vanilla, later, &mut report);
        let after = model.playable_lookup.to_vec();
        let changed: Vec<usize> = (0..201).filter(|&id| before[id] != after[id]).collect();
        assert_eq!(changed, [13, 98, 101, 116, 129, 151, 152, 189]);
        assert_eq!((after.len(), after[201], after[202]), (203, Playable::default(), Playable::default()));
        convert_playable(&mut model, later, vanilla, &mut report);
        assert_eq!(model.playable_lookup.as_slice(), before);
        assert!(report.notes().is_empty(), "{report}");
    }

    #[test]
    fn small_hash_tables() {
        // 5 rows: 0 and 5 collide, so 5 is one step further.
        assert_eq!(hashed(&sequences(&[0, 5])), [0, 1, -1, -1, -1]);
        // 7 rows: 8 is at 1; 1 and 15 collide with it: one step to 2, and from there four steps to 6.
        assert_eq!(hashed(&sequences(&[8, 1, 15])), [-1, 0, 1, -1, -1, -1, 2]);
        assert_eq!(hashed(&sequences(&[4])), []);
        assert_eq!(hashed(&[]), []);
        let primes: Vec<usize> = (0..30).filter(|&number| is_prime(number)).collect();
        assert_eq!(primes, [2, 3, 5, 7, 11, 13, 17, 19, 23, 29]);
    }

    #[test]
    fn a_table_that_does_not_follow_from_the_sequences_is_reported() {
        for (table, notes) in [(vec![1, -1, 0], 0), (vec![0, -1, 0], 1), (vec![], 1)] {
            let mut model = Model::new(crate::Version::VANILLA);
            model.contents.sequences = sequences(&[2, 0]).into();
            model.contents.sequence_lookup = table.clone().into();
            model.contents.playable_lookup = vec![Playable::default()].into();
            let mut report = Report::default();
            to_hashed(&mut model, &mut report);
            assert_eq!(report.notes().len(), notes, "{table:?}");
            assert_eq!(model.sequence_lookup.as_slice(), [1, -1, 0, -1, -1]);
            assert!(model.playable_lookup.is_empty());
        }
    }

    #[test]
    fn only_tables_of_original_size_are_converted_and_lost_rows_are_reported() {
        let (vanilla, later) = (crate::Version::VANILLA.caps(), crate::Version::BURNING_CRUSADE.caps());
        let odd = Playable { animation: 0, mode: 7 };
        let convert = |rows: usize, from: Caps, to: Caps| {
            let mut model = Model::new(crate::Version::VANILLA);
            model.contents.sequences = sequences(&[0]).into();
            model.contents.playable_lookup = vec![odd; rows].into();
            let mut report = Report::default();
            convert_playable(&mut model, from, to, &mut report);
            let paths: Vec<String> = report.notes().iter().map(|note| note.path.clone()).collect();
            (model.playable_lookup.len(), paths)
        };
        assert_eq!(convert(5, vanilla, later), (5, vec![]));
        assert_eq!(convert(203, vanilla, later), (203, vec![]));
        assert_eq!(convert(203, later, later), (203, vec![]));
        assert_eq!(convert(201, vanilla, later), (203, vec![]));
        let lost = vec!["playable_lookup[201]".to_owned(), "playable_lookup[202]".to_owned()];
        assert_eq!(convert(203, later, vanilla), (201, lost));
    }

    #[test]
    fn fallbacks_end_at_stand_or_at_the_first_animation() {
        let find = |ids: &[u16], id: u16| {
            let found = playable(&sequences(ids), id, &VANILLA);
            (found.animation, found.mode)
        };
        // Walking backwards falls back to walking, which is played backwards.
        assert_eq!(find(&[0, 4], 13), (4, 1));
        assert_eq!(find(&[0, 13], 13), (13, 0));
        // 146 and 148 fall back to each other.
        assert_eq!(find(&[5, 0], 146), (0, 0));
        // Without any of them the first animation is played forwards.
        assert_eq!(find(&[5, 9], 13), (5, 0));
        assert_eq!(find(&[], 13), (0, 0));
    }
}
