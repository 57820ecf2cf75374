//! A file written by hand whose nodes do everything at once, against an evaluator that follows the specification.

use crate::common::evaluate::Document;
use crate::inputs::distance;
use effigy_gltf::Model;
use effigy_scene::sample::{Moment, Sampler};
use effigy_scene::{Id, validate};
use serde_json::{Value, json};

#[derive(Default)]
struct Glb {
    views: Vec<Value>,
    accessors: Vec<Value>,
    bin: Vec<u8>,
}

impl Glb {
    fn numbers(&mut self, kind: &str, width: usize, numbers: &[f32]) -> usize {
        let length = numbers.len() * 4;
        self.views.push(json!({"buffer": 0, "byteOffset": self.bin.len(), "byteLength": length}));
        self.bin.extend(numbers.iter().flat_map(|it| it.to_le_bytes()));
        let count = numbers.len() / width;
        let view = self.views.len() - 1;
        self.accessors.push(json!({"bufferView": view, "componentType": 5126, "count": count, "type": kind}));
        self.accessors.len() - 1
    }

    fn joints(&mut self, joints: &[[u8; 4]]) -> usize {
        let length = joints.len() * 4;
        self.views.push(json!({"buffer": 0, "byteOffset": self.bin.len(), "byteLength": length}));
        self.bin.extend(joints.as_flattened());
        let view = self.views.len() - 1;
        self.accessors
            .push(json!({"bufferView": view, "componentType": 5121, "count": joints.len(), "type": "VEC4"}));
        self.accessors.len() - 1
    }

    fn file(self, mut document: Value) -> Vec<u8> {
        document["asset"] = json!({"version": "2.0"});
        document["buffers"] = json!([{"byteLength": self.bin.len()}]);
        document["bufferViews"] = self.views.into();
        document["accessors"] = self.accessors.into();
        let mut text = document.to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        let word = |number: usize| u32::try_from(number).unwrap().to_le_bytes();
        let mut file =
            [*b"glTF", word(2), word(28 + text.len() + self.bin.len()), word(text.len()), *b"JSON"].concat();
        file.extend(&text);
        file.extend([word(self.bin.len()), *b"BIN\0"].concat());
        file.extend(&self.bin);
        file
    }
}

/// A rotation about an axis that is not one of the three, by degrees.
fn turn(degrees: f32) -> [f32; 4] {
    let (sin, cos) = (degrees.to_radians() / 2.0).sin_cos();
    [sin * 0.6, sin * 0.48, sin * 0.64, cos]
}

/// Tangents, values and tangents of cubic keys.
fn cubic<const N: usize>(values: &[[f32; N]], slope: f32) -> Vec<f32> {
    let bend = |key: usize, at: usize| slope * [1.0, -0.5, 0.75, 0.25][(key + at) % 4];
    let keys = values.iter().enumerate();
    keys.flat_map(|(key, value)| {
        let into: Vec<f32> = (0..N).map(|at| bend(key, at)).collect();
        let out: Vec<f32> = (0..N).map(|at| bend(key, at + 1)).collect();
        [into, value.to_vec(), out].concat()
    })
    .collect()
}

