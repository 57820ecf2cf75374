use super::*;
use crate::sample::{Moment, Sampler};
use crate::{Attachment, Rotation, validate};

fn point(name: &str, number: u32, node: Id<Node>, position: [f32; 3]) -> Attachment {
    Attachment {
        name: name.into(),
        number,
        node,
        position,
        path: String::new(),
        visibility: Animated::fixed(1.0),
    }
}

fn body() -> Scene {
    let mut scene = Scene::default();
    let mut arm = Node::new("arm", NodeKind::Bone, None, [0.0, 2.0, 0.0]);
    // A quarter turn about z after a second.
    let turned = Rotation([0.0, 0.0, std::f32::consts::FRAC_1_SQRT_2, std::f32::consts::FRAC_1_SQRT_2]);
    arm.rotation.track =
        Some(Track::linear(vec![0, 1000], vec![Rotation::IDENTITY, turned], Rotation::IDENTITY));
    let arm = scene.nodes.push(arm);
    scene.attachments.push(point("Hand Right Ref", 1, arm, [5.0, 2.0, 0.0]));
    let mut tag = Node::new("tag_head", NodeKind::Tag, None, [0.0; 3]);
    tag.translation = Animated::fixed([0.0, 0.0, 9.0]);
    scene.nodes.push(tag);
    scene.sequences.push(Sequence { name: "Walk".into(), start: 0, end: 1000, ..Sequence::default() });
    scene
}

