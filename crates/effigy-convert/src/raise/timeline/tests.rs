use super::*;

#[test]
fn the_plainest_name_comes_first() {
    let mut scene = Scene::default();
    for name in ["Unarmed_Idle", "Walking_A", "Idle", "Death", "2H_Idle", "Walking_B"] {
        scene.sequences.push(Sequence { name: name.to_owned(), end: 1000, ..Sequence::default() });
    }
    let clips = plan(&scene, &RaiseOptions::default(), &mut Report::default());
    let found: Vec<(&str, usize)> = clips
        .iter()
        .filter_map(|clip| Some((clip.name.as_str(), clip.source.filter(|_| clip.hold.is_none())?.index())))
        .collect();
    assert_eq!(
        found,
        [
            ("Stand", 2),
            ("Walk", 1),
            ("Stand - 2", 0),
            ("Death", 3),
            ("Stand - 3", 4),
            ("Walk - 2", 5),
            ("Portrait", 2)
        ]
    );
    // Sequences follow each other with a gap, and never overlap.
    assert!(clips.windows(2).all(|pair| pair[1].start == pair[0].end + 333));
}

#[test]
fn variations_of_other_programs_are_rare_and_running_is_not_one_of_walking() {
    let named = |names: &[&str], options: &RaiseOptions| -> Vec<(String, f32)> {
        let (clips, _) = planned(&other(names), options);
        let own = clips.into_iter().filter(|clip| !clip.made);
        own.map(|clip| (clip.name, clip.rarity)).collect()
    };
    let plain = RaiseOptions::default();
    let pairs = |list: &[(&str, f32)]| -> Vec<(String, f32)> {
        list.iter().map(|(name, rarity)| ((*name).to_owned(), *rarity)).collect()
    };
    let found = named(&["Run", "Walk", "Idle", "Idle_B", "Running_B", "Punch", "Kick"], &plain);
    let expected = [
        ("Walk Fast", 0.0),
        ("Walk", 0.0),
        ("Stand", 0.0),
        ("Stand - 2", 4.0),
        ("Walk Fast - 2", 0.0),
        ("Attack", 0.0),
        ("Attack - 2", 0.0),
    ];
    assert_eq!(found, pairs(&expected));
    // What only runs walks by running.
    let expected = [("Walk", 0.0), ("Walk - 2", 0.0), ("Stand", 0.0)];
    assert_eq!(named(&["Run", "Jogging", "Idle"], &plain), pairs(&expected));
    // What the user says about a run counts.
    let mut options = RaiseOptions::default();
    options.names.sequences.insert("Run".to_owned(), "Walk".to_owned());
    let expected = [("Walk", 0.0), ("Walk - 2", 0.0), ("Stand", 0.0)];
    assert_eq!(named(&["Run", "Walk", "Idle"], &options), pairs(&expected));
}

#[test]
fn a_stand_hit_is_not_the_stand() {
    let (clips, notes) = planned(&other(&["Get_Hit", "Walk", "Attack1", "Death"]), &RaiseOptions::default());
    let stands: Vec<_> = clips.iter().filter(|clip| clip.made && clip.source == Some(Id::new(0))).collect();
    let names: Vec<&str> = stands.iter().map(|clip| clip.name.as_str()).collect();
    assert_eq!(names, ["Stand", "Portrait"]);
    assert!(notes.iter().any(|note| note == "a Stand was made, since units need one"), "{notes:?}");
    // With a Stand behind it, the portrait shows that.
    let (clips, _) = planned(&other(&["Get_Hit", "Idle", "Walk"]), &RaiseOptions::default());
    assert_eq!(sources(&clips).last(), Some(&("Portrait", Some(1))));
}

#[test]
fn a_scene_without_sequences_stands_and_can_die() {
    let clips = plan(&Scene::default(), &RaiseOptions::default(), &mut Report::default());
    let found: Vec<(&str, i32, Change)> =
        clips.iter().map(|clip| (clip.name.as_str(), clip.end - clip.start, clip.change)).collect();
    assert_eq!(found, [("Stand", 1000, Change::Nothing), ("Death", 1000, Change::Vanish)]);
}

