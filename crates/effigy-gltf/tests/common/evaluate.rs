//! Evaluates a .glb or .gltf as the glTF 2.0 specification says: node transforms, animation, skins, morph targets. Slow, plain, and
//! independent of the exporter.

use glam::{DMat4, DQuat, DVec3, DVec4};
use serde_json::Value;
use std::collections::HashMap;
use std::path::Path;

/// A file.
pub struct Document {
    json: Value,
    buffers: Vec<Vec<u8>>,
    parents: HashMap<usize, usize>,
}

/// World matrices of all nodes, and weights of morph targets by node.
pub struct State {
    world: Vec<DMat4>,
    weights: HashMap<usize, Vec<f64>>,
}

fn number(value: &Value, otherwise: usize) -> usize {
    value.as_u64().map_or(otherwise, |it| usize::try_from(it).unwrap())
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

impl Document {
    /// A .glb.
    pub fn new(glb: &[u8]) -> Self {
        let length = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
        let json: Value = serde_json::from_slice(&glb[20..20 + length]).unwrap();
        Self::with(json, vec![glb.get(28 + length..).unwrap_or(&[]).to_vec()])
    }

    /// A file on disk.
    #[allow(dead_code, reason = "only the tests of import read files")]
    pub fn open(path: &Path) -> Self {
        let bytes = std::fs::read(path).unwrap();
        if bytes.starts_with(b"glTF") {
            return Self::new(&bytes);
        }
        let json: Value = serde_json::from_slice(&bytes).unwrap();
        let buffer = |it: &Value| std::fs::read(path.with_file_name(it["uri"].as_str().unwrap())).unwrap();
        let buffers = list(&json["buffers"]).iter().map(buffer).collect();
        Self::with(json, buffers)
    }

    fn with(json: Value, buffers: Vec<Vec<u8>>) -> Self {
        let mut parents = HashMap::new();
        for (index, node) in list(&json["nodes"]).iter().enumerate() {
            for child in list(&node["children"]) {
                assert!(parents.insert(number(child, 0), index).is_none(), "two parents");
            }
        }
        Self { json, buffers, parents }
    }

    /// The rows of a part of a buffer.
    fn rows(&self, part: &Value, component: u64, width: usize, count: usize) -> Vec<Vec<f64>> {
        let view = &self.json["bufferViews"][number(&part["bufferView"], 0)];
        let size = match component {
            5120 | 5121 => 1,
            5122 | 5123 => 2,
            _ => 4,
        };
        let start = number(&view["byteOffset"], 0) + number(&part["byteOffset"], 0);
        let stride = number(&view["byteStride"], size * width);
        let bin = &self.buffers[number(&view["buffer"], 0)];
        let one = |at: usize| match (component, &bin[at..at + size]) {
            (5120, [a]) => f64::from(i8::from_le_bytes([*a])),
            (5121, [a]) => f64::from(*a),
            (5122, [a, b]) => f64::from(i16::from_le_bytes([*a, *b])),
            (5123, [a, b]) => f64::from(u16::from_le_bytes([*a, *b])),
            (5125, [a, b, c, d]) => f64::from(u32::from_le_bytes([*a, *b, *c, *d])),
            (5126, [a, b, c, d]) => f64::from(f32::from_le_bytes([*a, *b, *c, *d])),
            other => panic!("component {other:?}"),
        };
        let row = |row: usize| (0..width).map(|column| one(start + row * stride + column * size)).collect();
        (0..count).map(row).collect()
    }

    fn accessor(&self, index: &Value) -> Vec<Vec<f64>> {
        let accessor = &self.json["accessors"][number(index, 0)];
        let (component, count) = (accessor["componentType"].as_u64().unwrap(), number(&accessor["count"], 0));
        let width = match accessor["type"].as_str().unwrap() {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            "MAT4" => 16,
            other => panic!("{other}"),
        };
        let mut rows = if accessor["bufferView"].is_null() {
            vec![vec![0.0; width]; count]
        } else {
            self.rows(accessor, component, width, count)
        };
        let sparse = &accessor["sparse"];
        if !sparse.is_null() {
            let count = number(&sparse["count"], 0);
            let places =
                self.rows(&sparse["indices"], sparse["indices"]["componentType"].as_u64().unwrap(), 1, count);
            for (place, row) in places.iter().zip(self.rows(&sparse["values"], component, width, count)) {
                rows[place[0] as usize] = row;
            }
        }
        if accessor["normalized"] == true {
            let most = match component {
                5120 => 127.0,
                5121 => 255.0,
                5122 => 32767.0,
                _ => 65535.0,
            };
            rows.iter_mut().flatten().for_each(|it| *it = (*it / most).max(-1.0));
        }
        rows
    }

    /// The state so many seconds into an animation; without one, the state at rest.
    pub fn pose(&self, animation: Option<&str>, time: f64) -> State {
        let chosen = |it: &&Value| animation.is_some() && it["name"].as_str() == animation;
        let entry = list(&self.json["animations"]).iter().find(chosen);
        assert!(animation.is_none() || entry.is_some(), "no animation {animation:?}");
        self.posed(entry, time)
    }

    fn posed(&self, entry: Option<&Value>, time: f64) -> State {
        let mut moved: HashMap<(usize, &str), Vec<f64>> = HashMap::new();
        if let Some(entry) = entry {
            for channel in list(&entry["channels"]) {
                let target = &channel["target"];
                if target["node"].is_null() {
                    continue;
                }
                let sampler = &entry["samplers"][number(&channel["sampler"], 0)];
                let path = target["path"].as_str().unwrap();
                let times: Vec<f64> = self.accessor(&sampler["input"]).into_iter().flatten().collect();
                let values = self.accessor(&sampler["output"]);
                let mode = sampler["interpolation"].as_str().unwrap_or("LINEAR");
                moved.insert(
                    (number(&target["node"], 0), path),
                    interpolate(mode, path, &times, &values, time),
                );
            }
        }
        let nodes = list(&self.json["nodes"]);
        let local: Vec<DMat4> = (0..nodes.len())
            .map(|index| {
                let part = |path: &'static str, otherwise: &[f64]| -> Vec<f64> {
                    let own = || {
                        nodes[index][path]
                            .as_array()
                            .map(|it| it.iter().map(|x| x.as_f64().unwrap()).collect())
                    };
                    moved.get(&(index, path)).cloned().or_else(own).unwrap_or_else(|| otherwise.to_vec())
                };
                if let Some(matrix) = nodes[index]["matrix"].as_array() {
                    let columns: Vec<f64> = matrix.iter().map(|x| x.as_f64().unwrap()).collect();
                    return DMat4::from_cols_slice(&columns);
                }
                DMat4::from_scale_rotation_translation(
                    DVec3::from_slice(&part("scale", &[1.0; 3])),
                    DQuat::from_slice(&part("rotation", &[0.0, 0.0, 0.0, 1.0])).normalize(),
                    DVec3::from_slice(&part("translation", &[0.0; 3])),
                )
            })
            .collect();
        let world = (0..nodes.len()).map(|index| {
            let (mut matrix, mut at) = (local[index], index);
            while let Some(parent) = self.parents.get(&at) {
                matrix = local[*parent] * matrix;
                at = *parent;
            }
            matrix
        });
        let world = world.collect();
        let weights = moved.into_iter().filter(|((_, path), _)| *path == "weights");
        State { world, weights: weights.map(|((node, _), value)| (node, value)).collect() }
    }

    /// The positions of the mesh of a node.
    #[allow(dead_code, reason = "only the tests of export ask by name")]
    pub fn vertices(&self, name: &str, state: &State) -> Vec<[f64; 3]> {
        let is_it = |node: &Value| node["name"] == name && !node["mesh"].is_null();
        let index = list(&self.json["nodes"]).iter().position(is_it).unwrap();
        let mesh = &self.json["meshes"][number(&self.json["nodes"][index]["mesh"], 0)];
        self.positions(index, mesh, &mesh["primitives"][0], state)
    }

    /// The names of all animations, and the length of each in seconds.
    #[allow(dead_code, reason = "only the tests of import ask")]
    pub fn animations(&self) -> Vec<(Value, f64)> {
        let end = |sampler: &Value| self.accessor(&sampler["input"]).last().map_or(0.0, |it| it[0]);
        let animations = list(&self.json["animations"]).iter();
        animations
            .map(|it| (it["name"].clone(), list(&it["samplers"]).iter().map(end).fold(0.0, f64::max)))
            .collect()
    }

    /// Key times of an animation in seconds.
    #[allow(dead_code, reason = "only the tests of import ask")]
    pub fn key_times(&self, animation: usize) -> Vec<f64> {
        let samplers = list(&self.json["animations"][animation]["samplers"]).iter();
        let mut times: Vec<f64> =
            samplers.flat_map(|it| self.accessor(&it["input"]).into_iter().flatten()).collect();
        times.sort_by(f64::total_cmp);
        times.dedup();
        times
    }

    /// The state so many seconds into an animation, by its number.
    #[allow(dead_code, reason = "only the tests of import ask")]
    pub fn pose_of(&self, animation: usize, time: f64) -> State {
        self.posed(Some(&self.json["animations"][animation]), time)
    }

    /// The corners of all triangles of each primitive of each node that is shown, in the order of the nodes.
    #[allow(dead_code, reason = "only the tests of import ask")]
    pub fn corners(&self, state: &State) -> Vec<Vec<[f64; 3]>> {
        let scene = &self.json["scenes"][number(&self.json["scene"], 0)];
        let mut open: Vec<usize> = list(&scene["nodes"]).iter().map(|it| number(it, 0)).collect();
        let mut shown = Vec::new();
        while let Some(index) = open.pop() {
            shown.push(index);
            open.extend(list(&self.json["nodes"][index]["children"]).iter().map(|it| number(it, 0)));
        }
        shown.sort_unstable();
        let mut all = Vec::new();
        for index in shown.into_iter().filter(|it| !self.json["nodes"][*it]["mesh"].is_null()) {
            let mesh = &self.json["meshes"][number(&self.json["nodes"][index]["mesh"], 0)];
            for primitive in list(&mesh["primitives"]) {
                let points = self.positions(index, mesh, primitive, state);
                let order: Vec<usize> = if primitive["indices"].is_null() {
                    (0..points.len()).collect()
                } else {
                    self.accessor(&primitive["indices"]).into_iter().map(|it| it[0] as usize).collect()
                };
                let corners: Vec<usize> = match number(&primitive["mode"], 4) {
                    4 => order,
                    5 => (2..order.len())
                        .flat_map(|at| {
                            let (b, c) = if at % 2 == 0 { (at - 1, at) } else { (at, at - 1) };
                            [order[at - 2], order[b], order[c]]
                        })
                        .collect(),
                    6 => (2..order.len()).flat_map(|at| [order[0], order[at - 1], order[at]]).collect(),
                    _ => continue,
                };
                all.push(corners.into_iter().map(|it| points[it]).collect());
            }
        }
        all
    }

    fn positions(&self, index: usize, mesh: &Value, primitive: &Value, state: &State) -> Vec<[f64; 3]> {
        let node = &self.json["nodes"][index];
        let attributes = &primitive["attributes"];
        let mut points = self.accessor(&attributes["POSITION"]);
        let own = if node["weights"].is_null() { &mesh["weights"] } else { &node["weights"] };
        let rest: Vec<f64> = list(own).iter().map(|it| it.as_f64().unwrap()).collect();
        let weights = state.weights.get(&index).unwrap_or(&rest);
        for (weight, target) in weights.iter().zip(list(&primitive["targets"])).filter(|(it, _)| **it != 0.0)
        {
            for (point, change) in points.iter_mut().zip(self.accessor(&target["POSITION"])) {
                point.iter_mut().zip(change).for_each(|(x, change)| *x += weight * change);
            }
        }
        let points = points.iter().map(|point| DVec3::from_slice(point));
        if node["skin"].is_null() {
            return points.map(|point| state.world[index].transform_point3(point).into()).collect();
        }
        let skin = &self.json["skins"][number(&node["skin"], 0)];
        let binds = if skin["inverseBindMatrices"].is_null() {
            vec![DMat4::IDENTITY.to_cols_array().to_vec(); list(&skin["joints"]).len()]
        } else {
            self.accessor(&skin["inverseBindMatrices"])
        };
        let joints: Vec<DMat4> = list(&skin["joints"])
            .iter()
            .zip(&binds)
            .map(|(joint, bind)| state.world[number(joint, 0)] * DMat4::from_cols_slice(bind))
            .collect();
        let sets: Vec<_> = (0..2)
            .filter(|set| !attributes[format!("JOINTS_{set}")].is_null())
            .map(|set| {
                let (joints, weights) = (format!("JOINTS_{set}"), format!("WEIGHTS_{set}"));
                (self.accessor(&attributes[joints]), self.accessor(&attributes[weights]))
            })
            .collect();
        let posed = points.enumerate().map(|(vertex, point)| {
            let mut sum = DVec4::ZERO;
            let whole = sets.iter().flat_map(|(_, shares)| &shares[vertex]).sum::<f64>();
            for (places, shares) in &sets {
                for (place, share) in places[vertex].iter().zip(&shares[vertex]).filter(|(_, it)| **it != 0.0)
                {
                    sum += *share / whole * (joints[*place as usize] * point.extend(1.0));
                }
            }
            sum.truncate().into()
        });
        posed.collect()
    }
}

