//! Real files, if they are available: every one comes back byte for byte, decodes to the bounds that it states, and can be
//! converted to the other format and back.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout
)]

use effigy_mdc::{Format, Formula, Mode, Model, Tags, read, to_md3, to_mdc};
use effigy_wire::{Limits, Status};

/// Files whose stated bounds are inverted or older than their vertices.
const STALE_BOUNDS: &[&str] = &[];

struct File {
    name: String,
    bytes: Vec<u8>,
    malformed: bool,
}

fn corpus() -> Option<Vec<File>> {
    let mut entries = effigy_testkit::index(&effigy_testkit::corpus()?);
    entries.retain(|entry| matches!(entry.format.as_str(), "mdc" | "md3"));
    let file = |entry: effigy_testkit::Entry| File {
        bytes: std::fs::read(&entry.path).expect("a file of the index"),
        malformed: entry.is_malformed(),
        name: entry.name,
    };
    Some(entries.into_iter().map(file).collect())
}

fn sound() -> Option<Vec<(String, Vec<u8>, Model)>> {
    let files = corpus()?.into_iter().filter(|file| !file.malformed);
    Some(
        files
            .map(|file| {
                let model = read(&file.bytes).expect(&file.name);
                (file.name, file.bytes, model)
            })
            .collect(),
    )
}

#[test]
fn every_file_comes_back_identical_and_malformed_ones_fail_with_one_line() {
    let Some(files) = corpus() else { return };
    let (mut identical, mut failed) = (0, 0);
    for file in files {
        match read(&file.bytes) {
            Err(error) if file.malformed => {
                failed += 1;
                assert_eq!(error.to_string().lines().count(), 1);
                println!("{}: {error}", file.name);
            }
            Err(error) => panic!("{}: {error}", file.name),
            Ok(_) if file.malformed => panic!("{} is read although it is malformed", file.name),
            Ok(model) => {
                assert_eq!(model.verify(&file.bytes).status, Status::Identical, "{}", file.name);
                identical += 1;
            }
        }
    }
    println!("{identical} identical, {failed} failed as they should");
    assert!(identical >= 42 && failed >= 1, "worse than before");
}

/// How far the decoded bounds of each frame are from the stated ones.
fn bounds_off(model: &Model, formula: Formula) -> Vec<f32> {
    let tracks = model.decode_with(formula, &Limits::DEFAULT).unwrap();
    let off = |(index, frame): (usize, &effigy_mdc::Frame)| {
        let (mut min, mut max) = ([f32::MAX; 3], [f32::MIN; 3]);
        for position in tracks.iter().flat_map(|track| track.positions(index)) {
            for axis in 0..3 {
                min[axis] = min[axis].min(position[axis]);
                max[axis] = max[axis].max(position[axis]);
            }
        }
        let pairs = min.iter().zip(frame.min).chain(max.iter().zip(frame.max));
        pairs.map(|(found, stated)| (found - stated).abs()).fold(0.0, f32::max)
    };
    model.frames.iter().enumerate().map(off).collect()
}

#[test]
fn decoded_bounds_of_compressed_frames_are_the_stated_ones() {
    let Some(files) = sound() else { return };
    let (mut frames, mut worst, mut worst_guess) = (0, 0.0_f32, 0.0_f32);
    for (name, _, model) in files {
        let Some(surface) = model.surfaces.first() else { continue };
        if surface.compressed_count() == 0 {
            continue;
        }
        let is_compressed: Vec<_> = surface.compressed_of_frame.iter().map(|&entry| entry >= 0).collect();
        let of_compressed = |list: Vec<f32>| {
            list.into_iter()
                .zip(&is_compressed)
                .filter(|(_, is)| **is)
                .map(|(off, _)| off)
                .collect::<Vec<_>>()
        };
        let off = of_compressed(bounds_off(&model, Formula::Engine));
        let guess = of_compressed(bounds_off(&model, Formula::Guess2004));
        let max = off.iter().copied().fold(0.0, f32::max);
        println!("{name}: {} compressed frames, at most {max}", off.len());
        if STALE_BOUNDS.contains(&name.as_str()) {
            assert!(max > 0.05, "{name} has correct bounds and need not be listed");
            continue;
        }
        assert!(max <= 0.05, "{name}: {max}");
        frames += off.len();
        worst = worst.max(max);
        worst_guess = worst_guess.max(guess.into_iter().fold(0.0, f32::max));
    }
    println!(
        "{frames} compressed frames: at most {worst} by the games' formula, {worst_guess} by the guess of 2004"
    );
    assert!(frames >= 275, "only {frames} compressed frames");
    assert!(worst_guess > 0.05, "the guess of 2004 would do as well");
}

