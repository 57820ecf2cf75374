//! Shader scripts of Return to Castle Wolfenstein: tiny scripts, drawn, against pixels computed by hand.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::print_stderr, missing_docs)]
#![allow(dead_code, reason = "the scenes are shared between test files")]

use crate::common;

use common::*;
use effigy_render::{Camera, DrawStyle, Model, Renderer, Stage};
use effigy_scene::{Layer, Material, Mesh, NodeRule, Scene, validate};

/// A channel of an image as it is shown: the game starts with a gamma of 1.3 and applies it to images.
fn shown(channel: f32) -> f32 {
    255.0 * (channel / 255.0).powf(1.0 / 1.3)
}

fn color() -> [f32; 3] {
    [200.0, 100.0, 50.0].map(shown)
}

fn background() -> [f32; 3] {
    BACKGROUND.map(f32::from)
}

/// A square that wears a script; images are called by their colour.
fn scripted(script: &str) -> Scene {
    let mut scene = Scene { node_rule: NodeRule::Wolfenstein, ..Scene::default() };
    let material = Material { name: "x".into(), layers: vec![Layer::default()], ..Material::default() };
    let material = Some(scene.materials.push(material));
    scene.meshes.push(Mesh { material, ..square(0.0, 2.0) });
    let shaders = effigy_mdc::shader::parse(&format!("x {{\n{script}\n}}"));
    effigy_convert::mdc::apply_shaders(&mut scene, |_| shaders.first().map(|(_, shader)| shader));
    scene
}

fn pixel(renderer: &Renderer, scene: &Scene, clock: f64, camera: &Camera, look: &DrawStyle) -> [u8; 4] {
    let scene = validate(scene.clone()).unwrap();
    let model = Model::new(renderer, &scene, [0; 3], &mut Named);
    let mut stage = Stage::new(scene);
    stage.start(None, clock, Some(&camera.view));
    renderer
        .draw(&effigy_render::Frame { model: &model, stage: &stage, camera, style: look }, [SIDE, SIDE])
        .unwrap()
        .picture
        .pixel(SIDE / 2, SIDE / 2)
}

#[test]
fn stages_are_drawn_over_each_other() {
    let Some(renderer) = renderer() else { return };
    let base = "{ map 200,100,50,255\n}";
    let with = |other: [f32; 3], mix: &dyn Fn(f32, f32) -> f32| {
        [0, 1, 2].map(|channel| mix(color()[channel], shown(other[channel])))
    };
    let add = |other| with(other, &|a, b| (a + b).min(255.0));
    let filter = |other| with(other, &|a, b| a * b / 255.0);
    let blend = |other, alpha: f32| with(other, &|a, b| a * (1.0 - alpha) + b * alpha);
    for (script, expected) in [
        (base.to_owned(), color()),
        (format!("{base} {{ map 10,20,30,255\n blendFunc add }}"), add([10.0, 20.0, 30.0])),
        (format!("{base} {{ map 51,102,255,255\n blendFunc filter }}"), filter([51.0, 102.0, 255.0])),
        (format!("{base} {{ map 0,200,0,51\n blendFunc blend }}"), blend([0.0, 200.0, 0.0], 0.2)),
        ("{ map 200,100,50,128\n alphaFunc GE128 }".to_owned(), color()),
        ("{ map 200,100,50,127\n alphaFunc GE128 }".to_owned(), background()),
        ("{ map 200,100,50,127\n alphaFunc LT128 }".to_owned(), color()),
        ("{ map 200,100,50,128\n alphaFunc LT128 }".to_owned(), background()),
        ("{ map 200,100,50,1\n alphaFunc GT0 }".to_owned(), color()),
        ("{ map 200,100,50,0\n alphaFunc GT0 }".to_owned(), background()),
        ("{ map 200,100,50,255\n rgbGen const ( 0.5 1 0 ) }".to_owned(), [color()[0] / 2.0, color()[1], 0.0]),
        ("surfaceparm nodraw\n{ map 200,100,50,255 }".to_owned(), background()),
        ("cull back\n{ map 200,100,50,255 }".to_owned(), background()),
    ] {
        eprintln!("{script}");
        near(pixel(renderer, &scripted(&script), 0.0, &camera(), &look()), expected);
    }
}

#[test]
fn a_stage_is_lit_only_if_it_asks_for_it_and_by_the_light_of_entities() {
    let Some(renderer) = renderer() else { return };
    near(pixel(renderer, &scripted("{ map 200,100,50,255 }"), 0.0, &camera(), &look()), color());
    // The surface looks along X; the light comes from (0.45, 0.3, 0.9): 150/255 (1 + 0.45 / sqrt 1.1025).
    let lit = scripted("{ map 200,100,50,255\n rgbGen lightingDiffuse }");
    let factor = 150.0 / 255.0 * (1.0 + 0.45 / 1.1025_f32.sqrt());
    near(pixel(renderer, &lit, 0.0, &camera(), &look()), color().map(|c| c * factor));
}

#[test]
fn textures_scroll_with_the_clock() {
    let Some(renderer) = renderer() else { return };
    let mut scene = scripted("{ map 200,0,0,255 0,200,0,255\n tcMod scroll 0.5 0 }");
    // Only the first word of a line is an image.
    scene.textures.as_mut_slice()[0].path = "200,0,0,255 0,200,0,255".into();
    scene.meshes.as_mut_slice()[0].uvs[0].iter_mut().for_each(|uv| *uv = [0.25, 0.5]);
    for (clock, expected) in [
        (0.0, [shown(200.0), 0.0, 0.0]),
        (1000.0, [0.0, shown(200.0), 0.0]),
        (2000.0, [shown(200.0), 0.0, 0.0]),
    ] {
        near(pixel(renderer, &scene, clock, &camera(), &look()), expected);
    }
}

#[test]
fn surroundings_are_mirrored_in_the_space_of_the_model() {
    let Some(renderer) = renderer() else { return };
    for (normal, expected) in [
        ([0.9659, 0.2588, 0.0], [0.0, shown(200.0), 0.0]),
        ([0.9659, -0.2588, 0.0], [shown(200.0), 0.0, 0.0]),
    ] {
        let mut scene = scripted("{ map x\n tcGen environment }");
        scene.textures.as_mut_slice()[0].path = "200,0,0,255 200,0,0,255 0,200,0,255 0,200,0,255".into();
        // Turned by 15 degrees it mirrors what is 30 degrees aside, at +-0.5: s = 0.75 or 0.25.
        scene.meshes.as_mut_slice()[0].normals = vec![normal; 4];
        near(pixel(renderer, &scene, 0.0, &camera(), &look()), expected);
    }
}

#[test]
fn sprites_turn_to_the_camera() {
    let Some(renderer) = renderer() else { return };
    let from_side = Camera::look_at([0.0, 10.0, 0.0], [0.0; 3], 0.8);
    for (deform, expected) in [("deformVertexes autoSprite\n", color()), ("", background())] {
        let scene = scripted(&format!("{deform}{{ map 200,100,50,255 }}"));
        near(pixel(renderer, &scene, 0.0, &from_side, &look()), expected);
    }
}
