//! From M2 to the scene.
//!
//! Before 264 all sequences share a timeline and tracks say by ranges which keys count where; that is kept as it is.
//! From 264 on every sequence has keys of its own from 0: they are laid one after another on a timeline, and the
//! track's windows say which belong together.

mod emitters;
mod fixtures;
mod looks;
mod meshes;
mod tracks;

use crate::Lowered;
use effigy_m2::{BoneFlags, Caps, Model, SequenceFlags};
use effigy_scene::{
    Animated, Billboard, Bounds, Extras, GlobalSequence, Id, Ignore, KeyRule, Node, NodeKind, NodeRule,
    Rotation, Scene, Sequence,
};
use effigy_wire::Report;

/// The state that the parts of the lowering share.
struct Lowering<'a> {
    model: &'a Model,
    scene: Scene,
    report: Report,
    /// Start on the timeline, length, and the sequence whose keys it plays.
    spans: Vec<Span>,
}

#[derive(Clone, Copy)]
struct Span {
    start: i32,
    length: i32,
    keys: usize,
}

/// Milliseconds between sequences on the timeline made for 264.
const GAP: i32 = 1000;

/// The scene of a model, drawn from its first view, with the `.skin` and `.anim` files that are attached to it.
///
/// All parts of a character are shown at once. Which of them a game shows depends on what the character wears, which
/// the model does not know; [`effigy_scene::Mesh::part`] is the number to choose by.
#[must_use]
pub fn lower(model: &Model) -> Lowered {
    let nested = model.caps().contains(Caps::NESTED);
    let mut scene = Scene {
        name: model.name().into_owned(),
        key_rule: if nested { KeyRule::Hold } else { KeyRule::Continue },
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
    let mut lowering = Lowering { model, scene, report: Report::default(), spans: spans(model, nested) };
    lowering.sequences();
    lowering.bones();
    lowering.textures();
    lowering.meshes();
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

fn spans(model: &Model, nested: bool) -> Vec<Span> {
    let signed = |time: u32| i32::try_from(time).unwrap_or(i32::MAX);
    let mut spans = Vec::with_capacity(model.sequences.len());
    let mut next = 0_i32;
    for (index, sequence) in model.sequences.iter().enumerate() {
        let length = signed(sequence.length());
        if nested {
            spans.push(Span { start: next, length, keys: index });
            next = next.saturating_add(length).saturating_add(GAP);
        } else {
            spans.push(Span { start: signed(sequence.start), length, keys: index });
        }
    }
    if nested {
        for index in 0..spans.len() {
            let mut target = index;
            // A chain of aliases may not be longer than the list.
            for _ in 0..spans.len() {
                let Some(found) = model.sequences.get(target) else { break };
                let follows = found.flags.contains(SequenceFlags::ALIAS)
                    && !found.flags.contains(SequenceFlags::EMBEDDED);
                if !follows || usize::from(found.alias) >= spans.len() || usize::from(found.alias) == target {
                    break;
                }
                target = usize::from(found.alias);
            }
            let start = spans.get(target).map(|span| span.start);
            if let (Some(span), Some(start)) = (spans.get_mut(index), start) {
                span.start = start;
                span.keys = target;
            }
        }
    }
    spans
}

impl Lowering<'_> {
    fn sequences(&mut self) {
        for (source, span) in self.model.sequences.iter().zip(&self.spans) {
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
