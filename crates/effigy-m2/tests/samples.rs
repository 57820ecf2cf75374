//! Models made by code: what was written is read again in every version, and a bad byte never loses more than the
//! block that it is in.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use effigy_m2::{Caps, Companion, Model, Skin, Version, read};
use effigy_samples::m2::{creature, everything, versions};
use effigy_wire::{Flat, Json, Limits, Report, Status, Tree};

fn everyone() -> impl Iterator<Item = Model> {
    versions().flat_map(|version| [everything(version), creature(version)])
}

/// Writes a model and its companions, and reads them again.
fn again(model: &Model) -> Model {
    let mut read = read(&model.write().unwrap()).unwrap();
    for companion in model.attached() {
        read.attach(companion, &model.write_companion(companion).unwrap()).unwrap();
    }
    read
}

/// The bytes of the model that is built from the fields of another.
fn from_fields(model: &Model) -> Vec<u8> {
    let mut json = Json::new(false);
    model.visit(&mut json);
    let text = json.into_text();
    Model::build(model.version(), Tree::of(Tree::parse(&text).unwrap())).unwrap().write().unwrap()
}

fn leaves(model: &Model) -> Vec<(String, String)> {
    let mut flat = Flat::default();
    model.visit(&mut flat);
    flat.leaves
}

#[test]
fn what_is_written_is_read_again() {
    for model in everyone() {
        let read = again(&model);
        assert_eq!(leaves(&read), leaves(&model), "{}", model.version());
        assert!(read == model, "{}", model.version());
        assert!(read.diagnostics().is_empty(), "{}: {:?}", model.version(), read.diagnostics());
        assert!(read.missing_anims().is_empty());
    }
}

#[test]
fn new_models_have_the_canonical_layout() {
    for model in everyone() {
        let bytes = model.write().unwrap();
        let read = again(&model);
        assert_eq!(read.verify(&bytes).status, Status::Identical);
        assert!(read.verify_canonical(&bytes), "{}", model.version());
        assert_eq!(bytes.len() % 16, 0);
        for skin in &model.skins {
            let bytes = skin.write().unwrap();
            let skin = Skin::read(&bytes).unwrap();
            assert_eq!(skin.verify(&bytes).status, Status::Identical);
            assert!(skin.verify_canonical(&bytes));
        }
    }
}

/// `bones[3].rotation.times[0]` -> `bones[].rotation.times[]`.
fn without_indices(path: &str) -> String {
    let mut parts = path.split('[');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |path, part| {
        path + "[" + part.trim_start_matches(|letter: char| letter.is_ascii_digit())
    })
}

#[test]
fn everything_fills_each_list_and_each_string_of_its_version_at_least_once() {
    assert_eq!(without_indices("bones[13].rotation.times[0]"), "bones[].rotation.times[]");
    for version in versions() {
        let mut filled = std::collections::BTreeMap::<String, bool>::new();
        let mut ranges = false;
        for (path, value) in leaves(&everything(version)) {
            let is_filled = value != "[]" && value != "\"\"";
            // Only tracks with several sequences have ranges, and only before Wrath.
            if path.ends_with(".ranges") {
                ranges |= is_filled;
            } else {
                *filled.entry(without_indices(&path)).or_default() |= is_filled;
            }
        }
        assert_eq!(ranges, version < Version::WRATH, "{version}");
        let empty: Vec<&String> =
            filled.iter().filter(|(_, filled)| !**filled).map(|(path, _)| path).collect();
        assert!(filled.len() > 100, "{version}: only {} fields", filled.len());
        assert!(empty.is_empty(), "{version}: {empty:#?}");
    }
}

#[test]
fn converting_to_any_version_and_back_is_the_identity_or_is_reported() {
    let mut quiet = 0;
    for model in everyone() {
        for target in versions() {
            let (other, mut report) = model.upgrade(target).unwrap();
            assert_eq!(other.version(), target);
            let other_again = again(&other);
            assert!(other_again == other, "{} -> {target}", model.version());
            let (back, returned) = other_again.upgrade(model.version()).unwrap();
            report.append(returned);
            if !report.is_lossy() {
                assert_eq!(leaves(&back), leaves(&model), "{} -> {target}: {report}", model.version());
                quiet += 1;
            }
        }
    }
    assert!(quiet >= 14, "only {quiet} ways are without loss");
}

