//! What the user's words stand for: files, folders, globs, archives and what is inside them.

use crate::args::{Inputs, Reading};
use crate::inputs::{Packed, Source, is_texture};
use crate::pool::{Place, Pool, missing};
use crate::session::Session;
use crate::text::count;
use effigy::{Error, Format, HEAD, Kind, Result, sniff};
use effigy_assets::{ArchiveKind, ArchivePath, Entry, name};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How deep archives inside archives are entered unasked: a map in a campaign.
const NESTED: usize = 1;

/// What is looked for in folders and archives. Files that are named one by one are taken in any case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wanted {
    /// Models.
    #[default]
    Models,
    /// Models that are something to look at by themselves.
    Scenes,
    /// Pictures.
    Textures,
}

impl Wanted {
    const fn word(self) -> &'static str {
        match self {
            Self::Models | Self::Scenes => "model",
            Self::Textures => "texture",
        }
    }
}

/// The list of models that the user's words stand for, in that order.
pub fn expand(session: &mut Session, inputs: &Inputs) -> Vec<Source> {
    expand_to(session, inputs, Wanted::Models)
}

/// The list of sources that the user's words stand for, in that order.
///
/// In a folder or archive, files that are named like models and are none do not count; it is said how many there are.
pub fn expand_to(session: &mut Session, inputs: &Inputs, wanted: Wanted) -> Vec<Source> {
    let mut list = List { recursive: !inputs.no_recursive, wanted, ..List::new(&inputs.reading) };
    for path in &inputs.paths {
        list.add(path);
    }
    if session.common.verbose {
        for (name, error) in &list.skipped {
            session.out.say(format_args!("skipped {name}: {error}"));
        }
        for note in &list.notes {
            session.out.say(format_args!("{note}"));
        }
    } else if !list.skipped.is_empty() {
        let files = count(wide(list.skipped.len()), "file");
        session.out.say(format_args!(
            "skipped {files} named like a {} but of another kind (--verbose names them)",
            wanted.word()
        ));
    }
    list.sources
}

/// The source that one word stands for, where a folder or several files make no sense.
pub fn single(path: &Path, reading: &Reading) -> Source {
    if path == Path::new("-") {
        return Source::stdin();
    }
    match path.to_str().and_then(ArchivePath::locate) {
        None => Source::file(path.to_path_buf(), None),
        Some(inside) => {
            let mut list = List::new(reading);
            list.add_inside(&inside);
            match (list.sources.pop(), list.sources.is_empty()) {
                (Some(source), true) => source,
                _ => Source::problem(
                    path.display().to_string(),
                    Error::new(Kind::Usage, "this names several models; one is needed"),
                ),
            }
        }
    }
}

/// Whether a word names a folder or a whole archive, so that any number of files may come of it.
pub fn is_collection(path: &Path) -> bool {
    path.is_dir() || (path.is_file() && ArchiveKind::of_file(path).is_some())
}

/// All archives that a word stands for: one, those of a glob, or those below a folder. The pattern is the part after
/// the colon, where there is one.
pub fn archives(path: &Path) -> Vec<(PathBuf, Option<String>)> {
    if path.is_dir() {
        let (files, _) = files_below(path, true);
        return files
            .into_iter()
            .filter(|file| ArchiveKind::of_file(file).is_some())
            .map(|f| (f, None))
            .collect();
    }
    let text = path.display().to_string();
    match ArchivePath::locate(&text) {
        Some(inside) => {
            globbed(&inside.archive).into_iter().map(|file| (file, Some(inside.inside.clone()))).collect()
        }
        None => globbed(path).into_iter().map(|file| (file, None)).collect(),
    }
}

/// The files that a pattern stands for; a path that exists, or no pattern, stands for itself.
fn globbed(path: &Path) -> Vec<PathBuf> {
    let text = path.display().to_string();
    if path.exists() || !is_pattern(&text) {
        return vec![path.to_path_buf()];
    }
    let found: Vec<PathBuf> = glob::glob(&text).map(|paths| paths.flatten().collect()).unwrap_or_default();
    if found.is_empty() { vec![path.to_path_buf()] } else { found }
}

fn is_pattern(text: &str) -> bool {
    text.contains(['*', '?', '['])
}

