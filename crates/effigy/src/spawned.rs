//! Models that a model of Warcraft III shows besides itself: those that its emitters and events spawn, and those at its
//! attachments.
//!
//! Each copy becomes a part of the scene. A copy spawns nothing itself, and there are limits for all copies of a picture, so
//! a model that names itself is drawn once more and not forever.

use crate::{Model, OpenOptions, Report, open_file};
use effigy_assets::rules::slk;
use effigy_assets::{FileRef, Naming, name};
use effigy_mdx::track::tags;
use effigy_mdx::{ParticleEmitter, Tracks};
use effigy_scene::{
    Animated, GlobalSequence, Graft, Id, Ignore, Interpolation, Node, NodeKind, Play, Scene, Track,
};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Copies in one scene at most.
const MOST_COPIES: usize = 48;
/// Copies of one emitter at most.
const MOST_OF_EMITTER: u8 = 8;
/// Times of one event that spawn a copy at most.
const MOST_OF_EVENT: usize = 4;
/// Vertices of all copies together at most.
const MOST_VERTICES: usize = 400_000;
/// Keys of the way of a copy.
const STEPS: u8 = 8;
/// The table of the models that events spawn.
const SPAWN_DATA: &str = r"Splats\SpawnData.slk";

/// What is spawned into one scene.
struct Spawner<'a> {
    model: &'a Model,
    file: &'a FileRef,
    /// The scenes of models that were looked for so far.
    known: BTreeMap<String, Option<Arc<Scene>>>,
    copies: usize,
    vertices: usize,
}

impl Model {
    /// Adds the models that this one spawns to its scene, as far as they are among its files.
    pub(crate) fn spawn(&self, scene: &mut Scene, report: &mut Report) {
        let (Self::Mdx(model), Some(mut spawner)) = (self, self.spawner()) else { return };
        spawner.emitters(&model.particle_emitters, scene, report);
        spawner.events(scene, report);
        spawner.attachments(scene, report);
        spawner.finish(scene, report);
    }

    /// Adds the models that its attachments name to its scene, as far as they are among its files.
    #[cfg(feature = "gltf")]
    pub(crate) fn follow_attachments(&self, scene: &mut Scene, report: &mut Report) {
        let Some(mut spawner) = self.spawner() else { return };
        spawner.attachments(scene, report);
        spawner.finish(scene, report);
    }

    fn spawner(&self) -> Option<Spawner<'_>> {
        let file = self.file().filter(|_| self.naming() == Naming::Warcraft3)?;
        Some(Spawner { model: self, file, known: BTreeMap::new(), copies: 0, vertices: 0 })
    }
}

/// The largest value of a track, or the value without one.
fn largest(tracks: &Tracks, tag: effigy_wire::Tag, base: f32) -> f32 {
    let keys = tracks.get(tag).and_then(|track| track.keys::<f32>());
    let value = keys.map_or(base, |keys| keys.map(|key| key.value).fold(0.0, f32::max));
    if value.is_finite() { value } else { 0.0 }
}

/// Numbers that are spread evenly between -1 and 1.
fn spread(number: u8, share: f32) -> f32 {
    ((f32::from(number) + 0.5) * share).fract() * 2.0 - 1.0
}

#[allow(clippy::cast_possible_truncation, reason = "a time of at most a minute")]
fn milliseconds(seconds: f32) -> i32 {
    (seconds * 1000.0).round() as i32
}

