//! The creature as an M2 model.

use super::parts::{Part, add_bounds, add_views, lookup};
use super::word;
use crate::creature::{self, Blend, Creature, Interpolation, Mesh};
use effigy_m2::{
    Attachment, Batch, Block, Bone, BoneFlags, Camera, Caps, Color, Event, Light, Material, MaterialFlags,
    Model, Particle, ParticleFlags, Playable, Ribbon, Sequence, SequenceFlags, Texture, TextureFlags,
    TextureTransform, TextureWeight, Track, Version, Vertex, names, rotation,
};
use effigy_wire::Tag;

/// The creature's units are those of Warcraft III, taken as inches; M2 uses yards, and the beetle is a large one.
const SCALE: f32 = 1.0 / 72.0;

/// Animation and variation of each of the creature's sequences, by name.
fn animation(name: &str) -> (u16, u16) {
    match name {
        "Stand - 2" => (0, 1),
        "Walk" => (4, 0),
        "Attack" => (16, 0),
        "Death" => (1, 0),
        "Portrait" => (60, 0),
        _ => (0, 0),
    }
}

/// The creature in this version.
#[must_use]
pub fn creature(version: Version) -> Model {
    model_of(&creature::creature(), version)
}

/// The hat in this version.
#[must_use]
pub fn hat(version: Version) -> Model {
    model_of(&creature::hat(), version)
}

fn model_of(beetle: &Creature, version: Version) -> Model {
    let mut model = Model::new(version);
    model.name = Block::text_of(beetle.name);
    model.global_sequences = beetle.global_sequences.clone().into();
    add_sequences(&mut model, beetle);
    add_bones(&mut model, beetle);
    add_looks(&mut model, beetle);
    add_meshes(&mut model, beetle);
    add_rest(&mut model, beetle);
    add_bounds(&mut model);
    model
}

fn scaled(point: [f32; 3]) -> [f32; 3] {
    point.map(|part| part * SCALE)
}

fn add_sequences(model: &mut Model, beetle: &Creature) {
    let nested = model.caps().contains(Caps::NESTED);
    // The second stand of the creature comes right after the first; the hat has one only.
    let has_variation = beetle.sequences.iter().any(|it| animation(it.name) == (0, 1));
    for (index, source) in beetle.sequences.iter().enumerate() {
        let (id, variation) = animation(source.name);
        let mut sequence = Sequence {
            id,
            variation,
            move_speed: source.move_speed * SCALE,
            flags: if source.looping { SequenceFlags::empty() } else { SequenceFlags::ONCE },
            frequency: match (id, variation) {
                (0, 0) => 26214,
                (0, _) => 6553,
                _ => 32767,
            },
            blend_time: 150,
            next_variation: if (id, variation) == (0, 0) && has_variation { 1 } else { -1 },
            alias: word(index),
            ..Sequence::default()
        };
        if nested {
            sequence.duration = source.end - source.start;
            sequence.flags |= SequenceFlags::EMBEDDED;
        } else {
            (sequence.start, sequence.end) = (source.start, source.end);
        }
        model.sequences.push(sequence);
    }
    let ids: Vec<u16> = model.sequences.iter().map(|sequence| sequence.id).collect();
    if nested {
        model.sequence_lookup = hashed(model.sequences.iter().map(|it| (it.id, it.variation))).into();
    } else {
        model.sequence_lookup = lookup(ids.iter().map(|&id| id.into())).into();
        let own = |id: u16| if ids.contains(&id) { id } else { 0 };
        model.playable_lookup = (0..203).map(|id| Playable { animation: own(id), mode: 0 }).collect();
    }
}

/// A hash table of eleven rows: the first sequence of each id is in the row of its remainder, or in the next free one.
fn hashed(ids: impl Iterator<Item = (u16, u16)>) -> Vec<i16> {
    let mut rows = vec![-1; 11];
    for (index, (id, _)) in (0_i16..).zip(ids).filter(|(_, (_, variation))| *variation == 0) {
        let start = usize::from(id % 11);
        let free = (start..start + 11).map(|row| row % 11).find(|row| rows.get(*row) == Some(&-1));
        if let Some(row) = free.and_then(|row| rows.get_mut(row)) {
            *row = index;
        }
    }
    rows
}

