//! The pose of any sequence at any time, as the games compute it.
//!
//! ```
//! use effigy_scene::{sample::{Moment, Sampler}, Scene, validate};
//! let scene = validate(Scene::default())?;
//! let sampler = Sampler::new(&scene);
//! let mut pose = sampler.pose();                       // allocated once
//! for step in 0..10 {
//!     let moment = Moment { sequence: None, time: f64::from(step) * 33.0, clock: f64::from(step) * 33.0 };
//!     sampler.sample(&moment, None, &mut pose);         // node matrices, colours, textures
//!     sampler.skin(&mut pose);                          // vertices
//! }
//! # Ok::<(), effigy_wire::Error>(())
//! ```

mod fewer;
mod fixtures;
mod keys;
mod look;
mod nodes;
mod particles;
mod random;
mod ribbons;
mod skin;
mod trigonometry;
mod value;

pub use fewer::FewerNodes;
pub use fixtures::{CameraPose, LightPose};
pub use keys::Segment;
pub use look::texture_matrix;
pub use particles::{Particle, Particles, Quad};
pub use ribbons::{Edge, Ribbons};
pub use skin::Mixed;
pub use trigonometry::{arc_cosine, sine, sines};
pub use value::{Turn, Value};

use crate::{Animated, Id, Mesh, Node, Rotation, Scene, Sequence, Texture, Track, ValidScene};
use glam::Affine3A;

/// A moment of a sequence.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moment {
    /// The sequence that plays; none: the model rests.
    pub sequence: Option<Id<Sequence>>,
    /// Milliseconds since it started. Past its end a looping sequence starts again, another holds.
    pub time: f64,
    /// Milliseconds since the model appeared: what global sequences count.
    pub clock: f64,
}

impl Moment {
    /// A time of a sequence, with global clocks at that same time.
    #[must_use]
    pub const fn new(sequence: Id<Sequence>, time: f64) -> Self {
        Self { sequence: Some(sequence), time, clock: time }
    }
}

/// How a node moves against its parent, about its pivot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// By how much it is moved.
    pub translation: [f32; 3],
    /// By how much it is turned.
    pub rotation: Rotation,
    /// By which factors it is scaled.
    pub scale: [f32; 3],
}

impl Default for Motion {
    /// At rest.
    fn default() -> Self {
        Self { translation: [0.0; 3], rotation: Rotation::IDENTITY, scale: [1.0; 3] }
    }
}

/// The view of the model, in model space. Billboards turn to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Where the eye is.
    pub eye: [f32; 3],
    /// To the right on the screen, unit length.
    pub right: [f32; 3],
    /// Up on the screen, unit length.
    pub up: [f32; 3],
    /// Toward the viewer, unit length.
    pub back: [f32; 3],
}

impl View {
    /// The view from one point to another, Z up.
    #[must_use]
    pub fn look_at(eye: [f32; 3], target: [f32; 3]) -> Self {
        let back =
            (glam::Vec3::from(eye) - glam::Vec3::from(target)).try_normalize().unwrap_or(glam::Vec3::X);
        let right = glam::Vec3::Z.cross(back).try_normalize().unwrap_or(glam::Vec3::Y);
        Self { eye, right: right.into(), up: back.cross(right).into(), back: back.into() }
    }
}

/// A texture of a layer at a moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TexturePose {
    /// The texture that shows.
    pub texture: Option<Id<Texture>>,
    /// `u' = m[0][0] u + m[0][1] v + m[0][2]`, and the same for v with `m[1]`.
    pub matrix: [[f32; 3]; 2],
}

/// A layer of a mesh at a moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LayerPose {
    /// Colour and alpha, the mesh's own already multiplied in.
    pub color: [f32; 4],
    /// Whether it is drawn.
    pub visible: bool,
    /// Strength of the emissive texture.
    pub emissive_gain: f32,
    /// Its textures, in the layer's order.
    pub textures: Vec<TexturePose>,
}

/// A mesh at a moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshPose {
    /// Positions in model space.
    pub positions: Vec<[f32; 3]>,
    /// Unit normals.
    pub normals: Vec<[f32; 3]>,
    /// Colour and alpha of the mesh.
    pub color: [f32; 4],
    /// Whether any of it is drawn.
    pub visible: bool,
    /// The layers of its material.
    pub layers: Vec<LayerPose>,
}

/// A buffer for poses, so that sampling does not allocate for each frame.
#[derive(Clone, Debug, Default)]
pub struct Pose {
    pub(crate) moment: Moment,
    pub(crate) matrices: Vec<Affine3A>,
    pub(crate) meshes: Vec<MeshPose>,
    /// Whether objects on a node may be visible.
    pub(crate) open: Vec<bool>,
    blended: Vec<Affine3A>,
}

