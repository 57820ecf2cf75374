//! Editing any model by operations, and building one from the fields that a dump shows.

use crate::{Error, Format, Kind, Model, Report, Result};
pub use effigy_edit::{Done, Operation, VERBS, Verb, script};
use effigy_wire::Tree;

/// An edited copy of a model.
#[derive(Clone, Debug)]
pub struct Edited {
    /// The edited model.
    pub model: Model,
    /// The bytes of the edited file; those of the source when nothing was changed.
    pub bytes: Vec<u8>,
    /// How many things were changed; 0 when no operation found what it names.
    pub changed: usize,
    /// What did not come out exactly, or could not be changed.
    pub report: Report,
}

/// A model that was built from JSON.
#[derive(Clone, Debug)]
pub struct Built {
    /// The model.
    pub model: Model,
    /// The bytes of its file.
    pub bytes: Vec<u8>,
}

impl Model {
    /// Applies one operation.
    ///
    /// ```
    /// # #[cfg(feature = "mdx")] {
    /// let footman = effigy::mdx::Model::new(effigy::mdx::Dialect::Warcraft3, 800, "Footman");
    /// let mut model = effigy::Model::from(footman);
    /// model.edit(&effigy::Operation::parse("set", "MODL.name=Knight")?)?;
    /// assert_eq!(model.name(), "Knight");
    /// # }
    /// # Ok::<(), effigy::Error>(())
    /// ```
    ///
    /// # Errors
    /// When the operation cannot be done with this model, or has no meaning in its format. The model may then be changed
    /// in part; [`Model::edited`] works on a copy.
    pub fn edit(&mut self, operation: &Operation) -> Result<Done> {
        match self {
            Self::Mdx(model) => effigy_edit::mdx::apply(model, operation),
            Self::M2(model) => effigy_edit::m2::apply(model, operation),
            Self::Mdc(model) => effigy_edit::mdc::apply(model, operation),
            Self::Mds(model) => effigy_edit::mds::apply(model, operation),
            #[allow(unreachable_patterns, reason = "with every format it is a skin or glTF")]
            other => Err(operation.not_for(other.format().title())),
        }
    }

    /// Applies operations to a copy of the model, in order, and writes it the way its file was written. Without any change
    /// the bytes are those of the source.
    ///
    /// # Errors
    /// When an operation fails, or the edited model cannot be written.
    pub fn edited(&self, source: &[u8], operations: &[Operation]) -> Result<Edited> {
        let mut model = self.clone();
        let (mut changed, mut report) = (0, Report::default());
        for operation in operations {
            let done = model.edit(operation)?;
            changed += done.changed;
            report.append(done.report);
        }
        if changed == 0 {
            return Ok(Edited { model, bytes: source.to_vec(), changed, report });
        }
        let bytes = match (self, &model) {
            (Self::Mdx(before), Self::Mdx(after)) if self.format() == Format::Mdl => {
                match crate::formats::mdx::print_alike(before, source, after) {
                    Ok(bytes) => bytes,
                    Err(_) => {
                        report.approximated(
                            "text",
                            "printed anew: the comments and the layout of the text are lost",
                        );
                        model.write()?
                    }
                }
            }
            _ => model.write()?,
        };
        Ok(Edited { model, bytes, changed, report })
    }

    /// The model that `effigy dump --json` printed this line for. It is written as the same bytes as long as no value was
    /// changed.
    ///
    /// # Errors
    /// When the text is not such a line, a field is not known or a value does not fit it, or the format cannot be built
    /// yet.
    pub fn build(json: &str) -> Result<Self> {
        Self::of_line(json).map(|(model, _)| model)
    }

    /// Like [`Model::build`], with the file: text keeps its comments and its layout where the line has them.
    ///
    /// # Errors
    /// Like [`Model::build`], and when the model cannot be written.
    pub fn built(json: &str) -> Result<Built> {
        let (model, source) = Self::of_line(json)?;
        let bytes = match (&model, source) {
            (Self::Mdx(new), Some(source)) if model.format() == Format::Mdl => text_like(new, source)?,
            _ => None,
        };
        let bytes = bytes.map_or_else(|| model.write(), Ok)?;
        Ok(Built { model, bytes })
    }

