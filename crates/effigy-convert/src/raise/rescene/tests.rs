use super::*;
use crate::raise::reduce::Tolerance;
use crate::raise::retime::tests::{clip, retiming, scene};
use effigy_scene::{
    Attachment, Camera, Event, Extras, Id, Light, LightKind, Node, NodeKind, ParticleEmitter, Track,
    TurnRule, validate,
};

/// Two sequences of a second, at 0 and at 5000, and a bone.
fn with_bone() -> Scene {
    let mut scene = scene(KeyRule::Hold, TurnRule::Slerp).into_scene();
    scene.nodes.push(Node::new("bone", NodeKind::Bone, None, [0.0; 3]));
    scene
}

/// The first sequence, a pose of it that is held, and the second one.
fn clips() -> [Clip; 3] {
    [clip(0, 333, 1333, None), clip(0, 1666, 2666, Some(500)), clip(1, 3000, 4000, None)]
}

fn retimed(scene: Scene, clips: &[Clip]) -> Scene {
    let scene = validate(scene).unwrap();
    let mut retiming = retiming(&scene, clips);
    retime(&scene, &mut retiming)
}

fn keys<T: Clone>(animated: &Animated<T>) -> Option<(Vec<i32>, Vec<T>)> {
    animated.track.as_ref().map(|track| (track.times.clone(), track.values.clone()))
}

/// At both ends of each of the three clips.
const ENDS: [i32; 6] = [333, 1333, 1666, 2666, 3000, 4000];

#[test]
fn what_emits_is_off_in_held_poses() {
    let mut source = with_bone();
    let global = Track { global: Some(Id::new(0)), ..Track::linear(vec![0, 400], vec![1.0, 0.0], 1.0) };
    let local = Track::linear(vec![0, 500], vec![1.0, 0.0], 1.0);
    let all = [
        Animated::fixed(1.0),
        Animated::fixed(0.0),
        Animated { base: 1.0, track: Some(local) },
        Animated { base: 1.0, track: Some(global) },
    ];
    for visibility in all {
        let mut emitter = ParticleEmitter::new("p", Id::new(0));
        emitter.visibility = visibility.clone();
        source.emitters.push(emitter);
        source.attachments.push(Attachment {
            name: String::new(),
            number: 0,
            node: Id::new(0),
            position: [0.0; 3],
            path: String::new(),
            visibility,
        });
    }
    let made = retimed(source.clone(), &clips());
    let found: Vec<_> = made.emitters.as_slice().iter().map(|it| keys(&it.visibility)).collect();
    let local = vec![333, 833, 1333, 1666, 2666, 3000, 4000];
    let global = (vec![0, 400, 800], vec![1.0, 0.0, 0.0]);
    assert_eq!(
        found,
        [
            Some((ENDS.to_vec(), vec![1.0, 1.0, 0.0, 0.0, 1.0, 1.0])),
            Some((ENDS.to_vec(), vec![0.0; 6])),
            Some((local.clone(), vec![1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])),
            Some(global.clone()),
        ]
    );
    let steps = made.emitters.as_slice().iter().filter_map(|it| it.visibility.track.as_ref());
    assert!(steps.into_iter().all(|track| track.interpolation == Interpolation::Step));
    // An attachment shows its model there too; at 500 the key itself holds.
    let found: Vec<_> = made.attachments.as_slice().iter().map(|it| keys(&it.visibility)).collect();
    assert_eq!(
        found,
        [
            None,
            Some((ENDS.to_vec(), vec![0.0; 6])),
            Some((local, vec![1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])),
            Some(global)
        ]
    );
    // Without a held pose nothing has to be said.
    let made = retimed(source, &clips()[..1]);
    assert_eq!(keys(&made.emitters.as_slice()[0].visibility), None);
    assert_eq!(keys(&made.emitters.as_slice()[1].visibility), Some((vec![333, 1333], vec![0.0; 2])));
}

#[test]
fn nodes_that_rest_have_no_track_and_others_one_in_every_clip() {
    let still = || Some(Track::linear(vec![0, 1000], vec![[0.0; 3]; 2], [0.0; 3]));
    let mut source = with_bone();
    let node = &mut source.nodes.as_mut_slice()[0];
    node.translation.track = still();
    node.scale = Animated::fixed([2.0; 3]);
    node.rotation = Animated::fixed(Rotation([0.0, 0.0, 1.0, 0.0]));
    source.nodes.push(Node::new("rest", NodeKind::Bone, None, [0.0; 3]));
    let source = validate(source).unwrap();
    let clips = clips();
    let same = Tolerance { length: 1e-7, ratio: 1e-7, angle: 1e-6 };
    for (nodes, left) in [(Some(same), None), (None, Some((ENDS.to_vec(), vec![[0.0; 3]; 6])))] {
        let mut retiming = retiming(&source, &clips);
        retiming.nodes = nodes;
        let made = retime(&source, &mut retiming);
        let [moved, rest] = made.nodes.as_slice() else { panic!("two nodes") };
        assert_eq!(keys(&moved.translation), left);
        assert_eq!(retiming.keys, [2, if nodes.is_some() { 0 } else { 6 }]);
        assert_eq!(retiming.coarse, None);
        assert_eq!(keys(&moved.scale), Some((ENDS.to_vec(), vec![[2.0; 3]; 6])));
        assert_eq!(keys(&moved.rotation), Some((ENDS.to_vec(), vec![Rotation([0.0, 0.0, 1.0, 0.0]); 6])));
        assert!(
            rest.translation.track.is_none() && rest.rotation.track.is_none() && rest.scale.track.is_none()
        );
    }
}

