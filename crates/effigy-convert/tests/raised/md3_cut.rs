//! Meshes that are too large for one surface, for each engine.

use effigy_convert::raise::{self, Engine, RaiseOptions};
use effigy_mdc::Model;
use effigy_scene::{Influence, KeyRule, Mesh, Node, NodeKind, Scene, Sequence, Skin, Track, validate};

fn made(mesh: Mesh, engine: Engine) -> Model {
    let mut scene = Scene { key_rule: KeyRule::Wrap, ..Scene::default() };
    scene.sequences.push(Sequence { name: "Walk".into(), start: 0, end: 1000, ..Sequence::default() });
    // It moves by 10 in a second.
    let mut node = Node::new("bone", NodeKind::Bone, None, [0.0; 3]);
    node.translation.track = Some(Track::linear(vec![0, 1000], vec![[0.0; 3], [10.0, 0.0, 0.0]], [0.0; 3]));
    let node = scene.nodes.push(node);
    let mut skin = Skin { vertex_groups: vec![0; mesh.positions.len()], ..Skin::default() };
    skin.push_group([Influence { node, weight: 1.0 }]);
    scene.meshes.push(Mesh { skin: Some(skin), ..mesh });
    let options = RaiseOptions { engine, scale: Some(1.0), fps: 2.0, ..RaiseOptions::default() };
    let made = raise::md3(&validate(scene).unwrap(), &options).unwrap().model.model;
    effigy_mdc::read(&made.write().unwrap()).unwrap()
}

/// The place of a vertex of the strip in 64ths: two rows, a quarter of a unit between columns.
fn place(vertex: usize) -> [i16; 3] {
    [i16::try_from(vertex / 2).unwrap() * 16, i16::try_from(vertex % 2).unwrap() * 64, 0]
}

fn uv(vertex: usize) -> [f32; 2] {
    [vertex as f32 / 4096.0, (vertex % 2) as f32]
}

#[test]
fn a_strip_keeps_every_corner_in_every_frame_where_engines_cut_it() {
    const VERTICES: usize = 2100;
    // Each triangle of the strip and the next share two vertices, and every other one is turned round.
    let triangle = |at: usize| if at.is_multiple_of(2) { [at, at + 1, at + 2] } else { [at + 1, at, at + 2] };
    let triangles: Vec<[usize; 3]> = (0..VERTICES - 2).map(triangle).collect();
    let mut mesh = Mesh::new("strip");
    mesh.positions = (0..VERTICES).map(|it| place(it).map(|step| f32::from(step) / 64.0)).collect();
    mesh.normals = vec![[0.0, 0.0, 1.0]; VERTICES];
    mesh.uvs = vec![(0..VERTICES).map(uv).collect()];
    mesh.indices = triangles.iter().flatten().map(|it| u32::try_from(*it).unwrap()).collect();
    // A part of V vertices has V - 2 triangles: 997 + 997 + 104, and 1022 + 1022 + 54.
    for (engine, sizes) in [
        (Engine::Ioq3, [(999, 997), (999, 997), (106, 104)]),
        (Engine::Rtcw, [(999, 997), (999, 997), (106, 104)]),
        (Engine::Et, [(1024, 1022), (1024, 1022), (56, 54)]),
    ] {
        let model = made(mesh.clone(), engine);
        let found: Vec<_> =
            model.surfaces.iter().map(|it| (it.texcoords.len(), it.triangles.len())).collect();
        assert_eq!(found, sizes, "{engine:?}");
        assert_eq!(model.frames.len(), 3);
        let mut wanted = triangles.iter();
        for surface in &model.surfaces {
            let count = surface.texcoords.len();
            for corners in &surface.triangles {
                // Quake's triangles are clockwise.
                let [c, b, a] = *wanted.next().unwrap();
                for (corner, vertex) in corners.iter().zip([a, b, c]) {
                    let corner = *corner as usize;
                    assert_eq!(surface.texcoords[corner], uv(vertex), "{engine:?} {vertex}");
                    for (frame, shift) in [0, 5 * 64, 10 * 64].into_iter().enumerate() {
                        let [x, y, z] = place(vertex);
                        let found = surface.base[frame * count + corner].position;
                        assert_eq!(found, [x + shift, y, z], "{engine:?} {vertex}, frame {frame}");
                    }
                }
            }
        }
        assert!(wanted.next().is_none(), "{engine:?}");
    }
}

#[test]
fn engines_limit_triangles_too() {
    let mut mesh = Mesh::new("fan");
    mesh.positions = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    mesh.normals = vec![[0.0, 0.0, 1.0]; 3];
    mesh.indices = [0, 1, 2].repeat(2050);
    for (engine, sizes) in [(Engine::Ioq3, [1999, 51]), (Engine::Rtcw, [1999, 51]), (Engine::Et, [2049, 1])] {
        let model = made(mesh.clone(), engine);
        let found: Vec<usize> = model.surfaces.iter().map(|it| it.triangles.len()).collect();
        assert_eq!(found, sizes, "{engine:?}");
    }
}

#[test]
fn surfaces_beyond_those_that_engines_load_are_reported_once() {
    let mut scene = Scene::default();
    for _ in 0..35 {
        let mut mesh = Mesh::new("part");
        mesh.positions = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        mesh.indices = vec![0, 1, 2];
        scene.meshes.push(mesh);
    }
    let made = raise::md3(&validate(scene).unwrap(), &RaiseOptions::default()).unwrap();
    assert_eq!(made.model.model.surfaces.len(), 32);
    let notes = made.report.notes().iter().filter(|note| note.message.contains("engines load 32 surfaces"));
    assert_eq!(notes.count(), 1);
}
