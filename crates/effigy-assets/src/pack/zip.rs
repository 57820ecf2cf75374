//! Zip and PK3 archives.

use super::{Changes, Rewritten};
use crate::source::input::Input;
use crate::source::pk3::convert;
use crate::source::{Entry, Source};
use crate::{Pk3, name};
use effigy_wire::{Error, Report, Result};
use std::cell::RefCell;
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

fn add<W: Write + Seek>(
    writer: &mut ZipWriter<Output<'_, W>>,
    files: &Changes,
    failed: &Failed,
) -> Result<()> {
    for (path, content) in files.put.values() {
        let content = content.read()?;
        writer.start_file(path.as_str(), options(&content)).map_err(convert)?;
        writer.write_all(&content)?;
        check(failed)?;
    }
    Ok(())
}

/// A new archive.
pub(super) fn create<W: Write + Seek>(files: &Changes, output: &mut W) -> Result<()> {
    let failed = Failed::default();
    let mut writer = ZipWriter::new(Output::new(output, &failed)?);
    add(&mut writer, files, &failed)?;
    writer.finish().map_err(convert)?;
    check(&failed)
}

/// The first error of an output.
type Failed = RefCell<Option<std::io::Error>>;

fn check(failed: &Failed) -> Result<()> {
    failed.take().map_or(Ok(()), |error| Err(Error::from(error)))
}

/// An output that takes everything after its first error, and does nothing with it: the writer of archives would try again when it
/// is dropped, and print what it could not do.
struct Output<'a, W> {
    output: &'a mut W,
    failed: &'a Failed,
    is_broken: bool,
    position: u64,
    end: u64,
}

impl<'a, W: Write + Seek> Output<'a, W> {
    fn new(output: &'a mut W, failed: &'a Failed) -> Result<Self> {
        let position = output.stream_position()?;
        Ok(Self { output, failed, is_broken: false, position, end: position })
    }

    /// Does something with the output, unless it is broken.
    fn run<T>(&mut self, otherwise: T, work: impl FnOnce(&mut W) -> std::io::Result<T>) -> T {
        if self.is_broken {
            return otherwise;
        }
        work(self.output).unwrap_or_else(|error| {
            self.is_broken = true;
            *self.failed.borrow_mut() = Some(error);
            otherwise
        })
    }
}

impl<W: Write + Seek> Write for Output<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let written = self.run(bytes.len(), |output| output.write_all(bytes).map(|()| bytes.len()));
        self.position = self.position.saturating_add(written as u64);
        self.end = self.end.max(self.position);
        Ok(written)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.run((), W::flush);
        Ok(())
    }
}

impl<W: Write + Seek> Seek for Output<'_, W> {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        let place = match to {
            SeekFrom::Start(place) => Some(place),
            SeekFrom::Current(by) => self.position.checked_add_signed(by),
            SeekFrom::End(by) => self.end.checked_add_signed(by),
        };
        let place = place.ok_or(std::io::ErrorKind::InvalidInput)?;
        self.position = self.run(place, |output| output.seek(SeekFrom::Start(place)));
        Ok(self.position)
    }
}

/// An archive with some files changed; `bytes` are those of the source.
pub(super) fn rewrite<W: Write + Seek>(
    source: &Pk3,
    bytes: &Input,
    changes: &Changes,
    output: &mut W,
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
    std::io::copy(&mut before.take(old.offset()), output)?;
    let failed = Failed::default();
    let mut writer = ZipWriter::new(Output::new(output, &failed)?);
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
            same.push((entry.clone(), slot));
        }
        writer.raw_copy_file(file).map_err(convert)?;
        check(&failed)?;
        slot = slot.saturating_add(1);
    }
    add(&mut writer, changes, &failed)?;
    writer.finish().map_err(convert)?;
    check(&failed)?;
    Ok(Rewritten { report, same })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Cursor, Error as IoError, ErrorKind};

    /// A disk that is full after some bytes.
    struct Disk(Cursor<Vec<u8>>, usize);

    impl Write for Disk {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            if self.0.get_ref().len() + bytes.len() > self.1 {
                return Err(IoError::from(ErrorKind::StorageFull));
            }
            self.0.write(bytes)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    impl Seek for Disk {
        fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
            self.0.seek(to)
        }
    }

    #[test]
    fn an_archive_on_a_full_disk_is_an_error_wherever_it_ends() {
        let mut files = Changes::default();
        files.put("a.txt", b"one".to_vec()).unwrap();
        files.put("b.txt", b"two".to_vec()).unwrap();
        let mut whole = Disk(Cursor::default(), usize::MAX);
        create(&files, &mut whole).unwrap();
        let length = whole.0.get_ref().len();
        for room in 0..length {
            let error = create(&files, &mut Disk(Cursor::default(), room)).unwrap_err();
            assert_eq!(error.kind(), effigy_wire::Kind::Io, "{room}: {error}");
        }
        create(&files, &mut Disk(Cursor::default(), length)).unwrap();
    }

    #[test]
    fn a_broken_output_takes_the_rest_and_knows_where_it_would_be() {
        let (failed, mut disk) = (Failed::default(), Disk(Cursor::default(), 4));
        let mut output = Output::new(&mut disk, &failed).unwrap();
        output.write_all(b"four").unwrap();
        output.write_all(b"six more").unwrap();
        assert_eq!(output.stream_position().unwrap(), 12);
        assert_eq!(output.seek(SeekFrom::End(-2)).unwrap(), 10);
        assert_eq!(output.seek(SeekFrom::Start(3)).unwrap(), 3);
        output.flush().unwrap();
        assert!(output.seek(SeekFrom::Current(-4)).is_err());
        assert_eq!(failed.take().unwrap().kind(), ErrorKind::StorageFull);
        assert_eq!(disk.0.into_inner(), b"four");
    }
}
