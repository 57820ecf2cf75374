use super::*;
use crate::raise::timeline::Change;
use effigy_scene::Event;

/// A clip of the first sequence.
fn clip(name: &str, start: i32, end: i32, hold: Option<i32>) -> Clip {
    Clip {
        name: name.to_owned(),
        start,
        end,
        looping: true,
        rarity: 0.0,
        move_speed: 0.0,
        source: Some(Id::new(0)),
        hold,
        change: Change::Nothing,
        made: false,
    }
}

fn scene(format: &str) -> Scene {
    let mut scene = Scene::default();
    scene.extras.set("format", format);
    scene.nodes.push(Node::new("bone", NodeKind::Bone, None, [0.0; 3]));
    scene
}

fn said(report: &Report) -> Vec<String> {
    report.notes().iter().map(|note| format!("{}: {}", note.path, note.message)).collect()
}

#[test]
fn creatures_without_a_speed_get_the_usual_one() {
    for (format, expected) in
        [("m2", [5.0, 14.0, 23.8, 9.4, 0.0, 3.0]), ("gltf", [0.0, 0.0, 0.0, 0.0, 0.0, 3.0])]
    {
        let mut scene = scene(format);
        for (id, move_speed) in [(4_i64, 0.0), (5, 0.0), (143, 0.0), (42, 0.0), (0, 0.0), (5, 3.0)] {
            let mut sequence = Sequence { move_speed, ..Sequence::default() };
            sequence.extras.set("id", id);
            scene.sequences.push(sequence);
        }
        speeds(&mut scene, 2.0);
        let found: Vec<f32> = scene.sequences.as_slice().iter().map(|it| it.move_speed).collect();
        assert_eq!(found, expected, "{format}");
    }
}

#[test]
fn a_burst_is_a_frame_at_the_start_of_what_is_played() {
    let clips = [
        clip("a", 100, 1100, None),
        clip("b", 1500, 1600, Some(0)),
        clip("c", 2000, 2033, None),
        clip("d", 3000, 3034, None),
    ];
    let track = bursts(7.0, &Animated::fixed(1.0), &clips);
    assert_eq!(track.times, [100, 133, 1100, 1500, 1600, 2000, 2033, 3000, 3033, 3034]);
    assert_eq!(track.values, [7.0, 0.0, 0.0, 0.0, 0.0, 7.0, 0.0, 7.0, 0.0, 0.0]);
    assert_eq!((track.interpolation, track.default), (Interpolation::Step, 0.0));
    assert!(bursts(7.0, &Animated::fixed(0.0), &clips).values.iter().all(|rate| *rate == 0.0));
    // Switched on at 400, and at 620 and 640 again; what is on at the end of a sequence is not switched on in the next one.
    let on = vec![
        (100, 0.0),
        (400, 1.0),
        (600, 0.0),
        (620, 1.0),
        (630, 0.0),
        (640, 1.0),
        (1100, 1.0),
        (2000, 1.0),
    ];
    let (times, values) = on.into_iter().unzip();
    let visibility = Animated { base: 0.0, track: Some(Track::linear(times, values, 0.0)) };
    let track = bursts(7.0, &visibility, &clips[..3]);
    assert_eq!(track.times, [100, 400, 433, 620, 639, 640, 673, 1100, 1500, 1600, 2000, 2033]);
    assert_eq!(track.values, [0.0, 7.0, 0.0, 7.0, 0.0, 7.0, 0.0, 0.0, 0.0, 0.0, 7.0, 0.0]);
}

#[test]
fn a_sequence_is_named_after_the_clip_that_plays_it() {
    let other = Clip { source: Some(Id::new(1)), ..clip("Death", 0, 1, Some(5)) };
    let clips = [clip("Held", 0, 1, Some(0)), clip("Stand", 0, 1, None), clip("Portrait", 0, 1, None), other];
    assert_eq!(new_name(&clips, Id::new(0)).as_deref(), Some("Stand"));
    assert_eq!((new_name(&clips, Id::new(1)), new_name(&clips, Id::new(2))), (None, None));
}

