//! The creature as an MDX model, in any version of either dialect.

mod surface;

use effigy_mdx::track::tags;
use effigy_mdx::{
    Attachment, Bone, Camera, Caps, CollisionShape, Dialect, EventObject, EventTrack, Extent, HitTestShape,
    Interpolation, Key, KeyValue, Light, Model, Node, NodeFlags, ParticleEmitter2, RibbonEmitter, Sequence,
    SequenceFlags, Shape, TextureAnimation, Track, Tracks,
};
use effigy_wire::{FixedStr, Tag};

use super::flags::{self, Role};
use super::{int, pre2_content_size, word};
use crate::creature::{self, Collision, Creature, Mesh};

/// The creature as a model of this dialect and version.
#[must_use]
pub fn creature(dialect: Dialect, version: u32) -> Model {
    model_of(&creature::creature(), dialect, version)
}

/// The hat as a model of this dialect and version.
#[must_use]
pub fn hat(dialect: Dialect, version: u32) -> Model {
    model_of(&creature::hat(), dialect, version)
}

fn model_of(beetle: &Creature, dialect: Dialect, version: u32) -> Model {
    let mut model = Model::new(dialect, version, beetle.name);
    let make = Maker { beetle, dialect, caps: dialect.caps(version) };
    let whole = extent(beetle.meshes.iter().flat_map(|mesh| &mesh.positions));
    if let Some(info) = model.info.first_mut() {
        info.extent = whole.clone();
    }
    model.sequences = make.sequences(&whole);
    model.global_sequences.clone_from(&beetle.global_sequences);
    model.textures = make.textures();
    model.materials = make.materials();
    model.texture_animations = (beetle.texture_animations.iter())
        .map(|moving| TextureAnimation { tracks: make.track(tags::KTAT, moving).into_iter().collect() })
        .collect();
    if make.caps.contains(Caps::PLAIN_GEOSETS) {
        model.geosets = beetle.meshes.iter().map(|mesh| make.geoset(mesh)).collect();
    } else {
        model.batched_geosets =
            beetle.meshes.iter().enumerate().map(|(i, mesh)| make.batch(i, mesh)).collect();
    }
    model.geoset_animations =
        beetle.meshes.iter().enumerate().map(|(i, mesh)| make.geoset_animation(i, mesh)).collect();
    model.pivots = beetle.nodes.iter().map(|node| node.pivot).collect();
    make.add_nodes(&mut model);
    make.add_cameras(&mut model);
    super::count_nodes(&mut model);
    model
}

struct Maker<'a> {
    beetle: &'a Creature,
    dialect: Dialect,
    caps: Caps,
}

