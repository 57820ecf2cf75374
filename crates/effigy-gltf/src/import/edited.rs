//! Materials of our own files that somebody has changed: what the file shows wins over the notes.
//!
//! The notes of a material hold the colour that was written and a fingerprint of everything else. If only the colour is another one,
//! the layer that it was written of takes it and all others stay; otherwise the material is read like any other.

use super::Import;
use super::document::{Document, MaterialJson, TextureInfo};
use super::meshes::gamma;
use super::value::Value;
use crate::buffer::{fingerprint, mix};
use effigy_scene::{Animated, Id, Layer, Material, Mesh, Role};

/// Colours of glTF that differ by less are the same.
const SAME: f32 = 1e-4;

/// A fingerprint of how a material looks, apart from its colour. `image` is the name of the image of a texture.
pub(crate) fn look_print<'a>(source: &MaterialJson, image: impl Fn(usize) -> Option<&'a str>) -> u64 {
    let number = |value: f32| u64::from(value.to_bits());
    let mut print = 0;
    let mut add = |word: u64| print = mix(print, word);
    let pbr = &source.pbr_metallic_roughness;
    let slots = [
        &pbr.base_color_texture,
        &pbr.metallic_roughness_texture,
        &source.normal_texture,
        &source.emissive_texture,
    ];
    for slot in slots {
        let Some(TextureInfo { index, tex_coord, extensions, scale: _ }) = slot else {
            add(0);
            continue;
        };
        add(fingerprint(image(*index).unwrap_or_default().as_bytes()));
        add(u64::from(tex_coord.unwrap_or(0)));
        let moved = extensions.transform.as_ref();
        let offset = moved.and_then(|it| it.offset).unwrap_or([0.0; 2]);
        let scale = moved.and_then(|it| it.scale).unwrap_or([1.0; 2]);
        let turn = moved.and_then(|it| it.rotation).unwrap_or(0.0);
        // Adding 0 makes the two zeros one.
        offset.into_iter().chain(scale).chain([turn]).for_each(|it| add(number(it + 0.0)));
    }
    source.emissive_factor.unwrap_or([0.0; 3]).into_iter().for_each(|it| add(number(it + 0.0)));
    let mode = source.alpha_mode.as_deref().unwrap_or("OPAQUE");
    add(fingerprint(mode.as_bytes()));
    if mode == "MASK" {
        add(number(source.alpha_cutoff.unwrap_or(0.5)));
    }
    add(u64::from(source.double_sided));
    add(u64::from(source.extensions.unlit.is_some()));
    print
}

/// The colour of a material; white without one.
pub(crate) fn color_of(source: &MaterialJson) -> [f32; 4] {
    source.pbr_metallic_roughness.base_color_factor.unwrap_or([1.0; 4])
}

/// The name of the image of a texture.
pub(super) fn image_name(document: &Document, texture: usize) -> Option<&str> {
    let image = document.textures.get(texture)?.image()?;
    Some(document.images.get(image)?.name.as_str())
}

/// What became of a material since it was written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Change {
    None,
    /// Another colour, of the layer with this number.
    Color(usize),
    Look,
}

pub(super) fn change(document: &Document, index: usize) -> Change {
    let Some(source) = document.materials.get(index) else { return Change::None };
    let Some(written) = source.extras.get("written") else { return Change::None };
    let look = written.get("look").and_then(Value::text).and_then(|it| u64::from_str_radix(it, 16).ok());
    if look != Some(look_print(source, |texture| image_name(document, texture))) {
        return Change::Look;
    }
    let color: [f32; 4] = written.get("color").and_then(Value::vector).unwrap_or([1.0; 4]);
    if color.iter().zip(color_of(source)).all(|(old, new)| (old - new).abs() <= SAME) {
        return Change::None;
    }
    let layer = written.get("layer").and_then(Value::unsigned).unwrap_or(0);
    Change::Color(layer as usize)
}

