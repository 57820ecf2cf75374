//! Weights of fewer nodes that move vertices almost as all of them do.
//!
//! Most programs read four nodes per vertex, and some games have no room for more. Leaving out the weakest is a poor choice where it
//! goes another way than the rest: a node that moves alike can take over its weight.

use super::{Moment, Sampler};
use crate::{Id, Node};
use glam::{Affine3A, DVec3, Vec3A};

/// Poses that are compared, at most, apart from that of rest.
const POSES: usize = 32;
/// Points of a group that are compared, at most.
const POINTS: usize = 8;
/// Nodes of a group that may keep a weight: the strongest. A file can name thousands.
const CANDIDATES: usize = 12;
/// Moments of a sequence, as shares of its length.
const PARTS: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 0.999];
/// How often the weights are improved.
const ROUNDS: usize = 100;

/// Finds weights of fewer nodes, from poses of all sequences.
#[derive(Clone, Debug)]
pub struct FewerNodes {
    poses: Vec<Vec<Affine3A>>,
}

impl FewerNodes {
    /// Samples the poses. Scenes with many sequences are represented by some moments of each, or of some.
    #[must_use]
    pub fn new(sampler: &Sampler<'_>) -> Self {
        let all = sampler.scene.sequences.iter().flat_map(|(id, sequence)| {
            let length = f64::from(sequence.length());
            PARTS.map(|part| Moment::new(id, length * part))
        });
        let step = sampler.scene.sequences.len().saturating_mul(PARTS.len()).div_ceil(POSES).max(1);
        let mut pose = sampler.pose();
        let mut poses = Vec::new();
        for moment in std::iter::once(Moment::default()).chain(all.step_by(step)) {
            sampler.sample(&moment, None, &mut pose);
            poses.push(pose.matrices.clone());
        }
        Self { poses }
    }

    /// At most `most` nodes with their weights, instead of all of `shares`, for a group of vertices at `points` in the bind pose;
    /// and the largest distance between where the old and the new weights put one of them.
    ///
    /// The weights sum to the same as before.
    #[must_use]
    pub fn weights(
        &self,
        shares: &[(Id<Node>, f32)],
        points: &[[f32; 3]],
        most: usize,
    ) -> (Vec<(Id<Node>, f32)>, f32) {
        let total: f64 = shares.iter().map(|(_, weight)| f64::from(*weight)).sum();
        if shares.len() <= most || most == 0 || total <= 0.0 {
            return (shares.to_vec(), 0.0);
        }
        let mut strongest: Vec<(Id<Node>, f64)> =
            shares.iter().map(|(node, weight)| (*node, f64::from(*weight) / total)).collect();
        // Places count from where all nodes together put the point.
        let mut whole: Vec<DVec3> = Vec::new();
        for (node, weight) in &strongest {
            let places = self.places(*node, points);
            whole.resize(places.len(), DVec3::ZERO);
            whole.iter_mut().zip(places).for_each(|(sum, place)| *sum += place * *weight);
        }
        strongest.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        let left: f64 = strongest.iter().skip(CANDIDATES).map(|(_, weight)| weight).sum();
        strongest.truncate(CANDIDATES.max(most));
        // What is left out beforehand goes to the strongest of all.
        strongest.iter_mut().take(1).for_each(|(_, weight)| *weight += left);
        let away: Vec<Vec<DVec3>> = strongest
            .iter()
            .map(|(node, _)| self.places(*node, points).iter().zip(&whole).map(|(a, b)| *a - *b).collect())
            .collect();
        let product = |a: &[DVec3], b: &[DVec3]| a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum();
        let products: Vec<Vec<f64>> =
            away.iter().map(|a| away.iter().map(|b| product(a, b)).collect()).collect();
        let mut candidates: Vec<Candidate> = (0..)
            .zip(&strongest)
            .map(|(number, (node, weight))| Candidate { number, node: *node, weight: *weight })
            .collect();
        while candidates.len() > most {
            merge_cheapest(&mut candidates, &products);
        }
        improve(&mut candidates, &products);
        let off = (0..whole.len()).map(|at| {
            let place = |it: &Candidate| away.get(it.number).and_then(|list| list.get(at)).copied();
            candidates.iter().map(|it| place(it).unwrap_or_default() * it.weight).sum::<DVec3>().length()
        });
        let off = off.fold(0.0, f64::max);
        #[allow(
            clippy::cast_possible_truncation,
            reason = "weights and distances were given as such numbers"
        )]
        let narrow = |value: f64| value as f32;
        candidates.retain(|it| it.weight > 0.0);
        (candidates.iter().map(|it| (it.node, narrow(it.weight * total))).collect(), narrow(off))
    }

    /// Where a node puts points in each pose.
    fn places(&self, node: Id<Node>, points: &[[f32; 3]]) -> Vec<DVec3> {
        let step = points.len().div_ceil(POINTS).max(1);
        let chosen: Vec<Vec3A> = points.iter().step_by(step).map(|point| Vec3A::from(*point)).collect();
        let matrices = self.poses.iter().map(|pose| pose.get(node.index()).copied().unwrap_or_default());
        matrices
            .flat_map(|matrix| chosen.iter().map(move |point| matrix.transform_point3a(*point).as_dvec3()))
            .collect()
    }
}

