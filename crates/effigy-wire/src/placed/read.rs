//! Reading parts: every offset is checked against the file before it is followed, and before anything is allocated.

use super::layout::{bytes_of, offset_of};
use crate::{Code, Cursor, Diagnostic, Diagnostics, Error, Kind, Limits, Locate, Result, Severity, Wire};
use bytemuck::Pod;

/// Parts may share bytes; without this limit a small file could expand into a huge model.
const MAX_UNFOLDING: u64 = 16;

/// A field of a header, for errors.
#[derive(Clone, Copy)]
pub struct Field<C> {
    /// Start of the header; its offsets are relative to it.
    pub start: usize,
    /// Its name.
    pub name: &'static str,
    caps: C,
    /// Finds the field in the header.
    find: fn(C, &str) -> usize,
}

impl<C: Copy> Field<C> {
    /// A field of the record `T` that starts here.
    pub fn of<T: Wire<C> + Default>(start: usize, name: &'static str, caps: C) -> Self {
        Self { start, name, caps, find: offset_of::<T, C> }
    }

    /// Offset of the field in the file.
    #[cold]
    pub fn place(&self) -> usize {
        self.start.saturating_add((self.find)(self.caps, self.name))
    }
}

/// A file while its parts are read.
pub struct Parts<'a, C> {
    /// The whole file.
    pub bytes: &'a [u8],
    /// The capabilities of its version.
    pub caps: C,
    /// Bytes that may still be decoded.
    budget: u64,
    /// Records that may still be read.
    records: usize,
    /// Start and length of every part so far.
    pub claimed: Vec<(usize, usize)>,
}

impl<'a, C: Copy> Parts<'a, C> {
    /// The parts of a file whose header has this size.
    #[must_use]
    pub fn new(bytes: &'a [u8], caps: C, header: usize, limits: &Limits) -> Self {
        let budget = (bytes.len() as u64).saturating_mul(MAX_UNFOLDING);
        Self { bytes, caps, budget, records: limits.records, claimed: vec![(0, header)] }
    }

    /// A number of elements.
    ///
    /// # Errors
    /// When it is negative.
    pub fn count(&self, stated: i32, field: Field<C>) -> Result<usize> {
        usize::try_from(stated)
            .map_err(|_| Error::malformed(field.place(), format!("the count {stated} is negative")))
            .in_field(field.name)
    }

    /// The bytes of the file from an offset to the end, and where they start.
    ///
    /// # Errors
    /// When the offset is negative or past the end of the file.
    pub fn rest(&self, offset: i32, field: Field<C>) -> Result<(usize, &'a [u8])> {
        let wrong = |message: String| Err(Error::malformed(field.place(), message)).in_field(field.name);
        let Ok(relative) = usize::try_from(offset) else {
            return wrong(format!("offset {offset} is negative"));
        };
        let start = field.start.saturating_add(relative);
        match self.bytes.get(start..) {
            Some(rest) => Ok((start, rest)),
            None => wrong(format!("offset {offset} is past the end of the file")),
        }
    }

    /// Takes bytes from the budget and notes that a part owns them.
    ///
    /// # Errors
    /// When the parts overlap so much that the model would be far larger than the file.
    pub fn claim(&mut self, start: usize, length: usize, field: Field<C>) -> Result<()> {
        let Some(budget) = self.budget.checked_sub(length as u64) else {
            let message =
                "the parts of the file overlap so much that the model would be far larger than the file";
            return Err(Error::new(Kind::Limit, message).at(field.place())).in_field(field.name);
        };
        self.budget = budget;
        self.claimed.push((start, length));
        Ok(())
    }

    /// The bytes of a part.
    ///
    /// # Errors
    /// When they are not all inside the file.
    pub fn part(&mut self, offset: i32, count: usize, size: usize, field: Field<C>) -> Result<Cursor<'a>> {
        if count == 0 {
            return Ok(Cursor::new(&[]));
        }
        let (start, rest) = self.rest(offset, field)?;
        // 64 bits hold any 32-bit count times any record size.
        let needs = (count as u64).saturating_mul(size as u64);
        let Some(bytes) = usize::try_from(needs).ok().and_then(|needs| rest.get(..needs)) else {
            let left = rest.len();
            let message = format!("{count} elements at {start:#x} need {needs} bytes, but {left} are left");
            return Err(Error::malformed(field.place(), message)).in_field(field.name);
        };
        self.claim(start, bytes.len(), field)?;
        Ok(Cursor::at(bytes, start))
    }

    /// A part that is a list of records.
    ///
    /// # Errors
    /// When it is not inside the file, or there are too many records.
    pub fn list<T: Wire<C> + Default>(
        &mut self,
        offset: i32,
        count: usize,
        field: Field<C>,
    ) -> Result<Vec<T>> {
        let mut cursor = self.part(offset, count, bytes_of::<T, C>(self.caps), field)?;
        self.charge(count, field)?;
        (0..count).map(|index| T::read(&mut cursor, self.caps).in_index(index).in_field(field.name)).collect()
    }

    /// A part that is a list of numbers.
    ///
    /// # Errors
    /// When it is not inside the file.
    pub fn bulk<T: Pod>(&mut self, offset: i32, count: usize, field: Field<C>) -> Result<Vec<T>> {
        self.part(offset, count, size_of::<T>(), field)?.bulk_rest()
    }

    /// Counts records against the limit.
    ///
    /// # Errors
    /// When there are too many.
    pub fn charge(&mut self, count: usize, field: Field<C>) -> Result<()> {
        self.records = self.records.checked_sub(count).ok_or_else(|| {
            Error::new(Kind::Limit, format!("{count} more records exceed the limit")).at(field.place())
        })?;
        Ok(())
    }
}

/// Non-zero bytes that do not belong to any part, and whether parts share bytes. `codes`: those of the two diagnostics.
pub fn unclaimed(
    bytes: &[u8],
    parts: &mut Vec<(usize, usize)>,
    codes: [Code; 2],
    diagnostics: &mut Diagnostics,
) -> (Vec<(usize, Vec<u8>)>, bool) {
    let [filler_code, overlap_code] = codes;
    parts.retain(|&(_, length)| length > 0);
    parts.sort_unstable();
    parts.push((bytes.len(), 0));
    let mut filler = Vec::new();
    let mut shared = None;
    let mut end = 0;
    for &(start, length) in parts.iter() {
        if start < end {
            shared.get_or_insert(start);
        }
        let gap = bytes.get(end..start).unwrap_or_default();
        if gap.iter().any(|&byte| byte != 0) {
            let message = format!("{} bytes do not belong to any part; they are kept", gap.len());
            diagnostics.push(Diagnostic::new(filler_code, Severity::Unused, message).at(end));
            filler.push((end, gap.to_vec()));
        }
        end = end.max(start.saturating_add(length));
    }
    if let Some(at) = shared {
        let message = "parts of the file share bytes; an edit of one of them changes the layout of the file";
        diagnostics.push(Diagnostic::new(overlap_code, Severity::Warning, message).at(at));
    }
    (filler, shared.is_some())
}
