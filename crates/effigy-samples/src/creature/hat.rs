//! A hat to wear: the sample that is put onto the others.

use super::math::Z;
use super::shape::Builder;
use super::texture::{self, atlas, slot};
use super::{Attachment, Blend, Creature, Layer, Material, Node, Sequence};

/// The hat, in the units of the creature: its origin is the middle of the brim, 48 wide, and it is 30 high. One point, on top,
/// can carry another hat.
#[must_use]
pub fn hat() -> Creature {
    let (_, textures) = texture::materials();
    let node = |name, parent, pivot| Node { name, parent, pivot, ..Node::default() };
    let layer = Layer { texture: 0, blend: Blend::Opaque, unshaded: false, animation: None };
    Creature {
        name: "LanternHat",
        nodes: vec![node("Hat", None, [0.0; 3]), node("Overhead Ref", Some(0), [0.0, 0.0, 30.0])],
        meshes: vec![mesh()],
        materials: vec![Material { layers: vec![layer], two_sided: false }],
        textures: textures.into_iter().skip(slot::ATLAS).take(1).collect(),
        team_stand_in: texture::team_stand_in(),
        team_painted: texture::team_painted(),
        sequences: vec![Sequence {
            name: "Stand",
            start: 0,
            end: 1000,
            move_speed: 0.0,
            looping: true,
            rarity: 0.0,
        }],
        global_sequences: Vec::new(),
        texture_animations: Vec::new(),
        attachments: vec![Attachment { node: 1, id: 0 }],
        lights: Vec::new(),
        smoke: Vec::new(),
        ribbons: Vec::new(),
        cameras: Vec::new(),
        events: Vec::new(),
        collisions: Vec::new(),
    }
}

/// Below the brim, its edge, its top, the crown with a band, and the lid.
fn mesh() -> super::Mesh {
    let mut b = Builder::new("Hat", 0);
    let patches: [(_, [[f32; 2]; 2]); 6] = [
        (atlas::LEG, [[0.0, 0.0], [0.0, 24.0]]),
        (atlas::IRON, [[0.0, 24.0], [2.0, 24.0]]),
        (atlas::LEG, [[2.0, 24.0], [2.0, 14.0]]),
        (atlas::BRASS, [[2.0, 14.0], [8.0, 14.0]]),
        (atlas::LEG, [[8.0, 14.0], [30.0, 15.0]]),
        (atlas::LEG, [[30.0, 15.0], [30.0, 0.0]]),
    ];
    for (area, profile) in patches {
        b.lathe(12, area, &[0], ([0.0; 3], Z), &profile);
    }
    b.finish()
}
