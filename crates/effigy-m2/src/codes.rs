//! The codes of the problems that the reader reports.

use effigy_wire::Code;

/// The count and offset of a block lead outside the file.
pub const BLOCK_OUTSIDE: Code = Code("M20101");
/// The blocks of the file overlap so much that reading them all would take more memory than a model needs.
pub const BLOCKS_PILED: Code = Code("M20102");
/// Blocks overlap.
pub const BLOCKS_OVERLAP: Code = Code("M20103");
/// Bytes that do not belong to any block.
pub const BYTES_UNNAMED: Code = Code("M20104");
/// The file has a version later than those that are fully known.
pub const LATER_VERSION: Code = Code("M20105");
/// A chunk around the model is kept without being decoded.
pub const CHUNK_KEPT: Code = Code("M20106");
/// The chunks around the model end with bytes that are not a chunk.
pub const SHELL_BROKEN: Code = Code("M20107");
/// Keys that should be in a `.anim` file are not inside it.
pub const ANIM_OUTSIDE: Code = Code("M20108");

/// All codes with a title and an explanation.
pub const ALL: &[(Code, &str, &str)] = &[
    (
        BLOCK_OUTSIDE,
        "block outside the file",
        "A count and an offset refer to an array that does not fit into the file. The array is left out, its count and \
         offset are written back unchanged, and the rest of the model is not affected.",
    ),
    (
        BLOCKS_PILED,
        "too many overlapping blocks",
        "So many blocks share the same bytes that the model would need far more memory than its file; the blocks beyond \
         the limit are left out, and their counts and offsets are written back unchanged.",
    ),
    (
        BLOCKS_OVERLAP,
        "blocks overlap",
        "Two or more blocks share bytes, as in files made by some converters. They are written back to the same \
         offsets as long as an edit does not make them contradict each other.",
    ),
    (
        BYTES_UNNAMED,
        "bytes outside all blocks",
        "The file has non-zero bytes that do not belong to any block; they are kept and written back.",
    ),
    (
        LATER_VERSION,
        "later version",
        "The model was made for a later expansion. What is known about it is decoded; the rest is kept as bytes.",
    ),
    (
        CHUNK_KEPT,
        "chunk not decoded",
        "A file of a later expansion has a chunk before or after the model that is not decoded; it is written back \
         unchanged.",
    ),
    (
        SHELL_BROKEN,
        "incomplete chunk at the end",
        "The chunks around the model end with bytes that are not a complete chunk; they are kept and written back.",
    ),
    (
        ANIM_OUTSIDE,
        "keys outside the animation file",
        "A track refers to keys that do not fit into the .anim file; those keys are left out.",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_in_order() {
        assert!(ALL.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert!(ALL.iter().all(|(code, ..)| code.0.starts_with("M20") && code.0.len() == 6));
    }
}
