//! Poses, by the library's own sampler.

use crate::array::{Keeper, array};
use crate::give::{Class, Give, Giver, records, tuple, tuples};
use crate::model::{Model, State};
use effigy::Error;
use effigy::scene::sample::{LayerPose, MeshPose, Moment, Pose, Sampler, TexturePose};
use effigy::scene::{Id, Sequence, find_sequence};
use pyo3::prelude::*;
use pyo3::types::PyString;
use std::sync::Arc;

records! { in "pose";
    MeshPose => "MeshPose" { positions, normals, color, visible, layers }
    LayerPose => "LayerPose" { color, visible, emissive_gain, textures }
    TexturePose => "TexturePose" { texture, matrix }
}

tuples!(LayerPose, TexturePose);

/// A sequence as a caller names it.
enum Wanted {
    Rest,
    Number(usize),
    Name(String),
}

impl Wanted {
    fn of(sequence: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        match sequence {
            None => Ok(Self::Rest),
            Some(name) if name.is_instance_of::<PyString>() => name.extract().map(Self::Name),
            Some(number) => number.extract().map(Self::Number),
        }
    }

    fn find(&self, state: &State) -> effigy::Result<Option<Id<Sequence>>> {
        let sequences = &state.checked()?.scene.sequences;
        let (found, wanted) = match self {
            Self::Rest => return Ok(None),
            Self::Number(number) => (sequences.id(*number), number.to_string()),
            Self::Name(name) => (find_sequence(sequences, name), format!("'{name}'")),
        };
        let names = || {
            let names: Vec<&str> =
                sequences.as_slice().iter().map(|one| one.name.as_str()).take(20).collect();
            format!("there are {}: {}", sequences.len(), names.join(", "))
        };
        match found {
            Some(found) => Ok(Some(found)),
            None => Err(Error::usage(format!("there is no sequence {wanted}")).hint(names())),
        }
    }
}

/// The matrices of the nodes, row by row as NumPy multiplies them, and the meshes.
struct Posed {
    matrices: Vec<[[f32; 4]; 4]>,
    pose: Pose,
}

/// Rows that NumPy multiplies, of columns.
fn rows([a, b, c, d]: [[f32; 4]; 4]) -> [[f32; 4]; 4] {
    let mut rows = [[0.0; 4]; 4];
    for ((((row, a), b), c), d) in rows.iter_mut().zip(a).zip(b).zip(c).zip(d) {
        *row = [a, b, c, d];
    }
    rows
}

fn check_time(time: f64) -> effigy::Result<()> {
    if time.is_finite() { Ok(()) } else { Err(Error::usage("a time is a number of seconds")) }
}

/// The matrices of all nodes at many moments of a sequence.
pub fn motion<'py>(
    model: &Model,
    py: Python<'py>,
    sequence: Option<&Bound<'py, PyAny>>,
    times: &[f64],
) -> PyResult<Bound<'py, PyAny>> {
    let wanted = Wanted::of(sequence)?;
    let (nodes, matrices) = model.work(py, |state| {
        times.iter().try_for_each(|time| check_time(*time))?;
        let sequence = wanted.find(state)?;
        let scene = &state.checked()?.scene;
        let sampler = Sampler::new(scene);
        let mut pose = sampler.pose();
        let mut matrices: Vec<[[f32; 4]; 4]> = Vec::new();
        for time in times {
            let time = time * 1000.0;
            sampler.sample(&Moment { sequence, time, clock: time }, None, &mut pose);
            matrices.extend(scene.nodes.iter().map(|(id, _)| rows(pose.matrix(id))));
        }
        Ok((scene.nodes.len(), Arc::new(matrices)))
    })?;
    let keeper: Keeper = Arc::<Vec<[[f32; 4]; 4]>>::clone(&matrices);
    array(py, &matrices, vec![times.len(), nodes, 4, 4], &keeper)
}

/// The pose of a model at a moment.
pub fn pose<'py>(
    model: &Model,
    py: Python<'py>,
    sequence: Option<&Bound<'py, PyAny>>,
    time: f64,
    clock: Option<f64>,
) -> PyResult<Bound<'py, PyAny>> {
    static POSE: Class =
        Class::new("pyeffigy.pose", "Pose", &["sequence", "time", "clock", "matrices", "meshes"]);
    let wanted = Wanted::of(sequence)?;
    let clock = clock.unwrap_or(time);
    let (sequence, posed) = model.work(py, |state| {
        check_time(time).and(check_time(clock))?;
        let sequence = wanted.find(state)?;
        let scene = &state.checked()?.scene;
        let sampler = Sampler::new(scene);
        let mut pose = sampler.pose();
        sampler.sample(&Moment { sequence, time: time * 1000.0, clock: clock * 1000.0 }, None, &mut pose);
        sampler.skin(&mut pose);
        let matrices = scene.nodes.iter().map(|(id, _)| rows(pose.matrix(id))).collect();
        Ok((sequence, Arc::new(Posed { matrices, pose })))
    })?;
    let keeper: Keeper = Arc::<Posed>::clone(&posed);
    let to = Giver::of(py, keeper);
    let values = [
        sequence.give(&to)?,
        time.give(&to)?,
        clock.give(&to)?,
        posed.matrices.give(&to)?,
        tuple(posed.pose.meshes(), &to)?,
    ];
    POSE.make(py, values)
}
