//! MDX of Warcraft III and WoW alpha, behind the common face.

use crate::{
    Bounds, Converted, Diagnostics, Document, Error, Format, Limits, Materials, Mesh, Result, Sequence,
    Summary, Target, Texture, Verdict,
};
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
    fn diagnostics(&self) -> &Diagnostics {
        self.diagnostics()
    }
    fn write(&self) -> Result<Vec<u8>> {
        self.write()
    }
    fn verify(&self, source: &[u8]) -> Verdict {
        self.verify(source)
    }
    fn visit(&self, visitor: &mut dyn Visitor) {
        self.visit(visitor);
    }
    fn summary(&self) -> Summary {
        summary(self)
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// MDX to MDX: the same bytes, or another version.
pub(crate) fn rewrite(document: &dyn Document, target: Target) -> Result<Converted> {
    let model = document
        .as_any()
        .downcast_ref::<Model>()
        .ok_or_else(|| Error::unsupported("this MDX document was not read by this library"))?;
    match target.version {
        Some(version) if version != model.version() => {
            let (model, report) = model.upgrade(version)?;
            Ok(Converted { bytes: model.write()?, report, ..Converted::default() })
        }
        _ => Ok(Converted { bytes: model.write()?, ..Converted::default() }),
    }
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
