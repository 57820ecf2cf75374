//! `cargo xtask dist`: what people download, for the platform that it runs on. An archive with the program, its manual pages,
//! completions, files for desktops, licences and README; and a Debian package where `dpkg-deb` is there.
//!
//! The archive has the folders of a prefix such as `/usr/local`, so that unpacking it there installs it. It is then
//! unpacked into an empty folder, and the program in it is run without anything else of the project.

use effigy_testkit::{Shell, Task};
use std::path::{Path, PathBuf};

/// The shells whose completion scripts are included, with the places where they look for them.
const SHELLS: [(&str, &str); 3] = [
    ("bash", "share/bash-completion/completions/effigy"),
    ("fish", "share/fish/vendor_completions.d/effigy.fish"),
    ("zsh", "share/zsh/site-functions/_effigy"),
];

/// Files of the project, and their places below the prefix.
const FILES: [(&str, &str); 6] = [
    ("packaging/applications/effigy.desktop", "share/applications/effigy.desktop"),
    ("packaging/mime/effigy.xml", "share/mime/packages/effigy.xml"),
    ("packaging/thumbnailers/effigy.thumbnailer", "share/thumbnailers/effigy.thumbnailer"),
    ("LICENSE-APACHE", "share/doc/effigy/LICENSE-APACHE"),
    ("LICENSE-MIT", "share/doc/effigy/LICENSE-MIT"),
    ("README.md", "share/doc/effigy/README.md"),
];

