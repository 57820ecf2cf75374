//! The tracks of one record.

use super::Track;
use crate::version::Caps;
use effigy_wire::{Cursor, Result, Sink, Tag, Tree, Wire};

/// The tracks of a record in file order; the same tag may occur more than once.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Tracks(pub Vec<Track>);

impl Tracks {
    /// The first track with this tag.
    #[must_use]
    pub fn get(&self, tag: Tag) -> Option<&Track> {
        self.0.iter().find(|track| track.tag() == tag)
    }

    /// The first track with this tag, to be changed.
    pub fn get_mut(&mut self, tag: Tag) -> Option<&mut Track> {
        self.0.iter_mut().find(|track| track.tag() == tag)
    }

    /// Replaces the first track with the same tag, or adds the track at the end.
    pub fn set(&mut self, track: Track) {
        match self.get_mut(track.tag()) {
            Some(place) => *place = track,
            None => self.0.push(track),
        }
    }

    /// Removes all tracks with this tag; returns whether there were any.
    pub fn remove(&mut self, tag: Tag) -> bool {
        let before = self.0.len();
        self.0.retain(|track| track.tag() != tag);
        self.0.len() != before
    }
}

impl std::ops::Deref for Tracks {
    type Target = [Track];
    fn deref(&self) -> &[Track] {
        &self.0
    }
}

impl<'a> IntoIterator for &'a Tracks {
    type Item = &'a Track;
    type IntoIter = std::slice::Iter<'a, Track>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl FromIterator<Track> for Tracks {
    fn from_iter<I: IntoIterator<Item = Track>>(tracks: I) -> Self {
        Self(tracks.into_iter().collect())
    }
}

/// Tracks fill the rest of their record.
impl Wire<Caps> for Tracks {
    fn read(cursor: &mut Cursor<'_>, caps: Caps) -> Result<Self> {
        let mut tracks = Vec::new();
        while !cursor.is_empty() {
            if tracks.is_empty() {
                tracks.reserve_exact(3);
            }
            tracks.push(Track::read(cursor, caps)?);
        }
        Ok(Self(tracks))
    }

    fn write<S: Sink>(&self, sink: &mut S, caps: Caps) {
        self.0.iter().for_each(|track| track.write(sink, caps));
    }

    fn parse(tree: &Tree<'_>, caps: Caps) -> Result<Self> {
        tree.parts.iter().map(|part| Track::parse(part, caps)).collect::<Result<_>>().map(Self)
    }
}
