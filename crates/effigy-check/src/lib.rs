//! What is wrong with a model, why it matters, and how to mend it.
//!
//! ```
//! use effigy_check::{Options, Subject, check};
//!
//! let mut model = effigy_mdx::Model::new(effigy_mdx::Dialect::Warcraft3, 800, "Footman");
//! model.bones.push(effigy_mdx::Bone::default());
//! let checked = check(Subject::Mdx(&model), &Options::default());
//! assert!(checked.findings.iter().any(|finding| finding.title == "no sequences"));
//!
//! let applied = effigy_check::fix(&mut model, &["MDX1004"]);
//! assert_eq!(applied.len(), 1);
//! assert_eq!(model.sequences[0].name, "Stand");
//! ```
//!
//! A rule is one entry in a table: a stable code, how bad it is, a title, an explanation, the kinds of model it applies
//! to, a function over the typed model and, where that is safe, a repair. The tables stand in one file per family
//! (`mdx`, `m2`, `mdc`, `common`), and `docs/checks.md` is made from them. What the readers noticed stands in the
//! same list as what the rules found.
//!
//! The rules cover what the sanity test of mdx-m3-viewer and the validator of HiveWE look for, and what the engines'
//! sources and real files showed beyond that.

mod common;
pub mod docs;
mod findings;
mod fixes;
pub mod game;
mod m2;
mod mdc;
mod mdx;
mod options;
mod profile;
pub mod rule;
mod walk;
mod weights;

pub use findings::Finding;
pub use fixes::{Applied, SubjectMut, fix};
pub use game::Game;
pub use options::{Lookup, Options};
pub use profile::{Guess, Profile};
pub use rule::{Explanation, Rule, explain};

use effigy_wire::{Diagnostics, Severity};
use findings::Findings;
use rule::Run;
use std::any::Any;
use walk::{Search, Walk};

/// A model to check.
#[derive(Clone, Copy, Debug)]
pub enum Subject<'a> {
    /// Warcraft III or WoW alpha, MDX or MDL.
    Mdx(&'a effigy_mdx::Model),
    /// World of Warcraft.
    M2(&'a effigy_m2::Model),
    /// MDC or MD3.
    Mdc(&'a effigy_mdc::Model),
}

impl<'a> Subject<'a> {
    /// The model of a document, if there are rules for it.
    #[must_use]
    pub fn of(document: &'a dyn Any) -> Option<Self> {
        let mdx = document.downcast_ref().map(Self::Mdx);
        mdx.or_else(|| document.downcast_ref().map(Self::M2))
            .or_else(|| document.downcast_ref().map(Self::Mdc))
    }

    /// What the reader noticed.
    #[must_use]
    pub const fn diagnostics(self) -> &'a Diagnostics {
        match self {
            Self::Mdx(model) => model.diagnostics(),
            Self::M2(model) => model.diagnostics(),
            Self::Mdc(model) => model.diagnostics(),
        }
    }

    /// What kind of thing the model is. `file_name` is the model's, where there is one.
    #[must_use]
    pub fn guess(self, file_name: &str) -> Guess {
        match self {
            Self::Mdx(model) => mdx::guess(model, file_name),
            Self::M2(model) => m2::guess(model, file_name),
            Self::Mdc(model) => mdc::guess(model, file_name),
        }
    }

    fn visit(self, walk: &mut Walk<'_>) {
        match self {
            Self::Mdx(model) => model.visit(walk),
            Self::M2(model) => model.visit(walk),
            Self::Mdc(model) => model.visit(walk),
        }
    }
}

/// What a check found.
#[derive(Clone, Debug)]
pub struct Checked {
    /// What kind of thing the model is taken for, and why.
    pub guess: Guess,
    /// What is wrong, worst first, and in the order of the file among those that are equally bad.
    pub findings: Vec<Finding>,
    /// Findings that were too many to be listed.
    pub left_out: usize,
    /// The games that load the model, as far as their known limits tell.
    pub accepted_by: Vec<Game>,
}

impl Checked {
    /// How many findings are this bad.
    #[must_use]
    pub fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|finding| finding.severity == severity).count()
    }
}

