//! Tracks: values that change over time, in every record that can be animated.
//!
//! In a file: tag, count of keys, interpolation, global sequence, then the keys. A key is a time, a value and, for
//! Hermite and Bezier, an incoming and an outgoing tangent. A record has the static value and the track; both are kept.
//! Keys out of order occur in hundreds of real files and are not sorted.
//!
//! WoW alpha packs rotations into 64 bits and never stores tangents for whole numbers (see [`crate::rotation`]).

mod list;
mod parse;
mod space;
mod table;

pub use list::Tracks;
pub(crate) use table::{ANY, Animated, rows};
pub use table::{Measure, TRACKS, TrackInfo, ValueKind, tags, value_kind};

use crate::records::choices;
use crate::rotation;
use crate::version::Caps;
use effigy_wire::{Cursor, Error, Label, Leaf, Locate, Numbers, Result, Sink, Tag, Tree, Wire};

choices! {
    /// How values between keys are computed. Unknown numbers are kept.
    pub struct Interpolation {
        /// The value of the last key.
        const STEP = 0, "DontInterp";
        /// A straight line.
        const LINEAR = 1, "Linear";
        /// A Hermite spline with tangents.
        const HERMITE = 2, "Hermite";
        /// A Bezier spline with control points.
        const BEZIER = 3, "Bezier";
    }
}

impl Interpolation {
    /// Whether keys carry tangents.
    #[must_use]
    pub const fn has_tangents(self) -> bool {
        self.0 > 1
    }
}

/// A value that keys can have.
pub trait KeyValue: bytemuck::Pod {
    /// 32-bit words in one value.
    const WIDTH: usize;
}

impl KeyValue for f32 {
    const WIDTH: usize = 1;
}
impl KeyValue for u32 {
    const WIDTH: usize = 1;
}
impl KeyValue for [f32; 3] {
    const WIDTH: usize = 3;
}
impl KeyValue for [f32; 4] {
    const WIDTH: usize = 4;
}

/// One key of a track.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key<T> {
    /// Milliseconds on the model's timeline, or within the track's global sequence.
    pub time: i32,
    /// The value at that time.
    pub value: T,
    /// Incoming and outgoing tangent, for Hermite and Bezier.
    pub tangents: Option<[T; 2]>,
}

impl<T> Key<T> {
    /// A key without tangents.
    #[must_use]
    pub const fn new(time: i32, value: T) -> Self {
        Self { time, value, tangents: None }
    }
}

/// A track of a record.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    tag: Tag,
    /// The kind of values that the tag implies; looked up once.
    kind: ValueKind,
    interpolation: Interpolation,
    /// Index of the global sequence whose clock it follows, or -1 for the model's timeline.
    pub global_sequence: i32,
    /// Keys one after another: time, value, and tangents where the interpolation has them.
    words: Vec<u32>,
}

impl Track {
    /// A track with these keys. Tangents are taken from the keys when the interpolation has them, and the value
    /// is used for missing ones.
    ///
    /// # Errors
    /// When the tag does not belong to a track, or its values are of another kind.
    pub fn new<T: KeyValue>(tag: Tag, interpolation: Interpolation, keys: &[Key<T>]) -> Result<Self> {
        let kind = value_kind(tag).unwrap_or(ValueKind::Float);
        let mut track = Self { tag, kind, interpolation, global_sequence: -1, words: Vec::new() };
        if track.kind().width() != T::WIDTH || value_kind(tag).is_none() {
            return Err(Error::unrepresentable(format!(
                "the values of {tag} do not have {} words each",
                T::WIDTH
            )));
        }
        keys.iter().for_each(|key| track.push_words(key));
        Ok(track)
    }

    /// A track of raw words, [`Self::stride`] to a key; `None` when the tag does not belong to a track or the last key is incomplete.
    pub(crate) fn from_words(
        tag: Tag,
        interpolation: Interpolation,
        global_sequence: i32,
        words: Vec<u32>,
    ) -> Option<Self> {
        let kind = value_kind(tag)?;
        let stride = stride(kind, interpolation);
        words.len().is_multiple_of(stride).then_some(Self {
            tag,
            kind,
            interpolation,
            global_sequence,
            words,
        })
    }

