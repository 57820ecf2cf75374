//! Edits of models. Each operation is a function with a report; what it does not name stays the same, byte for byte.
//!
//! ```
//! use effigy_edit::{Operation, mdx};
//!
//! let mut model = effigy_mdx::Model::new(effigy_mdx::Dialect::Warcraft3, 800, "Footman");
//! model.pivots.push([1.0, 2.0, 3.0]);
//! for operation in [Operation::parse("scale", "2")?, Operation::parse("rotate", "90")?] {
//!     mdx::apply(&mut model, &operation)?;
//! }
//! assert_eq!(model.pivots[0], [-4.0, 2.0, 6.0]);
//! # Ok::<(), effigy_wire::Error>(())
//! ```
//!
//! Scale, turn and move go by the meaning that each field has in the declaration of its record ([`effigy_wire::Space`]), so
//! that no field is forgotten. Whatever removes something goes through [`mdx::refs`]: one routine per kind of reference.

mod fields;
pub mod m2;
pub mod mdc;
pub mod mds;
pub mod mdx;
mod operation;
mod pattern;
mod script;

pub use operation::{Operation, Part, VERBS, Verb};
pub use pattern::Pattern;
pub use script::script;

use effigy_wire::Report;

/// What an operation did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Done {
    /// How many things were changed: sequences renamed, textures retargeted, records removed. Zero when nothing matched.
    pub changed: usize,
    /// What did not come out exactly, or could not be changed.
    pub report: Report,
}

impl Done {
    /// So many changes, all exact.
    #[must_use]
    pub fn exactly(changed: usize) -> Self {
        Self { changed, report: Report::default() }
    }
}

/// Names in a line of a report, at most.
const LISTED: usize = 8;

/// Names for a report.
fn listed(names: &[String]) -> String {
    let shown = names.iter().take(LISTED).map(String::as_str).collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(LISTED) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
