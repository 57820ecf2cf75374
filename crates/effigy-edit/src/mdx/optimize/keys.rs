//! Keys without an effect, and keys that their neighbours nearly reproduce.
//!
//! Kept in any case: the first and the last key of each sequence, unless all of its keys are equal; one key of a track that
//! is not a node's (a sequence without keys does not show the static value); tracks whose keys are out of order; tracks
//! of global sequences. Keys on a border that two sequences share belong to both.

use super::super::is_motion;
use super::measure::size;
use effigy_mdx::track::tags;
use effigy_mdx::{ChunkKind, Interpolation, Model, Track, Tracks, ValueKind};
use std::collections::HashMap;

/// A part of the timeline that is played, both ends included.
type Interval = (i64, i64);

fn intervals(model: &Model) -> Vec<Interval> {
    // Times are signed: some sequences begin before 0.
    model.sequences.iter().map(|one| one.interval.map(|time| time.cast_signed().into()).into()).collect()
}

fn times(track: &Track) -> Vec<i64> {
    track.times().map(i64::from).collect()
}

/// Whether the track's keys may be removed at all.
fn is_fit(track: &Track, times: &[i64]) -> bool {
    track.global_sequence < 0 && times.is_sorted_by(|a, b| a < b)
}

fn keep(track: &mut Track, kept: &[bool]) -> usize {
    let gone = kept.iter().filter(|kept| !**kept).count();
    if gone > 0 {
        let keys = track.words().chunks_exact(track.stride()).zip(kept);
        let words: Vec<u32> =
            keys.filter(|(_, kept)| **kept).flat_map(|(key, _)| key.iter().copied()).collect();
        // Whole keys are kept.
        _ = track.set_words(track.interpolation(), words);
    }
    gone
}

/// Splines that never curve become lines: their tangents are two thirds of their bytes.
pub(super) fn straighten(model: &mut Model) {
    let played = intervals(model);
    let one = |track: &mut Track| {
        if track.interpolation().has_tangents() && !track.is_empty() && is_flat(track, &played) {
            let width = track.kind().width();
            let keys = track.words().chunks_exact(track.stride());
            let words: Vec<u32> = keys.flat_map(|key| key.iter().take(1 + width)).copied().collect();
            // The time and the value of each key are kept.
            _ = track.set_words(Interpolation::LINEAR, words);
        }
    };
    model.each_tracks_mut(|tracks| tracks.0.iter_mut().for_each(one));
    model.each_slot_track_mut(|track| track.iter_mut().for_each(one));
}

/// Whether a spline rests in each sequence: it has one key there, or equal ones with tangents that lead nowhere.
fn is_flat(track: &Track, played: &[Interval]) -> bool {
    let times = times(track);
    let width = track.kind().width();
    let keys: Vec<&[u32]> = track.words().chunks_exact(track.stride()).collect();
    let part = |key: usize, part: usize| {
        let words = keys.get(key).and_then(|key| key.get(1 + part * width..1 + (part + 1) * width));
        words.unwrap_or_default()
    };
    let leads_nowhere = |key: usize, tangent: usize| match (track.kind(), track.interpolation()) {
        (ValueKind::Index, _) => true,
        // A rotation, or a point of its own.
        (ValueKind::Rotation, _) | (_, Interpolation::BEZIER) => part(key, tangent) == part(key, 0),
        // A slope, with either sign.
        _ => part(key, tangent).iter().all(|word| word & 0x7fff_ffff == 0),
    };
    let rests = |keys: std::ops::Range<usize>| {
        let first = keys.start;
        keys.len() < 2
            || keys
                .into_iter()
                .all(|key| part(key, 0) == part(first, 0) && leads_nowhere(key, 1) && leads_nowhere(key, 2))
    };
    if track.global_sequence >= 0 {
        return rests(0..times.len());
    }
    times.is_sorted() && played.iter().all(|interval| rests(range(&times, *interval)))
}

/// Removes keys in no sequence, and exact repetitions; returns how many.
pub(super) fn without_effect(model: &mut Model) -> usize {
    let played = intervals(model);
    if played.is_empty() {
        return 0;
    }
    let one = |track: &mut Track| {
        let times = times(track);
        if !is_fit(track, &times) || track.is_empty() {
            return 0;
        }
        let inside = |time: &i64| played.iter().any(|(start, end)| (start..=end).contains(&time));
        let mut kept: Vec<bool> = times.iter().map(inside).collect();
        if !kept.contains(&true) && !is_motion(track) {
            kept.iter_mut().take(1).for_each(|kept| *kept = true);
        }
        repeated(track, &times, &played, &mut kept);
        keep(track, &kept)
    };
    let mut removed = 0;
    model.each_tracks_mut(|tracks| {
        removed += tracks.0.iter_mut().map(one).sum::<usize>();
        tracks.0.retain(|track| {
            let gone = is_motion(track) && is_rest(track);
            removed += if gone { track.len() } else { 0 };
            !gone
        });
    });
    model.each_slot_track_mut(|track| removed += track.iter_mut().map(one).sum::<usize>());
    removed
}

