//! Fields by the path that `dump` prints.

use crate::Done;
use effigy_wire::{Error, Json, Result, Tree, Visitor, push_string};

/// A step of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step<'a> {
    Name(&'a str),
    Index(usize),
    /// `[*]`: every element.
    Every,
}

pub(crate) fn unknown(path: &str) -> Error {
    Error::usage(format!("there is no field {path}")).hint("`effigy dump` prints the paths")
}

/// Sets a field of a model that can be built from the tree of all its fields.
///
/// # Errors
/// When there is no such field, the value does not fit it, or the field follows from others.
pub(crate) fn set<M>(
    model: &mut M,
    path: &str,
    value: &str,
    visit: impl Fn(&M, &mut dyn Visitor),
    build: impl FnOnce(Tree<'_>) -> Result<M>,
) -> Result<Done> {
    let dump = |model: &M| {
        let mut json = Json::new(false);
        visit(model, &mut json);
        json.into_text()
    };
    let before = dump(model);
    let old = Tree::of(Tree::parse(&before)?);
    let mut tree = old.clone();
    let changed = change(&mut tree, &steps(path)?, value)?;
    if changed == 0 {
        return Err(unknown(path));
    }
    let asked = tree != old;
    let made = build(tree)?;
    if asked && dump(&made) == before {
        let text = format!("{path} follows from the rest of the model and cannot be set");
        return Err(Error::usage(text).hint("counts and offsets are those of the lists"));
    }
    *model = made;
    Ok(Done::exactly(changed))
}

pub(crate) fn steps(path: &str) -> Result<Vec<Step<'_>>> {
    let wrong = || Error::usage(format!("'{path}' is not a path")).hint("a path looks like SEQS[2].name");
    let mut steps = Vec::new();
    for name in path.split('.') {
        let mut pieces = name.split('[');
        if let Some(name) = pieces.next().filter(|name| !name.is_empty()) {
            steps.push(Step::Name(name));
        }
        for piece in pieces {
            let index = piece.strip_suffix(']').ok_or_else(wrong)?;
            steps.push(match index {
                "*" => Step::Every,
                _ => Step::Index(index.parse().map_err(|_| wrong())?),
            });
        }
    }
    Ok(steps)
}

/// Changes the value at the end of the path in every part that fits; returns how many there were.
pub(crate) fn change(tree: &mut Tree<'_>, steps: &[Step<'_>], value: &str) -> Result<usize> {
    if let Some(raw) = tree.value.as_deref() {
        let new = replaced(raw, steps, value)?;
        return Ok(match new {
            Some(new) => {
                tree.value = Some(new.into());
                1
            }
            None => 0,
        });
    }
    let Some((step, rest)) = steps.split_first() else {
        let parts: Vec<&str> = tree.parts.iter().map(|part| &*part.name).collect();
        return Err(Error::usage("the path names a record and not a field")
            .hint(format!("its parts are {}", parts.join(", "))));
    };
    let mut changed = 0;
    for part in &mut tree.parts {
        let fits = match step {
            Step::Name(name) => part.name == *name,
            Step::Index(index) => part.index == Some(*index),
            Step::Every => part.index.is_some(),
        };
        if fits {
            changed += change(part, rest, value)?;
        }
    }
    Ok(changed)
}

/// The JSON text of a value, or of a list with one of its elements, replaced; `None` when there is no such element.
fn replaced(raw: &str, steps: &[Step<'_>], value: &str) -> Result<Option<String>> {
    let Some((step, rest)) = steps.split_first() else { return json(raw, value).map(Some) };
    let Some(inner) = raw.trim().strip_prefix('[').and_then(|raw| raw.strip_suffix(']')) else {
        return Err(Error::usage("the path goes on below a value that is not a list"));
    };
    let elements = elements(inner);
    let mut found = false;
    let mut list: Vec<String> = Vec::with_capacity(elements.len());
    for (index, element) in elements.into_iter().enumerate() {
        let fits = match step {
            Step::Name(_) => false,
            Step::Index(wanted) => *wanted == index,
            Step::Every => true,
        };
        list.push(match fits {
            true => match replaced(element, rest, value)? {
                Some(new) => {
                    found = true;
                    new
                }
                None => element.to_owned(),
            },
            false => element.to_owned(),
        });
    }
    Ok(found.then(|| format!("[{}]", list.join(","))))
}

/// The elements of a list without its brackets.
fn elements(inner: &str) -> Vec<&str> {
    let mut depth = 0_usize;
    let elements = inner.split(|letter| {
        match letter {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        letter == ',' && depth == 0
    });
    elements.map(str::trim).filter(|element| !element.is_empty()).collect()
}

/// A value as JSON, of the kind that is there: text stays text, and a list stays a list.
fn json(old: &str, value: &str) -> Result<String> {
    let mut quoted = String::new();
    push_string(&mut quoted, value);
    let old = old.trim();
    let is_text =
        old.starts_with(['"', '{']) && !matches!(old, "\"inf\"" | "\"-inf\"") && !old.starts_with("\"NaN");
    if is_text {
        return Ok(quoted);
    }
    let value = value.trim();
    if old.starts_with('[') {
        let list = if value.starts_with('[') { value.to_owned() } else { format!("[{value}]") };
        return Ok(list);
    }
    let hexadecimal = value.strip_prefix("0x").and_then(|digits| u32::from_str_radix(digits, 16).ok());
    if let Some(number) = hexadecimal {
        return Ok(number.to_string());
    }
    match value.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(value.trim_start_matches('+').to_owned()),
        _ => Ok(quoted),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_cut_into_steps() {
        let expected =
            [Step::Name("GEOS"), Step::Index(0), Step::Name("vertices"), Step::Every, Step::Index(2)];
        assert_eq!(steps("GEOS[0].vertices[*][2]").unwrap(), expected);
        assert!(steps("GEOS[x]").is_err());
        assert!(steps("GEOS[1").is_err());
    }

    #[test]
    fn an_element_of_a_list_is_replaced() {
        let steps = [Step::Index(1), Step::Index(0)];
        assert_eq!(replaced("[[1,2],[3,4]]", &steps, "9").unwrap().unwrap(), "[[1,2],[9,4]]");
        assert_eq!(replaced("[1,2]", &[Step::Every], "0").unwrap().unwrap(), "[0,0]");
        assert_eq!(replaced("[1,2]", &[Step::Index(2)], "0").unwrap(), None);
        assert!(replaced("3", &[Step::Index(0)], "0").is_err());
    }
}
