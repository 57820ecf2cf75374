//! Poses: pivots, nodes that ignore their parents, billboards, groups, particles and ribbons.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use effigy_scene::sample::{Moment, Particles, Pose, Ribbons, Sampler, View};
use effigy_scene::{
    AlphaRule, Animated, Billboard, Id, Influence, KeyRule, Layer, Material, Mesh, Node, NodeKind, NodeRule,
    ParticleEmitter, Ribbon, RibbonGravity, Rotation, Scene, Sequence, Skin, Track, validate,
};

const QUARTER: f32 = std::f32::consts::FRAC_1_SQRT_2;

fn near(a: [f32; 3], b: [f32; 3]) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-4)
}

/// A root turned a quarter about Z at (1, 0, 0), scaled by 2 and moved by (0, 0, 5), and a child at (3, 0, 0).
fn scene() -> Scene {
    let mut scene = Scene { key_rule: KeyRule::Wrap, ..Scene::default() };
    scene.sequences.push(Sequence { end: 1000, looping: true, ..Sequence::default() });
    let mut root = Node::new("root", NodeKind::Bone, None, [1.0, 0.0, 0.0]);
    root.translation = Animated::fixed([0.0, 0.0, 5.0]);
    root.rotation = Animated::fixed(Rotation([0.0, 0.0, QUARTER, QUARTER]));
    root.scale = Animated::fixed([2.0; 3]);
    let root = scene.nodes.push(root);
    scene.nodes.push(Node::new("child", NodeKind::Bone, Some(root), [3.0, 0.0, 0.0]));
    scene
}

fn pose(scene: &Scene, view: Option<&View>) -> Pose {
    let scene = validate(scene.clone()).unwrap();
    let sampler = Sampler::new(&scene);
    let mut pose = sampler.pose();
    sampler.sample(&Moment::new(Id::new(0), 0.0), view, &mut pose);
    sampler.skin(&mut pose);
    pose
}

#[test]
fn children_follow_about_their_parents_pivot() {
    let pose = pose(&scene(), None);
    assert!(near(pose.point(Id::new(0), [1.0, 0.0, 0.0]), [1.0, 0.0, 5.0]));
    assert!(near(pose.point(Id::new(1), [3.0, 0.0, 0.0]), [1.0, 4.0, 5.0]));
    assert!(near(pose.point(Id::new(1), [4.0, 0.0, 0.0]), [1.0, 6.0, 5.0]));
    // Its columns: x becomes twice y, y twice -x, z twice z, and the origin is where (3, 0, 0) says.
    let columns = pose.matrix(Id::new(1));
    let expected = [[0.0, 2.0, 0.0], [-2.0, 0.0, 0.0], [0.0, 0.0, 2.0], [1.0, -2.0, 5.0]];
    for ([x, y, z, _], expected) in columns.into_iter().zip(expected) {
        assert!(near([x, y, z], expected), "{columns:?}");
    }
    assert_eq!(columns.map(|[.., w]| w), [0.0, 0.0, 0.0, 1.0]);
}

#[test]
fn a_node_inherits_only_what_it_does_not_ignore() {
    for rule in [NodeRule::Warcraft, NodeRule::World] {
        // The pivot stays where the parent carries it; only the axes change.
        for (rotation, scale, tip) in [(true, false, [3.0, 4.0, 5.0]), (false, true, [1.0, 5.0, 5.0])] {
            let mut scene = scene();
            scene.node_rule = rule;
            scene.nodes.as_mut_slice()[1].ignore.rotation = rotation;
            scene.nodes.as_mut_slice()[1].ignore.scale = scale;
            let pose = pose(&scene, None);
            assert!(near(pose.point(Id::new(1), [3.0, 0.0, 0.0]), [1.0, 4.0, 5.0]), "{rule:?}");
            assert!(near(pose.point(Id::new(1), [4.0, 0.0, 0.0]), tip), "{rule:?} {rotation} {scale}");
        }
        let mut scene = scene();
        scene.node_rule = rule;
        scene.nodes.as_mut_slice()[1].ignore =
            effigy_scene::Ignore { translation: true, rotation: true, scale: true };
        let pose = pose(&scene, None);
        assert!(near(pose.point(Id::new(1), [4.0, 0.0, 0.0]), [4.0, 0.0, 0.0]), "{rule:?}");
    }
}

