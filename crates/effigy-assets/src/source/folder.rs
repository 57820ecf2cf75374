//! A folder as a source. A listing does not follow symbolic links, which may form cycles; a file that is looked for by
//! name is found through them.

use super::{Entry, Source, check_size, not_found};
use crate::{codes, name};
use effigy_wire::{Diagnostic, Diagnostics, Error, Kind, Limits, Result, Severity};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Names in one folder, sorted: the normalised form and the name on disk.
type Names = Arc<Vec<(String, String)>>;

/// A folder with all its subfolders. Folder listings are cached when they are first needed.
#[derive(Debug)]
pub struct Folder {
    root: PathBuf,
    label: String,
    limits: Limits,
    seen: Mutex<HashMap<PathBuf, Names>>,
    diagnostics: Mutex<Diagnostics>,
}

impl Folder {
    /// Opens a folder.
    ///
    /// # Errors
    /// When the path does not exist or is not a folder.
    pub fn new(root: impl Into<PathBuf>, limits: &Limits) -> Result<Self> {
        let root = root.into();
        if !fs::metadata(&root)?.is_dir() {
            return Err(Error::new(Kind::Usage, format!("{} is not a folder", root.display())));
        }
        Ok(Self {
            label: root.display().to_string(),
            root,
            limits: *limits,
            seen: Mutex::default(),
            diagnostics: Mutex::new(Diagnostics::with_limit(limits.diagnostics)),
        })
    }

    /// The path on disk of the file of this name, if there is one.
    #[must_use]
    pub fn path_of(&self, wanted: &str) -> Option<PathBuf> {
        let mut path = self.root.clone();
        let mut parts = name::parts(wanted).peekable();
        while let Some(part) = parts.next() {
            if part == ".." || part.contains('\0') || (cfg!(windows) && part.contains(':')) {
                return None;
            }
            path.push(self.on_disk(&path, part)?);
            let kind = fs::metadata(&path).ok()?.file_type();
            let wanted_kind = if parts.peek().is_some() { kind.is_dir() } else { kind.is_file() };
            if !wanted_kind {
                return None;
            }
        }
        (path != self.root).then_some(path)
    }

    /// The name of a part on disk: the exact name if it exists, otherwise the first that differs only in case.
    fn on_disk(&self, folder: &Path, part: &str) -> Option<String> {
        if fs::symlink_metadata(folder.join(part)).is_ok() {
            return Some(part.to_owned());
        }
        let wanted = name::key(part);
        let names = self.names(folder)?;
        let at = names.partition_point(|(key, _)| *key < wanted);
        names.get(at).filter(|(key, _)| *key == wanted).map(|(_, spelt)| spelt.clone())
    }

    fn names(&self, folder: &Path) -> Option<Names> {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(names) = seen.get(folder) {
            return Some(Arc::clone(names));
        }
        let mut names: Vec<(String, String)> = fs::read_dir(folder)
            .ok()?
            .take(self.limits.records)
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .map(|spelt| (name::key(&spelt), spelt))
            .collect();
        names.sort();
        let names = Arc::new(names);
        seen.insert(folder.to_owned(), Arc::clone(&names));
        Some(names)
    }

    fn note(&self, diagnostic: Diagnostic) {
        self.diagnostics.lock().unwrap_or_else(PoisonError::into_inner).push(diagnostic);
    }
}

impl Source for Folder {
    fn label(&self) -> &str {
        &self.label
    }

