//! The models of the folder or archive, with a filter.

use crate::app::Viewer;
use egui::{Button, ScrollArea, Ui};

pub fn show(viewer: &mut Viewer, ui: &mut Ui) {
    let Some(library) = &viewer.library else {
        ui.weak("Open a folder, a map or an archive to list its models.");
        return;
    };
    let mut back = false;
    ui.horizontal(|ui| {
        if library.back.is_some() {
            back =
                ui.small_button("<").on_hover_text("Back to the folder or archive around this one").clicked();
        }
        ui.add(egui::Label::new(library.label.as_str()).truncate()).on_hover_text(&library.label);
    });
    super::filter(ui, &mut viewer.browse_filter, "filter");
    let matching = library.matching(&viewer.browse_filter);
    ui.weak(format!("{} of {}", matching.len(), library.items.len()));
    let here = viewer.session.as_ref().and_then(|session| library.position(&session.file));
    let row = ui.spacing().interact_size.y;
    let mut area = ScrollArea::vertical().auto_shrink([false; 2]);
    if std::mem::take(&mut viewer.reveal)
        && let Some(at) = here.and_then(|here| matching.iter().position(|index| *index == here))
    {
        let height = row + ui.spacing().item_spacing.y;
        area = area.vertical_scroll_offset((at as f32 * height - ui.available_height() / 2.0).max(0.0));
    }
    let mut chosen = None;
    area.show_rows(ui, row, matching.len(), |ui, rows| {
        for index in matching.get(rows).unwrap_or_default() {
            let Some(item) = library.items.get(*index) else { continue };
            let text = if item.is_archive { format!("[{}]", item.name) } else { item.name.clone() };
            let button = Button::selectable(here == Some(*index), text).truncate();
            if ui.add(button).on_hover_text(&item.name).clicked() {
                chosen = Some(*index);
            }
        }
    });
    if let Some(index) = chosen {
        let ctx = ui.ctx().clone();
        viewer.open_item(&ctx, index);
    }
    if back && let Some(inner) = viewer.library.take() {
        viewer.library = inner.back.map(|outer| *outer);
    }
}
