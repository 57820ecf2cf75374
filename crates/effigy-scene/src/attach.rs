//! One model on another: the scene of a child is merged under a node of its parent.
//!
//! The child's model space follows the node: what was at the child's origin is at the place where it is attached, turned with
//! the node. The child keeps a clock of its own. One of its sequences runs on it in a loop, whatever the parent does.

mod graft;
mod ids;
mod place;

pub use graft::{Graft, graft};
pub use place::{Place, find_place, places, same_place};

use crate::validate::walk::{each_animated, each_track};
use crate::{
    Animated, GlobalSequence, Id, Influence, Mesh, Node, NodeKind, NodeRule, Scene, Sequence, Skin, Track,
};
use effigy_wire::{Error, Kind, Report, Result};
use ids::Shift;

/// How a child is attached.
#[derive(Clone, Copy, Debug, Default)]
pub struct AttachOptions<'a> {
    /// What the child is called; the name of the node that carries it.
    pub name: &'a str,
    /// The sequence of the child that plays, by name. Without one it is a stand, or the first moment of its first sequence.
    pub sequence: Option<&'a str>,
}

/// When the sequence of the child plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Play {
    /// Again and again, on a clock of its own.
    Loop,
    /// Once, from this millisecond of the parent's timeline on, but not beyond the second.
    Once([i32; 2]),
}

/// Merges a child into a scene, at a place of it. Returns the node that carries the child: its matrix takes the child's model
/// space to the parent's.
///
/// # Errors
/// When the child has no sequence of the wanted name.
pub fn attach(
    scene: &mut Scene,
    place: Place,
    child: Scene,
    options: AttachOptions<'_>,
    report: &mut Report,
) -> Result<Id<Node>> {
    let clip = played(&child, options.sequence)?;
    if options.sequence.is_some() && child.meshes.as_slice().iter().any(|mesh| mesh.morph.is_some()) {
        let text = "an attached model with frames keeps the shape of the first frame of its sequence";
        report.approximated(options.name, text);
    }
    if !child.events.is_empty() {
        report.dropped(options.name, "events of an attached model do not happen");
    }
    let mut carrier = Node::new(options.name, NodeKind::Helper, Some(place.node), [0.0; 3]);
    carrier.translation = Animated::fixed(place.position);
    let carrier = scene.nodes.push(carrier);
    merge(scene, carrier, child, clip, Play::Loop, |_| ());
    Ok(carrier)
}

/// What of a child's timeline plays.
#[derive(Clone, Copy, Debug, Default)]
struct Clip {
    /// The number of the sequence, its first and its last millisecond; none: the child stays at rest.
    sequence: Option<(usize, i32, i32)>,
    /// How long the clock runs until it starts again; 0: the child stands still at the start of the sequence.
    length: i32,
}

impl Clip {
    fn new(number: usize, sequence: &Sequence, runs: bool) -> Self {
        let length = if runs { sequence.length() } else { 0 };
        Self { sequence: Some((number, sequence.start, sequence.end)), length }
    }
}

/// Merges a child under a node of the scene. `finish` sees the child as it is going to be in the scene.
fn merge(
    scene: &mut Scene,
    carrier: Id<Node>,
    mut child: Scene,
    clip: Clip,
    play: Play,
    finish: impl FnOnce(&mut Scene),
) {
    let shift = Shift::between(scene, carrier);
    // The clock of the child comes after its own global sequences.
    let clock = Id::new(narrow(scene.global_sequences.len() + child.global_sequences.len()));
    let time = Time { shift, clock, clip, play };
    for mesh in child.meshes.as_mut_slice() {
        freeze(mesh, clip);
        follow(mesh);
    }
    let carried = &mut child;
    each_animated!(carried, as_mut_slice, [mut], retime_animated, &time);
    each_track!(carried, as_mut_slice, [mut], retime_track, &time);
    ids::shift(&mut child, &shift);
    child.global_sequences.push(GlobalSequence { length: u32::try_from(clip.length).unwrap_or(0) });
    finish(&mut child);
    ids::append(scene, child);
}

