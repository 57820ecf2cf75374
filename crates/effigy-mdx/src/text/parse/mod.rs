//! Parsing: the blocks of the text, in any order.
//!
//! An error is reported with its location, and the parser continues after the property that contains it. Nesting is bounded
//! by the format, not by the text: unknown blocks are skipped by counting braces. Counts in the text are compared
//! with what follows, and never decide how much memory is allocated.

mod blocks;
mod chunks;
mod lists;
mod mesh;
mod record;
mod special;
mod track;

use super::lexer::{Lexer, Token, line_and_column};
use crate::codes;
use crate::model::{Content, Model, Slot, VERS};
use crate::version::{Caps, Dialect};
use effigy_wire::{Code, Diagnostic, Diagnostics, Error, Kind, Limits, Result, Severity};
use std::borrow::Cow;

pub(in crate::text) use blocks::is_block;

/// How many errors are reported before the parser stops.
const ERRORS: usize = 20;

/// A position in the text and what was noticed so far.
pub(in crate::text) struct Parser<'a> {
    bytes: &'a [u8],
    lexer: Lexer<'a>,
    caps: Caps,
    limits: Limits,
    diagnostics: Diagnostics,
    errors: usize,
    /// Too many errors: everything returns.
    stopped: bool,
    /// Inside a comment for this parser, which ends with its line.
    in_comment: bool,
    /// The last offset whose line is known.
    line: (usize, usize),
    records: usize,
    shape: special::ShapeDraft,
    /// Where the last block begins, once that was needed.
    last_block: Option<usize>,
}

/// Parses a model.
pub(in crate::text) fn parse(bytes: &[u8], limits: &Limits) -> Result<Model> {
    if bytes.len() as u64 > limits.input_bytes {
        return Err(Error::new(Kind::Limit, format!("{} bytes are more than the limit", bytes.len())));
    }
    if !super::sniff(bytes) {
        return Err(Error::malformed(0, "not MDL: the text does not begin with a block of MDL").at_line(1, 1));
    }
    let mut parser = Parser {
        bytes,
        lexer: Lexer::new(bytes),
        caps: Caps::empty(),
        limits: *limits,
        diagnostics: Diagnostics::with_limit(limits.diagnostics),
        errors: 0,
        stopped: false,
        in_comment: false,
        line: (0, 1),
        records: 0,
        shape: special::ShapeDraft::default(),
        last_block: None,
    };
    let head = blocks::find_version(bytes);
    let (dialect, version, layout) = head.unwrap_or((Dialect::Warcraft3, 800, 800));
    parser.caps = dialect.caps(layout);
    if head.is_none() {
        let message = "no Version block: read as Warcraft III 800";
        parser.warn(codes::NO_TEXT_VERSION, parser.lexer.position, message);
    }
    let mut model = Model {
        dialect,
        version,
        layout,
        lists: crate::chunks::Lists::default(),
        slots: vec![Slot { tag: VERS, offset: 0, content: Content::Version }],
        diagnostics: Diagnostics::default(),
        source_bytes: 0,
        right_node_count: None,
        text_after: Vec::new(),
    };
    let (frame, after) = parser.blocks(&mut model.lists);
    model.text_after = after.to_vec();
    if let Some(range) = frame {
        parser.frame(&mut model, range);
    }
    if !dialect.knows(version) {
        let message = format!("version {version} is not known in {dialect}");
        parser.warn(codes::UNKNOWN_VERSION, 0, message);
    }
    model.diagnostics = parser.diagnostics;
    model.remember_node_count();
    Ok(model)
}

impl<'a> Parser<'a> {
    fn report(&mut self, code: Code, severity: Severity, at: usize, message: impl Into<Cow<'static, str>>) {
        let (known, line) = self.line;
        let place = match self.bytes.get(known..at) {
            Some(between) => {
                let lines = between.iter().filter(|&&byte| byte == b'\n').count();
                let start = self.bytes.get(..at).unwrap_or_default().iter().rposition(|&byte| byte == b'\n');
                let column =
                    line_and_column(self.bytes.get(start.map_or(0, |at| at + 1)..at).unwrap_or_default(), at)
                        .1;
                (line.saturating_add(lines), column)
            }
            None => line_and_column(self.bytes, at),
        };
        self.line = (at.min(self.bytes.len()), place.0);
        let mut diagnostic = Diagnostic::new(code, severity, message).at(at);
        diagnostic.line = Some(place);
        self.diagnostics.push(diagnostic);
    }

    /// Reports text that is not valid MDL.
    #[cold]
    fn error(&mut self, code: Code, at: usize, message: impl Into<Cow<'static, str>>) {
        if self.stopped {
            return;
        }
        self.errors += 1;
        self.report(code, Severity::Error, at, message);
        if self.errors >= ERRORS {
            self.stopped = true;
            self.report(
                codes::TOO_MANY_ERRORS,
                Severity::Error,
                at,
                "too many errors; the rest was not read",
            );
        }
    }

