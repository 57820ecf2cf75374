//! The help window: the table of commands.

use crate::app::Viewer;
use crate::commands::{MOUSE, Menu, TABLE};
use egui::{Grid, ScrollArea, Window};

pub fn show(viewer: &mut Viewer, ctx: &egui::Context) {
    let mut open = viewer.show_help;
    Window::new("Keys and mouse").open(&mut open).default_size([560.0, 480.0]).show(ctx, |ui| {
        ScrollArea::vertical().show(ui, |ui| {
            for menu in Menu::ALL {
                ui.strong(menu.title());
                Grid::new(menu.title()).num_columns(3).striped(true).show(ui, |ui| {
                    for entry in TABLE.iter().filter(|entry| entry.menu == menu) {
                        ui.monospace(entry.key_text());
                        ui.label(entry.name.trim_end_matches('.'));
                        ui.weak(entry.help);
                        ui.end_row();
                    }
                });
                ui.add_space(8.0);
            }
            ui.strong("Mouse");
            Grid::new("mouse").num_columns(2).striped(true).show(ui, |ui| {
                for (button, effect) in MOUSE {
                    ui.label(*button);
                    ui.weak(*effect);
                    ui.end_row();
                }
            });
        });
    });
    viewer.show_help = open;
}
