//! Repairs: only what is safe, and each one is told. Everything else stays as it is, byte for byte.

use crate::rule::{self, Fix};
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

/// A model to repair.
#[derive(Debug)]
pub enum SubjectMut<'a> {
    /// Warcraft III or WoW alpha, MDX or MDL.
    Mdx(&'a mut effigy_mdx::Model),
    /// World of Warcraft.
    M2(&'a mut effigy_m2::Model),
}

impl<'a> From<&'a mut effigy_mdx::Model> for SubjectMut<'a> {
    fn from(model: &'a mut effigy_mdx::Model) -> Self {
        Self::Mdx(model)
    }
}

impl<'a> From<&'a mut effigy_m2::Model> for SubjectMut<'a> {
    fn from(model: &'a mut effigy_m2::Model) -> Self {
        Self::M2(model)
    }
}

/// Repairs what rules with these codes (or codes that begin so) found. No codes: all safe repairs.
pub fn fix<'a>(model: impl Into<SubjectMut<'a>>, codes: &[impl AsRef<str>]) -> Vec<Applied> {
    let mut model = model.into();
    let wanted = |code: &str| {
        codes.is_empty()
            || codes.iter().any(|one| {
                let one = one.as_ref();
                code.get(..one.len()).is_some_and(|start| start.eq_ignore_ascii_case(one))
            })
    };
    let mut applied = Vec::new();
    for rule in rule::all().filter(|rule| wanted(rule.code.0)) {
        let changes = match (rule.fix, &mut model) {
            (Some(Fix::Mdx(run)), SubjectMut::Mdx(model)) => run(model),
            (Some(Fix::M2(run)), SubjectMut::M2(model)) => run(model),
            _ => continue,
        };
        let changes = changes.into_iter();
        applied.extend(changes.map(|(path, message)| Applied { code: rule.code, path, message }));
    }
    applied
}
