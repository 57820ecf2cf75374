//! A second model next to the first one: the same camera, the same share of a sequence of the same name.

use crate::app::Viewer;
use crate::playback;
use crate::session::{Session, in_words};
use crate::viewport::{Shown, Viewport};
use effigy::Result;
use effigy::assets::FileRef;
use effigy::pictures::{Camera, DrawStyle, Frame, Overlays, Stage, WarmUp};
use effigy::scene::sample::View;
use effigy::scene::{Id, Sequence};

/// Models that differ more in size are of games with other units, and are shown as if they were of the same size.
const OTHER_UNITS: f32 = 5.0;
/// Milliseconds that the second model plays on; a longer way is a jump.
const LONGEST_STEP: f64 = 250.0;

/// The model on the right.
pub struct Second {
    pub session: Session,
    pub viewport: Viewport,
    /// How many times farther away its camera is.
    pub scale: f32,
}

/// How many times farther away the camera of a model is that is this many times as large.
fn scale(ratio: f32) -> f32 {
    let same_units = ratio.is_finite() && (1.0 / OTHER_UNITS..=OTHER_UNITS).contains(&ratio);
    if same_units || !ratio.is_normal() { 1.0 } else { ratio }
}

/// The sequence that corresponds to the one that the first model plays: that of the same name, else the usual one.
fn counterpart(first: &Stage, second: &Stage) -> Option<Id<Sequence>> {
    let name = playback::sequence(first).and_then(|id| first.scene().sequences.get(id)).map(|it| &it.name)?;
    let same = second.scene().sequences.iter().find(|(_, it)| it.name.eq_ignore_ascii_case(name));
    same.map(|(id, _)| id).or_else(|| Stage::default_sequence(second.scene()))
}

/// Goes to the same share of the corresponding sequence: by playing on, or else by a jump after this warm-up.
fn follow(first: &Stage, second: &mut Stage, view: &View, playing: bool, warm_up: WarmUp) {
    let wanted = counterpart(first, second);
    let found = wanted.and_then(|id| second.scene().sequences.get(id));
    let (whole, loops) = found.map_or((0.0, false), |it| (f64::from(it.length()), it.looping));
    let length = playback::length(first);
    let target = if length > 0.0 { playback::time(first) / length * whole } else { 0.0 };
    if playback::sequence(second) != wanted {
        return second.start_after(warm_up, wanted, target, Some(view));
    }
    let ahead = target - playback::time(second);
    if ahead.abs() < 1e-6 {
        return second.show(Some(view));
    }
    let ahead = if loops && whole > 0.0 { ahead.rem_euclid(whole) } else { ahead };
    if playing && (0.0..=LONGEST_STEP).contains(&ahead) {
        second.advance(ahead, Some(view));
    } else {
        second.start_after(warm_up, wanted, target, Some(view));
    }
}

impl Viewer {
    /// Shows a second model next to the first.
    pub(crate) fn compare_with(&mut self, file: FileRef) {
        if self.session.is_none() {
            "open a model first".clone_into(&mut self.message);
            return;
        }
        let label = file.label().to_owned();
        match Session::open(&self.renderer, file, &self.options, self.settings.team_color()) {
            Ok(session) => {
                self.end_comparison();
                let viewport = self.viewport.another();
                self.second = Some(Second { session, viewport, scale: 1.0 });
                self.message.clear();
                self.unplaced = true;
            }
            Err(error) => self.fail(label, in_words(&error)),
        }
        self.viewport.stale = true;
    }

    /// Compares with the file after the one on the right, or after the opened one.
    pub(crate) fn compare_with_next(&mut self) {
        let here = self.second.as_ref().map(|second| &second.session.file);
        let here = here.or_else(|| self.session.as_ref().map(|session| &session.file));
        let next = self.library.as_ref().and_then(|library| library.neighbour(here, 1));
        match next {
            Some(file) => self.compare_with(file),
            None => "there is no other file".clone_into(&mut self.message),
        }
    }

    /// Shows the first model alone.
    pub(crate) fn end_comparison(&mut self) {
        if let Some(second) = self.second.take() {
            second.viewport.close();
            self.unplaced = true;
            self.viewport.stale = true;
        }
    }

    /// The name of the file on the right.
    #[must_use]
    pub fn compared(&self) -> Option<&str> {
        self.second.as_ref().map(|second| second.session.file.label())
    }

