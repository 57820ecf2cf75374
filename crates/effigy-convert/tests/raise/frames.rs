//! Models as MD3: every frame against the pose of its moment.

use crate::raise::world;
use effigy_convert::raise::{self, RaiseOptions};
use effigy_scene::sample::{Moment, Sampler};
use effigy_scene::validate;

const FPS: f32 = 10.0;
const SCALE: f32 = 16.0;
/// Half of a step of 1/64 on each axis, and what single precision adds.
const NEAR: f32 = 1.0 / 128.0 + 1e-4;
/// Models that have to be compared, and frames of them.
const MODELS: usize = 51;
const FRAMES: usize = 1600;

#[test]
fn every_frame_is_the_pose_of_its_moment() {
    let Some(models) = world::models() else { return };
    let (mut compared, mut frames, mut worst) = (0, 0, 0.0_f32);
    for (name, scene) in models {
        let scene = validate(scene).unwrap();
        let options = RaiseOptions { fps: FPS, scale: Some(SCALE), ..RaiseOptions::default() };
        let raised = raise::md3(&scene, &options).unwrap();
        let told = |text: &str| raised.report.notes().iter().any(|note| note.message.contains(text));
        let model = effigy_mdc::read(&raised.model.model.write().unwrap()).unwrap();
        let shown: Vec<_> =
            scene.meshes.iter().filter(|(_, mesh)| mesh.shown && !mesh.indices.is_empty()).collect();
        // Cut meshes, slower rates and models that are too large are other tests' matter.
        if told("beyond the 512 units")
            || told("frames a second instead")
            || shown.len() != model.surfaces.len()
        {
            continue;
        }
        compared += 1;
        let rows = effigy_mdc::sequences::parse_animations(&raised.model.animations).unwrap().sequences;
        let tracks = model.decode().unwrap();
        let sampler = Sampler::new(&scene);
        let mut pose = sampler.pose();
        for ((id, _), row) in scene.sequences.iter().zip(&rows) {
            for frame in 0..row.count {
                let time = f64::from(frame) * 1000.0 / f64::from(FPS);
                sampler.sample(&Moment { sequence: Some(id), time, clock: time }, None, &mut pose);
                sampler.skin(&mut pose);
                for ((mesh, _), track) in shown.iter().zip(&tracks) {
                    let posed = pose.mesh(*mesh).unwrap();
                    if !posed.visible {
                        continue;
                    }
                    let found = track.positions((row.first + frame) as usize);
                    for (found, wanted) in found.iter().zip(&posed.positions) {
                        for axis in 0..3 {
                            worst = worst.max((found[axis] - wanted[axis] * SCALE).abs());
                        }
                    }
                }
                frames += 1;
            }
        }
        assert!(worst <= NEAR, "{name}: {worst} units");
    }
    println!("{compared} models, {frames} frames, the largest distance on an axis is {worst} units");
    assert!(compared >= MODELS && frames >= FRAMES, "only {compared} models, {frames} frames");
}
