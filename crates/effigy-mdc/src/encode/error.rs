//! Measures the difference between an encoded model and its source.

use super::Measure;
use crate::normals::degrees_between;
use crate::{Model, normals};
use effigy_wire::{Report, Result};

#[derive(Default)]
struct Spread {
    max: f64,
    squares: f64,
    count: u64,
}

impl Spread {
    fn add(&mut self, value: f64) {
        self.max = self.max.max(value);
        self.squares += value * value;
        self.count += 1;
    }

    fn rms(&self) -> f64 {
        #[allow(clippy::cast_precision_loss, reason = "52 bits are enough for a mean")]
        let count = self.count.max(1) as f64;
        (self.squares / count).sqrt()
    }
}

/// Distance in units, computed exactly in tenths of the stored 1/64 units.
fn distance(source: &crate::Vertex, base: &crate::Vertex, offset: [u8; 3]) -> f64 {
    let mut squares = 0.0;
    for ((&source, base), byte) in source.position.iter().zip(base.position).zip(offset) {
        let tenths = (i32::from(source) - i32::from(base)) * 10 - (i32::from(byte) - 127) * 32;
        squares += f64::from(tenths) * f64::from(tenths);
    }
    squares.sqrt() / 640.0
}

/// Compares an MDC with the MD3 that it was made from. The caller fills in the sizes.
pub(super) fn measure(source: &Model, model: &Model) -> Result<Measure> {
    let (mut units, mut degrees) = (Spread::default(), Spread::default());
    let mut measure = Measure::default();
    let table = normals::table();
    for (from, to) in source.surfaces.iter().zip(&model.surfaces) {
        measure.bases += to.base_count();
        measure.compressed += to.compressed_count();
        if from.vertex_count() == 0 {
            continue;
        }
        for frame in 0..source.frames.len() {
            let (exact, stored) = (from.stored(frame)?.base, to.stored(frame)?);
            for (index, (vertex, base)) in exact.iter().zip(stored.base).enumerate() {
                match stored.compressed.and_then(|list| list.get(index)) {
                    None => {
                        units.add(distance(vertex, base, [127; 3]));
                        degrees.add(0.0);
                    }
                    Some(packed) => {
                        units.add(distance(vertex, base, packed.offset));
                        let was = normals::unpack(vertex.normal);
                        let is = table.get(usize::from(packed.normal)).copied().unwrap_or_default();
                        degrees.add(degrees_between(was, is));
                    }
                }
            }
        }
    }
    for frame in 0..source.frames.len() {
        for tag in 0..source.tag_count() {
            let Some((was, is)) = source.tag_pose(tag, frame).zip(model.tag_pose(tag, frame)) else {
                continue;
            };
            let squares = was.origin.iter().zip(is.origin).map(|(was, is)| f64::from(was - is).powi(2));
            measure.max_tag_units = measure.max_tag_units.max(squares.sum::<f64>().sqrt());
            for (was, is) in was.axes.into_iter().zip(is.axes) {
                measure.max_tag_degrees = measure.max_tag_degrees.max(degrees_between(was, is));
            }
        }
    }
    measure.max_units = units.max;
    measure.rms_units = units.rms();
    measure.max_degrees = degrees.max;
    measure.rms_degrees = degrees.rms();
    Ok(measure)
}

/// Adds the errors to the report.
pub(super) fn note(measure: &Measure, model: &Model, report: &mut Report) {
    if measure.compressed > 0 {
        report.approximated("surfaces", measure.to_string());
    }
    if model.tag_count() > 0 && (measure.max_tag_units > 0.0 || measure.max_tag_degrees > 0.0001) {
        report.approximated(
            "tags",
            format!(
                "error at most {:.4} units and {:.4} degrees",
                measure.max_tag_units, measure.max_tag_degrees
            ),
        );
    }
}
