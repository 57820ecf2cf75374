//! A model that is added to another, by values computed by hand and by poses.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::float_cmp, missing_docs)]

use crate::common;

use common::{bone, keys, models, moves, name, sequence, triangle};
use effigy_edit::mdx::{MergeOptions, merge, transform};
use effigy_edit::{Operation, Pattern};
use effigy_mdx::track::tags;
use effigy_mdx::{
    Attachment, Dialect, EventObject, EventTrack, Extent, Geoset, GeosetAnimation, Interpolation, Key, Layer,
    Material, Model, Node, ParticleEmitter2, Texture, Track, Tracks,
};
use effigy_scene::sample::{Moment, Sampler};
use effigy_scene::{Id, ValidScene, validate};
use effigy_wire::Similarity;

/// A root and a hand that walks; an attachment, a global sequence, a triangle with a texture.
fn knight() -> Model {
    let mut model = Model::new(Dialect::Warcraft3, 800, "Knight");
    model.sequences = vec![
        sequence("Stand - 2", [0, 1000]),
        sequence("Walk", [2000, 2400]),
        sequence("Death", [5000, 6000]),
    ];
    model.global_sequences = vec![777];
    model.textures = vec![
        Texture { path: name("Knight.blp"), ..Texture::default() },
        Texture { path: name("Steel.blp"), ..Texture::default() },
    ];
    model.materials = vec![material(0)];
    model.bones = vec![
        bone("Root", 0, -1, vec![]),
        bone("Hand", 1, 0, vec![moves(Interpolation::LINEAR, &[(2000, 0.0), (2400, 8.0)])]),
    ];
    let node = Node { name: name("Overhead Ref"), object_id: 2, parent: 0, ..Node::default() };
    model.attachments = vec![Attachment { node, ..Attachment::default() }];
    model.pivots = vec![[0.0; 3], [10.0, 0.0, 5.0], [0.0, 0.0, 90.0]];
    let corners = [[0.0; 3], [0.0, 1.0, 0.0], [0.0, 0.0, 50.0]];
    model.geosets = vec![Geoset { sequence_extents: vec![Extent::default(); 3], ..triangle(corners, 0) }];
    model
}

fn material(texture: i32) -> Material {
    Material {
        layers: vec![Layer { texture, texture_animation: -1, ..Layer::default() }],
        ..Material::default()
    }
}

/// A blade of a root and a tip, which moves when it stands; sparks, a sound, an opacity, a pulse.
fn sword() -> Model {
    let mut model = Model::new(Dialect::Warcraft3, 800, "Sword");
    model.sequences =
        vec![sequence("Stand", [100, 600]), sequence("Death", [1000, 2000]), sequence("Birth", [3000, 3100])];
    model.global_sequences = vec![333, 444];
    model.textures = vec![
        Texture { path: name("Steel.blp"), ..Texture::default() },
        Texture { path: name("Spark.blp"), ..Texture::default() },
    ];
    model.materials = vec![material(1), material(0)];
    let tip = moves(
        Interpolation::LINEAR,
        &[(50, 9.0), (100, 1.0), (350, 2.0), (600, 3.0), (1000, 4.0), (1750, 5.0), (3050, 6.0)],
    );
    let mut tip = bone("Tip", 1, 0, vec![tip]);
    tip.geoset = 0;
    tip.geoset_animation = 0;
    let pulse = Track::new(tags::KGSC, Interpolation::LINEAR, &[Key::new(7, [1.0_f32; 3])])
        .unwrap()
        .on_global_sequence(1);
    model.bones = vec![bone("Root", 0, -1, vec![pulse]), tip];
    let node =
        |text: &str, object_id, parent| Node { name: name(text), object_id, parent, ..Node::default() };
    model.particle_emitters_2 =
        vec![ParticleEmitter2 { node: node("Sparks", 2, 1), texture: 1, ..ParticleEmitter2::default() }];
    let track = Some(EventTrack { global_sequence: -1, times: vec![100, 1500, 3050] });
    model.event_objects = vec![EventObject { node: node("SNDxSWNG", 3, 0), track }];
    model.pivots = vec![[0.0; 3], [0.0, 0.0, 4.0], [0.0, 0.0, 6.0], [1.0; 3]];
    let corners = [[0.0, 0.0, 4.0], [1.0, 0.0, 4.0], [0.0, 0.0, 8.0]];
    let extent = |x: f32| Extent { radius: x, min: [0.0; 3], max: [x; 3] };
    let extents = vec![extent(1.0), extent(2.0), extent(3.0)];
    model.geosets = vec![Geoset { material: 1, sequence_extents: extents, ..triangle(corners, 1) }];
    let alpha = Track::new(tags::KGAO, Interpolation::STEP, &[Key::new(1000, 0.5_f32)]).unwrap();
    model.geoset_animations =
        vec![GeosetAnimation { geoset: 0, tracks: Tracks(vec![alpha]), ..GeosetAnimation::default() }];
    model
}

