//! MDC and MD3: the creature, and a chest whose lid opens while a pennant on it waves.
//!
//! The chest has three surfaces (one that never moves, one that moves far, one that moves a little), two tags, two shaders on one
//! surface, arbitrary bytes after the NUL of a name and in the flags, as in real files.

mod beetle;

pub use beetle::{SCALE, SCRIPT, creature, hat, sequences};

use crate::Sample;
use crate::creature::Picture;
use effigy_mdc::pose::axes_of;
use effigy_mdc::{Format, Frame, Mode, Model, Name, Shader, Surface, Tag, Tags, Vertex, normals, to_mdc};
use effigy_wire::{FixedStr, Result};
use std::f32::consts::TAU;

/// Frames of the animated samples.
pub const FRAMES: u16 = 24;

/// Every form of the chest as a file: its name and its bytes.
///
/// # Errors
/// Never for these models; the signature follows that of the writer.
pub fn all() -> Result<Vec<(&'static str, Vec<u8>)>> {
    Ok(vec![
        ("chest.md3", md3().write()?),
        ("chest.mdc", mdc().write()?),
        ("chest_smallest.mdc", encoded(Mode::Smallest).write()?),
        ("chest_hand.mdc", tags_only().write()?),
        ("chest_odd.md3", odd_order()?),
        ("chest_filler.mdc", with_filler()?),
    ])
}

/// The creature and the hat in both formats.
///
/// # Errors
/// Never for this model; the signature follows that of the writer.
fn creatures() -> Result<Vec<Sample>> {
    let (full, cap) = (creature(), hat());
    let small = |model: &Model| -> Result<Vec<u8>> { to_mdc(model, Mode::Engine)?.model.write() };
    let sample = |name: &str, extension: &str, bytes| Sample {
        name: name.to_owned(),
        file_name: format!("{name}.{extension}"),
        bytes,
    };
    Ok(vec![
        sample("mdc-2-creature", "mdc", small(&full)?),
        sample("md3-15-creature", "md3", full.write()?),
        sample("mdc-2-hat", "mdc", small(&cap)?),
        sample("md3-15-hat", "md3", cap.write()?),
    ])
}

/// The creature, the hat and all chests as files to write.
#[must_use]
pub fn samples() -> Vec<Sample> {
    let file = |(file_name, bytes): (&str, Vec<u8>)| Sample {
        name: file_name.replace('.', "-"),
        file_name: file_name.to_owned(),
        bytes,
    };
    let mut samples = creatures().unwrap_or_default();
    samples.extend(all().unwrap_or_default().into_iter().map(file));
    samples
}

/// The chest with all frames in full.
#[must_use]
pub fn md3() -> Model {
    let mut model = Model::new(Format::Md3);
    model.name = FixedStr::truncated("models/mapobjects/effigy/chest.md3");
    let (mut body, mut lid, mut pennant) =
        (surface("chest", "wood.tga"), surface("lid", "lid.tga"), surface("pennant", "red.tga"));
    lid.flags = 0x0102_0304;
    pennant.shaders.push(shader("blue.tga"));
    if let Some(shader) = lid.shaders.first_mut() {
        let mut bytes = *shader.name.bytes();
        if let Some(last) = bytes.last_mut() {
            *last = b'x';
        }
        shader.name = Name::from_bytes(bytes);
        shader.index = 117;
    }
    let mut tags = Vec::new();
    for frame in 0..FRAMES {
        let share = f32::from(frame) / f32::from(FRAMES);
        // The lid opens, stays open for a while, and closes.
        let open = ((share * TAU).sin() * 1.5).clamp(0.0, 1.0) * 100.0;
        let mut points = Vec::new();
        points.extend(add_box(&mut body, frame == 0, [-16.0, -12.0, 0.0], [16.0, 12.0, 16.0], &|p| p));
        let hinge = |p: [f32; 3]| turn_about_hinge(p, open);
        points.extend(add_box(&mut lid, frame == 0, [-16.0, -12.0, 16.0], [16.0, 12.0, 20.0], &hinge));
        points.extend(add_pennant(&mut pennant, frame == 0, share));
        model.frames.push(bounds(&points, &format!("frame {frame}")));
        tags.push(tag("tag_lid", hinge([16.0, 0.0, 20.0]), [f64::from(-open), 0.0, 0.0]));
        let swing = f64::from(20.0 * (share * TAU).sin());
        tags.push(tag("tag_pennant", [-16.0, 0.0, 60.0], [0.0, swing, 5.0]));
    }
    model.tags = Tags::Full(tags);
    model.surfaces = vec![body, lid, pennant];
    model
}

