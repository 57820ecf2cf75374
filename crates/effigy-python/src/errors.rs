//! The library's errors as exceptions.

use effigy::{Error, Kind};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::error::Error as _;

/// The exception for an error about this file; an empty name where there is none.
pub fn exception(py: Python<'_>, error: &Error, file: &str) -> PyErr {
    build(py, error, file).unwrap_or_else(|failure| failure)
}

fn build(py: Python<'_>, error: &Error, file: &str) -> PyResult<PyErr> {
    let is_missing = || {
        let cause = error.source().and_then(|cause| cause.downcast_ref::<std::io::Error>());
        cause.is_some_and(|cause| cause.kind() == std::io::ErrorKind::NotFound)
    };
    let (class, code) = match error.kind() {
        Kind::Io if is_missing() => ("MissingFileError", "io"),
        Kind::Io => ("IoError", "io"),
        Kind::Malformed => ("MalformedError", "malformed"),
        Kind::Unsupported => ("UnsupportedError", "unsupported"),
        Kind::Limit => ("LimitError", "limit"),
        Kind::Unrepresentable => ("UnrepresentableError", "unrepresentable"),
        Kind::Usage => ("UsageError", "usage"),
        Kind::Exists => ("ExistsError", "exists"),
        _ => ("EffigyError", "unknown"),
    };
    let text = if file.is_empty() { error.to_string() } else { format!("{file}: {error}") };
    let details = PyDict::new(py);
    details.set_item("code", code)?;
    details.set_item("offset", error.offset())?;
    details.set_item("line", error.line())?;
    details.set_item("path", error.path())?;
    details.set_item("hint", error.hint_text())?;
    details.set_item("file", (!file.is_empty()).then_some(file))?;
    let class = py.import("pyeffigy.errors")?.getattr(class)?;
    Ok(PyErr::from_value(class.call((text,), Some(&details))?))
}

/// Turns the error of a result into an exception.
pub trait OrRaise<T> {
    /// The value, or the exception for an error about this file.
    fn or_raise(self, py: Python<'_>, file: &str) -> PyResult<T>;
}

impl<T> OrRaise<T> for effigy::Result<T> {
    fn or_raise(self, py: Python<'_>, file: &str) -> PyResult<T> {
        self.map_err(|error| exception(py, &error, file))
    }
}
