//! Writing files: whole or not at all, never over another file unasked, never outside the folder that was named.

use effigy::{Error, Kind, Result};
use std::io::Write;
use std::path::{Component, Path, PathBuf};

/// A path below a folder. Whatever `relative` says, the result stays inside.
pub fn below(folder: &Path, relative: &Path) -> Result<PathBuf> {
    let mut path = folder.to_path_buf();
    for part in relative.components() {
        match part {
            Component::Normal(name) => path.push(name),
            Component::CurDir => {}
            Component::Prefix(_) | Component::RootDir | Component::ParentDir => {
                let text = format!("{} would leave the output folder", relative.display());
                return Err(Error::new(Kind::Usage, text));
            }
        }
    }
    if path == folder {
        return Err(Error::new(Kind::Usage, "its name would leave the output folder"));
    }
    Ok(path)
}

/// Writes a file through a temporary one beside it, which then takes its name.
pub fn write(path: &Path, bytes: &[u8], force: bool) -> Result<()> {
    let folder = match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    if !force && path.exists() {
        return Err(taken());
    }
    std::fs::create_dir_all(folder)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".effigy-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // What a newly created file has; the system takes away what the user's mask forbids.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(bytes)?;
    let result = if force { file.persist(path) } else { file.persist_noclobber(path) };
    match result {
        Ok(_) => Ok(()),
        Err(error) if error.error.kind() == std::io::ErrorKind::AlreadyExists => Err(taken()),
        Err(error) => Err(Error::from(error.error)),
    }
}

fn taken() -> Error {
    Error::new(Kind::Usage, "the file exists already").hint("--force overwrites it")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_leaves_the_output_folder() {
        let out = Path::new("out");
        assert_eq!(below(out, Path::new("a/b.mdx")).unwrap(), Path::new("out/a/b.mdx"));
        assert_eq!(below(out, Path::new("./b.mdx")).unwrap(), Path::new("out/b.mdx"));
        for bad in ["../b.mdx", "a/../../b.mdx", "/etc/passwd", "", "."] {
            assert!(below(out, Path::new(bad)).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_file_is_only_replaced_by_force() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/file.bin");
        write(&path, b"one", false).unwrap();
        assert_eq!(write(&path, b"two", false).unwrap_err().kind(), Kind::Usage);
        assert_eq!(std::fs::read(&path).unwrap(), b"one");
        write(&path, b"two", true).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"two");
        assert_eq!(std::fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }
}
