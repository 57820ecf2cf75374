//! The fixed records of the files: header, frame, bone, surface header, vertex and tag.
//!
//! Layout: the games' own header files; real files agree with them in every byte. Counts and offsets are stored here as
//! the file states them; the [`Model`](crate::Model) has lists instead.

use crate::version::Caps;
use bytemuck::{Pod, Zeroable};
use effigy_wire::{
    BoundsMut, Cursor, FixedStr, Label, Result, Sink, Space, Spatial, Tag as Word, Tree, Wire, record,
};

/// A name in a file of this family: 63 characters and a NUL. Many real names are followed by random bytes.
pub type Name = FixedStr<64>;

record! {
    /// The start of the file. Offsets are relative to the start of the file.
    pub struct Header(Caps) {
        /// `MDSW`, `MDMW` or `MDXW`.
        pub ident: Word,
        /// 4 for MDS, 3 for MDM, 2 for MDX.
        pub version: i32,
        /// The path of the model.
        pub name: Name,
        /// Multiplies the size on the screen before the level of detail is chosen.
        (plain) pub lod_scale: f32 [Caps::MESH],
        /// Is subtracted from the level of detail; -1: always all vertices.
        (plain) pub lod_bias: f32 [Caps::MESH],
        /// Number of frames; at least 1 in MDS.
        pub num_frames: i32 [Caps::SKELETON],
        /// Number of bones.
        pub num_bones: i32 [Caps::SKELETON],
        /// Offset of the frames.
        pub ofs_frames: i32 [Caps::SKELETON],
        /// Offset of the bones.
        pub ofs_bones: i32 [Caps::SKELETON],
        /// The bone that the torso turns about.
        pub torso_parent: i32 [Caps::SKELETON],
        /// Number of surfaces.
        pub num_surfaces: i32 [Caps::MESH],
        /// Offset of the first surface.
        pub ofs_surfaces: i32 [Caps::MESH],
        /// Number of tags.
        pub num_tags: i32 [Caps::MESH],
        /// Offset of the first tag.
        pub ofs_tags: i32 [Caps::MESH],
        /// The size of the file.
        pub ofs_end: i32,
    }
}

record! {
    /// One frame. In the file each frame is followed by its bones ([`BoneKey`]).
    pub struct Frame(Caps) spatial by hand {
        /// Smallest x, y and z of all vertices (MDS). In MDX it is the origin plus the radius.
        pub min: [f32; 3],
        /// Largest x, y and z of all vertices (MDS). In MDX it is the origin minus the radius.
        pub max: [f32; 3],
        /// Centre of the culling sphere.
        pub local_origin: [f32; 3],
        /// Radius of the culling sphere; in MDS the distance from zero to the farthest corner of the box.
        pub radius: f32,
        /// Position of the root bone.
        pub parent_offset: [f32; 3],
    }
}

/// In MDX the corners are the wrong way round; they stay so. Normals and offsets elsewhere are in the space of a bone.
impl Spatial for Frame {
    fn walk_space(&mut self, space: &mut dyn Space) {
        let Self { min, max, local_origin, radius, parent_offset } = self;
        space.bounds(BoundsMut { min, max, radius: None, in_model_space: true });
        space.point(local_origin);
        space.length(radius);
        space.point(parent_offset);
    }
}

/// A bone in one frame: its rotation and the direction from its parent, both in model space, in 1/65536 turns.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Pod, Zeroable)]
pub struct BoneKey {
    /// Pitch, yaw and roll.
    pub angles: [i16; 3],
    /// 0 in MDS, random in MDX; games ignore it.
    pub unused: i16,
    /// Pitch and yaw of the direction from the parent.
    pub offset: [i16; 2],
}

record! {
    /// A bone: its parent and its distance from it.
    pub struct Bone(Caps) {
        /// Its name.
        pub name: Name,
        /// The bone that carries it; -1 for the root.
        pub parent: i32,
        /// How far it follows the torso's animation instead of the legs': 0 to 1.
        (plain) pub torso_weight: f32,
        /// Distance from its parent in units; random for the root.
        (length) pub parent_dist: f32,
        /// Bit 0: a tag (MDS).
        pub flags: i32,
    }
}

