//! Looks of other games as World of Warcraft has them: batches with one or two textures, textures by path.

use super::{LookRules, Shelving, coordinates, layers, meshes, textures};
use crate::raise::RaisedTexture;
use effigy_scene::{
    Coordinates, Layer, LayerTexture, Material, Replaceable, Rotation, Scene, Texture, TextureTransform,
    TransformOrder,
};
use effigy_wire::Report;

/// Changes the looks of a scene; returns the textures that have to be written. `again`: the scene comes from an older version of
/// the game. Textures that change over time have to be gone already.
pub(in crate::raise) fn looks(
    scene: &mut Scene,
    folder: &str,
    again: bool,
    report: &mut Report,
) -> Vec<RaisedTexture> {
    let rules = LookRules { physical: false, lods: false, folder };
    meshes(scene, rules, report);
    for material in scene.materials.as_mut_slice() {
        if material.physical {
            let why = "classic materials have no normal, roughness and metal maps";
            report.dropped(material.name.as_str(), why);
        }
        layers(material, report);
    }
    missing(scene);
    transforms(scene, report);
    rooms(scene, report);
    coordinates(scene, report);
    let teams = |texture: &&Texture| {
        matches!(texture.replaceable, Some(Replaceable::TeamColor | Replaceable::TeamGlow))
    };
    if scene.textures.as_slice().iter().filter(teams).count() > 0 {
        report.approximated("textures", "team colours are those of the first player: the game has no teams");
    }
    textures(scene, folder, if again { Shelving::WorldAgain } else { Shelving::World })
}

/// Every mesh needs a material and every layer a texture: a batch without one is drawn green.
fn missing(scene: &mut Scene) {
    let bare = scene.meshes.as_slice().iter().any(|mesh| mesh.material.is_none());
    let empty = scene.materials.as_slice().iter().flat_map(|it| &it.layers).flat_map(|it| &it.textures);
    let count = scene.textures.len();
    let none = |texture: &LayerTexture| texture.texture.is_none_or(|id| id.index() >= count);
    if !bare
        && !empty.into_iter().any(none)
        && scene.materials.as_slice().iter().all(|it| !it.layers.is_empty())
    {
        return;
    }
    let white = scene.textures.push(Texture { path: "White.blp".to_owned(), ..Texture::default() });
    let layer = || Layer {
        textures: vec![LayerTexture { texture: Some(white), ..LayerTexture::default() }],
        ..Layer::default()
    };
    for material in scene.materials.as_mut_slice() {
        if material.layers.is_empty() {
            material.layers.push(layer());
        }
        for texture in material.layers.iter_mut().flat_map(|it| &mut it.textures) {
            if none(texture) {
                texture.texture = Some(white);
            }
        }
    }
    if bare {
        let material = scene.materials.push(Material {
            name: "White".to_owned(),
            layers: vec![layer()],
            ..Material::default()
        });
        for mesh in scene.meshes.as_mut_slice().iter_mut().filter(|mesh| mesh.material.is_none()) {
            mesh.material = Some(material);
        }
    }
}

/// Texture transforms in World of Warcraft's order: `c + S R (uv - c) + t` is `c + R S (uv + t' - c)` with `t = R S t'`, where R and
/// S can be swapped.
fn transforms(scene: &mut Scene, report: &mut Report) {
    for (index, transform) in scene.texture_transforms.as_mut_slice().iter_mut().enumerate() {
        if transform.order == TransformOrder::MoveScaleRotate {
            continue;
        }
        transform.order = TransformOrder::MoveScaleRotate;
        let turns = transform.rotation.is_animated() || transform.rotation.base != Rotation::IDENTITY;
        let moves = transform.translation.is_animated() || transform.translation.base != [0.0; 3];
        match (turns, super::constant(&transform.scale)) {
            (false, Some([x, y, z])) if [x, y, z].iter().all(|part| *part != 0.0) => {
                shrink(transform, [x, y, z]);
            }
            (true, Some([x, y, _])) if !moves && x == y => {}
            (false, _) if !moves => {}
            _ => report.approximated(
                format!("texture transform {index}"),
                "it shifts, turns and scales; World of Warcraft applies these in another order",
            ),
        }
    }
}

fn shrink(transform: &mut TextureTransform, [x, y, z]: [f32; 3]) {
    let shift = &mut transform.translation;
    let values = shift
        .track
        .iter_mut()
        .flat_map(|track| track.values.iter_mut().chain(track.tangents.iter_mut().flatten()));
    for value in values.chain([&mut shift.base]) {
        *value = [value[0] / x, value[1] / y, value[2] / z];
    }
}

fn rooms(scene: &Scene, report: &mut Report) {
    let all = scene.materials.as_slice().iter().flat_map(|it| &it.layers).flat_map(|it| &it.textures);
    if all.into_iter().any(|texture| texture.coordinates == Coordinates::Room) {
        report.approximated("materials", "reflections in the model's own space turn with the eye instead");
    }
}
