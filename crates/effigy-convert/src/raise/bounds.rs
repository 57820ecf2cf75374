//! Bounds of posed models.

use effigy_scene::sample::{Moment, Pose, Sampler};
use effigy_scene::{Bounds, Mesh, ParticleEmitter};
use glam::Vec3A;

/// Moments of a sequence that are looked at, as parts of its length.
pub(in crate::raise) const MOMENTS: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Bounds with the radius that belongs to them; nothing becomes a point.
pub(in crate::raise) fn closed(bounds: Bounds) -> Bounds {
    if bounds.is_empty() {
        return Bounds { min: [0.0; 3], max: [0.0; 3], radius: 0.0 };
    }
    let far = glam::Vec3::from(bounds.min).abs().max(glam::Vec3::from(bounds.max).abs());
    Bounds { radius: far.length(), ..bounds }
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

/// The matrix of a group of a skin, row by row.
pub(in crate::raise) type Rows = [[f32; 4]; 3];

/// Vertices of a mesh by the group that moves them, with a box around each group: only groups whose box gets out of the bounds so
/// far have to be looked at vertex by vertex.
pub(in crate::raise) struct Movable {
    groups: Vec<MovableGroup>,
    /// Vertices that nothing moves.
    still: Bounds,
}

struct MovableGroup {
    number: usize,
    middle: Vec3A,
    half: Vec3A,
    points: Vec<[f32; 3]>,
}

impl Movable {
    /// These vertices of a mesh.
    pub fn new(mesh: &Mesh, vertices: impl Iterator<Item = usize>) -> Self {
        let mut points: Vec<Vec<[f32; 3]>> =
            vec![Vec::new(); mesh.skin.as_ref().map_or(0, |it| it.groups.len())];
        let mut still = Bounds::EMPTY;
        for vertex in vertices {
            let Some(point) = mesh.positions.get(vertex) else { continue };
            let group = mesh.skin.as_ref().and_then(|skin| skin.vertex_groups.get(vertex));
            match group.and_then(|group| points.get_mut(*group as usize)) {
                Some(points) => points.push(*point),
                None => still = still.union(&Bounds::around([point])),
            }
        }
        let group = |(number, points): (usize, Vec<[f32; 3]>)| {
            let bounds = Bounds::around(&points);
            let (low, high) = (Vec3A::from(bounds.min), Vec3A::from(bounds.max));
            MovableGroup { number, middle: (low + high) * 0.5, half: (high - low) * 0.5, points }
        };
        let moving = points.into_iter().enumerate().filter(|(_, points)| !points.is_empty());
        Self { groups: moving.map(group).collect(), still }
    }

    /// All vertices of a mesh.
    pub fn whole(mesh: &Mesh) -> Self {
        Self::new(mesh, 0..mesh.positions.len())
    }

    /// Adds the vertices to bounds; the matrices are those of all groups of the skin.
    pub fn add_to(&self, bounds: &mut Bounds, matrices: &[Rows]) {
        *bounds = bounds.union(&self.still);
        let (mut low, mut high) = (Vec3A::from(bounds.min), Vec3A::from(bounds.max));
        for group in &self.groups {
            let Some([x, y, z]) = matrices.get(group.number) else { continue };
            let row = |[a, b, c, moved]: &[f32; 4]| (Vec3A::new(*a, *b, *c), *moved);
            let [(x, dx), (y, dy), (z, dz)] = [x, y, z].map(row);
            let moved = Vec3A::new(dx, dy, dz);
            let at = |point: Vec3A| Vec3A::new(x.dot(point), y.dot(point), z.dot(point)) + moved;
            let middle = at(group.middle);
            let half = Vec3A::new(x.abs().dot(group.half), y.abs().dot(group.half), z.abs().dot(group.half));
            if (middle - half).cmpge(low).all() && (middle + half).cmple(high).all() {
                continue;
            }
            for point in &group.points {
                let point = at(Vec3A::from(*point));
                (low, high) = (low.min(point), high.max(point));
            }
        }
        (bounds.min, bounds.max) = (low.into(), high.into());
    }
}

/// The matrices of the groups of every mesh in a pose.
#[derive(Default)]
pub(in crate::raise) struct GroupMatrices {
    rows: Vec<Rows>,
}

impl GroupMatrices {
    /// Those of one mesh.
    pub fn of(&mut self, sampler: &Sampler<'_>, mesh: &Mesh, pose: &Pose) -> &[Rows] {
        self.rows.clear();
        sampler.groups(mesh, pose, &mut self.rows);
        &self.rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use effigy_scene::{Id, Influence, Skin};

    #[test]
    fn bounds_are_those_of_the_moved_vertices() {
        let mut mesh = Mesh::new("m");
        mesh.positions = vec![[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 3.0], [9.0, 9.0, 9.0]];
        let mut skin = Skin { vertex_groups: vec![0, 0, 1, 0], ..Skin::default() };
        for node in 0..2 {
            skin.push_group([Influence { node: Id::new(node), weight: 1.0 }]);
        }
        mesh.skin = Some(skin);
        // A quarter turn about z and one up; the other three down.
        let turned = [[0.0, -1.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0]];
        let down = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, -3.0]];
        let movable = Movable::new(&mesh, 0..3);
        let mut bounds = Bounds::EMPTY;
        movable.add_to(&mut bounds, &[turned, down]);
        // (0, 1, 1), (-2, 0, 1) and (0, 0, 0).
        assert_eq!((bounds.min, bounds.max), ([-2.0, 0.0, 0.0], [0.0, 1.0, 1.0]));
        // Larger bounds stay as they are, and the box of the first group alone is not what counts: (0, 1, 1) is inside.
        let mut wide = Bounds { min: [-2.0, -0.5, 0.0], max: [0.0, 4.0, 4.0], radius: 0.0 };
        movable.add_to(&mut wide, &[turned, down]);
        assert_eq!((wide.min, wide.max), ([-2.0, -0.5, 0.0], [0.0, 4.0, 4.0]));
        let mut narrow = Bounds { min: [-1.0, 0.0, 0.0], max: [0.0, 4.0, 4.0], radius: 0.0 };
        movable.add_to(&mut narrow, &[turned, down]);
        assert_eq!((narrow.min, narrow.max), ([-2.0, 0.0, 0.0], [0.0, 4.0, 4.0]));
        // Without a skin nothing moves.
        mesh.skin = None;
        let mut still = Bounds::EMPTY;
        Movable::whole(&mesh).add_to(&mut still, &[]);
        assert_eq!((still.min, still.max), ([0.0; 3], [9.0; 3]));
    }
}
