//! MDL of models made by code: parsing their text restores them, truncated text never panics, and the crate `wc3` reads what
//! it supports.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use effigy_mdx::text::{PrintOptions, Spelling, parse, print};
use effigy_mdx::{Dialect, Interpolation, Key, Model, Track, track::tags};
use effigy_wire::{Severity, Tag};
use proptest::prelude::*;

const DIALECTS: [Spelling; 3] = [Spelling::Warcraft3, Spelling::Hive, Spelling::Retera];

fn errors(model: &Model) -> Vec<String> {
    let errors = model.diagnostics().iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    errors.map(ToString::to_string).collect()
}

fn assert_comes_back(model: &Model, name: &str) {
    let bytes = model.write().unwrap();
    for dialect in DIALECTS {
        let (text, _) = print(model, &PrintOptions { dialect, plain: false });
        let again = parse(&text).unwrap();
        let shown = String::from_utf8_lossy(&text);
        assert_eq!(errors(&again), [""; 0], "{name} {dialect:?}\n{shown}");
        assert!(again.write().unwrap() == bytes, "{name} {dialect:?}\n{shown}");
    }
}

#[test]
fn every_sample_is_restored_from_its_text() {
    for sample in effigy_samples::mdx::samples() {
        if effigy_mdx::sniff(&sample.bytes) {
            assert_comes_back(&effigy_mdx::read(&sample.bytes).unwrap(), &sample.name);
        }
    }
}

#[test]
fn plain_text_of_wow_alpha_holds_every_field() {
    for &version in Dialect::WowAlpha.versions() {
        let model = effigy_samples::mdx::everything(Dialect::WowAlpha, version);
        let (text, report) = print(&model, &PrintOptions { plain: true, ..Default::default() });
        let again = parse(&text).unwrap();
        assert_eq!(errors(&again), [""; 0]);
        let tame = |model: &Model| print(model, &PrintOptions { plain: true, ..Default::default() }).0;
        assert!(tame(&again) == text, "{version}: {report}");
        assert_eq!(again.dialect(), Dialect::WowAlpha);
    }
}

#[test]
fn truncated_text_never_panics_and_is_reported() {
    for (dialect, version) in
        [(Dialect::Warcraft3, 800), (Dialect::Warcraft3, 1100), (Dialect::WowAlpha, 1300)]
    {
        let model = effigy_samples::mdx::everything(dialect, version);
        let (text, _) = print(&model, &PrintOptions::default());
        let step = (text.len() / 1500).max(1);
        for length in (0..text.len()).step_by(step) {
            let cut = &text[..length];
            let Ok(model) = parse(cut) else { continue };
            // Comments of ours stand between blocks; a cut inside a block is an error.
            let last = cut.split(|&byte| byte == b'\n').next_back().unwrap();
            let inside = last.starts_with(b"\t");
            assert!(!inside || !errors(&model).is_empty(), "cut at {length} of {}", text.len());
            model.write().unwrap();
        }
    }
}

#[test]
fn damaged_text_never_panics() {
    let model = effigy_samples::mdx::everything(Dialect::Warcraft3, 1000);
    let (text, _) = print(&model, &PrintOptions::default());
    let mut state = 1_u64;
    for _ in 0..1500 {
        let mut damaged = text.clone();
        for _ in 0..3 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let at = (state >> 33) as usize % damaged.len();
            damaged[at] = b"{}\",:<=9-.ax \n/"[(state >> 20) as usize % 15];
        }
        if let Ok(model) = parse(&damaged) {
            let errors = errors(&model).len();
            assert!(errors <= 21, "{errors} errors");
            model.write().unwrap();
        }
    }
}

#[test]
fn a_huge_count_takes_no_memory_and_is_an_error_at_its_location() {
    let text = b"Version { FormatVersion 800, }\nGeoset {\n\tVertices 4294967295 {\n\t\t{ 0, 0, 0 },\n\t}\n}\nBone \"b\" { ObjectId 0, }";
    let model = parse(text).unwrap();
    let error = &model.diagnostics()[0];
    assert_eq!((error.code.0, error.line), ("MDL0103", Some((3, 11))));
    assert_eq!(model.geosets[0].vertices.len(), 1);
    assert_eq!(model.bones.len(), 1, "what comes later is read");
}

