//! Sequences: named intervals of the timeline, and clocks that are independent of them.

use crate::{Arena, Bounds, Extras, Id};

/// A named interval of the timeline.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sequence {
    /// Its name; may repeat.
    pub name: String,
    /// First millisecond on the timeline.
    pub start: i32,
    /// Last millisecond on the timeline.
    pub end: i32,
    /// Whether it starts again at its end; otherwise the last pose holds.
    pub looping: bool,
    /// How far the model walks per second while it plays; usually 0.
    pub move_speed: f32,
    /// Bounds while it plays, as the source states them.
    pub bounds: Bounds,
    /// What only the source format knows (rarity, frequency, blend time).
    pub extras: Extras,
}

impl Sequence {
    /// Its length in milliseconds, never negative.
    #[must_use]
    pub fn length(&self) -> i32 {
        self.end.saturating_sub(self.start).max(0)
    }
}

/// A clock that keeps running when the sequence changes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GlobalSequence {
    /// Milliseconds after which it starts again; 0: it does not run.
    pub length: u32,
}

/// The sequence that a person means by a name: the one that is called so, in any case; else the first whose name starts with
/// it; else the one of this number, from 0; else the plainest one that has all of these words (`walk` for `alert_walk_2h`).
#[must_use]
pub fn find_sequence(sequences: &Arena<Sequence>, name: &str) -> Option<Id<Sequence>> {
    let wanted = name.to_lowercase();
    let find = |test: &dyn Fn(&str) -> bool| {
        sequences.iter().find(|(_, sequence)| test(&sequence.name.to_lowercase())).map(|(id, _)| id)
    };
    let by_words = || {
        let wanted = words(&wanted);
        let count = |sequence: &Sequence| {
            let own = words(&sequence.name);
            (!wanted.is_empty() && wanted.iter().all(|word| own.contains(word))).then_some(own.len())
        };
        let found = sequences.iter().filter_map(|(id, sequence)| Some((count(sequence)?, id)));
        found.min_by_key(|(count, _)| *count).map(|(_, id)| id)
    };
    find(&|name| name == wanted)
        .or_else(|| find(&|name| !wanted.is_empty() && name.starts_with(&wanted)))
        .or_else(|| name.parse().ok().and_then(|number| sequences.id(number)))
        .or_else(by_words)
}

/// The words of a name in lower case.
fn words(name: &str) -> Vec<String> {
    let parts = name.split(|letter: char| !letter.is_alphanumeric()).filter(|part| !part.is_empty());
    parts.map(str::to_lowercase).collect()
}

/// The sequence in which a soldier of Return to Castle Wolfenstein, Enemy Territory or Quake III stands and waits; `None` when
/// no name says so.
///
/// Names are made of words: `relaxed_idle_2h_1`, `alert_idle_2h`, `stand_binoculars`, `LEGS_IDLE`. The plainest one counts, the
/// first of several: `stand_binoculars` only where nothing is plainer.
#[must_use]
pub fn idle_sequence(sequences: &Arena<Sequence>) -> Option<Id<Sequence>> {
    let found = sequences.iter().filter_map(|(id, sequence)| Some((distance_from_idle(&sequence.name)?, id)));
    found.min_by_key(|(distance, _)| *distance).map(|(_, id)| id)
}

/// How far the name of a sequence is from a soldier who waits; none for one that is about something else.
fn distance_from_idle(name: &str) -> Option<u32> {
    let mut waits = false;
    let mut distance = 0;
    for word in words(name) {
        distance += match word.as_str() {
            "idle" | "stand" => {
                waits = true;
                0
            }
            "2h" | "legs" | "torso" | "both" => 0,
            word if word.parse::<u32>().is_ok() => 0,
            "relaxed" | "alert" | "1h" | "no" => 1,
            _ => 3,
        };
    }
    waits.then_some(distance)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_found_as_a_person_writes_it() {
        let mut sequences = Arena::default();
        for name in ["death_gut", "relaxed_walk_2h_1", "alert_walk_2h", "Stand", "Stand - 2"] {
            sequences.push(Sequence { name: name.into(), ..Sequence::default() });
        }
        let found = |name: &str| find_sequence(&sequences, name).map(Id::index);
        assert_eq!(
            [found("stand"), found("STAND -"), found("death"), found("2")],
            [Some(3), Some(4), Some(0), Some(2)]
        );
        assert_eq!(
            [found("walk"), found("walk relaxed"), found("swim"), found("")],
            [Some(2), Some(1), None, None]
        );
    }

    #[test]
    fn the_plainest_idle_of_a_soldier_is_found() {
        let found = |names: &[&str]| {
            let mut sequences = Arena::default();
            for name in names {
                sequences.push(Sequence { name: (*name).into(), ..Sequence::default() });
            }
            idle_sequence(&sequences).map(Id::index)
        };
        let multiplayer =
            ["death_gut", "wounded_idle_1", "stand_binoculars", "relaxed_idle_1h_1", "relaxed_idle_2h_1"];
        assert_eq!(found(&multiplayer), Some(4));
        assert_eq!(found(&["alert_idle_1h", "alert_idle_2h", "alert_crchidle_2h"]), Some(1));
        assert_eq!(found(&["BOTH_DEATH1", "LEGS_IDLECR", "LEGS_IDLE", "TORSO_STAND2"]), Some(2));
        assert_eq!(found(&["raise_rifle", "stand_rifle", "walk"]), Some(1));
        assert_eq!(found(&["seated", "base_frame"]), None);
    }
}
