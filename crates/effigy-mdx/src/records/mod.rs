//! The records of the format, one file each.

mod attachment;
mod batched_geoset;
mod camera;
mod collision;
mod event;
mod geoset;
mod geoset_animation;
mod light;
mod material;
mod model_info;
mod node;
mod particle_emitter;
mod particle_emitter_2;
mod popcorn_emitter;
mod ribbon_emitter;
mod sequence;
mod small;
mod texture;

pub use attachment::Attachment;
pub(crate) use batched_geoset::BatchedGeosets;
pub use batched_geoset::{BatchVertex, BatchedGeoset, GeosetBatch, GeosetHeader, Indices};
pub use camera::Camera;
pub use collision::{CollisionMesh, CollisionShape, HitTestShape, Shape};
pub use event::{EventObject, EventTrack};
pub use geoset::{Geoset, Primitive, Skin};
pub use geoset_animation::{GeosetAnimation, GeosetAnimationFlags};
pub use light::{Light, LightKind};
pub use material::{FilterMode, Layer, LayerFlags, Material, MaterialFlags, ShaderKind, TextureSlot};
pub use model_info::{Extent, ModelInfo};
pub use node::{Bone, Helper, Node, NodeFlags};
pub use particle_emitter::ParticleEmitter;
pub use particle_emitter_2::{ParticleEmitter2, ParticleFilter};
pub use popcorn_emitter::PopcornEmitter;
pub use ribbon_emitter::RibbonEmitter;
pub use sequence::{Sequence, SequenceFlags};
pub use small::{FaceFx, Sound};
pub use texture::{Texture, TextureAnimation, TextureFlags};

use crate::version::Caps;
use effigy_wire::{Codec, Cursor, Error, Field, Kind, Label, Locate, Result, Sink, Tree, Wire};

