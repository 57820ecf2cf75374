//! Repairs: made in memory, written where the user says, shown as a diff with `--dry-run`.

use super::CheckArgs;
use crate::destination::{Output, companions, replace};
use crate::inputs::Loaded;
use crate::session::Stop;
use effigy::assets::destination::write;
use effigy::lines::Repair;
use effigy::{Change, CheckOptions, Error, Input, Model, Result, rules};

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
    /// Why the repaired model cannot be written.
    refused: Option<Error>,
}

impl Mended {
    /// What to call a repair.
    pub const fn word(&self) -> &'static str {
        if self.planned { "plan" } else { "fixed" }
    }

    /// Whether the repairs are in a file.
    pub const fn is_written(&self) -> bool {
        !self.planned
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
        Err(error) => return Ok(Mended { refused: Some(error), ..mended }),
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

    /// Writes a repaired model, elsewhere with its skins and animations. In place, a file without repairs is not touched.
    ///
    /// # Errors
    /// When the repaired model cannot be written, or the disk refuses.
    pub fn write(&self, input: &Input, original: &Model, mended: &Mended, force: bool) -> Result<()> {
        if let Some(error) = &mended.refused {
            return Err(error.clone());
        }
        match self {
            Self::Nowhere => Ok(()),
            Self::To(output) => {
                let Some(path) = output.path(&input.relative)? else { return Ok(()) };
                let others = companions(mended.model.as_ref().unwrap_or(original), &path, force)?;
                write(&path, &mended.bytes, force)?;
                others.iter().try_for_each(|(path, bytes)| write(path, bytes, force))
            }
            Self::InPlace if mended.repairs.is_empty() => Ok(()),
            Self::InPlace => replace(input, &mended.bytes, "repaired"),
        }
    }
}
