//! Findings for people: grouped by file, worst first, alike ones together.

use super::Report;
use crate::commands::diff;
use crate::out::Tone;
use crate::session::{Exit, Session, Stop};
use crate::text::{commas, count};
use effigy::config::Deny;
use effigy::lines::CheckTotals as Totals;
use effigy::{Checked, Finding, Severity, rules};

/// Findings of one code in one file that are shown without `--verbose`.
const SHOWN: usize = 3;
/// Lines of a diff that are shown without `--verbose`.
const DIFFERENCES: usize = 40;

fn tone(severity: Severity) -> Tone {
    match severity {
        Severity::Error | Severity::Severe => Tone::Bad,
        Severity::Warning => Tone::Odd,
        Severity::Note | Severity::Unused => Tone::Good,
    }
}

/// One file with what was found in it.
pub fn file(session: &mut Session, name: &str, report: &Report) -> Result<(), Stop> {
    let Report { checked, mended, settings, .. } = report;
    let denied = settings.deny.map_or(Severity::Error, Deny::severity);
    let worst = checked.findings.first().map(|finding| finding.severity);
    let silent = checked.findings.is_empty() && mended.repairs.is_empty();
    // Only what makes the command fail.
    if session.common.quiet && worst.is_none_or(|worst| worst < denied) {
        return Ok(());
    }
    if silent && !session.common.verbose {
        return Ok(());
    }
    // What is unused, and notes, are one line unless the user asks for them: most models have some, and work.
    let folds = |finding: &Finding| {
        !session.common.verbose
            && settings.select.is_empty()
            && finding.severity < Severity::Warning.min(denied)
    };
    let split = checked.findings.iter().position(folds).unwrap_or(checked.findings.len());
    let (listed, folded) = checked.findings.split_at(split);
    let head = session.out.paint(Tone::Strong, name);
    let guess = &checked.guess;
    if listed.is_empty() && mended.repairs.is_empty() && settings.game.is_none() {
        let word = session.out.paint(Tone::Good, "clean");
        if folded.is_empty() {
            session.out.line(format_args!("{head}   {word}"))?;
            return accepted(session, checked);
        }
        let few = folded_words(folded);
        return session.out.line(format_args!("{head}   {word}   {few} (--verbose lists them)"));
    }
    session.out.line(format_args!("{head}   {} ({})", guess.profile, guess.reason))?;
    let mut rest = listed;
    if session.common.quiet {
        rest = listed
            .get(..listed.iter().take_while(|finding| finding.severity >= denied).count())
            .unwrap_or(listed);
    }
    while let Some(first) = rest.first() {
        let alike = rest.iter().take_while(|finding| finding.code == first.code).count();
        let (group, after) = rest.split_at(alike.min(rest.len()));
        rest = after;
        group_of(session, first, group)?;
    }
    if !folded.is_empty() && !session.common.quiet {
        session.out.line(format_args!("  + {} (--verbose lists them)", folded_words(folded)))?;
    }
    if checked.left_out > 0 {
        session.out.line(format_args!("  +{} more", checked.left_out))?;
    }
    for repair in &mended.repairs {
        let word = session.out.paint(Tone::Good, format_args!("{:<7}", mended.word()));
        session.out.line(format_args!("  {word}  {}  {}: {}", repair.code, repair.place, repair.message))?;
    }
    let shown = if session.common.verbose { usize::MAX } else { DIFFERENCES };
    for change in mended.diff.iter().take(shown) {
        diff::print_change(session, change, "    ", session.common.verbose)?;
    }
    if mended.diff.len() > shown {
        let more = mended.diff.len() - shown;
        session.out.line(format_args!("    +{more} more (--verbose shows all)"))?;
    }
    if let Some(note) = &mended.note {
        session.out.line(format_args!("  note     {note}"))?;
    }
    if settings.game.is_some() || session.common.verbose { accepted(session, checked) } else { Ok(()) }
}

/// Which games take the model.
fn accepted(session: &mut Session, checked: &Checked) -> Result<(), Stop> {
    let games: Vec<&str> = checked.accepted_by.iter().map(|game| game.word()).collect();
    let games = if games.is_empty() { "no known game".to_owned() } else { games.join(", ") };
    session.out.line(format_args!("  accepted by {games}"))
}

/// How many notes and unused things there are.
fn folded_words(folded: &[Finding]) -> String {
    let number = |severity| {
        u64::try_from(folded.iter().filter(|finding| finding.severity == severity).count())
            .unwrap_or(u64::MAX)
    };
    let (notes, unused) = (number(Severity::Note), number(Severity::Unused));
    let words = [(notes, count(notes, "note")), (unused, format!("{} unused", commas(unused)))];
    let words = words.into_iter().filter(|(number, _)| *number > 0).map(|(_, words)| words);
    words.collect::<Vec<_>>().join(", ")
}