#[test]
fn burning_crusade_to_wrath_and_back_is_lossless() {
    for number in [260, 261, 262, 263] {
        let model = everything(Version::new(number).unwrap());
        let (wrath, mut report) = model.upgrade(Version::WRATH).unwrap();
        let (back, returned) = again(&wrath).upgrade(model.version()).unwrap();
        report.append(returned);
        // The keys stay; what is shown between them differs.
        let mut lossy =
            report.notes().iter().filter(|note| note.outcome >= effigy_wire::Outcome::Approximated);
        assert!(lossy.all(|note| note.path == "bones"), "{number}: {report}");
        assert_eq!(leaves(&back), leaves(&model), "{number}");
        assert!(back == model, "{number}");
    }
}

#[test]
fn vanilla_to_wrath_and_back_loses_rotations_only() {
    let model = everything(Version::VANILLA);
    let (wrath, report) = model.upgrade(Version::WRATH).unwrap();
    for note in report.notes().iter().filter(|note| note.outcome >= effigy_wire::Outcome::Approximated) {
        assert!(note.path.ends_with("rotation") || note.path == "bones", "{report}");
    }
    let (mut back, _) = again(&wrath).upgrade(Version::VANILLA).unwrap();
    for (bone, original) in back.contents.bones.iter_mut().zip(&model.contents.bones) {
        assert_eq!(bone.rotation.times, original.rotation.times);
        for (value, original) in
            bone.rotation.values.all().iter().flatten().zip(original.rotation.values.all().iter().flatten())
        {
            assert!((value - original).abs() < 2.0e-5);
        }
        bone.rotation = original.rotation.clone();
    }
    assert_eq!(leaves(&back), leaves(&model));
}

#[test]
fn keys_of_a_missing_animation_file_are_reported_and_attached_ones_arrive() {
    let model = everything(Version::WRATH);
    let mut lonely = read(&model.write().unwrap()).unwrap();
    lonely.skins = model.skins.clone();
    assert_eq!(lonely.missing_anims(), [3]);
    let dropped = |report: &Report| report.notes().iter().any(|note| note.message.contains(".anim"));
    assert!(dropped(&lonely.upgrade(Version::VANILLA).unwrap().1));
    let (vanilla, report) = again(&model).upgrade(Version::VANILLA).unwrap();
    assert!(!dropped(&report), "{report}");
    let (times, values) = vanilla.bones[1].translation.keys(3);
    assert_eq!((times.len(), values[1]), (2, [0.0, 0.0, -2.0]));
}

#[test]
fn companions_are_attached_in_any_order_and_a_missing_one_does_not_shift_the_others() {
    use Companion::{Animation, Skin};
    let model = everything(Version::WRATH);
    assert_eq!(model.attached(), [Skin(0), Skin(1), Skin(2), Skin(3), Animation(3)]);
    let mut read = read(&model.write().unwrap()).unwrap();
    assert_eq!(read.companions(), [Skin(0), Skin(1), Skin(2), Skin(3), Animation(3)]);
    assert_eq!(Skin(2).file_name(&read, "a/Imp.m2").unwrap(), "a/Imp02.skin");
    let id = model.sequences[3].id;
    assert_eq!(Animation(3).file_name(&read, "Imp.m2").unwrap(), format!("Imp{id:04}-00.anim"));
    for companion in [Animation(3), Skin(3), Skin(0), Skin(2)] {
        read.attach(companion, &model.write_companion(companion).unwrap()).unwrap();
    }
    assert_eq!(read.companions(), [Skin(1)]);
    assert_eq!(read.attached(), [Skin(0), Skin(2), Skin(3), Animation(3)]);
    assert_eq!(read.skins[1], model.skins[2]);
    assert!(read.write_companion(Skin(1)).is_err());
    assert!(read.attach(Skin(2), &model.write_companion(Skin(2)).unwrap()).is_err());
    read.attach(Skin(1), &model.write_companion(Skin(1)).unwrap()).unwrap();
    assert_eq!(read, model);
}

