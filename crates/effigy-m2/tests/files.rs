//! Models and the bytes of their files: where blocks are placed, what is shown of them, and what is kept or reported.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use effigy_m2::{
    Block, Bone, Chunk, Companion, Model, ModelFlags, Particle, Shell, Texture, Version, View, codes, read,
    read_with, sniff,
};
use effigy_samples::m2::everything;
use effigy_wire::{Flat, Kind, Label, Leaf, Limits, Tag, Visitor};

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

fn put(bytes: &mut [u8], at: usize, word: u32) {
    bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
}

fn leaves(model: &Model) -> Vec<(String, String)> {
    let mut flat = Flat::default();
    model.visit(&mut flat);
    flat.leaves
}

/// Writes a model and its companions, and reads them again.
fn again(model: &Model) -> Model {
    let mut read = read(&model.write().unwrap()).unwrap();
    for companion in model.attached() {
        read.attach(companion, &model.write_companion(companion).unwrap()).unwrap();
    }
    read
}

/// The offset of each part by its path.
#[derive(Default)]
struct Places {
    path: Vec<String>,
    found: Vec<(String, Option<usize>)>,
}

impl Visitor for Places {
    fn enter(&mut self, label: Label<'_>, offset: Option<usize>) {
        self.path.push(match label {
            Label::Field(name) => format!(".{name}"),
            Label::Index(index) => format!("[{index}]"),
            Label::Tag(tag) => format!(".{tag}"),
        });
        self.found.push((self.path.concat(), offset));
    }
    fn leaf(&mut self, _: Leaf<'_>) {}
    fn leave(&mut self) {
        self.path.pop();
    }
}

fn places(model: &Model) -> impl Fn(&str) -> Option<usize> + use<> {
    let mut places = Places::default();
    model.visit(&mut places);
    move |path| places.found.iter().find(|found| found.0 == path).unwrap_or_else(|| panic!("{path}")).1
}

fn imp() -> Model {
    let mut model = Model::new(Version::VANILLA);
    model.name = Block::text_of("Imp");
    model.global_sequences = vec![100].into();
    let translation = model.make_loop(1, 0, &[(5, [1.0, 2.0, 3.0])]);
    model.bones = vec![Bone::default(), Bone { translation, ..Bone::default() }].into();
    model
}

#[test]
fn every_part_is_shown_with_its_offset() {
    // The header has 0x144 bytes, so the first block is at 0x150; bones have 0x6c bytes.
    let expected = [
        (".version", 4),
        (".name", 8),
        (".flags", 0x10),
        (".global_sequences", 0x14),
        (".bones", 0x34),
        (".bones[0]", 0x170),
        (".bones[1]", 0x1dc),
        (".bones[1].parent", 0x1e4),
        (".bones[1].translation.times", 0x1f4),
        (".bones[1].rotation.global_sequence", 0x206),
        (".bones[1].pivot", 0x23c),
    ];
    let model = imp();
    assert_eq!(model.name(), "Imp");
    let bytes = model.write().unwrap();
    assert_eq!((&bytes[0x150..0x154], word(&bytes, 0x160)), (&b"Imp\0"[..], 100));
    let (fresh, plain) = (places(&model), places(&read(&bytes).unwrap()));
    let shell =
        Shell { before: vec![], after: vec![Chunk { tag: Tag(*b"SFID"), bytes: vec![1, 2] }], rest: vec![9] };
    let mut enclosed = model.clone();
    enclosed.shell = Some(shell);
    let enclosed_bytes = enclosed.write().unwrap();
    assert_eq!(enclosed_bytes[8..8 + bytes.len()], bytes);
    let enclosed = read(&enclosed_bytes).unwrap();
    let inside = places(&enclosed);
    for (path, offset) in expected {
        assert_eq!(fresh(path), None, "{path}");
        assert_eq!(plain(path), Some(offset), "{path}");
        assert_eq!(inside(path), Some(offset + 8), "{path}");
    }
    assert!(leaves(&enclosed).contains(&("SFID".to_owned(), "[01, 02]".to_owned())));
    let found: Vec<_> =
        enclosed.diagnostics().iter().map(|found| (found.code, found.path.as_str())).collect();
    assert_eq!(found, [(codes::CHUNK_KEPT, "SFID"), (codes::SHELL_BROKEN, "")]);
}

#[test]
fn lists_of_keys_are_shown_by_sequence_and_empty_ones_are_not() {
    let mut model = Model::new(Version::WRATH);
    let translation = model.make_track(1, &[&[], &[(5, [1.0, 2.0, 3.0])], &[], &[(9, [0.0; 3])]]);
    model.bones = vec![Bone { translation, ..Bone::default() }].into();
    let bytes = model.write().unwrap();
    let model = read(&bytes).unwrap();
    let shown: Vec<_> = leaves(&model)
        .into_iter()
        .filter_map(|(path, value)| Some((path.strip_prefix("bones[0].translation.")?.to_owned(), value)))
        .filter(|(path, _)| path.ends_with(']'))
        .collect();
    let expected = [
        ("times[1]", "[5]"),
        ("times[3]", "[9]"),
        ("values[1]", "[1.0, 2.0, 3.0]"),
        ("values[3]", "[0.0, 0.0, 0.0]"),
    ];
    assert_eq!(shown, expected.map(|(path, value)| (path.to_owned(), value.to_owned())));
    let offset = places(&model)(".bones[0].translation.times[1]").unwrap();
    assert_eq!(word(&bytes, offset), 5);
}

#[test]
fn keys_and_blocks_that_are_not_there_are_shown_as_such() {
    let model = everything(Version::WRATH);
    let lonely = read(&model.write().unwrap()).unwrap();
    let shown = |model: &Model, path: &str| {
        leaves(model).into_iter().find(|leaf| leaf.0 == path).map(|leaf| leaf.1).unwrap()
    };
    assert_eq!(shown(&lonely, "bones[1].translation.times[3]"), "\"(in an animation file)\"");
    assert_eq!(places(&lonely)(".bones[1].translation.times[3]"), None);
    assert_eq!(shown(&again(&model), "bones[1].translation.times[3]"), "[0, 1500]");
    let mut bytes = imp().write().unwrap();
    put(&mut bytes, 0x14, 0xffff_ffff);
    put(&mut bytes, 0x1f4, 0xffff_ffff);
    let lost = read(&bytes).unwrap();
    assert_eq!(lost.lost(), ["global_sequences", "bones[1].translation.times"]);
    for path in ["global_sequences", "bones[1].translation.times"] {
        assert_eq!(shown(&lost, path), "\"(outside the file)\"", "{path}");
    }
    assert_eq!(lost.diagnostics().iter().next().unwrap().offset, Some(0x160));
    let report = lost.upgrade(Version::WRATH).unwrap().1;
    assert!(report.notes().iter().any(|note| note.path == "global_sequences"), "{report}");
}

#[test]
fn the_header_is_as_long_as_the_version_and_its_flag_say() {
    for (version, flags, start) in [
        (Version::VANILLA, ModelFlags::empty(), 0x150),
        (Version::VANILLA, ModelFlags::COMBINERS, 0x150),
        (Version::WRATH, ModelFlags::empty(), 0x130),
        (Version::WRATH, ModelFlags::COMBINERS, 0x140),
    ] {
        let mut model = Model::new(version);
        model.flags = flags;
        model.name = Block::text_of("Imp");
        let bytes = model.write().unwrap();
        assert_eq!((word(&bytes, 12), bytes.len()), (start, start as usize + 16), "{version} {flags:?}");
        assert!(read(&bytes).unwrap().diagnostics().is_empty());
    }
}

#[test]
fn an_emptied_block_loses_its_offset_and_an_empty_one_keeps_it() {
    let mut model = read(&imp().write().unwrap()).unwrap();
    model.global_sequences.clear();
    model.bones[1].translation.times.set_all(vec![]);
    model.bones[1].translation.values.set_all(vec![]);
    let bytes = model.write().unwrap();
    assert_eq!((word(&bytes, 0x14), word(&bytes, 0x18)), (0, 0));
    assert_eq!((word(&bytes, 0x1f4), word(&bytes, 0x1f8)), (0, 0));
    let mut bytes = Model::new(Version::VANILLA).write().unwrap();
    put(&mut bytes, 0x18, 0x99);
    assert_eq!(read(&bytes).unwrap().write().unwrap(), bytes);
}

#[test]
fn bytes_outside_all_blocks_are_kept_and_reported() {
    let mut bytes = imp().write().unwrap();
    (bytes[0x154], bytes[0x156]) = (1, 2);
    let model = read(&bytes).unwrap();
    let found = model.diagnostics().iter().next().unwrap();
    assert_eq!((found.code, found.offset), (codes::BYTES_UNNAMED, Some(0x154)));
    assert!(found.message.starts_with("2 non-zero bytes"), "{}", found.message);
    assert_eq!((model.diagnostics().len(), model.write().unwrap()), (1, bytes));
}

#[test]
fn what_is_stored_after_a_model_is_found_behind_other_bytes() {
    let mut model = imp();
    model.bones[0].submesh = 7;
    let (wrath, _) = model.upgrade(Version::WRATH).unwrap();
    let mut bytes = wrath.write().unwrap();
    assert!(read(&bytes).unwrap().diagnostics().is_empty());
    // The name has 4 bytes.
    bytes[0x134] = 1;
    let odd = read(&bytes).unwrap();
    assert_eq!(odd.diagnostics().iter().next().unwrap().code, codes::BYTES_UNNAMED);
    assert_eq!(odd.upgrade(Version::VANILLA).unwrap().0.bones[0].submesh, 7);
}

#[test]
fn limits_of_bytes_and_records_are_exact() {
    let mut model = Model::new(Version::VANILLA);
    model.bones = vec![Bone::default(); 3].into();
    model.textures = vec![Texture::default()].into();
    let bytes = model.write().unwrap();
    let length = bytes.len() as u64;
    let read_of = |input_bytes| read_with(&bytes, &Limits { input_bytes, ..Limits::DEFAULT });
    assert!(read_of(length).is_ok());
    assert_eq!(read_of(length - 1).unwrap_err().kind(), Kind::Limit);
    for (records, lost) in [(4, &[][..]), (3, &["textures"]), (2, &["bones"]), (0, &["bones", "textures"])] {
        let model = read_with(&bytes, &Limits { records, ..Limits::DEFAULT }).unwrap();
        assert_eq!(model.lost(), lost, "{records}");
    }
}

#[test]
fn at_most_a_thousand_lost_blocks_are_named() {
    let mut model = Model::new(Version::VANILLA);
    model.bones = vec![Bone::default(); 1010].into();
    let mut bytes = model.write().unwrap();
    for bone in 0..1010 {
        // The times of the translation.
        put(&mut bytes, 0x150 + bone * 0x6c + 0x18, u32::MAX);
    }
    let model = read(&bytes).unwrap();
    assert_eq!((model.lost().len(), model.lost()[999].as_str()), (1000, "bones[999].translation.times"));
}

#[test]
fn magic_words() {
    for (bytes, is_model) in [
        (&b"MD20"[..], true),
        (b"MD21\0\0\0\0MD20", true),
        (b"MD21\0\0\0\0MD22", false),
        (b"MD21", false),
        (b"SFID\0\0\0\0MD20", false),
        (b"MDLX", false),
        (b"", false),
    ] {
        assert_eq!(sniff(bytes), is_model, "{bytes:?}");
    }
}

#[test]
fn models_differ_by_version_contents_views_and_chunks() {
    let model = imp();
    assert_eq!(model, model.clone());
    let mut contents = model.clone();
    contents.bones.clear();
    let mut skins = model.clone();
    skins.skins = vec![View::default().into()];
    let mut shell = model.clone();
    shell.shell = Some(Shell::default());
    let mut version = Model::new(Version::new(257).unwrap());
    version.contents = model.contents.clone();
    for other in [contents, skins, shell, version] {
        assert_ne!(other, model);
        assert_ne!(model, other);
    }
}

#[test]
fn a_number_that_does_not_fit_into_its_byte_is_an_error() {
    for (number, kind, fits) in [(262, 255, true), (262, 256, false), (260, 256, true)] {
        let mut model = Model::new(Version::new(number).unwrap());
        model.particles = vec![Particle { kind, ..Particle::default() }, Particle::default()].into();
        assert_eq!(model.write().is_ok(), fits, "{number} {kind}");
    }
}

#[test]
fn two_animation_files_hold_only_their_own_keys() {
    let mut model = everything(Version::WRATH);
    model.move_to_anim(2).unwrap();
    assert_eq!(model.attached()[4..], [Companion::Animation(3), Companion::Animation(2)]);
    let read = again(&model);
    assert_eq!(leaves(&read), leaves(&model));
    let [second, third] = [2, 3].map(|at| model.write_companion(Companion::Animation(at)).unwrap());
    assert_ne!(second, third);
    for (at, bytes) in [(2, second), (3, third)] {
        assert_eq!(read.write_companion(Companion::Animation(at)).unwrap(), bytes);
    }
}

#[test]
fn an_animation_file_follows_the_model_into_a_new_layout() {
    let mut model = again(&everything(Version::WRATH));
    let translation = &mut model.bones[1].translation;
    translation.times.set_part(3, &[0, 1, 2, 3, 4, 5]);
    translation.values.set_part(3, &[[1.0; 3], [2.0; 3], [3.0; 3], [4.0; 3], [5.0; 3], [6.0; 3]]);
    let edited = again(&model);
    assert_eq!(edited.bones[1].translation.keys(3).0, [0, 1, 2, 3, 4, 5]);
    assert_eq!(leaves(&edited), leaves(&model));
}

#[test]
fn a_model_keeps_the_offsets_into_a_file_that_is_not_attached() {
    let model = everything(Version::WRATH);
    let bytes = model.write_companion(Companion::Animation(3)).unwrap();
    let mut lonely = read(&model.write().unwrap()).unwrap();
    lonely.name = Block::text_of("a name that is longer than before");
    let mut moved = read(&lonely.write().unwrap()).unwrap();
    assert_eq!(moved.missing_anims(), [3]);
    moved.attach(Companion::Animation(3), &bytes).unwrap();
    assert_eq!(moved.bones, again(&model).bones);
}

#[test]
fn blocks_that_share_bytes_come_back_together_with_an_animation_file() {
    let model = everything(Version::WRATH);
    let mut bytes = model.write().unwrap();
    // The lookup of sequences is read from the table of key bones, which is longer.
    let key_bones = word(&bytes, 0x38);
    put(&mut bytes, 0x28, key_bones);
    let mut shared = read(&bytes).unwrap();
    assert!(shared.diagnostics().iter().any(|found| found.code == codes::BLOCKS_OVERLAP));
    for companion in model.attached() {
        shared.attach(companion, &model.write_companion(companion).unwrap()).unwrap();
    }
    assert_eq!(shared.sequence_lookup[..], model.key_bones[..7]);
    assert!(shared.write().unwrap() == bytes);
}

#[test]
fn an_empty_track_beyond_the_file_does_not_disturb_blocks_that_share_bytes() {
    let mut bytes = imp().write().unwrap();
    let offset = word(&bytes, 0x18);
    // Texture combos: one number of 16 bits, the first half of the global sequence.
    let mut model = Model::new(Version::VANILLA);
    model.texture_combos = vec![1].into();
    let header = model.write().unwrap();
    let at = (0x10..0x144).step_by(4).find(|&at| word(&header, at) == 1 && word(&header, at + 4) == 0x150);
    put(&mut bytes, at.unwrap(), 1);
    put(&mut bytes, at.unwrap() + 4, offset);
    // The translation of the first bone has no keys; the offset of its times is nowhere.
    put(&mut bytes, 0x170 + 0x1c, 0xffff_fff0);
    let model = read(&bytes).unwrap();
    assert_eq!((model.texture_combos[..].to_vec(), model.diagnostics().len()), (vec![100], 1));
    assert!(model.write().unwrap() == bytes);
}

#[test]
fn versions_that_do_not_differ_are_converted_without_a_word() {
    for (from, to) in [(256, 257), (257, 256), (260, 261), (262, 263)] {
        let model = everything(Version::new(from).unwrap());
        let (made, report) = model.upgrade(Version::new(to).unwrap()).unwrap();
        assert!(report.is_empty(), "{from} to {to}: {report}");
        assert_eq!(made.contents, model.contents);
    }
}
