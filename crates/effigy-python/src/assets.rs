//! The files of a game, and single archives.

use crate::errors::OrRaise;
use crate::give::{Give, Giver};
use crate::model::Model;
use crate::opening::{Files, Given, Opening, Place, given, named_files};
use effigy::Limits;
use effigy::assets::{Entry, FileRef, Memory, Source, Stack};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyIterator, PyMapping, PyString, PyTuple, PyType};
use std::path::PathBuf;
use std::sync::Arc;

/// The files of a game: folders and archives, of which later ones win over earlier ones, and files in memory.
///
/// Folders and archives are opened once and shared by all models that are opened with them.
#[pyclass(frozen, module = "pyeffigy")]
pub struct Assets {
    assets: Arc<effigy::assets::Assets>,
    stack: Stack,
    /// The arguments, from which a copy in another process is made.
    arguments: Vec<Argument>,
}

enum Argument {
    Path(PathBuf),
    Files(Files),
}

impl Assets {
    /// The library's own.
    pub fn shared(&self) -> Arc<effigy::assets::Assets> {
        Arc::clone(&self.assets)
    }

    /// The places in order, in words that are the same for the same places.
    pub fn places(&self) -> Vec<PathBuf> {
        let place = |argument: &Argument| match argument {
            Argument::Path(path) => path.clone(),
            Argument::Files(files) => {
                let names = files.iter().map(|(name, bytes)| format!("{name} ({} bytes)", bytes.len()));
                names.collect::<Vec<_>>().join(", ").into()
            }
        };
        self.arguments.iter().map(place).collect()
    }

    fn build(py: Python<'_>, arguments: Vec<Argument>) -> PyResult<Self> {
        let mut assets = effigy::assets::Assets::new(Limits::DEFAULT);
        let mut stack = Stack::default();
        for argument in &arguments {
            let source: Arc<dyn Source> = match argument {
                Argument::Path(path) => {
                    let opened = py.detach(|| effigy::assets::open(path, &Limits::DEFAULT));
                    opened.or_raise(py, &path.display().to_string())?
                }
                Argument::Files(files) => {
                    let add = |memory: Memory, (name, bytes): &(String, Arc<[u8]>)| {
                        memory.with(name, Arc::clone(bytes))
                    };
                    Arc::new(files.iter().fold(Memory::new("memory"), add))
                }
            };
            assets.push(Arc::clone(&source));
            stack.push(source);
        }
        Ok(Self { assets: Arc::new(assets), stack, arguments })
    }
}

/// The game's files that a caller names: an `Assets`, or the path or paths of folders and archives.
pub fn of(given: &Bound<'_, PyAny>) -> PyResult<Py<Assets>> {
    if let Ok(assets) = given.cast::<Assets>() {
        return Ok(assets.clone().unbind());
    }
    let py = given.py();
    let one = given.is_instance_of::<PyString>()
        || given.hasattr("__fspath__")?
        || given.cast::<PyMapping>().is_ok();
    let list: Vec<Bound<'_, PyAny>> =
        if one { vec![given.clone()] } else { given.try_iter()?.collect::<PyResult<_>>()? };
    Py::new(py, Assets::new(&PyTuple::new(py, list)?)?)
}

#[pymethods]
impl Assets {
    #[new]
    #[pyo3(signature = (*sources))]
    fn new(sources: &Bound<'_, PyTuple>) -> PyResult<Self> {
        let argument = |source: Bound<'_, PyAny>| match source.cast::<PyMapping>() {
            Ok(_) => named_files(Some(&source)).map(Argument::Files),
            Err(_) => source.extract().map(Argument::Path),
        };
        let arguments = sources.iter().map(argument).collect::<PyResult<_>>()?;
        Self::build(sources.py(), arguments)
    }

    /// The content of a file, or None. Case and kind of slash do not matter, as in the games.
    fn read<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let bytes = py.detach(|| self.stack.read(name)).or_raise(py, name)?;
        Ok(bytes.map(|bytes| PyBytes::new(py, &bytes)))
    }

    /// Where a file is, as a path that `open` and `read_texture` take, or None.
    fn find(&self, py: Python<'_>, name: &str) -> Option<String> {
        py.detach(|| self.stack.find(name)).map(|found| found.to_string())
    }

    fn __contains__(&self, py: Python<'_>, name: &str) -> bool {
        py.detach(|| self.stack.find(name)).is_some()
    }

    fn __repr__(&self) -> String {
        let labels: Vec<&str> = self.stack.sources().iter().map(|source| source.label()).collect();
        format!("Assets({})", labels.join(", "))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyType>, Bound<'py, PyTuple>)> {
        let py = slf.py();
        let argument = |argument: &Argument| match argument {
            Argument::Path(path) => Ok(path.into_pyobject(py)?.into_any()),
            Argument::Files(files) => Ok(files_dict(py, files)?.into_any()),
        };
        let arguments: Vec<_> = slf.get().arguments.iter().map(argument).collect::<PyResult<_>>()?;
        Ok((slf.get_type(), PyTuple::new(py, arguments)?))
    }
}

