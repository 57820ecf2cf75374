//! Helpers for damaging files: the offsets of the numbers in their headers, and a function that uses everything.

#![allow(dead_code, reason = "not every test uses all of it")]

use effigy_mdc::{Format, Formula, Mode, Model, read, to_md3, to_mdc};
use effigy_wire::{Flat, Json, Label, Leaf, Limits, Status, Tree, Visitor};

/// Offsets of the 32-bit numbers of all headers, with their paths.
#[derive(Default)]
struct Words {
    path: Vec<String>,
    at: usize,
    found: Vec<(String, usize)>,
}

impl Visitor for Words {
    fn enter(&mut self, label: Label<'_>, offset: Option<usize>) {
        self.at = offset.unwrap();
        self.path.push(match label {
            Label::Field(name) => name.to_owned(),
            other => format!("{other:?}"),
        });
    }
    fn leaf(&mut self, leaf: Leaf<'_>) {
        if self.path.iter().any(|part| part == "header") && matches!(leaf, Leaf::Signed(_)) {
            self.found.push((self.path.join("."), self.at));
        }
    }
    fn leave(&mut self) {
        self.path.pop();
    }
}

/// The offsets of the 32-bit numbers of all headers in a valid file.
pub fn words_of(bytes: &[u8]) -> Vec<(String, usize)> {
    let mut words = Words::default();
    read(bytes).unwrap().visit(&mut words);
    words.found
}

/// The offset of the first header field whose path has this end.
pub fn word(bytes: &[u8], name: &str) -> usize {
    let words = words_of(bytes);
    words.iter().find(|(path, _)| path.ends_with(name)).unwrap_or_else(|| panic!("{name} in {words:?}")).1
}

/// The bytes with another number at an offset.
pub fn with_word(bytes: &[u8], at: usize, value: i32) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
    bytes
}

/// Runs everything that can be done with a file.
pub fn try_everything(bytes: &[u8]) -> Result<Model, effigy_wire::Error> {
    let model = read(bytes)?;
    let verdict = model.verify(bytes);
    assert!(matches!(verdict.status, Status::Identical | Status::Guarded), "{verdict:?}");
    let small = Limits { unpacked_bytes: 1 << 22, ..Limits::DEFAULT };
    let decoded = model.decode_with(Formula::Engine, &small);
    model.decode_with(Formula::Guess2004, &small).ok();
    if decoded.is_ok() {
        let (plain, _) = to_md3(&model).unwrap();
        to_mdc(&plain, Mode::Smallest).ok();
        for tag in 0..=model.tag_count().min(4) {
            assert_eq!(model.tag_between(tag, 0, usize::MAX, 0.5).is_some(), tag < model.tag_count());
        }
    }
    model.visit(&mut Flat::default());
    assert!(built(model.format, &fields(&model)).unwrap().write().unwrap() == bytes, "from its fields");
    Ok(model)
}

/// What `dump --json` shows of a model.
pub fn fields(model: &Model) -> String {
    let mut json = Json::new(false);
    model.visit(&mut json);
    json.into_text()
}

/// The model that has these fields.
pub fn built(format: Format, fields: &str) -> Result<Model, effigy_wire::Error> {
    Model::build(format, &Tree::of(Tree::parse(fields)?))
}
