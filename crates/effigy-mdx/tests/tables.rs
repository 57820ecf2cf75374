//! Values and their bytes side by side, run in both directions. The bytes were written by hand from the format's
//! description, not by the code under test.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use effigy_mdx::*;
use effigy_wire::{Buffer, Cursor, FixedStr, Tag, Wire};
use std::fmt::Debug;

const WC3: Dialect = Dialect::Warcraft3;
const WOW: Dialect = Dialect::WowAlpha;

/// Bytes, put together by hand.
#[derive(Clone, Default)]
struct Bytes(Vec<u8>);

fn b() -> Bytes {
    Bytes::default()
}

impl Bytes {
    fn raw(mut self, bytes: &[u8]) -> Self {
        self.0.extend_from_slice(bytes);
        self
    }
    fn u8(self, value: u8) -> Self {
        self.raw(&[value])
    }
    fn u16(self, value: u16) -> Self {
        self.raw(&value.to_le_bytes())
    }
    fn u32(self, value: u32) -> Self {
        self.raw(&value.to_le_bytes())
    }
    fn i32(self, value: i32) -> Self {
        self.raw(&value.to_le_bytes())
    }
    fn f(self, values: &[f32]) -> Self {
        values.iter().fold(self, |bytes, value| bytes.raw(&value.to_le_bytes()))
    }
    fn s(self, text: &str, size: usize) -> Self {
        let padding = vec![0; size - text.len()];
        self.raw(text.as_bytes()).raw(&padding)
    }
    fn then(self, other: Bytes) -> Self {
        self.raw(&other.0)
    }
    /// With its own size in front.
    fn sized(self) -> Self {
        let size = u32::try_from(self.0.len() + 4).unwrap();
        b().u32(size).then(self)
    }
}

#[track_caller]
fn both<T: Wire<Caps> + PartialEq + Debug>(dialect: Dialect, version: u32, value: &T, bytes: &Bytes) {
    let caps = dialect.caps(version);
    let mut buffer = Buffer::default();
    value.write(&mut buffer, caps);
    let written = buffer.into_bytes().unwrap();
    assert_eq!(written, bytes.0, "written at {dialect} {version}");
    let mut cursor = Cursor::new(&bytes.0);
    assert_eq!(T::read(&mut cursor, caps).unwrap(), *value, "read at {dialect} {version}");
    cursor.finish().unwrap();
    for length in 0..bytes.0.len() {
        // A record cut short is an error, unless what is missing may be missing.
        let _ = T::read(&mut Cursor::new(&bytes.0[..length]), caps);
    }
}

fn text<const N: usize>(text: &str) -> FixedStr<N> {
    FixedStr::new(text).unwrap()
}

fn extent() -> (Extent, Bytes) {
    let extent = Extent { radius: 9.5, min: [-1.0, -2.0, -3.0], max: [1.0, 2.0, 3.0] };
    (extent, b().f(&[9.5, -1.0, -2.0, -3.0, 1.0, 2.0, 3.0]))
}

fn alpha_track() -> (Track, Bytes) {
    let keys = [Key::new(100, 1.0_f32), Key::new(200, 0.25)];
    let track = Track::new(track::tags::KMTA, Interpolation::LINEAR, &keys).unwrap();
    (track, b().raw(b"KMTA").u32(2).u32(1).i32(-1).i32(100).f(&[1.0]).i32(200).f(&[0.25]))
}

fn node() -> (Node, Bytes) {
    let keys = [Key { time: 5, value: [1.0_f32, 2.0, 3.0], tangents: Some([[4.0; 3], [5.0; 3]]) }];
    let moved = Track::new(track::tags::KGTR, Interpolation::HERMITE, &keys).unwrap().on_global_sequence(7);
    let node = Node {
        name: text("Bone_Root"),
        object_id: 3,
        parent: 2,
        flags: NodeFlags::BONE | NodeFlags::BILLBOARDED,
        tracks: [moved].into_iter().collect(),
    };
    let track = b().raw(b"KGTR").u32(1).u32(2).i32(7).i32(5).f(&[1.0, 2.0, 3.0]).f(&[4.0; 3]).f(&[5.0; 3]);
    (node, b().s("Bone_Root", 80).i32(3).i32(2).u32(0x108).then(track).sized())
}

