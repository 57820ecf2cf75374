//! What differs between two models, field by field.

use crate::Model;
use effigy_wire::Flat;
use std::collections::{BTreeMap, HashMap};

/// A field that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Change {
    /// Its path, such as `SEQS[2].name`.
    pub path: String,
    /// Its value in the first model; null when only the second has it.
    pub a: Option<String>,
    /// Its value in the second model; null when only the first has it.
    pub b: Option<String>,
}

impl Model {
    /// The fields that differ, in the order of this model, then those that only the other has.
    #[must_use]
    pub fn diff(&self, other: &Self) -> Vec<Change> {
        let leaves = |model: &Self| {
            let mut flat = Flat::default();
            model.visit(&mut flat);
            flat.leaves
        };
        compare(leaves(self), leaves(other))
    }
}

/// The changes between two lists of leaves. The same path may occur more than once: first meets first.
fn compare(first: Vec<(String, String)>, second: Vec<(String, String)>) -> Vec<Change> {
    let mut theirs: HashMap<String, BTreeMap<usize, String>> = HashMap::new();
    for (order, (path, value)) in second.into_iter().enumerate() {
        theirs.entry(path).or_default().insert(order, value);
    }
    let mut changes = Vec::new();
    for (path, a) in first {
        match theirs.get_mut(&path).and_then(BTreeMap::pop_first) {
            Some((_, b)) if a == b => {}
            Some((_, b)) => changes.push(Change { path, a: Some(a), b: Some(b) }),
            None => changes.push(Change { path, a: Some(a), b: None }),
        }
    }
    let mut only_theirs: Vec<(usize, String, String)> = theirs
        .into_iter()
        .flat_map(|(path, values)| values.into_iter().map(move |(order, value)| (order, path.clone(), value)))
        .collect();
    only_theirs.sort();
    changes.extend(only_theirs.into_iter().map(|(_, path, b)| Change { path, a: None, b: Some(b) }));
    changes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaves(list: &[(&str, &str)]) -> Vec<(String, String)> {
        list.iter().map(|(path, value)| ((*path).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn finds_what_changed_went_and_came_even_under_the_same_path() {
        let first = leaves(&[("A", "1"), ("A", "2"), ("B", "3"), ("C", "4")]);
        let second = leaves(&[("D", "9"), ("A", "1"), ("A", "5"), ("A", "6"), ("C", "4")]);
        let change = |path: &str, a: Option<&str>, b: Option<&str>| Change {
            path: path.to_owned(),
            a: a.map(str::to_owned),
            b: b.map(str::to_owned),
        };
        assert_eq!(
            compare(first, second),
            [
                change("A", Some("2"), Some("5")),
                change("B", Some("3"), None),
                change("D", None, Some("9")),
                change("A", None, Some("6")),
            ]
        );
    }
}
