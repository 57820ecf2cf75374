//! Files written by hand.
#![allow(dead_code, clippy::unwrap_used, reason = "every test uses some of it")]

use effigy_gltf::Model;
use effigy_scene::Scene;
use serde_json::{Value, json};

/// A binary file while it is built.
#[derive(Default)]
pub struct Glb {
    pub views: Vec<Value>,
    pub accessors: Vec<Value>,
    pub bin: Vec<u8>,
}

impl Glb {
    pub fn view(&mut self, bytes: &[u8], stride: Option<usize>) -> usize {
        let mut view = json!({"buffer": 0, "byteOffset": self.bin.len(), "byteLength": bytes.len()});
        if let Some(stride) = stride {
            view["byteStride"] = stride.into();
        }
        self.bin.extend_from_slice(bytes);
        self.bin.resize(self.bin.len().next_multiple_of(4), 0);
        self.views.push(view);
        self.views.len() - 1
    }

    pub fn accessor(&mut self, mut accessor: Value, bytes: &[u8], stride: Option<usize>) -> usize {
        accessor["bufferView"] = self.view(bytes, stride).into();
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    pub fn floats(&mut self, kind: &str, numbers: &[f32]) -> usize {
        let width = match kind {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            _ => 16,
        };
        let bytes: Vec<u8> = numbers.iter().flat_map(|it| it.to_le_bytes()).collect();
        let json = json!({"componentType": 5126, "count": numbers.len() / width, "type": kind});
        self.accessor(json, &bytes, None)
    }

    pub fn model(self, mut document: Value) -> Model {
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
        Model::read(&file).unwrap()
    }
}

/// A file with a triangle in node 0, and what else is given.
pub fn triangle(more: impl Fn(&mut Glb) -> Value) -> (Scene, Vec<String>) {
    let mut glb = Glb::default();
    let position = glb.floats("VEC3", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 2.0, 3.0]);
    let uv = glb.floats("VEC2", &[0.0, 0.0, 1.0, 0.0, 0.0, 1.0]);
    let primitive = json!({"attributes": {"POSITION": position, "TEXCOORD_0": uv}, "material": 0});
    let mut document = json!({
        "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"name": "Thing", "mesh": 0}],
        "meshes": [{"primitives": [primitive]}], "materials": [{"name": "Paint"}]
    });
    let given = more(&mut glb);
    for (name, value) in given.as_object().unwrap() {
        document[name] = value.clone();
    }
    let (scene, report) = glb.model(document).lower().unwrap();
    let notes = report.notes().iter().map(|note| format!("{}: {}", note.path, note.message)).collect();
    (scene, notes)
}

pub fn said(notes: &[String], words: &str) -> bool {
    notes.iter().any(|note| note.contains(words))
}

/// The JSON of a .glb and what comes after it.
pub fn parts(glb: &[u8]) -> (Value, &[u8]) {
    let length = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    (serde_json::from_slice(&glb[20..20 + length]).unwrap(), &glb[20 + length..])
}

pub fn joined(document: &Value, rest: &[u8]) -> Vec<u8> {
    let mut json = serde_json::to_vec(document).unwrap();
    json.resize(json.len().next_multiple_of(4), b' ');
    let word = |value: usize| u32::try_from(value).unwrap().to_le_bytes();
    let total = word(20 + json.len() + rest.len());
    [b"glTF", &word(2)[..], &total, &word(json.len()), b"JSON", &json, rest].concat()
}
