//! A viewer on a canvas.

use crate::browser::{Browser, Host, watch_device};
use crate::json::{self, thrown};
use crate::model::png;
use crate::widgets::{Tree, Widgets};
use effigy_view::commands::TABLE;
use eframe::WebRunner;
use js_sys::Uint8Array;
use std::cell::RefMut;
use std::rc::Rc;
use std::sync::PoisonError;
use wasm_bindgen::prelude::*;
use web_sys::HtmlCanvasElement;

/// The viewer as eframe runs it.
struct Page {
    viewer: effigy_view::Viewer,
    ctx: egui::Context,
    /// The name of the graphics interface.
    backend: String,
    /// Frames drawn so far.
    frames: u64,
}

impl eframe::App for Page {
    fn ui(&mut self, ui: &mut egui::Ui, _: &mut eframe::Frame) {
        self.frames += 1;
        self.viewer.ui(ui);
    }

    fn as_any_mut(&mut self) -> Option<&mut dyn std::any::Any> {
        Some(self)
    }

    fn persist_egui_memory(&self) -> bool {
        false
    }
}

/// A viewer on a canvas.
#[wasm_bindgen]
pub struct Viewer {
    runner: WebRunner,
    widgets: Tree,
}

#[wasm_bindgen]
impl Viewer {
    /// A viewer that is not shown yet.
    #[wasm_bindgen(constructor)]
    #[allow(clippy::new_without_default, reason = "JavaScript calls it")]
    pub fn new() -> Self {
        Self { runner: WebRunner::new(), widgets: Tree::default() }
    }

