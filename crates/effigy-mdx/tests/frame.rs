//! The frame of a file: unusual files open and keep their bytes, and an edit changes nothing else.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use effigy_mdx::*;
use effigy_wire::{FixedStr, Kind, Limits, Status, Tag};

fn chunk(tag: &[u8; 4], payload: &[u8]) -> Vec<u8> {
    [tag.as_slice(), &u32::try_from(payload.len()).unwrap().to_le_bytes(), payload].concat()
}

fn file(parts: &[Vec<u8>]) -> Vec<u8> {
    [b"MDLX".to_vec(), chunk(b"VERS", &800_u32.to_le_bytes())]
        .iter()
        .chain(parts)
        .flatten()
        .copied()
        .collect()
}

fn pivots(values: &[f32]) -> Vec<u8> {
    chunk(b"PIVT", &values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<_>>())
}

fn light_track() -> Vec<u8> {
    let words: [u32; 6] = [1, 0, u32::MAX, 500, 1_f32.to_bits(), 0];
    [b"KLAI".to_vec(), words[..5].iter().flat_map(|word| word.to_le_bytes()).collect()].concat()
}

/// A model with something in most lists.
fn sample() -> Model {
    let mut model = Model::new(Dialect::Warcraft3, 800, "Sample");
    let name = |text| FixedStr::new(text).unwrap();
    model.sequences = vec![
        Sequence { name: name("Stand"), interval: [0, 1000], ..Default::default() },
        Sequence { name: name("Walk"), interval: [1100, 2000], ..Default::default() },
    ];
    model.textures = vec![Texture { path: FixedStr::new("a.blp").unwrap(), ..Default::default() }];
    model.materials = vec![Material { layers: vec![Layer::default()], ..Default::default() }];
    model.geosets =
        vec![Geoset { vertices: vec![[0.0; 3]; 3], indices: vec![0, 1, 2], ..Default::default() }];
    let track = Track::new(track::tags::KGTR, Interpolation::LINEAR, &[Key::new(0, [1.0_f32; 3])]).unwrap();
    let node = Node { name: name("Root"), tracks: [track].into_iter().collect(), ..Default::default() };
    model.bones = vec![Bone { node, ..Default::default() }];
    model.pivots = vec![[0.0; 3]];
    model
}

#[track_caller]
fn comes_back(bytes: &[u8], status: Status) -> Model {
    let model = read(bytes).unwrap();
    assert_eq!(model.verify(bytes).status, status, "{:?}", model.diagnostics());
    assert_eq!(model.write().unwrap(), bytes);
    model
}

fn codes(model: &Model) -> Vec<&'static str> {
    model.diagnostics().iter().map(|diagnostic| diagnostic.code.0).collect()
}

#[test]
fn a_new_model_reads_back_as_it_was_made() {
    let model = sample();
    let bytes = model.write().unwrap();
    let reread = comes_back(&bytes, Status::Identical);
    assert_eq!(*reread, *model);
    let tags: Vec<String> = reread.chunk_tags().map(|tag| tag.to_string()).collect();
    assert_eq!(tags, ["VERS", "MODL", "SEQS", "MTLS", "TEXS", "GEOS", "BONE", "PIVT"]);
}

#[test]
fn repeated_chunks_stay_apart() {
    let bytes = file(&[pivots(&[1.0; 3]), chunk(b"GLBS", &[1, 0, 0, 0]), pivots(&[2.0; 6])]);
    let mut model = comes_back(&bytes, Status::Identical);
    assert_eq!(model.pivots, [[1.0; 3], [2.0; 3], [2.0; 3]]);
    assert_eq!(codes(&model), ["MDX0108"]);
    // New records go to the last chunk of their kind.
    model.pivots.push([3.0; 3]);
    let mut longer = pivots(&[2.0; 6]);
    longer.extend([3.0_f32; 3].iter().flat_map(|value| value.to_le_bytes()));
    longer[4..8].copy_from_slice(&36_u32.to_le_bytes());
    assert_eq!(model.write().unwrap(), file(&[pivots(&[1.0; 3]), chunk(b"GLBS", &[1, 0, 0, 0]), longer]));
}

#[test]
fn empty_and_unknown_chunks_stay_in_place() {
    let bytes =
        file(&[chunk(b"PREM", &[]), chunk(b"MDVI", b"abc"), chunk(b"TEXS", &[]), chunk(b"INFO", &[])]);
    let model = comes_back(&bytes, Status::Identical);
    assert_eq!(codes(&model), ["MDX0109", "MDX0109"]);
    assert_eq!(model.kept_chunks().next(), Some((Tag(*b"MDVI"), b"abc".as_slice(), false)));
}

