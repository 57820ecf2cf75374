//! Ribbon emitters (`RIBB`): a band that the node leaves behind. WoW alpha begins with an inner size.

use super::Node;
use crate::track::Tracks;
use crate::version::Caps;
use effigy_wire::record;

record! {
    /// Draws a band behind itself.
    pub struct RibbonEmitter(Caps) sized {
        /// The node.
        pub node: Node,
        /// Size of the fields up to the tracks, including this word; no known reader uses it.
        pub content_size: u32 [Caps::WOW] = 56,
        /// Half height above the path.
        (length) pub height_above: f32,
        /// Half height below the path.
        (length) pub height_below: f32,
        /// Opacity, 0 to 1.
        (plain) pub alpha: f32 = 1.0,
        /// Colour; red, green, blue.
        (plain) pub color: [f32; 3] = [1.0; 3],
        /// Seconds that an edge lives.
        (plain) pub life_span: f32,
        /// Cell of the texture.
        pub texture_slot: u32,
        /// Edges per second.
        pub emission_rate: u32,
        /// Rows of cells in the texture.
        pub rows: u32 = 1,
        /// Columns of cells in the texture.
        pub columns: u32 = 1,
        /// Index of the material.
        pub material: u32,
        /// Downward acceleration of edges.
        (length) pub gravity: f32,
        /// Its tracks; the table of tracks lists those that it can have.
        pub tracks: Tracks,
    }
}
