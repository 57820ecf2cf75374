//! `cargo xtask site`: everything for readers and visitors in one folder that any web server can serve.
//!
//! | folder | what is in it |
//! |---|---|
//! | `viewer` | the web page ([`crate::web`]) |
//! | `gallery` | what `effigy demo` writes: models, glTF files and pictures |
//! | `book` | the documentation ([`crate::book`]) |
//! | `api` | the libraries by rustdoc |
//!
//! The front page shows the gallery; a click on a picture opens the model in the viewer. In the end all links are followed.

use crate::{book, package, setup, web};
use effigy_testkit::{Shell, TESTED, Task};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Extensions of models that `effigy demo` writes, in the order in which they are shown.
const MODELS: &[&str] = &["mdx", "m2", "mdc", "mds"];

/// What the games' folders of `effigy demo` are called.
const GAMES: &[(&str, &str)] = &[
    ("warcraft3", "Warcraft III"),
    ("wow-alpha", "World of Warcraft alpha"),
    ("wow", "World of Warcraft"),
    ("wolfenstein", "Return to Castle Wolfenstein"),
];

/// Makes the site in `target/site`.
pub fn run(shell: &mut Shell) -> Task {
    setup::node(shell)?;
    setup::gpu(shell)?;
    let site = shell.target().join("site");
    // An old file would become a part of the site.
    let _ = std::fs::remove_dir_all(&site);
    let page = web::build(shell)?;
    copy_folder(&page, &site.join("viewer"))?;
    gallery(shell, &site)?;
    book::run(shell, &site.join("book"))?;
    api(shell, &site.join("api"))?;
    shell.run(&["node", "web/e2e/links.mjs", &site.display().to_string()])?;
    shell.print(&format!("{}\n", site.display()));
    Ok(())
}

fn failed(path: &Path) -> impl Fn(std::io::Error) -> String + '_ {
    move |error| format!("{}: {error}", path.display())
}

/// What is in a folder, sorted.
pub fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = std::fs::read_dir(folder).map_err(failed(folder))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    Ok(paths)
}

/// Writes a file, and the folders that it is in.
pub fn write(path: &Path, content: impl AsRef<[u8]>) -> Task {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(failed(folder))?;
    }
    std::fs::write(path, content).map_err(failed(path))
}

/// Copies a file or a folder with everything in it.
pub fn copy_folder(from: &Path, to: &Path) -> Task {
    if from.is_file() {
        return write(to, std::fs::read(from).map_err(failed(from))?);
    }
    for path in entries(from)? {
        copy_folder(&path, &to.join(path.file_name().unwrap_or_default()))?;
    }
    Ok(())
}

/// The samples with their pictures, and the front page, which shows them.
fn gallery(shell: &Shell, site: &Path) -> Task {
    shell.run(&[["cargo", "build", "--quiet", "--bin", "effigy"].as_slice(), TESTED].concat())?;
    let folder = site.join("gallery");
    let program = shell.program("debug", "effigy").display().to_string();
    shell.run(&[&program, "demo", &folder.display().to_string(), "--quiet"])?;
    let mut tiles = String::new();
    for (game, title) in GAMES {
        let files = entries(&folder.join(game))?;
        for extension in MODELS {
            for model in files.iter().filter(|path| path.extension().is_some_and(|own| own == *extension)) {
                tiles.push_str(&tile(game, title, model)?);
            }
        }
    }
    let sources = shell.root().join("web/site");
    let read = |name: &str| {
        let path = sources.join(name);
        std::fs::read_to_string(&path).map_err(failed(&path))
    };
    write(&site.join("index.html"), read("index.html")?.replace("@GALLERY@", tiles.trim_end()))?;
    write(&site.join("style.css"), read("style.css")?)
}

/// A picture that opens its model in the viewer.
fn tile(game: &str, title: &str, model: &Path) -> Result<String, String> {
    let picture = model.with_extension("png");
    if !picture.is_file() {
        return Err(format!("{} was not drawn", model.display()));
    }
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let (file, picture) = (name(model), name(&picture));
    let mut text = String::new();
    let _ = writeln!(text, "    <a href=\"viewer/index.html?model=../gallery/{game}/{file}\">");
    let _ = writeln!(text, "      <img src=\"gallery/{game}/{picture}\" alt=\"{file}\" loading=\"lazy\">");
    let _ = writeln!(text, "      {file}<br><small>{title}</small></a>");
    Ok(text)
}

/// The published libraries as rustdoc describes them.
fn api(shell: &Shell, to: &Path) -> Task {
    let made = shell.target().join("doc");
    let _ = std::fs::remove_dir_all(&made);
    let mut words = vec!["cargo", "doc", "--quiet", "--no-deps", "--lib"];
    let crates = package::published(shell)?;
    for one in crates.iter().filter(|one| one.folder.join("src/lib.rs").is_file()) {
        words.extend(["--package", &one.name]);
    }
    shell.run(&words)?;
    copy_folder(&made, to)?;
    // rustdoc links to a first page that it makes for single crates only.
    write(
        &to.join("index.html"),
        "<!doctype html><meta http-equiv=\"refresh\" content=\"0; url=effigy/index.html\">\n",
    )
}
