//! Time: which sequence plays, how fast, and what happens at its end.

use effigy::pictures::{Stage, WarmUp};
use effigy::scene::sample::View;
use effigy::scene::{Id, Scene, Sequence};

/// What happens at the end of a sequence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LoopMode {
    /// What the file says.
    #[default]
    File,
    /// It starts again.
    Always,
    /// It stops.
    Never,
}

impl LoopMode {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::File, Self::Always, Self::Never];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::File => "as the file says",
            Self::Always => "always",
            Self::Never => "never",
        }
    }

    /// The next one.
    #[must_use]
    pub const fn next(self) -> Self {
        match self {
            Self::File => Self::Always,
            Self::Always => Self::Never,
            Self::Never => Self::File,
        }
    }
}

/// A frame, as the step commands count it.
pub const FRAME: f64 = 1000.0 / 30.0;

/// The slowest and the fastest speed.
pub const SPEEDS: [f64; 2] = [1.0 / 16.0, 8.0];

/// How a model plays. The moment itself is the stage's.
#[derive(Clone, Debug)]
pub struct Playback {
    pub playing: bool,
    pub speed: f64,
    pub looping: LoopMode,
}

impl Default for Playback {
    fn default() -> Self {
        Self { playing: true, speed: 1.0, looping: LoopMode::File }
    }
}

/// The sequence that a stage plays.
pub fn sequence(stage: &Stage) -> Option<Id<Sequence>> {
    stage.pose().moment().sequence
}

fn playing(stage: &Stage) -> Option<&Sequence> {
    stage.scene().sequences.get(sequence(stage)?)
}

/// Milliseconds of the sequence.
pub fn length(stage: &Stage) -> f64 {
    playing(stage).map_or(0.0, |playing| f64::from(playing.length()))
}

/// The time in the sequence in milliseconds, without the rounds that it has already played.
pub fn time(stage: &Stage) -> f64 {
    let (time, length) = (stage.pose().moment().time, length(stage));
    let looping = playing(stage).is_some_and(|playing| playing.looping);
    if length <= 0.0 {
        0.0
    } else if looping && time > length {
        time % length
    } else {
        time.clamp(0.0, length)
    }
}

/// The sequence and the time from which [`Stage::start`] leads to the same moment again: without the rounds that have been played.
pub fn again(stage: &Stage) -> (Option<Id<Sequence>>, f64) {
    let (time, length) = (stage.pose().moment().time, length(stage));
    let looping = playing(stage).is_some_and(|playing| playing.looping);
    (sequence(stage), if looping && length > 0.0 { time % length } else { time })
}

impl Playback {
    /// Whether the sequence starts again at its end.
    fn repeats(&self, sequence: &Sequence) -> bool {
        match self.looping {
            LoopMode::File => sequence.looping,
            LoopMode::Always => true,
            LoopMode::Never => false,
        }
    }

    /// Advances by milliseconds of real time.
    pub fn advance(&mut self, stage: &mut Stage, milliseconds: f64, view: Option<&View>) {
        let step = milliseconds * self.speed;
        let (length, now) = (length(stage), time(stage));
        let Some(played) = playing(stage) else {
            // Clocks that are independent of sequences run on.
            stage.advance(step, view);
            return;
        };
        let (repeats, wraps) = (self.repeats(played), played.looping);
        let left = length - now;
        if step < left || (repeats && wraps) {
            stage.advance(step, view);
        } else if repeats {
            let id = sequence(stage);
            stage.start_after(WarmUp::AtMost(0.0), id, (step - left).min(length), view);
        } else {
            self.playing = false;
            let id = sequence(stage);
            // The last moment of a sequence that wraps would be its first.
            stage.start(id, if wraps { (length - 1.0).max(0.0) } else { length }, view);
        }
    }

    /// Starts again if the sequence has ended, otherwise plays or pauses.
    pub fn toggle(&mut self, stage: &mut Stage, view: Option<&View>) {
        let ended = length(stage) - time(stage) <= 1.0;
        if !self.playing && ended {
            let id = sequence(stage);
            stage.start(id, 0.0, view);
        }
        self.playing = !self.playing;
    }
}

