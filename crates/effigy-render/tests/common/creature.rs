//! The sample creature's textures, and how far two pictures are apart.

use effigy_render::{Image, Textures};
use effigy_scene::{Replaceable, Texture};
use std::collections::BTreeMap;

/// The creature's own textures, by file name without extension.
pub struct Creature(BTreeMap<String, Image>, bool);

impl Creature {
    pub fn new() -> Self {
        let read = |sample: effigy_samples::Sample| {
            let image = effigy_image::read(&sample.bytes).unwrap();
            let name = sample.file_name.rsplit_once('.').unwrap().0.to_lowercase();
            (name, image)
        };
        Self(effigy_samples::textures().into_iter().map(read).collect(), false)
    }

    /// With the stand-in for the player's colour wherever a format asks for that colour.
    pub fn painted() -> Self {
        Self(Self::new().0, true)
    }
}

impl Textures for Creature {
    fn image(&mut self, texture: &Texture) -> Option<Image> {
        if texture.replaceable.is_some_and(|it| it == Replaceable::Other(11) || self.1) {
            // A creature's skin: the game's tables choose it.
            return self.0.get("lanternbeetleteam").cloned();
        }
        let file = texture.path.rsplit(['\\', '/']).next()?.to_lowercase();
        let stem = file.rsplit_once('.').map_or(file.as_str(), |(stem, _)| stem);
        self.0.get(stem).cloned()
    }
}

/// Mean difference of a channel of 255, and the share of pixels that differ by more than an eighth.
pub fn difference(a: &Image, b: &Image) -> (f64, f64) {
    assert_eq!((a.width, a.height), (b.width, b.height));
    let differences: Vec<u8> = a.pixels().iter().zip(b.pixels()).map(|(a, b)| a.abs_diff(*b)).collect();
    let mean = differences.iter().map(|d| f64::from(*d)).sum::<f64>() / differences.len() as f64;
    let wide = differences.as_chunks::<4>().0.iter().filter(|pixel| pixel.iter().any(|d| *d > 32)).count();
    (mean, wide as f64 / (differences.len() / 4) as f64)
}
