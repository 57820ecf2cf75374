//! A model on stage: a moment of a sequence with everything that moves, particles and ribbons included.

use effigy_scene::sample::{Moment, Particles, Pose, Ribbons, Sampler, View};
use effigy_scene::{Id, Mesh, ParticleEmitter, Ribbon, Scene, Sequence, ValidScene};
use effigy_wire::Report;
use std::collections::BTreeSet;

/// Milliseconds of one step of particles and ribbons.
const STEP: f64 = 1000.0 / 30.0;
/// Particles of all emitters together, since the model is untrusted.
const MOST_PARTICLES: usize = 40_000;
/// Edges of one ribbon.
const MOST_EDGES: usize = 2_000;
/// Seconds that particles play before a picture is taken, at least and at most.
const WARM_UP: [f32; 2] = [1.0, 3.0];
/// A fixed seed, so that pictures are the same every time.
const SEED: u64 = 0x00EF_F161;
/// How long particles and ribbons play before the moment that is shown.
///
/// Where they are at a given time can only be found by playing them. The full warm-up takes 30 to 90 steps of all
/// emitters, which is too slow for every movement of a slider.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum WarmUp {
    /// As long as the longest-lived particle, at least 1 and at most 3 seconds: clouds look as if they had always been
    /// there.
    #[default]
    Full,
    /// The same, but at most so many seconds. Clouds look thinner than they are.
    AtMost(f32),
}

impl WarmUp {
    /// A quarter of a second, while a user drags a slider. When it is released, go to the moment again with
    /// [`WarmUp::Full`].
    pub const SCRUBBING: Self = Self::AtMost(0.25);
}

/// Parts of a model that are left out of pictures, in addition to those that the model itself hides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hidden {
    /// Meshes.
    pub meshes: BTreeSet<Id<Mesh>>,
    /// Particle emitters.
    pub emitters: BTreeSet<Id<ParticleEmitter>>,
    /// Ribbons.
    pub ribbons: BTreeSet<Id<Ribbon>>,
    /// Meshes that are shown although the model hides them, such as parts that a character does not wear.
    pub shown: BTreeSet<Id<Mesh>>,
}

/// A model at a moment. It shares the scene with whoever else holds a clone.
#[derive(Debug)]
pub struct Stage {
    scene: ValidScene,
    pose: Pose,
    particles: Particles,
    ribbons: Ribbons,
    moment: Moment,
    /// The level of detail that is drawn; the finest unless the caller chose another.
    level: Option<u32>,
    hidden: Hidden,
}

impl Stage {
    /// A model at rest.
    #[must_use]
    pub fn new(scene: ValidScene) -> Self {
        let mut stage = Self::unposed(scene);
        stage.show(None);
        stage
    }

    pub(crate) fn unposed(scene: ValidScene) -> Self {
        let sampler = Sampler::new(&scene);
        Self {
            pose: sampler.pose(),
            particles: Self::no_particles(&sampler),
            ribbons: Ribbons::new(&sampler, MOST_EDGES),
            moment: Moment::default(),
            level: scene.meshes.as_slice().iter().filter_map(|mesh| mesh.lod).min(),
            hidden: Hidden::default(),
            scene,
        }
    }

    fn no_particles(sampler: &Sampler<'_>) -> Particles {
        Particles::new(sampler, SEED, Self::most_particles(sampler.scene()))
    }

    /// Particles of one emitter at most.
    fn most_particles(scene: &Scene) -> usize {
        (MOST_PARTICLES / scene.emitters.len().max(1)).clamp(16, MOST_PARTICLES)
    }

    /// Reports emitters and ribbons that reached the limit.
    pub(crate) fn report(&self, report: &mut Report) {
        let most = Self::most_particles(self.scene());
        for (id, _) in self.scene().emitters.iter().filter(|(id, _)| self.particles.of(*id).len() >= most) {
            let place = format!("emitters[{}]", id.index());
            report.approximated(place, format!("it asks for more than {most} particles at once"));
        }
        // One more edge is at the node itself.
        for (id, _) in
            self.scene().ribbons.iter().filter(|(id, _)| self.ribbons.edges(*id).count() > MOST_EDGES)
        {
            let place = format!("ribbons[{}]", id.index());
            report.approximated(place, format!("it asks for more than {MOST_EDGES} edges at once"));
        }
    }