/// The sequence that is `by` places after this one, around the end.
pub fn neighbour(scene: &Scene, from: Option<Id<Sequence>>, by: isize) -> Option<Id<Sequence>> {
    let count = isize::try_from(scene.sequences.len()).ok().filter(|count| *count > 0)?;
    let from = from.and_then(|id| isize::try_from(id.index()).ok()).unwrap_or(0);
    scene.sequences.id(usize::try_from((from + by).rem_euclid(count)).ok()?)
}

/// The events of the sequence: share of its length (0 to 1) and name.
pub fn events(stage: &Stage) -> Vec<(f32, String)> {
    let Some(playing) = playing(stage) else { return Vec::new() };
    let length = playing.length().max(1) as f32;
    let mut found = Vec::new();
    for event in stage.scene().events.as_slice().iter().filter(|event| event.global.is_none()) {
        for time in event.times.iter().filter(|time| (playing.start..=playing.end).contains(time)) {
            found.push((time.saturating_sub(playing.start) as f32 / length, event.name.clone()));
        }
    }
    found.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use effigy::scene::{Event, Node, NodeKind, validate};

    fn stage(looping: bool) -> Stage {
        let mut scene = Scene::default();
        let sequence = |name: &str| Sequence {
            name: name.to_owned(),
            start: 100,
            end: 1100,
            looping,
            ..Sequence::default()
        };
        scene.sequences.push(sequence("Stand"));
        scene.sequences.push(sequence("Walk"));
        let node = scene.nodes.push(Node::new("node", NodeKind::Bone, None, [0.0; 3]));
        scene.events.push(Event {
            name: "SNDxTEST".to_owned(),
            data: 0,
            node,
            position: [0.0; 3],
            times: vec![50, 350, 1100, 1200],
            global: None,
        });
        let mut stage = Stage::new(validate(scene).unwrap());
        let first = stage.scene().sequences.id(0);
        stage.start(first, 900.0, None);
        stage
    }

    #[test]
    fn the_end_of_a_sequence_follows_the_loop_mode() {
        // (looping in the file, mode, still playing, time after 300 ms from 900 of 1000)
        for (looping, mode, goes_on, expected) in [
            (true, LoopMode::File, true, 200.0),
            (true, LoopMode::Never, false, 999.0),
            (false, LoopMode::File, false, 1000.0),
            (false, LoopMode::Always, true, 200.0),
        ] {
            let mut stage = stage(looping);
            let mut playback = Playback { looping: mode, ..Playback::default() };
            playback.advance(&mut stage, 300.0, None);
            assert_eq!((playback.playing, time(&stage)), (goes_on, expected), "{looping} {mode:?}");
        }
    }

    #[test]
    fn the_same_moment_is_reached_again() {
        // 300 ms after 900 of 1000: in the second round, or at the end.
        for (looping, expected) in [(true, 200.0), (false, 1200.0)] {
            let mut stage = stage(looping);
            stage.advance(300.0, None);
            assert_eq!(again(&stage), (stage.scene().sequences.id(0), expected), "{looping}");
        }
    }

    #[test]
    fn speed_scales_time_and_the_end_can_be_played_again() {
        let mut stage = stage(false);
        let mut playback = Playback { speed: 0.5, ..Playback::default() };
        playback.advance(&mut stage, 100.0, None);
        assert_eq!(time(&stage), 950.0);
        playback.advance(&mut stage, 1000.0, None);
        assert!(!playback.playing);
        playback.toggle(&mut stage, None);
        assert_eq!((playback.playing, time(&stage)), (true, 0.0));
    }

    #[test]
    fn marks_are_the_events_inside_the_sequence() {
        let marks = events(&stage(true));
        assert_eq!(marks, [(0.25, "SNDxTEST".to_owned()), (1.0, "SNDxTEST".to_owned())]);
    }

    #[test]
    fn neighbours_go_around_the_end() {
        let stage = stage(true);
        let scene = stage.scene();
        let index = |from, by| neighbour(scene, scene.sequences.id(from), by).map(Id::index);
        assert_eq!([index(0, 1), index(1, 1), index(0, -1)], [Some(1), Some(0), Some(1)]);
        assert_eq!(neighbour(&Scene::default(), None, 1), None);
    }
}
