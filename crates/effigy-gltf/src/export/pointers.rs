//! Animation of colours, texture transforms and lights, through `KHR_animation_pointer`.

use super::Builder;
use super::animation::Film;
use super::clip::Clip;
use super::curve::{self, Curve, JUMP, Mode, seconds};
use super::materials::{linear, texture_parts};
use effigy_scene::sample::Value;
use effigy_scene::{Animated, Interpolation, TextureTransform, Track};

/// So many milliseconds before its end a clip has the value that it leads to, in single precision.
const NEAR_THE_END: f64 = 1e-6;

/// Times at which a product of tracks is sampled, and how its keys are joined.
#[derive(Default)]
struct Watch {
    times: Vec<f64>,
    /// Tracks that play, and those of them that change.
    playing: usize,
    moving: usize,
    all_step: bool,
    any_spline: bool,
    /// A clock of its own begins again where the clip ends: what it leads to counts there, not what it begins with.
    ends_in_jump: bool,
}

impl Watch {
    fn new() -> Self {
        Self { all_step: true, ..Self::default() }
    }
}

/// A colour whose alpha stays within 0 and 1. Where it crosses one of them between two keys it gets a key: programs would draw a
/// straight line to the bound at the next key.
fn within_bounds(curve: Curve<[f32; 4]>) -> Curve<[f32; 4]> {
    let mut made = Curve { times: Vec::new(), values: Vec::new(), ..curve };
    let mut before: Option<(f32, [f32; 4])> = None;
    for (time, value) in curve.times.into_iter().zip(curve.values) {
        if let Some((start, from)) = before.filter(|_| made.mode == Mode::Linear) {
            let ([.., a], [.., b]) = (from, value);
            let part = |bound: f32| (bound - a) / (b - a);
            let mut parts: Vec<f32> = [0.0, 1.0]
                .into_iter()
                .filter(|bound| (a < *bound && *bound < b) || (b < *bound && *bound < a))
                .map(part)
                .collect();
            parts.sort_by(f32::total_cmp);
            for part in parts {
                let at = start + (time - start) * part;
                if made.times.last().is_none_or(|last| *last < at) && at < time {
                    made.times.push(at);
                    let mut between = from;
                    between.iter_mut().zip(value).for_each(|(it, end)| *it += (end - *it) * part);
                    made.values.push(between);
                }
            }
        }
        made.times.push(time);
        made.values.push(value);
        before = Some((time, value));
    }
    for [.., alpha] in &mut made.values {
        *alpha = alpha.clamp(0.0, 1.0);
    }
    made.collapse([0.0; 4])
}

