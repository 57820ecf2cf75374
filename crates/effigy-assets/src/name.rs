//! Names of files inside games and archives.
//!
//! The games ignore case in names and treat `\` and `/` as the same; so does this module.

use std::borrow::Cow;

/// The normalised form of a name, for comparison: `/` between parts, ASCII letters in lower case, no empty or `.` parts.
///
/// `..` parts are kept; no source finds a file under such a name.
#[must_use]
pub fn key(name: &str) -> String {
    let mut key = String::with_capacity(name.len());
    for part in parts(name) {
        if !key.is_empty() {
            key.push('/');
        }
        key.extend(part.chars().map(|letter| letter.to_ascii_lowercase()));
    }
    key
}

/// The parts of a name between `/` or `\`, without empty and `.` parts.
pub fn parts(name: &str) -> impl Iterator<Item = &str> {
    name.split(['/', '\\']).filter(|part| !part.is_empty() && *part != ".")
}

/// The name with `/` between its parts; case is kept.
#[must_use]
pub fn tidy(name: &str) -> String {
    parts(name).collect::<Vec<_>>().join("/")
}

/// The last part of a name.
#[must_use]
pub fn file_name(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or(name)
}

/// Everything before the last part, without the slash; empty for a bare file name.
#[must_use]
pub fn folder(name: &str) -> &str {
    name.rfind(['/', '\\']).and_then(|at| name.get(..at)).unwrap_or("")
}

/// The extension in lower case, without the dot; empty if there is none.
#[must_use]
pub fn extension(name: &str) -> String {
    match file_name(name).rsplit_once('.') {
        Some((_, extension)) => extension.to_ascii_lowercase(),
        None => String::new(),
    }
}

/// The name with another extension; `""` removes it.
#[must_use]
pub fn with_extension(name: &str, extension: &str) -> String {
    let stem_end = match file_name(name).rfind('.') {
        Some(dot) => name.len().saturating_sub(file_name(name).len()).saturating_add(dot),
        None => name.len(),
    };
    let stem = name.get(..stem_end).unwrap_or(name);
    if extension.is_empty() { stem.to_owned() } else { format!("{stem}.{extension}") }
}

/// Two parts joined with `/`; an empty part is left out.
#[must_use]
pub fn join(folder: &str, name: &str) -> String {
    match (folder.is_empty(), name.is_empty()) {
        (true, _) => name.to_owned(),
        (_, true) => folder.to_owned(),
        _ => format!("{folder}/{name}"),
    }
}

/// Whether a name matches a pattern. `*` and `?` match within a part, `**` matches across parts, and case is ignored. A
/// pattern without a slash is compared with the last part of the name.
#[must_use]
pub fn matches(pattern: &str, name: &str) -> bool {
    let name = key(name);
    let pattern = pattern.replace('\\', "/").to_ascii_lowercase();
    let pattern = pattern.trim_start_matches("./");
    if pattern.contains('/') || pattern.contains("**") {
        matches_parts(pattern, &name)
    } else {
        matches_parts(pattern, file_name(&name))
    }
}

/// Remembers one position to go back to for each kind of star, so the time is at most quadratic for any pattern.
fn matches_parts(pattern: &str, name: &str) -> bool {
    let pattern: Vec<char> = pattern.replace("**/", "\u{0}").replace("**", "\u{0}").chars().collect();
    let name: Vec<char> = name.chars().collect();
    let (mut p, mut n) = (0usize, 0usize);
    let mut star: Option<(usize, usize)> = None;
    let mut deep: Option<(usize, usize)> = None;
    while n < name.len() || p < pattern.len() {
        let here = name.get(n).copied();
        match pattern.get(p).copied() {
            Some('\u{0}') => {
                deep = Some((p, n));
                star = None;
                p += 1;
                continue;
            }
            Some('*') => {
                star = Some((p, n));
                p += 1;
                continue;
            }
            Some('?') if here.is_some_and(|letter| letter != '/') => {
                p += 1;
                n += 1;
                continue;
            }
            Some(wanted) if here == Some(wanted) => {
                p += 1;
                n += 1;
                continue;
            }
            _ => {}
        }
        if let Some((at, from)) =
            star.filter(|&(_, from)| name.get(from).is_some_and(|&letter| letter != '/'))
        {
            star = Some((at, from + 1));
            p = at + 1;
            n = from + 1;
        } else if let Some((at, from)) = deep.filter(|&(_, from)| from < name.len()) {
            deep = Some((at, from + 1));
            star = None;
            p = at + 1;
            n = from + 1;
        } else {
            return false;
        }
    }
    true
}

