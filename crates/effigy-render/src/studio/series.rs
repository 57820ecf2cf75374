//! The frames of an animation, and a sheet of all sequences.

use super::{CameraPlace, Studio, length};
use crate::camera::{Camera, revolved};
use crate::framing::{Span, Subject};
use crate::{Image, Sheet, Stage};
use effigy_scene::{Id, Sequence};
use effigy_wire::Result;

/// Frames of an animation at most.
const MOST_FRAMES: u32 = 3000;
/// Milliseconds of an animation where the caller does not say how long it is.
const LONGEST: f64 = 20_000.0;
/// A sequence that is longer than ten minutes is a mistake in the file: a short piece of it is enough.
const BELIEVED: f64 = 600_000.0;
/// Milliseconds of that piece.
const PIECE: f64 = 2000.0;
/// Sequences on a sheet at most.
const MOST_TILES: usize = 400;
/// Pixels of a sheet at most, about 4,500 each way: more of them are no better to look at.
const MOST_PIXELS: u32 = 20_000_000;
/// Milliseconds of a turntable.
const TURNTABLE: f64 = 4000.0;

/// How many frames there will be of those that were wanted, and what to say where these are fewer.
fn frames_of(wanted: f64) -> (u32, Option<String>) {
    let wanted = wanted.round().max(1.0);
    if wanted > f64::from(MOST_FRAMES) {
        let note = format!("there would be {wanted}, and only the first {MOST_FRAMES} are shown");
        return (MOST_FRAMES, Some(note));
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "1 to MOST_FRAMES")]
    let count = wanted as u32;
    (count, None)
}

impl Studio<'_> {
    /// Milliseconds of an animation. What of the sequence is not shown, and was not asked for, is reported.
    fn duration(&mut self, length: f64) -> f64 {
        if let Some(seconds) = self.picture.seconds.filter(|seconds| seconds.is_finite()) {
            return seconds * 1000.0;
        }
        if self.picture.turntable {
            return TURNTABLE;
        }
        let shown = if length > BELIEVED { PIECE } else { LONGEST };
        if length > shown {
            let text =
                format!("it lasts {} s, and only the first {} s are shown", length / 1000.0, shown / 1000.0);
            self.report.dropped("sequence", text);
        }
        length.clamp(50.0, shown)
    }

    pub(super) async fn frames(&mut self, stage: &mut Stage, sequence: Option<Id<Sequence>>) -> Result<()> {
        let turntable = self.picture.turntable;
        let total = self.duration(length(stage.scene(), sequence));
        let step = 1000.0 / f64::from(self.picture.fps.max(1));
        let (total, note) = frames_of(total / step);
        if let Some(note) = note {
            self.report.dropped("frames", note);
        }
        self.progress.begin(total);
        let mut subject = self.subject(stage, sequence, Span::Whole, 0.0);
        if turntable {
            subject.points = revolved(&subject.points, &subject.bounds);
        }
        let mut camera = self.camera(stage, &subject, 0.0);
        stage.start(sequence, 0.0, Some(&camera.view));
        for number in 0..total {
            #[allow(clippy::cast_possible_truncation, reason = "a share of a turn")]
            let turn = (f64::from(number) / f64::from(total)) as f32 * std::f32::consts::TAU;
            let turn = if turntable { turn } else { 0.0 };
            camera = self.camera(stage, &subject, turn);
            stage.show(Some(&camera.view));
            let image = self.draw(stage, &camera).await?;
            self.give(image, total)?;
            stage.advance(step, Some(&camera.view));
        }
        Ok(())
    }

    /// When the tile of a sequence is taken: a death is shown at its end, everything else as a still.
    fn tile_time(&self, sequence: &Sequence) -> f64 {
        let length = f64::from(sequence.length());
        let name = sequence.name.to_lowercase();
        let ends = ["death", "dissipate", "dead"].iter().any(|word| name.starts_with(word));
        if self.picture.time.is_none() && ends {
            length
        } else {
            self.picture.milliseconds(length).min(length)
        }
    }

    /// One camera for all tiles of a sheet, so that they have the same scale.
    fn shared_camera(&self, stage: &Stage) -> Option<Camera> {
        let CameraPlace::Framed(direction) = self.place else { return None };
        let mut tiles: Vec<Subject> = Vec::new();
        for (id, sequence) in stage.scene().sequences.iter().take(MOST_TILES) {
            tiles.push(self.subject(stage, Some(id), Span::At(self.tile_time(sequence)), 0.0));
        }
        let mut sizes: Vec<f32> = tiles.iter().map(|tile| tile.bounds.size()).collect();
        sizes.sort_unstable_by(f32::total_cmp);
        let usual = sizes.get(sizes.len() / 2)?;
        // A tile that is much larger than the others, such as pieces that fly apart, is cut off.
        let counts = tiles.iter().filter(|tile| tile.bounds.size() <= usual * 2.0);
        let points: Vec<[f32; 3]> = counts.flat_map(|tile| &tile.points).copied().collect();
        Some(Camera::around(&points, direction, self.aspect()))
    }

    pub(super) async fn sheet(&mut self, stage: &mut Stage) -> Result<Image> {
        let scene = stage.scene().clone();
        let caption =
            |sequence: &Sequence| format!("{} {:.2}s", sequence.name, f64::from(sequence.length()) / 1000.0);
        let shown = || scene.sequences.iter().take(MOST_TILES);
        let mut captions: Vec<String> = shown().map(|(_, sequence)| caption(sequence)).collect();
        if captions.is_empty() {
            captions.push("at rest".to_owned());
        }
        self.size = Sheet::fitting(self.size, captions.len(), MOST_PIXELS);
        if self.size != self.picture.size {
            let ([width, height], count) = (self.size, captions.len());
            self.report
                .approximated("size", format!("tiles have {width} x {height} pixels: there are {count}"));
        }
        let mut sheet = Sheet::new(self.size, captions.iter().map(String::as_str))?;
        self.shared = self.shared_camera(stage);
        self.span = Span::At(0.0);
        self.progress.begin(u32::try_from(captions.len()).unwrap_or(u32::MAX));
        if scene.sequences.is_empty() {
            sheet.add(&self.still(stage, None, 0.0, 0.0).await?, "at rest");
        }
        for ((id, sequence), caption) in shown().zip(&captions) {
            let time = self.tile_time(sequence);
            sheet.add(&self.still(stage, Some(id), time, 0.0).await?, caption);
        }
        if scene.sequences.len() > MOST_TILES {
            self.report.dropped("sequences", format!("only the first {MOST_TILES} are on the sheet"));
        }
        sheet.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_beyond_the_limit_are_reported() {
        assert_eq!(frames_of(0.2), (1, None));
        assert_eq!(frames_of(2999.6), (3000, None));
        let note = "there would be 12000, and only the first 3000 are shown".to_owned();
        assert_eq!(frames_of(12_000.0), (3000, Some(note)));
    }
}
