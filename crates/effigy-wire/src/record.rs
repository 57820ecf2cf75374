//! `record!` declares a layout once. Reader, writer, default, documentation and loss report come from the declaration.

use crate::Report;

/// What a version has. A field that only some versions have is declared with the capability that it needs.
pub trait Capabilities: Copy {
    /// Whether it includes all of `needed`.
    fn has(self, needed: Self) -> bool;
}

impl Capabilities for () {
    fn has(self, _: Self) -> bool {
        true
    }
}

/// Whether a record begins with its own size in bytes, that word included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame<C> {
    /// It does not.
    None,
    /// It does.
    Sized,
    /// It does in versions with this capability.
    SizedIf(C),
    /// It does, in the low 24 bits; the top byte is the named field.
    SizedWith(&'static str),
}

/// One line of a record's documentation: a field at its place in the layout.
#[derive(Clone, Copy, Debug)]
pub struct Field<C: 'static> {
    /// The field's name.
    pub name: &'static str,
    /// Its type as written in the declaration.
    pub ty: &'static str,
    /// Its description.
    pub doc: &'static str,
    /// The capability that it needs here; `None` when it is always there.
    pub caps: Option<C>,
}

/// A record declared by [`record!`](crate::record).
pub trait Record<C: Capabilities + 'static>: Sized {
    /// Its name.
    const NAME: &'static str;
    /// Its description.
    const DOC: &'static str;
    /// Whether it begins with its own size.
    const SIZED: Frame<C>;
    /// Its fields in file order; a field that is at different places in different versions is listed more than once.
    const FIELDS: &'static [Field<C>];

    /// Whether a version with these capabilities stores the field. A field without a place in the list is part of the frame, which
    /// every version has.
    #[must_use]
    fn holds(name: &str, caps: C) -> bool {
        let mut places = Self::FIELDS.iter().filter(|field| field.name == name).peekable();
        places.peek().is_none() || places.any(|field| field.caps.is_none_or(|needed| caps.has(needed)))
    }

    /// Reports every field that does not have its default value and is not stored in a version with these capabilities.
    fn losses(&self, target: C, path: &str, report: &mut Report);
}

/// The default of an inferred type; a helper for the macro.
#[must_use]
pub fn default_of<T: Default>() -> T {
    T::default()
}

