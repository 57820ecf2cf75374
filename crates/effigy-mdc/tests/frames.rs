//! Known values: what stored numbers mean, and which frames the encoders choose.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use effigy_mdc::interpolate::{drawn_frame, wrapped_frame};
use effigy_mdc::pose::axes_of;
use effigy_mdc::{
    Format, Formula, Frame, Mode, Model, Name, PackedTag, PackedVertex, Surface, Tag, Tags, Vertex, normals,
    to_md3, to_mdc,
};
use effigy_wire::{Kind, Limits, Outcome};

fn near(a: [f32; 3], b: [f32; 3]) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-5)
}

/// One vertex in three frames: in full, moved by offsets, and in full again. The normal points to +z in full.
fn one_vertex() -> Model {
    let mut model = Model::new(Format::Mdc);
    model.frames = vec![Frame { local_origin: [100.0, 0.0, 0.0], ..Frame::default() }; 3];
    model.surfaces = vec![Surface {
        texcoords: vec![[0.0; 2]],
        base: vec![Vertex { position: [64, -128, 32], normal: 0 }],
        // Entry 0 of the table points to +x; 255 is the largest offset.
        compressed: vec![PackedVertex { offset: [129, 0, 255], normal: 0 }],
        base_of_frame: vec![0, 0, 0],
        compressed_of_frame: vec![-1, 0, -2],
        ..Surface::default()
    }];
    model
}

#[test]
fn the_games_formula() {
    let track = &one_vertex().decode().unwrap()[0];
    assert!(near(track.positions(0)[0], [1.0, -2.0, 0.5]));
    assert!(near(track.positions(1)[0], [1.0 + 0.1, -2.0 - 6.35, 0.5 + 6.4]));
    assert!(near(track.positions(2)[0], [1.0, -2.0, 0.5]));
    assert!(near(track.normals(0)[0], [0.0, 0.0, 1.0]));
    assert!(near(track.normals(1)[0], [1.0, 0.0, 0.0]));
    assert_eq!(track.positions(3), &[] as &[[f32; 3]]);

    let (mut positions, mut normals) = (vec![[9.0; 3]], Vec::new());
    one_vertex().decode_into(&mut positions, &mut normals).unwrap();
    assert_eq!((&positions, &normals), (&track.all_positions, &track.all_normals));
}

#[test]
fn the_guess_of_2004() {
    let track = &one_vertex().decode_with(Formula::Guess2004, &Limits::DEFAULT).unwrap()[0];
    assert!(near(track.positions(0)[0], [101.0, -2.0, 0.5]));
    assert!(near(track.positions(1)[0], [101.0 + 0.125, -2.0 - 127.0 / 16.0, 0.5 + 8.0]));
    assert!(near(track.normals(1)[0], [0.5_f32.sqrt(), 0.0, 0.5_f32.sqrt()]));
}

#[test]
fn two_byte_normals_have_the_polar_angle_in_the_low_byte() {
    assert!(near(normals::unpack(0x0040), [1.0, 0.0, 0.0]));
    assert!(near(normals::unpack(0x4040), [0.0, 1.0, 0.0]));
    assert!(near(normals::unpack(0x4000), [0.0, 0.0, 1.0]));
    assert!(near(normals::unpack(0x0080), [0.0, 0.0, -1.0]));
}

#[test]
fn expanding_rounds_to_the_stored_units() {
    let (plain, report) = to_md3(&one_vertex()).unwrap();
    assert_eq!(plain.surfaces[0].base[1].position, [64 + 6, -128 - 406, 32 + 410]);
    assert_eq!(plain.surfaces[0].base[1].normal, 0x0040);
    assert!(report.is_lossy());
    assert_eq!(plain.surfaces[0].ident, Format::Md3.surface_ident());
}

#[test]
fn interpolated_normals_have_unit_length_and_tag_axes_are_not_orthogonalised() {
    let track = one_vertex().surfaces[0].decode_between(0, 1, 0.5).unwrap();
    assert!(near(track.all_normals[0], [0.5_f32.sqrt(), 0.0, 0.5_f32.sqrt()]));
    assert!(near(track.all_positions[0], [1.05, -2.0 - 3.175, 3.7]));

    let mut model = one_vertex();
    let poses = [([64, 0, 0], [0, 0, 0]), ([192, 0, 0], [0, 8175, 0]), ([0; 3], [0; 3])];
    model.tags = Tags::Packed {
        names: vec![Name::new("tag_head").unwrap()],
        poses: poses.into_iter().map(|(origin, angles)| PackedTag { origin, angles }).collect(),
    };
    let pose = model.tag_between(0, 0, 1, 0.25).unwrap();
    assert!(near(pose.origin, [2.5, 0.0, 0.0]));
    // A quarter of +x and three quarters of +y, normalised.
    let length = 0.625_f32.sqrt();
    assert!(near(pose.axes[0], [0.25 / length, 0.75 / length, 0.0]));
    assert!(near(pose.axes[2], [0.0, 0.0, 1.0]));
    assert_eq!(model.tag_pose(0, 99), model.tag_pose(0, 2));
    assert_eq!(model.tag_pose(1, 0), None);
    assert_eq!((model.find_tag("tag_head", 0), model.find_tag("tag_head", 1)), (Some(0), None));
    assert_eq!(model.find_tag("TAG_HEAD", 0), None);
}