    /// The same track on a global sequence's clock.
    #[must_use]
    pub fn on_global_sequence(mut self, index: i32) -> Self {
        self.global_sequence = index;
        self
    }

    fn push_words<T: KeyValue>(&mut self, key: &Key<T>) {
        self.words.push(key.time.cast_unsigned());
        self.words.extend_from_slice(bytemuck::cast_slice(std::slice::from_ref(&key.value)));
        if self.interpolation.has_tangents() {
            let tangents = key.tangents.unwrap_or([key.value; 2]);
            self.words.extend_from_slice(bytemuck::cast_slice(&tangents));
        }
    }

    /// The tag.
    #[must_use]
    pub const fn tag(&self) -> Tag {
        self.tag
    }

    /// What the values are.
    #[must_use]
    pub const fn kind(&self) -> ValueKind {
        self.kind
    }

    /// How values between keys are computed.
    #[must_use]
    pub const fn interpolation(&self) -> Interpolation {
        self.interpolation
    }

    /// 32-bit words in one key: time, value and tangents.
    #[must_use]
    pub fn stride(&self) -> usize {
        stride(self.kind(), self.interpolation)
    }

    /// How many keys there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.words.len() / self.stride()
    }

    /// Whether there are no keys.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The keys as raw words, [`Self::stride`] to a key.
    #[must_use]
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    /// The times of all keys, in file order.
    pub fn times(&self) -> impl ExactSizeIterator<Item = i32> + '_ {
        self.words.chunks_exact(self.stride()).map(|key| key.first().copied().unwrap_or(0).cast_signed())
    }

    /// The keys, if the values are of this type.
    #[must_use]
    pub fn keys<T: KeyValue>(&self) -> Option<impl ExactSizeIterator<Item = Key<T>> + '_> {
        (self.kind().width() == T::WIDTH).then(|| {
            self.words.chunks_exact(self.stride()).map(|words| {
                let part = |index: usize| -> T {
                    let start = index.saturating_mul(T::WIDTH).saturating_add(1);
                    words.get(start..start.saturating_add(T::WIDTH)).map_or(T::zeroed(), |words| {
                        bytemuck::pod_read_unaligned(bytemuck::cast_slice(words))
                    })
                };
                Key {
                    time: words.first().copied().unwrap_or(0).cast_signed(),
                    value: part(0),
                    tangents: self.interpolation.has_tangents().then(|| [part(1), part(2)]),
                }
            })
        })
    }

    /// Replaces all keys and the interpolation.
    ///
    /// # Errors
    /// When the values are of another kind; the track is not changed.
    pub fn set_keys<T: KeyValue>(&mut self, interpolation: Interpolation, keys: &[Key<T>]) -> Result<()> {
        let track = Self::new(self.tag, interpolation, keys)?;
        *self = track.on_global_sequence(self.global_sequence);
        Ok(())
    }

    /// Replaces all keys by raw words, [`Self::stride`] to a key for the given interpolation.
    ///
    /// # Errors
    /// When the words are not a whole number of keys; the track is not changed.
    pub fn set_words(&mut self, interpolation: Interpolation, words: Vec<u32>) -> Result<()> {
        if !words.len().is_multiple_of(stride(self.kind(), interpolation)) {
            return Err(Error::unrepresentable(format!(
                "{} words are not a whole number of keys",
                words.len()
            )));
        }
        self.interpolation = interpolation;
        self.words = words;
        Ok(())
    }
}

fn stride(kind: ValueKind, interpolation: Interpolation) -> usize {
    1 + kind.width() * if interpolation.has_tangents() { 3 } else { 1 }
}

/// Words of one key in a file; only WoW alpha differs from [`stride`].
fn wire_stride(kind: ValueKind, interpolation: Interpolation, caps: Caps) -> usize {
    match (caps.contains(Caps::WOW), kind) {
        (true, ValueKind::Rotation) => 1 + 2 * if interpolation.has_tangents() { 3 } else { 1 },
        (true, ValueKind::Index) => 2,
        _ => stride(kind, interpolation),
    }
}