#[test]
fn events_happen_in_every_clip_that_plays_them() {
    let event = |times: Vec<i32>, global: Option<u32>| Event {
        name: "e".to_owned(),
        data: 0,
        node: Id::new(0),
        position: [0.0; 3],
        times,
        global: global.map(Id::new),
    };
    let mut source = with_bone();
    source.events.push(event(vec![0, 500, 500, 1000, 1001, 4999, 5000, 6000], None));
    source.events.push(event(vec![100, 700], Some(0)));
    let mut clips = clips();
    (clips[0].rarity, clips[0].name, clips[0].move_speed) = (2.5, "Stand".to_owned(), 7.0);
    clips[2].looping = false;
    let made = retimed(source, &clips);
    assert_eq!(made.events.as_slice()[0].times, [333, 833, 1333, 3000, 4000]);
    assert_eq!(made.events.as_slice()[1].times, [100, 700]);
    let mut first = Sequence {
        name: "Stand".to_owned(),
        start: 333,
        end: 1333,
        looping: true,
        move_speed: 7.0,
        ..Sequence::default()
    };
    first.extras.set("rarity", 2.5_f32);
    let second = Sequence { start: 1666, end: 2666, looping: true, ..Sequence::default() };
    let third = Sequence { start: 3000, end: 4000, ..Sequence::default() };
    assert_eq!(made.sequences.as_slice(), [first, second, third]);
    assert_eq!((made.key_rule, made.turn_rule), (KeyRule::Wrap, TurnRule::Slerp));
}

#[test]
fn values_of_lights_and_curves_of_cameras_follow() {
    let line =
        |last: f32| Animated { base: 9.0, track: Some(Track::linear(vec![0, 1000], vec![0.0, last], 0.0)) };
    let mut source = with_bone();
    source.lights.push(Light {
        name: String::new(),
        kind: LightKind::Omni,
        node: Id::new(0),
        position: [0.0; 3],
        attenuation_start: line(1.0),
        attenuation_end: line(2.0),
        color: Animated::fixed([1.0; 3]),
        intensity: line(3.0),
        ambient_color: Animated::fixed([1.0; 3]),
        ambient_intensity: line(4.0),
        visibility: Animated::fixed(1.0),
        extras: Extras::default(),
    });
    let spline = Track {
        interpolation: Interpolation::Hermite,
        tangents: vec![[[0.0; 3], [8.0; 3]], [[0.0; 3]; 2]],
        ..Track::linear(vec![0, 1000], vec![[1.0; 3], [5.0; 3]], [0.0; 3])
    };
    source.cameras.push(Camera {
        name: String::new(),
        position: [0.0; 3],
        target: [0.0; 3],
        fov: 1.0,
        near: 1.0,
        far: 2.0,
        translation: Some(spline.clone()),
        target_translation: Some(spline),
        roll: Some(Track::linear(vec![0, 1000], vec![1.0, 2.0], 0.0)),
        extras: Extras::default(),
    });
    let source = validate(source).unwrap();
    let clips = [clip(0, 333, 1333, None)];
    let mut retiming = retiming(&source, &clips);
    // Only cameras have cubic curves in this game.
    retiming.splines = false;
    let made = retime(&source, &mut retiming);
    let light = &made.lights.as_slice()[0];
    let all = [&light.attenuation_start, &light.attenuation_end, &light.intensity, &light.ambient_intensity];
    for (found, last) in all.into_iter().zip([1.0, 2.0, 3.0, 4.0]) {
        assert_eq!((keys(found), found.base), (Some((vec![333, 1333], vec![0.0, last])), 9.0));
    }
    let camera = &made.cameras.as_slice()[0];
    for track in [&camera.translation, &camera.target_translation] {
        let track = track.as_ref().unwrap();
        assert_eq!((track.interpolation, &track.times[..]), (Interpolation::Hermite, &[333, 1333][..]));
    }
    assert_eq!(camera.roll.as_ref().unwrap().times, [333, 1333]);
}
