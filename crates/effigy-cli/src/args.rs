//! What can be typed: the commands and the options that all of them share.

use crate::commands;
use crate::session::{Session, Stop};
use clap::{Args, Parser, Subcommand};
use effigy::assets::rules::wow::{TEXTURE_TYPES, TextureType};
use effigy::assets::{Appearance, Assets, Found};
use effigy::{Format, Limits, OpenOptions};
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

/// The whole command line.
#[derive(Debug, Parser)]
#[command(
    name = "effigy",
    version,
    about = "Look into, verify, compare and convert classic game models",
    long_about = "Look into, verify, compare and convert the models of Warcraft III, World of Warcraft and Return to \
                  Castle Wolfenstein.",
    after_help = "Examples:
  effigy info footman.mdx                 what is in a model
  effigy verify models/                   does every file come back byte for byte?
  effigy check models/ --fix -o mended/   what is wrong, and what can be repaired
  effigy dump footman.mdx --offsets       every field and where it stands
  effigy convert footman.mdx --to mdx:1000 -o out/
  effigy convert footman.blp -o footman.png
  effigy info map.w3x:units/footman.mdx   a model inside a map or archive
  effigy extract map.w3x '*.mdx' -o out/  files out of a map or archive
  effigy edit footman.mdx --scale 1.5 --rename-sequence 'Stand=Stand Ready' -o out.mdx
  effigy diff old.mdx new.mdx             what changed, field by field
  effigy catalog models/ -o models.parquet
  effigy demo                             sample models to play with

Exit codes: 0 all fine, 1 something failed or differs, 2 wrong usage.",
    max_term_width = 100
)]
pub struct Cli {
    /// Options of every command.
    #[command(flatten)]
    pub common: Common,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// Options of every command.
#[derive(Clone, Copy, Debug, Args)]
pub struct Common {
    /// Print one JSON object per file and line; `effigy schema COMMAND` describes it
    #[arg(long, global = true, help_heading = "Output")]
    pub json: bool,
    /// Say less
    #[arg(short, long, global = true, help_heading = "Output", conflicts_with = "verbose")]
    pub quiet: bool,
    /// Say more
    #[arg(short, long, global = true, help_heading = "Output")]
    pub verbose: bool,
}

/// The largest input in megabytes, unless the user says otherwise.
const DEFAULT_SIZE: u64 = 1024;

/// What one file may become when it is unpacked, unless the user allows more: a picture of 8192 x 8192 pixels.
const UNPACKED: u64 = 256 << 20;

/// How a model is read.
#[derive(Clone, Copy, Debug, Args)]
pub struct Reading {
    /// Take every input for this format, whatever its content says
    #[arg(long, value_name = "FORMAT", help_heading = "Inputs")]
    pub from: Option<Format>,
    /// Refuse larger files before they are read; a larger number also allows larger pictures and denser archives
    #[arg(long, value_name = "MB", help_heading = "Inputs", default_value_t = DEFAULT_SIZE)]
    pub max_size: u64,
}

impl Reading {
    /// How much a file may ask for.
    pub fn limits(&self) -> Limits {
        let input_bytes = self.max_size.saturating_mul(1_000_000);
        let unpacked_bytes = if self.max_size > DEFAULT_SIZE { input_bytes } else { UNPACKED };
        Limits { input_bytes, unpacked_bytes, ..Limits::DEFAULT }
    }

