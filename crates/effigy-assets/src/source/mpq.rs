//! MPQ archives (v1 to v4), and the maps and campaigns of Warcraft III, which are MPQ archives after a header of their own.
//!
//! The format itself is read by the crate `wc3`. This module adds fast lookup of names by hash, names that files in the
//! archive mention, generated names for files whose names are unknown, and limits.

use super::input::Input;
use super::{Entry, Source, check_size, mentions, mpq_hash, mpq_sectors, not_found};
use crate::{codes, name};
use effigy_wire::{Diagnostic, Diagnostics, Error, Kind, Limits, Result, Severity};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use wc3::mpq::{Archive, FileFlags, ReadMode, ReadOptions};

/// The most bytes that are read in search of names.
const SCAN_BYTES: u64 = 16 << 20;
/// The most files without a name that are opened to recognise them by content.
const PROBES: usize = 4096;

/// An MPQ archive or Warcraft III map.
pub struct Mpq {
    label: String,
    limits: Limits,
    state: Mutex<State>,
}

struct State {
    archive: Archive<Input>,
    /// Slots of the hash table by the two hashes of a name.
    by_hash: HashMap<(u32, u32), Vec<u32>>,
    /// Files by the normalised form of their name.
    named: BTreeMap<String, Named>,
    /// Blocks of files whose names are not known yet.
    unnamed: BTreeSet<u32>,
    /// Whether the list of names was read.
    listed: bool,
    diagnostics: Diagnostics,
}

/// A file of the archive whose name is known.
#[derive(Clone)]
struct Named {
    name: String,
    raw: Vec<u8>,
    at: BlockRef,
}

/// Which block of the archive, and which variant of a name.
#[derive(Clone, Copy)]
struct BlockRef {
    block: u32,
    locale: u16,
    platform: u16,
}

impl Mpq {
    /// Opens an archive on disk. Only its tables are read.
    ///
    /// # Errors
    /// When it is not an MPQ archive, or its tables cannot be read.
    pub fn open(path: &Path, limits: &Limits) -> Result<Self> {
        Self::with(path.display().to_string(), Input::File(File::open(path)?), limits)
    }

    /// Opens an archive in memory.
    ///
    /// # Errors
    /// As [`Mpq::open`].
    pub fn from_bytes(label: &str, bytes: Vec<u8>, limits: &Limits) -> Result<Self> {
        Self::with(label.to_owned(), Input::memory(bytes), limits)
    }

    pub(crate) fn with(label: String, input: Input, limits: &Limits) -> Result<Self> {
        let most = u32::try_from(limits.unpacked_bytes).unwrap_or(u32::MAX);
        let options = ReadOptions {
            mode: ReadMode::Permissive,
            max_table_entries: u32::try_from(limits.records).unwrap_or(u32::MAX),
            max_file_size: most,
            max_single_unit_bytes: most.min(256 << 20),
            max_sector_size: most.clamp(1 << 20, 256 << 20),
            max_header_search_bytes: 4 << 20,
            ..ReadOptions::default()
        };
        let archive = Archive::with_options(input, options).map_err(convert)?;
        let mut by_hash: HashMap<_, Vec<u32>> = HashMap::with_capacity(archive.index().hashes.len());
        for (slot, hash) in (0_u32..).zip(&archive.index().hashes) {
            if hash.is_file() {
                by_hash.entry((hash.name_hash_a, hash.name_hash_b)).or_default().push(slot);
            }
        }
        let diagnostics = Diagnostics::with_limit(limits.diagnostics);
        let mut state = State {
            archive,
            by_hash,
            named: BTreeMap::new(),
            unnamed: BTreeSet::new(),
            listed: false,
            diagnostics,
        };
        state.find_blocks();
        Ok(Self { label, limits: *limits, state: Mutex::new(state) })
    }

    /// The archive's version, 1 to 4.
    #[must_use]
    pub fn version(&self) -> u16 {
        self.lock().archive.index().header.version.saturating_add(1)
    }

    /// Looks at the archive itself, for those who write one from it.
    pub(crate) fn with_archive<T>(&self, look: impl FnOnce(&mut Archive<Input>) -> T) -> T {
        look(&mut self.lock().archive)
    }

