//! Every rule has a model that it finds something in and one that it does not, both made by code.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use crate::sound;

use effigy_check::{CheckOptions, Checked, Game, Lookup, Profile, check, rule};
use effigy_m2::{Block, Particle, Series};
use effigy_mdc::{Frame, Name, Shader, Surface};
use effigy_mdx::track::tags;
use effigy_mdx::{
    Bone, CollisionShape, Extent, FilterMode, Interpolation, Key, Model, Node, ParticleFilter, Primitive,
    Shape, Skin, TextureSlot, Track,
};
use effigy_wire::FixedStr;
use sound::{sound, sound_gltf, sound_m2, sound_mdc};
use std::collections::BTreeSet;

fn quiet() -> CheckOptions<'static> {
    CheckOptions { profile: Some(Profile::Unit), ..CheckOptions::default() }
}

fn has(checked: &Checked, code: &str) -> bool {
    checked.findings.iter().any(|finding| finding.code.0 == code)
}

/// What breaks a sound model so that one rule finds something.
struct Case {
    code: &'static str,
    version: u32,
    profile: Profile,
    spoil: Spoil<Model>,
}

/// Breaks a model.
type Spoil<T> = fn(&mut T);

const fn case(code: &'static str, spoil: fn(&mut Model)) -> Case {
    Case { code, version: 800, profile: Profile::Unit, spoil }
}

const fn case_at(version: u32, code: &'static str, spoil: fn(&mut Model)) -> Case {
    Case { code, version, profile: Profile::Unit, spoil }
}

fn text<const N: usize>(text: &str) -> FixedStr<N> {
    FixedStr::new(text).unwrap()
}

fn floats(tag: effigy_wire::Tag, interpolation: Interpolation, keys: &[(i32, f32)]) -> Track {
    let keys: Vec<Key<f32>> = keys.iter().map(|(time, value)| Key::new(*time, *value)).collect();
    Track::new(tag, interpolation, &keys).unwrap()
}

/// Gives the first geoset animation this track of its opacity.
fn opacity(model: &mut Model, keys: &[(i32, f32)]) {
    model.geoset_animations[0].tracks.set(floats(tags::KGAO, Interpolation::LINEAR, keys));
}

