//! Names of sequences in Warcraft III: which words the game knows, and what a name of another program probably means.

use super::words::{is_form, title, words};
use std::collections::BTreeMap;

/// Names that the user chose, by the names in the source. An empty name leaves the thing out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// Sequences.
    pub sequences: BTreeMap<String, String>,
    /// Attachments; any other node becomes one, too.
    pub attachments: BTreeMap<String, String>,
    /// Events; any other node becomes one, too. Those of Warcraft III have names such as `FPTxFBL1`.
    pub events: BTreeMap<String, String>,
    /// What materials get from the player: `team colour`, `team glow`, or nothing.
    pub materials: BTreeMap<String, String>,
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
/// Words that say more about an animation, behind the first.
const PROPERTIES: [&str; 24] = [
    "alternate",
    "bone",
    "channel",
    "defend",
    "fast",
    "fifth",
    "first",
    "flesh",
    "fourth",
    "gold",
    "hit",
    "large",
    "lumber",
    "medium",
    "ready",
    "second",
    "slam",
    "small",
    "spin",
    "swim",
    "talk",
    "third",
    "throw",
    "victory",
];
/// Of the first words, those of animations that play once.
const ONCE: [&str; 7] = ["attack", "spell", "death", "decay", "birth", "morph", "dissipate"];

/// Words in names of other programs, in all their forms, and what they become; the first row that has one of the words wins.
const GUESSES: &[(&[&str], &str)] = &[
    (&["death", "die", "dead", "dying"], "Death"),
    (&["cast", "spell", "spellcast", "magic"], "Spell"),
    (
        &[
            "attack", "punch", "slice", "chop", "stab", "shoot", "shot", "kick", "bite", "swing", "slash",
            "strike", "smash", "slam", "bash", "thrust", "throw", "headbutt",
        ],
        "Attack",
    ),
    (&["talk", "speak"], "Portrait Talk"),
    (&["hit", "hurt", "damage", "flinch"], "Stand Hit"),
    (&["victory", "cheer", "dance", "celebrate"], "Stand Victory"),
    (&["work", "gather", "build", "mine"], "Stand Work"),
    (&["sprint"], "Walk Fast"),
    (&["run", "walk", "gallop", "trot", "jog"], "Walk"),
    (&["idle", "survey", "wait", "rest"], "Stand"),
    (&["spawn", "birth", "rise"], "Birth"),
    (&["sleep"], "Sleep"),
    (&["swim"], "Walk Swim"),
    // In many names it only says that something is done on one's feet, so that everything else comes first.
    (&["stand"], "Stand"),
];
/// Words of a Stand or a Walk that the game must not choose by chance: in the air, on the ground, sideways, as a single picture.
const UNUSUAL: [&str; 19] = [
    "jump", "fall", "climb", "crawl", "crouch", "kneel", "sit", "lie", "lying", "prone", "up", "down",
    "turn", "left", "right", "back", "backward", "sideway", "strafe",
];
/// Words that make a Stand one of a unit that is ready to fight.
const READY: [&str; 5] = ["ready", "combat", "battle", "fight", "alert"];

fn first_word(name: &str) -> String {
    name.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default().to_ascii_lowercase()
}

/// Whether the game chooses this sequence by itself.
pub(super) fn is_known(name: &str) -> bool {
    KNOWN.contains(&first_word(name).as_str())
}

/// Whether a sequence is a plain Stand or one of its variations: `Stand`, `Stand - 2`, `stand 3`, and not `Stand Ready`.
pub(super) fn is_stand(name: &str) -> bool {
    let name = name.split(" - ").next().unwrap_or_default();
    words(name).iter().eq(["stand"])
}

/// Whether a sequence of this name starts again at its end.
pub(super) fn loops(name: &str) -> bool {
    let is_hit = name.get(..9).is_some_and(|start| start.eq_ignore_ascii_case("stand hit"));
    !is_hit && !ONCE.contains(&first_word(name).as_str())
}