/// The chest as the game's own compressor would store it.
#[must_use]
pub fn mdc() -> Model {
    encoded(Mode::Engine)
}

fn encoded(mode: Mode) -> Model {
    // The sample has all frames that it declares; otherwise the tests of an empty model would fail.
    let mut model = to_mdc(&md3(), mode).map(|encoded| encoded.model).unwrap_or_default();
    model.name = FixedStr::truncated("models/mapobjects/effigy/chest.md3");
    model
}

/// A model without surfaces, as view weapons use them for their hands.
#[must_use]
pub fn tags_only() -> Model {
    let mut model = mdc();
    model.surfaces.clear();
    model
}

/// The MD3 with triangles before shaders in its first surface, as some exporters write it.
///
/// # Errors
/// When the sample cannot be written.
pub fn odd_order() -> Result<Vec<u8>> {
    let model = md3();
    let mut bytes = model.write()?;
    let start = word(&bytes, 100);
    let [triangles, shaders, texcoords] = [88, 92, 96].map(|at| word(&bytes, start + at));
    if let Some(part) = bytes.get_mut(start + shaders..start + texcoords) {
        part.rotate_left(triangles - shaders);
    }
    let moved = shaders + (texcoords - triangles);
    set_word(&mut bytes, start + 88, shaders);
    set_word(&mut bytes, start + 92, moved);
    Ok(bytes)
}

/// The MDC with extra bytes after its end.
///
/// # Errors
/// When the sample cannot be written.
pub fn with_filler() -> Result<Vec<u8>> {
    let mut bytes = mdc().write()?;
    bytes.extend(b"made by an exporter");
    Ok(bytes)
}

fn word(bytes: &[u8], at: usize) -> usize {
    let word = bytes.get(at..).and_then(|rest| rest.first_chunk()).copied().unwrap_or_default();
    u32::from_le_bytes(word) as usize
}

fn set_word(bytes: &mut [u8], at: usize, value: usize) {
    let place = bytes.get_mut(at..).and_then(|rest| rest.first_chunk_mut());
    if let (Some(place), Ok(value)) = (place, u32::try_from(value)) {
        *place = value.to_le_bytes();
    }
}

fn surface(name: &str, texture: &str) -> Surface {
    Surface {
        ident: Format::Md3.surface_ident(),
        name: FixedStr::truncated(name),
        shaders: vec![shader(texture)],
        ..Surface::default()
    }
}

fn shader(texture: &str) -> Shader {
    Shader { name: FixedStr::truncated(&format!("models/mapobjects/effigy/{texture}")), index: 0 }
}

fn tag(name: &str, origin: [f32; 3], angles: [f64; 3]) -> Tag {
    let mut axes = [0.0; 9];
    axes.copy_from_slice(axes_of(angles).as_flattened());
    Tag { name: FixedStr::truncated(name), origin, axes }
}

/// Turns a point about the upper back edge of the chest.
fn turn_about_hinge([x, y, z]: [f32; 3], degrees: f32) -> [f32; 3] {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let [dx, dz] = [x + 16.0, z - 16.0];
    [-16.0 + dx * cos - dz * sin, y, 16.0 + dx * sin + dz * cos]
}

/// Adds the vertices of one frame of a box, and in the first frame its triangles and texture coordinates.
fn add_box(
    surface: &mut Surface,
    first: bool,
    low: [f32; 3],
    high: [f32; 3],
    place: &dyn Fn([f32; 3]) -> [f32; 3],
) -> Vec<[f32; 3]> {
    let mut points = Vec::new();
    for axis in 0..3 {
        for side in [low, high] {
            let corner = |right: bool, up: bool| {
                let mut point = side;
                for (at, value) in point.iter_mut().enumerate() {
                    let far = match (at + 3 - axis) % 3 {
                        0 => continue,
                        1 => right,
                        _ => up,
                    };
                    *value = *if far { high.get(at) } else { low.get(at) }.unwrap_or(value);
                }
                place(point)
            };
            let [a, b, c] = [corner(false, false), corner(true, false), corner(false, true)];
            let outwards = if side == high { 1.0 } else { -1.0 };
            let normal = cross(difference(b, a), difference(c, a)).map(|x| x * outwards);
            let corners = [a, b, corner(true, true), c];
            if first {
                add_quad(surface, side == high);
            }
            surface.base.extend(corners.map(|corner| vertex(corner, normal)));
            points.extend(corners);
        }
    }
    points
}

