//! Textures and materials that are there twice.

use super::super::refs;
use effigy_mdx::{Model, Texture};

/// The last number of a replaceable texture that every model may have; those above are skins, trees and other choices of the game.
const TEAM_GLOW: u32 = 2;

/// Lets every reference use the first of equal textures and materials, and removes the others; returns how many.
pub(super) fn merge(model: &mut Model) -> usize {
    // Reforged models use one number for the colours, normals and gloss of a replaced texture, each with a texture of its own.
    let is_plain = |texture: &Texture| texture.replaceable <= TEAM_GLOW;
    let (map, keep) = firsts(&model.textures, is_plain);
    let textures = gone(&keep);
    if textures > 0 {
        refs::textures(model, &map);
        refs::retain(&mut model.textures, &keep);
    }
    let (map, keep) = firsts(&model.materials, |_| true);
    let materials = gone(&keep);
    if materials > 0 {
        refs::materials(model, &map);
        refs::retain(&mut model.materials, &keep);
    }
    textures + materials
}

fn gone(keep: &[Option<usize>]) -> usize {
    keep.iter().filter(|new| new.is_none()).count()
}

/// The new position of every element's first equal, and the new position of the first ones alone.
fn firsts<T: PartialEq>(list: &[T], may_go: impl Fn(&T) -> bool) -> (Vec<Option<usize>>, Vec<Option<usize>>) {
    let first: Vec<usize> = list
        .iter()
        .enumerate()
        .map(|(index, item)| {
            let first = list.iter().position(|other| other == item);
            first.filter(|_| may_go(item)).unwrap_or(index)
        })
        .collect();
    let keep: Vec<bool> = first.iter().enumerate().map(|(index, first)| index == *first).collect();
    let positions = refs::positions(&keep);
    let map = first.iter().map(|first| positions.get(*first).copied().flatten()).collect();
    (map, positions)
}
