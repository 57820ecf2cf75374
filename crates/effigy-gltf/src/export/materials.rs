//! Materials: one layer determines the appearance, the others are in extras.

use super::images::texture_stem;
use super::meshes::has_tangents;
use super::{Builder, describe};
use crate::json::{Json, Object};
use crate::purpose::Purpose;
use effigy_scene::sample::{Moment, texture_matrix};
use effigy_scene::{
    Animated, Blend, Coordinates, Id, Layer, LayerTexture, Material, Mesh, Replaceable, Role, Texture,
    TextureTransform, Textures, TransformOrder, team,
};
use std::collections::HashMap;

/// A material of the document and its variants for players.
#[derive(Clone, Default)]
pub(super) struct MaterialRef {
    pub index: usize,
    pub variants: Vec<usize>,
}

/// What animates a material of the document.
pub(super) struct MaterialUse {
    pub index: usize,
    /// The mesh whose colour counts, when it is not white.
    pub mesh: Option<Id<Mesh>>,
    pub material: Id<Material>,
    pub layer: usize,
    /// The texture transform of the colour texture.
    pub transform: Option<Id<TextureTransform>>,
    /// Lit, with a texture: Blender cannot open a file that animates its colour.
    pub lit_texture: bool,
    /// Its colour is white and opaque where nothing plays, which is what a missing factor means.
    pub white: bool,
    /// The colour of the player, which takes the place of colours over time.
    pub paint: Option<[f32; 3]>,
}

/// Whether a material has no factor, or one that changes nothing.
fn is_white(material: &Object) -> bool {
    let pbr = material.get("pbrMetallicRoughness");
    !matches!(pbr, Some(Json::Object(pbr)) if pbr.get("baseColorFactor").is_some())
}

/// Whether a material is lit and has a texture whose colour or roughness a factor multiplies. The importer of Blender
/// (5.0) fails on pointers to the colour of such a material, and then opens nothing of the file.
fn is_lit_texture(material: &Object) -> bool {
    let pbr = material.get("pbrMetallicRoughness");
    let textured = matches!(pbr, Some(Json::Object(pbr))
        if pbr.get("baseColorTexture").or(pbr.get("metallicRoughnessTexture")).is_some());
    textured && material.get("extensions").is_none()
}

/// Materials of the document.
#[derive(Default)]
pub(crate) struct Materials {
    pub list: Vec<Object>,
    /// By material, number of texture coordinate sets, and whether there are tangents.
    shared: HashMap<(usize, usize, bool), MaterialRef>,
    pub(super) uses: Vec<MaterialUse>,
    pub has_variants: bool,
}

