//! MDX and MDL: Warcraft III and WoW alpha.

use crate::model::Opened;
use crate::{
    Bounds, ConvertOptions, Converted, Format, Limits, Materials, MdlSpelling, Mesh, Model, Report, Result,
    Sequence, Summary, Target, Texture, Verdict,
};
use effigy_mdx::text::{self, PrintOptions, Spelling};
use effigy_mdx::{Dialect, FilterMode, LayerFlags, SequenceFlags, ShaderKind};

/// Reads a binary MDX file.
pub(crate) fn read(bytes: &[u8], limits: &Limits) -> Result<Model> {
    Ok(Model::from(effigy_mdx::read_with(bytes, limits)?))
}

/// Reads MDL text.
pub(crate) fn read_text(bytes: &[u8], limits: &Limits) -> Result<Model> {
    Ok(Model::Mdx(Opened::new(text::parse_with(bytes, limits)?, Format::Mdl)))
}

/// The game whose dialect the model is in.
pub(crate) fn dialect(model: &effigy_mdx::Model) -> &'static str {
    dialect_name(model.dialect())
}

/// What a dialect is called.
pub(crate) const fn dialect_name(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Warcraft3 => "Warcraft III",
        Dialect::WowAlpha => "WoW alpha",
    }
}

/// The model as MDL text.
pub(crate) fn print(model: &effigy_mdx::Model) -> Vec<u8> {
    text::print(model, &PrintOptions::default()).0
}

/// An edited model as text in the spelling that its source was printed in, so that everything else stays as it is.
///
/// # Errors
/// When the source is not what any of our spellings gives: its layout and comments would be lost.
#[cfg(feature = "check")]
pub(crate) fn print_alike(
    before: &effigy_mdx::Model,
    source: &[u8],
    after: &effigy_mdx::Model,
) -> Result<Vec<u8>> {
    let spellings = [Spelling::Warcraft3, Spelling::Hive, Spelling::Retera];
    let mut ways =
        spellings.iter().flat_map(|&dialect| [false, true].map(|plain| PrintOptions { dialect, plain }));
    let same = |options: &PrintOptions| text::print(before, options).0 == source;
    ways.find(same).map(|options| text::print(after, &options).0).ok_or_else(|| {
        crate::Error::unsupported("this text was written by hand or by another program; its comments and layout would not stay as they are")
            .hint("`effigy convert MODEL.mdl -o MODEL.mdx`, then `effigy check --fix` on that, and convert it back: only the text's layout is lost")
    })
}

/// Whether a model that was read from text survives printing. Text has many spellings, so the printed model is parsed
/// again and compared by the bytes of its binary form, in which a NaN equals itself.
pub(crate) fn verify_text(model: &effigy_mdx::Model) -> Verdict {
    let same = text::parse(&print(model))
        .is_ok_and(|again| again.write().is_ok_and(|again| model.write().is_ok_and(|first| again == first)));
    Verdict::new(same, Vec::new(), Vec::new())
}

/// Whether a conversion leads from the alpha of World of Warcraft to Warcraft III: two families that share an extension.
#[cfg(feature = "scene")]
pub(crate) fn leaves_alpha(model: &Model, target: &Target) -> bool {
    let Model::Mdx(model) = model else { return false };
    model.dialect() == Dialect::WowAlpha
        && matches!(target.format, Format::Mdx | Format::Mdl)
        && target.version.is_some_and(|version| !model.dialect().knows(version))
}

/// MDX and MDL to MDX and MDL, at the same or another version.
pub(crate) fn rewrite(model: &Model, target: &Target, options: &ConvertOptions) -> Result<Converted> {
    #[cfg(feature = "scene")]
    if leaves_alpha(model, target) {
        return crate::raise::mdx(model, target, options);
    }
    let Model::Mdx(model) = model else { return Err(crate::convert::no_route(model, target)) };
    let (upgraded, mut report) = match target.version {
        Some(version) if version != model.version() || version != model.layout() => {
            let (model, report) = model.upgrade(version)?;
            (Some(model), report)
        }
        _ => (None, Report::default()),
    };
    let model = upgraded.as_ref().unwrap_or(model);
    let bytes = if target.format == Format::Mdl {
        let dialect = match options.mdl {
            MdlSpelling::Warcraft3 => Spelling::Warcraft3,
            MdlSpelling::Hive => Spelling::Hive,
            MdlSpelling::Retera => Spelling::Retera,
        };
        let (bytes, more) = text::print(model, &PrintOptions { dialect, plain: options.mdl_plain });
        report.append(more);
        bytes
    } else {
        if !model.text_after().is_empty() {
            report.dropped("text", "text after the last block of the MDL");
        }
        model.write()?
    };
    Ok(Converted::file(bytes, report))
}