const CASES: &[Case] = &[
    case_at(900, "MDX1001", |_| {}),
    case("MDX1002", |model| model.info[0].animation_file = text("a.mdx")),
    case("MDX1003", |model| {
        model.sequences[0].extent = Extent { radius: 1.0, min: [1.0; 3], max: [-1.0; 3] }
    }),
    Case {
        profile: Profile::Doodad,
        ..case("MDX1004", |model| {
            *model = Model::new(effigy_mdx::Dialect::Warcraft3, 800, "still");
            model.bones.push(Bone::default());
        })
    },
    case("MDX1005", |model| model.sequences[0].name = text("Spell")),
    case("MDX1006", |model| model.sequences[2].name = text("Spell")),
    case("MDX1007", |model| model.sequences[1].name = text("Dance")),
    case("MDX1008", |model| model.sequences[2].interval = [4000, 4000]),
    case("MDX1009", |model| model.sequences[2].interval = [5000, 4000]),
    case("MDX1010", |model| model.sequences[1].interval = [900, 3000]),
    case("MDX1011", |model| model.global_sequences[0] = 0),
    Case { profile: Profile::Portrait, ..case("MDX1012", |model| model.cameras.clear()) },
    case("MDX1013", |model| model.bones[0].node.name = text("a \"b\"")),
    case("MDX1014", |model| {
        let mut bytes = model.write().unwrap();
        bytes.extend_from_slice(b"KLAI");
        bytes.extend_from_slice(&[1_u32, 1, u32::MAX, 0, 0].map(u32::to_le_bytes).concat());
        *model = effigy_mdx::read(&bytes).unwrap();
    }),
    case("MDX1016", |model| model.sequences[2].interval[1] = 100_000_000),
    case("MDX1015", |model| model.sequences.iter_mut().for_each(|sequence| sequence.interval = [7, 7])),
    case("MDX2001", |model| model.bones[0].node.parent = 77),
    case("MDX2002", |model| model.bones[0].node.parent = 0),
    case("MDX2003", |model| {
        model.lights[0].node.parent = model.attachments[0].node.object_id;
        model.attachments[0].node.parent = model.lights[0].node.object_id;
    }),
    case("MDX2004", |model| model.lights[0].node.object_id = 0),
    case("MDX2005", |model| model.lights[0].node.object_id = -3),
    case("MDX2006", |model| model.bones[0].node.object_id = 5),
    case("MDX2007", |model| model.pivots.push([0.0; 3])),
    case_at(1000, "MDX2008", |model| {
        model.bind_poses.pop();
    }),
    case("MDX2009", |model| model.bones.clear()),
    case("MDX2010", |model| {
        let node = Node { object_id: 1, ..model.bones[0].node.clone() };
        model.bones.push(Bone { node, ..Bone::default() });
    }),
    case("MDX2011", |model| model.bones[0].geoset = 9),
    case("MDX2012", |model| model.bones[0].geoset_animation = 9),
    case("MDX2013", |model| model.geoset_animations[0].alpha = 0.05),
    case("MDX2014", |model| {
        model.pivots.pop();
    }),
    case("MDX2101", |model| model.attachments[0].node.name = text("Head Ref")),
    case("MDX2102", |model| model.attachments[0].path = text("sword.blp")),
    case("MDX2103", |model| model.event_objects[0].track = None),
    case("MDX2104", |model| model.event_objects[0].node.name = text("SNDxTOOLONG")),
    case("MDX2105", |model| model.event_objects[0].track.as_mut().unwrap().global_sequence = 4),
    case("MDX2106", |model| model.event_objects[0].track.as_mut().unwrap().times = vec![1500]),
    case("MDX2107", |model| model.lights[0].attenuation_end = 900.0),
    case("MDX2108", |model| model.lights[0].attenuation_end = model.lights[0].attenuation_start),
    case("MDX2109", |model| model.cameras[0].near_clip = model.cameras[0].far_clip),
    case_at(1000, "MDX2110", |model| model.face_fx[0].path = text("face.mdx")),
    case("MDX2111", |model| {
        let node = model.collision_shapes[0].node.clone();
        model.collision_shapes[0] =
            CollisionShape { node, shape: Shape::Plane { length: 10.0, width: 10.0 } };
    }),
    case("MDX3001", |model| model.bones[0].node.tracks.0[0].global_sequence = 7),
    case("MDX3002", |model| opacity(model, &[])),
    case("MDX3003", |model| model.sequences.clear()),
    case("MDX3004", |model| opacity(model, &[(-5, 1.0), (0, 1.0)])),
    case("MDX3005", |model| opacity(model, &[(0, 1.0), (500, 0.5), (300, 0.7), (1000, 1.0)])),
    case("MDX3006", |model| opacity(model, &[(0, 1.0), (500, 0.5), (500, 0.5), (1000, 1.0)])),
    case("MDX3007", |model| opacity(model, &[(100, 1.0), (1000, 0.5)])),
    case("MDX3008", |model| opacity(model, &[(0, 1.0), (1000, 0.5), (1500, 0.2)])),
    case("MDX3009", |model| {
        let track = floats(tags::KGAO, Interpolation::LINEAR, &[(0, 1.0), (2000, 0.5)]).on_global_sequence(0);
        model.geoset_animations[0].tracks.set(track);
    }),
    case("MDX3010", |model| opacity(model, &[(0, 1.0), (300, 1.0), (600, 1.0), (1000, 0.5)])),
    case("MDX3011", |model| opacity(model, &[(0, 1.0), (300, 0.9999), (600, 1.0), (1000, 0.5)])),
    case("MDX3012", |model| {
        let track = floats(tags::KP2G, Interpolation::LINEAR, &[(0, 1.0)]);
        model.particle_emitters_2[0].tracks.set(track);
    }),
    case("MDX3013", |model| {
        let track = floats(tags::KATV, Interpolation::LINEAR, &[(0, 1.0)]);
        model.attachments[0].tracks.set(track);
    }),
    case("MDX3014", |model| opacity_with(model, Interpolation(9))),
    case("MDX3015", |model| {
        let keys = [Key::new(0, [0.0, 0.0, 0.0, 3.0_f32])];
        model.bones[0].node.tracks.set(Track::new(tags::KGRT, Interpolation::LINEAR, &keys).unwrap());
    }),
    case("MDX3016", |model| {
        let keys = [Key::new(0, 0_u32), Key::new(500, 99)];
        let track = Track::new(tags::KMTF, Interpolation::STEP, &keys).unwrap();
        model.materials[0].layers[0].tracks.set(track);
    }),
    case("MDX4001", |model| {
        let geoset = &mut model.geosets[0];
        geoset.vertices.resize(7433, [0.0; 3]);
        geoset.normals.resize(7433, [0.0, 0.0, 1.0]);
        geoset.uv_sets[0].resize(7433, [0.0; 2]);
        geoset.vertex_groups.resize(7433, 0);
    }),
    case("MDX4002", |model| {
        let geoset = &mut model.geosets[0];
        geoset.indices.clear();
        geoset.primitive_counts.clear();
        geoset.primitive_types.clear();
    }),
    case("MDX4003", |model| model.geosets[0].sequence_extents.clear()),
    case("MDX4004", |model| model.geosets[0].material = 9),
    case("MDX4005", |model| model.geosets[0].normals.truncate(1)),
    case("MDX4015", |model| model.geosets[0].normals.clear()),
    case("MDX4006", |model| model.geosets[0].uv_sets[0].clear()),
    case("MDX4007", |model| model.geosets[0].vertex_groups.push(0)),
    case_at(1000, "MDX4008", |model| {
        model.geosets[0].skin = Some(Skin::Narrow(vec![[0, 0, 0, 0, 255, 0, 0, 0]]))
    }),
    case("MDX4009", |model| model.geosets[0].indices[1] = 100),
    case("MDX4010", |model| model.geosets[0].indices.push(0)),
    case("MDX4011", |model| model.geosets[0].primitive_types[0] = Primitive::TRIANGLE_STRIP.0),
    case_at(1000, "MDX4012", |model| model.geosets[0].lod = -1),
    case("MDX4013", |model| model.geoset_animations[0].geoset = 4),
    case("MDX4014", |model| {
        let again = model.geoset_animations[0].clone();
        model.geoset_animations.push(again);
    }),
    case_at(1000, "MDX4101", |model| model.geosets[0].vertex_groups = vec![0; 3]),
    case("MDX4102", |model| model.geosets[0].vertex_groups[2] = 9),
    case("MDX4103", |model| {
        model.geosets[0].group_sizes = vec![1, 0];
        model.geosets[0].vertex_groups[2] = 1;
    }),
    case("MDX4104", |model| model.geosets[0].group_nodes[0] = 60),
    case("MDX4105", |model| model.geosets[0].group_nodes[0] = 1),
    case_at(1400, "MDX4106", |model| {
        model.geosets[0].skin = Some(Skin::Wide(vec![[300, 0, 0, 0, 255, 0, 0, 0]; 3]));
    }),
    case_at(1000, "MDX4107", |model| {
        model.geosets[0].skin = Some(Skin::Narrow(vec![[0, 0, 0, 0, 100, 100, 0, 0]; 3]));
    }),
    case("MDX4108", |model| model.geosets[0].group_sizes = vec![2]),
    case("MDX4109", |model| {
        model.geosets[0].group_sizes = vec![0];
        model.geosets[0].group_nodes.clear();
    }),
    case("MDX5001", |model| model.textures[0].path = text("footman.psd")),
    case("MDX5002", |model| model.textures[1].replaceable = 12),
    case("MDX5003", |model| model.textures[1].path = text("a.blp")),
    case("MDX5004", |model| model.textures[0].path = text("")),
    case("MDX5005", |model| model.textures.clear()),
    case_at(1000, "MDX5006", |model| model.materials[0].shader = text("Shader_Of_Mine")),
    case("MDX5007", |model| model.materials[0].layers.clear()),
    case("MDX5008", |model| model.materials[0].layers.clear()),
    case("MDX5009", |model| model.materials[0].layers[0].filter_mode = FilterMode(40)),
    case("MDX5010", |model| model.materials[0].layers[0].texture = 40),
    case("MDX5011", |model| model.materials[0].layers[0].texture_animation = 40),
    case_at(1100, "MDX5012", |model| {
        model.materials[0].layers[0].slots.push(TextureSlot { texture: 0, slot: 9, track: None });
    }),
    case("MDX5013", |model| model.materials[0].layers[0].coordinates = 3),
    case("MDX6001", |model| model.particle_emitters[0].path = text("spark.blp")),
    case("MDX6002", |model| model.particle_emitters_2[0].texture = 40),
    case("MDX6003", |model| model.particle_emitters_2[0].replaceable = 40),
    case("MDX6004", |model| model.particle_emitters_2[0].filter_mode = ParticleFilter(40)),
    case("MDX6005", |model| {
        model.particle_emitters_2[0].node.flags |= effigy_mdx::NodeFlags::XY_QUAD;
        model.particle_emitters_2[0].speed = 0.0;
    }),
    case("MDX6006", |model| model.particle_emitters_2[0].time_middle = 1.5),
    case("MDX6007", |model| model.particle_emitters_2[0].squirt = 1),
    case_at(1000, "MDX6008", |model| model.popcorn_emitters[0].visibility_guide = text("")),
    case("MDX6009", |model| model.particle_emitters_2[0].life_span = -1.0),
    case("MDX6010", |model| model.particle_emitters_2[0].rows = 0),
    case("MDX6011", |model| model.ribbon_emitters[0].material = 40),
    case("MDX7001", |model| {
        let again = model.textures[0].clone();
        model.textures.push(again);
    }),
    case("MDX7002", |model| {
        let again = model.materials[0].clone();
        model.materials.push(again);
    }),
    case("MDX7003", |model| {
        let again = model.texture_animations[0].clone();
        model.texture_animations.push(again);
    }),
    case("MDX7004", |model| model.global_sequences.push(500)),
    case("ALL1001", |model| model.geosets[0].vertices[1][2] = f32::NAN),
    case("ALL1003", |model| model.textures[0].path = text("C:\\models\\footman.blp")),
    case("ALL1004", |model| {
        let mut again = model.textures[0].clone();
        again.path = text(&again.path.text().to_uppercase());
        model.textures.push(again);
    }),
];

