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

/// Rotations that differ by less than so many degrees are not worth a word.
const NOTICED: f64 = 0.5;

/// Reports rotations that turn along another path in 264, which mixes the components of two keys, than before, where the path between
/// them is the shortest arc at even speed. The keys stay as they are. The model has a list of keys for each sequence.
pub(super) fn report_paths(model: &Model, report: &mut Report) {
    let (mut keys, mut most) = (0_usize, 0.0_f64);
    let mut look = |interpolation: i16, parts: &mut dyn Iterator<Item = Vec<[f32; 4]>>| {
        for pair in parts.filter(|_| interpolation == 1).flat_map(pairs) {
            let off = path_difference(pair);
            keys += usize::from(off >= NOTICED);
            most = most.max(off);
        }
    };
    for bone in model.bones.iter() {
        let (floats, packed) = (&bone.rotation, &bone.packed_rotation);
        let part = |index| floats.values.part(index).to_vec();
        look(floats.interpolation, &mut (0..floats.values.part_count()).map(part));
        let part = |index| packed.values.part(index).iter().map(|key| rotation::unpack_exact(*key)).collect();
        look(packed.interpolation, &mut (0..packed.values.part_count()).map(part));
    }
    if most >= NOTICED {
        let text = format!(
            "rotations turn along another path between two keys, {keys} times and by up to {most:.1} degrees: 264 mixes components, older versions do not"
        );
        report.approximated("bones", text);
    }
}

fn pairs(keys: Vec<[f32; 4]>) -> Vec<[[f32; 4]; 2]> {
    keys.iter().zip(keys.iter().skip(1)).map(|(a, b)| [*a, *b]).collect()
}

/// The largest angle in degrees between the two ways from one rotation to another.
fn path_difference([a, b]: [[f32; 4]; 2]) -> f64 {
    let product = |a: [f64; 4], b: [f64; 4]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let unit = |q: [f64; 4]| {
        let length = product(q, q).sqrt();
        q.map(|it| it / length)
    };
    let (a, b) = (unit(a.map(f64::from)), unit(b.map(f64::from)));
    let mix = |b: [f64; 4], x: f64, y: f64| {
        let mut mixed = a.map(|it| it * x);
        mixed.iter_mut().zip(b).for_each(|(it, b)| *it += b * y);
        unit(mixed)
    };
    let cosine = product(a, b);
    // At this angle the two ways are 0.17 degrees apart.
    if cosine > 0.9 {
        return 0.0;
    }
    let near = if cosine < 0.0 { b.map(|it| -it) } else { b };
    let angle = cosine.abs().min(1.0).acos();
    let off = |step: u8| {
        let part = f64::from(step) / 10.0;
        let mixed = mix(b, 1.0 - part, part);
        let arc = mix(near, ((1.0 - part) * angle).sin(), (part * angle).sin());
        2.0 * product(mixed, arc).abs().min(1.0).acos().to_degrees()
    };
    (1..10).map(off).filter(|off| off.is_finite()).fold(0.0, f64::max)
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
            bone.name_crc = key_crc(bone).unwrap_or(bone.name_crc);
        }
        return;
    }
    let unnamed =
        model.bones.iter().filter(|bone| bone.name_crc != 0 && Some(bone.name_crc) != key_crc(bone));
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

/// The checksum that follows from the key bone.
fn key_crc(bone: &Bone) -> Option<u32> {
    names::key_bone(bone.key_bone).map(|name| names::bone_crc(name.as_bytes()))
}

