//! Geosets (`GEOS`): the meshes of a model, one material each.
//!
//! Sections with tags and element counts (`SKIN`: bytes), then a tail without tags. Warcraft III ends with tangents,
//! skin weights and texture coordinates; WoW alpha has the coordinates right after the normals, without a tag per
//! set, one byte per primitive type, and bone indices and weights after the matrices. Version 1500 has a different
//! layout: see `batched_geoset`.

use super::{Counted, Extent, choices};
use crate::version::Caps;
use effigy_wire::{
    Codec, Cursor, Error, FixedStr, Kind, Leaf, Locate, Numbers, Result, Section, Sink, Tag, Tree, Wire,
    not_spatial, record,
};

const VRTX: Tag = Tag(*b"VRTX");
const NRMS: Tag = Tag(*b"NRMS");
const UVAS: Tag = Tag(*b"UVAS");
const UVBS: Tag = Tag(*b"UVBS");
const PTYP: Tag = Tag(*b"PTYP");
const PCNT: Tag = Tag(*b"PCNT");
const PVTX: Tag = Tag(*b"PVTX");
const GNDX: Tag = Tag(*b"GNDX");
const MTGC: Tag = Tag(*b"MTGC");
const MATS: Tag = Tag(*b"MATS");
const BIDX: Tag = Tag(*b"BIDX");
const BWGT: Tag = Tag(*b"BWGT");
const TANG: Tag = Tag(*b"TANG");
const SKIN: Tag = Tag(*b"SKIN");

choices! {
    /// The primitive type of a group of indices. Only triangles occur in real files.
    pub struct Primitive {
        /// Points.
        const POINTS = 0, "Points";
        /// Separate lines.
        const LINES = 1, "Lines";
        /// A closed line.
        const LINE_LOOP = 2, "LineLoop";
        /// A line.
        const LINE_STRIP = 3, "LineStrip";
        /// Separate triangles.
        const TRIANGLES = 4, "Triangles";
        /// A strip of triangles.
        const TRIANGLE_STRIP = 5, "TriangleStrip";
        /// A fan of triangles.
        const TRIANGLE_FAN = 6, "TriangleFan";
        /// Separate quadrangles.
        const QUADS = 7, "Quads";
        /// A strip of quadrangles.
        const QUAD_STRIP = 8, "QuadStrip";
        /// A polygon.
        const POLYGON = 9, "Polygons";
    }
}

record! {
    /// A mesh with one material.
    pub struct Geoset(Caps) sized {
        /// Positions.
        (point) pub vertices: Vec<[f32; 3]> as (Section(VRTX)),
        /// Normals, one per vertex.
        (direction) pub normals: Vec<[f32; 3]> as (Section(NRMS)),
        /// Sets of texture coordinates; v counts from the top.
        (plain) pub uv_sets: Vec<Vec<[f32; 2]>> as (|geoset| UvsPerVertex(geoset.vertices.len())) [Caps::WOW],
        /// The primitive type of each group of indices.
        pub primitive_types: Vec<u32> as (PrimitiveTypes),
        /// Indices (not faces) in each group.
        pub primitive_counts: Vec<u32> as (Section(PCNT)),
        /// Vertex indices.
        pub indices: Vec<u16> as (Section(PVTX)),
        /// Matrix group of each vertex; empty in many skinned geosets.
        pub vertex_groups: Vec<u8> as (Section(GNDX)),
        /// How many nodes each matrix group has.
        pub group_sizes: Vec<u32> as (Section(MTGC)),
        /// Object ids of the nodes of all groups.
        pub group_nodes: Vec<u32> as (Section(MATS)),
        /// Four bones per vertex, in an order of their own: see [`Geoset::influences`].
        pub bone_indices: Vec<[u8; 4]> as (Section(BIDX)) [Caps::WOW],
        /// Four weights per vertex, which sum to 255; the last one is that of the first bone.
        pub bone_weights: Vec<[u8; 4]> as (Section(BWGT)) [Caps::WOW],
        /// Index of the material.
        pub material: u32,
        /// Geosets of one group are selected together; WoW alpha: part of a character, times 100, plus variant.
        pub selection_group: u32,
        /// 4: unselectable (WoW alpha: 1).
        pub selection_flags: u32,
        /// Level of detail; 0 is the finest, -1 occurs.
        pub lod: i32 [Caps::GEOSET_LOD],
        /// Name of the mesh.
        pub name: FixedStr<80> [Caps::GEOSET_LOD],
        /// Bounds.
        pub extent: Extent,
        /// Bounds in each sequence.
        pub sequence_extents: Vec<Extent> as (Counted),
        /// Tangents with the side of the bitangent in w.
        (tangent) pub tangents: Option<Vec<[f32; 4]>> as (Section(TANG)) [Caps::WC3],
        /// Bones and weights of each vertex.
        pub skin: Option<Skin> as (SkinSection) [Caps::WC3],
        again uv_sets as (UvSets) [Caps::WC3],
    }
}