    /// The model of a line, and the text that an MDL was read from.
    fn of_line(json: &str) -> Result<(Self, Option<Vec<u8>>)> {
        let mut source = None;
        let wrong = |message: String| Error::new(Kind::Malformed, message);
        let (mut format, mut dialect, mut version, mut layout, mut trees) = (None, None, None, None, None);
        let value = |raw| Tree { value: Some(std::borrow::Cow::Borrowed(raw)), ..Tree::default() };
        Tree::members(json, |key, raw| {
            match key {
                "path" => {}
                "format" => format = Some(String::from_utf8_lossy(&value(raw).text()?.0).into_owned()),
                "dialect" if raw == "null" => {}
                "dialect" => dialect = Some(String::from_utf8_lossy(&value(raw).text()?.0).into_owned()),
                "version" => version = Some(value(raw).number::<u32>()?),
                "layout" if raw == "null" => {}
                "layout" => layout = Some(value(raw).number::<u32>()?),
                "source" => source = Some(value(raw).text()?.0),
                "tree" => trees = Some(Tree::parse(raw)?),
                _ => return Err(wrong(format!("'{key}' is not known here"))),
            }
            Ok(())
        })?;
        let missing =
            |what: &str| wrong(format!("the text has no '{what}'")).hint("`effigy dump --json` prints it");
        let format = format.ok_or_else(|| missing("format"))?;
        let version = version.ok_or_else(|| missing("version"))?;
        let trees = trees.ok_or_else(|| missing("tree"))?;
        let known = format.parse::<Format>().map_err(|_| wrong(format!("'{format}' is not a format")))?;
        let model = match known {
            Format::Mdx | Format::Mdl => {
                let dialect = dialect.ok_or_else(|| missing("dialect"))?;
                let dialects = [effigy_mdx::Dialect::Warcraft3, effigy_mdx::Dialect::WowAlpha];
                let dialect = dialects
                    .into_iter()
                    .find(|one| crate::formats::mdx::dialect_name(*one) == dialect)
                    .ok_or_else(|| wrong(format!("'{dialect}' is not a dialect of MDX")))?;
                let model = effigy_mdx::Model::build(dialect, version, layout.unwrap_or(version), &trees)?;
                Ok(Self::Mdx(crate::Opened::new(model, known)))
            }
            Format::Mdc | Format::Md3 => {
                let format =
                    if known == Format::Mdc { effigy_mdc::Format::Mdc } else { effigy_mdc::Format::Md3 };
                only_version(version, format.number().unsigned_abs())?;
                effigy_mdc::Model::build(format, &Tree::of(trees)).map(Self::from)
            }
            Format::Mds | Format::Mdm | Format::EtMdx => {
                let format = match known {
                    Format::Mds => effigy_mds::Format::Mds,
                    Format::Mdm => effigy_mds::Format::Mdm,
                    _ => effigy_mds::Format::Mdx,
                };
                only_version(version, format.number().unsigned_abs())?;
                effigy_mds::Model::build(format, &Tree::of(trees)).map(Self::from)
            }
            Format::M2 => {
                let version = effigy_m2::Version::new(version)?;
                effigy_m2::Model::build(version, Tree::of(trees)).map(Self::from)
            }
            Format::Skin => {
                only_version(version, effigy_m2::Version::WRATH.number())?;
                effigy_m2::Skin::build(Tree::of(trees)).map(Self::from)
            }
            other => {
                Err(Error::unsupported(format!("{} models cannot be built from JSON yet", other.title())))
            }
        };
        model.map(|model| (model, source))
    }

    /// The version whose layout the records have, where it is not the stated one.
    #[must_use]
    pub fn layout(&self) -> Option<u32> {
        match self {
            Self::Mdx(model) => Some(model.layout()).filter(|layout| *layout != model.version()),
            _ => None,
        }
    }
}

/// The text of a model that was built from the fields of this text: the same text while no value differs, else one in the same spelling; `None` for
/// a spelling that Effigy does not print.
fn text_like(model: &effigy_mdx::Model, source: Vec<u8>) -> Result<Option<Vec<u8>>> {
    let Ok(before) = effigy_mdx::text::parse(&source) else { return Ok(None) };
    if before.write()? == model.write()? {
        return Ok(Some(source));
    }
    Ok(crate::formats::mdx::print_alike(&before, &source, model).ok())
}

/// Checks the version of a format that has only one.
fn only_version(stated: u32, known: u32) -> Result<()> {
    if stated == known {
        return Ok(());
    }
    Err(Error::unsupported(format!("version {stated} is not known; only version {known} is")))
}

/// A smaller copy of a model.
#[derive(Clone, Debug)]
pub struct Smaller {
    /// The model.
    pub model: Model,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// What was removed, and the largest error.
    pub done: effigy_edit::mdx::optimize::Optimized,
}

impl Model {
    /// A smaller copy that looks the same.
    ///
    /// # Errors
    /// When the model cannot be posed or written, or the format cannot be optimised yet.
    pub fn optimized(&self, options: &effigy_edit::mdx::optimize::OptimizeOptions) -> Result<Smaller> {
        let mut model = self.clone();
        let done = match &mut model {
            Self::Mdx(model) => effigy_edit::mdx::optimize::optimize(model, options)?,
            other => {
                return Err(Error::unsupported(format!(
                    "{} models cannot be optimised yet",
                    other.format().title()
                )));
            }
        };
        let bytes = model.write()?;
        Ok(Smaller { model, bytes, done })
    }
}
