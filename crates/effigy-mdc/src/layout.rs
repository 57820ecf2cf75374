//! The offset of each part of a file: in the order of the games' tools, or as in the file that was read.

use crate::records::{Frame, Header, PackedTag, Shader, SurfaceHeader, Tag};
use crate::{Format, Model, Name, PackedVertex, Surface, Tags, Vertex};
use effigy_wire::placed::{Places, bytes_of, too_large};
use effigy_wire::{Error, Locate, Report, Result};

/// The offset of every part, as the file states it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Layout {
    pub frames: i32,
    pub tag_names: i32,
    pub tags: i32,
    pub surfaces: i32,
    pub end: i32,
    /// The size of the file.
    pub length: usize,
    pub parts: Vec<SurfaceLayout>,
}

/// The offset of every part of a surface, relative to the start of the surface.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct SurfaceLayout {
    /// Start of the surface in the file.
    pub at: usize,
    /// Number of frames stored in full and of compressed frames. For a surface without vertices they do not follow from
    /// the lists.
    pub counts: [i32; 2],
    pub triangles: i32,
    pub shaders: i32,
    pub texcoords: i32,
    pub base: i32,
    pub compressed: i32,
    pub base_of_frame: i32,
    pub compressed_of_frame: i32,
    pub end: i32,
}

impl Layout {
    /// The offsets that a header states, without those of the surfaces.
    pub fn of(header: &Header, length: usize) -> Self {
        Self {
            frames: header.ofs_frames,
            tag_names: header.ofs_tag_names,
            tags: header.ofs_tags,
            surfaces: header.ofs_surfaces,
            end: header.ofs_end,
            length,
            parts: Vec::new(),
        }
    }
}

impl SurfaceLayout {
    /// The offsets that the header of a surface states.
    pub const fn of(header: &SurfaceHeader, at: usize) -> Self {
        Self {
            at,
            counts: [header.num_base_frames, header.num_comp_frames],
            triangles: header.ofs_triangles,
            shaders: header.ofs_shaders,
            texcoords: header.ofs_st,
            base: header.ofs_xyz_normals,
            compressed: header.ofs_xyz_compressed,
            base_of_frame: header.ofs_frame_base_frames,
            compressed_of_frame: header.ofs_frame_comp_frames,
            end: header.ofs_end,
        }
    }
}

/// The layout of a file whose parts are not in the usual order, or that has bytes between them.
pub(crate) type Placement = effigy_wire::placed::Placement<Layout>;

/// The lengths of all lists of a model.
pub(crate) fn shape(model: &Model) -> Vec<usize> {
    let mut shape = vec![model.frames.len(), model.trailing.len()];
    match &model.tags {
        Tags::Packed { names, poses } => shape.extend([names.len(), poses.len()]),
        Tags::Full(tags) => shape.push(tags.len()),
    }
    for surface in &model.surfaces {
        shape.extend([
            surface.triangles.len(),
            surface.shaders.len(),
            surface.texcoords.len(),
            surface.base.len(),
            surface.compressed.len(),
            surface.base_of_frame.len(),
            surface.compressed_of_frame.len(),
            surface.trailing.len(),
        ]);
    }
    shape
}

/// The layout of the file that the model was read from, if it is still valid.
pub(crate) fn remembered(model: &Model) -> Option<&Placement> {
    model.origin.placement.as_deref().filter(|placement| placement.shape == shape(model))
}

/// Reports what a conversion loses of the layout: the parts get the usual order, and other bytes are dropped.
pub(crate) fn note(model: &Model, report: &mut Report) {
    let Some(placement) = remembered(model) else { return };
    if canonical(model).ok().as_ref() != Some(&placement.layout) {
        report.rebuilt("layout", "the parts of the file get the usual order");
    }
    let bytes: usize = placement.filler.iter().map(|(_, bytes)| bytes.len()).sum();
    if bytes > 0 {
        report.dropped("filler", format!("{bytes} bytes that do not belong to any part"));
    }
}

