//! What the check rejects, and that a repaired scene passes.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use effigy_scene::{
    Animated, Attachment, Camera, Effect, Event, Extras, Frame, GlobalSequence, Id, Influence, Layer,
    LayerTexture, Light, LightKind, Material, Mesh, Morph, Node, NodeKind, ParticleEmitter, Scene, Sequence,
    Shape, ShapeKind, Skin, SortPoint, Texture, Track, repair, validate,
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

/// Numbers and references that are one too large or not finite, one at a time, with the place that the error must name.
const FAULTS: &[(&str, Break)] = &[
    ("nodes[1].gate", |s| s.nodes.as_mut_slice()[1].gate = Some(Id::new(1))),
    ("meshes[0]: as many tangents", |s| mesh(s).tangents = vec![[0.0; 4]; 2]),
    ("meshes[0]: a number is not finite", |s| mesh(s).tangents = vec![[f32::NAN; 4]; 3]),
    ("meshes[0]: a number is not finite", |s| mesh(s).normals[2][1] = f32::INFINITY),
    ("meshes[0]: a number is not finite", |s| mesh(s).uvs[0][1][1] = f32::NAN),
    ("meshes[0]: the node of its sort point", |s| {
        mesh(s).sort = Some(SortPoint { node: Id::new(2), point: [0.0; 3], shift: 0.0 });
    }),
    ("meshes[0]: the material", |s| mesh(s).material = Some(Id::new(1))),
    ("meshes[0]: every vertex needs a group", |s| skin(s).vertex_groups[0] = 1),
    ("meshes[0]: every vertex needs a group", |s| skin(s).vertex_groups.push(0)),
    ("meshes[0]: a group is beyond", |s| skin(s).groups[0] = [0, 2]),
    ("meshes[0]: a group is beyond", |s| skin(s).groups[0] = [1, 0]),
    ("meshes[0]: an influence", |s| skin(s).influences[0].node = Id::new(2)),
    ("meshes[0]: an influence", |s| skin(s).influences[0].weight = -0.1),
    ("meshes[0]: an influence", |s| skin(s).influences[0].weight = f32::NAN),
    ("meshes[0]: a morph frame does not exist", |s| mesh(s).morph = Some(morph(3, 3, 1))),
    ("meshes[0]: a morph frame differs", |s| mesh(s).morph = Some(morph(2, 3, 0))),
    ("meshes[0]: a morph frame differs", |s| mesh(s).morph = Some(morph(3, 2, 0))),
    ("meshes[0]: a number of a morph frame", |s| {
        let mut broken = morph(3, 3, 0);
        broken.frames[0].normals[1][2] = f32::NAN;
        mesh(s).morph = Some(broken);
    }),
    ("materials[0].layers: a texture does not exist", |s| {
        layer(s, LayerTexture { texture: Some(Id::new(1)), ..LayerTexture::default() });
    }),
    ("materials[0].layers: a texture does not exist", |s| {
        let flipbook = Some(Track::linear(vec![0, 5], vec![0, 1], 0));
        layer(s, LayerTexture { texture: Some(Id::new(0)), flipbook, ..LayerTexture::default() });
    }),
    ("materials[0].layers: a texture transform", |s| {
        layer(s, LayerTexture { transform: Some(Id::new(0)), ..LayerTexture::default() });
    }),
    ("attachments[0].node", |s| attach(s, 2, 0.0)),
    ("attachments[0].position", |s| attach(s, 1, f32::NAN)),
    ("events[0].times", |s| happen(s, vec![5, 4], None)),
    ("events[0].times", |s| happen(s, vec![4, 5], Some(1))),
    ("lights[0].node", |s| {
        s.lights.push(Light {
            name: String::new(),
            kind: LightKind::Omni,
            node: Id::new(2),
            position: [0.0; 3],
            attenuation_start: Animated::fixed(0.0),
            attenuation_end: Animated::fixed(1.0),
            color: Animated::fixed([1.0; 3]),
            intensity: Animated::fixed(1.0),
            ambient_color: Animated::fixed([1.0; 3]),
            ambient_intensity: Animated::fixed(0.0),
            visibility: Animated::fixed(1.0),
            extras: Extras::default(),
        });
    }),
    ("emitters[0].node", |s| {
        s.emitters.push(ParticleEmitter::new("e", Id::new(2)));
    }),
    ("emitters[0].texture", |s| {
        let texture = Some(Id::new(1));
        s.emitters.push(ParticleEmitter { texture, ..ParticleEmitter::new("e", Id::new(1)) });
    }),
    ("effects[0].node", |s| {
        s.effects.push(Effect {
            name: String::new(),
            kind: String::new(),
            node: Id::new(2),
            path: String::new(),
            visibility: Animated::fixed(1.0),
            extras: Extras::default(),
        });
    }),
    ("shapes[0].node", |s| {
        let kind = ShapeKind::Sphere { center: [0.0; 3], radius: 1.0 };
        s.shapes.push(Shape { name: String::new(), node: Id::new(2), kind });
    }),
    ("cameras[0]: a number", |s| look(s, [f32::NAN, 1.0, 1.0, 1.0, 9.0])),
    ("cameras[0]: a number", |s| look(s, [0.0, f32::NAN, 1.0, 1.0, 9.0])),
    ("cameras[0]: a number", |s| look(s, [0.0, 1.0, f32::NAN, 1.0, 9.0])),
    ("cameras[0]: a number", |s| look(s, [0.0, 1.0, 1.0, 1.0, f32::INFINITY])),
];

