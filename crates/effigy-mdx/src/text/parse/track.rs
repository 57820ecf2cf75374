//! Tracks: most of the text of an animated model.

use super::Parser;
use crate::codes;
use crate::text::lexer::Token;
use crate::track::{Interpolation, Track, ValueKind, value_kind};
use effigy_wire::Tag;

impl Parser<'_> {
    /// `2 { Linear, GlobalSeqId 0, 0: 1, 100: 0.5, }` after the word.
    pub(super) fn track(&mut self, tag: Tag) -> Option<Track> {
        let kind = value_kind(tag).unwrap_or(ValueKind::Float);
        let stated = self.count();
        let opened = self.lexer.position;
        if !self.open() {
            return None;
        }
        let mut interpolation = Interpolation::STEP;
        let mut global_sequence = -1;
        loop {
            match self.lexer.peek() {
                Token::Word(word) => {
                    let named = |(_, name): &&(_, &str)| name.as_bytes().eq_ignore_ascii_case(word);
                    if let Some((known, _)) = Interpolation::NAMES.iter().find(named) {
                        interpolation = *known;
                        self.lexer.next();
                    } else if word.eq_ignore_ascii_case(b"GlobalSeqId") {
                        self.lexer.next();
                        global_sequence = self
                            .int(i32::MIN.into(), u32::MAX.into())
                            .map_or(-1, |id| super::record::wrap(id).cast_signed());
                    } else if word.eq_ignore_ascii_case(b"Interpolation") && self.in_comment {
                        self.lexer.next();
                        interpolation =
                            Interpolation(self.int(0, u32::MAX.into()).map_or(0, super::record::wrap));
                    } else if word.eq_ignore_ascii_case(b"None") {
                        self.lexer.next();
                    } else {
                        self.expected("an interpolation or a key");
                        break;
                    }
                }
                Token::Comma => drop(self.lexer.next()),
                _ => break,
            }
            if self.stopped {
                return None;
            }
        }
        let words = self.keys(kind, interpolation.has_tangents(), stated, opened);
        Track::from_words(tag, interpolation, global_sequence, words)
    }

    fn keys(
        &mut self,
        kind: ValueKind,
        tangents: bool,
        stated: Option<(i64, usize)>,
        opened: usize,
    ) -> Vec<u32> {
        let width = kind.width();
        let stride = 1 + width * if tangents { 3 } else { 1 };
        let mut words: Vec<u32> =
            Vec::with_capacity(self.room(stated, stride.saturating_mul(2)).saturating_mul(stride));
        let mut found = 0_usize;
        while !self.stopped {
            self.lexer.skip();
            let at = self.lexer.position;
            match self.lexer.rest().first() {
                Some(b'}') => {
                    self.lexer.position += 1;
                    break;
                }
                Some(b',') => {
                    self.lexer.position += 1;
                    continue;
                }
                None => {
                    self.not_closed(opened);
                    break;
                }
                _ => {}
            }
            let Some(time) = self.lexer.int() else {
                self.expected("a key's time");
                continue;
            };
            if !self.lexer.eat(b':') {
                self.expected("`:` after a key's time");
                continue;
            }
            let start = words.len();
            words.push(super::record::wrap(time));
            let mut whole = self.key_value(kind, &mut words);
            self.lexer.eat(b',');
            if tangents {
                for name in [b"InTan".as_slice(), b"OutTan"] {
                    whole = whole && self.tangent(name, kind, &mut words, at);
                }
            } else if self.at_word(b"InTan") {
                // Tangents that the interpolation does not use are skipped.
                let mut unused = Vec::new();
                whole = whole && self.tangent(b"InTan", kind, &mut unused, at);
                whole = whole && self.tangent(b"OutTan", kind, &mut unused, at);
            }
            if whole {
                found = found.saturating_add(1);
            } else {
                words.truncate(start);
            }
        }
        if !self.stopped {
            self.check_count(stated, found, "keys");
        }
        words
    }

    /// Whether this word comes next.
    #[inline]
    fn at_word(&mut self, name: &[u8]) -> bool {
        self.lexer.skip();
        let start = self.lexer.rest().get(..name.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(name))
    }

    /// `InTan { 0, 0, 0 },`
    fn tangent(&mut self, name: &[u8], kind: ValueKind, words: &mut Vec<u32>, key: usize) -> bool {
        if self.at_word(name) {
            self.lexer.position += name.len();
            let whole = self.key_value(kind, words);
            self.lexer.eat(b',');
            return whole;
        }
        let name = String::from_utf8_lossy(name);
        self.error(codes::SYNTAX, key, format!("this key needs {name}, as the interpolation has tangents"));
        false
    }

    #[inline]
    fn key_value(&mut self, kind: ValueKind, words: &mut Vec<u32>) -> bool {
        match kind {
            ValueKind::Index => match self.lexer.int() {
                Some(value) => {
                    words.push(super::record::wrap(value));
                    true
                }
                None => {
                    self.expected("a whole number");
                    false
                }
            },
            ValueKind::Float => match self.lexer.float() {
                Some(value) => {
                    words.push(value.to_bits());
                    true
                }
                None => {
                    self.expected("a number");
                    false
                }
            },
            ValueKind::Vector | ValueKind::Color => self.vector::<3>(words),
            ValueKind::Rotation => self.vector::<4>(words),
        }
    }

    #[inline]
    fn vector<const N: usize>(&mut self, words: &mut Vec<u32>) -> bool {
        let mut values = [0.0_f32; N];
        let whole = self.row(&mut values);
        words.extend_from_slice(bytemuck::cast_slice(&values));
        whole
    }

    /// `{ 1, 2, 3 }`
    #[inline]
    pub(super) fn row<const N: usize>(&mut self, values: &mut [f32; N]) -> bool {
        if !self.lexer.eat(b'{') {
            self.expected("`{`");
            return false;
        }
        for value in values.iter_mut() {
            let Some(found) = self.lexer.float() else {
                self.expected("a number");
                self.lexer.eat(b'}');
                return false;
            };
            *value = found;
            self.lexer.eat(b',');
        }
        if !self.lexer.eat(b'}') {
            self.expected("`}`");
            self.lexer.eat(b'}');
            return false;
        }
        true
    }
}
