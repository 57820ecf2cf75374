//! MDC and MD3: Return to Castle Wolfenstein and Quake III. Both are one model; what only one of them has is empty in
//! the other.

use crate::{
    Bounds, ConvertOptions, Converted, Error, Format, Limits, Materials, MdcMode, Mesh, Model, Report,
    Result, Summary, Target, Texture,
};
use effigy_mdc::Mode;
use effigy_wire::Kind;

/// Reads an MDC or MD3 file.
pub(crate) fn read(bytes: &[u8], limits: &Limits) -> Result<Model> {
    Ok(Model::from(effigy_mdc::read_with(bytes, limits)?))
}

/// The compression as the format's crate names it.
pub(crate) const fn mode(mode: MdcMode) -> Mode {
    match mode {
        MdcMode::Engine => Mode::Engine,
        MdcMode::LosslessFirst => Mode::LosslessFirst,
        MdcMode::Smallest => Mode::Smallest,
    }
}

/// MDC and MD3 to MDC or MD3.
pub(crate) fn convert(model: &Model, target: &Target, options: &ConvertOptions) -> Result<Converted> {
    let Model::Mdc(model) = model else { return Err(crate::convert::no_route(model, target)) };
    let to = if target.format == Format::Md3 { effigy_mdc::Format::Md3 } else { effigy_mdc::Format::Mdc };
    let number = to.number().unsigned_abs();
    if target.version.is_some_and(|version| version != number) {
        return Err(Error::new(Kind::Usage, format!("{} has the version {number} only", target.format)));
    }
    let (made, report) = match to {
        _ if to == model.format => return Ok(Converted::file(model.write()?, Report::default())),
        effigy_mdc::Format::Md3 => effigy_mdc::to_md3(model)?,
        effigy_mdc::Format::Mdc => {
            let encoded = effigy_mdc::to_mdc(model, mode(options.mdc))?;
            (encoded.model, encoded.report)
        }
    };
    Ok(Converted::file(made.write()?, report))
}

/// Files next to an MDC or MD3 that are checked with it.
#[cfg(all(feature = "check", feature = "assets"))]
#[derive(Default)]
pub(crate) struct Neighbours {
    /// Frames of the finest level of detail, for a coarser one.
    pub(crate) finest_frames: Option<usize>,
    /// The surfaces that the skin names.
    pub(crate) skin_surfaces: Option<Vec<String>>,
}

#[cfg(all(feature = "check", feature = "assets"))]
impl Neighbours {
    pub(crate) fn of(model: &Model, file: &effigy_assets::FileRef) -> Self {
        let mut found = Self::default();
        let (Model::Mdc(_), name) = (model, file.file_name()) else { return found };
        let Some((stem, _)) = name.rsplit_once('.') else { return found };
        let beside = |name: String| file.beside(&name, &Limits::DEFAULT);
        if let Some((finest, _)) = effigy_mdc::lod::finest(&name) {
            let model = beside(finest).and_then(|bytes| effigy_mdc::read(&bytes).ok());
            found.finest_frames = model.map(|model| model.frames.len());
        }
        let skin = beside(format!("{stem}.skin"));
        let skin =
            skin.and_then(|bytes| effigy_mdc::skin::Skin::parse(&String::from_utf8_lossy(&bytes)).ok());
        found.skin_surfaces = skin.map(|skin| skin.surfaces.into_iter().map(|(name, _)| name).collect());
        found
    }
}

fn wide(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

/// What is in the model.
pub(crate) fn summary(model: &effigy_mdc::Model) -> Summary {
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
fn bounds(model: &effigy_mdc::Model) -> Option<Bounds> {
    model.frames.first().map(|frame| Bounds { min: frame.min, max: frame.max, radius: frame.radius })
}
