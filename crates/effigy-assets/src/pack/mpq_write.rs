//! The bytes of an MPQ archive: header, packed files, hash table, block table.
//!
//! Written are versions 1 and 2, which all games read. Sectors are compressed with zlib one by one.

use crate::source::mpq_hash;
use effigy_wire::{Error, Kind, Result};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use std::io::{Seek, SeekFrom, Write};
use wc3::mpq::FileFlags;

/// A slot of the hash table that never had a file: the search for a name ends there.
const EMPTY: u32 = u32::MAX;
/// A slot whose file was removed: the search goes on.
const DELETED: u32 = u32::MAX - 1;
/// The smallest hash table.
const LEAST_SLOTS: usize = 16;
/// The first byte of a sector that is compressed with zlib.
const ZLIB: u8 = 2;

/// A packed file.
pub(super) struct Block {
    /// As it is in the archive.
    pub bytes: Vec<u8>,
    /// Its size when it is unpacked.
    pub size: u32,
    /// How it is packed.
    pub flags: u32,
}

/// An entry of the hash table.
pub(super) struct Slot {
    /// The hashes of its name.
    pub hashes: (u32, u32),
    /// The language.
    pub locale: u16,
    /// The platform.
    pub platform: u16,
    /// Which of the blocks.
    pub block: usize,
    /// Where it has to be.
    pub place: Place,
}

/// The place of an entry in the hash table.
#[derive(Clone, Copy)]
pub(super) enum Place {
    /// Where the search for its name begins, or the next free slot.
    From(u32),
    /// The slot that it had. Its name is not known, so that no other slot can be computed.
    At(usize),
}

/// A row of the block table.
struct Row {
    offset: u32,
    stored: u32,
    size: u32,
    flags: u32,
}

/// An archive that is being written: packed files one after another, then the tables, and at last the header before all of them.
pub(super) struct Image<'a, W> {
    output: &'a mut W,
    /// Where the archive begins in the output.
    base: u64,
    /// Bytes of it so far.
    length: u32,
    /// 0 for version 1, and 1 for version 2.
    pub version: u16,
    /// A sector has 512 bytes, doubled this many times.
    pub shift: u16,
    blocks: Vec<Row>,
    pub slots: Vec<Slot>,
    /// The old hash table, where its size has to stay: for each slot whether a search may pass it.
    pub table: Option<Vec<bool>>,
}

/// Packs a file into sectors, or stores it where that is not larger.
pub(super) fn pack(content: &[u8], shift: u16) -> Result<Block> {
    let size = u32::try_from(content.len()).map_err(|_| too_large())?;
    let sector = 512_usize.checked_shl(shift.into()).ok_or_else(too_large)?;
    let stored = || Block { bytes: content.to_vec(), size, flags: FileFlags::EXISTS };
    let count = content.len().div_ceil(sector);
    let table = count.checked_add(1).and_then(|count| count.checked_mul(4)).ok_or_else(too_large)?;
    let mut offsets = vec![u32::try_from(table).map_err(|_| too_large())?];
    let mut packed = Vec::new();
    for plain in content.chunks(sector) {
        let mut encoder = ZlibEncoder::new(vec![ZLIB], Compression::best());
        encoder.write_all(plain)?;
        let smaller = encoder.finish()?;
        packed.extend(if smaller.len() < plain.len() { &smaller } else { plain });
        let end = u32::try_from(table + packed.len()).map_err(|_| too_large())?;
        offsets.push(end);
    }
    if table + packed.len() >= content.len() {
        return Ok(stored());
    }
    let mut bytes: Vec<u8> = offsets.iter().flat_map(|offset| offset.to_le_bytes()).collect();
    bytes.append(&mut packed);
    Ok(Block { bytes, size, flags: FileFlags::EXISTS | FileFlags::COMPRESS })
}

const fn header_bytes(version: u16) -> u32 {
    if version == 0 { 32 } else { 44 }
}

impl<'a, W: Write + Seek> Image<'a, W> {
    /// Begins an archive after what is in the output already.
    pub fn new(output: &'a mut W, version: u16, shift: u16, table: Option<Vec<bool>>) -> Result<Self> {
        let base = output.stream_position()?;
        let length = header_bytes(version);
        // The rest of a longer header stays zero: no part of the archive is beyond 4 GB.
        output.write_all(&vec![0; usize::try_from(length).unwrap_or(0)])?;
        Ok(Self { output, base, length, version, shift, blocks: Vec::new(), slots: Vec::new(), table })
    }

