//! Reading: every offset is checked against the file before it is followed.
//!
//! The games check almost nothing here. A negative count, a part outside the file, and a surface that does not advance
//! are errors. An index that only refers to a missing vertex or frame is a diagnostic; the frames that need it cannot be
//! decoded, but the rest of the model can be used.

use crate::layout::{self, Layout, Placement, SurfaceLayout};
use crate::records::{Frame, Header, PackedTag, Shader, SurfaceHeader, Tag};
use crate::version::Caps;
use crate::{Format, Model, Origin, PackedVertex, Surface, Tags, Vertex, codes, inspect, relatives};
use effigy_wire::placed::{Field, Parts, bytes_of, unclaimed};
use effigy_wire::{Cursor, Diagnostic, Diagnostics, Error, Kind, Limits, Locate, Result, Severity, Wire};

/// Reads a model.
pub(crate) fn model(bytes: &[u8], limits: &Limits) -> Result<Model> {
    if bytes.len() as u64 > limits.input_bytes {
        let (size, most) = (bytes.len(), limits.input_bytes);
        return Err(Error::new(Kind::Limit, format!("the file has {size} bytes, the limit is {most}")));
    }
    let format = relatives::format_of(bytes)?;
    let caps = format.caps();
    let header = Header::read(&mut Cursor::new(bytes), caps).in_field("header")?;
    format.check_number(header.version)?;

    let parts = Parts::new(bytes, caps, bytes_of::<Header, _>(caps), limits);
    let mut file = File { parts, format };
    let mut diagnostics = Diagnostics::with_limit(limits.diagnostics);

    let at = |name: &'static str| Field::of::<Header>(0, name, caps);
    let frame_count = file.parts.count(header.num_frames, at("num_frames"))?;
    if frame_count == 0 {
        return Err(
            Error::malformed(at("num_frames").place(), "a model needs at least one frame").in_header()
        );
    }
    let tag_count = file.parts.count(header.num_tags, at("num_tags"))?;
    let surface_count = file.parts.count(header.num_surfaces, at("num_surfaces"))?;
    let pose_count = tag_count.checked_mul(frame_count).ok_or_else(|| {
        Error::malformed(at("num_tags").place(), format!("{tag_count} tags in {frame_count} frames"))
            .in_header()
    })?;

    let frames: Vec<Frame> = file.parts.list(header.ofs_frames, frame_count, at("ofs_frames"))?;
    let tags = match format {
        Format::Mdc => Tags::Packed {
            names: file.parts.list(header.ofs_tag_names, tag_count, at("ofs_tag_names"))?,
            poses: file.parts.list::<PackedTag>(header.ofs_tags, pose_count, at("ofs_tags"))?,
        },
        Format::Md3 => Tags::Full(file.parts.list::<Tag>(header.ofs_tags, pose_count, at("ofs_tags"))?),
    };
    let mut layout = Layout::of(&header, bytes.len());
    let surfaces = file.surfaces(&header, surface_count, frame_count, &mut layout)?;
    if usize::try_from(header.ofs_end) != Ok(bytes.len()) {
        let message =
            format!("the header states a size of {} bytes, but the file has {}", header.ofs_end, bytes.len());
        let diagnostic = Diagnostic::new(codes::END, Severity::Warning, message);
        diagnostics.push(diagnostic.at(at("ofs_end").place()).in_path("header.ofs_end"));
    }

    let (mut filler, overlaps) =
        unclaimed(bytes, &mut file.parts.claimed, [codes::FILLER, codes::OVERLAP], &mut diagnostics);
    let mut model = Model {
        format,
        name: header.name,
        flags: header.flags,
        skins: header.num_skins,
        frames,
        tags,
        surfaces,
        trailing: Vec::new(),
        origin: Origin::default(),
    };
    filler.retain(|(start, bytes)| !assign_trailing(&mut model, &layout, *start, bytes));
    inspect::model(&model, &mut diagnostics);
    if !filler.is_empty() || layout::canonical(&model).ok().as_ref() != Some(&layout) {
        let shape = layout::shape(&model);
        model.origin.placement = Some(Box::new(Placement { layout, shape, filler, overlaps }));
    }
    model.origin.diagnostics = diagnostics;
    Ok(model)
}

/// Stores bytes that end with a surface or with the file in the model. Returns whether they do.
fn assign_trailing(model: &mut Model, layout: &Layout, start: usize, bytes: &[u8]) -> bool {
    let end = start.saturating_add(bytes.len());
    let at_end = end == layout.length;
    // The bytes after the last part may belong to the last surface and to the file, one after the other.
    let share = |part: &SurfaceLayout| {
        let past = part.at.saturating_add(usize::try_from(part.end).unwrap_or(0));
        let inside = part.at <= start && start < past && (past == end || (at_end && past < end));
        inside.then(|| past.saturating_sub(start))
    };
    let found = layout.parts.iter().enumerate().rev().find_map(|(index, part)| Some((index, share(part)?)));
    let (own, rest) = bytes.split_at_checked(found.map_or(0, |(_, share)| share)).unwrap_or((&[], bytes));
    if !rest.is_empty() && !at_end {
        return false;
    }
    if let Some(surface) = found.and_then(|(index, _)| model.surfaces.get_mut(index)) {
        surface.trailing = own.to_vec();
    }
    if !rest.is_empty() {
        model.trailing = rest.to_vec();
    }
    true
}