fn wide(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

/// What is in the model.
pub(crate) fn summary(model: &effigy_mdx::Model) -> Summary {
    Summary {
        meshes: meshes(model),
        nodes: Summary::counts(&[
            ("bone", model.bones.len()),
            ("helper", model.helpers.len()),
            ("attachment", model.attachments.len()),
        ]),
        sequences: model.sequences.iter().map(sequence).collect(),
        materials: Materials { count: wide(model.materials.len()), words: material_words(model) },
        emitters: Summary::counts(&[
            ("model particle", model.particle_emitters.len()),
            ("particle", model.particle_emitters_2.len()),
            ("popcorn", model.popcorn_emitters.len()),
            ("ribbon", model.ribbon_emitters.len()),
        ]),
        textures: model.textures.iter().map(|texture| self::texture(model, texture)).collect(),
        cameras: model.cameras.iter().map(|camera| camera.name.text().into_owned()).collect(),
        others: Summary::counts(&[
            ("light", model.lights.len()),
            ("event", model.event_objects.len()),
            ("collision shape", model.collision_shapes.len()),
            ("collision mesh", model.collision_mesh.len()),
            ("hit test shape", model.hit_test_shapes.len()),
            ("global sequence", model.global_sequences.len()),
            ("texture animation", model.texture_animations.len()),
            ("geoset animation", model.geoset_animations.len()),
            ("face animation", model.face_fx.len()),
            ("sound", model.sounds.len()),
            ("unknown chunk", model.kept_chunks().filter(|(_, _, known)| !known).count()),
        ]),
        bounds: model.info.first().map(|info| Bounds {
            min: info.extent.min,
            max: info.extent.max,
            radius: info.extent.radius,
        }),
        ..Summary::default()
    }
}

fn meshes(model: &effigy_mdx::Model) -> Vec<Mesh> {
    let plain = model.geosets.iter().map(|geoset| Mesh {
        name: geoset.name.text().into_owned(),
        vertices: wide(geoset.vertices.len()),
        triangles: wide(geoset.triangle_count()),
    });
    let batched = model.batched_geosets.iter().map(|geoset| Mesh {
        name: String::new(),
        vertices: wide(geoset.vertices.len()),
        triangles: wide(geoset.batch.indices.list.len() / 3),
    });
    plain.chain(batched).collect()
}

fn sequence(sequence: &effigy_mdx::Sequence) -> Sequence {
    // Times are signed: some begin before 0.
    let [start, end] = sequence.interval.map(|time| f64::from(time.cast_signed()));
    Sequence {
        name: sequence.name.text().into_owned(),
        seconds: (end - start).max(0.0) / 1000.0,
        speed: sequence.move_speed,
        looping: !sequence.flags.contains(SequenceFlags::NON_LOOPING),
    }
}

fn texture(model: &effigy_mdx::Model, texture: &effigy_mdx::Texture) -> Texture {
    let meaning = match (model.dialect(), texture.replaceable) {
        (Dialect::Warcraft3, 1) => "team colour",
        (Dialect::Warcraft3, 2) => "team glow",
        (Dialect::Warcraft3, 11) => "cliff",
        (Dialect::Warcraft3, 31..=37) => "tree",
        (Dialect::WowAlpha, 1) => "skin",
        (Dialect::WowAlpha, 2) => "object skin",
        (Dialect::WowAlpha, 11..=13) => "monster skin",
        _ => "",
    };
    Texture {
        path: texture.path.text().into_owned(),
        replaceable: texture.replaceable,
        meaning: meaning.to_owned(),
        found: None,
    }
}

/// What is special about the materials, each word once, in this order.
fn material_words(model: &effigy_mdx::Model) -> Vec<String> {
    let layers = || model.materials.iter().flat_map(|material| &material.layers);
    let uses = |wanted: FilterMode| layers().any(|layer| layer.filter_mode == wanted);
    let flagged = |flag: LayerFlags| layers().any(|layer| layer.flags.contains(flag));
    let replaceable = |wanted| model.textures.iter().any(|texture| texture.replaceable == wanted);
    let warcraft = model.dialect() == Dialect::Warcraft3;
    let words = [
        (warcraft && replaceable(1), "team colour"),
        (warcraft && replaceable(2), "team glow"),
        (uses(FilterMode::TRANSPARENT), "alpha cut-out"),
        (uses(FilterMode::BLEND), "alpha blend"),
        (uses(FilterMode::ADDITIVE) || uses(FilterMode::ADD_ALPHA), "additive"),
        (uses(FilterMode::MODULATE) || uses(FilterMode::MODULATE_2X), "multiplied"),
        (flagged(LayerFlags::TWO_SIDED), "two-sided"),
        (flagged(LayerFlags::UNSHADED), "unshaded"),
        (flagged(LayerFlags::SPHERE_ENVIRONMENT_MAP), "environment map"),
        (
            layers().any(|layer| layer.shader == ShaderKind::HD)
                || model.materials.iter().any(|material| material.shader.text().contains("HD")),
            "HD shader",
        ),
    ];
    words.iter().filter(|(is_so, _)| *is_so).map(|(_, word)| (*word).to_owned()).collect()
}