#[test]
fn a_track_outside_its_record_is_reported_and_preserved() {
    let light = Light::default();
    let mut model = sample();
    model.lights = vec![light];
    let mut bytes = model.write().unwrap();
    let at = bytes.windows(4).position(|window| window == b"PIVT").unwrap();
    bytes.splice(at..at, light_track());
    let model = comes_back(&bytes, Status::Identical);
    assert_eq!(codes(&model), ["MDX0107"]);
    let track = model.stray_tracks().next().unwrap();
    assert_eq!((track.tag(), track.times().collect::<Vec<_>>()), (track::tags::KLAI, vec![500]));
    assert_eq!(model.pivots.len(), 1);
}

#[test]
fn stray_bytes_are_skipped_and_preserved() {
    let bytes = file(&[pivots(&[1.0; 3]), vec![0xff, 0, 1], pivots(&[2.0; 3]), vec![0, 0]]);
    let model = comes_back(&bytes, Status::Identical);
    assert_eq!(model.pivots.len(), 2);
    assert!(codes(&model).contains(&"MDX0106"));
}

#[test]
fn a_chunk_past_the_end_is_preserved_with_its_stated_size() {
    for size in [13_u32, 1 << 20, u32::MAX] {
        let mut bytes = file(&[pivots(&[1.0; 3])]);
        let at = bytes.len() - 16;
        bytes[at..at + 4].copy_from_slice(&size.to_le_bytes());
        let model = comes_back(&bytes, Status::Opaque);
        assert_eq!(codes(&model), ["MDX0105"]);
        assert_eq!(model.diagnostics()[0].offset, Some(16));
    }
}

#[test]
fn a_chunk_that_does_not_decode_does_not_affect_others() {
    let mut bytes = sample().write().unwrap();
    let at = bytes.windows(4).position(|window| window == b"KGTR").unwrap();
    bytes[at + 4..at + 8].copy_from_slice(&u32::MAX.to_le_bytes());
    let model = comes_back(&bytes, Status::Opaque);
    let error = &model.diagnostics()[0];
    assert_eq!(error.to_string().split(": ").nth(2).unwrap(), "BONE[0].node.tracks.KGTR");
    assert_eq!(error.offset, Some(at + 16));
    assert!(model.bones.is_empty());
    assert_eq!(model.sequences.len(), 2);
}

#[test]
fn junk_after_a_name_is_part_of_the_value() {
    let mut bytes = sample().write().unwrap();
    let at = bytes.windows(5).position(|window| window == b"Stand").unwrap();
    bytes[at + 10] = 0xcd;
    let model = comes_back(&bytes, Status::Identical);
    assert_eq!(model.sequences[0].name, "Stand");
}

#[test]
fn a_guard_lasts_until_its_chunk_is_edited() {
    // WoW alpha: the second word of ATCH should be the highest id; here it is not.
    let mut model = Model::new(Dialect::WowAlpha, 1300, "Guarded");
    model.attachments = vec![Attachment { id: 3, ..Default::default() }];
    let mut bytes = model.write().unwrap();
    let at = bytes.windows(4).position(|window| window == b"ATCH").unwrap();
    bytes[at + 12] = 9;
    let mut model = comes_back(&bytes, Status::Guarded);
    assert_eq!(codes(&model), ["MDX0104"]);
    let plain = effigy_mdx::text::PrintOptions { plain: true, ..Default::default() };
    let said = effigy_mdx::text::print(&model, &plain).1.to_string();
    assert!(said.contains("ATCH: its values are kept, but not its unusual bytes"), "{said}");
    model.attachments[0].id = 4;
    assert_eq!(model.write().unwrap()[at + 12], 4);
}

#[test]
fn an_edit_changes_what_it_touches_and_nothing_else() {
    let bytes = sample().write().unwrap();
    let mut model = read(&bytes).unwrap();
    for sequence in &mut model.sequences {
        if sequence.name == "Walk" {
            sequence.name.set("Walk Fast").unwrap();
        }
    }
    model.geosets[0].vertices[1] = [7.0, 8.0, 9.0];
    let edited = model.write().unwrap();
    assert_eq!(edited.len(), bytes.len());
    let changed: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at] != edited[at]).collect();
    let walk = bytes.windows(4).position(|window| window == b"Walk").unwrap();
    let vertex = bytes.windows(4).position(|window| window == b"VRTX").unwrap() + 8 + 12;
    assert!(changed.iter().all(|at| (walk..walk + 80).contains(at) || (vertex..vertex + 12).contains(at)));
    assert_eq!(&edited[walk..walk + 10], b"Walk Fast\0");
}

