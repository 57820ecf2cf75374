//! Particle emitters, ribbons, model emitters and popcorn effects.

use super::nodes::Object;
use super::{Writer, extras, index, tracks};
use effigy_mdx::track::tags;
use effigy_mdx::{
    NodeFlags, ParticleEmitter as ModelEmitter, ParticleEmitter2, ParticleFilter, PopcornEmitter,
    RibbonEmitter, Tracks,
};
use effigy_scene::{Animated, Blend, Cells, Effect, EmitterShape, ParticleEmitter, Ribbon, RibbonGravity};
use effigy_wire::Tag;

/// Adds the track of a visibility.
pub(super) fn visibility(tracks: &mut Tracks, tag: Tag, animated: &Animated<f32>) {
    tracks::put(tracks, tag, animated.track.as_ref());
}

const fn cells(Cells { start, end, repeat }: Cells) -> [u32; 3] {
    [start, end, repeat]
}

impl Writer<'_> {
    pub(super) fn emitters(&mut self) {
        let scene = self.scene;
        for (at, source) in scene.emitters.as_slice().iter().enumerate() {
            let emitter = self.particle_emitter(at, source);
            self.model.particle_emitters_2.push(emitter);
        }
        for (at, source) in scene.ribbons.as_slice().iter().enumerate() {
            let ribbon = self.ribbon(at, source);
            self.model.ribbon_emitters.push(ribbon);
        }
        for (at, source) in scene.effects.as_slice().iter().enumerate() {
            self.effect(at, source);
        }
    }

    fn node(&self, object: Object) -> effigy_mdx::Node {
        self.nodes.objects.get(&object).cloned().unwrap_or_default()
    }

    fn particle_emitter(&mut self, at: usize, source: &ParticleEmitter) -> ParticleEmitter2 {
        let mut node = self.node(Object::Emitter(at));
        let line = source.longitude == Animated::fixed(0.0);
        for (flag, on) in [
            (NodeFlags::EMITTER_USES_MDL_OR_UNSHADED, source.unlit),
            (NodeFlags::EMITTER_USES_TGA_OR_SORT_FAR_Z, source.sort),
            (NodeFlags::LINE_EMITTER, line),
            (NodeFlags::UNFOGGED, source.unfogged),
            (NodeFlags::MODEL_SPACE, source.model_space),
            (NodeFlags::XY_QUAD, source.flat),
        ] {
            node.flags.set(flag, on);
        }
        let life = &source.over_life;
        let [[r0, g0, b0], [r1, g1, b1], [r2, g2, b2]] = life.colors;
        let texture = match source.texture {
            Some(id) => index(id.index()),
            None => self.texture_index(None),
        };
        let mut list = Tracks::default();
        let mut number = |tag: Tag, value: &Animated<f32>| tracks::value(&mut list, tag, value);
        let speed = number(tags::KP2S, &source.speed);
        let variation = number(tags::KP2R, &source.variation);
        let gravity = number(tags::KP2G, &source.gravity);
        let emission_rate = number(tags::KP2E, &source.rate);
        let length = number(tags::KP2N, &source.length);
        let width = number(tags::KP2W, &source.width);
        tracks::put_mapped(&mut list, tags::KP2L, source.latitude.track.as_ref(), f32::to_degrees);
        visibility(&mut list, tags::KP2V, &source.visibility);
        ParticleEmitter2 {
            node,
            speed,
            variation,
            latitude: source.latitude.base.to_degrees(),
            gravity,
            life_span: source.lifespan.base,
            emission_rate,
            length,
            width,
            filter_mode: match source.blend {
                Blend::Add | Blend::AddAlpha => ParticleFilter::ADDITIVE,
                Blend::Modulate => ParticleFilter::MODULATE,
                Blend::Modulate2x => ParticleFilter::MODULATE_2X,
                Blend::AlphaKey => ParticleFilter::ALPHA_KEY,
                Blend::Opaque | Blend::Alpha => ParticleFilter::BLEND,
            },
            rows: source.cells[0],
            columns: source.cells[1],
            head_or_tail: match (source.head, source.tail) {
                (true, true) => 2,
                (false, true) => 1,
                _ => 0,
            },
            tail_length: source.tail_length,
            time_middle: life.middle,
            segment_colors: [r0, g0, b0, r1, g1, b1, r2, g2, b2],
            segment_alphas: life.alphas.map(byte),
            segment_scales: life.sizes,
            head_life: cells(life.head[0]),
            head_decay: cells(life.head[1]),
            tail_life: cells(life.tail[0]),
            tail_decay: cells(life.tail[1]),
            texture,
            squirt: u32::from(source.squirt),
            priority_plane: source.priority,
            replaceable: extras::word(&source.extras, "replaceableId").filter(|_| self.native).unwrap_or(0),
            tracks: list,
            ..ParticleEmitter2::default()
        }
    }

    fn ribbon(&mut self, at: usize, source: &Ribbon) -> RibbonEmitter {
        let node = self.node(Object::Ribbon(at));
        let mut list = Tracks::default();
        let height_above = tracks::value(&mut list, tags::KRHA, &source.above);
        let height_below = tracks::value(&mut list, tags::KRHB, &source.below);
        let alpha = tracks::value(&mut list, tags::KRAL, &source.alpha);
        let color = tracks::color(&mut list, tags::KRCO, &source.color);
        let texture_slot = tracks::value(&mut list, tags::KRTX, &source.slot);
        visibility(&mut list, tags::KRVS, &source.visibility);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "limited to what fits")]
        let emission_rate = source.rate.round().clamp(0.0, 1e9) as u32;
        RibbonEmitter {
            node,
            height_above,
            height_below,
            alpha,
            color,
            life_span: source.lifespan,
            texture_slot,
            emission_rate,
            rows: source.cells[0],
            columns: source.cells[1],
            material: self.material_index(source.material),
            gravity: match source.gravity_direction {
                RibbonGravity::Down => source.gravity,
                RibbonGravity::Up => -source.gravity,
            },
            tracks: list,
            ..RibbonEmitter::default()
        }
    }

    fn effect(&mut self, at: usize, source: &Effect) {
        let place = format!("effects[{at}]");
        let float = |name: &str, usual: f32| extras::float(&source.extras, name).unwrap_or(usual);
        let mut list = Tracks::default();
        extras::tracks(&source.extras, &mut list);
        match source.kind.as_str() {
            "modelEmitter" => {
                if list.get(tags::KPEV).is_none() {
                    visibility(&mut list, tags::KPEV, &source.visibility);
                }
                let made = ModelEmitter {
                    node: self.node(Object::ModelEmitter(at)),
                    emission_rate: float("emissionRate", 0.0),
                    gravity: float("gravity", 0.0),
                    longitude: float("longitude", 0.0),
                    latitude: float("latitude", 0.0),
                    path: self.text(&place, &source.path),
                    life_span: float("lifeSpan", 0.0),
                    speed: float("speed", 0.0),
                    tracks: list,
                };
                self.model.particle_emitters.push(made);
            }
            "popcorn" if self.caps.contains(effigy_mdx::Caps::GEOSET_LOD) => {
                if list.get(tags::KPPV).is_none() {
                    visibility(&mut list, tags::KPPV, &source.visibility);
                }
                let color = match extras::floats(&source.extras, "color") {
                    Some(&[r, g, b]) => [r, g, b],
                    _ => [1.0; 3],
                };
                let guide = extras::text(&source.extras, "visibilityGuide").unwrap_or_default();
                let made = PopcornEmitter {
                    node: self.node(Object::Popcorn(at)),
                    life_span: float("lifeSpan", 1.0),
                    emission_rate: float("emissionRate", 1.0),
                    speed: float("speed", 1.0),
                    color,
                    alpha: float("alpha", 1.0),
                    replaceable: extras::word(&source.extras, "replaceableId").unwrap_or(0),
                    path: self.text(&place, &source.path),
                    visibility_guide: self.text(&place, guide),
                    tracks: list,
                };
                self.model.popcorn_emitters.push(made);
            }
            other => {
                let text = format!("effects of the kind {other} have no place in this version");
                self.report.dropped(place, text);
            }
        }
    }
}

/// Alpha as a byte.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "limited to a byte")]
fn byte(alpha: f32) -> u8 {
    (alpha * 255.0).round().clamp(0.0, 255.0) as u8
}

/// Whether every point of the source is a place of this game's emitters.
pub(super) const fn is_plane(shape: &EmitterShape) -> bool {
    matches!(shape, EmitterShape::Plane)
}
