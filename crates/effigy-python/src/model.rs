//! The class `Model`.

use crate::assets::files_dict;
use crate::errors::{OrRaise, exception};
use crate::give::{Give, Giver};
use crate::image::Image;
use crate::opening::{Opening, Place};
use crate::{convert, fields, pickle, pose, render};
use effigy::scene::ValidScene;
use effigy::{CheckOptions, Operation, Report};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// A model of any format. `pyeffigy.open` makes it.
///
/// Nothing is lost: `save` writes the bytes that were read, but for what was changed. A model can be used by several threads, and
/// be pickled.
#[pyclass(frozen, module = "pyeffigy")]
pub struct Model {
    state: Mutex<State>,
    pub place: Place,
    pub opening: Opening,
}

/// A model as it is now. A change makes another one, so that whoever looks at this one is not disturbed.
#[derive(Clone)]
pub struct State {
    pub model: Arc<effigy::Model>,
    /// The bytes of its file.
    pub bytes: Arc<Vec<u8>>,
    scene: Arc<SceneCell>,
}

/// The scene, once somebody has asked for it.
struct SceneCell {
    checked: OnceLock<effigy::Result<Checked>>,
    given: PyOnceLock<Py<PyAny>>,
}

#[derive(Clone)]
pub struct Checked {
    pub scene: ValidScene,
    pub report: Report,
}

impl State {
    fn new(model: effigy::Model, bytes: Vec<u8>) -> Self {
        let scene = SceneCell { checked: OnceLock::new(), given: PyOnceLock::new() };
        Self { model: Arc::new(model), bytes: Arc::new(bytes), scene: Arc::new(scene) }
    }

    /// The scene of the model, made when it is first needed.
    pub fn checked(&self) -> effigy::Result<&Checked> {
        let make = || {
            let effigy::Lowered { scene, report } = self.model.lower()?;
            Ok(Checked { scene: effigy::scene::validate(scene)?, report })
        };
        self.scene.checked.get_or_init(make).as_ref().map_err(Clone::clone)
    }
}

impl Model {
    pub fn new(model: effigy::Model, bytes: Vec<u8>, place: Place, opening: Opening) -> Self {
        Self { state: Mutex::new(State::new(model, bytes)), place, opening }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The model as it is now. While another thread changes it, this waits without the interpreter.
    pub fn now(&self, py: Python<'_>) -> State {
        match self.state.try_lock() {
            Ok(state) => state.clone(),
            Err(_) => py.detach(|| self.lock().clone()),
        }
    }

    /// What to call it in messages.
    pub fn label(&self) -> String {
        self.place.label()
    }

    /// Works on the model without the interpreter.
    pub fn work<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&State) -> effigy::Result<T> + Send,
    ) -> PyResult<T> {
        let state = self.now(py);
        py.detach(|| work(&state)).map_err(|error| exception(py, &error, &self.label()))
    }

    /// Changes the model without the interpreter. Other threads see the model as it was until the change is complete.
    fn change<T: Send>(
        &self,
        py: Python<'_>,
        change: impl FnOnce(&State) -> effigy::Result<(Option<State>, T)> + Send,
    ) -> PyResult<T> {
        let changed = py.detach(|| {
            let mut state = self.lock();
            let (new, result) = change(&state)?;
            if let Some(new) = new {
                *state = new;
            }
            Ok(result)
        });
        changed.or_raise(py, &self.label())
    }

    fn apply(&self, py: Python<'_>, operation: &Operation) -> PyResult<(usize, Report)> {
        self.change(py, |state| {
            let edited = state.model.edited(&state.bytes, std::slice::from_ref(operation))?;
            let new = (edited.changed > 0).then(|| State::new(edited.model, edited.bytes));
            Ok((new, (edited.changed, edited.report)))
        })
    }

    /// One of the lists of the scene.
    fn list<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        self.scene(py)?.getattr(name)
    }
}

#[pymethods]
impl Model {
    /// The format that it was read as, such as `mdx` or `m2`.
    #[getter]
    fn format(&self, py: Python<'_>) -> &'static str {
        self.now(py).model.format().name()
    }

    /// Which game's dialect of the format, where there is more than one.
    #[getter]
    fn dialect(&self, py: Python<'_>) -> Option<&'static str> {
        self.now(py).model.dialect()
    }

    /// The version that the file states.
    #[getter]
    fn version(&self, py: Python<'_>) -> u32 {
        self.now(py).model.version()
    }

    /// The model's own name; empty where it has none.
    #[getter]
    fn name(&self, py: Python<'_>) -> String {
        self.now(py).model.name()
    }

    /// The path that it was opened from, which may lead into an archive; None for a model that was opened from bytes.
    #[getter]
    fn path(&self) -> Option<String> {
        match &self.place {
            Place::Path(path) => Some(path.display().to_string()),
            Place::Memory { .. } => None,
        }
    }

    /// What is in the model, in the same words for every format: what `effigy info` shows.
    #[getter]
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let summary = self.work(py, |state| Ok(state.model.summary()))?;
        summary.give(&Giver::plain(py))
    }

    /// The paths of the textures of the summary; None for those that are missing or that the game makes up.
    fn find_textures<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let found: Vec<Option<String>> = self.work(py, |state| {
            let found = state.model.find_textures(&state.model.summary().textures);
            Ok(found.into_iter().map(|one| one.map(|one| one.to_string())).collect())
        })?;
        PyTuple::new(py, found)
    }

