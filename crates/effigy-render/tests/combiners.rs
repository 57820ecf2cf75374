//! What two textures of one layer make of its colour and alpha, against pixels computed by hand.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::print_stderr, missing_docs)]
#![allow(dead_code, reason = "the scenes are shared between test files")]

use crate::common;

use common::*;
use effigy_render::{DrawStyle, Renderer};
use effigy_scene::{
    Animated, Blend, Combine, Coordinates, Layer, LayerTexture, NodeRule, Role, Scene, Texture,
};

type Color = [f32; 4];

const LAYER: Color = [0.8, 0.6, 0.4, 0.5];
const FIRST: [u8; 4] = [200, 100, 50, 153];
const SECOND: [u8; 4] = [100, 150, 200, 204];

fn unit(bytes: [u8; 4]) -> Color {
    bytes.map(|byte| f32::from(byte) / 255.0)
}

fn name(bytes: [u8; 4]) -> String {
    bytes.map(|byte| byte.to_string()).join(",")
}

/// A square with these textures joined so, blended by alpha.
fn scene(joins: &[Combine]) -> Scene {
    let mut scene = Scene { node_rule: NodeRule::World, ..Scene::default() };
    let mut made = layer(&mut scene, &name(FIRST), Blend::Alpha);
    made.color = Animated::fixed([LAYER[0], LAYER[1], LAYER[2]]);
    made.alpha = fixed(LAYER[3]);
    made.textures[0].combine = joins[0];
    if let Some(second) = joins.get(1) {
        let texture = scene.textures.push(Texture { path: name(SECOND), ..Texture::default() });
        made.textures.push(LayerTexture {
            role: Role::Second,
            texture: Some(texture),
            combine: *second,
            ..LayerTexture::default()
        });
    }
    add(&mut scene, square(0.0, 2.0), 0, vec![made]);
    scene
}

#[track_caller]
fn check(renderer: &Renderer, joins: &[Combine], rgb: impl Fn(f32, f32, f32) -> f32, alpha: f32) {
    eprintln!("{joins:?}");
    let (a, b) = (unit(FIRST), unit(SECOND));
    let mut expected = [0.0; 3];
    for (at, expected) in expected.iter_mut().enumerate() {
        let color = rgb(LAYER[at], a[at], b[at]).clamp(0.0, 1.0) * 255.0;
        let alpha = alpha.clamp(0.0, 1.0);
        *expected = color * alpha + f32::from(BACKGROUND[at]) * (1.0 - alpha);
    }
    near(middle(renderer, &scene(joins)), expected);
}

#[test]
fn one_texture_joins_the_colour_of_its_layer() {
    let Some(renderer) = renderer() else { return };
    let (alpha, a) = (LAYER[3], unit(FIRST)[3]);
    let mixed = |c: f32, a: f32| c + (a - c) * LAYER[3];
    check(renderer, &[Combine::ModulateColor], |c, a, _| c * a, alpha);
    check(renderer, &[Combine::Modulate], |c, a, _| c * a, alpha * a);
    check(renderer, &[Combine::Modulate2x], |c, a, _| 2.0 * c * a, 2.0 * alpha * a);
    check(renderer, &[Combine::Add], |c, a, _| c + a, alpha + a);
    check(renderer, &[Combine::Decal], |c, a, _| mixed(c, a), alpha);
    check(renderer, &[Combine::Fade], |c, a, _| mixed(a, c), alpha);
}

#[test]
fn two_textures_join_as_the_programs_of_the_game_do() {
    use Combine::{Add, AddColor, Modulate, Modulate2x, Modulate2xColor, ModulateColor};
    let Some(renderer) = renderer() else { return };
    let (alpha, a, b) = (LAYER[3], unit(FIRST)[3], unit(SECOND)[3]);
    let product = |c: f32, a: f32, b: f32| c * a * b;
    let double = |c: f32, a: f32, b: f32| 2.0 * c * a * b;
    let sum = |c: f32, a: f32, b: f32| c * a + b;
    check(renderer, &[ModulateColor, ModulateColor], product, alpha);
    check(renderer, &[ModulateColor, Modulate], product, alpha * b);
    check(renderer, &[ModulateColor, Add], sum, alpha + b);
    check(renderer, &[ModulateColor, Modulate2x], double, 2.0 * alpha * b);
    check(renderer, &[ModulateColor, Modulate2xColor], double, alpha);
    check(renderer, &[ModulateColor, AddColor], sum, alpha);
    check(renderer, &[Modulate, ModulateColor], product, alpha * a);
    check(renderer, &[Modulate, Modulate], product, alpha * a * b);
    check(renderer, &[Modulate, Add], sum, alpha * a + b);
    check(renderer, &[Modulate, Modulate2x], double, 2.0 * alpha * a * b);
    check(renderer, &[Modulate, Modulate2xColor], double, alpha * a);
    check(renderer, &[Modulate, AddColor], sum, alpha * a);
    check(renderer, &[Add, Modulate], |c, a, b| (c + a) * b, (alpha + a) * b);
    check(renderer, &[Modulate2x, Modulate2x], |c, a, b| 4.0 * c * a * b, 4.0 * alpha * a * b);
}

