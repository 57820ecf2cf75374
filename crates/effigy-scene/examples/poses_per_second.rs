//! How many poses of a model of 5,000 vertices and 60 bones are sampled and skinned in a second on one core.

#![allow(clippy::print_stdout, reason = "a measurement")]

use effigy_scene::sample::{Moment, Sampler};
use effigy_scene::{
    Id, Influence, KeyRule, Mesh, Node, NodeKind, Rotation, Scene, Sequence, Skin, Track, validate,
};
use std::time::Instant;

const BONES: u16 = 60;
const VERTICES: u16 = 5000;
const POSES: u32 = 20_000;

fn scene() -> Scene {
    let mut scene = Scene { key_rule: KeyRule::Wrap, ..Scene::default() };
    scene.sequences.push(Sequence { end: 1000, looping: true, ..Sequence::default() });
    for bone in 0..BONES {
        let parent = (bone > 0).then(|| Id::new(u32::from(bone / 2)));
        let mut node = Node::new(format!("bone {bone}"), NodeKind::Bone, parent, [f32::from(bone), 1.0, 2.0]);
        let times: Vec<i32> = (0..=20).map(|key| key * 50).collect();
        let turn = |key: &i32| {
            let half = (*key as f32 * 0.001 + f32::from(bone)).sin() * 0.4;
            Rotation([0.0, 0.0, half.sin(), half.cos()])
        };
        let values = times.iter().map(turn).collect();
        node.rotation.track = Some(Track::linear(times.clone(), values, Rotation::IDENTITY));
        let values = times.iter().map(|key| [*key as f32 * 0.01, 0.0, 1.0]).collect();
        node.translation.track = Some(Track::linear(times, values, [0.0; 3]));
        scene.nodes.push(node);
    }
    let mut mesh = Mesh::new("mesh");
    let mut skin = Skin::default();
    for vertex in 0..VERTICES {
        let x = f32::from(vertex);
        mesh.positions.push([x * 0.01, x % 7.0, x % 13.0]);
        mesh.normals.push([0.0, 0.6, 0.8]);
        // Four influences and hardly ever the same twice: the hardest case.
        let bones = [vertex % BONES, vertex / 3 % BONES, vertex / 7 % BONES, vertex / 11 % BONES];
        let weights = [0.4, 0.3, 0.2, 0.1];
        let influences = bones.into_iter().zip(weights);
        let group = skin.push_group(
            influences.map(|(bone, weight)| Influence { node: Id::new(u32::from(bone)), weight }),
        );
        skin.vertex_groups.push(group);
    }
    mesh.skin = Some(skin);
    scene.meshes.push(mesh);
    scene
}

fn main() -> effigy_wire::Result<()> {
    let scene = scene();
    let scene = validate(scene)?;
    let sampler = Sampler::new(&scene);
    let mut pose = sampler.pose();
    let mut best = f64::MAX;
    for _ in 0..5 {
        let start = Instant::now();
        for step in 0..POSES / 5 {
            sampler.sample(&Moment::new(Id::new(0), f64::from(step % 1000)), None, &mut pose);
            sampler.skin(&mut pose);
        }
        best = best.min(start.elapsed().as_secs_f64() / f64::from(POSES / 5));
    }
    println!("{:.0} poses a second, {:.1} us each", 1.0 / best, best * 1e6);
    Ok(())
}
