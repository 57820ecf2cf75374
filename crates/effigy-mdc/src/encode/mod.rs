//! From MD3 to MDC: which frames are stored in full, and which as offsets from another one.
//!
//! All distances are computed in the 1/64 units of the stored vertices, so no rounding happens before the offsets. The
//! error of a compressed vertex is at most 0.025 units on each axis, 0.0433 units in total.

mod engine;
mod error;
mod grouped;
mod tags;

use crate::{Format, Model, PackedVertex, Surface, Tags, Vertex, normals};
pub(crate) use tags::packed_angles;

use effigy_wire::{Error, Limits, Locate, Report, Result};
use std::fmt;

/// The choice of base frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Like the game's own compressor: the first frame is a base, and so is each frame in which any vertex of any surface
    /// has moved by 6.35 units or more on an axis since the last base. Normals and tags are packed like there, too.
    #[default]
    Engine,
    /// Base frames are exact frames of the model; equal frames are stored once; a frame may refer to any base and uses the
    /// nearest one. Each surface is packed separately.
    LosslessFirst,
    /// The smallest file: like the previous mode, but a base frame may also be computed as the middle of the frames that
    /// refer to it, so that few frames stay exact. Such files are valid for the games, but their own tool does not make
    /// them.
    Smallest,
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Engine => "engine",
            Self::LosslessFirst => "lossless-first",
            Self::Smallest => "smallest",
        })
    }
}

/// The size and the error of an encoded model.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measure {
    /// Size of the MD3 in its usual layout, in bytes.
    pub md3_bytes: usize,
    /// Size of the MDC in bytes.
    pub bytes: usize,
    /// Number of base frames of all surfaces.
    pub bases: usize,
    /// Number of compressed frames of all surfaces.
    pub compressed: usize,
    /// Largest error of a vertex position, in units.
    pub max_units: f64,
    /// Root mean square of these errors, in units.
    pub rms_units: f64,
    /// Largest error of a normal, in degrees.
    pub max_degrees: f64,
    /// Root mean square of these errors, in degrees.
    pub rms_degrees: f64,
    /// Largest error of a tag axis, in degrees.
    pub max_tag_degrees: f64,
    /// Largest error of a tag position, in units.
    pub max_tag_units: f64,
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { bytes, md3_bytes, bases, compressed, .. } = self;
        write!(f, "{bytes} of {md3_bytes} bytes, {bases} base and {compressed} compressed frames: ")?;
        write!(f, "error of vertices at most {:.4} units ({:.4} RMS), ", self.max_units, self.rms_units)?;
        write!(f, "of normals at most {:.1} degrees ({:.1} RMS)", self.max_degrees, self.rms_degrees)
    }
}

/// An MDC model made from an MD3, with its error.
#[derive(Clone, Debug, PartialEq)]
pub struct Encoded {
    /// The MDC model.
    pub model: Model,
    /// Its size and error.
    pub measure: Measure,
    /// What was approximated or dropped.
    pub report: Report,
}

/// Largest offset on an axis, in 1/64 units: the games' compressor refuses 6.35 units and more.
const REACH: i32 = 406;

/// Whether a vertex can be stored as an offset from another.
fn in_reach(base: &Vertex, vertex: &Vertex) -> bool {
    base.position.iter().zip(vertex.position).all(|(&b, v)| (i32::from(v) - i32::from(b)).abs() <= REACH)
}

fn frame_in_reach(base: &[Vertex], frame: &[Vertex]) -> bool {
    base.iter().zip(frame).all(|(base, vertex)| in_reach(base, vertex))
}

/// The byte for an offset that is in reach, in 1/64 units. A step of 0.05 units is 3.2 of them.
fn offset_byte(base: i16, value: i16) -> u8 {
    let difference = i32::from(value) - i32::from(base);
    let steps = (difference * 20 + 32).div_euclid(64);
    u8::try_from((steps + 127).clamp(0, 254)).unwrap_or_default()
}

/// Finds table entries for two-byte normals, with a cache since models repeat them a lot.
struct NormalFinder {
    find: fn([f32; 3]) -> u8,
    known: Vec<Option<u8>>,
}

impl NormalFinder {
    fn new(find: fn([f32; 3]) -> u8) -> Self {
        Self { find, known: vec![None; 1 << 16] }
    }

