//! `cargo xtask mutants`: changes the code in small ways (cargo-mutants) and counts the changes that no test notices.
//!
//! This takes hours for a whole crate, so it is run by hand. docs/testing.md explains the results.

use crate::setup::Setup;
use effigy_testkit::{CORPUS, GLTF_INPUTS, SOLDIERS, Shell, Task};
use std::collections::BTreeMap;

const FOLDER: &str = "target/mutants";
/// All published code.
const SCOPE: &[&str] = &["--workspace", "--exclude", "xtask/**", "--exclude", TOOLS];
const TOOLS: &str = "crates/effigy-{bench,peers,samples,testkit}/**";

/// What the command line asks for.
#[derive(Debug, Default, PartialEq, Eq)]
struct Wanted {
    /// Patterns of source files; all of the tested crates without any.
    files: Vec<String>,
    /// At most this many mutants, spread over all of them.
    sample: Option<usize>,
    /// One part of several, such as `0/4`.
    shard: Option<String>,
}

/// Runs cargo-mutants and prints for each file how many mutants were caught and missed.
pub fn run(shell: &mut Shell, words: &[&str]) -> Task {
    let wanted = parse(words)?;
    if !shell.succeeds(&["cargo", "mutants", "--version"]) {
        shell.run(&["cargo", "install", "--locked", "cargo-mutants"])?;
    }
    // A test that is skipped catches nothing. The project is copied, so collections of files are not next to it.
    Setup::prepare(shell)?;
    for collection in [CORPUS, GLTF_INPUTS, SOLDIERS] {
        collection.name_to(shell);
    }
    shell.set("NEXTEST_PROFILE", "mutants");
    let mut choice: Vec<String> = SCOPE.iter().map(|word| (*word).to_owned()).collect();
    for file in &wanted.files {
        choice.extend(["--file".to_owned(), file.clone()]);
    }
    let shard = match (wanted.shard, wanted.sample) {
        (Some(_), Some(_)) => return Err("--sample and --shard cannot be combined".to_owned()),
        (shard, None) => shard,
        (None, Some(sample)) => Some(format!("0/{}", parts(shell, &choice, sample)?)),
    };
    // Every n-th mutant, so that each part has some of every file.
    choice.extend(
        shard
            .into_iter()
            .flat_map(|shard| ["--sharding=round-robin".to_owned(), "--shard".to_owned(), shard]),
    );
    std::fs::create_dir_all(shell.root().join(FOLDER)).map_err(|error| format!("{FOLDER}: {error}"))?;
    let mut all = vec!["cargo", "mutants", "--output", FOLDER, "--no-shuffle", "--colors", "never"];
    // Each mutant is tested by the tests of its own crate.
    all.extend([
        "--test-tool",
        if shell.succeeds(&["cargo", "nextest", "--version"]) { "nextest" } else { "cargo" },
    ]);
    // What is built in the copy must not be mixed with our own.
    all.splice(0..0, ["env", "--unset=CARGO_TARGET_DIR"]);
    all.extend(choice.iter().map(String::as_str));
    // Missed mutants (2) and timeouts (3) are results, not failures.
    match shell.code(&all)? {
        0 | 2 | 3 => {}
        code => return Err(format!("cargo mutants failed (exit code {code})")),
    }
    let read = |name: &str| std::fs::read_to_string(shell.root().join(FOLDER).join("mutants.out").join(name));
    let read = |name: &str| read(name).map_err(|error| format!("{name}: {error}"));
    let table =
        table(&[read("caught.txt")?, read("missed.txt")?, read("timeout.txt")?, read("unviable.txt")?]);
    shell.print(&table);
    Ok(())
}

fn parse(words: &[&str]) -> Result<Wanted, String> {
    let mut wanted = Wanted::default();
    let mut words = words.iter();
    while let Some(option) = words.next() {
        let value = words.next().ok_or_else(|| format!("{option} needs a value"))?;
        match *option {
            "--file" => wanted.files.push((*value).to_owned()),
            "--sample" => {
                let number = value.parse().ok().filter(|number| *number > 0);
                wanted.sample = Some(number.ok_or_else(|| format!("'{value}' is not a number of mutants"))?);
            }
            "--shard" => wanted.shard = Some((*value).to_owned()),
            other => {
                return Err(format!("there is no option {other}: --file, --sample and --shard are known"));
            }
        }
    }
    Ok(wanted)
}

/// The number of parts that leaves about `sample` mutants in each.
fn parts(shell: &Shell, choice: &[String], sample: usize) -> Result<usize, String> {
    let mut words = vec!["cargo", "mutants", "--list"];
    words.extend(choice.iter().map(String::as_str));
    let mutants = shell.output(&words)?.lines().count();
    if mutants == 0 { Err("no file has anything to change".to_owned()) } else { Ok(mutants.div_ceil(sample)) }
}

/// A table by file of the lists that cargo-mutants writes. A mutant that makes tests run forever counts as caught.
fn table(lists: &[String; 4]) -> String {
    let mut files: BTreeMap<&str, [usize; 4]> = BTreeMap::new();
    for (kind, list) in lists.iter().enumerate() {
        for line in list.lines().filter(|line| !line.trim().is_empty()) {
            let file = line.split(':').next().unwrap_or(line);
            for name in [file, "total"] {
                if let Some(count) = files.entry(name).or_default().get_mut(kind) {
                    *count += 1;
                }
            }
        }
    }
    let mut text = format!(
        "{:<60} {:>7} {:>7} {:>7} {:>9} {:>6}\n",
        "file", "caught", "missed", "endless", "unviable", "share"
    );
    for (file, [caught, missed, endless, unviable]) in files {
        let viable = caught + missed + endless;
        let share = ((caught + endless) * 100).checked_div(viable).unwrap_or(100);
        text.push_str(&format!(
            "{file:<60} {caught:>7} {missed:>7} {endless:>7} {unviable:>9} {share:>4} %\n"
        ));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read() {
        let wanted = parse(&["--file", "a.rs", "--file", "b.rs", "--sample", "40"]).unwrap();
        let files = vec!["a.rs".to_owned(), "b.rs".to_owned()];
        assert_eq!(wanted, Wanted { files, sample: Some(40), shard: None });
        for wrong in [&["--file"][..], &["--sample", "0"], &["--sample", "x"], &["--fil", "a"]] {
            assert!(parse(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn the_table_counts_by_file() {
        let lists = [
            "src/a.rs:1:2: replace x\nsrc/a.rs:2:2: replace y\nsrc/b.rs:1:1: z\n".to_owned(),
            "src/a.rs:9:9: replace < with <=\n".to_owned(),
            "src/b.rs:3:3: loop\n".to_owned(),
            String::new(),
        ];
        let table = table(&lists);
        let words: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(words[1], ["src/a.rs", "2", "1", "0", "0", "66", "%"]);
        assert_eq!(words[2], ["src/b.rs", "1", "0", "1", "0", "100", "%"]);
        assert_eq!(words[3], ["total", "3", "1", "1", "0", "80", "%"]);
    }
}
