//! The times or values of a track.
//!
//! Before 264 that is one array. From 264 on it is an array of arrays, one per sequence; all keys are kept here in
//! one list with a table of parts, because a model has tens of thousands of parts and most are empty.

use crate::block::{Key, Place, elsewhere};
use crate::version::Caps;
use effigy_wire::{Cursor, Error, Kind, Result, Sink, Tree, Wire};

/// One of the arrays of a nested series.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Part {
    /// Number of items that the file states.
    pub count: u32,
    /// Offset from the start of the model, or of the `.anim` file.
    pub offset: u32,
    /// Index of its first item in the list, or [`Part::ABSENT`].
    pub start: u32,
    /// Number of items when it was read.
    pub room: u32,
}

impl Part {
    /// The items are in a file that is not attached, or could not be read.
    pub const ABSENT: u32 = u32::MAX;

    pub const fn is_absent(self) -> bool {
        self.start == Self::ABSENT && self.count > 0
    }

    /// The offset to write: 0 for an array that was emptied.
    pub const fn written_offset(self) -> u32 {
        if self.count == 0 && self.room > 0 { 0 } else { self.offset }
    }

    pub const fn range(self) -> std::ops::Range<usize> {
        let start = self.start as usize;
        start..start.saturating_add(self.count as usize)
    }
}

/// The times or values of a track: one list before 264, one list per sequence from 264 on.
#[derive(Clone, Debug)]
pub struct Series<T> {
    pub(crate) items: Vec<T>,
    pub(crate) parts: Vec<Part>,
    pub(crate) place: Place,
    /// The count stated in the file, while nothing is read or if nothing could be read.
    pub(crate) unread: u32,
}

impl<T> Default for Series<T> {
    fn default() -> Self {
        Self { items: Vec::new(), parts: Vec::new(), place: Place::default(), unread: 0 }
    }
}

impl<T> Series<T> {
    /// All items: those of all sequences one after another.
    #[must_use]
    pub fn all(&self) -> &[T] {
        &self.items
    }

    /// All items, for changes in place.
    pub fn all_mut(&mut self) -> &mut [T] {
        &mut self.items
    }

    /// Number of lists; 0 before 264.
    #[must_use]
    pub fn part_count(&self) -> usize {
        self.parts.len()
    }

    /// The items of one list; empty when there is no such list, or it is in a file that is not attached.
    #[must_use]
    pub fn part(&self, index: usize) -> &[T] {
        self.parts.get(index).and_then(|part| self.items.get(part.range())).unwrap_or_default()
    }

    /// Number of items that the model states for a list, whether they are loaded or not.
    #[must_use]
    pub fn stated(&self, index: usize) -> usize {
        self.parts.get(index).map_or(0, |part| part.count as usize)
    }

    /// Whether a list has items that are not loaded: they are in a `.anim` file, or could not be read.
    #[must_use]
    pub fn is_absent(&self, index: usize) -> bool {
        self.parts.get(index).is_some_and(|part| part.is_absent())
    }

    /// The offset to write, with this many elements: 0 for an array that was emptied.
    pub(crate) const fn offset(&self, elements: usize) -> u32 {
        if elements == 0 && self.place.room > 0 { 0 } else { self.place.offset }
    }

    /// Whether there are no items and no lists.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.items.is_empty() && self.parts.is_empty() && self.unread == 0
    }
}

impl<T: Clone> Series<T> {
    /// One list, for versions before 264.
    #[must_use]
    pub fn flat(items: Vec<T>) -> Self {
        Self { items, ..Self::default() }
    }

    /// One list per sequence, for 264.
    #[must_use]
    pub fn nested<I: AsRef<[T]>>(lists: impl IntoIterator<Item = I>) -> Self {
        let mut series = Self::default();
        for list in lists {
            series.push_part(list.as_ref());
        }
        series
    }

    /// Adds a list.
    pub fn push_part(&mut self, list: &[T]) {
        self.push_items(list.iter().cloned());
    }

    /// Adds a list of these items.
    pub(crate) fn push_items(&mut self, items: impl Iterator<Item = T>) {
        let before = self.items.len();
        self.items.extend(items);
        let count = word(self.items.len().saturating_sub(before));
        self.parts.push(Part { count, offset: 0, start: word(before), room: 0 });
    }

    /// Replaces all items by one list, for versions before 264.
    pub fn set_all(&mut self, items: Vec<T>) {
        self.items = items;
        self.parts.clear();
        self.unread = 0;
    }

