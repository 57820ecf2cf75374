//! Vertex groups from bones and weights, for all formats that store weights.

use effigy_scene::{Id, Influence, Skin};
use std::collections::HashMap;

/// Adds a group for each distinct row of bones and weights; vertices with equal rows share a group.
pub(crate) fn weighted(
    skin: &mut Skin,
    rows: impl Iterator<Item = ([u16; 4], [u16; 4])>,
    node: impl Fn(u16) -> Option<Id<effigy_scene::Node>>,
) {
    let mut known: HashMap<([u16; 4], [u16; 4]), u32> = HashMap::new();
    let mut last = None;
    for row in rows {
        let group = match last {
            Some((before, group)) if before == row => group,
            _ => *known.entry(row).or_insert_with(|| {
                let (bones, weights) = row;
                skin.push_group(bones.into_iter().zip(weights).filter(|(_, weight)| *weight > 0).filter_map(
                    |(bone, weight)| Some(Influence { node: node(bone)?, weight: f32::from(weight) / 255.0 }),
                ))
            }),
        };
        last = Some((row, group));
        skin.vertex_groups.push(group);
    }
}
