//! Vertices moved by the device: groups of nodes, frames, and their normals, against pixels computed by hand.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::print_stderr, missing_docs)]
#![allow(dead_code, reason = "the scenes are shared between test files")]

use crate::common;

use common::*;
use effigy_render::{DrawStyle, Model, Stage};
use effigy_scene::{
    Animated, Blend, Frame, Id, Influence, Interpolation, Mesh, Morph, Node, NodeKind, Rotation, Scene,
    Sequence, Skin, Track, validate,
};

const COLOR: [f32; 3] = [200.0, 100.0, 50.0];

fn node(scene: &mut Scene, shift: [f32; 3]) -> Id<Node> {
    let mut node = Node::new("n", NodeKind::Bone, None, [0.0; 3]);
    node.translation = Animated::fixed(shift);
    scene.nodes.push(node)
}

/// A square that follows these nodes, this much each.
fn following(scene: &mut Scene, nodes: &[(Id<Node>, f32)], color: &str, unlit: bool) {
    let mut mesh = square(0.0, 0.5);
    let mut skin = Skin::default();
    let group =
        skin.push_group(nodes.iter().map(|(node, weight)| Influence { node: *node, weight: *weight }));
    skin.vertex_groups = vec![group; 4];
    mesh.skin = Some(skin);
    let layer = effigy_scene::Layer { unlit, ..layer(scene, color, Blend::Opaque) };
    add(scene, mesh, 0, vec![layer]);
}

fn background() -> [f32; 3] {
    BACKGROUND.map(f32::from)
}

#[test]
fn a_vertex_is_where_the_weights_of_its_nodes_put_it() {
    let Some(renderer) = renderer() else { return };
    // 0.25 * 8 - 0.75 * 4 = -1: the square covers -1.5 to -0.5; the middle of the picture is 0.
    for (far, expected) in [(8.0, background()), (12.0, COLOR)] {
        let mut scene = Scene::default();
        let nodes = [(node(&mut scene, [0.0, far, 0.0]), 0.25), (node(&mut scene, [0.0, -4.0, 0.0]), 0.75)];
        following(&mut scene, &nodes, "200,100,50,255", true);
        near(middle(renderer, &scene), expected);
    }
}

#[test]
fn normals_turn_with_their_nodes() {
    let Some(renderer) = renderer() else { return };
    let mut scene = Scene::default();
    let turned = node(&mut scene, [0.0; 3]);
    let half = std::f32::consts::FRAC_PI_6;
    let bone = &mut scene.nodes.as_mut_slice()[0];
    bone.rotation = Animated::fixed(Rotation([0.0, 0.0, half.sin(), half.cos()]));
    // Scale does not make a normal longer.
    bone.scale = Animated::fixed([3.0; 3]);
    following(&mut scene, &[(turned, 1.0)], "200,100,50,255", false);
    let look = DrawStyle { lighting: Some(LIGHTING), ..look() };
    let drawn = draw_with(renderer, &scene, &camera(), &look);
    // Turned by 60 degrees from the light: 0.25 + 0.5 * 0.5.
    near(drawn.picture.pixel(SIDE / 2, SIDE / 2), COLOR.map(|c| c * 0.5));
}

#[test]
fn every_mesh_finds_its_own_matrices_however_many_there_are() {
    let Some(renderer) = renderer() else { return };
    let mut scene = Scene::default();
    let away = node(&mut scene, [0.0, 100.0, 0.0]);
    let here = node(&mut scene, [1.0, 0.0, 0.0]);
    // More groups than fit into one line of the texture, before and in the mesh that shows.
    for (color, shown) in [("1,2,3,255", away), ("200,100,50,255", here)] {
        let mut mesh = square(0.0, 0.5);
        let mut skin = Skin::default();
        for _ in 0..700 {
            skin.push_group([Influence { node: away, weight: 1.0 }]);
        }
        let last = skin.push_group([Influence { node: shown, weight: 1.0 }]);
        skin.vertex_groups = vec![last; 4];
        mesh.skin = Some(skin);
        let layer = layer(&mut scene, color, Blend::Opaque);
        add(&mut scene, mesh, 0, vec![layer]);
    }
    near(middle(renderer, &scene), COLOR);
}

/// A square whose second frame is shifted and looks sideways.
fn morphing(shift: f32) -> Scene {
    let mut scene = Scene::default();
    let mesh = square(0.0, 0.5);
    let second = Frame {
        positions: mesh.positions.iter().map(|[x, y, z]| [*x, y + shift, *z]).collect(),
        normals: vec![[0.0, 1.0, 0.0]; 4],
    };
    let first = Frame { positions: mesh.positions.clone(), normals: mesh.normals.clone() };
    let order = Track {
        interpolation: Interpolation::Linear,
        times: vec![0, 100],
        values: vec![0, 1],
        ..Track::default()
    };
    let morph = Some(Morph { frames: vec![first, second], order });
    let layer = effigy_scene::Layer { unlit: false, ..layer(&mut scene, "200,100,50,255", Blend::Opaque) };
    add(&mut scene, Mesh { morph, ..mesh }, 0, vec![layer]);
    scene.sequences.push(Sequence { end: 100, ..Sequence::default() });
    scene
}

#[test]
fn frames_mix_and_so_do_their_normals() {
    let Some(renderer) = renderer() else { return };
    let look = DrawStyle { lighting: Some(LIGHTING), ..look() };
    for (shift, time, expected) in [
        (0.0, 0.0, COLOR.map(|c| c * 0.75)),
        // Half-way the normal is at 45 degrees: 0.25 + 0.5 * 0.7071.
        (0.0, 50.0, COLOR.map(|c| c * 0.60355)),
        (0.0, 100.0, COLOR.map(|c| c * 0.25)),
        // At a quarter the square has gone 1 of 4: from 0.5 to 1.5.
        (4.0, 25.0, background()),
        (4.0, 5.0, COLOR.map(|c| c * (0.25 + 0.5 * 0.95 / (0.95_f32 * 0.95 + 0.05 * 0.05).sqrt()))),
    ] {
        let scene = morphing(shift);
        let scene = validate(scene).unwrap();
        let model = Model::new(renderer, &scene, [0; 3], &mut Named);
        let mut stage = Stage::new(scene.clone());
        stage.start(scene.sequences.id(0), time, Some(&camera().view));
        let drawn = renderer
            .draw(
                &effigy_render::Frame { model: &model, stage: &stage, camera: &camera(), style: &look },
                [SIDE, SIDE],
            )
            .unwrap();
        eprintln!("{shift} {time}");
        near(drawn.picture.pixel(SIDE / 2, SIDE / 2), expected);
    }
}

#[test]
fn a_model_is_drawn_again_and_again_from_the_same_buffers() {
    let Some(renderer) = renderer() else { return };
    let scene = morphing(4.0);
    let scene = validate(scene).unwrap();
    let model = Model::new(renderer, &scene, [0; 3], &mut Named);
    let mut stage = Stage::new(scene.clone());
    let mut seen = Vec::new();
    for time in [0.0, 25.0, 0.0] {
        stage.start(scene.sequences.id(0), time, Some(&camera().view));
        seen.push(
            renderer
                .draw(
                    &effigy_render::Frame { model: &model, stage: &stage, camera: &camera(), style: &look() },
                    [SIDE, SIDE],
                )
                .unwrap()
                .picture,
        );
    }
    assert_eq!(seen[0], seen[2]);
    assert_ne!(seen[0], seen[1]);
}
