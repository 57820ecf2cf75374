//! Grafting: a model that another model spawns becomes part of its scene.
//!
//! The copy keeps its meshes, particles, ribbons and textures. Its cameras, lights, attachments and events are left out, and
//! so is what it would spawn itself, so a model that spawns itself is no danger.

use crate::validate::walk::{each_animated, each_track};
use crate::{Animated, GlobalSequence, Id, Influence, Node, Scene, Skin, Track};

/// When the copy plays its first sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Play {
    /// Again and again, on a clock of its own.
    Loop,
    /// Once, from this millisecond of the timeline on, but not beyond the second.
    Once([i32; 2]),
}

/// Where and when a copy is part of a scene.
#[derive(Clone, Debug)]
pub struct Graft {
    /// The node that carries it. The copy's origin is located at the node's origin.
    pub node: Id<Node>,
    /// When it plays.
    pub play: Play,
    /// Above 0: it is visible.
    pub visibility: Animated<f32>,
}

/// What changes in each track of the copy.
struct Retime {
    /// First and last millisecond of the sequence that plays.
    window: [i32; 2],
    play: Play,
    /// The clock of a loop.
    clock: Id<GlobalSequence>,
    /// Global sequences that the scene had before.
    globals: u32,
}

fn moved<T>(id: Id<T>, by: u32) -> Id<T> {
    Id::new(u32::try_from(id.index()).unwrap_or(u32::MAX).saturating_add(by))
}

fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

fn retime_animated<T: Copy>(retime: &Retime, list: &str, i: usize, field: &str, value: &mut Animated<T>) {
    if let Some(track) = &mut value.track {
        retime_track(retime, list, i, field, track);
        if track.is_empty() {
            value.base = track.default;
            value.track = None;
        }
    }
}

fn retime_track<T: Copy>(retime: &Retime, _: &str, _: usize, _: &str, track: &mut Track<T>) {
    if let Some(global) = &mut track.global {
        *global = moved(*global, retime.globals);
        return;
    }
    let [start, end] = retime.window;
    let (shift, last) = match retime.play {
        Play::Loop => (start.saturating_neg(), i32::MAX),
        Play::Once([from, until]) => (from.saturating_sub(start), until),
    };
    let of_first = track.windows.first().map(|[first, last]| *first as usize..=*last as usize);
    let time = |at: usize| track.times.get(at).map(|time| time.saturating_add(shift));
    let kept: Vec<usize> = (0..track.len())
        .filter(|at| match &of_first {
            Some(range) => range.contains(at),
            None => track.times.get(*at).is_some_and(|time| (start..=end).contains(time)),
        })
        .filter(|at| time(*at).is_some_and(|time| time <= last))
        .collect();
    let times = kept.iter().filter_map(|at| time(*at)).collect();
    let values = kept.iter().filter_map(|at| track.values.get(*at).copied()).collect();
    let tangents = kept.iter().filter_map(|at| track.tangents.get(*at).copied()).collect();
    (track.times, track.values, track.tangents) = (times, values, tangents);
    track.windows.clear();
    track.global = (retime.play == Play::Loop).then_some(retime.clock);
}

/// Adds a copy of a model to a scene.
pub fn graft(scene: &mut Scene, model: &Scene, graft: &Graft) {
    let mut part = Scene {
        cameras: Default::default(),
        lights: Default::default(),
        attachments: Default::default(),
        effects: Default::default(),
        ..model.clone()
    };
    let window = part.sequences.as_slice().first().map_or([0, 0], |first| [first.start, first.end]);
    let length = u32::try_from(window[1].saturating_sub(window[0])).unwrap_or(0).max(1);
    let globals = count(scene.global_sequences.len());
    let clock = moved(Id::new(globals), count(part.global_sequences.len()));
    let retime = Retime { window, play: graft.play, clock, globals };
    each_animated!(part, as_mut_slice, [mut], retime_animated, &retime);
    each_track!(part, as_mut_slice, [mut], retime_track, &retime);
    part.global_sequences.push(GlobalSequence { length });

    let nodes = count(scene.nodes.len());
    let meshes = count(scene.meshes.len());
    let materials = count(scene.materials.len());
    let textures = count(scene.textures.len());
    let transforms = count(scene.texture_transforms.len());
    for mut node in part.nodes {
        node.parent = Some(node.parent.map_or(graft.node, |parent| moved(parent, nodes)));
        node.gate = node.gate.map(|mesh| moved(mesh, meshes));
        scene.nodes.push(node);
    }
    for mut mesh in part.meshes {
        mesh.material = mesh.material.map(|id| moved(id, materials));
        mesh.sort = mesh.sort.map(|sort| crate::SortPoint { node: moved(sort.node, nodes), ..sort });
        match &mut mesh.skin {
            Some(skin) => {
                skin.influences
                    .iter_mut()
                    .for_each(|influence| influence.node = moved(influence.node, nodes));
                follow_all(skin, graft.node);
            }
            None => {
                let mut skin = Skin::default();
                let group = skin.push_group([Influence { node: graft.node, weight: 1.0 }]);
                skin.vertex_groups = vec![group; mesh.positions.len()];
                mesh.skin = Some(skin);
            }
        }
        scene.meshes.push(mesh);
    }
    for mut material in part.materials {
        for layer in &mut material.layers {
            // Formats whose models are spawned leave the second factor of alpha at 1.
            layer.color_alpha = graft.visibility.clone();
            for texture in &mut layer.textures {
                texture.texture = texture.texture.map(|id| moved(id, textures));
                texture.transform = texture.transform.map(|id| moved(id, transforms));
                if let Some(book) = &mut texture.flipbook {
                    book.values.iter_mut().for_each(|index| *index = index.saturating_add(textures));
                }
            }
        }
        scene.materials.push(material);
    }
    for mut emitter in part.emitters {
        emitter.node = moved(emitter.node, nodes);
        emitter.texture = emitter.texture.map(|id| moved(id, textures));
        if !emitter.visibility.is_animated() && emitter.visibility.base > 0.0 {
            emitter.visibility = graft.visibility.clone();
        }
        scene.emitters.push(emitter);
    }
    for mut ribbon in part.ribbons {
        ribbon.node = moved(ribbon.node, nodes);
        ribbon.material = ribbon.material.map(|id| moved(id, materials));
        scene.ribbons.push(ribbon);
    }
    part.textures.into_iter().for_each(|texture| _ = scene.textures.push(texture));
    part.texture_transforms.into_iter().for_each(|it| _ = scene.texture_transforms.push(it));
    part.global_sequences.into_iter().for_each(|it| _ = scene.global_sequences.push(it));
}

/// Lets vertices that follow nothing follow the node of the copy: otherwise they would stay at the scene's origin.
fn follow_all(skin: &mut Skin, node: Id<Node>) {
    if skin.groups.iter().all(|[start, end]| start < end) {
        return;
    }
    let at = count(skin.influences.len());
    skin.influences.push(Influence { node, weight: 1.0 });
    for group in &mut skin.groups {
        let [start, end] = *group;
        if start >= end {
            *group = [at, at + 1];
        }
    }
}
