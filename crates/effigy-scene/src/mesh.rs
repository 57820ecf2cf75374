//! Meshes: triangles with one material, that follow nodes or morph through frames.

use crate::{Animated, Extras, Id, Material, Node, Track};

/// An axis-aligned box and a radius about the origin. A box with `min > max` is empty.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Lower corner.
    pub min: [f32; 3],
    /// Upper corner.
    pub max: [f32; 3],
    /// Radius, 0 where the source has none.
    pub radius: f32,
}

impl Default for Bounds {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl Bounds {
    /// The box around nothing.
    pub const EMPTY: Self = Self { min: [f32::MAX; 3], max: [f32::MIN; 3], radius: 0.0 };

    /// The box around these points.
    #[must_use]
    pub fn around<'a>(points: impl IntoIterator<Item = &'a [f32; 3]>) -> Self {
        let mut bounds = Self::EMPTY;
        for point in points {
            for ((min, max), value) in bounds.min.iter_mut().zip(&mut bounds.max).zip(point) {
                *min = min.min(*value);
                *max = max.max(*value);
            }
        }
        bounds
    }

    /// The box around both.
    #[must_use]
    pub fn union(mut self, other: &Self) -> Self {
        for (mine, theirs) in self.min.iter_mut().zip(other.min) {
            *mine = mine.min(theirs);
        }
        for (mine, theirs) in self.max.iter_mut().zip(other.max) {
            *mine = mine.max(theirs);
        }
        self.radius = self.radius.max(other.radius);
        self
    }

    /// Whether there is nothing inside.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.min.iter().zip(self.max).any(|(min, max)| *min > max)
    }

    /// Length of the diagonal; 0 when empty.
    #[must_use]
    pub fn size(&self) -> f32 {
        if self.is_empty() {
            return 0.0;
        }
        self.min.iter().zip(self.max).map(|(min, max)| (max - min) * (max - min)).sum::<f32>().sqrt()
    }
}

/// How much a node moves a vertex. In memory it is the number of the node followed by the weight.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Influence {
    /// The node.
    pub node: Id<Node>,
    /// Its share, 0 to 1.
    pub weight: f32,
}

/// Which nodes move which vertices.
///
/// Vertices that follow the same nodes with the same weights share a group, so a group's matrix is blended once per
/// pose, however many vertices it moves, and a group may have any number of influences.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skin {
    /// First and end (excluded) influence of each group. An empty group leaves its vertices where they are.
    pub groups: Vec<[u32; 2]>,
    /// The influences of all groups.
    pub influences: Vec<Influence>,
    /// The group of each vertex.
    pub vertex_groups: Vec<u32>,
}

impl Skin {
    /// The influences of a group; none when there is no such group.
    #[must_use]
    pub fn group(&self, group: u32) -> &[Influence] {
        let Some([start, end]) = self.groups.get(group as usize) else { return &[] };
        self.influences.get(*start as usize..*end as usize).unwrap_or(&[])
    }

    /// Adds a group and returns its number.
    pub fn push_group(&mut self, influences: impl IntoIterator<Item = Influence>) -> u32 {
        let start = u32::try_from(self.influences.len()).unwrap_or(u32::MAX);
        self.influences.extend(influences);
        let end = u32::try_from(self.influences.len()).unwrap_or(u32::MAX);
        self.groups.push([start, end]);
        u32::try_from(self.groups.len() - 1).unwrap_or(u32::MAX)
    }
}

/// One frame of a morphing mesh: as many positions and normals as the mesh has.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// Positions.
    pub positions: Vec<[f32; 3]>,
    /// Normals.
    pub normals: Vec<[f32; 3]>,
}

/// A mesh that changes its shape from frame to frame. Between two frames positions are interpolated linearly.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Morph {
    /// The distinct frames.
    pub frames: Vec<Frame>,
    /// Which frame is shown at which time; between two keys both frames mix.
    pub order: Track<u32>,
}

/// The point by which transparent meshes of the same priority are sorted: the farthest is drawn first (World of
/// Warcraft from Wrath on).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SortPoint {
    /// The node that carries the point.
    pub node: Id<Node>,
    /// The point whose distance from the eye counts, in the bind pose.
    pub point: [f32; 3],
    /// What is added to the distance.
    pub shift: f32,
}

/// Triangles with one material.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Its name; may be empty or repeat.
    pub name: String,
    /// Positions in model space, in the bind pose (or frame 0).
    pub positions: Vec<[f32; 3]>,
    /// Unit normals; as many as positions, or none.
    pub normals: Vec<[f32; 3]>,
    /// Tangents with the sign of the bitangent in w; as many as positions, or none.
    pub tangents: Vec<[f32; 4]>,
    /// Texture coordinate sets, t from the top; each as long as positions.
    pub uvs: Vec<Vec<[f32; 2]>>,
    /// Three indices per triangle, counter-clockwise seen from the front.
    pub indices: Vec<u32>,
    /// The material.
    pub material: Option<Id<Material>>,
    /// Which nodes move it.
    pub skin: Option<Skin>,
    /// Its frames.
    pub morph: Option<Morph>,
    /// Colour that multiplies the material, red, green, blue.
    pub color: Animated<[f32; 3]>,
    /// Alpha that multiplies the material; at 0 the mesh is not drawn.
    pub alpha: Animated<f32>,
    /// Level of detail, 0 the finest; none: drawn at each level.
    pub lod: Option<u32>,
    /// Group number for choosing parts (selection group, geoset id).
    pub part: u32,
    /// The point by which it is sorted by distance; none: the order in the file decides.
    pub sort: Option<SortPoint>,
    /// Whether it is shown unless the user chooses otherwise (characters hold many hair styles).
    pub shown: bool,
    /// Bounds as the source states them.
    pub bounds: Bounds,
    /// What only the source format knows.
    pub extras: Extras,
}

impl Mesh {
    /// An empty mesh of this name, fully visible and white.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            color: Animated::fixed([1.0; 3]),
            alpha: Animated::fixed(1.0),
            shown: true,
            ..Self::default()
        }
    }
}
