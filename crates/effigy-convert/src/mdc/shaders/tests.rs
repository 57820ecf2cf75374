//! Small scripts and the materials that they become.

use super::*;
use effigy_scene::sample::{Moment, Sampler};
use effigy_scene::{Mesh, validate};

/// A square whose shader is called `x`, with this script.
fn scripted(script: &str) -> (Scene, Report) {
    let mut scene = Scene::default();
    let material = Material { name: "x".into(), layers: vec![Layer::default()], ..Material::default() };
    let material = Some(scene.materials.push(material));
    scene.meshes.push(Mesh {
        positions: vec![[0.0, -2.0, -2.0], [0.0, 2.0, -2.0], [0.0, 2.0, 2.0], [0.0, -2.0, 2.0]],
        normals: vec![[1.0, 0.0, 0.0]; 4],
        uvs: vec![vec![[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]]],
        indices: vec![0, 1, 2, 0, 2, 3],
        material,
        ..Mesh::new("m")
    });
    let shaders = effigy_mdc::shader::parse(script);
    let report = apply_shaders(&mut scene, |name| shaders.iter().find(|(it, _)| it == name).map(|it| &it.1));
    (scene, report)
}

fn stage(text: &str) -> (Scene, Layer) {
    let (scene, _) = scripted(&format!("x\n{{\n{{\nmap a.tga\n{text}\n}}\n}}"));
    let layer = scene.materials.as_slice()[0].layers[0].clone();
    (scene, layer)
}

#[test]
fn stages_become_layers_in_order() {
    let (scene, report) = scripted(
        "x {\ncull none\n{ map a.tga\n rgbGen lightingDiffuse }\n\
         { clampMap b.tga\n blendFunc add\n tcGen environment }\n{ map $lightmap\n blendFunc filter } }",
    );
    let layers = &scene.materials.as_slice()[0].layers;
    let blends: Vec<Blend> = layers.iter().map(|layer| layer.blend).collect();
    assert_eq!(blends, [Blend::Opaque, Blend::Add, Blend::Modulate]);
    assert!(layers.iter().all(|layer| layer.two_sided));
    let unlit: Vec<bool> = layers.iter().map(|layer| layer.unlit).collect();
    assert_eq!(unlit, [false, true, true]);
    let hides: Vec<bool> = layers.iter().map(|layer| !layer.no_depth_write).collect();
    assert_eq!(hides, [true, false, false]);
    assert_eq!(layers[1].textures[0].coordinates, Coordinates::Room);
    let repeats: Vec<bool> = scene.textures.as_slice().iter().map(|texture| texture.repeat[0]).collect();
    assert_eq!(repeats, [true, false]);
    assert_eq!(layers[2].textures[0].texture, None);
    assert!(report.notes().is_empty(), "{report:?}");
    validate(scene.clone()).unwrap();
}

#[test]
fn alpha_tests_are_keys_or_belong_to_the_blend() {
    let (_, from) = stage("alphaFunc GE128");
    assert_eq!((from.blend, from.alpha_test, from.alpha_below), (Blend::AlphaKey, 0.5, false));
    let (_, below) = stage("alphaFunc LT128\nblendFunc blend\ndepthWrite");
    assert_eq!((below.blend, below.alpha_test, below.alpha_below), (Blend::Alpha, 0.5, true));
    assert!(!below.no_depth_write);
    let (_, above) = stage("alphaFunc GT0");
    assert!(above.alpha_test > 0.0 && above.alpha_test < 1.0 / 255.0);
}

#[test]
fn approximated_blend_functions_are_reported() {
    let (_, report) = scripted("x { { map a.tga\n blendFunc GL_ONE GL_ONE_MINUS_SRC_ALPHA } }");
    assert_eq!(report.notes().len(), 1);
}

