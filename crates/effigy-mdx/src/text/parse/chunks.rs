//! The frame of the file, from the comment that keeps it.

use super::Parser;
use super::blocks::Span;
use crate::chunks::ChunkKind;
use crate::codes;
use crate::model::{Content, Guard, Model, Slot, VERS, stray_caps};
use crate::text::keep::{fingerprint, read_hex};
use crate::text::lexer::Token;
use crate::text::print::payload;
use crate::track::Track;
use crate::write::plan;
use effigy_wire::{Cursor, Tag, Wire};

/// A guard that is attached once the records of its chunk are known: slot, fingerprint, bytes.
type Waiting = (usize, Vec<u8>, Vec<u8>);

impl Parser<'_> {
    /// Restores the order of chunks from the comment.
    pub(super) fn frame(&mut self, model: &mut Model, span: Span) {
        let mut slots = Vec::new();
        let mut guards = Vec::new();
        let mut whole = false;
        self.in_comment(span, |parser| {
            parser.lexer.next();
            whole = parser.lexer.eat(b'{') && parser.slots(model, &mut slots, &mut guards);
        });
        if !whole {
            let message = "this comment about chunks cannot be read; they are put in the usual order";
            return self.warn(codes::STALE_COMMENT, span.0, message);
        }
        model.slots = slots;
        self.guards(model, guards, span);
    }

    fn slots(&mut self, model: &Model, slots: &mut Vec<Slot>, guards: &mut Vec<Waiting>) -> bool {
        loop {
            let word = match self.lexer.next() {
                Token::Close => return true,
                Token::Comma => continue,
                Token::Word(word) => word,
                _ => return false,
            };
            if slots.len() >= self.limits.records {
                return false;
            }
            let Some((tag, content)) = self.slot(model, word, slots.len(), guards) else { return false };
            slots.push(Slot { tag, offset: 0, content });
        }
    }

    fn slot(
        &mut self,
        model: &Model,
        word: &[u8],
        index: usize,
        guards: &mut Vec<Waiting>,
    ) -> Option<(Tag, Content)> {
        match word {
            b"Kept" => {
                let Token::Text(tag) = self.lexer.next() else { return None };
                let tag = Tag(tag.try_into().ok()?);
                let size = u32::try_from(self.lexer.int()?).ok()?;
                let payload = self.hex()?;
                let opaque = tag == VERS || ChunkKind::is_known(tag);
                Some((tag, Content::Kept { payload, size, opaque }))
            }
            b"Stray" => Some((Tag::default(), Content::Stray(self.hex()?))),
            b"Track" => {
                let track = Track::read(&mut Cursor::new(&self.hex()?), stray_caps()).ok()?;
                Some((track.tag(), Content::Track(track)))
            }
            b"Guard" => {
                let tag = self.tag()?;
                let kind = ChunkKind::of(tag, model.caps())?;
                let count = usize::try_from(self.lexer.int()?).ok()?;
                let Token::Text(print) = self.lexer.next() else { return None };
                guards.push((index, print.to_vec(), self.hex()?));
                Some((tag, Content::Records { kind, count, guard: None }))
            }
            b"VERS" => Some((VERS, Content::Version)),
            _ => {
                let tag = Tag(word.try_into().ok()?);
                let kind = ChunkKind::of(tag, model.caps())?;
                let count = self.lexer.int().and_then(|count| usize::try_from(count).ok());
                let count = count.unwrap_or_else(|| model.lists.count(kind));
                Some((tag, Content::Records { kind, count, guard: None }))
            }
        }
    }

    fn hex(&mut self) -> Option<Vec<u8>> {
        match self.lexer.next() {
            Token::Text(text) => read_hex(text),
            _ => None,
        }
    }

    /// Attaches guards to chunks whose records are still those that they were made for.
    fn guards(&mut self, model: &mut Model, guards: Vec<Waiting>, span: Span) {
        for (index, print, source) in guards {
            // New slots may come before this one, so that it is found by counting the records of its kind.
            let Some(slot) = model.slots.get(index) else { continue };
            let Content::Records { kind, .. } = slot.content else { continue };
            let same = |slot: &Slot| matches!(slot.content, Content::Records { kind: of, .. } if of == kind);
            let before = model.slots.iter().take(index).filter(|slot| same(slot)).count();
            let range =
                plan(model).iter().filter(|step| same(&step.slot)).nth(before).map(|step| step.range.clone());
            let canonical = range.and_then(|range| payload(model, kind, &range));
            let matches = |bytes: &Vec<u8>| format!("{:016x}", fingerprint(bytes)).as_bytes() == print;
            match canonical.filter(matches) {
                Some(canonical) => {
                    if let Some(Slot { content: Content::Records { guard, .. }, .. }) =
                        model.slots.get_mut(index)
                    {
                        *guard = Some(Box::new(Guard { source, canonical }));
                    }
                }
                None => {
                    let tag = kind.tag();
                    let message = format!(
                        "{tag} was edited since this comment was written; its kept bytes are ignored"
                    );
                    self.warn(codes::STALE_COMMENT, span.0, message);
                }
            }
        }
    }
}
