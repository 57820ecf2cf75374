//! Exported files as programs that know nothing of Effigy see them: evaluated as the glTF 2.0 specification defines it, and
//! opened by the crate `gltf`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::indexing_slicing
)]
#![allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "indices and times of a file")]

#[path = "../../../effigy-gltf/tests/common/evaluate.rs"]
mod evaluate;
#[path = "../../examples/lower/mod.rs"]
mod lower;
#[path = "../../../effigy-gltf/tests/common/posed.rs"]
mod posed;

use effigy_gltf::ExportOptions;
use effigy_scene::{Influence, Interpolation, KeyRule, Mesh, Node, NodeKind, Scene, Sequence, Skin, Track};
use effigy_testkit::{corpus, index};
use evaluate::Document;
use posed::{exported, farthest};
use std::path::Path;

/// Positions may differ by this share of the model's size.
const NEAR: f64 = 1e-3;

/// Whether the weights of every vertex add up to 1. Where they do not, as in two files made for tests, the game shrinks the
/// mesh towards the origin; glTF demands a sum of 1.
fn weights_are_whole(scene: &Scene) -> bool {
    let skins = scene.meshes.as_slice().iter().filter_map(|mesh| mesh.skin.as_ref());
    skins.flat_map(|skin| skin.vertex_groups.iter().map(|group| skin.group(*group))).all(|influences| {
        let sum: f32 = influences.iter().map(|it| it.weight).sum();
        influences.is_empty() || sum == 0.0 || (sum - 1.0).abs() < 0.01
    })
}

/// Whether a node that ignores part of its parent's motion may be sheared: where a scale differs by axis above it. A node of
/// glTF has no shear.
fn may_shear(scene: &Scene) -> bool {
    let uneven = |[x, y, z]: &[f32; 3]| (x - y).abs() > 1e-3 || (y - z).abs() > 1e-3;
    let nodes = scene.nodes.as_slice();
    nodes.iter().any(|node| node.ignore.any())
        && nodes.iter().any(|node| node.scale.track.iter().flat_map(|track| &track.values).any(uneven))
}

#[test]
fn samples_move_as_the_sampler_says_with_global_sequences_on() {
    let mut models = 0;
    for sample in effigy_samples::all() {
        let Some(lowered) = lower::lower(&sample.bytes, Path::new(&sample.file_name)) else { continue };
        let scene = lowered.unwrap().scene;
        if may_shear(&scene) || !weights_are_whole(&scene) {
            continue;
        }
        let model = exported(scene, &ExportOptions::default()).unwrap();
        let (off, _, place) = farthest(&model).unwrap();
        assert!(off <= NEAR, "{}: off by {off}: {place}", sample.name);
        models += 1;
    }
    assert!(models >= 30, "{models} models");
}

