//! `effigy demo`: a tour of the built-in sample models, as files, as glTF and as pictures.

use crate::session::{Exit, Line, Session, Stop};
use crate::text::{count, size};
use clap::Args;
use effigy::assets::Destination;
use effigy::{Picture, Renderer, Result};
use effigy_samples::Sample;
use schemars::{JsonSchema, Schema, schema_for};
use serde::Serialize;
use std::path::PathBuf;

/// Options of `effigy demo`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  effigy demo && effigy info demo/
  effigy demo samples/ --all --force")]
pub struct DemoArgs {
    /// The folder to write to
    #[arg(default_value = "demo")]
    folder: PathBuf,
    /// Write every sample at every version, which is what the project's own tests use
    #[arg(long)]
    all: bool,
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

/// What a line of `--json` looks like.
pub fn schema() -> Schema {
    schema_for!(Line<Written>)
}

/// A game's folder of the tour.
struct Game {
    folder: &'static str,
    /// The stem of the sample, and the name that it has in the tour.
    models: &'static [(&'static str, &'static str)],
}

/// The tour: one or two models of each family.
const TOUR: &[Game] = &[
    Game {
        folder: "warcraft3",
        models: &[
            ("mdx-800-creature", "LanternBeetle"),
            ("mdx-1100-creature", "LanternBeetleHD"),
            ("mdx-800-hat", "Hat"),
        ],
    },
    Game {
        folder: "wow-alpha",
        models: &[("mdx-wow-1300-creature", "LanternBeetle"), ("mdx-wow-1300-hat", "Hat")],
    },
    Game { folder: "wow", models: &[("m2-264-creature", "LanternBeetle"), ("m2-264-hat", "Hat")] },
    Game {
        folder: "wolfenstein",
        models: &[
            ("mdc-2-creature", "lanternbeetle"),
            ("mdc-2-hat", "hat"),
            ("chest", "chest"),
            ("soldier", "soldier"),
        ],
    },
];

/// What the folder's README.md says.
const GUIDE: &str = include_str!("demo.md");

pub fn run(session: &mut Session, args: &DemoArgs) -> Result<Exit, Stop> {
    let destination = Destination::folder(&args.folder).overwrite(args.force);
    let mut tour = Tour { destination, failed: false, files: 0, total: 0, made: Vec::new() };
    let models = effigy_samples::all();
    let others: Vec<Sample> = [effigy_samples::textures(), effigy_samples::scripts()].concat();
    if args.all {
        for sample in models.iter().chain(&others) {
            tour.store(session, &sample.file_name, &sample.bytes)?;
        }
    } else {
        tour.store(session, "README.md", GUIDE.as_bytes())?;
        for game in TOUR {
            for (stem, name) in game.models {
                for sample in models.iter().filter(|sample| belongs_to(sample, stem)) {
                    let file = sample.file_name.replacen(stem, name, 1);
                    tour.store(session, &format!("{}/{file}", game.folder), &sample.bytes)?;
                }
            }
            for sample in others.iter().filter(|sample| is_used(sample, game)) {
                tour.store(session, &format!("{}/{}", game.folder, sample.file_name), &sample.bytes)?;
            }
        }
        tour.show(session, args)?;
    }
    let folder = args.folder.display();
    session.out.say(format_args!("{} in {folder}, {}", count(tour.files, "file"), size(tour.total)));
    if !tour.failed && !args.all {
        session.out.say(format_args!("start with {folder}/README.md, or try `effigy info {folder}`"));
    }
    Ok(Exit::failed_if(tour.failed))
}

/// Whether a sample is the model of this stem or a file that belongs to it. Chests come as MDC only.
fn belongs_to(sample: &Sample, stem: &str) -> bool {
    let rest = sample.file_name.strip_prefix(stem).unwrap_or_default();
    // The bones of the soldier for Enemy Territory have an extension of Warcraft III.
    let is_model = matches!(rest, ".mdx" | ".m2" | ".mdc") && stem != "soldier" || rest == ".mds";
    is_model || rest.ends_with(".skin")
}

/// Whether a texture or script is used by the models of a game: the chest is a model of Wolfenstein alone.
fn is_used(sample: &Sample, game: &Game) -> bool {
    let is_beetles = sample.file_name.starts_with("LanternBeetle");
    is_beetles || game.models.iter().any(|(stem, _)| *stem == "chest")
}

/// What was written so far.
struct Tour {
    destination: Destination,
    failed: bool,
    files: u64,
    total: u64,
    /// Paths of the models, relative to the folder.
    made: Vec<String>,
}

impl Tour {
    fn store(&mut self, session: &mut Session, name: &str, bytes: &[u8]) -> Result<(), Stop> {
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        let result = self.destination.path(name).and_then(|path| {
            // A second run finds its own files.
            if !std::fs::read(&path).is_ok_and(|old| old == bytes) {
                self.destination.write(name, bytes)?;
            }
            Ok(path.display().to_string())
        });
        match result {
            Err(error) => {
                self.failed = true;
                session.failure(name, &error)
            }
            Ok(path) => {
                self.files += 1;
                self.total = self.total.saturating_add(length);
                if [".mdx", ".m2", ".mdc", ".mds"].iter().any(|extension| name.ends_with(extension)) {
                    self.made.push(name.to_owned());
                }
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

    /// Adds each model as glTF and, where there is a graphics driver, as a picture.
    fn show(&mut self, session: &mut Session, args: &DemoArgs) -> Result<(), Stop> {
        let renderer = Renderer::shared();
        if let Err(error) = &renderer {
            session.out.say(format_args!("no pictures: {error}"));
        }
        for name in std::mem::take(&mut self.made) {
            let path = args.folder.join(&name);
            let stem = name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem);
            let glb = effigy::open(&path).and_then(|model| model.convert(&"glb".parse()?)?.into_bytes());
            self.result(session, &format!("{stem}.glb"), glb)?;
            let Ok(renderer) = renderer else { continue };
            let picture = effigy::open(&path).and_then(|model| {
                model.render_with(renderer, &Picture::default())?.encode(effigy::Container::Png)
            });
            self.result(session, &format!("{stem}.png"), picture)?;
        }
        Ok(())
    }

    fn result(&mut self, session: &mut Session, name: &str, bytes: Result<Vec<u8>>) -> Result<(), Stop> {
        match bytes {
            Ok(bytes) => self.store(session, name, &bytes),
            Err(error) => {
                self.failed = true;
                session.failure(name, &error)
            }
        }
    }
}
