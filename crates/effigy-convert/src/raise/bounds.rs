//! Bounds of posed models.

#[cfg(test)]
use effigy_scene::Arena;
use effigy_scene::sample::{Moment, Pose, Sampler};
use effigy_scene::{Bounds, Id, Influence, Mesh, Node, ParticleEmitter, ValidScene};
use glam::{Vec3A, Vec4};
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

mod play;
mod sweep;

pub(in crate::raise) use sweep::Sweep;

/// Bounds with the radius that belongs to them; nothing becomes a point.
pub(in crate::raise) fn closed(bounds: Bounds) -> Bounds {
    if bounds.is_empty() {
        return Bounds { min: [0.0; 3], max: [0.0; 3], radius: 0.0 };
    }
    let far = glam::Vec3::from(bounds.min).abs().max(glam::Vec3::from(bounds.max).abs());
    Bounds { radius: far.length(), ..bounds }
}

/// The nodes that vertices and emitters follow, parents before children.
pub(in crate::raise) fn followed(scene: &ValidScene) -> Vec<Id<Node>> {
    let mut needed = vec![false; scene.nodes.len()];
    let mut need = |node: Id<Node>| {
        if let Some(flag) = needed.get_mut(node.index()) {
            *flag = true;
        }
    };
    let skins = scene.meshes.as_slice().iter().filter_map(|mesh| mesh.skin.as_ref());
    skins.flat_map(|skin| &skin.influences).for_each(|it| need(it.node));
    scene.emitters.as_slice().iter().for_each(|it| need(it.node));
    let order = &scene.info().order;
    // Children before parents, so that a parent knows whether a child needs it.
    for id in order.iter().rev() {
        let parent = scene.nodes.get(*id).and_then(|node| node.parent);
        if needed.get(id.index()) == Some(&true)
            && let Some(flag) = parent.and_then(|parent| needed.get_mut(parent.index()))
        {
            *flag = true;
        }
    }
    order.iter().filter(|id| needed.get(id.index()) == Some(&true)).copied().collect()
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

/// Groups that are looked at before nodes are asked whether they matter.
const FIRST: usize = 6;
/// By which part of its size a box is made larger, so that weights that do not quite sum to 1 do not matter.
const MARGIN: f32 = 1e-4;

/// Vertices of a mesh by the group that moves them, with boxes around what follows each node and each group. A vertex is never
/// outside of all places that its nodes alone would move it to: only groups with a node whose box gets out of the bounds so far
/// are looked at, and only those whose own box does so vertex by vertex.
pub(in crate::raise) struct Movable {
    groups: Vec<MovableGroup>,
    /// In which order they are looked at: those that get out of the bounds move to the front.
    order: Vec<usize>,
    nodes: Vec<(Id<Node>, Around)>,
    /// What follows each node more than any other.
    leaders: Vec<Leader>,
    /// Where the boxes of the leaders are in the last pose.
    moved: Vec<Around>,
    /// How far the box of each node gets out of the bounds, below and above.
    outside: Vec<[Vec3A; 2]>,
    /// Whether there are groups whose weights are not parts of a whole.
    has_loose: bool,
    /// Vertices that nothing moves.
    still: Bounds,
}

/// A node with the groups that follow it more than any other, and the box around them.
struct Leader {
    node: Id<Node>,
    around: Around,
    groups: Range<usize>,
}

/// A box.
#[derive(Clone, Copy, Default)]
struct Around {
    middle: Vec3A,
    half: Vec3A,
}

/// A sum of weights that is 0 but for rounding.
const NOTHING: f32 = 1e-5;

/// Vertices whose weights in the model are not those of the source, by their group.
///
/// The missing weights of a group sum to 0, so that it is at most as far off as its missing weights times the distances between the places
/// that its nodes would move it to. Those distances are computed once for each pair of nodes: there are few pairs, and in files
/// from Blender nearly as many groups as vertices.
#[derive(Default)]
pub(in crate::raise) struct Inexact<'a> {
    groups: Vec<InexactGroup<'a>>,
    /// Pairs of nodes with the box of all vertices that follow both.
    pairs: Vec<([u32; 2], Bounds)>,
    places: HashMap<[u32; 2], usize>,
    /// How far the nodes of each pair move a vertex apart at most, in the pose at hand.
    apart: Vec<f32>,
}

struct InexactGroup<'a> {
    /// What the model's weights leave of the source's, by the number of the node.
    rest: &'a [(u32, f32)],
    points: Vec<Vec3A>,
    /// The pairs of its first node and each other one, with what is missing of the other; none: the weights do not sum to 0.
    pairs: Option<Vec<(usize, f32)>>,
}