#[test]
fn a_billboard_turns_its_x_axis_to_the_eye_and_keeps_its_scale() {
    let mut scene = scene();
    scene.nodes.as_mut_slice()[1].billboard = Billboard::Full;
    let view = View::look_at([1.0, 104.0, 5.0], [1.0, 4.0, 5.0]);
    let pose = pose(&scene, Some(&view));
    assert!(near(pose.point(Id::new(1), [3.0, 0.0, 0.0]), [1.0, 4.0, 5.0]));
    assert!(near(pose.point(Id::new(1), [4.0, 0.0, 0.0]), [1.0, 6.0, 5.0]));
    assert!(near(pose.point(Id::new(1), [3.0, 0.0, 1.0]), [1.0, 4.0, 7.0]));
}

#[test]
fn a_billboard_applies_its_own_rotation_after_the_turn_to_the_eye() {
    let mut scene = scene();
    let node = &mut scene.nodes.as_mut_slice()[1];
    node.billboard = Billboard::Full;
    // A square that lies in XY, tipped up by a quarter turn about Y: its Z axis looks at the eye.
    let quarter = std::f32::consts::FRAC_1_SQRT_2;
    node.rotation = effigy_scene::Animated::fixed(Rotation([0.0, quarter, 0.0, quarter]));
    let view = View::look_at([1.0, 104.0, 5.0], [1.0, 4.0, 5.0]);
    let pose = pose(&scene, Some(&view));
    assert!(near(pose.point(Id::new(1), [3.0, 0.0, 0.0]), [1.0, 4.0, 5.0]));
    assert!(near(pose.point(Id::new(1), [3.0, 0.0, 1.0]), [1.0, 6.0, 5.0]));
}

#[test]
fn a_vertex_follows_the_mean_of_its_group_and_normals_keep_unit_length() {
    let mut scene = scene();
    scene.nodes.push(Node::new("still", NodeKind::Bone, None, [0.0; 3]));
    let mut mesh = Mesh::new("mesh");
    mesh.positions = vec![[3.0, 0.0, 0.0]; 3];
    mesh.normals = vec![[1.0, 0.0, 0.0]; 3];
    let mut skin = Skin::default();
    skin.push_group([0, 2].map(|node| Influence { node: Id::new(node), weight: 0.5 }));
    skin.push_group([Influence { node: Id::new(0), weight: 1.0 }]);
    skin.push_group([]);
    skin.vertex_groups = vec![0, 1, 2];
    mesh.skin = Some(skin);
    scene.meshes.push(mesh);
    let pose = pose(&scene, None);
    let mesh = &pose.meshes()[0];
    assert!(near(mesh.positions[0], [2.0, 2.0, 2.5]));
    assert!(near(mesh.positions[1], [1.0, 4.0, 5.0]));
    assert!(near(mesh.positions[2], [3.0, 0.0, 0.0]));
    assert!(near(mesh.normals[1], [0.0, 1.0, 0.0]));
    for normal in &mesh.normals {
        assert!((normal.iter().map(|x| x * x).sum::<f32>() - 1.0).abs() < 1e-5);
    }
}

#[test]
fn what_is_attached_below_a_hidden_mesh_is_off() {
    let mut scene = scene();
    let mut mesh = Mesh::new("mesh");
    mesh.alpha = Animated::fixed(0.0);
    let mesh = scene.meshes.push(mesh);
    assert!(pose(&scene, None).is_open(Id::new(1)));
    scene.nodes.as_mut_slice()[0].gate = Some(mesh);
    assert!(!pose(&scene, None).is_open(Id::new(1)));
}

