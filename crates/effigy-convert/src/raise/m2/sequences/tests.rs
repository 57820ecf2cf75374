use super::*;
use effigy_scene::{Rotation, Track};

fn scene(format: &str, sequences: &[(&str, f32)]) -> Scene {
    let mut scene = Scene::default();
    scene.extras.set("format", format);
    for (at, (name, rarity)) in (0..).zip(sequences) {
        let mut sequence = Sequence {
            name: (*name).to_owned(),
            start: at * 2000,
            end: at * 2000 + 1000,
            looping: true,
            ..Sequence::default()
        };
        sequence.extras.set("rarity", *rarity);
        scene.sequences.push(sequence);
    }
    scene
}

fn planned(scene: &Scene, version: u32) -> (Plan, Names, Report) {
    planned_by(scene, &RaiseOptions::default(), version, false)
}

fn planned_by(scene: &Scene, options: &RaiseOptions, version: u32, native: bool) -> (Plan, Names, Report) {
    let mut report = Report::default();
    let caps = effigy_m2::Version::new(version).unwrap().caps();
    let (plan, names) = plan(scene, options, caps, native, &mut report);
    (plan, names, report)
}

/// The numbers of the animations, in the order of the file.
fn ids(plan: &Plan) -> Vec<u16> {
    plan.sequences.iter().map(|it| it.record.id).collect()
}

fn said(report: &Report) -> Vec<&str> {
    report.notes().iter().map(|note| note.message.as_ref()).collect()
}

/// With other names for sequences.
fn renamed(names: &[(&str, &str)]) -> RaiseOptions {
    let mut options = RaiseOptions::default();
    options.names.sequences = names.iter().map(|(old, new)| ((*old).to_owned(), (*new).to_owned())).collect();
    options
}

#[test]
fn a_footman_gets_the_animations_of_a_creature() {
    let footman = scene(
        "mdx",
        &[
            ("Stand - 1", 0.0),
            ("Stand - 2", 3.0),
            ("Walk", 0.0),
            ("Attack - 1", 0.0),
            ("Stand Defend", 0.0),
            ("Death", 0.0),
            ("Decay Flesh", 0.0),
            ("Portrait", 0.0),
            ("Dissipate", 0.0),
        ],
    );
    let (plan, names, report) = planned(&footman, 264);
    let found: Vec<_> =
        plan.sequences.iter().map(|it| (it.record.id, it.record.variation, it.record.frequency)).collect();
    // Weights 1 and 1/4 of 32767; the one with a word of its own is never chosen by chance.
    assert_eq!(
        found,
        [
            (0, 0, 26214),
            (0, 1, 6553),
            (0, 2, 0),
            (1, 0, 32767),
            (4, 0, 32767),
            (5, 0, 32767),
            (6, 0, 32767),
            (16, 0, 32767),
            (153, 0, 32767)
        ]
    );
    let next: Vec<i16> = plan.sequences.iter().map(|it| it.record.next_variation).collect();
    assert_eq!(&next[..3], [1, 2, -1]);
    // Walk and Run play the same keys.
    assert_eq!(plan.sequences[5].alias, Some(4));
    assert!(plan.sequences[5].record.flags.contains(SequenceFlags::ALIAS));
    assert_eq!(plan.clips.len(), 8);
    // Its number is that of Run; Walk was made from it.
    assert_eq!(names[2].1.as_deref(), Some("Run"));
    assert_eq!(names[7].1, None);
    assert!(report.notes().iter().any(|note| note.message.contains("Dissipate is 153")), "{report}");
}

#[test]
fn older_versions_have_gaps_and_share_times_instead() {
    let (plan, ..) = planned(&scene("mdx", &[("Walk", 0.0), ("Stand", 0.0)]), 256);
    let found: Vec<_> =
        plan.sequences.iter().map(|it| (it.record.id, it.record.start, it.record.end)).collect();
    assert_eq!(found, [(0, 3333, 4333), (4, 7666, 8666), (5, 7666, 8666)]);
}