    /// How models are opened without a game's files.
    pub fn options(&self) -> OpenOptions {
        OpenOptions { format: self.from, limits: self.limits(), ..OpenOptions::default() }
    }
}

/// Where textures are looked for.
#[derive(Clone, Debug, Default, Args)]
pub struct AssetArgs {
    /// A game folder or archive to look for textures in; later ones win. The model's own folder or archive comes first,
    /// places in the variable EFFIGY_ASSETS come last
    #[arg(long, value_name = "PATH", help_heading = "Inputs")]
    pub assets: Vec<PathBuf>,
    /// The file for a texture that the game chooses, by its number or, for World of Warcraft, its name: creature-1=Wolf.blp
    #[arg(long, value_name = "TYPE=FILE", help_heading = "Inputs")]
    pub texture: Vec<Choice>,
    /// The look of characters of World of Warcraft, such as skin=2,face=1,hair=4,hair-color=3,facial=0; `effigy info` lists how
    /// many there are
    #[arg(long, value_name = "LOOK", help_heading = "Inputs")]
    pub look: Option<Appearance>,
}

/// Models that are put onto models.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Assemblies")]
pub struct PartArgs {
    /// Attach a model to a node, attachment or tag: tag_weapon=axe.mdc, hand-right=Axe.m2, or tag_head/tag_mouth=helmet.mdc for a
    /// place of an attached model; #NAME after the file chooses its sequence
    #[arg(long, value_name = "PLACE=FILE[#SEQUENCE]")]
    pub attach: Vec<effigy::Attach>,
    /// The skin of a body of Return to Castle Wolfenstein or Enemy Territory: NAME for body_NAME.skin
    #[arg(long, value_name = "NAME")]
    pub skin: Option<String>,
    /// Which level of detail, 0 the finest. Such a body loses half of its vertices with each level, as far as it allows
    #[arg(long, value_name = "N", default_value_t, value_parser = clap::value_parser!(u32).range(0..=7))]
    pub lod: u32,
    /// The share of the vertices of such a body to draw instead, 0 to 1
    #[arg(long, value_name = "SHARE", value_parser = share, conflicts_with = "lod")]
    pub detail: Option<f32>,
    /// Pose such a body with Enemy Territory's table of sines, as that game does, instead of exactly
    #[arg(long)]
    pub et_sines: bool,
}

fn share(text: &str) -> Result<f32, String> {
    let share: f32 = text.parse().map_err(|_| "a number from 0 to 1 is needed".to_owned())?;
    if (0.0..=1.0).contains(&share) { Ok(share) } else { Err("it must be from 0 to 1".to_owned()) }
}

impl PartArgs {
    /// Adds the parts to the way models are opened.
    pub fn add(&self, options: OpenOptions) -> OpenOptions {
        let halves = (self.lod > 0).then(|| 0.5_f32.powi(self.lod.cast_signed()));
        OpenOptions {
            attach: self.attach.clone(),
            skin: self.skin.clone(),
            detail: self.detail.or(halves),
            et_sines: self.et_sines,
            ..options
        }
    }
}

impl AssetArgs {
    /// Opens the game files that the user named. A place in EFFIGY_ASSETS that is not there is only mentioned.
    fn open(&self, session: &mut Session, limits: Limits) -> Result<Assets, Stop> {
        let mut assets = Assets::new(limits);
        let usual = std::env::var_os("EFFIGY_ASSETS").unwrap_or_default();
        for path in std::env::split_paths(&usual).filter(|path| !path.as_os_str().is_empty()) {
            if let Err(error) = assets.add(&path) {
                session.out.say(format_args!("EFFIGY_ASSETS: {}: {}", path.display(), error.message()));
            }
        }
        for path in &self.assets {
            assets
                .add(path)
                .map_err(|error| Stop::Usage(format!("--assets {}: {}", path.display(), error.message())))?;
        }
        for Choice { id, file } in &self.texture {
            let found = Found::locate(file, &limits)
                .map_err(|error| Stop::Usage(format!("--texture {}: {}", file.display(), error.message())))?;
            assets.choose(*id, found);
        }
        if let Some(look) = self.look {
            assets.dress(look);
        }
        Ok(assets)
    }

    /// How models are opened with these game files.
    pub fn options(&self, session: &mut Session, reading: &Reading) -> Result<OpenOptions, Stop> {
        let assets = self.open(session, reading.limits())?;
        Ok(OpenOptions { assets: Arc::new(assets), ..reading.options() })
    }
}

/// A texture that the game chooses, chosen by the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Its number in the model.
    pub id: u32,
    /// The file, on disk or in an archive.
    pub file: PathBuf,
}