/// Sequences of World of Warcraft by number, a second long each, with a second between them.
fn world(ids: &[i64]) -> Scene {
    let mut scene = Scene::default();
    scene.extras.set("format", "m2");
    for (at, id) in (0..).zip(ids) {
        let mut sequence = Sequence {
            name: format!("n{id}"),
            start: at * 2000,
            end: at * 2000 + 1000,
            move_speed: at as f32,
            ..Sequence::default()
        };
        sequence.extras.set("id", *id);
        scene.sequences.push(sequence);
    }
    scene
}

/// Sequences of another program, a second long each.
fn other(names: &[&str]) -> Scene {
    let mut scene = world(&vec![0; names.len()]);
    scene.extras.set("format", "gltf");
    for (sequence, name) in scene.sequences.as_mut_slice().iter_mut().zip(names) {
        (sequence.name, sequence.extras) = ((*name).to_owned(), Extras::default());
    }
    scene
}

fn planned(scene: &Scene, options: &RaiseOptions) -> (Vec<Clip>, Vec<String>) {
    let mut report = Report::default();
    let clips = plan(scene, options, &mut report);
    (clips, report.notes().iter().map(|note| note.message.to_string()).collect())
}

/// Names and sources of the clips.
fn sources(clips: &[Clip]) -> Vec<(&str, Option<usize>)> {
    clips.iter().map(|clip| (clip.name.as_str(), clip.source.map(Id::index))).collect()
}

#[test]
fn a_creature_gets_the_animations_of_a_unit() {
    let scene = world(&[0, 0, 147, 4, 5, 16, 17, 25, 26, 1, 6, 9999]);
    let (clips, notes) = planned(&scene, &RaiseOptions::default());
    let mut next = 0;
    let mut clip = |name: &str, source: u32, length: i32, looping: bool, rarity: f32| {
        let start = next + 333;
        next = start + length;
        Clip {
            name: name.to_owned(),
            start,
            end: next,
            looping,
            rarity,
            move_speed: source as f32,
            source: Some(Id::new(source)),
            hold: None,
            change: Change::Nothing,
            made: false,
        }
    };
    let mut expected = vec![
        clip("Stand", 0, 1000, true, 0.0),
        clip("Stand - 2", 1, 1000, true, 4.0),
        clip("Stand - 3", 2, 1000, true, 4.0),
        // It has an attack with one hand, so that those without a weapon are left out; of both ways to walk the run is taken.
        clip("Stand Ready", 8, 1000, true, 0.0),
        clip("Walk", 4, 1000, true, 0.0),
        clip("Attack", 6, 1000, false, 0.0),
        clip("Death", 9, 1000, false, 0.0),
    ];
    // A body that lies still, at its first moment.
    for (name, change) in [("Decay Flesh", Change::Nothing), ("Decay Bone", Change::Sink)] {
        let body = clip(name, 10, 60_000, false, 0.0);
        expected.push(Clip { move_speed: 0.0, hold: Some(0), change, made: true, ..body });
    }
    expected.push(Clip { made: true, ..clip("Portrait", 0, 1000, true, 0.0) });
    assert_eq!(clips, expected);
    assert_eq!(
        notes,
        [
            "5 of 12 animations have no counterpart in Warcraft III, or belong to another weapon",
            "Decay Flesh and Decay Bone were made from the last pose of Death",
        ]
    );
    // The weapon that the user chose.
    let unarmed = RaiseOptions { weapon: super::super::Weapon::Unarmed, ..RaiseOptions::default() };
    let (clips, _) = planned(&scene, &unarmed);
    assert_eq!(sources(&clips)[3..6], [("Stand Ready", Some(7)), ("Walk", Some(4)), ("Attack", Some(5))]);
}

