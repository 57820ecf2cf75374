//! Geosets of WoW alpha 1500: all headers first, then one batch of vertices and indices for each.
//!
//! The vertices are those of M2. The client does not check the three tags inside a header; they are preserved.

use crate::version::Caps;
use bytemuck::{Pod, Zeroable};
use effigy_wire::{
    Cursor, Error, Kind, Label, Leaf, Locate, Numbers, Result, Sink, Space, Spatial, Tag, Tree, Wire,
    not_spatial, record,
};

/// A vertex as in M2.
#[derive(Clone, Copy, Debug, PartialEq, Default, Pod, Zeroable)]
#[repr(C)]
pub struct BatchVertex {
    /// Position.
    pub position: [f32; 3],
    /// Weights of four bones; they sum to 255.
    pub weights: [u8; 4],
    /// Four bones.
    pub bones: [u8; 4],
    /// Normal.
    pub normal: [f32; 3],
    /// Two sets of texture coordinates; the second is (0, 0) in every known file.
    pub uv: [[f32; 2]; 2],
}

record! {
    /// Header of a geoset of version 1500.
    pub struct GeosetHeader(Caps) {
        /// Index of the material.
        pub material: u32,
        /// Centre of the bounding sphere.
        (point) pub center: [f32; 3],
        /// Radius of the bounding sphere.
        (length) pub radius: f32,
        /// Part of a character times 100 plus variant.
        pub selection_group: u32,
        /// Index of the geoset.
        pub index: u32,
        /// 1: unselectable; the meaning of 0x10, 0x20 and 0x40 is disputed.
        pub flags: u32,
        /// `PVTX`.
        pub vertex_tag: Tag = Tag(*b"PVTX"),
        /// Vertices in the batch.
        pub vertex_count: u32,
        /// `PTYP`.
        pub primitive_tag: Tag = Tag(*b"PTYP"),
        /// Primitive types in the batch.
        pub primitive_count: u32 = 1,
        /// `PVTX` again.
        pub index_tag: Tag = Tag(*b"PVTX"),
        /// Indices in the batch.
        pub index_count: u32,
        /// Zero.
        pub unknown_0x38: [u32; 2],
    }
}

record! {
    /// Vertices and indices of a geoset of version 1500, after its vertices.
    pub struct GeosetBatch(Caps) {
        /// 3: triangles.
        pub primitive: u32 = 3,
        /// Zero.
        pub unknown_0x4: u32,
        /// Vertex indices.
        pub indices: Indices,
    }
}

/// Indices of a batch with the range of vertices that they use and the padding after them.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Indices {
    /// Lowest vertex that is used.
    pub min_vertex: u16,
    /// Highest vertex that is used.
    pub max_vertex: u16,
    /// Zero.
    pub unknown_0x6: u16,
    /// The indices.
    pub list: Vec<u16>,
    /// Padding up to a multiple of eight indices; missing numbers are zero.
    pub padding: Vec<u16>,
}

impl Indices {
    const fn padding(count: usize) -> usize {
        (8 - count % 8) % 8
    }
}

impl Wire<Caps> for Indices {
    fn read(cursor: &mut Cursor<'_>, caps: Caps) -> Result<Self> {
        let count = usize::from(cursor.u16()?);
        Ok(Self {
            min_vertex: u16::read(cursor, caps)?,
            max_vertex: u16::read(cursor, caps)?,
            unknown_0x6: u16::read(cursor, caps)?,
            list: cursor.bulk(count)?,
            padding: cursor.bulk(Self::padding(count))?,
        })
    }

    fn write<S: Sink>(&self, sink: &mut S, caps: Caps) {
        let count = u16::try_from(self.list.len()).unwrap_or_else(|_| {
            sink.too_large(self.list.len());
            u16::MAX
        });
        let mut field = |name, value: u16| {
            sink.enter(Label::Field(name));
            value.write(sink, caps);
            sink.leave();
        };
        field("count", count);
        field("min_vertex", self.min_vertex);
        field("max_vertex", self.max_vertex);
        field("unknown_0x6", self.unknown_0x6);
        let mut padding = self.padding.clone();
        padding.resize(Self::padding(self.list.len()), 0);
        let mut list = |name, list: &Vec<u16>| {
            sink.enter(Label::Field(name));
            list.write(sink, caps);
            sink.leave();
        };
        list("list", &self.list);
        list("padding", &padding);
    }

    fn parse(tree: &Tree<'_>, caps: Caps) -> Result<Self> {
        tree.only(&["count", "min_vertex", "max_vertex", "unknown_0x6", "list", "padding"])?;
        let number = |name: &str| tree.part(name).map_or(Ok(0), Tree::number);
        let list = |name: &str| tree.part(name).map_or(Ok(Vec::new()), |part| Wire::parse(part, caps));
        Ok(Self {
            min_vertex: number("min_vertex")?,
            max_vertex: number("max_vertex")?,
            unknown_0x6: number("unknown_0x6")?,
            list: list("list")?,
            padding: list("padding")?,
        })
    }
}