#[test]
fn the_engine_mode_reproduces_every_real_mdc() {
    let Some(files) = sound() else { return };
    let (mut models, mut identical) = (0, 0);
    for (name, bytes, model) in files.into_iter().filter(|(_, _, model)| model.format == Format::Mdc) {
        let (plain, _) = to_md3(&model).unwrap();
        let again = to_mdc(&plain, Mode::Engine).unwrap().model;
        assert_eq!(again.surfaces.len(), model.surfaces.len());
        for (again, surface) in again.surfaces.iter().zip(&model.surfaces) {
            assert_eq!(again.base_of_frame, surface.base_of_frame, "{name}: {}", surface.name);
            assert_eq!(again.compressed_of_frame, surface.compressed_of_frame, "{name}: {}", surface.name);
            assert!(again.base == surface.base, "{name}: {}: base vertices", surface.name);
            assert!(again.compressed == surface.compressed, "{name}: {}: compressed vertices", surface.name);
        }
        models += 1;
        identical += usize::from(again.write().unwrap() == bytes);
        let (Tags::Packed { poses, .. }, Tags::Packed { poses: again, .. }) = (&model.tags, &again.tags)
        else {
            panic!("{name}: tags of an MDC")
        };
        for (pose, again) in poses.iter().zip(again) {
            assert_eq!(pose.origin, again.origin, "{name}");
            // Some tools store angles that differ by a full turn from those of the game's compressor.
            let turn = |angles: [i16; 3]| angles.map(|angle| i32::from(angle).rem_euclid(32700));
            assert_eq!(turn(pose.angles), turn(again.angles), "{name}");
        }
    }
    println!("{identical} of {models} models are the same bytes after MDC -> MD3 -> MDC");
    assert!(models >= 32 && identical >= 29, "worse than before");
}

#[test]
fn the_smallest_mode_reaches_its_size_at_no_more_error() {
    let Some(files) = sound() else { return };
    let mut sums = [(0_usize, 0_usize, 0_usize, 0.0_f64); 3];
    for (name, _, model) in files {
        // A spider that hardly moves would improve the sum too much.
        if model.frames.len() < 2 || model.surfaces.is_empty() || name.contains("spider") {
            continue;
        }
        let (plain, _) = to_md3(&model).unwrap();
        for (sum, mode) in sums.iter_mut().zip([Mode::Engine, Mode::LosslessFirst, Mode::Smallest]) {
            let measure = to_mdc(&plain, mode).unwrap().measure;
            println!("{name} {mode}: {measure}");
            sum.0 += measure.bytes;
            sum.1 += measure.md3_bytes;
            sum.2 += measure.bases;
            sum.3 = sum.3.max(measure.max_units);
        }
    }
    for (bytes, md3, bases, error) in sums {
        println!(
            "{bytes} of {md3} bytes ({:.3}), {bases} bases, {error:.4} units",
            bytes as f64 / md3 as f64
        );
        assert!(error <= 0.0434);
    }
    let [engine, lossless, smallest] = sums;
    assert!(smallest.1 >= 665_960, "animated models are missing");
    assert!(smallest.0 * 100 <= smallest.1 * 47);
    assert!(smallest.0 <= lossless.0 && lossless.0 <= engine.0);
}