#[test]
fn the_number_of_views_that_a_header_asks_for_is_capped() {
    let mut model = Model::new(Version::WRATH);
    model.skin_count = u32::MAX;
    assert_eq!(model.companions(), (0..8).map(Companion::Skin).collect::<Vec<_>>());
}

#[test]
fn an_animation_file_can_be_merged_into_the_model() {
    let mut model = again(&everything(Version::WRATH));
    let keys = model.bones[1].translation.clone();
    model.merge_anim(3).unwrap();
    assert!(model.merge_anim(3).is_err());
    let merged = read(&model.write().unwrap()).unwrap();
    assert!(merged.missing_anims().is_empty());
    assert_eq!(merged.bones[1].translation, keys);
}

#[test]
fn keys_of_an_animation_file_go_with_it_and_come_back() {
    let whole = again(&everything(Version::WRATH));
    let bytes = whole.write_companion(Companion::Animation(3)).unwrap();
    let mut model = whole.clone();
    assert_eq!(model.bones[1].translation.keys(3).0.len(), 2);
    let others = model.bones[1].translation.keys(0).0.to_vec();
    model.detach_anim(3);
    assert_eq!(model.missing_anims(), [3]);
    assert!(model.bones[1].translation.keys(3).0.is_empty());
    assert_eq!(model.bones[1].translation.keys(0).0, others);
    model.attach(Companion::Animation(3), &bytes).unwrap();
    assert_eq!(leaves(&model), leaves(&whole));
}

#[test]
fn a_view_is_split_for_clients_with_fewer_bones() {
    let mut model = creature(Version::WRATH);
    model.skins[0].batches.iter_mut().for_each(|batch| batch.geoset = 77);
    let first = model.skins[0].clone();
    model.skins.truncate(1);
    model.skin_count = 1;
    let (vanilla, _) = model.upgrade(Version::VANILLA).unwrap();
    assert_eq!(vanilla.contents.views.len(), 4);
    for (view, limit) in vanilla.contents.views.iter().zip([256, 75, 53, 21]) {
        assert_eq!(view.bone_limit, limit);
        assert_eq!(view.triangles.len(), first.triangles.len());
        assert_eq!(view.properties.len(), view.vertices.len());
        for batch in view.batches.iter().filter(|_| limit < 256) {
            // A batch names the submesh that it was made for.
            let made_for = &first.submeshes[usize::from(batch.geoset)];
            assert_eq!(view.submeshes[usize::from(batch.submesh)].id, made_for.id);
        }
        for submesh in &view.submeshes {
            assert!(u32::from(submesh.bone_count) <= limit);
            let range =
                usize::from(submesh.vertex_start)..usize::from(submesh.vertex_start + submesh.vertex_count);
            for at in range.clone() {
                let vertex = vanilla.vertices[usize::from(view.vertices[at])];
                for k in (0..4).filter(|&k| vertex.weights[k] > 0) {
                    let combo = usize::from(submesh.bone_start) + usize::from(view.properties[at][k]);
                    assert_eq!(vanilla.bone_combos[combo], u16::from(vertex.bones[k]));
                }
            }
            let pulls = |at: usize| {
                let vertex = vanilla.vertices[usize::from(view.vertices[at])];
                vertex.weights.iter().filter(|weight| **weight > 0).count()
            };
            let most = range.clone().map(pulls).max().unwrap();
            assert_eq!(usize::from(submesh.bone_influences), most, "{limit}");
            let start = usize::from(submesh.triangle_start);
            let corners = &view.triangles[start..start + usize::from(submesh.triangle_count)];
            assert!(corners.iter().all(|&corner| range.contains(&usize::from(corner))));
        }
        // The same triangles, by the model's vertices.
        let corners = |view: &effigy_m2::View| -> Vec<u16> {
            view.triangles.iter().map(|&corner| view.vertices[usize::from(corner)]).collect()
        };
        assert_eq!(corners(view), corners(&first));
    }
}