#[test]
fn without_a_body_the_last_pose_of_the_death_decays() {
    let (clips, _) = planned(&world(&[0, 4, 1]), &RaiseOptions::default());
    let decays: Vec<_> = clips.iter().filter(|clip| clip.name.starts_with("Decay")).collect();
    assert_eq!(
        decays.iter().map(|it| (it.source, it.hold)).collect::<Vec<_>>(),
        [(Some(Id::new(2)), Some(1000)); 2]
    );
    assert!(clips.iter().all(|clip| clip.is_quiet() == clip.name.starts_with("Decay")));
    // What can neither walk nor attack does not decay and has no portrait.
    let (clips, notes) = planned(&world(&[0, 1]), &RaiseOptions::default());
    assert_eq!((sources(&clips), notes.len()), (vec![("Stand", Some(0)), ("Death", Some(1))], 0));
    // What decays already does not get more of it.
    let names = ["Stand", "Attack", "Death", "Decay Bone", "Portrait"];
    let (clips, notes) = planned(&other(&names), &RaiseOptions::default());
    assert_eq!(clips.iter().map(|it| it.name.as_str()).collect::<Vec<_>>(), names);
    assert!(notes.is_empty(), "{notes:?}");
}

#[test]
fn an_effect_appears_stays_and_goes() {
    let (clips, _) = planned(&world(&[158, 0, 159, 0]), &RaiseOptions::default());
    let found: Vec<_> =
        clips.iter().map(|it| (it.name.as_str(), it.source.map(Id::index), it.looping)).collect();
    assert_eq!(
        found,
        [
            ("Birth", Some(1), false),
            ("Birth - 2", Some(3), false),
            ("Stand", Some(0), true),
            ("Death", Some(2), false)
        ]
    );
    // Two of the three are a creature.
    let (clips, _) = planned(&world(&[158, 0]), &RaiseOptions::default());
    assert_eq!(sources(&clips)[..2], [("Stand", Some(0)), ("Stand - 2", Some(1))]);
}

#[test]
fn names_of_the_user_win_and_all_others_can_be_kept() {
    let mut options = RaiseOptions::default();
    for (old, new) in [("n5", "Sleep"), ("n9999", ""), ("n17", "Attack Slam"), ("n60", "")] {
        options.names.sequences.insert(old.to_owned(), new.to_owned());
    }
    let scene = world(&[0, 5, 9999, 17, 1, 60, 70]);
    let (clips, notes) = planned(&scene, &options);
    let expected = [("Sleep", Some(1)), ("Attack Slam", Some(3)), ("Stand", Some(0)), ("Death", Some(4))];
    assert_eq!(sources(&clips)[..4], expected);
    assert_eq!((clips[0].looping, clips[1].looping), (true, false));
    assert!(notes[0].starts_with("3 of 7 animations"), "{notes:?}");
    options.all_sequences = true;
    let (clips, notes) = planned(&scene, &options);
    assert_eq!(sources(&clips)[4], ("Cinematic n70", Some(6)));
    assert!(!clips[4].looping && notes[0].starts_with("2 of 7 animations"), "{notes:?}");
    let (_, notes) = planned(&world(&[0, 1]), &options);
    assert!(notes.is_empty(), "{notes:?}");
}

#[test]
fn what_units_need_is_made() {
    let (clips, notes) = planned(&other(&["Attack"]), &RaiseOptions::default());
    assert_eq!(
        sources(&clips),
        [("Stand", Some(0)), ("Attack", Some(0)), ("Death", Some(0)), ("Portrait", Some(0))]
    );
    let death = &clips[2];
    assert_eq!((death.hold, death.change, death.end - death.start), (Some(0), Change::Vanish, 1000));
    assert!(!death.looping && clips[0].looping && !clips[1].looping);
    assert_eq!(
        notes,
        ["a Stand was made, since units need one", "a Death was made, in which the model disappears"]
    );
    // A name that the user took away, and one in other letters.
    let mut options = RaiseOptions::default();
    options.names.sequences.insert("Idle".to_owned(), String::new());
    let (clips, _) = planned(&other(&["Idle", "Spin", "STAND ready", "T-Pose"]), &options);
    let expected =
        [("Stand", Some(2)), ("Cinematic Spin", Some(1)), ("STAND ready", Some(2)), ("Death", Some(2))];
    assert_eq!(sources(&clips), expected);
    let (clips, _) = planned(&other(&["Idle", "Spin"]), &options);
    assert_eq!(sources(&clips)[0], ("Stand", Some(1)));
}

