//! Answers for JavaScript, as JSON.

use effigy::{Error, Finding};
use effigy_view::Status;
use serde_json::{Value, json};
use wasm_bindgen::JsError;

/// An error with its hint.
pub fn thrown(error: &Error) -> JsError {
    JsError::new(&match error.hint_text() {
        Some(hint) => format!("{error}\n{hint}"),
        None => error.to_string(),
    })
}

pub fn findings(findings: &[Finding]) -> String {
    let one = |finding: &Finding| {
        json!({
            "code": finding.code.0,
            "severity": finding.severity.to_string(),
            "title": finding.title,
            "path": finding.path,
            "offset": finding.offset,
            "message": finding.message,
            "fixable": finding.fixable,
        })
    };
    Value::Array(findings.iter().map(one).collect()).to_string()
}

pub fn status(status: &Status, frames: u64) -> String {
    let view = &status.camera.view;
    json!({
        "file": status.file,
        "error": status.error,
        "message": status.message,
        "playing": status.playing,
        "sequence": status.sequence,
        "time": status.time,
        "camera": { "eye": view.eye, "back": view.back },
        "selected": status.selected,
        "findings": status.findings,
        "missing": status.missing,
        "view": status.view,
        "pictures": status.pictures,
        "frames": frames,
    })
    .to_string()
}
