//! Where inputs come from: files, folders, globs and stdin, as a list of named byte sources.

use crate::args::{Common, Inputs};
use effigy::{Error, Format, HEAD, Kind, Limits, Result, sniff};
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

/// Something to read.
#[derive(Debug)]
pub struct Source {
    /// What to call it in every message, as the user named it.
    pub name: String,
    /// Where it belongs below an output folder: the path below the named folder, or the bare file name.
    pub relative: PathBuf,
    origin: Origin,
}

#[derive(Debug)]
enum Origin {
    File(PathBuf),
    Stdin,
    /// It cannot be read, and this is why; it keeps its place among the others.
    Problem(Error),
}

const ARCHIVES: [&str; 5] = ["mpq", "w3x", "w3m", "pk3", "zip"];

impl Source {
    fn file(path: PathBuf, below: Option<&Path>) -> Self {
        let relative = below
            .and_then(|folder| path.strip_prefix(folder).ok())
            .map_or_else(|| PathBuf::from(path.file_name().unwrap_or_default()), Path::to_path_buf);
        // Only plain names may reach an output folder.
        let relative = relative.components().filter(|part| matches!(part, Component::Normal(_))).collect();
        Self { name: path.display().to_string(), relative, origin: Origin::File(path) }
    }

    fn problem(name: String, error: Error) -> Self {
        Self { name, relative: PathBuf::new(), origin: Origin::Problem(error) }
    }

    /// The file on disk, where it is one.
    pub fn path(&self) -> Option<&Path> {
        match &self.origin {
            Origin::File(path) => Some(path),
            Origin::Stdin | Origin::Problem(_) => None,
        }
    }

    fn extension(&self) -> Option<&str> {
        Path::new(&self.name).extension().and_then(OsStr::to_str)
    }

    /// All bytes and their format. The first bytes are looked at before the rest is read.
    pub fn read(&self, from: Option<Format>, limits: &Limits) -> Result<(Format, Vec<u8>)> {
        match &self.origin {
            Origin::Problem(error) => Err(error.clone()),
            Origin::Stdin => self.pull(io::stdin().lock(), None, from, limits),
            Origin::File(path) => {
                let file = File::open(path)?;
                let metadata = file.metadata()?;
                if metadata.is_dir() {
                    return Err(Error::new(Kind::Usage, "this is a folder"));
                }
                self.pull(file, Some(metadata.len()), from, limits)
            }
        }
    }

    fn pull(
        &self,
        mut stream: impl Read,
        length: Option<u64>,
        from: Option<Format>,
        limits: &Limits,
    ) -> Result<(Format, Vec<u8>)> {
        let mut bytes = Vec::new();
        stream.by_ref().take(wide(HEAD)).read_to_end(&mut bytes)?;
        let format = match from {
            Some(format) => format,
            None => sniff(&bytes, self.extension())?,
        };
        let too_large = |length: u64| {
            let text = format!("{length} bytes are more than the limit of {}", limits.input_bytes);
            Error::new(Kind::Limit, text).hint("--max-size allows more")
        };
        if let Some(length) = length {
            if length > limits.input_bytes {
                return Err(too_large(length));
            }
            // The size is the file system's word, not the file's: it may be asked for at once.
            bytes.reserve_exact(usize::try_from(length).unwrap_or(0).saturating_sub(bytes.len()));
        }
        let left = limits.input_bytes.saturating_sub(wide(bytes.len())).saturating_add(1);
        stream.take(left).read_to_end(&mut bytes)?;
        if wide(bytes.len()) > limits.input_bytes {
            return Err(too_large(wide(bytes.len())));
        }
        Ok((format, bytes))
    }
}

fn wide(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}

/// The list of sources that the user's words stand for, in that order.
pub fn expand(inputs: &Inputs, common: &Common) -> Vec<Source> {
    let mut sources = Vec::new();
    for path in &inputs.paths {
        expand_one(path, !common.no_recursive, &mut sources);
    }
    sources
}

