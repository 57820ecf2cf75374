//! Models built from the fields that a dump shows: the same bytes, for samples and for every real file.

use effigy_mdx::Model;
use effigy_wire::{Json, Tag, Tree};

fn fields(model: &Model) -> String {
    let mut json = Json::new(false);
    model.visit(&mut json);
    json.into_text()
}

fn rebuilt(model: &Model) -> effigy_wire::Result<Vec<u8>> {
    let text = fields(model);
    Model::build(model.dialect(), model.version(), model.layout(), &Tree::parse(&text)?)?.write()
}

#[test]
fn every_sample_comes_back_from_its_fields() {
    for sample in effigy_samples::mdx::samples() {
        let model = effigy_mdx::read(&sample.bytes).unwrap();
        assert!(rebuilt(&model).unwrap() == sample.bytes, "{}", sample.name);
    }
}

#[test]
fn every_real_file_comes_back_from_its_fields() {
    let Some(corpus) = effigy_testkit::corpus() else { return };
    let mut files = 0;
    for entry in effigy_testkit::index(&corpus) {
        if entry.format != "mdx" || entry.is_malformed() {
            continue;
        }
        let bytes = std::fs::read(&entry.path).unwrap();
        let Ok(model) = effigy_mdx::read(&bytes) else { continue };
        match rebuilt(&model) {
            Ok(again) => assert!(again == bytes, "{} differs", entry.name),
            Err(error) => panic!("{}: {error}", entry.name),
        }
        files += 1;
    }
    assert!(files >= 179, "{files}");
}

#[test]
fn a_changed_value_of_a_guarded_chunk_is_written() {
    let mut model = Model::new(effigy_mdx::Dialect::Warcraft3, 800, "Guarded");
    model.sequences.push(effigy_mdx::Sequence {
        name: effigy_wire::FixedStr::from_bytes([b'x'; 80]),
        ..Default::default()
    });
    let text = fields(&model);
    let mut trees = Tree::parse(&text).unwrap();
    let chunk = trees.iter_mut().find(|tree| tree.name == "SEQS").unwrap();
    // Bytes that belong to other values: the hash is not that of these values.
    chunk.source = Some((vec![1, 2, 3], 7));
    let built = Model::build(model.dialect(), 800, 800, &trees).unwrap();
    assert_eq!(built.write().unwrap(), model.write().unwrap());
}

#[test]
fn what_is_not_a_field_or_does_not_fit_is_an_error_with_its_path() {
    let build = |text: &str| {
        let trees = Tree::parse(text).unwrap();
        Model::build(effigy_mdx::Dialect::Warcraft3, 800, 800, &trees).unwrap_err().to_string()
    };
    let sequence =
        |fields: &str| format!(r#"[{{"name":"SEQS","parts":[{{"index":0,"parts":[{fields}]}}]}}]"#);
    let error = build(&sequence(r#"{"name":"speed","value":1}"#));
    assert!(error.contains("SEQS[0]") && error.contains("'speed'"), "{error}");
    let error = build(&sequence(r#"{"name":"interval","value":[1,2,3]}"#));
    assert!(error.contains("SEQS[0].interval") && error.contains("2 numbers"), "{error}");
    let error = build(&sequence(r#"{"name":"flags","value":"LOOPING"}"#));
    assert!(error.contains("SEQS[0].flags") && error.contains("LOOPING"), "{error}");
}

#[test]
fn one_chunk_can_be_changed_by_its_tree() {
    let mut model = Model::new(effigy_mdx::Dialect::Warcraft3, 800, "Changed");
    model.sequences = vec![effigy_mdx::Sequence::default(); 2];
    let changed = model.change_tree(Tag(*b"SEQS"), |tree| {
        let rarity = tree.parts[1].parts.iter_mut().find(|part| part.name == "rarity").unwrap();
        rarity.value = Some("2.5".into());
        Ok(true)
    });
    assert!(changed.unwrap());
    assert_eq!([model.sequences[0].rarity, model.sequences[1].rarity], [0.0, 2.5]);
}

#[test]
fn everything_that_is_not_a_record_comes_back_from_its_fields() {
    let track: Vec<u8> =
        [1, 0, u32::MAX, 500, 1_f32.to_bits()].iter().flat_map(|word| word.to_le_bytes()).collect();
    let bytes = [
        &b"MDLXVERS\x04\0\0\0\x20\x03\0\0MDVI\x01\0\0\0xKLAI"[..],
        &track,
        // One stray byte, a chunk that cannot be decoded, a second version, and a chunk that is cut.
        b"\xffSEQS\x03\0\0\0abcVERS\x04\0\0\0\x84\x03\0\0PIVT\x0d\0\0\0abc",
    ]
    .concat();
    let model = effigy_mdx::read(&bytes).unwrap();
    let kept: Vec<_> = model.kept_chunks().map(|(tag, _, opaque)| (tag.to_string(), opaque)).collect();
    let expected = [("MDVI", false), ("SEQS", true), ("VERS", true), ("PIVT", true)];
    assert_eq!(kept, expected.map(|(tag, opaque)| (tag.to_owned(), opaque)));
    assert_eq!(model.stray_tracks().count(), 1);
    let text = fields(&model);
    let built = Model::build(model.dialect(), 800, 800, &Tree::parse(&text).unwrap()).unwrap();
    assert!(built.write().unwrap() == bytes);
    assert!(built.kept_chunks().eq(model.kept_chunks()));
}

#[test]
fn the_version_of_a_tree_must_be_that_of_the_model() {
    let build = |version| {
        let trees = Tree::parse(r#"[{"name":"VERS","value":900}]"#).unwrap();
        Model::build(effigy_mdx::Dialect::Warcraft3, version, version, &trees).map(|model| model.version())
    };
    assert_eq!(build(900).unwrap(), 900);
    let error = build(800).unwrap_err().to_string();
    assert!(error.contains("the chunk states version 900, and the model version 800"), "{error}");
}

#[test]
fn only_chunks_with_the_tag_are_changed_and_only_if_something_changed() {
    let mut model = Model::new(effigy_mdx::Dialect::Warcraft3, 800, "Changed");
    model.sequences = vec![effigy_mdx::Sequence::default()];
    model.push_chunk(Tag(*b"MDVI"), vec![1]);
    let before = model.clone();
    for tag in [b"SEQS", b"MDVI", b"TEXS"] {
        let mut names = Vec::new();
        let changed = model.change_tree(Tag(*tag), |tree| {
            names.push(tree.name.to_string());
            Ok(false)
        });
        assert!(!changed.unwrap());
        let expected: &[&str] = if tag == b"SEQS" { &["SEQS"] } else { &[] };
        assert_eq!(names, expected);
    }
    assert_eq!(model, before);
}
