//! Splits the games' text files into words, with the line and column of each.

use effigy_wire::{Error, Kind, Result};

/// A word and where it starts, line and column from 1.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Word<'a> {
    pub text: &'a str,
    pub line: usize,
    pub column: usize,
}

impl Word<'_> {
    pub fn wrong(&self, what: &str) -> Error {
        Error::new(Kind::Malformed, format!("{what} expected, found {:?}", self.text))
            .at_line(self.line, self.column)
    }

    pub fn is(&self, word: &str) -> bool {
        self.text.eq_ignore_ascii_case(word)
    }

    pub fn float(&self) -> Result<f32> {
        self.text.parse().ok().filter(|number: &f32| number.is_finite()).ok_or_else(|| self.wrong("a number"))
    }

    pub fn int(&self) -> Result<i32> {
        self.text.parse().map_err(|_| self.wrong("an integer"))
    }

    pub fn count(&self) -> Result<u32> {
        self.text.parse().map_err(|_| self.wrong("a non-negative integer"))
    }
}

/// The words of a text, line by line. Words are separated by white space and `separators`, or enclosed in double quotes;
/// `//` and `/* */` are comments.
pub(crate) fn lines<'a>(text: &'a str, separators: &[char]) -> Vec<Vec<Word<'a>>> {
    let mut lines = Vec::new();
    let mut in_comment = false;
    for (number, line) in (1..).zip(text.lines()) {
        let mut words = Vec::new();
        let mut rest = line;
        while !rest.is_empty() {
            let column = line.len() - rest.len() + 1;
            if in_comment {
                match rest.split_once("*/") {
                    Some((_, after)) => (rest, in_comment) = (after, false),
                    None => rest = "",
                }
            } else if rest.starts_with("//") {
                rest = "";
            } else if let Some(after) = rest.strip_prefix("/*") {
                (rest, in_comment) = (after, true);
            } else if let Some(after) = rest.strip_prefix('"') {
                let (text, after) = after.split_once('"').unwrap_or((after, ""));
                words.push(Word { text, line: number, column });
                rest = after;
            } else if let Some(after) =
                rest.strip_prefix(|c: char| c.is_whitespace() || separators.contains(&c))
            {
                rest = after;
            } else {
                // As in the games, quotes and comment marks inside a word are part of it: `models//x.tga` is a path.
                let ends = |c: char| c.is_whitespace() || separators.contains(&c);
                let (text, after) =
                    rest.split_at_checked(rest.find(ends).unwrap_or(rest.len())).unwrap_or((rest, ""));
                words.push(Word { text, line: number, column });
                rest = after;
            }
        }
        lines.push(words);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_end_at_blanks_and_separators_and_have_line_and_column() {
        let text = "a, \"b c\"//d\n/* e\nf */ models//g.tga,h\"i\n\"open";
        let found: Vec<Vec<_>> = lines(text, &[','])
            .into_iter()
            .map(|line| line.into_iter().map(|word| (word.text, word.line, word.column)).collect())
            .collect();
        assert_eq!(
            found,
            [
                vec![("a", 1, 1), ("b c", 1, 4)],
                vec![],
                vec![("models//g.tga", 3, 6), ("h\"i", 3, 20)],
                vec![("open", 4, 1)]
            ]
        );
    }
}
