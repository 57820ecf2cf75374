//! The format-neutral scene of Effigy.
//!
//! # What the scene means
//!
//! A [`Scene`] is a model with everything a viewer or an exporter needs and nothing that depends on a file format.
//! Format crates preserve files byte by byte; the scene holds what a file *means*. A format's `lower` makes a scene. A
//! conversion between two versions of one format never goes through it, because that would lose data.
//!
//! **Space.** Right-handed, Z up, X forward, in the game's units; texture t counts from the top; triangles are
//! counter-clockwise. [`coordinates`] holds every change of axes.
//!
//! **Arenas.** Everything that can be referred to is stored in an [`Arena`] and identified by an [`Id`] of its type, so
//! a node cannot be mistaken for a mesh. The order in an arena is the order in the file.
//!
//! **Nodes and pivots.** A [`Node`] is located at its pivot in the bind pose. Its local motion is
//! `Tr(T + p) R S Tr(-p)` in model space, so at rest every node matrix is the identity, and the matrix of a node is
//! also the matrix that moves its vertices. What is attached to a node (a light, an emitter) gives a position in
//! model space of the bind pose and follows that matrix. A node may ignore its parent's translation, rotation or
//! scale, and may turn to the camera.
//!
//! **Time.** There is one timeline in milliseconds. A [`Sequence`] is an interval of it; a track's keys belong to the
//! sequences in whose interval they are ([`Track::windows`] overrides that for formats that store ranges). Global
//! sequences have separate clocks. What happens before the first and after the last key of a sequence differs
//! between games: [`KeyRule`] names the game's rule, and [`sample`] follows it.
//!
//! **Values.** An [`Animated`] value has a base and optionally a track. With a track, the base is not used: a
//! sequence without keys takes the track's default, as in the games.
//!
//! **Meshes.** One material each. Vertices follow groups of weighted nodes ([`Skin`]) or are interpolated
//! between frames ([`Morph`]). Colour and alpha of the mesh multiply those of each layer of its material; at alpha 0 a mesh is not
//! drawn.
//!
//! **Extras.** Data that only one format has is kept as typed [`Extras`]. Exporters write them, so that nothing is lost
//! on the way back to that format.
//!
//! **Validation.** [`validate`] checks every reference, count and number once and returns a [`ValidScene`]. Nothing
//! else makes one, and exporter, sampler and renderer take nothing else: an unchecked scene cannot reach them, and
//! after the check they have no reason to fail. [`repair`] makes any scene pass and reports what it changed.

mod attach;
pub mod coordinates;
mod emitter;
mod extras;
mod fixture;
mod id;
mod material;
mod mesh;
mod node;
mod round;
pub mod sample;
mod scene;
mod sequence;
pub mod team;
mod textures;
mod track;
mod validate;

pub use attach::{AttachOptions, Graft, Place, Play, attach, find_place, graft, places, same_place};
pub use emitter::{Cells, Effect, EmitterShape, OverLife, ParticleEmitter, Ribbon, RibbonGravity};
pub use extras::{Extra, Extras};
pub use fixture::{Attachment, Camera, Event, Light, LightKind, Shape, ShapeKind};
pub use id::{Arena, Id};
pub use material::{
    Blend, Combine, Coordinates, Layer, LayerTexture, Material, Replaceable, Role, Texture, TextureTransform,
    TransformOrder,
};
pub use mesh::{Bounds, Frame, Influence, Mesh, Morph, Skin, SortPoint};
pub use node::{Billboard, Ignore, Node, NodeKind};
pub use scene::{AlphaRule, KeyRule, NodeRule, Scene, TurnRule};
pub use sequence::{GlobalSequence, Sequence, find_sequence, idle_sequence};
pub use textures::{NoTextures, Textures, Undecoded, Unread};
pub use track::{Animated, Interpolation, Rotation, Track};
pub use validate::{SceneInfo, ValidScene, repair, validate};