#[test]
fn coordinates_scroll_scale_and_rotate_with_time() {
    let at = |text: &str, seconds: f64| {
        let (scene, _) = stage(text);
        let scene = validate(scene).unwrap();
        let sampler = Sampler::new(&scene);
        let mut pose = sampler.pose();
        let moment = Moment { sequence: None, time: 0.0, clock: seconds * 1000.0 };
        sampler.sample(&moment, None, &mut pose);
        let [[a, b, c], [d, e, f]] = pose.meshes()[0].layers[0].textures[0].matrix;
        move |[u, v]: [f32; 2]| [a * u + b * v + c, d * u + e * v + f].map(|x| (x * 1000.0).round() / 1000.0)
    };
    assert_eq!(at("tcMod scroll 0.5 0", 1.0)([0.25, 0.5]), [0.75, 0.5]);
    // Two speeds: 0.4 and 0.6 have a common period of five seconds.
    assert_eq!(at("tcMod scroll 0.4 0.6", 1.0)([0.0, 0.0]), [0.4, 0.6]);
    assert_eq!(at("tcMod scroll 0.4 0.6", 6.0)([0.0, 0.0]), [0.4, 0.6]);
    assert_eq!(at("tcMod scroll 0.4 -0.6", 1.0)([0.0, 0.0]), [0.4, -0.6]);
    assert_eq!(at("tcMod scale 2 3", 0.0)([0.25, 0.5]), [0.5, 1.5]);
    // First shifted, then scaled.
    assert_eq!(at("tcMod scroll 0.25 0\ntcMod scale 2 2", 1.0)([0.25, 0.5]), [1.0, 1.0]);
    // A quarter turn about the middle.
    assert_eq!(at("tcMod rotate 90", 1.0)([1.0, 0.5]), [0.5, 0.0]);
}

#[test]
fn waves_and_image_sequences_use_global_sequences() {
    let (scene, layer) = stage("rgbGen wave triangle 0.5 0.5 0 0.5\nalphaGen const 0.25");
    let scene = validate(scene).unwrap();
    let sampler = Sampler::new(&scene);
    for (clock, expected) in [(0.0, 0.5), (500.0, 1.0), (1500.0, 0.0), (2500.0, 1.0)] {
        let [red, ..] = sampler.value(&layer.color, &Moment { clock, ..Moment::default() });
        assert!((red - expected).abs() < 1e-4, "{clock}: {red}");
    }
    assert_eq!(layer.alpha, Animated::fixed(0.25));
    let (scene, _) = scripted("x { { animMap 4 a.tga b.tga } }");
    let scene = validate(scene).unwrap();
    let sampler = Sampler::new(&scene);
    let book = scene.materials.as_slice()[0].layers[0].textures[0].flipbook.clone().unwrap();
    let shown =
        [0.0, 240.0, 260.0, 510.0].map(|clock| sampler.track(&book, &Moment { clock, ..Moment::default() }));
    assert_eq!(shown, [0, 0, 1, 0]);
}

#[test]
fn sprites_follow_billboards_with_the_size_of_their_quads() {
    let (scene, report) = scripted("x {\ndeformVertexes autoSprite\n{ map a.tga } }");
    validate(scene.clone()).unwrap();
    let mesh = &scene.meshes.as_slice()[0];
    assert!(report.notes().is_empty());
    assert_eq!(scene.nodes.as_slice()[0].billboard, effigy_scene::Billboard::Full);
    for (found, expected) in mesh.positions.iter().zip([[-2.0, -2.0], [2.0, -2.0], [2.0, 2.0], [-2.0, 2.0]]) {
        assert!((found[1] - expected[0]).abs() < 1e-4 && (found[2] - expected[1]).abs() < 1e-4, "{found:?}");
    }
}

#[test]
fn hidden_surfaces_and_those_seen_from_behind() {
    assert!(!scripted("x { surfaceparm nodraw\n{ map a.tga } }").0.meshes.as_slice()[0].shown);
    assert_eq!(scripted("x { cull back\n{ map a.tga } }").0.meshes.as_slice()[0].indices[..3], [2, 1, 0]);
    // Without a script, or without stages, nothing changes.
    assert_eq!(scripted("y { { map a.tga } }").0.materials.as_slice()[0].layers, [Layer::default()]);
    assert_eq!(scripted("x { }").0.materials.as_slice()[0].layers, [Layer::default()]);
}

#[test]
fn numbers_that_overflow_leave_a_valid_scene_and_are_reported() {
    for text in [
        "tcMod scale 1e30 1e30\ntcMod scale 1e30 1e30",
        "tcMod scroll 3e38 3e38\ntcMod scroll 3e38 3e38",
        "tcMod scroll 3e38 0\ntcMod scale 1e30 1\ntcMod scroll -3e38 0\ntcMod scale -1e30 1",
        "rgbGen wave sin 3e38 3e38 0 1",
        "alphaGen wave sawtooth 3e38 3e38 0 1",
    ] {
        let (scene, report) = scripted(&format!("x\n{{\n{{\nmap a.tga\n{text}\n}}\n}}"));
        validate(scene.clone()).unwrap();
        assert!(!report.notes().is_empty(), "{text}");
        assert!(scene.global_sequences.as_slice().iter().all(|clock| clock.length > 0), "{text}");
    }
}

