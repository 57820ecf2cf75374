//! MDS, MDM and Enemy Territory's MDX: a tin soldier with a skeleton of eleven bones, three of them tags.
//!
//! He stands, walks, shoots and falls over. The bind pose, which no file stores, has a turned matrix for every bone, so that
//! a reader that mixes up rows and columns is noticed. Names are followed by random bytes, as in real files.

mod motion;

use crate::Sample;
use effigy_mds::pose::{Mesh, Skeleton, angles_of, direction_of};
use effigy_mds::{Bone, BoneKey, Format, Frame, Model, Name, Surface, Tag, Vertex, Weight, split};
use effigy_wire::{FixedStr, Result};

pub use motion::{FRAMES, ROWS};

type Vector = [f32; 3];
type Rows = [Vector; 3];

/// A bone: name, parent, position at rest, torso weight, whether it is a tag.
const BONES: [(&str, i32, Vector, f32, bool); 11] = [
    ("tin pelvis", -1, [0.0, 0.0, 28.0], 0.0, false),
    ("tin spine", 0, [0.0, 0.0, 31.0], 0.0, false),
    ("tin chest", 1, [0.0, 0.0, 36.0], 0.5, false),
    ("tin head", 2, [0.0, 0.0, 49.0], 1.0, false),
    ("tin arm left", 2, [0.0, 9.0, 46.0], 1.0, false),
    ("tin arm right", 2, [0.0, -9.0, 46.0], 1.0, false),
    ("tin leg left", 0, [0.0, 3.5, 27.0], 0.0, false),
    ("tin leg right", 0, [0.0, -3.5, 27.0], 0.0, false),
    ("tag_head", 3, [0.0, 0.0, 58.0], 1.0, true),
    ("tag_weapon", 5, [3.0, -9.0, 31.0], 1.0, true),
    ("tag_back", 2, [-4.0, 0.0, 42.0], 0.5, true),
];

/// The bone that the torso turns about.
const TORSO: i32 = 1;

/// A box: surface, bone, the bone that its lower or upper end shares, whether that is the upper end, and its corners.
const BOXES: [(usize, i32, Option<i32>, bool, Vector, Vector); 7] = [
    (0, 2, Some(1), false, [-4.0, -7.0, 30.0], [4.0, 7.0, 48.0]),
    (0, 3, Some(2), false, [-4.0, -4.0, 48.0], [4.0, 4.0, 57.0]),
    (0, 4, Some(2), true, [-2.0, 7.0, 29.0], [2.0, 11.0, 48.0]),
    (0, 5, Some(2), true, [-2.0, -11.0, 29.0], [2.0, -7.0, 48.0]),
    (1, 0, Some(1), true, [-4.0, -6.5, 25.0], [4.0, 6.5, 30.0]),
    (1, 6, Some(0), true, [-3.0, 0.5, 0.0], [3.0, 6.0, 26.0]),
    (1, 7, Some(0), true, [-3.0, -6.0, 0.0], [3.0, -0.5, 26.0]),
];

/// The skin of the tin soldier: his surfaces and his hat.
pub const SKIN: &str = "// the tin soldier\nu_body,models/players/tin/red.tga\nl_legs,models/players/tin/wood.tga\n\
                        tag_head,\nmd3_part,\"body.mds\"\n";

/// His character file for Enemy Territory.
pub const CHARACTER: &str = "characterDef {\n\tmesh \"models/players/tin/soldier.mdm\"\n\tskin \"tin\"\n\
                             \tanimationgroup \"animations/tin.anim\"\n}\n";

/// His animation group for Enemy Territory.
pub const GROUP: &str = "animgroup {\n\tanimfile \"animations/soldier.mdx\" {\n\t\t#include \"animations/soldier.aninc\"\n\t}\n}\n";

