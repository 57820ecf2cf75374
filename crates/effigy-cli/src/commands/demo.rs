//! `effigy demo`: the built-in sample models and their textures as files, as glTF and as pictures.

use super::render;
use crate::args::{Assets, Reading};
use crate::goal::{Choices, Goal};
use crate::inputs::Source;
use crate::session::{Exit, Session, Stop};
use crate::text::{count, size};
use crate::textures::Lookup;
use crate::{batch, save};
use clap::Args;
use effigy::{Format, Result, Target};
use effigy_render::{Container, Picture};
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

/// What was done so far.
#[derive(Default)]
struct Tally {
    failed: bool,
    files: u64,
    total: u64,
}

pub fn run(session: &mut Session, args: &DemoArgs) -> Result<Exit, Stop> {
    let mut tally = Tally::default();
    let models = effigy_samples::all();
    for sample in models.iter().chain(&effigy_samples::textures()).chain(&effigy_samples::scripts()) {
        tally.store(session, args, &sample.file_name, &sample.bytes)?;
    }
    // The creature and the chest are nice to look at; the others are for tests.
    let shown = |sample: &&Sample| {
        let model = !sample.file_name.ends_with(".skin") && !sample.file_name.ends_with(".anim");
        model && (sample.name.ends_with("-creature") || sample.file_name.starts_with("chest.m"))
    };
    show(session, args, models.iter().filter(shown), &mut tally)?;
    let folder = args.folder.display();
    session.out.say(format_args!("{} in {folder}, {}", count(tally.files, "file"), size(tally.total)));
    if !tally.failed {
        session.out.say(format_args!("try `effigy info {folder}`, and open a .png or a .glb of it"));
    }
    Ok(Exit::failed_if(tally.failed))
}

/// Each model as glTF and, where a graphics driver is, as a picture.
fn show<'a>(
    session: &mut Session,
    args: &DemoArgs,
    samples: impl Iterator<Item = &'a Sample>,
    tally: &mut Tally,
) -> Result<(), Stop> {
    let reading = Reading { from: None, max_size: 1024 };
    let lookup = Lookup::new(session, &Assets::default(), reading.limits())?;
    let picture = Picture::default();
    let choices = Choices {
        options: effigy::Options::default(),
        gltf: effigy::gltf::ExportOptions::default(),
        lookup,
        stem: None,
    };
    let goal = Goal::Model(Target { format: Format::Glb, version: None });
    let renderer = render::open();
    if let Err(Stop::Usage(text) | Stop::Failed(text)) = &renderer {
        session.out.say(format_args!("no pictures: {text}"));
    }
    for sample in samples {
        let source = Source::file(args.folder.join(&sample.file_name), None);
        let name = |extension: &str| format!("{}.{extension}", sample.name);
        let made = goal.convert(&source, &reading, &choices);
        match made {
            Ok((converted, _)) => tally.store(session, args, &name(goal.extension()), &converted.bytes)?,
            Err(error) => {
                tally.failed = true;
                session.failure(&source.name, &error)?;
            }
        }
        let Ok(renderer) = &renderer else { continue };
        let drawn = batch::load(&source, &reading).and_then(|loaded| {
            let limits = reading.limits();
            render::take(renderer, &choices.lookup, &source, &loaded, limits, &picture)?
                .encode(Container::Png)
        });
        match drawn {
            Ok(png) => tally.store(session, args, &name("png"), &png)?,
            Err(error) => {
                tally.failed = true;
                session.failure(&source.name, &error)?;
            }
        }
    }
    Ok(())
}

impl Tally {
    fn store(
        &mut self,
        session: &mut Session,
        args: &DemoArgs,
        name: &str,
        bytes: &[u8],
    ) -> Result<(), Stop> {
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        let result = save::below(&args.folder, Path::new(name)).and_then(|path| {
            // A second run finds its own files, and that is fine.
            if !std::fs::read(&path).is_ok_and(|old| old == bytes) {
                save::write(&path, bytes, args.force)?;
            }
            Ok(path)
        });
        match result {
            Err(error) => {
                self.failed = true;
                session.failure(&args.folder.join(name).display().to_string(), &error)
            }
            Ok(path) => {
                self.files += 1;
                self.total = self.total.saturating_add(length);
                let path = path.display().to_string();
                if session.common.json {
                    session.out.json(&Written { path, bytes: length })
                } else if session.common.verbose {
                    session.out.line(format_args!("{path}   {}", size(length)))
                } else {
                    Ok(())
                }
            }
        }
    }
}
