//! `cargo xtask gallery`: our pictures next to those of other viewers, from the same camera at the same time.
//!
//! The viewers are mdx-m3-viewer and war3-model (npm), which run in a headless Chromium. `effigy render --json` reports
//! which camera, sequence and time it chose, and the viewers use the same.

use crate::{packages, script};
use effigy_testkit::{Shell, Task, files, find_corpus};

const FOLDER: &str = "target/gallery";
/// Names under which Chromium is found.
const BROWSERS: &[&str] = &["chromium", "chromium-browser", "google-chrome"];

/// Renders all Warcraft III models that have textures, with Effigy and with the viewers, and writes contact sheets.
pub fn run(shell: &Shell) -> Task {
    let Some(corpus) = find_corpus() else { return Err("there is no corpus (set EFFIGY_CORPUS)".to_owned()) };
    packages(shell)?;
    let browser = browser(shell)?;
    let models = files(&corpus.join("textured"), |name| name.ends_with(".mdx"));
    let models: Vec<String> = models.iter().map(|path| path.display().to_string()).collect();
    shell.run(&["cargo", "build", "--release", "--quiet", "--package", "effigy-cli"])?;
    let program = shell.program("release", "effigy").display().to_string();
    let ours = format!("{FOLDER}/effigy");
    let mut words =
        vec![program.as_str(), "render", "-o", &ours, "--json", "--force", "--background", "#404040"];
    words.extend(models.iter().map(String::as_str));
    let list = shell.output(&words)?;
    let path = format!("{FOLDER}/list.ndjson");
    std::fs::write(shell.root().join(&path), list).map_err(|error| format!("{path}: {error}"))?;
    shell.run(&["node", &script("gallery.mjs"), &browser, &path, FOLDER])
}

/// The path of Chromium, which is installed if it is missing.
fn browser(shell: &Shell) -> Result<String, String> {
    let found = || {
        let answer = |name: &&&str| shell.succeeds(&[name, "--version"]);
        let name = BROWSERS.iter().find(answer)?;
        shell.output(&["which", name]).ok().map(|path| path.trim().to_owned())
    };
    if let Some(path) = found() {
        return Ok(path);
    }
    shell.install("chromium")?;
    found().ok_or_else(|| "chromium was installed but does not start".to_owned())
}
