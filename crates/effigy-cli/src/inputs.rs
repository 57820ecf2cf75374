//! Where inputs come from: files, folders, globs and stdin, as a list of named byte sources.

use crate::args::{Inputs, Reading};
use crate::session::Session;
use crate::text::count;
use effigy::{Error, Format, HEAD, Kind, Result, sniff};
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

    /// The file on disk, where it is one.
    pub fn path(&self) -> Option<&Path> {
        match &self.origin {
            Origin::File(path) => Some(path),
            Origin::Stdin | Origin::Problem(_) => None,
        }
    }

    /// The bare file name; empty for stdin.
    pub fn file_name(&self) -> String {
        let name = self.path().and_then(Path::file_name);
        name.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }

    /// The bytes of a file of this name in the same place, if there is one within the limits.
    pub fn beside(&self, name: &str, reading: &Reading) -> Option<Vec<u8>> {
        let path = self.path()?.with_file_name(name);
        let length = std::fs::metadata(&path).ok()?.len();
        if length > reading.limits().input_bytes { None } else { std::fs::read(path).ok() }
    }

    fn extension(&self) -> Option<&str> {
        Path::new(&self.name).extension().and_then(OsStr::to_str)
    }

    /// All bytes and their format. The first bytes are looked at before the rest is read.
    pub fn read(&self, reading: &Reading) -> Result<(Format, Vec<u8>)> {
        match &self.origin {
            Origin::Problem(error) => Err(error.clone()),
            Origin::Stdin => self.pull(io::stdin().lock(), None, reading),
            Origin::File(path) => {
                let file = File::open(path)?;
                let metadata = file.metadata()?;
                if metadata.is_dir() {
                    return Err(Error::new(Kind::Usage, "this is a folder"));
                }
                self.pull(file, Some(metadata.len()), reading)
            }
        }
    }

    fn pull(
        &self,
        mut stream: impl Read,
        length: Option<u64>,
        reading: &Reading,
    ) -> Result<(Format, Vec<u8>)> {
        let limits = reading.limits();
        let mut bytes = Vec::new();
        stream.by_ref().take(wide(HEAD)).read_to_end(&mut bytes)?;
        let format = match reading.from {
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
///
/// In a folder, files that are named like models and are none do not count; it is said how many there are.
pub fn expand(session: &mut Session, inputs: &Inputs) -> Vec<Source> {
    let mut list = List { recursive: !inputs.no_recursive, from: inputs.reading.from, ..List::default() };
    for path in &inputs.paths {
        list.add(path);
    }
    if session.common.verbose {
        for (name, error) in &list.skipped {
            session.out.say(format_args!("skipped {name}: {error}"));
        }
    } else if !list.skipped.is_empty() {
        let files = count(wide(list.skipped.len()), "file");
        session.out.say(format_args!(
            "skipped {files} named like a model but of another kind (--verbose names them)"
        ));
    }
    list.sources
}

/// The source that one word stands for, where a folder or several files make no sense.
pub fn single(path: &Path) -> Source {
    if path == Path::new("-") { stdin() } else { Source::file(path.to_path_buf(), None) }
}

fn stdin() -> Source {
    Source { name: "-".to_owned(), relative: PathBuf::from("stdin"), origin: Origin::Stdin }
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

/// What the words stand for so far.
#[derive(Default)]
struct List {
    sources: Vec<Source>,
    /// Files in folders that are named like models, and what they are instead.
    skipped: Vec<(String, Error)>,
    recursive: bool,
    from: Option<Format>,
}

impl List {
    fn add(&mut self, path: &Path) {
        if path == Path::new("-") {
            self.sources.push(stdin());
        } else if path.is_dir() {
            self.add_folder(path);
        } else if path.exists() {
            self.sources.push(Source::file(path.to_path_buf(), None));
        } else {
            let name = path.display().to_string();
            if name.contains(['*', '?', '[']) {
                self.add_glob(&name);
            } else if in_archive(&name) {
                self.problem(name, Error::unsupported("reading from inside an archive is not supported yet"));
            } else {
                self.problem(name, Error::new(Kind::Io, "no such file or folder"));
            }
        }
    }

    fn problem(&mut self, name: String, error: Error) {
        self.sources.push(Source { name, relative: PathBuf::new(), origin: Origin::Problem(error) });
    }

    fn add_glob(&mut self, pattern: &str) {
        let before = self.sources.len();
        let paths = match glob::glob(pattern) {
            Ok(paths) => paths,
            Err(error) => {
                let text = format!("not a valid pattern: {}", error.msg);
                return self.problem(pattern.to_owned(), Error::new(Kind::Usage, text));
            }
        };
        for path in paths {
            match path {
                Ok(path) if path.is_dir() => self.add_folder(&path),
                Ok(path) => self.sources.push(Source::file(path, None)),
                Err(error) => {
                    let name = error.path().display().to_string();
                    self.problem(name, Error::from(io::Error::from(error)));
                }
            }
        }
        if self.sources.len() == before {
            self.problem(pattern.to_owned(), Error::new(Kind::Io, "no file matches this pattern"));
        }
    }

    /// Adds all models below a folder, sorted by path. Symbolic links to folders are not followed, so there is no
    /// circle.
    fn add_folder(&mut self, folder: &Path) {
        let before = self.sources.len();
        let mut files = Vec::new();
        let mut folders = vec![folder.to_path_buf()];
        while let Some(current) = folders.pop() {
            let entries = match std::fs::read_dir(&current) {
                Ok(entries) => entries,
                Err(error) => {
                    self.problem(current.display().to_string(), Error::from(error));
                    continue;
                }
            };
            for entry in entries.flatten() {
                let Ok(kind) = entry.file_type() else { continue };
                let path = entry.path();
                if !kind.is_dir() {
                    files.push(path);
                } else if self.recursive {
                    folders.push(path);
                }
            }
        }
        files.sort();
        for path in files {
            if self.is_model(&path) {
                self.sources.push(Source::file(path, Some(folder)));
            }
        }
        if self.sources.len() == before {
            let error = Error::new(Kind::Usage, "there is no model in this folder");
            self.problem(folder.display().to_string(), error);
        }
    }

    /// Whether a file found in a folder is worth opening: by its content, or by its name where the content is broken.
    fn is_model(&mut self, path: &Path) -> bool {
        let extension = path.extension().and_then(OsStr::to_str);
        let by_name = extension.and_then(Format::from_extension).filter(|format| is_readable(*format));
        if self.from.is_some() {
            return by_name == self.from;
        }
        let mut head = Vec::new();
        let read = File::open(path).and_then(|file| file.take(wide(HEAD)).read_to_end(&mut head));
        if read.is_err() {
            return by_name.is_some();
        }
        match sniff(&head, extension) {
            Ok(format) => is_readable(format),
            // An empty file or one of zeros was a model once, if it is named so.
            Err(error) if error.kind() != Kind::Unsupported => by_name.is_some(),
            Err(error) => {
                if by_name.is_some() {
                    self.skipped.push((path.display().to_string(), error));
                }
                false
            }
        }
    }
}

fn is_readable(format: Format) -> bool {
    format.entry().is_some_and(|entry| entry.read.is_some())
}
