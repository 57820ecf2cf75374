//! What programs print about models, one JSON object for each file: the rows of the command's `--json`, each with its
//! JSON schema.

mod check;
mod convert;
mod diff;
pub mod formats;
mod info;
#[cfg(feature = "render")]
mod render;
mod verify;

pub use check::{CheckClosing, CheckTotals, CheckedFile, FindingLine, Repair, is_clean};
pub use convert::{Conversion, NoteLine};
pub use diff::{ChangeLine, Diff};
pub use info::{Choice, Finding, Info, Skin, SkinTexture, TextureInfo};
#[cfg(feature = "render")]
pub use render::{Rendered, Viewpoint};
pub use verify::{Verified, VerifyClosing, VerifyTotals};

use crate::Error;
use schemars::JsonSchema;
use serde::Serialize;

/// A line of `effigy info --json`: a model, a texture or a failure.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
#[allow(missing_docs, reason = "a comment on a variant would become part of the schema")]
#[schemars(rename = "Line")]
pub enum InfoLine {
    Model(Box<Info>),
    Texture(TextureInfo),
    Failure(Failure),
}

/// A line of `effigy check --json`: a file, a failure, or the counts at the end.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
#[allow(missing_docs, reason = "a comment on a variant would become part of the schema")]
#[schemars(rename = "Line")]
pub enum CheckLine {
    File(CheckedFile),
    Failure(Failure),
    Closing(CheckClosing),
}

/// A line of `effigy verify --json`: a file, or the counts at the end.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
#[allow(missing_docs, reason = "a comment on a variant would become part of the schema")]
#[schemars(rename = "Line")]
pub enum VerifyLine {
    File(Verified),
    Closing(VerifyClosing),
}

/// A file that could not be worked on, in the JSON output of every command.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Failure {
    /// The file.
    pub path: String,
    /// What is wrong, with its place.
    pub error: String,
    /// The category of the error: io, malformed, unsupported, limit, unrepresentable, usage, exists.
    pub kind: String,
    /// Where in the file, in bytes.
    pub offset: Option<usize>,
    /// The path inside the file, such as `GEOS[0].PVTX`.
    pub place: String,
}

impl Failure {
    /// The failure that this error is.
    #[must_use]
    pub fn new(path: &str, error: &Error) -> Self {
        Self {
            path: path.to_owned(),
            error: error.to_string(),
            kind: format!("{:?}", error.kind()).to_lowercase(),
            offset: error.offset(),
            place: error.path(),
        }
    }
}

/// A line of a command that prints a result or a failure for each file.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
#[allow(missing_docs, reason = "a comment on a variant would become part of the schema")]
pub enum Line<T> {
    Result(T),
    Failure(Failure),
}

/// What `effigy list --json` prints for each file in an archive.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Listed {
    /// The archive.
    pub archive: String,
    /// The file's name inside.
    pub name: String,
    /// Its size once unpacked.
    pub bytes: u64,
    /// The room it takes in the archive.
    pub stored: u64,
    /// Whether the archive or a file in it gives its name; otherwise the name is made up.
    pub named: bool,
}

/// What `effigy extract --json` prints for each file.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Written {
    /// The archive or folder it comes from.
    pub archive: String,
    /// Its name there.
    pub name: String,
    /// The file that was written.
    pub output: String,
    /// Its size.
    pub bytes: u64,
}

/// What `effigy dump --json` prints for each file.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Dumped {
    /// The file.
    pub path: String,
    /// The format's name.
    pub format: String,
    /// The game's dialect of the format, where there is more than one.
    pub dialect: Option<String>,
    /// The version that the file states.
    pub version: u32,
    /// The version whose layout the records have, in a file that states a wrong version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layout: Option<u32>,
    /// The text of an MDL, with its comments and its layout: `effigy build` writes it again as long as no value is changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<SourceText>,
    /// The parts of the model in file order.
    pub tree: Vec<Part>,
}

/// Text of a file.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum SourceText {
    /// As it is.
    Text(String),
    /// Text that is not UTF-8.
    Bytes {
        /// In hexadecimal digits.
        bytes: String,
    },
}

impl From<&[u8]> for SourceText {
    fn from(text: &[u8]) -> Self {
        match std::str::from_utf8(text) {
            Ok(text) => Self::Text(text.to_owned()),
            Err(_) => Self::Bytes { bytes: text.iter().map(|byte| format!("{byte:02x}")).collect() },
        }
    }
}

/// A part of a model: a chunk, a record, an element or a field. It has either parts of its own or a value.
///
/// In MDC, MD3, MDS, MDM, Enemy Territory's MDX, M2 and `.skin` files, counts and offsets in headers follow from the lists. A file
/// whose parts are not in the usual order, or that has bytes between them, has a part `placement`: `length` is the size of the
/// file, `filler` the bytes that do not belong to any part, and `offsets` (M2 and skins) the offset of every list in file
/// order. The chunks around an M2 of a later expansion follow a part `shell`, which says how many of them are before the
/// model and which bytes are after the last one; `aside` is what a conversion to 264 keeps of an older model.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Part {
    /// Its name or tag; left out for elements of a list.
    pub name: Option<String>,
    /// Its position in its list; left out for named parts.
    pub index: Option<usize>,
    /// Its offset in the file, with `--offsets`.
    pub offset: Option<usize>,
    /// A number, text, or a list of numbers (of lists, for vectors). Numbers that JSON lacks are the strings
    /// `NaN`, `NaN:ffc00001` (with the bits of a NaN of its own), `inf`, `-inf`; bytes without a meaning are text in
    /// hexadecimal. Text that is not UTF-8, or has something after its end, is an object with `text` and `bytes`.
    pub value: Option<serde_json::Value>,
    /// The bytes of a chunk whose values do not reproduce them, in hexadecimal.
    pub source: Option<String>,
    /// The hash of the bytes that the chunk's values give; while it holds, `effigy build` writes `source`. Of a `placement`: the
    /// hash of the lengths of all lists; while it holds, `effigy build` puts the parts where they were.
    pub hash: Option<String>,
    /// The size that a chunk states, where it is not that of its bytes; the number of lists of an M2's track, where the last ones
    /// are empty; the size of a text of an M2 that does not end with a NUL; or the number of elements that are `at` another place.
    pub size: Option<u32>,
    /// The offset of elements of an M2 that are in an `.anim` file, or could not be read. `effigy build` writes `size` and `at`,
    /// and not the value.
    pub at: Option<u32>,
    /// Its parts.
    pub parts: Option<Vec<Part>>,
}
