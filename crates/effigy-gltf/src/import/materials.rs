//! Materials: one layer for the colour, with metal, roughness and normals in it; light of its own is a layer that is added.

use super::Import;
use super::document::{MaterialJson, TextureInfo, Transform};
use super::images::Use;
use super::meshes::gamma;
use effigy_scene::{
    Animated, Blend, Coordinates, Id, Layer, LayerTexture, Material, Role, Rotation, TextureTransform,
    TransformOrder,
};
use std::collections::{BTreeSet, HashMap};

/// Materials of the scene by material of the document.
#[derive(Default)]
pub(super) struct Materials {
    pub known: HashMap<usize, Id<Material>>,
    /// Those of the scene that are not what an export of our own wrote any more.
    pub changed: BTreeSet<Id<Material>>,
    /// Texture transforms, by material and by the name of the texture that they move.
    pub transforms: HashMap<(usize, &'static str), Id<TextureTransform>>,
}

/// Offset, rotation and scale of `KHR_texture_transform` as a transform about the middle of the texture; none if it
/// flattens the texture.
pub(super) fn transform(source: &Transform) -> Option<TextureTransform> {
    let [sx, sy] = source.scale.unwrap_or([1.0; 2]);
    let turn = -source.rotation.unwrap_or(0.0);
    let offset = source.offset.unwrap_or([0.0; 2]);
    let shift = shift_of(offset, turn, [sx, sy])?;
    let [x, y] = shift;
    let (sin, cos) = (turn * 0.5).sin_cos();
    Some(TextureTransform {
        order: TransformOrder::MoveScaleRotate,
        translation: Animated::fixed([x, y, 0.0]),
        rotation: Animated::fixed(Rotation([0.0, 0.0, sin, cos])),
        scale: Animated::fixed([sx, sy, 1.0]),
    })
}

/// The shift before the other parts that moves the texture as this offset after them does.
pub(super) fn shift_of([ox, oy]: [f32; 2], turn: f32, [sx, sy]: [f32; 2]) -> Option<[f32; 2]> {
    // uv' = c + R S (uv + t - c) = R S uv + o, so t = c + (R S)^-1 (o - c).
    if sx == 0.0 || sy == 0.0 || !sx.is_finite() || !sy.is_finite() || !turn.is_finite() {
        return None;
    }
    let (sin, cos) = turn.sin_cos();
    let (x, y) = (ox - 0.5, oy - 0.5);
    let [x, y] = [(cos * x + sin * y) / sx + 0.5, (cos * y - sin * x) / sy + 0.5];
    (x.is_finite() && y.is_finite()).then_some([x, y])
}

impl Import<'_> {
    /// The material of the scene for a material of the document; without one, glTF shows white.
    pub(super) fn material(&mut self, index: Option<usize>) -> Option<Id<Material>> {
        let key = index.unwrap_or(usize::MAX);
        if let Some(known) = self.materials.known.get(&key) {
            return Some(*known);
        }
        let empty = MaterialJson::default();
        let source = index.map_or(Some(&empty), |it| self.document.materials.get(it));
        let Some(source) = source else {
            self.report.dropped("materials", format!("materials[{key}] does not exist"));
            return None;
        };
        let made = self.build(source, key);
        let id = self.scene.materials.push(made);
        self.materials.known.insert(key, id);
        Some(id)
    }