fn merged(options: &MergeOptions) -> (Model, Vec<String>) {
    let mut model = knight();
    let done = merge(&mut model, &sword(), options).unwrap();
    let notes = done.report.notes().iter().map(|note| format!("{}: {}", note.path, note.message)).collect();
    (effigy_mdx::read(&model.write().unwrap()).unwrap(), notes)
}

fn onto_the_hand() -> MergeOptions {
    MergeOptions { onto: Some(Pattern::new("hand")), ..MergeOptions::default() }
}

#[test]
fn bones_come_first_and_every_reference_follows() {
    let (model, _) = merged(&onto_the_hand());
    let nodes: Vec<_> =
        model.nodes().map(|(_, node)| (node.name.text().into_owned(), node.object_id, node.parent)).collect();
    let expected = [
        ("Root", 0, -1),
        ("Hand", 1, 0),
        ("Root", 2, 1),
        ("Tip", 3, 2),
        ("Overhead Ref", 4, 0),
        ("Sparks", 5, 3),
        ("SNDxSWNG", 6, 2),
    ];
    assert_eq!(nodes, expected.map(|(text, id, parent)| (text.to_owned(), id, parent)));
    // The sword's origin is where the hand is.
    let pivots = [
        [0.0; 3],
        [10.0, 0.0, 5.0],
        [10.0, 0.0, 5.0],
        [10.0, 0.0, 9.0],
        [0.0, 0.0, 90.0],
        [10.0, 0.0, 11.0],
        [11.0, 1.0, 6.0],
    ];
    assert_eq!(model.pivots, pivots);
    assert_eq!(model.geosets[1].vertices, [[10.0, 0.0, 9.0], [11.0, 0.0, 9.0], [10.0, 0.0, 13.0]]);
    assert_eq!((&model.geosets[0].group_nodes[..], &model.geosets[1].group_nodes[..]), (&[0][..], &[3][..]));
    assert_eq!((model.bones[3].geoset, model.bones[3].geoset_animation), (1, 0));
    assert_eq!(model.geoset_animations[0].geoset, 1);
    // Steel is shared, sparks come after it; the sword's second material is the third.
    let textures: Vec<_> = model.textures.iter().map(|it| it.path.text().into_owned()).collect();
    assert_eq!(textures, ["Knight.blp", "Steel.blp", "Spark.blp"]);
    let layers: Vec<i32> = model.materials.iter().map(|it| it.layers[0].texture).collect();
    assert_eq!(
        (layers, model.geosets[1].material, model.particle_emitters_2[0].texture),
        (vec![0, 2, 1], 2, 2)
    );
    assert_eq!(model.global_sequences, [777, 333, 444]);
    assert_eq!(model.bones[2].node.tracks[0].global_sequence, 2);
}

#[test]
fn what_was_added_plays_the_sequence_of_the_same_name() {
    let (model, notes) = merged(&onto_the_hand());
    // Stand of 500 ms in one of 1000 and, since there is no Walk, in one of 400; Death as it is.
    let tip = keys(&model.bones[3].node.tracks[0]);
    let stand = [(0, 1.0), (500, 2.0), (1000, 3.0)];
    let walk = [(2000, 1.0), (2200, 2.0), (2400, 3.0)];
    assert_eq!(tip, [&stand[..], &walk, &[(5000, 4.0), (5750, 5.0)]].concat());
    assert_eq!(model.event_objects[0].track.as_ref().unwrap().times, [0, 2000, 5500]);
    assert_eq!(model.geoset_animations[0].tracks[0].times().collect::<Vec<_>>(), [5000]);
    assert_eq!(model.bones[2].node.tracks[0].times().collect::<Vec<_>>(), [7]);
    let names: Vec<_> = model.sequences.iter().map(|it| it.name.text().into_owned()).collect();
    assert_eq!(names, ["Stand - 2", "Walk", "Death"]);
    assert_eq!(keys(&model.bones[1].node.tracks[0]), [(2000, 0.0), (2400, 8.0)]);
    assert_eq!(
        notes,
        [
            "sequences: what was added plays faster or slower there, to end with the sequence: Stand - 2, Walk",
            "sequences: of the other model, nothing here plays Birth"
        ]
    );
}

