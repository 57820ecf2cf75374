//! Reading: every offset is checked against the file before it is followed.
//!
//! The games check only the version. A negative count, a part outside the file, and a surface or tag that does not advance
//! are errors. An index that refers to something missing, and bones whose parents form a loop, are diagnostics: the model
//! is kept as it is, but it cannot be posed.

use crate::layout::{self, Layout, Placement, SurfaceLayout, TagLayout};
use crate::records::{Bone, BoneKey, Frame, Header, SurfaceHeader, TagHeader, VertexHeader, Weight};
use crate::version::Caps;
use crate::{Format, Model, Origin, Surface, Tag, Vertex, codes, inspect};
use effigy_wire::placed::{Field, Parts, bytes_of, unclaimed};
use effigy_wire::{
    Cursor, Diagnostic, Diagnostics, Error, Kind, Limits, Locate, Result, Segment, Severity, Tag as Word,
    Wire,
};

/// Reads a model.
pub(crate) fn model(bytes: &[u8], limits: &Limits) -> Result<Model> {
    if bytes.len() as u64 > limits.input_bytes {
        let (size, most) = (bytes.len(), limits.input_bytes);
        return Err(Error::new(Kind::Limit, format!("the file has {size} bytes, the limit is {most}")).at(0));
    }
    let Some(word) = bytes.first_chunk().copied().map(Word) else {
        return Err(Error::malformed(0, format!("{} bytes are too few for a model", bytes.len())));
    };
    let format = Format::with_ident(word)
        .ok_or_else(|| Error::malformed(0, format!("MDSW, MDMW or MDXW expected, found {word}")))?;
    let caps = format.caps();
    let header = Header::read(&mut Cursor::new(bytes), caps).in_field("header")?;
    format.check_number(header.version)?;

    let mut file = File { parts: Parts::new(bytes, caps, bytes_of::<Header, _>(caps), limits) };
    let mut diagnostics = Diagnostics::with_limit(limits.diagnostics);
    let at = |name: &'static str| Field::of::<Header>(0, name, caps);
    let mut model = Model {
        format,
        name: header.name,
        lod_scale: header.lod_scale,
        lod_bias: header.lod_bias,
        torso_parent: header.torso_parent,
        ..Model::default()
    };
    let mut layout = Layout::of(&header, bytes.len());
    if caps.contains(Caps::SKELETON) {
        file.skeleton(&header, &mut model).map_err(|error| error.inside(Segment::Field("header")))?;
    }
    if caps.contains(Caps::MESH) {
        model.surfaces = file.surfaces(&header, &mut layout)?;
        model.tags = file.tags(&header, &mut layout)?;
    }
    if usize::try_from(header.ofs_end) != Ok(bytes.len()) {
        let message =
            format!("the header states a size of {} bytes, but the file has {}", header.ofs_end, bytes.len());
        let beyond = usize::try_from(header.ofs_end).is_ok_and(|end| end > bytes.len());
        let severity = if beyond { Severity::Error } else { Severity::Warning };
        let diagnostic = Diagnostic::new(codes::END, severity, message);
        diagnostics.push(diagnostic.at(at("ofs_end").place()).in_path("header.ofs_end"));
    }
    let (filler, overlaps) =
        unclaimed(bytes, &mut file.parts.claimed, [codes::FILLER, codes::OVERLAP], &mut diagnostics);
    inspect::model(&model, &mut diagnostics);
    if !filler.is_empty() || overlaps || layout::canonical(&model).ok().as_ref() != Some(&layout) {
        let shape = layout::shape(&model);
        model.origin.placement = Some(Box::new(Placement { layout, shape, filler, overlaps }));
    }
    model.origin = Origin { diagnostics, ..model.origin };
    Ok(model)
}

struct File<'a> {
    parts: Parts<'a, Caps>,
}

