//! Games, and which models each of them loads.

use crate::Checkable;
use effigy_m2::Expansion;
use effigy_mdc::games;
use effigy_mdx::Release;
use std::fmt;
use std::str::FromStr;

/// A game, or a release of one, with limits of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Game {
    /// Warcraft III before Reforged.
    Wc3Classic,
    /// Warcraft III: Reforged.
    Wc3Reforged,
    /// World of Warcraft alpha, 0.5.3 to 0.9.
    WowAlpha,
    /// World of Warcraft 1.x.
    WowVanilla,
    /// World of Warcraft 2.x.
    WowTbc,
    /// World of Warcraft 3.x.
    WowWotlk,
    /// Return to Castle Wolfenstein.
    Rtcw,
    /// The multiplayer part of Return to Castle Wolfenstein, as iortcw builds it.
    RtcwMp,
    /// Wolfenstein: Enemy Territory.
    Et,
    /// ET: Legacy.
    EtLegacy,
}

impl Game {
    /// Every game with the word that options use for it and its name.
    pub const ALL: &[(Self, &str, &str)] = &[
        (Self::Wc3Classic, "wc3-classic", "Warcraft III before Reforged"),
        (Self::Wc3Reforged, "wc3-reforged", "Warcraft III: Reforged"),
        (Self::WowAlpha, "wow-alpha", "World of Warcraft alpha"),
        (Self::WowVanilla, "wow-vanilla", "World of Warcraft 1.x"),
        (Self::WowTbc, "wow-tbc", "World of Warcraft 2.x"),
        (Self::WowWotlk, "wow-wotlk", "World of Warcraft 3.x"),
        (Self::Rtcw, "rtcw", games::RTCW.name),
        (Self::RtcwMp, "rtcw-mp", games::RTCW_MP.name),
        (Self::Et, "et", games::ET.name),
        (Self::EtLegacy, "etlegacy", games::ET_LEGACY.name),
    ];

    /// The word that `--game` takes.
    #[must_use]
    pub fn word(self) -> &'static str {
        Self::ALL.iter().find(|(game, ..)| *game == self).map_or("", |(_, word, _)| word)
    }

    /// Its name for people.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(game, ..)| *game == self).map_or("", |(.., name)| name)
    }

    /// Why the game does not load an MDC or MD3 model.
    pub(crate) fn refuses_mdc(self, model: &effigy_mdc::Model) -> Option<String> {
        match self {
            Self::Rtcw => games::RTCW.refuses(model),
            Self::RtcwMp => games::RTCW_MP.refuses(model),
            Self::Et => games::ET.refuses(model),
            Self::EtLegacy => games::ET_LEGACY.refuses(model),
            _ => Some(format!("{} does not load {}", self.name(), model.format)),
        }
    }

    /// Why the game does not load a glTF file.
    #[allow(clippy::unnecessary_wraps, reason = "the other formats have games that load them")]
    pub(crate) fn refuses_gltf(self, _: &effigy_gltf::Model) -> Option<String> {
        Some(format!("{} does not load glTF", self.name()))
    }

    /// Why the game does not load an MDS, MDM or MDX model.
    pub(crate) fn refuses_mds(self, model: &effigy_mds::Model) -> Option<String> {
        use effigy_mds::games;
        match self {
            Self::Rtcw => games::RTCW.refuses(model),
            Self::RtcwMp => games::RTCW_MP.refuses(model),
            Self::Et => games::ET.refuses(model),
            Self::EtLegacy => games::ET_LEGACY.refuses(model),
            _ => Some(format!("{} does not load {}", self.name(), model.format)),
        }
    }

    /// Why the game does not load an M2 model.
    pub(crate) fn refuses_m2(self, model: &effigy_m2::Model) -> Option<String> {
        let version = model.version();
        let loads = match self {
            Self::WowVanilla => Expansion::Vanilla,
            Self::WowTbc => Expansion::BurningCrusade,
            Self::WowWotlk => Expansion::Wrath,
            _ => return Some(format!("{} does not load M2", self.name())),
        };
        (version.expansion() != loads).then(|| {
            format!("{} does not load version {version}, which belongs to {}", self.name(), version.game())
        })
    }

    /// Why the game does not load an MDX or MDL model.
    pub(crate) fn refuses_mdx(self, model: &effigy_mdx::Model) -> Option<String> {
        match (self, model.release()) {
            (Self::Wc3Classic, Some(Release::Classic))
            | (Self::Wc3Reforged, Some(Release::Classic | Release::Reforged)) => None,
            (Self::WowAlpha, Some(Release::WowAlpha)) => alpha_limits(model),
            _ => Some(format!("{} does not load {} {}", self.name(), model.dialect(), model.version())),
        }
    }
}

/// The limits that the alpha client asserts while it loads a model.
fn alpha_limits(model: &effigy_mdx::Model) -> Option<String> {
    if model.geosets.len().saturating_add(model.batched_geosets.len()) >= 255 {
        return Some(format!("{} geosets, the client loads 254", model.geosets.len()));
    }
    let large = model.geosets.iter().position(|geoset| geoset.vertices.len() > 65_535);
    large.map(|index| format!("GEOS[{index}] has more than 65,535 vertices"))
}

/// The games that load a model, as far as their limits are known.
#[must_use]
pub fn accepted_by(model: &dyn Checkable) -> Vec<Game> {
    Game::ALL.iter().map(|(game, ..)| *game).filter(|game| model.refused_by(*game).is_none()).collect()
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

impl FromStr for Game {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL
            .iter()
            .find(|(_, word, _)| word.eq_ignore_ascii_case(text))
            .map(|(game, ..)| *game)
            .ok_or_else(|| {
                let words: Vec<&str> = Self::ALL.iter().map(|(_, word, _)| *word).collect();
                format!("unknown game '{text}': one of {}", words.join(", "))
            })
    }
}
