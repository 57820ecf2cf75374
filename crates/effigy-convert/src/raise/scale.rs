//! Another unit of length: everything in a scene that is a length, a speed or an acceleration.

use super::RaiseOptions;
use super::units::{self, Unit};
use effigy_scene::{Animated, Bounds, EmitterShape, Scene, ShapeKind, Track, ValidScene};

fn point(point: &mut [f32; 3], by: f32) {
    for value in point {
        *value *= by;
    }
}

fn track<T>(track: &mut Track<T>, change: impl Fn(&mut T)) {
    track.values.iter_mut().chain(track.tangents.iter_mut().flatten()).for_each(&change);
    change(&mut track.default);
}

fn animated<T>(value: &mut Animated<T>, change: impl Fn(&mut T)) {
    change(&mut value.base);
    if let Some(keys) = &mut value.track {
        track(keys, change);
    }
}

fn bounds(bounds: &mut Bounds, by: f32) {
    if !bounds.is_empty() {
        point(&mut bounds.min, by);
        point(&mut bounds.max, by);
    }
    bounds.radius *= by;
}

/// What a model is called: as in the scene, unless that name has nothing that a file could be called after, such as a damaged one.
pub(super) fn name<'a>(scene: &'a Scene, options: &'a RaiseOptions) -> &'a str {
    let is_name = scene.name.contains(|c: char| c.is_ascii_alphanumeric());
    if is_name { &scene.name } else { &options.name }
}

/// A copy of a scene for a game: in its unit of length, with key times in whole milliseconds, and with a name unless it is to stay
/// as it is. Returned with the factor of lengths.
pub(super) fn into_game(
    source: &ValidScene,
    options: &RaiseOptions,
    unit: Unit,
    keep_name: bool,
) -> (Scene, f32) {
    let mut scene: Scene = (**source).clone();
    scene.round_times();
    if !keep_name {
        scene.name = name(source, options).to_owned();
    }
    let by = units::factor(source, options, unit);
    if (by - 1.0).abs() > f32::EPSILON {
        self::scale(&mut scene, by);
    }
    (scene, by)
}

