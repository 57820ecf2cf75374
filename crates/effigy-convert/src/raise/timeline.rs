//! Which sequences a model of Warcraft III gets from a scene of another game, and where they are on its timeline.

use super::names::{self, Numbered};
use super::table::{DEAD, EFFECT, ROWS};
use super::{RaiseOptions, loops, units};
use effigy_scene::{Extra, Extras, Id, Scene, Sequence};
use effigy_wire::Report;
use std::collections::{BTreeMap, BTreeSet};

/// Milliseconds before each sequence, as in the game's own models.
const GAP: i32 = 333;
/// Length of a sequence that has none: one frame.
const FRAME: i32 = 33;
/// Length of a body that decays.
const DECAY: i32 = 60_000;
const SECOND: i32 = 1000;

/// What happens to the whole model in a sequence that the source does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    Nothing,
    /// It sinks into the ground.
    Sink,
    /// It is not visible.
    Vanish,
}

/// A sequence of the new model.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Clip {
    pub name: String,
    /// First and last millisecond.
    pub start: i32,
    pub end: i32,
    pub looping: bool,
    pub rarity: f32,
    pub move_speed: f32,
    /// The sequence of the source that it plays; none: the model rests.
    pub source: Option<Id<Sequence>>,
    /// The time of the source that it holds instead of playing it, milliseconds.
    pub hold: Option<i32>,
    pub change: Change,
    /// It was added because the game expects it.
    pub made: bool,
}

impl Clip {
    fn playing(name: String, source: Id<Sequence>, sequence: &Sequence, looping: bool) -> Self {
        Self {
            name,
            start: 0,
            end: sequence.length(),
            looping,
            rarity: 0.0,
            move_speed: sequence.move_speed,
            source: Some(source),
            hold: None,
            change: Change::Nothing,
            made: false,
        }
    }

    /// Whether emitters and lights are off.
    pub fn is_quiet(&self) -> bool {
        self.hold.is_some()
    }
}

fn number(extras: &Extras, name: &str) -> Option<i64> {
    match extras.get(name)? {
        Extra::Int(number) => Some(*number),
        _ => None,
    }
}

/// The number of an animation of World of Warcraft: as the file has it, or by the name that its first version had instead.
pub(super) fn animation(sequence: &Sequence) -> Option<u16> {
    let stored = number(&sequence.extras, "id").and_then(|id| u16::try_from(id).ok());
    let named = |name: &str| effigy_m2::names::animation_id(name.trim());
    let whole = sequence.name.split(" - ").next().unwrap_or_default();
    stored.or_else(|| named(whole)).or_else(|| named(plain_name(&sequence.name)))
}

/// A name without the number of its variation at the end, and without a comment.
pub(super) fn plain_name(name: &str) -> &str {
    let name = name.split(" - ").next().unwrap_or_default();
    name.trim_end_matches(|c: char| c.is_ascii_digit() || c.is_whitespace() || matches!(c, '_' | '-'))
}

pub(super) fn is_m2(scene: &Scene) -> bool {
    units::format(scene) == "m2"
}

/// Whether a scene comes from World of Warcraft, of whatever version.
pub(super) fn is_world(scene: &Scene) -> bool {
    is_m2(scene) || units::format(scene) == "wow-alpha-mdx"
}

/// The sequences of the new model, in the order of their times.
pub(super) fn plan(scene: &Scene, options: &RaiseOptions, report: &mut Report) -> Vec<Clip> {
    let mut clips =
        if is_world(scene) { by_table(scene, options, report) } else { by_name(scene, options, report) };
    complete(scene, options, &mut clips, report);
    let mut names = Numbered::default();
    let mut next: i32 = 0;
    let mut placed = Vec::with_capacity(clips.len());
    for mut clip in clips {
        let length = if clip.end > 0 { clip.end } else { FRAME };
        let Some(start) = next.checked_add(GAP) else { break };
        let Some(end) = start.checked_add(length) else {
            report
                .dropped("sequences", format!("{} and those after it do not fit on the timeline", clip.name));
            break;
        };
        clip.name = names.next(&clip.name);
        (clip.start, clip.end, next) = (start, end, end);
        placed.push(clip);
    }
    placed
}

/// The user's name for a sequence: none: nothing was chosen, empty: it is left out.
fn chosen<'a>(options: &'a RaiseOptions, sequence: &Sequence) -> Option<&'a str> {
    options.names.sequences.get(&sequence.name).map(String::as_str)
}

