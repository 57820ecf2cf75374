//! Safe paths on disk for names of entries, which are untrusted.

use effigy_wire::{Error, Kind, Result};
use std::path::PathBuf;

/// The longest part of a path that common file systems support, in bytes.
const LONGEST_PART: usize = 255;
/// The most parts of a path.
const MOST_PARTS: usize = 64;

/// A relative path below the output folder, from the name of an entry.
///
/// Names that could lead outside are refused: `..`, absolute paths, drives, network shares, NUL. Names that are invalid on
/// Windows are changed: forbidden characters become `_`, a reserved name (`CON`, `LPT1`...) is prefixed with `_`, and a dot
/// or space at the end of a part becomes `_`.
///
/// # Errors
/// When the name is refused; the message states the reason.
pub fn safe_path(entry_name: &str) -> Result<PathBuf> {
    let refuse =
        |why: &str| Err(Error::new(Kind::Malformed, format!("{why}: {}", entry_name.escape_debug())));
    if entry_name.contains('\0') {
        return refuse("the name contains NUL");
    }
    if entry_name.starts_with(['/', '\\']) {
        return refuse("the name is an absolute path");
    }
    let mut letters = entry_name.chars();
    if letters.next().is_some_and(|letter| letter.is_ascii_alphabetic()) && letters.next() == Some(':') {
        return refuse("the name has a drive letter");
    }
    let mut path = PathBuf::new();
    let mut count = 0;
    for part in crate::name::parts(entry_name) {
        // Windows removes dots and spaces at the end, so that `.. ` would become `..`.
        if part.starts_with("..") && part.chars().all(|letter| letter == '.' || letter.is_whitespace()) {
            return refuse("the name leads out of the folder");
        }
        let valid = make_valid(part);
        if valid.len() > LONGEST_PART {
            return refuse("a part of the name is longer than 255 bytes");
        }
        path.push(valid);
        count += 1;
    }
    match count {
        0 => refuse("the name is empty"),
        1..=MOST_PARTS => Ok(path),
        _ => refuse("the name has too many folders"),
    }
}

fn make_valid(part: &str) -> String {
    let forbidden = |letter: char| letter.is_control() || r#"<>:"|?*"#.contains(letter);
    let mut valid: String = part.chars().map(|letter| if forbidden(letter) { '_' } else { letter }).collect();
    if valid.ends_with(['.', ' ']) {
        valid.pop();
        valid.push('_');
    }
    if is_reserved(&valid) {
        valid.insert(0, '_');
    }
    valid
}

/// Whether the part is the name of a device on Windows, with any extension.
fn is_reserved(part: &str) -> bool {
    let stem = part.split('.').next().unwrap_or(part).trim_end().to_ascii_uppercase();
    let numbered = |device: &str| {
        stem.strip_prefix(device).is_some_and(|rest| {
            let mut rest = rest.chars();
            matches!((rest.next(), rest.next()), (Some('0'..='9' | '\u{b9}' | '\u{b2}' | '\u{b3}'), None))
        })
    };
    matches!(stem.as_str(), "CON" | "PRN" | "AUX" | "NUL" | "CONIN$" | "CONOUT$" | "CLOCK$")
        || numbered("COM")
        || numbered("LPT")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Component;

    #[test]
    fn names_that_lead_outside_are_refused() {
        for name in [
            "../x",
            r"..\x",
            "a/../../x",
            "a/..",
            "..",
            "a/.. /x",
            "a/... /x",
            "/etc/passwd",
            r"\x",
            r"\\server\share\x",
            "//server/share",
            r"C:\x",
            "c:x",
            "C:",
            "a\0b",
            "",
            ".",
            "./",
            r"\\?\C:\x",
            r"\\.\pipe\x",
        ] {
            assert!(safe_path(name).is_err(), "{name}");
        }
        assert!(safe_path(&"a/".repeat(65)).is_err());
        assert!(safe_path(&"a".repeat(256)).is_err());
    }

    #[test]
    fn names_that_are_invalid_on_windows_are_changed() {
        for (name, wanted) in [
            (r"Units\Footman.mdx", "Units/Footman.mdx"),
            ("a//./b.blp", "a/b.blp"),
            ("CON", "_CON"),
            ("con.blp", "_con.blp"),
            ("a/Lpt1.x.y", "a/_Lpt1.x.y"),
            ("COM\u{b9}.mdx", "_COM\u{b9}.mdx"),
            ("nul .txt", "_nul .txt"),
            ("COM10", "COM10"),
            ("CONSOLE", "CONSOLE"),
            ("name.", "name_"),
            ("name ", "name_"),
            ("x/a:b", "x/a_b"),
            ("x/what?*<>|\"", "x/what______"),
            ("tab\there", "tab_here"),
            ("...x", "...x"),
        ] {
            assert_eq!(safe_path(name).unwrap(), PathBuf::from(wanted), "{name}");
        }
    }

    #[test]
    fn every_result_is_a_relative_path_of_plain_names() {
        let letters = ['.', '/', '\\', ':', 'a', ' ', '\0', '~'];
        let mut names = vec![String::new()];
        for _ in 0..5 {
            names = names.iter().flat_map(|name| letters.map(|letter| format!("{name}{letter}"))).collect();
            for name in &names {
                if let Ok(path) = safe_path(name) {
                    assert!(path.components().all(|part| matches!(part, Component::Normal(_))), "{name:?}");
                }
            }
        }
    }
}
