//! From the scene to MD3: every vertex in every frame, as Quake III and its relatives animate.
//!
//! Frames are taken at a steady rate. Engines differ in how many vertices a surface may have, so that large meshes are cut.

use super::parts::{self, Limits};
use super::{AlphaChange, RaiseOptions, Raised, RaisedTexture, objects, scale};
use effigy_mdc::{Format, Frame, Model, Shader, Surface, Tag, Tags, Vertex, normals};
use effigy_scene::sample::{Moment, Pose, Sampler};
use effigy_scene::{
    Bounds, Extra, Id, Mesh, NodeKind, Role, Scene, Sequence, Texture, ValidScene, coordinates, validate,
};
use effigy_wire::{FixedStr, Report, Result};
use std::collections::BTreeSet;

/// Units of Quake's engines in a unit of Warcraft III, and in a yard of World of Warcraft.
const PER_WARCRAFT_UNIT: f32 = 0.7;
const PER_YARD: f32 = 32.0;
const PER_METRE: f32 = 39.0;
/// Steps of a stored position in a unit.
const STEPS: f32 = 64.0;
/// What every engine of the family can load.
const FRAMES: usize = 1024;
const TAGS: usize = 16;
const SURFACES: usize = 32;

/// The engine that loads an MD3 or MDC: it decides how large a surface may be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Engine {
    /// ioquake3 and what is made from it.
    #[default]
    Ioq3,
    /// Return to Castle Wolfenstein; the limits of its multiplayer game.
    Rtcw,
    /// Enemy Territory.
    Et,
}

impl Engine {
    /// All engines with their names.
    pub const ALL: &[(Self, &str)] = &[(Self::Ioq3, "ioq3"), (Self::Rtcw, "rtcw"), (Self::Et, "et")];

    const fn limits(self) -> Limits {
        let (vertices, triangles) = match self {
            Self::Ioq3 | Self::Rtcw => (999, 1999),
            Self::Et => (1024, 2049),
        };
        Limits { vertices, triangles, groups: usize::MAX }
    }
}

/// The frames of one sequence.
struct Run {
    name: String,
    sequence: Option<Id<Sequence>>,
    first: usize,
    count: usize,
    looping: bool,
}

/// A model with the text files that belong to it.
#[derive(Clone, Debug)]
pub struct Md3 {
    /// The model.
    pub model: Model,
    /// `animation.cfg`: first frame, count, looping frames and frames per second of each sequence.
    pub animations: String,
    /// The `.skin` file: the texture of each surface.
    pub skin: String,
}