    /// The names that are known, as the archive spells them.
    pub(crate) fn raw_names(&self) -> Vec<Vec<u8>> {
        let mut state = self.lock();
        state.list_names();
        state.named.values().map(|file| file.raw.clone()).collect()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Collects the blocks that hold files. Protected maps have thousands of fake entries, which point outside of the
    /// archive.
    fn find_blocks(&mut self) {
        let index = self.archive.index();
        let hashed: Vec<u32> =
            index.hashes.iter().filter(|hash| hash.is_file()).map(|hash| hash.block_index).collect();
        let all = (0_u32..).zip(&index.blocks).map(|(block, _)| block);
        let candidates: Vec<u32> = if hashed.is_empty() { all.collect() } else { hashed };
        let mut fake = 0_usize;
        for block in candidates {
            match self.size_of(block) {
                Some((size, stored)) if size > 0 && stored > 0 => {
                    self.unnamed.insert(block);
                }
                // A file without content, which is found by its name only.
                Some((0, 0)) => {}
                _ => fake += 1,
            }
        }
        if fake > 0 {
            let message =
                format!("{fake} entries are empty or point outside of the archive and are left out");
            self.diagnostics.push(Diagnostic::new(codes::RECOVERED, Severity::Warning, message));
        }
    }

    /// The uncompressed and compressed size of a block; `None` if it does not exist.
    fn size_of(&self, block: u32) -> Option<(u64, u64)> {
        let block = self.archive.index().blocks.get(block as usize)?;
        block.flags.contains(FileFlags::EXISTS).then_some((block.file_size.into(), block.stored_size.into()))
    }

    /// The block of a name, by hash. Of several languages, the neutral one comes first, then the lowest number.
    fn place(&self, raw: &[u8]) -> Option<BlockRef> {
        let index = self.archive.index();
        let slots = self.by_hash.get(&mpq_hash::pair(raw));
        let best = slots.into_iter().flatten().filter_map(|&slot| index.hashes.get(slot as usize));
        let best = best.min_by_key(|hash| (hash.locale, hash.platform, hash.block_index));
        match best {
            Some(hash) => {
                Some(BlockRef { block: hash.block_index, locale: hash.locale, platform: hash.platform })
            }
            None => {
                let block = index.extended.as_ref()?.find(raw)?;
                Some(BlockRef { block, locale: 0, platform: 0 })
            }
        }
    }

    /// Looks a name up, and remembers it if the archive has it, in the case in which it was last tried. Returns whether it
    /// is new.
    fn try_name(&mut self, raw: &[u8]) -> bool {
        if raw.is_empty() || raw.iter().any(|byte| matches!(byte, 0 | b'\r' | b'\n')) {
            return false;
        }
        let Some(at) = self.place(raw).filter(|at| self.size_of(at.block).is_some()) else { return false };
        let name = name::tidy(&name::from_bytes(raw));
        let key = name::key(&name);
        if let Some(file) = self.named.get_mut(&key) {
            file.name = name;
            return false;
        }
        if name.is_empty() {
            return false;
        }
        for slot in self.by_hash.get(&mpq_hash::pair(raw)).into_iter().flatten() {
            if let Some(hash) = self.archive.index().hashes.get(*slot as usize) {
                self.unnamed.remove(&hash.block_index);
            }
        }
        self.unnamed.remove(&at.block);
        self.named.insert(key, Named { name, raw: raw.to_vec(), at });
        true
    }

    /// The block of an entry, and its name if it is known: encrypted files are decrypted with it.
    fn locate(&self, entry: &Entry) -> (Option<Vec<u8>>, BlockRef) {
        match self.named.get(&name::key(&entry.name)).filter(|file| file.at.block == entry.slot) {
            Some(file) => (Some(file.raw.clone()), file.at),
            None => (None, BlockRef { block: entry.slot, locale: 0, platform: 0 }),
        }
    }

    fn read(&mut self, raw: Option<&[u8]>, at: BlockRef, most: u64) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let index = self.archive.index();
        let entry = match raw.filter(|raw| index.find(raw, at.locale, at.platform) == Some(at.block)) {
            Some(raw) => self.archive.open_file_with_locale(raw, at.locale, at.platform),
            None => self.archive.open_file_by_index(at.block),
        };
        entry.map_err(convert)?.take(most).read_to_end(&mut bytes).map_err(|error| convert(error.into()))?;
        Ok(bytes)
    }

    /// Reads the list of names. If files are left without a name, searches the files for names.
    fn list_names(&mut self) {
        if std::mem::replace(&mut self.listed, true) {
            return;
        }
        match self.archive.known_names() {
            Ok(names) => {
                for raw in names {
                    self.try_name(&raw);
                }
            }
            Err(error) => {
                let error = convert(error);
                self.diagnostics.push(Diagnostic::from_error(codes::LISTFILE, Severity::Warning, &error));
            }
        }
        for known in mentions::MAP_FILES {
            if !self.named.contains_key(&name::key(known)) {
                self.try_name(known.as_bytes());
            }
        }
        if !self.unnamed.is_empty() {
            self.search_names();
        }
    }

