//! Conversions, and writing files.

use crate::errors::OrRaise;
use crate::give::{Class, Give, Giver};
use crate::image::Image;
use crate::model::{Model, State};
use crate::scene::taken;
use effigy::{ConvertOptions, Converted, Files, Format, Report, Target};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// The options of a conversion, of which each family of formats takes what it has.
pub fn options(textures: bool, scale: Option<f32>, animations: Vec<String>) -> ConvertOptions {
    let mut options = ConvertOptions { no_textures: !textures, ..ConvertOptions::default() };
    options.raise.scale = scale;
    options.gltf.textures = textures;
    options.gltf.animations = animations;
    if let Some(scale) = scale {
        options.gltf.scale = scale;
    }
    options
}

/// The files of a conversion and its report.
pub fn convert<'py>(
    model: &Model,
    py: Python<'py>,
    target: &str,
    name: &str,
    options: ConvertOptions,
) -> PyResult<Bound<'py, PyAny>> {
    let (files, report) =
        model.work(py, |state| files(state.model.convert_with(&target.parse()?, &options)?, name))?;
    converted(py, &files, &report)
}

fn files(mut converted: Converted, name: &str) -> effigy::Result<(Files, Report)> {
    let report = std::mem::take(&mut converted.report);
    Ok((converted.into_files(name)?, report))
}

/// The dataclass of a conversion.
fn converted<'py>(py: Python<'py>, files: &Files, report: &Report) -> PyResult<Bound<'py, PyAny>> {
    static CONVERTED: Class = Class::new("pyeffigy.results", "Converted", &["data", "companions", "report"]);
    let companions = PyDict::new(py);
    for (name, bytes) in &files.companions {
        companions.set_item(name, PyBytes::new(py, bytes))?;
    }
    let data = PyBytes::new(py, &files.main).into_any();
    CONVERTED.make(py, [data, companions.into_any(), report.give(&Giver::plain(py))?])
}

/// Makes a model of a game from a scene: that of another model, changed with `dataclasses.replace`, or one of your own.
///
/// `target` is `mdx`, `mdl`, `m2`, `md3` or `mdc`, with a version after a colon where it has several. A scene whose rules are those
/// of the target's game is written as it is; any other is converted, as `Model.convert` does it: `scale` is game units per unit of
/// the scene, `names` the text of a file with names for sequences and attachments, `keep_keys` leaves all keys, and
/// `texture_folder` is where textures are placed. `textures` has the images of the scene's textures by their number, for targets
/// that need them in another encoding. `name` is the name of the model and of its files.
#[pyfunction]
#[pyo3(signature = (scene, target, *, name="model", textures=None, scale=None, names=None, keep_keys=false, texture_folder=None))]
#[allow(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub fn make<'py>(
    scene: &Bound<'py, PyAny>,
    target: &str,
    name: &str,
    textures: Option<BTreeMap<usize, Py<Image>>>,
    scale: Option<f32>,
    names: Option<&str>,
    keep_keys: bool,
    texture_folder: Option<String>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = scene.py();
    let scene = taken(scene)?;
    let images: BTreeMap<usize, Arc<effigy::image::Image>> = textures
        .unwrap_or_default()
        .iter()
        .map(|(at, image)| (*at, Arc::clone(&image.get().image)))
        .collect();
    let made = py.detach(|| {
        let mut options = ConvertOptions::default();
        options.raise.scale = scale;
        options.raise.keep_keys = keep_keys;
        options.raise.name = name.to_owned();
        options.raise.names = names.map(effigy::read_names).transpose()?.unwrap_or_default();
        if let Some(folder) = texture_folder {
            options.raise.texture_folder = folder;
        }
        let known = scene.textures.clone();
        let find = move |wanted: &effigy::scene::Texture| {
            let mut own = known.as_slice().iter().enumerate().filter(|(_, texture)| *texture == wanted);
            own.find_map(|(at, _)| images.get(&at)).map(|image| (**image).clone())
        };
        files(effigy::make(scene, Box::new(find), &target.parse()?, &options)?, name)
    });
    let (files, report) = made.or_raise(py, "")?;
    converted(py, &files, &report)
}

/// Writes a model in its own format as it is, and otherwise converts it.
pub fn save(state: &State, path: &Path) -> effigy::Result<Report> {
    let State { model, bytes, .. } = state;
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    let extension = extension.unwrap_or_default();
    // Two formats share the extension .mdx: the model's own counts first.
    let own = Format::from_extension(&extension).is_none() || extension == model.format().extension();
    match model.format() {
        // Skins and animations are named after the model, and a copy has another name.
        Format::M2 if own => model.convert(&Target { format: Format::M2, version: None })?.save(path),
        format if own => {
            if format == Format::Gltf {
                let folder = path.parent().unwrap_or(Path::new(""));
                for (name, content) in model.bundle()?.companions {
                    let companion = effigy::assets::destination::below(folder, Path::new(&name))?;
                    effigy::assets::destination::write(&companion, &content, true)?;
                }
            }
            effigy::assets::destination::write(path, bytes, true)?;
            Ok(Report::default())
        }
        _ => model.save(path),
    }
}
