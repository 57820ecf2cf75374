//! Time at the bottom: play, step, sequences, speed, loop, and a scrubber over the whole width with marks for events.

use crate::app::Viewer;
use crate::commands::Command;
use crate::playback::{self, LoopMode};
use effigy::pictures::WarmUp;
use egui::{Align2, Button, ComboBox, FontId, Panel, Sense, Stroke, Ui};

/// Height of the scrubber.
const HEIGHT: f32 = 26.0;
/// Shortest distance of two marks on the scale, in points.
const SPACING: f32 = 60.0;

pub fn show(viewer: &mut Viewer, ui: &mut Ui) {
    Panel::bottom("timeline").show(ui, |ui| {
        ui.add_space(2.0);
        ui.horizontal(|ui| controls(viewer, ui));
        scrubber(viewer, ui);
        ui.add_space(2.0);
    });
}

fn button(viewer: &mut Viewer, ui: &mut Ui, text: &str, command: Command) {
    let entry = command.entry();
    let help = entry.map(|entry| format!("{} ({})", entry.help, entry.key_text())).unwrap_or_default();
    let open = viewer.session.is_some();
    if ui.add_enabled(open, Button::new(text)).on_hover_text(help).clicked() {
        viewer.queue.push(command);
    }
}

fn controls(viewer: &mut Viewer, ui: &mut Ui) {
    button(viewer, ui, "|<", Command::StepBack);
    button(viewer, ui, if viewer.playback.playing { "Pause" } else { "Play" }, Command::Play);
    button(viewer, ui, ">|", Command::StepOn);
    sequences(viewer, ui);
    if let Some(session) = &viewer.session {
        let (time, length) = (playback::time(&session.stage), playback::length(&session.stage));
        ui.monospace(format!("{:6.2} / {:.2} s", time / 1000.0, length / 1000.0));
    }
    ui.separator();
    let mut speed = viewer.playback.speed;
    let list =
        ComboBox::from_id_salt("speed").selected_text(format!("{speed}x")).width(60.0).show_ui(ui, |ui| {
            for one in [0.0625, 0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0] {
                ui.selectable_value(&mut speed, one, format!("{one}x"));
            }
        });
    super::name_list(&list.response, "Speed");
    viewer.set_speed(speed);
    ui.label("loop");
    let looping = &mut viewer.playback.looping;
    let list = ComboBox::from_id_salt("loop").selected_text(looping.name()).width(110.0).show_ui(ui, |ui| {
        for mode in LoopMode::ALL {
            ui.selectable_value(looping, mode, mode.name());
        }
    });
    super::name_list(&list.response, "Loop");
}

fn sequences(viewer: &mut Viewer, ui: &mut Ui) {
    let Some(session) = &viewer.session else { return };
    let scene = session.stage.scene();
    if scene.sequences.is_empty() {
        ui.weak("no sequences");
        return;
    }
    let here = playback::sequence(&session.stage);
    let name =
        here.and_then(|id| scene.sequences.get(id)).map_or("at rest", |sequence| sequence.name.as_str());
    let mut chosen = None;
    let list =
        ComboBox::from_id_salt("sequence").selected_text(name).width(170.0).height(400.0).show_ui(ui, |ui| {
            for (id, sequence) in scene.sequences.iter() {
                let seconds = f64::from(sequence.length()) / 1000.0;
                let text = format!("{}  {seconds:.2} s", sequence.name);
                if ui.selectable_label(here == Some(id), text).clicked() {
                    chosen = Some(id);
                    ui.close();
                }
            }
        });
    super::name_list(&list.response, "Sequence");
    if chosen.is_some() {
        viewer.play(chosen);
    }
}

/// A round number of seconds between two marks of the scale.
fn spacing(length: f64, width: f32) -> f64 {
    let least = length / 1000.0 / f64::from((width / SPACING).max(1.0));
    let power = 10.0_f64.powf(least.max(1e-3).log10().floor());
    [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|step| step * power)
        .find(|step| *step >= least)
        .unwrap_or(10.0 * power)
}

fn scrubber(viewer: &mut Viewer, ui: &mut Ui) {
    let (rect, response) =
        ui.allocate_exact_size(egui::vec2(ui.available_width(), HEIGHT), Sense::click_and_drag());
    let painter = ui.painter_at(rect);
    let visuals = ui.visuals();
    painter.rect_filled(rect, 3.0, visuals.extreme_bg_color);
    let Some(session) = &viewer.session else { return };
    let (time, length) = (playback::time(&session.stage), playback::length(&session.stage));
    if length <= 0.0 {
        painter.text(
            rect.center(),
            Align2::CENTER_CENTER,
            "nothing to play",
            FontId::proportional(11.0),
            visuals.weak_text_color(),
        );
        return;
    }
    #[allow(clippy::cast_possible_truncation, reason = "a position on the screen")]
    let x = |milliseconds: f64| rect.left() + rect.width() * (milliseconds / length).clamp(0.0, 1.0) as f32;
    let step = spacing(length, rect.width());
    let mut second = 0.0;
    while second * 1000.0 <= length {
        let at = x(second * 1000.0);
        painter.vline(at, rect.bottom() - 5.0..=rect.bottom(), Stroke::new(1.0, visuals.weak_text_color()));
        let text = format!("{}", (second * 1000.0).round() / 1000.0);
        painter.text(
            egui::pos2(at + 2.0, rect.bottom()),
            Align2::LEFT_BOTTOM,
            text,
            FontId::proportional(9.0),
            visuals.weak_text_color(),
        );
        second += step;
    }
    let events = playback::events(&session.stage);
    for (share, _) in &events {
        let at = rect.left() + rect.width() * share;
        painter.vline(at, rect.top()..=rect.top() + 10.0, Stroke::new(2.0, visuals.warn_fg_color));
    }
    painter.vline(x(time), rect.y_range(), Stroke::new(2.0, visuals.selection.bg_fill));
    if let Some(at) = response.hover_pos() {
        let near = |share: &f32| (rect.left() + rect.width() * share - at.x).abs() < 5.0;
        let names: Vec<&str> =
            events.iter().filter(|(share, _)| near(share)).map(|(_, name)| name.as_str()).collect();
        if !names.is_empty() {
            response.clone().on_hover_text_at_pointer(names.join("\n"));
        }
    }
    let pointed = response.interact_pointer_pos().filter(|_| response.dragged() || response.clicked());
    if let Some(at) = pointed {
        let share = f64::from(((at.x - rect.left()) / rect.width().max(1.0)).clamp(0.0, 1.0));
        viewer.playback.playing = false;
        let warm_up = if response.dragged() { WarmUp::SCRUBBING } else { WarmUp::Full };
        viewer.seek(share * length, warm_up);
        ui.ctx().request_repaint();
    } else if response.drag_stopped() {
        viewer.seek(time, WarmUp::Full);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_has_round_numbers_that_do_not_overlap() {
        for (length, width, expected) in [(1000.0, 600.0, 0.1), (2333.0, 600.0, 0.5), (60_000.0, 1200.0, 5.0)]
        {
            assert!((spacing(length, width) - expected).abs() < 1e-9, "{}", spacing(length, width));
        }
    }
}
