//! A wind-up beetle with a lantern: the sample that is nice to look at.
//!
//! It is plain data, independent of any format: meshes, a skeleton, keyframes, textures, emitters. The module of each format
//! makes a file from it, and the tests of the renderer and the exporters use it too. All of it is computed; nothing is random
//! or depends on the machine.
//!
//! Units are Warcraft III's: about 160 high, X forward, Y left, Z up, times in milliseconds on one timeline.

mod animation;
mod effects;
mod hat;
pub(crate) mod math;
mod mesh;
mod moment;
mod noise;
mod pose;
mod shape;
mod skeleton;
mod texture;

use std::sync::OnceLock;

pub use effects::{Attachment, Camera, Collision, Event, Light, Ribbon, Smoke};
pub use hat::hat;
pub use moment::Place;
pub use texture::Picture;

/// The whole creature.
#[derive(Clone, Debug)]
pub struct Creature {
    /// Its name, also the stem of its files.
    pub name: &'static str,
    /// All nodes, parents before children. Bones come first, then the nodes of the lights, attachments, emitters, ribbons, events
    /// and collision shapes, in that order, which WoW alpha requires.
    pub nodes: Vec<Node>,
    /// The meshes, each with one material.
    pub meshes: Vec<Mesh>,
    /// The materials of the meshes.
    pub materials: Vec<Material>,
    /// The textures of the materials.
    pub textures: Vec<Texture>,
    /// A substitute for the player's colour, for formats that do not support it.
    pub team_stand_in: Picture,
    /// The metal already painted over that colour, for formats whose surfaces have one layer.
    pub team_painted: Picture,
    /// The animations: parts of the one timeline.
    pub sequences: Vec<Sequence>,
    /// Lengths in milliseconds of the loops that run independently of the sequences.
    pub global_sequences: Vec<u32>,
    /// Animations of texture coordinates.
    pub texture_animations: Vec<Track<[f32; 3]>>,
    /// Points that other models can be attached to.
    pub attachments: Vec<Attachment>,
    /// The lantern's light.
    pub lights: Vec<Light>,
    /// The exhaust pipes' smoke.
    pub smoke: Vec<Smoke>,
    /// The lantern's trail in an attack.
    pub ribbons: Vec<Ribbon>,
    /// The portrait's camera.
    pub cameras: Vec<Camera>,
    /// Sounds and footprints.
    pub events: Vec<Event>,
    /// Shapes for mouse clicks.
    pub collisions: Vec<Collision>,
}

/// One node of the skeleton. A node without tracks rests at its pivot.
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// Unique name.
    pub name: &'static str,
    /// Index of the parent in [`Creature::nodes`].
    pub parent: Option<usize>,
    /// The point that the node rotates around, in model space.
    pub pivot: [f32; 3],
    /// Always turned to the camera.
    pub billboard: bool,
    /// Translation from the pivot.
    pub translation: Track<[f32; 3]>,
    /// Rotation, as x, y, z, w.
    pub rotation: Track<[f32; 4]>,
    /// Scales per axis.
    pub scaling: Track<[f32; 3]>,
}

/// Interpolation between keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interpolation {
    /// The value jumps at the next key.
    Step,
    /// Linear.
    #[default]
    Linear,
    /// Cubic, with tangents.
    Hermite,
}

/// A value that changes over time. Without keys it does not change.
#[derive(Clone, Debug, Default)]
pub struct Track<T> {
    /// The interpolation between keys.
    pub interpolation: Interpolation,
    /// Index in [`Creature::global_sequences`] if it runs independently of the sequences.
    pub global_sequence: Option<usize>,
    /// Sorted by time.
    pub keys: Vec<Key<T>>,
}

/// One value at one time.
#[derive(Clone, Copy, Debug, Default)]
pub struct Key<T> {
    /// Milliseconds.
    pub time: u32,
    /// The value.
    pub value: T,
    /// Arriving tangent, for Hermite only.
    pub arrive: T,
    /// Leaving tangent, for Hermite only.
    pub leave: T,
}

impl<T> Track<T> {
    /// Whether it has no keys.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }
}