impl Geoset {
    /// The nodes of each matrix group, as far as the counts and the list agree.
    pub fn groups(&self) -> impl Iterator<Item = &[u32]> {
        let mut rest = self.group_nodes.as_slice();
        self.group_sizes.iter().map(move |&size| {
            let (group, after) = rest.split_at(rest.len().min(size as usize));
            rest = after;
            group
        })
    }

    /// Vertices in the order of [`Self::bone_indices`]: by matrix group, and within a group as they are.
    fn by_group(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.vertices.len()).collect();
        order.sort_by_key(|vertex| self.vertex_groups.get(*vertex).copied().unwrap_or(0));
        order
    }

    /// Bones and weights of each vertex as [`Self::bone_indices`] and [`Self::bone_weights`] state them; empty unless
    /// there is one of each per vertex. World of Warcraft alpha skins by matrix groups and does not need them.
    #[must_use]
    pub fn influences(&self) -> Vec<([u8; 4], [u8; 4])> {
        let count = self.vertices.len();
        if self.bone_indices.len() != count || self.bone_weights.len() != count {
            return Vec::new();
        }
        let mut found = vec![([0; 4], [0; 4]); count];
        let rows = self.bone_indices.iter().zip(&self.bone_weights);
        for (vertex, (bones, &[d, c, b, a])) in self.by_group().into_iter().zip(rows) {
            if let Some(found) = found.get_mut(vertex) {
                *found = (*bones, [a, b, c, d]);
            }
        }
        found
    }

    /// Sets [`Self::bone_indices`] and [`Self::bone_weights`] from the bones and weights of each vertex. Vertices and
    /// their groups have to be there already.
    pub fn set_influences(&mut self, rows: &[([u8; 4], [u8; 4])]) {
        let row = |vertex: usize| rows.get(vertex).copied().unwrap_or_default();
        let order = self.by_group();
        self.bone_indices = order.iter().map(|vertex| row(*vertex).0).collect();
        self.bone_weights = order
            .iter()
            .map(|vertex| {
                let [a, b, c, d] = row(*vertex).1;
                [d, c, b, a]
            })
            .collect();
    }

    /// How many triangles the groups of separate triangles have.
    #[must_use]
    pub fn triangle_count(&self) -> usize {
        self.primitive_types
            .iter()
            .zip(&self.primitive_counts)
            .filter(|(kind, _)| **kind == Primitive::TRIANGLES.0)
            .map(|(_, count)| *count as usize / 3)
            .fold(0, usize::saturating_add)
            .min(self.indices.len() / 3)
    }
}

/// Bones and weights: per vertex four bones, then four weights that sum to 255.
#[derive(Clone, Debug, PartialEq)]
pub enum Skin {
    /// Bytes, before 1400.
    Narrow(Vec<[u8; 8]>),
    /// 16-bit numbers, from 1400 on; weights still have a maximum of 255.
    Wide(Vec<[u16; 8]>),
}

not_spatial!(Skin);

