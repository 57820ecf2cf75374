//! Meshes: one of the scene for each primitive of each node that shows it.

use super::Import;
use super::channels::Path;
use super::document::PrimitiveJson;
use super::value::Value;
use crate::buffer::mix;
use crate::export::sprites::SPRITE;
use effigy_scene::{Animated, Bounds, Extra, Influence, Mesh, Skin};
use effigy_wire::{Error, Kind, Result};
use glam::{DAffine3, DMat3, DVec3, Vec3};
use std::collections::HashMap;

const TRIANGLES: u32 = 4;
const STRIP: u32 = 5;
const FAN: u32 = 6;

/// Positions and normals of a morph target, as differences.
#[derive(Default)]
pub(super) struct Target {
    pub positions: Vec<[f32; 3]>,
    pub normals: Vec<[f32; 3]>,
}

/// Joints and weights of all vertices, four each.
type Four = (Vec<[u32; 4]>, Vec<[f32; 4]>);

/// A primitive as the file has it.
#[derive(Default)]
pub(super) struct Shape {
    pub positions: Vec<[f32; 3]>,
    pub normals: Vec<[f32; 3]>,
    pub tangents: Vec<[f32; 4]>,
    pub uvs: Vec<Vec<[f32; 2]>>,
    pub colors: Vec<[f32; 4]>,
    /// Joints and weights, by sets of four.
    pub influences: Vec<Four>,
    /// The fingerprint of these.
    pub print: u64,
    pub targets: Vec<Target>,
    pub indices: Vec<u32>,
}

fn pick<T: Copy>(list: &mut Vec<T>, indices: &[u32]) {
    if !list.is_empty() {
        *list = indices.iter().filter_map(|index| list.get(*index as usize).copied()).collect();
    }
}

impl Shape {
    /// Gives each triangle vertices of its own.
    fn separate(&mut self) {
        let indices = std::mem::take(&mut self.indices);
        pick(&mut self.positions, &indices);
        pick(&mut self.normals, &indices);
        pick(&mut self.tangents, &indices);
        pick(&mut self.colors, &indices);
        self.uvs.iter_mut().for_each(|set| pick(set, &indices));
        for (joints, weights) in &mut self.influences {
            pick(joints, &indices);
            pick(weights, &indices);
        }
        for target in &mut self.targets {
            pick(&mut target.positions, &indices);
            pick(&mut target.normals, &indices);
        }
        self.indices = (0..u32::try_from(self.positions.len()).unwrap_or(u32::MAX)).collect();
    }

    /// Flat normals, as the specification asks for where there are none.
    fn flatten(&mut self) {
        self.separate();
        self.tangents.clear();
        self.normals = self
            .positions
            .as_chunks::<3>()
            .0
            .iter()
            .flat_map(|[a, b, c]| {
                let (a, b, c) = (Vec3::from(*a), Vec3::from(*b), Vec3::from(*c));
                let normal = (b - a).cross(c - a).try_normalize().unwrap_or(Vec3::Y);
                [normal.to_array(); 3]
            })
            .collect();
    }

    /// Moves everything by a matrix.
    pub(super) fn transform(&mut self, matrix: &DAffine3) {
        let point = |it: [f32; 3]| -> [f32; 3] {
            matrix.transform_point3(DVec3::from_array(it.map(f64::from))).as_vec3().into()
        };
        let direction = |by: &DMat3, it: [f32; 3]| -> DVec3 { *by * DVec3::from_array(it.map(f64::from)) };
        let unit = |it: DVec3| -> [f32; 3] { it.try_normalize().unwrap_or(DVec3::Y).as_vec3().into() };
        let determinant = matrix.matrix3.determinant();
        if *matrix != DAffine3::IDENTITY {
            // Normals follow the inverse transpose; a singular matrix has none.
            let normals = if determinant.abs() > 1e-30 {
                matrix.matrix3.inverse().transpose()
            } else {
                DMat3::IDENTITY
            };
            let sign = if determinant < 0.0 { -1.0 } else { 1.0 };
            let shift = *matrix;
            for target in &mut self.targets {
                target.positions.iter_mut().for_each(|it| {
                    *it = direction(&shift.matrix3, *it).as_vec3().into();
                });
                target.normals.iter_mut().for_each(|it| *it = direction(&normals, *it).as_vec3().into());
            }
            self.positions.iter_mut().for_each(|it| *it = point(*it));
            self.normals.iter_mut().for_each(|it| *it = unit(direction(&normals, *it)));
            for it in &mut self.tangents {
                let [x, y, z, w] = *it;
                let [x, y, z] = unit(direction(&shift.matrix3, [x, y, z]));
                *it = [x, y, z, w * sign];
            }
        }
    }
}

