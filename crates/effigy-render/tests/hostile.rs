//! No model can make the renderer hang or panic.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::print_stderr, missing_docs)]
#![allow(dead_code, reason = "the scenes are shared between test files")]

use crate::common;

use common::*;
use effigy_render::{DrawStyle, Marked, Overlays};
use effigy_scene::{
    Animated, Blend, Influence, Light, LightKind, Node, NodeKind, ParticleEmitter, Ribbon, RibbonGravity,
    Scene, Skin, Texture,
};

fn node(scene: &mut Scene) -> effigy_scene::Id<Node> {
    scene.nodes.push(Node::new("n", NodeKind::Bone, None, [0.0; 3]))
}

/// A square that follows one node of this scale.
fn skinned(scale: [f32; 3]) -> Scene {
    let mut scene = Scene::default();
    let node = node(&mut scene);
    scene.nodes.as_mut_slice()[0].scale = Animated::fixed(scale);
    let mut mesh = square(0.0, 2.0);
    let mut skin = Skin::default();
    let group = skin.push_group([Influence { node, weight: 1.0 }]);
    skin.vertex_groups = vec![group; 4];
    mesh.skin = Some(skin);
    let layer = layer(&mut scene, "200,100,50,255", Blend::Opaque);
    add(&mut scene, mesh, 0, vec![layer]);
    scene
}

fn draw(scene: &Scene) -> effigy_render::Drawn {
    let renderer = renderer().unwrap();
    let everything = Overlays {
        bones: true,
        attachments: true,
        collision: true,
        bounds: true,
        normals: true,
        wireframe: true,
        grid: true,
        marked: Some(Marked::Mesh(effigy_scene::Id::new(0))),
    };
    draw_with(renderer, scene, &camera(), &DrawStyle { overlays: everything, ..look() });
    draw_with(renderer, scene, &camera(), &look())
}

#[test]
fn vertices_that_are_not_finite_or_out_of_range_are_left_out_and_reported() {
    if renderer().is_none() {
        return;
    }
    for (scale, shown) in [
        ([f32::MAX; 3], false),
        ([1e30, 1.0, 1.0], false),
        ([f32::MAX, f32::MIN, 1.0], false),
        ([1e9, 1.0, 1.0], true),
        ([1.0; 3], true),
    ] {
        let drawn = draw(&skinned(scale));
        let reported = drawn.report.notes().iter().any(|note| note.message.contains("not finite"));
        assert_eq!((!drawn.picture.is_uniform(), reported), (shown, !shown), "{scale:?}");
    }
}

#[test]
fn an_invalid_vertex_removes_only_its_own_triangles() {
    if renderer().is_none() {
        return;
    }
    let mut scene = skinned([1.0; 3]);
    let mesh = &mut scene.meshes.as_mut_slice()[0];
    mesh.positions.push([1e13, 0.0, 0.0]);
    mesh.normals.push([1.0, 0.0, 0.0]);
    mesh.uvs[0].push([0.0; 2]);
    mesh.indices.extend([0, 1, 4]);
    let skin = mesh.skin.as_mut().unwrap();
    skin.vertex_groups.push(skin.vertex_groups[0]);
    let drawn = draw(&scene);
    assert_eq!(drawn.picture.pixel(SIDE / 2, SIDE / 2), [200, 100, 50, 255]);
    assert!(
        drawn.report.notes().iter().any(|note| note.message.contains("not finite")),
        "{:?}",
        drawn.report
    );
}

