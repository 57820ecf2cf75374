//! The bones: a root, a body, a head with jaws, two wing cases, a key, a lantern on an arm, a banner, six legs.

use super::Node;
use super::math::{Vec3, length, sub};

/// A leg: a thigh from hip to knee and a shin from knee to foot, in one vertical plane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leg {
    pub(crate) thigh: usize,
    pub(crate) shin: usize,
    pub(crate) hip: Vec3,
    pub(crate) knee: Vec3,
    pub(crate) foot: Vec3,
}

impl Leg {
    pub(crate) fn thigh_length(&self) -> f32 {
        length(sub(self.knee, self.hip))
    }

    pub(crate) fn shin_length(&self) -> f32 {
        length(sub(self.foot, self.knee))
    }
}

/// The bones, and which is which.
#[derive(Clone, Debug)]
pub(crate) struct Skeleton {
    pub(crate) nodes: Vec<Node>,
    pub(crate) root: usize,
    pub(crate) body: usize,
    pub(crate) head: usize,
    /// Left, right.
    pub(crate) jaws: [usize; 2],
    /// Left, right.
    pub(crate) cases: [usize; 2],
    pub(crate) key: usize,
    pub(crate) arm: usize,
    pub(crate) lantern: usize,
    pub(crate) glow: usize,
    /// From the pole to the tips.
    pub(crate) banner: [usize; 3],
    pub(crate) legs: Vec<Leg>,
}

/// The position of the lantern's ring.
pub(crate) const HOOK: Vec3 = [104.0, 0.0, 138.0];
/// Middle of the lantern's flame.
pub(crate) const FLAME: Vec3 = [104.0, 0.0, 115.0];
/// The lower end of the banner's pole.
pub(crate) const POLE: Vec3 = [-34.0, 0.0, 88.0];
/// Ends of the exhaust pipes: left, right.
pub(crate) const PIPES: [Vec3; 2] = [[-72.0, 21.0, 88.0], [-72.0, -21.0, 88.0]];

const LEG_NAMES: [[&str; 2]; 6] = [
    ["Leg Front Left", "Shin Front Left"],
    ["Leg Front Right", "Shin Front Right"],
    ["Leg Middle Left", "Shin Middle Left"],
    ["Leg Middle Right", "Shin Middle Right"],
    ["Leg Back Left", "Shin Back Left"],
    ["Leg Back Right", "Shin Back Right"],
];

impl Skeleton {
    pub(crate) fn new() -> Self {
        let mut nodes = Vec::new();
        let mut bone = |name, parent, pivot| {
            nodes.push(Node { name, parent, pivot, ..Node::default() });
            nodes.len() - 1
        };
        let root = bone("Root", None, [0.0, 0.0, 0.0]);
        let body = bone("Body", Some(root), [0.0, 0.0, 58.0]);
        let head = bone("Head", Some(body), [46.0, 0.0, 60.0]);
        let jaws = [
            bone("Jaw Left", Some(head), [72.0, 12.0, 46.0]),
            bone("Jaw Right", Some(head), [72.0, -12.0, 46.0]),
        ];
        let cases = [
            bone("Wing Case Left", Some(body), [34.0, 6.0, 92.0]),
            bone("Wing Case Right", Some(body), [34.0, -6.0, 92.0]),
        ];
        let key = bone("Key", Some(body), [-56.0, 0.0, 66.0]);
        let arm = bone("Lantern Arm", Some(body), [38.0, 0.0, 88.0]);
        let lantern = bone("Lantern", Some(arm), HOOK);
        let glow = bone("Lantern Glow", Some(lantern), FLAME);
        let banner = {
            let first = bone("Banner", Some(body), [POLE[0] - 3.0, 0.0, 146.0]);
            let second = bone("Banner Middle", Some(first), [POLE[0] - 22.0, 0.0, 146.0]);
            [first, second, bone("Banner End", Some(second), [POLE[0] - 42.0, 0.0, 146.0])]
        };
        let legs = LEG_NAMES
            .iter()
            .zip([
                (28.0, 1.0, 0.62),
                (28.0, -1.0, 0.62),
                (0.0, 1.0, -0.05),
                (0.0, -1.0, -0.05),
                (-28.0, 1.0, -0.68),
                (-28.0, -1.0, -0.68),
            ])
            .map(|(&[thigh, shin], (x, side, spread))| {
                // The direction that the leg points to, seen from above.
                let (s, c) = f32::sin_cos(spread);
                let out = [s, c * side, 0.0];
                let at = |r: f32, z: f32| [x + out[0] * r, side * 27.0 + out[1] * r, z];
                let (hip, knee, foot) = (at(0.0, 50.0), at(33.0, 76.0), at(58.0, 2.0));
                let thigh = bone(thigh, Some(body), hip);
                let shin = bone(shin, Some(thigh), knee);
                Leg { thigh, shin, hip, knee, foot }
            })
            .collect();
        if let Some(node) = nodes.get_mut(glow) {
            node.billboard = true;
        }
        for node in &mut nodes {
            node.pivot = super::math::settle3(node.pivot);
        }
        Self { nodes, root, body, head, jaws, cases, key, arm, lantern, glow, banner, legs }
    }
}
