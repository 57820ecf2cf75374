//! The creature at one moment: positions of its nodes and vertices, for formats that store frames instead of keys.
//!
//! Only sums, products and square roots are used, so that frames are the same on every platform.

use super::math::{Quat, Vec3, add, mix, rotate, scale, sub, unit};
use super::{Creature, Interpolation, Key, Mesh, Sequence, Track};

/// The transformation of a node from the rest pose.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The transformed directions X, Y and Z.
    pub axes: [Vec3; 3],
    /// The transformed origin of the rest pose.
    pub shift: Vec3,
}

impl Place {
    const REST: Self = Self { axes: [super::math::X, super::math::Y, super::math::Z], shift: [0.0; 3] };

    /// The transformed position of a point of the rest pose.
    #[must_use]
    pub fn point(&self, point: Vec3) -> Vec3 {
        add(self.shift, self.direction(point))
    }

    /// The transformed direction, which may have another length.
    #[must_use]
    pub fn direction(&self, direction: Vec3) -> Vec3 {
        let [x, y, z] = self.axes;
        let [a, b, c] = direction;
        add(add(scale(x, a), scale(y, b)), scale(z, c))
    }
}

/// Interpolates between rotations by halving the arc repeatedly: a slerp without sines.
fn along_arc(mut a: Quat, mut b: Quat, mut t: f32) -> Quat {
    let sum = |a: Quat, b: Quat, sign: f32| -> Quat {
        let mut q: Quat = [0.0; 4];
        for (q, (a, b)) in q.iter_mut().zip(a.iter().zip(b)) {
            *q = a + sign * b;
        }
        let length = q.iter().map(|x| x * x).sum::<f32>().sqrt().max(1e-9);
        q.map(|x| x / length)
    };
    if a.iter().zip(b).map(|(x, y)| x * y).sum::<f32>() < 0.0 {
        b = b.map(|x| -x);
    }
    for _ in 0..16 {
        let middle = sum(a, b, 1.0);
        if t < 0.5 {
            (b, t) = (middle, t * 2.0);
        } else {
            (a, t) = (middle, t * 2.0 - 1.0);
        }
    }
    a
}

fn cubic(from: &Key<Vec3>, to: &Key<Vec3>, t: f32) -> Vec3 {
    let (square, cube) = (t * t, t * t * t);
    let ends =
        add(scale(from.value, 2.0 * cube - 3.0 * square + 1.0), scale(to.value, 3.0 * square - 2.0 * cube));
    add(ends, add(scale(from.leave, cube - 2.0 * square + t), scale(to.arrive, cube - square)))
}

impl Creature {
    /// The value of a track at a number of milliseconds after the start of a sequence, where it must have a key.
    fn value<T: Copy>(
        &self,
        track: &Track<T>,
        sequence: &Sequence,
        time: u32,
        rest: T,
        between: impl Fn(&Key<T>, &Key<T>, f32) -> T,
    ) -> T {
        let (first, at, last) = match track.global_sequence.and_then(|at| self.global_sequences.get(at)) {
            Some(length) => (0, time % (*length).max(1), *length),
            None => (sequence.start, sequence.start + time, sequence.end),
        };
        let keys = || track.keys.iter().filter(|key| (first..=last).contains(&key.time));
        let before = keys().rfind(|key| key.time <= at).or_else(|| keys().next());
        match (before, keys().find(|key| key.time > at)) {
            (Some(from), Some(to)) if from.time <= at && track.interpolation != Interpolation::Step => {
                between(from, to, super::animation::ratio(at - from.time, to.time - from.time))
            }
            (Some(key), _) => key.value,
            (None, _) => rest,
        }
    }

    /// A curved track as straight lines that are short enough to look curved.
    #[must_use]
    pub fn straight(&self, track: &Track<Vec3>) -> Track<Vec3> {
        if track.interpolation != Interpolation::Hermite {
            return track.clone();
        }
        let keys = self.sequences.iter().flat_map(|sequence| {
            let length = sequence.end - sequence.start;
            let times = (0..length).step_by(50).chain([length]);
            times.map(|time| Key {
                time: sequence.start + time,
                value: super::math::settle3(self.vector(track, sequence, time, 0.0)),
                ..Key::default()
            })
        });
        Track { interpolation: Interpolation::Linear, keys: keys.collect(), ..*track }
    }

