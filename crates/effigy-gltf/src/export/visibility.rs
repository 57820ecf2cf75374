//! When a mesh is shown.

use super::Builder;
use super::clip::Clip;
use super::curve::{Curve, Mode, seconds};
use effigy_scene::sample::Moment;
use effigy_scene::{Animated, Interpolation, Layer, Mesh};

/// Shortest time, in milliseconds, for which a mesh is hidden between two keys: two pictures at 60 a second.
const SHORTEST: f64 = 33.0;

/// At most at so many moments, over all parts, is looked for what parts that are hidden at rest look like. Real models need some
/// thousands; what comes after that has what was found so far.
const MOST_LOOKS: u32 = 1 << 22;

/// Where a piece between two keys is looked at, in shares of its length. A straight line from 0 upwards shows at once.
const PARTS: [f64; 5] = [1.0 / 64.0, 0.25, 0.5, 0.75, 63.0 / 64.0];

/// When a mesh is shown.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Showing {
    Always,
    /// Neither at rest nor in any animation that is written.
    Never,
    /// It changes: whether it is shown at rest, and the times and states at rest and in each animation. Meshes for which
    /// these are equal come and go together.
    Sometimes {
        rest: bool,
        when: Vec<(Vec<u32>, Vec<bool>)>,
    },
}

