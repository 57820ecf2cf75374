//! Building a model, or one of its chunks, from the tree of fields that a dump shows.

use crate::chunks::{ChunkKind, Lists};
use crate::model::{Content, Guard, Model, Slot, VERS, stray_caps};
use crate::track::{Track, value_kind};
use crate::version::{Caps, Dialect};
use effigy_wire::{
    Buffer, Diagnostics, Dump, Error, Json, Kind, Label, Limits, Locate, Result, Segment, Tag, Tree, Visitor,
    Wire, hash,
};

impl Model {
    /// The model whose fields [`Model::visit`] shows as these trees. Writing it gives the same bytes as the model that
    /// was visited, as long as no value was changed; a chunk with changed values is written from its values.
    ///
    /// `layout` is the version whose layout the records have; it is the stated version in nearly every file.
    ///
    /// # Errors
    /// When a part is not known or a value does not fit its field, with the path.
    pub fn build(dialect: Dialect, version: u32, layout: u32, trees: &[Tree<'_>]) -> Result<Self> {
        let mut model = Self {
            dialect,
            version,
            layout,
            lists: Lists::default(),
            slots: Vec::with_capacity(trees.len()),
            diagnostics: Diagnostics::with_limit(Limits::DEFAULT.diagnostics),
            source_bytes: 0,
            right_node_count: None,
            text_after: Vec::new(),
        };
        for tree in trees {
            let tag = Tag::unescape(&tree.name)?;
            let content = content(&mut model, tag, tree).map_err(|error| error.inside(Segment::Tag(tag)))?;
            model.slots.push(Slot { tag, offset: 0, content });
        }
        model.remember_node_count();
        Ok(model)
    }

    /// Changes the fields of one chunk by its tree: `change` gets the tree of each chunk with this tag, and says whether it
    /// changed something. Returns whether anything was changed.
    ///
    /// # Errors
    /// When a value does not fit its field; the chunk then stays as it was. What `change` returns.
    pub fn change_tree(
        &mut self,
        tag: Tag,
        mut change: impl FnMut(&mut Tree<'_>) -> Result<bool>,
    ) -> Result<bool> {
        let caps = self.caps();
        let steps: Vec<(ChunkKind, std::ops::Range<usize>)> = crate::write::plan(self)
            .into_iter()
            .filter(|step| step.slot.tag == tag)
            .filter_map(|step| match step.slot.content {
                Content::Records { kind, .. } => Some((kind, step.range)),
                _ => None,
            })
            .collect();
        let mut changed = false;
        for (kind, range) in steps {
            let mut json = Json::new(false);
            json.enter(Label::Tag(tag), None);
            self.lists.write(kind, range.clone(), &mut Dump::new(&mut json, 0, false), caps);
            json.leave();
            let text = json.into_text();
            let mut trees = Tree::parse(&text)?;
            let Some(tree) = trees.first_mut() else { continue };
            if change(tree)? {
                changed = true;
                self.lists.parse(kind, range, tree, caps).in_tag(tag)?;
            }
        }
        Ok(changed)
    }
}

fn content(model: &mut Model, tag: Tag, tree: &Tree<'_>) -> Result<Content> {
    let caps = model.caps();
    let number = |size: Option<u32>, payload: &[u8]| size.or_else(|| u32::try_from(payload.len()).ok());
    if tag == Tag::default() {
        return Ok(Content::Stray(tree.bytes()?));
    }
    if tag == VERS && !tree.raw().is_ok_and(|raw| raw.starts_with('"')) {
        let stated: u32 = tree.number()?;
        if stated != model.version {
            let message =
                format!("the chunk states version {stated}, and the model version {}", model.version);
            return Err(Error::new(Kind::Malformed, message));
        }
        return Ok(Content::Version);
    }
    if value_kind(tag).is_some() && tree.value.is_none() {
        let track = tree.parts.first().ok_or_else(|| Error::new(Kind::Malformed, "the track has no keys"))?;
        return Ok(Content::Track(Track::parse(track, stray_caps())?));
    }
    let kind = ChunkKind::of(tag, caps);
    match kind {
        Some(kind) if !is_kept(tree) => records(model, kind, tree, caps),
        _ => {
            let payload = tree.bytes()?;
            let size = number(tree.size, &payload).unwrap_or(u32::MAX);
            let opaque = tag == VERS || ChunkKind::is_known(tag);
            Ok(Content::Kept { payload, size, opaque })
        }
    }
}

/// Whether a chunk is stored as bytes: its value is text, and not a list of numbers.
fn is_kept(tree: &Tree<'_>) -> bool {
    tree.raw().is_ok_and(|raw| raw.starts_with('"'))
}

fn records(model: &mut Model, kind: ChunkKind, tree: &Tree<'_>, caps: Caps) -> Result<Content> {
    let before = model.lists.count(kind);
    let count = model.lists.parse(kind, before..before, tree, caps)?;
    let mut guard = None;
    if let Some((source, sum)) = &tree.source {
        let mut canonical = Buffer::default();
        model.lists.write(kind, before..before.saturating_add(count), &mut canonical, caps);
        let canonical = canonical.into_bytes()?;
        if hash(&canonical) == *sum {
            guard = Some(Box::new(Guard { source: source.clone(), canonical }));
        }
    }
    Ok(Content::Records { kind, count, guard })
}
