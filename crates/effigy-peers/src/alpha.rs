//! Models of World of Warcraft alpha: what wow-mdx-viewer reads, field by field.
//!
//! Its parser was written for these files, independently of ours. It is not a package of npm: the comparison needs a copy of the
//! repository barncastle/wow-mdx-viewer, named by `EFFIGY_WOW_MDX_VIEWER`. The samples and, where there is one, an original
//! model are compared. What the viewer reads wrongly is a table in `js/alpha.mjs`.

use crate::{built, empty, script};
use effigy_testkit::{Shell, Task, find_corpus, require};

/// The environment variable that names the copy of the viewer.
const CHECKOUT: &str = "EFFIGY_WOW_MDX_VIEWER";

/// Writes the fields of all alpha models and has them compared.
pub fn run(shell: &Shell) -> Task {
    let checkout = std::env::var(CHECKOUT).unwrap_or_default();
    let why = "no copy of wow-mdx-viewer (set EFFIGY_WOW_MDX_VIEWER)";
    if !require("wow-mdx-viewer", !checkout.is_empty(), why) {
        return Ok(());
    }
    let folder = empty(shell, "alpha")?;
    let program = built(shell, "debug/examples", "alpha_fields")?;
    let original = find_corpus().map(|corpus| corpus.join("../alpha/Boar.mdx")).filter(|path| path.is_file());
    require("alpha", original.is_some(), "no original model of World of Warcraft alpha");
    let original = original.map(|path| path.display().to_string());
    let mut words = vec![program.as_str(), &folder];
    words.extend(original.as_deref());
    shell.run(&words)?;
    shell.run(&["node", &script("alpha.mjs"), &checkout, &folder])
}
