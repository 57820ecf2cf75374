//! What is browsed: the models of a folder, of an archive, or of files in memory.

use effigy::assets::{ArchiveKind, Entry, FileRef, Memory, Source, name};
use effigy::{Format, Limits, Result};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// One line of the list.
#[derive(Clone, Debug)]
pub struct Item {
    /// Its path below the folder or archive.
    pub name: String,
    /// Whether it is an archive that can be entered.
    pub is_archive: bool,
    place: Place,
}

#[derive(Clone, Debug)]
enum Place {
    Disk(PathBuf),
    In(Entry),
}

/// The models of a folder or archive.
pub struct Library {
    /// What to call it.
    pub label: String,
    pub items: Vec<Item>,
    /// None for a folder, whose files are opened from disk.
    source: Option<Arc<dyn Source>>,
    /// The library that this one was entered from.
    pub back: Option<Box<Self>>,
}

/// Whether a file is listed: a model, but not a skin, or an archive.
fn listed(file_name: &str) -> Option<bool> {
    if ArchiveKind::by_extension(file_name).is_some() {
        return Some(true);
    }
    let format = Format::from_extension(&name::extension(file_name))?;
    (format.is_readable() && format != Format::Skin).then_some(false)
}

impl Library {
    /// The models below a folder.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn folder(path: &Path, limits: &Limits) -> Result<Self> {
        let source = effigy::assets::open(path, limits)?;
        let mut library =
            Self::listing(path.display().to_string(), &*source, |entry| Place::Disk(path.join(&entry.name)))?;
        library.source = None;
        Ok(library)
    }

    /// The models in the same folder as a file.
    pub fn beside(file: &Path) -> Self {
        let folder = match file.parent() {
            Some(parent) if parent != Path::new("") => parent,
            _ => Path::new("."),
        };
        let mut items: Vec<Item> = std::fs::read_dir(folder)
            .into_iter()
            .flatten()
            .filter_map(|entry| {
                let path = entry.ok()?.path();
                let name = path.file_name()?.to_str()?.to_owned();
                let is_archive = listed(&name).filter(|_| path.is_file())?;
                // The same path as the one that was opened, so that it is found in the list.
                let path = if file.file_name() == path.file_name() { file.to_path_buf() } else { path };
                Some(Item { name, is_archive, place: Place::Disk(path) })
            })
            .collect();
        items.sort_by_key(|item| item.name.to_lowercase());
        Self { label: folder.display().to_string(), items, source: None, back: None }
    }

    /// Files that were opened together.
    pub fn files(paths: &[PathBuf]) -> Self {
        let items = paths.iter().map(|path| Item {
            name: path.display().to_string(),
            is_archive: path.is_dir() || ArchiveKind::of_file(path).is_some(),
            place: Place::Disk(path.clone()),
        });
        Self { label: "opened files".to_owned(), items: items.collect(), source: None, back: None }
    }

    /// The models of an archive on disk.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn archive(path: &Path, limits: &Limits) -> Result<Self> {
        Self::of_source(effigy::assets::open(path, limits)?)
    }

    /// The models among files in memory.
    ///
    /// # Errors
    /// Never in practice.
    pub fn memory(files: Memory) -> Result<Self> {
        Self::of_source(Arc::new(files))
    }

    /// The models of a source.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn of_source(source: Arc<dyn Source>) -> Result<Self> {
        let mut library =
            Self::listing(source.label().to_owned(), &*source, |entry| Place::In(entry.clone()))?;
        library.source = Some(source);
        Ok(library)
    }

    fn listing(label: String, source: &dyn Source, place: impl Fn(&Entry) -> Place) -> Result<Self> {
        let mut items: Vec<Item> = source
            .list()?
            .into_iter()
            .filter_map(|entry| {
                let is_archive = listed(&entry.name)?;
                Some(Item { name: entry.name.clone(), is_archive, place: place(&entry) })
            })
            .collect();
        items.sort_by_key(|item| item.name.to_lowercase());
        Ok(Self { label, items, source: None, back: None })
    }

    /// The file of an item.
    pub fn file(&self, item: &Item) -> FileRef {
        match (&item.place, &self.source) {
            (Place::In(entry), Some(source)) => FileRef::inside(Arc::clone(source), entry.clone()),
            (Place::In(entry), None) => FileRef::disk(&entry.name),
            (Place::Disk(path), _) => FileRef::disk(path),
        }
    }

    /// The archive that an item is.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn enter(&self, item: &Item, limits: &Limits) -> Result<Self> {
        match (&item.place, &self.source) {
            (Place::In(entry), Some(source)) => {
                let label = format!("{}:{}", source.label(), entry.name);
                Self::of_source(effigy::assets::open_bytes(&label, source.open(entry)?, limits)?)
            }
            (Place::In(entry), None) => Self::archive(Path::new(&entry.name), limits),
            (Place::Disk(path), _) if path.is_dir() => Self::folder(path, limits),
            (Place::Disk(path), _) => Self::archive(path, limits),
        }
    }

    /// The position of a file in the list.
    pub fn position(&self, file: &FileRef) -> Option<usize> {
        self.items.iter().position(|item| match &item.place {
            Place::Disk(path) => file.path() == Some(path),
            Place::In(entry) => file.entry().is_some_and(|own| own.name == entry.name),
        })
    }

    /// The model that is `by` places after a file, around the end; the first where the file is not in the list.
    pub fn neighbour(&self, file: Option<&FileRef>, by: isize) -> Option<FileRef> {
        let models: Vec<&Item> = self.items.iter().filter(|item| !item.is_archive).collect();
        let here = file.and_then(|file| self.position(file)).and_then(|at| {
            models.iter().position(|item| self.items.get(at).is_some_and(|own| own.name == item.name))
        });
        let next = match here.and_then(|at| isize::try_from(at).ok()) {
            Some(at) => (at + by).rem_euclid(isize::try_from(models.len()).ok().filter(|count| *count > 0)?),
            None => 0,
        };
        models.get(usize::try_from(next).ok()?).map(|item| self.file(item))
    }

    /// The positions of the items whose name contains all words of a filter, in upper or lower case.
    pub fn matching(&self, filter: &str) -> Vec<usize> {
        let items = self.items.iter().enumerate();
        items.filter(|(_, item)| matches(&item.name, filter)).map(|(at, _)| at).collect()
    }
}

