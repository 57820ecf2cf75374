//! The names that sequences and attachments get as MD3 and MDC, as a file of names.

use super::lines;
use crate::Result;
use effigy_convert::raise::{self, RaiseOptions};
use effigy_scene::ValidScene;

/// Prints what each sequence would be called in `animation.cfg` and in its frames, and each attachment as a tag.
pub(super) fn print(scene: &ValidScene, options: &RaiseOptions) -> Result<String> {
    let raised = raise::md3(scene, options)?;
    let (sequences, tags) = (lines(&raised.sequences), lines(&raised.model.tags));
    let head =
        "# Old names, and new ones in Quake's engines. An empty new name leaves a sequence or tag out.";
    Ok(format!("{head}\n[sequences]\n{sequences}\n[attachments]\n{tags}"))
}
