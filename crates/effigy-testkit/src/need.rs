//! Things that a test needs and that may be missing.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The environment variable that lists, separated by commas, what must not be missing.
pub const REQUIRE: &str = "EFFIGY_REQUIRE";
/// The environment variable that names the file for skipped tests.
pub const SKIPPED: &str = "EFFIGY_SKIPPED";
/// The environment variable that names the Python interpreter to use.
pub const PYTHON: &str = "EFFIGY_PYTHON";

/// States that the calling test needs something, and returns whether the test can run.
///
/// If the thing is not available, the test is recorded as skipped with the reason `why`.
///
/// # Panics
/// If it is not available although `EFFIGY_REQUIRE` lists it.
#[track_caller]
pub fn require(thing: &str, available: bool, why: &str) -> bool {
    if available {
        return true;
    }
    let required = std::env::var(REQUIRE).unwrap_or_default();
    assert!(!lists(&required, thing), "{REQUIRE} lists {thing}: {why}");
    let skip = Skip { thing: thing.to_owned(), test: test_name(), why: why.to_owned() };
    let _ = writeln!(std::io::stderr(), "SKIPPED {}: {why}", skip.test);
    if let Some(path) = std::env::var_os(SKIPPED) {
        let path = PathBuf::from(path);
        let file = std::fs::OpenOptions::new().create(true).append(true).open(&path);
        // One write for the whole line: several test programs append at the same time.
        let written = file.and_then(|mut file| file.write_all(skip.line().as_bytes()));
        written.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
    false
}

fn lists(required: &str, thing: &str) -> bool {
    required.split(',').any(|word| word.trim() == thing)
}

/// Program and test: `corpus::every_file_comes_back`.
fn test_name() -> String {
    let program = std::env::current_exe().ok();
    let stem = program.as_deref().and_then(std::path::Path::file_stem).unwrap_or_default().to_string_lossy();
    // Cargo appends a hash to the names of test programs.
    let is_hash = |text: &str| text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let program = match stem.rsplit_once('-') {
        Some((name, hash)) if is_hash(hash) => name.to_owned(),
        _ => stem.into_owned(),
    };
    // The test harness names each test's thread after the test.
    let thread = std::thread::current();
    let named = std::env::var("NEXTEST_TEST_NAME").ok();
    let test = named.as_deref().or(thread.name()).unwrap_or("unnamed");
    format!("{program}::{test}")
}

/// A test that did not run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Skip {
    /// What was missing, such as `corpus`.
    pub thing: String,
    /// The reason in words.
    pub why: String,
    /// Program and test.
    pub test: String,
}

impl Skip {
    fn line(&self) -> String {
        let clean = |text: &str| text.replace(['\t', '\n', '\r'], " ");
        format!("{}\t{}\t{}\n", clean(&self.thing), clean(&self.why), clean(&self.test))
    }
}

/// Reads what [`require`] recorded: sorted, each test once per missing thing.
#[must_use]
pub fn parse_skips(text: &str) -> Vec<Skip> {
    let skip = |line: &str| {
        let mut cells = line.splitn(3, '\t').map(str::to_owned);
        Some(Skip { thing: cells.next()?, why: cells.next()?, test: cells.next()? })
    };
    let mut skips: Vec<Skip> = text.lines().filter_map(skip).collect();
    skips.sort();
    skips.dedup();
    skips
}

/// A Python interpreter that can import a module: the one that `EFFIGY_PYTHON` names, else one on the path.
#[must_use]
pub fn python_with(module: &str) -> Option<String> {
    let works = |program: &String| {
        let mut command = Command::new(program);
        command.args(["-c", &format!("import {module}")]);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    let named = std::env::var(PYTHON).ok();
    named.into_iter().chain(["python3".to_owned(), "python".to_owned()]).find(works)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_words_are_required() {
        assert!(lists("corpus, gpu", "gpu") && lists("corpus", "corpus"));
        assert!(!lists("", "corpus") && !lists("corpus-of-another-kind,gpus", "gpu"));
    }

    #[test]
    fn a_skip_is_read_as_it_was_written_and_counted_once() {
        let skip = Skip { thing: "gpu".into(), test: "layers::opaque".into(), why: "no\tdriver".into() };
        let line = skip.line();
        assert_eq!(line, "gpu\tno driver\tlayers::opaque\n");
        let other = "corpus\tno corpus\tcorpus::all\n";
        let skips = parse_skips(&format!("{line}{other}{line}half a line\n"));
        let things: Vec<&str> = skips.iter().map(|skip| skip.thing.as_str()).collect();
        assert_eq!(things, ["corpus", "gpu"]);
    }

    #[test]
    fn what_is_there_is_not_recorded() {
        assert!(require("a machine", true, "it is running this"));
    }

    #[test]
    fn the_name_of_a_test_is_known() {
        let name = test_name();
        assert!(name.starts_with("effigy_testkit::"), "{name}");
        assert!(name.ends_with("the_name_of_a_test_is_known"), "{name}");
    }
}
