//! Every blend mode and every flag of a layer, against pixels computed by hand.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::print_stderr, missing_docs)]
#![allow(dead_code, reason = "the scenes are shared between test files")]

use crate::common;

use common::*;
use effigy_render::{Background, DrawStyle};
use effigy_scene::{Animated, Blend, Coordinates, Layer, NodeRule, Scene, Texture, TextureTransform, Track};

const SOURCE: [f32; 3] = [200.0, 100.0, 50.0];

fn back() -> [f32; 3] {
    BACKGROUND.map(f32::from)
}

fn each(f: impl Fn(f32, f32) -> f32) -> [f32; 3] {
    let back = back();
    [f(SOURCE[0], back[0]), f(SOURCE[1], back[1]), f(SOURCE[2], back[2])]
}

fn one(color: &str, change: impl FnOnce(&mut Scene, Layer) -> Layer) -> Scene {
    let mut scene = Scene::default();
    let layer = layer(&mut scene, color, Blend::Opaque);
    let layer = change(&mut scene, layer);
    add(&mut scene, square(0.0, 2.0), 0, vec![layer]);
    scene
}

#[test]
fn blend_modes_mix_as_the_games_define_them() {
    let Some(renderer) = renderer() else { return };
    let a = 102.0 / 255.0;
    let table = [
        (Blend::Opaque, each(|s, _| s)),
        (Blend::Alpha, each(|s, d| s * a + d * (1.0 - a))),
        (Blend::Add, each(|s, d| s + d)),
        (Blend::AddAlpha, each(|s, d| s * a + d)),
        (Blend::Modulate, each(|s, d| s * d / 255.0)),
        (Blend::Modulate2x, each(|s, d| 2.0 * s * d / 255.0)),
    ];
    for rule in [NodeRule::Warcraft, NodeRule::World] {
        for (blend, expected) in table {
            let mut scene = one("200,100,50,102", |_, layer| Layer { blend, ..layer });
            scene.node_rule = rule;
            eprintln!("{blend:?}");
            near(middle(renderer, &scene), expected);
        }
    }
}

#[test]
fn the_key_cuts_below_three_quarters_and_covers_above() {
    let Some(renderer) = renderer() else { return };
    let key = |alpha: u8| {
        one(&format!("200,100,50,{alpha}"), |_, layer| Layer {
            blend: Blend::AlphaKey,
            alpha_test: 192.0 / 255.0,
            ..layer
        })
    };
    near(middle(renderer, &key(191)), back());
    near(middle(renderer, &key(192)), SOURCE);
}

/// A texture that is covered below a slanted line. No pixel of it is half transparent.
struct Slanted;

impl effigy_render::Textures for Slanted {
    fn image(&mut self, _: &effigy_scene::Texture) -> Option<effigy_render::Image> {
        let covered = |x: u16, y: u16| if 3 * y > x + 64 { 255 } else { 0 };
        Some(effigy_render::Image::from_fn(64, 64, |x, y| [200, 100, 50, covered(x, y)]))
    }
}

/// The inner pixels of a square that is cut out along a slanted line.
fn cut_out(renderer: &effigy_render::Renderer, style: &DrawStyle) -> Vec<[u8; 4]> {
    let scene = one("leaf", |_, layer| Layer { blend: Blend::AlphaKey, alpha_test: 0.5, ..layer });
    let scene = effigy_scene::validate(scene).unwrap();
    let model = effigy_render::Model::new(renderer, &scene, [0; 3], &mut Slanted);
    let stage = effigy_render::Stage::new(scene);
    let camera = camera();
    let frame = effigy_render::Frame { model: &model, stage: &stage, camera: &camera, style };
    let picture = renderer.draw(&frame, [SIDE, SIDE]).unwrap().picture;
    (10..22).flat_map(|y| (10..22).map(move |x| (x, y))).map(|(x, y)| picture.pixel(x, y)).collect()
}

