//! Words of MDL: where each kind of mistake is reported and in which words, and what unusual spellings mean.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use effigy_mdx::text::{PrintOptions, parse, parse_with, print};
use effigy_mdx::track::tags::{ELAF, IDUF, KATV, KMTF, PTSF};
use effigy_mdx::{
    GeosetAnimationFlags, Interpolation, Key, Layer, MaterialFlags, Model, NodeFlags, ShaderKind, Shape,
};
use effigy_wire::{Kind, Limits, Severity};

/// The problems of a text as lines of severity, code and message, by position. Each `^` in the text marks where the next
/// one has to be.
fn check(version: u32, text: &str, expected: &[&str]) {
    let head = format!("Version {{ FormatVersion {version}, }}\n");
    let plain = text.replace('^', "");
    let model = parse(format!("{head}{plain}").as_bytes()).unwrap();
    let mut found: Vec<_> = model
        .diagnostics()
        .iter()
        .map(|found| {
            let severity = if found.severity == Severity::Error { 'E' } else { 'W' };
            (found.line.unwrap(), format!("{severity} {} {}", found.code.0, found.message))
        })
        .collect();
    found.sort();
    let places: Vec<_> =
        text.match_indices('^').enumerate().map(|(before, (at, _))| (2, at - before + 1)).collect();
    let messages = expected.iter().map(|message| (*message).to_owned());
    assert_eq!(found, places.into_iter().zip(messages).collect::<Vec<_>>(), "{text}");
    assert_eq!(text.matches('^').count(), expected.len(), "{text}");
}

#[test]
fn what_was_found_instead_is_said_where_it_is() {
    for (value, found) in [
        ("x", "`x`"),
        ("\"x\"", "a text in quotes"),
        ("{ 1 }", "`{`"),
        (", 1", "`,`"),
        (": 1", "`:`"),
        ("<= 1", "`<=`"),
        ("? 1", "an unexpected character"),
        ("-x", "a number"),
    ] {
        let message = format!("E MDL0101 a whole number expected, found {found}");
        check(800, &format!("Bone \"b\" {{ ObjectId ^{value}, Parent 3, }}"), &[&message]);
    }
    check(800, "Bone \"b\" { ObjectId ^}", &["E MDL0101 a whole number expected, found `}`"]);
    check(800, "Light \"l\" { static Intensity ^x, }", &["E MDL0101 a number expected, found `x`"]);
    check(800, "Bone ^5 { }", &["E MDL0101 a name in quotes expected, found a number"]);
    check(800, "Bone \"b\" { ^5, ObjectId 3, }", &["E MDL0101 a property expected, found a number"]);
    check(
        800,
        "Bone \"b\" ^ObjectId 1, ^}",
        &[
            "E MDL0101 `{` expected, found `ObjectId`",
            "W MDL0206 `}` is not a block of MDL; it is kept as it is",
        ],
    );
    check(800, "Bone \"b\" { ObjectId 1, } ^} Bone \"c\" { }", &["E MDL0101 a block expected"]);
}

#[test]
fn what_comes_after_the_last_block_is_kept() {
    for (after, shown) in [
        ("}", "}"),
        ("} } 5, -x", "} } 5, -x"),
        ("\u{1a}", "\u{1a}"),
        ("größer\n{ 1, 2 }", "größer"),
        ("made with Tool 2.0 { Anim }\r\n\r\n", "made with Tool 2.0 { Anim }"),
        ("/", "/"),
    ] {
        let message = format!("W MDL0206 `{shown}` is not a block of MDL; it is kept as it is");
        check(800, &format!("Bone \"b\" {{ ObjectId 1, }} /* remark */ ^{after}"), &[&message]);
        let text = format!("Version {{ FormatVersion 800, }} Bone \"b\" {{ ObjectId 1, }}\n\n{after}");
        let model = parse(text.as_bytes()).unwrap();
        assert_eq!((model.bones.len(), model.text_after()), (1, after.as_bytes()));
        let (printed, report) = print(&model, &PrintOptions::default());
        assert!(printed.ends_with(after.as_bytes()) && report.is_empty());
        assert_eq!(parse(&printed).unwrap().text_after(), after.as_bytes());
        let (printed, report) = print(&model, &PrintOptions { plain: true, ..PrintOptions::default() });
        assert!(printed.ends_with(b"}\n") && report.notes().len() == 1);
    }
    // Blocks that come later are read, and what is before them is an error.
    check(
        800,
        "Bone \"b\" { } ^} Glider { } ^5",
        &["E MDL0101 a block expected", "W MDL0206 `5` is not a block of MDL; it is kept as it is"],
    );
    check(800, "Bone \"b\" { } ^hm Glider { }", &["W MDL0202 MDL has no block `hm`; skipped"]);
}

