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

/// Rotations of WoW alpha are packed; tracks outside of records are not, whatever the model is.
#[test]
fn a_track_outside_its_record_is_preserved_in_a_model_of_wow_alpha() {
    let words = [1, 0, u32::MAX, 500, 0, 0, 0, 1_f32.to_bits()];
    let track = [b"KGRT".to_vec(), words.iter().flat_map(|word| word.to_le_bytes()).collect()].concat();
    let bytes = [Model::new(Dialect::WowAlpha, 1300, "alpha").write().unwrap(), track].concat();
    let model = comes_back(&bytes, Status::Identical);
    assert_eq!(model.stray_tracks().next().map(track::Track::tag), Some(track::tags::KGRT));
    let mut fields = effigy_wire::Flat::default();
    model.visit(&mut fields);
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

/// The payload of `SEQS` with this many bytes, which begins with this word.
fn sequences(first: u32, length: usize) -> Vec<u8> {
    let mut payload = first.to_le_bytes().to_vec();
    payload.resize(length, 0);
    chunk(b"SEQS", &payload)
}

#[test]
fn without_a_model_chunk_the_sequences_tell_the_dialect() {
    let wow = Dialect::WowAlpha;
    for (parts, dialect) in [
        (vec![sequences(1, 144)], wow),
        (vec![sequences(2, 284)], wow),
        (vec![sequences(1, 284)], Dialect::Warcraft3),
        (vec![sequences(0, 4)], Dialect::Warcraft3),
        (vec![sequences(0x6174_5320, 132)], Dialect::Warcraft3),
        (vec![], Dialect::Warcraft3),
        // 17 sequences of Warcraft III have as many bytes as a count and 16 of WoW alpha: the model chunk decides.
        (vec![sequences(16, 2244)], wow),
        (vec![chunk(b"MODL", &[0; 372]), sequences(16, 2244)], Dialect::Warcraft3),
        (vec![chunk(b"MODL", &[0; 373])], wow),
        (vec![chunk(b"MODL", &[0; 300]), sequences(16, 2244)], wow),
    ] {
        let bytes = file(&parts);
        let model = read(&bytes).unwrap();
        assert_eq!(model.dialect(), dialect, "{} bytes", bytes.len());
        assert_eq!(model.write().unwrap(), bytes);
    }
}

#[test]
fn only_the_first_version_counts_and_its_size_must_be_right() {
    let version = |number: u32| chunk(b"VERS", &number.to_le_bytes());
    let whole = |parts: &[Vec<u8>]| [b"MDLX".to_vec(), parts.concat()].concat();
    for (parts, number, kept) in [
        (vec![version(900), version(900)], 900, 1),
        (vec![version(900), version(800)], 900, 1),
        (vec![chunk(b"VERS", &[1]), version(900)], 900, 1),
        (vec![chunk(b"VERS", &[132, 3, 0, 0, 0])], 900, 1),
        (vec![chunk(b"PIVT", &[])], 800, 0),
    ] {
        let bytes = whole(&parts);
        let model = read(&bytes).unwrap();
        assert_eq!((model.version(), model.kept_chunks().count()), (number, kept));
        assert_eq!(model.write().unwrap(), bytes);
    }
    assert_eq!(codes(&read(&whole(&[pivots(&[1.0; 3])])).unwrap()), ["MDX0110"]);
}

#[test]
fn limits_of_bytes_chunks_and_records_are_exact() {
    let mut model = Model::new(Dialect::Warcraft3, 800, "limits");
    model.sequences = vec![Sequence::default(); 5];
    model.pivots = vec![[0.0; 3]; 9];
    model.global_sequences = vec![1; 9];
    let bytes = model.write().unwrap();
    let length = bytes.len() as u64;
    let with = |input_bytes, records| read_with(&bytes, &Limits { input_bytes, records, ..Limits::DEFAULT });
    assert!(with(length, 5).is_ok());
    assert_eq!(with(length - 1, 5).unwrap_err().kind(), Kind::Limit);
    // VERS, MODL, SEQS, GLBS, PIVT; pivots and global sequences are plain numbers and may be more.
    let model = with(length, 5).unwrap();
    assert_eq!((model.sequences.len(), model.pivots.len(), model.global_sequences.len()), (5, 9, 9));
    assert_eq!(with(length, 4).unwrap_err().kind(), Kind::Limit);
    let mut model = Model::new(Dialect::Warcraft3, 800, "limits");
    model.sequences = vec![Sequence::default(); 6];
    let bytes = model.write().unwrap();
    let model = read_with(&bytes, &Limits { records: 5, ..Limits::DEFAULT }).unwrap();
    assert_eq!((model.sequences.len(), codes(&model)), (0, vec!["MDX0103"]));
    assert_eq!(model.write().unwrap(), bytes);
}

#[test]
fn without_the_guard_unusual_bytes_are_not_kept() {
    let mut model = Model::new(Dialect::WowAlpha, 1300, "guard");
    model.attachments = vec![Attachment { id: 3, ..Default::default() }];
    let usual = model.write().unwrap();
    let mut bytes = usual.clone();
    let at = bytes.windows(4).position(|window| window == b"ATCH").unwrap();
    bytes[at + 12] = 9;
    let options = ReadOptions { guard: false, ..ReadOptions::default() };
    let model = read_with_options(&bytes, &options).unwrap();
    assert_eq!((codes(&model).len(), model.write().unwrap()), (0, usual));
}

#[test]
fn models_differ_by_version_records_and_chunks() {
    let model = sample();
    assert_eq!(model, model.clone());
    let mut records = sample();
    records.pivots[0][1] = 1.0;
    let mut chunk = sample();
    chunk.push_chunk(Tag(*b"ABCD"), vec![1]);
    let mut tag = sample();
    tag.push_chunk(Tag(*b"ABCE"), vec![1]);
    let mut payload = sample();
    payload.push_chunk(Tag(*b"ABCD"), vec![2]);
    let (version, _) = model.upgrade(900).unwrap();
    let empty = Model::new(Dialect::Warcraft3, 1300, "");
    let wow = Model::new(Dialect::WowAlpha, 1300, "");
    for (one, other) in [
        (&model, &records),
        (&model, &chunk),
        (&chunk, &tag),
        (&chunk, &payload),
        (&model, &version),
        (&empty, &wow),
    ] {
        assert_ne!(one, other);
        assert_ne!(other, one);
    }
}

#[test]
fn deleting_a_chunk_leaves_tracks_and_stray_bytes() {
    let bytes =
        file(&[chunk(b"MDVI", b"x"), light_track(), vec![0xff], pivots(&[1.0; 3]), pivots(&[2.0; 3])]);
    let mut model = read(&bytes).unwrap();
    let tags = |model: &Model| model.chunk_tags().map(|tag| tag.to_string()).collect::<Vec<_>>();
    assert_eq!(tags(&model), ["VERS", "MDVI", "PIVT", "PIVT"]);
    for tag in [b"KLAI", b"\0\0\0\0", b"PIVT", b"MDVI"] {
        model.delete_chunk(Tag(*tag));
    }
    assert_eq!((tags(&model), model.pivots.len()), (vec!["VERS".to_owned()], 0));
    assert_eq!(model.write().unwrap(), file(&[light_track(), vec![0xff]]));
}

/// What a visitor is told apart from values: offsets by path, and sizes that are not those of the bytes.
#[derive(Default)]
struct Places {
    path: Vec<String>,
    offsets: Vec<(String, Option<usize>)>,
    kept: Vec<String>,
}

impl effigy_wire::Visitor for Places {
    fn enter(&mut self, label: effigy_wire::Label<'_>, offset: Option<usize>) {
        self.path.push(match label {
            effigy_wire::Label::Field(name) => format!(".{name}"),
            effigy_wire::Label::Index(index) => format!("[{index}]"),
            effigy_wire::Label::Tag(tag) => format!(".{tag}"),
        });
        self.offsets.push((self.path.concat(), offset));
    }
    fn leaf(&mut self, _: effigy_wire::Leaf<'_>) {}
    fn leave(&mut self) {
        self.path.pop();
    }
    fn kept(&mut self, kept: effigy_wire::Kept<'_>) {
        self.kept.push(match kept {
            effigy_wire::Kept::Guard { source, .. } => format!("{} bytes", source.len()),
            effigy_wire::Kept::Size(size) => format!("size {size}"),
            other => format!("{other:?}"),
        });
    }
}

fn places(model: &Model) -> Places {
    let mut places = Places::default();
    model.visit(&mut places);
    places
}

#[test]
fn every_part_is_shown_with_its_offset() {
    let model = sample();
    let bytes = model.write().unwrap();
    let find = |model: &Model, path: &str| {
        places(model).offsets.into_iter().find(|it| it.0 == path).map(|it| it.1).unwrap()
    };
    // Two bytes of a chunk of 13 follow, so that it is cut.
    let cut = [bytes.clone(), b"TXAN\x0d\0\0\0ab".to_vec()].concat();
    let read = read(&cut).unwrap();
    let at = |tag: &[u8; 4]| bytes.windows(4).position(|window| window == tag).unwrap();
    for (path, offset) in [
        (".VERS", 4),
        (".MODL", 16),
        (".MODL.name", 24),
        (".SEQS[1]", at(b"SEQS") + 8 + 132),
        (".SEQS[1].interval", at(b"SEQS") + 8 + 132 + 80),
        (".PIVT", at(b"PIVT")),
        (".TXAN", bytes.len()),
    ] {
        assert_eq!(find(&read, path), Some(offset), "{path}");
    }
    assert_eq!(places(&read).kept, ["size 13"]);
    assert_eq!((find(&model, ".MODL"), find(&model, ".MODL.name")), (None, None));
}

#[test]
fn fields_of_a_guarded_chunk_have_no_offsets() {
    let mut model = Model::new(Dialect::WowAlpha, 1300, "guard");
    model.attachments = vec![Attachment { id: 3, ..Default::default() }];
    let mut bytes = model.write().unwrap();
    let at = bytes.windows(4).position(|window| window == b"ATCH").unwrap();
    bytes[at + 12] = 9;
    let found = places(&read(&bytes).unwrap());
    let offset = |path: &str| found.offsets.iter().find(|it| it.0 == path).unwrap().1;
    assert_eq!((offset(".ATCH"), offset(".ATCH[0]"), offset(".MODL.name")), (Some(at), None, Some(24)));
    let size = u32::from_le_bytes(bytes[at + 4..at + 8].try_into().unwrap());
    assert_eq!(found.kept, [format!("{size} bytes")]);
}

#[test]
fn new_chunks_follow_those_that_usually_come_before_them() {
    // An unusual order: global sequences last.
    let bytes = file(&[pivots(&[1.0; 3]), chunk(b"GLBS", &[1, 0, 0, 0])]);
    let mut model = read(&bytes).unwrap();
    model.sequences = vec![Sequence::default()];
    model.textures = vec![Texture::default()];
    model.bones = vec![Bone::default()];
    let tags: Vec<String> =
        read(&model.write().unwrap()).unwrap().chunk_tags().map(|tag| tag.to_string()).collect();
    assert_eq!(tags, ["VERS", "SEQS", "PIVT", "GLBS", "TEXS", "BONE"]);
    // Records that the version has no chunk for are not written.
    model.batched_geosets = vec![BatchedGeoset::default()];
    assert!(!read(&model.write().unwrap()).unwrap().chunk_tags().any(|tag| tag == Tag(*b"GEOS")));
}

#[test]
fn wow_alpha_counts_its_records_and_the_layers_with_keys() {
    let track = |keys: &[Key<f32>]| Track::new(track::tags::KMTA, Interpolation::LINEAR, keys).unwrap();
    let layer = |track: Option<Track>| Layer { tracks: track.into_iter().collect(), ..Layer::default() };
    let pictures = Track::new(track::tags::KMTF, Interpolation::STEP, &[Key::new(0, 1_u32)]).unwrap();
    let mut model = Model::new(Dialect::WowAlpha, 1300, "counts");
    let layers = vec![
        layer(None),
        layer(Some(track(&[]))),
        layer(Some(track(&[Key::new(0, 1.0)]))),
        layer(Some(pictures)),
    ];
    model.materials = vec![Material { layers, ..Material::default() }];
    model.attachments = [3, 7, 5].map(|id| Attachment { id, ..Attachment::default() }).to_vec();
    let bytes = model.write().unwrap();
    let words = |tag: &[u8; 4]| {
        let at = bytes.windows(4).position(|window| window == tag).unwrap();
        [at + 8, at + 12].map(|at| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()))
    };
    assert_eq!((words(b"MTLS"), words(b"ATCH")), ([1, 2], [3, 7]));
    comes_back(&bytes, Status::Identical);
    // A count that is not that of the records.
    let mut wrong = bytes.clone();
    let at = bytes.windows(4).position(|window| window == b"ATCH").unwrap();
    wrong[at + 8] = 2;
    let model = comes_back(&wrong, Status::Opaque);
    assert!(model.diagnostics()[0].message.contains("2 records are stated, 3 were found"));
}

#[test]
fn counts_of_a_batched_geoset_follow_its_lists() {
    let mut model = Model::new(Dialect::WowAlpha, 1500, "Alpha");
    let mut geoset = BatchedGeoset { vertices: vec![BatchVertex::default(); 3], ..BatchedGeoset::default() };
    geoset.batch.indices.list = vec![0, 1, 2, 2, 1, 0];
    model.batched_geosets = vec![geoset];
    let again = read(&model.write().unwrap()).unwrap();
    let header = &again.batched_geosets[0].header;
    assert_eq!((header.vertex_count, header.index_count), (3, 6));
    assert_eq!(again.batched_geosets[0].batch.indices.list, [0, 1, 2, 2, 1, 0]);
}