/// Makes an MD3. [`effigy_mdc::to_mdc`] makes an MDC of it.
///
/// # Errors
/// When a scene has numbers that are too large for the other unit of length.
pub fn raise(source: &ValidScene, options: &RaiseOptions) -> Result<Raised<Md3>> {
    let mut report = Report::default();
    let named = objects::by_name(source, &options.names, objects::Game::Quake, &mut report)?;
    let source = &*named.scene;
    let mut scene: Scene = (**source).clone();
    let by = options.scale.filter(|by| by.is_finite() && *by > 0.0).unwrap_or_else(|| usual_scale(source));
    scale::scale(&mut scene, by);
    let scene = validate(scene)?;
    let (runs, fps) = plan(&scene, options, &mut report);
    let meshes: Vec<(Id<Mesh>, &Mesh)> = scene
        .meshes
        .iter()
        .filter(|(_, mesh)| mesh.shown && !mesh.indices.is_empty() && mesh.lod.is_none_or(|lod| lod == 0))
        .collect();
    let mut model = Model::new(Format::Md3);
    model.name = FixedStr::truncated(&format!("models/{}.md3", lower_name(&scene.name, "model")));
    let mut names = BTreeSet::new();
    let mut pieces = Vec::new();
    let mut textures = Vec::new();
    for (id, mesh) in &meshes {
        for part in parts::parts(mesh.positions.len(), &[], &mesh.indices, options.engine.limits()) {
            if model.surfaces.len() == SURFACES {
                report
                    .dropped("meshes", format!("engines load {SURFACES} surfaces; the others are left out"));
                break;
            }
            model.surfaces.push(surface(&scene, mesh, &part, &mut names));
            pieces.push((*id, part));
            if let Some((source, texture)) = base_texture(&scene, mesh)
                && !textures.iter().any(|it: &RaisedTexture| it.source == source)
                && !texture.path.is_empty()
            {
                let path = shader_path(&texture.path);
                textures.push(RaisedTexture { source, path, alpha: AlphaChange::Keep });
            }
        }
    }
    let tags = tags(&scene, &mut report);
    let sampler = Sampler::new(&scene);
    let mut pose = sampler.pose();
    let mut written = Vec::new();
    let mut clipped = 0_usize;
    let mut hidden = false;
    for run in &runs {
        for frame in 0..run.count {
            let time = frame as f64 * 1000.0 / f64::from(fps);
            sampler.sample(&Moment { sequence: run.sequence, time, clock: time }, None, &mut pose);
            sampler.skin(&mut pose);
            let mut bounds = Bounds::EMPTY;
            for ((id, part), surface) in pieces.iter().zip(&mut model.surfaces) {
                let Some(posed) = pose.mesh(*id) else { continue };
                let first = posed.positions.first().copied().unwrap_or_default();
                hidden |= !posed.visible;
                for vertex in &part.vertices {
                    let at = *vertex as usize;
                    // What is not visible in a frame is drawn together into one point.
                    let place =
                        if posed.visible { posed.positions.get(at).copied().unwrap_or(first) } else { first };
                    let normal = posed.normals.get(at).copied().unwrap_or([0.0, 0.0, 1.0]);
                    let position = place.map(|value| step(value, &mut clipped));
                    let stored = position.map(|value| f32::from(value) / STEPS);
                    bounds = bounds.union(&Bounds { min: stored, max: stored, radius: 0.0 });
                    surface.base.push(Vertex { position, normal: normals::pack(normal) });
                }
            }
            written.extend(tags.iter().map(|(name, node, position)| tag(name, *node, *position, &pose)));
            model.frames.push(frame_record(bounds, &format!("{}{frame}", run.name)));
        }
    }
    model.tags = Tags::Full(written);
    if clipped > 0 {
        let text = format!(
            "{clipped} coordinates are beyond the 512 units that the format can hold; --scale makes the model smaller"
        );
        report.approximated("vertices", text);
    }
    if hidden {
        report.approximated(
            "meshes",
            "meshes that are hidden in a frame are drawn together into one point there",
        );
    }
    report.approximated("vertices", "positions are rounded to 1/64 of a unit, normals to 1/256 of a circle");
    dropped(&scene, &mut report);
    let sequences = runs.iter().map(|run| (run.name.clone(), Some(run.name.clone()))).collect();
    let animations = config(&runs, fps);
    let skin = skin(&model, &tags);
    Ok(Raised { model: Md3 { model, animations, skin }, report, textures, sequences, objects: named.objects })
}

fn usual_scale(scene: &Scene) -> f32 {
    match scene.extras.get("format") {
        Some(Extra::Text(text)) => match text.as_str() {
            "mdx" => PER_WARCRAFT_UNIT,
            "m2" | "wow-alpha-mdx" => PER_YARD,
            "gltf" => PER_METRE,
            _ => 1.0,
        },
        _ => 1.0,
    }
}

/// Which frames there are. The rate is lowered where all sequences would need too many.
fn plan(scene: &Scene, options: &RaiseOptions, report: &mut Report) -> (Vec<Run>, f32) {
    let wanted = if options.fps.is_finite() && options.fps > 0.0 { options.fps } else { 15.0 };
    let count = |sequence: &Sequence, fps: f32| {
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a rounded count; the cast saturates"
        )]
        let steps = (f64::from(sequence.length()) * f64::from(fps) / 1000.0).round() as usize;
        // The last frame of a loop is its first.
        if sequence.looping { steps.max(1) } else { steps.saturating_add(1) }
    };
    let chosen: Vec<_> = scene
        .sequences
        .iter()
        .filter(|(_, it)| options.names.sequences.get(&it.name).is_none_or(|name| !name.is_empty()))
        .collect();
    let total = |fps: f32| chosen.iter().map(|(_, it)| count(it, fps)).fold(0_usize, usize::saturating_add);
    let mut fps = wanted;
    while total(fps) > FRAMES && fps > 1.0 {
        fps = (fps - 1.0).max(1.0);
    }
    if fps < wanted {
        let text = format!("{fps} frames a second instead of {wanted}, since engines load {FRAMES} frames");
        report.approximated("sequences", text);
    }
    let mut runs = Vec::new();
    let mut first = 0;
    for (id, sequence) in chosen {
        let count = count(sequence, fps);
        if first + count > FRAMES {
            report.dropped(
                "sequences",
                format!("{} and those after it: engines load {FRAMES} frames", sequence.name),
            );
            break;
        }
        let name = options.names.sequences.get(&sequence.name).unwrap_or(&sequence.name).clone();
        runs.push(Run { name, sequence: Some(id), first, count, looping: sequence.looping });
        first += count;
    }
    if runs.is_empty() {
        runs.push(Run { name: "frame".to_owned(), sequence: None, first: 0, count: 1, looping: false });
    }
    (runs, fps)
}

