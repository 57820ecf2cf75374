//! glTF 2.0 from any model: lowered to a scene, with the textures that are found, and a report.

use crate::{ConvertOptions, Converted, Format, Model, Result, Target};

/// The formats that have a scene to export.
pub(crate) const FROM: &[Format] = &[Format::Mdx, Format::Mdl, Format::M2, Format::Mdc, Format::Md3];

/// Exports a model with its textures.
pub(crate) fn convert(model: &Model, target: &Target, options: &ConvertOptions) -> Result<Converted> {
    let lowered = model.lower()?;
    let mut report = lowered.report;
    let scene = effigy_scene::validate(lowered.scene)?;
    let team = usize::from(options.gltf.team_color.unwrap_or(0));
    let mut file = effigy_gltf::export(&scene, &options.gltf, &mut *model.textures(Some(team)))?;
    report.append(std::mem::take(&mut file.report));
    if target.format == Format::Glb {
        return Ok(Converted::file(file.into_glb()?, report));
    }
    Ok(Converted::gltf(file, report))
}