/// For each bone: distance to the parent, longest path to a descendant, relative height of the chain.
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
    let mut paths = vec![0.0_f64; bones.len()];
    let mut lowest: Vec<f64> = bones.iter().map(|bone| bone.pivot[2].into()).collect();
    let bottom = lowest.iter().copied().fold(f64::INFINITY, f64::min);
    let top = lowest.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    // Children follow their parents, so that backwards every bone is complete before its parent needs it.
    for (index, bone) in bones.iter().enumerate().rev() {
        let at = |list: &[f64]| list.get(index).copied().unwrap_or(0.0);
        let (path, low) = (at(&own) + at(&paths), at(&lowest));
        let Some(parent) = parent(index, bone) else { continue };
        if let (Some(longest), Some(lowest)) = (paths.get_mut(parent), lowest.get_mut(parent)) {
            *longest = longest.max(path);
            *lowest = lowest.min(low);
        }
    }
    // The divisor is the top and not the height of the skeleton: that is what original files have.
    let ratio = |low: f64| if top > 0.0 { (low - bottom) * 100.0 / top } else { 0.0 };
    let words = own.iter().zip(&paths).zip(&lowest);
    words.map(|((own, path), low)| (*own as u16, *path as u16, ratio(*low) as u16)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::version::Version;

    #[test]
    fn the_words_of_a_small_skeleton_are_those_of_an_original_file() {
        // Pivots, parents and words of five bones of BlessingofKings_Base (262).
        let bone = |parent, pivot| Bone { parent, pivot, ..Bone::default() };
        let bones = [
            bone(-1, [-0.0003, 0.0151, 0.1228]),
            bone(-1, [-0.0003, 0.0151, 0.034_773_4]),
            bone(-1, [-0.0035, -0.0025, 1.3431]),
            bone(2, [0.0268, -0.0035, 1.4022]),
            bone(-1, [0.0018, 0.0161, 5.191_479]),
            bone(2, [-0.0338, -0.0171, 1.281]),
        ];
        assert_eq!(distances(&bones), [(0, 0, 1), (0, 0, 0), (0, 2, 24), (2, 0, 26), (0, 0, 99), (2, 0, 24)]);
    }

    #[test]
    fn rotations_that_turn_another_way_between_keys_are_reported() {
        let (rest, quarter) = ([0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.5_f32.sqrt(), 0.5_f32.sqrt()]);
        // A fifth of the way: 2 atan(0.14142 / 0.94142) = 17.087 degrees instead of 18.
        assert!((path_difference([rest, quarter]) - 0.913).abs() < 1e-3);
        // With the other sign the components go the long way round: half way -135 degrees instead of 45.
        assert!((path_difference([rest, quarter.map(|it| -it)]) - 180.0).abs() < 1e-3);
        let small = [0.0, 0.0, 0.2, 0.96_f32.sqrt()];
        assert!(path_difference([rest, small]) < NOTICED && path_difference([rest, [0.0; 4]]) < NOTICED);
        let mut model = Model::new(Version::WRATH);
        let (key, back) = (rotation::pack(quarter), rotation::IDENTITY);
        for interpolation in [0, 1] {
            let track = model.make_track(interpolation, &[&[(0, back), (10, key), (20, back)], &[(0, key)]]);
            model.bones.push(Bone { packed_rotation: track, ..Bone::default() });
        }
        let mut report = Report::default();
        report_paths(&model, &mut report);
        let notes: Vec<String> = report.notes().iter().map(|note| note.message.to_string()).collect();
        assert!(
            matches!(notes.as_slice(), [one] if one.contains("2 times and by up to 0.9 degrees")),
            "{notes:?}"
        );
    }

    #[test]
    fn a_skeleton_at_or_below_the_ground_has_no_heights() {
        let bones = [Bone { pivot: [0.0, 0.0, -5.0], ..Bone::default() }, Bone::default()];
        assert_eq!(distances(&bones), [(0, 0, 0), (0, 0, 0)]);
        assert_eq!(distances(&[]), []);
    }

    #[test]
    fn distances_are_measured_along_the_chain() {
        let bone = |parent, pivot| Bone { parent, pivot, ..Bone::default() };
        let bones = [
            bone(-1, [0.0, 0.0, 1.0]),
            bone(0, [0.0, 0.0, 3.0]),
            bone(1, [0.0, 3.0, 3.0]),
            // A parent that comes later does not count.
            bone(9, [0.0, 0.0, 2.0]),
        ];
        // 2 and 3 units are 72 and 108; the longest path from the root is both. Heights: 0, 2, 2 and 1 of 3.
        assert_eq!(distances(&bones), [(0, 180, 0), (72, 108, 66), (108, 0, 66), (0, 0, 33)]);
    }

    #[test]
    fn rotations_that_16_bits_cannot_hold_are_counted() {
        let bone = |keys: &[[f32; 4]]| {
            let rotation = Track {
                interpolation: 1,
                global_sequence: 2,
                ranges: vec![[0, 1]].into(),
                times: Series::flat(vec![0; keys.len()]),
                values: Series::flat(keys.to_vec()),
            };
            Bone { rotation, ..Bone::default() }
        };
        let (none, odd) = ([0.0, 0.0, 0.0, 1.0], [0.5, 0.5, 0.5, -0.5]);
        let mut model = Model::new(crate::Version::VANILLA);
        model.bones = vec![bone(&[none]), bone(&[none, odd]), bone(&[odd, odd]), bone(&[])].into();
        let mut report = Report::default();
        pack_rotations(&mut model, &mut report);
        let notes: Vec<String> =
            report.notes().iter().map(|note| format!("{}: {}", note.path, note.message)).collect();
        assert_eq!(notes.len(), 2);
        assert!(notes[0].starts_with("bones[1].rotation: 1 keys"), "{notes:?}");
        assert!(notes[1].starts_with("bones[2].rotation: 2 keys"), "{notes:?}");
        let packed = &model.bones[1].packed_rotation;
        assert_eq!((packed.interpolation, packed.global_sequence), (1, 2));
        assert_eq!((packed.ranges.as_slice(), packed.times.all()), (&[[0, 1]][..], &[0, 0][..]));
        // (0.5 + 1) * 32767.5 = 49151.25, (-0.5 + 1) * 32767.5 = 16383.75.
        assert_eq!(packed.values.all(), [[32767, 32767, 32767, 65535], [49151, 49151, 49151, 16383]]);
        assert!(model.bones[1].rotation.is_empty());
        unpack_rotations(&mut model);
        assert_eq!(model.bones[1].rotation.values.all()[0], none);
        assert!(model.bones[1].packed_rotation.is_empty());
    }

    /// Two bones whose words follow from their places, and the words and notes after a conversion.
    fn convert(
        numbers: [u32; 2],
        restored: bool,
        change: fn(&mut [Bone]),
    ) -> (Vec<(u16, u16, u16)>, Vec<String>) {
        let [from, to] = numbers.map(|number| crate::Version::new(number).unwrap().caps());
        let mut model = Model::new(crate::Version::VANILLA);
        let root = Bone { pivot: [0.0, 0.0, 1.0], ..Bone::default() };
        let child = Bone { parent: 0, pivot: [0.0, 0.0, 3.0], ..Bone::default() };
        model.bones = vec![root, child].into();
        if from.contains(Caps::SORTING) {
            model.bones[1].submesh = 72;
        }
        if from.contains(Caps::BONE_DISTANCES) {
            model.bones[0].distance = 72;
            model.bones[1].z_ratio = 66;
        }
        change(&mut model.bones);
        let mut report = Report::default();
        convert_words(&mut model, from, to, restored, &mut report);
        assert!(to.contains(Caps::BONE_CRC) || model.bones.iter().all(|bone| bone.name_crc == 0));
        let words = model.bones.iter().map(|bone| (bone.submesh, bone.distance, bone.z_ratio)).collect();
        (words, report.notes().iter().map(|note| format!("{}: {}", note.path, note.message)).collect())
    }

    #[test]
    fn the_words_of_bones_depend_on_the_version() {
        let none = vec![(0, 0, 0), (0, 0, 0)];
        let parents = vec![(0, 0, 0), (72, 0, 0)];
        let all = vec![(0, 72, 0), (72, 0, 66)];
        for (numbers, words) in [
            ([256, 257], &none),
            ([256, 260], &all),
            ([256, 264], &parents),
            ([260, 256], &none),
            ([260, 263], &all),
            ([263, 264], &parents),
            ([264, 263], &all),
            ([264, 256], &none),
        ] {
            assert_eq!(convert(numbers, false, |_| ()), (words.clone(), vec![]), "{numbers:?}");
        }
        // Words that were stored after the model stay.
        assert_eq!(convert([264, 263], true, |_| ()).0, parents);
        assert_eq!(convert([264, 256], true, |_| ()).0, parents);
    }

    #[test]
    fn words_that_do_not_follow_from_the_skeleton_are_reported() {
        let odd: fn(&mut [Bone]) = |bones| bones[1].submesh = 5;
        let replaced = "bones[1].submesh: replaced by the distance to the parent";
        let parent = "bones[1].submesh: it is not the distance to the parent";
        let distance = "bones[0].distance: it does not follow from the skeleton";
        for (numbers, restored, words, notes) in [
            ([256, 257], false, (5, 0, 0), &[][..]),
            ([256, 260], false, (72, 0, 66), &[replaced][..]),
            ([260, 263], false, (5, 0, 66), &[]),
            ([260, 256], false, (0, 0, 0), &[parent]),
            ([264, 256], false, (0, 0, 0), &[parent]),
            ([264, 256], true, (5, 0, 0), &[]),
            ([263, 264], false, (5, 0, 0), &[]),
        ] {
            let (found, noted) = convert(numbers, restored, odd);
            assert_eq!((found[1], noted), (words, notes.iter().map(ToString::to_string).collect()));
        }
        let (words, notes) = convert([260, 256], false, |bones| bones[0].distance = 71);
        assert_eq!((words[0], notes), ((0, 0, 0), vec![distance.to_owned()]));
        let (_, notes) = convert([260, 256], false, |bones| bones[0].z_ratio = 1);
        assert_eq!(notes, [distance]);
    }

    #[test]
    fn checksums_that_do_not_come_back_are_counted() {
        const HEAD: u32 = 0x07C1_59A2;
        let dropped = |change: fn(&mut [Bone])| convert([264, 263], false, change).1;
        // Key bone 6 is the head; its checksum follows from that.
        assert!(dropped(|bones| (bones[0].key_bone, bones[0].name_crc) = (6, HEAD)).is_empty());
        assert!(dropped(|bones| bones[0].key_bone = 6).is_empty());
        let one = ["bones: 1 checksums of bone names"];
        assert_eq!(dropped(|bones| (bones[0].key_bone, bones[0].name_crc) = (5, HEAD)), one);
        assert_eq!(dropped(|bones| bones[1].name_crc = HEAD), one);
        // A name that is not in the dictionary.
        assert_eq!(dropped(|bones| bones[1].name_crc = 0x1234_5678), one);
        let both = dropped(|bones| bones.iter_mut().for_each(|bone| bone.name_crc = 0x1234_5678));
        assert_eq!(both, ["bones: 2 checksums of bone names"]);
    }

    #[test]
    fn key_bones_get_the_checksum_of_their_name() {
        let mut model = Model::new(crate::Version::VANILLA);
        model.bones = vec![Bone { key_bone: 6, ..Bone::default() }, Bone::default()].into();
        let (from, to) = (crate::Version::VANILLA.caps(), crate::Version::WRATH.caps());
        convert_words(&mut model, from, to, false, &mut Report::default());
        let found: Vec<u32> = model.bones.iter().map(|bone| bone.name_crc).collect();
        assert_eq!(found, [0x07C1_59A2, 0]);
    }
}
