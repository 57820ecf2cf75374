//! Every sample through every door of the facade.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use effigy::assets::Memory;
use effigy::{Format, Kind, Model, OpenOptions};
use effigy_samples::Sample;

/// All samples in one set of files, as a browser would hold them.
fn files() -> Memory {
    let mut files = Memory::new("samples");
    for sample in everything() {
        files.add(&sample.file_name, sample.bytes);
    }
    files
}

fn everything() -> Vec<Sample> {
    [effigy_samples::all(), effigy_samples::textures(), effigy_samples::scripts()].concat()
}

/// The samples that are models of their own; the others belong to one.
fn models() -> Vec<Sample> {
    let is_model =
        |sample: &Sample| !sample.file_name.ends_with(".skin") && !sample.file_name.ends_with(".anim");
    effigy_samples::all().into_iter().filter(is_model).collect()
}

fn open(name: &str) -> Model {
    effigy::open_in(files(), name, &OpenOptions::default()).unwrap()
}

#[test]
fn every_sample_comes_back_byte_for_byte() {
    for sample in models() {
        let model = open(&sample.file_name);
        let verdict = model.verify(&sample.bytes);
        assert!(model.format() == Format::Mdl || model.write().unwrap() == sample.bytes, "{}", sample.name);
        assert_ne!(verdict.status, effigy::Status::Different, "{}", sample.name);
    }
}

#[test]
fn a_wrath_model_comes_with_its_skins_and_animations() {
    let model = open("m2-264-everything.m2");
    assert!(model.summary().vertices() > 0);
    let Model::M2(m2) = &model else { panic!("not an M2") };
    assert_eq!(m2.skins.len(), 4);
    assert_eq!(m2.attached_anims().count(), 1);
    let names = model.companions("m2-264-everything.m2");
    assert!(names.contains(&"m2-264-everything0001-00.anim".to_owned()), "{names:?}");
    // Alone it has no geometry.
    let sample = models().into_iter().find(|sample| sample.file_name == "m2-264-everything.m2").unwrap();
    assert_eq!(effigy::read(&sample.bytes, None).unwrap().summary().vertices(), 0);
}

#[test]
fn every_creature_is_lowered_exported_and_checked() {
    for sample in models().iter().filter(|sample| sample.name.ends_with("-creature")) {
        let model = open(&sample.file_name);
        let lowered = model.lower().unwrap();
        let scene = effigy::scene::validate(lowered.scene).unwrap();
        assert!(!scene.meshes.is_empty() && !scene.sequences.is_empty(), "{}", sample.name);
        let glb = model.convert(&"glb".parse().unwrap()).unwrap().into_bytes().unwrap();
        assert!(glb.starts_with(b"glTF"), "{}", sample.name);
        // The textures lie next to the models.
        let json = String::from_utf8_lossy(&glb);
        assert!(json.contains("image/png"), "{}", sample.name);
        let checked = model.check(&Default::default());
        // No released game loads version 900, and no sample claims otherwise.
        let known = |finding: &effigy::Finding| finding.code.0 == "MDX1001" && model.version() == 900;
        let worst: Vec<String> = checked
            .findings
            .iter()
            .filter(|finding| finding.severity >= effigy::Severity::Severe && !known(finding))
            .map(ToString::to_string)
            .collect();
        assert!(worst.is_empty(), "{}: {worst:?}", sample.name);
    }
}

#[test]
fn gltf_in_several_files_names_them_by_the_stem() {
    let model = open("mdx-800-creature.mdx");
    let files = model.convert(&"gltf".parse().unwrap()).unwrap().into_files("beetle").unwrap();
    let names: Vec<&str> = files.companions.iter().map(|(name, _)| name.as_str()).collect();
    assert!(names.contains(&"beetle.bin"), "{names:?}");
    let json = String::from_utf8(files.main).unwrap();
    // Spaces and parentheses are written as a URI needs them.
    let uri = |name: &&str| name.replace(' ', "%20").replace('(', "%28").replace(')', "%29");
    assert!(names.iter().map(uri).all(|name| json.contains(&name)), "{names:?}");
    let error = model.convert(&"gltf".parse().unwrap()).unwrap().into_bytes().unwrap_err();
    assert_eq!(error.kind(), Kind::Usage);
}