/// The list of his animations for Return to Castle Wolfenstein.
#[must_use]
pub fn wolfanim() -> String {
    let mut text = "// the tin soldier\nVERSION 2\nSKELETAL\n\nSTARTANIMS\n".to_owned();
    for (name, first, count, looping, fps) in ROWS {
        text.push_str(&format!("{name}\t{first}\t{count}\t{looping}\t{fps}\t-1\n"));
    }
    text + "ENDANIMS\n"
}

/// The list of his animations for Enemy Territory.
#[must_use]
pub fn aninc() -> String {
    let row = |(name, first, count, looping, fps): &(&str, u16, u16, u16, u16)| {
        format!("{name}\t{first}\t{count}\t{looping}\t{fps}\t0\t0\t0\n")
    };
    ROWS.iter().map(row).collect()
}

/// The tin soldier as files: one for Return to Castle Wolfenstein, two for Enemy Territory.
///
/// # Errors
/// Never for this model; the signature follows that of the writer.
pub fn all() -> Result<Vec<(&'static str, Vec<u8>)>> {
    let model = mds();
    let (mesh, bones, _) = split(&model)?;
    Ok(vec![("soldier.mds", model.write()?), ("soldier.mdm", mesh.write()?), ("soldier.mdx", bones.write()?)])
}

/// The tin soldier in the three formats as files to write.
#[must_use]
pub fn samples() -> Vec<Sample> {
    let names = ["mds-4-soldier", "mdm-3-soldier", "etmdx-2-soldier"];
    let file = |(name, (file_name, bytes)): (&str, (&str, Vec<u8>))| Sample {
        name: name.to_owned(),
        file_name: file_name.to_owned(),
        bytes,
    };
    names.into_iter().zip(all().unwrap_or_default()).map(file).collect()
}

/// The text files of the tin soldier, next to his models.
#[must_use]
pub fn scripts() -> Vec<Sample> {
    let file = |file_name: &str, text: String| Sample {
        name: file_name.replace(['.', '/'], "-"),
        file_name: file_name.to_owned(),
        bytes: text.into_bytes(),
    };
    vec![
        file("wolfanim.cfg", wolfanim()),
        file("soldier_default.skin", SKIN.to_owned()),
        file("soldier.aninc", aninc()),
    ]
}

/// The tin soldier of Return to Castle Wolfenstein.
#[must_use]
pub fn mds() -> Model {
    let mut model = Model::new(Format::Mds);
    model.name = FixedStr::truncated("models/players/tin/soldier.mds");
    model.torso_parent = TORSO;
    model.bones = BONES.iter().map(bone).collect();
    model.tags = BONES.iter().zip(0..).filter(|((.., is_tag), _)| *is_tag).map(tag).collect();
    model.surfaces = vec![surface("u_body"), surface("l_legs")];
    for part in &BOXES {
        if let Some(surface) = model.surfaces.get_mut(part.0) {
            add_box(surface, part);
        }
    }
    for surface in &mut model.surfaces {
        let count = i32::try_from(surface.vertices.len()).unwrap_or(0);
        surface.collapse_map = (0..count).map(|vertex| (vertex - 1).max(0)).collect();
        surface.bone_references = (0..i32::try_from(BONES.len()).unwrap_or(0)).collect();
        surface.min_lod = count / 4;
    }
    for frame in 0..FRAMES {
        let (root, turns) = motion::frame(frame);
        model.keys.extend(keys(root, &turns));
        model.frames.push(Frame { parent_offset: root, ..Frame::default() });
    }
    bound(&mut model);
    model
}

