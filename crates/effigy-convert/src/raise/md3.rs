//! From the scene to MD3: every vertex in every frame, as Quake III and its relatives animate.
//!
//! Frames are taken at a steady rate. Engines differ in how many vertices a surface may have, so that large meshes are cut.

mod labels;
mod looks;
mod shaders;
mod tags;

use super::parts::{self, Limits};
use super::{RaiseOptions, Raised, kept, loops, objects, scale, units};
use effigy_mdc::{Format, Frame, Model, Shader, Surface, Tags, Vertex, normals};
use effigy_scene::sample::{Moment, Sampler};
use effigy_scene::{Bounds, Id, Mesh, Scene, Sequence, ValidScene, coordinates, validate};
use effigy_wire::{FixedStr, Report, Result};
use labels::NamedTag;
use looks::{Looks, Skin};
use shaders::Shaders;
use std::collections::BTreeSet;

/// Units of Quake's engines in a unit of Warcraft III, and in a yard of World of Warcraft.
const PER_WARCRAFT_UNIT: f32 = 0.7;
const PER_YARD: f32 = 32.0;
const PER_METRE: f32 = 39.0;
/// Steps of a stored position in a unit.
const STEPS: f32 = 64.0;
/// What every engine of the family can load.
const FRAMES: usize = 1024;
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
            // It loads 1025 and 2050, but stops when it has to draw that many: the last place of its buffer has to stay free.
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
    /// Old and new names of attachments, which became tags; no new name: it was left out.
    pub tags: Vec<(String, Option<String>)>,
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
    let by = units::chosen(source, options, usual_scale(source));
    scale::scale(&mut scene, by);
    loops::settle(&mut scene, &options.names);
    let scene = validate(scene)?;
    let (runs, fps) = plan(&scene, options, &mut report);
    let meshes: Vec<(Id<Mesh>, &Mesh)> = scene
        .meshes
        .iter()
        .filter(|(_, mesh)| mesh.shown && !mesh.indices.is_empty() && mesh.lod.is_none_or(|lod| lod == 0))
        .collect();
    let mut model = Model::new(Format::Md3);
    let name = labels::lower(scale::name(&scene, options), "model");
    model.name = FixedStr::truncated(&format!("models/{name}.md3"));
    let mut names = BTreeSet::new();
    let mut pieces = Vec::new();
    let mut shaders = Shaders::of(&name);
    let sampler = Sampler::new(&scene);
    let mut looks = Looks::new(&scene, &meshes, &sampler, &kept::moment(&scene, &options.names));
    'meshes: for ((id, mesh), look) in meshes.iter().zip(looks.all()) {
        let uvs = look.coordinates(&scene, mesh);
        for part in parts::parts(mesh.positions.len(), &[], &mesh.indices, options.engine.limits()) {
            if model.surfaces.len() == SURFACES {
                report
                    .dropped("meshes", format!("engines load {SURFACES} surfaces; the others are left out"));
                break 'meshes;
            }
            let shader = match look.skin {
                Skin::Texture(source, texture) => shaders.path(source, texture),
                Skin::Color(color) => shaders.plain(color),
                Skin::Nothing => String::new(),
            };
            model.surfaces.push(surface(&uvs, &part, &labels::surface(&mesh.name, &mut names), &shader));
            pieces.push((*id, part));
        }
    }
    shaders.report(&mut report);
    let starts = labels::frames(&runs, &mut report);
    let (named_tags, tag_names) = labels::tags(&scene, &named.objects, options, &mut report);
    let mut pose = sampler.pose();
    let mut written = Vec::new();
    let mut clipped = 0_usize;
    let mut hidden = false;
    for (run, start) in runs.iter().zip(&starts) {
        for frame in 0..run.count {
            let time = frame as f64 * 1000.0 / f64::from(fps);
            sampler.sample(&Moment { sequence: run.sequence, time, clock: time }, None, &mut pose);
            sampler.skin(&mut pose);
            looks.watch(&pose);
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
            written.extend(named_tags.iter().map(|named| tags::tag(named, &pose)));
            model.frames.push(frame_record(bounds, &format!("{start}{frame}")));
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
    looks.report(&mut report);
    dropped(&scene, &mut report);
    let written_as = |id| runs.iter().find(|run| run.sequence == Some(id)).map(|run| run.name.clone());
    let sequences = scene.sequences.iter().map(|(id, it)| (it.name.clone(), written_as(id))).collect();
    let animations = config(&runs, fps);
    let skin = skin(&model, &named_tags);
    let model = Md3 { model, animations, skin, tags: tag_names };
    Ok(Raised { model, report, textures: shaders.textures, sequences, objects: named.objects })
}

fn usual_scale(scene: &Scene) -> f32 {
    match units::format(scene) {
        "mdx" => PER_WARCRAFT_UNIT,
        "m2" | "wow-alpha-mdx" => PER_YARD,
        "gltf" => PER_METRE,
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

fn surface(uvs: &[[f32; 2]], part: &parts::Part, name: &str, shader: &str) -> Surface {
    let mut indices: Vec<u32> = part.indices.iter().map(|index| u32::from(*index)).collect();
    coordinates::flip_winding(&mut indices);
    Surface {
        ident: Format::Md3.surface_ident(),
        name: FixedStr::truncated(name),
        triangles: indices.as_chunks::<3>().0.to_vec(),
        shaders: vec![Shader { name: FixedStr::truncated(shader), index: 0 }],
        texcoords: part
            .vertices
            .iter()
            .map(|it| uvs.get(*it as usize).copied().unwrap_or_default())
            .collect(),
        ..Surface::default()
    }
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
        // A name with a line break would continue as a row.
        let name = run.name.replace(char::is_control, " ");
        text.push_str(&format!("{}\t{}\t{looping}\t{fps}\t// {name}\n", run.first, run.count));
    }
    text
}

fn skin(model: &Model, tags: &[NamedTag]) -> String {
    let surfaces = model.surfaces.iter().map(|surface| {
        let shader = surface.shaders.first().map(|it| it.name.text().into_owned()).unwrap_or_default();
        format!("{},{shader}\n", surface.name.text())
    });
    // Engines take a line without these letters for a surface.
    let tags = tags.iter().filter(|tag| tag.name.contains("tag_")).map(|tag| format!("{},\n", tag.name));
    surfaces.chain(tags).collect()
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
}

#[cfg(test)]
mod tests;
