//! Scaling, turning and moving a model.

use super::frames::{BILLBOARD, Frames, Turn, is_stretched};
use crate::Done;
use effigy_mdx::track::tags;
use effigy_mdx::{
    BatchedGeoset, Dialect, Geoset, Interpolation, Model, Node, NodeFlags, Sequence, Track, Tracks,
};
use effigy_wire::{Report, Result, Similarity, Space, Spatial};

/// Scales, turns or moves a model: every pose of the result is that of the model, scaled, turned or moved.
///
/// # Errors
/// None so far; what is not exact is in the report.
pub fn transform(model: &mut Model, by: Similarity) -> Result<Done> {
    let mut report = Report::default();
    out_of_reach(model, &by, &mut report);
    if by.turns() {
        turn(model, by, &mut report);
    } else {
        model.walk_space(&mut { by });
    }
    Ok(Done { changed: 1, report })
}

/// What is not in the file, and what games compute in another way.
fn out_of_reach(model: &Model, by: &Similarity, report: &mut Report) {
    for (tag, _, _) in model.kept_chunks().filter(|(_, _, known)| *known) {
        report.approximated(tag.to_string(), "the chunk could not be decoded and stays as it is");
    }
    if by.factor() != 1.0 {
        let other = "a file of its own, which keeps its size";
        for (index, emitter) in model.popcorn_emitters.iter().enumerate() {
            if !emitter.node.flags.contains(NodeFlags::POPCORN_SCALING) {
                report.approximated(format!("CORN[{index}].path"), other);
            }
        }
        for (index, _) in model.particle_emitters.iter().enumerate().filter(|(_, it)| !it.path.is_empty()) {
            report.approximated(format!("PREM[{index}].path"), other);
        }
        for (index, _) in model.attachments.iter().enumerate().filter(|(_, it)| !it.path.is_empty()) {
            report.approximated(format!("ATCH[{index}].path"), other);
        }
    }
    if by.moves() {
        for (kind, node) in model.nodes() {
            if node.parent >= 0 && node.flags.contains(NodeFlags::DONT_INHERIT_TRANSLATION) {
                let message = "the node does not move with its parent; where the parent turns or scales, it is displaced";
                report.approximated(format!("{} {}", kind.tag(), node.name), message);
            }
        }
    }
}

fn turn(model: &mut Model, by: Similarity, report: &mut Report) {
    let frames = Frames::of(model, by.quarters().is_none());
    let before = model.clone();
    if by.quarters().is_some_and(|quarters| quarters % 2 == 1) {
        swap_scales(model, &frames);
    }
    model.walk_space(&mut { by });
    let old: Vec<Tracks> = before.nodes().map(|(_, node)| node.tracks.clone()).collect();
    let mut pivots = Vec::new();
    let mut index = 0;
    model.each_node_mut(|_, node| {
        let place = frames.places.get(index);
        if let (Some(place), Some(old)) = (place, old.get(index)) {
            if let Some(top) = place.top
                && let Ok(id) = usize::try_from(node.object_id)
            {
                pivots.push((
                    id,
                    moved(&frames, &by, top, frames.pivots.get(index).copied().unwrap_or_default()),
                ));
            }
            if place.below {
                restore(&mut node.tracks, old, tags::KGTR);
            }
            match place.turn {
                Turn::Along => {}
                Turn::Not => restore(&mut node.tracks, old, tags::KGRT),
                Turn::Before => {
                    restore(&mut node.tracks, old, tags::KGRT);
                    turn_before(&mut node.tracks, &by, &before.sequences);
                }
            }
        }
        index += 1;
    });
    for (id, pivot) in pivots {
        if let Some(place) = model.pivots.get_mut(id) {
            *place = pivot;
        }
    }
    unturned(&before, &frames, by, report);
    let mut mixed = 0;
    for (geoset, old) in model.geosets.iter_mut().zip(&before.geosets) {
        mixed += vertices(geoset, old, &frames, &by);
    }
    for (geoset, old) in model.batched_geosets.iter_mut().zip(&before.batched_geosets) {
        mixed += batched_vertices(geoset, old, &frames, &by);
    }
    if mixed > 0 {
        let message =
            format!("{mixed} vertices follow nodes that turn in different ways; they are exact at rest only");
        report.approximated("GEOS", message);
    }
}

