//! `.skin` files: the views of a 264 model, one file each.
//!
//! `SKIN`, then a view as older models have it; its arrays follow.

use crate::emit::{Emit, File, fits};
use crate::layout::lay_out;
use crate::load::{Frame, Loader};
use crate::records::View;
use crate::show::Stage;
use crate::version::{Caps, Version};
use effigy_wire::{Cursor, Diagnostics, Error, Limits, Locate, Result, Sink, Tag, Verdict, Visitor, Wire};
use std::ops::{Deref, DerefMut};

const MAGIC: Tag = Tag(*b"SKIN");
const HEADER: usize = 0x30;

/// A `.skin` file.
#[derive(Clone, Debug, Default)]
pub struct Skin {
    /// The view that it holds.
    pub view: View,
    frame: Frame,
    diagnostics: Diagnostics,
}

impl PartialEq for Skin {
    fn eq(&self, other: &Self) -> bool {
        self.view == other.view
    }
}

impl From<View> for Skin {
    fn from(view: View) -> Self {
        Self { view, ..Self::default() }
    }
}

impl Deref for Skin {
    type Target = View;
    fn deref(&self) -> &View {
        &self.view
    }
}

impl DerefMut for Skin {
    fn deref_mut(&mut self) -> &mut View {
        &mut self.view
    }
}

/// Skins came with 264 and have not changed in what is decoded here.
fn caps() -> Caps {
    Version::WRATH.caps()
}

impl Skin {
    /// Whether the bytes begin as a `.skin` file.
    #[must_use]
    pub fn sniff(bytes: &[u8]) -> bool {
        bytes.starts_with(&MAGIC.0)
    }

    /// Reads a `.skin` file.
    ///
    /// # Errors
    /// When it is none, or its header is cut.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        Self::read_with(bytes, &Limits::DEFAULT)
    }

    /// Reads a `.skin` file within limits.
    ///
    /// # Errors
    /// When it is none, or its header is cut.
    pub fn read_with(bytes: &[u8], limits: &Limits) -> Result<Self> {
        crate::model::check_size(bytes, limits)?;
        let mut cursor = Cursor::new(bytes);
        cursor.expect_tag(MAGIC)?;
        let mut view = View::read(&mut cursor, caps()).in_field("view")?;
        let mut diagnostics = Diagnostics::with_limit(limits.diagnostics);
        let mut loader = Loader::new(bytes, 0, caps(), limits, &mut diagnostics);
        loader.mark(0, HEADER);
        crate::walk::Tree::walk_mut(&mut view, &mut loader);
        let frame = loader.finish();
        Ok(Self { view, frame, diagnostics })
    }

    /// The file. A skin that was not edited comes back byte for byte.
    ///
    /// # Errors
    /// When something is too large for its count.
    pub fn write(&self) -> Result<Vec<u8>> {
        if self.frame.read && fits(&self.view, caps(), &[], None) {
            let bytes = self.emit(&self.frame)?;
            if !self.frame.overlaps || fits(&self.view, caps(), &[], Some(&bytes)) {
                return Ok(bytes);
            }
        }
        self.write_canonical()
    }

    /// The file with every block at its canonical place.
    ///
    /// # Errors
    /// When something is too large for its count.
    pub fn write_canonical(&self) -> Result<Vec<u8>> {
        let mut laid_out = self.clone();
        let lengths = lay_out(&mut laid_out.view, HEADER, caps(), &[])?;
        laid_out.emit(&Frame { length: lengths.model, ..Frame::default() })
    }

    fn emit(&self, frame: &Frame) -> Result<Vec<u8>> {
        let mut emit = Emit::new(frame, caps(), File::Model, &[]);
        emit.put(0, |at| {
            at.put(&MAGIC.0);
            self.view.write(at, caps());
        });
        crate::walk::Tree::walk(&self.view, &mut emit);
        emit.finish()
    }

    /// Whether writing gives back the file that it was read from.
    #[must_use]
    pub fn verify(&self, source: &[u8]) -> Verdict {
        let same = self.write().is_ok_and(|bytes| bytes == source);
        Verdict::new(same, Vec::new(), self.frame.lost.clone())
    }

    /// Whether the canonical layout alone gives back the file.
    #[must_use]
    pub fn verify_canonical(&self, source: &[u8]) -> bool {
        self.write_canonical().is_ok_and(|bytes| bytes == source)
    }

    /// Shows every field.
    pub fn visit(&self, visitor: &mut dyn Visitor) {
        Stage { visitor, caps: caps(), offsets: self.frame.read, base: 0 }.record(&self.view, 4);
    }

    /// What the reader noticed.
    #[must_use]
    pub const fn diagnostics(&self) -> &Diagnostics {
        &self.diagnostics
    }

    /// The name of a model's `.skin` file: `Imp00.skin` is the first of `Imp.m2`.
    ///
    /// # Errors
    /// When the model's path has no file name.
    pub fn file_name(model: &str, index: usize) -> Result<String> {
        Ok(format!("{}{index:02}.skin", stem(model)?))
    }
}

/// A model's path without its extension.
pub(crate) fn stem(model: &str) -> Result<&str> {
    let name = model.rsplit(['/', '\\']).next().unwrap_or(model);
    if name.is_empty() {
        return Err(Error::new(effigy_wire::Kind::Usage, format!("'{model}' is no file name")));
    }
    Ok(model.rsplit_once('.').filter(|(_, end)| !end.contains(['/', '\\'])).map_or(model, |(stem, _)| stem))
}