#[test]
fn frames_out_of_range_become_the_first_or_wrap() {
    assert_eq!((drawn_frame(2, 3), drawn_frame(3, 3)), (2, 0));
    assert_eq!((wrapped_frame(2, 3), wrapped_frame(7, 3), wrapped_frame(1, 0)), (2, 1, 0));
}

/// An MD3 with a surface for each list, one vertex each, at these heights in 1/64 units.
fn heights(surfaces: &[&[i16]]) -> Model {
    let mut model = Model::new(Format::Md3);
    model.frames = vec![Frame::default(); surfaces[0].len()];
    for heights in surfaces {
        let base = heights.iter().map(|&z| Vertex { position: [0, 0, z], normal: 0 }).collect();
        model.surfaces.push(Surface { texcoords: vec![[0.0; 2]], base, ..Surface::default() });
    }
    model
}

fn tables(model: &Model, surface: usize) -> (Vec<i16>, Vec<i16>) {
    let surface = &model.surfaces[surface];
    (surface.base_of_frame.clone(), surface.compressed_of_frame.clone())
}

#[test]
fn the_engine_makes_a_base_of_all_surfaces_where_one_moves_too_far() {
    // 406 of 1/64 units are below 6.35 units, 407 are not.
    let model = heights(&[&[0, 406, 407, 406, 0], &[0, 0, 0, 0, 0]]);
    let encoded = to_mdc(&model, Mode::Engine).unwrap();
    let expected = (vec![0, 0, 1, 1, 2], vec![-1, 0, -1, 1, -1]);
    assert_eq!(tables(&encoded.model, 0), expected);
    assert_eq!(tables(&encoded.model, 1), expected);
    assert_eq!((encoded.measure.bases, encoded.measure.compressed), (6, 4));
    assert_eq!(encoded.model.surfaces[0].compressed[0].offset, [127, 127, 254]);
    assert_eq!(
        encoded.report.notes()[0].message,
        "760 of 700 bytes, 6 base and 4 compressed frames: error of vertices at most 0.0156 units (0.0053 RMS), \
         of normals at most 11.3 degrees (7.1 RMS)"
    );
}

#[test]
fn lossless_first_shares_frames_and_keeps_bases_exact() {
    let model = heights(&[&[0, 407, 0, 407, 16], &[5, 5, 5, 5, 5]]);
    let encoded = to_mdc(&model, Mode::LosslessFirst).unwrap();
    assert_eq!(tables(&encoded.model, 0), (vec![0, 1, 0, 1, 0], vec![-1, -1, -1, -1, 0]));
    assert_eq!(tables(&encoded.model, 1), (vec![0; 5], vec![-1; 5]));
}

#[test]
fn smallest_puts_a_base_in_the_middle() {
    // Two vertices, each up or down: no frame reaches another one, but all reach the middle.
    let mut model = heights(&[&[0, 0, 0, 0]]);
    let vertex = |z: i16| Vertex { position: [0, 0, z], normal: 0 };
    model.surfaces[0].texcoords.push([0.0; 2]);
    model.surfaces[0].base = [0, 0, 800, 0, 0, 800, 800, 800].map(vertex).to_vec();
    let lossless = to_mdc(&model, Mode::LosslessFirst).unwrap();
    let smallest = to_mdc(&model, Mode::Smallest).unwrap();
    assert_eq!((lossless.measure.bases, lossless.measure.compressed), (4, 0));
    assert_eq!((smallest.measure.bases, smallest.measure.compressed), (1, 4));
    assert_eq!(smallest.model.surfaces[0].base[0].position, [0, 0, 400]);
    assert!(smallest.measure.bytes < lossless.measure.bytes);
    assert!(smallest.measure.max_units <= 0.0251);
}

#[test]
fn tags_are_truncated_by_the_engine_mode_and_rounded_by_the_others() {
    let mut model = heights(&[&[0]]);
    let mut axes = [0.0; 9];
    // 90.86 steps of yaw.
    axes.copy_from_slice(axes_of([0.0, 90.86 * 360.0 / 32700.0, 0.0]).as_flattened());
    model.tags = Tags::Full(vec![Tag {
        name: Name::new("tag_a").unwrap(),
        origin: [0.99 / 64.0, -0.99 / 64.0, 1.0],
        axes,
    }]);
    let pose = |mode: Mode| match to_mdc(&model, mode).unwrap().model.tags {
        Tags::Packed { names, poses } => {
            assert_eq!(names[0], "tag_a");
            (poses[0].origin, poses[0].angles)
        }
        Tags::Full(_) => panic!("an MDC with tags of an MD3"),
    };
    assert_eq!(pose(Mode::Engine), ([0, 0, 64], [0, 90, 0]));
    assert_eq!(pose(Mode::LosslessFirst), ([1, -1, 64], [0, 91, 0]));
    assert_eq!(pose(Mode::Smallest), ([1, -1, 64], [0, 91, 0]));
}