/// The bytes of a name as text: UTF-8 if they are valid UTF-8, otherwise one character per byte. [`to_bytes`] reverses
/// this.
#[must_use]
pub fn from_bytes(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
    }
}

/// The byte strings that a name can have in an archive: UTF-8, and one byte per character if all characters fit.
#[must_use]
pub fn to_bytes(name: &str) -> Vec<Vec<u8>> {
    let mut forms = vec![name.as_bytes().to_vec()];
    if !name.is_ascii()
        && let Ok(narrow) =
            name.chars().map(|letter| u8::try_from(u32::from(letter))).collect::<Result<_, _>>()
    {
        forms.push(narrow);
    }
    forms
}

/// A name fit for a terminal: control characters are written out.
#[must_use]
pub fn printable(name: &str) -> Cow<'_, str> {
    if !name.contains(char::is_control) {
        return Cow::Borrowed(name);
    }
    let mut text = String::with_capacity(name.len());
    for letter in name.chars() {
        if letter.is_control() { text.extend(letter.escape_default()) } else { text.push(letter) }
    }
    Cow::Owned(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_ignore_case_and_kind_of_slash() {
        for (name, wanted) in [
            (r"Textures\Footman.BLP", "textures/footman.blp"),
            ("/Textures//./Footman.blp", "textures/footman.blp"),
            ("", ""),
            ("../a", "../a"),
        ] {
            assert_eq!(key(name), wanted, "{name}");
        }
    }

    #[test]
    fn extensions_belong_to_the_last_part() {
        for (name, extension_of, as_dds) in
            [(r"a.b\c", "", r"a.b\c.dds"), (r"a.b\c.BLP", "blp", r"a.b\c.dds"), ("x.y.tga", "tga", "x.y.dds")]
        {
            assert_eq!(extension(name), extension_of);
            assert_eq!(with_extension(name, "dds"), as_dds);
        }
        assert_eq!(with_extension("a/b.tga", ""), "a/b");
        assert_eq!(folder(r"a\b/c.x"), r"a\b");
    }

    #[test]
    fn patterns_match_as_in_a_shell() {
        for (pattern, name, wanted) in [
            ("*.mdx", r"Units\Footman.MDX", true),
            ("*.mdx", "units/footman.mdl", false),
            ("units/*.mdx", "units/human/footman.mdx", false),
            ("units/**/*.mdx", "units/human/footman.mdx", true),
            ("units/**/*.mdx", "units/footman.mdx", true),
            ("**", "a/b/c", true),
            ("**/f*n.mdx", "units/human/footman.mdx", true),
            ("?ootman.mdx", "footman.mdx", true),
            ("foot", "footman", false),
            (r"units\*", "Units/x", true),
        ] {
            assert_eq!(matches(pattern, name), wanted, "{pattern} {name}");
        }
    }

    #[test]
    fn a_pattern_of_many_stars_takes_no_exponential_time() {
        let name = "a".repeat(2000);
        assert!(!matches(&format!("{}b", "*a".repeat(200)), &name));
    }

    #[test]
    fn bytes_that_are_not_utf8_are_restored() {
        let bytes = [b'a', 0xe4, b'\\', 0xff];
        let name = from_bytes(&bytes);
        assert!(to_bytes(&name).contains(&bytes.to_vec()));
    }

    #[test]
    fn control_characters_do_not_reach_a_terminal() {
        assert_eq!(printable("a\x1b[2Jb\n.mdx"), "a\\u{1b}[2Jb\\n.mdx");
        assert_eq!(printable("Fußmann.mdx"), "Fußmann.mdx");
    }
}
