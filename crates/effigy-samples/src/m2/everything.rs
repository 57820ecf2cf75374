//! A lantern on a post that uses every block and every field of its version.

mod effects;

use super::parts::{Part, add_bounds, add_views, lookup};
use effigy_m2::{
    Attachment, Batch, BatchFlags, Block, Bone, BoneFlags, Caps, Color, Event, Material, MaterialFlags,
    Model, ModelFlags, Playable, Sequence, SequenceFlags, Texture, TextureFlags, TextureTransform,
    TextureWeight, Track, Version, Vertex, names, rotation,
};
use effigy_wire::Tag;

/// Animation, variation and length of each sequence.
const SEQUENCES: [(u16, u16, u32); 4] = [(0, 0, 2000), (0, 1, 1000), (4, 0, 800), (1, 0, 1500)];

/// The model in this version.
#[must_use]
pub fn everything(version: Version) -> Model {
    let mut model = Model::new(version);
    model.name = Block::text_of("Everything");
    model.flags = ModelFlags::TILT_X | ModelFlags::TILT_Y;
    model.global_sequences = vec![2000, 3333].into();
    add_sequences(&mut model);
    add_bones(&mut model);
    add_looks(&mut model);
    add_mesh(&mut model);
    add_collision(&mut model);
    add_places(&mut model);
    effects::add_all(&mut model);
    add_bounds(&mut model);
    if model.caps().contains(Caps::SKINS) {
        model.flags |= ModelFlags::COMBINERS;
        model.combiners = vec![0, 1, 4].into();
        // The last sequence is in a separate file.
        let _ = model.move_to_anim(SEQUENCES.len() - 1);
    }
    model
}

fn add_sequences(model: &mut Model) {
    let nested = model.caps().contains(Caps::NESTED);
    let mut start = 3333;
    for (index, (id, variation, length)) in SEQUENCES.into_iter().enumerate() {
        let mut sequence = Sequence {
            id,
            variation,
            move_speed: if id == 4 { 2.5 } else { 0.0 },
            flags: if id == 1 { SequenceFlags::ONCE } else { SequenceFlags::empty() },
            frequency: if id == 0 { 16383 + i16::from(variation == 0) } else { 32767 },
            replay_min: 1,
            replay_max: 3,
            blend_time: 150,
            next_variation: if (id, variation) == (0, 0) { 1 } else { -1 },
            alias: super::word(index),
            ..Sequence::default()
        };
        if nested {
            sequence.duration = length;
            sequence.flags |= SequenceFlags::EMBEDDED;
        } else {
            sequence.start = start;
            sequence.end = start + length;
            start += length + 3333;
        }
        model.sequences.push(sequence);
    }
    if model.caps().contains(Caps::PLAYABLE) {
        model.sequence_lookup = lookup(SEQUENCES.iter().map(|sequence| sequence.0.into())).into();
        let owned = |id: u16| SEQUENCES.iter().any(|sequence| sequence.0 == id);
        model.playable_lookup = (0..203)
            .map(|id| match id {
                13 => Playable { animation: 4, mode: 1 },
                6 => Playable { animation: 1, mode: 3 },
                _ => Playable { animation: if owned(id) { id } else { 0 }, mode: 0 },
            })
            .collect();
    } else {
        // A hash table: rows are numbers modulo 7.
        model.sequence_lookup = vec![0, 3, -1, -1, 2, -1, -1].into();
    }
}

/// A rotation about x by this many half turns.
fn turn(halves: f32) -> [f32; 4] {
    let angle = halves * std::f32::consts::FRAC_PI_2;
    [angle.sin(), 0.0, 0.0, angle.cos()]
}

