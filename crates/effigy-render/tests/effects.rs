//! Particles, ribbons, lights, levels of detail, physical materials and overlays, against pixels computed by hand.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::print_stderr, missing_docs)]
#![allow(dead_code, reason = "the scenes are shared between test files")]

use crate::common;

use common::*;
use effigy_render::{DrawStyle, Overlays};
use effigy_scene::{
    Animated, Billboard, Blend, Extras, Influence, Layer, LayerTexture, Light, LightKind, Material, Node,
    NodeKind, NodeRule, ParticleEmitter, Ribbon, RibbonGravity, Role, Scene, Sequence, Skin, Texture, Track,
};

const SOURCE: [f32; 3] = [200.0, 100.0, 50.0];

fn with_node() -> (Scene, effigy_scene::Id<Node>) {
    let mut scene = Scene::default();
    let node = scene.nodes.push(Node::new("n", NodeKind::Bone, None, [0.0; 3]));
    (scene, node)
}

fn resting_emitter(scene: &mut Scene, node: effigy_scene::Id<Node>, blend: Blend) -> ParticleEmitter {
    let texture = scene.textures.push(Texture { path: "255,255,255,255".into(), ..Texture::default() });
    let mut emitter = ParticleEmitter::new("e", node);
    emitter.texture = Some(texture);
    emitter.blend = blend;
    emitter.rate = fixed(10.0);
    emitter.lifespan = fixed(1.0);
    emitter.over_life.middle = 0.5;
    emitter.over_life.colors = [SOURCE.map(|channel| channel / 255.0); 3];
    emitter.over_life.alphas = [1.0; 3];
    emitter.over_life.sizes = [2.0; 3];
    emitter
}

#[test]
fn a_particle_shows_its_colour_and_half_its_edge_is_its_size() {
    let Some(renderer) = renderer() else { return };
    let (mut scene, node) = with_node();
    let emitter = resting_emitter(&mut scene, node, Blend::Alpha);
    scene.emitters.push(emitter);
    let picture = draw_with(renderer, &scene, &camera(), &look()).picture;
    near(picture.pixel(SIDE / 2, SIDE / 2), SOURCE);
    // At distance 10 and 0.8 radians the picture spans 2 * 10 * tan(0.4) = 8.46 units: 4 units are 15 pixels.
    let width = (0..SIDE).filter(|x| picture.pixel(*x, SIDE / 2)[0] > 120).count();
    assert!((14..=16).contains(&width), "{width}");
}

#[test]
fn particles_are_behind_what_is_nearer() {
    let Some(renderer) = renderer() else { return };
    let (mut scene, node) = with_node();
    let emitter = resting_emitter(&mut scene, node, Blend::Alpha);
    scene.emitters.push(emitter);
    let wall = layer(&mut scene, "10,20,30,255", Blend::Opaque);
    add(&mut scene, square(1.0, 1.0), 0, vec![wall]);
    near(middle(renderer, &scene), [10.0, 20.0, 30.0]);
}

#[test]
fn keyed_particles_with_little_texel_alpha_are_cut_out() {
    let Some(renderer) = renderer() else { return };
    for (alpha, expected) in [(191, BACKGROUND.map(f32::from)), (192, SOURCE)] {
        let (mut scene, node) = with_node();
        let emitter = resting_emitter(&mut scene, node, Blend::AlphaKey);
        scene.textures.as_mut_slice()[0].path = format!("255,255,255,{alpha}");
        scene.emitters.push(emitter);
        near(middle(renderer, &scene), expected);
    }
}

#[test]
fn a_ribbon_covers_the_way_of_its_node() {
    let Some(renderer) = renderer() else { return };
    let (mut scene, node) = with_node();
    scene.sequences.push(Sequence { name: "Stand".into(), end: 1000, looping: true, ..Sequence::default() });
    let way = Track::linear(
        vec![0, 500, 1000],
        vec![[0.0, 0.0, -3.0], [0.0, 0.0, 3.0], [0.0, 0.0, -3.0]],
        [0.0; 3],
    );
    scene.nodes.as_mut_slice()[0].translation = Animated { base: [0.0; 3], track: Some(way) };
    let layer = layer(&mut scene, "200,100,50,255", Blend::Alpha);
    let material = scene.materials.push(Material { layers: vec![layer], ..Material::default() });
    scene.ribbons.push(Ribbon {
        name: String::new(),
        node,
        position: [0.0; 3],
        above: fixed(1.0),
        below: fixed(1.0),
        alpha: fixed(1.0),
        color: Animated::fixed([1.0; 3]),
        slot: Animated::fixed(0),
        visibility: fixed(1.0),
        lifespan: 1.0,
        rate: 30.0,
        cells: [1, 1],
        material: Some(material),
        gravity: 0.0,
        gravity_direction: RibbonGravity::Down,
        extras: Extras::default(),
    });
    let picture = draw_with(renderer, &scene, &camera(), &look()).picture;
    near(picture.pixel(SIDE / 2, SIDE / 2), SOURCE);
    near(picture.pixel(SIDE / 2, SIDE / 2 + 8), SOURCE);
    near(picture.pixel(2, SIDE / 2), BACKGROUND.map(f32::from));
    scene.ribbons.as_mut_slice()[0].visibility = fixed(0.0);
    assert_eq!(draw_with(renderer, &scene, &camera(), &look()).draws, 0);
}

