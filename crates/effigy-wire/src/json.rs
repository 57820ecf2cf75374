//! The fields of a model as JSON, printed while they are visited, so that a large model needs no second copy in memory.
//!
//! [`Tree`](crate::Tree) reads it back.

use crate::{Kept, Label, Leaf, Numbers, Visitor, hash};
use std::fmt::Write;

/// Prints a list of objects such as `{"name":"x","value":1}`.
#[derive(Debug, Default)]
pub struct Json {
    text: String,
    offsets: bool,
    /// For every open part whether it has parts of its own yet.
    parents: Vec<bool>,
    /// Whether the open list has an element already.
    follows: bool,
}

impl Json {
    /// A printer; with `offsets`, each part has its offset in the file.
    #[must_use]
    pub fn new(offsets: bool) -> Self {
        Self { text: "[".to_owned(), offsets, ..Self::default() }
    }

    /// Text that is not all: what is readable, and the bytes.
    fn push_field(&mut self, text: &[u8], bytes: &[u8]) {
        self.text.push_str("{\"text\":");
        push_string(&mut self.text, &String::from_utf8_lossy(text));
        self.text.push_str(",\"bytes\":\"");
        push_hex(&mut self.text, bytes);
        self.text.push_str("\"}");
    }

    /// The printed list.
    #[must_use]
    pub fn into_text(mut self) -> String {
        self.text.push(']');
        self.text
    }
}

impl Visitor for Json {
    fn enter(&mut self, label: Label<'_>, offset: Option<usize>) {
        if let Some(has_parts) = self.parents.last_mut()
            && !*has_parts
        {
            *has_parts = true;
            self.text.push_str(",\"parts\":[");
            self.follows = false;
        }
        if self.follows {
            self.text.push(',');
        }
        match label {
            Label::Field(name) => {
                self.text.push_str("{\"name\":");
                push_string(&mut self.text, name);
            }
            Label::Tag(tag) => {
                self.text.push_str("{\"name\":");
                push_string(&mut self.text, &tag.to_string());
            }
            Label::Index(index) => _ = write!(self.text, "{{\"index\":{index}"),
        }
        if let Some(offset) = offset.filter(|_| self.offsets) {
            _ = write!(self.text, ",\"offset\":{offset}");
        }
        self.parents.push(false);
    }

    fn leaf(&mut self, leaf: Leaf<'_>) {
        self.text.push_str(",\"value\":");
        match leaf {
            Leaf::Unsigned(number) => _ = write!(self.text, "{number}"),
            Leaf::Signed(number) => _ = write!(self.text, "{number}"),
            Leaf::Float(number) => push_float(&mut self.text, number),
            Leaf::Bits(bits) => _ = write!(self.text, "{bits}"),
            Leaf::Tag(tag) => push_string(&mut self.text, &tag.to_string()),
            Leaf::Text(text) => match std::str::from_utf8(text) {
                Ok(text) => push_string(&mut self.text, text),
                Err(_) => self.push_field(text, text),
            },
            Leaf::Padded { text, field } => self.push_field(text, field),
            Leaf::Bytes(bytes) => {
                self.text.push('"');
                push_hex(&mut self.text, bytes);
                self.text.push('"');
            }
            Leaf::Many { numbers, width } => {
                self.text.push('[');
                push_numbers(&mut self.text, numbers, width);
                self.text.push(']');
            }
        }
    }

    fn kept(&mut self, kept: Kept<'_>) {
        match kept {
            Kept::Guard { source, canonical } => {
                self.text.push_str(",\"source\":\"");
                push_hex(&mut self.text, source);
                _ = write!(self.text, "\",\"hash\":\"{:016x}\"", hash(canonical));
            }
            Kept::Size(size) => _ = write!(self.text, ",\"size\":{size}"),
            Kept::Elsewhere { count, at } => _ = write!(self.text, ",\"size\":{count},\"at\":{at}"),
            Kept::Shape(hash) => _ = write!(self.text, ",\"hash\":\"{hash:016x}\""),
        }
    }

    fn wants_placement(&self) -> bool {
        true
    }

    fn leave(&mut self) {
        if self.parents.pop() == Some(true) {
            self.text.push(']');
        }
        self.text.push('}');
        self.follows = true;
    }
}

/// A float with the fewest digits that give it back. What JSON lacks is text.
fn push_float(text: &mut String, number: f32) {
    _ = match number.to_bits() {
        _ if number.is_finite() => write!(text, "{number:?}"),
        bits if number.is_nan() && bits != f32::NAN.to_bits() => write!(text, "\"NaN:{bits:08x}\""),
        _ => write!(text, "\"{number:?}\""),
    };
}

/// Adds a JSON string.
pub fn push_string(text: &mut String, value: &str) {
    text.push('"');
    for letter in value.chars() {
        match letter {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            '\u{8}' => text.push_str("\\b"),
            '\u{c}' => text.push_str("\\f"),
            control if control < ' ' => _ = write!(text, "\\u{:04x}", u32::from(control)),
            other => text.push(other),
        }
    }
    text.push('"');
}

fn push_hex(text: &mut String, bytes: &[u8]) {
    for byte in bytes {
        _ = write!(text, "{byte:02x}");
    }
}

fn push_numbers(text: &mut String, numbers: Numbers<'_>, width: usize) {
    match numbers {
        Numbers::U8(list) => push_list(text, list, width, |text, one| _ = write!(text, "{one}")),
        Numbers::U16(list) => push_list(text, list, width, |text, one| _ = write!(text, "{one}")),
        Numbers::U32(list) => push_list(text, list, width, |text, one| _ = write!(text, "{one}")),
        Numbers::I16(list) => push_list(text, list, width, |text, one| _ = write!(text, "{one}")),
        Numbers::I32(list) => push_list(text, list, width, |text, one| _ = write!(text, "{one}")),
        Numbers::F32(list) => push_list(text, list, width, |text, one| push_float(text, *one)),
    }
}

fn push_list<T>(text: &mut String, list: &[T], width: usize, push: impl Fn(&mut String, &T)) {
    for (index, element) in list.chunks(width.max(1)).enumerate() {
        if index > 0 {
            text.push(',');
        }
        if width > 1 {
            text.push('[');
        }
        for (index, number) in element.iter().enumerate() {
            if index > 0 {
                text.push(',');
            }
            push(text, number);
        }
        if width > 1 {
            text.push(']');
        }
    }
}
