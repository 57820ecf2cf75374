//! Bounds of posed models.

use effigy_scene::sample::{Moment, Pose, Sampler};
use effigy_scene::{Bounds, ParticleEmitter};

/// Moments of a sequence that are looked at, as parts of its length.
pub(in crate::raise) const MOMENTS: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Bounds with the radius that belongs to them; nothing becomes a point.
pub(in crate::raise) fn closed(bounds: Bounds) -> Bounds {
    if bounds.is_empty() {
        return Bounds { min: [0.0; 3], max: [0.0; 3], radius: 0.0 };
    }
    let far = glam::Vec3::from(bounds.min).abs().max(glam::Vec3::from(bounds.max).abs());
    Bounds { radius: far.length(), ..bounds }
}

/// How far the particles of an emitter get, at most `farthest`.
pub(in crate::raise) fn reach(
    sampler: &Sampler<'_>,
    emitter: &ParticleEmitter,
    moment: &Moment,
    pose: &Pose,
    farthest: f32,
) -> Bounds {
    if sampler.value(&emitter.visibility, moment) <= 0.0 || sampler.value(&emitter.rate, moment) <= 0.0 {
        return Bounds::EMPTY;
    }
    let life = emitter.lifespan.base.max(0.0);
    let speed = sampler.value(&emitter.speed, moment).abs();
    let fall = sampler.value(&emitter.gravity, moment).abs() * life * life / 2.0;
    let area =
        sampler.value(&emitter.length, moment).abs().max(sampler.value(&emitter.width, moment).abs()) / 2.0;
    let size = emitter.over_life.sizes.iter().copied().fold(0.0, f32::max);
    let far = (speed * life + fall + area + size).clamp(0.0, farthest);
    let at = pose.point(emitter.node, emitter.position);
    Bounds { min: at.map(|value| value - far), max: at.map(|value| value + far), radius: 0.0 }
}
