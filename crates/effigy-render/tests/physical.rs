//! The physical shader under light, against values computed by another program from the formulas: metal and roughness
//! (GGX with the Schlick-Smith shadowing of the shader), the studio's sky, filmic tones, and sRGB in the end.
//!
//! The light and the eye are on the normal unless a test says otherwise, so that Fresnel's term is 0.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::print_stderr, missing_docs)]
#![allow(dead_code, reason = "the scenes are shared between test files")]

use crate::common;

use common::*;
use effigy_render::{DrawStyle, Lighting, Renderer};
use effigy_scene::{Blend, LayerTexture, Role, Scene, Texture};

/// What a square of the base colour 200, 100, 50 shows in the middle.
fn shown(renderer: &Renderer, textures: &[(Role, &str)], lighting: Option<Lighting>) -> [u8; 4] {
    let mut scene = Scene::default();
    let mut layer = layer(&mut scene, "200,100,50,255", Blend::Opaque);
    layer.unlit = lighting.is_none();
    for (role, path) in textures {
        let texture = scene.textures.push(Texture { path: (*path).into(), ..Texture::default() });
        layer.textures.push(LayerTexture { role: *role, texture: Some(texture), ..LayerTexture::default() });
    }
    add(&mut scene, square(0.0, 2.0), 0, vec![layer]);
    scene.materials.as_mut_slice()[0].physical = true;
    let style = DrawStyle { lighting, ..look() };
    draw_with(renderer, &scene, &camera(), &style).picture.pixel(SIDE / 2, SIDE / 2)
}

#[track_caller]
fn assert_shows(found: [u8; 4], expected: [f32; 3]) {
    let near =
        found.iter().zip(expected).all(|(found, expected)| (f32::from(*found) - expected).abs() <= 2.0);
    assert!(near && found[3] == 255, "{found:?} is not {expected:?}");
}

#[test]
fn the_mask_mixes_in_the_hue_of_the_team_colour_and_never_brightens() {
    let Some(renderer) = renderer() else { return };
    for (mask, team, expected) in [
        ("255,255,0,0", "20,100,200,255", [199.7, 100.2, 49.2]),
        ("255,255,0,64", "20,100,200,255", [146.6, 100.2, 149.8]),
        ("255,255,0,255", "20,100,200,255", [16.3, 100.2, 199.7]),
        // A darker team colour: its brightness counts by 95 %.
        ("255,255,0,255", "50,100,100,255", [53.4, 107.8, 107.8]),
    ] {
        let found = shown(renderer, &[(Role::Orm, mask), (Role::TeamColor, team)], None);
        assert_shows(found, expected);
    }
}

#[test]
fn metal_and_roughness_change_what_is_lit() {
    let Some(renderer) = renderer() else { return };
    for (orm, expected) in [
        // Not metal: only diffuse light, whatever the roughness is.
        ("255,255,0,0", [141.1, 49.9, 12.3]),
        ("255,127,0,0", [141.1, 49.9, 12.3]),
        // Metal: only mirrored light; half as rough, the light is sixteen times as concentrated.
        ("255,255,255,0", [122.2, 40.5, 9.4]),
        ("255,127,255,0", [210.8, 114.6, 39.1]),
    ] {
        assert_shows(shown(renderer, &[(Role::Orm, orm)], Some(LIGHTING)), expected);
    }
}

#[test]
fn a_normal_map_tilts_along_the_coordinates_of_the_texture() {
    let Some(renderer) = renderer() else { return };
    let right = Lighting { from: [1.0, 0.0, 0.0], ..LIGHTING };
    let above = Lighting { from: [0.0, 1.0, 0.0], ..LIGHTING };
    // 204 is 0.6, 51 is -0.6: u grows to the right, v grows down.
    for (normal, light, expected) in [
        ("204,128,255,255", LIGHTING, [131.3, 44.5, 10.4]),
        ("204,128,255,255", right, [120.2, 39.0, 8.5]),
        ("51,128,255,255", right, [75.6, 20.5, 3.7]),
        ("128,204,255,255", above, [42.7, 7.9, 1.3]),
        ("128,51,255,255", above, [142.7, 51.9, 13.7]),
    ] {
        let textures = [(Role::Orm, "255,255,0,0"), (Role::Normal, normal)];
        assert_shows(shown(renderer, &textures, Some(light)), expected);
    }
}

#[test]
fn a_light_at_the_camera_leaves_no_black_pixels() {
    let Some(renderer) = renderer() else { return };
    let mut scene = Scene::default();
    let node = scene.nodes.push(effigy_scene::Node::new("n", effigy_scene::NodeKind::Light, None, [0.0; 3]));
    let mut layer = layer(&mut scene, "200,100,50,255", Blend::Opaque);
    layer.unlit = false;
    let orm = scene.textures.push(Texture { path: "255,127,255,0".into(), ..Texture::default() });
    layer.textures.push(LayerTexture { role: Role::Orm, texture: Some(orm), ..LayerTexture::default() });
    add(&mut scene, square(0.0, 6.0), 0, vec![layer]);
    scene.materials.as_mut_slice()[0].physical = true;
    scene.lights.push(effigy_scene::Light {
        name: String::new(),
        kind: effigy_scene::LightKind::Omni,
        node,
        position: camera().view.eye,
        attenuation_start: fixed(0.0),
        attenuation_end: fixed(0.0),
        color: effigy_scene::Animated::fixed([1.0; 3]),
        intensity: fixed(1.0),
        ambient_color: effigy_scene::Animated::fixed([1.0; 3]),
        ambient_intensity: fixed(0.0),
        visibility: fixed(1.0),
        extras: effigy_scene::Extras::default(),
    });
    let style = DrawStyle { lighting: Some(LIGHTING), ..look() };
    let picture = draw_with(renderer, &scene, &camera(), &style).picture;
    for y in 0..SIDE {
        for x in 0..SIDE {
            assert!(picture.pixel(x, y)[0] > 60, "{x} {y}: {:?}", picture.pixel(x, y));
        }
    }
}
