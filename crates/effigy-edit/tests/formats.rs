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
fn a_scaled_or_moved_m2_has_scaled_or_moved_poses() {
    let files = corpus_files("m2");
    let (mut posed, mut refused) = (0, 0);
    for (name, bytes) in &files {
        let Ok(model) = effigy_m2::read(bytes) else { continue };
        for by in [Similarity::scale(1.7).unwrap(), Similarity::shift([3.0, -2.0, 5.0]).unwrap()] {
            let mut changed = model.clone();
            if let Err(error) = m2::apply(&mut changed, &Operation::Transform(by)) {
                assert_eq!(error.kind(), Kind::Unsupported, "{name}: {error}");
                refused += 1;
                continue;
            }
            let again = effigy_m2::read(&changed.write().unwrap()).unwrap();
            let Some(error) = posed_error(&model, &again, &by) else { continue };
            assert!(error <= 1e-5, "{name}: {error:e}");
            posed += 1;
        }
    }
    assert!(files.is_empty() || posed >= 40, "{posed} compared, {refused} refused");
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
    let error = m2::apply(&mut model, &parse("rotate", "90")).unwrap_err();
    assert!(error.hint_text().unwrap().contains("MDX"), "{error}");
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
        // The corners of the frames are scaled as well.
        assert_eq!(again.frames[0].max, model.frames[0].max.map(|value| value * 1.5));
    }
    assert!(files > 0 && compared > 0, "{files} files, {compared} poses");
}
