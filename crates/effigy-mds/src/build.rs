//! Building a model from the tree of fields that a dump shows.

use crate::layout::{self, Layout, SurfaceLayout, TagLayout};
use crate::records::{Frame, Header, SurfaceHeader, TagHeader, VertexHeader};
use crate::version::Caps;
use crate::{BoneKey, Format, Model, Surface, Tag, Vertex};
use effigy_wire::placed::{Dumped, numbers, stated};
use effigy_wire::{Error, Kind, Locate, Result, Tree, Wire};

impl Model {
    /// The model whose fields [`Model::visit`] shows as the parts of this tree. Writing it gives the same bytes as the model
    /// that was visited, as long as no value was changed.
    ///
    /// Counts and offsets of headers follow from the lists; those of the tree are only used for a file whose parts are not
    /// in the usual order, and only while all lists have their lengths.
    ///
    /// # Errors
    /// When a part is not known or a value does not fit its field, with the path.
    pub fn build(format: Format, tree: &Tree<'_>) -> Result<Self> {
        let caps = format.caps();
        let mut parts = vec!["header"];
        if caps.contains(Caps::SKELETON) {
            parts.extend(["frames", "bones"]);
        }
        if caps.contains(Caps::MESH) {
            parts.extend(["surfaces", "tags"]);
        }
        parts.push("placement");
        tree.only(&parts)?;
        let header = header(format, tree).in_field("header")?;
        let mut model = Self {
            name: header.name,
            lod_scale: header.lod_scale,
            lod_bias: header.lod_bias,
            torso_parent: header.torso_parent,
            bones: tree.list("bones", caps)?,
            ..Self::new(format)
        };
        let bones = model.bones.len();
        for (frame, keys) in tree.each("frames", |part| frame(part, bones, caps))? {
            model.frames.push(frame);
            model.keys.extend_from_slice(bytemuck::cast_slice::<[i16; 6], BoneKey>(&keys));
        }
        let (surfaces, surface_headers): (_, Vec<SurfaceHeader>) =
            tree.each("surfaces", |part| surface(part, format))?.into_iter().unzip();
        let (tags, tag_headers): (_, Vec<TagHeader>) =
            tree.each("tags", |part| tag(part, caps))?.into_iter().unzip();
        (model.surfaces, model.tags) = (surfaces, tags);
        let usual = layout::canonical(&model)?;
        let shape = layout::shape(&model);
        if let Some(dumped) = Dumped::parse(tree, &shape, usual.length)? {
            let mut layout = Layout::of(&header, dumped.length);
            layout.surface_parts = chain(header.ofs_surfaces, &surface_headers, |header, at| {
                let part = SurfaceLayout::of(header, at);
                let end = part.end;
                (part, end)
            });
            layout.tag_parts = chain(header.ofs_tags, &tag_headers, |header, at| {
                let part = TagLayout::of(header, at, caps);
                let end = part.end;
                (part, end)
            });
            model.origin.placement = Some(Box::new(dumped.placed(layout, shape)));
        }
        Ok(model)
    }
}

/// The offsets of records that each state where the next one is.
fn chain<H, L>(first: i32, headers: &[H], place: impl Fn(&H, usize) -> (L, i32)) -> Vec<L> {
    let mut at = usize::try_from(first).unwrap_or(0);
    let mut next = |header| {
        let (part, end) = place(header, at);
        at = at.saturating_add(usize::try_from(end).unwrap_or(0));
        part
    };
    headers.iter().map(&mut next).collect()
}

fn header(format: Format, tree: &Tree<'_>) -> Result<Header> {
    let none = Tree::default();
    let (part, caps) = (tree.part("header").unwrap_or(&none), format.caps());
    stated(part, "ident", caps, &format.ident())?;
    stated(part, "version", caps, &format.number())?;
    let mut header = Header::parse(part, caps)?;
    if caps.contains(Caps::MESH) && part.part("lod_scale").is_none() {
        header.lod_scale = Model::new(format).lod_scale;
    }
    Ok(header)
}

fn frame(tree: &Tree<'_>, bones: usize, caps: Caps) -> Result<(Frame, Vec<[i16; 6]>)> {
    let keys = numbers(tree, "bones")?;
    if keys.len() != bones {
        let message = format!("{} keys for a skeleton of {bones} bones", keys.len());
        return Err(Error::new(Kind::Malformed, message)).in_field("bones");
    }
    Ok((Frame::parse(&tree.without("bones"), caps)?, keys))
}

fn surface(tree: &Tree<'_>, format: Format) -> Result<(Surface, SurfaceHeader)> {
    let caps = format.caps();
    tree.only(&["header", "vertices", "triangles", "collapse_map", "bone_references"])?;
    let usual = SurfaceHeader { ident: format.surface_ident(), ..SurfaceHeader::default() };
    let header = tree
        .part("header")
        .map_or_else(|| Ok(usual), |part| SurfaceHeader::parse(part, caps))
        .in_field("header")?;
    let surface = Surface {
        ident: header.ident,
        name: header.name,
        shader: header.shader,
        shader_index: header.shader_index,
        min_lod: header.min_lod,
        vertices: tree.each("vertices", |part| vertex(part, caps))?,
        triangles: numbers(tree, "triangles")?,
        collapse_map: tree.field("collapse_map", caps)?,
        bone_references: tree.field("bone_references", caps)?,
    };
    Ok((surface, header))
}

fn vertex(tree: &Tree<'_>, caps: Caps) -> Result<Vertex> {
    let header = VertexHeader::parse(&tree.without("weights"), caps)?;
    Ok(Vertex {
        normal: header.normal,
        texcoord: header.texcoord,
        fixed_parent: header.fixed_parent,
        fixed_dist: header.fixed_dist,
        weights: tree.list("weights", caps)?,
    })
}

fn tag(tree: &Tree<'_>, caps: Caps) -> Result<(Tag, TagHeader)> {
    let placed = caps.contains(Caps::PLACED_TAGS);
    tree.only(if placed { &["header", "bone_references"] } else { &["header"] })?;
    let none = Tree::default();
    let part = tree.part("header").unwrap_or(&none);
    let header = TagHeader::parse(part, caps).in_field("header")?;
    let tag = Tag {
        name: header.name,
        torso_weight: header.torso_weight,
        bone: header.bone,
        axes: if part.part("axes").is_some() { header.axes } else { Tag::default().axes },
        offset: header.offset,
        bone_references: tree.field("bone_references", caps)?,
    };
    Ok((tag, header))
}
