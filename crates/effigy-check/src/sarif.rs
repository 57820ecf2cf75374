//! Findings as a SARIF 2.1.0 log, which code scanning pages read.

use crate::{Checked, Finding, explain};
use effigy_wire::{Error, Severity};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// A SARIF log of one run, which is written while the run goes on: only the codes that occur are kept in memory.
///
/// The methods return the next piece of the log; all pieces together are one JSON document.
#[derive(Clone, Debug, Default)]
pub struct Sarif {
    /// Whether a result was written.
    begun: bool,
    /// The codes that occur.
    rules: BTreeSet<&'static str>,
}

/// What comes before the results.
const HEAD: &str = r#"{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","runs":[{"results":["#;

/// The code under which files that cannot be read are listed.
const UNREADABLE: &str = "unreadable";

/// SARIF's word for a severity. Only what makes the command fail by default is an error.
#[must_use]
pub const fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Severe | Severity::Warning => "warning",
        Severity::Note | Severity::Unused => "note",
    }
}

/// A path as a relative URI.
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.replace('\\', "/").bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'_' | b'-' | b'~' => {
                uri.push(char::from(byte))
            }
            other => uri.push_str(&format!("%{other:02X}")),
        }
    }
    uri
}

/// The place in a file, as far as it is known.
fn physical(path: &str, line: Option<(usize, usize)>, offset: Option<usize>) -> Value {
    let artifact = json!({ "uri": uri(path) });
    let region = match (line, offset) {
        (Some((line, column)), _) => json!({ "startLine": line, "startColumn": column }),
        (None, Some(offset)) => json!({ "byteOffset": offset }),
        (None, None) => return json!({ "artifactLocation": artifact }),
    };
    json!({ "artifactLocation": artifact, "region": region })
}

impl Sarif {
    /// Appends a result, after the head of the log or a comma.
    fn push(&mut self, text: &mut String, result: &Value) {
        text.push_str(if self.begun { "," } else { HEAD });
        self.begun = true;
        text.push_str(&result.to_string());
    }

    /// The findings of a file.
    #[must_use]
    pub fn add(&mut self, path: &str, checked: &Checked) -> String {
        let mut text = String::new();
        for finding in &checked.findings {
            self.rules.insert(finding.code.0);
            let location = json!({
                "physicalLocation": physical(path, finding.line, finding.offset),
                "logicalLocations": [{ "fullyQualifiedName": finding.path }],
            });
            let result = json!({
                "ruleId": finding.code.0,
                "level": level(finding.severity),
                "message": { "text": self::text(finding) },
                "locations": [location],
            });
            self.push(&mut text, &result);
        }
        text
    }

    /// A file that cannot be read.
    #[must_use]
    pub fn add_error(&mut self, path: &str, error: &Error) -> String {
        let mut text = String::new();
        self.rules.insert(UNREADABLE);
        let place = physical(path, None, error.offset());
        let result = json!({
            "ruleId": UNREADABLE,
            "level": "error",
            "message": { "text": error.to_string() },
            "locations": [{ "physicalLocation": place }],
        });
        self.push(&mut text, &result);
        text
    }

    /// The end of the log.
    #[must_use]
    pub fn finish(self) -> String {
        let rules: Vec<Value> = self
            .rules
            .iter()
            .map(|code| match explain(code) {
                Some(found) => json!({
                    "id": code,
                    "shortDescription": { "text": found.title },
                    "fullDescription": { "text": found.text },
                    "defaultConfiguration": { "level": found.severity.map_or("warning", level) },
                }),
                None => json!({ "id": code, "shortDescription": { "text": "the file cannot be read" } }),
            })
            .collect();
        let driver = json!({ "name": "effigy", "version": env!("CARGO_PKG_VERSION"), "rules": rules });
        let tool = json!({ "driver": driver });
        let head = if self.begun { "" } else { HEAD };
        format!("{head}],\"tool\":{tool}}}],\"version\":\"2.1.0\"}}\n")
    }
}

/// A finding in one line, without its code.
#[must_use]
pub fn text(finding: &Finding) -> String {
    let place = if finding.path.is_empty() { String::new() } else { format!("{}: ", finding.path) };
    format!("{}: {place}{}", finding.title, finding.message)
}
