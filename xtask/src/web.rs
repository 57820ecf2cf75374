//! `cargo xtask web`: the viewer as a web page.
//!
//! `build` compiles `effigy-web` for browsers and puts the page and the npm package into the target folder; `serve` is a web
//! server for a person; `test` drives the page in a headless Chromium. What they need is found or installed: a standard library
//! for the target ([`crate::wasm`]), wasm-bindgen (`web/bindgen`, built once), and for the last two Node.js and Chromium.

use crate::wasm;
use effigy_testkit::{CORPUS, GLTF_INPUTS, HOSTILE, Shell, TESTED, Task};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

/// What wasm-bindgen names its files after.
const NAME: &str = "effigy_web";
/// Files of the page, and of the npm package; both also have what wasm-bindgen makes.
const PAGE: &[&str] =
    &["index.html", "page.js", "effigy.js", "files.js", "icon.svg", "manifest.webmanifest", "sw.js"];
const PACKAGE: &[&str] = &["effigy.js", "effigy.d.ts", "files.js", "package.json", "README.md"];
/// Where the browser's tests are, with the npm packages that they use.
const TESTS: &str = "web/e2e";
/// Names under which Chromium is found.
const BROWSERS: &[&str] = &["chromium", "chromium-browser", "google-chrome"];

/// Runs `web build`, `serve` or `test`.
pub fn run(shell: &mut Shell, words: &[&str]) -> Task {
    match words {
        ["build"] => {
            let site = build(shell)?;
            shell.print(&format!("{}\n", site.display()));
            Ok(())
        }
        ["serve"] => serve(shell, "8080"),
        ["serve", port] => serve(shell, port),
        ["test", rest @ ..] => {
            crate::setup::node(shell)?;
            browser(shell)?;
            test(shell, rest)
        }
        ["picture"] => {
            crate::setup::node(shell)?;
            browser(shell)?;
            let picture = shell.root().join("docs/images/page.png");
            test(shell, &[&format!("--picture={}", picture.display())])
        }
        _ => Err("web takes build, serve [PORT], test [--only=WORD] [--measure] [--random MINUTES [--seed N]] or picture".to_owned()),
    }
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

fn failed(path: &Path) -> impl Fn(std::io::Error) -> String + '_ {
    move |error| format!("{}: {error}", path.display())
}

fn copy(from: &Path, to: &Path) -> Task {
    std::fs::copy(from, to).map(drop).map_err(failed(from))
}

/// Compiles the module, and puts the page into `target/web/site` and the npm package into `target/web/npm`. Returns the
/// folder of the page.
pub fn build(shell: &Shell) -> Result<PathBuf, String> {
    let module = wasm::module(shell, "effigy-web", NAME)?;
    let tool = bindgen(shell)?;
    let folder = shell.target().join("web");
    // An old file would become a part of the page.
    let _ = std::fs::remove_dir_all(&folder);
    let (site, package) = (folder.join("site"), folder.join("npm"));
    let sources = shell.root().join("web");
    for (to, names) in [(&site, PAGE), (&package, PACKAGE)] {
        std::fs::create_dir_all(to).map_err(failed(to))?;
        for name in names {
            copy(&sources.join(name), &to.join(name))?;
        }
    }
    shell.run(&[&text(&tool), &text(&module), &text(&site), NAME])?;
    for end in [".js", "_bg.wasm"] {
        let name = format!("{NAME}{end}");
        copy(&site.join(&name), &package.join(&name))?;
    }
    for end in [".d.ts", "_bg.wasm.d.ts"] {
        // `effigy.d.ts` describes what people call.
        let path = site.join(format!("{NAME}{end}"));
        std::fs::remove_file(&path).map_err(failed(&path))?;
    }
    for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
        copy(&shell.root().join(licence), &package.join(licence))?;
    }
    worker(&site)?;
    Ok(site)
}

/// Builds the program that makes JavaScript from the module.
fn bindgen(shell: &Shell) -> Result<PathBuf, String> {
    let target = shell.target().join("web-bindgen");
    let manifest = ["--manifest-path", "web/bindgen/Cargo.toml", "--target-dir"];
    shell.run(
        &[&["cargo", "build", "--quiet", "--release", "--locked"], manifest.as_slice(), &[&text(&target)]]
            .concat(),
    )?;
    Ok(target.join("release").join(format!("effigy-web-bindgen{}", std::env::consts::EXE_SUFFIX)))
}

/// Writes the version and the list of files into the service worker. The version is that of the content, so that a browser
/// replaces what it has kept if and only if something has changed.
fn worker(site: &Path) -> Task {
    let mut names: Vec<String> = Vec::new();
    for entry in std::fs::read_dir(site).map_err(failed(site))? {
        names.push(entry.map_err(failed(site))?.file_name().to_string_lossy().into_owned());
    }
    names.retain(|name| name != "sw.js");
    names.sort();
    let mut hasher = DefaultHasher::new();
    for name in &names {
        let path = site.join(name);
        (name, std::fs::read(&path).map_err(failed(&path))?).hash(&mut hasher);
    }
    let path = site.join("sw.js");
    let code = std::fs::read_to_string(&path).map_err(failed(&path))?;
    let code = code
        .replace("@VERSION@", &format!("effigy-{:016x}", hasher.finish()))
        .replace("@FILES@", &names.join(" "));
    std::fs::write(&path, code).map_err(failed(&path))
}

fn serve(shell: &mut Shell, port: &str) -> Task {
    crate::setup::node(shell)?;
    let site = build(shell)?;
    shell.run(&["node", &format!("{TESTS}/serve.mjs"), &text(&site), port])
}

/// The path of Chromium, which is installed if it is missing.
fn browser(shell: &Shell) -> Result<String, String> {
    let found = || {
        let path = |name: &&str| shell.output(&["sh", "-c", &format!("command -v {name}")]).ok();
        BROWSERS.iter().find_map(path).map(|path| path.trim().to_owned())
    };
    if let Some(path) = found() {
        return Ok(path);
    }
    shell.install("chromium")?;
    found().ok_or_else(|| "chromium was installed but is not found".to_owned())
}

/// Runs the tests in the browser, or what `words` say instead.
fn test(shell: &Shell, words: &[&str]) -> Task {
    let site = build(shell)?;
    let program = shell.program("debug", "effigy");
    shell.run(&[["cargo", "build", "--quiet", "--bin", "effigy"].as_slice(), TESTED].concat())?;
    let modules = shell.root().join(TESTS).join("node_modules");
    if !["gltf-validator", "playwright-core"].iter().all(|name| modules.join(name).is_dir()) {
        let install = ["npm", "install", "--prefix", TESTS, "--no-audit", "--no-fund", "--loglevel=error"];
        shell.run(&install)?;
    }
    let out = shell.target().join("web-test");
    let script = format!("{TESTS}/test.mjs");
    let mut options = vec![
        format!("--chromium={}", browser(shell)?),
        format!("--site={}", text(&site)),
        format!("--effigy={}", text(&program)),
        format!("--out={}", text(&out)),
    ];
    for (name, collection) in [("corpus", CORPUS), ("gltf", GLTF_INPUTS), ("hostile", HOSTILE)] {
        match collection.find() {
            Ok(folder) => options.push(format!("--{name}={}", text(&folder))),
            Err(why) => shell.say(&format!("SKIPPED: files of others in the browser: {why}")),
        }
    }
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    shell.run(&[["node", &script].as_slice(), &options, words].concat())
}
