//! Meshes that are larger than what the game draws as one geoset.

use crate::raised::{plain, scene};
use effigy_mdx::{Geoset, Model};
use effigy_scene::{Influence, Node, NodeKind, Skin};

/// The corners of all triangles, geoset by geoset.
fn corners(model: &Model) -> Vec<[f32; 3]> {
    let of = |geoset: &Geoset| -> Vec<[f32; 3]> {
        geoset.indices.iter().map(|corner| geoset.vertices[usize::from(*corner)]).collect()
    };
    model.geosets.iter().flat_map(of).collect()
}

fn sizes(model: &Model) -> Vec<(usize, usize)> {
    model.geosets.iter().map(|it| (it.vertices.len(), it.indices.len() / 3)).collect()
}

#[test]
fn a_mesh_with_too_many_vertices_or_triangles_becomes_several_geosets() {
    // A strip: each vertex makes a triangle with the two before it.
    let strip = |count: u16| {
        let mut scene = scene("gltf");
        let mesh = &mut scene.meshes.as_mut_slice()[0];
        mesh.positions = (0..count).map(|at| [f32::from(at), f32::from(at % 2), 0.0]).collect();
        mesh.normals = vec![[0.0, 0.0, 1.0]; count.into()];
        mesh.uvs = vec![vec![[0.0; 2]; count.into()]];
        mesh.indices = (2..u32::from(count)).flat_map(|at| [at - 2, at - 1, at]).collect();
        scene
    };
    let wanted = |scene: &effigy_scene::Scene| -> Vec<[f32; 3]> {
        let mesh = &scene.meshes.as_slice()[0];
        mesh.indices.iter().map(|corner| mesh.positions[*corner as usize]).collect()
    };
    let whole = strip(7000);
    assert_eq!(sizes(&plain(&whole).model), [(7000, 6998)]);
    // The last triangle needs two vertices again.
    let more = strip(7001);
    let made = plain(&more).model;
    assert_eq!(sizes(&made), [(7000, 6998), (3, 1)]);
    assert_eq!(corners(&made), wanted(&more));
    // Few vertices in many triangles.
    let mut many = strip(50);
    let mesh = &mut many.meshes.as_mut_slice()[0];
    mesh.indices = (0..16_001_u32).flat_map(|at| [at % 48, at % 48 + 1, at % 48 + 2]).collect();
    let made = plain(&many).model;
    assert_eq!(sizes(&made), [(50, 16_000), (3, 1)]);
    assert_eq!(corners(&made), wanted(&many));
}

/// The names of the nodes that a vertex follows.
fn followed(model: &Model, geoset: &Geoset, vertex: usize) -> Vec<String> {
    let group = usize::from(geoset.vertex_groups[vertex]);
    let begin: u32 = geoset.group_sizes[..group].iter().sum();
    let begin = usize::try_from(begin).unwrap();
    let nodes = &geoset.group_nodes[begin..begin + usize::try_from(geoset.group_sizes[group]).unwrap()];
    let name = |id: &u32| {
        let bone = model.bones.iter().find(|bone| u32::try_from(bone.node.object_id) == Ok(*id)).unwrap();
        bone.node.name.text().into_owned()
    };
    nodes.iter().map(name).collect()
}

#[test]
fn a_mesh_with_too_many_groups_becomes_several_geosets() {
    for (count, geosets) in [(255_u16, 1), (258, 2)] {
        let mut scene = scene("gltf");
        for at in 1..count {
            scene.nodes.push(Node::new(format!("bone {at}"), NodeKind::Bone, None, [0.0; 3]));
        }
        let mesh = &mut scene.meshes.as_mut_slice()[0];
        mesh.positions = (0..count).map(|at| [f32::from(at), 0.0, 0.0]).collect();
        mesh.normals = vec![[0.0, 0.0, 1.0]; count.into()];
        mesh.uvs = vec![vec![[0.0; 2]; count.into()]];
        mesh.indices = (0..u32::from(count)).collect();
        let nodes = scene.nodes.iter().map(|(id, _)| vec![Influence { node: id, weight: 1.0 }]);
        let mut skin = Skin::default();
        for (at, influences) in (0_u32..).zip(nodes) {
            skin.push_group(influences);
            skin.vertex_groups.push(at);
        }
        mesh.skin = Some(skin);
        let made = plain(&scene).model;
        assert_eq!(made.geosets.len(), geosets);
        let mut seen = 0;
        for geoset in made.geosets.iter() {
            assert!(geoset.group_sizes.len() <= 255);
            for (vertex, position) in geoset.vertices.iter().enumerate() {
                let name =
                    if position[0] == 0.0 { "root".to_owned() } else { format!("bone {}", position[0]) };
                assert_eq!(followed(&made, geoset, vertex), [name]);
                seen += 1;
            }
        }
        assert_eq!(seen, count);
    }
}
