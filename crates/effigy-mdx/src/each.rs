//! Everything of one kind in a model, to be changed: nodes, and tracks with their owners.

use crate::chunks::ChunkKind;
use crate::model::Model;
use crate::records::{Geoset, Node};
use crate::track::{Track, Tracks};

impl Model {
    /// Calls `each` for every node with the chunk that it is stored in, in the order of [`Model::nodes`].
    pub fn each_node_mut(&mut self, mut each: impl FnMut(ChunkKind, &mut Node)) {
        let lists = &mut self.lists;
        lists.bones.iter_mut().for_each(|it| each(ChunkKind::Bones, &mut it.node));
        lists.lights.iter_mut().for_each(|it| each(ChunkKind::Lights, &mut it.node));
        lists.helpers.iter_mut().for_each(|it| each(ChunkKind::Helpers, &mut it.node));
        lists.attachments.iter_mut().for_each(|it| each(ChunkKind::Attachments, &mut it.node));
        lists.particle_emitters.iter_mut().for_each(|it| each(ChunkKind::ParticleEmitters, &mut it.node));
        lists.particle_emitters_2.iter_mut().for_each(|it| each(ChunkKind::ParticleEmitters2, &mut it.node));
        lists.popcorn_emitters.iter_mut().for_each(|it| each(ChunkKind::PopcornEmitters, &mut it.node));
        lists.ribbon_emitters.iter_mut().for_each(|it| each(ChunkKind::RibbonEmitters, &mut it.node));
        lists.event_objects.iter_mut().for_each(|it| each(ChunkKind::EventObjects, &mut it.node));
        lists.collision_shapes.iter_mut().for_each(|it| each(ChunkKind::CollisionShapes, &mut it.node));
        lists.hit_test_shapes.iter_mut().for_each(|it| each(ChunkKind::HitTestShapes, &mut it.node));
    }

    /// Calls `each` for the tracks of every record, those of nodes included. Event times, and textures of slots, which are
    /// single tracks, are not among them.
    pub fn each_tracks_mut(&mut self, mut each: impl FnMut(&mut Tracks)) {
        self.each_node_mut(|_, node| each(&mut node.tracks));
        let lists = &mut self.lists;
        for material in &mut lists.materials {
            material.layers.iter_mut().for_each(|layer| each(&mut layer.tracks));
        }
        lists.texture_animations.iter_mut().for_each(|it| each(&mut it.tracks));
        lists.geoset_animations.iter_mut().for_each(|it| each(&mut it.tracks));
        lists.lights.iter_mut().for_each(|it| each(&mut it.tracks));
        lists.attachments.iter_mut().for_each(|it| each(&mut it.tracks));
        lists.particle_emitters.iter_mut().for_each(|it| each(&mut it.tracks));
        lists.particle_emitters_2.iter_mut().for_each(|it| each(&mut it.tracks));
        lists.popcorn_emitters.iter_mut().for_each(|it| each(&mut it.tracks));
        lists.ribbon_emitters.iter_mut().for_each(|it| each(&mut it.tracks));
        lists.cameras.iter_mut().for_each(|it| each(&mut it.tracks));
    }

    /// Calls `each` for the single tracks of texture slots.
    pub fn each_slot_track_mut(&mut self, mut each: impl FnMut(&mut Option<Track>)) {
        for layer in self.lists.materials.iter_mut().flat_map(|material| &mut material.layers) {
            layer.slots.iter_mut().for_each(|slot| each(&mut slot.track));
        }
    }

    /// Calls `each` for the times of every event with the global sequence that they follow, or -1.
    pub fn each_event_mut(&mut self, mut each: impl FnMut(i32, &mut Vec<i32>)) {
        for event in &mut self.lists.event_objects {
            if let Some(track) = &mut event.track {
                each(track.global_sequence, &mut track.times);
            }
        }
    }
}

impl Geoset {
    /// The entries of the matrix list that each vertex follows: those of its matrix group, or those of its skin weights
    /// that are not zero.
    #[must_use]
    pub fn entries_of_vertices(&self) -> Vec<Vec<u32>> {
        if let Some(skin) = self.skin.as_ref().filter(|skin| !skin.is_empty()) {
            let entry = |bone: u16| {
                self.group_nodes.get(usize::from(bone)).copied().unwrap_or_else(|| u32::from(bone))
            };
            return skin.iter().map(|(bones, weights)| weighted(bones, weights, entry)).collect();
        }
        if self.vertex_groups.is_empty() && !self.bone_weights.is_empty() {
            let rows = self.influences().into_iter();
            return rows
                .map(|(bones, weights)| weighted(bones.map(u16::from), weights.map(u16::from), u32::from))
                .collect();
        }
        let groups: Vec<&[u32]> = self.groups().collect();
        self.vertex_groups
            .iter()
            .map(|group| groups.get(usize::from(*group)).map_or(Vec::new(), |nodes| nodes.to_vec()))
            .collect()
    }
}

fn weighted(bones: [u16; 4], weights: [u16; 4], entry: impl Fn(u16) -> u32) -> Vec<u32> {
    bones.iter().zip(weights).filter(|(_, weight)| *weight > 0).map(|(bone, _)| entry(*bone)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Skin;

    #[test]
    fn vertices_follow_the_entries_of_their_groups_or_weights() {
        let mut geoset = Geoset {
            vertices: vec![[0.0; 3]; 2],
            vertex_groups: vec![1, 0],
            group_sizes: vec![1, 2],
            group_nodes: vec![7, 8, 9],
            ..Geoset::default()
        };
        assert_eq!(geoset.entries_of_vertices(), [vec![8, 9], vec![7]]);
        // Weights of Reforged count entries of the list; what has no entry counts nodes.
        geoset.skin = Some(Skin::Narrow(vec![[2, 0, 5, 1, 100, 55, 100, 0], [1, 0, 0, 0, 255, 0, 0, 0]]));
        assert_eq!(geoset.entries_of_vertices(), [vec![9, 7, 5], vec![8]]);
        geoset.skin = None;
        // Weights of World of Warcraft alpha are there without groups. They are stored backwards.
        geoset.vertex_groups.clear();
        geoset.bone_indices = vec![[3, 4, 5, 6], [2, 0, 0, 0]];
        geoset.bone_weights = vec![[0, 0, 55, 200], [0, 0, 0, 255]];
        assert_eq!(geoset.entries_of_vertices(), [vec![3, 4], vec![2]]);
        // Groups are used where there are any, and a skin without rows does not count.
        geoset.vertex_groups = vec![1, 0];
        assert_eq!(geoset.entries_of_vertices(), [vec![8, 9], vec![7]]);
        geoset.skin = Some(Skin::Narrow(vec![]));
        assert_eq!(geoset.entries_of_vertices(), [vec![8, 9], vec![7]]);
    }
}
