//! Parts of a model that can be selected, and where they are in the file.

use crate::fields::Fields;
use effigy::pictures::Marked;
use effigy::scene::{Id, NodeKind, Scene};

/// A part of a scene, by its kind and position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    Mesh(u32),
    Node(u32),
    Emitter(u32),
    Ribbon(u32),
    Attachment(u32),
    Light(u32),
    Camera(u32),
    Shape(u32),
    Event(u32),
}

/// The kinds of parts, in the order of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    Mesh,
    Node,
    Emitter,
    Ribbon,
    Attachment,
    Light,
    Camera,
    Shape,
    Event,
}

impl Kind {
    pub const ALL: [Self; 9] = [
        Self::Mesh,
        Self::Node,
        Self::Emitter,
        Self::Ribbon,
        Self::Attachment,
        Self::Light,
        Self::Camera,
        Self::Shape,
        Self::Event,
    ];

    pub const fn title(self) -> &'static str {
        match self {
            Self::Mesh => "Meshes",
            Self::Node => "Bones and helpers",
            Self::Emitter => "Emitters",
            Self::Ribbon => "Ribbons",
            Self::Attachment => "Attachments",
            Self::Light => "Lights",
            Self::Camera => "Cameras",
            Self::Shape => "Collision",
            Self::Event => "Events",
        }
    }

    pub const fn part(self, index: u32) -> Part {
        match self {
            Self::Mesh => Part::Mesh(index),
            Self::Node => Part::Node(index),
            Self::Emitter => Part::Emitter(index),
            Self::Ribbon => Part::Ribbon(index),
            Self::Attachment => Part::Attachment(index),
            Self::Light => Part::Light(index),
            Self::Camera => Part::Camera(index),
            Self::Shape => Part::Shape(index),
            Self::Event => Part::Event(index),
        }
    }

    pub fn count(self, scene: &Scene) -> usize {
        match self {
            Self::Mesh => scene.meshes.len(),
            Self::Node => scene.nodes.len(),
            Self::Emitter => scene.emitters.len(),
            Self::Ribbon => scene.ribbons.len(),
            Self::Attachment => scene.attachments.len(),
            Self::Light => scene.lights.len(),
            Self::Camera => scene.cameras.len(),
            Self::Shape => scene.shapes.len(),
            Self::Event => scene.events.len(),
        }
    }
}

impl Part {
    pub const fn kind(self) -> Kind {
        match self {
            Self::Mesh(_) => Kind::Mesh,
            Self::Node(_) => Kind::Node,
            Self::Emitter(_) => Kind::Emitter,
            Self::Ribbon(_) => Kind::Ribbon,
            Self::Attachment(_) => Kind::Attachment,
            Self::Light(_) => Kind::Light,
            Self::Camera(_) => Kind::Camera,
            Self::Shape(_) => Kind::Shape,
            Self::Event(_) => Kind::Event,
        }
    }

    pub const fn index(self) -> u32 {
        match self {
            Self::Mesh(index)
            | Self::Node(index)
            | Self::Emitter(index)
            | Self::Ribbon(index)
            | Self::Attachment(index)
            | Self::Light(index)
            | Self::Camera(index)
            | Self::Shape(index)
            | Self::Event(index) => index,
        }
    }

    /// What marks it in the picture. An event is marked by its node; a camera is not visible.
    pub fn marked(self, scene: &Scene) -> Option<Marked> {
        Some(match self {
            Self::Mesh(index) => Marked::Mesh(Id::new(index)),
            Self::Node(index) => Marked::Node(Id::new(index)),
            Self::Emitter(index) => Marked::Emitter(Id::new(index)),
            Self::Ribbon(index) => Marked::Ribbon(Id::new(index)),
            Self::Attachment(index) => Marked::Attachment(Id::new(index)),
            Self::Light(index) => Marked::Light(Id::new(index)),
            Self::Shape(index) => Marked::Shape(Id::new(index)),
            Self::Event(index) => Marked::Node(scene.events.get(Id::new(index))?.node),
            Self::Camera(_) => return None,
        })
    }