#[test]
fn names_of_the_game_and_of_other_programs_are_understood() {
    let (_, names, _) = planned(
        &scene("gltf", &[("Idle", 0.0), ("Walking_A", 0.0), ("Running_A", 0.0), ("EmoteDance", 0.0)]),
        264,
    );
    let new: Vec<&str> = names.iter().map(|(_, new)| new.as_deref().unwrap_or("")).collect();
    assert_eq!(new, ["Stand", "Walk", "Run", "EmoteDance"]);
    let (_, names, _) =
        planned(&scene("wow-alpha-mdx", &[("AttackUnarmed - Var 1", 0.0), ("Stand - Var1", 0.0)]), 264);
    assert_eq!(names[0].1.as_deref(), Some("AttackUnarmed"));
    let (plan, ..) = planned(&scene("gltf", &[]), 264);
    assert_eq!((plan.sequences.len(), plan.sequences[0].record.duration), (1, 1000));
}

/// Three sequences of the game itself: one with every field, one with none, and one whose numbers do not fit, at the same time.
fn of_the_game() -> Scene {
    let mut scene = scene("m2", &[("a", 0.0), ("b", 0.0), ("c", 0.0)]);
    let [full, bare, odd] = scene.sequences.as_mut_slice() else { panic!("three sequences") };
    for (name, number) in
        [("id", 5_i64), ("variation", 2), ("frequency", -3), ("nextVariation", 7), ("flags", 0x1ff)]
    {
        full.extras.set(name, number);
    }
    full.extras.set("blendTime", 200_i64);
    full.extras.set("replay", Extra::Ints(vec![3, 4]));
    (full.move_speed, full.bounds.radius) = (2.5, 5.0);
    (full.bounds.min, full.bounds.max) = ([-1.0, -2.0, -3.0], [4.0, 5.0, 6.0]);
    bare.looping = false;
    bare.bounds = Bounds::around(&[[0.0; 3]]);
    odd.bounds = bare.bounds;
    (odd.start, odd.end) = (bare.start, bare.end);
    for (name, number) in
        [("id", 65_536_i64), ("variation", -1), ("frequency", 40_000), ("nextVariation", -40_000)]
    {
        odd.extras.set(name, number);
    }
    odd.extras.set("blendTime", -1_i64);
    odd.extras.set("replay", Extra::Ints(vec![-1, 5_000_000_000]));
    scene
}

#[test]
fn sequences_of_the_game_itself_keep_their_records() {
    let scene = of_the_game();
    let (plan, names, report) = planned_by(&scene, &RaiseOptions::default(), 264, true);
    let full = Record {
        id: 5,
        variation: 2,
        duration: 1000,
        move_speed: 2.5,
        // Of 0x1ff the bits 0x8f are kept, and its keys are in the file.
        flags: SequenceFlags::from_bits_retain(0x8f | 0x20),
        frequency: -3,
        replay_min: 3,
        replay_max: 4,
        blend_time: 200,
        bounds: [-1.0, -2.0, -3.0, 4.0, 5.0, 6.0],
        radius: 5.0,
        next_variation: 7,
        alias: 0,
        ..Record::default()
    };
    let bare = Record {
        duration: 1000,
        flags: SequenceFlags::EMBEDDED,
        blend_time: 150,
        next_variation: -1,
        alias: 1,
        ..Record::default()
    };
    let odd = Record { flags: SequenceFlags::ALIAS, ..bare.clone() };
    let found: Vec<&Record> = plan.sequences.iter().map(|it| &it.record).collect();
    assert_eq!(found, [&full, &bare, &odd]);
    let places: Vec<_> = plan.sequences.iter().map(|it| (it.clip, it.alias, it.made)).collect();
    assert_eq!(places, [(0, None, false), (1, None, false), (1, Some(1), false)]);
    let clip = |name: &str, start: i32, source: u32| Clip {
        name: name.to_owned(),
        start,
        end: start + 1000,
        looping: true,
        rarity: 0.0,
        move_speed: 0.0,
        source: Some(Id::new(source)),
        hold: None,
        change: Change::Nothing,
        made: false,
    };
    let first = Clip { move_speed: 2.5, ..clip("Run 2", 3333, 0) };
    assert_eq!(plan.clips, [first, Clip { looping: false, ..clip("Stand", 7666, 1) }]);
    let new: Vec<_> = names.iter().map(|(old, new)| (old.as_str(), new.as_deref())).collect();
    assert_eq!(new, [("a", Some("Run 2")), ("b", Some("Stand")), ("c", Some("Stand"))]);
    assert!(report.is_empty(), "{report}");
    // Older versions have times, four of the flags, and neither a length nor an alias.
    let (plan, ..) = planned_by(&scene, &RaiseOptions::default(), 256, true);
    let old = |record: Record, flags: u32, start: u32| Record {
        duration: 0,
        alias: 0,
        flags: SequenceFlags::from_bits_retain(flags),
        start,
        end: start + 1000,
        ..record
    };
    let found: Vec<Record> = plan.sequences.into_iter().map(|it| it.record).collect();
    assert_eq!(found, [old(full, 0xf, 3333), old(bare, 0, 7666), old(odd, 0, 7666)]);
}

