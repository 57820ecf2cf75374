//! The models of the folder or archive, with a filter and small pictures.

use crate::app::Viewer;
use crate::library::{Item, Library};
use crate::thumbnails::{Thumbnail, Thumbnails};
use egui::{Align2, Color32, FontId, Rect, Response, ScrollArea, Sense, Ui};

/// Width and height of a picture, in points.
const PICTURE: f32 = 40.0;
/// Room around the picture and the text of a row.
const MARGIN: f32 = 2.0;

/// What the user asked for.
enum Wish {
    Open(usize),
    Compare(usize),
    Attach(usize),
    Back,
}

pub fn show(viewer: &mut Viewer, ui: &mut Ui) {
    let place = viewer.place_of_selected();
    let Some(library) = &viewer.library else {
        ui.weak("Open a folder, a map or an archive to list its models.");
        return;
    };
    let mut wish = None;
    ui.horizontal(|ui| {
        if library.back.is_some()
            && ui.small_button("<").on_hover_text("Back to the folder or archive around this one").clicked()
        {
            wish = Some(Wish::Back);
        }
        ui.add(egui::Label::new(library.label.as_str()).truncate()).on_hover_text(&library.label);
    });
    super::filter(ui, &mut viewer.browse_filter, "filter");
    let matching = library.matching(&viewer.browse_filter);
    ui.weak(format!("{} of {}", matching.len(), library.items.len()));
    let here = viewer.session.as_ref().and_then(|session| library.position(&session.file));
    let pictures = viewer.settings.thumbnails;
    let row = if pictures { PICTURE + 2.0 * MARGIN } else { ui.spacing().interact_size.y };
    let mut area = ScrollArea::vertical().auto_shrink([false; 2]);
    if std::mem::take(&mut viewer.reveal)
        && let Some(at) = here.and_then(|here| matching.iter().position(|index| *index == here))
    {
        let height = row + ui.spacing().item_spacing.y;
        area = area.vertical_scroll_offset((at as f32 * height - ui.available_height() / 2.0).max(0.0));
    }
    let list = area.show_rows(ui, row, matching.len(), |ui, rows| {
        for index in matching.get(rows).unwrap_or_default() {
            let Some(item) = library.items.get(*index) else { continue };
            let thumbnails = pictures.then_some(&mut viewer.thumbnails);
            let response = line(ui, row, here == Some(*index), library, item, thumbnails);
            if response.clicked() {
                wish = Some(Wish::Open(*index));
            }
            if item.is_archive {
                continue;
            }
            response.context_menu(|ui| {
                if ui.button("Open").clicked() {
                    wish = Some(Wish::Open(*index));
                }
                if ui.button("Compare with it").clicked() {
                    wish = Some(Wish::Compare(*index));
                }
                let attach = match &place {
                    Some(place) => format!("Attach it to {place}"),
                    None => "Attach it (select an attachment first)".to_owned(),
                };
                if ui.add_enabled(place.is_some(), egui::Button::new(attach)).clicked() {
                    wish = Some(Wish::Attach(*index));
                }
            });
        }
    });
    viewer.thumbnails.scroll_to(list.state.unclamped_offset().y);
    if let Some(wish) = wish {
        grant(viewer, ui, wish);
    }
}

fn grant(viewer: &mut Viewer, ui: &Ui, wish: Wish) {
    let ctx = ui.ctx().clone();
    let file = |index: usize| {
        let library = viewer.library.as_ref()?;
        library.items.get(index).map(|item| library.file(item))
    };
    match wish {
        Wish::Open(index) => viewer.open_item(&ctx, index),
        Wish::Compare(index) => {
            if let Some(file) = file(index) {
                viewer.compare_with(file);
            }
        }
        Wish::Attach(index) => {
            if let (Some(file), Some(place)) = (file(index), viewer.place_of_selected()) {
                viewer.attach(&file, &place);
            }
        }
        Wish::Back => {
            if let Some(inner) = viewer.library.take() {
                viewer.library = inner.back.map(|outer| *outer);
            }
        }
    }
    ctx.request_repaint();
}