impl Skin {
    /// How many vertices it covers.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Narrow(list) => list.len(),
            Self::Wide(list) => list.len(),
        }
    }

    /// Whether it covers none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bones and weights of each vertex.
    pub fn iter(&self) -> impl Iterator<Item = ([u16; 4], [u16; 4])> + '_ {
        let (narrow, wide): (&[_], &[_]) = match self {
            Self::Narrow(list) => (list, &[]),
            Self::Wide(list) => (&[], list),
        };
        let split = |[a, b, c, d, e, f, g, h]: [u16; 8]| ([a, b, c, d], [e, f, g, h]);
        narrow.iter().map(move |row| split(row.map(u16::from))).chain(wide.iter().map(move |row| split(*row)))
    }

    /// The same in bytes, when every number fits.
    #[must_use]
    pub fn narrowed(&self) -> Option<Vec<[u8; 8]>> {
        match self {
            Self::Narrow(list) => Some(list.clone()),
            Self::Wide(list) => list.iter().map(|row| narrow(*row)).collect(),
        }
    }

    /// The same in 16-bit numbers.
    #[must_use]
    pub fn widened(&self) -> Vec<[u16; 8]> {
        match self {
            Self::Narrow(list) => list.iter().map(|row| row.map(u16::from)).collect(),
            Self::Wide(list) => list.clone(),
        }
    }
}

fn narrow(row: [u16; 8]) -> Option<[u8; 8]> {
    let mut out = [0; 8];
    for (narrow, wide) in out.iter_mut().zip(row) {
        *narrow = u8::try_from(wide).ok()?;
    }
    Some(out)
}

/// `SKIN`, a count of numbers (eight to a vertex), the numbers in bytes or, from 1400 on, in 16 bits.
struct SkinSection;

impl Codec<Option<Skin>, Caps> for SkinSection {
    fn read(&self, cursor: &mut Cursor<'_>, caps: Caps) -> Result<Option<Skin>> {
        if cursor.peek_tag() != Some(SKIN) {
            return Ok(None);
        }
        cursor.tag()?;
        let at = cursor.position();
        let count = cursor.count()?;
        if !count.is_multiple_of(8) {
            return Err(Error::malformed(
                at,
                format!("{count} is not a multiple of eight numbers per vertex"),
            ))
            .in_tag(SKIN);
        }
        Ok(Some(if caps.contains(Caps::WIDE_SKIN) {
            Skin::Wide(cursor.bulk(count / 8).in_tag(SKIN)?)
        } else {
            Skin::Narrow(cursor.bulk(count / 8).in_tag(SKIN)?)
        }))
    }

    fn write<S: Sink>(&self, skin: &Option<Skin>, sink: &mut S, caps: Caps) {
        let Some(skin) = skin else { return };
        sink.put(&SKIN.0);
        sink.count(skin.len().saturating_mul(8));
        match (skin, caps.contains(Caps::WIDE_SKIN)) {
            (Skin::Narrow(list), false) => put_rows(list, sink),
            (Skin::Wide(list), true) => {
                sink.show(Leaf::Many { numbers: Numbers::U16(list.as_flattened()), width: 8 });
                sink.put_copy(bytemuck::cast_slice(list));
            }
            (Skin::Narrow(_), true) => sink.put(bytemuck::cast_slice(&skin.widened())),
            (Skin::Wide(list), false) => {
                // `upgrade` reports bones that do not fit into a byte; here they become the last bone.
                let rows: Vec<[u8; 8]> =
                    list.iter().map(|row| row.map(|n| u8::try_from(n).unwrap_or(u8::MAX))).collect();
                put_rows(&rows, sink);
            }
        }
    }

    fn parse(&self, tree: &Tree<'_>, caps: Caps) -> Result<Option<Skin>> {
        if tree.value.is_none() {
            return Ok(None);
        }
        Ok(Some(if caps.contains(Caps::WIDE_SKIN) {
            Skin::Wide(Wire::parse(tree, caps)?)
        } else {
            Skin::Narrow(Wire::parse(tree, caps)?)
        }))
    }
}