#[test]
fn the_edge_of_a_cut_out_is_soft() {
    let Some(renderer) = renderer() else { return };
    if renderer.gpu().samples() < 2 {
        return;
    }
    let pixels = cut_out(renderer, &look());
    // Between the background's red of 40 and the layer's of 200.
    let between = pixels.iter().filter(|[red, ..]| (60..180).contains(red)).count();
    assert!((6..=40).contains(&between), "{between} of {}", pixels.len());
    for expected in [40, 200] {
        assert!(pixels.iter().filter(|[red, ..]| *red == expected).count() > 30, "{expected}");
    }
    // Over nothing the colour stays and alpha is between.
    let clear = cut_out(renderer, &DrawStyle { background: Background::Transparent, ..look() });
    let soft: Vec<_> = clear.iter().filter(|[.., alpha]| (40..220).contains(alpha)).collect();
    assert!(soft.len() >= 4, "{}", soft.len());
    for [r, g, b, a] in soft {
        let near =
            [(*r, 200_u8), (*g, 100), (*b, 50)].iter().all(|(found, wanted)| found.abs_diff(*wanted) <= 6);
        assert!(near, "{r} {g} {b} {a}");
    }
}

#[test]
fn blended_layers_below_their_least_alpha_are_not_drawn() {
    let Some(renderer) = renderer() else { return };
    let add = |alpha: u8| {
        one(&format!("255,255,255,{alpha}"), |_, layer| Layer {
            blend: Blend::Add,
            alpha_test: 4.0 / 255.0,
            ..layer
        })
    };
    near(middle(renderer, &add(3)), back());
    near(middle(renderer, &add(4)), [255.0; 3]);
}

#[test]
fn light_changes_only_what_is_lit() {
    let Some(renderer) = renderer() else { return };
    let look = DrawStyle { lighting: Some(LIGHTING), ..look() };
    for (unlit, factor) in [(true, 1.0), (false, 0.75)] {
        let scene = one("200,100,50,255", |_, layer| Layer { unlit, ..layer });
        let drawn = draw_with(renderer, &scene, &camera(), &look);
        near(drawn.picture.pixel(SIDE / 2, SIDE / 2), SOURCE.map(|c| c * factor));
    }
}

#[test]
fn multiplied_layers_are_never_lit_in_world_of_warcraft() {
    let Some(renderer) = renderer() else { return };
    let look = DrawStyle { lighting: Some(LIGHTING), ..look() };
    for (rule, factor) in [(NodeRule::World, 1.0), (NodeRule::Warcraft, 0.75)] {
        let mut scene =
            one("200,100,50,255", |_, layer| Layer { unlit: false, blend: Blend::Modulate, ..layer });
        scene.node_rule = rule;
        let drawn = draw_with(renderer, &scene, &camera(), &look);
        near(drawn.picture.pixel(SIDE / 2, SIDE / 2), each(|s, d| s * factor * d / 255.0));
    }
}

#[test]
fn back_faces_show_only_when_two_sided() {
    let Some(renderer) = renderer() else { return };
    for (two_sided, expected) in [(false, back()), (true, SOURCE)] {
        let mut scene = one("200,100,50,255", |_, layer| Layer { two_sided, ..layer });
        scene.meshes.as_mut_slice()[0].indices.reverse();
        near(middle(renderer, &scene), expected);
    }
}

#[test]
fn depth_tests_and_writes_follow_their_flags() {
    let Some(renderer) = renderer() else { return };
    // The near square is drawn first; the far one shows only if it does not look at depth or none was written.
    for (no_test, no_write, near_one) in [(false, false, true), (true, false, false), (false, true, false)] {
        let mut scene = Scene::default();
        let front = Layer { no_depth_write: no_write, ..layer(&mut scene, "10,20,30,255", Blend::Opaque) };
        let far = Layer { no_depth_test: no_test, ..layer(&mut scene, "200,100,50,255", Blend::Opaque) };
        add(&mut scene, square(1.0, 2.0), 0, vec![front]);
        add(&mut scene, square(0.0, 2.0), 0, vec![far]);
        near(middle(renderer, &scene), if near_one { [10.0, 20.0, 30.0] } else { SOURCE });
    }
}

