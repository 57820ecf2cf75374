//! Global sequences that nothing follows: other games list them, and some have no length.

use super::index;
use effigy_mdx::Model;
use std::collections::{BTreeMap, BTreeSet};

/// Leaves out the global sequences that no track and no event follows.
pub(super) fn remove_unused(model: &mut Model) {
    let mut used = BTreeSet::new();
    each_mut(model, |global| {
        used.insert(*global);
    });
    let places = 0..model.global_sequences.len();
    let kept = places.map(index).filter(|place| used.contains(place));
    let map: BTreeMap<i32, i32> = kept.enumerate().map(|(new, old)| (old, index(new))).collect();
    if map.len() == model.global_sequences.len() {
        return;
    }
    let mut place = 0..;
    model.global_sequences.retain(|_| place.next().is_some_and(|place| map.contains_key(&place)));
    each_mut(model, |global| *global = map.get(global).copied().unwrap_or(*global));
}

/// Visits the number of the global sequence of every track and event.
fn each_mut(model: &mut Model, mut each: impl FnMut(&mut i32)) {
    model.each_tracks_mut(|tracks| tracks.0.iter_mut().for_each(|track| each(&mut track.global_sequence)));
    model.each_slot_track_mut(|slot| slot.iter_mut().for_each(|track| each(&mut track.global_sequence)));
    let events = model.event_objects.iter_mut().filter_map(|event| event.track.as_mut());
    events.for_each(|track| each(&mut track.global_sequence));
}

#[cfg(test)]
mod tests {
    use super::*;
    use effigy_mdx::track::tags;
    use effigy_mdx::{Bone, Dialect, EventObject, EventTrack, Interpolation, Key, Track};

    #[test]
    fn what_nothing_follows_is_left_out_and_the_rest_keeps_its_clock() {
        let mut model = Model::new(Dialect::Warcraft3, 800, "m");
        model.global_sequences = vec![0, 100, 200, 300];
        let mut bone = Bone::default();
        for global in [-1, 3] {
            let keys: [Key<[f32; 3]>; 0] = [];
            let track = Track::new(tags::KGTR, Interpolation::LINEAR, &keys).unwrap();
            bone.node.tracks.0.push(track.on_global_sequence(global));
        }
        model.bones.push(bone);
        let track = Some(EventTrack { global_sequence: 1, times: vec![5] });
        model.event_objects.push(EventObject { track, ..EventObject::default() });
        remove_unused(&mut model);
        assert_eq!(model.global_sequences, [100, 300]);
        let found: Vec<i32> = model.bones[0].node.tracks.iter().map(|it| it.global_sequence).collect();
        assert_eq!(found, [-1, 1]);
        assert_eq!(model.event_objects[0].track.as_ref().unwrap().global_sequence, 0);
    }
}
