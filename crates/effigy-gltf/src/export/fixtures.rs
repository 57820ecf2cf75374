//! Lights, cameras, and objects that are kept in extras.

use super::{Builder, ROOT, describe};
use crate::json::{self, Json, Object};
use effigy_scene::coordinates::{rotation_to_y_up, to_y_up};
use effigy_scene::sample::CameraPose;
use effigy_scene::{Id, LightKind, Node, NodeKind, Rotation};
use glam::{Mat3, Quat, Vec3};

/// The aspect ratio that cameras are made for.
const ASPECT: f32 = 4.0 / 3.0;
/// glTF has no unit for the games' lights; their intensity is written in the games' own unit.
const LEAST_RANGE: f32 = 0.001;

/// The far plane of a camera that has none, in multiples of its near plane.
const FAR: f32 = 1000.0;

impl Builder<'_> {
    pub(super) fn add_fixtures(&mut self) {
        let scene = self.scene;
        for item in scene.attachments.as_slice() {
            let child =
                self.aside(item.node, item.position, "attachment", &item.name, describe::attachment(item));
            let is_bone = scene.nodes.get(item.node).is_some_and(|it| it.kind == NodeKind::Attachment);
            // Points on bones of other kinds have a node of their own.
            if let Some(child) = child.filter(|_| {
                self.options.attachment_bones && !is_bone && self.skin.contains(self.node(item.node))
            }) {
                self.skin.place(child, item.position);
            }
        }
        for item in scene.events.as_slice() {
            self.aside(item.node, item.position, "event", &item.name, describe::event(item));
        }
        for item in scene.emitters.as_slice() {
            self.aside(
                item.node,
                item.position,
                "particleEmitter",
                &item.name,
                describe::emitter(item, scene),
            );
        }
        for item in scene.ribbons.as_slice() {
            self.aside(item.node, item.position, "ribbon", &item.name, describe::ribbon(item));
        }
        for item in scene.effects.as_slice() {
            let at = scene.nodes.get(item.node).map_or([0.0; 3], |node| node.pivot);
            self.aside(item.node, at, "effect", &item.name, describe::effect(item));
        }
        for item in scene.shapes.as_slice() {
            let at = scene.nodes.get(item.node).map_or([0.0; 3], |node| node.pivot);
            self.aside(item.node, at, "collisionShape", &item.name, describe::shape(item));
        }
        self.add_lights();
        self.add_cameras();
        for (count, what) in [
            (scene.attachments.len(), "attachments"),
            (scene.events.len(), "events"),
            (scene.emitters.len(), "particle emitters"),
            (scene.ribbons.len(), "ribbons"),
            (scene.effects.len(), "effects"),
            (scene.shapes.len(), "collision shapes"),
        ] {
            if count > 0 {
                self.report.add(
                    effigy_wire::Outcome::KeptAside,
                    what,
                    format!("{count}, in the extras of nodes"),
                );
            }
        }
        let turning =
            scene.nodes.as_slice().iter().filter(|it| it.billboard != effigy_scene::Billboard::None).count();
        if turning > 0 {
            self.report.add(
                effigy_wire::Outcome::KeptAside,
                "billboards",
                format!("{turning} nodes do not turn to the camera; their extras say how they should"),
            );
        }
    }

    /// Puts parameters on the node itself, or on an added child of a joint, which is returned: bones lose extras in Blender.
    fn aside(
        &mut self,
        node: Id<Node>,
        position: [f32; 3],
        kind: &'static str,
        name: &str,
        mut extras: Object,
    ) -> Option<usize> {
        extras.set("index", self.asides);
        self.asides += 1;
        let pivot = self.pivot(node);
        let index = self.node(node);
        let free = self.nodes.get(index).is_some_and(|it| !it.extras.0.iter().any(|(key, _)| key == kind));
        if position == pivot && free && !self.skin.contains(index) {
            if let Some(node) = self.nodes.get_mut(index) {
                node.extras.set(kind, extras);
            }
            None
        } else {
            extras.set("position", position);
            Some(self.child(node, position, name, Object::default().with(kind, extras)))
        }
    }

    fn add_lights(&mut self) {
        for light in self.scene.lights.as_slice() {
            let mut extras = describe::light(light);
            extras.set("index", self.asides);
            extras.set("position", light.position);
            self.asides += 1;
            let extras = Object::default().with("light", extras);
            let node = self.child(light.node, light.position, &light.name, extras);
            let rest = |value: &effigy_scene::Animated<f32>| self.sampler.value(value, &self.rest);
            if self.options.draft || light.kind == LightKind::Ambient {
                self.lights_at.push(None);
                continue;
            }
            let color = self.sampler.value(&light.color, &self.rest);
            let on = rest(&light.visibility) > 0.0;
            let kind = if light.kind == LightKind::Directional { "directional" } else { "point" };
            let mut object = Object::default()
                .with("name", light.name.as_str())
                .with("type", kind)
                .with("color", color.map(super::materials::linear))
                .with("intensity", if on { rest(&light.intensity).max(0.0) } else { 0.0 });
            let end = rest(&light.attenuation_end) * self.options.scale;
            if light.kind == LightKind::Omni && end > LEAST_RANGE {
                object.set("range", end);
            }
            self.lights.push(object);
            let place = self.lights.len() - 1;
            self.lights_at.push(Some(place));
            self.extension("KHR_lights_punctual");
            if let Some(node) = self.nodes.get_mut(node) {
                node.extensions.set("KHR_lights_punctual", Object::default().with("light", place));
                // The games' lights shine along -Z, which is -Y here; glTF's along -Z.
                node.rotation = Some(Quat::from_rotation_x(-std::f32::consts::FRAC_PI_2).to_array());
            }
        }
    }

    fn add_cameras(&mut self) {
        for camera in self.scene.cameras.as_slice() {
            let pose = self.sampler.camera(camera, &self.rest);
            let near = if camera.near > 0.0 { camera.near } else { 1.0 } * self.options.scale;
            // Without a far plane assimp takes 100 for it and refuses cameras whose near plane is beyond.
            let far = camera.far * self.options.scale;
            let far = if far > near { far } else { near * FAR };
            let perspective = Object::default()
                .with("aspectRatio", ASPECT)
                .with("yfov", pose.vertical_fov(ASPECT).clamp(0.01, 3.1))
                .with("znear", near)
                .with("zfar", far);
            let name = self.unique("camera", &camera.name, "Camera");
            self.cameras.push(
                Object::default()
                    .with("name", name.clone())
                    .with("type", "perspective")
                    .with("perspective", perspective),
            );
            let (translation, rotation) = camera_parts(&pose);
            let name = self.unique("node", &name, "Camera");
            let node = json::Node {
                name,
                translation: Some(translation),
                rotation: Some(rotation),
                camera: Some(self.cameras.len() - 1),
                extras: Object::default().with("camera", describe::camera(camera)),
                ..json::Node::default()
            };
            let place = self.add_node(ROOT, node);
            self.cameras_at.push(place);
        }
    }

    /// The lights of the document, for its root.
    pub(super) fn light_extension(&mut self) -> Option<Object> {
        if self.lights.is_empty() {
            return None;
        }
        let lights: Vec<Json> = std::mem::take(&mut self.lights).into_iter().map(Json::from).collect();
        Some(Object::default().with("lights", lights))
    }
}

/// Position and rotation of a camera: it looks along -Z with Y up.
pub(super) fn camera_parts(pose: &CameraPose) -> ([f32; 3], [f32; 4]) {
    let view = pose.view();
    let basis = Mat3::from_cols(
        Vec3::from(to_y_up(view.right)),
        Vec3::from(to_y_up(view.up)),
        Vec3::from(to_y_up(view.back)),
    );
    (super::nodes::no_negative_zero(to_y_up(pose.position)), Quat::from_mat3(&basis).normalize().to_array())
}

/// A rotation of the scene as four numbers of glTF.
pub(super) fn rotation_parts(rotation: Rotation) -> [f32; 4] {
    rotation_to_y_up(rotation).0
}
