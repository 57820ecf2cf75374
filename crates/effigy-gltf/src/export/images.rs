//! Images, samplers, and the textures that combine both.

use super::Builder;
use crate::json::Object;
use crate::purpose::Purpose;
use effigy_image::{Image, png};
use effigy_scene::{Id, Replaceable, Texture, Textures};
use std::collections::HashMap;

/// An image of the document.
pub(crate) struct StoredImage {
    /// Its unique name, without folder and extension.
    pub name: String,
    /// PNG.
    pub bytes: Vec<u8>,
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
}

/// The stand-in for a missing image.
const MISSING: [u8; 4] = [128, 128, 128, 255];

const REPEAT: u32 = 10497;
const CLAMP: u32 = 33071;
const LINEAR: u32 = 9729;
const LINEAR_MIPMAP_LINEAR: u32 = 9987;

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
        let image = if glow { Some(white_glow()) } else { textures.image(texture) };
        let mask = mask.and_then(|id| scene.textures.get(id)).and_then(|it| textures.image(it));
        let mut changed = purpose != Purpose::Color || glow;
        let bytes = match image.and_then(|image| purpose.png(&image, mask.as_ref())) {
            Some(bytes) => bytes,
            None => {
                changed = true;
                if texture.replaceable.is_none() || !texture.path.is_empty() {
                    self.report
                        .approximated(texture_name(texture), "missing: a stand-in of one pixel was written");
                }
                png::single_pixel(self.stand_in(texture, purpose)).ok()?
            }
        };
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
        if changed {
            // The pixels are not those of the game's file.
            extras.set("changed", true);
        }
        self.images.pictures.push(StoredImage { name: name.clone(), bytes, extras });
        let sampler = self.sampler_for(texture.repeat);
        self.images.textures.push(
            Object::default()
                .with("name", name)
                .with("sampler", sampler)
                .with("source", self.images.pictures.len() - 1),
        );
        let index = self.images.textures.len() - 1;
        self.images.known.insert(key, index);
        Some(index)
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