/// Reports nodes that cannot be turned exactly.
fn unturned(model: &Model, frames: &Frames, by: Similarity, report: &mut Report) {
    let fixed = NodeFlags::DONT_INHERIT_ROTATION | NodeFlags::DONT_INHERIT_SCALING;
    for (index, (kind, node)) in model.nodes().enumerate() {
        let place = || format!("{} {}", kind.tag(), node.name);
        let drops = node.flags.contains(fixed) && !node.flags.contains(NodeFlags::DONT_INHERIT_TRANSLATION)
            || model.dialect() == Dialect::Warcraft3 && node.flags.contains(NodeFlags::CAMERA_ANCHORED);
        if drops && frames.places.get(index).is_some_and(|place| place.top.is_some()) {
            let message = "the game drops the rotation of a node with these flags: it does not turn";
            report.approximated(place(), message);
        }
        let is_odd = by.quarters().is_some_and(|quarters| quarters % 2 == 1);
        if is_odd && node.flags.intersects(BILLBOARD) && is_below_stretched(model, node) {
            let message = "a billboard below a node whose scale differs in x and y: its proportions change with the turn";
            report.approximated(place(), message);
        }
    }
}

/// Whether a node above this one has scale keys that differ in x and y.
fn is_below_stretched(model: &Model, node: &Node) -> bool {
    let mut parent = node.parent;
    for _ in 0..=model.pivots.len() {
        let Some((_, above)) = model.nodes().find(|(_, other)| other.object_id == parent) else {
            return false;
        };
        if is_stretched(above) {
            return true;
        }
        parent = above.parent;
    }
    false
}

/// Where a position goes that keeps its place in the axes of a node.
fn moved(frames: &Frames, by: &Similarity, top: usize, position: [f32; 3]) -> [f32; 3] {
    let pivot = frames.pivots.get(top).copied().unwrap_or_default();
    let mut at = pivot;
    { *by }.point(&mut at);
    let mut moved = [0.0; 3];
    for (((moved, at), position), pivot) in moved.iter_mut().zip(at).zip(position).zip(pivot) {
        *moved = at + (position - pivot);
    }
    moved
}

fn restore(tracks: &mut Tracks, old: &Tracks, tag: effigy_wire::Tag) {
    let before = old.iter().filter(|track| track.tag() == tag);
    for (track, before) in tracks.0.iter_mut().filter(|track| track.tag() == tag).zip(before) {
        track.clone_from(before);
    }
}

/// Scales along x and y change places when the model is turned by an odd number of quarters.
fn swap_scales(model: &mut Model, frames: &Frames) {
    let mut index = 0;
    model.each_node_mut(|_, node| {
        let ordinary = frames.places.get(index).is_none_or(|place| place.top.is_none());
        index += 1;
        if let Some(track) = node.tracks.get_mut(tags::KGSC).filter(|_| ordinary) {
            track.map_values(|[x, y, _]: &mut [f32; 3]| std::mem::swap(x, y));
        }
    });
}