/// An animation.
#[derive(Clone, Copy, Debug)]
pub struct Sequence {
    /// Its name, as the game expects it.
    pub name: &'static str,
    /// First millisecond.
    pub start: u32,
    /// Last millisecond.
    pub end: u32,
    /// Units that it walks in a second.
    pub move_speed: f32,
    /// Whether it repeats.
    pub looping: bool,
    /// How rarely it is chosen among the variations of the same name.
    pub rarity: f32,
}

/// A mesh. The four lists of vertex data have the same length.
#[derive(Clone, Debug)]
pub struct Mesh {
    /// Its name.
    pub name: &'static str,
    /// Index in [`Creature::materials`].
    pub material: usize,
    /// Points in model space, in the rest pose.
    pub positions: Vec<[f32; 3]>,
    /// Unit normals.
    pub normals: Vec<[f32; 3]>,
    /// Texture coordinates, V down.
    pub uvs: Vec<[f32; 2]>,
    /// Which of `groups` moves the vertex.
    pub vertex_groups: Vec<u8>,
    /// Sets of nodes; a vertex follows the mean of them.
    pub groups: Vec<Vec<usize>>,
    /// Counter-clockwise seen from outside.
    pub triangles: Vec<[u16; 3]>,
    /// Visibility from 0 to 1 over time.
    pub alpha: Track<f32>,
    /// Red, green and blue factors over time.
    pub color: Track<[f32; 3]>,
}

impl Mesh {
    fn new(name: &'static str, material: usize) -> Self {
        Self {
            name,
            material,
            positions: Vec::new(),
            normals: Vec::new(),
            uvs: Vec::new(),
            vertex_groups: Vec::new(),
            groups: Vec::new(),
            triangles: Vec::new(),
            alpha: Track::default(),
            color: Track::default(),
        }
    }

    /// The number of the group with these nodes.
    fn group(&mut self, nodes: &[usize]) -> u8 {
        let at = self.groups.iter().position(|g| g == nodes).unwrap_or_else(|| {
            self.groups.push(nodes.to_vec());
            self.groups.len() - 1
        });
        u8::try_from(at).unwrap_or(u8::MAX)
    }
}

/// Layers from the lowest to the highest.
#[derive(Clone, Debug)]
pub struct Material {
    /// The layers.
    pub layers: Vec<Layer>,
    /// Whether both sides are visible.
    pub two_sided: bool,
}

/// How a layer is blended with what is below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blend {
    /// Opaque.
    Opaque,
    /// By alpha.
    Alpha,
    /// Additive.
    Add,
}

/// One layer of a material.
#[derive(Clone, Debug)]
pub struct Layer {
    /// Index in [`Creature::textures`].
    pub texture: usize,
    /// How it is blended.
    pub blend: Blend,
    /// Whether it is self-illuminated.
    pub unshaded: bool,
    /// Index in [`Creature::texture_animations`].
    pub animation: Option<usize>,
}

/// The texture of a layer.
#[derive(Clone, Debug)]
pub enum Texture {
    /// The player's colour.
    TeamColor,
    /// An image.
    Picture(Picture),
}

/// The creature. It is made on the first call; each call returns a copy.
#[must_use]
pub fn creature() -> Creature {
    static MADE: OnceLock<Creature> = OnceLock::new();
    MADE.get_or_init(make).clone()
}

fn make() -> Creature {
    let skeleton = skeleton::Skeleton::new();
    let (materials, textures) = texture::materials();
    let mut creature = Creature {
        name: "LanternBeetle",
        nodes: skeleton.nodes.clone(),
        meshes: mesh::meshes(&skeleton),
        materials,
        textures,
        team_stand_in: texture::team_stand_in(),
        team_painted: texture::team_painted(),
        sequences: animation::SEQUENCES.to_vec(),
        global_sequences: vec![animation::KEY_PERIOD, animation::FIRE_PERIOD],
        texture_animations: vec![animation::fire()],
        attachments: Vec::new(),
        lights: Vec::new(),
        smoke: Vec::new(),
        ribbons: Vec::new(),
        cameras: Vec::new(),
        events: Vec::new(),
        collisions: Vec::new(),
    };
    animation::animate(&mut creature, &skeleton);
    effects::add_all(&mut creature, &skeleton);
    creature
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn making_it_twice_gives_the_same_creature() {
        assert_eq!(format!("{:?}", make()), format!("{:?}", make()));
    }
}