#[test]
fn sawtooth_waves_rise_and_fall_in_straight_lines() {
    for (text, expected) in [
        ("sawtooth 0 1 0 1", [0.0, 0.25, 0.9]),
        ("sawtooth 0 1 0 -1", [1.0, 0.75, 0.1]),
        ("inversesawtooth 0 1 0 1", [1.0, 0.75, 0.1]),
        ("inversesawtooth 0 1 0 -1", [0.0, 0.25, 0.9]),
        ("sawtooth 0 1 0.5 1", [0.5, 0.75, 0.4]),
        ("sawtooth 0 1 0.25 -1", [0.25, 0.0, 0.35]),
        ("sawtooth 0 1 0.5 2", [0.5, 1.0, 0.3]),
    ] {
        let (scene, layer) = stage(&format!("rgbGen wave {text}"));
        let scene = validate(scene).unwrap();
        let sampler = Sampler::new(&scene);
        let at = |clock| sampler.value(&layer.color, &Moment { clock, ..Moment::default() })[0];
        for (clock, expected) in [0.0, 249.0, 900.0].into_iter().zip(expected) {
            assert!((at(clock) - expected).abs() < 2e-3, "{text} at {clock}: {}", at(clock));
        }
        // Not a step: a sixteenth of the period is not flat.
        assert!((at(310.0) - at(290.0)).abs() > 0.015, "{text}");
    }
}

#[test]
fn unsupported_directives_are_reported() {
    for text in [
        "deformVertexes wave 100 sin 0 1 0 1\n{ map a.tga }",
        "deformVertexes autoSprite2\n{ map a.tga }",
        "{ animMap 4 a.tga $whiteimage b.tga }",
        &format!("{{ animMap 4 {} }}", "a.tga ".repeat(MOST_IMAGES + 1)),
        &"{ map a.tga }\n".repeat(MOST_STAGES + 1),
    ] {
        let (scene, report) = scripted(&format!("x {{\n{text}\n}}"));
        validate(scene.clone()).unwrap();
        assert_eq!(report.notes().len(), 1, "{text}: {report:?}");
    }
}

#[test]
fn surfaces_are_drawn_in_the_order_of_the_games() {
    let priority = |text: &str| scripted(&format!("x {{\n{text}\n}}")).0.materials.as_slice()[0].priority;
    assert_eq!(priority("{ map a.tga }"), 3);
    assert_eq!(priority("{ map a.tga\nblendFunc add }"), 9);
    assert_eq!(priority("sort underwater\n{ map a.tga }"), 8);
}

#[test]
fn a_surface_without_a_script_is_as_see_through_as_its_image() {
    let mut scene = Scene::default();
    for (name, blend) in [
        ("leaf", Blend::Opaque),
        ("soft", Blend::Opaque),
        ("stone", Blend::Opaque),
        ("scripted", Blend::Opaque),
        ("glass", Blend::Add),
    ] {
        let texture = Texture { path: name.into(), replaceable: None, repeat: [true; 2] };
        let texture = Some(scene.textures.push(texture));
        let layer = Layer {
            blend,
            textures: vec![LayerTexture { texture, ..LayerTexture::default() }],
            ..Layer::default()
        };
        scene.materials.push(Material { name: name.into(), layers: vec![layer], ..Material::default() });
    }
    let report = apply_alpha(
        &mut scene,
        |name| name == "scripted",
        |texture| match texture.path.as_str() {
            "stone" => None,
            "soft" => Some(Blend::Alpha),
            _ => Some(Blend::AlphaKey),
        },
    );
    let found: Vec<_> = scene
        .materials
        .as_slice()
        .iter()
        .map(|material| {
            (material.layers[0].blend, material.layers[0].alpha_test, material.layers[0].no_depth_write)
        })
        .collect();
    let default = Layer::default().alpha_test;
    assert_eq!(
        found,
        [
            (Blend::AlphaKey, 0.5, false),
            (Blend::Alpha, default, true),
            (Blend::Opaque, default, false),
            (Blend::Opaque, default, false),
            (Blend::Add, default, false),
        ]
    );
    let text = report.to_string();
    let notes: Vec<&str> = text.lines().collect();
    assert_eq!(notes.len(), 2, "{notes:?}");
    assert!(notes[0].contains("leaf") && notes[0].contains("cut out"), "{notes:?}");
}

