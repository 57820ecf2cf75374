//! Another unit of length: everything in a scene that is a length, a speed or an acceleration.

use effigy_scene::{Animated, Bounds, EmitterShape, Scene, ShapeKind, Track};

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
}
