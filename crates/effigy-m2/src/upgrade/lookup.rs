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

/// Rows of the playable lookup in most files of vanilla and of Burning Crusade.
const PLAYABLE_ROWS: [u16; 2] = [201, 203];

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
        return;
    }
    let [vanilla, later] = PLAYABLE_ROWS;
    let rows = if to.contains(Caps::FLOAT_ROTATION) { vanilla } else { later };
    model.contents.playable_lookup = (0..rows).map(|id| playable(&model.sequences, id)).collect();
    report.rebuilt("playable_lookup", "generated from the sequences and the fallbacks of animations");
}

/// What an older client plays for an animation.
fn playable(sequences: &[Sequence], id: u16) -> Playable {
    let has = |id: u16| sequences.iter().any(|sequence| sequence.id == id);
    if has(id) {
        return Playable { animation: id, mode: 0 };
    }
    let mode = match id {
        13 | 45 | 98 | 101 | 116 | 129 | 189 => 1,
        6 | 97 | 100 | 115 | 123 | 132 | 188 => 3,
        _ => 0,
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
        for (id, animation, mode) in [(0, 0, 0), (6, 0, 3), (13, 0, 1), (97, 0, 3), (98, 0, 1), (200, 0, 0)] {
            assert_eq!(playable(&stand, id), Playable { animation, mode }, "{id}");
        }
        let creature = sequences(&[0, 1, 4]);
        assert_eq!(playable(&creature, 6), Playable { animation: 1, mode: 3 });
        assert_eq!(playable(&creature, 13), Playable { animation: 4, mode: 1 });
        assert_eq!(playable(&creature, 132), Playable { animation: 1, mode: 3 });
    }
}
