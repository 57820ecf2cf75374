//! Edits of World of Warcraft's and Wolfenstein's models, proved by poses and by reading the files again.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

use effigy_edit::{Operation, m2, mdc, mds};
use effigy_mdc::{Format, Tags};
use effigy_mds::pose::{Mesh, Skeleton};
use effigy_scene::sample::{Moment, Sampler};
use effigy_scene::{Id, validate};
use effigy_wire::{Kind, Similarity};

fn parse(verb: &str, argument: &str) -> Operation {
    Operation::parse(verb, argument).unwrap()
}

/// Every M2 of the corpus that can be read, with the files that belong to it, which the corpus has in a folder of their own.
fn m2_models() -> Vec<(String, effigy_m2::Model)> {
    let Some(corpus) = effigy_testkit::corpus() else { return Vec::new() };
    let files = effigy_testkit::files(&corpus.join("m2-companions"), |_| true);
    let mut models = Vec::new();
    for entry in
        effigy_testkit::index(&corpus).into_iter().filter(|it| it.format == "m2" && !it.is_malformed())
    {
        let Ok(mut model) = effigy_m2::read(&std::fs::read(&entry.path).unwrap()) else { continue };
        let own = entry.path.file_name().unwrap().to_string_lossy().into_owned();
        for companion in model.companions() {
            let wanted = companion.file_name(&model, &own).unwrap();
            let fits = |file: &&std::path::PathBuf| file.file_name().unwrap().eq_ignore_ascii_case(&wanted);
            if let Some(file) = files.iter().find(fits) {
                model.attach(companion, &std::fs::read(file).unwrap()).unwrap_or_default();
            }
        }
        models.push((entry.name, model));
    }
    models
}

/// The model and its files, written and read again. Sequences of the same number have one file.
fn m2_again(model: &effigy_m2::Model) -> effigy_m2::Model {
    let mut again = effigy_m2::read(&model.write().unwrap()).unwrap();
    let mut files = std::collections::BTreeMap::new();
    for companion in model.attached() {
        let bytes = model.write_companion(companion).unwrap();
        let name = companion.file_name(model, "Model.m2").unwrap();
        let file = files.entry(name.clone()).or_insert_with(|| bytes.clone());
        assert!(*file == bytes, "{name} is written twice, and not alike");
        again.attach(companion, &bytes).unwrap();
    }
    again
}

fn corpus_files(format: &str) -> Vec<(String, Vec<u8>)> {
    let Some(corpus) = effigy_testkit::corpus() else { return Vec::new() };
    let entries = effigy_testkit::index(&corpus).into_iter();
    entries
        .filter(|entry| entry.format == format && !entry.is_malformed())
        .filter_map(|entry| Some((entry.name.clone(), std::fs::read(&entry.path).ok()?)))
        .collect()
}

/// The largest error of a posed vertex relative to the size, at three times of up to eight sequences.
fn posed_error(before: &effigy_m2::Model, after: &effigy_m2::Model, by: &Similarity) -> Option<f64> {
    let lowered = |model| validate(effigy_convert::m2::lower(model).scene).ok();
    let (old, new) = (lowered(before)?, lowered(after)?);
    let (one, two) = (Sampler::new(&old), Sampler::new(&new));
    let (mut a, mut b) = (one.pose(), two.pose());
    let (mut worst, mut size) = (0.0_f64, 1.0_f64);
    for (index, sequence) in before.sequences.iter().enumerate().take(8) {
        let id = Id::new(u32::try_from(index).unwrap());
        for part in [0.0, 0.37, 1.0] {
            let moment = Moment::new(id, f64::from(sequence.length()) * part);
            one.sample(&moment, None, &mut a);
            two.sample(&moment, None, &mut b);
            one.skin(&mut a);
            two.skin(&mut b);
            for (a, b) in a.meshes().iter().zip(b.meshes()) {
                for (p, q) in a.positions.iter().zip(&b.positions) {
                    let wanted = by.apply(p.map(f64::from));
                    for (wanted, found) in wanted.iter().zip(q) {
                        size = size.max(wanted.abs());
                        worst = worst.max((wanted - f64::from(*found)).abs());
                    }
                }
            }
        }
    }
    Some(worst / size)
}