#[test]
fn model_info_ends_with_a_blend_time_or_with_flags_and_a_node_count() {
    let (extent, extent_bytes) = extent();
    let info =
        ModelInfo { name: text("Knight"), animation_file: text("a.mdx"), extent, ..Default::default() };
    let head = b().s("Knight", 80).s("a.mdx", 260).then(extent_bytes);
    let bytes = head.clone().u32(210);
    both(WC3, 800, &ModelInfo { blend_time: 210, ..info.clone() }, &bytes);
    assert_eq!(bytes.0.len(), 372);
    // The last five bytes of an original file.
    let bytes = head.raw(&[0x01, 0x39, 0x00, 0x00, 0x00]);
    both(WOW, 1300, &ModelInfo { flags: 1, node_count: 57, ..info }, &bytes);
    assert_eq!(bytes.0.len(), 373);
}

#[test]
fn sequences_have_132_or_140_bytes() {
    let (extent, extent_bytes) = extent();
    let sequence = Sequence {
        name: text("Attack - 1"),
        interval: [333, 1667],
        move_speed: 270.0,
        flags: SequenceFlags::NON_LOOPING,
        extent,
        ..Default::default()
    };
    let head = b().s("Attack - 1", 80).u32(333).u32(1667).f(&[270.0]).u32(1);
    let wc3 = Sequence { rarity: 0.5, sync_point: 6, ..sequence.clone() };
    let bytes = head.clone().f(&[0.5]).u32(6).then(extent_bytes.clone());
    assert_eq!(bytes.0.len(), 132);
    both(WC3, 1800, &wc3, &bytes);
    let wow = Sequence { frequency: 0.75, replay: [1, 3], blend_time: 150, ..sequence };
    let bytes = head.then(extent_bytes).f(&[0.75]).u32(1).u32(3).u32(150);
    assert_eq!(bytes.0.len(), 140);
    both(WOW, 1400, &wow, &bytes);
}

#[test]
fn textures_have_the_same_layout_in_all_versions() {
    let texture = Texture { replaceable: 1, path: text("a\\b.blp"), flags: TextureFlags::WRAP_HEIGHT };
    let bytes = b().u32(1).s("a\\b.blp", 260).u32(2);
    both(WC3, 800, &texture, &bytes);
    both(WC3, 1800, &texture, &bytes);
    both(WOW, 1300, &texture, &bytes);
}

fn layer() -> (Layer, Bytes) {
    let layer = Layer {
        filter_mode: FilterMode::ADDITIVE,
        flags: LayerFlags::UNSHADED | LayerFlags::from_bits_retain(0x4000),
        texture: 4,
        texture_animation: 2,
        coordinates: 1,
        alpha: 0.5,
        tracks: [alpha_track().0].into_iter().collect(),
        ..Default::default()
    };
    (layer, b().u32(3).u32(0x4001).i32(4).i32(2).i32(1).f(&[0.5]))
}