/// The number of a group whose weights are not exact, and what is missing of them.
pub(in crate::raise) type Missing = (u32, Vec<(u32, f32)>);

impl<'a> Inexact<'a> {
    /// Takes what is missing in each mesh.
    pub fn of<'m>(meshes: impl Iterator<Item = (&'m Mesh, &'a [Missing])>) -> Self {
        let mut all = Self::default();
        for (mesh, missing) in meshes.filter(|(_, missing)| !missing.is_empty()) {
            let Some(source) = &mesh.skin else { continue };
            let mut points: BTreeMap<u32, Vec<[f32; 3]>> =
                missing.iter().map(|(group, _)| (*group, Vec::new())).collect();
            for (group, point) in source.vertex_groups.iter().zip(&mesh.positions) {
                if let Some(list) = points.get_mut(group) {
                    list.push(*point);
                }
            }
            for (group, rest) in missing {
                all.push(rest, points.get(group).map_or(&[][..], Vec::as_slice));
            }
        }
        all
    }

    /// Adds a group.
    fn push(&mut self, rest: &'a [(u32, f32)], points: &[[f32; 3]]) {
        let sum: f32 = rest.iter().map(|(_, weight)| weight).sum();
        let pairs = rest.split_first().filter(|_| sum.abs() < NOTHING).map(|((first, _), others)| {
            let around = Bounds::around(points);
            let pair = |(node, weight): &(u32, f32)| {
                let place = *self.places.entry([*first, *node]).or_insert_with(|| {
                    self.pairs.push(([*first, *node], Bounds::EMPTY));
                    self.pairs.len().saturating_sub(1)
                });
                if let Some((_, bounds)) = self.pairs.get_mut(place) {
                    *bounds = bounds.union(&around);
                }
                (place, weight.abs())
            };
            others.iter().map(pair).collect()
        });
        let points = points.iter().copied().map(Vec3A::from).collect();
        self.groups.push(InexactGroup { rest, points, pairs });
    }

    /// The largest distance by which the missing weights move a vertex in a pose, if it is larger than the given one.
    pub fn error(&mut self, matrices: &Matrices, worst: f32) -> f32 {
        let apart = |([a, b], bounds): &([u32; 2], Bounds)| {
            let weights = [(Id::new(*a), 1.0), (Id::new(*b), -1.0)];
            let Around { middle, half } = matrices.sum(weights.into_iter()).around(Around::new(bounds));
            (middle.abs() + half).length()
        };
        self.apart.clear();
        self.apart.extend(self.pairs.iter().map(apart));
        let far =
            |(pair, weight): &(usize, f32)| self.apart.get(*pair).map_or(f32::INFINITY, |it| it * weight);
        let mut worst = worst;
        for group in &self.groups {
            let most = group.pairs.as_ref().map_or(f32::INFINITY, |pairs| pairs.iter().map(far).sum());
            if most > worst {
                worst = group.error(matrices).max(worst);
            }
        }
        worst
    }
}

impl InexactGroup<'_> {
    fn error(&self, matrices: &Matrices) -> f32 {
        let sum = matrices.sum(self.rest.iter().map(|(node, weight)| (Id::new(*node), *weight)));
        let off = |point: &Vec3A| sum.at(*point).length_squared();
        self.points.iter().map(off).fold(0.0, f32::max).sqrt()
    }
}

struct MovableGroup {
    around: Around,
    points: Vec<[f32; 3]>,
    influences: Vec<Influence>,
    /// Where its nodes are in the list, with their weights; none: the weights are not parts of a whole.
    nodes: Option<Vec<(usize, f32)>>,
}

/// Columns of a matrix.
#[derive(Clone, Copy)]
struct Columns([Vec4; 4]);

/// The matrices of all nodes in a pose, which many vertices ask for.
#[derive(Default)]
pub(in crate::raise) struct Matrices(Vec<Columns>);

impl Matrices {
    /// Takes over those of another pose.
    #[cfg(test)]
    fn take(&mut self, nodes: &Arena<Node>, pose: &Pose) {
        self.0.clear();
        self.0.extend(nodes.iter().map(|(id, _)| Columns(pose.matrix(id).map(Vec4::from_array))));
    }

    /// Takes over those of some nodes; the others stay.
    fn take_some(&mut self, nodes: &[Id<Node>], pose: &Pose) {
        for id in nodes {
            if self.0.len() <= id.index() {
                self.0.resize(id.index().saturating_add(1), Columns([Vec4::ZERO; 4]));
            }
            if let Some(columns) = self.0.get_mut(id.index()) {
                *columns = Columns(pose.matrix(*id).map(Vec4::from_array));
            }
        }
    }

