//! Numbers that are nearly as large as they can be, so that their sums and differences are infinite.

use crate::common::{File, bone, near, near_rows, sequence, skin, triangle};
use effigy_gltf::{ExportOptions, Model, NoTextures, export};
use effigy_scene::{Scene, Track, validate};

fn scene() -> Scene {
    let mut scene = Scene::default();
    scene.sequences.push(sequence("Stand", 0, 1000));
    scene.nodes.push(bone("low", None, [-3e38, 0.0, 0.0]));
    let mut high = bone("high", Some(0), [3e38, 0.0, 1.0]);
    high.translation.track =
        Some(Track::linear(vec![0, 1000], vec![[0.0; 3], [0.0, 0.0, 4.0]], [0.0, 0.0, 0.0]));
    scene.nodes.push(high);
    let mut mesh = triangle("m");
    mesh.skin = Some(skin(&[[(1, 1.0)].as_slice(); 3]));
    scene.meshes.push(mesh);
    scene
}

#[test]
fn numbers_beyond_a_file_are_the_largest_that_it_can_hold() {
    let file = File::new(&scene(), &ExportOptions::default());
    // From -3e38 to 3e38 are 6e38; the largest number is 3.4e38. Z of the game is Y.
    let node = file.node("high");
    let place: Vec<f32> =
        serde_json::from_value(file.json["nodes"][node]["translation"].clone()).expect("three numbers");
    near(&place[1..], &[1.0, 0.0]);
    assert_eq!(place[0], f32::MAX);
    let moved = file.moves(0, node, "translation").unwrap();
    assert!(moved.rows.iter().all(|row| row[0] == f32::MAX), "{moved:?}");
    let rest: Vec<Vec<f32>> = moved.rows.iter().map(|row| row[1..].to_vec()).collect();
    near_rows(&rest, &[[1.0, 0.0], [5.0, 0.0]]);
    assert!(file.said("numbers: 3 are too large for the file"), "{:?}", file.notes);

    let glb = export(&validate(scene()).unwrap(), &ExportOptions::default(), &mut NoTextures).unwrap();
    Model::read(&glb.into_glb().unwrap()).unwrap().lower().unwrap();
}

#[test]
fn usual_numbers_are_not_spoken_of() {
    let mut scene = scene();
    scene.nodes.as_mut_slice()[0].pivot = [3.4e38, 0.0, 0.0];
    let file = File::new(&scene, &ExportOptions::default());
    assert!(!file.said("numbers:"), "{:?}", file.notes);
}
