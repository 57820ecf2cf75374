//! The one place that prints: stdout is data, stderr is talk.

use crate::session::Stop;
use effigy::Error;
use indicatif::ProgressBar;
use serde::Serialize;
use std::borrow::Cow;
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

/// How long the code for a colour is that a text begins with.
fn colour_code(text: &str) -> Option<usize> {
    let rest = text.strip_prefix("\u{1b}[")?;
    let end = rest.find(|character: char| !character.is_ascii_digit() && character != ';')?;
    rest.get(end..)?.starts_with('m').then_some(end + 3)
}

/// A text without control characters, which could move the cursor or clear the screen of whoever reads a name out of a file. Colours
/// stay where they are wanted.
fn harmless(text: &str, colour: bool) -> Cow<'_, str> {
    let is_odd = |character: char| character.is_control() && !matches!(character, '\n' | '\t');
    if !text.contains(is_odd) {
        return Cow::Borrowed(text);
    }
    let mut clean = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let length = match colour_code(rest).filter(|_| colour) {
            Some(length) => {
                clean.push_str(rest.get(..length).unwrap_or_default());
                length
            }
            None if is_odd(character) => {
                clean.extend(character.escape_default());
                character.len_utf8()
            }
            None => {
                clean.push(character);
                character.len_utf8()
            }
        };
        rest = rest.get(length..).unwrap_or_default();
    }
    Cow::Owned(clean)
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
        let text = line.to_string();
        let text = harmless(&text, self.stdout_colour);
        self.write(|out| writeln!(out, "{text}"))
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
        let text = harmless(text, self.stderr_colour);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_of_files_are_escaped_and_colours_stay() {
        assert_eq!(harmless("Stand\tLäufer\n", true), "Stand\tLäufer\n");
        assert_eq!(harmless("Stan\u{1b}[2J\u{7}!\u{9b}", true), "Stan\\u{1b}[2J\\u{7}!\\u{9b}");
        let red = paint(true, Tone::Bad, "a\u{1b}b");
        assert_eq!(harmless(&red, true), "\u{1b}[31ma\\u{1b}b\u{1b}[0m");
        assert_eq!(harmless("\u{1b}[1;94mx", true), "\u{1b}[1;94mx");
        // Where there are no colours, nothing of ours has any.
        assert_eq!(harmless("\u{1b}[31mx\r", false), "\\u{1b}[31mx\\r");
        assert_eq!(
            (colour_code("\u{1b}[m"), colour_code("\u{1b}[31"), colour_code("m")),
            (Some(3), None, None)
        );
    }
}