fn opacity_with(model: &mut Model, interpolation: Interpolation) {
    model.geoset_animations[0].tracks.set(floats(tags::KGAO, interpolation, &[(0, 1.0)]));
}

/// What breaks a sound MDC.
const MDC_CASES: &[(&str, Spoil<effigy_mdc::Model>)] = &[
    ("MDC1002", |model| large(model, 1001)),
    ("MDC1003", |model| large(model, 10_001)),
    ("MDC1004", |model| model.surfaces[0].triangles[0] = [1, 1, 2]),
    ("MDC1005", |model| model.surfaces[0].triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2))),
    ("MDC1006", |model| model.surfaces[0].name = Name::new("").unwrap()),
    ("MDC1007", |model| {
        let again = model.surfaces[0].clone();
        model.surfaces.push(again);
    }),
    ("MDC1009", |model| model.surfaces[0].shaders[0] = Shader::default()),
    ("MDC1010", |model| model.frames.clear()),
];

/// What breaks a sound MDS.
const MDS_CASES: &[(&str, Spoil<effigy_mds::Model>)] = &[
    ("MDS1001", |model| model.bones.resize(129, effigy_mds::Bone::default())),
    ("MDS1002", |model| model.tags.resize(129, effigy_mds::Tag::default())),
    ("MDS1003", |model| model.surfaces.resize(33, effigy_mds::Surface::default())),
    ("MDS1004", |model| model.surfaces[0].vertices.resize(1000, effigy_mds::Vertex::default())),
    ("MDS1005", |model| model.surfaces[0].vertices.resize(10_001, effigy_mds::Vertex::default())),
    ("MDS1006", |model| model.surfaces[0].vertices.resize(6001, effigy_mds::Vertex::default())),
    ("MDS1007", |model| model.surfaces[0].vertices[0].weights[0].weight = 0.5),
    ("MDS1008", |model| model.surfaces[0].collapse_map[5] = 5),
    ("MDS1009", |model| model.surfaces[0].name = Name::new("U_body").unwrap()),
    ("MDS1010", |model| model.surfaces[0].bone_references.retain(|bone| *bone != 4)),
    ("MDS1011", |model| model.surfaces[0].bone_references.swap(0, 1)),
];