/// A track of the creature in the form of the model's version.
fn track<T: Copy, U: effigy_m2::Key>(
    model: &Model,
    beetle: &Creature,
    source: &creature::Track<T>,
    with: impl Fn(T) -> U,
) -> Track<U> {
    let interpolation = i16::from(source.interpolation != Interpolation::Step);
    if source.keys.is_empty() {
        return Track::default();
    }
    if let Some(global) = source.global_sequence {
        let keys: Vec<(u32, U)> = source.keys.iter().map(|key| (key.time, with(key.value))).collect();
        return model.make_loop(interpolation, i16::try_from(global).unwrap_or(-1), &keys);
    }
    let list = |sequence: &creature::Sequence| -> Vec<(u32, U)> {
        let inside = |key: &&creature::Key<T>| (sequence.start..=sequence.end).contains(&key.time);
        let shifted = |key: &creature::Key<T>| (key.time - sequence.start, with(key.value));
        let keys: Vec<(u32, U)> = source.keys.iter().filter(inside).map(shifted).collect();
        let before = source.keys.iter().rfind(|key| key.time < sequence.start).or(source.keys.first());
        if keys.is_empty() { before.map(|key| (0, with(key.value))).into_iter().collect() } else { keys }
    };
    let lists: Vec<Vec<(u32, U)>> = beetle.sequences.iter().map(list).collect();
    let lists: Vec<&[(u32, U)]> = lists.iter().map(Vec::as_slice).collect();
    model.make_track(interpolation, &lists)
}

fn add_bones(model: &mut Model, beetle: &Creature) {
    for (index, node) in beetle.nodes.iter().enumerate() {
        let animated = !(node.translation.is_empty() && node.rotation.is_empty() && node.scaling.is_empty());
        let mut bone = Bone {
            key_bone: if index == 0 { 26 } else { -1 },
            parent: node.parent.and_then(|parent| i16::try_from(parent).ok()).unwrap_or(-1),
            pivot: scaled(node.pivot),
            ..Bone::default()
        };
        bone.flags.set(BoneFlags::TRANSFORMED, animated);
        bone.flags.set(BoneFlags::BILLBOARD, node.billboard);
        if model.caps().contains(Caps::BONE_CRC) {
            bone.name_crc = names::bone_crc(node.name.as_bytes());
        }
        // Bones have no curves here.
        bone.translation = track(model, beetle, &beetle.straight(&node.translation), scaled);
        if model.caps().contains(Caps::FLOAT_ROTATION) {
            bone.rotation = track(model, beetle, &node.rotation, |value| value);
        } else {
            bone.packed_rotation = track(model, beetle, &node.rotation, rotation::pack);
        }
        bone.scale = track(model, beetle, &node.scaling, |value| value);
        model.bones.push(bone);
    }
    model.key_bones = (0..27).map(|id| if id == 26 { 0 } else { -1 }).collect();
}

fn add_looks(model: &mut Model, beetle: &Creature) {
    let mut replaceable = vec![-1; 12];
    for (index, source) in beetle.textures.iter().enumerate() {
        let (kind, name) = match source {
            // The game would choose the file by its tables. The name is where other programs find it without them.
            creature::Texture::TeamColor => (11, format!("{}.tga", beetle.team_stand_in.name)),
            creature::Texture::Picture(picture) => (0, format!("{}.tga", picture.name)),
        };
        let flags = TextureFlags::WRAP_X | TextureFlags::WRAP_Y;
        model.textures.push(Texture { kind, flags, flags_high: 0, name: Block::text_of(&name) });
        if let Some(place) = replaceable.get_mut(kind as usize).filter(|place| **place < 0) {
            *place = i16::try_from(index).unwrap_or(-1);
        }
    }
    model.replaceable_lookup = replaceable.into();
    model.texture_combos = (0..model.textures.len()).map(word).collect();
    model.coord_combos = vec![0].into();
    model.weights = vec![TextureWeight { weight: Track::constant(i16::MAX, model.caps()) }].into();
    model.weight_combos = vec![0].into();
    model.transform_combos = vec![-1].into();
    for (index, source) in beetle.texture_animations.iter().enumerate() {
        let translation = track(model, beetle, source, |value| value);
        model.transforms.push(TextureTransform { translation, ..TextureTransform::default() });
        model.transform_combos.push(i16::try_from(index).unwrap_or(-1));
    }
}