impl Spawner<'_> {
    /// Makes the scene consistent again, if something was added.
    fn finish(self, scene: &mut Scene, report: &mut Report) {
        if self.copies > 0 {
            effigy_scene::repair(scene, report);
        }
    }

    /// The scene of a model by its path; none if it is missing, broken, or beyond the limits.
    fn find(&mut self, path: &str) -> Option<Arc<Scene>> {
        let found = match self.known.get(&name::key(path)) {
            Some(known) => known.clone(),
            None => {
                let found = self.open(path).map(Arc::new);
                self.known.insert(name::key(path), found.clone());
                found
            }
        }?;
        let vertices: usize = found.meshes.as_slice().iter().map(|mesh| mesh.positions.len()).sum();
        if self.copies >= MOST_COPIES || self.vertices + vertices > MOST_VERTICES {
            return None;
        }
        self.copies += 1;
        self.vertices += vertices;
        Some(found)
    }

    fn open(&self, path: &str) -> Option<Scene> {
        let assets = &self.model.origin().assets;
        let candidates =
            [name::with_extension(path, "mdx"), path.to_owned(), name::with_extension(path, "mdl")];
        let found = candidates.iter().find_map(|candidate| assets.path(self.file, candidate))?;
        let options =
            OpenOptions { limits: *assets.limits(), assets: Arc::clone(assets), ..OpenOptions::default() };
        let model = open_file(&FileRef::inside(found.source, found.entry), &options).ok()?;
        Some(model.lower().ok()?.scene)
    }

    /// Adds a node that carries a copy: at a point of another node, with or without its rotation and scale.
    fn carrier(scene: &mut Scene, parent: Id<Node>, at: [f32; 3], turned: bool) -> Id<Node> {
        let mut node = Node::new("spawned", NodeKind::Helper, Some(parent), [0.0; 3]);
        node.translation = Animated::fixed(at);
        node.ignore = Ignore { translation: false, rotation: !turned, scale: !turned };
        scene.nodes.push(node)
    }

    /// Emitters of models: some copies that are on their way at the same time, each at another part of it.
    fn emitters(&mut self, emitters: &[ParticleEmitter], scene: &mut Scene, report: &mut Report) {
        let effects: Vec<_> = scene
            .effects
            .as_slice()
            .iter()
            .enumerate()
            .filter(|(_, effect)| effect.kind == "modelEmitter")
            .map(|(at, effect)| (at, effect.clone()))
            .collect();
        for ((at, effect), emitter) in effects.into_iter().zip(emitters) {
            let place = format!("effects[{at}]");
            let life = largest(&emitter.tracks, tags::KPEL, emitter.life_span).clamp(0.0, 60.0);
            let rate = largest(&emitter.tracks, tags::KPEE, emitter.emission_rate).clamp(0.0, 1000.0);
            if effect.path.is_empty() || life < 0.01 || rate * life < 0.01 {
                continue;
            }
            let copies = (1..=MOST_OF_EMITTER).find(|count| f32::from(*count) >= rate * life);
            let copies = copies.unwrap_or(MOST_OF_EMITTER);
            for number in 0..copies {
                let Some(part) = self.find(&effect.path) else {
                    report.dropped(
                        place.clone(),
                        format!("the model {} that it emits is missing, or one too many", effect.path),
                    );
                    break;
                };
                let pivot = scene.nodes.get(effect.node).map_or([0.0; 3], |node| node.pivot);
                let share = f32::from(number) / f32::from(copies);
                let mut way = Node::new("way", NodeKind::Helper, Some(effect.node), pivot);
                way.translation.track = Some(self::way(emitter, scene, life, number, share));
                let way = scene.nodes.push(way);
                let node = Self::carrier(scene, way, pivot, false);
                let graft = Graft { node, play: Play::Loop, visibility: effect.visibility.clone() };
                effigy_scene::graft(scene, &part, &graft);
            }
        }
    }

    /// Events that spawn a model where and when they happen.
    fn events(&mut self, scene: &mut Scene, report: &mut Report) {
        let is_spawn = |name: &str| name.get(..3).is_some_and(|kind| kind.eq_ignore_ascii_case("SPN"));
        let events: Vec<_> =
            scene.events.as_slice().iter().filter(|event| is_spawn(&event.name)).cloned().collect();
        if events.is_empty() {
            return;
        }
        let table = self.model.assets().path(self.file, SPAWN_DATA).and_then(|found| found.read().ok());
        let Some(table) = table else {
            report.dropped("events", format!("{} spawn models; {SPAWN_DATA} is missing", events.len()));
            return;
        };
        let models = slk::column(&String::from_utf8_lossy(&table), "Model");
        for event in events {
            let code = event.name.get(4..).unwrap_or_default().to_lowercase();
            let path = models.get(&code);
            for time in event.times.iter().take(if event.global.is_none() { MOST_OF_EVENT } else { 0 }) {
                let playing = scene.sequences.as_slice().iter().find(|it| (it.start..=it.end).contains(time));
                let Some([start, end]) = playing.map(|it| [it.start, it.end]) else { continue };
                let Some(part) = path.and_then(|path| self.find(path)) else {
                    report.dropped("events", format!("the model that {} spawns is missing", event.name));
                    break;
                };
                let length = part.sequences.as_slice().first().map_or(0, effigy_scene::Sequence::length);
                let until = time.saturating_add(length).min(end);
                let times = vec![start.min(time.saturating_sub(1)), *time, until.saturating_add(1)];
                let track = Track {
                    interpolation: Interpolation::Step,
                    ..Track::linear(times, vec![0.0, 1.0, 0.0], 0.0)
                };
                let visibility = Animated { base: 0.0, track: Some(track) };
                let node = Self::carrier(scene, event.node, event.position, false);
                effigy_scene::graft(
                    scene,
                    &part,
                    &Graft { node, play: Play::Once([*time, until]), visibility },
                );
            }
        }
    }

    /// Attachments that name a model.
    fn attachments(&mut self, scene: &mut Scene, report: &mut Report) {
        let named: Vec<_> =
            scene.attachments.as_slice().iter().filter(|it| !it.path.is_empty()).cloned().collect();
        for attachment in named {
            let Some(part) = self.find(&attachment.path) else {
                report.dropped("attachments", format!("the model {} is missing", attachment.path));
                continue;
            };
            let node = Self::carrier(scene, attachment.node, attachment.position, true);
            let graft = Graft { node, play: Play::Loop, visibility: attachment.visibility.clone() };
            effigy_scene::graft(scene, &part, &graft);
        }
    }
}

