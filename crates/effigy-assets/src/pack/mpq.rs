//! MPQ archives and maps: what stays, what is dropped, what is new.

use super::changes::is_special;
use super::mpq_write::{Block, Image, Place, Slot, pack};
use super::{Changes, Rewritten, imports};
use crate::source::input::Input;
use crate::source::mpq::convert;
use crate::source::{Entry, Source, mpq_hash};
use crate::{Mpq, name};
use effigy_wire::{Error, Kind, Limits, Report, Result};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::{Read, Seek, SeekFrom, Write};
use wc3::mpq::{Archive, FileFlags, HashEntry, Index};

/// Sectors of 4 kB, as in nearly all maps: some programs read no others.
const SHIFT: u16 = 3;
/// The mark of a signature after an archive, and its size.
const SIGNATURE: &[u8] = b"NGIS";
const SIGNATURE_BYTES: u64 = 4 + 256;
/// A byte of the hash table that the games ignore, and some programs fill with anything. It is written as zero.
const HARMLESS: &str = "hash reserved byte ignored";
/// The list of names.
const LISTFILE: &[u8] = b"(listfile)";

/// A name as it is in an archive.
fn raw(path: &str) -> Vec<u8> {
    path.replace('/', "\\").into_bytes()
}

/// A new archive.
pub(super) fn create<W: Write + Seek>(files: &Changes, output: &mut W) -> Result<()> {
    let mut image = Image::new(output, 0, SHIFT, None)?;
    let mut names = BTreeSet::new();
    for (path, content) in files.put.values() {
        names.insert(raw(path));
        add(&mut image, &raw(path), &content.read()?, (0, 0))?;
    }
    add_list(&mut image, &names)?;
    image.finish()
}

fn add<W: Write + Seek>(
    image: &mut Image<'_, W>,
    name: &[u8],
    content: &[u8],
    (locale, platform): (u16, u16),
) -> Result<()> {
    let block = image.push(&pack(content, image.shift)?)?;
    let (hashes, place) = (mpq_hash::pair(name), Place::From(mpq_hash::start(name)));
    image.slots.push(Slot { hashes, locale, platform, block, place });
    Ok(())
}

fn add_list<W: Write + Seek>(image: &mut Image<'_, W>, names: &BTreeSet<Vec<u8>>) -> Result<()> {
    let list: Vec<u8> = names.iter().flat_map(|name| name.iter().chain(b"\r\n")).copied().collect();
    add(image, LISTFILE, &list, (0, 0))
}

/// Why an archive cannot be rewritten, if it cannot.
fn refusal(archive: &Archive<Input>, has_list: bool, unnamed: usize) -> Option<Error> {
    let read_only = |reason: String| {
        Error::unsupported(format!("the archive is protected or damaged, and can only be read: {reason}"))
    };
    let mut broken = archive.diagnostics().iter().filter(|found| found.reason != HARMLESS);
    if let Some(first) = broken.next() {
        return Some(read_only(first.reason.to_owned()));
    }
    if !has_list && unnamed > 0 {
        return Some(read_only(format!("it has no list of names, and {unnamed} files have no known name")));
    }
    let index = archive.index();
    if index.hashes.is_empty() && unnamed > 0 {
        return Some(read_only(format!("it has no hash table, and {unnamed} files have no known name")));
    }
    None
}

/// A file of the old archive.
struct Old {
    entry: HashEntry,
    slot: usize,
    name: Option<Vec<u8>>,
}

/// The files of the old archive, by slot of the hash table.
fn files(index: &Index, names: &[Vec<u8>]) -> Vec<Old> {
    let mut by_hash: HashMap<(u32, u32), &Vec<u8>> = HashMap::new();
    for name in names {
        by_hash.insert(mpq_hash::pair(name), name);
    }
    if index.hashes.is_empty() {
        // A newer archive without a hash table: one is made from the names.
        let found = names.iter().filter_map(|name| {
            let (name_hash_a, name_hash_b) = mpq_hash::pair(name);
            let block_index = index.find(name, 0, 0)?;
            let entry = HashEntry { name_hash_a, name_hash_b, locale: 0, platform: 0, block_index };
            Some(Old { entry, slot: 0, name: Some(name.clone()) })
        });
        return found.collect();
    }
    let exists = |entry: &HashEntry| {
        let block = usize::try_from(entry.block_index).ok().and_then(|block| index.blocks.get(block));
        entry.is_file() && block.is_some_and(|block| block.flags.contains(FileFlags::EXISTS))
    };
    let slots = index.hashes.iter().enumerate().filter(|(_, entry)| exists(entry));
    slots
        .map(|(slot, entry)| {
            let name = by_hash.get(&(entry.name_hash_a, entry.name_hash_b)).map(|name| (*name).clone());
            Old { entry: *entry, slot, name }
        })
        .collect()
}

