//! Characters of Enemy Territory: `.char` files, which name the mesh, the skin and the animations of a soldier, and `.anim`
//! files, which list animation files with the rows in each of them.

use crate::sequences::{Sequence, aninc_row};
use crate::text::{Word, lines};
use effigy_wire::{Error, Kind, Result};

/// The contents of a `.char` file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Character {
    /// Path of the mesh, an `.mdm`.
    pub mesh: String,
    /// Name of the skin: `soldier` stands for `body_soldier.skin` next to the mesh.
    pub skin: String,
    /// Path of the `.anim` file with the animations of the body.
    pub animation_group: String,
    /// Path of the head that is shown next to the health of the player.
    pub hud_head: String,
    /// Path of that head's skin.
    pub hud_head_skin: String,
    /// Other words and their values, in file order.
    pub others: Vec<(String, String)>,
}

impl Character {
    /// Parses a `.char` file.
    ///
    /// # Errors
    /// When it does not begin with `characterDef`, a word has no value, or no mesh is named.
    pub fn parse(text: &str) -> Result<Self> {
        let mut words = lines(text, &[]).into_iter().flatten();
        let start = words.next();
        match &start {
            Some(word) if word.is("characterDef") => {}
            Some(word) => return Err(word.wrong("characterDef")),
            None => return Err(Error::new(Kind::Malformed, "the file is empty").at_line(1, 1)),
        }
        match words.next() {
            Some(word) if word.text == "{" => {}
            Some(word) => return Err(word.wrong("{")),
            None => return Err(Error::new(Kind::Malformed, "the file ends before {").at_line(1, 1)),
        }
        let mut character = Self::default();
        let mut closed = false;
        while let Some(word) = words.next() {
            if word.text == "}" {
                closed = true;
                break;
            }
            let value = match words.next() {
                Some(value) if value.text != "}" => value.text.to_owned(),
                _ => return Err(word.wrong("a word with a value")),
            };
            let known = [
                ("mesh", &mut character.mesh),
                ("skin", &mut character.skin),
                ("animationgroup", &mut character.animation_group),
                ("hudhead", &mut character.hud_head),
                ("hudheadskin", &mut character.hud_head_skin),
            ];
            match known.into_iter().find(|(name, _)| word.is(name)) {
                Some((_, place)) => *place = value,
                None => character.others.push((word.text.to_owned(), value)),
            }
        }
        if !closed {
            return Err(
                Error::new(Kind::Malformed, "the file ends before }").at_line(text.lines().count(), 1)
            );
        }
        if character.mesh.is_empty() {
            return Err(Error::new(Kind::Malformed, "the character has no mesh").at_line(1, 1));
        }
        Ok(character)
    }
}

/// An animation file and its rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AnimationFile {
    /// Path of the `.mdx`.
    pub path: String,
    /// Paths of the `.aninc` files with its rows.
    pub includes: Vec<String>,
    /// Rows that are written in the group itself.
    pub rows: Vec<Sequence>,
}

/// Parses an `.anim` file with an animation group.
///
/// # Errors
/// When braces do not match, a word is not known, or a row is incomplete.
pub fn parse_group(text: &str) -> Result<Vec<AnimationFile>> {
    let mut files: Vec<AnimationFile> = Vec::new();
    let mut depth = 0_usize;
    for line in lines(text, &[]) {
        let mut rest: &[Word<'_>] = &line;
        while let Some((word, after)) = rest.split_first() {
            rest = after;
            match (word.text, depth) {
                ("{", 0 | 1) => depth += 1,
                ("}", 1 | 2) => depth -= 1,
                (_, 0) if word.is("animgroup") => {}
                (_, 1) if word.is("animfile") => {
                    let Some((path, after)) = rest.split_first() else {
                        return Err(word.wrong("a path after animfile"));
                    };
                    files.push(AnimationFile { path: path.text.to_owned(), ..AnimationFile::default() });
                    rest = after;
                }
                (_, 2) if word.is("#include") => {
                    let Some((path, after)) = rest.split_first() else {
                        return Err(word.wrong("a path after #include"));
                    };
                    if let Some(file) = files.last_mut() {
                        file.includes.push(path.text.to_owned());
                    }
                    rest = after;
                }
                (_, 2) => {
                    let whole = line.get(line.len() - after.len() - 1..).unwrap_or_default();
                    if let (Some(row), Some(file)) = (aninc_row(whole), files.last_mut()) {
                        file.rows.push(row?);
                    }
                    rest = &[];
                }
                _ => return Err(word.wrong("animgroup, animfile, #include or a brace")),
            }
        }
    }
    if depth > 0 {
        return Err(Error::new(Kind::Malformed, "a brace is not closed").at_line(text.lines().count(), 1));
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_character_names_its_parts() {
        let text = "characterDef\n{\n\tskin \"soldier\"\n\tmesh \"models/a/body.mdm\" // x\n\tAnimationGroup \"a.anim\"\n\
                    \thudhead\t\"h.md3\"\n\tundressedCorpseModel n.mdm\n}\n";
        let found = Character::parse(text).unwrap();
        assert_eq!((found.mesh.as_str(), found.skin.as_str()), ("models/a/body.mdm", "soldier"));
        assert_eq!((found.animation_group.as_str(), found.hud_head.as_str()), ("a.anim", "h.md3"));
        assert_eq!(found.others, [("undressedCorpseModel".to_owned(), "n.mdm".to_owned())]);
    }

    #[test]
    fn errors_have_a_line_and_a_column() {
        let error = |text: &str| Character::parse(text).unwrap_err().to_string();
        assert_eq!(error("animgroup {"), "1:1: characterDef expected, found \"animgroup\"");
        assert_eq!(error("characterDef {\n mesh }"), "2:2: a word with a value expected, found \"mesh\"");
        assert_eq!(error("characterDef {\n skin a\n}"), "1:1: the character has no mesh");
        assert_eq!(error("characterDef {\n mesh a\n"), "2:1: the file ends before }");
        assert_eq!(error(""), "1:1: the file is empty");
        let error = |text: &str| parse_group(text).unwrap_err().to_string();
        assert_eq!(
            error("animgroup {\n\twhat"),
            "2:2: animgroup, animfile, #include or a brace expected, found \"what\""
        );
        assert_eq!(error("animgroup {\n"), "1:1: a brace is not closed");
        assert_eq!(error("}"), "1:1: animgroup, animfile, #include or a brace expected, found \"}\"");
        assert_eq!(error("animgroup {\nanimfile"), "2:1: a path after animfile expected, found \"animfile\"");
    }

    #[test]
    fn a_group_lists_files_with_includes_and_rows() {
        let text = "animgroup {\n animfile \"a.mdx\" {\n  #include \"a.aninc\"\n }\n animfile b.mdx\n {\n\
                    idle 0 5 5 10 0 0 0\n }\n}\n";
        let files = parse_group(text).unwrap();
        assert_eq!(files.len(), 2);
        assert_eq!(
            (files[0].path.as_str(), files[0].includes.as_slice()),
            ("a.mdx", &["a.aninc".to_owned()][..])
        );
        assert_eq!((files[1].path.as_str(), files[1].rows.len()), ("b.mdx", 1));
    }
}
