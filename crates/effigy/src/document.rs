//! The face that every format shows: what can be asked of a model without knowing its format.

use crate::{Diagnostics, Error, Format, Kind, Limits, Result, Summary, Verdict, sniff};
use effigy_wire::Visitor;
use std::any::Any;
use std::io::Read;
use std::path::Path;

/// A model of any format, as it was read.
pub trait Document: Any + Send + Sync {
    /// Which format it is.
    fn format(&self) -> Format;
    /// Which game's dialect of the format, where there is more than one.
    fn dialect(&self) -> Option<&'static str> {
        None
    }
    /// The version that the file states.
    fn version(&self) -> u32;
    /// The model's own name; empty where it has none.
    fn name(&self) -> String;
    /// What the reader noticed.
    fn diagnostics(&self) -> &Diagnostics;
    /// The file's bytes: the same that were read, as long as nothing was changed.
    ///
    /// # Errors
    /// When the format cannot hold what the model holds now.
    fn write(&self) -> Result<Vec<u8>>;
    /// How the model comes back from its typed form, held against the bytes it was read from.
    fn verify(&self, source: &[u8]) -> Verdict;
    /// Whether the format's usual layout alone, without remembered places, gives the same bytes; `None` where a format
    /// has no places to remember.
    fn verify_canonical(&self, _source: &[u8]) -> Option<bool> {
        None
    }
    /// Walks over every field in file order.
    fn visit(&self, visitor: &mut dyn Visitor);
    /// What is in it.
    fn summary(&self) -> Summary;
    /// The model itself, for code that knows the format.
    fn as_any(&self) -> &dyn Any;
    /// Names of the files that may stand beside a model in a file of this name and belong to it (`Imp00.skin`).
    fn companions(&self, _file_name: &str) -> Vec<String> {
        Vec::new()
    }
    /// Takes over such a file; `index` is its place in [`Document::companions`].
    ///
    /// # Errors
    /// When the file does not fit the model.
    fn attach(&mut self, _index: usize, _bytes: &[u8]) -> Result<()> {
        Ok(())
    }
}

/// The methods that a format's own model has under the same names; `$summary` makes its [`Summary`].
macro_rules! same_names {
    ($summary:ident) => {
        fn diagnostics(&self) -> &$crate::Diagnostics {
            self.diagnostics()
        }
        fn write(&self) -> $crate::Result<Vec<u8>> {
            self.write()
        }
        fn verify(&self, source: &[u8]) -> $crate::Verdict {
            self.verify(source)
        }
        fn visit(&self, visitor: &mut dyn effigy_wire::Visitor) {
            self.visit(visitor);
        }
        fn summary(&self) -> $crate::Summary {
            $summary(self)
        }
        fn as_any(&self) -> &dyn std::any::Any {
            self
        }
    };
}
pub(crate) use same_names;

/// Opens a model file of any format.
///
/// # Errors
/// When the file cannot be read, is no model, or breaks its format.
pub fn open(path: impl AsRef<Path>) -> Result<Box<dyn Document>> {
    open_with(path, &Limits::DEFAULT)
}

/// Opens a model file of any format within these limits. The first bytes are looked at before the rest is read.
///
/// # Errors
/// When the file cannot be read, is no model, breaks its format, or is larger than the limits allow.
pub fn open_with(path: impl AsRef<Path>, limits: &Limits) -> Result<Box<dyn Document>> {
    let path = path.as_ref();
    let extension = path.extension().and_then(|extension| extension.to_str());
    let mut file = std::fs::File::open(path)?;
    let mut bytes = Vec::new();
    file.by_ref().take(u64::try_from(crate::HEAD).unwrap_or(u64::MAX)).read_to_end(&mut bytes)?;
    let format = sniff(&bytes, extension)?;
    file.take(limits.input_bytes).read_to_end(&mut bytes)?;
    read_with(&bytes, format, limits)
}

/// Reads a model of any format. `extension` is the file's, without the dot, where there is one.
///
/// # Errors
/// When the bytes are no model or break their format.
pub fn read(bytes: &[u8], extension: Option<&str>) -> Result<Box<dyn Document>> {
    read_with(bytes, sniff(bytes, extension)?, &Limits::DEFAULT)
}

/// Reads a model of a known format within these limits.
///
/// # Errors
/// When the bytes break the format, are more than the limits allow, or the format is not built in.
pub fn read_with(bytes: &[u8], format: Format, limits: &Limits) -> Result<Box<dyn Document>> {
    let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    if length > limits.input_bytes {
        return Err(Error::new(
            Kind::Limit,
            format!("{length} bytes are more than the limit of {}", limits.input_bytes),
        ));
    }
    match format.entry().and_then(|entry| entry.read) {
        Some(read) => read(bytes, limits),
        None => Err(Error::unsupported(format!("{} files cannot be read yet", format.title()))),
    }
}
