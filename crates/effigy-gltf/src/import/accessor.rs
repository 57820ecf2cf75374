//! Accessors: typed numbers in buffers, with every component type, stride, normalised integers and sparse values.
//!
//! Every read is checked against the buffer, and the bytes of all results together against a budget: a small file may
//! refer to the same numbers thousands of times.

use super::document::{AccessorJson, BufferViewJson, Document, SparsePart};
use effigy_wire::{Error, Kind, Limits, Result};
use std::cell::Cell;

const I8: u32 = 5120;
const U8: u32 = 5121;
const I16: u32 = 5122;
const U16: u32 = 5123;
const U32: u32 = 5125;
const F32: u32 = 5126;

/// Bytes that any file may expand to, however small it is.
const FREE: u64 = 64 << 20;
/// How much larger than its input a result may be beyond that.
const GROWTH: u64 = 16;

/// The buffers of a document.
pub(crate) struct Data<'a> {
    pub document: &'a Document,
    pub buffers: Vec<&'a [u8]>,
    left: Cell<u64>,
}

fn wrong(text: String) -> Error {
    Error::new(Kind::Malformed, text)
}

const fn size_of(component: u32) -> Option<usize> {
    match component {
        I8 | U8 => Some(1),
        I16 | U16 => Some(2),
        U32 | F32 => Some(4),
        _ => None,
    }
}

fn width(kind: &str) -> Option<usize> {
    match kind {
        "SCALAR" => Some(1),
        "VEC2" => Some(2),
        "VEC3" => Some(3),
        "VEC4" | "MAT2" => Some(4),
        "MAT3" => Some(9),
        "MAT4" => Some(16),
        _ => None,
    }
}

/// The largest value of a normalised integer; 0 for others.
const fn largest(component: u32, normalized: bool) -> f32 {
    match component {
        _ if !normalized => 0.0,
        I8 => 127.0,
        U8 => 255.0,
        I16 => 32767.0,
        U16 => 65535.0,
        _ => 0.0,
    }
}

fn component(bytes: &[u8], kind: u32) -> f32 {
    match (kind, bytes) {
        (I8, [a]) => f32::from(i8::from_le_bytes([*a])),
        (U8, [a]) => f32::from(*a),
        (I16, [a, b]) => f32::from(i16::from_le_bytes([*a, *b])),
        (U16, [a, b]) => f32::from(u16::from_le_bytes([*a, *b])),
        (U32, [a, b, c, d]) => u32::from_le_bytes([*a, *b, *c, *d]) as f32,
        (F32, [a, b, c, d]) => f32::from_le_bytes([*a, *b, *c, *d]),
        _ => 0.0,
    }
}

fn whole(bytes: &[u8], kind: u32) -> u32 {
    match (kind, bytes) {
        (U8, [a]) => u32::from(*a),
        (U16, [a, b]) => u32::from(u16::from_le_bytes([*a, *b])),
        (U32, [a, b, c, d]) => u32::from_le_bytes([*a, *b, *c, *d]),
        _ => 0,
    }
}

/// Rows of an accessor: where they are, how long each is and how far apart.
struct Rows<'a> {
    bytes: &'a [u8],
    stride: usize,
    length: usize,
    count: usize,
}

impl<'a> Rows<'a> {
    fn iter(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        let (bytes, stride, length) = (self.bytes, self.stride, self.length);
        (0..self.count).map_while(move |row| bytes.get(row * stride..row * stride + length))
    }
}

impl<'a> Data<'a> {
    pub(crate) fn new(document: &'a Document, buffers: Vec<&'a [u8]>, input: usize, limits: &Limits) -> Self {
        let input = u64::try_from(input).unwrap_or(u64::MAX);
        let left = limits.unpacked_bytes.min(FREE.saturating_add(input.saturating_mul(GROWTH)));
        Self { document, buffers, left: Cell::new(left) }
    }

    /// Counts bytes that are about to be made.
    pub(crate) fn spend(&self, count: usize, each: usize) -> Result<()> {
        let bytes = u64::try_from(count.saturating_mul(each)).unwrap_or(u64::MAX);
        match self.left.get().checked_sub(bytes) {
            Some(left) => {
                self.left.set(left);
                Ok(())
            }
            None => Err(Error::new(Kind::Limit, "the file expands to far more than it holds")),
        }
    }

