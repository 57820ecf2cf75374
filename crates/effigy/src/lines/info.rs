//! What is in a model or a texture.

use crate::{Diagnostics, Model, Summary};
use effigy_assets::{Appearance, Choices, Found};
use effigy_image::Image;
use schemars::JsonSchema;
use serde::Serialize;

/// What `effigy info --json` prints for each file.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Info {
    /// The file.
    pub path: String,
    /// The format's name, as `effigy formats` shows it.
    pub format: String,
    /// The game's dialect of the format, where there is more than one.
    pub dialect: Option<String>,
    /// The version that the file states.
    pub version: u32,
    /// The model's own name.
    pub name: String,
    /// Size of the file.
    pub bytes: u64,
    /// What is in it.
    #[serde(flatten)]
    pub summary: Summary,
    /// The models that are attached to it.
    pub parts: Vec<Attached>,
    /// For models of World of Warcraft: what they can wear, where the assets have the tables that say so.
    pub skins: Vec<Skin>,
    /// For characters of World of Warcraft: how many choices there are for `--look`, by name.
    pub looks: Vec<Choice>,
    /// What the reader noticed.
    pub findings: Vec<Finding>,
}

/// A model that is attached to another one.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Attached {
    /// The place, after those of the models that carry it and slashes.
    pub at: String,
    /// The name of its file, or its own name.
    pub name: String,
}

/// All models that are attached to a model, each before those that it carries.
fn attached(model: &Model, before: &str, list: &mut Vec<Attached>) {
    for part in model.parts() {
        let at = format!("{before}{}", part.at);
        let name = part.model.file().map_or_else(|| part.model.name(), |file| file.label().to_owned());
        list.push(Attached { at: at.clone(), name });
        attached(&part.model, &format!("{at}/"), list);
    }
}

/// A part of a character's look that can be chosen.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Choice {
    /// Its name in `--look`.
    pub name: String,
    /// How many there are; they are numbered from 0.
    pub count: u32,
}

/// One look of a creature, item or character.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Skin {
    /// The table that has it: `CreatureDisplayInfo`, `ItemDisplayInfo` or `CharSections`.
    pub table: String,
    /// The number of its row there.
    pub display: u32,
    /// Its textures.
    pub textures: Vec<SkinTexture>,
}

/// A texture that a look puts on the model.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SkinTexture {
    /// Its path.
    pub path: String,
    /// The texture type that it stands for, as `--texture` takes it.
    #[serde(rename = "type")]
    pub kind: u32,
    /// Where it was found; null where it is missing.
    pub found: Option<String>,
}

/// Something that the reader noticed.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Finding {
    /// Its stable code.
    pub code: String,
    /// How bad it is: unused, warning, severe, error.
    pub severity: String,
    /// Where in the file, in bytes.
    pub offset: Option<usize>,
    /// The path inside the file.
    pub place: String,
    /// What was found.
    pub message: String,
}

impl Finding {
    /// All that a reader noticed.
    #[must_use]
    pub fn all(diagnostics: &Diagnostics) -> Vec<Self> {
        let findings = diagnostics.iter().map(|diagnostic| Self {
            code: diagnostic.code.to_string(),
            severity: diagnostic.severity.to_string(),
            offset: diagnostic.offset,
            place: diagnostic.path.clone(),
            message: diagnostic.message.to_string(),
        });
        findings.collect()
    }
}

impl Info {
    /// Describes a model, with where its textures are.
    #[must_use]
    pub fn new(path: &str, model: &Model, bytes: u64) -> Self {
        let mut summary = model.summary();
        let place = |found: Option<Found>| found.map(|found| found.to_string());
        let looks = model.file().map(|file| model.assets().looks(model.naming(), file)).unwrap_or_default();
        let skins = looks.into_iter().map(|look| Skin {
            table: look.table.to_owned(),
            display: look.id,
            textures: look
                .textures
                .iter()
                .map(|worn| SkinTexture {
                    path: worn.candidates.first().cloned().unwrap_or_default(),
                    kind: worn.kind,
                    found: place(model.file().and_then(|file| model.assets().worn(file, worn))),
                })
                .collect(),
        });
        let mut parts = Vec::new();
        attached(model, "", &mut parts);
        let found = model.find_textures(&summary.textures);
        for (texture, found) in summary.textures.iter_mut().zip(found) {
            // An image inside the file needs no other file.
            texture.found = texture.found.take().or_else(|| place(found));
        }
        Self {
            path: path.to_owned(),
            format: model.format().name().to_owned(),
            dialect: model.dialect().map(str::to_owned),
            version: model.version(),
            name: model.name(),
            bytes,
            parts,
            skins: skins.collect(),
            looks: choices(model),
            findings: Finding::all(model.diagnostics()),
            summary,
        }
    }
}

/// What can be chosen for a character.
fn choices(model: &Model) -> Vec<Choice> {
    let choices = model.file().and_then(|file| model.assets().choices(model.naming(), file));
    let Some(Choices { skins, faces, hairs, hair_colors, facials }) = choices else { return Vec::new() };
    let named = Appearance::NAMES.into_iter().zip([skins, faces, hairs, hair_colors, facials]);
    named.map(|(name, count)| Choice { name: name.to_owned(), count }).collect()
}

/// What `effigy info --json` prints for each texture.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TextureInfo {
    /// The file.
    pub path: String,
    /// How the file stores it, such as `BLP1 JPEG, 8-bit alpha`.
    pub stored: String,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Mip levels, the picture itself among them.
    pub levels: usize,
    /// Whether the file stores alpha.
    pub alpha: bool,
    /// Whether any pixel is not opaque.
    pub translucent: bool,
    /// Size of the file.
    pub bytes: u64,
    /// What the reader noticed.
    pub findings: Vec<Finding>,
}

impl TextureInfo {
    /// Describes a texture of a file of this size.
    #[must_use]
    pub fn new(path: &str, image: Image, bytes: usize) -> Self {
        Self {
            path: path.to_owned(),
            width: image.width,
            height: image.height,
            levels: image.levels.len(),
            alpha: image.has_alpha,
            translucent: image.is_translucent(),
            bytes: u64::try_from(bytes).unwrap_or(u64::MAX),
            findings: Finding::all(&image.diagnostics),
            stored: image.stored,
        }
    }
}
