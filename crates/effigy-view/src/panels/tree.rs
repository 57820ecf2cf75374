//! The parts of the model: eyes, a filter, a selection. Parts of a character of World of Warcraft that exclude each other, such as
//! hair styles, are listed in groups.

use crate::app::Viewer;
use crate::library::matches;
use crate::parts::{Kind, Part};
use crate::session::Session;
use effigy::assets::Naming;
use effigy::scene::{Id, Scene};
use egui::{Button, ScrollArea, Ui};
use std::collections::{BTreeMap, BTreeSet};

/// One line of the tree.
enum Row {
    Section(Kind, usize),
    /// A group of geosets: its number, and its meshes.
    Group(u32, Vec<u32>),
    Part(Part, usize, String),
}

/// Geosets per group.
const GROUP: u32 = 100;

/// What the groups of geosets of a character are, by their number.
const GROUPS: [(u32, &str); 16] = [
    (0, "Hair"),
    (1, "Beard"),
    (2, "Sideburns, earrings"),
    (3, "Moustache, horns"),
    (4, "Gloves"),
    (5, "Boots"),
    (7, "Ears"),
    (8, "Sleeves"),
    (9, "Legs"),
    (10, "Chest"),
    (11, "Trousers"),
    (12, "Tabard"),
    (13, "Robe or trousers"),
    (15, "Cape"),
    (17, "Eye glow"),
    (18, "Belt"),
];

fn group_name(group: u32) -> String {
    let known = GROUPS.iter().find(|(number, _)| *number == group);
    known.map_or_else(|| format!("Group {group}"), |(_, name)| (*name).to_owned())
}

/// The group of a geoset; none for the body.
const fn group_of(part: u32) -> Option<u32> {
    if part == 0 { None } else { Some(part / GROUP) }
}

fn part_of(scene: &Scene, mesh: u32) -> u32 {
    scene.meshes.get(Id::new(mesh)).map_or(0, |mesh| mesh.part)
}

/// The meshes in the order of the tree: those of a character by groups, everything else as in the file.
fn mesh_order(scene: &Scene, is_wow: bool) -> Vec<(Option<u32>, Vec<u32>)> {
    let count = u32::try_from(scene.meshes.len()).unwrap_or(0);
    let mut groups: BTreeMap<Option<u32>, Vec<u32>> = BTreeMap::new();
    for mesh in 0..count {
        groups.entry(group_of(part_of(scene, mesh))).or_default().push(mesh);
    }
    // Creatures and items have a few geosets, but do not change clothes.
    let is_character = is_wow && groups.keys().flatten().filter(|group| **group > 0).count() > 1;
    if is_character { groups.into_iter().collect() } else { vec![(None, (0..count).collect())] }
}

/// The nodes in the order of the tree with their depth: children after their parents.
fn node_order(scene: &Scene) -> Vec<(u32, usize)> {
    let mut children = vec![Vec::new(); scene.nodes.len()];
    let mut open: Vec<(usize, usize)> = Vec::new();
    for (id, node) in scene.nodes.iter() {
        match node.parent.and_then(|parent| children.get_mut(parent.index())) {
            Some(list) => list.push(id.index()),
            None => open.push((id.index(), 0)),
        }
    }
    open.reverse();
    let mut order = Vec::new();
    while let Some((index, depth)) = open.pop() {
        order.extend(u32::try_from(index).ok().map(|index| (index, depth)));
        let inner = children.get(index).map(Vec::as_slice).unwrap_or_default();
        open.extend(inner.iter().rev().map(|child| (*child, depth + 1)));
    }
    order
}

fn mesh_rows(scene: &Scene, filter: &str, is_wow: bool) -> Vec<Row> {
    let mut rows = Vec::new();
    for (group, meshes) in mesh_order(scene, is_wow) {
        let name = group.map(group_name);
        let label = |mesh: u32| {
            let label = Part::Mesh(mesh).label(scene);
            if group.is_some() { format!("{label} ({})", part_of(scene, mesh)) } else { label }
        };
        // The name of a group finds all of it.
        let fits = |label: &str| matches(&format!("{} {label}", name.as_deref().unwrap_or_default()), filter);
        let depth = usize::from(group.is_some() && filter.is_empty());
        let found: Vec<(u32, String)> =
            meshes.into_iter().map(|mesh| (mesh, label(mesh))).filter(|(_, label)| fits(label)).collect();
        if let Some(group) = group.filter(|_| !found.is_empty()) {
            rows.push(Row::Group(group, found.iter().map(|(mesh, _)| *mesh).collect()));
        }
        rows.extend(found.into_iter().map(|(mesh, label)| Row::Part(Part::Mesh(mesh), depth, label)));
    }
    rows
}

