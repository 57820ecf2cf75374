//! The binary part: sections of equal use, accessors into them, equal data stored once.

use crate::json::{Accessor, BufferView, Corner, Object, finite};
use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Component types of glTF.
pub(crate) const U8: u32 = 5121;
pub(crate) const U16: u32 = 5123;
pub(crate) const U32: u32 = 5125;
pub(crate) const F32: u32 = 5126;

/// What a section of the buffer is used for. Each becomes one buffer view, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// Triangles.
    Indices,
    /// Vertex data of 4 bytes each.
    Vertex4,
    /// Vertex data of 8 bytes each.
    Vertex8,
    /// Vertex data of 12 bytes each.
    Vertex12,
    /// Vertex data of 16 bytes each.
    Vertex16,
    /// Inverse bind matrices.
    Matrices,
    /// Numbers of changed vertices.
    SparseIndices,
    /// Changes of vertices.
    SparseValues,
    /// Times of keys.
    Times,
    /// Values of keys.
    Animation,
}

const USES: usize = 10;

impl Use {
    const fn slot(self) -> usize {
        self as usize
    }
    const fn target(slot: usize) -> Option<u32> {
        match slot {
            0 => Some(34963),
            1..=4 => Some(34962),
            _ => None,
        }
    }
    const fn stride(slot: usize) -> Option<usize> {
        match slot {
            1..=4 => Some(slot * 4),
            _ => None,
        }
    }
}

/// Collects the buffer of a file.
#[derive(Default)]
pub(crate) struct Bin {
    sections: [Section; USES],
    /// Accessors; `buffer_view` holds the section until the end.
    pub accessors: Vec<Accessor>,
    /// Accessors by fingerprint of their data. Files can choose that, so the map has a key of its own; it is only asked,
    /// never walked.
    known: HashMap<u64, Vec<usize>>,
    /// The fingerprint of each accessor's bytes.
    prints: Vec<u64>,
    /// Numbers that were not finite.
    pub beyond: usize,
}

/// Accessors with one fingerprint that are looked at, at most: data made to look alike is stored again instead.
const MOST_ALIKE: usize = 16;

/// Bytes in pieces: growing never copies what is there, and little is kept free.
#[derive(Default)]
struct Section {
    /// Where each piece starts, and its bytes.
    pieces: Vec<(usize, Vec<u8>)>,
    length: usize,
}

impl Section {
    /// Pieces are at least this long, and at most this share of what is there already.
    const LEAST: usize = 2048;
    const SHARE: usize = 8;

    fn extend(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let free = self.pieces.last().map_or(0, |(_, piece)| piece.capacity() - piece.len());
            if free == 0 {
                let room = Self::LEAST.max(self.length / Self::SHARE).max(bytes.len());
                self.pieces.push((self.length, Vec::with_capacity(room)));
                continue;
            }
            let (now, later) = bytes.split_at(free.min(bytes.len()));
            if let Some((_, piece)) = self.pieces.last_mut() {
                piece.extend_from_slice(now);
            }
            self.length += now.len();
            bytes = later;
        }
    }

    /// Whether these bytes are at an offset.
    fn holds(&self, offset: usize, mut bytes: &[u8]) -> bool {
        let first = self.pieces.partition_point(|(start, _)| *start <= offset).saturating_sub(1);
        let mut skip = offset - self.pieces.get(first).map_or(offset, |(start, _)| *start);
        for (_, piece) in self.pieces.iter().skip(first) {
            let here = piece.get(skip..).unwrap_or(&[]);
            let count = here.len().min(bytes.len());
            let (now, later) = bytes.split_at(count);
            if here.get(..count) != Some(now) {
                return false;
            }
            bytes = later;
            if bytes.is_empty() {
                return true;
            }
            skip = 0;
        }
        bytes.is_empty()
    }
}

/// How an accessor is to be made.
pub(crate) struct Layout {
    pub usage: Use,
    pub component: u32,
    pub kind: &'static str,
    pub count: usize,
}

impl Bin {
    /// Adds data, or finds the accessor that has the same.
    pub(crate) fn push(&mut self, layout: &Layout, bytes: &[u8]) -> usize {
        let print = fingerprint(bytes);
        let hash = print ^ (layout.usage.slot() as u64) ^ (u64::from(layout.component) << 32);
        let section = self.sections.get(layout.usage.slot());
        let same = self.known.get(&hash).into_iter().flatten().copied().find(|index| {
            self.accessors.get(*index).is_some_and(|it| {
                it.buffer_view == Some(layout.usage.slot())
                    && it.component_type == layout.component
                    && it.kind == layout.kind
                    && it.count == layout.count
                    && section.is_some_and(|section| section.holds(it.byte_offset, bytes))
            })
        });
        if let Some(index) = same {
            return index;
        }
        let offset = self.append(layout.usage, bytes);
        self.accessors.push(Accessor {
            buffer_view: Some(layout.usage.slot()),
            byte_offset: offset,
            component_type: layout.component,
            normalized: false,
            count: layout.count,
            kind: layout.kind,
            min: Corner::default(),
            max: Corner::default(),
            sparse: None,
        });
        let index = self.accessors.len() - 1;
        self.prints.resize(index, 0);
        self.prints.push(print);
        let alike = self.known.entry(hash).or_default();
        if alike.len() < MOST_ALIKE {
            alike.push(index);
        }
        index
    }

