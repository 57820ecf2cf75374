//! The panels around the view, one file each.

pub mod attached;
pub mod browse;
pub mod checks;
pub mod help;
pub mod info;
pub mod looks;
pub mod menu;
pub mod selected;
pub mod status;
pub mod textures;
pub mod timeline;
pub mod tree;
pub mod view;

use crate::app::{LeftTab, RightTab, Viewer};
use egui::{Panel, Ui};

/// The panel on the left: files and parts.
pub fn left(viewer: &mut Viewer, ui: &mut Ui) {
    Panel::left("left").default_size(250.0).min_size(160.0).show(ui, |ui| {
        ui.add_space(4.0);
        ui.horizontal(|ui| {
            ui.selectable_value(&mut viewer.left, LeftTab::Model, "Model");
            ui.selectable_value(&mut viewer.left, LeftTab::Browse, "Browse");
        });
        ui.separator();
        match viewer.left {
            LeftTab::Browse => browse::show(viewer, ui),
            LeftTab::Model => tree::show(viewer, ui),
        }
    });
}

/// The panel on the right: what is known about the model.
pub fn right(viewer: &mut Viewer, ui: &mut Ui) {
    Panel::right("right").default_size(320.0).min_size(200.0).show(ui, |ui| {
        ui.add_space(4.0);
        let problems = viewer.session.as_ref().map_or(0, crate::session::Session::problems);
        let checks = if problems > 0 { format!("Checks ({problems})") } else { "Checks".to_owned() };
        ui.horizontal(|ui| {
            for (tab, title) in [
                (RightTab::Info, "Info"),
                (RightTab::Checks, checks.as_str()),
                (RightTab::Textures, "Textures"),
                (RightTab::Selected, "Selected"),
            ] {
                ui.selectable_value(&mut viewer.right, tab, title);
            }
        });
        ui.separator();
        match viewer.right {
            RightTab::Info => info::show(viewer, ui),
            RightTab::Checks => checks::show(viewer, ui),
            RightTab::Textures => textures::show(viewer, ui),
            RightTab::Selected => selected::show(viewer, ui),
        }
    });
}

/// What a panel shows while no model is open.
pub fn nothing_open(ui: &mut Ui) {
    ui.weak("no model is open");
}

/// A field to filter a list, with a button that clears it.
pub fn filter(ui: &mut Ui, text: &mut String, hint: &str) {
    ui.horizontal(|ui| {
        // Room for the button, the gap before it and the margins of the field; a wider row would make its panel grow.
        let width = (ui.available_width() - 48.0).max(40.0);
        ui.add(egui::TextEdit::singleline(text).hint_text(hint).desired_width(width));
        if ui.add_enabled(!text.is_empty(), egui::Button::new("x").small()).on_hover_text("Clear").clicked() {
            text.clear();
        }
    });
}

/// Gives a list to choose from its name, for screen readers.
fn name_list(list: &egui::Response, name: &str) {
    list.widget_info(|| egui::WidgetInfo::labeled(egui::Role::ComboBox, true, name));
}