fn axe() -> Scene {
    let mut scene = Scene::default();
    let mut blade = Node::new("blade", NodeKind::Bone, None, [0.0; 3]);
    blade.translation.track = Some(Track::linear(
        vec![0, 500, 2000, 2400],
        vec![[0.0; 3], [0.0, 0.0, 4.0], [0.0; 3], [0.0, 0.0, 8.0]],
        [0.0; 3],
    ));
    let blade = scene.nodes.push(blade);
    let mut mesh = Mesh::new("axe");
    mesh.positions = vec![[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    mesh.indices = vec![0, 1, 2];
    let mut skin = Skin::default();
    let group = skin.push_group([Influence { node: blade, weight: 1.0 }]);
    let none = skin.push_group([]);
    skin.vertex_groups = vec![group, none, group];
    mesh.skin = Some(skin);
    scene.meshes.push(mesh);
    scene.sequences.push(Sequence { name: "Stand".into(), start: 0, end: 500, ..Sequence::default() });
    scene.sequences.push(Sequence { name: "Spin".into(), start: 2000, end: 2400, ..Sequence::default() });
    scene
}

/// The vertices of the last mesh at a time of the first sequence and of the clock.
fn sampled(scene: Scene, time: f64, clock: f64) -> Vec<[f32; 3]> {
    let scene = validate(scene).unwrap();
    let sampler = Sampler::new(&scene);
    let mut pose = sampler.pose();
    sampler.sample(&Moment { sequence: scene.sequences.id(0), time, clock }, None, &mut pose);
    sampler.skin(&mut pose);
    pose.meshes.last().unwrap().positions.clone()
}

#[test]
fn a_name_is_found_in_any_spelling() {
    let scene = body();
    let hand = find_place(&scene, "Hand Right Ref").unwrap();
    assert_eq!(hand.position, [5.0, 2.0, 0.0]);
    for name in ["hand-right", "HandRight", "right hand", "RIGHT_HAND", "1"] {
        assert_eq!(find_place(&scene, name), Some(hand), "{name}");
    }
    let head = find_place(&scene, "head").unwrap();
    assert_eq!((head.node.index(), head.position), (1, [0.0; 3]));
    assert_eq!(find_place(&scene, "tag_head"), Some(head));
    for name in ["hand", "hand left", "2", "", "tag"] {
        assert_eq!(find_place(&scene, name), None, "{name}");
    }
    assert_eq!(places(&scene), ["Hand Right Ref", "tag_head"]);
}

#[test]
fn a_child_follows_its_place_and_its_own_clock() {
    let mut scene = body();
    let place = find_place(&scene, "hand-right").unwrap();
    let options = AttachOptions { name: "axe", sequence: Some("spin") };
    let mut report = Report::default();
    attach(&mut scene, place, axe(), options, &mut report).unwrap();
    assert!(report.is_empty(), "{report}");
    // At rest the axe is at the hand, (5, 2, 0).
    let close =
        |found: &[f32; 3], wanted: [f32; 3]| found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-5);
    let found = sampled(scene.clone(), 0.0, 0.0);
    assert!(close(&found[0], [6.0, 2.0, 0.0]) && close(&found[1], [5.0, 2.0, 0.0]), "{found:?}");
    // Half of the spin: the blade is 4 higher. The vertex without a bone stays at the hand.
    let found = sampled(scene.clone(), 0.0, 200.0);
    assert!(close(&found[0], [6.0, 2.0, 4.0]) && close(&found[1], [5.0, 2.0, 0.0]), "{found:?}");
    // The spin repeats after 400 ms.
    let found = sampled(scene.clone(), 0.0, 500.0);
    assert!(close(&found[0], [6.0, 2.0, 2.0]), "{found:?}");
    // The arm turns about (0, 2, 0) by a quarter: the hand goes to (0, 7, 0), the axe points along y.
    let found = sampled(scene, 1000.0, 0.0);
    assert!(close(&found[0], [0.0, 8.0, 0.0]) && close(&found[1], [0.0, 7.0, 0.0]), "{found:?}");
}

#[test]
fn without_a_name_a_child_stands() {
    let mut scene = body();
    let place = find_place(&scene, "tag_head").unwrap();
    attach(&mut scene, place, axe(), AttachOptions::default(), &mut Report::default()).unwrap();
    let found = sampled(scene, 0.0, 250.0);
    assert_eq!(found[0], [1.0, 0.0, 11.0]);
}

#[test]
fn a_child_on_a_child_is_merged_with_it() {
    let mut head = body();
    let place = find_place(&head, "tag_head").unwrap();
    attach(&mut head, place, axe(), AttachOptions::default(), &mut Report::default()).unwrap();
    let mut scene = body();
    let place = find_place(&scene, "tag_head").unwrap();
    attach(&mut scene, place, head, AttachOptions::default(), &mut Report::default()).unwrap();
    assert_eq!(sampled(scene, 0.0, 0.0)[0], [1.0, 0.0, 18.0]);
}

#[test]
fn a_mesh_without_nodes_follows_and_keeps_its_first_shape() {
    let mut hat = Scene::default();
    let mut mesh = Mesh::new("hat");
    mesh.positions = vec![[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    mesh.indices = vec![0, 1, 2];
    let frame = |by: f32| crate::Frame {
        positions: vec![[by, 0.0, 0.0], [0.0, by, 0.0], [0.0, 0.0, by]],
        normals: Vec::new(),
    };
    let order = Track::linear(vec![0, 100], vec![0, 1], 0);
    mesh.morph = Some(crate::Morph { frames: vec![frame(2.0), frame(3.0)], order });
    hat.meshes.push(mesh);
    hat.sequences.push(Sequence { name: "all frames".into(), start: 0, end: 100, ..Sequence::default() });
    let mut scene = body();
    let place = find_place(&scene, "tag_head").unwrap();
    let mut report = Report::default();
    let named = AttachOptions { name: "hat", sequence: Some("all frames") };
    attach(&mut scene, place, hat.clone(), named, &mut report).unwrap();
    assert!(report.is_lossy());
    assert_eq!(sampled(scene.clone(), 0.0, 50.0), [[2.0, 0.0, 9.0], [0.0, 2.0, 9.0], [0.0, 0.0, 11.0]]);
    let wrong = AttachOptions { name: "hat", sequence: Some("wave") };
    let error = attach(&mut scene, place, hat, wrong, &mut report).unwrap_err();
    assert_eq!(error.to_string(), "the attached model has no sequence called wave; it has all frames");
}

#[test]
fn keys_outside_of_a_part_go_with_all_that_belongs_to_them() {
    let mut track = Track::linear(vec![0, 10, 20, 30], vec![1.0, 2.0, 3.0, 4.0_f32], 0.0);
    track.fractions = vec![0.1, 0.2, 0.3, 0.4];
    track.tangents = vec![[1.0, 1.5], [2.0, 2.5], [3.0, 3.5], [4.0, 4.5]];
    cut(&mut track, 1, 3);
    assert_eq!((track.times, track.values), (vec![10, 20], vec![2.0, 3.0]));
    assert_eq!((track.fractions, track.tangents), (vec![0.2, 0.3], vec![[2.0, 2.5], [3.0, 3.5]]));
    // A list that a track does not have stays empty.
    let mut track = Track::linear(vec![0, 10], vec![1.0, 2.0_f32], 0.0);
    cut(&mut track, 1, 2);
    assert_eq!((track.times, track.fractions.len(), track.tangents.len()), (vec![10], 0, 0));
}
