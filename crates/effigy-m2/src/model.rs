//! A model: its contents, its `.skin` and `.anim` files, and where everything was located in the file.

use crate::anim::Anim;
use crate::block::record_size;
use crate::codes;
use crate::contents::Contents;
use crate::emit::{Emit, File, fits};
use crate::layout::{Lengths, lay_out};
use crate::load::{Frame, Loader};
use crate::placement;
use crate::records::{ModelFlags, View};
use crate::shell::{self, Shell};
use crate::show::Stage;
use crate::skin::Skin;
use crate::upgrade::aside::Aside;
use crate::version::{Caps, Version};
use crate::walk::{Tree, WalkerMut};
use effigy_wire::{
    Cursor, Diagnostic, Diagnostics, Error, Kind, Label, Leaf, Limits, Locate, Result, Severity, Sink, Tag,
    Verdict, Visitor, Wire,
};
use std::ops::{Deref, DerefMut};

const MAGIC: Tag = Tag(*b"MD20");
/// Magic word and version, before the contents.
const PREFIX: usize = 8;

/// A model. It dereferences to its [`Contents`], so `model.bones` and `model.sequences` work.
#[derive(Clone, Debug, Default)]
pub struct Model {
    version: Version,
    /// Everything that the model file holds.
    pub contents: Contents,
    /// The views of a 264 model, from its `.skin` files.
    pub skins: Vec<Skin>,
    /// The chunks around a model of a later expansion.
    pub shell: Option<Shell>,
    /// Data of an older version that 264 has no field for, so that the conversion can be undone.
    pub(crate) aside: Option<Aside>,
    pub(crate) anims: Vec<Anim>,
    frame: Frame,
    /// Where the model begins in its file.
    base: usize,
    pub(crate) diagnostics: Diagnostics,
}

/// Models are equal when their contents are, whatever the layout of their files.
impl PartialEq for Model {
    fn eq(&self, other: &Self) -> bool {
        self.version == other.version
            && self.contents == other.contents
            && self.skins == other.skins
            && self.shell == other.shell
    }
}

impl Deref for Model {
    type Target = Contents;
    fn deref(&self) -> &Contents {
        &self.contents
    }
}

impl DerefMut for Model {
    fn deref_mut(&mut self) -> &mut Contents {
        &mut self.contents
    }
}

/// Whether the bytes start with the magic word of an M2 model.
#[must_use]
pub fn sniff(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC.0) || (bytes.starts_with(&shell::MODEL.0) && bytes.get(8..12) == Some(&MAGIC.0))
}

/// Reads a model.
///
/// # Errors
/// When the bytes are not an M2 model, the version is not known, or the header is truncated. Any other fault only loses
/// the block that it is in and becomes a diagnostic.
pub fn read(bytes: &[u8]) -> Result<Model> {
    read_with(bytes, &Limits::DEFAULT)
}

/// Like [`read`], with limits of the caller.
///
/// # Errors
/// Those of [`read`], and when the file is larger than the limits allow.
pub fn read_with(bytes: &[u8], limits: &Limits) -> Result<Model> {
    check_size(bytes, limits)?;
    if !bytes.starts_with(&shell::MODEL.0) {
        return Model::read_at(Cursor::new(bytes), limits);
    }
    let (cursor, shell) = shell::open(bytes)
        .ok_or_else(|| Error::malformed(0, "the MD21 chunk is longer than the file"))
        .in_tag(shell::MODEL)?;
    let mut model = Model::read_at(cursor, limits).in_tag(shell::MODEL)?;
    for chunk in shell.before.iter().chain(&shell.after) {
        let message = format!("{} bytes are kept as they are", chunk.bytes.len());
        model.diagnostics.push(
            Diagnostic::new(codes::CHUNK_KEPT, Severity::Unused, message).in_path(chunk.tag.to_string()),
        );
    }
    if !shell.rest.is_empty() {
        let message = format!("{} bytes at the end are not a chunk", shell.rest.len());
        model.diagnostics.push(Diagnostic::new(codes::SHELL_BROKEN, Severity::Warning, message));
    }
    model.shell = Some(shell);
    Ok(model)
}

pub(crate) fn check_size(bytes: &[u8], limits: &Limits) -> Result<()> {
    if bytes.len() as u64 > limits.input_bytes {
        let message = format!("{} bytes, the limit is {}", bytes.len(), limits.input_bytes);
        return Err(Error::new(Kind::Limit, message));
    }
    Ok(())
}

impl Model {
    /// An empty model of this version.
    #[must_use]
    pub fn new(version: Version) -> Self {
        Self { version, ..Self::default() }
    }