#[test]
fn a_common_border_has_one_key_and_keys_that_meet_make_room() {
    let mut model = Model::new(Dialect::Warcraft3, 800, "Model");
    model.sequences = vec![sequence("Stand", [0, 10]), sequence("Walk", [10, 20])];
    let mut other = Model::new(Dialect::Warcraft3, 800, "Other");
    other.sequences = vec![sequence("Stand", [0, 100]), sequence("Walk", [100, 200])];
    // 51 and 52 are both the fifth millisecond, so that the first is before it; 130 is there twice.
    let track = moves(
        Interpolation::LINEAR,
        &[(0, 1.0), (51, 2.0), (52, 3.0), (100, 4.0), (130, 5.0), (130, 6.0), (200, 7.0)],
    );
    other.bones = vec![bone("Bone", 0, -1, vec![track])];
    merge(&mut model, &other, &MergeOptions::default()).unwrap();
    let found = keys(&model.bones[0].node.tracks[0]);
    assert_eq!(found, [(0, 1.0), (4, 2.0), (5, 3.0), (10, 4.0), (13, 5.0), (13, 6.0), (20, 7.0)]);
}

#[test]
fn sequences_play_with_their_counterparts() {
    let mut model = Model::new(Dialect::Warcraft3, 800, "Model");
    let own = ["Walk", "Walk", "Attack - 2", "Stand Ready", "Spell"];
    model.sequences =
        own.iter().zip(0..).map(|(text, at)| sequence(text, [at * 1000, at * 1000 + 100])).collect();
    let mut other = Model::new(Dialect::Warcraft3, 800, "Other");
    let others = ["Birth", "walk", "Attack 1", "Stand Victory", "Stand", "Walk"];
    other.sequences =
        others.iter().zip(0..).map(|(text, at)| sequence(text, [at * 1000, at * 1000 + 100])).collect();
    let track = moves(
        Interpolation::LINEAR,
        &[(0, 0.0), (1000, 1.0), (2000, 2.0), (3000, 3.0), (4000, 4.0), (5000, 5.0)],
    );
    other.bones = vec![bone("Bone", 0, -1, vec![track])];
    let done = merge(&mut model, &other, &MergeOptions::default()).unwrap();
    let found = keys(&model.bones[0].node.tracks[0]);
    // What has no counterpart plays with the plain Stand.
    assert_eq!(found, [(0, 1.0), (1000, 5.0), (2000, 2.0), (3000, 4.0), (4000, 4.0)]);
    let notes: Vec<_> = done.report.notes().iter().map(|note| note.message.clone()).collect();
    assert_eq!(notes, ["of the other model, nothing here plays Birth, Stand Victory"]);
}

#[test]
fn bounds_hold_what_was_added() {
    let (model, _) = merged(&onto_the_hand());
    assert_eq!(model.geosets[0].sequence_extents, vec![Extent::default(); 3]);
    // The tip moves by 3 at the end of Walk, and the hand by 8: the corner at 11 is at 22.
    let extents = &model.geosets[1].sequence_extents;
    assert_eq!((extents.len(), extents[1].max), (3, [22.0, 0.0, 13.0]));
    assert_eq!((model.sequences[1].extent.min, model.sequences[1].extent.max), ([0.0; 3], [22.0, 1.0, 50.0]));
    assert_eq!(model.sequences[2].extent.max[0], 16.0);
}

