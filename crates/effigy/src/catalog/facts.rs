//! What is known of one file: what `info` and `check` print about it, or why it does not open.

use crate::config::{CheckSettings, Configs};
use crate::lines::{Failure, Info};
use crate::{Checked, Error, HEAD, Input, OpenOptions, Result, open};
use sha2::{Digest, Sha256};
use std::fmt::Write;

/// How rows are made.
#[derive(Debug, Default)]
pub struct CatalogOptions {
    /// How models are opened.
    pub open: OpenOptions,
    /// The `effigy.toml` files that decide how models are checked.
    pub configs: Configs,
    /// Width and height of a picture in each row; none without a number.
    #[cfg(feature = "render")]
    pub thumbnail: Option<u32>,
    /// Whatever was chosen that changes rows, in words that are the same for the same choices. Rows that were made with
    /// others are not taken over by a run that resumes.
    pub choices: String,
}

impl CatalogOptions {
    /// What the column `effigy` says of rows that are made so.
    #[must_use]
    pub fn made_by(&self) -> String {
        let version = env!("CARGO_PKG_VERSION");
        if self.choices.is_empty() {
            return version.to_owned();
        }
        let mark: String = sha256(self.choices.as_bytes()).chars().take(8).collect();
        format!("{version}+{mark}")
    }
}

/// The bytes of a model's main file, and their hash.
#[derive(Clone, Debug)]
pub struct Content {
    bytes: Vec<u8>,
    sha256: String,
}

impl Content {
    /// Reads a file, if it begins like a model.
    ///
    /// # Errors
    /// When it cannot be read, is larger than the limits allow, or is not a model.
    pub fn read(input: &Input, options: &OpenOptions) -> Result<Self> {
        let file = input.file.as_ref().map_err(Error::clone)?;
        let bytes = if crate::is_assembly(file) {
            // It has no bytes of its own; `info` tells the size of the model that it stands for.
            open::open_keeping_bytes(file, options)?.1
        } else {
            file.read_if(&options.limits, HEAD, |head| open::format_of(head, file, options))?.1
        };
        let sha256 = sha256(&bytes);
        Ok(Self { bytes, sha256 })
    }

    /// SHA-256 of the bytes, in hexadecimal.
    #[must_use]
    pub fn sha256(&self) -> &str {
        &self.sha256
    }

    pub(super) fn length(&self) -> u64 {
        u64::try_from(self.bytes.len()).unwrap_or(u64::MAX)
    }
}

fn sha256(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(64);
    for byte in Sha256::digest(bytes) {
        // Writing into a text cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// What the columns are taken from.
pub(super) struct Facts<'a> {
    pub(super) path: &'a str,
    pub(super) archive: Option<String>,
    pub(super) bytes: Option<u64>,
    pub(super) sha256: Option<&'a str>,
    pub(super) info: Option<&'a Info>,
    pub(super) checked: Option<&'a Checked>,
    pub(super) error: Option<&'a Failure>,
    pub(super) thumbnail: Option<&'a Result<Vec<u8>>>,
    pub(super) effigy: &'a str,
}

/// What `info` and `check` know of a model, and its picture where one is wanted.
pub(super) struct Known {
    pub(super) info: Info,
    pub(super) checked: Checked,
    pub(super) thumbnail: Option<Result<Vec<u8>>>,
}

impl Known {
    pub(super) fn new(input: &Input, content: &Content, options: &CatalogOptions) -> Result<Self> {
        let file = input.file.as_ref().map_err(Error::clone)?;
        let model = match crate::is_assembly(file) {
            true => open::open_file(file, &options.open)?,
            false => open::open_bytes(file, &content.bytes, &options.open)?,
        };
        model.ensure_checkable()?;
        let settings = options.configs.settings(input.path(), CheckSettings::default());
        let checked = model.check(&settings.options(&input.name));
        #[cfg(feature = "render")]
        let thumbnail = options.thumbnail.map(|size| {
            let nothing = || Error::unsupported("there is nothing to see");
            model.thumbnail(crate::Renderer::shared()?, size).and_then(|picture| picture.ok_or_else(nothing))
        });
        #[cfg(not(feature = "render"))]
        let thumbnail = None;
        Ok(Self { info: Info::new(&input.name, &model, content.length()), checked, thumbnail })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_that_of_the_standard() {
        // FIPS 180-2, appendix B.1.
        assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }

    #[test]
    fn other_choices_have_another_mark() {
        let with =
            |choices: &str| CatalogOptions { choices: choices.to_owned(), ..Default::default() }.made_by();
        assert_eq!(with(""), env!("CARGO_PKG_VERSION"));
        assert_ne!(with("--look"), with("--assets"));
        assert!(with("--look").starts_with(&format!("{}+", with(""))));
    }
}
