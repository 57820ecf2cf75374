//! Whether files come back byte for byte.

use schemars::JsonSchema;
use serde::Serialize;

/// What `effigy verify --json` prints for each file.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Verified {
    /// The file.
    pub path: String,
    /// The format's name; null when it could not be told.
    pub format: Option<String>,
    /// The game's dialect of the format, where there is more than one.
    pub dialect: Option<String>,
    /// The version that the file states; null when it could not be read.
    pub version: Option<u32>,
    /// Size of the file.
    pub bytes: u64,
    /// identical, guarded, opaque, different or failed.
    pub status: String,
    /// Parts that needed their raw bytes.
    pub guarded: Vec<String>,
    /// Known parts that could not be decoded.
    pub opaque: Vec<String>,
    /// Why it failed, or the first thing that is broken in a file that comes back all the same.
    pub error: Option<String>,
}

/// The last line of `effigy verify --json`.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Closing")]
pub struct VerifyClosing {
    /// Counts over all files.
    pub summary: VerifyTotals,
}

/// Counts over all files.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[schemars(rename = "Totals")]
pub struct VerifyTotals {
    /// All files.
    pub files: u64,
    /// The typed model alone gives the same bytes.
    pub identical: u64,
    /// The same bytes with the help of raw ones.
    pub guarded: u64,
    /// The same bytes with parts that could not be decoded.
    pub opaque: u64,
    /// Not the same bytes.
    pub different: u64,
    /// Not readable.
    pub failed: u64,
    /// Size of all files.
    pub bytes: u64,
    /// How long it took.
    pub seconds: f64,
}

impl VerifyTotals {
    /// Counts one file.
    pub fn add(&mut self, file: &Verified) {
        self.files += 1;
        self.bytes = self.bytes.saturating_add(file.bytes);
        match file.status.as_str() {
            "identical" => self.identical += 1,
            "guarded" => self.guarded += 1,
            "opaque" => self.opaque += 1,
            "different" => self.different += 1,
            _ => self.failed += 1,
        }
    }
}

impl Verified {
    /// A file that is not read yet, which counts as failed.
    #[must_use]
    pub fn unread(path: &str) -> Self {
        Self {
            path: path.to_owned(),
            format: None,
            dialect: None,
            version: None,
            bytes: 0,
            status: "failed".to_owned(),
            guarded: Vec::new(),
            opaque: Vec::new(),
            error: None,
        }
    }
}
