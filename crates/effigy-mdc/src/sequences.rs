//! Named sequences of frames: `weapon.cfg` next to first-person weapons, `animation.cfg` and `wolfanim.cfg` next to
//! players.
//!
//! The two kinds differ in the order of their columns: frames per second come before looping frames in `weapon.cfg` and
//! after them in the others. A caller has to choose the parser by the name of the file.

use crate::text::{Word, lines};
use effigy_wire::{Error, Kind, Result};

/// The meaning of the rows of a `weapon.cfg`. Some mods have more rows.
pub const WEAPON_ROWS: [&str; 12] = [
    "idle1",
    "idle2",
    "attack1",
    "attack2",
    "last shot",
    "drop",
    "raise",
    "reload1",
    "reload2",
    "reload3",
    "alt switch from",
    "alt switch to",
];

/// A range of frames that is played as one animation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sequence {
    /// Name of the sequence.
    pub name: String,
    /// First frame.
    pub first: u32,
    /// Number of frames.
    pub count: u32,
    /// Frames per second.
    pub fps: f32,
    /// Number of frames at the end that are repeated; with 0 the last frame stays.
    pub loop_frames: u32,
    /// Speed of the player in units per second while it plays (`animation.cfg`).
    pub move_speed: f32,
    /// Milliseconds of blending from the previous sequence (`animation.cfg`, optional).
    pub blend_ms: Option<i32>,
    /// Priority (`animation.cfg`, optional).
    pub priority: Option<i32>,
    /// Bit n: part n of the weapon is animated as well (`weapon.cfg` with `newfmt`).
    pub moving_parts: u32,
    /// Whether the parts are animated at all (`weapon.cfg` with `newfmt`).
    pub animated: bool,
    /// Bit n: part n of the weapon is hidden (`weapon.cfg` with `newfmt`).
    pub hidden_parts: u32,
    /// Whether the frames are played from the last to the first (`.aninc`).
    pub reversed: bool,
}

impl Sequence {
    /// The frame of the model that is shown this many milliseconds after the start.
    #[must_use]
    pub fn frame_at(&self, milliseconds: f64) -> u32 {
        let fps = if self.fps > 0.0 { f64::from(self.fps) } else { 1.0 };
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "times beyond the range stay"
        )]
        let step = (milliseconds / (1000.0 / fps)).floor().max(0.0) as u32;
        let within = if step < self.count {
            step
        } else {
            let repeated = self.loop_frames.min(self.count);
            match (step - self.count).checked_rem(repeated) {
                Some(past) => self.count - repeated + past,
                None => self.count.saturating_sub(1),
            }
        };
        let last = self.count.saturating_sub(1);
        self.first.saturating_add(if self.reversed { last.saturating_sub(within) } else { within })
    }

    /// Duration of one pass in seconds.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        if self.fps > 0.0 { f64::from(self.count) / f64::from(self.fps) } else { f64::from(self.count) }
    }
}

/// The frame of part `part` of a weapon while the hands show `hand_frame` of sequence `current`; `None` when the part
/// is hidden. The frames of a part are those of the sequences in which it is animated, one after the other.
#[must_use]
pub fn part_frame(sequences: &[Sequence], current: usize, part: u32, hand_frame: u32) -> Option<u32> {
    let sequence = sequences.get(current)?;
    let has = |bits: u32| bits.checked_shr(part).is_some_and(|bits| bits & 1 == 1);
    if has(sequence.hidden_parts) {
        return None;
    }
    if !has(sequence.moving_parts) {
        return Some(0);
    }
    let before = sequences.iter().take(current).filter(|earlier| has(earlier.moving_parts));
    let start = before.fold(0_u32, |sum, earlier| sum.saturating_add(earlier.count));
    Some(start.saturating_add(hand_frame.saturating_sub(sequence.first)))
}

/// Reads a `weapon.cfg`.
///
/// # Errors
/// When a word is not a number where one is expected, or the last row is incomplete.
pub fn parse_weapon(text: &str) -> Result<Vec<Sequence>> {
    let mut words: Vec<Word<'_>> = lines(text, &[]).into_iter().flatten().collect();
    let new_format = words.first().is_some_and(|word| word.is("newfmt"));
    if new_format {
        words.remove(0);
    }
    let mut sequences = Vec::new();
    for row in words.chunks(if new_format { 7 } else { 4 }) {
        let index = sequences.len();
        let name =
            WEAPON_ROWS.get(index).map_or_else(|| format!("row {}", index + 1), |&name| name.to_owned());
        let (Some(first), Some(count), Some(fps), Some(loop_frames)) =
            (row.first(), row.get(1), row.get(2), row.get(3))
        else {
            return Err(early(row));
        };
        let fps = fps.float()?;
        let mut sequence = Sequence {
            name,
            first: first.count()?,
            count: count.count()?,
            fps: if fps == 0.0 { 1.0 } else { fps },
            loop_frames: loop_frames.count()?,
            ..Sequence::default()
        };
        if new_format {
            let (Some(moving), Some(animated), Some(hidden)) = (row.get(4), row.get(5), row.get(6)) else {
                return Err(early(row));
            };
            sequence.moving_parts = moving.count()?;
            sequence.animated = animated.int()? != 0;
            sequence.hidden_parts = hidden.count()?;
        }
        sequences.push(sequence);
    }
    Ok(sequences)
}