#[test]
fn errors_are_reported_with_their_locations_and_the_rest_is_read() {
    let text = b"Version {\n\tFormatVersion 800,\n}\nModel \"m\" {\n\tBlendTime soon,\n\tBoundsRadius 5,\n}\n\
        Helper \"h\" {\n\tObjectId 3,\n\tSparkles { 1, { 2 } },\n\tParent 1,\n}\nUniverse 42 {\n\tEverything { },\n}\n\
        Bone \"b\" {\n\tObjectId 4,\n\tTranslation 1 {\n\t\tLinear,\n\t\t0: { 1, 2 },\n\t}\n\tParent 3,\n}\n";
    let model = parse(text).unwrap();
    let found: Vec<_> = model.diagnostics().iter().map(|one| (one.code.0, one.line.unwrap())).collect();
    assert_eq!(
        found,
        [
            ("MDL0101", (5, 12)),
            ("MDL0201", (10, 2)),
            ("MDL0202", (13, 1)),
            ("MDL0101", (20, 13)),
            ("MDL0103", (18, 14)),
        ]
    );
    assert_eq!(model.info[0].extent.radius, 5.0);
    assert_eq!((model.helpers[0].node.object_id, model.helpers[0].node.parent), (3, 1));
    assert_eq!(model.bones[0].node.parent, 3);
}

#[test]
fn at_most_twenty_errors_are_reported() {
    let mut text = b"Version { FormatVersion 800, }\n".to_vec();
    (0..100).for_each(|_| text.extend_from_slice(b"Bone { ObjectId x, }\n"));
    let model = parse(&text).unwrap();
    assert_eq!(errors(&model).len(), 21, "twenty and one that says there are more");
    assert_eq!(model.diagnostics().last().unwrap().code.0, "MDL0105");
}

#[test]
fn deep_braces_are_skipped_without_recursion() {
    let mut text = b"Version { FormatVersion 800, }\nBone \"b\" { Strange ".to_vec();
    text.extend(std::iter::repeat_n(b'{', 1_000_000));
    text.extend(std::iter::repeat_n(b'}', 1_000_000));
    text.extend_from_slice(b" ObjectId 7, }");
    assert_eq!(parse(&text).unwrap().bones[0].node.object_id, 7);
}

#[test]
fn all_spellings_mean_the_same() {
    let layer = |body: &str| {
        let text =
            format!("Version {{ FormatVersion 1100, }} Materials 1 {{ Material {{ Layer {{ {body} }} }} }}");
        let model = parse(text.as_bytes()).unwrap();
        assert_eq!(model.diagnostics().len(), 0, "{:?}", model.diagnostics());
        model.materials[0].layers[0].clone()
    };
    assert_eq!(
        layer("Shader \"Shader_HD_DefaultUnit\", static TextureID 4 <= 0, static TextureID 5 <= 1,"),
        layer("ShaderTypeId 1, static TextureID 4, static NormalTextureID 5,"),
    );
    let skin = |block: &str| {
        let text = format!("Version {{ FormatVersion 1000, }} Geoset {{ {block} }}");
        let model = parse(text.as_bytes()).unwrap();
        assert_eq!(model.diagnostics().len(), 0, "{:?}", model.diagnostics());
        model.geosets[0].clone()
    };
    let bare = skin("SkinWeights 1 { 1, 2, 3, 4, 255, 0, 0, 0, }");
    assert_eq!(bare, skin("SkinWeights 1 { { 1, 2, 3, 4, 255, 0, 0, 0 }, }"));
    assert_eq!(bare, skin("SkinWeights { 1 2 3 4 255 0 0 0 }"));
    assert_eq!(
        skin("Faces 1 6 { Triangles { { 0, 1, 2, 0, 2, 3 }, } }"),
        skin("Faces 2 6 { Triangles { { 0, 1, 2 }, { 0, 2, 3 }, } }")
    );
    let node =
        |body: &str| parse(format!("helper \"h\" {{ {body} }}").as_bytes()).unwrap().helpers[0].node.clone();
    assert_eq!(
        node("DontInherit { Rotation, Scaling }, BILLBOARDED,"),
        node("DontInheritRotation, DontInheritScaling, Billboarded")
    );
}