impl FromStr for Choice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (kind, file) = text.split_once('=').ok_or("it is written TYPE=FILE")?;
        let id = match kind.parse() {
            Ok(number) => Some(number),
            Err(_) => TextureType::parse(kind).map(|known| known.id),
        };
        let known = || TEXTURE_TYPES.iter().skip(1).map(|known| known.name).collect::<Vec<_>>().join(", ");
        let id = id
            .filter(|id| *id > 0)
            .ok_or_else(|| format!("'{kind}' is not a number and none of {}", known()))?;
        Ok(Self { id, file: file.into() })
    }
}

/// Models to work on.
#[derive(Clone, Debug, Args)]
pub struct Inputs {
    /// Files, folders, globs, archives, archive:path inside, or - for stdin
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// How they are read.
    #[command(flatten)]
    pub reading: Reading,
    /// Look into the folders inside folders; this is the default
    #[arg(short, long, help_heading = "Inputs", overrides_with = "no_recursive")]
    pub recursive: bool,
    /// Stay in the named folders
    #[arg(long, help_heading = "Inputs")]
    pub no_recursive: bool,
    /// Work on this many files at once [default: all cores]
    #[arg(short, long, value_name = "N", help_heading = "Inputs")]
    pub jobs: Option<usize>,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Show what is in a model: meshes, nodes, sequences, materials, textures
    Info(commands::info::InfoArgs),
    /// Show every field of a model as a tree or as JSON
    Dump(commands::dump::DumpArgs),
    /// Read and write each file in memory and compare the bytes
    Verify(commands::verify::VerifyArgs),
    /// Find what is wrong with a model, say why it matters, and repair what is safe
    Check(commands::check::CheckArgs),
    /// Make a table with one row for each model: Parquet, CSV or NDJSON
    Catalog(commands::catalog::CatalogArgs),
    /// Save models and textures in another format or version, and tell what is lost
    Convert(commands::convert::ConvertArgs),
    /// Change models: scale, turn, move, rename, retarget textures, remove parts, set any field
    Edit(commands::edit::EditArgs),
    /// Make models, or all models of a map or archive, smaller without a visible change
    Optimize(commands::optimize::OptimizeArgs),
    /// Make a model from what dump --json printed
    Build(commands::build::BuildArgs),
    /// Show what differs between two models, field by field
    Diff(commands::diff::DiffArgs),
    /// Draw models: pictures, animations, contact sheets
    Render(commands::render::RenderArgs),
    /// Open models in a window: play, look around, select, check, export
    #[cfg(feature = "view")]
    View(commands::view::ViewArgs),
    /// Draw one small picture for a file manager
    Thumbnail(commands::thumbnail::ThumbnailArgs),
    /// Show what is in an archive: MPQ, Warcraft III maps and campaigns, PK3, zip
    List(commands::list::ListArgs),
    /// Write files of an archive to a folder
    Extract(commands::extract::ExtractArgs),
    /// Put files into a map or archive, new or existing: MPQ, w3x, PK3, zip
    Pack(commands::pack::PackArgs),
    /// Show the formats and versions, and what can be done with each
    Formats(commands::formats::FormatsArgs),
    /// Write the built-in sample models
    Demo(commands::demo::DemoArgs),
    /// Print the JSON schema of a command's --json output
    Schema(commands::schema::SchemaArgs),
    /// Print the completion script for a shell
    Completions(commands::completions::CompletionsArgs),
    /// Print the manual page, of effigy or of one of its commands
    Man(commands::man::ManArgs),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chosen_texture_names_its_type_and_file() {
        for text in ["11=skin.blp", "creature-1=skin.blp"] {
            assert_eq!(text.parse(), Ok(Choice { id: 11, file: "skin.blp".into() }));
        }
        for text in ["skin.blp", "0=skin.blp", "tail=skin.blp"] {
            assert!(text.parse::<Choice>().is_err(), "{text}");
        }
    }
}