/// An archive with some files changed; `bytes` are those of the source.
pub(super) fn rewrite<W: Write + Seek>(
    source: &Mpq,
    bytes: &mut Input,
    changes: &mut Changes,
    limits: &Limits,
    output: &mut W,
) -> Result<Rewritten> {
    let names = source.raw_names();
    let has_list = source.find("(listfile)").is_some();
    let mut report = Report::default();
    let (mut old, index, base) = source.with_archive(|archive| -> Result<_> {
        let old = files(archive.index(), &names);
        let unnamed = old.iter().filter(|file| file.name.is_none()).count();
        match refusal(archive, has_list, unnamed) {
            Some(error) => Err(error),
            None => Ok((old, archive.index().clone(), archive.archive_offset())),
        }
    })?;
    imports::follow(source, changes, &mut report)?;
    let version = index.header.version;
    if version > 1 {
        let text = format!("version {} is written as version 2, which has the same files", version + 1);
        report.rebuilt("header", text);
    }
    // The entry that a name means, of those for several languages.
    let mut meant: BTreeMap<&[u8], (u16, u16, usize)> = BTreeMap::new();
    for file in &old {
        if let Some(name) = &file.name {
            let rank = (file.entry.locale, file.entry.platform, file.slot);
            let best = meant.entry(name).or_insert(rank);
            *best = rank.min(*best);
        }
    }
    let mut gone: Vec<bool> = Vec::new();
    for file in &old {
        let Some(name) = &file.name else {
            gone.push(false);
            continue;
        };
        let key = name::key(&name::from_bytes(name));
        let is_meant = meant.get(name.as_slice()).is_some_and(|best| best.2 == file.slot);
        match key.as_str() {
            "(attributes)" => report.dropped("(attributes)", "checksums of the old content"),
            "(signature)" => report.dropped("(signature)", "a signature of the old content"),
            _ => {}
        }
        gone.push(
            is_special(&key) || changes.remove.contains(&key) || changes.put.contains_key(&key) && is_meant,
        );
    }
    for key in &changes.remove {
        if source.find(key).is_none() {
            return Err(Error::usage(format!("there is no {} in this archive", name::printable(key))));
        }
    }
    let replaced: BTreeMap<String, (Vec<u8>, (u16, u16))> = old
        .iter()
        .zip(&gone)
        .filter(|(_, gone)| **gone)
        .filter_map(|(file, _)| {
            let name = file.name.as_ref()?;
            let place = (file.entry.locale, file.entry.platform);
            Some((name::key(&name::from_bytes(name)), (name.clone(), place)))
        })
        .collect();
    let mut kept = gone.iter().map(|gone| !gone);
    old.retain(|_| kept.next().unwrap_or(false));
    let fixed = old.iter().any(|file| file.name.is_none());
    let table = fixed.then(|| index.hashes.iter().map(|entry| entry.block_index != u32::MAX).collect());
    copy_bytes(bytes, 0, base, output)?;
    let mut image = Image::new(output, version.min(1), index.header.sector_size_shift, table)?;
    let same = copy(source, &index, &old, &mut image, &mut report, limits)?;
    let mut listed: BTreeSet<Vec<u8>> = old.iter().filter_map(|file| file.name.clone()).collect();
    for (key, (path, content)) in &changes.put {
        // A file that is replaced keeps the bytes of its name.
        let (name, place) = replaced.get(key).cloned().unwrap_or_else(|| (raw(path), (0, 0)));
        add(&mut image, &name, &content.read()?, place)?;
        listed.insert(name);
    }
    add_list(&mut image, &listed)?;
    image.finish()?;
    let mut end = base.saturating_add(index.header.archive_size);
    let mut mark = Vec::new();
    bytes.seek(SeekFrom::Start(end))?;
    Read::take(&mut *bytes, SIGNATURE.len() as u64).read_to_end(&mut mark)?;
    if mark == SIGNATURE {
        report.dropped("signature", "a signature of the old archive, which no change would leave valid");
        end = end.saturating_add(SIGNATURE_BYTES);
    }
    copy_bytes(bytes, end, u64::MAX, output)?;
    Ok(Rewritten { report, same })
}

