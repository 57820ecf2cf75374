//! Event objects (`EVTS`): sounds, footprints and blood at given times. The name identifies the event: `SNDxABCD`.
//!
//! Without an outer size in Warcraft III, with one in WoW alpha. `KEVT` has no interpolation and no values.

use super::Node;
use crate::version::Caps;
use effigy_wire::{Codec, Cursor, Label, Locate, Result, Sink, Tag, Tree, Wire, not_spatial, record};

record! {
    /// An event that happens at given times.
    pub struct EventObject(Caps) sized [Caps::WOW] {
        /// The node; its name identifies the event.
        pub node: Node,
        /// When it happens. Events without times mark a position, such as `$CCH` and `$CHD` in WoW alpha.
        pub track: Option<EventTrack> as (EventTrackIfThere),
    }
}

/// The times of an event (`KEVT`).
#[derive(Clone, Debug, PartialEq)]
pub struct EventTrack {
    /// Index of the global sequence whose clock it follows, or -1.
    pub global_sequence: i32,
    /// Milliseconds.
    pub times: Vec<i32>,
}

impl Default for EventTrack {
    fn default() -> Self {
        Self { global_sequence: -1, times: Vec::new() }
    }
}

not_spatial!(EventTrack);

const KEVT: Tag = Tag(*b"KEVT");

struct EventTrackIfThere;

impl Codec<Option<EventTrack>, Caps> for EventTrackIfThere {
    fn read(&self, cursor: &mut Cursor<'_>, _: Caps) -> Result<Option<EventTrack>> {
        if cursor.peek_tag() != Some(KEVT) {
            return Ok(None);
        }
        cursor.tag()?;
        let count = cursor.count()?;
        let global_sequence = cursor.i32()?;
        Ok(Some(EventTrack { global_sequence, times: cursor.bulk(count).in_tag(KEVT)? }))
    }

    fn write<S: Sink>(&self, track: &Option<EventTrack>, sink: &mut S, caps: Caps) {
        let Some(track) = track else { return };
        sink.put(&KEVT.0);
        sink.count(track.times.len());
        sink.enter(Label::Field("global_sequence"));
        track.global_sequence.write(sink, caps);
        sink.leave();
        sink.enter(Label::Field("times"));
        track.times.write(sink, caps);
        sink.leave();
    }

    fn parse(&self, tree: &Tree<'_>, caps: Caps) -> Result<Option<EventTrack>> {
        if tree.parts.is_empty() {
            return Ok(None);
        }
        tree.only(&["global_sequence", "times"])?;
        let mut track = EventTrack::default();
        if let Some(part) = tree.part("global_sequence") {
            track.global_sequence = part.number()?;
        }
        if let Some(part) = tree.part("times") {
            track.times = Wire::parse(part, caps)?;
        }
        Ok(Some(track))
    }
}
