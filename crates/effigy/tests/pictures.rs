//! Pictures through the facade, on the samples.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![cfg(feature = "render")]

use effigy::assets::Memory;
use effigy::{OpenOptions, Picture, Renderer};

/// Whether there is a graphics driver; without one the tests are skipped, and fail where one is required.
fn can_draw() -> bool {
    let opened = Renderer::shared();
    effigy_testkit::require("gpu", opened.is_ok(), "no graphics driver")
}

#[test]
fn every_creature_is_drawn_with_its_textures() {
    if !can_draw() {
        return;
    }
    let all = [effigy_samples::all(), effigy_samples::textures(), effigy_samples::scripts()].concat();
    let mut files = Memory::new("samples");
    for sample in &all {
        files.add(&sample.file_name, sample.bytes.clone());
    }
    let creatures = all.iter().filter(|sample| {
        sample.name.ends_with("-creature")
            && !sample.file_name.ends_with(".skin")
            && !sample.file_name.ends_with(".anim")
    });
    let mut drawn = 0;
    for sample in creatures {
        let model = effigy::open_in(files.clone(), &sample.file_name, &OpenOptions::default()).unwrap();
        let pictures = model.render(&Picture { size: [64, 64], ..Picture::default() }).unwrap();
        assert!(!pictures.empty, "{}", sample.name);
        assert_eq!((pictures.pictures[0].width, pictures.pictures[0].height), (64, 64));
        drawn += 1;
    }
    assert!(drawn >= 30, "{drawn}");
}

#[test]
fn a_picture_is_saved_by_its_extension() {
    if !can_draw() {
        return;
    }
    let sample = effigy_samples::all().into_iter().find(|sample| sample.name == "mdx-800-creature").unwrap();
    let model = effigy::read(&sample.bytes, Some("mdx")).unwrap();
    let pictures = model.render(&Picture { size: [32, 32], ..Picture::default() }).unwrap();
    let folder = tempfile::tempdir().unwrap();
    pictures.save(folder.path().join("a.png")).unwrap();
    let bytes = std::fs::read(folder.path().join("a.png")).unwrap();
    assert!(bytes.starts_with(b"\x89PNG"));
    assert_eq!(pictures.save(folder.path().join("a.jpg")).unwrap_err().kind(), effigy::Kind::Usage);
}

/// The largest difference of a channel between the picture of a model and that of the .glb that was made of it, which is alone
/// in its folder.
#[cfg(feature = "gltf")]
fn difference_of_glb(files: Memory, name: &str) -> Option<u8> {
    let model = effigy::open_in(files, name, &OpenOptions::default()).ok()?;
    let glb = model.convert(&"glb".parse().unwrap()).ok()?.into_bytes().unwrap();
    let mut alone = Memory::new("alone");
    alone.add("again.glb", glb);
    let again = effigy::open_in(alone, "again.glb", &OpenOptions::default()).unwrap();
    let picture = Picture { size: [96, 96], ..Picture::default() };
    let [before, after] = [model, again].map(|model| model.render(&picture).unwrap().pictures[0].clone());
    let pixels = before.pixels().iter().zip(after.pixels());
    Some(pixels.map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0))
}

#[test]
#[cfg(feature = "gltf")]
fn samples_look_the_same_after_the_way_through_gltf() {
    if !can_draw() {
        return;
    }
    let all = [effigy_samples::all(), effigy_samples::textures()].concat();
    let mut files = Memory::new("samples");
    for sample in &all {
        files.add(&sample.file_name, sample.bytes.clone());
    }
    let models = all.iter().filter(|sample| sample.file_name.ends_with(".mdx"));
    let (mut drawn, mut wrong) = (0, Vec::new());
    for sample in models.filter(|sample| sample.name.contains("-creature") || sample.name.contains("beetle"))
    {
        let Some(off) = difference_of_glb(files.clone(), &sample.file_name) else { continue };
        drawn += 1;
        if off > 1 {
            wrong.push(format!("{}: {off} of 255", sample.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(drawn >= 5, "{drawn}");
}

#[test]
#[cfg(feature = "gltf")]
fn real_models_look_the_same_after_the_way_through_gltf() {
    let Some(corpus) = effigy_testkit::corpus() else { return };
    if !can_draw() {
        return;
    }
    let (mut drawn, mut wrong) = (0, Vec::new());
    let mut folders: Vec<_> =
        std::fs::read_dir(corpus.join("textured")).unwrap().flatten().map(|it| it.path()).collect();
    folders.sort();
    for folder in folders.iter().filter(|it| it.is_dir()) {
        let mut files = Memory::new("textured");
        for path in effigy_testkit::files(folder, |_| true) {
            let name = path.strip_prefix(folder).unwrap().to_string_lossy().replace('\\', "/");
            files.add(&name, std::fs::read(&path).unwrap());
        }
        let models = effigy_testkit::files(folder, |name| name.ends_with(".mdx") || name.ends_with(".m2"));
        for path in &models {
            let name = path.strip_prefix(folder).unwrap().to_string_lossy().replace('\\', "/");
            let Some(off) = difference_of_glb(files.clone(), &name) else { continue };
            drawn += 1;
            if off > 1 {
                wrong.push(format!("{name}: {off} of 255"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(drawn >= 51, "{drawn}");
}

/// The models of the corpus that the pictures of optimised models are compared for: every ninth.
#[cfg(feature = "edit")]
const EVERY: usize = 9;

#[test]
#[cfg(feature = "edit")]
fn a_model_without_what_nothing_uses_looks_the_same() {
    use effigy::edits::mdx::optimize::OptimizeOptions;
    let Some(corpus) = effigy_testkit::corpus().filter(|_| can_draw()) else { return };
    let sound = |entry: &effigy_testkit::Entry| entry.format == "mdx" && !entry.is_malformed();
    let entries: Vec<_> = effigy_testkit::index(&corpus).into_iter().filter(sound).collect();
    let mut compared = 0;
    for entry in entries.iter().step_by(EVERY) {
        let bytes = std::fs::read(&entry.path).unwrap();
        let Ok(model) = effigy::read(&bytes, Some("mdx")) else { continue };
        let Ok(smaller) = model.optimized(&OptimizeOptions::LOSSLESS) else { continue };
        let again = effigy::read(&smaller.bytes, Some("mdx")).unwrap();
        let picture = Picture { size: [96, 96], ..Picture::default() };
        let [before, after] = [&model, &again].map(|model| model.render(&picture).unwrap());
        let pairs = before.pictures[0].levels[0].iter().zip(&after.pictures[0].levels[0]);
        let worst = pairs.map(|(a, b)| a.abs_diff(*b)).max().unwrap();
        assert_eq!(worst, 0, "{}", entry.name);
        compared += 1;
    }
    assert!(compared >= 20, "{compared}");
}
