//! What the names of nodes and materials say in files that have nothing else to say it with: glTF of other programs.
//!
//! `Hand Right Ref` is an attachment, `SNDxAHFS` an event, `Collision Box` a collision shape, `tag_weapon` a tag, a material
//! `Armor TeamColor` has the player's colour. These are the names that artists know from other exporters; the extension for Blender
//! reads `… Ref` too. What the user says in a file of names comes first.
//!
//! The pass runs once, on the scene as it was read, so that every target gets the same objects. The report lists what was taken
//! for what. Scenes of games have such objects already: of them only what the user says is changed.

mod guess;
mod moments;
mod teams;

use super::words::without_copy_number;
use super::{Names, extras, timeline, units, wait};
use effigy_scene::{
    Animated, Attachment, Event, Extra, Extras, Id, Node, NodeKind, Rotation, Scene, Shape, ShapeKind,
    ValidScene, validate,
};
use effigy_wire::{Outcome, Report, Result};
use guess::{Form, Role, guess};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// Where a scene goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Game {
    Warcraft,
    World,
    /// Quake's engines, which have tags.
    Quake,
}

/// How a node is turned and stretched at rest, where the scene has no other place for it.
const REST: &str = "effigyRest";

/// Whether a text names what the player gives to a material: `team colour`, `TeamGlow`.
#[must_use]
pub fn is_team(text: &str) -> bool {
    teams::Team::from_text(text).is_some()
}

/// What the user says about a name; none: nothing. The name without the number of a copy is as good.
pub(super) fn chosen<'n>(table: &'n BTreeMap<String, String>, name: &str) -> Option<&'n str> {
    table.get(name).or_else(|| table.get(without_copy_number(name))).map(String::as_str)
}

/// Old and new names of objects, in the order of the source; no new name: it is left out, or nothing special.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ObjectNames {
    /// Attachments.
    pub attachments: NameList,
    /// Events.
    pub events: NameList,
    /// Materials, and what the player gives them.
    pub materials: NameList,
}

impl ObjectNames {
    /// Everything keeps its name.
    pub(super) fn unchanged(scene: &Scene) -> Self {
        let same = |name: &String| (name.clone(), Some(name.clone()));
        Self {
            attachments: scene.attachments.as_slice().iter().map(|it| same(&it.name)).collect(),
            events: scene.events.as_slice().iter().map(|it| same(&it.name)).collect(),
            materials: NameList::new(),
        }
    }
}

/// Old and new names.
pub(super) type NameList = Vec<(String, Option<String>)>;

/// The new names of what is in the scene, in its order.
pub(super) fn kept(list: &mut NameList) -> impl Iterator<Item = &mut Option<String>> {
    list.iter_mut().map(|(_, new)| new).filter(|new| new.is_some())
}

/// A scene with the objects that its names and the user ask for.
#[derive(Debug)]
pub(super) struct Named<'s> {
    pub scene: Cow<'s, ValidScene>,
    pub objects: ObjectNames,
}

/// What each node is taken for: what the user says, else what its name says if it is free to be anything. None: the user says that it
/// is nothing.
fn roles(scene: &Scene, names: &Names, game: Game) -> Vec<(Id<Node>, Option<Role>)> {
    let foreign = units::format(scene) == "gltf";
    let moving: BTreeSet<usize> = scene
        .meshes
        .as_slice()
        .iter()
        .filter_map(|mesh| mesh.skin.as_ref())
        .flat_map(|skin| &skin.influences)
        .filter(|it| it.weight != 0.0)
        .map(|it| it.node.index())
        .collect();
    // What is an object already keeps its node.
    let attached: BTreeSet<&str> = scene.attachments.as_slice().iter().map(|it| it.name.as_str()).collect();
    let happening: BTreeSet<&str> = scene.events.as_slice().iter().map(|it| it.name.as_str()).collect();
    let mut found = Vec::new();
    for (id, node) in scene.nodes.iter() {
        let name = node.name.as_str();
        let event = chosen(&names.events, name).filter(|_| !happening.contains(name));
        let is_tag = game == Game::Quake && node.kind == NodeKind::Tag;
        let point = chosen(&names.attachments, name).filter(|_| !attached.contains(name) && !is_tag);
        let guess = || guess(name, game).filter(|_| foreign && !moving.contains(&id.index()));
        match (event.filter(|name| !name.is_empty()), point.filter(|name| !name.is_empty())) {
            (None, None) => match guess() {
                Some(_) if event.is_some() || point.is_some() => found.push((id, None)),
                Some(role) => found.push((id, Some(role))),
                None => {}
            },
            (event, point) => {
                found.extend(event.map(|name| (id, Some(Role::Event(name.to_owned())))));
                found.extend(point.map(|name| (id, Some(Role::Attachment(name.to_owned())))));
            }
        }
    }
    found
}