#[test]
fn light_changes_what_is_multiplied_and_not_what_is_added() {
    let Some(renderer) = renderer() else { return };
    let mut scene = scene(&[Combine::ModulateColor, Combine::AddColor]);
    let layer = &mut scene.materials.as_mut_slice()[0].layers[0];
    *layer = Layer { unlit: false, blend: Blend::Opaque, alpha: fixed(1.0), ..layer.clone() };
    let drawn = draw_with(renderer, &scene, &camera(), &DrawStyle { lighting: Some(LIGHTING), ..look() });
    let (a, b) = (unit(FIRST), unit(SECOND));
    let expected = [0, 1, 2].map(|at| (LAYER[at] * 0.75 * a[at] + b[at]) * 255.0);
    near(drawn.picture.pixel(SIDE / 2, SIDE / 2), expected);
}

#[test]
fn each_texture_has_coordinates_of_its_own() {
    let Some(renderer) = renderer() else { return };
    let mut scene = scene(&[Combine::ModulateColor, Combine::ModulateColor]);
    for (texture, halves) in
        scene.textures.as_mut_slice().iter_mut().zip(["255,0,0,255 0,255,0,255", "0,0,255,255 0,200,0,255"])
    {
        texture.path = halves.into();
    }
    let layer = &mut scene.materials.as_mut_slice()[0].layers[0];
    *layer =
        Layer { blend: Blend::Opaque, alpha: fixed(1.0), color: Animated::fixed([1.0; 3]), ..layer.clone() };
    layer.textures[1].coordinates = Coordinates::Set(1);
    scene.meshes.as_mut_slice()[0].uvs = vec![vec![[0.9, 0.5]; 4], vec![[0.9, 0.5]; 4]];
    near(middle(renderer, &scene), [0.0, 200.0, 0.0]);
    scene.meshes.as_mut_slice()[0].uvs[1] = vec![[0.1, 0.5]; 4];
    near(middle(renderer, &scene), [0.0; 3]);
}

#[test]
fn an_alpha_key_tests_the_alpha_of_both_textures() {
    let Some(renderer) = renderer() else { return };
    // 0.6 and 0.8 give 0.48; the layer's own half does not count.
    for (test, shows) in [(0.47, true), (0.49, false)] {
        let mut scene = scene(&[Combine::Modulate, Combine::Modulate]);
        let layer = &mut scene.materials.as_mut_slice()[0].layers[0];
        *layer = Layer { blend: Blend::AlphaKey, alpha_test: test, ..layer.clone() };
        let [r, g, b, _] = middle(renderer, &scene);
        assert_eq!([r, g, b] != BACKGROUND, shows, "{test}");
    }
}

#[test]
fn a_mirrored_ball_shows_its_right_half_at_the_right() {
    let Some(renderer) = renderer() else { return };
    // To the right: r = (0.96, 0, 0.28), u = 0.96 / (2 sqrt(0.96^2 + 1.28^2)) + 1/2 = 0.8; to the left 0.2.
    for (normal, expected) in [([0.8, 0.6, 0.0], [0.0, 200.0, 0.0]), ([0.8, -0.6, 0.0], [200.0, 0.0, 0.0])] {
        let mut scene = Scene { node_rule: NodeRule::World, ..Scene::default() };
        let mut made = layer(&mut scene, "200,0,0,255 0,200,0,255", Blend::Opaque);
        made.textures[0].coordinates = Coordinates::Ball;
        add(&mut scene, square(0.0, 2.0), 0, vec![made]);
        scene.meshes.as_mut_slice()[0].normals = vec![normal; 4];
        near(middle(renderer, &scene), expected);
    }
}
