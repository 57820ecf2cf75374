//! The samples: they come back byte for byte, and their poses are those that they were made from.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use effigy_mds::bind::Bind;
use effigy_mds::pose::{At, Blend, Formula, Mesh, Moment, Skeleton, TagPose};
use effigy_mds::{Format, Model, join, read, split};
use effigy_samples::mds as samples;
use effigy_wire::{Flat, Status};

fn near(a: [f32; 3], b: [f32; 3], most: f32) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() <= most)
}

#[test]
fn every_sample_comes_back_identical_from_its_values() {
    for (name, bytes) in samples::all().unwrap() {
        let model = read(&bytes).unwrap();
        assert_eq!(model.verify(&bytes).status, Status::Identical, "{name}");
        assert!(model.diagnostics().is_empty(), "{name}: {:?}", model.diagnostics());
        let mut flat = Flat::default();
        model.visit(&mut flat);
        assert!(flat.leaves.len() > 50, "{name}");
    }
}

#[test]
fn an_edit_changes_its_own_bytes_only() {
    let bytes = samples::mds().write().unwrap();
    let mut model = read(&bytes).unwrap();
    model.surfaces[1].name.set("l_boots").unwrap();
    let changed = model.write().unwrap();
    let differing: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at] != changed[*at]).collect();
    let start = bytes.windows(6).position(|it| it == b"l_legs").unwrap();
    assert!(
        differing.first() == Some(&(start + 2)) && differing.last() == Some(&(start + 6)),
        "{differing:?}"
    );
}

#[test]
fn the_first_frame_stands_where_the_model_was_built() {
    let model = samples::mds();
    let pose = Skeleton::new(&model).unwrap().frame(&model, 0).unwrap();
    // The bones rest where the table of the sample puts them.
    assert!(near(pose.bones[0].translation, [0.0, 0.0, 28.0], 1e-5));
    assert!(near(pose.bones[5].translation, [0.0, -9.0, 46.0], 0.01), "{:?}", pose.bones[5]);
    let (min, max) = Mesh::new(&model).bounds(&pose);
    assert!(near(min, [-4.0, -11.0, 0.0], 0.02) && near(max, [4.0, 11.0, 57.0], 0.02), "{min:?} {max:?}");
    let tag = pose.tag(&model, model.find_tag("tag_weapon").unwrap()).unwrap();
    assert!(near(tag.origin, [3.0, -9.0, 31.0], 0.01));
    assert!(near(tag.axes[0], [1.0, 0.0, 0.0], 1e-3) && near(tag.axes[2], [0.0, 0.0, 1.0], 1e-3), "{tag:?}");
}

#[test]
fn a_tag_carries_the_axes_of_the_fallen_soldier() {
    let model = samples::mds();
    // In the last frame of the death he lies on his back: forward points up, up points back.
    let pose = Skeleton::new(&model).unwrap().frame(&model, 35).unwrap();
    let tag = pose.tag(&model, model.find_tag("tag_head").unwrap()).unwrap();
    assert!(near(tag.axes[0], [0.0, 0.0, 1.0], 1e-3), "{tag:?}");
    assert!(near(tag.axes[1], [0.0, 1.0, 0.0], 1e-3), "{tag:?}");
    assert!(near(tag.axes[2], [-1.0, 0.0, 0.0], 1e-3), "{tag:?}");
    assert!(near(tag.origin, [-58.0, 0.0, 4.0], 0.05), "{tag:?}");
}

