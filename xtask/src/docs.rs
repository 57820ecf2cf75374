//! `cargo xtask docs`: tables that are generated from the code, written between markers in Markdown files.
//!
//! A marker is a line `<!-- generated: NAME -->`; the text from it to `<!-- end -->` is replaced by the table of that name.
//! With `--check` nothing is written, and a table that is not up to date is an error.

use effigy_testkit::{Shell, Task};
use std::path::PathBuf;

/// A table by name.
struct Table {
    name: &'static str,
    make: fn() -> String,
}

/// All tables.
const TABLES: &[Table] = &[
    Table { name: "formats", make: formats },
    Table { name: "mdx", make: effigy::mdx::layout::markdown },
    Table { name: "catalog", make: effigy::catalog::markdown },
    Table { name: "checks", make: effigy_check::docs::markdown },
    Table { name: "m2", make: effigy::m2::tables::markdown },
    Table { name: "textures", make: effigy_image::markdown },
];

const BEGIN: &str = "<!-- generated: ";
const END: &str = "<!-- end -->";

/// Writes or checks every Markdown file in the root and below docs/.
pub fn run(shell: &Shell, check: bool) -> Task {
    let mut stale = Vec::new();
    for path in pages(shell) {
        let name = path.strip_prefix(shell.root()).unwrap_or(&path).display().to_string();
        let old = std::fs::read_to_string(&path).map_err(|error| format!("{name}: {error}"))?;
        let new = fill(&old).map_err(|error| format!("{name}: {error}"))?;
        if new == old {
            continue;
        }
        if check {
            stale.push(name);
        } else {
            std::fs::write(&path, new).map_err(|error| format!("{name}: {error}"))?;
            shell.say(&format!("wrote {name}"));
        }
    }
    if stale.is_empty() {
        Ok(())
    } else {
        Err(format!("not up to date: {}; `cargo xtask docs` updates them", stale.join(", ")))
    }
}

fn pages(shell: &Shell) -> Vec<PathBuf> {
    let mut pages = Vec::new();
    let mut folders = vec![shell.root().join("docs")];
    let mut look = |folder: &PathBuf, folders: Option<&mut Vec<PathBuf>>| {
        let entries: Vec<PathBuf> =
            std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        if let Some(folders) = folders {
            folders.extend(entries.iter().filter(|path| path.is_dir()).cloned());
        }
        let markdown = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "md");
        pages.extend(entries.into_iter().filter(markdown));
    };
    look(&shell.root().to_path_buf(), None);
    while let Some(folder) = folders.pop() {
        look(&folder, Some(&mut folders));
    }
    pages.sort();
    pages
}

/// The page with every table generated again. Only a marker on a line of its own counts.
fn fill(page: &str) -> Result<String, String> {
    let mut new = String::with_capacity(page.len());
    let mut lines = page.split_inclusive('\n');
    while let Some(line) = lines.next() {
        new.push_str(line);
        let Some(name) = line.trim_end().strip_prefix(BEGIN).and_then(|rest| rest.strip_suffix(" -->"))
        else {
            continue;
        };
        let table = TABLES
            .iter()
            .find(|table| table.name == name)
            .ok_or_else(|| format!("there is no table called '{name}'"))?;
        let end = lines
            .find(|line| line.trim_end() == END)
            .ok_or_else(|| format!("the table '{name}' has no end marker"))?;
        new.push_str(&(table.make)());
        new.push_str(end);
    }
    Ok(new)
}

/// The output of `effigy formats` as Markdown.
fn formats() -> String {
    let mut table =
        String::from("\n| format | game | versions | read | write | check | convert | render |\n");
    table.push_str("|---|---|---|---|---|---|---|---|\n");
    let mark = |can: bool| if can { "yes" } else { "" };
    for entry in effigy::FORMATS {
        for dialect in entry.dialects {
            let versions: Vec<String> = dialect.versions.iter().map(u32::to_string).collect();
            let can = dialect.abilities;
            table.push_str(&format!(
                "| {} | {} | {} | {} | {} | {} | {} | {} |\n",
                entry.title,
                dialect.game,
                versions.join(", "),
                mark(can.read),
                mark(can.write),
                mark(can.check),
                mark(can.convert),
                mark(can.render)
            ));
        }
    }
    table.push('\n');
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_in_the_pages_are_up_to_date() {
        assert_eq!(run(&Shell::new(), true), Ok(()));
    }

    #[test]
    fn only_the_text_between_the_markers_is_replaced() {
        let page = "before\n<!-- generated: formats -->\nold\n<!-- end -->\nafter\n";
        let new = fill(page).unwrap();
        assert!(new.starts_with("before\n<!-- generated: formats -->\n\n| format |"), "{new}");
        assert!(new.ends_with("|\n\n<!-- end -->\nafter\n"), "{new}");
        assert_eq!(fill(&new).unwrap(), new);
        assert!(fill("<!-- generated: formats -->\n").is_err());
        assert!(fill("<!-- generated: unknown -->\n<!-- end -->\n").is_err());
        let inside = "see `<!-- generated: NAME -->`\n";
        assert_eq!(fill(inside).unwrap(), inside);
    }
}
