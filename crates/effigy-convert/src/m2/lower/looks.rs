//! Textures, texture transforms, and a submesh's batches as the layers of a material.

use super::Lowering;
use super::tracks::fix16;
use effigy_m2::{Batch, MaterialFlags, TextureFlags};
use effigy_scene::{
    Animated, Blend, Coordinates, Id, Layer, LayerTexture, Material, Replaceable, Role, Rotation, Texture,
    TextureTransform, TransformOrder,
};

/// Alpha test of keyed layers, 256 to 264.
const KEY_TEST: f32 = 224.0 / 255.0;
const BLEND_TEST: f32 = 1.0 / 255.0;

/// The scene's word for a blend mode.
pub(super) fn blend(number: u16) -> Blend {
    match number {
        0 => Blend::Opaque,
        1 => Blend::AlphaKey,
        3 => Blend::Add,
        4 => Blend::AddAlpha,
        5 => Blend::Modulate,
        6 => Blend::Modulate2x,
        _ => Blend::Alpha,
    }
}

impl Lowering<'_> {
    pub(super) fn textures(&mut self) {
        let model = self.model;
        for texture in &*model.textures {
            self.scene.textures.push(Texture {
                path: texture.name.text().into_owned(),
                replaceable: (texture.kind != 0).then_some(Replaceable::Other(texture.kind)),
                repeat: [
                    texture.flags.contains(TextureFlags::WRAP_X),
                    texture.flags.contains(TextureFlags::WRAP_Y),
                ],
            });
        }
        for transform in &*model.transforms {
            let made = TextureTransform {
                order: TransformOrder::MoveScaleRotate,
                translation: self.animated(&transform.translation, [0.0; 3], |value| value),
                rotation: self.animated(&transform.rotation, Rotation::IDENTITY, Rotation),
                scale: self.animated(&transform.scale, [1.0; 3], |value| value),
            };
            self.scene.texture_transforms.push(made);
        }
    }

    /// The material of a submesh: its batches in order.
    pub(super) fn material(&mut self, name: &str, batches: &[&Batch]) -> Id<Material> {
        let layers = batches.iter().map(|batch| self.layer(batch)).collect();
        let priority = batches.first().map_or(0, |batch| i32::from(batch.priority_plane));
        self.scene.materials.push(Material { name: name.to_owned(), priority, layers, ..Material::default() })
    }

    fn layer(&self, batch: &Batch) -> Layer {
        let model = self.model;
        let (flags, number) = model
            .materials
            .get(usize::from(batch.material))
            .map_or((MaterialFlags::empty(), 0), |it| (it.flags, it.blend));
        let blend = blend(number);
        let mut layer = Layer {
            blend,
            alpha_test: match blend {
                Blend::Opaque => 0.0,
                Blend::AlphaKey => KEY_TEST,
                _ => BLEND_TEST,
            },
            unlit: flags.contains(MaterialFlags::UNLIT)
                || matches!(blend, Blend::Modulate | Blend::Modulate2x),
            two_sided: flags.contains(MaterialFlags::TWO_SIDED),
            unfogged: flags.contains(MaterialFlags::UNFOGGED),
            no_depth_test: flags.contains(MaterialFlags::NO_DEPTH_TEST),
            no_depth_write: flags.contains(MaterialFlags::NO_DEPTH_WRITE),
            ..Layer::default()
        };
        if let Some(color) = usize::try_from(batch.color).ok().and_then(|index| model.colors.get(index)) {
            layer.color = self.animated(&color.rgb, [1.0; 3], |value| value);
            layer.color_alpha = self.animated(&color.alpha, 1.0, fix16);
        }
        let combo = model.weight_combos.get(usize::from(batch.weight_combo));
        let weight = combo.and_then(|index| model.weights.get(usize::from(*index)));
        if let Some(weight) = weight.filter(|_| batch.texture_count > 0) {
            layer.alpha = self.animated(&weight.weight, 1.0, fix16);
        }
        for stage in 0..batch.texture_count.min(4) {
            let at = |first: u16| usize::from(first).saturating_add(usize::from(stage));
            let texture =
                model.texture_combos.get(at(batch.texture_combo)).copied().map(u32::from).map(Id::new);
            let coordinates = match model.coord_combos.get(at(batch.coord_combo)).copied().unwrap_or(0) {
                0 => Coordinates::Set(0),
                1 | 2 => Coordinates::Set(1),
                _ => Coordinates::Sphere,
            };
            let transform = model.transform_combos.get(at(batch.transform_combo)).copied();
            layer.textures.push(LayerTexture {
                role: if stage == 0 { Role::Base } else { Role::Second },
                texture,
                flipbook: None,
                coordinates,
                transform: transform.and_then(|index| u32::try_from(index).ok()).map(Id::new),
            });
        }
        layer.extras.set("shader", batch.shader).set("layer", batch.layer).set("blendMode", number);
        layer.extras.set("batchFlags", batch.flags.bits());
        if layer.alpha == Animated::fixed(0.0) {
            layer.extras.set("hidden", true);
        }
        layer
    }
}
