//! Options of a check.

use crate::{Game, Profile};

/// Whether a file that a model names exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookup {
    /// It exists, under this name or one that the game accepts instead.
    Found,
    /// It exists and is named like a texture, but is not one that can be read.
    NotATexture,
    /// It is a texture, and ends before its first picture does.
    CutOff,
    /// It is a texture of this width and height, of which at least one is not a power of two.
    OddSize(u32, u32),
    /// It does not exist.
    Missing,
    /// Not known: there is nowhere to look, or the file may be part of the game.
    Unknown,
}

/// What to check for, and what the check may use. The default checks everything that needs no files besides the model.
#[derive(Clone, Copy, Default)]
pub struct CheckOptions<'a> {
    /// What the model is; guessed when `None`.
    pub profile: Option<Profile>,
    /// The model's file name, which helps to guess what the model is (`_portrait`, for example). May be empty.
    pub file_name: &'a str,
    /// The game that has to load the model.
    pub game: Option<Game>,
    /// Only codes that begin with one of these, or are in the [group](crate::rule::GROUPS) of that name; all codes when empty.
    pub select: &'a [String],
    /// No codes that begin with one of these, or are in the group of that name.
    pub ignore: &'a [String],
    /// Looks for a file that the model names. Without it, missing files are not reported.
    pub lookup: Option<&'a (dyn Fn(&str) -> Lookup + Sync)>,
    /// For a coarser level of detail (MDC, MD3): how many frames the finest level has.
    pub finest_frames: Option<usize>,
    /// The surfaces that the skin next to the model names, in the form in which games compare names (MDC, MD3).
    pub skin_surfaces: Option<&'a [String]>,
}

impl CheckOptions<'_> {
    /// Whether findings with this code are wanted.
    #[must_use]
    pub fn wants(&self, code: &str) -> bool {
        let any = |list: &[String]| list.iter().any(|word| crate::rule::is_meant(code, word));
        (self.select.is_empty() || any(self.select)) && !any(self.ignore)
    }
}

impl std::fmt::Debug for CheckOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CheckOptions")
            .field("profile", &self.profile)
            .field("game", &self.game)
            .field("select", &self.select)
            .field("ignore", &self.ignore)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_selected_by_prefix() {
        let words = |list: &[&str]| list.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
        let (select, ignore) = (words(&["mdx1", "ALL1001"]), words(&["MDX1009"]));
        let options = CheckOptions { select: &select, ignore: &ignore, ..CheckOptions::default() };
        for (code, wanted) in [("MDX1001", true), ("MDX1009", false), ("MDX2001", false), ("ALL1001", true)] {
            assert_eq!(options.wants(code), wanted, "{code}");
        }
    }
}
