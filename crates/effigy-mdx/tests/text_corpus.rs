//! MDL over the corpus: every valid text parses, errors in broken ones have a location, and every MDX has the same bytes after
//! printing and parsing.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

use effigy_mdx::text::{PrintOptions, Spelling, parse, print, sniff};
use effigy_testkit::{corpus, files};
use effigy_wire::{Severity, Status};

fn errors(model: &effigy_mdx::Model) -> Vec<String> {
    let errors = model.diagnostics().iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    errors.map(ToString::to_string).collect()
}

/// Files of the corpus whose text is broken, with the line of the first error. Others that are marked as malformed
/// are valid text, but the model in them is not (a missing texture, a node that is its own parent).
const BROKEN: &[(&str, usize)] = &[("huge_vertex_count_v800.mdl", 9), ("truncated_after_helper_v800.mdl", 8)];

#[test]
fn every_valid_text_parses_and_errors_in_broken_ones_have_a_location() {
    let Some(corpus) = corpus() else { return };
    let list = files(&corpus, |name| name.contains(".mdl"));
    assert!(list.len() >= 131, "only {} texts", list.len());
    let mut wrong = Vec::new();
    for path in &list {
        let text = std::fs::read(path).unwrap();
        if !sniff(&text) {
            wrong.push(format!("{}: not MDL", path.display()));
            continue;
        }
        let model = parse(&text).unwrap();
        let broken = BROKEN.iter().find(|(name, _)| path.to_string_lossy().ends_with(name));
        match broken {
            Some((_, line)) => {
                let first = model.diagnostics().iter().find(|one| one.severity == Severity::Error).unwrap();
                assert_eq!(first.line.unwrap().0, *line, "{}: {first}", path.display());
            }
            None if errors(&model).is_empty() => {}
            None => wrong.push(format!("{}: {:?}", path.display(), errors(&model))),
        }
        for diagnostic in model.diagnostics() {
            println!("{}: {diagnostic}", path.file_name().unwrap().display());
        }
        let (printed, _) = print(&model, &PrintOptions::default());
        let again = parse(&printed).unwrap();
        assert_eq!(again.write().unwrap(), model.write().unwrap(), "{}", path.display());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    println!("{} texts", list.len());
}

#[test]
fn every_mdx_has_the_same_bytes_after_printing_and_parsing() {
    let Some(corpus) = corpus() else { return };
    let list = files(&corpus, |name| name.ends_with(".mdx"));
    let mut wrong = Vec::new();
    let mut asides = 0;
    for path in &list {
        let bytes = std::fs::read(path).unwrap();
        if !effigy_mdx::sniff(&bytes) {
            continue;
        }
        let model = effigy_mdx::read(&bytes).unwrap();
        assert_ne!(model.verify(&bytes).status, Status::Different);
        for dialect in [Spelling::Warcraft3, Spelling::Hive, Spelling::Retera] {
            let (text, report) = print(&model, &PrintOptions { dialect, plain: false });
            let again = parse(&text).unwrap();
            assert_eq!(errors(&again), [""; 0], "{}", path.display());
            asides += usize::from(!report.is_empty());
            if again.write().unwrap() != bytes {
                wrong.push(format!("{dialect:?} {}", path.display()));
            }
            let (twice, _) = print(&again, &PrintOptions { dialect, plain: false });
            assert!(twice == text, "{}: the text changes when it is printed again", path.display());
        }
    }
    println!("{} files, {asides} printed with comments", list.len());
    assert!(list.len() >= 216, "only {} files", list.len());
    // A printer that put everything into comments would pass all of the above.
    assert!(asides <= 297, "{asides} texts with comments");
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), list.len(), wrong.join("\n"));
}

#[test]
fn plain_text_gives_an_equal_model_except_for_what_the_report_lists() {
    let Some(corpus) = corpus() else { return };
    let list = files(&corpus, |name| name.ends_with(".mdx"));
    let mut exact = 0;
    for path in &list {
        let bytes = std::fs::read(path).unwrap();
        if !effigy_mdx::sniff(&bytes) {
            continue;
        }
        let model = effigy_mdx::read(&bytes).unwrap();
        let (text, report) = print(&model, &PrintOptions { plain: true, ..Default::default() });
        assert!(!text.windows(8).any(|part| part == b"//effigy"));
        let again = parse(&text).unwrap();
        assert_eq!(errors(&again), [""; 0], "{}", path.display());
        if report.is_empty() {
            assert_eq!(again.write().unwrap(), bytes, "{}: different without a report", path.display());
            exact += 1;
        }
        let (twice, _) = print(&again, &PrintOptions { plain: true, ..Default::default() });
        assert!(twice == text, "{}: plain text changes when it is printed again", path.display());
    }
    println!("{exact} of {} are exact as plain text", list.len());
    // A report that names everything would pass all of the above.
    assert!(exact >= 112, "only {exact} are exact as plain text");
}
