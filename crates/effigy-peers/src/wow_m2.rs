//! What the crate `wow-m2` reads of M2 files, and which parts it misreads in original ones.
//!
//! It expects another layout of some parts than original files have, and then takes other numbers for offsets. Which parts these are is found
//! out from originals: each is read again with a single part of those that [`PARTS`] names, and without all of them. A file of ours
//! that is refused has to be read without the parts that were refused in originals of its kind, or that no original in the corpus has, and
//! nothing else is excused.

use effigy_m2::{Companion, Model, Skin, Version};
use effigy_testkit::Shell;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A part of a model that can be left out.
struct Part {
    name: &'static str,
    is_empty: fn(&Model) -> bool,
    clear: fn(&mut Model),
}

macro_rules! parts {
    ($($field:ident),*) => {
        &[$(Part { name: stringify!($field), is_empty: |model| model.$field.is_empty(), clear: |model| model.$field.clear() }),*]
    };
}

const PARTS: &[Part] =
    parts![attachments, cameras, colors, events, lights, particles, ribbons, transforms, weights];

/// What follows these parts in files. Where it is missing, a part that is misread is read beyond the end of the file.
const BEHIND: &[Part] = parts![
    textures,
    replaceable_lookup,
    materials,
    bone_combos,
    texture_combos,
    coord_combos,
    weight_combos,
    transform_combos,
    collision_triangles,
    collision_vertices,
    collision_normals,
    attachment_lookup,
    camera_lookup
];

/// How a file was read.
pub(crate) enum Reading {
    /// Whole, with the same numbers of vertices, bones, sequences and textures as in our own model.
    Whole,
    /// Without these parts, which are misread in originals.
    Without(BTreeSet<&'static str>),
    /// With this error.
    Refused(String),
}

/// The crate, and what is known of it.
pub(crate) struct Reader<'a> {
    shell: &'a Shell,
    program: &'a str,
    /// Where models without some of their parts are written.
    copy: String,
    /// What was learned of files before 264, and of those of 264.
    kinds: [Kind; 2],
}

/// What originals show.
#[derive(Default)]
struct Kind {
    /// In how many originals each part was refused, and was the only reason.
    misread: BTreeMap<&'static str, usize>,
    /// Parts that some original has.
    seen: BTreeSet<&'static str>,
}

impl Kind {
    /// Whether a part may be left out: it is misread in an original, or no original shows how it is read.
    fn excuses(&self, part: &Part) -> bool {
        self.misread.contains_key(part.name) || !self.seen.contains(part.name)
    }
}

impl<'a> Reader<'a> {
    /// Finds out what is misread in original files.
    pub fn new(
        shell: &'a Shell,
        program: &'a str,
        copy: String,
        originals: &[PathBuf],
    ) -> Result<Self, String> {
        let mut reader = Self { shell, program, copy, kinds: Default::default() };
        for path in originals {
            reader.learn(path)?;
        }
        Ok(reader)
    }

