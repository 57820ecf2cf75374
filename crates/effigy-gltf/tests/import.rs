//! Files written by hand and the scenes that they become, against values computed by hand.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::float_cmp)]

use crate::common::glb::{Glb, said, triangle};
use effigy_gltf::Model;
use effigy_scene::{Blend, Coordinates, Interpolation, LightKind, NodeKind, Role, Rotation, Scene, Track};
use serde_json::{Value, json};

#[track_caller]
fn near(found: &[f32], expected: &[f32]) {
    let same = found.len() == expected.len() && found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-4);
    assert!(same, "{found:?}, not {expected:?}");
}

/// 0.5 of the games' space in linear light.
const HALF: f32 = 0.214_041_14;

#[test]
fn what_faces_z_in_the_file_faces_x_in_the_scene() {
    let (scene, _) = triangle(|_| json!({}));
    let mesh = &scene.meshes.as_slice()[0];
    assert_eq!(mesh.positions, [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [3.0, 0.0, 2.0]]);
    assert_eq!(mesh.uvs[0], [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]);
    assert_eq!(mesh.indices, [0, 1, 2]);
    let node = &scene.nodes.as_slice()[0];
    assert_eq!((node.name.as_str(), node.kind), ("Thing", NodeKind::Bone));
}

#[test]
fn integers_strides_and_sparse_values_are_read() {
    let (scene, _) = triangle(|glb| {
        // Shorts with a stride of 8, of which the last two bytes are not used.
        let shorts: Vec<u8> =
            [0_i16, 0, 0, 9, 10, 0, -20, 9, 0, 30, 0, 9].iter().flat_map(|it| it.to_le_bytes()).collect();
        let json = json!({"componentType": 5122, "count": 3, "type": "VEC3"});
        let position = glb.accessor(json, &shorts, Some(8));
        // Bytes from 0 to 1.
        let json = json!({"componentType": 5121, "count": 3, "type": "VEC2", "normalized": true});
        let uv = glb.accessor(json, &[0, 255, 51, 102, 255, 0], None);
        let indices =
            glb.accessor(json!({"componentType": 5121, "count": 3, "type": "SCALAR"}), &[2, 1, 0], None);
        // No normals but the second, which is stored sparsely: signed bytes, -127 is -1.
        let (at, new) = (glb.view(&[1, 0], None), glb.view(&[0, 0x81, 0], None));
        let sparse = json!({"count": 1, "indices": {"bufferView": at, "componentType": 5123}, "values": {"bufferView": new}});
        glb.accessors.push(
            json!({"componentType": 5120, "count": 3, "type": "VEC3", "normalized": true, "sparse": sparse}),
        );
        let normal = glb.accessors.len() - 1;
        let attributes = json!({"POSITION": position, "TEXCOORD_0": uv, "NORMAL": normal});
        json!({"meshes": [{"primitives": [{"attributes": attributes, "indices": indices}]}]})
    });
    let mesh = &scene.meshes.as_slice()[0];
    assert_eq!(mesh.positions, [[0.0, 0.0, 0.0], [-20.0, 10.0, 0.0], [0.0, 0.0, 30.0]]);
    near(mesh.uvs[0].as_flattened(), &[0.0, 1.0, 0.2, 0.4, 1.0, 0.0]);
    assert_eq!(mesh.indices, [2, 1, 0]);
    near(&mesh.normals[1], &[0.0, 0.0, -1.0]);
}

#[test]
fn materials_become_layers() {
    let with =
        |material: Value| triangle(|_| json!({"materials": [material]})).0.materials.as_slice()[0].clone();
    let plain = with(json!({"name": "Paint"}));
    let layer = &plain.layers[0];
    assert_eq!((plain.name.as_str(), plain.layers.len(), plain.physical), ("Paint", 1, false));
    assert_eq!(
        (layer.blend, layer.unlit, layer.two_sided, layer.color.base),
        (Blend::Opaque, false, false, [1.0; 3])
    );
    let colored = with(json!({
        "alphaMode": "BLEND", "doubleSided": true, "extensions": {"KHR_materials_unlit": {}},
        "pbrMetallicRoughness": {"baseColorFactor": [1.0, HALF, 0.001, 0.25]}
    }));
    let layer = &colored.layers[0];
    assert_eq!(
        (layer.blend, layer.unlit, layer.two_sided, layer.alpha.base),
        (Blend::Alpha, true, true, 0.25)
    );
    near(&layer.color.base, &[1.0, 0.5, 0.012_92]);
    // Alpha counts only where it is used.
    let opaque = with(json!({"pbrMetallicRoughness": {"baseColorFactor": [1.0, 1.0, 1.0, 0.25]}}));
    assert_eq!(opaque.layers[0].alpha.base, 1.0);
    for (cutoff, expected) in [(Value::Null, 0.5), (json!(0.75), 0.75), (json!(7.0), 1.0)] {
        let mut material = json!({"alphaMode": "MASK"});
        if !cutoff.is_null() {
            material["alphaCutoff"] = cutoff;
        }
        let layer = with(material).layers[0].clone();
        assert_eq!((layer.blend, layer.alpha_test), (Blend::AlphaKey, expected));
    }
    // Light of its own is added: 0.107 * 2 in linear light.
    let glow = with(json!({
        "emissiveFactor": [HALF * 0.5, 0.0, 0.9], "extensions": {"KHR_materials_emissive_strength": {"emissiveStrength": 2.0}}
    }));
    let [base, light] = glow.layers.as_slice() else { panic!("{glow:?}") };
    assert_eq!((base.blend, light.blend, light.unlit), (Blend::Opaque, Blend::Add, true));
    near(&light.color.base, &[0.5, 0.0, 1.0]);
    assert_eq!(with(json!({"emissiveFactor": [0.0, 0.0, 0.0]})).layers.len(), 1);
}

