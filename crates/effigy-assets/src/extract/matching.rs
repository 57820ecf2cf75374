//! Choosing entries of a source by patterns.

use crate::{Entry, Found, Source, name};
use effigy_wire::Result;
use std::sync::Arc;

/// The entries that fit any pattern, and the patterns that fit nothing.
///
/// # Errors
/// When the source cannot be listed.
pub fn matching<'a>(archive: &Arc<dyn Source>, patterns: &'a [String]) -> Result<(Vec<Found>, Vec<&'a str>)> {
    let found = |entry: Entry| Found { source: Arc::clone(archive), entry };
    let entries = archive.list()?;
    if patterns.is_empty() {
        return Ok((entries.into_iter().map(found).collect(), Vec::new()));
    }
    let fits = |pattern: &str, entry: &Entry| {
        name::matches(pattern, &entry.name)
            || name::key(&entry.name).starts_with(&format!("{}/", name::key(pattern)))
    };
    let unused = patterns.iter().map(String::as_str);
    let mut unused: Vec<&str> =
        unused.filter(|pattern| !entries.iter().any(|entry| fits(pattern, entry))).collect();
    let mut picked: Vec<Found> = entries
        .into_iter()
        .filter(|entry| patterns.iter().any(|pattern| fits(pattern, entry)))
        .map(found)
        .collect();
    // A name that is in no list may still be there.
    unused.retain(|pattern| match archive.find(pattern) {
        Some(entry) => {
            picked.push(found(entry));
            false
        }
        None => true,
    });
    Ok((picked, unused))
}
