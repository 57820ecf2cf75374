//! Arenas and the typed indices into them.

use std::fmt;
use std::marker::PhantomData;

/// The index of a `T` in its [`Arena`]. An `Id` of one type cannot be used for another. In memory it is the number alone.
#[repr(transparent)]
pub struct Id<T> {
    index: u32,
    kind: PhantomData<fn() -> T>,
}

impl<T> Id<T> {
    /// The id of the element at this position.
    #[must_use]
    pub const fn new(index: u32) -> Self {
        Self { index, kind: PhantomData }
    }

    /// The position in the arena.
    #[must_use]
    pub const fn index(self) -> usize {
        self.index as usize
    }
}

impl<T> Clone for Id<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Id<T> {}
impl<T> PartialEq for Id<T> {
    fn eq(&self, other: &Self) -> bool {
        self.index == other.index
    }
}
impl<T> Eq for Id<T> {}
impl<T> PartialOrd for Id<T> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl<T> Ord for Id<T> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.index.cmp(&other.index)
    }
}
impl<T> fmt::Debug for Id<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.index)
    }
}

/// A list whose elements are identified by [`Id`].
#[derive(Clone, Debug, PartialEq)]
pub struct Arena<T>(Vec<T>);

impl<T> Default for Arena<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Arena<T> {
    /// Adds an element. Arenas hold at most 2^32 - 1 elements; more are not stored, and their id refers to nothing.
    pub fn push(&mut self, value: T) -> Id<T> {
        match u32::try_from(self.0.len()) {
            Ok(index) if index < u32::MAX => {
                self.0.push(value);
                Id::new(index)
            }
            _ => Id::new(u32::MAX),
        }
    }

    /// The element with this id, if there is one.
    #[must_use]
    pub fn get(&self, id: Id<T>) -> Option<&T> {
        self.0.get(id.index())
    }

    /// The element with this id, for changes.
    pub fn get_mut(&mut self, id: Id<T>) -> Option<&mut T> {
        self.0.get_mut(id.index())
    }

    /// The id of the element at a position, if there is one.
    #[must_use]
    pub fn id(&self, index: usize) -> Option<Id<T>> {
        (index < self.0.len()).then(|| u32::try_from(index).ok().map(Id::new)).flatten()
    }

    /// How many elements there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All elements with their ids, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (Id<T>, &T)> {
        self.0.iter().enumerate().map(|(i, value)| (Id::new(u32::try_from(i).unwrap_or(u32::MAX)), value))
    }

    /// All elements, in order.
    #[must_use]
    pub fn as_slice(&self) -> &[T] {
        &self.0
    }

    /// All elements, for changes.
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.0
    }
}

impl<T> FromIterator<T> for Arena<T> {
    fn from_iter<I: IntoIterator<Item = T>>(iter: I) -> Self {
        Self(iter.into_iter().collect())
    }
}

impl<T> IntoIterator for Arena<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}
