//! Opening models: from files and archives on disk, from files in memory, and from bare bytes.

use crate::{Error, Format, Kind, Limits, Model, Result, sniff};
#[cfg(feature = "assets")]
use {
    crate::HEAD,
    effigy_assets::{Assets, FileRef, Memory, Naming, Source},
    std::path::Path,
    std::sync::Arc,
};

/// Reads a model of any format from bytes alone, without the files that belong to it. `extension` is the file's,
/// without the dot, where there is one.
///
/// # Errors
/// When the bytes are not a model or break their format.
pub fn read(bytes: &[u8], extension: Option<&str>) -> Result<Model> {
    read_with(bytes, sniff(bytes, extension)?, &Limits::DEFAULT)
}

/// Reads a model of a known format within these limits, without the files that belong to it.
///
/// # Errors
/// When the bytes break the format, are more than the limits allow, or the format is not built in.
pub fn read_with(bytes: &[u8], format: Format, limits: &Limits) -> Result<Model> {
    let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    if length > limits.input_bytes {
        return Err(Error::new(
            Kind::Limit,
            format!("{length} bytes are more than the limit of {}", limits.input_bytes),
        ));
    }
    match format.entry().and_then(|entry| entry.read) {
        Some(read) => read(bytes, limits),
        None => Err(Error::unsupported(format!("{} files cannot be read yet", format.title()))),
    }
}

/// Opens a model of any format, with the files that belong to it: the skins and animations of an M2 are found next to
/// it. The path may lead into an archive: `map.w3x:units/footman.mdx`.
///
/// The model remembers where it came from, so that [`Model::convert`] and `Model::render` find its textures.
///
/// # Errors
/// When the file cannot be read, is not a model, or breaks its format.
#[cfg(feature = "assets")]
pub fn open(path: impl AsRef<Path>) -> Result<Model> {
    open_with(path, &OpenOptions::default())
}

/// Like [`open`], with options.
///
/// # Errors
/// Like [`open`].
#[cfg(feature = "assets")]
pub fn open_with(path: impl AsRef<Path>, options: &OpenOptions) -> Result<Model> {
    open_file(&FileRef::locate(path.as_ref(), &options.limits)?, options)
}

/// Opens a model that lies among files in memory, as in a browser: the files that belong to it and its textures are
/// looked for among them.
///
/// ```
/// # #[cfg(feature = "mdx")] {
/// use effigy::assets::Memory;
/// let footman = effigy::mdx::Model::new(effigy::mdx::Dialect::Warcraft3, 800, "Footman").write()?;
/// let dropped = Memory::new("dropped").with("units/footman.mdx", footman).with("textures/footman.blp", vec![]);
/// let model = effigy::open_in(dropped, "units/footman.mdx", &Default::default())?;
/// assert_eq!(model.name(), "Footman");
/// # }
/// # Ok::<(), effigy::Error>(())
/// ```
///
/// # Errors
/// When there is no such file, or it is not a model.
#[cfg(feature = "assets")]
pub fn open_in(files: Memory, name: &str, options: &OpenOptions) -> Result<Model> {
    let entry = files.find(name).ok_or_else(|| effigy_assets::missing(name))?;
    open_file(&FileRef::inside(Arc::new(files), entry), options)
}

/// Opens a model from any kind of file reference.
///
/// # Errors
/// When the file cannot be read, is not a model, or breaks its format.
#[cfg(feature = "assets")]
pub fn open_file(file: &FileRef, options: &OpenOptions) -> Result<Model> {
    open_keeping_bytes(file, options).map(|(model, _)| model)
}

/// Whether a file or folder stands for a model with everything that belongs to it: a player folder of Return to Castle
/// Wolfenstein, a character file of Enemy Territory, or a TOML file that describes an assembly. Its bytes are not those of a
/// model, but [`open_file`] opens it.
#[cfg(all(feature = "assets", feature = "scene"))]
#[must_use]
pub fn is_assembly(file: &FileRef) -> bool {
    crate::formats::soldier::is_whole(file)
}

/// Like [`open_file`], and gives back the bytes of the main file.
///
/// # Errors
/// Like [`open_file`].
#[cfg(feature = "assets")]
pub fn open_keeping_bytes(file: &FileRef, options: &OpenOptions) -> Result<(Model, Vec<u8>)> {
    #[cfg(feature = "scene")]
    if let Some(soldier) = crate::formats::soldier::open(file, options) {
        let mut model = soldier?;
        dress(&mut model, options)?;
        let bytes = model.write()?;
        return Ok((model, bytes));
    }
    let (format, bytes) = file.read_if(&options.limits, HEAD, |head| format_of(head, file, options))?;
    let model = open_as(format, file, &bytes, options)?;
    Ok((model, bytes))
}

