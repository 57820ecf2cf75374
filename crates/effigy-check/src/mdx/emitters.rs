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
    MDX6001 "emitter path is not a model" Error for EVERY => model_path;
    /// The emitter refers to a texture that does not exist; the game reads beyond its list and may crash.
    MDX6002 "emitter refers to a missing texture" Error for EVERY => no_texture;
    /// The game has no replaceable texture with this number (1 team colour, 2 team glow, 11 cliff, 21 shadow, 31 to 37 trees).
    MDX6003 "emitter with an unknown replaceable texture" Error for EVERY => replaceable;
    /// Particle filter modes are 0 to 4. With another number, how the game blends the particles is not known.
    MDX6004 "unknown particle filter mode" Warning for EVERY => filter_mode;
    /// Flat particles (XY quads) are oriented by their velocity: without speed or latitude they are not visible.
    MDX6005 "flat particles without speed" Severe for EVERY => flat_without_speed;
    /// The middle of a particle's life is given as a fraction of the life span, from 0 to 1. With another value, the game computes
    /// wrong colours and sizes.
    MDX6006 "middle of life outside 0 to 1" Severe for EVERY => time_middle;
    /// A squirting emitter only emits when its emission rate changes. Without a track for the rate it emits nothing.
    MDX6007 "squirt without emission track" Severe for EVERY => squirt;
    /// The visibility guide states in which sequences the effect plays; without it, the effect never plays. `Always=on` is usual.
    MDX6008 "popcorn emitter without guide" Severe for EVERY => no_guide;
    /// The life span of particles or edges must not be negative.
    MDX6009 "negative life span" Error for EVERY => negative_life;
    /// The texture is divided into rows and columns of cells; with 0 rows or columns, the game divides by zero.
    MDX6010 "texture without cells" Error for EVERY => no_cells;
    /// The ribbon refers to a material that does not exist; the game reads beyond its list and may crash.
    MDX6011 "ribbon refers to a missing material" Error for EVERY => ribbon_material;
}

fn model_path(model: &Facts<'_>, found: &mut Findings) {
    // In WoW alpha the emitter may show a texture instead.
    let warcraft = model.dialect() == Dialect::Warcraft3;
    for (index, emitter) in model.particle_emitters.iter().enumerate().filter(|_| warcraft) {
        if !ends_with(emitter.path.text_bytes(), &[".mdl", ".mdx"]) {
            found.add(
                format!("PREM[{index}].path"),
                format!("\"{}\" is not a .mdl or .mdx file", emitter.path),
            );
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
            found.add(
                format!("PRE2[{index}].texture"),
                format!("texture {} does not exist, there are {count}", emitter.texture),
            );
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
                format!("{} is not between 0 and 1", emitter.time_middle),
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
            found.add(
                format!("CORN[{index}].visibility_guide"),
                "the guide is empty, so that the effect never plays",
            );
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
            let message =
                format!("material {} does not exist, there are {count}", ribbon.material.cast_signed());
            found.add(format!("RIBB[{index}].material"), message);
        }
    }
}
