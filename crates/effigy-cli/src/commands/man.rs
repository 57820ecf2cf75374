//! `effigy man`: manual pages in roff.

use crate::args::Cli;
use crate::session::{Exit, Session, Stop};
use clap::{Args, CommandFactory};
use effigy::assets::destination::write;
use std::path::PathBuf;

/// Options of `effigy man`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  effigy man | man -l -
  effigy man verify | man -l -
  effigy man --output man1/                every page as a file")]
pub struct ManArgs {
    /// The command to print the page of; all of effigy when none is named
    command: Option<String>,
    /// Write every page into this folder
    #[arg(short, long, value_name = "DIR", conflicts_with = "command")]
    output: Option<PathBuf>,
    /// Overwrite files
    #[arg(long)]
    force: bool,
}

pub fn run(session: &mut Session, args: &ManArgs) -> Result<Exit, Stop> {
    let mut root = Cli::command();
    root.build();
    if let Some(folder) = &args.output {
        let pages = std::iter::once(&root).chain(root.get_subcommands());
        for command in pages {
            let name = command.get_display_name().unwrap_or("effigy").to_owned();
            let path = folder.join(format!("{name}.1"));
            write(&path, &page(command)?, args.force)?;
            session.out.say(format_args!("{}", path.display()));
        }
        return Ok(Exit::Fine);
    }
    let command = match &args.command {
        None => &root,
        Some(name) => root.find_subcommand(name).ok_or_else(|| {
            Stop::Usage(format!("there is no command '{name}': `effigy --help` lists them"))
        })?,
    };
    let text = page(command)?;
    session.out.bytes(&text)?;
    Ok(Exit::Fine)
}

fn page(command: &clap::Command) -> Result<Vec<u8>, Stop> {
    let mut text = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut text)?;
    Ok(text)
}