#[test]
fn a_creature_of_one_game_becomes_one_of_another_with_its_textures() {
    let model = open("m2-264-creature.m2");
    let files = model.convert(&"mdx:800".parse().unwrap()).unwrap().into_files("beetle").unwrap();
    let made = effigy::read(&files.main, None).unwrap();
    assert_eq!((made.format(), made.version()), (effigy::Format::Mdx, 800));
    let worst = made.check(&effigy::CheckOptions::default()).findings;
    assert!(worst.iter().all(|finding| finding.severity < effigy::Severity::Severe), "{worst:?}");
    assert!(!files.companions.is_empty());
    for (name, bytes) in &files.companions {
        assert!(name.starts_with("war3mapImported/") && name.ends_with(".blp"), "{name}");
        let image = effigy::image::read(bytes).unwrap();
        let fits = |side: u32| side.is_power_of_two() && side <= 512;
        assert!(bytes.starts_with(b"BLP1") && fits(image.width) && fits(image.height), "{name}");
    }
    let options = effigy::ConvertOptions { no_textures: true, portrait: true, ..Default::default() };
    let files =
        model.convert_with(&"mdx:1100".parse().unwrap(), &options).unwrap().into_files("beetle").unwrap();
    let names: Vec<&str> = files.companions.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["beetle_Portrait.mdx"]);
    let files =
        open("mdx-800-creature.mdx").convert(&"md3".parse().unwrap()).unwrap().into_files("beetle").unwrap();
    let names: Vec<&str> = files.companions.iter().map(|(name, _)| name.as_str()).take(2).collect();
    assert_eq!(names, ["beetle.animation.cfg", "beetle.skin"]);
    assert_eq!(effigy::read(&files.main, None).unwrap().format(), effigy::Format::Md3);
}

#[test]
fn a_conversion_that_does_not_exist_says_which_do() {
    let error = open("mdc-2-creature.mdc").convert(&"mds".parse().unwrap()).err().unwrap();
    assert_eq!(error.kind(), Kind::Unsupported);
    assert_eq!(error.hint_text(), Some("mdc can become mdx, mdl, m2, mdc, md3, glb, gltf"));
    let error = open("m2-264-creature00.skin").lower().unwrap_err();
    assert_eq!(error.kind(), Kind::Unsupported);
}

#[test]
fn an_edit_changes_the_named_field_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("beetle.mdx");
    let mut model = open("mdx-800-creature.mdx");
    let before = model.clone();
    let Model::Mdx(mdx) = &mut model else { panic!("not an MDX") };
    mdx.sequences[0].name.set("Renamed").unwrap();
    model.save(&path).unwrap();
    let changes = before.diff(&effigy::open(&path).unwrap());
    let paths: Vec<&str> = changes.iter().map(|change| change.path.as_str()).collect();
    assert_eq!(paths, ["SEQS[0].name"]);
    assert_eq!(changes[0].b.as_deref(), Some("\"Renamed\""));
}

#[test]
fn an_m2_is_saved_with_its_skins_and_opened_with_them_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("Beetle.m2");
    let model = open("m2-264-creature.m2");
    model.save(&path).unwrap();
    assert!(folder.path().join("Beetle03.skin").is_file());
    assert!(model.diff(&effigy::open(&path).unwrap()).is_empty());
    assert_eq!(effigy::open(&path).unwrap().summary(), model.summary());
}

#[test]
fn a_repair_in_text_keeps_everything_else() {
    let sample = models().into_iter().find(|sample| sample.file_name == "mdl-800-creature.mdl").unwrap();
    let text = String::from_utf8(sample.bytes).unwrap();
    // An animation without a name for the game: the rule adds nothing else.
    let model = effigy::read(text.as_bytes(), Some("mdl")).unwrap();
    assert!(model.repaired(text.as_bytes(), &["MDX1004"]).is_none());
}

#[test]
fn the_first_bytes_decide_and_the_errors_say_what_a_file_is() {
    assert_eq!(effigy::read(b"MPQ\x1a", None).unwrap_err().kind(), Kind::Unsupported);
    let error = effigy::open("no such file.mdx").unwrap_err();
    assert_eq!(error.kind(), Kind::Io);
    let error = effigy::open_in(Memory::new("nothing"), "a.mdx", &OpenOptions::default()).unwrap_err();
    assert_eq!(error.kind(), Kind::Io);
}

#[test]
fn a_folder_and_a_pattern_stand_for_the_models_in_them() {
    let folder = tempfile::tempdir().unwrap();
    for sample in everything() {
        let path = folder.path().join(&sample.file_name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, sample.bytes).unwrap();
    }
    let mut finder = effigy::Finder::default();
    finder.wanted = effigy::Wanted::Scenes;
    finder.add(folder.path());
    assert_eq!(finder.inputs.len(), models().len());
    let mut finder = effigy::Finder::default();
    finder.add(&folder.path().join("*-creature.mdc"));
    assert_eq!(finder.inputs.len(), 1);
    finder.add(&folder.path().join("nothing*"));
    assert_eq!(finder.inputs[1].file.as_ref().unwrap_err().kind(), Kind::Io);
}

#[test]
fn an_m2_without_its_skin_is_refused_by_the_name_of_the_missing_file() {
    let folder = tempfile::tempdir().unwrap();
    let sample =
        effigy_samples::m2::samples().into_iter().find(|it| it.file_name == "m2-264-creature.m2").unwrap();
    let path = folder.path().join(&sample.file_name);
    std::fs::write(&path, &sample.bytes).unwrap();
    let model = effigy::open(&path).unwrap();
    let error = model.convert(&"glb".parse().unwrap()).unwrap_err();
    assert!(error.to_string().contains("m2-264-creature00.skin"), "{error}");
}
