//! Models built from the fields that a dump shows: the same bytes, for samples and for every real file.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout
)]

use crate::bend;

use bend::{built, fields, with_word, word};
use effigy_mds::{Format, Model, read};
use effigy_samples::mds as samples;
use effigy_wire::{Kind, Tree};

#[test]
fn every_sample_comes_back_from_its_fields() {
    for (name, bytes) in samples::all().unwrap() {
        let model = read(&bytes).unwrap();
        let again = built(model.format, &fields(&model)).unwrap();
        assert_eq!(again, model, "{name}");
        assert!(again.write().unwrap() == bytes, "{name}");
        assert!(!fields(&model).contains("\"placement\""), "{name}");
    }
}

#[test]
fn every_real_file_comes_back_from_its_fields() {
    let Some(folder) = effigy_testkit::soldiers() else { return };
    let wanted = |name: &str| [".mds", ".mdm", ".mdx"].iter().any(|end| name.ends_with(end));
    let mut files = [0, 0, 0];
    for path in effigy_testkit::files(&folder, wanted) {
        let bytes = std::fs::read(&path).unwrap();
        let model = read(&bytes).unwrap();
        match built(model.format, &fields(&model)).and_then(|model| model.write()) {
            Ok(again) => assert!(again == bytes, "{} differs", path.display()),
            Err(error) => panic!("{}: {error}", path.display()),
        }
        files[Format::ALL.iter().position(|format| *format == model.format).unwrap()] += 1;
    }
    println!("{files:?} MDS, MDM and MDX files come back");
    assert!(files[0] >= 4 && files[1] >= 2 && files[2] >= 3, "{files:?}");
}

/// The part at a path such as `surfaces.0.header.min_lod`.
fn part<'t, 'a>(parts: &'t mut [Tree<'a>], path: &str) -> &'t mut Tree<'a> {
    let (first, rest) = path.split_once('.').unwrap_or((path, ""));
    let found = match first.parse::<usize>() {
        Ok(index) => &mut parts[index],
        Err(_) => parts.iter_mut().find(|part| part.name == first).unwrap_or_else(|| panic!("{path}")),
    };
    if rest.is_empty() { found } else { part(&mut found.parts, rest) }
}

