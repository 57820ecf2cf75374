//! The error of an optimised model, on posed vertices.

use effigy_mdx::Model;
use effigy_scene::sample::{Moment, Sampler};
use effigy_scene::{Id, validate};
use effigy_wire::Result;

/// Moments of each sequence that are compared, as parts of its length.
const MOMENTS: [f64; 7] = [0.0, 0.13, 0.29, 0.5, 0.71, 0.93, 1.0];

/// The size of a model: the diagonal of the box around its vertices at rest; 1 for a model without any.
pub(super) fn size(model: &Model) -> f64 {
    let positions = (model.geosets.iter().flat_map(|geoset| geoset.vertices.iter().copied())).chain(
        model.batched_geosets.iter().flat_map(|geoset| geoset.vertices.iter().map(|vertex| vertex.position)),
    );
    let (mut min, mut max) = (glam::Vec3::INFINITY, glam::Vec3::NEG_INFINITY);
    for position in positions.map(glam::Vec3::from).filter(|position| position.is_finite()) {
        (min, max) = (min.min(position), max.max(position));
    }
    let size = f64::from((max - min).length());
    if size.is_finite() && size > 0.0 { size } else { 1.0 }
}

/// How far the vertices of the second model's triangles are from the first's, as a part of the model's size: the largest
/// distance at seven moments of every sequence. The order of triangles has to be the same.
///
/// # Errors
/// When one of them cannot be posed.
pub fn posed_error(before: &Model, after: &Model) -> Result<f64> {
    let first = validate(effigy_convert::mdx::lower(before).scene)?;
    let second = validate(effigy_convert::mdx::lower(after).scene)?;
    let (one, two) = (Sampler::new(&first), Sampler::new(&second));
    let (mut a, mut b) = (one.pose(), two.pose());
    let mut worst = 0.0_f32;
    for (index, sequence) in before.sequences.iter().enumerate() {
        let id = Id::new(u32::try_from(index).unwrap_or(u32::MAX));
        let length = f64::from(sequence.interval[1].saturating_sub(sequence.interval[0]));
        for part in MOMENTS {
            let moment = Moment::new(id, part * length);
            one.sample(&moment, None, &mut a);
            two.sample(&moment, None, &mut b);
            one.skin(&mut a);
            two.skin(&mut b);
            let meshes = first.meshes.as_slice().iter().zip(second.meshes.as_slice());
            for ((mesh, other), (a, b)) in meshes.zip(a.meshes().iter().zip(b.meshes())) {
                for (i, j) in mesh.indices.iter().zip(&other.indices) {
                    let (Some(p), Some(q)) = (a.positions.get(*i as usize), b.positions.get(*j as usize))
                    else {
                        continue;
                    };
                    let distance = (glam::Vec3::from(*p) - glam::Vec3::from(*q)).length();
                    if distance > worst {
                        worst = distance;
                    }
                }
            }
        }
    }
    Ok(f64::from(worst) / size(before))
}
