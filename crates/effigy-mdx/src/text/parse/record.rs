//! Records: the words of the tables, and tracks.

use super::Parser;
use crate::codes;
use crate::records::Node;
use crate::text::keep::read_hex;
use crate::text::lexer::Token;
use crate::text::tables::NODE;
use crate::text::track_words::track_tag;
use crate::text::words::{Block, Edit, Fixed, Form, Word};
use crate::track::{Animated, Interpolation, Key, Track, Tracks, ValueKind, value_kind};
use crate::version::Caps;
use effigy_wire::Tag;

/// Other tools' words for the same properties.
const ALIASES: &[(&str, &str)] = &[
    ("LevelOfDetailName", "Name"),
    ("SortPrimitives", "SortPrimsFarZ"),
    ("BillboardLockX", "BillboardedLockX"),
    ("BillboardLockY", "BillboardedLockY"),
    ("BillboardLockZ", "BillboardedLockZ"),
    ("FresnelAlpha", "FresnelOpacity"),
    ("FarClippingPlane", "FarClip"),
    ("NearClippingPlane", "NearClip"),
];

/// Words for numbers that the parser counts itself.
fn is_tally(word: &[u8]) -> bool {
    word.len() > 3 && word.get(..3).is_some_and(|start| start.eq_ignore_ascii_case(b"Num"))
}

