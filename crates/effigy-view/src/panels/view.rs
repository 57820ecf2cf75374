//! The view in the middle: the picture of the model, the mouse, and what is shown while there is no model.

use crate::app::Viewer;
use crate::commands::Command;
use crate::pick;
use egui::{CentralPanel, Frame, PointerButton, Pos2, Rect, RichText, Sense, Ui};
use glam::Vec2;
use std::time::Duration;

pub fn show(viewer: &mut Viewer, ui: &mut Ui) {
    CentralPanel::default().frame(Frame::NONE).show(ui, |ui| {
        let rect = ui.available_rect_before_wrap();
        viewer.view = rect;
        if viewer.session.is_some() {
            picture(viewer, ui, rect);
        } else if viewer.problem.is_none() {
            empty(viewer, ui);
        }
        problem(viewer, ui, rect);
        if ui.ctx().input(|input| !input.raw.hovered_files.is_empty()) {
            let text = "Drop to open";
            let font = egui::FontId::proportional(28.0);
            ui.painter().rect_filled(rect, 0.0, egui::Color32::from_black_alpha(160));
            ui.painter().text(rect.center(), egui::Align2::CENTER_CENTER, text, font, egui::Color32::WHITE);
        }
    });
}

/// Pixels of a length in points.
fn pixels(length: f32, scale: f32) -> u32 {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
    let pixels = (length * scale).round().clamp(1.0, 16_384.0) as u32;
    pixels
}

fn picture(viewer: &mut Viewer, ui: &mut Ui, rect: Rect) {
    let response = ui.allocate_rect(rect, Sense::click_and_drag());
    mouse(viewer, ui, rect, &response);
    let scale = ui.ctx().pixels_per_point();
    let size = [pixels(rect.width(), scale), pixels(rect.height(), scale)];
    let clock = Stopwatch::start();
    match viewer.draw(size) {
        Ok(Some(texture)) => {
            let uv = Rect::from_min_max(Pos2::ZERO, egui::pos2(1.0, 1.0));
            ui.painter().image(texture, rect, uv, egui::Color32::WHITE);
        }
        Ok(None) => {}
        Err(error) => viewer.fail("The model cannot be drawn", error.to_string()),
    }
    viewer.cost = clock.milliseconds();
    if let Some(session) = &viewer.session
        && let Some(index) = viewer.own_camera
    {
        let name = session.stage.scene().cameras.as_slice().get(index).map(|camera| camera.name.clone());
        let text = format!("camera: {}", name.unwrap_or_default());
        let font = egui::FontId::proportional(13.0);
        let at = rect.left_top() + egui::vec2(8.0, 6.0);
        ui.painter().text(at, egui::Align2::LEFT_TOP, text, font, egui::Color32::WHITE);
    }
}

/// Measures how long something takes, where there is a clock.
struct Stopwatch(#[cfg(not(target_arch = "wasm32"))] std::time::Instant);

impl Stopwatch {
    fn start() -> Self {
        Self(
            #[cfg(not(target_arch = "wasm32"))]
            std::time::Instant::now(),
        )
    }

    fn milliseconds(&self) -> f64 {
        #[cfg(not(target_arch = "wasm32"))]
        let elapsed = self.0.elapsed();
        #[cfg(target_arch = "wasm32")]
        let elapsed = Duration::ZERO;
        Duration::as_secs_f64(&elapsed) * 1000.0
    }
}

fn mouse(viewer: &mut Viewer, ui: &Ui, rect: Rect, response: &egui::Response) {
    let shift = ui.input(|input| input.modifiers.shift);
    let delta = response.drag_delta();
    let before = (viewer.orbit, viewer.own_camera);
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
    let Some(at) = response.interact_pointer_pos() else { return };
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