/// Copies bytes that do not belong to the archive.
fn copy_bytes(from: &mut Input, start: u64, most: u64, to: &mut impl Write) -> Result<()> {
    from.seek(SeekFrom::Start(start))?;
    std::io::copy(&mut from.take(most), to)?;
    Ok(())
}

/// Copies packed files as they are, in the order of the old archive. Returns the entries with their new slots.
fn copy<W: Write + Seek>(
    source: &Mpq,
    index: &Index,
    old: &[Old],
    image: &mut Image<'_, W>,
    report: &mut Report,
    limits: &Limits,
) -> Result<Vec<(Entry, u32)>> {
    let offset = |file: &Old| {
        let block = usize::try_from(file.entry.block_index).ok().and_then(|block| index.blocks.get(block));
        block.map_or(0, |block| block.offset)
    };
    let mut order: Vec<&Old> = old.iter().collect();
    order.sort_by_key(|file| (offset(file), file.entry.block_index, file.slot));
    let mut blocks: HashMap<u32, usize> = HashMap::new();
    let mut same = Vec::new();
    let mut total = 0_u64;
    for file in order {
        let id = file.entry.block_index;
        let Some(block) = usize::try_from(id).ok().and_then(|block| index.blocks.get(block)) else {
            continue;
        };
        let new = match blocks.get(&id) {
            Some(new) => *new,
            None => {
                total = total.saturating_add(block.stored_size.into());
                if total > limits.input_bytes {
                    let text = format!("its files have more than {} packed bytes", limits.input_bytes);
                    return Err(Error::new(Kind::Limit, text));
                }
                let moved = FileFlags::ENCRYPTED | FileFlags::FIX_KEY;
                let copied = if block.flags.contains(moved) && block.stored_size > 0 {
                    unlock(source, file, image.shift, report)?
                } else {
                    let mut bytes = Vec::new();
                    source.with_archive(|archive| -> Result<()> {
                        archive.encoded_file(id).map_err(convert)?.read_to_end(&mut bytes)?;
                        Ok(())
                    })?;
                    Block { bytes, size: block.file_size, flags: block.flags.0 }
                };
                let new = image.push(&copied)?;
                blocks.insert(id, new);
                new
            }
        };
        let HashEntry { name_hash_a, name_hash_b, locale, platform, .. } = file.entry;
        let place = match &file.name {
            // In a table of the same size every file can stay where it is.
            _ if image.table.is_some() => Place::At(file.slot),
            Some(name) => Place::From(mpq_hash::start(name)),
            None => Place::At(file.slot),
        };
        image.slots.push(Slot { hashes: (name_hash_a, name_hash_b), locale, platform, block: new, place });
        let text = match &file.name {
            Some(name) => name::tidy(&name::from_bytes(name)),
            None => format!("File{id:08}"),
        };
        let entry = Entry {
            name: text,
            size: block.file_size.into(),
            stored: block.stored_size.into(),
            named: file.name.is_some(),
            slot: id,
        };
        same.push((entry, u32::try_from(new).unwrap_or(u32::MAX)));
    }
    Ok(same)
}

/// A file whose key depends on its position: it is packed anew, without encryption.
fn unlock(source: &Mpq, file: &Old, shift: u16, report: &mut Report) -> Result<Block> {
    let HashEntry { locale, platform, block_index, .. } = file.entry;
    let content = source.with_archive(|archive| -> Result<Vec<u8>> {
        let reader = match &file.name {
            Some(name) => archive.open_file_with_locale(name, locale, platform),
            None => archive.open_file_by_index(block_index),
        };
        let mut content = Vec::new();
        reader.map_err(convert)?.read_to_end(&mut content)?;
        Ok(content)
    });
    let label = match &file.name {
        Some(name) => name::printable(&name::from_bytes(name)).into_owned(),
        None => format!("File{block_index:08}"),
    };
    let content = content.map_err(|error| {
        let text = format!(
            "{label} is encrypted with a key that depends on its position, and cannot be unpacked: {error}"
        );
        Error::unsupported(text)
    })?;
    report.rebuilt(
        label,
        "it was encrypted with a key that depends on its position, and is no longer encrypted",
    );
    pack(&content, shift)
}
