//! What a picture is framed by: the solid parts of a model where it has any.
//!
//! Glow, decals on the ground, added or blended effects and particles do not widen the frame of a model with solid parts,
//! because they would make it small and move it out of the middle. A model that consists of effects alone is framed by them.

use crate::camera::{Camera, Direction, cylinder};
use crate::geometry::sound;
use crate::stage::Stage;
use crate::weight::Weight;
use effigy_scene::sample::{Moment, View};
use effigy_scene::{Billboard, Bounds, Id, Mesh, Sequence, Track};
use glam::Vec3;

/// Moments of a sequence that are sampled at least to frame it, and at most.
const MOMENTS: [usize; 2] = [8, 24];
/// Vertices that may be moved for one frame, over all moments beyond the least.
const WORK: usize = 400_000;
/// If a cloud of particles is this many times as large as blended meshes, the picture is framed for the cloud.
const EFFECT: f32 = 3.0;
/// Particles that are smaller than this share of the meshes do not count.
const SPECK: f32 = 0.1;
/// Vertices that are used in each moment.
const VERTICES: usize = 50_000;
/// How far blended parts, such as hair, may widen the frame on each side, as a share of the solid size.
const FRINGE: f32 = 0.12;
/// Parts that are blended or added, such as water or the blade of a ghost, count in full if the model is not larger with
/// them than this many times its solid parts.
const WITH_PARTS: f32 = 1.25;
/// The same for parts with at least half as many vertices as everything solid: then they are the model, such as a bottle
/// of glass with a solid cork.
const WITH_MOST: f32 = 4.0;
/// Points from which on outliers are cut off.
const MANY: usize = 300;
/// Share of all points on each side that may be outliers.
const TAIL: f32 = 0.005;
/// How far beyond the others outliers count, as a share of the size of all others.
const STRAY: f32 = 0.5;

/// What a picture is framed by.
#[derive(Clone, Debug)]
pub(crate) struct Subject {
    /// Points that the camera has to see.
    pub(crate) points: Vec<[f32; 3]>,
    /// The box around them.
    pub(crate) bounds: Bounds,
    /// The sum of the normals of all triangles that count, by area.
    pub(crate) facing: Vec3,
}

/// Which part of a sequence is framed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Span {
    /// All of it.
    Whole,
    /// One moment, in milliseconds.
    At(f64),
}

/// The points of the meshes that are visible at some moment, by how much they count.
#[derive(Debug, Default)]
struct Gathered {
    solid: Vec<[f32; 3]>,
    /// One list for each mesh and moment.
    parts: Vec<(Weight, Vec<[f32; 3]>)>,
    effect: Vec<[f32; 3]>,
    moments: usize,
    facing: Vec3,
    facing_effect: Vec3,
}

/// The sum of the normals of all triangles, each as long as twice its area.
fn facing(mesh: &Mesh, positions: &[[f32; 3]]) -> Vec3 {
    let (triangles, _) = mesh.indices.as_chunks::<3>();
    let corner = |at: u32| positions.get(at as usize).filter(|point| sound(point)).map(|at| Vec3::from(*at));
    triangles
        .iter()
        .filter_map(|[a, b, c]| {
            let (a, b, c) = (corner(*a)?, corner(*b)?, corner(*c)?);
            Some((b - a).cross(c - a))
        })
        .filter(|normal| normal.is_finite())
        .sum()
}

impl Stage {
    fn has_billboards(&self) -> bool {
        self.scene().nodes.as_slice().iter().any(|node| node.billboard != Billboard::None)
    }