#[test]
fn textures_have_roles_names_and_wrapping() {
    let images = json!({
        "images": [{"uri": "skin.png"}, {"uri": "skin.png"}, {"name": "a:b", "mimeType": "image/jpeg", "bufferView": 0}],
        "samplers": [{"wrapS": 33071}],
        "textures": [{"source": 0, "sampler": 0}, {"source": 1}, {"source": 2}],
        "materials": [{
            "pbrMetallicRoughness": {
                "baseColorTexture": {"index": 0, "texCoord": 1, "extensions": {"KHR_texture_transform": {"offset": [0.5, 0.25]}}},
                "metallicRoughnessTexture": {"index": 2}
            },
            "normalTexture": {"index": 1}
        }]
    });
    let (scene, _) = triangle(|_| images.clone());
    let material = &scene.materials.as_slice()[0];
    assert!(material.physical);
    let found: Vec<_> = material.layers[0]
        .textures
        .iter()
        .map(|it| {
            let texture = scene.textures.get(it.texture.unwrap()).unwrap();
            (it.role, texture.path.as_str(), texture.repeat)
        })
        .collect();
    // The second file of the same name gets its number; roles that change pixels get a suffix.
    assert_eq!(
        found,
        [
            (Role::Base, "skin.png", [false, true]),
            (Role::Orm, "a_b_orm.jpg", [true; 2]),
            (Role::Normal, "skin 1_normal.png", [true; 2])
        ]
    );
    assert_eq!(material.layers[0].textures[0].coordinates, Coordinates::Set(1));
    let transform = &scene.texture_transforms.as_slice()[0];
    near(&transform.translation.base, &[0.5, 0.25, 0.0]);
    // Unlit materials have a colour only.
    let mut unlit = images;
    unlit["materials"][0]["extensions"] = json!({"KHR_materials_unlit": {}});
    let (scene, _) = triangle(|_| unlit.clone());
    assert_eq!(
        (scene.materials.as_slice()[0].layers[0].textures.len(), scene.materials.as_slice()[0].physical),
        (1, false)
    );
}

#[test]
fn what_maps_of_a_material_do_not_say_is_reported() {
    let notes = |change: &dyn Fn(&mut Value)| {
        let mut all = json!({
            "images": [{"uri": "orm.png"}, {"uri": "shade.png"}],
            "textures": [{"source": 0}, {"source": 0}, {"source": 1}],
            "materials": [{
                "pbrMetallicRoughness": {"metallicRoughnessTexture": {"index": 0}, "roughnessFactor": 1.0},
                "occlusionTexture": {"index": 0}
            }]
        });
        change(&mut all["materials"][0]);
        let (_, notes) = triangle(|_| all.clone());
        assert_eq!(
            said(&notes, "materials[0]: the scale of its normal map"),
            all["materials"][0]["normalTexture"]["scale"] == json!(0.5)
        );
        [said(&notes, "materials[0]: the factors of metal"), said(&notes, "materials[0]: a map of shade")]
    };
    assert_eq!(notes(&|_| {}), [false, false]);
    assert_eq!(notes(&|it| it["occlusionTexture"]["index"] = json!(1)), [false, false]);
    assert_eq!(notes(&|it| it["occlusionTexture"]["index"] = json!(2)), [false, true]);
    for factor in ["metallicFactor", "roughnessFactor"] {
        assert_eq!(notes(&|it| it["pbrMetallicRoughness"][factor] = json!(0.5)), [true, false]);
    }
    for scale in [0.5, 1.0] {
        let steep = |it: &mut Value| it["normalTexture"] = json!({"index": 0, "scale": scale});
        assert_eq!(notes(&steep), [false, false]);
    }
    // Without a map the factors are not of one, and a material without maps is not drawn with any.
    let bare = |it: &mut Value| it["pbrMetallicRoughness"] = json!({"metallicFactor": 0.0});
    assert_eq!(notes(&bare), [false, false]);
    let rest = |it: &mut Value| {
        bare(it);
        it["normalTexture"] = json!({"index": 2});
    };
    assert_eq!(notes(&rest), [false, true]);
}

