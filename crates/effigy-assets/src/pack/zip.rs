//! Zip and PK3 archives.

use super::{Changes, Rewritten};
use crate::source::pk3::convert;
use crate::source::{Entry, Source};
use crate::{Pk3, name};
use effigy_wire::{Error, Report, Result};
use std::collections::BTreeMap;
use std::io::{Cursor, Write};
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

fn add(writer: &mut ZipWriter<Cursor<Vec<u8>>>, files: &Changes) -> Result<()> {
    for (path, content) in files.put.values() {
        writer.start_file(path.as_str(), options(content)).map_err(convert)?;
        writer.write_all(content)?;
    }
    Ok(())
}

/// A new archive.
pub(super) fn create(files: &Changes) -> Result<(Vec<u8>, Report)> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    add(&mut writer, files)?;
    Ok((writer.finish().map_err(convert)?.into_inner(), Report::default()))
}

/// An archive with some files changed; `bytes` are those of the source.
pub(super) fn rewrite(source: &Pk3, bytes: &[u8], changes: &Changes) -> Result<Rewritten> {
    let mut report = Report::default();
    let mut old = ZipArchive::new(Cursor::new(bytes)).map_err(convert)?;
    let entries: BTreeMap<String, Entry> =
        source.list()?.into_iter().map(|entry| (name::key(&entry.name), entry)).collect();
    for key in &changes.remove {
        if !entries.contains_key(key) {
            return Err(Error::usage(format!("there is no {} in this archive", name::printable(key))));
        }
    }
    let before =
        usize::try_from(old.offset()).ok().and_then(|offset| bytes.get(..offset)).unwrap_or_default();
    let mut start = Cursor::new(before.to_vec());
    start.set_position(old.offset());
    let mut writer = ZipWriter::new(start);
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
    let bytes = writer.finish().map_err(convert)?.into_inner();
    Ok(Rewritten { bytes, report, same })
}