impl Builder<'_> {
    /// Every value that decides whether a mesh is shown.
    fn alphas<'s>(&'s self, mesh: &'s Mesh) -> impl Iterator<Item = &'s Animated<f32>> {
        let layers = self.layers(mesh).iter().flat_map(|layer| [&layer.alpha, &layer.color_alpha]);
        std::iter::once(&mesh.alpha).chain(layers)
    }

    fn layers(&self, mesh: &Mesh) -> &[Layer] {
        mesh.material.and_then(|id| self.scene.materials.get(id)).map_or(&[][..], |it| &it.layers)
    }

    /// Whether a mesh is shown whatever the time is: the product of the least values of all its tracks is enough.
    fn is_always_shown(&self, mesh: &Mesh) -> bool {
        let least = |alpha: &Animated<f32>| {
            let values = alpha.track.iter().flat_map(|track| &track.values);
            values.copied().fold(alpha.base.min(1.0), f32::min)
        };
        // Curves may leave the range of their keys.
        let curved = |alpha: &Animated<f32>| {
            let mut track = alpha.track.iter();
            track.any(|it| matches!(it.interpolation, Interpolation::Hermite | Interpolation::Bezier))
        };
        !self.alphas(mesh).any(curved) && self.scene.alpha_rule.draws(self.alphas(mesh).map(least).product())
    }

    /// When a mesh is shown at rest and in the animations that are written.
    pub(super) fn showing(&self, mesh: &Mesh, clips: &[Clip]) -> Showing {
        let rest = self.is_shown_at(mesh, &self.rest);
        if self.is_always_shown(mesh) {
            return Showing::Always;
        }
        if self.alphas(mesh).all(|alpha| alpha.track.is_none()) {
            return if rest { Showing::Always } else { Showing::Never };
        }
        let mut all = vec![(vec![0.0_f32], vec![rest])];
        for clip in clips {
            let shown = self.shown(mesh, clip);
            all.push(shown.map_or_else(|| (vec![0.0], vec![rest]), |curve| (curve.times, curve.values)));
        }
        let mut values = all.iter().flat_map(|(_, values)| values);
        if values.all(|shown| *shown) {
            Showing::Always
        } else if all.iter().flat_map(|(_, values)| values).all(|shown| !*shown) {
            Showing::Never
        } else {
            let bits = |times: Vec<f32>| times.into_iter().map(f32::to_bits).collect();
            Showing::Sometimes {
                rest,
                when: all.into_iter().map(|(times, shown)| (bits(times), shown)).collect(),
            }
        }
    }

    /// The alpha of a layer of a mesh.
    pub(super) fn layer_alpha(&self, mesh: &Mesh, layer: &Layer, moment: &Moment) -> f32 {
        let alphas = [&mesh.alpha, &layer.alpha, &layer.color_alpha];
        alphas.map(|alpha| self.sampler.value(alpha, moment)).iter().product()
    }

    /// The moment that shows what these layers of a mesh look like: rest, or, if none of them is drawn there, the first moment
    /// of the animations that are written at which one of them has the largest alpha. None: they are never drawn.
    ///
    /// Values of keys are not enough: artists hide a part with keys and leave the sequences that show it without.
    pub(super) fn showcase(&self, mesh: &Mesh, layers: &[Layer]) -> Option<Moment> {
        let alpha = |moment: &Moment| {
            let alphas = layers.iter().map(|layer| self.layer_alpha(mesh, layer, moment));
            alphas.fold(0.0, f32::max)
        };
        let draws = |alpha: f32| self.scene.alpha_rule.draws(alpha);
        if draws(alpha(&self.rest)) {
            return Some(self.rest);
        }
        let own = layers.iter().flat_map(|layer| [&layer.alpha, &layer.color_alpha]);
        let alphas: Vec<&Animated<f32>> = std::iter::once(&mesh.alpha).chain(own).collect();
        let mut best: Option<(f32, Moment)> = None;
        for clip in self.all_clips() {
            // Where no track has keys, the value of all of the clip is that of its beginning.
            let times = clip.boundaries(self.alpha_times(&clip, alphas.iter().copied()).unwrap_or_default());
            let pieces = times.iter().zip(times.iter().skip(1));
            let pieces = pieces.flat_map(|(from, until)| PARTS.map(|part| from + (until - from) * part));
            for moment in times.iter().copied().chain(pieces).map(|time| clip.moment(time)) {
                if self.looks.get() >= MOST_LOOKS {
                    return best.map(|(_, moment)| moment);
                }
                self.looks.set(self.looks.get() + 1);
                let alpha = alpha(&moment);
                if draws(alpha) && best.is_none_or(|(most, _)| alpha > most) {
                    best = Some((alpha, moment));
                }
            }
        }
        best.map(|(_, moment)| moment)
    }

    /// The times inside a clip at which one of these has keys; none when no track plays there.
    fn alpha_times<'s>(
        &self,
        clip: &Clip,
        alphas: impl Iterator<Item = &'s Animated<f32>>,
    ) -> Option<Vec<f64>> {
        let mut times = Vec::new();
        let mut any = false;
        for track in alphas.filter_map(|it| it.track.as_ref()).filter(|it| clip.plays(it)) {
            any = true;
            if !clip.key_times(&self.sampler, track, &mut times) {
                times.clear();
                clip.even_times(self.options.fps, &mut times);
                break;
            }
        }
        any.then_some(times)
    }

    /// Whether anything of a mesh is drawn at a time of a clip.
    fn is_shown(&self, mesh: &Mesh, clip: &Clip, time: f64) -> bool {
        self.is_shown_at(mesh, &clip.moment(time))
    }

    fn is_shown_at(&self, mesh: &Mesh, moment: &Moment) -> bool {
        let layers = self.layers(mesh);
        if layers.is_empty() {
            return self.sampler.value(&mesh.alpha, moment) > 0.0;
        }
        layers.iter().any(|layer| self.scene.alpha_rule.draws(self.layer_alpha(mesh, layer, moment)))
    }

    /// When a mesh is shown in a clip, in steps; none when no track plays there.
    pub(super) fn shown(&self, mesh: &Mesh, clip: &Clip) -> Option<Curve<bool>> {
        let times = self.alpha_times(clip, self.alphas(mesh))?;
        let bounds = clip.boundaries(times);
        let mut curve =
            Curve { mode: Mode::Step, times: Vec::new(), values: Vec::new(), tangents: Vec::new() };
        for (index, time) in bounds.iter().enumerate() {
            let until = bounds.get(index + 1).copied().unwrap_or(*time);
            for (time, shown) in self.changes(mesh, clip, *time, until) {
                if curve.values.last() != Some(&shown) {
                    curve.times.push(seconds(time));
                    curve.values.push(shown);
                }
            }
        }
        Some(curve)
    }

    /// When a mesh comes and goes between two keys: the states, each from a time on.
    ///
    /// A straight line from 0 upwards shows at once. Times at which a line passes the least alpha that is drawn are found by
    /// halving; it is not hidden for less than [`SHORTEST`], so that meshes that fade a little differently share joints.
    fn changes(&self, mesh: &Mesh, clip: &Clip, from: f64, until: f64) -> Vec<(f64, bool)> {
        let length = until - from;
        let shown = |part: f64| self.is_shown(mesh, clip, from + length * part);
        let middle = shown(0.5);
        if length <= 2.0 * SHORTEST {
            return vec![(from, shown(0.0) || middle)];
        }
        let states = PARTS.map(|part| if part == 0.5 { middle } else { shown(part) });
        let mut list = vec![(from, states.first().copied().unwrap_or(middle))];
        for (part, state) in PARTS.windows(2).zip(states.windows(2)) {
            let (&[mut low, mut high], &[before, after]) = (part, state) else { continue };
            if before == after {
                continue;
            }
            while (high - low) * length > 0.5 {
                let half = f64::midpoint(low, high);
                if shown(half) == before { low = half } else { high = half }
            }
            list.push(((from + length * high).round(), after));
        }
        let ends: Vec<f64> = list.iter().skip(1).map(|(time, _)| *time).chain([until]).collect();
        for ((time, shown), end) in list.iter_mut().zip(ends) {
            *shown |= end - *time < SHORTEST;
        }
        list
    }
}
