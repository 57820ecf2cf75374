//! Finding models: the files, folders, patterns and archives that a user's words stand for.

use crate::{Error, Format, HEAD, Kind, Limits, Result, Shard, sniff};
use effigy_assets::extract::safe_path;
use effigy_assets::file::check_unpacked;
use effigy_assets::{
    ArchiveAddress, ArchiveCache, ArchiveKind, ArchivePath, Entry, FileRef, PackedFile, missing, name,
};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// How deep archives inside archives are entered unasked: a map in a campaign.
const NESTED: usize = 1;

/// A model in memory, and what it is converted to, for each byte of its file.
const GROWTH: u64 = 8;

/// What is looked for in folders and archives. Files that are named one by one are taken in any case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wanted {
    /// Models.
    #[default]
    Models,
    /// Models that can be looked at by themselves: a skin belongs to its model.
    Scenes,
    /// Textures.
    Textures,
}

impl Wanted {
    /// What to call one of them.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Models | Self::Scenes => "model",
            Self::Textures => "texture",
        }
    }
}

/// Something to read, as it was found.
#[derive(Clone, Debug)]
pub struct Input {
    /// What to call it in every message, as the user named it.
    pub name: String,
    /// Where it belongs below an output folder: the path below the named folder or archive, or the bare file name.
    /// Empty where its name would lead out of that folder.
    pub relative: PathBuf,
    /// The file, or why there is none.
    pub file: Result<FileRef>,
}

impl Input {
    /// A file on disk; `below` is the folder it was found in.
    #[must_use]
    pub fn disk(path: PathBuf, below: Option<&Path>) -> Self {
        let relative = relative(&path, below);
        Self { name: path.display().to_string(), relative, file: Ok(FileRef::disk(path)) }
    }

    /// The path on disk, for a file on disk.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.file.as_ref().ok().and_then(FileRef::path)
    }

    /// About how many bytes it holds in memory while it is worked on: those of its pixels for a texture, and a multiple of its
    /// size for a model with what it is converted to.
    #[must_use]
    pub fn weight(&self) -> u64 {
        let Ok(file) = &self.file else { return 0 };
        let pixels = effigy_image::Format::by_extension(&file.file_name())
            .and_then(|_| effigy_image::stated_size(&file.head(effigy_image::HEAD).ok()?))
            .map(|(width, height)| u64::from(width).saturating_mul(height.into()).saturating_mul(4));
        pixels.unwrap_or_else(|| file.size().unwrap_or(0).saturating_mul(GROWTH))
    }

    /// Something that cannot be read, and why.
    #[must_use]
    pub const fn problem(name: String, error: Error) -> Self {
        Self { name, relative: PathBuf::new(), file: Err(error) }
    }

    fn packed(packed: PackedFile, base: &Path) -> Self {
        let relative = safe_path(&packed.entry.name).map(|path| base.join(path)).unwrap_or_default();
        let file = FileRef::packed(packed);
        Self { name: file.label().to_owned(), relative, file: Ok(file) }
    }
}

/// Collects inputs: one call of [`Finder::add`] for each of the user's words.
///
/// In a folder or archive, files that are named like models and are not models do not count; they are listed as
/// skipped. What cannot be read keeps its place in the list, with the reason.
///
/// ```no_run
/// let mut finder = effigy::Finder::default();
/// finder.add("models/".as_ref());
/// finder.add("map.w3x:units/*.mdx".as_ref());
/// for input in &finder.inputs {
///     let model = input.file.clone().and_then(|file| effigy::open_file(&file, &Default::default()));
///     println!("{}: {}", input.name, model.map_or_else(|error| error.to_string(), |model| model.name()));
/// }
/// ```
#[derive(Debug, Default)]
pub struct Finder {
    /// What was found, in the order of the words.
    pub inputs: Vec<Input>,
    /// Files in folders and archives that are named like models, and what they are instead.
    pub skipped: Vec<(String, Error)>,
    /// What was noticed in archives.
    pub notes: Vec<String>,
    /// Archives, and folders with archives, that are fine and have nothing of what is looked for.
    pub empty: Vec<String>,
    /// Whether folders inside folders are left out.
    pub flat: bool,
    /// Takes files of this format only, whatever their content says.
    pub format: Option<Format>,
    /// What is looked for.
    pub wanted: Wanted,
    /// Takes only the files of this part. Files in folders that belong to other parts are not opened.
    pub shard: Option<Shard>,
    cache: Arc<ArchiveCache>,
    limits: Limits,
}

