//! Writing files: whole or not at all, never over another file unless asked to, never outside the named folder.

use effigy_wire::{Error, Kind, Result};
use std::collections::BTreeSet;
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Where results are written, and whether files that are there already are replaced.
///
/// Every file is first written under a temporary name in its folder and then renamed, so that a file is complete or not
/// there at all, whatever interrupts the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Destination {
    /// The folder that nothing leaves.
    folder: PathBuf,
    overwrite: bool,
}

impl Destination {
    /// A folder. It is made when the first file is written.
    pub fn folder(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into(), overwrite: false }
    }

    /// Whether files that are there already are replaced.
    #[must_use]
    pub const fn overwrite(mut self, overwrite: bool) -> Self {
        self.overwrite = overwrite;
        self
    }

    /// Whether files that are there already are replaced.
    #[must_use]
    pub const fn overwrites(&self) -> bool {
        self.overwrite
    }

    /// The path of a file below the folder. Whatever `relative` says, the result stays inside.
    ///
    /// # Errors
    /// When the path leads out of the folder.
    pub fn path(&self, relative: impl AsRef<Path>) -> Result<PathBuf> {
        below(&self.folder, relative.as_ref())
    }

    /// Writes a file below the folder and returns its path. Links below the folder are not followed.
    ///
    /// # Errors
    /// When the path leads out of the folder, the file is there already, or the disk refuses.
    pub fn write(&self, relative: impl AsRef<Path>, bytes: &[u8]) -> Result<PathBuf> {
        let relative = relative.as_ref();
        let path = self.path(relative)?;
        fs::create_dir_all(&self.folder).map_err(Error::from)?;
        make_folders(&self.folder, relative)?;
        named(&path, self.overwrite, |file| file.write_all(bytes).map_err(plain))?;
        Ok(path)
    }
}

/// A path below a folder. Whatever `relative` says, the result stays inside.
///
/// # Errors
/// When the path leads out of the folder.
pub fn below(folder: &Path, relative: &Path) -> Result<PathBuf> {
    let mut path = folder.to_path_buf();
    for part in relative.components() {
        match part {
            Component::Normal(name) => path.push(name),
            Component::CurDir => {}
            Component::Prefix(_) | Component::RootDir | Component::ParentDir => {
                let text = format!("{} would leave the output folder", relative.display());
                return Err(Error::new(Kind::Usage, text));
            }
        }
    }
    if path == folder {
        return Err(Error::new(Kind::Usage, "its name would leave the output folder"));
    }
    Ok(path)
}

/// Writes one file that the user named, through a temporary file next to it. A pipe or device, such as `/dev/null`, is written into
/// and stays what it is.
///
/// # Errors
/// When the file is there already and may not be replaced, or the disk refuses. The message names the file.
pub fn write(path: &Path, bytes: &[u8], overwrite: bool) -> Result<()> {
    if is_pipe_or_device(path) {
        let open = || fs::OpenOptions::new().write(true).open(path);
        let written = open().and_then(|mut file| file.write_all(bytes));
        return written.map_err(|error| about(path, &plain(error)));
    }
    named(path, overwrite, |file| file.write_all(bytes).map_err(plain))
}

/// Whether there is something that is neither a file nor a folder, or a link to such a thing: a pipe or device, which
/// [`write`] writes into.
#[must_use]
pub fn is_pipe_or_device(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|data| !data.is_file() && !data.is_dir())
}

/// Like [`write`], for a file that is too large to be in memory as a whole. It gets its name only if `fill` succeeds; if not, nothing is
/// left behind.
///
/// # Errors
/// As [`write`], and when `fill` fails.
pub fn write_with(
    path: &Path,
    overwrite: bool,
    fill: impl FnOnce(&mut fs::File) -> Result<()>,
) -> Result<()> {
    named(path, overwrite, fill)
}

/// Fills a temporary file and gives it its name. The message of an error names the file that the user knows.
fn named(path: &Path, overwrite: bool, fill: impl FnOnce(&mut fs::File) -> Result<()>) -> Result<()> {
    try_write(path, overwrite, fill).map_err(|error| about(path, &error))
}

/// An error that names the file.
fn about(path: &Path, error: &Error) -> Error {
    let text = format!("cannot write {}: {}", path.display(), error.message());
    let about = Error::new(error.kind(), text);
    match error.hint_text() {
        Some(hint) => about.hint(hint.to_owned()),
        None => about,
    }
}

/// What the names of files begin with that are still being written. A run that is stopped may leave one.
const UNFINISHED: &str = ".effigy-";

/// Whether a file was never finished: it is not one of the user's.
#[must_use]
pub fn is_unfinished(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(UNFINISHED.as_bytes()))
}

/// The files that this process is writing.
static WRITING: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Removes the files that were not finished, for a program that was interrupted and ends now: from here on no thread of it can
/// begin another file, but waits forever.
pub fn remove_unfinished() {
    let writing = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
    for path in &*writing {
        // Nobody is left who could be told.
        let _ = fs::remove_file(path);
    }
    std::mem::forget(writing);
}

/// A file that is being written.
struct Writing(PathBuf);

impl Writing {
    /// Makes a file, which is known to [`remove_unfinished`] from its beginning.
    fn begin(builder: &tempfile::Builder<'_, '_>, folder: &Path) -> Result<(tempfile::NamedTempFile, Self)> {
        let mut writing = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
        let file = builder.tempfile_in(folder).map_err(plain)?;
        // The folder of the process may be another one by the end.
        let path = std::path::absolute(file.path()).unwrap_or_else(|_| file.path().to_path_buf());
        writing.insert(path.clone());
        Ok((file, Self(path)))
    }
}

