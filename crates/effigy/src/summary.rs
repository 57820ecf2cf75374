//! What `effigy info` shows: plain data, the same for every format.

/// A box and a sphere around the model, in the model's own units.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Bounds {
    /// Smallest corner.
    pub min: [f32; 3],
    /// Largest corner.
    pub max: [f32; 3],
    /// Radius as stored; 0 where the format or the file has none.
    pub radius: f32,
}

/// One mesh: a geoset, a submesh or a surface.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Mesh {
    /// Its name; empty where the format has none.
    pub name: String,
    /// Number of vertices.
    pub vertices: u64,
    /// Number of triangles.
    pub triangles: u64,
}

/// How many there are of a kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Count {
    /// The kind in the singular, such as `bone`.
    pub kind: String,
    /// How many.
    pub count: u64,
}

/// One animation.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Sequence {
    /// Its name, or `id 4` where the format only numbers them.
    pub name: String,
    /// How long it plays.
    pub seconds: f64,
    /// How far the model walks in a second while it plays; 0 for most.
    pub speed: f32,
    /// Whether it starts again at its end.
    pub looping: bool,
}

/// The materials in a few words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Materials {
    /// How many there are.
    pub count: u64,
    /// What is special about them, such as `team colour` or `alpha blend`, each once.
    pub words: Vec<String>,
}

/// One texture that the model names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Texture {
    /// The path as the model says it; empty for a texture that the game puts in.
    pub path: String,
    /// Which texture the game puts in instead (1 is the team colour); 0 for none.
    pub replaceable: u32,
    /// What that replaceable texture is called, where it has a name.
    pub meaning: String,
    /// Where it was found, as a path that every command takes; null where it is missing, the game makes it up, or
    /// nobody looked.
    pub found: Option<String>,
}

#[cfg(feature = "assets")]
impl Texture {
    /// The texture as the game's rules for names take it.
    #[must_use]
    pub const fn reference(&self) -> effigy_assets::TextureRef<'_> {
        effigy_assets::TextureRef { path: self.path.as_str(), replaceable: self.replaceable }
    }
}

/// What is in a model.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Summary {
    /// The meshes, in file order.
    pub meshes: Vec<Mesh>,
    /// Nodes by kind, in the order in which people list them (bones first); kinds with none are left out.
    pub nodes: Vec<Count>,
    /// The animations, in file order.
    pub sequences: Vec<Sequence>,
    /// The materials.
    pub materials: Materials,
    /// Emitters by kind; kinds with none are left out.
    pub emitters: Vec<Count>,
    /// The textures, in file order.
    pub textures: Vec<Texture>,
    /// Names of the cameras.
    pub cameras: Vec<String>,
    /// Whatever else there is, by kind (`light`, `event`, `collision shape`, `frame`, `tag`); none are left out.
    pub others: Vec<Count>,
    /// The model's bounds as stored.
    pub bounds: Option<Bounds>,
    /// Names of the files next to the model that say more about it, such as `wolfanim.cfg` or `body_default.skin`.
    pub files: Vec<String>,
    /// What is not right about these files, or missing: the file, the line where there is one, and the message.
    pub problems: Vec<String>,
}

impl Summary {
    /// Vertices of all meshes.
    #[must_use]
    pub fn vertices(&self) -> u64 {
        self.meshes.iter().map(|mesh| mesh.vertices).sum()
    }

    /// Triangles of all meshes.
    #[must_use]
    pub fn triangles(&self) -> u64 {
        self.meshes.iter().map(|mesh| mesh.triangles).sum()
    }

    /// A list of counts without the kinds that do not occur.
    #[must_use]
    pub fn counts(list: &[(&str, usize)]) -> Vec<Count> {
        list.iter()
            .filter(|(_, count)| *count > 0)
            .map(|(kind, count)| Count {
                kind: (*kind).to_owned(),
                count: u64::try_from(*count).unwrap_or(u64::MAX),
            })
            .collect()
    }
}