fn group_of(session: &mut Session, first: &Finding, group: &[Finding]) -> Result<(), Stop> {
    let shown = if session.common.verbose { usize::MAX } else { SHOWN };
    let severity = session.out.paint(tone(first.severity), format_args!("{:<7}", first.severity));
    session.out.line(format_args!("  {severity}  {}  {}", first.code, first.title))?;
    for finding in group.iter().take(shown) {
        let offset = match (finding.line, finding.offset) {
            (Some((line, column)), _) => format!("{line}:{column}: "),
            (None, Some(offset)) => format!("{offset:#x}: "),
            (None, None) => String::new(),
        };
        let place = if finding.path.is_empty() { String::new() } else { format!("{}: ", finding.path) };
        let fix = if finding.fixable { " [fix]" } else { "" };
        session.out.line(format_args!("           {offset}{place}{}{fix}", finding.message))?;
    }
    if group.len() > shown {
        session.out.line(format_args!("           +{} more (--verbose shows all)", group.len() - shown))?;
    }
    Ok(())
}

/// The last line.
pub fn totals(session: &mut Session, totals: &Totals) -> Result<(), Stop> {
    let words = [
        (Tone::Bad, totals.errors, "error"),
        (Tone::Bad, totals.severe, "severe"),
        (Tone::Odd, totals.warnings, "warning"),
        (Tone::Good, totals.notes, "note"),
        (Tone::Good, totals.unused, "unused"),
    ];
    let counts = words
        .iter()
        .map(|(tone, number, word)| {
            // Severe and unused stay as they are; the others are counted things.
            let plain = matches!(*word, "severe" | "unused");
            let text = if plain { format!("{} {word}", commas(*number)) } else { count(*number, word) };
            if *number > 0 { session.out.paint(*tone, text) } else { text }
        })
        .collect::<Vec<_>>()
        .join("   ");
    let mut more = String::new();
    if totals.repaired > 0 {
        more.push_str(&format!("   {} repaired", commas(totals.repaired)));
    } else if totals.fixable > 0 {
        more.push_str(&format!("   --fix repairs {}", commas(totals.fixable)));
    }
    if totals.failed > 0 {
        more.push_str(&format!("   {} not readable", commas(totals.failed)));
    }
    let (files, clean) = (count(totals.files, "file"), commas(totals.clean));
    session.out.line(format_args!("  {files}, {clean} clean    {counts}{more}"))
}

/// The codes of archives and textures.
fn others() -> impl Iterator<Item = &'static (effigy::wire::Code, &'static str, &'static str)> {
    effigy::assets::codes::ALL.iter().chain(effigy::image::codes::ALL)
}

/// The codes that begin so, with their titles.
fn family(session: &mut Session, start: &str) -> Result<Exit, Stop> {
    let mut codes = rules::rule::beginning(start).peekable();
    let begins = |code: &str| code.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start));
    let others: Vec<_> = others().filter(|(code, ..)| begins(code.0)).collect();
    if codes.peek().is_none() && others.is_empty() {
        return Err(Stop::Usage(format!(
            "there is no code {start}; `effigy check --explain MDX` lists some"
        )));
    }
    for code in codes {
        let severity = code.severity.map(|severity| severity.to_string()).unwrap_or_default();
        session.out.line(format_args!("{}  {severity:<7}  {}", code.code, code.title))?;
    }
    for (code, title, _) in others {
        session.out.line(format_args!("{code}  {:<7}  {title}", ""))?;
    }
    Ok(Exit::Fine)
}

/// What a code means, or which codes begin so.
pub fn explain(session: &mut Session, code: &str) -> Result<Exit, Stop> {
    let Some(found) = rules::explain(code) else {
        let others = others().find(|(known, ..)| known.0.eq_ignore_ascii_case(code));
        return match others {
            Some((code, title, text)) => {
                let head = session.out.paint(Tone::Strong, format_args!("{code}  {title}"));
                session.out.line(format_args!("{head}\n{text}"))?;
                Ok(Exit::Fine)
            }
            None => family(session, code),
        };
    };
    let severity = found.severity.map(|severity| format!("   {severity}")).unwrap_or_default();
    let head = session.out.paint(Tone::Strong, format_args!("{}  {}", found.code, found.title));
    session.out.line(format_args!("{head}{severity}"))?;
    session.out.line(format_args!("{}", found.text))?;
    if !found.profiles.is_empty() {
        let names: Vec<&str> = found.profiles.iter().map(|profile| profile.name()).collect();
        session.out.line(format_args!("Looked for in: {}.", names.join(", ")))?;
    }
    if found.fix {
        session.out.line(format_args!("--fix repairs it where that is safe."))?;
    }
    Ok(Exit::Fine)
}
