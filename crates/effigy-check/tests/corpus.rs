//! Real files: how often each rule finds something is committed, so that a change in a rule shows in review.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout
)]

use effigy_check::{CheckOptions, Checkable, Checked, Profile, check};
use effigy_wire::Severity;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// A file of the corpus with what is known about it.
struct Real {
    name: String,
    problem: String,
    bytes: Vec<u8>,
}

/// The corpus. `None` without one: the calling test is then recorded as skipped.
fn corpus() -> Option<Vec<Real>> {
    let entries = effigy_testkit::index(&effigy_testkit::corpus()?);
    let real = |entry: effigy_testkit::Entry| {
        let bytes = std::fs::read(&entry.path).unwrap_or_else(|error| panic!("{}: {error}", entry.name));
        Real { name: entry.name, problem: entry.problem, bytes }
    };
    let mut files: Vec<Real> = entries.into_iter().map(real).collect();
    files.sort_by(|a, b| a.name.cmp(&b.name));
    Some(files)
}

/// The model or the reader's error; `None` for a file that is not a model.
fn open(file: &Real) -> Option<Result<Box<dyn Checkable>, String>> {
    fn boxed<M: Checkable + 'static>(read: effigy_wire::Result<M>) -> Result<Box<dyn Checkable>, String> {
        read.map(|model| Box::new(model) as Box<dyn Checkable>).map_err(|error| error.to_string())
    }
    let bytes = &file.bytes;
    if effigy_mdx::sniff(bytes) {
        Some(boxed(effigy_mdx::read(bytes)))
    } else if effigy_mdx::text::sniff(bytes) {
        Some(boxed(effigy_mdx::text::parse(bytes)))
    } else if effigy_m2::sniff(bytes) {
        Some(boxed(effigy_m2::read(bytes)))
    } else if effigy_mdc::sniff(bytes) {
        Some(boxed(effigy_mdc::read(bytes)))
    } else {
        None
    }
}

fn run(file: &Real) -> Option<Result<Checked, String>> {
    Some(open(file)?.map(|model| {
        // Folders are joined by double underscores in the corpus.
        let file_name = file.name.replace("__", "/");
        let options = CheckOptions { file_name: &file_name, ..CheckOptions::default() };
        check(model.as_ref(), &options)
    }))
}

/// Whether a file is marked as malformed for its name alone, with the reason in docs/checks.md.
fn broken_by_name(file: &Real) -> bool {
    let names = effigy_check::docs::BROKEN_BY_NAME.iter().filter_map(|(name, _)| name.split('`').nth(1));
    names.into_iter().any(|name| file.name.ends_with(name))
}

