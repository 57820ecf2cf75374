//! Diagnostic codes of textures.

use effigy_wire::Code;

/// A mip level of a texture is damaged.
pub const LEVEL: Code = Code("AST0101");
/// A field of a texture's header has an unusual value.
pub const ODD_HEADER: Code = Code("AST0102");
/// Only the first of several images in a file is read.
pub const FIRST_ONLY: Code = Code("AST0103");

/// Every code with its title and an explanation.
pub const ALL: &[(Code, &str, &str)] = &[
    (
        LEVEL,
        "damaged mip level",
        "A mip level of the texture is missing or damaged; it and the smaller ones are left out.",
    ),
    (
        ODD_HEADER,
        "unusual texture header",
        "A field has a value that no known program writes; it was read as the nearest valid value.",
    ),
    (
        FIRST_ONLY,
        "several images in one file",
        "Of cube maps, arrays and volume textures, only the first image is read.",
    ),
];

#[cfg(test)]
mod tests {
    use super::ALL;

    #[test]
    fn codes_are_unique_and_in_order() {
        assert!(ALL.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }
}
