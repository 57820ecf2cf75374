//! Images, samplers, and the textures that combine both.

use super::Builder;
use crate::json::Object;
use crate::pictures::{Encoded, ImageFormat, Job, Pictures};
use crate::purpose::Purpose;
use effigy_image::{Image, png};
use effigy_scene::{Id, Replaceable, Texture, Textures, Unread};
use effigy_wire::Result;
use std::collections::HashMap;
use std::sync::Arc;

/// An image of the document.
pub(crate) struct StoredImage {
    /// Its unique name, without folder and extension.
    pub name: String,
    /// Its bytes, once they are known.
    pub encoded: Option<Encoded>,
    /// What is written, with a line in the report, where the image is missing.
    stand_in: [u8; 4],
    /// The report's name for it where it is missing; none if that is not worth a line.
    missing: Option<String>,
    /// Its pixels are not those of the game's file.
    changed: bool,
    /// What the game calls it.
    pub extras: Object,
}

/// Images and textures of the document.
#[derive(Default)]
pub(crate) struct Images {
    pub pictures: Vec<StoredImage>,
    pub textures: Vec<Object>,
    pub samplers: Vec<Object>,
    known: HashMap<(usize, Option<usize>, Purpose), usize>,
    sampler_of: HashMap<[bool; 2], usize>,
    /// What has to be decoded and encoded, in the order of the pictures.
    jobs: Vec<Job>,
}

/// The stand-in for a missing image.
const MISSING: [u8; 4] = [128, 128, 128, 255];

const REPEAT: u32 = 10497;
const CLAMP: u32 = 33071;
const LINEAR: u32 = 9729;
const LINEAR_MIPMAP_LINEAR: u32 = 9987;

impl Images {
    /// Whether a picture has the colours and the alpha of a texture, or takes the place of one that cannot be read.
    pub(super) fn shows(&self, id: Id<Texture>) -> bool {
        let mut uses = self.known.iter().filter(|((texture, ..), _)| *texture == id.index());
        uses.any(|(_, picture)| self.pictures.get(*picture).is_some_and(|it| !it.changed))
    }
}

impl Builder<'_> {
    /// The texture of the document for a texture of the scene; none when textures are not wanted.
    pub(super) fn texture(
        &mut self,
        id: Id<Texture>,
        purpose: Purpose,
        mask: Option<Id<Texture>>,
        textures: &mut dyn Textures,
    ) -> Option<usize> {
        if !self.options.textures {
            return None;
        }
        let scene = self.scene;
        let texture = scene.textures.get(id)?;
        let mask = mask.filter(|_| matches!(purpose, Purpose::Painted { .. }));
        let key = (id.index(), mask.map(Id::index), purpose);
        if let Some(known) = self.images.known.get(&key) {
            return Some(*known);
        }
        let glow = texture.replaceable == Some(Replaceable::TeamGlow) && self.options.team_color.is_some();
        // The material's colour is that of the player, so the glow itself is white.
        let image = if glow { Some(Unread::from(white_glow())) } else { textures.find(texture) };
        let mask = mask.and_then(|id| scene.textures.get(id)).and_then(|it| textures.find(it));
        self.images.jobs.push(Job { image, mask, purpose });
        let named = texture.replaceable.is_none() || !texture.path.is_empty();
        let missing = named.then(|| texture_name(texture));
        let stand_in = self.stand_in(texture, purpose);
        // The names must also differ on file systems that ignore case.
        let name = self.unique("image", &texture_stem(texture), "Texture");
        let name = self.unique("image file", &name.to_ascii_lowercase(), "texture");
        let mut extras = Object::default();
        if !texture.path.is_empty() {
            extras.set("path", texture.path.as_str());
        }
        if let Some(replaceable) = texture.replaceable {
            extras.set("replaceableId", replaceable.number());
        }
        let picture =
            StoredImage { name: name.clone(), encoded: None, stand_in, missing, changed: glow, extras };
        self.images.pictures.push(picture);
        let sampler = self.sampler_for(texture.repeat);
        self.images.textures.push(Object::default().with("name", name).with("sampler", sampler));
        let index = self.images.textures.len() - 1;
        self.images.known.insert(key, index);
        Some(index)
    }

    /// Encodes all pictures, and completes the textures, of which each has the picture of the same number.
    pub(super) fn encode_pictures(&mut self, pictures: &Pictures) -> Result<()> {
        let jobs = std::mem::take(&mut self.images.jobs);
        // WebP needs an extension.
        let format = match self.options.image_format {
            ImageFormat::WebP if self.options.draft => ImageFormat::Png,
            format => format,
        };
        let encoded = pictures.encode(jobs, format);
        let mut has_webp = false;
        let Images { pictures, textures, .. } = &mut self.images;
        for (number, ((picture, texture), encoded)) in
            pictures.iter_mut().zip(textures).zip(encoded).enumerate()
        {
            let encoded = match encoded {
                Some(encoded) => encoded,
                None => {
                    // What stands for it is not its picture.
                    picture.changed = false;
                    picture.extras.set("missing", true);
                    if let Some(name) = &picture.missing {
                        self.report
                            .approximated(name.as_str(), "missing: a stand-in of one pixel was written");
                    }
                    let bytes = Arc::new(png::single_pixel(picture.stand_in)?);
                    Encoded { bytes, format: ImageFormat::Png, changed: false }
                }
            };
            if encoded.format == ImageFormat::WebP {
                has_webp = true;
                let source = Object::default().with("source", number);
                texture.set("extensions", Object::default().with("EXT_texture_webp", source));
            } else {
                texture.set("source", number);
            }
            picture.changed |= encoded.changed;
            if picture.changed || encoded.format == ImageFormat::Jpeg {
                picture.extras.set("changed", true);
            }
            picture.encoded = Some(encoded);
        }
        if has_webp {
            self.extension("EXT_texture_webp");
            self.required.insert("EXT_texture_webp");
        }
        Ok(())
    }

    fn stand_in(&self, texture: &Texture, purpose: Purpose) -> [u8; 4] {
        match (purpose, texture.replaceable) {
            (Purpose::Normal, _) => [128, 128, 255, 255],
            (Purpose::Material, _) => [255, 255, 0, 255],
            (Purpose::Emissive, _) => [0, 0, 0, 255],
            // What only brightens or darkens is better left out than a grey rectangle.
            (Purpose::Glow { .. } | Purpose::Shade { .. }, _) => [255, 255, 255, 0],
            (_, Some(Replaceable::TeamColor | Replaceable::TeamGlow)) => [255; 4],
            (_, None) if texture.path.is_empty() => [255; 4],
            _ => MISSING,
        }
    }

    fn sampler_for(&mut self, repeat: [bool; 2]) -> usize {
        let samplers = &mut self.images.samplers;
        *self.images.sampler_of.entry(repeat).or_insert_with(|| {
            let [s, t] = repeat.map(|repeat| if repeat { REPEAT } else { CLAMP });
            samplers.push(
                Object::default()
                    .with("magFilter", LINEAR)
                    .with("minFilter", LINEAR_MIPMAP_LINEAR)
                    .with("wrapS", s)
                    .with("wrapT", t),
            );
            samplers.len() - 1
        })
    }
}