impl Parser<'_> {
    /// The properties of a record up to its closing brace, or to the end of a comment.
    pub(super) fn body<R: Block>(&mut self, record: &mut R, section: &'static str, opened: usize) {
        self.words(opened, "a property", |parser, word, at| {
            let is_static = word.eq_ignore_ascii_case(b"static");
            let word = match (is_static, parser.lexer.peek()) {
                (true, Token::Word(name)) => {
                    parser.lexer.next();
                    name
                }
                _ => word,
            };
            parser.property(record, word, is_static, section, at);
        });
    }

    fn property<R: Block>(
        &mut self,
        record: &mut R,
        word: &[u8],
        is_static: bool,
        section: &'static str,
        at: usize,
    ) {
        let alias = ALIASES.iter().find(|(alias, _)| alias.as_bytes().eq_ignore_ascii_case(word));
        let word = alias.map_or(word, |(_, name)| name.as_bytes());
        if !is_static && self.at_track() {
            if record.node().is_some()
                && let Some(tag) = track_tag(Node::TRACK_OWNER, word, "", self.caps)
            {
                let track = self.track(tag);
                return record.node_mut().into_iter().for_each(|node| node.tracks.0.extend(track.clone()));
            }
            if record.tracks().is_some()
                && let Some(tag) = track_tag(R::OWNER, word, section, self.caps)
            {
                if !record.parse_more(self, word, false) {
                    let track = self.track(tag);
                    record.tracks_mut().into_iter().for_each(|tracks| tracks.0.extend(track.clone()));
                }
                return;
            }
        }
        if self.table_word(record, word, section) || record.parse_more(self, word, is_static) {
            return;
        }
        if let Some(inner) = R::SECTIONS.iter().find(|name| name.as_bytes().eq_ignore_ascii_case(word)) {
            let opened = self.lexer.position;
            if self.open() {
                self.body(record, inner, opened);
            }
            return;
        }
        if self.in_comment && self.kept_word(record, word) {
            return;
        }
        if let Some(tag) = track_tag(R::OWNER, word, section, self.caps)
            && self.lexer.peek() == Token::Number
            && value_kind(tag) == Some(ValueKind::Float)
            && let Some(tracks) = record.tracks_mut()
        {
            // A static value for something that only has a track: it becomes one key, unless it is 1, the default.
            let value = self.lexer.float().filter(|value| value.to_bits() != 1.0_f32.to_bits());
            let track =
                value.and_then(|value| Track::new(tag, Interpolation::STEP, &[Key::new(0, value)]).ok());
            return tracks.0.extend(track);
        }
        if !is_tally(word) {
            let name = String::from_utf8_lossy(word);
            self.warn(codes::UNKNOWN_WORD, at, format!("{} has no property `{name}`; skipped", R::BLOCK));
        }
        self.skip_property();
    }

    /// Whether a count and an opening brace come next.
    pub(super) fn at_track(&mut self) -> bool {
        let mut ahead = self.lexer;
        ahead.int().is_some() && ahead.eat(b'{')
    }

    fn table_word<R: Block>(&mut self, record: &mut R, word: &[u8], section: &str) -> bool {
        if let Some(node) = record.node_mut() {
            if word.eq_ignore_ascii_case(b"DontInherit") {
                self.dont_inherit(node);
                return true;
            }
            if let Some(entry) = find(NODE, word, "", self.caps) {
                self.value(entry.form, (entry.edit)(node));
                return true;
            }
        }
        if let Some(entry) = find(R::WORDS, word, section, self.caps) {
            self.value(entry.form, (entry.edit)(record));
            return true;
        }
        for entry in R::WORDS {
            if let Form::Choice(names) = entry.form
                && let Some((number, _)) =
                    names.iter().find(|(_, name)| name.as_bytes().eq_ignore_ascii_case(word))
                && let Edit::Uint(value) = (entry.edit)(record)
            {
                *value = *number;
                return true;
            }
        }
        false
    }

    /// `DontInherit { Rotation, Scaling }`
    fn dont_inherit(&mut self, node: &mut Node) {
        let opened = self.lexer.position;
        if !self.open() {
            return;
        }
        loop {
            match self.lexer.next() {
                Token::Close => return,
                Token::Comma => {}
                Token::Word(word) => {
                    let name = [b"DontInherit", word].concat();
                    match find(NODE, &name, "", self.caps) {
                        Some(entry) => self.value(entry.form, (entry.edit)(node)),
                        None => {
                            self.warn(codes::UNKNOWN_WORD, opened, "unknown part of DontInherit; skipped")
                        }
                    }
                }
                Token::End => return self.not_closed(opened),
                _ => return self.expected("Translation, Rotation or Scaling"),
            }
        }
    }

    /// Parses a value into a field.
    fn value(&mut self, form: Form, edit: Edit<'_>) {
        match (form, edit) {
            (Form::Flag(bit), Edit::Bits(bits)) => bits.put(bits.get() | bit),
            (Form::Flag(bit), Edit::Uint(bits)) => *bits |= bit,
            (Form::Switch, Edit::Uint(value)) if self.lexer.peek() != Token::Number => *value = 1,
            (Form::Named(names), Edit::Uint(value)) if self.lexer.peek() != Token::Number => {
                let found = match self.lexer.peek() {
                    Token::Word(word) => {
                        names.iter().find(|(_, name)| name.as_bytes().eq_ignore_ascii_case(word))
                    }
                    _ => None,
                };
                match found {
                    Some((number, _)) => {
                        *value = *number;
                        self.lexer.next();
                    }
                    None => self.expected("the name of a value"),
                }
            }
            (_, Edit::Bits(bits)) => {
                if let Some(value) = self.int(0, u32::MAX.into()) {
                    bits.put(u32::try_from(value).unwrap_or(0));
                }
            }
            (_, Edit::Float(value)) => match self.lexer.float() {
                Some(found) => *value = found,
                None => self.expected("a number"),
            },
            (_, Edit::Int(value)) => {
                if let Token::Word(word) = self.lexer.peek()
                    && (word.eq_ignore_ascii_case(b"None") || word.eq_ignore_ascii_case(b"Multiple"))
                {
                    self.lexer.next();
                    *value = -1;
                } else if let Some(found) = self.int(i32::MIN.into(), u32::MAX.into()) {
                    *value = wrap(found).cast_signed();
                }
            }
            (_, Edit::Uint(value)) => {
                if let Some(found) = self.int(i32::MIN.into(), u32::MAX.into()) {
                    *value = wrap(found);
                }
            }
            (_, Edit::Byte(value)) => {
                if let Some(found) = self.int(0, 255) {
                    *value = u8::try_from(found).unwrap_or(0);
                }
            }
            (_, Edit::Text(text)) => self.text(text),
            (form, Edit::Floats(values)) => {
                self.array(values, |parser| parser.lexer.float());
                if matches!(form, Form::Color) {
                    values.reverse();
                }
            }
            (_, Edit::Uints(values)) => self.array(values, |parser| parser.lexer.int().map(wrap)),
            (_, Edit::Bytes(values)) => {
                self.array(values, |parser| {
                    parser.lexer.int().map(|value| u8::try_from(value.clamp(0, 255)).unwrap_or(0))
                });
            }
        }
    }

    /// A whole number within bounds.
    pub(super) fn int(&mut self, least: i64, most: i64) -> Option<i64> {
        self.lexer.skip();
        let at = self.lexer.position;
        match self.lexer.int() {
            Some(value) if (least..=most).contains(&value) => Some(value),
            Some(value) => {
                self.error(codes::BAD_VALUE, at, format!("{value} is not between {least} and {most}"));
                None
            }
            None => {
                self.expected("a whole number");
                None
            }
        }
    }

    /// `{ 1, 2, 3 }` into a field of that many numbers.
    pub(super) fn array<T>(&mut self, values: &mut [T], read: impl Fn(&mut Self) -> Option<T>) {
        if !self.open() {
            return;
        }
        for value in values.iter_mut() {
            match read(self) {
                Some(found) => *value = found,
                None => return self.expected("a number"),
            }
            self.lexer.eat(b',');
        }
        if !self.lexer.eat(b'}') {
            self.expected("`}`");
            self.lexer.eat(b'}');
        }
    }

    /// A text in quotes.
    pub(super) fn text(&mut self, text: &mut dyn Fixed) {
        self.lexer.skip();
        let at = self.lexer.position;
        let Token::Text(found) = self.lexer.peek() else {
            return self.expected("a text in quotes");
        };
        self.lexer.next();
        if !self
            .bytes
            .get(..self.lexer.position)
            .is_some_and(|before| before.ends_with(b"\"") && self.lexer.position > at + 1)
        {
            self.error(codes::NOT_CLOSED, at, "the text ends before these quotes are closed");
            self.stopped = true;
        }
        if !text.put(found) {
            self.error(codes::BAD_VALUE, at, format!("{} bytes are more than the field holds", found.len()));
        }
    }

    /// Words that only occur in comments for this parser.
    fn kept_word<R: Block>(&mut self, record: &mut R, word: &[u8]) -> bool {
        match word {
            b"Text" => {
                let (Token::Word(name), Token::Text(hex)) = (self.lexer.next(), self.lexer.next()) else {
                    return false;
                };
                let Some(bytes) = read_hex(hex) else { return false };
                if let Some(entry) = find(R::WORDS, name, "", self.caps)
                    .or_else(|| find(R::WORDS, name, "Particle", self.caps))
                {
                    if let Edit::Text(text) = (entry.edit)(record) {
                        return text.put(&bytes);
                    }
                    return false;
                }
                name == b"Name" && record.title_mut().is_some_and(|title| title.put(&bytes))
            }
            b"Track" | b"NodeTrack" => {
                let Some(tag) = self.tag() else { return false };
                let Some(track) = self.track(tag) else { return false };
                self.tracks_of(record, word).into_iter().for_each(|tracks| tracks.0.push(track.clone()));
                true
            }
            b"Tracks" | b"NodeTracks" => {
                let mut order = Vec::new();
                if !self.open() {
                    return false;
                }
                while let Some(tag) = self.tag() {
                    order.push(tag);
                }
                self.lexer.eat(b'}');
                self.tracks_of(record, word).into_iter().for_each(|tracks| reorder(tracks, &order));
                true
            }
            _ => false,
        }
    }

    fn tracks_of<'r, R: Block>(&self, record: &'r mut R, word: &[u8]) -> Option<&'r mut Tracks> {
        if word.starts_with(b"Node") {
            record.node_mut().map(|node| &mut node.tracks)
        } else {
            record.tracks_mut()
        }
    }

    /// A tag of four letters.
    pub(super) fn tag(&mut self) -> Option<Tag> {
        match self.lexer.peek() {
            Token::Word(word) => {
                let tag = word.try_into().ok().map(Tag)?;
                self.lexer.next();
                Some(tag)
            }
            _ => None,
        }
    }
}