impl Wire<Caps> for Track {
    fn read(cursor: &mut Cursor<'_>, caps: Caps) -> Result<Self> {
        let at = cursor.position();
        let tag = cursor.tag()?;
        let kind = value_kind(tag)
            .ok_or_else(|| Error::malformed(at, format!("{tag} is not the tag of a track")))?;
        let count = cursor.count()?;
        let interpolation = Interpolation(cursor.u32()?);
        let global_sequence = cursor.i32()?;
        let wire = wire_stride(kind, interpolation, caps);
        cursor.check_count(count, wire.saturating_mul(4)).in_tag(tag)?;
        let words: Vec<u32> = cursor.bulk(count.saturating_mul(wire))?;
        let words = if wire == stride(kind, interpolation) {
            words
        } else if kind == ValueKind::Rotation {
            unpack_rotations(&words, wire)
        } else {
            spread_indices(&words)
        };
        Ok(Self { tag, kind, interpolation, global_sequence, words })
    }

    fn write<S: Sink>(&self, sink: &mut S, caps: Caps) {
        sink.enter(Label::Tag(self.tag));
        if S::TALKS && sink.wants_gathered() {
            self.explain(sink);
        }
        sink.put(&self.tag.0);
        sink.count(self.len());
        sink.put(&self.interpolation.0.to_le_bytes());
        sink.put(&self.global_sequence.to_le_bytes());
        let (kind, stride) = (self.kind(), self.stride());
        if wire_stride(kind, self.interpolation, caps) == stride {
            sink.put_copy(bytemuck::cast_slice(&self.words));
        } else if kind == ValueKind::Rotation {
            sink.put(bytemuck::cast_slice(&pack_rotations(&self.words, stride)));
        } else {
            for key in self.words.chunks_exact(stride) {
                sink.put(bytemuck::cast_slice(key.get(..2).unwrap_or_default()));
            }
        }
        sink.leave();
    }

    fn parse(tree: &Tree<'_>, _: Caps) -> Result<Self> {
        parse::track(tree)
    }
}

impl Track {
    fn explain<S: Sink>(&self, sink: &mut S) {
        let mut field = |name, leaf: Leaf<'_>| {
            sink.enter(Label::Field(name));
            sink.show(leaf);
            sink.leave();
        };
        field("interpolation", Leaf::Unsigned(self.interpolation.0.into()));
        field("global_sequence", Leaf::Signed(self.global_sequence.into()));
        let times: Vec<i32> = self.times().collect();
        field("times", Leaf::Many { numbers: Numbers::I32(&times), width: 1 });
        let values: Vec<u32> = self
            .words
            .chunks_exact(self.stride())
            .flat_map(|key| key.get(1..).unwrap_or_default())
            .copied()
            .collect();
        let numbers = match self.kind() {
            ValueKind::Index => Numbers::U32(&values),
            _ => Numbers::F32(bytemuck::cast_slice(&values)),
        };
        field("values", Leaf::Many { numbers, width: self.stride() - 1 });
    }
}

/// WoW alpha: time, then each rotation as two words.
fn unpack_rotations(words: &[u32], wire: usize) -> Vec<u32> {
    let mut out = Vec::with_capacity(words.len().saturating_mul(2));
    for key in words.chunks_exact(wire) {
        let (time, packed) = key.split_at(1);
        out.extend_from_slice(time);
        for pair in packed.chunks_exact(2) {
            if let [low, high] = *pair {
                let rotation = rotation::unpack(u64::from(high) << 32 | u64::from(low));
                out.extend_from_slice(bytemuck::cast_slice(&rotation));
            }
        }
    }
    out.shrink_to_fit();
    out
}

fn pack_rotations(words: &[u32], stride: usize) -> Vec<u32> {
    let mut out = Vec::with_capacity(words.len());
    for key in words.chunks_exact(stride) {
        let (time, values) = key.split_at(1);
        out.extend_from_slice(time);
        for value in values.chunks_exact(4) {
            let rotation: [f32; 4] = bytemuck::pod_read_unaligned(bytemuck::cast_slice(value));
            let packed = rotation::pack(rotation);
            out.extend_from_slice(bytemuck::cast_slice(&[packed]));
        }
    }
    out
}

/// WoW alpha never stores tangents for indices: the value is used for them.
fn spread_indices(words: &[u32]) -> Vec<u32> {
    words.as_chunks::<2>().0.iter().flat_map(|&[time, value]| [time, value, value, value]).collect()
}
