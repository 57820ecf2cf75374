//! Taking the animations of another model whose nodes have the same names.
//!
//! Keys are copied with their times moved, so a model with the same skeleton moves as the other one does, bit by bit. Keys are relative to
//! pivots and parents: where those differ the motion does too, which the report says.

mod join;

use super::{is_motion, recompute, sequences};
use crate::{Done, Pattern, listed};
use effigy_mdx::track::tags;
use effigy_mdx::{Model, Node, Sequence, Track};
use effigy_wire::{Error, Report, Result, Tag};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Milliseconds between two sequences on the timeline, so that none uses keys of its neighbour.
const GAP: i64 = 300;
/// Skeletons of sizes that differ by more than this get a hint.
const ALIKE: f32 = 1.1;

/// How animations are taken.
#[derive(Clone, Debug, Default)]
pub struct TakeOptions {
    /// Only how nodes turn, for a skeleton of other proportions.
    pub rotations_only: bool,
    /// Moves along distances as large as the skeleton is compared with the other one.
    pub scale_to_fit: bool,
    /// Only sequences with these names; none: all.
    pub only: Vec<Pattern>,
    /// The node of this model for a node of the other one, by names in small letters; an empty name: none.
    pub names: BTreeMap<String, String>,
}

/// A sequence that is taken.
struct Taken<'a> {
    sequence: &'a Sequence,
    /// Start and end in the other model.
    old: [i64; 2],
    /// Start and end in this one.
    new: [i64; 2],
}

impl Taken<'_> {
    fn contains(&self, time: i32) -> bool {
        (self.old[0]..=self.old[1]).contains(&time.into())
    }

    /// A time of the other model on the timeline of this one; `plan` has made sure that it fits.
    fn moved(&self, time: i32) -> i32 {
        i32::try_from(i64::from(time) - self.old[0] + self.new[0]).unwrap_or(i32::MAX)
    }
}

/// Takes sequences of another model: those of the same name are replaced, others are added at the end of the timeline. Nodes are matched by
/// name, without regard to capital letters. What is not motion (visibility, colours, textures) holds the value that it has at the start of the
/// replaced sequence, or else of the first Stand. Events are taken where an event of the same name exists.
///
/// # Errors
/// When one of the models is of another game, or the timeline becomes too long.
pub fn take_animations(model: &mut Model, from: &Model, options: &TakeOptions) -> Result<Done> {
    if model.dialect() != from.dialect() {
        let message = "animations can be taken from a model of the same game only";
        return Err(Error::unsupported(message).hint("`effigy convert` makes a model of this game of it"));
    }
    let chosen: Vec<&Sequence> = from
        .sequences
        .iter()
        .filter(|it| options.only.is_empty() || options.only.iter().any(|name| name.fits(&it.name.text())))
        .collect();
    if chosen.is_empty() {
        return Ok(Done::default());
    }
    let mut report = Report::default();
    let held = held(model, &chosen);
    let names: BTreeSet<String> = chosen.iter().map(|it| it.name.text().to_lowercase()).collect();
    // The sequences come back under the same names, and so does what guides refer to.
    let guides: Vec<_> = model.popcorn_emitters.iter().map(|it| it.visibility_guide).collect();
    sequences::remove_where(model, |name| names.contains(&name.to_lowercase()))?;
    for (emitter, guide) in model.popcorn_emitters.iter_mut().zip(guides) {
        emitter.visibility_guide = guide;
    }
    let taken = plan(model, &chosen)?;
    let pairs = pairs(model, from, options);
    let fit = fit(model, from, &pairs);
    let scale = if options.scale_to_fit { fit } else { 1.0 };
    let unlike = !(ALIKE.recip()..=ALIKE).contains(&fit);
    if unlike && !options.scale_to_fit && !options.rotations_only {
        let text =
            format!("the skeleton is {fit:.2} times as large as the other one; scale-to-fit moves it as far");
        report.approximated("nodes", text);
    }
    nodes(model, &taken, &pairs, scale, options.rotations_only, &mut report);
    unmatched(model, from, &taken, &pairs, &mut report);
    hold(model, &taken, &held);
    events(model, from, &taken, &mut report);
    let before = model.sequences.len();
    for one in &taken {
        let mut sequence = one.sequence.clone();
        // `plan` has made sure that they fit.
        sequence.interval = one.new.map(|time| u32::try_from(time).unwrap_or(u32::MAX));
        sequence.move_speed *= scale;
        let count = model.sequences.len();
        for geoset in model.geosets.iter_mut().filter(|it| it.sequence_extents.len() == count) {
            geoset.sequence_extents.push(sequence.extent.clone());
        }
        model.sequences.push(sequence);
    }
    recompute::sequence_extents(model, before..model.sequences.len())?;
    Ok(Done { changed: taken.len(), report })
}

