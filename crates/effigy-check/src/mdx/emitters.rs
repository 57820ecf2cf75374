//! Particles and ribbons.

use super::Facts;
use super::nodes::{dangles, hides};
use super::objects::ends_with;
use crate::findings::Findings;
use crate::rule::{EVERY, rules};
use effigy_mdx::track::tags;
use effigy_mdx::{Dialect, NodeFlags, ParticleFilter};

rules! { Mdx
    /// Each particle of such an emitter is a model, whose path must end in `.mdl` or `.mdx`; the game fails on anything else.
    MDX6001 "emitter path is no model" Error for EVERY => model_path;
    /// The emitter names a texture that is not there.
    MDX6002 "emitter names no texture" Error for EVERY => no_texture;
    /// The game has no texture of this number to put in (1 team colour, 2 team glow, 11 cliff, 21 shadow, 31 to 37 trees).
    MDX6003 "emitter with an unknown replaceable texture" Error for EVERY => replaceable;
    /// The number for how particles are blended is none of 0 to 4.
    MDX6004 "unknown particle filter mode" Warning for EVERY => filter_mode;
    /// Particles that lie flat (XY quads) are turned by their speed: without speed or latitude they do not show.
    MDX6005 "flat particles without speed" Severe for EVERY => flat_without_speed;
    /// The middle of a particle's life is a part of it, from 0 to 1. Others break colour and size.
    MDX6006 "middle of life outside the life" Severe for EVERY => time_middle;
    /// A squirting emitter emits when its emission rate jumps. Without a track for the rate it emits nothing.
    MDX6007 "squirt without emission track" Severe for EVERY => squirt;
    /// The guide says in which sequences the effect plays; without it, it never does. `Always=on` is the usual one.
    MDX6008 "popcorn emitter without guide" Severe for EVERY => no_guide;
    /// A particle cannot live for less than no time.
    MDX6009 "negative life span" Error for EVERY => negative_life;
    /// The texture is cut into rows and columns of cells; with none of either, the game divides by zero.
    MDX6010 "texture cut into no cells" Error for EVERY => no_cells;
    /// The ribbon names a material that is not there.
    MDX6011 "ribbon names no material" Error for EVERY => ribbon_material;
}

fn model_path(model: &Facts<'_>, found: &mut Findings) {
    // In WoW alpha the emitter may show a picture instead.
    let warcraft = model.dialect() == Dialect::Warcraft3;
    for (index, emitter) in model.particle_emitters.iter().enumerate().filter(|_| warcraft) {
        if !ends_with(emitter.path.text_bytes(), &[".mdl", ".mdx"]) {
            found.add(format!("PREM[{index}].path"), format!("\"{}\" is no .mdl or .mdx", emitter.path));
        }
    }
}

fn no_texture(model: &Facts<'_>, found: &mut Findings) {
    let count = model.textures.len();
    if hides(model, b"TEXS") {
        return;
    }
    for (index, emitter) in model.particle_emitters_2.iter().enumerate() {
        let none = emitter.texture == -1 && model.dialect() == Dialect::Warcraft3;
        if none || dangles(emitter.texture, count) {
            found.add(format!("PRE2[{index}].texture"), format!("texture {} of {count}", emitter.texture));
        }
    }
}

fn replaceable(model: &Facts<'_>, found: &mut Findings) {
    if model.dialect() != Dialect::Warcraft3 {
        return;
    }
    for (index, emitter) in model.particle_emitters_2.iter().enumerate() {
        if !super::materials::REPLACEABLE.contains(&emitter.replaceable) {
            let message = format!("replaceable texture {}", emitter.replaceable);
            found.add(format!("PRE2[{index}].replaceable"), message);
        }
    }
}

fn filter_mode(model: &Facts<'_>, found: &mut Findings) {
    for (index, emitter) in model.particle_emitters_2.iter().enumerate() {
        if emitter.filter_mode.0 > ParticleFilter::ALPHA_KEY.0 {
            found.add(format!("PRE2[{index}].filter_mode"), format!("filter mode {}", emitter.filter_mode.0));
        }
    }
}

fn flat_without_speed(model: &Facts<'_>, found: &mut Findings) {
    if model.dialect() != Dialect::Warcraft3 {
        return;
    }
    for (index, emitter) in model.particle_emitters_2.iter().enumerate() {
        let moves = |value: f32, tag| value != 0.0 || emitter.tracks.get(tag).is_some();
        let still = !moves(emitter.speed, tags::KP2S) || !moves(emitter.latitude, tags::KP2L);
        if emitter.node.flags.contains(NodeFlags::XY_QUAD) && still {
            let message = format!("speed {}, latitude {}", emitter.speed, emitter.latitude);
            found.add(format!("PRE2[{index}].speed"), message);
        }
    }
}

fn time_middle(model: &Facts<'_>, found: &mut Findings) {
    for (index, emitter) in model.particle_emitters_2.iter().enumerate() {
        if !(0.0..=1.0).contains(&emitter.time_middle) {
            found.add(
                format!("PRE2[{index}].time_middle"),
                format!("{} is not in 0 to 1", emitter.time_middle),
            );
        }
    }
}

fn squirt(model: &Facts<'_>, found: &mut Findings) {
    for (index, emitter) in model.particle_emitters_2.iter().enumerate() {
        if emitter.squirt != 0 && emitter.tracks.get(tags::KP2E).is_none() {
            found.add(format!("PRE2[{index}].squirt"), "it has no track for the emission rate (KP2E)");
        }
    }
}

fn no_guide(model: &Facts<'_>, found: &mut Findings) {
    for (index, emitter) in model.popcorn_emitters.iter().enumerate() {
        if emitter.visibility_guide.is_empty() {
            found.add(format!("CORN[{index}].visibility_guide"), "it says in no sequence that it plays");
        }
    }
}

fn negative_life(model: &Facts<'_>, found: &mut Findings) {
    let first = model.particle_emitters.iter().enumerate().map(|(index, one)| ("PREM", index, one.life_span));
    let second =
        model.particle_emitters_2.iter().enumerate().map(|(index, one)| ("PRE2", index, one.life_span));
    let ribbons = model.ribbon_emitters.iter().enumerate().map(|(index, one)| ("RIBB", index, one.life_span));
    for (tag, index, life) in first.chain(second).chain(ribbons).filter(|(.., life)| *life < 0.0) {
        found.add(format!("{tag}[{index}].life_span"), format!("{life} seconds"));
    }
}

fn no_cells(model: &Facts<'_>, found: &mut Findings) {
    let emitters = model
        .particle_emitters_2
        .iter()
        .enumerate()
        .map(|(index, one)| ("PRE2", index, one.rows, one.columns));
    let ribbons =
        model.ribbon_emitters.iter().enumerate().map(|(index, one)| ("RIBB", index, one.rows, one.columns));
    for (tag, index, rows, columns) in emitters.chain(ribbons) {
        if rows == 0 || columns == 0 {
            found.add(format!("{tag}[{index}].rows"), format!("{rows} rows, {columns} columns"));
        }
    }
}

fn ribbon_material(model: &Facts<'_>, found: &mut Findings) {
    let count = model.materials.len();
    if hides(model, b"MTLS") {
        return;
    }
    for (index, ribbon) in model.ribbon_emitters.iter().enumerate() {
        if ribbon.material as usize >= count {
            let message = format!("material {} of {count}", ribbon.material.cast_signed());
            found.add(format!("RIBB[{index}].material"), message);
        }
    }
}