/// Like [`open_file`], for a file whose bytes are there already.
///
/// # Errors
/// Like [`open_file`].
#[cfg(feature = "assets")]
pub fn open_bytes(file: &FileRef, bytes: &[u8], options: &OpenOptions) -> Result<Model> {
    let head = bytes.get(..HEAD).unwrap_or(bytes);
    open_as(format_of(head, file, options)?, file, bytes, options)
}

/// Like [`open_bytes`], for a model that comes with files of its own, such as the skins of an M2: `carried` is asked for each file
/// before the surroundings of `file` are. [`Model::bundle`] gives what is needed here.
///
/// # Errors
/// Like [`open_file`].
#[cfg(feature = "assets")]
pub fn open_carried(
    file: &FileRef,
    bytes: &[u8],
    carried: &dyn Fn(&str) -> Option<Vec<u8>>,
    options: &OpenOptions,
) -> Result<Model> {
    let head = bytes.get(..HEAD).unwrap_or(bytes);
    open_among(format_of(head, file, options)?, file, bytes, carried, options)
}

/// The format of a file that begins so, or the one that the options name.
#[cfg(feature = "assets")]
pub(crate) fn format_of(head: &[u8], file: &FileRef, options: &OpenOptions) -> Result<Format> {
    match options.format {
        Some(format) => Ok(format),
        None => sniff(head, Some(&file.extension())),
    }
}

#[cfg(feature = "assets")]
fn open_as(format: Format, file: &FileRef, bytes: &[u8], options: &OpenOptions) -> Result<Model> {
    open_among(format, file, bytes, &|_| None, options)
}

#[cfg(feature = "assets")]
fn open_among(
    format: Format,
    file: &FileRef,
    bytes: &[u8],
    carried: &dyn Fn(&str) -> Option<Vec<u8>>,
    options: &OpenOptions,
) -> Result<Model> {
    let mut model = read_with(bytes, format, &options.limits)?;
    let mut find = |name: &str| carried(name).or_else(|| file.beside(name, &options.limits));
    model.attach(&file.file_name(), &mut find)?;
    let origin = model.origin_mut();
    origin.file = Some(file.clone());
    origin.assets = Arc::clone(&options.assets);
    #[cfg(feature = "mdc")]
    {
        origin.look.wanted.clone_from(&options.skin);
        origin.look.detail = options.detail;
        origin.look.et_sines = options.et_sines;
    }
    #[cfg(feature = "scene")]
    dress(&mut model, options)?;
    Ok(model)
}

/// Attaches the models that the options name.
#[cfg(all(feature = "assets", feature = "scene"))]
fn dress(model: &mut Model, options: &OpenOptions) -> Result<()> {
    for Attach { at, path, sequence } in &options.attach {
        let plain = OpenOptions { attach: Vec::new(), skin: None, ..options.clone() };
        let part = open_with(path, &plain).map_err(|error| {
            Error::new(error.kind(), format!("--attach {at}: {}: {error}", path.display()))
        })?;
        model.add_part_playing(at, part, sequence.as_deref())?;
    }
    Ok(())
}

/// A model to attach to another one.
#[cfg(feature = "assets")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attach {
    /// The place: a node, attachment or tag, by name in any spelling. A place of an attached model comes after the place of that
    /// model and a slash: `tag_head/tag_mouth`.
    pub at: String,
    /// The file of the attached model.
    pub path: std::path::PathBuf,
    /// Its sequence, by name; without one it stands.
    pub sequence: Option<String>,
}

#[cfg(feature = "assets")]
impl std::str::FromStr for Attach {
    type Err = Error;

    /// Written `PLACE=FILE` or `PLACE=FILE#SEQUENCE`.
    fn from_str(text: &str) -> Result<Self> {
        let wrong = || Error::new(Kind::Usage, format!("'{text}' is not PLACE=FILE"));
        let (at, file) =
            text.split_once('=').filter(|(at, file)| !at.is_empty() && !file.is_empty()).ok_or_else(wrong)?;
        let (file, sequence) = match file.rsplit_once('#') {
            Some((file, sequence)) if !sequence.is_empty() => (file, Some(sequence.to_owned())),
            _ => (file, None),
        };
        Ok(Self { at: at.to_owned(), path: file.into(), sequence })
    }
}