    /// One line for each kind of file: the parts, and in how many originals each was misread.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        ["before 264", "264"].into_iter().zip(&self.kinds).map(|(kind, Kind { misread, seen })| {
            let parts: Vec<String> = misread.iter().map(|(name, count)| format!("{name} {count}")).collect();
            let unseen = PARTS.iter().map(|part| part.name).filter(|name| !seen.contains(name));
            let unseen: Vec<&str> = unseen.collect();
            let unseen =
                if unseen.is_empty() { String::new() } else { format!("; none has {}", unseen.join(", ")) };
            format!("wow-m2 misreads in originals ({kind}): {}{unseen}", parts.join(", "))
        })
    }

    fn learn(&mut self, path: &Path) -> Result<(), String> {
        let Some(mut model) = open(path).filter(|model| model.version() <= Version::WRATH) else {
            return Ok(());
        };
        BEHIND.iter().for_each(|part| (part.clear)(&mut model));
        model.forget_places();
        // Nothing is learned from a model that is refused for another reason.
        if self.read_without(&model, &mut PARTS.iter())?.is_err() {
            return Ok(());
        }
        for part in PARTS.iter().filter(|part| !(part.is_empty)(&model)) {
            let mut others = PARTS.iter().filter(|other| other.name != part.name);
            let is_misread = self.read_without(&model, &mut others)?.is_err();
            let kind = self.kinds.get_mut(kind(&model)).ok_or("there are two kinds")?;
            kind.seen.insert(part.name);
            if is_misread {
                *kind.misread.entry(part.name).or_default() += 1;
            }
        }
        Ok(())
    }

    /// Reads a file of ours with its skins.
    pub fn read(&self, path: &Path) -> Result<Reading, String> {
        let Some(model) = open(path) else {
            return Ok(Reading::Refused("we do not read it ourselves".into()));
        };
        let kind = self.kinds.get(kind(&model)).ok_or("there are two kinds")?;
        let mut without = BTreeSet::new();
        if let Err(error) = self.counts(path).and_then(|counts| compare(&model, &counts)) {
            let known = |part: &&Part| kind.excuses(part) && !(part.is_empty)(&model);
            without.extend(PARTS.iter().filter(known).map(|part| part.name));
            if without.is_empty() {
                return Ok(Reading::Refused(error));
            }
            if let Err(error) = self.read_without(&model, &mut PARTS.iter().filter(known))? {
                return Ok(Reading::Refused(format!("without {without:?}: {error}")));
            }
        }
        for skin in skins(path, &model) {
            if let Err(error) = self.skin(&skin) {
                return Ok(Reading::Refused(format!("{}: {error}", skin.display())));
            }
        }
        Ok(if without.is_empty() { Reading::Whole } else { Reading::Without(without) })
    }

    /// How a model is read once it has lost some parts.
    fn read_without(
        &self,
        model: &Model,
        parts: &mut dyn Iterator<Item = &Part>,
    ) -> Result<Result<(), String>, String> {
        let mut model = model.clone();
        parts.for_each(|part| (part.clear)(&mut model));
        let bytes = model.write().map_err(|error| error.to_string())?;
        let copy = self.shell.root().join(&self.copy);
        std::fs::write(&copy, bytes).map_err(|error| format!("{}: {error}", copy.display()))?;
        Ok(self.counts(&copy).and_then(|counts| compare(&model, &counts)))
    }

    /// What the crate counts in a model.
    fn counts(&self, path: &Path) -> Result<Value, String> {
        self.json("--wow-m2", path)
    }

    /// Whether the crate reads a skin as we do.
    fn skin(&self, path: &Path) -> Result<(), String> {
        let theirs = self.json("--wow-skin", path)?;
        let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
        let skin = Skin::read(&bytes).map_err(|error| error.to_string())?;
        agree(&theirs, &[("vertices", skin.view().vertices.len()), ("corners", skin.view().triangles.len())])
    }

    /// Runs the crate in a process of its own: it may end it.
    fn json(&self, form: &str, path: &Path) -> Result<Value, String> {
        let (code, text) =
            self.shell.code_and_output_alone(&[self.program, form, &path.display().to_string()])?;
        if code == 0 { serde_json::from_str(&text).map_err(|error| error.to_string()) } else { Err(text) }
    }
}

fn open(path: &Path) -> Option<Model> {
    effigy_m2::read(&std::fs::read(path).ok()?).ok()
}

/// Which of the two kinds of files this is.
fn kind(model: &Model) -> usize {
    usize::from(model.version() >= Version::WRATH)
}

/// The skins next to a model; before 264 they are in it.
fn skins(path: &Path, model: &Model) -> impl Iterator<Item = PathBuf> + use<> {
    let stem = path.with_extension("").display().to_string();
    let files = model.companions().into_iter().filter(|it| matches!(it, Companion::Skin(_)));
    (0..files.count()).map(move |number| PathBuf::from(format!("{stem}{number:02}.skin")))
}

/// Whether the crate counts what we count in a model.
fn compare(model: &Model, theirs: &Value) -> Result<(), String> {
    let ours = [
        ("vertices", model.vertices.len()),
        ("bones", model.bones.len()),
        ("sequences", model.sequences.len()),
        ("textures", model.textures.len()),
        ("skins", model.views.len()),
    ];
    agree(theirs, &ours)
}

fn agree(theirs: &Value, ours: &[(&str, usize)]) -> Result<(), String> {
    for (name, ours) in ours {
        let theirs = theirs.get(name).and_then(Value::as_u64);
        if theirs != u64::try_from(*ours).ok() {
            return Err(format!("{name}: {theirs:?} instead of {ours}"));
        }
    }
    Ok(())
}
