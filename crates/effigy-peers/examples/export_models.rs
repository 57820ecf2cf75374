//! Exports models to glTF and, on request, writes the results of the sampler for comparison with other programs.
//!
//! ```text
//! export_models OUT PATH... [--soldier=NAME=PATH[+PLACE=FILE]] [--root=FOLDER] [--expect] [--nodes] [--textures] [--draft] [--keep-globals] [--visibility] [--dry]
//! ```
//!
//! Each model becomes `OUT/NAME.glb`, named by its path (below the root, if there is one). A soldier is a player folder or a
//! character file, opened with everything that belongs to it and with the models that are attached to its places. With `--expect`,
//! `OUT/NAME.json` and `OUT/NAME.pos` hold vertex positions at rest and at five times in up to four sequences, for
//! `py/blender_check.py` and `js/clients.mjs`. With `--nodes`,
//! `OUT/NAME.nodes.json` holds node matrices of MDX models at 20 random times, for `js/oracle.mjs`. With `--dry` nothing is
//! written and the speed is measured.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command")]

mod lower;

use effigy_gltf::{ExportOptions, NoTextures, Visibility, export};
use effigy_scene::sample::{Moment, Pose, Sampler};
use effigy_scene::{Billboard, Id, Mesh, Sequence, ValidScene, validate};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

fn files(path: &Path, list: &mut Vec<PathBuf>) {
    if !path.is_dir() {
        list.push(path.to_owned());
        return;
    }
    let Ok(entries) = std::fs::read_dir(path) else { return };
    let mut entries: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    entries.sort();
    entries.iter().for_each(|entry| files(entry, list));
}

/// What a program should show: positions of the visible meshes and names of the hidden ones, at rest and at five times in up
/// to four sequences. The positions are in bytes of their own, three single-precision numbers per vertex.
struct Expected<'a> {
    scene: &'a ValidScene,
    sampler: Sampler<'a>,
    pose: Pose,
    nodes: &'a [(Id<Mesh>, String)],
    positions: Vec<u8>,
}

/// A mesh counts as hidden if it is hidden this many milliseconds earlier and later too: exported files show and hide
/// meshes at the keys of the game or at even times.
const MARGIN: f64 = 20.0;

impl<'a> Expected<'a> {
    fn new(scene: &'a ValidScene, nodes: &'a [(Id<Mesh>, String)]) -> Self {
        let sampler = Sampler::new(scene);
        let pose = sampler.pose();
        Self { scene, sampler, pose, nodes, positions: Vec::new() }
    }

    fn sequences(&mut self, names: &[(Id<Sequence>, String)]) -> Value {
        let rest = self.at(names.first().map(|(id, _)| *id), 0.0, 0.0);
        let mut sequences = vec![json!({ "name": "rest", "animation": null, "times": [rest] })];
        let step = names.len().div_ceil(4).max(1);
        for (id, animation) in names.iter().step_by(step) {
            let Some(sequence) = self.scene.sequences.get(*id) else { continue };
            let mut times = Vec::new();
            for part in [0.0, 0.23, 0.51, 0.77, 1.0] {
                // Whole milliseconds, as in the games.
                let time = (f64::from(sequence.length()) * part).round();
                // Where a clock starts again at the very end, the animation ends with the motion before that.
                let clock = if part == 1.0 { (time - 1e-3).max(0.0) } else { time };
                times.push(self.at(Some(*id), time, clock));
            }
            sequences.push(json!({ "name": sequence.name, "animation": animation, "times": times }));
        }
        sequences.into()
    }

