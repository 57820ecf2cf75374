use super::*;
use crate::raise::{Md3, RaiseOptions, Raised, md3};
use effigy_scene::{
    GlobalSequence, Interpolation, KeyRule, Material, Replaceable, Rotation, Sequence, TextureTransform,
    TransformOrder, validate,
};

/// A triangle with two sets of coordinates and a material of these layers, a Walk and a Stand.
fn scene(layers: Vec<Layer>) -> Scene {
    let mut scene = Scene { name: "Dog".into(), key_rule: KeyRule::Wrap, ..Scene::default() };
    for (name, start) in [("Walk", 1000), ("Stand", 3000)] {
        let (name, looping) = (name.to_owned(), false);
        scene.sequences.push(Sequence { name, start, end: start + 1000, looping, ..Sequence::default() });
    }
    for path in ["units/skin.blp", "units/hair.blp"] {
        scene.textures.push(Texture { path: path.to_owned(), ..Texture::default() });
    }
    let mut mesh = Mesh::new("body");
    mesh.positions = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    mesh.normals = vec![[0.0, 0.0, 1.0]; 3];
    mesh.uvs = vec![vec![[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]], vec![[0.25, 0.5]; 3]];
    mesh.indices = vec![0, 1, 2];
    mesh.material = Some(scene.materials.push(Material { layers, ..Material::default() }));
    scene.meshes.push(mesh);
    scene
}

fn texture(number: u32) -> LayerTexture {
    LayerTexture { texture: Some(Id::new(number)), ..LayerTexture::default() }
}

fn layer(textures: Vec<LayerTexture>) -> Layer {
    Layer { textures, ..Layer::default() }
}

fn made(scene: &Scene) -> Raised<Md3> {
    let options = RaiseOptions { scale: Some(1.0), fps: 10.0, ..RaiseOptions::default() };
    md3(&validate(scene.clone()).unwrap(), &options).unwrap()
}

fn shader(made: &Raised<Md3>) -> String {
    made.model.model.surfaces[0].shaders[0].name.text().into_owned()
}

/// What is said about looks: everything but that numbers are rounded.
fn said(made: &Raised<Md3>) -> Vec<String> {
    let notes = made.report.notes().iter().filter(|note| note.path != "vertices");
    notes.map(|note| format!("{}: {}", note.path, note.message)).collect()
}

/// The only note, and that it starts like this.
fn says(scene: &Scene, words: &str) {
    let notes = said(&made(scene));
    assert!(notes.len() == 1 && notes[0].starts_with(words), "{words}: {notes:?}");
}

fn steps(times: &[i32], values: &[u32]) -> Track<u32> {
    let mut track = Track::linear(times.to_vec(), values.to_vec(), 0);
    track.interpolation = Interpolation::Step;
    track
}

#[test]
fn an_opaque_texture_loses_nothing() {
    let scene = scene(vec![layer(vec![texture(0)])]);
    let made = made(&scene);
    assert_eq!((said(&made), shader(&made).as_str()), (Vec::new(), "units/skin.tga"));
    assert_eq!(made.model.model.surfaces[0].texcoords, [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]);
}

#[test]
fn a_surface_shows_the_skin_instead_of_the_team_colour_below_it() {
    let mut scene = scene(vec![layer(vec![texture(2)]), layer(vec![texture(1)])]);
    scene.textures.push(Texture { replaceable: Some(Replaceable::TeamColor), ..Texture::default() });
    assert_eq!(shader(&made(&scene)), "units/hair.tga");
    says(&scene, "materials: 1 of 1 meshes have further layers or maps");
    scene.materials.as_mut_slice()[0].layers.truncate(1);
    assert_eq!(shader(&made(&scene)), "");
    says(&scene, "materials: 1 of 1 meshes have no texture with a file");
}

#[test]
fn coordinates_are_of_the_set_of_the_texture_and_moved_with_it() {
    let second = LayerTexture { coordinates: Coordinates::Set(1), ..texture(0) };
    let mut scene = scene(vec![layer(vec![second])]);
    let coordinates = |scene: &Scene| made(scene).model.model.surfaces[0].texcoords.clone();
    assert_eq!(coordinates(&scene), [[0.25, 0.5]; 3]);
    // (0.5, 0.5) + quarter turn of twice (uv - 0.5 + (0.25, 0)): (u, v) becomes (0.5 - 2 (v - 0.5), 0.5 + 2 (u - 0.25)).
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let id = scene.texture_transforms.push(TextureTransform {
        order: TransformOrder::MoveScaleRotate,
        translation: Animated::fixed([0.25, 0.0, 0.0]),
        rotation: Animated::fixed(Rotation([0.0, 0.0, half, half])),
        scale: Animated::fixed([2.0, 2.0, 1.0]),
    });
    let used = &mut scene.materials.as_mut_slice()[0].layers[0].textures[0];
    (used.transform, used.coordinates) = (Some(id), Coordinates::Set(0));
    let expected = [[1.5, 0.0], [1.5, 2.0], [-0.5, 0.0]];
    let found = coordinates(&scene);
    assert!(
        found.iter().flatten().zip(expected.as_flattened()).all(|(a, b)| (a - b).abs() < 1e-5),
        "{found:?}"
    );
    assert_eq!(said(&made(&scene)), Vec::<String>::new());
}