#[test]
fn blocks_that_share_bytes_are_laid_out_again_when_one_of_them_changes() {
    let mut model = Model::new(Version::VANILLA);
    model.global_sequences = vec![100, 200].into();
    model.texture_combos = vec![100, 0, 200, 0].into();
    let mut bytes = model.write().unwrap();
    let word = |bytes: &[u8], at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let block = |bytes: &[u8], count: u32| {
        let content: Vec<u8> = [100_u32, 200].iter().flat_map(|it| it.to_le_bytes()).collect();
        let is_here = |at: &usize| {
            let offset = word(bytes, at + 4) as usize;
            word(bytes, *at) == count && bytes.get(offset..offset + 8) == Some(&content)
        };
        (0..200).step_by(4).find(is_here).unwrap()
    };
    let (first, second) = (block(&bytes, 2), block(&bytes, 4));
    let shared: [u8; 4] = bytes[first + 4..first + 8].try_into().unwrap();
    bytes[second + 4..second + 8].copy_from_slice(&shared);
    let mut model = read(&bytes).unwrap();
    assert_eq!(model.write().unwrap(), bytes);
    model.global_sequences = vec![150, 200].into();
    let again = read(&model.write().unwrap()).unwrap();
    assert_eq!(again.global_sequences[..], [150, 200]);
    assert_eq!(again.texture_combos[..], [100, 0, 200, 0]);
}

#[test]
fn a_file_cut_anywhere_is_an_error_or_comes_back() {
    for version in versions() {
        let model = everything(version);
        let bytes = model.write().unwrap();
        for cut in (0..bytes.len()).step_by(if cfg!(debug_assertions) { 3 } else { 1 }) {
            if let Ok(model) = read(&bytes[..cut]) {
                assert!(model.write().unwrap() == bytes[..cut], "{version} cut at {cut}");
                assert_ne!(model.verify(&bytes[..cut]).status, Status::Different);
                // What is slow is only done for some of the files.
                if cut % 96 == 0 {
                    assert!(from_fields(&model) == bytes[..cut], "{version} cut at {cut}");
                }
            }
        }
        for skin in model.skins.iter().take(1) {
            let bytes = skin.write().unwrap();
            for cut in 0..bytes.len() {
                if let Ok(skin) = Skin::read(&bytes[..cut]) {
                    assert!(skin.write().unwrap() == bytes[..cut], "skin cut at {cut}");
                }
            }
        }
    }
}

