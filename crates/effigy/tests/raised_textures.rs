//! The textures that are written with a model of another game, pixel by pixel.

use effigy::image::Image;
use effigy::scene::{Blend, Layer, LayerTexture, Material, Mesh, Role, Scene, Texture, Textures};
use std::collections::BTreeMap;

/// Images of one colour, by path.
struct Plain(BTreeMap<&'static str, [u8; 4]>);

impl Textures for Plain {
    fn image(&mut self, texture: &Texture) -> Option<Image> {
        let pixel = self.0.get(texture.path.as_str())?;
        Image::new(16, 16, pixel.repeat(16 * 16)).ok()
    }
}

/// A triangle with maps of these roles, cut out where alpha is below one half.
fn scene(maps: &[(Role, &str)]) -> Scene {
    let mut scene = Scene { name: "Rock".to_owned(), ..Scene::default() };
    let mut layer = Layer { blend: Blend::AlphaKey, alpha_test: 128.0 / 255.0, ..Layer::default() };
    for (role, path) in maps {
        let texture = scene.textures.push(Texture { path: (*path).to_owned(), ..Texture::default() });
        layer.textures.push(LayerTexture { role: *role, texture: Some(texture), ..LayerTexture::default() });
    }
    let physical = maps.len() > 1;
    let material = Material { name: "rock".to_owned(), layers: vec![layer], physical, ..Material::default() };
    let mut mesh = Mesh::new("rock");
    mesh.positions = vec![[0.0; 3], [100.0, 0.0, 0.0], [0.0, 0.0, 100.0]];
    mesh.normals = vec![[0.0, -1.0, 0.0]; 3];
    mesh.uvs = vec![vec![[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]];
    mesh.indices = vec![0, 1, 2];
    mesh.material = Some(scene.materials.push(material));
    scene.meshes.push(mesh);
    scene
}

/// The files that are written, and the first pixel of each.
fn written(target: &str, maps: &[(Role, &'static str, [u8; 4])]) -> Vec<(String, [u8; 4])> {
    let roles: Vec<(Role, &str)> = maps.iter().map(|(role, path, _)| (*role, *path)).collect();
    let images = Plain(maps.iter().map(|(_, path, pixel)| (*path, *pixel)).collect());
    let made =
        effigy::make(scene(&roles), Box::new(images), &target.parse().unwrap(), &Default::default()).unwrap();
    let files = made.into_files("rock").unwrap().companions;
    let textures = files.iter().filter(|(name, _)| name.ends_with(".dds") || name.ends_with(".blp"));
    let pixel = |bytes: &[u8]| {
        let image = effigy::image::read(bytes).unwrap();
        image.levels[0][..4].try_into().unwrap()
    };
    textures.map(|(name, bytes)| (name.clone(), pixel(bytes))).collect()
}

/// Whether two pixels are as near as blocks of DDS files and JPEG bring them; alpha is exact.
fn near(a: [u8; 4], b: [u8; 4]) -> bool {
    a.iter().zip(b).take(3).all(|(a, b)| a.abs_diff(b) <= 8) && a[3] == b[3]
}

#[test]
fn maps_keep_their_alpha_and_the_endings_of_their_names() {
    let files = written(
        "mdx:1100",
        &[
            (Role::Base, "rock.png", [120, 60, 40, 200]),
            // Alpha is the mask of the player's colour: there is none.
            (Role::Orm, "rock_orm.png", [255, 200, 0, 0]),
            (Role::Normal, "rock_normal.png", [128, 128, 255, 255]),
        ],
    );
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        names,
        [
            "war3mapImported/Rock_rock_key128.dds",
            "war3mapImported/Rock_rock_orm.dds",
            "war3mapImported/Rock_rock_normal.dds"
        ]
    );
    // 200 of 255 with a limit of 128 is 255 - 55 * 63 / 127 with one of 192.
    let pixels = [[120, 60, 40, 228], [255, 200, 0, 0], [128, 128, 255, 255]];
    for ((name, found), wanted) in files.iter().zip(pixels) {
        assert!(near(*found, wanted), "{name}: {found:?}");
    }
}

#[test]
fn maps_that_the_source_lacks_are_written() {
    let maps = [(Role::Base, "rock.png", [120, 60, 40, 255]), (Role::Normal, "n.png", [128, 128, 255, 255])];
    let files = written("mdx:1100", &maps);
    let (name, pixel) = &files[2];
    assert_eq!((files.len(), name.as_str()), (3, "war3mapImported/Rock_rough_orm.dds"));
    assert!(near(*pixel, [255, 255, 0, 0]), "{pixel:?}");
}

#[test]
fn what_would_not_be_visible_at_all_becomes_opaque() {
    for (target, name) in [
        ("mdx:800", "war3mapImported/Rock_rock_key128.blp"),
        ("m2:264", "Creature/Rock/Rock_rock_key128.blp"),
    ] {
        let files = written(target, &[(Role::Base, "rock.png", [120, 60, 40, 0])]);
        assert_eq!(files.len(), 1);
        assert_eq!(files[0].0, name);
        assert!(near(files[0].1, [120, 60, 40, 255]), "{target}: {:?}", files[0].1);
    }
}
