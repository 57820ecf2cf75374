//! Diagnostic codes of folders and archives.

use effigy_wire::Code;

/// The archive violates its format and was repaired in memory.
pub const RECOVERED: Code = Code("AST0001");
/// The names of some files in an archive are unknown.
pub const UNNAMED: Code = Code("AST0002");
/// A list of names could not be read.
pub const LISTFILE: Code = Code("AST0003");
/// An entry is a symbolic link.
pub const LINK: Code = Code("AST0004");
/// An entry cannot be read.
pub const ENTRY: Code = Code("AST0005");
/// There are more entries than the limits allow.
pub const TOO_MANY: Code = Code("AST0006");
/// Two entries have the same name.
pub const SAME_NAME: Code = Code("AST0007");

/// Every code with its title and an explanation.
pub const ALL: &[(Code, &str, &str)] = &[
    (
        RECOVERED,
        "damaged or protected archive",
        "The archive violates the MPQ format; its files were found nevertheless.",
    ),
    (
        UNNAMED,
        "files without a name",
        "The archive stores hashes instead of names, and neither its list of names nor any file in it mentions these: they are listed as FileNNNNNNNN.",
    ),
    (
        LISTFILE,
        "unreadable list of names",
        "The archive's (listfile) is damaged; known names are tried instead.",
    ),
    (LINK, "symbolic link", "Links inside folders and archives are never followed."),
    (
        ENTRY,
        "unreadable entry",
        "The entry's data is damaged, encrypted with an unknown key, or compressed with an unknown method.",
    ),
    (TOO_MANY, "too many entries", "The remaining entries are left out; raise the limit to see them."),
    (
        SAME_NAME,
        "files of the same name",
        "Two entries have the same name (upper and lower case are the same in the games); only the later one can be read.",
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
