//! A soft shadow on the ground below a model that stands on it.
//!
//! It is a footprint: what is low darkens the ground, what is high hardly does. No light is traced, so the shadow is the same
//! from every side and follows the pose. It is drawn before everything else and never hides anything.

use crate::camera::Camera;
use crate::geometry::sound;
use crate::pipelines::LineVertex;
use crate::stage::Stage;
use crate::textures::byte;
use crate::weight::Weight;
use effigy_scene::{Bounds, Mesh};
use glam::Vec3;

/// Cells of the footprint along each side.
const CELLS: usize = 56;
/// How far the footprint reaches beyond the model on each side, as a share of its longer side.
const BORDER: f32 = 0.2;
/// Alpha of the darkest place.
const DARKEST: f32 = 0.55;
/// Height from which on nothing darkens the ground, as a share of the model's height.
const REACH: f32 = 0.6;
/// How far the lowest point may be above or below the origin, as a share of the height. Beyond it, a model flies, or is
/// held in a hand.
const STANDS: [f32; 2] = [-0.25, 0.12];
/// A model that is lower than this share of its width lies on the ground like a decal.
const FLAT: f32 = 0.03;
/// Triangles that are used at most; of more, every second, third, ... is used.
const TRIANGLES: usize = 60_000;
/// The camera must look down at least by this sine: from lower, the ground is not visible.
const DOWN: f32 = 0.05;

/// Darkness of the cells, row by row.
type Cells = Vec<f32>;

/// The ground below a model, divided into cells.
#[derive(Clone, Copy, Debug)]
struct Ground {
    /// The corner with the smallest x and y.
    corner: [f32; 2],
    /// Side of a cell.
    cell: f32,
    /// Height of the ground.
    z: f32,
    /// Height above the ground from which on nothing counts.
    reach: f32,
}

impl Ground {
    /// The ground below these bounds; none for a model that does not stand on it.
    fn below(bounds: &Bounds) -> Option<Self> {
        if bounds.is_empty() {
            return None;
        }
        let (min, size) = (Vec3::from(bounds.min), Vec3::from(bounds.max) - Vec3::from(bounds.min));
        let wide = size.x.max(size.y);
        let [lowest, highest] = STANDS.map(|share| share * size.z);
        if size.z <= wide * FLAT || wide <= 0.0 || !(lowest..=highest).contains(&min.z) {
            return None;
        }
        // Thin posts need a footprint that is not only a point.
        let side = wide.max(size.z * 0.1) * (1.0 + 2.0 * BORDER);
        let middle = min + size / 2.0;
        let corner = [middle.x - side / 2.0, middle.y - side / 2.0];
        Some(Self { corner, cell: side / CELLS as f32, z: min.z, reach: size.z * REACH })
    }

    /// Coordinates in cells.
    fn place(&self, point: Vec3) -> [f32; 2] {
        let [x, y] = self.corner;
        [(point.x - x) / self.cell, (point.y - y) / self.cell]
    }

    /// How much something at this height darkens the ground.
    fn weight(&self, z: f32) -> f32 {
        (1.0 - (z - self.z) / self.reach).clamp(0.0, 1.0).powi(2)
    }

