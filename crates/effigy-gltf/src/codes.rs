//! The codes of the problems that the reader reports, with a title and an explanation each.

use effigy_wire::Code;

/// The file requires an extension that is not read.
pub const REQUIRED: Code = Code("GLTF0101");
/// The file names something outside its folder.
pub const ELSEWHERE: Code = Code("GLTF0102");

/// Every code with its title and explanation.
pub const ALL: &[(Code, &str, &str)] = &[
    (
        REQUIRED,
        "required extension is not read",
        "The file states that it cannot be understood without an extension that Effigy does not read, such as compressed meshes. It can \
         be listed, but neither drawn nor converted. `gltf-transform` can often remove the extension.",
    ),
    (
        ELSEWHERE,
        "address outside the folder",
        "A buffer or an image is named by an absolute address, or by one that leaves the folder of the file. It is not read.",
    ),
];