fn sound_mds() -> effigy_mds::Model {
    effigy_samples::mds::mds()
}

fn large(model: &mut effigy_mdc::Model, vertices: usize) {
    let texcoords = vec![[0.0; 2]; vertices];
    let name = Name::new("large").unwrap();
    model.surfaces.push(Surface { name, texcoords, ..Surface::default() });
}

/// What breaks a sound M2.
const M2_CASES: &[(&str, Spoil<effigy_m2::Model>)] = &[
    ("M21001", |model| model.bones[0].translation.ranges = vec![[0, 1]; 7].into()),
    ("M21002", |model| model.bones[0].translation.ranges = vec![[1, 0]; 2].into()),
    ("M21003", |model| model.bones[0].translation.times = Series::flat(vec![100, 100])),
    ("M21004", |model| model.bones[0].translation.times = Series::flat(vec![0, 100, 200])),
    ("M21005", |model| model.bones[0].translation.global_sequence = 6),
    ("M21006", |model| model.bones[0].translation.interpolation = 9),
    ("M21007", |model| model.bones[0].rotation.values = Series::flat(vec![[0.0, 0.0, 0.0, 2.0]])),
    ("M21008", |model| {
        let again = model.sequences[0].clone();
        model.sequences.push(again);
        model.bones[0].translation.ranges = vec![[0, 1]].into();
    }),
    ("M21101", |model| model.bones[0].parent = 1),
    ("M21102", |model| model.vertices[0].weights = [200, 0, 0, 0]),
    ("M21103", |model| model.vertices[0].bones = [9, 0, 0, 0]),
    ("M21104", |model| model.attachments[0].bone = 9),
    ("M21105", |model| model.collision_triangles = vec![0, 1, 2].into()),
    ("M21201", |model| model.views.clear()),
    ("M21202", |model| model.views[0].triangles[0] = 9),
    ("M21203", |model| model.views[0].submeshes[0].vertex_count = 9),
    ("M21204", |model| model.views[0].submeshes[0].bone_count = 9),
    ("M21205", |model| model.bone_combos[0] = 1),
    ("M21206", |model| model.views[0].batches[0].material = 9),
    ("M21301", |model| model.sequence_lookup = vec![0, 5].into()),
    ("M21302", |model| model.sequences[0].next_variation = 9),
    ("M21303", |model| model.sequences[0].start = 5000),
    ("M21304", |model| model.textures[0].name = Block::text_of("")),
    ("M21305", |model| model.textures[0].kind = 11),
    ("M21306", |model| {
        model.particles.push(Particle { kind: 0, blend: 0x102, ..Particle::default() });
    }),
    ("M21307", |model| model.particles.push(Particle { texture: 9, ..Particle::default() })),
    ("M21309", |model| model.sequences[0].end = u32::MAX - 400),
    ("M21308", |model| model.particles.push(Particle { rows: 0, ..Particle::default() })),
];

