//! Units of length of the games.

use super::{RaiseOptions, extras, names, timeline};
use effigy_scene::sample::{Moment, Sampler};
use effigy_scene::{Bounds, Scene, ValidScene};
use effigy_wire::Report;

/// Units of Warcraft III in a yard: what the usual converter has.
const PER_YARD: f32 = 56.0;
/// Units of Warcraft III in a metre.
const PER_METRE: f32 = 60.0;
/// Units of Warcraft III in a unit of Quake's engines.
const PER_QUAKE_UNIT: f32 = 1.4;

/// The unit of length of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::raise) enum Unit {
    /// Warcraft III's.
    Warcraft,
    /// A yard, as in World of Warcraft.
    Yard,
}

impl Unit {
    const fn length(self) -> f32 {
        match self {
            Self::Warcraft => 1.0,
            Self::Yard => PER_YARD,
        }
    }
}

/// The format that a scene came from.
pub(in crate::raise) fn format(scene: &Scene) -> &str {
    extras::text(&scene.extras, "format").unwrap_or_default()
}

/// The height of the posed model in what becomes its first Stand, or of its bind pose.
pub(in crate::raise) fn scene_height(scene: &ValidScene, options: &RaiseOptions) -> f32 {
    let sampler = Sampler::new(scene);
    let mut pose = sampler.pose();
    // What is said about sequences is said where they are written.
    let clips = timeline::plan(scene, options, &mut Report::default());
    let stand = clips.iter().find(|clip| names::is_stand(&clip.name)).and_then(|clip| clip.source);
    let moment = Moment { sequence: stand.or_else(|| scene.sequences.id(0)), time: 0.0, clock: 0.0 };
    sampler.sample(&moment, None, &mut pose);
    sampler.skin(&mut pose);
    let shown = pose.meshes().iter().zip(scene.meshes.as_slice()).filter(|(_, mesh)| mesh.shown);
    let bounds = shown.fold(Bounds::EMPTY, |all, (mesh, _)| all.union(&Bounds::around(&mesh.positions)));
    if bounds.is_empty() { 0.0 } else { bounds.max[2] - bounds.min[2] }
}

/// How many units of the target a unit of the scene is.
pub(in crate::raise) fn factor(scene: &ValidScene, options: &RaiseOptions, target: Unit) -> f32 {
    let length = match format(scene) {
        "m2" | "wow-alpha-mdx" => PER_YARD,
        "gltf" => PER_METRE,
        "mdc" | "md3" => PER_QUAKE_UNIT,
        _ => Unit::Warcraft.length(),
    };
    chosen(scene, options, length / target.length())
}

/// The factor that follows from the height or scale that the user chose, else the usual one.
pub(in crate::raise) fn chosen(scene: &ValidScene, options: &RaiseOptions, usual: f32) -> f32 {
    let by = match options.height {
        Some(height) => {
            let now = scene_height(scene, options);
            if now > 0.0 { height / now } else { usual }
        }
        None => options.scale.unwrap_or(usual),
    };
    if by.is_finite() && by > 0.0 { by } else { usual }
}