#[test]
fn models_of_the_corpus_move_as_the_sampler_says_with_global_sequences_on() {
    let Some(corpus) = corpus() else { return };
    let (mut models, mut vertices, mut globals, mut wrong) = (0, 0, 0, Vec::new());
    let entries = index(&corpus);
    let part: usize = std::env::var("EFFIGY_GLTF_STEP").ok().and_then(|it| it.parse().ok()).unwrap_or(2);
    for entry in entries.iter().filter(|entry| !entry.is_malformed()).step_by(part) {
        let Ok(bytes) = std::fs::read(&entry.path) else { continue };
        let Some(Ok(lowered)) = lower::lower(&bytes, &entry.path) else { continue };
        if !weights_are_whole(&lowered.scene) {
            continue;
        }
        let Ok(model) = exported(lowered.scene, &ExportOptions::default()) else { continue };
        models += 1;
        globals += usize::from(model.scene.info().globals.contains(&true));
        match farthest(&model) {
            Ok((off, count, place)) => {
                vertices += count;
                if off > NEAR {
                    wrong.push(format!("{}: off by {off:.2e}: {place}", entry.name));
                }
            }
            Err(error) => wrong.push(format!("{}: {error}", entry.name)),
        }
    }
    eprintln!(
        "{models} models, {globals} with global sequences, {vertices} vertices compared, {} wrong",
        wrong.len()
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(models >= 150 && globals >= 40 && vertices > 1_000_000, "{models} {globals} {vertices}");
}

#[test]
fn the_gltf_crate_opens_every_sample() {
    let mut models = 0;
    for sample in effigy_samples::all() {
        let Some(lowered) = lower::lower(&sample.bytes, Path::new(&sample.file_name)) else { continue };
        let scene = lowered.unwrap().scene;
        for keep_globals in [false, true] {
            let options = ExportOptions { keep_globals, ..ExportOptions::default() };
            let model = exported(scene.clone(), &options).unwrap();
            let file =
                gltf::Gltf::from_slice(&model.glb).unwrap_or_else(|error| panic!("{}: {error}", sample.name));
            assert_eq!(file.meshes().count(), model.meshes.len(), "{}", sample.name);
            if !keep_globals && !model.animations.is_empty() {
                let names: Vec<&str> = file.animations().filter_map(|it| it.name()).collect();
                let want: Vec<&str> = model.animations.iter().map(|(_, name)| name.as_str()).collect();
                assert_eq!(names, want, "{}", sample.name);
            }
        }
        models += 1;
    }
    assert!(models >= 30, "{models} models");
}

/// A helper with three bones below it that fly apart, and a triangle between them that is shown in the first half of a second
/// and fades in during the last quarter.
fn flying_apart() -> Scene {
    let mut scene = Scene { name: "Burst".into(), key_rule: KeyRule::Wrap, ..Scene::default() };
    scene.sequences.push(Sequence { name: "Stand".into(), start: 0, end: 1000, ..Sequence::default() });
    let mut helper = Node::new("Helper", NodeKind::Helper, None, [0.0, 0.0, 1.0]);
    helper.translation.track = Some(Track::linear(vec![0, 1000], vec![[0.0; 3], [0.0, 0.0, 8.0]], [0.0; 3]));
    let helper = scene.nodes.push(helper);
    let mut mesh = Mesh::new("Triangle");
    let mut skin = Skin::default();
    for (index, way) in [[9.0, 0.0, 0.0], [0.0, 9.0, 0.0], [-9.0, -9.0, 0.0]].into_iter().enumerate() {
        let mut bone =
            Node::new(format!("Bone {index}"), NodeKind::Bone, Some(helper), way.map(|it| it / 9.0));
        bone.translation.track = Some(Track::linear(vec![0, 1000], vec![[0.0; 3], way], [0.0; 3]));
        let node = scene.nodes.push(bone);
        skin.push_group(vec![Influence { node, weight: 1.0 }]);
        skin.vertex_groups.push(index as u32);
        mesh.positions.push(way.map(|it| it / 9.0));
    }
    mesh.indices = vec![0, 1, 2];
    mesh.skin = Some(skin);
    let steps = Track::linear(vec![0, 500], vec![1.0, 0.0], 1.0);
    mesh.alpha.track = Some(Track { interpolation: Interpolation::Step, ..steps });
    let mut late = mesh.clone();
    late.name = "Late".into();
    late.alpha.track = Some(Track::linear(vec![0, 1000], vec![-3.0, 1.0], 1.0));
    scene.meshes.push(mesh);
    scene.meshes.push(late);
    scene
}

#[test]
fn a_hidden_mesh_is_a_point_wherever_its_bones_are() {
    let model = exported(flying_apart(), &ExportOptions::default()).unwrap();
    let (off, count, place) = farthest(&model).unwrap();
    assert!(off < 1e-5 && count == 15, "{count} vertices, off by {off}: {place}");
    let document = Document::new(&model.glb);
    let spread = |node: &str, time: f64| {
        let points = document.vertices(node, &document.pose(Some("Stand"), time));
        let apart =
            |a: &[f64; 3], b: &[f64; 3]| (0..3).map(|axis| (a[axis] - b[axis]).powi(2)).sum::<f64>().sqrt();
        points.iter().map(|point| apart(point, &points[0])).fold(0.0, f64::max)
    };
    for (node, time, shown) in [
        ("Triangle", 0.0, true),
        ("Triangle", 0.49, true),
        ("Triangle", 0.51, false),
        ("Triangle", 1.0, false),
        // Its alpha passes 0 at three quarters of the second, where it has no key.
        ("Late", 0.0, false),
        ("Late", 0.7, false),
        ("Late", 0.8, true),
    ] {
        let spread = spread(node, time);
        // Two corners are 10 apart in the middle of the second: (1 + 9 / 2) x sqrt 2 and more.
        assert_eq!(spread > 1.0, shown, "{node} at {time}: {spread}");
        assert!(shown || spread < 1e-3, "{node} at {time}: {spread}");
    }
}

#[test]
fn everything_above_a_joint_is_a_joint() {
    let model = exported(flying_apart(), &ExportOptions::default()).unwrap();
    let file = gltf::Gltf::from_slice(&model.glb).unwrap();
    let skin = file.skins().next().unwrap();
    let joints: Vec<usize> = skin.joints().map(|it| it.index()).collect();
    let root = skin.skeleton().unwrap().index();
    for node in file.nodes() {
        for child in node.children().filter(|it| joints.contains(&it.index())) {
            let name = child.name().unwrap_or_default();
            assert!(
                node.index() == root || joints.contains(&node.index()),
                "{name} is below {:?}",
                node.name()
            );
        }
    }
    // The helper, three bones, and for each mesh the node that is scaled and three copies.
    assert_eq!(joints.len(), 4 + 4 + 4);
}