/// One line: the picture, the name of the file, and its folder below.
fn line(
    ui: &mut Ui,
    height: f32,
    is_open: bool,
    library: &Library,
    item: &Item,
    thumbnails: Option<&mut Thumbnails>,
) -> Response {
    let (rect, response) = ui.allocate_exact_size(egui::vec2(ui.available_width(), height), Sense::click());
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, is_open, &item.name));
    let style = ui.style().interact_selectable(&response, is_open);
    if is_open || response.hovered() || response.has_focus() {
        ui.painter().rect_filled(rect, style.corner_radius, style.weak_bg_fill);
    }
    let (folder, name) = item.name.rsplit_once(['/', '\\']).unwrap_or(("", &item.name));
    let mut left = rect.left() + MARGIN * 2.0;
    if let Some(thumbnails) = thumbnails {
        let square = Rect::from_min_size(rect.min + egui::vec2(MARGIN, MARGIN), egui::Vec2::splat(PICTURE));
        picture(ui, square, library, item, thumbnails);
        left = square.right() + MARGIN * 3.0;
    }
    let room = ui.painter().with_clip_rect(Rect::from_min_max(egui::pos2(left, rect.top()), rect.max));
    let text = if item.is_archive { format!("[{name}]") } else { name.to_owned() };
    let font = egui::TextStyle::Button.resolve(ui.style());
    let two_lines = height > 2.0 * font.size && !folder.is_empty();
    let (align, y) = match two_lines {
        true => (Align2::LEFT_BOTTOM, rect.center().y),
        false => (Align2::LEFT_CENTER, rect.center().y),
    };
    let width = |font: &FontId, text: &str| {
        room.layout_no_wrap(text.to_owned(), font.clone(), Color32::WHITE).size().x
    };
    let space = rect.right() - left;
    let text = shortened(&text, |text| width(&font, text) <= space);
    room.text(egui::pos2(left, y), align, text, font, style.text_color());
    if two_lines {
        let small = FontId::proportional(10.0);
        let at = egui::pos2(left, rect.center().y + 2.0);
        let folder = shortened(folder, |text| width(&small, text) <= space);
        room.text(at, Align2::LEFT_TOP, folder, small, ui.visuals().weak_text_color());
    }
    response.on_hover_text(&item.name)
}

/// A text without its middle, as much as fits: names in a folder often differ at their end only.
fn shortened(text: &str, fits: impl Fn(&str) -> bool) -> String {
    if fits(text) {
        return text.to_owned();
    }
    let letters: Vec<char> = text.chars().collect();
    let without = |kept: usize| -> String {
        let (front, back) = (kept.div_ceil(2), letters.len() - kept / 2);
        letters.iter().take(front).chain(&['…']).chain(letters.iter().skip(back)).collect()
    };
    // The first number of kept letters that is too large.
    let (mut fitting, mut large) = (0, letters.len());
    while fitting + 1 < large {
        let middle = fitting.midpoint(large);
        if fits(&without(middle)) { fitting = middle } else { large = middle }
    }
    without(fitting)
}

/// The picture of an item; a plain mark for an archive, for a file that has none, and while it is drawn.
fn picture(ui: &Ui, square: Rect, library: &Library, item: &Item, thumbnails: &mut Thumbnails) {
    let painter = ui.painter();
    painter.rect_filled(square, 3.0, ui.visuals().extreme_bg_color);
    let mark = match item.is_archive {
        true => "[ ]",
        false => match thumbnails.get(library, item) {
            Thumbnail::Drawn(texture) => {
                let uv = Rect::from_min_max(egui::Pos2::ZERO, egui::pos2(1.0, 1.0));
                painter.image(texture, square, uv, Color32::WHITE);
                return;
            }
            Thumbnail::None => "x",
            Thumbnail::Waiting => "...",
        },
    };
    let color = ui.visuals().weak_text_color();
    painter.text(square.center(), Align2::CENTER_CENTER, mark, FontId::proportional(14.0), color);
}

#[cfg(test)]
mod tests {
    use super::shortened;

    #[test]
    fn a_long_name_loses_its_middle() {
        let most = |count: usize| move |text: &str| text.chars().count() <= count;
        assert_eq!(shortened("FootmanAttack01.mdx", most(19)), "FootmanAttack01.mdx");
        assert_eq!(shortened("FootmanAttack01.mdx", most(12)), "Footma…1.mdx");
        assert_eq!(shortened("FootmanAttack01.mdx", most(11)), "Footm…1.mdx");
        assert_eq!(shortened("中文模型的名字", most(4)), "中文…字");
        assert_eq!(shortened("ab", most(0)), "…");
        assert_eq!(shortened("", most(0)), "");
    }
}
