//! When a mesh is shown.

use super::Builder;
use super::clip::Clip;
use super::curve::{Curve, Mode, seconds};
use effigy_scene::sample::Moment;
use effigy_scene::{Mesh, Track};

/// Below this alpha nothing of a layer is drawn.
const LEAST_ALPHA: f32 = 1.0 / 255.0;

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
    /// Every track that decides whether a mesh is shown.
    fn alpha_tracks<'s>(&'s self, mesh: &'s Mesh) -> impl Iterator<Item = &'s Track<f32>> {
        let layers =
            mesh.material.and_then(|id| self.scene.materials.get(id)).map_or(&[][..], |it| &it.layers);
        let layers = layers.iter().flat_map(|layer| [&layer.alpha, &layer.color_alpha]);
        std::iter::once(&mesh.alpha).chain(layers).filter_map(|value| value.track.as_ref())
    }

    /// When a mesh is shown at rest and in the animations that are written.
    pub(super) fn showing(&self, mesh: &Mesh, clips: &[Clip]) -> Showing {
        let rest = self.is_shown_at(mesh, &self.rest);
        if !self.alpha_tracks(mesh).any(|track| track.values.iter().any(|value| *value < LEAST_ALPHA)) {
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

    /// Whether anything of a mesh is drawn at a time of a clip.
    fn is_shown(&self, mesh: &Mesh, clip: &Clip, time: f64) -> bool {
        self.is_shown_at(mesh, &clip.moment(time))
    }

    fn is_shown_at(&self, mesh: &Mesh, moment: &Moment) -> bool {
        if self.sampler.value(&mesh.alpha, moment) <= 0.0 {
            return false;
        }
        let layers =
            mesh.material.and_then(|id| self.scene.materials.get(id)).map_or(&[][..], |it| &it.layers);
        layers.is_empty()
            || layers.iter().any(|layer| {
                self.sampler.value(&layer.alpha, moment) * self.sampler.value(&layer.color_alpha, moment)
                    >= LEAST_ALPHA
            })
    }

    /// When a mesh is shown in a clip, in steps; none when no track plays there.
    pub(super) fn shown(&self, mesh: &Mesh, clip: &Clip) -> Option<Curve<bool>> {
        let mut times = Vec::new();
        let mut any = false;
        for track in self.alpha_tracks(mesh).filter(|track| clip.plays(track)) {
            any = true;
            if !clip.key_times(&self.sampler, track, &mut times) {
                times.clear();
                clip.even_times(self.options.fps, &mut times);
                break;
            }
        }
        if !any {
            return None;
        }
        let bounds = clip.boundaries(times);
        let mut curve =
            Curve { mode: Mode::Step, times: Vec::new(), values: Vec::new(), tangents: Vec::new() };
        for (index, time) in bounds.iter().enumerate() {
            // A piece is shown when it is anywhere inside: a straight line from 0 upwards shows at once.
            let until = bounds.get(index + 1).copied().unwrap_or(*time);
            let shown =
                self.is_shown(mesh, clip, *time) || self.is_shown(mesh, clip, f64::midpoint(*time, until));
            if curve.values.last() != Some(&shown) {
                curve.times.push(seconds(*time));
                curve.values.push(shown);
            }
        }
        Some(curve)
    }
}
