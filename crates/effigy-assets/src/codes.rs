//! What this crate may have to say about an archive.

use effigy_wire::Code;

/// The archive breaks its format, and something was put right in memory to read it.
pub const RECOVERED: Code = Code("AST0001");
/// An archive says that it has files, but not what they are called.
pub const UNNAMED: Code = Code("AST0002");
/// A list of names could not be read.
pub const LISTFILE: Code = Code("AST0003");
/// An entry is a symbolic link.
pub const LINK: Code = Code("AST0004");
/// An entry cannot be read.
pub const ENTRY: Code = Code("AST0005");
/// There are more entries than the limits allow.
pub const TOO_MANY: Code = Code("AST0006");

/// Every code with its title and an explanation.
pub const ALL: &[(Code, &str, &str)] = &[
    (
        RECOVERED,
        "damaged or protected archive",
        "The archive breaks the MPQ format; its files were found all the same.",
    ),
    (
        UNNAMED,
        "files without a name",
        "The archive keeps hashes instead of names, and no list and no model mentions these: they are called FileNNNNNNNN.",
    ),
    (
        LISTFILE,
        "unreadable list of names",
        "The archive's (listfile) is damaged; names are tried one by one instead.",
    ),
    (LINK, "symbolic link", "Links inside folders and archives are never followed."),
    (
        ENTRY,
        "unreadable entry",
        "The entry's data is damaged, encrypted with an unknown key, or packed in an unknown way.",
    ),
    (TOO_MANY, "too many entries", "The rest of the entries is left out; raise the limit to see them."),
];

#[cfg(test)]
mod tests {
    use super::ALL;

    #[test]
    fn codes_are_unique_and_in_order() {
        assert!(ALL.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }
}
