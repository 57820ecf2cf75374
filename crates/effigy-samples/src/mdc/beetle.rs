//! The creature as frames: its meshes, posed by its keys, ten times a second.
//!
//! What the format does not support is left out: smoke, light and trail. The player's colour is painted into the metal,
//! two-sided meshes have their triangles twice, and a shader script describes what is self-illuminated.

use super::{bounds, shader, vertex};
use crate::creature::{self, Creature, Mesh, Place, Texture};
use effigy_mdc::sequences::Sequence;
use effigy_mdc::{Format, Model, Surface, Tag, Tags};
use effigy_wire::FixedStr;

/// The creature's units are those of Warcraft III; a soldier of this game is 64 units high.
pub const SCALE: f32 = 0.5;
/// Frames a second.
const FPS: u8 = 10;

fn acts(beetle: &Creature) -> impl Iterator<Item = &creature::Sequence> {
    // The portrait repeats the stand sequence.
    beetle.sequences.iter().filter(|sequence| sequence.name != "Portrait")
}

/// The times of the frames of a sequence, in milliseconds from its start, including both ends.
fn moments(sequence: &creature::Sequence) -> Vec<u32> {
    let step = 1000 / u32::from(FPS);
    (0..=(sequence.end - sequence.start) / step).map(|frame| frame * step).collect()
}

/// Which frames belong to which sequence, as an `animation.cfg` would say it.
#[must_use]
pub fn sequences() -> Vec<Sequence> {
    let mut first = 0;
    let mut rows = Vec::new();
    for act in acts(&creature::creature()) {
        let count = u32::try_from(moments(act).len()).unwrap_or(0);
        rows.push(Sequence {
            name: act.name.to_owned(),
            first,
            count,
            fps: f32::from(FPS),
            loop_frames: if act.looping { count } else { 0 },
            move_speed: act.move_speed * SCALE,
            ..Sequence::default()
        });
        first += count;
    }
    rows
}

/// The shader script for self-illuminated meshes: fire that drifts, lamps, and a glow that turns to the camera.
pub const SCRIPT: &str = "models/mapobjects/effigy/LanternBeetleFire
{
\t{
\t\tmap models/mapobjects/effigy/LanternBeetleFire.tga
\t\ttcMod scroll 0 0.25
\t}
}

models/mapobjects/effigy/LanternBeetleLamp
{
\t{
\t\tmap models/mapobjects/effigy/LanternBeetle.tga
\t}
}

models/mapobjects/effigy/LanternBeetleGlow
{
\tdeformVertexes autosprite
\t{
\t\tmap models/mapobjects/effigy/LanternBeetleGlow.tga
\t\tblendFunc GL_SRC_ALPHA GL_ONE
\t\talphaGen wave sin 0.85 0.15 0 1
\t}
}
";

/// The creature with all frames in full.
#[must_use]
pub fn creature() -> Model {
    model_of(&creature::creature())
}

/// The hat with all frames in full.
#[must_use]
pub fn hat() -> Model {
    model_of(&creature::hat())
}

fn model_of(beetle: &Creature) -> Model {
    let mut model = Model::new(Format::Md3);
    let path = format!("models/mapobjects/effigy/{}.md3", beetle.name.to_lowercase());
    model.name = FixedStr::truncated(&path);
    model.surfaces = beetle.meshes.iter().map(|mesh| surface(beetle, mesh)).collect();
    let mut tags = Vec::new();
    for act in acts(beetle) {
        for (number, time) in moments(act).into_iter().enumerate() {
            let places = beetle.places(act, time);
            let mut points = Vec::new();
            for (surface, mesh) in model.surfaces.iter_mut().zip(&beetle.meshes) {
                for (point, normal) in mesh.posed(&places) {
                    let point = point.map(|part| part * SCALE);
                    points.push(point);
                    surface.base.push(vertex(point, normal));
                }
            }
            model.frames.push(bounds(&points, &format!("{} {number}", act.name)));
            tags.extend(beetle.attachments.iter().filter_map(|found| tag(beetle, found.node, &places)));
        }
    }
    model.tags = Tags::Full(tags);
    model
}

fn surface(beetle: &Creature, mesh: &Mesh) -> Surface {
    let material = beetle.materials.get(mesh.material);
    let layers = material.map_or(&[][..], |material| material.layers.as_slice());
    let picture = match layers {
        [_, _, ..] => beetle.team_painted.name,
        _ => layers.first().and_then(|layer| beetle.textures.get(layer.texture)).map_or("", |it| match it {
            Texture::Picture(picture) => picture.name,
            Texture::TeamColor => beetle.team_stand_in.name,
        }),
    };
    let shining = layers.iter().any(|layer| layer.unshaded);
    // The lamps are in the same texture as the metal, which is not self-illuminated.
    let name = if shining && picture == beetle.name { "LanternBeetleLamp" } else { picture };
    // Front faces are clockwise here.
    let mut triangles: Vec<[u32; 3]> =
        mesh.triangles.iter().map(|triangle| triangle.map(u32::from)).map(|[a, b, c]| [a, c, b]).collect();
    if material.is_some_and(|material| material.two_sided) {
        triangles.extend(triangles.clone().into_iter().map(|[a, b, c]| [a, c, b]));
    }
    Surface {
        ident: Format::Md3.surface_ident(),
        name: FixedStr::truncated(&mesh.name.to_lowercase()),
        shaders: vec![shader(&format!("{name}.tga"))],
        triangles,
        texcoords: mesh.uvs.clone(),
        ..Surface::default()
    }
}

/// An attachment as a tag: `Hand Right Ref` is `tag_hand_right`.
fn tag(beetle: &Creature, node: usize, places: &[Place]) -> Option<Tag> {
    let (node, place) = (beetle.nodes.get(node)?, places.get(node)?);
    let name = node.name.trim_end_matches(" Ref").to_lowercase().replace(' ', "_");
    let mut axes = [0.0; 9];
    for (row, axis) in axes.as_chunks_mut::<3>().0.iter_mut().zip(place.axes) {
        *row = creature::math::unit(axis);
    }
    let origin = place.point(node.pivot).map(|part| part * SCALE);
    Some(Tag { name: FixedStr::truncated(&format!("tag_{name}")), origin, axes })
}