#[test]
fn layers_grow_with_every_version() {
    let (layer, head) = layer();
    let tracks = alpha_track().1;
    both(WC3, 800, &layer, &head.clone().then(tracks.clone()).sized());
    both(WOW, 1400, &layer, &head.clone().then(tracks.clone()).sized());
    let layer = Layer { emissive_gain: 2.0, ..layer };
    let head = head.f(&[2.0]);
    both(WC3, 900, &layer, &head.clone().then(tracks.clone()).sized());
    let layer =
        Layer { fresnel_color: [0.1, 0.2, 0.3], fresnel_opacity: 0.4, fresnel_team_color: 0.5, ..layer };
    let head = head.f(&[0.1, 0.2, 0.3, 0.4, 0.5]);
    both(WC3, 1000, &layer, &head.clone().then(tracks.clone()).sized());
    let flip = Track::new(track::tags::KMTF, Interpolation::STEP, &[Key::new(10, 3_u32)]).unwrap();
    let slots = vec![
        TextureSlot { texture: 1, slot: 0, track: None },
        TextureSlot { texture: -1, slot: 5, track: Some(flip) },
    ];
    let layer = Layer { shader: ShaderKind::HD, slots, ..layer };
    let flip = b().raw(b"KMTF").u32(1).u32(0).i32(-1).i32(10).u32(3);
    let head = head.u32(1).u32(2).i32(1).u32(0).i32(-1).u32(5).then(flip);
    for version in [1100, 1200, 1400, 1800] {
        both(WC3, version, &layer, &head.clone().then(tracks.clone()).sized());
    }
}

#[test]
fn materials_mark_their_layers_only_in_warcraft() {
    let (layer, head) = layer();
    let layer_bytes = head.then(alpha_track().1).sized();
    let material = Material { priority_plane: -2, layers: vec![layer.clone(), layer], ..Default::default() };
    let two = layer_bytes.clone().then(layer_bytes);
    both(WOW, 1300, &material, &b().i32(-2).u32(2).then(two.clone()).sized());
    let material = Material { flags: MaterialFlags::SORT_FAR_Z, ..material };
    both(WC3, 800, &material, &b().i32(-2).u32(0x10).raw(b"LAYS").u32(2).then(two).sized());
    let empty = Material { shader: text("Shader_HD_DefaultUnit"), ..Default::default() };
    let bytes = b().i32(0).u32(0).s("Shader_HD_DefaultUnit", 80).raw(b"LAYS").u32(0).sized();
    both(WC3, 1000, &empty, &bytes);
    both(WC3, 1100, &Material::default(), &b().i32(0).u32(0).raw(b"LAYS").u32(0).sized());
}

#[test]
fn geoset_animations_order_their_fields_by_dialect() {
    let keys = [Key::new(0, [0.1_f32, 0.2, 0.3])];
    let tint = Track::new(track::tags::KGAC, Interpolation::STEP, &keys).unwrap();
    let animation = GeosetAnimation {
        geoset: 6,
        alpha: 0.5,
        flags: GeosetAnimationFlags::COLOR,
        color: [0.7, 0.8, 0.9],
        tracks: [tint].into_iter().collect(),
    };
    let track = b().raw(b"KGAC").u32(1).u32(0).i32(-1).i32(0).f(&[0.1, 0.2, 0.3]);
    both(WC3, 800, &animation, &b().f(&[0.5]).u32(2).f(&[0.7, 0.8, 0.9]).i32(6).then(track.clone()).sized());
    both(WOW, 1300, &animation, &b().i32(6).f(&[0.5]).f(&[0.7, 0.8, 0.9]).u32(2).then(track).sized());
}

#[test]
fn bones_follow_their_node_and_helpers_are_nodes() {
    let (node, bytes) = node();
    let bone = Bone { node: node.clone(), geoset: 1, geoset_animation: -1 };
    both(WC3, 800, &bone, &bytes.clone().i32(1).i32(-1));
    both(WOW, 1300, &bone, &bytes.clone().i32(1).i32(-1));
    both(WC3, 800, &Helper { node }, &bytes);
}

