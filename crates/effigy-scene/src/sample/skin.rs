//! Moving vertices: groups of nodes blend once, vertices follow their group; frames mix.

use super::{MeshPose, Sampler, keys};
use crate::{Mesh, Morph, Skin};
use glam::{Affine3A, Mat3A, Vec3A};

/// The matrix of a group: the weighted sum of its nodes' matrices.
fn blend_group(skin: &Skin, [start, end]: [u32; 2], matrices: &[Affine3A]) -> Affine3A {
    let influences = skin.influences.get(start as usize..end as usize).unwrap_or(&[]);
    let mut sum = Affine3A { matrix3: Mat3A::ZERO, translation: Vec3A::ZERO };
    let mut any = false;
    for influence in influences {
        let Some(matrix) = matrices.get(influence.node.index()) else { continue };
        any |= influence.weight > 0.0;
        sum.matrix3 += matrix.matrix3 * influence.weight;
        sum.translation += matrix.translation * influence.weight;
    }
    if any { sum } else { Affine3A::IDENTITY }
}

fn blend_groups(skin: &Skin, matrices: &[Affine3A], blended: &mut Vec<Affine3A>) {
    blended.clear();
    blended.extend(skin.groups.iter().map(|group| blend_group(skin, *group, matrices)));
}

/// Two frames of a morphing mesh at a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mixed {
    /// The frame that it comes from.
    pub from: usize,
    /// The frame that it goes to.
    pub to: usize,
    /// How far it has gone, 0 to 1.
    pub t: f32,
}

fn mixed(morph: &Morph, clocks: &keys::Clocks<'_>) -> Mixed {
    let frame = |key: usize| morph.order.values.get(key).map_or(0, |index| *index as usize);
    match keys::locate(&morph.order, clocks) {
        keys::KeyPlace::Nowhere => Mixed::default(),
        keys::KeyPlace::At(key) => Mixed { from: frame(key), to: frame(key), t: 0.0 },
        keys::KeyPlace::Between(a, b, t) => Mixed { from: frame(a), to: frame(b), t },
    }
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
        let Mixed { from, to, t } = mixed(morph, clocks);
        let (a, b) = (morph.frames.get(from), morph.frames.get(to));
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
    /// Adds the matrix of each group of a mesh's skin, as rows of `M p`, for programs that move vertices themselves.
    pub fn groups(&self, mesh: &Mesh, pose: &super::Pose, into: &mut Vec<[[f32; 4]; 3]>) {
        let Some(skin) = &mesh.skin else { return };
        into.extend(skin.groups.iter().map(|group| {
            let Affine3A { matrix3, translation } = blend_group(skin, *group, &pose.matrices);
            let [[a, b, c], [d, e, f], [g, h, i]] = matrix3.to_cols_array_2d();
            let [x, y, z] = translation.to_array();
            [[a, d, g, x], [b, e, h, y], [c, f, i, z]]
        }));
    }

    /// The frames that a morphing mesh shows at the moment of a pose; none: it does not morph.
    #[must_use]
    pub fn mixed(&self, mesh: &Mesh, pose: &super::Pose) -> Option<Mixed> {
        mesh.morph.as_ref().map(|morph| mixed(morph, &self.clocks(&pose.moment)))
    }

    /// Moves the vertices of every mesh to the pose that [`Sampler::sample`] put into `pose`.
    pub fn skin(&self, pose: &mut super::Pose) {
        let clocks = self.clocks(&pose.moment);
        for (mesh, into) in self.scene.meshes.as_slice().iter().zip(&mut pose.meshes) {
            self::mesh(mesh, &pose.matrices, &clocks, &mut pose.blended, into);
        }
    }
}