    fn read_at(mut cursor: Cursor<'_>, limits: &Limits) -> Result<Self> {
        let (source, base) = (cursor.rest(), cursor.position());
        cursor.expect_tag(MAGIC)?;
        let version = Version::new(cursor.u32()?)?;
        let caps = version.caps();
        let mut contents = Contents::read(&mut cursor, caps).in_field("header")?;
        let mut diagnostics = Diagnostics::with_limit(limits.diagnostics);
        if version.is_later() {
            let message = format!("version {version} is later than those that are fully known");
            diagnostics.push(Diagnostic::new(codes::LATER_VERSION, Severity::Warning, message).at(base));
        }
        let mut loader = Loader::new(source, base, caps, limits, &mut diagnostics);
        loader.mark(0, source.len().saturating_sub(cursor.remaining()));
        // The sequences tell which keys are in other files, so they are loaded first; the walk then skips them.
        loader.enter("sequences");
        loader.block(&mut contents.sequences);
        loader.leave();
        loader.external = contents.external(caps);
        contents.walk_mut(&mut loader);
        let frame = loader.finish();
        let kept = frame.gaps.iter().find(|gap| caps.contains(Caps::NESTED) && Aside::begins(&gap.bytes));
        let aside = kept.and_then(|gap| Aside::read(source.get(gap.offset..)?));
        Ok(Self { version, contents, aside, frame, base, diagnostics, ..Self::default() })
    }

    /// The version of the format.
    #[must_use]
    pub const fn version(&self) -> Version {
        self.version
    }

    /// The capabilities of the model's version.
    #[must_use]
    pub fn caps(&self) -> Caps {
        self.version.caps()
    }

    pub(crate) fn set_version(&mut self, version: Version) {
        self.version = version;
        self.forget_places();
    }