/// Where one of his tags is in a frame, from the rotations that the frame was made of: its axes (forward, left and up in model
/// space) and its origin; `None` if there is no such tag.
#[must_use]
pub fn tag_place(frame: u16, name: &str) -> Option<(Rows, Vector)> {
    let (mut origin, turns) = motion::frame(frame);
    let mut bone = BONES.iter().position(|(own, .., is_tag)| *own == name && *is_tag)?;
    let axes = transposed(*turns.get(bone)?);
    while let Some((_, parent, place, ..)) = BONES.get(bone) {
        let Ok(carrier) = usize::try_from(*parent) else { break };
        let way = sub(*place, BONES.get(carrier)?.2);
        let way = apply(*turns.get(carrier)?, way);
        origin = [origin[0] + way[0], origin[1] + way[1], origin[2] + way[2]];
        bone = carrier;
    }
    Some((axes, origin))
}

/// A name with random bytes after its end, as real files have them.
fn name(text: &str) -> Name {
    let mut bytes = [0; 64];
    for (at, (byte, own)) in
        bytes.iter_mut().zip(text.bytes().chain([0]).chain(std::iter::repeat(0xcc))).enumerate()
    {
        *byte = if at < 40 { own } else { 0 };
    }
    FixedStr::from_bytes(bytes)
}

fn bone((text, parent, place, torso_weight, is_tag): &(&str, i32, Vector, f32, bool)) -> Bone {
    let carrier = usize::try_from(*parent).ok().and_then(|parent| BONES.get(parent));
    // The distance of the root is not used, and random in real files.
    let parent_dist = carrier.map_or(-431_602_080.0, |carrier| length(sub(*place, carrier.2)));
    Bone {
        name: name(text),
        parent: *parent,
        torso_weight: *torso_weight,
        parent_dist,
        flags: i32::from(*is_tag),
    }
}

fn tag(((text, .., weight, _), bone): (&(&str, i32, Vector, f32, bool), i32)) -> Tag {
    Tag { name: FixedStr::truncated(text), torso_weight: *weight, bone, ..Tag::default() }
}

fn surface(text: &str) -> Surface {
    Surface { ident: Format::Mds.surface_ident(), name: FixedStr::truncated(text), ..Surface::default() }
}

/// The matrix of a bone in the bind pose: turned about z and x by an angle of its own.
pub(crate) fn bind(bone: usize) -> Rows {
    let angle = f32::from(u8::try_from(bone).unwrap_or(0)) * 25.0 - 60.0;
    product(turn_z(angle), turn_x(angle * 0.5))
}

/// A point of the bind pose in the space of a bone.
fn inside(bone: usize, point: Vector) -> Vector {
    let place = BONES.get(bone).map_or([0.0; 3], |bone| bone.2);
    apply(transposed(bind(bone)), sub(point, place))
}

/// Adds the vertices and triangles of a box, six sides of four.
fn add_box(
    surface: &mut Surface,
    (_, bone, shared, upper, low, high): &(usize, i32, Option<i32>, bool, Vector, Vector),
) {
    for axis in 0..3_usize {
        for far in [false, true] {
            let start = u32::try_from(surface.vertices.len()).unwrap_or(0);
            let mut normal = [0.0; 3];
            if let Some(number) = normal.get_mut(axis) {
                *number = if far { 1.0 } else { -1.0 };
            }
            for corner in [[false, false], [true, false], [true, true], [false, true]] {
                let mut point = if far { *high } else { *low };
                let mut at_end = axis == 2 && far == *upper;
                for (step, is_high) in [1, 2].into_iter().zip(corner) {
                    let other = (axis + step) % 3;
                    let (from, to) = (low.get(other), high.get(other));
                    if let (Some(number), Some(from), Some(to)) = (point.get_mut(other), from, to) {
                        *number = if is_high { *to } else { *from };
                    }
                    at_end |= other == 2 && is_high == *upper;
                }
                let uv = corner.map(|high| if high { 1.0 } else { 0.0 });
                surface.vertices.push(vertex(point, normal, uv, *bone, shared.filter(|_| at_end)));
            }
            // Clockwise seen from outside.
            let [a, b, c, d] = [0, 1, 2, 3].map(|step| start + step);
            surface.triangles.extend(if far { [[a, c, b], [a, d, c]] } else { [[a, b, c], [a, c, d]] });
        }
    }
}

