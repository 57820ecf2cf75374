//! Conversions, and writing files.

use crate::give::{Class, Give, Giver};
use crate::model::{Model, State};
use effigy::{ConvertOptions, Format, Report, Target};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::path::Path;

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
    static CONVERTED: Class = Class::new("pyeffigy.results", "Converted", &["data", "companions", "report"]);
    let (files, report) = model.work(py, |state| {
        let mut converted = state.model.convert_with(&target.parse()?, &options)?;
        let report = std::mem::take(&mut converted.report);
        Ok((converted.into_files(name)?, report))
    })?;
    let companions = PyDict::new(py);
    for (name, bytes) in &files.companions {
        companions.set_item(name, PyBytes::new(py, bytes))?;
    }
    let data = PyBytes::new(py, &files.main).into_any();
    CONVERTED.make(py, [data, companions.into_any(), report.give(&Giver::plain(py))?])
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
