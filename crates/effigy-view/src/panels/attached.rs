//! The models that are attached to the opened one, each with a button that removes it.

use crate::app::Viewer;
use crate::assembly::attached;
use egui::{ScrollArea, Ui};

pub fn show(viewer: &mut Viewer, ui: &mut Ui) {
    let Some(session) = &viewer.session else { return };
    let parts = attached(&session.model);
    if parts.is_empty() {
        return;
    }
    let mut removed = None;
    ui.strong(format!("Attached ({})", parts.len()));
    ScrollArea::vertical().id_salt("attached").max_height(110.0).auto_shrink([false, true]).show(ui, |ui| {
        for (path, text) in &parts {
            ui.horizontal(|ui| {
                let button = ui.small_button("x").on_hover_text("Remove it");
                button.widget_info(|| {
                    egui::WidgetInfo::labeled(egui::Role::Button, true, format!("Remove {text}"))
                });
                if button.clicked() {
                    removed = Some(path.clone());
                }
                ui.add(egui::Label::new(text.as_str()).truncate()).on_hover_text(text);
            });
        }
    });
    ui.separator();
    if let Some(path) = removed {
        viewer.detach(&path);
        ui.ctx().request_repaint();
    }
}