    fn of(&self, node: Id<Node>) -> &Columns {
        const NOWHERE: &Columns = &Columns([Vec4::ZERO; 4]);
        self.0.get(node.index()).unwrap_or(NOWHERE)
    }

    /// The sum of those of some nodes, each times its weight.
    fn sum(&self, weights: impl Iterator<Item = (Id<Node>, f32)>) -> Columns {
        let [mut x, mut y, mut z, mut moved] = [Vec4::ZERO; 4];
        for (node, weight) in weights {
            let Columns([own_x, own_y, own_z, own_moved]) = self.of(node);
            x += *own_x * weight;
            y += *own_y * weight;
            z += *own_z * weight;
            moved += *own_moved * weight;
        }
        Columns([x, y, z, moved])
    }
}

impl Columns {
    fn at(&self, point: Vec3A) -> Vec3A {
        let [x, y, z, moved] = self.0.map(Vec3A::from_vec4);
        x * point.x + y * point.y + z * point.z + moved
    }

    /// The box around a moved box.
    fn around(&self, Around { middle, half }: Around) -> Around {
        let [x, y, z, _] = self.0.map(|column| Vec3A::from_vec4(column).abs());
        Around { middle: self.at(middle), half: x * half.x + y * half.y + z * half.z }
    }
}

impl Around {
    fn new(bounds: &Bounds) -> Self {
        let (low, high) = (Vec3A::from(bounds.min), Vec3A::from(bounds.max));
        Self { middle: (low + high) * 0.5, half: (high - low) * 0.5 }
    }

    fn low(&self) -> Vec3A {
        self.middle - self.half
    }

    fn high(&self) -> Vec3A {
        self.middle + self.half
    }

    fn is_inside(&self, low: Vec3A, high: Vec3A) -> bool {
        self.low().cmpge(low).all() && self.high().cmple(high).all()
    }
}

impl MovableGroup {
    /// The node that it follows most.
    fn leader(&self) -> Option<Id<Node>> {
        self.influences.iter().max_by(|a, b| a.weight.total_cmp(&b.weight)).map(|it| it.node)
    }

    /// Whether it is inside, by how far the boxes of its nodes are outside: it is between the places that they alone would move
    /// it to.
    fn is_surely_inside(&self, outside: &[[Vec3A; 2]]) -> bool {
        let Some(nodes) = &self.nodes else { return false };
        let mut far = [Vec3A::ZERO; 2];
        for (node, weight) in nodes {
            let [below, above] = outside.get(*node).copied().unwrap_or([Vec3A::MAX; 2]);
            far = [far[0] + below * *weight, far[1] + above * *weight];
        }
        far[0].max(far[1]).max_element() <= 0.0
    }

    /// Adds its vertices; whether they were all inside.
    fn add_to(&self, matrices: &Matrices, low: &mut Vec3A, high: &mut Vec3A) -> bool {
        let sum = matrices.sum(self.influences.iter().map(|it| (it.node, it.weight)));
        if sum.around(self.around).is_inside(*low, *high) {
            return true;
        }
        let before = (*low, *high);
        for point in &self.points {
            let point = sum.at(Vec3A::from(*point));
            (*low, *high) = (low.min(point), high.max(point));
        }
        before == (*low, *high)
    }
}

impl Movable {
    /// These vertices of a mesh.
    pub fn new(mesh: &Mesh, vertices: impl Iterator<Item = usize>) -> Self {
        let skin = mesh.skin.as_ref();
        let influences = |group: usize| {
            let group = u32::try_from(group).ok();
            skin.zip(group).map(|(skin, group)| skin.group(group)).unwrap_or_default()
        };
        let mut points: Vec<Vec<[f32; 3]>> = vec![Vec::new(); skin.map_or(0, |it| it.groups.len())];
        let mut still = Bounds::EMPTY;
        for vertex in vertices {
            let Some(point) = mesh.positions.get(vertex) else { continue };
            let group = skin.and_then(|skin| skin.vertex_groups.get(vertex)).map(|group| *group as usize);
            let moves = |group: &usize| influences(*group).iter().any(|it| it.weight > 0.0);
            match group.filter(moves).and_then(|group| points.get_mut(group)) {
                Some(points) => points.push(*point),
                None => still = still.union(&Bounds::around([point])),
            }
        }
        let mut places: Vec<Option<usize>> = Vec::new();
        let mut nodes: Vec<(Id<Node>, Bounds)> = Vec::new();
        let mut groups = Vec::new();
        for (number, points) in points.into_iter().enumerate().filter(|(_, points)| !points.is_empty()) {
            let bounds = Bounds::around(&points);
            let influences = influences(number);
            let sum: f32 = influences.iter().map(|it| it.weight).sum();
            let is_whole = influences.iter().all(|it| it.weight >= 0.0) && (sum - 1.0).abs() < MARGIN / 4.0;
            let mut own = Vec::with_capacity(influences.len());
            for influence in influences.iter().filter(|_| is_whole) {
                let at = influence.node.index();
                places.resize(places.len().max(at.saturating_add(1)), None);
                let Some(place) = places.get_mut(at) else { continue };
                let place = *place.get_or_insert(nodes.len());
                match nodes.get_mut(place) {
                    Some((_, around)) => *around = around.union(&bounds),
                    None => nodes.push((influence.node, bounds)),
                }
                own.push((place, influence.weight));
            }
            groups.push(MovableGroup {
                around: Around::new(&bounds),
                points,
                influences: influences.to_vec(),
                nodes: is_whole.then_some(own),
            });
        }
        let nodes: Vec<_> = nodes.iter().map(|(node, bounds)| (*node, Around::new(bounds))).collect();
        let has_loose = groups.iter().any(|group| group.nodes.is_none());
        groups.sort_by_key(MovableGroup::leader);
        let leaders = leaders(&groups);
        let order = (0..groups.len()).collect();
        let (moved, outside) = (Vec::new(), Vec::new());
        Self { groups, order, nodes, leaders, moved, outside, has_loose, still }
    }