#[test]
fn matrices_that_are_not_finite_draw_nothing_and_are_reported() {
    if renderer().is_none() {
        return;
    }
    // Scales multiply to infinity along the chain, and infinity times 0 is not a number.
    let mut scene = skinned([f32::MAX, 1.0, 1.0]);
    let root = scene.nodes.push(Node::new("root", NodeKind::Bone, None, [0.0; 3]));
    scene.nodes.as_mut_slice()[1].scale = Animated::fixed([f32::MAX; 3]);
    scene.nodes.as_mut_slice()[0].parent = Some(root);
    let mut emitter = ParticleEmitter::new("e", root);
    (emitter.rate, emitter.lifespan, emitter.speed) = (fixed(100.0), fixed(1.0), fixed(1.0));
    (emitter.length, emitter.width) = (fixed(1.0), fixed(1.0));
    emitter.over_life.sizes = [1.0; 3];
    emitter.over_life.alphas = [1.0; 3];
    scene.emitters.push(emitter);
    let scene = effigy_scene::validate(scene).unwrap();
    let stage = effigy_render::Stage::new(scene.clone());
    let matrix = stage.pose().matrix(effigy_scene::Id::new(0));
    assert!(matrix.as_flattened().iter().any(|value| value.is_nan()), "{matrix:?}");
    let drawn = draw(&scene);
    assert!(drawn.picture.is_uniform());
    assert!(
        drawn.report.notes().iter().any(|note| note.message.contains("not finite")),
        "{:?}",
        drawn.report
    );
}

#[test]
fn endless_emission_is_capped_and_reported() {
    if renderer().is_none() {
        return;
    }
    for (rate, lifespan, speed) in
        [(1e9, 1e30, 1.0), (f32::MAX, f32::MAX, f32::MAX), (1e9, 1e-30, 1e30), (-1.0, -1.0, -1.0)]
    {
        let mut scene = Scene::default();
        let node = node(&mut scene);
        for _ in 0..3 {
            let mut emitter = ParticleEmitter::new("e", node);
            emitter.rate = fixed(rate);
            emitter.lifespan = fixed(lifespan);
            emitter.speed = fixed(speed);
            emitter.tail = true;
            emitter.tail_length = 1e30;
            emitter.over_life.sizes = [1.0, f32::MAX, 1.0];
            emitter.over_life.alphas = [1.0; 3];
            emitter.cells = [0, u32::MAX];
            emitter.over_life.head[0] = effigy_scene::Cells { start: u32::MAX, end: 0, repeat: u32::MAX };
            scene.emitters.push(emitter);
        }
        let drawn = draw(&scene);
        let reported = drawn.report.notes().iter().filter(|note| note.message.contains("particles at once"));
        assert_eq!(reported.count(), if lifespan >= 1.0 { 3 } else { 0 }, "{rate} {lifespan}");
    }
}

#[test]
fn endless_ribbons_are_capped_and_reported() {
    if renderer().is_none() {
        return;
    }
    let mut scene = Scene::default();
    let node = node(&mut scene);
    let layer = layer(&mut scene, "200,100,50,255", Blend::Opaque);
    let material = scene
        .materials
        .push(effigy_scene::Material { layers: vec![layer], ..effigy_scene::Material::default() });
    for (rate, lifespan) in [(1e9, 1e30), (f32::MAX, f32::MAX)] {
        scene.ribbons.push(Ribbon {
            name: String::new(),
            node,
            position: [0.0; 3],
            above: fixed(1e30),
            below: fixed(f32::MAX),
            alpha: fixed(1.0),
            color: Animated::fixed([1.0; 3]),
            slot: Animated::fixed(u32::MAX),
            visibility: fixed(1.0),
            lifespan,
            rate,
            cells: [0, 0],
            material: Some(material),
            gravity: f32::MAX,
            gravity_direction: RibbonGravity::Down,
            extras: effigy_scene::Extras::default(),
        });
    }
    let drawn = draw(&scene);
    let reported = drawn.report.notes().iter().filter(|note| note.message.contains("edges at once"));
    assert_eq!(reported.count(), 2, "{:?}", drawn.report);
}

