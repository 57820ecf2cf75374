//! The model: the contents of a file of either format, as lists that can be edited.

use crate::layout::{self, Placement};
use crate::records::{Frame, Name, PackedTag, Shader, Tag};
use crate::{Format, write};
use bytemuck::{Pod, Zeroable};
use effigy_wire::{Diagnostics, Result, Tag as Word, Verdict, Visitor};
use std::borrow::Cow;

/// A vertex of a frame that is stored in full.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Pod, Zeroable)]
pub struct Vertex {
    /// Position in 1/64 units.
    pub position: [i16; 3],
    /// Direction: the angle from +z in the low byte, the angle about z from +x in the high byte, in 1/256 of a circle.
    pub normal: u16,
}

/// A vertex of a compressed frame.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Pod, Zeroable)]
pub struct PackedVertex {
    /// Offset from the base frame's vertex in steps of 0.05 units; 127 means no offset.
    pub offset: [u8; 3],
    /// Index in the table of 256 directions.
    pub normal: u8,
}

/// A mesh with one shader. All lists are in file order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surface {
    /// The word at the start of the surface; the games overwrite it after loading.
    pub ident: Word,
    /// Skins refer to the surface by this name, lower-cased.
    pub name: Name,
    /// Ignored by the games, but kept.
    pub flags: i32,
    /// Three vertex indices each, clockwise seen from the front.
    pub triangles: Vec<[u32; 3]>,
    /// The shaders; nearly always one.
    pub shaders: Vec<Shader>,
    /// One pair per vertex, the same in all frames; `t` is measured from the top.
    pub texcoords: Vec<[f32; 2]>,
    /// Frames stored in full, one after the other, each with as many vertices as there are texture coordinates.
    pub base: Vec<Vertex>,
    /// Compressed frames, one after the other (MDC).
    pub compressed: Vec<PackedVertex>,
    /// The base frame of each frame (MDC). Empty in MD3, where frame and base frame are the same.
    pub base_of_frame: Vec<i16>,
    /// The compressed frame of each frame, negative for none (MDC). Empty in MD3.
    pub compressed_of_frame: Vec<i16>,
    /// Bytes between the last part of the surface and its end, which some exporters leave there; usually empty. Games do
    /// not read them.
    pub trailing: Vec<u8>,
}

impl Surface {
    /// Number of vertices in each frame.
    #[must_use]
    pub const fn vertex_count(&self) -> usize {
        self.texcoords.len()
    }

    /// Number of frames stored in full.
    #[must_use]
    pub fn base_count(&self) -> usize {
        self.base.len().checked_div(self.vertex_count()).unwrap_or(0)
    }

    /// Number of compressed frames.
    #[must_use]
    pub fn compressed_count(&self) -> usize {
        self.compressed.len().checked_div(self.vertex_count()).unwrap_or(0)
    }

    /// The vertices of a frame stored in full.
    #[must_use]
    pub fn base_frame(&self, index: usize) -> Option<&[Vertex]> {
        slice_of(&self.base, index, self.vertex_count())
    }

    /// The vertices of a compressed frame.
    #[must_use]
    pub fn compressed_frame(&self, index: usize) -> Option<&[PackedVertex]> {
        slice_of(&self.compressed, index, self.vertex_count())
    }
}

fn slice_of<T>(list: &[T], index: usize, width: usize) -> Option<&[T]> {
    let start = index.checked_mul(width)?;
    list.get(start..start.checked_add(width)?)
}

/// Attachment points for other models, with a pose for every frame: frame after frame, with the tags of each frame in
/// the same order.
#[derive(Clone, Debug, PartialEq)]
pub enum Tags {
    /// MDC: names are stored once, poses as 16-bit numbers.
    Packed {
        /// One name per tag.
        names: Vec<Name>,
        /// `names.len()` poses for each frame.
        poses: Vec<PackedTag>,
    },
    /// MD3: poses are floats, each with the name of its tag.
    Full(Vec<Tag>),
}

