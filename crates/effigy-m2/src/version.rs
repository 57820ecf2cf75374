//! Versions and their capabilities. This is the only file that compares version numbers.
//!
//! 256 and 257 are vanilla, 260 to 263 Burning Crusade (one client mixes 260 and 263), 264 is Wrath. Numbers from 265
//! on belong to later expansions; what is known about them is enough to decode the files seen. The emitters of three
//! original files of 262 store their blend mode and type as bytes, those of 260 as words. No file of 261 is known; it is
//! treated like 260.

use effigy_wire::{Capabilities, Error, Result};
use std::fmt;

bitflags::bitflags! {
    /// What a version of the format has. The fields of records are gated on these.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Caps: u32 {
        /// All sequences share one timeline: tracks have ranges, sequences a start and an end (before 264).
        const TIMELINE = 1;
        /// Tracks have one list of keys per sequence, and a sequence's keys may be in a `.anim` file (264 on).
        const NESTED = 1 << 1;
        /// The views are stored in the model (before 264).
        const VIEWS = 1 << 2;
        /// The views are stored in `.skin` files (264 on).
        const SKINS = 1 << 3;
        /// The header has the playable-animation lookup and the flipbooks (before 264).
        const PLAYABLE = 1 << 4;
        /// Bone rotations are four floats (before 260).
        const FLOAT_ROTATION = 1 << 5;
        /// Bone rotations are four 16-bit numbers (260 on).
        const PACKED_ROTATION = 1 << 6;
        /// Bones have four more bytes, submeshes a centre and radius for sorting (260 on).
        const SORTING = 1 << 7;
        /// A particle emitter's blend mode and type are words (before 262).
        const WORD_EMITTER = 1 << 8;
        /// A particle emitter's blend mode and type are bytes, followed by a colour index (262 on).
        const BYTE_EMITTER = 1 << 9;
        /// Particles have three fixed keys over their life (before 264).
        const FIXED_LIFE = 1 << 10;
        /// Particles have any number of keys over their life (264 on).
        const FREE_LIFE = 1 << 11;
        /// A camera's field of view is one number (before 265).
        const FIXED_FOV = 1 << 12;
        /// A camera's field of view is a track, particles have several textures (265 on).
        const CATACLYSM = 1 << 13;
        /// The four bytes of a bone are two distances (260 to 263).
        const BONE_DISTANCES = 1 << 14;
        /// The four bytes of a bone are the CRC-32 of its name (264 on).
        const BONE_CRC = 1 << 15;
    }
}

impl Capabilities for Caps {
    fn has(self, needed: Self) -> bool {
        self.contains(needed)
    }
}

/// The expansion of World of Warcraft that a version belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Expansion {
    /// 1.x.
    Vanilla,
    /// 2.x.
    BurningCrusade,
    /// 3.x.
    Wrath,
    /// Newer than those that are fully known.
    Later,
}

/// The number after the magic word `MD20`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version(u32);

impl Version {
    /// Vanilla, 1.x.
    pub const VANILLA: Self = Self(256);
    /// Burning Crusade.
    pub const BURNING_CRUSADE: Self = Self(260);
    /// Late Burning Crusade, 2.4.
    pub const LATE_BURNING_CRUSADE: Self = Self(263);
    /// Wrath of the Lich King.
    pub const WRATH: Self = Self(264);
    /// The versions that a model can be converted to.
    pub const TARGETS: &[u32] = &[256, 257, 260, 261, 262, 263, 264];
    const FIRST: u32 = 256;
    const LAST: u32 = 274;

    /// The version with this number.
    ///
    /// # Errors
    /// When the number is not that of a known version.
    pub fn new(number: u32) -> Result<Self> {
        if (Self::FIRST..=Self::LAST).contains(&number) {
            Ok(Self(number))
        } else {
            Err(Error::unsupported(format!("M2 version {number} is not known")).hint(format!(
                "known versions are {} to {}",
                Self::FIRST,
                Self::LAST
            )))
        }
    }

    /// The number as stored in the file.
    #[must_use]
    pub const fn number(self) -> u32 {
        self.0
    }

    /// Whether a model can be converted to this version.
    #[must_use]
    pub fn is_target(self) -> bool {
        self <= Self::WRATH
    }

    /// Whether the version is newer than the last one that is fully known.
    #[must_use]
    pub fn is_later(self) -> bool {
        self > Self::WRATH
    }

    /// The expansion that uses this version.
    #[must_use]
    pub const fn expansion(self) -> Expansion {
        match self.0 {
            ..=259 => Expansion::Vanilla,
            260..=263 => Expansion::BurningCrusade,
            264 => Expansion::Wrath,
            _ => Expansion::Later,
        }
    }

