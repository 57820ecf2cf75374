//! Footfalls of World of Warcraft as footprints: `$FSD` does not say which foot it is.

use effigy_scene::Event;
use effigy_wire::Report;

pub(super) const LEFT: &str = "FPTxFBL1";
pub(super) const RIGHT: &str = "FPTxFBR1";
const FOOTFALL: &str = "$FSD";
/// Feet are at least this far from the middle of the model.
const SIDE: f32 = 0.5;

/// Gives footfalls their sides: by where they happen, else by turns.
#[derive(Debug, Default)]
pub(super) struct Footsteps {
    /// How many are left and right by their places, and by turns.
    count: [usize; 2],
    /// Only one event has no side: its moments are those of both feet.
    alone: bool,
}

fn side(event: &Event) -> Option<&'static str> {
    let [_, y, _] = event.position;
    (y.abs() > SIDE).then_some(if y > 0.0 { LEFT } else { RIGHT })
}

impl Footsteps {
    pub fn new<'e>(events: impl Iterator<Item = &'e Event>) -> Self {
        let sideless = events.filter(|event| is_footfall(event) && side(event).is_none()).count();
        Self { count: [0; 2], alone: sideless == 1 }
    }

    /// The footprints of a footfall.
    pub fn prints(&mut self, event: Event) -> Vec<Event> {
        let named = |event: Event, name: &str| Event { name: name.to_owned(), data: 0, ..event };
        if let Some(name) = side(&event) {
            self.count[0] += 1;
            return vec![named(event, name)];
        }
        let name = if self.count[1].is_multiple_of(2) { LEFT } else { RIGHT };
        self.count[1] += 1;
        if !self.alone {
            return vec![named(event, name)];
        }
        let every_second = |first: usize| event.times.iter().copied().skip(first).step_by(2).collect();
        let feet = [(LEFT, every_second(0)), (RIGHT, every_second(1))];
        let prints = feet.map(|(name, times)| named(Event { times, ..event.clone() }, name));
        prints.into_iter().filter(|print| !print.times.is_empty()).collect()
    }

    pub fn report(&self, report: &mut Report) {
        let [by_place, by_turns] = self.count;
        if by_place > 0 {
            let text = format!("{by_place} footfalls leave the print of the foot that is on their side");
            report.rebuilt("events", text);
        }
        if by_turns > 0 {
            let text = format!("{by_turns} footfalls in the middle leave left and right prints by turns");
            report.approximated("events", text);
        }
    }
}

/// Whether an event is the fall of a foot, whichever it is.
pub(super) fn is_footfall(event: &Event) -> bool {
    event.name == FOOTFALL && !event.times.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use effigy_scene::Id;

    fn step(y: f32, times: &[i32]) -> Event {
        Event {
            name: "$FSD".to_owned(),
            data: 7,
            node: Id::new(0),
            position: [9.0, y, 0.0],
            times: times.to_vec(),
            global: None,
        }
    }

    fn prints(events: &[Event]) -> (Vec<(String, Vec<i32>)>, Vec<String>) {
        let mut steps = Footsteps::new(events.iter());
        let made: Vec<Event> = events.iter().flat_map(|event| steps.prints(event.clone())).collect();
        assert!(made.iter().all(|event| event.data == 0));
        let mut report = Report::default();
        steps.report(&mut report);
        let notes = report.notes().iter().map(|note| format!("{} {}", note.outcome, note.message));
        (made.into_iter().map(|event| (event.name, event.times)).collect(), notes.collect())
    }

    #[test]
    fn footfalls_have_the_side_where_they_are_or_take_turns() {
        let (left, right) = (
            |times: &[i32]| (LEFT.to_owned(), times.to_vec()),
            |times: &[i32]| (RIGHT.to_owned(), times.to_vec()),
        );
        // The left side is where Y is.
        let (found, notes) = prints(&[step(-4.0, &[1]), step(4.0, &[2, 3])]);
        assert_eq!(found, [right(&[1]), left(&[2, 3])]);
        assert_eq!(notes, ["rebuilt 2 footfalls leave the print of the foot that is on their side"]);
        // One in the middle is both feet.
        let (found, notes) = prints(&[step(0.5, &[1, 2, 3])]);
        assert_eq!(found, [left(&[1, 3]), right(&[2])]);
        assert_eq!(notes, ["approximated 1 footfalls in the middle leave left and right prints by turns"]);
        assert_eq!(prints(&[step(0.0, &[5])]).0, [left(&[5])]);
        let (found, _) = prints(&[step(0.0, &[1, 2]), step(0.0, &[3]), step(0.1, &[4])]);
        assert_eq!(found, [left(&[1, 2]), right(&[3]), left(&[4])]);
        assert!(!is_footfall(&step(0.0, &[])));
    }
}
