//! Named byte sources: a file, stdin, or an entry of an archive.

use crate::args::Reading;
use crate::pool::{Place, Pool};
use effigy::{Error, Format, HEAD, Kind, Result, sniff};
use effigy_assets::extract::safe_path;
use effigy_assets::{Entry, name};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// Something to read.
#[derive(Debug)]
pub struct Source {
    /// What to call it in every message, as the user named it.
    pub name: String,
    /// Where it belongs below an output folder: the path below the named folder or archive, or the bare file name.
    /// Empty where its name would lead out of that folder.
    pub relative: PathBuf,
    origin: Origin,
}

#[derive(Debug)]
enum Origin {
    File(PathBuf),
    Stdin,
    Packed(Packed),
    /// It cannot be read, and this is why; it keeps its place among the others.
    Problem(Error),
}

/// A file inside an archive.
#[derive(Debug)]
pub struct Packed {
    /// The archive.
    pub place: Place,
    /// What it is there.
    pub entry: Entry,
    /// Where the archive is open.
    pub pool: Arc<Pool>,
}

/// What a source holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// A model of this format.
    Model(Format),
    /// A picture.
    Texture,
}

impl Source {
    /// A file on disk; `below` is the folder it was found in.
    pub fn file(path: PathBuf, below: Option<&Path>) -> Self {
        let relative = relative(&path, below);
        Self { name: path.display().to_string(), relative, origin: Origin::File(path) }
    }

    /// Standard input.
    pub fn stdin() -> Self {
        Self { name: "-".to_owned(), relative: PathBuf::from("stdin"), origin: Origin::Stdin }
    }

    /// A file inside an archive; `base` is where the archive's files belong below an output folder.
    pub fn packed(packed: Packed, base: &Path) -> Self {
        let relative = safe_path(&packed.entry.name).map(|path| base.join(path)).unwrap_or_default();
        let name = format!("{}:{}", packed.place, crate::text::plain(&packed.entry.name));
        Self { name, relative, origin: Origin::Packed(packed) }
    }

    /// Something that cannot be read.
    pub fn problem(name: String, error: Error) -> Self {
        Self { name, relative: PathBuf::new(), origin: Origin::Problem(error) }
    }

    /// The file on disk, where it is one.
    pub fn path(&self) -> Option<&Path> {
        match &self.origin {
            Origin::File(path) => Some(path),
            Origin::Stdin | Origin::Packed(_) | Origin::Problem(_) => None,
        }
    }

    /// The entry of an archive, where it is one.
    pub fn entry(&self) -> Option<&Packed> {
        match &self.origin {
            Origin::Packed(packed) => Some(packed),
            Origin::File(_) | Origin::Stdin | Origin::Problem(_) => None,
        }
    }

    /// The bare file name; empty for stdin.
    pub fn file_name(&self) -> String {
        match &self.origin {
            Origin::File(path) => {
                path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
            }
            Origin::Packed(packed) => name::file_name(&packed.entry.name).to_owned(),
            Origin::Stdin | Origin::Problem(_) => String::new(),
        }
    }

    /// The bytes of a file of this name in the same folder or archive, if there is one within the limits.
    pub fn beside(&self, file_name: &str, reading: &Reading) -> Option<Vec<u8>> {
        match &self.origin {
            Origin::File(path) => {
                let path = path.with_file_name(file_name);
                let length = std::fs::metadata(&path).ok()?.len();
                if length > reading.limits().input_bytes { None } else { std::fs::read(path).ok() }
            }
            Origin::Packed(Packed { place, entry, pool }) => {
                pool.open(place).ok()?.read(&name::join(name::folder(&entry.name), file_name)).ok()?
            }
            Origin::Stdin | Origin::Problem(_) => None,
        }
    }

    /// The file beside a texture with another extension: BLP0 keeps its mip levels in such files.
    pub fn level(&self, extension: &str, reading: &Reading) -> Option<Vec<u8>> {
        self.beside(&name::with_extension(&self.file_name(), extension), reading)
    }

    fn extension(&self) -> String {
        name::extension(&self.name)
    }

    /// All bytes and their format. The first bytes are looked at before the rest is read.
    pub fn read(&self, reading: &Reading) -> Result<(Format, Vec<u8>)> {
        self.read_if(reading, |head| self.model(head, reading))
    }

