//! Models and images that are sent to another process.
//!
//! A model carries its bytes and those of the files that belong to it. Where its path exists, its textures are found there again;
//! elsewhere the files that it carries are all that it has.

use crate::assets::{Assets, files_dict};
use crate::errors::OrRaise;
use crate::image::Image;
use crate::model::Model;
use crate::opening::{Files, Opening, Place, in_memory, named_files};
use effigy::assets::FileRef;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use std::path::PathBuf;
use std::sync::Arc;

type Reduced<'py> = (Bound<'py, PyAny>, Bound<'py, PyTuple>);

fn function<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("pyeffigy._pyeffigy")?.getattr(name)
}

pub fn reduce_model<'py>(py: Python<'py>, model: &Model) -> PyResult<Reduced<'py>> {
    let state = model.now(py);
    if !state.model.parts().is_empty() {
        return reduce_assembly(py, model, &state.model);
    }
    let (path, name, mut files) = match &model.place {
        Place::Path(path) => {
            let name = state.model.file().map(FileRef::file_name).unwrap_or_default();
            (Some(path), name, Files::new())
        }
        Place::Memory { name, files } => (None, name.clone(), files.clone()),
    };
    // Companions lie next to the model, also where it is in a folder of the files in memory.
    let folder = name.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
    let bundle = py.detach(|| state.model.bundle()).or_raise(py, &model.label())?;
    for (companion, bytes) in bundle.companions {
        let companion = format!("{folder}{companion}");
        files.retain(|(known, _)| !known.eq_ignore_ascii_case(&companion));
        files.push((companion, bytes.into()));
    }
    let Opening { assets, format, skin, detail } = &model.opening;
    let arguments = [
        path.into_bound_py_any(py)?,
        name.into_bound_py_any(py)?,
        PyBytes::new(py, &state.bytes).into_any(),
        files_dict(py, &files)?.into_any(),
        assets.as_ref().map(|assets| assets.clone_ref(py)).into_bound_py_any(py)?,
        format.into_bound_py_any(py)?,
        skin.into_bound_py_any(py)?,
        detail.into_bound_py_any(py)?,
    ];
    Ok((function(py, "restore_model")?, PyTuple::new(py, arguments)?))
}

/// A model that consists of several files is opened again.
fn reduce_assembly<'py>(py: Python<'py>, model: &Model, opened: &effigy::Model) -> PyResult<Reduced<'py>> {
    let Place::Path(path) = &model.place else {
        let text = "a model with attached models can be pickled only if it was opened from a path";
        return Err(effigy::Error::unsupported(text)).or_raise(py, &model.label());
    };
    let options = model.opening.options(py)?;
    let unchanged = py.detach(|| {
        let again = effigy::open_with(path, &options)?;
        Ok::<_, effigy::Error>(again.write()? == opened.write()?)
    });
    if !unchanged.or_raise(py, &model.label())? {
        let text = "a changed model with attached models cannot be pickled";
        return Err(effigy::Error::unsupported(text)).or_raise(py, &model.label());
    }
    let Opening { assets, format, skin, detail } = &model.opening;
    let arguments = [
        path.into_bound_py_any(py)?,
        py.None().into_bound(py),
        py.None().into_bound(py),
        py.None().into_bound(py),
        assets.as_ref().map(|assets| assets.clone_ref(py)).into_bound_py_any(py)?,
        format.into_bound_py_any(py)?,
        skin.into_bound_py_any(py)?,
        detail.into_bound_py_any(py)?,
    ];
    Ok((function(py, "restore_model")?, PyTuple::new(py, arguments)?))
}

/// The model that was pickled. It is called by `pickle`.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "what a pickle holds")]
pub fn restore_model(
    py: Python<'_>,
    path: Option<PathBuf>,
    name: Option<String>,
    content: Option<&Bound<'_, PyBytes>>,
    files: Option<&Bound<'_, PyAny>>,
    assets: Option<Py<Assets>>,
    format: Option<String>,
    skin: Option<String>,
    detail: Option<f32>,
) -> PyResult<Model> {
    let opening = Opening { assets, format, skin, detail };
    let options = opening.options(py)?;
    let files = named_files(files)?;
    let content = content.map(|bytes| bytes.as_bytes().to_vec());
    let label =
        path.as_ref().map(|path| path.display().to_string()).or_else(|| name.clone()).unwrap_or_default();
    let opened = py.detach(|| {
        let disk = path.as_deref().map(|path| FileRef::locate(path, &options.limits));
        let Some(content) = content else {
            let file = disk.transpose()?.ok_or_else(|| effigy::Error::usage("a pickle without a model"))?;
            return effigy::open_keeping_bytes(&file, &options);
        };
        if let Some(Ok(file)) = disk.filter(|file| file.as_ref().is_ok_and(|file| file.size().is_some())) {
            let carried = |wanted: &str| {
                let found = files.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted));
                found.map(|(_, bytes)| bytes.to_vec())
            };
            return Ok((effigy::open_carried(&file, &content, &carried, &options)?, content));
        }
        let name = name.as_deref().unwrap_or("model");
        effigy::open_keeping_bytes(&in_memory(name, Arc::from(content.as_slice()), &files)?, &options)
    });
    let (model, bytes) = opened.or_raise(py, &label)?;
    let place = match path {
        Some(path) => Place::Path(path),
        None => Place::Memory { name: name.unwrap_or_default(), files },
    };
    Ok(Model::new(model, bytes, place, opening))
}

pub fn reduce_image<'py>(py: Python<'py>, image: &Image) -> PyResult<Reduced<'py>> {
    let effigy::image::Image { width, height, levels, stored, has_alpha, .. } = &*image.image;
    let levels: Vec<Bound<'py, PyBytes>> = levels.iter().map(|level| PyBytes::new(py, level)).collect();
    let arguments = (*width, *height, levels, stored, *has_alpha, image.missing.clone());
    Ok((function(py, "restore_image")?, arguments.into_pyobject(py)?))
}

/// The image that was pickled. It is called by `pickle`.
#[pyfunction]
pub fn restore_image(
    py: Python<'_>,
    width: u32,
    height: u32,
    levels: Vec<Bound<'_, PyBytes>>,
    stored: String,
    has_alpha: bool,
    missing: Vec<String>,
) -> PyResult<Image> {
    let mut levels = levels.into_iter().map(|level| level.as_bytes().to_vec());
    let mut image =
        effigy::image::Image::new(width, height, levels.next().unwrap_or_default()).or_raise(py, "")?;
    for (level, pixels) in levels.enumerate() {
        // The size of each level follows from that of the first; an array of another size would look beyond its memory.
        let (width, height) = image.level_size(level + 1);
        let level = effigy::image::Image::new(width, height, pixels).or_raise(py, "")?;
        image.levels.extend(level.levels);
    }
    image.stored = stored;
    image.has_alpha = has_alpha;
    Ok(Image { missing, ..Image::from(image) })
}
