//! Building a model from the tree of fields that a dump shows.

use crate::layout::{self, Layout, SurfaceLayout};
use crate::records::{Header, SurfaceHeader};
use crate::{Format, Model, PackedVertex, Surface, Tags, Vertex};
use effigy_wire::placed::{Dumped, numbers, stated, trailing};
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
        tree.only(&["header", "frames", "tag_names", "tags", "surfaces", "trailing", "placement"])?;
        let header = header(format, tree).in_field("header")?;
        let tags = match format {
            Format::Mdc => {
                Tags::Packed { names: tree.list("tag_names", caps)?, poses: tree.list("tags", caps)? }
            }
            Format::Md3 if tree.part("tag_names").is_some() => {
                let message = "MD3 has no list of names: each tag has its own in every frame";
                return Err(Error::new(Kind::Malformed, message)).in_field("tag_names");
            }
            Format::Md3 => Tags::Full(tree.list("tags", caps)?),
        };
        let surfaces = tree.each("surfaces", |part| surface(part, format))?;
        let (surfaces, headers): (Vec<Surface>, Vec<SurfaceHeader>) = surfaces.into_iter().unzip();
        let mut model = Self {
            name: header.name,
            flags: header.flags,
            skins: header.num_skins,
            frames: tree.list("frames", caps)?,
            tags,
            surfaces,
            trailing: trailing(tree)?,
            ..Self::new(format)
        };
        let usual = layout::canonical(&model)?;
        let shape = layout::shape(&model);
        if let Some(dumped) = Dumped::parse(tree, &shape, usual.length)? {
            let layout = offsets(&header, &headers, dumped.length);
            model.origin.placement = Some(Box::new(dumped.placed(layout, shape)));
        }
        Ok(model)
    }
}

fn header(format: Format, tree: &Tree<'_>) -> Result<Header> {
    let Some(part) = tree.part("header") else { return Ok(Header::default()) };
    stated(part, "ident", format.caps(), &format.ident())?;
    stated(part, "version", format.caps(), &format.number())?;
    Header::parse(part, format.caps())
}

fn surface(tree: &Tree<'_>, format: Format) -> Result<(Surface, SurfaceHeader)> {
    let caps = format.caps();
    let lists: &[&str] = match format {
        Format::Mdc => &[
            "header",
            "triangles",
            "shaders",
            "texcoords",
            "base",
            "compressed",
            "base_of_frame",
            "compressed_of_frame",
            "trailing",
        ],
        Format::Md3 => &["header", "triangles", "shaders", "texcoords", "base", "trailing"],
    };
    tree.only(lists)?;
    let usual = SurfaceHeader { ident: format.surface_ident(), ..SurfaceHeader::default() };
    let header = tree
        .part("header")
        .map_or_else(|| Ok(usual), |part| SurfaceHeader::parse(part, caps))
        .in_field("header")?;
    let surface = Surface {
        ident: header.ident,
        name: header.name,
        flags: header.flags,
        triangles: numbers(tree, "triangles")?,
        shaders: tree.list("shaders", caps)?,
        texcoords: numbers(tree, "texcoords")?,
        base: bytemuck::cast_slice::<[i16; 4], Vertex>(&numbers(tree, "base")?).to_vec(),
        compressed: bytemuck::cast_slice::<[u8; 4], PackedVertex>(&numbers(tree, "compressed")?).to_vec(),
        base_of_frame: tree.field("base_of_frame", caps)?,
        compressed_of_frame: tree.field("compressed_of_frame", caps)?,
        trailing: trailing(tree)?,
    };
    Ok((surface, header))
}

/// The offsets that the headers state.
fn offsets(header: &Header, surfaces: &[SurfaceHeader], length: usize) -> Layout {
    let mut at = usize::try_from(header.ofs_surfaces).unwrap_or(0);
    let mut parts = Vec::with_capacity(surfaces.len());
    for surface in surfaces {
        let part = SurfaceLayout::of(surface, at);
        at = at.saturating_add(usize::try_from(part.end).unwrap_or(0));
        parts.push(part);
    }
    Layout { parts, ..Layout::of(header, length) }
}
