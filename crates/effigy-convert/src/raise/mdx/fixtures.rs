//! Attachments, events, cameras, lights and collision shapes.

use super::emitters::visibility;
use super::nodes::Object;
use super::{Writer, extras, index, tracks};
use effigy_mdx::track::tags;
use effigy_mdx::{
    Attachment, Camera, Caps, CollisionShape, EventObject, EventTrack, Light, LightKind as MdxLight, Shape,
    Tracks,
};
use effigy_scene::{LightKind, ShapeKind};

impl Writer<'_> {
    pub(super) fn fixtures(&mut self) {
        self.attachments();
        self.events();
        self.cameras();
        self.lights();
        self.shapes();
    }

    fn attachments(&mut self) {
        let scene = self.scene;
        for (at, source) in scene.attachments.as_slice().iter().enumerate() {
            let Some(node) = self.nodes.objects.get(&Object::Attachment(at)).cloned() else { continue };
            let mut list = Tracks::default();
            visibility(&mut list, tags::KATV, &source.visibility);
            let made = Attachment {
                node,
                id: if self.native { source.number } else { u32::try_from(at).unwrap_or(u32::MAX) },
                path: self.text(&format!("attachments[{at}]"), &source.path),
                tracks: list,
                ..Attachment::default()
            };
            self.model.attachments.push(made);
        }
    }

    fn events(&mut self) {
        let scene = self.scene;
        for (at, source) in scene.events.as_slice().iter().enumerate() {
            let Some(node) = self.nodes.objects.get(&Object::Event(at)).cloned() else {
                self.report.dropped(
                    format!("events[{at}]"),
                    "it has no times; such an event makes Warcraft III crash",
                );
                continue;
            };
            let global_sequence = source.global.map_or(-1, |id| index(id.index()));
            let track = EventTrack { global_sequence, times: source.times.clone() };
            self.model.event_objects.push(EventObject { node, track: Some(track) });
        }
    }

    fn cameras(&mut self) {
        let scene = self.scene;
        for (at, source) in scene.cameras.as_slice().iter().enumerate() {
            let mut list = Tracks::default();
            tracks::put(&mut list, tags::KCTR, source.translation.as_ref());
            tracks::put(&mut list, tags::KCRL, source.roll.as_ref());
            tracks::put(&mut list, tags::KTTR, source.target_translation.as_ref());
            extras::tracks(&source.extras, &mut list);
            let made = Camera {
                variant: if self.caps.contains(Caps::CAMERA_VARIANT_3) { 3 } else { 0 },
                name: self.text(&format!("cameras[{at}]"), &source.name),
                position: source.position,
                field_of_view: source.fov,
                far_clip: source.far,
                near_clip: source.near,
                target: source.target,
                tracks: list,
                ..Camera::default()
            };
            self.model.cameras.push(made);
        }
    }

    fn lights(&mut self) {
        let scene = self.scene;
        for (at, source) in scene.lights.as_slice().iter().enumerate() {
            let Some(node) = self.nodes.objects.get(&Object::Light(at)).cloned() else { continue };
            let kept = extras::word(&source.extras, "kind").filter(|_| self.native);
            let kind = match source.kind {
                LightKind::Omni => MdxLight::OMNI,
                LightKind::Directional => MdxLight::DIRECTIONAL,
                LightKind::Ambient => MdxLight::AMBIENT,
            };
            let mut list = Tracks::default();
            let mut number = |tag, value| tracks::value(&mut list, tag, value);
            let attenuation_start = number(tags::KLAS, &source.attenuation_start);
            let attenuation_end = number(tags::KLAE, &source.attenuation_end);
            let intensity = number(tags::KLAI, &source.intensity);
            let ambient_intensity = number(tags::KLBI, &source.ambient_intensity);
            let color = tracks::color(&mut list, tags::KLAC, &source.color);
            let ambient_color = tracks::color(&mut list, tags::KLBC, &source.ambient_color);
            visibility(&mut list, tags::KLAV, &source.visibility);
            self.model.lights.push(Light {
                node,
                kind: kept.map_or(kind, MdxLight),
                attenuation_start,
                attenuation_end,
                color,
                intensity,
                ambient_color,
                ambient_intensity,
                tracks: list,
                ..Light::default()
            });
        }
    }

    fn shapes(&mut self) {
        let scene = self.scene;
        for (at, source) in scene.shapes.as_slice().iter().enumerate() {
            let Some(node) = self.nodes.objects.get(&Object::Shape(at)).cloned() else { continue };
            let shape = match source.kind {
                ShapeKind::Box { min, max } => Shape::Box { min, max },
                ShapeKind::Sphere { center, radius } => Shape::Sphere { center, radius },
                ShapeKind::Cylinder { base: base @ [x, y, z], height, radius } => {
                    Shape::TwoPointCylinder { points: [base, [x, y, z + height]], radius }
                }
                ShapeKind::Plane { length, width } => {
                    let text = "a plane became a flat box, since tools cannot read planes";
                    self.report.approximated(format!("shapes[{at}]"), text);
                    let (x, y) = (length / 2.0, width / 2.0);
                    Shape::Box { min: [-x, -y, 0.0], max: [x, y, 0.0] }
                }
            };
            self.model.collision_shapes.push(CollisionShape { node, shape });
        }
    }
}
