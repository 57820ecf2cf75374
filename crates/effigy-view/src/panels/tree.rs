//! The parts of the model: eyes, a filter, a selection.

use crate::app::Viewer;
use crate::library::matches;
use crate::parts::{Kind, Part};
use effigy::scene::Scene;
use egui::{Button, ScrollArea, Ui};

/// One line of the tree.
enum Row {
    Section(Kind, usize),
    Part(Part, usize, String),
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

fn rows(scene: &Scene, filter: &str, folded: &std::collections::BTreeSet<Kind>) -> Vec<Row> {
    let mut rows = Vec::new();
    for kind in Kind::ALL {
        let count = kind.count(scene);
        if count == 0 {
            continue;
        }
        let order = match kind {
            Kind::Node => node_order(scene),
            _ => (0..u32::try_from(count).unwrap_or(0)).map(|index| (index, 0)).collect(),
        };
        let parts = order.into_iter().map(|(index, depth)| (kind.part(index), depth));
        let mut found: Vec<Row> = parts
            .map(|(part, depth)| (part, depth, part.label(scene)))
            .filter(|(_, _, label)| matches(label, filter))
            // A filter shows matches without their parents.
            .map(|(part, depth, label)| Row::Part(part, if filter.is_empty() { depth } else { 0 }, label))
            .collect();
        if found.is_empty() {
            continue;
        }
        rows.push(Row::Section(kind, found.len()));
        if !folded.contains(&kind) || !filter.is_empty() {
            rows.append(&mut found);
        }
    }
    rows
}

pub fn show(viewer: &mut Viewer, ui: &mut Ui) {
    if viewer.session.is_none() {
        return super::nothing_open(ui);
    }
    super::filter(ui, &mut viewer.tree_filter, "filter parts");
    levels(viewer, ui);
    let Some(session) = &mut viewer.session else { return };
    let rows = rows(session.stage.scene(), &viewer.tree_filter, &viewer.folded);
    let height = ui.spacing().interact_size.y;
    let mut area = ScrollArea::vertical().auto_shrink([false; 2]);
    if viewer.left == crate::app::LeftTab::Model && std::mem::take(&mut viewer.reveal) {
        let is_selected = |row: &Row| matches!(row, Row::Part(part, ..) if session.selected == Some(*part));
        if let Some(at) = rows.iter().position(is_selected) {
            let step = height + ui.spacing().item_spacing.y;
            area = area.vertical_scroll_offset((at as f32 * step - ui.available_height() / 2.0).max(0.0));
        }
    }
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
                Row::Part(part, depth, label) => {
                    ui.horizontal(|ui| {
                        ui.add_space(14.0 + *depth as f32 * 10.0);
                        if let Some(open) = session.eye(*part) {
                            let text = egui::RichText::new("o");
                            let text = if open { text } else { text.weak().strikethrough() };
                            let help = if open { "Hide" } else { "Show" };
                            if ui.add(Button::new(text).frame(false)).on_hover_text(help).clicked() {
                                eye = Some((*part, !open));
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
    if let Some((part, open)) = eye {
        session.set_eye(part, open);
        viewer.viewport.stale = true;
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
    use effigy::scene::{Node, NodeKind};
    use std::collections::BTreeSet;

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
            Row::Part(_, depth, label) => format!("{}{label}", "-".repeat(*depth)),
        };
        rows.iter().map(label).collect()
    }

    #[test]
    fn children_follow_their_parents() {
        let found = labels(&rows(&scene(), "", &BTreeSet::new()));
        assert_eq!(found, ["Bones and helpers 4", "Root", "-Body", "--Arm", "Other"]);
    }

    #[test]
    fn a_filter_shows_matches_even_in_closed_sections() {
        let folded = BTreeSet::from([Kind::Node]);
        assert_eq!(labels(&rows(&scene(), "", &folded)), ["Bones and helpers 4"]);
        assert_eq!(labels(&rows(&scene(), "ARM", &folded)), ["Bones and helpers 1", "Arm"]);
    }
}