fn has_form(words: &[String], of: &[&str]) -> bool {
    words.iter().any(|word| of.iter().any(|of| is_form(word, of)))
}

/// Whether a name has a word in any of its forms.
pub(super) fn mentions(name: &str, word: &str) -> bool {
    has_form(&words(title(name)), &[word])
}

/// Whether a name is that of a pose that only shows how the model was built: `T-Pose`, `A_Pose`, `BindPose`.
pub(super) fn is_rest_pose(name: &str) -> bool {
    let words = words(title(name));
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    // `Death_A_Pose` is not an A-pose.
    words.starts_with(&["a", "pose"])
        || words.windows(2).any(|pair| matches!(pair, ["t" | "bind" | "rest", "pose"]))
        || words.iter().any(|word| matches!(*word, "tpose" | "apose" | "bindpose" | "restpose"))
}

/// A name of Warcraft III that is written in another way: `Stand_Ready`, `Attack_01`.
fn respelled(words: &[String]) -> Option<String> {
    let (first, others) = words.split_first()?;
    if !KNOWN.contains(&first.as_str()) || !others.iter().all(|it| PROPERTIES.contains(&it.as_str())) {
        return None;
    }
    let capital = |word: &String| {
        let (first, rest) = word.split_at_checked(1).unwrap_or_default();
        format!("{}{rest}", first.to_ascii_uppercase())
    };
    Some(words.iter().map(capital).collect::<Vec<_>>().join(" "))
}

/// What a sequence of another program is called in Warcraft III; none: it is left out.
pub(super) fn guess(name: &str) -> Option<String> {
    let (found, by_chance) = meaning(name)?;
    Some(if by_chance { found } else { format!("Cinematic {}", title(name)) })
}

/// What a sequence of another program means, and whether a game may choose it by chance among those of the same name; none: it is left
/// out.
pub(super) fn meaning(name: &str) -> Option<(String, bool)> {
    let title = title(name);
    let words = words(title);
    // Names of Warcraft III are words with spaces between them: `Attack 1`, and not `Attack1`.
    let first = title.split(' ').next().unwrap_or_default();
    let spaced = !title.contains(['_', '.', ':']) && first.bytes().all(|it| it.is_ascii_alphabetic());
    if is_known(title) && spaced && !words.iter().any(|word| word == "up") {
        return Some((title.to_owned(), true));
    }
    if is_rest_pose(name) {
        return None;
    }
    if let Some(name) = respelled(&words) {
        return Some((name, true));
    }
    let found = GUESSES.iter().find(|(of, _)| has_form(&words, of)).map(|(_, found)| *found);
    let still = words.iter().any(|word| word == "pose");
    Some(match found {
        Some(found @ ("Stand" | "Walk" | "Walk Fast")) if has_form(&words, &UNUSUAL) => {
            (found.to_owned(), false)
        }
        Some(found @ ("Stand" | "Walk" | "Death")) if has_form(&words, &["swim"]) => {
            (format!("{found} Swim"), true)
        }
        Some("Stand") if has_form(&words, &READY) => ("Stand Ready".to_owned(), true),
        Some(found) => (found.to_owned(), !still || found == "Stand"),
        None => (format!("Cinematic {title}"), true),
    })
}

