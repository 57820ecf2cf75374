//! What scenes of other games become, against values computed by hand.
#![allow(clippy::float_cmp, clippy::indexing_slicing, clippy::unwrap_used)]

mod bounds;
mod limits;
mod m2;
mod materials;
mod md3;
mod md3_cut;
mod md3_names;
mod named;
mod objects;
mod particles;
mod values;

use effigy_convert::raise::{self, RaiseOptions, Raised};
use effigy_mdx::Model;
use effigy_scene::{Mesh, Node, NodeKind, NodeRule, Scene, Sequence, validate};

/// One bone at (1, 2, 3), a triangle and a Stand of a second.
fn scene(format: &str) -> Scene {
    let mut scene = Scene { name: "Thing".into(), node_rule: NodeRule::World, ..Scene::default() };
    scene.extras.set("format", format);
    scene.sequences.push(Sequence { name: "Stand".into(), start: 0, end: 1000, ..Sequence::default() });
    scene.nodes.push(Node::new("root", NodeKind::Bone, None, [1.0, 2.0, 3.0]));
    let mut mesh = Mesh::new("skin");
    mesh.positions = vec![[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, -2.0, 10.0]];
    mesh.normals = vec![[0.0, 0.0, 1.0]; 3];
    mesh.uvs = vec![vec![[0.0; 2]; 3]];
    mesh.indices = vec![0, 1, 2];
    scene.meshes.push(mesh);
    scene
}

fn raised(scene: &Scene, options: &RaiseOptions) -> Raised<Model> {
    raise::mdx(&validate(scene.clone()).unwrap(), options).unwrap()
}

/// Without another unit of length.
fn plain(scene: &Scene) -> Raised<Model> {
    raised(scene, &RaiseOptions { scale: Some(1.0), ..RaiseOptions::default() })
}

fn said(made: &Raised<Model>, words: &str) -> bool {
    made.report.notes().iter().any(|note| format!("{}: {}", note.path, note.message).contains(words))
}

#[test]
fn nothing_is_reported_that_did_not_happen() {
    for format in ["gltf", "mdx", "m2"] {
        let scene = validate(scene(format)).unwrap();
        let options = RaiseOptions { scale: Some(1.0), ..RaiseOptions::default() };
        let mdx = raise::mdx(&scene, &options).unwrap().report;
        let m2 = raise::m2(&scene, &RaiseOptions { version: 264, ..options.clone() }).unwrap().report;
        let md3 = raise::md3(&scene, &options).unwrap().report;
        for report in [mdx, m2, md3] {
            let empty = report.notes().iter().any(|note| note.message.split(' ').any(|word| word == "0"));
            assert!(!empty, "{format}: {report}");
        }
    }
}