impl Builder<'_> {
    fn watch<T: Copy + PartialEq>(&self, clip: &Clip, value: &Animated<T>, watch: &mut Watch) {
        if let Some(track) = value.track.as_ref().filter(|track| clip.plays(track)) {
            self.watch_track(clip, track, watch);
        }
    }

    fn watch_track<T: Copy + PartialEq>(&self, clip: &Clip, track: &Track<T>, watch: &mut Watch) {
        watch.playing += 1;
        let Err((first, last)) = curve::still(&self.sampler, clip, track) else { return };
        watch.moving += 1;
        watch.all_step &= track.interpolation == Interpolation::Step;
        watch.any_spline |= track.interpolation.is_spline();
        if !clip.key_times(&self.sampler, track, &mut watch.times) {
            clip.even_times(self.options.fps, &mut watch.times);
        } else if track.interpolation != Interpolation::Step
            && track.values.get(first) != track.values.get(last)
        {
            self.watch_jumps(clip, track, watch);
        }
    }

    /// The times just before a clock of its own begins again with another value.
    fn watch_jumps<T>(&self, clip: &Clip, track: &Track<T>, watch: &mut Watch) {
        let global = track.global.and_then(|id| self.scene.global_sequences.get(id));
        let Some(period) = global.map(|it| f64::from(it.length)).filter(|it| *it > 0.0) else { return };
        let mut end = period;
        while end < clip.length() {
            watch.times.push(end - JUMP.min(period * 0.5));
            end += period;
        }
        watch.ends_in_jump |= end == clip.length();
    }

    /// A value in a clip; a track that does not play there rests.
    fn value<T: Value>(&self, clip: &Clip, value: &Animated<T>, time: f64) -> T {
        match &value.track {
            Some(track) if clip.plays(track) => self.sampler.track(track, &clip.moment(time)),
            _ => self.sampler.value(value, &self.rest),
        }
    }

    /// Samples a product of tracks; exact if only one track changes and is straight or stepped.
    fn look<const N: usize>(
        &self,
        clip: &Clip,
        mut watch: Watch,
        at: impl Fn(f64) -> [f32; N],
    ) -> Curve<[f32; N]> {
        if watch.any_spline || (watch.moving > 1 && !watch.all_step) {
            clip.even_times(self.options.fps, &mut watch.times);
        }
        let mode = if watch.all_step { Mode::Step } else { Mode::Linear };
        if watch.moving == 0 {
            return Curve::still(mode, at(0.0));
        }
        let mut curve = Curve { mode, times: Vec::new(), values: Vec::new(), tangents: Vec::new() };
        for time in clip.boundaries(std::mem::take(&mut watch.times)) {
            let second = seconds(time);
            if curve.times.last().is_none_or(|last| *last < second) {
                curve.times.push(second);
                let before = watch.ends_in_jump && time == clip.length();
                curve.values.push(at(if before { time - NEAR_THE_END } else { time }));
            }
        }
        if let Some(first) = curve.values.first().copied()
            && curve.values.iter().all(|value| *value == first)
        {
            curve.times.truncate(1);
            curve.values.truncate(1);
        }
        curve
    }

    fn point_at<const N: usize>(
        &mut self,
        film: &mut Film,
        pointer: String,
        curve: &Curve<[f32; N]>,
        rest: [f32; N],
    ) {
        if curve.values.is_empty() || curve.constant() == Some(rest) {
            return;
        }
        self.extension("KHR_animation_pointer");
        let sampler = self.keys(film, curve);
        film.pointer(pointer, sampler);
    }

    pub(super) fn pointer_channels(&mut self, film: &mut Film, clip: &Clip) {
        for index in 0..self.materials.uses.len() {
            self.color_channel(film, clip, index);
            self.transform_channels(film, clip, index);
        }
        self.light_channels(film, clip);
    }

    fn color_channel(&mut self, film: &mut Film, clip: &Clip, index: usize) {
        let Some(used) = self.materials.uses.get(index) else { return };
        if used.lit_texture && !self.options.lit_colors {
            return;
        }
        let (place, paint) = (used.index, used.paint);
        // What is left out of an animation is as in the material.
        let rest = if used.white { [1.0; 4] } else { [f32::NAN; 4] };
        let scene = self.scene;
        let Some(layer) = scene.materials.get(used.material).and_then(|it| it.layers.get(used.layer)) else {
            return;
        };
        let mesh = used.mesh.and_then(|id| scene.meshes.get(id));
        let mut watch = Watch::new();
        if let Some(mesh) = mesh {
            self.watch(clip, &mesh.color, &mut watch);
            self.watch(clip, &mesh.alpha, &mut watch);
        }
        self.watch(clip, &layer.color, &mut watch);
        self.watch(clip, &layer.alpha, &mut watch);
        self.watch(clip, &layer.color_alpha, &mut watch);
        if watch.playing == 0 {
            return;
        }
        let curve = self.look(clip, watch, |time| {
            let float = |value: &Animated<f32>| self.value(clip, value, time);
            let color = |value: &Animated<[f32; 3]>| self.value(clip, value, time);
            let [r, g, b] = mesh.map_or([1.0; 3], |mesh| color(&mesh.color));
            let [lr, lg, lb] = color(&layer.color);
            let alpha =
                mesh.map_or(1.0, |mesh| float(&mesh.alpha)) * float(&layer.alpha) * float(&layer.color_alpha);
            let [r, g, b] = paint.unwrap_or_else(|| [r * lr, g * lg, b * lb].map(linear));
            [r, g, b, alpha]
        });
        let curve = within_bounds(curve);
        self.point_at(film, format!("/materials/{place}/pbrMetallicRoughness/baseColorFactor"), &curve, rest);
    }

    fn transform_channels(&mut self, film: &mut Film, clip: &Clip, index: usize) {
        let Some(used) = self.materials.uses.get(index) else { return };
        let place = used.index;
        let Some(transform) = used.transform.and_then(|id| self.scene.texture_transforms.get(id)) else {
            return;
        };
        let path = format!(
            "/materials/{place}/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform"
        );
        let turn_of = |[_, _, z, w]: [f32; 4]| 2.0 * z.atan2(w);
        let TextureTransform { order, translation, rotation, scale } = transform;
        let turning = rotation.track.as_ref().is_some_and(|track| clip.plays(track));
        let scaling = scale.track.as_ref().is_some_and(|track| clip.plays(track));
        let moving = translation.track.as_ref().filter(|track| clip.plays(track));
        if !turning && !scaling && rotation.track.is_none() && scale.track.is_none() {
            let Some(track) = moving else { return };
            let ([sx, sy, _], turn) = (scale.base, turn_of(rotation.base.0));
            let offset = |[x, y, _]: [f32; 3]| texture_parts(*order, [x, y], turn, [sx, sy]).0;
            let [zx, zy] = offset([0.0; 3]);
            let (fps, tolerance) = (self.options.fps, self.options.curve_tolerance);
            let curve = curve::numbers(&self.sampler, clip, track, fps, tolerance).map(offset, |tangent| {
                let [x, y] = offset(tangent);
                [x - zx, y - zy]
            });
            self.point_at(film, format!("{path}/offset"), &curve, [f32::NAN; 2]);
            return;
        }
        if !turning && !scaling && moving.is_none() {
            return;
        }
        let at = |time: f64| {
            let [x, y, _] = self.value(clip, translation, time);
            let turn = turn_of(self.value(clip, rotation, time).0);
            let [sx, sy, _] = self.value(clip, scale, time);
            texture_parts(*order, [x, y], turn, [sx, sy])
        };
        let mut watch = Watch::new();
        self.watch(clip, translation, &mut watch);
        self.watch(clip, rotation, &mut watch);
        self.watch(clip, scale, &mut watch);
        // The offset is not a straight line while the rotation or the scale changes.
        watch.any_spline |= !watch.all_step;
        let all = self.look(clip, watch, |time| {
            let ([x, y], turn, [sx, sy]) = at(time);
            [x, y, turn, sx, sy]
        });
        let part = |pick: fn([f32; 5]) -> [f32; 2]| all.clone().map(pick, pick).collapse([0.0; 2]);
        let offsets = part(|[x, y, ..]| [x, y]);
        let mut turns = all.clone().map(|[_, _, turn, ..]| [turn], |_| [0.0]).collapse([0.0]);
        let scales = part(|[.., sx, sy]| [sx, sy]);
        let mut before = turns.values.first().map_or(0.0, |[turn]| *turn);
        for [turn] in &mut turns.values {
            // The next key is at most half a turn away.
            *turn += ((before - *turn) / std::f32::consts::TAU).round() * std::f32::consts::TAU;
            before = *turn;
        }
        // What an animation leaves out is as in the material.
        let (_, turn, scale) = self.rest_transform(transform);
        self.point_at(film, format!("{path}/offset"), &offsets, [f32::NAN; 2]);
        self.point_at(film, format!("{path}/rotation"), &turns, [turn]);
        self.point_at(film, format!("{path}/scale"), &scales, scale);
    }

    fn light_channels(&mut self, film: &mut Film, clip: &Clip) {
        let scene = self.scene;
        for (light, place) in scene.lights.as_slice().iter().zip(self.lights_at.clone()) {
            let Some(place) = place else { continue };
            let path = format!("/extensions/KHR_lights_punctual/lights/{place}");
            let mut watch = Watch::new();
            self.watch(clip, &light.color, &mut watch);
            if watch.playing > 0 {
                let curve = self.look(clip, watch, |time| self.value(clip, &light.color, time).map(linear));
                self.point_at(film, format!("{path}/color"), &curve, [f32::NAN; 3]);
            }
            let mut watch = Watch::new();
            self.watch(clip, &light.intensity, &mut watch);
            self.watch(clip, &light.visibility, &mut watch);
            if watch.playing > 0 {
                let curve = self.look(clip, watch, |time| {
                    let on = self.value(clip, &light.visibility, time) > 0.0;
                    [if on { self.value(clip, &light.intensity, time).max(0.0) } else { 0.0 }]
                });
                self.point_at(film, format!("{path}/intensity"), &curve, [f32::NAN]);
            }
        }
    }
}
