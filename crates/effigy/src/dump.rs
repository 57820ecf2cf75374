//! Every field of a model, as a tree for people or as JSON for programs.
//!
//! Both are visitors that print while they walk, so that a large model needs no second copy in memory.

use crate::Model;
use effigy_wire::{Label, Leaf, Numbers, Visitor};
use std::fmt::Write;

/// Elements of a long list that the tree shows.
const SHOWN: usize = 4;

/// What a dump shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DumpOptions {
    /// The offset of each field in the file.
    pub offsets: bool,
    /// Long lists to their end. JSON always has them.
    pub full: bool,
}

impl Model {
    /// Every field as an indented tree, one line each.
    #[must_use]
    pub fn dump(&self, options: DumpOptions) -> String {
        let mut walk = Tree { offsets: options.offsets, full: options.full, ..Tree::default() };
        self.visit(&mut walk);
        walk.end_line();
        walk.text
    }

    /// Every field as JSON: a list of objects with `name` or `index`, and either `value` or `parts`.
    #[must_use]
    pub fn dump_json(&self, options: DumpOptions) -> String {
        let mut walk = Json { text: "[".to_owned(), offsets: options.offsets, ..Json::default() };
        self.visit(&mut walk);
        walk.text.push(']');
        walk.text
    }
}

/// Prints an indented tree.
#[derive(Default)]
struct Tree {
    text: String,
    depth: usize,
    offsets: bool,
    full: bool,
    /// Whether the last line has its name but not its end yet.
    open: bool,
}

impl Tree {
    fn end_line(&mut self) {
        if self.open {
            self.text.push('\n');
            self.open = false;
        }
    }
}

impl Visitor for Tree {
    fn enter(&mut self, label: Label<'_>, offset: Option<usize>) {
        self.end_line();
        if self.offsets {
            match offset {
                Some(offset) => _ = write!(self.text, "{offset:#010x}  "),
                None => self.text.push_str("            "),
            }
        }
        self.text.extend(std::iter::repeat_n("  ", self.depth));
        match label {
            Label::Field(name) => self.text.push_str(name),
            Label::Tag(tag) => _ = write!(self.text, "{tag}"),
            Label::Index(index) => _ = write!(self.text, "[{index}]"),
        }
        self.depth += 1;
        self.open = true;
    }

    fn leaf(&mut self, leaf: Leaf<'_>) {
        self.text.push_str("  ");
        match leaf {
            Leaf::Unsigned(number) => _ = write!(self.text, "{number}"),
            Leaf::Signed(number) => _ = write!(self.text, "{number}"),
            Leaf::Float(number) => _ = write!(self.text, "{number:?}"),
            Leaf::Bits(bits) => _ = write!(self.text, "{bits:#x}"),
            Leaf::Tag(tag) => _ = write!(self.text, "{tag}"),
            Leaf::Text(text) => _ = write!(self.text, "\"{}\"", quoted(text)),
            Leaf::Bytes(bytes) => {
                let shown = if self.full { bytes.len() } else { 32 };
                push_hex(&mut self.text, bytes.get(..shown).unwrap_or(bytes));
                if bytes.len() > shown {
                    _ = write!(self.text, "... ({} bytes)", bytes.len());
                }
            }
            Leaf::Many { numbers, width } => {
                let elements = numbers.len() / width.max(1);
                let shown = if self.full { usize::MAX } else { SHOWN };
                if elements > 1 {
                    _ = write!(self.text, "{elements}: ");
                }
                push_numbers(&mut self.text, numbers, width, shown, Style::Tree);
                if elements > shown {
                    self.text.push_str(" ...");
                }
            }
        }
    }

    fn leave(&mut self) {
        self.end_line();
        self.depth = self.depth.saturating_sub(1);
    }
}

/// Prints `{"name":"x","value":1}` objects.
#[derive(Default)]
struct Json {
    text: String,
    offsets: bool,
    /// For every open part whether it has parts of its own yet.
    parents: Vec<bool>,
    /// Whether the open list has an element already.
    follows: bool,
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
            Leaf::Float(number) => push_float(&mut self.text, number, Style::Json),
            Leaf::Bits(bits) => _ = write!(self.text, "{bits}"),
            Leaf::Tag(tag) => push_string(&mut self.text, &tag.to_string()),
            Leaf::Text(text) => push_string(&mut self.text, &String::from_utf8_lossy(text)),
            Leaf::Bytes(bytes) => {
                self.text.push('"');
                push_hex(&mut self.text, bytes);
                self.text.push('"');
            }
            Leaf::Many { numbers, width } => {
                self.text.push('[');
                push_numbers(&mut self.text, numbers, width, usize::MAX, Style::Json);
                self.text.push(']');
            }
        }
    }

    fn leave(&mut self) {
        if self.parents.pop() == Some(true) {
            self.text.push(']');
        }
        self.text.push('}');
        self.follows = true;
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Tree,
    Json,
}

