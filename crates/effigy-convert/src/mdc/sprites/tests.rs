//! Quads by hand and the billboards that they become.

use super::*;
use effigy_scene::Frame;

/// Two quads in the plane of X and Y: one of 4 by 4 around (10, 0, 5), one of 2 by 2 around (0, 0, 0).
fn scene() -> Scene {
    let quad = |x: f32, z: f32, half: f32| {
        [[x - half, -half, z], [x + half, -half, z], [x + half, half, z], [x - half, half, z]]
    };
    let mut mesh = Mesh::new("spark");
    mesh.positions = [quad(10.0, 5.0, 2.0), quad(0.0, 0.0, 1.0)].concat();
    mesh.normals = vec![[0.0, 0.0, 1.0]; 8];
    // The picture of the first quad starts at its second corner; that of the second has no corners.
    let turned = [[1.0, 1.0], [1.0, 0.0], [0.0, 0.0], [0.0, 1.0]];
    mesh.uvs = vec![[turned, [[0.5, 0.5]; 4]].concat()];
    mesh.indices = vec![0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7];
    let mut scene = Scene::default();
    scene.meshes.push(mesh);
    scene
}

fn near(found: [f32; 3], expected: [f32; 3]) -> bool {
    found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-4)
}

#[test]
fn every_quad_stands_upright_at_a_billboard_in_its_middle() {
    let mut scene = scene();
    scene.nodes.push(Node::default());
    assert!(turn(&mut scene, 0));
    let nodes = scene.nodes.as_slice();
    assert_eq!(nodes.len(), 3);
    assert_eq!((nodes[1].name.as_str(), nodes[2].name.as_str()), ("spark sprite 0", "spark sprite 1"));
    assert!(near(nodes[1].pivot, [10.0, 0.0, 5.0]) && near(nodes[2].pivot, [0.0; 3]));
    assert!(nodes[1..].iter().all(|it| it.billboard == Billboard::Full && it.kind == NodeKind::Helper));
    let mesh = &scene.meshes.as_slice()[0];
    // By its picture: u to the right (y), v downwards (z).
    let first = [[10.0, 2.0, 3.0], [10.0, 2.0, 7.0], [10.0, -2.0, 7.0], [10.0, -2.0, 3.0]];
    let second = [[0.0, -1.0, -1.0], [0.0, 1.0, -1.0], [0.0, 1.0, 1.0], [0.0, -1.0, 1.0]];
    for (found, expected) in mesh.positions.iter().zip([first, second].concat()) {
        assert!(near(*found, expected), "{:?}", mesh.positions);
    }
    assert!(mesh.normals.iter().all(|it| *it == [1.0, 0.0, 0.0]));
    // Lower left, lower right, upper right, upper left, counter-clockwise as seen from +X.
    assert_eq!(mesh.indices, [3, 0, 1, 3, 1, 2, 4, 5, 6, 4, 6, 7]);
    let skin = mesh.skin.as_ref().unwrap();
    assert_eq!(skin.vertex_groups, [0, 0, 0, 0, 1, 1, 1, 1]);
    let followed = [0, 1]
        .map(|group| skin.group(group).iter().map(|it| (it.node.index(), it.weight)).collect::<Vec<_>>());
    assert_eq!(followed, [[(1, 1.0)], [(2, 1.0)]]);
}

#[test]
fn frames_move_and_scale_the_billboards() {
    let mut scene = scene();
    let mesh = &mut scene.meshes.as_mut_slice()[0];
    let still = mesh.positions.clone();
    // Twice as large and three units higher.
    let grown: Vec<[f32; 3]> = still
        .iter()
        .enumerate()
        .map(|(at, [x, y, z])| {
            let middle = if at < 4 { 10.0 } else { 0.0 };
            [middle + (x - middle) * 2.0, y * 2.0, z + 3.0]
        })
        .collect();
    let frame = |positions: Vec<[f32; 3]>| Frame { positions, normals: Vec::new() };
    let order = Track::linear(vec![0, 50, 100], vec![0, 1, 0], 0);
    mesh.morph = Some(Morph { frames: vec![frame(still), frame(grown)], order });
    assert!(turn(&mut scene, 0));
    assert!(scene.meshes.as_slice()[0].morph.is_none());
    for node in scene.nodes.as_slice() {
        let (way, size) = (node.translation.track.as_ref().unwrap(), node.scale.track.as_ref().unwrap());
        assert_eq!((&way.times[..], &size.times[..]), (&[0, 50, 100][..], &[0, 50, 100][..]));
        assert!(near(way.values[0], [0.0; 3]) && near(way.values[1], [0.0, 0.0, 3.0]), "{way:?}");
        assert!(near(size.values[0], [1.0; 3]) && near(size.values[1], [2.0; 3]), "{size:?}");
    }
}

#[test]
fn what_does_not_consist_of_quads_or_already_follows_nodes_stays() {
    let mut odd = scene();
    odd.meshes.as_mut_slice()[0].positions.pop();
    assert!(!turn(&mut odd, 0));
    let mut bound = scene();
    bound.meshes.as_mut_slice()[0].skin = Some(Skin::default());
    assert!(!turn(&mut bound, 0));
    let mut many = scene();
    let mesh = &mut many.meshes.as_mut_slice()[0];
    mesh.positions = vec![[0.0; 3]; 4 * (MOST + 1)];
    assert!(!turn(&mut many, 0));
    many.meshes.as_mut_slice()[0].positions.truncate(4 * MOST);
    assert!(turn(&mut many, 0));
    assert!(!turn(&mut scene(), 1));
}