/// The way of one copy from its birth to its end, again and again. `share` of it has passed when the clock starts.
fn way(emitter: &ParticleEmitter, scene: &mut Scene, life: f32, number: u8, share: f32) -> Track<[f32; 3]> {
    let largest = |tag, base| largest(&emitter.tracks, tag, base);
    let speed = largest(tags::KPES, emitter.speed);
    let gravity = largest(tags::KPEG, emitter.gravity);
    let (sin_a, cos_a) = (spread(number, 0.618_034) * largest(tags::KPLT, emitter.latitude)).sin_cos();
    let (sin_b, cos_b) = (spread(number, 0.754_878) * largest(tags::KPLN, emitter.longitude)).sin_cos();
    let direction = [sin_a * cos_b, sin_a * sin_b, cos_a];
    let length = milliseconds(life).max(i32::from(STEPS) * 2);
    let born = milliseconds(life * (1.0 - share)).rem_euclid(length);
    let clock = scene.global_sequences.push(GlobalSequence { length: length.unsigned_abs() });
    let mut keys: Vec<(i32, [f32; 3])> = (0..=STEPS)
        .map(|step| {
            let age = life * f32::from(step) / f32::from(STEPS);
            let [x, y, z] = direction.map(|along| along * speed * age);
            // The end is a millisecond before the next birth.
            let time = if step == STEPS { born - 1 } else { born + milliseconds(age) };
            (time.rem_euclid(length), [x, y, z - 0.5 * gravity * age * age])
        })
        .collect();
    keys.sort_by_key(|(time, _)| *time);
    let (times, values) = keys.into_iter().unzip();
    Track { global: Some(clock), ..Track::linear(times, values, [0.0; 3]) }
}
