//! Properties of blocks: a word, the field that it belongs to, and how the field is spelt.
//!
//! Parser and printer use the same tables (see `tables`), so that a word is declared once. What does not fit into a table
//! (meshes, shapes, texture slots) has its own parser and printer.

use crate::records::{
    FilterMode, GeosetAnimationFlags, LayerFlags, LightKind, MaterialFlags, Node, NodeFlags, ParticleFilter,
    SequenceFlags, TextureFlags,
};
use crate::track::{TrackInfo, Tracks};
use crate::version::Caps;
use effigy_wire::{FixedStr, Tag};

/// A field as the printer sees it.
#[derive(Clone, Copy)]
pub(super) enum View<'a> {
    Float(f32),
    Int(i64),
    Floats(&'a [f32]),
    Uints(&'a [u32]),
    Bytes(&'a [u8]),
    /// All bytes of a fixed string.
    Text(&'a [u8]),
}

impl PartialEq for View<'_> {
    /// Whether both have the same bits.
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Float(a), Self::Float(b)) => a.to_bits() == b.to_bits(),
            (Self::Int(a), Self::Int(b)) => a == b,
            (Self::Floats(a), Self::Floats(b)) => {
                bytemuck::cast_slice::<_, u32>(a) == bytemuck::cast_slice::<_, u32>(b)
            }
            (Self::Uints(a), Self::Uints(b)) => a == b,
            (Self::Bytes(a) | Self::Text(a), Self::Bytes(b) | Self::Text(b)) => a == b,
            _ => false,
        }
    }
}

/// A field as the parser sees it.
pub(super) enum Edit<'a> {
    Float(&'a mut f32),
    Int(&'a mut i32),
    Uint(&'a mut u32),
    Byte(&'a mut u8),
    Bits(&'a mut dyn Bits),
    Floats(&'a mut [f32]),
    Uints(&'a mut [u32]),
    Bytes(&'a mut [u8]),
    Text(&'a mut dyn Fixed),
}

/// Flags with or without names.
pub(super) trait Bits {
    fn get(&self) -> u32;
    fn put(&mut self, bits: u32);
}

/// A string in a field of fixed size.
pub(super) trait Fixed {
    /// Stores these bytes, followed by zeros; `false` when they do not fit.
    fn put(&mut self, bytes: &[u8]) -> bool;
}

impl<const N: usize> Fixed for FixedStr<N> {
    fn put(&mut self, bytes: &[u8]) -> bool {
        self.set_bytes(bytes).is_ok()
    }
}

macro_rules! views {
    ($($ty:ty: $view:ident($see:expr), $edit:ident;)*) => {$(
        impl<'a> From<&'a $ty> for View<'a> {
            fn from(value: &'a $ty) -> Self {
                let see: fn(&'a $ty) -> _ = $see;
                View::$view(see(value))
            }
        }
        impl<'a> From<&'a mut $ty> for Edit<'a> {
            fn from(value: &'a mut $ty) -> Self {
                Edit::$edit(value)
            }
        }
    )*};
}

views! {
    f32: Float(|value| *value), Float;
    i32: Int(|value| (*value).into()), Int;
    u32: Int(|value| (*value).into()), Uint;
    u8: Int(|value| (*value).into()), Byte;
}

macro_rules! arrays {
    ($($ty:ty => $variant:ident;)*) => {$(
        impl<'a, const N: usize> From<&'a [$ty; N]> for View<'a> {
            fn from(value: &'a [$ty; N]) -> Self {
                View::$variant(value)
            }
        }
        impl<'a, const N: usize> From<&'a mut [$ty; N]> for Edit<'a> {
            fn from(value: &'a mut [$ty; N]) -> Self {
                Edit::$variant(value)
            }
        }
    )*};
}

arrays! { f32 => Floats; u32 => Uints; u8 => Bytes; }

impl<'a, const N: usize> From<&'a FixedStr<N>> for View<'a> {
    fn from(value: &'a FixedStr<N>) -> Self {
        View::Text(value.bytes())
    }
}

impl<'a, const N: usize> From<&'a mut FixedStr<N>> for Edit<'a> {
    fn from(value: &'a mut FixedStr<N>) -> Self {
        Edit::Text(value)
    }
}

macro_rules! bits {
    ($($ty:ty),*) => {$(
        impl Bits for $ty {
            fn get(&self) -> u32 {
                self.bits()
            }
            fn put(&mut self, bits: u32) {
                *self = Self::from_bits_retain(bits);
            }
        }
        impl<'a> From<&'a $ty> for View<'a> {
            fn from(value: &'a $ty) -> Self {
                View::Int(value.bits().into())
            }
        }
        impl<'a> From<&'a mut $ty> for Edit<'a> {
            fn from(value: &'a mut $ty) -> Self {
                Edit::Bits(value)
            }
        }
    )*};
}

bits!(NodeFlags, SequenceFlags, TextureFlags, MaterialFlags, LayerFlags, GeosetAnimationFlags);

macro_rules! chosen {
    ($($ty:ty),*) => {$(
        impl<'a> From<&'a $ty> for View<'a> {
            fn from(value: &'a $ty) -> Self {
                View::Int(value.0.into())
            }
        }
        impl<'a> From<&'a mut $ty> for Edit<'a> {
            fn from(value: &'a mut $ty) -> Self {
                Edit::Uint(&mut value.0)
            }
        }
    )*};
}