impl Pose {
    /// The matrix of a node, column by column: bind pose to this pose.
    #[must_use]
    #[inline]
    pub fn matrix(&self, node: Id<Node>) -> [[f32; 4]; 4] {
        let matrix = self.matrices.get(node.index()).copied().unwrap_or_default();
        glam::Mat4::from(matrix).to_cols_array_2d()
    }

    /// Where a point of the bind pose is when it follows a node.
    #[must_use]
    pub fn point(&self, node: Id<Node>, position: [f32; 3]) -> [f32; 3] {
        let matrix = self.matrices.get(node.index()).copied().unwrap_or_default();
        matrix.transform_point3a(position.into()).into()
    }

    /// Whether emitters, lights and attachments on this node may be visible.
    #[must_use]
    pub fn is_open(&self, node: Id<Node>) -> bool {
        self.open.get(node.index()).copied().unwrap_or(true)
    }

    /// A mesh at this moment.
    #[must_use]
    pub fn mesh(&self, mesh: Id<Mesh>) -> Option<&MeshPose> {
        self.meshes.get(mesh.index())
    }

    /// All meshes, in the scene's order.
    #[must_use]
    pub fn meshes(&self) -> &[MeshPose] {
        &self.meshes
    }

    /// The moment it shows.
    #[must_use]
    pub const fn moment(&self) -> &Moment {
        &self.moment
    }
}

/// Computes poses of one scene.
#[derive(Clone, Copy, Debug)]
pub struct Sampler<'a> {
    pub(crate) scene: &'a Scene,
    /// The nodes that are sampled, parents before children.
    pub(crate) order: &'a [Id<Node>],
}

impl<'a> Sampler<'a> {
    /// A sampler for a checked scene.
    #[must_use]
    pub fn new(scene: &'a ValidScene) -> Self {
        Self { scene, order: &scene.info().order }
    }

    /// The same sampler for some nodes only, in the given order; all others stay at rest. A parent must come before its
    /// children, otherwise they follow its previous pose. Sampling a few nodes of a large skeleton takes less time.
    #[must_use]
    pub const fn only(self, order: &'a [Id<Node>]) -> Self {
        Self { scene: self.scene, order }
    }

    /// A buffer that fits the scene.
    #[must_use]
    pub fn pose(&self) -> Pose {
        Pose {
            moment: Moment::default(),
            matrices: vec![Affine3A::IDENTITY; self.scene.nodes.len()],
            open: vec![true; self.scene.nodes.len()],
            meshes: self
                .scene
                .meshes
                .as_slice()
                .iter()
                .map(|mesh| MeshPose {
                    positions: mesh.positions.clone(),
                    normals: mesh.normals.clone(),
                    ..MeshPose::default()
                })
                .collect(),
            blended: Vec::new(),
        }
    }

