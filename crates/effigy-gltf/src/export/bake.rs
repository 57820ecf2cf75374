//! Nodes that ignore transforms of their parents: glTF has no such nodes, so their motion is sampled.

use super::Builder;
use super::animation::Film;
use super::blends::Blend;
use super::clip::Clip;
use super::curve::{Curve, Mode, seconds};
use super::nodes::no_negative_zero;
use effigy_scene::coordinates::{rotation_to_y_up, scale_swapped, to_y_up};
use effigy_scene::sample::{Pose, Sampler, Value};
use effigy_scene::{Animated, Id, Node, Rotation, Scene, Track, ValidScene, validate};
use effigy_wire::Report;
use glam::{Mat4, Quat, Vec3};

/// Sampled motion of one node.
struct Baked {
    translation: Curve<[f32; 3]>,
    rotation: Curve<[f32; 4]>,
    scale: Curve<[f32; 3]>,
}

/// Which nodes are sampled.
pub(super) struct Bake {
    pub nodes: Vec<Id<Node>>,
    /// For each node of the scene: whether it is among them.
    pub is_baked: Vec<bool>,
    /// For each node of the scene: whether it is among them, has a share in a joint for several nodes, or is above such a node.
    needed: Vec<bool>,
}

/// Nodes alone, to sample poses of.
pub(super) struct Skeleton {
    pub scene: ValidScene,
    /// The nodes that are needed, parents first.
    pub order: Vec<Id<Node>>,
}

/// The most samples of nodes in all clips together; what comes after that has few.
const MOST_SAMPLES: usize = 1 << 23;
/// The most of them in one clip, which are in memory together: about 100 MB.
const MOST_OF_A_CLIP: usize = 1 << 21;
/// The times of a clip at which nodes are sampled in any case.
const FEWEST_TIMES: usize = 4;

/// Whether a track moves a node in a clip.
fn moves(node: &Node, clip: &Clip) -> bool {
    let plays = |track: &Track<[f32; 3]>| clip.plays(track);
    node.translation.track.as_ref().is_some_and(plays)
        || node.rotation.track.as_ref().is_some_and(|track| clip.plays(track))
        || node.scale.track.as_ref().is_some_and(plays)
}

fn empty<const N: usize>() -> Curve<[f32; N]> {
    Curve { mode: Mode::Linear, times: Vec::new(), values: Vec::new(), tangents: Vec::new() }
}