/// A node that may keep a weight.
struct Candidate {
    /// Its row in the table of products.
    number: usize,
    node: Id<Node>,
    weight: f64,
}

/// The sum over all places of the product of two nodes: how alike they move.
fn product(products: &[Vec<f64>], a: usize, b: usize) -> f64 {
    products.get(a).and_then(|row| row.get(b)).copied().unwrap_or(0.0)
}

/// How differently two nodes move: the sum of squared distances.
fn distance(products: &[Vec<f64>], a: usize, b: usize) -> f64 {
    let sum = product(products, a, a) + product(products, b, b) - 2.0 * product(products, a, b);
    sum.max(0.0)
}

/// Gives the weight of one node to another, where it makes the smallest difference; of two that move alike, to the stronger.
fn merge_cheapest(candidates: &mut Vec<Candidate>, products: &[Vec<f64>]) {
    let mut best: Option<([f64; 2], usize, usize)> = None;
    for (at, from) in candidates.iter().enumerate() {
        for (to, into) in candidates.iter().enumerate().filter(|(to, _)| *to != at) {
            let cost =
                [from.weight * from.weight * distance(products, from.number, into.number), from.weight];
            if best.is_none_or(|(known, ..)| cost < known) {
                best = Some((cost, at, to));
            }
        }
    }
    let Some((_, from, to)) = best else {
        candidates.pop();
        return;
    };
    let weight = candidates.get(from).map_or(0.0, |it| it.weight);
    if let Some(into) = candidates.get_mut(to) {
        into.weight += weight;
    }
    candidates.remove(from);
}