fn vertex(point: Vector, normal: Vector, texcoord: [f32; 2], bone: i32, shared: Option<i32>) -> Vertex {
    let own = usize::try_from(bone).unwrap_or(0);
    let share = |bone: i32, weight: f32| Weight {
        bone,
        weight,
        offset: inside(usize::try_from(bone).unwrap_or(0), point),
    };
    let weights = match shared {
        Some(other) => vec![share(bone, 0.75), share(other, 0.25)],
        None => vec![share(bone, 1.0)],
    };
    Vertex { normal: apply(transposed(bind(own)), normal), texcoord, weights, ..Vertex::default() }
}

/// The stored bones of a frame, from the position of the root and the rotation of each bone in model space.
fn keys(root: Vector, turns: &[Rows; 11]) -> Vec<BoneKey> {
    let rest = |bone: usize| BONES.get(bone).map_or([0.0; 3], |bone| bone.2);
    let _ = root;
    (0..BONES.len())
        .map(|index| {
            let Some((_, parent, place, _, is_tag)) = BONES.get(index) else { return BoneKey::default() };
            let turn = turns.get(index).copied().unwrap_or(IDENTITY);
            // The axes of a tag are the rows of its matrix.
            let matrix = if *is_tag { transposed(turn) } else { product(turn, bind(index)) };
            let offset = usize::try_from(*parent).map_or([0; 2], |parent| {
                let carrier = turns.get(parent).copied().unwrap_or(IDENTITY);
                direction_of(apply(carrier, sub(*place, rest(parent))))
            });
            BoneKey { angles: angles_of(&matrix), unused: 0, offset }
        })
        .collect()
}

/// Sets the boxes of all frames.
fn bound(model: &mut Model) {
    let mesh = Mesh::new(model);
    let mut frames = model.frames.clone();
    if let Ok(skeleton) = Skeleton::new(model) {
        for (index, frame) in frames.iter_mut().enumerate() {
            let Ok(pose) = skeleton.frame(model, index) else { continue };
            let (min, max) = mesh.bounds(&pose);
            let mut far = [0.0; 3];
            for ((far, min), max) in far.iter_mut().zip(min).zip(max) {
                *far = min.abs().max(max.abs());
            }
            let centre = [(min[0] + max[0]) * 0.5, (min[1] + max[1]) * 0.5, (min[2] + max[2]) * 0.5];
            *frame = Frame { min, max, local_origin: centre, radius: length(far), ..frame.clone() };
        }
    }
    model.frames = frames;
}

const IDENTITY: Rows = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

fn sub(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn length(v: Vector) -> f32 {
    v.iter().map(|number| number * number).sum::<f32>().sqrt()
}

fn apply(rows: Rows, v: Vector) -> Vector {
    rows.map(|row| row[0] * v[0] + row[1] * v[1] + row[2] * v[2])
}

fn transposed([a, b, c]: Rows) -> Rows {
    [[a[0], b[0], c[0]], [a[1], b[1], c[1]], [a[2], b[2], c[2]]]
}

fn product(a: Rows, b: Rows) -> Rows {
    let columns = transposed(b);
    a.map(|row| columns.map(|column| row[0] * column[0] + row[1] * column[1] + row[2] * column[2]))
}

fn turn_x(degrees: f32) -> Rows {
    let (sin, cos) = degrees.to_radians().sin_cos();
    [[1.0, 0.0, 0.0], [0.0, cos, -sin], [0.0, sin, cos]]
}

fn turn_y(degrees: f32) -> Rows {
    let (sin, cos) = degrees.to_radians().sin_cos();
    [[cos, 0.0, sin], [0.0, 1.0, 0.0], [-sin, 0.0, cos]]
}

fn turn_z(degrees: f32) -> Rows {
    let (sin, cos) = degrees.to_radians().sin_cos();
    [[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]]
}