    /// Darkens the cells below a triangle.
    fn stamp(&self, cells: &mut Cells, corners: [Vec3; 3]) {
        if corners.iter().all(|corner| self.weight(corner.z) <= 0.0) {
            return;
        }
        let [a, b, c] = corners;
        for (from, to) in [(a, b), (b, c), (c, a)] {
            // Walls cover no cell from above, only a line of them.
            let steps = ((to - from).truncate().length() / self.cell).ceil().clamp(1.0, CELLS as f32);
            let mut step = 0.0;
            while step <= steps {
                let point = from.lerp(to, step / steps);
                darken(cells, self.place(point), self.weight(point.z));
                step += 1.0;
            }
        }
        let [pa, pb, pc] = corners.map(|corner| self.place(corner));
        let cross = |o: [f32; 2], p: [f32; 2], q: [f32; 2]| {
            (p[0] - o[0]) * (q[1] - o[1]) - (p[1] - o[1]) * (q[0] - o[0])
        };
        let area = cross(pa, pb, pc);
        if area.abs() < 1.0 {
            return;
        }
        let range = |axis: usize| {
            let values = [pa, pb, pc].map(|place| place.get(axis).copied().unwrap_or(0.0));
            let low = values.into_iter().fold(f32::MAX, f32::min).floor();
            let high = values.into_iter().fold(f32::MIN, f32::max).ceil();
            whole(low)..whole(high).min(CELLS)
        };
        for y in range(1) {
            for x in range(0) {
                let at = [x as f32 + 0.5, y as f32 + 0.5];
                let [wa, wb, wc] =
                    [cross(at, pb, pc), cross(at, pc, pa), cross(at, pa, pb)].map(|w| w / area);
                if wa >= 0.0 && wb >= 0.0 && wc >= 0.0 {
                    darken(cells, at, self.weight(a.z * wa + b.z * wb + c.z * wc));
                }
            }
        }
    }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturating cast of a position")]
fn whole(value: f32) -> usize {
    value as usize
}

fn darken(cells: &mut Cells, [x, y]: [f32; 2], weight: f32) {
    let side = CELLS as f32;
    if x >= 0.0
        && y >= 0.0
        && x < side
        && y < side
        && let Some(cell) = cells.get_mut(whole(y) * CELLS + whole(x))
    {
        *cell = cell.max(weight);
    }
}

/// The mean of each cell and its neighbours up to `radius` in both directions.
fn blurred(cells: &Cells, radius: usize) -> Cells {
    let pass = |from: &Cells, step: usize, along: usize| -> Cells {
        let mut to = vec![0.0; from.len()];
        for line in 0..CELLS {
            for at in 0..CELLS {
                let near = at.saturating_sub(radius)..(at + radius + 1).min(CELLS);
                let sum: f32 = near.filter_map(|at| from.get(line * along + at * step)).sum();
                if let Some(cell) = to.get_mut(line * along + at * step) {
                    *cell = sum / (2 * radius + 1) as f32;
                }
            }
        }
        to
    };
    pass(&pass(cells, 1, CELLS), CELLS, 1)
}

/// Whether any triangle can be seen from the camera's side.
fn is_seen(stage: &Stage, mesh: &Mesh, positions: &[[f32; 3]], eye: Vec3) -> bool {
    let material = mesh.material.and_then(|id| stage.scene().materials.get(id));
    if material.is_some_and(|material| material.layers.iter().any(|layer| layer.two_sided)) {
        return true;
    }
    triangles(mesh, positions, 1).any(|[a, b, c]| (b - a).cross(c - a).dot(eye - a) > 0.0)
}

fn triangles<'a>(
    mesh: &'a Mesh,
    positions: &'a [[f32; 3]],
    stride: usize,
) -> impl Iterator<Item = [Vec3; 3]> + 'a {
    let corner = |at: u32| positions.get(at as usize).filter(|point| sound(point)).map(|at| Vec3::from(*at));
    let (triangles, _) = mesh.indices.as_chunks::<3>();
    triangles
        .iter()
        .step_by(stride)
        .filter_map(move |[a, b, c]| Some([corner(*a)?, corner(*b)?, corner(*c)?]))
}

/// The shadow of a stage as triangles with colours; empty if there is none.
pub(crate) fn triangles_of(stage: &Stage, camera: &Camera) -> Vec<LineVertex> {
    let [_, _, down] = camera.view.back;
    if down < DOWN {
        return Vec::new();
    }
    let mut pose = stage.pose().clone();
    stage.sampler().skin(&mut pose);
    let solid: Vec<(&Mesh, &[[f32; 3]])> = stage
        .scene()
        .meshes
        .iter()
        .zip(pose.meshes())
        .filter(|((id, mesh), posed)| posed.visible && stage.draws(*id, mesh))
        .map(|((_, mesh), posed)| (mesh, posed))
        .filter(|(mesh, posed)| stage.weight(mesh, posed, &posed.positions) == Weight::Solid)
        .map(|(mesh, posed)| (mesh, posed.positions.as_slice()))
        .collect();
    let count: usize = solid.iter().map(|(mesh, _)| mesh.indices.len() / 3).sum();
    let stride = count.div_ceil(TRIANGLES).max(1);
    let all = || solid.iter().flat_map(|(mesh, positions)| triangles(mesh, positions, stride));
    let points: Vec<[f32; 3]> = all().flatten().map(|corner| corner.to_array()).collect();
    let Some(ground) = Ground::below(&Bounds::around(&points)) else { return Vec::new() };
    let eye = Vec3::from(camera.view.eye);
    if !solid.iter().any(|(mesh, positions)| is_seen(stage, mesh, positions, eye)) {
        return Vec::new();
    }
    let mut cells = vec![0.0; CELLS * CELLS];
    all().for_each(|corners| ground.stamp(&mut cells, corners));
    soft(&ground, &cells)
}