fn early(row: &[Word<'_>]) -> Error {
    let (line, column) = row.last().map_or((1, 1), |word| (word.line, word.column));
    Error::new(Kind::Malformed, "the row is incomplete").at_line(line, column)
}

/// The contents of an `animation.cfg` or `wolfanim.cfg`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AnimationConfig {
    /// The stated version; rows start with a name from version 2 on.
    pub version: i32,
    /// Whether it is for a skeletal model.
    pub skeletal: bool,
    /// Keywords before the rows that are not interpreted, such as `sex` and `footsteps`, with their values.
    pub head: Vec<(String, Vec<String>)>,
    /// The sequences. If the rows have no names, those are the comments at their ends; without any, they are numbered.
    pub sequences: Vec<Sequence>,
    /// Rows that cannot be read, with their line and column. Real files have some, for example a name with a space; games
    /// play something else than intended for them.
    pub problems: Vec<Error>,
}

/// Reads an `animation.cfg` or `wolfanim.cfg`.
///
/// # Errors
/// When a word before the rows is not a number where one is expected. A row that cannot be read is one of the
/// [`AnimationConfig::problems`].
pub fn parse_animations(text: &str) -> Result<AnimationConfig> {
    let mut config = AnimationConfig::default();
    let mut inside = false;
    let source: Vec<&str> = text.lines().collect();
    for line in lines(text, &[]) {
        let Some(first) = line.first() else { continue };
        let rest = line.get(1..).unwrap_or_default();
        if first.is("startanims") {
            inside = true;
        } else if first.is("endanims") {
            inside = false;
        } else if inside {
            match animation_row(&first.text.to_lowercase(), rest, first) {
                Ok(row) => config.sequences.push(row),
                Err(error) => config.problems.push(error),
            }
        } else if first.is("version") {
            config.version = rest.first().ok_or_else(|| first.wrong("a number after version"))?.int()?;
        } else if first.is("skeletal") {
            config.skeletal = true;
        } else if first.int().is_ok() && line.len() >= 4 {
            // The old format: rows without names, in a fixed order, and no STARTANIMS. Most files name them in comments.
            let name = comment(&source, first.line)
                .map_or_else(|| format!("animation {}", config.sequences.len() + 1), str::to_owned);
            config.sequences.push(animation_row(&name, &line, first)?);
        } else {
            let words = rest.iter().map(|word| word.text.to_owned()).collect();
            config.head.push((first.text.to_lowercase(), words));
        }
    }
    Ok(config)
}

/// The comment at the end of a line.
fn comment<'t>(source: &[&'t str], line: usize) -> Option<&'t str> {
    let line = source.get(line.checked_sub(1)?)?;
    line.split("//").nth(1).map(str::trim).filter(|comment| !comment.is_empty())
}

/// Reads an `.aninc` of Enemy Territory: rows of name, first frame, length, looping frames, frames per second, move speed,
/// blend and whether it is reversed. All columns are needed.
///
/// # Errors
/// When a column is missing or not a number.
pub fn parse_aninc(text: &str) -> Result<Vec<Sequence>> {
    let rows = lines(text, &[]).into_iter();
    rows.filter_map(|line| aninc_row(&line)).collect()
}

