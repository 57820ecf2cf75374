//! Every real file comes back byte for byte. The files are not part of the project: see docs/testing.md.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr
)]

use effigy_m2::{Companion, Model, Skin, Version, read};
use effigy_testkit::{corpus, files};
use effigy_wire::{Flat, Report, Severity, Status};
use std::path::{Path, PathBuf};

fn models(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    files(folder, |name| name.contains(".m2"))
        .into_iter()
        .map(|path| {
            let bytes = std::fs::read(&path).unwrap();
            (path, bytes)
        })
        .filter(|(_, bytes)| effigy_m2::sniff(bytes))
        .collect()
}

/// Files that no converter has touched.
fn is_original(path: &Path) -> bool {
    let path = path.to_string_lossy();
    path.contains("vanilla-wow-interface-textures") || path.contains("mangos-tbc-data")
}

#[test]
fn every_model_comes_back_identical() {
    let Some(corpus) = corpus() else { return };
    let mut count = 0;
    let mut canonical = 0;
    for (path, bytes) in models(&corpus) {
        let model = read(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let verdict = model.verify(&bytes);
        let worst: Vec<_> = model
            .diagnostics()
            .iter()
            .filter(|found| found.severity >= Severity::Severe)
            .map(|found| found.to_string())
            .collect();
        assert_eq!(verdict.status, Status::Identical, "{}: {worst:#?}", path.display());
        assert!(worst.is_empty(), "{}: {worst:#?}", path.display());
        let alone = model.verify_canonical(&bytes);
        if is_original(&path) {
            assert!(alone, "{}: the canonical layout differs", path.display());
            assert!(model.diagnostics().is_empty(), "{}: {:?}", path.display(), model.diagnostics());
        }
        if std::env::var_os("EFFIGY_VERBOSE").is_some() {
            eprintln!(
                "{} {} canonical {alone} {:?}",
                model.version(),
                path.display(),
                model.diagnostics().iter().map(ToString::to_string).collect::<Vec<_>>()
            );
        }
        canonical += usize::from(alone);
        count += 1;
    }
    eprintln!("{count} models identical, {canonical} from the canonical layout alone");
    assert!(count >= 82 && canonical >= 33, "{count} models, {canonical} canonical");
}

#[test]
fn every_skin_comes_back_identical() {
    let Some(corpus) = corpus() else { return };
    let mut counts = [0; 2];
    for path in files(&corpus, |name| name.ends_with(".skin")) {
        let bytes = std::fs::read(&path).unwrap();
        if !Skin::sniff(&bytes) {
            continue;
        }
        let skin = Skin::read(&bytes).unwrap();
        assert_eq!(skin.verify(&bytes).status, Status::Identical, "{}", path.display());
        counts[0] += 1;
        counts[1] += usize::from(skin.verify_canonical(&bytes));
    }
    eprintln!("{} skins identical, {} from the canonical layout alone", counts[0], counts[1]);
    assert!(counts[0] >= 31 && counts[1] >= 19, "skins: {counts:?}");
}

#[test]
fn every_animation_file_comes_back_identical() {
    let Some(corpus) = corpus() else { return };
    let companions = corpus.join("m2-companions");
    let mut count = 0;
    let mut canonical = 0;
    for (path, bytes) in models(&corpus.join("m2-264")) {
        let mut model = read(&bytes).unwrap();
        let folder = companions.join(path.parent().unwrap().file_name().unwrap());
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        for sequence in model.missing_anims() {
            let companion = Companion::Animation(sequence);
            let file = folder.join(companion.file_name(&model, &name).unwrap());
            let Ok(source) = std::fs::read(&file) else {
                eprintln!("{} is not there", file.display());
                continue;
            };
            model.attach(companion, &source).unwrap();
            assert!(model.write_companion(companion).unwrap() == source, "{}", file.display());
            assert!(model.write().unwrap() == bytes, "{}", path.display());
            let mut moved = model.clone();
            moved.forget_places();
            canonical += usize::from(moved.write_companion(companion).unwrap() == source);
            count += 1;
        }
        let worst = model.diagnostics().iter().find(|found| found.severity >= Severity::Severe);
        assert!(worst.is_none(), "{}: {worst:?}", path.display());
    }
    eprintln!("{count} animation files identical, {canonical} from the canonical layout alone");
    assert!(count >= 24 && canonical >= 22, "{count} animation files, {canonical} canonical");
}

/// Through a file of the other version and back.
fn there_and_back(model: &Model, there: u32) -> (Model, Report) {
    let (other, mut report) = model.upgrade(Version::new(there).unwrap()).unwrap();
    let mut read = read(&other.write().unwrap()).unwrap();
    assert!(
        read.diagnostics().iter().all(|found| found.severity < Severity::Severe),
        "{:?}",
        read.diagnostics()
    );
    assert!(read.contents == other.contents, "writing and reading changed it");
    read.skins = other.skins.iter().map(|skin| Skin::read(&skin.write().unwrap()).unwrap()).collect();
    let (back, returned) = read.upgrade(model.version()).unwrap();
    report.append(returned);
    (back, report)
}

#[test]
fn what_goes_to_another_version_comes_back_or_is_reported() {
    let Some(corpus) = corpus() else { return };
    let mut counts = [0; 3];
    for (path, bytes) in models(&corpus) {
        let model = read(&bytes).unwrap();
        let others: &[u32] = match model.version().number() {
            ..260 => &[257, 260, 262, 263, 264],
            260..264 => &[256, 260, 263, 264],
            _ => &[],
        };
        for &there in others.iter().filter(|&&there| there != model.version().number()) {
            let (back, report) = there_and_back(&model, there);
            let place = format!("{} -> {there}: {}", model.version(), path.display());
            let equal = back == model;
            counts[0] += 1;
            counts[1] += usize::from(equal);
            counts[2] += usize::from(!report.is_lossy());
            if std::env::var_os("EFFIGY_VERBOSE").is_some() {
                eprintln!("{place}: equal {equal}\n{report}");
            }
            if !report.is_lossy() {
                let [mut before, mut after] = [Flat::default(), Flat::default()];
                model.visit(&mut before);
                back.visit(&mut after);
                for (before, after) in before.leaves.iter().zip(&after.leaves) {
                    assert_eq!(before, after, "{place}");
                }
                assert!(equal, "{place}: nothing was reported");
            }
        }
    }
    eprintln!(
        "{} ways there and back: {} equal, {} without any loss reported",
        counts[0], counts[1], counts[2]
    );
    // Reporting a loss every time would pass all of the above.
    assert!(counts[0] >= 232 && counts[2] >= 150, "worse than before: {counts:?}");
}

#[test]
fn the_hash_table_of_original_files_is_reproduced() {
    let Some(corpus) = corpus() else { return };
    let mut count = 0;
    for (path, bytes) in models(&corpus) {
        let model = read(&bytes).unwrap();
        if model.version() != Version::WRATH || model.sequence_lookup.is_empty() {
            continue;
        }
        let (older, _) = model.upgrade(Version::BURNING_CRUSADE).unwrap();
        let (again, _) = older.upgrade(Version::WRATH).unwrap();
        assert_eq!(again.sequence_lookup, model.sequence_lookup, "{}", path.display());
        count += 1;
    }
    eprintln!("{count} hash tables made again");
    assert!(count >= 7, "only {count} hash tables");
}

#[test]
fn names_of_bones_are_recovered_from_their_checksums() {
    let Some(corpus) = corpus() else { return };
    let mut checksums = std::collections::BTreeSet::new();
    for (_, bytes) in models(&corpus) {
        let model = read(&bytes).unwrap();
        if model.version() >= Version::WRATH {
            checksums.extend(model.bones.iter().map(|bone| bone.name_crc));
        }
    }
    let named = checksums.iter().filter(|&&crc| effigy_m2::names::bone(crc).is_some()).count();
    eprintln!("{named} of {} different bones have names", checksums.len());
    assert!(named >= 149, "only {named} of {}", checksums.len());
}

#[test]
fn models_of_wrath_and_later_go_down_to_every_version() {
    let Some(corpus) = corpus() else { return };
    let skins = files(&corpus, |name| name.ends_with(".skin"));
    let mut count = 0;
    for (path, bytes) in models(&corpus) {
        let mut model = read(&bytes).unwrap();
        if model.version() < Version::WRATH {
            continue;
        }
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        for index in 0..4 {
            let companion = Companion::Skin(index);
            let wanted = companion.file_name(&model, &name).unwrap();
            if let Some(path) = skins.iter().find(|path| path.ends_with(&wanted)) {
                model.attach(companion, &std::fs::read(path).unwrap()).unwrap();
            }
        }
        for target in [256, 260, 263, 264].into_iter().filter(|&target| target != model.version().number()) {
            let (older, report) = model.upgrade(Version::new(target).unwrap()).unwrap();
            let again = read(&older.write().unwrap()).unwrap();
            assert!(again.contents == older.contents, "{target}: {}", path.display());
            assert!(
                again.diagnostics().is_empty(),
                "{target}: {}: {:?}",
                path.display(),
                again.diagnostics()
            );
            if target < 264 && !model.skins.is_empty() {
                assert_eq!(older.contents.views.len(), 4, "{target}: {}: {report}", path.display());
            }
            count += 1;
        }
    }
    eprintln!("{count} ways down");
    assert!(count >= 91, "only {count} ways down");
}

/// Attaches the `.skin` files of a model, wherever they are in the corpus.
fn attach_skins(model: &mut Model, path: &Path, skins: &[PathBuf]) {
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    for companion in model.companions() {
        let Companion::Skin(_) = companion else { continue };
        let wanted = companion.file_name(model, &name).unwrap();
        if let Some(path) = skins.iter().find(|path| path.ends_with(&wanted)) {
            model.attach(companion, &std::fs::read(path).unwrap()).unwrap();
        }
    }
}

/// Submeshes, bones and playable rows that original files store and that conversions have to compute.
#[test]
fn computed_words_are_those_of_original_files() {
    let Some(corpus) = corpus() else { return };
    let skins = files(&corpus, |name| name.ends_with(".skin"));
    let (mut near, mut exact, mut submeshes) = (0, 0, 0);
    let (mut heights, mut paths, mut parents, mut bones) = (0, 0, 0, 0);
    let (mut rows, mut same_rows) = (0, 0);
    for (path, bytes) in models(&corpus) {
        let mut model = read(&bytes).unwrap();
        let number = model.version().number();
        if !(260..=264).contains(&number) {
            continue;
        }
        attach_skins(&mut model, &path, &skins);
        for view in model.views() {
            for submesh in &view.submeshes {
                let (center, radius) = view.sort_sphere(submesh, &model.vertices);
                let size = submesh.sort_radius.max(1e-6);
                let off =
                    center.iter().zip(submesh.sort_center).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
                near += usize::from(off.max((radius - submesh.sort_radius).abs()) <= 1e-5 * size);
                exact += usize::from((center, radius) == (submesh.sort_center, submesh.sort_radius));
                submeshes += 1;
            }
        }
        if number == 264 {
            continue;
        }
        // Down to vanilla and up again: the words are dropped and computed.
        let mut bare = model.clone();
        for bone in &mut bare.contents.bones {
            (bone.submesh, bone.distance, bone.z_ratio) = (0, 0, 0);
        }
        bare.contents.playable_lookup = effigy_m2::Block::default();
        let (vanilla, _) = bare.upgrade(Version::VANILLA).unwrap();
        let (again, _) = vanilla.upgrade(model.version()).unwrap();
        for (bone, made) in model.bones.iter().zip(&again.bones) {
            bones += 1;
            heights += usize::from(bone.z_ratio == made.z_ratio);
            paths += usize::from(bone.distance == made.distance);
            parents += usize::from(bone.submesh == made.submesh);
        }
        if model.playable_lookup.len() == 203 {
            let (wrath, _) = bare.upgrade(Version::WRATH).unwrap();
            let mut fresh = wrath.write().unwrap();
            // Without what was stored after the model the table has to be computed.
            let at = fresh.windows(8).position(|bytes| bytes == b"EFGYKEPT").unwrap();
            fresh[at..at + 8].fill(0);
            let (made, _) = read(&fresh).unwrap().upgrade(model.version()).unwrap();
            let pairs = model.playable_lookup.iter().zip(&made.playable_lookup);
            rows += made.playable_lookup.len();
            same_rows += pairs.filter(|(stored, made)| stored == made).count();
        }
    }
    eprintln!("{near} of {submeshes} sort spheres within rounding, {exact} exact");
    eprintln!("{heights} heights, {paths} paths, {parents} distances to parents of {bones} bones");
    eprintln!("{same_rows} of {rows} playable rows");
    assert!(near * 100 >= submeshes * 95 && submeshes > 400, "{near} of {submeshes}");
    assert!(heights == bones && parents == bones && paths * 100 >= bones * 90 && bones > 100);
    assert!(same_rows == rows && rows > 1000, "{same_rows} of {rows}");
}
