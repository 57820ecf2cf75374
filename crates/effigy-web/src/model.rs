//! A model without a viewer: findings, conversions and pictures.

use crate::json::{self, thrown};
use effigy::assets::{FileRef, Memory, Source};
use effigy::image::png as encode;
use effigy::pictures::{Gpu, Image, Picture, Renderer};
use effigy::{CheckOptions, Target};
use js_sys::Uint8Array;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use wasm_bindgen::prelude::*;
use web_sys::OffscreenCanvas;

/// A model without a viewer.
#[wasm_bindgen]
pub struct Model {
    model: Rc<effigy::Model>,
}

/// A single file in another format.
pub fn convert(model: &effigy::Model, target: &str) -> Result<Vec<u8>, JsError> {
    let converted = target.parse().and_then(|target: Target| model.convert(&target));
    converted.and_then(effigy::Converted::into_bytes).map_err(|error| thrown(&error))
}

pub fn png(picture: &Image) -> Result<Vec<u8>, JsError> {
    encode::write(picture, encode::Compression::Fast).map_err(|error| thrown(&error))
}

thread_local! {
    /// The renderer that all models share.
    static RENDERER: RefCell<Option<Rc<Renderer>>> = const { RefCell::new(None) };
}

/// WebGPU, else WebGL 2, whose device belongs to a canvas that nobody sees.
async fn renderer() -> Result<Rc<Renderer>, JsError> {
    if let Some(renderer) = RENDERER.with_borrow(Option::clone) {
        return Ok(renderer);
    }
    let failed = |error: String| JsError::new(&format!("there is no graphics device: {error}"));
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    descriptor.backends = wgpu::Backends::BROWSER_WEBGPU | wgpu::Backends::GL;
    let instance = wgpu::util::new_instance_with_webgpu_detection(descriptor).await;
    let canvas = OffscreenCanvas::new(1, 1).map_err(|error| failed(format!("{error:?}")))?;
    let surface = instance.create_surface(wgpu::SurfaceTarget::OffscreenCanvas(canvas));
    let surface = surface.map_err(|error| failed(error.to_string()))?;
    let options = wgpu::RequestAdapterOptions { compatible_surface: Some(&surface), ..Default::default() };
    let adapter = instance.request_adapter(&options).await.map_err(|error| failed(error.to_string()))?;
    let gpu = Gpu::of_adapter(&adapter).await.map_err(|error| thrown(&error))?;
    let renderer = Rc::new(Renderer::new(gpu));
    RENDERER.set(Some(Rc::clone(&renderer)));
    Ok(renderer)
}

#[wasm_bindgen]
impl Model {
    /// Opens the first of these files; the others are what it may need: textures, skins, animations.
    ///
    /// # Errors
    /// When it is not a model, or breaks its format.
    #[wasm_bindgen(constructor)]
    pub fn new(names: Vec<String>, contents: Vec<Uint8Array>) -> Result<Self, JsError> {
        let mut files = Memory::new("files");
        for (name, content) in names.iter().zip(&contents) {
            files.add(name, content.to_vec());
        }
        let first = names.first().and_then(|name| files.find(name));
        let first = first.ok_or_else(|| JsError::new("there is no file to open"))?;
        let file = FileRef::inside(Arc::new(files), first);
        let model = effigy::open_file(&file, &crate::options()).map_err(|error| thrown(&error))?;
        Ok(Self { model: Rc::new(model) })
    }

    /// What is wrong with it, as JSON.
    pub fn check(&self) -> String {
        json::findings(&self.model.check(&CheckOptions::default()).findings)
    }

    /// The model in another format, as `effigy convert --to` takes it.
    ///
    /// # Errors
    /// When it cannot be converted, or that makes several files.
    pub fn convert(&self, target: &str) -> Result<Vec<u8>, JsError> {
        convert(&self.model, target)
    }

    /// A picture as `effigy render` makes it, as PNG.
    ///
    /// # Errors
    /// When there is no graphics device, or the picture is larger than it can draw.
    pub async fn render(&self, width: u32, height: u32) -> Result<Vec<u8>, JsError> {
        let (model, renderer) = (Rc::clone(&self.model), renderer().await?);
        let picture = Picture { size: [width, height], ..Picture::default() };
        let shots = model.render_async(&renderer, &picture).await.map_err(|error| thrown(&error))?;
        png(shots.pictures.first().ok_or_else(|| JsError::new("there is nothing to draw"))?)
    }
}