#[test]
fn the_counts_per_rule_are_those_committed() {
    let Some(files) = corpus() else { return };
    let mut codes: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut profiles: BTreeMap<Profile, usize> = BTreeMap::new();
    let mut totals = [0_usize; 6];
    for result in files.iter().filter_map(run) {
        let Ok(checked) = result else {
            totals[5] += 1;
            continue;
        };
        *profiles.entry(checked.guess.profile).or_default() += 1;
        let worst = checked.findings.first().map_or(0, |finding| finding.severity as usize);
        totals[worst] += usize::from(!checked.findings.is_empty());
        let mut seen = Vec::new();
        for finding in &checked.findings {
            let entry =
                codes.entry(format!("{} {} {}", finding.code, finding.severity, finding.title)).or_default();
            entry.1 += 1;
            if !seen.contains(&finding.code) {
                seen.push(finding.code);
                entry.0 += 1;
            }
        }
    }
    let mut text = String::from("# files and findings per rule, over the corpus\n");
    for (code, (files, findings)) in &codes {
        writeln!(text, "{files:5} {findings:6}  {code}").unwrap();
    }
    text.push_str("# files per guessed profile\n");
    for (profile, files) in &profiles {
        writeln!(text, "{files:5}  {profile}").unwrap();
    }
    let [unused, note, warning, severe, error, failed] = totals;
    writeln!(text, "# worst finding of each file\n{error:5}  error\n{severe:5}  severe\n{warning:5}  warning\n{note:5}  note\n{unused:5}  unused\n{failed:5}  not readable").unwrap();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus-counts.txt");
    if std::env::var_os("EFFIGY_BLESS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == text, "the counts have changed; EFFIGY_BLESS=1 writes them anew:\n{text}");
}

#[test]
fn each_malformed_file_has_an_error() {
    let Some(files) = corpus() else { return };
    let (mut looked, mut excepted, mut without) = (0, 0, Vec::new());
    for file in files.iter().filter(|file| file.problem.starts_with("MALFORMED")) {
        let Some(result) = run(file) else { continue };
        looked += 1;
        if let Ok(checked) = result {
            // An exception that is none any more has to go from the page.
            if broken_by_name(file) {
                assert_eq!(checked.count(Severity::Error), 0, "{} has an error now", file.name);
                excepted += 1;
                continue;
            }
            let list: Vec<_> =
                checked.findings.iter().map(|one| format!("{} {}", one.severity, one.code)).collect();
            if checked.count(Severity::Error) == 0 {
                without.push(format!("{}: {}: {list:?}", file.name, file.problem));
            }
        }
    }
    assert!(without.is_empty(), "{without:#?}");
    assert!(looked >= 30, "only {looked} malformed files");
    assert_eq!(excepted, effigy_check::docs::BROKEN_BY_NAME.len());
}

#[test]
fn only_units_and_buildings_need_stand_death_and_origin() {
    let Some(files) = corpus() else { return };
    for file in &files {
        let Some(Ok(checked)) = run(file) else { continue };
        let placed = matches!(checked.guess.profile, Profile::Unit | Profile::Building);
        let asked =
            checked.findings.iter().find(|one| ["MDX1005", "MDX1006", "MDX2101"].contains(&one.code.0));
        assert!(asked.is_none() || placed, "{}: {asked:?}", file.name);
    }
}

#[test]
fn known_files_get_the_expected_profile() {
    let Some(files) = corpus() else { return };
    let table = include_str!("corpus-profiles.txt").lines().filter(|line| !line.starts_with('#'));
    let mut listed = 0;
    for line in table {
        let (profile, name) = line.split_once(' ').unwrap();
        let (profile, name): (Profile, &str) = (profile.parse().unwrap(), name.trim());
        let named = |file: &&Real| {
            let start = file.name.strip_suffix(name);
            start.is_some_and(|start| start.ends_with(['/', '!']) || start.ends_with("__"))
        };
        let mut found = files.iter().filter(named).peekable();
        assert!(found.peek().is_some(), "no file {name}");
        for file in found {
            let checked = run(file).unwrap().unwrap();
            assert_eq!(checked.guess.profile, profile, "{}: {}", file.name, checked.guess.reason);
            let asked = |code: &str| checked.findings.iter().any(|finding| finding.code.0 == code);
            let placed = matches!(profile, Profile::Unit | Profile::Building);
            assert!(placed || !["MDX1005", "MDX1006", "MDX2101"].into_iter().any(asked), "{}", file.name);
        }
        listed += 1;
    }
    assert!(listed >= 40, "only {listed} files");
}

#[test]
fn repairs_are_complete_and_change_nothing_else() {
    let Some(files) = corpus() else { return };
    let (mut mended, mut clean) = (0, 0);
    for file in &files {
        if !effigy_mdx::sniff(&file.bytes) {
            continue;
        }
        let Ok(mut model) = effigy_mdx::read(&file.bytes) else { continue };
        let none: [&str; 0] = [];
        let applied = effigy_check::fix(&mut model, &none);
        let bytes = model.write().unwrap();
        if applied.is_empty() {
            clean += 1;
            assert!(bytes == file.bytes, "{}: nothing was repaired, and the bytes differ", file.name);
            continue;
        }
        mended += 1;
        let options = CheckOptions { file_name: &file.name, ..CheckOptions::default() };
        let again = effigy_mdx::read(&bytes).unwrap();
        let left: Vec<_> = check(&again, &options).findings.into_iter().filter(|one| one.fixable).collect();
        assert!(left.is_empty(), "{}: {left:?}", file.name);
        let mut again = again;
        assert_eq!(effigy_check::fix(&mut again, &none), [], "{}", file.name);
        let touched = |tag: &str| applied.iter().any(|one| one.path.starts_with(tag));
        compare_chunks(&file.bytes, &bytes, &touched, &file.name);
    }
    println!("{mended} files repaired, {clean} left as they are");
    assert!(mended > 0 && clean > 0);
}

/// Each rule's repair alone: whatever it mends, no code is found more often, or for the first time.
#[test]
fn no_repair_adds_a_finding() {
    let Some(files) = corpus() else { return };
    let mut repaired: BTreeMap<&str, usize> = BTreeMap::new();
    let mut worse = Vec::new();
    for file in &files {
        let Some(Ok(model)) = open(file) else { continue };
        let file_name = file.name.replace("__", "/");
        // The repair must not change what the model is taken for.
        let guess = check(model.as_ref(), &CheckOptions { file_name: &file_name, ..CheckOptions::default() });
        let options = CheckOptions { profile: Some(guess.guess.profile), ..CheckOptions::default() };
        let count = |model: &dyn Checkable| {
            let mut codes: BTreeMap<&str, usize> = BTreeMap::new();
            let checked = check(model, &options);
            checked.findings.iter().for_each(|one| *codes.entry(one.code.0).or_default() += 1);
            codes
        };
        let before = count(model.as_ref());
        for code in before.keys() {
            if !effigy_check::rule::find(code).is_some_and(effigy_check::Rule::has_fix) {
                continue;
            }
            let Some(Ok(mut model)) = open(file) else { continue };
            if effigy_check::fix(model.as_mut(), &[*code]).is_empty() {
                continue;
            }
            *repaired.entry(*code).or_default() += 1;
            for (other, number) in count(model.as_ref()) {
                let had = before.get(other).copied().unwrap_or(0);
                if number > had {
                    worse.push(format!("{}: {code}: {number} {other} instead of {had}", file.name));
                }
            }
        }
    }
    println!("{repaired:?}");
    assert!(worse.is_empty(), "{worse:#?}");
    assert!(repaired.len() >= 8, "{repaired:?}");
}

/// Every chunk that no repair named is the same in both files.
fn compare_chunks(before: &[u8], after: &[u8], touched: &dyn Fn(&str) -> bool, name: &str) {
    let (before, after) = (chunks(before), chunks(after));
    for (tag, payload) in &before {
        if !touched(tag) {
            assert!(
                after.iter().any(|(other, same)| other == tag && same == payload),
                "{name}: {tag} changed"
            );
        }
    }
}

fn chunks(bytes: &[u8]) -> Vec<(String, &[u8])> {
    let mut list = Vec::new();
    let mut rest = &bytes[4..];
    while rest.len() >= 8 {
        let size = u32::from_le_bytes(rest[4..8].try_into().unwrap()) as usize;
        let Some(payload) = rest.get(8..8 + size) else { break };
        list.push((String::from_utf8_lossy(&rest[..4]).into_owned(), payload));
        rest = &rest[8 + size..];
    }
    list
}

/// The parts of the corpus that are the games' own files: World of Warcraft 1.12 and 2.4, and Return to Castle Wolfenstein and
/// Enemy Territory as their SDK and ET: Legacy distribute them. No such part has models of Warcraft III.
const SHIPPED: [&str; 6] = [
    "m2-256/doorknob6+",
    "m2-260/wolone+",
    "m2-263/wolone+",
    "mdc-2/jmarshall23+",
    "mdc-2/etlegacy+",
    "md3-15/jmarshall23+",
];

#[test]
fn models_that_came_with_the_games_have_no_error_and_no_severe_finding() {
    let Some(files) = corpus() else { return };
    let shipped = files.iter().filter(|file| SHIPPED.iter().any(|part| file.name.starts_with(part)));
    let mut checked = 0;
    for file in shipped.filter(|file| file.problem.is_empty()) {
        let Some(found) = run(file) else { continue };
        let found = found.unwrap_or_else(|error| panic!("{}: {error}", file.name));
        let worst = found.findings.first();
        assert!(worst.is_none_or(|worst| worst.severity < Severity::Severe), "{}: {worst:?}", file.name);
        checked += 1;
    }
    assert!(checked >= 40, "only {checked} models");
}
