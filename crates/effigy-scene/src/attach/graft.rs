//! Grafting: a model that another model spawns becomes part of its scene.
//!
//! The copy keeps its meshes, particles, ribbons and textures. Its cameras, lights, attachments and events are left out, and
//! so is what it would spawn itself, so a model that spawns itself cannot spawn without end.

use super::{Clip, Play, merge};
use crate::{Animated, Id, Node, Scene};

/// Where and when a copy is part of a scene.
#[derive(Clone, Debug)]
pub struct Graft {
    /// The node that carries it. The copy's origin is located at the node's origin.
    pub node: Id<Node>,
    /// When it plays its first sequence.
    pub play: Play,
    /// Above 0: it is visible.
    pub visibility: Animated<f32>,
}

/// Adds a copy of a model to a scene.
pub fn graft(scene: &mut Scene, model: &Scene, graft: &Graft) {
    let child = Scene {
        cameras: Default::default(),
        lights: Default::default(),
        attachments: Default::default(),
        effects: Default::default(),
        shapes: Default::default(),
        ..model.clone()
    };
    let first = child.sequences.as_slice().first();
    let mut clip = first.map_or_else(Clip::default, |first| Clip::new(0, first, true));
    clip.length = clip.length.max(1);
    merge(scene, graft.node, child, clip, graft.play, |copy| {
        for layer in copy.materials.as_mut_slice().iter_mut().flat_map(|material| &mut material.layers) {
            // Formats whose models are spawned leave the second factor of alpha at 1.
            layer.color_alpha = graft.visibility.clone();
        }
        for emitter in copy.emitters.as_mut_slice() {
            if !emitter.visibility.is_animated() && emitter.visibility.base > 0.0 {
                emitter.visibility = graft.visibility.clone();
            }
        }
    });
}
