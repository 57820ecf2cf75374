//! Meshes: attributes, triangles, the nodes that show them.

use super::materials::is_generic;
use super::visibility::Showing;
use super::{Builder, Drawn, HIDDEN, ROOT, describe};
use crate::buffer::{Layout, U16, U32, Use};
use crate::json::{self, Json, Object};
use crate::{Textures, Visibility};
use effigy_scene::coordinates::{tangent_to_y_up, to_y_up};
use effigy_scene::{Id, Mesh, Skin};

/// 65535 would mean "new strip": the last index that 16 bits may hold is one less.
const MOST_16_BIT: usize = 65535;

impl Builder<'_> {
    /// Whether a mesh belongs to the export.
    fn is_wanted(&self, mesh: &Mesh) -> bool {
        let drawable = !mesh.positions.is_empty() && !mesh.indices.is_empty();
        let level = self.options.all_lods || mesh.lod.is_none_or(|lod| lod == self.lod());
        drawable && level && (mesh.shown || self.options.all_parts)
    }

    /// The chosen level of detail, or the coarsest there is.
    pub(super) fn lod(&self) -> u32 {
        let levels = self.scene.meshes.as_slice().iter().filter_map(|mesh| mesh.lod);
        levels.max().map_or(self.options.lod, |coarsest| self.options.lod.min(coarsest))
    }

    pub(super) fn add_meshes(&mut self, textures: &mut dyn Textures) {
        let scene = self.scene;
        let clips = self.all_clips();
        let frozen = self.options.pose.is_some().then(|| {
            let mut pose = self.sampler.pose();
            self.sampler.sample(&self.rest, None, &mut pose);
            self.sampler.skin(&mut pose);
            pose
        });
        for (id, mesh) in scene.meshes.iter() {
            if !self.is_wanted(mesh) {
                if !mesh.positions.is_empty() {
                    self.report.dropped(
                        format!("meshes[{}]", id.index()),
                        "not part of the chosen level of detail or look, or without triangles",
                    );
                }
                continue;
            }
            let showing = self.showing(mesh, &clips);
            if showing == Showing::Never && !self.options.all_parts {
                self.report.dropped(format!("meshes[{}]", id.index()), "never shown in what was written");
                continue;
            }
            match frozen.as_ref().and_then(|pose| pose.mesh(id)) {
                Some(posed) => {
                    let (positions, normals) = (posed.positions.clone(), posed.normals.clone());
                    let (skin, morph, tangents) = (None, None, Vec::new());
                    let still = Mesh { positions, normals, skin, morph, tangents, ..mesh.clone() };
                    self.add_mesh(id, &still, &showing, textures);
                }
                None => self.add_mesh(id, mesh, &showing, textures),
            }
        }
        self.link_lods();
        self.add_bones();
    }

    fn add_mesh(&mut self, id: Id<Mesh>, mesh: &Mesh, showing: &Showing, textures: &mut dyn Textures) {
        let comes_and_goes = matches!(showing, Showing::Sometimes { .. });
        let rests_hidden = matches!(showing, Showing::Sometimes { rest: false, .. } | Showing::Never);
        let by_extension = self.options.visibility == Visibility::Extension && !self.options.draft;
        let alone = mesh.skin.as_ref().and_then(only_node);
        let mut attributes = self.attributes(mesh);
        let (mut hide, mut note) = (Vec::new(), None);
        let skinned = mesh.skin.is_some() && !(comes_and_goes && alone.is_some());
        if let Some(skin) = mesh.skin.as_ref().filter(|_| skinned) {
            let own = (comes_and_goes && !by_extension).then_some(showing);
            let (bound, own) = self.bind(mesh, skin, id.index(), own);
            let print = self.bound_attributes(&bound, &mut attributes);
            note = bound.note(skin, print);
            hide = own;
        }
        let material = self.material(id, mesh, textures);
        let indices = self.indices(mesh);
        let mut primitive = Object::default().with("attributes", attributes).with("indices", indices);
        if let Some(material) = material {
            primitive.set("material", material.index);
            if !material.variants.is_empty() {
                self.extension("KHR_materials_variants");
                let mappings: Vec<Json> = material
                    .variants
                    .iter()
                    .enumerate()
                    .map(|(variant, material)| {
                        let list = vec![Json::from(variant)];
                        Object::default().with("material", *material).with("variants", list).into()
                    })
                    .collect();
                let mappings = Object::default().with("mappings", mappings);
                primitive.set("extensions", Object::default().with("KHR_materials_variants", mappings));
            }
        }
        let targets = self.morph_targets(mesh, &mut primitive);
        let name = self.mesh_name(mesh, alone, primitive.get("material"));
        let name = self.unique("mesh", &name, "Mesh");
        let mut object =
            Object::default().with("name", name.clone()).with("primitives", vec![primitive.into()]);
        if targets > 0 {
            object.set("weights", vec![Json::Float(0.0); targets]);
        }
        self.meshes.push(object);
        let node_name = self.unique("node", &name, "Mesh");
        let mut node = json::Node {
            name: node_name,
            mesh: Some(self.meshes.len() - 1),
            skin: skinned.then_some(0),
            extras: describe::mesh(mesh, id.index()),
            ..json::Node::default()
        };
        if let Some(note) = note {
            node.extras.set("influences", note);
        }
        if by_extension && comes_and_goes {
            self.extension("KHR_node_visibility");
            let visible = Object::default().with("visible", !rests_hidden);
            node.extensions.set("KHR_node_visibility", visible);
        } else if rests_hidden && !skinned {
            node.scale = Some(HIDDEN);
        }
        let place = if skinned {
            // The transforms of its parents do not apply to a skinned mesh, so it is a node of the top level.
            self.nodes.push(node);
            self.top.push(self.nodes.len() - 1);
            self.nodes.len() - 1
        } else if let Some(only) = alone {
            // A mesh that follows a single node is its child, moved back by the pivot.
            let pivot = self.pivot(only);
            let back = to_y_up(pivot).map(|value| 0.0 - value);
            node.translation = (back != [0.0; 3]).then_some(back);
            let parent = self.node(only);
            self.add_node(parent, node)
        } else {
            self.add_node(ROOT, node)
        };
        self.drawn.push(Drawn { mesh: id, node: place, targets, changes: comes_and_goes, hide });
    }

    /// The name of a mesh: its own, or that of its only bone, or that of its material.
    fn mesh_name(
        &self,
        mesh: &Mesh,
        alone: Option<Id<effigy_scene::Node>>,
        material: Option<&Json>,
    ) -> String {
        if !is_generic(&mesh.name) {
            return mesh.name.clone();
        }
        let bone = alone.and_then(|id| self.scene.nodes.get(id)).map(|node| node.name.clone());
        let material = match material {
            Some(Json::Int(index)) => usize::try_from(*index).ok().and_then(|it| self.materials.list.get(it)),
            _ => None,
        };
        let material = match material.and_then(|it| it.get("name")) {
            Some(Json::Text(name)) if !is_generic(name) => Some(name.clone()),
            _ => None,
        };
        bone.filter(|name| !name.is_empty()).or(material).unwrap_or_else(|| mesh.name.clone())
    }

    fn attributes(&mut self, mesh: &Mesh) -> Object {
        let positions: Vec<[f32; 3]> = mesh.positions.iter().map(|point| to_y_up(*point)).collect();
        let mut attributes = Object::default();
        attributes.set("POSITION", self.bin.floats(Use::Vertex12, &positions, true));
        if !mesh.normals.is_empty() {
            let normals: Vec<[f32; 3]> =
                mesh.normals.iter().map(|normal| unit_or_up(to_y_up(*normal))).collect();
            attributes.set("NORMAL", self.bin.floats(Use::Vertex12, &normals, false));
            if has_tangents(mesh) {
                let tangents: Vec<[f32; 4]> = mesh
                    .tangents
                    .iter()
                    .map(|tangent| {
                        let [x, y, z, w] = tangent_to_y_up(*tangent);
                        let [x, y, z] = unit_or_up([x, y, z]);
                        [x, y, z, w]
                    })
                    .collect();
                attributes.set("TANGENT", self.bin.floats(Use::Vertex16, &tangents, false));
            }
        }
        for (set, uvs) in mesh.uvs.iter().enumerate() {
            attributes.set(format!("TEXCOORD_{set}"), self.bin.floats(Use::Vertex8, uvs, false));
        }
        attributes
    }

    fn indices(&mut self, mesh: &Mesh) -> usize {
        let count = mesh.indices.len();
        if mesh.positions.len() <= MOST_16_BIT {
            let narrow: Vec<u16> =
                mesh.indices.iter().map(|index| u16::try_from(*index).unwrap_or_default()).collect();
            let layout = Layout { usage: Use::Indices, component: U16, kind: "SCALAR", count };
            self.bin.push(&layout, bytemuck::cast_slice(&narrow))
        } else {
            let layout = Layout { usage: Use::Indices, component: U32, kind: "SCALAR", count };
            self.bin.push(&layout, bytemuck::cast_slice(&mesh.indices))
        }
    }

    /// With all levels: meshes of the finest level refer to their coarser ones, by order.
    fn link_lods(&mut self) {
        if !self.options.all_lods || self.options.draft {
            return;
        }
        let level = |drawn: &Drawn| self.scene.meshes.get(drawn.mesh).and_then(|mesh| mesh.lod).unwrap_or(0);
        let coarse: Vec<usize> = self.drawn.iter().filter(|it| level(it) > 0).map(|it| it.node).collect();
        if coarse.is_empty() {
            return;
        }
        let finest: Vec<usize> = self.drawn.iter().filter(|it| level(it) == 0).map(|it| it.node).collect();
        let mut lists: Vec<Vec<Json>> = vec![Vec::new(); finest.len()];
        let mut levels: Vec<u32> = self.drawn.iter().map(level).filter(|level| *level > 0).collect();
        levels.sort_unstable();
        levels.dedup();
        for wanted in levels {
            let nodes = self.drawn.iter().filter(|it| level(it) == wanted).map(|it| it.node);
            for (list, node) in lists.iter_mut().zip(nodes) {
                list.push(node.into());
            }
        }
        for (node, ids) in finest.iter().zip(lists).filter(|(_, ids)| !ids.is_empty()) {
            if let Some(node) = self.nodes.get_mut(*node) {
                node.extensions.set("MSFT_lod", Object::default().with("ids", ids));
                self.extensions.insert("MSFT_lod");
            }
        }
        self.top.retain(|node| !coarse.contains(node));
    }
}

/// Whether a mesh has tangents that glTF accepts.
pub(super) fn has_tangents(mesh: &Mesh) -> bool {
    let sound = |[x, y, z, w]: &[f32; 4]| x * x + y * y + z * z > 1e-8 && w.abs() == 1.0;
    !mesh.tangents.is_empty()
        && !mesh.normals.is_empty()
        && !mesh.uvs.is_empty()
        && mesh.tangents.iter().all(sound)
}

/// The only node that all vertices follow, if there is one.
fn only_node(skin: &Skin) -> Option<Id<effigy_scene::Node>> {
    let mut only = None;
    let mut last = None;
    for group in &skin.vertex_groups {
        if last == Some(*group) {
            continue;
        }
        last = Some(*group);
        let [influence] = skin.group(*group) else { return None };
        if only.is_some_and(|node| node != influence.node) || (influence.weight - 1.0).abs() > 1e-6 {
            return None;
        }
        only = Some(influence.node);
    }
    only
}

pub(super) fn unit_or_up(vector: [f32; 3]) -> [f32; 3] {
    glam::Vec3::from(vector).try_normalize().unwrap_or(glam::Vec3::Y).into()
}
