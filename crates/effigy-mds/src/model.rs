//! The model: the contents of a file of any of the three formats, as lists that can be edited.

use crate::layout::{self, Placement};
use crate::records::{Bone, BoneKey, Frame, Name, Weight};
use crate::{Format, write};
use effigy_wire::{Diagnostics, Result, Verdict, Visitor};
use std::borrow::Cow;

/// A vertex. It is located where its bones carry it; there is no position of its own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Vertex {
    /// Direction in the space of the first weight's bone.
    pub normal: [f32; 3],
    /// `s` and `t`, `t` from the top.
    pub texcoord: [f32; 2],
    /// Not used for drawing; 0 in every file seen (MDS).
    pub fixed_parent: i32,
    /// Not used for drawing; 0 in every file seen (MDS).
    pub fixed_dist: f32,
    /// Its bones and where it is in the space of each; 1 to 5 in real files.
    pub weights: Vec<Weight>,
}

/// A mesh that is drawn with one shader.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surface {
    /// A number from the memory of the program that wrote the file; the games overwrite it.
    pub ident: i32,
    /// Skins refer to the surface by this name, in lower case: a name with capitals never matches.
    pub name: Name,
    /// Empty in every file seen: skins name the shaders.
    pub shader: Name,
    /// Overwritten when the game loads the file.
    pub shader_index: i32,
    /// The fewest vertices that are drawn, however far away the model is.
    pub min_lod: i32,
    /// The vertices.
    pub vertices: Vec<Vertex>,
    /// Three vertex indices each, clockwise seen from the front.
    pub triangles: Vec<[u32; 3]>,
    /// For each vertex, the vertex with a smaller index that replaces it at a lower level of detail.
    pub collapse_map: Vec<i32>,
    /// The bones that the games pose for this surface, parents before children.
    pub bone_references: Vec<i32>,
}

/// An attachment point for another model.
#[derive(Clone, Debug, PartialEq)]
pub struct Tag {
    /// Its name, such as `tag_head`.
    pub name: Name,
    /// Ignored by the games, which use the bone's weight (MDS).
    pub torso_weight: f32,
    /// The bone: the tag itself in MDS, its carrier in MDM.
    pub bone: i32,
    /// Forward, left and up in the space of the bone (MDM).
    pub axes: [f32; 9],
    /// Position in the space of the bone (MDM).
    pub offset: [f32; 3],
    /// The bones that the games pose for this tag, parents before children (MDM).
    pub bone_references: Vec<i32>,
}

impl Default for Tag {
    fn default() -> Self {
        Self {
            name: Name::default(),
            torso_weight: 0.0,
            bone: 0,
            axes: [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
            offset: [0.0; 3],
            bone_references: Vec::new(),
        }
    }
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

/// An MDS, MDM or MDX model. Lists that a format does not have are empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    /// Which of the three it is.
    pub format: Format,
    /// The path of the model.
    pub name: Name,
    /// Multiplies the size on the screen before the level of detail is chosen (MDS, MDM).
    pub lod_scale: f32,
    /// Is subtracted from the level of detail; -1: always all vertices (MDS, MDM).
    pub lod_bias: f32,
    /// The bone that the torso turns about (MDS, MDX).
    pub torso_parent: i32,
    /// The frames (MDS, MDX).
    pub frames: Vec<Frame>,
    /// The bones of all frames, frame after frame, as many for each as there are bones (MDS, MDX).
    pub keys: Vec<BoneKey>,
    /// The bones (MDS, MDX).
    pub bones: Vec<Bone>,
    /// The meshes (MDS, MDM).
    pub surfaces: Vec<Surface>,
    /// Attachment points for other models (MDS, MDM).
    pub tags: Vec<Tag>,
    /// The layout of the file that the model was read from.
    pub origin: Origin,
}

impl Model {
    /// An empty model.
    #[must_use]
    pub fn new(format: Format) -> Self {
        Self { format, lod_scale: 1.0, ..Self::default() }
    }

    /// The version number that the file states: 4 for MDS, 3 for MDM, 2 for MDX.
    #[must_use]
    pub const fn version(&self) -> i32 {
        self.format.number()
    }

    /// The model's name.
    #[must_use]
    pub fn name(&self) -> Cow<'_, str> {
        self.name.text()
    }

    /// The bones in a frame; empty for a frame that does not exist.
    #[must_use]
    pub fn keys_of(&self, frame: usize) -> &[BoneKey] {
        let count = self.bones.len();
        let range = frame.checked_mul(count).and_then(|at| Some(at..at.checked_add(count)?));
        range.and_then(|range| self.keys.get(range)).unwrap_or(&[])
    }

    /// Vertices of all surfaces.
    #[must_use]
    pub fn vertex_count(&self) -> usize {
        self.surfaces.iter().map(|surface| surface.vertices.len()).sum()
    }

    /// The first tag with this name. Like the games, it is case-sensitive.
    #[must_use]
    pub fn find_tag(&self, name: &str) -> Option<usize> {
        self.tags.iter().position(|tag| tag.name.text() == name)
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
    /// When the lists contradict each other (a number of bone keys other than frames times bones, a collapse map of another
    /// length than the vertices, surfaces in an MDX), or the file would be too large for 32-bit offsets.
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
