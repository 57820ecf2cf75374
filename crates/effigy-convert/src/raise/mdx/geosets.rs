//! Meshes as geosets, their colours as geoset animations.

use super::skin::{self, BoneKey, STILL};
use super::{Writer, extent, extras, index, tracks};
use crate::raise::bounds::Missing;
use crate::raise::parts::{self, Limits, Part};
use effigy_mdx::track::tags;
use effigy_mdx::{Caps, Extent, Geoset, GeosetAnimation, GeosetAnimationFlags, Primitive, Skin, Tracks};
use effigy_scene::{Animated, Mesh, NodeKind};
use std::collections::{BTreeMap, BTreeSet};

/// What the game draws in one classic geoset; it fails at 7,433 vertices and 16,386 triangles.
const CLASSIC: Limits = Limits { vertices: 7000, triangles: 16_000, groups: 255 };
/// What the format can hold.
const LARGEST: Limits = Limits { vertices: 65_535, triangles: usize::MAX, groups: 255 };
/// Bones that a byte can name.
const BYTE_BONES: usize = 256;

/// How the vertices of a mesh are attached, by the groups of its skin.
#[derive(Debug)]
pub(super) enum Form {
    /// Groups of bones that count the same, and the group of each vertex.
    Groups(Vec<Vec<BoneKey>>, Vec<u32>),
    /// Four bones with weights.
    Rows(Vec<([BoneKey; 4], [u8; 4])>),
}

/// A mesh, ready to be written.
#[derive(Debug)]
pub(super) struct MeshPlan {
    pub form: Form,
    pub parts: Vec<Part>,
    /// Groups of the scene's skin whose weights are not exact, with what is missing of them.
    pub inexact: Vec<Missing>,
}

/// All meshes, ready to be written.
#[derive(Debug)]
pub(super) struct SkinPlan(pub Vec<MeshPlan>);

impl SkinPlan {
    /// Whether vertices follow more bones than a row has.
    pub fn leaves_bones_out(&self) -> bool {
        self.0.iter().flat_map(|plan| &plan.inexact).any(|(_, rest)| rest.len() > 4)
    }

    /// Every bone that a vertex needs.
    pub fn bones(&self) -> BTreeSet<BoneKey> {
        let mut all = BTreeSet::new();
        for plan in &self.0 {
            match &plan.form {
                Form::Groups(groups, _) => all.extend(groups.iter().flatten()),
                Form::Rows(rows) => all.extend(rows.iter().flat_map(|(keys, _)| keys)),
            }
        }
        all
    }
}