    /// The bytes of a buffer view.
    pub(crate) fn view(&self, index: usize) -> Result<(&'a [u8], &'a BufferViewJson)> {
        let view = self.document.buffer_views.get(index);
        let view = view.ok_or_else(|| wrong(format!("bufferViews[{index}] does not exist")))?;
        let buffer = self.buffers.get(view.buffer).copied();
        let buffer = buffer.ok_or_else(|| wrong(format!("buffers[{}] does not exist", view.buffer)))?;
        let end = view.byte_offset.checked_add(view.byte_length);
        let bytes = end.and_then(|end| buffer.get(view.byte_offset..end)).ok_or_else(|| {
            wrong(format!(
                "bufferViews[{index}] needs {} bytes from {} of a buffer of {}",
                view.byte_length,
                view.byte_offset,
                buffer.len()
            ))
        })?;
        Ok((bytes, view))
    }

    fn accessor(&self, index: usize) -> Result<&'a AccessorJson> {
        self.document.accessors.get(index).ok_or_else(|| wrong(format!("accessors[{index}] does not exist")))
    }

    fn rows(&self, index: usize, wanted: usize) -> Result<(Option<Rows<'a>>, &'a AccessorJson)> {
        let accessor = self.accessor(index)?;
        let size = size_of(accessor.component_type)
            .ok_or_else(|| wrong(format!("accessors[{index}]: unknown component type")))?;
        let width = width(&accessor.kind).filter(|width| *width == wanted);
        let width = width.ok_or_else(|| {
            wrong(format!("accessors[{index}]: {wanted} numbers each are expected, not {}", &*accessor.kind))
        })?;
        let length = width * size;
        let Some(view) = accessor.buffer_view else { return Ok((None, accessor)) };
        let (bytes, view) = self.view(view)?;
        let stride = view.byte_stride.filter(|stride| *stride > 0).unwrap_or(length);
        let bytes = bytes.get(accessor.byte_offset..).unwrap_or(&[]);
        let needed = match accessor.count.checked_sub(1) {
            Some(last) => last.checked_mul(stride).and_then(|it| it.checked_add(length)),
            None => Some(0),
        };
        if needed.is_none_or(|needed| needed > bytes.len()) {
            return Err(wrong(format!(
                "accessors[{index}]: {} elements do not fit into {} bytes",
                accessor.count,
                bytes.len()
            )));
        }
        Ok((Some(Rows { bytes, stride, length, count: accessor.count }), accessor))
    }

    /// The rows that replace others, with their numbers.
    fn sparse(&self, accessor: &'a AccessorJson, width: usize) -> Result<Vec<(usize, &'a [u8])>> {
        let Some(sparse) = &accessor.sparse else { return Ok(Vec::new()) };
        let size = size_of(accessor.component_type).unwrap_or(4);
        let part = |part: &SparsePart, length: usize| -> Result<Rows<'a>> {
            let (bytes, _) = self.view(part.buffer_view)?;
            let bytes = bytes.get(part.byte_offset..).unwrap_or(&[]);
            if length == 0 || bytes.len() / length < sparse.count {
                return Err(wrong("sparse values do not fit into their buffer".to_owned()));
            }
            Ok(Rows { bytes, stride: length, length, count: sparse.count })
        };
        let kind = sparse.indices.component_type;
        let indices = part(&sparse.indices, size_of(kind).unwrap_or(0))?;
        let values = part(&sparse.values, width * size)?;
        let index = |bytes| usize::try_from(whole(bytes, kind)).unwrap_or(usize::MAX);
        Ok(indices.iter().map(index).zip(values.iter()).collect())
    }

    /// The fingerprint of an accessor's bytes, as the exporter computes it; 0 if it is stored in another way.
    pub(crate) fn print(&self, index: usize) -> u64 {
        let Some(width) = self.document.accessors.get(index).and_then(|it| width(&it.kind)) else { return 0 };
        match self.rows(index, width) {
            Ok((Some(rows), accessor)) if rows.stride == rows.length && accessor.sparse.is_none() => {
                let bytes = rows.bytes.get(..rows.count.saturating_mul(rows.length));
                bytes.map_or(0, crate::buffer::fingerprint)
            }
            _ => 0,
        }
    }

    /// All elements as numbers.
    pub(crate) fn floats<const N: usize>(&self, index: usize) -> Result<Vec<[f32; N]>> {
        let (rows, accessor) = self.rows(index, N)?;
        self.spend(accessor.count, N * 4)?;
        let (kind, scale) = (accessor.component_type, largest(accessor.component_type, accessor.normalized));
        let size = size_of(kind).unwrap_or(4);
        let read = |row: &[u8]| {
            let mut element = [0.0_f32; N];
            for (to, bytes) in element.iter_mut().zip(row.chunks_exact(size)) {
                let value = component(bytes, kind);
                *to = if scale > 0.0 { (value / scale).max(-1.0) } else { value };
            }
            element
        };
        let mut list: Vec<[f32; N]> = match &rows {
            Some(rows) if kind == F32 => rows.iter().map(float_row).collect(),
            Some(rows) => rows.iter().map(read).collect(),
            None => vec![[0.0; N]; accessor.count],
        };
        for (at, row) in self.sparse(accessor, N)? {
            if let Some(element) = list.get_mut(at) {
                *element = read(row);
            }
        }
        Ok(list)
    }

    /// All elements, each turned into a value, without a copy in between where they are plain floating-point numbers.
    pub(crate) fn mapped<const N: usize, T>(
        &self,
        index: usize,
        to: impl Fn([f32; N]) -> T,
    ) -> Result<Vec<T>> {
        let (rows, accessor) = self.rows(index, N)?;
        match rows {
            Some(rows)
                if accessor.component_type == F32
                    && accessor.sparse.is_none()
                    && rows.stride == rows.length =>
            {
                self.spend(accessor.count, N * 4)?;
                let bytes = rows.bytes.get(..rows.count.saturating_mul(rows.length)).unwrap_or(&[]);
                Ok(bytes.chunks_exact(rows.length).map(|row| to(float_row(row))).collect())
            }
            _ => Ok(self.floats::<N>(index)?.into_iter().map(to).collect()),
        }
    }

    /// All elements as whole numbers.
    pub(crate) fn wholes<const N: usize>(&self, index: usize) -> Result<Vec<[u32; N]>> {
        let (rows, accessor) = self.rows(index, N)?;
        self.spend(accessor.count, N * 4)?;
        let kind = accessor.component_type;
        if !matches!(kind, U8 | U16 | U32) {
            return Err(wrong(format!("accessors[{index}]: unsigned whole numbers are expected")));
        }
        let size = size_of(kind).unwrap_or(4);
        let read = |row: &[u8]| {
            let mut element = [0_u32; N];
            for (to, bytes) in element.iter_mut().zip(row.chunks_exact(size)) {
                *to = whole(bytes, kind);
            }
            element
        };
        let mut list: Vec<[u32; N]> = match &rows {
            Some(rows) => rows.iter().map(read).collect(),
            None => vec![[0; N]; accessor.count],
        };
        for (at, row) in self.sparse(accessor, N)? {
            if let Some(element) = list.get_mut(at) {
                *element = read(row);
            }
        }
        Ok(list)
    }

    /// All elements of one number each.
    pub(crate) fn scalars(&self, index: usize) -> Result<Vec<f32>> {
        Ok(self.floats::<1>(index)?.into_iter().map(|[value]| value).collect())
    }
}

/// A row of floating-point numbers.
fn float_row<const N: usize>(row: &[u8]) -> [f32; N] {
    let mut element = [0.0; N];
    for (to, bytes) in element.iter_mut().zip(row.as_chunks::<4>().0) {
        *to = f32::from_le_bytes(*bytes);
    }
    element
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_shares_of_their_largest_where_the_file_says_so() {
        // Section 3.11 of the specification.
        for (kind, most) in [(I8, 127.0), (U8, 255.0), (I16, 32767.0), (U16, 65535.0), (U32, 0.0), (F32, 0.0)]
        {
            assert_eq!((largest(kind, true), largest(kind, false)), (most, 0.0), "{kind}");
        }
    }
}
