//! The model: lists of records that can be edited freely, and the frame of the file that they were read from.

use crate::chunks::{ChunkKind, Lists};
use crate::records::{ModelInfo, Node};
use crate::track::Track;
use crate::version::{Caps, Dialect, Release};
use effigy_wire::{
    Buffer, Compare, Diagnostics, Dump, FixedStr, Kept, Label, Leaf, Limits, Result, Space, Spatial, Tag,
    Verdict, Visitor, Wire,
};
use std::borrow::Cow;
use std::ops::{Deref, DerefMut};

/// A Warcraft III or WoW alpha model.
///
/// Its lists (`sequences`, `geosets`, `bones`, ...) are plain vectors that can be changed freely; see [`Lists`]. The
/// model also keeps the order of chunks, unknown chunks and unusual bytes, so that [`Model::write`] reproduces the file
/// that was read, except for what was changed.
///
/// ```
/// use effigy_mdx::{Dialect, Model, Sequence};
/// use effigy_wire::FixedStr;
///
/// let mut model = Model::new(Dialect::Warcraft3, 800, "Footman");
/// model.sequences.push(Sequence { name: FixedStr::new("Stand")?, interval: [0, 1000], ..Default::default() });
/// let bytes = model.write()?;
///
/// let mut model = effigy_mdx::read(&bytes)?;
/// for sequence in &mut model.sequences {
///     if sequence.name == "Stand" {
///         sequence.name.set("Stand - 2")?;
///     }
/// }
/// assert_eq!(effigy_mdx::read(&model.write()?)?.sequences[0].name, "Stand - 2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Model {
    pub(crate) dialect: Dialect,
    /// The number that the file states.
    pub(crate) version: u32,
    /// The version whose layout the records have; differs from `version` in files that state a wrong version.
    pub(crate) layout: u32,
    pub(crate) lists: Lists,
    pub(crate) slots: Vec<Slot>,
    pub(crate) diagnostics: Diagnostics,
    /// Size of the file that was read; an estimate for the size of the file to be written.
    pub(crate) source_bytes: usize,
    /// The number of nodes that the file states, if it is right: see [`Model::settled`].
    pub(crate) right_node_count: Option<u32>,
    /// Text after the last block of MDL, as it is. MDX has no place for it.
    pub(crate) text_after: Vec<u8>,
}

/// Models are equal when they are written as the same bytes; offsets and diagnostics are not compared.
impl PartialEq for Model {
    fn eq(&self, other: &Self) -> bool {
        let (left, right) = (self.settled(), other.settled());
        let (this, other) = (left.as_ref(), right.as_ref());
        let frame = |slot: &Slot, other: &Slot| slot.tag == other.tag && slot.content == other.content;
        (this.dialect, this.version, this.layout) == (other.dialect, other.version, other.layout)
            && this.lists == other.lists
            && this.slots.len() == other.slots.len()
            && this.slots.iter().zip(&other.slots).all(|(slot, other)| frame(slot, other))
    }
}

/// One part of the file, in order.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    pub tag: Tag,
    /// Where it began in the file that was read.
    pub offset: usize,
    pub content: Content,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Content {
    /// The version chunk.
    Version,
    /// The next `count` records of a kind.
    Records { kind: ChunkKind, count: usize, guard: Option<Box<Guard>> },
    /// A chunk kept as raw bytes: unknown, or known but not decoded. `size` is the stated size.
    Kept { payload: Vec<u8>, size: u32, opaque: bool },
    /// Bytes outside of chunks.
    Stray(Vec<u8>),
    /// A track outside of records.
    Track(Track),
}

/// The bytes of a chunk that its values do not reproduce.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Guard {
    /// The payload as it was in the file.
    pub source: Vec<u8>,
    /// The payload as its values are written; as long as that does not change, nothing was edited.
    pub canonical: Vec<u8>,
}

impl Deref for Model {
    type Target = Lists;
    fn deref(&self) -> &Lists {
        &self.lists
    }
}

impl DerefMut for Model {
    fn deref_mut(&mut self) -> &mut Lists {
        &mut self.lists
    }
}

impl Model {
    /// An empty model with a name (cut to 80 bytes).
    #[must_use]
    pub fn new(dialect: Dialect, version: u32, name: &str) -> Self {
        let info = ModelInfo { name: FixedStr::truncated(name), ..Default::default() };
        Self {
            dialect,
            version,
            layout: version,
            lists: Lists { info: vec![info], ..Default::default() },
            slots: vec![Slot { tag: VERS, offset: 4, content: Content::Version }],
            diagnostics: Diagnostics::with_limit(Limits::DEFAULT.diagnostics),
            source_bytes: 0,
            right_node_count: Some(0),
            text_after: Vec::new(),
        }
    }