/// Multiplies every length by a factor.
pub(super) fn scale(scene: &mut Scene, by: f32) {
    let number = |value: &mut f32| *value *= by;
    let vector = |value: &mut [f32; 3]| point(value, by);
    bounds(&mut scene.bounds, by);
    for node in scene.nodes.as_mut_slice() {
        vector(&mut node.pivot);
        animated(&mut node.translation, vector);
    }
    for mesh in scene.meshes.as_mut_slice() {
        mesh.positions.iter_mut().for_each(vector);
        for frame in mesh.morph.iter_mut().flat_map(|morph| &mut morph.frames) {
            frame.positions.iter_mut().for_each(vector);
        }
        if let Some(sort) = &mut mesh.sort {
            vector(&mut sort.point);
            number(&mut sort.shift);
        }
        bounds(&mut mesh.bounds, by);
    }
    for sequence in scene.sequences.as_mut_slice() {
        sequence.move_speed *= by;
        bounds(&mut sequence.bounds, by);
    }
    scene.attachments.as_mut_slice().iter_mut().for_each(|it| vector(&mut it.position));
    scene.events.as_mut_slice().iter_mut().for_each(|it| vector(&mut it.position));
    for camera in scene.cameras.as_mut_slice() {
        vector(&mut camera.position);
        vector(&mut camera.target);
        number(&mut camera.near);
        number(&mut camera.far);
        for keys in camera.translation.iter_mut().chain(&mut camera.target_translation) {
            track(keys, vector);
        }
    }
    for light in scene.lights.as_mut_slice() {
        vector(&mut light.position);
        animated(&mut light.attenuation_start, number);
        animated(&mut light.attenuation_end, number);
    }
    for emitter in scene.emitters.as_mut_slice() {
        vector(&mut emitter.position);
        if let EmitterShape::Spline(points) = &mut emitter.shape {
            points.iter_mut().for_each(vector);
        }
        for value in [
            &mut emitter.speed,
            &mut emitter.gravity,
            &mut emitter.length,
            &mut emitter.width,
            &mut emitter.z_source,
        ] {
            animated(value, number);
        }
        emitter.over_life.sizes.iter_mut().for_each(number);
    }
    for ribbon in scene.ribbons.as_mut_slice() {
        vector(&mut ribbon.position);
        animated(&mut ribbon.above, number);
        animated(&mut ribbon.below, number);
        number(&mut ribbon.gravity);
    }
    for shape in scene.shapes.as_mut_slice() {
        match &mut shape.kind {
            ShapeKind::Box { min, max } => {
                vector(min);
                vector(max);
            }
            ShapeKind::Cylinder { base, height, radius } => {
                vector(base);
                number(height);
                number(radius);
            }
            ShapeKind::Sphere { center, radius } => {
                vector(center);
                number(radius);
            }
            ShapeKind::Plane { length, width } => {
                number(length);
                number(width);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use effigy_scene::sample::{Moment, Sampler};
    use effigy_scene::{Node, NodeKind, Rotation, Sequence, validate};

    /// A chain of two nodes that moves, turns and grows: every point is twice as far away, turned by the same angle.
    #[test]
    fn a_scaled_pose_is_the_pose_scaled() {
        let mut scene = Scene::default();
        scene.sequences.push(Sequence { start: 0, end: 1000, move_speed: 7.0, ..Sequence::default() });
        let mut root = Node::new("root", NodeKind::Bone, None, [1.0, 2.0, 3.0]);
        root.translation.track =
            Some(Track::linear(vec![0, 1000], vec![[0.0; 3], [4.0, 0.0, 0.0]], [0.0; 3]));
        root.scale = Animated::fixed([1.5; 3]);
        let root = scene.nodes.push(root);
        let mut tip = Node::new("tip", NodeKind::Bone, Some(root), [5.0, 2.0, 3.0]);
        tip.rotation = Animated::fixed(Rotation([0.0, 0.0, 0.6, 0.8]));
        let tip = scene.nodes.push(tip);
        let mut large = scene.clone();
        scale(&mut large, 2.0);
        assert_eq!(large.sequences.as_slice()[0].move_speed, 14.0);
        let pose = |scene: Scene, point: [f32; 3]| {
            let scene = validate(scene).unwrap();
            let sampler = Sampler::new(&scene);
            let mut pose = sampler.pose();
            sampler.sample(&Moment::new(effigy_scene::Id::new(0), 500.0), None, &mut pose);
            pose.point(tip, point)
        };
        let (small, large) = (pose(scene, [7.0, 8.0, 9.0]), pose(large, [14.0, 16.0, 18.0]));
        for (small, large) in small.into_iter().zip(large) {
            assert!((2.0 * small - large).abs() < 1e-4, "{small} {large}");
        }
    }

    #[test]
    fn a_damaged_name_gives_way_to_that_of_the_file() {
        let options = RaiseOptions { name: "Wolf".to_owned(), ..RaiseOptions::default() };
        for (own, expected) in
            [("\u{2}\u{fffd}_", "Wolf"), ("", "Wolf"), ("\u{2}a", "\u{2}a"), ("Dog", "Dog")]
        {
            let scene = Scene { name: own.to_owned(), ..Scene::default() };
            assert_eq!(name(&scene, &options), expected);
        }
    }

    #[test]
    fn lengths_speeds_and_accelerations_are_scaled_and_nothing_else() {
        use effigy_scene::{
            Attachment, Camera, Event, Extras, Frame, Id, Light, LightKind, Mesh, Morph, ParticleEmitter,
            Ribbon, RibbonGravity, Shape, SortPoint,
        };
        let (one, node) = ([1.0, 2.0, 3.0], Id::new(0));
        let box_of = Bounds { min: [-1.0; 3], max: [1.0; 3], radius: 2.0 };
        fn fixed<T>(value: T) -> Animated<T> {
            Animated::fixed(value)
        }
        let mut scene = Scene { bounds: box_of, ..Scene::default() };
        scene.nodes.push(Node::new("n", NodeKind::Bone, None, one));
        let mut mesh = Mesh::new("m");
        mesh.positions = vec![one];
        mesh.morph = Some(Morph {
            frames: vec![Frame { positions: vec![one], normals: vec![one] }],
            ..Morph::default()
        });
        mesh.sort = Some(SortPoint { node, point: one, shift: 5.0 });
        mesh.bounds = Bounds::EMPTY;
        scene.meshes.push(mesh);
        scene.sequences.push(Sequence { move_speed: 7.0, bounds: box_of, ..Sequence::default() });
        scene.attachments.push(Attachment {
            name: String::new(),
            number: 0,
            node,
            position: one,
            path: String::new(),
            visibility: fixed(1.0),
        });
        scene.events.push(Event {
            name: String::new(),
            data: 0,
            node,
            position: one,
            times: vec![5],
            global: None,
        });
        let keys = Track { tangents: vec![[one; 2]], ..Track::linear(vec![0], vec![one], one) };
        scene.cameras.push(Camera {
            name: String::new(),
            position: one,
            target: one,
            fov: 1.0,
            near: 2.0,
            far: 3.0,
            translation: Some(keys.clone()),
            target_translation: Some(keys),
            roll: Some(Track::linear(vec![0], vec![1.0], 1.0)),
            extras: Extras::default(),
        });
        scene.lights.push(Light {
            name: String::new(),
            kind: LightKind::Omni,
            node,
            position: one,
            attenuation_start: fixed(2.0),
            attenuation_end: fixed(3.0),
            color: fixed(one),
            intensity: fixed(4.0),
            ambient_color: fixed(one),
            ambient_intensity: fixed(5.0),
            visibility: fixed(1.0),
            extras: Extras::default(),
        });
        let mut emitter = ParticleEmitter::new("p", node);
        emitter.position = one;
        emitter.shape = EmitterShape::Spline(vec![one]);
        (emitter.speed, emitter.gravity, emitter.length) = (fixed(1.0), fixed(2.0), fixed(3.0));
        (emitter.width, emitter.z_source, emitter.rate) = (fixed(4.0), fixed(5.0), fixed(6.0));
        emitter.over_life.sizes = one;
        scene.emitters.push(emitter);
        scene.ribbons.push(Ribbon {
            name: String::new(),
            node,
            position: one,
            above: fixed(1.0),
            below: fixed(2.0),
            alpha: fixed(3.0),
            color: fixed(one),
            slot: fixed(1),
            visibility: fixed(1.0),
            lifespan: 4.0,
            rate: 5.0,
            cells: [1, 1],
            material: None,
            gravity: 6.0,
            gravity_direction: RibbonGravity::Down,
            extras: Extras::default(),
        });
        for kind in [
            ShapeKind::Box { min: [0.0; 3], max: one },
            ShapeKind::Cylinder { base: one, height: 2.0, radius: 3.0 },
            ShapeKind::Sphere { center: one, radius: 3.0 },
            ShapeKind::Plane { length: 4.0, width: 5.0 },
        ] {
            scene.shapes.push(Shape { name: String::new(), node, kind });
        }
        let before = scene.clone();
        scale(&mut scene, 2.0);
        let two = [2.0, 4.0, 6.0];
        assert_eq!(scene.bounds, Bounds { min: [-2.0; 3], max: [2.0; 3], radius: 4.0 });
        assert_eq!(scene.nodes.as_slice()[0].pivot, two);
        let mesh = &scene.meshes.as_slice()[0];
        let frame = &mesh.morph.as_ref().unwrap().frames[0];
        assert_eq!((mesh.positions[0], frame.positions[0], frame.normals[0]), (two, two, one));
        assert_eq!((mesh.sort.unwrap().point, mesh.sort.unwrap().shift), (two, 10.0));
        // An empty box has no corners to scale.
        assert_eq!(mesh.bounds, Bounds::EMPTY);
        let sequence = &scene.sequences.as_slice()[0];
        assert_eq!((sequence.move_speed, sequence.bounds.max, sequence.bounds.radius), (14.0, [2.0; 3], 4.0));
        assert_eq!(
            (scene.attachments.as_slice()[0].position, scene.events.as_slice()[0].position),
            (two, two)
        );
        let camera = &scene.cameras.as_slice()[0];
        assert_eq!(
            (camera.position, camera.target, camera.near, camera.far, camera.fov),
            (two, two, 4.0, 6.0, 1.0)
        );
        for keys in [&camera.translation, &camera.target_translation] {
            let keys = keys.as_ref().unwrap();
            assert_eq!((keys.values[0], keys.tangents[0], keys.default), (two, [two; 2], two));
        }
        assert_eq!(camera.roll, before.cameras.as_slice()[0].roll);
        let light = &scene.lights.as_slice()[0];
        assert_eq!((light.position, light.color.base, light.intensity.base), (two, one, 4.0));
        assert_eq!((light.attenuation_start.base, light.attenuation_end.base), (4.0, 6.0));
        let emitter = &scene.emitters.as_slice()[0];
        assert_eq!((emitter.position, &emitter.shape), (two, &EmitterShape::Spline(vec![two])));
        let numbers = [
            &emitter.speed,
            &emitter.gravity,
            &emitter.length,
            &emitter.width,
            &emitter.z_source,
            &emitter.rate,
        ];
        assert_eq!(numbers.map(|it| it.base), [2.0, 4.0, 6.0, 8.0, 10.0, 6.0]);
        assert_eq!(emitter.over_life.sizes, two);
        let ribbon = &scene.ribbons.as_slice()[0];
        assert_eq!(
            (ribbon.position, ribbon.above.base, ribbon.below.base, ribbon.gravity),
            (two, 2.0, 4.0, 12.0)
        );
        assert_eq!((ribbon.alpha.base, ribbon.lifespan, ribbon.rate), (3.0, 4.0, 5.0));
        let kinds: Vec<_> = scene.shapes.as_slice().iter().map(|it| it.kind).collect();
        assert_eq!(
            kinds,
            [
                ShapeKind::Box { min: [0.0; 3], max: two },
                ShapeKind::Cylinder { base: two, height: 4.0, radius: 6.0 },
                ShapeKind::Sphere { center: two, radius: 6.0 },
                ShapeKind::Plane { length: 8.0, width: 10.0 },
            ]
        );
    }
}
