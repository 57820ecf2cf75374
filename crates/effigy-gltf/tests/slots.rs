//! Materials, cameras and lights of files written by hand: every slot and every default.

use crate::common;

use common::glb::{said, triangle};
use common::near;
use effigy_scene::{Blend, Coordinates, Id, Material, Role, Scene};
use serde_json::{Value, json};

/// Four textures and this material.
fn painted(material: Value) -> (Scene, Vec<String>) {
    triangle(|_| {
        json!({
            "images": [{"uri": "a.png"}, {"uri": "b.png"}, {"uri": "c.png"}, {"uri": "d.png"}],
            "textures": [{"source": 0}, {"source": 1}, {"source": 2}, {"source": 3}],
            "materials": [material.clone()]
        })
    })
}

/// Role, path, set of coordinates and number of the transform of each texture of a layer.
fn textures(scene: &Scene, layer: usize) -> Vec<(Role, String, Coordinates, Option<usize>)> {
    let material: &Material = &scene.materials.as_slice()[0];
    let of = |it: &effigy_scene::LayerTexture| {
        let path = scene.textures.get(it.texture.unwrap()).unwrap().path.clone();
        (it.role, path, it.coordinates, it.transform.map(Id::index))
    };
    material.layers[layer].textures.iter().map(of).collect()
}

#[test]
fn every_texture_of_a_material_has_its_role_its_coordinates_and_its_transform() {
    let moved = |number: f32| json!({"KHR_texture_transform": {"offset": [number, 0.0], "texCoord": 1}});
    let (scene, notes) = painted(json!({
        "pbrMetallicRoughness": {
            "baseColorTexture": {"index": 0, "extensions": moved(0.25)},
            "metallicRoughnessTexture": {"index": 1, "texCoord": 2}
        },
        "normalTexture": {"index": 2},
        "emissiveTexture": {"index": 3, "texCoord": 3, "extensions": moved(0.5)},
        "emissiveFactor": [0.0, 0.0, 1.0],
        "doubleSided": true
    }));
    let material = &scene.materials.as_slice()[0];
    assert!(material.physical && material.layers.len() == 2);
    let set = Coordinates::Set;
    // The transform's own set of coordinates counts more than that of the texture.
    assert_eq!(
        textures(&scene, 0),
        [
            (Role::Base, "a.png".to_owned(), set(1), Some(0)),
            (Role::Orm, "b_orm.png".to_owned(), set(2), None),
            (Role::Normal, "c_normal.png".to_owned(), set(0), None)
        ]
    );
    assert_eq!(textures(&scene, 1), [(Role::Base, "d.png".to_owned(), set(1), Some(1))]);
    let glow = &material.layers[1];
    assert_eq!(
        (glow.blend, glow.unlit, glow.two_sided, glow.color.base),
        (Blend::Add, true, true, [0.0, 0.0, 1.0])
    );
    let shifts: Vec<f32> =
        scene.texture_transforms.as_slice().iter().map(|it| it.translation.base[0]).collect();
    near(&shifts, &[0.25, 0.5]);
    assert!(!said(&notes, "cannot be undone"));
}