fn surface(scene: &Scene, mesh: &Mesh, part: &parts::Part, names: &mut BTreeSet<String>) -> Surface {
    let uvs = mesh.uvs.first().map_or(&[][..], Vec::as_slice);
    let mut indices: Vec<u32> = part.indices.iter().map(|index| u32::from(*index)).collect();
    coordinates::flip_winding(&mut indices);
    let shader =
        base_texture(scene, mesh).map_or_else(String::new, |(_, texture)| shader_path(&texture.path));
    Surface {
        ident: Format::Md3.surface_ident(),
        name: FixedStr::truncated(&surface_name(&mesh.name, names)),
        triangles: indices.as_chunks::<3>().0.to_vec(),
        shaders: vec![Shader { name: FixedStr::truncated(&shader), index: 0 }],
        texcoords: part
            .vertices
            .iter()
            .map(|it| uvs.get(*it as usize).copied().unwrap_or_default())
            .collect(),
        ..Surface::default()
    }
}

/// The colour of a mesh: the texture of its first layer that has a file. Below the skin of a unit of Warcraft III is a layer of team
/// colour, which has none.
fn base_texture<'s>(scene: &'s Scene, mesh: &Mesh) -> Option<(Id<Texture>, &'s Texture)> {
    let material = mesh.material.and_then(|id| scene.materials.get(id))?;
    let all = || {
        let ids = material.layers.iter().filter_map(|layer| layer.texture(Role::Base)?.texture);
        ids.filter_map(|id| Some((id, scene.textures.get(id)?)))
    };
    all().find(|(_, texture)| !texture.path.is_empty()).or_else(|| all().next())
}

/// A path as the engines write it: slashes, lower case, `.tga`.
fn shader_path(path: &str) -> String {
    // Without a drive and without steps up: the path is below the game's folder.
    let parts =
        path.split(['/', '\\']).filter(|part| !part.is_empty() && *part != ".." && !part.contains(':'));
    let path = parts.collect::<Vec<_>>().join("/").to_ascii_lowercase();
    let stem = path.rsplit_once('.').map_or(path.as_str(), |(stem, _)| stem);
    if stem.is_empty() { String::new() } else { format!("{stem}.tga") }
}

fn lower_name(name: &str, usual: &str) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
    let name: String = name.chars().map(safe).take(48).collect();
    if name.is_empty() { usual.to_owned() } else { name }
}

/// A name that engines keep: lower case, and no `_` before the last letter, where ioquake3 cuts.
fn surface_name(name: &str, taken: &mut BTreeSet<String>) -> String {
    let mut name = lower_name(name, "surface");
    if name.len() >= 2 && name.get(name.len() - 2..name.len() - 1) == Some("_") {
        name.push('0');
        name.push('0');
    }
    let mut number = 1_u32;
    let mut unique = name.clone();
    while !taken.insert(unique.clone()) {
        number += 1;
        unique = format!("{name}part{number:02}");
    }
    unique
}

/// Names, nodes and positions of tags.
type TagList = Vec<(String, Id<effigy_scene::Node>, [f32; 3])>;