    /// The sequence that a person means by a name; see [`effigy_scene::find_sequence`].
    #[must_use]
    pub fn find_sequence(scene: &Scene, name: &str) -> Option<Id<Sequence>> {
        effigy_scene::find_sequence(&scene.sequences, name)
    }

    /// Whether particles or ribbons move between frames.
    #[must_use]
    pub fn has_effects(&self) -> bool {
        !self.scene().emitters.is_empty() || !self.scene().ribbons.is_empty()
    }

    /// Goes to a time of a sequence (milliseconds). Particles and ribbons have played for a while when it is reached.
    pub fn start(&mut self, sequence: Option<Id<Sequence>>, time: f64, view: Option<&View>) {
        self.start_after(WarmUp::Full, sequence, time, view);
    }

    /// Like [`Stage::start`] with another warm-up of particles and ribbons, such as [`WarmUp::SCRUBBING`].
    pub fn start_after(
        &mut self,
        warm_up: WarmUp,
        sequence: Option<Id<Sequence>>,
        time: f64,
        view: Option<&View>,
    ) {
        let time = if time.is_finite() { time.clamp(0.0, 1e9) } else { 0.0 };
        let target = Moment { sequence, time, clock: time };
        self.particles = Self::no_particles(&self.sampler());
        self.ribbons = Ribbons::new(&self.sampler(), MOST_EDGES);
        self.moment = target;
        if self.has_effects() {
            let playing = sequence.and_then(|id| self.scene().sequences.get(id));
            let length = playing.map_or(0.0, |playing| f64::from(playing.length()));
            let looping = playing.is_none_or(|playing| playing.looping);
            let full = f64::from(self.warm_up(&target)) * 1000.0;
            let warm_up = match warm_up {
                WarmUp::Full => full,
                WarmUp::AtMost(seconds) => full.min(f64::from(seconds.max(0.0)) * 1000.0),
            };
            // A looping sequence has already played before; another one begins at its first millisecond.
            let before = if looping { warm_up } else { warm_up.min(time) };
            let rounds = if looping && length > 0.0 { (before / length).ceil() * length } else { before };
            let steps = (before / STEP).ceil().max(1.0);
            let shift = if looping { rounds } else { 0.0 };
            let mut left = steps;
            while left >= 0.0 {
                let back = left / steps * before;
                self.moment = Moment { sequence, time: time + shift - back, clock: time + shift - back };
                self.step(if left < steps { before / steps } else { 0.0 }, view);
                left -= 1.0;
            }
        }
        self.show(view);
    }

    fn warm_up(&self, moment: &Moment) -> f32 {
        let lives = self.scene().emitters.as_slice().iter().map(|emitter| {
            let life = self.sampler().value(&emitter.lifespan, moment);
            if life.is_finite() { life } else { 0.0 }
        });
        let [least, most] = WARM_UP;
        lives.fold(least, f32::max).min(most)
    }

    /// Advances by some milliseconds.
    pub fn advance(&mut self, milliseconds: f64, view: Option<&View>) {
        let total = milliseconds.clamp(0.0, 10_000.0);
        if self.has_effects() {
            let mut left = total;
            while left > 0.0 {
                let step = left.min(STEP);
                self.moment.time += step;
                self.moment.clock += step;
                self.step(step, view);
                left -= step;
            }
        } else {
            self.moment.time += total;
            self.moment.clock += total;
        }
        self.show(view);
    }

    fn step(&mut self, milliseconds: f64, view: Option<&View>) {
        let sampler = Sampler::new(&self.scene);
        sampler.sample(&self.moment, view, &mut self.pose);
        #[allow(clippy::cast_possible_truncation, reason = "a step is a fraction of a second")]
        let seconds = (milliseconds / 1000.0) as f32;
        self.particles.step(&sampler, &self.pose, seconds);
        self.ribbons.step(&sampler, &self.pose, seconds);
    }

    /// Poses the model for a view without advancing the time: billboards turn to it.
    pub fn show(&mut self, view: Option<&View>) {
        Sampler::new(&self.scene).sample(&self.moment, view, &mut self.pose);
    }

    /// The scene.
    #[must_use]
    pub const fn scene(&self) -> &ValidScene {
        &self.scene
    }

