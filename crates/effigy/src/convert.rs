//! Conversions by name: the one table of conversions between formats.

use crate::{Error, Format, Kind, Model, Report, Result};
use std::fmt;
#[cfg(feature = "assets")]
use std::path::Path;
use std::str::FromStr;

/// What to convert to: a format and, where the format has several, a version. Written `mdx:800`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// The format.
    pub format: Format,
    /// The version; the source's own, or the format's usual one, when none is given.
    pub version: Option<u32>,
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.version {
            Some(version) => write!(f, "{}:{version}", self.format),
            None => write!(f, "{}", self.format),
        }
    }
}

/// Targets by the name of a game's edition: a version that it reads and that tools know.
pub const NAMED: &[(&str, Format, u32)] = &[
    ("classic", Format::Mdx, 800),
    ("reforged", Format::Mdx, 1100),
    ("vanilla", Format::M2, 256),
    ("tbc", Format::M2, 260),
    ("wrath", Format::M2, 264),
];

impl FromStr for Target {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        if let Some((_, format, version)) = NAMED.iter().find(|(name, ..)| name.eq_ignore_ascii_case(text)) {
            return Ok(Self { format: *format, version: Some(*version) });
        }
        let (name, version) = match text.split_once(':') {
            None => (text, None),
            Some((name, number)) => {
                let version = number.parse().map_err(|_| {
                    Error::new(Kind::Usage, format!("'{number}' in '{text}' is not a version number"))
                })?;
                (name, Some(version))
            }
        };
        let format = name.parse()?;
        if matches!(format, Format::Glb | Format::Gltf) && !matches!(version, None | Some(2)) {
            return Err(Error::new(Kind::Usage, format!("'{text}': only version 2 of glTF is written")));
        }
        Ok(Self { format, version })
    }
}

/// Whose spelling of MDL is written where tools differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MdlSpelling {
    /// The game's own.
    #[default]
    Warcraft3,
    /// HiveWE's.
    Hive,
    /// Retera's Model Studio's.
    Retera,
}

/// How MDC is compressed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MdcMode {
    /// As the game's own tool does it.
    #[default]
    Engine,
    /// Exact frames wherever they cost nothing.
    LosslessFirst,
    /// As few bytes as the engine can read.
    Smallest,
}

/// What can be chosen about a conversion besides its target.
#[derive(Clone, Debug, Default)]
pub struct ConvertOptions {
    /// Spelling of MDL.
    pub mdl: MdlSpelling,
    /// MDL without the comments that keep what MDL cannot hold.
    pub mdl_plain: bool,
    /// Compression of MDC.
    pub mdc: MdcMode,
    /// The way into another family: scale, names, weapon. The version is that of the target.
    #[cfg(feature = "scene")]
    pub raise: effigy_convert::raise::RaiseOptions,
    /// Models of another family come without the textures that they need.
    pub no_textures: bool,
    /// Models of Warcraft III from another family come with a second one for the portrait.
    pub portrait: bool,
    /// glTF.
    #[cfg(feature = "gltf")]
    pub gltf: effigy_gltf::ExportOptions,
    /// glTF as one file per sequence, next to one without animations.
    #[cfg(feature = "gltf")]
    pub split_animations: bool,
    /// glTF with the models that attachments of Warcraft III name. The way back makes them parts of the model.
    #[cfg(feature = "gltf")]
    pub attached_models: bool,
    /// The pictures of glTF. Conversions with the same options, and with clones of them, share what is encoded already.
    #[cfg(feature = "gltf")]
    pub pictures: std::sync::Arc<effigy_gltf::Pictures>,
}

/// The result of a conversion: one file, or a main file with companions, and a report of what did not arrive as it was.
#[derive(Debug)]
pub struct Converted {
    content: Content,
    /// What was kept aside, rebuilt, approximated and dropped.
    pub report: Report,
}