/// The model after a change of its tree of fields.
fn changed(model: &Model, change: impl FnOnce(&mut Vec<Tree<'_>>)) -> effigy_wire::Result<Model> {
    let text = fields(model);
    let mut trees = Tree::parse(&text).unwrap();
    change(&mut trees);
    Model::build(model.format, &Tree::of(trees))
}

/// The sample with bytes between its surfaces and its tags, and after its end.
fn odd() -> Vec<u8> {
    let bytes = samples::mds().write().unwrap();
    let at = word(&bytes, "header.ofs_tags");
    let tags = usize::try_from(i32::from_le_bytes(*bytes[at..].first_chunk().unwrap())).unwrap();
    let moved = [&bytes[..tags], b"gap\0", &bytes[tags..], b"the end"].concat();
    with_word(&moved, at, i32::try_from(tags + 4).unwrap())
}

#[test]
fn a_layout_of_its_own_comes_back_and_gives_way_to_longer_lists() {
    let bytes = odd();
    let model = read(&bytes).unwrap();
    assert!(fields(&model).contains("\"placement\""));
    assert!(built(Format::Mds, &fields(&model)).unwrap().write().unwrap() == bytes);
    let usual = samples::mds().write().unwrap();
    let again = changed(&model, |trees| part(trees, "header.ofs_tags").value = Some("9".into())).unwrap();
    assert!(again.write().unwrap() == usual);
    let longer = changed(&model, |trees| {
        let list = part(trees, "surfaces.0.bone_references");
        let text = list.value.as_ref().unwrap().strip_suffix(']').unwrap().to_owned();
        list.value = Some(format!("{text},0]").into());
    });
    let longer = longer.unwrap().write().unwrap();
    // The bytes that belong to no part are gone, and one reference is new.
    assert_eq!(longer.len(), usual.len() + 4);
    let huge = changed(&model, |trees| part(trees, "placement.length").value = Some("2000000000".into()));
    let error = huge.unwrap_err();
    assert_eq!((error.kind(), error.path().as_str()), (Kind::Limit, "placement.length"));
}

#[test]
fn a_changed_value_changes_its_bytes_and_nothing_else() {
    for bytes in [samples::mds().write().unwrap(), odd()] {
        let model = read(&bytes).unwrap();
        let at = word(&bytes, "header.torso_parent");
        let again = changed(&model, |trees| part(trees, "header.torso_parent").value = Some("-3".into()));
        assert!(again.unwrap().write().unwrap() == with_word(&bytes, at, -3));
    }
}

#[test]
fn not_a_number_and_minus_zero_keep_their_bits() {
    let mut model = samples::mds();
    let odd = [0xffc0_0001, 0x7f80_0001, 0x8000_0000].map(f32::from_bits);
    model.frames[0].parent_offset = odd;
    model.surfaces[0].vertices[0].weights[0].offset = odd;
    model.lod_bias = odd[0];
    let again = built(Format::Mds, &fields(&model)).unwrap();
    let vertex = &again.surfaces[0].vertices[0];
    assert_eq!(again.frames[0].parent_offset.map(f32::to_bits), odd.map(f32::to_bits));
    assert_eq!(vertex.weights[0].offset.map(f32::to_bits), odd.map(f32::to_bits));
    assert_eq!(again.lod_bias.to_bits(), 0xffc0_0001);
}

#[test]
fn one_vertex_more_has_its_weights_and_its_place_in_the_collapse_map() {
    let mut model = samples::mds();
    let before = model.write().unwrap().len();
    let again = changed(&model, |trees| {
        let vertices = &mut part(trees, "surfaces.0.vertices").parts;
        vertices.push(vertices[0].clone());
        let map = part(trees, "surfaces.0.collapse_map");
        let text = map.value.as_ref().unwrap().strip_suffix(']').unwrap().to_owned();
        map.value = Some(format!("{text},0]").into());
    });
    let surface = &mut model.surfaces[0];
    surface.vertices.push(surface.vertices[0].clone());
    surface.collapse_map.push(0);
    // 32 bytes of the vertex, 20 of each weight, 4 of the map.
    let grown = 32 + 20 * surface.vertices[0].weights.len() + 4;
    let bytes = again.unwrap().write().unwrap();
    assert_eq!((bytes.len(), read(&bytes).unwrap()), (before + grown, model));
}

#[test]
fn what_is_not_a_field_or_does_not_fit_is_an_error_with_its_path() {
    type Change = fn(&mut Vec<Tree<'_>>);
    let cases: [(Change, &str, &str); 7] = [
        (|trees| trees[0].name = "head".into(), "", "'head'"),
        (|trees| part(trees, "header.version").value = Some("3".into()), "header.version", "4 is needed"),
        (|trees| part(trees, "frames.1.bones").value = Some("[]".into()), "frames[1].bones", "0 keys"),
        (
            |trees| part(trees, "surfaces.0.vertices.2.normal").value = Some("[1]".into()),
            "surfaces[0].vertices[2].normal",
            "3 numbers",
        ),
        (
            |trees| part(trees, "surfaces.0.vertices.2.weights.0.bone").value = Some("0.5".into()),
            "surfaces[0].vertices[2].weights[0].bone",
            "a whole number",
        ),
        (
            |trees| part(trees, "surfaces.1.collapse_map").value = Some("[]".into()),
            "surfaces[1]",
            "0 entries",
        ),
        (|trees| part(trees, "tags.0.header").parts[0].name = "title".into(), "tags[0].header", "'title'"),
    ];
    for (change, path, words) in cases {
        let error = changed(&samples::mds(), change).unwrap_err();
        assert_eq!(error.path(), path, "{error}");
        assert!(error.to_string().contains(words), "{error}");
    }
    // Lists that another format of the family has.
    for format in [Format::Mdm, Format::Mdx] {
        assert!(built(format, &fields(&samples::mds())).is_err());
    }
}