    /// A sampler of the scene.
    #[must_use]
    pub fn sampler(&self) -> Sampler<'_> {
        Sampler::new(&self.scene)
    }

    /// The pose at the moment: nodes, colours and textures. Vertices stay at rest; the device moves them.
    #[must_use]
    pub const fn pose(&self) -> &Pose {
        &self.pose
    }

    pub(crate) const fn particles(&self) -> &Particles {
        &self.particles
    }

    pub(crate) const fn ribbons(&self) -> &Ribbons {
        &self.ribbons
    }

    /// Leaves parts out of pictures from now on. Framing ignores them too.
    pub fn hide(&mut self, hidden: Hidden) {
        self.hidden = hidden;
    }

    /// What is left out.
    #[must_use]
    pub const fn hidden(&self) -> &Hidden {
        &self.hidden
    }

    /// The levels of detail that the model has, the finest first; empty where it has only one.
    #[must_use]
    pub fn levels(&self) -> Vec<u32> {
        let levels: BTreeSet<u32> = self.scene.meshes.as_slice().iter().filter_map(|mesh| mesh.lod).collect();
        levels.into_iter().collect()
    }

    /// Draws this level of detail instead of the finest.
    pub const fn show_level(&mut self, level: u32) {
        if self.level.is_some() {
            self.level = Some(level);
        }
    }

    /// Whether a mesh belongs to the level of detail that is drawn and to the visible parts.
    #[must_use]
    pub fn draws(&self, id: Id<Mesh>, mesh: &Mesh) -> bool {
        (mesh.shown || self.hidden.shown.contains(&id))
            && (mesh.lod.is_none() || mesh.lod == self.level)
            && !self.hidden.meshes.contains(&id)
    }

    /// Poses the vertices too, for a moment and a view.
    pub(crate) fn pose_at(&mut self, moment: Moment, view: Option<&View>) {
        self.moment = moment;
        let sampler = Sampler::new(&self.scene);
        sampler.sample(&self.moment, view, &mut self.pose);
        sampler.skin(&mut self.pose);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use effigy_scene::{Animated, Node, NodeKind, ParticleEmitter, validate};

    #[test]
    fn hidden_meshes_and_other_levels_are_not_drawn() {
        let mut scene = Scene::default();
        for lod in [Some(0), Some(1), None] {
            scene.meshes.push(Mesh { lod, shown: true, ..Mesh::new("mesh") });
        }
        scene.meshes.push(Mesh { shown: false, ..Mesh::new("not worn") });
        let mut stage = Stage::new(validate(scene).unwrap());
        let drawn = |stage: &Stage| -> Vec<usize> {
            let meshes = stage.scene().meshes.iter();
            meshes.filter(|(id, mesh)| stage.draws(*id, mesh)).map(|(id, _)| id.index()).collect()
        };
        assert_eq!((stage.levels(), drawn(&stage)), (vec![0, 1], vec![0, 2]));
        stage.show_level(1);
        assert_eq!(drawn(&stage), [1, 2]);
        let (meshes, shown) = (BTreeSet::from([Id::new(1)]), BTreeSet::from([Id::new(3)]));
        stage.hide(Hidden { meshes, shown, ..Hidden::default() });
        assert_eq!(drawn(&stage), [2, 3]);
    }

    #[test]
    fn a_short_warm_up_shows_only_the_particles_of_its_time() {
        let mut scene = Scene::default();
        let node = scene.nodes.push(Node::new("node", NodeKind::Bone, None, [0.0; 3]));
        let mut emitter = ParticleEmitter::new("emitter", node);
        emitter.rate = Animated::fixed(100.0);
        emitter.lifespan = Animated::fixed(2.0);
        let id = scene.emitters.push(emitter);
        let mut stage = Stage::new(validate(scene).unwrap());
        // 100 particles a second for 2 seconds, or for a quarter of a second.
        for (warm_up, expected) in [(WarmUp::Full, 200), (WarmUp::SCRUBBING, 25), (WarmUp::AtMost(0.0), 0)] {
            stage.start_after(warm_up, None, 5000.0, None);
            let found = stage.particles.of(id).len();
            assert!(found.abs_diff(expected) <= 10, "{warm_up:?}: {found}");
        }
    }
}