    /// Times that show how far a sequence moves: evenly spaced ones, and those of keys.
    fn times(&self, sequence: Option<Id<Sequence>>, span: Span) -> Vec<f64> {
        let playing = match (span, sequence.and_then(|id| self.scene().sequences.get(id))) {
            (Span::At(time), _) => return vec![time],
            (Span::Whole, Some(playing)) if playing.length() > 0 => playing,
            (Span::Whole, _) => return vec![0.0],
        };
        let vertices: usize = self.scene().meshes.as_slice().iter().map(|mesh| mesh.positions.len()).sum();
        let [least, most] = MOMENTS;
        let most = (WORK / vertices.max(1)).clamp(least, most);
        let mut keys: Vec<i32> = Vec::new();
        let mut add = |times: &[i32]| {
            keys.extend(times.iter().filter(|time| (playing.start..=playing.end).contains(time)));
        };
        for node in self.scene().nodes.as_slice() {
            let local = [times_of(node.translation.track.as_ref()), times_of(node.scale.track.as_ref())];
            local.into_iter().chain([times_of(node.rotation.track.as_ref())]).for_each(&mut add);
        }
        keys.sort_unstable();
        keys.dedup();
        let length = f64::from(playing.length());
        let mut times: Vec<f64> = (0_u32..8).map(|part| length * f64::from(part) / 8.0).collect();
        let stride = keys.len().div_ceil((most - least).max(1)).max(1);
        if most > least {
            times.extend(keys.iter().step_by(stride).map(|key| f64::from(key.saturating_sub(playing.start))));
        }
        times
    }

    /// What a picture of a sequence is framed by. Billboards turn to the view.
    pub(crate) fn subject(&self, sequence: Option<Id<Sequence>>, span: Span, view: Option<&View>) -> Subject {
        let mut stage = Self::unposed(self.scene().clone());
        let times = self.times(sequence, span);
        let used = self.used_vertices();
        let mut gathered = Gathered { moments: times.len(), ..Gathered::default() };
        for time in times {
            stage.pose_at(Moment { sequence, time, clock: time }, view);
            for (((id, mesh), pose), used) in self.scene().meshes.iter().zip(stage.pose().meshes()).zip(&used)
            {
                if !pose.visible || !self.draws(id, mesh) {
                    continue;
                }
                let place = |at: &usize| pose.positions.get(*at).copied().filter(sound);
                let points: Vec<[f32; 3]> = used.iter().filter_map(place).collect();
                let weight = self.weight(mesh, pose, &points);
                if weight == Weight::Solid {
                    gathered.facing += facing(mesh, &pose.positions);
                } else {
                    gathered.facing_effect += facing(mesh, &pose.positions);
                }
                match weight {
                    Weight::Solid => gathered.solid.extend(points),
                    Weight::Fringe | Weight::Shine => gathered.parts.push((weight, points)),
                    Weight::Effect => gathered.effect.extend(points),
                }
            }
        }
        let middle = match span {
            Span::At(time) => time,
            Span::Whole => sequence
                .and_then(|id| self.scene().sequences.get(id))
                .map_or(0.0, |playing| f64::from(playing.length()) / 2.0),
        };
        self.settle(gathered, stage, sequence, middle, view)
    }

    /// Chooses what counts of everything that is visible.
    fn settle(
        &self,
        gathered: Gathered,
        mut stage: Self,
        sequence: Option<Id<Sequence>>,
        time: f64,
        view: Option<&View>,
    ) -> Subject {
        let Gathered { mut solid, parts, effect, moments, facing, facing_effect } = gathered;
        trim(&mut solid);
        let core = Bounds::around(&solid);
        if !core.is_empty() && core.size() > 1e-3 {
            let reach = core.size() * FRINGE;
            let body = solid.len() / moments.max(1);
            for (weight, points) in parts {
                let with_part = Bounds::around(&points).union(&core).size();
                let most = if points.len() * 2 >= body { WITH_MOST } else { WITH_PARTS };
                if with_part <= core.size() * most {
                    solid.extend(points);
                } else if weight == Weight::Fringe {
                    solid.extend(points.into_iter().map(|point| clamped(point, &core, reach)));
                }
            }
            return Subject { bounds: Bounds::around(&solid), points: solid, facing };
        }
        let mut points: Vec<[f32; 3]> =
            parts.into_iter().flat_map(|(_, points)| points).chain(effect).collect();
        trim(&mut points);
        let mut bounds = Bounds::around(&points);
        if self.has_effects() {
            if bounds.size() < 1e-3 {
                // A single point does not count as a mesh.
                (points, bounds) = (Vec::new(), Bounds::EMPTY);
            }
            stage.start(sequence, time, view);
            stage.add_effects(&mut points, &bounds);
            bounds = Bounds::around(&points);
        }
        if bounds.is_empty() {
            let stated = self.scene().bounds;
            let sane = !stated.is_empty() && stated.size() < 1e6 && stated.size() > 0.0;
            bounds = if sane { stated } else { Bounds { min: [-50.0; 3], max: [50.0; 3], radius: 0.0 } };
            points = cylinder(&bounds);
        }
        Subject { points, bounds, facing: facing_effect }
    }