#[test]
fn what_is_not_closed_is_reported_where_it_begins() {
    let open = "E MDL0102 the text ends before this block is closed";
    check(800, "Bone \"b\" ^{ ObjectId 1, ", &[open]);
    check(800, "Geoset { Vertices 1 ^{ { 1, 2, 3 },", &[open]);
    check(800, "Bone ^\"b { }", &["E MDL0102 the text ends before these quotes are closed"]);
    check(800, "Bone ^\"", &["E MDL0102 the text ends before these quotes are closed"]);
    // A text may be empty.
    check(800, "Bone \"\" { }", &[]);
}

#[test]
fn unknown_words_are_skipped_with_their_values() {
    check(
        800,
        "Bone \"b\" { ^Sparkle 1, ObjectId 3, }",
        &["W MDL0201 Bone has no property `Sparkle`; skipped"],
    );
    // Numbers that are counted anyway.
    check(800, "Bone \"b\" { NumSparkles 1, numberOf 2, }", &[]);
    check(800, "Bone \"b\" { ^Num 1, }", &["W MDL0201 Bone has no property `Num`; skipped"]);
    check(800, "^Universe { } Bone \"b\" { }", &["W MDL0202 MDL has no block `Universe`; skipped"]);
    check(
        800,
        "GlobalSequences 1 { ^Length 7, Duration 5, }",
        &["W MDL0201 this block has no property `Length`; skipped"],
    );
    check(
        800,
        "Sequences 1 { ^Bone \"b\" { }, Anim \"a\" { } }",
        &["W MDL0201 `Anim` expected, `Bone` skipped"],
    );
    check(
        800,
        "Helper \"h\" { DontInherit ^{ Sparkle, Scaling } }",
        &["W MDL0201 unknown part of DontInherit; skipped"],
    );
    check(
        800,
        "Geoset { Groups 1 2 { ^Vectors { 0 }, Matrices { 0, 1 }, } }",
        &["E MDL0101 Matrices expected, found `Vectors`"],
    );
    check(
        800,
        "Materials 1 { Material { Layer { FilterMode ^Sparkle, } } }",
        &["E MDL0101 the name of a value expected, found `Sparkle`"],
    );
}

#[test]
fn counts_are_compared_with_what_is_there() {
    let wrong = |severity: char, stated: u32, what: &str, found: u32| {
        format!("{severity} MDL0103 {stated} {what} are stated, but there are {found}")
    };
    for (text, message) in [
        ("Geoset { Vertices ^2 { { 1, 2, 3 }, } }", wrong('E', 2, "vertices", 1)),
        ("Geoset { Vertices ^0 { { 1, 2, 3 }, } }", wrong('W', 0, "vertices", 1)),
        ("Geoset { Faces 1 ^2 { Triangles { 0, 1, 2 } } }", wrong('W', 2, "indices", 3)),
        ("Geoset { Groups ^2 2 { Matrices { 0, 1 }, } }", wrong('E', 2, "groups", 1)),
        ("GlobalSequences ^2 { Duration 5, }", wrong('E', 2, "durations", 1)),
        ("Sequences ^2 { Anim \"a\" { Interval { 1, 2 }, } }", wrong('W', 2, "entries", 1)),
        ("Sequences ^0 { Anim \"a\" { Interval { 1, 2 }, } }", wrong('W', 0, "entries", 1)),
        ("Light \"l\" { Intensity ^2 { Linear, 0: 1, } }", wrong('E', 2, "keys", 1)),
        ("EventObject \"e\" { EventTrack ^1 { 5, 6, } }", wrong('W', 1, "times", 2)),
    ] {
        check(800, text, &[&message]);
    }
    check(800, "Geoset { Vertices 1 { { 1, 2, 3 }, } Vertices { { 1, 2, 3 }, } }", &[]);
    check(
        800,
        "Geoset { Faces 1 ^3 { ^Hexagons { 0, 1, 2 } } }",
        &[&wrong('E', 3, "indices", 0), "W MDL0201 unknown kind of faces; skipped"],
    );
    check(
        800,
        "Geoset { Vertices ^1 { ^x { 1, 2, 3 }, } }",
        &[&wrong('E', 1, "vertices", 0), "E MDL0101 `{` expected, found `x`"],
    );
    let eight = "E MDL0103 3 is not a multiple of eight numbers per vertex";
    for version in [1000, 1400] {
        check(version, "Geoset { SkinWeights 1^ { 1, 2, 3 } }", &[eight]);
        let two = wrong('E', 2, "rows", 1);
        check(version, "Geoset { SkinWeights ^2 { 1, 2, 3, 4, 5, 6, 7, 8 } }", &[&two]);
    }
}

