//! Meshes and morph targets of files written by hand: whole lists, computed by the rules of the specification.

use crate::common;

use common::glb::{Glb, said, triangle};
use common::near;
use effigy_scene::{Frame, Id, Mesh, Scene};
use serde_json::{Value, json};

/// The corners of a triangle: x, y and z of the file are y, z and x of the scene.
const CORNERS: [f32; 9] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 2.0, 3.0];

#[track_caller]
fn are_near(found: &[[f32; 3]], expected: &[[f32; 3]]) {
    near(found.as_flattened(), expected.as_flattened());
}

fn one(scene: &Scene) -> &Mesh {
    let [mesh] = scene.meshes.as_slice() else { panic!("{} meshes", scene.meshes.len()) };
    mesh
}

/// A mesh with two targets: the first moves the first corner by 8 along x, the second the last normal.
fn morphing(glb: &mut Glb, animations: &Value, weights: &Value) -> Value {
    let normal = glb.floats("VEC3", &[0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0]);
    let moved = glb.floats("VEC3", &[8.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    let turned = glb.floats("VEC3", &[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 3.0, 3.0]);
    let primitive = json!({
        "attributes": {"POSITION": 0, "NORMAL": normal},
        "targets": [{"POSITION": moved}, {"NORMAL": turned}]
    });
    let mut document = json!({"meshes": [{"primitives": [primitive]}], "animations": animations});
    if !weights.is_null() {
        document["nodes"] = json!([{"name": "Thing", "mesh": 0, "weights": weights}]);
    }
    document
}

/// One animation of the weights with these keys and values.
fn animation(glb: &mut Glb, mode: &str, times: &[f32], weights: &[f32]) -> Value {
    let (input, output) = (glb.floats("SCALAR", times), glb.floats("SCALAR", weights));
    let sampler = json!({"input": input, "output": output, "interpolation": mode});
    let channel = json!({"sampler": 0, "target": {"node": 0, "path": "weights"}});
    json!({"samplers": [sampler], "channels": [channel]})
}

/// A frame in which the targets have these weights.
fn frame(first: f32, second: f32) -> Frame {
    let (y, z) = (3.0 * second, 1.0 + 3.0 * second);
    let length = y.hypot(z);
    Frame {
        positions: vec![[0.0, 8.0 * first, 0.0], [0.0, 1.0, 0.0], [3.0, 0.0, 2.0]],
        normals: vec![[1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [z / length, 0.0, y / length]],
    }
}

#[track_caller]
fn has_frames(scene: &Scene, expected: &[Frame]) {
    let frames = &one(scene).morph.as_ref().unwrap().frames;
    assert_eq!(frames.len(), expected.len());
    for (found, expected) in frames.iter().zip(expected) {
        are_near(&found.positions, &expected.positions);
        are_near(&found.normals, &expected.normals);
    }
}

#[test]
fn every_pair_of_weights_is_one_frame_and_steps_are_two_keys() {
    let (scene, _) = triangle(|glb| {
        let straight = animation(glb, "LINEAR", &[0.0, 0.5, 1.0], &[0.5, 0.0, 0.0, 1.0, 0.5, 0.0]);
        let stepped = animation(glb, "STEP", &[0.0, 0.25], &[0.0, 1.0, 0.5, 0.0]);
        // Nothing moves the weights in the last one, so it shows them at rest.
        let still = json!({"samplers": [{"input": 0, "output": 0}], "channels": []});
        let all = json!([straight, stepped, still]);
        morphing(glb, &all, &json!([0.25]))
    });
    // A weight that is missing is 0.
    has_frames(&scene, &[frame(0.5, 0.0), frame(0.0, 1.0), frame(0.25, 0.0)]);
    let [first, second, third] = scene.sequences.as_slice() else { panic!() };
    let order = &one(&scene).morph.as_ref().unwrap().order;
    let starts = [first.start, second.start, third.start];
    let [a, b, c] = starts;
    assert_eq!(order.times, [a, a + 500, a + 1000, b, b + 250, b + 250, c]);
    assert_eq!(order.values, [0, 1, 0, 1, 1, 0, 2]);
    assert_eq!(order.windows, [[0, 2], [3, 5], [6, 6]]);
    assert!(one(&scene).skin.is_none());
    // The mesh itself is as it is at rest.
    are_near(&one(&scene).positions, &frame(0.25, 0.0).positions);
}

#[test]
fn curves_of_weights_have_frames_every_16_ms() {
    let (scene, _) = triangle(|glb| {
        // In, value and out of each key, two weights each: from 0 to 1, and from 0 to 0 with slopes of 100 and 50 a second.
        let key = |value: [f32; 2], into: f32, out: f32| [0.0, into, value[0], value[1], 0.0, out];
        let weights = [key([0.0, 0.0], 7.0, 100.0), key([1.0, 0.0], 50.0, 7.0)].concat();
        let all = json!([animation(glb, "CUBICSPLINE", &[0.0, 0.04], &weights)]);
        morphing(glb, &all, &Value::Null)
    });
    // 40 ms are three parts of at most 16. After a third: 7/27 of the way, and 0.04 * (4/27 * 100 - 2/27 * 50).
    let third = |share: f32, out: f32, into: f32| frame(share, 0.04 * (out * 100.0 + into * 50.0));
    let parts = |number: f32| number / 27.0;
    has_frames(
        &scene,
        &[
            frame(0.0, 0.0),
            third(parts(7.0), parts(4.0), parts(-2.0)),
            third(parts(20.0), parts(2.0), parts(-4.0)),
            frame(1.0, 0.0),
        ],
    );
    let order = &one(&scene).morph.as_ref().unwrap().order;
    assert_eq!((order.times.as_slice(), order.values.as_slice()), (&[0, 13, 27, 40][..], &[0, 1, 2, 3][..]));
    near(&order.fractions, &[0.0, 1.0 / 3.0, -1.0 / 3.0, 0.0]);
}

#[test]
fn weights_of_a_mesh_whose_node_moves_stay_as_they_are_at_rest() {
    let words = "meshes[0].primitives[0]: morph targets that move while the mesh follows nodes stay as they are at rest";
    let with = |path: &str, numbers: &[f32]| {
        let (scene, notes) = triangle(|glb| {
            let mut all = animation(glb, "LINEAR", &[0.0, 1.0], &[0.0, 0.0, 1.0, 0.0]);
            let output = glb.floats("VEC3", numbers);
            let input = all["samplers"][0]["input"].clone();
            all["samplers"].as_array_mut().unwrap().push(json!({"input": input, "output": output}));
            let target = json!({"sampler": 1, "target": {"node": 0, "path": path}});
            all["channels"].as_array_mut().unwrap().push(target);
            morphing(glb, &json!([all]), &json!([0.5, 0.0]))
        });
        let mesh = one(&scene);
        assert_eq!(mesh.morph.is_none(), mesh.skin.is_some());
        are_near(&mesh.positions, &frame(0.5, 0.0).positions);
        (mesh.morph.is_some(), said(&notes, words))
    };
    assert_eq!(with("translation", &[0.0, 0.0, 0.0, 5.0, 0.0, 0.0]), (false, true));
    assert_eq!(with("scale", &[1.0, 1.0, 1.0, 2.0, 2.0, 2.0]), (false, true));
    // A channel of something that no node has moves nothing.
    assert_eq!(with("color", &[0.0; 6]), (true, false));
}

#[test]
fn weights_that_are_no_numbers_or_too_many_do_nothing() {
    let positions = |weights: Value| {
        let (scene, _) = triangle(|glb| morphing(glb, &json!([]), &weights));
        assert!(one(&scene).morph.is_none());
        (one(&scene).positions[0][1], one(&scene).normals[2])
    };
    assert_eq!(positions(json!([1e39, 0.0])).0, 0.0);
    let (moved, normal) = positions(json!([0.5, 1.0, 9.0, 9.0]));
    assert_eq!(moved, 4.0);
    near(&normal, &frame(0.0, 1.0).normals[2]);
}

#[test]
fn a_mirrored_and_stretched_node_turns_normals_tangents_and_triangles_over() {
    let (scene, _) = triangle(|glb| {
        let normal = glb.floats("VEC3", &[0.6, 0.8, 0.0, 0.6, 0.8, 0.0, 0.0, 0.0, 1.0]);
        let tangent = glb.floats("VEC4", &[0.8, -0.6, 0.0, 1.0, 0.8, -0.6, 0.0, -1.0, 1.0, 0.0, 0.0, 1.0]);
        let shift = glb.floats("VEC3", &[0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0]);
        let attributes = json!({"POSITION": 0, "NORMAL": normal, "TANGENT": tangent});
        let primitive = json!({"attributes": attributes, "targets": [{"POSITION": shift, "NORMAL": shift}]});
        json!({
            "nodes": [{"mesh": 0, "name": "Thing", "scale": [-2.0, 1.0, 4.0], "translation": [1.0, 2.0, 3.0]}],
            "meshes": [{"primitives": [primitive], "weights": [1.0]}]
        })
    });
    let mesh = one(&scene);
    // (x, y, z) of the file goes to (1 - 2 x, y + 2, 3 + 4 z), with the targets added before.
    are_near(&mesh.positions, &[[7.0, 1.0, 2.0], [3.0, -1.0, 3.0], [15.0, -1.0, 4.0]]);
    // The same triangle, seen from behind.
    assert_eq!(mesh.indices, [2, 1, 0]);
    // Normals by the inverse transpose, (-x / 2, y, z / 4), and then those of the targets; all of length 1.
    let unit = |[x, y, z]: [f32; 3]| {
        let length = (x * x + y * y + z * z).sqrt();
        [z / length, x / length, y / length]
    };
    let side = 0.3_f32.hypot(0.8);
    let (x, y) = (-0.3 / side, 0.8 / side);
    are_near(&mesh.normals, &[unit([x, y, 0.25]), unit([x, y + 1.0, 0.0]), unit([-0.5, 0.0, 1.0])]);
    let long = 1.6_f32.hypot(0.6);
    let expected =
        [[0.0, -1.6 / long, -0.6 / long, -1.0], [0.0, -1.6 / long, -0.6 / long, 1.0], [0.0, -1.0, 0.0, -1.0]];
    near(mesh.tangents.as_flattened(), expected.as_flattened());
}

#[test]
fn lists_of_another_length_and_what_is_no_triangle_are_left_out_with_a_reason() {
    let reason = |primitive: &dyn Fn(&mut Glb) -> Value| {
        let (scene, notes) = triangle(|glb| json!({"meshes": [{"primitives": [primitive(glb)]}]}));
        assert_eq!(scene.meshes.len(), 0);
        notes.into_iter().find(|it| it.starts_with("meshes[0].primitives[0]: ")).unwrap()
    };
    let two = |name: &'static str, kind: &'static str, width: usize| {
        move |glb: &mut Glb| {
            let mut attributes = json!({"POSITION": 0});
            attributes[name] = glb.floats(kind, &vec![0.0; 2 * width]).into();
            json!({"attributes": attributes})
        }
    };
    for (name, kind, width, word) in [
        ("NORMAL", "VEC3", 3, "NORMAL"),
        ("TANGENT", "VEC4", 4, "TANGENT"),
        ("TEXCOORD_0", "VEC2", 2, "TEXCOORD"),
        ("COLOR_0", "VEC4", 4, "COLOR_0"),
        ("COLOR_0", "VEC3", 3, "COLOR_0"),
    ] {
        let found = reason(&two(name, kind, width));
        assert!(found.contains(&format!("{word} has 2 elements for 3 vertices")), "{found}");
    }
    let target = |glb: &mut Glb| {
        let list = glb.floats("VEC3", &[0.0; 6]);
        json!({"attributes": {"POSITION": 0}, "targets": [{"POSITION": list}]})
    };
    assert!(reason(&target).contains("a morph target has 2 elements for 3 vertices"));
    let beyond = |glb: &mut Glb| {
        let json = json!({"componentType": 5121, "count": 3, "type": "SCALAR"});
        json!({"attributes": {"POSITION": 0}, "indices": glb.accessor(json, &[0, 1, 3], None)})
    };
    assert!(reason(&beyond).contains("an index is beyond the vertices"));
    for mode in [0, 1, 2, 3, 7] {
        let found = reason(&|_| json!({"attributes": {"POSITION": 0}, "mode": mode}));
        assert!(found.contains("points and lines have no place in a model"), "{found}");
    }
    assert!(reason(&|_| json!({"attributes": {"NORMAL": 0}})).contains("it has no positions"));
    let (scene, notes) = triangle(|_| json!({"nodes": [{"mesh": 7}]}));
    assert!(scene.meshes.is_empty() && said(&notes, "nodes[0]: meshes[7] does not exist"));
}

#[test]
fn primitives_have_the_name_of_their_mesh_or_of_their_node_and_their_own_material() {
    let primitive = |material: usize| json!({"attributes": {"POSITION": 0}, "material": material});
    let names = |mesh: Value| {
        let (scene, notes) = triangle(|_| json!({"meshes": [mesh]}));
        let names: Vec<String> = scene.meshes.as_slice().iter().map(|it| it.name.clone()).collect();
        (names, said(&notes, "materials: materials[3] does not exist"))
    };
    assert_eq!(names(json!({"name": "Hat", "primitives": [primitive(0)]})), (vec!["Hat".to_owned()], false));
    assert_eq!(names(json!({"primitives": [primitive(0)]})), (vec!["Thing".to_owned()], false));
    let both = json!({"name": "Hat", "primitives": [primitive(0), primitive(3)]});
    assert_eq!(names(both), (vec!["Hat 0".to_owned(), "Hat 1".to_owned()], true));
    // Without a material it is white, and all such primitives share one.
    let bare = json!({"attributes": {"POSITION": 0}});
    let (scene, _) = triangle(|_| json!({"meshes": [{"primitives": [bare, primitive(0), bare]}]}));
    let numbers: Vec<_> = scene.meshes.as_slice().iter().map(|it| it.material.map(Id::index)).collect();
    assert_eq!(numbers, [Some(0), Some(1), Some(0)]);
    assert_eq!(scene.materials.as_slice()[0].layers[0].color.base, [1.0; 3]);
}

/// A skin of three joints below the mesh's node, and these four joints and weights of each corner.
fn skinned(joints: [[u8; 4]; 3], weights: [[f32; 4]; 3]) -> Mesh {
    let (scene, _) = triangle(|glb| {
        let json = json!({"componentType": 5121, "count": 3, "type": "VEC4"});
        let joints = glb.accessor(json, joints.as_flattened(), None);
        let weights = glb.floats("VEC4", weights.as_flattened());
        let json = json!({"componentType": 5121, "count": 3, "type": "SCALAR"});
        let indices = glb.accessor(json, &[2, 1, 0], None);
        let attributes = json!({"POSITION": 0, "JOINTS_0": joints, "WEIGHTS_0": weights});
        json!({
            "scenes": [{"nodes": [0, 1]}],
            "nodes": [
                {"mesh": 0, "skin": 0}, {"name": "A", "children": [2, 3]}, {"name": "B"}, {"name": "C"}
            ],
            "skins": [{"joints": [1, 2, 3]}],
            "meshes": [{"primitives": [{"attributes": attributes, "indices": indices}]}]
        })
    });
    assert_eq!(scene.nodes.len(), 3);
    one(&scene).clone()
}

#[test]
fn vertices_keep_their_joints_where_each_triangle_gets_corners_of_its_own() {
    let mesh = skinned(
        [[0, 1, 0, 0], [1, 1, 2, 2], [2, 0, 0, 0]],
        // Sums of 2, 4 and 0: they become shares, joints that repeat become one, and nothing follows the first.
        [[0.5, 1.5, 0.0, 0.0], [1.0, 1.0, 2.0, 0.0], [0.0, 0.0, 0.0, 0.0]],
    );
    // Without normals the corners are separate, in the order of the indices, and the last is first.
    are_near(&mesh.positions, &[[3.0, 0.0, 2.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]]);
    assert_eq!(mesh.indices, [0, 1, 2]);
    let skin = mesh.skin.as_ref().unwrap();
    let groups: Vec<Vec<(usize, f32)>> = skin
        .vertex_groups
        .iter()
        .map(|group| skin.group(*group).iter().map(|it| (it.node.index(), it.weight)).collect())
        .collect();
    assert_eq!(groups, [vec![(0, 1.0)], vec![(1, 0.5), (2, 0.5)], vec![(0, 0.25), (1, 0.75)]]);
    // (b - a) x (c - a) of the corners in this order is (0, 3, -2) in the file.
    let long = 13.0_f32.sqrt();
    are_near(&mesh.normals, &[[-2.0 / long, 0.0, 3.0 / long]; 3]);
    // Corners with the same joints share a group.
    let same = skinned([[1, 0, 0, 0]; 3], [[1.0, 0.0, 0.0, 0.0]; 3]);
    assert_eq!(same.skin.as_ref().unwrap().groups.len(), 1);
}

#[test]
fn levels_of_detail_are_numbered_from_the_finest() {
    let (scene, _) = triangle(|_| {
        json!({
            "nodes": [
                {"name": "Fine", "mesh": 0, "extensions": {"MSFT_lod": {"ids": [1, 2]}}},
                {"name": "Less", "mesh": 0}, {"name": "Least", "mesh": 0}
            ]
        })
    });
    let mut levels: Vec<_> = scene.meshes.as_slice().iter().map(|it| it.lod).collect();
    levels.sort_unstable();
    assert_eq!(levels, [Some(0), Some(1), Some(2)]);
    let (plain, _) = triangle(|_| json!({}));
    assert_eq!(one(&plain).lod, None);
    assert_eq!(one(&plain).positions.as_flattened().len(), CORNERS.len());
}