#[test]
fn names_of_warcraft_mean_the_longest_part_that_the_table_has() {
    for (name, weapon, expected) in [
        ("Stand", Weapon::Unarmed, Some((0, true))),
        ("sTAND - 3", Weapon::Unarmed, Some((0, true))),
        ("Stand_2", Weapon::Unarmed, Some((0, true))),
        ("Stand Defend", Weapon::Unarmed, Some((0, false))),
        ("Stand Hit", Weapon::Unarmed, Some((8, true))),
        ("Stand Hit Hard", Weapon::Unarmed, Some((8, false))),
        ("Walk", Weapon::Unarmed, Some((5, true))),
        ("Walk Fast", Weapon::Unarmed, Some((143, true))),
        ("Decay", Weapon::Unarmed, Some((6, true))),
        ("Decay flesh", Weapon::Unarmed, Some((6, true))),
        ("Decay Bone", Weapon::Unarmed, Some((6, false))),
        ("Decay Swim", Weapon::Unarmed, Some((132, true))),
        ("Attack Slam", Weapon::Unarmed, Some((118, true))),
        ("Attack Slam", Weapon::OneHand, Some((57, true))),
        // There is no such attack with a staff.
        ("Attack Slam", Weapon::Staff, Some((19, false))),
        ("Stand Ready", Weapon::Bow, Some((29, true))),
        ("Dissipate", Weapon::Unarmed, None),
        ("Big Stand", Weapon::Unarmed, None),
        ("", Weapon::Unarmed, None),
    ] {
        assert_eq!(by_table(name, weapon), expected, "{name} {weapon:?}");
    }
}

#[test]
fn every_game_has_its_way_from_a_name_to_an_animation() {
    for (format, name, expected) in [
        ("mdx", "Walk", Some((5, true))),
        ("mdx", "EmoteDance", Some((69, true))),
        ("mdx", "Cinematic Stand", None),
        ("mdx", "cinemaTIC", None),
        ("mdx", "Idle", None),
        // Walking and running are two things; a gallop is a run.
        ("gltf", "Walking", Some((4, true))),
        ("gltf", "Gallop", Some((5, true))),
        ("gltf", "RUN", Some((5, true))),
        ("gltf", "Idle", Some((0, true))),
        ("gltf", "Sword_Slice", Some((16, true))),
        ("gltf", "Hit_A", Some((8, true))),
        ("gltf", "Lie_Down", None),
        ("gltf", "T-Pose", None),
        ("m2", "FlyStand", Some((229, true))),
        ("wow-alpha-mdx", "Run - Var1", Some((5, true))),
        // Only names of the game itself.
        ("wow-alpha-mdx", "Gallop", None),
    ] {
        let scene = scene(format, &[]);
        let sequence = Sequence { name: name.to_owned(), ..Sequence::default() };
        assert_eq!(animation(&scene, &sequence, name, Weapon::Unarmed), expected, "{format} {name}");
    }
    // A number in the file wins, unless the user names another animation. In other games it means nothing.
    let mut sequence = Sequence { name: "Run".to_owned(), ..Sequence::default() };
    sequence.extras.set("id", 16_i64);
    for (format, name, expected) in [("m2", "Run", 16), ("m2", "Death", 1), ("gltf", "Run", 5)] {
        let found = animation(&scene(format, &[]), &sequence, name, Weapon::Unarmed);
        assert_eq!(found, Some((expected, true)), "{format} {name}");
    }
}

