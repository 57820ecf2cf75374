//! Animations that are taken from another model, by values computed by hand and by poses.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, clippy::float_cmp, missing_docs)]

use crate::common;

use common::{bone, keys, moves, name, sequence, triangle};
use effigy_edit::Pattern;
use effigy_edit::mdx::{TakeOptions, take_animations};
use effigy_mdx::track::tags;
use effigy_mdx::{
    Dialect, EventObject, EventTrack, Extent, Geoset, GeosetAnimation, Interpolation, Key, Model, Node,
    Track, Tracks,
};
use effigy_scene::sample::{Moment, Sampler};
use effigy_scene::{Id, ValidScene, validate};

fn turns(interpolation: Interpolation, times: &[i32]) -> Track {
    let key = |time: &i32| {
        let (sin, cos) = (*time as f32 * 0.001).sin_cos();
        Key::new(*time, [0.0, 0.0, sin, cos])
    };
    Track::new(tags::KGRT, interpolation, &times.iter().map(key).collect::<Vec<_>>()).unwrap()
}

/// Stand and Walk; a root, an arm that nothing moves, a tail, an event.
fn source() -> Model {
    let mut model = Model::new(Dialect::Warcraft3, 800, "Source");
    model.sequences = vec![sequence("Stand", [100, 300]), sequence("Walk", [500, 900])];
    model.bones = vec![
        bone(
            "ROOT",
            0,
            -1,
            vec![
                moves(Interpolation::LINEAR, &[(50, 9.0), (100, 1.0), (300, 2.0), (500, 3.0), (900, 4.0)]),
                turns(Interpolation::LINEAR, &[500, 900]),
            ],
        ),
        bone("Arm", 1, 0, vec![]),
        bone("Tail", 2, 0, vec![turns(Interpolation::LINEAR, &[600])]),
    ];
    model.pivots = vec![[0.0; 3], [0.0, 0.0, 10.0], [0.0, 10.0, 0.0]];
    let event = |text: &str, times: &[i32]| EventObject {
        node: Node { name: name(text), object_id: 3, ..Node::default() },
        track: Some(EventTrack { global_sequence: -1, times: times.to_vec() }),
    };
    model.event_objects = vec![event("SNDxSTEP", &[150, 600, 700]), event("SPNxBLUD", &[800])];
    model.pivots.extend([[0.0; 3]; 2]);
    model
}

/// Stand and Death; a root, an arm, a cape; a geoset that is hidden in Death.
fn target() -> Model {
    let mut model = Model::new(Dialect::Warcraft3, 800, "Target");
    model.sequences = vec![sequence("stand", [0, 1000]), sequence("Death", [2000, 3000])];
    model.bones = vec![
        bone(
            "Root",
            0,
            -1,
            vec![moves(Interpolation::LINEAR, &[(0, 7.0), (1000, 7.5), (2000, 8.0), (3000, 8.5)])],
        ),
        bone("arm", 1, 0, vec![]),
        bone("Cape", 2, 1, vec![]),
    ];
    model.pivots = vec![[0.0; 3], [0.0, 0.0, 20.0], [0.0, 10.0, 0.0], [0.0; 3]];
    let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    model.geosets = vec![Geoset { sequence_extents: vec![Extent::default(); 2], ..triangle(corners, 0) }];
    let keys = [Key::new(0, 0.75_f32), Key::new(500, 0.5), Key::new(2000, 0.0)];
    let alpha = Track::new(tags::KGAO, Interpolation::STEP, &keys).unwrap();
    let tracks = Tracks(vec![alpha]);
    model.geoset_animations = vec![GeosetAnimation { geoset: 0, tracks, ..GeosetAnimation::default() }];
    let node = Node { name: name("SNDxStep"), object_id: 3, ..Node::default() };
    let track = Some(EventTrack { global_sequence: -1, times: vec![10, 2500] });
    model.event_objects = vec![EventObject { node, track }];
    model
}

fn taken(options: &TakeOptions) -> (Model, Vec<String>) {
    let mut model = target();
    let done = take_animations(&mut model, &source(), options).unwrap();
    (model, done.report.notes().iter().map(|note| format!("{}: {}", note.path, note.message)).collect())
}

