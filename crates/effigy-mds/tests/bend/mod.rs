//! Helpers for damaging files: the offsets of the numbers in their headers, and a function that uses everything.

#![allow(dead_code, reason = "not every test uses all of it")]

use effigy_mds::bind::Bind;
use effigy_mds::pose::{Formula, Mesh, Skeleton};
use effigy_mds::{Format, Model, join, read, split};
use effigy_wire::{Flat, Json, Label, Leaf, Status, Tree, Visitor};

/// Offsets of the 32-bit numbers, with their paths.
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
        if matches!(leaf, Leaf::Signed(_)) {
            self.found.push((self.path.join("."), self.at));
        }
    }
    fn leave(&mut self) {
        self.path.pop();
    }
}

/// The offsets of the 32-bit numbers of all headers, bones and vertices of a valid file.
pub fn words_of(bytes: &[u8]) -> Vec<(String, usize)> {
    let mut words = Words::default();
    read(bytes).unwrap().visit(&mut words);
    words.found
}

/// The offset of the first field whose path has this end.
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
    // What is slow is only done for some of the files.
    let chosen = bytes.iter().fold(0_u8, |sum, byte| sum.wrapping_add(*byte)).is_multiple_of(16);
    if chosen {
        model.visit(&mut Flat::default());
        assert!(built(model.format, &fields(&model)).unwrap().write().unwrap() == bytes, "from its fields");
    }
    for surface in &model.surfaces {
        assert!(surface.collapsed(surface.drawn_vertices(0.5, false)).len() <= surface.triangles.len());
    }
    let mesh = Mesh::new(&model);
    if let Ok(skeleton) = Skeleton::new(&model) {
        for formula in [Formula::Wolfenstein, Formula::EnemyTerritory] {
            for frame in [0, model.frames.len().saturating_sub(1), usize::MAX] {
                let Ok(pose) = skeleton.clone().with_formula(formula).frame(&model, frame) else { continue };
                let _ = mesh.bounds(&pose);
                for tag in 0..model.tags.len() {
                    let _ = pose.tag(&model, tag);
                }
            }
        }
        if chosen {
            Bind::recover(&model, &model, 0).ok();
        }
    }
    if let Some((mesh, bones, _)) = chosen.then(|| split(&model).ok()).flatten() {
        join(&mesh, &[&bones]).ok();
    }
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
