//! Smaller models pose like the original ones.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, missing_docs)]
#![allow(clippy::print_stdout)]

use effigy_edit::mdx::optimize::{OptimizeOptions, chunk_bytes, optimize, packed_bytes, posed_error};
use effigy_mdx::track::tags;
use effigy_mdx::{Bone, Dialect, Interpolation, Key, Model, Node, Sequence, Texture, Track, Tracks};
use effigy_wire::FixedStr;

fn models() -> Vec<(String, Vec<u8>, Model)> {
    let Some(corpus) = effigy_testkit::corpus() else { return Vec::new() };
    let entries = effigy_testkit::index(&corpus).into_iter();
    entries
        .filter(|entry| entry.format == "mdx" && !entry.is_malformed())
        .filter_map(|entry| {
            let bytes = std::fs::read(&entry.path).ok()?;
            let model = effigy_mdx::read(&bytes).ok()?;
            Some((entry.name, bytes, model))
        })
        .collect()
}

/// The bytes before and after, as `bytes_of` counts them.
fn over_the_corpus(
    options: &OptimizeOptions,
    limit: f64,
    bytes_of: impl Fn(&[u8]) -> usize,
) -> (usize, usize) {
    let (mut before, mut after, mut worst) = (0, 0, 0.0_f64);
    for (name, bytes, model) in models() {
        let mut smaller = model.clone();
        let Ok(done) = optimize(&mut smaller, options) else { continue };
        let written = smaller.write().unwrap();
        let again = effigy_mdx::read(&written).unwrap();
        let error = posed_error(&model, &again).unwrap();
        assert!(error <= limit, "{name}: {error:e} {done:?}");
        assert!(written.len() <= bytes.len(), "{name}: {} became {}", bytes.len(), written.len());
        worst = worst.max(error);
        before += bytes_of(&bytes);
        after += bytes_of(&written);
    }
    println!("{before} became {after}, largest error {worst:e}");
    (before, after)
}

#[test]
fn without_loss_posed_vertices_stay() {
    let (before, after) = over_the_corpus(&OptimizeOptions::LOSSLESS, 1e-7, <[u8]>::len);
    assert!(before == 0 || after < before);
}

#[test]
fn within_the_tolerance_nine_percent_are_saved() {
    let (before, after) = over_the_corpus(&OptimizeOptions::default(), 2e-4, <[u8]>::len);
    assert!(after * 100 <= before * 91, "{before} became {after}");
}

#[test]
fn rounded_for_archives_a_quarter_of_the_packed_bytes_is_saved() {
    let options = OptimizeOptions { pack: true, ..OptimizeOptions::default() };
    let (before, after) = over_the_corpus(&options, 2e-4, packed_bytes);
    assert!(after * 100 <= before * 75, "{before} became {after}");
}

/// A bone that moves evenly from 0 to 400 and then rests, with a key every 100 ms, and one key in no sequence.
fn even() -> Model {
    let mut model = Model::new(Dialect::Warcraft3, 800, "Even");
    model.sequences = vec![
        Sequence { interval: [0, 400], ..Sequence::default() },
        Sequence { interval: [1000, 1300], ..Sequence::default() },
    ];
    let times = [0, 100, 200, 300, 400, 700, 1000, 1100, 1200, 1300];
    let keys: Vec<Key<[f32; 3]>> =
        times.iter().map(|time| Key::new(*time, [(*time).min(400) as f32, 0.0, 0.0])).collect();
    let tracks = Tracks(vec![Track::new(tags::KGTR, Interpolation::LINEAR, &keys).unwrap()]);
    model.bones = vec![Bone { node: Node { object_id: 0, tracks, ..Node::default() }, ..Bone::default() }];
    model.geosets = vec![effigy_mdx::Geoset {
        vertices: vec![[0.0; 3], [10.0, 0.0, 0.0], [0.0, 10.0, 0.0], [5.0; 3], [0.0; 3]],
        normals: vec![[0.0, 0.0, 1.0]; 5],
        primitive_types: vec![4],
        primitive_counts: vec![6],
        indices: vec![0, 1, 2, 4, 1, 2],
        vertex_groups: vec![0; 5],
        group_sizes: vec![1],
        group_nodes: vec![0],
        ..Default::default()
    }];
    model.pivots = vec![[0.0; 3]];
    model.textures = vec![Texture { path: FixedStr::new("a.blp").unwrap(), ..Texture::default() }; 2];
    model
}