#[test]
fn sequences_of_the_same_name_are_replaced_and_others_added() {
    let (model, notes) = taken(&TakeOptions::default());
    let found: Vec<_> = model.sequences.iter().map(|it| (it.name.text().into_owned(), it.interval)).collect();
    // 300 ms after the end of Death, and after each other.
    let expected = [("Death", [2000, 3000]), ("Stand", [3300, 3500]), ("Walk", [3800, 4200])];
    assert_eq!(found, expected.map(|(text, interval)| (text.to_owned(), interval)));
    let root = &model.bones[0].node.tracks;
    assert_eq!(
        keys(root.get(tags::KGTR).unwrap()),
        [(2000, 8.0), (3000, 8.5), (3300, 1.0), (3500, 2.0), (3800, 3.0), (4200, 4.0)]
    );
    assert_eq!(root.get(tags::KGRT).unwrap().times().collect::<Vec<_>>(), [3800, 4200]);
    assert_eq!(root.iter().map(Track::tag).collect::<Vec<_>>(), [tags::KGTR, tags::KGRT]);
    assert!(model.bones[1].node.tracks.is_empty() && model.bones[2].node.tracks.is_empty());
    // The alpha at the start of the Stand that was replaced, and the same for Walk, which was not there.
    let alpha: Vec<_> = model.geoset_animations[0].tracks[0].keys::<f32>().unwrap().collect();
    let alpha: Vec<_> = alpha.iter().map(|key| (key.time, key.value)).collect();
    assert_eq!(alpha, [(2000, 0.0), (3300, 0.75), (3800, 0.75)]);
    assert_eq!(model.event_objects[0].track.as_ref().unwrap().times, [2500, 3350, 3900, 4000]);
    assert_eq!(model.sequences[2].move_speed, 10.0);
    // The triangle is moved by 3 to 4 and turned; at 4 its corner at (1, 0, 0) is at 4 + cos(1.8).
    let extents = &model.geosets[0].sequence_extents;
    assert_eq!(extents.len(), 3);
    let corner = 4.0 + 1.8_f32.cos();
    assert!(extents[2].min[0] < corner + 1e-4 && extents[2].max[0] <= 4.0 + 1e-4, "{:?}", extents[2]);
    assert_eq!(model.sequences[2].extent.max, extents[2].max);
    let said = |words: &str| assert!(notes.iter().any(|note| note.contains(words)), "{words}: {notes:?}");
    said("nodes: 1 of the other model have no counterpart here: Tail");
    said("nodes: 1 bones are not in the other model and rest: Cape");
    said("events: 1 of the other model have no counterpart here: SPNxBLUD");
    said("nodes: the skeleton is 2.00 times as large as the other one");
    assert_eq!(notes.len(), 4, "{notes:?}");
}

#[test]
fn some_sequences_some_tracks_and_another_size() {
    let only = TakeOptions { only: vec![Pattern::new("wal*")], ..TakeOptions::default() };
    let (model, _) = taken(&only);
    let names: Vec<_> = model.sequences.iter().map(|it| it.name.text().into_owned()).collect();
    assert_eq!(names, ["stand", "Death", "Walk"]);
    let (model, notes) = taken(&TakeOptions { rotations_only: true, ..TakeOptions::default() });
    let root = &model.bones[0].node.tracks;
    assert_eq!(keys(root.get(tags::KGTR).unwrap()), [(2000, 8.0), (3000, 8.5)]);
    assert_eq!(root.get(tags::KGRT).unwrap().len(), 2);
    assert!(!notes.iter().any(|note| note.contains("as large")));
    let (model, notes) = taken(&TakeOptions { scale_to_fit: true, ..TakeOptions::default() });
    let root = &model.bones[0].node.tracks;
    assert_eq!(
        keys(root.get(tags::KGTR).unwrap())[2..],
        [(3300, 2.0), (3500, 4.0), (3800, 6.0), (4200, 8.0)]
    );
    assert_eq!(model.sequences[2].move_speed, 20.0);
    assert!(!notes.iter().any(|note| note.contains("as large")));
    let nothing = TakeOptions { only: vec![Pattern::new("Dance")], ..TakeOptions::default() };
    let mut model = target();
    assert_eq!(take_animations(&mut model, &source(), &nothing).unwrap().changed, 0);
    assert_eq!(model.write().unwrap(), target().write().unwrap());
}

#[test]
fn a_map_gives_nodes_to_nodes_of_other_names() {
    let names = [("tail".to_owned(), "CAPE".to_owned()), ("root".to_owned(), String::new())];
    let (model, notes) = taken(&TakeOptions { names: names.into(), ..TakeOptions::default() });
    assert!(model.bones[0].node.tracks.get(tags::KGRT).is_none());
    assert_eq!(model.bones[2].node.tracks[0].times().collect::<Vec<_>>(), [3900]);
    let said = |words: &str| assert!(notes.iter().any(|note| note.contains(words)), "{words}: {notes:?}");
    said("nodes: 1 of the other model have no counterpart here: ROOT");
    // The tail is a child of the root there, the cape of the arm here; the arm's own parent is not matched.
    said("nodes: 2 have other parents than there and follow those: arm, Cape");
}

#[test]
fn guides_of_popcorn_emitters_keep_the_names_of_replaced_sequences() {
    let mut model = target();
    let guide = name("Always=on, Stand=off");
    model.popcorn_emitters =
        vec![effigy_mdx::PopcornEmitter { visibility_guide: guide, ..effigy_mdx::PopcornEmitter::default() }];
    take_animations(&mut model, &source(), &TakeOptions::default()).unwrap();
    assert_eq!(model.popcorn_emitters[0].visibility_guide.text(), "Always=on, Stand=off");
}