#[test]
fn any_word_at_its_extremes_is_read_and_comes_back() {
    let limits = Limits { diagnostics: 20, ..Limits::DEFAULT };
    for number in [256, 262, 264] {
        let bytes = everything(Version::new(number).unwrap()).write().unwrap();
        let length = u32::try_from(bytes.len()).unwrap();
        for at in (8..bytes.len() - 4).step_by(4) {
            // All extremes in the header, the worst ones in the records.
            let extremes = [u32::MAX, length, 0, 1, 0x7fff_ffff, length - 1];
            for extreme in &extremes[..if at < 0x150 { 6 } else { 2 }] {
                let mut odd = bytes.clone();
                odd[at..at + 4].copy_from_slice(&extreme.to_le_bytes());
                if let Ok(model) = effigy_m2::read_with(&odd, &limits) {
                    assert!(model.write().unwrap() == odd, "{number}: {extreme:#x} at {at:#x}");
                    if at < 0x150 || at % 64 == 0 {
                        assert!(from_fields(&model) == odd, "{number}: {extreme:#x} at {at:#x}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_bad_block_loses_that_block_only() {
    for version in versions() {
        let model = everything(version);
        let bytes = model.write().unwrap();
        // The first emitter's speed track: its times are beyond the file.
        let at = find_particles(&bytes, version)
            + 0x34
            + 4
            + if version.caps().contains(Caps::NESTED) { 0 } else { 8 };
        let mut odd = bytes.clone();
        odd[at..at + 8].copy_from_slice(&[0xff; 8]);
        let mut read = read(&odd).unwrap();
        for companion in model.attached() {
            read.attach(companion, &model.write_companion(companion).unwrap()).unwrap();
        }
        let found: Vec<_> =
            read.diagnostics().iter().filter(|found| found.path == "particles[0].speed.times").collect();
        assert_eq!(found.len(), 1, "{version}: {:?}", read.diagnostics());
        assert_eq!(read.verify(&odd).status, Status::Opaque);
        assert_eq!(read.verify(&odd).opaque, ["particles[0].speed.times"]);
        assert_eq!(read.contents.vertices, model.contents.vertices);
        assert_eq!(read.contents.bones.len(), model.contents.bones.len());
        assert_eq!(read.particles[0].speed.values, model.particles[0].speed.values);
        assert_eq!(read.particles[1..], model.particles[1..]);
    }
}

fn find_particles(bytes: &[u8], version: Version) -> usize {
    let header = if version.caps().contains(Caps::NESTED) { 0x128 } else { 0x13c };
    u32::from_le_bytes(bytes[header + 4..header + 8].try_into().unwrap()) as usize
}

#[test]
fn an_edit_that_fits_keeps_everything_in_place() {
    for version in versions() {
        let bytes = everything(version).write().unwrap();
        let mut model = read(&bytes).unwrap();
        model.contents.bones[1].pivot = [9.0, 8.0, 7.0];
        let edited = model.write().unwrap();
        assert_eq!(edited.len(), bytes.len());
        let changed = edited.iter().zip(&bytes).filter(|(a, b)| a != b).count();
        assert!((1..=12).contains(&changed), "{changed} bytes changed");
        model.contents.textures[0].name = effigy_m2::Block::text_of("T.blp");
        let shorter = read(&model.write().unwrap()).unwrap();
        assert_eq!(shorter.textures[0].name.text(), "T.blp");
        assert_eq!(shorter.contents, model.contents);
    }
}

#[test]
fn an_edit_that_does_not_fit_changes_the_layout() {
    for version in versions() {
        let mut model = again(&everything(version));
        model.contents.textures[0].name = effigy_m2::Block::text_of(&"long".repeat(50));
        model.contents.bones.push(effigy_m2::Bone::default());
        let edited = again(&model);
        assert!(edited == model, "{version}");
        assert!(edited.diagnostics().is_empty(), "{:?}", edited.diagnostics());
    }
}

#[test]
fn limits_are_kept() {
    let bytes = everything(Version::VANILLA).write().unwrap();
    let small = Limits { input_bytes: 100, ..Limits::DEFAULT };
    assert_eq!(effigy_m2::read_with(&bytes, &small).unwrap_err().kind(), effigy_wire::Kind::Limit);
    let few = Limits { records: 2, ..Limits::DEFAULT };
    let model = effigy_m2::read_with(&bytes, &few).unwrap();
    assert!(model.bones.is_empty() && !model.diagnostics().is_empty());
    assert_eq!(model.write().unwrap(), bytes);
}

#[test]
fn overlapping_tracks_do_not_exhaust_memory() {
    let mut model = Model::new(Version::VANILLA);
    model.contents.bones = vec![effigy_m2::Bone::default(); 2000].into();
    let mut bytes = model.write().unwrap();
    let (bones, size) = (0x150, 0x6c);
    let all = u32::try_from(bytes.len() / 16).unwrap();
    for bone in 0..2000 {
        for track in 0..3 {
            let values = bones + bone * size + 0xc + track * 0x1c + 0x14;
            bytes[values..values + 4].copy_from_slice(&all.to_le_bytes());
        }
    }
    let read = read(&bytes).unwrap();
    let keys: usize = read.bones.iter().map(|bone| bone.rotation.values.all().len()).sum();
    assert!(keys * 16 <= bytes.len() * 4 + 0x1_0000);
    assert!(read.write().unwrap() == bytes);
}

#[test]
fn ranges_beyond_the_keys_are_converted_to_nothing() {
    let mut model = everything(Version::VANILLA);
    for range in &mut model.contents.bones[1].translation.ranges {
        *range = [12999, 5];
    }
    let (wrath, report) = model.upgrade(Version::WRATH).unwrap();
    assert!(report.notes().iter().any(|note| note.path == "bones[1].translation"), "{report}");
    assert!(wrath.bones[1].translation.times.all().is_empty());
}