#[test]
fn a_scaled_turned_or_moved_m2_has_such_poses() {
    let models = m2_models();
    let (mut posed, mut refused, mut apart) = (0, 0, 0);
    let by = [
        (Similarity::scale(1.7).unwrap(), 1e-5),
        (Similarity::shift([3.0, -2.0, 5.0]).unwrap(), 1e-5),
        // Rotations have 16 bits from 260 on.
        (Similarity::turn(90.0).unwrap(), 2e-4),
        (Similarity::turn(37.0).unwrap(), 2e-4),
    ];
    for (name, model) in &models {
        for (by, limit) in &by {
            let mut changed = model.clone();
            if let Err(error) = m2::apply(&mut changed, &Operation::Transform(*by)) {
                let reason = !model.companions().is_empty() || error.to_string().contains("two sequences");
                assert!(reason && error.kind() == Kind::Unsupported, "{name}: {error}");
                refused += 1;
                continue;
            }
            let Some(error) = posed_error(model, &m2_again(&changed), by) else { continue };
            assert!(error <= *limit, "{name}: {error:e}");
            posed += 1;
            apart += usize::from(!model.attached().is_empty());
        }
    }
    assert!(
        models.is_empty() || posed >= 240 && apart >= 80 && refused <= 4,
        "{posed} compared ({apart} of several files), {refused} refused"
    );
}

#[test]
fn what_is_attached_to_a_bone_of_an_m2_turns_with_it() {
    for number in [256, 260, 264] {
        let mut model = effigy_m2::Model::new(effigy_m2::Version::new(number).unwrap());
        model.sequences = vec![effigy_m2::Sequence::default()].into();
        let root = effigy_m2::Bone { pivot: [2.0, 0.0, 1.0], ..Default::default() };
        let hand = effigy_m2::Bone { parent: 0, pivot: [5.0, 0.0, 1.0], ..Default::default() };
        model.bones = vec![root, hand.clone()].into();
        model.collision_vertices = vec![[1.0, 2.0, 3.0]].into();
        let light = |bone| effigy_m2::Light { bone, position: [1.0, 2.0, 3.0], ..Default::default() };
        model.lights = vec![light(-1), light(0)].into();
        model.cameras = vec![effigy_m2::Camera { position: [1.0, 2.0, 3.0], ..Default::default() }].into();
        model.bounds = [0.0, -1.0, 0.0, 5.0, 1.0, 2.0];
        m2::apply(&mut model, &parse("rotate", "90")).unwrap();
        // The pivot goes from (2, 0, 1) to (0, 2, 1).
        let root = &model.bones[0];
        assert_eq!((root.pivot, root.translation.values.all()), ([2.0, 0.0, 1.0], &[[-2.0, 2.0, 0.0]][..]));
        let half = std::f32::consts::FRAC_1_SQRT_2;
        let found = if number < 260 {
            root.rotation.values.all()[0]
        } else {
            effigy_m2::rotation::unpack_exact(root.packed_rotation.values.all()[0])
        };
        for (found, wanted) in found.iter().zip([0.0, 0.0, half, half]) {
            assert!((found - wanted).abs() < 1e-4, "{number}: {found} {wanted}");
        }
        assert!(root.flags.contains(effigy_m2::BoneFlags::TRANSFORMED));
        assert_eq!(model.bones[1], hand);
        // The light of a bone is turned by it.
        assert_eq!(model.lights[0].position, [-2.0, 1.0, 3.0]);
        assert_eq!(model.lights[1].position, [1.0, 2.0, 3.0]);
        assert_eq!(model.cameras[0].position, [-2.0, 1.0, 3.0]);
        assert_eq!(
            (model.collision_vertices[0], model.bounds),
            ([-2.0, 1.0, 3.0], [-1.0, 0.0, 0.0, 1.0, 5.0, 2.0])
        );
    }
}

#[test]
fn the_bounds_and_the_bones_of_an_m2_are_scaled() {
    let mut model = effigy_m2::Model::new(effigy_m2::Version::new(260).unwrap());
    model.radius = 3.0;
    model.bounds = [-1.0, -2.0, 0.0, 1.0, 2.0, 4.0];
    model.bones.push(effigy_m2::Bone {
        pivot: [1.0, 2.0, 3.0],
        submesh: 36,
        distance: 72,
        ..Default::default()
    });
    m2::apply(&mut model, &parse("scale", "2")).unwrap();
    assert_eq!((model.radius, model.bounds), (6.0, [-2.0, -4.0, 0.0, 2.0, 4.0, 8.0]));
    let bone = &model.bones[0];
    assert_eq!((bone.pivot, bone.submesh, bone.distance), ([2.0, 4.0, 6.0], 72, 144));
    assert!(m2::apply(&mut model, &parse("scale", "1000")).is_err(), "the distance has 16 bits");
    let error = m2::apply(&mut model, &parse("recompute", "normals")).unwrap_err();
    assert!(error.hint_text().unwrap().contains("MDX"), "{error}");
    // A file of the model that is not there would have to change as well.
    let mut model = effigy_m2::Model::new(effigy_m2::Version::WRATH);
    model.skin_count = 1;
    let error = m2::apply(&mut model, &parse("scale", "2")).unwrap_err();
    assert!(error.to_string().contains("NAME00.skin"), "{error}");
}

