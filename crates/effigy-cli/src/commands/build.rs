//! `effigy build`: a model from what `effigy dump --json` printed.

use crate::args::Reading;
use crate::destination::{companions, deliver};
use crate::session::{Exit, Session, Stop};
use crate::text::size;
use clap::Args;
use effigy::{Built, Error, Kind, Model, Result};
use std::path::{Path, PathBuf};

/// Options of `effigy build`.
#[derive(Debug, Args)]
#[command(
    after_help = "As long as no value is changed, the file is the one that was dumped, byte for byte. Lists may be longer or
shorter than they were: counts and sizes are computed. A field that is left out gets its usual value; one that is not known
is an error. Every format but glTF can be built. The skins in the JSON of an M2 are written next to it; keys of its .anim
files stay in those files.

Examples:
  effigy dump footman.mdx --json > footman.json
  effigy build footman.json -o footman.mdx
  effigy dump footman.mdx --json | jq '(.tree[] | select(.name == \"SEQS\") | .parts[0].parts[] |
    select(.name == \"rarity\")).value = 2' | effigy build - -o rare.mdx"
)]
pub struct BuildArgs {
    /// The JSON text, or - for stdin
    #[arg(value_name = "JSON")]
    input: PathBuf,
    /// The model to write, or - for stdout
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// Compare the result with this file, and fail if it differs
    #[arg(long, value_name = "MODEL")]
    check: Option<PathBuf>,
    /// Overwrite files
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    reading: Reading,
}

pub fn run(session: &mut Session, args: &BuildArgs) -> Result<Exit, Stop> {
    let name = args.input.display().to_string();
    match build(session, args) {
        Ok(()) => Ok(Exit::Fine),
        Err(error) => {
            session.complain(&name, &error);
            Ok(Exit::Failed)
        }
    }
}

fn build(session: &mut Session, args: &BuildArgs) -> Result<()> {
    let input = crate::inputs::single(&args.input, &args.reading);
    let file = input.file.as_ref().map_err(Error::clone)?;
    let ((), bytes) = file.read_if(&args.reading.limits(), 1, |_| Ok(()))?;
    let text = String::from_utf8(bytes).map_err(|_| Error::new(Kind::Malformed, "the text is not UTF-8"))?;
    let Built { model, bytes } = Model::built(text.trim())?;
    if let Some(other) = &args.check
        && std::fs::read(other)
            .map_err(|error| Error::new(Kind::Io, format!("--check {}: {error}", other.display())))?
            != bytes
    {
        return Err(Error::new(Kind::Malformed, format!("the result differs from {}", other.display())));
    }
    let path = (args.output != Path::new("-")).then_some(args.output.as_path());
    let files = path.map_or_else(|| Ok(Vec::new()), |path| companions(&model, path, args.force))?;
    let written = deliver(session, path, &bytes, args.force)?;
    let mut say = |written: &str, bytes: &[u8]| {
        let length = size(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
        session.out.say(format_args!("{written}   {length}"));
    };
    if path.is_some() {
        say(&written, &bytes);
    }
    for (path, bytes) in &files {
        effigy::assets::destination::write(path, bytes, args.force)?;
        say(&path.display().to_string(), bytes);
    }
    Ok(())
}