/// Named files as a dictionary.
pub fn files_dict<'py>(py: Python<'py>, files: &Files) -> PyResult<Bound<'py, PyDict>> {
    let into = PyDict::new(py);
    files.iter().try_for_each(|(name, bytes)| into.set_item(name, PyBytes::new(py, bytes)))?;
    Ok(into)
}

/// An archive (MPQ, .w3x, .w3n, PK3, zip) or a folder, read only. Iterating over it gives the names of its files.
#[pyclass(frozen, module = "pyeffigy")]
pub struct Archive {
    source: Arc<dyn Source>,
    /// The path, or the bytes, that it was made from.
    made_from: Py<PyAny>,
    /// The path; none for an archive in memory.
    path: Option<PathBuf>,
}

impl Archive {
    fn entry(&self, name: &str) -> PyResult<Entry> {
        self.source
            .find(name)
            .ok_or_else(|| PyKeyError::new_err(format!("{} has no file {name}", self.source.label())))
    }

    fn names(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let entries = py.detach(|| self.source.list()).or_raise(py, self.source.label())?;
        Ok(entries.into_iter().map(|entry| entry.name).collect())
    }
}

#[pymethods]
impl Archive {
    #[new]
    fn new(source: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = source.py();
        let (opened, path) = match given(source)? {
            Given::Path(path) => {
                let opened = py.detach(|| effigy::assets::open(&path, &Limits::DEFAULT));
                (opened.or_raise(py, &path.display().to_string())?, Some(path))
            }
            Given::Bytes(bytes) => {
                let opened = py.detach(|| effigy::assets::open_bytes("memory", bytes, &Limits::DEFAULT));
                (opened.or_raise(py, "")?, None)
            }
        };
        Ok(Self { source: opened, made_from: source.clone().unbind(), path })
    }

    /// All files with their sizes, sorted by name.
    fn list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let entries = py.detach(|| self.source.list()).or_raise(py, self.source.label())?;
        entries.give(&Giver::plain(py))
    }

    /// The content of a file. Case and kind of slash do not matter, as in the games. A file that is not there is a KeyError.
    fn read<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyBytes>> {
        let entry = self.entry(name)?;
        let bytes = py.detach(|| self.source.open(&entry)).or_raise(py, name)?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Opens a model of the archive, with the files next to it there.
    #[pyo3(signature = (name, *, assets=None))]
    fn open(&self, py: Python<'_>, name: &str, assets: Option<&Bound<'_, PyAny>>) -> PyResult<Model> {
        let opening = Opening { assets: assets.map(of).transpose()?, ..Opening::default() };
        let options = opening.options(py)?;
        let file = FileRef::inside(Arc::clone(&self.source), self.entry(name)?);
        let (model, bytes) =
            py.detach(|| effigy::open_keeping_bytes(&file, &options)).or_raise(py, file.label())?;
        let place = match &self.path {
            // A folder is not an archive: its files have paths of their own.
            Some(folder) if folder.is_dir() => Place::Path(folder.join(name)),
            Some(_) => Place::Path(PathBuf::from(file.label())),
            None => Place::Memory { name: name.to_owned(), files: Vec::new() },
        };
        Ok(Model::new(model, bytes, place, opening))
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.names(py)?.len())
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        PyTuple::new(py, self.names(py)?)?.try_iter()
    }

    fn __contains__(&self, name: &str) -> bool {
        self.source.find(name).is_some()
    }

    fn __repr__(&self) -> String {
        format!("<Archive {}>", self.source.label())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyType>, Bound<'py, PyTuple>)> {
        let made_from = slf.get().made_from.bind(slf.py());
        Ok((slf.get_type(), PyTuple::new(slf.py(), [made_from])?))
    }
}
