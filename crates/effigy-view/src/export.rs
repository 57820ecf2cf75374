//! The export window: another format or version, and what is lost on the way.

use crate::app::Viewer;
use crate::platform::Content;
use crate::session::in_words;
use effigy::{Converted, Format, Model, ROUTES, Report, Target};
use egui::{ScrollArea, Window};

/// Versions that people ask for, next to the formats themselves.
const VERSIONS: [&str; 8] =
    ["mdx:800", "mdx:900", "mdx:1000", "mdx:1100", "m2:256", "m2:260", "m2:264", "mdx:1300"];

/// The state of the window.
pub struct Export {
    choices: Vec<String>,
    /// What to convert to, as `effigy convert --to` takes it.
    target: String,
    outcome: Option<Outcome>,
}

/// What came of the last conversion.
enum Outcome {
    Done(Report, Option<Box<Converted>>),
    Failed(String),
}

impl Export {
    /// The window for a model.
    pub fn new(model: &Model) -> Self {
        let from = model.format();
        let routes = || ROUTES.iter().filter(|route| route.from.contains(&from));
        let formats = routes().map(|route| route.to.name().to_owned());
        let leads = |text: &&&str| {
            text.parse::<Target>().is_ok_and(|target| routes().any(|route| route.to == target.format))
        };
        let versions = VERSIONS.iter().filter(leads).map(|text| (*text).to_owned());
        let choices: Vec<String> = formats.chain(versions).collect();
        let usual = choices.iter().find(|choice| *choice == "glb").or_else(|| choices.first());
        let target = usual.cloned().unwrap_or_default();
        Self { choices, target, outcome: None }
    }

    fn convert(&mut self, model: &Model) {
        let converted = self.target.parse().and_then(|target: Target| model.convert(&target));
        self.outcome = Some(match converted {
            Ok(mut converted) => {
                let report = std::mem::take(&mut converted.report);
                Outcome::Done(report, Some(Box::new(converted)))
            }
            Err(error) => Outcome::Failed(in_words(&error)),
        });
    }

    fn extension(&self) -> &'static str {
        self.target.parse::<Target>().map_or("bin", |target| target.format.extension())
    }
}

/// Enter converts, and then saves, while the window is open and no text is edited.
pub fn keys(viewer: &mut Viewer, ctx: &egui::Context) {
    let (Some(export), Some(session)) = (&mut viewer.export, &viewer.session) else { return };
    let is_pressed = |key| ctx.input_mut(|input| input.consume_key(egui::Modifiers::NONE, key));
    if ctx.text_edit_focused() || !is_pressed(egui::Key::Enter) {
        return;
    }
    match export.outcome {
        None => export.convert(&session.model),
        Some(Outcome::Done(..)) => save(viewer, ctx),
        Some(Outcome::Failed(_)) => {}
    }
}

fn save(viewer: &mut Viewer, ctx: &egui::Context) {
    let stem = viewer.stem();
    let Some(export) = &mut viewer.export else { return };
    let name = format!("{stem}.{}", export.extension());
    if let Some(Outcome::Done(_, converted)) = &mut export.outcome
        && let Some(converted) = converted.take()
    {
        viewer.platform.save(ctx, name, Content::Converted(converted));
        ctx.request_repaint();
    }
}

/// Whether a format is of the model's own family: its files are written as they are, without attached models.
fn is_own_family(from: Format, to: Format) -> bool {
    let family = |format: Format| match format {
        Format::Mdl => Format::Mdx,
        Format::Md3 => Format::Mdc,
        Format::Mdm | Format::EtMdx => Format::Mds,
        other => other,
    };
    family(from) == family(to)
}

pub fn show(viewer: &mut Viewer, ctx: &egui::Context) {
    let (Some(export), Some(session)) = (&mut viewer.export, &viewer.session) else { return };
    let (mut open, mut wants_save) = (true, false);
    Window::new("Export").open(&mut open).default_size([420.0, 320.0]).show(ctx, |ui| {
        let before = export.target.clone();
        ui.horizontal_wrapped(|ui| {
            for choice in export.choices.clone() {
                ui.selectable_value(&mut export.target, choice.clone(), choice);
            }
        });
        ui.horizontal(|ui| {
            let label = ui.label("format or format:version");
            let field = egui::TextEdit::singleline(&mut export.target).desired_width(100.0);
            ui.add(field).labelled_by(label.id);
        });
        if export.target != before {
            export.outcome = None;
        }
        if !session.model.parts().is_empty() {
            let target = export.target.parse::<Target>().map(|target| target.format);
            let alone = target.is_ok_and(|target| is_own_family(session.model.format(), target));
            ui.weak(if alone {
                "Versions of the model's own format are written without the attached models."
            } else {
                "The attached models are written too."
            });
        }
        match &export.outcome {
            None => {
                if ui.button("Convert").clicked() {
                    export.convert(&session.model);
                }
            }
            Some(Outcome::Failed(text)) => {
                ui.colored_label(ui.visuals().error_fg_color, text);
            }
            Some(Outcome::Done(report, converted)) => {
                wants_save = ui.add_enabled(converted.is_some(), egui::Button::new("Save as...")).clicked();
                notes(ui, report);
            }
        }
    });
    if wants_save {
        save(viewer, ctx);
    }
    if !open {
        viewer.export = None;
    }
}

/// What was lost, approximated and kept aside.
fn notes(ui: &mut egui::Ui, report: &Report) {
    if report.is_empty() {
        ui.label("Everything arrives as it is.");
        return;
    }
    ScrollArea::vertical().max_height(300.0).show(ui, |ui| {
        for (note, count) in report.grouped() {
            let times = if count > 1 { format!(" ({count} times)") } else { String::new() };
            ui.label(format!("{} {}: {}{times}", note.outcome, note.path, note.message));
        }
    });
}
