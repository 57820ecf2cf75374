//! Work that takes longer than a frame: it goes on in steps between frames, so that the window stays alive. A browser has no
//! other thread that could do it.

use crate::app::Viewer;
use crate::platform::Content;
use crate::session::in_words;
use effigy::Result;
use effigy::pictures::Progress;
use egui::{Align2, Window};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

/// A file in the making.
pub type Making = Pin<Box<dyn Future<Output = Result<Vec<u8>>>>>;

/// Pictures that are drawn and written in steps.
pub struct Job {
    /// The name that is proposed for the file.
    pub name: String,
    pub progress: Arc<Progress>,
    pub work: Making,
}

impl Viewer {
    /// Whether something is being made.
    #[must_use]
    pub const fn is_working(&self) -> bool {
        self.job.is_some()
    }

    /// Starts a job. One that is still running comes first.
    pub(crate) fn start(&mut self, job: Job) {
        if self.job.is_some() {
            "another file is being made".clone_into(&mut self.message);
        } else {
            self.job = Some(job);
        }
    }

    /// Does the next step of the job, and saves its file at the end.
    pub(crate) fn work(&mut self, ctx: &egui::Context) {
        let Some(job) = &mut self.job else { return };
        // Nobody is woken: the next frame looks again.
        let state = job.work.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        ctx.request_repaint();
        if let Poll::Ready(made) = state
            && let Some(job) = self.job.take()
        {
            self.save_made(ctx, job.name, made);
        }
    }

    fn save_made(&mut self, ctx: &egui::Context, name: String, made: Result<Vec<u8>>) {
        match made {
            Ok(bytes) => self.platform.save(ctx, name, Content::Bytes(bytes)),
            Err(error) => self.message = in_words(&error),
        }
    }
}

/// How far the job is, with a button that ends it.
pub fn show(viewer: &mut Viewer, ctx: &egui::Context) {
    let Some(job) = &viewer.job else { return };
    let (done, total) = job.progress.steps();
    let mut cancelled = false;
    Window::new("Making a file")
        .collapsible(false)
        .resizable(false)
        .anchor(Align2::CENTER_BOTTOM, [0.0, -110.0])
        .show(ctx, |ui| {
            ui.label(&job.name);
            let share = if total > 0 { done as f32 / total as f32 } else { 0.0 };
            ui.add(egui::ProgressBar::new(share).desired_width(260.0).text(format!("{done} of {total}")));
            cancelled = ui.button("Cancel").clicked();
        });
    if cancelled {
        viewer.job = None;
        "cancelled".clone_into(&mut viewer.message);
    }
}
