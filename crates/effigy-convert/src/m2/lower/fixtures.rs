//! Attachment points, events, lights, cameras and the collision mesh.

use super::Lowering;
use effigy_scene::{Attachment, Camera, Event, Extras, Id, Light, LightKind};

impl Lowering<'_> {
    pub(super) fn fixtures(&mut self) {
        let model = self.model;
        for source in &*model.attachments {
            let name = effigy_m2::names::attachment(source.id)
                .map_or_else(|| format!("Attachment {}", source.id), str::to_owned);
            let node = self.bone(Some(u32::from(source.bone)));
            self.scene.attachments.push(Attachment {
                name,
                number: source.id,
                node,
                position: source.position,
                path: String::new(),
                visibility: Self::fixed(1.0),
            });
        }
        for source in &*model.events {
            let node = self.bone(Some(source.bone));
            let global = u32::try_from(source.moments.global_sequence).ok().map(Id::new);
            let times = self.timeline.moments(&source.moments);
            self.scene.events.push(Event {
                name: source.id.to_string(),
                data: source.data,
                node,
                position: source.position,
                times,
                global,
            });
        }
        for (index, source) in model.lights.iter().enumerate() {
            let node = self.bone(u32::try_from(source.bone).ok());
            let light = Light {
                name: format!("Light {index}"),
                kind: if source.kind == 0 { LightKind::Directional } else { LightKind::Omni },
                node,
                position: source.position,
                attenuation_start: self.animated(&source.attenuation_start, 0.0, |value| value),
                attenuation_end: self.animated(&source.attenuation_end, 0.0, |value| value),
                color: self.animated(&source.diffuse_color, [1.0; 3], |value| value),
                intensity: self.animated(&source.diffuse_intensity, 1.0, |value| value),
                ambient_color: self.animated(&source.ambient_color, [1.0; 3], |value| value),
                ambient_intensity: self.animated(&source.ambient_intensity, 1.0, |value| value),
                visibility: self.animated(&source.visible, 1.0, f32::from),
                extras: Extras::default(),
            };
            self.scene.lights.push(light);
        }
        for source in &*model.cameras {
            let name = match source.kind {
                0 => "Portrait",
                1 => "Character",
                _ => "Camera",
            };
            let mut extras = Extras::default();
            extras.set("kind", source.kind);
            let vector = |key: effigy_m2::VectorKey| (key.value, key.in_tangent, key.out_tangent);
            let camera = Camera {
                name: name.into(),
                position: source.position,
                target: source.target,
                fov: source.fov,
                near: source.near_clip,
                far: source.far_clip,
                translation: self.spline(&source.position_track, [0.0; 3], vector),
                target_translation: self.spline(&source.target_track, [0.0; 3], vector),
                roll: self.spline(&source.roll, 0.0, |key: effigy_m2::ScalarKey| {
                    (key.value, key.in_tangent, key.out_tangent)
                }),
                extras,
            };
            self.scene.cameras.push(camera);
        }
        if !model.collision_triangles.is_empty() {
            let mut extras = Extras::default();
            extras.set("vertices", model.collision_vertices.as_flattened().to_vec());
            let indices = model.collision_triangles.iter().map(|index| i64::from(*index));
            extras.set("indices", indices.collect::<Vec<_>>());
            self.scene.extras.set("collisionMesh", extras);
        }
    }
}
