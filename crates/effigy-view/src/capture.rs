//! Pictures of the view, and what is made of many of them.

use crate::app::Viewer;
use crate::platform::Content;
use crate::playback;
use crate::session::in_words;
use effigy::Result;
use effigy::image::png;
use effigy::pictures::{Container, Frame, PendingImage, Picture, Renderer, Shot, Viewpoint};
use std::sync::Arc;

impl Viewer {
    /// Draws the view in this size off-screen. None while no model is open.
    ///
    /// # Errors
    /// When the picture is larger than the device can draw.
    pub fn submit_picture(&self, size: [u32; 2]) -> Result<Option<PendingImage>> {
        let [width, height] = size;
        let (camera, style) = (self.camera(width as f32 / height.max(1) as f32), self.style());
        let Some(session) = &self.session else { return Ok(None) };
        let frame = Frame { model: &session.drawn, stage: &session.stage, camera: &camera, style: &style };
        self.renderer.submit(&frame, size).map(Some)
    }

    pub(crate) fn take_picture(&mut self, ctx: &egui::Context) {
        match self.submit_picture(self.viewport.size()) {
            Ok(Some(pending)) => self.save_picture(ctx, still(pending), "png"),
            Ok(None) => {}
            Err(error) => self.message = in_words(&error),
        }
    }

    /// Takes the frames of an animation or a sheet with the camera of the view.
    pub(crate) fn take(&mut self, ctx: &egui::Context, shot: Shot, turntable: bool) {
        let camera = self.camera(1.0);
        let Some(session) = &self.session else { return };
        let scene = session.stage.scene();
        let sequence = playback::sequence(&session.stage).and_then(|id| scene.sequences.get(id));
        let framed = turntable || shot == Shot::Sheet;
        let picture = Picture {
            shot,
            turntable,
            size: if shot == Shot::Sheet { [192, 192] } else { [480, 480] },
            animation: sequence.filter(|_| shot != Shot::Sheet).map(|sequence| sequence.name.clone()),
            camera: if framed { Viewpoint::ThreeQuarter } else { Viewpoint::Fixed(camera) },
            background: self.settings.backdrop(),
            team_color: self.settings.team_color(),
            overlays: self.settings.overlays,
            ..Picture::default()
        };
        let container = if shot == Shot::Sheet { Container::Png } else { Container::Gif };
        let content = shots(Arc::clone(&self.renderer), &session.model, picture, container);
        self.save_picture(ctx, content, container.extension());
    }

    fn save_picture(&mut self, ctx: &egui::Context, content: Result<Content>, extension: &str) {
        match content {
            Ok(content) => {
                let name = format!("{}.{extension}", self.stem());
                self.platform.save(ctx, name, content);
            }
            Err(error) => self.message = in_words(&error),
        }
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn still(pending: PendingImage) -> Result<Content> {
    png::write(&pending.wait()?.picture, png::Compression::Fast).map(Content::Bytes)
}

#[cfg(not(target_arch = "wasm32"))]
#[allow(clippy::needless_pass_by_value, reason = "a browser keeps them until everything is drawn")]
fn shots(
    renderer: Arc<Renderer>,
    model: &effigy::Model,
    picture: Picture,
    container: Container,
) -> Result<Content> {
    model.render_with(&renderer, &picture)?.encode(container).map(Content::Bytes)
}

/// A browser cannot wait for the graphics device.
#[cfg(target_arch = "wasm32")]
fn still(pending: PendingImage) -> Result<Content> {
    let drawing = async move { png::write(&pending.await?.picture, png::Compression::Fast) };
    Ok(Content::Drawing(Box::pin(drawing)))
}

#[cfg(target_arch = "wasm32")]
fn shots(
    renderer: Arc<Renderer>,
    model: &effigy::Model,
    picture: Picture,
    container: Container,
) -> Result<Content> {
    let model = model.clone();
    let drawing = async move { model.render_async(&renderer, &picture).await?.encode(container) };
    Ok(Content::Drawing(Box::pin(drawing)))
}