/// Where the sequences go: after everything that has a time.
fn plan<'a>(model: &mut Model, chosen: &[&'a Sequence]) -> Result<Vec<Taken<'a>>> {
    let mut last: Option<i64> = model.sequences.iter().map(|it| it.interval[1].into()).max();
    let mut see = |time: i32| last = last.max(Some(time.into()));
    let mut track = |track: &Track| {
        if track.global_sequence < 0 {
            track.times().for_each(&mut see);
        }
    };
    model.each_tracks_mut(|tracks| tracks.iter().for_each(&mut track));
    model.each_slot_track_mut(|slot| slot.iter().for_each(&mut track));
    model.each_event_mut(|global, times| {
        if global < 0 {
            times.iter().copied().for_each(&mut see);
        }
    });
    let mut start = last.map_or(0, |last| last + GAP);
    let mut taken = Vec::with_capacity(chosen.len());
    for sequence in chosen {
        let old = sequence.interval.map(i64::from);
        let end = start + (old[1] - old[0]).max(0);
        if start < 0 || i32::try_from(end).is_err() {
            return Err(Error::unrepresentable("the timeline would leave the range of 32 bits"));
        }
        taken.push(Taken { sequence, old, new: [start, end] });
        start = end + GAP;
    }
    Ok(taken)
}

/// The nodes of the other model, by the ids of those that take their keys. Of several with one name the first goes to the first.
fn pairs<'a>(model: &Model, from: &'a Model, options: &TakeOptions) -> HashMap<i32, &'a Node> {
    let mut known: HashMap<String, Vec<i32>> = HashMap::new();
    for (_, node) in model.nodes() {
        known.entry(node.name.text().to_lowercase()).or_default().push(node.object_id);
    }
    let mut pairs = HashMap::new();
    for (_, node) in from.nodes() {
        let name = node.name.text().to_lowercase();
        let wanted = options.names.get(&name).map_or(name, |other| other.to_lowercase());
        let free = known.get(&wanted).into_iter().flatten().find(|id| !pairs.contains_key(*id));
        if let Some(id) = free.copied() {
            pairs.insert(id, node);
        }
    }
    pairs
}

/// How much larger the skeleton is than the other one, by the boxes around the pivots of nodes that both have.
fn fit(model: &Model, from: &Model, pairs: &HashMap<i32, &Node>) -> f32 {
    let pivot =
        |model: &Model, id: i32| usize::try_from(id).ok().and_then(|id| model.pivots.get(id)).copied();
    let size = |points: &mut dyn Iterator<Item = [f32; 3]>| {
        let (mut low, mut high) = (glam::Vec3::INFINITY, glam::Vec3::NEG_INFINITY);
        for point in points.map(glam::Vec3::from) {
            (low, high) = (low.min(point), high.max(point));
        }
        (high - low).length()
    };
    let own = size(&mut pairs.keys().filter_map(|id| pivot(model, *id)));
    let other = size(&mut pairs.values().filter_map(|node| pivot(from, node.object_id)));
    let fit = own / other;
    if fit.is_finite() && fit > 0.0 { fit } else { 1.0 }
}

