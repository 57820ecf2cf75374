//! `.skin` files: the views of a 264 model, one file each.
//!
//! The file starts with `SKIN` and a view in the layout of older models; the arrays follow. Later clients (and files
//! converted back from them) have a sixth array, of batches that cast shadows, and start their arrays at 0x40.

use crate::block::{Block, Element, Key, plain};
use crate::emit::{Emit, File, fits};
use crate::layout::lay_out;
use crate::load::{Frame, Loader};
use crate::placement;
use crate::records::View;
use crate::series::Series;
use crate::show::Stage;
use crate::version::{Caps, Version};
use crate::walk::{Tree, Walker, WalkerMut};
use effigy_wire::{
    Cursor, Diagnostics, Error, Label, Limits, Locate, Result, Sink, Tag, Verdict, Visitor, Wire,
};
use std::ops::{Deref, DerefMut};

const MAGIC: Tag = Tag(*b"SKIN");
const HEADER: usize = 0x30;
const LATER_HEADER: usize = 0x38;

plain! {
    /// A batch that casts a shadow, in skins of later clients.
    pub struct ShadowBatch {
        /// How it is drawn.
        pub flags: [u8; 2],
        /// Not known.
        pub unknown_0x02: u16,
        /// The submesh.
        pub submesh: u16,
        /// Texture.
        pub texture: u16,
        /// Colour.
        pub color: u16,
        /// Weight.
        pub weight: u16,
    }
}

/// The view and what later clients add to it.
#[derive(Clone, Debug, Default, PartialEq)]
struct Body {
    view: View,
    shadows: Option<Block<ShadowBatch>>,
}

impl Tree for Body {
    const LEAF: bool = false;
    fn walk<'a, W: Walker<'a>>(&'a self, walker: &mut W) {
        self.view.walk(walker);
        if let Some(shadows) = &self.shadows {
            walker.enter("shadows");
            shadows.walk(walker);
            walker.leave();
        }
    }
    fn walk_mut<W: WalkerMut>(&mut self, walker: &mut W) {
        self.view.walk_mut(walker);
        if let Some(shadows) = &mut self.shadows {
            walker.enter("shadows");
            shadows.walk_mut(walker);
            walker.leave();
        }
    }
}

impl Wire<Caps> for Body {
    fn read(cursor: &mut Cursor<'_>, caps: Caps) -> Result<Self> {
        let view = View::read(cursor, caps)?;
        let mut first = First(usize::MAX);
        view.walk(&mut first);
        let later = first.0 != usize::MAX && first.0 >= LATER_HEADER;
        let shadows = if later { Some(Block::read(cursor, caps)?) } else { None };
        Ok(Self { view, shadows })
    }

    fn write<S: Sink>(&self, sink: &mut S, caps: Caps) {
        self.view.write(sink, caps);
        if let Some(shadows) = &self.shadows {
            sink.enter(Label::Field("shadows"));
            shadows.write(sink, caps);
            sink.leave();
        }
    }

    fn parse(tree: &effigy_wire::Tree<'_>, caps: Caps) -> Result<Self> {
        let shadows =
            tree.part("shadows").map(|part| Block::parse(part, caps)).transpose().in_field("shadows")?;
        Ok(Self { view: View::parse(&tree.without("shadows"), caps)?, shadows })
    }
}

/// Finds the offset of the first array, which shows how long the header is.
struct First(usize);