    pub(crate) fn clocks(&self, moment: &Moment) -> keys::Clocks<'a> {
        let sequence = moment.sequence.and_then(|id| Some((id.index(), self.scene.sequences.get(id)?)));
        let frame = sequence.map_or(moment.time, |(_, sequence)| {
            let length = f64::from(sequence.length());
            let time = if sequence.looping && moment.time > length && length > 0.0 {
                moment.time.rem_euclid(length)
            } else {
                moment.time.clamp(0.0, length)
            };
            f64::from(sequence.start) + time
        });
        keys::Clocks {
            rule: self.scene.key_rule,
            turns: self.scene.turn_rule,
            sequence: sequence.map(|(number, sequence)| (number, sequence.start, sequence.end)),
            frame,
            clock: moment.clock,
            globals: self.scene.global_sequences.as_slice(),
        }
    }

    #[inline]
    pub(crate) fn value_at<T: Value>(&self, animated: &Animated<T>, clocks: &keys::Clocks<'_>) -> T {
        match &animated.track {
            Some(track) => keys::evaluate(track, clocks),
            None => animated.base,
        }
    }

    /// Any animated value at a moment.
    #[must_use]
    pub fn value<T: Value>(&self, animated: &Animated<T>, moment: &Moment) -> T {
        self.value_at(animated, &self.clocks(moment))
    }

    /// Any track at a moment.
    #[must_use]
    pub fn track<T: Value>(&self, track: &Track<T>, moment: &Moment) -> T {
        keys::evaluate(track, &self.clocks(moment))
    }

    /// Between which keys of a track a moment lies; none: the track's default holds. The window is that of
    /// [`Sampler::window`], which is the same at every moment of a sequence.
    #[must_use]
    pub fn segment<T>(&self, track: &Track<T>, moment: &Moment, window: (usize, usize)) -> Option<Segment> {
        keys::segment(track, &self.clocks(moment), window)
    }

    /// First and last key (both included) that count at a moment; none: the track's default holds.
    #[must_use]
    pub fn window<T>(&self, track: &Track<T>, moment: &Moment) -> Option<(usize, usize)> {
        keys::window(track, &self.clocks(moment))
    }

    /// The value of a track inside a segment, at any ratio `t`.
    #[must_use]
    pub fn within<T: Value>(&self, track: &Track<T>, segment: &Segment, t: f32) -> T {
        let place = if segment.from == segment.to {
            keys::KeyPlace::At(segment.from)
        } else {
            keys::KeyPlace::Between(segment.from, segment.to, t)
        };
        keys::between(track, place, self.scene.turn_rule)
    }

    /// The scene.
    #[must_use]
    pub const fn scene(&self) -> &'a Scene {
        self.scene
    }

    /// Puts the node matrices into the buffer that follow from other motions than those of the scene, one for each node. Nodes
    /// without one rest, and nothing turns to the camera.
    pub fn place(&self, motions: &[Motion], pose: &mut Pose) {
        let motion = |id: Id<Node>, _: &Node| motions.get(id.index()).copied().unwrap_or_default();
        pose.matrices.resize(self.scene.nodes.len(), Affine3A::IDENTITY);
        nodes::matrices(self, motion, None, &mut pose.matrices);
    }

    /// Puts node matrices, colours and textures of a moment into the buffer. Without a view nothing turns to the
    /// camera. Vertices stay as they are until [`Sampler::skin`].
    pub fn sample(&self, moment: &Moment, view: Option<&View>, pose: &mut Pose) {
        pose.moment = *moment;
        let clocks = self.clocks(moment);
        pose.matrices.resize(self.scene.nodes.len(), Affine3A::IDENTITY);
        let motion = |_: Id<Node>, node: &Node| Motion {
            translation: self.value_at(&node.translation, &clocks),
            rotation: self.value_at(&node.rotation, &clocks),
            scale: self.value_at(&node.scale, &clocks),
        };
        nodes::matrices(self, motion, view, &mut pose.matrices);
        for (mesh, into) in self.scene.meshes.as_slice().iter().zip(&mut pose.meshes) {
            self.look(mesh, &clocks, into);
        }
        for id in self.order {
            let Some(node) = self.scene.nodes.get(*id) else { continue };
            let gate = node
                .gate
                .and_then(|mesh| pose.meshes.get(mesh.index()))
                .is_none_or(|mesh| mesh.color[3] > 0.0);
            let above = node.parent.and_then(|parent| pose.open.get(parent.index())).copied().unwrap_or(true);
            if let Some(open) = pose.open.get_mut(id.index()) {
                *open = gate && above;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{NodeKind, Sequence, validate};

    /// A quarter turn about z at (1, 0, 0), then twice as large at (3, 0, 0): the child's pivot goes to (1, 2, 0), and a point one
    /// further along x to two further along y.
    #[test]
    fn given_motions_move_nodes_as_keys_do() {
        let mut scene = Scene::default();
        let id = scene.sequences.push(Sequence { start: 0, end: 1000, ..Sequence::default() });
        let mut parent = Node::new("parent", NodeKind::Bone, None, [1.0, 0.0, 0.0]);
        let quarter = Rotation([0.0, 0.0, std::f32::consts::FRAC_1_SQRT_2, std::f32::consts::FRAC_1_SQRT_2]);
        parent.rotation = Animated::fixed(quarter);
        let parent = scene.nodes.push(parent);
        let child = scene.nodes.push(Node::new("child", NodeKind::Bone, Some(parent), [3.0, 0.0, 0.0]));
        let other = scene.nodes.push(Node::new("other", NodeKind::Bone, Some(child), [9.0, 0.0, 0.0]));
        let scene = validate(scene).unwrap();
        let sampler = Sampler::new(&scene);
        let mut pose = sampler.pose();
        sampler.sample(&Moment::new(id, 0.0), None, &mut pose);
        let near = |a: [f32; 3], b: [f32; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-5);
        assert!(near(pose.point(child, [3.0, 0.0, 0.0]), [1.0, 2.0, 0.0]));
        let motions = [
            Motion { rotation: quarter, ..Motion::default() },
            Motion { scale: [2.0; 3], translation: [0.0, 0.0, 5.0], ..Motion::default() },
        ];
        sampler.place(&motions, &mut pose);
        assert!(near(pose.point(child, [3.0, 0.0, 0.0]), [1.0, 2.0, 5.0]), "{pose:?}");
        assert!(near(pose.point(child, [4.0, 0.0, 0.0]), [1.0, 4.0, 5.0]), "{pose:?}");
        // A node without a motion rests, and so follows its parent.
        assert!(near(pose.point(other, [4.0, 0.0, 0.0]), [1.0, 4.0, 5.0]), "{pose:?}");
    }
}