impl Finder {
    /// A finder that opens archives within these limits.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self { cache: Arc::new(ArchiveCache::new(limits)), limits, ..Self::default() }
    }

    /// Gives inputs that belong to the same place below an output folder places of their own: as many of the folders above them
    /// are added as distinguish them. A file that was named twice keeps one place.
    pub fn separate(&mut self) {
        let mut same: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (at, input) in
            self.inputs.iter().enumerate().filter(|(_, it)| !it.relative.as_os_str().is_empty())
        {
            same.entry(input.relative.to_string_lossy().to_lowercase()).or_default().push(at);
        }
        for group in same.into_values().filter(|group| group.len() > 1) {
            // An archive is a folder here.
            let parts = |at: &usize| -> Vec<String> {
                let name = self.inputs.get(*at).map_or("", |input| input.name.as_str());
                let parts = name.split(['/', '\\', ':']).filter(|part| !matches!(*part, "" | "." | ".."));
                parts.map(str::to_owned).collect()
            };
            let names: Vec<Vec<String>> = group.iter().map(parts).collect();
            let end = |name: &Vec<String>, count: usize| -> PathBuf {
                name.iter().skip(name.len().saturating_sub(count)).collect()
            };
            let most = names.iter().map(Vec::len).max().unwrap_or(0);
            let distinct = |count: &usize| {
                let mut ends = BTreeSet::new();
                names.iter().all(|name| ends.insert(end(name, *count).to_string_lossy().to_lowercase()))
            };
            let Some(count) = (2..=most).find(distinct) else { continue };
            for (at, name) in group.iter().zip(&names) {
                if let Some(input) = self.inputs.get_mut(*at) {
                    input.relative = end(name, count);
                }
            }
        }
    }

    /// Adds what a word stands for: a file, a folder, an archive, a path into an archive, or a pattern of these.
    pub fn add(&mut self, path: &Path) {
        let before = self.inputs.len();
        self.add_word(path);
        if let Some(shard) = self.shard {
            let mut index = 0;
            self.inputs.retain(|input| {
                index += 1;
                index <= before || shard.has(&shard_key(input))
            });
        }
    }

    fn add_word(&mut self, path: &Path) {
        if path.is_dir() {
            #[cfg(feature = "scene")]
            if self.wanted == Wanted::Scenes && crate::formats::soldier::is_player(path) {
                return self.inputs.push(Input::disk(path.to_path_buf(), None));
            }
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

    /// The one input that a word stands for, where a folder or several files make no sense.
    #[must_use]
    pub fn single(path: &Path, limits: Limits) -> Input {
        match path.to_str().and_then(ArchivePath::locate) {
            None => Input::disk(path.to_path_buf(), None),
            Some(inside) => {
                let mut finder = Self::new(limits);
                finder.add_inside(&inside);
                match (finder.inputs.pop(), finder.inputs.is_empty()) {
                    (Some(input), true) => input,
                    _ => {
                        let error = Error::new(Kind::Usage, "this names several models; one is needed");
                        Input::problem(path.display().to_string(), error)
                    }
                }
            }
        }
    }

    fn problem(&mut self, name: String, error: Error) {
        self.inputs.push(Input::problem(name, error));
    }

    /// A file that was named: all models of an archive, or the file itself whatever it is.
    fn add_file(&mut self, path: PathBuf) {
        if ArchiveKind::of_file(&path).is_none() {
            return self.inputs.push(Input::disk(path, None));
        }
        let before = self.inputs.len();
        self.add_archive(&ArchiveAddress::disk(&path), Path::new(""));
        if self.inputs.len() == before {
            self.empty.push(path.display().to_string());
        }
    }

    fn add_glob(&mut self, pattern: &str) {
        let before = (self.inputs.len(), self.empty.len());
        let paths = match matching(pattern) {
            Ok(paths) => paths,
            Err(error) => {
                let text = format!("not a valid pattern: {}", error.msg);
                return self.problem(pattern.to_owned(), Error::new(Kind::Usage, text));
            }
        };
        for path in paths {
            match path {
                Ok(path) if path.is_dir() => self.add_folder(&path),
                // A pipe, socket or device that was not named would block, or never end.
                Ok(path) if path.exists() && !path.is_file() => {}
                Ok(path) => self.add_file(path),
                Err(error) => {
                    let name = error.path().display().to_string();
                    self.problem(name, Error::from(io::Error::from(error)));
                }
            }
        }
        if (self.inputs.len(), self.empty.len()) == before {
            self.problem(pattern.to_owned(), Error::new(Kind::Io, "no file matches this pattern"));
        }
    }

    /// Adds all models below a folder and in the archives below it, sorted by path.
    fn add_folder(&mut self, folder: &Path) {
        let (before, mut archives) = (self.inputs.len(), 0_usize);
        let (files, problems) = files_below(folder, !self.flat);
        for (path, error) in problems {
            self.problem(path.display().to_string(), error);
        }
        for path in files {
            if self
                .shard
                .is_some_and(|shard| !is_archive_name(&path) && !shard.has(&path.display().to_string()))
            {
                continue;
            }
            let mut head = Vec::new();
            let read = File::open(&path).and_then(|file| file.take(wide(HEAD)).read_to_end(&mut head));
            if ArchiveKind::sniff(&head).is_some() {
                let base = relative(&path, Some(folder));
                self.add_archive(&ArchiveAddress::disk(path), &base);
                archives += 1;
                continue;
            }
            let extension = name::extension(&path.to_string_lossy());
            if self.wants(&path.display().to_string(), &extension, || read.map(|_| head).map_err(Error::from))
            {
                self.inputs.push(Input::disk(path, Some(folder)));
            }
        }
        // A part of a folder may be empty, and so may a map be that has no models of its own.
        if self.inputs.len() == before && archives == 0 && self.shard.is_none() {
            let text = format!("there is no {} in this folder", self.wanted.word());
            self.problem(folder.display().to_string(), Error::new(Kind::Usage, text));
        } else if self.inputs.len() == before && self.shard.is_none() {
            self.empty.push(folder.display().to_string());
        }
    }

    /// Adds what a path into archives stands for.
    fn add_inside(&mut self, path: &ArchivePath) {
        for archive in globbed(&path.archive) {
            if archive.is_file() {
                self.enter(&ArchiveAddress::disk(archive), &path.inside);
            } else {
                self.problem(path.to_string(), Error::new(Kind::Io, "no such file or folder"));
            }
        }
    }

    /// Adds what a name stands for in an archive: a file, a file in an archive therein, a pattern, a folder.
    fn enter(&mut self, address: &ArchiveAddress, inside: &str) {
        let before = self.inputs.len();
        let result = self.try_enter(address, inside);
        let found = self.inputs.len() > before;
        if let Err(error) = result.and_then(|()| if found { Ok(()) } else { Err(missing(inside)) }) {
            self.problem(format!("{address}:{inside}"), error);
        }
    }

    fn try_enter(&mut self, address: &ArchiveAddress, inside: &str) -> Result<()> {
        let archive = self.cache.open(address)?;
        if let Some(entry) = archive.find(inside) {
            self.add_entry(address, entry);
            return Ok(());
        }
        if let Some(inner) = ArchivePath::parse(inside)
            && let Some(entry) = archive.find(&inner.archive.to_string_lossy())
        {
            self.enter(&address.with(&entry.name), &inner.inside);
            return Ok(());
        }
        let pattern = inside.contains(['*', '?']);
        let folder = format!("{}/", name::key(inside));
        for entry in archive.list()? {
            if pattern && name::matches(inside, &entry.name) {
                self.add_entry(address, entry);
            } else if !pattern && name::key(&entry.name).starts_with(&folder) {
                let extension = name::extension(&entry.name);
                if self.wants(&format!("{address}:{}", entry.name), &extension, || archive.head(&entry, HEAD))
                {
                    self.push(address, entry, Path::new(""));
                }
            }
        }
        Ok(())
    }

    /// A file in an archive that was named, or all models of an archive in an archive.
    fn add_entry(&mut self, address: &ArchiveAddress, entry: Entry) {
        if ArchiveKind::by_extension(&entry.name).is_some() {
            self.add_archive(&address.with(&entry.name), Path::new(""));
        } else {
            self.push(address, entry, Path::new(""));
        }
    }

    fn push(&mut self, address: &ArchiveAddress, entry: Entry, base: &Path) {
        let packed = self.packed(address, entry);
        self.inputs.push(Input::packed(packed, base));
    }

    fn packed(&self, address: &ArchiveAddress, entry: Entry) -> PackedFile {
        PackedFile { address: address.clone(), entry, cache: Arc::clone(&self.cache) }
    }

    /// Adds all models of an archive.
    fn add_archive(&mut self, address: &ArchiveAddress, base: &Path) {
        let opened = self.cache.open(address).and_then(|archive| Ok((archive.list()?, archive)));
        let (entries, archive) = match opened {
            Ok(opened) => opened,
            Err(error) => return self.problem(address.to_string(), error),
        };
        for note in archive.diagnostics().iter() {
            self.notes.push(format!("{address}: {} ({})", note.message, note.code));
        }
        let (mut bytes, mut stored) = (0_u64, 0_u64);
        for entry in entries {
            if address.inside.len() < NESTED && ArchiveKind::by_extension(&entry.name).is_some() {
                let inner = Input::packed(self.packed(address, entry.clone()), base);
                self.add_archive(&address.with(&entry.name), &inner.relative);
                continue;
            }
            let extension = name::extension(&entry.name);
            if self.wants(&format!("{address}:{}", entry.name), &extension, || archive.head(&entry, HEAD)) {
                // All files of an archive together, as for an extraction.
                bytes = bytes.saturating_add(entry.size);
                stored = stored.saturating_add(entry.stored);
                if let Err(error) = check_unpacked(bytes, stored, &self.limits) {
                    return self.problem(address.to_string(), error);
                }
                self.push(address, entry, base);
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
            Format::from_extension(extension).filter(|format| format.is_readable() && scene(*format));
        if self.format.is_some() {
            return by_name == self.format;
        }
        let Ok(head) = head() else { return by_name.is_some() };
        match sniff(&head, Some(extension)) {
            Ok(format) => format.is_readable() && scene(format),
            // An empty file or one of zeros was a model once, if it is named like one.
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

/// Whether these are a texture's first bytes. A texture that is named like a model is a mistake. A format without a mark
/// at its start (TGA) is recognised by a weak test, so the file must also have its extension.
#[must_use]
pub fn is_texture(head: &[u8], extension: &str) -> bool {
    match effigy_image::sniff(head) {
        Some(format) if format.magic.is_empty() => format.extensions.contains(&extension),
        Some(_) => Format::from_extension(extension).is_none(),
        None => false,
    }
}

/// The models of two folders or archives, to be compared by their paths there.
#[derive(Debug, Default)]
pub struct TwoSides {
    /// The models of each side, sorted by their paths.
    pub inputs: [Vec<Input>; 2],
    /// What cannot be read, with the reason.
    pub unreadable: Vec<(String, Error)>,
}

impl TwoSides {
    /// Looks for the models of both.
    #[must_use]
    pub fn new(paths: [&Path; 2], limits: Limits, format: Option<Format>) -> Self {
        let mut sides = Self::default();
        for (path, inputs) in paths.into_iter().zip(&mut sides.inputs) {
            let mut finder = Finder::new(limits);
            finder.format = format;
            finder.add(path);
            for input in finder.inputs {
                match input.file {
                    Err(error) => sides.unreadable.push((input.name, error)),
                    Ok(_) => inputs.push(input),
                }
            }
            inputs.sort_by(|a, b| a.relative.cmp(&b.relative));
        }
        sides
    }

    /// The inputs at the same path, in the order of the paths; `None` for a side that does not have it.
    #[must_use]
    pub fn pairs(&self) -> Vec<[Option<&Input>; 2]> {
        let [a, b] = &self.inputs;
        let (mut first, mut second) = (a.iter().peekable(), b.iter().peekable());
        let mut pairs = Vec::with_capacity(a.len().max(b.len()));
        loop {
            let order = match (first.peek(), second.peek()) {
                (None, None) => return pairs,
                (Some(a), Some(b)) => a.relative.cmp(&b.relative),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
            };
            pairs.push([first.next_if(|_| order.is_le()), second.next_if(|_| order.is_ge())]);
        }
    }
}

/// What decides about the part that an input belongs to: its name. An archive that is not named like one goes to one part as a
/// whole, so that the other parts need not look into every file to find it.
fn shard_key(input: &Input) -> Cow<'_, str> {
    match input.file.as_ref().ok().and_then(FileRef::on_disk) {
        Some(path) if !is_archive_name(path) => Cow::Owned(path.display().to_string()),
        _ => Cow::Borrowed(&input.name),
    }
}

fn is_archive_name(path: &Path) -> bool {
    ArchiveKind::by_extension(&path.to_string_lossy()).is_some()
}

/// Whether a word names a folder, a whole archive or a pattern, so that any number of files may come of it.
#[must_use]
pub fn is_collection(path: &Path) -> bool {
    // A player folder stands for one soldier.
    #[cfg(feature = "scene")]
    if crate::formats::soldier::is_player(path) {
        return false;
    }
    if path.exists() {
        return path.is_dir() || (path.is_file() && ArchiveKind::of_file(path).is_some());
    }
    is_pattern(&path.display().to_string())
}

/// All archives that a word stands for: one, those of a pattern, or those below a folder. The second part is what
/// follows the colon, where there is one.
#[must_use]
pub fn archives(path: &Path) -> Vec<(PathBuf, Option<String>)> {
    if path.is_dir() {
        let (files, _) = files_below(path, true);
        let archives = files.into_iter().filter(|file| ArchiveKind::of_file(file).is_some());
        return archives.map(|file| (file, None)).collect();
    }
    let text = path.display().to_string();
    match ArchivePath::locate(&text) {
        Some(inside) => {
            globbed(&inside.archive).into_iter().map(|file| (file, Some(inside.inside.clone()))).collect()
        }
        None => globbed(path).into_iter().map(|file| (file, None)).collect(),
    }
}

/// The files that a pattern stands for; a path that exists, no pattern, or one that nothing fits stands for itself.
#[must_use]
pub fn globbed(path: &Path) -> Vec<PathBuf> {
    let text = path.display().to_string();
    if path.exists() || !is_pattern(&text) {
        return vec![path.to_path_buf()];
    }
    let found: Vec<PathBuf> =
        matching(&text).map(|paths| paths.into_iter().flatten().collect()).unwrap_or_default();
    if found.is_empty() { vec![path.to_path_buf()] } else { found }
}

/// The paths that fit a pattern; without regard to case where the file system has none, or where nothing fits otherwise.
fn matching(pattern: &str) -> Result<Vec<glob::GlobResult>, glob::PatternError> {
    let has_no_case = cfg!(any(windows, target_os = "macos"));
    let with = |pattern: &str, case_sensitive| {
        let options = glob::MatchOptions { case_sensitive, ..glob::MatchOptions::new() };
        glob::glob_with(pattern, options).map(Iterator::collect::<Vec<_>>)
    };
    let exact = with(pattern, !has_no_case)?;
    if exact.is_empty() && !has_no_case { with(&in_any_case(pattern), false) } else { Ok(exact) }
}

/// A pattern with a set of both cases for each letter. The parts of a path without wildcards are otherwise taken as they are spelled.
fn in_any_case(pattern: &str) -> String {
    let mut in_set = false;
    let mut any = String::new();
    for letter in pattern.chars() {
        in_set = if in_set { letter != ']' } else { letter == '[' };
        if letter.is_ascii_alphabetic() && !in_set {
            any.extend(['[', letter.to_ascii_lowercase(), letter.to_ascii_uppercase(), ']']);
        } else {
            any.push(letter);
        }
    }
    any
}

fn is_pattern(text: &str) -> bool {
    text.contains(['*', '?', '['])
}

/// All files below a folder, sorted, and the folders that could not be read. Symbolic links to folders are not
/// followed, so there is no cycle. Pipes, sockets and devices are left out, since reading them may never end, and so are
/// the copies that a repair keeps (`.bak`) and what a run that was stopped has left.
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
            if kind.is_dir() {
                if recursive {
                    folders.push(path);
                }
                continue;
            }
            // A broken link stays in the list, so that it is reported. Most are plain files, which need no further look.
            let special = !kind.is_file() && path.exists() && !path.is_file();
            let is_folder = kind.is_symlink() && path.is_dir();
            let is_litter = is_backup(&path) || effigy_assets::destination::is_unfinished(&path);
            if !special && !is_folder && !is_litter {
                files.push(path);
            }
        }
    }
    files.sort();
    (files, problems)
}

/// Whether a name is that of a copy that a repair keeps.
#[must_use]
pub fn is_backup(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("bak"))
}

fn relative(path: &Path, below: Option<&Path>) -> PathBuf {
    let relative = below
        .and_then(|folder| path.strip_prefix(folder).ok())
        .map_or_else(|| PathBuf::from(path.file_name().unwrap_or_default()), Path::to_path_buf);
    // Only plain names may reach an output folder.
    relative.components().filter(|part| matches!(part, Component::Normal(_))).collect()
}

fn wide(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_texture_weighs_what_its_pixels_need_even_if_it_lies() {
        let folder = tempfile::tempdir().unwrap();
        let mut png = effigy_image::png::single_pixel([0; 4]).unwrap();
        for (side, expected) in [(16_384_u32, 1 << 30), (u32::MAX, u64::MAX)] {
            png[16..20].copy_from_slice(&side.to_be_bytes());
            png[20..24].copy_from_slice(&side.to_be_bytes());
            let path = folder.path().join("a.png");
            std::fs::write(&path, &png).unwrap();
            assert_eq!(Input::disk(path, None).weight(), expected);
        }
        let path = folder.path().join("a.mdx");
        std::fs::write(&path, [0; 100]).unwrap();
        assert_eq!(Input::disk(path, None).weight(), 800);
        assert_eq!(Input::disk("not there.mdx".into(), None).weight(), 0);
    }

    #[test]
    fn inputs_of_the_same_name_are_told_apart_by_the_folders_above_them() {
        let places = |paths: &[&str]| {
            let mut finder = Finder::default();
            finder.inputs.extend(paths.iter().map(|path| Input::disk(PathBuf::from(*path), None)));
            finder.separate();
            let text = |input: &Input| input.relative.to_string_lossy().replace('\\', "/");
            finder.inputs.iter().map(text).collect::<Vec<String>>()
        };
        assert_eq!(places(&["a/x.mdx", "b/y.mdx"]), ["x.mdx", "y.mdx"]);
        assert_eq!(places(&["a/x.mdx", "b/X.mdx", "y.mdx"]), ["a/x.mdx", "b/X.mdx", "y.mdx"]);
        assert_eq!(places(&["1/a/x.mdx", "2/a/x.mdx"]), ["1/a/x.mdx", "2/a/x.mdx"]);
        assert_eq!(places(&["x.mdx", "../b/x.mdx"]), ["x.mdx", "b/x.mdx"]);
        // The same file twice.
        assert_eq!(places(&["a/x.mdx", "a/x.mdx"]), ["x.mdx", "x.mdx"]);
    }
}