impl Import<'_> {
    /// Takes over what somebody has changed in the materials that have notes. `changed` holds the material of the document, its
    /// number in the notes, and the change.
    pub(super) fn take_changes(&mut self, changed: Vec<(usize, u32, Change)>) {
        let mut done = std::collections::HashSet::new();
        let count = changed.len();
        for (index, number, change) in changed {
            let Some(source) = self.document.materials.get(index) else { continue };
            let id = Id::<Material>::new(number);
            let Some(noted) = self.scene.materials.get(id).cloned() else { continue };
            let made = match change {
                Change::Color(layer) if !self.is_replaced(&noted, layer) => {
                    recolored(noted, layer, color_of(source))
                }
                _ => {
                    let built = self.build(source, index);
                    Material { name: noted.name, priority: noted.priority, extras: noted.extras, ..built }
                }
            };
            // Several materials of the document may have been made of one.
            let place = match self.scene.materials.get_mut(id).filter(|_| done.insert(number)) {
                Some(place) => {
                    *place = made;
                    id
                }
                None => self.scene.materials.push(made),
            };
            self.materials.known.insert(index, place);
            self.materials.changed.insert(place);
        }
        if count > 0 {
            let text = format!("{count} look different from what was exported; what the file shows is used");
            self.report.approximated("materials", text);
        }
    }

    /// Whether the game puts a picture of its own into a layer, such as the player's colour.
    fn is_replaced(&self, material: &Material, layer: usize) -> bool {
        let texture = material.layers.get(layer).and_then(|it| it.texture(Role::Base));
        let texture = texture.and_then(|it| it.texture).and_then(|it| self.scene.textures.get(it));
        texture.is_some_and(|it| it.replaceable.is_some())
    }

    /// The colour of a changed material has that of its mesh in it already.
    pub(super) fn whiten(&self, mesh: &mut Mesh) {
        if mesh.material.is_none_or(|it| !self.materials.changed.contains(&it)) {
            return;
        }
        mesh.color = Animated::fixed([1.0; 3]);
        if !mesh.alpha.is_animated() {
            mesh.alpha = Animated::fixed(1.0);
        }
    }
}

fn recolored(mut material: Material, layer: usize, [r, g, b, a]: [f32; 4]) -> Material {
    let sound = |value: f32| if value.is_finite() { value } else { 1.0 };
    if let Some(Layer { color, alpha, color_alpha, .. }) = material.layers.get_mut(layer) {
        *color = Animated::fixed([r, g, b].map(|it| gamma(sound(it))));
        if !alpha.is_animated() && !color_alpha.is_animated() {
            *alpha = Animated::fixed(sound(a).clamp(0.0, 1.0));
            *color_alpha = Animated::fixed(1.0);
        }
    }
    material
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_change_of_the_look_has_another_fingerprint() {
        let print = |text: &str| {
            let material: MaterialJson = serde_json::from_str(text).unwrap();
            look_print(&material, |index| ["a.png", "b.png"].get(index).copied())
        };
        let moved = |transform: &str| {
            let info = format!(r#"{{"index": 0, "extensions": {{"KHR_texture_transform": {transform}}}}}"#);
            print(&format!(r#"{{"pbrMetallicRoughness": {{"baseColorTexture": {info}}}}}"#))
        };
        let looks = [
            print("{}"),
            print(r#"{"doubleSided": true}"#),
            print(r#"{"alphaMode": "BLEND"}"#),
            print(r#"{"alphaMode": "MASK"}"#),
            print(r#"{"alphaMode": "MASK", "alphaCutoff": 0.25}"#),
            print(r#"{"emissiveFactor": [0.5, 0, 0]}"#),
            print(r#"{"emissiveFactor": [0, 0.5, 0]}"#),
            print(r#"{"extensions": {"KHR_materials_unlit": {}}}"#),
            print(r#"{"normalTexture": {"index": 0}}"#),
            print(r#"{"pbrMetallicRoughness": {"baseColorTexture": {"index": 1}}}"#),
            print(r#"{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0, "texCoord": 1}}}"#),
            moved("{}"),
            moved(r#"{"offset": [0.5, 0]}"#),
            moved(r#"{"offset": [0, 0.5]}"#),
            moved(r#"{"scale": [0.5, 1]}"#),
            moved(r#"{"rotation": 0.5}"#),
        ];
        let distinct: std::collections::BTreeSet<u64> = looks.into_iter().collect();
        assert_eq!(distinct.len(), looks.len());
        // What means the same has the same.
        assert_eq!(moved(r#"{"offset": [-0.0, 0.0], "scale": [1, 1], "rotation": 0}"#), moved("{}"));
        assert_eq!(print(r#"{"alphaMode": "OPAQUE", "alphaCutoff": 0.25}"#), print("{}"));
        assert_eq!(print(r#"{"alphaMode": "MASK", "alphaCutoff": 0.5}"#), print(r#"{"alphaMode": "MASK"}"#));
    }
}
