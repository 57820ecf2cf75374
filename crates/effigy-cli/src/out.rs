//! The one place that prints: stdout is data, stderr is talk.

use crate::session::Stop;
use effigy::Error;
use indicatif::ProgressBar;
use serde::Serialize;
use std::fmt;
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};

/// A colour for a word that matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// As it should be.
    Good,
    /// Worth a look.
    Odd,
    /// Wrong.
    Bad,
    /// A heading.
    Strong,
}

impl Tone {
    const fn code(self) -> &'static str {
        match self {
            Self::Good => "32",
            Self::Odd => "33",
            Self::Bad => "31",
            Self::Strong => "1",
        }
    }
}

/// Prints to stdout and stderr.
pub struct Out {
    stdout: BufWriter<StdoutLock<'static>>,
    stdout_colour: bool,
    stderr_colour: bool,
    stdout_is_terminal: bool,
    quiet: bool,
    /// The progress bar that has to step aside while a line is printed.
    pub bar: Option<ProgressBar>,
}

fn colour_wanted(terminal: bool) -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    terminal && !set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

impl Out {
    /// A new pair of streams; `quiet` silences messages that are not errors.
    pub fn new(quiet: bool) -> Self {
        let stdout = io::stdout();
        let terminal = stdout.is_terminal();
        Self {
            stdout_colour: colour_wanted(terminal),
            stderr_colour: colour_wanted(io::stderr().is_terminal()),
            stdout_is_terminal: terminal,
            stdout: BufWriter::with_capacity(1 << 16, stdout.lock()),
            quiet,
            bar: None,
        }
    }

    /// One line of data.
    pub fn line(&mut self, line: fmt::Arguments<'_>) -> Result<(), Stop> {
        self.write(|out| writeln!(out, "{line}"))
    }

    /// One line of JSON.
    pub fn json(&mut self, value: &impl Serialize) -> Result<(), Stop> {
        let text = serde_json::to_string(value)?;
        self.line(format_args!("{text}"))
    }

    /// Data as it is.
    pub fn bytes(&mut self, bytes: &[u8]) -> Result<(), Stop> {
        self.write(|out| out.write_all(bytes))
    }

    fn write(&mut self, print: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Stop> {
        let stdout = &mut self.stdout;
        match &self.bar {
            // Both may be the same terminal: the bar leaves, the line is shown at once, the bar comes back.
            Some(bar) if self.stdout_is_terminal => {
                bar.suspend(|| print(stdout).and_then(|()| stdout.flush()))
            }
            _ => print(stdout),
        }?;
        Ok(())
    }

    /// A word in colour, where stdout shows colours.
    pub fn paint(&self, tone: Tone, word: impl fmt::Display) -> String {
        paint(self.stdout_colour, tone, word)
    }

    /// One line of talk.
    pub fn say(&mut self, line: fmt::Arguments<'_>) {
        if !self.quiet {
            self.talk(&format!("{line}\n"));
        }
    }

    /// Whether talk may be coloured.
    pub const fn stderr_colour(&self) -> bool {
        self.stderr_colour
    }

    /// Several lines about an error.
    pub fn complain(&mut self, lines: &str) {
        self.talk(&format!("{lines}\n"));
    }

    /// An error that belongs to no file.
    pub fn error(&mut self, message: &str) {
        let head = paint(self.stderr_colour, Tone::Bad, "error:");
        self.talk(&format!("{head} {message}\n"));
    }

    /// An error in a file, with what to do about it.
    pub fn file_error(&mut self, path: &str, error: &Error) {
        let head = paint(self.stderr_colour, Tone::Strong, path);
        let mut text = format!("{head}: {error}\n");
        if let Some(hint) = error.hint_text() {
            text.push_str(&format!("  {hint}\n"));
        }
        self.talk(&text);
    }

    fn talk(&mut self, text: &str) {
        // Data that came first is shown first where both streams go to the same place. A stderr that is gone
        // cannot be told about.
        let _ = self.stdout.flush();
        let print = || {
            let _ = io::stderr().lock().write_all(text.as_bytes());
        };
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    /// Whether a progress bar makes sense.
    pub fn wants_progress(&self) -> bool {
        !self.quiet && io::stderr().is_terminal()
    }

    /// Hands over everything printed so far.
    pub fn flush(&mut self) -> Result<(), Stop> {
        self.stdout.flush()?;
        Ok(())
    }
}

fn paint(colour: bool, tone: Tone, word: impl fmt::Display) -> String {
    if colour { format!("\x1b[{}m{word}\x1b[0m", tone.code()) } else { word.to_string() }
}
