//! Diagnostic codes of textures.

use effigy_wire::Code;

/// Some mip level of a texture is damaged.
pub const LEVEL: Code = Code("AST0101");
/// A texture's header says something that no known program means.
pub const ODD_HEADER: Code = Code("AST0102");
/// Only the first of several pictures in a file is read.
pub const FIRST_ONLY: Code = Code("AST0103");

/// Every code with its title and an explanation.
pub const ALL: &[(Code, &str, &str)] = &[
    (
        LEVEL,
        "damaged mip level",
        "A smaller version of the picture is missing or broken; it and those after it are left out.",
    ),
    (
        ODD_HEADER,
        "odd texture header",
        "A field has a value that no known program writes; it was read as the nearest sound one.",
    ),
    (
        FIRST_ONLY,
        "several pictures in one file",
        "Cube maps, arrays and volumes are read up to their first picture.",
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
