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
