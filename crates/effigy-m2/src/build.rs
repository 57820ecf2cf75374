//! Building a model or a skin from the tree of fields that a dump shows.

use crate::block::Key;
use crate::contents::Contents;
use crate::model::Model;
use crate::series::Series;
use crate::shell::{Chunk, Shell};
use crate::skin::Skin;
use crate::upgrade::aside::Aside;
use crate::version::{Caps, Version};
use crate::walk::{Tree as _, WalkerMut};
use effigy_wire::placed::{stated, trailing};
use effigy_wire::{Error, Kind, Locate, Result, Segment, Tag, Tree, Wire};

/// Most lists of keys in one model. Empty ones are not in the text, so that their number is not limited by its length.
const MOST_LISTS: usize = 1 << 23;

/// Adds the empty lists of keys that a dump leaves out.
struct Spread {
    left: usize,
    failed: bool,
}

impl WalkerMut for Spread {
    fn series<T: Key>(&mut self, series: &mut Series<T>, _: bool) {
        match series.spread(self.left) {
            Some(count) => self.left = self.left.saturating_sub(count),
            None => self.failed = true,
        }
    }
}

/// Takes the part with this name out of the list.
fn take<'a>(parts: &mut Vec<Tree<'a>>, name: &str) -> Option<Tree<'a>> {
    let at = parts.iter().position(|part| part.name == name)?;
    Some(parts.remove(at))
}

impl Model {
    /// The model whose fields [`Model::visit`] shows as the parts of this tree, with its skins. Writing it gives the same
    /// bytes as the model that was visited, as long as no value was changed.
    ///
    /// Keys in `.anim` files are not part of the model file: their numbers and offsets are, but the keys themselves have to
    /// be attached again.
    ///
    /// # Errors
    /// When a part is not known or a value does not fit its field, with the path.
    pub fn build(version: Version, tree: Tree<'_>) -> Result<Self> {
        let mut parts = tree.parts;
        // What follows are chunks, whose tags may be the names of fields.
        let chunks = parts.iter().position(|part| part.name == "shell").map(|at| parts.split_off(at));
        let mut model = Self::new(version);
        stated(
            &Tree { parts: take(&mut parts, "version").into_iter().collect(), ..Tree::default() },
            "version",
            (),
            &version.number(),
        )?;
        model.shell = chunks.map(shell).transpose()?;
        if let Some(part) = take(&mut parts, "skins") {
            for (index, part) in part.parts.into_iter().enumerate() {
                let view = part.index.unwrap_or(index);
                let mut skin = Skin::build(part).in_index(index).in_field("skins")?;
                skin.view_index = Some(view);
                model.skins.push(skin);
            }
        }
        if let Some(part) = take(&mut parts, "aside") {
            let aside = part.bytes().in_field("aside")?;
            model.aside = Some(Aside::read(&aside).ok_or_else(not_kept).in_field("aside")?);
        }
        let placement = Tree::of(take(&mut parts, "placement").into_iter().collect());
        model.contents = contents(&Tree::of(parts), model.caps())?;
        let usual = model.lay_out()?.1.model;
        model.place(&placement, usual)?;
        Ok(model)
    }
}

fn not_kept() -> Error {
    Error::new(Kind::Malformed, "these bytes are not what a conversion to 264 keeps of an older model")
        .hint("without them, the conversion cannot be undone")
}

fn contents(tree: &Tree<'_>, caps: Caps) -> Result<Contents> {
    let mut contents = Contents::parse(tree, caps)?;
    if caps.contains(Caps::NESTED) {
        let mut spread = Spread { left: MOST_LISTS, failed: false };
        contents.walk_mut(&mut spread);
        if spread.failed {
            return Err(Error::new(
                Kind::Limit,
                format!("the model has more than {MOST_LISTS} lists of keys"),
            ));
        }
    }
    Ok(contents)
}

/// The chunks around a model, from the part `shell` and those after it.
fn shell(parts: Vec<Tree<'_>>) -> Result<Shell> {
    let mut parts = parts.into_iter();
    let head = parts.next().unwrap_or_default();
    let parse = || {
        head.only(&["before", "trailing"])?;
        let before: u32 = head.field("before", ())?;
        Ok((before as usize, trailing(&head)?))
    };
    let (before, rest) = parse().in_field("shell")?;
    let chunk = |part: Tree<'_>| {
        let tag = Tag::unescape(&part.name)?;
        let bytes = part.bytes().map_err(|error| error.inside(Segment::Tag(tag)))?;
        Ok(Chunk { tag, bytes })
    };
    let mut chunks = parts.map(chunk).collect::<Result<Vec<_>>>()?;
    let after = chunks.split_off(before.min(chunks.len()));
    Ok(Shell { before: chunks, after, rest })
}
