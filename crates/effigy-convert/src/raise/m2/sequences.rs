//! Which sequences an M2 gets from a scene: numbers of animations by name, variations, and where they are on the timeline.

use crate::raise::table::{DEAD, ROWS, Weapon};
use crate::raise::timeline::{self, Change, Clip};
use crate::raise::words;
use crate::raise::{RaiseOptions, extras};
use crate::raise::{loops, names};
use effigy_m2::{Caps, Sequence as Record, SequenceFlags};
use effigy_scene::{Bounds, Extra, Id, Node, Scene, Sequence};
use effigy_wire::Report;
use std::collections::BTreeMap;

/// Milliseconds before each sequence on the timeline of older versions, as in many original files.
const GAP: i32 = 3333;
/// Length of a Stand that had to be made.
const SECOND: i32 = 1000;
/// Weights of the variations of an animation add up to this.
const FREQUENCY: f32 = 32767.0;
/// Milliseconds over which the games blend from one sequence to the next.
const BLEND: u32 = 150;
/// Flags that are kept: those that mean the same in all versions, and that a sequence blends with the one before it.
const KEPT: u32 = 0x8f;
/// Animations for whatever has no number of its own.
const SPARE: [&str; 14] = [
    "Custom0",
    "Custom1",
    "Custom2",
    "Custom3",
    "CustomSpell01",
    "CustomSpell02",
    "CustomSpell03",
    "CustomSpell04",
    "CustomSpell05",
    "CustomSpell06",
    "CustomSpell07",
    "CustomSpell08",
    "CustomSpell09",
    "CustomSpell10",
];

/// A sequence of the new model.
#[derive(Clone, Debug)]
pub(super) struct Planned {
    pub record: Record,
    /// The clip that it plays.
    pub clip: usize,
    /// The sequence whose keys it plays; none: its own.
    pub alias: Option<usize>,
    /// It was added because every creature needs it.
    pub made: bool,
}

/// The sequences, and the parts of the timeline that they play.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    pub clips: Vec<Clip>,
    pub sequences: Vec<Planned>,
    /// Units of the target in a unit of the source.
    pub scale: f32,
}

type Names = Vec<(String, Option<String>)>;

pub(super) fn plan(
    scene: &Scene,
    options: &RaiseOptions,
    caps: Caps,
    native: bool,
    report: &mut Report,
) -> (Plan, Names) {
    let mut chosen = if native { stored(scene) } else { by_name(scene, options, report) };
    if !native {
        complete(scene, &mut chosen, report);
        vary(&mut chosen);
    }
    let plan = place(scene, chosen, caps, report);
    let name = |id: Id<Sequence>| {
        let clip = plan.clips.iter().position(|clip| clip.source == Some(id));
        // What was made from it is not its name, unless there is nothing else.
        let found = plan.sequences.iter().filter(|planned| Some(planned.clip) == clip);
        found.min_by_key(|planned| planned.made).map(|planned| title(&planned.record))
    };
    // A sequence that shares its part of the timeline with another one is named after its own record.
    let own = |at: usize, id: Id<Sequence>| match plan.sequences.get(at).filter(|_| native) {
        Some(planned) => Some(title(&planned.record)),
        None => name(id),
    };
    let names =
        scene.sequences.iter().enumerate().map(|(at, (id, it))| (it.name.clone(), own(at, id))).collect();
    (plan, names)
}

/// The name of a sequence, as `lower` makes it.
fn title(record: &Record) -> String {
    let name = effigy_m2::names::animation(record.id);
    let name = name.map_or_else(|| format!("Animation {}", record.id), std::borrow::Cow::into_owned);
    if record.variation > 0 { format!("{name} {}", record.variation) } else { name }
}

/// A sequence that will be written: what it plays, and its record without times.
struct Choice {
    source: Option<Id<Sequence>>,
    record: Record,
    looping: bool,
    /// How rarely it is chosen among the variations; none: never by chance.
    rarity: Option<f32>,
    made: bool,
}

const fn corners(bounds: &Bounds) -> [f32; 6] {
    let ([ax, ay, az], [bx, by, bz]) = (bounds.min, bounds.max);
    [ax, ay, az, bx, by, bz]
}

