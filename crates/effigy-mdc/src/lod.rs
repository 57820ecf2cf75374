//! Levels of detail: `book_1.mdc` and `book_2.mdc` are coarser versions of `book.mdc`, which games draw from farther
//! away.
//!
//! Games check frame numbers against the finest level only, so a coarser level with fewer frames makes them read past
//! its end. Whoever checks a level needs the name of its finest level for that.

/// More levels than any game looks for.
const MOST_LEVELS: usize = 16;

/// The name of the finest level and the number of this one, for a name with the suffix of a level: `book_1.mdc` is level
/// 1 of `book.mdc`.
///
/// `None` for names that are neither `.mdc` nor `.md3` and for names without such a suffix. Only the name is looked at:
/// `door_1.mdc` may also be a model of its own, which is the case when there is no `door.mdc`.
#[must_use]
pub fn finest(name: &str) -> Option<(String, usize)> {
    let (stem, extension) = name.rsplit_once('.')?;
    if !["mdc", "md3"].iter().any(|known| extension.eq_ignore_ascii_case(known)) {
        return None;
    }
    let (finest, number) = stem.rsplit_once('_')?;
    let plain = number.bytes().all(|byte| byte.is_ascii_digit()) && !number.starts_with('0');
    let level = number.parse().ok().filter(|level| plain && (1..MOST_LEVELS).contains(level))?;
    (!finest.is_empty()).then(|| (format!("{finest}.{extension}"), level))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_of_detail_names_its_finest_level() {
        assert_eq!(finest("a/book_1.mdc"), Some(("a/book.mdc".to_owned(), 1)));
        assert_eq!(finest("gun_1_2.MD3"), Some(("gun_1.MD3".to_owned(), 2)));
        for other in ["book.mdc", "book_0.mdc", "book_01.mdc", "book_+1.mdc", "book_16.mdc", "book_x.mdc"] {
            assert_eq!(finest(other), None, "{other}");
        }
        for other in ["book_1.skin", "book_1", "_1.mdc", ""] {
            assert_eq!(finest(other), None, "{other}");
        }
    }
}