    /// Its name in the model; empty where it has none.
    pub fn name(self, scene: &Scene) -> String {
        let name = match self {
            Self::Mesh(index) => scene.meshes.get(Id::new(index)).map(|it| &it.name),
            Self::Node(index) => scene.nodes.get(Id::new(index)).map(|it| &it.name),
            Self::Emitter(index) => scene.emitters.get(Id::new(index)).map(|it| &it.name),
            Self::Ribbon(index) => scene.ribbons.get(Id::new(index)).map(|it| &it.name),
            Self::Attachment(index) => scene.attachments.get(Id::new(index)).map(|it| &it.name),
            Self::Light(index) => scene.lights.get(Id::new(index)).map(|it| &it.name),
            Self::Camera(index) => scene.cameras.get(Id::new(index)).map(|it| &it.name),
            Self::Shape(index) => scene.shapes.get(Id::new(index)).map(|it| &it.name),
            Self::Event(index) => scene.events.get(Id::new(index)).map(|it| &it.name),
        };
        name.cloned().unwrap_or_default()
    }

    /// What the tree calls it: its name, or its kind and number.
    pub fn label(self, scene: &Scene) -> String {
        let name = self.name(scene);
        if !name.is_empty() {
            return name;
        }
        let word = match self.kind() {
            Kind::Mesh => "mesh",
            Kind::Node => match scene.nodes.get(Id::new(self.index())).map(|node| node.kind) {
                Some(NodeKind::Helper) => "helper",
                _ => "bone",
            },
            Kind::Emitter => "emitter",
            Kind::Ribbon => "ribbon",
            Kind::Attachment => "attachment",
            Kind::Light => "light",
            Kind::Camera => "camera",
            Kind::Shape => "shape",
            Kind::Event => "event",
        };
        format!("{word} {}", self.index())
    }
}

/// The lists of the files that hold each kind of part, by their label in `dump`.
const LISTS: &[(&str, Kind)] = &[
    ("GEOS", Kind::Mesh),
    ("BONE", Kind::Node),
    ("HELP", Kind::Node),
    ("PRE2", Kind::Emitter),
    ("PREM", Kind::Emitter),
    ("RIBB", Kind::Ribbon),
    ("ATCH", Kind::Attachment),
    ("LITE", Kind::Light),
    ("CAMS", Kind::Camera),
    ("CLID", Kind::Shape),
    ("HTST", Kind::Shape),
    ("EVTS", Kind::Event),
    ("bones", Kind::Node),
    ("particles", Kind::Emitter),
    ("ribbons", Kind::Ribbon),
    ("attachments", Kind::Attachment),
    ("lights", Kind::Light),
    ("cameras", Kind::Camera),
    ("events", Kind::Event),
    ("surfaces", Kind::Mesh),
    ("tag_names", Kind::Attachment),
];

/// The line of the file's fields where a part is: by its name, or by its position where the list is as long as that of
/// the scene.
pub fn line_of(part: Part, scene: &Scene, fields: &Fields) -> Option<usize> {
    let name = part.name(scene);
    let lists = || LISTS.iter().filter(|(_, kind)| *kind == part.kind());
    let by_name = lists().filter(|_| !name.is_empty()).find_map(|(label, _)| {
        let list = fields.child(None, label)?;
        let named = |line: &usize| fields.name_of(*line).is_some_and(|found| found == name);
        fields.children(Some(list)).into_iter().find(named)
    });
    by_name.or_else(|| {
        lists().find_map(|(label, kind)| {
            let elements = fields.children(fields.child(None, label));
            let same = elements.len() == kind.count(scene);
            elements.get(usize::try_from(part.index()).ok()?).copied().filter(|_| same)
        })
    })
}

/// The part of the scene that a path inside a file belongs to, such as that of a finding.
pub fn part_at(path: &str, scene: &Scene, fields: &Fields) -> Option<Part> {
    let (label, rest) = path.split_once('[')?;
    let index: u32 = rest.split(']').next()?.parse().ok()?;
    let label = if label == "GEOA" { "GEOS" } else { label };
    let (_, kind) = LISTS.iter().find(|(known, _)| *known == label)?;
    let list = fields.child(None, label)?;
    let element = fields.children(Some(list)).get(usize::try_from(index).ok()?).copied();
    let count = kind.count(scene);
    let named = element.and_then(|line| fields.name_of(line)).and_then(|name| {
        let parts = (0..u32::try_from(count).unwrap_or(0)).map(|index| kind.part(index));
        parts.into_iter().find(|part| part.name(scene) == name)
    });
    named.or_else(|| (usize::try_from(index).ok()? < count).then_some(kind.part(index)))
}
