//! Weights of vertices: classic meshes have groups of bones that all count the same, later ones four bones with weights.
//!
//! A classic group moves its vertices by the mean of its bones. Unequal weights become whole numbers of equal parts: a bone that
//! counts twice is listed with a second bone that does not move against it. The real models never list a bone twice.

use effigy_scene::sample::{FewerNodes, Sampler};
use effigy_scene::{Influence, Skin, ValidScene, validate};
use effigy_wire::{Report, Result};
use std::collections::BTreeMap;

/// A bone of the new model: the node, and which of its copies; copies after the first follow it without moving themselves.
pub(in crate::raise) type BoneKey = (u32, u16);

/// The bone for vertices that follow nothing.
pub(in crate::raise) const STILL: BoneKey = (u32::MAX, 0);

/// Most parts that a group is divided into.
const MOST_PARTS: u16 = 8;
/// An error of a weight that is not worth more parts.
const GOOD_ENOUGH: f32 = 0.02;
/// Weights in bytes are not exactly equal.
const EQUAL: f32 = 0.5 / 127.0;
/// Weights that differ by less are the same but for rounding.
const SAME: f32 = 1e-6;
/// The part of the model's size from which on an error of weights in bytes is reported: less is rounding of the vertices.
const REPORTED: f32 = 1e-5;

/// Four bones, their weights, which sum to 255, and whether bones were left out.
pub(in crate::raise) type Row = ([BoneKey; 4], [u8; 4], bool);

/// The nodes of a group with weights that sum to 1; each node once. Empty: nothing moves it.
pub(in crate::raise) fn shares(skin: &Skin, group: u32) -> Vec<(u32, f32)> {
    let mut shares: Vec<(u32, f32)> = Vec::new();
    for influence in skin.group(group).iter().filter(|it| it.weight > 0.0) {
        let node = u32::try_from(influence.node.index()).unwrap_or(u32::MAX);
        match shares.iter_mut().find(|(known, _)| *known == node) {
            Some((_, weight)) => *weight += influence.weight,
            None => shares.push((node, influence.weight)),
        }
    }
    let sum: f32 = shares.iter().map(|(_, weight)| weight).sum();
    if sum > 0.0 && sum.is_finite() {
        shares.iter_mut().for_each(|(_, weight)| *weight /= sum);
    }
    shares
}

/// The scene with at most four nodes per vertex, which move it almost as all do. The report says how far vertices are off.
pub(in crate::raise) fn at_most_four(scene: ValidScene, report: &mut Report) -> Result<ValidScene> {
    const MOST: usize = 4;
    let is_long = |skin: &Skin| (0..).take(skin.groups.len()).any(|group| skin.group(group).len() > MOST);
    if !scene.meshes.as_slice().iter().filter_map(|mesh| mesh.skin.as_ref()).any(is_long) {
        return Ok(scene);
    }
    let finder = FewerNodes::new(&Sampler::new(&scene));
    let mut made = (*scene).clone();
    let mut worst = 0.0_f32;
    for mesh in made.meshes.as_mut_slice() {
        let Some(source) = &mesh.skin else { continue };
        let mut points: BTreeMap<u32, Vec<[f32; 3]>> = BTreeMap::new();
        for (group, point) in source.vertex_groups.iter().zip(&mesh.positions) {
            points.entry(*group).or_default().push(*point);
        }
        let mut skin = Skin { vertex_groups: source.vertex_groups.clone(), ..Skin::default() };
        for group in (0..).take(source.groups.len()) {
            let shares: Vec<_> = source.group(group).iter().map(|it| (it.node, it.weight)).collect();
            let points = points.get(&group).map_or(&[][..], Vec::as_slice);
            let (list, off) = finder.weights(&shares, points, MOST);
            worst = worst.max(off);
            skin.push_group(list.into_iter().map(|(node, weight)| Influence { node, weight }));
        }
        mesh.skin = Some(skin);
    }
    let part = worst / scene.info().bounds.size().max(1e-6) * 100.0;
    let text = format!(
        "vertices of more than four bones follow four that move almost as all do; the largest error found is {part:.2} % of the model's size"
    );
    report.approximated("skin", text);
    validate(made)
}

