//! The documentation as web pages: every Markdown file of the project, with a list of all of them on the left.
//!
//! rustdoc turns a Markdown file into a page in a few milliseconds, and is there wherever Rust is; mdBook 0.5 would be 189 crates to
//! compile. The pages lie as the files do, so that links between them only change their extension. Other files that a page
//! links to are copied.

use crate::site::{copy_folder, entries, write};
use effigy_testkit::{Shell, Task};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Component, Path, PathBuf};

/// Pages outside of `docs`: the first ones, and the last ones.
const FIRST: &[&str] = &["README.md"];
const LAST: &[&str] = &[
    "python/README.md",
    "blender/README.md",
    "web/README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
];

/// A page: its path below the project's root, and its title.
struct Page {
    path: String,
    title: String,
}

impl Page {
    fn new(shell: &Shell, path: &str) -> Result<Self, String> {
        let file = shell.root().join(path);
        let text = std::fs::read_to_string(&file).map_err(|error| format!("{path}: {error}"))?;
        let title = text.lines().next().and_then(|line| line.strip_prefix("# "));
        let title = title.ok_or_else(|| format!("{path}: the first line is not a title"))?.replace('`', "");
        Ok(Self { path: path.to_owned(), title })
    }

    fn address(&self) -> String {
        page_address(&self.path)
    }
}

/// Where the page of a Markdown file is.
fn page_address(path: &str) -> String {
    path.strip_suffix(".md").map_or_else(|| path.to_owned(), |stem| format!("{stem}.html"))
}

/// Writes the book.
pub fn run(shell: &Shell, to: &Path) -> Task {
    let pages = pages(shell)?;
    let mut others = BTreeSet::new();
    for page in &pages {
        let html = render(shell, page, &pages)?;
        let (html, linked) = relink(&html, &page.path);
        others.extend(linked.into_iter().filter(|link| !pages.iter().any(|page| page.path == *link)));
        write(&to.join(page.address()), html)?;
    }
    for link in &others {
        let from = shell.root().join(link);
        copy_folder(&from, &to.join(link))
            .map_err(|error| format!("a link of the documentation is dead: {error}"))?;
        if from.is_dir() {
            write(&to.join(link).join("index.html"), listing(&from)?)?;
        }
    }
    Ok(())
}

fn pages(shell: &Shell) -> Result<Vec<Page>, String> {
    let mut paths: Vec<String> = FIRST.iter().map(|path| (*path).to_owned()).collect();
    for folder in ["docs", "docs/formats"] {
        for path in entries(&shell.root().join(folder))? {
            if path.extension().is_some_and(|extension| extension == "md") {
                paths.push(format!("{folder}/{}", path.file_name().unwrap_or_default().to_string_lossy()));
            }
        }
    }
    paths.extend(LAST.iter().map(|path| (*path).to_owned()));
    paths.iter().map(|path| Page::new(shell, path)).collect()
}

/// The page of a Markdown file, by rustdoc.
fn render(shell: &Shell, page: &Page, pages: &[Page]) -> Result<String, String> {
    let scratch = shell.target().join("book");
    // From the page's folder to the book's.
    let up = "../".repeat(page.path.matches('/').count());
    let mut list =
        format!("<nav class=\"pages\"><a href=\"{up}../index.html\">Effigy: viewer and samples</a><hr>\n");
    for one in pages {
        let here = if one.path == page.path { " class=\"here\"" } else { "" };
        let _ = writeln!(list, "<a href=\"{up}{}\"{here}>{}</a>", one.address(), one.title);
    }
    list.push_str("</nav>\n");
    let before = scratch.join("list.html");
    write(&before, list)?;
    let (source, out) = (shell.root().join(&page.path), scratch.join("out"));
    let [source, out, before] = [&source, &out, &before].map(|path| path.display().to_string());
    let style = format!("{up}../style.css");
    let command = ["rustdoc", &source, "-o", &out, "--markdown-no-toc", "--markdown-css", &style];
    shell.output(&[command.as_slice(), &["--html-before-content", &before]].concat())?;
    let stem = Path::new(&page.path).with_extension("html");
    let made = scratch.join("out").join(stem.file_name().unwrap_or_default());
    std::fs::read_to_string(&made).map_err(|error| format!("{}: {error}", made.display()))
}

/// The page with links to pages instead of Markdown files, and the files of the project that it links to.
fn relink(html: &str, page: &str) -> (String, Vec<String>) {
    let mut made = String::with_capacity(html.len());
    let mut linked = Vec::new();
    let mut rest = html;
    while let Some(at) =
        ["href=\"", "src=\""].iter().filter_map(|mark| Some(rest.find(mark)? + mark.len())).min()
    {
        let (before, after) = rest.split_at(at);
        let (link, after) = after.split_once('"').unwrap_or((after, ""));
        let (path, place) = link.split_once('#').map_or((link, None), |(path, place)| (path, Some(place)));
        made.push_str(before);
        // The list on the left and the style belong to the book already.
        let is_own =
            path.is_empty() || path.contains(':') || path.ends_with(".html") || path.ends_with(".css");
        made.push_str(&if is_own { path.to_owned() } else { page_address(path) });
        if !is_own {
            linked.push(resolve(page, path));
        }
        if let Some(place) = place {
            made.push('#');
            made.push_str(place);
        }
        made.push('"');
        rest = after;
    }
    made.push_str(rest);
    (made, linked)
}

/// The path below the root of a link in a page.
fn resolve(page: &str, link: &str) -> String {
    let mut path = PathBuf::new();
    for part in Path::new(page).parent().unwrap_or(Path::new("")).join(link).components() {
        match part {
            Component::ParentDir => _ = path.pop(),
            Component::Normal(name) => path.push(name),
            _ => {}
        }
    }
    path.display().to_string().replace('\\', "/")
}

/// A page with links to the files of a folder.
fn listing(folder: &Path) -> Result<String, String> {
    let mut text = "<!doctype html><meta charset=\"utf-8\"><title>Files</title>\n".to_owned();
    for path in entries(folder)?.iter().filter(|path| path.is_file()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let _ = writeln!(text, "<p><a href=\"{name}\">{name}</a></p>");
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_to_markdown_become_links_to_pages_and_other_files_are_copied() {
        let html = concat!(
            r##"<link href="../../style.css"><a href="../formats/m2.md#bones">a</a> <img src="images/a.png">"##,
            r##"<a href="#here">b</a> <a href="https://example.org/x.md">c</a> <a href="../crates/x">d</a>"##
        );
        let (made, linked) = relink(html, "docs/viewer.md");
        assert_eq!(
            made,
            concat!(
                r##"<link href="../../style.css"><a href="../formats/m2.html#bones">a</a> <img src="images/a.png">"##,
                r##"<a href="#here">b</a> <a href="https://example.org/x.md">c</a> <a href="../crates/x">d</a>"##
            )
        );
        assert_eq!(linked, ["formats/m2.md", "docs/images/a.png", "crates/x"]);
    }

    #[test]
    fn every_link_of_the_documentation_leads_to_a_file() {
        let shell = Shell::new();
        let to = shell.target().join("book-test");
        let _ = std::fs::remove_dir_all(&to);
        run(&shell, &to).unwrap();
        let viewer = std::fs::read_to_string(to.join("docs/viewer.html")).unwrap();
        assert!(viewer.contains(r#"<a href="../docs/formats/mdx.html">MDX: Warcraft III"#), "{viewer}");
        assert!(to.join("docs/images/viewer.png").is_file());
    }
}
