//! Turning a model about the z axis.
//!
//! Whatever moves is attached to a bone: vertices, emitters, and the models that the game puts into its hands. A turn of the roots turns all
//! of them with their axes, so the mesh at rest and the other bones stay as they are. Only what is attached to no bone is turned itself.

use effigy_m2::{BoneFlags, Caps, Key, Model, Track, rotation};
use effigy_wire::{Error, Report, Result, Similarity, Space, Spatial};

/// Turns a model; all of its keys have to be there.
pub(super) fn turn(model: &mut Model, by: Similarity) -> Result<Report> {
    let mut report = Report::default();
    if model.bones.is_empty() {
        return Err(Error::unsupported("the model has no bones that could be turned"));
    }
    let caps = model.caps();
    let playing = playing(model);
    let contents = &mut model.contents;
    for (index, bone) in contents.bones.iter_mut().enumerate() {
        if bone.parent >= 0 {
            if bone.flags.intersects(BoneFlags::IGNORE_PARENT_ROTATION | BoneFlags::IGNORE_PARENT_TRANSLATION)
            {
                let text = "the bone does not follow its parent, and does not turn with it";
                report.approximated(format!("bones[{index}]"), text);
            }
            continue;
        }
        // From the pivot to where the turn takes it.
        let mut to = bone.pivot;
        { by }.point(&mut to);
        let moved = |value: [f32; 3]| {
            let [x, y, z] = by.turned(value.map(f64::from)).map(single);
            [x + (to[0] - bone.pivot[0]), y + (to[1] - bone.pivot[1]), z + (to[2] - bone.pivot[2])]
        };
        change(&mut bone.translation, caps, &playing, [0.0; 3], moved);
        let none = [0.0, 0.0, 0.0, 1.0];
        if caps.contains(Caps::PACKED_ROTATION) {
            let turned = |value: [u16; 4]| rotation::pack(by.before(rotation::unpack_exact(value)));
            change(&mut bone.packed_rotation, caps, &playing, rotation::pack(none), turned);
        } else {
            change(&mut bone.rotation, caps, &playing, none, |value| by.before(value));
        }
        // Without this flag the game does not look at the keys.
        bone.flags |= BoneFlags::TRANSFORMED;
    }
    let mut space = by;
    for light in contents.lights.iter_mut().filter(|light| light.bone < 0) {
        space.point(&mut light.position);
    }
    contents.cameras.walk_space(&mut space);
    contents.sequences.walk_space(&mut space);
    contents.collision_vertices.iter_mut().for_each(|point| space.point(point));
    contents.collision_normals.iter_mut().for_each(|normal| space.direction(normal));
    effigy_wire::meaning::corners(&mut contents.bounds, &mut space);
    effigy_wire::meaning::corners(&mut contents.collision_bounds, &mut space);
    Ok(report)
}

/// For each sequence, whether it has keys of its own that are there to be changed.
fn playing(model: &Model) -> Vec<bool> {
    let attached: Vec<usize> = model.attached_anims().collect();
    let own = |(index, sequence): (usize, &effigy_m2::Sequence)| {
        !sequence.flags.contains(effigy_m2::SequenceFlags::ALIAS)
            && (!sequence.is_external() || attached.contains(&index))
    };
    model.sequences.iter().enumerate().map(own).collect()
}

/// Changes every value of a track, and what it is without keys.
fn change<T: Key + PartialEq>(
    track: &mut Track<T>,
    caps: Caps,
    playing: &[bool],
    without: T,
    with: impl Fn(T) -> T,
) {
    let rest = with(without);
    let rests = rest == without;
    if track.is_empty() {
        if !rests {
            *track = Track::constant(rest, caps);
        }
        return;
    }
    track.values.all_mut().iter_mut().for_each(|value| *value = with(*value));
    if rests || track.global_sequence >= 0 {
        return;
    }
    for index in 0..track.times.part_count() {
        if track.times.stated(index) == 0 && playing.get(index) == Some(&true) {
            track.times.set_part(index, &[0]);
            track.values.set_part(index, std::slice::from_ref(&rest));
        }
    }
}

#[allow(clippy::cast_possible_truncation, reason = "models store single precision")]
const fn single(value: f64) -> f32 {
    value as f32
}