/// All files below a folder, sorted, and the folders that could not be read. Symbolic links to folders are not
/// followed, so there is no circle.
fn files_below(folder: &Path, recursive: bool) -> (Vec<PathBuf>, Vec<(PathBuf, Error)>) {
    let (mut files, mut problems) = (Vec::new(), Vec::new());
    let mut folders = vec![folder.to_path_buf()];
    while let Some(current) = folders.pop() {
        let entries = match std::fs::read_dir(&current) {
            Ok(entries) => entries,
            Err(error) => {
                problems.push((current, Error::from(error)));
                continue;
            }
        };
        for entry in entries.flatten() {
            let Ok(kind) = entry.file_type() else { continue };
            let path = entry.path();
            if !kind.is_dir() {
                files.push(path);
            } else if recursive {
                folders.push(path);
            }
        }
    }
    files.sort();
    (files, problems)
}

/// What the words stand for so far.
#[derive(Default)]
struct List {
    sources: Vec<Source>,
    /// Files in folders and archives that are named like models, and what they are instead.
    skipped: Vec<(String, Error)>,
    /// What was noticed in archives.
    notes: Vec<String>,
    recursive: bool,
    from: Option<Format>,
    wanted: Wanted,
    pool: Arc<Pool>,
}

impl List {
    fn new(reading: &Reading) -> Self {
        Self { from: reading.from, pool: Arc::new(Pool::new(reading.limits())), ..Self::default() }
    }

    fn add(&mut self, path: &Path) {
        if path == Path::new("-") {
            self.sources.push(Source::stdin());
        } else if path.is_dir() {
            self.add_folder(path);
        } else if path.exists() {
            self.add_file(path.to_path_buf());
        } else if let Some(inside) = path.to_str().and_then(ArchivePath::locate) {
            self.add_inside(&inside);
        } else {
            let name = path.display().to_string();
            if is_pattern(&name) {
                self.add_glob(&name);
            } else {
                self.problem(name, Error::new(Kind::Io, "no such file or folder"));
            }
        }
    }

    fn problem(&mut self, name: String, error: Error) {
        self.sources.push(Source::problem(name, error));
    }