/// Declares flags; bits without a name are preserved.
macro_rules! flags {
    ($(#[doc = $doc:literal])* pub struct $name:ident { $($(#[doc = $bdoc:literal])* const $bit:ident = $value:expr;)* }) => {
        bitflags::bitflags! {
            $(#[doc = $doc])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
            pub struct $name: u32 {
                $($(#[doc = $bdoc])* const $bit = $value;)*
                const _ = !0;
            }
        }

        impl effigy_wire::Wire<crate::version::Caps> for $name {
            fn read(cursor: &mut effigy_wire::Cursor<'_>, _: crate::version::Caps) -> effigy_wire::Result<Self> {
                Ok(Self::from_bits_retain(cursor.u32()?))
            }
            fn write<S: effigy_wire::Sink>(&self, sink: &mut S, _: crate::version::Caps) {
                sink.show(effigy_wire::Leaf::Bits(self.bits()));
                sink.put(&self.bits().to_le_bytes());
            }
            fn parse(tree: &effigy_wire::Tree<'_>, _: crate::version::Caps) -> effigy_wire::Result<Self> {
                $crate::records::parse_flags(tree)
            }
        }

        effigy_wire::not_spatial!($name);
    };
}

/// A number of which some values have names.
pub(crate) trait Choices {
    /// The named values with their MDL words, as the tables of words need them.
    const WORDS: &'static [(u32, &'static str)];
}

/// Declares a number of which some values have names; other values are preserved.
macro_rules! choices {
    ($(#[doc = $doc:literal])* pub struct $name:ident { $($(#[doc = $vdoc:literal])* const $value:ident = $number:expr, $word:literal;)* }) => {
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
        pub struct $name(pub u32);

        impl $name {
            $($(#[doc = $vdoc])* pub const $value: Self = Self($number);)*

            /// Every named value with its MDL word.
            pub const NAMES: &[(Self, &str)] = &[$((Self::$value, $word)),*];

            /// The MDL word, if the value has a name.
            #[must_use]
            pub fn word(self) -> Option<&'static str> {
                Self::NAMES.iter().find(|(value, _)| *value == self).map(|(_, word)| *word)
            }
        }

        impl $crate::records::Choices for $name {
            const WORDS: &'static [(u32, &'static str)] = &[$(($number, $word)),*];
        }

        impl effigy_wire::Wire<crate::version::Caps> for $name {
            fn read(cursor: &mut effigy_wire::Cursor<'_>, _: crate::version::Caps) -> effigy_wire::Result<Self> {
                cursor.u32().map(Self)
            }
            fn write<S: effigy_wire::Sink>(&self, sink: &mut S, _: crate::version::Caps) {
                sink.show(effigy_wire::Leaf::Unsigned(self.0.into()));
                sink.put(&self.0.to_le_bytes());
            }
            fn parse(tree: &effigy_wire::Tree<'_>, _: crate::version::Caps) -> effigy_wire::Result<Self> {
                $crate::records::parse_choice::<Self>(tree).map(Self)
            }
        }

        effigy_wire::not_spatial!($name);
    };
}

pub(crate) use {choices, flags};

/// Flags as a number, or by their names with `|` between them: `NON_LOOPING`.
pub(crate) fn parse_flags<F: bitflags::Flags<Bits = u32>>(tree: &Tree<'_>) -> Result<F> {
    let known: Vec<(&str, u32)> = F::FLAGS
        .iter()
        .map(|flag| (flag.name(), flag.value().bits()))
        .filter(|(name, _)| !name.is_empty())
        .collect();
    tree.flags(&known).map(F::from_bits_retain)
}

/// A number, or the MDL word of one.
pub(crate) fn parse_choice<T: Choices>(tree: &Tree<'_>) -> Result<u32> {
    if !tree.raw()?.starts_with('"') {
        return tree.number();
    }
    let (text, _) = tree.text()?;
    let text = String::from_utf8_lossy(&text);
    let found = T::WORDS.iter().find(|(_, word)| word.eq_ignore_ascii_case(&text));
    found.map(|(number, _)| *number).ok_or_else(|| {
        let known: Vec<&str> = T::WORDS.iter().map(|(_, word)| *word).collect();
        let hint = format!("the words are {}", known.join(", "));
        Error::new(Kind::Malformed, format!("there is no value '{text}'")).hint(hint)
    })
}

/// The capability without which a version has no place for a field, from the record's own declaration. A field that is
/// declared at several places has one of them in every version.
pub(crate) const fn field_caps(mut fields: &[Field<Caps>], name: &str) -> Caps {
    let mut found = None;
    while let [field, rest @ ..] = fields {
        if same(field.name.as_bytes(), name.as_bytes()) {
            match (found, field.caps) {
                (None, Some(caps)) => found = Some(caps),
                _ => return Caps::empty(),
            }
        }
        fields = rest;
    }
    match found {
        Some(caps) => caps,
        None => Caps::empty(),
    }
}

const fn same(mut name: &[u8], mut other: &[u8]) -> bool {
    while let ([first, rest @ ..], [other_first, other_rest @ ..]) = (name, other) {
        if *first != *other_first {
            return false;
        }
        (name, other) = (rest, other_rest);
    }
    name.is_empty() && other.is_empty()
}

/// A count, then that many records.
pub(crate) struct Counted;

impl<T: Wire<Caps>> Codec<Vec<T>, Caps> for Counted {
    fn read(&self, cursor: &mut Cursor<'_>, caps: Caps) -> Result<Vec<T>> {
        let count = cursor.count()?;
        read_items(cursor, count, caps)
    }

    fn write<S: Sink>(&self, items: &Vec<T>, sink: &mut S, caps: Caps) {
        sink.count(items.len());
        write_items(items, 0, sink, caps);
    }

    fn parse(&self, tree: &Tree<'_>, caps: Caps) -> Result<Vec<T>> {
        parse_items(tree, caps)
    }
}

/// Reads `count` records, each of which has at least one word.
pub(crate) fn read_items<T: Wire<Caps>>(cursor: &mut Cursor<'_>, count: usize, caps: Caps) -> Result<Vec<T>> {
    cursor.check_count(count, 4)?;
    // Capped, since the count is untrusted; reading stops when the records run out.
    let mut items = Vec::with_capacity(count.min(64));
    for index in 0..count {
        items.push(T::read(cursor, caps).in_index(index)?);
    }
    items.shrink_to_fit();
    Ok(items)
}

/// Writes records one after another; `first` is the position of the first one in its list.
pub(crate) fn write_items<T: Wire<Caps>, S: Sink>(items: &[T], first: usize, sink: &mut S, caps: Caps) {
    for (index, item) in items.iter().enumerate() {
        sink.enter(Label::Index(first.saturating_add(index)));
        item.write(sink, caps);
        sink.leave();
    }
}

/// Records from the parts of a list.
pub(crate) fn parse_items<T: Wire<Caps>>(tree: &Tree<'_>, caps: Caps) -> Result<Vec<T>> {
    tree.elements(|part| T::parse(part, caps))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::version::Dialect;
    use effigy_wire::Record;

    /// `field_caps` folds the places of a field into one capability; `Record::holds` looks at each place.
    fn agrees<R: Record<Caps>>() {
        for field in R::FIELDS {
            let needs = field_caps(R::FIELDS, field.name);
            for dialect in [Dialect::Warcraft3, Dialect::WowAlpha] {
                for version in dialect.versions() {
                    let caps = dialect.caps(*version);
                    let held = R::holds(field.name, caps);
                    assert_eq!(
                        caps.contains(needs),
                        held,
                        "{}.{} in {dialect} {version}",
                        R::NAME,
                        field.name
                    );
                }
            }
        }
    }

    #[test]
    fn a_field_at_several_places_has_one_in_every_version() {
        agrees::<Attachment>();
        agrees::<Geoset>();
        agrees::<GeosetAnimation>();
        agrees::<Layer>();
        agrees::<Light>();
        agrees::<Material>();
        agrees::<ParticleEmitter2>();
        agrees::<Sequence>();
    }
}