/// Whether a text contains all words of a filter, in upper or lower case.
pub fn matches(text: &str, filter: &str) -> bool {
    let text = text.to_lowercase();
    filter.to_lowercase().split_whitespace().all(|word| text.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn library() -> Library {
        let files = Memory::new("dropped")
            .with("units/Footman.mdx", vec![1])
            .with("units/archer.mdx", vec![2])
            .with("units/archer00.skin", vec![3])
            .with("map.w3x", vec![4])
            .with("textures/footman.blp", vec![5]);
        Library::memory(files).unwrap()
    }

    #[test]
    fn models_and_archives_are_listed_and_filtered() {
        let library = library();
        let names: Vec<&str> = library.items.iter().map(|item| item.name.as_str()).collect();
        assert_eq!(names, ["map.w3x", "units/archer.mdx", "units/Footman.mdx"]);
        assert_eq!(library.matching("UNITS foot"), [2]);
        assert_eq!(library.matching(""), [0, 1, 2]);
    }

    #[test]
    fn neighbours_are_models_only_and_go_around_the_end() {
        let library = library();
        let first = library.neighbour(None, 1).unwrap();
        assert_eq!(first.label(), "dropped:units/archer.mdx");
        let second = library.neighbour(Some(&first), 1).unwrap();
        assert_eq!(second.label(), "dropped:units/Footman.mdx");
        assert_eq!(library.neighbour(Some(&second), 1).unwrap().label(), first.label());
        assert_eq!(library.neighbour(Some(&first), -1).unwrap().label(), second.label());
    }

    #[test]
    fn the_files_beside_a_file_are_its_neighbours() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b.mdx", "a.mdl", "c.txt"] {
            std::fs::write(folder.path().join(name), b"x").unwrap();
        }
        let file = folder.path().join("b.mdx");
        let library = Library::beside(&file);
        assert_eq!(library.items.len(), 2);
        let next = library.neighbour(Some(&FileRef::disk(&file)), 1).unwrap();
        assert_eq!(next.file_name(), "a.mdl");
    }
}
