//! The model that is shown in the corner of the screen: the same one, with a camera and its portrait sequences only.

use super::names::is_stand;
use super::words::words;
use effigy_mdx::track::tags;
use effigy_mdx::{Camera, Model, Track};
use effigy_scene::sample::{Moment, Pose, Sampler};
use effigy_scene::{Bounds, Id, Mesh, Node, Scene, validate};
use effigy_wire::FixedStr;

/// Field of view of a camera that was made, radians.
pub(super) const FIELD: f32 = 0.7;

/// Where a camera is that looks at the head of a model of this height, and at what it looks.
pub(super) fn at_head(height: f32, head: Option<[f32; 3]>) -> [[f32; 3]; 2] {
    let target = head.unwrap_or([0.0, 0.0, height * 0.85]);
    let [x, y, z] = target;
    [[x + height.max(1.0) * 1.2, y - height * 0.15, z], target]
}

/// A model for the portrait. A camera is made where the model has none.
#[must_use]
pub fn portrait(model: &Model) -> Model {
    let mut made = model.clone();
    let has = made.sequences.iter().any(|it| starts(&it.name.text(), "portrait"));
    let stays = |name: &str| if has { starts(name, "portrait") } else { is_stand(name) };
    let keep: Vec<bool> = made.sequences.iter().map(|it| stays(&it.name.text())).collect();
    keep_sequences(&mut made, &keep);
    if !has {
        for sequence in &mut made.sequences {
            sequence.name = FixedStr::truncated("Portrait");
        }
    }
    if made.cameras.is_empty() {
        let extent = made.sequences.first().map(|it| it.extent.clone()).unwrap_or_default();
        let height = extent.max[2];
        let [position, target] = at_head(height, head(&made));
        made.cameras.push(Camera {
            name: FixedStr::truncated("Portrait"),
            position,
            field_of_view: FIELD,
            far_clip: height.max(1.0) * 20.0,
            near_clip: (height * 0.05).max(0.1),
            target,
            ..Camera::default()
        });
    }
    made
}

fn starts(name: &str, word: &str) -> bool {
    name.get(..word.len()).is_some_and(|it| it.eq_ignore_ascii_case(word))
}

/// Removes the other sequences, with all that only happens in them.
fn keep_sequences(model: &mut Model, keep: &[bool]) {
    let count = keep.len();
    let kept = |place: usize| keep.get(place).copied().unwrap_or(false);
    for geoset in model.geosets.iter_mut().filter(|it| it.sequence_extents.len() == count) {
        retain(&mut geoset.sequence_extents, kept);
    }
    retain(&mut model.sequences, kept);
    let intervals: Vec<[u32; 2]> = model.sequences.iter().map(|it| it.interval).collect();
    let plays = |time: i32| {
        u32::try_from(time)
            .is_ok_and(|time| intervals.iter().any(|[start, end]| (*start..=*end).contains(&time)))
    };
    model.each_tracks_mut(|tracks| tracks.0.retain_mut(|track| keep_keys(track, plays)));
    model.each_slot_track_mut(|slot| {
        *slot = slot.take().and_then(|mut track| keep_keys(&mut track, plays).then_some(track));
    });
    model.each_event_mut(|global, times| {
        if global < 0 {
            times.retain(|time| plays(*time));
        }
    });
    remove_silent_events(model);
}

fn retain<T>(list: &mut Vec<T>, kept: impl Fn(usize) -> bool) {
    let mut place = 0..;
    list.retain(|_| place.next().is_some_and(&kept));
}

/// Removes the keys that are never played; whether the track is still needed. A node without keys rests, as it does in a sequence
/// without keys. Anything else would get its static value instead of that of a sequence without keys, and keeps a key at 0.
fn keep_keys(track: &mut Track, plays: impl Fn(i32) -> bool) -> bool {
    if track.global_sequence >= 0 || track.is_empty() || track.times().all(&plays) {
        return true;
    }
    let keys = track.words().chunks_exact(track.stride());
    let is_played = |key: &&[u32]| key.first().is_some_and(|time| plays(time.cast_signed()));
    let mut words: Vec<u32> = keys.clone().filter(is_played).flatten().copied().collect();
    if words.is_empty() {
        if is_motion(track) {
            return false;
        }
        words = keys.take(1).flatten().copied().collect();
        words.iter_mut().take(1).for_each(|time| *time = 0);
    }
    // A whole number of keys was kept.
    _ = track.set_words(track.interpolation(), words);
    true
}