#[test]
fn numbers_that_do_not_fit_are_reported() {
    for (text, message) in [
        ("Bone \"b\" { Parent ^4294967296, }", "4294967296 is not between -2147483648 and 4294967295"),
        ("Bone \"b\" { Parent ^-2147483649, }", "-2147483649 is not between -2147483648 and 4294967295"),
        ("Geoset { VertexGroup { ^256, 3, } }", "256 does not fit here"),
        ("Geoset { Faces 1 0 { Triangles { ^65536 } } }", "65536 does not fit here"),
    ] {
        check(800, text, &[&format!("E MDL0104 {message}")]);
    }
    check(800, "Bone \"b\" { Parent 4294967295, ObjectId -2147483648, }", &[]);
    let long = format!("Textures 1 {{ Bitmap {{ Image ^\"{}\", }} }}", "x".repeat(261));
    check(800, &long, &["E MDL0104 261 bytes are more than the field holds"]);
    check(800, &format!("Textures 1 {{ Bitmap {{ Image \"{}\", }} }}", "x".repeat(260)), &[]);
}

#[test]
fn keys_that_are_not_whole_are_left_out() {
    let none = "E MDL0103 1 keys are stated, but there are 0";
    for (keys, message) in [
        ("Hermite, ^0: 1,", "E MDL0101 this key needs InTan, as the interpolation has tangents"),
        ("Bezier, ^0: 1, InTan 2,", "E MDL0101 this key needs OutTan, as the interpolation has tangents"),
        ("Linear, 0 ^5,", "E MDL0101 `:` after a key's time expected, found a number"),
        ("Linear, 0: ^x,", "E MDL0101 a number expected, found `x`"),
        ("Linear, ^\"x\",", "E MDL0101 a key's time expected, found a text in quotes"),
        ("^Wobbly,", "E MDL0101 an interpolation or a key expected, found `Wobbly`"),
    ] {
        check(800, &format!("Light \"l\" {{ Intensity ^1 {{ {keys} }} Parent 3, }}"), &[none, message]);
    }
    check(
        800,
        "Bone \"b\" { Translation ^1 { Linear, 0: { 1, ^x, 3 }, } }",
        &[none, "E MDL0101 a number expected, found `x`"],
    );
}

#[test]
fn keys_are_read_with_their_interpolation_and_clock() {
    let read = |keys: &str| {
        let text = format!("Version {{ FormatVersion 800, }} Light \"l\" {{ Intensity {keys} Parent 3, }}");
        let model = parse(text.as_bytes()).unwrap();
        assert!(model.diagnostics().is_empty(), "{keys}: {:?}", model.diagnostics());
        assert_eq!(model.lights[0].node.parent, 3, "{keys}");
        let track = &model.lights[0].tracks.0[0];
        let keys: Vec<Key<f32>> = track.keys().unwrap().collect();
        (track.interpolation(), track.global_sequence, keys)
    };
    let key = |tangents| Key { time: -7, value: 1.5, tangents };
    let (step, linear) = (Interpolation::STEP, Interpolation::LINEAR);
    assert_eq!(read("1 { -7: 1.5, }"), (step, -1, vec![key(None)]));
    assert_eq!(read("1 { DontInterp, GlobalSeqId 2, -7: 1.5 }"), (step, 2, vec![key(None)]));
    assert_eq!(read("1 { None, linear, -7: 1.5, }"), (linear, -1, vec![key(None)]));
    // Tangents that a linear track does not need.
    assert_eq!(read("1 { Linear, -7: 1.5, InTan 2, OutTan 3, }"), (linear, -1, vec![key(None)]));
    let expected = (Interpolation::HERMITE, -1, vec![key(Some([2.0, 3.0]))]);
    assert_eq!(read("1 { Hermite, -7: 1.5, intan 2, outtan 3, }"), expected);
    assert_eq!(read("1 { Hermite -7: 1.5 InTan 2 OutTan 3 }"), expected);
    assert_eq!(read("2 { Linear, 1: 2, , 3: 4, }").2, [Key::new(1, 2.0), Key::new(3, 4.0)]);
}

