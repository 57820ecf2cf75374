//! Particle emitters and ribbons.

use super::Writer;
use super::batches::blend_number;
use super::tracks::{fix16, flag};
use crate::raise::extras;
use effigy_m2::{Block, Cells, Particle, ParticleFlags, Ribbon};
use effigy_scene::{EmitterShape, Extra, Extras, Id, Layer, ParticleEmitter, RibbonGravity};

/// Flags that the scene knows.
const KNOWN: ParticleFlags = ParticleFlags::UNLIT
    .union(ParticleFlags::UNFOGGED)
    .union(ParticleFlags::EMITTER_SPACE)
    .union(ParticleFlags::TAIL_GROWS)
    .union(ParticleFlags::FLAT)
    .union(ParticleFlags::BURST)
    .union(ParticleFlags::HEAD)
    .union(ParticleFlags::TAIL);

fn fill<const N: usize>(kept: &Extras, name: &str) -> [f32; N] {
    let mut made = [0.0; N];
    for (slot, value) in made.iter_mut().zip(extras::floats(kept, name).unwrap_or_default()) {
        *slot = *value;
    }
    made
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float to integer casts saturate")]
fn byte(value: f32) -> u8 {
    (value * 255.0).round() as u8
}

fn cell(number: u32) -> u16 {
    u16::try_from(number).unwrap_or(0)
}

impl Writer<'_> {
    pub(super) fn emitters(&mut self) {
        let scene = self.scene;
        let (mut sorted, mut bare) = (0_usize, 0_usize);
        for source in scene.emitters.as_slice() {
            let texture = source.texture.filter(|id| id.index() < scene.textures.len());
            let Some(texture) = texture else {
                bare += 1;
                continue;
            };
            sorted += usize::from(source.sort);
            let made = self.particle(source, super::short(texture.index()));
            self.model.particles.push(made);
        }
        if bare > 0 {
            self.report.dropped("particles", format!("{bare} have no texture and draw nothing"));
        }
        if sorted > 0 {
            let text = format!("{sorted} are sorted by distance, which the game decides itself");
            self.report.approximated("particles", text);
        }
        self.ribbons();
    }

    fn particle(&self, source: &ParticleEmitter, texture: u16) -> Particle {
        let kept = &source.extras;
        let stored = extras::word(kept, "flags").filter(|_| self.native).unwrap_or(0);
        let mut flags = ParticleFlags::from_bits_retain(stored).difference(KNOWN);
        for (bit, set) in [
            (ParticleFlags::UNLIT, source.unlit),
            (ParticleFlags::UNFOGGED, source.unfogged),
            (ParticleFlags::EMITTER_SPACE, source.model_space),
            (ParticleFlags::TAIL_GROWS, source.tail_grows),
            (ParticleFlags::FLAT, source.flat),
            (ParticleFlags::BURST, source.squirt),
        ] {
            flags.set(bit, set);
        }
        let life = &source.over_life;
        let mut colors = [0_u8; 12];
        for ((slot, [r, g, b]), alpha) in
            colors.as_chunks_mut::<4>().0.iter_mut().zip(life.colors).zip(life.alphas)
        {
            *slot = [byte(b), byte(g), byte(r), byte(alpha)];
        }
        let [head, after] = life.head.map(|it| [cell(it.start), cell(it.end), cell(it.repeat)]);
        let [tail, tail_after] = life.tail.map(|it| [cell(it.start), cell(it.end)]);
        let text = |name: &str| match kept.get(name) {
            Some(Extra::Text(text)) if !text.is_empty() => Block::text_of(text),
            _ => Block::default(),
        };
        let [twinkle_speed, twinkle_percent] = fill(kept, "twinkle");
        let twinkle_scale: [f32; 2] = fill(kept, "twinkleScale");
        let spline = match &source.shape {
            EmitterShape::Spline(points) => points.as_slice().into(),
            _ => Block::default(),
        };
        Particle {
            flags,
            position: source.position,
            bone: self.bones.of(source.node),
            texture,
            geometry_model: text("geometryModel"),
            recursion_model: text("recursionModel"),
            blend: blend_number(source.blend),
            kind: match source.shape {
                EmitterShape::Plane => 1,
                EmitterShape::Sphere => 2,
                EmitterShape::Spline(_) => 3,
            },
            head_or_tail: match (source.head, source.tail) {
                (true, true) => 2,
                (false, true) => 1,
                _ => 0,
            },
            priority_plane: i16::try_from(source.priority).unwrap_or(0),
            rows: cell(source.cells[0]).max(1),
            columns: cell(source.cells[1]).max(1),
            speed: self.track(&source.speed, |value| value),
            speed_variation: self.track(&source.variation, |value| value),
            vertical_range: self.track(&source.latitude, |value| value),
            horizontal_range: self.track(&source.longitude, |value| value),
            gravity: self.track(&source.gravity, |value| value),
            lifespan: self.track(&source.lifespan, |value| value),
            rate: self.track(&source.rate, |value| value),
            length: self.track(&source.length, |value| value),
            width: self.track(&source.width, |value| value),
            z_source: self.track(&source.z_source, |value| value),
            middle: life.middle,
            colors,
            scales: life.sizes,
            cells: Cells { head_life: head, head_decay: after, tail_life: tail, tail_decay: tail_after },
            tail_length: source.tail_length,
            twinkle_speed,
            twinkle_percent,
            // Without a range the size would be multiplied by 0.
            twinkle_scale: if twinkle_scale == [0.0; 2] && !self.native { [1.0; 2] } else { twinkle_scale },
            burst_multiplier: extras::float(kept, "burstMultiplier").unwrap_or(1.0),
            drag: source.drag,
            spin: source.spin,
            tumble: fill(kept, "tumble"),
            wind: fill(kept, "wind"),
            wind_time: extras::float(kept, "windTime").unwrap_or(0.0),
            follow: fill(kept, "follow"),
            spline,
            enabled: self.track(&source.visibility, flag),
            ..Particle::default()
        }
    }

    fn ribbons(&mut self) {
        let scene = self.scene;
        for source in scene.ribbons.as_slice() {
            let layers = source.material.and_then(|id| scene.materials.get(id));
            let layers: &[Layer] = layers.map_or(&[], |material| &material.layers);
            let textures = layers.iter().filter_map(|layer| layer.textures.first()?.texture.map(Id::index));
            let textures: Vec<u16> =
                textures.filter(|it| *it < scene.textures.len()).map(super::short).collect();
            if textures.is_empty() || textures.len() < layers.len() {
                self.report.dropped("ribbons", format!("{} has no texture", source.name));
                continue;
            }
            let materials: Vec<u16> = layers.iter().map(|layer| self.material(layer)).collect();
            let gravity = match source.gravity_direction {
                RibbonGravity::Up => source.gravity,
                RibbonGravity::Down => -source.gravity,
            };
            let made = Ribbon {
                bone: u32::from(self.bones.of(source.node)),
                position: source.position,
                textures: textures.into(),
                materials: materials.into(),
                color: self.track(&source.color, |value| value),
                alpha: self.track(&source.alpha, fix16),
                height_above: self.track(&source.above, |value| value),
                height_below: self.track(&source.below, |value| value),
                edges_per_second: source.rate,
                edge_lifetime: source.lifespan,
                gravity,
                rows: cell(source.cells[0]).max(1),
                columns: cell(source.cells[1]).max(1),
                texture_slot: self.track(&source.slot, cell),
                visible: self.track(&source.visibility, flag),
                ..Ribbon::default()
            };
            self.model.ribbons.push(made);
        }
    }
}
