//! Pixels as glTF wants them, which depends on what a texture is used for.

use effigy_image::{Image, png, to_byte};

/// What a texture is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Purpose {
    /// Colour, with alpha as it is.
    Color,
    /// Colour over the given red, green, blue, which shows where the texture is transparent. The result is opaque.
    ColorOver([u8; 3]),
    /// A normal map of the games: red times alpha is x, green is y and counts downwards. glTF wants x and y in red and
    /// green, upwards, and z in blue.
    Normal,
    /// Roughness in green, metalness in blue.
    Material,
    /// Colour without alpha.
    Emissive,
}

impl Purpose {
    /// A PNG file of an image, prepared for this purpose; none when the image is empty or too large for a PNG.
    pub(crate) fn png(self, image: &Image) -> Option<Vec<u8>> {
        let pixels = image.pixels().as_chunks::<4>().0.iter().flat_map(|pixel| self.prepare(*pixel));
        let image = Image::new(image.width, image.height, pixels.collect()).ok()?;
        png::write(&image, png::Compression::Balanced).ok()
    }

    fn prepare(self, [r, g, b, a]: [u8; 4]) -> [u8; 4] {
        match self {
            Self::Color => [r, g, b, a],
            Self::ColorOver([under_r, under_g, under_b]) => {
                let mix = |over: u8, under: u8| {
                    let sum = u32::from(over) * u32::from(a) + u32::from(under) * (255 - u32::from(a));
                    u8::try_from((sum + 127) / 255).unwrap_or(u8::MAX)
                };
                [mix(r, under_r), mix(g, under_g), mix(b, under_b), 255]
            }
            Self::Normal => normal(r, g, a),
            Self::Material | Self::Emissive => [r, g, b, 255],
        }
    }
}

/// x from red (times alpha, as compressed normal maps keep it), y turned up, z from both.
fn normal(r: u8, g: u8, a: u8) -> [u8; 4] {
    let unit = |byte: f32| byte / 255.0 * 2.0 - 1.0;
    let x = unit(f32::from(r) * f32::from(a) / 255.0);
    let y = -unit(f32::from(g));
    let z = (1.0 - x * x - y * y).max(0.0).sqrt();
    let byte = |value: f32| to_byte(value * 0.5 + 0.5);
    [byte(x), byte(y), byte(z), 255]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_are_prepared_for_their_purpose() {
        let over = Purpose::ColorOver([200, 100, 50]);
        assert_eq!(over.prepare([10, 20, 30, 0]), [200, 100, 50, 255]);
        assert_eq!(over.prepare([10, 20, 30, 255]), [10, 20, 30, 255]);
        // (10 * 51 + 200 * 204) / 255 = 162; (20 * 51 + 100 * 204) / 255 = 84; (30 * 51 + 50 * 204) / 255 = 46.
        assert_eq!(over.prepare([10, 20, 30, 51]), [162, 84, 46, 255]);
        assert_eq!(Purpose::Material.prepare([10, 20, 30, 40]), [10, 20, 30, 255]);
        let [x, y, z, a] = Purpose::Normal.prepare([128, 128, 0, 255]);
        assert!(x.abs_diff(128) <= 1 && y.abs_diff(127) <= 1 && z >= 254 && a == 255);
    }
}