    fn at(&mut self, sequence: Option<Id<Sequence>>, time: f64, clock: f64) -> Value {
        let mut hidden: Vec<&String> = self.nodes.iter().map(|(_, node)| node).collect();
        let length =
            sequence.and_then(|id| self.scene.sequences.get(id)).map_or(0.0, |it| it.length().into());
        for shift in [-MARGIN, MARGIN] {
            let (time, clock) = ((time + shift).clamp(0.0, length), (clock + shift).max(0.0));
            self.sampler.sample(&Moment { sequence, time, clock }, None, &mut self.pose);
            hidden.retain(|name| self.is_hidden(name));
        }
        self.sampler.sample(&Moment { sequence, time, clock }, None, &mut self.pose);
        hidden.retain(|name| self.is_hidden(name));
        self.sampler.skin(&mut self.pose);
        let mut meshes = Vec::new();
        for (mesh, node) in self.nodes {
            let Some(posed) = self.pose.mesh(*mesh).filter(|posed| posed.visible) else { continue };
            let Some(source) = self.scene.meshes.get(*mesh) else { continue };
            // Blender drops vertices that no triangle uses.
            let mut used = vec![false; posed.positions.len()];
            for index in &source.indices {
                if let Some(used) = used.get_mut(*index as usize) {
                    *used = true;
                }
            }
            let first = self.positions.len() / 12;
            for (point, _) in posed.positions.iter().zip(&used).filter(|(_, used)| **used) {
                point.iter().for_each(|number| self.positions.extend(number.to_le_bytes()));
            }
            meshes.push(json!({ "node": node, "first": first, "count": self.positions.len() / 12 - first }));
        }
        json!({ "time": time, "meshes": meshes, "hidden": hidden })
    }

    fn is_hidden(&self, name: &str) -> bool {
        let mesh = self.nodes.iter().find(|(_, node)| node == name).and_then(|(id, _)| self.pose.mesh(*id));
        mesh.is_some_and(|posed| !posed.visible)
    }
}

fn expected(
    scene: &ValidScene,
    nodes: &[(Id<Mesh>, String)],
    names: &[(Id<Sequence>, String)],
) -> (Value, Vec<u8>) {
    let mut expected = Expected::new(scene, nodes);
    let sequences = expected.sequences(names);
    let mut notes = Vec::new();
    let nodes = scene.nodes.as_slice();
    if scene.info().globals.contains(&true) {
        notes.push("globals");
    }
    if nodes.iter().any(|node| node.billboard != Billboard::None || node.camera_anchored) {
        notes.push("billboards");
    }
    if nodes.iter().any(|node| node.ignore.any()) {
        notes.push("refuses");
    }
    let value = json!({ "size": scene.info().bounds.size(), "notes": notes, "sequences": sequences });
    (value, expected.positions)
}

