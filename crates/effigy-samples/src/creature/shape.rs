//! Shapes that the creature is built from: grids, tubes, ellipsoids, turned profiles.
//!
//! Each call adds one smooth patch. A hard edge is where two patches meet.

use std::collections::BTreeMap;
use std::f32::consts::{PI, TAU};

use super::Mesh;
use super::math::{Vec3, add, cross, scale, settle, settle3, sub, unit};

/// The rectangle of the texture, in 0..1, that a patch shows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Area {
    pub(crate) from: [f32; 2],
    pub(crate) to: [f32; 2],
}

impl Area {
    /// A rectangle given in pixels of a 256 x 256 picture, one pixel smaller on each side so that neighbours do not bleed in.
    pub(crate) const fn pixels(x: f32, y: f32, width: f32, height: f32) -> Self {
        Self {
            from: [(x + 1.0) / 256.0, (y + 1.0) / 256.0],
            to: [(x + width - 1.0) / 256.0, (y + height - 1.0) / 256.0],
        }
    }

    /// The same rectangle with left and right exchanged.
    pub(crate) const fn mirrored(self) -> Self {
        Self { from: [self.to[0], self.from[1]], to: [self.from[0], self.to[1]] }
    }

    fn at(self, u: f32, v: f32) -> [f32; 2] {
        [
            settle(self.from[0] + (self.to[0] - self.from[0]) * u),
            settle(self.from[1] + (self.to[1] - self.from[1]) * v),
        ]
    }
}

/// How fine a patch is: steps along its first and second direction.
pub(crate) type Steps = (u16, u16);

/// Adds patches to a mesh.
pub(crate) struct Builder {
    mesh: Mesh,
}

impl Builder {
    pub(crate) fn new(name: &'static str, material: usize) -> Self {
        Self { mesh: Mesh::new(name, material) }
    }

    /// Turns everything so far inside out.
    pub(crate) fn flip(&mut self) {
        for triangle in &mut self.mesh.triangles {
            triangle.swap(1, 2);
        }
        for normal in &mut self.mesh.normals {
            *normal = normal.map(|x| 0.0 - x);
        }
    }

    pub(crate) fn finish(self) -> Mesh {
        self.mesh
    }

    /// A grid of points over (u, v) in 0..1; the outside is where `d/du x d/dv` points. `nodes` moves it.
    pub(crate) fn grid(
        &mut self,
        steps: Steps,
        area: Area,
        nodes: &[usize],
        point: impl Fn(f32, f32) -> Vec3,
    ) {
        let group = self.mesh.group(nodes);
        self.grid_of(steps, area, |_| group, point);
    }

    /// A grid whose rows along v belong to different nodes: `nodes(v)`.
    pub(crate) fn bending_grid(
        &mut self,
        steps: Steps,
        area: Area,
        nodes: impl Fn(f32) -> Vec<usize>,
        point: impl Fn(f32, f32) -> Vec3,
    ) {
        let groups: Vec<u8> =
            (0..=steps.1).map(|j| self.mesh.group(&nodes(f32::from(j) / f32::from(steps.1)))).collect();
        self.grid_of(steps, area, |j| groups.get(usize::from(j)).copied().unwrap_or(0), point);
    }

    fn grid_of(
        &mut self,
        (nu, nv): Steps,
        area: Area,
        group: impl Fn(u16) -> u8,
        point: impl Fn(f32, f32) -> Vec3,
    ) {
        let first = self.mesh.positions.len();
        for j in 0..=nv {
            for i in 0..=nu {
                let (u, v) = (f32::from(i) / f32::from(nu), f32::from(j) / f32::from(nv));
                self.mesh.positions.push(settle3(point(u, v)));
                self.mesh.uvs.push(area.at(u, v));
                self.mesh.vertex_groups.push(group(j));
            }
        }
        let start = u16::try_from(first).unwrap_or(u16::MAX);
        let mut triangles = Vec::new();
        for j in 0..nv {
            for i in 0..nu {
                let a = start + j * (nu + 1) + i;
                let (b, c, d) = (a + 1, a + nu + 1, a + nu + 2);
                triangles.extend([[a, b, d], [a, d, c]]);
            }
        }
        triangles.retain(|&t| self.area(t) > 1e-3);
        self.smooth(first, &triangles);
        self.mesh.triangles.extend(triangles);
    }