/// Declares a record: its fields in file order, each with the capability that it needs where only some versions
/// have it.
///
/// ```
/// use effigy_wire::{Buffer, Cursor, FixedStr, Record, Wire, record};
///
/// bitflags::bitflags! {
///     #[derive(Clone, Copy, Debug, PartialEq)]
///     pub struct Caps: u32 { const OLD = 1; const NEW = 2; }
/// }
/// impl effigy_wire::Capabilities for Caps {
///     fn has(self, needed: Self) -> bool { self.contains(needed) }
/// }
///
/// record! {
///     /// A sequence.
///     pub struct Sequence(Caps) sized {
///         /// What it is called.
///         pub name: FixedStr<8>,
///         /// How often it plays.
///         (plain) pub rarity: f32 [Caps::OLD] = 1.0,
///         /// Start and end in milliseconds.
///         pub interval: [u32; 2],
///         again rarity [Caps::NEW],
///     }
/// }
///
/// let sequence = Sequence { name: FixedStr::new("Stand").unwrap(), ..Default::default() };
/// let mut buffer = Buffer::default();
/// sequence.write(&mut buffer, Caps::NEW);
/// let bytes = buffer.into_bytes().unwrap();
/// assert_eq!(bytes.len(), 24);
/// assert_eq!(Sequence::read(&mut Cursor::new(&bytes), Caps::NEW).unwrap(), sequence);
/// assert_eq!(Sequence::FIELDS.len(), 4);
/// ```
///
/// - `pub struct Name(Caps) sized { ... }`: with `sized`, the record begins with its own size in bytes; with
///   `sized [capability]` only in some versions; with `sized with field` the size word's top byte is that field, which
///   is declared as `framed field: u8,`.
/// - `field: Type as (codec) [capability] = default,`: the last three are optional. The codec may look at the fields
///   before it: `as (|record| PerVertex(record.vertices.len()))`.
/// - `(meaning) field: Type ...`: what the field's numbers mean in space, one of [`meaning`](crate::meaning). Floats need
///   one, so that [`Spatial`](crate::Spatial) covers every field. With `struct Name(Caps) spatial by hand` the author
///   implements [`Spatial`](crate::Spatial).
/// - `again field as (codec) [capability],`: the same field, at this place, in other versions.
#[macro_export]
macro_rules! record {
    (
        $(#[doc = $doc:literal])*
        $vis:vis struct $name:ident($caps:ty) $(sized $([$scap:expr])? $(with $top:ident)?)? { $($body:tt)* }
    ) => {
        $crate::record! { @munch
            [[$($doc)*] [$vis] $name [$caps] [$(sized $([$scap])? $(with $top)?)?]] {} {} $($body)* }
    };

    // A record whose meaning in space is written by hand: its fields belong together.
    (
        $(#[doc = $doc:literal])*
        $vis:vis struct $name:ident($caps:ty) spatial by hand { $($body:tt)* }
    ) => {
        $crate::record! { @munch [[$($doc)*] [$vis] $name [$caps] [] by hand] {} {} $($body)* }
    };

    // A field that the frame holds.
    (@munch $head:tt {$($fields:tt)*} {$($places:tt)*}
        $(#[doc = $doc:literal])* framed $fvis:vis $field:ident : $ty:ty $(= $default:expr)? , $($rest:tt)*
    ) => {
        $crate::record! { @munch $head
            {$($fields)* { [$($doc)*] [$fvis] $field [$ty] [$($default)?] [] }} {$($places)*} $($rest)* }
    };

    // The same field at another place.
    (@munch $head:tt {$($fields:tt)*} {$($places:tt)*}
        again $field:ident $(as ($($codec:tt)*))? $([$cap:expr])? , $($rest:tt)*
    ) => {
        $crate::record! { @munch $head {$($fields)*}
            {$($places)* { $field ["the same"] ["See above."] [$($($codec)*)?] [$($cap)?] }} $($rest)* }
    };

    // A field with a meaning in space.
    (@munch $head:tt {$($fields:tt)*} {$($places:tt)*}
        $(#[doc = $doc:literal])* ($meaning:ident)
        $fvis:vis $field:ident : $ty:ty $(as ($($codec:tt)*))? $([$cap:expr])? $(= $default:expr)? , $($rest:tt)*
    ) => {
        $crate::record! { @munch $head
            {$($fields)* { [$($doc)*] [$fvis] $field [$ty] [$($default)?] [$meaning] }}
            {$($places)* { $field [stringify!($ty)] [concat!($($doc),*)] [$($($codec)*)?] [$($cap)?] }} $($rest)* }
    };

    // A field.
    (@munch $head:tt {$($fields:tt)*} {$($places:tt)*}
        $(#[doc = $doc:literal])*
        $fvis:vis $field:ident : $ty:ty $(as ($($codec:tt)*))? $([$cap:expr])? $(= $default:expr)? , $($rest:tt)*
    ) => {
        $crate::record! { @munch $head
            {$($fields)* { [$($doc)*] [$fvis] $field [$ty] [$($default)?] [] }}
            {$($places)* { $field [stringify!($ty)] [concat!($($doc),*)] [$($($codec)*)?] [$($cap)?] }} $($rest)* }
    };

    // All fields seen.
    (@munch [[$($doc:literal)*] [$vis:vis] $name:ident [$caps:ty] $frame:tt $($by_hand:ident)*]
        {$({ [$($fdoc:literal)*] [$fvis:vis] $field:ident [$ty:ty] [$($default:expr)?] $meaning:tt })*}
        {$({ $place:ident [$pty:expr] [$pdoc:expr] [$($codec:tt)*] [$($cap:expr)?] })*}
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Debug, PartialEq)]
        $vis struct $name { $($(#[doc = $fdoc])* $fvis $field: $ty,)* }

        impl ::std::default::Default for $name {
            fn default() -> Self {
                Self { $($field: $crate::record!(@default [$($default)?]),)* }
            }
        }

        impl $crate::Wire<$caps> for $name {
            #[allow(unused_variables)]
            fn read(cursor: &mut $crate::Cursor<'_>, caps: $caps) -> $crate::Result<Self> {
                let mut this = <Self as ::std::default::Default>::default();
                $crate::record!(@body $frame cursor window this caps {
                    $(if $crate::record!(@present caps [$($cap)?]) {
                        this.$place = $crate::Locate::in_field(
                            $crate::record!(@read window caps this [$($codec)*]), stringify!($place))?;
                    })*
                });
                Ok(this)
            }

            #[allow(unused_variables)]
            fn write<S: $crate::Sink>(&self, sink: &mut S, caps: $caps) {
                let this = self;
                $crate::record!(@frame $frame sink this caps {
                    $(if $crate::record!(@present caps [$($cap)?]) {
                        sink.enter($crate::Label::Field(stringify!($place)));
                        $crate::record!(@write sink caps this (this.$place) [$($codec)*]);
                        sink.leave();
                    })*
                });
            }

            #[allow(unused_variables)]
            fn parse(tree: &$crate::Tree<'_>, caps: $caps) -> $crate::Result<Self> {
                let mut this = <Self as ::std::default::Default>::default();
                tree.only(&[$(stringify!($field)),*])?;
                $crate::record!(@parse_frame $frame tree this caps [$caps]);
                $(if $crate::record!(@present caps [$($cap)?])
                    && let Some(part) = tree.part(stringify!($place))
                {
                    this.$place = $crate::Locate::in_field(
                        $crate::record!(@parse part caps this [$($codec)*]), stringify!($place))?;
                })*
                Ok(this)
            }
        }

        $crate::record!(@spatial [$($by_hand)*] $name { $($field $meaning)* });

        impl $crate::Record<$caps> for $name {
            const NAME: &'static str = stringify!($name);
            const DOC: &'static str = concat!($($doc, "\n"),*);
            const SIZED: $crate::Frame<$caps> = $crate::record!(@framing $frame);
            const FIELDS: &'static [$crate::Field<$caps>] = &[$($crate::Field {
                name: stringify!($place),
                ty: $pty,
                doc: $pdoc,
                caps: $crate::record!(@option [$($cap)?]),
            },)*];

            #[allow(clippy::float_cmp)]
            fn losses(&self, target: $caps, path: &str, report: &mut $crate::Report) {
                let default = <Self as ::std::default::Default>::default();
                $(if !<Self as $crate::Record<$caps>>::holds(stringify!($field), target)
                    && self.$field != default.$field
                {
                    report.dropped(format!("{path}.{}", stringify!($field)), "the target version does not store it");
                })*
            }
        }
    };

    (@spatial [by hand] $name:ident $fields:tt) => {};
    (@spatial [] $name:ident { $($field:ident $meaning:tt)* }) => {
        impl $crate::Spatial for $name {
            #[allow(unused_variables)]
            fn walk_space(&mut self, space: &mut dyn $crate::Space) {
                $($crate::record!(@meaning self space $field $meaning);)*
            }
        }
    };
    (@meaning $this:ident $space:ident $field:ident []) => { $crate::Spatial::walk_space(&mut $this.$field, $space) };
    (@meaning $this:ident $space:ident $field:ident [$meaning:ident]) => {
        $crate::meaning::$meaning(&mut $this.$field, $space)
    };
    (@parse_frame [sized with $top:ident] $tree:ident $this:ident $caps:ident [$ty:ty]) => {
        if let Some(part) = $tree.part(stringify!($top)) {
            $this.$top = $crate::Locate::in_field($crate::Wire::<$ty>::parse(part, $caps), stringify!($top))?;
        }
    };
    (@parse_frame $frame:tt $tree:ident $this:ident $caps:ident [$ty:ty]) => {};
    (@parse $tree:ident $caps:ident $this:ident []) => { $crate::Codec::parse(&$crate::Plain, $tree, $caps) };
    (@parse $tree:ident $caps:ident $this:ident [|$record:ident| $codec:expr]) => {
        { let $record = &$this; $crate::Codec::parse(&$codec, $tree, $caps) }
    };
    (@parse $tree:ident $caps:ident $this:ident [$codec:expr]) => { $crate::Codec::parse(&$codec, $tree, $caps) };
    (@default []) => { $crate::default_of() };
    (@default [$default:expr]) => { $default };
    (@present $caps:ident []) => { true };
    (@present $caps:ident [$cap:expr]) => { $crate::Capabilities::has($caps, $cap) };
    (@option []) => { None };
    (@option [$cap:expr]) => { Some($cap) };
    (@framing []) => { $crate::Frame::None };
    (@framing [sized [$scap:expr]]) => { $crate::Frame::SizedIf($scap) };
    (@framing [sized with $top:ident]) => { $crate::Frame::SizedWith(stringify!($top)) };
    (@framing [sized]) => { $crate::Frame::Sized };
    (@body [] $cursor:ident $window:ident $this:ident $caps:ident $body:block) => {
        { let $window = &mut *$cursor; $body }
    };
    (@body [sized] $cursor:ident $window:ident $this:ident $caps:ident $body:block) => {
        { let mut inner = $cursor.sized()?; let $window = &mut inner; $body inner.finish()?; }
    };
    (@body [sized [$scap:expr]] $cursor:ident $window:ident $this:ident $caps:ident $body:block) => {
        {
            let sized = $crate::Capabilities::has($caps, $scap);
            let mut inner = if sized { $cursor.sized()? } else { *$cursor };
            let $window = &mut inner;
            $body
            if sized { inner.finish()?; } else { *$cursor = inner; }
        }
    };
    (@body [sized with $top:ident] $cursor:ident $window:ident $this:ident $caps:ident $body:block) => {
        {
            let (mut inner, top) = $cursor.sized_with_top()?;
            $this.$top = top;
            let $window = &mut inner;
            $body
            inner.finish()?;
        }
    };
    (@frame [] $sink:ident $this:ident $caps:ident $body:block) => { $body };
    (@frame [sized] $sink:ident $this:ident $caps:ident $body:block) => {
        { let mark = $sink.begin_size(); $body $sink.end_inclusive(mark); }
    };
    (@frame [sized [$scap:expr]] $sink:ident $this:ident $caps:ident $body:block) => {
        {
            let mark = $crate::Capabilities::has($caps, $scap).then(|| $sink.begin_size());
            $body
            if let Some(mark) = mark { $sink.end_inclusive(mark); }
        }
    };
    (@frame [sized with $top:ident] $sink:ident $this:ident $caps:ident $body:block) => {
        {
            $sink.enter($crate::Label::Field(stringify!($top)));
            $sink.show($crate::Leaf::Unsigned($this.$top.into()));
            $sink.leave();
            let mark = $sink.begin_size();
            $body
            $sink.end_with_top(mark, $this.$top);
        }
    };
    (@read $cursor:ident $caps:ident $this:ident []) => { $crate::Codec::read(&$crate::Plain, $cursor, $caps) };
    (@read $cursor:ident $caps:ident $this:ident [|$record:ident| $codec:expr]) => {
        { let $record = &$this; $crate::Codec::read(&$codec, $cursor, $caps) }
    };
    (@read $cursor:ident $caps:ident $this:ident [$codec:expr]) => { $crate::Codec::read(&$codec, $cursor, $caps) };
    (@write $sink:ident $caps:ident $this:ident $value:tt []) => { $crate::Codec::write(&$crate::Plain, &$value, $sink, $caps) };
    (@write $sink:ident $caps:ident $this:ident $value:tt [|$record:ident| $codec:expr]) => {
        { let $record = $this; $crate::Codec::write(&$codec, &$value, $sink, $caps) }
    };
    (@write $sink:ident $caps:ident $this:ident $value:tt [$codec:expr]) => { $crate::Codec::write(&$codec, &$value, $sink, $caps) };
}