fn model(version: u32, text: &str) -> Model {
    let model = parse(format!("Version {{ FormatVersion {version}, }} {text}").as_bytes()).unwrap();
    assert!(model.diagnostics().is_empty(), "{text}: {:?}", model.diagnostics());
    model
}

#[test]
fn words_for_no_index_and_words_of_other_tools() {
    let read = model(800, "Bone \"b\" { GeosetId Multiple, GeosetAnimId none, Parent -1, BillboardLockX, }");
    let bone = &read.bones[0];
    assert_eq!((bone.geoset, bone.geoset_animation, bone.node.parent), (-1, -1, -1));
    assert!(bone.node.flags.contains(NodeFlags::BILLBOARDED_LOCK_X));
    let read = model(800, "Camera \"c\" { FarClippingPlane 9, NearClippingPlane 3, }");
    assert_eq!((read.cameras[0].far_clip, read.cameras[0].near_clip), (9.0, 3.0));
    let read = model(800, "Materials 1 { Material { SortPrimitives, Unfogged, Layer { } } }");
    assert_eq!(read.materials[0].flags, MaterialFlags::SORT_FAR_Z);
    let read = model(1000, "Geoset { LevelOfDetailName \"low\", }");
    assert_eq!(read.geosets[0].name, "low");
    // Some tools number entries.
    let read = model(800, "Sequences 1 { Anim \"a\" 3 { Interval { 1, 2 }, } }");
    assert_eq!(read.sequences[0].interval, [1, 2]);
}

#[test]
fn a_value_for_something_that_only_moves_becomes_one_key() {
    let tracks = |value: &str| {
        let read = model(800, &format!("Attachment \"a\" {{ {value} }}"));
        read.attachments[0].tracks.get(KATV).map(|it| it.keys::<f32>().unwrap().collect::<Vec<_>>())
    };
    assert_eq!(tracks("static Visibility 0.5,"), Some(vec![Key::new(0, 0.5)]));
    assert_eq!(tracks("Visibility 0,"), Some(vec![Key::new(0, 0.0)]));
    // 1 is what is meant without a track.
    assert_eq!(tracks("Visibility 1,"), None);
    for (word, tag) in
        [("DoFDistance", IDUF), ("FocusDistance", IDUF), ("FocalLength", ELAF), ("FStop", PTSF)]
    {
        let read = model(1200, &format!("Camera \"c\" {{ {word} 2.5, }}"));
        let track = read.cameras[0].tracks.get(tag).unwrap();
        assert_eq!(track.keys::<f32>().unwrap().collect::<Vec<_>>(), [Key::new(0, 2.5)], "{word}");
        let read = model(1200, &format!("Camera \"c\" {{ {word} 1 {{ Linear, 7: 2.5, }} }}"));
        let track = read.cameras[0].tracks.get(tag).unwrap();
        assert_eq!(track.keys::<f32>().unwrap().collect::<Vec<_>>(), [Key::new(7, 2.5)], "{word}");
    }
    check(1200, "Camera \"c\" { FStop ^x, }", &["E MDL0101 a number expected, found `x`"]);
}

fn layers(version: u32, body: &str) -> Vec<Layer> {
    model(version, &format!("Materials 1 {{ Material {{ Layer {{ {body} }} }} }}")).materials[0]
        .layers
        .clone()
}

