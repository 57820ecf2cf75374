//! Meshes in conversions to other versions of Warcraft III: skin weights, levels of detail.

use super::drop_reforged_chunks;
use crate::model::Model;
use crate::records::{Geoset, Skin};
use crate::version::Caps;
use effigy_wire::{FixedStr, Report};
use std::collections::BTreeMap;

/// Skin weights in the width of the target.
pub(super) fn resize_skins(geosets: &mut [Geoset], to: Caps, report: &mut Report) {
    for (index, geoset) in geosets.iter_mut().enumerate() {
        let Some(skin) = &geoset.skin else { continue };
        geoset.skin = Some(if to.contains(Caps::WIDE_SKIN) {
            Skin::Wide(skin.widened())
        } else {
            Skin::Narrow(skin.narrowed().unwrap_or_else(|| {
                let message = "bones beyond 255 became bone 255, since older versions store bones as bytes";
                report.approximated(format!("GEOS[{index}].skin"), message);
                skin.widened()
                    .iter()
                    .map(|row| row.map(|number| u8::try_from(number).unwrap_or(u8::MAX)))
                    .collect()
            }))
        });
    }
}

/// Reduces meshes to what classic Warcraft III can show: the finest level of detail, matrix groups instead of weights.
pub(super) fn make_classic(model: &mut Model, report: &mut Report) {
    drop_coarse_levels(model, report);
    for (index, geoset) in model.lists.geosets.iter_mut().enumerate() {
        let path = format!("GEOS[{index}]");
        if geoset.lod != 0 {
            let message = format!("level of detail {}; classic meshes are always shown", geoset.lod);
            report.dropped(format!("{path}.lod"), message);
            geoset.lod = 0;
        }
        if !geoset.name.is_empty() {
            report.dropped(format!("{path}.name"), "classic meshes have no names");
            geoset.name = FixedStr::default();
        }
        if geoset.tangents.take().is_some() {
            report.dropped(format!("{path}.tangents"), "classic meshes have no tangents");
        }
        if let Some(skin) = geoset.skin.take() {
            into_groups(geoset, &skin);
            report.approximated(
                format!("{path}.skin"),
                "weights became matrix groups, in which all bones have equal influence",
            );
        }
    }
    drop_reforged_chunks(model, report);
}

/// Classic Warcraft III would draw all levels at once.
fn drop_coarse_levels(model: &mut Model, report: &mut Report) {
    let coarse = |geoset: &Geoset| geoset.lod > 0;
    if !model.lists.geosets.iter().any(coarse) {
        return;
    }
    let mut next = 0;
    let mut places: Vec<i32> = Vec::with_capacity(model.lists.geosets.len());
    for (index, geoset) in model.lists.geosets.iter().enumerate() {
        if coarse(geoset) {
            report.dropped(
                format!("GEOS[{index}]"),
                format!("level of detail {}; only the finest is kept", geoset.lod),
            );
            places.push(-1);
        } else {
            places.push(next);
            next += 1;
        }
    }
    model.lists.geosets.retain(|geoset| !coarse(geoset));
    let place = |old: i32| usize::try_from(old).ok().and_then(|old| places.get(old).copied());
    let mut next = 0;
    let mut animation_places: Vec<i32> = Vec::with_capacity(model.lists.geoset_animations.len());
    model.lists.geoset_animations.retain_mut(|animation| {
        let new = place(animation.geoset);
        let stays = new != Some(-1);
        animation.geoset = new.unwrap_or(animation.geoset);
        animation_places.push(if stays { next } else { -1 });
        next += i32::from(stays);
        stays
    });
    for bone in &mut model.lists.bones {
        bone.geoset = place(bone.geoset).unwrap_or(bone.geoset);
        let old = usize::try_from(bone.geoset_animation).ok();
        let new = old.and_then(|old| animation_places.get(old).copied());
        bone.geoset_animation = new.unwrap_or(bone.geoset_animation);
    }
}

/// How many of the strongest bones come nearest to these weights, the strongest first, with an equal part each. Of two numbers that are
/// as near, the larger one.
fn nearest_count(weights: impl ExactSizeIterator<Item = u16> + Clone) -> usize {
    let total = weights.clone().map(f64::from).sum::<f64>();
    let off = |count: usize| {
        let part = total / count as f64;
        let each = weights.clone().map(f64::from).enumerate();
        each.map(|(at, weight)| if at < count { weight - part } else { weight }.powi(2)).sum::<f64>()
    };
    (1..=weights.len()).rev().min_by(|a, b| off(*a).total_cmp(&off(*b))).unwrap_or(0)
}

/// A group for each set of bones; the weakest bones are left out until 256 groups are enough.
fn into_groups(geoset: &mut Geoset, skin: &Skin) {
    for most in [4, 3, 2, 1] {
        let mut groups: BTreeMap<Vec<u32>, usize> = BTreeMap::new();
        let mut order: Vec<Vec<u32>> = Vec::new();
        let mut members = Vec::with_capacity(skin.len());
        for (bones, weights) in skin.iter() {
            let mut pairs: Vec<(u16, u16)> =
                weights.into_iter().zip(bones).filter(|(weight, _)| *weight > 0).collect();
            pairs.sort_by_key(|(weight, bone)| (std::cmp::Reverse(*weight), *bone));
            pairs.truncate(nearest_count(pairs.iter().map(|(weight, _)| *weight)).min(most));
            let mut nodes: Vec<u32> = pairs.into_iter().map(|(_, bone)| bone.into()).collect();
            nodes.sort_unstable();
            let next = groups.len();
            let group = *groups.entry(nodes.clone()).or_insert_with(|| {
                order.push(nodes);
                next
            });
            members.push(u8::try_from(group).unwrap_or(u8::MAX));
        }
        if order.len() <= 256 || most == 1 {
            geoset.vertex_groups = members;
            geoset.group_sizes = order.iter().map(|group| u32::try_from(group.len()).unwrap_or(0)).collect();
            geoset.group_nodes = order.into_iter().flatten().collect();
            return;
        }
    }
}
