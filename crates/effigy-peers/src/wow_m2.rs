//! What the crate `wow-m2` refuses, and whether that is its own doing.
//!
//! It reads some parts in another layout than original files have, so that it follows offsets that are none or reads beyond the end.
//! A refused result is only excused if it is read without such parts, and only those count that make it refuse an original file of
//! the same version: the file is read without all of them, and refused with that one alone.

use effigy_m2::{Model, Skin, Version};
use effigy_testkit::Shell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A part of a model that it may misread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Lights,
    /// Of textures: five tracks instead of three.
    Transforms,
    Particles,
    /// Two numbers instead of the last two tracks.
    Ribbons,
    /// The second and later ones: their 16 bits are read as 32.
    Weights,
    Colors,
    Events,
    Cameras,
    /// A skin of four vertices or fewer, which it takes for another kind of file.
    FewVertices,
}

const PARTS: [Part; 9] = [
    Part::Lights,
    Part::Transforms,
    Part::Particles,
    Part::Ribbons,
    Part::Weights,
    Part::Colors,
    Part::Events,
    Part::Cameras,
    Part::FewVertices,
];
/// The most vertices of a skin that it takes for another kind of file.
const FEW: usize = 4;

/// A model with its skins.
#[derive(Clone)]
struct File {
    model: Model,
    /// The model as it was read; none: it was changed.
    bytes: Option<Vec<u8>>,
    skins: Vec<Skin>,
}

/// Skins of a model from 264 on.
const SKINS: usize = 4;

impl File {
    fn open(path: &Path) -> Option<Self> {
        let bytes = std::fs::read(path).ok()?;
        let model = effigy_m2::read(&bytes).ok()?;
        let stem = path.with_extension("").display().to_string();
        let skin = |number: usize| Skin::read(&std::fs::read(format!("{stem}{number:02}.skin")).ok()?).ok();
        let skins = (0..SKINS).map_while(skin).collect();
        Some(Self { model, bytes: Some(bytes), skins })
    }

    /// Whether its skins are files of their own.
    fn is_nested(&self) -> bool {
        self.model.version() >= Version::WRATH
    }

    /// Skins for those that are not in the corpus: copies of the first one, or of one that has nothing wrong for `wow-m2`.
    fn complete(&mut self) {
        let mut usual = Skin::default();
        usual.vertices.resize(FEW + 1, 0);
        usual.properties.resize(FEW + 1, [0; 4]);
        let first = self.skins.first().cloned().unwrap_or(usual);
        self.skins.resize(if self.is_nested() { SKINS } else { 0 }, first);
    }

    fn has(&self, part: Part) -> bool {
        let model = &self.model;
        match part {
            Part::Lights => !model.lights.is_empty(),
            Part::Transforms => !model.transforms.is_empty(),
            Part::Particles => !model.particles.is_empty(),
            Part::Ribbons => !model.ribbons.is_empty(),
            Part::Weights => model.weights.len() > 1,
            Part::Colors => !model.colors.is_empty(),
            Part::Events => !model.events.is_empty(),
            Part::Cameras => !model.cameras.is_empty(),
            Part::FewVertices => self.skins.iter().any(|skin| skin.vertices.len() <= FEW),
        }
    }

    fn remove(&mut self, part: Part) {
        let model = &mut self.model;
        match part {
            Part::Lights => model.lights.clear(),
            Part::Transforms => model.transforms.clear(),
            Part::Particles => model.particles.clear(),
            Part::Ribbons => model.ribbons.clear(),
            Part::Weights => model.weights.truncate(1),
            Part::Colors => model.colors.clear(),
            Part::Events => model.events.clear(),
            Part::Cameras => model.cameras.clear(),
            // The same vertex again, until there are enough.
            Part::FewVertices => {
                for skin in &mut self.skins {
                    let size = skin.vertices.len().max(FEW + 1);
                    skin.vertices.resize(size, 0);
                    skin.properties.resize(size, [0; 4]);
                }
            }
        }
    }