#[test]
fn textures_of_layers_with_and_without_slots() {
    let slots = |body: &str| -> Vec<(u32, i32, bool)> {
        let layers = layers(1100, body);
        assert_eq!(layers.len(), 1);
        layers[0].slots.iter().map(|slot| (slot.slot, slot.texture, slot.track.is_some())).collect()
    };
    assert_eq!(slots("static TextureID 7,"), [(0, 7, false)]);
    assert_eq!(
        slots("static TextureID 7 <= 3, static ReflectionsTextureID -1,"),
        [(3, 7, false), (5, -1, false)]
    );
    assert_eq!(slots("TextureID 1 { 0: 4, }"), [(0, 0, true)]);
    assert_eq!(slots("static TextureID 7, TextureID 1 { 0: 4, }"), [(0, 7, true)]);
    assert_eq!(slots("static TextureID 7, static TextureID 8,"), [(0, 8, false)]);
    let one = layers(800, "static TextureID 7, TextureID 1 { 0: 4, }");
    assert_eq!((one[0].texture, one[0].slots.len(), one[0].tracks.get(KMTF).is_some()), (7, 0, true));
    // One slot is the layer's texture before 1100; several are several layers.
    let one = layers(800, "static NormalTextureID 7, Alpha 1 { 0: 0.5, }");
    assert_eq!((one.len(), one[0].texture, one[0].slots.len(), one[0].tracks.len()), (1, 7, 0, 1));
    check(
        800,
        "Materials 1 { Material { Layer { static TextureID 7 <= 0, static TextureID 8 <= 1, } Layer { } }^ }",
        &["W MDL0205 this version has one texture per layer: a layer with several became several layers"],
    );
}

#[test]
fn shaders_by_name_and_by_number() {
    for (body, shader) in [
        ("", ShaderKind(0)),
        ("Shader \"\",", ShaderKind(0)),
        ("Shader \"Shader_HD_DefaultUnit\",", ShaderKind::HD),
        ("shader \"shader_hd_defaultunit\",", ShaderKind::HD),
        ("Shader 7,", ShaderKind(7)),
        ("ShaderTypeId 1,", ShaderKind::HD),
    ] {
        assert_eq!(layers(1100, body)[0].shader, shader, "{body}");
    }
    check(
        1100,
        "Materials 1 { Material { Layer { Shader ^\"Fur\", } } }",
        &["W MDL0104 there is no shader \"Fur\""],
    );
    check(
        1100,
        "Materials 1 { Material { Layer { Shader ^Fur, } } }",
        &["E MDL0101 the name of a shader expected, found `Fur`"],
    );
}

#[test]
fn tints_segments_and_events() {
    let read = model(800, "GeosetAnim { GeosetId 0, static Color { 0.25, 0.5, 1 }, }");
    let flags = read.geoset_animations[0].flags;
    assert_eq!(flags, GeosetAnimationFlags::from_bits_retain(2));
    let read = parse(b"Version { WowAlpha, FormatVersion 1300, } GeosetAnim { Color 1 { 0: { 1, 1, 1 }, } }");
    assert_eq!(read.unwrap().geoset_animations[0].flags.bits(), 1);
    assert_eq!(model(800, "GeosetAnim { GeosetId 0, }").geoset_animations[0].flags.bits(), 0);
    let color = "Color { 0.5, 0.25, 1 },";
    let read =
        model(800, &format!("ParticleEmitter2 \"p\" {{ SegmentColor {{ {color} {color} {color} }} }}"));
    assert_eq!(read.particle_emitters_2[0].segment_colors, [1.0, 0.25, 0.5, 1.0, 0.25, 0.5, 1.0, 0.25, 0.5]);
    check(
        800,
        &format!("ParticleEmitter2 \"p\" {{ SegmentColor {{ {color} {color} {color} ^{color} }} }}"),
        &["W MDL0201 this block has no property `Color`; skipped"],
    );
    let read = model(800, "EventObject \"e\" { EventTrack 2 { GlobalSeqId 3, 5, -6, } ObjectId 4, }");
    let track = read.event_objects[0].track.as_ref().unwrap();
    assert_eq!((track.global_sequence, track.times.as_slice()), (3, &[5, -6][..]));
    assert_eq!(read.event_objects[0].node.object_id, 4);
}