#[test]
fn what_has_no_number_gets_a_spare_one_as_long_as_there_are_any() {
    let names: Vec<String> =
        (b'A'..=b'P').map(|letter| format!("Dissipate {}", char::from(letter))).collect();
    let mut list: Vec<(&str, f32)> = names.iter().map(|name| (name.as_str(), 0.0)).collect();
    list.extend([("Stand", 0.0), ("Portrait", 0.0), ("Spell", 0.0)]);
    // One is left out by its user, and one gets the name of an animation that is left out.
    let options = renamed(&[("Dissipate A", ""), ("Spell", "portrait")]);
    let (plan, new, report) = planned_by(&scene("mdx", &list), &options, 264, false);
    let spare: Vec<u16> = (153..=156).chain(213..=222).collect();
    assert_eq!(ids(&plan), [&[0][..], &spare].concat());
    let left: Vec<&str> = new.iter().filter(|(_, new)| new.is_none()).map(|(old, _)| old.as_str()).collect();
    assert_eq!(left, ["Dissipate A", "Dissipate P", "Portrait", "Spell"]);
    let numbered: Vec<String> =
        names[1..15].iter().zip(&spare).map(|(name, id)| format!("{name} is {id}")).collect();
    assert_eq!(
        said(&report),
        [
            "Portrait: the game shows its Stand in portraits",
            &format!("animations without a name of the game got spare numbers: {}", numbered.join(", ")),
            "1 have no counterpart in World of Warcraft: Dissipate P",
        ]
    );
    assert!(said(&planned(&scene("mdx", &[("Stand", 0.0)]), 264).2).is_empty());
}

#[test]
fn rare_variations_have_small_weights() {
    let frequencies = |scene: &Scene| -> Vec<i16> {
        planned(scene, 264).0.sequences.iter().map(|it| it.record.frequency).collect()
    };
    // 1 and 1/2 of 3/2; what is rarer than never is usual.
    assert_eq!(frequencies(&scene("mdx", &[("Stand", -5.0), ("Stand - 2", 1.0)])), [21845, 10922]);
    // The first version of the game has shares: 3/4 and 1/4, and a share of nothing says nothing.
    for (shares, expected) in
        [([0.75, 0.25], [24575, 8192]), ([1.0, 0.0005], [32734, 33]), ([0.5, 0.0], [10922, 21845])]
    {
        let mut scene = scene("wow-alpha-mdx", &[("Stand", 0.0), ("Stand", 0.0)]);
        for (sequence, share) in scene.sequences.as_mut_slice().iter_mut().zip(shares) {
            sequence.extras.set("frequency", share);
        }
        assert_eq!(frequencies(&scene), expected, "{shares:?}");
    }
    // Where none is chosen by chance the first is the usual one; the others come after those that are.
    let (plan, ..) = planned(&scene("mdx", &[("Stand Odd", 0.0), ("Stand Even", 0.0)]), 264);
    let found: Vec<_> = plan.sequences.iter().map(|it| (it.clip, it.record.frequency)).collect();
    assert_eq!(found, [(0, 32767), (1, 0)]);
    let (plan, ..) = planned(&scene("mdx", &[("Stand Odd", 0.0), ("Stand", 0.0)]), 264);
    let found: Vec<_> = plan
        .sequences
        .iter()
        .map(|it| (plan.clips[it.clip].source, it.record.variation, it.record.frequency))
        .collect();
    assert_eq!(found, [(Some(Id::new(1)), 0, 32767), (Some(Id::new(0)), 1, 0)]);
    let new = planned(&scene("mdx", &[("Stand Odd", 0.0), ("Stand", 0.0)]), 264).1;
    assert_eq!((new[0].1.as_deref(), new[1].1.as_deref()), (Some("Stand 1"), Some("Stand")));
}