/// From the games' gamma space, in which they multiply, to the linear space in which glTF does.
pub(super) fn linear(value: f32) -> f32 {
    let value = value.clamp(0.0, 1.0);
    if value == 1.0 {
        // Most values are 0 or 1, and powers are slow.
        return value;
    }
    if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

/// Whether colour or alpha of a mesh's layer have tracks.
fn changes_color(mesh: &Mesh, layer: &Layer) -> bool {
    let fades = mesh.alpha.is_animated() || layer.alpha.is_animated() || layer.color_alpha.is_animated();
    fades || mesh.color.is_animated() || layer.color.is_animated()
}

/// A name with a capital letter, as menus show it.
pub(super) fn capital(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Offset, rotation and scale of `KHR_texture_transform`, whose rotation counts the other way.
pub(super) fn texture_parts(
    order: TransformOrder,
    shift: [f32; 2],
    turn: f32,
    scale: [f32; 2],
) -> ([f32; 2], f32, [f32; 2]) {
    let [[_, _, x], [_, _, y]] = texture_matrix(order, shift, turn, scale);
    ([x, y], 0.0 - turn, scale)
}

/// Whether a layer brightens or darkens what is behind it. glTF has no such modes.
const fn is_effect(blend: Blend) -> bool {
    matches!(blend, Blend::Add | Blend::AddAlpha | Blend::Modulate | Blend::Modulate2x)
}

/// The layer that determines the appearance, and whether the player's colour is below it. `shown`: at the moment that the
/// material shows; `ever`: at any.
fn driving_layer(
    material: &Material,
    replaceable: impl Fn(&Layer) -> Option<Replaceable>,
    shown: impl Fn(&Layer) -> bool,
    ever: impl Fn(&Layer) -> bool,
) -> (usize, bool) {
    let team = |layer: &Layer| replaceable(layer) == Some(Replaceable::TeamColor);
    if material.layers.first().is_some_and(team) {
        let skin = material.layers.iter().position(|layer| {
            let solid = matches!(layer.blend, Blend::Alpha | Blend::AlphaKey | Blend::Opaque);
            !team(layer) && solid && ever(layer)
        });
        if let Some(skin) = skin {
            return (skin, true);
        }
    }
    let visible = |layer: &Layer| layer.alpha.is_animated() || layer.alpha.base > 0.0;
    let first = |wanted: &dyn Fn(&Layer) -> bool| material.layers.iter().position(wanted);
    let solid = first(&|layer| shown(layer) && !is_effect(layer.blend));
    (solid.or_else(|| first(&shown)).or_else(|| first(&visible)).unwrap_or(0), false)
}

/// How the alpha of a layer counts. `see_through`: nothing of the same material is below it.
fn alpha_mode(mesh: &Mesh, layer: &Layer, alpha: f32, see_through: bool) -> &'static str {
    let fades = |value: &Animated<f32>| {
        value.track.iter().flat_map(|track| &track.values).any(|value| *value > 0.01 && *value < 0.99)
    };
    let fading = fades(&mesh.alpha) || fades(&layer.alpha) || fades(&layer.color_alpha);
    match layer.blend {
        // Always hidden: every viewer leaves out what fails the test.
        _ if alpha <= 0.0 => "MASK",
        Blend::AlphaKey if !fading && alpha >= 0.99 && !layer.alpha_below => "MASK",
        Blend::AlphaKey | Blend::Opaque if !fading && alpha >= 0.99 => "OPAQUE",
        _ if !see_through && !fading && alpha >= 0.99 => "OPAQUE",
        _ => "BLEND",
    }
}

/// Whether a name only counts: `Material 0`, `Geoset 3`. Files of the same game all have it.
pub(super) fn is_generic(name: &str) -> bool {
    let (word, number) = name.rsplit_once(' ').unwrap_or((name, "0"));
    matches!(word, "" | "Material" | "Geoset" | "Mesh" | "Submesh")
        && number.bytes().all(|it| it.is_ascii_digit())
}

impl Builder<'_> {
    /// What a layer shows: the stem of its texture's name, or what the game puts in its place.
    fn shows(&self, layer: &Layer) -> Option<String> {
        self.scene.textures.get(self.rest_texture(layer.texture(Role::Base)?)?).map(texture_stem)
    }

    /// The texture that is shown at rest: the picture of a flipbook, if there is one.
    fn rest_texture(&self, texture: &LayerTexture) -> Option<Id<Texture>> {
        let picture = texture.flipbook.as_ref().map(|track| Id::new(self.sampler.track(track, &self.rest)));
        picture.or(texture.texture)
    }

    /// What the game puts in the place of a layer's texture at rest.
    fn replaceable(&self, layer: &Layer) -> Option<Replaceable> {
        self.scene.textures.get(self.rest_texture(layer.texture(Role::Base)?)?)?.replaceable
    }

    /// The material of a mesh.
    pub(super) fn material(
        &mut self,
        id: Id<Mesh>,
        mesh: &Mesh,
        textures: &mut dyn Textures,
    ) -> Option<MaterialRef> {
        let material_id = mesh.material?;
        let material = self.scene.materials.get(material_id)?;
        let plain = |value: &Animated<f32>| !value.is_animated() && value.base == 1.0;
        let own = !plain(&mesh.alpha) || mesh.color.is_animated() || mesh.color.base != [1.0; 3];
        let key = (material_id.index(), mesh.uvs.len().min(2), has_tangents(mesh));
        if !own && let Some(known) = self.materials.shared.get(&key) {
            return Some(known.clone());
        }
        let scene = self.scene;
        let (layer_index, over_team) = self.layer_to_show(mesh, material);
        let empty = Layer::default();
        let layer = material.layers.get(layer_index).unwrap_or(&empty);
        let (object, transform) = self.build(mesh, material, layer, over_team, textures);
        let shows = self.shows(layer);
        let generic = shows.is_some() && !self.scene.name.is_empty();
        let own_name = Some(material.name.as_str()).filter(|name| !is_generic(name) || !generic);
        let name = own_name.or(shows.as_deref()).unwrap_or("Material").to_owned();
        let name = self.unique("material", &name, "Material");
        let mut object = Object::default().with("name", name).with_all(object);
        object.set("extras", describe::material(material, material_id.index(), scene));
        self.materials.list.push(object.clone());
        let index = self.materials.list.len() - 1;
        let mut made = MaterialRef { index, variants: Vec::new() };
        let team = self
            .replaceable(layer)
            .is_some_and(|it| matches!(it, Replaceable::TeamColor | Replaceable::TeamGlow));
        if team && !self.options.draft && self.options.team_variants {
            made.variants = self.team_variants(&object);
        }
        self.materials.uses.push(MaterialUse {
            index,
            mesh: own.then_some(id),
            material: material_id,
            layer: layer_index,
            transform,
            lit_texture: is_lit_texture(&object),
            white: is_white(&object),
            paint: self.paint(layer),
        });
        if !own {
            self.materials.shared.insert(key, made.clone());
        }
        if material.layers.len() > 1 {
            self.report.approximated(
                format!("materials[{}]", material_id.index()),
                format!(
                    "{} layers: layer {layer_index} drives the look, all are in extras",
                    material.layers.len()
                ),
            );
        }
        let animates = self.options.animate_materials && !self.options.draft;
        if changes_color(mesh, layer) && !animates {
            self.report.approximated(
                format!("materials[{}]", material_id.index()),
                "colour or alpha over time is in extras: many programs cannot open files that animate it",
            );
        } else if is_lit_texture(&object) && !self.options.lit_colors && changes_color(mesh, layer) {
            self.report.approximated(
                format!("materials[{}]", material_id.index()),
                "colour or alpha over time is in extras: Blender cannot open it on lit textures",
            );
        }
        if is_effect(layer.blend) {
            self.report.approximated(
                format!("materials[{}]", material_id.index()),
                format!("blend mode {} became BLEND; the exact mode is in extras", layer.blend.name()),
            );
        }
        Some(made)
    }

    /// The layer of a mesh that determines the appearance, and whether the player's colour is below it.
    fn layer_to_show(&self, mesh: &Mesh, material: &Material) -> (usize, bool) {
        let replaceable = |layer: &Layer| self.replaceable(layer);
        let Some(moment) = self.showcase(mesh, &material.layers) else {
            // Never drawn: the layers alone decide.
            let opaque = |layer: &Layer| {
                let alphas = [&layer.alpha, &layer.color_alpha];
                alphas.map(|alpha| self.sampler.value(alpha, &self.rest)).iter().product::<f32>() > 0.0
            };
            return driving_layer(material, replaceable, opaque, |_| true);
        };
        let shown = |layer: &Layer| self.scene.alpha_rule.draws(self.layer_alpha(mesh, layer, &moment));
        let ever = |layer: &Layer| self.showcase(mesh, std::slice::from_ref(layer)).is_some();
        driving_layer(material, replaceable, shown, ever)
    }

    /// The player's colour in linear space, where a layer shows it.
    fn paint(&self, layer: &Layer) -> Option<[f32; 3]> {
        let shows = matches!(self.replaceable(layer), Some(Replaceable::TeamColor | Replaceable::TeamGlow));
        let number = self.options.team_color.filter(|_| shows)?;
        Some(team::color(usize::from(number)).map(|value| linear(f32::from(value) / 255.0)))
    }

    /// Colour and alpha of a layer of a mesh, in the games' space, and the moment at which it has them.
    fn shown_color(&self, mesh: &Mesh, layer: &Layer) -> ([f32; 3], f32, Moment) {
        let moment = self.showcase(mesh, std::slice::from_ref(layer)).unwrap_or(self.rest);
        let mut alpha = self.layer_alpha(mesh, layer, &moment);
        if alpha <= 0.0 {
            // In nothing that is written: the material is that of any animation that shows it.
            let most = |value: &Animated<f32>| {
                let values = value.track.iter().flat_map(|track| &track.values);
                values.fold(self.sampler.value(value, &moment), |most, it| most.max(*it))
            };
            alpha = most(&mesh.alpha) * most(&layer.alpha) * most(&layer.color_alpha);
        }
        let [r, g, b] = self.sampler.value(&mesh.color, &moment);
        let [lr, lg, lb] = self.sampler.value(&layer.color, &moment);
        ([r * lr, g * lg, b * lb], alpha, moment)
    }

    /// A copy of the material for every player.
    fn team_variants(&mut self, object: &Object) -> Vec<usize> {
        self.materials.has_variants = true;
        let mut variants = Vec::with_capacity(team::COLORS.len());
        for (color, name) in team::COLORS.iter().zip(team::NAMES.map(capital)) {
            let [r, g, b] = color.map(|value| linear(f32::from(value) / 255.0));
            let mut copy = object.clone();
            for (key, value) in &mut copy.0 {
                match (key.as_ref(), value) {
                    ("name", Json::Text(text)) => text.push_str(&format!(" ({name})")),
                    ("pbrMetallicRoughness", Json::Object(pbr)) => pbr.set("baseColorFactor", [r, g, b, 1.0]),
                    _ => {}
                }
            }
            copy.0.retain(|(key, _)| key != "extras");
            self.materials.list.push(copy);
            variants.push(self.materials.list.len() - 1);
        }
        variants
    }

    fn build(
        &mut self,
        mesh: &Mesh,
        material: &Material,
        layer: &Layer,
        over_team: bool,
        textures: &mut dyn Textures,
    ) -> (Object, Option<Id<TextureTransform>>) {
        let (color, alpha, moment) = self.shown_color(mesh, layer);
        let [r, g, b] = color.map(linear);
        let mut factor = [r, g, b, alpha.clamp(0.0, 1.0)];
        let base = layer.texture(Role::Base);
        let replaceable = self.replaceable(layer);
        let team = self.options.team_color.map(|number| team::color(usize::from(number)));
        if let Some([r, g, b]) = self.paint(layer) {
            factor = [r, g, b, factor[3]];
        }
        let mut pbr = Object::default();
        if factor != [1.0; 4] {
            pbr.set("baseColorFactor", factor);
        }
        let see_through = !(over_team && layer.blend == Blend::Alpha);
        let mode = alpha_mode(mesh, layer, alpha, see_through);
        let threshold = if layer.alpha_test > 0.0 { layer.alpha_test } else { 0.5 };
        let cut = (mode == "MASK" && alpha > 0.0 && self.options.textures)
            .then(|| effigy_image::to_byte(threshold));
        let mask = layer.texture(Role::Orm).and_then(|it| it.texture).filter(|_| material.physical);
        let purpose = match (team, layer.blend, cut) {
            (Some(color), ..) if material.physical && mask.is_some() => Purpose::Painted { color, cut },
            (Some(color), ..) if over_team => Purpose::ColorOver(color),
            (_, Blend::Add, _) => Purpose::Glow { by_alpha: false },
            (_, Blend::AddAlpha, _) => Purpose::Glow { by_alpha: true },
            (_, Blend::Modulate, _) => Purpose::Shade { twice: false },
            (_, Blend::Modulate2x, _) => Purpose::Shade { twice: true },
            (.., Some(threshold)) => Purpose::CutOut(threshold),
            _ => Purpose::Color,
        };
        let plain_team =
            team.is_some() && replaceable == Some(Replaceable::TeamColor) && !is_effect(layer.blend);
        let base = base.filter(|_| !plain_team);
        let glows = matches!(layer.blend, Blend::Add | Blend::AddAlpha);
        let mut object = Object::default();
        let mut transform = None;
        if let Some(info) = base.and_then(|it| self.texture_info(mesh, it, purpose, mask, textures)) {
            transform = base.and_then(|it| it.transform).filter(|_| !self.options.draft);
            if glows && self.options.draft {
                // Without the extension for unlit materials a glow is light of its own.
                let [r, g, b, a] = factor;
                pbr.set("baseColorFactor", [0.0, 0.0, 0.0, a]);
                object.set("emissiveTexture", info.clone());
                object.set("emissiveFactor", [r, g, b]);
            }
            pbr.set("baseColorTexture", info);
        }
        if base.is_some_and(|it| it.flipbook.is_some()) {
            self.report.approximated(
                material.name.clone(),
                "a flipbook shows its first picture; the order is in extras",
            );
        }
        if material.physical {
            if let Some(info) = layer
                .texture(Role::Orm)
                .and_then(|it| self.texture_info(mesh, it, Purpose::Material, None, textures))
            {
                pbr.set("metallicRoughnessTexture", info);
            } else {
                pbr.set("metallicFactor", 0.0);
            }
        } else {
            pbr.set("metallicFactor", 0.0);
            pbr.set("roughnessFactor", 1.0);
        }
        object.set("pbrMetallicRoughness", pbr);
        if material.physical {
            if !has_tangents(mesh) {
                self.report
                    .dropped(material.name.clone(), "a normal map without tangents; it is named in extras");
            } else if let Some(info) = layer
                .texture(Role::Normal)
                .and_then(|it| self.texture_info(mesh, it, Purpose::Normal, None, textures))
            {
                object.set("normalTexture", info);
            }
            let gain = self.sampler.value(&layer.emissive_gain, &moment).clamp(0.0, 1.0);
            if gain > 0.0
                && let Some(info) = layer
                    .texture(Role::Emissive)
                    .and_then(|it| self.texture_info(mesh, it, Purpose::Emissive, None, textures))
            {
                object.set("emissiveTexture", info);
                object.set("emissiveFactor", [gain; 3]);
            }
        }
        if layer.alpha_below {
            self.report.approximated(
                material.name.clone(),
                "a test that hides high alpha is left out; its limit is in extras",
            );
        }
        let animates = self.options.animate_materials && !self.options.draft;
        if mode == "OPAQUE" && layer.unlit && changes_color(mesh, layer) && animates {
            // Blender 5 cannot animate the colour of an unlit opaque material; a test that all pass looks the same.
            object.set("alphaMode", "MASK");
            object.set("alphaCutoff", 0.0);
        } else if mode != "OPAQUE" {
            object.set("alphaMode", mode);
        }
        if mode == "MASK" {
            object.set("alphaCutoff", if cut.is_some() { 0.5 } else { threshold });
        }
        if layer.two_sided {
            object.set("doubleSided", true);
        }
        if (layer.unlit || is_effect(layer.blend)) && !self.options.draft {
            self.extension("KHR_materials_unlit");
            object.set("extensions", Object::default().with("KHR_materials_unlit", Object::default()));
        }
        (object, transform)
    }

    /// A reference to a texture with its coordinates; none when the mesh has no coordinates for it.
    fn texture_info(
        &mut self,
        mesh: &Mesh,
        texture: &LayerTexture,
        purpose: Purpose,
        mask: Option<Id<Texture>>,
        textures: &mut dyn Textures,
    ) -> Option<Object> {
        let set = match texture.coordinates {
            Coordinates::Set(set) if (set as usize) < mesh.uvs.len() => set,
            _ => 0,
        };
        if mesh.uvs.is_empty() {
            return None;
        }
        let index = self.texture(self.rest_texture(texture)?, purpose, mask, textures)?;
        let mut info = Object::default().with("index", index);
        if set > 0 {
            info.set("texCoord", set);
        }
        if !matches!(texture.coordinates, Coordinates::Set(_)) {
            self.report.approximated("materials", "reflected texture coordinates became those of the mesh");
        }
        if let Some(transform) = texture.transform.and_then(|id| self.scene.texture_transforms.get(id)) {
            let parts = self.rest_transform(transform);
            if !self.options.draft {
                let (offset, rotation, scale) = parts;
                self.extension("KHR_texture_transform");
                let parts =
                    Object::default().with("offset", offset).with("rotation", rotation).with("scale", scale);
                info.set("extensions", Object::default().with("KHR_texture_transform", parts));
            } else if parts != ([0.0; 2], 0.0, [1.0; 2]) {
                self.report.dropped(
                    "materials",
                    "textures that are moved, turned or scaled: plain glTF has no such thing",
                );
            }
        }
        Some(info)
    }

    /// Offset, rotation and scale of a texture where nothing plays.
    pub(super) fn rest_transform(&self, transform: &TextureTransform) -> ([f32; 2], f32, [f32; 2]) {
        let ([tx, ty, _], [_, _, z, w], [sx, sy, _]) = (
            self.sampler.value(&transform.translation, &self.rest),
            self.sampler.value(&transform.rotation, &self.rest).0,
            self.sampler.value(&transform.scale, &self.rest),
        );
        texture_parts(transform.order, [tx, ty], 2.0 * z.atan2(w), [sx, sy])
    }
}

#[cfg(test)]
mod tests;