fn mesh(scene: &mut Scene) -> &mut Mesh {
    &mut scene.meshes.as_mut_slice()[0]
}

fn skin(scene: &mut Scene) -> &mut Skin {
    mesh(scene).skin.as_mut().unwrap()
}

fn morph(positions: usize, normals: usize, frame: u32) -> Morph {
    let frames = vec![Frame { positions: vec![[0.0; 3]; positions], normals: vec![[0.0; 3]; normals] }];
    Morph { frames, order: Track::linear(vec![0], vec![frame], 0) }
}

fn layer(scene: &mut Scene, texture: LayerTexture) {
    scene.textures.push(Texture::default());
    let layer = Layer { textures: vec![texture], ..Layer::default() };
    scene.materials.as_mut_slice()[0].layers.push(layer);
}

fn attach(scene: &mut Scene, node: u32, x: f32) {
    scene.attachments.push(Attachment {
        name: String::new(),
        number: 0,
        node: Id::new(node),
        position: [x, 0.0, 0.0],
        path: String::new(),
        visibility: Animated::fixed(1.0),
    });
}

fn happen(scene: &mut Scene, times: Vec<i32>, global: Option<u32>) {
    let (name, node, global) = (String::new(), Id::new(0), global.map(Id::new));
    scene.events.push(Event { name, data: 0, node, position: [0.0; 3], times, global });
}

fn look(scene: &mut Scene, [x, target, fov, near, far]: [f32; 5]) {
    scene.cameras.push(Camera {
        name: String::new(),
        position: [x, 0.0, 0.0],
        target: [target, 0.0, 0.0],
        fov,
        near,
        far,
        translation: None,
        target_translation: None,
        roll: None,
        extras: Extras::default(),
    });
}

#[test]
fn each_reference_and_number_is_checked_by_itself() {
    for (place, damage) in FAULTS {
        let mut scene = sound();
        damage(&mut scene);
        let error = validate(scene.clone()).err().map_or_else(String::new, |error| error.to_string());
        assert!(error.contains(place), "{place} is not in '{error}'");
        repair(&mut scene, &mut Report::default());
        validate(scene).unwrap_or_else(|error| panic!("{place}: {error}"));
    }
    // The last of each list is not too far.
    let mut scene = sound();
    attach(&mut scene, 1, 3.0);
    happen(&mut scene, vec![4, 4], Some(0));
    look(&mut scene, [0.0, 1.0, 1.0, 1.0, 9.0]);
    layer(&mut scene, LayerTexture { texture: Some(Id::new(0)), ..LayerTexture::default() });
    mesh(&mut scene).morph = Some(morph(3, 3, 0));
    skin(&mut scene).influences[0].weight = 0.0;
    let info = validate(scene).unwrap().info().clone();
    assert_eq!(info.vertices, 3);
}
