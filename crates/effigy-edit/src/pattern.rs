//! Names with wildcards.

/// A name in which `*` stands for any letters. Capital and small letters are the same, as in the games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern(String);

impl Pattern {
    /// The pattern with this text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self(text.to_lowercase())
    }

    /// Whether a name fits.
    #[must_use]
    pub fn fits(&self, name: &str) -> bool {
        let name = name.to_lowercase();
        let mut pieces = self.0.split('*');
        let Some(first) = pieces.next() else { return false };
        let Some(mut rest) = name.strip_prefix(first) else { return false };
        let mut pieces: Vec<&str> = pieces.collect();
        let Some(last) = pieces.pop() else { return rest.is_empty() };
        for piece in pieces {
            let Some((_, after)) = rest.split_once(piece) else { return false };
            rest = after;
        }
        rest.ends_with(last)
    }
}

impl std::fmt::Display for Pattern {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_letters() {
        for (pattern, name, fits) in [
            ("stand", "Stand", true),
            ("stand", "Stand - 2", false),
            ("stand*", "Stand - 2", true),
            ("*2", "Stand - 2", true),
            ("s*d*2", "Stand - 2", true),
            ("*", "", true),
            ("a*a", "a", false),
            ("", "", true),
        ] {
            assert_eq!(Pattern::new(pattern).fits(name), fits, "{pattern} {name}");
        }
    }
}
