//! `cargo xtask gallery`: our pictures as users see them, and next to those of other viewers from the same camera at the
//! same time.
//!
//! The viewers are mdx-m3-viewer and war3-model (npm), which run in a headless Chromium. `effigy render --json` reports
//! which camera, sequence and time it chose, and the viewers use the same.

use crate::{packages, script, validator};
use effigy_testkit::{Shell, Task, files, find_corpus};
use std::path::Path;

const FOLDER: &str = "target/gallery";
/// Names under which Chromium is found.
const BROWSERS: &[&str] = &["chromium", "chromium-browser", "google-chrome"];

/// Models on one page.
const PAGE: usize = 30;
/// Extensions of models.
const MODELS: [&str; 5] = ["mdx", "mdl", "m2", "mdc", "md3"];

/// A part of the gallery: its name, and what draws it.
type Part = (&'static str, fn(&Shell, &Path) -> Task);

const PARTS: [Part; 3] = [("users", as_users_see_it), ("viewers", next_to_viewers), ("three.js", exported)];

/// Draws all models that have textures as users see them, without any option; then all of Warcraft III with Effigy and with
/// the viewers; then all models next to their exported files in three.js. Writes contact sheets. `only` names the parts to draw;
/// without any, all are drawn.
pub fn run(shell: &Shell, only: &[&str]) -> Task {
    if let Some(unknown) = only.iter().find(|name| !PARTS.iter().any(|(known, _)| known == *name)) {
        let known = PARTS.map(|(name, _)| name).join(", ");
        return Err(format!("the gallery has no part '{unknown}', only {known}"));
    }
    let Some(corpus) = find_corpus() else { return Err("there is no corpus (set EFFIGY_CORPUS)".to_owned()) };
    shell.run(&["cargo", "build", "--release", "--quiet", "--package", "effigy-cli"])?;
    std::fs::create_dir_all(shell.root().join(FOLDER)).map_err(|error| format!("{FOLDER}: {error}"))?;
    for (_, draw) in PARTS.iter().filter(|(name, _)| only.is_empty() || only.contains(name)) {
        draw(shell, &corpus.join("textured"))?;
    }
    Ok(())
}

/// The path of the program that draws.
fn program(shell: &Shell) -> String {
    shell.program("release", "effigy").display().to_string()
}

/// Models of Warcraft III by Effigy and by the viewers.
fn next_to_viewers(shell: &Shell, textured: &Path) -> Task {
    packages(shell)?;
    let browser = browser(shell)?;
    let models = files(textured, |name| name.ends_with(".mdx"));
    let models: Vec<String> = models.iter().map(|path| path.display().to_string()).collect();
    let (program, ours) = (program(shell), format!("{FOLDER}/effigy"));
    let mut words =
        vec![program.as_str(), "render", "-o", &ours, "--json", "--force", "--background", "#404040"];
    words.extend(models.iter().map(String::as_str));
    let list = shell.output(&words)?;
    let path = format!("{FOLDER}/list.ndjson");
    std::fs::write(shell.root().join(&path), list).map_err(|error| format!("{path}: {error}"))?;
    shell.run(&["node", &script("gallery.mjs"), &browser, &path, FOLDER])
}

/// The page "glTF in three.js": every model with textures as Effigy draws it, and its .glb as three.js does.
fn exported(shell: &Shell, textured: &Path) -> Task {
    packages(shell)?;
    let (program, browser) = (program(shell), browser(shell)?);
    let models = files(textured, is_model);
    let models: Vec<String> = models
        .iter()
        .filter(|path| !validator::is_m2(path) || !validator::lacks_skin(path))
        .map(|path| path.display().to_string())
        .collect();
    let (glb, ours, list) =
        (format!("{FOLDER}/glb/"), format!("{FOLDER}/for-three.js"), format!("{FOLDER}/gltf.ndjson"));
    let mut words = vec![
        &program,
        "render",
        "-o",
        &ours,
        "--json",
        "--force",
        "--background",
        "#404040",
        "--size",
        "320",
    ];
    words.extend(models.iter().map(String::as_str));
    let text = shell.output(&words)?;
    std::fs::write(shell.root().join(&list), text).map_err(|error| format!("{list}: {error}"))?;
    let folder = textured.display().to_string();
    let code =
        shell.code(&[&program, "convert", &folder, "--to", "glb", "-o", &glb, "--force", "--quiet"])?;
    if code > 1 {
        return Err(format!("effigy convert failed (exit code {code})"));
    }
    shell.run(&["node", &script("three-gallery.mjs"), &browser, &list, &glb, FOLDER])
}

fn is_model(name: &str) -> bool {
    let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_lowercase());
    extension.is_some_and(|extension| MODELS.contains(&extension.as_str()))
}

/// Pages with all models at their defaults: `users-1.png` and so on.
fn as_users_see_it(shell: &Shell, folder: &Path) -> Task {
    let program = program(shell);
    let models: Vec<String> = files(folder, is_model).iter().map(|path| path.display().to_string()).collect();
    for (number, page) in (1..).zip(models.chunks(PAGE)) {
        let output = format!("{FOLDER}/users-{number}.png");
        let mut words =
            vec![program.as_str(), "render", "-o", &output, "--sheet", "--size", "256", "--force", "--quiet"];
        words.extend(page.iter().map(String::as_str));
        // A model without its companion files is reported, and is not on the page.
        if !shell.succeeds(&words) && !shell.root().join(&output).is_file() {
            return Err(format!("{output} was not drawn"));
        }
    }
    Ok(())
}

/// The path of Chromium, which is installed if it is missing.
pub(crate) fn browser(shell: &Shell) -> Result<String, String> {
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