    /// What the reader noticed. Reading never repairs: what is odd is reported here and kept.
    #[getter]
    fn diagnostics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let state = self.now(py);
        let diagnostics: Vec<effigy::Diagnostic> = state.model.diagnostics().iter().cloned().collect();
        diagnostics.give(&Giver::plain(py))
    }

    /// Everything that a viewer or an exporter needs, the same for every format. Arrays look at the library's memory: they are
    /// read only, and stay valid when the model is changed or gone.
    #[getter]
    fn scene<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let state = self.now(py);
        let given = state.scene.given.get_or_try_init(py, || {
            let scene = py.detach(|| state.checked().map(|checked| checked.scene.clone()));
            let scene = scene.or_raise(py, &self.label())?;
            let giver = Giver::of(py, Arc::new(scene.clone()));
            scene.give(&giver).map(Bound::unbind)
        })?;
        Ok(given.bind(py).clone())
    }

    /// What became of the model on its way into the scene.
    #[getter]
    fn scene_report<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let report = self.work(py, |state| Ok(state.checked()?.report.clone()))?;
        report.give(&Giver::plain(py))
    }

    /// The animations of the scene.
    #[getter]
    fn sequences<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.list(py, "sequences")
    }

    /// The textures of the scene, by name. `texture` reads their pixels.
    #[getter]
    fn textures<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.list(py, "textures")
    }

    /// The materials of the scene.
    #[getter]
    fn materials<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.list(py, "materials")
    }

    /// The bones and other nodes of the scene.
    #[getter]
    fn nodes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.list(py, "nodes")
    }

    /// The meshes of the scene.
    #[getter]
    fn meshes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.list(py, "meshes")
    }

    /// The pixels of a texture of the scene, by its number; None when it is not found. With `team`, textures of the player's
    /// colour are those of the player of this number.
    #[pyo3(signature = (number, *, team=None))]
    fn texture(&self, py: Python<'_>, number: usize, team: Option<usize>) -> PyResult<Option<Image>> {
        self.work(py, |state| {
            let textures = &state.checked()?.scene.textures;
            let texture = textures.as_slice().get(number).ok_or_else(|| {
                effigy::Error::usage(format!("there is no texture {number}, there are {}", textures.len()))
            })?;
            Ok(state.model.textures(team).image(texture).map(Image::from))
        })
    }

    /// The pose at a time of a sequence, in seconds since its start, as the game computes it. The sequence is a name, a number, or
    /// None for the model at rest. `clock` is the time of global sequences, the same as `time` unless it is given.
    #[pyo3(signature = (sequence=None, time=0.0, *, clock=None))]
    fn pose<'py>(
        &self,
        py: Python<'py>,
        sequence: Option<&Bound<'py, PyAny>>,
        time: f64,
        clock: Option<f64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        pose::pose(self, py, sequence, time, clock)
    }

    /// The matrices of all nodes at many times of a sequence, in seconds since its start: times, nodes, 4, 4. Global sequences
    /// start with it. The same as `pose(sequence, time).matrices` for each time, without the meshes.
    fn motion<'py>(
        &self,
        py: Python<'py>,
        sequence: Option<&Bound<'py, PyAny>>,
        times: Vec<f64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        pose::motion(self, py, sequence, &times)
    }

    /// Every field of the file, as dictionaries, lists, numbers and texts. The keys and positions make the paths that `set` takes. A
    /// part that comes twice is called `NAME#2` the second time.
    fn fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let fields = self.work(py, |state| Ok(fields::read(&state.model)))?;
        fields.give(py)
    }

    /// Sets a field by its path, such as `SEQS[2].rarity`; `[*]` stands for every element. Returns what did not come
    /// out exactly.
    fn set<'py>(
        &self,
        py: Python<'py>,
        path: String,
        value: &Bound<'_, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let operation = Operation::Set { path, value: fields::text_of(value)? };
        let (_, report) = self.apply(py, &operation)?;
        report.give(&Giver::plain(py))
    }

    /// Applies an operation of `effigy edit`, such as `edit("scale", "2")` or `edit("rename-sequence", "Walk=Run")`. Returns how
    /// much was changed, and what did not come out exactly.
    #[pyo3(signature = (verb, argument=""))]
    fn edit<'py>(&self, py: Python<'py>, verb: &str, argument: &str) -> PyResult<(usize, Bound<'py, PyAny>)> {
        let operation = Operation::parse(verb, argument).or_raise(py, "")?;
        let (changed, report) = self.apply(py, &operation)?;
        Ok((changed, report.give(&Giver::plain(py))?))
    }

    /// What is wrong with the model, most severe first. `select` and `ignore` list codes, beginnings of codes or groups.
    #[pyo3(signature = (*, select=Vec::new(), ignore=Vec::new()))]
    fn check<'py>(
        &self,
        py: Python<'py>,
        select: Vec<String>,
        ignore: Vec<String>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let findings = self.work(py, |state| {
            let options = CheckOptions { select: &select, ignore: &ignore, ..CheckOptions::default() };
            Ok(state.model.check(&options).findings)
        })?;
        findings.give(&Giver::plain(py))
    }

    /// Repairs what `check` finds, as far as that is safe, and returns what was done. `codes` lists the rules; all without it.
    #[pyo3(signature = (codes=Vec::new()))]
    fn fix<'py>(&self, py: Python<'py>, codes: Vec<String>) -> PyResult<Bound<'py, PyAny>> {
        let applied = self.change(py, |state| {
            let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
            let Some(repaired) = state.model.repaired(&state.bytes, &codes) else {
                return Ok((None, Vec::new()));
            };
            Ok((Some(State::new(repaired.model, repaired.bytes?)), repaired.applied))
        })?;
        applied.give(&Giver::plain(py))
    }

    /// Converts to another format or version: `glb`, `mdx:800`, `reforged`. `name` is the stem of the files that belong to the
    /// result. Without `textures` they are left out; `scale` changes the size; `animations` names those that glTF gets.
    #[pyo3(signature = (target, *, name="model", textures=true, scale=None, animations=Vec::new()))]
    fn convert<'py>(
        &self,
        py: Python<'py>,
        target: &str,
        name: &str,
        textures: bool,
        scale: Option<f32>,
        animations: Vec<String>,
    ) -> PyResult<Bound<'py, PyAny>> {
        convert::convert(self, py, target, name, convert::options(textures, scale, animations))
    }

    /// Writes the model and the files that belong to it. The extension chooses the format. What was not changed is the same, byte
    /// for byte. Returns what did not arrive as it was.
    fn save<'py>(&self, py: Python<'py>, path: PathBuf) -> PyResult<Bound<'py, PyAny>> {
        let state = self.now(py);
        let report = py.detach(|| convert::save(&state, &path)).or_raise(py, &path.display().to_string())?;
        report.give(&Giver::plain(py))
    }

    /// The bytes of the model's file: those that were read, but for what was changed.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.now(py).bytes)
    }

    /// The files that belong to the model, by their names: skins and animations of an M2, buffers of a glTF file. With them,
    /// `open(model.to_bytes(), name=..., files=model.companions())` is the same model without its folder.
    fn companions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let state = self.now(py);
        let bundle = py.detach(|| state.model.bundle()).or_raise(py, &self.label())?;
        let files = bundle.companions.into_iter().map(|(name, bytes)| (name, bytes.into())).collect();
        files_dict(py, &files)
    }

    /// Draws the model. Notebooks show the result.
    ///
    /// `size` is a number of pixels or width and height; `sequence` a name or number; `time` seconds or a share such as `"50%"`;
    /// `camera` is `auto`, `front`, `side`, `three-quarter`, `portrait`, the name of one of the model's, or a pair of eye and
    /// target; `background` is `gradient`, `transparent` or a colour; `team_color` a number, a name or a colour; `overlays` names
    /// such as `bones,grid`. With `sheet`, every sequence is shown on a tile.
    #[pyo3(signature = (size=None, *, sequence=None, time=None, camera=None, background=None, team_color=None, overlays=None,
        lod=0, shadow=true, sheet=false))]
    #[allow(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn render(
        &self,
        py: Python<'_>,
        size: Option<&Bound<'_, PyAny>>,
        sequence: Option<&Bound<'_, PyAny>>,
        time: Option<&Bound<'_, PyAny>>,
        camera: Option<&Bound<'_, PyAny>>,
        background: Option<&str>,
        team_color: Option<&Bound<'_, PyAny>>,
        overlays: Option<&str>,
        lod: u32,
        shadow: bool,
        sheet: bool,
    ) -> PyResult<Image> {
        let words = render::Words {
            size: render::size(size)?,
            sequence: sequence.map(render::word).transpose()?,
            time: time.map(render::word).transpose()?,
            camera: camera.map(render::camera).transpose()?,
            background: background.map(str::to_owned),
            team_color: team_color.map(render::word).transpose()?,
            overlays: overlays.map(str::to_owned),
        };
        self.work(py, |state| render::render(state, &words, lod, shadow, sheet))
    }

    /// Compares the bytes that the typed model gives with those of its file.
    fn verify<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let verdict = self.work(py, |state| Ok(state.model.verify(&state.bytes)))?;
        verdict.give(&Giver::plain(py))
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let model = self.now(py).model;
        let (name, format, version) = (model.name(), model.format().title(), model.version());
        let name = if name.is_empty() { self.label() } else { name };
        format!("<Model '{name}' {format} {version}>")
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        pickle::reduce_model(slf.py(), slf.get())
    }
}
