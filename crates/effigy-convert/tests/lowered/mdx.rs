//! Meshes, materials, emitters and fixtures of MDX in the scene, against values written by hand.

use crate::lowered::{floats, lowered};
use effigy_mdx::track::tags;
use effigy_mdx::{
    Bone, Dialect, FilterMode, Geoset, GeosetAnimation, Helper, Key, Layer, LayerFlags, Material, Model,
    Node, NodeFlags, ParticleEmitter2, ParticleFilter, Primitive, Sequence, SequenceFlags, Texture,
    TextureFlags, Track,
};
use effigy_scene::{
    Animated, Blend, Cells, Coordinates, EmitterShape, Extra, Id, Interpolation, NodeKind, Replaceable, Role,
};
use effigy_wire::FixedStr;

const LINEAR: effigy_mdx::Interpolation = effigy_mdx::Interpolation::LINEAR;

fn node(name: &str, id: i32) -> Node {
    Node { name: FixedStr::new(name).unwrap(), object_id: id, parent: -1, ..Node::default() }
}

/// Two bones and a pivot for each of the first eight objects: (id, 0, 1).
fn model(dialect: Dialect) -> Model {
    let mut model = Model::new(dialect, if dialect == Dialect::WowAlpha { 1300 } else { 800 }, "model");
    model.bones.push(Bone { node: node("root", 0), ..Bone::default() });
    model.bones.push(Bone { node: node("hand", 1), ..Bone::default() });
    model.pivots = (0..8_u8).map(|id| [f32::from(id), 0.0, 1.0]).collect();
    model
}

fn warcraft() -> Model {
    model(Dialect::Warcraft3)
}

#[test]
fn sequences_keep_their_times_flags_and_speed() {
    let mut model = warcraft();
    let named = |name: &str, interval, flags| Sequence {
        name: FixedStr::new(name).unwrap(),
        interval,
        flags: SequenceFlags::from_bits_retain(flags),
        move_speed: 270.0,
        rarity: 3.0,
        sync_point: 7,
        ..Sequence::default()
    };
    model.sequences = vec![named("Walk", [100, 900], 0), named("Death", [1000, 2500], 1)];
    let scene = lowered(&model);
    let list: Vec<_> = scene
        .sequences
        .as_slice()
        .iter()
        .map(|it| (it.name.as_str(), it.start, it.end, it.looping, it.move_speed))
        .collect();
    assert_eq!(list, [("Walk", 100, 900, true, 270.0), ("Death", 1000, 2500, false, 270.0)]);
    let extras = &scene.sequences.as_slice()[1].extras;
    assert_eq!(extras.get("rarity"), Some(&Extra::Float(3.0)));
    assert_eq!((extras.get("syncPoint"), extras.get("flags")), (Some(&Extra::Int(7)), Some(&Extra::Int(1))));
}

/// The triangles of a geoset with six vertices.
fn triangles(groups: &[(Primitive, &[u16])]) -> Vec<u32> {
    let mut model = warcraft();
    let mut geoset = Geoset { vertices: vec![[0.0; 3]; 6], ..Geoset::default() };
    for (kind, indices) in groups {
        geoset.primitive_types.push(kind.0);
        geoset.primitive_counts.push(u32::try_from(indices.len()).unwrap());
        geoset.indices.extend_from_slice(indices);
    }
    model.geosets.push(geoset);
    lowered(&model).meshes.as_slice()[0].indices.clone()
}

#[test]
fn strips_fans_and_quads_become_triangles_with_the_same_winding() {
    let all: &[u16] = &[0, 1, 2, 3, 4];
    assert_eq!(triangles(&[(Primitive::TRIANGLES, &[0, 1, 2, 3, 4, 5])]), [0, 1, 2, 3, 4, 5]);
    assert_eq!(triangles(&[(Primitive::TRIANGLE_STRIP, all)]), [0, 1, 2, 1, 3, 2, 2, 3, 4]);
    assert_eq!(triangles(&[(Primitive::TRIANGLE_FAN, all)]), [0, 1, 2, 0, 2, 3, 0, 3, 4]);
    assert_eq!(triangles(&[(Primitive::QUADS, &[0, 1, 2, 3])]), [0, 1, 2, 0, 2, 3]);
    // Groups follow one another; lines have no triangles.
    let mixed: &[(Primitive, &[u16])] =
        &[(Primitive::LINES, &[0, 1]), (Primitive::TRIANGLES, &[3, 4, 5]), (Primitive::POLYGON, &[5, 4, 3])];
    assert_eq!(triangles(mixed), [3, 4, 5, 5, 4, 3]);
}