/// The value of a sampler at a time (Appendix C of the specification).
fn interpolate(mode: &str, path: &str, times: &[f64], values: &[Vec<f64>], time: f64) -> Vec<f64> {
    // Key times are single precision: a time on a key is on it.
    let time = f64::from(time as f32);
    let cubic = mode == "CUBICSPLINE";
    let flat: Vec<f64> = values.iter().flatten().copied().collect();
    let width = flat.len() / times.len() / if cubic { 3 } else { 1 };
    // Of a cubic key: the in-tangent, the value, the out-tangent.
    let part = |key: usize, part: usize| {
        let row = if cubic { key * 3 + part } else { key };
        &flat[row * width..(row + 1) * width]
    };
    let last = times.len() - 1;
    if time <= times[0] {
        return part(0, 1).to_vec();
    }
    if time >= times[last] {
        return part(last, 1).to_vec();
    }
    let b = times.partition_point(|it| *it <= time);
    let a = b - 1;
    let length = times[b] - times[a];
    let t = (time - times[a]) / length;
    let mix = |of: &dyn Fn(usize) -> f64| (0..width).map(of).collect::<Vec<f64>>();
    match mode {
        "STEP" => part(a, 1).to_vec(),
        "CUBICSPLINE" => mix(&|i| {
            let (t2, t3) = (t * t, t * t * t);
            (2.0 * t3 - 3.0 * t2 + 1.0) * part(a, 1)[i]
                + length * (t3 - 2.0 * t2 + t) * part(a, 2)[i]
                + (3.0 * t2 - 2.0 * t3) * part(b, 1)[i]
                + length * (t3 - t2) * part(b, 0)[i]
        }),
        _ if path == "rotation" => {
            let (from, to) = (DQuat::from_slice(part(a, 1)), DQuat::from_slice(part(b, 1)));
            from.slerp(to, t).to_array().to_vec()
        }
        _ => mix(&|i| part(a, 1)[i] * (1.0 - t) + part(b, 1)[i] * t),
    }
}