trait InHeader {
    fn in_header(self) -> Self;
}

impl InHeader for Error {
    fn in_header(self) -> Self {
        self.inside(effigy_wire::Segment::Field("header"))
    }
}

struct File<'a> {
    parts: Parts<'a, Caps>,
    format: Format,
}

impl File<'_> {
    fn surfaces(
        &mut self,
        header: &Header,
        count: usize,
        frames: usize,
        layout: &mut Layout,
    ) -> Result<Vec<Surface>> {
        let size = bytes_of::<SurfaceHeader, _>(self.parts.caps);
        let field = Field::of::<Header>(0, "ofs_surfaces", self.parts.caps);
        // Surfaces do not overlap, so this many headers must fit into the file.
        self.parts.part(header.ofs_surfaces, count, size, field)?;
        if count > 0 {
            self.parts.claimed.pop();
        }
        self.parts.charge(count, field)?;
        let mut start = usize::try_from(header.ofs_surfaces).unwrap_or(0);
        let mut surfaces = Vec::new();
        for index in 0..count {
            let (surface, part) = self
                .surface(start, frames, index.saturating_add(1) == count)
                .in_index(index)
                .in_field("surfaces")?;
            start = start.saturating_add(usize::try_from(part.end).unwrap_or(0));
            layout.parts.push(part);
            surfaces.push(surface);
        }
        Ok(surfaces)
    }

    fn surface(&mut self, start: usize, frames: usize, last: bool) -> Result<(Surface, SurfaceLayout)> {
        let caps = self.parts.caps;
        let size = bytes_of::<SurfaceHeader, _>(caps);
        let rest = self.parts.bytes.get(start..).unwrap_or_default();
        let header = SurfaceHeader::read(&mut Cursor::at(rest, start), caps)?;
        self.parts.claimed.push((start, size));
        let at = |name: &'static str| Field::of::<SurfaceHeader>(start, name, caps);
        let count = |file: &Self, stated: i32, name: &'static str| file.parts.count(stated, at(name));
        let triangles = count(self, header.num_triangles, "num_triangles")?;
        let shaders = count(self, header.num_shaders, "num_shaders")?;
        let vertices = count(self, header.num_verts, "num_verts")?;
        let base = count(self, header.num_base_frames, "num_base_frames")?;
        let compressed = count(self, header.num_comp_frames, "num_comp_frames")?;
        // Without this check a file could state the same surface two billion times.
        let advances = usize::try_from(header.ofs_end).is_ok_and(|end| end >= size);
        if !last && !advances {
            let message =
                format!("offset {} of the next surface is inside the header of this one", header.ofs_end);
            return Err(Error::malformed(at("ofs_end").place(), message)).in_field("ofs_end");
        }
        let product = |frames: usize, name: &'static str| {
            frames.checked_mul(vertices).ok_or_else(|| {
                Error::malformed(at(name).place(), format!("{frames} frames of {vertices} vertices"))
            })
        };
        let all_base = product(base, "num_base_frames")?;
        let all_compressed = product(compressed, "num_comp_frames")?;
        let mut surface = Surface {
            ident: header.ident,
            name: header.name,
            flags: header.flags,
            triangles: self.parts.bulk(header.ofs_triangles, triangles, at("ofs_triangles"))?,
            shaders: self.parts.list::<Shader>(header.ofs_shaders, shaders, at("ofs_shaders"))?,
            texcoords: self.parts.bulk(header.ofs_st, vertices, at("ofs_st"))?,
            base: self.parts.bulk::<Vertex>(header.ofs_xyz_normals, all_base, at("ofs_xyz_normals"))?,
            ..Surface::default()
        };
        if self.format == Format::Mdc {
            surface.compressed = self.parts.bulk::<PackedVertex>(
                header.ofs_xyz_compressed,
                all_compressed,
                at("ofs_xyz_compressed"),
            )?;
            surface.base_of_frame =
                self.parts.bulk(header.ofs_frame_base_frames, frames, at("ofs_frame_base_frames"))?;
            let offset = header.ofs_frame_comp_frames;
            if compressed > 0 || self.has_table(start, offset, size, frames) {
                surface.compressed_of_frame = self.parts.bulk(offset, frames, at("ofs_frame_comp_frames"))?;
            }
        }
        Ok((surface, SurfaceLayout::of(&header, start)))
    }

    /// Whether the second frame table is present. Without compressed frames the games do not read it, so its offset may
    /// be anything.
    fn has_table(&self, start: usize, offset: i32, header: usize, frames: usize) -> bool {
        let Some(at) = usize::try_from(offset).ok().filter(|&offset| offset >= header) else {
            return false;
        };
        let rest = self.parts.bytes.len().saturating_sub(start.saturating_add(at));
        frames.checked_mul(size_of::<i16>()).is_some_and(|needs| needs <= rest)
    }
}
