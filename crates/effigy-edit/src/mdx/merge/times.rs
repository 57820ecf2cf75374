//! Which sequence of the other model plays in each sequence of the model, and when its keys are.

use crate::listed;
use crate::mdx::spacing::{self, Moving};
use effigy_mdx::{Extent, Model, Sequence, Track};
use effigy_wire::Report;

/// A sequence of the other model, and the one of this model that it plays in: start and end of both.
#[derive(Clone, Copy, Debug)]
struct Play {
    old: [i64; 2],
    new: [i64; 2],
}

impl Play {
    /// Where a time of the other model is on the timeline of this one; none: outside.
    fn moved(&self, time: i32) -> Option<i32> {
        let ([from, to], [start, end]) = (self.old, self.new);
        let time = i64::from(time);
        if !(from..=to).contains(&time) {
            return None;
        }
        let (old, new) = (to - from, end - start);
        // Rounded to the nearest millisecond; products of 32 bits fit into 64.
        let since = if old == new || old == 0 {
            (time - from).min(new)
        } else {
            ((time - from) * new + old / 2) / old
        };
        i32::try_from(start + since).ok()
    }
}

/// What plays when.
#[derive(Debug)]
pub(super) struct Plays {
    /// In the order of the timeline.
    plays: Vec<Play>,
    /// For each sequence of the model, the one of the other.
    chosen: Vec<Option<usize>>,
}

impl Plays {
    /// Chooses sequences by name.
    pub(super) fn new(model: &Model, other: &Model, report: &mut Report) -> Self {
        let counterpart = |index: usize| counterpart(index, &model.sequences, &other.sequences);
        let chosen: Vec<Option<usize>> = (0..model.sequences.len()).map(counterpart).collect();
        let mut plays: Vec<Play> = Vec::new();
        let (mut stretched, mut shared) = (Vec::new(), Vec::new());
        for (own, from) in model.sequences.iter().zip(&chosen) {
            let Some(from) = from.and_then(|from| other.sequences.get(from)) else { continue };
            let play = Play { old: from.interval.map(i64::from), new: own.interval.map(i64::from) };
            if play.new[1] < play.new[0] || play.old[1] < play.old[0] {
                continue;
            }
            if plays.iter().any(|it| it.new[0] < play.new[1] && play.new[0] < it.new[1]) {
                shared.push(own.name.text().into_owned());
                continue;
            }
            if play.new[1] - play.new[0] != play.old[1] - play.old[0] {
                stretched.push(own.name.text().into_owned());
            }
            plays.push(play);
        }
        plays.sort_by_key(|play| play.new);
        if !stretched.is_empty() {
            let text = format!(
                "what was added plays faster or slower there, to end with the sequence: {}",
                listed(&stretched)
            );
            report.approximated("sequences", text);
        }
        if !shared.is_empty() {
            let text = format!(
                "these share keys with sequences before them, and what was added plays there as in those: {}",
                listed(&shared)
            );
            report.approximated("sequences", text);
        }
        let unused: Vec<String> = (other.sequences.iter().enumerate())
            .filter(|(index, _)| !chosen.contains(&Some(*index)))
            .map(|(_, sequence)| sequence.name.text().into_owned())
            .collect();
        if !unused.is_empty() {
            report
                .dropped("sequences", format!("of the other model, nothing here plays {}", listed(&unused)));
        }
        Self { plays, chosen }
    }

    /// Moves every key and event of the other model; those that nothing plays are gone.
    pub(super) fn retime(&self, other: &mut Model, report: &mut Report) {
        let mut lost = 0;
        let mut retime = |track: &mut Track| {
            if track.global_sequence < 0 {
                let (words, gone) = self.words(track);
                lost += gone;
                // Whole keys were copied.
                _ = track.set_words(track.interpolation(), words);
            }
        };
        other.each_tracks_mut(|tracks| {
            tracks.0.retain_mut(|track| {
                let had = !track.is_empty();
                retime(track);
                !had || !track.is_empty()
            });
        });
        other.each_slot_track_mut(|slot| slot.iter_mut().for_each(&mut retime));
        spacing::report(lost, report);
        other.each_event_mut(|global, times| {
            if global < 0 {
                *times = self
                    .plays
                    .iter()
                    .flat_map(|play| times.iter().filter_map(|time| play.moved(*time)))
                    .collect();
            }
        });
    }

    /// The keys of a track on the timeline of the model, and how many are lost that change how something moves.
    fn words(&self, track: &Track) -> (Vec<u32>, usize) {
        let (mut words, mut lost) = (Vec::new(), 0);
        let mut last: Option<i64> = None;
        for play in &self.plays {
            let [start, end] = play.new;
            // Two sequences with a common border: the key of the first stays.
            let is_taken = last == Some(start);
            let keys: Vec<Moving<'_>> = (track.words().chunks_exact(track.stride()))
                .filter_map(|key| {
                    let (old, value) = key.split_first()?;
                    let wanted = play.moved(old.cast_signed())?.into();
                    Some(Moving { old: old.cast_signed().into(), wanted, value })
                })
                .filter(|key| !(is_taken && key.old == play.old[0]))
                .collect();
            let lowest = start + i64::from(is_taken);
            // Keys that are out of order stay in their order.
            for run in keys.chunk_by(|a, b| a.old <= b.old) {
                let mut times = spacing::place(track.interpolation(), run, [lowest, end]);
                for time in &mut times {
                    *time = time.filter(|time| (lowest..=end).contains(time));
                }
                lost += spacing::lost(track, run, &times);
                spacing::push(run, &times, &mut words);
                last = times.into_iter().flatten().next_back().or(last);
            }
        }
        (words, lost)
    }

    /// The bounds of a geoset of the other model for each sequence of this one.
    pub(super) fn extents(&self, of: &[Extent], otherwise: &Extent) -> Vec<Extent> {
        let extent = |from: &Option<usize>| from.and_then(|from| of.get(from)).unwrap_or(otherwise).clone();
        self.chosen.iter().map(extent).collect()
    }
}

/// The sequence that plays together with one of the model: that of the same name, else of the same name without its number, else of the same
/// first word (a plain one rather than another variant), else a Stand, else the first of all. Of several with the same name, the second plays with the second.
fn counterpart(index: usize, own: &[Sequence], others: &[Sequence]) -> Option<usize> {
    let name = own.get(index)?.name.text().into_owned();
    let full = |name: &str| name.trim().to_lowercase();
    let plain = |name: &str| {
        let name = name.split('-').next().unwrap_or_default().to_lowercase();
        name.trim_end_matches(|c: char| c.is_ascii_digit() || c.is_whitespace()).trim().to_owned()
    };
    let word = |name: &str| plain(name).split_whitespace().next().unwrap_or_default().to_owned();
    let find = |same: &dyn Fn(&str) -> bool| {
        let fits = |list: &[Sequence]| -> Vec<usize> {
            let fits = list.iter().enumerate().filter(|(_, it)| same(&it.name.text()));
            fits.map(|(index, _)| index).collect()
        };
        let found = fits(others);
        let before = fits(own).into_iter().filter(|other| *other < index).count();
        found.get(before.checked_rem(found.len())?).copied()
    };
    find(&|other| full(other) == full(&name))
        .or_else(|| find(&|other| plain(other) == plain(&name)))
        .or_else(|| find(&|other| plain(other) == word(&name)))
        .or_else(|| find(&|other| word(other) == word(&name)))
        .or_else(|| others.iter().position(|other| plain(&other.name.text()) == "stand"))
        .or_else(|| others.iter().position(|other| word(&other.name.text()) == "stand"))
        .or((!others.is_empty()).then_some(0))
}
