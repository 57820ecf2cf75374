//! Where the results of a command go.

use crate::inputs;
use crate::session::{Session, Stop};
use crate::text::{commas, count};
use effigy::assets::destination::write;
use effigy::assets::{Destination, FileRef};
use effigy::{Error, Goal, Input, Kind, Model, Result};
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

/// Results that were there already, from an earlier run.
#[derive(Default)]
pub struct LeftAlone {
    number: u64,
    /// Those whose input has changed since, as far as the times of the files tell.
    older: u64,
}

impl LeftAlone {
    /// Counts the result of an input.
    pub fn add(&mut self, input: &Input, result: &Path) {
        let changed = |path: &Path| std::fs::metadata(path).and_then(|data| data.modified()).ok();
        let times =
            changed(result).zip(input.file.as_ref().ok().and_then(FileRef::on_disk).and_then(changed));
        self.number += 1;
        self.older += u64::from(times.is_some_and(|(result, input)| result < input));
    }

    /// Says how many there are, if any. `again`: what `--force` does.
    pub fn say(&self, session: &mut Session, word: &str, again: &str) {
        if self.number == 0 {
            return;
        }
        let (was, them) = if self.number == 1 { ("was", "it") } else { ("were", "them") };
        let older = match self.older {
            0 => String::new(),
            1 if self.number == 1 => ", although it is older than its input".to_owned(),
            1 => ", although one is older than its input".to_owned(),
            older => format!(", although {} are older than their inputs", commas(older)),
        };
        let number = count(self.number, word);
        session.out.say(format_args!(
            "{number} {was} there already and left alone{older}; --force {again} {them} again"
        ));
    }
}

/// Whether two paths name the same file.
pub fn same_file(a: &Path, b: &Path) -> bool {
    a == b || matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

/// Refuses the name of a file that promises another format than the result has: whoever opens it would take it for broken.
/// `extension` is that of the format, and a name may also keep the extension of its input.
///
/// # Errors
/// When the path has the extension of another format.
pub fn fits(path: &Path, extension: &str, input: Option<&Path>) -> Result<()> {
    let own = |path: &Path| path.extension().map(|own| own.to_string_lossy().to_lowercase());
    match Goal::by_extension(path) {
        Some(named)
            if named.extension() != extension && input.is_none_or(|input| own(input) != own(path)) =>
        {
            let text = format!(
                "{} is the name of a .{} file, and the result is a .{extension} file",
                path.display(),
                named.extension()
            );
            Err(Error::new(Kind::Usage, text).hint("`effigy convert` writes other formats"))
        }
        _ => Ok(()),
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

/// The files that belong to a model which goes to this path: skins and animations of an M2, named after it. What is there
/// already with the same content is left out.
///
/// # Errors
/// When a file is there that may not be replaced: this is to be known before the model itself is written.
pub fn companions(model: &Model, path: &Path, force: bool) -> Result<Vec<(PathBuf, Vec<u8>)>> {
    let Model::M2(model) = model else { return Ok(Vec::new()) };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let mut files: Vec<(PathBuf, Vec<u8>)> = Vec::new();
    for companion in model.attached() {
        let file = path.with_file_name(companion.file_name(model, &name)?);
        let bytes = model.write_companion(companion)?;
        // Sequences of the same number have one file.
        if files.iter().any(|(other, there)| *other == file && *there == bytes) {
            continue;
        }
        if std::fs::read(&file).is_ok_and(|there| there == bytes) {
            continue;
        }
        if !force && file.exists() {
            return Err(Error::new(Kind::Exists, format!("{}: the file exists already", file.display())));
        }
        files.push((file, bytes));
    }
    Ok(files)
}

/// A path with something added to its name: `a/b.mdx` and `glb` give `a/b.mdx.glb`.
pub fn appended(path: &Path, extension: impl AsRef<OsStr>) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(extension);
    PathBuf::from(name)
}

/// Replaces an input by its result, and keeps a copy of what it was next to it. `done` says what was done to it.
pub fn replace(input: &Input, bytes: &[u8], done: &str) -> Result<()> {
    let path =
        input.path().ok_or_else(|| Error::new(Kind::Usage, format!("only files can be {done} in place")))?;
    // A link stays one: what it names is changed.
    let is_link = std::fs::symlink_metadata(path)?.is_symlink();
    let path = &if is_link { std::fs::canonicalize(path)? } else { path.to_path_buf() };
    let permissions = std::fs::metadata(path)?.permissions();
    if permissions.readonly() {
        return Err(Error::new(Kind::Io, "the file is read-only").hint("-o OUT writes elsewhere"));
    }
    if effigy::find::is_backup(path) {
        let message = format!("this is the copy of a file before it was {done}, which stays as it is");
        return Err(Error::new(Kind::Usage, message).hint("-o OUT writes the result elsewhere"));
    }
    keep(path)?;
    write(path, bytes, true)?;
    Ok(std::fs::set_permissions(path, permissions)?)
}

/// Copies of one file that are kept, at most.
const COPIES: u32 = 1000;

/// Keeps a copy of the original file next to it, under a name that is free: a copy is never overwritten.
fn keep(path: &Path) -> Result<()> {
    let bytes = std::fs::read(path)?;
    for number in 1..=COPIES {
        let name = if number == 1 { "bak".to_owned() } else { format!("{number}.bak") };
        match write(&appended(path, name), &bytes, false) {
            Err(error) if error.kind() == Kind::Exists => {}
            other => return other,
        }
    }
    Err(Error::new(Kind::Usage, "there are too many copies (.bak) of this file"))
}
