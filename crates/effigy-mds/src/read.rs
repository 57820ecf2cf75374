//! Reading: every offset is checked against the file before it is followed.
//!
//! The games check only the version. A negative count, a part outside the file, and a surface or tag that does not advance
//! are errors. An index that refers to something missing, and bones whose parents form a loop, are diagnostics: the model
//! is kept as it is, but it cannot be posed.

use crate::layout::{self, Layout, Placement, SurfaceLayout, TagLayout};
use crate::records::{
    Bone, BoneKey, Frame, Header, SurfaceHeader, TagHeader, VertexHeader, Weight, bytes_of, offset_of,
};
use crate::version::Caps;
use crate::{Format, Model, Origin, Surface, Tag, Vertex, codes, inspect};
use bytemuck::Pod;
use effigy_wire::{
    Cursor, Diagnostic, Diagnostics, Error, Kind, Limits, Locate, Result, Segment, Severity, Tag as Word,
    Wire,
};

/// Parts may share bytes; without this limit a small file could expand into a huge model.
const MAX_UNFOLDING: u64 = 16;

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

    let budget = (bytes.len() as u64).saturating_mul(MAX_UNFOLDING);
    let parts = vec![(0, bytes_of::<Header>(caps))];
    let mut file = File { bytes, caps, budget, records: limits.records, parts };
    let mut diagnostics = Diagnostics::with_limit(limits.diagnostics);
    let at = |name: &'static str| Field { start: 0, name, caps, find: offset_of::<Header> };
    let mut model = Model {
        format,
        name: header.name,
        lod_scale: header.lod_scale,
        lod_bias: header.lod_bias,
        torso_parent: header.torso_parent,
        ..Model::default()
    };
    let mut layout = Layout {
        frames: header.ofs_frames,
        bones: header.ofs_bones,
        surfaces: header.ofs_surfaces,
        tags: header.ofs_tags,
        end: header.ofs_end,
        length: bytes.len(),
        ..Layout::default()
    };
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
    let (filler, overlaps) = unclaimed(bytes, &mut file.parts, &mut diagnostics);
    inspect::model(&model, &mut diagnostics);
    if !filler.is_empty() || overlaps || layout::canonical(&model).ok().as_ref() != Some(&layout) {
        let shape = layout::shape(&model);
        model.origin.placement = Some(Box::new(Placement { layout, shape, filler, overlaps }));
    }
    model.origin = Origin { diagnostics, ..model.origin };
    Ok(model)
}

/// A field of a header, for errors.
#[derive(Clone, Copy)]
struct Field {
    /// Start of the header; its offsets are relative to it.
    start: usize,
    name: &'static str,
    caps: Caps,
    /// Finds the field in the header.
    find: fn(Caps, &str) -> usize,
}

impl Field {
    /// Offset of the field in the file.
    #[cold]
    fn place(&self) -> usize {
        self.start.saturating_add((self.find)(self.caps, self.name))
    }
}

struct File<'a> {
    bytes: &'a [u8],
    caps: Caps,
    /// Bytes that may still be decoded.
    budget: u64,
    /// Records that may still be read.
    records: usize,
    /// Start and length of every part.
    parts: Vec<(usize, usize)>,
}

impl<'a> File<'a> {
    fn count(&self, stated: i32, field: Field) -> Result<usize> {
        usize::try_from(stated)
            .map_err(|_| Error::malformed(field.place(), format!("the count {stated} is negative")))
            .in_field(field.name)
    }

    /// The bytes of the file from an offset to the end.
    fn rest(&self, offset: i32, field: Field) -> Result<(usize, &'a [u8])> {
        let wrong = |message: String| Err(Error::malformed(field.place(), message)).in_field(field.name);
        let Ok(relative) = usize::try_from(offset) else {
            return wrong(format!("offset {offset} is negative"));
        };
        let start = field.start.saturating_add(relative);
        match self.bytes.get(start..) {
            Some(rest) => Ok((start, rest)),
            None => wrong(format!("offset {offset} is past the end of the file")),
        }
    }

    /// Takes bytes from the budget and notes that a part owns them.
    fn claim(&mut self, start: usize, length: usize, field: Field) -> Result<()> {
        let Some(budget) = self.budget.checked_sub(length as u64) else {
            let message =
                "the parts of the file overlap so much that the model would be far larger than the file";
            return Err(Error::new(Kind::Limit, message).at(field.place())).in_field(field.name);
        };
        self.budget = budget;
        self.parts.push((start, length));
        Ok(())
    }

