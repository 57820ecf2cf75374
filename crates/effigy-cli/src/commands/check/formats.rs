//! Findings as the annotations of GitHub's workflows.

use crate::session::{Session, Stop};
use effigy::rules::sarif::{level, text};
use effigy::{Checked, Error};

/// A value inside an annotation; `property` for what stands before the two colons.
fn escape(text: &str, property: bool) -> String {
    let text = text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    if property { text.replace(':', "%3A").replace(',', "%2C") } else { text }
}

/// The findings of a file as annotations.
pub fn github(session: &mut Session, path: &str, checked: &Checked) -> Result<(), Stop> {
    for finding in &checked.findings {
        let command = match level(finding.severity) {
            "note" => "notice",
            other => other,
        };
        let line =
            finding.line.map(|(line, column)| format!(",line={line},col={column}")).unwrap_or_default();
        let title = escape(&format!("{} {}", finding.code, finding.title), true);
        session.out.line(format_args!(
            "::{command} file={}{line},title={title}::{}",
            escape(path, true),
            escape(&text(finding), false)
        ))?;
    }
    Ok(())
}

/// A file that cannot be read as an annotation.
pub fn github_error(session: &mut Session, path: &str, error: &Error) -> Result<(), Stop> {
    let (path, message) = (escape(path, true), escape(&error.to_string(), false));
    session.out.line(format_args!("::error file={path},title=unreadable::{message}"))
}
