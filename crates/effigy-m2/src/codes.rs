//! The codes of what a reader may notice.

use effigy_wire::Code;

/// A block that a count and an offset name is not inside the file.
pub const BLOCK_OUTSIDE: Code = Code("M20101");
/// The blocks of the file overlap so much that reading them all would take more memory than a model needs.
pub const BLOCKS_PILED: Code = Code("M20102");
/// Blocks share bytes.
pub const BLOCKS_OVERLAP: Code = Code("M20103");
/// Bytes that no block names.
pub const BYTES_UNNAMED: Code = Code("M20104");
/// The file has a version later than those that are fully known.
pub const LATER_VERSION: Code = Code("M20105");
/// A chunk of the shell around the model is kept as it is.
pub const CHUNK_KEPT: Code = Code("M20106");
/// The shell around the model has bytes that are no chunk.
pub const SHELL_BROKEN: Code = Code("M20107");
/// Keys of a `.anim` file are not inside it.
pub const ANIM_OUTSIDE: Code = Code("M20108");

/// All codes with a title and an explanation.
pub const ALL: &[(Code, &str, &str)] = &[
    (
        BLOCK_OUTSIDE,
        "block outside the file",
        "A count and an offset name an array that does not fit into the file; the array is left out, its count and \
         offset are written back as they are, and the rest of the model is not touched.",
    ),
    (
        BLOCKS_PILED,
        "blocks piled up",
        "So many blocks name the same bytes that the model would need far more memory than its file has; the blocks \
         beyond that are left out and written back as they are.",
    ),
    (
        BLOCKS_OVERLAP,
        "blocks overlap",
        "Two or more blocks share bytes, as in files made by some converters; they are written back to the same \
         places as long as they agree.",
    ),
    (
        BYTES_UNNAMED,
        "bytes that no block names",
        "The file has bytes other than zero that belong to no block; they are kept and written back.",
    ),
    (
        LATER_VERSION,
        "a later version",
        "The model was made for a later expansion; what is known of it is decoded and the rest is kept as bytes.",
    ),
    (
        CHUNK_KEPT,
        "chunk kept as it is",
        "The shell of later expansions holds a chunk beside the model that is not decoded; it is written back as it \
         is.",
    ),
    (
        SHELL_BROKEN,
        "shell with loose bytes",
        "The chunks around the model end with bytes that are no whole chunk; they are kept and written back.",
    ),
    (
        ANIM_OUTSIDE,
        "keys outside the animation file",
        "A track names keys that do not fit into the .anim file; those keys are left out.",
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
