//! MDC and MD3 behind the common face. Both are one model; what only one of them has is empty in the other.

use crate::document::same_names;
use crate::{
    Bounds, Converted, Document, Error, Format, Limits, Materials, MdcMode, Mesh, Options, Result, Summary,
    Target, Texture,
};
use effigy_mdc::{Mode, Model};
use effigy_wire::Kind;

/// Reads an MDC or MD3 file behind the common face.
pub(crate) fn read(bytes: &[u8], limits: &Limits) -> Result<Box<dyn Document>> {
    Ok(Box::new(effigy_mdc::read_with(bytes, limits)?))
}

impl Document for Model {
    fn format(&self) -> Format {
        match self.format {
            effigy_mdc::Format::Mdc => Format::Mdc,
            effigy_mdc::Format::Md3 => Format::Md3,
        }
    }
    fn version(&self) -> u32 {
        self.version().unsigned_abs()
    }
    fn name(&self) -> String {
        self.name().into_owned()
    }
    same_names!(summary);
}

/// MDC and MD3 to MDC or MD3.
pub(crate) fn convert(document: &dyn Document, target: Target, options: &Options) -> Result<Converted> {
    let model = document
        .as_any()
        .downcast_ref::<Model>()
        .ok_or_else(|| Error::unsupported("this document was not read by this library"))?;
    let to = if target.format == Format::Md3 { effigy_mdc::Format::Md3 } else { effigy_mdc::Format::Mdc };
    let number = to.number().unsigned_abs();
    if target.version.is_some_and(|version| version != number) {
        return Err(Error::new(Kind::Usage, format!("{} has the version {number} only", target.format)));
    }
    let (made, report) = match to {
        _ if to == model.format => return Ok(Converted { bytes: model.write()?, ..Converted::default() }),
        effigy_mdc::Format::Md3 => effigy_mdc::to_md3(model)?,
        effigy_mdc::Format::Mdc => {
            let mode = match options.mdc {
                MdcMode::Engine => Mode::Engine,
                MdcMode::LosslessFirst => Mode::LosslessFirst,
                MdcMode::Smallest => Mode::Smallest,
            };
            let encoded = effigy_mdc::to_mdc(model, mode)?;
            (encoded.model, encoded.report)
        }
    };
    Ok(Converted { bytes: made.write()?, report, ..Converted::default() })
}

fn wide(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

fn summary(model: &Model) -> Summary {
    let shaders = || model.surfaces.iter().flat_map(|surface| &surface.shaders);
    Summary {
        meshes: model
            .surfaces
            .iter()
            .map(|surface| Mesh {
                name: surface.name.text().into_owned(),
                vertices: wide(surface.vertex_count()),
                triangles: wide(surface.triangles.len()),
            })
            .collect(),
        nodes: Summary::counts(&[("tag", model.tag_count())]),
        materials: Materials { count: wide(shaders().count()), words: Vec::new() },
        textures: shaders()
            .map(|shader| Texture { path: shader.name.text().into_owned(), ..Texture::default() })
            .filter(|texture| !texture.path.is_empty())
            .collect(),
        others: Summary::counts(&[
            ("frame", model.frames.len()),
            ("base frame", model.surfaces.iter().map(effigy_mdc::Surface::base_count).max().unwrap_or(0)),
        ]),
        bounds: bounds(model),
        ..Summary::default()
    }
}

/// The first frame's bounds as stored.
fn bounds(model: &Model) -> Option<Bounds> {
    model.frames.first().map(|frame| Bounds { min: frame.min, max: frame.max, radius: frame.radius })
}