    /// All vertices of a mesh.
    pub fn whole(mesh: &Mesh) -> Self {
        Self::new(mesh, 0..mesh.positions.len())
    }

    /// Adds the vertices of a pose to bounds.
    #[cfg(test)]
    fn add_to(&mut self, bounds: &mut Bounds, matrices: &Matrices) {
        self.add_with_slack(bounds, matrices, 0.0);
    }

    /// Adds the vertices of a pose to bounds. With a slack, only those are looked at that follow a node whose box gets farther than
    /// that out of the bounds.
    fn add_with_slack(&mut self, bounds: &mut Bounds, matrices: &Matrices, slack: f32) {
        *bounds = bounds.union(&self.still);
        self.moved.clear();
        self.moved.extend(self.leaders.iter().map(|it| matrices.of(it.node).around(it.around)));
        let (mut low, mut high) = (Vec3A::from(bounds.min), Vec3A::from(bounds.max));
        if slack > 0.0 {
            for (leader, moved) in self.leaders.iter().zip(&self.moved) {
                if !moved.is_inside(low - slack, high + slack) {
                    for group in self.groups.get(leader.groups.clone()).unwrap_or_default() {
                        group.add_to(matrices, &mut low, &mut high);
                    }
                }
            }
        } else {
            self.add_exactly(matrices, &mut low, &mut high);
        }
        (bounds.min, bounds.max) = (low.into(), high.into());
    }

    fn add_exactly(&mut self, matrices: &Matrices, low: &mut Vec3A, high: &mut Vec3A) {
        for place in 0..self.order.len() {
            if place == FIRST {
                self.outside.clear();
                self.outside.extend(self.nodes.iter().map(|(node, around)| {
                    let mut moved = matrices.of(*node).around(*around);
                    moved.half += (moved.middle.abs() + moved.half) * MARGIN;
                    [*low - moved.low(), moved.high() - *high]
                }));
                let is_inside = |it: &[Vec3A; 2]| it[0].max(it[1]).max_element() <= 0.0;
                if !self.has_loose && self.outside.iter().all(is_inside) {
                    return;
                }
            }
            let Some(group) = self.order.get(place).and_then(|group| self.groups.get(*group)) else {
                continue;
            };
            if place >= FIRST && group.is_surely_inside(&self.outside) {
                continue;
            }
            if !group.add_to(matrices, low, high) {
                self.order.swap(place, place / 2);
            }
        }
    }
}

/// The leaders of groups that are sorted by them.
fn leaders(groups: &[MovableGroup]) -> Vec<Leader> {
    let mut end = 0_usize;
    let chunks = groups.chunk_by(|a, b| a.leader() == b.leader());
    let leader = |chunk: &[MovableGroup]| {
        let start = end;
        end = end.saturating_add(chunk.len());
        let low = chunk.iter().map(|it| it.around.low()).fold(Vec3A::MAX, Vec3A::min);
        let high = chunk.iter().map(|it| it.around.high()).fold(Vec3A::MIN, Vec3A::max);
        let around = Around { middle: (low + high) * 0.5, half: (high - low) * 0.5 };
        Some(Leader { node: chunk.first()?.leader()?, around, groups: start..end })
    };
    chunks.filter_map(leader).collect()
}

#[cfg(test)]
mod tests;
