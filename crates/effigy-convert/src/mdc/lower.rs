//! From MDC and MD3 to the scene: surfaces with morph frames, and tags as animated nodes.
//!
//! Frames follow one another on the timeline. Equal frames of a surface are stored once. A tag is a node with its pivot at
//! the origin that is moved by its translation and rotation; the rows forward, left and up of a tag are the directions of
//! its X, Y and Z axes. Triangles are clockwise in these games, so their winding is flipped.

use crate::Lowered;
use effigy_mdc::decode::Track as Frames;
use effigy_mdc::sequences::Sequence as Named;
use effigy_mdc::{Format, Model, Surface};
use effigy_scene::coordinates::flip_winding;
use effigy_scene::{
    Animated, Blend, Bounds, Extras, Frame, Id, Interpolation, KeyRule, Layer, LayerTexture, Material, Mesh,
    Morph, Node, NodeKind, NodeRule, Rotation, Scene, Sequence, Texture, Track,
};
use effigy_wire::{Report, Result};
use std::collections::HashMap;

/// When frames are shown, which the model file itself does not say.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameTiming {
    /// Named ranges of frames, from `weapon.cfg` or `animation.cfg`. When it is empty, all frames are one sequence.
    pub sequences: Vec<Named>,
    /// Frames per second of that one sequence.
    pub fps: f32,
}

impl Default for FrameTiming {
    fn default() -> Self {
        Self { sequences: Vec::new(), fps: 20.0 }
    }
}

/// Milliseconds between two sequences on the timeline.
const GAP: i32 = 1000;

/// The frame that is shown at each time.
struct Timeline {
    times: Vec<i32>,
    frames: Vec<usize>,
}

/// The scene of a model.
///
/// # Errors
/// When frames cannot be decoded.
pub fn lower(model: &Model, timing: &FrameTiming) -> Result<Lowered> {
    let mut report = Report::default();
    let mut scene = Scene {
        name: short_name(&model.name()),
        key_rule: KeyRule::Hold,
        node_rule: NodeRule::Wolfenstein,
        ..Scene::default()
    };
    let format = if model.format == Format::Mdc { "mdc" } else { "md3" };
    scene.extras.set("format", format).set("version", model.version()).set("name", model.name().as_ref());
    if let Some(first) = model.frames.first() {
        scene.bounds = Bounds { min: first.min, max: first.max, radius: first.radius };
    }
    let timeline = sequences(&mut scene, model.frames.len(), timing);
    tags(model, &mut scene, &timeline);
    let tracks = model.decode()?;
    for (surface, track) in model.surfaces.iter().zip(&tracks) {
        let mesh = mesh(surface, track, &timeline, &mut scene);
        scene.meshes.push(mesh);
    }
    effigy_scene::repair(&mut scene, &mut report);
    Ok(Lowered { scene, report })
}

/// The file name of a path without its extension.
fn short_name(name: &str) -> String {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    file.rsplit_once('.').map_or(file, |(stem, _)| stem).to_owned()
}

/// The time of a frame in milliseconds from the start of its sequence.
#[allow(clippy::cast_possible_truncation, reason = "a rounded time; the cast saturates")]
fn offset(frame: usize, fps: f32) -> i32 {
    let fps = if fps > 0.0 { f64::from(fps) } else { 1.0 };
    (frame as f64 * 1000.0 / fps).round() as i32
}

fn sequences(scene: &mut Scene, frames: usize, timing: &FrameTiming) -> Timeline {
    let all = Named { name: "all frames".into(), fps: timing.fps, loop_frames: 1, ..Named::default() };
    let all = Named { count: u32::try_from(frames).unwrap_or(u32::MAX), ..all };
    let list = if timing.sequences.is_empty() { std::slice::from_ref(&all) } else { &timing.sequences };
    let mut timeline = Timeline { times: Vec::new(), frames: Vec::new() };
    if frames < 2 {
        return timeline;
    }
    let mut start = 0_i32;
    for named in list {
        let first = (named.first as usize).min(frames - 1);
        let count = (named.count.max(1) as usize).min(frames - first);
        for frame in 0..count {
            timeline.times.push(start.saturating_add(offset(frame, named.fps)));
            timeline.frames.push(first + frame);
        }
        let end = start.saturating_add(offset(count - 1, named.fps));
        let mut extras = Extras::default();
        extras.set("fps", named.fps).set("loopFrames", named.loop_frames);
        extras.set("firstFrame", named.first).set("frames", named.count);
        scene.sequences.push(Sequence {
            name: named.name.clone(),
            start,
            end,
            looping: named.loop_frames > 0,
            move_speed: named.move_speed,
            extras,
            ..Sequence::default()
        });
        start = end.saturating_add(GAP);
    }
    timeline
}