/// How models are opened.
#[cfg(feature = "assets")]
#[derive(Clone, Debug, Default)]
pub struct OpenOptions {
    /// Takes every file for this format, whatever its content says.
    pub format: Option<Format>,
    /// How much a file may ask for.
    pub limits: Limits,
    /// The game's files. What lies next to a model wins over them.
    pub assets: Arc<Assets>,
    /// Models that are attached to every model that is opened.
    pub attach: Vec<Attach>,
    /// The skin of a body of Return to Castle Wolfenstein or Enemy Territory, such as `default` for `body_default.skin`.
    pub skin: Option<String>,
    /// The share of the vertices of a body that is drawn, 0 to 1, as the games choose it by distance.
    pub detail: Option<f32>,
    /// Poses the bones of a body with Enemy Territory's table of sines, as that game does, instead of exactly: frames differ by
    /// up to 0.06 units.
    pub et_sines: bool,
}

#[cfg(feature = "assets")]
impl Model {
    /// The file that the model was read from; none for a model that was made in memory.
    #[must_use]
    pub fn file(&self) -> Option<&FileRef> {
        self.origin().file.as_ref()
    }

    /// The game's files that were given when the model was opened.
    #[must_use]
    pub fn assets(&self) -> &Assets {
        &self.origin().assets
    }

    /// Which game's rules for file names apply.
    #[must_use]
    pub fn naming(&self) -> Naming {
        match *self {
            #[cfg(feature = "mdx")]
            Self::Mdx(ref model) => match model.dialect() {
                effigy_mdx::Dialect::Warcraft3 => Naming::Warcraft3,
                effigy_mdx::Dialect::WowAlpha => Naming::Wow,
            },
            #[cfg(feature = "m2")]
            Self::M2(_) | Self::Skin(_) => Naming::Wow,
            #[cfg(feature = "mdc")]
            Self::Mdc(_) => Naming::Wolfenstein,
            #[cfg(feature = "mds")]
            Self::Mds(_) => Naming::Wolfenstein,
            #[cfg(feature = "gltf")]
            Self::Gltf(ref model) => match model.exported_from() {
                Some("m2" | "wow-alpha-mdx") => Naming::Wow,
                Some("mdc" | "md3") => Naming::Wolfenstein,
                _ => Naming::Warcraft3,
            },
        }
    }

    /// The file of each texture of [`Model::summary`]; `None` for those that are missing or that the game makes up.
    #[must_use]
    pub fn find_textures(&self, textures: &[crate::Texture]) -> Vec<Option<effigy_assets::Found>> {
        let Some(file) = self.file() else { return textures.iter().map(|_| None).collect() };
        self.assets().textures(self.naming(), file, textures.iter().map(crate::Texture::reference))
    }

    /// The model's file as it is now, and the files that belong to it: skins and animations of an M2, buffers and images of glTF,
    /// skins and lists of animations of Wolfenstein's models. With them [`open_carried`] and [`open_in`] open the same model
    /// elsewhere. Textures of the games and attached models are not among them.
    ///
    /// # Errors
    /// When the format cannot hold what the model holds now.
    pub fn bundle(&self) -> Result<crate::Files> {
        let file_name = self.file().map(FileRef::file_name).unwrap_or_default();
        #[cfg(feature = "m2")]
        if let Self::M2(_) = self {
            let stem = file_name.rsplit_once('.').map_or(file_name.as_str(), |(stem, _)| stem);
            return self.convert(&crate::Target { format: self.format(), version: None })?.into_files(stem);
        }
        let names = self.companions(&file_name).into_iter().chain(self.summary().files);
        let beside = |name: String| {
            let bytes = self.file()?.beside(&name, self.assets().limits())?;
            Some((name, bytes))
        };
        Ok(crate::Files { main: self.write()?, companions: names.filter_map(beside).collect() })
    }

    /// The files that the model needs, as far as they are found: itself, the files that belong to it, its textures; and
    /// the paths of the textures that are missing.
    #[must_use]
    pub fn files(&self) -> (Vec<effigy_assets::Found>, Vec<String>) {
        use effigy_assets::name;
        let (mut found, mut missing) = (Vec::new(), Vec::new());
        let Some(file) = self.file() else { return (found, missing) };
        let own = file.entry().map_or_else(|| file.file_name(), |entry| entry.name.clone());
        let beside = |companion: String| name::join(name::folder(&own), &companion);
        let companions = self.companions(&file.file_name()).into_iter().map(beside);
        let needed: Vec<String> = std::iter::once(own.clone()).chain(companions).collect();
        found.extend(needed.iter().filter_map(|path| self.assets().path(file, path)));
        let textures = self.summary().textures;
        for (texture, place) in textures.iter().zip(self.find_textures(&textures)) {
            match place {
                Some(place) => found.push(place),
                None if texture.path.is_empty() => {}
                None => missing.push(texture.path.clone()),
            }
        }
        (found, missing)
    }
}