impl Writer<'_> {
    pub(super) fn plan_skins(&mut self) -> SkinPlan {
        let rows = self.caps.contains(Caps::GEOSET_LOD);
        let plan = self.plan_with(rows);
        let bones = plan.bones();
        let kept = self.scene.nodes.iter().filter(|(id, node)| {
            self.native
                && node.kind == NodeKind::Bone
                && !bones.contains(&(u32::try_from(id.index()).unwrap_or(u32::MAX), 0))
        });
        let count = bones.len().saturating_add(kept.count());
        if rows && count > BYTE_BONES && !self.caps.contains(Caps::WIDE_SKIN) {
            let text = format!(
                "{count} bones are more than weights can name; the meshes have matrix groups instead"
            );
            self.report.approximated("meshes", text);
            return self.plan_with(false);
        }
        plan
    }

    fn plan_with(&mut self, rows: bool) -> SkinPlan {
        let scene = self.scene;
        let mut plans = Vec::with_capacity(scene.meshes.len());
        for (id, mesh) in scene.meshes.iter() {
            let physical = mesh.material.and_then(|id| scene.materials.get(id)).is_some_and(|it| it.physical);
            let plan = self.plan(mesh, rows, physical);
            if plan.parts.len() > 1 {
                let text = format!(
                    "it was cut into {} parts, since the game cannot draw it in one",
                    plan.parts.len()
                );
                self.report.rebuilt(format!("meshes[{}]", id.index()), text);
            }
            plans.push(plan);
        }
        let plan = SkinPlan(plans);
        if plan.bones().contains(&STILL) {
            let text = "vertices that follow nothing are attached to a bone that does not move, since the game needs one";
            self.report.rebuilt("skin", text);
        }
        plan
    }

    fn plan(&self, mesh: &Mesh, rows: bool, physical: bool) -> MeshPlan {
        let count = mesh.positions.len();
        let limits = if self.native || physical { LARGEST } else { CLASSIC };
        let Some(source) = &mesh.skin else {
            let groups = vec![0; count];
            let parts = parts::parts(count, &groups, &mesh.indices, limits);
            return MeshPlan { form: Form::Groups(vec![vec![STILL]], groups), parts, inexact: Vec::new() };
        };
        let numbers = 0..u32::try_from(source.groups.len()).unwrap_or(u32::MAX);
        let shares: Vec<_> = numbers.clone().map(|group| skin::shares(source, group)).collect();
        let is_plain = |(group, shares): (u32, &Vec<(u32, f32)>)| {
            let equal = 1.0 / shares.len().max(1) as f32;
            source.group(group).len() == shares.len()
                && shares.iter().all(|(_, weight)| (weight - equal).abs() < 1e-6)
        };
        let plain = numbers.clone().zip(&shares).all(is_plain);
        if rows && (physical || !plain) {
            let all: Vec<_> = shares.iter().map(|shares| skin::row(shares)).collect();
            let groups = numbers.zip(shares.iter().zip(&all));
            let inexact =
                groups.filter_map(|(group, (shares, row))| Some((group, skin::rest_of_row(shares, row)?)));
            let inexact = inexact.collect();
            let parts = parts::parts(count, &[], &mesh.indices, limits);
            let rows = all.into_iter().map(|(keys, weights, _)| (keys, weights)).collect();
            return MeshPlan { form: Form::Rows(rows), parts, inexact };
        }
        if plain && shares.len() <= limits.groups {
            let groups = shares.iter().map(|shares| skin::bones(shares).0).collect();
            let parts = parts::parts(count, &source.vertex_groups, &mesh.indices, limits);
            return MeshPlan {
                form: Form::Groups(groups, source.vertex_groups.clone()),
                parts,
                inexact: Vec::new(),
            };
        }
        let mut known: BTreeMap<Vec<BoneKey>, u32> = BTreeMap::new();
        let mut groups: Vec<Vec<BoneKey>> = Vec::new();
        let mut inexact = Vec::new();
        let mut moved: Vec<Option<u32>> = vec![None; shares.len()];
        let mut vertex_groups = Vec::with_capacity(count);
        for group in &source.vertex_groups {
            let (Some(slot), Some(shares)) = (moved.get_mut(*group as usize), shares.get(*group as usize))
            else {
                vertex_groups.push(0);
                continue;
            };
            let number = *slot.get_or_insert_with(|| {
                let (bones, error) = skin::bones(shares);
                if error > 1e-4 {
                    inexact.push((*group, skin::rest_of_parts(shares, &bones)));
                }
                *known.entry(bones.clone()).or_insert_with(|| {
                    groups.push(bones);
                    u32::try_from(groups.len() - 1).unwrap_or(u32::MAX)
                })
            });
            vertex_groups.push(number);
        }
        let parts = parts::parts(count, &vertex_groups, &mesh.indices, limits);
        MeshPlan { form: Form::Groups(groups, vertex_groups), parts, inexact }
    }

    pub(super) fn geosets(&mut self, plan: &SkinPlan) {
        let scene = self.scene;
        let mut firsts = Vec::with_capacity(plan.0.len());
        let mut moves: BTreeMap<u32, BTreeSet<usize>> = BTreeMap::new();
        for (at, (mesh, plan)) in scene.meshes.as_slice().iter().zip(&plan.0).enumerate() {
            let first = self.model.geosets.len();
            let mut animation = -1;
            for part in &plan.parts {
                let geoset = self.geoset(at, mesh, plan, part);
                for bone in geoset.group_nodes.iter().copied().chain(row_bones(&geoset)) {
                    moves.entry(bone).or_default().insert(self.model.geosets.len());
                }
                let number = index(self.model.geosets.len());
                self.model.geosets.push(geoset);
                if let Some(made) = self.animation(mesh, number) {
                    if animation < 0 {
                        animation = index(self.model.geoset_animations.len());
                    }
                    self.model.geoset_animations.push(made);
                }
            }
            firsts.push((index(first), animation));
        }
        for bone in &mut self.model.bones {
            let gate = usize::try_from(bone.geoset).ok().and_then(|mesh| firsts.get(mesh)).copied();
            if let Some((geoset, animation)) = gate.filter(|(_, animation)| *animation >= 0) {
                (bone.geoset, bone.geoset_animation) = (geoset, animation);
                continue;
            }
            let only = u32::try_from(bone.node.object_id).ok().and_then(|id| moves.get(&id));
            let only = only.filter(|geosets| geosets.len() == 1).and_then(|geosets| geosets.first());
            bone.geoset = only.map_or(-1, |geoset| index(*geoset));
        }
    }

    fn geoset(&mut self, at: usize, mesh: &Mesh, plan: &MeshPlan, part: &Part) -> Geoset {
        let pick = |list: &[[f32; 3]]| -> Vec<[f32; 3]> {
            part.vertices
                .iter()
                .map(|vertex| list.get(*vertex as usize).copied().unwrap_or_default())
                .collect()
        };
        let material = mesh.material.and_then(|id| self.scene.materials.get(id));
        // What the file of the same game does not have is not added.
        let physical = !self.native && material.is_some_and(|material| material.physical);
        let vertices = pick(&mesh.positions);
        let made = if mesh.normals.is_empty() && !self.native { normals(mesh) } else { Vec::new() };
        let normals = match (&mesh.normals, made) {
            (given, _) if !given.is_empty() => pick(given),
            (_, made) if !made.is_empty() => pick(&made),
            _ => Vec::new(),
        };
        let mut uv_sets: Vec<Vec<[f32; 2]>> = Vec::with_capacity(mesh.uvs.len());
        for set in &mesh.uvs {
            uv_sets.push(
                part.vertices.iter().map(|it| set.get(*it as usize).copied().unwrap_or_default()).collect(),
            );
        }
        let mut geoset = Geoset {
            primitive_types: vec![Primitive::TRIANGLES.0],
            primitive_counts: vec![u32::try_from(part.indices.len()).unwrap_or(u32::MAX)],
            indices: part.indices.clone(),
            vertices,
            normals,
            uv_sets,
            material: self.material_index(mesh.material),
            selection_group: mesh.part,
            selection_flags: extras::word(&mesh.extras, "selectionFlags")
                .filter(|_| self.native)
                .unwrap_or(0),
            extent: extent(&mesh.bounds),
            ..Geoset::default()
        };
        if !self.native {
            geoset.selection_group = 0;
        }
        if self.caps.contains(Caps::GEOSET_LOD) {
            geoset.lod = mesh.lod.and_then(|level| i32::try_from(level).ok()).unwrap_or(if self.native {
                -1
            } else {
                0
            });
            if mesh.name != format!("Geoset {at}") || !self.native {
                geoset.name = self.text(&format!("meshes[{at}].name"), &mesh.name);
            }
            let made = if mesh.tangents.is_empty() && physical {
                super::tangents::tangents(mesh)
            } else {
                Vec::new()
            };
            let given = if made.is_empty() { &mesh.tangents } else { &made };
            if !given.is_empty() {
                let tangent = |vertex: &u32| given.get(*vertex as usize).copied().unwrap_or_default();
                geoset.tangents = Some(part.vertices.iter().map(tangent).collect());
            }
        }
        self.attach(&mut geoset, mesh, plan, part);
        geoset
    }

    fn attach(&self, geoset: &mut Geoset, mesh: &Mesh, plan: &MeshPlan, part: &Part) {
        match &plan.form {
            Form::Rows(rows) => {
                let groups = mesh.skin.as_ref().map_or(&[][..], |skin| skin.vertex_groups.as_slice());
                let row = |vertex: &u32| {
                    let group = groups.get(*vertex as usize).copied().unwrap_or(0);
                    rows.get(group as usize).copied().unwrap_or(([STILL; 4], [255, 0, 0, 0]))
                };
                let rows = part.vertices.iter().map(row);
                geoset.skin = Some(if self.caps.contains(Caps::WIDE_SKIN) {
                    let wide = |(keys, weights): ([BoneKey; 4], [u8; 4])| {
                        let [a, b, c, d] =
                            keys.map(|key| u16::try_from(self.nodes.bone(key)).unwrap_or(u16::MAX));
                        let [e, f, g, h] = weights.map(u16::from);
                        [a, b, c, d, e, f, g, h]
                    };
                    Skin::Wide(rows.map(wide).collect())
                } else {
                    let narrow = |(keys, weights): ([BoneKey; 4], [u8; 4])| {
                        let [a, b, c, d] =
                            keys.map(|key| u8::try_from(self.nodes.bone(key)).unwrap_or(u8::MAX));
                        let [e, f, g, h] = weights;
                        [a, b, c, d, e, f, g, h]
                    };
                    Skin::Narrow(rows.map(narrow).collect())
                });
            }
            Form::Groups(groups, vertex_groups) => {
                let of = |vertex: &u32| vertex_groups.get(*vertex as usize).copied().unwrap_or(0);
                // A part of a mesh only has the groups that it needs; a whole mesh has all.
                let mut numbers: Vec<u32> = if plan.parts.len() == 1 {
                    (0..u32::try_from(groups.len()).unwrap_or(u32::MAX)).collect()
                } else {
                    part.vertices.iter().map(of).collect()
                };
                numbers.sort_unstable();
                numbers.dedup();
                let place = |vertex: &u32| {
                    let at = numbers.binary_search(&of(vertex)).unwrap_or(0);
                    u8::try_from(at).unwrap_or(u8::MAX)
                };
                geoset.vertex_groups = part.vertices.iter().map(place).collect();
                for number in &numbers {
                    let bones = groups.get(*number as usize).map_or(&[][..], Vec::as_slice);
                    geoset.group_sizes.push(u32::try_from(bones.len()).unwrap_or(0));
                    geoset.group_nodes.extend(bones.iter().map(|key| self.nodes.bone(*key)));
                }
            }
        }
    }

    /// The geoset animation of a mesh; none: it is white and visible.
    fn animation(&self, mesh: &Mesh, geoset: i32) -> Option<GeosetAnimation> {
        let kept = extras::word(&mesh.extras, "geosetAnimationFlags").filter(|_| self.native);
        let white = mesh.color == Animated::fixed([1.0; 3]);
        if kept.is_none() && white && mesh.alpha == Animated::fixed(1.0) {
            return None;
        }
        let mut list = Tracks::default();
        let alpha = tracks::value(&mut list, tags::KGAO, &mesh.alpha);
        let color = tracks::color(&mut list, tags::KGAC, &mesh.color);
        let mut flags = GeosetAnimationFlags::from_bits_retain(kept.unwrap_or(0));
        if kept.is_none() {
            flags.set(GeosetAnimationFlags::COLOR, !white);
        }
        Some(GeosetAnimation { geoset, alpha, flags, color, tracks: list })
    }

    /// Bounds of a geoset, from its vertices.
    pub(super) fn around(vertices: &[[f32; 3]]) -> Extent {
        let mut bounds = effigy_scene::Bounds::around(vertices);
        if bounds.is_empty() {
            return Extent::default();
        }
        let length = |point: &[f32; 3]| glam::Vec3::from(*point).length();
        bounds.radius = vertices.iter().map(length).fold(0.0, f32::max);
        extent(&bounds)
    }
}

