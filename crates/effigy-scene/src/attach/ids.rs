//! Numbers of a child's lists in the lists of its parent.

use super::CARRIER;
use crate::{
    GlobalSequence, Id, Layer, LayerTexture, Material, Mesh, Node, Scene, Texture, TextureTransform,
};

/// How far each list of the child moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shift {
    carrier: Id<Node>,
    nodes: u32,
    meshes: u32,
    materials: u32,
    textures: u32,
    transforms: u32,
    globals: u32,
}

fn moved<T>(id: Id<T>, by: u32) -> Id<T> {
    let index = u32::try_from(id.index()).unwrap_or(u32::MAX);
    Id::new(index.saturating_add(by))
}

impl Shift {
    pub fn between(scene: &Scene, carrier: Id<Node>) -> Self {
        let length = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
        Self {
            carrier,
            nodes: length(scene.nodes.len()),
            meshes: length(scene.meshes.len()),
            materials: length(scene.materials.len()),
            textures: length(scene.textures.len()),
            transforms: length(scene.texture_transforms.len()),
            globals: length(scene.global_sequences.len()),
        }
    }

    pub fn global(&self, id: Id<GlobalSequence>) -> Id<GlobalSequence> {
        moved(id, self.globals)
    }

    fn node(&self, id: &mut Id<Node>) {
        *id = if *id == CARRIER { self.carrier } else { moved(*id, self.nodes) };
    }

    fn mesh(&self, id: &mut Option<Id<Mesh>>) {
        *id = id.map(|id| moved(id, self.meshes));
    }

    fn material(&self, id: &mut Option<Id<Material>>) {
        *id = id.map(|id| moved(id, self.materials));
    }

    fn texture(&self, id: &mut Option<Id<Texture>>) {
        *id = id.map(|id| moved(id, self.textures));
    }

    fn transform(&self, id: &mut Option<Id<TextureTransform>>) {
        *id = id.map(|id| moved(id, self.transforms));
    }

    fn layer(&self, layer: &mut Layer) {
        for LayerTexture { texture, transform, flipbook, .. } in &mut layer.textures {
            self.texture(texture);
            self.transform(transform);
            // A flipbook's values are numbers of textures.
            if let Some(track) = flipbook {
                for value in track.values.iter_mut().chain([&mut track.default]) {
                    *value = value.saturating_add(self.textures);
                }
            }
        }
    }
}

/// Gives everything in the child the number that it will have in its parent. Times are left alone.
pub(super) fn shift(child: &mut Scene, by: &Shift) {
    for node in child.nodes.as_mut_slice() {
        let mut parent = node.parent.unwrap_or(CARRIER);
        by.node(&mut parent);
        node.parent = Some(parent);
        by.mesh(&mut node.gate);
    }
    for mesh in child.meshes.as_mut_slice() {
        by.material(&mut mesh.material);
        if let Some(skin) = &mut mesh.skin {
            skin.influences.iter_mut().for_each(|influence| by.node(&mut influence.node));
        }
        if let Some(sort) = &mut mesh.sort {
            by.node(&mut sort.node);
        }
    }
    for material in child.materials.as_mut_slice() {
        material.layers.iter_mut().for_each(|layer| by.layer(layer));
    }
    child.attachments.as_mut_slice().iter_mut().for_each(|it| by.node(&mut it.node));
    child.lights.as_mut_slice().iter_mut().for_each(|it| by.node(&mut it.node));
    child.effects.as_mut_slice().iter_mut().for_each(|it| by.node(&mut it.node));
    child.shapes.as_mut_slice().iter_mut().for_each(|it| by.node(&mut it.node));
    for emitter in child.emitters.as_mut_slice() {
        by.node(&mut emitter.node);
        by.texture(&mut emitter.texture);
    }
    for ribbon in child.ribbons.as_mut_slice() {
        by.node(&mut ribbon.node);
        by.material(&mut ribbon.material);
    }
}

/// Appends the lists of the child. Its cameras, sequences and events have no place in the parent.
pub(super) fn append(scene: &mut Scene, child: Scene) {
    fn all<T>(to: &mut crate::Arena<T>, from: crate::Arena<T>) {
        for item in from {
            to.push(item);
        }
    }
    all(&mut scene.nodes, child.nodes);
    all(&mut scene.meshes, child.meshes);
    all(&mut scene.materials, child.materials);
    all(&mut scene.textures, child.textures);
    all(&mut scene.texture_transforms, child.texture_transforms);
    all(&mut scene.attachments, child.attachments);
    all(&mut scene.lights, child.lights);
    all(&mut scene.emitters, child.emitters);
    all(&mut scene.ribbons, child.ribbons);
    all(&mut scene.effects, child.effects);
    all(&mut scene.shapes, child.shapes);
    all(&mut scene.global_sequences, child.global_sequences);
}
