//! Names: sequences, nodes, texture paths.

use crate::{Done, Pattern};
use effigy_mdx::Model;
use effigy_wire::{Error, FixedStr, Result};
use regex::Regex;

/// Renames sequences. The guides of popcorn emitters, which name the sequences in which they play, follow.
///
/// # Errors
/// When the new name is too long.
pub fn rename_sequences(model: &mut Model, from: &Pattern, to: &str) -> Result<Done> {
    let mut changed = 0;
    for sequence in model.sequences.iter_mut().filter(|sequence| from.fits(&sequence.name.text())) {
        changed += usize::from(sequence.name != to);
        sequence.name.set(to)?;
    }
    if changed > 0 {
        for emitter in &mut model.popcorn_emitters {
            let guide = &mut emitter.visibility_guide;
            let renamed = guide_with(&guide.text(), |name| from.fits(name).then(|| Some(to.to_owned())));
            if let Some(renamed) = renamed {
                guide.set(&renamed)?;
            }
        }
    }
    Ok(Done::exactly(changed))
}

/// A guide such as `Always=on, Death=off` with some of its names replaced or, for `Some(None)`, removed. `None` when no
/// name is concerned.
pub(super) fn guide_with(
    guide: &str,
    mut change: impl FnMut(&str) -> Option<Option<String>>,
) -> Option<String> {
    let mut touched = false;
    let entries: Vec<String> = guide
        .split(',')
        .filter_map(|entry| {
            let (name, state) = entry.split_once('=').unwrap_or((entry, ""));
            let Some(changed) = change(name.trim()) else { return Some(entry.to_owned()) };
            touched = true;
            let lead: String = entry.chars().take_while(|letter| letter.is_whitespace()).collect();
            let rest = if entry.contains('=') { format!("={state}") } else { String::new() };
            changed.map(|name| format!("{lead}{name}{rest}"))
        })
        .collect();
    touched.then(|| entries.join(",").trim_start().to_owned())
}

/// Renames nodes of any kind.
///
/// # Errors
/// When the new name is too long.
pub fn rename_nodes(model: &mut Model, from: &Pattern, to: &str) -> Result<Done> {
    let name = FixedStr::<80>::new(to)?;
    let mut changed = 0;
    model.each_node_mut(|_, node| {
        if from.fits(&node.name.text()) && node.name != to {
            node.name = name;
            changed += 1;
        }
    });
    Ok(Done::exactly(changed))
}

/// Replaces what fits in the paths of textures.
///
/// # Errors
/// When a new path is too long, or is not UTF-8 where it has to be changed.
pub fn texture_paths(model: &mut Model, find: &Regex, to: &str) -> Result<Done> {
    let mut changed = 0;
    for (index, texture) in model.textures.iter_mut().enumerate() {
        let Ok(path) = std::str::from_utf8(texture.path.text_bytes()) else { continue };
        let new = find.replace_all(path, to);
        if new != path {
            let new = new.into_owned();
            texture
                .path
                .set(&new)
                .map_err(|error| Error::from(error).hint(format!("TEXS[{index}].path would be {new}")))?;
            changed += 1;
        }
    }
    Ok(Done::exactly(changed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guide_keeps_what_is_not_renamed() {
        let rename = |name: &str| (name == "Death").then(|| Some("Decay".to_owned()));
        assert_eq!(guide_with("Always=on, Death=off", rename).unwrap(), "Always=on, Decay=off");
        assert_eq!(guide_with("Always=on", rename), None);
        assert_eq!(
            guide_with("Death=on, Walk=off", |name| (name == "Death").then_some(None)).unwrap(),
            "Walk=off"
        );
    }
}
