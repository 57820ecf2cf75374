//! Images, samplers, and the textures that combine both.

use super::Builder;
use crate::json::Object;
use crate::purpose::Purpose;
use effigy_image::png;
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
    known: HashMap<(usize, Purpose), usize>,
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
        textures: &mut dyn Textures,
    ) -> Option<usize> {
        if !self.options.textures {
            return None;
        }
        let texture = self.scene.textures.get(id)?;
        if let Some(known) = self.images.known.get(&(id.index(), purpose)) {
            return Some(*known);
        }
        let bytes = match textures.image(texture).and_then(|image| purpose.png(&image)) {
            Some(bytes) => bytes,
            None => {
                if texture.replaceable.is_none() || !texture.path.is_empty() {
                    self.report
                        .approximated(texture_name(texture), "missing: a stand-in of one pixel was written");
                }
                png::single_pixel(self.stand_in(texture, purpose)).ok()?
            }
        };
        let stem = texture.path.rsplit(['\\', '/']).next().unwrap_or_default();
        let stem = stem.rsplit_once('.').map_or(stem, |(stem, _)| stem);
        let clean: String = stem
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() || "-_ ".contains(c) { c } else { '_' })
            .collect();
        let fallback = match texture.replaceable {
            Some(Replaceable::TeamColor) => "TeamColor".to_owned(),
            Some(Replaceable::TeamGlow) => "TeamGlow".to_owned(),
            Some(Replaceable::Other(number)) => format!("Replaceable{number}"),
            None => "Texture".to_owned(),
        };
        // The names must also differ on file systems that ignore case.
        let name = self.unique("image", clean.trim(), &fallback);
        let name = self.unique("image file", &name.to_ascii_lowercase(), "texture");
        let mut extras = Object::default();
        if !texture.path.is_empty() {
            extras.set("path", texture.path.as_str());
        }
        if let Some(replaceable) = texture.replaceable {
            extras.set("replaceableId", replaceable.number());
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
        self.images.known.insert((id.index(), purpose), index);
        Some(index)
    }

    fn stand_in(&self, texture: &Texture, purpose: Purpose) -> [u8; 4] {
        match (purpose, texture.replaceable) {
            (Purpose::Normal, _) => [128, 128, 255, 255],
            (Purpose::Material, _) => [255, 255, 0, 255],
            (Purpose::Emissive, _) => [0, 0, 0, 255],
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

fn texture_name(texture: &Texture) -> String {
    match texture.replaceable {
        Some(replaceable) if texture.path.is_empty() => format!("replaceable {}", replaceable.number()),
        _ => texture.path.clone(),
    }
}
