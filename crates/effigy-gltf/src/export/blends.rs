//! Joints that stand for several nodes.
//!
//! Most programs read four joints per vertex. Where no four of its nodes move a vertex almost as all of them do, the three strongest
//! keep their weights, and a joint is added that goes where the others together take the vertex. It is a child of the strongest of
//! those, so that between its keys it moves along.

use super::Builder;
use super::animation::{Film, SHARE_OF_FRAMES};
use super::bake::Skeleton;
use super::clip::Clip;
use super::curve::{self, Curve, Mode};
use super::hiding::noted;
use super::nodes::no_negative_zero;
use super::skins::EVERYWHERE;
use effigy_scene::coordinates::to_y_up;
use effigy_scene::sample::{Pose, Sampler};
use effigy_scene::{Id, Influence, Mesh, Node, Skin};
use glam::{Mat4, Vec3};
use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};

/// Such joints of a document, at most: they are in the way of whoever works with its armature.
const MOST_BLENDS: usize = 256;

/// Nodes of a vertex, at most: a file can name thousands, and each is asked for its place at every key.
const MOST_NODES: usize = 16;

/// A joint that stands for several nodes.
pub(super) struct Blend {
    /// The glTF node.
    joint: usize,
    /// The node that it is a child of.
    parent: Id<Node>,
    /// The vertex, in the bind pose.
    point: [f32; 3],
    /// The nodes that it stands for; the weights sum to 1.
    shares: Vec<Influence>,
}

impl Blend {
    /// The nodes whose motion it needs.
    pub(super) fn nodes(&self) -> impl Iterator<Item = Id<Node>> + '_ {
        self.shares.iter().map(|it| it.node)
    }

    /// Where the joint is as seen from its parent, which has this pivot.
    fn place(&self, pose: &Pose, pivot: [f32; 3]) -> [f32; 3] {
        let point = |it: &Influence| Vec3::from(pose.point(it.node, self.point)) * it.weight;
        let goal: Vec3 = self.shares.iter().map(point).sum();
        let parent = Mat4::from_cols_array_2d(&pose.matrix(self.parent));
        // Nothing leads back from a parent that is scaled to 0: the joint stays where it was bound.
        let place = match parent.determinant().abs() > 1e-12 {
            true => parent.inverse().transform_point3(goal),
            false => Vec3::from(self.point),
        };
        let place = place - Vec3::from(pivot);
        no_negative_zero(to_y_up(if place.is_finite() { place.into() } else { [0.0; 3] }))
    }
}

impl Builder<'_> {
    /// Joints and weights of the vertices of some groups, by number of the vertex, as long as there may be more joints.
    pub(super) fn blended(
        &mut self,
        mesh: &Mesh,
        skin: &Skin,
        groups: &BTreeSet<u32>,
    ) -> HashMap<usize, Vec<(u16, f32)>> {
        let mut found = HashMap::new();
        if groups.is_empty() {
            return found;
        }
        let mut known: HashMap<_, Vec<(u16, f32)>> = HashMap::new();
        let vertices = skin.vertex_groups.iter().zip(&mesh.positions).enumerate();
        let mut pose = self.sampler.pose();
        self.sampler.sample(&self.rest, None, &mut pose);
        let fits = |group: &u32| groups.contains(group) && skin.group(*group).len() <= MOST_NODES;
        for (vertex, (group, point)) in vertices.filter(|(_, (group, _))| fits(group)) {
            // Along seams of the texture several vertices are at one place.
            let nodes = skin.group(*group).iter().map(|it| (it.node.index(), it.weight.to_bits()));
            let key = (nodes.collect::<Vec<_>>(), point.map(f32::to_bits));
            let list = match known.entry(key) {
                Entry::Occupied(it) => it.get().clone(),
                Entry::Vacant(it) if self.blends.len() < MOST_BLENDS => {
                    it.insert(self.blend(skin.group(*group), *point, &pose)).clone()
                }
                Entry::Vacant(_) => continue,
            };
            found.insert(vertex, list);
        }
        found
    }

    /// The three strongest nodes and a joint for all others, given the pose of rest; the weights sum to 1.
    fn blend(&mut self, influences: &[Influence], point: [f32; 3], rest: &Pose) -> Vec<(u16, f32)> {
        let mut strongest: Vec<Influence> = Vec::with_capacity(influences.len());
        for influence in influences.iter().filter(|it| it.weight > 0.0) {
            match strongest.iter_mut().find(|it| it.node == influence.node) {
                Some(known) => known.weight += influence.weight,
                None => strongest.push(*influence),
            }
        }
        let sum: f32 = strongest.iter().map(|it| it.weight).sum();
        strongest.iter_mut().for_each(|it| it.weight /= sum);
        strongest.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        let mut shares = strongest.split_off(strongest.len().min(EVERYWHERE - 1));
        let mut list = Vec::with_capacity(EVERYWHERE);
        for influence in strongest {
            let joint = self.node(influence.node);
            list.push((self.skin.place(joint, self.pivot(influence.node)), influence.weight));
        }
        let weight: f32 = shares.iter().map(|it| it.weight).sum();
        shares.iter_mut().for_each(|it| it.weight /= weight);
        let Some(parent) = shares.first().map(|it| it.node) else { return list };
        let name = format!("{} (blend)", self.name_of(parent));
        let joint = self.child(parent, point, &name, noted(Some(parent)));
        let blend = Blend { joint, parent, point, shares };
        let place = blend.place(rest, self.pivot(parent));
        if let Some(node) = self.nodes.get_mut(joint) {
            node.translation = Some(place);
        }
        self.blends.push(blend);
        list.push((self.skin.place(joint, point), weight));
        list
    }

    /// Moves the joints in a clip.
    pub(super) fn blend_channels(&mut self, film: &mut Film, clip: &Clip, skeleton: &Skeleton) {
        if self.blends.is_empty() {
            return;
        }
        let times = self.corner_times(clip, skeleton, self.blends.len());
        let mut curves = vec![Curve::<[f32; 3]>::with_room(Mode::Linear, times.len()); self.blends.len()];
        let sampler = Sampler::new(&skeleton.scene).only(&skeleton.order);
        let mut pose = sampler.pose();
        for time in times {
            sampler.sample(&clip.moment(time), None, &mut pose);
            for (blend, curve) in self.blends.iter().zip(&mut curves) {
                curve.push(time, blend.place(&pose, self.pivot(blend.parent)), [[0.0; 3]; 2]);
            }
        }
        let tolerance = self.options.curve_tolerance.map(|it| it * self.size * SHARE_OF_FRAMES);
        let joints: Vec<usize> = self.blends.iter().map(|it| it.joint).collect();
        for (joint, curve) in joints.into_iter().zip(curves) {
            let rest = self.nodes.get(joint).and_then(|it| it.translation).unwrap_or([0.0; 3]);
            let curve = self.thin(curve.collapse([0.0; 3]), rest, tolerance, curve::off_line);
            self.channel(film, joint, "translation", curve, true);
        }
    }
}
