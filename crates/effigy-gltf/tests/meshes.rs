//! Vertex attributes, joints, morph frames and levels of detail against values written by hand.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use crate::common;

use common::{File, bone, near, near_json, near_rows, place, sequence, skin, triangle};
use effigy_gltf::{ExportOptions, NoTextures, Still, Visibility, export};
use effigy_scene::{
    Animated, Frame, Id, Interpolation, Layer, Material, Mesh, Morph, NodeKind, Rotation, Scene, Track,
    validate,
};
use serde_json::{Value, json};

fn plain() -> ExportOptions {
    ExportOptions::default()
}

/// Three bones: the second is below the first, the third below the second.
fn bones() -> Scene {
    let mut scene = Scene { name: "Model".into(), ..Scene::default() };
    scene.sequences.push(sequence("Stand", 0, 1000));
    scene.nodes.push(bone("Root", None, [1.0, 2.0, 3.0]));
    scene.nodes.push(bone("Arm", Some(0), [4.0, 5.0, 6.0]));
    scene.nodes.push(bone("Hand", Some(1), [7.0, 8.0, 9.0]));
    scene
}

fn attributes(file: &File, mesh: usize) -> &Value {
    &file.json["meshes"][mesh]["primitives"][0]["attributes"]
}

#[test]
fn attributes_are_turned_to_y_up_and_normals_have_length_one() {
    let mut scene = bones();
    let mut mesh = triangle("Body");
    mesh.normals = vec![[0.0, 0.0, 2.0], [0.0; 3], [0.0, -3.0, 0.0]];
    mesh.tangents = vec![[2.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, -1.0], [0.0, 0.0, 1.0, 1.0]];
    mesh.uvs.push(vec![[0.5, 0.5]; 3]);
    scene.meshes.push(mesh);
    let file = File::new(&scene, &plain());
    let found = attributes(&file, 0);
    near_rows(&file.rows(&found["POSITION"]), &[[0.0, 0.0, 0.0], [10.0, 0.0, 0.0], [0.0, 2.0, -5.0]]);
    let accessor = &file.json["accessors"][place(&found["POSITION"])];
    near_json(&accessor["min"], &[0.0, 0.0, -5.0]);
    near_json(&accessor["max"], &[10.0, 2.0, 0.0]);
    // A normal without direction points up.
    near_rows(&file.rows(&found["NORMAL"]), &[[0.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
    near_rows(
        &file.rows(&found["TANGENT"]),
        &[[1.0, 0.0, 0.0, 1.0], [0.0, 0.0, -1.0, -1.0], [0.0, 1.0, 0.0, 1.0]],
    );
    near_rows(&file.rows(&found["TEXCOORD_0"]), &[[0.25, 0.5], [1.0, 0.0], [0.0, 0.75]]);
    near_rows(&file.rows(&found["TEXCOORD_1"]), &[[0.5, 0.5]; 3]);
    let primitive = &file.json["meshes"][0]["primitives"][0];
    near_rows(&file.rows(&primitive["indices"]), &[[0.0], [1.0], [2.0]]);
    assert_eq!(file.json["accessors"][place(&primitive["indices"])]["componentType"], 5123);
    let target = |accessor: &Value| {
        let view = &file.json["accessors"][place(accessor)]["bufferView"];
        file.json["bufferViews"][place(view)]["target"].clone()
    };
    assert_eq!((target(&primitive["indices"]), target(&found["NORMAL"])), (json!(34963), json!(34962)));
    // It follows nothing, so it is below the root and has no skin.
    let node = &file.json["nodes"][file.node("Body")];
    assert!(node["skin"].is_null() && node["translation"].is_null());
    assert!(file.json["nodes"][0]["children"].as_array().unwrap().contains(&file.node("Body").into()));
    assert_eq!(file.json["scenes"][0]["nodes"], json!([0]));
}

#[test]
fn tangents_that_gltf_would_refuse_are_left_out() {
    let with = |change: fn(&mut Mesh)| {
        let mut scene = bones();
        let mut mesh = triangle("Body");
        mesh.tangents = vec![[1.0, 0.0, 0.0, 1.0]; 3];
        change(&mut mesh);
        scene.meshes.push(mesh);
        let file = File::new(&scene, &plain());
        attributes(&file, 0)["TANGENT"].is_u64()
    };
    assert!(with(|_| {}));
    // Length below a ten thousandth, and just above.
    assert!(!with(|it| it.tangents[1] = [0.000_05, 0.000_05, 0.000_05, 1.0]));
    assert!(with(|it| it.tangents[1] = [0.000_1, 0.000_1, 0.000_1, 1.0]));
    assert!(with(|it| it.tangents[1] = [-0.1, 0.0, 0.1, -1.0]));
    assert!(!with(|it| it.tangents[2][3] = 0.5));
    assert!(!with(|it| it.uvs.clear()));
    assert!(!with(|it| it.normals.clear()));
    assert!(!with(|it| it.tangents.clear()));
}

#[test]
fn the_number_65535_is_never_an_index_of_16_bits() {
    for (count, component) in [(65_535_u32, 5123), (65_536, 5125)] {
        let mut scene = bones();
        let mut mesh = Mesh::new("Large");
        mesh.positions = vec![[0.0; 3]; count as usize];
        mesh.positions[1] = [1.0, 0.0, 0.0];
        mesh.indices = vec![0, 1, count - 1];
        scene.meshes.push(mesh);
        let file = File::new(&scene, &plain());
        let indices = &file.json["meshes"][0]["primitives"][0]["indices"];
        assert_eq!(file.json["accessors"][place(indices)]["componentType"], component);
        near_rows(&file.rows(indices), &[[0.0], [1.0], [count as f32 - 1.0]]);
    }
}

#[test]
fn joints_and_weights_follow_the_groups_and_bind_matrices_undo_the_pivots() {
    let mut scene = bones();
    scene.nodes.push(effigy_scene::Node::new("Helper", NodeKind::Helper, None, [0.0; 3]));
    let mut mesh = triangle("Body");
    // Shares are made to add up to 1; a weight of 0 does not count, and a node named twice counts once.
    mesh.skin =
        Some(skin(&[&[(1, 1.0)], &[(2, 1.0), (1, 3.0), (0, 0.0)], &[(2, 0.25), (2, 0.25), (1, 0.5)]]));
    scene.meshes.push(mesh);
    let file = File::new(&scene, &plain());
    let joints: Vec<usize> = file.json["skins"][0]["joints"].as_array().unwrap().iter().map(place).collect();
    let names: Vec<&str> = joints.iter().map(|it| file.names("nodes")[*it]).collect();
    // Arm and Hand by use, then what is above them; the helper is not a bone.
    assert_eq!(names, ["Arm", "Hand", "Root"]);
    assert_eq!(
        (&file.json["skins"][0]["skeleton"], &file.json["skins"][0]["name"]),
        (&json!(0), &json!("Model"))
    );
    let found = attributes(&file, 0);
    near_rows(
        &file.rows(&found["JOINTS_0"]),
        &[[0.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]],
    );
    near_rows(
        &file.rows(&found["WEIGHTS_0"]),
        &[[1.0, 0.0, 0.0, 0.0], [0.25, 0.75, 0.0, 0.0], [0.5, 0.5, 0.0, 0.0]],
    );
    assert!(found["JOINTS_1"].is_null());
    let matrices = file.rows(&file.json["skins"][0]["inverseBindMatrices"]);
    let moved = |x: f32, y: f32, z: f32| [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., x, y, z, 1.];
    near_rows(&matrices, &[moved(-4.0, -6.0, 5.0), moved(-7.0, -9.0, 8.0), moved(-1.0, -3.0, 2.0)]);
    // A skinned mesh is at the top.
    let body = file.node("Body");
    assert_eq!(file.json["scenes"][0]["nodes"], json!([0, body]));
    assert_eq!(file.json["nodes"][body]["skin"], 0);
}

#[test]
fn the_eight_largest_of_many_weights_are_kept_and_the_first_four_are_the_largest() {
    let mut scene = bones();
    // Up to sixteen would be three and a joint for the others.
    for index in 3..17_u32 {
        scene.nodes.push(bone(&format!("B{index}"), None, [0.0; 3]));
    }
    restless(&mut scene);
    let mut mesh = triangle("Body");
    let weights = [0.01, 0.2, 0.02, 0.3, 0.03, 0.1, 0.04, 0.25, 0.05];
    let all: Vec<(u32, f32)> = (0..17).zip(weights.into_iter().chain([0.001; 8])).collect();
    mesh.skin = Some(skin(&[&all, &all, &[]]));
    scene.meshes.push(mesh);
    let file = File::new(&scene, &plain());
    let found = attributes(&file, 0);
    let sum: f32 = 0.3 + 0.25 + 0.2 + 0.1 + 0.05 + 0.04 + 0.03 + 0.02;
    near(&file.rows(&found["WEIGHTS_0"])[0], &[0.3 / sum, 0.25 / sum, 0.2 / sum, 0.1 / sum]);
    near(&file.rows(&found["WEIGHTS_1"])[0], &[0.05 / sum, 0.04 / sum, 0.03 / sum, 0.02 / sum]);
    near(&file.rows(&found["JOINTS_0"])[0], &[3.0, 7.0, 1.0, 5.0]);
    near(&file.rows(&found["JOINTS_1"])[0], &[8.0, 6.0, 4.0, 2.0]);
    // What follows nothing follows a joint that never moves.
    let still = file.node("Still");
    let joints = file.json["skins"][0]["joints"].as_array().unwrap();
    let number = joints.iter().position(|it| *it == still).unwrap();
    near(&file.rows(&found["JOINTS_0"])[2], &[number as f32, 0.0, 0.0, 0.0]);
    near(&file.rows(&found["WEIGHTS_0"])[2], &[1.0, 0.0, 0.0, 0.0]);
    assert_eq!(file.json["nodes"][still]["extras"], json!({"joint": "still"}));
    assert!(file.said("meshes[0]: vertices that follow more than eight nodes"), "{:?}", file.notes);
    let mut scene = bones();
    let mut mesh = triangle("Body");
    mesh.skin = Some(skin(&[&[(0, 0.5), (1, 0.5)], &[(2, 1.0)], &[(2, 1.0)]]));
    scene.meshes.push(mesh);
    assert!(!File::new(&scene, &plain()).said("more than eight"));
}

#[test]
fn sixteen_bones_are_three_and_a_joint() {
    let mut scene = bones();
    for index in 3..16_u32 {
        scene.nodes.push(bone(&format!("B{index}"), None, [0.0; 3]));
    }
    restless(&mut scene);
    let mut mesh = triangle("Body");
    let all: Vec<(u32, f32)> = (0..16).map(|node| (node, 1.0 / 16.0)).collect();
    mesh.skin = Some(skin(&[&all, &all, &all]));
    scene.meshes.push(mesh);
    let file = File::new(&scene, &plain());
    near(&file.rows(&attributes(&file, 0)["WEIGHTS_0"])[0], &[0.0625, 0.0625, 0.0625, 0.8125]);
    assert!(attributes(&file, 0)["JOINTS_1"].is_null());
}

#[test]
fn a_mesh_that_comes_and_goes_with_one_bone_is_its_child() {
    let mut scene = bones();
    let mut mesh = triangle("Blink");
    mesh.skin = Some(skin(&[&[(1, 1.0)], &[(1, 1.0)], &[(1, 1.0)]]));
    let steps =
        Track { interpolation: Interpolation::Step, ..Track::linear(vec![0, 500], vec![0.0, 1.0], 1.0) };
    mesh.alpha.track = Some(steps);
    scene.meshes.push(mesh);
    let file = File::new(&scene, &plain());
    let blink = file.node("Blink");
    let node = &file.json["nodes"][blink];
    assert!(node["skin"].is_null());
    near_json(&node["translation"], &[-4.0, -6.0, 5.0]);
    near_json(&node["scale"], &[1e-5; 3]);
    assert_eq!(file.json["nodes"][file.node("Arm")]["children"], json!([file.node("Hand"), blink]));
    let keys = file.moves(0, blink, "scale").unwrap();
    assert_eq!((keys.mode.as_str(), keys.times), ("STEP", vec![0.0, 0.5]));
    near_rows(&keys.rows, &[[1e-5; 3], [1.0; 3]]);
    let by_extension = ExportOptions { visibility: Visibility::Extension, ..plain() };
    let file = File::new(&scene, &by_extension);
    let node = &file.json["nodes"][file.node("Blink")];
    assert_eq!(node["extensions"]["KHR_node_visibility"], json!({"visible": false}));
    assert!(node["scale"].is_null());
}

#[test]
fn triangles_over_three_bones_are_hidden_by_a_copy_of_the_bones() {
    let mut scene = bones();
    let way = Track::linear(vec![0, 1000], vec![[0.0; 3], [1.0, 0.0, 0.0]], [0.0; 3]);
    scene.nodes.as_mut_slice()[2].translation.track = Some(way);
    let mut mesh = triangle("Blink");
    mesh.skin = Some(skin(&[&[(0, 1.0)], &[(1, 1.0)], &[(2, 1.0)]]));
    let steps =
        Track { interpolation: Interpolation::Step, ..Track::linear(vec![0, 500], vec![1.0, 0.0], 1.0) };
    mesh.alpha.track = Some(steps);
    scene.meshes.push(mesh);
    let file = File::new(&scene, &plain());
    let [top, arm, hand] = ["Root (shown)", "Arm (shown)", "Hand (shown)"].map(|name| file.node(name));
    assert_eq!(file.json["nodes"][top]["children"], json!([arm]));
    assert_eq!(file.json["nodes"][arm]["children"], json!([hand]));
    near_json(&file.json["nodes"][arm]["translation"], &[3.0, 3.0, -3.0]);
    assert_eq!(file.json["nodes"][arm]["extras"], json!({"joint": "shown", "node": 1}));
    // Only the top is scaled, and the copy of the hand moves like the hand.
    near_rows(&file.moves(0, top, "scale").unwrap().rows, &[[1.0; 3], [1e-5; 3]]);
    assert!(file.moves(0, arm, "scale").is_none() && file.moves(0, hand, "scale").is_none());
    assert_eq!(file.moves(0, hand, "translation"), file.moves(0, file.node("Hand"), "translation"));
    assert!(file.moves(0, hand, "translation").is_some());
}

#[test]
fn bones_without_weight_do_not_count_when_a_mesh_is_hidden() {
    let file = |vertices: &[&[(u32, f32)]]| {
        let mut scene = bones();
        let mut mesh = triangle("Blink");
        mesh.skin = Some(skin(vertices));
        let track = Track::linear(vec![0, 500], vec![1.0, 0.0], 1.0);
        mesh.alpha.track = Some(Track { interpolation: Interpolation::Step, ..track });
        scene.meshes.push(mesh);
        File::new(&scene, &plain())
    };
    let two = file(&[&[(0, 1.0)], &[(0, 1.0)], &[(1, 1.0)]]);
    let also_two = file(&[&[(0, 1.0), (2, 0.0)], &[(0, 1.0)], &[(1, 1.0), (2, 0.0)]]);
    let three = file(&[&[(0, 0.5), (2, 0.5)], &[(0, 1.0)], &[(1, 1.0)]]);
    assert_eq!(also_two.names("nodes"), two.names("nodes"));
    // Both shrink towards the middle of the model, (5, 2.5, 1), in the axes of their bones.
    near_json(&two.json["nodes"][two.node("Root (shown)")]["translation"], &[4.0, -2.0, -0.5]);
    near_json(&two.json["nodes"][two.node("Arm (shown)")]["translation"], &[1.0, -5.0, 2.5]);
    assert_ne!(three.names("nodes"), two.names("nodes"));
}

#[test]
fn a_mesh_that_fades_within_two_frames_goes_when_it_has_faded() {
    let mut scene = bones();
    let mut mesh = triangle("Blink");
    mesh.skin = Some(skin(&[&[(1, 1.0)], &[(1, 1.0)], &[(1, 1.0)]]));
    // The line passes 0 after a quarter of 60 ms, which is shorter than 66; or of 80 ms, which is not.
    for (until, gone) in [(560, 0.56), (580, 0.52)] {
        let values = vec![1.0, 1.0, -3.0, -3.0];
        mesh.alpha.track = Some(Track::linear(vec![0, 500, until, 1000], values, 1.0));
        scene.meshes = [mesh.clone()].into_iter().collect();
        let file = File::new(&scene, &plain());
        let keys = file.moves(0, file.node("Blink"), "scale").unwrap();
        near(&keys.times, &[0.0, gone]);
    }
}

fn flag(vertices: usize, moved: usize) -> File {
    let mut scene = bones();
    let mut mesh = Mesh::new("Flag");
    mesh.positions = vec![[1.0, 2.0, 3.0]; vertices];
    mesh.normals = vec![[0.0, 0.0, 1.0]; vertices];
    mesh.indices = vec![0, 1, 2];
    let mut frame = Frame { positions: mesh.positions.clone(), normals: mesh.normals.clone() };
    for number in 0..moved {
        frame.positions[number * 2] = [1.0, 2.0, 4.0 + number as f32];
        frame.normals[number * 2] = [0.0, 3.0, 0.0];
    }
    let still = Frame { positions: mesh.positions.clone(), normals: mesh.normals.clone() };
    mesh.morph =
        Some(Morph { frames: vec![still, frame], order: Track::linear(vec![0, 1000], vec![0, 1], 0) });
    scene.meshes.push(mesh);
    File::new(&scene, &plain())
}

#[test]
fn morph_frames_are_differences_and_sparse_where_that_is_shorter() {
    // Three entries cost 3 * 16 + 200 = 248 bytes: more than 20 * 12, less than 21 * 12.
    for (vertices, is_sparse) in [(20, false), (21, true), (100, true)] {
        let file = flag(vertices, 3);
        let target = &file.json["meshes"][0]["primitives"][0]["targets"][1];
        let accessor = &file.json["accessors"][place(&target["POSITION"])];
        assert_eq!(accessor["sparse"].is_object(), is_sparse, "{vertices}");
        near_json(&accessor["min"], &[0.0; 3]);
        near_json(&accessor["max"], &[0.0, 3.0, 0.0]);
        let (places, normals) = (file.rows(&target["POSITION"]), file.rows(&target["NORMAL"]));
        assert_eq!((places.len(), normals.len()), (vertices, vertices));
        for (vertex, (place, normal)) in places.iter().zip(&normals).enumerate() {
            let moves = vertex % 2 == 0 && vertex < 6;
            near(place, &[0.0, if moves { vertex as f32 * 0.5 + 1.0 } else { 0.0 }, 0.0]);
            near(normal, &if moves { [0.0, -1.0, -1.0] } else { [0.0; 3] });
        }
        let still = &file.json["meshes"][0]["primitives"][0]["targets"][0];
        assert!(file.rows(&still["POSITION"]).concat().iter().all(|it| *it == 0.0));
    }
}

#[test]
fn levels_of_detail_are_chosen_or_linked() {
    let mut scene = bones();
    for (name, lod) in
        [("Fine", Some(0)), ("Hat", Some(0)), ("Coarse", Some(1)), ("Coarsest", Some(2)), ("Always", None)]
    {
        let mut mesh = triangle(name);
        mesh.skin = Some(skin(&[&[(0, 0.5), (1, 0.5)][..]; 3]));
        mesh.lod = lod;
        scene.meshes.push(mesh);
    }
    let mut other = triangle("Hidden");
    other.shown = false;
    scene.meshes.push(other);
    let names = |options: &ExportOptions| {
        File::new(&scene, options).json["meshes"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| it["name"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(names(&plain()), ["Fine", "Hat", "Always"]);
    assert_eq!(names(&ExportOptions { lod: 1, ..plain() }), ["Coarse", "Always"]);
    assert_eq!(names(&ExportOptions { lod: 2, ..plain() }), ["Coarsest", "Always"]);
    assert_eq!(names(&ExportOptions { all_parts: true, ..plain() }), ["Fine", "Hat", "Always", "Hidden"]);
    let valid = validate(scene.clone()).unwrap();
    let error = export(&valid, &ExportOptions { lod: 3, ..plain() }, &mut NoTextures).unwrap_err();
    assert_eq!(error.to_string(), "the model has no level of detail 3; it has 0, 1, 2");
    let file = File::new(&scene, &ExportOptions { all_lods: true, ..plain() });
    let [fine, hat, coarse, coarsest, always] =
        ["Fine", "Hat", "Coarse", "Coarsest", "Always"].map(|it| file.node(it));
    assert_eq!(file.json["nodes"][fine]["extensions"]["MSFT_lod"]["ids"], json!([coarse, coarsest]));
    assert!(file.json["nodes"][hat]["extensions"].is_null());
    // The coarser ones are reached through the finest alone.
    assert_eq!(file.json["scenes"][0]["nodes"], json!([0, fine, hat, always]));
    assert!(file.uses("MSFT_lod"));
    let draft = File::new(&scene, &ExportOptions { all_lods: true, draft: true, ..plain() });
    assert_eq!(draft.json["scenes"][0]["nodes"].as_array().unwrap().len(), 6);
    assert!(File::new(&scene, &plain()).said("meshes[2]: not part of the chosen level of detail"));
    // A model without levels has one.
    let mut scene = bones();
    scene.meshes.push(triangle("Body"));
    let valid = validate(scene).unwrap();
    let error = export(&valid, &ExportOptions { lod: 1, ..plain() }, &mut NoTextures).unwrap_err();
    assert_eq!(error.to_string(), "the model has no level of detail 1; it has only one, 0");
    assert!(export(&valid, &ExportOptions { lod: 1, all_lods: true, ..plain() }, &mut NoTextures).is_ok());
}

#[test]
fn a_pose_moves_the_vertices_to_where_they_are_at_that_moment() {
    let mut scene = bones();
    let turn = Rotation([0.0, 0.0, std::f32::consts::FRAC_1_SQRT_2, std::f32::consts::FRAC_1_SQRT_2]);
    let root = &mut scene.nodes.as_mut_slice()[0];
    root.pivot = [0.0; 3];
    root.rotation.track =
        Some(Track::linear(vec![0, 1000], vec![Rotation::IDENTITY, turn], Rotation::IDENTITY));
    let mut mesh = triangle("Body");
    mesh.skin = Some(skin(&[&[(0, 1.0)][..]; 3]));
    scene.meshes.push(mesh);
    let still = Still { sequence: "STAND".into(), time: 1.0 };
    let file = File::new(&scene, &ExportOptions { pose: Some(still), ..plain() });
    // A quarter turn about Z: (x, y, z) to (-y, x, z), and that to y up.
    let found = attributes(&file, 0);
    near_rows(&file.rows(&found["POSITION"]), &[[0.0, 0.0, 0.0], [0.0, 0.0, -10.0], [-5.0, 2.0, 0.0]]);
    assert!(found["JOINTS_0"].is_null() && file.json["skins"].is_null());
}

#[test]
fn meshes_take_the_name_of_their_bone_or_material_when_theirs_only_counts() {
    let mut scene = bones();
    let layer = Layer { alpha: Animated::fixed(1.0), ..Layer::default() };
    scene.materials.push(Material { name: "Steel".into(), layers: vec![layer], ..Material::default() });
    for (name, follows, material) in [
        ("Geoset 0", Some(2), Some(0)),
        ("Geoset 1", None, Some(0)),
        ("Submesh 7", None, None),
        ("Sword 3", Some(1), None),
        ("Mesh", None, Some(0)),
    ] {
        let mut mesh = triangle(name);
        mesh.material = material.map(Id::new);
        let list = follows.map(|it| [(it, 1.0)]);
        mesh.skin = list.as_ref().map(|it| skin(&[&it[..]; 3]));
        scene.meshes.push(mesh);
    }
    let file = File::new(&scene, &plain());
    assert_eq!(file.names("meshes"), ["Hand", "Steel", "Submesh 7", "Sword 3", "Steel (2)"]);
    // Names of nodes are unique among nodes: the bone has this one already.
    assert_eq!(file.json["nodes"][file.node("Hand (2)")]["mesh"], 0);
}

/// Five bones of which the last moves in two directions, and a vertex that follows all of them.
fn five(ways: [[f32; 3]; 2]) -> Scene {
    let mut scene = bones();
    scene.nodes.push(bone("Shield", Some(0), [0.0, 1.0, 0.0]));
    scene.nodes.push(bone("Coat", None, [0.0, 0.0, 1.0]));
    let keys = vec![[0.0; 3], ways[0], ways[1]];
    let last = scene.nodes.as_mut_slice().last_mut().unwrap();
    last.translation.track = Some(Track::linear(vec![0, 500, 1000], keys, [0.0; 3]));
    let mut mesh = triangle("Body");
    mesh.skin = Some(skin(&[
        &[(0, 0.3), (1, 0.25), (2, 0.2), (3, 0.15), (4, 0.1)],
        &[(0, 1.0)],
        &[(4, 0.5), (1, 0.5)],
    ]));
    scene.meshes.push(mesh);
    scene
}

/// Moves every node along a line of its own, at its own time.
fn restless(scene: &mut Scene) {
    let ways = [
        [0.0, 0.0, 9.0],
        [0.0, 9.0, 9.0],
        [9.0, 9.0, 0.0],
        [9.0, -9.0, 9.0],
        [9.0, 0.0, 0.0],
        [0.0, 9.0, 0.0],
    ];
    for (at, (node, way)) in (0..).zip(scene.nodes.as_mut_slice().iter_mut().zip(ways.iter().cycle())) {
        let begin = 80 * (at % 10);
        let times = vec![begin, begin + 200, 1000];
        node.parent = None;
        node.translation.track = Some(Track::linear(times, vec![[0.0; 3], *way, [0.0; 3]], [0.0; 3]));
    }
}

/// Nodes and weights of each vertex, in the order of the nodes.
fn shares(scene: &Scene) -> Vec<Vec<(usize, f32)>> {
    let skin = scene.meshes.as_slice()[0].skin.as_ref().unwrap();
    let list = |group: &u32| {
        let mut list: Vec<_> = skin.group(*group).iter().map(|it| (it.node.index(), it.weight)).collect();
        list.sort_by_key(|it| it.0);
        list
    };
    skin.vertex_groups.iter().map(list).collect()
}

#[test]
fn five_bones_are_four_where_one_moves_like_another_and_come_back() {
    let scene = five([[4.0, 0.0, 0.0], [0.0, 4.0, 0.0]]);
    let file = File::new(&scene, &plain());
    let found = attributes(&file, 0);
    assert!(found["JOINTS_1"].is_null() && found["WEIGHTS_1"].is_null());
    // The fourth bone rests as the first does.
    near(&file.rows(&found["WEIGHTS_0"])[0], &[0.45, 0.25, 0.2, 0.1]);
    assert!(file.said("vertices that follow more than four nodes follow four"));
    let exported = export(&validate(scene.clone()).unwrap(), &plain(), &mut NoTextures).unwrap();
    let glb = exported.into_glb().unwrap();
    let back = |bytes: &[u8]| shares(&effigy_gltf::Model::read(bytes).unwrap().lower().unwrap().0);
    assert_eq!(back(&glb), shares(&scene));
    // Weights that somebody has changed are taken as they are.
    let written = 0.1_f32.to_le_bytes();
    let at = (20..glb.len()).step_by(4).rfind(|at| glb[*at..].starts_with(&written)).unwrap();
    let mut edited = glb.clone();
    edited[at..at + 4].copy_from_slice(&0.2_f32.to_le_bytes());
    let edited = back(&edited);
    let nodes: Vec<usize> = edited[0].iter().map(|it| it.0).collect();
    assert_eq!(nodes, [0, 1, 2, 4]);
    assert!((edited[0][3].1 - 0.2 / 1.1).abs() < 1e-6, "{edited:?}");
}

/// Five bones that move in their own ways; the one before the last is turned by a quarter about the vertical axis.
fn five_ways() -> Scene {
    let mut scene = five([[9.0, 0.0, 0.0], [0.0, 9.0, 0.0]]);
    restless(&mut scene);
    let half = std::f32::consts::FRAC_1_SQRT_2;
    scene.nodes.as_mut_slice()[3].rotation = Animated::fixed(Rotation([0.0, 0.0, half, half]));
    scene
}

#[test]
fn a_joint_stands_for_the_weakest_of_five_bones_that_move_in_their_own_ways() {
    let scene = five_ways();
    let file = File::new(&scene, &plain());
    let found = attributes(&file, 0);
    assert!(found["JOINTS_1"].is_null() && found["WEIGHTS_1"].is_null());
    near_rows(
        &file.rows(&found["WEIGHTS_0"]),
        &[[0.3, 0.25, 0.2, 0.25], [1.0, 0.0, 0.0, 0.0], [0.5, 0.5, 0.0, 0.0]],
    );
    let joint = file.node("Shield (blend)");
    let shield = &file.json["nodes"][file.node("Shield")];
    assert!(shield["children"].as_array().unwrap().contains(&json!(joint)));
    assert_eq!(file.json["nodes"][joint]["extras"], json!({"joint": "shown", "node": 3}));
    let joints = file.json["skins"][0]["joints"].as_array().unwrap();
    let number = joints.iter().position(|it| *it == joint).unwrap();
    near(&file.rows(&found["JOINTS_0"])[0][3..], &[number as f32]);
    // It is bound where the vertex is, at the origin.
    let matrices = file.rows(&file.json["skins"][0]["inverseBindMatrices"]);
    near(&matrices[number][12..15], &[0.0; 3]);
    // The shield takes the vertex to (1, 1, 0), the coat leaves it: 0.6 and 0.4 of both, seen from the pivot (0, 1, 0), turned back.
    near_json(&file.json["nodes"][joint]["translation"], &[-0.4, 0.0, 0.6]);
    // After 440 ms the shield has gone by (9, -9, 9) and the coat by (5.4, 0, 0).
    let keys = file.moves(0, joint, "translation").unwrap();
    let at = keys.times.iter().position(|time| (time - 0.44).abs() < 1e-6).unwrap();
    near(&keys.rows[at], &[3.2, -3.6, -0.84]);
    assert_eq!((keys.times[0], keys.times.last()), (0.0, Some(&1.0)));
    let text = "meshes[0]: 1 vertices that follow more than four nodes follow three and a joint";
    assert!(file.said(text) && !file.said("follow four"), "{:?}", file.notes);
}

#[test]
fn a_joint_that_stands_for_several_bones_is_none_of_the_model() {
    let scene = five_ways();
    let exported = export(&validate(scene.clone()).unwrap(), &plain(), &mut NoTextures).unwrap();
    let back = effigy_gltf::Model::read(&exported.into_glb().unwrap()).unwrap().lower().unwrap().0;
    assert_eq!(shares(&back), shares(&scene));
    assert_eq!(back.nodes.len(), 5);
}

#[test]
fn a_parent_without_size_leaves_such_a_joint_where_it_was_bound() {
    let mut scene = five_ways();
    scene.nodes.as_mut_slice()[3].scale = Animated::fixed([0.0; 3]);
    let file = File::new(&scene, &plain());
    // The origin, seen from the pivot (0, 1, 0).
    near_json(&file.json["nodes"][file.node("Shield (blend)")]["translation"], &[0.0, 0.0, 1.0]);
}

#[test]
fn a_mesh_that_comes_and_goes_keeps_all_bones_of_a_vertex() {
    let mut scene = five_ways();
    let steps =
        Track { interpolation: Interpolation::Step, ..Track::linear(vec![0, 500], vec![0.0, 1.0], 1.0) };
    let mesh = &mut scene.meshes.as_mut_slice()[0];
    mesh.alpha.track = Some(steps);
    // The strongest come first, also if the game has them last.
    mesh.skin = Some(skin(&[&[(4, 0.1), (3, 0.15), (2, 0.2), (1, 0.25), (0, 0.3)][..]; 3]));
    let file = File::new(&scene, &plain());
    let found = attributes(&file, 0);
    near(&file.rows(&found["WEIGHTS_0"])[0], &[0.3, 0.25, 0.2, 0.15]);
    near(&file.rows(&found["WEIGHTS_1"])[0], &[0.1, 0.0, 0.0, 0.0]);
    assert!(!file.said("follow four") && !file.said("follow three"));
}

#[test]
fn there_are_only_so_many_joints_for_several_bones() {
    let mut scene = five_ways();
    let mut mesh = triangle("Cloth");
    let list = [(0, 0.3), (1, 0.25), (2, 0.2), (3, 0.15), (4, 0.1)];
    mesh.positions = (0_u16..300).map(|at| [f32::from(at), 0.0, 1.0]).collect();
    // Two vertices at one place share a joint.
    mesh.positions[1] = mesh.positions[0];
    (mesh.normals, mesh.uvs) = (vec![[0.0, 0.0, 1.0]; 300], Vec::new());
    mesh.skin = Some(skin(&vec![&list[..]; 300]));
    scene.meshes.as_mut_slice()[0] = mesh;
    let file = File::new(&scene, &plain());
    assert_eq!(file.names("nodes").iter().filter(|name| name.contains("(blend)")).count(), 256);
    let second = file.rows(&attributes(&file, 0)["WEIGHTS_1"]);
    let four = second.iter().position(|row| row[0] > 0.0);
    assert_eq!(four, Some(257), "the vertices after them follow all five");
}
