//! Particle emitters and ribbon emitters.

use super::Lowering;
use super::looks::blend;
use super::tracks::fix16;
use effigy_m2::{Caps, LifeTrack, MaterialFlags, Particle, ParticleFlags};
use effigy_scene::{
    Cells, EmitterShape, Extra, Extras, Id, Layer, LayerTexture, Material, OverLife, ParticleEmitter, Ribbon,
    RibbonGravity,
};

impl Lowering<'_> {
    pub(super) fn emitters(&mut self) {
        let model = self.model;
        for (index, source) in model.particles.iter().enumerate() {
            let node = self.bone(Some(u32::from(source.bone)));
            let emitter = self.particle(index, source, node);
            self.scene.emitters.push(emitter);
        }
        for (index, source) in model.ribbons.iter().enumerate() {
            let node = self.bone(Some(source.bone));
            let passes =
                source.materials.iter().zip(source.textures.iter().cycle()).map(|(material, texture)| {
                    let material = model.materials.get(usize::from(*material));
                    let flags = material.map_or(MaterialFlags::empty(), |it| it.flags);
                    Layer {
                        blend: blend(material.map_or(2, |it| it.blend)),
                        textures: vec![LayerTexture {
                            texture: Some(Id::new(u32::from(*texture))),
                            ..LayerTexture::default()
                        }],
                        unlit: true,
                        two_sided: true,
                        no_depth_write: flags.contains(MaterialFlags::NO_DEPTH_WRITE),
                        ..Layer::default()
                    }
                });
            let material =
                Material { name: format!("Ribbon {index}"), layers: passes.collect(), ..Material::default() };
            let material = self.scene.materials.push(material);
            let ribbon = Ribbon {
                name: format!("Ribbon {index}"),
                node,
                position: source.position,
                above: self.animated(&source.height_above, 0.0, |value| value),
                below: self.animated(&source.height_below, 0.0, |value| value),
                alpha: self.animated(&source.alpha, 1.0, fix16),
                color: self.animated(&source.color, [1.0; 3], |value| value),
                slot: self.animated(&source.texture_slot, 0, u32::from),
                visibility: self.animated(&source.visible, 1.0, f32::from),
                lifespan: source.edge_lifetime,
                rate: source.edges_per_second,
                cells: [u32::from(source.rows), u32::from(source.columns)],
                material: Some(material),
                gravity: source.gravity,
                gravity_direction: RibbonGravity::Up,
                extras: Extras::default(),
            };
            self.scene.ribbons.push(ribbon);
        }
    }

    fn particle(&mut self, index: usize, source: &Particle, node: Id<effigy_scene::Node>) -> ParticleEmitter {
        let flags = source.flags;
        let free = self.model.caps().contains(Caps::FREE_LIFE);
        let mut emitter = ParticleEmitter::new(format!("Particles {index}"), node);
        let float = |track| self.animated(track, 0.0, |value: f32| value);
        emitter.position = source.position;
        emitter.shape = match source.kind {
            2 => EmitterShape::Sphere,
            3 => EmitterShape::Spline(source.spline.to_vec()),
            _ => EmitterShape::Plane,
        };
        emitter.speed = float(&source.speed);
        emitter.variation = float(&source.speed_variation);
        emitter.latitude = float(&source.vertical_range);
        emitter.longitude = float(&source.horizontal_range);
        emitter.gravity = float(&source.gravity);
        emitter.lifespan = float(&source.lifespan);
        emitter.rate = float(&source.rate);
        emitter.length = float(&source.length);
        emitter.width = float(&source.width);
        emitter.z_source = float(&source.z_source);
        emitter.visibility = self.animated(&source.enabled, 1.0, f32::from);
        emitter.blend = blend(source.blend);
        emitter.texture = Some(Id::new(u32::from(source.texture)));
        emitter.cells = [u32::from(source.rows).max(1), u32::from(source.columns).max(1)];
        (emitter.head, emitter.tail) = if free {
            let (head, tail) = (flags.contains(ParticleFlags::HEAD), flags.contains(ParticleFlags::TAIL));
            (head || !tail, tail)
        } else {
            (source.head_or_tail != 1, matches!(source.head_or_tail, 1 | 2))
        };
        emitter.tail_length = source.tail_length;
        emitter.tail_grows = flags.contains(ParticleFlags::TAIL_GROWS);
        emitter.over_life = if free { free_life(source) } else { fixed_life(source) };
        if free {
            let times = |track: &LifeTrack<[f32; 3]>| {
                track.times.iter().map(|time| i64::from(*time)).collect::<Vec<_>>()
            };
            emitter.extras.set("colorTimes", times(&source.color_life));
            emitter.extras.set("colorValues", source.color_life.values.as_flattened().to_vec());
            emitter.extras.set("scaleValues", source.scale_life.values.as_flattened().to_vec());
            self.report
                .approximated(format!("particles[{index}]"), "values over life are reduced to three keys");
        }
        emitter.squirt = flags.contains(ParticleFlags::BURST);
        emitter.model_space = flags.contains(ParticleFlags::EMITTER_SPACE);
        emitter.flat = flags.contains(ParticleFlags::FLAT);
        emitter.unlit = flags.contains(ParticleFlags::UNLIT);
        emitter.unfogged = flags.contains(ParticleFlags::UNFOGGED);
        emitter.drag = source.drag;
        emitter.spin = source.spin;
        emitter.priority = i32::from(source.priority_plane);
        emitter.extras.set("flags", flags.bits());
        emitter.extras.set("twinkle", vec![source.twinkle_speed, source.twinkle_percent]);
        emitter
            .extras
            .set("twinkleScale", source.twinkle_scale)
            .set("burstMultiplier", source.burst_multiplier);
        emitter
            .extras
            .set("tumble", source.tumble)
            .set("wind", source.wind)
            .set("windTime", source.wind_time);
        emitter.extras.set("follow", source.follow);
        for (name, path) in
            [("geometryModel", &source.geometry_model), ("recursionModel", &source.recursion_model)]
        {
            if !path.text().is_empty() {
                emitter.extras.set(name, Extra::Text(path.text().into_owned()));
            }
        }
        emitter
    }
}

