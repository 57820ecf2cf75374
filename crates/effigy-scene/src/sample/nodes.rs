//! Node matrices: hierarchy, nodes that ignore their parents, billboards.
//!
//! A node's matrix maps the bind pose of model space to the pose, so the parent's matrix times `Tr(T + p) R S Tr(-p)`
//! is the whole rule for ordinary nodes.

use super::{Motion, Sampler, View};
use crate::{Billboard, Id, Ignore, Node, NodeRule};
use glam::{Affine3A, Mat3A, Quat, Vec3A};

/// The node's own motion.
struct Local {
    translation: Vec3A,
    rotation: Quat,
    scale: Vec3A,
}

/// Fills the matrix of every node from its motion.
pub(super) fn matrices(
    sampler: &Sampler<'_>,
    motion: impl Fn(Id<Node>, &Node) -> Motion,
    view: Option<&View>,
    matrices: &mut [Affine3A],
) {
    for id in sampler.order {
        let Some(node) = sampler.scene.nodes.get(*id) else { continue };
        let Motion { translation, rotation, scale } = motion(*id, node);
        let local = Local {
            translation: translation.into(),
            rotation: super::value::normalise(Quat::from_array(rotation.0)),
            scale: scale.into(),
        };
        let turns = node.billboard != Billboard::None || node.camera_anchored;
        let matrix = if node.ignore.any() || (turns && view.is_some()) {
            let parent = node.parent.and_then(|parent| {
                let pivot = sampler.scene.nodes.get(parent)?.pivot;
                Some((*matrices.get(parent.index())?, Vec3A::from(pivot)))
            });
            match sampler.scene.node_rule {
                NodeRule::Warcraft => warcraft(node, &local, parent, view),
                NodeRule::World | NodeRule::Wolfenstein => world(node, &local, parent, view),
            }
        } else {
            let above = node.parent.and_then(|parent| matrices.get(parent.index()));
            ordinary(sampler.scene.node_rule, node, &local, above.unwrap_or(&Affine3A::IDENTITY))
        };
        if let Some(slot) = matrices.get_mut(id.index()) {
            *slot = matrix;
        }
    }
}

/// A node that follows its parent in everything, as almost all do: what [`warcraft`] and [`world`] do for it, without their
/// choices.
#[inline]
fn ordinary(rule: NodeRule, node: &Node, local: &Local, above: &Affine3A) -> Affine3A {
    let pivot = Vec3A::from(node.pivot);
    let position = match rule {
        NodeRule::Warcraft => above.transform_point3a(local.translation + pivot),
        NodeRule::World | NodeRule::Wolfenstein => {
            above.transform_point3a(pivot) + above.matrix3 * local.translation
        }
    };
    let turned = above.matrix3 * Mat3A::from_quat(local.rotation);
    let [x, y, z] = local.scale.to_array();
    about_pivot(Mat3A::from_cols(turned.x_axis * x, turned.y_axis * y, turned.z_axis * z), position, pivot)
}

#[inline]
fn about_pivot(basis: Mat3A, position: Vec3A, pivot: Vec3A) -> Affine3A {
    Affine3A { matrix3: basis, translation: position - basis * pivot }
}

/// Columns of unit length; a column without length stays.
fn unit_columns(m: Mat3A) -> Mat3A {
    let unit = |v: Vec3A| v.try_normalize().unwrap_or(v);
    Mat3A::from_cols(unit(m.x_axis), unit(m.y_axis), unit(m.z_axis))
}

/// The model's axes, as long as the columns were.
fn straight_columns(m: Mat3A) -> Mat3A {
    Mat3A::from_diagonal(glam::Vec3::new(m.x_axis.length(), m.y_axis.length(), m.z_axis.length()))
}

fn warcraft(node: &Node, local: &Local, parent: Option<(Affine3A, Vec3A)>, view: Option<&View>) -> Affine3A {
    let pivot = Vec3A::from(node.pivot);
    let (above, parent_pivot) = parent.unwrap_or((Affine3A::IDENTITY, Vec3A::ZERO));
    let mut basis = above.matrix3;
    let Ignore { translation, rotation, scale } = node.ignore;
    let mut position = if translation {
        basis = match (rotation, scale) {
            (true, true) => Mat3A::IDENTITY,
            (true, false) => straight_columns(basis),
            (false, true) => unit_columns(basis),
            (false, false) => basis,
        };
        basis * (local.translation + pivot)
    } else {
        above.transform_point3a(local.translation + pivot)
    };
    if rotation && !scale && !translation {
        basis = straight_columns(basis);
    }
    basis *= Mat3A::from_quat(local.rotation);
    if let Some(view) = view {
        basis = warcraft_billboard(node.billboard, local.rotation, basis, view);
        if node.camera_anchored {
            let from = above.transform_point3a(parent_pivot);
            let toward = (Vec3A::from(view.eye) - from).try_normalize().unwrap_or(Vec3A::X);
            position = from + toward * (position - from).length();
            basis = Mat3A::IDENTITY;
        }
    }
    if !translation && scale {
        // If both are ignored, the engine drops the node's own rotation too.
        basis = if rotation { Mat3A::IDENTITY } else { unit_columns(basis) };
    }
    about_pivot(basis * Mat3A::from_diagonal(local.scale.into()), position, pivot)
}

