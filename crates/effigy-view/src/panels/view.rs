//! The view in the middle: the picture of the model, the mouse, and what is shown while there is no model.

use crate::app::Viewer;
use crate::commands::Command;
use crate::pick;
use crate::stopwatch::Stopwatch;
use crate::viewport::Shown;
use egui::{Align2, CentralPanel, Color32, FontId, Frame, PointerButton, Rect, RichText, Sense, Ui};
use glam::Vec2;

pub fn show(viewer: &mut Viewer, ui: &mut Ui) {
    CentralPanel::default().frame(Frame::NONE).show(ui, |ui| {
        let rect = ui.available_rect_before_wrap();
        viewer.view = rect;
        if viewer.session.is_some() {
            picture(viewer, ui, rect);
        } else if viewer.problem.is_none() && viewer.announced.is_none() {
            empty(viewer, ui);
        }
        problem(viewer, ui, rect);
        if let Some(announced) = &viewer.announced {
            let size = announced.file.size().and_then(|size| usize::try_from(size).ok()).unwrap_or(0);
            let text = format!("Opening {} ({})", announced.file.file_name(), super::info::size(size));
            announce(ui, rect, &text);
        }
        if ui.ctx().input(|input| !input.raw.hovered_files.is_empty()) {
            let place = viewer.place_of_drop(ui.ctx().pointer_latest_pos());
            let text = place.map_or("Drop to open".to_owned(), |place| format!("Drop to attach to {place}"));
            announce(ui, rect, &text);
        }
    });
}

/// Large words over the view.
fn announce(ui: &Ui, rect: Rect, text: &str) {
    ui.painter().rect_filled(rect, 0.0, Color32::from_black_alpha(160));
    ui.painter().text(rect.center(), Align2::CENTER_CENTER, text, FontId::proportional(28.0), Color32::WHITE);
}

/// Pixels of a length in points.
fn pixels(length: f32, scale: f32) -> u32 {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
    let pixels = (length * scale).round().clamp(1.0, 16_384.0) as u32;
    pixels
}

/// Points between two models.
const GAP: f32 = 2.0;

fn picture(viewer: &mut Viewer, ui: &mut Ui, rect: Rect) {
    let response = ui.allocate_rect(rect, Sense::click_and_drag());
    let (first, second) = match &viewer.second {
        Some(_) => {
            let (left, right) = rect.split_left_right_at_x(rect.center().x);
            (left.with_max_x(left.right() - GAP / 2.0), Some(right.with_min_x(right.left() + GAP / 2.0)))
        }
        None => (rect, None),
    };
    viewer.view = first;
    mouse(viewer, ui, first, &response);
    let scale = ui.ctx().pixels_per_point();
    let size = |rect: Rect| [pixels(rect.width(), scale), pixels(rect.height(), scale)];
    let clock = Stopwatch::start();
    let before = viewer.viewport.drawn;
    let drawn = viewer.draw(size(first));
    put(viewer, ui, first, drawn);
    if let Some(second) = second {
        let drawn = viewer.draw_second(size(second), viewer.viewport.drawn != before);
        put(viewer, ui, second, drawn);
        compared(viewer, ui, first, second);
    }
    viewer.cost = viewer.posing + clock.milliseconds();
    if let Some(session) = &viewer.session
        && let Some(index) = viewer.own_camera
    {
        let name = session.stage.scene().cameras.as_slice().get(index).map(|camera| camera.name.clone());
        caption(ui, first, 1, &format!("camera: {}", name.unwrap_or_default()));
    }
}

/// Shows a picture, or why it could not be drawn.
fn put(viewer: &mut Viewer, ui: &Ui, rect: Rect, drawn: effigy::Result<Option<Shown>>) {
    match drawn {
        Ok(Some(shown)) => shown.paint(ui.painter(), rect),
        Ok(None) => {}
        Err(error) => viewer.fail("The model cannot be drawn", error.to_string()),
    }
}

/// A line of text in the corner of a picture.
fn caption(ui: &Ui, rect: Rect, line: u8, text: &str) {
    let at = rect.left_top() + egui::vec2(8.0, 6.0 + 16.0 * f32::from(line.saturating_sub(1)));
    let painter = ui.painter().with_clip_rect(rect);
    painter.text(at, Align2::LEFT_TOP, text, FontId::proportional(13.0), Color32::WHITE);
}