fn light(node: effigy_scene::Id<Node>, kind: LightKind) -> Light {
    Light {
        name: String::new(),
        kind,
        node,
        position: [0.0; 3],
        attenuation_start: fixed(0.0),
        attenuation_end: fixed(0.0),
        color: Animated::fixed([1.0, 0.5, 0.0]),
        intensity: fixed(0.2),
        ambient_color: Animated::fixed([1.0; 3]),
        ambient_intensity: fixed(0.0),
        visibility: fixed(1.0),
        extras: Extras::default(),
    }
}

#[test]
fn lights_of_the_model_add_to_the_light_of_the_picture() {
    let Some(renderer) = renderer() else { return };
    let look = DrawStyle { lighting: Some(LIGHTING), ..look() };
    // Right before the middle of the square, ten units away: 1 / (1 + 0.0005 * 100).
    let strength = 0.2 / 1.05;
    for (on, shares) in [(1.0, [0.75 + strength, 0.75 + strength * 0.5, 0.75]), (0.0, [0.75; 3])] {
        let (mut scene, node) = with_node();
        let skin = Layer { unlit: false, ..layer(&mut scene, "200,100,50,255", Blend::Opaque) };
        add(&mut scene, square(0.0, 0.5), 0, vec![skin]);
        scene.lights.push(Light {
            position: [10.0, 0.0, 0.0],
            visibility: fixed(on),
            ..light(node, LightKind::Omni)
        });
        let drawn = draw_with(renderer, &scene, &camera(), &look);
        let expected = [SOURCE[0] * shares[0], SOURCE[1] * shares[1], SOURCE[2] * shares[2]];
        near(drawn.picture.pixel(SIDE / 2, SIDE / 2), expected);
    }
}

#[test]
fn ambient_lights_reach_everything() {
    let Some(renderer) = renderer() else { return };
    let (mut scene, node) = with_node();
    let skin = Layer { unlit: false, ..layer(&mut scene, "200,100,50,255", Blend::Opaque) };
    add(&mut scene, square(0.0, 2.0), 0, vec![skin]);
    scene.lights.push(Light { ambient_intensity: fixed(0.2), ..light(node, LightKind::Ambient) });
    let drawn = draw_with(renderer, &scene, &camera(), &DrawStyle { lighting: Some(LIGHTING), ..look() });
    near(drawn.picture.pixel(SIDE / 2, SIDE / 2), SOURCE.map(|channel| channel * 0.95));
}

#[test]
fn a_billboard_turns_to_the_camera() {
    let Some(renderer) = renderer() else { return };
    for (billboard, expected) in
        [(Billboard::None, BACKGROUND.map(f32::from)), (Billboard::Full, SOURCE), (Billboard::LockZ, SOURCE)]
    {
        let (mut scene, node) = with_node();
        scene.nodes.as_mut_slice()[0].billboard = billboard;
        let mut mesh = square(0.0, 2.0);
        let mut skin = Skin::default();
        let group = skin.push_group([Influence { node, weight: 1.0 }]);
        skin.vertex_groups = vec![group; 4];
        mesh.skin = Some(skin);
        let look_of_it = layer(&mut scene, "200,100,50,255", Blend::Opaque);
        add(&mut scene, mesh, 0, vec![look_of_it]);
        // Seen from behind, a one-sided square shows only if it turns.
        let behind = effigy_render::Camera::look_at([-10.0, 0.0, 0.0], [0.0; 3], 0.8);
        let drawn = draw_with(renderer, &scene, &behind, &look());
        near(drawn.picture.pixel(SIDE / 2, SIDE / 2), expected);
    }
}

#[test]
fn only_the_finest_level_of_detail_is_drawn() {
    let Some(renderer) = renderer() else { return };
    let mut scene = Scene::default();
    for (lod, color) in [(Some(1), "10,20,30,255"), (Some(0), "200,100,50,255")] {
        let skin = layer(&mut scene, color, Blend::Opaque);
        let mut mesh = square(if lod == Some(1) { 1.0 } else { 0.0 }, 2.0);
        mesh.lod = lod;
        add(&mut scene, mesh, 0, vec![skin]);
    }
    near(middle(renderer, &scene), SOURCE);
}