#[test]
fn lights_gain_fields_at_1200_1300_and_1600() {
    let (node, node_bytes) = node();
    let light = Light {
        node,
        kind: LightKind(512),
        attenuation_start: 80.0,
        attenuation_end: 200.0,
        color: [1.0, 0.5, 0.25],
        intensity: 3.0,
        ambient_color: [0.1, 0.2, 0.3],
        ambient_intensity: 0.5,
        ..Default::default()
    };
    let body = b().f(&[80.0, 200.0, 1.0, 0.5, 0.25, 3.0, 0.1, 0.2, 0.3, 0.5]);
    both(WC3, 800, &light, &node_bytes.clone().u32(512).then(body.clone()).sized());
    both(WOW, 1300, &light, &node_bytes.clone().u32(512).then(body.clone()).sized());
    let light = Light { shadow_intensity: 0.7, ..light };
    both(WC3, 1200, &light, &node_bytes.clone().u32(512).then(body.clone()).f(&[0.7]).sized());
    let light = Light { shadow_casting: 1, shadow_range: [10.0, 20.0], ..light };
    let head = node_bytes.u32(512).u32(1).then(body).f(&[0.7, 10.0, 20.0]);
    both(WC3, 1300, &light, &head.clone().sized());
    both(WC3, 1400, &light, &head.clone().sized());
    let light = Light { quadratic_falloff: 0.1, linear_falloff: 0.2, damping: 0.3, ..light };
    both(WC3, 1600, &light, &head.f(&[0.1, 0.2, 0.3]).sized());
}

#[test]
fn attachments_order_id_and_path_by_dialect() {
    let (node, bytes) = node();
    let attachment = Attachment { node, id: 11, path: text("x.mdx"), ..Default::default() };
    both(WC3, 800, &attachment, &bytes.clone().s("x.mdx", 260).u32(11).sized());
    let attachment = Attachment { padding: 1, ..attachment };
    both(WOW, 1300, &attachment, &bytes.u32(11).u8(1).s("x.mdx", 260).sized());
}

#[test]
fn emitters_have_their_documented_layouts() {
    let (node, bytes) = node();
    let emitter = ParticleEmitter {
        node: node.clone(),
        emission_rate: 1.0,
        gravity: 2.0,
        longitude: 3.0,
        latitude: 4.0,
        path: text("p.mdl"),
        life_span: 5.0,
        speed: 6.0,
        ..Default::default()
    };
    both(WC3, 800, &emitter, &bytes.clone().f(&[1.0, 2.0, 3.0, 4.0]).s("p.mdl", 260).f(&[5.0, 6.0]).sized());
    let corn = PopcornEmitter {
        node: node.clone(),
        life_span: 1.0,
        emission_rate: 2.0,
        speed: 3.0,
        color: [4.0, 5.0, 6.0],
        alpha: 7.0,
        replaceable: 8,
        path: text("c.pkfx"),
        visibility_guide: text("Always=on"),
        ..Default::default()
    };
    let body = b().f(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]).u32(8).s("c.pkfx", 260).s("Always=on", 260);
    both(WC3, 1000, &corn, &bytes.clone().then(body).sized());
    let ribbon = RibbonEmitter {
        node,
        height_above: 1.0,
        height_below: 2.0,
        alpha: 3.0,
        color: [4.0, 5.0, 6.0],
        life_span: 7.0,
        texture_slot: 8,
        emission_rate: 9,
        rows: 10,
        columns: 11,
        material: 12,
        gravity: 13.0,
        ..Default::default()
    };
    let body = b().f(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]).u32(8).u32(9).u32(10).u32(11).u32(12).f(&[13.0]);
    assert_eq!(body.0.len(), 52);
    both(WC3, 800, &ribbon, &bytes.clone().then(body.clone()).sized());
    both(WOW, 1300, &ribbon, &bytes.u32(56).then(body).sized());
}