chosen!(FilterMode, LightKind, ParticleFilter);

/// How a field is spelt.
#[derive(Clone, Copy)]
pub(super) enum Form {
    /// `Word value`.
    Plain,
    /// `Word { blue, green, red }`: static colours have the reverse order of MDX.
    Color,
    /// `Word value`, or `Word name` for -1.
    Reference(&'static str),
    /// `Word` when the bit is set.
    Flag(u32),
    /// `Word` for 1.
    Switch,
    /// The name of the value, without the word.
    Choice(&'static [(u32, &'static str)]),
    /// `Word name`.
    Named(&'static [(u32, &'static str)]),
    /// All bits, written into a comment when the other words do not cover them.
    Rest,
}

/// One word of a block.
pub(super) struct Word<R> {
    pub word: &'static str,
    pub form: Form,
    pub get: fn(&R) -> View<'_>,
    pub edit: fn(&mut R) -> Edit<'_>,
    /// The capability without which files do not have the field.
    pub needs: Caps,
    /// The track that animates it; then the static value is spelt `static Word`.
    pub track: Option<Tag>,
    /// Printed with `static` although nothing animates it.
    pub is_static: bool,
    /// Left out when it has the value that a missing word means.
    pub optional: bool,
    /// MDL has no word for it: it is written into a comment.
    pub kept: bool,
    /// The inner block that contains it, or empty.
    pub section: &'static str,
}

impl<R> Word<R> {
    pub(super) const fn new(
        word: &'static str,
        get: fn(&R) -> View<'_>,
        edit: fn(&mut R) -> Edit<'_>,
    ) -> Self {
        Self {
            word,
            form: Form::Plain,
            get,
            edit,
            needs: Caps::empty(),
            track: None,
            is_static: false,
            optional: false,
            kept: false,
            section: "",
        }
    }

    pub(super) const fn form(mut self, form: Form) -> Self {
        self.form = form;
        self
    }

    pub(super) const fn flag(self, bit: u32) -> Self {
        self.form(Form::Flag(bit))
    }

    /// A flag that only some versions have, in a field that all have.
    pub(super) const fn flag_in(self, caps: Caps, bit: u32) -> Self {
        let needs = self.needs.union(caps);
        self.flag(bit).needs(needs)
    }

    pub(super) const fn needs(mut self, caps: Caps) -> Self {
        self.needs = caps;
        self
    }

    pub(super) const fn animated(mut self, track: &TrackInfo) -> Self {
        self.track = Some(track.tag);
        self.section = track.section;
        self.is_static = true;
        self
    }

    pub(super) const fn with_static(mut self) -> Self {
        self.is_static = true;
        self
    }

    pub(super) const fn without_static(mut self) -> Self {
        self.is_static = false;
        self
    }

    pub(super) const fn optional(mut self) -> Self {
        self.optional = true;
        self
    }

    pub(super) const fn kept(mut self) -> Self {
        self.kept = true;
        self.optional = true;
        self
    }

    pub(super) const fn inside(mut self, section: &'static str) -> Self {
        self.section = section;
        self
    }
}

