//! Edits of World of Warcraft models.
//!
//! Versions before 264 are one file. From 264 on, a model has its parts of the mesh in `.skin` files and keys in `.anim` files: what changes
//! them needs all of them attached.

mod turn;

use crate::{Done, Operation, fields, listed};
use effigy_m2::{Block, Caps, Companion, Model};
use effigy_wire::{Error, Result, Similarity, Spatial};
use regex::Regex;
use std::collections::BTreeMap;

/// Applies one operation.
///
/// # Errors
/// When the operation cannot be done with this model, or has no meaning in its format.
pub fn apply(model: &mut Model, operation: &Operation) -> Result<Done> {
    match operation {
        Operation::Set { path, value } => set(model, path, value),
        Operation::TexturePath { find, to } => Ok(texture_paths(model, find, to)),
        Operation::Transform(by) => transform(model, *by),
        other => Err(other.not_for("M2")),
    }
}

/// Sets a field of the model file, such as `sequences[0].move_speed`. Files that belong to it stay as they are.
///
/// # Errors
/// When there is no such field, the value does not fit it, or it follows from others.
pub fn set(model: &mut Model, path: &str, value: &str) -> Result<Done> {
    let version = model.version();
    let attached = model.attached();
    let files: Vec<_> =
        attached.into_iter().map(|one| Ok((one, model.write_companion(one)?))).collect::<Result<_>>()?;
    fields::set(model, path, value, Model::visit, |tree| {
        let mut made = Model::build(version, tree)?;
        let there = made.attached();
        // Keys in other files are not among the fields of this one.
        for (companion, bytes) in files.iter().filter(|(companion, _)| !there.contains(companion)) {
            made.attach(*companion, bytes)?;
        }
        Ok(made)
    })
}

/// Replaces what fits in the paths of textures. Textures that the game chooses have no path.
pub fn texture_paths(model: &mut Model, find: &Regex, to: &str) -> Done {
    let mut changed = 0;
    for texture in model.textures.iter_mut().filter(|texture| texture.kind == 0) {
        let Ok(path) = std::str::from_utf8(texture.name.text_bytes()) else { continue };
        let new = find.replace_all(path, to);
        if new != path {
            texture.name = Block::text_of(&new);
            changed += 1;
        }
    }
    Done::exactly(changed)
}

/// Scales, turns or moves a model: every pose of the result is that of the model, scaled, turned or moved. Skins and animations that are
/// attached change with it.
///
/// # Errors
/// When one of its `.skin` or `.anim` files is not attached, which would have to change as well, when a model without bones should be
/// turned, when two sequences have keys in one `.anim` file, and when a distance of a bone becomes too
/// large for its field.
pub fn transform(model: &mut Model, by: Similarity) -> Result<Done> {
    let missing: Vec<String> =
        model.companions().into_iter().filter_map(|one| one.file_name(model, "NAME.m2").ok()).collect();
    if !missing.is_empty() {
        let text = format!("files that would have to change as well are missing: {}", listed(&missing));
        return Err(Error::unsupported(text).hint(
            "put the files next to the model, under its NAME; `effigy extract` gets them from an archive",
        ));
    }
    if by.turns() {
        let report = turn::turn(model, by)?;
        one_file_each(model)?;
        return Ok(Done { changed: 1, report });
    }
    let mut by = by;
    model.contents.walk_space(&mut by);
    model.skins.iter_mut().for_each(|skin| skin.walk_space(&mut by));
    // `z_ratio` is a share of the model's height, which a scale does not change.
    if by.factor() != 1.0 && model.caps().contains(Caps::PACKED_ROTATION) {
        for bone in &mut model.contents.bones {
            for word in [&mut bone.submesh, &mut bone.distance] {
                *word = scaled(*word, by.factor())?;
            }
        }
    }
    one_file_each(model)?;
    Ok(Done::exactly(1))
}

/// Checks that sequences of the same number, which have one `.anim` file, agree on what is in it. Each writes its own keys alone.
fn one_file_each(model: &Model) -> Result<()> {
    let mut files: BTreeMap<String, Companion> = BTreeMap::new();
    for companion in model.attached() {
        let name = companion.file_name(model, "NAME.m2")?;
        let Some(first) = files.get(&name) else {
            files.insert(name, companion);
            continue;
        };
        if model.write_companion(*first)? != model.write_companion(companion)? {
            let text = format!("two sequences have keys in {name}, which cannot be changed for both");
            return Err(
                Error::unsupported(text).hint("`effigy convert --to m2:263` makes one file of the model")
            );
        }
    }
    Ok(())
}

/// A distance in 1/36 units.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked")]
fn scaled(word: u16, factor: f64) -> Result<u16> {
    let scaled = (f64::from(word) * factor).round();
    if scaled > f64::from(u16::MAX) {
        return Err(Error::unrepresentable("the distance of a bone would be larger than its field"));
    }
    Ok(scaled as u16)
}
