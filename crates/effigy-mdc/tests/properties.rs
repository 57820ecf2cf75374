//! Properties that hold for all models, not only for the samples.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use effigy_mdc::{
    Format, Frame, Mode, Model, Name, PackedTag, PackedVertex, Shader, Surface, Tag, Tags, Vertex, normals,
    pose, read, to_md3, to_mdc,
};
use effigy_wire::{FixedStr, Status};
use proptest::collection::vec;
use proptest::prelude::*;

fn name() -> impl Strategy<Value = Name> {
    any::<[u8; 32]>().prop_map(|half| {
        let mut bytes = [0; 64];
        bytes[..32].copy_from_slice(&half);
        bytes[32..].copy_from_slice(&half);
        Name::from_bytes(bytes)
    })
}

/// Any number that equals itself.
fn float() -> impl Strategy<Value = f32> {
    any::<u32>().prop_map(f32::from_bits).prop_filter("not a number", |number| !number.is_nan())
}

fn frame() -> impl Strategy<Value = Frame> {
    ([float(), float(), float()], [float(), float(), float()], float(), any::<[u8; 16]>()).prop_map(
        |(min, max, radius, name)| Frame {
            min,
            max,
            local_origin: max,
            radius,
            name: FixedStr::from_bytes(name),
        },
    )
}

fn vertex(reach: i16) -> impl Strategy<Value = Vertex> {
    let number = -reach..=reach;
    ([number.clone(), number.clone(), number], any::<u16>())
        .prop_map(|(position, normal)| Vertex { position, normal })
}

/// A surface of a model with this many frames. Its tables and indices may have any value.
fn surface(format: Format, frames: usize) -> impl Strategy<Value = Surface> {
    (0..6_usize, 0..4_usize, 0..4_usize).prop_flat_map(move |(vertices, bases, compressed)| {
        let (bases, compressed, tables) = match format {
            Format::Mdc => (bases, compressed, frames),
            Format::Md3 => (frames, 0, 0),
        };
        (
            (any::<[u8; 4]>(), name(), any::<i32>()),
            vec(any::<[u32; 3]>(), 0..4),
            vec((name(), any::<i32>()).prop_map(|(name, index)| Shader { name, index }), 0..3),
            vec([float(), float()], vertices),
            vec(vertex(i16::MAX), vertices * bases),
            vec((any::<[u8; 3]>(), any::<u8>()), vertices * compressed),
            vec(any::<i16>(), tables),
            vec(any::<i16>(), tables),
        )
            .prop_map(|(head, triangles, shaders, texcoords, base, compressed, bases, comps)| {
                Surface {
                    ident: effigy_wire::Tag(head.0),
                    name: head.1,
                    flags: head.2,
                    triangles,
                    shaders,
                    texcoords,
                    base,
                    compressed: compressed
                        .into_iter()
                        .map(|(offset, normal)| PackedVertex { offset, normal })
                        .collect(),
                    base_of_frame: bases,
                    compressed_of_frame: comps,
                    trailing: if head.2 % 2 == 0 { vec![0, 7, 0] } else { Vec::new() },
                }
            })
    })
}

fn tags(format: Format, frames: usize) -> impl Strategy<Value = Tags> {
    vec(name(), 0..3).prop_flat_map(move |names| {
        let poses = names.len() * frames;
        (vec(any::<[i16; 6]>(), poses), vec((float(), float()), poses)).prop_map(move |(packed, full)| {
            match format {
                Format::Mdc => Tags::Packed {
                    names: names.clone(),
                    poses: packed
                        .into_iter()
                        .map(|[a, b, c, d, e, f]| PackedTag { origin: [a, b, c], angles: [d, e, f] })
                        .collect(),
                },
                Format::Md3 => Tags::Full(
                    full.into_iter()
                        .map(|(a, b)| Tag { name: names[0], origin: [a, b, a], axes: [b; 9] })
                        .collect(),
                ),
            }
        })
    })
}

fn model() -> impl Strategy<Value = Model> {
    (any::<bool>(), 1..5_usize).prop_flat_map(|(mdc, frames)| {
        let format = if mdc { Format::Mdc } else { Format::Md3 };
        let parts = (vec(frame(), frames), tags(format, frames), vec(surface(format, frames), 0..4));
        (name(), any::<i32>(), any::<i32>(), parts).prop_map(
            move |(name, flags, skins, (frames, tags, surfaces))| Model {
                name,
                flags,
                skins,
                frames,
                tags,
                surfaces,
                trailing: if flags % 2 == 0 { vec![9; 5] } else { Vec::new() },
                ..Model::new(format)
            },
        )
    })
}

