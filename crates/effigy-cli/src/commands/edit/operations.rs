//! The operations of the command line, in the order in which they were typed. The verbs come from the library's table.

use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};
use effigy::{Operation, VERBS};

/// The operations in order.
#[derive(Clone, Debug, Default)]
pub struct Operations(pub Vec<Operation>);

impl Args for Operations {
    fn augment_args(command: Command) -> Command {
        VERBS.iter().fold(command, |command, verb| {
            let arg = Arg::new(verb.name)
                .long(verb.name)
                .value_name(verb.argument)
                .help(verb.help)
                .help_heading("Operations")
                .allow_hyphen_values(true)
                .action(ArgAction::Append);
            command.arg(arg)
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Operations {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut typed: Vec<(usize, Operation)> = Vec::new();
        for verb in VERBS {
            let places = matches.indices_of(verb.name).into_iter().flatten();
            let arguments = matches.get_many::<String>(verb.name).into_iter().flatten();
            for (place, argument) in places.zip(arguments) {
                let operation = Operation::parse(verb.name, argument).map_err(|error| {
                    let hint = error.hint_text().map(|hint| format!("; {hint}")).unwrap_or_default();
                    Error::raw(ErrorKind::ValueValidation, format!("{error}{hint}\n"))
                })?;
                typed.push((place, operation));
            }
        }
        typed.sort_by_key(|(place, _)| *place);
        Ok(Self(typed.into_iter().map(|(_, operation)| operation).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
