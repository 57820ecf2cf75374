//! Archives with smaller models in them.

use crate::{Format, Limits, OpenOptions, Result};
use effigy_assets::pack::{Changes, Written, rewrite_file};
use effigy_assets::{FileRef, name};
use effigy_edit::mdx::optimize::{OptimizeOptions, packed_bytes};
use std::path::Path;

/// An archive whose models were optimised.
#[derive(Clone, Debug)]
pub struct SmallerArchive {
    /// The archive.
    pub archive: Written,
    /// Its models in the order of their names.
    pub models: Vec<SmallerModel>,
}

/// A model of an archive.
#[derive(Clone, Debug)]
pub struct SmallerModel {
    /// Its name in the archive.
    pub name: String,
    /// Its bytes when they are packed by themselves.
    pub before: usize,
    /// The same of the result; as many as before for a model that would not become smaller and stays as it is.
    pub after: usize,
    /// The largest error of a posed vertex as a part of the model's size, or why the model stays as it is.
    pub outcome: std::result::Result<f64, String>,
}

/// Writes an archive with its models (MDX) optimised to a path. All other files keep their packed bytes.
///
/// # Errors
/// When the archive cannot be read, or is one that can only be read; when the path is there already and may not be replaced, or
/// the disk refuses.
pub fn optimize_archive(
    archive: &Path,
    path: &Path,
    overwrite: bool,
    options: &OptimizeOptions,
    limits: &Limits,
) -> Result<SmallerArchive> {
    let source = effigy_assets::open(archive, limits)?;
    let (mut changes, mut models) = (Changes::default(), Vec::new());
    let open = OpenOptions { limits: *limits, ..OpenOptions::default() };
    let entries = source.list()?;
    for entry in entries.iter().filter(|entry| entry.named && name::extension(&entry.name) == "mdx") {
        let file = FileRef::inside(std::sync::Arc::clone(&source), entry.clone());
        let smaller = crate::open_keeping_bytes(&file, &open).and_then(|(model, old)| {
            if model.format() != Format::Mdx {
                let text = format!("it is {} and not MDX", model.format().title());
                return Err(crate::Error::unsupported(text));
            }
            Ok((model.optimized(options)?, old))
        });
        let (before, after, outcome) = match smaller {
            Ok((smaller, old)) => {
                // Fewer bytes may be harder to pack.
                let (before, after) = (packed_bytes(&old), packed_bytes(&smaller.bytes));
                if after < before {
                    changes.put(&entry.name, smaller.bytes)?;
                }
                (before, after.min(before), Ok(smaller.done.error))
            }
            Err(error) => (0, 0, Err(error.to_string())),
        };
        models.push(SmallerModel { name: entry.name.clone(), before, after, outcome });
    }
    // It may be the one that is replaced.
    drop(source);
    let archive = rewrite_file(archive, path, overwrite, &changes, limits)?;
    Ok(SmallerArchive { archive, models })
}