#[test]
fn a_group_is_the_mean_of_its_nodes() {
    let mut model = warcraft();
    model.helpers.push(Helper { node: node("helper", 5) });
    model.geosets.push(Geoset {
        vertices: vec![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [0.0; 3]],
        normals: vec![[0.0, 0.0, 1.0]; 3],
        uv_sets: vec![vec![[0.5, 0.25]; 3]],
        primitive_types: vec![4],
        primitive_counts: vec![3],
        indices: vec![0, 1, 2],
        vertex_groups: vec![0, 1, 1],
        group_sizes: vec![2, 1],
        group_nodes: vec![0, 5, 1],
        material: 0,
        selection_group: 4,
        selection_flags: 6,
        ..Geoset::default()
    });
    model.materials.push(Material::default());
    let scene = lowered(&model);
    let mesh = &scene.meshes.as_slice()[0];
    assert_eq!(mesh.positions[1], [4.0, 5.0, 6.0]);
    assert_eq!((mesh.material, mesh.part), (Some(Id::new(0)), 4));
    assert_eq!(mesh.extras.get("selectionFlags"), Some(&Extra::Int(6)));
    let skin = mesh.skin.as_ref().unwrap();
    let group =
        |group: u32| skin.group(group).iter().map(|it| (it.node.index(), it.weight)).collect::<Vec<_>>();
    // The helper with the id 5 is the third node.
    assert_eq!(group(0), [(0, 0.5), (2, 0.5)]);
    assert_eq!(group(1), [(1, 1.0)]);
    assert_eq!(skin.vertex_groups, [0, 1, 1]);
}

#[test]
fn weights_of_world_of_warcraft_count_where_there_are_no_groups() {
    for (groups, expected) in [(vec![], vec![(0, 0.2), (1, 0.8)]), (vec![0], vec![(1, 1.0)])] {
        let mut model = model(Dialect::WowAlpha);
        let mut geoset = Geoset { vertices: vec![[0.0; 3]], ..Geoset::default() };
        geoset.set_influences(&[([0, 1, 0, 0], [51, 204, 0, 0])]);
        (geoset.group_sizes, geoset.group_nodes, geoset.vertex_groups) = (vec![1], vec![1], groups);
        model.geosets.push(geoset);
        let scene = lowered(&model);
        let skin = scene.meshes.as_slice()[0].skin.as_ref().unwrap();
        let found: Vec<_> =
            skin.group(skin.vertex_groups[0]).iter().map(|it| (it.node.index(), it.weight)).collect();
        assert_eq!(found, expected);
    }
}

#[test]
fn geoset_animations_colour_their_geoset_and_keys_are_blue_first() {
    let mut model = warcraft();
    model.geosets = vec![Geoset::default(), Geoset::default()];
    let mut animation =
        GeosetAnimation { geoset: 1, alpha: 0.5, color: [0.1, 0.2, 0.3], ..GeosetAnimation::default() };
    let keys = [Key::new(0, [0.1, 0.2, 0.3_f32]), Key::new(100, [0.4, 0.5, 0.6])];
    animation.tracks.set(Track::new(tags::KGAC, LINEAR, &keys).unwrap());
    animation.tracks.set(floats(tags::KGAO, &[(0, 1.0), (50, 0.0)]));
    model.geoset_animations.push(animation);
    let scene = lowered(&model);
    let [plain, colored] = scene.meshes.as_slice() else { panic!() };
    assert_eq!((&plain.alpha, &plain.color), (&Animated::fixed(1.0), &Animated::fixed([1.0; 3])));
    assert_eq!((colored.alpha.base, colored.color.base), (0.5, [0.1, 0.2, 0.3]));
    assert_eq!(colored.alpha.track.as_ref().unwrap().values, [1.0, 0.0]);
    assert_eq!(colored.color.track.as_ref().unwrap().values, [[0.3, 0.2, 0.1], [0.6, 0.5, 0.4]]);
}

