//! One file to read, with its surroundings: the folder, archive or set of files that it lies in.
//!
//! A model is seldom alone. An M2 has skins and animations next to it, textures lie in the same folder or archive, and
//! a BLP0 keeps its mip levels in other files. A [`FileRef`] therefore keeps the way to what is next to it, so that
//! whoever has the file can find the rest by name.

use crate::name;
use crate::source::cache::{ArchiveAddress, ArchiveCache, missing};
use crate::source::{Entry, Source};
use crate::{ArchivePath, Memory};
use effigy_wire::{Error, Kind, Limits, Result};
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// A file that can be read.
#[derive(Clone)]
pub struct FileRef {
    label: String,
    origin: Origin,
}

#[derive(Clone)]
enum Origin {
    Disk(PathBuf),
    /// In an archive that is opened when it is needed.
    Packed(PackedFile),
    /// In a source that is open already.
    In(Arc<dyn Source>, Entry),
    /// Something without a place and without neighbours, readable once.
    Stream(Arc<Mutex<dyn Read + Send>>),
}

/// A file inside an archive.
#[derive(Clone, Debug)]
pub struct PackedFile {
    /// The archive.
    pub address: ArchiveAddress,
    /// The file's entry there.
    pub entry: Entry,
    /// The cache that opens the archive.
    pub cache: Arc<ArchiveCache>,
}

impl fmt::Debug for FileRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileRef").field("label", &self.label).finish_non_exhaustive()
    }
}

impl FileRef {
    /// A file on disk.
    pub fn disk(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        Self { label: path.display().to_string(), origin: Origin::Disk(path) }
    }

    /// A file on disk or inside an archive on disk (`map.w3x:units/footman.mdx`, `campaign.w3n:map.w3x:x.mdx`).
    ///
    /// # Errors
    /// When the path leads into an archive that cannot be opened or does not have the file.
    pub fn locate(path: &Path, limits: &Limits) -> Result<Self> {
        let Some(inside) = path.to_str().and_then(ArchivePath::locate) else {
            return Ok(Self::disk(path));
        };
        let cache = Arc::new(ArchiveCache::new(*limits));
        let (mut address, mut wanted) = (ArchiveAddress::disk(inside.archive), inside.inside);
        loop {
            let archive = cache.open(&address)?;
            if let Some(entry) = archive.find(&wanted) {
                return Ok(Self::packed(PackedFile { address, entry, cache }));
            }
            let inner = ArchivePath::parse(&wanted).ok_or_else(|| missing(&wanted))?;
            address = address.with(&inner.archive.to_string_lossy());
            wanted = inner.inside;
        }
    }

    /// A file inside an archive.
    #[must_use]
    pub fn packed(packed: PackedFile) -> Self {
        let label = format!("{}:{}", packed.address, name::printable(&packed.entry.name));
        Self { label, origin: Origin::Packed(packed) }
    }

    /// A file of a source that is open already.
    #[must_use]
    pub fn inside(source: Arc<dyn Source>, entry: Entry) -> Self {
        let label = format!("{}:{}", source.label(), name::printable(&entry.name));
        Self { label, origin: Origin::In(source, entry) }
    }

    /// A single file in memory, without neighbours.
    pub fn memory(file_name: &str, bytes: impl Into<Arc<[u8]>>) -> Self {
        let files = Memory::new("memory").with(file_name, bytes);
        let entry = files.find(file_name).unwrap_or_default();
        Self { label: file_name.to_owned(), origin: Origin::In(Arc::new(files), entry) }
    }

    /// A stream, such as standard input. It can be read once.
    pub fn stream(label: impl Into<String>, stream: impl Read + Send + 'static) -> Self {
        Self { label: label.into(), origin: Origin::Stream(Arc::new(Mutex::new(stream))) }
    }

