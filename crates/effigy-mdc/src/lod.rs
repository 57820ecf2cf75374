//! Families of files: `book.mdc`, `book_1.mdc` and `book_2.mdc` are one model in three levels of detail.

use std::collections::{BTreeMap, BTreeSet};

/// More levels than any game looks for.
const MOST_LEVELS: usize = 16;

/// The files of one model, from the finest level on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Family<'a> {
    /// The file names; the position is the level of detail.
    pub levels: Vec<&'a str>,
}

/// Name without extension, and the extension, for names that end in `.mdc` or `.md3`.
fn split(name: &str) -> Option<(&str, &str)> {
    let (stem, extension) = name.rsplit_once('.')?;
    ["mdc", "md3"].iter().any(|known| extension.eq_ignore_ascii_case(known)).then_some((stem, extension))
}

/// The name of another level of detail: `lod_name("book.mdc", 1)` is `book_1.mdc`. Level 0 is the name itself.
#[must_use]
pub fn lod_name(name: &str, level: usize) -> String {
    match split(name) {
        Some((stem, extension)) if level > 0 => format!("{stem}_{level}.{extension}"),
        _ => name.to_owned(),
    }
}

/// Groups file names into families, in the order of their finest levels. A name such as `door_1.mdc` stands alone when
/// there is no `door.mdc`, and so do levels behind a gap; names that are neither MDC nor MD3 are left out. Games take
/// `.mdc` and `.md3` for each other, so the levels of a family may mix them.
#[must_use]
pub fn families<'a>(names: &[&'a str]) -> Vec<Family<'a>> {
    // Names compare without case and extension, as games' file systems do.
    let key = |name: &str| split(name).map(|(stem, _)| stem.to_ascii_lowercase());
    let mut by_key = BTreeMap::new();
    for &name in names {
        if let Some(key) = key(name) {
            by_key.entry(key).or_insert_with(Vec::new).push(name);
        }
    }
    let level_of = |key: &str| -> Option<(String, usize)> {
        let (stem, level) = key.rsplit_once('_')?;
        let number: usize = level.parse().ok().filter(|_| !level.starts_with(['0', '+']))?;
        Some((stem.to_owned(), number))
    };
    // A level belongs to a family when all finer ones are there and the finest is no level itself. Shorter names come
    // first, so that the finest one is decided before its levels.
    let mut keys: Vec<_> = by_key.keys().collect();
    keys.sort_by_key(|key| key.len());
    let mut levels = BTreeSet::new();
    for key in keys {
        let Some((stem, number)) = level_of(key).filter(|&(_, number)| number < MOST_LEVELS) else {
            continue;
        };
        if by_key.contains_key(&stem)
            && !levels.contains(&stem)
            && (1..number).all(|level| by_key.contains_key(&format!("{stem}_{level}")))
        {
            levels.insert(key.clone());
        }
    }
    let mut found = Vec::new();
    for &name in names {
        let Some((stem, extension)) = split(name) else { continue };
        if levels.contains(&stem.to_ascii_lowercase()) {
            continue;
        }
        let mut family = vec![name];
        while family.len() < MOST_LEVELS
            && let Some(list) = by_key.get(&format!("{}_{}", stem.to_ascii_lowercase(), family.len()))
        {
            let same = |other: &&&str| split(other).is_some_and(|(_, e)| e.eq_ignore_ascii_case(extension));
            let Some(&next) = list.iter().find(same).or(list.first()) else { break };
            family.push(next);
        }
        found.push(Family { levels: family });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_follow_their_model_and_strangers_stand_alone() {
        let names =
            ["a/book_2.mdc", "a/book.mdc", "door_1.mdc", "a/book_1.MDC", "lamp.md3", "lamp_2.md3", "x.skin"];
        let found: Vec<_> = families(&names).into_iter().map(|family| family.levels).collect();
        assert_eq!(
            found,
            [
                vec!["a/book.mdc", "a/book_1.MDC", "a/book_2.mdc"],
                vec!["door_1.mdc"],
                vec!["lamp.md3"],
                vec!["lamp_2.md3"]
            ]
        );
        assert_eq!(lod_name("a/book.mdc", 2), "a/book_2.mdc");
        assert_eq!(lod_name("a/book.mdc", 0), "a/book.mdc");
    }

    #[test]
    fn a_family_may_mix_both_formats() {
        let found = families(&["gun.md3", "gun_1.mdc", "gun_1_1.mdc"]);
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].levels, ["gun.md3", "gun_1.mdc"]);
    }
}