#[test]
fn the_torso_turns_about_its_bone_and_the_legs_stay() {
    let model = samples::mds();
    let skeleton = Skeleton::new(&model).unwrap();
    // A quarter turn to the left.
    let torso_axes = [[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
    let moment = Moment { torso_axes, ..Moment::still(&model, 0) };
    let (rest, turned) = (skeleton.frame(&model, 0).unwrap(), skeleton.pose(&moment).unwrap());
    assert_eq!(rest.bones[6], turned.bones[6]);
    // The right arm at (0, -9, 46) goes to (9, 0, 46) with a weight of 1.
    assert!(near(turned.bones[5].translation, [9.0, 0.0, 46.0], 0.01), "{:?}", turned.bones[5]);
    let head = turned.tag(&model, model.find_tag("tag_head").unwrap()).unwrap();
    assert!(near(head.axes[0], [0.0, 1.0, 0.0], 1e-3), "{head:?}");
    // The tag on the back at (-4, 0, 42) has a weight of one half: half of it stays, half goes to (0, -4, 42).
    let back = turned.tag(&model, model.find_tag("tag_back").unwrap()).unwrap();
    assert!(near(back.origin, [-2.0, -2.0, 42.0], 0.01), "{back:?}");
    assert!(near(back.axes[0], [0.5, 0.5, 0.0], 1e-3), "{back:?}");
}

#[test]
fn legs_and_torso_play_frames_of_their_own() {
    let model = samples::mds();
    let skeleton = Skeleton::new(&model).unwrap();
    let moment = Moment { torso: Blend::still(&model, 21), ..Moment::still(&model, 11) };
    let mixed = skeleton.pose(&moment).unwrap();
    let (legs, torso) = (skeleton.frame(&model, 11).unwrap(), skeleton.frame(&model, 21).unwrap());
    assert_eq!(mixed.bones[6], legs.bones[6]);
    assert_eq!(mixed.bones[5].matrix, torso.bones[5].matrix);
    assert_ne!(mixed.bones[2].matrix, torso.bones[2].matrix);
    assert_ne!(mixed.bones[2].matrix, legs.bones[2].matrix);
}

#[test]
fn half_way_between_two_frames_angles_are_half_way() {
    let mut model = samples::mds();
    // Two frames of the left leg, ten degrees apart across the half turn: 179 and -171 degrees.
    let count = model.bones.len();
    // 179 * 65536 / 360 and -171 * 65536 / 360.
    model.keys[6].angles = [0, 32586, 0];
    model.keys[count + 6].angles = [0, -31130, 0];
    let at = |frame| At { model: &model, frame };
    let blend = Blend { new: at(1), old: at(0), back: 0.5 };
    let moment = Moment { legs: blend, torso: blend, torso_axes: Moment::still(&model, 0).torso_axes };
    for formula in [Formula::Wolfenstein, Formula::EnemyTerritory] {
        let pose = Skeleton::new(&model).unwrap().with_formula(formula).pose(&moment).unwrap();
        let [x, y, _] = pose.bones[6].matrix[0];
        let yaw = y.atan2(x).to_degrees();
        assert!((yaw + 176.0).abs() < 0.1, "{formula:?}: {yaw}");
    }
    let whole = Moment { legs: Blend { back: 0.25, ..blend }, ..moment };
    let pose = Skeleton::new(&model).unwrap().pose(&whole).unwrap();
    let [new, old] = [1, 0].map(|frame: usize| model.frames[frame].parent_offset);
    assert_eq!(pose.bones[0].translation[2], 0.75 * new[2] + 0.25 * old[2]);
}

#[test]
fn the_bind_pose_is_recovered() {
    let model = samples::mds();
    let bind = Bind::recover(&model, &model, 30).unwrap();
    assert!(bind.error < 1e-3, "{}", bind.error);
    // Distances between vertices are those of the boxes: 18 between the lower and the upper end of the chest.
    let surface = &model.surfaces[0];
    let points: Vec<[f32; 3]> =
        surface.vertices.iter().map(|vertex| bind.position(&vertex.weights)).collect();
    let distance = |a: usize, b: usize| {
        points[a].iter().zip(points[b]).map(|(a, b)| (a - b).powi(2)).sum::<f32>().sqrt()
    };
    // The first side of a box has the corners low-low, high-low, high-high, low-high of y and z.
    assert!((distance(0, 1) - 14.0).abs() < 1e-3 && (distance(0, 3) - 18.0).abs() < 1e-3);
    // From the chest's lower corner (-4, -7, 30) to the head's (-4, -4, 48), which only a chain of bones connects.
    assert!((distance(0, 24) - (9.0_f32 + 324.0).sqrt()).abs() < 2e-3, "{}", distance(0, 24));
}

fn tags_of(model: &Model, bones: &Model, frame: usize) -> Vec<TagPose> {
    let skeleton = Skeleton::new(bones).unwrap().with_formula(Formula::Wolfenstein);
    let pose = skeleton.frame(bones, frame).unwrap();
    (0..model.tags.len()).map(|tag| pose.tag(model, tag).unwrap()).collect()
}

#[test]
fn split_and_joined_again_he_looks_the_same() {
    let model = samples::mds();
    let (mesh, bones, report) = split(&model).unwrap();
    assert_eq!((mesh.format, bones.format), (Format::Mdm, Format::Mdx));
    // The ignored torso weights of the tags are lost.
    assert!(report.notes().iter().all(|note| note.path.starts_with("tags")), "{report}");
    assert_eq!(read(&mesh.write().unwrap()).unwrap(), mesh);
    assert_eq!(read(&bones.write().unwrap()).unwrap(), bones);
    assert_eq!(mesh.tags[1].bone_references, [0, 1, 2, 5, 9]);
    let (again, report) = join(&mesh, &[&bones]).unwrap();
    assert!(!report.is_lossy(), "{report}");
    for frame in [0, 11, 22, 35] {
        let before = tags_of(&model, &model, frame);
        for (found, name) in
            [(tags_of(&mesh, &bones, frame), "split"), (tags_of(&again, &again, frame), "joined")]
        {
            for (a, b) in before.iter().zip(&found) {
                assert!(near(a.origin, b.origin, 0.01), "{name} {frame}: {a:?} {b:?}");
                for (a, b) in a.axes.into_iter().zip(b.axes) {
                    assert!(near(a, b, 3e-4), "{name} {frame}");
                }
            }
        }
        let frame = (&model.frames[frame], &again.frames[frame]);
        assert!(near(frame.0.min, frame.1.min, 1e-4) && (frame.0.radius - frame.1.radius).abs() < 1e-3);
    }
    assert!(split(&mesh).is_err() && join(&mesh, &[]).is_err() && join(&bones, &[&bones]).is_err());
}
