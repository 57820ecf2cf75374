//! Textures, texture animations and materials.

use super::{Writer, extras, index, tracks};
use effigy_mdx::track::tags;
use effigy_mdx::{
    Caps, FilterMode, Layer as MdxLayer, LayerFlags, Material as MdxMaterial, MaterialFlags, ShaderKind,
    Texture as MdxTexture, TextureAnimation, TextureFlags, TextureSlot, Tracks,
};
use effigy_scene::{Blend, Coordinates, Id, Layer, LayerTexture, Material, Role, Texture};

const HD_SHADER: &str = "Shader_HD_DefaultUnit";
const HD_ROLES: [Role; 6] =
    [Role::Base, Role::Normal, Role::Orm, Role::Emissive, Role::TeamColor, Role::Environment];
/// A texture of the game that is white.
const WHITE: &str = "Textures\\white.blp";
const NO_LIGHT: &str = "Textures\\Black32.blp";
const ROOM: &str = "ReplaceableTextures\\EnvironmentMap.blp";

impl Writer<'_> {
    pub(super) fn textures(&mut self) {
        let scene = self.scene;
        for (at, texture) in scene.textures.as_slice().iter().enumerate() {
            let mut flags = TextureFlags::empty();
            flags.set(TextureFlags::WRAP_WIDTH, texture.repeat[0]);
            flags.set(TextureFlags::WRAP_HEIGHT, texture.repeat[1]);
            let path = self.text(&format!("textures[{at}]"), &texture.path);
            let replaceable = texture.replaceable.map_or(0, |it| it.number());
            self.model.textures.push(MdxTexture { replaceable, path, flags });
        }
        for transform in scene.texture_transforms.as_slice() {
            let mut list = Tracks::default();
            tracks::put(&mut list, tags::KTAT, transform.translation.track.as_ref());
            tracks::put(&mut list, tags::KTAR, transform.rotation.track.as_ref());
            tracks::put(&mut list, tags::KTAS, transform.scale.track.as_ref());
            self.model.texture_animations.push(TextureAnimation { tracks: list });
        }
    }

    /// The number of a texture of the game, which is added where it is missing.
    fn game_texture(&mut self, path: &str, replaceable: u32) -> i32 {
        let same = |it: &MdxTexture| it.path == path && it.replaceable == replaceable;
        let known = self.model.textures.iter().position(same);
        let at = known.unwrap_or_else(|| {
            let path = self.text("textures", path);
            self.model.textures.push(MdxTexture { replaceable, path, ..MdxTexture::default() });
            self.model.textures.len() - 1
        });
        index(at)
    }

    /// The number of a texture; white where there is none.
    pub(super) fn texture_index(&mut self, texture: Option<Id<Texture>>) -> i32 {
        match texture {
            Some(id) => index(id.index()),
            None if self.native => -1,
            None => self.game_texture(WHITE, 0),
        }
    }

    /// The number of a material; a white one where there is none.
    pub(super) fn material_index(&mut self, material: Option<Id<Material>>) -> u32 {
        let at = match material {
            Some(id) => id.index(),
            None => {
                let plain = self.plain_material();
                let known = self.model.materials.iter().position(|it| *it == plain);
                known.unwrap_or_else(|| {
                    self.report.rebuilt("materials", "a white material for what has none");
                    self.model.materials.push(plain);
                    self.model.materials.len() - 1
                })
            }
        };
        u32::try_from(at).unwrap_or(u32::MAX)
    }

    fn plain_material(&mut self) -> MdxMaterial {
        let texture = self.game_texture(WHITE, 0);
        let mut layer = MdxLayer { texture, flags: LayerFlags::TWO_SIDED, ..MdxLayer::default() };
        if self.caps.contains(Caps::TEXTURE_SLOTS) {
            layer.texture = 0;
            layer.slots = vec![TextureSlot { texture, slot: 0, track: None }];
        }
        MdxMaterial { layers: vec![layer], ..MdxMaterial::default() }
    }

    pub(super) fn materials(&mut self) {
        let scene = self.scene;
        for (at, material) in scene.materials.as_slice().iter().enumerate() {
            let mut made = MdxMaterial { priority_plane: material.priority, ..MdxMaterial::default() };
            if self.native {
                let bits = extras::word(&material.extras, "flags").unwrap_or(0);
                made.flags = MaterialFlags::from_bits_retain(bits);
                if let Some(shader) = extras::text(&material.extras, "shader") {
                    made.shader = self.text("MTLS", shader);
                }
            }
            let physical = material.physical && self.caps.contains(Caps::EMISSIVE);
            if material.physical && !physical {
                self.report.dropped(
                    format!("materials[{at}]"),
                    "classic materials have no normal, roughness, glow and reflection maps",
                );
            }
            if physical && self.caps.contains(Caps::SHADER_NAME) {
                made.shader = self.text("MTLS", HD_SHADER);
            }
            for layer in &material.layers {
                self.layers(at, layer, physical, &mut made.layers);
            }
            // A mesh that is drawn without any layer crashes the game.
            if made.layers.is_empty() && !self.native {
                made.layers = self.plain_material().layers;
            }
            self.model.materials.push(made);
        }
    }

    /// The textures of a layer in the order of the shader's slots.
    fn ordered<'l>(&self, layer: &'l Layer, physical: bool) -> Vec<(Role, Option<&'l LayerTexture>)> {
        if physical && !self.native {
            return HD_ROLES.iter().map(|role| (*role, layer.texture(*role))).collect();
        }
        layer.textures.iter().map(|texture| (texture.role, Some(texture))).collect()
    }

    fn slot_texture(&mut self, role: Role, texture: Option<&LayerTexture>) -> i32 {
        match (role, texture.and_then(|it| it.texture)) {
            (_, Some(id)) => index(id.index()),
            (Role::Emissive, None) if !self.native => self.game_texture(NO_LIGHT, 0),
            (Role::TeamColor, None) if !self.native => self.game_texture("", 1),
            (Role::Environment, None) if !self.native => self.game_texture(ROOM, 0),
            (_, None) => self.texture_index(None),
        }
    }

    fn layers(&mut self, at: usize, layer: &Layer, physical: bool, into: &mut Vec<MdxLayer>) {
        let all = self.ordered(layer, physical);
        let mut made = self.layer(at, layer);
        let first = all.first().and_then(|(_, texture)| *texture);
        place(&mut made, first);
        if self.caps.contains(Caps::TEXTURE_SLOTS) {
            made.shader = if physical { ShaderKind::HD } else { ShaderKind::SD };
            for (slot, (role, texture)) in (0..).zip(&all) {
                let track = texture.and_then(|it| it.flipbook.as_ref());
                made.slots.push(TextureSlot {
                    texture: self.slot_texture(*role, *texture),
                    slot,
                    track: track.and_then(|track| tracks::mapped(tags::KMTF, track, |value| value)),
                });
            }
            into.push(made);
            return;
        }
        let base = first.and_then(|it| it.texture);
        made.texture = self.texture_index(base);
        tracks::put(&mut made.tracks, tags::KMTF, first.and_then(|it| it.flipbook.as_ref()));
        let plain = MdxLayer { tracks: Tracks::default(), ..made.clone() };
        into.push(made);
        if !physical {
            return;
        }
        for (role, texture) in all.into_iter().skip(1) {
            let mut other = MdxLayer { texture: self.slot_texture(role, texture), ..plain.clone() };
            place(&mut other, texture);
            tracks::put(&mut other.tracks, tags::KMTF, texture.and_then(|it| it.flipbook.as_ref()));
            into.push(other);
        }
    }

    fn layer(&mut self, at: usize, layer: &Layer) -> MdxLayer {
        let kept = extras::word(&layer.extras, "filterMode").filter(|_| self.native).map(FilterMode);
        let mode = match layer.blend {
            Blend::Opaque => FilterMode::NONE,
            Blend::AlphaKey => FilterMode::TRANSPARENT,
            Blend::Alpha => FilterMode::BLEND,
            Blend::Add | Blend::AddAlpha => FilterMode::ADDITIVE,
            Blend::Modulate => FilterMode::MODULATE,
            Blend::Modulate2x => FilterMode::MODULATE_2X,
        };
        let bits = extras::word(&layer.extras, "flags").filter(|_| self.native).unwrap_or(0);
        let mut flags = LayerFlags::from_bits_retain(bits);
        let unlit = flags.contains(LayerFlags::UNLIT);
        flags.set(LayerFlags::UNSHADED, layer.unlit && (flags.contains(LayerFlags::UNSHADED) || !unlit));
        flags.set(LayerFlags::TWO_SIDED, layer.two_sided);
        flags.set(LayerFlags::UNFOGGED, layer.unfogged);
        flags.set(LayerFlags::NO_DEPTH_TEST, layer.no_depth_test);
        flags.set(LayerFlags::NO_DEPTH_SET, layer.no_depth_write);
        flags.remove(LayerFlags::SPHERE_ENVIRONMENT_MAP);
        let mut made = MdxLayer { filter_mode: kept.unwrap_or(mode), flags, ..MdxLayer::default() };
        made.alpha = tracks::value(&mut made.tracks, tags::KMTA, &layer.alpha);
        if self.caps.contains(Caps::EMISSIVE) {
            made.emissive_gain = tracks::value(&mut made.tracks, tags::KMTE, &layer.emissive_gain);
        }
        if self.caps.contains(Caps::FRESNEL) {
            if let Some(&[r, g, b]) = extras::floats(&layer.extras, "fresnelColor") {
                made.fresnel_color = [r, g, b];
            }
            made.fresnel_opacity = extras::float(&layer.extras, "fresnelOpacity").unwrap_or(0.0);
            made.fresnel_team_color = extras::float(&layer.extras, "fresnelTeamColor").unwrap_or(0.0);
            extras::tracks(&layer.extras, &mut made.tracks);
        } else if layer.extras.get("fresnelOpacity").is_some() {
            self.report.dropped(format!("materials[{at}]"), "the Fresnel term needs version 1000");
        }
        made
    }
}

/// Where a layer's coordinates come from and how they move.
fn place(layer: &mut MdxLayer, texture: Option<&LayerTexture>) {
    let Some(texture) = texture else { return };
    layer.texture_animation = texture.transform.map_or(-1, |id| index(id.index()));
    match texture.coordinates {
        Coordinates::Set(set) => {
            layer.coordinates = i32::try_from(set).unwrap_or(0);
            layer.flags.remove(LayerFlags::SPHERE_ENVIRONMENT_MAP);
        }
        _ => {
            layer.coordinates = 0;
            layer.flags.insert(LayerFlags::SPHERE_ENVIRONMENT_MAP);
        }
    }
}