fn rows(scene: &Scene, filter: &str, folded: &BTreeSet<Kind>, is_wow: bool) -> Vec<Row> {
    let mut rows = Vec::new();
    for kind in Kind::ALL {
        let count = kind.count(scene);
        if count == 0 {
            continue;
        }
        let order = match kind {
            Kind::Mesh => Vec::new(),
            Kind::Node => node_order(scene),
            _ => (0..u32::try_from(count).unwrap_or(0)).map(|index| (index, 0)).collect(),
        };
        let parts = order.into_iter().map(|(index, depth)| (kind.part(index), depth));
        let meshes = if kind == Kind::Mesh { mesh_rows(scene, filter, is_wow) } else { Vec::new() };
        let parts = parts
            .map(|(part, depth)| (part, depth, part.label(scene)))
            .filter(|(_, _, label)| matches(label, filter))
            // A filter shows matches without their parents.
            .map(|(part, depth, label)| Row::Part(part, if filter.is_empty() { depth } else { 0 }, label));
        let mut found: Vec<Row> = meshes.into_iter().chain(parts).collect();
        if found.is_empty() {
            continue;
        }
        let count = found.iter().filter(|row| matches!(row, Row::Part(..))).count();
        rows.push(Row::Section(kind, count));
        if !folded.contains(&kind) || !filter.is_empty() {
            rows.append(&mut found);
        }
    }
    rows
}

/// An eye that was clicked.
enum Eye {
    One(Part, bool),
    /// This part of its group alone.
    Only(Part),
    Group(Vec<u32>, bool),
}

/// The eye of a line. True if it was clicked.
fn eye(ui: &mut Ui, open: bool, help: &str) -> bool {
    let text = egui::RichText::new("o");
    let text = if open { text } else { text.weak().strikethrough() };
    ui.add(Button::new(text).frame(false)).on_hover_text(help).clicked()
}

/// Opens and closes eyes.
fn look(session: &mut Session, eye: &Eye) {
    let scene = session.stage.scene();
    let eyes: Vec<(u32, bool)> = match eye {
        Eye::One(part, open) => return session.set_eye(*part, *open),
        Eye::Only(part) => {
            let wanted = part_of(scene, part.index());
            let all = 0..u32::try_from(scene.meshes.len()).unwrap_or(0);
            let same_group = |mesh: &u32| group_of(part_of(scene, *mesh)) == group_of(wanted);
            all.filter(same_group).map(|mesh| (mesh, part_of(scene, mesh) == wanted)).collect()
        }
        Eye::Group(meshes, open) => {
            let first = meshes.iter().map(|mesh| part_of(scene, *mesh)).min();
            let is_open = |mesh: u32| *open && Some(part_of(scene, mesh)) == first;
            meshes.iter().map(|mesh| (*mesh, is_open(*mesh))).collect()
        }
    };
    eyes.into_iter().for_each(|(mesh, open)| session.set_eye(Part::Mesh(mesh), open));
}

pub fn show(viewer: &mut Viewer, ui: &mut Ui) {
    if viewer.session.is_none() {
        return super::nothing_open(ui);
    }
    super::filter(ui, &mut viewer.tree_filter, "filter parts");
    levels(viewer, ui);
    super::looks::show(viewer, ui);
    super::attached::show(viewer, ui);
    let Some(session) = &mut viewer.session else { return };
    let is_wow = session.model.naming() == Naming::Wow;
    let rows = rows(session.stage.scene(), &viewer.tree_filter, &viewer.folded, is_wow);
    let height = ui.spacing().interact_size.y;
    let mut area = ScrollArea::vertical().auto_shrink([false; 2]);
    if viewer.left == crate::app::LeftTab::Model && std::mem::take(&mut viewer.reveal) {
        let is_selected = |row: &Row| matches!(row, Row::Part(part, ..) if session.selected == Some(*part));
        if let Some(at) = rows.iter().position(is_selected) {
            let step = height + ui.spacing().item_spacing.y;
            area = area.vertical_scroll_offset((at as f32 * step - ui.available_height() / 2.0).max(0.0));
        }
    }
    let grouped = rows.iter().any(|row| matches!(row, Row::Group(..)));
    let (mut chosen, mut eye) = (None, None);
    area.show_rows(ui, height, rows.len(), |ui, range| {
        for row in rows.get(range).unwrap_or_default() {
            match row {
                Row::Section(kind, count) => {
                    let closed = viewer.folded.contains(kind);
                    let arrow = if closed { "+" } else { "-" };
                    let text = egui::RichText::new(format!("{arrow} {} ({count})", kind.title())).strong();
                    if ui.add(Button::new(text).frame(false)).clicked() && !viewer.folded.remove(kind) {
                        viewer.folded.insert(*kind);
                    }
                }
                Row::Group(group, meshes) => {
                    ui.horizontal(|ui| {
                        ui.add_space(14.0);
                        let open = meshes.iter().any(|mesh| session.eye(Part::Mesh(*mesh)) == Some(true));
                        if self::eye(ui, open, if open { "Hide all" } else { "Show the first" }) {
                            eye = Some(Eye::Group(meshes.clone(), !open));
                        }
                        ui.label(group_name(*group));
                    });
                }
                Row::Part(part, depth, label) => {
                    ui.horizontal(|ui| {
                        ui.add_space(14.0 + *depth as f32 * 10.0);
                        if let Some(open) = session.eye(*part) {
                            let in_group = grouped
                                && matches!(part, Part::Mesh(mesh) if part_of(session.stage.scene(), *mesh) > 0);
                            let help = match (open, in_group) {
                                (true, _) => "Hide",
                                (false, false) => "Show",
                                (false, true) => "Show it instead of the others of its group; with Shift, next to them",
                            };
                            if self::eye(ui, open, help) {
                                let alone = in_group && !open && !ui.input(|input| input.modifiers.shift);
                                eye = Some(if alone { Eye::Only(*part) } else { Eye::One(*part, !open) });
                            }
                        }
                        let button = Button::selectable(session.selected == Some(*part), label.as_str());
                        if ui.add(button.truncate()).clicked() {
                            chosen = Some(*part);
                        }
                    });
                }
            }
        }
    });
    if let Some(eye) = eye {
        look(session, &eye);
        viewer.viewport.stale = true;
        ui.ctx().request_repaint();
    }
    if let Some(part) = chosen {
        // A second click on the same part ends the selection.
        let part = Some(part).filter(|part| session.selected != Some(*part));
        session.select(part);
        if let Some(Part::Camera(index)) = part {
            viewer.own_camera = usize::try_from(index).ok();
        }
        viewer.viewport.stale = true;
        ui.ctx().request_repaint();
    }
}

