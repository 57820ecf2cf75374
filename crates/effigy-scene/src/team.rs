//! The players of Warcraft III: their colours, which textures and lights of models take on.
//!
//! One table for everyone who draws or writes them. Numbers 0 to 11 since the first version, 12 to 23 since Reforged.

/// Colours of the players, 0 to 23: red, green, blue.
pub const COLORS: [[u8; 3]; 24] = [
    [0xff, 0x03, 0x03],
    [0x00, 0x42, 0xff],
    [0x1b, 0xe7, 0xba],
    [0x55, 0x00, 0x81],
    [0xfe, 0xfc, 0x00],
    [0xfe, 0x89, 0x0d],
    [0x21, 0xbf, 0x00],
    [0xe4, 0x5c, 0xaf],
    [0x93, 0x95, 0x96],
    [0x7e, 0xbf, 0xf1],
    [0x10, 0x62, 0x47],
    [0x4f, 0x2b, 0x05],
    [0x9c, 0x00, 0x00],
    [0x00, 0x00, 0xc3],
    [0x00, 0xeb, 0xff],
    [0xbd, 0x00, 0xff],
    [0xec, 0xce, 0x87],
    [0xf7, 0xa5, 0x8b],
    [0xbf, 0xff, 0x81],
    [0xdb, 0xb8, 0xeb],
    [0x4f, 0x50, 0x55],
    [0xec, 0xf0, 0xff],
    [0x00, 0x78, 0x1e],
    [0xa5, 0x6f, 0x34],
];

/// Names of the players' colours, in their order.
pub const NAMES: [&str; 24] = [
    "red",
    "blue",
    "teal",
    "purple",
    "yellow",
    "orange",
    "green",
    "pink",
    "gray",
    "light blue",
    "dark green",
    "brown",
    "maroon",
    "navy",
    "turquoise",
    "violet",
    "wheat",
    "peach",
    "mint",
    "lavender",
    "coal",
    "snow",
    "emerald",
    "peanut",
];

/// The number of the player that a text names: a number below 24, or the name of a colour in upper or lower case.
#[must_use]
pub fn player(text: &str) -> Option<usize> {
    let known = NAMES.iter().position(|name| name.eq_ignore_ascii_case(text));
    known.or_else(|| text.parse().ok().filter(|number| *number < NAMES.len()))
}

/// The colour of a team; black for teams that do not exist, as neutral units have it.
#[must_use]
pub fn color(team: usize) -> [u8; 3] {
    COLORS.get(team).copied().unwrap_or([0x2e, 0x2d, 0x2e])
}
