//! The text of a small model in every version, as it is committed under `snapshots/`. After an intended change, run with
//! `EFFIGY_UPDATE=1` and review the difference.
#![allow(clippy::unwrap_used, clippy::panic)]

use effigy_mdx::text::{PrintOptions, Spelling, parse, print};
use effigy_mdx::{
    Bone, Camera, CollisionShape, Dialect, EventObject, EventTrack, Extent, FilterMode, Geoset,
    GeosetAnimation, Interpolation, Key, Layer, Light, Material, Model, Node, NodeFlags, Sequence, Shape,
    Skin, Texture, TextureSlot, Track, track::tags,
};
use effigy_wire::FixedStr;
use std::path::Path;

fn name<const N: usize>(text: &str) -> FixedStr<N> {
    FixedStr::new(text).unwrap()
}

fn node(text: &str, object_id: i32, flags: u32) -> Node {
    Node {
        name: name(text),
        object_id,
        parent: object_id - 1,
        flags: NodeFlags::from_bits_retain(flags),
        ..Default::default()
    }
}

/// A quad with a bone, a light, a camera, an event and a shape.
fn model(dialect: Dialect, version: u32) -> Model {
    let mut model = Model::new(dialect, version, "Small");
    let wow = dialect == Dialect::WowAlpha;
    let flag = |bit: u32| if wow { bit >> 1 } else { bit };
    let extent = Extent { radius: 22.63, min: [-16.0, -16.0, 0.0], max: [16.0, 16.0, 0.5] };
    model.info.iter_mut().for_each(|info| info.extent = extent.clone());
    model.sequences = vec![Sequence {
        name: name("Stand"),
        interval: [0, 1000],
        extent: extent.clone(),
        ..Default::default()
    }];
    model.global_sequences = vec![700];
    model.textures = vec![Texture { path: name("Textures\\Quad.blp"), ..Default::default() }];
    let slots = [0, 1].map(|slot| TextureSlot { texture: 0, slot, track: None }).to_vec();
    let fade =
        Track::new(tags::KMTA, Interpolation::LINEAR, &[Key::new(0, 1.0_f32), Key::new(500, 0.25)]).unwrap();
    let layer = Layer {
        filter_mode: FilterMode::BLEND,
        slots,
        tracks: [fade].into_iter().collect(),
        ..Default::default()
    };
    model.materials = vec![Material { layers: vec![layer], ..Default::default() }];
    let uvs = vec![[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]];
    model.geosets = vec![Geoset {
        vertices: vec![
            [-16.0, -16.0, 0.0],
            [16.0, -16.0, 0.1],
            [16.0, 16.0, 1e-7],
            [-16.0, 16.0, 0.333_333_34],
        ],
        normals: vec![[0.0, 0.0, 1.0]; 4],
        uv_sets: vec![uvs],
        primitive_types: vec![4],
        primitive_counts: vec![6],
        indices: vec![0, 1, 2, 0, 2, 3],
        vertex_groups: vec![0; 4],
        group_sizes: vec![1],
        group_nodes: vec![0],
        extent,
        skin: (version > 800 && !wow).then(|| Skin::Narrow(vec![[0, 0, 0, 0, 255, 0, 0, 0]; 4])),
        ..Default::default()
    }];
    model.geoset_animations = vec![GeosetAnimation { geoset: 0, alpha: 0.5, ..Default::default() }];
    let mut root = node("Root", 0, flag(0x100));
    let spin =
        [Key { time: 0, value: [0.0_f32, 0.0, 0.0, 1.0], tangents: Some([[0.0; 4], [0.0, 0.0, 0.5, 1.0]]) }];
    root.tracks.0.push(Track::new(tags::KGRT, Interpolation::HERMITE, &spin).unwrap().on_global_sequence(0));
    model.bones = vec![Bone { node: root, ..Default::default() }];
    model.lights = vec![Light {
        node: node("Lamp", 1, flag(0x200)),
        intensity: 5.0,
        color: [1.0, 0.5, 0.25],
        ..Default::default()
    }];
    let times = EventTrack { global_sequence: -1, times: vec![100, 600] };
    model.event_objects = vec![EventObject { node: node("SNDxABCD", 2, flag(0x400)), track: Some(times) }];
    if !wow {
        let shape = Shape::Sphere { center: [0.0, 0.0, 8.0], radius: 20.0 };
        model.collision_shapes = vec![CollisionShape { node: node("Click", 3, 0x2000), shape }];
    }
    model.cameras = vec![Camera {
        name: name("Portrait"),
        position: [120.0, 0.0, 60.0],
        field_of_view: 0.8,
        far_clip: 1000.0,
        near_clip: 8.0,
        variant: if version > 1100 && !wow { 3 } else { 0 },
        ..Default::default()
    }];
    model.pivots = vec![[0.0; 3]; 4];
    model
}

fn check(file: &str, text: &[u8]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots").join(file);
    if std::env::var_os("EFFIGY_UPDATE").is_some() {
        return std::fs::write(path, text).unwrap();
    }
    let committed = std::fs::read(&path).unwrap_or_default();
    let committed = String::from_utf8(committed).unwrap().replace("\r\n", "\n");
    let text = std::str::from_utf8(text).unwrap();
    let line = committed.lines().zip(text.lines()).position(|(old, new)| old != new);
    assert!(
        committed == text,
        "{file}: the text changed at line {:?} (EFFIGY_UPDATE=1 accepts it)",
        line.map(|line| line + 1)
    );
}

#[test]
fn the_text_of_every_version_is_as_committed() {
    for dialect in [Dialect::Warcraft3, Dialect::WowAlpha] {
        for &version in dialect.versions() {
            let model = model(dialect, version);
            let (text, _) = print(&model, &PrintOptions::default());
            assert_eq!(parse(&text).unwrap().write().unwrap(), model.write().unwrap());
            let game = if dialect == Dialect::WowAlpha { "wow-" } else { "" };
            check(&format!("{game}{version}.mdl"), &text);
        }
    }
}

#[test]
fn the_other_dialects_are_as_committed() {
    for (dialect, word) in [(Spelling::Hive, "hive"), (Spelling::Retera, "retera")] {
        for version in [800, 1000, 1100] {
            let (text, _) =
                print(&model(Dialect::Warcraft3, version), &PrintOptions { dialect, plain: true });
            check(&format!("{word}-{version}.mdl"), &text);
        }
    }
}