#[test]
fn nodes_of_the_same_name_can_be_one() {
    let mut other = sword();
    other.bones[1].node.name = name("HAND");
    let mut model = knight();
    let options = MergeOptions { same_nodes: true, ..MergeOptions::default() };
    let done = merge(&mut model, &other, &options).unwrap();
    assert_eq!(done.changed, 3, "a geoset and two nodes");
    let nodes: Vec<_> =
        model.nodes().map(|(_, node)| (node.name.text().into_owned(), node.object_id, node.parent)).collect();
    let expected =
        [("Root", 0, -1), ("Hand", 1, 0), ("Overhead Ref", 2, 0), ("Sparks", 3, 1), ("SNDxSWNG", 4, 0)];
    assert_eq!(nodes, expected.map(|(text, id, parent)| (text.to_owned(), id, parent)));
    assert_eq!(model.geosets[1].group_nodes, [1]);
    assert_eq!(model.geosets[1].vertices, sword().geosets[0].vertices);
    assert_eq!(model.pivots, [[0.0; 3], [10.0, 0.0, 5.0], [0.0, 0.0, 90.0], [0.0, 0.0, 6.0], [1.0; 3]]);
}

#[test]
fn bind_poses_follow_their_nodes() {
    let (mut model, mut other) = (knight().upgrade(900).unwrap().0, sword());
    let pose = |x: f32| [x; 12];
    model.bind_poses = vec![pose(0.0), pose(1.0), pose(2.0), pose(99.0)];
    merge(&mut model, &other, &MergeOptions::default()).unwrap();
    let rest = |[x, y, z]: [f32; 3]| [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, x, y, z];
    let expected = [
        pose(0.0),
        pose(1.0),
        rest([0.0; 3]),
        rest([0.0, 0.0, 4.0]),
        pose(2.0),
        rest([0.0, 0.0, 6.0]),
        rest([1.0; 3]),
        pose(99.0),
    ];
    assert_eq!(model.bind_poses, expected);
    // A model without them does not get any.
    other = other.upgrade(900).unwrap().0;
    other.bind_poses = vec![pose(5.0); 5];
    let mut model = knight();
    merge(&mut model, &other, &MergeOptions::default()).unwrap();
    assert!(model.bind_poses.is_empty());
}

#[test]
fn what_cannot_be_added_is_refused() {
    let text = |model: &Model, other: &Model, options: &MergeOptions| {
        merge(&mut model.clone(), other, options).unwrap_err().to_string()
    };
    let none = MergeOptions::default();
    let foot = MergeOptions { onto: Some(Pattern::new("Foot")), ..MergeOptions::default() };
    let error = merge(&mut knight(), &sword(), &foot).unwrap_err();
    assert!(error.to_string().contains("no node foot"), "{error}");
    assert_eq!(error.hint_text(), Some("the nodes are Root, Hand, Overhead Ref"));
    let alpha = Model::new(Dialect::WowAlpha, 1300, "Alpha");
    assert!(text(&knight(), &alpha, &none).contains("same game"));
    let mut twice = sword();
    twice.bones[1].node.object_id = 0;
    assert!(text(&knight(), &twice, &none).contains("BONE Tip has the id 0"));
    // Weights of Reforged name bones in a byte.
    let mut many = knight().upgrade(900).unwrap().0;
    many.geosets[0].skin = Some(effigy_mdx::Skin::Narrow(vec![[0, 0, 0, 0, 255, 0, 0, 0]; 3]));
    many.geosets[0].group_nodes.clear();
    let other = |bones: i32| {
        let mut other = Model::new(Dialect::Warcraft3, 900, "Many");
        other.bones = (0..bones).map(|id| bone("Bone", id, -1, vec![])).collect();
        other
    };
    assert!(text(&many, &other(255), &none).contains("257 bones"));
    merge(&mut many, &other(254), &none).unwrap();
    let error = Operation::parse("merge", "x.mdx#upside-down").unwrap_err();
    assert!(error.hint_text().unwrap().contains("onto=NODE"));
}

fn lowered(model: &Model) -> Option<ValidScene> {
    validate(effigy_convert::mdx::lower(model).scene).ok()
}