/// glTF names its other files in its JSON, so it is only written once the name of the main file is known.
#[derive(Debug)]
enum Content {
    Files {
        main: Vec<u8>,
        companions: Vec<(CompanionName, Vec<u8>)>,
    },
    #[cfg(feature = "gltf")]
    Gltf(Box<effigy_gltf::Gltf>),
    /// Several documents of one model: what is added to its name for each.
    #[cfg(feature = "gltf")]
    Split(Vec<(String, effigy_gltf::Gltf)>),
}

/// What a file that belongs to another is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CompanionName {
    /// The stem of the main file and this.
    Suffix(String),
    /// This path below the folder of the main file, with slashes.
    #[cfg_attr(not(feature = "scene"), allow(dead_code, reason = "only textures have paths"))]
    Path(String),
}

/// The files of a conversion, ready to be written.
#[derive(Clone, Debug, Default)]
pub struct Files {
    /// The main file.
    pub main: Vec<u8>,
    /// Files that belong next to it, by file name.
    pub companions: Vec<(String, Vec<u8>)>,
}

impl Converted {
    pub(crate) const fn file(main: Vec<u8>, report: Report) -> Self {
        Self::files(main, Vec::new(), report)
    }

    /// A main file and what belongs to it.
    pub(crate) const fn files(
        main: Vec<u8>,
        companions: Vec<(CompanionName, Vec<u8>)>,
        report: Report,
    ) -> Self {
        Self { content: Content::Files { main, companions }, report }
    }

    #[cfg(feature = "gltf")]
    pub(crate) fn gltf(file: effigy_gltf::Gltf, report: Report) -> Self {
        Self { content: Content::Gltf(Box::new(file)), report }
    }

    #[cfg(feature = "gltf")]
    pub(crate) const fn split(files: Vec<(String, effigy_gltf::Gltf)>, report: Report) -> Self {
        Self { content: Content::Split(files), report }
    }

    /// A texture in another encoding. Mip levels are made where the encoding holds them and the image has none: the
    /// games shrink textures badly without them.
    ///
    /// # Errors
    /// When the encoding cannot hold an image of this size.
    #[cfg(feature = "assets")]
    pub fn from_image(image: effigy_image::Image, encoding: effigy_image::Encoding) -> Result<Self> {
        let lacks_mips = encoding.holds_mips() && image.levels.len() == 1;
        let image = if lacks_mips { image.with_mips() } else { image };
        let (bytes, report) = effigy_image::write(&image, encoding)?;
        Ok(Self::file(bytes, report))
    }

    /// The files, for a main file whose name without extension is `stem`.
    ///
    /// # Errors
    /// When glTF would be larger than its format allows (4 GB).
    pub fn into_files(self, stem: &str) -> Result<Files> {
        match self.content {
            Content::Files { main, companions } => {
                let named = |(name, bytes): (CompanionName, _)| match name {
                    CompanionName::Suffix(suffix) => (format!("{stem}{suffix}"), bytes),
                    CompanionName::Path(path) => (path, bytes),
                };
                Ok(Files { main, companions: companions.into_iter().map(named).collect() })
            }
            #[cfg(feature = "gltf")]
            Content::Gltf(file) => {
                let mut files = file.into_files(stem)?.into_iter();
                let main = files.next().map(|(_, bytes)| bytes).unwrap_or_default();
                Ok(Files { main, companions: files.collect() })
            }
            #[cfg(feature = "gltf")]
            Content::Split(documents) => {
                let mut all = Vec::new();
                for (suffix, file) in documents {
                    all.extend(file.into_files(&format!("{stem}{suffix}"))?);
                }
                let mut all = all.into_iter();
                let main = all.next().map(|(_, bytes)| bytes).unwrap_or_default();
                Ok(Files { main, companions: all.collect() })
            }
        }
    }

    /// The bytes of a conversion that makes a single file.
    ///
    /// # Errors
    /// When there are companions, which a single file cannot hold.
    pub fn into_bytes(self) -> Result<Vec<u8>> {
        let files = self.into_files("model")?;
        match files.companions.is_empty() {
            true => Ok(files.main),
            false => Err(Error::new(Kind::Usage, "this makes several files; a file name is needed")),
        }
    }