#[test]
fn texture_paths_of_an_m2_change_and_those_that_the_game_chooses_stay() {
    let mut model = effigy_m2::Model::new(effigy_m2::Version::VANILLA);
    let texture =
        |kind, path| effigy_m2::Texture { kind, name: effigy_m2::Block::text_of(path), ..Default::default() };
    model.textures = vec![texture(0, "Creature\\Imp\\Imp.blp"), texture(11, "")].into();
    let done = m2::apply(&mut model, &parse("texture-path", r"^Creature\\(.*)=My\$1")).unwrap();
    assert_eq!(done.changed, 1);
    let again = effigy_m2::read(&model.write().unwrap()).unwrap();
    assert_eq!((again.textures[0].name.text().as_ref(), again.textures[1].kind), ("My\\Imp\\Imp.blp", 11));
}

#[test]
fn a_scaled_md3_has_scaled_vertices_and_tags_and_the_rest_stays() {
    let files = corpus_files("md3");
    let mut compared = 0;
    for (name, bytes) in &files {
        let Ok(model) = effigy_mdc::read(bytes) else { continue };
        if model.format != Format::Md3 {
            continue;
        }
        let mut changed = model.clone();
        let Ok(_) = mdc::apply(&mut changed, &parse("scale", "0.5")) else { continue };
        let again = effigy_mdc::read(&changed.write().unwrap()).unwrap();
        for (old, new) in model.surfaces.iter().zip(&again.surfaces) {
            for (old, new) in old.base.iter().zip(&new.base) {
                for (old, new) in old.position.iter().zip(new.position) {
                    assert!((f32::from(*old) * 0.5 - f32::from(new)).abs() <= 0.5, "{name}");
                }
                assert_eq!(old.normal, new.normal);
            }
            assert_eq!((&old.triangles, &old.texcoords), (&new.triangles, &new.texcoords));
        }
        if let (Tags::Full(old), Tags::Full(new)) = (&model.tags, &again.tags) {
            for (old, new) in old.iter().zip(new) {
                assert_eq!(old.origin.map(|value| value * 0.5), new.origin, "{name}");
                assert_eq!(old.axes, new.axes);
            }
        }
        compared += 1;
    }
    assert!(files.is_empty() || compared >= 8, "{compared} compared");
}

#[test]
fn a_turned_md3_has_turned_vertices_normals_and_tags() {
    let mut compared = 0;
    let files = corpus_files("md3");
    for (name, bytes) in &files {
        let Ok(model) = effigy_mdc::read(bytes) else { continue };
        if model.format != Format::Md3 {
            continue;
        }
        let mut changed = model.clone();
        let done = mdc::apply(&mut changed, &parse("rotate", "90")).unwrap();
        assert!(done.report.notes().is_empty(), "{name}: a quarter is exact");
        let again = effigy_mdc::read(&changed.write().unwrap()).unwrap();
        for (old, new) in model.surfaces.iter().zip(&again.surfaces) {
            for (old, new) in old.base.iter().zip(&new.base) {
                let [x, y, z] = old.position;
                assert_eq!(new.position, [-y, x, z], "{name}");
                let ([x, y, z], found) =
                    (effigy_mdc::normals::unpack(old.normal), effigy_mdc::normals::unpack(new.normal));
                assert!(effigy_mdc::normals::degrees_between([-y, x, z], found) < 0.01, "{name}");
            }
        }
        if let (Tags::Full(old), Tags::Full(new)) = (&model.tags, &again.tags) {
            for (old, new) in old.iter().zip(new) {
                let [x, y, z] = old.origin;
                assert_eq!(new.origin, [-y, x, z], "{name}");
                for (old, new) in old.axes.chunks(3).zip(new.axes.chunks(3)) {
                    assert_eq!(new, [-old[1], old[0], old[2]], "{name}");
                }
            }
        }
        compared += 1;
    }
    assert!(files.is_empty() || compared >= 8, "{compared} compared");
    let mut model = effigy_mdc::Model::new(Format::Md3);
    let normal = effigy_mdc::normals::pack([1.0, 0.0, 0.0]);
    let base = vec![effigy_mdc::Vertex { position: [64, 0, 0], normal }];
    model.surfaces.push(effigy_mdc::Surface { base, ..Default::default() });
    let done = mdc::apply(&mut model, &parse("rotate", "10")).unwrap();
    // 10 degrees are 7.11 of 256 steps: 0.16 degrees too many.
    let notes: Vec<_> = done.report.notes().iter().map(|note| note.message.clone()).collect();
    assert!(notes[1].contains("up to 0.16 degrees off"), "{notes:?}");
    let error = mdc::apply(&mut effigy_mdc::Model::new(Format::Mdc), &parse("rotate", "10")).unwrap_err();
    assert!(error.to_string().contains("MDC"), "{error}");
}