impl Maker<'_> {
    fn is_wow(&self) -> bool {
        self.dialect == Dialect::WowAlpha
    }

    fn track<T: KeyValue>(&self, tag: Tag, track: &creature::Track<T>) -> Option<Track> {
        if track.is_empty() {
            return None;
        }
        let interpolation = match track.interpolation {
            creature::Interpolation::Step => Interpolation::STEP,
            creature::Interpolation::Linear => Interpolation::LINEAR,
            creature::Interpolation::Hermite => Interpolation::HERMITE,
        };
        let tangents = interpolation.has_tangents();
        let keys: Vec<Key<T>> = (track.keys.iter())
            .map(|key| Key {
                time: key.time.cast_signed(),
                value: key.value,
                tangents: tangents.then_some([key.arrive, key.leave]),
            })
            .collect();
        let global = track.global_sequence.map_or(-1, int);
        Track::new(tag, interpolation, &keys).ok().map(|track| track.on_global_sequence(global))
    }

    /// Visibility has a tag for each record in Warcraft III and one for all in WoW alpha.
    fn visibility(&self, tag: Tag, track: &creature::Track<f32>) -> Option<Track> {
        self.track(if self.is_wow() { tags::KVIS } else { tag }, track)
    }

    fn sequences(&self, extent: &Extent) -> Vec<Sequence> {
        let chance = |name: &str| {
            if name.ends_with("- 2") {
                0.2
            } else if name == "Stand" {
                0.8
            } else {
                1.0
            }
        };
        (self.beetle.sequences.iter())
            .map(|sequence| Sequence {
                name: FixedStr::truncated(sequence.name),
                interval: [sequence.start, sequence.end],
                move_speed: sequence.move_speed,
                flags: if sequence.looping { SequenceFlags::empty() } else { SequenceFlags::NON_LOOPING },
                rarity: if self.is_wow() { 0.0 } else { sequence.rarity },
                sync_point: 0,
                extent: extent.clone(),
                frequency: if self.is_wow() { chance(sequence.name) } else { 0.0 },
                replay: [u32::from(self.is_wow()); 2],
                blend_time: if self.is_wow() { 150 } else { 0 },
            })
            .collect()
    }

    fn node(&self, index: usize, role: Role) -> Node {
        let Some(node) = self.beetle.nodes.get(index) else { return Node::default() };
        let mut flags = flags::of(role, self.dialect);
        flags.set(NodeFlags::BILLBOARDED, node.billboard);
        let tracks: Tracks = [
            self.track(tags::KGTR, &node.translation),
            self.track(tags::KGRT, &node.rotation),
            self.track(tags::KGSC, &node.scaling),
        ]
        .into_iter()
        .flatten()
        .collect();
        Node {
            name: FixedStr::truncated(node.name),
            object_id: int(index),
            parent: node.parent.map_or(-1, int),
            flags,
            tracks,
        }
    }

    /// The geosets that a bone moves: one, or -1 for none or several.
    fn geoset_of(&self, bone: usize) -> i32 {
        let moves = |mesh: &Mesh| mesh.groups.iter().flatten().any(|&node| node == bone);
        let mut found =
            (self.beetle.meshes.iter()).enumerate().filter(|(_, mesh)| moves(mesh)).map(|(i, _)| i);
        match (found.next(), found.next()) {
            (Some(one), None) => int(one),
            _ => -1,
        }
    }

    fn add_nodes(&self, model: &mut Model) {
        let beetle = self.beetle;
        let first = beetle.lights.first().map(|it| it.node).or(beetle.attachments.first().map(|it| it.node));
        let bones = first.unwrap_or(beetle.nodes.len());
        for index in 0..bones {
            let geoset = self.geoset_of(index);
            model.bones.push(Bone { node: self.node(index, Role::Bone), geoset, geoset_animation: geoset });
        }
        for light in &beetle.lights {
            let tracks = [
                self.track(tags::KLAI, &light.intensity_track),
                self.visibility(tags::KLAV, &light.visibility),
            ];
            model.lights.push(Light {
                node: self.node(light.node, Role::Light),
                attenuation_start: light.attenuation[0],
                attenuation_end: light.attenuation[1],
                color: light.color,
                intensity: light.intensity,
                tracks: tracks.into_iter().flatten().collect(),
                ..Light::default()
            });
        }
        for attachment in &beetle.attachments {
            let node = self.node(attachment.node, Role::Attachment);
            model.attachments.push(Attachment { node, id: attachment.id, ..Attachment::default() });
        }
        self.add_emitters(model);
        for event in &beetle.events {
            let times = event.times.iter().map(|time| time.cast_signed()).collect();
            let track = Some(EventTrack { global_sequence: -1, times });
            model.event_objects.push(EventObject { node: self.node(event.node, Role::Event), track });
        }
        for collision in &beetle.collisions {
            let (node, shape) = match *collision {
                Collision::Sphere { node, radius } => (node, Shape::Sphere { center: [0.0; 3], radius }),
                Collision::Box { node, min, max } => (node, Shape::Box { min, max }),
            };
            let node = self.node(node, Role::Shape);
            if self.is_wow() {
                model.hit_test_shapes.push(HitTestShape { node, shape });
            } else {
                model.collision_shapes.push(CollisionShape { node, shape });
            }
        }
    }

    fn add_emitters(&self, model: &mut Model) {
        for smoke in &self.beetle.smoke {
            let mut tracks = [
                self.track(tags::KP2E, &smoke.emission_track),
                self.visibility(tags::KP2V, &smoke.visibility),
            ];
            if self.is_wow() {
                // Its client reads visibility first here.
                tracks.reverse();
            }
            let colors = smoke.colors.as_flattened();
            let mut segment_colors = [0.0; 9];
            segment_colors.iter_mut().zip(colors).for_each(|(to, from)| *to = *from);
            let mut node = self.node(smoke.node, Role::Emitter);
            node.flags |= NodeFlags::EMITTER_USES_TGA_OR_SORT_FAR_Z;
            model.particle_emitters_2.push(ParticleEmitter2 {
                node,
                content_size: if self.is_wow() { pre2_content_size(0) } else { 0 },
                emitter_type: u32::from(self.is_wow()),
                speed: smoke.speed,
                variation: smoke.variation,
                latitude: if self.is_wow() { smoke.latitude.to_radians() } else { smoke.latitude },
                gravity: smoke.gravity,
                life_span: smoke.life_span,
                emission_rate: smoke.emission_rate,
                length: smoke.size[0],
                width: smoke.size[1],
                time_middle: 0.4,
                segment_colors,
                segment_alphas: smoke.alphas,
                segment_scales: smoke.scales,
                head_life: [0, 0, 1],
                head_decay: [0, 0, 1],
                tail_life: [0, 0, 1],
                tail_decay: [0, 0, 1],
                texture: int(smoke.texture),
                tracks: tracks.into_iter().flatten().collect(),
                ..ParticleEmitter2::default()
            });
        }
        for ribbon in &self.beetle.ribbons {
            model.ribbon_emitters.push(RibbonEmitter {
                node: self.node(ribbon.node, Role::Ribbon),
                height_above: ribbon.heights[0],
                height_below: ribbon.heights[1],
                alpha: ribbon.alpha,
                color: ribbon.color,
                life_span: ribbon.life_span,
                emission_rate: ribbon.emission_rate,
                material: word(ribbon.material),
                tracks: self.visibility(tags::KRVS, &ribbon.visibility).into_iter().collect(),
                ..RibbonEmitter::default()
            });
        }
    }

    fn add_cameras(&self, model: &mut Model) {
        for camera in &self.beetle.cameras {
            model.cameras.push(Camera {
                variant: if self.caps.contains(Caps::CAMERA_VARIANT_3) { 3 } else { 0 },
                name: FixedStr::truncated(camera.name),
                position: camera.position,
                field_of_view: camera.field_of_view,
                far_clip: camera.clip[1],
                near_clip: camera.clip[0],
                target: camera.target,
                tracks: self.track(tags::KCTR, &camera.translation).into_iter().collect(),
                ..Camera::default()
            });
        }
    }
}

/// How far the model extends beyond its rest pose: the lunge of the attack, the swing of the lantern.
const REACH: f32 = 48.0;

/// Bounds of these points in any sequence.
fn extent<'a>(points: impl Iterator<Item = &'a [f32; 3]>) -> Extent {
    let mut extent = Extent { radius: 0.0, min: [f32::MAX; 3], max: [f32::MIN; 3] };
    for point in points {
        for (x, (min, max)) in point.iter().zip(extent.min.iter_mut().zip(&mut extent.max)) {
            *min = min.min(*x - REACH);
            *max = max.max(*x + REACH);
        }
        extent.radius = extent.radius.max(REACH + point.iter().map(|x| x * x).sum::<f32>().sqrt());
    }
    extent
}
