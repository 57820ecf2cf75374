//! Names of sequences in Warcraft III: which words the game knows, and what a name of another program probably means.

use std::collections::BTreeMap;

/// Names that the user chose, by the names in the source. An empty name leaves the thing out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// Sequences.
    pub sequences: BTreeMap<String, String>,
    /// Attachments.
    pub attachments: BTreeMap<String, String>,
}

/// The first words by which the game chooses animations.
const KNOWN: [&str; 12] = [
    "attack",
    "birth",
    "cinematic",
    "death",
    "decay",
    "dissipate",
    "morph",
    "portrait",
    "sleep",
    "spell",
    "stand",
    "walk",
];
/// Of those, the ones that play once.
const ONCE: [&str; 7] = ["attack", "spell", "death", "decay", "birth", "morph", "dissipate"];

/// Words in names of other programs and what they become; the first that occurs wins.
const GUESSES: &[(&[&str], &str)] = &[
    (&["tpose", "t-pose", "apose", "a-pose", "bindpose", "restpose"], ""),
    (&["death", "die", "dead", "dying"], "Death"),
    (&["attack", "punch", "slice", "chop", "stab", "shoot", "kick", "bite", "swing"], "Attack"),
    (&["cast", "spell", "magic"], "Spell"),
    (&["talk", "speak"], "Portrait Talk"),
    (&["hit", "hurt", "damage"], "Stand Hit"),
    (&["victory", "cheer", "dance"], "Stand Victory"),
    (&["work", "gather", "build", "mine"], "Stand Work"),
    (&["sprint"], "Walk Fast"),
    (&["run", "walk", "gallop", "trot"], "Walk"),
    (&["idle", "survey", "wait", "rest"], "Stand"),
    (&["spawn", "birth", "rise"], "Birth"),
    (&["sleep"], "Sleep"),
];

fn first_word(name: &str) -> String {
    name.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default().to_ascii_lowercase()
}

/// Whether the game chooses this sequence by itself.
pub(super) fn is_known(name: &str) -> bool {
    KNOWN.contains(&first_word(name).as_str())
}

/// Whether a sequence of this name starts again at its end.
pub(super) fn loops(name: &str) -> bool {
    !ONCE.contains(&first_word(name).as_str())
}

/// What a sequence of another program is called in Warcraft III; none: it is left out.
pub(super) fn guess(name: &str) -> Option<String> {
    // Names of Warcraft III are words with spaces between them.
    if is_known(name) && !name.contains(['_', '|', '.', ':']) {
        return Some(name.to_owned());
    }
    let lower = name.to_ascii_lowercase();
    match GUESSES.iter().find(|(words, _)| words.iter().any(|word| lower.contains(word))) {
        Some((_, "")) => None,
        Some((_, found)) => Some((*found).to_owned()),
        None => Some(format!("Cinematic {name}")),
    }
}

/// Whether a name is nothing but a word that is understood: `Idle`, and not `Unarmed_Idle`.
pub(super) fn is_plain(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    is_known(name) || GUESSES.iter().any(|(words, _)| words.contains(&lower.as_str()))
}

/// Gives each name its number: `Attack`, `Attack - 2`, `Attack - 3`.
#[derive(Debug, Default)]
pub(super) struct Numbered(BTreeMap<String, u32>);

impl Numbered {
    pub fn next(&mut self, name: &str) -> String {
        let count = self.0.entry(name.to_ascii_lowercase()).or_default();
        *count += 1;
        if *count == 1 { name.to_owned() } else { format!("{name} - {count}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_other_programs_are_understood() {
        for (name, expected) in [
            ("Idle", Some("Stand")),
            ("Running_A", Some("Walk")),
            ("1H_Melee_Attack_Chop", Some("Attack")),
            ("Death_A", Some("Death")),
            ("T-Pose", None),
            ("Walk Fast", Some("Walk Fast")),
            ("Lie_Down", Some("Cinematic Lie_Down")),
        ] {
            assert_eq!(guess(name).as_deref(), expected, "{name}");
        }
        assert!(is_plain("idle") && is_plain("Walk Fast") && !is_plain("Unarmed_Idle"));
        assert!(loops("Stand Ready") && !loops("Attack - 2") && !loops("decay flesh"));
    }

    #[test]
    fn repeated_names_are_numbered() {
        let mut names = Numbered::default();
        let found: Vec<String> = ["Attack", "Stand", "attack"].iter().map(|name| names.next(name)).collect();
        assert_eq!(found, ["Attack", "Stand", "attack - 2"]);
    }
}