/// Two triangles over the next four vertices, clockwise as seen from the side given by `front`.
fn add_quad(surface: &mut Surface, front: bool) {
    let [a, b, c, d] = [0, 1, 2, 3].map(|step| u32::try_from(surface.texcoords.len() + step).unwrap_or(0));
    surface.triangles.extend(if front { [[a, c, b], [a, d, c]] } else { [[a, b, c], [a, c, d]] });
    surface.texcoords.extend([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]);
}

/// A strip that waves in the wind, seen from both sides.
fn add_pennant(surface: &mut Surface, first: bool, share: f32) -> Vec<[f32; 3]> {
    const STEPS: u8 = 6;
    let mut points = Vec::new();
    for front in [true, false] {
        let start = u32::try_from(surface.texcoords.len()).unwrap_or(0);
        for step in 0..=STEPS {
            let along = f32::from(step) / f32::from(STEPS);
            let wave = (along * 1.5 - share * 2.0) * TAU;
            let y = along * 2.5 * wave.sin();
            let slope = 2.5 * wave.cos() / 8.0;
            let normal = if front { [-slope, 1.0, 0.0] } else { [slope, -1.0, 0.0] };
            for (top, z) in [(0.0, 60.0), (1.0, 48.0)] {
                let point = [-16.0 + along * 24.0, y, z];
                surface.base.push(vertex(point, normal));
                points.push(point);
                if first {
                    surface.texcoords.push([along, top]);
                }
            }
            if first && step < STEPS {
                let [a, b, c, d] = [0, 1, 2, 3].map(|corner| start + u32::from(step) * 2 + corner);
                surface.triangles.extend(if front { [[a, b, c], [b, d, c]] } else { [[a, c, b], [b, c, d]] });
            }
        }
    }
    points
}

fn difference(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn cross(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[allow(clippy::cast_possible_truncation, reason = "both models are at most 150 units long, 512 fit")]
fn vertex(point: [f32; 3], normal: [f32; 3]) -> Vertex {
    Vertex { position: point.map(|x| (x * 64.0).round() as i16), normal: normals::pack(normal) }
}

fn bounds(points: &[[f32; 3]], name: &str) -> Frame {
    let (mut min, mut max) = ([f32::MAX; 3], [f32::MIN; 3]);
    for point in points {
        for ((min, max), &value) in min.iter_mut().zip(&mut max).zip(point) {
            *min = min.min(value);
            *max = max.max(value);
        }
    }
    let far = |(min, max): (&f32, &f32)| min.abs().max(max.abs()).powi(2);
    let radius = min.iter().zip(&max).map(far).sum::<f32>().sqrt();
    Frame { min, max, local_origin: [0.0; 3], radius, name: FixedStr::truncated(name) }
}

/// The textures of the chest: boards, boards with an iron band, cloth.
#[must_use]
pub fn pictures() -> Vec<Picture> {
    const SIDE: u16 = 32;
    let picture = |name, paint: fn(u16, u16) -> [u8; 3]| {
        let pixels = (0..SIDE * SIDE).map(|at| {
            let [r, g, b] = paint(at % SIDE, at / SIDE);
            [r, g, b, 255]
        });
        Picture { name, width: SIDE, height: SIDE, pixels: pixels.collect() }
    };
    let boards = |x: u16, y: u16| match (y % 8, (x * 7 + y * 3) % 5) {
        (0, _) => [62, 38, 20],
        (_, 0) => [112, 72, 38],
        _ => [128, 84, 46],
    };
    vec![
        picture("wood", boards),
        picture("lid", |x, y| match (x, y % 8) {
            (13..19, _) => [92, 96, 104],
            (_, 0) => [70, 42, 22],
            _ => [140, 92, 50],
        }),
        picture("red", |_, y| if y < 3 { [214, 170, 60] } else { [168, 30, 26] }),
    ]
}