/// Moves weight between pairs of nodes as long as the points get nearer to where they belong. No weight becomes negative.
fn improve(candidates: &mut [Candidate], products: &[Vec<f64>]) {
    for _ in 0..ROUNDS {
        for at in 1..candidates.len() {
            for other in 0..at {
                let (Some(one), Some(two)) = (candidates.get(at), candidates.get(other)) else { continue };
                let apart = distance(products, one.number, two.number);
                if apart <= 0.0 {
                    continue;
                }
                // The step from the other to this one that leaves the smallest sum of squares.
                let slope: f64 = candidates
                    .iter()
                    .map(|it| {
                        let alike = |number| product(products, it.number, number);
                        it.weight * (alike(one.number) - alike(two.number))
                    })
                    .sum();
                let step = (-slope / apart).max(-one.weight).min(two.weight);
                // Poses of damaged models may reach beyond every number.
                if !step.is_finite() {
                    continue;
                }
                candidates.iter_mut().skip(at).take(1).for_each(|it| it.weight += step);
                candidates.iter_mut().skip(other).take(1).for_each(|it| it.weight -= step);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{NodeKind, Scene, Sequence, Track, validate};

    /// Nodes that move along x by these lengths within a second.
    fn scene(lengths: &[f32]) -> Scene {
        let mut scene = Scene::default();
        scene.sequences.push(Sequence { name: "Move".into(), start: 0, end: 1000, ..Sequence::default() });
        for length in lengths {
            let mut node = Node::new("node", NodeKind::Bone, None, [0.0; 3]);
            let keys = vec![[0.0; 3], [*length, 0.0, 0.0]];
            node.translation.track = Some(Track::linear(vec![0, 1000], keys, [0.0; 3]));
            scene.nodes.push(node);
        }
        scene
    }

    fn fewer(lengths: &[f32], weights: &[f32], most: usize) -> (Vec<(usize, f32)>, f32) {
        let scene = validate(scene(lengths)).unwrap();
        let shares: Vec<(Id<Node>, f32)> = (0..).map(Id::new).zip(weights.iter().copied()).collect();
        let (list, off) = FewerNodes::new(&Sampler::new(&scene)).weights(&shares, &[[1.0, 2.0, 3.0]], most);
        (list.iter().map(|(node, weight)| (node.index(), *weight)).collect(), off)
    }

    fn near(found: &[(usize, f32)], expected: &[(usize, f32)]) -> bool {
        found.len() == expected.len()
            && found.iter().zip(expected).all(|(a, b)| a.0 == b.0 && (a.1 - b.1).abs() < 1e-5)
    }

    #[test]
    fn a_node_that_moves_alike_takes_the_weight_over() {
        // The third moves as the first does, though the second is the weakest.
        let (list, off) = fewer(&[10.0, 20.0, 10.0], &[0.5, 0.1, 0.4], 2);
        assert!(near(&list, &[(0, 0.9), (1, 0.1)]), "{list:?}");
        assert!(off < 1e-6, "{off}");
    }

    #[test]
    fn two_nodes_move_as_the_one_between_them() {
        // 0.5 * 0 + 0.3 * 5 + 0.2 * 10 = 3.5 of 10.
        let (list, off) = fewer(&[0.0, 5.0, 10.0], &[0.5, 0.3, 0.2], 2);
        let moved: f32 = list.iter().map(|(node, weight)| [0.0, 5.0, 10.0][*node] * weight).sum();
        assert!((moved - 3.5).abs() < 1e-4 && off < 1e-4, "{list:?} {off}");
        assert!((list.iter().map(|it| it.1).sum::<f32>() - 1.0).abs() < 1e-6);
    }

    #[test]
    fn what_cannot_be_reached_is_measured_and_no_weight_is_negative() {
        // One node is left: it can only move by 0 or by 10, and 4 are wanted.
        let (list, off) = fewer(&[0.0, 10.0], &[0.6, 0.4], 1);
        assert!(near(&list, &[(0, 1.0)]), "{list:?}");
        // The last moment is 0.999 of the length.
        assert!((off - 3.996).abs() < 1e-4, "{off}");
        // 8 are wanted; the nearest mixtures use nodes on both sides.
        let (list, off) = fewer(&[0.0, 6.0, 9.0, 9.0], &[0.05, 0.15, 0.4, 0.4], 2);
        assert!(list.iter().all(|it| it.1 > 0.0) && off < 1e-4, "{list:?} {off}");
    }

    #[test]
    fn few_nodes_stay_as_they_are_and_sums_are_kept() {
        let (list, off) = fewer(&[1.0, 2.0], &[0.25, 0.5], 4);
        assert_eq!((list.as_slice(), off), (&[(0, 0.25), (1, 0.5)][..], 0.0));
        let (list, _) = fewer(&[1.0, 1.0, 1.0], &[0.25, 0.25, 0.25], 2);
        assert!((list.iter().map(|it| it.1).sum::<f32>() - 0.75).abs() < 1e-6, "{list:?}");
        assert!(fewer(&[], &[], 2).0.is_empty());
        assert_eq!(fewer(&[1.0, 2.0], &[0.0, 0.0], 1).0.len(), 2);
    }

    #[test]
    fn many_sequences_are_represented_by_some_of_their_poses() {
        let mut many = scene(&[1.0]);
        for _ in 0..99 {
            many.sequences.push(Sequence { name: "Move".into(), start: 0, end: 1000, ..Sequence::default() });
        }
        let many = validate(many).unwrap();
        let poses = FewerNodes::new(&Sampler::new(&many)).poses.len();
        // 500 moments, every sixteenth, and the rest pose.
        assert_eq!(poses, 33);
    }

    #[test]
    fn nodes_that_leave_every_number_behind_keep_their_weights() {
        for (lengths, weights) in
            [([f32::MAX, -f32::MAX, f32::MAX], [0.5, 0.25, 0.25]), ([1.0, 2.0, 3.0], [-1.0, 0.5, 2.0])]
        {
            let (list, _) = fewer(&lengths, &weights, 2);
            assert!(list.len() <= 2 && list.iter().all(|it| it.1.is_finite()), "{list:?}");
        }
    }

    #[test]
    fn a_group_of_very_many_nodes_is_measured_against_all_of_them() {
        // Half rests; the other half is spread over 3,000 nodes that move by 10: 5 are wanted, and a few of them are enough.
        let lengths: Vec<f32> = std::iter::once(0.0).chain(std::iter::repeat_n(10.0, 3000)).collect();
        let weights: Vec<f32> = std::iter::once(0.5).chain(std::iter::repeat_n(0.5 / 3000.0, 3000)).collect();
        let (list, off) = fewer(&lengths, &weights, 4);
        let moved: f32 = list.iter().map(|(node, weight)| lengths[*node] * weight).sum();
        assert!(list.len() <= 4 && (moved - 5.0).abs() < 1e-3 && off < 1e-3, "{list:?} {off}");
    }
}
