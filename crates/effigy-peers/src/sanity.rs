//! What the sanity test of mdx-m3-viewer calls an error must be found by `effigy check` or be explained in docs/checks.md.

use crate::{built, empty, script};
use effigy_testkit::{Shell, Task};
use std::path::Path;

/// Checks all MDX files of the corpus with both and compares the findings.
pub fn run(shell: &Shell, corpus: &Path) -> Task {
    let folder = empty(shell, "sanity")?;
    let models = corpus.display().to_string();
    let theirs = shell.output(&["node", &script("sanity.mjs"), &models])?;
    let pattern = format!("{models}/**/*.mdx");
    let program = built(shell, "debug", "effigy")?;
    // The corpus has broken models, for which the command exits with 1.
    let (code, ours) = shell.code_and_output(&[&program, "check", "--json", "--quiet", &pattern])?;
    if code > 1 {
        return Err(format!("effigy check failed (exit code {code})"));
    }
    let keep = |name: &str, text: &str| {
        let name = format!("{folder}/{name}");
        std::fs::write(shell.root().join(&name), text).map_err(|error| format!("{name}: {error}"))?;
        Ok::<_, String>(name)
    };
    let (theirs, ours) = (keep("theirs.ndjson", &theirs)?, keep("ours.ndjson", &ours)?);
    shell.run(&["node", &script("sanity-compare.mjs"), &theirs, &ours, "docs/checks.md"])
}
