//! How to check.

use crate::{Game, Profile};

/// Whether a file that a model names is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookup {
    /// It is there, under this name or one that the game takes for it.
    Found,
    /// It is not there.
    Missing,
    /// Nobody knows: nothing to look in, or the game itself has it.
    Unknown,
}

/// How to check.
#[derive(Clone, Copy, Default)]
pub struct CheckOptions<'a> {
    /// What the model is; guessed where nothing is said.
    pub profile: Option<Profile>,
    /// The model's file name; a `_portrait` at its end says what the model is.
    pub file_name: &'a str,
    /// The game that shall load the model.
    pub game: Option<Game>,
    /// Only these codes, or codes that begin so; all where empty.
    pub select: &'a [String],
    /// Not these codes, or codes that begin so.
    pub ignore: &'a [String],
    /// Looks for a file that the model names.
    pub lookup: Option<&'a (dyn Fn(&str) -> Lookup + Sync)>,
    /// Frames of the model's finest level of detail, for a coarser one (MDC, MD3).
    pub finest_frames: Option<usize>,
    /// Names of the surfaces that a skin speaks of, as games compare them (MDC, MD3).
    pub skin_surfaces: Option<&'a [String]>,
}

impl CheckOptions<'_> {
    /// Whether findings with this code are wanted.
    #[must_use]
    pub fn wants(&self, code: &str) -> bool {
        let any = |list: &[String]| {
            list.iter().any(|one| code.get(..one.len()).is_some_and(|start| start.eq_ignore_ascii_case(one)))
        };
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
    fn codes_are_chosen_by_their_beginning() {
        let words = |list: &[&str]| list.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
        let (select, ignore) = (words(&["mdx1", "ALL1001"]), words(&["MDX1009"]));
        let options = CheckOptions { select: &select, ignore: &ignore, ..CheckOptions::default() };
        for (code, wanted) in [("MDX1001", true), ("MDX1009", false), ("MDX2001", false), ("ALL1001", true)] {
            assert_eq!(options.wants(code), wanted, "{code}");
        }
    }
}