impl<'a> Walker<'a> for First {
    fn enter(&mut self, _: &'static str) {}
    fn leave(&mut self) {}
    fn block<T: Element>(&mut self, block: &'a Block<T>) {
        if block.is_lost() {
            self.0 = self.0.min(block.place.offset as usize);
        }
    }
    fn series<T: Key>(&mut self, _: &'a Series<T>, _: bool) {}
}

/// A `.skin` file. It dereferences to its [`View`].
#[derive(Clone, Debug, Default)]
pub struct Skin {
    body: Body,
    /// Which view of its model the file is, where it was attached to one.
    pub(crate) view_index: Option<usize>,
    frame: Frame,
    diagnostics: Diagnostics,
}

impl PartialEq for Skin {
    fn eq(&self, other: &Self) -> bool {
        self.body == other.body
    }
}

impl From<View> for Skin {
    fn from(view: View) -> Self {
        Self { body: Body { view, shadows: None }, ..Self::default() }
    }
}

impl Deref for Skin {
    type Target = View;
    fn deref(&self) -> &View {
        &self.body.view
    }
}

impl DerefMut for Skin {
    fn deref_mut(&mut self) -> &mut View {
        &mut self.body.view
    }
}

/// Skins exist since 264, and what is decoded here has not changed in later versions.
fn caps() -> Caps {
    Version::WRATH.caps()
}

impl Skin {
    /// Whether the bytes start with the magic word of a `.skin` file.
    #[must_use]
    pub fn sniff(bytes: &[u8]) -> bool {
        bytes.starts_with(&MAGIC.0)
    }

    /// Reads a `.skin` file.
    ///
    /// # Errors
    /// When the bytes are not a `.skin` file, or its header is truncated.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        Self::read_with(bytes, &Limits::DEFAULT)
    }

    /// Like [`Skin::read`], with limits of the caller.
    ///
    /// # Errors
    /// When the bytes are not a `.skin` file, or its header is truncated.
    pub fn read_with(bytes: &[u8], limits: &Limits) -> Result<Self> {
        crate::model::check_size(bytes, limits)?;
        let mut cursor = Cursor::new(bytes);
        cursor.expect_tag(MAGIC)?;
        let mut body = Body::read(&mut cursor, caps()).in_field("view")?;
        let mut diagnostics = Diagnostics::with_limit(limits.diagnostics);
        let mut loader = Loader::new(bytes, 0, caps(), limits, &mut diagnostics);
        loader.mark(0, bytes.len().saturating_sub(cursor.remaining()));
        body.walk_mut(&mut loader);
        let frame = loader.finish();
        Ok(Self { body, view_index: None, frame, diagnostics })
    }

    /// The bytes of the file. A skin that was not edited comes back byte for byte.
    ///
    /// # Errors
    /// When a number or an array is too large for its field.
    pub fn write(&self) -> Result<Vec<u8>> {
        match self.in_place()? {
            Some(bytes) => Ok(bytes),
            None => self.write_canonical(),
        }
    }

    /// The file with every block at the offset that it was read from, or `None` if an edit does not fit there.
    fn in_place(&self) -> Result<Option<Vec<u8>>> {
        if !self.frame.read || !fits(&self.body, caps(), &[], None) {
            return Ok(None);
        }
        let bytes = self.emit(&self.frame)?;
        let sound = !self.frame.overlaps
            || (bytes.starts_with(&self.header()?) && fits(&self.body, caps(), &[], Some(&bytes)));
        Ok(sound.then_some(bytes))
    }

    /// The skin whose fields [`Skin::visit`] shows as the parts of this tree. Writing it gives the same bytes as the skin that
    /// was visited, as long as no value was changed.
    ///
    /// # Errors
    /// When a part is not known or a value does not fit its field, with the path.
    pub fn build(tree: effigy_wire::Tree<'_>) -> Result<Self> {
        let mut parts = tree.parts;
        let placement = parts.iter().position(|part| part.name == "placement").map(|at| parts.remove(at));
        let placement = effigy_wire::Tree::of(placement.into_iter().collect());
        let body = Body::parse(&effigy_wire::Tree::of(parts), caps())?;
        let mut skin = Self { body, ..Self::default() };
        let usual = skin.lay_out()?.1;
        if let Some(frame) = placement::restore(&mut skin.body, &placement, usual, caps(), &[])? {
            skin.frame = frame;
        }
        Ok(skin)
    }

    /// The file with every block at its canonical offset.
    ///
    /// # Errors
    /// When a number or an array is too large for its field.
    pub fn write_canonical(&self) -> Result<Vec<u8>> {
        let (laid_out, length) = self.lay_out()?;
        laid_out.emit(&Frame { length, ..Frame::default() })
    }

    /// The skin with the canonical offsets, and the length of its file.
    fn lay_out(&self) -> Result<(Self, usize)> {
        let mut laid_out = self.clone();
        let header = if self.body.shadows.is_some() { LATER_HEADER } else { HEADER };
        let lengths = lay_out(&mut laid_out.body, header, caps(), &[])?;
        Ok((laid_out, lengths.model))
    }

    fn emit(&self, frame: &Frame) -> Result<Vec<u8>> {
        let mut emit = Emit::new(frame, caps(), File::Model, &[]);
        self.put_header(&mut emit);
        self.body.walk(&mut emit);
        emit.finish()
    }

    /// The bytes of the header.
    fn header(&self) -> Result<Vec<u8>> {
        let mut emit = Emit::new(&Frame::default(), caps(), File::Model, &[]);
        self.put_header(&mut emit);
        emit.finish()
    }

    fn put_header(&self, emit: &mut Emit<'_>) {
        emit.put(0, |at| {
            at.put(&MAGIC.0);
            self.body.write(at, caps());
        });
    }

    /// Whether writing reproduces the file that it was read from.
    #[must_use]
    pub fn verify(&self, source: &[u8]) -> Verdict {
        let same = self.write().is_ok_and(|bytes| bytes == source);
        Verdict::new(same, Vec::new(), self.frame.lost.clone())
    }

    /// Whether the canonical layout alone reproduces the file.
    #[must_use]
    pub fn verify_canonical(&self, source: &[u8]) -> bool {
        self.write_canonical().is_ok_and(|bytes| bytes == source)
    }

    /// Passes every field to the visitor.
    pub fn visit(&self, visitor: &mut dyn Visitor) {
        let mut stage =
            Stage { visitor: &mut *visitor, caps: caps(), offsets: self.frame.read, base: 0, external: &[] };
        stage.record(&self.body, 4);
        if visitor.wants_placement()
            && let Ok(Some(placed)) = self.in_place()
            && self.write_canonical().ok() != Some(placed)
        {
            placement::show(&self.body, &self.frame, caps(), &[], visitor);
        }
    }

    /// The view that it holds.
    #[must_use]
    pub const fn view(&self) -> &View {
        &self.body.view
    }

    /// The batches that cast shadows, in files of later clients.
    #[must_use]
    pub fn shadows(&self) -> &[ShadowBatch] {
        self.body.shadows.as_ref().map(Block::as_slice).unwrap_or_default()
    }

    /// Problems that the reader found.
    #[must_use]
    pub const fn diagnostics(&self) -> &Diagnostics {
        &self.diagnostics
    }

    /// The name of a model's `.skin` file: `Imp00.skin` is the first of `Imp.m2`.
    ///
    /// # Errors
    /// When the model's path has no file name.
    pub(crate) fn file_name(model: &str, index: usize) -> Result<String> {
        Ok(format!("{}{index:02}.skin", stem(model)?))
    }
}

/// A model's path without its extension.
pub(crate) fn stem(model: &str) -> Result<&str> {
    let name = model.rsplit(['/', '\\']).next().unwrap_or(model);
    if name.is_empty() {
        return Err(Error::new(effigy_wire::Kind::Usage, format!("'{model}' is not a file name")));
    }
    Ok(model.rsplit_once('.').filter(|(_, end)| !end.contains(['/', '\\'])).map_or(model, |(stem, _)| stem))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A header with two vertices and, in files of later clients, one batch that casts a shadow.
    fn file(start: u8, shadows: bool) -> Vec<u8> {
        let mut bytes = b"SKIN\x02\0\0\0".to_vec();
        bytes.extend([start, 0, 0, 0]);
        bytes.extend([0; 32]);
        bytes.extend([21, 0, 0, 0]);
        if shadows {
            bytes.extend([1, 0, 0, 0, start + 16, 0, 0, 0]);
        }
        bytes.resize(start.into(), 0);
        bytes.extend([7, 0, 9, 0]);
        bytes.resize(usize::from(start) + 16, 0);
        if shadows {
            bytes.extend([1, 2, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 0, 0, 0, 0]);
        }
        bytes
    }

    #[test]
    fn the_first_array_shows_how_long_the_header_is() {
        for (start, shadows) in [(0x30, false), (0x40, true)] {
            let bytes = file(start, shadows);
            let skin = Skin::read(&bytes).unwrap();
            assert_eq!((skin.vertices.as_slice(), skin.bone_limit), (&[7, 9][..], 21));
            let batch =
                ShadowBatch { flags: [1, 2], unknown_0x02: 3, submesh: 4, texture: 5, color: 6, weight: 7 };
            assert_eq!(skin.shadows(), &[batch][..usize::from(shadows)]);
            assert!(skin.diagnostics().is_empty(), "{:?}", skin.diagnostics());
            assert_eq!(skin.write().unwrap(), bytes);
            assert_eq!(skin.write_canonical().unwrap(), bytes);
            assert!(skin.verify_canonical(&bytes) && !skin.verify_canonical(&bytes[1..]));
        }
        // 0x38 is the end of the longer header.
        assert_eq!(Skin::read(&file(0x38, true)).unwrap().shadows().len(), 1);
        assert!(Skin::read(&file(0x34, false)).unwrap().body.shadows.is_none());
    }

    #[test]
    fn an_empty_skin_is_only_a_header() {
        let bytes = Skin::default().write().unwrap();
        assert_eq!(bytes, [&b"SKIN"[..], &[0; 0x2c]].concat());
        assert_eq!(Skin::read(&bytes).unwrap(), Skin::default());
        assert_ne!(Skin::read(&file(0x30, false)).unwrap(), Skin::default());
        assert!(Skin::sniff(&bytes) && !Skin::sniff(b"SKI") && !Skin::sniff(b"MD20"));
    }

    #[test]
    fn an_edit_that_does_not_fit_lays_the_skin_out_again() {
        let mut skin = Skin::read(&file(0x30, false)).unwrap();
        skin.triangles = vec![0, 1, 0].into();
        skin.vertices.extend([3; 20]);
        let again = Skin::read(&skin.write().unwrap()).unwrap();
        assert_eq!((again.vertices.len(), again.triangles.as_slice()), (22, &[0, 1, 0][..]));
        assert_eq!(again, skin);
        // What fits stays in its place.
        let mut skin = Skin::read(&file(0x34, false)).unwrap();
        skin.vertices[1] = 5;
        let bytes = skin.write().unwrap();
        assert_eq!((bytes.len(), &bytes[0x34..0x38]), (0x44, &[7, 0, 5, 0][..]));
    }

    #[test]
    fn arrays_that_share_bytes_stay_shared_until_they_differ() {
        let mut bytes = file(0x30, false);
        // The triangles are the vertices.
        let vertices: [u8; 8] = bytes[4..12].try_into().unwrap();
        bytes[12..20].copy_from_slice(&vertices);
        let mut skin = Skin::read(&bytes).unwrap();
        assert_eq!(skin.write().unwrap(), bytes);
        skin.triangles[0] = 8;
        let again = Skin::read(&skin.write().unwrap()).unwrap();
        assert_eq!((again.vertices.as_slice(), again.triangles.as_slice()), (&[7, 9][..], &[8, 9][..]));
    }

    #[test]
    fn a_lost_array_is_reported_and_kept() {
        let mut bytes = file(0x30, false);
        bytes[4] = 200;
        let skin = Skin::read(&bytes).unwrap();
        let codes: Vec<_> = skin.diagnostics().iter().map(|found| found.code).collect();
        assert_eq!(codes, [crate::codes::BLOCK_OUTSIDE, crate::codes::BYTES_UNNAMED]);
        let verdict = skin.verify(&bytes);
        assert_eq!(
            (verdict.status, verdict.opaque),
            (effigy_wire::Status::Opaque, vec!["vertices".to_owned()])
        );
        assert_eq!(skin.verify(&[]).status, effigy_wire::Status::Different);
    }

    #[test]
    fn names_are_made_from_the_path_without_its_extension() {
        for (model, expected) in [
            ("Imp.m2", "Imp"),
            ("a/Imp.m2", "a/Imp"),
            ("a\\Imp.x.m2", "a\\Imp.x"),
            ("Imp", "Imp"),
            ("a.b/Imp", "a.b/Imp"),
            ("a.b\\Imp", "a.b\\Imp"),
        ] {
            assert_eq!(stem(model).unwrap(), expected);
        }
        assert!(stem("").is_err() && stem("a/").is_err());
        assert_eq!(Skin::file_name("Imp.m2", 3).unwrap(), "Imp03.skin");
    }
}
