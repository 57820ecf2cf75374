//! Bounds of sequences next to the vertices of many moments.

use crate::raise::world;
use effigy_convert::raise::{self, RaiseOptions};
use effigy_scene::sample::{Moment, Sampler};
use effigy_scene::{ValidScene, validate};
use effigy_testkit::{corpus, files};

/// How many moments of each sequence are looked at.
const MOMENTS: u32 = 100;
/// How far vertices may be out of a box, as a part of its diagonal.
const FAR: f32 = 0.015;
/// Models that are looked at: those with fewer vertices than this, so that the test takes seconds.
const VERTICES: usize = 1500;

/// Sequences whose box is too small.
fn too_small(name: &str, scene: &ValidScene) -> Vec<String> {
    let sampler = Sampler::new(scene);
    let mut pose = sampler.pose();
    let mut wrong = Vec::new();
    for (id, sequence) in scene.sequences.iter() {
        let size = sequence.bounds.size();
        let mut far = 0.0_f32;
        for part in 0..=MOMENTS {
            let time = f64::from(sequence.length()) * f64::from(part) / f64::from(MOMENTS);
            sampler.sample(&Moment::new(id, time), None, &mut pose);
            sampler.skin(&mut pose);
            for point in pose.meshes().iter().flat_map(|mesh| &mesh.positions) {
                let sides = sequence.bounds.min.iter().zip(sequence.bounds.max);
                for (value, (min, max)) in point.iter().zip(sides) {
                    far = far.max(min - value).max(value - max);
                }
            }
        }
        if far > size * FAR {
            wrong.push(format!("{name}: {} by {:.2} %", sequence.name, far / size * 100.0));
        }
    }
    wrong
}

#[test]
fn no_vertex_leaves_the_box_of_its_sequence() {
    let (Some(models), Some(corpus)) = (world::models(), corpus()) else { return };
    let mut wrong = Vec::new();
    let mut count = 0;
    let few = |scene: &ValidScene| {
        let vertices: usize = scene.meshes.as_slice().iter().map(|mesh| mesh.positions.len()).sum();
        (1..VERTICES).contains(&vertices) && !scene.sequences.is_empty()
    };
    for (name, scene) in models {
        let scene = validate(scene).unwrap();
        if few(&scene) {
            let made = raise::mdx(&scene, &RaiseOptions::default()).unwrap().model;
            wrong.extend(too_small(&name, &validate(effigy_convert::mdx::lower(&made).scene).unwrap()));
            count += 1;
        }
    }
    assert!(count > 20, "only {count} models");
    let is_warcraft = |name: &str| name.to_ascii_lowercase().ends_with(".mdx");
    for path in files(&corpus, is_warcraft).iter().step_by(8) {
        let Some(model) = effigy_mdx::read(&std::fs::read(path).unwrap()).ok() else { continue };
        let Ok(scene) = validate(effigy_convert::mdx::lower(&model).scene) else { continue };
        let options = RaiseOptions { version: 256, ..RaiseOptions::default() };
        let Some(made) = few(&scene).then(|| raise::m2(&scene, &options).ok()).flatten() else { continue };
        let read = effigy_m2::read(&made.model.write().unwrap()).unwrap();
        let scene = validate(effigy_convert::m2::lower(&read).scene).unwrap();
        wrong.extend(too_small(&path.display().to_string(), &scene));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
