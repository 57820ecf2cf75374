//! Emitters, lights, cameras, ribbons and vertices of M2 in the scene, against values written by hand.

use effigy_convert::m2;
use effigy_m2::{
    Attachment, Batch, Block, Bone, Camera, Event, LifeTrack, Light, Material, MaterialFlags, Model, Moments,
    Particle, ParticleFlags, Ribbon, ScalarKey, Sequence, SequenceFlags, Series, Submesh, Texture, Track,
    VectorKey, Version, Vertex, View,
};
use effigy_scene::{
    Animated, Blend, Cells, EmitterShape, Extra, Id, Interpolation, LightKind, NodeKind, RibbonGravity, Scene,
};
use effigy_wire::Tag;

/// Two sequences and two bones.
fn vanilla() -> Model {
    let mut model = Model::new(Version::VANILLA);
    let sequence = |id, variation, start, flags| Sequence {
        id,
        variation,
        start,
        end: start + 1000,
        move_speed: 2.5,
        flags: SequenceFlags::from_bits_retain(flags),
        ..Sequence::default()
    };
    model.sequences = vec![sequence(0, 0, 100, 0), sequence(5, 2, 2000, 1)].into();
    model.global_sequences = vec![800].into();
    let bone = |pivot| Bone { parent: -1, pivot, ..Bone::default() };
    model.bones = vec![bone([1.0, 2.0, 3.0]), bone([4.0, 5.0, 6.0])].into();
    model
}

/// One key without a range: a constant.
fn fixed<T: Clone>(value: T) -> Track<T> {
    Track {
        interpolation: 0,
        global_sequence: -1,
        ranges: Block::default(),
        times: Series::flat(vec![0]),
        values: Series::flat(vec![value]),
    }
}

fn keys<T: Clone>(interpolation: i16, values: Vec<T>) -> Track<T> {
    let times = (0..values.len()).map(|key| 100 + 500 * u32::try_from(key).unwrap()).collect();
    let last = u32::try_from(values.len() - 1).unwrap();
    let ranges = vec![[0, last], [0, last]].into();
    Track {
        interpolation,
        global_sequence: -1,
        ranges,
        times: Series::flat(times),
        values: Series::flat(values),
    }
}

fn lowered(model: &Model) -> Scene {
    m2::lower(model).scene
}

#[test]
fn sequences_are_named_by_number_and_variation() {
    let scene = lowered(&vanilla());
    let list: Vec<_> = scene
        .sequences
        .as_slice()
        .iter()
        .map(|it| (it.name.as_str(), it.start, it.end, it.looping, it.move_speed))
        .collect();
    assert_eq!(list, [("Stand", 100, 1100, true, 2.5), ("Run 2", 2000, 3000, false, 2.5)]);
    let extras = &scene.sequences.as_slice()[1].extras;
    assert_eq!((extras.get("id"), extras.get("variation")), (Some(&Extra::Int(5)), Some(&Extra::Int(2))));
}

#[test]
fn packed_rotations_have_length_one_unless_they_are_nothing() {
    let mut model = Model::new(Version::BURNING_CRUSADE);
    model.sequences = vec![Sequence { end: 1000, ..Sequence::default() }].into();
    // Three and four parts of 8,192 beside the middle of 32,767.5: a length of 1.25, and nearly none.
    let long = [32768 + 3 * 8192, 32768, 32768, 65535];
    let none = [32768; 4];
    let bone = Bone { parent: -1, packed_rotation: keys(1, vec![long, none]), ..Bone::default() };
    model.bones = vec![bone].into();
    let scene = lowered(&model);
    let track = scene.nodes.as_slice()[0].rotation.track.clone().unwrap();
    let near = |found: [f32; 4], expected: [f32; 4]| {
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-4), "{found:?}, not {expected:?}");
    };
    near(track.values[0].0, [0.6, 0.0, 0.0, 0.8]);
    near(track.values[1].0, [0.0; 4]);
    assert!((track.values[0].0.iter().map(|it| it * it).sum::<f32>() - 1.0).abs() < 1e-6);
}