/// The axes of a node that turns to the viewer: towards the screen, like every other object in the picture.
///
/// Two reconstructions of Blizzard's programs turn a node towards the eye as seen from its pivot. From the game's camera,
/// which is far away, both are the same. Near a portrait's camera they are not: the pivot of a backdrop or of a glow can be
/// next to the eye or behind it, and the mesh would be seen from its edge. All viewers that were compared turn nodes
/// towards the screen.
fn warcraft_billboard(kind: Billboard, own: Quat, basis: Mat3A, view: &View) -> Mat3A {
    let c = Vec3A::from(view.back);
    let unit = unit_columns(basis);
    let axes = match kind {
        Billboard::None => return basis,
        Billboard::Full => full_billboard(own, view),
        Billboard::LockX => {
            let x = unit.x_axis;
            let z = c.cross(x).try_normalize().unwrap_or(unit.z_axis);
            Mat3A::from_cols(x, x.cross(z), z)
        }
        Billboard::LockY => {
            let y = unit.y_axis;
            let z = c.cross(y).try_normalize().unwrap_or(unit.z_axis);
            Mat3A::from_cols(y.cross(z), y, z)
        }
        Billboard::LockZ => {
            let z = unit.z_axis;
            let y = z.cross(c).try_normalize().unwrap_or(unit.y_axis);
            Mat3A::from_cols(y.cross(z), y, z)
        }
    };
    with_lengths_of(axes, basis)
}

/// The axes of a node that turns to the screen with its X axis: the parents' rotation is gone, its own is applied after the
/// turn.
///
/// Two reconstructions of Blizzard's programs drop the node's own rotation as well; every other viewer keeps it, World of
/// Warcraft does, and the models need it: of 258 full billboards with vertices 13 have a rotation of their own. Seven spin
/// flat squares about X (the five of the game's `shimmeringportal_portrait` all the time), which would do nothing, and six
/// tip squares that lie in XY up by a quarter turn about Y (`judgement_impact_chest_blue`), which would be seen from
/// their edge. This function is the only place that chooses.
fn full_billboard(own: Quat, view: &View) -> Mat3A {
    Mat3A::from_cols(view.back.into(), view.right.into(), view.up.into()) * Mat3A::from_quat(own)
}

fn with_lengths_of(axes: Mat3A, lengths: Mat3A) -> Mat3A {
    Mat3A::from_cols(
        axes.x_axis * lengths.x_axis.length(),
        axes.y_axis * lengths.y_axis.length(),
        axes.z_axis * lengths.z_axis.length(),
    )
}

fn world(node: &Node, local: &Local, parent: Option<(Affine3A, Vec3A)>, view: Option<&View>) -> Affine3A {
    let pivot = Vec3A::from(node.pivot);
    let above = parent.map_or(Affine3A::IDENTITY, |(matrix, _)| matrix);
    let Ignore { translation, rotation, scale } = node.ignore;
    let basis = match (rotation, scale) {
        (false, false) => above.matrix3,
        (false, true) => unit_columns(above.matrix3),
        (true, false) => straight_columns(above.matrix3),
        (true, true) => Mat3A::IDENTITY,
    };
    // The pivot follows the parent even if rotation or scale are ignored.
    let origin = if translation { basis * pivot } else { above.transform_point3a(pivot) };
    let position = origin + basis * local.translation;
    let mut turned = basis * Mat3A::from_quat(local.rotation) * Mat3A::from_diagonal(local.scale.into());
    if let Some(view) = view {
        turned = world_billboard(node, local.rotation, turned, view);
    }
    about_pivot(turned, position, pivot)
}

fn world_billboard(node: &Node, own: Quat, basis: Mat3A, view: &View) -> Mat3A {
    let (right, forward) = (Vec3A::from(view.right), -Vec3A::from(view.back));
    let unit = unit_columns(basis);
    let axes = match node.billboard {
        Billboard::None => return basis,
        Billboard::Full => full_billboard(own, view),
        Billboard::LockX => {
            let x = unit.x_axis;
            let y = forward.cross(x).try_normalize().unwrap_or(right);
            Mat3A::from_cols(x, y, x.cross(y))
        }
        Billboard::LockY => {
            let y = unit.y_axis;
            let x = y.cross(forward).try_normalize().unwrap_or(right);
            Mat3A::from_cols(x, y, x.cross(y))
        }
        Billboard::LockZ => {
            let z = unit.z_axis;
            let y = forward.cross(z).try_normalize().unwrap_or(right);
            Mat3A::from_cols(y.cross(z), y, z)
        }
    };
    with_lengths_of(axes, basis)
}