fn fixed_life(source: &Particle) -> OverLife {
    let (colors, _) = source.colors.as_chunks::<4>();
    let mut life = OverLife { middle: source.middle, sizes: source.scales, ..OverLife::default() };
    for (([b, g, r, a], color), alpha) in colors.iter().zip(&mut life.colors).zip(&mut life.alphas) {
        *color = [*r, *g, *b].map(|value| f32::from(value) / 255.0);
        *alpha = f32::from(*a) / 255.0;
    }
    let three = |[start, end, repeat]: [u16; 3]| Cells {
        start: start.into(),
        end: end.into(),
        repeat: repeat.into(),
    };
    let two = |[start, end]: [u16; 2]| Cells { start: start.into(), end: end.into(), repeat: 1 };
    life.head = [three(source.cells.head_life), three(source.cells.head_decay)];
    life.tail = [two(source.cells.tail_life), two(source.cells.tail_decay)];
    life
}

/// The number that stands for a whole life.
const LIFE: f32 = 32767.0;

/// The value of a track at a part of the particle's life: straight from key to key.
fn in_life<T: Copy, const N: usize>(
    track: &LifeTrack<T>,
    part: f32,
    none: [f32; N],
    read: impl Fn(T) -> [f32; N],
) -> [f32; N] {
    let keys = || track.times.iter().map(|time| f32::from(*time) / LIFE).zip(track.values.iter().copied());
    let before = keys().take_while(|(time, _)| *time <= part).last();
    let after = keys().find(|(time, _)| *time > part);
    match (before, after) {
        (Some((from, a)), Some((to, b))) => {
            let mut value = read(a);
            let way = (part - from) / (to - from);
            value.iter_mut().zip(read(b)).for_each(|(a, b)| *a += (b - *a) * way);
            value
        }
        (Some((_, value)), None) | (None, Some((_, value))) => read(value),
        (None, None) => none,
    }
}

/// Values at birth, in the middle and at death. The middle is where the colour has its middle key, or else the alpha, or the size.
fn free_life(source: &Particle) -> OverLife {
    let middle = |times: &[u16]| {
        let middle = times.get(times.len() / 2).map(|time| f32::from(*time) / LIFE);
        middle.filter(|middle| *middle > 0.0 && *middle < 1.0)
    };
    let (colors, alphas, sizes) = (&source.color_life, &source.alpha_life, &source.scale_life);
    let middle = middle(&colors.times).or(middle(&alphas.times)).or(middle(&sizes.times)).unwrap_or(0.5);
    let parts = [0.0, middle, 1.0];
    OverLife {
        middle,
        colors: parts.map(|part| in_life(colors, part, [1.0; 3], |value| value.map(|it| it / 255.0))),
        alphas: parts
            .map(|part| in_life(alphas, part, [1.0], |value| [f32::from(value) / LIFE]))
            .map(|[it]| it),
        sizes: parts.map(|part| in_life(sizes, part, [0.0], |[width, _]| [width])).map(|[it]| it),
        ..OverLife::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lives_with_keys_at_different_times_have_the_values_of_their_middle() {
        let track = |times: &[u16], values: &[f32]| LifeTrack {
            times: times.to_vec().into(),
            values: values.to_vec().into(),
        };
        let at = |part, track: &LifeTrack<f32>| in_life(track, part, [7.0], |value| [value])[0];
        let fades = track(&[0, 8192, 32767], &[0.0, 4.0, 1.0]);
        // A third of the way from 4 to 1.
        for (part, wanted) in [(0.0, 0.0), (0.125, 2.0), (0.25, 4.0), (0.5, 3.0), (1.0, 1.0)] {
            assert!((at(part, &fades) - wanted).abs() < 1e-3, "{part}: {}", at(part, &fades));
        }
        // Before the first key and after the last one.
        assert_eq!([0.0, 1.0].map(|part| at(part, &track(&[8192, 16384], &[3.0, 5.0]))), [3.0, 5.0]);
        assert_eq!(at(0.5, &track(&[], &[])), 7.0);

        let mut source = Particle {
            alpha_life: LifeTrack { times: vec![0, 8192, 32767].into(), values: vec![0, 32767, 0].into() },
            scale_life: LifeTrack {
                times: vec![0, 16384, 32767].into(),
                values: vec![[1.0, 9.0], [3.0, 9.0], [2.0, 9.0]].into(),
            },
            ..Particle::default()
        };
        // The middle key of the alpha, since there is no colour: sizes are half way to their own.
        let life = free_life(&source);
        assert!((life.middle - 0.25).abs() < 1e-3);
        assert_eq!(life.colors, [[1.0; 3]; 3]);
        let near = |found: [f32; 3], wanted: [f32; 3]| {
            assert!(found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-3), "{found:?}");
        };
        near(life.alphas, [0.0, 1.0, 0.0]);
        near(life.sizes, [1.0, 2.0, 2.0]);
        source.color_life =
            LifeTrack { times: vec![0, 16384, 32767].into(), values: vec![[255.0, 0.0, 51.0]; 3].into() };
        let life = free_life(&source);
        assert_eq!(life.colors, [[1.0, 0.0, 0.2]; 3]);
        // A third of the way from 1 to 0.
        near(life.alphas, [0.0, 0.6667, 0.0]);
        near(life.sizes, [1.0, 3.0, 2.0]);
    }
}