/// Node matrices at 20 random times, by object id.
fn matrices_at_random(scene: &ValidScene, path: &Path) -> Value {
    let sampler = Sampler::new(scene);
    let mut pose = sampler.pose();
    let mut state = 0x1234_5678_u32;
    let mut random = |limit: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) % limit.max(1)
    };
    let mut samples = Vec::new();
    for _ in 0..20 {
        let count = u32::try_from(scene.sequences.len()).unwrap_or(0);
        let Some(id) = scene.sequences.id(random(count) as usize) else { break };
        let Some(sequence) = scene.sequences.get(id) else { break };
        let time = random(sequence.length().unsigned_abs());
        let clock = random(10_000);
        let moment = Moment { sequence: Some(id), time: f64::from(time), clock: f64::from(clock) };
        sampler.sample(&moment, None, &mut pose);
        let mut matrices = serde_json::Map::new();
        for (node, source) in scene.nodes.iter() {
            if let Some(effigy_scene::Extra::Int(object)) = source.extras.get("objectId") {
                matrices.entry(object.to_string()).or_insert_with(|| json!(pose.matrix(node).as_flattened()));
            }
        }
        let frame = f64::from(sequence.start) + f64::from(time);
        samples.push(json!({ "sequence": id.index(), "frame": frame, "clock": clock, "matrices": matrices }));
    }
    let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let size = scene.info().bounds.size();
    let size = if size > 0.0 { size } else { 1.0 };
    json!({ "path": path, "size": size, "samples": samples })
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |name: &str| arguments.iter().any(|argument| argument == name);
    let mut paths = arguments.iter().filter(|argument| !argument.starts_with("--"));
    let Some(out) = paths.next().map(PathBuf::from) else {
        eprintln!("usage: export_models OUT PATH... [--expect] [--dry] ...");
        std::process::exit(2);
    };
    let root = arguments.iter().find_map(|argument| argument.strip_prefix("--root="));
    let mut list = Vec::new();
    paths.for_each(|path| files(Path::new(path), &mut list));
    let soldiers: Vec<(String, PathBuf)> = arguments
        .iter()
        .filter_map(|argument| argument.strip_prefix("--soldier=")?.split_once('='))
        .map(|(name, path)| (name.to_owned(), PathBuf::from(path)))
        .collect();
    let models = list.into_iter().map(|path| (None, path));
    let list = models.chain(soldiers.into_iter().map(|(name, path)| (Some(name), path)));
    let options = ExportOptions {
        draft: has("--draft"),
        textures: has("--textures"),
        keep_globals: has("--keep-globals"),
        visibility: if has("--visibility") { Visibility::Extension } else { Visibility::Scale },
        ..ExportOptions::default()
    };
    let (mut read, mut written, mut models, mut failed) = (0_usize, 0_usize, 0_usize, 0_usize);
    let mut spent = Duration::ZERO;
    let mut slowest = (Duration::ZERO, String::new());
    for (soldier, path) in list {
        let start = Instant::now();
        let (bytes, lowered) = if soldier.is_some() {
            let (size, lowered) = lower::soldier(&path.to_string_lossy());
            (vec![0; size], lowered)
        } else {
            let Ok(bytes) = std::fs::read(&path) else { continue };
            let Some(lowered) = lower::lower(&bytes, &path) else { continue };
            (bytes, lowered)
        };
        let name = root.and_then(|root| path.strip_prefix(root).ok()).unwrap_or(&path);
        let name = name.to_string_lossy().replace(['/', '\\', ' '], "_");
        let name = soldier.unwrap_or_else(|| name.trim_start_matches(['.', '_']).to_owned());
        let done = lowered.and_then(|lowered| {
            let scene = validate(lowered.scene)?;
            let mut gltf = export(&scene, &options, &mut NoTextures)?;
            let names = (std::mem::take(&mut gltf.mesh_nodes), std::mem::take(&mut gltf.animations));
            Ok((scene, names, gltf.into_glb()?))
        });
        let time = start.elapsed();
        match done {
            Ok((scene, (nodes, names), glb)) => {
                models += 1;
                spent += time;
                read += bytes.len();
                written += glb.len();
                if time > slowest.0 {
                    slowest = (time, name.clone());
                }
                if has("--dry") {
                    continue;
                }
                let written = std::fs::create_dir_all(&out)
                    .and_then(|()| std::fs::write(out.join(format!("{name}.glb")), glb))
                    .and_then(|()| {
                        if has("--nodes") && effigy_mdx::sniff(&bytes) {
                            let value = matrices_at_random(&scene, &path);
                            std::fs::write(out.join(format!("{name}.nodes.json")), value.to_string())?;
                        }
                        if !has("--expect") {
                            return Ok(());
                        }
                        let (value, positions) = expected(&scene, &nodes, &names);
                        std::fs::write(out.join(format!("{name}.json")), value.to_string())?;
                        std::fs::write(out.join(format!("{name}.pos")), positions)
                    });
                if let Err(error) = written {
                    eprintln!("{name}: {error}");
                    std::process::exit(1);
                }
            }
            Err(error) => {
                failed += 1;
                println!("failed {}: {error}", path.display());
            }
        }
    }
    let megabytes = read as f64 / 1e6;
    println!(
        "{models} models, {failed} failed, {megabytes:.1} MB in, {:.1} MB out, {:.3} s, {:.0} MB/s; slowest {} ({:.3} s)",
        written as f64 / 1e6,
        spent.as_secs_f64(),
        megabytes / spent.as_secs_f64(),
        slowest.1,
        slowest.0.as_secs_f64()
    );
}