#[test]
fn a_timeline_without_room_is_an_error() {
    let mut model = target();
    model.sequences[1].interval = [2000, i32::MAX.cast_unsigned() - 100];
    assert!(take_animations(&mut model, &source(), &TakeOptions::default()).is_err());
    // A sequence that ends before it starts has no length.
    let mut from = source();
    from.sequences[0].interval = [300, 100];
    let mut model = target();
    take_animations(&mut model, &from, &TakeOptions::default()).unwrap();
    assert_eq!(model.sequences[1].interval, [3300, 3300]);
}

#[test]
fn another_game_is_refused() {
    let mut model = Model::new(Dialect::WowAlpha, 1300, "Alpha");
    assert!(take_animations(&mut model, &source(), &TakeOptions::default()).is_err());
}

fn posed(model: &Model) -> ValidScene {
    validate(effigy_convert::mdx::lower(model).scene).unwrap()
}

/// The largest difference of node matrices between a sequence of one model and one of another, at steps of both.
fn apart(a: &Model, first: usize, b: &Model, second: usize, nodes: usize) -> f32 {
    let (one, two) = (posed(a), posed(b));
    let (one, two) = (Sampler::new(&one), Sampler::new(&two));
    let (mut p, mut q) = (one.pose(), two.pose());
    let length = f64::from(a.sequences[first].interval[1].saturating_sub(a.sequences[first].interval[0]));
    let mut worst = 0.0_f32;
    for step in 0..=16 {
        let time = length * f64::from(step) / 16.0;
        let at = |index: usize| Moment::new(Id::new(u32::try_from(index).unwrap()), time);
        one.sample(&at(first), None, &mut p);
        two.sample(&at(second), None, &mut q);
        for node in 0..nodes {
            let id = Id::new(u32::try_from(node).unwrap());
            let pairs = p.matrix(id).into_iter().flatten().zip(q.matrix(id).into_iter().flatten());
            worst = pairs.map(|(x, y)| (x - y).abs()).fold(worst, f32::max);
        }
    }
    worst
}

#[test]
fn every_mixture_of_interpolations_draws_both_curves() {
    let kinds = [Interpolation::STEP, Interpolation::LINEAR, Interpolation::HERMITE, Interpolation::BEZIER];
    let tangents = |track: Track| {
        let mut words = track.words().to_vec();
        if track.interpolation().has_tangents() {
            let stride = track.stride();
            let width = track.kind().width();
            for key in words.chunks_exact_mut(stride) {
                for value in &mut key[1 + width..] {
                    *value = (f32::from_bits(*value) * 1.25 + 0.125).to_bits();
                }
            }
        }
        let mut track = track;
        track.set_words(track.interpolation(), words).unwrap();
        track
    };
    for own in kinds {
        for other in kinds {
            let mut from = source();
            let walk = [(500, 3.0), (620, -2.0), (900, 4.0)];
            from.bones[0].node.tracks =
                Tracks(vec![tangents(moves(other, &walk)), tangents(turns(other, &[500, 620, 900]))]);
            let mut model = target();
            model.bones[0].node.tracks = Tracks(vec![
                tangents(moves(own, &[(2000, 8.0), (2400, 1.0), (3000, 8.5)])),
                tangents(turns(own, &[2000, 2400, 3000])),
            ]);
            let before = model.clone();
            take_animations(&mut model, &from, &TakeOptions::default()).unwrap();
            // A jump of a step becomes a line of a millisecond, which no sample hits.
            let death = apart(&before, 1, &model, 0, 1);
            let walk = apart(&from, 1, &model, 2, 1);
            assert!(death < 2e-5 && walk < 2e-5, "{own:?} {other:?}: {death} {walk}");
        }
    }
}

#[test]
fn a_model_that_takes_its_own_animations_moves_as_before() {
    let Some(corpus) = effigy_testkit::corpus() else { return };
    let mut models = 0;
    for entry in effigy_testkit::index(&corpus) {
        if entry.format != "mdx" || entry.is_malformed() {
            continue;
        }
        let Ok(before) = effigy_mdx::read(&std::fs::read(&entry.path).unwrap()) else { continue };
        let names: std::collections::BTreeSet<_> =
            before.sequences.iter().map(|it| it.name.text().to_lowercase()).collect();
        if before.dialect() != Dialect::Warcraft3 || names.len() != before.sequences.len() || names.is_empty()
        {
            continue;
        }
        let mut after = before.clone();
        if take_animations(&mut after, &before, &TakeOptions::default()).is_err() {
            panic!("{}", entry.name);
        }
        assert_eq!(after.sequences.len(), before.sequences.len(), "{}", entry.name);
        let nodes = before.nodes().count();
        for sequence in 0..before.sequences.len().min(3) {
            let off = apart(&before, sequence, &after, sequence, nodes);
            assert!(off == 0.0, "{} sequence {sequence}: {off}", entry.name);
        }
        // The file that is written has the same fields.
        let bytes = after.write().unwrap();
        assert_eq!(effigy_mdx::read(&bytes).unwrap().write().unwrap(), bytes, "{}", entry.name);
        models += 1;
    }
    assert!(models >= 150, "{models}");
}
