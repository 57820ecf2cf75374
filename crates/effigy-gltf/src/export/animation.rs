//! Animations: one per sequence and one per global sequence.

use super::bake::{Bake, Skeleton};
use super::clip::{Clip, LONGEST};
use super::curve::{self, Curve, Fineness, Mode, Off, seconds};
use super::{Builder, HIDDEN, ROOT, describe, fixtures, rest};
use crate::Visibility;
use crate::buffer::{Layout, Quick, U8, Use};
use crate::json::{Animation, AnimationSampler, Channel, Object, Target};
use effigy_scene::coordinates::{scale_swapped, to_y_up};
use effigy_scene::{Id, Node, NodeRule, Rotation, Sequence};
use effigy_wire::{Error, Kind, Result};
use std::collections::{HashMap, HashSet};

/// Channels of all animations together, at most.
const MOST_CHANNELS: usize = 1 << 21;

/// The share of the tolerance that a position of a model of frames may use: errors of joints above each other add up.
pub(super) const SHARE_OF_FRAMES: f32 = 0.25;

/// An animation while it is built.
#[derive(Default)]
pub(super) struct Film {
    channels: Vec<Channel>,
    samplers: Vec<AnimationSampler>,
    known: HashMap<AnimationSampler, usize, Quick>,
    /// Latest key in seconds.
    pub end: f32,
}

impl Film {
    fn sampler(&mut self, sampler: AnimationSampler) -> usize {
        *self.known.entry(sampler).or_insert_with(|| {
            self.samplers.push(sampler);
            self.samplers.len() - 1
        })
    }

    fn node(&mut self, node: usize, path: &'static str, sampler: AnimationSampler) {
        let sampler = self.sampler(sampler);
        self.channels.push(Channel { sampler, target: Target { node: Some(node), path, extensions: None } });
    }

    fn finish(mut self, name: String, extras: Object) -> Animation {
        self.channels.shrink_to_fit();
        self.samplers.shrink_to_fit();
        Animation { name, channels: self.channels, samplers: self.samplers, extras }
    }

    pub(super) fn pointer(&mut self, pointer: String, sampler: AnimationSampler) {
        let sampler = self.sampler(sampler);
        let extensions =
            Object::default().with("KHR_animation_pointer", Object::default().with("pointer", pointer));
        let extensions = Some(Box::new(extensions));
        self.channels.push(Channel { sampler, target: Target { node: None, path: "pointer", extensions } });
    }
}

