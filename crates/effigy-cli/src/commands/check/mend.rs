//! Repairs: made in memory, written where the user says, shown as a diff with `--dry-run`.

use super::{CheckArgs, Repair};
use crate::inputs::Source;
use crate::save;
use crate::session::Stop;
use effigy::wire::Flat;
use effigy::{Error, Kind, Result, mdx};
use effigy_check::{Options, Subject};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What a repair made of a file.
#[derive(Default)]
pub struct Mended {
    /// The repaired model.
    pub model: Option<Box<mdx::Model>>,
    /// Its bytes; the file's own where nothing had to be repaired.
    pub bytes: Vec<u8>,
    /// What was done.
    pub repairs: Vec<Repair>,
    /// What differs, field by field; only with `--dry-run`.
    pub diff: Vec<String>,
    planned: bool,
}

impl Mended {
    /// What to call a repair.
    pub const fn word(&self) -> &'static str {
        if self.planned { "plan" } else { "fixed" }
    }
}

/// Lines of a diff that are shown for one file.
const SHOWN: usize = 40;

/// Repairs what is wanted. Models of formats without repairs stay as they are.
pub fn mend(subject: Subject<'_>, source: &[u8], options: &Options<'_>, dry_run: bool) -> Result<Mended> {
    let mut mended = Mended { bytes: source.to_vec(), planned: dry_run, ..Mended::default() };
    let Subject::Mdx(model) = subject else { return Ok(mended) };
    let codes: Vec<&str> = effigy_check::rule::all()
        .filter(|rule| rule.has_fix() && options.wants(rule.code.0))
        .map(|rule| rule.code.0)
        .collect();
    if codes.is_empty() {
        return Ok(mended);
    }
    let mut repaired = Box::new(model.clone());
    let applied = effigy_check::fix(&mut repaired, &codes);
    if applied.is_empty() {
        return Ok(mended);
    }
    mended.bytes = repaired.write()?;
    if dry_run {
        mended.diff = diff(model, &repaired);
    }
    mended.repairs = applied
        .into_iter()
        .map(|one| Repair { code: one.code.to_string(), place: one.path, message: one.message })
        .collect();
    // Read anew, so that offsets are those of the repaired file.
    mended.model = Some(Box::new(mdx::read(&mended.bytes)?));
    Ok(mended)
}

fn diff(before: &mdx::Model, after: &mdx::Model) -> Vec<String> {
    let flat = |model: &mdx::Model| {
        let mut flat = Flat::default();
        model.visit(&mut flat);
        flat.leaves.into_iter().collect::<BTreeMap<String, String>>()
    };
    let (before, after) = (flat(before), flat(after));
    let mut lines = Vec::new();
    for (path, value) in &before {
        match after.get(path) {
            Some(new) if new == value => {}
            Some(new) => lines.push(format!("{path}: {} -> {}", short(value), short(new))),
            None => lines.push(format!("{path}: {} -> nothing", short(value))),
        }
    }
    for (path, value) in after.iter().filter(|(path, _)| !before.contains_key(*path)) {
        lines.push(format!("{path}: nothing -> {}", short(value)));
    }
    if lines.len() > SHOWN {
        let more = lines.len() - SHOWN;
        lines.truncate(SHOWN);
        lines.push(format!("+{more} more"));
    }
    lines
}

fn short(value: &str) -> String {
    const MOST: usize = 60;
    if value.chars().count() <= MOST {
        return value.to_owned();
    }
    value.chars().take(MOST).chain("...".chars()).collect()
}

/// Where repaired models go.
pub enum Place {
    Nowhere,
    Original,
    File(PathBuf),
    Folder(PathBuf),
}

impl Place {
    /// The place that the command line names.
    pub fn new(args: &CheckArgs, sources: &[Source]) -> Result<Self, Stop> {
        if !args.fix || args.dry_run {
            return Ok(Self::Nowhere);
        }
        let Some(output) = &args.output else { return Ok(Self::Original) };
        let named_folder = output.is_dir() || output.as_os_str().to_string_lossy().ends_with(['/', '\\']);
        let several = sources.len() > 1 || args.paths.iter().any(|path| path.is_dir());
        if several && output.is_file() {
            return Err(Stop::Usage(format!("{} is a file; several models need a folder", output.display())));
        }
        Ok(if several || named_folder { Self::Folder(output.clone()) } else { Self::File(output.clone()) })
    }

    /// Writes a repaired model. In place, a file without repairs is not touched.
    pub fn write(&self, source: &Source, mended: &Mended, force: bool) -> Result<()> {
        match self {
            Self::Nowhere => Ok(()),
            Self::File(path) => save::write(path, &mended.bytes, force),
            Self::Folder(folder) => {
                save::write(&save::below(folder, &source.relative)?, &mended.bytes, force)
            }
            Self::Original if mended.repairs.is_empty() => Ok(()),
            Self::Original => {
                let path = source
                    .path()
                    .ok_or_else(|| Error::new(Kind::Usage, "only files can be repaired in place"))?;
                keep(path, force)?;
                save::write(path, &mended.bytes, true)
            }
        }
    }
}

/// Keeps what the file was beside it. An older copy is not overwritten unasked.
fn keep(path: &Path, force: bool) -> Result<()> {
    let mut name = path.as_os_str().to_owned();
    name.push(".bak");
    let copy = PathBuf::from(name);
    if copy.exists() && !force {
        let text = format!("{} exists already", copy.display());
        return Err(Error::new(Kind::Usage, text).hint("--force overwrites it"));
    }
    save::write(&copy, &std::fs::read(path)?, true)
}