/// Checks a model.
#[must_use]
pub fn check(subject: Subject<'_>, options: &Options<'_>) -> Checked {
    let guess = match options.profile {
        Some(profile) => Guess::new(profile, "as asked for"),
        None => subject.guess(options.file_name),
    };
    let mut found = Findings::new();
    for diagnostic in subject.diagnostics() {
        if options.wants(diagnostic.code.0) {
            let title = explain(diagnostic.code.0).map_or("", |explanation| explanation.title);
            found.list.push(Finding::from_diagnostic(diagnostic, title));
        }
    }
    let facts = Facts::new(subject, options);
    for rule in rule::all().filter(|rule| rule.applies_to(guess.profile) && options.wants(rule.code.0)) {
        found.begin(rule);
        match (rule.run, &facts) {
            (Run::Mdx(run), Facts { mdx: Some(facts), .. }) => run(facts, &mut found),
            (Run::M2(run), Facts { m2: Some(facts), .. }) => run(facts, &mut found),
            (Run::Mdc(run), Facts { mdc: Some(facts), .. }) => run(facts, &mut found),
            (Run::Any(run), Facts { common, .. }) => run(common, &mut found),
            _ => {}
        }
    }
    locate(subject, &facts, options, &mut found);
    let Findings { mut list, mut left_out, .. } = found;
    left_out = left_out.saturating_add(subject.diagnostics().left_out());
    list.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    Checked { guess, findings: list, left_out, accepted_by: game::accepted_by(subject) }
}

/// What the rules look at, gathered once.
struct Facts<'a> {
    common: common::Facts<'a>,
    mdx: Option<mdx::Facts<'a>>,
    m2: Option<m2::Facts<'a>>,
    mdc: Option<mdc::Facts<'a>>,
}

impl<'a> Facts<'a> {
    fn new(subject: Subject<'a>, options: &'a Options<'a>) -> Self {
        let mut facts = Self { common: common::Facts::new(subject, options), mdx: None, m2: None, mdc: None };
        match subject {
            Subject::Mdx(model) => facts.mdx = Some(mdx::Facts::new(model)),
            Subject::M2(model) => facts.m2 = Some(m2::Facts::new(model)),
            Subject::Mdc(model) => facts.mdc = Some(mdc::Facts { model, options }),
        }
        facts
    }
}

/// Gives each finding the offset of its place, and runs the rules about what is seen on the way. Nearly no model has what
/// these look for, so that one fast walk is enough; only where there is something a slower one finds out where.
fn locate(subject: Subject<'_>, facts: &Facts<'_>, options: &Options<'_>, found: &mut Findings) {
    let rules = || walk::RULES.iter().filter(|rule| options.wants(rule.code.0));
    let searches = rules().next().is_some();
    let mut walk = Walk::new(if searches { Search::Whether } else { Search::Nothing });
    let lost = |finding: &Finding| finding.offset.is_none() && !finding.path.is_empty();
    let wanted: Vec<usize> =
        found.list.iter().filter(|finding| lost(finding)).map(|finding| walk.want(&finding.path)).collect();
    if !searches && wanted.is_empty() {
        return;
    }
    subject.visit(&mut walk);
    let offsets: Vec<Option<usize>> = wanted.into_iter().map(|wanted| walk.offset(wanted)).collect();
    let something = walk.found;
    for (finding, offset) in found.list.iter_mut().filter(|finding| lost(finding)).zip(offsets) {
        finding.offset = offset;
    }
    if searches && (something || facts.mdx.as_ref().is_some_and(mdx::Facts::has_wrong_keys)) {
        let mut walk = Walk::new(Search::Where);
        subject.visit(&mut walk);
        for rule in rules() {
            found.begin(rule);
            if let Run::Walk(run) = rule.run {
                run(&walk, found);
            }
        }
    }
}
