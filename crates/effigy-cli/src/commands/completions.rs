//! `effigy completions`: what a shell needs to complete our commands.

use crate::args::Cli;
use crate::session::{Exit, Session, Stop};
use clap::{Args, CommandFactory};
use clap_complete::Shell;

/// Options of `effigy completions`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  effigy completions bash > ~/.local/share/bash-completion/completions/effigy
  effigy completions fish > ~/.config/fish/completions/effigy.fish")]
pub struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

pub fn run(session: &mut Session, args: &CompletionsArgs) -> Result<Exit, Stop> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "effigy", &mut script);
    session.out.bytes(&script)?;
    Ok(Exit::Fine)
}