/// Checks a sound model, with the files next to it in order or not.
type Look = fn(sound: bool) -> Checked;

/// Rules that look at something besides the model: whether they find something, with it in order and not.
const OTHERS: &[(&str, Look)] = &[
    ("MDC1001", |sound| {
        let model = sound_mdc();
        let finest_frames = Some(model.frames.len() + usize::from(!sound));
        check(&model, &CheckOptions { finest_frames, ..CheckOptions::default() })
    }),
    ("MDC1008", |sound| {
        let names = [if sound { "plate" } else { "lid" }.to_owned()];
        check(&sound_mdc(), &CheckOptions { skin_surfaces: Some(&names), ..CheckOptions::default() })
    }),
    ("M21207", |sound| {
        let mut model = effigy_m2::Model::new(effigy_m2::Version::WRATH);
        model.skin_count = 2;
        let skin = effigy_m2::Skin::from(effigy_m2::View::default());
        model.skins = vec![skin; if sound { 2 } else { 1 }];
        check(&model, &quiet())
    }),
    ("ALL1002", |sound| {
        let lookup = |_: &str| if sound { Lookup::Found } else { Lookup::Missing };
        check(&self::sound(800), &CheckOptions { lookup: Some(&lookup), ..quiet() })
    }),
    ("ALL1006", |sound| {
        let lookup = |_: &str| if sound { Lookup::Found } else { Lookup::NotATexture };
        check(&self::sound(800), &CheckOptions { lookup: Some(&lookup), ..quiet() })
    }),
    ("ALL1007", |sound| {
        let lookup = |_: &str| if sound { Lookup::Found } else { Lookup::OddSize(64, 63) };
        check(&self::sound(800), &CheckOptions { lookup: Some(&lookup), ..quiet() })
    }),
    ("ALL1005", |sound| {
        let game = Some(if sound { Game::Wc3Classic } else { Game::WowAlpha });
        check(&self::sound(800), &CheckOptions { game, ..quiet() })
    }),
];

/// What replaces what in the JSON of a sound glTF file.
const GLTF_CASES: &[(&str, &str, &str)] = &[
    ("GLTF1001", "\"WEIGHTS_0\":1", "\"WEIGHTS_0\":1,\"JOINTS_1\":2,\"WEIGHTS_1\":1"),
    (
        "GLTF1002",
        "\"name\":\"Hip\"",
        "\"name\":\"a name of eighty bytes is one too many, because the game needs a zero after the last one.\"",
    ),
    ("GLTF1003", "\"name\":\"Walk\"", "\"name\":\"Stand\""),
    // The width of the image in its header: 3 instead of 4.
    ("GLTF1004", "SUhEUgAAAAQ", "SUhEUgAAAAM"),
    ("GLTF1005", "\"count\":3,\"type\":\"VEC3\"", "\"count\":65536,\"type\":\"VEC3\""),
    ("GLTF1006", "\"material\":0", "\"material\":0,\"targets\":[{\"POSITION\":0}]"),
    ("GLTF1007", "\"name\":\"Stand\"", "\"name\":\"Dance\""),
];

#[test]
fn each_rule_for_gltf_finds_what_was_broken() {
    for (code, from, to) in GLTF_CASES {
        let sound = sound_gltf();
        let text = String::from_utf8(sound.write().unwrap()).unwrap();
        assert!(text.contains(from), "{code}: {from}");
        assert!(!has(&check(&sound, &CheckOptions::default()), code), "{code} in a sound model");
        let broken = effigy_gltf::Model::read(text.replacen(from, to, 1).as_bytes()).unwrap();
        let checked = check(&broken, &CheckOptions::default());
        assert!(has(&checked, code), "{code} not found: {:#?}", checked.findings);
    }
}