/// The name of a texture without folder and extension, or what the game puts in its place.
pub(super) fn texture_stem(texture: &Texture) -> String {
    let stem = texture.path.rsplit(['\\', '/']).next().unwrap_or_default();
    let stem = stem.rsplit_once('.').map_or(stem, |(stem, _)| stem);
    let plain = |c: char| if c.is_ascii_alphanumeric() || "-_ ".contains(c) { c } else { '_' };
    let clean: String = stem.chars().map(plain).collect();
    if !clean.trim().is_empty() {
        return clean.trim().to_owned();
    }
    match texture.replaceable {
        Some(Replaceable::TeamColor) => "TeamColor".to_owned(),
        Some(Replaceable::TeamGlow) => "TeamGlow".to_owned(),
        Some(Replaceable::Other(number)) => format!("Replaceable{number}"),
        None => "Texture".to_owned(),
    }
}

/// A round glow that fades outwards.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of 255")]
fn white_glow() -> Image {
    const SIDE: u8 = 32;
    let middle = (f32::from(SIDE) - 1.0) * 0.5;
    let pixels = (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| [f32::from(x), f32::from(y)]));
    let pixels = pixels.flat_map(|[x, y]| {
        let outwards = (x - middle).hypot(y - middle) / middle;
        let bright = ((1.0 - outwards).max(0.0).powi(2) * 255.0).round() as u8;
        [bright, bright, bright, 255]
    });
    Image::new(SIDE.into(), SIDE.into(), pixels.collect())
        .unwrap_or_else(|_| Image::flat(1, 1, [0, 0, 0, 255]))
}

fn texture_name(texture: &Texture) -> String {
    match texture.replaceable {
        Some(replaceable) if texture.path.is_empty() => format!("replaceable {}", replaceable.number()),
        _ => texture.path.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use effigy_scene::Replaceable;

    #[test]
    fn a_texture_is_called_by_its_path_if_it_has_one() {
        let name = |path: &str, replaceable| {
            texture_name(&Texture { path: path.to_owned(), replaceable, ..Texture::default() })
        };
        assert_eq!(name("a.blp", None), "a.blp");
        assert_eq!(name("a.blp", Some(Replaceable::Other(11))), "a.blp");
        assert_eq!(name("", Some(Replaceable::Other(11))), "replaceable 11");
    }

    #[test]
    fn a_glow_is_bright_in_the_middle_and_black_at_the_rim() {
        let glow = white_glow();
        let pixel = |x: usize, y: usize| glow.pixels().chunks_exact(4).nth(y * 32 + x).unwrap().to_vec();
        // The middle is between the pixels 15 and 16. (1 - sqrt(0.5) / 15.5) squared is 0.9108, and so on.
        for (x, y, bright) in
            [(15, 15, 232), (16, 16, 232), (8, 15, 68), (15, 8, 68), (23, 16, 68), (0, 15, 0), (0, 0, 0)]
        {
            assert_eq!(pixel(x, y), [bright, bright, bright, 255], "{x} {y}");
        }
    }
}