#[test]
fn each_game_skips_layers_below_an_alpha_of_its_own() {
    // 0.0039 is below 1/255 (0.003922), 0.00009 below a ten-thousandth.
    for (rule, cases) in [
        (
            AlphaRule::OneStep,
            [(0.004, true), (0.0039, false), (0.00011, false), (0.00009, false), (0.0, false)],
        ),
        (
            AlphaRule::TenThousandth,
            [(0.004, true), (0.0039, true), (0.00011, true), (0.00009, false), (0.0, false)],
        ),
        (
            AlphaRule::AboveZero,
            [(0.004, true), (0.0039, true), (0.00011, true), (0.00009, true), (0.0, false)],
        ),
    ] {
        for (alpha, drawn) in cases {
            let mut scene = scene();
            scene.alpha_rule = rule;
            let layer = Layer { alpha: Animated::fixed(2.0 * alpha), ..Layer::default() };
            let material = scene.materials.push(Material { layers: vec![layer], ..Material::default() });
            let mut mesh = Mesh::new("mesh");
            mesh.material = Some(material);
            // The mesh's alpha and the layer's are multiplied.
            mesh.alpha = Animated::fixed(0.5);
            let mesh = scene.meshes.push(mesh);
            let pose = pose(&scene, None);
            let posed = pose.mesh(mesh).unwrap();
            assert_eq!((posed.visible, posed.layers[0].visible), (drawn, drawn), "{rule:?} {alpha}");
        }
        assert!(!rule.draws(f32::NAN) && !rule.draws(-1.0), "{rule:?}");
    }
}

#[test]
fn particles_are_the_same_from_the_same_seed_and_never_more_than_the_cap() {
    let mut scene = scene();
    let mut emitter = ParticleEmitter::new("sparks", Id::new(1));
    emitter.rate = Animated::fixed(1e9);
    emitter.lifespan = Animated::fixed(1.0);
    emitter.speed = Animated::fixed(10.0);
    emitter.variation = Animated::fixed(0.5);
    emitter.latitude = Animated::fixed(0.5);
    emitter.gravity = Animated::fixed(9.0);
    let id = scene.emitters.push(emitter);
    let scene = validate(scene).unwrap();
    let sampler = Sampler::new(&scene);
    let mut pose = sampler.pose();
    let run = |seed: u64, pose: &mut Pose| {
        let mut particles = Particles::new(&sampler, seed, 50);
        for step in 0..10 {
            sampler.sample(&Moment::new(Id::new(0), f64::from(step) * 100.0), None, pose);
            particles.step(&sampler, pose, 0.1);
        }
        particles.of(id).to_vec()
    };
    let first = run(7, &mut pose);
    assert_eq!(first.len(), 50);
    assert_eq!(first, run(7, &mut pose));
    assert_ne!(first, run(8, &mut pose));
    assert!(first.iter().all(|particle| particle.age < particle.lifespan));
}

#[test]
fn a_ribbon_leaves_edges_behind_a_moving_node_and_forgets_old_ones() {
    let mut scene = scene();
    let path = Track::linear(vec![0, 1000], vec![[0.0; 3], [100.0, 0.0, 0.0]], [0.0; 3]);
    scene.nodes.as_mut_slice()[1].translation.track = Some(path);
    let ribbon = scene.ribbons.push(Ribbon {
        name: "trail".into(),
        node: Id::new(1),
        position: [3.0, 0.0, 0.0],
        above: Animated::fixed(1.0),
        below: Animated::fixed(1.0),
        alpha: Animated::fixed(1.0),
        color: Animated::fixed([1.0; 3]),
        slot: Animated::fixed(0),
        visibility: Animated::fixed(1.0),
        lifespan: 0.5,
        rate: 20.0,
        cells: [1, 1],
        material: None,
        gravity: 0.0,
        gravity_direction: RibbonGravity::Down,
        extras: effigy_scene::Extras::default(),
    });
    let scene = validate(scene).unwrap();
    let sampler = Sampler::new(&scene);
    let (mut pose, mut ribbons) = (sampler.pose(), Ribbons::new(&sampler, 100));
    for step in 0..9 {
        sampler.sample(&Moment::new(Id::new(0), f64::from(step) * 100.0), None, &mut pose);
        ribbons.step(&sampler, &pose, 0.1);
    }
    let edges: Vec<_> = ribbons.edges(ribbon).copied().collect();
    assert!((10..=12).contains(&edges.len()), "{} edges", edges.len());
    assert!(edges.iter().all(|edge| edge.age < 0.5));
    assert!(edges.is_sorted_by(|a, b| a.age <= b.age));
}
