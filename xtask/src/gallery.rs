//! `cargo xtask gallery`: our pictures beside those of other viewers, from the same camera at the same time.
//!
//! The viewers are mdx-m3-viewer and war3-model (npm), drawn live in a headless Chromium. `effigy render --json` says
//! which camera, sequence and time it took, and the viewers take the same.

use crate::files::models;
use crate::peers::{corpus, packages};
use crate::shell::{Shell, Task};
use crate::test::install;

const FOLDER: &str = "target/gallery";
const PAGE: &str = "xtask/js/gallery.mjs";
/// Names under which Chromium is found.
const BROWSERS: &[&str] = &["chromium", "chromium-browser", "google-chrome"];

/// Draws all Warcraft III models with textures, ours and theirs, and lays the pictures side by side.
pub fn run(shell: &Shell) -> Task {
    let Some(corpus) = corpus(shell) else { return Err("there is no corpus (set EFFIGY_CORPUS)".to_owned()) };
    packages(shell)?;
    let browser = browser(shell)?;
    let models: Vec<String> =
        models(&corpus.join("textured")).iter().map(|path| path.display().to_string()).collect();
    shell.run(&["cargo", "build", "--release", "--quiet", "--package", "effigy-cli"])?;
    let program = shell.program("release", "effigy").display().to_string();
    let ours = format!("{FOLDER}/effigy");
    let mut words =
        vec![program.as_str(), "render", "-o", &ours, "--json", "--force", "--background", "#404040"];
    words.extend(models.iter().map(String::as_str));
    let list = shell.output(&words)?;
    let path = format!("{FOLDER}/list.ndjson");
    std::fs::write(shell.root().join(&path), list).map_err(|error| format!("{path}: {error}"))?;
    shell.run(&["node", PAGE, &browser, &path, FOLDER])
}

/// Chromium, installed where it is missing.
fn browser(shell: &Shell) -> Result<String, String> {
    let found = || {
        let answer = |name: &&&str| shell.succeeds(&[name, "--version"]);
        let name = BROWSERS.iter().find(answer)?;
        shell.output(&["which", name]).ok().map(|path| path.trim().to_owned())
    };
    if let Some(path) = found() {
        return Ok(path);
    }
    install(shell, "chromium", &["false"])?;
    found().ok_or_else(|| "chromium was installed but does not start".to_owned())
}