/// The keys of a track, with the sequence's start taken away.
fn keys<T: Copy>(track: &Track<T>) -> Vec<(i32, T)> {
    track.times.iter().copied().zip(track.values.iter().copied()).collect()
}

#[test]
fn animations_follow_one_another_and_tangents_are_per_segment() {
    let (scene, _) = triangle(|glb| {
        let long = glb.floats("SCALAR", &[0.0, 0.5, 2.0]);
        let short = glb.floats("SCALAR", &[0.0, 0.25]);
        let places = glb.floats("VEC3", &[0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 0.0, 0.0, 0.0]);
        let rows = [[0.0; 3], [0.0; 3], [4.0, 0.0, 0.0], [8.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0; 3]];
        let cubic = glb.floats("VEC3", rows.as_flattened());
        let sizes = glb.floats("VEC3", &[1.0, 1.0, 1.0, 2.0, 3.0, 4.0]);
        let target = |path: &str| json!({"node": 0, "path": path});
        let sampler = |input: usize, output: usize, mode: &str| json!({"input": input, "output": output, "interpolation": mode});
        json!({"animations": [
            {"name": "Walk", "channels": [{"sampler": 0, "target": target("translation")}], "samplers": [sampler(long, places, "LINEAR")]},
            {"channels": [
                {"sampler": 0, "target": target("translation")}, {"sampler": 1, "target": target("scale")}
            ], "samplers": [sampler(short, cubic, "CUBICSPLINE"), sampler(short, sizes, "STEP")], "extras": {"looping": false}}
        ]})
    });
    let list: Vec<_> = scene
        .sequences
        .as_slice()
        .iter()
        .map(|it| (it.name.as_str(), it.start, it.end, it.looping))
        .collect();
    assert_eq!(list, [("Walk", 0, 2000, true), ("Animation 1", 3000, 3250, false)]);
    let node = &scene.nodes.as_slice()[0];
    let track = node.translation.track.as_ref().unwrap();
    assert_eq!(track.interpolation, Interpolation::Hermite);
    // (x, y, z) of the file is (z, x, y) of the scene.
    assert_eq!(
        keys(track),
        [(0, [0.0; 3]), (500, [3.0, 1.0, 2.0]), (2000, [0.0; 3]), (3000, [0.0; 3]), (3250, [0.0, 1.0, 0.0])]
    );
    assert_eq!(track.windows, [[0, 2], [3, 4]]);
    // Straight pieces have the change as tangents; cubic ones theirs times a quarter of a second.
    assert_eq!(track.tangents[0][1], [3.0, 1.0, 2.0]);
    assert_eq!(track.tangents[1], [[3.0, 1.0, 2.0], [-3.0, -1.0, -2.0]]);
    assert_eq!((track.tangents[3][1], track.tangents[4][0]), ([0.0, 1.0, 0.0], [0.0, 2.0, 0.0]));
    let scale = node.scale.track.as_ref().unwrap();
    assert_eq!(scale.interpolation, Interpolation::Step);
    // In the first animation it rests.
    assert_eq!(keys(scale), [(0, [1.0; 3]), (3000, [1.0; 3]), (3250, [4.0, 2.0, 3.0])]);
}

#[test]
fn cameras_and_lights_look_and_shine_along_minus_z() {
    let (scene, notes) = triangle(|_| {
        let half = std::f32::consts::FRAC_1_SQRT_2;
        json!({
            "scenes": [{"nodes": [0, 1, 2, 3, 4]}],
            "nodes": [
                {"name": "Thing", "mesh": 0},
                {"name": "Eye", "camera": 0, "translation": [1.0, 2.0, 3.0]},
                {"name": "Map", "camera": 1},
                // Turned by a quarter about Y: -Z becomes -X.
                {"name": "Sun", "rotation": [0.0, half, 0.0, half], "extensions": {"KHR_lights_punctual": {"light": 0}}},
                {"name": "Lamp", "translation": [0.0, 5.0, 0.0], "extensions": {"KHR_lights_punctual": {"light": 1}}}
            ],
            "cameras": [
                {"type": "perspective", "perspective": {"yfov": 0.6, "aspectRatio": 0.75, "znear": 0.5, "zfar": 80.0}},
                {"type": "orthographic", "orthographic": {"xmag": 1.0, "ymag": 1.0, "znear": 0.1, "zfar": 1.0}}
            ],
            "extensions": {"KHR_lights_punctual": {"lights": [
                {"type": "directional", "intensity": 3.0},
                {"name": "Bulb", "type": "spot", "color": [1.0, HALF, 0.0], "range": 7.0}
            ]}}
        })
    });
    let [camera] = scene.cameras.as_slice() else { panic!() };
    assert_eq!((camera.name.as_str(), camera.position), ("Eye", [3.0, 1.0, 2.0]));
    // A hundred units ahead, which is -X in the scene.
    near(&camera.target, &[-97.0, 1.0, 2.0]);
    // The games count the diagonal: 0.6 * sqrt(1 + 0.75^2).
    near(&[camera.fov, camera.near, camera.far], &[0.75, 0.5, 80.0]);
    assert!(said(&notes, "cameras[1]: a camera without perspective has no place"));
    assert!(camera.translation.is_none() && !said(&notes, "motion of cameras"));
    let [sun, lamp] = scene.lights.as_slice() else { panic!() };
    assert_eq!((sun.name.as_str(), sun.kind, sun.intensity.base), ("Sun", LightKind::Directional, 3.0));
    // -Z of the scene is turned to -Y, which is -X of the file.
    let Rotation([x, y, z, w]) = scene.nodes.get(sun.node).unwrap().rotation.base;
    let turned = glam::Quat::from_xyzw(x, y, z, w) * glam::Vec3::NEG_Z;
    near(&turned.to_array(), &[0.0, -1.0, 0.0]);
    assert_eq!((lamp.name.as_str(), lamp.kind, lamp.position), ("Bulb", LightKind::Omni, [0.0, 0.0, 5.0]));
    near(&lamp.color.base, &[1.0, 0.5, 0.0]);
    assert_eq!(
        (lamp.attenuation_end.base, lamp.intensity.base, sun.attenuation_end.base),
        (7.0, 1.0, 10_000.0)
    );
    assert!(said(&notes, "lights[1]: a spot light shines in all directions") && !said(&notes, "lights[0]"));
}

