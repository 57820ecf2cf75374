//! M2 and its skins: World of Warcraft.

use crate::convert::CompanionName;
use crate::{
    Bounds, ConvertOptions, Converted, Error, Kind, Limits, Materials, Mesh, Model, Report, Result, Sequence,
    Summary, Target, Texture,
};
use effigy_m2::{Caps, SequenceFlags, Skin, Submesh, Version, View, names};
use effigy_wire::Capabilities;

/// Reads an M2 file, without the files that belong to it.
pub(crate) fn read(bytes: &[u8], limits: &Limits) -> Result<Model> {
    Ok(Model::from(effigy_m2::read_with(bytes, limits)?))
}

/// Reads a `.skin` file.
pub(crate) fn read_skin(bytes: &[u8], limits: &Limits) -> Result<Model> {
    Ok(Model::from(Skin::read_with(bytes, limits)?))
}

/// Takes over the skins and animations that `find` has.
pub(crate) fn attach(
    model: &mut effigy_m2::Model,
    file_name: &str,
    find: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
) -> Result<()> {
    for companion in model.companions() {
        let Ok(name) = companion.file_name(model, file_name) else { continue };
        if let Some(bytes) = find(&name) {
            model.attach(companion, &bytes).map_err(|error| error.hint(format!("it comes from {name}")))?;
        }
    }
    Ok(())
}

/// What is in a skin.
pub(crate) fn skin_summary(skin: &Skin) -> Summary {
    Summary { meshes: meshes(skin.view()), ..Summary::default() }
}

/// The error for an M2 whose triangles are in `.skin` files that were not found; it names the first of them.
pub(crate) fn without_skins(model: &Model) -> Error {
    #[cfg(feature = "assets")]
    let name = model.file().map(effigy_assets::FileRef::file_name);
    #[cfg(not(feature = "assets"))]
    let name: Option<String> = None;
    let skin = name.and_then(|name| model.companions(&name).into_iter().next());
    let skin = skin.unwrap_or_else(|| "its .skin file".to_owned());
    Error::new(Kind::Usage, format!("there is nothing to draw without {skin}"))
        .hint("put the .skin files next to the .m2")
}

/// M2 to M2: the same bytes, or another expansion, with the files that belong to it.
pub(crate) fn rewrite(whole: &Model, target: &Target, _: &ConvertOptions) -> Result<Converted> {
    let Model::M2(model) = whole else { return Err(crate::convert::no_route(whole, target)) };
    let mut report = Report::default();
    let upgraded = match target.version {
        Some(version) if version != model.version().number() => {
            let lacks_skins = model.skin_count > 0 && model.skins.is_empty();
            let has_views = Version::new(version)?.caps().has(Caps::VIEWS);
            if lacks_skins && has_views && !model.contents.vertices.is_empty() {
                return Err(without_skins(whole));
            }
            let (model, notes) = model.upgrade(Version::new(version)?)?;
            report = notes;
            Some(model)
        }
        _ => None,
    };
    let model = upgraded.as_ref().unwrap_or(model);
    Ok(Converted::files(model.write()?, companions(model)?, report))
}

/// The files next to a model, named by what follows the stem of the main file.
pub(crate) fn companions(model: &effigy_m2::Model) -> Result<Vec<(CompanionName, Vec<u8>)>> {
    let suffix = |name: String| CompanionName::Suffix(name.trim_start_matches('_').to_owned());
    let mut companions = Vec::new();
    for companion in model.attached() {
        companions.push((suffix(companion.file_name(model, "_")?), model.write_companion(companion)?));
    }
    Ok(companions)
}

/// A skin as it is: the format has one version.
pub(crate) fn rewrite_skin(model: &Model, _: &Target, _: &ConvertOptions) -> Result<Converted> {
    Ok(Converted::file(model.write()?, Report::default()))
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

/// What is in the model.
pub(crate) fn summary(model: &effigy_m2::Model) -> Summary {
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
        ..Summary::default()
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
    Texture {
        path: texture.name.text().into_owned(),
        replaceable: texture.kind,
        meaning: meaning.to_owned(),
        found: None,
    }
}

fn material_words(model: &effigy_m2::Model) -> Vec<String> {
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
