//! What is under the pointer.

use crate::parts::Part;
use effigy::pictures::{Camera, Overlays, Stage};
use glam::{Mat4, Vec2, Vec3};

/// How near a click must be to a bone or attachment, in points.
const NEAR: f32 = 8.0;

fn matrix_of(camera: &Camera, size: Vec2) -> Mat4 {
    Mat4::from_cols_array_2d(&camera.matrix(size.x / size.y.max(1.0)))
}

/// The part at a position of the view, both in points.
pub fn pick(stage: &Stage, camera: &Camera, overlays: &Overlays, at: Vec2, size: Vec2) -> Option<Part> {
    joint(stage, camera, overlays, at, size).or_else(|| mesh(stage, &matrix_of(camera, size), at, size))
}

/// The bone or attachment at a position of the view, where they are shown.
pub fn joint(stage: &Stage, camera: &Camera, overlays: &Overlays, at: Vec2, size: Vec2) -> Option<Part> {
    let matrix = matrix_of(camera, size);
    let to_view = |point: Vec3| {
        let seen = matrix.project_point3(point);
        ((0.0..=1.0).contains(&seen.z))
            .then(|| Vec2::new((seen.x + 1.0) / 2.0 * size.x, (1.0 - seen.y) / 2.0 * size.y))
    };
    let (scene, pose) = (stage.scene(), stage.pose());
    let number = |index: usize| u32::try_from(index).unwrap_or(u32::MAX);
    let bones = scene.nodes.iter().filter(|_| overlays.bones);
    let bones = bones.map(|(id, node)| (Part::Node(number(id.index())), pose.point(id, node.pivot)));
    let attachments = scene.attachments.iter().filter(|_| overlays.attachments);
    let attachments =
        attachments.map(|(id, it)| (Part::Attachment(number(id.index())), pose.point(it.node, it.position)));
    attachments
        .chain(bones)
        .filter_map(|(part, point)| Some((part, to_view(point.into())?.distance(at))))
        .filter(|(_, distance)| *distance <= NEAR)
        .min_by(|(_, a), (_, b)| a.total_cmp(b))
        .map(|(part, _)| part)
}

/// The nearest mesh that is drawn.
fn mesh(stage: &Stage, matrix: &Mat4, at: Vec2, size: Vec2) -> Option<Part> {
    let back = matrix.inverse();
    let there = Vec2::new(at.x / size.x.max(1.0) * 2.0 - 1.0, 1.0 - at.y / size.y.max(1.0) * 2.0);
    let from = back.project_point3(there.extend(0.0));
    let to = back.project_point3(there.extend(1.0));
    let mut pose = stage.pose().clone();
    stage.sampler().skin(&mut pose);
    let mut nearest: Option<(f32, usize)> = None;
    for ((id, mesh), posed) in stage.scene().meshes.iter().zip(pose.meshes()) {
        if !posed.visible || !stage.draws(id, mesh) {
            continue;
        }
        let corner = |index: u32| posed.positions.get(index as usize).map(|point| Vec3::from(*point));
        for [a, b, c] in mesh.indices.as_chunks::<3>().0 {
            let (Some(a), Some(b), Some(c)) = (corner(*a), corner(*b), corner(*c)) else { continue };
            if let Some(t) = hit(from, to - from, [a, b, c])
                && nearest.is_none_or(|(known, _)| t < known)
            {
                nearest = Some((t, id.index()));
            }
        }
    }
    nearest.and_then(|(_, index)| u32::try_from(index).ok()).map(Part::Mesh)
}

/// Where a line meets a triangle from either side: the share of `direction`, 0 to 1.
fn hit(from: Vec3, direction: Vec3, [a, b, c]: [Vec3; 3]) -> Option<f32> {
    let (ab, ac) = (b - a, c - a);
    let across = direction.cross(ac);
    let determinant = ab.dot(across);
    if !determinant.is_normal() {
        return None;
    }
    let offset = from - a;
    let u = offset.dot(across) / determinant;
    let turned = offset.cross(ab);
    let v = direction.dot(turned) / determinant;
    let t = ac.dot(turned) / determinant;
    (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && (0.0..=1.0).contains(&t)).then_some(t)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::orbit::Orbit;
    use effigy::scene::{Mesh, Node, NodeKind, Scene, validate};

    /// Two squares across the X axis, one unit and four units wide, the small one in front.
    fn stage() -> Stage {
        let mut scene = Scene::default();
        for (x, half) in [(0.0, 2.0), (1.0, 0.5)] {
            let mut mesh = Mesh::new("square");
            mesh.positions = vec![[x, -half, -half], [x, half, -half], [x, half, half], [x, -half, half]];
            mesh.normals = vec![[1.0, 0.0, 0.0]; 4];
            mesh.indices = vec![0, 1, 2, 0, 2, 3];
            scene.meshes.push(mesh);
        }
        scene.nodes.push(Node::new("bone", NodeKind::Bone, None, [0.0, 1.5, 0.0]));
        Stage::new(validate(scene).unwrap())
    }

    #[test]
    fn a_click_selects_the_nearest_mesh_or_the_bone_that_is_shown() {
        let stage = stage();
        let mut orbit = Orbit { distance: 10.0, reach: 5.0, orthographic: true, ..Orbit::default() };
        orbit.look_from(Orbit::FRONT);
        let camera = orbit.camera();
        // From the front, +Y is on the right. The view is 2 * 10 * tan(22.5 degrees) = 8.284 units high.
        let size = Vec2::new(828.4, 828.4);
        let at = |y: f32, z: f32| Vec2::new(414.2 + y * 100.0, 414.2 - z * 100.0);
        let none = Overlays::default();
        let bones = Overlays { bones: true, ..none };
        assert_eq!(pick(&stage, &camera, &none, at(0.0, 0.0), size), Some(Part::Mesh(1)));
        assert_eq!(pick(&stage, &camera, &none, at(1.5, 0.0), size), Some(Part::Mesh(0)));
        assert_eq!(pick(&stage, &camera, &none, at(3.0, 0.0), size), None);
        assert_eq!(pick(&stage, &camera, &bones, at(1.52, 0.03), size), Some(Part::Node(0)));
        assert_eq!(pick(&stage, &camera, &bones, at(1.8, 0.0), size), Some(Part::Mesh(0)));
    }
}
