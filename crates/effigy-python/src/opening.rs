//! Opening models.

use crate::assets::{self, Assets};
use crate::errors::OrRaise;
use crate::model::Model;
use effigy::assets::{FileRef, Memory, Source};
use effigy::{Finder, Limits, OpenOptions, Wanted};
use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyMapping, PyString, PyTuple};
use std::path::PathBuf;
use std::sync::Arc;

/// What a caller names: a file, or its content.
pub enum Given {
    Path(PathBuf),
    Bytes(Vec<u8>),
}

/// A path, or anything that holds bytes.
pub fn given(source: &Bound<'_, PyAny>) -> PyResult<Given> {
    if let Ok(bytes) = source.cast::<PyBytes>() {
        return Ok(Given::Bytes(bytes.as_bytes().to_vec()));
    }
    if !source.is_instance_of::<PyString>()
        && let Ok(buffer) = PyBuffer::<u8>::get(source)
    {
        return Ok(Given::Bytes(buffer.to_vec(source.py())?));
    }
    Ok(Given::Path(source.extract()?))
}

/// Named files in memory.
pub type Files = Vec<(String, Arc<[u8]>)>;

/// The files of a mapping from names to bytes.
pub fn named_files(files: Option<&Bound<'_, PyAny>>) -> PyResult<Files> {
    let Some(files) = files else { return Ok(Vec::new()) };
    let mut list = Vec::new();
    for item in files.cast::<PyMapping>()?.items()?.try_iter()? {
        let (name, content): (String, Bound<'_, PyAny>) = item?.extract()?;
        list.push((name, Arc::from(content_of(&content)?)));
    }
    Ok(list)
}

/// The bytes of an object that holds bytes.
fn content_of(content: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    match content.cast::<PyBytes>() {
        Ok(bytes) => Ok(bytes.as_bytes().to_vec()),
        Err(_) => PyBuffer::<u8>::get(content)?.to_vec(content.py()),
    }
}

/// Where a model was opened.
pub enum Place {
    /// A path, which may lead into an archive.
    Path(PathBuf),
    /// Among these files in memory, the model itself left out.
    Memory { name: String, files: Files },
}

impl Place {
    /// What to call the model in messages.
    pub fn label(&self) -> String {
        match self {
            Self::Path(path) => path.display().to_string(),
            Self::Memory { name, .. } => name.clone(),
        }
    }
}

/// How a model is opened.
#[derive(Default)]
pub struct Opening {
    pub assets: Option<Py<Assets>>,
    pub format: Option<String>,
    pub skin: Option<String>,
    pub detail: Option<f32>,
}

impl Opening {
    /// The library's options.
    pub fn options(&self, py: Python<'_>) -> PyResult<OpenOptions> {
        Ok(OpenOptions {
            format: self.format.as_deref().map(str::parse).transpose().or_raise(py, "")?,
            assets: self.assets.as_ref().map(|assets| assets.get().shared()).unwrap_or_default(),
            skin: self.skin.clone(),
            detail: self.detail,
            ..OpenOptions::default()
        })
    }
}

/// A model among files in memory.
pub fn in_memory(name: &str, bytes: Arc<[u8]>, files: &Files) -> effigy::Result<FileRef> {
    let memory = files
        .iter()
        .fold(Memory::new("memory"), |memory, (name, bytes)| memory.with(name, Arc::clone(bytes)))
        .with(name, bytes);
    let entry = memory.find(name).ok_or_else(|| effigy::assets::missing(name))?;
    Ok(FileRef::inside(Arc::new(memory), entry))
}

/// Opens a model, with the files that belong to it.
///
/// `source` is a path, which may lead into an archive (`map.w3x:units/footman.mdx`), or the bytes of a file. Bytes may come with
/// a `name`, whose extension helps to tell formats apart, and with other `files` by name, among which skins and textures are
/// found. `assets` are the game's files: an `Assets`, or the path or paths of folders and archives. `format` takes the file for
/// this format whatever its content says. `skin` and `detail` choose the look of a body of Wolfenstein.
#[pyfunction]
#[pyo3(signature = (source, *, assets=None, files=None, name=None, format=None, skin=None, detail=None))]
#[allow(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub fn open(
    source: &Bound<'_, PyAny>,
    assets: Option<&Bound<'_, PyAny>>,
    files: Option<&Bound<'_, PyAny>>,
    name: Option<String>,
    format: Option<String>,
    skin: Option<String>,
    detail: Option<f32>,
) -> PyResult<Model> {
    let py = source.py();
    let opening = Opening { assets: assets.map(assets::of).transpose()?, format, skin, detail };
    let options = opening.options(py)?;
    let (place, opened) = match given(source)? {
        Given::Path(path) => {
            let opened =
                py.detach(|| effigy::open_keeping_bytes(&FileRef::locate(&path, &options.limits)?, &options));
            (Place::Path(path), opened)
        }
        Given::Bytes(bytes) => {
            let (name, files) = (name.unwrap_or_else(|| "model".to_owned()), named_files(files)?);
            let opened = py.detach(|| {
                let bytes: Arc<[u8]> = bytes.into();
                effigy::open_keeping_bytes(&in_memory(&name, bytes, &files)?, &options)
            });
            (Place::Memory { name, files }, opened)
        }
    };
    let (model, bytes) = opened.or_raise(py, &place.label())?;
    Ok(Model::new(model, bytes, place, opening))
}

/// The paths of all models that these files, folders, archives and patterns stand for, each as `open` takes it.
#[pyfunction]
#[pyo3(signature = (*paths))]
pub fn find<'py>(py: Python<'py>, paths: Vec<PathBuf>) -> PyResult<Bound<'py, PyTuple>> {
    let names: Vec<String> = py.detach(|| {
        let mut finder = Finder::new(Limits::DEFAULT);
        finder.wanted = Wanted::Scenes;
        paths.iter().for_each(|path| finder.add(path));
        finder.inputs.into_iter().map(|input| input.name).collect()
    });
    PyTuple::new(py, names)
}
