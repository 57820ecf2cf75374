//! The names that sequences and attachments get as MD3 and MDC, as a file of names.

use crate::Result;
use effigy_convert::raise::{self, RaiseOptions};
use effigy_scene::ValidScene;
use std::collections::BTreeSet;

/// Prints what each sequence would be called in `animation.cfg` and in its frames, and each attachment as a tag.
pub(super) fn print(scene: &ValidScene, options: &RaiseOptions) -> Result<String> {
    let raised = raise::md3(scene, options)?;
    let sequences = table("sequences", &raised.sequences);
    let tags = table("attachments", &raised.model.tags);
    Ok(format!(
        "# Old names, and new ones in Quake's engines. An empty new name leaves a sequence or tag out.\n{sequences}\n{tags}"
    ))
}

fn table(title: &str, names: &[(String, Option<String>)]) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
    let mut known = BTreeSet::new();
    let mut text = format!("[{title}]\n");
    for (old, new) in names.iter().filter(|(old, _)| known.insert(old)) {
        text.push_str(&format!("{} = {}\n", quoted(old), quoted(new.as_deref().unwrap_or_default())));
    }
    text
}
