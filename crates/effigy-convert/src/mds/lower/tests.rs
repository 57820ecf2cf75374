use super::*;

#[test]
fn a_motion_about_a_pivot_has_no_translation_and_turns_the_short_way() {
    let pivot = Vec3A::new(1.0, 2.0, 3.0);
    let mut motion = Motion::default();
    for degrees in [100.0_f32, 170.0, 190.0, 260.0, 350.0, 20.0] {
        let turn = Mat3A::from_rotation_z(degrees.to_radians());
        let shift = Vec3A::new(degrees, 0.0, 0.0);
        motion.push(Affine3A { matrix3: turn, translation: pivot - turn * pivot + shift }, pivot);
    }
    for (found, degrees) in motion.translations.iter().zip([100.0, 170.0, 190.0, 260.0, 350.0, 20.0]) {
        assert!(Vec3A::from(*found).abs_diff_eq(Vec3A::new(degrees, 0.0, 0.0), 1e-3), "{found:?}");
    }
    // Half of each angle, without a jump of the sign: 20 degrees are 380.
    for (Rotation([_, _, z, w]), half) in
        motion.rotations.iter().zip([50.0_f32, 85.0, 95.0, 130.0, 175.0, 190.0])
    {
        let (sin, cos) = half.to_radians().sin_cos();
        assert!((z - sin).abs() < 1e-5 && (w - cos).abs() < 1e-5, "{half}: {z} {w}");
    }
}

#[test]
fn frames_last_whole_milliseconds() {
    for (fps, time) in [
        (15.0, 66),
        (20.0, 50),
        (20.9, 50),
        (1.0, 1000),
        (1.9, 1000),
        (0.5, 1000),
        (-3.0, 1000),
        (f32::NAN, 1000),
        (1000.0, 1),
        (5000.0, 1),
    ] {
        assert_eq!(frame_time(fps), time, "{fps}");
    }
}

#[test]
fn the_name_of_a_body_is_that_of_its_file() {
    let names = ["models/players/body.mds", "a\\b.c.mdm", "plain", ""].map(short_name);
    assert_eq!(names, ["body", "b.c", "plain", ""]);
}

#[test]
fn keys_follow_the_rows_forwards_backwards_and_around() {
    let model = effigy_samples::mds::mds();
    let row = |name: &str, first: u32, count: u32, loop_frames: u32, reversed: bool| Named {
        name: name.into(),
        first,
        count,
        fps: 10.0,
        loop_frames,
        reversed,
        move_speed: -1.0,
        ..Named::default()
    };
    let rows = vec![
        // The last two frames are repeated; more frames than there are is all of them; one frame repeats nothing.
        row("part", 1, 3, 2, false),
        row("all", 0, 2, 9, false),
        row("one", 3, 1, 1, false),
        row("back", 0, 3, 2, true),
        row("empty", 2, 0, 0, false),
    ];
    let animations = vec![Animation { model: &model, rows }];
    let body = Body { mesh: &model, animations, skin: None, detail: None, formula: Formula::Wolfenstein };
    let (mut scene, mut report) = (Scene::default(), Report::default());
    let keys = sequences(&mut scene, &body, &mut report);
    let found: Vec<(i32, usize)> = keys.iter().map(|key| (key.time, key.frame)).collect();
    assert_eq!(
        found,
        [
            (0, 1),
            (100, 2),
            (200, 3),
            (300, 2),
            (1300, 0),
            (1400, 1),
            (1500, 0),
            (2500, 3),
            (3500, 2),
            (3600, 1),
            (3700, 0),
            (3800, 1),
            (4800, 2),
        ]
    );
    let spans: Vec<_> =
        scene.sequences.as_slice().iter().map(|it| (it.start, it.end, it.looping, it.move_speed)).collect();
    assert_eq!(
        spans,
        [
            (0, 300, true, 0.0),
            (1300, 1500, true, 0.0),
            (2500, 2500, true, 0.0),
            (3500, 3800, true, 0.0),
            (4800, 4800, false, 0.0),
        ]
    );
    assert!(report.is_empty(), "{report}");
    let mut extras = Extras::default();
    extras.set("fps", 10.0_f32).set("loopFrames", 2_u32).set("firstFrame", 1_u32).set("frames", 3_u32);
    assert_eq!(scene.sequences.as_slice()[0].extras, extras);
}

#[test]
fn what_never_changes_has_no_track() {
    let motion = |last: f32| Motion {
        translations: vec![[1.0, 2.0, 3.0], [1.0, 2.0, last]],
        rotations: vec![Rotation([0.0, 0.0, 0.6, 0.8]); 2],
    };
    let written = |motion: Motion, times: &[i32]| {
        let mut node = Node::new("n", NodeKind::Bone, None, [0.0; 3]);
        motion.write(&mut node, times);
        node
    };
    let still = written(motion(3.0), &[0, 50]);
    assert_eq!(still.translation, Animated::fixed([1.0, 2.0, 3.0]));
    assert_eq!(still.rotation, Animated::fixed(Rotation([0.0, 0.0, 0.6, 0.8])));
    let moved = written(motion(4.0), &[0, 50]);
    let track = Track::linear(vec![0, 50], vec![[1.0, 2.0, 3.0], [1.0, 2.0, 4.0]], [1.0, 2.0, 3.0]);
    assert_eq!(moved.translation, Animated { base: [1.0, 2.0, 3.0], track: Some(track) });
    assert_eq!(moved.rotation.track, None);
    // Without times there is only a pose.
    assert_eq!(written(motion(4.0), &[]).translation, Animated::fixed([1.0, 2.0, 3.0]));
    let mut turning = motion(3.0);
    turning.rotations[1] = Rotation([0.0, 0.0, 0.8, 0.6]);
    let turned = written(turning, &[0, 50]);
    assert_eq!((turned.translation.track, turned.rotation.track.unwrap().len()), (None, 2));
    assert_eq!(written(Motion::default(), &[0]).translation, Animated::fixed([0.0; 3]));
}

#[test]
fn matrices_of_the_games_are_rows_and_tags_are_columns() {
    let matrix = [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
    let place = Place { matrix, translation: [1.0, 2.0, 3.0] };
    // A quarter turn: x goes to y.
    assert_eq!(affine(&place).transform_point3a(Vec3A::X), Vec3A::new(1.0, 3.0, 3.0));
    let axes = [[0.0, 2.0, 0.0], [-2.0, 0.0, 0.0], [0.0, 0.0, 2.0]];
    let tag = tag_matrix(&TagPose { origin: [1.0, 2.0, 3.0], axes });
    assert_eq!(tag.transform_point3a(Vec3A::X), Vec3A::new(1.0, 3.0, 3.0));
    assert_eq!(tag.transform_point3a(Vec3A::Y), Vec3A::new(0.0, 2.0, 3.0));
}