    /// The position of a triangle's vertex.
    fn corner(&self, index: u16) -> Vec3 {
        self.mesh.positions.get(usize::from(index)).copied().unwrap_or_default()
    }

    fn facing(&self, [a, b, c]: [u16; 3]) -> Vec3 {
        let origin = self.corner(a);
        cross(sub(self.corner(b), origin), sub(self.corner(c), origin))
    }

    fn area(&self, triangle: [u16; 3]) -> f32 {
        super::math::length(self.facing(triangle))
    }

    /// Normals of the vertices from `first` on: the mean over the triangles that touch the same point, so that the seam of
    /// a tube and the pole of a ball are not visible.
    fn smooth(&mut self, first: usize, triangles: &[[u16; 3]]) {
        let key = |p: Vec3| p.map(|x| (x * 64.0).round().to_bits());
        let mut sums: BTreeMap<[u32; 3], Vec3> = BTreeMap::new();
        for &triangle in triangles {
            let facing = self.facing(triangle);
            for index in triangle {
                let sum = sums.entry(key(self.corner(index))).or_default();
                *sum = add(*sum, facing);
            }
        }
        for p in self.mesh.positions.iter().skip(first) {
            let sum = sums.get(&key(*p)).copied().unwrap_or_default();
            self.mesh.normals.push(settle3(unit(sum)));
        }
    }

    /// A tube along a path, with a radius for each part of it. Ends are open unless the radius there is 0. `plane` is a
    /// direction that the path never takes: the normal of the plane it lies in.
    pub(crate) fn tube(
        &mut self,
        steps: Steps,
        area: Area,
        nodes: &[usize],
        (path, plane): (impl Fn(f32) -> Vec3, Vec3),
        radius: impl Fn(f32) -> f32,
    ) {
        self.grid(steps, area, nodes, |u, v| {
            let along = unit(sub(path((v + 0.01).min(1.0)), path((v - 0.01).max(0.0))));
            let side = unit(cross(plane, along));
            let up = cross(along, side);
            let (s, c) = (u * TAU).sin_cos();
            add(path(v), scale(add(scale(side, c), scale(up, s)), radius(v)))
        });
    }

    /// An ellipsoid, its poles along X.
    pub(crate) fn ball(&mut self, steps: Steps, area: Area, nodes: &[usize], centre: Vec3, radii: Vec3) {
        self.grid(steps, area, nodes, |u, v| {
            let ((s, c), (t, k)) = ((u * TAU).sin_cos(), (v * PI).sin_cos());
            add(centre, [-k * radii[0], c * t * radii[1], s * t * radii[2]])
        });
    }

    /// A profile (distance along the axis, radius) turned about an axis through `origin`.
    pub(crate) fn lathe(
        &mut self,
        around: u16,
        area: Area,
        nodes: &[usize],
        (origin, axis): (Vec3, Vec3),
        profile: &[[f32; 2]],
    ) {
        let Ok(rows) = u16::try_from(profile.len().saturating_sub(1)) else { return };
        if rows == 0 {
            return;
        }
        let hint = if axis[2].abs() > 0.8 { [1.0, 0.0, 0.0] } else { [0.0, 0.0, 1.0] };
        let side = unit(cross(hint, axis));
        let up = cross(axis, side);
        let last = f32::from(rows);
        self.grid((around, rows), area, nodes, |u, v| {
            let row = (0..=rows).find(|&r| f32::from(r) >= v * last - 0.25).unwrap_or(rows);
            let [along, radius] = profile.get(usize::from(row)).copied().unwrap_or_default();
            let (s, c) = (u * TAU).sin_cos();
            add(add(origin, scale(axis, along)), scale(add(scale(side, c), scale(up, s)), radius))
        });
    }

    /// A flat rectangle `origin + u * a + v * b`, facing `a x b`.
    pub(crate) fn sheet(&mut self, area: Area, nodes: &[usize], origin: Vec3, a: Vec3, b: Vec3) {
        self.grid((1, 1), area, nodes, |u, v| add(origin, add(scale(a, u), scale(b, v))));
    }
}
