//! Which nodes of the scene the joints of a skin are.

use super::Import;
use super::document::Document;
use effigy_scene::{Animated, Id, Node, NodeKind, Rotation};
use glam::{DAffine3, DVec3};
use std::collections::HashMap;

/// The skins of a document.
#[derive(Default)]
pub(super) struct Skins {
    is_joint: Vec<bool>,
    matrices: Vec<Vec<DAffine3>>,
    places: Vec<DAffine3>,
    /// The node of each joint, by skin.
    bound: HashMap<usize, Vec<Option<Id<Node>>>>,
}

impl Skins {
    pub(super) fn set(&mut self, document: &Document, matrices: Vec<Vec<DAffine3>>, places: Vec<DAffine3>) {
        self.is_joint = vec![false; document.nodes.len()];
        for joint in document.skins.iter().flat_map(|skin| &skin.joints) {
            if let Some(slot) = self.is_joint.get_mut(*joint) {
                *slot = true;
            }
        }
        self.matrices = matrices;
        self.places = places;
    }

    pub(super) fn is_joint(&self, node: usize) -> bool {
        self.is_joint.get(node).copied().unwrap_or(false)
    }

    /// The matrix that takes the vertices of a skin to the bind pose.
    pub(super) fn place(&self, skin: usize) -> DAffine3 {
        self.places.get(skin).copied().unwrap_or(DAffine3::IDENTITY)
    }
}

impl Import<'_> {
    /// The node that each joint of a skin is. A joint whose frame is not the one that this skin asks for gets a child that holds
    /// the difference.
    pub(super) fn joints(&mut self, skin: usize) -> Vec<Option<Id<Node>>> {
        if let Some(known) = self.skins.bound.get(&skin) {
            return known.clone();
        }
        let Some(source) = self.document.skins.get(skin) else { return Vec::new() };
        let matrices = self.skins.matrices.get(skin).cloned().unwrap_or_default();
        let back = self.skins.place(skin).inverse();
        let mut list = Vec::with_capacity(source.joints.len());
        for (joint, inverse) in source.joints.iter().zip(matrices) {
            if self.ours.is_some() {
                use super::ours::{Role, role};
                let node = self.document.nodes.get(*joint);
                list.push(match node.map(role) {
                    Some(Role::Still) => None,
                    // It follows a node of the scene; the root comes before all of these.
                    Some(Role::Shown) => {
                        let number = node.and_then(|it| it.extras.get("node")?.unsigned());
                        let place = number.and_then(|it| usize::try_from(it).ok()?.checked_add(1));
                        place.and_then(|it| self.nodes.get(it).copied().flatten())
                    }
                    _ => self.carrier(*joint),
                });
                continue;
            }
            let (Some(Some(id)), Some(bone)) = (self.nodes.get(*joint).copied(), self.skeleton.bone(*joint))
            else {
                list.push(None);
                continue;
            };
            let bind = bone.bind();
            let offset = bind * inverse * back;
            let reach = 1e-5 * (bind.translation.abs().max_element() + 1.0);
            let same =
                (offset.matrix3 - glam::DMat3::IDENTITY).to_cols_array().iter().all(|it| it.abs() < 1e-5)
                    && offset.translation.abs().max_element() < reach;
            list.push(Some(if same || !offset.is_finite() { id } else { self.offset(id, offset) }));
        }
        self.skins.bound.insert(skin, list.clone());
        list
    }

    /// A child of a node that holds a constant matrix.
    fn offset(&mut self, parent: Id<Node>, matrix: DAffine3) -> Id<Node> {
        let (scale, turn, _) = matrix.to_scale_rotation_translation();
        let again = DAffine3::from_scale_rotation_translation(scale, turn, matrix.translation);
        if (again.matrix3 - matrix.matrix3).to_cols_array().iter().any(|it| it.abs() > 1e-4) {
            self.report.approximated(
                format!("nodes[{}]", parent.index()),
                "a bind matrix that shears was replaced by the nearest one that does not",
            );
        }
        let name = self.scene.nodes.get(parent).map_or_else(String::new, |it| it.name.clone());
        let mut node = Node::new(format!("{name} (bind)"), NodeKind::Bone, Some(parent), [0.0; 3]);
        let axes = self.axes;
        let narrow = |value: DVec3| -> [f32; 3] { value.as_vec3().into() };
        node.translation = Animated::fixed(axes.point(narrow(matrix.translation)));
        node.rotation = Animated::fixed(axes.rotation(Rotation(turn.normalize().as_quat().to_array())));
        node.scale = Animated::fixed(axes.scale(narrow(scale)));
        self.scene.nodes.push(node)
    }
}