fn narrow(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// The part of the child that plays: the sequence of this name or number, else a stand, else the start of its first sequence.
fn played(child: &Scene, wanted: Option<&str>) -> Result<Clip> {
    let list = child.sequences.as_slice();
    let named = |name: &str| crate::find_sequence(&child.sequences, name).map(Id::index);
    let stands = |it: &Sequence| {
        let name = it.name.to_ascii_lowercase();
        ["stand", "idle"].iter().any(|word| name.starts_with(word))
    };
    let (number, runs) = match wanted {
        Some(name) => {
            let number = named(name).ok_or_else(|| {
                let known: Vec<&str> = list.iter().map(|it| it.name.as_str()).collect();
                let text =
                    format!("the attached model has no sequence called {name}; it has {}", known.join(", "));
                Error::new(Kind::Usage, text)
            })?;
            (number, true)
        }
        None => {
            let idle = crate::idle_sequence(&child.sequences).map(Id::index);
            let idle = idle.filter(|_| child.node_rule == NodeRule::Wolfenstein);
            idle.or_else(|| list.iter().position(stands)).map_or((0, false), |number| (number, true))
        }
    };
    Ok(list.get(number).map_or_else(Clip::default, |sequence| Clip::new(number, sequence, runs)))
}

/// How the child's times become those of its clock or of the parent's timeline.
struct Time {
    shift: Shift,
    clock: Id<GlobalSequence>,
    clip: Clip,
    play: Play,
}

fn retime_animated<T: Clone + Default>(time: &Time, _: &str, _: usize, _: &str, value: &mut Animated<T>) {
    let Some(track) = &mut value.track else { return };
    retime(time, track);
    if track.times.is_empty() {
        value.base = track.default.clone();
        value.track = None;
    }
}

fn retime_track<T: Clone + Default>(time: &Time, _: &str, _: usize, _: &str, track: &mut Track<T>) {
    retime(time, track);
}

/// Cuts a track to the sequence that plays, and moves it to the time when it plays.
fn retime<T: Clone>(time: &Time, track: &mut Track<T>) {
    if let Some(global) = &mut track.global {
        *global = time.shift.global(*global);
        return;
    }
    track.global = (time.play == Play::Loop).then_some(time.clock);
    let windows = std::mem::take(&mut track.windows);
    let Some((number, start, end)) = time.clip.sequence else {
        cut(track, 0, 0);
        return;
    };
    let (first, behind) = match windows.get(number) {
        Some([first, last]) => (*first as usize, (*last as usize).saturating_add(1)),
        None => {
            let first = track.times.partition_point(|time| *time < start);
            let behind = track.times.partition_point(|time| *time <= end);
            (first, behind)
        }
    };
    cut(track, first, behind);
    let [from, until] = match time.play {
        Play::Loop => [0, i32::MAX],
        Play::Once(range) => range,
    };
    for time in &mut track.times {
        *time = time.saturating_sub(start).max(0).saturating_add(from);
    }
    let behind = track.times.partition_point(|time| *time <= until);
    cut(track, 0, behind);
}

fn cut<T>(track: &mut Track<T>, first: usize, behind: usize) {
    fn keep<V>(list: &mut Vec<V>, first: usize, behind: usize) {
        list.truncate(behind);
        list.drain(..first.min(list.len()));
    }
    keep(&mut track.times, first, behind);
    keep(&mut track.fractions, first, behind);
    keep(&mut track.values, first, behind);
    keep(&mut track.tangents, first, behind);
}

/// A mesh follows its nodes or morphs, not both: a morphing child keeps the shape that it has when its sequence starts.
fn freeze(mesh: &mut Mesh, clip: Clip) {
    let Some(morph) = mesh.morph.take() else { return };
    let start = clip.sequence.map_or(0, |(_, start, _)| start);
    let key = morph.order.times.partition_point(|time| *time <= start).saturating_sub(1);
    let frame = morph.order.values.get(key).and_then(|frame| morph.frames.get(*frame as usize));
    if let Some(frame) = frame {
        mesh.positions.clone_from(&frame.positions);
        mesh.normals.clone_from(&frame.normals);
    }
}

/// The group of vertices that follow no node: in an attached model they follow the carrier, which has the number that no node
/// of the child has.
const CARRIER: Id<Node> = Id::new(u32::MAX);

/// Makes vertices that follow no node follow the carrier.
fn follow(mesh: &mut Mesh) {
    let skin = mesh.skin.get_or_insert_with(Skin::default);
    if skin.groups.is_empty() {
        let group = skin.push_group([Influence { node: CARRIER, weight: 1.0 }]);
        skin.vertex_groups = vec![group; mesh.positions.len()];
        return;
    }
    let empty: Vec<usize> =
        (0..skin.groups.len()).filter(|group| skin.group(narrow(*group)).is_empty()).collect();
    for group in empty {
        let start = narrow(skin.influences.len());
        skin.influences.push(Influence { node: CARRIER, weight: 1.0 });
        if let Some(range) = skin.groups.get_mut(group) {
            *range = [start, start.saturating_add(1)];
        }
    }
}

#[cfg(test)]
mod tests;