#[test]
fn what_mdc_cannot_represent_is_reported() {
    let mut model = heights(&[&[0, 0]]);
    let tag =
        |name: &str, x: f32| Tag { name: Name::new(name).unwrap(), origin: [x, 0.0, 0.0], ..Tag::default() };
    model.tags = Tags::Full(vec![tag("tag_a", 0.0), tag("tag_b", 1000.0)]);
    let report = to_mdc(&model, Mode::Smallest).unwrap().report;
    let found: Vec<_> = report.notes().iter().map(|note| (note.outcome, note.path.as_str())).collect();
    assert_eq!(
        found,
        [
            (Outcome::Dropped, "tags[1].name"),
            (Outcome::Approximated, "tags[1].origin"),
            (Outcome::Approximated, "tags")
        ]
    );
}

#[test]
fn a_surface_with_too_few_frames_cannot_be_encoded() {
    let mut model = heights(&[&[0, 1, 2]]);
    model.surfaces[0].base.pop();
    let error = to_mdc(&model, Mode::Engine).unwrap_err();
    assert_eq!(error.kind(), Kind::Malformed);
    assert_eq!(error.to_string(), "surfaces[0]: frame 2 needs base frame 2, which does not exist");
}

#[test]
fn angles_with_another_form_of_the_same_rotation_are_reported() {
    // 32700 steps are a full turn, so -16350 and 16350 are the same yaw. The game's compressor stores the latter.
    let with = |yaw: i16| {
        let mut model = one_vertex();
        let name = Name::new("tag_a").unwrap();
        let pose = PackedTag { origin: [0; 3], angles: [0, yaw, 0] };
        model.tags = Tags::Packed { names: vec![name], poses: vec![pose; model.frames.len()] };
        let (md3, report) = to_md3(&model).unwrap();
        let noted = report.notes().iter().any(|note| note.path == "tags.angles");
        let Tags::Packed { poses, .. } = to_mdc(&md3, Mode::Engine).unwrap().model.tags else {
            unreachable!()
        };
        (poses[0].angles[1], noted)
    };
    assert_eq!(with(1000), (1000, false));
    assert_eq!(with(16350), (16350, false));
    assert_eq!(with(-16350), (16350, true));
}

#[test]
fn a_conversion_reports_that_it_changes_the_layout() {
    let bytes = one_vertex().write().unwrap();
    let longer: Vec<u8> = bytes.iter().copied().chain(*b"note").collect();
    let notes = |bytes: &[u8]| {
        let report = to_md3(&effigy_mdc::read(bytes).unwrap()).unwrap().1;
        report.notes().iter().map(|note| note.path.clone()).collect::<Vec<_>>()
    };
    assert_eq!(notes(&bytes), ["surfaces"]);
    // Bytes at the end are part of the model and are kept.
    assert_eq!(notes(&longer), ["surfaces"]);
    let mut gap = bytes.clone();
    let frames = gap.len();
    gap.extend(*b"gap!");
    // The frames move behind the gap, so that their old place and the gap belong to nothing.
    let at = usize::try_from(u32::from_le_bytes(gap[92..96].try_into().unwrap())).unwrap();
    let moved: Vec<u8> = gap[at..at + 3 * 56].to_vec();
    gap.extend(moved);
    gap[92..96].copy_from_slice(&u32::try_from(frames + 4).unwrap().to_le_bytes());
    assert_eq!(notes(&gap), ["surfaces", "layout", "filler"]);
}

#[test]
fn exact_tags_and_the_head_of_the_file_arrive_as_they_were() {
    let mut model = heights(&[&[0, 0]]);
    (model.skins, model.flags) = (3, 7);
    let tag = |x: f32| Tag { name: Name::new("tag_a").unwrap(), origin: [x, 0.0, 0.0], ..Tag::default() };
    model.tags = Tags::Full(vec![tag(0.5), tag(1.0)]);
    for (mode, name) in
        [(Mode::Engine, "engine"), (Mode::LosslessFirst, "lossless-first"), (Mode::Smallest, "smallest")]
    {
        let encoded = to_mdc(&model, mode).unwrap();
        assert_eq!((encoded.model.skins, encoded.model.flags), (3, 7));
        let about_tags = encoded.report.notes().iter().filter(|note| note.path.starts_with("tags")).count();
        assert_eq!(about_tags, 0, "{:?}", encoded.report);
        assert_eq!(mode.to_string(), name);
    }
}

#[test]
fn a_frame_refers_to_the_base_that_it_is_nearest_to() {
    // Steps of 3.2 units from the base: 32 is ten steps exactly, 33 loses 1/64 unit less from 407 (-374, 117 steps: 374.4)
    // than from 0 (10 steps: 32). Both bases are within reach.
    let model = heights(&[&[0, 407, 32, 33]]);
    let encoded = to_mdc(&model, Mode::LosslessFirst).unwrap();
    assert_eq!(tables(&encoded.model, 0), (vec![0, 1, 0, 1], vec![-1, -1, 0, 1]));
}
