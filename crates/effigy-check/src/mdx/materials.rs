//! Textures, materials and their layers.

use super::Facts;
use super::nodes::{dangles, hides};
use super::objects::ends_with;
use crate::findings::Findings;
use crate::rule::{EVERY, rules};
use effigy_mdx::{Caps, Dialect, FilterMode, Layer};
use std::collections::BTreeSet;
use std::fmt;

rules! { Mdx
    /// The game reads textures from `.blp`, `.tga`, `.tif` and `.dds` files; another extension usually means a corrupted path. The
    /// surface is drawn without the texture.
    MDX5001 "texture path is not a texture" Severe for EVERY => texture_extension;
    /// The game has no replaceable texture with this number (1 team colour, 2 team glow, 11 cliff, 21 shadow, 31 to 37 trees); it crashes or
    /// draws black.
    MDX5002 "unknown replaceable texture" Error for EVERY => replaceable;
    /// The texture has both a path and a replaceable number. The game uses only one of them, usually the replaceable texture. Clear the
    /// other.
    MDX5003 "path and replaceable texture" Warning for EVERY => path_and_replaceable;
    /// The texture has neither a path nor a replaceable number, so that the game has nothing to draw.
    MDX5004 "texture without path" Error for EVERY => neither;
    /// The model has materials, but no textures for them.
    MDX5005 "no textures" Warning for EVERY => no_textures;
    /// The game has the shaders `Shader_SD_FixedFunction` and `Shader_HD_DefaultUnit`; how it draws others is not known.
    MDX5006 "unknown shader" Warning for EVERY => unknown_shader;
    /// A material without layers draws nothing.
    MDX5007 "material without layers" Warning for EVERY => no_layers;
    /// A mesh is drawn with a material that has no layer; the game accesses the first one and crashes.
    MDX5008 "mesh drawn without a layer" Error for EVERY => drawn_without_layer;
    /// The clients blend layers by filter modes 0 to 6. One description of Reforged names 7 `Fallback`, but 7 is the number of modes
    /// in the client of World of Warcraft alpha, and no known file uses it. How a game draws 7 and larger numbers is not known.
    MDX5009 "filter mode without a known effect" Warning for EVERY => filter_mode;
    /// The layer refers to a texture that does not exist; the game reads beyond its list and may crash.
    MDX5010 "layer refers to a missing texture" Error for EVERY => no_texture;
    /// The layer refers to a texture animation that does not exist; the game reads beyond its list and may crash.
    MDX5011 "layer refers to a missing texture animation" Error for EVERY => no_texture_animation;
    /// From version 1100 on the textures of a layer are in slots 0 to 5 (diffuse, normal, ORM, emissive, team colour, environment), each
    /// used at most once. The game ignores other slots.
    MDX5012 "unknown or repeated texture slot" Warning for EVERY => slots;
    /// The layer uses a set of texture coordinates that the mesh does not have, so that its texture is smeared or missing.
    MDX5013 "texture coordinates missing" Severe for EVERY => coordinates;
}

/// The replaceable textures of Warcraft III.
pub(super) const REPLACEABLE: [u32; 12] = [0, 1, 2, 11, 21, 31, 32, 33, 34, 35, 36, 37];

fn texture_extension(model: &Facts<'_>, found: &mut Findings) {
    for (index, texture) in model.textures.iter().enumerate().filter(|(_, one)| !one.path.is_empty()) {
        if !ends_with(texture.path.text_bytes(), &[".blp", ".tga", ".tif", ".dds"]) {
            found.add(
                format!("TEXS[{index}].path"),
                format!("\"{}\" is not a .blp, .tga, .tif or .dds file", texture.path),
            );
        }
    }
}

fn replaceable(model: &Facts<'_>, found: &mut Findings) {
    if model.dialect() != Dialect::Warcraft3 {
        return;
    }
    for (index, texture) in model.textures.iter().enumerate() {
        if !REPLACEABLE.contains(&texture.replaceable) {
            found.add(
                format!("TEXS[{index}].replaceable"),
                format!("replaceable texture {}", texture.replaceable),
            );
        }
    }
}

fn path_and_replaceable(model: &Facts<'_>, found: &mut Findings) {
    for (index, texture) in model.textures.iter().enumerate() {
        if texture.replaceable != 0 && !texture.path.is_empty() {
            let message = format!("\"{}\" and replaceable texture {}", texture.path, texture.replaceable);
            found.add(format!("TEXS[{index}].path"), message);
        }
    }
}

fn neither(model: &Facts<'_>, found: &mut Findings) {
    for (index, texture) in model.textures.iter().enumerate() {
        if texture.replaceable == 0 && texture.path.is_empty() {
            found.add(format!("TEXS[{index}]"), "neither a path nor a replaceable texture");
        }
    }
}