/// Builds, packs and tries everything.
pub fn run(shell: &Shell) -> Task {
    shell.run(&["cargo", "build", "--release", "--locked", "--package", "effigy-cli"])?;
    let program = shell.program("release", "effigy");
    let version = version(shell)?;
    let name = format!("effigy-{version}-{}-{}", std::env::consts::ARCH, std::env::consts::OS);
    let dist = shell.target().join("dist");
    let prefix = dist.join(&name);
    let _ = std::fs::remove_dir_all(&prefix);
    fill(shell, &program, &prefix)?;
    let archive = format!("{name}.tar.gz");
    // The same files make the same archive.
    let tar = ["--sort=name", "--mtime=@0", "--owner=0", "--group=0", "--numeric-owner"];
    let words =
        ["tar", "--create", "--gzip", "--file", &text(&dist.join(&archive)), "--directory", &text(&dist)]
            .map(str::to_owned);
    let words: Vec<&str> = words.iter().map(String::as_str).chain(tar).chain([name.as_str()]).collect();
    shell.run(&words)?;
    try_archive(shell, &dist.join(&archive), &name)?;
    shell.print(&format!("{}\n", dist.join(&archive).display()));
    if shell.succeeds(&["dpkg-deb", "--version"]) {
        shell.print(&format!("{}\n", debian(shell, &prefix, &dist, &version)?.display()));
    }
    Ok(())
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

/// The version of all crates.
fn version(shell: &Shell) -> Result<String, String> {
    let manifest =
        std::fs::read_to_string(shell.root().join("Cargo.toml")).map_err(|error| error.to_string())?;
    let line = manifest.lines().find_map(|line| line.strip_prefix("version = \""));
    let version = line.and_then(|rest| rest.split('"').next());
    version.map(str::to_owned).ok_or_else(|| "Cargo.toml states no version".to_owned())
}

fn copy(from: &Path, to: &Path) -> Task {
    let failed = |error: std::io::Error| format!("{}: {error}", to.display());
    std::fs::create_dir_all(to.parent().unwrap_or(to)).map_err(failed)?;
    std::fs::copy(from, to).map(|_| ()).map_err(|error| format!("{}: {error}", from.display()))
}

/// Puts everything in its place below a prefix.
fn fill(shell: &Shell, program: &Path, prefix: &Path) -> Task {
    copy(program, &prefix.join("bin").join(format!("effigy{}", std::env::consts::EXE_SUFFIX)))?;
    for (from, to) in FILES {
        copy(&shell.root().join(from), &prefix.join(to))?;
    }
    for (name, place) in SHELLS {
        let script = shell.output(&[&text(program), "completions", name])?;
        let place = prefix.join(place);
        let failed = |error: std::io::Error| format!("{}: {error}", place.display());
        std::fs::create_dir_all(place.parent().unwrap_or(prefix)).map_err(failed)?;
        std::fs::write(&place, script).map_err(failed)?;
    }
    let pages = prefix.join("share/man/man1");
    std::fs::create_dir_all(&pages).map_err(|error| format!("{}: {error}", pages.display()))?;
    shell.run(&[&text(program), "man", "--quiet", "--output", &text(&pages)])
}

/// Unpacks the archive into an empty folder and runs the program in it: the samples are written, checked and converted.
fn try_archive(shell: &Shell, archive: &Path, name: &str) -> Task {
    let folder = std::env::temp_dir().join(format!("effigy-dist-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let tried = try_in(shell, archive, name, &folder);
    let _ = std::fs::remove_dir_all(&folder);
    tried
}

fn try_in(shell: &Shell, archive: &Path, name: &str, folder: &Path) -> Task {
    shell.run(&["tar", "--extract", "--file", &text(archive), "--directory", &text(folder)])?;
    let program = text(&folder.join(name).join("bin").join("effigy"));
    let demo = text(&folder.join("demo"));
    let (out, version) = (text(&folder.join("out")), shell.output(&[&program, "--version"])?);
    if !version.starts_with("effigy ") {
        return Err(format!("the program in the archive says '{}'", version.trim()));
    }
    shell.run(&[&program, "--quiet", "demo", &demo])?;
    shell.run(&[&program, "--quiet", "verify", &demo])?;
    shell.run(&[&program, "--quiet", "convert", &demo, "--to", "glb", "-o", &out])?;
    for page in ["effigy.1", "effigy-convert.1"] {
        let page = folder.join(name).join("share/man/man1").join(page);
        if !page.is_file() {
            return Err(format!("{} is missing", page.display()));
        }
    }
    Ok(())
}

/// A Debian package of what the prefix holds.
fn debian(shell: &Shell, prefix: &Path, dist: &Path, version: &str) -> Result<PathBuf, String> {
    let architecture = shell.output(&["dpkg", "--print-architecture"])?.trim().to_owned();
    let root = dist.join("deb");
    let _ = std::fs::remove_dir_all(&root);
    std::fs::create_dir_all(root.join("DEBIAN")).map_err(|error| format!("{}: {error}", root.display()))?;
    shell.run(&["cp", "--recursive", &text(prefix), &text(&root.join("usr"))])?;
    // The program needs at least the C library that it was linked with.
    let libc = shell.output(&["dpkg-query", "--show", "--showformat=${Version}", "libc6"])?;
    let libc = libc.split('-').next().unwrap_or_default();
    let control = format!(
        "Package: effigy\nVersion: {version}\nArchitecture: {architecture}\nMaintainer: The Effigy authors\n\
         Section: graphics\nPriority: optional\nDepends: libc6 (>= {libc})\nRecommends: mesa-vulkan-drivers\n\
         Description: toolkit for classic game models\n \
         Opens, explains, checks, repairs, draws and converts models of Warcraft III, World of\n \
         Warcraft, Return to Castle Wolfenstein and Enemy Territory.\n"
    );
    std::fs::write(root.join("DEBIAN/control"), control).map_err(|error| error.to_string())?;
    let package = dist.join(format!("effigy_{version}_{architecture}.deb"));
    shell.run(&["dpkg-deb", "--root-owner-group", "--build", &text(&root), &text(&package)])?;
    let files = shell.output(&["dpkg-deb", "--contents", &text(&package)])?;
    match files.contains("./usr/bin/effigy") {
        true => Ok(package),
        false => Err("the Debian package has no ./usr/bin/effigy".to_owned()),
    }
}