    /// The bytes of a part, checked against the file before anything is allocated.
    fn part(&mut self, offset: i32, count: usize, size: usize, field: Field) -> Result<Cursor<'a>> {
        if count == 0 {
            return Ok(Cursor::new(&[]));
        }
        let (start, rest) = self.rest(offset, field)?;
        // 64 bits hold any 32-bit count times any record size.
        let needs = (count as u64).saturating_mul(size as u64);
        let Some(bytes) = usize::try_from(needs).ok().and_then(|needs| rest.get(..needs)) else {
            let left = rest.len();
            let message = format!("{count} elements at {start:#x} need {needs} bytes, but {left} are left");
            return Err(Error::malformed(field.place(), message)).in_field(field.name);
        };
        self.claim(start, bytes.len(), field)?;
        Ok(Cursor::at(bytes, start))
    }

    fn bulk<T: Pod>(&mut self, offset: i32, count: usize, field: Field) -> Result<Vec<T>> {
        self.part(offset, count, size_of::<T>(), field)?.bulk_rest()
    }

    fn charge(&mut self, count: usize, field: Field) -> Result<()> {
        self.records = self.records.checked_sub(count).ok_or_else(|| {
            Error::new(Kind::Limit, format!("{count} more records exceed the limit")).at(field.place())
        })?;
        Ok(())
    }

    fn skeleton(&mut self, header: &Header, model: &mut Model) -> Result<()> {
        let caps = self.caps;
        let at = |name: &'static str| Field { start: 0, name, caps, find: offset_of::<Header> };
        let frames = self.count(header.num_frames, at("num_frames"))?;
        let bones = self.count(header.num_bones, at("num_bones"))?;
        if frames == 0 && model.format == Format::Mds {
            return Err(Error::malformed(at("num_frames").place(), "an MDS needs at least one frame"));
        }
        // The bones come first: with them, the size of a frame is no longer than the file.
        let mut cursor = self.part(header.ofs_bones, bones, bytes_of::<Bone>(caps), at("ofs_bones"))?;
        self.charge(bones.saturating_add(frames), at("num_frames"))?;
        for index in 0..bones {
            model.bones.push(Bone::read(&mut cursor, caps).in_index(index).in_field("bones")?);
        }
        let size = layout::frame_size(caps, bones);
        let mut cursor = self.part(header.ofs_frames, frames, size, at("ofs_frames"))?;
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
        let caps = self.caps;
        let at = |name: &'static str| Field { start: 0, name, caps, find: offset_of::<Header> };
        let count = self.count(header.num_surfaces, at("num_surfaces")).in_field("header")?;
        if count == 0 {
            return Ok(Vec::new());
        }
        self.charge(count, at("num_surfaces"))?;
        let (mut start, rest) = self.rest(header.ofs_surfaces, at("ofs_surfaces")).in_field("header")?;
        // Surfaces do not overlap, so this many headers must fit into the file.
        Cursor::at(rest, start).check_count(count, bytes_of::<SurfaceHeader>(caps)).in_field("surfaces")?;
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
        let caps = self.caps;
        let size = bytes_of::<SurfaceHeader>(caps);
        let rest = self.bytes.get(start..).unwrap_or_default();
        let header = SurfaceHeader::read(&mut Cursor::at(rest, start), caps)?;
        let at = |name: &'static str| Field { start, name, caps, find: offset_of::<SurfaceHeader> };
        self.claim(start, size, at("ident"))?;
        let vertices = self.count(header.num_verts, at("num_verts"))?;
        let triangles = self.count(header.num_triangles, at("num_triangles"))?;
        let references = self.count(header.num_bone_references, at("num_bone_references"))?;
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
            triangles: self.bulk(header.ofs_triangles, triangles, at("ofs_triangles"))?,
            collapse_map: self.bulk(header.ofs_collapse_map, vertices, at("ofs_collapse_map"))?,
            bone_references: self.bulk(header.ofs_bone_references, references, at("ofs_bone_references"))?,
        };
        let part = SurfaceLayout {
            at: start,
            header: header.ofs_header,
            vertices: header.ofs_verts,
            triangles: header.ofs_triangles,
            collapse_map: header.ofs_collapse_map,
            bone_references: header.ofs_bone_references,
            end: header.ofs_end,
        };
        Ok((surface, part))
    }

    /// The vertices, whose sizes depend on their numbers of weights.
    fn vertices(&mut self, offset: i32, count: usize, field: Field) -> Result<Vec<Vertex>> {
        if count == 0 {
            return Ok(Vec::new());
        }
        let caps = self.caps;
        let (start, rest) = self.rest(offset, field)?;
        let mut cursor = Cursor::at(rest, start);
        cursor.check_count(count, bytes_of::<VertexHeader>(caps)).in_field("vertices")?;
        let mut vertices = Vec::with_capacity(count);
        for index in 0..count {
            let one = |cursor: &mut Cursor<'_>| -> Result<Vertex> {
                let place = cursor.position();
                let header = VertexHeader::read(cursor, caps)?;
                let find = offset_of::<VertexHeader>;
                let at = Field { start: place, name: "num_weights", caps, find };
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
        self.claim(start, cursor.position().saturating_sub(start), field)?;
        Ok(vertices)
    }

    fn tags(&mut self, header: &Header, layout: &mut Layout) -> Result<Vec<Tag>> {
        let caps = self.caps;
        let at = |name: &'static str| Field { start: 0, name, caps, find: offset_of::<Header> };
        let count = self.count(header.num_tags, at("num_tags")).in_field("header")?;
        if count == 0 {
            return Ok(Vec::new());
        }
        self.charge(count, at("num_tags"))?;
        let (mut start, rest) = self.rest(header.ofs_tags, at("ofs_tags")).in_field("header")?;
        let size = bytes_of::<TagHeader>(caps);
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
        let caps = self.caps;
        let rest = self.bytes.get(start..).unwrap_or_default();
        let header = TagHeader::read(&mut Cursor::at(rest, start), caps)?;
        let at = |name: &'static str| Field { start, name, caps, find: offset_of::<TagHeader> };
        self.claim(start, size, at("name"))?;
        let mut tag =
            Tag { name: header.name, torso_weight: header.torso_weight, bone: header.bone, ..Tag::default() };
        if !caps.contains(Caps::PLACED_TAGS) {
            let end = i32::try_from(size).unwrap_or(i32::MAX);
            return Ok((tag, TagLayout { at: start, bone_references: end, end }));
        }
        tag.axes = header.axes;
        tag.offset = header.offset;
        let references = self.count(header.num_bone_references, at("num_bone_references"))?;
        if !last {
            advances(header.ofs_end, size, at("ofs_end"))?;
        }
        tag.bone_references = self.bulk(header.ofs_bone_references, references, at("ofs_bone_references"))?;
        Ok((tag, TagLayout { at: start, bone_references: header.ofs_bone_references, end: header.ofs_end }))
    }
}

