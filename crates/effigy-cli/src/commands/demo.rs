//! `effigy demo`: the built-in sample models and their textures as files.

use crate::save;
use crate::session::{Exit, Session, Stop};
use crate::text::{count, size};
use clap::Args;
use effigy::Result;
use effigy_samples::Sample;
use schemars::JsonSchema;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Options of `effigy demo`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  effigy demo && effigy info demo/
  effigy demo samples/ --force")]
pub struct DemoArgs {
    /// The folder to write to
    #[arg(default_value = "demo")]
    folder: PathBuf,
    /// Overwrite files
    #[arg(long)]
    force: bool,
}

/// What `effigy demo --json` prints for each file.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Written {
    /// The file.
    pub path: String,
    /// Its size.
    pub bytes: u64,
}

pub fn run(session: &mut Session, args: &DemoArgs) -> Result<Exit, Stop> {
    let (mut failed, mut files, mut total) = (false, 0_u64, 0_u64);
    for Sample { file_name: name, bytes, .. } in
        effigy_samples::all().into_iter().chain(effigy_samples::textures())
    {
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        let result = save::below(&args.folder, Path::new(&name)).and_then(|path| {
            // A second run finds its own files, and that is fine.
            if !std::fs::read(&path).is_ok_and(|old| old == bytes) {
                save::write(&path, &bytes, args.force)?;
            }
            Ok(path)
        });
        match result {
            Err(error) => {
                failed = true;
                session.failure(&args.folder.join(&name).display().to_string(), &error)?;
            }
            Ok(path) => {
                files += 1;
                total = total.saturating_add(length);
                let path = path.display().to_string();
                if session.common.json {
                    session.out.json(&Written { path, bytes: length })?;
                } else if session.common.verbose {
                    session.out.line(format_args!("{path}   {}", size(length)))?;
                }
            }
        }
    }
    let folder = args.folder.display();
    session.out.say(format_args!("{} in {folder}, {}", count(files, "file"), size(total)));
    if !failed {
        session.out.say(format_args!("try `effigy info {folder}` and `effigy verify {folder}`"));
    }
    Ok(Exit::failed_if(failed))
}
