//! Everything except meshes: attachments, light, smoke, trail, camera, events, collision shapes.

use super::math::{add, settle3};
use super::skeleton::{FLAME, PIPES, Skeleton};
use super::texture::{material, slot};
use super::{Creature, Key, Node, Track};

/// A point that another model can be attached to.
#[derive(Clone, Debug)]
pub struct Attachment {
    /// Index of its node.
    pub node: usize,
    /// Its number, counted from 0.
    pub id: u32,
}

/// A point light.
#[derive(Clone, Debug)]
pub struct Light {
    /// Index of its node.
    pub node: usize,
    /// Full strength up to the first distance, zero from the second on.
    pub attenuation: [f32; 2],
    /// Red, green, blue in 0..1.
    pub color: [f32; 3],
    /// Strength.
    pub intensity: f32,
    /// Strength over time.
    pub intensity_track: Track<f32>,
    /// Off and on.
    pub visibility: Track<f32>,
}

/// A particle emitter that puffs smoke.
#[derive(Clone, Debug)]
pub struct Smoke {
    /// Index of its node.
    pub node: usize,
    /// Index of the texture.
    pub texture: usize,
    /// Units per second.
    pub speed: f32,
    /// Random variation of the speed, as a share of it.
    pub variation: f32,
    /// Half angle of the cone, degrees.
    pub latitude: f32,
    /// Downward acceleration; a negative one is upward.
    pub gravity: f32,
    /// Seconds.
    pub life_span: f32,
    /// Puffs per second.
    pub emission_rate: f32,
    /// Size of the area that they come from.
    pub size: [f32; 2],
    /// Colours at start, middle, end; red, green, blue in 0..1.
    pub colors: [[f32; 3]; 3],
    /// Alpha at start, middle, end.
    pub alphas: [u8; 3],
    /// Size at start, middle, end.
    pub scales: [f32; 3],
    /// Puffs per second over time.
    pub emission_track: Track<f32>,
    /// Off and on.
    pub visibility: Track<f32>,
}

/// A trail behind a node.
#[derive(Clone, Debug)]
pub struct Ribbon {
    /// Index of its node.
    pub node: usize,
    /// Index of the material.
    pub material: usize,
    /// Units above and below the node.
    pub heights: [f32; 2],
    /// Red, green, blue in 0..1.
    pub color: [f32; 3],
    /// 0..1.
    pub alpha: f32,
    /// Seconds that an edge lives.
    pub life_span: f32,
    /// Edges per second.
    pub emission_rate: u32,
    /// Off and on.
    pub visibility: Track<f32>,
}

/// A view of the model.
#[derive(Clone, Debug)]
pub struct Camera {
    /// Its name.
    pub name: &'static str,
    /// Its position.
    pub position: [f32; 3],
    /// What it looks at.
    pub target: [f32; 3],
    /// Diagonal angle of view, radians.
    pub field_of_view: f32,
    /// Nearest and farthest distance seen.
    pub clip: [f32; 2],
    /// Movement of its position.
    pub translation: Track<[f32; 3]>,
}

/// An event at given times; the name of its node says which.
#[derive(Clone, Debug)]
pub struct Event {
    /// Index of its node.
    pub node: usize,
    /// Milliseconds.
    pub times: Vec<u32>,
}

/// A shape for mouse clicks.
#[derive(Clone, Debug)]
pub enum Collision {
    /// A sphere around the node's pivot.
    Sphere {
        /// Index of its node.
        node: usize,
        /// Radius.
        radius: f32,
    },
    /// A box, its corners relative to the node's pivot.
    Box {
        /// Index of its node.
        node: usize,
        /// Lowest corner.
        min: [f32; 3],
        /// Highest corner.
        max: [f32; 3],
    },
}

/// One value at the start of each sequence, so that none depends on a default, followed by the changes.
fn shown(changes: &[(u32, f32)], usual: f32) -> Vec<(u32, f32)> {
    let starts = super::animation::SEQUENCES.iter().map(|sequence| (sequence.start, usual));
    let mut all: Vec<_> = starts.chain(changes.iter().copied()).collect();
    all.sort_by_key(|(time, _)| *time);
    all
}

/// Values that jump at given times.
fn steps(values: &[(u32, f32)]) -> Track<f32> {
    let keys = values.iter().map(|&(time, value)| Key { time, value, ..Key::default() }).collect();
    Track { interpolation: super::Interpolation::Step, global_sequence: None, keys }
}