/// Copies the keys of nodes.
fn nodes(
    model: &mut Model,
    taken: &[Taken<'_>],
    pairs: &HashMap<i32, &Node>,
    scale: f32,
    rotations_only: bool,
    report: &mut Report,
) {
    let mut global = 0_usize;
    model.each_node_mut(|_, node| {
        let Some(source) = pairs.get(&node.object_id) else { return };
        for tag in motion(rotations_only) {
            let Some(track) = source.tracks.get(tag).filter(|it| it.global_sequence < 0) else { continue };
            match node.tracks.get_mut(tag) {
                Some(own) if own.global_sequence >= 0 => global += 1,
                Some(own) => join::extend(own, track, taken, scale),
                None => {
                    let mut own = track.clone();
                    _ = own.set_words(track.interpolation(), Vec::new());
                    join::extend(&mut own, track, taken, scale);
                    if !own.is_empty() {
                        insert(node, own);
                    }
                }
            }
        }
    });
    if global > 0 {
        report.dropped("nodes", format!("{global} tracks that follow a global sequence stayed as they are"));
    }
}

fn motion(rotations_only: bool) -> impl Iterator<Item = Tag> {
    [tags::KGTR, tags::KGRT, tags::KGSC].into_iter().filter(move |tag| !rotations_only || *tag == tags::KGRT)
}

/// Adds a track in the order that files have: translation, rotation, scale, others.
fn insert(node: &mut Node, track: Track) {
    let order = |tag: Tag| motion(false).position(|it| it == tag).unwrap_or(usize::MAX);
    let place = node.tracks.iter().position(|it| order(it.tag()) > order(track.tag()));
    node.tracks.0.insert(place.unwrap_or(node.tracks.len()), track);
}

/// Reports what has no counterpart, and nodes with other parents.
fn unmatched(
    model: &Model,
    from: &Model,
    taken: &[Taken<'_>],
    pairs: &HashMap<i32, &Node>,
    report: &mut Report,
) {
    let ids: HashMap<i32, i32> = pairs.iter().map(|(own, node)| (node.object_id, *own)).collect();
    let moves = |node: &Node| {
        let times = node.tracks.iter().filter(|it| it.global_sequence < 0).flat_map(Track::times);
        times.into_iter().any(|time| taken.iter().any(|one| one.contains(time)))
    };
    let lost: Vec<String> = (from.nodes().map(|(_, node)| node))
        .filter(|node| !ids.contains_key(&node.object_id) && moves(node))
        .map(|node| node.name.text().into_owned())
        .collect();
    if !lost.is_empty() {
        let text = format!("{} of the other model have no counterpart here: {}", lost.len(), listed(&lost));
        report.dropped("nodes", text);
    }
    let resting: Vec<String> = model
        .bones
        .iter()
        .filter(|bone| !pairs.contains_key(&bone.node.object_id))
        .map(|bone| bone.node.name.text().into_owned())
        .collect();
    if !resting.is_empty() {
        let text =
            format!("{} bones are not in the other model and rest: {}", resting.len(), listed(&resting));
        report.approximated("nodes", text);
    }
    let adopted: Vec<String> = model
        .nodes()
        .filter(|(_, node)| {
            let Some(source) = pairs.get(&node.object_id) else { return false };
            ids.get(&source.parent).copied().unwrap_or(-1) != node.parent
        })
        .map(|(_, node)| node.name.text().into_owned())
        .collect();
    if !adopted.is_empty() {
        let text =
            format!("{} have other parents than there and follow those: {}", adopted.len(), listed(&adopted));
        report.approximated("nodes", text);
    }
}

/// The value at the start of a sequence, as the words of a key without its time; none: the sequence has no keys.
fn first(track: &Track, [start, end]: [i64; 2]) -> Option<Vec<u32>> {
    if track.global_sequence >= 0 {
        return None;
    }
    let keys = track.words().chunks_exact(track.stride());
    let mut inside = keys
        .filter_map(|key| key.split_first())
        .filter(|(time, _)| (start..=end).contains(&time.cast_signed().into()));
    inside.next().map(|(_, value)| value.to_vec())
}

/// What holds in each chosen sequence: for each track that is not motion, the value at the start of the sequence of the same name, or
/// else of the first Stand.
type Held = Vec<Vec<Option<Vec<u32>>>>;

fn held(model: &mut Model, chosen: &[&Sequence]) -> Held {
    let lower = |it: &Sequence| it.name.text().to_lowercase();
    let stand = model.sequences.iter().find(|it| lower(it).starts_with("stand")).or(model.sequences.first());
    let stand = stand.map(|it| it.interval);
    let same =
        |one: &Sequence| model.sequences.iter().find(|it| lower(it) == lower(one)).map(|it| it.interval);
    let intervals: Vec<Option<[i64; 2]>> =
        chosen.iter().map(|one| same(one).or(stand).map(|it| it.map(i64::from))).collect();
    let mut held = Held::new();
    let mut look = |track: &Track| {
        held.push(intervals.iter().map(|it| it.and_then(|interval| first(track, interval))).collect());
    };
    model.each_tracks_mut(|tracks| tracks.iter().filter(|it| !is_motion(it)).for_each(&mut look));
    model.each_slot_track_mut(|slot| slot.iter().for_each(&mut look));
    held
}

/// Adds those values at the start of the new sequences.
fn hold(model: &mut Model, taken: &[Taken<'_>], held: &Held) {
    let mut held = held.iter();
    let mut add = |track: &mut Track| {
        let values = held.next().into_iter().flatten();
        let mut words = track.words().to_vec();
        for (one, value) in taken.iter().zip(values) {
            if let Some(value) = value {
                words.push(u32::try_from(one.new[0]).unwrap_or(u32::MAX));
                words.extend(value);
            }
        }
        // A whole number of keys was added.
        _ = track.set_words(track.interpolation(), words);
    };
    model.each_tracks_mut(|tracks| tracks.0.iter_mut().filter(|it| !is_motion(it)).for_each(&mut add));
    model.each_slot_track_mut(|slot| slot.iter_mut().for_each(&mut add));
}

/// Copies the times of events of the same name.
fn events(model: &mut Model, from: &Model, taken: &[Taken<'_>], report: &mut Report) {
    let mut lost = Vec::new();
    for event in &from.event_objects {
        let Some(track) = event.track.as_ref().filter(|it| it.global_sequence < 0) else { continue };
        let mut times: Vec<i32> = Vec::new();
        for one in taken {
            times.extend(track.times.iter().filter(|time| one.contains(**time)).map(|time| one.moved(*time)));
        }
        if times.is_empty() {
            continue;
        }
        let name = event.node.name.text().to_lowercase();
        let own = model.event_objects.iter_mut().find(|it| it.node.name.text().to_lowercase() == name);
        match own.and_then(|it| it.track.as_mut()).filter(|it| it.global_sequence < 0) {
            Some(own) => own.times.extend(times),
            None => lost.push(event.node.name.text().into_owned()),
        }
    }
    if !lost.is_empty() {
        let text = format!("{} of the other model have no counterpart here: {}", lost.len(), listed(&lost));
        report.dropped("events", text);
    }
}
