//! What every command gets: the options, the way to print, and how a run can end.

use crate::args::Common;
use crate::out::Out;
use crate::problems::Problem;
use effigy::Error;
pub use effigy::lines::{Failure, Line};
use std::io;

/// One run of the command.
pub struct Session {
    /// The shared options.
    pub common: Common,
    /// Where things are printed.
    pub out: Out,
}

/// How a run ended when nothing stopped it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// All is well.
    Fine,
    /// At least one file failed, or what was looked for was found.
    Failed,
}

impl Exit {
    /// Failed if anything failed.
    pub const fn failed_if(any: bool) -> Self {
        if any { Self::Failed } else { Self::Fine }
    }
}

/// Why a run was stopped.
#[derive(Debug)]
pub enum Stop {
    /// Whoever read our output has enough of it: a success.
    PipeClosed,
    /// The command line makes no sense.
    Usage(String),
    /// Nothing more can be done.
    Failed(String),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::PipeClosed
        } else {
            Self::Failed(format!("cannot write to stdout: {error}"))
        }
    }
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        match error.kind() {
            effigy::Kind::Usage => Self::Usage(error.to_string()),
            _ => Self::Failed(error.to_string()),
        }
    }
}

impl From<serde_json::Error> for Stop {
    fn from(error: serde_json::Error) -> Self {
        Self::from(io::Error::from(error))
    }
}

impl Session {
    /// A run with these options.
    pub fn new(common: Common) -> Self {
        let out = Out::new(common.quiet);
        Self { common, out }
    }

    /// Says that a file failed: on stdout as JSON where JSON is asked for, else on stderr.
    pub fn failure(&mut self, path: &str, error: &Error) -> Result<(), Stop> {
        if self.common.json {
            self.out.json(&Failure::new(path, error))
        } else {
            self.complain(path, error);
            Ok(())
        }
    }

    /// Says on stderr that a file failed, with the option that helps.
    pub fn complain(&mut self, path: &str, error: &Error) {
        self.out.file_error(path, &with_hint(error));
    }
}

/// The error with the option that helps, where the library left that open.
fn with_hint(error: &Error) -> Error {
    let hint = match error.kind() {
        effigy::Kind::Exists => "--force overwrites it",
        effigy::Kind::Limit => "--max-size allows more",
        _ => return error.clone(),
    };
    if error.hint_text().is_some() { error.clone() } else { error.clone().hint(hint) }
}

/// Errors of one file that are shown without `--verbose`.
const SHOWN: usize = 3;

impl Session {
    /// Says what is broken in a file that opened all the same, and whether anything is. JSON output has that already.
    pub fn broken(&mut self, path: &str, errors: &[Problem]) -> bool {
        let shown = if self.common.verbose { usize::MAX } else { SHOWN };
        if !self.common.json {
            for error in errors.iter().take(shown) {
                match error.drawn(path, self.out.stderr_colour()) {
                    Some(drawn) => self.out.complain(&drawn),
                    None => {
                        self.out.file_error(path, &Error::new(effigy::Kind::Malformed, error.text.clone()))
                    }
                }
            }
            if errors.len() > shown {
                self.out.say(format_args!("{path}: +{} more (--verbose shows all)", errors.len() - shown));
            }
        }
        !errors.is_empty()
    }
}
