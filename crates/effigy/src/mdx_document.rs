//! MDX of Warcraft III and WoW alpha, behind the common face.

use crate::document::same_names;
use crate::{
    Bounds, Converted, Diagnostics, Document, Error, Format, Limits, Materials, MdlSpelling, Mesh, Options,
    Report, Result, Sequence, Summary, Target, Texture, Verdict,
};
use effigy_mdx::text::{self, PrintOptions, Spelling};
use effigy_mdx::{Dialect, FilterMode, LayerFlags, Model, SequenceFlags, ShaderKind};
use effigy_wire::Visitor;
use std::any::Any;

/// Reads an MDX file behind the common face.
pub(crate) fn read(bytes: &[u8], limits: &Limits) -> Result<Box<dyn Document>> {
    Ok(Box::new(effigy_mdx::read_with(bytes, limits)?))
}

impl Document for Model {
    fn format(&self) -> Format {
        Format::Mdx
    }
    fn dialect(&self) -> Option<&'static str> {
        Some(match self.dialect() {
            Dialect::Warcraft3 => "Warcraft III",
            Dialect::WowAlpha => "WoW alpha",
        })
    }
    fn version(&self) -> u32 {
        self.version()
    }
    fn name(&self) -> String {
        self.name()
    }
    same_names!(summary);
}

/// A Warcraft III model that came as MDL text.
#[derive(Clone, Debug)]
pub struct Text(pub Model);

/// Reads MDL text behind the common face.
pub(crate) fn read_text(bytes: &[u8], limits: &Limits) -> Result<Box<dyn Document>> {
    Ok(Box::new(Text(text::parse_with(bytes, limits)?)))
}

impl Document for Text {
    fn format(&self) -> Format {
        Format::Mdl
    }
    fn dialect(&self) -> Option<&'static str> {
        Document::dialect(&self.0)
    }
    fn version(&self) -> u32 {
        self.0.version()
    }
    fn name(&self) -> String {
        self.0.name()
    }
    fn diagnostics(&self) -> &Diagnostics {
        self.0.diagnostics()
    }
    fn write(&self) -> Result<Vec<u8>> {
        Ok(text::print(&self.0, &PrintOptions::default()).0)
    }
    /// Text has many spellings: the same means here that the printed model reads as the same model.
    fn verify(&self, _source: &[u8]) -> Verdict {
        let printed = text::print(&self.0, &PrintOptions::default()).0;
        let same = text::parse(&printed).is_ok_and(|again| {
            // By bytes, so that a number that is none equals itself.
            again.write().is_ok_and(|again| self.0.write().is_ok_and(|first| again == first))
        });
        Verdict::new(same, Vec::new(), Vec::new())
    }
    fn visit(&self, visitor: &mut dyn Visitor) {
        self.0.visit(visitor);
    }
    fn summary(&self) -> Summary {
        summary(&self.0)
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// MDX and MDL to MDX and MDL, at the same or another version.
pub(crate) fn rewrite(document: &dyn Document, target: Target, options: &Options) -> Result<Converted> {
    let any = document.as_any();
    let model = any
        .downcast_ref::<Model>()
        .or_else(|| any.downcast_ref::<Text>().map(|text| &text.0))
        .ok_or_else(|| Error::unsupported("this document was not read by this library"))?;
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
        model.write()?
    };
    Ok(Converted { bytes, report, ..Converted::default() })
}

fn wide(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

fn summary(model: &Model) -> Summary {
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
    }
}

fn meshes(model: &Model) -> Vec<Mesh> {
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
    let [start, end] = sequence.interval;
    Sequence {
        name: sequence.name.text().into_owned(),
        seconds: f64::from(end.saturating_sub(start)) / 1000.0,
        speed: sequence.move_speed,
        looping: !sequence.flags.contains(SequenceFlags::NON_LOOPING),
    }
}

fn texture(model: &Model, texture: &effigy_mdx::Texture) -> Texture {
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
    }
}

/// What is special about the materials, each word once, in this order.
fn material_words(model: &Model) -> Vec<String> {
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