/// The scene with the objects that its names and the user ask for.
///
/// # Errors
/// Never with a valid scene.
pub(super) fn by_name<'s>(
    source: &'s ValidScene,
    names: &Names,
    game: Game,
    report: &mut Report,
) -> Result<Named<'s>> {
    let awake = wait::without(source)?;
    let source = &*awake;
    report_unused(source, names, report);
    let roles = roles(source, names, game);
    let teams = if game == Game::Warcraft { teams::found(source, names) } else { Vec::new() };
    let mut objects = ObjectNames::default();
    let by_material: BTreeMap<_, _> = teams.iter().map(|(id, team)| (id.index(), team.name())).collect();
    for (id, material) in source.materials.iter().filter(|(_, it)| !it.name.is_empty()) {
        let team = by_material.get(&id.index()).map(|team| (*team).to_owned());
        objects.materials.push((material.name.clone(), team));
    }
    if roles.is_empty() && teams.is_empty() && names.events.is_empty() && names.attachments.is_empty() {
        let objects = ObjectNames { materials: objects.materials, ..ObjectNames::unchanged(source) };
        return Ok(Named { scene: awake, objects });
    }
    let size = source.info().bounds.size();
    let mut scene: Scene = (**source).clone();
    rename(&mut scene, names, game, &mut objects);
    let carriers: BTreeSet<usize> =
        scene.nodes.as_slice().iter().filter_map(|node| Some(node.parent?.index())).collect();
    let mut taken = Taken::default();
    for (id, role) in roles {
        match role {
            Some(role) => {
                // A node that carries others stays what it is.
                let is_leaf = !carriers.contains(&id.index());
                apply(&mut scene, id, is_leaf, role, size, &mut taken, &mut objects);
            }
            None => taken_back(&scene, id, game, &mut objects),
        }
    }
    taken.report(report);
    teams::apply(&mut scene, &teams, report);
    Ok(Named { scene: Cow::Owned(validate(scene)?), objects })
}

/// Reports names in the user's file that nothing in the model has. In a folder of models that is usual, for a single one it may be a
/// typing error.
fn report_unused(scene: &Scene, names: &Names, report: &mut Report) {
    let sequences: BTreeSet<&str> = scene.sequences.as_slice().iter().map(|it| it.name.as_str()).collect();
    let nodes = || scene.nodes.as_slice().iter().map(|it| it.name.as_str());
    let attachments = scene.attachments.as_slice().iter().map(|it| it.name.as_str());
    let events = scene.events.as_slice().iter().map(|it| it.name.as_str());
    let materials = scene.materials.as_slice().iter().map(|it| it.name.as_str());
    let mut unused: Vec<String> = Vec::new();
    let mut look = |table: &BTreeMap<String, String>, known: BTreeSet<&str>| {
        unused.extend(
            table.keys().filter(|name| !known.contains(name.as_str())).map(|name| format!("\"{name}\"")),
        );
    };
    look(&names.sequences, sequences);
    look(&names.attachments, with_plain(attachments.chain(nodes())));
    look(&names.events, with_plain(events.chain(nodes())));
    look(&names.materials, with_plain(materials));
    if !unused.is_empty() {
        let text = format!("nothing in the model is called {}", unused.join(", "));
        report.add(Outcome::KeptAside, "names", text);
    }
}