/// How often each weight counts, and the largest error.
pub(in crate::raise) fn counts(weights: &[f32]) -> (Vec<u16>, f32) {
    let equal = 1.0 / weights.len().max(1) as f32;
    if weights.iter().all(|weight| (weight - equal).abs() <= EQUAL) {
        let error = weights.iter().map(|weight| (weight - equal).abs()).fold(0.0, f32::max);
        return (vec![1; weights.len()], error);
    }
    let mut best = (Vec::new(), f32::INFINITY);
    for parts in 1..=MOST_PARTS {
        let counts = apportion(weights, parts);
        let off = |(weight, count): (&f32, &u16)| (weight - f32::from(*count) / f32::from(parts)).abs();
        let error = weights.iter().zip(&counts).map(off).fold(0.0, f32::max);
        if error < best.1 {
            best = (counts, error);
        }
        if best.1 <= GOOD_ENOUGH {
            break;
        }
    }
    best
}

/// Whole numbers in proportion to weights that sum to 1: the largest remainders are rounded up.
pub(in crate::raise) fn apportion(weights: &[f32], total: u16) -> Vec<u16> {
    let exact: Vec<f32> = weights.iter().map(|weight| weight * f32::from(total)).collect();
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and the total")]
    let mut counts: Vec<u16> =
        exact.iter().map(|value| value.clamp(0.0, f32::from(total)).floor() as u16).collect();
    let mut order: Vec<usize> = (0..weights.len()).collect();
    let rest = |at: usize| exact.get(at).map_or(0.0, |value| value - value.floor());
    order.sort_by(|a, b| rest(*b).total_cmp(&rest(*a)).then(a.cmp(b)));
    let mut left = total.saturating_sub(counts.iter().copied().fold(0, u16::saturating_add));
    for at in order.iter().cycle().take(weights.len().saturating_mul(2)) {
        if left == 0 {
            break;
        }
        if let Some(count) = counts.get_mut(*at) {
            *count += 1;
            left -= 1;
        }
    }
    counts
}

/// The bones of a classic group.
pub(in crate::raise) fn bones(shares: &[(u32, f32)]) -> (Vec<BoneKey>, f32) {
    if shares.is_empty() {
        return (vec![STILL], 0.0);
    }
    let weights: Vec<f32> = shares.iter().map(|(_, weight)| *weight).collect();
    let (counts, error) = counts(&weights);
    let copies =
        shares.iter().zip(&counts).flat_map(|((node, _), count)| (0..*count).map(move |copy| (*node, copy)));
    (copies.collect(), error)
}

/// The row of a group.
pub(in crate::raise) fn row(shares: &[(u32, f32)]) -> Row {
    let mut order: Vec<(u32, f32)> = shares.to_vec();
    let cut = order.len() > 4;
    if cut {
        order.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        order.truncate(4);
        let sum: f32 = order.iter().map(|(_, weight)| weight).sum();
        order.iter_mut().for_each(|(_, weight)| *weight /= sum);
    }
    if order.is_empty() {
        return ([STILL; 4], [255, 0, 0, 0], false);
    }
    let weights: Vec<f32> = order.iter().map(|(_, weight)| *weight).collect();
    let bytes = apportion(&weights, 255);
    let first = order.first().map_or(u32::MAX, |(node, _)| *node);
    let (mut keys, mut row) = ([(first, 0); 4], [0_u8; 4]);
    for (((key, byte), (node, _)), weight) in keys.iter_mut().zip(&mut row).zip(&order).zip(bytes) {
        *key = (*node, 0);
        *byte = u8::try_from(weight).unwrap_or(u8::MAX);
    }
    (keys, row, cut)
}

/// What the bones of a classic group leave of its weights.
pub(in crate::raise) fn rest_of_parts(shares: &[(u32, f32)], bones: &[BoneKey]) -> Vec<(u32, f32)> {
    let part = 1.0 / bones.len().max(1) as f32;
    let used = |node: u32| bones.iter().filter(|(other, _)| *other == node).count() as f32 * part;
    shares.iter().map(|(node, weight)| (*node, weight - used(*node))).collect()
}