#[test]
fn keys_without_effect_go_and_the_ends_of_sequences_stay() {
    let mut model = even();
    let done = optimize(&mut model, &OptimizeOptions::LOSSLESS).unwrap();
    let times: Vec<i32> = model.bones[0].node.tracks.get(tags::KGTR).unwrap().times().collect();
    assert_eq!(times, [0, 100, 200, 300, 400, 1000], "700 is in no sequence, and the second rests");
    assert_eq!((done.keys, done.vertices, done.unused), (4, 2, 2));
    assert_eq!(model.geosets[0].indices, [0, 1, 2, 0, 1, 2]);

    let mut model = even();
    optimize(&mut model, &OptimizeOptions::default()).unwrap();
    let times: Vec<i32> = model.bones[0].node.tracks.get(tags::KGTR).unwrap().times().collect();
    assert_eq!(times, [0, 400, 1000]);
}

/// Such a sequence ends before it begins where its times are read without their sign, and no key would be in it.
#[test]
fn keys_of_a_sequence_that_begins_before_zero_stay() {
    let mut model = even();
    model.sequences[0].interval = [0xffff_fe70, 400];
    let keys = [(-400, 3.0), (0, 7.0), (400, 1.0)].map(|(time, x)| Key::new(time, [x, 0.0, 0.0]));
    model.bones[0].node.tracks = Tracks(vec![Track::new(tags::KGTR, Interpolation::LINEAR, &keys).unwrap()]);
    optimize(&mut model, &OptimizeOptions::default()).unwrap();
    let track = model.bones[0].node.tracks.get(tags::KGTR).unwrap();
    assert_eq!(track.times().collect::<Vec<_>>(), [-400, 0, 400]);
}

/// A weapon in a hand: nothing but its rotation says where it points, and no vertex follows.
#[test]
fn what_a_node_carries_does_not_turn() {
    let turn = |angle: f32| [0.0, 0.0, (angle * 0.5).sin(), (angle * 0.5).cos()];
    for rounded in [false, true] {
        let mut model = even();
        // It swings by a radian and back, evenly but for one key that is a tenth of a radian off.
        let angles = [0.0, 0.25, 0.6, 0.75, 1.0].map(turn);
        let keys: Vec<Key<[f32; 4]>> = (0..5).zip(angles).map(|(n, turn)| Key::new(n * 100, turn)).collect();
        let swing = Tracks(vec![Track::new(tags::KGRT, Interpolation::LINEAR, &keys).unwrap()]);
        let hand = Node { object_id: 1, parent: 0, tracks: swing, ..Node::default() };
        model.attachments = vec![effigy_mdx::Attachment { node: hand, ..Default::default() }];
        model.pivots.push([0.0; 3]);
        let before = model.clone();
        let options = OptimizeOptions { pack: rounded, ..OptimizeOptions::default() };
        let done = optimize(&mut model, &options).unwrap();
        let track = model.attachments[0].node.tracks.get(tags::KGRT).unwrap();
        let kept: Vec<(i32, [f32; 4])> = track.keys().unwrap().map(|key| (key.time, key.value)).collect();
        // The odd one stays, and those that stay are where they were.
        assert!(kept.iter().any(|(time, _)| *time == 200), "{kept:?}");
        for (time, value) in kept {
            let expected = turn(if time == 200 { 0.6 } else { time as f32 / 400.0 });
            let off = value.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            assert!(off < 5e-4, "{time}: {value:?}");
        }
        assert!(done.error < 2e-4);
        // The measure sees what turns: the end of an axis of a tenth of the size, by a tenth of a radian, at a fifth.
        let mut turned = before.clone();
        let keys: Vec<Key<[f32; 4]>> = (0..5).map(|n| Key::new(n * 100, turn(n as f32 / 4.0))).collect();
        let even = Tracks(vec![Track::new(tags::KGRT, Interpolation::LINEAR, &keys).unwrap()]);
        turned.attachments[0].node.tracks = even;
        let error = posed_error(&before, &turned).unwrap();
        assert!((0.0019..0.0021).contains(&error), "{error}");
    }
}

#[test]
fn the_bytes_of_chunks_add_up_to_the_file() {
    let bytes = even().write().unwrap();
    let sum: usize = chunk_bytes(&bytes).iter().map(|chunk| chunk.raw).sum();
    assert_eq!(sum + 4, bytes.len());
}