    fn layer_texture(
        &mut self,
        info: &TextureInfo,
        role: Role,
        key: (usize, &'static str),
    ) -> Option<LayerTexture> {
        let usage = match role {
            Role::Normal => Use::Normal,
            Role::Orm => Use::Material,
            _ => Use::Color,
        };
        let texture = self.texture(info, usage)?;
        let moved = info.extensions.transform.as_ref();
        let set = moved.and_then(|it| it.tex_coord).or(info.tex_coord).unwrap_or(0);
        let transform = match moved.map(transform) {
            Some(Some(made)) => {
                let id = self.scene.texture_transforms.push(made);
                self.materials.transforms.insert(key, id);
                Some(id)
            }
            Some(None) => {
                let text = "a texture transform that cannot be undone was left out";
                self.report.dropped(format!("materials[{}]", key.0), text);
                None
            }
            None => None,
        };
        Some(LayerTexture {
            role,
            texture: Some(texture),
            coordinates: Coordinates::Set(set),
            transform,
            ..LayerTexture::default()
        })
    }

    /// Reports what the maps of a material do not say.
    fn note_maps(&mut self, source: &MaterialJson, index: usize) {
        let pbr = &source.pbr_metallic_roughness;
        let image = |info: &TextureInfo| self.document.textures.get(info.index).map(|it| it.source);
        let rough = pbr.metallic_roughness_texture.as_ref();
        let changes = |factor: Option<f32>| factor.is_some_and(|factor| factor != 1.0);
        if rough.is_some() && (changes(pbr.metallic_factor) || changes(pbr.roughness_factor)) {
            let text = "the factors of metal and roughness are not applied to their map";
            self.report.approximated(format!("materials[{index}]"), text);
        }
        if source.normal_texture.as_ref().is_some_and(|it| changes(it.scale)) {
            let text = "the scale of its normal map is not applied to the map";
            self.report.approximated(format!("materials[{index}]"), text);
        }
        // In the red of the same picture it stays.
        let elsewhere =
            |it: &TextureInfo| rough.is_none_or(|rough| rough.index != it.index && image(rough) != image(it));
        if source.occlusion_texture.as_ref().is_some_and(elsewhere) {
            let text = "a map of shade (occlusion) that is not part of the map of roughness was left out";
            self.report.dropped(format!("materials[{index}]"), text);
        }
    }

    pub(super) fn build(&mut self, source: &MaterialJson, index: usize) -> Material {
        let pbr = &source.pbr_metallic_roughness;
        let sound = |value: f32| if value.is_finite() { value } else { 1.0 };
        let [r, g, b, a] = pbr.base_color_factor.unwrap_or([1.0; 4]).map(sound);
        let unlit = source.extensions.unlit.is_some();
        let mut layer = Layer {
            blend: match source.alpha_mode.as_deref() {
                Some("MASK") => Blend::AlphaKey,
                Some("BLEND") => Blend::Alpha,
                _ => Blend::Opaque,
            },
            color: Animated::fixed([r, g, b].map(gamma)),
            unlit,
            two_sided: source.double_sided,
            ..Layer::default()
        };
        if layer.blend == Blend::AlphaKey {
            layer.alpha_test = sound(source.alpha_cutoff.unwrap_or(0.5)).clamp(0.0, 1.0);
        }
        if layer.blend != Blend::Opaque {
            layer.alpha = Animated::fixed(a.clamp(0.0, 1.0));
        }
        let color = pbr.base_color_texture.as_ref();
        layer.textures.extend(color.and_then(|it| self.layer_texture(it, Role::Base, (index, "base"))));
        let maps = [
            (pbr.metallic_roughness_texture.as_ref(), Role::Orm, "orm"),
            (source.normal_texture.as_ref(), Role::Normal, "normal"),
        ];
        let physical = !unlit && maps.iter().any(|(info, ..)| info.is_some());
        for (info, role, name) in maps.into_iter().filter(|_| physical) {
            layer.textures.extend(info.and_then(|it| self.layer_texture(it, role, (index, name))));
        }
        if physical {
            self.note_maps(source, index);
        }
        let strength = source.extensions.strength.as_ref().and_then(|it| it.emissive_strength);
        let factor = source.emissive_factor.unwrap_or([0.0; 3]).map(sound);
        let factor = factor.map(|it| (it * sound(strength.unwrap_or(1.0))).clamp(0.0, 1.0));
        let mut layers = vec![layer];
        if factor.iter().any(|it| *it > 0.0) {
            let glow = source.emissive_texture.as_ref();
            let glow = glow.and_then(|it| self.layer_texture(it, Role::Base, (index, "emissive")));
            layers.push(Layer {
                blend: Blend::Add,
                color: Animated::fixed(factor.map(gamma)),
                unlit: true,
                two_sided: source.double_sided,
                textures: glow.into_iter().collect(),
                ..Layer::default()
            });
        }
        let extras = super::nodes::extras(&source.extras);
        Material { name: source.name.clone(), layers, physical, extras, ..Material::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use effigy_scene::sample::texture_matrix;

    #[test]
    fn a_texture_transform_puts_every_coordinate_where_the_specification_does() {
        let source = Transform {
            offset: Some([0.3, -0.2]),
            rotation: Some(0.7),
            scale: Some([1.5, 0.5]),
            tex_coord: None,
        };
        let made = transform(&source).unwrap();
        let [tx, ty, _] = made.translation.base;
        let [_, _, z, w] = made.rotation.base.0;
        let matrix = texture_matrix(made.order, [tx, ty], 2.0 * z.atan2(w), [1.5, 0.5]);
        let (sin, cos) = 0.7_f32.sin_cos();
        for [u, v] in [[0.0, 0.0], [1.0, 0.0], [0.25, 0.9]] {
            let [x, y] = matrix.map(|[a, b, c]| a * u + b * v + c);
            // u' = u sx cos + v sy sin + ox, v' = -u sx sin + v sy cos + oy (three.js, Blender).
            let (u, v) = (u * 1.5, v * 0.5);
            assert!((x - (cos * u + sin * v + 0.3)).abs() < 1e-5, "{x}");
            assert!((y - (cos * v - sin * u - 0.2)).abs() < 1e-5, "{y}");
        }
        let flat = Transform { scale: Some([0.0, 1.0]), ..Transform::default() };
        assert!(transform(&flat).is_none());
        // A shift beyond what a number can hold, along either axis.
        for (offset, scale) in [([3e38, 0.0], [1e-3, 1.0]), ([0.0, 3e38], [1.0, 1e-3])] {
            assert_eq!(shift_of(offset, 0.0, scale), None);
        }
    }
}