/// What a row of four bones leaves of the weights; none: nothing but rounding.
pub(in crate::raise) fn rest_of_row(
    shares: &[(u32, f32)],
    &(keys, weights, _): &Row,
) -> Option<Vec<(u32, f32)>> {
    let used = |node: u32| {
        let mine = keys.iter().zip(weights).filter(|((other, _), _)| *other == node);
        mine.map(|(_, weight)| f32::from(weight) / 255.0).sum::<f32>()
    };
    let rest: Vec<(u32, f32)> = shares.iter().map(|(node, weight)| (*node, weight - used(*node))).collect();
    rest.iter().any(|(_, weight)| weight.abs() > SAME).then_some(rest)
}

/// Reports how far weights in bytes are from those of the source, in a model of this size.
pub(in crate::raise) fn report_bytes(report: &mut Report, error: f32, size: f32) {
    let part = if size > 0.0 { error / size } else { 0.0 };
    if part >= REPORTED {
        let part = part * 100.0;
        let text =
            format!("weights of bones are bytes; the largest error is {part:.3} % of the model's size");
        report.approximated("skin", text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_become_small_whole_numbers() {
        assert_eq!(counts(&[1.0]).0, [1]);
        assert_eq!(counts(&[0.5, 0.5]).0, [1, 1]);
        assert_eq!(counts(&[128.0 / 255.0, 127.0 / 255.0]).0, [1, 1]);
        assert_eq!(counts(&[0.75, 0.25]).0, [3, 1]);
        // 0.6 and 0.4: three and two of five, exact.
        let (counts, error) = counts(&[0.6, 0.4]);
        assert_eq!(counts, [3, 2]);
        assert!(error < 1e-6);
        // A bone of one percent is not worth a part.
        assert_eq!(super::counts(&[0.99, 0.01]).0, [1, 0]);
        assert_eq!(super::counts(&[0.125; 8]).0, [1; 8]);
    }

    #[test]
    fn a_bone_that_counts_twice_gets_a_copy() {
        assert_eq!(bones(&[(4, 2.0 / 3.0), (9, 1.0 / 3.0)]).0, [(4, 0), (4, 1), (9, 0)]);
        assert_eq!(bones(&[]).0, [STILL]);
    }

    #[test]
    fn bytes_sum_to_255_and_come_back() {
        // Thirds: 85 each. 0.5, 0.3, 0.2: 127.5, 76.5, 51; one part is left for the first of the two halves.
        assert_eq!(row(&[(1, 1.0 / 3.0), (2, 1.0 / 3.0), (3, 1.0 / 3.0)]).1, [85, 85, 85, 0]);
        assert_eq!(row(&[(1, 0.5), (2, 0.3), (3, 0.2)]).1, [128, 76, 51, 0]);
        let given = [200_u8, 40, 10, 5];
        let shares: Vec<(u32, f32)> = (0..).zip(given.map(|byte| f32::from(byte) / 255.0)).collect();
        assert_eq!(row(&shares).1, given);
        let (keys, weights, cut) = row(&[(1, 0.3), (2, 0.3), (3, 0.1), (4, 0.2), (5, 0.1)]);
        assert!(cut);
        assert_eq!(keys.map(|(node, _)| node), [1, 2, 4, 3]);
        assert_eq!(weights.iter().map(|byte| u32::from(*byte)).sum::<u32>(), 255);
    }

    #[test]
    fn what_bytes_leave_of_the_weights_is_known() {
        // 128, 76 and 51 of 255.
        let rest = |shares: &[(u32, f32)]| rest_of_row(shares, &row(shares)).unwrap();
        let missing = rest(&[(1, 0.5), (2, 0.3), (3, 0.2)]);
        for ((node, rest), (expected, value)) in
            missing.iter().zip([(1, -0.001_961), (2, 0.001_961), (3, 0.0)])
        {
            assert!(*node == expected && (rest - value).abs() < 1e-5, "{node}: {rest}");
        }
        // The fifth bone is left out; the others share its tenth, so that all bytes are used.
        let rest = rest(&[(1, 0.3), (2, 0.3), (3, 0.1), (4, 0.2), (5, 0.1)]);
        assert_eq!(rest.len(), 5);
        assert!(
            (rest[4].1 - 0.1).abs() < 1e-6 && rest.iter().map(|it| it.1).sum::<f32>().abs() < 1e-6,
            "{rest:?}"
        );
        // Fifths are 51 of 255, and a few last digits are not worth a word.
        for exact in [&[(7, 0.4), (8, 0.6)][..], &[(7, 0.400_000_3), (8, 0.599_999_7)], &[(3, 1.0)], &[]] {
            assert_eq!(rest_of_row(exact, &row(exact)), None);
        }
    }

    #[test]
    fn only_errors_that_can_be_seen_are_reported() {
        let said = |error, size| {
            let mut report = Report::default();
            report_bytes(&mut report, error, size);
            report.notes().iter().map(|note| note.message.clone()).collect::<Vec<_>>()
        };
        assert_eq!(
            said(0.04, 80.0),
            ["weights of bones are bytes; the largest error is 0.050 % of the model's size"]
        );
        assert_eq!(said(0.000_9, 80.0).len(), 1);
        assert!(said(0.000_7, 80.0).is_empty() && said(0.0, 0.0).is_empty() && said(1.0, 0.0).is_empty());
    }

    #[test]
    fn shares_of_a_node_are_added_and_sum_to_one() {
        let influence = |node: u32, weight: f32| Influence { node: effigy_scene::Id::new(node), weight };
        let mut skin = Skin::default();
        skin.push_group([influence(3, 1.0), influence(5, 0.0), influence(7, 2.0), influence(3, 1.0)]);
        skin.push_group([influence(3, 0.0), influence(4, -1.0)]);
        skin.push_group([influence(2, f32::INFINITY)]);
        assert_eq!(shares(&skin, 0), [(3, 0.5), (7, 0.5)]);
        assert_eq!(shares(&skin, 1), []);
        assert_eq!(shares(&skin, 2), [(2, f32::INFINITY)]);
    }

    #[test]
    fn parts_are_as_few_as_are_good_enough() {
        // Nearly equal weights count the same, and the error is what is missing: 0.003.
        let (parts, error) = counts(&[0.503, 0.497]);
        assert!(parts == [1, 1] && (error - 0.003).abs() < 1e-6, "{error}");
        // Thirds and a bit: 1, 1, 1 of 3 is 0.01 off.
        let (parts, error) = counts(&[1.0 / 3.0 + 0.01, 1.0 / 3.0, 1.0 / 3.0 - 0.01]);
        assert!(parts == [1, 1, 1] && (error - 0.01).abs() < 1e-5, "{error}");
        // 0.7 and 0.3: 5 and 2 of 7 are 0.0143 off; 2 and 1 of 3 are 0.033 off.
        let (parts, error) = counts(&[0.7, 0.3]);
        assert!(parts == [5, 2] && (error - (5.0 / 7.0 - 0.7)).abs() < 1e-5, "{error}");
        // 0.94 and 0.06: with 8 parts at most, 1 and 0 are nearest.
        let (parts, error) = counts(&[0.94, 0.06]);
        assert!(parts == [1, 0] && (error - 0.06).abs() < 1e-5, "{error}");
        let shares = [(8, 0.7), (9, 0.3)];
        let rest = rest_of_parts(&shares, &bones(&shares).0);
        assert!(rest[0].0 == 8 && (rest[0].1 - (0.7 - 5.0 / 7.0)).abs() < 1e-6, "{rest:?}");
        assert!(rest[1].0 == 9 && (rest[1].1 - (0.3 - 2.0 / 7.0)).abs() < 1e-6, "{rest:?}");
        assert_eq!(bones(&[(1, 0.7), (2, 0.3)]).0, [(1, 0), (1, 1), (1, 2), (1, 3), (1, 4), (2, 0), (2, 1)]);
    }

    #[test]
    fn whole_numbers_have_the_given_sum() {
        assert_eq!(apportion(&[0.5, 0.25, 0.25], 7), [3, 2, 2]);
        assert_eq!(apportion(&[0.3, 0.3, 0.4], 1), [0, 0, 1]);
        // Of equal remainders the first is rounded up.
        assert_eq!(apportion(&[0.25; 4], 2), [1, 1, 0, 0]);
        // Weights of less than a whole: every one is raised twice at most.
        assert_eq!(apportion(&[0.0, 0.0], 3), [2, 1]);
        assert_eq!(apportion(&[0.0, 0.0], 9), [2, 2]);
        assert_eq!(row(&[]), ([STILL; 4], [255, 0, 0, 0], false));
        assert_eq!(row(&[(6, 1.0)]), ([(6, 0); 4], [255, 0, 0, 0], false));
    }
}