/// The triangles of a list, strip or fan.
fn triangles(list: Vec<u32>, mode: u32) -> Vec<u32> {
    match mode {
        STRIP => list
            .windows(3)
            .enumerate()
            .filter_map(|(index, it)| match (it, index % 2) {
                ([a, b, c], 0) => Some([*a, *b, *c]),
                ([a, b, c], _) => Some([*a, *c, *b]),
                _ => None,
            })
            .flatten()
            .collect(),
        FAN => {
            let (first, rest) = list.split_first().map_or((0, &[][..]), |(first, rest)| (*first, rest));
            rest.windows(2)
                .filter_map(|it| if let [a, b] = it { Some([first, *a, *b]) } else { None })
                .flatten()
                .collect()
        }
        _ => {
            let whole = list.len() / 3 * 3;
            let mut list = list;
            list.truncate(whole);
            list
        }
    }
}

/// From linear light to the games' gamma space.
pub(super) fn gamma(value: f32) -> f32 {
    let value = value.clamp(0.0, 1.0);
    if value == 1.0 {
        return value;
    }
    if value <= 0.003_130_8 { value * 12.92 } else { 1.055 * value.powf(1.0 / 2.4) - 0.055 }
}

impl Import<'_> {
    pub(super) fn add_meshes(&mut self) -> Result<()> {
        let mut order = self.skeleton.order.clone();
        order.sort_unstable();
        let mut levels: HashMap<usize, u32> = HashMap::new();
        for index in &order {
            let ids = self.document.nodes.get(*index).and_then(|it| it.extensions.lod.as_ref());
            for (level, id) in ids.iter().flat_map(|it| &it.ids).enumerate() {
                levels.entry(*index).or_insert(0);
                levels.insert(*id, u32::try_from(level + 1).unwrap_or(u32::MAX));
            }
        }
        for index in order {
            let Some(node) = self.document.nodes.get(index) else { continue };
            let Some(mesh) = node.mesh else { continue };
            if self.ours.is_some() && node.extras.get(SPRITE).is_some() {
                continue;
            }
            let Some(source) = self.document.meshes.get(mesh) else {
                self.report.dropped(format!("nodes[{index}]"), format!("meshes[{mesh}] does not exist"));
                continue;
            };
            for (number, primitive) in source.primitives.iter().enumerate() {
                let place = format!("meshes[{mesh}].primitives[{number}]");
                let shape = match self.shape(primitive, &place, self.is_ours(index)) {
                    Ok(Some(shape)) => shape,
                    Ok(None) => continue,
                    Err(error) if error.kind() == Kind::Limit => return Err(error),
                    Err(error) => {
                        self.report.dropped(place, error.to_string());
                        continue;
                    }
                };
                let name = match (source.name.is_empty(), source.primitives.len()) {
                    (true, _) => node.name.clone(),
                    (_, 1) => source.name.clone(),
                    _ => format!("{} {number}", source.name),
                };
                let mut made = self.mesh(index, mesh, name, shape, &place)?;
                if self.is_ours(index) {
                    self.restore_mesh(index, &mut made);
                    made.material = primitive.material.and_then(|it| self.material(Some(it)));
                    self.whiten(&mut made);
                    let number = node.extras.get("mesh").and_then(super::value::Value::unsigned);
                    let id = self.scene.meshes.push(made);
                    self.mesh_numbers.insert(number.unwrap_or(u32::MAX) as usize, id);
                    continue;
                }
                made.lod = levels.get(&index).copied();
                made.material = self.material(primitive.material);
                made.extras = super::nodes::extras(&source.extras);
                if let Some(variants) = &primitive.extensions.variants {
                    made.extras.set("variants", Extra::from(variants));
                }
                let id = self.scene.meshes.push(made);
                self.show(id, index);
            }
        }
        Ok(())
    }

    /// Whether a node shows a mesh of a file of our own.
    fn is_ours(&self, index: usize) -> bool {
        self.ours.is_some()
            && self.document.nodes.get(index).is_some_and(|it| it.extras.get("mesh").is_some())
    }

    /// Reads a primitive; none: it is not made of triangles. `bare`: no normals mean none.
    fn shape(&mut self, primitive: &PrimitiveJson, place: &str, bare: bool) -> Result<Option<Shape>> {
        let mode = primitive.mode.unwrap_or(TRIANGLES);
        if !matches!(mode, TRIANGLES | STRIP | FAN) {
            self.report.dropped(place, "points and lines have no place in a model");
            return Ok(None);
        }
        let attribute = |name: &str| primitive.attributes.get(name).copied();
        let Some(positions) = attribute("POSITION") else {
            self.report.dropped(place, "it has no positions");
            return Ok(None);
        };
        let mut shape = Shape { positions: self.data.floats::<3>(positions)?, ..Shape::default() };
        let count = shape.positions.len();
        let same = |length: usize, name: &str| {
            let text = format!("{name} has {length} elements for {count} vertices");
            if length == count { Ok(()) } else { Err(Error::new(Kind::Malformed, text)) }
        };
        if let Some(accessor) = attribute("NORMAL") {
            shape.normals = self.data.floats::<3>(accessor)?;
            same(shape.normals.len(), "NORMAL")?;
        }
        if let Some(accessor) = attribute("TANGENT") {
            shape.tangents = self.data.floats::<4>(accessor)?;
            same(shape.tangents.len(), "TANGENT")?;
        }
        for set in 0..8 {
            let Some(accessor) = attribute(&format!("TEXCOORD_{set}")) else { break };
            let uvs = self.data.floats::<2>(accessor)?;
            same(uvs.len(), "TEXCOORD")?;
            shape.uvs.push(uvs);
        }
        if let Some(accessor) = attribute("COLOR_0") {
            shape.colors = match self.data.floats::<4>(accessor) {
                Ok(colors) => colors,
                Err(_) => {
                    self.data.floats::<3>(accessor)?.into_iter().map(|[r, g, b]| [r, g, b, 1.0]).collect()
                }
            };
            same(shape.colors.len(), "COLOR_0")?;
        }
        for set in 0..4 {
            let joints = attribute(&format!("JOINTS_{set}"));
            let Some((joints, weights)) = joints.zip(attribute(&format!("WEIGHTS_{set}"))) else { break };
            for accessor in [joints, weights] {
                shape.print = mix(shape.print, self.data.print(accessor));
            }
            let (joints, weights) = (self.data.wholes::<4>(joints)?, self.data.floats::<4>(weights)?);
            same(joints.len(), "JOINTS")?;
            same(weights.len(), "WEIGHTS")?;
            shape.influences.push((joints, weights));
        }
        for target in &primitive.targets {
            let part = |name: &str| -> Result<Vec<[f32; 3]>> {
                let Some(accessor) = target.get(name) else { return Ok(Vec::new()) };
                let list = self.data.floats::<3>(*accessor)?;
                same(list.len(), "a morph target")?;
                Ok(list)
            };
            shape.targets.push(Target { positions: part("POSITION")?, normals: part("NORMAL")? });
        }
        let indices: Vec<u32> = match primitive.indices {
            Some(accessor) => self.data.wholes::<1>(accessor)?.into_iter().map(|[index]| index).collect(),
            None => (0..u32::try_from(count).unwrap_or(u32::MAX)).collect(),
        };
        if indices.iter().any(|index| *index as usize >= count) {
            return Err(Error::new(Kind::Malformed, "an index is beyond the vertices"));
        }
        if mode != TRIANGLES {
            self.data.spend(indices.len(), 12)?;
        }
        shape.indices = triangles(indices, mode);
        if shape.normals.is_empty() && !bare {
            self.data.spend(shape.indices.len(), 12 + 12 + 8 * shape.uvs.len() + 24 * shape.targets.len())?;
            shape.flatten();
        }
        Ok(Some(shape))
    }

    /// A mesh of the scene from a primitive that a node shows.
    fn mesh(
        &mut self,
        index: usize,
        mesh: usize,
        name: String,
        mut shape: Shape,
        place: &str,
    ) -> Result<Mesh> {
        let node = self.document.nodes.get(index);
        let skin = node.and_then(|it| it.skin).filter(|_| !shape.influences.is_empty());
        let ours = self.is_ours(index);
        let (matrix, upright) = match skin {
            _ if ours => (DAffine3::IDENTITY, true),
            Some(skin) => {
                let matrix = self.skins.place(skin);
                (matrix, matrix.matrix3.determinant() >= 0.0)
            }
            None => {
                let bone = self.skeleton.bone(index);
                let bind = bone.map_or(DAffine3::IDENTITY, super::skeleton::Bone::bind);
                (bind, bone.is_none_or(|it| it.world.matrix3.determinant() >= 0.0))
            }
        };
        shape.transform(&matrix);
        if !upright {
            effigy_scene::coordinates::flip_winding(&mut shape.indices);
        }
        let mut made = Mesh::new(name);
        self.tint(&mut made, &shape, place);
        let animated = !self.channels.of(index, Path::Weights).is_empty();
        let weights = self.weights(index, mesh, shape.targets.len());
        made.skin = match skin {
            Some(skin) => self.influences(skin, &shape),
            None => self.carrier(index).map(|node| {
                let mut skin = Skin::default();
                let group = skin.push_group([Influence { node, weight: 1.0 }]);
                skin.vertex_groups = vec![group; shape.positions.len()];
                skin
            }),
        };
        let note = node.and_then(|it| it.extras.get("influences")).filter(|_| ours);
        if let (Some(skin), Some(note)) = (&mut made.skin, note) {
            self.whole_influences(skin, note, shape.print);
        }
        if let Some(frames) = node.and_then(|it| it.extras.get("frames")).filter(|_| ours) {
            made.morph = Some(self.frames(&shape, super::notes::track(frames)));
        } else if !shape.targets.is_empty() {
            let still = skin.is_none() && self.rests(index);
            if animated && still {
                made.morph = self.morph(index, &shape, &weights)?;
                made.skin = made.skin.filter(|_| made.morph.is_none());
            } else if animated {
                let text = "morph targets that move while the mesh follows nodes stay as they are at rest";
                self.report.dropped(place, text);
            }
            super::morphs::apply(&mut shape, &weights);
        }
        let axes = self.axes;
        let turn =
            |list: Vec<[f32; 3]>| -> Vec<[f32; 3]> { list.into_iter().map(|it| axes.point(it)).collect() };
        made.positions = turn(shape.positions);
        made.normals = turn(shape.normals);
        made.tangents = shape.tangents.into_iter().map(|it| axes.tangent(it)).collect();
        made.uvs = shape.uvs;
        made.indices = shape.indices;
        made.bounds = Bounds::around(&made.positions);
        Ok(made)
    }

    /// Whether a node and everything above it never move and leave the bind pose as it is.
    fn rests(&self, index: usize) -> bool {
        let mut next = Some(index);
        while let Some(bone) = next.and_then(|it| self.skeleton.bone(it)) {
            let moves = next.is_some_and(|it| self.channels.moves(it));
            let still = |node: &effigy_scene::Node| {
                node.translation.base == [0.0; 3]
                    && node.rotation.base == effigy_scene::Rotation::IDENTITY
                    && node.scale.base == [1.0; 3]
            };
            let at_rest = next
                .and_then(|it| self.nodes.get(it).copied().flatten())
                .and_then(|it| self.scene.nodes.get(it))
                .is_none_or(still);
            if moves || !at_rest {
                return false;
            }
            next = bone.parent;
        }
        true
    }

    /// Vertex colours have no place: one colour for the whole mesh is exact, else their mean is taken.
    fn tint(&mut self, mesh: &mut Mesh, shape: &Shape, place: &str) {
        let Some(first) = shape.colors.first() else { return };
        let count = shape.colors.len() as f32;
        let mut sum = [0.0_f32; 4];
        for color in &shape.colors {
            sum.iter_mut().zip(color).for_each(|(sum, value)| *sum += value);
        }
        let [r, g, b, a] =
            if shape.colors.iter().all(|it| it == first) { *first } else { sum.map(|it| it / count) };
        if shape.colors.iter().any(|it| it != first) {
            self.report.approximated(place, "vertex colours became their mean");
        }
        if r.is_finite() && g.is_finite() && b.is_finite() && a.is_finite() {
            mesh.color = Animated::fixed([r, g, b].map(gamma));
            mesh.alpha = Animated::fixed(a.clamp(0.0, 1.0));
        }
    }

    /// Groups of vertices that follow the same joints with the same weights.
    fn influences(&mut self, skin: usize, shape: &Shape) -> Option<Skin> {
        let joints = self.joints(skin);
        // In files of our own, joints that are not nodes hold vertices that follow nothing.
        let fallback = joints.iter().flatten().next().copied().filter(|_| self.ours.is_none());
        if fallback.is_none() && self.ours.is_none() {
            return None;
        }
        let mut made = Skin::default();
        let mut known: HashMap<Vec<(u32, u32)>, u32> = HashMap::new();
        let mut last: Option<(Vec<(u32, u32)>, u32)> = None;
        let mut row: Vec<(u32, u32)> = Vec::new();
        for vertex in 0..shape.positions.len() {
            row.clear();
            for (joint_rows, weight_rows) in &shape.influences {
                let (Some(joints), Some(weights)) = (joint_rows.get(vertex), weight_rows.get(vertex)) else {
                    continue;
                };
                let used = joints.iter().zip(weights).filter(|(_, weight)| **weight > 0.0);
                row.extend(used.map(|(joint, weight)| (*joint, weight.to_bits())));
            }
            let group = match &last {
                Some((same, group)) if *same == row => *group,
                _ => {
                    let group = match known.get(&row) {
                        Some(group) => *group,
                        None => {
                            let sum: f32 = row.iter().map(|(_, weight)| f32::from_bits(*weight)).sum();
                            let mut list: Vec<Influence> = Vec::with_capacity(row.len());
                            for (joint, weight) in &row {
                                let node = joints.get(*joint as usize).copied().flatten().or(fallback);
                                let Some(node) = node else { continue };
                                let weight = f32::from_bits(*weight) / sum;
                                match list.iter_mut().find(|it| it.node == node) {
                                    Some(it) => it.weight += weight,
                                    None => list.push(Influence { node, weight }),
                                }
                            }
                            if let (Some(node), true) = (fallback, list.is_empty()) {
                                list.push(Influence { node, weight: 1.0 });
                            }
                            let group = made.push_group(list);
                            known.insert(row.clone(), group);
                            group
                        }
                    };
                    last = Some((row.clone(), group));
                    group
                }
            };
            made.vertex_groups.push(group);
        }
        Some(made)
    }

    /// Gives vertices that were written with fewer nodes than they have all of them back, unless somebody has changed what was
    /// written.
    fn whole_influences(&self, skin: &mut Skin, note: &Value, print: u64) {
        let written = note.get("written").and_then(Value::text);
        if written.is_none_or(|text| u64::from_str_radix(text, 16) != Ok(print)) {
            return;
        }
        // The root comes before the nodes of the scene.
        let node = |number: &Value| {
            let place = usize::try_from(number.unsigned()?).ok()?.checked_add(1)?;
            self.nodes.get(place).copied().flatten()
        };
        let mut groups = Vec::new();
        for row in note.get("groups").map_or(&[][..], Value::list) {
            let pairs = row.list().as_chunks::<2>().0.iter();
            let pairs = pairs.map(|[number, weight]| {
                let weight = weight.number().filter(|it| it.is_finite() && *it >= 0.0)?;
                Some(Influence { node: node(number)?, weight })
            });
            let Some(list) = pairs.collect::<Option<Vec<Influence>>>() else { return };
            groups.push(skin.push_group(list));
        }
        for [vertex, group] in note.get("vertices").map_or(&[][..], Value::list).as_chunks::<2>().0 {
            let at = |value: &Value| usize::try_from(value.unsigned()?).ok();
            let group = at(group).and_then(|it| groups.get(it));
            let slot = at(vertex).and_then(|it| skin.vertex_groups.get_mut(it));
            if let (Some(slot), Some(group)) = (slot, group) {
                *slot = *group;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strips_and_fans_become_triangles_of_the_same_winding() {
        assert_eq!(triangles(vec![0, 1, 2, 3, 4], STRIP), [0, 1, 2, 1, 3, 2, 2, 3, 4]);
        assert_eq!(triangles(vec![0, 1, 2, 3, 4], FAN), [0, 1, 2, 0, 2, 3, 0, 3, 4]);
        assert_eq!(triangles(vec![0, 1, 2, 3], TRIANGLES), [0, 1, 2]);
        assert!(triangles(Vec::new(), FAN).is_empty() && triangles(vec![1, 2], STRIP).is_empty());
    }

    #[test]
    fn gamma_undoes_what_the_exporter_does() {
        // 0.5 in gamma space is 0.2140411 in linear light.
        assert!((gamma(0.214_041_1) - 0.5).abs() < 1e-6);
        assert_eq!((gamma(0.0), gamma(1.0)), (0.0, 1.0));
    }
}
