//! Models and skins built from the fields that a dump shows: the same bytes, for samples and for every real file.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout
)]

use effigy_m2::{Block, Chunk, Companion, Model, Shell, Skin, Version, read};
use effigy_samples::m2::{creature, everything, versions};
use effigy_wire::{Json, Kind, Result, Tag, Tree};

fn fields(model: &Model) -> String {
    let mut json = Json::new(false);
    model.visit(&mut json);
    json.into_text()
}

fn built(version: Version, text: &str) -> Result<Model> {
    Model::build(version, Tree::of(Tree::parse(text)?))
}

fn skin_fields(skin: &Skin) -> String {
    let mut json = Json::new(false);
    skin.visit(&mut json);
    json.into_text()
}

fn built_skin(text: &str) -> Result<Skin> {
    Skin::build(Tree::of(Tree::parse(text)?))
}

/// The model as its file has it, with or without the files that belong to it.
fn from_file(model: &Model, companions: bool) -> Model {
    let mut read = read(&model.write().unwrap()).unwrap();
    for companion in model.attached().into_iter().filter(|_| companions) {
        read.attach(companion, &model.write_companion(companion).unwrap()).unwrap();
    }
    read
}

#[test]
fn every_sample_comes_back_from_its_fields() {
    for model in versions().flat_map(|version| [everything(version), creature(version)]) {
        let bytes = model.write().unwrap();
        for companions in [false, true] {
            let text = fields(&from_file(&model, companions));
            assert!(!text.contains("\"placement\""), "{}", model.version());
            let again = built(model.version(), &text).unwrap();
            assert!(again.write().unwrap() == bytes, "{} {companions}", model.version());
            assert_eq!(again.skins.len(), if companions { model.skins.len() } else { 0 });
            for (skin, before) in again.skins.iter().zip(&model.skins) {
                assert!(skin.write().unwrap() == before.write().unwrap(), "{}", model.version());
            }
        }
        for skin in &model.skins {
            let skin = Skin::read(&skin.write().unwrap()).unwrap();
            let again = built_skin(&skin_fields(&skin)).unwrap();
            assert_eq!((again.write().unwrap(), &again), (skin.write().unwrap(), &skin));
        }
    }
}

#[test]
fn every_real_file_comes_back_from_its_fields() {
    let Some(corpus) = effigy_testkit::corpus() else { return };
    let (mut models, mut skins, mut placed) = (0, 0, 0);
    for entry in effigy_testkit::index(&corpus) {
        if entry.is_malformed() {
            continue;
        }
        let again = match entry.format.as_str() {
            "m2" | "m2-md21" => {
                let model = read(&std::fs::read(&entry.path).unwrap()).unwrap();
                models += 1;
                let text = fields(&model);
                placed += usize::from(text.contains("\"placement\""));
                built(model.version(), &text).and_then(|model| model.write())
            }
            "skin" => {
                let skin = Skin::read(&std::fs::read(&entry.path).unwrap()).unwrap();
                skins += 1;
                built_skin(&skin_fields(&skin)).and_then(|skin| skin.write())
            }
            _ => continue,
        };
        match again {
            Ok(again) => assert!(again == std::fs::read(&entry.path).unwrap(), "{} differs", entry.name),
            Err(error) => panic!("{}: {error}", entry.name),
        }
    }
    println!("{models} models ({placed} with a placement of their own) and {skins} skins come back");
    assert!(models >= 64 && skins >= 27, "{models} {skins}");
}

/// The part at a path such as `bones.1.pivot`.
fn part<'t, 'a>(parts: &'t mut [Tree<'a>], path: &str) -> &'t mut Tree<'a> {
    let (first, rest) = path.split_once('.').unwrap_or((path, ""));
    let found = match first.parse::<usize>() {
        Ok(index) => &mut parts[index],
        Err(_) => parts.iter_mut().find(|part| part.name == first).unwrap_or_else(|| panic!("{path}")),
    };
    if rest.is_empty() { found } else { part(&mut found.parts, rest) }
}

