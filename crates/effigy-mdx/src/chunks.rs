//! The table of chunks: which tag holds which list of the model, and how the list is stored in the chunk.
//!
//! In Warcraft III a chunk is read to its end; WoW alpha stores a count first, and for `MTLS` and `ATCH` a second number
//! that its client uses for allocation (the number of layers with keys, the highest attachment id).

use crate::losses::Losses;
use crate::records::{
    Attachment, BatchedGeoset, BatchedGeosets, Bone, Camera, CollisionMesh, CollisionShape, Counted,
    EventObject, FaceFx, Geoset, GeosetAnimation, Helper, HitTestShape, Layer, Light, Material, ModelInfo,
    ParticleEmitter, ParticleEmitter2, PopcornEmitter, RibbonEmitter, Sequence, Sound, Texture,
    TextureAnimation, parse_items, write_items,
};
use crate::track::tags;
use crate::version::Caps;
use effigy_wire::{
    Codec, Compare, Cursor, Error, Locate, Report, Result, Sink, Space, Spatial, Tag, Tree, Wire,
};
use std::ops::Range;

macro_rules! chunks {
    ($($(#[doc = $doc:literal])* $(($meaning:ident))? $kind:ident $tag:literal $field:ident: Vec<$item:ty> as $form:ident($($arg:expr)?) $([$cap:expr])?;)*) => {
        /// Every kind of chunk that holds part of the model, in the order in which new ones are written.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum ChunkKind { $($(#[doc = $doc])* $kind,)* }

        impl ChunkKind {
            /// All kinds, in the order in which new ones are written.
            pub const ALL: &[Self] = &[$(Self::$kind),*];

            /// The tag.
            #[must_use]
            pub const fn tag(self) -> Tag {
                match self { $(Self::$kind => Tag(*$tag),)* }
            }

            /// What the chunk holds.
            #[must_use]
            pub const fn doc(self) -> &'static str {
                match self { $(Self::$kind => concat!($($doc),*),)* }
            }

            /// The capability without which the chunk means something else or nothing.
            #[must_use]
            pub const fn needs(self) -> Caps {
                match self { $(Self::$kind => needs(&[$($cap)?]),)* }
            }
        }

        /// The lists of a model, one per kind of chunk.
        #[derive(Clone, Debug, PartialEq, Default)]
        pub struct Lists { $($(#[doc = $doc])* pub $field: Vec<$item>,)* }

        impl Lists {
            /// How many records of this kind there are.
            #[must_use]
            pub fn count(&self, kind: ChunkKind) -> usize {
                match kind { $(ChunkKind::$kind => self.$field.len(),)* }
            }

            /// Removes the records of this kind from the given position on.
            pub fn truncate(&mut self, kind: ChunkKind, count: usize) {
                match kind { $(ChunkKind::$kind => self.$field.truncate(count),)* }
            }

            /// Reads a chunk's payload and adds its records. With `check`, returns whether writing them
            /// reproduces the payload.
            pub(crate) fn read(&mut self, kind: ChunkKind, payload: Cursor<'_>, caps: Caps, check: bool) -> Result<bool> {
                match kind { $(ChunkKind::$kind => {
                    let form = $form($($arg)?);
                    let (items, same) = Form::<$item>::read(&form, payload, caps, check)?;
                    let same = !check || same.unwrap_or_else(|| {
                        let mut compare = Compare::trusting_copies(payload.rest());
                        Form::<$item>::write(&form, &items, 0, &mut compare, caps);
                        compare.is_equal()
                    });
                    if self.$field.is_empty() { self.$field = items; } else { self.$field.extend(items); }
                    Ok(same)
                })* }
            }

            /// Writes a chunk's payload with the given records.
            pub(crate) fn write<S: Sink>(&self, kind: ChunkKind, range: Range<usize>, sink: &mut S, caps: Caps) {
                match kind { $(ChunkKind::$kind => {
                    let first = range.start;
                    let items = self.$field.get(range).unwrap_or_default();
                    Form::<$item>::write(&$form($($arg)?), items, first, sink, caps);
                })* }
            }

            /// Replaces these records by those of a chunk's tree; returns how many there are.
            pub(crate) fn parse(
                &mut self, kind: ChunkKind, range: Range<usize>, tree: &Tree<'_>, caps: Caps,
            ) -> Result<usize> {
                match kind { $(ChunkKind::$kind => {
                    let items: Vec<$item> = Form::<$item>::parse(&$form($($arg)?), tree, caps)?;
                    let count = items.len();
                    let end = range.end.min(self.$field.len());
                    self.$field.splice(range.start.min(end)..end, items);
                    Ok(count)
                })* }
            }

            /// Reports every field that a version with these capabilities does not store.
            pub(crate) fn losses(&self, target: Caps, report: &mut Report) {
                $(for (index, item) in self.$field.iter().enumerate() {
                    item.losses_in(target, &format!("{}[{index}]", ChunkKind::$kind.tag()), report);
                })*
            }
        }

        impl Spatial for Lists {
            fn walk_space(&mut self, space: &mut dyn Space) {
                $(meaning!(self space $field $($meaning)?);)*
            }
        }
    };
}

macro_rules! meaning {
    ($this:ident $space:ident $field:ident) => {
        $this.$field.walk_space($space)
    };
    ($this:ident $space:ident $field:ident $meaning:ident) => {
        effigy_wire::meaning::$meaning(&mut $this.$field, $space)
    };
}

const fn needs(caps: &[Caps]) -> Caps {
    match caps {
        [first, ..] => *first,
        [] => Caps::empty(),
    }
}

chunks! {
    /// Name, bounds and blending of the model.
    Info b"MODL" info: Vec<ModelInfo> as One();
    /// Animations.
    Sequences b"SEQS" sequences: Vec<Sequence> as List();
    /// Lengths of global sequences, milliseconds.
    GlobalSequences b"GLBS" global_sequences: Vec<u32> as Bulk();
    /// Materials.
    Materials b"MTLS" materials: Vec<Material> as ListAnd(moving_layers);
    /// Textures.
    Textures b"TEXS" textures: Vec<Texture> as Records();
    /// Texture animations.
    TextureAnimations b"TXAN" texture_animations: Vec<TextureAnimation> as List();
    /// Meshes.
    Geosets b"GEOS" geosets: Vec<Geoset> as List() [Caps::PLAIN_GEOSETS];
    /// Meshes of WoW alpha 1500.
    BatchedGeosets b"GEOS" batched_geosets: Vec<BatchedGeoset> as Batched() [Caps::BATCHED_GEOSETS];
    /// Tint and opacity of meshes.
    GeosetAnimations b"GEOA" geoset_animations: Vec<GeosetAnimation> as List();
    /// Bones.
    Bones b"BONE" bones: Vec<Bone> as List();
    /// Lights.
    Lights b"LITE" lights: Vec<Light> as List();
    /// Helpers.
    Helpers b"HELP" helpers: Vec<Helper> as List();
    /// Attachments.
    Attachments b"ATCH" attachments: Vec<Attachment> as ListAnd(highest_attachment);
    /// Pivots of all nodes, by object id.
    (point) Pivots b"PIVT" pivots: Vec<[f32; 3]> as Bulk();
    /// Emitters of models.
    ParticleEmitters b"PREM" particle_emitters: Vec<ParticleEmitter> as List();
    /// Emitters of textured particles.
    ParticleEmitters2 b"PRE2" particle_emitters_2: Vec<ParticleEmitter2> as List();
    /// Emitters of PopcornFX effects.
    PopcornEmitters b"CORN" popcorn_emitters: Vec<PopcornEmitter> as Records();
    /// Emitters of ribbons.
    RibbonEmitters b"RIBB" ribbon_emitters: Vec<RibbonEmitter> as List();
    /// Cameras.
    Cameras b"CAMS" cameras: Vec<Camera> as List();
    /// Event objects.
    EventObjects b"EVTS" event_objects: Vec<EventObject> as List();
    /// Shapes for selecting the model with the mouse.
    CollisionShapes b"CLID" collision_shapes: Vec<CollisionShape> as Records() [Caps::WC3];
    /// The collision mesh.
    CollisionMesh b"CLID" collision_mesh: Vec<CollisionMesh> as One() [Caps::WOW];
    /// Shapes for selecting the model with the mouse.
    HitTestShapes b"HTST" hit_test_shapes: Vec<HitTestShape> as List();
    /// References to face animations.
    FaceFx b"FAFX" face_fx: Vec<FaceFx> as Records();
    /// Bind poses: the axes of each node and its pivot; one more than nodes.
    (frames) BindPoses b"BPOS" bind_poses: Vec<[f32; 12]> as Always();
    /// Sounds of old sound emitters.
    Sounds b"SNDS" sounds: Vec<Sound> as Records();
    /// Indices of the geosets that a picking ray may hit.
    Gliders b"DILG" gliders: Vec<u32> as Bulk();
}

impl ChunkKind {
    /// The kind of chunk that a tag means in a version with these capabilities.
    #[must_use]
    pub fn of(tag: Tag, caps: Caps) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.tag() == tag && caps.contains(kind.needs()))
    }

    /// Whether any version has the tag.
    #[must_use]
    pub fn is_known(tag: Tag) -> bool {
        Self::ALL.iter().any(|kind| kind.tag() == tag)
    }
}

/// How a list is stored in its chunk.
trait Form<T> {
    /// Reads the list. With `check`, long records are compared with their source one by one, while both are still in
    /// the processor's cache; the second value is the result, or `None` when the caller has to compare.
    fn read(&self, payload: Cursor<'_>, caps: Caps, check: bool) -> Result<(Vec<T>, Option<bool>)>;
    fn write<S: Sink>(&self, items: &[T], first: usize, sink: &mut S, caps: Caps);
    fn parse(&self, tree: &Tree<'_>, caps: Caps) -> Result<Vec<T>>;
}

/// Reads the next record; with `check`, returns whether writing it reproduces its bytes.
#[inline]
fn read_item<T: Wire<Caps>>(payload: &mut Cursor<'_>, caps: Caps, check: bool) -> Result<(T, bool)> {
    let source = payload.rest();
    let item = T::read(payload, caps)?;
    if !check {
        return Ok((item, true));
    }
    let length = source.len().saturating_sub(payload.remaining());
    let mut compare = Compare::trusting_copies(source.get(..length).unwrap_or_default());
    item.write(&mut compare, caps);
    let same = compare.is_equal();
    Ok((item, same))
}

/// Records up to the end of the chunk.
struct Records();

impl<T: Wire<Caps>> Form<T> for Records {
    fn read(&self, mut payload: Cursor<'_>, caps: Caps, check: bool) -> Result<(Vec<T>, Option<bool>)> {
        let mut items = Vec::new();
        let mut same = true;
        while !payload.is_empty() {
            let before = payload.remaining();
            let (item, item_same) = read_item(&mut payload, caps, check).in_index(items.len())?;
            if items.is_empty() {
                // The size of the first record gives the number of records, if all have the same size.
                let size = before.saturating_sub(payload.remaining()).max(1);
                items.reserve_exact((before / size).min(1 << 16));
            }
            items.push(item);
            same &= item_same;
        }
        items.shrink_to_fit();
        Ok((items, Some(same)))
    }

    fn write<S: Sink>(&self, items: &[T], first: usize, sink: &mut S, caps: Caps) {
        write_items(items, first, sink, caps);
    }

    fn parse(&self, tree: &Tree<'_>, caps: Caps) -> Result<Vec<T>> {
        parse_items(tree, caps)
    }
}

/// Records up to the end of the chunk; in WoW alpha with their count first.
struct List();

impl<T: Wire<Caps>> Form<T> for List {
    fn read(&self, mut payload: Cursor<'_>, caps: Caps, check: bool) -> Result<(Vec<T>, Option<bool>)> {
        if caps.contains(Caps::WC3) {
            return Records().read(payload, caps, check);
        }
        let count = payload.count()?;
        read_counted(payload, count, caps, check)
    }

    fn write<S: Sink>(&self, items: &[T], first: usize, sink: &mut S, caps: Caps) {
        if caps.contains(Caps::WOW) {
            sink.count(items.len());
        }
        write_items(items, first, sink, caps);
    }

    fn parse(&self, tree: &Tree<'_>, caps: Caps) -> Result<Vec<T>> {
        parse_items(tree, caps)
    }
}

/// As many records as the count states, and nothing after them.
fn read_counted<T: Wire<Caps>>(
    payload: Cursor<'_>,
    count: usize,
    caps: Caps,
    check: bool,
) -> Result<(Vec<T>, Option<bool>)> {
    let (items, same) = Records().read(payload, caps, check)?;
    if items.len() != count {
        let found = items.len();
        return Err(Error::malformed(
            payload.position(),
            format!("{count} records are stated, {found} were found"),
        ));
    }
    Ok((items, same))
}

/// Like [`List`]; WoW alpha adds a second number that is derived from the records.
struct ListAnd<T>(fn(&[T]) -> usize);

impl<T: Wire<Caps>> Form<T> for ListAnd<T> {
    fn read(&self, mut payload: Cursor<'_>, caps: Caps, check: bool) -> Result<(Vec<T>, Option<bool>)> {
        if caps.contains(Caps::WC3) {
            return Records().read(payload, caps, check);
        }
        let count = payload.count()?;
        let second = payload.count()?;
        let (items, same) = read_counted(payload, count, caps, check)?;
        let same = same.map(|same| same && self.0(&items) == second);
        Ok((items, same))
    }

    fn write<S: Sink>(&self, items: &[T], first: usize, sink: &mut S, caps: Caps) {
        if caps.contains(Caps::WOW) {
            sink.count(items.len());
            sink.count(self.0(items));
        }
        write_items(items, first, sink, caps);
    }

    fn parse(&self, tree: &Tree<'_>, caps: Caps) -> Result<Vec<T>> {
        parse_items(tree, caps)
    }
}

/// How many layers have keys for their alpha or their texture.
fn moving_layers(materials: &[Material]) -> usize {
    let has_keys = |layer: &&Layer| {
        [tags::KMTA, tags::KMTF].iter().any(|tag| layer.tracks.get(*tag).is_some_and(|it| !it.is_empty()))
    };
    materials.iter().flat_map(|material| &material.layers).filter(has_keys).count()
}

fn highest_attachment(attachments: &[Attachment]) -> usize {
    attachments.iter().map(|attachment| attachment.id as usize).max().unwrap_or(0)
}

/// Plain values up to the end of the chunk.
struct Bulk();

impl<T> Form<T> for Bulk
where
    Vec<T>: Wire<Caps>,
    T: Clone,
{
    fn read(&self, mut payload: Cursor<'_>, caps: Caps, _: bool) -> Result<(Vec<T>, Option<bool>)> {
        Ok((Wire::read(&mut payload, caps)?, None))
    }

    fn write<S: Sink>(&self, items: &[T], _: usize, sink: &mut S, caps: Caps) {
        items.to_vec().write(sink, caps);
    }

    fn parse(&self, tree: &Tree<'_>, caps: Caps) -> Result<Vec<T>> {
        Wire::parse(tree, caps)
    }
}

/// A count in every dialect, then records.
struct Always();

impl<T: Wire<Caps>> Form<T> for Always {
    fn read(&self, mut payload: Cursor<'_>, caps: Caps, _: bool) -> Result<(Vec<T>, Option<bool>)> {
        let items = Counted.read(&mut payload, caps)?;
        payload.finish()?;
        Ok((items, None))
    }

    fn write<S: Sink>(&self, items: &[T], first: usize, sink: &mut S, caps: Caps) {
        sink.count(items.len());
        write_items(items, first, sink, caps);
    }

    fn parse(&self, tree: &Tree<'_>, caps: Caps) -> Result<Vec<T>> {
        parse_items(tree, caps)
    }
}

/// Exactly one record.
struct One();

impl<T: Wire<Caps>> Form<T> for One {
    fn read(&self, mut payload: Cursor<'_>, caps: Caps, _: bool) -> Result<(Vec<T>, Option<bool>)> {
        let item = T::read(&mut payload, caps)?;
        payload.finish()?;
        Ok((vec![item], None))
    }

    fn write<S: Sink>(&self, items: &[T], _: usize, sink: &mut S, caps: Caps) {
        items.iter().for_each(|item| item.write(sink, caps));
    }

    fn parse(&self, tree: &Tree<'_>, caps: Caps) -> Result<Vec<T>> {
        Ok(vec![T::parse(tree, caps)?])
    }
}

/// The geosets of WoW alpha 1500.
struct Batched();

impl Form<BatchedGeoset> for Batched {
    fn read(
        &self,
        mut payload: Cursor<'_>,
        caps: Caps,
        _: bool,
    ) -> Result<(Vec<BatchedGeoset>, Option<bool>)> {
        let items = BatchedGeosets.read(&mut payload, caps)?;
        payload.finish()?;
        Ok((items, None))
    }

    fn write<S: Sink>(&self, items: &[BatchedGeoset], first: usize, sink: &mut S, caps: Caps) {
        BatchedGeosets.write_slice(items, first, sink, caps);
    }

    fn parse(&self, tree: &Tree<'_>, caps: Caps) -> Result<Vec<BatchedGeoset>> {
        BatchedGeosets.parse(tree, caps)
    }
}
