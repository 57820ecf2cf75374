//! What differs between two models.

use crate::Change;
use schemars::JsonSchema;
use serde::Serialize;

/// What `effigy diff --json` prints.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Diff {
    /// The first model; null where only the second folder has it.
    pub a: Option<String>,
    /// The second model; null where only the first folder has it.
    pub b: Option<String>,
    /// Whether every field is the same.
    pub same: bool,
    /// The fields that differ, in the order of the first model, then those that only the second has.
    pub changes: Vec<ChangeLine>,
}

/// A field that differs.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ChangeLine {
    /// Its path, such as `SEQS[2].name`.
    pub path: String,
    /// Its value in the first model: a number, text or a list; null when only the second has it.
    pub a: Option<serde_json::Value>,
    /// Its value in the second model; null when only the first has it.
    pub b: Option<serde_json::Value>,
}

impl From<Change> for ChangeLine {
    fn from(Change { path, a, b }: Change) -> Self {
        Self { path, a: a.map(|a| value(&a)), b: b.map(|b| value(&b)) }
    }
}

/// A printed value as JSON: what reads as JSON is that, anything else text, without the quotation marks of text.
fn value(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap_or_else(|_| {
        let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
        inner.unwrap_or(text).into()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_json_and_not_quoted_twice() {
        assert_eq!(value("1.5"), serde_json::json!(1.5));
        assert_eq!(value("[1, 2]"), serde_json::json!([1, 2]));
        assert_eq!(value("\"Stand\""), serde_json::json!("Stand"));
        assert_eq!(value("\"a\\u{e9}\""), serde_json::json!("a\\u{e9}"));
        assert_eq!(value("NaN"), serde_json::json!("NaN"));
    }
}