#[test]
fn missing_animations_are_made_from_others() {
    let flags = |plan: &Plan| -> Vec<_> {
        plan.sequences.iter().map(|it| (it.record.id, it.alias, it.made)).collect()
    };
    // A Stand from the first sequence.
    let mut attack = scene("mdx", &[("Attack", 0.0), ("Death", 0.0)]);
    attack.sequences.as_mut_slice()[0].looping = false;
    let (plan, names, report) = planned(&attack, 264);
    assert_eq!(flags(&plan), [(0, None, true), (1, None, false), (16, Some(0), false)]);
    assert!(plan.sequences[0].record.flags.contains(SequenceFlags::ONCE) && !plan.clips[0].looping);
    assert!(!plan.sequences[1].record.flags.contains(SequenceFlags::ONCE) && plan.clips[1].looping);
    assert_eq!(names[0].1.as_deref(), Some("AttackUnarmed"));
    assert_eq!(said(&report), ["a Stand was made, since every model needs one"]);
    // A Run from a Walk, but nothing from one that is never chosen by chance.
    let (plan, _, report) = planned(&scene("gltf", &[("Idle", 0.0), ("Walking", 0.0)]), 264);
    assert_eq!(flags(&plan), [(0, None, false), (4, None, false), (5, Some(1), true)]);
    assert_eq!(said(&report), ["Run plays the keys of another sequence"]);
    let (plan, ..) = planned(&scene("mdx", &[("Stand", 0.0), ("Walk Defend", 0.0)]), 264);
    assert_eq!(ids(&plan), [0, 5]);
    // Both exist: nothing is made.
    let (plan, _, report) = planned(&scene("gltf", &[("Idle", 0.0), ("Walking", 0.0), ("Run", 0.0)]), 264);
    assert_eq!((ids(&plan), report.is_empty()), (vec![0, 4, 5], true));
    // All are left out: the first one serves as a Stand that is blended like others.
    let (plan, names, _) = planned_by(&scene("mdx", &[("Walk", 0.0)]), &renamed(&[("Walk", "")]), 264, false);
    assert_eq!(flags(&plan), [(0, None, true)]);
    assert_eq!((plan.sequences[0].record.blend_time, plan.sequences[0].record.frequency), (150, 32767));
    assert_eq!((plan.clips[0].looping, plan.clips[0].source), (true, Some(Id::new(0))));
    assert_eq!(names[0].1.as_deref(), Some("Stand"));
    // A scene without any rests for a second.
    let (plan, ..) = planned(&scene("mdx", &[]), 256);
    assert_eq!((plan.clips[0].start, plan.clips[0].end, plan.clips[0].source), (3333, 4333, None));
    assert!(plan.clips[0].looping);
}

#[test]
fn sequences_at_one_time_share_keys_only_if_all_tracks_have_the_same_ones() {
    let vectors = |windows: Vec<[u32; 2]>| {
        Some(Track { windows, ..Track::linear(vec![0, 0], vec![[1.0_f32; 3]; 2], [0.0; 3]) })
    };
    let turns = |windows: Vec<[u32; 2]>| {
        let keys = vec![Rotation::IDENTITY; 2];
        Some(Track { windows, ..Track::linear(vec![0, 0], keys, Rotation::IDENTITY) })
    };
    let (same, other) = (|| vec![[0, 1]; 2], || vec![[0, 0], [1, 1]]);
    for (windows, count) in [
        ([same(), same(), same()], 1),
        ([other(), same(), same()], 2),
        ([same(), other(), same()], 2),
        ([same(), same(), other()], 2),
    ] {
        let mut scene = scene("mdx", &[("Stand", 0.0), ("Death", 0.0)]);
        for sequence in scene.sequences.as_mut_slice() {
            (sequence.start, sequence.end) = (0, 0);
        }
        let mut node = Node::new("bone", effigy_scene::NodeKind::Bone, None, [0.0; 3]);
        let [first, second, third] = windows;
        (node.translation.track, node.rotation.track, node.scale.track) =
            (vectors(first), turns(second), vectors(third));
        scene.nodes.push(node);
        let (plan, ..) = planned(&scene, 264);
        assert_eq!(plan.clips.len(), count);
        assert_eq!(plan.sequences[1].alias, (count == 1).then_some(0));
        // A sequence has the keys of itself; rest has those of rest alone.
        let [a, b] = [Some(Id::new(0)), None];
        assert!(same_keys(&scene, a, a) && same_keys(&scene, b, b) && !same_keys(&scene, a, b));
    }
}