#[test]
fn two_factors_are_a_blend_mode() {
    use Factor::{DstAlpha, DstColor, One, OneMinusSrcAlpha, OneMinusSrcColor, SrcAlpha, SrcColor, Zero};
    for (source, destination, mode, exact) in [
        (One, Zero, Blend::Opaque, true),
        (One, One, Blend::Add, true),
        (SrcAlpha, One, Blend::AddAlpha, true),
        (SrcAlpha, OneMinusSrcAlpha, Blend::Alpha, true),
        (DstColor, Zero, Blend::Modulate, true),
        (Zero, SrcColor, Blend::Modulate, true),
        (DstColor, SrcColor, Blend::Modulate2x, true),
        (SrcColor, One, Blend::Add, false),
        (One, OneMinusSrcColor, Blend::Add, false),
        (Zero, OneMinusSrcAlpha, Blend::Modulate, false),
        (DstColor, DstAlpha, Blend::Modulate, false),
        (One, OneMinusSrcAlpha, Blend::Alpha, false),
    ] {
        assert_eq!(blend(Some([source, destination])), (mode, exact), "{source:?} {destination:?}");
    }
    assert_eq!(blend(None), (Blend::Opaque, true));
}

#[test]
fn a_texture_is_back_when_both_coordinates_have_moved_by_whole_images() {
    for (speed, seconds) in [
        ([0.0, 0.0], 1.0),
        ([0.25, 0.0], 4.0),
        ([0.0, -0.5], 2.0),
        ([0.5, 0.25], 4.0),
        ([0.3, 0.2], 10.0),
        ([-0.2, 0.3], 10.0),
        // The slow one decides, however fast the other is.
        ([1.0, 0.01], 100.0),
        ([0.01, 1.0], 100.0),
    ] {
        let found = round_trip(speed);
        assert!((found - seconds).abs() < 1e-3 * seconds, "{speed:?}: {found}, not {seconds}");
    }
}

#[test]
fn both_directions_of_scrolling_come_round_together() {
    // Seconds until both have gone a whole number of images.
    for (speed, seconds) in [
        ([1.0, 0.0], 1.0),
        ([0.0, 2.0], 0.5),
        ([0.0, 0.0], 1.0),
        ([1.0, 2.0], 1.0),
        ([2.0, 3.0], 1.0),
        ([3.0, 2.0], 1.0),
        ([-0.5, 1.5], 2.0),
        ([0.25, -0.75], 4.0),
    ] {
        let found = round_trip(speed);
        assert!((found - seconds).abs() < 1e-4, "{speed:?}: {found}");
    }
}

#[test]
fn a_sawtooth_jumps_where_its_phase_says() {
    let wave = |shape: Shape, phase: f32, frequency: f32| Wave {
        shape,
        base: 1.0,
        amplitude: 4.0,
        phase,
        frequency,
    };
    let near = |found: Vec<(u32, f32)>, expected: &[(u32, f32)]| {
        let close = found.iter().zip(expected).all(|(a, b)| a.0 == b.0 && (a.1 - b.1).abs() < 1e-3);
        assert!(found.len() == expected.len() && close, "{found:?} {expected:?}");
    };
    // Twice a second: from 1 to 5 within 500 ms.
    near(teeth(&wave(Shape::Sawtooth, 0.0, 2.0), 500), &[(0, 1.0), (500, 5.0)]);
    near(teeth(&wave(Shape::InverseSawtooth, 0.0, 2.0), 500), &[(0, 5.0), (500, 1.0)]);
    near(teeth(&wave(Shape::Sawtooth, 0.25, 2.0), 500), &[(0, 2.0), (374, 5.0), (375, 1.0), (500, 2.0)]);
    // A jump after two milliseconds is one; after one it is left out, and so is one after the end.
    near(teeth(&wave(Shape::Sawtooth, 0.996, 2.0), 500), &[(0, 4.984), (1, 5.0), (2, 1.0), (500, 4.984)]);
    near(teeth(&wave(Shape::Sawtooth, 0.998, 2.0), 500), &[(0, 1.0), (500, 5.0)]);
    near(teeth(&wave(Shape::Sawtooth, 0.25, 2.0), 300), &[(0, 1.0), (300, 5.0)]);
}
