//! Where the images of textures come from.

use crate::Texture;
use effigy_image::Image;

/// A source of images. The scene only names its textures; whoever exports or draws it passes a source that finds and
/// decodes them.
///
/// A closure is a source too.
pub trait Textures {
    /// The decoded image of a texture; none when it cannot be found. The exporter or renderer then uses a stand-in and
    /// reports it.
    fn image(&mut self, texture: &Texture) -> Option<Image>;
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