#[test]
fn filter_modes_blend_and_test_alpha_as_the_games_do() {
    for (mode, warcraft, world) in [
        (FilterMode::NONE, (Blend::Opaque, 0.0), (Blend::Opaque, 0.0)),
        (FilterMode::TRANSPARENT, (Blend::AlphaKey, 192.0), (Blend::AlphaKey, 224.0)),
        (FilterMode::BLEND, (Blend::Alpha, 4.0), (Blend::Alpha, 4.0)),
        (FilterMode::ADDITIVE, (Blend::AddAlpha, 4.0), (Blend::Add, 4.0)),
        (FilterMode::ADD_ALPHA, (Blend::AddAlpha, 4.0), (Blend::AddAlpha, 4.0)),
        (FilterMode::MODULATE, (Blend::Modulate, 4.0), (Blend::Modulate, 4.0)),
        (FilterMode::MODULATE_2X, (Blend::Modulate2x, 4.0), (Blend::Modulate2x, 4.0)),
    ] {
        for (dialect, (blend, test)) in [(Dialect::Warcraft3, warcraft), (Dialect::WowAlpha, world)] {
            let mut model = model(dialect);
            let layers = vec![Layer { filter_mode: mode, ..Layer::default() }];
            model.materials.push(Material { layers, ..Material::default() });
            let scene = lowered(&model);
            let layer = &scene.materials.as_slice()[0].layers[0];
            assert_eq!(layer.blend, blend, "{mode:?} {dialect:?}");
            assert!(
                (layer.alpha_test * 255.0 - test).abs() < 1e-3,
                "{mode:?} {dialect:?}: {}",
                layer.alpha_test
            );
        }
    }
}

#[test]
fn every_flag_of_a_layer_has_its_own_meaning() {
    let layer = |dialect, bits| {
        let mut model = model(dialect);
        let flags = LayerFlags::from_bits_retain(bits);
        model
            .materials
            .push(Material { layers: vec![Layer { flags, ..Layer::default() }], ..Material::default() });
        lowered(&model).materials.as_slice()[0].layers[0].clone()
    };
    for dialect in [Dialect::Warcraft3, Dialect::WowAlpha] {
        for (bits, expected) in [
            (0, [false; 5]),
            (1, [true, false, false, false, false]),
            (0x10, [false, true, false, false, false]),
            (0x20, [false, false, true, false, false]),
            (0x40, [false, false, false, true, false]),
            (0x80, [false, false, false, false, true]),
            (0x100, [dialect == Dialect::Warcraft3, false, false, false, false]),
        ] {
            let it = layer(dialect, bits);
            let found = [it.unlit, it.two_sided, it.unfogged, it.no_depth_test, it.no_depth_write];
            assert_eq!(found, expected, "{bits:#x} {dialect:?}");
        }
    }
    assert_eq!(layer(Dialect::Warcraft3, 2).textures[0].coordinates, Coordinates::Sphere);
    assert_eq!(layer(Dialect::Warcraft3, 0).textures[0].coordinates, Coordinates::Set(0));
}

#[test]
fn textures_know_what_replaces_them_and_where_they_repeat() {
    let texture = |replaceable, flags| Texture {
        replaceable,
        path: FixedStr::new(if replaceable == 0 { "a.blp" } else { "" }).unwrap(),
        flags: TextureFlags::from_bits_retain(flags),
    };
    let list = vec![texture(0, 0), texture(1, 1), texture(2, 2), texture(31, 3)];
    for (dialect, team) in [(Dialect::Warcraft3, true), (Dialect::WowAlpha, false)] {
        let mut model = model(dialect);
        model.textures.clone_from(&list);
        let scene = lowered(&model);
        let found: Vec<_> = scene.textures.as_slice().iter().map(|it| (it.replaceable, it.repeat)).collect();
        let [one, two] = if team {
            [Replaceable::TeamColor, Replaceable::TeamGlow]
        } else {
            [Replaceable::Other(1), Replaceable::Other(2)]
        };
        assert_eq!(
            found,
            [
                (None, [false, false]),
                (Some(one), [true, false]),
                (Some(two), [false, true]),
                (Some(Replaceable::Other(31)), [true, true])
            ]
        );
    }
}