#[test]
fn particle_emitters_2_have_171_bytes_in_warcraft_and_many_more_in_wow_alpha() {
    let (node, node_bytes) = node();
    let emitter = ParticleEmitter2 {
        node,
        speed: 1.0,
        variation: 2.0,
        latitude: 3.0,
        gravity: 4.0,
        life_span: 5.0,
        emission_rate: 6.0,
        length: 7.0,
        width: 8.0,
        filter_mode: ParticleFilter::ALPHA_KEY,
        rows: 2,
        columns: 3,
        head_or_tail: 2,
        tail_length: 9.0,
        time_middle: 0.5,
        segment_colors: [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9],
        segment_alphas: [255, 128, 0],
        segment_scales: [10.0, 11.0, 12.0],
        head_life: [1, 2, 3],
        head_decay: [4, 5, 6],
        tail_life: [7, 8, 9],
        tail_decay: [10, 11, 12],
        texture: 1,
        squirt: 1,
        priority_plane: -3,
        replaceable: 2,
        ..Default::default()
    };
    let cells = |bytes: Bytes| (1..=12).fold(bytes, Bytes::u32);
    let segments = b()
        .f(&[9.0, 0.5, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9])
        .u8(255)
        .u8(128)
        .u8(0)
        .f(&[10.0, 11.0, 12.0]);
    let body =
        b().f(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]).u32(4).u32(2).u32(3).u32(2).then(segments.clone());
    let body = cells(body).i32(1).u32(1).i32(-3).u32(2);
    assert_eq!(body.0.len(), 171);
    both(WC3, 800, &emitter, &node_bytes.clone().then(body).sized());

    let emitter = ParticleEmitter2 {
        content_size: 99,
        emitter_type: 3,
        longitude: 20.0,
        z_source: 21.0,
        geometry_model: text("g.mdx"),
        recursion_model: text("r.mdx"),
        twinkle_fps: 22.0,
        twinkle_on_off: 1.0,
        twinkle_scale: [23.0, 24.0],
        instant_velocity_scale: 25.0,
        tumble: [26.0, 27.0, 28.0, 29.0, 30.0, 31.0],
        drag: 32.0,
        spin: 33.0,
        wind: [34.0, 35.0, 36.0],
        wind_time: 37.0,
        follow: [38.0, 39.0, 40.0, 41.0],
        spline: vec![[42.0, 43.0, 44.0]],
        ..emitter
    };
    let body =
        b().u32(99).u32(3).f(&[1.0, 2.0, 3.0, 20.0, 4.0, 21.0, 5.0, 6.0, 7.0, 8.0]).u32(2).u32(3).u32(2);
    let body = cells(body.then(segments)).u32(4).i32(1).i32(-3).u32(2).s("g.mdx", 260).s("r.mdx", 260);
    let tail: Vec<f32> = [22.0, 1.0].into_iter().chain((23..=41_u8).map(f32::from)).collect();
    let body = body.f(&tail).u32(1).f(&[42.0, 43.0, 44.0]).u32(1);
    both(WOW, 1300, &emitter, &node_bytes.then(body).sized());
}

#[test]
fn cameras_keep_their_variant_in_the_size() {
    let camera = Camera {
        name: text("Portrait"),
        position: [1.0, 2.0, 3.0],
        field_of_view: 0.75,
        far_clip: 1000.0,
        near_clip: 8.0,
        target: [4.0, 5.0, 6.0],
        ..Default::default()
    };
    let head = b().s("Portrait", 80).f(&[1.0, 2.0, 3.0, 0.75, 1000.0, 8.0]);
    let plain = head.clone().f(&[4.0, 5.0, 6.0]);
    both(WC3, 800, &camera, &b().u32(120).then(plain.clone()));
    both(WOW, 1300, &camera, &b().u32(120).then(plain.clone()));
    both(WC3, 1200, &Camera { variant: 3, ..camera.clone() }, &b().u32(120 | 3 << 24).then(plain));
    let variant = Camera { variant: 2, unknown_variant_data: [7, 8, 9], ..camera };
    let bytes = b().u32(132 | 2 << 24).then(head).u32(7).u32(8).u32(9).f(&[4.0, 5.0, 6.0]);
    both(WC3, 1200, &variant, &bytes);
}