#[test]
fn a_camera_that_moves_is_sampled() {
    let (scene, notes) = triangle(|glb| {
        let times = glb.floats("SCALAR", &[0.0, 0.066]);
        let places = glb.floats("VEC3", &[0.0, 0.0, 0.0, 0.0, 66.0, 0.0]);
        json!({
            "scenes": [{"nodes": [0, 1]}],
            "nodes": [{"name": "Thing", "mesh": 0}, {"name": "Eye", "camera": 0}],
            "cameras": [{"type": "perspective", "perspective": {"yfov": 0.6, "znear": 0.5}}],
            "animations": [{"channels": [{"sampler": 0, "target": {"node": 1, "path": "translation"}}], "samplers": [{"input": times, "output": places}]}]
        })
    });
    let camera = &scene.cameras.as_slice()[0];
    for track in [camera.translation.as_ref().unwrap(), camera.target_translation.as_ref().unwrap()] {
        assert_eq!(track.times, [0, 33, 66]);
        near(track.values.as_flattened(), &[0.0, 0.0, 0.0, 0.0, 0.0, 33.0, 0.0, 0.0, 66.0]);
        assert_eq!(track.windows, [[0, 2]]);
    }
    assert_eq!(camera.far, 10_000.0);
    near(&[camera.fov], &[0.6 * 5.0 / 3.0]);
    assert!(said(&notes, "the motion of cameras was sampled"));
}

#[test]
fn pointers_move_colours_textures_and_visibility() {
    let (scene, notes) = triangle(|glb| {
        let times = glb.floats("SCALAR", &[0.0, 1.0]);
        let colors = glb.floats("VEC4", &[1.0, 1.0, 1.0, 1.0, 0.0, HALF, 1.0, 0.5]);
        let offsets = glb.floats("VEC2", &[0.0, 0.0, 0.5, 0.25]);
        let shown = glb.accessor(json!({"componentType": 5121, "count": 2, "type": "SCALAR"}), &[1, 0], None);
        let channel = |sampler: usize, pointer: &str| json!({"sampler": sampler, "target": {"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": pointer}}}});
        json!({
            "images": [{"uri": "skin.png"}], "textures": [{"source": 0}],
            "materials": [{"alphaMode": "BLEND", "pbrMetallicRoughness": {
                "baseColorTexture": {"index": 0, "extensions": {"KHR_texture_transform": {"scale": [2.0, 2.0]}}}
            }}],
            "animations": [{
                "channels": [
                    channel(0, "/materials/0/pbrMetallicRoughness/baseColorFactor"),
                    channel(1, "/materials/0/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/offset"),
                    channel(2, "/nodes/0/extensions/KHR_node_visibility/visible"),
                    channel(0, "/materials/0/emissiveFactor")
                ],
                "samplers": [
                    {"input": times, "output": colors}, {"input": times, "output": offsets},
                    {"input": times, "output": shown, "interpolation": "STEP"}
                ]
            }]
        })
    });
    let layer = &scene.materials.as_slice()[0].layers[0];
    let color = layer.color.track.as_ref().unwrap();
    near(color.values.as_flattened(), &[1.0, 1.0, 1.0, 0.0, 0.5, 1.0]);
    assert_eq!(color.times, [0, 1000]);
    assert_eq!(layer.alpha.track.as_ref().unwrap().values, [1.0, 0.5]);
    let slide = scene.texture_transforms.as_slice()[0].translation.track.as_ref().unwrap();
    // Moved before it is scaled about the middle: t = 0.5 + (o - 0.5) / 2.
    near(slide.values.as_flattened(), &[0.25, 0.25, 0.0, 0.5, 0.375, 0.0]);
    let alpha = scene.meshes.as_slice()[0].alpha.track.as_ref().unwrap();
    assert_eq!((alpha.interpolation, &alpha.values[..]), (Interpolation::Step, &[1.0, 0.0][..]));
    let left: Vec<_> = notes.iter().filter(|note| note.contains("not animated in a scene")).collect();
    assert_eq!(left, ["animations: /materials/0/emissiveFactor: this is not animated in a scene"]);
}