#[test]
fn a_vertex_beyond_the_range_of_md3_is_refused() {
    let mut model = effigy_mdc::Model::new(Format::Md3);
    let base = vec![effigy_mdc::Vertex { position: [64 * 300, 0, 0], normal: 0 }];
    model.surfaces.push(effigy_mdc::Surface { base, ..Default::default() });
    let error = mdc::apply(&mut model, &parse("scale", "2")).unwrap_err();
    assert!(error.to_string().contains("512"), "{error}");
}

#[test]
fn shaders_and_tags_of_wolfenstein_are_renamed() {
    for (name, bytes) in corpus_files("mdc").into_iter().chain(corpus_files("md3")).take(60) {
        let Ok(model) = effigy_mdc::read(&bytes) else { continue };
        let mut changed = model.clone();
        mdc::apply(&mut changed, &parse("texture-path", "^=my/")).unwrap_or_default();
        mdc::apply(&mut changed, &parse("rename-node", "tag_*=tag_x")).unwrap();
        let again = effigy_mdc::read(&changed.write().unwrap()).unwrap();
        assert_eq!(again, changed, "{name}");
        assert_eq!(again.frames, model.frames);
    }
}

#[test]
fn a_scaled_mds_has_scaled_poses() {
    let Some(folder) = effigy_testkit::soldiers() else { return };
    let (mut compared, mut files) = (0, 0);
    for path in effigy_testkit::files(&folder, |name| name.ends_with(".mds")) {
        let Ok(model) = effigy_mds::read(&std::fs::read(&path).unwrap()) else { continue };
        if model.format != effigy_mds::Format::Mds {
            continue;
        }
        let mut changed = model.clone();
        mds::apply(&mut changed, &parse("scale", "1.5")).unwrap();
        let again = effigy_mds::read(&changed.write().unwrap()).unwrap();
        files += 1;
        let (old, new) = (Skeleton::new(&model).unwrap(), Skeleton::new(&again).unwrap());
        let (old_mesh, new_mesh) = (Mesh::new(&model), Mesh::new(&again));
        for frame in [0, model.frames.len() / 2] {
            let (Ok(a), Ok(b)) = (old.frame(&model, frame), new.frame(&again, frame)) else { continue };
            let ((low, high), (new_low, new_high)) = (old_mesh.bounds(&a), new_mesh.bounds(&b));
            for (old, new) in low.iter().chain(&high).zip(new_low.iter().chain(&new_high)) {
                assert!(
                    (old * 1.5 - new).abs() <= 1e-4 * old.abs().max(10.0),
                    "{}: {old} {new}",
                    path.display()
                );
            }
            compared += 1;
        }
        moved(&model);
        // The corners of the frames are scaled as well.
        assert_eq!(again.frames[0].max, model.frames[0].max.map(|value| value * 1.5));
    }
    assert!(files > 0 && compared > 0, "{files} files, {compared} poses");
}

/// A soldier that was moved stands where his pose, moved, is.
fn moved(model: &effigy_mds::Model) {
    let mut changed = model.clone();
    mds::apply(&mut changed, &parse("translate", "10,20,-5")).unwrap();
    let again = effigy_mds::read(&changed.write().unwrap()).unwrap();
    let (old, new) = (Skeleton::new(model).unwrap(), Skeleton::new(&again).unwrap());
    let (old_mesh, new_mesh) = (Mesh::new(model), Mesh::new(&again));
    for frame in [0, model.frames.len() / 2] {
        let (Ok(a), Ok(b)) = (old.frame(model, frame), new.frame(&again, frame)) else { continue };
        let ((low, high), found) = (old_mesh.bounds(&a), new_mesh.bounds(&b));
        for (old, found) in [(low, found.0), (high, found.1)] {
            for ((old, found), by) in old.iter().zip(found).zip([10.0, 20.0, -5.0]) {
                assert!((old + by - found).abs() <= 1e-3, "{old} {found}");
            }
        }
    }
    assert_eq!(again.frames[0].min[0], model.frames[0].min[0] + 10.0);
}

#[test]
fn a_mesh_of_enemy_territory_has_no_place_of_its_own_and_no_soldier_is_turned() {
    let mut mesh = effigy_mds::Model::new(effigy_mds::Format::Mdm);
    let error = mds::apply(&mut mesh, &parse("translate", "1,2,3")).unwrap_err();
    assert!(error.hint_text().unwrap().contains(".mdx"), "{error}");
    mds::apply(&mut mesh, &parse("scale", "2")).unwrap();
    let error = mds::apply(&mut mesh, &parse("rotate", "90")).unwrap_err();
    assert!(error.hint_text().unwrap().contains("M2 and MD3"), "{error}");
}