    fn get(&mut self, normal: u16) -> u8 {
        let find = self.find;
        match self.known.get_mut(usize::from(normal)) {
            Some(known) => *known.get_or_insert_with(|| find(normals::unpack(normal))),
            None => find(normals::unpack(normal)),
        }
    }
}

fn compress<'a>(
    base: &'a [Vertex],
    frame: &'a [Vertex],
    finder: &'a mut NormalFinder,
) -> impl Iterator<Item = PackedVertex> + 'a {
    base.iter().zip(frame).map(|(base, vertex)| {
        let [[bx, by, bz], [x, y, z]] = [base.position, vertex.position];
        let offset = [offset_byte(bx, x), offset_byte(by, y), offset_byte(bz, z)];
        PackedVertex { offset, normal: finder.get(vertex.normal) }
    })
}

/// The frames of one surface as an encoder stores them.
#[derive(Default)]
struct Packed {
    base: Vec<Vertex>,
    compressed: Vec<PackedVertex>,
    base_of_frame: Vec<i16>,
    compressed_of_frame: Vec<i16>,
}

fn entry(index: usize) -> Result<i16> {
    i16::try_from(index).map_err(|_| Error::unrepresentable("MDC cannot have more than 32768 frames"))
}

/// The frames of an MD3 surface. It is an error if the surface has fewer frames than the model.
fn frames_of(surface: &Surface, frames: usize) -> Result<Vec<&[Vertex]>> {
    if surface.vertex_count() == 0 {
        return Ok(vec![&[]; frames]);
    }
    (0..frames).map(|frame| surface.stored(frame).map(|stored| stored.base)).collect()
}

/// Converts an MD3 to MDC. A model that already is an MDC is converted to MD3 first.
///
/// # Errors
/// When a surface has fewer frames than the model, when the lists contradict each other, or when there are too many
/// frames for MDC.
pub fn to_mdc(source: &Model, mode: Mode) -> Result<Encoded> {
    if source.format == Format::Mdc {
        let (plain, mut report) = crate::to_md3(source)?;
        let mut encoded = to_mdc(&plain, mode)?;
        report.append(encoded.report);
        encoded.report = report;
        return Ok(encoded);
    }
    source.check_unpacked(size_of::<Vertex>(), &Limits::DEFAULT)?;
    let mut report = Report::default();
    crate::layout::note(source, &mut report);
    let frame_count = source.frames.len();
    let mut sources = Vec::new();
    for (index, surface) in source.surfaces.iter().enumerate() {
        sources.push(frames_of(surface, frame_count).in_index(index).in_field("surfaces")?);
        if surface.base_count() > frame_count {
            let message = format!("{} frames, but the model has {frame_count}", surface.base_count());
            report.dropped(format!("surfaces[{index}].base"), message);
        }
    }
    let packed = match mode {
        Mode::Engine => engine::pack(&sources, frame_count)?,
        Mode::LosslessFirst | Mode::Smallest => {
            let mut finder = NormalFinder::new(normals::nearest);
            let pack = |frames: &Vec<&[Vertex]>| grouped::pack(frames, mode, &mut finder);
            sources.iter().map(pack).collect::<Result<_>>()?
        }
    };
    let surfaces = source.surfaces.iter().zip(packed).map(|(surface, packed)| Surface {
        ident: Format::Mdc.surface_ident(),
        name: surface.name,
        flags: surface.flags,
        triangles: surface.triangles.clone(),
        shaders: surface.shaders.clone(),
        texcoords: surface.texcoords.clone(),
        base: packed.base,
        compressed: packed.compressed,
        base_of_frame: packed.base_of_frame,
        compressed_of_frame: packed.compressed_of_frame,
        trailing: surface.trailing.clone(),
    });
    let model = Model {
        name: source.name,
        flags: source.flags,
        skins: source.skins,
        frames: source.frames.clone(),
        tags: match &source.tags {
            Tags::Full(list) => tags::pack(source, list, mode, &mut report),
            packed @ Tags::Packed { .. } => packed.clone(),
        },
        surfaces: surfaces.collect(),
        trailing: source.trailing.clone(),
        ..Model::new(Format::Mdc)
    };
    let mut measure = error::measure(source, &model)?;
    measure.md3_bytes = crate::layout::canonical(source)?.length;
    measure.bytes = crate::layout::canonical(&model)?.length;
    error::note(&measure, &model, &mut report);
    Ok(Encoded { model, measure, report })
}