    /// All bytes of a model or a texture, and which of them it is.
    pub fn read_any(&self, reading: &Reading) -> Result<(Content, Vec<u8>)> {
        self.read_if(reading, |head| match self.model(head, reading) {
            Ok(format) => Ok(Content::Model(format)),
            Err(_) if is_texture(head, &self.extension()) => Ok(Content::Texture),
            Err(error) => Err(error),
        })
    }

    /// All bytes of a texture.
    pub fn read_texture(&self, reading: &Reading) -> Result<Vec<u8>> {
        let known = |head: &[u8]| match effigy_image::sniff(head) {
            Some(_) => Ok(()),
            None if head.is_empty() => Err(Error::new(Kind::Malformed, "the file is empty")),
            None => match sniff(head, None) {
                Ok(format) => Err(Error::unsupported(format!(
                    "this is a model ({}) and no texture; --to takes a model format for it",
                    format.title()
                ))),
                Err(_) => Err(effigy_image::not_a_texture()),
            },
        };
        self.read_if(reading, known).map(|((), bytes)| bytes)
    }

    fn model(&self, head: &[u8], reading: &Reading) -> Result<Format> {
        match reading.from {
            Some(format) => Ok(format),
            None => sniff(head, Some(&self.extension())),
        }
    }

    /// Reads everything, if the first bytes are what is wanted.
    fn read_if<T>(&self, reading: &Reading, check: impl FnOnce(&[u8]) -> Result<T>) -> Result<(T, Vec<u8>)> {
        match &self.origin {
            Origin::Problem(error) => Err(error.clone()),
            Origin::Stdin => pull(io::stdin().lock(), None, reading, check),
            Origin::Packed(Packed { place, entry, pool }) => {
                check_size(entry.size, reading)?;
                let bytes = pool.read(place, entry)?;
                Ok((check(bytes.get(..HEAD).unwrap_or(&bytes))?, bytes))
            }
            Origin::File(path) => {
                let file = File::open(path)?;
                let metadata = file.metadata()?;
                if metadata.is_dir() {
                    return Err(Error::new(Kind::Usage, "this is a folder"));
                }
                pull(file, metadata.is_file().then_some(metadata.len()), reading, check)
            }
        }
    }
}

/// Whether these are a texture's first bytes. A texture that is named like a model is a mistake. A format without a mark
/// at its start (TGA) is recognised by a weak test, so the file must also have its extension.
pub fn is_texture(head: &[u8], extension: &str) -> bool {
    match effigy_image::sniff(head) {
        Some(format) if format.magic.is_empty() => format.extensions.contains(&extension),
        Some(_) => Format::from_extension(extension).is_none(),
        None => false,
    }
}

fn relative(path: &Path, below: Option<&Path>) -> PathBuf {
    let relative = below
        .and_then(|folder| path.strip_prefix(folder).ok())
        .map_or_else(|| PathBuf::from(path.file_name().unwrap_or_default()), Path::to_path_buf);
    // Only plain names may reach an output folder.
    relative.components().filter(|part| matches!(part, Component::Normal(_))).collect()
}

fn pull<T>(
    mut stream: impl Read,
    length: Option<u64>,
    reading: &Reading,
    check: impl FnOnce(&[u8]) -> Result<T>,
) -> Result<(T, Vec<u8>)> {
    let limits = reading.limits();
    let mut bytes = Vec::new();
    stream.by_ref().take(wide(HEAD)).read_to_end(&mut bytes)?;
    let what = check(&bytes)?;
    if let Some(length) = length {
        check_size(length, reading)?;
        // The size is the file system's word, not the file's: it may be asked for at once.
        bytes.reserve_exact(usize::try_from(length).unwrap_or(0).saturating_sub(bytes.len()));
    }
    let left = limits.input_bytes.saturating_sub(wide(bytes.len())).saturating_add(1);
    stream.take(left).read_to_end(&mut bytes)?;
    check_size(wide(bytes.len()), reading)?;
    Ok((what, bytes))
}

fn check_size(length: u64, reading: &Reading) -> Result<()> {
    let most = reading.limits().input_bytes;
    if length > most {
        let text = format!("{length} bytes are more than the limit of {most}");
        return Err(Error::new(Kind::Limit, text).hint("--max-size allows more"));
    }
    Ok(())
}

fn wide(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}