/// Checks that the next record starts after this one: without it a file could state the same record two billion times.
fn advances(end: i32, size: usize, field: Field) -> Result<()> {
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

/// Non-zero bytes that do not belong to any part, and whether parts share bytes.
fn unclaimed(
    bytes: &[u8],
    parts: &mut Vec<(usize, usize)>,
    diagnostics: &mut Diagnostics,
) -> (Vec<(usize, Vec<u8>)>, bool) {
    parts.retain(|&(_, length)| length > 0);
    parts.sort_unstable();
    parts.push((bytes.len(), 0));
    let mut filler = Vec::new();
    let mut shared = None;
    let mut end = 0;
    for &(start, length) in parts.iter() {
        if start < end {
            shared.get_or_insert(start);
        }
        let gap = bytes.get(end..start).unwrap_or_default();
        if gap.iter().any(|&byte| byte != 0) {
            let message = format!("{} bytes do not belong to any part; they are kept", gap.len());
            diagnostics.push(Diagnostic::new(codes::FILLER, Severity::Unused, message).at(end));
            filler.push((end, gap.to_vec()));
        }
        end = end.max(start.saturating_add(length));
    }
    if let Some(at) = shared {
        let message = "parts of the file share bytes; an edit of one of them changes the layout of the file";
        diagnostics.push(Diagnostic::new(codes::OVERLAP, Severity::Warning, message).at(at));
    }
    (filler, shared.is_some())
}