fn add_bones(model: &mut Model) {
    let still = [0.0; 3];
    let sway = |height: f32| [(0, still), (400, [0.0, height, 0.0]), (800, still)];
    let rows: [(i32, i16, BoneFlags, [f32; 3]); 4] = [
        (26, -1, BoneFlags::TRANSFORMED, [0.0, 0.0, 0.0]),
        (4, 0, BoneFlags::TRANSFORMED, [0.0, 0.0, 2.0]),
        (6, 1, BoneFlags::TRANSFORMED | BoneFlags::IGNORE_PARENT_SCALE, [0.0, 1.0, 3.0]),
        (-1, 2, BoneFlags::BILLBOARD | BoneFlags::TRANSFORMED, [0.0, 1.0, 2.5]),
    ];
    for (index, (key_bone, parent, flags, pivot)) in rows.into_iter().enumerate() {
        let mut bone = Bone { key_bone, flags, parent, pivot, ..Bone::default() };
        if model.caps().contains(Caps::BONE_CRC) {
            bone.name_crc = names::bone_crc(names::key_bone(key_bone).unwrap_or("Object01").as_bytes());
        }
        if model.caps().contains(Caps::BONE_DISTANCES) {
            bone.submesh = super::word(index);
            bone.distance = 72 - super::word(index);
            bone.z_ratio = 33;
        }
        let keys = sway(0.25);
        bone.translation = match index {
            // Constant: one key at a time that is not the first.
            0 => model.make_track(0, &[&[(33, [0.0, 0.0, 0.125])]]),
            // One list per sequence.
            1 => model.make_track(1, &[&keys, &keys, &keys, &[(0, still), (1500, [0.0, 0.0, -2.0])]]),
            _ => Track::default(),
        };
        let swing = [(0, turn(0.0)), (1000, turn(0.25)), (2000, turn(0.0))];
        let fall = [(0, turn(0.0)), (1500, turn(0.5))];
        let rotation = match index {
            1 => model.make_track(1, &[&swing, &swing[..2], &[(0, turn(0.0)), (800, turn(0.1))], &fall]),
            // A global sequence.
            2 => model.make_loop(1, 0, &swing),
            _ => Track::default(),
        };
        if model.caps().contains(Caps::FLOAT_ROTATION) {
            bone.rotation = rotation;
        } else {
            bone.packed_rotation = pack(model, &rotation);
        }
        if index == 3 {
            bone.scale = model.make_loop(1, 1, &[(0, [1.0; 3]), (1600, [1.5; 3]), (3333, [1.0; 3])]);
        }
        model.bones.push(bone);
    }
    model.key_bones = (0..27)
        .map(|id| rows.iter().position(|row| row.0 == id).map_or(-1, |at| i16::try_from(at).unwrap_or(-1)))
        .collect();
}

/// The same track with packed rotations.
fn pack(model: &Model, track: &Track<[f32; 4]>) -> Track<[u16; 4]> {
    let lists: Vec<Vec<(u32, [u16; 4])>> = if model.caps().contains(Caps::NESTED) {
        (0..track.times.part_count())
            .map(|part| {
                let values = track.values.part(part).iter().map(|&value| rotation::pack(value));
                track.times.part(part).iter().copied().zip(values).collect()
            })
            .collect()
    } else {
        let mut packed = Track::<[u16; 4]> {
            interpolation: track.interpolation,
            global_sequence: track.global_sequence,
            ranges: track.ranges.clone(),
            times: track.times.clone(),
            ..Track::default()
        };
        packed.values.set_all(track.values.all().iter().map(|&value| rotation::pack(value)).collect());
        return packed;
    };
    if track.global_sequence >= 0 {
        return model.make_loop(track.interpolation, track.global_sequence, &lists.concat());
    }
    let lists: Vec<&[(u32, [u16; 4])]> = lists.iter().map(Vec::as_slice).collect();
    model.make_track(track.interpolation, &lists)
}

fn add_looks(model: &mut Model) {
    let fade: [(u32, i16); 2] = [(0, 32767), (500, 0)];
    let (rgb, alpha) = (
        model.make_loop(1, 0, &[(0, [1.0, 0.5, 0.25]), (1000, [1.0, 1.0, 1.0]), (2000, [1.0, 0.5, 0.25])]),
        model.make_track(1, &[&[(0, 32767)], &[(0, 32767)], &[(0, 32767)], &fade]),
    );
    model.colors.push(Color { rgb, alpha });
    for (kind, flags, name) in [
        (0, TextureFlags::WRAP_X | TextureFlags::WRAP_Y, "Textures\\Lantern.blp"),
        (0, TextureFlags::empty(), "Textures\\Flame.blp"),
        (11, TextureFlags::WRAP_X, ""),
    ] {
        model.textures.push(Texture { kind, flags, flags_high: 0, name: Block::text_of(name) });
    }
    let caps = model.caps();
    let flicker = model.make_loop(0, 1, &[(0, 32767), (1000, 16384), (2000, -32767)]);
    model.weights =
        vec![TextureWeight { weight: Track::constant(32767, caps) }, TextureWeight { weight: flicker }]
            .into();
    let transform = TextureTransform {
        translation: model.make_loop(1, 0, &[(0, [0.0; 3]), (2000, [1.0, 0.0, 0.0])]),
        rotation: model.make_loop(1, 1, &[(0, [0.0, 0.0, 0.0, 1.0]), (3333, [0.0, 0.0, 1.0, 0.0])]),
        scale: Track::constant([2.0, 2.0, 1.0], caps),
    };
    model.transforms.push(transform);
    model.replaceable_lookup = vec![0, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 2].into();
    model.materials = vec![
        Material { flags: MaterialFlags::empty(), blend: 0 },
        Material {
            flags: MaterialFlags::UNLIT | MaterialFlags::TWO_SIDED | MaterialFlags::NO_DEPTH_WRITE,
            blend: 4,
        },
        Material { flags: MaterialFlags::UNFOGGED | MaterialFlags::NO_DEPTH_TEST, blend: 2 },
    ]
    .into();
    model.texture_combos = vec![0, 1, 2].into();
    model.coord_combos = vec![0, 1, -1].into();
    model.weight_combos = vec![0, 1].into();
    model.transform_combos = vec![-1, 0].into();
}