    /// A file that was named: all models of an archive, or the file itself whatever it is.
    fn add_file(&mut self, path: PathBuf) {
        if ArchiveKind::of_file(&path).is_none() {
            return self.sources.push(Source::file(path, None));
        }
        let before = self.sources.len();
        self.add_archive(&Place::disk(&path), Path::new(""));
        if self.sources.len() == before {
            let text = format!("there is no {} in this archive", self.wanted.word());
            self.problem(path.display().to_string(), Error::new(Kind::Usage, text));
        }
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
                Ok(path) => self.add_file(path),
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

    /// Adds all models below a folder and in the archives below it, sorted by path.
    fn add_folder(&mut self, folder: &Path) {
        let before = self.sources.len();
        let (files, problems) = files_below(folder, self.recursive);
        for (path, error) in problems {
            self.problem(path.display().to_string(), error);
        }
        for path in files {
            let mut head = Vec::new();
            let read = File::open(&path).and_then(|file| file.take(wide(HEAD)).read_to_end(&mut head));
            if ArchiveKind::sniff(&head).is_some() {
                let base = Source::file(path.clone(), Some(folder)).relative;
                self.add_archive(&Place::disk(path), &base);
                continue;
            }
            let extension = name::extension(&path.to_string_lossy());
            if self.wants(&path.display().to_string(), &extension, || read.map(|_| head).map_err(Error::from))
            {
                self.sources.push(Source::file(path, Some(folder)));
            }
        }
        if self.sources.len() == before {
            let text = format!("there is no {} in this folder", self.wanted.word());
            self.problem(folder.display().to_string(), Error::new(Kind::Usage, text));
        }
    }

    /// Adds what a path into archives stands for.
    fn add_inside(&mut self, path: &ArchivePath) {
        for archive in globbed(&path.archive) {
            if archive.is_file() {
                self.enter(&Place::disk(archive), &path.inside);
            } else {
                self.problem(path.to_string(), Error::new(Kind::Io, "no such file or folder"));
            }
        }
    }

    /// Adds what a name stands for in an archive: a file, a file in an archive therein, a pattern, a folder.
    fn enter(&mut self, place: &Place, inside: &str) {
        let before = self.sources.len();
        let result = self.try_enter(place, inside);
        let found = self.sources.len() > before;
        if let Err(error) = result.and_then(|()| if found { Ok(()) } else { Err(missing(inside)) }) {
            self.problem(format!("{place}:{inside}"), error);
        }
    }

    fn try_enter(&mut self, place: &Place, inside: &str) -> Result<()> {
        let archive = self.pool.open(place)?;
        if let Some(entry) = archive.find(inside) {
            self.add_entry(place, entry);
            return Ok(());
        }
        if let Some(inner) = ArchivePath::parse(inside)
            && let Some(entry) = archive.find(&inner.archive.to_string_lossy())
        {
            self.enter(&place.with(&entry.name), &inner.inside);
            return Ok(());
        }
        let pattern = inside.contains(['*', '?']);
        let folder = format!("{}/", name::key(inside));
        for entry in archive.list()? {
            if pattern && name::matches(inside, &entry.name) {
                self.add_entry(place, entry);
            } else if !pattern && name::key(&entry.name).starts_with(&folder) {
                let extension = name::extension(&entry.name);
                if self.wants(&format!("{place}:{}", entry.name), &extension, || archive.head(&entry, HEAD)) {
                    self.push(place, entry, Path::new(""));
                }
            }
        }
        Ok(())
    }

    /// A file in an archive that was named, or all models of an archive in an archive.
    fn add_entry(&mut self, place: &Place, entry: Entry) {
        if ArchiveKind::by_extension(&entry.name).is_some() {
            self.add_archive(&place.with(&entry.name), Path::new(""));
        } else {
            self.push(place, entry, Path::new(""));
        }
    }

    fn push(&mut self, place: &Place, entry: Entry, base: &Path) {
        let packed = Packed { place: place.clone(), entry, pool: Arc::clone(&self.pool) };
        self.sources.push(Source::packed(packed, base));
    }

    /// Adds all models of an archive.
    fn add_archive(&mut self, place: &Place, base: &Path) {
        let opened = self.pool.open(place).and_then(|archive| Ok((archive.list()?, archive)));
        let (entries, archive) = match opened {
            Ok(opened) => opened,
            Err(error) => return self.problem(place.to_string(), error),
        };
        for note in archive.diagnostics().iter() {
            self.notes.push(format!("{place}: {} ({})", note.message, note.code));
        }
        for entry in entries {
            if place.inside.len() < NESTED && ArchiveKind::by_extension(&entry.name).is_some() {
                let inner = Source::packed(
                    Packed { place: place.clone(), entry: entry.clone(), pool: Arc::clone(&self.pool) },
                    base,
                );
                self.add_archive(&place.with(&entry.name), &inner.relative);
                continue;
            }
            let extension = name::extension(&entry.name);
            if self.wants(&format!("{place}:{}", entry.name), &extension, || archive.head(&entry, HEAD)) {
                self.push(place, entry, base);
            }
        }
    }

    /// Whether a file found in a folder or archive is worth opening: by its content, or by its name where the content
    /// is broken.
    fn wants(&mut self, name: &str, extension: &str, head: impl FnOnce() -> Result<Vec<u8>>) -> bool {
        if self.wanted == Wanted::Textures {
            return effigy_image::Format::by_extension(name).is_some()
                || head().is_ok_and(|head| is_texture(&head, extension));
        }
        // A skin belongs to its model.
        let scene = |format: Format| self.wanted != Wanted::Scenes || format != Format::Skin;
        let by_name =
            Format::from_extension(extension).filter(|format| is_readable(*format) && scene(*format));
        if self.from.is_some() {
            return by_name == self.from;
        }
        let Ok(head) = head() else { return by_name.is_some() };
        match sniff(&head, Some(extension)) {
            Ok(format) => is_readable(format) && scene(format),
            // An empty file or one of zeros was a model once, if it is named so.
            Err(error) if error.kind() != Kind::Unsupported => by_name.is_some(),
            Err(error) => {
                if by_name.is_some() {
                    self.skipped.push((name.to_owned(), error));
                }
                false
            }
        }
    }
}

fn is_readable(format: Format) -> bool {
    format.entry().is_some_and(|entry| entry.read.is_some())
}

fn wide(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}