#[test]
fn six_layers_of_a_physical_material_are_the_roles_of_one() {
    let mut model = Model::new(Dialect::Warcraft3, 900, "hd");
    let layers = (0..6).map(|texture| Layer { texture, emissive_gain: 2.0, ..Layer::default() }).collect();
    let shader = FixedStr::new("Shader_HD_DefaultUnit").unwrap();
    model.textures = vec![Texture::default(); 7];
    model.materials.push(Material { shader, layers, priority_plane: 5, ..Material::default() });
    // Two layers of a plain material stay two.
    let layers = vec![Layer { texture: 6, ..Layer::default() }, Layer { texture: -1, ..Layer::default() }];
    model.materials.push(Material { layers, ..Material::default() });
    let scene = lowered(&model);
    let [physical, plain] = scene.materials.as_slice() else { panic!() };
    assert!(physical.physical && !plain.physical);
    assert_eq!((physical.priority, physical.layers.len(), plain.layers.len()), (5, 1, 2));
    let roles: Vec<_> =
        physical.layers[0].textures.iter().map(|it| (it.role, it.texture.unwrap().index())).collect();
    assert_eq!(
        roles,
        [
            (Role::Base, 0),
            (Role::Normal, 1),
            (Role::Orm, 2),
            (Role::Emissive, 3),
            (Role::TeamColor, 4),
            (Role::Environment, 5)
        ]
    );
    assert_eq!(physical.layers[0].emissive_gain.base, 2.0);
    // A gain that is not a number is none.
    model.materials[0].layers[0].emissive_gain = f32::NAN;
    assert_eq!(lowered(&model).materials.as_slice()[0].layers[0].emissive_gain.base, 0.0);
    assert_eq!(plain.layers[1].textures[0].texture, None);
}

fn emitter() -> ParticleEmitter2 {
    ParticleEmitter2 {
        node: node("smoke", 3),
        speed: 10.0,
        variation: 0.5,
        latitude: 90.0,
        longitude: 1.0,
        gravity: 7.0,
        life_span: 2.0,
        emission_rate: 30.0,
        length: 4.0,
        width: 6.0,
        filter_mode: ParticleFilter::MODULATE_2X,
        rows: 0,
        columns: 8,
        head_or_tail: 2,
        tail_length: 0.75,
        time_middle: 0.25,
        segment_colors: [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8],
        segment_alphas: [255, 51, 0],
        segment_scales: [1.0, 2.0, 3.0],
        head_life: [1, 2, 3],
        head_decay: [4, 5, 6],
        tail_life: [7, 8, 9],
        tail_decay: [10, 11, 12],
        texture: 0,
        squirt: 1,
        priority_plane: -2,
        ..ParticleEmitter2::default()
    }
}

#[test]
fn particle_emitters_of_warcraft() {
    let mut model = warcraft();
    model.textures.push(Texture::default());
    let mut source = emitter();
    source.tracks.set(floats(tags::KP2L, &[(0, 180.0), (10, 45.0)]));
    source.tracks.set(floats(tags::KP2E, &[(0, 1.0), (10, 9.0)]));
    source.tracks.set(floats(tags::KP2V, &[(0, 1.0), (10, 0.0)]));
    model.particle_emitters_2.push(source);
    let scene = lowered(&model);
    let it = &scene.emitters.as_slice()[0];
    assert_eq!((it.name.as_str(), it.node.index(), it.position), ("smoke", 2, [3.0, 0.0, 1.0]));
    assert_eq!(scene.nodes.as_slice()[2].kind, NodeKind::Emitter);
    assert_eq!(it.shape, EmitterShape::Plane);
    // Degrees become radians, also in keys.
    let pi = std::f32::consts::PI;
    assert!((it.latitude.base - pi / 2.0).abs() < 1e-6);
    let keys = &it.latitude.track.as_ref().unwrap().values;
    assert!((keys[0] - pi).abs() < 1e-6 && (keys[1] - pi / 4.0).abs() < 1e-6, "{keys:?}");
    assert_eq!((it.longitude.base, it.lifespan.base), (pi, 2.0));
    assert_eq!([it.speed.base, it.variation.base, it.gravity.base, it.rate.base], [10.0, 0.5, 7.0, 30.0]);
    assert_eq!([it.length.base, it.width.base, it.tail_length], [4.0, 6.0, 0.75]);
    assert_eq!(it.rate.track.as_ref().unwrap().values, [1.0, 9.0]);
    let visibility = it.visibility.track.as_ref().unwrap();
    assert_eq!((visibility.interpolation, &visibility.values[..]), (Interpolation::Step, &[1.0, 0.0][..]));
    assert_eq!(
        (it.blend, it.cells, it.head, it.tail, it.squirt),
        (Blend::Modulate2x, [1, 8], true, true, true)
    );
    let life = &it.over_life;
    assert_eq!(life.colors, [[0.0, 0.1, 0.2], [0.3, 0.4, 0.5], [0.6, 0.7, 0.8]]);
    assert_eq!((life.alphas, life.sizes, life.middle), ([1.0, 0.2, 0.0], [1.0, 2.0, 3.0], 0.25));
    let cells = |start, end, repeat| Cells { start, end, repeat };
    assert_eq!(life.head, [cells(1, 2, 3), cells(4, 5, 6)]);
    assert_eq!(life.tail, [cells(7, 8, 9), cells(10, 11, 12)]);
    assert_eq!((it.priority, it.texture), (-2, Some(Id::new(0))));
}