    #[cold]
    fn warn(&mut self, code: Code, at: usize, message: impl Into<Cow<'static, str>>) {
        if !self.stopped {
            self.report(code, Severity::Warning, at, message);
        }
    }

    /// Reports that something else was expected, and skips the property.
    #[cold]
    fn expected(&mut self, what: &str) {
        self.lexer.skip();
        let at = self.lexer.position;
        let found = match self.lexer.peek() {
            Token::Word(word) => format!("`{}`", String::from_utf8_lossy(word)),
            Token::Number => "a number".into(),
            Token::Text(_) => "a text in quotes".into(),
            Token::Open => "`{`".into(),
            Token::Close => "`}`".into(),
            Token::Comma => "`,`".into(),
            Token::Colon => "`:`".into(),
            Token::Slot => "`<=`".into(),
            Token::Other => "an unexpected character".into(),
            Token::End => "the end of the text".into(),
        };
        self.error(codes::SYNTAX, at, format!("{what} expected, found {found}"));
        self.skip_property();
    }

    /// Moves to the end of a property: after its block or comma, and before the next word or closing brace.
    fn skip_property(&mut self) {
        let mut depth = 0_usize;
        let mut ended = false;
        loop {
            let before = self.lexer.position;
            match self.lexer.next() {
                Token::End => {
                    // A comment for this parser may be between here and the end.
                    self.lexer.position = before;
                    return;
                }
                Token::Open => depth += 1,
                Token::Close if depth == 0 => {
                    self.lexer.position = before;
                    return;
                }
                Token::Close => {
                    depth -= 1;
                    ended = depth == 0;
                }
                Token::Comma => ended |= depth == 0,
                Token::Word(_) if ended && depth == 0 => {
                    self.lexer.position = before;
                    return;
                }
                Token::Number => self.lexer.skip_number(),
                _ => {}
            }
        }
    }

    /// Calls `each` with the words up to the closing brace; anything else is reported as not being `expected`. Returns whether
    /// the brace was found.
    fn words(
        &mut self,
        opened: usize,
        expected: &str,
        mut each: impl FnMut(&mut Self, &'a [u8], usize),
    ) -> bool {
        while !self.stopped {
            self.lexer.skip();
            let at = self.lexer.position;
            match self.lexer.next() {
                Token::Close => return true,
                Token::End => {
                    self.not_closed(opened);
                    return false;
                }
                Token::Comma => {}
                Token::Word(word) => each(self, word, at),
                _ => {
                    self.lexer.position = at;
                    self.expected(expected);
                }
            }
        }
        false
    }

    /// Takes an opening brace, or reports that there is none.
    fn open(&mut self) -> bool {
        let found = self.lexer.eat(b'{');
        if !found {
            self.expected("`{`");
        }
        found
    }

    /// Reports that the text ended inside a block that began here.
    #[cold]
    fn not_closed(&mut self, opened: usize) {
        if !self.in_comment {
            self.error(codes::NOT_CLOSED, opened, "the text ends before this block is closed");
            self.stopped = true;
        }
    }

    /// A stated count and its position; `None` when there is none.
    fn count(&mut self) -> Option<(i64, usize)> {
        self.lexer.skip();
        let at = self.lexer.position;
        Some((self.lexer.int()?, at))
    }

    /// Compares a stated count with what was found. More than were stated is a warning: all of them are there, and the text
    /// keeps its count. Fewer is an error, since something may be lost.
    #[inline]
    fn check_count(&mut self, stated: Option<(i64, usize)>, found: usize, what: &str) {
        if let Some((stated, at)) = stated
            && u64::try_from(stated) != Ok(found as u64)
        {
            let message = format!("{stated} {what} are stated, but there are {found}");
            match usize::try_from(stated).is_ok_and(|stated| stated < found) {
                true => self.warn(codes::WRONG_COUNT, at, message),
                false => self.error(codes::WRONG_COUNT, at, message),
            }
        }
    }

    /// For how many elements memory may be reserved, given a stated count and the least bytes of text per element.
    fn room(&self, stated: Option<(i64, usize)>, least: usize) -> usize {
        let stated = stated.and_then(|(count, _)| usize::try_from(count).ok()).unwrap_or(0);
        stated.min(self.lexer.remaining() / least.max(1))
    }

    /// Counts a record; `false` when there are more than the limit.
    fn admit(&mut self) -> bool {
        self.records = self.records.saturating_add(1);
        if self.records > self.limits.records {
            self.error(codes::TOO_MANY_ERRORS, self.lexer.position, "more records than the limit");
            self.stopped = true;
        }
        !self.stopped
    }

    /// Parses a comment for this parser like text.
    fn in_comment(&mut self, (start, end): (usize, usize), run: impl FnOnce(&mut Self)) {
        let lexer = self.lexer;
        self.lexer = lexer.part(start, end);
        self.in_comment = true;
        run(self);
        self.in_comment = false;
        self.lexer = lexer;
    }
}
