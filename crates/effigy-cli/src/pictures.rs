//! A scene's textures as pictures: found by the game's rules, decoded, and made up where the game makes them up.

use crate::inputs::Source;
use crate::textures::Lookup;
use effigy::gltf::{Purpose, Textures};
use effigy::scene_graph::{Replaceable, Texture};
use effigy::{Document, Limits};
use effigy_assets::rules::warcraft3;
use effigy_image::{Encoding, Image};

/// The pictures of one model.
pub struct Pictures<'a> {
    /// Where files are looked for.
    pub lookup: &'a Lookup,
    /// The model's file.
    pub source: &'a Source,
    /// The model.
    pub document: &'a dyn Document,
    /// Whose colour, by number.
    pub team: u8,
    /// How large a picture may be.
    pub limits: Limits,
}

impl Pictures<'_> {
    /// The picture of a texture, if there is one.
    pub fn image(&self, wanted: &Texture) -> Option<Image> {
        let kind = wanted.replaceable.map_or(0, Replaceable::number);
        let named = effigy::Texture { path: wanted.path.clone(), replaceable: kind, ..Default::default() };
        let found = self.lookup.image(self.source, self.document, &named);
        let read = found.and_then(|found| found.source.open(&found.entry).ok());
        if let Some(image) = read.and_then(|bytes| effigy_image::read_with(&bytes, &self.limits).ok()) {
            return Some(image);
        }
        match wanted.replaceable? {
            Replaceable::TeamColor | Replaceable::TeamGlow => {
                warcraft3::Replaceable::by_id(kind)?.stand_in(usize::from(self.team))
            }
            Replaceable::Other(_) => None,
        }
    }
}

impl Textures for Pictures<'_> {
    fn png(&mut self, wanted: &Texture, purpose: Purpose) -> Option<Vec<u8>> {
        let image = self.image(wanted)?;
        let pixels: Vec<u8> =
            image.pixels().as_chunks::<4>().0.iter().flat_map(|pixel| prepare(*pixel, purpose)).collect();
        let image = Image::new(image.width, image.height, pixels).ok()?;
        effigy_image::write(&image, Encoding::PNG).ok().map(|(bytes, _)| bytes)
    }
}

/// A pixel as glTF wants it for this purpose.
fn prepare([r, g, b, a]: [u8; 4], purpose: Purpose) -> [u8; 4] {
    match purpose {
        Purpose::Color => [r, g, b, a],
        Purpose::ColorOver([under_r, under_g, under_b]) => {
            let mix = |over: u8, under: u8| {
                let sum = u32::from(over) * u32::from(a) + u32::from(under) * (255 - u32::from(a));
                u8::try_from((sum + 127) / 255).unwrap_or(u8::MAX)
            };
            [mix(r, under_r), mix(g, under_g), mix(b, under_b), 255]
        }
        Purpose::Normal => normal(r, g, a),
        Purpose::Material | Purpose::Emissive => [r, g, b, 255],
    }
}

/// x from red (times alpha, as compressed normal maps keep it), y turned up, z from both.
fn normal(r: u8, g: u8, a: u8) -> [u8; 4] {
    let unit = |byte: f32| byte / 255.0 * 2.0 - 1.0;
    let x = unit(f32::from(r) * f32::from(a) / 255.0);
    let y = -unit(f32::from(g));
    let z = (1.0 - x * x - y * y).max(0.0).sqrt();
    let byte = |value: f32| effigy_image::to_byte(value * 0.5 + 0.5);
    [byte(x), byte(y), byte(z), 255]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_are_prepared_for_their_purpose() {
        assert_eq!(prepare([10, 20, 30, 0], Purpose::ColorOver([200, 100, 50])), [200, 100, 50, 255]);
        assert_eq!(prepare([10, 20, 30, 255], Purpose::ColorOver([200, 100, 50])), [10, 20, 30, 255]);
        assert_eq!(prepare([10, 20, 30, 40], Purpose::Material), [10, 20, 30, 255]);
        let [x, y, z, a] = prepare([128, 128, 0, 255], Purpose::Normal);
        assert!(x.abs_diff(128) <= 1 && y.abs_diff(127) <= 1 && z >= 254 && a == 255);
    }
}