#[test]
fn sequences_behind_the_end_of_time_are_dropped() {
    let mut long = scene("mdx", &[("Stand", 0.0), ("Death", 0.0), ("Spell", 0.0)]);
    let stand = &mut long.sequences.as_mut_slice()[0];
    // It ends 3333 + 1000 milliseconds before the last one that has a number, or one later.
    (stand.start, stand.end) = (0, i32::MAX - 2 * 3333 - 1000);
    let (plan, _, report) = planned(&long, 264);
    assert_eq!((ids(&plan), plan.clips[1].end), (vec![0, 1], i32::MAX));
    assert_eq!(said(&report), ["1 do not fit on the timeline"]);
    long.sequences.as_mut_slice()[0].end += 1;
    let (plan, _, report) = planned(&long, 264);
    assert_eq!((ids(&plan), said(&report)), (vec![0], vec!["2 do not fit on the timeline"]));
}

#[test]
fn names_of_other_programs_lose_what_the_programs_add() {
    let list = [
        ("Walk-loop", 0.0),
        ("Armature|EmoteDance", 0.0),
        ("Armature|TPose", 0.0),
        ("Soldier_Running", 0.0),
        ("Catwalk_Idle", 0.0),
    ];
    let (plan, names, report) = planned(&scene("gltf", &list), 264);
    // Walk, EmoteDance, nothing, Run, Stand.
    let numbers: Vec<Option<&str>> = names.iter().map(|(_, new)| new.as_deref()).collect();
    assert_eq!(numbers, [Some("Walk"), Some("EmoteDance"), None, Some("Run"), Some("Stand")]);
    assert_eq!(ids(&plan), [0, 4, 5, 69]);
    let text = "poses that only show how the model was built: Armature|TPose";
    assert_eq!(said(&report), [text]);
}

#[test]
fn what_must_not_happen_by_chance_is_a_variation_that_never_does() {
    let list =
        [("Idle", 0.0), ("Jump_Idle", 0.0), ("Walking_Backwards", 0.0), ("Death_A_Pose", 0.0), ("Walk", 0.0)];
    let (plan, names, _) = planned(&scene("gltf", &list), 264);
    let names: Vec<Option<&str>> = names.iter().map(|(_, new)| new.as_deref()).collect();
    assert_eq!(names, [Some("Stand"), Some("Stand 1"), Some("Walk 1"), Some("Death"), Some("Walk")]);
    let found: Vec<(u16, u16, i16)> =
        plan.sequences.iter().map(|it| (it.record.id, it.record.variation, it.record.frequency)).collect();
    // A run is added, since a creature needs one; it has the keys of the walk that is chosen.
    let most = 32767;
    assert_eq!(found, [(0, 0, most), (0, 1, 0), (1, 0, most), (4, 0, most), (4, 1, 0), (5, 0, most)]);
    let clip = |at: usize| plan.sequences[at].clip;
    assert_eq!(clip(5), clip(3));
}

#[test]
fn animations_of_gltf_play_once_where_their_names_say_so() {
    let knight = scene("gltf", &[("Idle", 0.0), ("Death_A", 0.0), ("Attack_Chop", 0.0), ("Hit_A", 0.0)]);
    let (plan, ..) = planned(&knight, 264);
    let once: Vec<_> = plan
        .sequences
        .iter()
        .map(|it| (it.record.id, it.record.flags.contains(SequenceFlags::ONCE), plan.clips[it.clip].looping))
        .collect();
    assert_eq!(once, [(0, false, true), (1, true, false), (8, true, false), (16, true, false)]);
}
