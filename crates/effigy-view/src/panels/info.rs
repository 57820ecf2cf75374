//! What is in the model, as `effigy info` shows it.

use crate::app::Viewer;
use effigy::Count;
use egui::{Grid, ScrollArea, Ui};

fn counts(list: &[Count]) -> String {
    let plural = |count: &Count| {
        let s = if count.count == 1 { "" } else { "s" };
        format!("{} {}{s}", count.count, count.kind)
    };
    list.iter().map(plural).collect::<Vec<_>>().join(", ")
}

/// A number of bytes for people.
pub fn size(bytes: usize) -> String {
    match bytes {
        0..1000 => format!("{bytes} bytes"),
        1000..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}

pub fn show(viewer: &mut Viewer, ui: &mut Ui) {
    let Some(session) = &viewer.session else { return super::nothing_open(ui) };
    let (model, summary) = (&session.model, &session.summary);
    ScrollArea::vertical().auto_shrink([false; 2]).show(ui, |ui| {
        let mut rows: Vec<(&str, String)> = vec![("name", model.name())];
        let dialect = model.dialect().map(|dialect| format!("{dialect}, ")).unwrap_or_default();
        rows.push(("format", format!("{dialect}{} {}", model.format().title(), model.version())));
        rows.push(("size", size(session.bytes.len())));
        rows.push((
            "meshes",
            format!(
                "{}: {} vertices, {} triangles",
                summary.meshes.len(),
                summary.vertices(),
                summary.triangles()
            ),
        ));
        rows.push(("nodes", counts(&summary.nodes)));
        rows.push((
            "materials",
            format!("{}: {}", summary.materials.count, summary.materials.words.join(", ")),
        ));
        rows.push(("emitters", counts(&summary.emitters)));
        rows.push(("cameras", summary.cameras.join(", ")));
        rows.push(("others", counts(&summary.others)));
        if let Some(bounds) = summary.bounds {
            let point = |[x, y, z]: [f32; 3]| format!("{x:.1} {y:.1} {z:.1}");
            rows.push(("bounds", format!("{} to {}", point(bounds.min), point(bounds.max))));
        }
        Grid::new("summary").num_columns(2).striped(true).show(ui, |ui| {
            for (title, text) in rows.into_iter().filter(|(_, text)| !text.is_empty()) {
                ui.weak(title);
                ui.add(egui::Label::new(text).wrap());
                ui.end_row();
            }
        });
        ui.add_space(8.0);
        ui.strong(format!("{} sequences", summary.sequences.len()));
        Grid::new("sequences").num_columns(3).striped(true).show(ui, |ui| {
            for sequence in &summary.sequences {
                ui.label(&sequence.name);
                ui.monospace(format!("{:6.2} s", sequence.seconds));
                let speed =
                    if sequence.speed > 0.0 { format!("{:.0}/s ", sequence.speed) } else { String::new() };
                ui.weak(format!("{speed}{}", if sequence.looping { "loops" } else { "once" }));
                ui.end_row();
            }
        });
        let notes = session.report.grouped();
        if !notes.is_empty() {
            ui.add_space(8.0);
            ui.strong("Shown differently from the file");
            for (note, count) in notes {
                let times = if count > 1 { format!(" ({count} times)") } else { String::new() };
                ui.label(format!("{} {}: {}{times}", note.outcome, note.path, note.message));
            }
        }
    });
}
