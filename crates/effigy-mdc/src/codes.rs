//! The codes of what the reader notices, with a title and an explanation each.

use effigy_wire::Code;

/// The stated size is not the file's.
pub const END: Code = Code("MDC0101");
/// Bytes between the parts.
pub const FILLER: Code = Code("MDC0102");
/// Parts that share bytes.
pub const OVERLAP: Code = Code("MDC0103");
/// A triangle with a vertex that is not there.
pub const VERTEX_INDEX: Code = Code("MDC0201");
/// A frame table entry that points to no frame.
pub const FRAME_INDEX: Code = Code("MDC0202");
/// A surface with fewer frames than the model.
pub const FRAME_COUNT: Code = Code("MDC0203");
/// Bounds with a minimum above the maximum.
pub const BOUNDS: Code = Code("MDC0301");
/// A number that is none.
pub const NOT_FINITE: Code = Code("MDC0302");
/// A surface without vertices or triangles.
pub const EMPTY_SURFACE: Code = Code("MDC0303");
/// A surface without shader.
pub const NO_SHADER: Code = Code("MDC0304");

/// Every code with its title and explanation.
pub const ALL: &[(Code, &str, &str)] = &[
    (
        END,
        "stated size is wrong",
        "The header states another size than the file has; games ignore it, other tools may read too far.",
    ),
    (
        FILLER,
        "bytes that belong to nothing",
        "Bytes between or behind the parts are kept, but no game reads them.",
    ),
    (
        OVERLAP,
        "parts share bytes",
        "Two parts of the file lie over each other; games read both, but an edit of one has to rearrange the file.",
    ),
    (
        VERTEX_INDEX,
        "triangle without vertex",
        "A triangle names a vertex that the surface does not have; games read beyond the vertices and may crash.",
    ),
    (
        FRAME_INDEX,
        "frame points nowhere",
        "A frame names a base or compressed frame that the surface does not have, so the frame cannot be decoded.",
    ),
    (
        FRAME_COUNT,
        "surface with too few frames",
        "The surface stores fewer frames than the model has; games read beyond its end when the later ones play.",
    ),
    (
        BOUNDS,
        "inverted bounds",
        "The smallest corner of a frame's bounds lies above the largest, so games cull the model wrongly.",
    ),
    (NOT_FINITE, "number that is none", "A bound, tag or texture coordinate is infinite or not a number."),
    (EMPTY_SURFACE, "empty surface", "The surface has no vertices or no triangles and draws nothing."),
    (NO_SHADER, "surface without shader", "Without a skin the surface is drawn with the default shader."),
];