#[test]
fn blended_layers_write_depth_in_world_of_warcraft_only() {
    let Some(renderer) = renderer() else { return };
    for rule in [NodeRule::Warcraft, NodeRule::World] {
        let mut scene = Scene { node_rule: rule, ..Scene::default() };
        let front = layer(&mut scene, "10,20,30,128", Blend::Alpha);
        let far = Layer { blend: Blend::Alpha, ..layer(&mut scene, "200,100,50,128", Blend::Alpha) };
        add(&mut scene, square(1.0, 2.0), 0, vec![front]);
        add(&mut scene, square(0.0, 2.0), 0, vec![far]);
        let a = 128.0 / 255.0;
        let over = |s: f32, d: f32| s * a + d * (1.0 - a);
        let first = [over(10.0, 40.0), over(20.0, 80.0), over(30.0, 120.0)];
        let both = [over(200.0, first[0]), over(100.0, first[1]), over(50.0, first[2])];
        near(middle(renderer, &scene), if rule == NodeRule::World { first } else { both });
    }
}

#[test]
fn a_higher_priority_plane_is_drawn_later() {
    let Some(renderer) = renderer() else { return };
    for (priorities, expected) in [([0, 0], [50.0, 60.0, 70.0]), ([1, 0], SOURCE)] {
        let mut scene = Scene::default();
        let first = layer(&mut scene, "200,100,50,255", Blend::Alpha);
        let second = layer(&mut scene, "50,60,70,255", Blend::Alpha);
        add(&mut scene, square(0.0, 2.0), priorities[0], vec![first]);
        add(&mut scene, square(0.0, 2.0), priorities[1], vec![second]);
        near(middle(renderer, &scene), expected);
    }
}

#[test]
fn see_through_meshes_come_after_opaque_ones_whatever_their_place_in_the_file() {
    let Some(renderer) = renderer() else { return };
    let mut scene = Scene::default();
    let glass = layer(&mut scene, "200,100,50,128", Blend::Alpha);
    let wall = layer(&mut scene, "10,20,30,255", Blend::Opaque);
    add(&mut scene, square(1.0, 2.0), 0, vec![glass]);
    add(&mut scene, square(0.0, 2.0), 9, vec![wall]);
    let a = 128.0 / 255.0;
    near(
        middle(renderer, &scene),
        [200.0 * a + 10.0 * (1.0 - a), 100.0 * a + 20.0 * (1.0 - a), 50.0 * a + 30.0 * (1.0 - a)],
    );
}

#[test]
fn team_colour_shows_through_the_skin() {
    let Some(renderer) = renderer() else { return };
    let mut scene = Scene::default();
    let mut team = layer(&mut scene, "", Blend::Opaque);
    let texture = Texture { replaceable: Some(effigy_scene::Replaceable::TeamColor), ..Texture::default() };
    team.textures[0].texture = Some(scene.textures.push(texture));
    let skin = layer(&mut scene, "0,0,0,51", Blend::Alpha);
    add(&mut scene, square(0.0, 2.0), 0, vec![team, skin]);
    near(middle(renderer, &scene), [160.0, 80.0, 40.0]);
}

#[test]
fn what_fades_as_a_whole_is_not_seen_through_itself() {
    let Some(renderer) = renderer() else { return };
    // Two squares of one mesh, one behind the other: at half alpha only the near one mixes with the background.
    let mut mesh = square(0.0, 2.0);
    let near_half = square(1.0, 2.0);
    mesh.positions.extend(near_half.positions);
    mesh.normals.extend(near_half.normals);
    mesh.uvs[0].extend_from_slice(&near_half.uvs[0]);
    mesh.indices.extend([4, 5, 6, 4, 6, 7]);
    mesh.alpha = fixed(0.5);
    let mut scene = Scene::default();
    let skin = layer(&mut scene, "200,100,50,255", Blend::Opaque);
    add(&mut scene, mesh, 0, vec![skin]);
    near(middle(renderer, &scene), each(|s, d| (s + d) / 2.0));
}

#[test]
fn colours_and_alphas_of_mesh_and_layer_multiply() {
    let Some(renderer) = renderer() else { return };
    let mut scene = one("200,100,50,255", |_, layer| Layer {
        blend: Blend::Alpha,
        color: Animated::fixed([0.5, 1.0, 1.0]),
        alpha: fixed(0.5),
        ..layer
    });
    let mesh = &mut scene.meshes.as_mut_slice()[0];
    mesh.color = Animated::fixed([1.0, 0.5, 1.0]);
    mesh.alpha = fixed(0.8);
    let expected = each(|s, d| s * 0.4 + d * 0.6);
    let changed = [100.0 * 0.4 + 40.0 * 0.6, 50.0 * 0.4 + 80.0 * 0.6, expected[2]];
    near(middle(renderer, &scene), changed);
}

