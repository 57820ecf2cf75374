//! Animations of World of Warcraft by number, as the animations of Warcraft III that they become.
//!
//! The numbers and pairs are those that two converters agree on (wow-converter and MdlVis); where they differ, the choice is
//! named at its row. World of Warcraft has one attack per kind of weapon: only those of one kind are taken, else a unit
//! would change its fighting style from blow to blow.

/// A kind of weapon that a World of Warcraft model has attacks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Weapon {
    /// The first kind that the model has an attack for: one hand, bare hands, two hands, and so on.
    #[default]
    Auto,
    /// Bare hands, claws, teeth.
    Unarmed,
    /// A weapon in one hand.
    OneHand,
    /// A sword or axe in both hands.
    TwoHand,
    /// A staff or polearm in both hands.
    Staff,
    /// A bow.
    Bow,
    /// A rifle or crossbow.
    Rifle,
    /// Something that is thrown.
    Thrown,
}

impl Weapon {
    /// All kinds with their names and the numbers of their attacks, in the order in which [`Weapon::Auto`] tries them.
    pub const KINDS: &[(Self, &str, &[u16])] = &[
        (Self::OneHand, "1h", &[17, 85]),
        (Self::Unarmed, "unarmed", &[16, 117]),
        (Self::TwoHand, "2h", &[18]),
        (Self::Staff, "staff", &[19, 86]),
        (Self::Bow, "bow", &[46]),
        (Self::Rifle, "rifle", &[49]),
        (Self::Thrown, "thrown", &[107]),
    ];

    /// The kind of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        if name.eq_ignore_ascii_case("auto") {
            return Some(Self::Auto);
        }
        Self::KINDS.iter().find(|(_, known, _)| known.eq_ignore_ascii_case(name)).map(|(kind, ..)| *kind)
    }

    /// The kind that is used for a model with these animations.
    #[must_use]
    pub(super) fn resolve(self, has: impl Fn(u16) -> bool) -> Self {
        if self != Self::Auto {
            return self;
        }
        let found = Self::KINDS.iter().find(|(.., attacks)| attacks.iter().any(|id| has(*id)));
        found.map_or(Self::Unarmed, |(kind, ..)| *kind)
    }
}

/// One animation of Warcraft III.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// Its name.
    pub name: &'static str,
    /// Whether it starts again at its end. World of Warcraft's own flag says something else.
    pub looping: bool,
    /// How rarely variations are chosen.
    pub rarity: f32,
    /// The kind of weapon that it is for; none: all.
    pub weapon: Option<Weapon>,
    /// The animations of World of Warcraft.
    pub ids: &'static [u16],
    /// Only the first of `ids` that the model has is taken.
    pub first: bool,
}

const fn row(name: &'static str, looping: bool, ids: &'static [u16]) -> Row {
    Row { name, looping, rarity: 0.0, weapon: None, ids, first: false }
}

const fn armed(name: &'static str, looping: bool, weapon: Weapon, ids: &'static [u16]) -> Row {
    Row { weapon: Some(weapon), ..row(name, looping, ids) }
}

