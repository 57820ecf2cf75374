//! The documentation lists every command.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::path::Path;

#[test]
fn the_documentation_has_the_table_of_commands() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/viewer.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let table = effigy_view::commands::markdown();
    if std::env::var_os("EFFIGY_UPDATE_DOCS").is_some() {
        let (before, rest) = page.split_once("a test compares them. -->\n\n").unwrap();
        let (_, after) = rest.split_once("## Limits").unwrap();
        let new = format!("{before}a test compares them. -->\n\n{table}\n## Limits{after}");
        std::fs::write(&path, new).unwrap();
        return;
    }
    assert!(
        page.contains(&table),
        "docs/viewer.md is not up to date: `EFFIGY_UPDATE_DOCS=1 cargo test -p effigy-view --test docs` writes it"
    );
}
