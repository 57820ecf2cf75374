//! Records: the words of the tables, and tracks.

use super::Printer;
use crate::records::Node;
use crate::text::tables::NODE;
use crate::text::track_words::track_word;
use crate::text::words::{Block, Form, View, Word, kind_bits};
use crate::text::{Spelling, number};
use crate::track::{Animated, Tracks};
use crate::version::Caps;
use effigy_wire::Tag;

impl Printer<'_> {
    /// `Bone "name" { ... }`
    pub(super) fn record<R: Block>(&mut self, record: &R, base: &R) {
        self.indent();
        self.raw(R::BLOCK.as_bytes());
        if let Some(title) = record.title() {
            self.out.push(b' ');
            self.text("Name", title);
        }
        self.begin();
        let named = named_bits(R::WORDS, self.caps);
        if let (Some(node), Some(base)) = (record.node(), base.node()) {
            let more = named_bits(NODE, self.caps);
            let kind = kind_bits::<R>(self.caps);
            self.words(NODE, node, base, None, "", (named | more, kind));
        }
        self.words(R::WORDS, record, base, record.tracks(), "", (named, 0));
        record.print_more(self);
        if let Some(node) = record.node() {
            self.tracks(&node.tracks, Node::TRACK_OWNER, "Node", "");
        }
        if let Some(tracks) = record.tracks() {
            self.tracks(tracks, R::OWNER, "", "");
        }
        for section in R::SECTIONS {
            self.open(section);
            self.words(R::WORDS, record, base, record.tracks(), section, (named, 0));
            if let Some(tracks) = record.tracks() {
                self.tracks(tracks, R::OWNER, "", section);
            }
            self.close();
        }
        if let Some(node) = record.node() {
            self.track_order(&node.tracks, Node::TRACK_OWNER, "Node");
        }
        if let Some(tracks) = record.tracks() {
            self.track_order(tracks, R::OWNER, "");
        }
        self.close();
    }

    fn words<T>(
        &mut self,
        words: &[Word<T>],
        record: &T,
        base: &T,
        tracks: Option<&Tracks>,
        section: &str,
        bits: (u32, u32),
    ) {
        for word in words {
            if word.section == section && self.caps.contains(word.needs) {
                let moves = |tag: Tag| tracks.is_some_and(|tracks| tracks.get(tag).is_some());
                let animated = word.track.is_some_and(moves);
                self.word(word, (word.get)(record), (word.get)(base), animated, bits);
            }
        }
    }

    fn word<T>(
        &mut self,
        word: &Word<T>,
        value: View<'_>,
        base: View<'_>,
        animated: bool,
        (named, implied): (u32, u32),
    ) {
        let int = if let View::Int(value) = value { value } else { 0 };
        match word.form {
            Form::Flag(bit) if int & i64::from(bit) != 0 => match word.word.strip_prefix("DontInherit") {
                Some(part) => {
                    self.indent();
                    self.raw(b"DontInherit { ");
                    self.raw(part.as_bytes());
                    self.raw(b" }");
                    self.end_property();
                }
                None => self.flag(word.word),
            },
            Form::Flag(_) => {}
            Form::Rest => {
                let said = i64::from(implied) | (int & i64::from(named));
                if int != said {
                    self.aside(word.word, |printer| printer.number(word.word, int));
                }
            }
            Form::Switch => match int {
                0 => {}
                1 => self.flag(word.word),
                _ => self.aside(word.word, |printer| printer.number(word.word, int)),
            },
            Form::Choice(names) => {
                // A number without a name is printed as the first name, which is also what a missing word means.
                self.flag(name_of(names, int).or_else(|| name_of(names, 0)).unwrap_or_default());
                if name_of(names, int).is_none() {
                    self.aside(word.word, |printer| printer.number(word.word, int));
                }
            }
            Form::Named(names) => {
                self.indent();
                self.raw(word.word.as_bytes());
                self.out.push(b' ');
                self.raw(name_of(names, int).or_else(|| name_of(names, 0)).unwrap_or_default().as_bytes());
                self.end_property();
                if name_of(names, int).is_none() {
                    self.aside(word.word, |printer| printer.number(word.word, int));
                }
            }
            Form::Plain | Form::Color | Form::Reference(_) => {
                let same = value == base;
                if animated || word.kept {
                    if !same {
                        self.aside(word.word, |printer| printer.value(word, value));
                    }
                } else if !(word.optional && same) {
                    self.value(word, value);
                }
            }
        }
    }

    /// `static Word value,`
    fn value<T>(&mut self, word: &Word<T>, value: View<'_>) {
        if let (View::Text(bytes), true) = (value, word.optional)
            && bytes.first() == Some(&0)
        {
            return self.odd_text(word.word, bytes);
        }
        self.indent();
        if word.is_static {
            self.raw(b"static ");
        }
        self.raw(self.spelt(word.word).as_bytes());
        self.out.push(b' ');
        match (value, word.form) {
            (View::Int(-1), Form::Reference(name)) => self.raw(name.as_bytes()),
            (View::Int(value), _) => number::print_int(value, &mut self.out),
            (View::Float(value), _) => self.float(value),
            (View::Floats(values), Form::Color) => self.floats(values.iter().rev().copied()),
            (View::Floats(values), _) => self.floats(values.iter().copied()),
            (View::Uints(values), _) => self.ints(values.iter().map(|&value| value.into())),
            (View::Bytes(values), _) => self.ints(values.iter().map(|&value| value.into())),
            (View::Text(bytes), _) => self.text(word.word, bytes),
        }
        self.end_property();
    }

    /// The word in the chosen dialect.
    fn spelt(&self, word: &'static str) -> &'static str {
        match (self.spelling, word, self.depth) {
            (Spelling::Retera, "Name", 1) => "LevelOfDetailName",
            _ => word,
        }
    }

    /// `"text"`; bytes of the field that the text does not include are kept in a comment.
    pub(super) fn text(&mut self, word: &str, bytes: &[u8]) {
        let text = text_of(bytes);
        self.out.push(b'"');
        if text.iter().any(|byte| matches!(byte, b'"' | b'\n' | b'\r')) {
            let tame = |byte: &u8| match byte {
                b'"' => b'\'',
                b'\n' | b'\r' => b' ',
                other => *other,
            };
            self.out.extend(text.iter().map(tame));
        } else {
            self.raw(text);
        }
        self.out.push(b'"');
        self.odd_text(word, bytes);
    }

    fn odd_text(&mut self, word: &str, bytes: &[u8]) {
        let text = text_of(bytes);
        let tidy = bytes.get(text.len()..).unwrap_or_default().iter().all(|&byte| byte == 0);
        if tidy && !text.iter().any(|byte| matches!(byte, b'"' | b'\n' | b'\r')) {
            return;
        }
        let used = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
        self.aside(word, |printer| {
            printer.raw(b"Text ");
            printer.raw(word.as_bytes());
            printer.out.push(b' ');
            printer.hex(bytes.get(..used).unwrap_or_default());
            printer.end_property();
        });
    }

    /// The tracks of this inner block; outside of inner blocks also those that have no word.
    fn tracks(&mut self, tracks: &Tracks, owner: &str, prefix: &str, section: &str) {
        for (index, track) in tracks.iter().enumerate() {
            match self.place_of(tracks, index, owner) {
                Some((word, place)) if place == section => self.track(word, track),
                None if section.is_empty() => {
                    let what = track.tag().to_string();
                    self.aside(&what, |printer| {
                        let word = format!("{prefix}Track {what}");
                        printer.track(&word, track);
                    });
                }
                _ => {}
            }
        }
    }

    /// Word and inner block of a track, unless it has none or is not the first of its kind.
    fn place_of(&self, tracks: &Tracks, index: usize, owner: &str) -> Option<(&'static str, &'static str)> {
        let tag = tracks.0.get(index)?.tag();
        let first = tracks.iter().position(|track| track.tag() == tag) == Some(index);
        track_word(owner, tag, self.caps).filter(|_| first)
    }

    /// Keeps the order of tracks where the text has a different one: the text has the tracks of the block first, then those of
    /// inner blocks, then those in comments.
    fn track_order(&mut self, tracks: &Tracks, owner: &str, prefix: &str) {
        let rank = |index| match self.place_of(tracks, index, owner) {
            Some((_, "")) => 0,
            // No record has more than one inner block.
            Some(_) => 1,
            None => 2,
        };
        let ranks: Vec<u8> = (0..tracks.len()).map(rank).collect();
        if ranks.is_sorted() {
            return;
        }
        self.aside("track order", |printer| {
            printer.raw(prefix.as_bytes());
            printer.raw(b"Tracks { ");
            for track in tracks {
                printer.raw(track.tag().to_string().as_bytes());
                printer.out.push(b' ');
            }
            printer.raw(b"}");
            printer.end_property();
        });
    }
}

fn text_of(bytes: &[u8]) -> &[u8] {
    bytes.split(|&byte| byte == 0).next().unwrap_or_default()
}

fn name_of(names: &[(u32, &'static str)], value: i64) -> Option<&'static str> {
    names.iter().find(|(number, _)| i64::from(*number) == value).map(|(_, name)| *name)
}

/// All bits that have words.
fn named_bits<T>(words: &[Word<T>], caps: Caps) -> u32 {
    words.iter().filter(|word| caps.contains(word.needs)).fold(0, |bits, word| match word.form {
        Form::Flag(bit) => bits | bit,
        _ => bits,
    })
}