/// Every animation that is taken over, in the order in which they are written.
pub(super) const ROWS: &[Row] = &[
    Row { rarity: 4.0, ..row("Stand", true, &[0, 147, 158]) },
    armed("Stand Ready", true, Weapon::Unarmed, &[25]),
    armed("Stand Ready", true, Weapon::OneHand, &[26]),
    armed("Stand Ready", true, Weapon::TwoHand, &[27]),
    armed("Stand Ready", true, Weapon::Staff, &[28]),
    armed("Stand Ready", true, Weapon::Bow, &[29]),
    armed("Stand Ready", true, Weapon::Rifle, &[48]),
    armed("Stand Ready", true, Weapon::Thrown, &[108]),
    row("Stand Channel", true, &[51, 52]),
    row("Stand Work", true, &[62]),
    row("Stand Victory", false, &[94, 113, 194, 50]),
    // Wounds and what averts them. The way back takes the first.
    row("Stand Hit", false, &[8, 9, 10, 24, 30, 36]),
    armed("Stand Hit", false, Weapon::Unarmed, &[20]),
    armed("Stand Hit", false, Weapon::OneHand, &[21]),
    armed("Stand Hit", false, Weapon::TwoHand, &[22]),
    armed("Stand Hit", false, Weapon::Staff, &[23]),
    // Units of Warcraft III run; a model that can only walk walks.
    Row { first: true, ..row("Walk", true, &[5, 4]) },
    row("Walk Fast", true, &[143]),
    row("Stand Swim", true, &[41]),
    row("Walk Swim", true, &[42]),
    armed("Attack", false, Weapon::Unarmed, &[16, 117, 95]),
    armed("Attack", false, Weapon::OneHand, &[17, 85, 87, 88, 95]),
    armed("Attack", false, Weapon::TwoHand, &[18, 95]),
    armed("Attack", false, Weapon::Staff, &[19, 86, 95]),
    // Only the shot: the game plays loading (105, 106) before it, and a sequence here is one sequence of the source.
    armed("Attack", false, Weapon::Bow, &[46]),
    armed("Attack", false, Weapon::Rifle, &[49]),
    armed("Attack", false, Weapon::Thrown, &[107]),
    armed("Attack Slam", false, Weapon::OneHand, &[57]),
    armed("Attack Slam", false, Weapon::TwoHand, &[58]),
    armed("Attack Slam", false, Weapon::Unarmed, &[118]),
    row("Attack Walk Stand Spin", true, &[126]),
    row("Attack Alternate", false, &[183, 245]),
    row("Spell", false, &[2, 32, 33, 54]),
    row("Spell Throw", false, &[53]),
    row("Spell Slam", false, &[55, 181]),
    row("Spell Channel", true, &[31, 125, 203]),
    row("Spell Channel Throw", true, &[124]),
    row("Spell Alternate", false, &[283]),
    row("Death", false, &[1, 148, 159]),
    row("Death Swim", false, &[131]),
    row("Decay Swim", false, &[132]),
    row("Birth", false, &[7, 127, 146]),
    row("Sleep", true, &[100]),
    row("Portrait Talk", true, &[60, 64, 65]),
    row("Stand Alternate", true, &[193, 229]),
    row("Walk Alternate", true, &[135, 233, 364]),
    row("Morph", false, &[192]),
    row("Morph Alternate", false, &[200]),
];

/// What an animation of World of Warcraft is called in Warcraft III.
pub(super) fn name_of(id: u16) -> Option<&'static str> {
    ROWS.iter().find(|row| row.ids.contains(&id)).map(|row| row.name)
}

/// A body that lies still: what Decay shows.
pub(super) const DEAD: u16 = 6;
/// An effect that appears, stays and goes: its three animations have other names than those of a creature.
pub(super) const EFFECT: [u16; 3] = [0, 158, 159];

/// Attachments of World of Warcraft by number, as the game Warcraft III looks for them.
///
/// Shoulders (5 and 6) are not among them: one converter calls them `Medium` and `Large`, which only say how large something at another
/// place may be. Of the rest the bones stay; a file of names makes attachments of them.
pub(super) const ATTACHMENTS: &[(u32, &str)] = &[
    (19, "Origin Ref"),
    (18, "Overhead Ref"),
    (20, "Head Ref"),
    (34, "Chest Ref"),
    (1, "Hand Right Ref"),
    (2, "Hand Left Ref"),
    (47, "Foot Left Ref"),
    (48, "Foot Right Ref"),
    (12, "Chest Rear Ref"),
    (0, "Hand Second Left Ref"),
];
/// Used where a model has no head point of its own.
pub(super) const HELM: u32 = 11;

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn an_animation_belongs_to_one_row_of_a_weapon() {
        for (weapon, ..) in Weapon::KINDS {
            let mut seen = BTreeSet::new();
            for row in ROWS.iter().filter(|row| row.weapon.is_none_or(|kind| kind == *weapon)) {
                for id in row.ids {
                    assert!(seen.insert(*id), "{id} occurs twice for {weapon:?}");
                }
            }
        }
    }

    #[test]
    fn a_creature_without_weapons_fights_with_its_hands() {
        assert_eq!(Weapon::Auto.resolve(|id| id == 16), Weapon::Unarmed);
        assert_eq!(Weapon::Auto.resolve(|id| [16, 17].contains(&id)), Weapon::OneHand);
        assert_eq!(Weapon::Bow.resolve(|_| false), Weapon::Bow);
        assert_eq!(Weapon::from_name("2H"), Some(Weapon::TwoHand));
    }
}
