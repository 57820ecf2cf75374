//! How fast bodies are read and posed, on one core: `soldiers_per_second body.mds...` (a release build).
//!
//! For each file: the rate of reading in MB a second, and how often a second all bones and all vertices of a frame are
//! computed, scaled to a soldier of 2,000 vertices. The best of several rounds counts.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command")]

use effigy_mds::pose::{Mesh, Moment, Placed, Pose, Skeleton};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Vertices of the soldier that rates are given for.
const VERTICES: f64 = 2000.0;
const ROUNDS: usize = 15;

fn best(mut work: impl FnMut()) -> f64 {
    let mut best = Duration::MAX;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        work();
        best = best.min(start.elapsed());
    }
    best.as_secs_f64()
}

fn main() {
    for path in std::env::args().skip(1) {
        let Ok(bytes) = std::fs::read(&path) else {
            eprintln!("{path} cannot be read");
            continue;
        };
        let model = match effigy_mds::read(&bytes) {
            Ok(model) => model,
            Err(error) => {
                eprintln!("{path}: {error}");
                continue;
            }
        };
        let reading =
            bytes.len() as f64 / 1e6 / best(|| drop(black_box(effigy_mds::read(black_box(&bytes)))));
        let copying = bytes.len() as f64 / 1e6 / best(|| drop(black_box(black_box(&bytes).clone())));
        println!("{path}: {reading:.0} MB/s read, {copying:.0} MB/s copied");
        let Ok(skeleton) = Skeleton::new(&model) else { continue };
        if model.surfaces.is_empty() || model.frames.is_empty() {
            continue;
        }
        let (mesh, mut pose, mut placed) = (Mesh::new(&model), Pose::default(), Placed::default());
        let frames = model.frames.len().min(400);
        let bones = best(|| {
            for frame in 0..frames {
                let _ = black_box(skeleton.pose_into(&Moment::still(&model, frame), &mut pose));
            }
        }) / frames as f64;
        let skin = best(|| {
            for _ in 0..frames {
                for surface in 0..mesh.len() {
                    mesh.place_into(surface, black_box(&pose), &mut placed);
                    black_box(&placed);
                }
            }
        }) / frames as f64;
        let count = model.vertex_count() as f64;
        println!(
            "  {} bones in {:.2} us, {count} vertices in {:.2} us: {:.0} soldiers of {VERTICES} vertices a second",
            model.bones.len(),
            bones * 1e6,
            skin * 1e6,
            1.0 / (bones + skin * VERTICES / count)
        );
    }
}
