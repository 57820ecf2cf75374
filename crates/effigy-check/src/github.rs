//! Findings as the annotations of GitHub's workflows, one line each.

use crate::Checked;
use crate::sarif::{level, text};
use effigy_wire::Error;
use std::fmt::Write;

/// A value inside an annotation; `property` for what is before the two colons.
fn escape(text: &str, property: bool) -> String {
    let text = text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    if property { text.replace(':', "%3A").replace(',', "%2C") } else { text }
}

/// The findings of a file as annotations.
#[must_use]
pub fn annotations(path: &str, checked: &Checked) -> String {
    let mut lines = String::new();
    for finding in &checked.findings {
        let command = match level(finding.severity) {
            "note" => "notice",
            other => other,
        };
        let line =
            finding.line.map(|(line, column)| format!(",line={line},col={column}")).unwrap_or_default();
        let title = escape(&format!("{} {}", finding.code, finding.title), true);
        let (path, message) = (escape(path, true), escape(&text(finding), false));
        let _ = writeln!(lines, "::{command} file={path}{line},title={title}::{message}");
    }
    lines
}

/// A file that cannot be read as an annotation.
#[must_use]
pub fn unreadable(path: &str, error: &Error) -> String {
    let (path, message) = (escape(path, true), escape(&error.to_string(), false));
    format!("::error file={path},title=unreadable::{message}\n")
}