/// A row of an `.aninc`; `None` for an empty line.
pub(crate) fn aninc_row(line: &[Word<'_>]) -> Option<Result<Sequence>> {
    let (first, rest) = line.split_first()?;
    let row = || {
        let Some(reversed) = rest.get(6) else {
            return Err(first.wrong("a row with eight columns"));
        };
        let mut sequence = animation_row(&first.text.to_lowercase(), rest, first)?;
        sequence.reversed = reversed.int()? != 0;
        sequence.priority = None;
        Ok(sequence)
    };
    Some(row())
}

/// Columns after the name: first, length, looping, frames per second, move speed, blend, priority; the last three are
/// optional.
fn animation_row(name: &str, columns: &[Word<'_>], at: &Word<'_>) -> Result<Sequence> {
    let (Some(first), Some(count), Some(looping), Some(fps)) =
        (columns.first(), columns.get(1), columns.get(2), columns.get(3))
    else {
        return Err(at.wrong("a row with first frame, length, looping frames and frames per second"));
    };
    let optional = |index: usize| columns.get(index).map(Word::int).transpose();
    let fps = fps.float()?;
    Ok(Sequence {
        name: name.to_owned(),
        first: first.count()?,
        count: count.count()?,
        loop_frames: looping.count()?,
        fps: if fps == 0.0 { 1.0 } else { fps },
        move_speed: columns.get(4).map(Word::float).transpose()?.unwrap_or(0.0),
        blend_ms: optional(5)?,
        priority: optional(6)?,
        ..Sequence::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_weapon_has_frames_per_second_before_looping_frames() {
        let text = "newfmt\n// first length fps loop anim animated hide\n0 1 20 1 0 0 0 // IDLE1\n\
                    1 5 0 5 3 1 4\n6 10 15 0 2 1 0\n";
        let rows = parse_weapon(text).unwrap();
        assert_eq!(rows.len(), 3);
        assert_eq!((rows[0].name.as_str(), rows[0].fps, rows[0].loop_frames), ("idle1", 20.0, 1));
        assert_eq!(
            (rows[1].fps, rows[1].loop_frames, rows[1].moving_parts, rows[1].animated),
            (1.0, 5, 3, true)
        );
        assert_eq!(part_frame(&rows, 1, 2, 3), None);
        assert_eq!(part_frame(&rows, 2, 1, 8), Some(5 + 2));
        assert_eq!(part_frame(&rows, 2, 0, 8), Some(0));
        assert_eq!(part_frame(&rows, 9, 0, 8), None);
    }

    #[test]
    fn a_weapon_of_the_old_format_has_four_columns() {
        let rows = parse_weapon("0 1 20 1\n1 5 15 0").unwrap();
        assert_eq!((rows.len(), rows[1].fps, rows[1].count), (2, 15.0, 5));
        assert_eq!(parse_weapon("0 1 20").unwrap_err().to_string(), "1:5: the row is incomplete");
        let error = parse_weapon("0 one 20 1").unwrap_err();
        assert_eq!(error.to_string(), "1:3: a non-negative integer expected, found \"one\"");
    }

    #[test]
    fn a_player_has_looping_frames_before_frames_per_second() {
        let text = "version 2\nskeletal\nsex m\nheadoffset 1 2 3\nSTARTANIMS\n\
                    DEATH1 0 30 0 20 0\nwalk 30 12 12 24 80.5 200 1\nENDANIMS\nHEADFRAMES 5\n";
        let config = parse_animations(text).unwrap();
        assert_eq!((config.version, config.skeletal, config.head.len()), (2, true, 3));
        let [death, walk] = config.sequences.as_slice() else { panic!("two sequences") };
        assert_eq!((death.name.as_str(), death.loop_frames, death.fps), ("death1", 0, 20.0));
        assert_eq!((walk.loop_frames, walk.fps, walk.move_speed), (12, 24.0, 80.5));
        assert_eq!((walk.blend_ms, walk.priority), (Some(200), Some(1)));
        assert_eq!(parse_animations("sex m\n0 30 0 20\n30 1 0 20").unwrap().sequences[1].name, "animation 2");
        let commented = "// a list\n\n0\t30\t0\t20\t// BOTH_DEATH1 // falls\n30 1 0 20 //\n";
        let found = parse_animations(commented).unwrap().sequences;
        assert_eq!([&*found[0].name, &*found[1].name], ["BOTH_DEATH1", "animation 2"]);
    }

    #[test]
    fn a_row_that_cannot_be_read_is_a_problem_with_its_line() {
        let text = "VERSION 2\nSTARTANIMS\nover table 1015 330 0 20 0\nwalk 30 12 12 24 80\nENDANIMS\n";
        let config = parse_animations(text).unwrap();
        let problems: Vec<String> = config.problems.iter().map(ToString::to_string).collect();
        assert_eq!(problems, ["3:6: a non-negative integer expected, found \"table\""]);
        assert_eq!(config.sequences.len(), 1);
    }

    #[test]
    fn rows_of_enemy_territory_may_be_reversed() {
        let rows = parse_aninc("// x\nProne_Detach 65 39 0 20 0 50 1\n\nidle 0 5 5 10 0 0 0\n").unwrap();
        assert_eq!(
            (rows[0].name.as_str(), rows[0].reversed, rows[0].blend_ms),
            ("prone_detach", true, Some(50))
        );
        // The first frame shown is the last one of the range: 65 + 39 - 1.
        assert_eq!((rows[0].frame_at(0.0), rows[0].frame_at(60.0), rows[0].frame_at(1e6)), (103, 102, 65));
        assert!(!rows[1].reversed);
        let error = parse_aninc("idle 0 5 5 10 0 0").unwrap_err();
        assert_eq!(error.to_string(), "1:1: a row with eight columns expected, found \"idle\"");
    }

    #[test]
    fn a_sequence_stays_on_its_last_frame_or_repeats_its_end() {
        let mut sequence = Sequence { first: 10, count: 5, fps: 10.0, ..Sequence::default() };
        let frames = |sequence: &Sequence| -> Vec<u32> {
            (0..9).map(|step| sequence.frame_at(f64::from(step) * 100.0 + 50.0)).collect()
        };
        assert_eq!(frames(&sequence), [10, 11, 12, 13, 14, 14, 14, 14, 14]);
        sequence.loop_frames = 2;
        assert_eq!(frames(&sequence), [10, 11, 12, 13, 14, 13, 14, 13, 14]);
        sequence.count = 0;
        assert_eq!(sequence.frame_at(1e300), 10);
    }
}
