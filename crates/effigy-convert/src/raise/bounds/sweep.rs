//! A sequence posed at as many moments as its bounds need.
//!
//! Nodes are cheaper to move than vertices. So nodes are moved at moments that are spread over the sequence, and at more of them
//! where the boxes of what follows a node bend near the bounds; vertices only where such a box gets out of the bounds.

use super::play::Player;
use super::{Around, Matrices, Movable};
use effigy_scene::sample::{Moment, Pose, Sampler};
use effigy_scene::{Bounds, Id, Node, Sequence};
use glam::Vec3A;

/// Milliseconds between two moments, at most.
const STEP: f64 = 120.0;
/// Into how many parts a sequence is cut. Both are multiples of [`PARTS`].
const FEWEST: u32 = 8;
const MOST: u32 = 24;
/// Moments at every such part of a sequence are looked at exactly.
const PARTS: u32 = 4;
/// How often the time between two moments is halved.
const DEPTH: u32 = 3;
/// By which part of their diagonal vertices may be outside of the bounds.
const SLACK: f32 = 4e-3;
/// The part of it that counts for the moments that are looked at first.
const MAIN: f32 = 0.02;
/// A curve that bends by this much between three moments gets an eighth of it out of the straight lines between them; more than
/// that is looked at.
const BEND: f32 = 0.25;

/// The moments of a sequence, with what is needed for each of them.
pub(in crate::raise) struct Sweep<'a> {
    player: Player<'a>,
    pose: Pose,
    matrices: Matrices,
    /// Boxes around what follows each node, moment after moment.
    boxes: Vec<Around>,
    /// The lowest and highest places of each of these boxes so far.
    peaks: Vec<[Vec3A; 2]>,
    /// How many boxes a moment has.
    width: usize,
}

/// A moment that has boxes.
#[derive(Clone, Copy)]
struct Row {
    time: f64,
    at: usize,
}

/// A pose of a sequence.
pub(in crate::raise) struct Posed<'p> {
    pub moment: &'p Moment,
    pub pose: &'p Pose,
    pub matrices: &'p Matrices,
    /// Whether it is one of the few that everything expensive looks at.
    pub is_main: bool,
}

impl<'a> Sweep<'a> {
    /// Only these nodes are looked at, parents before children.
    pub fn new(sampler: Sampler<'a>, nodes: &'a [Id<Node>]) -> Self {
        Self {
            player: Player::new(sampler, nodes),
            pose: sampler.pose(),
            matrices: Matrices::default(),
            boxes: Vec::new(),
            peaks: Vec::new(),
            width: 0,
        }
    }

