//! Real soldiers, if they are available: every file comes back byte for byte, and is posed to the bounds that it states.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout
)]

use effigy_mds::bind::Bind;
use effigy_mds::pose::{Formula, Mesh, Pose, Skeleton};
use effigy_mds::{Format, Model, join, read, sniff, split};
use effigy_wire::Status;

fn soldiers() -> Option<Vec<(String, Vec<u8>, Model)>> {
    let folder = effigy_testkit::soldiers()?;
    let wanted = |name: &str| [".mds", ".mdm", ".mdx"].iter().any(|end| name.ends_with(end));
    let files = effigy_testkit::files(&folder, wanted).into_iter().map(|path| {
        let bytes = std::fs::read(&path).unwrap();
        assert!(sniff(&bytes), "{}", path.display());
        let name = path.strip_prefix(&folder).unwrap().display().to_string();
        let model = read(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        (name, bytes, model)
    });
    Some(files.collect())
}

#[test]
fn every_file_comes_back_identical_from_its_values() {
    let Some(files) = soldiers() else { return };
    for (name, bytes, model) in &files {
        assert_eq!(model.verify(bytes).status, Status::Identical, "{name}");
        let mut plain = model.clone();
        plain.forget_placement();
        assert!(plain.write().unwrap() == *bytes, "{name} in the usual order");
        assert!(model.diagnostics().is_empty(), "{name}: {:?}", model.diagnostics());
        println!("{name}: {} bytes, {} frames, {} bones", bytes.len(), model.frames.len(), model.bones.len());
    }
    let count = |format| files.iter().filter(|(_, _, model)| model.format == format).count();
    assert_eq!([count(Format::Mds), count(Format::Mdm), count(Format::Mdx)], [4, 2, 3]);
}

/// The largest distance of the posed bounds from the stated ones, for each frame.
fn bounds_off(model: &Model) -> Vec<f32> {
    let (skeleton, mesh) = (Skeleton::new(model).unwrap(), Mesh::new(model));
    let mut pose = Pose::default();
    let mut off = Vec::new();
    for (index, frame) in model.frames.iter().enumerate() {
        let moment = effigy_mds::pose::Moment::still(model, index);
        skeleton.pose_into(&moment, &mut pose).unwrap();
        let (min, max) = mesh.bounds(&pose);
        let pairs = min.iter().zip(frame.min).chain(max.iter().zip(frame.max));
        off.push(pairs.map(|(found, stated)| (found - stated).abs()).fold(0.0, f32::max));
    }
    off
}

#[test]
fn posed_bounds_of_every_frame_are_the_stated_ones() {
    let Some(files) = soldiers() else { return };
    let mut all = Vec::new();
    for (name, _, model) in files.iter().filter(|(_, _, model)| model.format == Format::Mds) {
        let mut off = bounds_off(model);
        off.sort_by(f32::total_cmp);
        let (median, worst) = (off[off.len() / 2], off[off.len() - 1]);
        println!("{name}: {} frames, median {median:.4}, at most {worst:.4}", model.frames.len());
        assert!(worst <= 0.63, "{name}: {worst}");
        all.extend(off);
    }
    all.sort_by(f32::total_cmp);
    let median = all[all.len() / 2];
    println!("{} frames: median {median:.5}", all.len());
    // The games' own functions have a median of 0.0039 over more files than these, and are off by at most 0.63.
    assert!(all.len() >= 7332 && (median - 0.0039).abs() <= 0.001, "{median}");
}

#[test]
fn the_table_of_sines_is_near_the_exact_numbers() {
    let Some(files) = soldiers() else { return };
    let find = |end: &str| &files.iter().find(|(name, ..)| name.ends_with(end)).unwrap().2;
    let (mesh, bones) = (find("soldier/body.mdm"), find("base/body.mdx"));
    let shape = Mesh::new(mesh);
    let skeleton = Skeleton::new(bones).unwrap();
    let exact = skeleton.clone().with_formula(Formula::Wolfenstein);
    let mut worst = 0.0_f32;
    for frame in (0..bones.frames.len()).step_by(7) {
        let [a, b] = [&skeleton, &exact].map(|skeleton| skeleton.frame(bones, frame).unwrap());
        for surface in 0..shape.len() {
            let [a, b] = [&a, &b].map(|pose| shape.place(surface, pose).positions);
            for (a, b) in a.iter().zip(&b) {
                let square: f32 = a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum();
                worst = worst.max(square.sqrt());
            }
        }
    }
    println!("still frames: at most {worst:.4} units apart");
    // 0.058 was measured with the game's own functions.
    assert!(worst > 0.01 && worst <= 0.06, "{worst}");
}

/// How well the vertices of each body fit its bind pose, rounded up: what the documentation of the format states.
const FITS: [(&str, f32); 6] = [
    ("multi/body.mds", 0.0031),
    ("murphy/body.mds", 0.04),
    ("warrior/body.mds", 0.0007),
    ("doc/body.mds", 0.011),
    ("common/naked.mdm", 0.093),
    ("soldier/body.mdm", 0.48),
];

#[test]
fn bind_poses_are_recovered() {
    let Some(files) = soldiers() else { return };
    let bones = &files.iter().find(|(name, ..)| name.ends_with("base/body.mdx")).unwrap().2;
    let mut found = 0;
    for (name, _, model) in &files {
        let skeleton = match model.format {
            Format::Mds => model,
            Format::Mdm => bones,
            Format::Mdx => continue,
        };
        let (_, most) = FITS.iter().find(|(end, _)| name.ends_with(end)).unwrap();
        let bind = Bind::recover(model, skeleton, 0).unwrap();
        println!("{name}: fits within {:.4} units", bind.error);
        assert!(bind.error <= *most, "{name}: {}", bind.error);
        found += 1;
    }
    assert_eq!(found, FITS.len());
}

#[test]
fn a_split_soldier_is_posed_alike() {
    let Some(files) = soldiers() else { return };
    for (name, _, model) in files.iter().filter(|(name, ..)| name.ends_with("doc/body.mds")) {
        let (mesh, bones, report) = split(model).unwrap();
        println!("{name}: {report}");
        let skeleton = Skeleton::new(&bones).unwrap().with_formula(Formula::Wolfenstein);
        let before = Skeleton::new(model).unwrap().frame(model, 5).unwrap();
        let after = skeleton.frame(&bones, 5).unwrap();
        for tag in 0..model.tags.len() {
            let (a, b) = (before.tag(model, tag).unwrap(), after.tag(&mesh, tag).unwrap());
            assert_eq!(a.origin, b.origin);
            for (a, b) in a.axes.as_flattened().iter().zip(b.axes.as_flattened()) {
                assert!((a - b).abs() < 3e-4, "{name}: {tag}");
            }
        }
        assert!(join(&mesh, &[&bones]).is_ok());
    }
}
