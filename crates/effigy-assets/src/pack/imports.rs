//! The list of imported files of a map or campaign (`war3map.imp`, `war3campaign.imp`). The World Editor keeps the files on it
//! when it saves the map, and loses all others.
//!
//! Layout: version (1), count, then for each file a byte and its path up to a zero. With 5 and 8 the path is below
//! `war3mapImported\`; with all others seen (1, 10, 13, 21) it is the whole path.

use super::changes::{Changes, Content, is_special};
use crate::source::Source;
use crate::{Mpq, name};
use effigy_wire::{Cursor, Report, Result};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A file with its whole path: what the World Editor writes for a path that the user chose.
const WHOLE_PATH: u8 = 13;
const FOLDER: &str = "war3mapImported";

struct Import {
    kind: u8,
    path: Vec<u8>,
}

impl Import {
    /// The normalised form of the file's name in the archive.
    fn key(&self) -> String {
        let path = name::from_bytes(&self.path);
        if matches!(self.kind, 5 | 8) { name::key(&name::join(FOLDER, &path)) } else { name::key(&path) }
    }
}

struct Imports {
    version: u32,
    files: Vec<Import>,
}

impl Imports {
    fn read(bytes: &[u8]) -> Result<Self> {
        let mut cursor = Cursor::new(bytes);
        let version = cursor.u32()?;
        let count = cursor.u32()?;
        let mut files = Vec::new();
        for _ in 0..count {
            let kind = cursor.u8()?;
            let rest = cursor.rest();
            let length = rest.iter().position(|byte| *byte == 0).unwrap_or(rest.len());
            files.push(Import { kind, path: cursor.take(length)?.to_vec() });
            cursor.u8()?;
        }
        cursor.finish()?;
        Ok(Self { version, files })
    }

    fn write(&self) -> Vec<u8> {
        let mut bytes = self.version.to_le_bytes().to_vec();
        bytes.extend(u32::try_from(self.files.len()).unwrap_or(u32::MAX).to_le_bytes());
        for file in &self.files {
            bytes.push(file.kind);
            bytes.extend(&file.path);
            bytes.push(0);
        }
        bytes
    }
}

/// Whether the World Editor writes a file of this name itself.
fn is_of_the_map(key: &str) -> bool {
    let file = name::file_name(key);
    let own = file.starts_with("war3map") || file.starts_with("war3campaign");
    let folder = name::folder(key);
    let is_map = matches!(name::extension(file).as_str(), "w3x" | "w3m");
    is_special(key) || own && matches!(folder, "" | "scripts") || folder.is_empty() && is_map
}

/// Puts the new files of a map on its list, and takes those that are removed from it.
pub(super) fn follow(source: &Mpq, changes: &mut Changes, report: &mut Report) -> Result<()> {
    let list = if source.find("war3map.w3i").is_some() || source.find("war3map.imp").is_some() {
        "war3map.imp"
    } else if source.find("war3campaign.w3f").is_some() || source.find("war3campaign.imp").is_some() {
        "war3campaign.imp"
    } else {
        return Ok(());
    };
    if changes.concerns(&name::key(list)) {
        return Ok(());
    }
    let imports = match source.read(list)? {
        Some(bytes) => Imports::read(&bytes),
        None => Ok(Imports { version: 1, files: Vec::new() }),
    };
    let Ok(mut imports) = imports else {
        report.approximated(
            list,
            "it cannot be read and stays as it is; the World Editor may not know the new files",
        );
        return Ok(());
    };
    let before = imports.files.len();
    imports.files.retain(|file| {
        let key = file.key();
        changes.put.contains_key(&key) || !changes.remove.contains(&key)
    });
    let known: BTreeSet<String> = imports.files.iter().map(Import::key).collect();
    let removed = before - imports.files.len();
    let mut added = 0_usize;
    for (key, (path, _)) in &changes.put {
        if !known.contains(key) && !is_of_the_map(key) && source.find(path).is_none() {
            let path = path.replace('/', "\\");
            imports.files.push(Import { kind: WHOLE_PATH, path: path.into_bytes() });
            added += 1;
        }
    }
    if added + removed > 0 {
        changes.put.insert(name::key(list), (list.to_owned(), Content::Bytes(Arc::new(imports.write()))));
        report.rebuilt(list, format!("the list of imported files: {added} added, {removed} removed"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_read_and_written() {
        let bytes = b"\x01\0\0\0\x02\0\0\0\x05Hero.mdx\0\x0dunits\\Hero.blp\0";
        let list = Imports::read(bytes).unwrap();
        let keys: Vec<String> = list.files.iter().map(Import::key).collect();
        assert_eq!(keys, ["war3mapimported/hero.mdx", "units/hero.blp"]);
        assert_eq!(list.write(), bytes);
        for wrong in [&bytes[..7], &bytes[..bytes.len() - 1], b"\x01\0\0\0\xff\xff\xff\xff"] {
            assert!(Imports::read(wrong).is_err());
        }
    }

    #[test]
    fn files_of_the_map_are_not_imports() {
        for (key, own) in [
            ("war3map.w3i", true),
            ("scripts/war3map.j", true),
            ("war3mapunits.doo", true),
            ("(listfile)", true),
            ("chapter1.w3x", true),
            ("war3mapimported/war3map.mdx", false),
            ("war3mapimported/hero.mdx", false),
            ("units/hero.mdx", false),
        ] {
            assert_eq!(is_of_the_map(key), own, "{key}");
        }
    }
}
