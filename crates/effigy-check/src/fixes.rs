//! Repairs: only what is safe, and each one is told. Everything else stays as it is, byte for byte.

use crate::rule::{self, Fix};
use effigy_mdx::Model;
use effigy_wire::Code;

/// One thing that a repair did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// The rule whose findings it mends.
    pub code: Code,
    /// Where.
    pub path: String,
    /// What was done.
    pub message: String,
}

/// Repairs what rules with these codes (or codes that begin so) found. No codes: all safe repairs.
pub fn fix(model: &mut Model, codes: &[impl AsRef<str>]) -> Vec<Applied> {
    let wanted = |code: &str| {
        codes.is_empty()
            || codes.iter().any(|one| {
                let one = one.as_ref();
                code.get(..one.len()).is_some_and(|start| start.eq_ignore_ascii_case(one))
            })
    };
    let mut applied = Vec::new();
    for rule in rule::all().filter(|rule| wanted(rule.code.0)) {
        if let Some(Fix::Mdx(run)) = rule.fix {
            let changes = run(model).into_iter();
            applied.extend(changes.map(|(path, message)| Applied { code: rule.code, path, message }));
        }
    }
    applied
}
