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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::track::tags;
    use crate::{Interpolation, Key};

    #[test]
    fn a_track_is_found_replaced_and_removed_by_its_tag() {
        let track = |tag, x: f32| Track::new(tag, Interpolation::LINEAR, &[Key::new(0, [x; 3])]).unwrap();
        let first = |tracks: &Tracks| {
            tracks.get(tags::KGTR).unwrap().keys::<[f32; 3]>().unwrap().next().unwrap().value[0]
        };
        let mut tracks = Tracks::default();
        assert!(tracks.get_mut(tags::KGTR).is_none());
        tracks.set(track(tags::KGTR, 1.0));
        tracks.set(track(tags::KGSC, 2.0));
        tracks.set(track(tags::KGTR, 3.0));
        assert_eq!((tracks.len(), first(&tracks)), (2, 3.0));
        tracks.get_mut(tags::KGTR).unwrap().map_values(|value: &mut [f32; 3]| value[0] = 5.0);
        assert_eq!(first(&tracks), 5.0);
        assert!(tracks.remove(tags::KGTR) && !tracks.remove(tags::KGTR));
        assert_eq!(tracks.len(), 1);
    }
}