    /// Text after the last block of MDL. It is no part of the model; MDX has no place for it.
    #[must_use]
    pub fn text_after(&self) -> &[u8] {
        &self.text_after
    }

    /// The dialect.
    #[must_use]
    pub const fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The version that the file states.
    #[must_use]
    pub const fn version(&self) -> u32 {
        self.version
    }

    /// The version whose layout the records have. The same as [`Self::version`], except in files that state a wrong version.
    #[must_use]
    pub const fn layout(&self) -> u32 {
        self.layout
    }

    /// The release of the game that the stated version was made for; `None` when the version is not known.
    #[must_use]
    pub fn release(&self) -> Option<Release> {
        self.dialect.release(self.version)
    }

    /// What the files of this version contain.
    #[must_use]
    pub fn caps(&self) -> Caps {
        self.dialect.caps(self.layout)
    }

    /// The model's name; empty when it has none.
    #[must_use]
    pub fn name(&self) -> String {
        self.lists.info.first().map(|info| info.name.text().into_owned()).unwrap_or_default()
    }

    /// What the reader or the MDL parser noticed. For text, each entry has line and column, so that one parse gives both the
    /// model and the locations of its problems.
    #[must_use]
    pub const fn diagnostics(&self) -> &Diagnostics {
        &self.diagnostics
    }