    /// Adds the vertices of a sequence to bounds: one for each mesh, or one for all. Those of each mesh are of a few moments; what is
    /// returned contains all meshes at all moments. Shows the poses that do not depend on what the meshes need.
    pub fn add_to(
        &mut self,
        bounds: &mut [Bounds],
        movable: &mut [Movable],
        (id, sequence): (Id<Sequence>, &Sequence),
        mut show: impl FnMut(Posed<'_>),
    ) -> Bounds {
        self.player.play(id);
        let length = f64::from(sequence.length());
        let parts = parts(length);
        self.width = movable.iter().map(|it| it.leaders.len()).sum();
        self.boxes.clear();
        self.boxes.resize(self.width.saturating_mul(parts as usize + 1), Around::default());
        self.peaks.clear();
        self.peaks.resize(self.width, [Vec3A::MAX, Vec3A::MIN]);
        let row =
            |part: u32| Row { time: length * f64::from(part) / f64::from(parts.max(1)), at: part as usize };
        let is_main = |part: &u32| (part * PARTS).is_multiple_of(parts.max(1));
        for part in (0..=parts).filter(is_main) {
            let slack = if part == 0 { 0.0 } else { slack(bounds) * MAIN };
            let moment = self.look(id, row(part), movable, bounds, slack);
            let (pose, matrices) = (&self.pose, &self.matrices);
            show(Posed { moment: &moment, pose, matrices, is_main: true });
        }
        let bounds = &mut [bounds.iter().fold(Bounds::EMPTY, |all, it| all.union(it))];
        for part in (0..=parts).filter(|part| !is_main(part)) {
            let slack = slack(bounds);
            let moment = self.look(id, row(part), movable, bounds, slack);
            let (pose, matrices) = (&self.pose, &self.matrices);
            show(Posed { moment: &moment, pose, matrices, is_main: false });
        }
        for part in 0..parts {
            let (from, to) = (row(part), row(part + 1));
            let before = part.checked_sub(1).map(|before| [row(before), from, to]);
            let after = (part + 2 <= parts).then(|| [from, to, row(part + 2)]);
            if before.into_iter().chain(after).any(|three| self.bends(three, [from, to], movable, bounds)) {
                self.halve(id, [from, to], movable, bounds, DEPTH);
            }
        }
        let [all] = *bounds;
        all
    }

    /// Poses a moment and adds its vertices.
    fn look(
        &mut self,
        id: Id<Sequence>,
        row: Row,
        movable: &mut [Movable],
        bounds: &mut [Bounds],
        slack: f32,
    ) -> Moment {
        let moment = Moment::new(id, row.time);
        let is_known = self.player.is_still() && row.at > 0;
        let moved = self.player.pose(&moment, &mut self.pose);
        self.matrices.take_some(moved, &self.pose);
        let mut boxes = self.boxes.iter_mut().skip(row.at.saturating_mul(self.width));
        let mut peaks = self.peaks.as_mut_slice();
        let last = bounds.len().saturating_sub(1);
        for (place, movable) in movable.iter_mut().enumerate() {
            let Some(bounds) = bounds.get_mut(place.min(last)) else { continue };
            let (own, rest) = peaks.split_at_mut_checked(movable.leaders.len()).unwrap_or_default();
            peaks = rest;
            if !is_known {
                movable.add_with_slack(bounds, &self.matrices, slack);
            }
            for ((moved, known), [low, high]) in movable.moved.iter().zip(boxes.by_ref()).zip(own) {
                *known = *moved;
                (*low, *high) = (low.min(moved.low()), high.max(moved.high()));
            }
        }
        moment
    }

    /// Looks between two moments.
    fn halve(
        &mut self,
        id: Id<Sequence>,
        [from, to]: [Row; 2],
        movable: &mut [Movable],
        bounds: &mut [Bounds],
        depth: u32,
    ) {
        let end = self.boxes.len();
        let middle = Row { time: f64::midpoint(from.time, to.time), at: end / self.width.max(1) };
        if depth == 0 || self.width == 0 || to.time - from.time < 2.0 {
            return;
        }
        self.boxes.resize(end.saturating_add(self.width), Around::default());
        let slack = slack(bounds);
        self.look(id, middle, movable, bounds, slack);
        for half in [[from, middle], [middle, to]] {
            if self.bends([from, middle, to], half, movable, bounds) {
                self.halve(id, half, movable, bounds, depth.saturating_sub(1));
            }
        }
        self.boxes.truncate(end);
    }

    /// Whether boxes may get out of the bounds between two moments, by how they move at three. A box can be far larger than what
    /// is in it: it also has to get farther than it did before.
    fn bends(&self, three: [Row; 3], ends: [Row; 2], movable: &[Movable], bounds: &[Bounds]) -> bool {
        let rows = |row: Row| {
            let start = row.at.saturating_mul(self.width);
            self.boxes.get(start..start.saturating_add(self.width)).unwrap_or_default().iter()
        };
        let ([a, b, c], [from, to]) = (three.map(rows), ends.map(rows));
        let mut all = a.zip(b).zip(c).zip(from.zip(to)).zip(&self.peaks);
        let (slack, last) = (slack(bounds), bounds.len().saturating_sub(1));
        movable.iter().enumerate().any(|(place, movable)| {
            let Some(bounds) = bounds.get(place.min(last)) else { return false };
            let (low, high) = (Vec3A::from(bounds.min), Vec3A::from(bounds.max));
            // All boxes of the mesh are taken, so that those of the next one follow.
            all.by_ref().take(movable.leaders.len()).fold(
                false,
                |found, ((((a, b), c), (from, to)), [lowest, highest])| {
                    let bend = |a: Vec3A, b: Vec3A, c: Vec3A| (a - b * 2.0 + c).abs() * BEND;
                    let down = from.low().min(to.low()) - bend(a.low(), b.low(), c.low());
                    let up = from.high().max(to.high()) + bend(a.high(), b.high(), c.high());
                    found
                        || (down + slack).cmplt(low.min(*lowest)).any()
                        || (up - slack).cmpgt(high.max(*highest)).any()
                },
            )
        })
    }
}

/// Into how many parts a sequence is cut.
fn parts(length: f64) -> u32 {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to few parts")]
    let wanted = (length / STEP / f64::from(PARTS)).ceil().clamp(0.0, f64::from(MOST)) as u32;
    if length > 0.0 { (wanted * PARTS).clamp(FEWEST, MOST) } else { 0 }
}

/// How far vertices may be outside of the bounds.
fn slack(bounds: &[Bounds]) -> f32 {
    let all = bounds.iter().fold(Bounds::EMPTY, |all, it| all.union(it));
    if all.is_empty() { 0.0 } else { all.size() * SLACK }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raise::bounds::followed;
    use effigy_scene::{Influence, Mesh, NodeKind, Scene, Skin, Track, ValidScene, validate};

    /// A node with two vertices, at 0 and at (0, 0, 10), that moves along X by these keys.
    fn swinging(times: &[i32], places: &[f32]) -> ValidScene {
        let mut scene = Scene::default();
        scene.sequences.push(Sequence { start: 0, end: 1000, ..Sequence::default() });
        let mut node = Node::new("n", NodeKind::Bone, None, [0.0; 3]);
        let places = places.iter().map(|x| [*x, 0.0, 0.0]).collect();
        node.translation.track = Some(Track::linear(times.to_vec(), places, [0.0; 3]));
        let node = scene.nodes.push(node);
        let mut mesh = Mesh::new("m");
        mesh.positions = vec![[0.0; 3], [0.0, 0.0, 10.0]];
        let mut skin = Skin { vertex_groups: vec![0, 0], ..Skin::default() };
        skin.push_group([Influence { node, weight: 1.0 }]);
        mesh.skin = Some(skin);
        scene.meshes.push(mesh);
        validate(scene).unwrap()
    }

    fn swept(scene: &ValidScene) -> (Bounds, usize, usize) {
        let followed = followed(scene);
        let mut sweep = Sweep::new(Sampler::new(scene), &followed);
        let mut movable: Vec<Movable> = scene.meshes.as_slice().iter().map(Movable::whole).collect();
        let (mut bounds, mut shown, mut main) = (Bounds::EMPTY, 0, 0);
        for sequence in scene.sequences.iter() {
            bounds = sweep.add_to(&mut [Bounds::EMPTY], &mut movable, sequence, |posed| {
                shown += 1;
                main += usize::from(posed.is_main);
            });
        }
        (bounds, shown, main)
    }

    #[test]
    fn a_swing_between_the_quarters_of_a_sequence_is_inside_of_the_bounds() {
        // Out by 8 at 405 ms, back at 500: nothing moves at 0, 250, 500, 750 and 1000.
        let (bounds, shown, main) = swept(&swinging(&[0, 260, 405, 490, 1000], &[0.0, 0.0, 8.0, 0.0, 0.0]));
        assert_eq!((shown, main), (13, 5));
        assert_eq!((bounds.min[0], bounds.min[2], bounds.max[2]), (0.0, 0.0, 10.0));
        // A hundredth of the diagonal, which is the root of 164.
        assert!((7.87..=8.0).contains(&bounds.max[0]), "{bounds:?}");
        // To the other side.
        let (bounds, ..) = swept(&swinging(&[0, 560, 688, 800, 1000], &[1.0, 1.0, -5.0, 1.0, 1.0]));
        assert!((-5.0..=-4.88).contains(&bounds.min[0]) && bounds.max[0] == 1.0, "{bounds:?}");
    }

    #[test]
    fn a_straight_move_needs_no_further_moments() {
        let (bounds, ..) = swept(&swinging(&[0, 1000], &[-3.0, 5.0]));
        assert_eq!((bounds.min, bounds.max), ([-3.0, 0.0, 0.0], [5.0, 0.0, 10.0]));
    }

    #[test]
    fn sequences_are_cut_by_their_length() {
        assert_eq!([0.0, 1.0, 960.0, 961.0, 1e9].map(parts), [0, 8, 8, 12, 24]);
    }
}
