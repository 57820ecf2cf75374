//! What nothing refers to.

use super::Facts;
use super::nodes::hides;
use crate::findings::Findings;
use crate::rule::{EVERY, rules};
use effigy_mdx::track::tags;
use std::collections::BTreeSet;

rules! { Mdx
    /// No layer or emitter uses this texture; it only takes memory in the game and space in the map.
    MDX7001 "unused texture" Unused for EVERY => textures;
    /// No mesh or ribbon is drawn with this material.
    MDX7002 "unused material" Unused for EVERY => materials;
    /// No layer uses this texture animation.
    MDX7003 "unused texture animation" Unused for EVERY => texture_animations;
    /// No track or event runs on this global sequence.
    MDX7004 "unused global sequence" Unused for EVERY => global_sequences;
}

fn report(found: &mut Findings, tag: &str, count: usize, used: &BTreeSet<usize>, what: &str) {
    for index in (0..count).filter(|index| !used.contains(index)) {
        found.add(format!("{tag}[{index}]"), format!("nothing uses {what} {index}"));
    }
}

fn index(number: i32) -> Option<usize> {
    usize::try_from(number).ok()
}

fn textures(model: &Facts<'_>, found: &mut Findings) {
    if hides(model, b"MTLS") || hides(model, b"PRE2") {
        return;
    }
    let mut used = BTreeSet::new();
    for layer in model.materials.iter().flat_map(|material| &material.layers) {
        if layer.slots.is_empty() {
            used.extend(index(layer.texture));
        }
        used.extend(layer.slots.iter().filter_map(|slot| index(slot.texture)));
    }
    used.extend(model.particle_emitters_2.iter().filter_map(|emitter| index(emitter.texture)));
    for at in model.tracks.iter().filter(|at| at.track.tag() == tags::KMTF) {
        used.extend(at.track.keys::<u32>().into_iter().flatten().map(|key| key.value as usize));
    }
    report(found, "TEXS", model.textures.len(), &used, "texture");
}

fn materials(model: &Facts<'_>, found: &mut Findings) {
    if hides(model, b"GEOS") || hides(model, b"RIBB") {
        return;
    }
    let plain = model.geosets.iter().map(|geoset| geoset.material as usize);
    let batched = model.batched_geosets.iter().map(|geoset| geoset.header.material as usize);
    let ribbons = model.ribbon_emitters.iter().map(|ribbon| ribbon.material as usize);
    let used = plain.chain(batched).chain(ribbons).collect();
    report(found, "MTLS", model.materials.len(), &used, "material");
}

fn texture_animations(model: &Facts<'_>, found: &mut Findings) {
    if hides(model, b"MTLS") {
        return;
    }
    let layers = model.materials.iter().flat_map(|material| &material.layers);
    let used = layers.filter_map(|layer| index(layer.texture_animation)).collect();
    report(found, "TXAN", model.texture_animations.len(), &used, "texture animation");
}

fn global_sequences(model: &Facts<'_>, found: &mut Findings) {
    if model.kept_chunks().any(|(.., known)| known) {
        return;
    }
    let tracks = model.tracks.iter().filter_map(|at| index(at.track.global_sequence));
    let events = model.event_objects.iter().filter_map(|event| event.track.as_ref());
    let used = tracks.chain(events.filter_map(|track| index(track.global_sequence))).collect();
    report(found, "GLBS", model.global_sequences.len(), &used, "global sequence");
}