    fn append(&mut self, bytes: &[u8]) -> Result<()> {
        let more = u32::try_from(bytes.len()).map_err(|_| too_large())?;
        self.length = self.length.checked_add(more).ok_or_else(too_large)?;
        Ok(self.output.write_all(bytes)?)
    }

    /// Writes a packed file, and returns its number.
    pub fn push(&mut self, block: &Block) -> Result<usize> {
        let Block { bytes, size, flags } = block;
        let stored = u32::try_from(bytes.len()).map_err(|_| too_large())?;
        self.blocks.push(Row { offset: self.length, stored, size: *size, flags: *flags });
        self.append(bytes)?;
        Ok(self.blocks.len() - 1)
    }

    /// Writes the tables and the header; the output is then at the end of the archive.
    pub fn finish(mut self) -> Result<()> {
        let hash_at = self.length;
        let (mut hashes, count) = self.hash_table()?;
        let words = |row: &Row| [row.offset, row.stored, row.size, row.flags];
        let mut blocks: Vec<u8> = self.blocks.iter().flat_map(words).flat_map(u32::to_le_bytes).collect();
        mpq_hash::encrypt(&mut hashes, mpq_hash::HASH_TABLE_KEY);
        mpq_hash::encrypt(&mut blocks, mpq_hash::BLOCK_TABLE_KEY);
        self.append(&hashes)?;
        let block_at = self.length;
        self.append(&blocks)?;
        let mut head = b"MPQ\x1a".to_vec();
        head.extend(header_bytes(self.version).to_le_bytes());
        head.extend(self.length.to_le_bytes());
        head.extend(self.version.to_le_bytes());
        head.extend(self.shift.to_le_bytes());
        let block_count = u32::try_from(self.blocks.len()).map_err(|_| too_large())?;
        for word in [hash_at, block_at, count, block_count] {
            head.extend(word.to_le_bytes());
        }
        self.output.seek(SeekFrom::Start(self.base))?;
        self.output.write_all(&head)?;
        self.output.seek(SeekFrom::Start(self.base.saturating_add(self.length.into())))?;
        Ok(())
    }

    /// The hash table and its number of slots.
    fn hash_table(&self) -> Result<(Vec<u8>, u32)> {
        let mut table: Vec<Option<&Slot>>;
        match &self.table {
            Some(old) => table = vec![None; old.len()],
            None => {
                let least = self.slots.len().checked_mul(2).ok_or_else(too_large)?;
                table = vec![None; least.max(LEAST_SLOTS).next_power_of_two()];
            }
        }
        for slot in &self.slots {
            if let Place::At(index) = slot.place
                && let Some(place) = table.get_mut(index)
            {
                *place = Some(slot);
            }
        }
        let mask = table.len().saturating_sub(1);
        for slot in &self.slots {
            let Place::From(start) = slot.place else { continue };
            let start = usize::try_from(start).unwrap_or(0);
            let free = (0..table.len())
                .map(|step| start.wrapping_add(step) & mask)
                .find(|index| table.get(*index).is_some_and(Option::is_none));
            let full = || {
                let text = format!("the hash table has {} slots, and all are in use", table.len());
                Error::new(Kind::Unrepresentable, text)
                    .hint("it cannot grow, because the names of some files are not known")
            };
            let free = free.ok_or_else(full)?;
            if let Some(place) = table.get_mut(free) {
                *place = Some(slot);
            }
        }
        let mut bytes = Vec::new();
        for (index, slot) in table.iter().enumerate() {
            let passed = self.table.as_ref().and_then(|old| old.get(index)).copied().unwrap_or(false);
            let (hashes, locale, platform, block) = match slot {
                Some(slot) => {
                    let block = u32::try_from(slot.block).map_err(|_| too_large())?;
                    (slot.hashes, slot.locale, slot.platform, block)
                }
                None => ((EMPTY, EMPTY), u16::MAX, u16::MAX, if passed { DELETED } else { EMPTY }),
            };
            bytes.extend(hashes.0.to_le_bytes());
            bytes.extend(hashes.1.to_le_bytes());
            bytes.extend(locale.to_le_bytes());
            bytes.extend(platform.to_le_bytes());
            bytes.extend(block.to_le_bytes());
        }
        Ok((bytes, u32::try_from(table.len()).map_err(|_| too_large())?))
    }
}

pub(super) fn too_large() -> Error {
    Error::new(Kind::Unrepresentable, "the archive would be larger than 4 GB")
}
