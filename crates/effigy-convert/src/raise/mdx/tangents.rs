//! Tangents for normal maps by MikkTSpace, which the programs that bake such maps use.

use bevy_mikktspace::{Geometry, TangentSpace, generate_tangents};
use effigy_scene::Mesh;
use glam::Vec3;

/// A mesh while its tangents are made. A vertex of several triangles gets their sum.
struct Surface<'a> {
    mesh: &'a Mesh,
    uvs: &'a [[f32; 2]],
    sums: Vec<(Vec3, f32)>,
}

impl Surface<'_> {
    fn vertex(&self, face: usize, corner: usize) -> usize {
        let index = face.saturating_mul(3).saturating_add(corner);
        self.mesh.indices.get(index).map_or(0, |vertex| *vertex as usize)
    }
}

impl Geometry for Surface<'_> {
    fn num_faces(&self) -> usize {
        self.mesh.indices.len() / 3
    }
    fn num_vertices_of_face(&self, _: usize) -> usize {
        3
    }
    fn position(&self, face: usize, corner: usize) -> [f32; 3] {
        self.mesh.positions.get(self.vertex(face, corner)).copied().unwrap_or_default()
    }
    fn normal(&self, face: usize, corner: usize) -> [f32; 3] {
        self.mesh.normals.get(self.vertex(face, corner)).copied().unwrap_or([0.0, 0.0, 1.0])
    }
    fn tex_coord(&self, face: usize, corner: usize) -> [f32; 2] {
        self.uvs.get(self.vertex(face, corner)).copied().unwrap_or_default()
    }
    fn set_tangent(&mut self, space: Option<TangentSpace>, face: usize, corner: usize) {
        let [x, y, z, side] = space.unwrap_or_default().tangent_encoded();
        let vertex = self.vertex(face, corner);
        if let Some((sum, sides)) = self.sums.get_mut(vertex) {
            *sum += Vec3::new(x, y, z);
            *sides += side;
        }
    }
}

/// One tangent per vertex, with the side of the bitangent in w; none where the mesh has no normals or texture coordinates.
pub(super) fn tangents(mesh: &Mesh) -> Vec<[f32; 4]> {
    let Some(uvs) = mesh.uvs.first().filter(|_| !mesh.normals.is_empty() && !mesh.indices.is_empty()) else {
        return Vec::new();
    };
    let mut surface = Surface { mesh, uvs, sums: vec![(Vec3::ZERO, 0.0); mesh.positions.len()] };
    if generate_tangents(&mut surface).is_err() {
        return Vec::new();
    }
    let made = |(sum, sides): (Vec3, f32)| {
        let Vec3 { x, y, z } = sum.try_normalize().unwrap_or(Vec3::X);
        [x, y, z, if sides < 0.0 { -1.0 } else { 1.0 }]
    };
    surface.sums.into_iter().map(made).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tangent_points_to_where_u_grows() {
        let mut mesh = Mesh::new("quad");
        mesh.positions = vec![[0.0, 0.0, 0.0], [0.0, 2.0, 0.0], [-2.0, 2.0, 0.0], [-2.0, 0.0, 0.0]];
        mesh.normals = vec![[0.0, 0.0, 1.0]; 4];
        // u grows along +Y, v along -X: a right-handed pair.
        mesh.uvs = vec![vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]];
        mesh.indices = vec![0, 1, 2, 0, 2, 3];
        assert_eq!(tangents(&mesh), [[0.0, 1.0, 0.0, 1.0]; 4]);
        for uv in &mut mesh.uvs[0] {
            uv[1] = 1.0 - uv[1];
        }
        assert_eq!(tangents(&mesh), [[0.0, 1.0, 0.0, -1.0]; 4]);
        mesh.uvs.clear();
        assert!(tangents(&mesh).is_empty());
    }

    #[test]
    fn tangents_point_where_the_first_coordinate_grows() {
        let square = |mirrored: f32| {
            let mut mesh = Mesh::new("square");
            mesh.positions = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
            mesh.normals = vec![[0.0, 0.0, 1.0]; 4];
            mesh.uvs = vec![mesh.positions.iter().map(|[x, y, _]| [x * mirrored, *y]).collect()];
            mesh.indices = vec![0, 1, 2, 0, 2, 3];
            mesh
        };
        for side in [1.0, -1.0] {
            let found = tangents(&square(side));
            assert_eq!(found.len(), 4);
            for [x, y, z, w] in found {
                assert!((x - side).abs() < 1e-5 && y.abs() < 1e-5 && z.abs() < 1e-5, "{x} {y} {z}");
                assert_eq!(w.abs(), 1.0);
            }
        }
        let sides = |mirrored: f32| tangents(&square(mirrored))[0][3];
        assert_eq!(sides(1.0), -sides(-1.0));
        // A normal that leans takes the tangent with it: they stay at a right angle.
        let mut leaning = square(1.0);
        leaning.normals = vec![[0.6, 0.0, 0.8]; 4];
        for [x, y, z, _] in tangents(&leaning) {
            assert!((x - 0.8).abs() < 1e-4 && y.abs() < 1e-4 && (z + 0.6).abs() < 1e-4, "{x} {y} {z}");
        }
        let (mut bare, mut empty) = (square(1.0), square(1.0));
        bare.normals.clear();
        empty.indices.clear();
        assert!(tangents(&bare).is_empty() && tangents(&empty).is_empty());
    }
}