fn record(sequence: &Sequence) -> Record {
    let mut made = Record {
        move_speed: sequence.move_speed,
        bounds: corners(&sequence.bounds),
        radius: sequence.bounds.radius,
        blend_time: BLEND,
        ..Record::default()
    };
    if let Some(time) = extras::word(&sequence.extras, "blendTime") {
        made.blend_time = time;
    }
    if let Some(&[low, high]) = extras::ints(&sequence.extras, "replay") {
        made.replay_min = u32::try_from(low).unwrap_or(0);
        made.replay_max = u32::try_from(high).unwrap_or(0);
    }
    made.flags.set(SequenceFlags::ONCE, !sequence.looping);
    made
}

/// The sequences of an M2, as they were.
fn stored(scene: &Scene) -> Vec<Choice> {
    let short = |number: Option<i64>| number.and_then(|number| u16::try_from(number).ok()).unwrap_or(0);
    let signed =
        |number: Option<i64>, none: i16| number.and_then(|number| i16::try_from(number).ok()).unwrap_or(none);
    let choice = |(id, sequence): (Id<Sequence>, &Sequence)| {
        let kept = &sequence.extras;
        let mut record = Record {
            id: short(extras::int(kept, "id")),
            variation: short(extras::int(kept, "variation")),
            frequency: signed(extras::int(kept, "frequency"), 0),
            next_variation: signed(extras::int(kept, "nextVariation"), -1),
            ..record(sequence)
        };
        let flags = extras::word(kept, "flags").unwrap_or(0) & KEPT;
        record.flags = SequenceFlags::from_bits_retain(flags);
        Choice { source: Some(id), record, looping: sequence.looping, rarity: None, made: false }
    };
    scene.sequences.iter().map(choice).collect()
}

/// The number of the animation that a name of Warcraft III means; false: words of the name were left out.
fn by_table(name: &str, weapon: Weapon) -> Option<(u16, bool)> {
    let plain = timeline::plain_name(name);
    let words: Vec<&str> = plain.split_whitespace().collect();
    for count in (1..=words.len()).rev() {
        let part = words.get(..count).unwrap_or_default().join(" ");
        let same = |known: &str| known.eq_ignore_ascii_case(&part);
        let row = ROWS.iter().find(|row| same(row.name) && row.weapon.is_none_or(|kind| kind == weapon));
        let whole = count == words.len();
        if let Some(id) = row.and_then(|row| row.ids.first()) {
            return Some((*id, whole));
        }
        if same("decay") {
            return Some((DEAD, words.get(1).is_none_or(|word| word.eq_ignore_ascii_case("flesh"))));
        }
    }
    None
}

/// The animation of a sequence, and whether it may be chosen by chance.
fn animation(scene: &Scene, sequence: &Sequence, name: &str, weapon: Weapon) -> Option<(u16, bool)> {
    let exact = || {
        let renamed = Sequence { name: words::title(name).to_owned(), ..Sequence::default() };
        timeline::animation(&renamed).map(|id| (id, true))
    };
    if timeline::is_world(scene) {
        return if name == sequence.name {
            timeline::animation(sequence).map(|id| (id, true))
        } else {
            exact()
        };
    }
    let cinematic = name.get(..9).filter(|start| start.eq_ignore_ascii_case("cinematic"));
    if crate::raise::units::format(scene) == "mdx" {
        return if cinematic.is_some() { None } else { by_table(name, weapon).or_else(exact) };
    }
    let guessed = || {
        let (guess, by_chance) = names::meaning(name)?;
        let (number, whole) = match guess.as_str() {
            // Here walking and running are two things.
            "Walk" if names::mentions(name, "walk") => (4, true),
            _ => by_table(&guess, weapon)?,
        };
        Some((number, whole && by_chance))
    };
    exact().or_else(guessed)
}