#[test]
fn static_colours_are_reversed_and_tracks_are_not() {
    let text = b"Version { FormatVersion 800, } GeosetAnim { GeosetId 0, static Color { 0.25, 0.5, 1 }, \
        Color 1 { Linear, 0: { 0.25, 0.5, 1 }, } }";
    let model = parse(text).unwrap();
    let animation = &model.geoset_animations[0];
    assert_eq!(animation.color, [1.0, 0.5, 0.25]);
    let key = animation.tracks.get(tags::KGAC).unwrap().keys::<[f32; 3]>().unwrap().next().unwrap();
    assert_eq!(key.value, [0.25, 0.5, 1.0]);
}

#[test]
fn a_comment_for_an_edited_chunk_is_ignored_and_reported() {
    let mut model = Model::new(Dialect::Warcraft3, 800, "m");
    model.pivots = vec![[1.0, f32::from_bits(0x7fc0_1234), 3.0]];
    let (text, report) = print(&model, &PrintOptions::default());
    assert!(!report.is_empty());
    let text = String::from_utf8(text).unwrap();
    assert_eq!(parse(text.as_bytes()).unwrap().diagnostics().len(), 0);
    let edited = parse(text.replace("{ 1, nan, 3 }", "{ 1, 2, 3 }").as_bytes()).unwrap();
    assert_eq!(edited.diagnostics()[0].code.0, "MDL0204");
    let written = effigy_mdx::read(&edited.write().unwrap()).unwrap();
    assert_eq!(written.pivots, [[1.0, 2.0, 3.0]]);
}

#[test]
fn bits_that_text_cannot_represent_are_restored() {
    let mut model = Model::new(Dialect::Warcraft3, 800, "odd \"name\"\nof two lines");
    model.pivots = vec![
        [f32::from_bits(0x7fc0_0001), f32::from_bits(0xffc0_0000), -0.0],
        [f32::INFINITY, 1e-45, f32::MAX],
    ];
    let keys = [Key::new(5, 1.0_f32), Key::new(-3, f32::from_bits(0xff80_0001))];
    let path = effigy_wire::FixedStr::from_bytes([7; 260]);
    let mut attachment = effigy_mdx::Attachment { path, ..Default::default() };
    attachment.tracks.0.push(Track::new(tags::KATV, Interpolation(9), &keys).unwrap());
    attachment.tracks.0.push(Track::new(tags::KMTA, Interpolation::LINEAR, &keys).unwrap());
    attachment
        .tracks
        .0
        .push(Track::new(tags::KATV, Interpolation::STEP, &keys).unwrap().on_global_sequence(4));
    attachment.node.flags = effigy_mdx::NodeFlags::from_bits_retain(0xdead_beef);
    model.attachments.push(attachment);
    model.push_chunk(Tag(*b"ABCD"), vec![0, 1, 2, 255]);
    assert_comes_back(&model, "odd bits");
}

#[test]
fn flat_shapes_are_printed_as_two_corners() {
    let mut model = Model::new(Dialect::Warcraft3, 800, "shapes");
    let shape = |shape| effigy_mdx::CollisionShape { shape, ..Default::default() };
    model.collision_shapes.push(shape(effigy_mdx::Shape::Plane { length: 6.0, width: 4.0 }));
    let base = [1.0, 2.0, 3.0];
    model.collision_shapes.push(shape(effigy_mdx::Shape::Cylinder { base, height: 5.0, radius: 1.5 }));
    let text = String::from_utf8(print(&model, &PrintOptions::default()).0).unwrap();
    let words: Vec<&str> = text.split_whitespace().collect();
    let has = |line: &str| {
        let line: Vec<&str> = line.split_whitespace().collect();
        words.windows(line.len()).any(|window| window == line)
    };
    assert!(has("Plane, Vertices 2 { { -3, -2, 0 }, { 3, 2, 0 }, }"), "{text}");
    assert!(has("Cylinder, Vertices 2 { { 1, 2, 3 }, { 1, 2, 8 }, } BoundsRadius 1.5,"), "{text}");
}

