//! What is broken in a file that opened all the same: one line each, or, in text, the line itself with a caret.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use effigy::{Diagnostic, Diagnostics, Model, Severity};

/// Longest stretch of a line that is shown.
const WIDTH: usize = 160;

/// One thing that is broken.
#[derive(Clone, Debug)]
pub struct Problem {
    /// Place, message and code in one line.
    pub text: String,
    picture: Option<Picture>,
}

/// A place in a text file.
#[derive(Clone, Debug)]
struct Picture {
    title: String,
    code: String,
    line: usize,
    /// Where in `source` the place is, in bytes.
    at: usize,
    source: String,
}

/// The errors that did not stop the reader.
pub fn of(model: &Model, bytes: &[u8]) -> Vec<Problem> {
    let broken = model.diagnostics().iter().filter(|one| one.severity == Severity::Error);
    broken.map(|one| Problem { text: in_one_line(one), picture: picture(one, bytes) }).collect()
}

/// The errors among what was noticed, for files that have no lines to show.
pub fn in_lines(diagnostics: &Diagnostics) -> Vec<Problem> {
    let broken = diagnostics.iter().filter(|one| one.severity == Severity::Error);
    broken.map(|one| Problem { text: in_one_line(one), picture: None }).collect()
}

fn in_one_line(one: &Diagnostic) -> String {
    let place = match (one.line, one.offset) {
        (Some((line, column)), _) => format!("{line}:{column}: "),
        (None, Some(offset)) => format!("{offset:#x}: "),
        (None, None) => String::new(),
    };
    let path = if one.path.is_empty() { String::new() } else { format!("{}: ", one.path) };
    format!("{place}{path}{} ({})", one.message, one.code)
}

fn picture(one: &Diagnostic, bytes: &[u8]) -> Option<Picture> {
    let (line, column) = one.line?;
    let source = bytes.split(|byte| *byte == b'\n').nth(line.checked_sub(1)?)?;
    // A line may be the whole file: only what is around the place is shown.
    let at = column.saturating_sub(1).min(source.len());
    let start = at.saturating_sub(WIDTH / 2);
    let source = source.get(start..)?;
    let source = source.get(..WIDTH).unwrap_or(source);
    // The two sides are made text one by one: bytes that are not UTF-8 grow when they are replaced, and a character
    // may be cut in two at the place.
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace('\t', " ");
    let (before, after) = source.split_at_checked(at.saturating_sub(start))?;
    let (before, after) = (text(before), text(after.trim_ascii_end()));
    Some(Picture {
        title: one.message.to_string(),
        code: one.code.to_string(),
        line,
        at: before.len(),
        source: before + &after,
    })
}

impl Problem {
    /// The line itself with a caret under the place, where the file is text.
    pub fn drawn(&self, path: &str, colour: bool) -> Option<String> {
        let picture = self.picture.as_ref()?;
        // A word, or the one character that is there.
        let rest = picture.source.get(picture.at..)?;
        let word = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
        let length = word.max(rest.chars().next().map_or(0, char::len_utf8));
        let span = picture.at..picture.at.saturating_add(length);
        let snippet = Snippet::source(picture.source.as_str())
            .line_start(picture.line)
            .path(path)
            .annotation(AnnotationKind::Primary.span(span));
        let group =
            Level::ERROR.primary_title(picture.title.as_str()).id(picture.code.as_str()).element(snippet);
        let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
        Some(renderer.render(&[group]))
    }
}