#[test]
fn a_texture_that_moves_keeps_its_place_at_the_beginning_of_stand() {
    let still = scene(vec![layer(vec![texture(0)])]);
    let with = |values: [[f32; 3]; 4], global: bool| {
        let mut scene = still.clone();
        let mut track = Track::linear(vec![1000, 2000, 3000, 4000], values.to_vec(), [0.0; 3]);
        if global {
            track.global = Some(scene.global_sequences.push(GlobalSequence { length: 90_000 }));
        }
        let translation = Animated { base: [0.0; 3], track: Some(track) };
        let id =
            scene.texture_transforms.push(TextureTransform { translation, ..TextureTransform::default() });
        scene.materials.as_mut_slice()[0].layers[0].textures[0].transform = Some(id);
        scene
    };
    let moves = with([[0.0; 3], [0.5, 0.0, 0.0], [0.75, 0.0, 0.0], [0.0; 3]], false);
    says(&moves, "textures: 1 of 1 meshes move their texture");
    assert_eq!(made(&moves).model.model.surfaces[0].texcoords[0], [0.75, 0.0]);
    assert_eq!(said(&made(&with([[0.5, 0.0, 0.0]; 4], false))), Vec::<String>::new());
    // So slowly that no frame shows it.
    let slow = with([[0.0; 3], [1e-6, 0.0, 0.0], [2e-6, 0.0, 0.0], [0.0; 3]], true);
    says(&slow, "textures: 1 of 1 meshes move their texture");
}

#[test]
fn of_a_flipbook_the_picture_at_the_beginning_of_stand_is_kept() {
    let mut book = texture(0);
    (book.texture, book.flipbook) = (None, Some(steps(&[0, 1000, 3000], &[0, 0, 1])));
    let mut scene = scene(vec![layer(vec![book])]);
    assert_eq!(shader(&made(&scene)), "units/hair.tga");
    says(&scene, "textures: 1 of 1 meshes change their texture");
    scene.materials.as_mut_slice()[0].layers[0].textures[0].flipbook = Some(steps(&[1000, 3000], &[1, 1]));
    assert_eq!((shader(&made(&scene)).as_str(), said(&made(&scene)).len()), ("units/hair.tga", 0));
}

#[test]
fn a_colour_without_a_texture_becomes_one() {
    let red = Layer { color: Animated::fixed([1.0, 0.0, 0.2]), ..layer(Vec::new()) };
    let scene = scene(vec![red]);
    let made = made(&scene);
    assert_eq!((said(&made), shader(&made).as_str()), (Vec::new(), "dog_ff0033.tga"));
    assert_eq!(made.textures[0].fill, [255, 0, 51, 255]);
}

#[test]
fn what_needs_a_shader_script_is_reported() {
    let plain = || layer(vec![texture(0)]);
    let cut = "materials: 1 of 1 meshes are cut out or blended";
    for (blend, alpha_test) in [(Blend::AlphaKey, 0.5), (Blend::Alpha, 0.0), (Blend::Add, 0.0)] {
        says(&scene(vec![Layer { blend, alpha_test, ..plain() }]), cut);
    }
    says(&scene(vec![Layer { two_sided: true, ..plain() }]), "materials: 1 of 1 meshes show both sides");
    let ball = LayerTexture { coordinates: Coordinates::Ball, ..texture(0) };
    says(&scene(vec![layer(vec![ball])]), "materials: 1 of 1 meshes reflect");
    let tinted = Layer { color: Animated::fixed([1.0, 0.5, 1.0]), ..plain() };
    says(&scene(vec![tinted]), "meshes: 1 of 1 meshes have a colour");
    let mut own = scene(vec![plain()]);
    own.meshes.as_mut_slice()[0].color = Animated::fixed([0.5; 3]);
    says(&own, "meshes: 1 of 1 meshes have a colour");
    let faded = Layer { blend: Blend::Alpha, alpha: Animated::fixed(0.5), ..plain() };
    let notes = said(&made(&scene(vec![faded])));
    assert!(
        notes.len() == 2 && notes[1].starts_with("meshes: 1 of 1 meshes are half transparent"),
        "{notes:?}"
    );
    // Opaque surfaces ignore alpha.
    let opaque = Layer { alpha: Animated::fixed(0.5), ..plain() };
    assert_eq!(said(&made(&scene(vec![opaque]))), Vec::<String>::new());
}
