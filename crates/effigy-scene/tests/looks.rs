//! Colour, alpha and texture coordinates of meshes at a moment, against answers computed by hand.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use effigy_scene::sample::{MeshPose, Moment, Sampler, texture_matrix};
use effigy_scene::{
    Animated, Id, Interpolation, Layer, LayerTexture, Material, Mesh, Rotation, Scene, Sequence, Texture,
    TextureTransform, Track, TransformOrder, validate,
};

fn track<T: Copy>(a: T, b: T) -> Animated<T> {
    Animated { base: a, track: Some(Track::linear(vec![0, 1000], vec![a, b], a)) }
}

/// A mesh with two layers; the second one has a flipbook and a transform.
fn scene() -> Scene {
    let mut scene = Scene::default();
    scene.sequences.push(Sequence { end: 1000, ..Sequence::default() });
    for _ in 0..3 {
        scene.textures.push(Texture::default());
    }
    let quarter = Rotation([0.0, 0.0, 0.5_f32.sqrt(), 0.5_f32.sqrt()]);
    let transform = scene.texture_transforms.push(TextureTransform {
        order: TransformOrder::RotateScaleMove,
        translation: track([0.0; 3], [0.5, 0.25, 0.0]),
        rotation: Animated::fixed(quarter),
        scale: Animated::fixed([2.0, 3.0, 1.0]),
    });
    let first = Layer {
        color: Animated::fixed([0.5, 1.0, 0.2]),
        alpha: track(0.0, 1.0),
        color_alpha: Animated::fixed(0.25),
        emissive_gain: track(1.0, 3.0),
        ..Layer::default()
    };
    let flipbook = Track { interpolation: Interpolation::Step, ..Track::linear(vec![0, 500], vec![1, 2], 0) };
    let texture = LayerTexture {
        texture: Some(Id::new(0)),
        flipbook: Some(flipbook),
        transform: Some(transform),
        ..LayerTexture::default()
    };
    let plain = LayerTexture { texture: Some(Id::new(0)), ..LayerTexture::default() };
    let second = Layer { alpha: Animated::fixed(0.0), textures: vec![texture, plain], ..Layer::default() };
    let material = scene.materials.push(Material { layers: vec![first, second], ..Material::default() });
    scene.meshes.push(Mesh {
        color: Animated::fixed([0.5, 0.25, 1.0]),
        alpha: track(0.4, 0.8),
        material: Some(material),
        ..Mesh::new("mesh")
    });
    scene
}

fn at(scene: Scene, time: f64) -> MeshPose {
    let scene = validate(scene).unwrap();
    let sampler = Sampler::new(&scene);
    let mut pose = sampler.pose();
    sampler.sample(&Moment::new(Id::new(0), time), None, &mut pose);
    pose.meshes()[0].clone()
}

#[track_caller]
fn assert_near<const N: usize>(a: [f32; N], b: [f32; N]) {
    assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-6), "{a:?} is not {b:?}");
}

#[test]
fn colours_and_alphas_of_mesh_and_layer_multiply() {
    let mesh = at(scene(), 500.0);
    assert_near(mesh.color, [0.5, 0.25, 1.0, 0.6]);
    assert!(mesh.visible);
    // 0.6 of the mesh, 0.5 of the layer, 0.25 of its colour.
    assert_near(mesh.layers[0].color, [0.25, 0.25, 0.2, 0.075]);
    assert_near([mesh.layers[0].emissive_gain, mesh.layers[1].emissive_gain], [2.0, 1.0]);
    assert_eq!([mesh.layers[0].visible, mesh.layers[1].visible], [true, false]);
}

#[test]
fn a_mesh_is_hidden_when_its_alpha_or_all_its_layers_are() {
    let start = at(scene(), 0.0);
    assert!(!start.visible && start.color[3] > 0.0 && !start.layers[0].visible);
    let mut hidden = scene();
    hidden.meshes.as_mut_slice()[0].alpha = Animated::fixed(0.0);
    assert!(!at(hidden, 500.0).visible);
    let mut bare = scene();
    bare.meshes.as_mut_slice()[0].material = None;
    let bare = at(bare, 500.0);
    assert!(bare.visible && bare.layers.is_empty());
}

#[test]
fn a_flipbook_chooses_the_texture_and_a_transform_moves_it() {
    let early = &at(scene(), 0.0).layers[1].textures[0];
    let late = &at(scene(), 500.0).layers[1].textures;
    assert_eq!(
        (early.texture, late[0].texture, late[1].texture),
        (Some(Id::new(1)), Some(Id::new(2)), Some(Id::new(0)))
    );
    // A quarter turn, twice as wide, three times as high, moved by 0.25 and 0.125: u' = 1.75 - 2v, v' = 3u - 0.875.
    assert_near(late[0].matrix[0], [0.0, -2.0, 1.75]);
    assert_near(late[0].matrix[1], [3.0, 0.0, -0.875]);
    assert_eq!(late[1].matrix, [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
}

#[test]
fn the_order_of_the_parts_of_a_transform_matters() {
    let turn = std::f32::consts::FRAC_PI_2;
    let [u, v] = texture_matrix(TransformOrder::RotateScaleMove, [0.25, 0.125], turn, [2.0, 3.0]);
    assert_near(u, [0.0, -2.0, 1.75]);
    assert_near(v, [3.0, 0.0, -0.875]);
    // Moved first: from (0.25, 0.375) to the middle.
    let [u, v] = texture_matrix(TransformOrder::MoveScaleRotate, [0.25, 0.125], turn, [2.0, 3.0]);
    assert_near(u, [0.0, -3.0, 1.625]);
    assert_near(v, [2.0, 0.0, 0.0]);
    // A turn of 60 degrees: cos 1/2, sin 0.8660254.
    let [u, v] = texture_matrix(TransformOrder::MoveScaleRotate, [0.0; 2], turn / 1.5, [1.0, 1.0]);
    assert_near(u, [0.5, -0.866_025_4, 0.5 - 0.25 + 0.433_012_7]);
    assert_near(v, [0.866_025_4, 0.5, 0.5 - 0.433_012_7 - 0.25]);
}

#[test]
fn a_texture_is_its_file_or_what_takes_its_place() {
    let file = effigy_image::png::single_pixel([1, 2, 3, 255]).unwrap();
    let grey = || effigy_image::Image::new(1, 1, vec![9; 4]).ok();
    for (bytes, expected) in
        [(Some(file), [1, 2, 3, 255]), (Some(b"no picture".to_vec()), [9; 4]), (None, [9; 4])]
    {
        let read = bytes.clone();
        let texture = effigy_scene::Unread::file(move || read, effigy_wire::Limits::DEFAULT, grey()).read();
        assert_eq!(texture.bytes(), bytes.as_deref());
        assert_eq!(texture.decode_file().is_some(), expected[0] == 1);
        assert_eq!(texture.decode().unwrap().pixels(), expected);
    }
}
