//! The MDX files of the corpus.

use std::path::PathBuf;

/// Every `.mdx` of the corpus that begins as MDX does, with its bytes. `None` without a corpus: the calling test is then
/// recorded as skipped.
pub fn corpus() -> Option<Vec<(PathBuf, Vec<u8>)>> {
    let mut files = Vec::new();
    for path in effigy_testkit::files(&effigy_testkit::corpus()?, |name| name.ends_with(".mdx")) {
        let bytes = std::fs::read(&path).unwrap();
        if effigy_mdx::sniff(&bytes) {
            files.push((path, bytes));
        }
    }
    Some(files)
}