    /// Tries the names that files mention, and repeats this with the files that were found.
    fn search_names(&mut self) {
        let mut budget = SCAN_BYTES;
        let mut probes = PROBES;
        let mut seen = BTreeSet::new();
        loop {
            let named = self.named.values().filter(|file| mentions::may_mention(&file.name));
            let mut files: Vec<(Option<Vec<u8>>, BlockRef)> =
                named.map(|file| (Some(file.raw.clone()), file.at)).collect();
            files.extend(
                self.unnamed
                    .iter()
                    .take(probes)
                    .map(|&block| (None, BlockRef { block, locale: 0, platform: 0 })),
            );
            files.retain(|(_, at)| seen.insert(at.block));
            let mut found = BTreeSet::new();
            for (raw, at) in files {
                probes = probes.saturating_sub(usize::from(raw.is_none()));
                let size = self.size_of(at.block).map_or(0, |(size, _)| size);
                if size > budget {
                    continue;
                }
                if let Ok(bytes) = self.read(raw.as_deref(), at, size) {
                    budget = budget.saturating_sub(size);
                    mentions::scan(&bytes, &mut found);
                }
            }
            let before = self.unnamed.len();
            for raw in &found {
                self.try_name(raw);
            }
            if self.unnamed.len() == before || self.unnamed.is_empty() {
                break;
            }
        }
    }
}

impl Source for Mpq {
    fn label(&self) -> &str {
        &self.label
    }

    fn list(&self) -> Result<Vec<Entry>> {
        let mut state = self.lock();
        state.list_names();
        let mut entries = Vec::with_capacity(state.named.len());
        for file in state.named.values() {
            let (size, stored) = state.size_of(file.at.block).unwrap_or_default();
            entries.push(Entry { name: file.name.clone(), size, stored, named: true, slot: file.at.block });
        }
        let unnamed: Vec<u32> = state.unnamed.iter().copied().collect();
        for (count, &block) in unnamed.iter().enumerate() {
            let (size, stored) = state.size_of(block).unwrap_or_default();
            let place = BlockRef { block, locale: 0, platform: 0 };
            let head = if count < PROBES { state.read(None, place, 64).ok() } else { None };
            let dotted = |head: &[u8]| format!(".{}", guess_extension(head));
            let name = format!("File{block:08}{}", head.as_deref().map(dotted).unwrap_or_default());
            entries.push(Entry { name, size, stored, named: false, slot: block });
        }
        entries.sort();
        Ok(entries)
    }

    fn find(&self, wanted: &str) -> Option<Entry> {
        let mut state = self.lock();
        let key = name::key(wanted);
        let (size_and_slot, name, named) = if let Some(file) = state.named.get(&key) {
            ((state.size_of(file.at.block)?, file.at.block), file.name.clone(), true)
        } else {
            let raw = name::to_bytes(&name::tidy(wanted));
            if raw.iter().any(|raw| state.try_name(raw)) {
                let file = state.named.get(&key)?;
                ((state.size_of(file.at.block)?, file.at.block), file.name.clone(), true)
            } else {
                let number = key.strip_prefix("file")?.split('.').next()?;
                let block =
                    number.parse().ok().filter(|block| number.len() == 8 && state.unnamed.contains(block))?;
                ((state.size_of(block)?, block), name::tidy(wanted), false)
            }
        };
        let ((size, stored), slot) = size_and_slot;
        Some(Entry { name, size, stored, named, slot })
    }

    fn head(&self, entry: &Entry, most: usize) -> Result<Vec<u8>> {
        let mut state = self.lock();
        let (raw, at) = state.locate(entry);
        if state.size_of(at.block).is_none() {
            return Err(not_found(&entry.name));
        }
        state.read(raw.as_deref(), at, most as u64)
    }

    fn open(&self, entry: &Entry) -> Result<Vec<u8>> {
        check_size(&entry.name, entry.size, &self.limits)?;
        let mut state = self.lock();
        let (raw, at) = state.locate(entry);
        if state.size_of(at.block).is_none() {
            return Err(not_found(&entry.name));
        }
        if let Some(stored) = mpq_sectors::fetch(&mut state.archive, at.block) {
            // Other threads can read while this file is unpacked.
            drop(state);
            if let Some(content) = stored.unpack() {
                return Ok(content);
            }
            state = self.lock();
        }
        state.read(raw.as_deref(), at, self.limits.unpacked_bytes)
    }