/// The levels of detail, where there are several.
fn levels(viewer: &mut Viewer, ui: &mut Ui) {
    let Some(session) = &mut viewer.session else { return };
    let levels = session.stage.levels();
    if levels.len() < 2 {
        return;
    }
    let here = session.level.or_else(|| levels.first().copied()).unwrap_or(0);
    ui.horizontal(|ui| {
        ui.label("detail");
        for level in levels {
            if ui.selectable_label(level == here, level.to_string()).clicked() {
                session.show_level(level);
                viewer.viewport.stale = true;
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use effigy::scene::{Mesh, Node, NodeKind};

    fn scene() -> Scene {
        let mut scene = Scene::default();
        let root = scene.nodes.push(Node::new("Root", NodeKind::Bone, None, [0.0; 3]));
        let body = scene.nodes.push(Node::new("Body", NodeKind::Bone, Some(root), [0.0; 3]));
        scene.nodes.push(Node::new("Other", NodeKind::Helper, None, [0.0; 3]));
        scene.nodes.push(Node::new("Arm", NodeKind::Bone, Some(body), [0.0; 3]));
        scene
    }

    fn labels(rows: &[Row]) -> Vec<String> {
        let label = |row: &Row| match row {
            Row::Section(kind, count) => format!("{} {count}", kind.title()),
            Row::Group(group, meshes) => format!("{} {meshes:?}", group_name(*group)),
            Row::Part(_, depth, label) => format!("{}{label}", "-".repeat(*depth)),
        };
        rows.iter().map(label).collect()
    }

    #[test]
    fn children_follow_their_parents() {
        let found = labels(&rows(&scene(), "", &BTreeSet::new(), false));
        assert_eq!(found, ["Bones and helpers 4", "Root", "-Body", "--Arm", "Other"]);
    }

    #[test]
    fn a_filter_shows_matches_even_in_closed_sections() {
        let folded = BTreeSet::from([Kind::Node]);
        assert_eq!(labels(&rows(&scene(), "", &folded, true)), ["Bones and helpers 4"]);
        assert_eq!(labels(&rows(&scene(), "ARM", &folded, true)), ["Bones and helpers 1", "Arm"]);
    }

    #[test]
    fn geosets_of_a_character_are_grouped_and_those_of_others_are_not() {
        let with = |parts: &[u32]| {
            let mut scene = Scene::default();
            for part in parts {
                scene.meshes.push(Mesh { part: *part, ..Mesh::new("m") });
            }
            scene
        };
        let character = with(&[0, 2, 401, 1, 402, 1301, 2101]);
        let list = |filter: &str, is_wow| labels(&rows(&character, filter, &BTreeSet::new(), is_wow));
        let grouped = [
            "Meshes 7",
            "m",
            "Hair [1, 3]",
            "-m (2)",
            "-m (1)",
            "Gloves [2, 4]",
            "-m (401)",
            "-m (402)",
            "Robe or trousers [5]",
            "-m (1301)",
            "Group 21 [6]",
            "-m (2101)",
        ];
        assert_eq!(list("", true), grouped);
        assert_eq!(list("gloves", true), ["Meshes 2", "Gloves [2, 4]", "m (401)", "m (402)"]);
        assert_eq!(list("402", true), ["Meshes 1", "Gloves [4]", "m (402)"]);
        // A model of another game, and a creature of this one.
        assert_eq!(list("", false).len(), 8);
        assert_eq!(labels(&rows(&with(&[0, 1, 2]), "", &BTreeSet::new(), true)).len(), 4);
    }
}
