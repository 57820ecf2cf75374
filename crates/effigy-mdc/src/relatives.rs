//! Related formats of the same games, recognised by their first word so that errors can say what a file is. They are not
//! read by this crate.

use crate::Format;
use effigy_wire::{Error, Result, Tag};

const RELATIVES: [(Tag, &str); 4] = [
    (Tag::new(b"MDSW"), "MDS, a skeletal model of Return to Castle Wolfenstein"),
    (Tag::new(b"MDMW"), "MDM, a skeletal mesh of Enemy Territory"),
    (Tag::new(b"MDXW"), "MDX, the bones of an Enemy Territory model"),
    (Tag::new(b"TAG1"), "TAG, the tags of an Enemy Territory model"),
];

fn first_word(bytes: &[u8]) -> Option<Tag> {
    bytes.first_chunk().copied().map(Tag)
}

/// The name of the related format that a file has.
#[must_use]
pub fn relative(bytes: &[u8]) -> Option<&'static str> {
    let word = first_word(bytes)?;
    RELATIVES.iter().find(|(tag, _)| *tag == word).map(|&(_, name)| name)
}

/// The format of a file, by its first word.
pub(crate) fn format_of(bytes: &[u8]) -> Result<Format> {
    let Some(word) = first_word(bytes) else {
        return Err(Error::malformed(0, format!("{} bytes are too few for a model", bytes.len())));
    };
    if let Some(name) = relative(bytes) {
        return Err(Error::unsupported(format!("this is {name}: not supported yet")).at(0));
    }
    Format::with_ident(word)
        .ok_or_else(|| Error::malformed(0, format!("IDPC (MDC) or IDP3 (MD3) expected, found {word}")))
}
