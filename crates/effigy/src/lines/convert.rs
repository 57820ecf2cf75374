//! Conversions, with what did not arrive as it was.

use crate::{Files, Goal, Report};
use schemars::JsonSchema;
use serde::Serialize;

/// What `effigy convert --json` prints for each file, and `--report` writes.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Conversion {
    /// The input.
    pub path: String,
    /// The file that was written.
    pub output: String,
    /// What it was converted to, such as `mdx:800`.
    pub target: String,
    /// Size of what was written.
    pub bytes: u64,
    /// What did not arrive as it was.
    pub notes: Vec<NoteLine>,
}

/// Something that did not arrive as it was.
#[derive(Debug, Serialize, JsonSchema)]
pub struct NoteLine {
    /// kept aside, rebuilt, approximated or dropped.
    pub outcome: String,
    /// Where it is in the source.
    pub place: String,
    /// What happened and why.
    pub message: String,
}

impl Conversion {
    /// A conversion that was written.
    #[must_use]
    pub fn new(path: &str, output: String, goal: &Goal, files: &Files, report: &Report) -> Self {
        let notes = report.notes().iter().map(|note| NoteLine {
            outcome: note.outcome.to_string(),
            place: note.path.clone(),
            message: note.message.to_string(),
        });
        Self {
            path: path.to_owned(),
            output,
            target: goal.to_string(),
            bytes: u64::try_from(files.main.len()).unwrap_or(u64::MAX),
            notes: notes.collect(),
        }
    }
}
