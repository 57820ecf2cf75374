//! What `check` found. A click selects the part of the model; repairs are shown before they are saved.

use crate::app::{RightTab, Viewer};
use crate::platform::Content;
use crate::session::in_words;
use effigy::{Finding, Severity};
use egui::{Color32, RichText, ScrollArea, Ui};

fn color(ui: &Ui, severity: Severity) -> Color32 {
    match severity {
        Severity::Error | Severity::Severe => ui.visuals().error_fg_color,
        Severity::Warning => ui.visuals().warn_fg_color,
        Severity::Note | Severity::Unused => ui.visuals().weak_text_color(),
    }
}

/// What the user asked for.
enum Wish {
    Select(String),
    Preview(Option<&'static str>),
    End,
    Save,
}

pub fn show(viewer: &mut Viewer, ui: &mut Ui) {
    let Some(session) = &viewer.session else { return super::nothing_open(ui) };
    let mut wish = None;
    let findings = &session.checked.findings;
    match &session.preview {
        Some(preview) => {
            ui.colored_label(
                ui.visuals().warn_fg_color,
                format!("{} repairs, not saved", preview.applied.len()),
            );
            ui.horizontal(|ui| {
                match &preview.bytes {
                    Ok(_) => {
                        if ui.button("Save as...").clicked() {
                            wish = Some(Wish::Save);
                        }
                    }
                    Err(error) => {
                        ui.label(format!("it cannot be written: {error}"));
                    }
                }
                if ui.button("Back to the file").clicked() {
                    wish = Some(Wish::End);
                }
            });
            ui.collapsing("What was repaired", |ui| {
                for one in &preview.applied {
                    ui.label(format!("{} {}: {}", one.code, one.path, one.message));
                }
            });
            ui.separator();
        }
        None => {
            let fixable = findings.iter().filter(|finding| finding.fixable).count();
            ui.horizontal(|ui| {
                ui.label(format!("{} ({})", session.checked.guess.profile, session.checked.guess.reason));
            });
            if fixable > 0 && ui.button(format!("Preview {fixable} repairs")).clicked() {
                wish = Some(Wish::Preview(None));
            }
        }
    }
    if findings.is_empty() {
        ui.label("Nothing is wrong.");
    }
    ScrollArea::vertical().auto_shrink([false; 2]).show(ui, |ui| {
        let mut last = None;
        for (index, finding) in findings.iter().enumerate() {
            if last != Some(finding.code) {
                last = Some(finding.code);
                heading(ui, finding, session.preview.is_none(), &mut wish);
            }
            let place = if finding.path.is_empty() { "the model".to_owned() } else { finding.path.clone() };
            let offset = finding.offset.map(|offset| format!("{offset:#x} ")).unwrap_or_default();
            let text = RichText::new(format!("{offset}{place}")).monospace().size(11.0);
            ui.push_id(index, |ui| {
                if ui.link(text).on_hover_text("Select it").clicked() {
                    wish = Some(Wish::Select(finding.path.clone()));
                }
                ui.add(egui::Label::new(finding.message.as_str()).wrap());
            });
        }
        if session.checked.left_out > 0 {
            ui.weak(format!("{} more of the same rules", session.checked.left_out));
        }
    });
    if let Some(wish) = wish {
        grant(viewer, ui, wish);
    }
}

fn heading(ui: &mut Ui, finding: &Finding, can_fix: bool, wish: &mut Option<Wish>) {
    ui.add_space(6.0);
    ui.horizontal_wrapped(|ui| {
        ui.colored_label(color(ui, finding.severity), RichText::new(finding.severity.to_string()).strong());
        let code = ui.monospace(finding.code.to_string());
        if let Some(explained) = effigy::rules::explain(finding.code.0) {
            code.on_hover_text(explained.text);
        }
        ui.strong(finding.title);
        if finding.fixable && can_fix && ui.small_button("fix").clicked() {
            *wish = Some(Wish::Preview(Some(finding.code.0)));
        }
    });
}

fn grant(viewer: &mut Viewer, ui: &Ui, wish: Wish) {
    let team = viewer.settings.team_color();
    let name = {
        let extension = viewer.session.as_ref().map(|session| session.file.extension()).unwrap_or_default();
        format!("{}-repaired.{extension}", viewer.stem())
    };
    let Some(session) = &mut viewer.session else { return };
    match wish {
        Wish::Select(path) => {
            session.select_path(&path);
            viewer.reveal = true;
            viewer.right = if session.selected.is_none() { RightTab::Selected } else { viewer.right };
        }
        Wish::Preview(code) => {
            let codes: Vec<&str> = code.into_iter().collect();
            match session.preview(&viewer.renderer, &codes, team) {
                Ok(true) => viewer.message.clear(),
                Ok(false) => "nothing was repaired".clone_into(&mut viewer.message),
                Err(error) => viewer.message = in_words(&error),
            }
            viewer.textures.clear();
        }
        Wish::End => {
            if let Err(error) = session.end_preview(&viewer.renderer, team) {
                viewer.message = in_words(&error);
            }
            viewer.textures.clear();
        }
        Wish::Save => {
            if let Some(Ok(bytes)) = session.preview.as_ref().map(|preview| preview.bytes.clone()) {
                viewer.platform.save(ui.ctx(), name, Content::Bytes(bytes));
            }
        }
    }
    viewer.viewport.stale = true;
    ui.ctx().request_repaint();
}
