//! Repairs. Only safe ones exist, each change is reported, and everything else stays the same byte for byte.

use crate::Checkable;
use crate::rule;
use effigy_wire::Code;

/// One change that a repair made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// The rule whose finding it removes.
    pub code: Code,
    /// Where.
    pub path: String,
    /// What was done.
    pub message: String,
}

/// The repair of a rule. It returns what it changed.
#[derive(Clone, Copy)]
pub enum Fix {
    /// An MDX or MDL model.
    Mdx(fn(&mut effigy_mdx::Model) -> Vec<Change>),
    /// An M2 model.
    M2(fn(&mut effigy_m2::Model) -> Vec<Change>),
}

/// A place inside a model, and what a repair did there.
pub type Change = (String, String);

/// Repairs what rules with these codes (or codes that begin with them) found. No codes: all safe repairs.
pub fn fix(model: &mut dyn Checkable, codes: &[impl AsRef<str>]) -> Vec<Applied> {
    let wanted = |code: &str| {
        codes.is_empty()
            || codes.iter().any(|one| {
                let one = one.as_ref();
                code.get(..one.len()).is_some_and(|start| start.eq_ignore_ascii_case(one))
            })
    };
    let mut applied = Vec::new();
    for rule in rule::all().filter(|rule| wanted(rule.code.0)) {
        let changes = rule.fix.and_then(|fix| model.repair(fix)).into_iter().flatten();
        applied.extend(changes.map(|(path, message)| Applied { code: rule.code, path, message }));
    }
    applied
}