fn put_rows<S: Sink>(rows: &[[u8; 8]], sink: &mut S) {
    sink.show(Leaf::Many { numbers: Numbers::U8(rows.as_flattened()), width: 8 });
    sink.put_copy(rows.as_flattened());
}

/// `PTYP` and a count; each type is a word in Warcraft III and a byte in WoW alpha.
struct PrimitiveTypes;

impl Codec<Vec<u32>, Caps> for PrimitiveTypes {
    fn read(&self, cursor: &mut Cursor<'_>, caps: Caps) -> Result<Vec<u32>> {
        if caps.contains(Caps::WC3) {
            return Section(PTYP).read(cursor, caps);
        }
        let bytes: Vec<u8> = Section(PTYP).read(cursor, caps)?;
        Ok(bytes.into_iter().map(u32::from).collect())
    }

    fn write<S: Sink>(&self, types: &Vec<u32>, sink: &mut S, caps: Caps) {
        if caps.contains(Caps::WC3) {
            return Section(PTYP).write(types, sink, caps);
        }
        let bytes: Vec<u8> = types.iter().map(|&kind| u8::try_from(kind).unwrap_or(u8::MAX)).collect();
        Section(PTYP).write(&bytes, sink, caps);
    }

    fn parse(&self, tree: &Tree<'_>, caps: Caps) -> Result<Vec<u32>> {
        Wire::parse(tree, caps)
    }
}

/// Warcraft III: `UVAS` and a count of sets, then `UVBS`, a count and the coordinates for each.
struct UvSets;

impl Codec<Vec<Vec<[f32; 2]>>, Caps> for UvSets {
    fn read(&self, cursor: &mut Cursor<'_>, caps: Caps) -> Result<Vec<Vec<[f32; 2]>>> {
        cursor.expect_tag(UVAS)?;
        let count = cursor.count()?;
        cursor.check_count(count, 8)?;
        (0..count).map(|index| Section(UVBS).read(cursor, caps).in_index(index)).collect()
    }

    fn write<S: Sink>(&self, sets: &Vec<Vec<[f32; 2]>>, sink: &mut S, caps: Caps) {
        sink.put(&UVAS.0);
        sink.count(sets.len());
        for (index, set) in sets.iter().enumerate() {
            sink.enter(effigy_wire::Label::Index(index));
            Section(UVBS).write(set, sink, caps);
            sink.leave();
        }
    }

    fn parse(&self, tree: &Tree<'_>, caps: Caps) -> Result<Vec<Vec<[f32; 2]>>> {
        super::parse_items(tree, caps)
    }
}

/// WoW alpha: `UVAS` and a count of sets, then as many coordinates for each as there are vertices. A geoset without
/// coordinates has no `UVAS` at all.
struct UvsPerVertex(usize);

impl Codec<Vec<Vec<[f32; 2]>>, Caps> for UvsPerVertex {
    fn read(&self, cursor: &mut Cursor<'_>, _: Caps) -> Result<Vec<Vec<[f32; 2]>>> {
        if cursor.peek_tag() != Some(UVAS) {
            return Ok(Vec::new());
        }
        cursor.tag()?;
        let count = cursor.count()?;
        // A set without vertices takes no bytes, so that the count cannot be checked against the size.
        cursor.check_count(count, self.0.saturating_mul(8).max(1)).in_tag(UVAS)?;
        (0..count).map(|index| cursor.bulk(self.0).in_index(index)).collect()
    }

    fn write<S: Sink>(&self, sets: &Vec<Vec<[f32; 2]>>, sink: &mut S, caps: Caps) {
        if sets.is_empty() {
            return;
        }
        sink.put(&UVAS.0);
        sink.count(sets.len());
        for (index, set) in sets.iter().enumerate() {
            sink.enter(effigy_wire::Label::Index(index));
            set.write(sink, caps);
            sink.leave();
        }
    }