/// An MD3 whose surfaces move by up to `reach` 1/64 units.
fn animation(reach: i16) -> impl Strategy<Value = Model> {
    let surface = (1..8_usize).prop_flat_map(move |vertices| {
        vec(vec(vertex(reach), vertices), 2..8).prop_map(move |poses| (vertices, poses))
    });
    (vec(surface, 1..4), vec(0..8_usize, 1..24)).prop_map(|(surfaces, order)| {
        let mut model = Model::new(Format::Md3);
        model.frames = vec![Frame::default(); order.len()];
        for (vertices, poses) in surfaces {
            let base = order.iter().flat_map(|&pose| poses[pose % poses.len()].clone()).collect();
            model.surfaces.push(Surface { texcoords: vec![[0.0; 2]; vertices], base, ..Surface::default() });
        }
        model
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_model_comes_back_from_its_bytes(model in model()) {
        let bytes = model.write().unwrap();
        let again = read(&bytes).unwrap();
        prop_assert_eq!(again.verify(&bytes).status, Status::Identical);
        prop_assert_eq!(again, model);
    }

    #[test]
    fn bytes_changed_anywhere_are_an_error_or_come_back(
        model in model(),
        changes in vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let mut bytes = model.write().unwrap();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Ok(again) = read(&bytes) {
            prop_assert!(matches!(again.verify(&bytes).status, Status::Identical | Status::Guarded));
            let _ = again.decode();
        }
    }

    #[test]
    fn every_mode_stays_within_its_error(model in prop_oneof![animation(60), animation(500), animation(3000)]) {
        let exact = model.decode().unwrap();
        let mut sizes = Vec::new();
        for mode in [Mode::Engine, Mode::LosslessFirst, Mode::Smallest] {
            let encoded = to_mdc(&model, mode).unwrap();
            prop_assert!(encoded.measure.max_units <= 0.0434, "{mode}: {:?}", encoded.measure);
            prop_assert_eq!(encoded.model.write().unwrap().len(), encoded.measure.bytes);
            prop_assert_eq!(encoded.measure.md3_bytes, model.write().unwrap().len());
            let mut worst = 0.0_f32;
            for (exact, track) in exact.iter().zip(encoded.model.decode().unwrap()) {
                for (exact, found) in exact.all_positions.iter().zip(track.all_positions) {
                    for axis in 0..3 {
                        worst = worst.max((exact[axis] - found[axis]).abs());
                    }
                }
            }
            prop_assert!(worst <= 0.0251, "{mode}: {worst}");
            prop_assert_eq!(encoded.report.is_lossy(), encoded.measure.compressed > 0);
            sizes.push(encoded.measure.bytes);
        }
        prop_assert!(sizes[2] <= sizes[1], "{sizes:?}");
    }

    #[test]
    fn the_engine_mode_undoes_expanding(model in animation(500)) {
        let first = to_mdc(&model, Mode::Engine).unwrap().model;
        let (plain, _) = to_md3(&first).unwrap();
        let second = to_mdc(&plain, Mode::Engine).unwrap().model;
        prop_assert_eq!(second, first);
    }

    #[test]
    fn an_md3_without_movement_survives_exactly(model in animation(0)) {
        let (again, _) = to_md3(&to_mdc(&model, Mode::LosslessFirst).unwrap().model).unwrap();
        for (again, surface) in again.surfaces.iter().zip(&model.surfaces) {
            for (again, vertex) in again.base.iter().zip(&surface.base) {
                prop_assert_eq!(again.position, vertex.position);
            }
        }
    }

    #[test]
    fn tag_angles_come_back_as_the_same_rotation(angles in any::<[i16; 3]>(), origin in any::<[i16; 3]>()) {
        let mut model = Model::new(Format::Mdc);
        model.frames = vec![Frame::default()];
        model.tags = Tags::Packed { names: vec![Name::default()], poses: vec![PackedTag { origin, angles }] };
        let (plain, report) = to_md3(&model).unwrap();
        let noted = report.notes().iter().any(|note| note.path == "tags.angles");
        prop_assert_eq!(report.notes().len(), usize::from(noted));
        let engine = to_mdc(&plain, Mode::Engine).unwrap().model.tags;
        prop_assert_eq!(engine != model.tags, noted);
        for mode in [Mode::Engine, Mode::Smallest] {
            let encoded = to_mdc(&plain, mode).unwrap();
            prop_assert_eq!(encoded.measure.max_tag_units, 0.0);
            // At a pitch of 90 degrees yaw and roll rotate about the same axis, and each angle may lose half a step.
            let most = if mode == Mode::Engine { 0.023 } else { 0.017 };
            prop_assert!(encoded.measure.max_tag_degrees < most, "{mode}: {:?}", encoded.measure);
        }
    }

    #[test]
    fn rounded_normals_are_near(a in -1.0_f32..1.0, b in -1.0_f32..1.0, c in -1.0_f32..1.0) {
        prop_assume!(a.abs() + b.abs() + c.abs() > 0.01);
        let found = normals::unpack(normals::pack([a, b, c]));
        prop_assert!(normals::degrees_between(found, [a, b, c]) < 1.0);
        let nearest = normals::table()[usize::from(normals::nearest([a, b, c]))];
        prop_assert!(normals::degrees_between(nearest, [a, b, c]) < 10.8);
    }

    #[test]
    fn halfway_is_halfway(model in animation(3000), share in 0.0_f32..=1.0) {
        let last = model.frames.len() - 1;
        let surface = &model.surfaces[0];
        let [old, new] = [0, last].map(|frame| surface.decode_one(frame).unwrap());
        let between = surface.decode_between(0, last, share).unwrap();
        for index in 0..surface.vertex_count() {
            for axis in 0..3 {
                let [old, new] = [&old, &new].map(|track| track.all_positions[index][axis]);
                let expected = old * share + new * (1.0 - share);
                prop_assert!((between.all_positions[index][axis] - expected).abs() < 1e-4);
            }
        }
    }

    #[test]
    fn axes_of_any_angles_are_at_right_angles(angles in [-360.0_f64..360.0, -360.0..360.0, -360.0..360.0]) {
        let [forward, left, up] = pose::axes_of(angles);
        for (a, b) in [(forward, left), (left, up), (up, forward)] {
            prop_assert!((normals::degrees_between(a, b) - 90.0).abs() < 1e-3);
        }
    }
}
