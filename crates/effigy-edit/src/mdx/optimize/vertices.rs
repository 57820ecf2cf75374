//! Vertices without a triangle, and vertices that are equal in everything.

use super::super::refs;
use effigy_mdx::{Geoset, Primitive, Skin};
use std::collections::HashMap;

/// Removes them from a geoset of triangles whose lists agree; returns how many.
pub(super) fn merge(geoset: &mut Geoset) -> usize {
    let count = geoset.vertices.len();
    let agrees = |length: usize| length == count;
    let plain = geoset.primitive_types.iter().all(|kind| *kind == Primitive::TRIANGLES.0)
        && agrees(geoset.normals.len())
        && geoset.uv_sets.iter().all(|set| agrees(set.len()))
        && (geoset.vertex_groups.is_empty() || agrees(geoset.vertex_groups.len()))
        && geoset.tangents.as_ref().is_none_or(|list| agrees(list.len()))
        && geoset.skin.as_ref().is_none_or(|skin| agrees(skin.len()))
        // The bones of WoW alpha are in an order of their own.
        && geoset.bone_indices.is_empty()
        && geoset.bone_weights.is_empty()
        && geoset.indices.iter().all(|index| usize::from(*index) < count);
    if !plain {
        return 0;
    }
    let mut used = vec![false; count];
    for index in &geoset.indices {
        if let Some(used) = used.get_mut(usize::from(*index)) {
            *used = true;
        }
    }
    let mut known: HashMap<Vec<u32>, usize> = HashMap::new();
    let mut first: Vec<usize> = Vec::with_capacity(count);
    let mut keep = Vec::with_capacity(count);
    for (index, used) in used.iter().enumerate() {
        let same = if *used { *known.entry(key(geoset, index)).or_insert(index) } else { index };
        first.push(same);
        keep.push(*used && same == index);
    }
    let gone = keep.iter().filter(|keep| !**keep).count();
    // A geoset without any triangle is left alone.
    if gone == 0 || gone == count {
        return 0;
    }
    let positions = refs::positions(&keep);
    let target = |old: u16| {
        let first = first.get(usize::from(old))?;
        u16::try_from(positions.get(*first).copied().flatten()?).ok()
    };
    geoset.indices.iter_mut().for_each(|index| *index = target(*index).unwrap_or(*index));
    refs::retain(&mut geoset.vertices, &positions);
    refs::retain(&mut geoset.normals, &positions);
    geoset.uv_sets.iter_mut().for_each(|set| refs::retain(set, &positions));
    refs::retain(&mut geoset.vertex_groups, &positions);
    geoset.tangents.iter_mut().for_each(|list| refs::retain(list, &positions));
    match &mut geoset.skin {
        Some(Skin::Narrow(rows)) => refs::retain(rows, &positions),
        Some(Skin::Wide(rows)) => refs::retain(rows, &positions),
        None => {}
    }
    gone
}

/// Everything that a vertex has, as bits.
fn key(geoset: &Geoset, index: usize) -> Vec<u32> {
    let mut key: Vec<u32> = Vec::new();
    let mut floats = |list: &[f32]| key.extend(list.iter().map(|value| value.to_bits()));
    geoset.vertices.get(index).into_iter().for_each(|value| floats(value));
    geoset.normals.get(index).into_iter().for_each(|value| floats(value));
    geoset.uv_sets.iter().filter_map(|set| set.get(index)).for_each(|value| floats(value));
    geoset.tangents.iter().filter_map(|list| list.get(index)).for_each(|value| floats(value));
    key.extend(geoset.vertex_groups.get(index).map(|group| u32::from(*group)));
    match &geoset.skin {
        Some(Skin::Narrow(rows)) => {
            key.extend(rows.get(index).into_iter().flatten().map(|value| u32::from(*value)))
        }
        Some(Skin::Wide(rows)) => {
            key.extend(rows.get(index).into_iter().flatten().map(|value| u32::from(*value)))
        }
        None => {}
    }
    key
}
