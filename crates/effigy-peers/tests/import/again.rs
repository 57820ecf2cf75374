//! What was exported comes back: scene to glTF to scene.

use crate::lower;
use effigy_gltf::{ExportOptions, Model, NoTextures, export};
use effigy_scene::sample::{Moment, Sampler};
use effigy_scene::{Id, Mesh, Scene, Skin, ValidScene, validate};
use effigy_testkit::{corpus, index};
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::path::Path;

/// Relative to the model's size, or to 1 for weights, normals and texture coordinates.
const NEAR: f32 = 1e-5;

/// The first difference between two lists, element by element.
fn differ<T: Debug>(what: &str, before: &[T], after: &[T]) -> Result<(), String> {
    if before.len() != after.len() {
        return Err(format!("{what}: {} became {}", before.len(), after.len()));
    }
    for (number, (a, b)) in before.iter().zip(after).enumerate() {
        let (a, b) = (format!("{a:?}"), format!("{b:?}"));
        if a != b {
            let at = a.bytes().zip(b.bytes()).position(|(x, y)| x != y).unwrap_or(0);
            let part = |text: &str| {
                let start =
                    (0..=at.saturating_sub(60)).rev().find(|it| text.is_char_boundary(*it)).unwrap_or(0);
                text.get(start..).unwrap_or("").chars().take(140).collect::<String>()
            };
            return Err(format!("{what}[{number}]: {} became {}", part(&a), part(&b)));
        }
    }
    Ok(())
}

/// The share of each node that a vertex follows.
fn shares(skin: &Skin, vertex: usize) -> BTreeMap<usize, f32> {
    let mut shares = BTreeMap::new();
    let group = skin.group(skin.vertex_groups[vertex]);
    for one in group.iter().filter(|it| it.weight > 0.0) {
        *shares.entry(one.node.index()).or_insert(0.0) += one.weight;
    }
    let sum: f32 = shares.values().sum();
    shares.values_mut().for_each(|it| *it /= sum);
    shares
}

fn mesh_differs(before: &Mesh, after: &Mesh) -> Result<(), String> {
    differ("positions", &before.positions, &after.positions)?;
    differ("indices", &before.indices, &after.indices)?;
    differ("uvs", &before.uvs, &after.uvs)?;
    if before.normals.len() != after.normals.len() {
        return Err(format!("{} normals became {}", before.normals.len(), after.normals.len()));
    }
    for (a, b) in before.normals.iter().zip(&after.normals) {
        let length = a.iter().map(|it| it * it).sum::<f32>().sqrt();
        if length > 1e-3 && a.iter().zip(b).any(|(a, b)| (a / length - b).abs() > NEAR) {
            return Err(format!("normal {a:?} became {b:?}"));
        }
    }
    match (&before.skin, &after.skin) {
        (Some(a), Some(b)) => {
            for vertex in 0..before.positions.len() {
                let (a, b) = (shares(a, vertex), shares(b, vertex));
                // Files hold eight nodes for each vertex.
                let same = a.len() > 8
                    || (a.len() == b.len()
                        && a.iter().zip(&b).all(|((n, x), (m, y))| n == m && (x - y).abs() <= NEAR));
                if !same {
                    return Err(format!("vertex {vertex} follows {a:?}, then {b:?}"));
                }
            }
        }
        (None, None) => {}
        (a, b) => return Err(format!("a skin: {}, then {}", a.is_some(), b.is_some())),
    }
    match (&before.morph, &after.morph) {
        (Some(a), Some(b)) => {
            differ("order", std::slice::from_ref(&a.order), std::slice::from_ref(&b.order))?;
            if a.frames.len() != b.frames.len() {
                return Err("another number of frames".to_owned());
            }
            let size = effigy_scene::Bounds::around(&before.positions).size().max(1.0);
            for (a, b) in a.frames.iter().zip(&b.frames) {
                let points = a.positions.as_flattened().iter().zip(b.positions.as_flattened());
                if points.into_iter().any(|(a, b)| (a - b).abs() > NEAR * size) {
                    return Err("a frame differs".to_owned());
                }
            }
        }
        (None, None) => {}
        _ => return Err("frames came or went".to_owned()),
    }
    let bare = |mesh: &Mesh| Mesh {
        positions: Vec::new(),
        normals: Vec::new(),
        tangents: Vec::new(),
        uvs: Vec::new(),
        indices: Vec::new(),
        skin: None,
        morph: None,
        ..mesh.clone()
    };
    differ("mesh", &[bare(before)], &[bare(after)])
}

