//! Setting any field by the path that `dump` prints. The records of a chunk are parsed again, and the other chunks are not touched.

use crate::Done;
use crate::fields::{Step, change, steps, unknown};
use effigy_mdx::Model;
use effigy_wire::{Result, Tag};

/// Sets a field, such as `SEQS[2].rarity` or `GEOS[0].vertices[5][2]`. `[*]` stands for every element. The value is a
/// number, a list in brackets, text, or for flags and choices a name (`MTLS[0].layers[0].filter_mode=Additive`).
///
/// # Errors
/// When there is no such field, or the value does not fit it.
pub fn set(model: &mut Model, path: &str, value: &str) -> Result<Done> {
    let steps = steps(path)?;
    let Some((Step::Name(chunk), rest)) = steps.split_first() else { return Err(unknown(path)) };
    let tag = Tag::unescape(chunk).map_err(|_| unknown(path))?;
    let mut changed = 0;
    model.change_tree(tag, |tree| {
        let here = change(tree, rest, value)?;
        changed += here;
        Ok(here > 0)
    })?;
    if changed == 0 { Err(unknown(path)) } else { Ok(Done::exactly(changed)) }
}
