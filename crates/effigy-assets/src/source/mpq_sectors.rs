//! A fast path for files in MPQ archives: all sectors of a file are read at once and unpacked on several threads.
//!
//! It supports files that are stored or compressed with zlib, without encryption and checksums; nearly all models and
//! textures are such files. All others are left to the crate `wc3`, which supports the whole format but is slower: it
//! creates a decompressor for each sector of 4 kB.

use super::input::Input;
use std::io::Read;
use std::thread;
use wc3::mpq::{Archive, FileFlags};
use zune_inflate::{DeflateDecoder, DeflateOptions};

/// Zlib expands one byte to at most 1,032.
const MOST_GROWTH: u64 = 1_100;
/// The first byte of a sector that is compressed with zlib only.
const ZLIB: u8 = 2;
/// Unpacking this many bytes takes longer than starting a thread.
const PER_THREAD: usize = 64 << 10;
/// More threads than this gain little: most of the time is then spent on reading.
const MOST_THREADS: usize = 8;

/// The compressed bytes of a file. They are unpacked without access to the archive.
pub struct Stored {
    bytes: Vec<u8>,
    size: usize,
    /// The size of an uncompressed sector; `None` if the file is not compressed.
    sector: Option<usize>,
}

/// The stored bytes of a block; `None` if this path does not support it.
pub fn fetch(archive: &mut Archive<Input>, id: u32) -> Option<Stored> {
    let index = archive.index();
    // Version 4 can have digests of the stored bytes, which the crate `wc3` checks.
    let block = *index.blocks.get(id as usize).filter(|_| index.header.version < 3)?;
    let sector = match block.flags.0 {
        FileFlags::EXISTS if block.stored_size == block.file_size => None,
        flags if flags == FileFlags::EXISTS | FileFlags::COMPRESS => {
            if u64::from(block.file_size) > u64::from(block.stored_size) * MOST_GROWTH {
                return None;
            }
            Some(index.header.sector_size()? as usize)
        }
        _ => return None,
    };
    let mut bytes = Vec::new();
    archive.encoded_file(id).ok()?.read_to_end(&mut bytes).ok()?;
    Some(Stored { bytes, size: block.file_size as usize, sector })
}

impl Stored {
    /// The content; `None` if it is damaged or compressed with another method.
    pub fn unpack(self) -> Option<Vec<u8>> {
        let Some(sector) = self.sector else {
            return (self.bytes.len() == self.size).then_some(self.bytes);
        };
        let sector = sector.max(1);
        let count = self.size.div_ceil(sector);
        let table = self.bytes.get(..count.checked_add(1)?.checked_mul(4)?)?;
        let offsets: Vec<usize> =
            table.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word) as usize).collect();
        let mut content = vec![0; self.size];
        let threads = match self.size / PER_THREAD {
            0 | 1 => 1,
            most => thread::available_parallelism().map_or(1, usize::from).min(most).min(MOST_THREADS),
        };
        // Each part shares the offset at its end with the next one.
        let each = count.div_ceil(threads).max(1);
        let ends = offsets.iter().copied().skip(each).step_by(each).chain(offsets.last().copied());
        let targets = content.chunks_mut(each.saturating_mul(sector));
        let mut parts = targets.zip(offsets.chunks(each)).zip(ends);
        let first = parts.next();
        let stored = &self.bytes;
        let run = move |((target, starts), end)| inflate(stored, starts, end, target, sector);
        let whole = thread::scope(|scope| {
            let others: Vec<_> = parts.map(|part| scope.spawn(move || run(part))).collect();
            let first = first.is_none_or(run);
            others.into_iter().all(|other| other.join().unwrap_or(false)) && first
        });
        whole.then_some(content)
    }
}

/// Unpacks the sectors that begin at `starts`; the last one ends at `end`. Returns whether all were valid.
fn inflate(stored: &[u8], starts: &[usize], end: usize, target: &mut [u8], sector: usize) -> bool {
    let ends = starts.iter().copied().skip(1).chain([end]);
    target.chunks_mut(sector).zip(starts.iter().zip(ends)).all(|(target, (&start, end))| {
        let Some(packed) = stored.get(start..end) else { return false };
        if packed.len() == target.len() {
            target.copy_from_slice(packed);
            return true;
        }
        let Some((&ZLIB, stream)) = packed.split_first() else { return false };
        let options = DeflateOptions::default().set_limit(target.len()).set_size_hint(target.len());
        let content = DeflateDecoder::new_with_options(stream, options).decode_zlib();
        content.is_ok_and(|content| {
            let complete = content.len() == target.len();
            if complete {
                target.copy_from_slice(&content);
            }
            complete
        })
    })
}
