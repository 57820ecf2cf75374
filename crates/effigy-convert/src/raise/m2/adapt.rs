//! A scene changed to World of Warcraft's units, timeline and looks.

use super::fixtures::number;
use super::sequences::{self, Plan};
use crate::raise::looks::world;
use crate::raise::objects::{self, ObjectNames};
use crate::raise::{RaiseOptions, RaisedTexture, kept, keys, scale, timeline, units};
use effigy_m2::Caps;
use effigy_scene::{Billboard, Blend, Event, NodeRule, Scene, TurnRule, ValidScene, validate};
use effigy_wire::{Report, Result};
use std::borrow::Cow;

/// What the writer gets.
pub(super) struct Adapted {
    pub scene: ValidScene,
    pub plan: Plan,
    pub textures: Vec<RaisedTexture>,
    /// Old and new names of sequences.
    pub names: Vec<(String, Option<String>)>,
    /// Old and new names of attachments and events.
    pub objects: ObjectNames,
    /// The scene came from an M2 model.
    pub native: bool,
}

pub(super) fn adapt(
    source: &ValidScene,
    options: &RaiseOptions,
    caps: Caps,
    report: &mut Report,
) -> Result<Adapted> {
    let native = units::format(source) == "m2" && source.node_rule == NodeRule::World;
    let named = if native {
        objects::Named { scene: Cow::Borrowed(source), objects: ObjectNames::unchanged(source) }
    } else {
        objects::by_name(source, &options.names, objects::Game::World, report)?
    };
    let source = &*named.scene;
    let (mut scene, by) = scale::into_game(source, options, units::Unit::Yard, native);
    let mut textures = Vec::new();
    if !native {
        if source.node_rule == NodeRule::Warcraft {
            depth(&mut scene);
        }
        node_rules(&mut scene, report);
        if timeline::is_world(&scene) {
            attachments(&mut scene, options);
        }
        kept::textures(&mut scene, source, &options.names, report);
        let folder = folder(&scene, options);
        textures = world::looks(&mut scene, &folder, units::format(source) == "wow-alpha-mdx", report);
    }
    let scene = validate(scene)?;
    let (mut plan, names) = sequences::plan(&scene, options, caps, native, report);
    plan.scale = by;
    let twice = |event: &Event| event.times.windows(2).filter(|pair| pair.first() == pair.last()).count();
    let twice: usize = scene.events.as_slice().iter().map(twice).sum();
    if twice > 0 {
        report.dropped("events", format!("{twice} happen a second time at the same moment"));
    }
    let turns = if caps.contains(Caps::NESTED) { TurnRule::Nlerp } else { TurnRule::Slerp };
    let target = keys::KeyTarget { turns, splines: false, quarters: false, game: "World of Warcraft" };
    let options = RaiseOptions { keep_keys: options.keep_keys || native, ..options.clone() };
    let scene = keys::retimed(&scene, &plan.clips, &options, target, report)?;
    Ok(Adapted { scene: validate(scene)?, plan, textures, names, objects: named.objects, native })
}

/// Warcraft III's transparent layers never write depth; those of World of Warcraft do, unless a flag says otherwise, and would hide
/// what is drawn after them.
fn depth(scene: &mut Scene) {
    let layers = scene.materials.as_mut_slice().iter_mut().flat_map(|material| &mut material.layers);
    for layer in layers.filter(|layer| !matches!(layer.blend, Blend::Opaque | Blend::AlphaKey)) {
        layer.no_depth_write = true;
    }
}

/// Gives attachments the names that the user chose, and leaves out those without one.
fn attachments(scene: &mut Scene, options: &RaiseOptions) {
    let chosen = &options.names.attachments;
    let all = std::mem::take(&mut scene.attachments).into_iter();
    scene.attachments = all
        .filter_map(|mut attachment| {
            if let Some(name) = chosen.get(&attachment.name) {
                attachment.name.clone_from(name);
                attachment.number = number(name).unwrap_or(attachment.number);
            }
            (!attachment.name.is_empty()).then_some(attachment)
        })
        .collect();
}

/// Where textures are placed, as the model names it: in a folder of its own among the creatures, unless one was chosen.
fn folder(scene: &Scene, options: &RaiseOptions) -> String {
    if options.texture_folder != RaiseOptions::default().texture_folder {
        return options.texture_folder.clone();
    }
    let safe = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '_' | '-') { c } else { '_' };
    let name: String = scene.name.chars().map(safe).take(64).collect();
    format!("Creature\\{}", if name.is_empty() { "Imported" } else { &name })
}

/// Reports nodes whose flags mean something else in World of Warcraft.
fn node_rules(scene: &mut Scene, report: &mut Report) {
    let (mut odd, mut turned, mut anchored, mut gated) = (0_usize, 0_usize, 0_usize, 0_usize);
    for node in scene.nodes.as_mut_slice() {
        let moves = node.translation.is_animated() || node.rotation.is_animated();
        odd += usize::from(scene.node_rule == NodeRule::Warcraft && node.ignore.any() && moves);
        turned += usize::from(scene.node_rule == NodeRule::Warcraft && node.billboard != Billboard::None);
        anchored += usize::from(std::mem::take(&mut node.camera_anchored));
        gated += usize::from(node.gate.take().is_some());
    }
    for (count, what) in [
        (odd, "nodes ignore something of their parents, which World of Warcraft does in another order"),
        (turned, "billboards: the games turn those that are locked to an axis in slightly different ways"),
    ] {
        if count > 0 {
            report.approximated("nodes", format!("{count} {what}"));
        }
    }
    for (count, what) in [
        (anchored, "keep their distance from the camera, which has no place"),
        (gated, "switch what they carry off with a mesh, which has no place"),
    ] {
        if count > 0 {
            report.dropped("nodes", format!("{count} {what}"));
        }
    }
    scene.node_rule = NodeRule::World;
}

#[cfg(test)]
mod tests;