record! {
    /// The start of a surface. Offsets are relative to the start of the surface.
    pub struct SurfaceHeader(Caps) {
        /// A number from the memory of the program that wrote the file: 8 in MDS, 9 in MDM.
        pub ident: i32,
        /// Skins refer to the surface by this name, in lower case.
        pub name: Name,
        /// Empty in every file seen: skins name the shaders.
        pub shader: Name,
        /// Overwritten when the game loads the file.
        pub shader_index: i32,
        /// The fewest vertices that are drawn.
        pub min_lod: i32,
        /// Minus the offset of the surface in the file.
        pub ofs_header: i32,
        /// Number of vertices.
        pub num_verts: i32,
        /// Offset of the vertices.
        pub ofs_verts: i32,
        /// Number of triangles.
        pub num_triangles: i32,
        /// Offset of the triangles: three 32-bit vertex indices each, clockwise.
        pub ofs_triangles: i32,
        /// Offset of the collapse map: one 32-bit vertex index per vertex.
        pub ofs_collapse_map: i32,
        /// Number of bone references.
        pub num_bone_references: i32,
        /// Offset of the bone references: 32-bit bone indices, parents before children.
        pub ofs_bone_references: i32,
        /// Offset of the next surface.
        pub ofs_end: i32,
    }
}

record! {
    /// The start of a vertex, which is followed by its weights ([`Weight`]).
    pub struct VertexHeader(Caps) {
        /// Direction in the space of the first weight's bone.
        (plain) pub normal: [f32; 3],
        /// `s` and `t`, `t` from the top.
        (plain) pub texcoord: [f32; 2],
        /// Number of weights.
        pub num_weights: i32,
        /// Not used for drawing; 0 in every file seen.
        pub fixed_parent: i32 [Caps::WHOLE],
        /// Not used for drawing; 0 in every file seen.
        (length) pub fixed_dist: f32 [Caps::WHOLE],
    }
}

/// The share of a bone in the position of a vertex.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct Weight {
    /// Index in the list of all bones (not in the references of the surface).
    pub bone: i32,
    /// The share; all shares of a vertex add up to 1.
    pub weight: f32,
    /// The vertex in the space of the bone.
    pub offset: [f32; 3],
}

/// Only for walks and dumps: readers copy all weights of a vertex at once.
impl Wire<Caps> for Weight {
    fn read(cursor: &mut Cursor<'_>, _: Caps) -> Result<Self> {
        Ok(bytemuck::pod_read_unaligned(cursor.take(size_of::<Self>())?))
    }

    fn write<S: Sink>(&self, sink: &mut S, caps: Caps) {
        let Self { bone, weight, offset } = self;
        field(sink, "bone", bone, caps);
        field(sink, "weight", weight, caps);
        field(sink, "offset", offset, caps);
    }

    fn parse(tree: &Tree<'_>, caps: Caps) -> Result<Self> {
        tree.only(&["bone", "weight", "offset"])?;
        Ok(Self {
            bone: tree.field("bone", caps)?,
            weight: tree.field("weight", caps)?,
            offset: tree.field("offset", caps)?,
        })
    }
}

fn field<S: Sink>(sink: &mut S, name: &'static str, value: &impl Wire<Caps>, caps: Caps) {
    sink.enter(Label::Field(name));
    value.write(sink, caps);
    sink.leave();
}

record! {
    /// The start of a tag. In MDM it is followed by bone references; its offsets are relative to the tag.
    pub struct TagHeader(Caps) {
        /// Its name, such as `tag_head`.
        pub name: Name,
        /// Ignored by the games, which use the bone's weight.
        (plain) pub torso_weight: f32 [Caps::WHOLE],
        /// Forward, left and up in the space of the bone: three rows of three.
        (plain) pub axes: [f32; 9] [Caps::PLACED_TAGS],
        /// The bone.
        pub bone: i32,
        /// Position in the space of the bone.
        (own_vector) pub offset: [f32; 3] [Caps::PLACED_TAGS],
        /// Number of bone references.
        pub num_bone_references: i32 [Caps::PLACED_TAGS],
        /// Offset of the bone references.
        pub ofs_bone_references: i32 [Caps::PLACED_TAGS],
        /// Offset of the next tag.
        pub ofs_end: i32 [Caps::PLACED_TAGS],
    }
}