fn by_table(scene: &Scene, options: &RaiseOptions, report: &mut Report) -> Vec<Clip> {
    let all: Vec<_> = scene.sequences.iter().collect();
    let has = |id: u16| all.iter().any(|(_, sequence)| animation(sequence) == Some(id));
    let weapon = options.weapon.resolve(has);
    let is_effect = EFFECT.iter().all(|id| has(*id));
    let mut clips = Vec::new();
    let mut taken = vec![false; all.len()];
    let mut take = |clips: &mut Vec<Clip>,
                    name: &str,
                    looping: bool,
                    rarity: f32,
                    wanted: &dyn Fn(&Sequence) -> bool| {
        let before = clips.len();
        for ((id, sequence), taken) in all.iter().zip(&mut taken) {
            if *taken || !wanted(sequence) {
                continue;
            }
            *taken = true;
            let mut clip = Clip::playing(name.to_owned(), *id, sequence, looping);
            // The first is the usual one; the game chooses the others now and then.
            clip.rarity = if clips.len() > before { rarity } else { 0.0 };
            clips.push(clip);
        }
    };
    for (_, sequence) in &all {
        if let Some(name) = chosen(options, sequence) {
            let same = |other: &Sequence| other.name == sequence.name;
            if !name.is_empty() {
                take(&mut clips, name, names::loops(name), 0.0, &same);
            }
        }
    }
    let unnamed = |sequence: &Sequence| chosen(options, sequence).is_none();
    if is_effect {
        for (id, (name, looping)) in EFFECT.iter().zip([("Birth", false), ("Stand", true), ("Death", false)])
        {
            take(&mut clips, name, looping, 0.0, &|it| unnamed(it) && animation(it) == Some(*id));
        }
    }
    for row in ROWS.iter().filter(|row| row.weapon.is_none_or(|kind| kind == weapon)) {
        let first = row.ids.iter().find(|id| has(**id)).copied();
        let wanted = |sequence: &Sequence| {
            let id = animation(sequence);
            unnamed(sequence)
                && if row.first {
                    id.is_some() && id == first
                } else {
                    id.is_some_and(|id| row.ids.contains(&id))
                }
        };
        take(&mut clips, row.name, row.looping, row.rarity, &wanted);
    }
    if options.all_sequences {
        for (_, sequence) in &all {
            let same = |other: &Sequence| unnamed(other) && other.name == sequence.name;
            take(&mut clips, &format!("Cinematic {}", sequence.name), false, 0.0, &same);
        }
    }
    let left = taken.iter().filter(|taken| !**taken).count();
    if left > 0 {
        let text = format!(
            "{left} of {} animations have no counterpart in Warcraft III, or belong to another weapon",
            all.len()
        );
        report.dropped("sequences", text);
    }
    clips
}

/// Whether a sequence of another program only shows how the model was built.
pub(super) fn is_rest_pose(scene: &Scene, name: &str) -> bool {
    !is_world(scene) && units::format(scene) != "mdx" && names::is_rest_pose(name)
}

pub(super) fn report_poses(poses: &[String], report: &mut Report) {
    if !poses.is_empty() {
        let text = format!("poses that only show how the model was built: {}", poses.join(", "));
        report.dropped("sequences", text);
    }
}

fn by_name(scene: &Scene, options: &RaiseOptions, report: &mut Report) -> Vec<Clip> {
    let mut clips = Vec::new();
    let mut poses = Vec::new();
    for (id, sequence) in scene.sequences.iter() {
        let name = match chosen(options, sequence) {
            Some(name) => Some(name.to_owned()).filter(|name| !name.is_empty()),
            None => match names::guess(&sequence.name) {
                None if options.all_sequences => Some(format!("Cinematic {}", sequence.name)),
                None => {
                    poses.push(sequence.name.clone());
                    None
                }
                guess => guess,
            },
        };
        if let Some(name) = name {
            let looping = loops::by_name(sequence, &name);
            clips.push((!names::is_plain(&sequence.name), Clip::playing(name, id, sequence, looping)));
        }
    }
    report_poses(&poses, report);
    runs_are_fast(scene, options, clips.iter_mut().map(|(_, clip)| clip));
    let mut clips = plain_first(clips);
    variations_are_rare(&mut clips);
    clips
}

/// Where a model walks and runs, running is not a variation of walking that the game would choose by chance.
fn runs_are_fast<'c>(scene: &Scene, options: &RaiseOptions, clips: impl Iterator<Item = &'c mut Clip>) {
    let source = |clip: &Clip| clip.source.and_then(|id| scene.sequences.get(id));
    let (walks, runs): (Vec<_>, Vec<_>) = clips
        .filter(|clip| clip.name == "Walk" && source(clip).is_some_and(|it| chosen(options, it).is_none()))
        .partition(|clip| source(clip).is_some_and(|it| names::mentions(&it.name, "walk")));
    if !walks.is_empty() {
        runs.into_iter().for_each(|clip| "Walk Fast".clone_into(&mut clip.name));
    }
}