/// The layout of the file that the model was read from, and the problems that were found in it.
///
/// It is ignored by comparisons: two models are equal when their contents are.
#[derive(Clone, Debug, Default)]
pub struct Origin {
    pub(crate) placement: Option<Box<Placement>>,
    pub(crate) diagnostics: Diagnostics,
}

impl PartialEq for Origin {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// An MDC or MD3 model.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// MDC or MD3.
    pub format: Format,
    /// Usually the path of the MD3 that the model was made from.
    pub name: Name,
    /// Zero in nearly all files.
    pub flags: i32,
    /// Unused count; 0 in every file seen.
    pub skins: i32,
    /// The bounds of the frames; there must be at least one frame.
    pub frames: Vec<Frame>,
    /// Attachment points for other models.
    pub tags: Tags,
    /// The meshes; empty in models that only have tags.
    pub surfaces: Vec<Surface>,
    /// Bytes after the last surface, such as a note by the exporter; usually empty. Games do not read them.
    pub trailing: Vec<u8>,
    /// The layout of the file that the model was read from.
    pub origin: Origin,
}

impl Default for Model {
    fn default() -> Self {
        Self::new(Format::default())
    }
}

impl Model {
    /// A model without frames, tags or surfaces.
    #[must_use]
    pub fn new(format: Format) -> Self {
        let tags = match format {
            Format::Mdc => Tags::Packed { names: Vec::new(), poses: Vec::new() },
            Format::Md3 => Tags::Full(Vec::new()),
        };
        Self {
            format,
            name: Name::default(),
            flags: 0,
            skins: 0,
            frames: Vec::new(),
            tags,
            surfaces: Vec::new(),
            trailing: Vec::new(),
            origin: Origin::default(),
        }
    }

    /// The version number that the file states: 2 for MDC, 15 for MD3.
    #[must_use]
    pub const fn version(&self) -> i32 {
        self.format.number()
    }

    /// The model's name.
    #[must_use]
    pub fn name(&self) -> Cow<'_, str> {
        self.name.text()
    }

    /// Number of tags in each frame.
    #[must_use]
    pub fn tag_count(&self) -> usize {
        match &self.tags {
            Tags::Packed { names, .. } => names.len(),
            Tags::Full(tags) => tags.len().checked_div(self.frames.len()).unwrap_or(0),
        }
    }

    /// Problems that the reader found.
    #[must_use]
    pub const fn diagnostics(&self) -> &Diagnostics {
        &self.origin.diagnostics
    }

    /// The bytes of the file. Parts keep the offsets of the file that was read, as long as their sizes are the same;
    /// otherwise, and in new models, they have the order of the games' own tools.
    ///
    /// # Errors
    /// When the lists contradict each other (a frame table of another length than the frames, a vertex list that is not a
    /// whole number of frames), or the file would be too large for 32-bit offsets.
    pub fn write(&self) -> Result<Vec<u8>> {
        write::model(self)
    }

    /// Forgets the layout of the file, so that [`Model::write`] uses the usual order without gaps.
    pub fn forget_placement(&mut self) {
        self.origin.placement = None;
    }

    /// Whether writing reproduces the bytes that the model was read from, and which parts are only kept as raw bytes.
    #[must_use]
    pub fn verify(&self, source: &[u8]) -> Verdict {
        let same = self.write().is_ok_and(|bytes| bytes == source);
        let guarded = match layout::remembered(self) {
            Some(placement) if !placement.filler.is_empty() => vec!["filler".to_owned()],
            _ => Vec::new(),
        };
        Verdict::new(same, guarded, Vec::new())
    }

    /// Passes every field to the visitor, with the offset at which [`Model::write`] puts it.
    pub fn visit(&self, visitor: &mut dyn Visitor) {
        write::visit(self, visitor);
    }
}
