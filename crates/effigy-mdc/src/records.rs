//! The fixed records of the file: header, frame, tag, surface header and shader.
//!
//! Layout: the game's own header files; real files agree with them in every byte. Counts and offsets are stored here as
//! the file states them; the [`Model`](crate::Model) has lists instead.

use crate::version::Caps;
use effigy_wire::{BoundsMut, FixedStr, Space, Spatial, Tag as Word, record};

/// A name in a file of this family: a path or a plain name, 63 characters and a NUL.
pub type Name = FixedStr<64>;

record! {
    /// The start of the file. Offsets are relative to the start of the file.
    pub struct Header(Caps) {
        /// `IDPC` or `IDP3`.
        pub ident: Word,
        /// 2 for MDC, 15 for MD3.
        pub version: i32,
        /// Usually the path of the MD3 that the model was made from.
        pub name: Name,
        /// Zero in real MDC files; some MD3 exporters leave numbers here.
        pub flags: i32,
        /// Number of frames, at least 1.
        pub num_frames: i32,
        /// Number of tags in each frame.
        pub num_tags: i32,
        /// Number of surfaces; 0 in models that only have tags.
        pub num_surfaces: i32,
        /// Unused; 0 in every file seen.
        pub num_skins: i32,
        /// Offset of the frames.
        pub ofs_frames: i32,
        /// Offset of the tag names.
        pub ofs_tag_names: i32 [Caps::COMPRESSED],
        /// Offset of the tags, frame by frame.
        pub ofs_tags: i32,
        /// Offset of the first surface.
        pub ofs_surfaces: i32,
        /// The size of the file.
        pub ofs_end: i32,
    }
}

record! {
    /// The bounds of one frame. Games use them for culling; they do not move the vertices.
    pub struct Frame(Caps) spatial by hand {
        /// Smallest x, y and z, in units.
        pub min: [f32; 3],
        /// Largest x, y and z, in units.
        pub max: [f32; 3],
        /// Centre of the culling sphere, in units. It is not added to the vertices.
        pub local_origin: [f32; 3],
        /// Radius of the culling sphere, in units.
        pub radius: f32,
        /// A note by the exporter, such as `(from ASE)`.
        pub name: FixedStr<16>,
    }
}

/// The sphere is about its own centre.
impl Spatial for Frame {
    fn walk_space(&mut self, space: &mut dyn Space) {
        let Self { min, max, local_origin, radius, name: _ } = self;
        space.bounds(BoundsMut { min, max, radius: None, in_model_space: true });
        space.point(local_origin);
        space.length(radius);
    }
}

record! {
    /// A tag in one frame of an MDC. The names are stored once, in a separate list.
    pub struct PackedTag(Caps) {
        /// Position in 1/64 units.
        pub origin: [i16; 3],
        /// Pitch, yaw and roll in 360/32700 degrees.
        pub angles: [i16; 3],
    }
}

record! {
    /// A tag in one frame of an MD3.
    pub struct Tag(Caps) {
        /// Its name, the same in each frame.
        pub name: Name,
        /// Position in units.
        (point) pub origin: [f32; 3],
        /// Forward, left and up: three rows of three.
        (axes) pub axes: [f32; 9] = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
    }
}

record! {
    /// The start of a surface. Offsets are relative to the start of the surface.
    pub struct SurfaceHeader(Caps) {
        /// `IDP3` in MD3; a number from the game's memory, 7, in MDC.
        pub ident: Word,
        /// Skins refer to the surface by this name.
        pub name: Name,
        /// Ignored by the games; often uninitialised.
        pub flags: i32,
        /// Number of compressed frames.
        pub num_comp_frames: i32 [Caps::COMPRESSED],
        /// Number of frames stored in full: base frames in MDC, all frames in MD3.
        pub num_base_frames: i32,
        /// Number of shaders, nearly always 1.
        pub num_shaders: i32,
        /// Number of vertices in each frame.
        pub num_verts: i32,
        /// Number of triangles.
        pub num_triangles: i32,
        /// Offset of the triangles: three 32-bit vertex indices each, clockwise.
        pub ofs_triangles: i32,
        /// Offset of the shaders.
        pub ofs_shaders: i32,
        /// Offset of the texture coordinates: two floats per vertex, `t` from the top.
        pub ofs_st: i32,
        /// Offset of the frames stored in full: 8 bytes per vertex.
        pub ofs_xyz_normals: i32,
        /// Offset of the compressed frames: 4 bytes per vertex.
        pub ofs_xyz_compressed: i32 [Caps::COMPRESSED],
        /// Offset of the table with the base frame of each frame: 16 bits per frame.
        pub ofs_frame_base_frames: i32 [Caps::COMPRESSED],
        /// Offset of the table with the compressed frame of each frame: 16 bits per frame, negative for none.
        pub ofs_frame_comp_frames: i32 [Caps::COMPRESSED],
        /// Offset of the next surface.
        pub ofs_end: i32,
    }
}

record! {
    /// A shader, that is, the name of a script or of a texture.
    pub struct Shader(Caps) {
        /// Path of a texture (usually with `.tga`) or name of a script.
        pub name: Name,
        /// A number from the game's memory; the games overwrite it after loading.
        pub index: i32,
    }
}