#[test]
fn alpha_above_one_counts_as_one() {
    let Some(renderer) = renderer() else { return };
    let scene =
        one("200,100,50,102", |_, layer| Layer { blend: Blend::AddAlpha, alpha: fixed(200.0), ..layer });
    near(middle(renderer, &scene), each(|s, d| s * 0.4 + d));
}

#[test]
fn a_mesh_without_alpha_is_not_drawn() {
    let Some(renderer) = renderer() else { return };
    let mut scene = one("200,100,50,255", |_, layer| layer);
    scene.meshes.as_mut_slice()[0].alpha = fixed(0.0);
    let drawn = draw_with(renderer, &scene, &camera(), &look());
    assert_eq!(drawn.draws, 0);
    assert!(drawn.picture.is_uniform());
}

#[test]
fn textures_repeat_or_extend_their_edge() {
    let Some(renderer) = renderer() else { return };
    for (repeat, expected) in [([true, true], [200.0, 0.0, 0.0]), ([false, false], [0.0, 200.0, 0.0])] {
        let mut scene = one("200,0,0,255 0,200,0,255", |_, layer| layer);
        scene.textures.as_mut_slice()[0].repeat = repeat;
        scene.meshes.as_mut_slice()[0].uvs[0].iter_mut().for_each(|uv| *uv = [1.25, 0.5]);
        near(middle(renderer, &scene), expected);
    }
}

#[test]
fn texture_animation_moves_the_coordinates() {
    let Some(renderer) = renderer() else { return };
    for (shift, expected) in [(0.0, [200.0, 0.0, 0.0]), (0.5, [0.0, 200.0, 0.0])] {
        let mut scene = one("200,0,0,255 0,200,0,255", |scene, mut layer| {
            let transform = TextureTransform {
                translation: Animated::fixed([shift, 0.0, 0.0]),
                ..TextureTransform::default()
            };
            layer.textures[0].transform = Some(scene.texture_transforms.push(transform));
            layer
        });
        scene.textures.as_mut_slice()[0].repeat = [true, true];
        scene.meshes.as_mut_slice()[0].uvs[0].iter_mut().for_each(|uv| *uv = [0.25, 0.5]);
        near(middle(renderer, &scene), expected);
    }
}

#[test]
fn a_flipbook_shows_the_texture_of_the_moment() {
    let Some(renderer) = renderer() else { return };
    let mut scene = one("200,0,0,255", |scene, mut layer| {
        scene.textures.push(Texture { path: "0,200,0,255".into(), ..Texture::default() });
        layer.textures[0].flipbook = Some(Track::linear(vec![0], vec![1], 0));
        layer
    });
    scene.sequences.push(effigy_scene::Sequence { end: 100, ..effigy_scene::Sequence::default() });
    near(middle(renderer, &scene), [0.0, 200.0, 0.0]);
}

#[test]
fn the_second_coordinate_set_is_used_where_asked_for() {
    let Some(renderer) = renderer() else { return };
    for (set, expected) in [(0, [200.0, 0.0, 0.0]), (1, [0.0, 200.0, 0.0])] {
        let mut scene = one("200,0,0,255 0,200,0,255", |_, mut layer| {
            layer.textures[0].coordinates = Coordinates::Set(set);
            layer
        });
        scene.meshes.as_mut_slice()[0].uvs = vec![vec![[0.25, 0.5]; 4], vec![[0.75, 0.5]; 4]];
        near(middle(renderer, &scene), expected);
    }
}