/// What differs between a scene and what its export gives back.
fn difference(scene: &ValidScene) -> Result<usize, String> {
    let mut file = export(
        scene,
        &ExportOptions { all_lods: true, all_parts: true, ..ExportOptions::default() },
        &mut NoTextures,
    )
    .map_err(|error| format!("export: {error}"))?;
    let written = std::mem::take(&mut file.mesh_nodes);
    let bytes = file.into_glb().map_err(|error| error.to_string())?;
    let model = Model::read(&bytes).map_err(|error| format!("read: {error}"))?;
    let (after, _) = model.lower().map_err(|error| format!("lower: {error}"))?;
    let before: &Scene = scene;
    let numbers: BTreeMap<usize, usize> =
        written.iter().enumerate().map(|(now, (id, _))| (id.index(), now)).collect();
    let mut nodes = before.nodes.clone();
    for node in nodes.as_mut_slice() {
        let now = node.gate.and_then(|gate| numbers.get(&gate.index()));
        node.gate = now.map(|it| Id::new(u32::try_from(*it).unwrap()));
    }
    differ("nodes", nodes.as_slice(), after.nodes.as_slice())?;
    if after.meshes.len() != written.len() {
        return Err(format!("{} meshes became {}", written.len(), after.meshes.len()));
    }
    for ((id, name), mesh) in written.iter().zip(after.meshes.as_slice()) {
        mesh_differs(before.meshes.get(*id).unwrap(), mesh).map_err(|error| format!("{name}: {error}"))?;
    }
    differ("materials", before.materials.as_slice(), after.materials.as_slice())?;
    differ("textures", before.textures.as_slice(), after.textures.as_slice())?;
    differ("sequences", before.sequences.as_slice(), after.sequences.as_slice())?;
    differ("globals", before.global_sequences.as_slice(), after.global_sequences.as_slice())?;
    differ("attachments", before.attachments.as_slice(), after.attachments.as_slice())?;
    differ("events", before.events.as_slice(), after.events.as_slice())?;
    differ("cameras", before.cameras.as_slice(), after.cameras.as_slice())?;
    differ("lights", before.lights.as_slice(), after.lights.as_slice())?;
    differ("emitters", before.emitters.as_slice(), after.emitters.as_slice())?;
    differ("ribbons", before.ribbons.as_slice(), after.ribbons.as_slice())?;
    differ("effects", before.effects.as_slice(), after.effects.as_slice())?;
    differ("shapes", before.shapes.as_slice(), after.shapes.as_slice())?;
    let used = |scene: &Scene| {
        let layers = scene.materials.as_slice().iter().flat_map(|it| &it.layers);
        let textures = layers.flat_map(|it| &it.textures).filter_map(|it| it.transform);
        textures.map(|id| format!("{:?}", scene.texture_transforms.get(id))).collect::<Vec<_>>()
    };
    differ("texture transforms", &used(before), &used(&after))?;
    let rules = |scene: &Scene| {
        let rules = (scene.key_rule, scene.turn_rule, scene.node_rule, scene.blend_time, scene.bounds);
        format!("{} {rules:?} {:?}", scene.name, scene.extras)
    };
    differ("model", &[rules(before)], &[rules(&after)])?;
    let after = validate(after).map_err(|error| format!("invalid: {error}"))?;
    let (first, second) = (Sampler::new(scene), Sampler::new(&after));
    let (mut a, mut b) = (first.pose(), second.pose());
    let mut compared = 0;
    for (number, (id, sequence)) in scene.sequences.iter().enumerate().take(8) {
        let time = f64::from(sequence.length()) * [0.13, 0.58, 0.91][number % 3];
        let moment = Moment { sequence: Some(id), time, clock: time * 1.7 };
        first.sample(&moment, None, &mut a);
        second.sample(&moment, None, &mut b);
        for (node, _) in scene.nodes.iter() {
            if a.matrix(node) != b.matrix(node) {
                return Err(format!("the matrix of node {} in {}", node.index(), sequence.name));
            }
            compared += 1;
        }
    }
    Ok(compared)
}

#[test]
fn samples_come_back() {
    let mut models = 0;
    for sample in effigy_samples::all() {
        let Some(lowered) = lower::lower(&sample.bytes, Path::new(&sample.file_name)) else { continue };
        let scene = validate(lowered.unwrap().scene).unwrap();
        if let Err(error) = difference(&scene) {
            panic!("{}: {error}", sample.name);
        }
        models += 1;
    }
    assert!(models >= 30, "{models} models");
}

