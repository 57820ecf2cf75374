//! Smaller files that look the same.
//!
//! Lossless: what nothing uses, what is there twice, and keys that have no effect. With a tolerance: also keys that other
//! keys nearly reproduce. The error is measured where it shows, on posed vertices, and it is one budget: each track of a chain
//! gets its share, and the result is posed and compared before it is accepted.

mod equal;
mod keys;
mod measure;
mod vertices;

pub use measure::posed_error;

use super::remove::remove_unused;
use effigy_mdx::Model;
use effigy_wire::{Report, Result};

/// How far a model may be reduced.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OptimizeOptions {
    /// The largest error of a posed vertex, as a part of the model's size; `None` for none at all.
    pub tolerance: Option<f64>,
}

impl OptimizeOptions {
    /// No visible change, and none that can be measured.
    pub const LOSSLESS: Self = Self { tolerance: None };
    /// The largest error of a posed vertex unless the user says otherwise.
    pub const TOLERANCE: f64 = 2e-4;
}

impl Default for OptimizeOptions {
    fn default() -> Self {
        Self { tolerance: Some(Self::TOLERANCE) }
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
    /// The largest error of a posed vertex, as a part of the model's size.
    pub error: f64,
    /// What could not be done.
    pub report: Report,
}

/// Times that the tolerance is halved at most, until the measured error is within it.
const TRIES: u32 = 8;

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
    done.keys = keys::without_effect(model);
    if let Some(tolerance) = options.tolerance {
        let size = measure::size(model);
        // Errors of tracks rarely add up, so that the first try may take more than its share.
        let mut part = 4.0;
        for _ in 0..TRIES {
            let mut smaller = model.clone();
            let removed = keys::within(&mut smaller, tolerance * part * size);
            let error = posed_error(&before, &smaller)?;
            if error <= tolerance {
                done.keys += removed;
                done.error = error;
                *model = smaller;
                break;
            }
            part /= 2.0;
        }
    }
    Ok(done)
}

/// The bytes of each chunk of a binary file, with its header, in the order of their first occurrence.
#[must_use]
pub fn chunk_bytes(file: &[u8]) -> Vec<(String, usize)> {
    let mut chunks: Vec<(String, usize)> = Vec::new();
    let mut cursor = effigy_wire::Cursor::new(file.get(4..).unwrap_or_default());
    while let (Ok(tag), Ok(size)) = (cursor.tag(), cursor.count()) {
        let length = size.min(cursor.remaining());
        if cursor.take(length).is_err() {
            break;
        }
        let (name, bytes) = (tag.to_string(), length.saturating_add(8));
        match chunks.iter_mut().find(|(known, _)| *known == name) {
            Some((_, sum)) => *sum = sum.saturating_add(bytes),
            None => chunks.push((name, bytes)),
        }
    }
    chunks
}