    fn list(&self) -> Result<Vec<Entry>> {
        let mut entries = Vec::new();
        let mut open = vec![(self.root.clone(), String::new())];
        while let Some((folder, prefix)) = open.pop() {
            let listing = match fs::read_dir(&folder) {
                Ok(listing) => listing,
                Err(error) if prefix.is_empty() => return Err(error.into()),
                Err(error) => {
                    let message = error.to_string();
                    self.note(Diagnostic::new(codes::ENTRY, Severity::Warning, message).in_path(prefix));
                    continue;
                }
            };
            for entry in listing {
                let Ok(entry) = entry else { continue };
                let spelt = match entry.file_name().into_string() {
                    Ok(spelt) => spelt,
                    Err(odd) => {
                        let (message, inside) =
                            ("its name is not UTF-8", name::join(&prefix, &odd.to_string_lossy()));
                        self.note(Diagnostic::new(codes::ENTRY, Severity::Warning, message).in_path(inside));
                        continue;
                    }
                };
                let (Ok(kind), inside) = (entry.file_type(), name::join(&prefix, &spelt)) else { continue };
                if kind.is_symlink() {
                    let message = "a symbolic link is not followed";
                    self.note(Diagnostic::new(codes::LINK, Severity::Unused, message).in_path(inside));
                } else if kind.is_dir() {
                    open.push((entry.path(), inside));
                } else if !kind.is_file() {
                    let message = "it is not a file";
                    self.note(Diagnostic::new(codes::LINK, Severity::Unused, message).in_path(inside));
                } else if !crate::destination::is_unfinished(Path::new(&spelt)) {
                    if entries.len() >= self.limits.records {
                        self.note(Diagnostic::new(
                            codes::TOO_MANY,
                            Severity::Warning,
                            "the remaining entries are left out",
                        ));
                        open.clear();
                        break;
                    }
                    let size = entry.metadata().map_or(0, |data| data.len());
                    entries.push(Entry { name: inside, size, stored: size, named: true, slot: 0 });
                }
            }
        }
        entries.sort();
        Ok(entries)
    }

    fn find(&self, wanted: &str) -> Option<Entry> {
        let path = self.path_of(wanted)?;
        let size = fs::metadata(&path).ok()?.len();
        let inside = path.strip_prefix(&self.root).ok()?;
        let name = name::tidy(inside.to_str()?);
        Some(Entry { name, size, stored: size, named: true, slot: 0 })
    }

    fn may_have(&self, folder: &str) -> bool {
        self.on_disk(&self.root, folder).is_some()
    }

    fn open(&self, entry: &Entry) -> Result<Vec<u8>> {
        let path = self.path_of(&entry.name).ok_or_else(|| not_found(&entry.name))?;
        check_size(
            &entry.name,
            entry.size,
            &Limits { unpacked_bytes: self.limits.input_bytes, ..self.limits },
        )?;
        Ok(fs::read(path)?)
    }

    fn diagnostics(&self) -> Diagnostics {
        self.diagnostics.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("effigy-assets-folder-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(path.join("Units/Human")).unwrap();
        fs::write(path.join("Units/Human/Footman.MDX"), b"MDLX").unwrap();
        path
    }

    #[test]
    fn names_are_found_in_any_case_and_with_any_slashes() {
        let root = scratch("case");
        let folder = Folder::new(&root, &Limits::DEFAULT).unwrap();
        let found = folder.find(r"UNITS\human/footman.mdx").unwrap();
        assert_eq!(found.name, "Units/Human/Footman.MDX");
        assert_eq!(folder.open(&found).unwrap(), b"MDLX");
        assert_eq!(folder.list().unwrap(), [found]);
        for wrong in ["units", "../x", "units/../units/human/footman.mdx", "a\0b", ""] {
            assert!(folder.find(wrong).is_none(), "{wrong}");
        }
        fs::remove_dir_all(root).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_listing_does_not_follow_links_and_a_name_does() {
        let root = scratch("links");
        std::os::unix::fs::symlink(root.join("Units"), root.join("loop")).unwrap();
        std::os::unix::fs::symlink("Units/Human/Footman.MDX", root.join("out.mdx")).unwrap();
        std::os::unix::fs::symlink("nowhere", root.join("broken.mdx")).unwrap();
        let folder = Folder::new(&root, &Limits::DEFAULT).unwrap();
        assert_eq!(folder.list().unwrap().len(), 1);
        assert_eq!(folder.diagnostics().len(), 3);
        for name in ["out.mdx", "loop/human/footman.mdx"] {
            assert_eq!(folder.open(&folder.find(name).unwrap()).unwrap(), b"MDLX");
        }
        assert!(folder.find("broken.mdx").is_none() && folder.find("loop").is_none());
        fs::remove_dir_all(root).unwrap();
    }
}
