//! Paths into archives, written `archive.w3x:path/inside.mdx`.

use super::kind::ArchiveKind;
use std::fmt;
use std::path::{Path, PathBuf};

/// A file inside an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchivePath {
    /// The archive on disk.
    pub archive: PathBuf,
    /// The name or pattern inside the archive, as the user wrote it; it can itself be a path into an archive.
    pub inside: String,
}

impl ArchivePath {
    /// Splits a path after the first part that has the extension of an archive. `None` for all other paths, including
    /// Windows drives such as `C:\maps\x.mdx`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::split(text, |archive| ArchiveKind::by_extension(&archive.to_string_lossy()).is_some())
    }

    /// Like [`ArchivePath::parse`], but looks at the disk: a path that exists is not a path into an archive, and a part that
    /// is an existing file is an archive with any extension.
    #[must_use]
    pub fn locate(text: &str) -> Option<Self> {
        if Path::new(text).exists() {
            return None;
        }
        Self::split(text, Path::is_file).or_else(|| Self::parse(text))
    }

    fn split(text: &str, is_archive: impl Fn(&Path) -> bool) -> Option<Self> {
        text.match_indices(':').find_map(|(at, _)| {
            let (archive, inside) = (text.get(..at)?, text.get(at + 1..)?);
            let found = !inside.is_empty() && is_archive(Path::new(archive));
            found.then(|| Self { archive: archive.into(), inside: inside.to_owned() })
        })
    }
}

impl fmt::Display for ArchivePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.archive.display(), self.inside)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_after_the_archive_but_not_after_a_drive_letter() {
        for (text, wanted) in [
            ("map.w3x:units/footman.mdx", Some(("map.w3x", "units/footman.mdx"))),
            (r"C:\maps\map.W3M:units\footman.mdx", Some((r"C:\maps\map.W3M", r"units\footman.mdx"))),
            (r"\\?\C:\pak0.pk3:models/x.mdc", Some((r"\\?\C:\pak0.pk3", "models/x.mdc"))),
            ("a.mpq:b:c.mdx", Some(("a.mpq", "b:c.mdx"))),
            ("campaign.w3n:map.w3x:a.mdx", Some(("campaign.w3n", "map.w3x:a.mdx"))),
            (r"C:\maps\footman.mdx", None),
            ("C:footman.mdx", None),
            ("map.w3x", None),
            ("map.w3x:", None),
            ("footman.mdx", None),
            ("", None),
        ] {
            let split = ArchivePath::parse(text);
            let wanted = wanted
                .map(|(archive, inside)| ArchivePath { archive: archive.into(), inside: inside.into() });
            assert_eq!(split, wanted, "{text}");
            assert!(wanted.is_none_or(|path| path.to_string() == text));
        }
    }
}