/// Whether every key of a node's track says what a node without the track does.
fn is_rest(track: &Track) -> bool {
    let rest: &[u32] = match track.tag() {
        tags::KGTR => &[0; 3],
        tags::KGSC => &[ONE; 3],
        _ => &[0, 0, 0, ONE],
    };
    let mut keys = track.words().chunks_exact(track.stride());
    !track.interpolation().has_tangents() && keys.all(|key| key.get(1..) == Some(rest))
}

/// The bits of 1.
const ONE: u32 = 0x3f80_0000;

/// The keys of a track that lie in an interval.
fn range(times: &[i64], (start, end): Interval) -> std::ops::Range<usize> {
    times.partition_point(|time| *time < start)..times.partition_point(|time| *time <= end)
}

/// Exact repetitions inside each sequence: every key but the first where all are equal, else the inner ones of a run.
fn repeated(track: &Track, times: &[i64], played: &[Interval], kept: &mut [bool]) {
    if track.interpolation().has_tangents() {
        return;
    }
    let stride = track.stride();
    let values: Vec<&[u32]> =
        track.words().chunks_exact(stride).map(|key| key.get(1..).unwrap_or_default()).collect();
    let value = |index: usize| values.get(index).copied().unwrap_or_default();
    // A key may go if it has no effect in every sequence that it is in.
    let mut votes: HashMap<usize, bool> = HashMap::new();
    for interval in played {
        let range = range(times, *interval);
        let all_equal = range.clone().all(|index| value(index) == value(range.start));
        for index in range.clone() {
            let is_end = index == range.start || index + 1 == range.end;
            let needless = if all_equal {
                index != range.start
            } else {
                !is_end && value(index) == value(index - 1) && value(index) == value(index + 1)
            };
            let vote = votes.entry(index).or_insert(true);
            *vote = *vote && needless;
        }
    }
    for (index, needless) in votes {
        if let Some(kept) = kept.get_mut(index).filter(|_| needless) {
            *kept = false;
        }
    }
}

/// Removes keys of nodes that linear interpolation between their neighbours reproduces, so that posed vertices move by no
/// more than about `budget`; returns how many. The caller measures.
pub(super) fn within(model: &mut Model, budget: f64) -> usize {
    let played = intervals(model);
    let shares = shares(model, budget);
    let mut removed = 0;
    let mut index = 0;
    model.each_node_mut(|_, node| {
        let share = shares.get(index).copied();
        index += 1;
        let Some(share) = share else { return };
        for track in &mut node.tracks.0 {
            let times = times(track);
            if track.interpolation() != Interpolation::LINEAR || !is_fit(track, &times) {
                continue;
            }
            let Some(kept) = reduced(track, &times, &played, &share) else { continue };
            removed += keep(track, &kept);
        }
    });
    removed
}

/// How much the keys of one node may be off.
#[derive(Clone, Copy, Debug)]
pub(super) struct Share {
    /// Of a translation.
    pub distance: f32,
    /// Of a rotation, as half of its angle, and of a scale.
    pub ratio: f32,
}

/// How far what a node carries reaches, as a part of the model's size: a weapon in a hand, what an emitter throws. Nothing in the
/// model says it, and none of it may turn noticeably.
pub(super) const CARRIED: f64 = 0.1;
/// How much an error of what is carried counts, compared with one of vertices: nobody sees where exactly a particle begins.
pub(super) const LOOSE: f32 = 0.2;

/// Whether something besides vertices follows the rotation of such a node. An event only has a place.
const fn carries(kind: ChunkKind) -> bool {
    !matches!(kind, ChunkKind::Bones | ChunkKind::Helpers | ChunkKind::EventObjects)
}

