//! What the check rejects, and that a repaired scene passes.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use effigy_scene::{
    Animated, Event, GlobalSequence, Id, Influence, Material, Mesh, Node, NodeKind, Scene, Sequence, Skin,
    Track, repair, validate,
};
use effigy_wire::Report;

fn sound() -> Scene {
    let mut scene = Scene { name: "sound".into(), ..Scene::default() };
    scene.sequences.push(Sequence { name: "Stand".into(), end: 1000, ..Sequence::default() });
    scene.global_sequences.push(GlobalSequence { length: 500 });
    let root = scene.nodes.push(Node::new("root", NodeKind::Bone, None, [0.0; 3]));
    scene.nodes.push(Node::new("child", NodeKind::Bone, Some(root), [1.0, 0.0, 0.0]));
    scene.materials.push(Material::default());
    let mut mesh = Mesh::new("mesh");
    mesh.positions = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0]];
    mesh.normals = vec![[0.0, 0.0, 1.0]; 3];
    mesh.uvs = vec![vec![[0.0; 2]; 3]];
    mesh.indices = vec![0, 1, 2];
    mesh.material = Some(Id::new(0));
    let mut skin = Skin::default();
    skin.push_group([Influence { node: root, weight: 1.0 }]);
    skin.vertex_groups = vec![0; 3];
    mesh.skin = Some(skin);
    scene.meshes.push(mesh);
    scene
}

type Break = fn(&mut Scene);
const BREAKS: &[(&str, Break)] = &[
    ("parents form a circle", |s| s.nodes.as_mut_slice()[0].parent = Some(Id::new(1))),
    ("a node is its own parent", |s| s.nodes.as_mut_slice()[1].parent = Some(Id::new(1))),
    ("a parent does not exist", |s| s.nodes.as_mut_slice()[1].parent = Some(Id::new(9))),
    ("a pivot is not finite", |s| s.nodes.as_mut_slice()[0].pivot[1] = f32::NAN),
    ("an index leaves the vertices", |s| s.meshes.as_mut_slice()[0].indices[1] = 3),
    ("a triangle is not complete", |s| s.meshes.as_mut_slice()[0].indices.push(0)),
    ("normals do not match", |s| s.meshes.as_mut_slice()[0].normals.truncate(1)),
    ("coordinates do not match", |s| s.meshes.as_mut_slice()[0].uvs[0].truncate(2)),
    ("a position is infinite", |s| s.meshes.as_mut_slice()[0].positions[0][0] = f32::INFINITY),
    ("a material does not exist", |s| s.meshes.as_mut_slice()[0].material = Some(Id::new(7))),
    ("a vertex has no group", |s| s.meshes.as_mut_slice()[0].skin.as_mut().unwrap().vertex_groups[2] = 4),
    ("groups are missing", |s| s.meshes.as_mut_slice()[0].skin.as_mut().unwrap().vertex_groups.clear()),
    ("an influence names no node", |s| {
        s.meshes.as_mut_slice()[0].skin.as_mut().unwrap().influences[0].node = Id::new(99);
    }),
    ("times go back", |s| {
        s.nodes.as_mut_slice()[0].translation.track =
            Some(Track::linear(vec![5, 3], vec![[0.0; 3], [1.0; 3]], [0.0; 3]));
    }),
    ("values are missing", |s| {
        s.nodes.as_mut_slice()[0].scale.track = Some(Track::linear(vec![5, 8], vec![[1.0; 3]], [1.0; 3]));
    }),
    ("a global sequence does not exist", |s| {
        let track = Track { global: Some(Id::new(3)), ..Track::linear(vec![0], vec![1.0], 1.0) };
        s.meshes.as_mut_slice()[0].alpha = Animated { base: 1.0, track: Some(track) };
    }),
    ("a window leaves the keys", |s| {
        let track = Track { windows: vec![[0, 7]], ..Track::linear(vec![0], vec![1.0], 1.0) };
        s.meshes.as_mut_slice()[0].alpha = Animated { base: 1.0, track: Some(track) };
    }),
    ("an event is on a node that does not exist", |s| {
        s.events.push(Event {
            name: "e".into(),
            data: 0,
            node: Id::new(50),
            position: [0.0; 3],
            times: Vec::new(),
            global: None,
        });
    }),
];

#[test]
fn a_valid_scene_passes_with_parents_first() {
    let scene = validate(sound()).unwrap();
    let info = scene.info();
    assert_eq!(info.order, [Id::new(0), Id::new(1)]);
    assert_eq!((info.vertices, info.triangles), (3, 1));
    assert_eq!(info.bounds.max, [1.0, 2.0, 0.0]);
}

#[test]
fn each_fault_is_rejected_and_the_repair_reports_what_it_changed() {
    for (name, damage) in BREAKS {
        let mut scene = sound();
        damage(&mut scene);
        assert!(validate(scene.clone()).is_err(), "{name} passed");
        let mut report = Report::default();
        repair(&mut scene, &mut report);
        validate(scene).unwrap_or_else(|error| panic!("{name}: {error}"));
        let silent = *name == "a pivot is not finite";
        assert!(silent || !report.is_empty(), "{name}: the report is silent");
    }
}

#[test]
fn a_valid_scene_is_not_changed_by_the_repair() {
    let (mut scene, mut report) = (sound(), Report::default());
    repair(&mut scene, &mut report);
    assert_eq!(scene, sound());
    assert!(report.is_empty());
}
