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

/// What a skin or a character file says about a model of this family.
#[derive(Clone, Debug, Default)]
pub(crate) struct Look {
    /// The name of the skin that the user wants.
    pub(crate) wanted: Option<String>,
    /// The skin itself, where it is known.
    pub(crate) skin: Option<effigy_mdc::skin::Skin>,
    /// The share of the vertices that is drawn.
    pub(crate) detail: Option<f32>,
    /// Whether Enemy Territory's table of sines poses the bones.
    pub(crate) et_sines: bool,
    /// The path of the animation group (Enemy Territory).
    pub(crate) group: Option<String>,
    /// What was not found: what it is for, and its path.
    pub(crate) missing: Vec<(String, String)>,
}

/// The model with the shaders of its skin.
#[cfg(feature = "scene")]
pub(crate) fn dressed(model: &crate::Opened<effigy_mdc::Model>) -> std::borrow::Cow<'_, effigy_mdc::Model> {
    let Some(skin) = &model.origin.look.skin else { return std::borrow::Cow::Borrowed(model) };
    let mut dressed = (**model).clone();
    for surface in &mut dressed.surfaces {
        let name = effigy_mdc::skin::surface_key(&surface.name.text());
        let listed = skin.surfaces.iter().find(|(own, _)| *own == name);
        let Some((_, shader)) = listed else { continue };
        let shader = effigy_mdc::Shader { name: effigy_wire::FixedStr::truncated(shader), index: 0 };
        surface.shaders = vec![shader];
    }
    std::borrow::Cow::Owned(dressed)
}

/// The named frames of a model: `weapon.cfg` next to the hands of a weapon, `animation.cfg` next to the parts of a player.
#[cfg(feature = "scene")]
pub(crate) fn timing(model: &crate::Opened<effigy_mdc::Model>) -> effigy_convert::mdc::FrameTiming {
    effigy_convert::mdc::FrameTiming { sequences: named_frames(model).sequences, ..Default::default() }
}

/// The named frames of a model, and where the names are from.
#[derive(Debug, Default)]
pub(crate) struct NamedFrames {
    /// The rows that fit the model.
    pub(crate) sequences: Vec<effigy_mdc::sequences::Sequence>,
    /// The file that lists them.
    pub(crate) file: Option<String>,
    /// What is not right about it: place and message.
    pub(crate) problems: Vec<(String, String)>,
}

/// The named frames of a model, as far as they exist: in `weapon.cfg` next to the hands of a weapon, else in
/// `NAME.animation.cfg` or `animation.cfg` next to a model with more than one frame.
#[allow(unused_variables, reason = "without files there is nothing next to the model")]
pub(crate) fn named_frames(model: &crate::Opened<effigy_mdc::Model>) -> NamedFrames {
    let mut found = NamedFrames::default();
    #[cfg(feature = "assets")]
    if let Some(file) = model.origin.file.as_ref().filter(|_| model.frames.len() > 1) {
        use effigy_mdc::sequences::{Sequence, parse_animations, parse_weapon};
        let name = file.file_name();
        let stem = name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem);
        let is_hand = stem.to_ascii_lowercase().ends_with("hand");
        let names = match is_hand {
            true => vec!["weapon.cfg".to_owned()],
            false => vec![format!("{stem}.animation.cfg"), "animation.cfg".to_owned()],
        };
        let text = |name: &String| Some((name.clone(), file.beside(name, &Limits::DEFAULT)?));
        let Some((name, bytes)) = names.iter().find_map(text) else { return found };
        let text = String::from_utf8_lossy(&bytes);
        let rows = if is_hand {
            parse_weapon(&text)
        } else {
            parse_animations(&text).map(|config| {
                found.problems = config.problems.iter().map(|it| (name.clone(), it.to_string())).collect();
                config.sequences
            })
        };
        let frames = model.frames.len();
        let fits = |row: &Sequence| {
            (row.first as usize)
                .checked_add(row.count as usize)
                .is_some_and(|end| row.count > 0 && end <= frames)
        };
        match rows {
            Ok(rows) => found.sequences = rows.into_iter().filter(fits).collect(),
            Err(error) => found.problems.push((name.clone(), error.to_string())),
        }
        found.file = Some(name);
    }
    found
}

/// A named range of frames as people see it.
pub(crate) fn sequence_line(row: &effigy_mdc::sequences::Sequence) -> crate::Sequence {
    crate::Sequence {
        name: row.name.clone(),
        seconds: row.seconds(),
        speed: row.move_speed.max(0.0),
        looping: row.loop_frames > 0,
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
pub(crate) fn summary(model: &crate::Opened<effigy_mdc::Model>) -> Summary {
    let shaders = || model.surfaces.iter().flat_map(|surface| &surface.shaders);
    let named = named_frames(model);
    Summary {
        files: named.file.into_iter().collect(),
        problems: named.problems.into_iter().map(|(place, text)| format!("{place}: {text}")).collect(),
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
        sequences: named.sequences.iter().map(sequence_line).collect(),
        ..Summary::default()
    }
}

/// The first frame's bounds as stored.
fn bounds(model: &effigy_mdc::Model) -> Option<Bounds> {
    model.frames.first().map(|frame| Bounds { min: frame.min, max: frame.max, radius: frame.radius })
}
