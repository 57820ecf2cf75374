//! The picture of the model: a texture that the renderer draws into and egui shows.

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
    id: egui::TextureId,
}

/// A texture to draw into that egui shows; under the name of another one, which is released, if there was one.
pub fn target(
    state: &egui_wgpu::RenderState,
    [width, height]: [u32; 2],
    instead: Option<egui::TextureId>,
) -> (wgpu::TextureView, egui::TextureId) {
    let texture = state.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("view"),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: FORMAT,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
        view_formats: &[],
    });
    let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
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
    pub const fn new(state: egui_wgpu::RenderState) -> Self {
        Self { state, surface: None, stale: true, hurried: false, rough: false, drawn: 0 }
    }

    /// The texture in this size in pixels. A change of the size makes the picture stale.
    ///
    /// While something moves, a software driver draws with one sample a pixel: four would be a third of the pictures in a
    /// second. The picture in which the movement ends is drawn again.
    ///
    /// # Errors
    /// When the device cannot draw pictures of this size.
    pub fn texture(&mut self, renderer: &Renderer, size: [u32; 2], moving: bool) -> Result<egui::TextureId> {
        self.hurried = moving && renderer.gpu().is_software();
        self.stale |= self.rough && !self.hurried;
        let most = renderer.gpu().largest_side();
        let size = size.map(|side| side.clamp(1, most));
        if let Some(surface) = self.surface.as_ref().filter(|surface| surface.canvas.size() == size) {
            return Ok(surface.id);
        }
        let canvas = Canvas::new(renderer.gpu(), FORMAT, size)?;
        let (view, id) = target(&self.state, size, self.surface.take().map(|surface| surface.id));
        self.surface = Some(Surface { canvas, quick: None, view, id });
        self.stale = true;
        Ok(id)
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
        if let Some(surface) = self.surface {
            self.state.renderer.write().free_texture(&surface.id);
        }
    }

    /// Another picture on the same device.
    pub fn another(&self) -> Self {
        Self::new(self.state.clone())
    }

    /// Width and height in pixels.
    pub fn size(&self) -> [u32; 2] {
        self.surface.as_ref().map_or([512, 512], |surface| surface.canvas.size())
    }
}