fn particle() -> Particle {
    Particle {
        position: [7.0, 8.0, 9.0],
        bone: 1,
        texture: 3,
        blend: 4,
        kind: 2,
        head_or_tail: 2,
        priority_plane: -1,
        rows: 0,
        columns: 4,
        speed: fixed(1.0),
        speed_variation: fixed(2.0),
        vertical_range: fixed(3.0),
        horizontal_range: fixed(4.0),
        gravity: fixed(5.0),
        lifespan: fixed(6.0),
        rate: fixed(7.0),
        length: fixed(8.0),
        width: fixed(9.0),
        z_source: fixed(10.0),
        middle: 0.25,
        // Blue, green, red, alpha.
        colors: [0, 51, 255, 102, 51, 0, 0, 255, 255, 255, 255, 0],
        scales: [1.0, 2.0, 3.0],
        cells: effigy_m2::Cells {
            head_life: [1, 2, 3],
            head_decay: [4, 5, 6],
            tail_life: [7, 8],
            tail_decay: [9, 10],
        },
        tail_length: 0.5,
        drag: 0.75,
        spin: 1.5,
        enabled: keys(0, vec![1, 0]),
        ..Particle::default()
    }
}

fn emitter(version: Version, change: impl Fn(&mut Particle)) -> effigy_scene::ParticleEmitter {
    let mut model = vanilla();
    if version != Version::VANILLA {
        model = Model::new(version);
        model.bones = vanilla().bones.clone();
    }
    let mut source = particle();
    change(&mut source);
    model.particles = vec![source].into();
    model.textures = vec![effigy_m2::Texture::default(); 4].into();
    lowered(&model).emitters.as_slice()[0].clone()
}

#[test]
fn particle_emitters_have_every_value_in_its_place() {
    let it = emitter(Version::VANILLA, |_| {});
    assert_eq!((it.node.index(), it.position, &it.shape), (1, [7.0, 8.0, 9.0], &EmitterShape::Sphere));
    let found = [
        &it.speed,
        &it.variation,
        &it.latitude,
        &it.longitude,
        &it.gravity,
        &it.lifespan,
        &it.rate,
        &it.length,
        &it.width,
        &it.z_source,
    ];
    for (number, value) in (1_u8..).zip(found) {
        assert_eq!(*value, Animated::fixed(f32::from(number)));
    }
    let track = it.visibility.track.as_ref().unwrap();
    assert_eq!((&track.values[..], track.interpolation), (&[1.0, 0.0][..], Interpolation::Step));
    assert_eq!((it.blend, it.texture, it.cells), (Blend::AddAlpha, Some(Id::new(3)), [1, 4]));
    assert_eq!(
        (it.head, it.tail, it.tail_length, it.drag, it.spin, it.priority),
        (true, true, 0.5, 0.75, 1.5, -1)
    );
    let life = &it.over_life;
    assert_eq!(life.colors, [[1.0, 0.2, 0.0], [0.0, 0.0, 0.2], [1.0; 3]]);
    assert_eq!((life.alphas, life.sizes, life.middle), ([0.4, 1.0, 0.0], [1.0, 2.0, 3.0], 0.25));
    let cells = |start, end, repeat| Cells { start, end, repeat };
    assert_eq!(life.head, [cells(1, 2, 3), cells(4, 5, 6)]);
    assert_eq!(life.tail, [cells(7, 8, 1), cells(9, 10, 1)]);
}

#[test]
fn flags_shapes_and_heads_of_particles() {
    let flags = |bits: u32| emitter(Version::VANILLA, |it| it.flags = ParticleFlags::from_bits_retain(bits));
    for (bits, expected) in [
        (0, [false; 6]),
        (1, [true, false, false, false, false, false]),
        (8, [false, true, false, false, false, false]),
        (0x10, [false, false, true, false, false, false]),
        (0x400, [false, false, false, true, false, false]),
        (0x1000, [false, false, false, false, true, false]),
        (0x8000, [false, false, false, false, false, true]),
    ] {
        let it = flags(bits);
        let found = [it.unlit, it.unfogged, it.model_space, it.tail_grows, it.flat, it.squirt];
        assert_eq!(found, expected, "{bits:#x}");
    }
    assert_eq!(emitter(Version::VANILLA, |it| it.kind = 1).shape, EmitterShape::Plane);
    let spline = emitter(Version::VANILLA, |it| (it.kind, it.spline) = (3, vec![[1.0, 2.0, 3.0]].into()));
    assert_eq!(spline.shape, EmitterShape::Spline(vec![[1.0, 2.0, 3.0]]));
    for (number, expected) in [(0, (true, false)), (1, (false, true)), (2, (true, true))] {
        let it = emitter(Version::VANILLA, |it| it.head_or_tail = number);
        assert_eq!((it.head, it.tail), expected);
    }
    // From 264 on flags say what is shown, and without any it is the head.
    for (bits, expected) in
        [(0, (true, false)), (0x2_0000, (true, false)), (0x4_0000, (false, true)), (0x6_0000, (true, true))]
    {
        let it = emitter(Version::WRATH, |it| it.flags = ParticleFlags::from_bits_retain(bits));
        assert_eq!((it.head, it.tail), expected, "{bits:#x}");
    }
}