#[test]
fn flags_heads_and_filters_of_particles() {
    let with = |dialect, change: &dyn Fn(&mut ParticleEmitter2)| {
        let mut model = model(dialect);
        let mut source = emitter();
        change(&mut source);
        model.particle_emitters_2.push(source);
        lowered(&model).emitters.as_slice()[0].clone()
    };
    let flags = |dialect, bits: u32| with(dialect, &|it| it.node.flags = NodeFlags::from_bits_retain(bits));
    for (bits, expected) in [
        (0x8000, [true, false, false, false, false]),
        (0x1_0000, [false, true, false, false, false]),
        (0x4_0000, [false, false, true, false, false]),
        (0x8_0000, [false, false, false, true, false]),
        (0x10_0000, [false, false, false, false, true]),
    ] {
        let it = flags(Dialect::Warcraft3, bits);
        assert_eq!([it.unlit, it.sort, it.unfogged, it.model_space, it.flat], expected, "{bits:#x}");
    }
    assert_eq!(flags(Dialect::Warcraft3, 0x2_0000).longitude.base, 0.0);
    let world = flags(Dialect::WowAlpha, 0x800_0000 | 0x200_0000);
    assert!(world.flat && world.tail_grows && !flags(Dialect::WowAlpha, 0x10_0000).flat);
    // The alpha client counts angles in radians.
    assert_eq!((world.latitude.base, world.longitude.base), (90.0, 1.0));
    for (number, expected) in [(0, (true, false)), (1, (false, true)), (2, (true, true)), (3, (true, false))]
    {
        let it = with(Dialect::Warcraft3, &|it| it.head_or_tail = number);
        assert_eq!((it.head, it.tail), expected, "{number}");
    }
    for (mode, blend) in [Blend::Alpha, Blend::AddAlpha, Blend::Modulate, Blend::Modulate2x, Blend::AlphaKey]
        .iter()
        .enumerate()
    {
        let mode = ParticleFilter(u32::try_from(mode).unwrap());
        assert_eq!(with(Dialect::Warcraft3, &|it| it.filter_mode = mode).blend, *blend, "{mode:?}");
    }
    assert_eq!(with(Dialect::WowAlpha, &|it| it.emitter_type = 2).shape, EmitterShape::Sphere);
    let spline = with(Dialect::WowAlpha, &|it| (it.emitter_type, it.spline) = (3, vec![[1.0, 2.0, 3.0]]));
    assert_eq!(spline.shape, EmitterShape::Spline(vec![[1.0, 2.0, 3.0]]));
    assert_eq!(with(Dialect::Warcraft3, &|it| it.emitter_type = 2).shape, EmitterShape::Plane);
    assert_eq!(with(Dialect::Warcraft3, &|it| it.texture = -1).texture, None);
}

#[test]
fn chunks_that_are_damaged_and_chunks_of_others_are_told_apart() {
    let mut bytes = Model::new(Dialect::Warcraft3, 800, "Made").write().unwrap();
    for (tag, size) in [(b"TOOL", 4_u32), (b"GEOS", 400)] {
        bytes.extend_from_slice(tag);
        bytes.extend_from_slice(&size.to_le_bytes());
        bytes.extend_from_slice(&[1, 0, 0, 0]);
    }
    let report = effigy_convert::mdx::lower(&effigy_mdx::read(&bytes).unwrap()).report;
    let notes: Vec<String> = report.notes().iter().map(|it| format!("{}: {}", it.path, it.message)).collect();
    assert_eq!(notes, ["TOOL: unknown chunk", "GEOS: the chunk is damaged and could not be read"]);
}

/// The game's own models have sequences that begin before 0, which the file stores as large unsigned numbers.
#[test]
fn times_before_zero_are_negative() {
    let mut model = warcraft();
    let early = |interval| Sequence { interval, ..Sequence::default() };
    model.sequences = vec![early([0xffff_fe70, 1000]), early([0xffff_fe70, 0xffff_ff38])];
    let scene = lowered(&model);
    let times = scene.sequences.as_slice().iter().map(|it| [it.start, it.end, it.length()]);
    assert_eq!(times.collect::<Vec<_>>(), [[-400, 1000, 1400], [-400, -200, 200]]);
}
