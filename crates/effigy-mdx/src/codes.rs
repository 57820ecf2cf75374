//! Codes of the reader's diagnostics. The numbers are stable; new ones are added at the end of their group.

use effigy_wire::Code;

/// The version number is unknown.
pub const UNKNOWN_VERSION: Code = Code("MDX0101");
/// The version number and the layout disagree.
pub const VERSION_AND_LAYOUT: Code = Code("MDX0102");
/// A known chunk could not be decoded.
pub const OPAQUE_CHUNK: Code = Code("MDX0103");
/// The values of a chunk do not reproduce its bytes.
pub const GUARDED_CHUNK: Code = Code("MDX0104");
/// A chunk's stated size exceeds the file.
pub const CHUNK_PAST_END: Code = Code("MDX0105");
/// Bytes between or after chunks.
pub const STRAY_BYTES: Code = Code("MDX0106");
/// A track is outside the record that it belongs to.
pub const STRAY_TRACK: Code = Code("MDX0107");
/// A chunk occurs more than once.
pub const REPEATED_CHUNK: Code = Code("MDX0108");
/// A chunk that is not part of the format.
pub const UNKNOWN_CHUNK: Code = Code("MDX0109");
/// No version chunk.
pub const NO_VERSION: Code = Code("MDX0110");

/// Text that is not valid MDL.
pub const SYNTAX: Code = Code("MDL0101");
/// A block or string without an end.
pub const NOT_CLOSED: Code = Code("MDL0102");
/// A stated count is not the number of things that follow.
pub const WRONG_COUNT: Code = Code("MDL0103");
/// A value that its field cannot hold.
pub const BAD_VALUE: Code = Code("MDL0104");
/// More errors than are reported.
pub const TOO_MANY_ERRORS: Code = Code("MDL0105");
/// A word that its block does not have.
pub const UNKNOWN_WORD: Code = Code("MDL0201");
/// A block that MDL does not have.
pub const UNKNOWN_BLOCK: Code = Code("MDL0202");
/// No version block.
pub const NO_TEXT_VERSION: Code = Code("MDL0203");
/// A comment of Effigy that no longer matches the text.
pub const STALE_COMMENT: Code = Code("MDL0204");
/// A layer with texture slots in a version that has none.
pub const SLOTS_BECOME_LAYERS: Code = Code("MDL0205");

/// Text after the last block.
pub const TEXT_AFTER: Code = Code("MDL0206");

/// Every code with its title and what it means.
pub const ALL: &[(Code, &str, &str)] = &[
    (
        UNKNOWN_VERSION,
        "unknown version",
        "Chunks that still decode as in the nearest older version are decoded, the rest is preserved. The game \
         may refuse the file.",
    ),
    (
        VERSION_AND_LAYOUT,
        "version and layout disagree",
        "The records have the layout of another version than the file states. The file is read by its layout and \
         written unchanged; convert it to make both agree.",
    ),
    (
        OPAQUE_CHUNK,
        "chunk not decoded",
        "The chunk is not valid at the given offset. It is preserved and written back, but its content \
         cannot be shown or converted. The game may crash on it.",
    ),
    (
        GUARDED_CHUNK,
        "chunk kept as raw bytes besides its values",
        "All values were decoded, but writing them the usual way gives different bytes (a wrong count, an unusual order, \
         extra bytes). The original bytes are kept and written back as long as the chunk is not edited.",
    ),
    (
        CHUNK_PAST_END,
        "chunk runs past the end of the file",
        "The file was cut off or the chunk's size is wrong. The bytes that exist are preserved.",
    ),
    (
        STRAY_BYTES,
        "stray bytes",
        "These bytes do not belong to a chunk. They are preserved; the game may stop reading here.",
    ),
    (
        STRAY_TRACK,
        "track outside its record",
        "An exporter closed the record too early, so that the track looks like a chunk. The game does not play it; \
         it is preserved.",
    ),
    (
        REPEATED_CHUNK,
        "chunk more than once",
        "The model has the records of all of them in order; which ones the game uses is not known.",
    ),
    (
        UNKNOWN_CHUNK,
        "unknown chunk",
        "Added by some tool. The game skips it; it is preserved in its position.",
    ),
    (NO_VERSION, "no version", "The file has no VERS chunk; it is read as Warcraft III 800."),
    (
        SYNTAX,
        "not MDL",
        "Something else was expected here. The parser continues after it; this part is lost.",
    ),
    (NOT_CLOSED, "not closed", "The text ends inside a block or a string. What was read so far is kept."),
    (
        WRONG_COUNT,
        "wrong count",
        "The block states another number of entries than it has. The game uses the stated number; here all \
         entries are read.",
    ),
    (BAD_VALUE, "value out of range", "The field cannot hold this value. It keeps its default."),
    (TOO_MANY_ERRORS, "too many errors", "The parser stopped here; the rest was not read."),
    (
        UNKNOWN_WORD,
        "unknown word",
        "The block has no such property. It is skipped, and the rest of the block is read.",
    ),
    (UNKNOWN_BLOCK, "unknown block", "MDL has no such block. It is skipped, and the rest is read."),
    (NO_TEXT_VERSION, "no version", "The text has no Version block; it is read as Warcraft III 800."),
    (
        STALE_COMMENT,
        "outdated comment",
        "A comment that keeps bytes of the original file does not match its block, because the block was \
         edited. The comment is ignored.",
    ),
    (
        TEXT_AFTER,
        "text after the last block",
        "What comes after the last block is not MDL. It is kept and written back into MDL; MDX has no place for it.",
    ),
    (
        SLOTS_BECOME_LAYERS,
        "texture slots become layers",
        "Before version 1100 a layer holds one texture. A layer with several is read as one layer for each texture.",
    ),
];
