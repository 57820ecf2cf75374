//! Moving vertices: groups of nodes blend once, vertices follow their group; frames mix.

use super::{MeshPose, Sampler, keys};
use crate::{Mesh, Skin};
use glam::{Affine3A, Mat3A, Vec3A};

/// The matrix of each group: the weighted sum of its nodes' matrices.
fn blend_groups(skin: &Skin, matrices: &[Affine3A], blended: &mut Vec<Affine3A>) {
    blended.clear();
    blended.extend(skin.groups.iter().map(|[start, end]| {
        let influences = skin.influences.get(*start as usize..*end as usize).unwrap_or(&[]);
        let mut sum = Affine3A { matrix3: Mat3A::ZERO, translation: Vec3A::ZERO };
        let mut any = false;
        for influence in influences {
            let Some(matrix) = matrices.get(influence.node.index()) else { continue };
            any |= influence.weight > 0.0;
            sum.matrix3 += matrix.matrix3 * influence.weight;
            sum.translation += matrix.translation * influence.weight;
        }
        if any { sum } else { Affine3A::IDENTITY }
    }));
}

/// Moves the vertices of one mesh.
pub(super) fn mesh(
    mesh: &Mesh,
    matrices: &[Affine3A],
    clocks: &keys::Clocks<'_>,
    blended: &mut Vec<Affine3A>,
    pose: &mut MeshPose,
) {
    if let Some(morph) = &mesh.morph {
        let frame =
            |key: usize| morph.order.values.get(key).and_then(|index| morph.frames.get(*index as usize));
        let (a, b, t) = match keys::locate(&morph.order, clocks) {
            keys::Place::Nowhere => (morph.frames.first(), morph.frames.first(), 0.0),
            keys::Place::At(key) => (frame(key), frame(key), 0.0),
            keys::Place::Between(a, b, t) => (frame(a), frame(b), t),
        };
        if let (Some(a), Some(b)) = (a, b) {
            for ((to, a), b) in pose.positions.iter_mut().zip(&a.positions).zip(&b.positions) {
                *to = Vec3A::from(*a).lerp(Vec3A::from(*b), t).into();
            }
            for ((to, a), b) in pose.normals.iter_mut().zip(&a.normals).zip(&b.normals) {
                *to = Vec3A::from(*a).lerp(Vec3A::from(*b), t).normalize_or_zero().into();
            }
        }
        return;
    }
    let Some(skin) = &mesh.skin else {
        pose.positions.copy_from_slice(&mesh.positions);
        pose.normals.copy_from_slice(&mesh.normals);
        return;
    };
    blend_groups(skin, matrices, blended);
    let positions = pose.positions.iter_mut().zip(&mesh.positions);
    if mesh.normals.len() == mesh.positions.len() {
        let normals = pose.normals.iter_mut().zip(&mesh.normals);
        for (((position, rest), (normal, rest_normal)), group) in
            positions.zip(normals).zip(&skin.vertex_groups)
        {
            let Some(matrix) = blended.get(*group as usize) else { continue };
            *position = matrix.transform_point3a(Vec3A::from_array(*rest)).to_array();
            let turned = matrix.matrix3 * Vec3A::from_array(*rest_normal);
            let square = turned.length_squared();
            let length = if square > 0.0 { square.sqrt().recip() } else { 0.0 };
            *normal = (turned * length).to_array();
        }
    } else {
        for ((position, rest), group) in positions.zip(&skin.vertex_groups) {
            let Some(matrix) = blended.get(*group as usize) else { continue };
            *position = matrix.transform_point3a(Vec3A::from_array(*rest)).to_array();
        }
    }
}

impl Sampler<'_> {
    /// Moves the vertices of every mesh to the pose that [`Sampler::sample`] put into `pose`.
    pub fn skin(&self, pose: &mut super::Pose) {
        let clocks = self.clocks(&pose.moment);
        for (mesh, into) in self.scene.meshes.as_slice().iter().zip(&mut pose.meshes) {
            self::mesh(mesh, &pose.matrices, &clocks, &mut pose.blended, into);
        }
    }
}
