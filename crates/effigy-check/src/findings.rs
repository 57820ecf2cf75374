//! Findings: the results of a check.

use crate::rule::Rule;
use effigy_wire::{Code, Diagnostic, Severity};
use std::fmt;

/// One thing that is wrong with a model, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The rule's or the reader's stable code.
    pub code: Code,
    /// How much it matters.
    pub severity: Severity,
    /// The title of the code.
    pub title: &'static str,
    /// Path inside the model, such as `BONE[3].node.tracks.KGTR`; empty for the model as a whole.
    pub path: String,
    /// Offset of that field in the file, where it is known.
    pub offset: Option<usize>,
    /// Line and column (from 1) in a text file.
    pub line: Option<(usize, usize)>,
    /// What was found there.
    pub message: String,
    /// Whether [`fix`](crate::fix()) repairs it.
    pub fixable: bool,
}

impl Finding {
    /// A diagnostic of the reader as a finding.
    pub(crate) fn from_diagnostic(diagnostic: &Diagnostic, title: &'static str) -> Self {
        Self {
            code: diagnostic.code,
            severity: diagnostic.severity,
            title,
            path: diagnostic.path.clone(),
            offset: diagnostic.offset,
            line: diagnostic.line,
            message: diagnostic.message.to_string(),
            fixable: false,
        }
    }
}

/// `severe MDX2007 at 0x1f4: BONE[3]: vertex attached to nothing: it stays at the origin`.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.severity, self.code)?;
        match (self.line, self.offset) {
            (Some((line, column)), _) => write!(f, " at {line}:{column}")?,
            (None, Some(offset)) => write!(f, " at {offset:#x}")?,
            (None, None) => {}
        }
        if !self.path.is_empty() {
            write!(f, ": {}", self.path)?;
        }
        if !self.title.is_empty() {
            write!(f, ": {}", self.title)?;
        }
        write!(f, ": {}", self.message)
    }
}

/// Collects the findings of one rule after another. The number of findings per rule is bounded, since a broken file can
/// have millions of them and a few hundred already show what is wrong.
#[derive(Debug)]
pub struct Findings {
    pub list: Vec<Finding>,
    pub left_out: usize,
    rule: Option<&'static Rule>,
    begun: usize,
}

/// How many findings of one rule are listed.
const MOST: usize = 200;

impl Findings {
    pub const fn new() -> Self {
        Self { list: Vec::new(), left_out: 0, rule: None, begun: 0 }
    }

    /// The findings that follow belong to this rule.
    pub fn begin(&mut self, rule: &'static Rule) {
        self.rule = Some(rule);
        self.begun = self.list.len();
    }

    /// Adds a finding of the current rule.
    pub fn add(&mut self, path: impl Into<String>, message: impl Into<String>) {
        let fixable = self.rule.is_some_and(Rule::has_fix);
        self.add_fixable(path, message, fixable);
    }

    /// Sets the offset of the last finding.
    pub fn set_offset(&mut self, offset: Option<usize>) {
        if let Some(finding) = self.list.last_mut() {
            finding.offset = offset;
        }
    }

    /// Adds a finding for which a repair exists only in some cases.
    pub fn add_fixable(&mut self, path: impl Into<String>, message: impl Into<String>, fixable: bool) {
        let Some(rule) = self.rule else { return };
        if self.list.len().saturating_sub(self.begun) >= MOST {
            self.left_out = self.left_out.saturating_add(1);
            return;
        }
        self.list.push(Finding {
            code: rule.code,
            severity: rule.severity,
            title: rule.title,
            path: path.into(),
            offset: None,
            line: None,
            message: message.into(),
            fixable,
        });
    }
}