/// The share of each node: the budget over the number of moving tracks in the longest chain through it, and for rotations over
/// the distance of the farthest vertex or pivot that follows it, or over what it carries.
pub(super) fn shares(model: &Model, budget: f64) -> Vec<Share> {
    let nodes: Vec<(ChunkKind, &effigy_mdx::Node)> = model.nodes().collect();
    let by_id: HashMap<i32, usize> =
        nodes.iter().enumerate().rev().map(|(index, (_, node))| (node.object_id, index)).collect();
    let above = |index: usize| {
        let mut chain = vec![index];
        let mut at = index;
        while let Some(parent) = nodes.get(at).and_then(|(_, node)| by_id.get(&node.parent))
            && chain.len() <= nodes.len()
            && !chain.contains(parent)
        {
            chain.push(*parent);
            at = *parent;
        }
        chain
    };
    let pivot = |index: usize| {
        let id = nodes.get(index).and_then(|(_, node)| usize::try_from(node.object_id).ok());
        glam::Vec3::from(id.and_then(|id| model.pivots.get(id)).copied().unwrap_or_default())
    };
    let moving = |tracks: &Tracks| tracks.iter().filter(|track| track.len() > 1).count();
    let chains: Vec<Vec<usize>> = (0..nodes.len()).map(above).collect();
    let pivots: Vec<glam::Vec3> = (0..nodes.len()).map(pivot).collect();
    let mut reach = vec![0.0_f32; nodes.len()];
    let mut longest = vec![1_usize; nodes.len()];
    let mut follow = |index: usize, point: glam::Vec3| {
        for one in chains.get(index).into_iter().flatten() {
            if let (Some(reach), Some(pivot)) = (reach.get_mut(*one), pivots.get(*one)) {
                *reach = reach.max((point - *pivot).length());
            }
        }
    };
    for (index, pivot) in pivots.iter().enumerate() {
        follow(index, *pivot);
    }
    for geoset in &model.geosets {
        for (entries, vertex) in geoset.entries_of_vertices().iter().zip(&geoset.vertices) {
            for entry in entries {
                let bone = ((*entry as usize) < model.bones.len()).then_some(*entry as usize);
                let node = bone.or_else(|| by_id.get(&i32::try_from(*entry).ok()?).copied());
                node.into_iter().for_each(|node| follow(node, (*vertex).into()));
            }
        }
    }
    #[allow(clippy::cast_possible_truncation, reason = "a length")]
    let carried = (size(model) * CARRIED) as f32 * LOOSE;
    for (chain, _) in chains.iter().zip(&nodes).filter(|(_, (kind, _))| carries(*kind)) {
        for one in chain {
            if let Some(reach) = reach.get_mut(*one) {
                *reach = reach.max(carried);
            }
        }
    }
    for chain in &chains {
        let tracks =
            chain.iter().filter_map(|one| nodes.get(*one)).map(|(_, node)| moving(&node.tracks)).sum();
        for one in chain {
            if let Some(longest) = longest.get_mut(*one) {
                *longest = (*longest).max(tracks);
            }
        }
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "a tolerance")]
    let share = |(reach, tracks): (&f32, &usize)| {
        // Errors of a chain rarely add up: their squares do.
        let distance = budget as f32 / (*tracks as f32).sqrt();
        Share { distance, ratio: distance / reach.max(distance) }
    };
    reach.iter().zip(&longest).map(share).collect()
}

/// Which keys stay; `None` for a track that is not of a node.
fn reduced(track: &Track, times: &[i64], played: &[Interval], share: &Share) -> Option<Vec<bool>> {
    let fits: Box<dyn Fn(usize, usize, usize) -> bool> = if track.tag() == tags::KGRT {
        let values: Vec<glam::Quat> =
            track.keys::<[f32; 4]>()?.map(|key| glam::Quat::from_array(key.value)).collect();
        let ratio = share.ratio;
        let times = times.to_vec();
        Box::new(move |from, to, at| {
            let (Some(a), Some(b), Some(c)) = (values.get(from), values.get(to), values.get(at)) else {
                return false;
            };
            let mixed = a.normalize().slerp(b.normalize(), ratio_of(&times, from, to, at));
            // The sine of half the angle between them, from their difference.
            let c = c.normalize();
            let distance = (mixed - c).length().min((mixed + c).length());
            distance * 2.0 <= ratio
        })
    } else if matches!(track.tag(), tags::KGTR | tags::KGSC) {
        let limit = if track.tag() == tags::KGTR { share.distance } else { share.ratio };
        let values: Vec<glam::Vec3> = track.keys::<[f32; 3]>()?.map(|key| key.value.into()).collect();
        let times = times.to_vec();
        Box::new(move |from, to, at| {
            let (Some(a), Some(b), Some(c)) = (values.get(from), values.get(to), values.get(at)) else {
                return false;
            };
            (a.lerp(*b, ratio_of(&times, from, to, at)) - *c).length() <= limit
        })
    } else {
        return None;
    };
    // Keys that more than one sequence uses stay, as do those outside of all.
    let mut uses = vec![0_u32; times.len()];
    for interval in played {
        uses.get_mut(range(times, *interval)).into_iter().flatten().for_each(|uses| *uses += 1);
    }
    let mut kept = vec![true; times.len()];
    for interval in played {
        let range = range(times, *interval);
        let mut from = range.start;
        while from + 2 < range.end {
            let mut to = from + 1;
            while to + 1 < range.end
                && uses.get(to) == Some(&1)
                && (from + 1..=to).all(|at| fits(from, to + 1, at))
            {
                to += 1;
            }
            kept.get_mut(from + 1..to).into_iter().flatten().for_each(|kept| *kept = false);
            from = to;
        }
    }
    Some(kept)
}

#[allow(clippy::cast_precision_loss, reason = "times have 32 bits, and differences are short")]
fn ratio_of(times: &[i64], from: usize, to: usize, at: usize) -> f32 {
    let time = |index: usize| times.get(index).copied().unwrap_or(0);
    let length = time(to) - time(from);
    if length == 0 { 0.0 } else { (time(at) - time(from)) as f32 / length as f32 }
}