#[test]
fn every_rule_has_a_test_case() {
    let cases = CASES
        .iter()
        .map(|case| case.code)
        .chain(MDC_CASES.iter().map(|(code, _)| *code))
        .chain(MDS_CASES.iter().map(|(code, _)| *code));
    let cases = cases.chain(M2_CASES.iter().map(|(code, _)| *code));
    let cases = cases.chain(OTHERS.iter().map(|(code, _)| *code));
    let cases = cases.chain(GLTF_CASES.iter().map(|(code, ..)| *code));
    let tested: BTreeSet<&str> = cases.collect();
    let rules: BTreeSet<&str> = rule::all().map(|rule| rule.code.0).collect();
    assert_eq!(rules, tested);
    assert_eq!(rules.len(), rule::all().count(), "a code is used twice");
}

#[test]
fn a_valid_model_has_no_findings() {
    for version in [800, 1000, 1100, 1400] {
        let model = sound(version);
        let bytes = model.write().unwrap();
        let model = effigy_mdx::read(&bytes).unwrap();
        let checked = check(&model, &quiet());
        assert!(checked.findings.is_empty(), "{version}: {:#?}", checked.findings);
        let mut same = model.clone();
        assert_eq!(effigy_check::fix(&mut same, &[] as &[&str]), []);
        assert_eq!(same.write().unwrap(), bytes);
    }
    let model = sound_mdc();
    let checked = check(&model, &CheckOptions::default());
    assert!(checked.findings.is_empty(), "{:#?}", checked.findings);
    let checked = check(&sound_mds(), &CheckOptions::default());
    assert!(checked.findings.is_empty(), "{:#?}", checked.findings);
    let model = effigy_m2::read(&sound_m2().write().unwrap()).unwrap();
    let checked = check(&model, &CheckOptions::default());
    assert!(checked.findings.is_empty(), "{:#?}", checked.findings);
    let checked = check(&sound_gltf(), &CheckOptions::default());
    assert!(checked.findings.is_empty(), "{:#?}", checked.findings);
}

#[test]
fn each_rule_finds_what_was_broken() {
    for Case { code, version, profile, spoil } in CASES {
        let mut model = sound(*version);
        let options = CheckOptions { profile: Some(*profile), ..CheckOptions::default() };
        // Version 900 is broken by being what it is; any other is its sound pair.
        let pair = if *version == 900 { sound(800) } else { model.clone() };
        assert!(!has(&check(&pair, &options), code), "{code} in a sound model");
        spoil(&mut model);
        let checked = check(&model, &options);
        assert!(has(&checked, code), "{code} not found: {:#?}", checked.findings);
    }
    for (code, spoil) in M2_CASES {
        let mut model = sound_m2();
        assert!(!has(&check(&model, &CheckOptions::default()), code), "{code} in a sound model");
        spoil(&mut model);
        let checked = check(&model, &CheckOptions::default());
        assert!(has(&checked, code), "{code} not found: {:#?}", checked.findings);
    }
    for (code, spoil) in MDC_CASES {
        let mut model = sound_mdc();
        assert!(!has(&check(&model, &CheckOptions::default()), code), "{code} in a sound model");
        spoil(&mut model);
        let checked = check(&model, &CheckOptions::default());
        assert!(has(&checked, code), "{code} not found: {:#?}", checked.findings);
    }
    for (code, spoil) in MDS_CASES {
        let mut model = sound_mds();
        assert!(!has(&check(&model, &CheckOptions::default()), code), "{code} in a sound model");
        spoil(&mut model);
        let checked = check(&model, &CheckOptions::default());
        assert!(has(&checked, code), "{code} not found: {:#?}", checked.findings);
    }
    for (code, check) in OTHERS {
        assert!(!has(&check(true), code), "{code} with all in order");
        assert!(has(&check(false), code), "{code} not found");
    }
}

