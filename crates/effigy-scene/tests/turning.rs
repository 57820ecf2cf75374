//! Nodes that ignore their parents, turn to the camera or keep to it, against positions computed by hand.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use effigy_scene::sample::{Moment, Pose, Sampler, View};
use effigy_scene::{Animated, Billboard, Id, Ignore, Node, NodeKind, NodeRule, Rotation, Scene, validate};

const QUARTER: f32 = std::f32::consts::FRAC_1_SQRT_2;

fn pose(scene: &Scene, view: Option<&View>) -> Pose {
    let scene = validate(scene.clone()).unwrap();
    let sampler = Sampler::new(&scene);
    let mut pose = sampler.pose();
    sampler.sample(&Moment::default(), view, &mut pose);
    pose
}

#[track_caller]
fn assert_at(pose: &Pose, node: u32, point: [f32; 3], expected: [f32; 3]) {
    let found = pose.point(Id::new(node), point);
    let near = found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-4);
    assert!(near, "{point:?} is at {found:?}, not {expected:?}");
}

#[test]
fn a_node_that_ignores_its_parents_translation_uses_the_rest_about_the_origin() {
    // The parent turns by a quarter about Z, doubles, and moves up by 5. The child at (3, 0, 0) moves by (1, 0, 0): in the
    // axes that are left, (4, 0, 0) is where its pivot goes.
    for rule in [NodeRule::Warcraft, NodeRule::World] {
        for (rotation, scale, pivot, tip) in [
            (false, false, [0.0, 8.0, 0.0], [0.0, 10.0, 0.0]),
            (true, false, [8.0, 0.0, 0.0], [10.0, 0.0, 0.0]),
            (false, true, [0.0, 4.0, 0.0], [0.0, 5.0, 0.0]),
            (true, true, [4.0, 0.0, 0.0], [5.0, 0.0, 0.0]),
        ] {
            let mut scene = Scene { node_rule: rule, ..Scene::default() };
            let mut parent = Node::new("parent", NodeKind::Bone, None, [1.0, 0.0, 0.0]);
            parent.translation = Animated::fixed([0.0, 0.0, 5.0]);
            parent.rotation = Animated::fixed(Rotation([0.0, 0.0, QUARTER, QUARTER]));
            parent.scale = Animated::fixed([2.0; 3]);
            let parent = scene.nodes.push(parent);
            let mut child = Node::new("child", NodeKind::Bone, Some(parent), [3.0, 0.0, 0.0]);
            child.translation = Animated::fixed([1.0, 0.0, 0.0]);
            child.ignore = Ignore { translation: true, rotation, scale };
            scene.nodes.push(child);
            let pose = pose(&scene, None);
            assert_at(&pose, 1, [3.0, 0.0, 0.0], pivot);
            assert_at(&pose, 1, [4.0, 0.0, 0.0], tip);
        }
    }
}

/// One node at (0, 0, 1) with the scale 2, 3, 4 along its axes.
fn board(rule: NodeRule, billboard: Billboard) -> Scene {
    let mut scene = Scene { node_rule: rule, ..Scene::default() };
    let mut node = Node::new("node", NodeKind::Bone, None, [0.0, 0.0, 1.0]);
    node.billboard = billboard;
    node.scale = Animated::fixed([2.0, 3.0, 4.0]);
    scene.nodes.push(node);
    scene
}

#[track_caller]
fn assert_axes(pose: &Pose, [x, y, z]: [[f32; 3]; 3]) {
    let from_pivot = |[a, b, c]: [f32; 3]| [a, b, c + 1.0];
    assert_at(pose, 0, [0.0, 0.0, 1.0], [0.0, 0.0, 1.0]);
    assert_at(pose, 0, [1.0, 0.0, 1.0], from_pivot(x));
    assert_at(pose, 0, [0.0, 1.0, 1.0], from_pivot(y));
    assert_at(pose, 0, [0.0, 0.0, 2.0], from_pivot(z));
}

