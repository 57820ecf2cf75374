//! M2 and its skins behind the common face.

use crate::document::same_names;
use crate::{
    Bounds, Converted, Document, Error, Format, Limits, Materials, Mesh, Options, Result, Sequence, Summary,
    Target, Texture,
};
use effigy_m2::{Companion, Model, SequenceFlags, Skin, Submesh, Version, View, names};

/// Reads an M2 file behind the common face.
pub(crate) fn read(bytes: &[u8], limits: &Limits) -> Result<Box<dyn Document>> {
    Ok(Box::new(effigy_m2::read_with(bytes, limits)?))
}

/// Reads a `.skin` file behind the common face.
pub(crate) fn read_skin(bytes: &[u8], limits: &Limits) -> Result<Box<dyn Document>> {
    Ok(Box::new(Skin::read_with(bytes, limits)?))
}

impl Document for Model {
    fn format(&self) -> Format {
        Format::M2
    }
    fn dialect(&self) -> Option<&'static str> {
        Some(self.version().game())
    }
    fn version(&self) -> u32 {
        self.version().number()
    }
    fn name(&self) -> String {
        self.name().into_owned()
    }
    same_names!(summary);

    fn verify_canonical(&self, source: &[u8]) -> Option<bool> {
        Some(self.verify_canonical(source))
    }

    /// The skins first, then the animations.
    fn companions(&self, file_name: &str) -> Vec<String> {
        let name = |companion: Companion| companion.file_name(self, file_name).ok();
        all_companions(self).into_iter().filter_map(name).collect()
    }

    fn attach(&mut self, index: usize, bytes: &[u8]) -> Result<()> {
        match all_companions(self).get(index) {
            Some(companion) => self.attach(*companion, bytes),
            None => Err(Error::unsupported("the model has no place for this file")),
        }
    }
}

/// The companions of a model, attached or not, in an order that attaching does not change.
fn all_companions(model: &Model) -> Vec<Companion> {
    let mut all = model.companions();
    all.extend(model.attached());
    all.sort_unstable();
    all
}

impl Document for Skin {
    fn format(&self) -> Format {
        Format::Skin
    }
    fn version(&self) -> u32 {
        Version::WRATH.number()
    }
    fn name(&self) -> String {
        String::new()
    }
    same_names!(skin_summary);

    fn verify_canonical(&self, source: &[u8]) -> Option<bool> {
        Some(self.verify_canonical(source))
    }
}

fn skin_summary(skin: &Skin) -> Summary {
    Summary { meshes: meshes(skin.view()), ..Summary::default() }
}

/// M2 to M2: the same bytes, or another expansion, with the files that stand beside it.
pub(crate) fn rewrite(document: &dyn Document, target: Target, _: &Options) -> Result<Converted> {
    let model = document
        .as_any()
        .downcast_ref::<Model>()
        .ok_or_else(|| Error::unsupported("this document was not read by this library"))?;
    let mut report = effigy_wire::Report::default();
    let upgraded = match target.version {
        Some(version) if version != model.version().number() => {
            let (model, notes) = model.upgrade(Version::new(version)?)?;
            report = notes;
            Some(model)
        }
        _ => None,
    };
    let model = upgraded.as_ref().unwrap_or(model);
    // Companions are named by what follows the main file's stem.
    let suffix = |name: String| name.trim_start_matches('_').to_owned();
    let mut companions = Vec::new();
    for companion in model.attached() {
        companions.push((suffix(companion.file_name(model, "_")?), model.write_companion(companion)?));
    }
    Ok(Converted { bytes: model.write()?, companions, report })
}

fn wide(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

fn meshes(view: &View) -> Vec<Mesh> {
    let mesh = |submesh: &Submesh| Mesh {
        name: submesh.id.to_string(),
        vertices: submesh.vertex_count.into(),
        triangles: u64::from(submesh.triangle_count) / 3,
    };
    view.submeshes.iter().map(mesh).collect()
}

fn summary(model: &Model) -> Summary {
    let [a, b, c, d, e, f] = model.bounds;
    Summary {
        meshes: model.views().next().map(meshes).unwrap_or_default(),
        nodes: Summary::counts(&[("bone", model.bones.len()), ("attachment", model.attachments.len())]),
        sequences: model.sequences.iter().map(sequence).collect(),
        materials: Materials { count: wide(model.materials.len()), words: material_words(model) },
        emitters: Summary::counts(&[("particle", model.particles.len()), ("ribbon", model.ribbons.len())]),
        textures: model.textures.iter().map(texture).collect(),
        cameras: model.cameras.iter().map(|camera| camera_name(camera.kind)).collect(),
        others: Summary::counts(&[
            ("view", model.views().len()),
            ("light", model.lights.len()),
            ("event", model.events.len()),
            ("global sequence", model.global_sequences.len()),
            ("texture animation", model.transforms.len()),
            ("colour", model.colors.len()),
            ("collision triangle", model.collision_triangles.len() / 3),
            ("animation file not found", model.missing_anims().len()),
        ]),
        bounds: Some(Bounds { min: [a, b, c], max: [d, e, f], radius: model.radius }),
    }
}

fn camera_name(kind: i32) -> String {
    match kind {
        -1 => "scene".to_owned(),
        0 => "portrait".to_owned(),
        1 => "character".to_owned(),
        other => format!("kind {other}"),
    }
}

fn sequence(sequence: &effigy_m2::Sequence) -> Sequence {
    let name =
        names::animation(sequence.id).map_or_else(|| format!("id {}", sequence.id), |name| name.into_owned());
    let variation = if sequence.variation > 0 { format!(" {}", sequence.variation) } else { String::new() };
    // One of the two is zero, by version.
    let milliseconds = sequence.end.saturating_sub(sequence.start).max(sequence.duration);
    Sequence {
        name: format!("{name}{variation}"),
        seconds: f64::from(milliseconds) / 1000.0,
        speed: sequence.move_speed,
        looping: !sequence.flags.contains(SequenceFlags::ONCE),
    }
}

fn texture(texture: &effigy_m2::Texture) -> Texture {
    let meaning = match texture.kind {
        1 => "skin",
        2 => "object skin or cape",
        3 => "weapon blade",
        4 => "weapon handle",
        6 => "hair",
        8 => "extra skin",
        9 => "interface skin",
        11..=13 => "monster skin",
        14 => "item icon",
        _ => "",
    };
    Texture { path: texture.name.text().into_owned(), replaceable: texture.kind, meaning: meaning.to_owned() }
}

fn material_words(model: &Model) -> Vec<String> {
    let blends = [
        "opaque",
        "alpha key",
        "alpha blend",
        "additive without alpha",
        "additive",
        "modulate",
        "modulate 2x",
    ];
    let mut words: Vec<String> = Vec::new();
    for material in model.materials.iter() {
        let word = blends.get(usize::from(material.blend)).copied().unwrap_or("unknown blend").to_owned();
        if !words.contains(&word) {
            words.push(word);
        }
    }
    words
}