#[test]
fn the_helm_is_the_head_where_there_is_no_other() {
    let mark = |name: &str, number: u32| Attachment {
        name: name.to_owned(),
        number,
        node: Id::new(0),
        position: [0.0; 3],
        path: String::new(),
        visibility: Animated::fixed(1.0),
    };
    let mut options = RaiseOptions::default();
    options.names.attachments.insert("Mine".to_owned(), "Origin Ref".to_owned());
    options.names.attachments.insert("Gone".to_owned(), String::new());
    let named = |marks: Vec<Attachment>| {
        let (mut scene, mut report) = (scene("m2"), Report::default());
        scene.attachments = marks.into_iter().collect();
        attachments(&mut scene, &options, &mut NameList::new(), &mut report);
        let names: Vec<String> = scene.attachments.as_slice().iter().map(|it| it.name.clone()).collect();
        (names.join(", "), said(&report), scene.nodes.len())
    };
    let left = |count: usize| vec![format!("attachments: {count} have no counterpart in Warcraft III")];
    assert_eq!(named(vec![mark("h", 11), mark("Mine", 99)]), ("Head Ref, Origin Ref".to_owned(), vec![], 1));
    assert_eq!(
        named(vec![mark("h", 11), mark("x", 20), mark("Gone", 1)]),
        ("Head Ref, Origin Ref".to_owned(), left(2), 2)
    );
    assert_eq!(named(vec![]), ("Origin Ref".to_owned(), vec![], 2));
}

#[test]
fn feet_leave_prints_and_blows_are_told() {
    let names = ["$FL0", "$RL1", "$WL0", "$FR0", "$RR1", "$WR0", "$CAH", "$CSL", "$CSR", "$DTH"];
    let fill = |scene: &mut Scene| {
        for name in names {
            let times = vec![100, 250, 1100, 5000];
            scene.events.push(Event {
                name: name.to_owned(),
                data: 0,
                node: Id::new(0),
                position: [0.0; 3],
                times,
                global: None,
            });
        }
    };
    let clips =
        [clip("Attack", 200, 1100, None), clip("Held", 0, 6000, Some(0)), clip("Spell", 4000, 5000, None)];
    let (mut world, mut report) = (scene("m2"), Report::default());
    fill(&mut world);
    events(&mut world, &clips, &RaiseOptions::default(), &mut NameList::new(), &mut report);
    let found: Vec<&str> = world.events.as_slice().iter().map(|it| it.name.as_str()).collect();
    let (left, right) = ("FPTxFBL1", "FPTxFBR1");
    assert_eq!(found, [left, left, left, right, right, right]);
    let told = |name: &str, point: &str, clip: &str, time: &str| {
        format!("event {name}: {point} point of {clip}: {time} s, a field of the Object Editor")
    };
    let mut expected = Vec::new();
    for (name, point) in [("$CAH", "damage"), ("$CSL", "cast"), ("$CSR", "cast")] {
        expected.push(told(name, point, "Attack", "0.05"));
        expected.push(told(name, point, "Spell", "1.00"));
    }
    expected.push("events: 1 are sounds and places that Warcraft III has other tables for".to_owned());
    assert_eq!(said(&report), expected);
    // Events of other games stay as they are.
    let (mut other, mut report) = (scene("gltf"), Report::default());
    fill(&mut other);
    events(&mut other, &clips, &RaiseOptions::default(), &mut NameList::new(), &mut report);
    assert_eq!((other.events.len(), other.events.as_slice()[0].name.as_str()), (10, "$FL0"));
    assert!(report.is_empty(), "{report}");
}

#[test]
fn names_of_events_are_those_of_the_user_or_of_the_table() {
    let (mut world, mut report) = (scene("m2"), Report::default());
    let happens = |name: &str, times: &[i32]| Event {
        name: name.to_owned(),
        data: 3,
        node: Id::new(0),
        position: [0.0; 3],
        times: times.to_vec(),
        global: None,
    };
    // The second has its name from the user.
    for event in
        [happens("$FL0", &[1]), happens("SNDxAHFS", &[2]), happens("$DTH", &[3]), happens("$FSD", &[4, 5])]
    {
        world.events.push(event);
    }
    let mut options = RaiseOptions::default();
    for (old, new) in [("$AH0", "SNDxAHFS"), ("$FSD", "$FSD")] {
        options.names.events.insert(old.to_owned(), new.to_owned());
    }
    let given = |name: &str| Some(name.to_owned());
    let mut names: NameList = vec![
        ("gone".to_owned(), None),
        ("$FL0".to_owned(), given("$FL0")),
        ("$AH0".to_owned(), given("SNDxAHFS")),
        ("$DTH".to_owned(), given("$DTH")),
        ("$FSD".to_owned(), given("$FSD")),
    ];
    events(&mut world, &[], &options, &mut names, &mut report);
    let found: Vec<_> = world.events.as_slice().iter().map(|it| (it.name.as_str(), &it.times[..])).collect();
    let (left, right) = ("FPTxFBL1", "FPTxFBR1");
    assert_eq!(found, [(left, &[1][..]), ("SNDxAHFS", &[2]), (left, &[4]), (right, &[5])]);
    let names: Vec<Option<String>> = names.into_iter().map(|(_, new)| new).collect();
    assert_eq!(names, [None, given(left), given("SNDxAHFS"), None, given("$FSD")]);
}