/// The offset of the values of a linear channel of an animation in a .glb, and the node that it moves.
fn some_rotation(glb: &[u8]) -> (usize, usize) {
    let length = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    let json: serde_json::Value = serde_json::from_slice(&glb[20..20 + length]).unwrap();
    let number = |value: &serde_json::Value| usize::try_from(value.as_u64().unwrap_or(0)).unwrap();
    let animation = &json["animations"][0];
    let wanted = |it: &&serde_json::Value| {
        let sampler = &animation["samplers"][number(&it["sampler"])];
        let node = &json["nodes"][number(&it["target"]["node"])];
        it["target"]["path"] == "rotation"
            && sampler["interpolation"] == "LINEAR"
            && node["extras"]["kind"] == "bone"
    };
    let channel = animation["channels"].as_array().unwrap().iter().find(wanted).unwrap();
    let accessor = &json["accessors"][number(&animation["samplers"][number(&channel["sampler"])]["output"])];
    let view = &json["bufferViews"][number(&accessor["bufferView"])];
    let offset = 28 + length + number(&view["byteOffset"]) + number(&accessor["byteOffset"]);
    (offset, number(&channel["target"]["node"]))
}

#[test]
fn what_was_edited_wins_and_the_rest_stays_exact() {
    let sample = effigy_samples::all().into_iter().find(|it| it.name == "mdx-800-creature").unwrap();
    let scene = lower::lower(&sample.bytes, Path::new(&sample.file_name)).unwrap().unwrap().scene;
    let scene = validate(scene).unwrap();
    let mut glb = export(&scene, &ExportOptions::default(), &mut NoTextures).unwrap().into_glb().unwrap();
    let (offset, node) = some_rotation(&glb);
    // A quarter turn about glTF's X, which is the scene's X.
    let turn = [0.5_f32.sqrt(), 0.0, 0.0, 0.5_f32.sqrt()];
    let bytes: Vec<u8> = turn.iter().flat_map(|it| it.to_le_bytes()).collect();
    glb[offset..offset + 16].copy_from_slice(&bytes);
    let (after, report) = Model::read(&glb).unwrap().lower().unwrap();
    assert!(report.notes().iter().any(|it| it.message.contains("other animations")), "{report}");
    let after = validate(after).unwrap();
    // The root comes before the nodes.
    let edited = Id::new(u32::try_from(node - 1).unwrap());
    let first = scene.sequences.iter().find(|(_, it)| it.name.starts_with("Stand")).unwrap().0;
    let sampler = Sampler::new(&after);
    let now = sampler.value(&after.nodes.get(edited).unwrap().rotation, &Moment::new(first, 0.0));
    assert!(now.0.iter().zip(turn).all(|(a, b)| (a - b).abs() < 1e-6), "{now:?}");
    let mut same = 0;
    for (id, node) in scene.nodes.iter().filter(|(id, _)| *id != edited) {
        same += usize::from(after.nodes.get(id).unwrap().rotation == node.rotation);
    }
    // Nodes that share the changed keys have changed too.
    assert!(same + 4 >= scene.nodes.len() && same < scene.nodes.len(), "{same} of {}", scene.nodes.len());
}

#[test]
fn models_of_the_corpus_come_back() {
    let Some(corpus) = corpus() else { return };
    let (mut models, mut matrices, mut wrong) = (0, 0, Vec::new());
    let part: usize = std::env::var("EFFIGY_GLTF_STEP").ok().and_then(|it| it.parse().ok()).unwrap_or(2);
    for entry in index(&corpus).iter().filter(|entry| !entry.is_malformed()).step_by(part) {
        let Ok(bytes) = std::fs::read(&entry.path) else { continue };
        let Some(Ok(lowered)) = lower::lower(&bytes, &entry.path) else { continue };
        let Ok(scene) = validate(lowered.scene) else { continue };
        match difference(&scene) {
            Ok(count) => matrices += count,
            Err(error) => wrong.push(format!("{}: {error}", entry.name)),
        }
        models += 1;
    }
    eprintln!("{models} models, {matrices} matrices, {} differ\n{}", wrong.len(), wrong.join("\n"));
    assert!(wrong.is_empty(), "{} of {models}", wrong.len());
    assert!(models * part >= 350, "{models} models");
}
