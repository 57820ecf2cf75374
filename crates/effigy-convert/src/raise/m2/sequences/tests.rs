use super::*;

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
    let mut report = Report::default();
    let caps = effigy_m2::Version::new(version).unwrap().caps();
    let (plan, names) = plan(scene, &RaiseOptions::default(), caps, false, &mut report);
    (plan, names, report)
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