#[test]
fn a_locked_axis_stays_and_the_others_turn_to_the_viewer() {
    // The eye is above, and off the middle along the locked axis, which must not matter.
    let above = |x: f32, y: f32| View::look_at([x, y, 11.0], [0.0, 0.0, 1.0]);
    let lock_x = pose(&board(NodeRule::Warcraft, Billboard::LockX), Some(&above(3.0, 0.0)));
    // Y points to the eye. A quarter turn about X would bring Z to -Y; the game mirrors it, as other viewers found too.
    assert_axes(&lock_x, [[2.0, 0.0, 0.0], [0.0, 0.0, 3.0], [0.0, 4.0, 0.0]]);
    let lock_y = pose(&board(NodeRule::Warcraft, Billboard::LockY), Some(&above(0.0, 3.0)));
    assert_axes(&lock_y, [[0.0, 0.0, 2.0], [0.0, 3.0, 0.0], [-4.0, 0.0, 0.0]]);
    // The eye is to the left (+Y) and higher: Z stays, X points to the left.
    let left = View::look_at([0.0, 10.0, 6.0], [0.0, 0.0, 1.0]);
    for rule in [NodeRule::Warcraft, NodeRule::World] {
        let lock_z = pose(&board(rule, Billboard::LockZ), Some(&left));
        assert_axes(&lock_z, [[0.0, 2.0, 0.0], [-3.0, 0.0, 0.0], [0.0, 0.0, 4.0]]);
    }
}

#[test]
fn a_full_billboard_points_its_x_axis_to_the_viewer() {
    // The eye is at (0, 6, 8) from the node: X goes to (0, 0.6, 0.8), Y to -X, Z to (0, -0.8, 0.6).
    let view = View::look_at([0.0, 6.0, 9.0], [0.0, 0.0, 1.0]);
    for rule in [NodeRule::Warcraft, NodeRule::World] {
        let full = pose(&board(rule, Billboard::Full), Some(&view));
        assert_axes(&full, [[0.0, 1.2, 1.6], [-3.0, 0.0, 0.0], [0.0, -3.2, 2.4]]);
        // Without a view nothing turns.
        let still = pose(&board(rule, Billboard::Full), None);
        assert_axes(&still, [[2.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 4.0]]);
    }
}

#[test]
fn a_billboard_beside_the_camera_is_parallel_to_the_screen() {
    // The camera looks along -X from far to the right of the node, whose line to the eye would be (0.6, -0.8, 0).
    let view = View::look_at([6.0, -8.0, 1.0], [0.0, -8.0, 1.0]);
    for rule in [NodeRule::Warcraft, NodeRule::World] {
        for kind in [Billboard::Full, Billboard::LockZ] {
            let beside = pose(&board(rule, kind), Some(&view));
            assert_axes(&beside, [[2.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 4.0]]);
        }
    }
}

#[test]
fn an_anchored_node_keeps_its_distance_from_its_parent_toward_the_eye() {
    // The parent's pivot goes to (1, 0, 5). The child is (3, 4, 0) away from it: 5 units toward the eye, which is above.
    let mut scene = Scene::default();
    let mut parent = Node::new("parent", NodeKind::Bone, None, [1.0, 0.0, 0.0]);
    parent.translation = Animated::fixed([0.0, 0.0, 5.0]);
    parent.rotation = Animated::fixed(Rotation([0.0, 0.0, QUARTER, QUARTER]));
    let parent = scene.nodes.push(parent);
    let mut child = Node::new("child", NodeKind::Bone, Some(parent), [4.0, 4.0, 0.0]);
    child.camera_anchored = true;
    scene.nodes.push(child);
    let view = View::look_at([1.0, 0.0, 105.0], [1.0, 0.0, 5.0]);
    let pose = pose(&scene, Some(&view));
    assert_at(&pose, 1, [4.0, 4.0, 0.0], [1.0, 0.0, 10.0]);
    assert_at(&pose, 1, [5.0, 4.0, 0.0], [2.0, 0.0, 10.0]);
}