    /// The tags of the chunks, in file order.
    pub fn chunk_tags(&self) -> impl Iterator<Item = Tag> + '_ {
        self.slots
            .iter()
            .filter(|slot| !matches!(slot.content, Content::Stray(_) | Content::Track(_)))
            .map(|slot| slot.tag)
    }

    /// Chunks that are kept as raw bytes: tag, payload, and whether the tag belongs to the format.
    pub fn kept_chunks(&self) -> impl Iterator<Item = (Tag, &[u8], bool)> {
        self.slots.iter().filter_map(|slot| match &slot.content {
            Content::Kept { payload, opaque, .. } => Some((slot.tag, payload.as_slice(), *opaque)),
            _ => None,
        })
    }

    /// Tracks outside of records.
    pub fn stray_tracks(&self) -> impl Iterator<Item = &Track> {
        self.slots.iter().filter_map(|slot| match &slot.content {
            Content::Track(track) => Some(track),
            _ => None,
        })
    }

    /// Adds a chunk that is not part of the format, at the end.
    pub fn push_chunk(&mut self, tag: Tag, payload: Vec<u8>) {
        let size = u32::try_from(payload.len()).unwrap_or(u32::MAX);
        self.slots.push(Slot { tag, offset: 0, content: Content::Kept { payload, size, opaque: false } });
    }

    /// Removes all chunks with this tag and the records in them.
    pub fn delete_chunk(&mut self, tag: Tag) {
        self.slots
            .retain(|slot| slot.tag != tag || matches!(slot.content, Content::Stray(_) | Content::Track(_)));
        for kind in ChunkKind::ALL.iter().filter(|kind| kind.tag() == tag) {
            self.lists.truncate(*kind, 0);
        }
    }

    /// All nodes of the model with the chunk that they are stored in, in the order of [`ChunkKind::ALL`].
    pub fn nodes(&self) -> impl Iterator<Item = (ChunkKind, &Node)> {
        let lists = &self.lists;
        let of = |kind| move |node| (kind, node);
        (lists.bones.iter().map(|bone| &bone.node).map(of(ChunkKind::Bones)))
            .chain(lists.lights.iter().map(|light| &light.node).map(of(ChunkKind::Lights)))
            .chain(lists.helpers.iter().map(|helper| &helper.node).map(of(ChunkKind::Helpers)))
            .chain(
                lists.attachments.iter().map(|attachment| &attachment.node).map(of(ChunkKind::Attachments)),
            )
            .chain(
                lists
                    .particle_emitters
                    .iter()
                    .map(|emitter| &emitter.node)
                    .map(of(ChunkKind::ParticleEmitters)),
            )
            .chain(
                lists
                    .particle_emitters_2
                    .iter()
                    .map(|emitter| &emitter.node)
                    .map(of(ChunkKind::ParticleEmitters2)),
            )
            .chain(
                lists
                    .popcorn_emitters
                    .iter()
                    .map(|emitter| &emitter.node)
                    .map(of(ChunkKind::PopcornEmitters)),
            )
            .chain(
                lists.ribbon_emitters.iter().map(|emitter| &emitter.node).map(of(ChunkKind::RibbonEmitters)),
            )
            .chain(lists.event_objects.iter().map(|event| &event.node).map(of(ChunkKind::EventObjects)))
            .chain(lists.collision_shapes.iter().map(|shape| &shape.node).map(of(ChunkKind::CollisionShapes)))
            .chain(lists.hit_test_shapes.iter().map(|shape| &shape.node).map(of(ChunkKind::HitTestShapes)))
    }

    /// The id for a new node: one more than the highest. Give it a pivot at that index of `pivots`.
    #[must_use]
    pub fn next_object_id(&self) -> i32 {
        self.nodes().map(|(_, node)| node.object_id).max().map_or(0, |highest| highest.saturating_add(1))
    }

    /// The model as it is written: with the number of nodes that WoW alpha states next to the name.
    ///
    /// [`ModelInfo::node_count`] is a plain field. If it was right when the model was read and has not been changed since,
    /// it follows the nodes, so that adding a node does not make it wrong. A count that was wrong in the file, or that was
    /// set to something else, is written as it is.
    pub(crate) fn settled(&self) -> Cow<'_, Self> {
        let follows = |info: &ModelInfo| self.right_node_count == Some(info.node_count);
        if self.dialect != Dialect::WowAlpha || !self.info.iter().any(follows) {
            return Cow::Borrowed(self);
        }
        let count = self.count_nodes();
        if self.right_node_count == Some(count) {
            return Cow::Borrowed(self);
        }
        let mut settled = self.clone();
        settled.lists.info.iter_mut().filter(|info| follows(info)).for_each(|info| info.node_count = count);
        settled.right_node_count = Some(count);
        Cow::Owned(settled)
    }

    fn count_nodes(&self) -> u32 {
        u32::try_from(self.nodes().count()).unwrap_or(u32::MAX)
    }

    /// Remembers the stated number of nodes if it is right.
    pub(crate) fn remember_node_count(&mut self) {
        if self.dialect != Dialect::WowAlpha {
            return;
        }
        let count = self.count_nodes();
        self.right_node_count = self.info.iter().all(|info| info.node_count == count).then_some(count);
    }

    /// The model as a file.
    ///
    /// # Errors
    /// When a list is too long for its 32-bit count.
    pub fn write(&self) -> Result<Vec<u8>> {
        let mut buffer = Buffer::with_capacity(self.source_bytes);
        crate::write::write(&self.settled(), &mut buffer);
        buffer.into_bytes()
    }

    /// Whether writing the model reproduces the bytes that it was read from, and what that needed.
    #[must_use]
    pub fn verify(&self, source: &[u8]) -> Verdict {
        let mut compare = Compare::new(source);
        crate::write::write(&self.settled(), &mut compare);
        let tags = |wanted: fn(&Content) -> bool| {
            self.slots.iter().filter(|slot| wanted(&slot.content)).map(|slot| slot.tag.to_string()).collect()
        };
        Verdict::new(
            compare.is_equal(),
            tags(|content| matches!(content, Content::Records { guard: Some(_), .. })),
            tags(|content| matches!(content, Content::Kept { opaque: true, .. })),
        )
    }

    /// Visits every field in file order.
    pub fn visit(&self, visitor: &mut dyn Visitor) {
        let caps = self.caps();
        let settled = self.settled();
        for step in crate::write::plan(&settled) {
            let slot = step.slot;
            visitor.enter(Label::Tag(slot.tag), (slot.offset > 0).then_some(slot.offset));
            match &slot.content {
                Content::Version => visitor.leaf(Leaf::Unsigned(self.version.into())),
                Content::Records { kind, guard, .. } => {
                    let offset = slot.offset.saturating_add(8);
                    if let Some(Guard { source, canonical }) = guard.as_deref() {
                        visitor.kept(Kept::Guard { source, canonical });
                    }
                    let mut dump = Dump::new(visitor, offset, guard.is_none() && slot.offset > 0);
                    settled.lists.write(*kind, step.range, &mut dump, caps);
                }
                Content::Kept { payload, size, .. } => {
                    if usize::try_from(*size) != Ok(payload.len()) {
                        visitor.kept(Kept::Size(*size));
                    }
                    visitor.leaf(Leaf::Bytes(payload));
                }
                Content::Stray(bytes) => visitor.leaf(Leaf::Bytes(bytes)),
                Content::Track(track) => {
                    track.write(&mut Dump::new(visitor, slot.offset, true), stray_caps());
                }
            }
            visitor.leave();
        }
    }
}

/// Everything but what depends on a node's flags, and on whether it has a frame of its own.
impl Spatial for Model {
    fn walk_space(&mut self, space: &mut dyn Space) {
        self.lists.walk_space(space);
        for slot in &mut self.slots {
            if let Content::Track(track) = &mut slot.content {
                track.walk_space(space);
            }
        }
    }
}

pub(crate) const VERS: Tag = Tag(*b"VERS");

/// The layout of tracks outside of records, in models of any kind: they are only known in that of Warcraft III.
pub(crate) fn stray_caps() -> Caps {
    Dialect::Warcraft3.caps(0)
}
