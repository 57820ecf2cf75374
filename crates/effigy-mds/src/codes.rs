//! The codes of the problems that the reader reports, with a title and an explanation each.

use effigy_wire::Code;

/// The stated size is not the size of the file.
pub const END: Code = Code("MDS0101");
/// Bytes that do not belong to any part.
pub const FILLER: Code = Code("MDS0102");
/// Parts that share bytes.
pub const OVERLAP: Code = Code("MDS0103");
/// A triangle or collapse map entry with a vertex that does not exist.
pub const VERTEX_INDEX: Code = Code("MDS0201");
/// A weight, reference, tag or parent that refers to a bone that does not exist.
pub const BONE_INDEX: Code = Code("MDS0202");
/// Bones whose parents form a loop.
pub const BONE_LOOP: Code = Code("MDS0203");
/// A vertex without weights.
pub const NO_WEIGHTS: Code = Code("MDS0204");
/// A number that is infinite or NaN.
pub const NOT_FINITE: Code = Code("MDS0302");
/// A surface without vertices or triangles.
pub const EMPTY_SURFACE: Code = Code("MDS0303");

/// Every code with its title and explanation.
pub const ALL: &[(Code, &str, &str)] = &[
    (
        END,
        "stated size is wrong",
        "The header states a size that is not the size of the file. The games copy as many bytes as it states; if the file is \
         shorter, they read past its end.",
    ),
    (
        FILLER,
        "bytes outside all parts",
        "The file has bytes between or after its parts. They are kept, but games do not read them.",
    ),
    (
        OVERLAP,
        "parts share bytes",
        "Two parts of the file overlap. Games read both, but an edit of one changes the layout of the file.",
    ),
    (
        VERTEX_INDEX,
        "vertex that does not exist",
        "A triangle or an entry of the collapse map refers to a vertex that the surface does not have; games read past the \
         vertices and may crash.",
    ),
    (
        BONE_INDEX,
        "bone that does not exist",
        "A weight, a bone reference, a tag or a parent refers to a bone that the model does not have; games read past the \
         bones and may crash. The bones of an MDM are in its MDX, so there only negative numbers are found.",
    ),
    (
        BONE_LOOP,
        "bones in a loop",
        "The parents of some bones form a loop, so they have no place. The games search for the root until they crash.",
    ),
    (
        NO_WEIGHTS,
        "vertex without weights",
        "The vertex follows no bone and is drawn at the origin of the model.",
    ),
    (
        NOT_FINITE,
        "number that is not finite",
        "A bound, weight, distance, tag or texture coordinate is infinite or NaN.",
    ),
    (EMPTY_SURFACE, "empty surface", "The surface has no vertices or no triangles, so nothing is drawn."),
];
