//! Fewer keys for nodes, so that no posed vertex is farther from its place than stated.
//!
//! Errors of a chain of nodes add up, and a turn moves far vertices most. So each track gets a share of the whole error, by the
//! number of moving tracks of its chain and by how far away the vertices are that follow it. Errors rarely add up in full: for
//! each sequence the largest shares are taken with which the posed model stays within the whole.

mod posed;

use effigy_scene::{Bounds, Id, Interpolation, Node, Scene, Track, validate};
use effigy_wire::Result;
use glam::Vec3A;
use posed::Posed;

/// Multiples of the shares that are tried, one after another.
const FACTORS: [f32; 9] = [6.0, 4.0, 2.8, 2.0, 1.4, 1.0, 0.7, 0.4, 0.2];
/// Most nodes of a scene whose keys are looked at: the time grows with the square of a chain's length.
const MOST_NODES: usize = 4096;

/// How far nodes may be off.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limit {
    /// For posed vertices and pivots, a length.
    pub length: f32,
    /// For the curve of a rotation, radians: what is attached to a node may reach farther than the vertices do.
    pub angle: f32,
}

/// What keys were removed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Thinned {
    /// How many.
    pub removed: usize,
    /// The largest distance of a vertex or a pivot from its place that was found.
    pub error: f32,
}

/// Removes keys from the nodes of a scene whose sequences do not share any time; none if it has too many nodes.
pub(super) fn thin(scene: &mut Scene, limit: Limit) -> Result<Thinned> {
    if scene.nodes.len() > MOST_NODES {
        return Ok(Thinned::default());
    }
    let full = validate(std::mem::take(scene))?;
    let followers = followers(&full);
    let mut kept: Vec<Kept> = full.nodes.as_slice().iter().map(Kept::all).collect();
    let mut done = Thinned::default();
    let mut posed = Posed::new(&full);
    for (id, sequence) in full.sequences.iter() {
        posed.play(id, sequence);
        for factor in FACTORS {
            posed.refine(followers.iter().map(|follower| follower.share(limit, factor)));
            if let Some(error) = posed.error(&followers, limit.length) {
                done.error = done.error.max(error);
                posed.take_over(&mut kept);
                break;
            }
        }
    }
    let mut made = full.into_scene();
    for (node, kept) in made.nodes.as_mut_slice().iter_mut().zip(&kept) {
        let before = keys(node);
        kept.apply(node);
        done.removed = done.removed.saturating_add(before.saturating_sub(keys(node)));
    }
    *scene = made;
    Ok(done)
}

fn keys(node: &Node) -> usize {
    let counts = [
        node.translation.track.as_ref().map_or(0, Track::len),
        node.rotation.track.as_ref().map_or(0, Track::len),
        node.scale.track.as_ref().map_or(0, Track::len),
    ];
    counts.iter().sum()
}

/// What follows a node.
#[derive(Clone, Copy, Debug)]
struct Follower {
    /// A box of the bind pose around the vertices that follow it directly and its pivot: its middle and half of its size. No
    /// vertex can be farther off than the farthest corner, since a difference of matrices is largest at a corner.
    middle: Vec3A,
    half: Vec3A,
    /// The distance of the farthest corner of the boxes that follow it or a node below it.
    reach: f32,
    /// Moving tracks of the longest chain through it.
    tracks: usize,
}

/// How far the curves of one node may be off.
#[derive(Clone, Copy, Debug)]
struct Share {
    length: f32,
    ratio: f32,
    angle: f32,
}

impl Follower {
    fn share(&self, limit: Limit, factor: f32) -> Share {
        #[allow(clippy::cast_precision_loss, reason = "a tolerance")]
        let length = limit.length * factor / (self.tracks.max(1) as f32).sqrt();
        let ratio = length / self.reach.max(length);
        Share { length, ratio, angle: ratio.min(limit.angle) }
    }
}

fn followers(scene: &Scene) -> Vec<Follower> {
    let nodes = scene.nodes.as_slice();
    let mut boxes: Vec<Bounds> = nodes.iter().map(|node| Bounds::around(&[node.pivot])).collect();
    for mesh in scene.meshes.as_slice() {
        let Some(skin) = &mesh.skin else { continue };
        let mut groups = vec![Bounds::EMPTY; skin.groups.len()];
        for (position, group) in mesh.positions.iter().zip(&skin.vertex_groups) {
            if let Some(bounds) = groups.get_mut(*group as usize) {
                *bounds = bounds.union(&Bounds::around(&[*position]));
            }
        }
        for (group, around) in (0..).zip(&groups) {
            for influence in skin.group(group) {
                if let Some(bounds) = boxes.get_mut(influence.node.index()) {
                    *bounds = bounds.union(around);
                }
            }
        }
    }
    let moving = |node: &Node| {
        let several = [
            node.translation.track.as_ref().is_some_and(|track| track.len() > 1),
            node.rotation.track.as_ref().is_some_and(|track| track.len() > 1),
            node.scale.track.as_ref().is_some_and(|track| track.len() > 1),
        ];
        several.into_iter().filter(|several| *several).count()
    };
    let around = |bounds: &Bounds| {
        let (low, high) = (Vec3A::from(bounds.min), Vec3A::from(bounds.max));
        Follower { middle: (low + high) * 0.5, half: (high - low) * 0.5, reach: 0.0, tracks: 1 }
    };
    let mut all: Vec<Follower> = boxes.iter().map(around).collect();
    for at in 0..nodes.len() {
        let mut chain = Vec::new();
        let mut next = Some(at);
        while let Some(one) = next.filter(|_| chain.len() < nodes.len()) {
            chain.push(one);
            next = nodes.get(one).and_then(|node| node.parent).map(Id::index);
        }
        let tracks = chain.iter().filter_map(|one| nodes.get(*one)).map(moving).sum();
        let Some(own) = all.get(at).copied() else { continue };
        for one in chain {
            let (Some(follower), Some(node)) = (all.get_mut(one), nodes.get(one)) else { continue };
            let farthest = (own.middle - Vec3A::from(node.pivot)).abs() + own.half;
            follower.reach = follower.reach.max(farthest.length());
            follower.tracks = follower.tracks.max(tracks);
        }
    }
    all
}

/// Which keys of the tracks of a node are kept.
struct Kept {
    translation: Vec<bool>,
    rotation: Vec<bool>,
    scale: Vec<bool>,
}

impl Kept {
    fn all(node: &Node) -> Self {
        Self {
            translation: vec![true; node.translation.track.as_ref().map_or(0, Track::len)],
            rotation: vec![true; node.rotation.track.as_ref().map_or(0, Track::len)],
            scale: vec![true; node.scale.track.as_ref().map_or(0, Track::len)],
        }
    }

    fn apply(&self, node: &mut Node) {
        fn retain<T>(track: Option<&mut Track<T>>, kept: &[bool]) {
            let Some(track) = track.filter(|track| track.interpolation == Interpolation::Linear) else {
                return;
            };
            let mut flags = kept.iter();
            track.times.retain(|_| flags.next().copied().unwrap_or(true));
            let mut flags = kept.iter();
            track.values.retain(|_| flags.next().copied().unwrap_or(true));
        }
        retain(node.translation.track.as_mut(), &self.translation);
        retain(node.rotation.track.as_mut(), &self.rotation);
        retain(node.scale.track.as_mut(), &self.scale);
    }
}

#[cfg(test)]
mod tests;