/// Both signed and unsigned numbers as 32 bits.
pub(super) fn wrap(value: i64) -> u32 {
    u32::try_from(value).unwrap_or_else(|_| {
        i32::try_from(value).map_or(if value < 0 { 0 } else { u32::MAX }, i32::cast_unsigned)
    })
}

/// The entry of a word: in this inner block and version, or else in any.
fn find<'w, R>(words: &'w [Word<R>], word: &[u8], section: &str, caps: Caps) -> Option<&'w Word<R>> {
    let same = |entry: &&Word<R>| entry.word.as_bytes().eq_ignore_ascii_case(word);
    let fits = |entry: &&Word<R>| same(entry) && entry.section == section;
    (words.iter().find(|entry| fits(entry) && caps.contains(entry.needs)))
        .or_else(|| words.iter().find(fits))
        .or_else(|| words.iter().find(same))
}

/// Sorts tracks by this order of tags; those that are not in it go to the end.
fn reorder(tracks: &mut Tracks, order: &[Tag]) {
    let mut rest: Vec<Option<_>> = std::mem::take(&mut tracks.0).into_iter().map(Some).collect();
    for tag in order {
        let found = rest.iter_mut().find(|track| track.as_ref().is_some_and(|track| track.tag() == *tag));
        tracks.0.extend(found.and_then(Option::take));
    }
    tracks.0.extend(rest.into_iter().flatten());
}
