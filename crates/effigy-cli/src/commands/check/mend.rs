//! Repairs: made in memory, written where the user says, shown as a diff with `--dry-run`.

use super::CheckArgs;
use crate::destination::Output;
use crate::inputs::Loaded;
use crate::session::Stop;
use effigy::assets::destination::write;
use effigy::lines::Repair;
use effigy::{Change, CheckOptions, Error, Input, Kind, Model, Result, rules};
use std::path::{Path, PathBuf};

/// What a repair made of a file.
#[derive(Default)]
pub struct Mended {
    /// The repaired model, if something was repaired.
    pub model: Option<Model>,
    /// Its bytes; the file's own where nothing had to be repaired.
    pub bytes: Vec<u8>,
    /// What was done.
    pub repairs: Vec<Repair>,
    /// What differs, field by field; only with `--dry-run`.
    pub diff: Vec<Change>,
    /// What else there is to know before the repair is made.
    pub note: Option<String>,
    planned: bool,
    failed: bool,
}

impl Mended {
    /// What to call a repair.
    pub const fn word(&self) -> &'static str {
        match (self.planned, self.failed) {
            (true, _) => "plan",
            (false, true) => "lost",
            (false, false) => "fixed",
        }
    }

    /// The repaired model could not be written.
    pub const fn not_written(&mut self) {
        self.failed = true;
    }

    /// Whether the repairs are in a file.
    pub const fn is_written(&self) -> bool {
        !self.planned && !self.failed
    }
}

/// Repairs what is wanted. Models of formats without repairs stay as they are.
pub fn mend(loaded: &Loaded, options: &CheckOptions<'_>, dry_run: bool) -> Result<Mended> {
    let mut mended = Mended { bytes: loaded.bytes.clone(), planned: dry_run, ..Mended::default() };
    let codes: Vec<&str> = rules::rule::all()
        .filter(|rule| rule.has_fix() && options.wants(rule.code.0))
        .map(|rule| rule.code.0)
        .collect();
    let Some(repaired) = loaded.model.repaired(&loaded.bytes, &codes) else { return Ok(mended) };
    if dry_run {
        mended.diff = loaded.model.diff(&repaired.model);
    }
    match repaired.bytes {
        Ok(bytes) => mended.bytes = bytes,
        Err(error) if dry_run => mended.note = Some(error.to_string()),
        Err(error) => return Err(error),
    }
    mended.model = Some(repaired.model);
    mended.repairs = repaired
        .applied
        .into_iter()
        .map(|one| Repair { code: one.code.to_string(), place: one.path, message: one.message })
        .collect();
    Ok(mended)
}

/// Where repaired models go.
pub enum Repairs {
    Nowhere,
    InPlace,
    To(Output),
}

impl Repairs {
    /// The place that the command line names.
    pub fn new(args: &CheckArgs, found: &[Input]) -> Result<Self, Stop> {
        match &args.output {
            _ if !args.fix || args.dry_run => Ok(Self::Nowhere),
            None => Ok(Self::InPlace),
            Some(output) => Output::new(output, &args.paths, found, false).map(Self::To),
        }
    }

    /// Writes a repaired model. In place, a file without repairs is not touched.
    pub fn write(&self, input: &Input, mended: &Mended, force: bool) -> Result<()> {
        match self {
            Self::Nowhere => Ok(()),
            Self::To(output) => match output.path(&input.relative)? {
                Some(path) => write(&path, &mended.bytes, force),
                None => Ok(()),
            },
            Self::InPlace if mended.repairs.is_empty() => Ok(()),
            Self::InPlace => {
                let path = input
                    .path()
                    .ok_or_else(|| Error::new(Kind::Usage, "only files can be repaired in place"))?;
                let permissions = std::fs::metadata(path)?.permissions();
                if permissions.readonly() {
                    return Err(Error::new(Kind::Io, "the file is read-only").hint("-o OUT writes elsewhere"));
                }
                if effigy::find::is_backup(path) {
                    return Err(Error::new(
                        Kind::Usage,
                        "this is the copy of a file before its repair, which stays as it is",
                    )
                    .hint("-o OUT writes the repaired model elsewhere"));
                }
                keep(path)?;
                write(path, &mended.bytes, true)?;
                Ok(std::fs::set_permissions(path, permissions)?)
            }
        }
    }
}

/// Copies of one file that are kept, at most.
const COPIES: u32 = 1000;

/// Keeps a copy of the original file next to it, under a name that is free: a copy is never overwritten.
fn keep(path: &Path) -> Result<()> {
    let bytes = std::fs::read(path)?;
    for number in 1..=COPIES {
        let mut name = path.as_os_str().to_owned();
        name.push(if number == 1 { ".bak".to_owned() } else { format!(".{number}.bak") });
        match write(&PathBuf::from(name), &bytes, false) {
            Err(error) if error.kind() == Kind::Exists => {}
            other => return other,
        }
    }
    Err(Error::new(Kind::Usage, "there are too many copies (.bak) of this file"))
}
