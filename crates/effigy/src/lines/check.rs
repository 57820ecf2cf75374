//! What a check found.

use crate::{Checked, Finding, Game, Model, Severity};
use schemars::JsonSchema;
use serde::Serialize;

/// What `effigy check --json` prints for each file.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CheckedFile {
    /// The file.
    pub path: String,
    /// The format's name.
    pub format: String,
    /// The version that the file states.
    pub version: u32,
    /// What the model is taken for.
    pub profile: String,
    /// Why.
    pub reason: String,
    /// The games that load it, as far as their known limits tell.
    pub accepted_by: Vec<String>,
    /// What is wrong, worst first.
    pub findings: Vec<FindingLine>,
    /// Findings that were too many to be listed.
    pub left_out: usize,
    /// What was repaired.
    pub repaired: Vec<Repair>,
}

/// Something that is wrong with a model.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FindingLine {
    /// Its stable code; `effigy check --explain CODE` says more.
    pub code: String,
    /// error, severe, warning, note or unused.
    pub severity: String,
    /// What is wrong, in a few words.
    pub title: String,
    /// Where it is in the model.
    pub place: String,
    /// Where it is in the file, in bytes.
    pub offset: Option<usize>,
    /// Line and column in a text file.
    pub line: Option<(usize, usize)>,
    /// What was found there.
    pub message: String,
    /// Whether --fix repairs it.
    pub fixable: bool,
}

impl FindingLine {
    /// The line of a finding.
    #[must_use]
    pub fn new(finding: &Finding) -> Self {
        Self {
            code: finding.code.to_string(),
            severity: finding.severity.to_string(),
            title: finding.title.to_owned(),
            place: finding.path.clone(),
            offset: finding.offset,
            line: finding.line,
            message: finding.message.clone(),
            fixable: finding.fixable,
        }
    }
}

/// Something that was repaired.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Repair {
    /// The code of what it mends.
    pub code: String,
    /// Where.
    pub place: String,
    /// What was done.
    pub message: String,
}

/// The last line of `effigy check --json`.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Closing")]
pub struct CheckClosing {
    /// Counts over all files.
    pub summary: CheckTotals,
}

/// Counts over all files.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[schemars(rename = "Totals")]
pub struct CheckTotals {
    /// All files.
    pub files: u64,
    /// Files without findings that matter: at most notes, and what is unused.
    pub clean: u64,
    /// Findings that are errors.
    pub errors: u64,
    /// Severe findings.
    pub severe: u64,
    /// Warnings.
    pub warnings: u64,
    /// What is good to know.
    pub notes: u64,
    /// Findings of what takes room and does nothing.
    pub unused: u64,
    /// Findings that `--fix` repairs.
    pub fixable: u64,
    /// Things that were repaired.
    pub repaired: u64,
    /// Files that could not be read.
    pub failed: u64,
}

/// Whether there is nothing that the author should look at.
#[must_use]
pub fn is_clean(checked: &Checked) -> bool {
    checked.findings.iter().all(|finding| finding.severity < Severity::Warning)
}

impl CheckTotals {
    /// Counts one file.
    pub fn add(&mut self, checked: &Checked) {
        let count = |severity| u64::try_from(checked.count(severity)).unwrap_or(u64::MAX);
        self.files += 1;
        self.clean += u64::from(is_clean(checked));
        self.errors += count(Severity::Error);
        self.severe += count(Severity::Severe);
        self.warnings += count(Severity::Warning);
        self.notes += count(Severity::Note);
        self.unused += count(Severity::Unused);
        let fixable = checked.findings.iter().filter(|finding| finding.fixable).count();
        self.fixable += u64::try_from(fixable).unwrap_or(u64::MAX);
    }
}

impl CheckedFile {
    /// What was found in a model, and repaired.
    #[must_use]
    pub fn new(path: &str, model: &Model, checked: &Checked, repaired: &[Repair]) -> Self {
        Self {
            path: path.to_owned(),
            format: model.format().name().to_owned(),
            version: model.version(),
            profile: checked.guess.profile.to_string(),
            reason: checked.guess.reason.clone(),
            accepted_by: checked.accepted_by.iter().map(Game::to_string).collect(),
            findings: checked.findings.iter().map(FindingLine::new).collect(),
            left_out: checked.left_out,
            repaired: repaired.to_vec(),
        }
    }
}