    /// Replaces the items of one list. If there are fewer lists, empty ones are added before it.
    pub fn set_part(&mut self, index: usize, list: &[T]) {
        while self.parts.len() <= index {
            self.push_part(&[]);
        }
        let end = self.items.len();
        let Some(part) = self.parts.get_mut(index) else { return };
        let keeps = part.range().end <= end && list.len() <= part.count as usize;
        let start = if keeps { part.start as usize } else { end };
        part.start = word(start);
        part.count = word(list.len());
        match self.items.get_mut(start..start.saturating_add(list.len())) {
            Some(place) if keeps => place.clone_from_slice(list),
            _ => self.items.extend_from_slice(list),
        }
    }
}

/// A length as a 32-bit word. Lengths here come from 32-bit counts, so nothing is cut off.
pub(crate) fn word(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

impl<T: PartialEq> PartialEq for Series<T> {
    fn eq(&self, other: &Self) -> bool {
        self.unread == other.unread
            && self.parts.len() == other.parts.len()
            && if self.parts.is_empty() {
                self.items == other.items
            } else {
                (0..self.parts.len()).all(|index| {
                    self.stated(index) == other.stated(index) && self.part(index) == other.part(index)
                })
            }
    }
}

impl<T: Key> Wire<Caps> for Series<T> {
    #[inline]
    fn read(cursor: &mut Cursor<'_>, _: Caps) -> Result<Self> {
        let unread = cursor.u32()?;
        let place = Place { offset: cursor.u32()?, room: 0 };
        Ok(Self { unread, place, ..Self::default() })
    }

    #[inline]
    fn write<S: Sink>(&self, sink: &mut S, caps: Caps) {
        let here = if caps.contains(Caps::NESTED) { self.parts.len() } else { self.items.len() };
        sink.count(if here == 0 { self.unread as usize } else { here });
        sink.put(&self.offset(here).to_le_bytes());
    }

    fn parse(tree: &Tree<'_>, caps: Caps) -> Result<Self> {
        if let Some((unread, offset)) = elsewhere(tree)? {
            return Ok(Self { unread, place: Place { offset, room: 0 }, ..Self::default() });
        }
        if caps.contains(Caps::NESTED) {
            return Self::parse_lists(tree);
        }
        tree.value.as_ref().map_or_else(|| Ok(Self::default()), |_| T::parse_keys(tree).map(Self::flat))
    }
}

impl<T: Key> Series<T> {
    /// The lists that a tree has. Empty ones are missing between them, since their number is not trusted here:
    /// [`Series::spread`] adds them. Until then, the room of a list is its index and the room of the series is the number of
    /// lists.
    fn parse_lists(tree: &Tree<'_>) -> Result<Self> {
        let wrong = |message: String| Error::new(Kind::Malformed, message);
        let mut series = Self::default();
        let mut next = 0;
        tree.elements(|list| {
            let index = list.index.and_then(|index| u32::try_from(index).ok()).filter(|&index| index >= next);
            let room = index.ok_or_else(|| wrong(format!("an index from {next} on is needed")))?;
            next = room.saturating_add(1);
            let part = match elsewhere(list)? {
                Some((count, offset)) => Part { count, offset, start: Part::ABSENT, room },
                None => {
                    let (keys, start) = (T::parse_keys(list)?, word(series.items.len()));
                    series.items.extend_from_slice(&keys);
                    Part { count: word(keys.len()), offset: 0, start, room }
                }
            };
            series.parts.push(part);
            Ok(())
        })?;
        let count = tree.size.unwrap_or(next);
        if count < next {
            return Err(wrong(format!("{next} lists do not fit into {count}")));
        }
        series.place.room = count as usize;
        Ok(series)
    }

    /// Adds the empty lists that [`Wire::parse`] left out, and returns how many lists there are.
    pub(crate) fn spread(&mut self, most: usize) -> Option<usize> {
        let count = self.place.room;
        if count > most {
            return None;
        }
        let mut parts = vec![Part::default(); count];
        for part in std::mem::take(&mut self.parts) {
            if let Some(place) = parts.get_mut(part.room as usize) {
                *place = Part { room: part.count, ..part };
            }
        }
        self.parts = parts;
        self.place.room = 0;
        Some(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_replaced_in_its_place_or_moved_to_the_end() {
        let mut series: Series<u32> = Series::default();
        series.set_part(1, &[1, 2, 3]);
        series.set_part(2, &[7]);
        assert_eq!((series.part_count(), series.part(0), series.part(1)), (3, &[][..], &[1, 2, 3][..]));
        series.set_part(1, &[4, 5]);
        assert_eq!(
            (series.part(1), series.part(2), series.all()),
            (&[4, 5][..], &[7][..], &[4, 5, 3, 7][..])
        );
        series.set_part(1, &[8, 9, 10]);
        assert_eq!((series.part(1), series.part(2)), (&[8, 9, 10][..], &[7][..]));
        assert_eq!(series.all(), [4, 5, 3, 7, 8, 9, 10]);
    }

    #[test]
    fn a_list_that_was_not_read_does_not_take_the_place_of_others() {
        let mut series: Series<u32> = Series::default();
        series.set_part(0, &[1, 2]);
        series.parts.push(Part { count: 2, offset: 64, start: Part::ABSENT, room: 0 });
        series.set_part(1, &[5]);
        assert_eq!((series.part(0), series.part(1)), (&[1, 2][..], &[5][..]));
    }

    #[test]
    fn parts_that_are_absent_or_were_emptied() {
        for (count, start, room, absent, offset) in [
            (2, 0, 2, false, 64),
            (2, Part::ABSENT, 2, true, 64),
            (0, Part::ABSENT, 2, false, 0),
            (0, 0, 2, false, 0),
            (0, 0, 0, false, 64),
            (2, 0, 0, false, 64),
        ] {
            let part = Part { count, offset: 64, start, room };
            assert_eq!((part.is_absent(), part.written_offset()), (absent, offset), "{part:?}");
        }
    }

    #[test]
    fn only_a_series_without_items_lists_and_lost_items_is_empty() {
        let mut list: Series<u32> = Series::default();
        assert!(list.is_empty());
        list.push_part(&[]);
        assert!(!list.is_empty() && !Series::flat(vec![1]).is_empty());
        assert!(!Series::<u32> { unread: 1, ..Series::default() }.is_empty());
    }

    #[test]
    fn series_are_equal_when_each_list_is() {
        let nested = |lists: &[&[u32]]| Series::nested(lists);
        let mut moved = nested(&[&[], &[2]]);
        // The same lists, stored in another order.
        moved.set_part(0, &[1]);
        assert_eq!(moved, nested(&[&[1], &[2]]));
        for other in [&[&[1][..]][..], &[&[1], &[3]], &[&[1], &[2, 2]], &[&[1], &[2], &[]]] {
            assert_ne!(moved, nested(other), "{other:?}");
        }
        assert_ne!(Series::flat(vec![1, 2]), moved);
        assert_eq!(Series::flat(vec![1, 2]), Series::flat(vec![1, 2]));
        assert_ne!(Series::flat(vec![1, 2]), Series::flat(vec![1, 3]));
        assert_ne!(Series::<u32> { unread: 1, ..Series::default() }, Series::default());
        // Lists that are not loaded differ by their number of items.
        let absent = |count| {
            let mut series: Series<u32> = Series::default();
            series.parts.push(Part { count, offset: 0, start: Part::ABSENT, room: 0 });
            series
        };
        assert_eq!(absent(2), absent(2));
        assert_ne!(absent(2), absent(3));
        assert_eq!((absent(2).stated(0), absent(2).stated(1), absent(2).is_absent(0)), (2, 0, true));
    }

    #[test]
    fn one_list_replaces_all_parts() {
        let mut series = Series::nested([vec![1_u32], vec![2]]);
        series.unread = 3;
        series.set_all(vec![7, 8]);
        assert_eq!(series, Series::flat(vec![7, 8]));
    }

    #[test]
    fn the_count_and_the_offset_that_a_record_stores() {
        let (old, new) = (crate::Version::VANILLA.caps(), crate::Version::WRATH.caps());
        let place = |room| Place { offset: 64, room };
        let items = Series { place: place(8), ..Series::flat(vec![1_u32, 2]) };
        let parts = Series { place: place(24), ..Series::nested([vec![1_u32, 2], vec![], vec![]]) };
        let lost = Series { unread: 5, place: place(0), ..Series::default() };
        let empty = Series { place: place(0), ..Series::default() };
        let emptied = Series { place: place(8), ..Series::default() };
        for (series, caps, count, offset) in [
            (&items, old, 2, 64),
            (&parts, new, 3, 64),
            (&lost, old, 5, 64),
            (&empty, old, 0, 64),
            (&emptied, old, 0, 0),
            (&emptied, new, 0, 0),
        ] {
            let mut buffer = effigy_wire::Buffer::default();
            series.write(&mut buffer, caps);
            let expected = [count, 0, 0, 0, offset, 0, 0, 0];
            let bytes = buffer.into_bytes().unwrap();
            assert_eq!(bytes, expected, "{series:?}");
            let read = Series::<u32>::read(&mut Cursor::new(&bytes), caps).unwrap();
            assert_eq!((read.unread, read.place.offset), (count.into(), offset.into()));
        }
    }
}
