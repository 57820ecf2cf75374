//! The command `effigy`: one file a subcommand, everything they share beside them.

mod args;
mod batch;
mod bug;
mod commands;
mod destination;
mod inputs;
mod out;
mod problems;
mod quiet_driver;
mod session;
mod stop;
mod text;

use args::{Cli, Command};
use clap::Parser;
use session::{Exit, Session, Stop};
use std::process::ExitCode;

fn main() -> ExitCode {
    bug::install_hook();
    stop::install_handler();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version arrive here as well; a reader that left early is not a failure.
            let _ = error.print();
            return if error.use_stderr() { ExitCode::from(2) } else { ExitCode::SUCCESS };
        }
    };
    quiet_driver::prepare(&cli.command);
    let mut session = Session::new(cli.common);
    let end = run(&mut session, &cli.command).and_then(|exit| match session.out.flush() {
        // A reader that left early changes nothing about what was found.
        Ok(()) | Err(Stop::PipeClosed) => Ok(exit),
        Err(stop) => Err(stop),
    });
    match end {
        Ok(Exit::Fine) | Err(Stop::PipeClosed) => ExitCode::SUCCESS,
        Ok(Exit::Failed) => ExitCode::from(1),
        Err(Stop::Usage(message)) => {
            session.out.error(&message);
            ExitCode::from(2)
        }
        Err(Stop::Failed(message)) => {
            session.out.error(&message);
            ExitCode::from(1)
        }
    }
}

fn run(session: &mut Session, command: &Command) -> Result<Exit, Stop> {
    match command {
        Command::Info(args) => commands::info::run(session, args),
        Command::Dump(args) => commands::dump::run(session, args),
        Command::Verify(args) => commands::verify::run(session, args),
        Command::Check(args) => commands::check::run(session, args),
        Command::Catalog(args) => commands::catalog::run(session, args),
        Command::Convert(args) => commands::convert::run(session, args),
        Command::Edit(args) => commands::edit::run(session, args),
        Command::Optimize(args) => commands::optimize::run(session, args),
        Command::Build(args) => commands::build::run(session, args),
        Command::Diff(args) => commands::diff::run(session, args),
        Command::Render(args) => commands::render::run(session, args),
        #[cfg(feature = "view")]
        Command::View(args) => commands::view::run(session, args),
        Command::Thumbnail(args) => commands::thumbnail::run(session, args),
        Command::List(args) => commands::list::run(session, args),
        Command::Extract(args) => commands::extract::run(session, args),
        Command::Pack(args) => commands::pack::run(session, args),
        Command::Formats(args) => commands::formats::run(session, args),
        Command::Demo(args) => commands::demo::run(session, args),
        Command::Schema(args) => commands::schema::run(session, args),
        Command::Completions(args) => commands::completions::run(session, args),
        Command::Man(args) => commands::man::run(session, args),
    }
}