/// Names, and the same without the numbers of copies.
fn with_plain<'n>(names: impl Iterator<Item = &'n str>) -> BTreeSet<&'n str> {
    names.flat_map(|name| [name, without_copy_number(name)]).collect()
}

/// Notes that a node is not what its name says.
fn taken_back(scene: &Scene, id: Id<Node>, game: Game, objects: &mut ObjectNames) {
    let Some(name) = scene.nodes.get(id).map(|node| node.name.clone()) else { return };
    match guess(&name, game) {
        Some(Role::Event(_)) => objects.events.push((name, None)),
        Some(Role::Attachment(_) | Role::Tag(_)) => objects.attachments.push((name, None)),
        _ => {}
    }
}

/// Gives objects of the scene the names that the user chose. Attachments of World of Warcraft go by their numbers, and those that become
/// tags get others without being asked: both get their names later.
fn rename(scene: &mut Scene, names: &Names, game: Game, objects: &mut ObjectNames) {
    let new = |table: &BTreeMap<String, String>, old: &str| {
        let name = table.get(old).map_or(old, String::as_str);
        (old.to_owned(), Some(name.to_owned()).filter(|name| !name.is_empty()))
    };
    for mut event in std::mem::take(&mut scene.events) {
        let (old, name) = new(&names.events, &event.name);
        objects.events.push((old, name.clone()));
        if let Some(name) = name {
            event.name = name;
            scene.events.push(event);
        }
    }
    let none = BTreeMap::new();
    let later = timeline::is_world(scene) || game == Game::Quake;
    let table = if later { &none } else { &names.attachments };
    for mut attachment in std::mem::take(&mut scene.attachments) {
        let (old, name) = new(table, &attachment.name);
        objects.attachments.push((old, name.clone()));
        if let Some(name) = name {
            attachment.name = name;
            scene.attachments.push(attachment);
        }
    }
}

/// What was taken for what, for the report.
#[derive(Debug, Default)]
struct Taken {
    attachments: Vec<String>,
    events: Vec<String>,
    silent: Vec<String>,
    shapes: Vec<String>,
}

impl Taken {
    fn report(&self, report: &mut Report) {
        for (what, list) in
            [("attachments", &self.attachments), ("events", &self.events), ("collision shapes", &self.shapes)]
        {
            if !list.is_empty() {
                report.rebuilt(what, format!("by the names of nodes: {}", list.join(", ")));
            }
        }
        if !self.silent.is_empty() {
            let text = format!(
                "{}: an event happens when its node jumps to another place, and these never do",
                self.silent.join(", ")
            );
            report.dropped("events", text);
        }
    }
}

/// What a list of the report says: the old name too, where it is another one.
fn renamed(old: &str, new: &str) -> String {
    if old == new { new.to_owned() } else { format!("{new} ({old})") }
}