impl Drop for Writing {
    fn drop(&mut self) {
        WRITING.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.0);
    }
}

/// An error without the temporary name, which would mean nothing to the user.
fn plain(error: std::io::Error) -> Error {
    Error::from(match error.raw_os_error() {
        Some(code) => std::io::Error::from_raw_os_error(code),
        None => std::io::Error::from(error.kind()),
    })
}

fn try_write(path: &Path, overwrite: bool, fill: impl FnOnce(&mut fs::File) -> Result<()>) -> Result<()> {
    let folder = match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    match fs::symlink_metadata(path) {
        Ok(data) if data.is_dir() => return Err(Error::new(Kind::Usage, "it is a folder")),
        Ok(_) if is_pipe_or_device(path) => return Err(Error::new(Kind::Usage, "it is not a file")),
        Ok(_) if !overwrite => return Err(exists()),
        _ => {}
    }
    fs::create_dir_all(folder)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(UNFINISHED);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // What a newly created file has; the system takes away what the user's mask forbids.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let (mut file, _writing) = Writing::begin(&builder, folder)?;
    fill(file.as_file_mut())?;
    let result = if overwrite { file.persist(path) } else { file.persist_noclobber(path) };
    match result {
        Ok(_) => Ok(()),
        Err(error) if error.error.kind() == ErrorKind::AlreadyExists => Err(exists()),
        Err(error) => Err(Error::from(error.error)),
    }
}

/// Makes the folders of a path one by one, so that a link among them is noticed instead of followed.
fn make_folders(folder: &Path, inside: &Path) -> Result<()> {
    let mut path = folder.to_owned();
    for part in inside.parent().into_iter().flat_map(Path::components) {
        path.push(part);
        match fs::symlink_metadata(&path) {
            Ok(data) if data.is_dir() => {}
            Ok(_) => {
                let text = format!("{} is in the way: it is not a folder", path.display());
                return Err(Error::new(Kind::Usage, text));
            }
            Err(_) => match fs::create_dir(&path) {
                // Another worker was faster.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                other => other?,
            },
        }
    }
    Ok(())
}

fn exists() -> Error {
    Error::new(Kind::Exists, "the file exists already")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_leaves_the_output_folder() {
        let out = Destination::folder("out");
        assert_eq!(out.path("a/b.mdx").unwrap(), Path::new("out/a/b.mdx"));
        assert_eq!(out.path("./b.mdx").unwrap(), Path::new("out/b.mdx"));
        for bad in ["../b.mdx", "a/../../b.mdx", "/etc/passwd", "", "."] {
            assert!(out.path(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_file_is_only_replaced_on_request_and_no_temporary_file_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let out = Destination::folder(folder.path().join("new"));
        let path = out.write("file.bin", b"one").unwrap();
        let error = out.write("file.bin", b"two").unwrap_err();
        assert_eq!(error.kind(), Kind::Exists);
        assert!(error.to_string().contains("file.bin"), "{error}");
        assert_eq!(fs::read(&path).unwrap(), b"one");
        out.clone().overwrite(true).write("file.bin", b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert!(out.write("file.bin/inner", b"x").is_err());
        assert_eq!(fs::read_dir(folder.path().join("new")).unwrap().count(), 1);
    }

    #[test]
    fn a_file_that_appears_in_the_meantime_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file.bin");
        let error = write_with(&path, false, |_| Ok(fs::write(&path, b"other")?)).unwrap_err();
        assert_eq!(error.kind(), Kind::Exists);
        assert_eq!(fs::read(&path).unwrap(), b"other");
        // A folder that appears is another problem.
        let path = folder.path().join("folder");
        let error = write_with(&path, true, |_| Ok(fs::create_dir(&path)?)).unwrap_err();
        assert_eq!(error.kind(), Kind::Io);
    }

    #[test]
    fn a_file_gets_its_name_in_the_folder_where_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file.bin");
        let there = || fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
        write_with(&path, false, |file| {
            // Another folder may be on another disk.
            assert!(there().all(|path| is_unfinished(&path)) && there().count() == 1);
            file.write_all(b"one").map_err(Error::from)
        })
        .unwrap();
        let refused = write_with(&path, true, |_| Err(Error::new(Kind::Usage, "no")));
        assert!(refused.is_err());
        assert_eq!(fs::read(&path).unwrap(), b"one");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn an_error_does_not_show_the_temporary_name() {
        let error = write(Path::new("/proc/effigy.mdx"), b"x", false).unwrap_err().to_string();
        assert!(error.starts_with("cannot write /proc/effigy.mdx: "), "{error}");
        assert!(!error.contains(".effigy-"), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_below_the_folder_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let (inside, outside) = (folder.path().join("in"), folder.path().join("out"));
        fs::create_dir_all(&inside).unwrap();
        fs::create_dir_all(&outside).unwrap();
        std::os::unix::fs::symlink(&outside, inside.join("link")).unwrap();
        let destination = Destination::folder(&inside).overwrite(true);
        assert!(destination.write("link/file", b"x").is_err());
        assert_eq!(fs::read_dir(&outside).unwrap().count(), 0);
    }
}
