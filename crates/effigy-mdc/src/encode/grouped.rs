//! Groups of frames that share a base frame, for each surface separately.

use super::{Mode, NormalFinder, Packed, REACH, compress, entry, frame_in_reach};
use crate::Vertex;
use effigy_wire::Result;
use std::collections::BTreeMap;

/// Only the newest groups are tried for a frame, so that the time grows linearly with the file.
const MOST_GROUPS: usize = 256;
/// Most vertices that may be compared in a search that compares all pairs of frames.
const MOST_COMPARED: usize = 1 << 28;

/// A base frame and the frames that refer to it, as indices into the list of distinct frames.
struct Group {
    base: Vec<Vertex>,
    /// The frame that is stored as the base itself, if there is one.
    own: Option<usize>,
    members: Vec<usize>,
}

/// Packs the frames of one surface.
pub(super) fn pack(frames: &[&[Vertex]], mode: Mode, finder: &mut NormalFinder) -> Result<Packed> {
    let mut numbers = BTreeMap::new();
    let mut different: Vec<&[Vertex]> = Vec::new();
    let mut number_of_frame = Vec::with_capacity(frames.len());
    for &frame in frames {
        let number = *numbers.entry(bytemuck::cast_slice::<Vertex, u8>(frame)).or_insert_with(|| {
            different.push(frame);
            different.len() - 1
        });
        number_of_frame.push(number);
    }
    let mut best = real_bases(&different);
    if mode == Mode::Smallest {
        let mut candidates = vec![ranges(&different, 1), ranges(&different, MOST_GROUPS)];
        let vertices = different.first().map_or(0, |frame| frame.len());
        if different.len().saturating_mul(different.len()).saturating_mul(vertices) <= MOST_COMPARED {
            candidates.push(covering(&different));
        }
        for groups in candidates {
            if cost(&groups) < cost(&best) {
                best = groups;
            }
        }
    }
    store(&best, &different, &number_of_frame, finder)
}

/// Bytes per vertex, divided by four.
fn cost(groups: &[Group]) -> usize {
    groups.iter().map(|group| 2 + group.members.len() - usize::from(group.own.is_some())).sum()
}

fn store(
    groups: &[Group],
    different: &[&[Vertex]],
    number_of_frame: &[usize],
    finder: &mut NormalFinder,
) -> Result<Packed> {
    let mut packed = Packed::default();
    let mut places = vec![(0, -1); different.len()];
    let mut compressed = 0;
    for (index, group) in groups.iter().enumerate() {
        packed.base.extend(&group.base);
        for &member in &group.members {
            let Some((place, frame)) = places.get_mut(member).zip(different.get(member)) else { continue };
            place.0 = entry(index)?;
            if group.own != Some(member) {
                place.1 = entry(compressed)?;
                compressed += 1;
                packed.compressed.extend(compress(&group.base, frame, finder));
            }
        }
    }
    for &number in number_of_frame {
        let (base, compressed) = places.get(number).copied().unwrap_or_default();
        packed.base_of_frame.push(base);
        packed.compressed_of_frame.push(compressed);
    }
    Ok(packed)
}

/// Each frame uses the nearest base that is in reach, or becomes a base.
fn real_bases(different: &[&[Vertex]]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for (index, frame) in different.iter().enumerate() {
        let near = groups
            .iter_mut()
            .rev()
            .take(MOST_GROUPS)
            .filter(|group| frame_in_reach(&group.base, frame))
            .min_by_key(|group| off(&group.base, frame));
        match near {
            Some(group) => group.members.push(index),
            None => groups.push(Group { base: frame.to_vec(), own: Some(index), members: vec![index] }),
        }
    }
    groups
}

/// The rounding error: the sum of squares, in tenths of 1/64 units.
fn off(base: &[Vertex], frame: &[Vertex]) -> u64 {
    let mut sum = 0_u64;
    for (base, vertex) in base.iter().zip(frame) {
        for (&base, value) in base.position.iter().zip(vertex.position) {
            // A step is 3.2, so tenths of a 1/64 unit are exact.
            let steps = i64::from(super::offset_byte(base, value)) - 127;
            let lost = (i64::from(value) - i64::from(base)) * 10 - steps * 32;
            sum = sum.saturating_add(lost.unsigned_abs().pow(2));
        }
    }
    sum
}