    /// The name stored in the model.
    #[must_use]
    pub fn name(&self) -> std::borrow::Cow<'_, str> {
        self.contents.name.text()
    }

    /// Problems that the reader found.
    #[must_use]
    pub const fn diagnostics(&self) -> &Diagnostics {
        &self.diagnostics
    }

    /// The views of the model: those stored in it, or those of its `.skin` files.
    pub fn views(&self) -> impl ExactSizeIterator<Item = &View> {
        let own = self.contents.views.as_slice();
        let count = if own.is_empty() { self.skins.len() } else { own.len() };
        (0..count).map(move |index| {
            own.get(index).or_else(|| self.skins.get(index).map(|skin| &**skin)).unwrap_or(&EMPTY_VIEW)
        })
    }

    /// Paths of the blocks that could not be read.
    #[must_use]
    pub fn lost(&self) -> &[String] {
        &self.frame.lost
    }

    /// Forgets the offsets of the file that was read, so that the next write uses the canonical layout.
    pub fn forget_places(&mut self) {
        self.frame = Frame::default();
        for anim in &mut self.anims {
            anim.frame = Frame::default();
        }
    }

    fn header_size(&self) -> usize {
        let caps = self.caps();
        let combiners = self.flags.contains(ModelFlags::COMBINERS) && caps.contains(Caps::SKINS);
        let base = record_size::<Contents>(caps).saturating_add(PREFIX);
        base.saturating_add(if combiners { 8 } else { 0 })
    }

    /// The bytes of the model file. Blocks stay at their offsets as long as all edits fit there; otherwise the whole
    /// model is laid out again.
    ///
    /// # Errors
    /// When a number or an array is too large for its field.
    pub fn write(&self) -> Result<Vec<u8>> {
        match self.in_place()? {
            Some(bytes) => self.enclose(bytes),
            None => self.write_canonical(),
        }
    }

    /// The file with every block at the offset that it was read from, or `None` if an edit does not fit there.
    pub(crate) fn in_place(&self) -> Result<Option<Vec<u8>>> {
        let external = self.external(self.caps());
        if !self.frame.read || !fits(&self.contents, self.caps(), &external, None) {
            return Ok(None);
        }
        let bytes = self.emit(&self.frame, &external)?;
        let sound = !self.frame.overlaps
            || (bytes.starts_with(&self.header()?)
                && fits(&self.contents, self.caps(), &external, Some(&bytes)));
        Ok(sound.then_some(bytes))
    }

    /// The bytes of the header.
    fn header(&self) -> Result<Vec<u8>> {
        let mut emit = Emit::new(&Frame::default(), self.caps(), File::Model, &[]);
        self.put_header(&mut emit);
        emit.finish()
    }

    fn put_header(&self, emit: &mut Emit<'_>) {
        emit.put(0, |at| {
            at.put(&MAGIC.0);
            at.put(&self.version.number().to_le_bytes());
            self.contents.write(at, self.caps());
        });
    }

    /// Takes the offsets of all blocks from a dump, if it has them and they fit.
    pub(crate) fn place(&mut self, dumped: &effigy_wire::Tree<'_>, usual: usize) -> Result<()> {
        let (caps, external) = (self.caps(), self.external(self.caps()));
        if let Some(frame) = placement::restore(&mut self.contents, dumped, usual, caps, &external)? {
            self.frame = frame;
        }
        Ok(())
    }

    /// The file with every block at its canonical offset, whatever the offsets were.
    ///
    /// # Errors
    /// When a number or an array is too large for its field.
    pub fn write_canonical(&self) -> Result<Vec<u8>> {
        self.enclose(self.canonical()?)
    }

    /// The model in its canonical layout, without the chunks around it.
    fn canonical(&self) -> Result<Vec<u8>> {
        let (laid_out, lengths) = self.lay_out()?;
        let external = laid_out.external(self.caps());
        let mut bytes = laid_out.emit(&Frame { length: lengths.model, ..Frame::default() }, &external)?;
        if let Some(aside) = self.aside.as_ref().filter(|_| self.caps().contains(Caps::NESTED)) {
            bytes.extend(aside.write());
            bytes.resize(bytes.len().next_multiple_of(16), 0);
        }
        Ok(bytes)
    }

    pub(crate) fn lay_out(&self) -> Result<(Self, Lengths)> {
        let mut laid_out = self.clone();
        let external = self.external(self.caps());
        let lengths = lay_out(&mut laid_out.contents, self.header_size(), self.caps(), &external)?;
        Ok((laid_out, lengths))
    }

    fn emit(&self, frame: &Frame, external: &[bool]) -> Result<Vec<u8>> {
        let mut emit = Emit::new(frame, self.caps(), File::Model, external);
        self.put_header(&mut emit);
        self.contents.walk(&mut emit);
        emit.finish()
    }

    fn enclose(&self, model: Vec<u8>) -> Result<Vec<u8>> {
        match &self.shell {
            None => Ok(model),
            Some(shell) => {
                shell.close(&model).ok_or_else(|| Error::unrepresentable("a chunk is larger than 4 GiB"))
            }
        }
    }

    /// Whether writing reproduces the file that the model was read from. Blocks that could not be read are listed as
    /// opaque.
    #[must_use]
    pub fn verify(&self, source: &[u8]) -> Verdict {
        let same = self.write().is_ok_and(|bytes| bytes == source);
        Verdict::new(same, Vec::new(), self.frame.lost.clone())
    }

    /// Whether the canonical layout alone reproduces the file, as it does for original files before 264.
    #[must_use]
    pub fn verify_canonical(&self, source: &[u8]) -> bool {
        self.write_canonical().is_ok_and(|bytes| bytes == source)
    }

    /// Passes every field with its name, value and offset to the visitor: the model, then its skins.
    pub fn visit(&self, visitor: &mut dyn Visitor) {
        visitor.enter(Label::Field("version"), self.frame.read.then_some(self.base.saturating_add(4)));
        visitor.leaf(Leaf::Unsigned(self.version.number().into()));
        visitor.leave();
        let external = self.external(self.caps());
        let mut stage = Stage {
            visitor: &mut *visitor,
            caps: self.caps(),
            offsets: self.frame.read,
            base: self.base,
            external: &external,
        };
        stage.record(&self.contents, PREFIX);
        if !self.skins.is_empty() {
            visitor.enter(Label::Field("skins"), None);
            for (skin, view) in self.skins.iter().zip(self.skin_views()) {
                visitor.enter(Label::Index(view), None);
                skin.visit(visitor);
                visitor.leave();
            }
            visitor.leave();
        }
        if visitor.wants_placement() {
            self.visit_placement(&external, visitor);
        }
        for chunk in self.shell.iter().flat_map(|shell| shell.before.iter().chain(&shell.after)) {
            visitor.enter(Label::Tag(chunk.tag), None);
            visitor.leaf(Leaf::Bytes(&chunk.bytes));
            visitor.leave();
        }
    }

    /// What the file has besides the values of the model.
    fn visit_placement(&self, external: &[bool], visitor: &mut dyn Visitor) {
        let bytes = |name: &str, bytes: &[u8], visitor: &mut dyn Visitor| {
            visitor.enter(Label::Field(name), None);
            visitor.leaf(Leaf::Bytes(bytes));
            visitor.leave();
        };
        if let Some(aside) = &self.aside {
            bytes("aside", &aside.write(), visitor);
        }
        if let Ok(Some(placed)) = self.in_place()
            && self.canonical().ok().as_ref() != Some(&placed)
        {
            placement::show(&self.contents, &self.frame, self.caps(), external, visitor);
        }
        if let Some(shell) = &self.shell {
            visitor.enter(Label::Field("shell"), None);
            visitor.enter(Label::Field("before"), None);
            visitor.leaf(Leaf::Unsigned(shell.before.len() as u64));
            visitor.leave();
            if !shell.rest.is_empty() {
                bytes("trailing", &shell.rest, visitor);
            }
            visitor.leave();
        }
    }
}

static EMPTY_VIEW: std::sync::LazyLock<View> = std::sync::LazyLock::new(View::default);