/// Models of which `wc3` reads the text: what all tools agree on.
#[test]
fn wc3_reads_the_text_of_samples() {
    use wc3::model::mdl::Read as _;
    for &version in Dialect::Warcraft3.versions() {
        let model = effigy_samples::mdx::creature(Dialect::Warcraft3, version);
        for dialect in [Spelling::Warcraft3, Spelling::Retera] {
            for plain in [false, true] {
                let (text, _) = print(&model, &PrintOptions { dialect, plain });
                let text = String::from_utf8(text).unwrap();
                if let Err(error) = wc3::model::DynamicModel::decode_mdl(&text) {
                    let line = text.get(..error.span.start).unwrap_or(&text).lines().count();
                    panic!(
                        "{version} {dialect:?}: line {line}: {error}\n{}",
                        text.lines().nth(line.saturating_sub(1)).unwrap()
                    );
                }
            }
        }
    }
}

fn number() -> impl Strategy<Value = f32> {
    prop_oneof![
        any::<u32>().prop_map(f32::from_bits),
        (-100_000_i32..100_000).prop_map(|value| value as f32 / 1000.0),
        Just(0.0),
        Just(1.0)
    ]
}

prop_compose! {
    fn track(tag: Tag)(
        interpolation in 0_u32..5,
        global in prop_oneof![Just(-1), any::<i32>()],
        keys in prop::collection::vec((any::<i32>(), number(), number(), number()), 0..6),
    ) -> Track {
        let keys: Vec<_> = keys.into_iter().map(|(time, a, b, c)| Key { time, value: [a, b, c], tangents: Some([[c, a, b], [b; 3]]) }).collect();
        let floats: Vec<_> = keys.iter().map(|key| Key { time: key.time, value: key.value[0], tangents: Some([key.value[1], key.value[2]]) }).collect();
        let track = Track::new(tag, Interpolation(interpolation), &keys)
            .or_else(|_| Track::new(tag, Interpolation(interpolation), &floats)).unwrap();
        track.on_global_sequence(global)
    }
}

prop_compose! {
    fn light()(
        name in prop::collection::vec(any::<u8>(), 80),
        numbers in prop::collection::vec(number(), 16),
        words in prop::collection::vec(any::<u32>(), 5),
        named in any::<bool>(),
        tracks in prop::collection::vec(prop_oneof![track(tags::KLAI), track(tags::KLAC), track(tags::KLAV), track(tags::KGTR), track(tags::KVIS)], 0..4),
        moves in prop::collection::vec(prop_oneof![track(tags::KGTR), track(tags::KGSC), track(tags::KLAI)], 0..3),
    ) -> effigy_mdx::Light {
        let node = effigy_mdx::Node {
            name: effigy_wire::FixedStr::from_bytes(name.try_into().unwrap()),
            object_id: words[0].cast_signed(),
            parent: words[1].cast_signed(),
            flags: effigy_mdx::NodeFlags::from_bits_retain(if named { 0x200 } else { words[2] }),
            tracks: moves.into_iter().collect(),
        };
        effigy_mdx::Light {
            node,
            kind: effigy_mdx::LightKind(if named { words[3] % 3 } else { words[3] }),
            shadow_casting: if named { words[4] % 2 } else { words[4] },
            attenuation_start: numbers[0],
            attenuation_end: numbers[1],
            color: [numbers[2], numbers[3], numbers[4]],
            intensity: numbers[5],
            ambient_color: [numbers[6], numbers[7], numbers[8]],
            ambient_intensity: numbers[9],
            shadow_intensity: numbers[10],
            shadow_range: [numbers[11], numbers[12]],
            quadratic_falloff: numbers[13],
            linear_falloff: numbers[14],
            damping: numbers[15],
            tracks: tracks.into_iter().collect(),
        }
    }
}

