//! Operations from a TOML file, for edits that are made more than once.

use crate::Operation;
use effigy_wire::{Error, Result};

/// The operations of a script, in order: a list of `[[edit]]` tables with one operation each.
///
/// ```
/// let operations = effigy_edit::script(r#"
///     [[edit]]
///     texture-path = '^Textures\\(.*)=war3mapImported\$1'
///
///     [[edit]]
///     scale = 1.5
/// "#)?;
/// assert_eq!(operations.len(), 2);
/// # Ok::<(), effigy_wire::Error>(())
/// ```
///
/// # Errors
/// When the text is not TOML, or an operation is not known.
pub fn script(text: &str) -> Result<Vec<Operation>> {
    let wrong = |message: String| Error::usage(format!("the script: {message}"));
    let table: toml::Table = text.parse().map_err(|error| wrong(format!("{error}")))?;
    if let Some(other) = table.keys().find(|key| *key != "edit") {
        return Err(wrong(format!("'{other}' is not known")).hint("a script is a list of [[edit]] tables"));
    }
    let edits = match table.get("edit") {
        Some(toml::Value::Array(edits)) => edits.as_slice(),
        None => &[],
        Some(_) => return Err(wrong("'edit' is not a list".to_owned()).hint("write [[edit]]")),
    };
    edits
        .iter()
        .map(|edit| {
            let mut verbs = edit.as_table().into_iter().flatten();
            let (Some((verb, argument)), None) = (verbs.next(), verbs.next()) else {
                return Err(wrong("each [[edit]] has one operation".to_owned()));
            };
            let argument = match argument {
                toml::Value::String(text) => text.clone(),
                toml::Value::Integer(number) => number.to_string(),
                toml::Value::Float(number) => number.to_string(),
                _ => return Err(wrong(format!("the argument of '{verb}' is not text or a number"))),
            };
            Operation::parse(verb, &argument)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_that_is_wrong_is_refused() {
        assert!(script("").unwrap().is_empty());
        for wrong in [
            "edit = 3",
            "[[edits]]\nscale = 1",
            "[[edit]]\nscale = 1\nrotate = 2",
            "[[edit]]\nscale = true",
            "[[edit]]\npaint = 'red'",
            "[[edit]",
        ] {
            assert!(script(wrong).is_err(), "{wrong}");
        }
    }
}
