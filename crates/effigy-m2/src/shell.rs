//! The chunks of later expansions: `MD21` holds a whole model, others are located before and after it.

use effigy_wire::{Cursor, Tag};

/// The chunk that holds the model.
pub(crate) const MODEL: Tag = Tag(*b"MD21");

/// A chunk before or after the model. It is not decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// Its name.
    pub tag: Tag,
    /// Its contents.
    pub bytes: Vec<u8>,
}

/// The chunks around a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shell {
    /// Chunks before the model.
    pub before: Vec<Chunk>,
    /// Chunks after the model.
    pub after: Vec<Chunk>,
    /// Bytes at the end that are not a complete chunk.
    pub rest: Vec<u8>,
}

/// Reads the next chunk. The cursor does not move if there is none.
fn chunk<'a>(cursor: &mut Cursor<'a>) -> Option<(Tag, Cursor<'a>)> {
    let mut ahead = *cursor;
    let tag = ahead.tag().ok()?;
    let size = ahead.count().ok()?;
    let window = ahead.window(size).ok()?;
    *cursor = ahead;
    Some((tag, window))
}

/// Splits a file into the model and the chunks around it. `None` if there is no complete `MD21` chunk.
pub(crate) fn open(bytes: &[u8]) -> Option<(Cursor<'_>, Shell)> {
    let mut cursor = Cursor::new(bytes);
    let mut shell = Shell::default();
    let mut model = None;
    while let Some((tag, window)) = chunk(&mut cursor) {
        if tag == MODEL && model.is_none() {
            model = Some(window);
        } else {
            let list = if model.is_none() { &mut shell.before } else { &mut shell.after };
            list.push(Chunk { tag, bytes: window.rest().to_vec() });
        }
    }
    shell.rest = cursor.rest().to_vec();
    Some((model?, shell))
}

impl Shell {
    /// The bytes of the file: the chunks around this model.
    pub(crate) fn close(&self, model: &[u8]) -> Option<Vec<u8>> {
        let mut out = Vec::with_capacity(model.len().saturating_add(1024));
        let mut put = |tag: Tag, bytes: &[u8]| {
            out.extend(tag.0);
            out.extend(u32::try_from(bytes.len()).ok()?.to_le_bytes());
            out.extend(bytes);
            Some(())
        };
        for chunk in &self.before {
            put(chunk.tag, &chunk.bytes)?;
        }
        put(MODEL, model)?;
        for chunk in &self.after {
            put(chunk.tag, &chunk.bytes)?;
        }
        out.extend(&self.rest);
        Some(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_model_chunk_is_the_model_and_the_others_are_kept_around_it() {
        let bytes = b"AFID\x02\0\0\0abMD21\x03\0\0\0xyzMD21\x01\0\0\0qSFID\0\0\0\0SF";
        let (model, shell) = open(bytes).unwrap();
        assert_eq!((model.rest(), model.position()), (&b"xyz"[..], 18));
        let tags = |chunks: &[Chunk]| -> Vec<(Tag, Vec<u8>)> {
            chunks.iter().map(|chunk| (chunk.tag, chunk.bytes.clone())).collect()
        };
        assert_eq!(tags(&shell.before), [(Tag(*b"AFID"), b"ab".to_vec())]);
        assert_eq!(tags(&shell.after), [(MODEL, b"q".to_vec()), (Tag(*b"SFID"), vec![])]);
        assert_eq!(shell.rest, b"SF");
        assert_eq!(shell.close(b"xyz").unwrap(), bytes);
        assert!(open(b"AFID\x02\0\0\0ab").is_none());
        assert!(open(b"MD21\x09\0\0\0ab").is_none());
    }
}
