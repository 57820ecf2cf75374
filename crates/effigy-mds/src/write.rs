//! Writing: one walk puts every part at its offset. The same walk drives `dump`.

use crate::layout::{self, Layout, SurfaceLayout, TagLayout, frame_size};
use crate::records::{Header, SurfaceHeader, TagHeader, VertexHeader};
use crate::version::Caps;
use crate::{Model, Surface, Tag};
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

fn element<S: Placed>(sink: &mut S, index: usize, body: impl FnOnce(&mut S)) {
    sink.enter(Label::Index(index));
    body(sink);
    sink.leave();
}

/// A list of numbers at the sink's position.
fn numbers<S: Placed>(sink: &mut S, name: &'static str, bytes: &[u8], numbers: Numbers<'_>, width: usize) {
    sink.enter(Label::Field(name));
    sink.show(Leaf::Many { numbers, width });
    sink.put(bytes);
    sink.leave();
}

fn put<S: Placed>(model: &Model, layout: &Layout, sink: &mut S) {
    let caps = model.format.caps();
    let header = Header {
        ident: model.format.ident(),
        version: model.format.number(),
        name: model.name,
        lod_scale: model.lod_scale,
        lod_bias: model.lod_bias,
        num_frames: word(model.frames.len()),
        num_bones: word(model.bones.len()),
        ofs_frames: layout.frames,
        ofs_bones: layout.bones,
        torso_parent: model.torso_parent,
        num_surfaces: word(model.surfaces.len()),
        ofs_surfaces: layout.surfaces,
        num_tags: word(model.tags.len()),
        ofs_tags: layout.tags,
        ofs_end: layout.end,
    };
    part(sink, "header", 0, |sink| header.write(sink, caps));
    if caps.contains(Caps::SKELETON) {
        put_skeleton(model, layout, sink);
    }
    if !caps.contains(Caps::MESH) {
        return;
    }
    let none = SurfaceLayout::default();
    part(sink, "surfaces", place(layout.surfaces), |sink| {
        for (index, surface) in model.surfaces.iter().enumerate() {
            let places = layout.surface_parts.get(index).unwrap_or(&none);
            sink.seek(places.at);
            element(sink, index, |sink| put_surface(surface, caps, places, sink));
        }
    });
    let none = TagLayout::default();
    part(sink, "tags", place(layout.tags), |sink| {
        for (index, tag) in model.tags.iter().enumerate() {
            let places = layout.tag_parts.get(index).unwrap_or(&none);
            sink.seek(places.at);
            element(sink, index, |sink| put_tag(tag, caps, places, sink));
        }
    });
}

fn put_skeleton<S: Placed>(model: &Model, layout: &Layout, sink: &mut S) {
    let caps = model.format.caps();
    let size = frame_size(caps, model.bones.len());
    part(sink, "frames", place(layout.frames), |sink| {
        for (index, frame) in model.frames.iter().enumerate() {
            sink.seek(place(layout.frames).saturating_add(index.saturating_mul(size)));
            element(sink, index, |sink| {
                frame.write(sink, caps);
                let keys = bytemuck::cast_slice(model.keys_of(index));
                numbers(sink, "bones", bytemuck::cast_slice(keys), Numbers::I16(keys), 6);
            });
        }
    });
    part(sink, "bones", place(layout.bones), |sink| {
        for (index, bone) in model.bones.iter().enumerate() {
            element(sink, index, |sink| bone.write(sink, caps));
        }
    });
}

fn put_surface<S: Placed>(surface: &Surface, caps: Caps, places: &SurfaceLayout, sink: &mut S) {
    let header = SurfaceHeader {
        ident: surface.ident,
        name: surface.name,
        shader: surface.shader,
        shader_index: surface.shader_index,
        min_lod: surface.min_lod,
        ofs_header: places.header,
        num_verts: word(surface.vertices.len()),
        ofs_verts: places.vertices,
        num_triangles: word(surface.triangles.len()),
        ofs_triangles: places.triangles,
        ofs_collapse_map: places.collapse_map,
        num_bone_references: word(surface.bone_references.len()),
        ofs_bone_references: places.bone_references,
        ofs_end: places.end,
    };
    part(sink, "header", places.at, |sink| header.write(sink, caps));
    let at = |offset: i32| places.at.saturating_add(place(offset));
    part(sink, "vertices", at(places.vertices), |sink| {
        for (index, vertex) in surface.vertices.iter().enumerate() {
            element(sink, index, |sink| {
                let header = VertexHeader {
                    normal: vertex.normal,
                    texcoord: vertex.texcoord,
                    num_weights: word(vertex.weights.len()),
                    fixed_parent: vertex.fixed_parent,
                    fixed_dist: vertex.fixed_dist,
                };
                header.write(sink, caps);
                sink.enter(Label::Field("weights"));
                for (index, weight) in vertex.weights.iter().enumerate() {
                    element(sink, index, |sink| weight.write(sink, caps));
                }
                sink.leave();
            });
        }
    });
    sink.seek(at(places.triangles));
    let triangles = surface.triangles.as_flattened();
    numbers(sink, "triangles", bytemuck::cast_slice(triangles), Numbers::U32(triangles), 3);
    sink.seek(at(places.collapse_map));
    let map = &surface.collapse_map;
    numbers(sink, "collapse_map", bytemuck::cast_slice(map), Numbers::I32(map), 1);
    sink.seek(at(places.bone_references));
    let references = &surface.bone_references;
    numbers(sink, "bone_references", bytemuck::cast_slice(references), Numbers::I32(references), 1);
}

fn put_tag<S: Placed>(tag: &Tag, caps: Caps, places: &TagLayout, sink: &mut S) {
    let header = TagHeader {
        name: tag.name,
        torso_weight: tag.torso_weight,
        axes: tag.axes,
        bone: tag.bone,
        offset: tag.offset,
        num_bone_references: word(tag.bone_references.len()),
        ofs_bone_references: places.bone_references,
        ofs_end: places.end,
    };
    part(sink, "header", places.at, |sink| header.write(sink, caps));
    if caps.contains(Caps::PLACED_TAGS) {
        sink.seek(places.at.saturating_add(place(places.bone_references)));
        let references = &tag.bone_references;
        numbers(sink, "bone_references", bytemuck::cast_slice(references), Numbers::I32(references), 1);
    }
}