    fn vector(&self, track: &Track<Vec3>, sequence: &Sequence, time: u32, rest: f32) -> Vec3 {
        self.value(track, sequence, time, [rest; 3], |a, b, t| match track.interpolation {
            Interpolation::Hermite => cubic(a, b, t),
            _ => mix(a.value, b.value, t),
        })
    }

    /// The transformations of all nodes at a number of milliseconds after the start of a sequence. Billboards do not turn.
    #[must_use]
    pub fn places(&self, sequence: &Sequence, time: u32) -> Vec<Place> {
        let mut places: Vec<Place> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let above = node.parent.and_then(|parent| places.get(parent)).copied().unwrap_or(Place::REST);
            let turn = self.value(&node.rotation, sequence, time, super::math::NO_ROTATION, |a, b, t| {
                along_arc(a.value, b.value, t)
            });
            let size = self.vector(&node.scaling, sequence, time, 1.0);
            let axes = [0, 1, 2].map(|axis| {
                let mut direction = [0.0; 3];
                if let (Some(to), Some(from)) = (direction.get_mut(axis), size.get(axis)) {
                    *to = *from;
                }
                rotate(turn, direction)
            });
            let own = Place { axes, shift: [0.0; 3] };
            let shift = sub(
                add(self.vector(&node.translation, sequence, time, 0.0), node.pivot),
                own.direction(node.pivot),
            );
            places.push(Place { axes: axes.map(|axis| above.direction(axis)), shift: above.point(shift) });
        }
        places
    }
}

impl Mesh {
    /// Position and normal of each vertex for these transformations of the nodes.
    #[must_use]
    pub fn posed(&self, places: &[Place]) -> Vec<(Vec3, Vec3)> {
        let rows = self.positions.iter().zip(&self.normals).zip(&self.vertex_groups);
        rows.map(|((position, normal), group)| {
            let nodes = self.groups.get(usize::from(*group)).map(Vec::as_slice).unwrap_or_default();
            let (mut point, mut direction, mut count) = ([0.0; 3], [0.0; 3], 0.0_f32);
            for place in nodes.iter().filter_map(|node| places.get(*node)) {
                point = add(point, place.point(*position));
                direction = add(direction, place.direction(*normal));
                count += 1.0;
            }
            (scale(point, 1.0 / count.max(1.0)), unit(direction))
        })
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::math::{X, Z, turn};
    use super::*;

    #[test]
    fn the_arc_is_walked_at_an_even_pace() {
        let half = std::f32::consts::FRAC_PI_2;
        for (t, angle) in [(0.0, 0.0), (0.25, half / 4.0), (0.6, half * 0.6)] {
            let found = along_arc(turn(X, 0.0), turn(X, half).map(|x| -x), t);
            for (found, expected) in found.iter().zip(turn(X, angle)) {
                assert!((found - expected).abs() < 1e-4, "{t}: {found} {expected}");
            }
        }
    }

    #[test]
    fn a_child_follows_its_parent_about_the_parents_pivot() {
        let mut creature = super::super::creature();
        let sequence = Sequence { start: 0, end: 100, ..creature.sequences.first().copied().unwrap() };
        let key = Key { time: 0, value: turn(Z, std::f32::consts::FRAC_PI_2), ..Key::default() };
        let still = Track { keys: vec![key], ..Track::default() };
        creature.nodes.truncate(2);
        for (node, pivot) in creature.nodes.iter_mut().zip([[1.0, 0.0, 0.0], [2.0, 0.0, 0.0]]) {
            *node = super::super::Node {
                pivot,
                rotation: still.clone(),
                parent: node.parent,
                ..Default::default()
            };
        }
        let places = creature.places(&sequence, 50);
        // A quarter turn about (2,0,0) moves (3,0,0) to (2,1,0); another one about (1,0,0) moves that to (0,1,0).
        for (found, expected) in places.last().unwrap().point([3.0, 0.0, 0.0]).iter().zip([0.0, 1.0, 0.0]) {
            assert!((found - expected).abs() < 1e-5, "{places:?}");
        }
    }
}
