//! Pictures of the view, and what is made of many of them.

use crate::app::Viewer;
use crate::job::Job;
use crate::platform::Content;
use crate::playback;
use crate::session::in_words;
use effigy::image::{Image, png};
use effigy::pictures::{Container, Frame, PendingImage, Picture, Progress, Shot, Viewpoint};
use effigy::{Error, Kind, Result};
use std::sync::Arc;

impl Viewer {
    /// Draws the view in this size off-screen, without a second model. None while no model is open.
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

    /// The pictures of which the view consists, from left to right.
    fn submit_view(&self) -> Result<Vec<PendingImage>> {
        let mut pictures = Vec::new();
        pictures.extend(self.submit_picture(self.viewport.size())?);
        if let Some(second) = &self.second {
            let size = second.viewport.size();
            let [width, height] = size;
            let camera = self.second_camera(second, width as f32 / height.max(1) as f32);
            let (drawn, stage) = (&second.session.drawn, &second.session.stage);
            let frame = Frame { model: drawn, stage, camera: &camera, style: &self.second_style() };
            pictures.push(self.renderer.submit(&frame, size)?);
        }
        Ok(pictures)
    }

    pub(crate) fn take_picture(&mut self, ctx: &egui::Context) {
        if self.session.is_none() {
            return;
        }
        match self.submit_view().and_then(still) {
            Ok(content) => self.platform.save(ctx, format!("{}.png", self.stem()), content),
            Err(error) => self.message = in_words(&error),
        }
    }

    /// Takes the frames of an animation or a sheet with the camera of the view.
    pub(crate) fn take(&mut self, shot: Shot, turntable: bool) {
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
        let progress = Arc::new(Progress::default());
        let (renderer, model, watched) =
            (Arc::clone(&self.renderer), session.model.clone(), Arc::clone(&progress));
        let work = async move { model.render_file_async(&renderer, &picture, container, &watched).await };
        let name = format!("{}.{}", self.stem(), container.extension());
        self.start(Job { name, progress, work: Box::pin(work) });
    }
}

/// Pictures side by side, as a PNG file.
fn side_by_side(pictures: &[Image]) -> Result<Vec<u8>> {
    let height = pictures.iter().map(|picture| picture.height).max();
    let height = height.ok_or_else(|| Error::new(Kind::Usage, "there is no picture"))?;
    let mut all = Image::filled(pictures.iter().map(|picture| picture.width).sum(), height, [0, 0, 0, 255])?;
    let mut left = 0;
    for picture in pictures {
        all.place(picture, left, 0);
        left += picture.width;
    }
    png::write(&all, png::Compression::Fast)
}

#[cfg(not(target_arch = "wasm32"))]
fn still(pending: Vec<PendingImage>) -> Result<Content> {
    let drawn: Result<Vec<_>> = pending.into_iter().map(|one| Ok(one.wait()?.picture)).collect();
    side_by_side(&drawn?).map(Content::Bytes)
}

/// A browser cannot wait for the graphics device.
#[cfg(target_arch = "wasm32")]
#[allow(clippy::unnecessary_wraps, reason = "elsewhere it fails at once")]
fn still(pending: Vec<PendingImage>) -> Result<Content> {
    let drawing = async move {
        let mut drawn = Vec::new();
        for one in pending {
            drawn.push(one.await?.picture);
        }
        side_by_side(&drawn)
    };
    Ok(Content::Drawing(Box::pin(drawing)))
}
