//! A scene's textures as pictures: found by the game's rules, decoded, and made up where the game makes them up.

use crate::inputs::Source;
use crate::textures::Lookup;
use effigy::scene_graph::{Replaceable, Texture, Textures};
use effigy::{Document, Limits};
use effigy_assets::rules::warcraft3;
use effigy_image::Image;

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

impl Textures for Pictures<'_> {
    fn image(&mut self, wanted: &Texture) -> Option<Image> {
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
