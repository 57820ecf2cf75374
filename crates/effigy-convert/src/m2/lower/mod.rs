//! From M2 to the scene.
//!
//! Before 264 all sequences share a timeline and the ranges of a track select the keys of a sequence; the scene has the
//! same. From 264 on every sequence has its own keys from 0: they are placed one after another on a timeline, and the
//! windows of the scene's tracks select those of a sequence.

mod emitters;
mod fixtures;
mod geosets;
mod looks;
mod meshes;
mod timeline;
mod tracks;

use crate::Lowered;
use effigy_m2::{BoneFlags, Caps, Model, SequenceFlags};
use effigy_scene::{
    AlphaRule, Animated, Billboard, Bounds, Extras, GlobalSequence, Id, Ignore, KeyRule, Node, NodeKind,
    NodeRule, Rotation, Scene, Sequence, TurnRule,
};
use effigy_wire::Report;
use timeline::Timeline;

/// The state that the parts of the lowering share.
struct Lowering<'a> {
    model: &'a Model,
    scene: Scene,
    report: Report,
    timeline: Timeline,
}

/// The scene of a model, drawn from its first view, with the `.skin` and `.anim` files that are attached to it.
///
/// Of a character one part of each group is shown: a hair style, bare hands and feet, nothing that it would have to wear.
/// [`effigy_scene::Mesh::shown`] says which, and [`effigy_scene::Mesh::part`] is the number to choose others by.
#[must_use]
pub fn lower(model: &Model) -> Lowered {
    let nested = model.caps().contains(Caps::NESTED);
    let mut scene = Scene {
        name: model.name().into_owned(),
        key_rule: if nested { KeyRule::Hold } else { KeyRule::Continue },
        turn_rule: if nested { TurnRule::Nlerp } else { TurnRule::Slerp },
        alpha_rule: if nested { AlphaRule::TenThousandth } else { AlphaRule::AboveZero },
        node_rule: NodeRule::World,
        ..Scene::default()
    };
    scene
        .extras
        .set("format", "m2")
        .set("version", model.version().number())
        .set("flags", model.flags.bits());
    scene.bounds = bounds(model.bounds, model.radius);
    scene.global_sequences =
        model.global_sequences.iter().map(|length| GlobalSequence { length: *length }).collect();
    let mut report = Report::default();
    let timeline = Timeline::of(model, &mut report);
    let mut lowering = Lowering { model, scene, report, timeline };
    lowering.sequences();
    lowering.bones();
    lowering.textures();
    lowering.meshes();
    lowering.geosets();
    lowering.fixtures();
    lowering.emitters();
    let missing = model.missing_anims();
    if !missing.is_empty() {
        lowering.report.approximated(
            "sequences",
            format!(
                "{} sequences have their keys in .anim files that are not attached: they stay in the rest pose",
                missing.len()
            ),
        );
    }
    let Lowering { mut scene, mut report, .. } = lowering;
    effigy_scene::repair(&mut scene, &mut report);
    Lowered { scene, report }
}

fn bounds([ax, ay, az, bx, by, bz]: [f32; 6], radius: f32) -> Bounds {
    Bounds { min: [ax, ay, az], max: [bx, by, bz], radius }
}

impl Lowering<'_> {
    fn sequences(&mut self) {
        for (source, span) in self.model.sequences.iter().zip(&self.timeline.spans) {
            let name = effigy_m2::names::animation(source.id);
            let mut name = name.map_or_else(|| format!("Animation {}", source.id), |name| name.into_owned());
            if source.variation > 0 {
                name.push_str(&format!(" {}", source.variation));
            }
            let mut extras = Extras::default();
            extras.set("id", source.id).set("variation", source.variation).set("flags", source.flags.bits());
            extras.set("frequency", i32::from(source.frequency)).set("blendTime", source.blend_time);
            extras.set("replay", vec![i64::from(source.replay_min), i64::from(source.replay_max)]);
            extras.set("nextVariation", i32::from(source.next_variation));
            self.scene.sequences.push(Sequence {
                name,
                start: span.start,
                end: span.start.saturating_add(span.length),
                looping: !source.flags.contains(SequenceFlags::ONCE),
                move_speed: source.move_speed,
                bounds: bounds(source.bounds, source.radius),
                extras,
            });
        }
    }

    fn bones(&mut self) {
        let model = self.model;
        let packed = model.caps().contains(Caps::PACKED_ROTATION);
        for (index, bone) in model.bones.iter().enumerate() {
            let name =
                effigy_m2::names::key_bone(bone.key_bone).or_else(|| effigy_m2::names::bone(bone.name_crc));
            let name = name.map_or_else(|| format!("Bone {index}"), str::to_owned);
            let parent = u32::try_from(bone.parent).ok().map(Id::new);
            let mut node = Node::new(name, NodeKind::Bone, parent, bone.pivot);
            let flags = bone.flags;
            node.ignore = Ignore {
                translation: flags.contains(BoneFlags::IGNORE_PARENT_TRANSLATION),
                rotation: flags.contains(BoneFlags::IGNORE_PARENT_ROTATION),
                scale: flags.contains(BoneFlags::IGNORE_PARENT_SCALE),
            };
            node.billboard = if flags.contains(BoneFlags::BILLBOARD) {
                Billboard::Full
            } else if flags.contains(BoneFlags::BILLBOARD_X) {
                Billboard::LockX
            } else if flags.contains(BoneFlags::BILLBOARD_Y) {
                Billboard::LockY
            } else if flags.contains(BoneFlags::BILLBOARD_Z) {
                Billboard::LockZ
            } else {
                Billboard::None
            };
            node.translation = self.animated(&bone.translation, [0.0; 3], |value| value);
            node.rotation = if packed {
                self.animated(&bone.packed_rotation, Rotation::IDENTITY, |value| {
                    // With 16 bits per component the length is not exactly 1.
                    let turn = glam::Quat::from_array(effigy_m2::rotation::unpack(value));
                    Rotation(if turn.length_squared() > 1e-6 { turn.normalize() } else { turn }.to_array())
                })
            } else {
                self.animated(&bone.rotation, Rotation::IDENTITY, Rotation)
            };
            node.scale = self.animated(&bone.scale, [1.0; 3], |value| value);
            node.extras.set("keyBone", bone.key_bone).set("flags", flags.bits());
            self.scene.nodes.push(node);
        }
    }

    /// The node of a bone; if there is no such bone, a node at the origin.
    fn bone(&mut self, bone: Option<u32>) -> Id<Node> {
        match bone.filter(|bone| (*bone as usize) < self.model.bones.len()) {
            Some(bone) => Id::new(bone),
            None => {
                let extra = self.model.bones.len();
                if self.scene.nodes.len() == extra {
                    return self.scene.nodes.push(Node::new("Still", NodeKind::Helper, None, [0.0; 3]));
                }
                Id::new(u32::try_from(extra).unwrap_or(u32::MAX))
            }
        }
    }

    /// A value that is not animated.
    fn fixed<T>(value: T) -> Animated<T> {
        Animated::fixed(value)
    }
}