#[test]
fn events_have_an_outer_size_only_in_wow_alpha() {
    let (node, bytes) = node();
    let event = EventObject { node, track: Some(EventTrack { global_sequence: -1, times: vec![100, 200] }) };
    let body = bytes.clone().raw(b"KEVT").u32(2).i32(-1).i32(100).i32(200);
    both(WC3, 800, &event, &body);
    both(WOW, 1300, &event, &body.sized());
    both(WC3, 800, &EventObject { track: None, ..event }, &bytes);
}

#[test]
fn the_layout_of_a_shape_is_found_from_what_follows() {
    let (node, bytes) = node();
    let shapes = [
        (Shape::Box { min: [1.0, 2.0, 3.0], max: [4.0, 5.0, 6.0] }, 0, vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
        (
            Shape::Cylinder { base: [1.0, 2.0, 3.0], height: 4.0, radius: 5.0 },
            1,
            vec![1.0, 2.0, 3.0, 4.0, 5.0],
        ),
        (Shape::Sphere { center: [1.0, 2.0, 3.0], radius: 4.0 }, 2, vec![1.0, 2.0, 3.0, 4.0]),
        (Shape::Plane { length: 100.0, width: 80.0 }, 3, vec![100.0, 80.0]),
    ];
    for (shape, number, values) in shapes {
        both(WC3, 800, &CollisionShape { node: node.clone(), shape }, &bytes.clone().u32(number).f(&values));
        let number = u8::try_from(number).unwrap();
        both(
            WOW,
            1300,
            &HitTestShape { node: node.clone(), shape },
            &bytes.clone().u8(number).f(&values).sized(),
        );
    }
    // What tools write: also told apart when another node follows.
    let points = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
    let plane = Shape::TwoPointPlane(points);
    let cylinder = Shape::TwoPointCylinder { points, radius: 7.0 };
    let flat = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    both(WC3, 800, &CollisionShape { node: node.clone(), shape: plane }, &bytes.clone().u32(1).f(&flat));
    both(
        WC3,
        800,
        &CollisionShape { node: node.clone(), shape: cylinder },
        &bytes.clone().u32(3).f(&flat).f(&[7.0]),
    );
    let list = bytes.clone().u32(3).f(&flat).f(&[7.0]).then(bytes.clone()).u32(3).f(&[100.0, 80.0]);
    let mut cursor = Cursor::new(&list.0);
    let caps = WC3.caps(800);
    assert_eq!(CollisionShape::read(&mut cursor, caps).unwrap().shape, cylinder);
    let plane = Shape::Plane { length: 100.0, width: 80.0 };
    assert_eq!(CollisionShape::read(&mut cursor, caps).unwrap(), CollisionShape { node, shape: plane });
}

#[test]
fn wow_alpha_packs_rotations_and_drops_tangents_of_indices() {
    let keys = [Key {
        time: 4,
        value: [0.5_f32, 0.0, 0.0, 0.866_025_4],
        tangents: Some([[0.0, 0.0, 0.5, 0.866_025_4]; 2]),
    }];
    let turned = Track::new(track::tags::KGRT, Interpolation::BEZIER, &keys).unwrap();
    let head = b().raw(b"KGRT").u32(1).u32(3).i32(-1).i32(4);
    let packed = |value: u64, bytes: Bytes| bytes.raw(&value.to_le_bytes());
    let bytes = packed(1 << 19, packed(1 << 19, packed(1 << 62, head.clone())));
    both(WOW, 1300, &turned, &bytes);
    both(
        WC3,
        800,
        &turned,
        &head.f(&[0.5, 0.0, 0.0, 0.866_025_4]).f(&[0.0, 0.0, 0.5, 0.866_025_4].repeat(2)),
    );
    let flip = Track::new(track::tags::KMTF, Interpolation::HERMITE, &[Key::new(1, 9_u32)]).unwrap();
    let head = b().raw(b"KMTF").u32(1).u32(2).i32(-1).i32(1).u32(9);
    both(WOW, 1300, &flip, &head);
    both(WC3, 800, &flip, &head.u32(9).u32(9));
}

fn geoset() -> (Geoset, Bytes) {
    let (extent, extent_bytes) = extent();
    let geoset = Geoset {
        vertices: vec![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]],
        normals: vec![[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]],
        uv_sets: vec![vec![[0.25, 0.5], [0.75, 1.0]]],
        primitive_types: vec![4],
        primitive_counts: vec![3],
        indices: vec![0, 1, 1],
        vertex_groups: vec![0, 1],
        group_sizes: vec![1, 2],
        group_nodes: vec![0, 0, 1],
        material: 5,
        selection_group: 6,
        selection_flags: 4,
        extent: extent.clone(),
        sequence_extents: vec![extent],
        ..Default::default()
    };
    (geoset, extent_bytes)
}