/// A box around a point, with separate vertices for each of its six sides.
fn cube(center: [f32; 3], half: f32, bones: [u8; 4], weights: [u8; 4]) -> Part {
    let mut part = Part { id: 0, vertices: Vec::new(), triangles: Vec::new() };
    for axis in 0..3 {
        for side in [-1.0, 1.0] {
            let first = super::word(part.vertices.len());
            for (u, v) in [(-1.0, -1.0), (side, -side), (1.0, 1.0), (-side, side)] {
                let mut offset = [0.0; 3];
                let mut normal = [0.0; 3];
                let corner = [side, u, v];
                for (place, value) in corner.into_iter().enumerate() {
                    if let Some(part) = offset.get_mut((axis + place) % 3) {
                        *part = value * half;
                    }
                }
                if let Some(part) = normal.get_mut(axis) {
                    *part = side;
                }
                let [x, y, z] = center;
                let [dx, dy, dz] = offset;
                part.vertices.push(Vertex {
                    position: [x + dx, y + dy, z + dz],
                    weights,
                    bones,
                    normal,
                    uv: [(u + 1.0) * 0.5, (v + 1.0) * 0.5],
                    uv2: [u, v],
                });
            }
            part.triangles.push([first, first + 1, first + 2]);
            part.triangles.push([first, first + 2, first + 3]);
        }
    }
    part
}

fn add_mesh(model: &mut Model) {
    let post = cube([0.0, 0.0, 1.0], 1.0, [0, 1, 0, 0], [200, 55, 0, 0]);
    let mut lantern = cube([0.0, 1.0, 3.0], 0.5, [1, 2, 3, 0], [85, 85, 85, 0]);
    lantern.id = 101;
    let batches = vec![
        Batch { flags: BatchFlags::STATIC, ..Batch::default() },
        Batch { submesh: 1, geoset: 1, material: 2, texture_combo: 2, color: 0, ..Batch::default() },
        Batch {
            submesh: 1,
            geoset: 1,
            material: 1,
            layer: 1,
            texture_combo: 1,
            coord_combo: 2,
            weight_combo: 1,
            transform_combo: 1,
            priority_plane: i8::from(model.caps().contains(Caps::SKINS)),
            ..Batch::default()
        },
    ];
    add_views(model, &[post, lantern], batches);
}

fn add_collision(model: &mut Model) {
    model.collision_vertices =
        vec![[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 3.0]].into();
    model.collision_triangles = vec![0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3].into();
    model.collision_normals =
        vec![[0.0, 0.0, -1.0], [0.0, -0.95, 0.3], [0.85, 0.4, 0.3], [-0.85, 0.4, 0.3]].into();
    model.collision_bounds = [-1.0, -1.0, 0.0, 1.0, 1.0, 3.0];
    model.collision_radius = 3.3;
}

fn add_places(model: &mut Model) {
    let always = Track::constant(1, model.caps());
    let sometimes = model.make_track(0, &[&[(0, 1)], &[(0, 1)], &[(0, 1)], &[(0, 1), (1000, 0)]]);
    model.attachments = vec![
        Attachment { id: 19, bone: 0, position: [0.0; 3], animated: always, ..Attachment::default() },
        Attachment {
            id: 11,
            bone: 2,
            position: [0.0, 1.0, 3.5],
            animated: sometimes,
            ..Attachment::default()
        },
    ]
    .into();
    model.attachment_lookup = lookup([19, 11]).into();
    let step = model.make_moments(&[&[], &[], &[100, 500], &[]]);
    let thud = model.make_moments(&[&[], &[], &[], &[1200]]);
    let never = model.make_moments(&[&[], &[], &[], &[]]);
    let event = |id: &[u8; 4], data, bone, moments| Event {
        id: Tag(*id),
        data,
        bone,
        position: [0.0, 0.0, 0.5],
        moments,
    };
    model.events =
        vec![event(b"$FSD", 0, 0, step), event(b"$DTH", 0, 0, thud), event(b"$CSD", 1234, 2, never)].into();
}
