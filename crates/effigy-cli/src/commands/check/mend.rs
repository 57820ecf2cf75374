//! Repairs: made in memory, written where the user says, shown as a diff with `--dry-run`.

use super::CheckArgs;
use super::json::Repair;
use crate::commands::diff::{self, Change};
use crate::inputs::Source;
use crate::save;
use crate::session::Stop;
use effigy::mdx::text::{PrintOptions, Spelling, print};
use effigy::wire::{Flat, Visitor};
use effigy::{Error, Format, Kind, Limits, Result, Text, m2, mdc, mdx};
use effigy_check::{Applied, CheckOptions, Checkable};
use std::any::Any;
use std::path::{Path, PathBuf};

/// A model that there are rules for.
#[derive(Clone, Copy)]
pub enum Subject<'a> {
    Mdx(&'a mdx::Model),
    M2(&'a m2::Model),
    Mdc(&'a mdc::Model),
}

impl<'a> Subject<'a> {
    /// The model of a document; `None` when there are no rules for its format.
    pub fn of(document: &'a dyn Any) -> Option<Self> {
        let text = document.downcast_ref().map(|Text(model)| Self::Mdx(model));
        text.or_else(|| document.downcast_ref().map(Self::Mdx))
            .or_else(|| document.downcast_ref().map(Self::M2))
            .or_else(|| document.downcast_ref().map(Self::Mdc))
    }

    /// What the rules run on.
    pub const fn model(self) -> &'a dyn Checkable {
        match self {
            Self::Mdx(model) => model,
            Self::M2(model) => model,
            Self::Mdc(model) => model,
        }
    }
}

/// What a repair made of a file.
#[derive(Default)]
pub struct Mended {
    model: Option<Model>,
    /// Its bytes; the file's own where nothing had to be repaired.
    pub bytes: Vec<u8>,
    /// What was done.
    pub repairs: Vec<Repair>,
    /// What differs, field by field; only with `--dry-run`.
    pub diff: Vec<Change>,
    /// What else there is to know before the repair is made.
    pub note: Option<String>,
    planned: bool,
}

/// A repaired model.
enum Model {
    Mdx(Box<mdx::Model>),
    M2(Box<m2::Model>),
}

impl Mended {
    /// What to call a repair.
    pub const fn word(&self) -> &'static str {
        if self.planned { "plan" } else { "fixed" }
    }

    /// The repaired model, if something was repaired.
    pub fn subject(&self) -> Option<Subject<'_>> {
        self.model.as_ref().map(|model| match model {
            Model::Mdx(model) => Subject::Mdx(model),
            Model::M2(model) => Subject::M2(model),
        })
    }
}

/// Repairs what is wanted. Models of formats without repairs stay as they are.
pub fn mend(
    subject: Subject<'_>,
    format: Format,
    source: &[u8],
    options: &CheckOptions<'_>,
    limits: &Limits,
    dry_run: bool,
) -> Result<Mended> {
    let mut mended = Mended { bytes: source.to_vec(), planned: dry_run, ..Mended::default() };
    let codes: Vec<&str> = effigy_check::rule::all()
        .filter(|rule| rule.has_fix() && options.wants(rule.code.0))
        .map(|rule| rule.code.0)
        .collect();
    if codes.is_empty() {
        return Ok(mended);
    }
    let applied: Vec<Applied> = match subject {
        Subject::Mdx(model) => {
            let mut repaired = Box::new(model.clone());
            let applied = effigy_check::fix(&mut *repaired, &codes);
            if applied.is_empty() {
                return Ok(mended);
            }
            mended.diff = differences(dry_run, &|flat| model.visit(flat), &|flat| repaired.visit(flat));
            match written(model, &repaired, format, source) {
                Ok(bytes) => mended.bytes = bytes,
                Err(error) if dry_run => mended.note = Some(error.to_string()),
                Err(error) => return Err(error),
            }
            // Read anew, so that offsets are those of the repaired file.
            let again = if format == Format::Mdx {
                Box::new(mdx::read_with(&mended.bytes, limits)?)
            } else {
                repaired
            };
            mended.model = Some(Model::Mdx(again));
            applied
        }
        Subject::M2(model) => {
            let mut repaired = Box::new(model.clone());
            let applied = effigy_check::fix(&mut *repaired, &codes);
            if applied.is_empty() {
                return Ok(mended);
            }
            mended.diff = differences(dry_run, &|flat| model.visit(flat), &|flat| repaired.visit(flat));
            mended.bytes = repaired.write()?;
            mended.model = Some(Model::M2(repaired));
            applied
        }
        Subject::Mdc(_) => return Ok(mended),
    };
    mended.repairs = applied
        .into_iter()
        .map(|one| Repair { code: one.code.to_string(), place: one.path, message: one.message })
        .collect();
    Ok(mended)
}

/// The bytes of a repaired model. Text can only be repaired where the rest of it would stay as it is: where it is what we
/// would print ourselves.
fn written(model: &mdx::Model, repaired: &mdx::Model, format: Format, source: &[u8]) -> Result<Vec<u8>> {
    if format != Format::Mdl {
        return repaired.write();
    }
    let spellings = [Spelling::Warcraft3, Spelling::Hive, Spelling::Retera];
    let ways =
        spellings.iter().flat_map(|&dialect| [false, true].map(|plain| PrintOptions { dialect, plain }));
    let same = |options: &PrintOptions| print(model, options).0 == source;
    ways.into_iter().find(same).map(|options| print(repaired, &options).0).ok_or_else(|| {
        Error::unsupported("this text was written by hand or by another program; its comments and layout would not stay as they are")
            .hint("`effigy convert MODEL.mdl -o MODEL.mdx`, then `effigy check --fix` on that, and convert it back: only the text's layout is lost")
    })
}

fn differences(
    wanted: bool,
    before: &dyn Fn(&mut dyn Visitor),
    after: &dyn Fn(&mut dyn Visitor),
) -> Vec<Change> {
    if !wanted {
        return Vec::new();
    }
    let leaves = |visit: &dyn Fn(&mut dyn Visitor)| {
        let mut flat = Flat::default();
        visit(&mut flat);
        flat.leaves
    };
    diff::compare(leaves(before), leaves(after))
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
                let permissions = std::fs::metadata(path)?.permissions();
                if permissions.readonly() {
                    return Err(Error::new(Kind::Io, "the file is read-only").hint("-o OUT writes elsewhere"));
                }
                keep(path, force)?;
                save::write(path, &mended.bytes, true)?;
                Ok(std::fs::set_permissions(path, permissions)?)
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
