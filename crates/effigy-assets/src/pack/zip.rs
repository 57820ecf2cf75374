//! Zip and PK3 archives.

use super::{Changes, Rewritten};
use crate::source::input::Input;
use crate::source::pk3::convert;
use crate::source::{Entry, Source};
use crate::{Pk3, name};
use effigy_wire::{Error, Report, Result};
use std::collections::BTreeMap;
use std::io::{BufReader, Read, Seek, SeekFrom, Write};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter};

/// Packed the same way each time: the date is the first that the format has.
fn options(content: &[u8]) -> SimpleFileOptions {
    SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .compression_level(Some(9))
        .last_modified_time(DateTime::default())
        .unix_permissions(0o644)
        .large_file(u32::try_from(content.len()).is_err())
}

fn add<W: Write + Seek>(writer: &mut ZipWriter<W>, files: &Changes) -> Result<()> {
    for (path, content) in files.put.values() {
        let content = content.read()?;
        writer.start_file(path.as_str(), options(&content)).map_err(convert)?;
        writer.write_all(&content)?;
    }
    Ok(())
}

/// A new archive.
pub(super) fn create<W: Write + Seek>(files: &Changes, output: W) -> Result<()> {
    let mut writer = ZipWriter::new(output);
    add(&mut writer, files)?;
    writer.finish().map_err(convert)?;
    Ok(())
}

/// An archive with some files changed; `bytes` are those of the source.
pub(super) fn rewrite<W: Write + Seek>(
    source: &Pk3,
    bytes: &Input,
    changes: &Changes,
    mut output: W,
) -> Result<Rewritten> {
    let mut report = Report::default();
    let mut old = ZipArchive::new(BufReader::new(bytes.again()?)).map_err(convert)?;
    let entries: BTreeMap<String, Entry> =
        source.list()?.into_iter().map(|entry| (name::key(&entry.name), entry)).collect();
    for key in &changes.remove {
        if !entries.contains_key(key) {
            return Err(Error::usage(format!("there is no {} in this archive", name::printable(key))));
        }
    }
    let mut before = bytes.again()?;
    before.seek(SeekFrom::Start(0))?;
    std::io::copy(&mut before.take(old.offset()), &mut output)?;
    let mut writer = ZipWriter::new(output);
    writer.set_raw_comment(old.comment().into()).map_err(convert)?;
    let mut same = Vec::new();
    let mut slot = 0_u32;
    for index in 0..old.len() {
        let file = old.by_index_raw(index).map_err(convert)?;
        let key = name::key(&name::from_bytes(file.name_raw()));
        let entry = entries.get(&key);
        if file.is_file() {
            if changes.concerns(&key) {
                continue;
            }
            if entry.is_some_and(|entry| usize::try_from(entry.slot) != Ok(index)) {
                report.dropped(key, "a second file of the same name, which readers never see");
                continue;
            }
        }
        if let Some(entry) = entry.filter(|_| file.is_file()) {
            same.push((entry.clone(), Entry { slot, ..entry.clone() }));
        }
        writer.raw_copy_file(file).map_err(convert)?;
        slot = slot.saturating_add(1);
    }
    add(&mut writer, changes)?;
    writer.finish().map_err(convert)?;
    Ok(Rewritten { report, same })
}