/// The source that one word stands for, where a folder or several files make no sense.
pub fn single(path: &Path) -> Source {
    if path == Path::new("-") { stdin() } else { Source::file(path.to_path_buf(), None) }
}

fn stdin() -> Source {
    Source { name: "-".to_owned(), relative: PathBuf::from("stdin"), origin: Origin::Stdin }
}

fn expand_one(path: &Path, recursive: bool, sources: &mut Vec<Source>) {
    if path == Path::new("-") {
        sources.push(stdin());
    } else if path.is_dir() {
        expand_folder(path, recursive, sources);
    } else if path.exists() {
        sources.push(Source::file(path.to_path_buf(), None));
    } else {
        let name = path.display().to_string();
        if name.contains(['*', '?', '[']) {
            expand_glob(&name, recursive, sources);
        } else if in_archive(&name) {
            let error = Error::unsupported("reading from inside an archive is not supported yet");
            sources.push(Source::problem(name, error));
        } else {
            sources.push(Source::problem(name, Error::new(Kind::Io, "no such file or folder")));
        }
    }
}

/// Whether this is written `archive.w3x:path/inside.mdx`.
fn in_archive(name: &str) -> bool {
    name.match_indices(':').any(|(at, _)| {
        name.split_at_checked(at).is_some_and(|(archive, _)| {
            let path = Path::new(archive);
            let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default().to_ascii_lowercase();
            ARCHIVES.contains(&extension.as_str()) && path.is_file()
        })
    })
}

fn expand_glob(pattern: &str, recursive: bool, sources: &mut Vec<Source>) {
    let before = sources.len();
    match glob::glob(pattern) {
        Err(error) => {
            let text = format!("not a valid pattern: {}", error.msg);
            sources.push(Source::problem(pattern.to_owned(), Error::new(Kind::Usage, text)));
        }
        Ok(paths) => {
            for path in paths {
                match path {
                    Ok(path) if path.is_dir() => expand_folder(&path, recursive, sources),
                    Ok(path) => sources.push(Source::file(path, None)),
                    Err(error) => {
                        let name = error.path().display().to_string();
                        sources.push(Source::problem(name, Error::from(std::io::Error::from(error))));
                    }
                }
            }
            if sources.len() == before {
                let error = Error::new(Kind::Io, "no file matches this pattern");
                sources.push(Source::problem(pattern.to_owned(), error));
            }
        }
    }
}

/// All models below a folder, sorted by path. Symbolic links to folders are not followed, so there is no circle.
fn expand_folder(folder: &Path, recursive: bool, sources: &mut Vec<Source>) {
    let before = sources.len();
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(current) = folders.pop() {
        let entries = match std::fs::read_dir(&current) {
            Ok(entries) => entries,
            Err(error) => {
                sources.push(Source::problem(current.display().to_string(), Error::from(error)));
                continue;
            }
        };
        for entry in entries.flatten() {
            let Ok(kind) = entry.file_type() else { continue };
            let path = entry.path();
            if kind.is_dir() {
                if recursive {
                    folders.push(path);
                }
            } else if (kind.is_file() || path.is_file()) && is_model(&path) {
                files.push(path);
            }
        }
    }
    files.sort();
    sources.extend(files.into_iter().map(|path| Source::file(path, Some(folder))));
    if sources.len() == before {
        let error = Error::new(Kind::Usage, "there is no model in this folder");
        sources.push(Source::problem(folder.display().to_string(), error));
    }
}

fn is_readable(format: Format) -> bool {
    format.entry().is_some_and(|entry| entry.read.is_some())
}

/// Whether a file found in a folder is worth opening: it is named like a model or begins like one.
fn is_model(path: &Path) -> bool {
    let extension = path.extension().and_then(OsStr::to_str);
    if let Some(format) = extension.and_then(Format::from_extension) {
        return is_readable(format);
    }
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(wide(HEAD)).read_to_end(&mut head));
    read.is_ok() && sniff(&head, extension).is_ok_and(is_readable)
}