fn row_bones(geoset: &Geoset) -> Vec<u32> {
    let rows = geoset.skin.iter().flat_map(|skin| skin.iter());
    let used =
        rows.flat_map(|(bones, weights)| bones.into_iter().zip(weights).filter(|(_, weight)| *weight > 0));
    let all: BTreeSet<u32> = used.map(|(bone, _)| u32::from(bone)).collect();
    all.into_iter().collect()
}

/// Smooth normals from the triangles.
fn normals(mesh: &Mesh) -> Vec<[f32; 3]> {
    let mut sums = vec![glam::Vec3::ZERO; mesh.positions.len()];
    let at =
        |vertex: u32| mesh.positions.get(vertex as usize).copied().map(glam::Vec3::from).unwrap_or_default();
    for &[a, b, c] in mesh.indices.as_chunks::<3>().0 {
        let normal = (at(b) - at(a)).cross(at(c) - at(a));
        for vertex in [a, b, c] {
            if let Some(sum) = sums.get_mut(vertex as usize) {
                *sum += normal;
            }
        }
    }
    sums.into_iter().map(|sum| sum.try_normalize().unwrap_or(glam::Vec3::Z).into()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normals_are_those_of_the_triangles_by_their_size() {
        let mut mesh = Mesh::new("m");
        // A triangle in the plane x = 1 of twice the area of one in the plane z = 0; both share an edge.
        mesh.positions =
            vec![[1.0, 0.0, 0.0], [1.0, 4.0, 0.0], [1.0, 0.0, 2.0], [0.0, 1.0, 0.0], [5.0, 5.0, 5.0]];
        mesh.indices = vec![0, 1, 2, 0, 1, 3];
        let root = 5.0_f32.sqrt();
        let shared = [2.0 / root, 0.0, 1.0 / root];
        let expected =
            [shared, shared, [1.0, 0.0, 0.0], [0.0, 0.0, 1.0], /* no triangle */ [0.0, 0.0, 1.0]];
        for (found, expected) in normals(&mesh).iter().zip(expected) {
            assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{found:?} {expected:?}");
        }
    }
}