pub(crate) fn add_all(c: &mut Creature, s: &Skeleton) {
    let mut node = |name, parent, pivot| {
        c.nodes.push(Node { name, parent: Some(parent), pivot: settle3(pivot), ..Node::default() });
        c.nodes.len() - 1
    };
    let flicker = [
        (100, 1.0),
        (700, 0.82),
        (1000, 1.0),
        (1500, 0.88),
        (2100, 1.0),
        (2200, 1.0),
        (3300, 0.85),
        (4600, 1.0),
        (4700, 1.0),
        (5100, 0.9),
        (5500, 1.0),
        (5600, 1.0),
        (6100, 1.3),
        (6600, 1.0),
        (6700, 1.0),
        (7450, 0.7),
        (8250, 0.0),
        (9200, 0.0),
        (9300, 1.0),
        (11300, 1.0),
    ];
    c.lights.push(Light {
        node: node("Lantern Light", s.lantern, FLAME),
        attenuation: [40.0, 260.0],
        color: [1.0, 0.72, 0.36],
        intensity: 1.2,
        intensity_track: Track {
            keys: flicker.iter().map(|&(time, v)| Key { time, value: 1.2 * v, ..Key::default() }).collect(),
            ..Track::default()
        },
        visibility: steps(&shown(&[(8250, 0.0)], 1.0)),
    });
    let places = [
        ("Origin Ref", s.root, [0.0, 0.0, 0.0]),
        ("Overhead Ref", s.body, [20.0, 0.0, 185.0]),
        ("Head Ref", s.head, [62.0, 0.0, 84.0]),
        ("Chest Ref", s.body, [0.0, 0.0, 62.0]),
        ("Hand Right Ref", s.lantern, [FLAME[0], FLAME[1], FLAME[2] - 18.0]),
    ];
    for (id, (name, parent, pivot)) in (0..).zip(places) {
        let node = node(name, parent, pivot);
        c.attachments.push(Attachment { node, id });
    }
    for (name, pipe) in ["Smoke Left", "Smoke Right"].into_iter().zip(PIPES) {
        c.smoke.push(smoke(node(name, s.body, add(pipe, [-1.0, 0.0, 4.0]))));
    }
    c.ribbons.push(Ribbon {
        node: node("Lantern Trail", s.lantern, FLAME),
        material: material::TRAIL,
        heights: [9.0, 9.0],
        color: [1.0, 0.85, 0.55],
        alpha: 0.8,
        life_span: 0.35,
        emission_rate: 40,
        visibility: steps(&shown(&[(5850, 1.0), (6300, 0.0)], 0.0)),
    });
    let events: [(&'static str, usize, [f32; 3], &[u32]); 4] = [
        ("SNDxALBA", s.root, [0.0, 0.0, 0.0], &[6000]),
        ("SNDxDLBA", s.root, [0.0, 0.0, 0.0], &[6750]),
        ("FPTLFCRB", s.root, [45.0, 70.0, 0.0], &[4710, 5110]),
        ("FPTRFCRB", s.root, [45.0, -70.0, 0.0], &[4910, 5310]),
    ];
    for (name, parent, pivot, times) in events {
        c.events.push(Event { node: node(name, parent, pivot), times: times.to_vec() });
    }
    c.collisions
        .push(Collision::Sphere { node: node("Collision Head", s.head, [62.0, 0.0, 60.0]), radius: 34.0 });
    c.collisions.push(Collision::Box {
        node: node("Collision Body", s.body, [0.0, 0.0, 58.0]),
        min: [-62.0, -44.0, -34.0],
        max: [56.0, 44.0, 44.0],
    });
    c.cameras.push(Camera {
        name: "Camera Portrait",
        position: [190.0, -70.0, 104.0],
        target: [56.0, 0.0, 82.0],
        field_of_view: 0.75,
        clip: [8.0, 1500.0],
        translation: Track {
            keys: [(9300, [0.0; 3]), (10300, [0.0, 10.0, 4.0]), (11300, [0.0; 3])]
                .map(|(time, value)| Key { time, value, ..Key::default() })
                .to_vec(),
            ..Track::default()
        },
    });
}

fn smoke(node: usize) -> Smoke {
    Smoke {
        node,
        texture: slot::SMOKE,
        speed: 34.0,
        variation: 0.3,
        latitude: 12.0,
        gravity: -14.0,
        life_span: 1.6,
        emission_rate: 7.0,
        size: [5.0, 5.0],
        colors: [[0.95, 0.80, 0.62], [0.72, 0.70, 0.68], [0.45, 0.45, 0.47]],
        alphas: [150, 110, 0],
        scales: [5.0, 11.0, 20.0],
        emission_track: Track {
            keys: [
                (100, 7.0),
                (2100, 7.0),
                (2200, 7.0),
                (4600, 7.0),
                (4700, 14.0),
                (5500, 14.0),
                (5600, 10.0),
                (5900, 30.0),
                (6600, 8.0),
                (6700, 30.0),
                (8200, 3.0),
                (9200, 0.0),
                (9300, 7.0),
                (11300, 7.0),
            ]
            .map(|(time, value)| Key { time, value, ..Key::default() })
            .to_vec(),
            ..Track::default()
        },
        visibility: steps(&shown(&[(8900, 0.0)], 1.0)),
    }
}
