//! Models of World of Warcraft alpha: what the client does differently from Warcraft III, and an original file.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::print_stdout)]

use effigy_mdx::track::{Interpolation, Key, Track, tags};
use effigy_mdx::{Bone, Dialect, Geoset, GeosetAnimation, Model, ModelInfo, Node};
use effigy_scene::sample::{Moment, Sampler};
use effigy_scene::validate;

fn model() -> Model {
    let mut model = Model::new(Dialect::WowAlpha, 1300, "Small");
    model.sequences = vec![effigy_mdx::Sequence { interval: [0, 1000], ..effigy_mdx::Sequence::default() }];
    model
}

#[test]
fn keys_of_colours_are_blue_first_and_static_ones_red_first() {
    let keys = [Key { time: 0, value: [0.25_f32, 0.5, 1.0], tangents: None }];
    let moving = Track::new(tags::KGAC, Interpolation::LINEAR, &keys).unwrap();
    let animation = |tracks| GeosetAnimation { color: [0.1, 0.2, 0.3], tracks, ..GeosetAnimation::default() };
    let mut model = model();
    model.geosets = vec![Geoset::default(), Geoset::default()];
    model.geoset_animations =
        vec![animation([].into_iter().collect()), animation([moving].into_iter().collect())];
    model.geoset_animations[0].geoset = 0;
    model.geoset_animations[1].geoset = 1;
    let scene = effigy_convert::mdx::lower(&model).scene;
    let meshes = scene.meshes.as_slice();
    assert_eq!(meshes[0].color.base, [0.1, 0.2, 0.3]);
    assert_eq!(meshes[1].color.track.as_ref().unwrap().values, [[1.0, 0.5, 0.25]]);
}

#[test]
fn models_that_always_animate_play_stepped_tracks_as_lines() {
    let keys =
        [(0, 0.0_f32), (1000, 8.0)].map(|(time, x)| Key { time, value: [x, 0.0, 0.0], tangents: None });
    let mut model = model();
    let tracks = [Track::new(tags::KGTR, Interpolation::STEP, &keys).unwrap()].into_iter().collect();
    model.bones = vec![Bone { node: Node { tracks, ..Node::default() }, ..Bone::default() }];
    model.pivots = vec![[0.0; 3]];
    for (flags, expected) in [(0, 0.0), (ModelInfo::ALWAYS_ANIMATE, 2.0)] {
        model.info[0].flags = flags;
        let scene = validate(effigy_convert::mdx::lower(&model).scene).unwrap();
        let sampler = Sampler::new(&scene);
        let mut pose = sampler.pose();
        sampler.sample(&Moment::new(effigy_scene::Id::new(0), 250.0), None, &mut pose);
        assert_eq!(pose.matrix(effigy_scene::Id::new(0))[3][0], expected, "flags {flags}");
    }
}

#[test]
fn rows_of_bones_follow_the_matrix_groups_and_weights_run_backwards() {
    let mut geoset = Geoset {
        vertices: vec![[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]],
        vertex_groups: vec![1, 0, 1],
        bone_indices: vec![[7, 0, 0, 0], [1, 2, 0, 0], [3, 4, 0, 0]],
        bone_weights: vec![[0, 0, 0, 255], [0, 0, 55, 200], [0, 0, 100, 155]],
        ..Geoset::default()
    };
    let expected =
        [([1, 2, 0, 0], [200, 55, 0, 0]), ([7, 0, 0, 0], [255, 0, 0, 0]), ([3, 4, 0, 0], [155, 100, 0, 0])];
    assert_eq!(geoset.influences(), expected);
    let stored = geoset.clone();
    geoset.set_influences(&expected);
    assert_eq!(geoset, stored);
}

/// The one original file that is known: it is not part of the project or of the corpus.
#[test]
fn an_original_model_is_read_completely_and_moves() {
    let Some(corpus) = effigy_testkit::corpus() else { return };
    let path = corpus.join("../alpha/Boar.mdx");
    if !effigy_testkit::require("alpha", path.is_file(), "no original model of World of Warcraft alpha") {
        return;
    }
    let bytes = std::fs::read(path).unwrap();
    let model = effigy_mdx::read(&bytes).unwrap();
    assert_eq!(model.diagnostics().to_vec(), []);
    assert_eq!(model.write().unwrap(), bytes);
    // 26 bones, 4 helpers, 9 attachments, 17 events, 1 hit test shape.
    assert_eq!((model.info[0].flags, model.info[0].node_count, model.nodes().count()), (1, 57, 57));
    // Vertices of the same group have the same bones, whether these come from the group or from the vertex.
    let mut rows = [0, 0];
    for geoset in &model.geosets {
        let groups: Vec<&[u32]> = geoset.groups().collect();
        for (group, (bones, weights)) in geoset.vertex_groups.iter().zip(geoset.influences()) {
            let pulled = bones.into_iter().zip(weights).filter(|(_, weight)| *weight > 0);
            let same =
                pulled.map(|(bone, _)| u32::from(bone)).eq(groups[usize::from(*group)].iter().copied());
            rows[usize::from(same)] += 1;
        }
    }
    // Rows 71 and 81 of the first geoset have changed places in the file: bones 21, 24 and bone 21.
    assert_eq!(rows, [2, 399]);
    let lowered = effigy_convert::mdx::lower(&model);
    let scene = validate(lowered.scene).unwrap();
    let sampler = Sampler::new(&scene);
    let mut pose = sampler.pose();
    let mut at = |time: f64| {
        sampler.sample(&Moment::new(effigy_scene::Id::new(0), time), None, &mut pose);
        sampler.skin(&mut pose);
        pose.meshes().iter().flat_map(|mesh| mesh.positions.clone()).collect::<Vec<_>>()
    };
    let (first, later) = (at(0.0), at(200.0));
    let moved = first.iter().zip(&later).filter(|(a, b)| a != b).count();
    assert!(moved > 300, "only {moved} of {} vertices move", first.len());
    assert!(later.iter().flatten().all(|part| part.abs() < 3.0));
}