/// Groups frames in which every vertex stays within twice the reach, with a base in the middle of them. For each frame
/// the newest `most` groups are tried.
fn ranges(different: &[&[Vertex]], most: usize) -> Vec<Group> {
    struct Range {
        low: Vec<Vertex>,
        high: Vec<Vertex>,
        members: Vec<usize>,
    }
    let fits = |range: &Range, frame: &[Vertex]| {
        let bounds = range.low.iter().zip(&range.high).zip(frame);
        bounds.into_iter().all(|((low, high), vertex)| {
            let axes = low.position.iter().zip(high.position).zip(vertex.position);
            axes.into_iter().all(|((&low, high), value)| {
                i32::from(high.max(value)) - i32::from(low.min(value)) <= 2 * REACH
            })
        })
    };
    let mut open: Vec<Range> = Vec::new();
    for (index, frame) in different.iter().enumerate() {
        match open.iter_mut().rev().take(most).find(|range| fits(range, frame)) {
            Some(range) => {
                range.members.push(index);
                for ((low, high), vertex) in range.low.iter_mut().zip(&mut range.high).zip(*frame) {
                    for ((low, high), value) in
                        low.position.iter_mut().zip(&mut high.position).zip(vertex.position)
                    {
                        *low = value.min(*low);
                        *high = value.max(*high);
                    }
                }
            }
            None => {
                open.push(Range { low: frame.to_vec(), high: frame.to_vec(), members: vec![index] });
            }
        }
    }
    let close = |range: Range| {
        // If a frame of the model reaches all others it becomes the base and is not stored again.
        let frame = |index: usize| different.get(index).copied().unwrap_or_default();
        let reaches_all =
            |&&own: &&usize| range.members.iter().all(|&member| frame_in_reach(frame(own), frame(member)));
        let all = range.members.len().saturating_mul(range.low.len()).max(1);
        if let Some(&own) = range.members.iter().take(MOST_COMPARED / all).find(reaches_all) {
            return Group { base: frame(own).to_vec(), own: Some(own), members: range.members };
        }
        let middle = |(low, high): (&Vertex, &Vertex)| {
            let mut vertex = *low;
            for (value, high) in vertex.position.iter_mut().zip(high.position) {
                *value = value.midpoint(high);
            }
            vertex
        };
        let base = range.low.iter().zip(&range.high).map(middle).collect();
        Group { base, own: None, members: range.members }
    };
    open.into_iter().map(close).collect()
}

/// Repeatedly makes a base of the frame that reaches most of the remaining frames.
fn covering(different: &[&[Vertex]]) -> Vec<Group> {
    let mut left: Vec<usize> = (0..different.len()).collect();
    let frame = |index: usize| different.get(index).copied().unwrap_or_default();
    let reach: Vec<Vec<bool>> = different
        .iter()
        .map(|base| different.iter().map(|frame| frame_in_reach(base, frame)).collect())
        .collect();
    let reaches = |base: usize, other: usize| reach.get(base).and_then(|row| row.get(other)) == Some(&true);
    let mut groups = Vec::new();
    while !left.is_empty() {
        let count = |&&base: &&usize| left.iter().filter(|&&other| reaches(base, other)).count();
        // If several reach the same number, any of them will do.
        let Some(&own) = left.iter().max_by_key(count) else { break };
        let (members, rest) = left.iter().partition(|&&other| other == own || reaches(own, other));
        left = rest;
        groups.push(Group { base: frame(own).to_vec(), own: Some(own), members });
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rounding_error_is_the_sum_of_squares() {
        let vertex = |position| Vertex { position, normal: 0 };
        // 32 is ten steps of 3.2. 3 is one step, -0.2 off. -10 is three steps back, -0.4 off. In tenths: 0, 4 and 16.
        assert_eq!(off(&[vertex([0; 3])], &[vertex([32, 3, -10])]), 20);
        // Only the difference counts.
        assert_eq!(off(&[vertex([100, -50, 7])], &[vertex([132, -47, -3])]), 20);
        assert_eq!(off(&[vertex([5; 3]); 2], &[vertex([5; 3]), vertex([6, 5, 5])]), 100);
    }
}