#[test]
fn shapes_by_their_words() {
    let shape =
        |body: &str| model(800, &format!("CollisionShape \"s\" {{ {body} }}")).collision_shapes[0].shape;
    let two = "Vertices 2 { { 1, 2, 3 }, { 4, 5, 6 }, }";
    let points = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
    assert_eq!(shape(&format!("Box, {two}")), Shape::Box { min: points[0], max: points[1] });
    assert_eq!(shape(&format!("plane, {two}")), Shape::TwoPointPlane(points));
    assert_eq!(
        shape(&format!("Cylinder, {two} BoundsRadius 7,")),
        Shape::TwoPointCylinder { points, radius: 7.0 }
    );
    let sphere = Shape::Sphere { center: points[0], radius: 7.0 };
    assert_eq!(shape("Sphere, Vertices 1 { { 1, 2, 3 }, } BoundsRadius 7,"), sphere);
    // What one shape states is not left for the next.
    let text = "CollisionShape \"a\" { Box, Vertices 2 { { 1, 2, 3 }, { 4, 5, 6 }, } BoundsRadius 7, } CollisionShape \"b\" { }";
    assert_eq!(model(800, text).collision_shapes[1].shape, Shape::default());
    let exact = |number: u8, values: &str| shape(&format!("Shape {number} {{ {values} }},"));
    assert_eq!(
        exact(1, "1, 2, 3, 4, 5"),
        Shape::Cylinder { base: [1.0, 2.0, 3.0], height: 4.0, radius: 5.0 }
    );
    assert_eq!(exact(3, "6, 4"), Shape::Plane { length: 6.0, width: 4.0 });
    check(800, "CollisionShape \"s\" { BoundsRadius ^x, }", &["E MDL0101 a number expected, found `x`"]);
}

#[test]
fn the_text_has_limits() {
    let text = b"Version { FormatVersion 800, } Bone \"a\" { } Bone \"b\" { } Bone \"c\" { }";
    let length = text.len() as u64;
    let with = |input_bytes, records| parse_with(text, &Limits { input_bytes, records, ..Limits::DEFAULT });
    assert_eq!(with(length, 3).unwrap().bones.len(), 3);
    assert_eq!(with(length - 1, 3).unwrap_err().kind(), Kind::Limit);
    let cut = with(length, 2).unwrap();
    let found: Vec<_> = cut.diagnostics().iter().map(|found| found.message.as_ref()).collect();
    assert_eq!((cut.bones.len(), found), (2, vec!["more records than the limit"]));
}

#[test]
fn a_text_without_a_known_version() {
    let codes = |text: &str| -> Vec<(&'static str, (usize, usize))> {
        let model = parse(text.as_bytes()).unwrap();
        model.diagnostics().iter().map(|found| (found.code.0, found.line.unwrap())).collect()
    };
    assert_eq!(codes("Bone \"b\" { }"), [("MDL0203", (1, 1))]);
    assert_eq!(codes("Version { FormatVersion 777, }"), [("MDX0101", (1, 1))]);
    assert_eq!(codes("Version { FormatVersion 800, }"), []);
}

#[test]
fn what_missing_words_mean() {
    let read = model(800, "Model \"m\" { } ParticleEmitter2 \"p\" { } Camera \"c\" { }");
    assert_eq!((read.info[0].blend_time, read.cameras[0].variant), (0, 0));
    let emitter = &read.particle_emitters_2[0];
    assert_eq!((emitter.segment_colors, emitter.segment_alphas), ([1.0; 9], [255; 3]));
    assert_eq!((emitter.segment_scales, emitter.squirt), ([1.0; 3], 0));
    assert_eq!(model(1200, "Camera \"c\" { }").cameras[0].variant, 3);
    let wow = parse(b"Version { WowAlpha, FormatVersion 1300, } Model \"m\" { }").unwrap();
    assert_eq!(wow.info[0].blend_time, effigy_mdx::ModelInfo::default().blend_time);
    assert_ne!(wow.info[0].blend_time, 0);
}

#[test]
fn flags_and_switches_are_set_however_often_they_occur() {
    let read = model(800, "Materials 1 { Material { ConstantColor, ConstantColor, Layer { } } }");
    assert_eq!(read.materials[0].flags, MaterialFlags::CONSTANT_COLOR);
    for (word, value) in [("Squirt,", 1), ("Squirt, Squirt,", 1), ("Squirt 5,", 5), ("Squirt 0,", 0)] {
        let read = model(800, &format!("ParticleEmitter2 \"p\" {{ {word} }}"));
        assert_eq!(read.particle_emitters_2[0].squirt, value, "{word}");
    }
    // Numbers of an array that do not fit are the nearest that do.
    let read = model(800, "Sequences 1 { Anim \"a\" { Interval { 5000000000, -5000000000 }, } }");
    assert_eq!(read.sequences[0].interval, [u32::MAX, 0]);
    let read = model(800, "Sequences 1 { Anim \"a\" { Interval { 4294967295, -1 }, } }");
    assert_eq!(read.sequences[0].interval, [u32::MAX, u32::MAX]);
    check(
        800,
        "Helper \"h\" { DontInherit ^{ Scaling",
        &["E MDL0102 the text ends before this block is closed"],
    );
}
