//! Conversions by name: the one table of ways from a format to a format.

use crate::{Document, Error, Format, Kind, Report, Result};
use std::fmt;
use std::str::FromStr;

/// What to convert to: a format and, where the format has several, a version. Written `mdx:800`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// The format.
    pub format: Format,
    /// The version; the source's own, or the format's usual one, when none is given.
    pub version: Option<u32>,
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.version {
            Some(version) => write!(f, "{}:{version}", self.format),
            None => write!(f, "{}", self.format),
        }
    }
}

impl FromStr for Target {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let (name, version) = match text.split_once(':') {
            None => (text, None),
            Some((name, number)) => {
                let version = number.parse().map_err(|_| {
                    Error::new(Kind::Usage, format!("'{number}' in '{text}' is no version number"))
                })?;
                (name, Some(version))
            }
        };
        Ok(Self { format: name.parse()?, version })
    }
}

/// Whose spelling of MDL is written where tools differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MdlSpelling {
    /// The game's own.
    #[default]
    Warcraft3,
    /// HiveWE's.
    Hive,
    /// Retera's Model Studio's.
    Retera,
}

/// How MDC is compressed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MdcMode {
    /// As the game's own tool does it.
    #[default]
    Engine,
    /// Exact frames wherever they cost nothing.
    LosslessFirst,
    /// As few bytes as the engine can read.
    Smallest,
}

/// What can be chosen about a conversion beside its target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Spelling of MDL.
    pub mdl: MdlSpelling,
    /// MDL without the comments that keep what MDL cannot hold.
    pub mdl_plain: bool,
    /// Compression of MDC.
    pub mdc: MdcMode,
}

/// What a conversion made.
#[derive(Clone, Debug, Default)]
pub struct Converted {
    /// The main file.
    pub bytes: Vec<u8>,
    /// Files that stand beside it: what is appended to the main file's stem, and the bytes (`00.skin`).
    pub companions: Vec<(String, Vec<u8>)>,
    /// What was kept aside, rebuilt, approximated and dropped.
    pub report: Report,
}

/// One way from a format to a format.
#[derive(Clone, Copy, Debug)]
pub struct Route {
    /// Formats it starts from.
    pub from: &'static [Format],
    /// The format it leads to.
    pub to: Format,
    /// Goes it.
    pub run: fn(&dyn Document, Target, &Options) -> Result<Converted>,
}

/// Every conversion that exists.
pub const ROUTES: &[Route] = &[
    #[cfg(feature = "mdx")]
    Route { from: &[Format::Mdx, Format::Mdl], to: Format::Mdx, run: crate::mdx_document::rewrite },
    #[cfg(feature = "mdx")]
    Route { from: &[Format::Mdx, Format::Mdl], to: Format::Mdl, run: crate::mdx_document::rewrite },
    #[cfg(feature = "m2")]
    Route { from: &[Format::M2], to: Format::M2, run: crate::m2_document::rewrite },
    #[cfg(feature = "mdc")]
    Route { from: &[Format::Mdc, Format::Md3], to: Format::Mdc, run: crate::mdc_document::convert },
    #[cfg(feature = "mdc")]
    Route { from: &[Format::Mdc, Format::Md3], to: Format::Md3, run: crate::mdc_document::convert },
];

/// Converts a document.
///
/// # Errors
/// When there is no way from its format to the target, or the target cannot hold it.
pub fn convert(document: &dyn Document, target: Target, options: &Options) -> Result<Converted> {
    let from = document.format();
    let route = ROUTES.iter().find(|route| route.to == target.format && route.from.contains(&from));
    match route {
        Some(route) => (route.run)(document, target, options),
        None => {
            Err(Error::unsupported(format!("converting {from} to {} is not supported yet", target.format)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_comes_back_from_its_text() {
        for text in ["mdx:800", "mdx", "md3", "m2:264"] {
            assert_eq!(text.parse::<Target>().unwrap().to_string(), text);
        }
        for text in ["mdx:", "mdx:new", "obj", "", ":800"] {
            assert_eq!(text.parse::<Target>().unwrap_err().kind(), Kind::Usage, "{text}");
        }
    }
}