prop_compose! {
    fn layer()(
        words in prop::collection::vec(prop_oneof![any::<u32>(), 0_u32..8], 6),
        numbers in prop::collection::vec(number(), 7),
        slots in prop::collection::vec((any::<i32>(), 0_u32..8, any::<bool>()), 0..5),
        tracks in prop::collection::vec(prop_oneof![track(tags::KMTA), track(tags::KFC3), track(tags::KGAO)], 0..4),
    ) -> effigy_mdx::Layer {
        let pictures = || Track::new(tags::KMTF, Interpolation::STEP, &[Key::new(3, words[0]), Key::new(9, 2)]).unwrap();
        effigy_mdx::Layer {
            filter_mode: effigy_mdx::FilterMode(words[0]),
            flags: effigy_mdx::LayerFlags::from_bits_retain(words[1]),
            texture: words[2].cast_signed(),
            texture_animation: words[3].cast_signed(),
            coordinates: words[4].cast_signed(),
            alpha: numbers[0],
            emissive_gain: numbers[1],
            fresnel_color: [numbers[2], numbers[3], numbers[4]],
            fresnel_opacity: numbers[5],
            fresnel_team_color: numbers[6],
            shader: effigy_mdx::ShaderKind(words[5]),
            slots: slots.into_iter().map(|(texture, slot, moves)| effigy_mdx::TextureSlot { texture, slot, track: moves.then(pictures) }).collect(),
            tracks: tracks.into_iter().collect(),
        }
    }
}

prop_compose! {
    fn geoset()(
        rows in prop::collection::vec([number(), number(), number()], 0..6),
        uvs in prop::collection::vec(prop::collection::vec([number(), number()], 0..4), 0..3),
        words in prop::collection::vec(prop_oneof![any::<u32>(), 0_u32..8], 12),
        indices in prop::collection::vec(any::<u16>(), 0..9),
        groups in prop::collection::vec(any::<u8>(), 0..6),
        skin in prop::option::of(prop::collection::vec(any::<[u8; 8]>(), 0..3)),
        tangents in prop::option::of(prop::collection::vec([number(), number(), number(), number()], 0..3)),
        consistent in any::<bool>(),
    ) -> effigy_mdx::Geoset {
        let count = u32::try_from(indices.len()).unwrap();
        effigy_mdx::Geoset {
            vertices: rows.clone(),
            normals: rows.iter().rev().copied().collect(),
            uv_sets: uvs,
            primitive_types: if consistent { vec![4] } else { words[..2].to_vec() },
            primitive_counts: if consistent { vec![count] } else { words[2..5].to_vec() },
            indices,
            vertex_groups: groups,
            group_sizes: if consistent { vec![2, 0, 1] } else { words[5..7].to_vec() },
            group_nodes: words[7..10].to_vec(),
            material: words[0],
            selection_group: words[1],
            selection_flags: words[2],
            lod: words[3].cast_signed(),
            sequence_extents: rows.iter().map(|row| effigy_mdx::Extent { radius: row[0], min: *row, max: *row }).collect(),
            tangents,
            skin: skin.map(effigy_mdx::Skin::Narrow),
            ..Default::default()
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn parsing_the_print_gives_the_model(
        version in prop::sample::select(vec![800_u32, 900, 1000, 1100, 1200, 1300, 1400, 1600, 1800]),
        lights in prop::collection::vec(light(), 0..3),
        layers in prop::collection::vec(layer(), 0..3),
        geosets in prop::collection::vec(geoset(), 0..3),
        pivots in prop::collection::vec([number(), number(), number()], 0..4),
        priority in any::<i32>(),
    ) {
        let mut model = Model::new(Dialect::Warcraft3, version, "any");
        model.lights = lights;
        model.geosets = geosets;
        model.materials = vec![effigy_mdx::Material { priority_plane: priority, layers, ..Default::default() }];
        model.pivots = pivots;
        assert_comes_back(&model, "any");
    }
}