    /// What to call it in messages: the path as every command takes it.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The path on disk, for a file on disk.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        match &self.origin {
            Origin::Disk(path) => Some(path),
            Origin::Packed(_) | Origin::In(..) | Origin::Stream(_) => None,
        }
    }

    /// How large it is, unpacked; none for a stream, or a file that is not there.
    #[must_use]
    pub fn size(&self) -> Option<u64> {
        match &self.origin {
            Origin::Disk(path) => std::fs::metadata(path).ok().map(|metadata| metadata.len()),
            Origin::Packed(packed) => Some(packed.entry.size),
            Origin::In(_, entry) => Some(entry.size),
            Origin::Stream(_) => None,
        }
    }

    /// The first bytes, at most this many; none of a stream, pipe or device, which can be read only once.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn head(&self, most: usize) -> Result<Vec<u8>> {
        match &self.origin {
            Origin::Disk(path) => {
                let failed = |error: std::io::Error| Error::new(Kind::Io, error.to_string());
                let mut bytes = Vec::new();
                let metadata = std::fs::metadata(path).map_err(failed)?;
                if !metadata.is_file() && !metadata.is_dir() {
                    return Ok(bytes);
                }
                let file = File::open(path).map_err(failed)?;
                file.take(wide(most)).read_to_end(&mut bytes).map_err(failed)?;
                Ok(bytes)
            }
            Origin::Packed(packed) => packed.cache.open(&packed.address)?.head(&packed.entry, most),
            Origin::In(source, entry) => source.head(entry, most),
            Origin::Stream(_) => Ok(Vec::new()),
        }
    }

    /// The entry of an archive or source, for a file inside one.
    #[must_use]
    pub fn entry(&self) -> Option<&Entry> {
        match &self.origin {
            Origin::Packed(packed) => Some(&packed.entry),
            Origin::In(_, entry) => Some(entry),
            Origin::Disk(_) | Origin::Stream(_) => None,
        }
    }

    /// The archive or source that the file is inside of.
    #[must_use]
    pub fn container(&self) -> Option<Arc<dyn Source>> {
        match &self.origin {
            Origin::Packed(packed) => packed.cache.open(&packed.address).ok(),
            Origin::In(source, _) => Some(Arc::clone(source)),
            Origin::Disk(_) | Origin::Stream(_) => None,
        }
    }

    /// The archive or source that the file is inside of, as every command takes it.
    #[must_use]
    pub fn archive(&self) -> Option<String> {
        match &self.origin {
            Origin::Packed(packed) => Some(packed.address.to_string()),
            Origin::In(source, _) => Some(source.label().to_owned()),
            Origin::Disk(_) | Origin::Stream(_) => None,
        }
    }

    /// The file on disk that it is, or that the outermost archive around it is.
    #[must_use]
    pub fn on_disk(&self) -> Option<&Path> {
        match &self.origin {
            Origin::Disk(path) => Some(path),
            Origin::Packed(packed) => Some(&packed.address.path),
            Origin::In(..) | Origin::Stream(_) => None,
        }
    }

    /// The bare file name; empty for a stream.
    #[must_use]
    pub fn file_name(&self) -> String {
        match &self.origin {
            Origin::Disk(path) => {
                path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
            }
            Origin::Packed(PackedFile { entry, .. }) | Origin::In(_, entry) => {
                name::file_name(&entry.name).to_owned()
            }
            Origin::Stream(_) => String::new(),
        }
    }

    /// The extension in lower case, without the dot; empty where there is none.
    #[must_use]
    pub fn extension(&self) -> String {
        name::extension(&self.file_name())
    }

    /// The bytes of a file of this name in the same folder, archive or source, if there is one within the limits.
    #[must_use]
    pub fn beside(&self, file_name: &str, limits: &Limits) -> Option<Vec<u8>> {
        match &self.origin {
            Origin::Disk(path) => {
                let path = path.with_file_name(file_name);
                // A pipe or device would block, or never end.
                let data = std::fs::metadata(&path).ok()?;
                if !data.is_file() || data.len() > limits.input_bytes {
                    return None;
                }
                std::fs::read(path).ok()
            }
            Origin::Packed(PackedFile { entry, .. }) | Origin::In(_, entry) => {
                let container = self.container()?;
                let entry = container.find(&name::join(name::folder(&entry.name), file_name))?;
                check_size(entry.size, limits).ok()?;
                check_unpacked(entry.size, entry.stored, limits).ok()?;
                container.open(&entry).ok()
            }
            Origin::Stream(_) => None,
        }
    }

    /// All bytes.
    ///
    /// # Errors
    /// When the file cannot be read or is larger than the limits allow.
    pub fn read(&self, limits: &Limits) -> Result<Vec<u8>> {
        self.read_if(limits, 0, |_| Ok(())).map(|((), bytes)| bytes)
    }

    /// All bytes, if a look at the first `head` of them succeeds. Files of another kind are refused without being read
    /// to their end.
    ///
    /// # Errors
    /// When the check fails, the file cannot be read, or is larger than the limits allow.
    pub fn read_if<T>(
        &self,
        limits: &Limits,
        head: usize,
        check: impl FnOnce(&[u8]) -> Result<T>,
    ) -> Result<(T, Vec<u8>)> {
        match &self.origin {
            Origin::Stream(stream) => {
                let mut stream = stream.lock().unwrap_or_else(PoisonError::into_inner);
                pull(&mut *stream, None, limits, head, check)
            }
            Origin::Packed(PackedFile { address, entry, cache }) => {
                check_size(entry.size, limits)?;
                check_unpacked(entry.size, entry.stored, limits)?;
                let bytes = cache.read(address, entry)?;
                Ok((check(bytes.get(..head).unwrap_or(&bytes))?, bytes))
            }
            Origin::In(source, entry) => {
                check_size(entry.size, limits)?;
                let bytes = source.open(entry)?;
                Ok((check(bytes.get(..head).unwrap_or(&bytes))?, bytes))
            }
            Origin::Disk(path) => {
                let mut file = File::open(path)?;
                let metadata = file.metadata()?;
                if metadata.is_dir() {
                    return Err(Error::new(Kind::Usage, "this is a folder"));
                }
                pull(&mut file, metadata.is_file().then_some(metadata.len()), limits, head, check)
            }
        }
    }
}

