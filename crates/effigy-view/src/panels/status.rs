//! The line at the bottom: the file, what is missing, the last message.

use crate::app::Viewer;
use egui::{Panel, Ui};

pub fn show(viewer: &mut Viewer, ui: &mut Ui) {
    Panel::bottom("status").show(ui, |ui| {
        ui.horizontal(|ui| {
            match &viewer.session {
                Some(session) => {
                    ui.label(session.file.label());
                    let missing = session.drawn.missing();
                    if !missing.is_empty() {
                        let text = format!("{} textures missing", missing.len());
                        ui.colored_label(ui.visuals().warn_fg_color, text).on_hover_text(missing.join("\n"));
                    }
                    if session.preview.is_some() {
                        ui.colored_label(ui.visuals().warn_fg_color, "repaired, not saved");
                    }
                }
                None => {
                    ui.weak("no file");
                }
            }
            if !viewer.message.is_empty() {
                ui.separator();
                ui.label(viewer.message.lines().next().unwrap_or_default()).on_hover_text(&viewer.message);
            }
        });
    });
}