#[test]
fn each_repair_removes_its_finding_and_adds_none() {
    let mut repaired = BTreeSet::new();
    for Case { code, version, spoil, profile } in CASES {
        let Some(rule) = rule::find(code).filter(|rule| rule.has_fix()) else { continue };
        let options = CheckOptions { profile: Some(*profile), ..CheckOptions::default() };
        let mut model = sound(*version);
        spoil(&mut model);
        let before = check(&model, &options);
        assert!(before.findings.iter().any(|one| one.code == rule.code && one.fixable), "{code}");
        let applied = effigy_check::fix(&mut model, &[*code]);
        assert!(!applied.is_empty() && applied.iter().all(|one| one.code == rule.code), "{code}");
        let after = check(&model, &options);
        assert!(!has(&after, code), "{code} is still there: {:#?}", after.findings);
        assert!(after.findings.len() < before.findings.len(), "{code}: the repair made something else");
        repaired.insert(*code);
    }
    for (code, spoil) in M2_CASES {
        let Some(rule) = rule::find(code).filter(|rule| rule.has_fix()) else { continue };
        let mut model = effigy_m2::read(&sound_m2().write().unwrap()).unwrap();
        spoil(&mut model);
        let broken = model.write().unwrap();
        let before = check(&model, &CheckOptions::default());
        assert!(before.findings.iter().any(|one| one.code == rule.code && one.fixable), "{code}");
        assert_eq!(effigy_check::fix(&mut model, &[*code]).len(), 1, "{code}");
        let after = check(&model, &CheckOptions::default());
        assert!(!has(&after, code), "{code} is still there: {:#?}", after.findings);
        let (bytes, weights) = (model.write().unwrap(), 4);
        assert_eq!(bytes.len(), broken.len(), "{code}");
        assert!(bytes.iter().zip(&broken).filter(|(a, b)| a != b).count() <= weights, "{code}");
        repaired.insert(*code);
    }
    let with_fix: BTreeSet<&str> =
        rule::all().filter(|rule| rule.has_fix()).map(|rule| rule.code.0).collect();
    assert_eq!(repaired, with_fix);
}

#[test]
fn findings_say_where_in_the_file() {
    let mut model = sound(800);
    model.geosets[0].material = 9;
    model.bones[0].node.tracks.0[0].global_sequence = 7;
    let bytes = model.write().unwrap();
    let model = effigy_mdx::read(&bytes).unwrap();
    let checked = check(&model, &quiet());
    let at = |code: &str| {
        let finding = checked.findings.iter().find(|finding| finding.code.0 == code).unwrap();
        (finding.path.clone(), finding.offset.unwrap())
    };
    let (path, offset) = at("MDX4004");
    assert_eq!(path, "GEOS[0].material");
    assert_eq!(bytes[offset..offset + 4], 9_u32.to_le_bytes());
    let (path, offset) = at("MDX3001");
    assert_eq!(path, "BONE[0].node.tracks.KGTR");
    assert_eq!(&bytes[offset..offset + 4], b"KGTR");
}

#[test]
fn sequences_out_of_order_and_sequences_that_overlap_are_told_apart() {
    let message = |first: [u32; 2], second: [u32; 2]| {
        let mut model = sound(800);
        model.sequences.truncate(2);
        (model.sequences[0].interval, model.sequences[1].interval) = (first, second);
        let checked = check(&model, &quiet());
        let found = checked.findings.iter().find(|finding| finding.code.0 == "MDX1010");
        found.map(|finding| finding.message.clone())
    };
    assert_eq!(message([0, 1000], [1000, 2000]), None);
    assert!(message([0, 1000], [999, 2000]).unwrap().contains("lasts from 0 to 1000"));
    assert!(message([5000, 6000], [100, 900]).unwrap().contains("before it is from 5000 to 6000"));
    assert!(message([5000, 6000], [100, 5000]).unwrap().contains("before it is from 5000 to 6000"));
    assert!(message([5000, 6000], [100, 5001]).unwrap().contains("lasts from 5000 to 6000"));
    // Times are signed.
    let minus_400 = (-400_i32).cast_unsigned();
    assert_eq!(message([minus_400, 0], [0, 1000]), None);
    assert!(message([minus_400, 100], [0, 1000]).unwrap().contains("lasts from -400 to 100"));
}

#[test]
fn a_sequence_may_begin_before_0() {
    let message = |interval: [u32; 2]| {
        let mut model = sound(800);
        model.sequences[0].interval = interval;
        let checked = check(&model, &quiet());
        let found = checked.findings.iter().find(|finding| finding.code.0 == "MDX1009");
        found.map(|finding| finding.message.clone())
    };
    let minus_400 = (-400_i32).cast_unsigned();
    assert_eq!(message([minus_400, 1000]), None);
    assert!(message([5000, minus_400]).unwrap().contains("starts at 5000 and ends at -400"));
}

#[test]
fn rows_of_m2_tables_that_nothing_uses_may_say_anything() {
    let found = |spoil: Spoil<effigy_m2::Model>| {
        let mut model = sound_m2();
        spoil(&mut model);
        has(&check(&model, &CheckOptions::default()), "M21301")
    };
    assert!(!found(|model| model.texture_combos.push(99)));
    assert!(found(|model| model.texture_combos[0] = 99));
}