fn tags(scene: &Scene, report: &mut Report) -> TagList {
    let mut found: TagList = Vec::new();
    let mut taken = BTreeSet::new();
    let mut add = |name: &str, node, position| {
        let mut unique = name.to_owned();
        let mut number = 1_u32;
        while !taken.insert(unique.clone()) {
            number += 1;
            unique = format!("{name}{number}");
        }
        found.push((unique, node, position));
    };
    for attachment in scene.attachments.as_slice() {
        let name = attachment.name.to_ascii_lowercase();
        let name = name.strip_suffix(" ref").unwrap_or(&name);
        let name = match name {
            "hand right" | "handright" => "tag_weapon".to_owned(),
            "head" => "tag_head".to_owned(),
            "chest" => "tag_torso".to_owned(),
            other => format!("tag_{}", lower_name(other.trim(), "point")),
        };
        add(&name, attachment.node, attachment.position);
    }
    for (id, node) in scene.nodes.iter().filter(|(_, node)| node.kind == NodeKind::Tag) {
        add(&node.name, id, node.pivot);
    }
    if found.len() > TAGS {
        report
            .dropped("attachments", format!("engines load {TAGS} tags; {} are left out", found.len() - TAGS));
        found.truncate(TAGS);
    }
    found
}

/// A tag in a pose, with axes at right angles.
fn tag(name: &str, node: Id<effigy_scene::Node>, position: [f32; 3], pose: &Pose) -> Tag {
    let [x, y, ..] = pose.matrix(node).map(|[x, y, z, _]| glam::Vec3::new(x, y, z));
    let forward = x.try_normalize().unwrap_or(glam::Vec3::X);
    let left =
        (y - forward * y.dot(forward)).try_normalize().unwrap_or_else(|| forward.any_orthonormal_vector());
    let up = forward.cross(left);
    let mut axes = [0.0; 9];
    for (slot, value) in axes.iter_mut().zip([forward, left, up].into_iter().flat_map(|axis| axis.to_array()))
    {
        *slot = value;
    }
    Tag { name: FixedStr::truncated(name), origin: pose.point(node, position), axes }
}

#[allow(clippy::cast_possible_truncation, reason = "limited to 16 bits")]
fn step(value: f32, clipped: &mut usize) -> i16 {
    let steps = (value * STEPS).round();
    if steps.abs() > f32::from(i16::MAX) {
        *clipped += 1;
    }
    steps.clamp(-f32::from(i16::MAX), f32::from(i16::MAX)) as i16
}

fn frame_record(bounds: Bounds, name: &str) -> Frame {
    let bounds =
        if bounds.is_empty() { Bounds { min: [0.0; 3], max: [0.0; 3], radius: 0.0 } } else { bounds };
    let far = glam::Vec3::from(bounds.min).abs().max(glam::Vec3::from(bounds.max).abs());
    Frame {
        min: bounds.min,
        max: bounds.max,
        local_origin: [0.0; 3],
        radius: far.length(),
        name: FixedStr::truncated(name),
    }
}

fn config(runs: &[Run], fps: f32) -> String {
    let mut text = String::from("// first frame, frames, looping frames, frames per second\n");
    for run in runs {
        let looping = if run.looping { run.count } else { 0 };
        text.push_str(&format!("{}\t{}\t{looping}\t{fps}\t// {}\n", run.first, run.count, run.name));
    }
    text
}

fn skin(model: &Model, tags: &TagList) -> String {
    let surfaces = model.surfaces.iter().map(|surface| {
        let shader = surface.shaders.first().map(|it| it.name.text().into_owned()).unwrap_or_default();
        format!("{},{shader}\n", surface.name.text())
    });
    surfaces.chain(tags.iter().map(|(name, ..)| format!("{name},\n"))).collect()
}

/// What the format has no place for.
fn dropped(scene: &Scene, report: &mut Report) {
    for (count, what) in [
        (scene.emitters.len(), "particle emitters"),
        (scene.ribbons.len(), "ribbons"),
        (scene.lights.len(), "lights"),
        (scene.cameras.len(), "cameras"),
        (scene.events.len(), "events"),
        (scene.effects.len(), "effects"),
        (scene.shapes.len(), "collision shapes"),
    ] {
        if count > 0 {
            report.dropped(what, format!("{count}: the format only has surfaces and tags"));
        }
    }
    if scene.materials.as_slice().iter().any(|material| material.layers.len() > 1) {
        report.dropped("materials", "surfaces have one texture; further layers need a shader script");
    }
}

#[cfg(test)]
mod tests;
