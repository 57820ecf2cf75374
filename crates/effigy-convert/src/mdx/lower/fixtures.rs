//! Attachments, events, cameras, lights, shapes.

use super::{Lowering, tracks};
use effigy_mdx::track::tags;
use effigy_mdx::{ChunkKind, LightKind as MdxLight, Shape as MdxShape};
use effigy_scene::{Attachment, Camera, Event, Extras, Id, Light, LightKind, Node, Shape, ShapeKind};

impl Lowering<'_> {
    /// The pivot of a node.
    fn pivot(&self, node: Id<Node>) -> [f32; 3] {
        self.scene.nodes.get(node).map_or([0.0; 3], |node| node.pivot)
    }

    pub(super) fn fixtures(&mut self) {
        let model = self.model;
        for (index, source) in model.attachments.iter().enumerate() {
            let node = self.nodes.of(ChunkKind::Attachments, index);
            let attachment = Attachment {
                name: source.node.name.text().into_owned(),
                number: source.id,
                node,
                position: self.pivot(node),
                path: source.path.text().into_owned(),
                visibility: self.visibility(&source.tracks, tags::KATV),
            };
            self.scene.attachments.push(attachment);
        }
        for (index, source) in model.event_objects.iter().enumerate() {
            let node = self.nodes.of(ChunkKind::EventObjects, index);
            let event = Event {
                name: source.node.name.text().into_owned(),
                data: 0,
                node,
                position: self.pivot(node),
                times: source.track.as_ref().map(|track| track.times.clone()).unwrap_or_default(),
                global: source
                    .track
                    .as_ref()
                    .and_then(|it| u32::try_from(it.global_sequence).ok())
                    .map(Id::new),
            };
            self.scene.events.push(event);
        }
        for source in &model.cameras {
            let mut extras = Extras::default();
            for track in &source.tracks {
                if ![tags::KCTR, tags::KTTR, tags::KCRL].contains(&track.tag()) {
                    extras.set(&track.tag().to_string(), tracks::extra(track));
                }
            }
            self.scene.cameras.push(Camera {
                name: source.name.text().into_owned(),
                position: source.position,
                target: source.target,
                fov: source.field_of_view,
                near: source.near_clip,
                far: source.far_clip,
                translation: tracks::track(&source.tracks, tags::KCTR, [0.0; 3]),
                target_translation: tracks::track(&source.tracks, tags::KTTR, [0.0; 3]),
                roll: tracks::track(&source.tracks, tags::KCRL, 0.0),
                extras,
            });
        }
        for (index, source) in model.lights.iter().enumerate() {
            let node = self.nodes.of(ChunkKind::Lights, index);
            let float = |base, tag| tracks::animated(base, &source.tracks, tag, 0.0);
            let mut extras = Extras::default();
            extras.set("kind", source.kind.0);
            let light = Light {
                name: source.node.name.text().into_owned(),
                // 512 and 513 occur; only the low byte is used.
                kind: match MdxLight(source.kind.0 & 0xff) {
                    MdxLight::DIRECTIONAL => LightKind::Directional,
                    MdxLight::AMBIENT => LightKind::Ambient,
                    _ => LightKind::Omni,
                },
                node,
                position: self.pivot(node),
                attenuation_start: float(source.attenuation_start, tags::KLAS),
                attenuation_end: float(source.attenuation_end, tags::KLAE),
                color: tracks::color(source.color, &source.tracks, tags::KLAC, [0.0; 3]),
                intensity: float(source.intensity, tags::KLAI),
                ambient_color: tracks::color(source.ambient_color, &source.tracks, tags::KLBC, [0.0; 3]),
                ambient_intensity: float(source.ambient_intensity, tags::KLBI),
                visibility: self.visibility(&source.tracks, tags::KLAV),
                extras,
            };
            self.scene.lights.push(light);
        }
        let shapes = model.collision_shapes.iter().map(|it| (&it.node, it.shape)).enumerate();
        let shapes = shapes.map(|(i, it)| (ChunkKind::CollisionShapes, i, it));
        let tests = model.hit_test_shapes.iter().map(|it| (&it.node, it.shape)).enumerate();
        for (kind, index, (node, shape)) in
            shapes.chain(tests.map(|(i, it)| (ChunkKind::HitTestShapes, i, it)))
        {
            self.scene.shapes.push(Shape {
                name: node.name.text().into_owned(),
                node: self.nodes.of(kind, index),
                kind: shape_kind(shape),
            });
        }
    }
}

fn shape_kind(shape: MdxShape) -> ShapeKind {
    match shape {
        MdxShape::Box { min, max } => ShapeKind::Box { min, max },
        MdxShape::Cylinder { base, height, radius } => ShapeKind::Cylinder { base, height, radius },
        MdxShape::Sphere { center, radius } => ShapeKind::Sphere { center, radius },
        MdxShape::Plane { length, width } => ShapeKind::Plane { length, width },
        MdxShape::TwoPointPlane([min, max]) => ShapeKind::Box { min, max },
        MdxShape::TwoPointCylinder { points: [base, top], radius } => {
            ShapeKind::Cylinder { base, height: top[2] - base[2], radius }
        }
    }
}