/// What the shipped games do is not an error: models that came with them have these.
#[test]
fn what_the_games_ship_with_is_a_warning_at_most() {
    for code in ["MDX2104", "MDX4015", "MDX3007", "MDX4003", "MDX2102", "MDX1015"] {
        let severity = rule::find(code).unwrap().severity;
        assert!(severity < effigy_wire::Severity::Severe, "{code}: {severity:?}");
    }
}

#[test]
fn a_value_that_is_not_finite_is_found_in_meshes_records_and_keys() {
    let keys = [Key::new(0, [0.0, 1.0, 2.0_f32]), Key::new(1000, [0.0, f32::INFINITY, 0.0])];
    let track = Track::new(tags::KGTR, Interpolation::LINEAR, &keys).unwrap();
    let mut model = sound(800);
    model.geosets[0].vertices[1][2] = f32::NAN;
    model.lights[0].attenuation_end = f32::NEG_INFINITY;
    model.bones[0].node.tracks.set(track);
    let bytes = model.write().unwrap();
    let model = effigy_mdx::read(&bytes).unwrap();
    let checked = check(&model, &quiet());
    let found: Vec<_> = checked.findings.iter().filter(|one| one.code.0 == "ALL1001").collect();
    let places: BTreeSet<&str> = found.iter().map(|one| one.path.as_str()).collect();
    let wanted = ["GEOS[0].vertices", "LITE[0].attenuation_end", "BONE[0].node.tracks.KGTR.values"];
    assert_eq!(places, BTreeSet::from(wanted));
    assert!(found.iter().all(|one| one.offset.is_some()));
}

#[test]
fn a_file_is_not_missing_when_there_is_nowhere_to_look() {
    let lookup = |_: &str| Lookup::Unknown;
    let options = CheckOptions { lookup: Some(&lookup), ..quiet() };
    assert!(!has(&check(&sound(800), &options), "ALL1002"));
}

#[test]
fn games_load_their_own_versions() {
    let table: [(u32, &[Game]); 4] = [
        (800, &[Game::Wc3Classic, Game::Wc3Reforged]),
        (900, &[]),
        (1000, &[Game::Wc3Reforged]),
        (1100, &[Game::Wc3Reforged]),
    ];
    for (version, games) in table {
        let model = sound(version);
        let checked = check(&model, &quiet());
        assert_eq!(checked.accepted_by, games, "{version}");
        for &(game, ..) in Game::ALL {
            let options = CheckOptions { game: Some(game), ..quiet() };
            let refused = has(&check(&model, &options), "ALL1005");
            assert_eq!(refused, !games.contains(&game), "{version} {game}");
        }
    }
    let wolfenstein = [Game::Rtcw, Game::RtcwMp, Game::Et, Game::EtLegacy];
    let model = sound_mdc();
    assert_eq!(check(&model, &CheckOptions::default()).accepted_by, wolfenstein);
    let mut model = sound_mdc();
    model.frames.push(Frame::default());
    large(&mut model, 4000);
    let accepted = check(&model, &CheckOptions::default()).accepted_by;
    assert_eq!(accepted, [Game::Rtcw, Game::EtLegacy]);
}

#[test]
fn a_camera_without_vertices_is_fine() {
    let mut model = effigy_m2::Model::new(effigy_m2::Version::VANILLA);
    model.cameras.push(effigy_m2::Camera::default());
    let checked = check(&model, &CheckOptions::default());
    assert_eq!(
        (checked.guess.profile, checked.findings.len()),
        (Profile::Camera, 0),
        "{:?}",
        checked.findings
    );
}

#[test]
fn every_explanation_is_text_and_every_reader_code_is_explained() {
    for rule in rule::all() {
        assert!(rule.explanation.trim().ends_with('.'), "{rule:?}");
        assert!(!rule.title.ends_with('.'), "{rule:?}");
        assert_eq!(effigy_check::explain(&rule.code.0.to_lowercase()).unwrap().title, rule.title);
    }
    for (code, title, _) in rule::reader_codes() {
        assert!(rule::find(code.0).is_none(), "{code} belongs to a reader");
        assert_eq!(effigy_check::explain(code.0).unwrap().title, *title);
    }
    assert!(effigy_check::explain("MDX9999").is_none());
}

#[test]
fn events_without_times_are_markers_in_wow_alpha_and_errors_in_warcraft() {
    for (dialect, expected) in
        [(effigy_mdx::Dialect::WowAlpha, false), (effigy_mdx::Dialect::Warcraft3, true)]
    {
        let mut model = Model::new(dialect, 1300, "Marker");
        let node = Node { name: FixedStr::truncated("$CHD"), ..Node::default() };
        model.event_objects = vec![effigy_mdx::EventObject { node, track: None }];
        assert_eq!(has(&check(&model, &quiet()), "MDX2103"), expected, "{dialect}");
    }
}
