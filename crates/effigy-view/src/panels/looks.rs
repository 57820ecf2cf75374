//! What a model of World of Warcraft wears.

use crate::app::Viewer;
use crate::looks::title;
use effigy::assets::Choices;
use egui::{CollapsingHeader, ComboBox, Grid, Ui};

/// A list of the looks of a creature or item, or the choices for a character; nothing for other models.
pub fn show(viewer: &mut Viewer, ui: &mut Ui) {
    let changed = match viewer.wardrobe.choices {
        Some(choices) => character(viewer, ui, choices),
        None if !viewer.wardrobe.looks.is_empty() => rows(viewer, ui),
        None => false,
    };
    if changed {
        let ctx = ui.ctx().clone();
        viewer.wear(&ctx);
    }
}

/// The rows of the game's tables.
fn rows(viewer: &mut Viewer, ui: &mut Ui) -> bool {
    let wardrobe = &mut viewer.wardrobe;
    let before = wardrobe.worn;
    let text = wardrobe.worn.and_then(|index| wardrobe.looks.get(index)).map(title);
    let text = text.unwrap_or_else(|| format!("the first of {}", wardrobe.looks.len()));
    ui.horizontal(|ui| {
        ui.label("look");
        let width = (ui.available_width() - 12.0).max(60.0);
        let list =
            ComboBox::from_id_salt("look").selected_text(text).width(width).truncate().show_ui(ui, |ui| {
                for (index, look) in wardrobe.looks.iter().enumerate() {
                    let is_here = wardrobe.worn == Some(index);
                    if ui.selectable_label(is_here, title(look)).on_hover_text(look.table).clicked() {
                        wardrobe.worn = Some(index);
                        ui.close();
                    }
                }
            });
        super::name_list(&list.response, "Look");
    });
    wardrobe.worn != before
}

/// Skin, face, hair and beard of a character.
fn character(viewer: &mut Viewer, ui: &mut Ui, choices: Choices) -> bool {
    let look = &mut viewer.wardrobe.appearance;
    let before = *look;
    let mut hair = look.hair.unwrap_or(0);
    let hair_before = hair;
    CollapsingHeader::new("Look").default_open(true).show(ui, |ui| {
        Grid::new("look").num_columns(2).show(ui, |ui| {
            for (name, value, count) in [
                ("skin", &mut look.skin, choices.skins),
                ("face", &mut look.face, choices.faces),
                ("hair", &mut hair, choices.hairs),
                ("hair colour", &mut look.hair_color, choices.hair_colors),
                ("beard, horns", &mut look.facial, choices.facials),
            ] {
                if count > 1 {
                    stepper(ui, name, value, count);
                    ui.end_row();
                }
            }
        });
    });
    if hair != hair_before {
        look.hair = Some(hair);
    }
    *look != before
}

/// A number to choose with two buttons, which go around the ends.
fn stepper(ui: &mut Ui, name: &str, value: &mut u32, count: u32) {
    ui.weak(name);
    ui.horizontal(|ui| {
        let button = |ui: &mut Ui, text: &str, help: &str| {
            let button = ui.small_button(text).on_hover_text(format!("{help} {name}"));
            button.widget_info(|| {
                egui::WidgetInfo::labeled(egui::Role::Button, true, format!("{help} {name}"))
            });
            button.clicked()
        };
        if button(ui, "<", "Previous") {
            *value = (*value + count - 1) % count;
        }
        ui.monospace(format!("{:2} / {count}", *value + 1));
        if button(ui, ">", "Next") {
            *value = (*value + 1) % count;
        }
    });
}