/// Puts the turn before the node's rotation, in every sequence: one without keys gets one.
fn turn_before(tracks: &mut Tracks, by: &Similarity, sequences: &[Sequence]) {
    let turned = by.before([0.0, 0.0, 0.0, 1.0]);
    if tracks.get(tags::KGRT).is_none() {
        let mut times: Vec<i32> =
            sequences.iter().filter_map(|sequence| i32::try_from(sequence.interval[0]).ok()).collect();
        if times.is_empty() {
            times.push(0);
        }
        times.sort_unstable();
        times.dedup();
        let keys: Vec<effigy_mdx::Key<[f32; 4]>> =
            times.into_iter().map(|time| effigy_mdx::Key::new(time, turned)).collect();
        if let Ok(track) = Track::new(tags::KGRT, Interpolation::LINEAR, &keys) {
            // Rotation follows translation in every exporter's order.
            let place = tracks.0.iter().position(|track| track.tag() != tags::KGTR).unwrap_or(tracks.0.len());
            tracks.0.insert(place, track);
        }
        return;
    }
    let Some(track) = tracks.get_mut(tags::KGRT) else { return };
    // Zeros are not a rotation, and the games take them for none; as a tangent they are what they are.
    let none = !track.interpolation().has_tangents();
    track.map_values(|value: &mut [f32; 4]| {
        *value = if none && *value == [0.0; 4] { turned } else { by.before(*value) };
    });
    if track.global_sequence >= 0 {
        return;
    }
    let times: Vec<i64> = track.times().map(i64::from).collect();
    let interval = |sequence: &Sequence| sequence.interval.map(|time| i64::from(time.cast_signed())).into();
    let has_keys = |(start, end): (i64, i64)| times.iter().any(|time| (start..=end).contains(time));
    let mut new: Vec<i32> = Vec::new();
    for sequence in sequences {
        let (start, end) = interval(sequence);
        if has_keys((start, end)) || new.iter().any(|time| (start..=end).contains(&(*time).into())) {
            continue;
        }
        // Not on a border that a sequence with keys shares.
        let free = |time: &i64| {
            !sequences
                .iter()
                .map(interval)
                .any(|(from, to)| (from..=to).contains(time) && has_keys((from, to)))
        };
        let time = [start, start.midpoint(end), end].into_iter().find(free).unwrap_or(start);
        new.extend(i32::try_from(time));
    }
    if new.is_empty() {
        return;
    }
    let stride = track.stride();
    let mut keys: Vec<Vec<u32>> = track.words().chunks_exact(stride).map(<[u32]>::to_vec).collect();
    for time in new {
        let mut key = vec![time.cast_unsigned()];
        while key.len() < stride {
            key.extend(turned.map(f32::to_bits));
        }
        let place =
            keys.iter().position(|other| other.first().is_some_and(|other| other.cast_signed() > time));
        keys.insert(place.unwrap_or(keys.len()), key);
    }
    // Whole keys were added.
    _ = track.set_words(track.interpolation(), keys.concat());
}

/// Puts back what follows a frame; returns how many vertices follow more than one.
fn vertices(geoset: &mut Geoset, old: &Geoset, frames: &Frames, by: &Similarity) -> usize {
    if frames.places.iter().all(|place| place.top.is_none()) {
        return 0;
    }
    let mut mixed = 0;
    for (index, entries) in old.entries_of_vertices().iter().enumerate() {
        match frames.of_vertex(entries) {
            Ok(None) => {}
            Err(()) => mixed += 1,
            Ok(Some(top)) => {
                if let (Some(place), Some(position)) =
                    (geoset.vertices.get_mut(index), old.vertices.get(index))
                {
                    *place = moved(frames, by, top, *position);
                }
                if let (Some(place), Some(normal)) = (geoset.normals.get_mut(index), old.normals.get(index)) {
                    *place = *normal;
                }
                let tangents = geoset.tangents.as_mut().zip(old.tangents.as_ref());
                if let Some((new, old)) = tangents
                    && let (Some(place), Some(tangent)) = (new.get_mut(index), old.get(index))
                {
                    *place = *tangent;
                }
            }
        }
    }
    mixed
}

fn batched_vertices(
    geoset: &mut BatchedGeoset,
    old: &BatchedGeoset,
    frames: &Frames,
    by: &Similarity,
) -> usize {
    let mut mixed = 0;
    for (vertex, old) in geoset.vertices.iter_mut().zip(&old.vertices) {
        let entries: Vec<u32> = old
            .bones
            .iter()
            .zip(old.weights)
            .filter(|(_, weight)| *weight > 0)
            .map(|(bone, _)| (*bone).into())
            .collect();
        match frames.of_vertex(&entries) {
            Ok(None) => {}
            Err(()) => mixed += 1,
            Ok(Some(top)) => {
                vertex.position = moved(frames, by, top, old.position);
                vertex.normal = old.normal;
            }
        }
    }
    mixed
}
