//! The appearance of a picture apart from the model: background, light, overlays.

use effigy_scene::{Attachment, Id, Light, Mesh, Node, NodeRule, ParticleEmitter, Ribbon, Scene, Shape};

/// What is behind the model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Background {
    /// One colour: red, green, blue.
    Color([u8; 3]),
    /// From the first colour at the top to the second at the bottom.
    Gradient([u8; 3], [u8; 3]),
    /// Nothing: the picture is transparent around the model.
    Transparent,
}

impl Background {
    /// The default gradient: light enough for black guns and a shadow on the ground, dark enough for glow.
    pub const STUDIO: Self = Self::Gradient([0x72, 0x7a, 0x86], [0x48, 0x4d, 0x55]);
}

/// The light of the picture itself. The lights of the model are added.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lighting {
    /// Where the light comes from, as seen by the camera: right, up, toward the viewer.
    pub from: [f32; 3],
    /// `from` is in model space instead: forward, left, up.
    pub in_model: bool,
    /// Red, green, blue of the directed light.
    pub diffuse: [f32; 3],
    /// Red, green, blue of the ambient light.
    pub ambient: [f32; 3],
}

impl Lighting {
    /// From behind the camera, above and to the left; for World of Warcraft with nearly the ambient light of its character
    /// pane; for Wolfenstein the light of entities where there is no map.
    #[must_use]
    pub const fn for_scene(scene: &Scene) -> Self {
        let shoulder =
            Self { from: [-0.4, 0.6, 0.7], in_model: false, diffuse: [0.6; 3], ambient: [0.55; 3] };
        match scene.node_rule {
            NodeRule::Warcraft => shoulder,
            NodeRule::World => Self { ambient: [0.65; 3], ..shoulder },
            NodeRule::Wolfenstein => Self {
                from: [0.45, 0.3, 0.9],
                in_model: true,
                diffuse: [150.0 / 255.0; 3],
                ambient: [150.0 / 255.0; 3],
            },
        }
    }

    /// The light next to the lights of a scene that is seen through its own camera: a little from everywhere, since the
    /// scene lights itself. None for a model without lights.
    #[must_use]
    pub fn beside_own(scene: &Scene) -> Option<Self> {
        let usual = Self::for_scene(scene);
        (!scene.lights.is_empty()).then_some(Self { diffuse: [0.0; 3], ambient: [0.2; 3], ..usual })
    }
}

/// A part of a model that is marked in the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marked {
    /// The edges of a mesh.
    Mesh(Id<Mesh>),
    /// A node with the lines to its children.
    Node(Id<Node>),
    /// The place of an attachment.
    Attachment(Id<Attachment>),
    /// The place of a light.
    Light(Id<Light>),
    /// The place of a source of particles.
    Emitter(Id<ParticleEmitter>),
    /// The place of a ribbon.
    Ribbon(Id<Ribbon>),
    /// The lines of a shape.
    Shape(Id<Shape>),
}

/// What is drawn over the model to explain it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overlays {
    /// Bones as lines from parent to child.
    pub bones: bool,
    /// Attachments as crosses.
    pub attachments: bool,
    /// Collision and hit-test shapes.
    pub collision: bool,
    /// The model's own bounds.
    pub bounds: bool,
    /// Normals as short lines.
    pub normals: bool,
    /// The edges of all triangles.
    pub wireframe: bool,
    /// A grid on the ground.
    pub grid: bool,
    /// The part that the user has selected.
    pub marked: Option<Marked>,
}

impl Overlays {
    /// Names of all overlays.
    pub const NAMES: [&str; 7] =
        ["bones", "attachments", "collision", "bounds", "normals", "wireframe", "grid"];

    /// Switches on the overlay of this name; false when there is none.
    pub fn enable(&mut self, name: &str) -> bool {
        let flag = match name {
            "bones" => &mut self.bones,
            "attachments" => &mut self.attachments,
            "collision" => &mut self.collision,
            "bounds" => &mut self.bounds,
            "normals" => &mut self.normals,
            "wireframe" => &mut self.wireframe,
            "grid" => &mut self.grid,
            _ => return false,
        };
        *flag = true;
        true
    }
}

/// The appearance of a picture apart from the model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrawStyle {
    /// What is behind the model.
    pub background: Background,
    /// The light; none: [`Lighting::for_scene`].
    pub lighting: Option<Lighting>,
    /// What is drawn over the model.
    pub overlays: Overlays,
    /// A soft shadow on the ground, below a model that stands on it and a camera that looks down. There is none over
    /// [`Background::Transparent`].
    pub shadow: bool,
}

impl Default for DrawStyle {
    fn default() -> Self {
        Self { background: Background::STUDIO, lighting: None, overlays: Overlays::default(), shadow: false }
    }
}