fn no_textures(model: &Facts<'_>, found: &mut Findings) {
    if model.textures.is_empty() && !model.materials.is_empty() && !hides(model, b"TEXS") {
        found.add("", "the model has materials and no textures");
    }
}

fn unknown_shader(model: &Facts<'_>, found: &mut Findings) {
    if !model.caps().contains(Caps::SHADER_NAME) {
        return;
    }
    let known = ["", "Shader_SD_FixedFunction", "Shader_HD_DefaultUnit"];
    for (index, material) in model.materials.iter().enumerate() {
        if !known.iter().any(|shader| material.shader == **shader) {
            found.add(format!("MTLS[{index}].shader"), format!("\"{}\"", material.shader));
        }
    }
}

fn no_layers(model: &Facts<'_>, found: &mut Findings) {
    for (index, _) in model.materials.iter().enumerate().filter(|(_, material)| material.layers.is_empty()) {
        found.add(format!("MTLS[{index}].layers"), "the material has no layers and draws nothing");
    }
}

fn drawn_without_layer(model: &Facts<'_>, found: &mut Findings) {
    for (index, geoset) in model.geosets.iter().enumerate() {
        let material = model.materials.get(geoset.material as usize);
        if material.is_some_and(|material| material.layers.is_empty()) {
            found
                .add(format!("GEOS[{index}].material"), format!("material {} has no layer", geoset.material));
        }
    }
}

/// The path of a layer: the indices of material and layer.
#[derive(Clone, Copy)]
struct LayerPath(usize, usize);

impl fmt::Display for LayerPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(material, layer) = self;
        write!(f, "MTLS[{material}].layers[{layer}]")
    }
}

fn layers<'a>(model: &'a Facts<'_>) -> impl Iterator<Item = (LayerPath, &'a Layer)> {
    model.materials.iter().enumerate().flat_map(|(material, one)| {
        one.layers.iter().enumerate().map(move |(index, layer)| (LayerPath(material, index), layer))
    })
}

fn filter_mode(model: &Facts<'_>, found: &mut Findings) {
    for (path, layer) in layers(model).filter(|(_, layer)| layer.filter_mode.0 > FilterMode::MODULATE_2X.0) {
        let name = if layer.filter_mode == FilterMode::FALLBACK { " (Fallback)" } else { "" };
        found.add(format!("{path}.filter_mode"), format!("filter mode {}{name}", layer.filter_mode.0));
    }
}

fn no_texture(model: &Facts<'_>, found: &mut Findings) {
    let count = model.textures.len();
    let slots = model.caps().contains(Caps::TEXTURE_SLOTS);
    if hides(model, b"TEXS") {
        return;
    }
    for (path, layer) in layers(model) {
        let animated = layer.tracks.get(effigy_mdx::track::tags::KMTF).is_some_and(|track| !track.is_empty());
        let names_none = layer.texture == -1 && !animated && model.dialect() == Dialect::Warcraft3;
        if !slots && (dangles(layer.texture, count) || names_none) {
            found.add(
                format!("{path}.texture"),
                format!("texture {} does not exist, there are {count}", layer.texture),
            );
        }
        for (index, slot) in layer.slots.iter().enumerate().filter(|(_, slot)| dangles(slot.texture, count)) {
            found.add(
                format!("{path}.slots[{index}].texture"),
                format!("texture {} does not exist, there are {count}", slot.texture),
            );
        }
    }
}

fn no_texture_animation(model: &Facts<'_>, found: &mut Findings) {
    let count = model.texture_animations.len();
    if hides(model, b"TXAN") {
        return;
    }
    for (path, layer) in layers(model).filter(|(_, layer)| dangles(layer.texture_animation, count)) {
        let message =
            format!("texture animation {} does not exist, there are {count}", layer.texture_animation);
        found.add(format!("{path}.texture_animation"), message);
    }
}

fn slots(model: &Facts<'_>, found: &mut Findings) {
    for (path, layer) in layers(model) {
        let mut seen = BTreeSet::new();
        for (index, slot) in layer.slots.iter().enumerate() {
            let twice = !seen.insert(slot.slot);
            if slot.slot > 5 || twice {
                let message =
                    format!("slot {}{}", slot.slot, if twice { " for the second time" } else { "" });
                found.add(format!("{path}.slots[{index}].slot"), message);
            }
        }
    }
}

fn coordinates(model: &Facts<'_>, found: &mut Findings) {
    for (index, geoset) in model.geosets.iter().enumerate().filter(|(_, geoset)| !geoset.vertices.is_empty())
    {
        let Some(material) = model.materials.get(geoset.material as usize) else { continue };
        let sets = geoset.uv_sets.len();
        if let Some(layer) = material.layers.iter().find(|layer| dangles(layer.coordinates, sets)) {
            let message =
                format!("material {} uses set {}, there are {sets}", geoset.material, layer.coordinates);
            found.add(format!("GEOS[{index}].uv_sets"), message);
        }
    }
}
