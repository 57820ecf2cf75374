//! Small scenes, and a reader of exported files that shares no code with the exporter.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "every test uses some of it; numbers of small files"
)]

pub mod evaluate;
pub mod glb;
pub mod posed;

use effigy_gltf::{ExportOptions, NoTextures, export};
use effigy_scene::{
    Id, Influence, Layer, LayerTexture, Material, Mesh, Node, NodeKind, Scene, Sequence, Skin, Texture,
    Textures, validate,
};
use serde_json::Value;

/// An exported file and the lines of its report.
pub struct File {
    pub json: Value,
    pub bin: Vec<u8>,
    pub notes: Vec<String>,
}

/// One channel of an animation.
#[derive(Debug, PartialEq)]
pub struct Keys {
    pub mode: String,
    pub times: Vec<f32>,
    /// A row for every value of the accessor.
    pub rows: Vec<Vec<f32>>,
}

pub fn place(value: &Value) -> usize {
    usize::try_from(value.as_u64().unwrap_or_else(|| panic!("not an index: {value}"))).unwrap()
}

/// A number that may be left out when it is 0.
fn offset(value: &Value) -> usize {
    if value.is_null() { 0 } else { place(value) }
}

impl File {
    pub fn new(scene: &Scene, options: &ExportOptions) -> Self {
        Self::with(scene, options, &mut NoTextures)
    }

    pub fn with(scene: &Scene, options: &ExportOptions, textures: &mut dyn Textures) -> Self {
        let scene = validate(scene.clone()).unwrap();
        let file = export(&scene, options, textures).unwrap();
        let notes =
            file.report.notes().iter().map(|note| format!("{}: {}", note.path, note.message)).collect();
        let glb = file.into_glb().unwrap();
        assert_eq!(&glb[..4], b"glTF");
        let word = |at: usize| u32::from_le_bytes(glb[at..at + 4].try_into().unwrap()) as usize;
        assert_eq!((word(4), word(8)), (2, glb.len()));
        let length = word(12);
        assert_eq!(&glb[16..20], b"JSON");
        let json = serde_json::from_slice(&glb[20..20 + length]).unwrap();
        let bin = if glb.len() > 20 + length {
            assert_eq!(&glb[24 + length..28 + length], b"BIN\0");
            glb[28 + length..].to_vec()
        } else {
            Vec::new()
        };
        assert_eq!(bin.len() % 4, 0);
        Self { json, bin, notes }
    }

    /// The pixels of an image.
    pub fn pixels(&self, image: usize) -> Vec<u8> {
        let view = &self.json["bufferViews"][place(&self.json["images"][image]["bufferView"])];
        let start = offset(&view["byteOffset"]);
        let bytes = &self.bin[start..start + place(&view["byteLength"])];
        effigy_image::read(bytes).unwrap().pixels().to_vec()
    }

    pub fn said(&self, words: &str) -> bool {
        self.notes.iter().any(|note| note.contains(words))
    }

    fn numbers(
        &self,
        view: &Value,
        start: usize,
        component: u64,
        width: usize,
        count: usize,
    ) -> Vec<Vec<f32>> {
        let view = &self.json["bufferViews"][place(view)];
        let size = match component {
            5121 => 1,
            5123 => 2,
            5125 | 5126 => 4,
            other => panic!("component type {other}"),
        };
        let stride = if view["byteStride"].is_null() { size * width } else { place(&view["byteStride"]) };
        assert!(start + stride * count.saturating_sub(1) + size * width <= place(&view["byteLength"]));
        let number = |at: usize| match component {
            5121 => f32::from(self.bin[at]),
            5123 => f32::from(u16::from_le_bytes(self.bin[at..at + 2].try_into().unwrap())),
            5125 => u32::from_le_bytes(self.bin[at..at + 4].try_into().unwrap()) as f32,
            _ => f32::from_le_bytes(self.bin[at..at + 4].try_into().unwrap()),
        };
        let start = offset(&view["byteOffset"]) + start;
        (0..count).map(|row| (0..width).map(|x| number(start + row * stride + x * size)).collect()).collect()
    }

    /// The numbers of an accessor, row by row.
    pub fn rows(&self, accessor: &Value) -> Vec<Vec<f32>> {
        let accessor = &self.json["accessors"][place(accessor)];
        let width = match accessor["type"].as_str().unwrap() {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            "MAT4" => 16,
            other => panic!("{other}"),
        };
        let (count, component) = (place(&accessor["count"]), accessor["componentType"].as_u64().unwrap());
        let mut rows = if accessor["bufferView"].is_null() {
            vec![vec![0.0; width]; count]
        } else {
            self.numbers(&accessor["bufferView"], offset(&accessor["byteOffset"]), component, width, count)
        };
        let sparse = &accessor["sparse"];
        if !sparse.is_null() {
            let some = place(&sparse["count"]);
            let (at, new) = (&sparse["indices"], &sparse["values"]);
            let kind = at["componentType"].as_u64().unwrap();
            let at = self.numbers(&at["bufferView"], offset(&at["byteOffset"]), kind, 1, some);
            let new = self.numbers(&new["bufferView"], offset(&new["byteOffset"]), component, width, some);
            for (index, row) in at.into_iter().zip(new) {
                rows[index[0] as usize] = row;
            }
        }
        rows
    }

    pub fn list(&self, name: &str) -> &[Value] {
        self.json[name].as_array().map_or(&[], Vec::as_slice)
    }

