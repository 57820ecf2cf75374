//! What is printed as MDL, and what needs a comment because MDL cannot represent it.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use effigy_mdx::text::{PrintOptions, parse, print};
use effigy_mdx::track::tags::{KGAC, KMTF};
use effigy_mdx::{
    Dialect, EventObject, EventTrack, Geoset, GeosetAnimation, GeosetAnimationFlags, Interpolation, Key,
    Layer, Material, Model, TextureSlot, Track,
};

/// The comment for the parser, and the other lines without blanks around them.
fn lines(model: &Model) -> (Option<String>, Vec<String>) {
    let (text, _) = print(model, &PrintOptions::default());
    let text = String::from_utf8(text).unwrap();
    let (comments, lines): (Vec<&str>, Vec<&str>) = text.lines().partition(|line| line.starts_with("//"));
    assert!(comments.len() <= 1, "{text}");
    let comment = comments.first().map(|line| line.strip_prefix("//effigy ").unwrap().to_owned());
    (comment, lines.into_iter().map(|line| line.trim().to_owned()).collect())
}

fn tinted(flags: u32, color: [f32; 3], animated: bool) -> Model {
    let mut model = Model::new(Dialect::Warcraft3, 800, "tints");
    let flags = GeosetAnimationFlags::from_bits_retain(flags);
    let mut animation = GeosetAnimation { flags, color, ..GeosetAnimation::default() };
    if animated {
        let track = Track::new(KGAC, Interpolation::LINEAR, &[Key::new(0, [1.0_f32; 3])]);
        animation.tracks.set(track.unwrap());
    }
    model.geoset_animations.push(animation);
    model
}

#[test]
fn a_tint_is_printed_where_its_flag_is_set_and_else_kept() {
    let (white, red) = ([1.0; 3], [1.0, 0.5, 0.25]);
    let kept = "static Color { 0.25, 0.5, 1 },";
    // 1: shadow, 2: the colour is used.
    for (flags, color, animated, shown, comment) in [
        (2, white, false, true, None),
        (2, red, false, true, None),
        (3, white, false, true, None),
        (0, white, false, false, None),
        (1, white, false, false, None),
        (0, red, false, false, Some(format!("{kept} Flags 0,"))),
        (2, white, true, false, None),
        (0, white, true, false, Some("Flags 0,".to_owned())),
        (2, red, true, false, Some(kept.to_owned())),
        (7, white, false, true, Some("Flags 7,".to_owned())),
    ] {
        let (found, lines) = lines(&tinted(flags, color, animated));
        let is_shown = lines.iter().any(|line| line.starts_with("static Color"));
        assert_eq!((is_shown, found), (shown, comment), "{flags} {color:?} {animated}");
    }
    let dropped = |model: &Model| -> Vec<String> {
        let (_, report) = print(model, &PrintOptions { plain: true, ..PrintOptions::default() });
        report.notes().iter().map(|note| note.path.clone()).collect()
    };
    assert_eq!(dropped(&tinted(0, red, false)), ["GEOA[0].Color"]);
    assert_eq!(dropped(&tinted(0, red, true)), ["GEOA[0].Color", "GEOA[0].Flags"]);
}

#[test]
fn textures_of_layers_that_have_no_word_are_kept() {
    let slot = |texture, slot| TextureSlot { texture, slot, track: None };
    let layer = |version, layer: Layer| {
        let mut model = Model::new(Dialect::Warcraft3, version, "layers");
        model.materials = vec![Material { layers: vec![layer], ..Material::default() }];
        let (comment, lines) = lines(&model);
        let textures =
            lines.into_iter().filter(|line| line.starts_with("static TextureID")).collect::<Vec<_>>();
        (textures.join(" "), comment)
    };
    let kept = |inner: &str| Some(format!("Material 0 {{ Layer 0 {{ {inner} }} }}"));
    for (texture, slots, printed, comment) in [
        (0, vec![slot(3, 0), slot(4, 5)], "static TextureID 3 <= 0, static TextureID 4 <= 5,", None),
        (5, vec![], "", kept("Texture 5,")),
        (0, vec![slot(3, 6)], "", kept("TextureSlots { Slot 3 <= 6, }")),
        (0, vec![slot(3, 1), slot(4, 1)], "", kept("TextureSlots { Slot 3 <= 1, Slot 4 <= 1, }")),
    ] {
        let found = layer(1100, Layer { texture, slots, ..Layer::default() });
        assert_eq!(found, (printed.to_owned(), comment));
    }
    let track = Track::new(KMTF, Interpolation::STEP, &[Key::new(0, 1_u32)]).unwrap();
    for (texture, animated, printed, comment) in [
        (7, false, "static TextureID 7,", None),
        (0, false, "static TextureID 0,", None),
        (0, true, "", None),
        (7, true, "", kept("static TextureID 7,")),
    ] {
        let tracks = animated.then(|| track.clone()).into_iter().collect();
        let found = layer(800, Layer { texture, tracks, ..Layer::default() });
        assert_eq!(found, (printed.to_owned(), comment));
    }
}