/// Whether a track moves a node.
fn is_motion(track: &Track) -> bool {
    matches!(track.tag(), tags::KGTR | tags::KGRT | tags::KGSC)
}

/// Removes events that never happen: Warcraft III crashes with them.
fn remove_silent_events(model: &mut Model) {
    let is_silent =
        |it: &effigy_mdx::EventObject| it.track.as_ref().is_none_or(|track| track.times.is_empty());
    let is_free = |id: i32, parents: &[i32]| id >= 0 && parents.binary_search(&id).is_err();
    let mut parents = Vec::new();
    model.each_node_mut(|_, node| parents.push(node.parent));
    parents.sort_unstable();
    let goes = |it: &effigy_mdx::EventObject| is_silent(it) && is_free(it.node.object_id, &parents);
    let mut gone: Vec<i32> =
        model.event_objects.iter().filter(|it| goes(it)).map(|it| it.node.object_id).collect();
    gone.sort_unstable();
    model.event_objects.retain(|it| !goes(it));
    // Bones, which vertices name by their numbers, come before all events.
    let behind = |id: i32| i32::try_from(gone.partition_point(|it| *it < id)).unwrap_or(0);
    model.each_node_mut(|_, node| {
        node.object_id = node.object_id.saturating_sub(behind(node.object_id));
        node.parent = node.parent.saturating_sub(behind(node.parent));
    });
    let is_gone = |place: usize| i32::try_from(place).is_ok_and(|id| gone.binary_search(&id).is_ok());
    retain(&mut model.pivots, |place| !is_gone(place));
}

/// Where the head is at the beginning of the first sequence: its attachment, else the middle of what follows the node that is called
/// so, else that node.
fn head(model: &Model) -> Option<[f32; 3]> {
    let scene = validate(crate::mdx::lower(model).scene).ok()?;
    let sampler = Sampler::new(&scene);
    let mut pose = sampler.pose();
    let first = scene.sequences.iter().next().map(|(id, _)| id);
    sampler.sample(&Moment { sequence: first, time: 0.0, clock: 0.0 }, None, &mut pose);
    if let Some(found) = scene.attachments.as_slice().iter().find(|it| starts(&it.name, "head")) {
        return Some(pose.point(found.node, found.position));
    }
    let is_head = |node: &Node| words(&node.name).iter().any(|word| word == "head");
    let (id, node) = scene.nodes.iter().find(|(_, node)| is_head(node))?;
    let around = around_head(&scene, id, &pose);
    let middle = |axis: usize| Some(f32::midpoint(*around.min.get(axis)?, *around.max.get(axis)?));
    let middle = middle(0).zip(middle(1)).zip(middle(2)).filter(|_| !around.is_empty());
    Some(middle.map_or_else(|| pose.point(id, node.pivot), |((x, y), z)| [x, y, z]))
}

/// The vertices that follow the head, or a node on it, more than any other.
fn around_head(scene: &Scene, head: Id<Node>, pose: &Pose) -> Bounds {
    let mut on_head = vec![false; scene.nodes.len()];
    if let Some(flag) = on_head.get_mut(head.index()) {
        *flag = true;
    }
    // Lists of nodes have parents first, apart from odd files, in which a few vertices are missed.
    for (id, node) in scene.nodes.iter() {
        let above = node.parent.and_then(|parent| on_head.get(parent.index())).copied().unwrap_or(false);
        if let Some(flag) = on_head.get_mut(id.index()) {
            *flag |= above;
        }
    }
    scene.meshes.as_slice().iter().fold(Bounds::EMPTY, |all, mesh| all.union(&part(mesh, &on_head, pose)))
}

/// What of a mesh follows these nodes.
fn part(mesh: &Mesh, nodes: &[bool], pose: &Pose) -> Bounds {
    let Some(skin) = &mesh.skin else { return Bounds::EMPTY };
    let followed = mesh.positions.iter().zip(&skin.vertex_groups).filter_map(|(point, group)| {
        let strongest = skin.group(*group).iter().max_by(|a, b| a.weight.total_cmp(&b.weight))?;
        let is_on_head = nodes.get(strongest.node.index()).copied().unwrap_or(false);
        is_on_head.then(|| pose.point(strongest.node, *point))
    });
    let followed: Vec<[f32; 3]> = followed.collect();
    Bounds::around(&followed)
}