/// The order in which the games' tools write the parts.
pub(crate) fn canonical(model: &Model) -> Result<Layout> {
    check_lists(model)?;
    let caps = model.format.caps();
    let frames = model.frames.len();
    let mut places = Places { next: bytes_of::<Header, _>(caps) };
    let mut layout = Layout { frames: places.take(frames, bytes_of::<Frame, _>(caps))?, ..Layout::default() };
    match &model.tags {
        Tags::Packed { names, poses } => {
            layout.tag_names = places.take(names.len(), size_of::<Name>())?;
            layout.tags = places.take(poses.len(), bytes_of::<PackedTag, _>(caps))?;
        }
        Tags::Full(tags) => layout.tags = places.take(tags.len(), bytes_of::<Tag, _>(caps))?,
    }
    layout.surfaces = places.offset()?;
    let header = bytes_of::<SurfaceHeader, _>(caps);
    let shader = bytes_of::<Shader, _>(caps);
    for surface in &model.surfaces {
        let at = places.next;
        let mut inside = Places { next: header };
        let mut part =
            SurfaceLayout { at, counts: counts(surface, model.format, frames)?, ..Default::default() };
        if model.format == Format::Md3 {
            part.shaders = inside.take(surface.shaders.len(), shader)?;
        }
        part.triangles = inside.take(surface.triangles.len(), size_of::<[u32; 3]>())?;
        if model.format == Format::Mdc {
            part.shaders = inside.take(surface.shaders.len(), shader)?;
        }
        part.texcoords = inside.take(surface.texcoords.len(), size_of::<[f32; 2]>())?;
        part.base = inside.take(surface.base.len(), size_of::<Vertex>())?;
        if model.format == Format::Mdc {
            part.compressed = inside.take(surface.compressed.len(), size_of::<PackedVertex>())?;
            part.base_of_frame = inside.take(surface.base_of_frame.len(), size_of::<i16>())?;
            part.compressed_of_frame = inside.take(surface.compressed_of_frame.len(), size_of::<i16>())?;
        }
        inside.take(surface.trailing.len(), 1)?;
        part.end = inside.offset()?;
        layout.parts.push(part);
        places.take(inside.next, 1)?;
    }
    layout.end = places.offset()?;
    places.take(model.trailing.len(), 1)?;
    layout.length = places.next;
    Ok(layout)
}

/// The numbers of full and compressed frames that the surface's header states.
fn counts(surface: &Surface, format: Format, frames: usize) -> Result<[i32; 2]> {
    let one_more = |table: &[i16]| table.iter().map(|&entry| i32::from(entry).saturating_add(1)).max();
    if surface.vertex_count() > 0 {
        let word = |count: usize| i32::try_from(count).map_err(|_| too_large());
        return Ok([word(surface.base_count())?, word(surface.compressed_count())?]);
    }
    Ok(match format {
        Format::Md3 => [i32::try_from(frames).map_err(|_| too_large())?, 0],
        Format::Mdc => [
            one_more(&surface.base_of_frame).unwrap_or(0).max(0),
            one_more(&surface.compressed_of_frame).unwrap_or(0).max(0),
        ],
    })
}

/// Checks that the lengths of the lists match.
pub(crate) fn check_lists(model: &Model) -> Result<()> {
    let frames = model.frames.len();
    let wrong = |message: String| Err(Error::unrepresentable(message));
    if frames == 0 {
        return wrong("a model needs at least one frame".to_owned());
    }
    let (found, wanted) = match (&model.tags, model.format) {
        (Tags::Packed { names, poses }, Format::Mdc) => (poses.len(), names.len().checked_mul(frames)),
        (Tags::Full(tags), Format::Md3) => (tags.len(), model.tag_count().checked_mul(frames)),
        (_, format) => return wrong(format!("{format} stores another kind of tags")),
    };
    if wanted != Some(found) {
        return wrong(format!("{found} tag poses cannot be divided evenly among {frames} frames"));
    }
    for (index, surface) in model.surfaces.iter().enumerate() {
        check_surface(surface, model.format, frames).in_index(index).in_field("surfaces")?;
    }
    Ok(())
}

fn check_surface(surface: &Surface, format: Format, frames: usize) -> Result<()> {
    let wrong = |message: String| Err(Error::unrepresentable(message));
    let vertices = surface.vertex_count();
    let whole = |length: usize| if vertices == 0 { length == 0 } else { length.is_multiple_of(vertices) };
    if !whole(surface.base.len()) || !whole(surface.compressed.len()) {
        return wrong(format!("the length of the frames is not a multiple of {vertices} vertices"));
    }
    let tables = [surface.base_of_frame.len(), surface.compressed_of_frame.len()];
    match format {
        Format::Mdc => {
            let no_second = surface.compressed.is_empty() && surface.compressed_of_frame.is_empty();
            if surface.base_of_frame.len() != frames
                || (!no_second && surface.compressed_of_frame.len() != frames)
            {
                return wrong(format!("the frame tables have {tables:?} entries for {frames} frames"));
            }
        }
        Format::Md3 => {
            if !surface.compressed.is_empty() || tables != [0, 0] {
                return wrong("MD3 has no compressed frames and no frame tables".to_owned());
            }
        }
    }
    Ok(())
}