    /// The fingerprint of an accessor's bytes.
    pub(crate) fn print(&self, accessor: usize) -> u64 {
        self.prints.get(accessor).copied().unwrap_or(0)
    }

    /// Bytes collected so far.
    pub(crate) fn length(&self) -> usize {
        self.sections.iter().map(|section| section.length).sum()
    }

    fn append(&mut self, usage: Use, bytes: &[u8]) -> usize {
        let Some(section) = self.sections.get_mut(usage.slot()) else { return 0 };
        let offset = section.length;
        section.extend(bytes);
        section.extend([0; 4].get(..section.length.next_multiple_of(4) - section.length).unwrap_or(&[]));
        offset
    }

    /// Floats of the given width, with exact bounds when asked for.
    pub(crate) fn floats<const N: usize>(&mut self, usage: Use, values: &[[f32; N]], bounds: bool) -> usize {
        let kind = match N {
            1 => "SCALAR",
            2 => "VEC2",
            3 => "VEC3",
            4 => "VEC4",
            _ => "MAT4",
        };
        let values = self.finite(values);
        let layout = Layout { usage, component: F32, kind, count: values.len() };
        let index = self.push(&layout, bytemuck::cast_slice(values.as_flattened()));
        if bounds && let Some(accessor) = self.accessors.get_mut(index).filter(|it| it.min.is_empty()) {
            let (min, max) = limits(&values);
            accessor.min = Corner::new(&min);
            accessor.max = Corner::new(&max);
        }
        index
    }

    /// The same numbers, or the nearest that a file can hold.
    fn finite<'v, const N: usize>(&mut self, values: &'v [[f32; N]]) -> Cow<'v, [[f32; N]]> {
        let wrong = values.as_flattened().iter().filter(|value| !value.is_finite()).count();
        if wrong == 0 {
            return Cow::Borrowed(values);
        }
        self.beyond += wrong;
        values.iter().map(|value| value.map(finite)).collect()
    }

    /// Times of keys: ascending, so the first and the last are the bounds.
    pub(crate) fn times(&mut self, times: &[f32]) -> usize {
        let layout = Layout { usage: Use::Times, component: F32, kind: "SCALAR", count: times.len() };
        let index = self.push(&layout, bytemuck::cast_slice(times));
        if let (Some(accessor), Some(first), Some(last)) =
            (self.accessors.get_mut(index).filter(|it| it.min.is_empty()), times.first(), times.last())
        {
            accessor.min = Corner::new(&[*first]);
            accessor.max = Corner::new(&[*last]);
        }
        index
    }

    /// Changes of vertices, stored sparsely where most of them are zero. Bounds are always stated.
    pub(crate) fn changes(&mut self, values: &[[f32; 3]]) -> usize {
        let values = &*self.finite(values);
        let moved: Vec<u32> = (0_u32..)
            .zip(values)
            .filter(|(_, value)| value.iter().any(|x| *x != 0.0))
            .map(|(index, _)| index)
            .collect();
        // A sparse entry costs 16 bytes, a plain one 12, and the description some 200 more.
        if moved.is_empty() || moved.len() * 16 + 200 > values.len() * 12 {
            return self.floats(Use::Vertex12, values, true);
        }
        let picked: Vec<[f32; 3]> =
            moved.iter().filter_map(|index| values.get(*index as usize).copied()).collect();
        let indices = self.append(Use::SparseIndices, bytemuck::cast_slice(&moved));
        let changes = self.append(Use::SparseValues, bytemuck::cast_slice(picked.as_flattened()));
        let (min, max) = limits(values);
        let part = |slot: usize, offset: usize| {
            Object::default().with("bufferView", slot).with("byteOffset", offset)
        };
        let sparse = Object::default()
            .with("count", moved.len())
            .with("indices", part(Use::SparseIndices.slot(), indices).with("componentType", U32))
            .with("values", part(Use::SparseValues.slot(), changes));
        self.accessors.push(Accessor {
            buffer_view: None,
            byte_offset: 0,
            component_type: F32,
            normalized: false,
            count: values.len(),
            kind: "VEC3",
            min: Corner::new(&min),
            max: Corner::new(&max),
            sparse: Some(sparse),
        });
        self.accessors.len() - 1
    }

    /// Puts everything one after another. Returns the views, the accessors and the bytes in pieces.
    pub(crate) fn finish(mut self) -> (Vec<BufferView>, Vec<Accessor>, Vec<Vec<u8>>) {
        let mut views = Vec::new();
        let mut places = [0_usize; USES];
        let mut offset = 0_usize;
        let mut parts = Vec::new();
        for (slot, (section, place)) in self.sections.into_iter().zip(&mut places).enumerate() {
            *place = views.len();
            if section.length == 0 {
                continue;
            }
            views.push(BufferView {
                buffer: 0,
                byte_offset: offset,
                byte_length: section.length,
                byte_stride: Use::stride(slot),
                target: Use::target(slot),
            });
            offset += section.length;
            parts.extend(section.pieces.into_iter().map(|(_, piece)| piece));
        }
        let view_of = |slot: usize| places.get(slot).copied().unwrap_or(0);
        for accessor in &mut self.accessors {
            accessor.buffer_view = accessor.buffer_view.map(view_of);
            for (name, value) in accessor.sparse.iter_mut().flat_map(|sparse| &mut sparse.0) {
                let slot = if name == "indices" { Use::SparseIndices } else { Use::SparseValues };
                if let crate::json::Json::Object(part) = value {
                    part.set("bufferView", view_of(slot.slot()));
                }
            }
        }
        (views, self.accessors, parts)
    }
}