    fn without(&self, parts: &BTreeSet<Part>) -> Self {
        let mut file = self.clone();
        for part in parts.iter().copied().filter(|part| self.has(*part)) {
            file.remove(part);
            file.bytes = None;
        }
        file
    }

    /// Whether `wow-m2` reads it, written to a folder.
    fn is_read(&self, shell: &Shell, program: &str, folder: &Path) -> Result<bool, String> {
        let wrong = |error: &dyn std::fmt::Display| format!("{}: {error}", folder.display());
        std::fs::create_dir_all(folder).map_err(|error| wrong(&error))?;
        let path = folder.join("part.m2");
        let write = |path: &Path, bytes: effigy_wire::Result<Vec<u8>>| {
            std::fs::write(path, bytes.map_err(|error| wrong(&error))?).map_err(|error| wrong(&error))
        };
        write(&path, self.bytes.clone().map_or_else(|| self.model.write_canonical(), Ok))?;
        for (number, skin) in self.skins.iter().enumerate() {
            write(&folder.join(format!("part{number:02}.skin")), skin.write_canonical())?;
        }
        Ok(shell.succeeds(&[program, "--wow-m2", &path.display().to_string()]))
    }
}

/// Which parts make `wow-m2` refuse original files, by version.
pub(crate) struct Refused {
    program: String,
    folder: PathBuf,
    parts: BTreeMap<u32, BTreeSet<Part>>,
}

impl Refused {
    /// Looks for original files that are refused because of a single part.
    pub fn new(shell: &Shell, program: &str, folder: &Path, originals: &[PathBuf]) -> Result<Self, String> {
        let mut found =
            Self { program: program.to_owned(), folder: folder.join("wow-m2"), parts: BTreeMap::new() };
        for path in originals {
            let Some(mut file) = File::open(path) else { continue };
            let number = file.model.version().number();
            // A skin can be cut where no original is that small.
            let has_skin = !file.skins.is_empty();
            file.complete();
            let mut causes = found.parts.get(&number).cloned().unwrap_or_default();
            let has: BTreeSet<Part> = PARTS.into_iter().filter(|part| file.has(*part)).collect();
            let cut = has_skin && !causes.contains(&Part::FewVertices);
            if (has.is_subset(&causes) && !cut)
                || !file.without(&has).is_read(shell, program, &found.folder)?
            {
                continue;
            }
            let refused = !file.is_read(shell, program, &found.folder)?;
            for part in has.iter().filter(|_| refused) {
                let others = has.iter().copied().filter(|other| other != part).collect();
                if !causes.contains(part) && !file.without(&others).is_read(shell, program, &found.folder)? {
                    causes.insert(*part);
                }
            }
            if cut {
                let mut few = file.without(&has);
                for skin in &mut few.skins {
                    skin.vertices.truncate(FEW);
                    skin.properties.truncate(FEW);
                    skin.triangles.clear();
                    skin.submeshes.clear();
                    skin.batches.clear();
                }
                if !few.is_read(shell, program, &found.folder)? {
                    causes.insert(Part::FewVertices);
                }
            }
            found.parts.insert(number, causes);
        }
        Ok(found)
    }

    /// What was found, in words.
    pub fn describe(&self) -> String {
        let row = |(version, parts): (&u32, &BTreeSet<Part>)| format!("{version}: {parts:?}");
        self.parts.iter().map(row).collect::<Vec<_>>().join("; ")
    }

    /// Whether a result that is refused is read without the parts that make original files of its version be refused.
    pub fn excuses(&self, shell: &Shell, path: &Path) -> Result<bool, String> {
        let Some(file) = File::open(path) else { return Ok(false) };
        let known = self.parts.get(&file.model.version().number()).cloned().unwrap_or_default();
        if !known.iter().any(|part| file.has(*part)) {
            return Ok(false);
        }
        file.without(&known).is_read(shell, &self.program, &self.folder)
    }
}
