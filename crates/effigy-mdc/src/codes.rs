//! The codes of the problems that the reader reports, with a title and an explanation each.

use effigy_wire::Code;

/// The stated size is not the size of the file.
pub const END: Code = Code("MDC0101");
/// Bytes that do not belong to any part.
pub const FILLER: Code = Code("MDC0102");
/// Parts that share bytes.
pub const OVERLAP: Code = Code("MDC0103");
/// A triangle with a vertex that does not exist.
pub const VERTEX_INDEX: Code = Code("MDC0201");
/// A frame table entry that refers to a frame that does not exist.
pub const FRAME_INDEX: Code = Code("MDC0202");
/// A surface with fewer frames than the model.
pub const FRAME_COUNT: Code = Code("MDC0203");
/// Bounds with a minimum above the maximum.
pub const BOUNDS: Code = Code("MDC0301");
/// A number that is infinite or NaN.
pub const NOT_FINITE: Code = Code("MDC0302");
/// A surface without vertices or triangles.
pub const EMPTY_SURFACE: Code = Code("MDC0303");
/// A surface without a shader.
pub const NO_SHADER: Code = Code("MDC0304");

/// Every code with its title and explanation.
pub const ALL: &[(Code, &str, &str)] = &[
    (
        END,
        "stated size is wrong",
        "The header states a size that is not the size of the file. Games ignore it, but other tools may read too far.",
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
        "triangle with a missing vertex",
        "A triangle refers to a vertex that the surface does not have; games read past the vertices and may crash.",
    ),
    (
        FRAME_INDEX,
        "frame that does not exist",
        "A frame refers to a base or compressed frame that the surface does not have, so it cannot be decoded.",
    ),
    (
        FRAME_COUNT,
        "surface with too few frames",
        "The surface stores fewer frames than the model has; games read past its end when they show the later ones.",
    ),
    (
        BOUNDS,
        "inverted bounds",
        "The minimum of a frame's bounds is greater than the maximum, so games may cull the model when it is visible.",
    ),
    (NOT_FINITE, "number that is not finite", "A bound, tag or texture coordinate is infinite or NaN."),
    (EMPTY_SURFACE, "empty surface", "The surface has no vertices or no triangles, so nothing is drawn."),
    (NO_SHADER, "surface without a shader", "Without a skin the surface is drawn with the default shader."),
];
