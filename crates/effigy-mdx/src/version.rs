//! Dialects and versions. This is the only module that compares version numbers.
//!
//! A number alone is ambiguous, since both World of Warcraft alpha and later Warcraft III use 1300 and 1400: the dialect is
//! found from the structure of the file (see [`crate::read`]). Within a dialect the number determines the [`Caps`], and the
//! declarations of records refer to those.
//!
//! Knowledge: real files up to 1200; for Warcraft III 1300 to 1800 the files that the crate `wc3` writes; for WoW
//! alpha the wiki page about client 0.5.3 and two public readers.

use effigy_wire::Capabilities;
use std::fmt;

/// The game whose rules a file follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Dialect {
    /// Warcraft III: chunks are read to their end, rotations are four floats.
    #[default]
    Warcraft3,
    /// World of Warcraft before 0.11: chunks begin with a count, rotations are packed into 64 bits.
    WowAlpha,
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Warcraft3 => "Warcraft III",
            Self::WowAlpha => "WoW alpha",
        })
    }
}

/// The release of a game that a version was made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Release {
    /// Warcraft III before Reforged (800). Reforged loads it, too.
    Classic,
    /// The beta of Reforged (900). No released game loads it.
    ReforgedBeta,
    /// Warcraft III: Reforged (1000 and later).
    Reforged,
    /// World of Warcraft alpha.
    WowAlpha,
}

bitflags::bitflags! {
    /// What the files of a version contain.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Caps: u32 {
        /// Warcraft III.
        const WC3 = 1 << 0;
        /// World of Warcraft alpha.
        const WOW = 1 << 1;
        /// Materials name a shader (900 and 1000 only).
        const SHADER_NAME = 1 << 2;
        /// Layers glow (900 and later).
        const EMISSIVE = 1 << 3;
        /// Layers have a Fresnel term (1000 and later).
        const FRESNEL = 1 << 4;
        /// Layers hold several textures in slots (1100 and later).
        const TEXTURE_SLOTS = 1 << 5;
        /// Layers hold one animated texture (before 1100).
        const LAYER_TEXTURE_TRACK = 1 << 6;
        /// Geosets have a level of detail and a name (900 and later).
        const GEOSET_LOD = 1 << 7;
        /// Skin weights are 16 bits wide (1400 and later).
        const WIDE_SKIN = 1 << 8;
        /// Lights have a shadow intensity (1200 and later).
        const SHADOW_INTENSITY = 1 << 9;
        /// Lights cast shadows in a range (1300 and later).
        const SHADOW_CASTING = 1 << 10;
        /// Lights fall off by coefficients (1600 and later).
        const LIGHT_FALLOFF = 1 << 11;
        /// New cameras are of variant 3 instead of 0 (1200 and later).
        const CAMERA_VARIANT_3 = 1 << 12;
        /// Geosets and their vertex batches are stored separately (WoW alpha 1500).
        const BATCHED_GEOSETS = 1 << 13;
        /// Geosets hold their own arrays (all but WoW alpha 1500).
        const PLAIN_GEOSETS = 1 << 14;
    }
}

impl Capabilities for Caps {
    fn has(self, needed: Self) -> bool {
        self.contains(needed)
    }
}

/// First version, last version, capability; one row for each thing that came or went.
type Row = (u32, u32, Caps);
const ALWAYS: u32 = u32::MAX;

const WARCRAFT3: &[Row] = &[
    (0, ALWAYS, Caps::WC3.union(Caps::PLAIN_GEOSETS)),
    (900, 1000, Caps::SHADER_NAME),
    (900, ALWAYS, Caps::EMISSIVE),
    (900, ALWAYS, Caps::GEOSET_LOD),
    (1000, ALWAYS, Caps::FRESNEL),
    (0, 1099, Caps::LAYER_TEXTURE_TRACK),
    (1100, ALWAYS, Caps::TEXTURE_SLOTS),
    (1200, ALWAYS, Caps::SHADOW_INTENSITY),
    (1200, ALWAYS, Caps::CAMERA_VARIANT_3),
    (1300, ALWAYS, Caps::SHADOW_CASTING),
    (1400, ALWAYS, Caps::WIDE_SKIN),
    (1600, ALWAYS, Caps::LIGHT_FALLOFF),
];

const WOW_ALPHA: &[Row] = &[
    (0, ALWAYS, Caps::WOW.union(Caps::LAYER_TEXTURE_TRACK)),
    (0, 1499, Caps::PLAIN_GEOSETS),
    (1500, ALWAYS, Caps::BATCHED_GEOSETS),
];

impl Dialect {
    /// The versions that are known in this dialect.
    #[must_use]
    pub const fn versions(self) -> &'static [u32] {
        match self {
            Self::Warcraft3 => &[800, 900, 1000, 1100, 1200, 1300, 1400, 1600, 1800],
            Self::WowAlpha => &[1300, 1400, 1500],
        }
    }

    /// What the files of a version contain. An unknown version has the capabilities of the nearest known one below it.
    #[must_use]
    pub fn caps(self, version: u32) -> Caps {
        let rows = match self {
            Self::Warcraft3 => WARCRAFT3,
            Self::WowAlpha => WOW_ALPHA,
        };
        rows.iter()
            .filter(|(first, last, _)| (*first..=*last).contains(&version))
            .fold(Caps::empty(), |caps, (_, _, more)| caps | *more)
    }

    /// The release that a version was made for; `None` for a version of Warcraft III that is not known.
    #[must_use]
    pub fn release(self, version: u32) -> Option<Release> {
        match (self, version) {
            (Self::WowAlpha, _) => Some(Release::WowAlpha),
            (Self::Warcraft3, 800) => Some(Release::Classic),
            (Self::Warcraft3, 900) => Some(Release::ReforgedBeta),
            (Self::Warcraft3, _) => self.knows(version).then_some(Release::Reforged),
        }
    }

    /// Whether the version is one of [`Self::versions`].
    #[must_use]
    pub fn knows(self, version: u32) -> bool {
        self.versions().contains(&version)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_belongs_to_one_release() {
        let release = |version| Dialect::Warcraft3.release(version);
        assert_eq!(release(800), Some(Release::Classic));
        assert_eq!(release(900), Some(Release::ReforgedBeta));
        assert_eq!([1000, 1100, 1800].map(release), [Some(Release::Reforged); 3]);
        assert_eq!([799, 1500].map(release), [None; 2]);
        assert_eq!(
            [800, 1300].map(|version| Dialect::WowAlpha.release(version)),
            [Some(Release::WowAlpha); 2]
        );
        let model = crate::Model::new(Dialect::Warcraft3, 900, "");
        assert_eq!(model.release(), Some(Release::ReforgedBeta));
    }

    #[test]
    fn capabilities_come_and_go_with_versions() {
        let caps = |version| Dialect::Warcraft3.caps(version);
        assert!(caps(800).contains(Caps::WC3 | Caps::LAYER_TEXTURE_TRACK));
        assert!(!caps(800).intersects(Caps::EMISSIVE | Caps::GEOSET_LOD | Caps::SHADER_NAME));
        assert!(caps(1000).contains(Caps::SHADER_NAME | Caps::FRESNEL));
        assert!(!caps(1100).intersects(Caps::SHADER_NAME | Caps::LAYER_TEXTURE_TRACK));
        assert_eq!(caps(1700), caps(1600));
        assert_eq!(Dialect::WowAlpha.caps(1400), Dialect::WowAlpha.caps(1300));
        assert!(!Dialect::WowAlpha.caps(1500).contains(Caps::PLAIN_GEOSETS));
    }
}