/// Opacity in the unit of the format.
#[allow(clippy::cast_possible_truncation, reason = "float to integer casts saturate")]
fn opacity(value: f32) -> i16 {
    (value * 32767.0).round() as i16
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float to integer casts saturate")]
fn byte(value: f32) -> u8 {
    (value * 255.0).round() as u8
}

fn add_meshes(model: &mut Model, beetle: &Creature) {
    let mut parts = Vec::new();
    let mut batches = Vec::new();
    for (index, mesh) in beetle.meshes.iter().enumerate() {
        let rgb = track(model, beetle, &mesh.color, |value| value);
        let alpha = track(model, beetle, &mesh.alpha, opacity);
        let colored = !(rgb.is_empty() && alpha.is_empty());
        let color = if colored { i16::try_from(model.colors.len()).unwrap_or(-1) } else { -1 };
        if colored {
            // The client draws a colour without keys black.
            let rgb = if rgb.is_empty() { Track::constant([1.0; 3], model.caps()) } else { rgb };
            model.colors.push(Color { rgb, alpha });
        }
        let Some(material) = beetle.materials.get(mesh.material) else { continue };
        for (layer, source) in material.layers.iter().enumerate() {
            let mut flags = MaterialFlags::empty();
            flags.set(MaterialFlags::UNLIT, source.unshaded);
            flags.set(MaterialFlags::TWO_SIDED, material.two_sided);
            flags.set(MaterialFlags::NO_DEPTH_WRITE, source.blend != Blend::Opaque);
            let blend = match source.blend {
                Blend::Opaque => 0,
                Blend::Alpha => 2,
                Blend::Add => 4,
            };
            batches.push(Batch {
                submesh: word(index),
                geoset: word(index),
                color,
                material: word(model.materials.len()),
                layer: word(layer),
                texture_combo: word(source.texture),
                transform_combo: source.animation.map_or(0, |animation| word(animation + 1)),
                ..Batch::default()
            });
            model.materials.push(Material { flags, blend });
        }
        parts.push(part(mesh));
    }
    add_views(model, &parts, batches);
}

fn part(mesh: &Mesh) -> Part {
    let mut vertices = Vec::new();
    let rows = mesh.positions.iter().zip(&mesh.normals).zip(&mesh.uvs).zip(&mesh.vertex_groups);
    for (((&position, &normal), &uv), &group) in rows {
        let nodes = mesh.groups.get(usize::from(group)).map(Vec::as_slice).unwrap_or_default();
        let count = nodes.len().clamp(1, 4);
        let mut vertex = Vertex { position: scaled(position), normal, uv, ..Vertex::default() };
        for ((bone, weight), &node) in vertex.bones.iter_mut().zip(&mut vertex.weights).zip(nodes) {
            *bone = u8::try_from(node).unwrap_or(0);
            *weight = u8::try_from(255 / count).unwrap_or(255);
        }
        let rest = 255 - vertex.weights.iter().fold(0, |sum: u8, weight| sum.saturating_add(*weight));
        let [first, ..] = &mut vertex.weights;
        *first = first.saturating_add(rest);
        vertices.push(vertex);
    }
    Part { id: 0, vertices, triangles: mesh.triangles.clone() }
}

fn add_rest(model: &mut Model, beetle: &Creature) {
    let caps = model.caps();
    let constant = |value: f32| Track::constant(value, caps);
    let pivot = |node: usize| beetle.nodes.get(node).map_or([0.0; 3], |node| scaled(node.pivot));
    for source in &beetle.attachments {
        let id = if source.id == 0 { 11 } else { 18 + source.id };
        let position = pivot(source.node);
        let animated = Track::constant(1, caps);
        model.attachments.push(Attachment {
            id,
            bone: word(source.node),
            position,
            animated,
            ..Attachment::default()
        });
    }
    model.attachment_lookup = lookup(model.attachments.iter().map(|found| found.id as usize)).into();
    for source in &beetle.events {
        let list = |sequence: &creature::Sequence| -> Vec<u32> {
            let times = source.times.iter().filter(|time| (sequence.start..=sequence.end).contains(time));
            times.map(|time| time - sequence.start).collect()
        };
        let lists: Vec<Vec<u32>> = beetle.sequences.iter().map(list).collect();
        let lists: Vec<&[u32]> = lists.iter().map(Vec::as_slice).collect();
        let bone = u32::from(word(source.node));
        let moments = model.make_moments(&lists);
        model.events.push(Event {
            id: Tag(*b"$FSD"),
            bone,
            position: pivot(source.node),
            moments,
            ..Event::default()
        });
    }
    for source in &beetle.lights {
        let [start, end] = source.attenuation;
        let moving = track(model, beetle, &source.intensity_track, |value| value);
        let light = Light {
            kind: 1,
            bone: i16::try_from(source.node).unwrap_or(-1),
            position: pivot(source.node),
            diffuse_color: Track::constant(source.color, caps),
            diffuse_intensity: if moving.is_empty() { constant(source.intensity) } else { moving },
            attenuation_start: constant(start * SCALE),
            attenuation_end: constant(end * SCALE),
            visible: track(model, beetle, &source.visibility, |value| u8::from(value > 0.0)),
            ..Light::default()
        };
        model.lights.push(light);
    }
    for source in &beetle.cameras {
        let [near_clip, far_clip] = source.clip.map(|part| part * SCALE);
        model.cameras.push(Camera {
            kind: 0,
            fov: source.field_of_view,
            far_clip,
            near_clip,
            position: scaled(source.position),
            target: scaled(source.target),
            ..Camera::default()
        });
    }
    model.camera_lookup = (0..model.cameras.len()).map(|index| i16::try_from(index).unwrap_or(-1)).collect();
    for source in &beetle.ribbons {
        let [above, below] = source.heights;
        let ribbon = Ribbon {
            bone: u32::from(word(source.node)),
            position: pivot(source.node),
            textures: vec![0].into(),
            materials: vec![word(source.material)].into(),
            color: Track::constant(source.color, caps),
            alpha: Track::constant(opacity(source.alpha), caps),
            height_above: constant(above * SCALE),
            height_below: constant(below * SCALE),
            edges_per_second: f32::from(u16::try_from(source.emission_rate).unwrap_or(u16::MAX)),
            edge_lifetime: source.life_span,
            visible: track(model, beetle, &source.visibility, |value| u8::from(value > 0.0)),
            ..Ribbon::default()
        };
        model.ribbons.push(ribbon);
    }
    for source in &beetle.smoke {
        let particle = smoke(model, beetle, source, pivot(source.node));
        model.particles.push(particle);
    }
}

fn smoke(model: &Model, beetle: &Creature, source: &creature::Smoke, position: [f32; 3]) -> Particle {
    let caps = model.caps();
    let constant = |value: f32| Track::constant(value, caps);
    let moving = track(model, beetle, &source.emission_track, |value| value);
    let [length, width] = source.size.map(|part| part * SCALE);
    let mut particle = Particle {
        flags: ParticleFlags::UNLIT,
        position,
        bone: word(source.node),
        texture: word(source.texture),
        blend: 2,
        speed: constant(source.speed * SCALE),
        speed_variation: constant(source.variation),
        vertical_range: constant(source.latitude.to_radians()),
        horizontal_range: constant(std::f32::consts::PI),
        gravity: constant(source.gravity * SCALE),
        lifespan: constant(source.life_span),
        rate: if moving.is_empty() { constant(source.emission_rate) } else { moving },
        length: constant(length),
        width: constant(width),
        z_source: constant(0.0),
        enabled: track(model, beetle, &source.visibility, |value| u8::from(value > 0.0)),
        ..Particle::default()
    };
    if caps.contains(Caps::FIXED_LIFE) {
        particle.middle = 0.5;
        let colors = source.colors.iter().zip(source.alphas);
        let bytes = colors.flat_map(|(&[r, g, b], alpha)| [byte(b), byte(g), byte(r), alpha]);
        for (place, value) in particle.colors.iter_mut().zip(bytes) {
            *place = value;
        }
        particle.scales = source.scales.map(|part| part * SCALE);
    } else {
        particle.flags |= ParticleFlags::HEAD;
        let times = || Block::from(vec![0, 16384, 32767]);
        particle.color_life.times = times();
        particle.color_life.values =
            source.colors.iter().map(|color| color.map(|part| part * 255.0)).collect();
        particle.alpha_life.times = times();
        particle.alpha_life.values = source.alphas.iter().map(|&alpha| u16::from(alpha) * 128).collect();
        particle.scale_life.times = times();
        particle.scale_life.values = source.scales.iter().map(|&part| [part * SCALE; 2]).collect();
    }
    particle
}
