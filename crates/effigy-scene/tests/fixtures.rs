//! Cameras, lights and nodes that ignore their parents, against answers computed by hand.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use effigy_scene::sample::{CameraPose, Moment, Sampler};
use effigy_scene::{
    Animated, Camera, Extras, Id, Light, LightKind, Mesh, Node, NodeKind, Rotation, Scene, Sequence, Track,
    validate,
};

#[track_caller]
fn assert_near<const N: usize>(a: [f32; N], b: [f32; N]) {
    assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-5), "{a:?} is not {b:?}");
}

fn scene() -> Scene {
    let mut scene = Scene::default();
    scene.sequences.push(Sequence { end: 1000, ..Sequence::default() });
    scene.nodes.push(Node::new("node", NodeKind::Light, None, [0.0; 3]));
    scene
}

fn track<T: Copy>(a: T, b: T, default: T) -> Track<T> {
    Track::linear(vec![0, 1000], vec![a, b], default)
}

#[test]
fn a_camera_moves_aims_and_rolls_by_its_own_tracks() {
    let mut camera = Camera {
        name: "camera".into(),
        position: [10.0, 20.0, 30.0],
        target: [1.0, 2.0, 3.0],
        fov: 0.7,
        near: 1.0,
        far: 1000.0,
        translation: None,
        target_translation: None,
        roll: None,
        extras: Extras::default(),
    };
    let scene = validate(scene()).unwrap();
    let sampler = Sampler::new(&scene);
    let moment = Moment::new(Id::new(0), 250.0);
    let rest = CameraPose { position: [10.0, 20.0, 30.0], target: [1.0, 2.0, 3.0], roll: 0.0, fov: 0.7 };
    assert_eq!(sampler.camera(&camera, &moment), rest);
    camera.translation = Some(track([0.0; 3], [4.0, 8.0, -4.0], [0.0; 3]));
    camera.target_translation = Some(track([0.0; 3], [-8.0, 0.0, 12.0], [0.0; 3]));
    camera.roll = Some(track(0.0, 2.0, 0.0));
    let moved = sampler.camera(&camera, &moment);
    assert_near(moved.position, [11.0, 22.0, 29.0]);
    assert_near(moved.target, [-1.0, 2.0, 6.0]);
    assert_near([moved.roll, moved.fov], [0.5, 0.7]);
    // Cameras that state no field of view have 45 degrees.
    for fov in [0.0, -1.0] {
        camera.fov = fov;
        assert_near([sampler.camera(&camera, &moment).fov], [45.0_f32.to_radians()]);
    }
}

#[test]
fn the_vertical_field_of_view_follows_from_the_diagonal_one() {
    let camera = CameraPose { position: [5.0, 0.0, 0.0], target: [0.0; 3], roll: 0.0, fov: 1.0 };
    // In a picture of 4 x 3 the height is 3/5 of the diagonal; in 3 x 4 it is 4/5.
    assert_near([camera.vertical_fov(4.0 / 3.0), camera.vertical_fov(0.75)], [0.6, 0.8]);
    // From +X: right is +Y, up is +Z; rolled by a quarter turn about the axis toward the viewer Y goes to Z, Z to -Y.
    let view = camera.view();
    assert_near(view.right, [0.0, 1.0, 0.0]);
    assert_near(view.up, [0.0, 0.0, 1.0]);
    assert_near(view.back, [1.0, 0.0, 0.0]);
    let rolled = CameraPose { roll: std::f32::consts::FRAC_PI_2, ..camera }.view();
    assert_near(rolled.right, [0.0, 0.0, 1.0]);
    assert_near(rolled.up, [0.0, -1.0, 0.0]);
    assert_eq!((rolled.eye, rolled.back), ([5.0, 0.0, 0.0], [1.0, 0.0, 0.0]));
}

#[test]
fn a_light_follows_its_node_and_each_of_its_tracks() {
    let light = Light {
        name: "light".into(),
        kind: LightKind::Directional,
        node: Id::new(0),
        position: [1.0, 2.0, 3.0],
        attenuation_start: Animated { base: 0.0, track: Some(track(10.0, 14.0, 0.0)) },
        attenuation_end: Animated { base: 0.0, track: Some(track(20.0, 28.0, 0.0)) },
        color: Animated { base: [0.0; 3], track: Some(track([0.0; 3], [1.0, 0.8, 0.4], [0.0; 3])) },
        intensity: Animated { base: 0.0, track: Some(track(1.0, 5.0, 0.0)) },
        ambient_color: Animated { base: [0.0; 3], track: Some(track([1.0; 3], [0.0, 0.2, 0.6], [0.0; 3])) },
        ambient_intensity: Animated { base: 0.0, track: Some(track(3.0, 7.0, 0.0)) },
        visibility: Animated::fixed(1.0),
        extras: Extras::default(),
    };
    let mut scene = scene();
    // A half turn about X: (1, 2, 3) goes to (1, -2, -3), and -Z points up.
    scene.nodes.as_mut_slice()[0].rotation = Animated::fixed(Rotation([1.0, 0.0, 0.0, 0.0]));
    scene.nodes.as_mut_slice()[0].translation = Animated::fixed([0.0, 0.0, 10.0]);
    let mut mesh = Mesh::new("mesh");
    mesh.alpha = Animated { base: 1.0, track: Some(track(1.0, 0.0, 1.0)) };
    let mesh = scene.meshes.push(mesh);
    scene.nodes.as_mut_slice()[0].gate = Some(mesh);
    let scene = validate(scene).unwrap();
    let sampler = Sampler::new(&scene);
    let mut pose = sampler.pose();
    sampler.sample(&Moment::new(Id::new(0), 250.0), None, &mut pose);
    let shown = sampler.light(&light, &pose);
    assert!(shown.on);
    assert_near(shown.position, [1.0, -2.0, 7.0]);
    assert_near(shown.direction, [0.0, 0.0, 1.0]);
    assert_near(shown.color, [0.25, 0.2, 0.1]);
    assert_near(shown.ambient_color, [0.75, 0.8, 0.9]);
    assert_near([shown.intensity, shown.ambient_intensity], [2.0, 4.0]);
    assert_near(shown.attenuation, [11.0, 22.0]);
    // Strengths are never negative; off when hidden, and off while the mesh that gates its node has no alpha.
    let mut dark = light.clone();
    (dark.intensity, dark.ambient_intensity) = (Animated::fixed(-3.0), Animated::fixed(-4.0));
    dark.visibility = Animated::fixed(0.0);
    let dark = sampler.light(&dark, &pose);
    assert_eq!((dark.on, dark.intensity, dark.ambient_intensity), (false, 0.0, 0.0));
    sampler.sample(&Moment::new(Id::new(0), 1000.0), None, &mut pose);
    assert!(!sampler.light(&light, &pose).on);
}