impl Builder<'_> {
    /// A track, if it plays; otherwise the value that the model rests with.
    fn kept<T: Value>(&self, value: &Animated<T>, clip: &Clip) -> Animated<T> {
        match value.track.as_ref().filter(|track| clip.plays(track)) {
            Some(track) => Animated { base: value.base, track: Some(track.clone()) },
            None => Animated::fixed(self.sampler.value(value, &self.rest)),
        }
    }

    /// Nodes whose motion an ordinary hierarchy cannot express.
    pub(super) fn baked_nodes(&mut self) -> Bake {
        let mut baked = Vec::new();
        for (id, node) in self.scene.nodes.iter().filter(|(_, node)| node.ignore.any()) {
            let mut above = node.parent;
            let mut moved = node.ignore.rotation && node.ignore.scale;
            while let Some(parent) = above.and_then(|id| self.scene.nodes.get(id)) {
                moved |= parent.is_animated();
                above = parent.parent;
            }
            if moved {
                baked.push(id);
            }
        }
        if !baked.is_empty() && !self.report.notes().iter().any(|note| note.path == "nodes") {
            self.report.approximated(
                "nodes",
                format!("{} nodes that do not follow their parents in full were sampled", baked.len()),
            );
        }
        let mut is_baked = vec![false; self.scene.nodes.len()];
        let mut needed = is_baked.clone();
        for id in &baked {
            if let Some(is_baked) = is_baked.get_mut(id.index()) {
                *is_baked = true;
            }
        }
        for id in baked.iter().copied().chain(self.blends.iter().flat_map(Blend::nodes)) {
            let mut at = Some(id);
            while let Some(id) = at {
                let Some(needed) = needed.get_mut(id.index()).filter(|needed| !**needed) else { break };
                *needed = true;
                at = self.scene.nodes.get(id).and_then(|node| node.parent);
            }
        }
        Bake { nodes: baked, is_baked, needed }
    }

    /// The nodes that are needed, moved only by the tracks that play in a clip: what another clip moves
    /// rests in this one. None if there are no such nodes, or if none of them moves in a global sequence.
    pub(super) fn skeleton(&self, clip: &Clip, bake: &Bake) -> Option<Skeleton> {
        let nodes = || self.scene.nodes.as_slice().iter().zip(&bake.needed);
        if !bake.needed.contains(&true)
            || matches!(clip, Clip::Global { .. })
                && !nodes().any(|(node, needed)| *needed && moves(node, clip))
        {
            return None;
        }
        let mut scene = Scene {
            key_rule: self.scene.key_rule,
            turn_rule: self.scene.turn_rule,
            node_rule: self.scene.node_rule,
            ..Scene::default()
        };
        scene.sequences = self.scene.sequences.clone();
        scene.global_sequences = self.scene.global_sequences.clone();
        for (node, needed) in nodes() {
            scene.nodes.push(if *needed {
                Node {
                    translation: self.kept(&node.translation, clip),
                    rotation: self.kept(&node.rotation, clip),
                    scale: self.kept(&node.scale, clip),
                    parent: node.parent,
                    pivot: node.pivot,
                    ignore: node.ignore,
                    billboard: node.billboard,
                    ..Node::default()
                }
            } else {
                Node::default()
            });
        }
        let scene = validate(scene).ok()?;
        let mut order = scene.info().order.clone();
        order.retain(|id| bake.needed.get(id.index()).is_some_and(|needed| *needed));
        Some(Skeleton { scene, order })
    }

    /// Scale, rotation and translation of a node relative to its parent in a pose.
    fn local(&self, pose: &Pose, id: Id<Node>) -> (Vec3, Quat, Vec3) {
        let stack = |id: Id<Node>| {
            Mat4::from_cols_array_2d(&pose.matrix(id)) * Mat4::from_translation(Vec3::from(self.pivot(id)))
        };
        let parent = self.scene.nodes.get(id).and_then(|node| node.parent);
        let above = parent.map_or(Mat4::IDENTITY, stack);
        // A parent scaled to 0 hides the child anyway.
        let back = if above.determinant().abs() > 1e-12 { above.inverse() } else { Mat4::IDENTITY };
        (back * stack(id)).to_scale_rotation_translation()
    }

    /// Puts nodes whose motion is sampled where they are at rest.
    pub(super) fn rest_baked(&mut self) {
        let bake = self.baked_nodes();
        if bake.nodes.is_empty() {
            return;
        }
        let mut pose = self.sampler.pose();
        self.sampler.sample(&self.rest, None, &mut pose);
        for id in bake.nodes {
            let mut one = Baked { translation: empty(), rotation: empty(), scale: empty() };
            one.push(0.0, self.local(&pose, id));
            let place = self.node(id);
            if let Some(node) = self.nodes.get_mut(place) {
                node.translation = one.translation.constant();
                node.rotation = one.rotation.constant();
                node.scale = one.scale.constant();
            }
        }
    }

    pub(super) fn baked_channels(
        &mut self,
        film: &mut Film,
        clip: &Clip,
        baked: &[Id<Node>],
        skeleton: &Skeleton,
    ) {
        let times = self.corner_times(clip, skeleton, baked.len());
        let mut list: Vec<Baked> =
            baked.iter().map(|_| Baked { translation: empty(), rotation: empty(), scale: empty() }).collect();
        let sampler = Sampler::new(&skeleton.scene).only(&skeleton.order);
        let mut pose = sampler.pose();
        for time in times {
            sampler.sample(&clip.moment(time), None, &mut pose);
            for (id, into) in baked.iter().zip(&mut list) {
                into.push(seconds(time), self.local(&pose, *id));
            }
        }
        for (id, curves) in baked.iter().zip(list) {
            let node = self.node(*id);
            self.channel(film, node, "translation", curves.translation.collapse([0.0; 3]), true);
            self.channel(film, node, "rotation", curves.rotation.collapse([0.0; 4]), true);
            self.channel(film, node, "scale", curves.scale.collapse([0.0; 3]), true);
        }
    }

    /// When the motion of nodes is sampled: evenly, and at every key of the skeleton.
    pub(super) fn corner_times(&mut self, clip: &Clip, skeleton: &Skeleton, nodes: usize) -> Vec<f64> {
        let mut times = Vec::new();
        // A pose has all nodes above them too.
        let each = nodes.max(skeleton.order.len()).max(1);
        let left = MOST_SAMPLES.saturating_sub(self.sampled).min(MOST_OF_A_CLIP);
        let most = (left / each).max(FEWEST_TIMES);
        let mut as_asked = clip.some_times(self.options.fps, most as f64, &mut times);
        let even = times.len();
        // Keys of what is above them are corners of their motion too.
        for node in skeleton.order.iter().filter_map(|id| self.scene.nodes.get(*id)) {
            if times.len() > most {
                break;
            }
            for track in node.translation.track.iter().chain(&node.scale.track).filter(|it| clip.plays(it)) {
                clip.key_times(&self.sampler, track, &mut times);
            }
            for track in node.rotation.track.iter().filter(|it| clip.plays(it)) {
                clip.key_times(&self.sampler, track, &mut times);
            }
        }
        if times.len() > most {
            times.truncate(even);
            as_asked = false;
        }
        if !as_asked {
            self.coarse.insert(self.animations.len());
        }
        let times = clip.boundaries(times);
        self.sampled = self.sampled.saturating_add(times.len().saturating_mul(each));
        times
    }
}

/// Says in how many animations nodes are sampled less often than asked.
pub(super) fn report_coarse(report: &mut Report, animations: usize) {
    if animations > 0 {
        let text = format!(
            "in {animations} of the animations, nodes are sampled less often than asked: they would need more than {MOST_OF_A_CLIP} samples, or all together more than {MOST_SAMPLES}"
        );
        report.approximated("animations", text);
    }
}

impl Baked {
    fn push(&mut self, time: f32, (scale, turn, place): (Vec3, Quat, Vec3)) {
        if self.translation.times.last().is_some_and(|last| *last >= time) {
            return;
        }
        let Rotation(turn) = rotation_to_y_up(Rotation(
            if turn.is_finite() { turn.normalize() } else { Quat::IDENTITY }.to_array(),
        ));
        let before = self.rotation.values.last().copied().unwrap_or([0.0, 0.0, 0.0, 1.0]);
        let turn = Quat::from_array(turn);
        let turn = if turn.dot(Quat::from_array(before)) < 0.0 { -turn } else { turn };
        let finite = |value: Vec3| if value.is_finite() { value } else { Vec3::ZERO };
        self.translation.times.push(time);
        self.translation.values.push(no_negative_zero(to_y_up(finite(place).into())));
        self.rotation.times.push(time);
        self.rotation.values.push(turn.to_array());
        self.scale.times.push(time);
        self.scale.values.push(scale_swapped(finite(scale).into()));
    }
}
