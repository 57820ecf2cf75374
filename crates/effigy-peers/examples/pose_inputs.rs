//! Poses glTF files of other programs with our sampler, for comparison with three.js (`js/inputs.mjs`).
//!
//! ```text
//! pose_inputs OUT FOLDER
//! ```
//!
//! Every animated file below FOLDER becomes `OUT/NUMBER.json` with its path, its size and the times, and `OUT/NUMBER.pos` with the
//! corners of all triangles at these times, three single-precision numbers each. The times are keys, and times between keys.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command")]

use effigy_gltf::Model;
use effigy_scene::sample::{Moment, Sampler};
use effigy_scene::{Id, ValidScene, validate};
use effigy_testkit::files;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Animations of a file that are compared, at most.
const MOST: usize = 8;
/// Parts of an animation at which poses are compared: none of them is a key of 24 or 30 frames per second.
const PARTS: [f32; 7] = [0.0, 0.113, 0.371, 0.533, 0.797, 0.971, 1.0];

fn open(path: &Path) -> effigy_wire::Result<Option<(ValidScene, Vec<f32>)>> {
    let Ok(bytes) = std::fs::read(path) else { return Ok(None) };
    let mut model = Model::read(&bytes)?;
    for name in model.companions() {
        if let Ok(bytes) = std::fs::read(path.with_file_name(&name)) {
            model.attach(&name, bytes);
        }
    }
    let lengths: Vec<f32> = model.animations().into_iter().map(|(_, length)| length).collect();
    if lengths.is_empty() {
        return Ok(None);
    }
    let (scene, _) = model.lower()?;
    Ok(Some((validate(scene)?, lengths)))
}

/// Times in seconds: parts of the whole, and some keys of the tracks of nodes with the middles between them.
fn times(scene: &ValidScene, sequence: usize, length: f32) -> Vec<f32> {
    let mut times: Vec<f32> = PARTS.iter().map(|part| part * length).collect();
    let start = scene.sequences.as_slice().get(sequence).map_or(0.0, |it| f64::from(it.start));
    for node in scene.nodes.as_slice() {
        let Some(track) = &node.rotation.track else { continue };
        let Some([first, last]) = track.windows.get(sequence) else { continue };
        let (first, last) = (*first as usize, *last as usize);
        for key in (first..last).step_by(((last - first) / 4).max(1)) {
            let (a, b) = (track.time(key) - start, track.time(key + 1) - start);
            #[allow(clippy::cast_possible_truncation, reason = "glTF times are single precision")]
            times.extend([a, f64::midpoint(a, b)].map(|it| (it / 1000.0) as f32));
        }
        break;
    }
    times
}

fn posed(scene: &ValidScene, lengths: &[f32], positions: &mut Vec<u8>) -> Vec<Value> {
    let sampler = Sampler::new(scene);
    let mut pose = sampler.pose();
    let mut sequences = Vec::new();
    let step = lengths.len().div_ceil(MOST).max(1);
    for (number, length) in lengths.iter().enumerate().step_by(step) {
        let Ok(id) = u32::try_from(number) else { continue };
        let mut entries = Vec::new();
        for time in times(scene, number, *length) {
            // In single precision the end may be a little later than it is, where a loop begins again.
            let end = scene.sequences.as_slice().get(number).map_or(0.0, |it| f64::from(it.length()));
            let at = (f64::from(time) * 1000.0).min(end);
            sampler.sample(&Moment::new(Id::new(id), at), None, &mut pose);
            sampler.skin(&mut pose);
            let first = positions.len() / 12;
            let mut counts = Vec::new();
            for (mesh, posed) in scene.meshes.as_slice().iter().zip(pose.meshes()) {
                counts.push(mesh.indices.len());
                for index in &mesh.indices {
                    let point = posed.positions.get(*index as usize).copied().unwrap_or([f32::NAN; 3]);
                    point.iter().for_each(|it| positions.extend(it.to_le_bytes()));
                }
            }
            entries.push(json!({ "time": time, "first": first, "counts": counts }));
        }
        sequences.push(json!({ "animation": number, "times": entries }));
    }
    sequences
}

fn main() {
    let mut arguments = std::env::args().skip(1).map(PathBuf::from);
    let (Some(out), Some(folder)) = (arguments.next(), arguments.next()) else {
        eprintln!("usage: pose_inputs OUT FOLDER");
        std::process::exit(2);
    };
    let list = files(&folder, |name| name.ends_with(".glb") || name.ends_with(".gltf"));
    let mut written = 0_usize;
    for (number, path) in list.iter().enumerate() {
        let opened = match open(path) {
            Ok(opened) => opened,
            Err(error) => {
                println!("{}: {error}", path.display());
                continue;
            }
        };
        let Some((scene, lengths)) = opened else { continue };
        let mut positions = Vec::new();
        let sequences = posed(&scene, &lengths, &mut positions);
        let name = path.strip_prefix(&folder).unwrap_or(path).to_string_lossy().replace('\\', "/");
        let size = scene.info().bounds.size().max(1e-6);
        let value = json!({ "path": name, "size": size, "sequences": sequences });
        let saved = std::fs::write(out.join(format!("{number:03}.json")), value.to_string())
            .and_then(|()| std::fs::write(out.join(format!("{number:03}.pos")), positions));
        if let Err(error) = saved {
            eprintln!("{}: {error}", out.display());
            std::process::exit(1);
        }
        written += 1;
    }
    println!("{written} animated files of {}", list.len());
}