fn push_float(text: &mut String, number: f32, style: Style) {
    if number.is_finite() || style == Style::Tree {
        _ = write!(text, "{number:?}");
    } else {
        _ = write!(text, "\"{number:?}\"");
    }
}

/// A JSON string.
fn push_string(text: &mut String, value: &str) {
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

/// Text for people: UTF-8 stays readable, everything that could upset a terminal is escaped.
fn quoted(text: &[u8]) -> String {
    match std::str::from_utf8(text) {
        Ok(text) => text.escape_debug().to_string(),
        Err(_) => text.escape_ascii().to_string(),
    }
}

fn push_numbers(text: &mut String, numbers: Numbers<'_>, width: usize, shown: usize, style: Style) {
    match numbers {
        Numbers::U8(list) => {
            push_list(text, list, width, shown, style, |text, one| _ = write!(text, "{one}"))
        }
        Numbers::U16(list) => {
            push_list(text, list, width, shown, style, |text, one| _ = write!(text, "{one}"))
        }
        Numbers::U32(list) => {
            push_list(text, list, width, shown, style, |text, one| _ = write!(text, "{one}"))
        }
        Numbers::I16(list) => {
            push_list(text, list, width, shown, style, |text, one| _ = write!(text, "{one}"))
        }
        Numbers::I32(list) => {
            push_list(text, list, width, shown, style, |text, one| _ = write!(text, "{one}"))
        }
        Numbers::F32(list) => {
            push_list(text, list, width, shown, style, |text, one| push_float(text, *one, style));
        }
    }
}

fn push_list<T>(
    text: &mut String,
    list: &[T],
    width: usize,
    shown: usize,
    style: Style,
    push: impl Fn(&mut String, &T),
) {
    let between = if style == Style::Json { "," } else { " " };
    for (index, element) in list.chunks(width.max(1)).take(shown).enumerate() {
        if index > 0 {
            text.push_str(between);
        }
        if width > 1 {
            text.push('[');
        }
        for (index, number) in element.iter().enumerate() {
            if index > 0 {
                text.push_str(between);
            }
            push(text, number);
        }
        if width > 1 {
            text.push(']');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use effigy_wire::Tag;

    fn walk(visitor: &mut dyn Visitor) {
        visitor.enter(Label::Tag(Tag(*b"GEOS")), Some(4));
        visitor.enter(Label::Index(0), Some(12));
        visitor.enter(Label::Field("vertices"), Some(20));
        visitor.leaf(Leaf::Many { numbers: Numbers::F32(&[1.0, f32::NAN, 1e30, -0.5, 0.0, 2.5]), width: 3 });
        visitor.leave();
        visitor.enter(Label::Field("name"), None);
        visitor.leaf(Leaf::Text(b"a\"b\x1b"));
        visitor.leave();
        visitor.leave();
        visitor.enter(Label::Index(1), Some(90));
        visitor.leave();
        visitor.leave();
        visitor.enter(Label::Tag(Tag(*b"XX\0\xff")), Some(96));
        visitor.leaf(Leaf::Bytes(&[0, 255]));
        visitor.leave();
    }

    #[test]
    fn json_is_json_and_holds_every_value() {
        let mut json = Json { offsets: true, ..Json::default() };
        walk(&mut json);
        let value: serde_json::Value = serde_json::from_str(&format!("[{}]", json.text)).unwrap();
        assert_eq!(
            value,
            serde_json::json!([
                {"name": "GEOS", "offset": 4, "parts": [
                    {"index": 0, "offset": 12, "parts": [
                        {"name": "vertices", "offset": 20, "value": [[1.0, "NaN", 1e30], [-0.5, 0.0, 2.5]]},
                        {"name": "name", "value": "a\"b\u{1b}"},
                    ]},
                    {"index": 1, "offset": 90},
                ]},
                {"name": "XX\\x00\\xff", "offset": 96, "value": "00ff"},
            ])
        );
    }

    #[test]
    fn the_tree_is_indented_and_safe_for_terminals() {
        let mut tree = Tree { offsets: true, ..Tree::default() };
        walk(&mut tree);
        let lines: Vec<&str> = tree.text.lines().collect();
        assert_eq!(
            lines,
            [
                "0x00000004  GEOS",
                "0x0000000c    [0]",
                "0x00000014      vertices  2: [1.0 NaN 1e30] [-0.5 0.0 2.5]",
                "                name  \"a\\\"b\\u{1b}\"",
                "0x0000005a    [1]",
                "0x00000060  XX\\x00\\xff  00ff",
            ]
        );
    }
}
