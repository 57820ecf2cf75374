//! Scale, turn and move, proved by the sampler: every pose of the result is the pose of the model, transformed.
#![allow(
    clippy::cast_possible_truncation,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs
)]

use crate::common;

use common::{bone, models, moves, sequence, triangle};
use effigy_edit::mdx::transform;
use effigy_mdx::track::tags;
use effigy_mdx::{ChunkKind, Dialect, Interpolation, Key, Model, Track};
use effigy_scene::sample::{Moment, Sampler, View};
use effigy_scene::{Id, ValidScene, validate};
use effigy_wire::Similarity;

fn lowered(model: &Model) -> Option<ValidScene> {
    validate(effigy_convert::mdx::lower(model).scene).ok()
}

fn apply(by: &Similarity, point: [f32; 3]) -> [f64; 3] {
    by.apply(point.map(f64::from))
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}

/// The largest error of a vertex or pivot relative to the size of the model, over moments of every sequence at keys and
/// between them. The view turns with the model. `None` when the model cannot be posed.
fn largest_error(before: &Model, after: &Model, by: &Similarity) -> Option<(f64, String)> {
    let (old, new) = (lowered(before)?, lowered(after)?);
    let (old_sampler, new_sampler) = (Sampler::new(&old), Sampler::new(&new));
    let (mut old_pose, mut new_pose) = (old_sampler.pose(), new_sampler.pose());
    let eye = [310.0, -170.0, 240.0];
    let view = View::look_at(eye, [0.0; 3]);
    let turned = |v: [f32; 3]| by.turned(v.map(f64::from)).map(|value| value as f32);
    let new_view = View {
        eye: apply(by, eye).map(|value| value as f32),
        right: turned(view.right),
        up: turned(view.up),
        back: turned(view.back),
    };
    let kinds: Vec<ChunkKind> = before.nodes().map(|(kind, _)| kind).collect();
    let mut worst = (0.0, String::new());
    for (index, sequence) in before.sequences.iter().enumerate() {
        let id = Id::new(u32::try_from(index).unwrap());
        let length = f64::from(sequence.interval[1].saturating_sub(sequence.interval[0]));
        let mut times: Vec<f64> = [0.0, 0.137, 0.5, 0.777, 1.0].map(|part| part * length).to_vec();
        // At keys: those of the first rotation track.
        let track = before.nodes().flat_map(|(_, node)| &node.tracks).find(|track| track.global_sequence < 0);
        let start = f64::from(sequence.interval[0]);
        let keys = track.into_iter().flat_map(|track| track.times()).map(f64::from);
        times.extend(keys.map(|time| time - start).filter(|time| (0.0..=length).contains(time)).take(2));
        for time in times {
            let moment = Moment::new(id, time);
            old_sampler.sample(&moment, Some(&view), &mut old_pose);
            new_sampler.sample(&moment, Some(&new_view), &mut new_pose);
            old_sampler.skin(&mut old_pose);
            new_sampler.skin(&mut new_pose);
            let mut size = 1.0_f64;
            let mut here = (0.0_f64, String::new());
            for (mesh, (old, new)) in old_pose.meshes().iter().zip(new_pose.meshes()).enumerate() {
                for (vertex, (old, new)) in old.positions.iter().zip(&new.positions).enumerate() {
                    let expected = apply(by, *old);
                    size = expected.iter().fold(size, |size, value| size.max(value.abs()));
                    let error = distance(expected, new.map(f64::from));
                    if error.is_finite() && error > here.0 {
                        here = (error, format!("{} at {time}: mesh {mesh} vertex {vertex}", sequence.name));
                    }
                }
            }
            for (node, kind) in kinds.iter().enumerate() {
                let id = Id::new(u32::try_from(node).unwrap());
                let pivot = |scene: &ValidScene| scene.nodes.get(id).unwrap().pivot;
                let (at, to) = (pivot(&old), pivot(&new));
                let expected = apply(by, old_pose.point(id, at));
                size = expected.iter().fold(size, |size, value| size.max(value.abs()));
                let error = distance(expected, new_pose.point(id, to).map(f64::from));
                if error.is_finite() && error > here.0 {
                    here = (error, format!("{} at {time}: {} node {node}", sequence.name, kind.tag()));
                }
                // What is not skinned is in the node's own axes, which have to turn.
                let own = !matches!(
                    kind,
                    ChunkKind::Bones
                        | ChunkKind::Helpers
                        | ChunkKind::CollisionShapes
                        | ChunkKind::HitTestShapes
                );
                if own {
                    for axis in 0..3 {
                        let column = |matrix: [[f32; 4]; 4]| {
                            let [x, y, z, _] = matrix[axis];
                            [x, y, z]
                        };
                        let expected = by.turned(column(old_pose.matrix(id)).map(f64::from));
                        let found = column(new_pose.matrix(id)).map(f64::from);
                        let error = distance(expected, found);
                        if error.is_finite() && error > 1e-4 {
                            let place =
                                format!("{}: axis {axis} of {} node {node}", sequence.name, kind.tag());
                            return Some((f64::INFINITY, format!("{place}: {expected:?} {found:?}")));
                        }
                    }
                }
            }
            if here.0 / size > worst.0 {
                worst = (here.0 / size, here.1);
            }
        }
    }
    Some(worst)
}