fn pull<T>(
    stream: &mut (impl Read + ?Sized),
    length: Option<u64>,
    limits: &Limits,
    head: usize,
    check: impl FnOnce(&[u8]) -> Result<T>,
) -> Result<(T, Vec<u8>)> {
    let mut bytes = Vec::new();
    Read::take(&mut *stream, wide(head)).read_to_end(&mut bytes)?;
    let checked = check(&bytes)?;
    if let Some(length) = length {
        check_size(length, limits)?;
        // The size is what the file system says, not the file: it may be asked for at once.
        bytes.reserve_exact(usize::try_from(length).unwrap_or(0).saturating_sub(bytes.len()));
    }
    let left = limits.input_bytes.saturating_sub(wide(bytes.len())).saturating_add(1);
    Read::take(&mut *stream, left).read_to_end(&mut bytes)?;
    check_size(wide(bytes.len()), limits)?;
    Ok((checked, bytes))
}

/// The unpacked bytes for each stored byte that are taken for granted.
const RATIO: u64 = 200;

/// The ratio does not matter for fewer unpacked bytes than this.
const FREE_BYTES: u64 = 64 << 20;

/// Whether files may be unpacked: a few stored bytes that become very many are an attack, or a mistake. Limits above the
/// default allow as many bytes as they say.
///
/// # Errors
/// When `bytes` are too many for `stored`.
pub fn check_unpacked(bytes: u64, stored: u64, limits: &Limits) -> Result<()> {
    let raised = if limits.input_bytes > Limits::DEFAULT.input_bytes { limits.input_bytes } else { 0 };
    let most = stored.saturating_mul(RATIO).saturating_add(FREE_BYTES).max(raised);
    if bytes > most {
        let text = format!("{stored} packed bytes would become {bytes} or more; the limit is {most}");
        return Err(Error::new(Kind::Limit, text));
    }
    Ok(())
}

fn check_size(length: u64, limits: &Limits) -> Result<()> {
    let most = limits.input_bytes;
    if length > most {
        let text = format!("{length} bytes are more than the limit of {most}");
        return Err(Error::new(Kind::Limit, text));
    }
    Ok(())
}

fn wide(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_packed_bytes_do_not_become_very_many_unless_the_limit_is_raised() {
        let free = 64 << 20;
        let fits = |bytes, stored, limits: &Limits| check_unpacked(bytes, stored, limits).is_ok();
        assert!(fits(free + 2000, 10, &Limits::DEFAULT) && !fits(free + 2001, 10, &Limits::DEFAULT));
        let high = Limits { input_bytes: Limits::DEFAULT.input_bytes + 1, ..Limits::DEFAULT };
        assert!(fits(high.input_bytes, 10, &high) && !fits(high.input_bytes + 1, 10, &high));
        let low = Limits { input_bytes: 1000, ..Limits::DEFAULT };
        assert!(fits(free + 2000, 10, &low));
    }
}
