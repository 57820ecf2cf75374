//! Where pictures come from.

use effigy_scene::Texture;

/// What a picture is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// Colour, with alpha as it is.
    Color,
    /// Colour with what is transparent filled by the given red, green, blue; opaque.
    ColorOver([u8; 3]),
    /// A normal map of the games: red and alpha multiplied give x, green counts downwards. glTF wants x and y in red
    /// and green, upwards, and z in blue.
    Normal,
    /// Roughness in green, metalness in blue.
    Material,
    /// Colour without alpha.
    Emissive,
}

/// A source of pictures: finds what a model names and gives it as PNG.
pub trait Textures {
    /// The picture as PNG bytes, or none when there is no such file.
    fn png(&mut self, texture: &Texture, purpose: Purpose) -> Option<Vec<u8>>;
}

/// No pictures at all: every texture is missing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoTextures;

impl Textures for NoTextures {
    fn png(&mut self, _: &Texture, _: Purpose) -> Option<Vec<u8>> {
        None
    }
}

impl<F: FnMut(&Texture, Purpose) -> Option<Vec<u8>>> Textures for F {
    fn png(&mut self, texture: &Texture, purpose: Purpose) -> Option<Vec<u8>> {
        self(texture, purpose)
    }
}

/// A picture of one pixel, as PNG.
#[must_use]
pub fn single_pixel(rgba: [u8; 4]) -> Vec<u8> {
    let [r, g, b, a] = rgba;
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    chunk(&mut png, *b"IHDR", &[0, 0, 0, 1, 0, 0, 0, 1, 8, 6, 0, 0, 0]);
    // One stored block with one row: no filter, one pixel.
    let row = [0, r, g, b, a];
    let mut data = vec![0x78, 0x01, 0x01, 5, 0, 0xFA, 0xFF];
    data.extend(row);
    let (mut low, mut high) = (1_u32, 0_u32);
    for byte in row {
        low = (low + u32::from(byte)) % 65521;
        high = (high + low) % 65521;
    }
    data.extend(((high << 16) | low).to_be_bytes());
    chunk(&mut png, *b"IDAT", &data);
    chunk(&mut png, *b"IEND", &[]);
    png
}

fn chunk(png: &mut Vec<u8>, tag: [u8; 4], data: &[u8]) {
    png.extend(u32::try_from(data.len()).unwrap_or(0).to_be_bytes());
    png.extend(tag);
    png.extend(data);
    let mut crc = u32::MAX;
    for byte in tag.iter().chain(data) {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 };
        }
    }
    png.extend((!crc).to_be_bytes());
}