#[test]
fn a_sphere_map_shows_its_middle_on_what_faces_the_viewer() {
    let Some(renderer) = renderer() else { return };
    // Turned to the right, the surface mirrors what is on the right: the right half of the texture.
    for (normal, expected) in [([0.8, 0.6, 0.0], [0.0, 200.0, 0.0]), ([0.8, -0.6, 0.0], [200.0, 0.0, 0.0])] {
        for rule in [NodeRule::Warcraft, NodeRule::World] {
            let mut scene = one("200,0,0,255 0,200,0,255", |_, mut layer| {
                layer.textures[0].coordinates = Coordinates::Sphere;
                layer
            });
            scene.node_rule = rule;
            scene.meshes.as_mut_slice()[0].normals = vec![normal; 4];
            near(middle(renderer, &scene), expected);
        }
    }
}

#[test]
fn a_missing_texture_of_a_solid_layer_is_one_grey_and_is_reported() {
    let Some(renderer) = renderer() else { return };
    for blend in [Blend::Opaque, Blend::AlphaKey] {
        let scene = one("missing", |_, layer| Layer { blend, ..layer });
        let picture = draw_with(renderer, &scene, &camera(), &look()).picture;
        for (x, y) in [(0, 0), (4, 0), (0, 4), (5, 5)] {
            near(picture.pixel(SIDE / 2 + x, SIDE / 2 + y), [156.0; 3]);
        }
        let model =
            effigy_render::Model::new(renderer, &effigy_scene::validate(scene).unwrap(), [0; 3], &mut Named);
        assert_eq!(model.missing(), ["missing"]);
    }
}

#[test]
fn a_missing_texture_of_a_soft_layer_is_never_a_square() {
    let Some(renderer) = renderer() else { return };
    let blends = [Blend::Alpha, Blend::Add, Blend::AddAlpha, Blend::Modulate, Blend::Modulate2x];
    for blend in blends {
        let scene = one("missing", |_, layer| Layer { blend, ..layer });
        let picture = draw_with(renderer, &scene, &camera(), &look()).picture;
        // The square ends 7.6 pixels from the middle; the disc has ended long before its corners.
        for (x, y) in [(10, 10), (21, 10), (10, 21), (21, 21)] {
            near(picture.pixel(x, y), BACKGROUND.map(f32::from));
        }
        assert_ne!(picture.pixel(SIDE / 2, SIDE / 2)[..3], BACKGROUND, "{blend:?}");
    }
}

#[test]
fn a_missing_texture_is_soft_on_glow_even_if_a_solid_layer_uses_it_too() {
    let Some(renderer) = renderer() else { return };
    let mut scene = one("missing", |_, layer| Layer { blend: Blend::Add, ..layer });
    let glow = scene.materials.as_slice()[0].layers[0].clone();
    // A small solid square behind the camera uses the same texture.
    add(&mut scene, square(20.0, 0.1), 0, vec![Layer { blend: Blend::Opaque, ..glow }]);
    let picture = draw_with(renderer, &scene, &camera(), &look()).picture;
    near(picture.pixel(10, 10), BACKGROUND.map(f32::from));
    assert_ne!(picture.pixel(SIDE / 2, SIDE / 2)[..3], BACKGROUND);
}

#[test]
fn over_nothing_a_layer_keeps_its_colour_and_alpha() {
    let Some(renderer) = renderer() else { return };
    let clear = DrawStyle { background: Background::Transparent, ..look() };
    let scene = one("200,100,50,102", |_, layer| Layer { blend: Blend::Alpha, ..layer });
    let drawn = draw_with(renderer, &scene, &camera(), &clear);
    let pixel = drawn.picture.pixel(SIDE / 2, SIDE / 2);
    for (found, expected) in pixel.iter().zip([200_u8, 100, 50, 102]) {
        assert!(found.abs_diff(expected) <= 2, "{pixel:?}");
    }
    assert_eq!(drawn.picture.pixel(0, 0), [0; 4]);
}

#[test]
fn the_gradient_goes_from_top_to_bottom() {
    let Some(renderer) = renderer() else { return };
    let look = DrawStyle { background: Background::Gradient([200, 0, 0], [0, 0, 200]), ..look() };
    let drawn = draw_with(renderer, &Scene::default(), &camera(), &look);
    let (top, bottom) = (drawn.picture.pixel(3, 0), drawn.picture.pixel(3, SIDE - 1));
    assert!(top[0] > 190 && top[2] < 10, "{top:?}");
    assert!(bottom[0] < 10 && bottom[2] > 190, "{bottom:?}");
}