    fn try_names(&self, names: &[String]) -> usize {
        let mut state = self.lock();
        let before = state.unnamed.len();
        for name in names {
            for raw in name::to_bytes(&name::tidy(name)) {
                state.try_name(&raw);
            }
        }
        before.saturating_sub(state.unnamed.len())
    }

    fn diagnostics(&self) -> Diagnostics {
        let state = self.lock();
        let mut all = state.diagnostics.clone();
        for recovery in state.archive.diagnostics() {
            let place = recovery.entry.map(|entry| format!("entry {entry}")).unwrap_or_default();
            all.push(Diagnostic::new(codes::RECOVERED, Severity::Warning, recovery.reason).in_path(place));
        }
        if state.listed && !state.unnamed.is_empty() {
            let message = format!("{} files have no known name", state.unnamed.len());
            all.push(Diagnostic::new(codes::UNNAMED, Severity::Warning, message));
        }
        all
    }
}

/// The extension of a file without a name, by its content; `xxx` if that is unknown. A TGA has no mark at its start, so it is
/// not recognised.
fn guess_extension(head: &[u8]) -> &'static str {
    const KNOWN: [(&[u8], &str); 12] = [
        (b"MDLX", "mdx"),
        (b"MD20", "m2"),
        (b"SKIN", "skin"),
        (b"IDPC", "mdc"),
        (b"IDP3", "md3"),
        (b"RIFF", "wav"),
        (b"ID3", "mp3"),
        (b"\xff\xfb", "mp3"),
        (b"fLaC", "flac"),
        (b"WDBC", "dbc"),
        (b"HM3W", "w3x"),
        (b"ID;P", "slk"),
    ];
    let texture = effigy_image::sniff(head).filter(|format| !format.magic.is_empty());
    if let Some(texture) = texture {
        return texture.extension();
    }
    let text = head.windows(7).any(|part| part == b"Version") && head.is_ascii();
    let known = KNOWN.iter().find(|(magic, _)| head.starts_with(magic)).map(|&(_, extension)| extension);
    known.unwrap_or(if text { "mdl" } else { "xxx" })
}

pub(crate) fn convert(error: wc3::mpq::Error) -> Error {
    use wc3::mpq::Error as Mpq;
    let kind = match &error {
        Mpq::Io(inner) if inner.kind() != io::ErrorKind::UnexpectedEof => Kind::Io,
        Mpq::UnsupportedVersion(_) | Mpq::UnsupportedFlags(_) | Mpq::UnsupportedCompression(_) => {
            Kind::Unsupported
        }
        Mpq::LimitExceeded(_) => Kind::Limit,
        Mpq::FileNotFound | Mpq::InvalidName => Kind::Usage,
        _ => Kind::Malformed,
    };
    Error::new(kind, error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_without_a_name_has_the_extension_of_its_content() {
        let mut tga = vec![0_u8; 18];
        (tga[2], tga[12], tga[14], tga[16]) = (2, 1, 1, 32);
        for (head, extension) in [
            (&b"BLP1\0\0\0\0"[..], "blp"),
            (b"DDS |\0\0\0", "dds"),
            (b"MDLXVERS", "mdx"),
            (b"ID;PWXL", "slk"),
            (b"// x\nVersion {", "mdl"),
            (b"Version \xff", "xxx"),
            (&tga, "xxx"),
            (b"", "xxx"),
        ] {
            assert_eq!(guess_extension(head), extension, "{head:?}");
        }
    }

    #[test]
    fn errors_of_the_archive_keep_their_category() {
        use wc3::mpq::Error as Mpq;
        let io = |kind: io::ErrorKind| Mpq::Io(io::Error::from(kind));
        for (error, kind) in [
            (io(io::ErrorKind::PermissionDenied), Kind::Io),
            (io(io::ErrorKind::UnexpectedEof), Kind::Malformed),
            (Mpq::InvalidArchive("x"), Kind::Malformed),
            (Mpq::UnsupportedVersion(9), Kind::Unsupported),
            (Mpq::UnsupportedFlags(9), Kind::Unsupported),
            (Mpq::UnsupportedCompression(9), Kind::Unsupported),
            (Mpq::LimitExceeded("x"), Kind::Limit),
            (Mpq::FileNotFound, Kind::Usage),
            (Mpq::InvalidName, Kind::Usage),
        ] {
            let text = error.to_string();
            let converted = convert(error);
            assert_eq!((converted.kind(), converted.message()), (kind, text.as_str()));
        }
    }
}