    /// The game that uses this version.
    #[must_use]
    pub const fn game(self) -> &'static str {
        match self.expansion() {
            Expansion::Vanilla => "World of Warcraft, vanilla",
            Expansion::BurningCrusade => "World of Warcraft, Burning Crusade",
            Expansion::Wrath => "World of Warcraft, Wrath of the Lich King",
            Expansion::Later => "World of Warcraft, a later expansion",
        }
    }

    /// The capabilities of this version.
    #[must_use]
    pub fn caps(self) -> Caps {
        let pick = |from: u32, before: Caps, after: Caps| if self.0 < from { before } else { after };
        pick(260, Caps::FLOAT_ROTATION, Caps::PACKED_ROTATION | Caps::SORTING)
            | pick(260, Caps::empty(), pick(264, Caps::BONE_DISTANCES, Caps::BONE_CRC))
            | pick(262, Caps::WORD_EMITTER, Caps::BYTE_EMITTER)
            | pick(264, Caps::TIMELINE | Caps::VIEWS | Caps::PLAYABLE, Caps::NESTED | Caps::SKINS)
            | pick(264, Caps::FIXED_LIFE, Caps::FREE_LIFE)
            | pick(265, Caps::FIXED_FOV, Caps::CATACLYSM)
    }
}

impl Default for Version {
    fn default() -> Self {
        Self::VANILLA
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_version_has_exactly_one_of_two_alternatives() {
        for number in Version::FIRST..=Version::LAST {
            let caps = Version::new(number).unwrap().caps();
            for (old, new) in [
                (Caps::TIMELINE, Caps::NESTED),
                (Caps::VIEWS, Caps::SKINS),
                (Caps::FLOAT_ROTATION, Caps::PACKED_ROTATION),
                (Caps::WORD_EMITTER, Caps::BYTE_EMITTER),
                (Caps::FIXED_LIFE, Caps::FREE_LIFE),
                (Caps::FIXED_FOV, Caps::CATACLYSM),
            ] {
                assert!(caps.contains(old) != caps.contains(new), "{number}: {old:?} or {new:?}");
            }
        }
        assert!(Version::new(255).is_err());
        assert!(Version::new(275).is_err());
    }

    #[test]
    fn versions_belong_to_expansions() {
        use Expansion::{BurningCrusade, Later, Vanilla, Wrath};
        for (number, expansion) in [
            (256, Vanilla),
            (259, Vanilla),
            (260, BurningCrusade),
            (263, BurningCrusade),
            (264, Wrath),
            (265, Later),
            (272, Later),
        ] {
            let version = Version::new(number).unwrap();
            assert_eq!(version.expansion(), expansion, "{number}");
            assert_eq!(version.is_later(), expansion == Later, "{number}");
        }
    }

    #[test]
    fn the_capabilities_of_each_version() {
        let old = Caps::TIMELINE | Caps::VIEWS | Caps::PLAYABLE | Caps::FIXED_LIFE | Caps::FIXED_FOV;
        let packed = Caps::PACKED_ROTATION | Caps::SORTING;
        let new = Caps::NESTED | Caps::SKINS | Caps::FREE_LIFE | Caps::BONE_CRC | Caps::BYTE_EMITTER | packed;
        let middle = old | packed | Caps::BONE_DISTANCES;
        for (numbers, caps) in [
            ([256, 259], old | Caps::FLOAT_ROTATION | Caps::WORD_EMITTER),
            ([260, 261], middle | Caps::WORD_EMITTER),
            ([262, 263], middle | Caps::BYTE_EMITTER),
            ([264, 264], new | Caps::FIXED_FOV),
            ([265, 274], new | Caps::CATACLYSM),
        ] {
            for number in numbers {
                assert_eq!(Version::new(number).unwrap().caps(), caps, "{number}");
            }
        }
        assert!(Caps::NESTED.union(Caps::SKINS).has(Caps::NESTED) && !Caps::NESTED.has(Caps::SKINS));
    }

    #[test]
    fn versions_have_a_number_a_game_and_may_be_targets() {
        for (number, game, target) in [
            (256, "vanilla", true),
            (263, "Burning Crusade", true),
            (264, "Wrath of the Lich King", true),
            (265, "a later expansion", false),
        ] {
            let version = Version::new(number).unwrap();
            assert_eq!((version.number(), version.to_string()), (number, number.to_string()));
            assert_eq!(version.game(), format!("World of Warcraft, {game}"));
            assert_eq!(version.is_target(), target, "{number}");
        }
    }
}
