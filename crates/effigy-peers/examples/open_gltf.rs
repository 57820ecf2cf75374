//! Opens every .glb below a folder with the crate `gltf`, as programs that use it do, and reads all that it contains.
//!
//! ```text
//! open_gltf FOLDER RESULTS
//! ```
//!
//! RESULTS gets a line of JSON per model: its name, and the error if it did not open.

#![allow(clippy::print_stderr, reason = "a command")]

use serde_json::json;
use std::path::{Path, PathBuf};

fn files(folder: &Path, list: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            files(&path, list)?;
        } else if path.extension().is_some_and(|it| it == "glb") {
            list.push(path);
        }
    }
    Ok(())
}

/// Parses and validates a file, and reads every vertex, index, key and inverse bind matrix through the crate.
fn open(path: &Path) -> Result<(), String> {
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    let file = gltf::Gltf::from_slice(&bytes).map_err(|error| error.to_string())?;
    let blob = file.blob.as_deref();
    let data = |buffer: gltf::Buffer<'_>| match buffer.source() {
        gltf::buffer::Source::Bin => blob,
        gltf::buffer::Source::Uri(_) => None,
    };
    for primitive in file.meshes().flat_map(|mesh| mesh.primitives().collect::<Vec<_>>()) {
        let reader = primitive.reader(data);
        let vertices = reader.read_positions().ok_or("a mesh without positions")?.count();
        let indices = reader.read_indices().ok_or("a mesh without indices")?.into_u32();
        if let Some(index) = indices.into_iter().find(|index| *index as usize >= vertices) {
            return Err(format!("index {index} of {vertices} vertices"));
        }
        let influences = (0..2).map(|set| (reader.read_joints(set), reader.read_weights(set)));
        for (joints, weights) in influences {
            let joints = joints.map_or(0, |it| it.into_u16().count());
            let weights = weights.map_or(0, |it| it.into_f32().count());
            if joints != weights || (joints != 0 && joints != vertices) {
                return Err(format!("{joints} joints and {weights} weights of {vertices} vertices"));
            }
        }
        let _ = reader.read_morph_targets().map(|(points, ..)| points.into_iter().flatten().count()).max();
    }
    for skin in file.skins() {
        let matrices = skin.reader(data).read_inverse_bind_matrices().map_or(0, Iterator::count);
        if matrices != skin.joints().count() {
            return Err(format!("{matrices} matrices of {} joints", skin.joints().count()));
        }
    }
    for channel in file.animations().flat_map(|animation| animation.channels().collect::<Vec<_>>()) {
        let reader = channel.reader(data);
        let keys = reader.read_inputs().ok_or("a channel without times")?.count();
        let values = match reader.read_outputs().ok_or("a channel without values")? {
            gltf::animation::util::ReadOutputs::Translations(values) => values.count(),
            gltf::animation::util::ReadOutputs::Rotations(values) => values.into_f32().count(),
            gltf::animation::util::ReadOutputs::Scales(values) => values.count(),
            gltf::animation::util::ReadOutputs::MorphTargetWeights(values) => values.into_f32().count(),
        };
        if keys == 0 || values % keys != 0 {
            return Err(format!("{values} values of {keys} keys"));
        }
    }
    Ok(())
}

fn run(folder: &Path, results: &Path) -> Result<(), String> {
    let mut list = Vec::new();
    files(folder, &mut list).map_err(|error| format!("{}: {error}", folder.display()))?;
    list.sort();
    let mut lines = String::new();
    for path in list {
        let name = path.strip_prefix(folder).unwrap_or(&path).with_extension("");
        let name = name.to_string_lossy().replace('\\', "/");
        let line = match open(&path) {
            Ok(()) => json!({ "name": name }),
            Err(error) => json!({ "name": name, "error": error }),
        };
        lines.push_str(&format!("{line}\n"));
    }
    std::fs::write(results, lines).map_err(|error| format!("{}: {error}", results.display()))
}

fn main() -> std::process::ExitCode {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [folder, results] = arguments.as_slice() else {
        eprintln!("usage: open_gltf FOLDER RESULTS");
        return std::process::ExitCode::from(2);
    };
    match run(folder, results) {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            std::process::ExitCode::FAILURE
        }
    }
}