#[test]
fn values_over_life_are_reduced_to_three_keys() {
    let near = |found: &[f32], wanted: &[f32]| {
        let close = found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-3);
        assert!(found.len() == wanted.len() && close, "{found:?}, not {wanted:?}");
    };
    let life = |times: &[u16], colors: &[[f32; 3]], middle: f32, wanted: [[f32; 3]; 3], others: [f32; 2]| {
        let it = emitter(Version::WRATH, |it| {
            it.color_life = LifeTrack { times: times.to_vec().into(), values: colors.to_vec().into() };
            let times: Block<u16> = vec![0, 16384, 32767].into();
            it.alpha_life = LifeTrack { times: times.clone(), values: vec![32767, 0, 32767].into() };
            it.scale_life = LifeTrack { times, values: vec![[1.0, 9.0], [3.0, 9.0], [4.0, 9.0]].into() };
        });
        let life = it.over_life;
        near(life.colors.as_flattened(), wanted.as_flattened());
        // Alpha and size have other times.
        near(&life.alphas, &[1.0, others[0], 1.0]);
        near(&life.sizes, &[1.0, others[1], 4.0]);
        near(&[life.middle], &[middle]);
    };
    let [red, green, blue] = [[255.0, 0.0, 0.0], [0.0, 51.0, 0.0], [0.0, 0.0, 255.0]];
    let shown = [[1.0, 0.0, 0.0], [0.0, 0.2, 0.0], [0.0, 0.0, 1.0]];
    life(&[0, 8192, 32767], &[red, green, blue], 0.25, shown, [0.5, 2.0]);
    life(&[0, 4096, 8192, 16384, 32767], &[red, blue, green, red, blue], 0.25, shown, [0.5, 2.0]);
    // A middle at an end is none: that of the alpha is taken, half way between red and green.
    let half = [shown[0], [0.5, 0.1, 0.0], shown[2]];
    life(&[0, 32767, 32767], &[red, green, blue], 0.5, half, [0.0, 3.0]);
    // Without values: white, opaque, of size 0.
    let none = emitter(Version::WRATH, |_| {}).over_life;
    assert_eq!((none.colors, none.alphas, none.sizes, none.middle), ([[1.0; 3]; 3], [1.0; 3], [0.0; 3], 0.5));
}

#[test]
fn ribbons_have_a_material_of_their_own() {
    let mut model = vanilla();
    let material = |blend, flags| Material { flags: MaterialFlags::from_bits_retain(flags), blend };
    model.materials = vec![material(4, 0x10), material(1, 0)].into();
    model.textures = vec![effigy_m2::Texture::default(); 3].into();
    model.ribbons = vec![Ribbon {
        bone: 1,
        position: [7.0, 8.0, 9.0],
        textures: vec![2].into(),
        materials: vec![0, 1].into(),
        color: fixed([0.1, 0.2, 0.3]),
        alpha: fixed(16384),
        height_above: fixed(1.0),
        height_below: fixed(2.0),
        edges_per_second: 15.0,
        edge_lifetime: 0.5,
        gravity: 3.0,
        rows: 2,
        columns: 4,
        texture_slot: fixed(6),
        visible: fixed(1),
        ..Ribbon::default()
    }]
    .into();
    let scene = lowered(&model);
    let it = &scene.ribbons.as_slice()[0];
    assert_eq!((it.node.index(), it.position), (1, [7.0, 8.0, 9.0]));
    assert_eq!((it.above.base, it.below.base, it.color.base, it.slot.base), (1.0, 2.0, [0.1, 0.2, 0.3], 6));
    assert!((it.alpha.base - 16384.0 / 32767.0).abs() < 1e-6);
    assert_eq!((it.rate, it.lifespan, it.gravity, it.cells), (15.0, 0.5, 3.0, [2, 4]));
    assert_eq!(it.gravity_direction, RibbonGravity::Up);
    let made = scene.materials.get(it.material.unwrap()).unwrap();
    let layers: Vec<_> = made
        .layers
        .iter()
        .map(|it| (it.blend, it.no_depth_write, it.textures[0].texture.unwrap().index()))
        .collect();
    // The one texture serves both passes.
    assert_eq!(layers, [(Blend::AddAlpha, true, 2), (Blend::AlphaKey, false, 2)]);
    assert!(made.layers.iter().all(|it| it.unlit && it.two_sided));
}