/// Quick hashing without a key, for numbers that this crate counts itself and no file chooses.
pub(crate) type Quick = BuildHasherDefault<Mixer>;

/// Multiplies and turns.
#[derive(Default)]
pub(crate) struct Mixer(u64);

const PRIME: u64 = 0x9E37_79B9_7F4A_7C15;

pub(crate) const fn mix(hash: u64, word: u64) -> u64 {
    (hash ^ word).wrapping_mul(PRIME).rotate_left(29)
}

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        self.0 = mix(self.0, fingerprint(bytes));
    }
    fn write_u64(&mut self, number: u64) {
        self.0 = mix(self.0, number);
    }
    fn write_usize(&mut self, number: usize) {
        self.0 = mix(self.0, number as u64);
    }
}

/// A quick number for finding equal data; equality is checked byte by byte afterwards.
pub(crate) fn fingerprint(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let hash = words.iter().fold(bytes.len() as u64, |hash, word| mix(hash, u64::from_le_bytes(*word)));
    rest.iter().fold(hash, |hash, byte| mix(hash, u64::from(*byte)))
}

fn limits<const N: usize>(values: &[[f32; N]]) -> ([f32; N], [f32; N]) {
    let (mut min, mut max) = ([f32::INFINITY; N], [f32::NEG_INFINITY; N]);
    for value in values {
        for ((low, high), x) in min.iter_mut().zip(&mut max).zip(value) {
            *low = low.min(*x);
            *high = high.max(*x);
        }
    }
    (min, max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_made_to_look_alike_is_stored_right_and_not_searched_at_length() {
        let mut bin = Bin::default();
        let layout = Layout { usage: Use::Animation, component: F32, kind: "VEC4", count: 1 };
        // The second word undoes what the first did to the fingerprint.
        let alike = |word: u64| [word, mix(16, word) ^ 77].map(u64::to_le_bytes).concat();
        assert_eq!(fingerprint(&alike(1)), fingerprint(&alike(2)));
        for word in 0..100 {
            bin.push(&layout, &alike(word));
        }
        assert!(bin.known.values().all(|list| list.len() <= MOST_ALIKE));
        assert_eq!(bin.push(&layout, &alike(3)), 3);
        let (_, accessors, parts) = bin.finish();
        assert_eq!(accessors.len(), 100);
        assert_eq!(parts.concat(), (0..100).flat_map(alike).collect::<Vec<u8>>());
    }

    #[test]
    fn equal_data_is_stored_once_even_across_pieces_and_comes_back_in_order() {
        let mut bin = Bin::default();
        let rows = |from: u16| (0..900_u16).map(|row| [f32::from(row + from)]).collect::<Vec<_>>();
        let all: Vec<usize> = (0..40).map(|from| bin.floats(Use::Animation, &rows(from), false)).collect();
        assert!(bin.sections[Use::Animation.slot()].pieces.len() > 3);
        for from in 0..40 {
            assert_eq!(bin.floats(Use::Animation, &rows(from), false), all[usize::from(from)]);
        }
        let (views, accessors, parts) = bin.finish();
        let bytes = parts.concat();
        assert_eq!((views.len(), views[0].byte_length, accessors.len()), (1, bytes.len(), 40));
        let expected: Vec<u8> = (0..40).flat_map(rows).flat_map(|[x]| x.to_le_bytes()).collect();
        assert_eq!(bytes, expected);
    }
}
