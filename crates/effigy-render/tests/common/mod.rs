//! Tiny scenes whose pixels can be computed by hand.

pub mod creature;

use effigy_render::{
    Background, Camera, Choice, DrawStyle, Drawn, Gpu, Image, Lighting, Model, Renderer, Stage, Textures,
};
use effigy_scene::{Animated, Blend, Layer, LayerTexture, Material, Mesh, Scene, Texture, validate};
use std::sync::OnceLock;

pub const SIDE: u32 = 32;

/// The renderer that all tests share. `None` without a graphics driver: the calling test is then recorded as skipped.
pub fn renderer() -> Option<&'static Renderer> {
    static RENDERER: OnceLock<Result<Renderer, String>> = OnceLock::new();
    let renderer = RENDERER.get_or_init(|| {
        let gpu = Gpu::new(Choice::Software).or_else(|_| Gpu::new(Choice::Best));
        gpu.map(Renderer::new).map_err(|error| error.to_string())
    });
    let why = renderer.as_ref().err().map_or("", String::as_str);
    effigy_testkit::require("gpu", renderer.is_ok(), why);
    renderer.as_ref().ok()
}

/// Textures whose name is their only colour, `r,g,b,a`; two colours are the left and the right half.
pub struct Named;

impl Textures for Named {
    fn image(&mut self, texture: &Texture) -> Option<Image> {
        if texture.path.is_empty() || texture.path == "missing" {
            return None;
        }
        let colors: Vec<u8> = texture.path.split([',', ' ']).map(|value| value.parse().unwrap()).collect();
        let width = u32::try_from(colors.len() / 4).unwrap();
        Image::new(width, 1, colors).ok()
    }
}

/// A square of this half-size that faces +X at this distance from the origin.
pub fn square(x: f32, half: f32) -> Mesh {
    Mesh {
        positions: vec![[x, -half, -half], [x, half, -half], [x, half, half], [x, -half, half]],
        normals: vec![[1.0, 0.0, 0.0]; 4],
        uvs: vec![vec![[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]]],
        indices: vec![0, 1, 2, 0, 2, 3],
        ..Mesh::new("square")
    }
}

pub fn layer(scene: &mut Scene, color: &str, blend: Blend) -> Layer {
    let texture = scene.textures.push(Texture { path: color.into(), ..Texture::default() });
    Layer {
        blend,
        unlit: true,
        textures: vec![LayerTexture { texture: Some(texture), ..LayerTexture::default() }],
        ..Layer::default()
    }
}

pub fn add(scene: &mut Scene, mesh: Mesh, priority: i32, layers: Vec<Layer>) {
    let material = scene.materials.push(Material { priority, layers, ..Material::default() });
    scene.meshes.push(Mesh { material: Some(material), ..mesh });
}

pub fn fixed(value: f32) -> Animated<f32> {
    Animated::fixed(value)
}

pub const BACKGROUND: [u8; 3] = [40, 80, 120];

pub fn look() -> DrawStyle {
    DrawStyle { background: Background::Color(BACKGROUND), ..DrawStyle::default() }
}

pub fn camera() -> Camera {
    Camera::look_at([10.0, 0.0, 0.0], [0.0; 3], 0.8)
}

pub fn draw_with(renderer: &Renderer, scene: &Scene, camera: &Camera, look: &DrawStyle) -> Drawn {
    let scene = validate(scene.clone()).unwrap();
    let model = Model::new(renderer, &scene, [200, 100, 50], &mut Named);
    let mut stage = Stage::new(scene.clone());
    let sequence = Stage::default_sequence(&scene);
    stage.start(sequence, 0.0, Some(&camera.view));
    renderer
        .draw(&effigy_render::Frame { model: &model, stage: &stage, camera, style: look }, [SIDE, SIDE])
        .unwrap()
}

/// The pixel in the middle.
pub fn middle(renderer: &Renderer, scene: &Scene) -> [u8; 4] {
    draw_with(renderer, scene, &camera(), &look()).picture.pixel(SIDE / 2, SIDE / 2)
}

#[track_caller]
pub fn near(found: [u8; 4], expected: [f32; 3]) {
    for (found, expected) in found.iter().zip(expected) {
        assert!(
            (f32::from(*found) - expected.clamp(0.0, 255.0)).abs() <= 1.0,
            "{found:?}, expected {expected:?}"
        );
    }
    assert_eq!(found[3], 255);
}

/// The light that tests use: from the viewer, diffuse 0.5, ambient 0.25.
pub const LIGHTING: Lighting =
    Lighting { from: [0.0, 0.0, 1.0], in_model: false, diffuse: [0.5; 3], ambient: [0.25; 3] };