/// Whether a name is nothing but a word that is understood: `Idle`, and not `Unarmed_Idle`.
pub(super) fn is_plain(name: &str) -> bool {
    let title = title(name);
    let lower = title.to_ascii_lowercase();
    is_known(title) || GUESSES.iter().any(|(words, _)| words.contains(&lower.as_str()))
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
            ("Armature|TPose", None),
            ("A-Pose", None),
            ("Walk Fast", Some("Walk Fast")),
            ("Lie_Down", Some("Cinematic Lie_Down")),
            // Words, and not letters inside of words.
            ("Soldier_Walk", Some("Walk")),
            ("CastleGuard_Idle", Some("Stand")),
            ("White_Idle", Some("Stand")),
            ("WhiteRabbit", Some("Cinematic WhiteRabbit")),
            ("Worker_Idle", Some("Stand")),
            ("Runestone_Glow", Some("Cinematic Runestone_Glow")),
            // All forms of a word.
            ("Attacking", Some("Attack")),
            ("Dying", Some("Death")),
            ("Died", Some("Death")),
            ("Punching", Some("Attack")),
            ("SwordSlash", Some("Attack")),
            ("Hit_A", Some("Stand Hit")),
            ("Spellcast_Long", Some("Spell")),
            ("Spellcast_Shoot", Some("Spell")),
            ("Cheer", Some("Stand Victory")),
            ("Dancing", Some("Stand Victory")),
            ("Standing", Some("Stand")),
            // What programs add.
            ("Armature|Walk", Some("Walk")),
            ("Armature|Stand Ready", Some("Stand Ready")),
            ("Walk-loop", Some("Walk")),
            ("Walk-loop.001", Some("Walk")),
            ("Idle_Loop", Some("Stand")),
            ("Armature|mixamo.com|Layer0", Some("Cinematic mixamo.com")),
            // Names of the game with other signs between their words.
            ("Stand_Ready", Some("Stand Ready")),
            ("Attack_01", Some("Attack")),
            ("Attack1", Some("Attack")),
            ("Walk2", Some("Walk")),
            ("Attack 1", Some("Attack 1")),
            ("Stand - 2", Some("Stand - 2")),
            ("Walk_Left", Some("Cinematic Walk_Left")),
            // Variations that the game would choose by chance.
            ("Idle_Combat", Some("Stand Ready")),
            ("Jump_Full_Long", Some("Cinematic Jump_Full_Long")),
            ("Jump_Idle", Some("Cinematic Jump_Idle")),
            ("Sitting_Idle", Some("Cinematic Sitting_Idle")),
            ("Lie_StandUp", Some("Cinematic Lie_StandUp")),
            ("Stand Up", Some("Cinematic Stand Up")),
            ("Walking_Backwards", Some("Cinematic Walking_Backwards")),
            ("Running_Strafe_Left", Some("Cinematic Running_Strafe_Left")),
            ("Death_A_Pose", Some("Cinematic Death_A_Pose")),
            ("Idle_Pose", Some("Stand")),
            ("Swim_Idle", Some("Stand Swim")),
            ("Swimming", Some("Walk Swim")),
        ] {
            assert_eq!(guess(name).as_deref(), expected, "{name}");
        }
        assert!(is_plain("Armature|Idle-loop") && is_plain("Armature|Stand") && !is_plain("Armature|Idle_B"));
        assert!(mentions("Armature|Walking", "walk") && !mentions("Catwalk|Run", "walk"));
        assert!(is_plain("idle") && is_plain("Walk Fast") && !is_plain("Unarmed_Idle"));
        assert!(!loops("Stand Hit - 2") && !loops("stand hit") && loops("Stand Hi"));
        assert!(loops("Stand Ready") && !loops("Attack - 2") && !loops("decay flesh"));
    }

    #[test]
    fn a_stand_has_no_further_words() {
        for name in ["Stand", "stand", "Stand - 2", "Stand 3", "Stand - Ready"] {
            assert!(is_stand(name), "{name}");
        }
        for name in ["Stand Ready", "Stand Hit - 2", "Stand_Victory", "Standing", "Walk", ""] {
            assert!(!is_stand(name), "{name}");
        }
    }

    #[test]
    fn repeated_names_are_numbered() {
        let mut names = Numbered::default();
        let found: Vec<String> = ["Attack", "Stand", "attack"].iter().map(|name| names.next(name)).collect();
        assert_eq!(found, ["Attack", "Stand", "attack - 2"]);
    }
}
