//! The one skin that all meshes share, and the joints and weights of vertices.

use super::hiding::{Hiding, Way};
use super::visibility::Showing;
use super::{Builder, ROOT};
use crate::buffer::{Layout, U8, U16, Use, mix};
use crate::json::{Json, Object};
use effigy_scene::coordinates::to_y_up;
use effigy_scene::sample::FewerNodes;
use effigy_scene::{Influence, Mesh, NodeKind, Skin};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Influences a vertex may have: two sets of four.
const MOST: usize = 8;
/// Influences that every program reads.
pub(super) const EVERYWHERE: usize = 4;
/// How far vertices may be from where they belong, as a part of the model's size, so that they have no more than that.
const NEAR: f32 = 5e-4;

/// The joints of the document.
#[derive(Default)]
pub(crate) struct Joints {
    /// glTF nodes, in the order of the skin.
    nodes: Vec<usize>,
    /// The position of each joint in the bind pose.
    points: Vec<[f32; 3]>,
    places: HashMap<usize, u16>,
    /// Joints of meshes that come and go, by when they do.
    own: HashMap<Showing, Hiding>,
    /// Copies of glTF nodes, which move like these.
    pub(super) copies: HashMap<usize, Vec<usize>>,
    /// The joint of vertices that follow nothing.
    pub(super) still: Option<usize>,
}

impl Joints {
    /// The number of a joint, given its position in the bind pose.
    pub(super) fn place(&mut self, node: usize, point: [f32; 3]) -> u16 {
        let next = u16::try_from(self.nodes.len()).unwrap_or(u16::MAX);
        *self.places.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            self.points.push(point);
            next
        })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    pub(super) fn contains(&self, node: usize) -> bool {
        self.places.contains_key(&node)
    }
}

/// Joints and weights of vertices, four each.
type Set = (Vec<[u16; 4]>, Vec<[f32; 4]>);

/// Joints and weights of the vertices of a mesh, by sets of four.
pub(super) struct Bound {
    sets: Vec<Set>,
    /// The nodes and weights of the scene, by group, where fewer were written.
    whole: BTreeMap<u32, Vec<Influence>>,
}

impl Bound {
    /// What has to be remembered for the way back: the influences of vertices that were written with fewer, and a fingerprint of
    /// what was written instead.
    pub(super) fn note(&self, skin: &Skin, print: u64) -> Option<Object> {
        if self.whole.is_empty() {
            return None;
        }
        let places: BTreeMap<u32, usize> = self.whole.keys().copied().zip(0..).collect();
        let vertices = skin.vertex_groups.iter().enumerate();
        let vertices = vertices.filter_map(|(vertex, group)| Some([vertex, *places.get(group)?]));
        let vertices: Vec<Json> = vertices.flatten().map(Json::from).collect();
        let row = |list: &Vec<Influence>| {
            let numbers = list.iter().flat_map(|it| [Json::from(it.node.index()), Json::Float(it.weight)]);
            Json::from(numbers.collect::<Vec<Json>>())
        };
        let groups: Vec<Json> = self.whole.values().map(row).collect();
        Some(
            Object::default()
                .with("written", format!("{print:016x}"))
                .with("vertices", vertices)
                .with("groups", groups),
        )
    }
}