    /// Writes the file and its companions, replacing what is there, and returns the report. Each file is complete or
    /// not there at all.
    ///
    /// # Errors
    /// When the disk refuses.
    #[cfg(feature = "assets")]
    pub fn save(mut self, path: impl AsRef<Path>) -> Result<Report> {
        let path = path.as_ref();
        let report = std::mem::take(&mut self.report);
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let files = self.into_files(&stem)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        for (name, bytes) in &files.companions {
            let companion = effigy_assets::destination::below(folder, Path::new(name))?;
            effigy_assets::destination::write(&companion, bytes, true)?;
        }
        effigy_assets::destination::write(path, &files.main, true)?;
        Ok(report)
    }
}

/// One conversion from a format to a format.
#[derive(Clone, Copy, Debug)]
pub struct Route {
    /// Formats it starts from.
    pub from: &'static [Format],
    /// The format it leads to.
    pub to: Format,
    /// Runs the conversion.
    pub run: fn(&Model, &Target, &ConvertOptions) -> Result<Converted>,
}

/// Every conversion that exists.
pub const ROUTES: &[Route] = &[
    #[cfg(feature = "mdx")]
    Route { from: &[Format::Mdx, Format::Mdl], to: Format::Mdx, run: crate::formats::mdx::rewrite },
    #[cfg(feature = "mdx")]
    Route { from: &[Format::Mdx, Format::Mdl], to: Format::Mdl, run: crate::formats::mdx::rewrite },
    #[cfg(feature = "scene")]
    Route { from: crate::raise::TO_MDX, to: Format::Mdx, run: crate::raise::mdx },
    #[cfg(feature = "scene")]
    Route { from: crate::raise::TO_MDX, to: Format::Mdl, run: crate::raise::mdx },
    #[cfg(feature = "m2")]
    Route { from: &[Format::M2], to: Format::M2, run: crate::formats::m2::rewrite },
    #[cfg(feature = "scene")]
    Route { from: crate::raise::TO_M2, to: Format::M2, run: crate::raise::m2 },
    #[cfg(feature = "m2")]
    Route { from: &[Format::Skin], to: Format::Skin, run: crate::formats::m2::rewrite_skin },
    #[cfg(feature = "mdc")]
    Route { from: &[Format::Mdc, Format::Md3], to: Format::Mdc, run: crate::formats::mdc::convert },
    #[cfg(feature = "mdc")]
    Route { from: &[Format::Mdc, Format::Md3], to: Format::Md3, run: crate::formats::mdc::convert },
    #[cfg(feature = "scene")]
    Route { from: crate::raise::TO_MD3, to: Format::Mdc, run: crate::raise::md3 },
    #[cfg(feature = "scene")]
    Route { from: crate::raise::TO_MD3, to: Format::Md3, run: crate::raise::md3 },
    #[cfg(feature = "mds")]
    Route { from: &[Format::Mds, Format::Mdm], to: Format::Mds, run: crate::formats::mds::convert },
    #[cfg(feature = "mds")]
    Route { from: &[Format::Mds, Format::Mdm], to: Format::Mdm, run: crate::formats::mds::convert },
    #[cfg(feature = "mds")]
    Route { from: &[Format::Mds, Format::EtMdx], to: Format::EtMdx, run: crate::formats::mds::convert },
    #[cfg(feature = "gltf")]
    Route { from: crate::export::FROM, to: Format::Glb, run: crate::export::convert },
    #[cfg(feature = "gltf")]
    Route { from: crate::export::FROM, to: Format::Gltf, run: crate::export::convert },
];

impl Model {
    /// Converts to another format or version, with everything that belongs to the result: textures in glTF, skins of
    /// an M2.
    ///
    /// ```no_run
    /// let model = effigy::open("footman.mdx")?;
    /// model.convert(&"mdx:1000".parse()?)?.save("footman-1000.mdx")?;
    /// # Ok::<(), effigy::Error>(())
    /// ```
    ///
    /// # Errors
    /// When there is no way from the model's format to the target, or the target cannot hold it.
    pub fn convert(&self, target: &Target) -> Result<Converted> {
        self.convert_with(target, &ConvertOptions::default())
    }

