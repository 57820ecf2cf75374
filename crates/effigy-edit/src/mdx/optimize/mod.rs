//! Smaller files that look the same.
//!
//! Lossless: what nothing uses, what is there twice, and keys that have no effect. With a tolerance: also keys that other
//! keys nearly reproduce. The error is measured where it shows, on posed vertices, and it is one budget: each track of a chain
//! gets its share, and the result is posed and compared before it is accepted. For archives, which compress their files, floats are also rounded
//! to a grid, within the same budget.

mod equal;
mod keys;
mod measure;
mod round;
mod vertices;

pub use measure::posed_error;

use super::remove::remove_unused;
use effigy_mdx::Model;
use effigy_wire::{Report, Result};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use std::io::Write;

/// How far a model may be reduced.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OptimizeOptions {
    /// The largest error of a posed vertex, as a part of the model's size; `None` for none at all.
    pub tolerance: Option<f64>,
    /// Whether floats are rounded to a grid within the tolerance. The file itself does not become smaller by that, but an
    /// archive compresses it better.
    pub pack: bool,
}

impl OptimizeOptions {
    /// No visible change, and none that can be measured.
    pub const LOSSLESS: Self = Self { tolerance: None, pack: false };
    /// The largest error of a posed vertex unless the user says otherwise.
    pub const TOLERANCE: f64 = 2e-4;
}

impl Default for OptimizeOptions {
    fn default() -> Self {
        Self { tolerance: Some(Self::TOLERANCE), pack: false }
    }
}

/// What was removed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Optimized {
    /// Textures, materials, texture animations, bones and helpers that nothing used.
    pub unused: usize,
    /// Textures and materials that were there twice.
    pub equal: usize,
    /// Vertices without a triangle, and equal ones.
    pub vertices: usize,
    /// Keys.
    pub keys: usize,
    /// Floats that were rounded.
    pub rounded: usize,
    /// The largest error of a posed vertex, as a part of the model's size.
    pub error: f64,
    /// What could not be done.
    pub report: Report,
}

/// Shares of the tolerance that are tried, until the measured error is within it. Errors of tracks rarely add up, so that the first
/// ones take more than the whole.
const SHARES: [f64; 10] = [8.0, 5.0, 3.0, 2.0, 1.4, 1.0, 0.7, 0.4, 0.2, 0.1];

/// The part of the tolerance that rounding to a grid may use.
const ROUNDING: f64 = 0.5;

/// Makes a model smaller.
///
/// # Errors
/// When the model cannot be posed.
pub fn optimize(model: &mut Model, options: &OptimizeOptions) -> Result<Optimized> {
    let before = model.clone();
    let mut done = Optimized { unused: remove_unused(model)?.changed, ..Optimized::default() };
    done.equal = equal::merge(model);
    // Textures that only a second copy of a material used.
    done.unused += remove_unused(model)?.changed;
    done.vertices = model.geosets.iter_mut().map(vertices::merge).sum();
    keys::straighten(model);
    done.keys = keys::without_effect(model);
    if let Some(tolerance) = options.tolerance {
        let size = measure::size(model);
        for share in SHARES {
            let mut smaller = model.clone();
            let (mut rounded, mut merged) = (0, 0);
            let budget = tolerance * share * size;
            let removed = keys::within(&mut smaller, if options.pack { budget * ROUNDING } else { budget });
            if options.pack {
                rounded = round::to_grid(&mut smaller, tolerance * size * ROUNDING, share.min(1.0));
                merged = smaller.geosets.iter_mut().map(vertices::merge).sum();
            }
            let error = posed_error(&before, &smaller)?;
            if error <= tolerance {
                done.keys += removed;
                done.vertices += merged;
                (done.rounded, done.error) = (rounded, error);
                *model = smaller;
                break;
            }
        }
    } else {
        done.error = posed_error(&before, model)?;
    }
    Ok(done)
}

/// The bytes that an archive needs for these: sectors of 4 kB, each compressed with zlib where that makes it smaller.
#[must_use]
pub fn packed_bytes(bytes: &[u8]) -> usize {
    let sector = |sector: &[u8]| {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
        let packed = encoder.write_all(sector).and_then(|()| encoder.finish());
        packed.map_or(sector.len(), |packed| packed.len().saturating_add(1).min(sector.len()))
    };
    bytes.chunks(4096).map(sector).sum()
}

/// A kind of chunk with its bytes in the file and in an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChunkBytes {
    /// Its tag.
    pub tag: String,
    /// Bytes in the file, with headers.
    pub raw: usize,
    /// Bytes when they are compressed on their own, in sectors as archives have them.
    pub packed: usize,
}

/// The bytes of each chunk of a binary file, with its header, in the order of their first occurrence.
#[must_use]
pub fn chunk_bytes(file: &[u8]) -> Vec<ChunkBytes> {
    let mut chunks: Vec<(String, Vec<u8>)> = Vec::new();
    let mut cursor = effigy_wire::Cursor::new(file.get(4..).unwrap_or_default());
    loop {
        let start = cursor.rest();
        let (Ok(tag), Ok(size)) = (cursor.tag(), cursor.count()) else { break };
        let length = size.min(cursor.remaining());
        if cursor.take(length).is_err() {
            break;
        }
        let bytes = start.get(..length.saturating_add(8)).unwrap_or(start);
        let name = tag.to_string();
        match chunks.iter_mut().find(|(known, _)| *known == name) {
            Some((_, sum)) => sum.extend(bytes),
            None => chunks.push((name, bytes.to_vec())),
        }
    }
    let size =
        |(tag, bytes): (String, Vec<u8>)| ChunkBytes { tag, raw: bytes.len(), packed: packed_bytes(&bytes) };
    chunks.into_iter().map(size).collect()
}