    /// Points that the camera has to see of the second model, at the size that it is shown in.
    pub(crate) fn second_extent(&mut self, first_size: f32) -> Vec<[f32; 3]> {
        let Some(second) = &mut self.second else { return Vec::new() };
        let stage = &second.session.stage;
        let (points, bounds) = stage.extent(playback::sequence(stage));
        second.scale = scale(bounds.size() / first_size);
        points.into_iter().map(|point| point.map(|value| value / second.scale)).collect()
    }

    /// The camera of the second model: as far away as that of the first, in units of the second.
    pub(crate) fn second_camera(&self, second: &Second, aspect: f32) -> Camera {
        let stage = &second.session.stage;
        let own = self.own_camera.and_then(|index| stage.scene().cameras.as_slice().get(index));
        match own {
            Some(camera) => {
                let pose = stage.sampler().camera(camera, stage.pose().moment());
                Camera::of_model(&pose, aspect, &stage.scene().info().bounds)
            }
            None => self.orbit.scaled(second.scale).camera(),
        }
    }

    /// Draws the second picture if the first was drawn.
    pub(crate) fn draw_second(&mut self, size: [u32; 2], stale: bool) -> Result<Option<Shown>> {
        let Some(mut second) = self.second.take() else { return Ok(None) };
        let drawn = self.draw_other(&mut second, size, stale);
        self.second = Some(second);
        drawn.map(Some)
    }

    fn draw_other(&self, second: &mut Second, size: [u32; 2], stale: bool) -> Result<Shown> {
        let [width, height] = size;
        let shown = second.viewport.shown(&self.renderer, size, self.moves())?;
        second.viewport.stale |= stale;
        let camera = self.second_camera(second, width as f32 / height.max(1) as f32);
        if second.viewport.stale
            && let Some(session) = &self.session
        {
            let playing = self.playback.playing;
            follow(&session.stage, &mut second.session.stage, &camera.view, playing, self.warm_up);
        }
        let style = self.second_style();
        let Session { drawn, stage, .. } = &second.session;
        let frame = Frame { model: drawn, stage, camera: &camera, style: &style };
        second.viewport.draw(&self.renderer, &frame)?;
        Ok(shown)
    }

    /// The style of the first picture without its selection.
    pub(crate) fn second_style(&self) -> DrawStyle {
        let style = self.style();
        DrawStyle { overlays: Overlays { marked: None, ..style.overlays }, ..style }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use effigy::scene::{Scene, validate};

    fn stage(sequences: &[(&str, i32)]) -> Stage {
        let mut scene = Scene::default();
        for (name, length) in sequences {
            scene.sequences.push(Sequence {
                name: (*name).to_owned(),
                start: 0,
                end: *length,
                looping: true,
                ..Sequence::default()
            });
        }
        Stage::new(validate(scene).unwrap())
    }

    #[test]
    fn the_second_model_is_at_the_same_share_of_the_sequence_of_the_same_name() {
        let mut first = stage(&[("Stand", 1000), ("Walk", 800), ("Death", 500)]);
        let mut second = stage(&[("stand", 4000), ("WALK", 2000)]);
        let view = crate::orbit::Orbit::default().camera().view;
        let mut at = |sequence: usize, time: f64| {
            first.start(first.scene().sequences.id(sequence), time, None);
            follow(&first, &mut second, &view, true, WarmUp::Full);
            (playback::sequence(&second).map(Id::index), playback::time(&second).round())
        };
        assert_eq!(at(1, 200.0), (Some(1), 500.0));
        // A step on, around the end, and back.
        assert_eq!(at(1, 240.0), (Some(1), 600.0));
        assert_eq!(at(1, 790.0), (Some(1), 1975.0));
        assert_eq!(at(1, 20.0), (Some(1), 50.0));
        assert_eq!(at(1, 400.0), (Some(1), 1000.0));
        // There is no death: it stands.
        assert_eq!(at(2, 250.0), (Some(0), 2000.0));
    }

    #[test]
    fn models_of_other_units_are_shown_in_the_same_size() {
        assert_eq!([0.3, 1.0, 4.0].map(scale), [1.0; 3]);
        assert_eq!([40.0, 0.02].map(scale), [40.0, 0.02]);
        assert_eq!([0.0, f32::NAN, f32::INFINITY].map(scale), [1.0; 3]);
    }
}
