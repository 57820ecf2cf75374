//! Visiting a model's fields with names, offsets and values. `dump` and `diff` are built on it.

use crate::Tag;

/// What a part of a model is called inside its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label<'a> {
    /// A field by name.
    Field(&'a str),
    /// A chunk, section or track by tag.
    Tag(Tag),
    /// An element by position.
    Index(usize),
}

/// A list of numbers of one type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Numbers<'a> {
    /// Bytes.
    U8(&'a [u8]),
    /// Unsigned 16-bit numbers.
    U16(&'a [u16]),
    /// Unsigned 32-bit numbers.
    U32(&'a [u32]),
    /// Signed 16-bit numbers.
    I16(&'a [i16]),
    /// Signed 32-bit numbers.
    I32(&'a [i32]),
    /// Floating-point numbers.
    F32(&'a [f32]),
}

impl Numbers<'_> {
    /// How many numbers there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        match self {
            Self::U8(list) => list.len(),
            Self::U16(list) => list.len(),
            Self::U32(list) => list.len(),
            Self::I16(list) => list.len(),
            Self::I32(list) => list.len(),
            Self::F32(list) => list.len(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A value without parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Leaf<'a> {
    /// An unsigned number.
    Unsigned(u64),
    /// A signed number.
    Signed(i64),
    /// A floating-point number.
    Float(f32),
    /// Flags, best shown in hexadecimal.
    Bits(u32),
    /// A tag.
    Tag(Tag),
    /// Text, in the file's encoding (nearly always UTF-8 or ASCII).
    Text(&'a [u8]),
    /// Text in a field of a fixed size with something other than zeros after its end.
    Padded {
        /// The text.
        text: &'a [u8],
        /// All bytes of the field.
        field: &'a [u8],
    },
    /// Bytes whose meaning is not known.
    Bytes(&'a [u8]),
    /// Many numbers, `width` of them to an element (3 for positions, 1 for indices).
    Many {
        /// The numbers.
        numbers: Numbers<'a>,
        /// Numbers per element.
        width: usize,
    },
}

/// What a part keeps apart from its values, so that the file comes back byte for byte.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kept<'a> {
    /// The values do not reproduce the bytes of the part.
    Guard {
        /// The bytes in the file.
        source: &'a [u8],
        /// The bytes that the values gave when the file was read.
        canonical: &'a [u8],
    },
    /// The part states another size than it has, or its size does not follow from its value.
    Size(u32),
    /// The part is a placement that is only valid while the lists of the model have the lengths that this is the hash of.
    Shape(u64),
    /// The elements of the part are not in this file, or could not be read.
    Elsewhere {
        /// How many the file states.
        count: u32,
        /// The offset that it states for them.
        at: u32,
    },
}

/// Receives the parts of a model in file order.
pub trait Visitor {
    /// A part begins. `offset` is its offset in the file, when that is known.
    fn enter(&mut self, label: Label<'_>, offset: Option<usize>);
    /// The value of the part that began last.
    fn leaf(&mut self, leaf: Leaf<'_>);
    /// The part that began last ends.
    fn leave(&mut self);
    /// What the part that began last keeps apart from its values.
    fn kept(&mut self, _kept: Kept<'_>) {}
    /// Whether the placement of the parts in the file is wanted, where it is not the usual one: for visitors whose output
    /// can be turned into the same file again.
    fn wants_placement(&self) -> bool {
        false
    }
    /// Whether arrays that the model stores in another form are wanted, so that they have to be assembled for
    /// [`Self::leaf`]. When they are not wanted, their parts have no leaf.
    fn wants_gathered(&self) -> bool {
        true
    }
}

/// Every leaf with its full path, for comparing two models field by field.
#[derive(Debug, Default)]
pub struct Flat {
    path: String,
    lengths: Vec<usize>,
    /// The path and the printed value of each leaf, in order.
    pub leaves: Vec<(String, String)>,
}

impl Visitor for Flat {
    fn enter(&mut self, label: Label<'_>, _offset: Option<usize>) {
        self.lengths.push(self.path.len());
        match label {
            Label::Index(index) => self.path.push_str(&format!("[{index}]")),
            Label::Field(name) => {
                if !self.path.is_empty() {
                    self.path.push('.');
                }
                self.path.push_str(name);
            }
            Label::Tag(tag) => {
                if !self.path.is_empty() {
                    self.path.push('.');
                }
                self.path.push_str(&tag.to_string());
            }
        }
    }

    fn leaf(&mut self, leaf: Leaf<'_>) {
        let value = match leaf {
            Leaf::Unsigned(number) => number.to_string(),
            Leaf::Signed(number) => number.to_string(),
            Leaf::Float(number) => number.to_string(),
            Leaf::Bits(bits) => format!("{bits:#x}"),
            Leaf::Tag(tag) => tag.to_string(),
            Leaf::Text(text) => format!("\"{}\"", text.escape_ascii()),
            Leaf::Padded { text, field } => {
                let rest = field.get(text.len()..).unwrap_or_default();
                format!("\"{}\"+\"{}\"", text.escape_ascii(), rest.escape_ascii())
            }
            Leaf::Bytes(bytes) => format!("{bytes:02x?}"),
            Leaf::Many { numbers, .. } => match numbers {
                Numbers::U8(list) => format!("{list:?}"),
                Numbers::U16(list) => format!("{list:?}"),
                Numbers::U32(list) => format!("{list:?}"),
                Numbers::I16(list) => format!("{list:?}"),
                Numbers::I32(list) => format!("{list:?}"),
                Numbers::F32(list) => format!("{list:?}"),
            },
        };
        self.leaves.push((self.path.clone(), value));
    }

    fn leave(&mut self) {
        self.path.truncate(self.lengths.pop().unwrap_or(0));
    }
}