fn sections(bytes: Bytes) -> Bytes {
    (bytes.raw(b"PCNT").u32(1).u32(3).raw(b"PVTX").u32(3).u16(0).u16(1).u16(1))
        .raw(b"GNDX")
        .u32(2)
        .u8(0)
        .u8(1)
        .raw(b"MTGC")
        .u32(2)
        .u32(1)
        .u32(2)
        .raw(b"MATS")
        .u32(3)
        .u32(0)
        .u32(0)
        .u32(1)
}

fn positions() -> Bytes {
    (b().raw(b"VRTX").u32(2).f(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]))
        .raw(b"NRMS")
        .u32(2)
        .f(&[0.0, 0.0, 1.0, 1.0, 0.0, 0.0])
}

#[test]
fn geosets_of_warcraft_end_with_skin_and_coordinates() {
    let (geoset, extent) = geoset();
    let head = sections(positions().raw(b"PTYP").u32(1).u32(4)).u32(5).u32(6).u32(4);
    let bounds = extent.clone().u32(1).then(extent);
    let uvs = b().raw(b"UVAS").u32(1).raw(b"UVBS").u32(2).f(&[0.25, 0.5, 0.75, 1.0]);
    both(WC3, 800, &geoset, &head.clone().then(bounds.clone()).then(uvs.clone()).sized());
    let named = Geoset {
        lod: -1,
        name: text("mesh"),
        tangents: Some(vec![[1.0, 0.0, 0.0, -1.0]; 2]),
        skin: Some(Skin::Narrow(vec![[1, 2, 3, 4, 255, 0, 0, 0]; 2])),
        ..geoset.clone()
    };
    let head = head.i32(-1).s("mesh", 80).then(bounds);
    let tangents = b().raw(b"TANG").u32(2).f(&[1.0, 0.0, 0.0, -1.0].repeat(2));
    let skin = b().raw(b"SKIN").u32(16).raw(&[1, 2, 3, 4, 255, 0, 0, 0].repeat(2));
    both(WC3, 1000, &named, &head.clone().then(tangents.clone()).then(skin).then(uvs.clone()).sized());
    let wide = Geoset { skin: Some(Skin::Wide(vec![[300, 2, 3, 4, 255, 0, 0, 0]; 2])), ..named };
    let row = |bytes: Bytes| [300, 2, 3, 4, 255, 0, 0, 0].into_iter().fold(bytes, Bytes::u16);
    let skin = row(row(b().raw(b"SKIN").u32(16)));
    both(WC3, 1400, &wide, &head.then(tangents).then(skin).then(uvs).sized());
}

#[test]
fn geosets_of_wow_alpha_have_coordinates_first_and_bones_last() {
    let (geoset, extent) = geoset();
    let geoset = Geoset {
        uv_sets: vec![vec![[0.25, 0.5], [0.75, 1.0]], vec![[0.0, 0.125], [1.0, 2.0]]],
        bone_indices: vec![[0, 1, 0, 0], [1, 0, 0, 0]],
        bone_weights: vec![[128, 127, 0, 0], [255, 0, 0, 0]],
        ..geoset
    };
    let uvs = b().raw(b"UVAS").u32(2).f(&[0.25, 0.5, 0.75, 1.0, 0.0, 0.125, 1.0, 2.0]);
    let head = sections(positions().then(uvs).raw(b"PTYP").u32(1).u8(4));
    let bones = b().raw(b"BIDX").u32(2).raw(&[0, 1, 0, 0, 1, 0, 0, 0]);
    let bones = bones.raw(b"BWGT").u32(2).raw(&[128, 127, 0, 0, 255, 0, 0, 0]);
    let tail = b().u32(5).u32(6).u32(4).then(extent.clone()).u32(1).then(extent);
    both(WOW, 1300, &geoset, &head.then(bones).then(tail).sized());
}