#[test]
fn records_can_be_added_and_chunks_deleted() {
    let mut model = sample();
    let id = model.next_object_id();
    model.helpers.push(Helper { node: Node { object_id: id, parent: 0, ..Default::default() } });
    model.pivots.push([0.0, 0.0, 50.0]);
    model.geosets.push(Geoset::default());
    model.delete_chunk(Tag(*b"SEQS"));
    let reread = comes_back(&model.write().unwrap(), Status::Identical);
    assert_eq!((id, reread.helpers.len(), reread.geosets.len(), reread.sequences.len()), (1, 1, 2, 0));
    assert!(!reread.chunk_tags().any(|tag| tag == Tag(*b"SEQS")));
    assert_eq!(reread.nodes().count(), 2);
}

#[test]
fn the_dialect_is_found_from_the_structure_and_the_layout_from_what_decodes() {
    let mut bytes = sample().write().unwrap();
    bytes[12..16].copy_from_slice(&1300_u32.to_le_bytes());
    let model = comes_back(&bytes, Status::Identical);
    assert_eq!((model.dialect(), model.version(), model.layout()), (Dialect::Warcraft3, 1300, 800));
    assert_eq!(codes(&model), ["MDX0102"]);
    bytes[12..16].copy_from_slice(&777_u32.to_le_bytes());
    assert_eq!(codes(&comes_back(&bytes, Status::Identical)), ["MDX0101"]);
}

#[test]
fn other_files_are_refused_in_one_line() {
    for (bytes, message) in [
        (b"".as_slice(), "0x0: not an MDX file: it does not begin with MDLX"),
        (b"MDLX", "0x4: no chunk follows the magic word MDLX"),
        (b"MDLX\0\0\0\0\0\0\0\0", "0x4: no chunk follows the magic word MDLX"),
        (b"Version {", "0x0: not an MDX file: it does not begin with MDLX"),
    ] {
        assert_eq!(read(bytes).unwrap_err().to_string(), message);
    }
    let limits = Limits { input_bytes: 10, ..Limits::DEFAULT };
    assert_eq!(read_with(&sample().write().unwrap(), &limits).unwrap_err().kind(), Kind::Limit);
}

#[test]
fn truncated_or_with_any_word_changed_it_never_panics_and_is_written_back_unchanged() {
    let bytes = sample().write().unwrap();
    for length in 4..bytes.len() {
        if let Ok(model) = read(&bytes[..length]) {
            assert_ne!(model.verify(&bytes[..length]).status, Status::Different, "cut at {length}");
        }
    }
    for at in 4..bytes.len() - 4 {
        for word in [0, 1, 0x7fff_ffff, 0x8000_0000, u32::MAX] {
            let mut changed = bytes.clone();
            changed[at..at + 4].copy_from_slice(&word.to_le_bytes());
            if let Ok(model) = read(&changed) {
                assert_ne!(model.verify(&changed).status, Status::Different, "{word:#x} at {at}");
            }
        }
    }
}

#[test]
fn a_right_number_of_nodes_follows_the_nodes_and_a_wrong_one_stays() {
    let node = |id| Node { object_id: id, ..Node::default() };
    // MODL is 373 bytes: the count is in the last four.
    let stated = |bytes: &[u8]| {
        let at = bytes.windows(4).position(|it| it == b"MODL").unwrap() + 8 + 369;
        u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
    };
    let mut model = Model::new(Dialect::WowAlpha, 1300, "model");
    model.helpers.push(Helper { node: node(0) });
    let bytes = model.write().unwrap();
    assert_eq!(stated(&bytes), 1);

    let mut read = effigy_mdx::read(&bytes).unwrap();
    assert_eq!(read.info[0].node_count, 1);
    assert_eq!(read.write().unwrap(), bytes);
    read.helpers.push(Helper { node: node(1) });
    let edited = read.write().unwrap();
    assert_eq!(stated(&edited), 2);
    assert_eq!(effigy_mdx::read(&edited).unwrap().info[0].node_count, 2);
    let (text, _) = effigy_mdx::text::print(&read, &effigy_mdx::text::PrintOptions::default());
    assert_eq!(effigy_mdx::text::parse(&text).unwrap().info[0].node_count, 2);
    // What somebody sets is written.
    read.info[0].node_count = 9;
    assert_eq!(stated(&read.write().unwrap()), 9);

    // 9 is wrong in this file: it stays, edited or not.
    let mut wrong = effigy_mdx::read(&read.write().unwrap()).unwrap();
    assert_eq!(wrong.write().unwrap(), read.write().unwrap());
    wrong.helpers.pop();
    assert_eq!(stated(&wrong.write().unwrap()), 9);
}