#[test]
fn a_small_turn_at_rest_is_kept() {
    let turned = |z: f32| {
        let nodes = json!([{"name": "Thing", "mesh": 0, "rotation": [0.0, 0.0, z, 1.0]}]);
        let (scene, _) = triangle(|_| json!({"nodes": nodes}));
        let node = scene.nodes.as_slice()[0].clone();
        // A turn about z of the file is one about x of the scene, and may be in the pivot's frame or in the node itself.
        (node.rotation.base, scene.meshes.as_slice()[0].positions[1])
    };
    assert_eq!(turned(0.0), (Rotation::IDENTITY, [0.0, 1.0, 0.0]));
    let (rotation, point) = turned(5e-5);
    // Turned by 1e-4 radians: the second corner rises by 1e-4, in the vertices or by the node.
    let by_node = 2.0 * rotation.0[0];
    assert!((by_node + point[2] - 1e-4).abs() < 1e-6, "{rotation:?} {point:?}");
}

#[test]
fn weights_at_rest_shape_the_mesh() {
    for (node, mesh, expected) in [
        (Value::Null, Value::Null, 0.0),
        (Value::Null, json!([0.5]), 0.5),
        (json!([0.25]), json!([0.5]), 0.25),
    ] {
        let (scene, _) = triangle(|glb| {
            let position = glb.floats("VEC3", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 2.0, 3.0]);
            let target = glb.floats("VEC3", &[8.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
            let primitive = json!({"attributes": {"POSITION": position}, "targets": [{"POSITION": target}], "material": 0});
            let mut shape = json!({"primitives": [primitive]});
            let mut thing = json!({"name": "Thing", "mesh": 0});
            if !mesh.is_null() {
                shape["weights"] = mesh.clone();
            }
            if !node.is_null() {
                thing["weights"] = node.clone();
            }
            json!({"meshes": [shape], "nodes": [thing]})
        });
        // x of the file is y of the scene.
        near(&scene.meshes.as_slice()[0].positions[0], &[0.0, 8.0 * expected, 0.0]);
    }
}

#[test]
fn animations_have_names_and_lengths() {
    let mut glb = Glb::default();
    let short = glb.floats("SCALAR", &[0.0, 0.5]);
    let long = glb.floats("SCALAR", &[0.0, 2.5]);
    let moves = glb.floats("VEC3", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    let sampler = |input: usize| json!({"input": input, "output": moves});
    let channel =
        |path: &str, sampler: usize| json!({"sampler": sampler, "target": {"node": 0, "path": path}});
    let model = glb.model(json!({
        "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"name": "Thing"}],
        "animations": [
            {"name": "Jump", "samplers": [sampler(long), sampler(short)],
             "channels": [channel("translation", 0), channel("scale", 1)]},
            {"name": "Nod", "samplers": [sampler(short)], "channels": [channel("translation", 0)]},
        ]
    }));
    assert_eq!(model.animations(), [("Jump".to_owned(), 2.5), ("Nod".to_owned(), 0.5)]);
}

#[test]
fn a_skin_that_was_bound_elsewhere_is_put_where_its_first_joint_rests() {
    let (scene, _) = triangle(|glb| {
        let position = glb.floats("VEC3", &[0.0, 0.0, 0.0, 100.0, 0.0, 0.0, 0.0, 200.0, 0.0]);
        let json = json!({"componentType": 5121, "count": 3, "type": "VEC4"});
        let joints = glb.accessor(json, &[0; 12], None);
        let weights = glb.floats("VEC4", &[1.0, 0.0, 0.0, 0.0].repeat(3));
        // The mesh was drawn in centimetres: the inverse bind matrix makes metres of it.
        let matrix = [0.01, 0., 0., 0., 0., 0.01, 0., 0., 0., 0., 0.01, 0., 0., 0., 0., 1.];
        let inverse = glb.floats("MAT4", &matrix);
        let attributes = json!({"POSITION": position, "JOINTS_0": joints, "WEIGHTS_0": weights});
        json!({
            "scenes": [{"nodes": [0, 1]}],
            "nodes": [{"name": "Thing", "mesh": 0, "skin": 0}, {"name": "Bone"}],
            "skins": [{"joints": [1], "inverseBindMatrices": inverse}],
            "meshes": [{"primitives": [{"attributes": attributes, "material": 0}]}]
        })
    });
    near(&scene.meshes.as_slice()[0].positions[1], &[0.0, 1.0, 0.0]);
}

#[test]
fn keys_that_never_leave_the_rest_are_left_out_and_straight_splines_have_few() {
    let (scene, _) = triangle(|glb| {
        let times = glb.floats("SCALAR", &[0.0, 1.0]);
        let rest = glb.floats("VEC3", &[0.0; 6]);
        let size = glb.floats("VEC3", &[1.0; 6]);
        // A quarter turn about y, whose tangents follow the arc: (0, sin, 0, cos) of 45 degrees per second at both ends.
        let (half, speed) = (std::f32::consts::FRAC_1_SQRT_2, std::f32::consts::FRAC_PI_4);
        let rows = [
            [0.0; 4],
            [0.0, 0.0, 0.0, 1.0],
            [0.0, speed, 0.0, 0.0],
            [0.0, speed * half, 0.0, -speed * half],
            [0.0, half, 0.0, half],
            [0.0; 4],
        ];
        let turns = glb.floats("VEC4", rows.as_flattened());
        let target = |path: &str| json!({"node": 0, "path": path});
        json!({"animations": [{"name": "Turn",
        "channels": [
            {"sampler": 0, "target": target("translation")},
            {"sampler": 1, "target": target("scale")},
            {"sampler": 2, "target": target("rotation")}
        ],
        "samplers": [
            {"input": times, "output": rest}, {"input": times, "output": size},
            {"input": times, "output": turns, "interpolation": "CUBICSPLINE"}
        ]}]})
    });
    let node = &scene.nodes.as_slice()[0];
    assert!(node.translation.track.is_none() && node.scale.track.is_none());
    let track = node.rotation.track.as_ref().unwrap();
    let keys = keys(track);
    // The curve is nearly the arc: a few keys are enough. y of the file is z of the scene.
    assert!((2..=12).contains(&keys.len()), "{}", keys.len());
    for (time, rotation) in keys {
        let angle = 2.0 * rotation.0[2].atan2(rotation.0[3]);
        let expected = std::f32::consts::FRAC_PI_2 * f32::from(u16::try_from(time).unwrap()) / 1000.0;
        assert!((angle - expected).abs() < 3e-3, "{time}: {angle}");
    }
}

/// The triangle with colours of its vertices.
fn painted(colors: &[f32]) -> (Scene, Vec<String>) {
    triangle(|glb| {
        let position = glb.floats("VEC3", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 2.0, 3.0]);
        let color = glb.floats("VEC4", colors);
        let primitive = json!({"attributes": {"POSITION": position, "COLOR_0": color}, "material": 0});
        json!({"meshes": [{"primitives": [primitive]}]})
    })
}

#[test]
fn colours_of_vertices_become_their_mean() {
    let (scene, notes) = painted(&[1.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.5, 0.0, 0.0, 1.0, 0.75]);
    let mesh = &scene.meshes.as_slice()[0];
    let [r, g, b] = mesh.color.base;
    assert!(r > 0.3 && (r - g).abs() < 1e-6 && (g - b).abs() < 1e-6, "{r} {g} {b}");
    near(&[mesh.alpha.base], &[0.75]);
    assert!(said(&notes, "vertex colours became their mean"), "{notes:?}");
    let (scene, notes) = painted(&[1.0, 0.0, 0.0, 0.5].repeat(3));
    assert_eq!(scene.meshes.as_slice()[0].color.base, [1.0, 0.0, 0.0]);
    assert!(!said(&notes, "mean"), "{notes:?}");
}

#[test]
fn weights_along_a_curve_are_sampled_in_the_order_of_their_times() {
    let (scene, _) = triangle(|glb| {
        let position = glb.floats("VEC3", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 2.0, 3.0]);
        let target = glb.floats("VEC3", &[8.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        let primitive =
            json!({"attributes": {"POSITION": position}, "targets": [{"POSITION": target}], "material": 0});
        let input = glb.floats("SCALAR", &[1.0, 2.0]);
        // In, value, out of each key: from 0 to 1 without slopes.
        let output = glb.floats("SCALAR", &[0.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
        let sampler = json!({"input": input, "output": output, "interpolation": "CUBICSPLINE"});
        let channel = json!({"sampler": 0, "target": {"node": 0, "path": "weights"}});
        json!({"meshes": [{"primitives": [primitive]}], "animations": [{"samplers": [sampler], "channels": [channel]}]})
    });
    let morph = scene.meshes.as_slice()[0].morph.as_ref().unwrap();
    let times = &morph.order.times;
    assert!(times.len() > 60 && times.windows(2).all(|pair| pair[0] < pair[1]), "{times:?}");
    let start = scene.sequences.as_slice()[0].start;
    // 3/4 of the way of the time is 27/32 of the way of the weight: t * t * (3 - 2 * t).
    let at = |wanted: i32| {
        let key = (0..times.len()).min_by_key(|key| (times[*key] - start - wanted).abs()).unwrap();
        (
            f64::from(times[key] - start) / 1000.0,
            morph.frames[morph.order.values[key] as usize].positions[0][1],
        )
    };
    for wanted in [1250, 1500, 1750] {
        let (time, found) = at(wanted);
        let t = time - 1.0;
        let expected = 8.0 * t * t * (3.0 - 2.0 * t);
        assert!((f64::from(found) - expected).abs() < 0.02, "{time}: {found} {expected}");
    }
}

#[test]
fn indices_of_32_bits_are_read_and_faces_without_normals_are_flat() {
    // Two faces with a common edge: one looks along x of the scene, the other down.
    let corners = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, -1.0];
    let (scene, _) = triangle(|glb| {
        let position = glb.floats("VEC3", &corners);
        let words: Vec<u8> = [0_u32, 1, 2, 0, 3, 1].iter().flat_map(|it| it.to_le_bytes()).collect();
        let indices =
            glb.accessor(json!({"componentType": 5125, "count": 6, "type": "SCALAR"}), &words, None);
        json!({"meshes": [{"primitives": [{"attributes": {"POSITION": position}, "indices": indices}]}]})
    });
    let mesh = &scene.meshes.as_slice()[0];
    assert_eq!((mesh.positions.len(), mesh.indices.len()), (6, 6));
    let corner = |index: u32| mesh.positions[index as usize];
    // z, x, y of the file are x, y, z of the scene.
    assert_eq!(corner(mesh.indices[1]), [0.0, 1.0, 0.0]);
    assert_eq!(corner(mesh.indices[4]), [-1.0, 1.0, 0.0]);
    near(&mesh.normals[mesh.indices[0] as usize], &[1.0, 0.0, 0.0]);
    near(&mesh.normals[mesh.indices[3] as usize], &[0.0, 0.0, -1.0]);
}

#[test]
fn numbers_may_be_in_a_file_or_in_the_address() {
    let numbers: Vec<u8> =
        [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 2.0, 3.0].iter().flat_map(|it| it.to_le_bytes()).collect();
    let file = |uri: &str| {
        let document = json!({
            "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"name": "Shelf", "nodes": [0]}],
            "nodes": [{"mesh": 0}], "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
            "buffers": [{"uri": uri, "byteLength": 36}], "bufferViews": [{"buffer": 0, "byteLength": 36}],
            "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}]
        });
        Model::read(document.to_string().as_bytes()).unwrap()
    };
    // 1.0 is 0000803f, 2.0 00000040, 3.0 00004040.
    let address = "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAAEAAAEBA";
    let inside = file(address);
    let mut outside = file("numbers.bin");
    assert_eq!(outside.lower().unwrap_err().message(), "numbers.bin, which holds its numbers, is missing");
    outside.attach("numbers.bin", numbers);
    for model in [inside, outside] {
        assert_eq!(model.name(), "Shelf");
        let (scene, _) = model.lower().unwrap();
        // The front of the file is Z, its left side X, and Y is up.
        assert_eq!(scene.meshes.as_slice()[0].positions, [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [3.0, 0.0, 2.0]]);
    }
}

#[test]
fn the_name_that_blender_gives_every_scene_is_not_a_name() {
    for (scenes, name) in [
        (json!([{"name": "Scene"}]), ""),
        (json!([{"name": "Knight"}]), "Knight"),
        (json!([{}]), ""),
        (json!([]), ""),
    ] {
        assert_eq!(Glb::default().model(json!({ "scenes": scenes })).name(), name);
    }
}

#[test]
fn one_scene_is_read_and_others_are_reported() {
    let said_so = |scenes: Value| said(&triangle(|_| json!({"scenes": scenes})).1, "others are not");
    assert!(!said_so(json!([{"nodes": [0]}])));
    assert!(said_so(json!([{"nodes": [0]}, {"nodes": []}])));
    // Without scenes everything at the top is shown.
    let nodes = json!([{"name": "Thing", "mesh": 0}, {"name": "Top", "children": [0]}]);
    let (scene, notes) = triangle(|_| json!({"scenes": [], "nodes": nodes}));
    assert_eq!((scene.meshes.len(), scene.nodes.len(), said(&notes, "others are not")), (1, 2, false));
}

#[test]
fn fewer_weights_than_keys_are_reported_and_the_mesh_rests() {
    let notes = |weights: &[f32]| {
        let (scene, notes) = triangle(|glb| {
            let target = glb.floats("VEC3", &[8.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
            let primitive = json!({"attributes": {"POSITION": 0}, "targets": [{"POSITION": target}]});
            let sampler =
                json!({"input": glb.floats("SCALAR", &[0.0, 1.0]), "output": glb.floats("SCALAR", weights)});
            let channel = json!({"sampler": 0, "target": {"node": 0, "path": "weights"}});
            json!({"meshes": [{"primitives": [primitive]}], "animations": [{"samplers": [sampler], "channels": [channel]}]})
        });
        let frames = scene.meshes.as_slice()[0].morph.as_ref().map_or(0, |it| it.frames.len());
        (frames, said(&notes, "fewer weights than keys"))
    };
    assert!(notes(&[0.0]).1);
    assert_eq!(notes(&[0.0, 1.0]), (2, false));
    // More than needed do no harm.
    assert_eq!(notes(&[0.0, 1.0, 0.5]), (2, false));
}

#[test]
fn the_offset_of_every_texture_is_animated() {
    let places = [
        "pbrMetallicRoughness/baseColorTexture",
        "pbrMetallicRoughness/metallicRoughnessTexture",
        "normalTexture",
        "emissiveTexture",
    ];
    for place in places {
        let (scene, notes) = triangle(|glb| {
            let times = glb.floats("SCALAR", &[0.0, 1.0]);
            let offsets = glb.floats("VEC2", &[0.0, 0.0, 0.5, 0.25]);
            let texture =
                json!({"index": 0, "extensions": {"KHR_texture_transform": {"offset": [0.0, 0.0]}}});
            let mut material = json!({"pbrMetallicRoughness": {}, "emissiveFactor": [1.0, 1.0, 1.0]});
            match place.split_once('/') {
                Some((outer, inner)) => material[outer][inner] = texture,
                None => material[place] = texture,
            }
            let pointer = format!("/materials/0/{place}/extensions/KHR_texture_transform/offset");
            let target =
                json!({"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": pointer}}});
            json!({
                "images": [{"uri": "skin.png"}], "textures": [{"source": 0}], "materials": [material],
                "animations": [{"channels": [{"sampler": 0, "target": target}], "samplers": [{"input": times, "output": offsets}]}]
            })
        });
        let slide = scene.texture_transforms.as_slice()[0].translation.track.as_ref();
        let slide = slide.unwrap_or_else(|| panic!("{place}: {notes:?}"));
        near(slide.values.as_flattened(), &[0.0, 0.0, 0.0, 0.5, 0.25, 0.0]);
    }
}

#[test]
fn a_node_that_only_shows_a_skinned_mesh_is_not_a_node_of_the_scene() {
    let (scene, _) = triangle(|glb| {
        let joints = glb.accessor(json!({"componentType": 5121, "count": 3, "type": "VEC4"}), &[0; 12], None);
        let weights = glb.floats("VEC4", &[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
        let primitive = json!({"attributes": {"POSITION": 0, "JOINTS_0": joints, "WEIGHTS_0": weights}});
        json!({
            "scenes": [{"nodes": [0, 1, 2]}], "skins": [{"joints": [1]}], "meshes": [{"primitives": [primitive]}],
            "nodes": [{"name": "Body", "mesh": 0, "skin": 0}, {"name": "Bone"}, {"name": "Mark"}]
        })
    });
    let found: Vec<_> = scene.nodes.as_slice().iter().map(|node| (node.name.as_str(), node.kind)).collect();
    assert_eq!(found, [("Bone", NodeKind::Bone), ("Mark", NodeKind::Helper)]);
}

#[test]
fn the_rest_of_empties_is_noted_and_not_written() {
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let (scene, _) = triangle(|_| {
        json!({
            "nodes": [
                {"mesh": 0, "name": "Thing"},
                {"name": "Box", "translation": [1, 2, 3], "scale": [4, 5, 6], "extras": {"mine": 1}},
                {"name": "Turned", "rotation": [half, 0, 0, half]},
                {"name": "Plain", "translation": [1, 2, 3]},
            ],
            "scenes": [{"nodes": [0, 1, 2, 3]}],
        })
    });
    let rest = |name: &str| {
        let node = scene.nodes.as_slice().iter().find(|it| it.name == name).unwrap();
        let effigy_scene::Extra::Map(rest) = node.extras.get("effigyRest")? else { panic!("{name}") };
        let list = |name: &str| match rest.get(name) {
            Some(effigy_scene::Extra::Floats(list)) => list.clone(),
            other => panic!("{other:?}"),
        };
        Some((list("rotation"), list("scale")))
    };
    // What was along Z is along X, X along Y and Y along Z.
    let (rotation, scale) = rest("Box").unwrap();
    near(&rotation, &[0.0, 0.0, 0.0, 1.0]);
    near(&scale, &[6.0, 4.0, 5.0]);
    let (rotation, scale) = rest("Turned").unwrap();
    near(&rotation, &[0.0, half, 0.0, half]);
    near(&scale, &[1.0; 3]);
    assert_eq!((rest("Plain"), rest("Thing")), (None, None));
    let scene = effigy_scene::validate(scene).unwrap();
    let options = effigy_gltf::ExportOptions::default();
    let made = effigy_gltf::export(&scene, &options, &mut effigy_gltf::NoTextures).unwrap();
    let bytes = made.into_glb().unwrap();
    let text = String::from_utf8_lossy(&bytes);
    assert!(text.contains("\"mine\":1") && !text.contains("effigyRest"), "{text}");
}