    /// Adds the particles, as far as they are close to the meshes, and ribbons where there is no mesh.
    fn add_effects(&self, points: &mut Vec<[f32; 3]>, bounds: &Bounds) {
        let reach =
            bounds.size() * if self.cloud(bounds.size()) > bounds.size() * EFFECT { EFFECT } else { 0.25 };
        for (id, emitter) in self.scene().emitters.iter() {
            for particle in self.particles().of(id) {
                let place = if emitter.model_space {
                    self.pose().point(emitter.node, emitter.position)
                } else {
                    particle.position
                };
                let [small, middle, large] = emitter.over_life.sizes;
                let size = small.max(middle).max(large).clamp(0.0, 1e4) * 0.5;
                let around = [-size, size].map(|sign| place.map(|value| value + sign));
                points.extend(
                    around
                        .into_iter()
                        .map(|point| if bounds.is_empty() { point } else { clamped(point, bounds, reach) })
                        .filter(sound),
                );
            }
        }
        if bounds.is_empty() {
            let edges = self.scene().ribbons.iter().flat_map(|(id, _)| self.ribbons().edges(id));
            points.extend(edges.flat_map(|edge| [edge.above, edge.below]).filter(sound));
        }
    }

    /// Size of the box around all particles that are large enough to count next to meshes of this size.
    fn cloud(&self, meshes: f32) -> f32 {
        let live = self.scene().emitters.iter().flat_map(|(id, emitter)| {
            let largest = emitter.over_life.sizes.into_iter().fold(0.0, f32::max);
            let counts = !emitter.model_space && largest > meshes * SPECK;
            self.particles().of(id).iter().filter(move |_| counts).map(|particle| particle.position)
        });
        Bounds::around(&live.filter(sound).collect::<Vec<_>>()).size()
    }

    /// Some of the vertices of each mesh that triangles use.
    fn used_vertices(&self) -> Vec<Vec<usize>> {
        let meshes = self.scene().meshes.as_slice();
        let total: usize = meshes.iter().map(|mesh| mesh.positions.len()).sum();
        let stride = (total / VERTICES).max(1);
        meshes
            .iter()
            .map(|mesh| {
                let mut used = vec![false; mesh.positions.len()];
                for index in &mesh.indices {
                    if let Some(slot) = used.get_mut(*index as usize) {
                        *slot = true;
                    }
                }
                let list = used.iter().enumerate().filter(|(_, used)| **used).map(|(at, _)| at);
                list.step_by(stride).collect()
            })
            .collect()
    }

    /// What a picture from a direction is framed by, with billboards turned to the camera that it gives.
    pub(crate) fn subject_from(
        &self,
        sequence: Option<Id<Sequence>>,
        span: Span,
        direction: Direction,
        aspect: f32,
    ) -> Subject {
        let subject = self.subject(sequence, span, None);
        if !self.has_billboards() {
            return subject;
        }
        let camera = Camera::around(&subject.points, direction, aspect);
        let turned = self.subject(sequence, span, Some(&camera.view));
        Subject { facing: subject.facing, ..turned }
    }

    /// Points that a camera has to see while a sequence plays, and the box around them.
    ///
    /// They are vertices of the solid meshes that are visible at some moment. Effects and particles count only where
    /// nothing is solid.
    #[must_use]
    pub fn extent(&self, sequence: Option<Id<Sequence>>) -> (Vec<[f32; 3]>, Bounds) {
        let Subject { points, bounds, .. } = self.subject(sequence, Span::Whole, None);
        (points, bounds)
    }

    /// A camera that sees the whole sequence from a direction, in a picture of this width / height.
    #[must_use]
    pub fn camera(&self, sequence: Option<Id<Sequence>>, direction: Direction, aspect: f32) -> Camera {
        let subject = self.subject_from(sequence, Span::Whole, direction, aspect);
        Camera::around(&subject.points, direction, aspect)
    }
}

fn times_of<T>(track: Option<&Track<T>>) -> &[i32] {
    track.filter(|track| track.global.is_none()).map_or(&[], |track| &track.times)
}

