//! Images: their names as textures of the scene, and their pixels as the scene wants them.

use super::Import;
use super::container::{Address, address};
use super::document::{Document, TextureInfo};
use effigy_image::Image;
use effigy_scene::{Id, Texture};

/// What the pixels of an image are for, where the scene wants other pixels than glTF.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Use {
    /// Colour: the same.
    Color,
    /// Normals: green counts the other way, and alpha multiplies red.
    Normal,
    /// Roughness and metal: alpha would be the mask of the player's colour.
    Material,
}

impl Use {
    const ALL: [Self; 3] = [Self::Color, Self::Normal, Self::Material];

    /// What is added to the name, so that each kind of pixels has a name of its own. These are the endings of Reforged.
    const fn suffix(self) -> &'static str {
        match self {
            Self::Color => "",
            Self::Normal => "_normal",
            Self::Material => "_orm",
        }
    }

    fn pixels(self, image: &mut Image) {
        if self == Self::Color {
            return;
        }
        for level in &mut image.levels {
            for [_, g, _, a] in level.as_chunks_mut::<4>().0 {
                match self {
                    Self::Color => {}
                    Self::Normal => {
                        *g = 255 - *g;
                        *a = 255;
                    }
                    Self::Material => *a = 0,
                }
            }
        }
    }
}

/// The path of a texture for a use of an image.
fn path_for(name: &str, usage: Use) -> String {
    let suffix = usage.suffix();
    match name.rsplit_once('.') {
        _ if suffix.is_empty() || name.to_lowercase().contains(&format!("{suffix}.")) => name.to_owned(),
        Some((stem, extension)) => format!("{stem}{suffix}.{extension}"),
        None => format!("{name}{suffix}"),
    }
}

/// A file name for each image, unique in the document.
pub(crate) fn names(document: &Document) -> Vec<String> {
    let mut names: Vec<String> = Vec::with_capacity(document.images.len());
    let mut seen = std::collections::HashSet::new();
    for (index, image) in document.images.iter().enumerate() {
        let file = image.uri.as_deref().map(address);
        let mut name = match file {
            Some(Address::File(path)) => path,
            _ => {
                let plain = |c: char| if c.is_alphanumeric() || "-_. ()".contains(c) { c } else { '_' };
                let stem: String = image.name.chars().map(plain).collect();
                let stem = if stem.trim().is_empty() { format!("image {index}") } else { stem };
                let kind = |mime: &str| {
                    image.mime_type.as_deref() == Some(mime)
                        || image
                            .uri
                            .as_deref()
                            .is_some_and(|it| it.strip_prefix("data:").is_some_and(|it| it.starts_with(mime)))
                };
                let extension = match (kind("image/jpeg"), kind("image/webp")) {
                    (true, _) => "jpg",
                    (_, true) => "webp",
                    _ => "png",
                };
                let lower = stem.to_lowercase();
                let has = [".png", ".jpg", ".jpeg", ".webp"].iter().any(|it| lower.ends_with(it));
                if has { stem } else { format!("{stem}.{extension}") }
            }
        };
        if !seen.insert(name.to_lowercase()) {
            name = match name.rsplit_once('.') {
                Some((stem, extension)) => format!("{stem} {index}.{extension}"),
                None => format!("{name} {index}"),
            };
            seen.insert(name.to_lowercase());
        }
        names.push(name);
    }
    names
}

/// The image and the use that a path of the scene means.
pub(crate) fn find(names: &[String], path: &str) -> Option<(usize, Use)> {
    Use::ALL.into_iter().find_map(|usage| {
        let place = names.iter().position(|name| path_for(name, usage).eq_ignore_ascii_case(path))?;
        Some((place, usage))
    })
}

/// Width and height of a PNG, JPEG or WebP file, from its header.
pub(crate) fn size(bytes: &[u8]) -> Option<[u32; 2]> {
    let word = |at: usize| -> Option<u32> {
        Some(u32::from_be_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?))
    };
    if bytes.starts_with(b"\x89PNG") {
        return Some([word(16)?, word(20)?]);
    }
    if effigy_image::is_webp(bytes) {
        return effigy_image::webp_size(bytes);
    }
    if !bytes.starts_with(b"\xff\xd8") {
        return None;
    }
    let half = |at: usize| -> Option<u16> {
        Some(u16::from_be_bytes(bytes.get(at..at.checked_add(2)?)?.try_into().ok()?))
    };
    let mut at = 2_usize;
    loop {
        let marker = half(at)?;
        // Frames begin with C0 to CF; three of these numbers mean tables.
        if matches!(marker, 0xffc0..=0xffcf) && !matches!(marker, 0xffc4 | 0xffc8 | 0xffcc) {
            return Some([half(at.checked_add(7)?)?.into(), half(at.checked_add(5)?)?.into()]);
        }
        at = at.checked_add(2)?.checked_add(usize::from(half(at.checked_add(2)?)?.max(2)))?;
    }
}

/// An image file decoded for a use.
pub(crate) fn decode(bytes: &[u8], usage: Use, limits: &effigy_wire::Limits) -> Option<Image> {
    let mut image = if effigy_image::is_webp(bytes) {
        effigy_image::read_webp(bytes, limits).ok()?
    } else {
        effigy_image::read_with(bytes, limits).ok()?
    };
    usage.pixels(&mut image);
    Some(image)
}

const REPEAT: u32 = 10497;
const CLAMP: u32 = 33071;

impl Import<'_> {
    /// The texture of the model that we exported whose pixels an image still has.
    fn noted_texture(&self, image: usize) -> Option<Id<Texture>> {
        self.ours?;
        let extras = &self.document.images.get(image)?.extras;
        let path = extras.get("path")?.text().filter(|it| !it.is_empty())?;
        let known = self.scene.textures.iter().find(|(_, it)| it.path == path && it.replaceable.is_none());
        known.filter(|_| extras.get("changed").is_none()).map(|(id, _)| id)
    }

    /// The texture of the scene that a material refers to.
    pub(super) fn texture(&mut self, info: &TextureInfo, usage: Use) -> Option<Id<Texture>> {
        let texture = self.document.textures.get(info.index)?;
        let image = texture.image().filter(|source| *source < self.names.len());
        let Some(image) = image else {
            let text = "an image of a kind that is not read (KTX2, AVIF) or that does not exist";
            self.report.dropped(format!("textures[{}]", info.index), text);
            return None;
        };
        let sampler = texture.sampler.and_then(|it| self.document.samplers.get(it));
        let wraps = |mode: Option<u32>| mode.unwrap_or(REPEAT) != CLAMP;
        let repeat = [wraps(sampler.and_then(|it| it.wrap_s)), wraps(sampler.and_then(|it| it.wrap_t))];
        if let Some(noted) = self.noted_texture(image) {
            return Some(noted);
        }
        let path = path_for(self.names.get(image)?, usage);
        let textures = &mut self.scene.textures;
        Some(
            *self
                .textures
                .entry((image, usage, repeat))
                .or_insert_with(|| textures.push(Texture { path, replaceable: None, repeat })),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_use_of_an_image_has_a_name_that_leads_back_to_it() {
        let names = ["bark.png".to_owned(), "tex/stone_normal.jpg".to_owned()];
        assert_eq!(path_for(&names[0], Use::Normal), "bark_normal.png");
        assert_eq!(path_for(&names[1], Use::Normal), "tex/stone_normal.jpg");
        assert_eq!(find(&names, "Bark.png"), Some((0, Use::Color)));
        assert_eq!(find(&names, "bark_orm.png"), Some((0, Use::Material)));
        assert_eq!(find(&names, "leaf.png"), None);
    }
}
