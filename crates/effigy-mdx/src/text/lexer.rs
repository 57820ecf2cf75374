//! Tokens: a position in the text that skips blanks and comments and borrows what it finds.
//!
//! Nothing is stored per token, and lines are only counted when the line of an offset is needed.

use super::number;

/// What is at a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Token<'a> {
    Word(&'a [u8]),
    /// Something that begins like a number.
    Number,
    /// The text between two quotes.
    Text(&'a [u8]),
    Open,
    Close,
    Comma,
    Colon,
    /// `<=`.
    Slot,
    Other,
    End,
}

/// A position in the text, which ends at `end`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lexer<'a> {
    bytes: &'a [u8],
    pub position: usize,
}

/// The beginning of comments for this parser.
pub(super) const MARK: &[u8] = b"//effigy ";

impl<'a> Lexer<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let position = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        Self { bytes, position }
    }

    /// A lexer over a part of the text; offsets stay those of the whole.
    pub(super) fn part(&self, start: usize, end: usize) -> Self {
        Self { bytes: self.bytes.get(..end).unwrap_or(self.bytes), position: start }
    }

    #[inline]
    pub(super) fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.position..).unwrap_or_default()
    }

    /// Bytes up to the end.
    #[inline]
    pub(super) fn remaining(&self) -> usize {
        self.bytes.len().saturating_sub(self.position)
    }

    /// Skips blanks and comments.
    #[inline]
    pub(super) fn skip(&mut self) {
        loop {
            let rest = self.rest();
            match rest {
                [b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c | 0, ..] => self.position += 1,
                [b'/', b'/' | b'*', ..] => self.skip_comment(),
                _ => return,
            }
        }
    }

    #[cold]
    fn skip_comment(&mut self) {
        let rest = self.rest();
        let length = if rest.starts_with(b"//") {
            rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len())
        } else {
            rest.windows(2).skip(2).position(|pair| pair == b"*/").map_or(rest.len(), |at| at + 4)
        };
        self.position += length;
    }

    /// Skips blanks and comments up to the next comment for this parser; returns its range without the mark, or `None` when
    /// something else comes first.
    pub(super) fn skip_to_mark(&mut self) -> Option<(usize, usize)> {
        loop {
            let rest = self.rest();
            match rest {
                [b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c | 0, ..] => self.position += 1,
                _ if rest.starts_with(MARK) => {
                    let start = self.position + MARK.len();
                    self.skip_comment();
                    return Some((start, self.position));
                }
                [b'/', b'/' | b'*', ..] => self.skip_comment(),
                _ => return None,
            }
        }
    }

    /// Takes this byte if it comes next.
    #[inline]
    pub(super) fn eat(&mut self, byte: u8) -> bool {
        if self.rest().first() == Some(&byte) {
            self.position += 1;
            return true;
        }
        self.skip();
        let found = self.rest().first() == Some(&byte);
        self.position += usize::from(found);
        found
    }

    /// The next token, without taking it.
    pub(super) fn peek(&mut self) -> Token<'a> {
        self.skip();
        let mut ahead = *self;
        ahead.next()
    }

    /// Takes the next token. A number is only announced, and has to be read with [`Self::float`] or [`Self::int`].
    pub(super) fn next(&mut self) -> Token<'a> {
        self.skip();
        let rest = self.rest();
        let (token, length) = match rest {
            [] => (Token::End, 0),
            [b'{', ..] => (Token::Open, 1),
            [b'}', ..] => (Token::Close, 1),
            [b',', ..] => (Token::Comma, 1),
            [b':', ..] => (Token::Colon, 1),
            [b'<', b'=', ..] => (Token::Slot, 2),
            [b'"', after @ ..] => {
                let length = after.iter().position(|&byte| byte == b'"');
                let text = after.get(..length.unwrap_or(after.len())).unwrap_or_default();
                (Token::Text(text), length.map_or(rest.len(), |length| length + 2))
            }
            [b'A'..=b'Z' | b'a'..=b'z' | b'_', ..] => {
                let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
                let length = rest.iter().position(|byte| !is_word(byte)).unwrap_or(rest.len());
                let word = rest.get(..length).unwrap_or_default();
                if word.eq_ignore_ascii_case(b"nan") || word.eq_ignore_ascii_case(b"inf") {
                    (Token::Number, 0)
                } else {
                    (Token::Word(word), length)
                }
            }
            [b'0'..=b'9' | b'-' | b'+' | b'.', ..] => (Token::Number, 0),
            _ => (Token::Other, 1),
        };
        self.position += length;
        token
    }

    /// A float, if one comes next.
    #[inline]
    pub(super) fn float(&mut self) -> Option<f32> {
        self.skip();
        let (value, length) = number::read_float(self.rest())?;
        self.position += length;
        Some(value)
    }

    /// A whole number, if one comes next.
    #[inline]
    pub(super) fn int(&mut self) -> Option<i64> {
        self.skip();
        let (value, length) = number::read_int(self.rest())?;
        self.position += length;
        Some(value)
    }

    /// Skips something that begins like a number, but is not one.
    pub(super) fn skip_number(&mut self) {
        let in_number =
            |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.' | b'#' | b'_');
        let length = self.rest().iter().position(|byte| !in_number(byte)).unwrap_or(self.remaining());
        self.position += length.max(1).min(self.remaining());
    }
}

