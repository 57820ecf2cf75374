//! Every field of a model, as a tree for people or as JSON for programs.
//!
//! Both are visitors that print while they walk, so that a large model needs no second copy in memory.

use crate::Model;
use effigy_wire::{Json, Label, Leaf, Numbers, Visitor};
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
        let mut walk = Json::new(options.offsets);
        self.visit(&mut walk);
        walk.into_text()
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
            Leaf::Padded { text, field } => {
                let rest = field.get(text.len()..).unwrap_or_default();
                _ = write!(self.text, "\"{}\" and after it \"{}\"", quoted(text), rest.escape_ascii());
            }
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
                push_numbers(&mut self.text, numbers, width, shown);
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

fn push_numbers(text: &mut String, numbers: Numbers<'_>, width: usize, shown: usize) {
    match numbers {
        Numbers::U8(list) => push_list(text, list, width, shown, |text, one| _ = write!(text, "{one}")),
        Numbers::U16(list) => push_list(text, list, width, shown, |text, one| _ = write!(text, "{one}")),
        Numbers::U32(list) => push_list(text, list, width, shown, |text, one| _ = write!(text, "{one}")),
        Numbers::I16(list) => push_list(text, list, width, shown, |text, one| _ = write!(text, "{one}")),
        Numbers::I32(list) => push_list(text, list, width, shown, |text, one| _ = write!(text, "{one}")),
        Numbers::F32(list) => {
            push_list(text, list, width, shown, |text, one| _ = write!(text, "{one:?}"));
        }
    }
}

fn push_list<T>(text: &mut String, list: &[T], width: usize, shown: usize, push: impl Fn(&mut String, &T)) {
    for (index, element) in list.chunks(width.max(1)).take(shown).enumerate() {
        if index > 0 {
            text.push(' ');
        }
        if width > 1 {
            text.push('[');
        }
        for (index, number) in element.iter().enumerate() {
            if index > 0 {
                text.push(' ');
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
        let mut json = Json::new(true);
        walk(&mut json);
        let value: serde_json::Value = serde_json::from_str(&json.into_text()).unwrap();
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