/// The darkened cells with soft edges, as triangles.
fn soft(ground: &Ground, cells: &Cells) -> Vec<LineVertex> {
    let close = blurred(&blurred(cells, 1), 1);
    let wide = blurred(&blurred(&close, 4), 3);
    let shade: Vec<f32> = close.iter().zip(&wide).map(|(close, wide)| 0.35 * close + 0.65 * wide).collect();
    let vertex = |x: usize, y: usize| {
        let [left, bottom] = ground.corner;
        let position =
            [left + (x as f32 + 0.5) * ground.cell, bottom + (y as f32 + 0.5) * ground.cell, ground.z];
        let dark = shade.get(y * CELLS + x).copied().unwrap_or(0.0).clamp(0.0, 1.0) * DARKEST;
        LineVertex { position, color: [0, 0, 0, byte(dark)] }
    };
    let mut list = Vec::new();
    for y in 0..CELLS - 1 {
        for x in 0..CELLS - 1 {
            let quad = [vertex(x, y), vertex(x + 1, y), vertex(x + 1, y + 1), vertex(x, y + 1)];
            let [a, b, c, d] = quad;
            if quad.iter().any(|corner| corner.color[3] > 0) {
                list.extend([a, b, c, a, c, d]);
            }
        }
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    fn box_of(min: [f32; 3], max: [f32; 3]) -> Option<Ground> {
        Ground::below(&Bounds { min, max, radius: 0.0 })
    }

    #[test]
    fn only_what_stands_on_the_ground_has_a_shadow() {
        assert!(box_of([-1.0, -1.0, 0.0], [1.0, 1.0, 4.0]).is_some());
        // Roots or a foundation are below the ground.
        assert!(box_of([-1.0, -1.0, -0.9], [1.0, 1.0, 3.1]).is_some());
        // It flies; it is held in the middle; it is a decal; it is nothing.
        assert!(box_of([-1.0, -1.0, 2.0], [1.0, 1.0, 6.0]).is_none());
        assert!(box_of([-1.0, -1.0, -2.0], [1.0, 1.0, 2.0]).is_none());
        assert!(box_of([-9.0, -9.0, 0.0], [9.0, 9.0, 0.2]).is_none());
        assert!(Ground::below(&Bounds::EMPTY).is_none());
    }

    #[test]
    fn low_parts_darken_the_cells_below_them_and_high_parts_do_not() {
        let ground = box_of([-1.0, -1.0, 0.0], [1.0, 1.0, 4.0]).unwrap();
        let at = |cells: &Cells, x: f32, y: f32| {
            let [x, y] = ground.place(Vec3::new(x, y, 0.0));
            cells[whole(y) * CELLS + whole(x)]
        };
        let stamped = |z: f32| {
            let mut cells = vec![0.0; CELLS * CELLS];
            ground.stamp(&mut cells, [[-1.0, -1.0, z], [1.0, -1.0, z], [-1.0, 1.0, z]].map(Vec3::from));
            cells
        };
        // The lower left half of the square is covered. At half of the reach the weight is a quarter.
        let low = stamped(0.0);
        assert_eq!((at(&low, -0.5, -0.5), at(&low, 0.6, 0.6)), (1.0, 0.0));
        assert!((at(&stamped(4.0 * REACH / 2.0), -0.5, -0.5) - 0.25).abs() < 1e-3);
        assert!(stamped(4.0).iter().all(|cell| *cell == 0.0));
    }

    #[test]
    fn a_blur_spreads_a_cell_evenly_and_keeps_its_sum() {
        let mut cells = vec![0.0; CELLS * CELLS];
        cells[20 * CELLS + 20] = 9.0;
        let blurred = blurred(&cells, 1);
        assert!((blurred[19 * CELLS + 21] - 1.0).abs() < 1e-5);
        assert_eq!(blurred[20 * CELLS + 22], 0.0);
        assert!((blurred.iter().sum::<f32>() - 9.0).abs() < 1e-4);
    }
}
