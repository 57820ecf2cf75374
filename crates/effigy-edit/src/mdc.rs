//! Edits of MDC and MD3 models.
//!
//! Positions have 16 bits, in 1/64 units. An MDC stores most frames as small differences, which a scale would make too large or too coarse; it
//! can be scaled as MD3.

use crate::{Done, Operation, Pattern, fields};
use effigy_mdc::{Format, Model, Tags, normals};
use effigy_wire::{Error, FixedStr, Report, Result, Similarity, Space, Spatial};
use regex::Regex;

/// Units that a number of a position stands for.
const UNIT: f64 = 1.0 / 64.0;

/// Degrees between directions that are the same but for rounding.
const EXACT: f64 = 0.01;

/// Applies one operation.
///
/// # Errors
/// When the operation cannot be done with this model, or has no meaning in its format.
pub fn apply(model: &mut Model, operation: &Operation) -> Result<Done> {
    match operation {
        Operation::Set { path, value } => set(model, path, value),
        Operation::TexturePath { find, to } => texture_paths(model, find, to),
        Operation::RenameNode { from, to } => rename_tags(model, from, to),
        Operation::Transform(by) if model.format == Format::Md3 => transform(model, *by),
        other => {
            let name = if model.format == Format::Md3 { "MD3" } else { "MDC" };
            Err(other.not_for(name))
        }
    }
}

/// Sets a field, such as `surfaces[0].header.flags` or `frames[*].radius`.
///
/// # Errors
/// When there is no such field, the value does not fit it, or it follows from others, as counts do.
pub fn set(model: &mut Model, path: &str, value: &str) -> Result<Done> {
    let format = model.format;
    fields::set(model, path, value, Model::visit, |tree| Model::build(format, &tree))
}

/// Replaces what fits in a name.
///
/// # Errors
/// When the new name is too long.
pub(crate) fn replace<const N: usize>(name: &mut FixedStr<N>, find: &Regex, to: &str) -> Result<usize> {
    let Ok(old) = std::str::from_utf8(name.text_bytes()) else { return Ok(0) };
    let new = find.replace_all(old, to).into_owned();
    if new == old {
        return Ok(0);
    }
    name.set(&new).map_err(|error| Error::from(error).hint(format!("the path would be {new}")))?;
    Ok(1)
}

/// Renames what fits a pattern.
///
/// # Errors
/// When the new name is too long.
pub(crate) fn rename<const N: usize>(name: &mut FixedStr<N>, from: &Pattern, to: &str) -> Result<usize> {
    if !from.fits(&name.text()) || *name == *to {
        return Ok(0);
    }
    name.set(to)?;
    Ok(1)
}

/// Replaces what fits in the names of shaders, which are paths of textures unless a script defines them.
///
/// # Errors
/// When a new name is too long.
pub fn texture_paths(model: &mut Model, find: &Regex, to: &str) -> Result<Done> {
    let mut changed = 0;
    for shader in model.surfaces.iter_mut().flat_map(|surface| &mut surface.shaders) {
        changed += replace(&mut shader.name, find, to)?;
    }
    Ok(Done::exactly(changed))
}

/// Renames tags, in every frame.
///
/// # Errors
/// When the new name is too long.
pub fn rename_tags(model: &mut Model, from: &Pattern, to: &str) -> Result<Done> {
    let mut changed = 0;
    match &mut model.tags {
        Tags::Packed { names, .. } => {
            for name in names {
                changed += rename(name, from, to)?;
            }
        }
        Tags::Full(tags) => {
            for tag in tags {
                changed += rename(&mut tag.name, from, to)?;
            }
        }
    }
    Ok(Done::exactly(changed))
}

/// Scales, turns or moves an MD3. Positions are rounded to 1/64 units and directions to 1/256 turns, and the report has the largest
/// difference.
///
/// # Errors
/// When a position would be beyond the 512 units that the format has in each direction.
pub fn transform(model: &mut Model, by: Similarity) -> Result<Done> {
    let mut by = by;
    let (mut worst, mut turned) = (0.0_f64, 0.0_f64);
    for vertex in model.surfaces.iter_mut().flat_map(|surface| &mut surface.base) {
        let moved = by.apply(vertex.position.map(|number| f64::from(number) * UNIT));
        for (number, wanted) in vertex.position.iter_mut().zip(moved) {
            let rounded = (wanted / UNIT).round();
            worst = worst.max((rounded * UNIT - wanted).abs());
            *number = whole(rounded)?;
        }
        if by.turns() {
            let mut normal = normals::unpack(vertex.normal);
            by.direction(&mut normal);
            vertex.normal = normals::pack(normal);
            turned = turned.max(normals::degrees_between(normal, normals::unpack(vertex.normal)));
        }
    }
    model.frames.walk_space(&mut by);
    if let Tags::Full(tags) = &mut model.tags {
        tags.walk_space(&mut by);
    }
    let mut report = Report::default();
    if worst > 0.0 {
        report.approximated("surfaces", format!("positions have steps of 1/64: up to {worst:.4} units off"));
    }
    if turned > EXACT {
        report.approximated(
            "surfaces",
            format!("normals have steps of 1.4 degrees: up to {turned:.2} degrees off"),
        );
    }
    Ok(Done { changed: 1, report })
}

#[allow(clippy::cast_possible_truncation, reason = "checked")]
fn whole(number: f64) -> Result<i16> {
    if number < f64::from(i16::MIN) || number > f64::from(i16::MAX) {
        return Err(Error::unrepresentable("a vertex would be more than 512 units from the origin"));
    }
    Ok(number as i16)
}
