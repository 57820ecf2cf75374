//! Where the images of textures come from.

use crate::Texture;
use effigy_image::Image;
use effigy_wire::Limits;
use std::fmt;

/// A source of images. The scene only names its textures; whoever exports or draws it passes a source that finds and
/// decodes them.
///
/// A closure is a source too.
pub trait Textures {
    /// The decoded image of a texture; none when it cannot be found. The exporter or renderer then uses a stand-in and
    /// reports it.
    fn image(&mut self, texture: &Texture) -> Option<Image>;

    /// The same image, found and not decoded yet, so that several threads can decode the images of a model. A source whose
    /// images are in files should implement this; otherwise the image is decoded at once.
    fn find(&mut self, texture: &Texture) -> Option<Unread> {
        self.image(texture).map(Unread::from)
    }
}

type ReadFile = Box<dyn FnOnce() -> Option<Vec<u8>> + Send>;

/// An image that was found and is not decoded yet.
pub struct Unread {
    read: Option<ReadFile>,
    limits: Limits,
    otherwise: Option<Image>,
}

impl fmt::Debug for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unread").field("otherwise", &self.otherwise.is_some()).finish_non_exhaustive()
    }
}

impl From<Image> for Unread {
    fn from(image: Image) -> Self {
        Self { read: None, limits: Limits::DEFAULT, otherwise: Some(image) }
    }
}

impl Unread {
    /// An image in a file: how its bytes are read, how large it may be, and what is shown if it cannot be read.
    pub fn file(
        read: impl FnOnce() -> Option<Vec<u8>> + Send + 'static,
        limits: Limits,
        otherwise: Option<Image>,
    ) -> Self {
        Self { read: Some(Box::new(read)), limits, otherwise }
    }

    /// Reads the file and decodes nothing yet.
    #[must_use]
    pub fn read(self) -> Undecoded {
        let bytes = self.read.and_then(|read| read());
        Undecoded { bytes, limits: self.limits, otherwise: self.otherwise }
    }
}

/// An image whose file is read and not decoded yet.
#[derive(Debug)]
pub struct Undecoded {
    bytes: Option<Vec<u8>>,
    limits: Limits,
    otherwise: Option<Image>,
}

impl Undecoded {
    /// The bytes of the file; none for an image that is not in a file.
    #[must_use]
    pub fn bytes(&self) -> Option<&[u8]> {
        self.bytes.as_deref()
    }

    /// The first level of the image in the file; none if there is no file or it cannot be decoded.
    #[must_use]
    pub fn decode_file(&self) -> Option<Image> {
        self.bytes().and_then(|bytes| effigy_image::read_first_level(bytes, &self.limits).ok())
    }

    /// What takes the place of a file that cannot be decoded, or the image that is not in a file.
    #[must_use]
    pub fn otherwise(self) -> Option<Image> {
        self.otherwise
    }

    /// The first level of the image in the file, or what takes its place.
    #[must_use]
    pub fn decode(self) -> Option<Image> {
        self.decode_file().or(self.otherwise)
    }
}

impl<F: FnMut(&Texture) -> Option<Image>> Textures for F {
    fn image(&mut self, texture: &Texture) -> Option<Image> {
        self(texture)
    }
}

/// A source without any images: every texture is missing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoTextures;

impl Textures for NoTextures {
    fn image(&mut self, _: &Texture) -> Option<Image> {
        None
    }
}