    /// Shows the viewer on a canvas; with `webgl` it does not use WebGPU.
    ///
    /// # Errors
    /// When the browser has neither WebGPU nor WebGL 2.
    pub async fn start(&self, canvas: HtmlCanvasElement, host: Host, webgl: bool) -> Result<(), JsValue> {
        let host = Rc::new(host);
        let mut options = eframe::WebOptions::default();
        if let egui_wgpu::WgpuSetup::CreateNew(setup) = &mut options.wgpu_options.wgpu_setup
            && webgl
        {
            setup.instance_descriptor.backends = wgpu::Backends::GL;
        }
        let create: eframe::AppCreator<'static> = Box::new(move |context| {
            let state = context.wgpu_render_state.as_ref().ok_or("there is no graphics device")?;
            watch_device(&state.device, &host);
            context.egui_ctx.set_fonts(crate::fonts::definitions());
            let viewer = effigy_view::Viewer::new(state, Box::new(Browser::new(host)), crate::options());
            let backend = state.adapter.get_info().backend.to_string();
            Ok(Box::new(Page { viewer, ctx: context.egui_ctx.clone(), backend, frames: 0 }))
        });
        self.runner.start(canvas, options, create).await
    }

    fn page(&self) -> Result<RefMut<'_, Page>, JsError> {
        self.runner.app_mut::<Page>().ok_or_else(|| JsError::new("the viewer is not running"))
    }

    /// Opens files: the first model is shown, and all are listed. What goes wrong is shown to the user.
    ///
    /// # Errors
    /// When the viewer is not running.
    pub fn open(&self, names: Vec<String>, contents: Vec<Uint8Array>) -> Result<(), JsError> {
        let mut page = self.page()?;
        let files = names.into_iter().zip(contents.iter().map(Uint8Array::to_vec)).collect();
        let ctx = page.ctx.clone();
        page.viewer.open_files(&ctx, files);
        ctx.request_repaint();
        Ok(())
    }

    /// Runs a command by the name that the menu shows.
    ///
    /// # Errors
    /// When there is no such command, or the viewer is not running.
    pub fn run(&self, name: &str) -> Result<(), JsError> {
        let entry = TABLE.iter().find(|entry| entry.name.trim_end_matches('.') == name);
        let entry = entry.ok_or_else(|| JsError::new(&format!("there is no command '{name}'")))?;
        let mut page = self.page()?;
        let ctx = page.ctx.clone();
        page.viewer.run(entry.command, &ctx);
        ctx.request_repaint();
        Ok(())
    }

    /// Shows an error to the user.
    ///
    /// # Errors
    /// When the viewer is not running.
    pub fn fail(&self, title: &str, text: &str) -> Result<(), JsError> {
        let mut page = self.page()?;
        page.viewer.show_error(title, text);
        page.ctx.request_repaint();
        Ok(())
    }

    /// What is shown, as JSON.
    ///
    /// # Errors
    /// When the viewer is not running.
    pub fn status(&self) -> Result<String, JsError> {
        let page = self.page()?;
        Ok(json::status(&page.viewer.status(), page.frames))
    }

    /// The graphics interface in use: `webgpu` or `gl`.
    ///
    /// # Errors
    /// When the viewer is not running.
    pub fn backend(&self) -> Result<String, JsError> {
        Ok(self.page()?.backend.clone())
    }

    /// What the view shows, for the part of a link after `#`.
    ///
    /// # Errors
    /// When the viewer is not running.
    pub fn link(&self) -> Result<String, JsError> {
        Ok(self.page()?.viewer.link())
    }

    /// Shows what a link says.
    ///
    /// # Errors
    /// When the viewer is not running.
    #[wasm_bindgen(js_name = applyLink)]
    pub fn apply_link(&self, link: &str) -> Result<(), JsError> {
        let mut page = self.page()?;
        page.viewer.apply_link(link);
        page.ctx.request_repaint();
        Ok(())
    }

    /// Whether sequences start as soon as a model is opened.
    ///
    /// # Errors
    /// When the viewer is not running.
    #[wasm_bindgen(js_name = setAutoplay)]
    pub fn set_autoplay(&self, autoplay: bool) -> Result<(), JsError> {
        self.page()?.viewer.settings_mut().autoplay = autoplay;
        Ok(())
    }

    /// The findings of the opened model, as JSON.
    ///
    /// # Errors
    /// When the viewer is not running.
    pub fn check(&self) -> Result<String, JsError> {
        Ok(json::findings(self.page()?.viewer.findings()))
    }

    /// The opened model in another format, as `effigy convert --to` takes it.
    ///
    /// # Errors
    /// When no model is open, it cannot be converted, or that makes several files.
    pub fn convert(&self, target: &str) -> Result<Vec<u8>, JsError> {
        let page = self.page()?;
        let model = page.viewer.model().ok_or_else(|| JsError::new("no model is open"))?;
        crate::model::convert(model, target)
    }

    /// The view as a PNG picture.
    ///
    /// # Errors
    /// When no model is open, or the picture is larger than the device can draw.
    pub async fn picture(&self, width: u32, height: u32) -> Result<Vec<u8>, JsError> {
        // The viewer may go on while the device draws.
        let pending = self.page()?.viewer.submit_picture([width, height]);
        let pending = pending.map_err(|error| thrown(&error))?;
        let pending = pending.ok_or_else(|| JsError::new("no model is open"))?;
        png(&pending.await.map_err(|error| thrown(&error))?.picture)
    }

    /// Names and places of what can be clicked, as JSON: role, label and left, top, right, bottom in points. The list is
    /// that of the last frame, and empty before the first call.
    ///
    /// # Errors
    /// When the viewer is not running.
    pub fn widgets(&self) -> Result<String, JsError> {
        let page = self.page()?;
        let listed = self.widgets.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if listed.is_empty() {
            page.ctx.add_plugin(Widgets(Tree::clone(&self.widgets)));
            page.ctx.enable_accesskit();
            page.ctx.request_repaint();
        }
        Ok(if listed.is_empty() { "[]".to_owned() } else { listed })
    }

    /// Stops, and frees what it holds.
    pub fn destroy(&self) {
        self.runner.destroy();
    }
}