fn tags(model: &Model, scene: &mut Scene, timeline: &Timeline) {
    for tag in 0..model.tag_count() {
        let name = model.tag_name(tag).map(|name| name.into_owned()).unwrap_or_default();
        let mut node = Node::new(name, NodeKind::Tag, None, [0.0; 3]);
        let poses: Vec<_> = (0..model.frames.len()).filter_map(|frame| model.tag_pose(tag, frame)).collect();
        let rotation = |axes: [[f32; 3]; 3]| {
            let [x, y, z] = axes.map(|axis| glam::Vec3::from(axis).normalize_or_zero());
            let turn = glam::Quat::from_mat3(&glam::Mat3::from_cols(x, y, z));
            Rotation(if turn.is_finite() { turn.normalize() } else { glam::Quat::IDENTITY }.to_array())
        };
        let Some(first) = poses.first() else { continue };
        node.translation = Animated::fixed(first.origin);
        node.rotation = Animated::fixed(rotation(first.axes));
        if poses.len() > 1 {
            let shown = || timeline.frames.iter().map(|frame| poses.get(*frame).unwrap_or(first));
            let origins = shown().map(|pose| pose.origin).collect();
            let turns = shown().map(|pose| rotation(pose.axes)).collect();
            node.translation.track = Some(Track::linear(timeline.times.clone(), origins, first.origin));
            node.rotation.track = Some(Track::linear(timeline.times.clone(), turns, rotation(first.axes)));
        }
        scene.nodes.push(node);
    }
}

fn mesh(surface: &Surface, frames: &Frames, timeline: &Timeline, scene: &mut Scene) -> Mesh {
    let mut mesh = Mesh::new(surface.name.text().into_owned());
    mesh.positions = frames.positions(0).to_vec();
    mesh.normals = frames.normals(0).to_vec();
    mesh.uvs = vec![surface.texcoords.clone()];
    mesh.indices = surface.triangles.as_flattened().to_vec();
    flip_winding(&mut mesh.indices);
    mesh.material = Some(material(surface, scene));
    if !timeline.frames.is_empty() {
        // Identical frames are stored once.
        let mut known: HashMap<Vec<u32>, u32> = HashMap::new();
        let mut morph = Morph::default();
        morph.order.interpolation = Interpolation::Linear;
        for (index, time) in timeline.frames.iter().copied().zip(&timeline.times) {
            let (positions, normals) = (frames.positions(index), frames.normals(index));
            let key = positions.iter().chain(normals).flatten().map(|x| x.to_bits()).collect();
            let number = *known.entry(key).or_insert_with(|| {
                morph.frames.push(Frame { positions: positions.to_vec(), normals: normals.to_vec() });
                u32::try_from(morph.frames.len() - 1).unwrap_or(u32::MAX)
            });
            morph.order.times.push(*time);
            morph.order.values.push(number);
        }
        if morph.frames.len() > 1 {
            mesh.morph = Some(morph);
        }
    }
    mesh
}

fn material(surface: &Surface, scene: &mut Scene) -> Id<Material> {
    let path = surface.shaders.first().map(|shader| shader.name.text().into_owned()).unwrap_or_default();
    if let Some((id, _)) = scene.materials.iter().find(|(_, material)| material.name == path) {
        return id;
    }
    let texture = (!path.is_empty()).then(|| {
        scene.textures.push(Texture { path: path.clone(), replaceable: None, repeat: [true, true] })
    });
    let layer = Layer {
        blend: Blend::Opaque,
        textures: vec![LayerTexture { texture, ..LayerTexture::default() }],
        ..Layer::default()
    };
    let mut material = Material { name: path, layers: vec![layer], ..Material::default() };
    if surface.shaders.len() > 1 {
        let names: Vec<effigy_scene::Extra> =
            surface.shaders.iter().map(|shader| shader.name.text().as_ref().into()).collect();
        material.extras.set("shaders", names);
    }
    scene.materials.push(material)
}