impl File<'_> {
    fn skeleton(&mut self, header: &Header, model: &mut Model) -> Result<()> {
        let caps = self.parts.caps;
        let at = |name: &'static str| Field::of::<Header>(0, name, caps);
        let frames = self.parts.count(header.num_frames, at("num_frames"))?;
        let bones = self.parts.count(header.num_bones, at("num_bones"))?;
        if frames == 0 && model.format == Format::Mds {
            return Err(Error::malformed(at("num_frames").place(), "an MDS needs at least one frame"));
        }
        // The bones come first: with them, the size of a frame is no longer than the file.
        let mut cursor =
            self.parts.part(header.ofs_bones, bones, bytes_of::<Bone, _>(caps), at("ofs_bones"))?;
        self.parts.charge(bones.saturating_add(frames), at("num_frames"))?;
        for index in 0..bones {
            model.bones.push(Bone::read(&mut cursor, caps).in_index(index).in_field("bones")?);
        }
        let size = layout::frame_size(caps, bones);
        let mut cursor = self.parts.part(header.ofs_frames, frames, size, at("ofs_frames"))?;
        model.frames.reserve_exact(frames);
        model.keys.reserve_exact(frames.saturating_mul(bones));
        let key_bytes = bones.saturating_mul(size_of::<BoneKey>());
        for index in 0..frames {
            model.frames.push(Frame::read(&mut cursor, caps).in_index(index).in_field("frames")?);
            extend(&mut model.keys, cursor.take(key_bytes).in_index(index).in_field("frames")?);
        }
        Ok(())
    }

    fn surfaces(&mut self, header: &Header, layout: &mut Layout) -> Result<Vec<Surface>> {
        let caps = self.parts.caps;
        let at = |name: &'static str| Field::of::<Header>(0, name, caps);
        let count = self.parts.count(header.num_surfaces, at("num_surfaces")).in_field("header")?;
        if count == 0 {
            return Ok(Vec::new());
        }
        self.parts.charge(count, at("num_surfaces"))?;
        let (mut start, rest) =
            self.parts.rest(header.ofs_surfaces, at("ofs_surfaces")).in_field("header")?;
        // Surfaces do not overlap, so this many headers must fit into the file.
        Cursor::at(rest, start)
            .check_count(count, bytes_of::<SurfaceHeader, _>(caps))
            .in_field("surfaces")?;
        let mut surfaces = Vec::new();
        for index in 0..count {
            let last = index.saturating_add(1) == count;
            let (surface, part) = self.surface(start, last).in_index(index).in_field("surfaces")?;
            start = start.saturating_add(usize::try_from(part.end).unwrap_or(0));
            layout.surface_parts.push(part);
            surfaces.push(surface);
        }
        Ok(surfaces)
    }

    fn surface(&mut self, start: usize, last: bool) -> Result<(Surface, SurfaceLayout)> {
        let caps = self.parts.caps;
        let size = bytes_of::<SurfaceHeader, _>(caps);
        let rest = self.parts.bytes.get(start..).unwrap_or_default();
        let header = SurfaceHeader::read(&mut Cursor::at(rest, start), caps)?;
        let at = |name: &'static str| Field::of::<SurfaceHeader>(start, name, caps);
        self.parts.claim(start, size, at("ident"))?;
        let vertices = self.parts.count(header.num_verts, at("num_verts"))?;
        let triangles = self.parts.count(header.num_triangles, at("num_triangles"))?;
        let references = self.parts.count(header.num_bone_references, at("num_bone_references"))?;
        if !last {
            advances(header.ofs_end, size, at("ofs_end"))?;
        }
        let surface = Surface {
            ident: header.ident,
            name: header.name,
            shader: header.shader,
            shader_index: header.shader_index,
            min_lod: header.min_lod,
            vertices: self.vertices(header.ofs_verts, vertices, at("ofs_verts"))?,
            triangles: self.parts.bulk(header.ofs_triangles, triangles, at("ofs_triangles"))?,
            collapse_map: self.parts.bulk(header.ofs_collapse_map, vertices, at("ofs_collapse_map"))?,
            bone_references: self.parts.bulk(
                header.ofs_bone_references,
                references,
                at("ofs_bone_references"),
            )?,
        };
        Ok((surface, SurfaceLayout::of(&header, start)))
    }

    /// The vertices, whose sizes depend on their numbers of weights.
    fn vertices(&mut self, offset: i32, count: usize, field: Field<Caps>) -> Result<Vec<Vertex>> {
        if count == 0 {
            return Ok(Vec::new());
        }
        let caps = self.parts.caps;
        let (start, rest) = self.parts.rest(offset, field)?;
        let mut cursor = Cursor::at(rest, start);
        cursor.check_count(count, bytes_of::<VertexHeader, _>(caps)).in_field("vertices")?;
        let mut vertices = Vec::with_capacity(count);
        for index in 0..count {
            let one = |cursor: &mut Cursor<'_>| -> Result<Vertex> {
                let place = cursor.position();
                let header = VertexHeader::read(cursor, caps)?;
                let at = Field::of::<VertexHeader>(place, "num_weights", caps);
                let weights = usize::try_from(header.num_weights).map_err(|_| {
                    Error::malformed(at.place(), format!("the count {} is negative", header.num_weights))
                })?;
                Ok(Vertex {
                    normal: header.normal,
                    texcoord: header.texcoord,
                    fixed_parent: header.fixed_parent,
                    fixed_dist: header.fixed_dist,
                    weights: cursor.bulk::<Weight>(weights).in_field("weights")?,
                })
            };
            vertices.push(one(&mut cursor).in_index(index).in_field("vertices")?);
        }
        self.parts.claim(start, cursor.position().saturating_sub(start), field)?;
        Ok(vertices)
    }

    fn tags(&mut self, header: &Header, layout: &mut Layout) -> Result<Vec<Tag>> {
        let caps = self.parts.caps;
        let at = |name: &'static str| Field::of::<Header>(0, name, caps);
        let count = self.parts.count(header.num_tags, at("num_tags")).in_field("header")?;
        if count == 0 {
            return Ok(Vec::new());
        }
        self.parts.charge(count, at("num_tags"))?;
        let (mut start, rest) = self.parts.rest(header.ofs_tags, at("ofs_tags")).in_field("header")?;
        let size = bytes_of::<TagHeader, _>(caps);
        Cursor::at(rest, start).check_count(count, size).in_field("tags")?;
        let mut tags = Vec::new();
        for index in 0..count {
            let last = index.saturating_add(1) == count;
            let (tag, part) = self.tag(start, size, last).in_index(index).in_field("tags")?;
            start = start.saturating_add(usize::try_from(part.end).unwrap_or(0));
            layout.tag_parts.push(part);
            tags.push(tag);
        }
        Ok(tags)
    }

    fn tag(&mut self, start: usize, size: usize, last: bool) -> Result<(Tag, TagLayout)> {
        let caps = self.parts.caps;
        let rest = self.parts.bytes.get(start..).unwrap_or_default();
        let header = TagHeader::read(&mut Cursor::at(rest, start), caps)?;
        let at = |name: &'static str| Field::of::<TagHeader>(start, name, caps);
        self.parts.claim(start, size, at("name"))?;
        let mut tag =
            Tag { name: header.name, torso_weight: header.torso_weight, bone: header.bone, ..Tag::default() };
        if !caps.contains(Caps::PLACED_TAGS) {
            return Ok((tag, TagLayout::of(&header, start, caps)));
        }
        tag.axes = header.axes;
        tag.offset = header.offset;
        let references = self.parts.count(header.num_bone_references, at("num_bone_references"))?;
        if !last {
            advances(header.ofs_end, size, at("ofs_end"))?;
        }
        tag.bone_references =
            self.parts.bulk(header.ofs_bone_references, references, at("ofs_bone_references"))?;
        Ok((tag, TagLayout::of(&header, start, caps)))
    }
}

/// Checks that the next record starts after this one: without it a file could state the same record two billion times.
fn advances(end: i32, size: usize, field: Field<Caps>) -> Result<()> {
    if usize::try_from(end).is_ok_and(|end| end >= size) {
        return Ok(());
    }
    let message = format!("offset {end} of the next one is inside the header of this one");
    Err(Error::malformed(field.place(), message)).in_field(field.name)
}

/// Appends the bones of a frame in one copy.
fn extend(keys: &mut Vec<BoneKey>, bytes: &[u8]) {
    match bytemuck::try_cast_slice(bytes) {
        Ok(list) => keys.extend_from_slice(list),
        // The bytes are not aligned.
        Err(_) => keys
            .extend(bytes.as_chunks::<12>().0.iter().map(|key| bytemuck::pod_read_unaligned::<BoneKey>(key))),
    }
}
