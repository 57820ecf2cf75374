//! The quick way to a file in an MPQ: all of its sectors in one read, one inflater for all of them.
//!
//! It knows files that are stored or packed with zlib, neither encrypted nor with checksums, which nearly all models and
//! textures are. Whatever else it meets it leaves to the crate that knows the whole format, and that is slower: it sets
//! up an inflater for each 4 kB.

use super::input::Input;
use flate2::{Decompress, FlushDecompress, Status};
use std::io::Read;
use wc3::mpq::{Archive, FileFlags};

/// Zlib makes at most 1,032 bytes of one.
const MOST_GROWTH: u64 = 1_100;
/// The mark of a sector that is packed with zlib alone.
const ZLIB: u8 = 2;

/// The content of a block, or `None` when it is not of the plain kind or not sound.
pub fn read(archive: &mut Archive<Input>, id: u32) -> Option<Vec<u8>> {
    let index = archive.index();
    // Version 4 may keep digests of what is stored, which the crate checks.
    let block = *index.blocks.get(id as usize).filter(|_| index.header.version < 3)?;
    let sector = index.header.sector_size()? as usize;
    let size = block.file_size as usize;
    let mut stored = Vec::new();
    match block.flags.0 {
        FileFlags::EXISTS if block.stored_size == block.file_size => {
            archive.encoded_file(id).ok()?.read_to_end(&mut stored).ok()?;
            (stored.len() == size).then_some(stored)
        }
        flags if flags == FileFlags::EXISTS | FileFlags::COMPRESS => {
            if u64::from(block.file_size) > u64::from(block.stored_size) * MOST_GROWTH {
                return None;
            }
            archive.encoded_file(id).ok()?.read_to_end(&mut stored).ok()?;
            unpack(&stored, size, sector)
        }
        _ => None,
    }
}

/// A table of offsets, then the sectors; each unpacks to `sector` bytes, the last to what is left.
fn unpack(stored: &[u8], size: usize, sector: usize) -> Option<Vec<u8>> {
    let count = size.div_ceil(sector.max(1));
    let table = stored.get(..count.checked_add(1)?.checked_mul(4)?)?;
    let mut offsets = table.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word) as usize);
    let mut start = offsets.next()?;
    let mut content = vec![0; size];
    let mut inflater = Decompress::new(true);
    for target in content.chunks_mut(sector.max(1)) {
        let end = offsets.next()?;
        let packed = stored.get(start..end)?;
        if packed.len() == target.len() {
            target.copy_from_slice(packed);
        } else {
            let stream = packed.split_first().filter(|&(&mark, _)| mark == ZLIB)?.1;
            inflater.reset(true);
            let status = inflater.decompress(stream, target, FlushDecompress::Finish).ok()?;
            if status != Status::StreamEnd || inflater.total_out() != target.len() as u64 {
                return None;
            }
        }
        start = end;
    }
    Some(content)
}
