//! The offset of each part of a file: in the order of the games' tools, or as in the file that was read.

use crate::records::{Bone, BoneKey, Frame, Header, SurfaceHeader, TagHeader, VertexHeader, Weight};
use crate::version::Caps;
use crate::{Model, Surface};
use effigy_wire::placed::{Places, bytes_of};
use effigy_wire::{Error, Locate, Result};

/// The offset of every part, as the file states it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Layout {
    pub frames: i32,
    pub bones: i32,
    pub surfaces: i32,
    pub tags: i32,
    pub end: i32,
    /// The size of the file.
    pub length: usize,
    pub surface_parts: Vec<SurfaceLayout>,
    pub tag_parts: Vec<TagLayout>,
}

/// The offset of every part of a surface, relative to the start of the surface.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct SurfaceLayout {
    /// Start of the surface in the file.
    pub at: usize,
    pub header: i32,
    pub vertices: i32,
    pub triangles: i32,
    pub collapse_map: i32,
    pub bone_references: i32,
    pub end: i32,
}

/// The offsets of a tag's references and of the next tag, relative to the tag.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct TagLayout {
    /// Start of the tag in the file.
    pub at: usize,
    pub bone_references: i32,
    pub end: i32,
}

impl Layout {
    /// The offsets that a header states, without those of surfaces and tags.
    pub fn of(header: &Header, length: usize) -> Self {
        Self {
            frames: header.ofs_frames,
            bones: header.ofs_bones,
            surfaces: header.ofs_surfaces,
            tags: header.ofs_tags,
            end: header.ofs_end,
            length,
            ..Self::default()
        }
    }
}

impl SurfaceLayout {
    /// The offsets that the header of a surface states.
    pub const fn of(header: &SurfaceHeader, at: usize) -> Self {
        Self {
            at,
            header: header.ofs_header,
            vertices: header.ofs_verts,
            triangles: header.ofs_triangles,
            collapse_map: header.ofs_collapse_map,
            bone_references: header.ofs_bone_references,
            end: header.ofs_end,
        }
    }
}

impl TagLayout {
    /// The offsets that the header of a tag states; in MDS the next tag follows.
    pub fn of(header: &TagHeader, at: usize, caps: Caps) -> Self {
        if caps.contains(Caps::PLACED_TAGS) {
            return Self { at, bone_references: header.ofs_bone_references, end: header.ofs_end };
        }
        let end = i32::try_from(bytes_of::<TagHeader, _>(caps)).unwrap_or(i32::MAX);
        Self { at, bone_references: end, end }
    }
}

/// The layout of a file whose parts are not in the usual order, or that has bytes between them.
pub(crate) type Placement = effigy_wire::placed::Placement<Layout>;

/// The lengths of all lists of a model.
pub(crate) fn shape(model: &Model) -> Vec<usize> {
    let mut shape = vec![model.frames.len(), model.bones.len(), model.surfaces.len()];
    for surface in &model.surfaces {
        shape.extend([surface.triangles.len(), surface.bone_references.len()]);
        shape.extend(surface.vertices.iter().map(|vertex| vertex.weights.len()));
    }
    shape.extend(model.tags.iter().map(|tag| tag.bone_references.len()));
    shape
}

/// The layout of the file that the model was read from, if it is still valid.
pub(crate) fn remembered(model: &Model) -> Option<&Placement> {
    model.origin.placement.as_deref().filter(|placement| placement.shape == shape(model))
}

/// The size of a frame with its bones.
pub(crate) fn frame_size(caps: Caps, bones: usize) -> usize {
    bytes_of::<Frame, _>(caps).saturating_add(bones.saturating_mul(size_of::<BoneKey>()))
}

/// The size of all vertices of a surface.
fn vertex_bytes(surface: &Surface, caps: Caps) -> usize {
    let weights: usize = surface.vertices.iter().map(|vertex| vertex.weights.len()).sum();
    let heads = surface.vertices.len().saturating_mul(bytes_of::<VertexHeader, _>(caps));
    heads.saturating_add(weights.saturating_mul(size_of::<Weight>()))
}

/// The order in which the games' tools write the parts.
pub(crate) fn canonical(model: &Model) -> Result<Layout> {
    check_lists(model)?;
    let caps = model.format.caps();
    let mut places = Places { next: bytes_of::<Header, _>(caps) };
    let mut layout = Layout::default();
    if caps.contains(Caps::SKELETON) {
        layout.frames = places.take(model.frames.len(), frame_size(caps, model.bones.len()))?;
        layout.bones = places.take(model.bones.len(), bytes_of::<Bone, _>(caps))?;
    }
    if caps.contains(Caps::MESH) {
        layout.surfaces = places.offset()?;
        for surface in &model.surfaces {
            let at = places.next;
            let mut inside = Places { next: bytes_of::<SurfaceHeader, _>(caps) };
            let part = SurfaceLayout {
                at,
                header: 0_i32.saturating_sub(places.offset()?),
                vertices: inside.take(vertex_bytes(surface, caps), 1)?,
                triangles: inside.take(surface.triangles.len(), size_of::<[u32; 3]>())?,
                collapse_map: inside.take(surface.collapse_map.len(), size_of::<i32>())?,
                bone_references: inside.take(surface.bone_references.len(), size_of::<i32>())?,
                end: inside.offset()?,
            };
            layout.surface_parts.push(part);
            places.take(inside.next, 1)?;
        }
        layout.tags = places.offset()?;
        for tag in &model.tags {
            let at = places.next;
            let mut inside = Places { next: bytes_of::<TagHeader, _>(caps) };
            let bone_references = inside.take(tag.bone_references.len(), size_of::<i32>())?;
            layout.tag_parts.push(TagLayout { at, bone_references, end: inside.offset()? });
            places.take(inside.next, 1)?;
        }
    }
    layout.end = places.offset()?;
    layout.length = places.next;
    Ok(layout)
}

/// Checks that the format has a place for every list, and that the lengths of the lists match.
pub(crate) fn check_lists(model: &Model) -> Result<()> {
    let wrong = |message: String| Err(Error::unrepresentable(message));
    let caps = model.format.caps();
    let (frames, bones) = (model.frames.len(), model.bones.len());
    if !caps.contains(Caps::SKELETON) && (frames > 0 || bones > 0) {
        return wrong(format!("{} has neither frames nor bones", model.format));
    }
    if !caps.contains(Caps::MESH) && model.surfaces.len() + model.tags.len() > 0 {
        return wrong(format!("{} has neither surfaces nor tags", model.format));
    }
    if frames.checked_mul(bones) != Some(model.keys.len()) {
        let keys = model.keys.len();
        return wrong(format!("{keys} bone keys for {frames} frames of {bones} bones"));
    }
    for (index, surface) in model.surfaces.iter().enumerate() {
        let (vertices, map) = (surface.vertices.len(), surface.collapse_map.len());
        if vertices != map {
            return wrong(format!("the collapse map has {map} entries for {vertices} vertices"))
                .in_index(index)
                .in_field("surfaces");
        }
    }
    if !caps.contains(Caps::PLACED_TAGS) && model.tags.iter().any(|tag| !tag.bone_references.is_empty()) {
        return wrong(format!("tags of {} have no bone references", model.format));
    }
    Ok(())
}
