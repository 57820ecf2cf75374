//! Which parts of a character are shown: one of each group, as the game shows somebody who wears nothing.

use super::Lowering;
use std::collections::{BTreeMap, BTreeSet};

/// The texture of a body, which only characters and creatures that dress like them have.
const BODY: u32 = 1;
/// Groups that a character model has at least; other models have a few.
const GROUPS: usize = 4;
/// Ears are shown by the second part of their group; in all others the first is the plain one.
const EARS: u32 = 7;
/// Groups without which a part of the body would be missing: hands, feet, ears, sleeves, trousers.
const BODY_GROUPS: [u32; 5] = [4, 5, EARS, 8, 13];

/// The part that is shown of each group of a character, by the numbers of all its parts.
fn chosen(parts: &BTreeSet<u32>) -> BTreeSet<u32> {
    let mut groups: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for part in parts.iter().filter(|part| **part > 0) {
        groups.entry(part / 100).or_default().push(*part);
    }
    let mut shown = BTreeSet::from([0]);
    for (group, parts) in groups {
        let wanted = match group {
            // The first hair style is a bald head; the next is what a new character has, if there is one.
            0 => 2,
            EARS => 702,
            group => group * 100 + 1,
        };
        let needed = group == 0 || BODY_GROUPS.contains(&group);
        let part = parts.iter().find(|part| **part == wanted).or(if needed { parts.first() } else { None });
        shown.extend(part);
    }
    shown
}

impl Lowering<'_> {
    /// Hides the parts of a character that it would have to wear, and all hair styles but one.
    pub(super) fn geosets(&mut self) {
        let has_body = self.model.textures.iter().any(|texture| texture.kind == BODY);
        let parts: BTreeSet<u32> = self.scene.meshes.as_slice().iter().map(|mesh| mesh.part).collect();
        let groups: BTreeSet<u32> = parts.iter().map(|part| part / 100).filter(|group| *group > 0).collect();
        if !has_body || groups.len() < GROUPS {
            return;
        }
        let shown = chosen(&parts);
        let mut hidden = 0_usize;
        for mesh in self.scene.meshes.as_mut_slice() {
            if mesh.shown && !shown.contains(&mesh.part) {
                mesh.shown = false;
                hidden += 1;
            }
        }
        if hidden > 0 {
            self.report.approximated(
                "submeshes",
                format!("{hidden} are parts that the character does not wear, or other hair styles; they are hidden"),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_part_of_each_group_is_shown() {
        let parts = BTreeSet::from([
            0, 1, 2, 3, 12, 101, 102, 201, 301, 401, 402, 403, 501, 502, 702, 701, 802, 803, 1002, 1101,
            1102, 1301, 1302, 1502, 1503,
        ]);
        let expected = BTreeSet::from([0, 2, 101, 201, 301, 401, 501, 702, 802, 1101, 1301]);
        assert_eq!(chosen(&parts), expected);
        assert_eq!(chosen(&BTreeSet::from([0, 1])), BTreeSet::from([0, 1]));
        assert_eq!(chosen(&BTreeSet::from([5, 6])), BTreeSet::from([0, 5]));
    }
}