/// What is left of a track of a bone with two sequences (0 to 400 and 1000 to 1400): its interpolation and the times of its keys.
fn left(track: Track) -> Option<(Interpolation, Vec<i32>)> {
    let mut model = Model::new(Dialect::Warcraft3, 800, "Made");
    let sequence = |text: &str, interval| Sequence {
        name: FixedStr::new(text).unwrap(),
        interval,
        ..Sequence::default()
    };
    model.sequences = vec![sequence("Stand", [0, 400]), sequence("Walk", [1000, 1400])];
    let tracks = Tracks(vec![track]);
    // A helper below it keeps the bone.
    let node = |object_id, parent, tracks| Node { object_id, parent, tracks, ..Node::default() };
    model.bones = vec![Bone { node: node(0, -1, tracks), geoset: -1, geoset_animation: -1 }];
    model.attachments =
        vec![effigy_mdx::Attachment { node: node(1, 0, Tracks::default()), ..Default::default() }];
    model.pivots = vec![[0.0; 3]; 2];
    optimize(&mut model, &OptimizeOptions::LOSSLESS).unwrap();
    let track = model.bones[0].node.tracks.first()?;
    Some((track.interpolation(), track.times().collect()))
}

#[test]
fn splines_that_never_curve_lose_their_tangents() {
    let (hermite, bezier, linear) = (Interpolation::HERMITE, Interpolation::BEZIER, Interpolation::LINEAR);
    let key = |time, value: [f32; 3], tangent: [f32; 3]| Key { time, value, tangents: Some([tangent; 2]) };
    let moved = |kind, keys: &[Key<[f32; 3]>]| left(Track::new(tags::KGTR, kind, keys).unwrap());
    let (here, there, flat) = ([1.0, 2.0, 3.0], [4.0, 2.0, 3.0], [0.0, -0.0, 0.0]);
    // One key in each sequence.
    assert_eq!(moved(hermite, &[key(0, here, there), key(1200, there, here)]), Some((linear, vec![0, 1200])));
    // Equal keys with slopes of nothing; the second is then needless.
    assert_eq!(moved(hermite, &[key(0, here, flat), key(400, here, flat)]), Some((linear, vec![0])));
    assert_eq!(moved(bezier, &[key(0, here, here), key(400, here, here)]), Some((linear, vec![0])));
    // A slope, a control point elsewhere, another value: it curves.
    assert_eq!(moved(hermite, &[key(0, here, flat), key(400, here, here)]), Some((hermite, vec![0, 400])));
    assert_eq!(moved(bezier, &[key(0, here, here), key(400, here, flat)]), Some((bezier, vec![0, 400])));
    assert_eq!(moved(hermite, &[key(0, here, flat), key(400, there, flat)]), Some((hermite, vec![0, 400])));
    // In a global sequence all keys are played.
    let track = Track::new(tags::KGTR, hermite, &[key(0, here, flat), key(2000, there, flat)]).unwrap();
    assert_eq!(left(track.on_global_sequence(0)), Some((hermite, vec![0, 2000])));
    let turn = [0.0, 0.0, 0.6, 0.8];
    let turned = |tangent: [f32; 4]| {
        let key = |time| Key { time, value: turn, tangents: Some([tangent; 2]) };
        left(Track::new(tags::KGRT, hermite, &[key(1000), key(1400)]).unwrap())
    };
    assert_eq!(turned(turn), Some((linear, vec![1000])));
    assert_eq!(turned([0.0, 0.0, 0.0, 1.0]), Some((hermite, vec![1000, 1400])));
}

#[test]
fn tracks_that_say_what_a_node_does_without_them_go() {
    let linear = Interpolation::LINEAR;
    let vectors = |tag, values: [[f32; 3]; 2]| {
        let keys = [Key::new(0, values[0]), Key::new(1200, values[1])];
        left(Track::new(tag, linear, &keys).unwrap())
    };
    assert_eq!(vectors(tags::KGSC, [[1.0; 3]; 2]), None);
    assert_eq!(vectors(tags::KGTR, [[0.0; 3]; 2]), None);
    assert_eq!(vectors(tags::KGSC, [[1.0; 3], [1.0, 1.0, 2.0]]), Some((linear, vec![0, 1200])));
    assert_eq!(vectors(tags::KGTR, [[1.0; 3]; 2]), Some((linear, vec![0, 1200])));
    let turns = |value: [f32; 4]| {
        let keys = [Key::new(0, value), Key::new(1200, value)];
        left(Track::new(tags::KGRT, linear, &keys).unwrap())
    };
    assert_eq!(turns([0.0, 0.0, 0.0, 1.0]), None);
    assert_eq!(turns([0.0, 0.0, 1.0, 0.0]), Some((linear, vec![0, 1200])));
}

#[test]
fn a_model_with_a_damaged_chunk_is_left_alone() {
    let mut bytes = even().write().unwrap();
    bytes.extend_from_slice(b"CAMS\xff\0\0\0\x01\0\0\0");
    let mut model = effigy_mdx::read(&bytes).unwrap();
    assert!(optimize(&mut model, &OptimizeOptions::LOSSLESS).is_err());
    assert_eq!(model.write().unwrap(), bytes);
}