/// Transforms every real model and compares its poses. `excusable`: how many may be further off because their report says
/// why they cannot be exact.
fn over_the_corpus(by: Similarity, limit: f64, excusable: usize) {
    let (mut refused, mut excused, mut posed) = (0, 0, 0);
    let mut wrong = Vec::new();
    for (name, model) in models() {
        let mut changed = model.clone();
        let done = match transform(&mut changed, by) {
            Ok(done) => done,
            Err(_) => {
                refused += 1;
                continue;
            }
        };
        let Some((error, place)) = largest_error(&model, &changed, &by) else { continue };
        posed += 1;
        let excuse = done.report.notes().iter().any(|note| {
            ["vertices follow nodes", "displaced", "it does not turn", "its proportions change"]
                .iter()
                .any(|excuse| note.message.contains(excuse))
        });
        if error > limit {
            if excuse {
                excused += 1;
            } else {
                wrong.push(format!("{name}: {error:.2e} {place}"));
            }
        }
    }
    assert!(posed == 0 || posed >= 170, "{posed} models were compared");
    assert!(refused == 0 && excused <= excusable, "{refused} refused, {excused} excused");
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_scaled_model_has_scaled_poses() {
    over_the_corpus(Similarity::scale(1.7).unwrap(), 1e-5, 0);
}

#[test]
fn a_moved_model_has_moved_poses() {
    over_the_corpus(Similarity::shift([17.0, -23.0, 41.0]).unwrap(), 1e-5, 3);
}

#[test]
fn a_model_turned_by_a_quarter_has_turned_poses() {
    over_the_corpus(Similarity::turn(90.0).unwrap(), 1e-5, 6);
}

#[test]
fn a_model_turned_by_any_angle_has_turned_poses() {
    over_the_corpus(Similarity::turn(37.0).unwrap(), 1e-4, 11);
}

/// Every float of a model, in file order.
#[derive(Default)]
struct Floats(Vec<f32>);

impl effigy_wire::Visitor for Floats {
    fn enter(&mut self, _: effigy_wire::Label<'_>, _: Option<usize>) {}
    fn leaf(&mut self, leaf: effigy_wire::Leaf<'_>) {
        match leaf {
            effigy_wire::Leaf::Float(value) => self.0.push(value),
            effigy_wire::Leaf::Many { numbers: effigy_wire::Numbers::F32(list), .. } => self.0.extend(list),
            _ => {}
        }
    }
    fn leave(&mut self) {}
}

#[test]
fn twice_the_size_and_half_the_size_again_is_the_same() {
    for (name, model) in models() {
        let mut changed = model.clone();
        transform(&mut changed, Similarity::scale(2.0).unwrap()).unwrap();
        transform(&mut changed, Similarity::scale(0.5).unwrap()).unwrap();
        let (mut before, mut after) = (Floats::default(), Floats::default());
        model.visit(&mut before);
        changed.visit(&mut after);
        assert_eq!(before.0.len(), after.0.len(), "{name}");
        for (a, b) in before.0.iter().zip(&after.0) {
            // Twice the largest number is not a number that can be halved again.
            let same = a.to_bits() == b.to_bits() || !a.is_finite() || a.abs() > f32::MAX / 4.0;
            assert!(same || (a - b).abs() <= 1e-6 * a.abs(), "{name}: {a} became {b}");
        }
    }
}

/// A vertex at (10, 0, 0) that follows two bones alike: one scales by these factors, the other moves by 4 along x.
fn between_two_bones(scale: [f32; 3]) -> Model {
    let mut model = Model::new(Dialect::Warcraft3, 800, "Model");
    model.sequences = vec![sequence("Stand", [0, 1000])];
    let scale = Track::new(tags::KGSC, Interpolation::LINEAR, &[Key::new(0, scale)]).unwrap();
    let moves = moves(Interpolation::LINEAR, &[(0, 4.0)]);
    model.bones = vec![bone("A", 0, -1, vec![scale]), bone("B", 1, -1, vec![moves])];
    model.pivots = vec![[0.0; 3]; 2];
    let mut geoset = triangle([[10.0, 0.0, 0.0], [0.0; 3], [0.0, 10.0, 0.0]], 0);
    geoset.group_sizes = vec![2];
    geoset.group_nodes = vec![0, 1];
    model.geosets = vec![geoset];
    model
}

#[test]
fn scales_that_differ_by_rounding_are_even() {
    // As in text with six digits.
    let mut model = between_two_bones([0.205_316, 0.205_317, 0.205_316]);
    let done = transform(&mut model, Similarity::turn(30.0).unwrap()).unwrap();
    assert!(done.report.notes().is_empty(), "{:?}", done.report.notes());
    let scene = lowered(&model).unwrap();
    let sampler = Sampler::new(&scene);
    let mut pose = sampler.pose();
    sampler.sample(&Moment::new(Id::new(0), 0.0), None, &mut pose);
    sampler.skin(&mut pose);
    // Before the turn: half of 2.05316 and half of 14. The cosine of 30 degrees is 0.8660254.
    let posed = 8.02658;
    let [x, y, z] = pose.meshes()[0].positions[0];
    assert!((x - posed * 0.866_025_4).abs() < 1e-4 && (y - posed * 0.5).abs() < 1e-4, "{x} {y}");
    assert!(z.abs() < 1e-6);
    // A difference that can be seen is none of rounding.
    let mut model = between_two_bones([0.2, 0.21, 0.2]);
    let done = transform(&mut model, Similarity::turn(30.0).unwrap()).unwrap();
    assert_eq!(done.report.notes().len(), 1);
}