#[test]
fn lights_cameras_attachments_and_events() {
    let mut model = vanilla();
    let light = |kind, bone| Light {
        kind,
        bone,
        position: [7.0, 8.0, 9.0],
        ambient_color: fixed([0.1, 0.2, 0.3]),
        ambient_intensity: fixed(1.0),
        diffuse_color: fixed([0.4, 0.5, 0.6]),
        diffuse_intensity: fixed(2.0),
        attenuation_start: fixed(3.0),
        attenuation_end: fixed(4.0),
        visible: fixed(1),
    };
    model.lights = vec![light(0, 1), light(1, -1)].into();
    let vector = |x: f32| VectorKey {
        value: [x, 0.0, 0.0],
        in_tangent: [x + 1.0, 0.0, 0.0],
        out_tangent: [x + 2.0, 0.0, 0.0],
    };
    let scalar = ScalarKey { value: 1.0, in_tangent: 2.0, out_tangent: 3.0 };
    let camera = |kind| Camera {
        kind,
        fov: 0.75,
        far_clip: 100.0,
        near_clip: 2.0,
        position_track: keys(3, vec![vector(10.0), vector(20.0)]),
        position: [1.0, 2.0, 3.0],
        target_track: keys(1, vec![vector(30.0), vector(40.0)]),
        target: [4.0, 5.0, 6.0],
        roll: keys(2, vec![scalar, scalar]),
        ..Camera::default()
    };
    model.cameras = vec![camera(0), camera(1), camera(-1)].into();
    let attachment = |id| Attachment { id, bone: 1, position: [1.0, 1.0, 1.0], ..Attachment::default() };
    model.attachments = vec![attachment(1), attachment(9999)].into();
    let moments = Moments { times: Series::flat(vec![300, 100]), ..Moments::default() };
    let event = Event { id: Tag(*b"$FL0"), data: 5, bone: 0, position: [2.0; 3], moments };
    model.events = vec![event].into();
    let scene = lowered(&model);
    let [sun, lamp] = scene.lights.as_slice() else { panic!() };
    assert_eq!((sun.kind, sun.node.index(), lamp.kind), (LightKind::Directional, 1, LightKind::Omni));
    assert_eq!((sun.ambient_color.base, sun.color.base), ([0.1, 0.2, 0.3], [0.4, 0.5, 0.6]));
    let numbers = [&sun.ambient_intensity, &sun.intensity, &sun.attenuation_start, &sun.attenuation_end];
    assert_eq!(numbers.map(|it| it.base), [1.0, 2.0, 3.0, 4.0]);
    // What follows no bone follows a node that never moves, after all bones.
    assert_eq!(lamp.node.index(), 2);
    assert_eq!((scene.nodes.len(), scene.nodes.as_slice()[2].kind), (3, NodeKind::Helper));
    let names: Vec<_> = scene.cameras.as_slice().iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["Portrait", "Character", "Camera"]);
    let it = &scene.cameras.as_slice()[0];
    assert_eq!(
        (it.position, it.target, it.fov, it.near, it.far),
        ([1.0, 2.0, 3.0], [4.0, 5.0, 6.0], 0.75, 2.0, 100.0)
    );
    let way = it.translation.as_ref().unwrap();
    let roll = it.roll.as_ref().unwrap();
    let straight = it.target_translation.as_ref().unwrap();
    assert_eq!(
        [way.interpolation, straight.interpolation, roll.interpolation],
        [Interpolation::Hermite, Interpolation::Linear, Interpolation::Bezier]
    );
    assert_eq!(way.values, [[10.0, 0.0, 0.0], [20.0, 0.0, 0.0]]);
    assert_eq!(way.tangents[0], [[11.0, 0.0, 0.0], [12.0, 0.0, 0.0]]);
    assert_eq!((straight.tangents.len(), &roll.tangents[..]), (0, &[[2.0, 3.0]; 2][..]));
    let [hand, unknown] = scene.attachments.as_slice() else { panic!() };
    assert_eq!((hand.number, hand.node.index(), hand.position), (1, 1, [1.0; 3]));
    assert_eq!(unknown.name, "Attachment 9999");
    let event = &scene.events.as_slice()[0];
    assert_eq!(
        (event.name.as_str(), event.data, &event.times[..], event.global),
        ("$FL0", 5, &[100, 300][..], None)
    );
}