/// A chain of three nodes and a mirrored one with a mesh each, two of the nodes as joints, and a film.
fn file(uneven: bool) -> Vec<u8> {
    let mut glb = Glb::default();
    let corners = [0.0, 0.0, 0.0, 1.0, 0.25, 0.0, 0.0, 2.0, 3.0_f32];
    let position = glb.numbers("VEC3", 3, &corners);
    let joints = glb.joints(&[[0, 1, 0, 0], [1, 0, 0, 0], [1, 2, 0, 0]]);
    let weights = glb.numbers("VEC4", 4, &[0.25, 0.75, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.5, 0.5, 0.0, 0.0]);
    let targets = [
        glb.numbers("VEC3", 3, &[0.5, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, -1.0]),
        glb.numbers("VEC3", 3, &[0.0, 0.0, 2.0, 0.5, 0.0, 0.0, 0.0, 1.5, 0.0]),
    ];
    // The joints were bound where they rest, and all of it moved to the side.
    let identity = |x: f32, y: f32, z: f32| {
        [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, x, y, z, 1.0_f32]
    };
    let binds: Vec<f32> =
        [identity(0.5, 0.0, 0.0), identity(-1.0, -2.0, 0.5), identity(0.0, 1.0, 1.0)].concat();
    let bind = glb.numbers("MAT4", 16, &binds);
    let times = [0.0, 0.2504, 0.5, 1.1003_f32];
    let input = glb.numbers("SCALAR", 1, &times);
    let places = [[1.0, 2.0, 3.0], [2.0, 2.5, 1.0], [0.0, 4.0, 3.5], [1.5, 2.0, 3.0]];
    let sizes = if uneven {
        [[1.0, 2.0, 1.0], [1.5, 1.5, 1.25], [1.0, 1.0, 3.0], [2.0, 1.0, 1.0]]
    } else {
        [[1.0; 3], [1.5; 3], [0.75; 3], [2.0; 3]]
    };
    let turns = [turn(10.0), turn(80.0), turn(-30.0), turn(20.0)];
    let weigh = [[0.0, 1.0], [0.5, 0.25], [1.0, 0.0], [0.25, 0.75_f32]];
    let mut samplers = Vec::new();
    let mut channels = Vec::new();
    let mut channel = |node: usize, path: &str, mode: &str, output: usize| {
        channels.push(json!({"sampler": samplers.len(), "target": {"node": node, "path": path}}));
        samplers.push(json!({"input": input, "output": output, "interpolation": mode}));
    };
    let output = glb.numbers("VEC3", 3, places.as_flattened());
    channel(0, "translation", "LINEAR", output);
    let output = glb.numbers("VEC4", 4, &cubic(&turns, 0.8));
    channel(0, "rotation", "CUBICSPLINE", output);
    let output = glb.numbers("VEC3", 3, &cubic(&places, 4.0));
    channel(1, "translation", "CUBICSPLINE", output);
    let output = glb.numbers("VEC4", 4, turns.as_flattened());
    channel(1, "rotation", "LINEAR", output);
    let output = glb.numbers("VEC3", 3, sizes.as_flattened());
    channel(2, "scale", if uneven { "LINEAR" } else { "STEP" }, output);
    let output = glb.numbers("VEC4", 4, turns.as_flattened());
    channel(3, "rotation", "STEP", output);
    let film: Vec<f32> = cubic(&weigh, 1.5);
    let output = glb.numbers("SCALAR", 1, &film);
    channel(6, "weights", "CUBICSPLINE", output);
    let skinned = json!({"POSITION": position, "JOINTS_0": joints, "WEIGHTS_0": weights});
    let document = json!({
        "scene": 0, "scenes": [{"nodes": [0, 3, 5, 6]}],
        "nodes": [
            {"name": "A", "children": [1], "mesh": 0, "translation": [1.0, 2.0, 3.0], "rotation": turn(10.0), "scale": [2.0, 2.0, 2.0]},
            {"name": "B", "children": [2], "mesh": 0, "translation": [1.0, 2.0, 3.0], "rotation": turn(10.0)},
            {"name": "C", "mesh": 0, "translation": [0.5, 0.0, -1.0], "scale": sizes[0], "rotation": turn(33.0)},
            {"name": "Mirror", "children": [4], "scale": [-1.0, 1.0, 1.0], "translation": [0.0, 0.5, 0.0]},
            {"name": "Below", "mesh": 0, "translation": [3.0, 1.0, 0.0], "rotation": turn(45.0)},
            {"name": "Skinned", "mesh": 1, "skin": 0},
            {"name": "Film", "mesh": 2, "weights": [0.0, 1.0]}
        ],
        "skins": [{"joints": [0, 1, 2], "inverseBindMatrices": bind}],
        "meshes": [
            {"primitives": [{"attributes": {"POSITION": position}}]},
            {"primitives": [{"attributes": skinned}]},
            {"primitives": [{
                "attributes": {"POSITION": position},
                "targets": [{"POSITION": targets[0]}, {"POSITION": targets[1]}]
            }]}
        ],
        "animations": [{"name": "All", "samplers": samplers, "channels": channels}]
    });
    glb.file(document)
}

/// The largest difference at keys and between them.
fn differences(file: &[u8]) -> (f64, f64) {
    let (scene, _) = Model::read(file).unwrap().lower().unwrap();
    let scene = validate(scene).unwrap();
    let sampler = Sampler::new(&scene);
    let document = Document::new(file);
    let off = |time: f64| {
        let wanted = document.corners(&document.pose_of(0, time));
        distance(&scene, &sampler, &Moment::new(Id::new(0), time * 1000.0), &wanted)
    };
    // Just after the keys, since steps jump there.
    let keys = [0.0, 0.250_41, 0.500_01].map(off).into_iter().fold(0.0, f64::max);
    let between = (1..40).map(|part| off(f64::from(part) * 0.0275)).fold(0.0, f64::max);
    (keys, between)
}

#[test]
fn every_kind_of_key_in_a_turned_scaled_and_mirrored_chain_moves_as_the_specification_says() {
    let (keys, between) = differences(&file(false));
    assert!(keys < 1e-4 && between < 5e-4, "{keys} {between}");
}

#[test]
fn uneven_scales_that_change_move_as_the_specification_says() {
    let (keys, between) = differences(&file(true));
    assert!(keys < 1e-4 && between < 5e-4, "{keys} {between}");
}
