//! Data that only one format has: typed values that the scene keeps for the way back to that format.

/// A value that the scene carries without understanding it.
#[derive(Clone, Debug, PartialEq)]
pub enum Extra {
    /// True or false.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A number.
    Float(f32),
    /// A text.
    Text(String),
    /// A list of numbers.
    Floats(Vec<f32>),
    /// A list of whole numbers.
    Ints(Vec<i64>),
    /// A list of anything.
    List(Vec<Extra>),
    /// Named values.
    Map(Extras),
}

macro_rules! from {
    ($($from:ty => $variant:ident),*) => { $(
        impl From<$from> for Extra {
            fn from(value: $from) -> Self { Self::$variant(value.into()) }
        }
    )* };
}
from!(bool => Bool, i64 => Int, i32 => Int, u32 => Int, u16 => Int, u8 => Int, f32 => Float, String => Text, &str => Text,
    Vec<f32> => Floats, Vec<i64> => Ints, Vec<Extra> => List, Extras => Map);

impl<const N: usize> From<[f32; N]> for Extra {
    fn from(value: [f32; N]) -> Self {
        Self::Floats(value.to_vec())
    }
}

/// Named values in the order in which they were added.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Extras(Vec<(String, Extra)>);

impl Extras {
    /// Adds a value, or replaces the one of that name.
    pub fn set(&mut self, name: &str, value: impl Into<Extra>) -> &mut Self {
        let value = value.into();
        match self.0.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => *old = value,
            None => self.0.push((name.to_owned(), value)),
        }
        self
    }

    /// The value of that name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Extra> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// Whether there are no values.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All values in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Extra)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }
}