fn clamped(mut point: [f32; 3], bounds: &Bounds, reach: f32) -> [f32; 3] {
    for ((value, min), max) in point.iter_mut().zip(bounds.min).zip(bounds.max) {
        *value = value.clamp(min - reach, (max + reach).max(min - reach));
    }
    point
}

/// Moves outliers, of which there are few, closer to the other points.
fn trim(points: &mut [[f32; 3]]) {
    if points.len() < MANY {
        return;
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a length")]
    let tail = (points.len() as f32 * TAIL) as usize;
    for axis in 0..3 {
        let mut values: Vec<f32> = points.iter().filter_map(|point| point.get(axis).copied()).collect();
        values.sort_unstable_by(f32::total_cmp);
        let (Some(low), Some(high)) =
            (values.get(tail).copied(), values.get(values.len().saturating_sub(tail + 1)).copied())
        else {
            return;
        };
        let reach = (high - low) * STRAY;
        if reach <= 0.0 {
            continue;
        }
        for value in points.iter_mut().filter_map(|point| point.get_mut(axis)) {
            *value = value.clamp(low - reach, high + reach);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use effigy_scene::{Blend, Layer, Material, Mesh, Scene, validate};

    fn square(scene: &mut Scene, half: f32, blend: Blend) {
        let layer = Layer { blend, ..Layer::default() };
        let material = scene.materials.push(Material { layers: vec![layer], ..Material::default() });
        scene.meshes.push(Mesh {
            positions: vec![[0.0, -half, -half], [0.0, half, -half], [0.0, half, half]],
            normals: vec![[1.0, 0.0, 0.0]; 3],
            indices: vec![0, 1, 2],
            material: Some(material),
            ..Mesh::new("square")
        });
    }

    fn bounds(sides: &[(f32, Blend)]) -> Bounds {
        let mut scene = Scene::default();
        sides.iter().for_each(|(half, blend)| square(&mut scene, *half, *blend));
        Stage::new(validate(scene).unwrap()).extent(None).1
    }

    #[test]
    fn glow_counts_only_where_nothing_is_solid() {
        let both = bounds(&[(10.0, Blend::Opaque), (90.0, Blend::Add)]);
        assert_eq!((both.min, both.max), ([0.0, -10.0, -10.0], [0.0, 10.0, 10.0]));
        assert_eq!(bounds(&[(90.0, Blend::Add)]).max, [0.0, 90.0, 90.0]);
    }

    #[test]
    fn blended_parts_widen_the_frame_a_little() {
        let both = bounds(&[(10.0, Blend::AlphaKey), (90.0, Blend::Alpha)]);
        // The diagonal of the solid square is 28.28; 12 % of it are 3.39.
        assert!((both.max[1] - 13.39).abs() < 0.01, "{both:?}");
    }

    #[test]
    fn parts_that_do_not_make_the_model_much_larger_count_in_full() {
        for blend in [Blend::Alpha, Blend::Add] {
            // Four small solid triangles: a part of one has less than half of their vertices.
            let solid = [(10.0, Blend::Opaque); 4];
            let with = |half: f32| bounds(&[&solid[..], &[(half, blend)]].concat()).max[1];
            assert_eq!(with(12.0), 12.0, "{blend:?}");
            assert!(with(13.0) < 13.5 && with(30.0) < 13.5, "{blend:?}");
            // A part that is most of the model, such as a bottle with a cork.
            assert_eq!(bounds(&[(10.0, Blend::Opaque), (39.0, blend)]).max[1], 39.0, "{blend:?}");
        }
    }

    #[test]
    fn few_outliers_are_moved_closer_and_many_are_not() {
        let body = |count: u16| (0..count).map(|at| [f32::from(at % 101), 0.0, 0.0]).collect::<Vec<_>>();
        let mut few = body(1000);
        few.extend([[5000.0, 0.0, 0.0]; 3]);
        trim(&mut few);
        // Half of the size beyond the others: 100 + 50.
        assert!((Bounds::around(&few).max[0] - 150.0).abs() < 1.0);
        let mut many = body(1000);
        many.extend([[5000.0, 0.0, 0.0]; 30]);
        trim(&mut many);
        assert_eq!(Bounds::around(&many).max, [5000.0, 0.0, 0.0]);
    }
}
