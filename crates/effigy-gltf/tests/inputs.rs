//! glTF files of other programs, read and posed, next to the same files evaluated as the specification says.
#![allow(clippy::print_stderr, reason = "the distances are worth a look")]

use super::common::evaluate::Document;
use effigy_gltf::Model;
use effigy_scene::sample::{Moment, Sampler};
use effigy_scene::{Id, Scene, ValidScene, validate};
use effigy_testkit::{files, gltf_inputs};
use std::path::{Path, PathBuf};

/// Positions at key times may differ by this share of the model's size.
const AT_KEYS: f64 = 1e-5;
/// Between keys they may differ by more: cubic rotations are sampled.
const BETWEEN: f64 = 2e-5;
/// Files with rotations of 8 bits, whose length is not 1. The specification does not say whether they are brought to length 1 before
/// the interpolation or after it.
const COARSE: [&str; 2] = ["Accessor_SparseType_03.gltf", "Animation_SamplerType_01.gltf"];
/// How far those may be apart between keys.
const BETWEEN_COARSE: f64 = 5e-4;

fn open(path: &Path) -> effigy_wire::Result<Scene> {
    let mut model = Model::read(&std::fs::read(path).unwrap())?;
    for name in model.companions() {
        if let Ok(bytes) = std::fs::read(path.with_file_name(&name)) {
            model.attach(&name, bytes);
        }
    }
    assert!(model.verify(&std::fs::read(path).unwrap()).status == effigy_wire::Status::Identical);
    model.lower().map(|(scene, _)| scene)
}

fn inputs() -> Option<Vec<PathBuf>> {
    let folder = gltf_inputs()?;
    Some(files(&folder, |name| name.ends_with(".glb") || name.ends_with(".gltf")))
}

#[test]
fn every_file_is_read_or_refused_with_its_reason() {
    let Some(inputs) = inputs() else { return };
    let (mut read, mut refused) = (0, Vec::new());
    for path in inputs {
        match open(&path) {
            Ok(scene) => {
                let scene = validate(scene).unwrap();
                // Some of these consist of points and lines.
                let lines = path.components().any(|it| it.as_os_str() == "Mesh_PrimitiveMode");
                assert!(scene.info().triangles > 0 || lines, "{}", path.display());
                read += 1;
            }
            Err(error) => refused.push(error.to_string()),
        }
    }
    assert_eq!(refused, ["the file requires KHR_draco_mesh_compression, which cannot be read"]);
    assert!(read >= 99, "{read} files");
}

/// The largest distance of a corner as a share of the model's size.
pub fn distance(scene: &ValidScene, sampler: &Sampler<'_>, moment: &Moment, wanted: &[Vec<[f64; 3]>]) -> f64 {
    let mut pose = sampler.pose();
    sampler.sample(moment, None, &mut pose);
    sampler.skin(&mut pose);
    let size = f64::from(scene.info().bounds.size()).max(1e-6);
    let mut worst = 0.0_f64;
    assert_eq!(scene.meshes.len(), wanted.len());
    for ((mesh, posed), wanted) in scene.meshes.as_slice().iter().zip(pose.meshes()).zip(wanted) {
        let corners: Vec<[f32; 3]> =
            mesh.indices.iter().map(|index| posed.positions[*index as usize]).collect();
        assert_eq!(corners.len(), wanted.len(), "{}", mesh.name);
        let off = |corner: &[f32; 3], [x, y, z]: &[f64; 3]| {
            // Z of the file is the front (x of the scene), X its left side (y), Y is up (z).
            let off = [z - f64::from(corner[0]), x - f64::from(corner[1]), y - f64::from(corner[2])];
            off.iter().map(|it| it * it).sum::<f64>().sqrt() / size
        };
        for (ours, theirs) in corners.chunks_exact(3).zip(wanted.chunks_exact(3)) {
            let straight = ours.iter().zip(theirs).map(|(a, b)| off(a, b)).fold(0.0, f64::max);
            // Triangles of mirrored nodes are turned over.
            let turned = ours.iter().rev().zip(theirs).map(|(a, b)| off(a, b)).fold(0.0, f64::max);
            worst = worst.max(straight.min(turned));
        }
    }
    worst
}

#[test]
fn vertices_move_as_the_specification_says() {
    let Some(inputs) = inputs() else { return };
    let (mut animated, mut wrong) = (0, Vec::new());
    for path in inputs {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let Ok(scene) = open(&path) else { continue };
        // What has no place in a scene: points and lines are left out.
        if name.starts_with("Mesh_PrimitiveMode") {
            continue;
        }
        let scene = validate(scene).unwrap();
        let document = Document::open(&path);
        let sampler = Sampler::new(&scene);
        let animations = document.animations();
        // A scene has no pose of its own for what its sequences move.
        let rest = if animations.is_empty() {
            distance(&scene, &sampler, &Moment::default(), &document.corners(&document.pose(None, 0.0)))
        } else {
            0.0
        };
        let (mut at_keys, mut between) = (0.0_f64, 0.0_f64);
        let step = animations.len().div_ceil(4).max(1);
        for number in (0..animations.len()).step_by(step) {
            let sequence = Id::new(u32::try_from(number).unwrap());
            let keys = document.key_times(number);
            for key in keys.iter().step_by(keys.len().div_ceil(6).max(1)) {
                let wanted = document.corners(&document.pose_of(number, *key));
                let moment = Moment::new(sequence, key * 1000.0);
                at_keys = at_keys.max(distance(&scene, &sampler, &moment, &wanted));
            }
            for part in [0.11, 0.37, 0.53, 0.79, 0.97] {
                let time = animations[number].1 * part;
                let wanted = document.corners(&document.pose_of(number, time));
                between =
                    between.max(distance(&scene, &sampler, &Moment::new(sequence, time * 1000.0), &wanted));
            }
        }
        animated += usize::from(!animations.is_empty());
        eprintln!("{name}: rest {rest:.1e}, at keys {at_keys:.1e}, between {between:.1e}");
        let limit = if COARSE.contains(&name.as_str()) { BETWEEN_COARSE } else { BETWEEN };
        if rest > AT_KEYS || at_keys > AT_KEYS || between > limit {
            wrong.push(format!("{name}: rest {rest:.1e}, at keys {at_keys:.1e}, between {between:.1e}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(animated >= 25, "{animated} animated files");
}