/// `word!("MoveSpeed", move_speed)`: a word for a field of `Self`, or of the type that is named first. With the tag of
/// a track in place of the word, `word!(KGAO => alpha)`, the word is the track's. Which versions have the field comes from
/// the record's declaration.
macro_rules! word {
    ($track:ident => $($field:tt)+) => {
        $crate::text::words::word!(Self: $crate::track::rows::$track.word, $($field)+)
            .animated(&$crate::track::rows::$track)
    };
    ($word:literal, $($field:tt)+) => { $crate::text::words::word!(Self: $word, $($field)+) };
    ($record:ty: $word:expr, $first:ident $(.$more:ident)* $([$index:literal])?) => {
        $crate::text::words::Word::new(
            $word,
            |record: &$record| $crate::text::words::View::from(&record.$first $(.$more)* $([$index])?),
            |record: &mut $record| $crate::text::words::Edit::from(&mut record.$first $(.$more)* $([$index])?),
        )
        .needs($crate::records::field_caps(
            <$record as effigy_wire::Record<$crate::version::Caps>>::FIELDS,
            stringify!($first),
        ))
    };
}
pub(super) use word;

/// A record that has a block of its own.
pub(super) trait Block: Default + Clone + 'static {
    /// The word that opens the block.
    const BLOCK: &'static str;
    /// Its name in the table of tracks, or empty.
    const OWNER: &'static str = "";
    /// Its words.
    const WORDS: &'static [Word<Self>];
    /// Node flags that the kind of block implies, in Warcraft III and in WoW alpha.
    const KIND: [NodeFlags; 2] = [NodeFlags::empty(); 2];
    /// The inner blocks.
    const SECTIONS: &'static [&'static str] = &[];

    /// What missing words mean.
    fn fresh(_: Caps) -> Self {
        Self::default()
    }
    /// The name after the opening word.
    fn title(&self) -> Option<&[u8]> {
        self.node().map(|node| node.name.bytes().as_slice())
    }
    /// The same, to be changed.
    fn title_mut(&mut self) -> Option<&mut dyn Fixed> {
        self.node_mut().map(|node| &mut node.name as &mut dyn Fixed)
    }
    /// The node in it.
    fn node(&self) -> Option<&Node> {
        None
    }
    /// The same, to be changed.
    fn node_mut(&mut self) -> Option<&mut Node> {
        None
    }
    /// Its own tracks.
    fn tracks(&self) -> Option<&Tracks> {
        None
    }
    /// The same, to be changed.
    fn tracks_mut(&mut self) -> Option<&mut Tracks> {
        None
    }
    /// Prints what is not in the table.
    fn print_more(&self, _: &mut super::print::Printer<'_>) {}
    /// Parses what is not in the table; `false` when the word is unknown.
    fn parse_more(&mut self, _: &mut super::parse::Parser<'_>, _: &[u8], _: bool) -> bool {
        false
    }
    /// Completes the record after its whole block was read.
    fn settle(&mut self, _: &mut super::parse::Parser<'_>) {}
}

/// Node flags that a kind of block implies.
pub(super) fn kind_bits<R: Block>(caps: Caps) -> u32 {
    let [wc3, wow] = R::KIND;
    if caps.contains(Caps::WOW) { wow.bits() } else { wc3.bits() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_equal_by_their_bits() {
        let nan = f32::from_bits(0x7fc0_0001);
        let equal = [
            (View::Float(nan), View::Float(nan)),
            (View::Int(-3), View::Int(-3)),
            (View::Floats(&[1.0, nan]), View::Floats(&[1.0, nan])),
            (View::Uints(&[1, 2]), View::Uints(&[1, 2])),
            (View::Bytes(b"ab"), View::Text(b"ab")),
        ];
        assert!(equal.iter().all(|(a, b)| a == b));
        let different = [
            (View::Float(0.0), View::Float(-0.0)),
            (View::Int(-3), View::Int(3)),
            (View::Floats(&[1.0]), View::Floats(&[2.0])),
            (View::Uints(&[1, 2]), View::Uints(&[1])),
            (View::Bytes(b"ab"), View::Text(b"abc")),
            (View::Int(0), View::Float(0.0)),
        ];
        assert!(different.iter().all(|(a, b)| a != b));
    }
}
