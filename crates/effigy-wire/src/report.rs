//! Conversion reports: what a conversion lost or changed. A conversion without a report entry lost nothing.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;

/// What happened to a part of a model in a conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// It has no place of its own in the target and is kept aside (extras, comments).
    KeptAside,
    /// It was computed from other data (lookup tables, bounds).
    Rebuilt,
    /// It was converted, but not exactly.
    Approximated,
    /// It was lost.
    Dropped,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::KeptAside => "kept aside",
            Self::Rebuilt => "rebuilt",
            Self::Approximated => "approximated",
            Self::Dropped => "dropped",
        })
    }
}

/// One line of a [`Report`].
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// What happened to it.
    pub outcome: Outcome,
    /// Where it is in the source model, such as `MTLS[2].layers[0].fresnel_color`.
    pub path: String,
    /// Details, and why.
    pub message: Cow<'static, str>,
}

/// What a conversion kept aside, rebuilt, approximated and dropped. When it is empty, everything was converted exactly.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    notes: Vec<Note>,
}

impl Report {
    /// Adds a line.
    pub fn add(&mut self, outcome: Outcome, path: impl Into<String>, message: impl Into<Cow<'static, str>>) {
        self.notes.push(Note { outcome, path: path.into(), message: message.into() });
    }

    /// Adds something that was lost.
    pub fn dropped(&mut self, path: impl Into<String>, message: impl Into<Cow<'static, str>>) {
        self.add(Outcome::Dropped, path, message);
    }

    /// Adds something that was converted, but not exactly.
    pub fn approximated(&mut self, path: impl Into<String>, message: impl Into<Cow<'static, str>>) {
        self.add(Outcome::Approximated, path, message);
    }

    /// Adds something that was computed from other data.
    pub fn rebuilt(&mut self, path: impl Into<String>, message: impl Into<Cow<'static, str>>) {
        self.add(Outcome::Rebuilt, path, message);
    }

    /// All lines, in the order in which they were added.
    #[must_use]
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// The lines with equal ones together: the first of each kind, and how many more there are.
    #[must_use]
    pub fn grouped(&self) -> Vec<(&Note, usize)> {
        let mut groups: Vec<(&Note, usize)> = Vec::new();
        let mut known: HashMap<(Outcome, &str), usize> = HashMap::new();
        for note in &self.notes {
            let place = *known.entry((note.outcome, &note.message)).or_insert(groups.len());
            match groups.get_mut(place) {
                Some((_, more)) => *more += 1,
                None => groups.push((note, 0)),
            }
        }
        groups
    }

    /// Whether everything was converted exactly.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.notes.is_empty()
    }

    /// Whether anything was approximated or dropped: what `--strict` refuses.
    #[must_use]
    pub fn is_lossy(&self) -> bool {
        self.notes.iter().any(|note| note.outcome >= Outcome::Approximated)
    }

    /// Appends the lines of another report.
    pub fn append(&mut self, mut other: Self) {
        self.notes.append(&mut other.notes);
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for note in &self.notes {
            writeln!(f, "{:<12}  {}: {}", note.outcome, note.path, note.message)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_notes_are_grouped_in_the_order_of_the_first() {
        let mut report = Report::default();
        report.dropped("GEOS[0].name", "no names");
        report.approximated("GEOS[0].skin", "rounded");
        report.dropped("GEOS[1].name", "no names");
        report.approximated("GEOS[1].name", "no names");
        report.dropped("GEOS[2].name", "no names");
        let groups = report.grouped();
        let found: Vec<(&str, usize)> =
            groups.iter().map(|(note, more)| (note.path.as_str(), *more)).collect();
        assert_eq!(found, [("GEOS[0].name", 2), ("GEOS[0].skin", 0), ("GEOS[1].name", 0)]);
    }
}
