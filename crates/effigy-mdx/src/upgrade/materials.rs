//! Textures of layers: one per layer before 1100, several in slots from 1100 on.
//!
//! An HD material has six layers in 900 and 1000 (diffuse, normal, ORM, emissive, team colour, environment), of which
//! only the first has settings of its own in real files, and one layer with six slots from 1100 on.

use crate::records::{FilterMode, Layer, Material, ShaderKind, TextureSlot};
use crate::track::tags;
use crate::version::Caps;
use effigy_wire::{FixedStr, Report};

const HD_NAME: &str = "Shader_HD_DefaultUnit";
const SD_NAME: &str = "Shader_SD_FixedFunction";
const HD_LAYERS: usize = 6;
const DIFFUSE: u32 = 0;
const TEAM_COLOR: u32 = 4;

pub(super) fn into_slots(materials: &mut [Material], report: &mut Report) {
    for (index, material) in materials.iter_mut().enumerate() {
        into_slots_of(material, &format!("MTLS[{index}]"), report);
    }
}

fn into_slots_of(material: &mut Material, path: &str, report: &mut Report) {
    let hd = material.shader == HD_NAME;
    if material.shader == SD_NAME {
        report.rebuilt(format!("{path}.shader"), "the classic shader needs no name");
    } else if !hd && !material.shader.is_empty() {
        report.approximated(
            format!("{path}.shader"),
            format!("{:?} became the classic shader", material.shader),
        );
    }
    let kind = if hd { ShaderKind::HD } else { ShaderKind::SD };
    for layer in &mut material.layers {
        layer.slots = vec![take_texture(layer)];
        layer.shader = kind;
    }
    if hd && material.layers.len() == HD_LAYERS {
        merge(material, path, report);
    }
    material.shader = FixedStr::default();
}

/// HD materials of 900 and 1000 for the classic game, which would draw the normal map and all others over the diffuse texture: the
/// same as on the way over 1100.
pub(super) fn without_shaders(materials: &mut [Material], to: Caps, report: &mut Report) {
    let is_hd = |material: &&mut Material| material.shader == HD_NAME && material.layers.len() == HD_LAYERS;
    for (index, material) in materials.iter_mut().enumerate().filter(|(_, material)| is_hd(material)) {
        let path = format!("MTLS[{index}]");
        into_slots_of(material, &path, report);
        out_of_slots_of(material, &path, to, report);
    }
}

/// The layer's texture with its track, as a diffuse slot.
fn take_texture(layer: &mut Layer) -> TextureSlot {
    let track = layer.tracks.get(tags::KMTF).cloned();
    layer.tracks.remove(tags::KMTF);
    TextureSlot { texture: std::mem::take(&mut layer.texture), slot: DIFFUSE, track }
}

/// Six layers become one with six slots.
fn merge(material: &mut Material, path: &str, report: &mut Report) {
    let mut layers = std::mem::take(&mut material.layers).into_iter();
    let Some(mut first) = layers.next() else { return };
    for (index, mut layer) in layers.enumerate() {
        let number = u32::try_from(index).unwrap_or(0).saturating_add(1);
        for slot in &mut layer.slots {
            slot.slot = number;
        }
        first.slots.append(&mut layer.slots);
        layer.shader = ShaderKind::SD;
        if layer != Layer::default() {
            report.approximated(
                format!("{path}.layers[{number}]"),
                "its settings were replaced by those of the first layer",
            );
        }
    }
    material.layers = vec![first];
}

pub(super) fn out_of_slots(materials: &mut [Material], to: Caps, report: &mut Report) {
    for (index, material) in materials.iter_mut().enumerate() {
        out_of_slots_of(material, &format!("MTLS[{index}]"), to, report);
    }
}

fn out_of_slots_of(material: &mut Material, path: &str, to: Caps, report: &mut Report) {
    let names = to.contains(Caps::SHADER_NAME);
    let hd = material.layers.iter().any(|layer| layer.shader == ShaderKind::HD);
    if hd && names {
        material.shader = FixedStr::truncated(HD_NAME);
    }
    let layers = std::mem::take(&mut material.layers);
    for (index, layer) in layers.into_iter().enumerate() {
        let path = format!("{path}.layers[{index}]");
        match (layer.shader == ShaderKind::HD, names) {
            (true, true) => spread(layer, &mut material.layers),
            (true, false) => make_classic(layer, &path, &mut material.layers, report),
            (false, _) => material.layers.push(keep_diffuse(layer, &path, report)),
        }
    }
}

/// Puts a slot's texture and track into its layer.
fn with_texture(mut layer: Layer, slot: TextureSlot) -> Layer {
    layer.texture = slot.texture;
    if let Some(track) = slot.track {
        layer.tracks.set(track);
    }
    layer.slots.clear();
    layer.shader = ShaderKind::SD;
    layer
}

/// One HD layer becomes one layer per slot, in the order of the slots' purposes.
fn spread(mut layer: Layer, out: &mut Vec<Layer>) {
    let mut slots = std::mem::take(&mut layer.slots);
    slots.sort_by_key(|slot| slot.slot);
    let mut layers = slots.into_iter();
    match layers.next() {
        Some(first) => out.push(with_texture(layer, first)),
        None => out.push(Layer { shader: ShaderKind::SD, ..layer }),
    }
    out.extend(layers.map(|slot| with_texture(Layer::default(), slot)));
}

/// The diffuse texture over the team colour, as classic models do it.
fn make_classic(mut layer: Layer, path: &str, out: &mut Vec<Layer>, report: &mut Report) {
    let slots = std::mem::take(&mut layer.slots);
    let find = |wanted| slots.iter().find(|slot| slot.slot == wanted).cloned();
    let team = find(TEAM_COLOR).filter(|slot| slot.texture >= 0);
    let diffuse = find(DIFFUSE).or_else(|| slots.first().cloned()).unwrap_or_default();
    if let Some(team) = team {
        out.push(with_texture(Layer::default(), team));
        layer.filter_mode = FilterMode::BLEND;
    }
    let others =
        slots.iter().filter(|slot| !matches!(slot.slot, DIFFUSE | TEAM_COLOR) && slot.texture >= 0).count();
    if others > 0 {
        report.dropped(format!("{path}.slots"), format!("{others} textures of the HD shader"));
    }
    report.approximated(format!("{path}.shader"), "the HD shader became the classic one");
    out.push(with_texture(layer, diffuse));
}

fn keep_diffuse(mut layer: Layer, path: &str, report: &mut Report) -> Layer {
    let mut slots = std::mem::take(&mut layer.slots).into_iter();
    let diffuse =
        slots.next().unwrap_or_else(|| TextureSlot { texture: layer.texture, ..Default::default() });
    let others = slots.count();
    if others > 0 {
        report.dropped(format!("{path}.slots"), format!("{others} textures besides the first"));
    }
    if diffuse.slot != DIFFUSE {
        report.approximated(format!("{path}.slots[0]"), "its texture became the diffuse one");
    }
    with_texture(layer, diffuse)
}