#[test]
fn very_many_bones_and_lights_are_drawn() {
    if renderer().is_none() {
        return;
    }
    let mut scene = skinned([1.0; 3]);
    let mut parent = None;
    for number in 0..65_535_u32 {
        let node = Node::new(number.to_string(), NodeKind::Bone, parent, [0.0; 3]);
        let id = scene.nodes.push(node);
        parent = (number % 1000 != 0).then_some(id);
    }
    // Every bone moves a corner of its own.
    let corners = square(0.5, 1.0);
    let mut mesh = effigy_scene::Mesh::new("many");
    let mut skin = Skin::default();
    for (number, (node, _)) in scene.nodes.iter().enumerate() {
        mesh.positions.push(corners.positions[number % 4]);
        mesh.normals.push([1.0, 0.0, 0.0]);
        let group = skin.push_group([Influence { node, weight: 1.0 }]);
        skin.vertex_groups.push(group);
    }
    mesh.indices = (0..65_532).step_by(4).flat_map(|at| [at, at + 1, at + 2, at, at + 2, at + 3]).collect();
    mesh.skin = Some(skin);
    let green = layer(&mut scene, "0,200,0,255", Blend::Opaque);
    add(&mut scene, mesh, 0, vec![green]);
    for _ in 0..1000 {
        scene.lights.push(Light {
            name: String::new(),
            kind: LightKind::Omni,
            node: effigy_scene::Id::new(0),
            position: [0.0; 3],
            attenuation_start: fixed(0.0),
            attenuation_end: fixed(0.0),
            color: Animated::fixed([f32::MAX; 3]),
            intensity: fixed(f32::MAX),
            ambient_color: Animated::fixed([1.0; 3]),
            ambient_intensity: fixed(0.0),
            visibility: fixed(1.0),
            extras: effigy_scene::Extras::default(),
        });
    }
    let drawn = draw(&scene);
    assert_eq!(drawn.picture.pixel(SIDE / 2, SIDE / 2), [0, 200, 0, 255]);
    assert!(drawn.report.notes().iter().any(|note| note.path == "lights"));
}

#[test]
fn pictures_of_impossible_sizes_are_rejected() {
    let Some(renderer) = renderer() else { return };
    let scene = Scene::default();
    let scene = effigy_scene::validate(scene).unwrap();
    let model = effigy_render::Model::new(renderer, &scene, [0; 3], &mut Named);
    let stage = effigy_render::Stage::new(scene.clone());
    for size in [[0, 1], [1, 0], [u32::MAX, 1], [100_000, 100_000]] {
        assert!(
            renderer
                .draw(
                    &effigy_render::Frame { model: &model, stage: &stage, camera: &camera(), style: &look() },
                    size
                )
                .is_err(),
            "{size:?}"
        );
    }
    let drawn = renderer
        .draw(
            &effigy_render::Frame { model: &model, stage: &stage, camera: &camera(), style: &look() },
            [1, 1],
        )
        .unwrap();
    assert_eq!(drawn.picture.pixel(0, 0), [40, 80, 120, 255]);
}

#[test]
fn textures_of_odd_sizes_are_taken() {
    struct Odd;
    impl effigy_render::Textures for Odd {
        fn image(&mut self, texture: &Texture) -> Option<effigy_render::Image> {
            let (width, height) = texture.path.split_once('x')?;
            let (width, height): (u32, u32) = (width.parse().ok()?, height.parse().ok()?);
            let pixels = vec![200; (width * height * 4) as usize];
            Some(effigy_render::Image { width, height, levels: vec![pixels], ..Default::default() })
        }
    }
    let Some(renderer) = renderer() else { return };
    for name in ["1x1", "3x5", "1x1000", "20000x1", "0x0", "7x0"] {
        let mut scene = Scene::default();
        let layer = layer(&mut scene, name, Blend::Opaque);
        add(&mut scene, square(0.0, 2.0), 0, vec![layer]);
        let scene = effigy_scene::validate(scene).unwrap();
        let model = effigy_render::Model::new(renderer, &scene, [0; 3], &mut Odd);
        assert_eq!(model.missing().is_empty(), !name.contains('0') || name.contains("000"), "{name}");
        let stage = effigy_render::Stage::new(scene.clone());
        let drawn = renderer
            .draw(
                &effigy_render::Frame { model: &model, stage: &stage, camera: &camera(), style: &look() },
                [SIDE, SIDE],
            )
            .unwrap();
        assert!(drawn.picture.pixel(SIDE / 2, SIDE / 2)[0] > 100, "{name}");
    }
}