fn by_name(scene: &Scene, options: &RaiseOptions, report: &mut Report) -> Vec<Choice> {
    let weapon = if options.weapon == Weapon::Auto { Weapon::Unarmed } else { options.weapon };
    let mut chosen: Vec<Choice> = Vec::new();
    let mut spare = SPARE.iter().filter_map(|name| effigy_m2::names::animation_id(name));
    let (mut left, mut portraits, mut numbered) = (Vec::new(), 0_usize, Vec::new());
    let mut poses = Vec::new();
    for (id, sequence) in scene.sequences.iter() {
        let name = options.names.sequences.get(&sequence.name).unwrap_or(&sequence.name);
        if name.is_empty() {
            continue;
        }
        if name.eq_ignore_ascii_case("portrait") {
            portraits += 1;
            continue;
        }
        let (number, usual) = match animation(scene, sequence, name, weapon) {
            Some(found) => found,
            None if timeline::is_rest_pose(scene, name) => {
                poses.push(name.clone());
                continue;
            }
            None => match spare.next() {
                Some(number) => {
                    numbered.push(format!("{name} is {number}"));
                    (number, true)
                }
                None => {
                    left.push(name.clone());
                    continue;
                }
            },
        };
        let rarity = match sequence.extras.get("frequency") {
            // The first version of the game has a share of 1 instead.
            Some(Extra::Float(share)) if *share > 0.0 => 1.0 / share.clamp(1e-3, 1.0) - 1.0,
            _ => extras::float(&sequence.extras, "rarity").unwrap_or(0.0),
        };
        let looping = loops::of(scene, sequence, name);
        let mut record = Record { id: number, ..record(sequence) };
        record.flags.set(SequenceFlags::ONCE, !looping);
        let rarity = usual.then_some(rarity.max(0.0));
        chosen.push(Choice { source: Some(id), record, looping, rarity, made: false });
    }
    timeline::report_poses(&poses, report);
    if portraits > 0 {
        report.dropped("sequences", "Portrait: the game shows its Stand in portraits");
    }
    if !numbered.is_empty() {
        let text =
            format!("animations without a name of the game got spare numbers: {}", numbered.join(", "));
        report.approximated("sequences", text);
    }
    if !left.is_empty() {
        let text = format!("{} have no counterpart in World of Warcraft: {}", left.len(), left.join(", "));
        report.dropped("sequences", text);
    }
    chosen
}

/// Adds what every creature needs: a Stand, and both of two animations that stand for each other.
fn complete(scene: &Scene, chosen: &mut Vec<Choice>, report: &mut Report) {
    let copy = |of: &Choice, id: u16| Choice {
        source: of.source,
        record: Record { id, ..of.record.clone() },
        looping: of.looping,
        rarity: Some(0.0),
        made: true,
    };
    for row in ROWS.iter().filter(|row| row.first) {
        let present = chosen.iter().position(|it| row.ids.contains(&it.record.id) && it.rarity.is_some());
        let Some(present) = present else { continue };
        for id in row.ids {
            if !chosen.iter().any(|it| it.record.id == *id)
                && let Some(made) = chosen.get(present).map(|it| copy(it, *id))
            {
                chosen.push(made);
                let name = effigy_m2::names::animation(*id).unwrap_or_default();
                report.rebuilt("sequences", format!("{name} plays the keys of another sequence"));
            }
        }
    }
    if !chosen.iter().any(|it| it.record.id == 0) {
        let made = match chosen.first() {
            Some(first) => copy(first, 0),
            None => Choice {
                source: scene.sequences.id(0),
                record: Record { blend_time: BLEND, ..Record::default() },
                looping: true,
                rarity: Some(0.0),
                made: true,
            },
        };
        chosen.insert(0, made);
        report.rebuilt("sequences", "a Stand was made, since every model needs one");
    }
}

