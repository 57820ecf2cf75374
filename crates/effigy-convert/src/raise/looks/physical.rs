//! Materials with normal and roughness maps as Reforged's shader draws them: one layer with all maps and light of its own.

use super::has;
use effigy_scene::{Arena, Blend, Id, Layer, LayerTexture, Material, Role, Texture};
use effigy_wire::Report;
use std::collections::BTreeMap;

/// Textures of one colour that the target needs and the source does not have.
#[derive(Default)]
pub(super) struct PlainTextures {
    known: BTreeMap<String, Id<Texture>>,
    /// Their pixels, by number.
    pub pixels: BTreeMap<usize, [u8; 4]>,
}

impl PlainTextures {
    fn get(&mut self, textures: &mut Arena<Texture>, name: &str, pixel: [u8; 4]) -> Id<Texture> {
        if let Some(known) = self.known.get(name) {
            return *known;
        }
        let id = textures.push(Texture { path: format!("{name}.dds"), ..Texture::default() });
        self.known.insert(name.to_owned(), id);
        self.pixels.insert(id.index(), pixel);
        id
    }
}

/// A map that the shader needs.
struct NeededMap {
    role: Role,
    /// The file that takes its place.
    name: &'static str,
    pixel: [u8; 4],
    /// What the report says where it is missing; none: nothing is lost.
    note: Option<&'static str>,
}

const NEEDED: [NeededMap; 3] = [
    NeededMap { role: Role::Base, name: "white", pixel: [255; 4], note: None },
    NeededMap { role: Role::Normal, name: "flat_normal", pixel: [128, 128, 255, 255], note: None },
    // Alpha is the mask of the player's colour.
    NeededMap {
        role: Role::Orm,
        name: "rough_orm",
        pixel: [255, 255, 0, 0],
        note: Some("it has no roughness map and is rough and without metal"),
    },
];

/// Completes the maps of a material; whether the shader can draw it.
pub(super) fn complete(
    material: &mut Material,
    textures: &mut Arena<Texture>,
    plain: &mut PlainTextures,
    report: &mut Report,
) -> bool {
    take_glow(material, textures, plain, report);
    if let [layer] = material.layers.as_mut_slice() {
        for needed in NEEDED.iter().filter(|needed| !has(layer, needed.role)).collect::<Vec<_>>() {
            let texture = Some(plain.get(textures, needed.name, needed.pixel));
            layer.textures.retain(|it| it.role != needed.role);
            let placed = layer.textures.first().cloned().unwrap_or_default();
            layer.textures.push(LayerTexture { role: needed.role, texture, flipbook: None, ..placed });
            if let Some(note) = needed.note {
                report.approximated(material.name.as_str(), note);
            }
        }
        let place = |it: &LayerTexture| (it.coordinates, it.transform);
        let base = layer.texture(Role::Base).map(place);
        if layer.textures.iter().any(|it| Some(place(it)) != base) {
            report.approximated(material.name.as_str(), "its maps are placed like its colour");
        }
    }
    let is_complete = |layer: &Layer| NEEDED.iter().all(|needed| has(layer, needed.role));
    material.layers.iter().all(is_complete)
}

/// Light that is a layer of its own becomes a map of the layer that it is added to.
fn take_glow(
    material: &mut Material,
    textures: &mut Arena<Texture>,
    plain: &mut PlainTextures,
    report: &mut Report,
) {
    let [first, glow] = material.layers.as_mut_slice() else { return };
    let is_light = glow.blend == Blend::Add && glow.unlit && glow.textures.len() <= 1;
    let is_fixed = !glow.color.is_animated() && !glow.alpha.is_animated() && !glow.color_alpha.is_animated();
    if !is_light || !is_fixed || has(first, Role::Emissive) {
        return;
    }
    let strongest = glow.color.base.into_iter().fold(0.0, f32::max);
    let light = match glow.textures.first().filter(|it| it.texture.is_some()) {
        Some(texture) => {
            first.emissive_gain.base = linear(strongest);
            if glow.color.base.iter().any(|part| strongest - part > 0.01) {
                report.approximated(material.name.as_str(), "its light has the colour of the texture only");
            }
            texture.clone()
        }
        None => {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to a byte")]
            let [r, g, b] = glow.color.base.map(|part| (part * 255.0).round().clamp(0.0, 255.0) as u8);
            let name = format!("glow_{r:02x}{g:02x}{b:02x}");
            let texture = Some(plain.get(textures, &name, [r, g, b, 255]));
            let placed = first.textures.first().cloned().unwrap_or_default();
            LayerTexture { texture, flipbook: None, ..placed }
        }
    };
    first.textures.push(LayerTexture { role: Role::Emissive, ..light });
    material.layers.truncate(1);
}

/// The strength of a colour that is shown with this value.
fn linear(value: f32) -> f32 {
    if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

#[cfg(test)]
mod tests;