impl Builder<'_> {
    /// Writes the keys of a curve.
    pub(super) fn keys<const N: usize>(
        &mut self,
        film: &mut Film,
        curve: &Curve<[f32; N]>,
    ) -> AnimationSampler {
        self.too_large |= self.bin.length() > self.options.animation_bytes;
        if self.too_large {
            // The export fails at its end: nothing more is collected for it.
            let input = self.bin.times(&[0.0]);
            let output = self.bin.floats(Use::Animation, &[[0.0_f32; N]], false);
            return AnimationSampler { input, interpolation: Mode::Step.name(), output };
        }
        film.end = film.end.max(curve.times.last().copied().unwrap_or(0.0));
        let input = self.bin.times(&curve.times);
        let output = if curve.mode == Mode::Cubic {
            let rows: Vec<[f32; N]> = curve
                .values
                .iter()
                .zip(&curve.tangents)
                .flat_map(|(value, [into, out])| [*into, *value, *out])
                .collect();
            self.bin.floats(Use::Animation, &rows, false)
        } else {
            self.bin.floats(Use::Animation, &curve.values, false)
        };
        AnimationSampler { input, interpolation: curve.mode.name(), output }
    }

    const fn animates(&self) -> bool {
        self.options.animate && self.options.pose.is_none()
    }

    /// What plays in the animation of a sequence.
    pub(super) fn clip(&self, id: Id<Sequence>) -> Clip {
        let length = self.scene.sequences.get(id).map_or(0, Sequence::length);
        Clip::Sequence { id, length: f64::from(length).min(LONGEST), unroll: !self.options.keep_globals }
    }

    /// The sequences that are written, in the order of their animations.
    pub(super) fn chosen(&self) -> Vec<Id<Sequence>> {
        let mut list = if self.animates() { rest::play_list(self.scene) } else { Vec::new() };
        list.retain(|id| self.scene.sequences.get(*id).is_some_and(|it| self.options.chooses(*id, &it.name)));
        list
    }

    /// Everything that is written as an animation.
    pub(super) fn all_clips(&self) -> Vec<Clip> {
        let mut clips: Vec<Clip> = self.chosen().into_iter().map(|id| self.clip(id)).collect();
        if self.animates() && (self.options.keep_globals || clips.is_empty()) {
            clips.extend(self.global_clips());
        }
        clips
    }

    /// Global sequences that something follows.
    fn global_clips(&self) -> Vec<Clip> {
        let used = self.scene.global_sequences.iter().zip(&self.scene.info().globals);
        let used = used.filter(|((_, global), used)| **used && global.length > 0);
        used.map(|((id, global), _)| Clip::Global { id, length: f64::from(global.length).min(LONGEST) })
            .collect()
    }

    pub(super) fn add_animations(&mut self) -> Result<()> {
        if self.animates() {
            self.add_films();
        }
        let channels: usize = self.animations.iter().map(|it| it.channels.len()).sum();
        if self.too_large {
            let most = self.options.animation_bytes >> 20;
            let text =
                format!("the animations need more than {most} MB; the times of sequences may be wrong");
            return Err(Error::new(Kind::Limit, text)
                .hint("fewer animations (--animations) or fewer samples a second (--fps) need less"));
        }
        if channels > MOST_CHANNELS {
            let text = format!("the animations have more than {MOST_CHANNELS} channels");
            return Err(Error::new(Kind::Limit, text).hint("fewer animations (--animations) have less"));
        }
        Ok(())
    }

    fn add_films(&mut self) {
        let bake = self.baked_nodes();
        // The same nodes rest in every sequence, so one skeleton serves them all.
        let mut skeleton = None;
        let chosen = self.chosen();
        let mut channels = 0;
        for id in &chosen {
            let Some(sequence) = self.scene.sequences.get(*id) else { continue };
            let clip = self.clip(*id);
            if f64::from(sequence.length()) > LONGEST {
                self.report.approximated(
                    format!("sequences[{}]", id.index()),
                    format!(
                        "lasts {} s; the first {} s were written",
                        sequence.length() / 1000,
                        seconds(LONGEST)
                    ),
                );
            }
            if skeleton.is_none() {
                skeleton = self.skeleton(&clip, &bake);
            }
            let mut film = self.film(&clip, &bake, skeleton.as_ref());
            self.reach_the_end(&mut film, &clip);
            let name = if self.options.loop_suffix && sequence.looping {
                self.unique("animation", &format!("{}-loop", sequence.name), "Sequence-loop")
            } else {
                self.unique("animation", &sequence.name, "Sequence")
            };
            self.clips.push((*id, name.clone()));
            let extras = describe::sequence(sequence);
            channels += film.channels.len();
            self.animations.push(film.finish(name, extras));
            if self.too_large || channels > MOST_CHANNELS {
                return;
            }
        }
        if !self.options.keep_globals && !chosen.is_empty() {
            return;
        }
        for clip in self.global_clips() {
            let Clip::Global { id, .. } = clip else { continue };
            let length = self.scene.global_sequences.get(id).map_or(0, |global| global.length);
            let skeleton = self.skeleton(&clip, &bake);
            let mut film = self.film(&clip, &bake, skeleton.as_ref());
            if film.channels.is_empty() {
                continue;
            }
            self.reach_the_end(&mut film, &clip);
            let name = self.unique("animation", &format!("Global {}", id.index()), "Global");
            let extras = Object::default()
                .with("globalSequence", id.index())
                .with("length", length)
                .with("looping", true);
            self.report.approximated(format!("global_sequences[{}]", id.index()), "an animation of its own");
            self.animations.push(film.finish(name, extras));
        }
    }

    /// An animation lasts as long as its sequence, even when nothing moves at its end.
    fn reach_the_end(&mut self, film: &mut Film, clip: &Clip) {
        let end = seconds(clip.length());
        if film.end >= end && !film.channels.is_empty() {
            return;
        }
        let still = Curve {
            mode: Mode::Linear,
            times: if end > 0.0 { vec![0.0, end] } else { vec![0.0] },
            values: if end > 0.0 { vec![[0.0_f32; 3]; 2] } else { vec![[0.0; 3]] },
            tangents: Vec::new(),
        };
        let sampler = self.keys(film, &still);
        film.node(ROOT, "translation", sampler);
    }

    fn film(&mut self, clip: &Clip, bake: &Bake, skeleton: Option<&Skeleton>) -> Film {
        let mut film = Film::default();
        for ((id, node), baked) in self.scene.nodes.iter().zip(&bake.is_baked) {
            if !*baked {
                self.node_channels(&mut film, clip, id, node);
            }
        }
        if let Some(skeleton) = skeleton {
            self.baked_channels(&mut film, clip, &bake.nodes, skeleton);
            self.blend_channels(&mut film, clip, skeleton);
        }
        self.visibility_channels(&mut film, clip);
        self.morph_channels(&mut film, clip);
        self.camera_channels(&mut film, clip);
        if self.options.animate_materials && !self.options.draft {
            self.pointer_channels(&mut film, clip);
        }
        film
    }

    fn node_channels(&mut self, film: &mut Film, clip: &Clip, id: Id<Node>, node: &Node) {
        let target = self.node(id);
        let (fps, tolerance) = (self.options.fps, self.options.curve_tolerance);
        if let Some(track) = node.translation.track.as_ref().filter(|track| clip.plays(track)) {
            let [ox, oy, oz] = self.offset(node);
            let tolerance = tolerance.map(|tolerance| tolerance * self.size);
            let curve = curve::numbers(&self.sampler, clip, track, fps, tolerance)
                .map(|[x, y, z]| to_y_up([x + ox, y + oy, z + oz]), to_y_up);
            let rest = self.nodes.get(target).and_then(|it| it.translation).unwrap_or([0.0; 3]);
            let tolerance = tolerance.map(|tolerance| tolerance * SHARE_OF_FRAMES);
            let curve = self.thin(curve, rest, tolerance, curve::off_line);
            self.channel(film, target, "translation", curve, false);
        }
        if let Some(track) = node.rotation.track.as_ref().filter(|track| clip.plays(track)) {
            let fineness = Fineness { fps, tolerance: self.options.rotation_tolerance };
            let (curve, error) = curve::rotations(&self.sampler, clip, track, fineness);
            if track.interpolation.is_spline() && curve.values.len() > 1 {
                self.sampled_rotations += 1;
                self.rotation_error = self.rotation_error.max(error);
            }
            let curve = curve.map(fixtures::rotation_parts, fixtures::rotation_parts);
            let rest = self.nodes.get(target).and_then(|it| it.rotation).unwrap_or(Rotation::IDENTITY.0);
            let tolerance = Some(curve::rotation_chord(self.options.rotation_tolerance));
            let curve = self.thin(curve, rest, tolerance, curve::off_arc);
            self.channel(film, target, "rotation", curve, false);
        }
        if let Some(track) = node.scale.track.as_ref().filter(|track| clip.plays(track)) {
            let curve =
                curve::numbers(&self.sampler, clip, track, fps, tolerance).map(scale_swapped, scale_swapped);
            self.channel(film, target, "scale", curve, false);
        }
    }

    /// Whether the model was stored frame by frame, so that keys may be left out.
    pub(super) fn is_sampled(&self) -> bool {
        self.scene.node_rule == NodeRule::Wolfenstein
            && self.options.curve_tolerance.is_some()
            && self.scene.meshes.as_slice().iter().any(|mesh| mesh.skin.is_some())
    }

    /// The curve without the keys that a model of frames does not need.
    pub(super) fn thin<const N: usize>(
        &mut self,
        curve: Curve<[f32; N]>,
        rest: [f32; N],
        tolerance: Option<f32>,
        off: Off<N>,
    ) -> Curve<[f32; N]> {
        let Some(tolerance) = tolerance.filter(|_| self.is_sampled()) else { return curve };
        let before = curve.times.len();
        let thin = curve::thinned(curve, rest, tolerance, off);
        self.frame_keys += before;
        self.left_out += before - thin.times.len();
        thin
    }

    /// Adds a channel, unless it only holds the rest value of the node and need not be written always.
    pub(super) fn channel<const N: usize>(
        &mut self,
        film: &mut Film,
        node: usize,
        path: &'static str,
        curve: Curve<[f32; N]>,
        always: bool,
    ) {
        let Some(at) = self.nodes.get(node).filter(|_| !curve.values.is_empty()) else { return };
        let (place, turn, size) = (
            at.translation.unwrap_or([0.0; 3]),
            at.rotation.unwrap_or(Rotation::IDENTITY.0),
            at.scale.unwrap_or([1.0; 3]),
        );
        let rest = match path {
            "translation" => place.as_slice(),
            "rotation" => turn.as_slice(),
            _ => size.as_slice(),
        };
        if !always && curve.constant().is_some_and(|value| value.as_slice() == rest) {
            return;
        }
        let sampler = self.keys(film, &curve);
        film.node(node, path, sampler);
        for copy in self.skin.copies.get(&node).into_iter().flatten() {
            film.node(*copy, path, sampler);
        }
    }

    fn visibility_channels(&mut self, film: &mut Film, clip: &Clip) {
        // Meshes that come and go together share joints.
        let mut done = HashSet::new();
        for index in 0..self.drawn.len() {
            let Some(drawn) = self.drawn.get(index) else { continue };
            let (node, hide) = (drawn.node, drawn.hide.clone());
            let Some(mesh) = self.scene.meshes.get(drawn.mesh).filter(|_| drawn.changes) else { continue };
            let Some(shown) = self.shown(mesh, clip) else { continue };
            // Written even if it is always shown: some programs keep the state that the last animation left.
            if self.options.visibility == Visibility::Extension && !self.options.draft {
                self.visible_pointer(film, node, &shown);
                continue;
            }
            let scale = |shown: bool| if shown { [1.0_f32; 3] } else { HIDDEN };
            let curve = shown.map(scale, scale);
            let targets = if hide.is_empty() { vec![node] } else { hide };
            for target in targets.into_iter().filter(|target| done.insert(*target)) {
                self.channel(film, target, "scale", curve.clone(), true);
            }
        }
    }

    fn visible_pointer(&mut self, film: &mut Film, node: usize, shown: &Curve<bool>) {
        let input = self.bin.times(&shown.times);
        let bytes: Vec<u8> = shown.values.iter().map(|shown| u8::from(*shown)).collect();
        let layout = Layout { usage: Use::Animation, component: U8, kind: "SCALAR", count: bytes.len() };
        let output = self.bin.push(&layout, &bytes);
        film.end = film.end.max(shown.times.last().copied().unwrap_or(0.0));
        self.extension("KHR_node_visibility");
        self.extension("KHR_animation_pointer");
        let sampler = AnimationSampler { input, interpolation: "STEP", output };
        film.pointer(format!("/nodes/{node}/extensions/KHR_node_visibility/visible"), sampler);
    }

    fn morph_channels(&mut self, film: &mut Film, clip: &Clip) {
        for index in 0..self.drawn.len() {
            let Some(drawn) = self.drawn.get(index).filter(|drawn| drawn.targets > 0) else { continue };
            let node = drawn.node;
            let Some(morph) = self.scene.meshes.get(drawn.mesh).and_then(|mesh| mesh.morph.as_ref()) else {
                continue;
            };
            let Some((input, output)) = self.morph_weights(clip, morph) else { continue };
            film.end = film.end.max(seconds(clip.length()));
            film.node(node, "weights", AnimationSampler { input, interpolation: "LINEAR", output });
        }
    }

    fn camera_channels(&mut self, film: &mut Film, clip: &Clip) {
        for (camera, node) in self.scene.cameras.as_slice().iter().zip(self.cameras_at.clone()) {
            let mut times = Vec::new();
            let mut any = false;
            for track in
                camera.translation.iter().chain(&camera.target_translation).filter(|it| clip.plays(it))
            {
                any = true;
                clip.key_times(&self.sampler, track, &mut times);
            }
            for track in camera.roll.iter().filter(|it| clip.plays(it)) {
                any = true;
                clip.key_times(&self.sampler, track, &mut times);
            }
            if !any {
                continue;
            }
            clip.even_times(self.options.fps, &mut times);
            let mut places =
                Curve { mode: Mode::Linear, times: Vec::new(), values: Vec::new(), tangents: Vec::new() };
            let mut turns = places
                .clone()
                .map(|value: [f32; 3]| value, |value| value)
                .map(|_| [0.0_f32; 4], |_| [0.0; 4]);
            for time in clip.boundaries(times) {
                let pose = self.sampler.camera(camera, &clip.moment(time));
                let (place, turn) = fixtures::camera_parts(&pose);
                let second = seconds(time);
                if places.times.last().is_some_and(|last| *last >= second) {
                    continue;
                }
                let before =
                    turns.values.last().map_or(glam::Quat::IDENTITY, |it| glam::Quat::from_array(*it));
                let turn = glam::Quat::from_array(turn);
                let turn = if turn.dot(before) < 0.0 { -turn } else { turn };
                places.times.push(second);
                places.values.push(place);
                turns.times.push(second);
                turns.values.push(turn.to_array());
            }
            self.channel(film, node, "translation", places, false);
            self.channel(film, node, "rotation", turns, false);
        }
    }
}