fn apply(
    scene: &mut Scene,
    id: Id<Node>,
    is_leaf: bool,
    role: Role,
    size: f32,
    taken: &mut Taken,
    objects: &mut ObjectNames,
) {
    let Some(node) = scene.nodes.get(id) else { return };
    let (old, position) = (node.name.clone(), node.pivot);
    let free = is_leaf && matches!(node.kind, NodeKind::Helper | NodeKind::Bone);
    let kind = match role {
        Role::Attachment(name) => {
            taken.attachments.push(renamed(&old, &name));
            objects.attachments.push((old, Some(name.clone())));
            let number = u32::try_from(scene.attachments.len()).unwrap_or(u32::MAX);
            scene.attachments.push(Attachment {
                name,
                number,
                node: id,
                position,
                path: String::new(),
                visibility: Animated::fixed(1.0),
            });
            NodeKind::Attachment
        }
        Role::Tag(name) => {
            taken.attachments.push(renamed(&old, &name));
            if let Some(node) = scene.nodes.get_mut(id) {
                // A tag may carry others.
                (node.name, node.kind) = (name, NodeKind::Tag);
            }
            NodeKind::Tag
        }
        Role::Event(name) => {
            let times = moments::moments(node, scene.sequences.as_slice(), size);
            if times.is_empty() {
                taken.silent.push(renamed(&old, &name));
                return;
            }
            taken.events.push(format!("{} at {} moments", renamed(&old, &name), times.len()));
            objects.events.push((old, Some(name.clone())));
            scene.events.push(Event { name, data: 0, node: id, position, times, global: None });
            NodeKind::Event
        }
        Role::Shape(name, form) => {
            let (kind, half) = shape(node, form);
            let [x, y, z] = half.map(|it| it * 2.0);
            taken.shapes.push(match form {
                Form::Box => format!("{name} ({x:.2} x {y:.2} x {z:.2})"),
                Form::Sphere => format!("{name} (radius {:.2})", x / 2.0),
            });
            scene.shapes.push(Shape { name, node: id, kind });
            NodeKind::Shape
        }
    };
    let Some(node) = scene.nodes.get_mut(id).filter(|_| free) else { return };
    node.kind = kind;
    match kind {
        // What is attached has the axes that the node shows in the program.
        NodeKind::Attachment | NodeKind::Tag => {
            let (turn, _) = rest(node);
            turn_by(node, turn);
        }
        // Its motion only said when.
        NodeKind::Event => still(node),
        // The shape has the size of the node.
        _ => node.scale = Animated::fixed([1.0; 3]),
    }
}

fn still(node: &mut Node) {
    (node.translation.track, node.rotation.track, node.scale.track) = (None, None, None);
}

/// How a node is turned and stretched at rest, apart from what its own values say.
fn rest(node: &Node) -> (glam::Quat, glam::Vec3) {
    let none = Extras::default();
    let noted = match node.extras.get(REST) {
        Some(Extra::Map(noted)) => noted,
        _ => &none,
    };
    let turn = match extras::floats(noted, "rotation") {
        Some(&[x, y, z, w]) => glam::Quat::from_xyzw(x, y, z, w),
        _ => glam::Quat::IDENTITY,
    };
    let scale = match extras::floats(noted, "scale") {
        Some(&[x, y, z]) => glam::Vec3::new(x, y, z),
        _ => glam::Vec3::ONE,
    };
    (turn.normalize(), scale)
}

/// Turns what is below a node, before the node's own motion.
fn turn_by(node: &mut Node, turn: glam::Quat) {
    // Rounding of other programs.
    if turn.w.abs() > 1.0 - 1e-6 || !turn.is_finite() {
        return;
    }
    let change = |value: &mut Rotation| {
        *value = Rotation((glam::Quat::from_array(value.0) * turn).to_array());
    };
    change(&mut node.rotation.base);
    if let Some(track) = &mut node.rotation.track {
        track.values.iter_mut().chain(track.tangents.iter_mut().flatten()).for_each(change);
        change(&mut track.default);
    }
}

/// A shape as large as its node: an empty of the size 1 reaches one unit to each side. Also half of its edges.
fn shape(node: &Node, form: Form) -> (ShapeKind, [f32; 3]) {
    let (turn, scale) = rest(node);
    let scale = (scale * glam::Vec3::from(node.scale.base)).abs();
    match form {
        Form::Sphere => {
            let radius = scale.max_element();
            (ShapeKind::Sphere { center: [0.0; 3], radius }, [radius; 3])
        }
        Form::Box => {
            // The box around the turned one: those of the games have the axes of the model.
            let axes = glam::Mat3::from_quat(turn);
            let half =
                axes.x_axis.abs() * scale.x + axes.y_axis.abs() * scale.y + axes.z_axis.abs() * scale.z;
            (ShapeKind::Box { min: (-half).into(), max: half.into() }, half.into())
        }
    }
}

#[cfg(test)]
mod tests;
