//! Every field of the selected part with its offset, as `effigy dump --offsets` prints them.

use crate::app::Viewer;
use egui::{RichText, ScrollArea, Ui};

pub fn show(viewer: &mut Viewer, ui: &mut Ui) {
    let Some(session) = &mut viewer.session else { return super::nothing_open(ui) };
    let part = session.selected.map(|part| part.label(session.stage.scene()));
    let line = session.line;
    if let Some(label) = &part {
        ui.strong(label);
    }
    let fields = session.fields();
    let range = match line {
        Some(line) => fields.subtree(fields.record(line)),
        None if part.is_some() => {
            ui.weak("The file has no record of its own for this part.");
            return;
        }
        None => {
            ui.weak("Nothing is selected: the whole file.");
            0..fields.len()
        }
    };
    let row = ui.text_style_height(&egui::TextStyle::Monospace);
    let selection = ui.visuals().selection.bg_fill;
    ScrollArea::both().auto_shrink([false; 2]).show_rows(ui, row, range.len(), |ui, rows| {
        for at in rows.map(|row| range.start + row) {
            let text = RichText::new(fields.line(at)).monospace().size(11.0);
            let text = if line == Some(at) { text.background_color(selection) } else { text };
            ui.add(egui::Label::new(text).extend());
        }
    });
}
