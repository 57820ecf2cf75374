//! Node matrices compared with those of mdx-m3-viewer: every difference must have a known reason.
//!
//! Some reasons are tested, by changing that one thing and computing again: rotations whose length is not 1, keys out of
//! order, both at once, and nodes that inherit neither rotation nor scale. Others are only recognised by flags, because the
//! viewer's answer cannot be used: nodes at or below those that do not inherit translation, and nodes that do not inherit
//! rotation or scale below a scale that is zero or differs by axis.

use crate::{empty, export, script};
use effigy_testkit::{Shell, Task};
use std::path::Path;

/// Samples all models of the corpus whose version the viewer supports.
pub fn run(shell: &Shell, corpus: &Path) -> Task {
    let parts = ["mdx-800", "mdx-900", "mdx-1000", "textured"];
    let parts = parts.map(|part| corpus.join(part).display().to_string());
    let folder = empty(shell, "nodes")?;
    let mut words = vec![folder.as_str()];
    words.extend(parts.iter().map(String::as_str));
    words.push("--nodes");
    export(shell, &words)?;
    shell.run(&["node", &script("oracle.mjs"), &folder])
}
