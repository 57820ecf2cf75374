//! The menu bar, made from the table of commands, and the colours next to it.

use crate::app::Viewer;
use crate::commands::{Command, Entry, Menu, TABLE};
use crate::settings::BACKGROUNDS;
use effigy::scene::team;
use egui::{Button, Color32, ComboBox, MenuBar, Panel, Ui};

pub fn show(viewer: &mut Viewer, ui: &mut Ui) {
    Panel::top("menu").show(ui, |ui| {
        MenuBar::new().ui(ui, |ui| {
            for menu in Menu::ALL {
                ui.menu_button(menu.title(), |ui| entries(viewer, ui, menu));
            }
            ui.separator();
            for command in [
                Command::Open,
                Command::Fit,
                Command::Orthographic,
                Command::Grid,
                Command::Edges,
                Command::Bones,
            ] {
                tool(viewer, ui, command);
            }
            ui.separator();
            team_color(viewer, ui);
            background(viewer, ui);
        });
    });
}

/// The entries of one menu.
fn entries(viewer: &mut Viewer, ui: &mut Ui, menu: Menu) {
    ui.set_min_width(180.0);
    // A page is closed by the browser.
    let closes = viewer.platform.has_files();
    let shown = |entry: &&Entry| entry.menu == menu && (closes || entry.command != Command::Quit);
    for entry in TABLE.iter().filter(shown) {
        let is_on = viewer.is_on(entry.command).unwrap_or(false);
        let button = Button::new(entry.name).shortcut_text(entry.key_text()).selected(is_on);
        if ui.add(button).on_hover_text(entry.help).clicked() {
            viewer.queue.push(entry.command);
            ui.close();
        }
        if entry.command == Command::OpenFolder && !viewer.settings.recent.is_empty() {
            ui.menu_button("Recent", |ui| recent(viewer, ui));
        }
    }
}

/// The files that were opened before.
pub fn recent(viewer: &mut Viewer, ui: &mut Ui) {
    for file in viewer.settings.recent.clone() {
        let name = file.rsplit(['/', '\\']).next().unwrap_or(&file).to_owned();
        if ui.button(name).on_hover_text(&file).clicked() {
            let ctx = ui.ctx().clone();
            viewer.open_paths(&ctx, &[std::path::PathBuf::from(&file)]);
            ui.close();
        }
    }
}

fn tool(viewer: &mut Viewer, ui: &mut Ui, command: Command) {
    let Some(entry) = command.entry() else { return };
    let is_on = viewer.is_on(command).unwrap_or(false);
    let help = format!("{} ({})", entry.help, entry.key_text());
    if ui.add(Button::selectable(is_on, entry.name.trim_end_matches('.'))).on_hover_text(help).clicked() {
        viewer.queue.push(command);
    }
}

fn team_color(viewer: &mut Viewer, ui: &mut Ui) {
    let name = |number: usize| team::NAMES.get(number).copied().unwrap_or("red");
    let here = viewer.settings.team;
    swatch(ui, team::color(here));
    let mut chosen = None;
    let list = ComboBox::from_id_salt("team").selected_text(name(here)).width(90.0).show_ui(ui, |ui| {
        for number in 0..team::NAMES.len() {
            ui.horizontal(|ui| {
                swatch(ui, team::color(number));
                if ui.selectable_label(number == here, name(number)).clicked() {
                    chosen = Some(number);
                    ui.close();
                }
            });
        }
    });
    super::name_list(&list.response, "Team colour");
    if let Some(number) = chosen {
        viewer.set_team(number);
    }
}

fn swatch(ui: &mut Ui, [r, g, b]: [u8; 3]) {
    let (rect, _) = ui.allocate_exact_size(egui::vec2(14.0, 14.0), egui::Sense::hover());
    ui.painter().rect_filled(rect, 2.0, Color32::from_rgb(r, g, b));
}

fn background(viewer: &mut Viewer, ui: &mut Ui) {
    let before = viewer.settings.background.clone();
    let list =
        ComboBox::from_id_salt("background").selected_text(before.as_str()).width(80.0).show_ui(ui, |ui| {
            for name in BACKGROUNDS {
                ui.selectable_value(&mut viewer.settings.background, name.to_owned(), name);
            }
        });
    super::name_list(&list.response, "Background");
    if viewer.settings.background != before {
        viewer.viewport.stale = true;
    }
}
