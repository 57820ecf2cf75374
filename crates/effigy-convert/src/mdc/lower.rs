//! From MDC and MD3 to the scene: surfaces that go through frames, tags that move.
//!
//! Frames stand one after another on the timeline. Equal frames of a surface are stored once. Tags are nodes at the
//! origin whose translation and rotation carry them; their axes are rows forward, left, up, which are the images of
//! X, Y and Z. Triangles are clockwise in these games and turn on the way.

use crate::Lowered;
use effigy_mdc::decode::Track as Frames;
use effigy_mdc::sequences::Sequence as Named;
use effigy_mdc::{Format, Model, Surface};
use effigy_scene::coordinates::flip_winding;
use effigy_scene::{
    Animated, Blend, Bounds, Extras, Frame, Id, Interpolation, KeyRule, Layer, LayerTexture, Material, Mesh, Morph,
    Node, NodeKind, Rotation, Scene, Sequence, Texture, Track,
};
use effigy_wire::{Report, Result};
use std::collections::HashMap;

/// What the file itself does not say.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Named stretches of frames, from `weapon.cfg` or `animation.cfg`. None: all frames are one sequence.
    pub sequences: Vec<Named>,
    /// Frames a second of that one sequence.
    pub fps: f32,
}

impl Default for Options {
    fn default() -> Self {
        Self { sequences: Vec::new(), fps: 20.0 }
    }
}

/// Milliseconds that a frame stands on the timeline.
const FRAME: i32 = 50;

/// The scene of a model.
///
/// # Errors
/// When frames cannot be decoded.
pub fn lower(model: &Model, options: &Options) -> Result<Lowered> {
    let mut report = Report::default();
    let mut scene = Scene { name: short_name(&model.name()), key_rule: KeyRule::Hold, ..Scene::default() };
    let format = if model.format == Format::Mdc { "mdc" } else { "md3" };
    scene.extras.set("format", format).set("version", model.version()).set("name", model.name().as_ref());
    let frames = i32::try_from(model.frames.len()).unwrap_or(i32::MAX);
    if let Some(first) = model.frames.first() {
        scene.bounds = Bounds { min: first.min, max: first.max, radius: first.radius };
    }
    sequences(&mut scene, frames, options);
    tags(model, &mut scene, frames);
    let tracks = model.decode()?;
    for (surface, track) in model.surfaces.iter().zip(&tracks) {
        let mesh = mesh(surface, track, model.frames.len(), &mut scene);
        scene.meshes.push(mesh);
    }
    effigy_scene::repair(&mut scene, &mut report);
    Ok(Lowered { scene, report })
}

/// The last part of the path without its ending.
fn short_name(name: &str) -> String {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    file.rsplit_once('.').map_or(file, |(stem, _)| stem).to_owned()
}

/// The time of a frame.
fn time(frame: i32) -> i32 {
    frame.saturating_mul(FRAME)
}

fn sequences(scene: &mut Scene, frames: i32, options: &Options) {
    let last = frames.saturating_sub(1).max(0);
    if options.sequences.is_empty() {
        if frames > 1 {
            let mut extras = Extras::default();
            extras.set("fps", options.fps);
            scene.sequences.push(Sequence {
                name: "all frames".into(),
                start: 0,
                end: time(last),
                looping: true,
                extras,
                ..Sequence::default()
            });
        }
        return;
    }
    for named in &options.sequences {
        let first = i32::try_from(named.first).unwrap_or(i32::MAX).min(last);
        let count = i32::try_from(named.count.max(1)).unwrap_or(i32::MAX);
        let mut extras = Extras::default();
        extras.set("fps", named.fps).set("loopFrames", named.loop_frames);
        scene.sequences.push(Sequence {
            name: named.name.clone(),
            start: time(first),
            end: time(first.saturating_add(count - 1).min(last)),
            looping: named.loop_frames > 0,
            move_speed: named.move_speed,
            extras,
            ..Sequence::default()
        });
    }
}

fn tags(model: &Model, scene: &mut Scene, frames: i32) {
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
            let times: Vec<i32> = (0..frames).map(time).collect();
            let origins = poses.iter().map(|pose| pose.origin).collect();
            let turns = poses.iter().map(|pose| rotation(pose.axes)).collect();
            node.translation.track = Some(Track::linear(times.clone(), origins, first.origin));
            node.rotation.track = Some(Track::linear(times, turns, rotation(first.axes)));
        }
        scene.nodes.push(node);
    }
}

fn mesh(surface: &Surface, frames: &Frames, count: usize, scene: &mut Scene) -> Mesh {
    let mut mesh = Mesh::new(surface.name.text().into_owned());
    mesh.positions = frames.positions(0).to_vec();
    mesh.normals = frames.normals(0).to_vec();
    mesh.uvs = vec![surface.texcoords.clone()];
    mesh.indices = surface.triangles.as_flattened().to_vec();
    flip_winding(&mut mesh.indices);
    mesh.material = Some(material(surface, scene));
    if count > 1 {
        // Frames with the same bytes are one.
        let mut known: HashMap<Vec<u32>, u32> = HashMap::new();
        let mut morph = Morph::default();
        morph.order.interpolation = Interpolation::Linear;
        for index in 0..count {
            let (positions, normals) = (frames.positions(index), frames.normals(index));
            let key = positions.iter().chain(normals).flatten().map(|x| x.to_bits()).collect();
            let number = *known.entry(key).or_insert_with(|| {
                morph.frames.push(Frame { positions: positions.to_vec(), normals: normals.to_vec() });
                u32::try_from(morph.frames.len() - 1).unwrap_or(u32::MAX)
            });
            morph.order.times.push(time(i32::try_from(index).unwrap_or(i32::MAX)));
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
