//! The wait before an animation of another program.
//!
//! Programs whose first frame is 1 export animations that begin a frame late, and others cut animations out of a long timeline. In
//! glTF such an animation waits in its first pose; a game would wait in every round.

use effigy_scene::{Extra, ValidScene, validate};
use effigy_wire::Result;
use std::borrow::Cow;

/// The extra in which `effigy_gltf` keeps how long an animation waits, in milliseconds.
const WAIT: &str = "wait";

/// The scene with sequences that begin with their first key.
///
/// # Errors
/// Never with a valid scene.
pub(super) fn without(source: &ValidScene) -> Result<Cow<'_, ValidScene>> {
    let waits: Vec<i32> = source
        .sequences
        .as_slice()
        .iter()
        .map(|sequence| match sequence.extras.get(WAIT) {
            Some(Extra::Int(wait)) => i32::try_from(*wait).unwrap_or(0),
            _ => 0,
        })
        .collect();
    if waits.iter().all(|wait| *wait == 0) {
        return Ok(Cow::Borrowed(source));
    }
    let mut scene = (**source).clone();
    for (sequence, wait) in scene.sequences.as_mut_slice().iter_mut().zip(waits) {
        if (1..sequence.length()).contains(&wait) {
            sequence.start = sequence.start.saturating_add(wait);
        }
    }
    Ok(Cow::Owned(validate(scene)?))
}
