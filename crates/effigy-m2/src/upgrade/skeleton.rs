//! Bones: rotations as floats or words, and the three words that 260 introduced.
//!
//! From 260 on the word after the parent is the distance to it in 1/36 units. 260 to 263 have two more words: the length
//! of the longest path to a descendant in the same unit, and the relative height of the chain. `docs/formats/m2.md` has
//! the formulas and how many bones of real files they reproduce.

use super::aside::Aside;
use crate::model::Model;
use crate::names;
use crate::records::Bone;
use crate::rotation;
use crate::series::Series;
use crate::track::Track;
use crate::version::Caps;
use effigy_wire::Report;

/// The same track with each value converted.
fn map<T: crate::block::Key, U: crate::block::Key>(track: &Track<T>, with: impl Fn(T) -> U) -> Track<U> {
    let items = track.values.all().iter().map(|&value| with(value)).collect();
    let values = Series { items, parts: track.values.parts.clone(), ..Series::default() };
    Track {
        interpolation: track.interpolation,
        global_sequence: track.global_sequence,
        ranges: track.ranges.clone(),
        times: track.times.clone(),
        values,
    }
}

pub(super) fn pack_rotations(model: &mut Model, report: &mut Report) {
    for (index, bone) in model.contents.bones.iter_mut().enumerate() {
        let floats = std::mem::take(&mut bone.rotation);
        bone.packed_rotation = map(&floats, rotation::pack);
        let lost = floats
            .values
            .all()
            .iter()
            .filter(|&&value| rotation::unpack_exact(rotation::pack(value)) != value);
        let lost = lost.count();
        if lost > 0 {
            let message = format!("{lost} keys are packed to 16 bits per component (error at most 0.00002)");
            report.approximated(format!("bones[{index}].rotation"), message);
        }
    }
}

pub(super) fn unpack_rotations(model: &mut Model) {
    for bone in &mut model.contents.bones {
        let packed = std::mem::take(&mut bone.packed_rotation);
        bone.rotation = map(&packed, rotation::unpack_exact);
    }
}

/// Restores the words that were stored after a 264 model.
pub(super) fn restore_distances(model: &mut Model, aside: Option<&Aside>) {
    for (bone, kept) in model.contents.bones.iter_mut().zip(aside.iter().flat_map(|aside| &aside.distances)) {
        bone.submesh = kept.submesh;
        bone.distance = kept.distance;
        bone.z_ratio = kept.z_ratio;
    }
}

/// Converts the words after the parent; their meaning depends on the version.
pub(super) fn convert_words(model: &mut Model, from: Caps, to: Caps, restored: bool, report: &mut Report) {
    let (was, is) = (from.contains(Caps::BONE_DISTANCES), to.contains(Caps::BONE_DISTANCES));
    let made = distances(&model.bones);
    if !from.contains(Caps::SORTING) && to.contains(Caps::SORTING) {
        add_parent_distances(&mut model.contents.bones, &made, report);
    }
    if to.contains(Caps::BONE_CRC) {
        // The distances are stored after the model.
        for bone in &mut model.contents.bones {
            bone.distance = 0;
            bone.z_ratio = 0;
            if let Some(name) = names::key_bone(bone.key_bone) {
                bone.name_crc = names::bone_crc(name.as_bytes());
            }
        }
        return;
    }
    let unnamed =
        model.bones.iter().filter(|bone| bone.name_crc != 0 && names::bone(bone.name_crc) != key_name(bone));
    let unnamed = unnamed.count();
    if unnamed > 0 {
        report.dropped("bones", format!("{unnamed} checksums of bone names"));
    }
    let leaves = from.contains(Caps::SORTING) && !to.contains(Caps::SORTING);
    for (index, (bone, made)) in model.contents.bones.iter_mut().zip(made).enumerate() {
        bone.name_crc = 0;
        if is && !was && !restored {
            (bone.distance, bone.z_ratio) = (made.1, made.2);
        } else if was && !is {
            if (bone.distance, bone.z_ratio) != (made.1, made.2) {
                report.dropped(format!("bones[{index}].distance"), "it does not follow from the skeleton");
            }
            (bone.distance, bone.z_ratio) = (0, 0);
        }
        if leaves && !restored {
            if bone.submesh != made.0 {
                report.dropped(format!("bones[{index}].submesh"), "it is not the distance to the parent");
            }
            bone.submesh = 0;
        }
    }
}

fn add_parent_distances(bones: &mut [Bone], made: &[(u16, u16, u16)], report: &mut Report) {
    for (index, (bone, made)) in bones.iter_mut().zip(made).enumerate() {
        if bone.submesh != 0 {
            let message = "replaced by the distance to the parent";
            report.dropped(format!("bones[{index}].submesh"), message);
        }
        bone.submesh = made.0;
    }
}

fn key_name(bone: &Bone) -> Option<&'static str> {
    names::key_bone(bone.key_bone)
}

/// For each bone: distance to the parent, longest way to a descendant, height in hundredths.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float to integer casts saturate")]
fn distances(bones: &[Bone]) -> Vec<(u16, u16, u16)> {
    const UNIT: f64 = 36.0;
    let parent =
        |index: usize, bone: &Bone| usize::try_from(bone.parent).ok().filter(|&parent| parent < index);
    let own: Vec<f64> = bones
        .iter()
        .enumerate()
        .map(|(index, bone)| {
            let Some(parent) = parent(index, bone).and_then(|parent| bones.get(parent)) else { return 0.0 };
            let square: f64 = bone
                .pivot
                .iter()
                .zip(parent.pivot)
                .map(|(a, b)| (f64::from(*a) - f64::from(b)).powi(2))
                .sum();
            square.sqrt() * UNIT
        })
        .collect();
    let mut way = vec![0.0_f64; bones.len()];
    for (index, bone) in bones.iter().enumerate().rev() {
        let through = own.get(index).copied().unwrap_or(0.0) + way.get(index).copied().unwrap_or(0.0);
        if let Some(place) = parent(index, bone).and_then(|parent| way.get_mut(parent)) {
            *place = place.max(through);
        }
    }
    let heights = || bones.iter().map(|bone| f64::from(bone.pivot[2]));
    let (low, high) = (heights().fold(f64::INFINITY, f64::min), heights().fold(f64::NEG_INFINITY, f64::max));
    let ratio =
        |height: f64| if high > low { ((height - low) * 100.0 / (high - low)).min(99.0) } else { 0.0 };
    own.iter()
        .zip(&way)
        .zip(heights())
        .map(|((own, way), height)| (*own as u16, *way as u16, ratio(height) as u16))
        .collect()
}