/// The names of both models and what they play, and a button that ends the comparison.
fn compared(viewer: &mut Viewer, ui: &mut Ui, first: Rect, second: Rect) {
    let (Some(session), Some(other)) = (&viewer.session, &viewer.second) else { return };
    let line = viewer.own_camera.map_or(1, |_| 2);
    for (rect, session) in [(first, session), (second, &other.session)] {
        let stage = &session.stage;
        let playing = crate::playback::sequence(stage).and_then(|id| stage.scene().sequences.get(id));
        let playing = playing.map(|sequence| format!(" - {}", sequence.name)).unwrap_or_default();
        caption(ui, rect, line, &format!("{}{playing}", session.file.file_name()));
    }
    let corner = Rect::from_min_size(second.right_top() + egui::vec2(-70.0, 4.0), egui::vec2(64.0, 20.0));
    let help = Command::EndComparison.entry().map_or("", |entry| entry.help);
    if ui.put(corner, egui::Button::new("Close")).on_hover_text(help).clicked() {
        viewer.queue.push(Command::EndComparison);
        ui.ctx().request_repaint();
    }
}

fn mouse(viewer: &mut Viewer, ui: &Ui, rect: Rect, response: &egui::Response) {
    let shift = ui.input(|input| input.modifiers.shift);
    let delta = response.drag_delta();
    let before = (viewer.orbit, viewer.own_camera);
    viewer.turning = response.dragged();
    if response.dragged_by(PointerButton::Middle) || (shift && response.dragged_by(PointerButton::Primary)) {
        viewer.orbit.pan(delta.x, delta.y, rect.height());
    } else if response.dragged_by(PointerButton::Primary) {
        viewer.own_camera = None;
        viewer.orbit.turn(delta.x, delta.y);
    } else if response.dragged_by(PointerButton::Secondary) {
        viewer.orbit.zoom((-delta.y * 0.01).exp());
    }
    if response.hovered() {
        let (scroll, pinch) = ui.input(|input| (input.smooth_scroll_delta().y, input.zoom_delta()));
        if scroll != 0.0 || pinch != 1.0 {
            viewer.orbit.zoom((scroll * 0.004).exp() * pinch);
        }
    }
    if response.double_clicked() {
        viewer.queue.push(Command::Fit);
        ui.ctx().request_repaint();
    } else if response.clicked() {
        select(viewer, rect, response);
        ui.ctx().request_repaint();
    }
    if before != (viewer.orbit, viewer.own_camera) {
        viewer.viewport.stale = true;
    }
}

fn select(viewer: &mut Viewer, rect: Rect, response: &egui::Response) {
    let Some(at) = response.interact_pointer_pos().filter(|at| rect.contains(*at)) else { return };
    let (at, size) = (at - rect.min, rect.size());
    let camera = viewer.camera(size.x / size.y.max(1.0));
    let overlays = viewer.settings.overlays;
    if let Some(session) = &mut viewer.session {
        let part =
            pick::pick(&session.stage, &camera, &overlays, Vec2::new(at.x, at.y), Vec2::new(size.x, size.y));
        session.select(part);
        viewer.reveal = true;
        viewer.viewport.stale = true;
    }
}

fn empty(viewer: &mut Viewer, ui: &mut Ui) {
    ui.vertical_centered(|ui| {
        ui.add_space((ui.available_height() / 2.0 - 120.0).max(20.0));
        ui.label(RichText::new("Drop a model or a map").size(26.0));
        ui.weak("Warcraft III (MDX, MDL, maps), World of Warcraft (M2, MPQ), Return to Castle Wolfenstein (MDC, MD3, PK3), glTF");
        ui.add_space(16.0);
        for command in [Command::Open, Command::OpenFolder, Command::Sample] {
            let Some(entry) = command.entry() else { continue };
            if ui.button(entry.name).on_hover_text(entry.help).clicked() {
                viewer.queue.push(command);
                ui.ctx().request_repaint();
            }
        }
        if !viewer.settings.recent.is_empty() {
            ui.add_space(16.0);
            ui.weak("Recent");
            super::menu::recent(viewer, ui);
        }
    });
}

fn problem(viewer: &mut Viewer, ui: &mut Ui, rect: Rect) {
    let Some(problem) = &viewer.problem else { return };
    let mut close = false;
    let width = (rect.width() - 40.0).clamp(120.0, 560.0);
    let area = Rect::from_center_size(rect.center(), egui::vec2(width, 160.0));
    ui.scope_builder(egui::UiBuilder::new().max_rect(area), |ui| {
        Frame::popup(ui.style()).show(ui, |ui| {
            ui.set_width(width - 20.0);
            ui.label(RichText::new(&problem.title).strong());
            ui.colored_label(ui.visuals().error_fg_color, &problem.text);
            close = ui.button("Close").clicked();
        });
    });
    if close {
        viewer.problem = None;
    }
}