#[test]
fn collision_meshes_have_three_sections() {
    let mesh = CollisionMesh {
        vertices: vec![[1.0, 2.0, 3.0]],
        indices: vec![0, 0, 0],
        normals: vec![[0.0, 0.0, 1.0]],
    };
    let bytes = b().raw(b"VRTX").u32(1).f(&[1.0, 2.0, 3.0]).raw(b"TRI ").u32(3).u16(0).u16(0).u16(0);
    both(WOW, 1300, &mesh, &bytes.raw(b"NRMS").u32(1).f(&[0.0, 0.0, 1.0]));
}

/// A whole WoW alpha file put together by hand: counts, the second words of `MTLS` and `ATCH`, batches of 1500.
#[test]
fn a_wow_alpha_file_has_the_values_it_was_built_from() {
    let chunk = |tag: &[u8; 4], payload: Bytes| {
        b().raw(tag).u32(u32::try_from(payload.0.len()).unwrap()).then(payload)
    };
    let (layer, layer_head) = layer();
    let layer_bytes = layer_head.then(alpha_track().1).sized();
    let (node, node_bytes) = node();
    let vertex =
        b().f(&[1.0, 2.0, 3.0]).raw(&[255, 0, 0, 0, 7, 0, 0, 0]).f(&[0.0, 0.0, 1.0, 0.5, 0.25, 0.0, 0.0]);
    assert_eq!(vertex.0.len(), 48);
    let header = (b().u32(1).f(&[0.0, 0.0, 0.0, 9.0]).u32(2).u32(0).u32(1).raw(b"PVTX").u32(1))
        .raw(b"PTYP")
        .u32(1)
        .raw(b"PVTX")
        .u32(3)
        .u32(0)
        .u32(0);
    let batch = vertex.u32(3).u32(0).u16(3).u16(0).u16(0).u16(0).raw(&[0; 6]).raw(&[0; 10]);
    let modl = b().s("Wolf", 80).s("", 260).f(&[0.0; 7]).u32(150).u8(0);
    let file = b()
        .raw(b"MDLX")
        .then(chunk(b"VERS", b().u32(1500)))
        .then(chunk(b"MODL", modl))
        .then(chunk(b"MTLS", b().u32(1).u32(1).then(b().i32(0).u32(1).then(layer_bytes).sized())))
        .then(chunk(b"GEOS", b().u32(1).then(header).then(batch)))
        .then(chunk(b"ATCH", b().u32(1).u32(11).then(node_bytes.u32(11).u8(0).s("", 260).sized())));
    let model = read(&file.0).unwrap();
    assert_eq!((model.dialect(), model.version()), (WOW, 1500));
    assert!(model.diagnostics().is_empty(), "{:?}", model.diagnostics());
    assert_eq!(model.materials[0].layers, [layer]);
    assert_eq!(model.attachments[0].node, node);
    let geoset = &model.batched_geosets[0];
    assert_eq!(geoset.vertices[0].bones, [7, 0, 0, 0]);
    assert_eq!((geoset.header.radius, geoset.batch.indices.list.as_slice()), (9.0, [0_u16, 0, 0].as_slice()));
    assert_eq!(model.verify(&file.0).status, effigy_wire::Status::Identical);
    assert_eq!(model.chunk_tags().last(), Some(Tag(*b"ATCH")));
}
