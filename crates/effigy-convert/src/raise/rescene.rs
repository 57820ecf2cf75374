//! All tracks of a scene on a new timeline.

use super::metric::Metric;
use super::retime::Retiming;
use super::timeline::Clip;
use effigy_scene::{Animated, Interpolation, KeyRule, Rotation, Scene, Sequence, ValidScene};

impl Retiming<'_> {
    fn animated<T: Metric>(&mut self, animated: &mut Animated<T>) {
        if let Some(track) = &animated.track {
            animated.track = Some(self.track(track, None));
        }
    }

    /// A value that the format has no field for, only a track.
    fn only_track<T: Metric>(&mut self, animated: &mut Animated<T>, rest: T) {
        match &animated.track {
            Some(track) => {
                let made = self.track(track, None);
                // A track that never leaves the rest says nothing.
                let still = made.tangents.is_empty() && made.values.iter().all(|value| *value == rest);
                if still && self.coarse.is_some() {
                    self.keys[1] = self.keys[1].saturating_sub(made.len());
                }
                animated.track = (!still || self.coarse.is_none()).then_some(made);
                animated.base = rest;
            }
            None if animated.base != rest => animated.track = Some(self.constant(animated.base)),
            None => {}
        }
    }

    fn visibility(&mut self, animated: &mut Animated<f32>, emits: bool) {
        let quiet = (emits && self.clips.iter().any(Clip::is_quiet)).then_some(0.0);
        let track = match &animated.track {
            Some(track) if track.global.is_none() => Some(self.track(track, quiet)),
            Some(track) => Some(self.track(track, None)),
            None if animated.base > 0.0 && quiet.is_none() => None,
            None => {
                let value =
                    |clip: &Clip| if clip.is_quiet() && emits || animated.base <= 0.0 { 0.0 } else { 1.0 };
                let mut track = self.constant(1.0);
                track.values = self.clips.iter().flat_map(|clip| [value(clip); 2]).collect();
                Some(track)
            }
        };
        animated.track = track.map(|mut track| {
            track.interpolation = Interpolation::Step;
            track
        });
    }
}

/// The scene on the timeline of the clips, with keys at both ends of each.
pub(super) fn retime(scene: &ValidScene, retiming: &mut Retiming<'_>) -> Scene {
    let mut out: Scene = (**scene).clone();
    macro_rules! each {
        ($($list:ident: $($field:ident)*;)*) => {$(
            for item in out.$list.as_mut_slice() { $(retiming.animated(&mut item.$field);)* }
        )*};
    }
    each! {
        meshes: color alpha;
        lights: attenuation_start attenuation_end color intensity ambient_color ambient_intensity;
        emitters: speed variation latitude longitude gravity lifespan rate length width z_source;
        ribbons: above below alpha color slot;
    }
    for layer in out.materials.as_mut_slice().iter_mut().flat_map(|material| &mut material.layers) {
        retiming.animated(&mut layer.color);
        retiming.animated(&mut layer.alpha);
        retiming.animated(&mut layer.color_alpha);
        retiming.animated(&mut layer.emissive_gain);
        for texture in &mut layer.textures {
            if let Some(track) = &texture.flipbook {
                texture.flipbook = Some(retiming.track(track, None));
            }
        }
    }
    let coarse = std::mem::replace(&mut retiming.coarse, retiming.nodes);
    for node in out.nodes.as_mut_slice() {
        retiming.lengths = true;
        retiming.only_track(&mut node.translation, [0.0; 3]);
        retiming.lengths = false;
        retiming.only_track(&mut node.rotation, Rotation::IDENTITY);
        retiming.only_track(&mut node.scale, [1.0; 3]);
    }
    retiming.coarse = coarse;
    for transform in out.texture_transforms.as_mut_slice() {
        retiming.only_track(&mut transform.translation, [0.0; 3]);
        retiming.only_track(&mut transform.rotation, Rotation::IDENTITY);
        retiming.only_track(&mut transform.scale, [1.0; 3]);
    }
    out.attachments.as_mut_slice().iter_mut().for_each(|it| retiming.visibility(&mut it.visibility, false));
    out.lights.as_mut_slice().iter_mut().for_each(|it| retiming.visibility(&mut it.visibility, true));
    out.emitters.as_mut_slice().iter_mut().for_each(|it| retiming.visibility(&mut it.visibility, true));
    out.ribbons.as_mut_slice().iter_mut().for_each(|it| retiming.visibility(&mut it.visibility, true));
    out.effects.as_mut_slice().iter_mut().for_each(|it| retiming.visibility(&mut it.visibility, true));
    // Cameras of every game have cubic curves.
    retiming.splines = true;
    for camera in out.cameras.as_mut_slice() {
        retiming.lengths = true;
        for track in camera.translation.iter_mut().chain(&mut camera.target_translation) {
            *track = retiming.track(track, None);
        }
        retiming.lengths = false;
        if let Some(track) = &mut camera.roll {
            *track = retiming.track(track, None);
        }
    }
    for event in out.events.as_mut_slice().iter_mut().filter(|event| event.global.is_none()) {
        let mut times = Vec::new();
        for clip in retiming.clips.iter().filter(|clip| clip.hold.is_none()) {
            let [start, end] = retiming.span(clip);
            let inside = event.times.iter().filter(|time| **time >= start && **time <= end);
            times.extend(inside.map(|time| time.saturating_sub(start).saturating_add(clip.start)));
        }
        times.dedup();
        event.times = times;
    }
    out.sequences = retiming.clips.iter().map(sequence).collect();
    out.key_rule = KeyRule::Wrap;
    out.turn_rule = retiming.turns;
    out
}

fn sequence(clip: &Clip) -> Sequence {
    let mut sequence = Sequence {
        name: clip.name.clone(),
        start: clip.start,
        end: clip.end,
        looping: clip.looping,
        move_speed: clip.move_speed,
        ..Sequence::default()
    };
    if clip.rarity > 0.0 {
        sequence.extras.set("rarity", clip.rarity);
    }
    sequence
}

#[cfg(test)]
mod tests;
