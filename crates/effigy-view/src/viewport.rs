//! The picture of the model: a texture that the renderer draws into and egui shows.

use crate::blit::{Blit, Copied};
use effigy::Result;
use effigy::pictures::{Canvas, Frame, Renderer, Summary, wgpu};

/// The games blend stored values, and egui shows textures of this format as they are.
pub const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// The texture and what is needed to draw into it.
struct Surface {
    canvas: Canvas,
    /// The canvas for pictures that are replaced at once; made when the first of them is drawn.
    quick: Option<Canvas>,
    view: wgpu::TextureView,
    shown: Shown,
}

/// How a picture gets into the window.
#[derive(Clone)]
pub enum Shown {
    /// Pixel by pixel.
    Copied(Copied),
    /// As a texture of egui.
    Texture(egui::TextureId),
}

impl Shown {
    /// Shows it in a rectangle.
    pub fn paint(&self, painter: &egui::Painter, rect: egui::Rect) {
        match self {
            Self::Copied(copied) => {
                painter.add(egui_wgpu::Callback::new_paint_callback(rect, copied.clone()));
            }
            Self::Texture(id) => {
                let all = egui::Rect::from_min_max(egui::Pos2::ZERO, egui::pos2(1.0, 1.0));
                painter.image(*id, rect, all, egui::Color32::WHITE);
            }
        }
    }
}

/// A texture to draw into.
fn texture(device: &wgpu::Device, [width, height]: [u32; 2]) -> wgpu::TextureView {
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: Some("view"),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: FORMAT,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
        view_formats: &[],
    });
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}

/// A texture to draw into that egui shows; under the name of another one, which is released, if there was one.
pub fn target(
    state: &egui_wgpu::RenderState,
    size: [u32; 2],
    instead: Option<egui::TextureId>,
) -> (wgpu::TextureView, egui::TextureId) {
    let view = texture(&state.device, size);
    let (device, linear) = (&state.device, wgpu::FilterMode::Linear);
    let mut shown = state.renderer.write();
    let id = match instead {
        Some(id) => {
            shown.update_egui_texture_from_wgpu_texture(device, &view, linear, id);
            id
        }
        None => shown.register_native_texture(device, &view, linear),
    };
    (view, id)
}

/// The picture in the middle of the window.
pub struct Viewport {
    state: egui_wgpu::RenderState,
    blit: Option<Blit>,
    surface: Option<Surface>,
    /// Whether the picture shows something else than what it should.
    pub stale: bool,
    /// The next picture is replaced at once and has to be quick.
    hurried: bool,
    /// The picture is one of those.
    rough: bool,
    /// Pictures drawn so far.
    pub drawn: u64,
}

impl Viewport {
    pub fn new(state: egui_wgpu::RenderState) -> Self {
        let blit = Blit::new(&state);
        Self::with(state, blit)
    }

    const fn with(state: egui_wgpu::RenderState, blit: Option<Blit>) -> Self {
        Self { state, blit, surface: None, stale: true, hurried: false, rough: false, drawn: 0 }
    }

    /// The picture in this size in pixels. A change of the size makes the picture stale.
    ///
    /// While something moves, a software driver draws with one sample a pixel: four take nearly
    /// twice as long. The picture in which the movement ends is drawn again.
    ///
    /// # Errors
    /// When the device cannot draw pictures of this size.
    pub fn shown(&mut self, renderer: &Renderer, size: [u32; 2], moving: bool) -> Result<Shown> {
        self.hurried = moving && renderer.gpu().is_software();
        self.stale |= self.rough && !self.hurried;
        let most = renderer.gpu().largest_side();
        let size = size.map(|side| side.clamp(1, most));
        if let Some(surface) = self.surface.as_ref().filter(|surface| surface.canvas.size() == size) {
            return Ok(surface.shown.clone());
        }
        let canvas = Canvas::new(renderer.gpu(), FORMAT, size)?;
        let (view, shown) = match (&self.blit, self.surface.take().map(|surface| surface.shown)) {
            (Some(blit), _) => {
                let view = texture(&self.state.device, size);
                let copied = blit.of(&self.state.device, &view);
                (view, Shown::Copied(copied))
            }
            (None, Some(Shown::Texture(id))) => {
                let (view, id) = target(&self.state, size, Some(id));
                (view, Shown::Texture(id))
            }
            (None, _) => {
                let (view, id) = target(&self.state, size, None);
                (view, Shown::Texture(id))
            }
        };
        self.surface = Some(Surface { canvas, quick: None, view, shown: shown.clone() });
        self.stale = true;
        Ok(shown)
    }

    /// Draws the picture again if it is stale.
    ///
    /// # Errors
    /// When the device reports an error.
    pub fn draw(&mut self, renderer: &Renderer, frame: &Frame<'_>) -> Result<Option<Summary>> {
        let Some(surface) = self.surface.as_mut().filter(|_| self.stale) else { return Ok(None) };
        let canvas = match &mut surface.quick {
            _ if !self.hurried => &surface.canvas,
            Some(quick) => quick,
            none => none.insert(Canvas::quick(renderer.gpu(), FORMAT, surface.canvas.size())?),
        };
        let summary = renderer.draw_into(frame, &surface.view, canvas)?;
        (self.stale, self.rough) = (false, self.hurried);
        self.drawn += 1;
        Ok(Some(summary))
    }

    /// Gives the texture back to egui.
    pub fn close(self) {
        if let Some(Shown::Texture(id)) = self.surface.map(|surface| surface.shown) {
            self.state.renderer.write().free_texture(&id);
        }
    }

    /// Another picture on the same device.
    pub fn another(&self) -> Self {
        Self::with(self.state.clone(), self.blit.clone())
    }

    /// Width and height in pixels.
    pub fn size(&self) -> [u32; 2] {
        self.surface.as_ref().map_or([512, 512], |surface| surface.canvas.size())
    }
}