#[test]
fn poses_for_modelling_are_reported_and_can_be_kept() {
    let scene = other(&["Stand", "T-Pose", "Death", "A-Pose"]);
    let (clips, notes) = planned(&scene, &RaiseOptions::default());
    assert_eq!(sources(&clips), [("Stand", Some(0)), ("Death", Some(2))]);
    assert_eq!(notes, ["poses that only show how the model was built: T-Pose, A-Pose"]);
    let mut options = RaiseOptions { all_sequences: true, ..RaiseOptions::default() };
    // What the user takes away stays away.
    options.names.sequences.insert("A-Pose".to_owned(), String::new());
    let (clips, notes) = planned(&scene, &options);
    assert_eq!(sources(&clips), [("Stand", Some(0)), ("Cinematic T-Pose", Some(1)), ("Death", Some(2))]);
    assert!(notes.is_empty(), "{notes:?}");
}

#[test]
fn a_moment_becomes_a_frame_and_what_does_not_fit_is_dropped() {
    let mut scene = other(&["Stand", "Death", "Sleep"]);
    scene.sequences.as_mut_slice()[0].end = 0;
    // Two gaps, a frame and this one end at the last number.
    let longest = i32::MAX - 333 - 33 - 333;
    scene.sequences.as_mut_slice()[1].start = 0;
    scene.sequences.as_mut_slice()[1].end = longest;
    let (clips, notes) = planned(&scene, &RaiseOptions::default());
    let times: Vec<_> = clips.iter().map(|it| (it.start, it.end)).collect();
    assert_eq!((times, notes.len()), (vec![(333, 366), (699, i32::MAX)], 0));
    scene.sequences.as_mut_slice()[1].end += 1;
    let (clips, notes) = planned(&scene, &RaiseOptions::default());
    assert_eq!(
        (clips.len(), notes),
        (1, vec!["Death and those after it do not fit on the timeline".to_owned()])
    );
}

#[test]
fn animations_are_known_by_number_or_by_name() {
    let known = |name: &str, id: Option<i64>| {
        let mut sequence = Sequence { name: name.to_owned(), ..Sequence::default() };
        if let Some(id) = id {
            sequence.extras.set("id", id);
        }
        animation(&sequence)
    };
    assert_eq!(known("Stand", Some(5)), Some(5));
    assert_eq!(known("Walk", Some(70_000)), Some(4));
    assert_eq!(known("Run - Var 1", None), Some(5));
    // A name that ends with a digit of its own, and the number of a variation.
    assert_eq!([known("Attack1H", None), known("Custom0", None)], [Some(17), Some(153)]);
    assert_eq!([known("Death2", None), known("Death_3", None), known("Odd", None)], [Some(1), Some(1), None]);
    assert_eq!(
        ["Stand - 2", "Stand_02", "Stand Ready 3", "Stand-", "7"].map(plain_name),
        ["Stand", "Stand", "Stand Ready", "Stand", ""]
    );
}

#[test]
fn wounds_are_hits_and_victories_are_found() {
    // Bare hands, since no attack says otherwise: their parry, and not that of a sword.
    let (clips, _) = planned(&world(&[0, 1, 8, 20, 21, 36, 50, 94, 113, 194]), &RaiseOptions::default());
    let found: Vec<(&str, Option<usize>, bool)> =
        clips.iter().map(|clip| (clip.name.as_str(), clip.source.map(Id::index), clip.looping)).collect();
    let expected = [
        ("Stand", 0, true),
        ("Stand Victory", 6, false),
        ("Stand Victory - 2", 7, false),
        ("Stand Victory - 3", 8, false),
        ("Stand Victory - 4", 9, false),
        ("Stand Hit", 2, false),
        ("Stand Hit - 2", 5, false),
        ("Stand Hit - 3", 3, false),
        ("Death", 1, false),
    ];
    assert_eq!(found, expected.map(|(name, source, looping)| (name, Some(source), looping)));
}
