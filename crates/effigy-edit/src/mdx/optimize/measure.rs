//! The error of an optimised model, on posed vertices and on what its nodes carry.

use super::keys::{CARRIED, LOOSE};
use effigy_mdx::Model;
use effigy_scene::sample::{Moment, Sampler};
use effigy_scene::{Id, Node, NodeKind, Scene, validate};
use effigy_wire::Result;

/// Moments of each sequence that are compared, as parts of its length.
const MOMENTS: [f64; 7] = [0.0, 0.13, 0.29, 0.5, 0.71, 0.93, 1.0];

/// Work that is spent on comparing, at most: about a second. A node is as much work as four vertices.
const MOST_WORK: usize = 100_000_000;

/// Of so many moments, each of which is so much work, every how many-th is compared.
fn stride(moments: usize, work: usize) -> usize {
    moments.saturating_mul(work).div_ceil(MOST_WORK).max(1)
}

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

/// Nodes that carry something, in both scenes. Some may be removed in the second; the order of the others is the same.
fn carriers(before: &Scene, after: &Scene) -> Vec<[Id<Node>; 2]> {
    let only_a_place = |kind| matches!(kind, NodeKind::Bone | NodeKind::Helper | NodeKind::Event);
    let carries = |(_, node): &(Id<Node>, &Node)| !only_a_place(node.kind);
    let mut others = after.nodes.iter().filter(carries).peekable();
    let pair = |(id, node): (Id<Node>, &Node)| {
        let same = |(_, other): &(Id<Node>, &Node)| other.kind == node.kind && other.name == node.name;
        Some([id, others.next_if(same)?.0])
    };
    before.nodes.iter().filter(carries).filter_map(pair).collect()
}

/// How far the vertices of the second model's triangles, and what attachments, emitters and others carry, are from the first's, as a
/// part of the model's size: the largest distance at seven moments of every sequence, or at fewer if that would take seconds. The order
/// of triangles has to be the same.
///
/// # Errors
/// When one of them cannot be posed.
pub fn posed_error(before: &Model, after: &Model) -> Result<f64> {
    let first = validate(effigy_convert::mdx::lower(before).scene)?;
    let second = validate(effigy_convert::mdx::lower(after).scene)?;
    let (one, two) = (Sampler::new(&first), Sampler::new(&second));
    let size = size(before);
    #[allow(clippy::cast_possible_truncation, reason = "a length")]
    let carried = (size * CARRIED) as f32;
    // What a node carries is where its place and the ends of its axes are.
    let ends = [glam::Vec3::ZERO, glam::Vec3::X, glam::Vec3::Y, glam::Vec3::Z].map(|axis| axis * carried);
    let pivot = |id: Id<Node>| first.nodes.get(id).map_or(glam::Vec3::ZERO, |node| node.pivot.into());
    let carriers = carriers(&first, &second);
    let (mut a, mut b) = (one.pose(), two.pose());
    let mut worst = 0.0_f32;
    let sequences = (0_u32..).zip(&before.sequences);
    let moments = sequences.flat_map(|(index, sequence)| {
        let [start, end] = sequence.interval.map(|time| f64::from(time.cast_signed()));
        let length = (end - start).max(0.0);
        MOMENTS.map(|part| Moment::new(Id::new(index), part * length))
    });
    let scenes = [&first, &second].into_iter();
    let vertices = scenes.clone().flat_map(|scene| scene.meshes.as_slice());
    let vertices: usize = vertices.map(|mesh| mesh.positions.len() + mesh.indices.len()).sum();
    let nodes: usize = scenes.map(|scene| scene.nodes.len()).sum();
    let every = stride(before.sequences.len() * MOMENTS.len(), 4 * nodes + vertices);
    for moment in moments.step_by(every) {
        one.sample(&moment, None, &mut a);
        two.sample(&moment, None, &mut b);
        one.skin(&mut a);
        two.skin(&mut b);
        for [node, other] in &carriers {
            for end in ends.map(|end| (pivot(*node) + end).into()) {
                let (p, q) = (a.point(*node, end), b.point(*other, end));
                worst = worst.max((glam::Vec3::from(p) - glam::Vec3::from(q)).length() * LOOSE);
            }
        }
        let meshes = first.meshes.as_slice().iter().zip(second.meshes.as_slice());
        for ((mesh, other), (a, b)) in meshes.zip(a.meshes().iter().zip(b.meshes())) {
            for (i, j) in mesh.indices.iter().zip(&other.indices) {
                let (Some(p), Some(q)) = (a.positions.get(*i as usize), b.positions.get(*j as usize)) else {
                    continue;
                };
                let distance = (glam::Vec3::from(*p) - glam::Vec3::from(*q)).length();
                if distance > worst {
                    worst = distance;
                }
            }
        }
    }
    Ok(f64::from(worst) / size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_models_of_many_sequences_and_nodes_are_compared_at_fewer_moments() {
        // A hero: 60 sequences, 150 nodes and 4000 vertices with 12,000 indices, twice.
        assert_eq!(stride(60 * 7, 4 * 300 + 32_000), 1);
        // 2000 sequences of 2000 nodes: 14,000 moments of 16,000 units of work.
        assert_eq!(stride(14_000, 16_000), 3);
        assert_eq!((stride(0, 0), stride(1, 1)), (1, 1));
        assert!(stride(usize::MAX, 2) > 1);
    }
}