    /// Like [`Model::convert`], with options.
    ///
    /// # Errors
    /// Like [`Model::convert`].
    pub fn convert_with(&self, target: &Target, options: &ConvertOptions) -> Result<Converted> {
        let route =
            ROUTES.iter().find(|route| route.to == target.format && route.from.contains(&self.format()));
        match route {
            Some(route) => (route.run)(self, target, options),
            None => Err(no_route(self, target)),
        }
    }

    /// Whether a conversion to the target makes a model of another game. Only then the options in [`ConvertOptions::raise`], those
    /// of textures and portraits included, have an effect.
    #[cfg(feature = "scene")]
    #[must_use]
    pub fn changes_game(&self, target: &Target) -> bool {
        let others = match target.format {
            Format::Mdx | Format::Mdl => crate::raise::TO_MDX,
            Format::M2 => crate::raise::TO_M2,
            Format::Md3 | Format::Mdc => crate::raise::TO_MD3,
            _ => &[],
        };
        others.contains(&self.format()) || crate::formats::mdx::leaves_alpha(self, target)
    }

    /// Writes the model to a file, with the files that belong to it, replacing what is there. The extension chooses the
    /// format; a name without a known one keeps the model's own. What was not changed is the same, byte for byte.
    ///
    /// # Errors
    /// When the format cannot hold the model, or the disk refuses.
    #[cfg(feature = "assets")]
    pub fn save(&self, path: impl AsRef<Path>) -> Result<Report> {
        let path = path.as_ref();
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let format = Format::from_extension(extension).unwrap_or_else(|| self.format());
        if format == Format::Glb && self.format() == format {
            return Converted::file(self.write()?, Report::default()).save(path);
        }
        self.convert(&Target { format, version: None })?.save(path)
    }
}

/// The error for a conversion that does not exist; the hint lists those that do.
pub(crate) fn no_route(model: &Model, target: &Target) -> Error {
    let from = model.format();
    let known: Vec<&str> =
        ROUTES.iter().filter(|route| route.from.contains(&from)).map(|route| route.to.name()).collect();
    Error::unsupported(format!("converting {from} to {} is not supported yet", target.format))
        .hint(format!("{from} can become {}", known.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_names_its_target() {
        for (name, target) in [("Reforged", "mdx:1100"), ("classic", "mdx:800"), ("wrath", "m2:264")] {
            assert_eq!(name.parse::<Target>().unwrap().to_string(), target);
        }
    }

    #[cfg(feature = "scene")]
    #[test]
    fn versions_of_one_game_are_not_another_game() {
        for (sample, target, changes) in [
            ("mdx-800-hat.mdx", "mdx:1000", false),
            ("mdx-800-hat.mdx", "mdl", false),
            ("mdx-800-hat.mdx", "glb", false),
            ("mdx-800-hat.mdx", "m2", true),
            ("mdx-800-hat.mdx", "mdc", true),
            ("m2-264-hat.m2", "m2:256", false),
            ("m2-264-hat.m2", "mdl", true),
            ("mdc-2-hat.mdc", "md3", false),
            ("mdc-2-hat.mdc", "mdx:800", true),
            // The alpha has the extension of Warcraft III's models.
            ("mdx-wow-1300-hat.mdx", "mdx:800", true),
            ("mdx-wow-1300-hat.mdx", "mdx:1300", false),
            ("mdx-wow-1300-hat.mdx", "mdx", false),
        ] {
            let sample_bytes =
                effigy_samples::all().into_iter().find(|it| it.file_name == sample).unwrap().bytes;
            let model = crate::read(&sample_bytes, None).unwrap();
            assert_eq!(model.changes_game(&target.parse().unwrap()), changes, "{sample} {target}");
        }
    }

    #[test]
    fn a_target_comes_back_from_its_text() {
        for text in ["mdx:800", "mdx", "md3", "m2:264"] {
            assert_eq!(text.parse::<Target>().unwrap().to_string(), text);
        }
        for text in ["mdx:", "mdx:new", "obj", "", ":800"] {
            assert_eq!(text.parse::<Target>().unwrap_err().kind(), Kind::Usage, "{text}");
        }
    }
}
