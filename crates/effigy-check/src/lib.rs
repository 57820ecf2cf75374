//! Finds what is wrong with a model, explains why it matters in the game, and repairs what can safely be repaired.
//!
//! ```
//! use effigy_check::{CheckOptions, check};
//!
//! let mut model = effigy_mdx::Model::new(effigy_mdx::Dialect::Warcraft3, 800, "Footman");
//! model.bones.push(effigy_mdx::Bone::default());
//! let checked = check(&model, &CheckOptions::default());
//! assert!(checked.findings.iter().any(|finding| finding.title == "no sequences"));
//!
//! let applied = effigy_check::fix(&mut model, &["MDX1004"]);
//! assert_eq!(applied.len(), 1);
//! assert_eq!(model.sequences[0].name, "Stand");
//! ```
//!
//! A rule is one entry in a table: a stable code, a severity, a title, an explanation, the kinds of model it applies
//! to, a function over the typed model and, where that is safe, a repair. There is one table per family of rules, in the
//! modules `mdx`, `m2`, `mdc`, `mds`, `gltf`, `common` and `walk`, and `docs/checks.md` is generated from them. What the readers
//! noticed is listed together with what the rules found, so that a caller has one list to show.
//!
//! The rules cover what the sanity test of mdx-m3-viewer and the validator of HiveWE look for, and problems that
//! the sources of the engines and real files revealed beyond that.

mod checkable;
mod common;
pub mod docs;
mod findings;
mod fixes;
pub mod game;
#[cfg(feature = "sarif")]
pub mod github;
mod gltf;
mod m2;
mod mdc;
mod mds;
mod mdx;
mod options;
mod profile;
pub mod rule;
#[cfg(feature = "sarif")]
pub mod sarif;
mod walk;
mod weights;

pub use checkable::Checkable;
pub use findings::Finding;
pub use fixes::{Applied, fix};
pub use game::Game;
pub use options::{CheckOptions, Lookup};
pub use profile::{Guess, Profile};
pub use rule::{Explanation, Rule, explain};

use checkable::sealed::Scan;
use effigy_wire::{Diagnostics, Severity};
use findings::Findings;
use rule::Run;
use walk::{Search, Walk};

/// What a check found.
#[derive(Clone, Debug)]
pub struct Checked {
    /// What kind of thing the model is taken for, and why. It decides which rules apply.
    pub guess: Guess,
    /// What is wrong, most severe first; findings of the same severity are in the order of the rules.
    pub findings: Vec<Finding>,
    /// How many findings were not listed because a rule had too many of them.
    pub left_out: usize,
    /// The games that load the model, as far as their limits are known.
    pub accepted_by: Vec<Game>,
    /// How many of the files that it names may be part of the game, and were not looked for because the game's files are not known.
    pub not_looked_for: usize,
}

impl Checked {
    /// What a reader noticed, for a file that there are no rules for.
    #[must_use]
    pub fn of_diagnostics(diagnostics: &Diagnostics, options: &CheckOptions<'_>) -> Self {
        let guess =
            Guess::new(options.profile.unwrap_or(Profile::Unit), "there are no rules for this format");
        let mut findings = reported(diagnostics, options);
        findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
        Self { guess, findings, left_out: diagnostics.left_out(), accepted_by: Vec::new(), not_looked_for: 0 }
    }

    /// How many findings have this severity.
    #[must_use]
    pub fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|finding| finding.severity == severity).count()
    }
}

/// Checks a model.
#[must_use]
pub fn check(model: &dyn Checkable, options: &CheckOptions<'_>) -> Checked {
    let guess = match options.profile {
        Some(profile) => Guess::new(profile, "as asked for"),
        None => model.guess(options.file_name),
    };
    let mut found = Findings::new();
    found.list = reported(model.diagnostics(), options);
    let rules: Vec<&'static Rule> =
        rule::all().filter(|rule| rule.applies_to(guess.profile) && options.wants(rule.code.0)).collect();
    let scan = model.run(&rules, options, &mut found);
    let common = common::Facts::new(model, options);
    for rule in rules {
        if let Run::Any(run) = rule.run {
            found.begin(rule);
            run(&common, &mut found);
        }
    }
    locate(model, scan, options, &mut found);
    let Findings { mut list, mut left_out, .. } = found;
    left_out = left_out.saturating_add(model.diagnostics().left_out());
    list.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    let accepted_by = game::accepted_by(model);
    Checked { guess, findings: list, left_out, accepted_by, not_looked_for: common.not_looked_for() }
}

/// What a reader noticed, as findings.
fn reported(diagnostics: &Diagnostics, options: &CheckOptions<'_>) -> Vec<Finding> {
    let wanted = diagnostics.iter().filter(|diagnostic| options.wants(diagnostic.code.0));
    let title = |code: &str| explain(code).map_or("", |explanation| explanation.title);
    wanted.map(|diagnostic| Finding::from_diagnostic(diagnostic, title(diagnostic.code.0))).collect()
}

/// Gives each finding the offset of the field that it names, and runs the rules about values anywhere in the model. Almost no
/// model has what these look for, so one fast walk is usually enough; the slower walk, which records where, only runs
/// when there is something to locate.
fn locate(model: &dyn Checkable, scan: Scan, options: &CheckOptions<'_>, found: &mut Findings) {
    let rules = || walk::RULES.iter().filter(|rule| options.wants(rule.code.0));
    let searches = rules().next().is_some();
    let mut walk = Walk::new(if searches { Search::Whether } else { Search::Nothing });
    let without_offset = |finding: &Finding| finding.offset.is_none() && !finding.path.is_empty();
    let wanted: Vec<usize> = found
        .list
        .iter()
        .filter(|finding| without_offset(finding))
        .map(|finding| walk.want(&finding.path))
        .collect();
    if !searches && wanted.is_empty() {
        return;
    }
    model.visit(&mut walk);
    let offsets: Vec<Option<usize>> = wanted.into_iter().map(|wanted| walk.offset(wanted)).collect();
    let something = walk.found;
    for (finding, offset) in found.list.iter_mut().filter(|finding| without_offset(finding)).zip(offsets) {
        finding.offset = offset;
    }
    if searches && (something || scan == Scan::Suspicious) {
        let mut walk = Walk::new(Search::Where);
        model.visit(&mut walk);
        for rule in rules() {
            found.begin(rule);
            if let Run::Walk(run) = rule.run {
                run(&walk, found);
            }
        }
    }
}
