//! Textures, texture animations, materials.

use super::{Lowering, tracks};
use effigy_mdx::track::tags;
use effigy_mdx::{FilterMode, LayerFlags, Material, ShaderKind, TextureFlags};
use effigy_scene::{
    Animated, Blend, Coordinates, Id, Layer, LayerTexture, Replaceable, Role, Rotation, Texture,
    TextureTransform, TransformOrder,
};

/// Alpha tests of the games by filter mode: Warcraft III uses 0.75 for keyed layers, WoW alpha a higher value.
const KEY_TEST_WARCRAFT: f32 = 192.0 / 255.0;
const KEY_TEST_WORLD: f32 = 224.0 / 255.0;
const BLEND_TEST: f32 = 4.0 / 255.0;

/// Roles of HD textures by position.
const HD_ROLES: [Role; 6] =
    [Role::Base, Role::Normal, Role::Orm, Role::Emissive, Role::TeamColor, Role::Environment];
const HD_SHADER: &str = "Shader_HD_DefaultUnit";

fn id<T>(index: i32) -> Option<Id<T>> {
    u32::try_from(index).ok().map(Id::new)
}

impl Lowering<'_> {
    pub(super) fn textures(&mut self) {
        let wow = self.is_wow();
        for texture in &self.model.textures {
            let replaceable = match texture.replaceable {
                0 => None,
                1 if !wow => Some(Replaceable::TeamColor),
                2 if !wow => Some(Replaceable::TeamGlow),
                other => Some(Replaceable::Other(other)),
            };
            self.scene.textures.push(Texture {
                path: texture.path.text().into_owned(),
                replaceable,
                repeat: [
                    texture.flags.contains(TextureFlags::WRAP_WIDTH),
                    texture.flags.contains(TextureFlags::WRAP_HEIGHT),
                ],
            });
        }
        for animation in &self.model.texture_animations {
            self.scene.texture_transforms.push(TextureTransform {
                order: if wow { TransformOrder::MoveScaleRotate } else { TransformOrder::RotateScaleMove },
                translation: tracks::animated([0.0; 3], &animation.tracks, tags::KTAT, [0.0; 3]),
                rotation: tracks::animated(
                    Rotation::IDENTITY,
                    &animation.tracks,
                    tags::KTAR,
                    Rotation::IDENTITY,
                ),
                scale: tracks::animated([1.0; 3], &animation.tracks, tags::KTAS, [1.0; 3]),
            });
        }
    }

    pub(super) fn materials(&mut self) {
        for (index, source) in self.model.materials.iter().enumerate() {
            let mut material = effigy_scene::Material {
                name: format!("Material {index}"),
                priority: source.priority_plane,
                ..effigy_scene::Material::default()
            };
            material.extras.set("flags", source.flags.bits());
            if !source.shader.is_empty() {
                material.extras.set("shader", source.shader.text().as_ref());
            }
            material.physical = is_physical(source);
            if material.physical && source.layers.len() > 1 {
                // Before 1100 the six textures of a physical material are stored in six layers.
                let mut layers = source.layers.iter();
                if let Some(first) = layers.next() {
                    let mut layer = self.layer(first);
                    for (other, role) in layers.zip(HD_ROLES.into_iter().skip(1)) {
                        layer.textures.extend(self.layer_texture(other, role));
                    }
                    material.layers.push(layer);
                }
            } else {
                material.layers.extend(source.layers.iter().map(|layer| self.layer(layer)));
            }
            self.scene.materials.push(material);
        }
    }

    fn layer_texture(&self, source: &effigy_mdx::Layer, role: Role) -> Option<LayerTexture> {
        Some(LayerTexture {
            role,
            texture: id(source.texture),
            flipbook: tracks::track(&source.tracks, tags::KMTF, 0),
            coordinates: coordinates(source),
            transform: id(source.texture_animation),
            ..LayerTexture::default()
        })
    }

    fn layer(&self, source: &effigy_mdx::Layer) -> Layer {
        let wow = self.is_wow();
        let flags = source.flags;
        let (blend, alpha_test) = match source.filter_mode {
            FilterMode::NONE => (Blend::Opaque, 0.0),
            FilterMode::TRANSPARENT => {
                (Blend::AlphaKey, if wow { KEY_TEST_WORLD } else { KEY_TEST_WARCRAFT })
            }
            FilterMode::ADDITIVE if wow => (Blend::Add, BLEND_TEST),
            FilterMode::ADDITIVE | FilterMode::ADD_ALPHA => (Blend::AddAlpha, BLEND_TEST),
            FilterMode::MODULATE => (Blend::Modulate, BLEND_TEST),
            FilterMode::MODULATE_2X => (Blend::Modulate2x, BLEND_TEST),
            _ => (Blend::Alpha, BLEND_TEST),
        };
        let mut layer = Layer {
            blend,
            alpha_test,
            alpha: tracks::animated(source.alpha, &source.tracks, tags::KMTA, 1.0),
            unlit: flags.contains(LayerFlags::UNSHADED) || (!wow && flags.contains(LayerFlags::UNLIT)),
            two_sided: flags.contains(LayerFlags::TWO_SIDED),
            unfogged: flags.contains(LayerFlags::UNFOGGED),
            no_depth_test: flags.contains(LayerFlags::NO_DEPTH_TEST),
            no_depth_write: flags.contains(LayerFlags::NO_DEPTH_SET),
            emissive_gain: tracks::animated(finite(source.emissive_gain), &source.tracks, tags::KMTE, 0.0),
            ..Layer::default()
        };
        layer.extras.set("filterMode", source.filter_mode.0).set("flags", flags.bits());
        if self.model.caps().contains(effigy_mdx::Caps::FRESNEL) && source.fresnel_opacity != 0.0 {
            layer.extras.set("fresnelColor", source.fresnel_color);
            layer.extras.set("fresnelOpacity", source.fresnel_opacity);
            layer.extras.set("fresnelTeamColor", source.fresnel_team_color);
        }
        for tag in [tags::KFC3, tags::KFCA, tags::KFTC] {
            if let Some(track) = source.tracks.get(tag) {
                layer.extras.set(&tag.to_string(), tracks::extra(track));
            }
        }
        if source.slots.is_empty() {
            layer.textures.extend(self.layer_texture(source, Role::Base));
        } else {
            // The engine uses the position: the slot numbers in shipped files are wrong.
            for (slot, role) in source.slots.iter().zip(HD_ROLES) {
                layer.textures.push(LayerTexture {
                    role,
                    texture: id(slot.texture),
                    flipbook: slot.track.as_ref().and_then(|track| tracks::convert(track, 0)),
                    coordinates: coordinates(source),
                    transform: id(source.texture_animation),
                    ..LayerTexture::default()
                });
            }
        }
        layer
    }
}

fn finite(value: f32) -> f32 {
    if value.is_finite() { value } else { Animated::<f32>::default().base }
}

fn coordinates(layer: &effigy_mdx::Layer) -> Coordinates {
    if layer.flags.contains(LayerFlags::SPHERE_ENVIRONMENT_MAP) {
        Coordinates::Sphere
    } else {
        Coordinates::Set(u32::try_from(layer.coordinates).unwrap_or(0))
    }
}

fn is_physical(material: &Material) -> bool {
    material.shader.text() == HD_SHADER
        || material.layers.first().is_some_and(|layer| layer.shader == ShaderKind::HD)
}