#[test]
fn one_map_makes_a_material_physical_and_no_light_leaves_the_maps_out() {
    let physical = |material: Value| {
        let (scene, _) = painted(material);
        (
            scene.materials.as_slice()[0].physical,
            textures(&scene, 0).len(),
            scene.materials.as_slice()[0].layers.len(),
        )
    };
    assert_eq!(physical(json!({"normalTexture": {"index": 0}})), (true, 1, 1));
    let metal = json!({"pbrMetallicRoughness": {"metallicRoughnessTexture": {"index": 0}}});
    assert_eq!(physical(metal), (true, 1, 1));
    assert_eq!(physical(json!({"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}})), (false, 1, 1));
    let unlit = json!({"normalTexture": {"index": 0}, "extensions": {"KHR_materials_unlit": {}}});
    assert_eq!(physical(unlit), (false, 0, 1));
    // A picture of light without a factor is black.
    assert_eq!(physical(json!({"emissiveTexture": {"index": 0}})), (false, 0, 1));
    let strong = json!({"emissiveFactor": [0.0, 1.0, 0.0], "extensions": {"KHR_materials_emissive_strength": {"emissiveStrength": 0.0}}});
    assert_eq!(physical(strong), (false, 0, 1));
}

#[test]
fn transforms_that_flatten_a_texture_are_left_out_with_a_reason() {
    for scale in [json!([0.0, 1.0]), json!([1.0, 0.0]), json!([1e39, 1.0]), json!([1.0, 1e39])] {
        let info = json!({"index": 0, "extensions": {"KHR_texture_transform": {"scale": scale}}});
        let (scene, notes) = painted(json!({"pbrMetallicRoughness": {"baseColorTexture": info}}));
        assert!(said(&notes, "materials[0]: a texture transform that cannot be undone was left out"));
        assert_eq!(textures(&scene, 0)[0].3, None);
        assert!(scene.texture_transforms.is_empty());
    }
    // A quarter turn with different sizes: t = c + S^-1 R^-1 (o - c), with a turn by -90 degrees of the game.
    let turned = json!({"offset": [0.25, 0.0], "rotation": std::f32::consts::FRAC_PI_2, "scale": [2.0, 4.0]});
    let info = json!({"index": 0, "extensions": {"KHR_texture_transform": turned}});
    let (scene, _) = painted(json!({"pbrMetallicRoughness": {"baseColorTexture": info}}));
    let transform = &scene.texture_transforms.as_slice()[0];
    // o - c = (-0.25, -0.5); turned back it is (0.5, -0.25); divided (0.25, -0.0625).
    near(&transform.translation.base, &[0.75, 0.4375, 0.0]);
    near(&transform.scale.base, &[2.0, 4.0, 1.0]);
    let half = std::f32::consts::FRAC_1_SQRT_2;
    near(&transform.rotation.base.0, &[0.0, 0.0, -half, half]);
}

#[test]
fn cameras_and_lights_without_numbers_have_the_defaults() {
    let (scene, notes) = triangle(|_| {
        json!({
            "scenes": [{"nodes": [0, 1, 2, 3, 4]}],
            "nodes": [
                {"name": "Thing", "mesh": 0},
                {"name": "Wide", "camera": 0, "scale": [2.0, 2.0, 2.0]},
                {"name": "Flat", "camera": 1},
                {"name": "Lamp", "extensions": {"KHR_lights_punctual": {"light": 0}}},
                {"name": "None", "camera": 9, "extensions": {"KHR_lights_punctual": {"light": 9}}}
            ],
            "cameras": [
                {"type": "perspective", "perspective": {"yfov": 0.6, "znear": 0.5, "aspectRatio": 0.0}},
                {"name": "Own", "type": "perspective", "perspective": {"yfov": 0.6, "znear": 0.5, "zfar": 9.0, "aspectRatio": 2.4}}
            ],
            "extensions": {"KHR_lights_punctual": {"lights": [{"type": "point"}]}}
        })
    });
    let [wide, own] = scene.cameras.as_slice() else { panic!("{:?}", scene.cameras) };
    // An aspect ratio of 0 is none: 4 to 3, of which the diagonal is 5 parts to 3.
    near(&[wide.fov, wide.near, wide.far], &[1.0, 0.5, 10_000.0]);
    // 100 units ahead, whatever the size of its node: -Z of the file is -X of the scene.
    near(&wide.target, &[-100.0, 0.0, 0.0]);
    near(&wide.position, &[0.0; 3]);
    // sqrt(1 + 2.4 * 2.4) = 2.6.
    near(&[own.fov, own.near, own.far], &[1.56, 0.5, 9.0]);
    assert_eq!((wide.name.as_str(), own.name.as_str()), ("Wide", "Own"));
    let [lamp] = scene.lights.as_slice() else { panic!() };
    assert_eq!((lamp.name.as_str(), lamp.color.base, lamp.intensity.base), ("Lamp", [1.0; 3], 1.0));
    assert_eq!((lamp.attenuation_start.base, lamp.attenuation_end.base), (0.0, 10_000.0));
    assert_eq!((lamp.ambient_intensity.base, lamp.visibility.base), (0.0, 1.0));
    assert!(said(&notes, "lights: their intensity is in the file's unit, not in the game's"));
    assert!(!said(&notes, "a spot light"));
}

#[test]
fn a_camera_moves_with_the_nodes_above_it_in_every_animation() {
    let (scene, _) = triangle(|glb| {
        let mut animation = |seconds: f32, height: f32| {
            let input = glb.floats("SCALAR", &[0.0, seconds]);
            let output = glb.floats("VEC3", &[0.0, 0.0, 0.0, 0.0, height, 0.0]);
            let channel = json!({"sampler": 0, "target": {"node": 1, "path": "translation"}});
            json!({"samplers": [{"input": input, "output": output}], "channels": [channel]})
        };
        let animations = json!([animation(0.066, 66.0), animation(0.04, 40.0)]);
        json!({
            "scenes": [{"nodes": [0, 1, 3]}],
            "nodes": [
                {"name": "Thing", "mesh": 0}, {"name": "Crane", "children": [2]}, {"name": "Eye", "camera": 0},
                {"name": "Still", "camera": 0}
            ],
            "cameras": [{"type": "perspective", "perspective": {"yfov": 0.6, "znear": 0.5}}],
            "animations": animations
        })
    });
    let [eye, still] = scene.cameras.as_slice() else { panic!() };
    assert!(still.translation.is_none() && still.target_translation.is_none());
    for track in [eye.translation.as_ref().unwrap(), eye.target_translation.as_ref().unwrap()] {
        // Every 33 ms and at the end; the second begins a second after the first.
        assert_eq!(track.times, [0, 33, 66, 1066, 1099, 1106]);
        assert_eq!(track.windows, [[0, 2], [3, 5]]);
        let heights: Vec<f32> = track.values.iter().map(|it| it[2]).collect();
        near(&heights, &[0.0, 33.0, 66.0, 0.0, 33.0, 40.0]);
    }
}

#[test]
fn a_camera_that_moves_for_a_day_has_a_limited_number_of_positions() {
    let (scene, _) = triangle(|glb| {
        let input = glb.floats("SCALAR", &[0.0, 86_400.0]);
        let output = glb.floats("VEC3", &[0.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
        let channel = json!({"sampler": 0, "target": {"node": 1, "path": "translation"}});
        json!({
            "scenes": [{"nodes": [0, 1]}],
            "nodes": [{"name": "Thing", "mesh": 0}, {"name": "Eye", "camera": 0}],
            "cameras": [{"type": "perspective", "perspective": {"yfov": 0.6, "znear": 0.5}}],
            "animations": [{"samplers": [{"input": input, "output": output}], "channels": [channel]}]
        })
    });
    let track = scene.cameras.as_slice()[0].translation.as_ref().unwrap();
    assert_eq!((track.times.len(), track.values.len()), (100_000, 100_000));
    assert_eq!((track.times[99_999], &track.windows[..]), (33 * 99_999, &[[0, 99_999]][..]));
}
