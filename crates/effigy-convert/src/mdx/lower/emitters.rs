//! Particle emitters, ribbons, model emitters, popcorn effects.

use super::{Lowering, tracks};
use effigy_mdx::track::tags;
use effigy_mdx::{ChunkKind, NodeFlags, ParticleEmitter2, ParticleFilter};
use effigy_scene::{
    Animated, Blend, Cells, Effect, EmitterShape, Extras, Id, OverLife, ParticleEmitter, Ribbon,
    RibbonGravity,
};

impl Lowering<'_> {
    pub(super) fn emitters(&mut self) {
        let model = self.model;
        for (index, source) in model.particle_emitters_2.iter().enumerate() {
            let emitter = self.particle_emitter(index, source);
            self.scene.emitters.push(emitter);
        }
        for (index, source) in model.ribbon_emitters.iter().enumerate() {
            let node = self.nodes.of(ChunkKind::RibbonEmitters, index);
            let float = |base, tag, default| tracks::animated(base, &source.tracks, tag, default);
            let ribbon = Ribbon {
                name: source.node.name.text().into_owned(),
                node,
                position: self.scene.nodes.get(node).map_or([0.0; 3], |node| node.pivot),
                above: float(source.height_above, tags::KRHA, 0.0),
                below: float(source.height_below, tags::KRHB, 0.0),
                alpha: float(source.alpha, tags::KRAL, 1.0),
                color: tracks::color(source.color, &source.tracks, tags::KRCO, [0.0; 3]),
                slot: tracks::animated(source.texture_slot, &source.tracks, tags::KRTX, 0),
                visibility: self.visibility(&source.tracks, tags::KRVS),
                lifespan: source.life_span,
                rate: source.emission_rate as f32,
                cells: [source.rows, source.columns],
                material: Some(Id::new(source.material)),
                gravity: source.gravity,
                gravity_direction: if self.is_wow() { RibbonGravity::Up } else { RibbonGravity::Down },
                extras: Extras::default(),
            };
            self.scene.ribbons.push(ribbon);
        }
        for (index, source) in model.particle_emitters.iter().enumerate() {
            let mut extras = Extras::default();
            extras.set("emissionRate", source.emission_rate).set("gravity", source.gravity);
            extras.set("longitude", source.longitude).set("latitude", source.latitude);
            extras.set("lifeSpan", source.life_span).set("speed", source.speed);
            let effect =
                self.effect("modelEmitter", (ChunkKind::ParticleEmitters, index), &source.tracks, tags::KPEV);
            self.scene.effects.push(Effect {
                name: source.node.name.text().into_owned(),
                path: source.path.text().into_owned(),
                extras: with_tracks(extras, &source.tracks),
                ..effect
            });
        }
        for (index, source) in model.popcorn_emitters.iter().enumerate() {
            let mut extras = Extras::default();
            extras.set("lifeSpan", source.life_span).set("emissionRate", source.emission_rate);
            extras.set("speed", source.speed).set("color", source.color).set("alpha", source.alpha);
            extras.set("replaceableId", source.replaceable);
            extras.set("visibilityGuide", source.visibility_guide.text().as_ref());
            let effect =
                self.effect("popcorn", (ChunkKind::PopcornEmitters, index), &source.tracks, tags::KPPV);
            self.scene.effects.push(Effect {
                name: source.node.name.text().into_owned(),
                path: source.path.text().into_owned(),
                extras: with_tracks(extras, &source.tracks),
                ..effect
            });
        }
    }

    fn effect(
        &self,
        kind: &str,
        (chunk, index): (ChunkKind, usize),
        tracks: &effigy_mdx::Tracks,
        visibility: effigy_wire::Tag,
    ) -> Effect {
        Effect {
            name: String::new(),
            kind: kind.to_owned(),
            node: self.nodes.of(chunk, index),
            path: String::new(),
            visibility: self.visibility(tracks, visibility),
            extras: Extras::default(),
        }
    }

    fn particle_emitter(&self, index: usize, source: &ParticleEmitter2) -> ParticleEmitter {
        let wow = self.is_wow();
        let node = self.nodes.of(ChunkKind::ParticleEmitters2, index);
        let flags = source.node.flags;
        let float = |base, tag| tracks::animated(base, &source.tracks, tag, 0.0);
        let latitude = float(source.latitude, tags::KP2L);
        let longitude = if flags.contains(NodeFlags::LINE_EMITTER) {
            Animated::fixed(0.0)
        } else if wow {
            float(source.longitude, tags::KPLN)
        } else {
            Animated::fixed(std::f32::consts::PI)
        };
        let [r0, g0, b0, r1, g1, b1, r2, g2, b2] = source.segment_colors;
        let cells = |[start, end, repeat]: [u32; 3]| Cells { start, end, repeat };
        let mut emitter = ParticleEmitter::new(source.node.name.text().into_owned(), node);
        emitter.position = self.scene.nodes.get(node).map_or([0.0; 3], |node| node.pivot);
        emitter.shape = match source.emitter_type {
            2 if wow => EmitterShape::Sphere,
            3 if wow => EmitterShape::Spline(source.spline.clone()),
            _ => EmitterShape::Plane,
        };
        emitter.speed = float(source.speed, tags::KP2S);
        emitter.variation = float(source.variation, tags::KP2R);
        // Warcraft III counts the cone in degrees.
        emitter.latitude = if wow {
            latitude
        } else {
            let mut radians = tracks::map(latitude, f32::to_radians);
            radians.base = radians.base.to_radians();
            radians
        };
        emitter.longitude = longitude;
        emitter.gravity = float(source.gravity, tags::KP2G);
        emitter.lifespan =
            if wow { float(source.life_span, tags::KLIF) } else { Animated::fixed(source.life_span) };
        emitter.rate = float(source.emission_rate, tags::KP2E);
        emitter.length = float(source.length, tags::KP2N);
        emitter.width = float(source.width, tags::KP2W);
        if wow {
            emitter.z_source = float(source.z_source, tags::KP2Z);
            emitter.drag = source.drag;
            emitter.spin = source.spin;
            emitter.tail_grows = flags.bits() & 0x200_0000 != 0;
        }
        emitter.visibility = self.visibility(&source.tracks, tags::KP2V);
        emitter.blend = match source.filter_mode {
            ParticleFilter::ADDITIVE => Blend::AddAlpha,
            ParticleFilter::MODULATE => Blend::Modulate,
            ParticleFilter::MODULATE_2X => Blend::Modulate2x,
            ParticleFilter::ALPHA_KEY => Blend::AlphaKey,
            _ => Blend::Alpha,
        };
        emitter.texture = u32::try_from(source.texture).ok().map(Id::new);
        emitter.cells = [source.rows.max(1), source.columns.max(1)];
        emitter.head = source.head_or_tail != 1;
        emitter.tail = matches!(source.head_or_tail, 1 | 2);
        emitter.tail_length = source.tail_length;
        emitter.over_life = OverLife {
            middle: source.time_middle,
            colors: [[r0, g0, b0], [r1, g1, b1], [r2, g2, b2]],
            alphas: source.segment_alphas.map(|alpha| f32::from(alpha) / 255.0),
            sizes: source.segment_scales,
            head: [cells(source.head_life), cells(source.head_decay)],
            tail: [cells(source.tail_life), cells(source.tail_decay)],
        };
        emitter.squirt = source.squirt != 0;
        emitter.model_space = flags.contains(NodeFlags::MODEL_SPACE);
        emitter.flat = flags.contains(if wow { NodeFlags::XY_QUAD_WOW } else { NodeFlags::XY_QUAD });
        emitter.unlit = flags.contains(NodeFlags::EMITTER_USES_MDL_OR_UNSHADED);
        emitter.unfogged = flags.contains(NodeFlags::UNFOGGED);
        emitter.sort = flags.contains(NodeFlags::EMITTER_USES_TGA_OR_SORT_FAR_Z);
        emitter.priority = source.priority_plane;
        if source.replaceable != 0 {
            emitter.extras.set("replaceableId", source.replaceable);
        }
        if wow {
            emitter.extras.set("geometryModel", source.geometry_model.text().as_ref());
            emitter.extras.set("recursionModel", source.recursion_model.text().as_ref());
            emitter.extras.set("twinkle", vec![source.twinkle_fps, source.twinkle_on_off]);
            emitter.extras.set("twinkleScale", source.twinkle_scale);
            emitter.extras.set("tumble", source.tumble);
            emitter.extras.set("wind", source.wind).set("windTime", source.wind_time);
            emitter.extras.set("follow", source.follow);
        }
        emitter
    }
}

fn with_tracks(mut extras: Extras, tracks: &effigy_mdx::Tracks) -> Extras {
    for track in tracks {
        extras.set(&track.tag().to_string(), tracks::extra(track));
    }
    extras
}