#[test]
fn submeshes_take_their_vertices_from_the_view() {
    let mut model = vanilla();
    let vertex = |x: f32, bones, weights| Vertex {
        position: [x, 0.0, 0.0],
        weights,
        bones,
        normal: [0.0, 0.0, x],
        uv: [x, 0.5],
        uv2: [0.0, x],
    };
    model.vertices = vec![
        vertex(0.0, [0; 4], [255, 0, 0, 0]),
        vertex(1.0, [1, 0, 0, 0], [0; 4]),
        vertex(2.0, [0, 1, 9, 0], [51, 102, 102, 0]),
        vertex(3.0, [0; 4], [255, 0, 0, 0]),
    ]
    .into();
    let submesh = |id, vertex_start, triangle_start| Submesh {
        id,
        vertex_start,
        vertex_count: 3,
        triangle_start,
        triangle_count: 3,
        ..Submesh::default()
    };
    let view = View {
        // The second submesh shows the vertices 3, 2 and 1.
        vertices: vec![0, 1, 2, 3, 2, 1].into(),
        triangles: vec![0, 1, 2, 3, 4, 5].into(),
        submeshes: vec![submesh(0, 0, 0), submesh(101, 3, 3)].into(),
        batches: vec![Batch { submesh: 1, ..Batch::default() }].into(),
        ..View::default()
    };
    let without = m2::lower(&model);
    assert!(without.report.notes().iter().any(|note| note.message.contains("the model has no view")));
    model.views = vec![view].into();
    let made = m2::lower(&model);
    assert!(!made.report.notes().iter().any(|note| note.message.contains("the model has no view")));
    assert!(made.report.notes().iter().any(|note| note.path == "submeshes[0]"));
    let [first, second] = made.scene.meshes.as_slice() else { panic!() };
    assert_eq!((first.shown, first.part, first.material.is_some()), (false, 0, false));
    assert_eq!((second.shown, second.part, second.material.is_some()), (true, 101, true));
    assert_eq!(second.positions, [[3.0, 0.0, 0.0], [2.0, 0.0, 0.0], [1.0, 0.0, 0.0]]);
    assert_eq!((second.normals[1], &second.indices[..]), ([0.0, 0.0, 2.0], &[0, 1, 2][..]));
    assert_eq!(second.uvs, [[[3.0, 0.5], [2.0, 0.5], [1.0, 0.5]], [[0.0, 3.0], [0.0, 2.0], [0.0, 1.0]]]);
    let skin = second.skin.as_ref().unwrap();
    let follows = |vertex: usize| {
        let group = skin.group(skin.vertex_groups[vertex]).iter();
        group.map(|it| (it.node.index(), it.weight)).collect::<Vec<_>>()
    };
    assert_eq!(follows(0), [(0, 1.0)]);
    // Bone 9 does not exist. Without any weight the first bone has all of it.
    assert_eq!(follows(1), [(0, 0.2), (1, 0.4)]);
    assert_eq!(follows(2), [(1, 1.0)]);
}

#[test]
fn a_character_shows_one_part_of_each_group_and_keeps_hidden_what_was() {
    let parts = [0, 1, 2, 401, 402, 501, 702, 802];
    let shown = |kind| {
        let mut model = vanilla();
        model.vertices = vec![Vertex::default(); 3].into();
        model.textures = vec![Texture { kind, ..Texture::default() }].into();
        let submesh = |id| Submesh { id, vertex_count: 3, triangle_count: 3, ..Submesh::default() };
        // No batch draws the first part of the feet.
        let batches = (0..8).filter(|it| *it != 5).map(|submesh| Batch { submesh, ..Batch::default() });
        model.views = vec![View {
            vertices: vec![0, 1, 2].into(),
            triangles: vec![0, 1, 2].into(),
            submeshes: parts.map(submesh).to_vec().into(),
            batches: batches.collect::<Vec<_>>().into(),
            ..View::default()
        }]
        .into();
        let made = m2::lower(&model);
        let note = made.report.notes().iter().find(|note| note.path == "submeshes");
        let note = note.map(|note| note.message.split_once(' ').unwrap().0.to_owned());
        let shown = made.scene.meshes.as_slice().iter().filter(|mesh| mesh.shown).map(|mesh| mesh.part);
        (shown.collect::<Vec<_>>(), note)
    };
    // The bald head and the second gloves are hidden.
    assert_eq!(shown(1), (vec![0, 2, 401, 702, 802], Some("2".to_owned())));
    // Without the texture of a body it is not a character.
    assert_eq!(shown(0), (vec![0, 1, 2, 401, 402, 702, 802], None));
}