/// A geoset of version 1500.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct BatchedGeoset {
    /// Its header.
    pub header: GeosetHeader,
    /// Its vertices.
    pub vertices: Vec<BatchVertex>,
    /// Its indices.
    pub batch: GeosetBatch,
}

not_spatial!(Indices);

impl Spatial for BatchVertex {
    fn walk_space(&mut self, space: &mut dyn Space) {
        space.point(&mut self.position);
        space.direction(&mut self.normal);
    }
}

impl Spatial for BatchedGeoset {
    fn walk_space(&mut self, space: &mut dyn Space) {
        self.header.walk_space(space);
        self.vertices.walk_space(space);
    }
}

/// A count, all headers, all batches.
pub(crate) struct BatchedGeosets;

impl BatchedGeosets {
    pub(crate) fn read(&self, cursor: &mut Cursor<'_>, caps: Caps) -> Result<Vec<BatchedGeoset>> {
        let count = cursor.count()?;
        let headers: Vec<GeosetHeader> = super::read_items(cursor, count, caps)?;
        let mut geosets = Vec::with_capacity(headers.len());
        for (index, header) in headers.into_iter().enumerate() {
            let vertices = cursor.bulk(header.vertex_count as usize).in_field("vertices").in_index(index)?;
            let batch = GeosetBatch::read(cursor, caps).in_index(index)?;
            geosets.push(BatchedGeoset { header, vertices, batch });
        }
        Ok(geosets)
    }

    /// The first half of the parts are the headers.
    pub(crate) fn parse(&self, tree: &Tree<'_>, caps: Caps) -> Result<Vec<BatchedGeoset>> {
        let (headers, batches) = tree.parts.split_at(tree.parts.len() / 2);
        if headers.len() != batches.len() {
            return Err(Error::new(Kind::Malformed, "each geoset needs a header and a batch"));
        }
        let geoset = |(header, batch): (&Tree<'_>, &Tree<'_>)| {
            let header = GeosetHeader::parse(header, caps)?;
            let mut batch = batch.clone();
            let vertices = match batch.parts.iter().position(|part| part.name == "vertices") {
                Some(place) => batch.parts.remove(place).parts,
                None => Vec::new(),
            };
            let vertices = vertices.iter().map(|vertex| parse_vertex(vertex, caps)).collect::<Result<_>>()?;
            Ok(BatchedGeoset { header, vertices, batch: GeosetBatch::parse(&batch, caps)? })
        };
        headers.iter().zip(batches).enumerate().map(|(index, pair)| geoset(pair).in_index(index)).collect()
    }
}

fn parse_vertex(tree: &Tree<'_>, caps: Caps) -> Result<BatchVertex> {
    tree.only(&["position", "weights", "bones", "normal", "uv"])?;
    let part = |name: &str| {
        tree.part(name).ok_or_else(|| Error::new(Kind::Malformed, format!("the vertex has no '{name}'")))
    };
    let [a, b, c, d]: [f32; 4] = Wire::parse(part("uv")?, caps)?;
    Ok(BatchVertex {
        position: Wire::parse(part("position")?, caps)?,
        weights: Wire::parse(part("weights")?, caps)?,
        bones: Wire::parse(part("bones")?, caps)?,
        normal: Wire::parse(part("normal")?, caps)?,
        uv: [[a, b], [c, d]],
    })
}

impl BatchedGeosets {
    pub(crate) fn write_slice<S: Sink>(
        &self,
        geosets: &[BatchedGeoset],
        first: usize,
        sink: &mut S,
        caps: Caps,
    ) {
        sink.count(geosets.len());
        for (index, geoset) in geosets.iter().enumerate() {
            sink.enter(Label::Index(first.saturating_add(index)));
            let header = GeosetHeader {
                vertex_count: sink.word(geoset.vertices.len()),
                index_count: sink.word(geoset.batch.indices.list.len()),
                ..geoset.header.clone()
            };
            header.write(sink, caps);
            sink.leave();
        }
        for (index, geoset) in geosets.iter().enumerate() {
            sink.enter(Label::Index(first.saturating_add(index)));
            sink.enter(Label::Field("vertices"));
            if S::TALKS {
                for (index, vertex) in geoset.vertices.iter().enumerate() {
                    explain(vertex, index, sink);
                }
            }
            sink.put(bytemuck::cast_slice(&geoset.vertices));
            sink.leave();
            geoset.batch.write(sink, caps);
            sink.leave();
        }
    }
}

fn explain<S: Sink>(vertex: &BatchVertex, index: usize, sink: &mut S) {
    sink.enter(Label::Index(index));
    let mut field = |name, numbers: Numbers<'_>, width| {
        sink.enter(Label::Field(name));
        sink.show(Leaf::Many { numbers, width });
        sink.leave();
    };
    field("position", Numbers::F32(&vertex.position), 3);
    field("weights", Numbers::U8(&vertex.weights), 4);
    field("bones", Numbers::U8(&vertex.bones), 4);
    field("normal", Numbers::F32(&vertex.normal), 3);
    field("uv", Numbers::F32(vertex.uv.as_flattened()), 2);
    sink.leave();
}
