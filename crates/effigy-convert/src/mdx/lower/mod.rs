//! From MDX to the scene.
//!
//! Nodes keep the order bones, lights, helpers, attachments, ... of [`Model::nodes`]; parents are found by object id.

mod emitters;
mod fixtures;
mod materials;
mod meshes;
mod nodes;
mod tracks;

use crate::Lowered;
use effigy_mdx::{Dialect, Extent, Model, ModelInfo};
use effigy_scene::{
    Animated, Bounds, Extras, GlobalSequence, Interpolation, KeyRule, NodeRule, Scene, Sequence,
};
use effigy_wire::Report;

/// The state that the parts of the lowering share.
struct Lowering<'a> {
    model: &'a Model,
    scene: Scene,
    report: Report,
    nodes: nodes::Nodes,
}

impl Lowering<'_> {
    fn is_wow(&self) -> bool {
        self.model.dialect() == Dialect::WowAlpha
    }
}

/// The scene of a model.
#[must_use]
pub fn lower(model: &Model) -> Lowered {
    let wow = model.dialect() == Dialect::WowAlpha;
    let mut scene = Scene {
        name: model.name(),
        key_rule: KeyRule::Wrap,
        node_rule: if wow { NodeRule::World } else { NodeRule::Warcraft },
        ..Scene::default()
    };
    scene.extras.set("format", if wow { "wow-alpha-mdx" } else { "mdx" }).set("version", model.version());
    if let Some(info) = model.info.first() {
        scene.blend_time = info.blend_time;
        scene.bounds = bounds(&info.extent);
        if !info.animation_file.is_empty() {
            scene.extras.set("animationFile", info.animation_file.text().as_ref());
        }
    }
    scene.global_sequences =
        model.global_sequences.iter().map(|length| GlobalSequence { length: *length }).collect();
    scene.sequences = model.sequences.iter().map(|sequence| self::sequence(sequence, wow)).collect();
    let mut lowering = Lowering { model, scene, report: Report::default(), nodes: nodes::Nodes::default() };
    lowering.textures();
    lowering.materials();
    lowering.nodes();
    lowering.meshes();
    lowering.fixtures();
    lowering.emitters();
    lowering.kept();
    if wow && model.info.first().is_some_and(|info| info.flags & ModelInfo::ALWAYS_ANIMATE != 0) {
        always_linear(&mut lowering.scene);
    }
    let Lowering { mut scene, mut report, .. } = lowering;
    effigy_scene::repair(&mut scene, &mut report);
    Lowered { scene, report }
}

/// Plays tracks of numbers as linear ones, as the client does for models with [`ModelInfo::ALWAYS_ANIMATE`]. Visibility and
/// textures still change in steps.
fn always_linear(scene: &mut Scene) {
    fn linear<T>(animated: &mut Animated<T>) {
        if let Some(track) = &mut animated.track {
            track.interpolation = Interpolation::Linear;
            track.tangents.clear();
        }
    }
    macro_rules! each {
        ($($list:ident: $($field:ident)*;)*) => {$(
            for item in scene.$list.as_mut_slice() {
                $(linear(&mut item.$field);)*
            }
        )*};
    }
    each! {
        nodes: translation rotation scale;
        meshes: color alpha;
        texture_transforms: translation rotation scale;
        lights: attenuation_start attenuation_end color intensity ambient_color ambient_intensity;
        emitters: speed variation latitude longitude gravity lifespan rate length width z_source;
        ribbons: above below alpha color;
    }
    scene
        .materials
        .as_mut_slice()
        .iter_mut()
        .flat_map(|it| &mut it.layers)
        .for_each(|it| linear(&mut it.alpha));
}

fn bounds(extent: &Extent) -> Bounds {
    Bounds { min: extent.min, max: extent.max, radius: extent.radius }
}

fn sequence(sequence: &effigy_mdx::Sequence, wow: bool) -> Sequence {
    let [start, end] = sequence.interval.map(u32::cast_signed);
    let mut extras = Extras::default();
    extras.set("flags", sequence.flags.bits());
    if wow {
        extras.set("frequency", sequence.frequency);
        extras.set("replay", sequence.replay.map(i64::from).to_vec());
        extras.set("blendTime", sequence.blend_time);
    } else {
        extras.set("rarity", sequence.rarity);
        if sequence.sync_point != 0 {
            extras.set("syncPoint", sequence.sync_point);
        }
    }
    Sequence {
        name: sequence.name.text().into_owned(),
        start,
        end,
        looping: !sequence.flags.contains(effigy_mdx::SequenceFlags::NON_LOOPING),
        move_speed: sequence.move_speed,
        bounds: bounds(&sequence.extent),
        extras,
    }
}

impl Lowering<'_> {
    /// Reports what the scene cannot represent.
    fn kept(&mut self) {
        let model = self.model;
        for (index, face) in model.face_fx.iter().enumerate() {
            let mut extras = Extras::default();
            extras.set("name", face.name.text().as_ref()).set("path", face.path.text().as_ref());
            self.scene.extras.set(&format!("faceFx{index}"), extras);
        }
        if let Some(mesh) = model.collision_mesh.first() {
            let mut extras = Extras::default();
            extras.set("vertices", mesh.vertices.as_flattened().to_vec());
            extras.set("indices", mesh.indices.iter().map(|index| i64::from(*index)).collect::<Vec<_>>());
            self.scene.extras.set("collisionMesh", extras);
        }
        if !model.bind_poses.is_empty() {
            self.report.dropped("BPOS", "bind poses follow from the pivots and are not used by the game");
        }
        for (tag, _, known) in model.kept_chunks() {
            let text = if known { "the chunk is damaged and could not be read" } else { "unknown chunk" };
            self.report.dropped(tag.to_string(), text);
        }
        for track in model.stray_tracks() {
            self.report.dropped(track.tag().to_string(), "a track outside its record");
        }
    }
}
