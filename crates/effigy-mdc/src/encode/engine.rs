//! The algorithm of the game's own compressor.

use super::{NormalFinder, Packed, compress, entry, frame_in_reach};
use crate::{Vertex, normals};
use effigy_wire::Result;

/// Packs all surfaces together: a frame is a base frame in all of them or in none, so that no gaps open between
/// surfaces.
pub(super) fn pack(surfaces: &[Vec<&[Vertex]>], frames: usize) -> Result<Vec<Packed>> {
    let mut finder = NormalFinder::new(normals::engine_nearest);
    let mut packed: Vec<Packed> = surfaces.iter().map(|_| Packed::default()).collect();
    let (mut last, mut bases, mut compressed) = (None, 0_usize, 0_usize);
    for frame in 0..frames {
        let base = last.filter(|&base: &usize| {
            surfaces.iter().all(|surface| match (surface.get(base), surface.get(frame)) {
                (Some(base), Some(frame)) => frame_in_reach(base, frame),
                _ => false,
            })
        });
        for (packed, surface) in packed.iter_mut().zip(surfaces) {
            match base {
                Some(base) => {
                    packed.compressed_of_frame.push(entry(compressed)?);
                    packed.compressed.extend(compress(get(surface, base), get(surface, frame), &mut finder));
                }
                None => {
                    packed.compressed_of_frame.push(-1);
                    packed.base.extend(get(surface, frame));
                }
            }
        }
        if base.is_some() {
            compressed += 1;
        } else {
            last = Some(frame);
            bases += 1;
        }
        for packed in &mut packed {
            packed.base_of_frame.push(entry(bases - 1)?);
        }
    }
    Ok(packed)
}

fn get<'a>(surface: &[&'a [Vertex]], frame: usize) -> &'a [Vertex] {
    surface.get(frame).copied().unwrap_or_default()
}