/// Every real model and a copy of it that stands elsewhere: each mesh is there twice, where it was in every pose and as far from there as the
/// copy.
#[test]
fn a_model_and_its_moved_copy_move_as_before() {
    let away = [300.0, -200.0, 100.0];
    let (mut compared, mut refused, mut excuses) = (0, 0, 0);
    let files = models();
    for (file, model) in &files {
        let (mut both, mut copy) = (model.clone(), model.clone());
        let moved = transform(&mut copy, Similarity::shift(away).unwrap()).unwrap();
        let Ok(done) = merge(&mut both, &copy, &MergeOptions::default()) else {
            refused += 1;
            continue;
        };
        let notes = moved.report.notes().iter().chain(done.report.notes());
        let excused = notes
            .into_iter()
            .any(|note| note.message.contains("share keys") || note.message.contains("displaced"));
        excuses += usize::from(excused);
        let both = effigy_mdx::read(&both.write().unwrap()).unwrap();
        let (Some(one), Some(two)) = (lowered(model), lowered(&both)) else { continue };
        let (old, new) = (Sampler::new(&one), Sampler::new(&two));
        let (mut a, mut b) = (old.pose(), new.pose());
        for (index, sequence) in model.sequences.iter().enumerate() {
            let length = f64::from(sequence.interval[1].saturating_sub(sequence.interval[0]));
            for part in [0.0, 0.21, 0.5, 0.83, 1.0] {
                let moment = Moment::new(Id::new(u32::try_from(index).unwrap()), length * part);
                old.sample(&moment, None, &mut a);
                new.sample(&moment, None, &mut b);
                old.skin(&mut a);
                new.skin(&mut b);
                let count = a.meshes().len();
                assert_eq!(b.meshes().len(), 2 * count, "{file}");
                for (mesh, before) in a.meshes().iter().enumerate() {
                    let bits = |positions: &[[f32; 3]]| {
                        positions.iter().map(|it| it.map(f32::to_bits)).collect::<Vec<_>>()
                    };
                    let place = format!("{file}: {} at {part}: mesh {mesh}", sequence.name);
                    assert!(bits(&before.positions) == bits(&b.meshes()[mesh].positions), "{place}");
                    for (old, new) in
                        before.positions.iter().zip(&b.meshes()[count + mesh].positions).filter(|_| !excused)
                    {
                        for ((old, new), away) in old.iter().zip(new).zip(away) {
                            let off = (f64::from(*old) + away - f64::from(*new)).abs();
                            assert!(
                                off <= 1e-5 * f64::from(old.abs()).max(1e3) || !off.is_finite(),
                                "{place}, added: {old} {new} {off}"
                            );
                        }
                    }
                }
            }
        }
        compared += 1;
    }
    assert!(
        files.is_empty() || (compared >= 170 && refused <= 10 && excuses <= 20),
        "{compared} compared, {refused} refused, {excuses} excused"
    );
}

/// Damaged models are added or refused, and what comes out can be written.
#[test]
fn damaged_models_are_added_or_refused() {
    let mut state = 1_u64;
    let mut random = move |below: usize| {
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        usize::try_from(state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33).unwrap() % below
    };
    let samples = effigy_samples::mdx::samples();
    let (mut added, mut refused) = (0, 0);
    for sample in samples.iter().filter(|sample| sample.bytes.len() < 200_000) {
        let Ok(sound) = effigy_mdx::read(&sample.bytes) else { continue };
        let onto = sound.nodes().next().map(|(_, node)| Pattern::new(&node.name.text()));
        for round in 0..18 {
            let mut bytes = sample.bytes.clone();
            for _ in 0..=random(6) {
                let at = random(bytes.len() / 4) * 4;
                let word = [0, 1, 0xff, 0xffff, 0x7fff_ffff, u32::MAX, 0x7fc0_0000][random(7)];
                bytes[at..].iter_mut().zip(word.to_le_bytes()).for_each(|(byte, new)| *byte = new);
            }
            let Ok(damaged) = effigy_mdx::read(&bytes) else { continue };
            let options =
                MergeOptions { onto: onto.clone().filter(|_| round % 2 == 0), same_nodes: round % 3 == 0 };
            for (one, two) in [(&sound, &damaged), (&damaged, &sound)] {
                let mut model = one.clone();
                match merge(&mut model, two, &options) {
                    Ok(_) => {
                        added += 1;
                        model.write().map_or_else(|error| assert!(!error.to_string().is_empty()), drop);
                    }
                    Err(error) => {
                        refused += 1;
                        assert!(!error.to_string().is_empty());
                    }
                }
            }
        }
    }
    assert!(added >= 60 && refused >= 1, "{added} added, {refused} refused");
}