    fn parse(&self, tree: &Tree<'_>, caps: Caps) -> Result<Vec<Vec<[f32; 2]>>> {
        let sets: Vec<Vec<[f32; 2]>> = super::parse_items(tree, caps)?;
        match sets.iter().all(|set| set.len() == self.0) {
            true => Ok(sets),
            false => Err(Error::new(Kind::Malformed, "each set needs one pair of coordinates per vertex")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_separate_triangles_that_are_there_are_counted() {
        let mut geoset = Geoset {
            primitive_types: vec![4, 5, 4],
            primitive_counts: vec![6, 9, 4],
            indices: vec![0; 12],
            ..Geoset::default()
        };
        assert_eq!(geoset.triangle_count(), 3);
        geoset.indices.truncate(7);
        assert_eq!(geoset.triangle_count(), 2);
    }

    #[test]
    fn groups_end_with_the_list_of_nodes() {
        let geoset =
            Geoset { group_sizes: vec![2, 0, 5, 1], group_nodes: vec![1, 2, 3, 4], ..Geoset::default() };
        assert_eq!(geoset.groups().collect::<Vec<_>>(), [&[1, 2][..], &[], &[3, 4], &[]]);
    }

    #[test]
    fn influences_need_one_row_per_vertex() {
        let mut geoset =
            Geoset { vertices: vec![[0.0; 3]; 2], vertex_groups: vec![1, 0], ..Geoset::default() };
        let rows = [([1, 2, 3, 4], [10, 20, 30, 40]), ([5, 6, 7, 8], [50, 60, 70, 80])];
        geoset.set_influences(&rows);
        // The vertex of the first group comes first, and its weights are backwards.
        assert_eq!(geoset.bone_indices, [[5, 6, 7, 8], [1, 2, 3, 4]]);
        assert_eq!(geoset.bone_weights, [[80, 70, 60, 50], [40, 30, 20, 10]]);
        assert_eq!(geoset.influences(), rows);
        let whole = geoset.clone();
        geoset.bone_indices.pop();
        assert_eq!(geoset.influences(), []);
        let mut geoset = whole;
        geoset.bone_weights.pop();
        assert_eq!(geoset.influences(), []);
    }

    #[test]
    fn skins_of_both_widths() {
        let (narrow, wide) =
            (Skin::Narrow(vec![[1, 2, 3, 4, 5, 6, 7, 8]]), Skin::Wide(vec![[1, 2, 3, 4, 5, 6, 7, 8]]));
        for skin in [&narrow, &wide] {
            assert_eq!((skin.len(), skin.is_empty()), (1, false));
            assert_eq!(skin.iter().collect::<Vec<_>>(), [([1, 2, 3, 4], [5, 6, 7, 8])]);
            assert_eq!(skin.narrowed(), Some(vec![[1, 2, 3, 4, 5, 6, 7, 8]]));
            assert_eq!(skin.widened(), [[1, 2, 3, 4, 5, 6, 7, 8]]);
        }
        assert_eq!(Skin::Wide(vec![[256, 0, 0, 0, 0, 0, 0, 0]]).narrowed(), None);
        assert!(Skin::Narrow(vec![]).is_empty() && Skin::Wide(vec![]).is_empty());
        // Each is written in the width of the version.
        let write = |skin: &Skin, version| {
            let mut buffer = effigy_wire::Buffer::default();
            SkinSection.write(&Some(skin.clone()), &mut buffer, crate::Dialect::Warcraft3.caps(version));
            buffer.into_bytes().unwrap()
        };
        let bytes = b"SKIN\x08\0\0\0\x01\x02\x03\x04\x05\x06\x07\x08";
        let words = b"SKIN\x08\0\0\0\x01\0\x02\0\x03\0\x04\0\x05\0\x06\0\x07\0\x08\0";
        for skin in [&narrow, &wide] {
            assert_eq!((write(skin, 1300), write(skin, 1400)), (bytes.to_vec(), words.to_vec()));
        }
        assert_eq!(
            write(&Skin::Wide(vec![[300, 0, 0, 0, 9, 0, 0, 0]]), 1300)[8..],
            [255, 0, 0, 0, 9, 0, 0, 0]
        );
    }
}
