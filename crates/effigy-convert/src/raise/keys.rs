//! Keys of a whole scene on a new timeline: how exact they are, and what the report says about it.

use super::metric::straight_cosine;
use super::reduce::Tolerance;
use super::retime::Retiming;
use super::thin::{Limit, thin};
use super::timeline::{self, Clip};
use super::{RaiseOptions, rescene, units};
use effigy_scene::sample::Sampler;
use effigy_scene::{Scene, TurnRule, ValidScene};
use effigy_wire::{Report, Result};

/// Error of sampled curves, as a part of the size, and in radians.
const FINE: [f32; 2] = [5e-5, 1e-4];
/// Error of reduced curves of sampled input. For nodes, the first is the error of posed vertices, and the second that of a curve.
const COARSE: [f32; 2] = [2e-4, 1.2e-3];

/// What a game does between keys.
#[derive(Clone, Copy, Debug)]
pub(super) struct KeyTarget {
    pub turns: TurnRule,
    /// It has cubic curves for everything; otherwise only for cameras.
    pub splines: bool,
    /// It needs a key for every quarter turn.
    pub quarters: bool,
    /// Its name.
    pub game: &'static str,
}

/// Warcraft III.
pub(super) const WARCRAFT: KeyTarget =
    KeyTarget { turns: TurnRule::Slerp, splines: true, quarters: true, game: "Warcraft III" };

/// The scene on the timeline of the clips.
pub(super) fn retimed(
    scene: &ValidScene,
    clips: &[Clip],
    options: &RaiseOptions,
    target: KeyTarget,
    report: &mut Report,
) -> Result<Scene> {
    let size = scene.info().bounds.size().max(1e-3);
    // Keys of a game are few; those of sampled input, such as Blender's, are one per frame.
    let sampled =
        !timeline::is_world(scene) && units::format(scene) != "mdx" && scene.turn_rule == TurnRule::Slerp;
    let tolerance = |[length, angle]: [f32; 2]| Tolerance { length: length * size, ratio: length, angle };
    let same = Tolerance { length: 1e-7 * size, ratio: 1e-7, angle: 1e-6 };
    let equal = Tolerance { length: 0.0, ratio: 0.0, angle: 0.0 };
    let mut retiming = Retiming {
        sampler: Sampler::new(scene),
        clips,
        fine: tolerance(FINE),
        coarse: (!options.keep_keys).then_some(if sampled { tolerance(COARSE) } else { same }),
        // Keys of sampled nodes are reduced all together afterwards.
        nodes: (!options.keep_keys).then_some(if sampled { equal } else { same }),
        turns: target.turns,
        splines: target.splines,
        quarters: target.quarters,
        lengths: false,
        keys: [0; 2],
        sampled: 0,
        chords: straight_cosine(FINE[1]),
    };
    let mut made = rescene::retime(scene, &mut retiming);
    if retiming.sampled > 0 {
        let text = format!(
            "{} were sampled, since {} has no such curve (error at most {:.3} degrees, {:.3} % of the size)",
            retiming.sampled,
            target.game,
            FINE[1].to_degrees(),
            FINE[0] * 100.0
        );
        report.approximated("tracks", text);
    }
    if sampled && !options.keep_keys {
        let limit = Limit { length: COARSE[0] * size, angle: COARSE[1] };
        let thinned = thin(&mut made, limit)?;
        let [before, after] = retiming.keys;
        let after = after.saturating_sub(thinned.removed);
        if after < before {
            let text = format!(
                "{after} of {before} keys are left (error of posed vertices at most {:.3} % of the size)",
                thinned.error / size * 100.0
            );
            report.approximated("tracks", text);
        }
    }
    Ok(made)
}