#[test]
fn faces_in_one_list_of_triangles_need_no_comment() {
    let faces = |types: &[u32], counts: &[u32], indices: u16| {
        let mut model = Model::new(Dialect::Warcraft3, 800, "faces");
        model.geosets = vec![Geoset {
            primitive_types: types.to_vec(),
            primitive_counts: counts.to_vec(),
            indices: (0..indices).collect(),
            ..Geoset::default()
        }];
        let (comment, lines) = lines(&model);
        let at = lines.iter().position(|line| line.starts_with("Faces")).unwrap();
        (lines[at..at + 3].join(" "), comment)
    };
    let three = "Faces 1 3 { Triangles { { 0, 1, 2 },".to_owned();
    assert_eq!(faces(&[4], &[3], 3), (three.clone(), None));
    let kept = |types: &str, counts: &str| {
        Some(format!("PrimitiveTypes {{ {types} }}, PrimitiveCounts {{ {counts} }},"))
    };
    assert_eq!(faces(&[4], &[2], 3), (three.clone(), kept("4", "2")));
    assert_eq!(faces(&[5], &[3], 3), (three, kept("5", "3")));
    assert_eq!(faces(&[4], &[0], 0), ("Faces 1 0 { Triangles { }".to_owned(), None));
}

#[test]
fn the_global_sequence_of_an_event_is_printed_if_it_has_one() {
    for (global_sequence, expected) in
        [(-1, "EventTrack 2 { 5, 6, }"), (0, "EventTrack 2 { GlobalSeqId 0, 5, 6, }")]
    {
        let mut model = Model::new(Dialect::Warcraft3, 800, "events");
        let track = Some(EventTrack { global_sequence, times: vec![5, 6] });
        model.event_objects = vec![EventObject { track, ..EventObject::default() }];
        let text = lines(&model).1.join(" ");
        assert!(text.contains(expected), "{text}");
    }
}

fn chunk(tag: &[u8; 4], payload: &[u8]) -> Vec<u8> {
    [tag.as_slice(), &u32::try_from(payload.len()).unwrap().to_le_bytes(), payload].concat()
}

fn read(parts: &[Vec<u8>]) -> Model {
    let version = chunk(b"VERS", &800_u32.to_le_bytes());
    effigy_mdx::read(&[b"MDLX".to_vec(), version, parts.concat()].concat()).unwrap()
}

#[test]
fn an_unusual_order_of_chunks_is_kept_with_counts_only_where_they_are_needed() {
    let (pivots, globals) =
        (|count: usize| chunk(b"PIVT", &vec![0; count * 12]), chunk(b"GLBS", &[1, 0, 0, 0]));
    let comment = |parts: &[Vec<u8>]| lines(&read(parts)).0;
    assert_eq!(comment(&[globals.clone(), pivots(1)]), None);
    assert_eq!(comment(&[pivots(1), globals.clone()]).unwrap(), "Chunks { VERS, PIVT, GLBS, }");
    assert_eq!(
        comment(&[pivots(1), globals.clone(), pivots(2)]).unwrap(),
        "Chunks { VERS, PIVT 1, GLBS, PIVT 2, }"
    );
    assert_eq!(
        comment(&[globals, chunk(b"MDVI", b"xy")]).unwrap(),
        "Chunks { VERS, GLBS, Kept \"MDVI\" 2 \"7879\", }"
    );
}

#[test]
fn the_bits_of_a_track_outside_its_record_are_kept() {
    let words = [1, 0, u32::MAX, 500, 0xffff_ffff];
    let track = [b"KLAI".to_vec(), words.iter().flat_map(|word| word.to_le_bytes()).collect()].concat();
    let model = read(&[track]);
    assert_eq!(model.stray_tracks().count(), 1);
    let (text, _) = print(&model, &PrintOptions::default());
    let again = parse(&text).unwrap();
    assert_eq!(again.stray_tracks().count(), 1);
    assert_eq!(again.write().unwrap(), model.write().unwrap());
}

#[test]
fn plain_text_lists_what_it_leaves_out() {
    let words = [1, 0, u32::MAX, 500, 1_f32.to_bits()];
    let track = [b"KLAI".to_vec(), words.iter().flat_map(|word| word.to_le_bytes()).collect()].concat();
    let model = read(&[chunk(b"MDVI", b"x"), track, vec![0xff]]);
    let notes = |model: &Model| -> Vec<String> {
        let (text, report) = print(model, &PrintOptions { plain: true, ..PrintOptions::default() });
        assert!(!String::from_utf8(text).unwrap().contains("//"));
        report.notes().iter().map(|note| note.path.clone()).collect()
    };
    assert_eq!(notes(&model), ["MDVI", "KLAI", "stray bytes", "chunks"]);
    let mut usual = Model::new(Dialect::Warcraft3, 800, "usual");
    assert_eq!(notes(&usual), [""; 0]);
    usual.pivots = vec![[f32::from_bits(0x7fc0_0001), 0.0, 0.0]];
    assert_eq!(notes(&usual), ["numbers"]);
}