impl Builder<'_> {
    /// Joints and weights of a mesh. `showing`: the mesh gets joints that can be scaled to nothing and shares them with meshes
    /// that come and go at the same times; what is scaled is returned too.
    pub(super) fn bind(
        &mut self,
        mesh: &Mesh,
        skin: &Skin,
        index: usize,
        showing: Option<&Showing>,
    ) -> (Bound, Vec<usize>) {
        let hidden = matches!(showing, Some(Showing::Sometimes { rest: false, .. }));
        let known = showing.and_then(|it| self.skin.own.remove(it));
        let mut hiding = known.unwrap_or_else(|| Hiding::new(hidden));
        let way = if showing.is_some() { self.way_to_hide(mesh, skin, &mut hiding) } else { Way::Bones };
        let mut hide = Vec::new();
        let mut groups: Vec<Vec<(u16, f32)>> = Vec::with_capacity(skin.groups.len());
        let mut cut = false;
        let (fewer, far, worst) = self.fewer(mesh, skin);
        let mut whole = BTreeMap::new();
        for group in (0..).take(skin.groups.len()) {
            let influences = match fewer.get(&group) {
                Some(few) => {
                    whole.insert(group, skin.group(group).to_vec());
                    few.as_slice()
                }
                None => skin.group(group),
            };
            let mut list: Vec<(u16, f32)> = Vec::with_capacity(influences.len().max(1));
            for influence in influences.iter().filter(|it| it.weight > 0.0) {
                let (joint, point, scaled) = self.hiding_joint(influence.node, way, &mut hiding);
                hide.extend(scaled);
                let joint = self.skin.place(joint, point);
                match list.iter_mut().find(|(known, _)| *known == joint) {
                    Some((_, weight)) => *weight += influence.weight,
                    None => list.push((joint, influence.weight)),
                }
            }
            if list.len() > 4 {
                // Some programs read the first four only.
                list.sort_by(|(_, a), (_, b)| b.total_cmp(a));
            }
            cut |= list.len() > MOST;
            list.truncate(MOST);
            if list.is_empty() {
                let (joint, point, scaled) = self.free_joint(way, &mut hiding);
                hide.extend(scaled);
                list.push((self.skin.place(joint, point), 1.0));
            }
            let sum: f32 = list.iter().map(|(_, weight)| weight).sum();
            list.iter_mut().for_each(|(_, weight)| *weight /= sum);
            groups.push(list);
        }
        if cut {
            self.report.approximated(
                format!("meshes[{index}]"),
                "vertices that follow more than eight nodes follow the eight with the largest weights",
            );
        }
        let blended = match way {
            Way::Bones => self.blended(mesh, skin, &far),
            Way::Leaves | Way::Tree(_) => HashMap::new(),
        };
        if !blended.is_empty() {
            let groups = blended.keys().filter_map(|vertex| skin.vertex_groups.get(*vertex));
            whole.extend(groups.map(|group| (*group, skin.group(*group).to_vec())));
            let text = "vertices that follow more than four nodes follow three and a joint that goes where the others take them";
            self.report.approximated(format!("meshes[{index}]"), format!("{} {text}", blended.len()));
        }
        let vertices = skin.vertex_groups.iter().enumerate().map(|(vertex, group)| {
            let list = blended.get(&vertex).or_else(|| groups.get(*group as usize));
            list.map_or(&[][..], Vec::as_slice)
        });
        let sets = vertices.clone().map(<[_]>::len).max().unwrap_or(1).div_ceil(4).max(1);
        if worst > 0.0 {
            self.report.approximated(
                format!("meshes[{index}]"),
                format!(
                    "vertices that follow more than four nodes follow four, which most programs read (error at most {:.3} % of the size)",
                    worst * 100.0
                ),
            );
        }
        let mut bound = Bound { sets: vec![(Vec::new(), Vec::new()); sets], whole };
        for list in vertices {
            for (set, (joints, weights)) in bound.sets.iter_mut().enumerate() {
                let (mut row, mut shares) = ([0_u16; 4], [0.0_f32; 4]);
                for ((slot, share), (joint, weight)) in
                    row.iter_mut().zip(&mut shares).zip(list.iter().skip(set * 4))
                {
                    *slot = *joint;
                    *share = *weight;
                }
                joints.push(row);
                weights.push(shares);
            }
        }
        if let Some(showing) = showing {
            self.skin.own.insert(showing.clone(), hiding);
        }
        hide.sort_unstable();
        hide.dedup();
        (bound, hide)
    }

    /// Four nodes instead of more, by group, where they move vertices almost as all do; the groups where no four do; and the largest
    /// distance that is left, as a part of the size.
    fn fewer(&mut self, mesh: &Mesh, skin: &Skin) -> (BTreeMap<u32, Vec<Influence>>, BTreeSet<u32>, f32) {
        let mut points: BTreeMap<u32, Vec<[f32; 3]>> = BTreeMap::new();
        for (group, point) in skin.vertex_groups.iter().zip(&mesh.positions) {
            if skin.group(*group).len() > EVERYWHERE {
                points.entry(*group).or_default().push(*point);
            }
        }
        let (mut found, mut far, mut worst) = (BTreeMap::new(), BTreeSet::new(), 0.0_f32);
        for (group, points) in points {
            let shares: Vec<_> = skin.group(group).iter().map(|it| (it.node, it.weight)).collect();
            let finder = self.fewer.get_or_insert_with(|| FewerNodes::new(&self.sampler));
            let (list, off) = finder.weights(&shares, &points, EVERYWHERE);
            if off <= NEAR * self.size {
                worst = worst.max(off / self.size);
                let list = list.into_iter().map(|(node, weight)| Influence { node, weight });
                found.insert(group, list.collect());
            } else {
                far.insert(group);
            }
        }
        (found, far, worst)
    }

    /// Every bone is part of the skin, also those that no vertex follows, and so is everything above a joint: a program that
    /// looks for the bind pose (Blender) finds that of a joint only if the joint's parent has one too.
    pub(super) fn add_bones(&mut self) {
        if self.skin.is_empty() {
            return;
        }
        let attachments = self.options.attachment_bones;
        let bones = self.scene.nodes.iter().filter(|(_, node)| {
            node.kind == NodeKind::Bone || (attachments && node.kind == NodeKind::Attachment)
        });
        let bones: Vec<usize> = bones.map(|(id, _)| self.node(id)).collect();
        let mut parents = vec![ROOT; self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate() {
            for child in &node.children {
                if let Some(parent) = parents.get_mut(*child) {
                    *parent = index;
                }
            }
        }
        for joint in self.skin.nodes.clone().into_iter().chain(bones) {
            let mut at = joint;
            while at != ROOT {
                if let Some(node) = at.checked_sub(1).and_then(|index| self.scene.nodes.as_slice().get(index))
                {
                    self.skin.place(at, node.pivot);
                }
                at = parents.get(at).copied().unwrap_or(ROOT);
            }
        }
    }

    /// Writes joints and weights as vertex attributes.
    ///
    /// Returns a fingerprint of what was written.
    pub(super) fn bound_attributes(&mut self, bound: &Bound, attributes: &mut Object) -> u64 {
        let mut print = 0;
        let names = [("JOINTS_0", "WEIGHTS_0"), ("JOINTS_1", "WEIGHTS_1")];
        for ((joints, weights), (joint_name, weight_name)) in bound.sets.iter().zip(names) {
            let count = joints.len();
            let narrow: Option<Vec<u8>> =
                joints.as_flattened().iter().map(|joint| u8::try_from(*joint).ok()).collect();
            let accessor = match narrow {
                Some(bytes) => {
                    self.bin.push(&Layout { usage: Use::Vertex4, component: U8, kind: "VEC4", count }, &bytes)
                }
                None => self.bin.push(
                    &Layout { usage: Use::Vertex8, component: U16, kind: "VEC4", count },
                    bytemuck::cast_slice(joints.as_flattened()),
                ),
            };
            attributes.set(joint_name, accessor);
            print = mix(print, self.bin.print(accessor));
            let accessor = self.bin.floats(Use::Vertex16, weights, false);
            attributes.set(weight_name, accessor);
            print = mix(print, self.bin.print(accessor));
        }
        print
    }

    /// The skin, after all meshes have been added.
    pub(super) fn skins(&mut self) -> Vec<Object> {
        if self.skin.is_empty() {
            return Vec::new();
        }
        let matrices: Vec<[f32; 16]> = self
            .skin
            .points
            .iter()
            .map(|point| {
                let [x, y, z] = to_y_up(*point).map(|value| 0.0 - value);
                [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., x, y, z, 1.]
            })
            .collect();
        let accessor = self.bin.floats(Use::Matrices, &matrices, false);
        let joints: Vec<Json> = self.skin.nodes.iter().map(|node| Json::from(*node)).collect();
        let name = self.scene.name.clone();
        let name = if name.is_empty() { "Skin".to_owned() } else { name };
        vec![
            Object::default()
                .with("name", name)
                .with("inverseBindMatrices", accessor)
                .with("skeleton", ROOT)
                .with("joints", joints),
        ]
    }
}
