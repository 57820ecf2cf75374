//! Writing: one walk puts every part at its offset. The same walk drives `dump`.

use crate::layout::{self, Layout, SurfaceLayout};
use crate::records::{Header, SurfaceHeader};
use crate::version::Caps;
use crate::{Format, Model, Surface, Tags};
use effigy_wire::placed::{self, Placed, Walk, part};
use effigy_wire::{Label, Leaf, Numbers, Result, Visitor, Wire};

/// The bytes of a model.
pub(crate) fn model(model: &Model) -> Result<Vec<u8>> {
    layout::check_lists(model)?;
    let usual = || layout::canonical(model);
    placed::write(
        layout::remembered(model),
        usual,
        |layout| layout.length,
        |layout, image| {
            put(model, layout, image);
        },
    )
}

/// Walks over every field of a model.
pub(crate) fn visit(model: &Model, visitor: &mut dyn Visitor) {
    match layout::remembered(model) {
        Some(placement) => {
            put(model, &placement.layout, &mut Walk::new(visitor));
            placed::show(placement, placement.layout.length, visitor);
        }
        // A model that cannot be written can still be dumped.
        None => put(model, &layout::canonical(model).unwrap_or_default(), &mut Walk::new(visitor)),
    }
}

fn place(offset: i32) -> usize {
    usize::try_from(offset).unwrap_or(0)
}

/// A list's length as the file states it. [`layout::canonical`] has checked that it fits.
fn word(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}

fn records<S: Placed, T: Wire<Caps>>(sink: &mut S, name: &'static str, at: usize, list: &[T], caps: Caps) {
    part(sink, name, at, |sink| {
        for (index, record) in list.iter().enumerate() {
            sink.enter(Label::Index(index));
            record.write(sink, caps);
            sink.leave();
        }
    });
}

fn bulk<S: Placed>(
    sink: &mut S,
    name: &'static str,
    at: usize,
    bytes: &[u8],
    numbers: Numbers<'_>,
    width: usize,
) {
    part(sink, name, at, |sink| {
        sink.show(Leaf::Many { numbers, width });
        sink.put(bytes);
    });
}

/// Bytes that end at this offset.
fn trailing<S: Placed>(sink: &mut S, end: usize, bytes: &[u8]) {
    if !bytes.is_empty() {
        part(sink, "trailing", end.saturating_sub(bytes.len()), |sink| {
            sink.show(Leaf::Bytes(bytes));
            sink.put(bytes);
        });
    }
}

fn put<S: Placed>(model: &Model, layout: &Layout, sink: &mut S) {
    let caps = model.format.caps();
    let header = Header {
        ident: model.format.ident(),
        version: model.format.number(),
        name: model.name,
        flags: model.flags,
        num_frames: word(model.frames.len()),
        num_tags: word(model.tag_count()),
        num_surfaces: word(model.surfaces.len()),
        num_skins: model.skins,
        ofs_frames: layout.frames,
        ofs_tag_names: layout.tag_names,
        ofs_tags: layout.tags,
        ofs_surfaces: layout.surfaces,
        ofs_end: layout.end,
    };
    part(sink, "header", 0, |sink| header.write(sink, caps));
    records(sink, "frames", place(layout.frames), &model.frames, caps);
    match &model.tags {
        Tags::Packed { names, poses } => {
            records(sink, "tag_names", place(layout.tag_names), names, caps);
            records(sink, "tags", place(layout.tags), poses, caps);
        }
        Tags::Full(tags) => records(sink, "tags", place(layout.tags), tags, caps),
    }
    let none = SurfaceLayout::default();
    part(sink, "surfaces", place(layout.surfaces), |sink| {
        for (index, surface) in model.surfaces.iter().enumerate() {
            let places = layout.parts.get(index).unwrap_or(&none);
            sink.seek(places.at);
            sink.enter(Label::Index(index));
            put_surface(surface, model.format, places, sink);
            trailing(sink, places.at.saturating_add(place(places.end)), &surface.trailing);
            sink.leave();
        }
    });
    trailing(sink, layout.length, &model.trailing);
}

fn put_surface<S: Placed>(surface: &Surface, format: Format, places: &SurfaceLayout, sink: &mut S) {
    let caps = format.caps();
    let [num_base_frames, num_comp_frames] = places.counts;
    let header = SurfaceHeader {
        ident: surface.ident,
        name: surface.name,
        flags: surface.flags,
        num_comp_frames,
        num_base_frames,
        num_shaders: word(surface.shaders.len()),
        num_verts: word(surface.texcoords.len()),
        num_triangles: word(surface.triangles.len()),
        ofs_triangles: places.triangles,
        ofs_shaders: places.shaders,
        ofs_st: places.texcoords,
        ofs_xyz_normals: places.base,
        ofs_xyz_compressed: places.compressed,
        ofs_frame_base_frames: places.base_of_frame,
        ofs_frame_comp_frames: places.compressed_of_frame,
        ofs_end: places.end,
    };
    part(sink, "header", places.at, |sink| header.write(sink, caps));
    let at = |offset: i32| places.at.saturating_add(place(offset));
    let triangles = surface.triangles.as_flattened();
    let bytes = bytemuck::cast_slice(triangles);
    bulk(sink, "triangles", at(places.triangles), bytes, Numbers::U32(triangles), 3);
    records(sink, "shaders", at(places.shaders), &surface.shaders, caps);
    let texcoords = surface.texcoords.as_flattened();
    let bytes = bytemuck::cast_slice(texcoords);
    bulk(sink, "texcoords", at(places.texcoords), bytes, Numbers::F32(texcoords), 2);
    let base = bytemuck::cast_slice(&surface.base);
    bulk(sink, "base", at(places.base), bytemuck::cast_slice(&surface.base), Numbers::I16(base), 4);
    if format == Format::Md3 {
        return;
    }
    let compressed = bytemuck::cast_slice(&surface.compressed);
    bulk(sink, "compressed", at(places.compressed), compressed, Numbers::U8(compressed), 4);
    for (name, table, offset) in [
        ("base_of_frame", &surface.base_of_frame, places.base_of_frame),
        ("compressed_of_frame", &surface.compressed_of_frame, places.compressed_of_frame),
    ] {
        bulk(sink, name, at(offset), bytemuck::cast_slice(table), Numbers::I16(table), 1);
    }
}