/// The first sequence of a name is the usual one; the game chooses the others now and then.
fn variations_are_rare(clips: &mut [Clip]) {
    let mut known = BTreeSet::new();
    for clip in clips {
        if !known.insert(clip.name.to_ascii_lowercase()) {
            let row = ROWS.iter().find(|row| row.name.eq_ignore_ascii_case(&clip.name));
            clip.rarity = row.map_or(0.0, |row| row.rarity);
        }
    }
}

/// Among sequences of one name, the one with the plainest old name comes first: the game plays it most.
fn plain_first(clips: Vec<(bool, Clip)>) -> Vec<Clip> {
    let mut order: BTreeMap<String, Vec<(bool, usize)>> = BTreeMap::new();
    for (at, (odd, clip)) in clips.iter().enumerate() {
        order.entry(clip.name.clone()).or_default().push((*odd, at));
    }
    order.values_mut().for_each(|list| list.sort_unstable_by_key(|entry| std::cmp::Reverse(*entry)));
    let next = |(_, clip): &(bool, Clip)| order.get_mut(&clip.name).and_then(Vec::pop).map(|(_, at)| at);
    let places: Vec<usize> = clips.iter().filter_map(next).collect();
    places.into_iter().filter_map(|at| clips.get(at).map(|(_, clip)| clip.clone())).collect()
}

/// Adds the sequences that the game expects of every unit and that the source does not have.
fn complete(scene: &Scene, options: &RaiseOptions, clips: &mut Vec<Clip>, report: &mut Report) {
    let starts = |clip: &&Clip, word: &str| {
        clip.name.get(..word.len()).is_some_and(|it| it.eq_ignore_ascii_case(word))
    };
    let is_stand = |clip: &&Clip| names::is_stand(&clip.name);
    if !clips.iter().any(|clip| is_stand(&clip)) {
        // A Stand Ready, the first sequence that the user did not take away, or the model at rest.
        let ready = clips.iter().find(|clip| starts(clip, "stand ready")).and_then(|clip| clip.source);
        let mut usable = scene.sequences.iter().filter(|(_, it)| chosen(options, it) != Some(""));
        let found = match ready {
            Some(id) => scene.sequences.get(id).map(|sequence| (id, sequence)),
            None => usable.next(),
        };
        let clip = match found {
            Some((id, sequence)) => {
                Clip { made: true, ..Clip::playing("Stand".to_owned(), id, sequence, true) }
            }
            None => Clip {
                name: "Stand".to_owned(),
                start: 0,
                end: SECOND,
                looping: true,
                rarity: 0.0,
                move_speed: 0.0,
                source: None,
                hold: None,
                change: Change::Nothing,
                made: true,
            },
        };
        report.rebuilt("sequences", "a Stand was made, since units need one");
        clips.insert(0, clip);
    }
    let stand = clips.iter().find(is_stand).cloned();
    let made = |name: &str, of: &Clip, length: i32, change: Change| Clip {
        name: name.to_owned(),
        end: length,
        looping: false,
        move_speed: 0.0,
        rarity: 0.0,
        hold: Some(of.hold.unwrap_or(of.end)),
        change,
        made: true,
        ..of.clone()
    };
    let is_unit = clips.iter().any(|clip| starts(&clip, "walk") || starts(&clip, "attack"));
    let death = clips.iter().find(|clip| starts(clip, "death")).cloned();
    if let (None, Some(stand)) = (&death, &stand) {
        report.rebuilt("sequences", "a Death was made, in which the model disappears");
        clips.push(Clip { hold: Some(0), ..made("Death", stand, SECOND, Change::Vanish) });
    }
    let has_decay = clips.iter().any(|clip| starts(&clip, "decay flesh") || starts(&clip, "decay bone"));
    if let (Some(death), true, false) = (&death, is_unit, has_decay) {
        let dead = scene.sequences.iter().find(|(_, sequence)| animation(sequence) == Some(DEAD));
        let body = match dead {
            Some((id, _)) => Clip { source: Some(id), hold: Some(0), ..death.clone() },
            None => death.clone(),
        };
        clips.push(made("Decay Flesh", &body, DECAY, Change::Nothing));
        clips.push(made("Decay Bone", &body, DECAY, Change::Sink));
        report.rebuilt("sequences", "Decay Flesh and Decay Bone were made from the last pose of Death");
    }
    let has_portrait = clips.iter().any(|clip| clip.name.eq_ignore_ascii_case("portrait"));
    if let (Some(stand), false, true) = (stand, has_portrait, is_unit) {
        clips.push(Clip { name: "Portrait".to_owned(), rarity: 0.0, made: true, ..stand });
    }
}

#[cfg(test)]
mod tests;