    pub fn names(&self, list: &str) -> Vec<&str> {
        self.list(list).iter().map(|it| it["name"].as_str().unwrap()).collect()
    }

    pub fn node(&self, name: &str) -> usize {
        self.names("nodes").iter().position(|it| *it == name).unwrap_or_else(|| panic!("no node {name}"))
    }

    pub fn material(&self, index: usize) -> &Value {
        &self.json["materials"][index]
    }

    fn channel(&self, animation: usize, wanted: impl Fn(&Value) -> bool) -> Option<Keys> {
        let animation = &self.json["animations"][animation];
        let found: Vec<&Value> =
            animation["channels"].as_array().unwrap().iter().filter(|it| wanted(&it["target"])).collect();
        assert!(found.len() < 2, "two channels: {found:?}");
        let sampler = &animation["samplers"][place(&found.first()?["sampler"])];
        let mode = sampler["interpolation"].as_str().unwrap().to_owned();
        let times: Vec<f32> = self.rows(&sampler["input"]).concat();
        let input = &self.json["accessors"][place(&sampler["input"])];
        assert_eq!(input["min"][0].as_f64().unwrap() as f32, times[0]);
        assert_eq!(input["max"][0].as_f64().unwrap() as f32, times[times.len() - 1]);
        Some(Keys { mode, times, rows: self.rows(&sampler["output"]) })
    }

    /// What moves a node in an animation.
    pub fn moves(&self, animation: usize, node: usize, path: &str) -> Option<Keys> {
        self.channel(animation, |target| target["node"] == node && target["path"] == path)
    }

    /// What a pointer moves in an animation.
    pub fn points(&self, animation: usize, pointer: &str) -> Option<Keys> {
        self.channel(animation, |target| {
            target["path"] == "pointer"
                && target["node"].is_null()
                && target["extensions"]["KHR_animation_pointer"]["pointer"] == pointer
        })
    }

    /// All pointers of an animation.
    pub fn pointers(&self, animation: usize) -> Vec<&str> {
        let channels = self.json["animations"][animation]["channels"].as_array().unwrap();
        let pointer =
            |it: &'_ Value| it["target"]["extensions"]["KHR_animation_pointer"]["pointer"].is_string();
        let list = channels.iter().filter(|it| pointer(it));
        list.map(|it| it["target"]["extensions"]["KHR_animation_pointer"]["pointer"].as_str().unwrap())
            .collect()
    }

    pub fn uses(&self, extension: &str) -> bool {
        self.list("extensionsUsed").iter().any(|it| it == extension)
    }
}

/// Whether two lists of numbers are equal within rounding.
#[track_caller]
pub fn near(found: &[f32], expected: &[f32]) {
    let same = found.len() == expected.len()
        && found.iter().zip(expected).all(|(a, b)| (a - b).abs() <= 1e-5 * (1.0 + b.abs()));
    assert!(same, "{found:?}, not {expected:?}");
}

#[track_caller]
pub fn near_rows<const N: usize>(found: &[Vec<f32>], expected: &[[f32; N]]) {
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for (found, expected) in found.iter().zip(expected) {
        near(found, expected);
    }
}

#[track_caller]
pub fn near_json(found: &Value, expected: &[f32]) {
    let list = found.as_array().unwrap_or_else(|| panic!("{found} is not a list"));
    near(&list.iter().map(|it| it.as_f64().unwrap() as f32).collect::<Vec<_>>(), expected);
}

pub fn sequence(name: &str, start: i32, end: i32) -> Sequence {
    Sequence { name: name.into(), start, end, ..Sequence::default() }
}

pub fn bone(name: &str, parent: Option<u32>, pivot: [f32; 3]) -> Node {
    Node::new(name, NodeKind::Bone, parent.map(Id::new), pivot)
}

/// One triangle.
pub fn triangle(name: &str) -> Mesh {
    let mut mesh = Mesh::new(name);
    mesh.positions = vec![[0.0, 0.0, 0.0], [10.0, 0.0, 0.0], [0.0, 5.0, 2.0]];
    mesh.normals = vec![[0.0, 0.0, 1.0]; 3];
    mesh.uvs = vec![vec![[0.25, 0.5], [1.0, 0.0], [0.0, 0.75]]];
    mesh.indices = vec![0, 1, 2];
    mesh
}

/// Vertex by vertex: which nodes it follows, with which weights.
pub fn skin(vertices: &[&[(u32, f32)]]) -> Skin {
    let mut skin = Skin::default();
    for list in vertices {
        let influences =
            list.iter().map(|(node, weight)| Influence { node: Id::new(*node), weight: *weight });
        let group = skin.push_group(influences);
        skin.vertex_groups.push(group);
    }
    skin
}

/// A scene with one sequence of a second that begins at 1000, and a mesh with a material of one layer and one texture.
pub fn one_layer(layer: Layer) -> Scene {
    let mut scene = Scene { name: "Model".into(), ..Scene::default() };
    scene.sequences.push(sequence("Stand", 1000, 2000));
    scene.textures.push(Texture { path: "a\\Skin.blp".into(), replaceable: None, repeat: [true, false] });
    let textures = if layer.textures.is_empty() {
        vec![LayerTexture { texture: Some(Id::new(0)), ..LayerTexture::default() }]
    } else {
        layer.textures.clone()
    };
    let layers = vec![Layer { textures, ..layer }];
    scene.materials.push(Material { name: "Look".into(), layers, ..Material::default() });
    let mut mesh = triangle("Body");
    mesh.material = Some(Id::new(0));
    scene.meshes.push(mesh);
    scene
}
