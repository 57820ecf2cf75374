//! Cameras and lights.

use super::Import;
use super::meshes::gamma;
use effigy_scene::sample::{Moment, Sampler};
use effigy_scene::{
    Animated, Camera, Extras, Id, Interpolation, Light, LightKind, Node, NodeKind, Rotation, Track,
};
use glam::{DVec3, Quat, Vec3};

/// How far away the target of a camera is.
const DISTANCE: f64 = 100.0;
/// Milliseconds between two positions of a moving camera.
const STEP: i32 = 33;
/// Positions of moving cameras, at most.
const MOST_POSITIONS: i32 = 100_000;

impl Import<'_> {
    pub(super) fn add_fixtures(&mut self) {
        let mut order = self.skeleton.order.clone();
        order.sort_unstable();
        let mut moving: Vec<(Id<Camera>, Id<Node>)> = Vec::new();
        for index in order {
            let Some(node) = self.document.nodes.get(index) else { continue };
            if let Some(camera) = node.camera {
                let made = self.camera(index, camera);
                let Some(made) = made else { continue };
                let id = self.scene.cameras.push(made);
                if let Some(node) = self.carrier(index).filter(|_| self.follows_motion(index)) {
                    moving.push((id, node));
                }
            }
            if let Some(light) = &node.extensions.light {
                self.light(index, light.light);
            }
        }
        self.move_cameras(&moving);
    }

    fn follows_motion(&self, index: usize) -> bool {
        let mut next = Some(index);
        while let Some(bone) = next.and_then(|it| self.skeleton.bone(it)) {
            if next.is_some_and(|it| self.channels.moves(it)) {
                return true;
            }
            next = bone.parent;
        }
        false
    }

    fn camera(&mut self, index: usize, camera: usize) -> Option<Camera> {
        let source = self.document.cameras.get(camera)?;
        let place = self.skeleton.bone(index)?.bind();
        let Some(view) = &source.perspective else {
            self.report.dropped(format!("cameras[{camera}]"), "a camera without perspective has no place");
            return None;
        };
        let aspect = view.aspect_ratio.filter(|it| it.is_finite() && *it > 0.0).unwrap_or(4.0 / 3.0);
        let name = self.document.nodes.get(index).map_or("", |it| it.name.as_str());
        let name = if source.name.is_empty() { name } else { &source.name };
        let ahead = place.matrix3 * DVec3::NEG_Z;
        let ahead = ahead.try_normalize().unwrap_or(DVec3::NEG_Z) * DISTANCE;
        let axes = self.axes;
        Some(Camera {
            name: name.to_owned(),
            position: axes.point(place.translation.as_vec3().into()),
            target: axes.point((place.translation + ahead).as_vec3().into()),
            fov: view.yfov * (1.0 + aspect * aspect).sqrt(),
            near: view.znear,
            far: view.zfar.unwrap_or(10_000.0),
            translation: None,
            target_translation: None,
            roll: None,
            extras: super::nodes::extras(&source.extras),
        })
    }

    /// Cameras have no node in the scene: where their node goes is sampled.
    fn move_cameras(&mut self, moving: &[(Id<Camera>, Id<Node>)]) {
        if moving.is_empty() {
            return;
        }
        let mut scene = effigy_scene::Scene {
            key_rule: effigy_scene::KeyRule::Hold,
            nodes: self.scene.nodes.clone(),
            sequences: self.scene.sequences.clone(),
            ..effigy_scene::Scene::default()
        };
        effigy_scene::repair(&mut scene, &mut effigy_wire::Report::default());
        let Ok(scene) = effigy_scene::validate(scene) else { return };
        let sampler = Sampler::new(&scene);
        let mut pose = sampler.pose();
        let mut left = MOST_POSITIONS;
        let empty = || Track { interpolation: Interpolation::Linear, ..Track::<[f32; 3]>::default() };
        let mut tracks: Vec<[Track<[f32; 3]>; 2]> = moving.iter().map(|_| [empty(), empty()]).collect();
        for (sequence, source) in scene.sequences.iter() {
            let firsts: Vec<usize> = tracks.iter().map(|[track, _]| track.times.len()).collect();
            let mut time = 0;
            loop {
                sampler.sample(&Moment::new(sequence, time.into()), None, &mut pose);
                for ((camera, node), [places, targets]) in moving.iter().zip(&mut tracks) {
                    let Some(camera) = self.scene.cameras.get(*camera) else { continue };
                    let shift = |point: [f32; 3]| -> [f32; 3] {
                        (Vec3::from(pose.point(*node, point)) - Vec3::from(point)).into()
                    };
                    for (track, point) in [(places, camera.position), (targets, camera.target)] {
                        track.times.push(source.start.saturating_add(time));
                        track.values.push(shift(point));
                    }
                    left -= 1;
                }
                if time >= source.length() || left <= 0 {
                    break;
                }
                time = time.saturating_add(STEP).min(source.length());
            }
            for ([places, targets], first) in tracks.iter_mut().zip(firsts) {
                let last = u32::try_from(places.times.len().saturating_sub(1)).unwrap_or(u32::MAX);
                let window = [u32::try_from(first).unwrap_or(u32::MAX).min(last), last];
                places.windows.push(window);
                targets.windows.push(window);
            }
        }
        for ((camera, _), [places, targets]) in moving.iter().zip(tracks) {
            if let Some(camera) = self.scene.cameras.get_mut(*camera) {
                camera.translation = Some(places);
                camera.target_translation = Some(targets);
            }
        }
        self.report
            .approximated("cameras", "the motion of cameras was sampled 30 times a second, without roll");
    }

    fn light(&mut self, index: usize, light: usize) {
        let lights = self.document.extensions.lights.as_ref();
        let Some(source) = lights.and_then(|it| it.lights.get(light)) else { return };
        let (Some(parent), Some(bone)) = (self.carrier(index), self.skeleton.bone(index)) else { return };
        let bind = bone.bind();
        let axes = self.axes;
        let position = axes.point(bind.translation.as_vec3().into());
        let name = self.document.nodes.get(index).map_or("", |it| it.name.as_str());
        let name = if source.name.is_empty() { name } else { &source.name };
        let kind = if source.kind == "directional" { LightKind::Directional } else { LightKind::Omni };
        if source.kind == "spot" {
            self.report.approximated(format!("lights[{light}]"), "a spot light shines in all directions");
        }
        let mut node = parent;
        if kind == LightKind::Directional {
            // It shines along -Z of a node of its own, which turns there what shines along -Z in the file.
            let ahead = (bind.matrix3 * DVec3::NEG_Z).try_normalize().unwrap_or(DVec3::NEG_Z);
            let ahead = Vec3::from(axes.point(ahead.as_vec3().into()));
            let turn = Quat::from_rotation_arc(Vec3::NEG_Z, ahead.try_normalize().unwrap_or(Vec3::NEG_Z));
            let mut made = Node::new(name, NodeKind::Light, Some(parent), position);
            made.rotation = Animated::fixed(Rotation(turn.to_array()));
            node = self.scene.nodes.push(made);
        }
        let sound = |value: Option<f32>, other: f32| value.filter(|it| it.is_finite()).unwrap_or(other);
        let end = sound(source.range, 10_000.0);
        self.scene.lights.push(Light {
            name: name.to_owned(),
            kind,
            node,
            position,
            attenuation_start: Animated::fixed(0.0),
            attenuation_end: Animated::fixed(end),
            color: Animated::fixed(source.color.unwrap_or([1.0; 3]).map(gamma)),
            intensity: Animated::fixed(sound(source.intensity, 1.0)),
            ambient_color: Animated::fixed([1.0; 3]),
            ambient_intensity: Animated::fixed(0.0),
            visibility: Animated::fixed(1.0),
            extras: Extras::default(),
        });
        self.report.approximated("lights", "their intensity is in the file's unit, not in the game's");
    }
}
