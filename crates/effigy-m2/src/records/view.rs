//! Views: the triangles of a model, split for hardware that has room for 256, 75, 53 or 21 bones.
//!
//! They are stored in the model before 264 and in `.skin` files from then on, with the same layout. A vertex's
//! "properties" are its bones as indices into the submesh's range of the bone combos: this holds for 500,224 of 500,224
//! weighted influences.

use super::BatchFlags;
use crate::block::{Block, elements};
use crate::version::Caps;
use effigy_wire::record;

record! {
    /// A version of the whole mesh for a number of bones that the hardware can handle.
    pub struct View(Caps) {
        /// The model's vertices that this view uses.
        pub vertices: Block<u16>,
        /// Three per triangle, into `vertices`.
        pub triangles: Block<u16>,
        /// Bones of each of `vertices`: indices into the submesh's range of the bone combos.
        pub properties: Block<[u8; 4]>,
        /// The parts of the mesh.
        pub submeshes: Block<Submesh>,
        /// What is drawn, in order.
        pub batches: Block<Batch>,
        /// Most bones that a submesh uses: 256, 75, 53, 21 for the four views.
        pub bone_limit: u32,
    }
}

record! {
    /// A part of the mesh.
    pub struct Submesh(Caps) {
        /// The part of a character that it is: group times 100 plus variant.
        pub id: u16,
        /// Upper half of the triangle start in later expansions; 0 here.
        pub level: u16,
        /// First of the view's vertices.
        pub vertex_start: u16,
        /// Number of vertices.
        pub vertex_count: u16,
        /// First of the view's triangle indices.
        pub triangle_start: u16,
        /// Number of triangle indices.
        pub triangle_count: u16,
        /// Number of bones that it uses.
        pub bone_count: u16,
        /// Index of its first bone in the bone combos.
        pub bone_start: u16,
        /// Most bones on one vertex, 1 to 4.
        pub bone_influences: u16,
        /// The bone nearest to its centre.
        pub center_bone: u16,
        /// Mean of its vertices.
        (point) pub center: [f32; 3],
        /// Centre for sorting by distance: the mean of the vertices or the centre of their box, whichever has the nearer
        /// farthest vertex. 260 on.
        (point) pub sort_center: [f32; 3] [Caps::SORTING],
        /// Distance of the farthest vertex from `sort_center`. 260 on.
        (length) pub sort_radius: f32 [Caps::SORTING],
    }
}

record! {
    /// One draw call: a submesh with its material and textures.
    pub struct Batch(Caps) {
        /// How it is drawn.
        pub flags: BatchFlags,
        /// Lower planes are drawn first; negative ones occur.
        pub priority_plane: i8 as (crate::codec::SignedByte),
        /// Shader in 264; before that a signed render order, 0 in nearly all files.
        pub shader: u16,
        /// The submesh.
        pub submesh: u16,
        /// The submesh before the mesh was split for fewer bones.
        pub geoset: u16,
        /// Colour, or -1.
        pub color: i16 = -1,
        /// Material.
        pub material: u16,
        /// Layer over the same submesh, from 0.
        pub layer: u16,
        /// Number of textures, 1 in all original files before 264.
        pub texture_count: u16 = 1,
        /// First texture combo.
        pub texture_combo: u16,
        /// First texture-coordinate combo.
        pub coord_combo: u16,
        /// Weight combo.
        pub weight_combo: u16,
        /// First texture-transform combo.
        pub transform_combo: u16,
    }
}

elements! {
    View { vertices, triangles, properties, submeshes, batches }
    Submesh {}
    Batch {}
}