/// The model after a change of its tree of fields.
fn changed(model: &Model, change: impl FnOnce(&mut Vec<Tree<'_>>)) -> Result<Model> {
    let text = fields(model);
    let mut trees = Tree::parse(&text).unwrap();
    change(&mut trees);
    Model::build(model.version(), Tree::of(trees))
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

/// The vanilla model with its vertices moved to the end of the file and a note where they were.
fn odd() -> Vec<u8> {
    let mut bytes = everything(Version::VANILLA).write().unwrap();
    // Count and offset of the vertices; a vertex has 48 bytes.
    let (count, at) = (word(&bytes, 0x44) as usize, word(&bytes, 0x48) as usize);
    let vertices = bytes[at..at + 48 * count].to_vec();
    bytes[at..at + 48 * count].fill(0);
    bytes[at..at + 4].copy_from_slice(b"note");
    let end = u32::try_from(bytes.len()).unwrap();
    bytes[0x48..0x4c].copy_from_slice(&end.to_le_bytes());
    bytes.extend(vertices);
    bytes
}

#[test]
fn a_placement_of_its_own_comes_back_and_gives_way_to_longer_lists() {
    let bytes = odd();
    let model = read(&bytes).unwrap();
    assert_eq!(model, everything(Version::VANILLA));
    assert!(fields(&model).contains("\"placement\""));
    assert!(built(model.version(), &fields(&model)).unwrap().write().unwrap() == bytes);
    let usual = everything(Version::VANILLA).write().unwrap();
    // A block over the header or outside the file, or a length that is too small.
    let offset = |value: &'static str| {
        changed(&model, move |trees| {
            let list = part(trees, "placement.offsets");
            let (_, rest) = list.value.as_ref().unwrap().split_once(',').unwrap();
            list.value = Some(format!("[{value},{rest}").into());
        })
    };
    for value in ["0", "8", "4294967295"] {
        assert!(offset(value).unwrap().write().unwrap() == usual, "{value}");
    }
    for (path, value) in
        [("placement.length", "300"), ("placement.offsets", "[1]"), ("placement.filler.0.at", "99999999")]
    {
        let again = changed(&model, |trees| part(trees, path).value = Some(value.into())).unwrap();
        assert!(again.write().unwrap() == usual, "{path}");
    }
    let huge = changed(&model, |trees| part(trees, "placement.length").value = Some("4000000000".into()));
    let error = huge.unwrap_err();
    assert_eq!((error.kind(), error.path().as_str()), (Kind::Limit, "placement.length"));
}

#[test]
fn a_changed_value_changes_its_bytes_and_nothing_else() {
    for bytes in [everything(Version::VANILLA).write().unwrap(), odd()] {
        let model = read(&bytes).unwrap();
        // The flags are behind magic, version and name.
        let again =
            changed(&model, |trees| part(trees, "flags").value = Some("\"TILT_Y|0x40\"".into())).unwrap();
        let mut expected = bytes.clone();
        expected[0x10..0x14].copy_from_slice(&[0x42, 0, 0, 0]);
        assert!(again.write().unwrap() == expected);
    }
}

#[test]
fn not_a_number_and_minus_zero_keep_their_bits() {
    let mut model = everything(Version::WRATH);
    let odd = [0xffc0_0001, 0x7f80_0001, 0x8000_0000].map(f32::from_bits);
    model.bones[0].pivot = odd;
    model.collision_vertices = vec![odd].into();
    let again = built(model.version(), &fields(&model)).unwrap();
    assert_eq!(again.bones[0].pivot.map(f32::to_bits), odd.map(f32::to_bits));
    assert_eq!(again.collision_vertices[0].map(f32::to_bits), odd.map(f32::to_bits));
}

#[test]
fn one_vertex_more_and_one_sequence_less_are_read_again() {
    for version in versions() {
        let mut model = from_file(&everything(version), false);
        let again = changed(&model, |trees| {
            let vertices = &mut part(trees, "vertices").parts;
            vertices.push(vertices[0].clone());
            part(trees, "attachments").parts.pop();
        });
        let vertex = model.vertices[0];
        model.contents.vertices.push(vertex);
        model.contents.attachments.pop();
        let again = read(&again.unwrap().write().unwrap()).unwrap();
        assert_eq!(again.vertices, model.vertices, "{version}");
        assert_eq!(again.attachments.len(), model.attachments.len(), "{version}");
        assert!(again == model, "{version}");
    }
}

#[test]
fn keys_of_animation_files_stay_where_they_are() {
    let model = from_file(&everything(Version::WRATH), true);
    let keys = model.bones[1].translation.clone();
    // The layout changes, but not the offsets into a file that is not written.
    let again = changed(&model, |trees| {
        let vertices = &mut part(trees, "vertices").parts;
        vertices.push(vertices[0].clone());
    });
    let mut again = read(&again.unwrap().write().unwrap()).unwrap();
    assert_eq!(again.missing_anims(), [3]);
    let file = model.write_companion(Companion::Animation(3)).unwrap();
    again.attach(Companion::Animation(3), &file).unwrap();
    assert_eq!(again.bones[1].translation, keys);
}

#[test]
fn texts_with_and_without_their_nul_differ() {
    for bytes in [&b"Imp\0"[..], b"Imp", b"", b"\0", b"a\0b\0", b"\xff\0", b"\xff"] {
        let mut model = Model::new(Version::VANILLA);
        model.name = Block::from(bytes.to_vec());
        let again = built(model.version(), &fields(&model)).unwrap();
        assert_eq!(again.name.as_slice(), bytes);
    }
}

#[test]
fn the_chunks_around_a_model_come_back() {
    let chunk = |tag: &[u8; 4], bytes: &[u8]| Chunk { tag: Tag(*tag), bytes: bytes.to_vec() };
    for shell in [
        Shell::default(),
        // The tag of a chunk may be the name of a field.
        Shell { before: vec![], after: vec![chunk(b"name", b"abc"), chunk(b"SFID", b"")], rest: vec![1, 2] },
    ] {
        let mut model = everything(Version::WRATH);
        model.shell = Some(shell);
        let bytes = model.write().unwrap();
        let model = read(&bytes).unwrap();
        let again = built(model.version(), &fields(&model)).unwrap();
        assert_eq!(again.shell, model.shell);
        assert!(again.write().unwrap() == bytes);
    }
}

#[test]
fn what_a_conversion_keeps_comes_back() {
    let model = everything(Version::VANILLA).upgrade(Version::WRATH).unwrap().0;
    let bytes = model.write().unwrap();
    let model = read(&bytes).unwrap();
    let again = built(model.version(), &fields(&model)).unwrap();
    assert!(again.write().unwrap() == bytes);
    // With another layout too.
    let longer = changed(&model, |trees| part(trees, "attachments").parts.clear()).unwrap();
    let longer = read(&longer.write().unwrap()).unwrap();
    assert_eq!(
        longer.upgrade(Version::VANILLA).unwrap().0.sequences,
        model.upgrade(Version::VANILLA).unwrap().0.sequences
    );
}

#[test]
fn what_is_not_a_field_or_does_not_fit_is_an_error_with_its_path() {
    type Change = fn(&mut Vec<Tree<'_>>);
    let cases: [(Change, &str, &str); 12] = [
        (|trees| part(trees, "flags").name = "flag".into(), "", "'flag'"),
        (|trees| part(trees, "version").value = Some("256".into()), "version", "264 is needed"),
        (|trees| part(trees, "flags").value = Some("\"FLY\"".into()), "flags", "no flag 'FLY'"),
        (|trees| part(trees, "bones.0.pivot").value = Some("[1,2]".into()), "bones[0].pivot", "3 numbers"),
        (|trees| part(trees, "bones").value = Some("[1]".into()), "bones", "a list of parts"),
        (|trees| part(trees, "vertices.0").parts[0].name = "place".into(), "vertices[0]", "'place'"),
        (|trees| part(trees, "key_bones").value = Some("[40000]".into()), "key_bones", "32767"),
        (
            |trees| part(trees, "bones.1.translation.times.0").index = Some(99),
            "bones[1].translation.times[1]",
            "an index from 100 on",
        ),
        (
            |trees| part(trees, "bones.1.translation.times").size = Some(1),
            "bones[1].translation.times",
            "fit into 1",
        ),
        (|trees| part(trees, "bones.1.translation.times").size = Some(u32::MAX), "", "lists of keys"),
        (
            |trees| part(trees, "bones.1.translation.times.0").at = Some(4),
            "bones[1].translation.times[0]",
            "'size'",
        ),
        (|trees| part(trees, "name").value = Some("7".into()), "name", "'{' is missing"),
    ];
    for (change, path, words) in cases {
        let error = changed(&everything(Version::WRATH), change).unwrap_err();
        assert_eq!(error.path(), path, "{error}");
        assert!(error.to_string().contains(words), "{error}");
    }
    let error =
        built_skin(r#"[{"name":"submeshes","parts":[{"index":0,"parts":[{"name":"x","value":1}]}]}]"#);
    assert_eq!(error.unwrap_err().path(), "submeshes[0]");
}
