//! Quads that face the camera (`deformVertexes autosprite`): a billboard node is added for each four vertices.

use effigy_scene::{Animated, Billboard, Id, Influence, Mesh, Morph, Node, NodeKind, Scene, Skin, Track};
use glam::Vec3;

/// Most quads of a mesh.
const MOST: usize = 1024;
/// Half the edge of a square whose corners have distance 1 from its centre.
const HALF: f32 = std::f32::consts::FRAC_1_SQRT_2;

/// The corners in units of half an edge: right and up on the screen, counter-clockwise.
const CORNERS: [[f32; 2]; 4] = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];

/// The centre of four vertices and half the edge of the square that replaces them.
fn square(corners: &[[f32; 3]; 4]) -> (Vec3, f32) {
    let points = corners.map(Vec3::from);
    let middle = points.iter().sum::<Vec3>() / 4.0;
    (middle, points.first().map_or(0.0, |corner| corner.distance(middle) * HALF))
}

/// Replaces the quads of a mesh by billboards. Returns whether that was possible.
pub(super) fn turn(scene: &mut Scene, index: usize) -> bool {
    let Some(mesh) = scene.meshes.as_slice().get(index) else { return false };
    let (quads, rest) = mesh.positions.as_chunks::<4>();
    if !rest.is_empty() || quads.len() > MOST || mesh.skin.is_some() {
        return false;
    }
    let first = scene.nodes.len();
    let nodes: Vec<Node> = quads.iter().enumerate().map(|(at, quad)| node(mesh, at, quad)).collect();
    let mut skin = Skin::default();
    let (mut positions, mut indices) = (Vec::with_capacity(mesh.positions.len()), Vec::new());
    for (at, quad) in quads.iter().enumerate() {
        let node = Id::new(u32::try_from(first + at).unwrap_or(u32::MAX));
        let group = skin.push_group([Influence { node, weight: 1.0 }]);
        skin.vertex_groups.extend([group; 4]);
        let (middle, half) = square(quad);
        let corners = standing(mesh, at);
        let place = |corner: [f32; 2]| corners.iter().position(|it| *it == corner).unwrap_or(0) + at * 4;
        let [a, b, c, d] = CORNERS.map(place).map(|place| u32::try_from(place).unwrap_or(0));
        indices.extend([a, b, c, a, c, d]);
        positions.extend(corners.map(|[y, z]| (middle + Vec3::new(0.0, y, z) * half).to_array()));
    }
    for node in nodes {
        scene.nodes.push(node);
    }
    let Some(mesh) = scene.meshes.as_mut_slice().get_mut(index) else { return false };
    mesh.normals.iter_mut().for_each(|normal| *normal = [1.0, 0.0, 0.0]);
    mesh.positions = positions;
    mesh.indices = indices;
    mesh.skin = Some(skin);
    mesh.morph = None;
    true
}

/// The positions of the corners on the screen, chosen so that the texture is upright.
fn standing(mesh: &Mesh, at: usize) -> [[f32; 2]; 4] {
    let set = mesh.uvs.first().map_or(&[][..], Vec::as_slice);
    let uvs = set.as_chunks::<4>().0.get(at).copied().unwrap_or_default();
    let [u, v] = [0, 1].map(|axis| {
        let values = uvs.map(|uv| uv.get(axis).copied().unwrap_or(0.0));
        values.iter().sum::<f32>() / 4.0
    });
    let by_picture = uvs.map(|[s, t]| [(s - u).signum(), (v - t).signum()]);
    if CORNERS.iter().all(|corner| by_picture.contains(corner)) { by_picture } else { CORNERS }
}

/// The billboard node of a quad, with the translation and scale of the frames.
fn node(mesh: &Mesh, at: usize, quad: &[[f32; 3]; 4]) -> Node {
    let (middle, half) = square(quad);
    let mut node = Node::new(format!("{} sprite {at}", mesh.name), NodeKind::Helper, None, middle.into());
    node.billboard = Billboard::Full;
    let Some(Morph { frames, order }) = &mesh.morph else { return node };
    let shown = order.values.iter().map(|frame| {
        let frame = frames.get(*frame as usize)?;
        frame.positions.as_chunks::<4>().0.get(at).map(square)
    });
    let (mut shifts, mut scales) = (Vec::new(), Vec::new());
    for found in shown {
        let (place, size) = found.unwrap_or((middle, half));
        shifts.push((place - middle).to_array());
        scales.push([if half > 0.0 { size / half } else { 1.0 }; 3]);
    }
    node.translation =
        Animated { base: [0.0; 3], track: Some(Track::linear(order.times.clone(), shifts, [0.0; 3])) };
    node.scale =
        Animated { base: [1.0; 3], track: Some(Track::linear(order.times.clone(), scales, [1.0; 3])) };
    node
}

#[cfg(test)]
mod tests;
