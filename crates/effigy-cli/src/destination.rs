//! Where the results of a command go.

use crate::inputs;
use crate::session::{Session, Stop};
use effigy::assets::Destination;
use effigy::assets::destination::write;
use effigy::{Error, Input, Kind, Result};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Where results go.
#[derive(Debug)]
pub enum Output {
    /// Standard output.
    Stdout,
    /// One file that the user named.
    File(PathBuf),
    /// A folder: each result has the path of its input below it.
    Folder(PathBuf),
}

impl Output {
    /// The output that a word means for these inputs. `is_file_name` tells whether the word's extension names a kind
    /// of file; several results then cannot go there.
    pub fn new(output: &Path, words: &[PathBuf], found: &[Input], is_file_name: bool) -> Result<Self, Stop> {
        let several = found.len() > 1 || inputs::several(words);
        let is_folder = output.is_dir() || output.as_os_str().to_string_lossy().ends_with(['/', '\\']);
        if output == Path::new("-") {
            if found.len() > 1 {
                return Err(Stop::Usage("only one file can go to stdout".to_owned()));
            }
            Ok(Self::Stdout)
        } else if several && (output.is_file() || is_file_name && !is_folder) {
            let text = format!("{} names one file; several results need a folder", output.display());
            Err(Stop::Usage(text))
        } else if several || is_folder {
            Ok(Self::Folder(output.to_path_buf()))
        } else {
            Ok(Self::File(output.to_path_buf()))
        }
    }

    /// The path of an input's result, with this extension in place of its own; `None` for stdout.
    pub fn path(&self, relative: &Path) -> Result<Option<PathBuf>> {
        match self {
            Self::Stdout => Ok(None),
            Self::File(path) => Ok(Some(path.clone())),
            Self::Folder(folder) => Destination::folder(folder).path(relative).map(Some),
        }
    }
}

/// Writes a result to its path, or to stdout where there is none, and returns what to call it.
pub fn deliver(session: &mut Session, path: Option<&Path>, bytes: &[u8], force: bool) -> Result<String> {
    match path {
        Some(path) => write(path, bytes, force).map(|()| path.display().to_string()),
        // A reader that left early is noticed again when the stream is flushed at the end.
        None => match session.out.bytes(bytes) {
            Ok(()) | Err(Stop::PipeClosed) => Ok("-".to_owned()),
            Err(Stop::Usage(text) | Stop::Failed(text)) => Err(Error::new(Kind::Io, text)),
        },
    }
}

/// A path with something added to its name: `a/b.mdx` and `glb` give `a/b.mdx.glb`.
pub fn appended(path: &Path, extension: impl AsRef<OsStr>) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(extension);
    PathBuf::from(name)
}