/// Line and column (both from 1) of an offset. A column counts characters.
pub(super) fn line_and_column(bytes: &[u8], offset: usize) -> (usize, usize) {
    let before = bytes.get(..offset).unwrap_or(bytes);
    let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
    let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let column =
        before.get(start..).unwrap_or_default().iter().filter(|&&byte| byte & 0xc0 != 0x80).count() + 1;
    (line, column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_blanks_are_no_tokens() {
        let mut lexer = Lexer::new(b"\xef\xbb\xbf // one\n/* two\n*/ Word{ \"a\\b\",12:<=}");
        assert_eq!(lexer.next(), Token::Word(b"Word"));
        assert_eq!(lexer.next(), Token::Open);
        assert_eq!(lexer.next(), Token::Text(b"a\\b"));
        assert_eq!(lexer.next(), Token::Comma);
        assert_eq!(lexer.peek(), Token::Number);
        assert_eq!(lexer.int(), Some(12));
        assert_eq!(lexer.next(), Token::Colon);
        assert_eq!(lexer.next(), Token::Slot);
        assert_eq!(lexer.next(), Token::Close);
        assert_eq!(lexer.next(), Token::End);
    }

    #[test]
    fn open_comments_and_strings_end_with_the_text() {
        for text in [&b"/* never closed"[..], b"//", b"/*", b"/**"] {
            assert_eq!(Lexer::new(text).next(), Token::End);
        }
        assert_eq!(Lexer::new(b"\"abc").next(), Token::Text(b"abc"));
    }

    #[test]
    fn places_are_counted_from_one() {
        let text = "ab\n\u{e4}b{".as_bytes();
        assert_eq!(line_and_column(text, 0), (1, 1));
        assert_eq!(line_and_column(text, 2), (1, 3));
        assert_eq!(line_and_column(text, 6), (2, 3));
        assert_eq!(line_and_column(text, 99), (2, 4));
    }

    #[test]
    fn every_kind_of_token_and_its_length() {
        for (text, token, length) in [
            ("", Token::End, 0),
            ("{a", Token::Open, 1),
            ("}a", Token::Close, 1),
            (",,", Token::Comma, 1),
            ("::", Token::Colon, 1),
            ("<=3", Token::Slot, 2),
            ("<3", Token::Other, 1),
            ("?", Token::Other, 1),
            ("\"a b\"c", Token::Text(b"a b"), 5),
            ("\"\"", Token::Text(b""), 2),
            ("_a1-b", Token::Word(b"_a1"), 3),
            ("Az9_{", Token::Word(b"Az9_"), 4),
            ("nan", Token::Number, 0),
            ("Inf,", Token::Number, 0),
            ("nano", Token::Word(b"nano"), 4),
            ("7", Token::Number, 0),
            ("-x", Token::Number, 0),
            ("+1", Token::Number, 0),
            (".5", Token::Number, 0),
            ("/", Token::Other, 1),
        ] {
            let mut lexer = Lexer::new(text.as_bytes());
            assert_eq!((lexer.next(), lexer.position), (token, length), "{text}");
            assert_eq!(Lexer::new(text.as_bytes()).peek(), token, "{text}");
        }
    }

    #[test]
    fn blanks_and_comments_are_skipped_to_the_byte() {
        for (text, position) in [
            ("x", 0),
            (" \t\n\r\x0b\x0c\0x", 7),
            ("//a\nx", 4),
            ("/*a*/x", 5),
            ("/**/x", 4),
            ("/*/*/x", 5),
            ("/***/x", 5),
            ("/*a", 3),
            ("// a", 4),
            ("/x", 0),
        ] {
            let mut lexer = Lexer::new(text.as_bytes());
            lexer.skip();
            assert_eq!(lexer.position, position, "{text:?}");
        }
        for (text, eaten, position) in
            [("{x", true, 1), (" {x", true, 2), (" x{", false, 1), ("x", false, 0), ("", false, 0)]
        {
            let mut lexer = Lexer::new(text.as_bytes());
            assert_eq!((lexer.eat(b'{'), lexer.position), (eaten, position), "{text:?}");
        }
    }

    #[test]
    fn comments_for_this_parser_are_found() {
        let text = b" // other\n/* */ //effigy abc\nWord";
        let mut lexer = Lexer::new(text);
        let (start, end) = lexer.skip_to_mark().unwrap();
        assert_eq!((&text[start..end], lexer.position), (&b"abc"[..], end));
        assert_eq!((lexer.skip_to_mark(), lexer.next()), (None, Token::Word(b"Word")));
        // A part ends before the rest of the text.
        let mut part = Lexer::new(text).part(start, end);
        assert_eq!((part.remaining(), part.next(), part.next()), (3, Token::Word(b"abc"), Token::End));
    }

    #[test]
    fn what_only_begins_like_a_number_is_skipped_as_a_whole() {
        for (text, position) in [("1.5.5x ", 6), ("-1.#IND,", 7), ("1_0+3}", 5), ("12", 2), (",", 1), ("", 0)]
        {
            let mut lexer = Lexer::new(text.as_bytes());
            lexer.skip_number();
            assert_eq!(lexer.position, position, "{text:?}");
        }
    }
}