#[test]
fn a_mesh_that_is_not_shown_is_not_drawn() {
    let Some(renderer) = renderer() else { return };
    let mut scene = Scene::default();
    let skin = layer(&mut scene, "200,100,50,255", Blend::Opaque);
    add(&mut scene, square(0.0, 2.0), 0, vec![skin]);
    scene.meshes.as_mut_slice()[0].shown = false;
    assert_eq!(draw_with(renderer, &scene, &camera(), &look()).draws, 0);
}

#[test]
fn a_physical_material_without_light_shows_its_base_and_its_emission() {
    let Some(renderer) = renderer() else { return };
    for (orm, emissive, expected) in [
        ("255,255,0,0", "0,0,0,255", [200_u8, 100, 50]),
        // The mask takes the hue of the team colour; the largest component of both is the same.
        ("255,255,0,255", "0,0,0,255", [17, 100, 200]),
        ("255,255,0,0", "255,255,255,255", [255, 255, 255]),
    ] {
        let mut scene = Scene::default();
        let mut base = layer(&mut scene, "200,100,50,255", Blend::Opaque);
        for (role, path) in
            [(Role::Orm, orm), (Role::Emissive, emissive), (Role::TeamColor, "20,100,200,255")]
        {
            let texture = scene.textures.push(Texture { path: path.into(), ..Texture::default() });
            base.textures.push(LayerTexture { role, texture: Some(texture), ..LayerTexture::default() });
        }
        add(&mut scene, square(0.0, 2.0), 0, vec![base]);
        scene.materials.as_mut_slice()[0].physical = true;
        let found = middle(renderer, &scene);
        for (found, expected) in found.iter().zip(expected) {
            assert!(found.abs_diff(expected) <= 4, "{found:?}, expected {expected:?}");
        }
    }
}

#[test]
fn overlays_draw_lines_over_the_model() {
    let Some(renderer) = renderer() else { return };
    let mut scene = Scene::default();
    let root = scene.nodes.push(Node::new("a", NodeKind::Bone, None, [0.0, -3.0, 0.0]));
    scene.nodes.push(Node::new("b", NodeKind::Bone, Some(root), [0.0, 3.0, 0.1]));
    let skin = layer(&mut scene, "10,20,30,255", Blend::Opaque);
    add(&mut scene, square(1.0, 2.0), 0, vec![skin]);
    let plain = draw_with(renderer, &scene, &camera(), &look()).picture;
    let mut overlays = Overlays::default();
    assert!(overlays.enable("bones") && !overlays.enable("nothing"));
    let lined = draw_with(renderer, &scene, &camera(), &DrawStyle { overlays, ..look() }).picture;
    let changed = plain.pixels().as_chunks::<4>().0.iter().zip(lined.pixels().as_chunks::<4>().0);
    let changed = changed.filter(|(a, b)| a != b).count();
    assert!((16..200).contains(&changed), "{changed}");
}

#[test]
fn particles_are_lit_in_world_of_warcraft_unless_a_flag_disables_it() {
    let Some(renderer) = renderer() else { return };
    let look = DrawStyle { lighting: Some(LIGHTING), ..look() };
    for (rule, unlit, blend, factor) in [
        (NodeRule::World, false, Blend::Alpha, 0.75),
        (NodeRule::World, true, Blend::Alpha, 1.0),
        (NodeRule::Warcraft, false, Blend::Alpha, 1.0),
    ] {
        let (mut scene, node) = with_node();
        scene.node_rule = rule;
        let mut emitter = resting_emitter(&mut scene, node, blend);
        emitter.unlit = unlit;
        scene.emitters.push(emitter);
        let drawn = draw_with(renderer, &scene, &camera(), &look);
        near(drawn.picture.pixel(SIDE / 2, SIDE / 2), SOURCE.map(|c| c * factor));
    }
    // What multiplies is never lit: the light of particles over each other would darken it every time.
    let (mut scene, node) = with_node();
    scene.node_rule = NodeRule::World;
    let mut emitter = resting_emitter(&mut scene, node, Blend::Modulate);
    emitter.unlit = false;
    emitter.over_life.colors = [[1.0; 3]; 3];
    scene.emitters.push(emitter);
    let drawn = draw_with(renderer, &scene, &camera(), &look);
    near(drawn.picture.pixel(SIDE / 2, SIDE / 2), BACKGROUND.map(f32::from));
}