/// Numbers the variations of each animation, gives them their weights, and links them.
fn vary(chosen: &mut [Choice]) {
    // Those that are never chosen by chance come last.
    chosen.sort_by_key(|it| (it.record.id, it.rarity.is_none()));
    let mut groups: BTreeMap<u16, Vec<usize>> = BTreeMap::new();
    for (at, it) in chosen.iter().enumerate() {
        groups.entry(it.record.id).or_default().push(at);
    }
    for group in groups.values() {
        let weight = |it: &Choice| it.rarity.map_or(0.0, |rarity| 1.0 / (1.0 + rarity));
        let total: f32 = group.iter().filter_map(|at| chosen.get(*at)).map(weight).sum();
        for (variation, at) in group.iter().enumerate() {
            let Some(it) = chosen.get_mut(*at) else { continue };
            let share = if total > 0.0 { weight(it) / total } else { f32::from(u8::from(variation == 0)) };
            #[allow(clippy::cast_possible_truncation, reason = "a share of a 16-bit number")]
            let frequency = (share * FREQUENCY).round() as i16;
            it.record.frequency = frequency;
            it.record.variation = super::short(variation);
            let next = group.get(variation.saturating_add(1));
            it.record.next_variation = next.and_then(|next| i16::try_from(*next).ok()).unwrap_or(-1);
        }
    }
}

/// Whether two sequences with the same times play the same keys: some files give all their sequences no length at all.
fn same_keys(scene: &Scene, a: Option<Id<Sequence>>, b: Option<Id<Sequence>>) -> bool {
    let (Some(a), Some(b)) = (a.map(Id::index), b.map(Id::index)) else { return a == b };
    let same = |windows: &[[u32; 2]]| windows.get(a) == windows.get(b);
    let windows = |node: &Node| {
        let lists = [
            node.translation.track.as_ref().map(|track| track.windows.as_slice()),
            node.rotation.track.as_ref().map(|track| track.windows.as_slice()),
            node.scale.track.as_ref().map(|track| track.windows.as_slice()),
        ];
        lists.into_iter().flatten().all(same)
    };
    a == b || scene.nodes.as_slice().iter().all(windows)
}

/// Places the sequences one after another. Those that play the same part of the timeline share their keys.
fn place(scene: &Scene, chosen: Vec<Choice>, caps: Caps, report: &mut Report) -> Plan {
    let mut plan = Plan::default();
    let mut known: BTreeMap<(i32, i32), usize> = BTreeMap::new();
    let mut next: i32 = 0;
    let total = chosen.len();
    for choice in chosen {
        let source = choice.source.and_then(|id| scene.sequences.get(id));
        let span = source.map_or((0, SECOND), |it| (it.start, it.end));
        let leader = known.get(&span).copied().filter(|leader| {
            let clip = plan.sequences.get(*leader).and_then(|it| plan.clips.get(it.clip));
            clip.is_none_or(|clip| same_keys(scene, clip.source, choice.source))
        });
        let clip = match leader.and_then(|leader| plan.sequences.get(leader)).map(|it| it.clip) {
            Some(clip) => clip,
            None => {
                let length = source.map_or(SECOND, Sequence::length);
                let times = next.checked_add(GAP).and_then(|start| Some((start, start.checked_add(length)?)));
                let Some((start, end)) = times else {
                    let text =
                        format!("{} do not fit on the timeline", total.saturating_sub(plan.sequences.len()));
                    report.dropped("sequences", text);
                    break;
                };
                next = end;
                known.insert(span, plan.sequences.len());
                plan.clips.push(Clip {
                    name: title(&choice.record),
                    start,
                    end,
                    looping: choice.looping,
                    rarity: 0.0,
                    move_speed: choice.record.move_speed,
                    source: choice.source.filter(|_| source.is_some()),
                    hold: None,
                    change: Change::Nothing,
                    made: false,
                });
                plan.clips.len().saturating_sub(1)
            }
        };
        let times = plan.clips.get(clip).map_or((0, 0), |clip| (clip.start, clip.end));
        let [start, end] = [times.0, times.1].map(|time| u32::try_from(time).unwrap_or(0));
        let made = choice.made;
        let mut record = choice.record;
        if caps.contains(Caps::NESTED) {
            record.duration = end.saturating_sub(start);
            record.flags |= if leader.is_some() { SequenceFlags::ALIAS } else { SequenceFlags::EMBEDDED };
            record.alias = super::short(leader.unwrap_or(plan.sequences.len()));
        } else {
            record.flags &= SequenceFlags::from_bits_retain(0xf);
            (record.start, record.end) = (start, end);
        }
        plan.sequences.push(Planned { record, clip, alias: leader, made });
    }
    plan
}

#[cfg(test)]
mod tests;
