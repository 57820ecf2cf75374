//! Poses of real M2 models, computed by the lowering and the sampler and, independently, from the file.
//!
//! Every model of the corpus is posed at 20 times in up to 6 sequences. Node matrices have to agree within 1e-4 and posed
//! vertices within 1e-5 of the model's size.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::print_stdout)]

mod pose;

use effigy_m2::{Caps, Companion, Model};
use effigy_scene::sample::{Moment, Pose, Sampler};
use effigy_scene::validate;
use pose::{Blend, Time};
use std::path::{Path, PathBuf};

const SEQUENCES: usize = 6;
const TIMES: usize = 20;
const NEAR_VERTEX: f64 = 1e-5;
const NEAR_MATRIX: f64 = 1e-4;

/// Reads a model with the `.skin` and `.anim` files that the corpus has for it.
fn load(path: &Path, files: &[PathBuf]) -> Option<Model> {
    let mut model = effigy_m2::read(&std::fs::read(path).unwrap()).ok()?;
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    let folder = path.parent().unwrap().file_name();
    for companion in model.companions() {
        let wanted = companion.file_name(&model, &name).unwrap();
        let fits = |path: &&PathBuf| {
            path.parent().unwrap().file_name() == folder
                && path.file_name().unwrap().eq_ignore_ascii_case(&wanted)
        };
        let Some(found) = files.iter().find(fits) else { continue };
        let attached = model.attach(companion, &std::fs::read(found).unwrap());
        assert!(attached.is_ok() || matches!(companion, Companion::Animation(_)), "{}", found.display());
    }
    Some(model)
}

/// The largest differences of matrices and of vertices, the latter as a fraction of the model's size.
#[derive(Clone, Copy, Debug, Default)]
struct Difference {
    matrix: f64,
    vertex: f64,
    vertices: usize,
}

impl Difference {
    fn is_near(&self) -> bool {
        self.matrix <= NEAR_MATRIX && self.vertex <= NEAR_VERTEX
    }
}

fn size(model: &Model) -> f64 {
    let mut low = [f64::INFINITY; 3];
    let mut high = [f64::NEG_INFINITY; 3];
    for vertex in &model.vertices {
        for axis in 0..3 {
            low[axis] = low[axis].min(vertex.position[axis].into());
            high[axis] = high[axis].max(vertex.position[axis].into());
        }
    }
    let square: f64 = low.iter().zip(high).map(|(low, high)| (high - low).powi(2)).sum();
    if square.is_finite() && square > 0.0 { square.sqrt() } else { 1.0 }
}

/// Compares one pose. Translations of matrices are compared relative to the size if that is above 1.
fn compare(model: &Model, sampled: &Pose, bones: &[pose::Matrix], size: f64, found: &mut Difference) {
    for (index, bone) in bones.iter().enumerate() {
        let matrix = sampled.matrix(effigy_scene::Id::new(u32::try_from(index).unwrap()));
        for (column, wanted) in matrix.iter().zip(bone.columns.iter().chain([&bone.translation])) {
            let scale = if std::ptr::eq(wanted, &raw const bone.translation) { size.max(1.0) } else { 1.0 };
            for (part, wanted) in column.iter().zip(wanted) {
                found.matrix = found.matrix.max((f64::from(*part) - wanted).abs() / scale);
            }
        }
    }
    let Some(view) = model.views().next() else { return };
    for (submesh, mesh) in view.submeshes.iter().zip(sampled.meshes()) {
        let first = usize::from(submesh.vertex_start);
        let indices = view.vertices.get(first..first + usize::from(submesh.vertex_count)).unwrap_or_default();
        for (index, position) in indices.iter().zip(&mesh.positions) {
            let wanted = pose::vertex(&model.vertices[usize::from(*index)], bones);
            for (part, wanted) in position.iter().zip(wanted) {
                found.vertex = found.vertex.max((f64::from(*part) - wanted).abs() / size);
            }
            found.vertices += 1;
        }
    }
}

/// Differences of all poses of a model, with a rule for blending rotations.
fn differences(model: &Model, blend: Blend) -> Difference {
    let scene = validate(effigy_convert::m2::lower(model).scene).unwrap();
    let sampler = Sampler::new(&scene);
    let mut sampled = sampler.pose();
    let mut found = Difference::default();
    let size = size(model);
    let step = model.sequences.len().div_ceil(SEQUENCES).max(1);
    // A fixed sequence of numbers that looks random.
    let mut seed = 0x2545_f491_u32;
    for sequence in (0..model.sequences.len()).step_by(step) {
        let length = f64::from(model.sequences[sequence].length());
        for _ in 0..TIMES {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let elapsed = (length * f64::from(seed >> 8) / f64::from(1_u32 << 24)).floor();
            let clock = f64::from(seed >> 16);
            let moment = Moment { sequence: scene.sequences.id(sequence), time: elapsed, clock };
            sampler.sample(&moment, None, &mut sampled);
            sampler.skin(&mut sampled);
            let bones = pose::bones(model, Time { sequence, elapsed, clock }, blend);
            compare(model, &sampled, &bones, size, &mut found);
        }
    }
    found
}

#[test]
fn poses_agree_with_a_second_implementation() {
    let Some(corpus) = effigy_testkit::corpus() else { return };
    let files = effigy_testkit::files(&corpus, |_| true);
    let (mut models, mut vertices, mut worst) = (0, 0, Difference::default());
    let mut far = Vec::new();
    for path in &files {
        if !effigy_m2::sniff(&std::fs::read(path).unwrap()) {
            continue;
        }
        let Some(model) = load(path, &files) else { continue };
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let wrath = model.caps().contains(Caps::NESTED);
        let found = differences(&model, if wrath { Blend::Nlerp } else { Blend::Slerp });
        models += 1;
        vertices += found.vertices;
        if found.is_near() {
            worst.matrix = worst.matrix.max(found.matrix);
            worst.vertex = worst.vertex.max(found.vertex);
        } else {
            far.push((name, found));
        }
    }
    println!("{models} models, {vertices} vertices: at most {worst:?}");
    for (name, found) in &far {
        println!("{name}: {found:?}");
    }
    assert!(far.is_empty(), "{} models differ", far.len());
    assert!(models >= 82 && vertices > 1_000_000, "only {models} models with {vertices} vertices");
}
