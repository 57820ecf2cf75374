//! Texture transforms that do not change, as part of the coordinates: that is exact, whatever the order in which a game turns, scales
//! and shifts.

use super::constant;
use effigy_scene::sample::texture_matrix;
use effigy_scene::{Arena, Coordinates, Id, LayerTexture, Material, Role, Scene, TextureTransform};

/// A 2 x 3 matrix of coordinates.
type Matrix = [[f32; 3]; 2];

/// Bakes the transforms of materials where all layers that use a set of coordinates agree. Others stay.
pub(super) fn bake(scene: &mut Scene) {
    let baked: Vec<Vec<(usize, Matrix)>> =
        scene.materials.as_mut_slice().iter_mut().map(|it| take(it, &scene.texture_transforms)).collect();
    if baked.iter().all(Vec::is_empty) {
        return;
    }
    for mesh in scene.meshes.as_mut_slice() {
        let of = mesh.material.and_then(|id| baked.get(id.index()));
        for (set, matrix) in of.into_iter().flatten() {
            for uv in mesh.uvs.get_mut(*set).into_iter().flatten() {
                let [u, v] = *uv;
                *uv = matrix.map(|[a, b, c]| a * u + b * v + c);
            }
        }
    }
    remove_unused(scene);
}

/// Takes the transforms out of a material; the sets of coordinates that they belong into.
fn take(material: &mut Material, transforms: &Arena<TextureTransform>) -> Vec<(usize, Matrix)> {
    let physical = material.physical;
    let mut sets: Vec<(usize, Option<Matrix>)> = Vec::new();
    for texture in material.layers.iter().flat_map(|layer| &layer.textures) {
        // The shader for maps places all of them like the colour.
        let counts = !physical || texture.role == Role::Base;
        let (Some(set), true) = (set(texture), counts) else { continue };
        let own = texture.transform.map_or(Some(UNMOVED), |id| matrix(transforms.get(id)?));
        match sets.iter_mut().find(|(known, _)| *known == set) {
            Some((_, known)) if *known != own => *known = None,
            Some(_) => {}
            None => sets.push((set, own)),
        }
    }
    let mut made: Vec<(usize, Matrix)> = Vec::new();
    for (set, matrix) in sets {
        made.extend(matrix.filter(|matrix| *matrix != UNMOVED).map(|matrix| (set, matrix)));
    }
    let is_made = |it: &LayerTexture| set(it).is_some_and(|set| made.iter().any(|(known, _)| *known == set));
    let all = physical && !made.is_empty();
    for texture in material.layers.iter_mut().flat_map(|layer| &mut layer.textures) {
        if all || is_made(texture) {
            texture.transform = None;
        }
    }
    made
}

const UNMOVED: Matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];

/// The set of coordinates of a texture, if it is one that meshes have.
fn set(texture: &LayerTexture) -> Option<usize> {
    match texture.coordinates {
        Coordinates::Set(set) => usize::try_from(set).ok(),
        _ => None,
    }
}

/// What a transform does that does not change.
fn matrix(transform: &TextureTransform) -> Option<Matrix> {
    let [tx, ty, _] = constant(&transform.translation)?;
    let [_, _, z, w] = constant(&transform.rotation)?.0;
    let [sx, sy, _] = constant(&transform.scale)?;
    Some(texture_matrix(transform.order, [tx, ty], 2.0 * z.atan2(w), [sx, sy]))
}

/// Removes transforms that no texture uses any more.
fn remove_unused(scene: &mut Scene) {
    let mut used = vec![false; scene.texture_transforms.len()];
    for texture in super::each_texture(scene) {
        if let Some(flag) = texture.transform.and_then(|id| used.get_mut(id.index())) {
            *flag = true;
        }
    }
    let mut kept = Arena::default();
    let old = std::mem::take(&mut scene.texture_transforms).into_iter().zip(used);
    let places: Vec<Option<Id<TextureTransform>>> =
        old.map(|(transform, used)| used.then(|| kept.push(transform))).collect();
    scene.texture_transforms = kept;
    for texture in super::each_texture(scene) {
        texture.transform = texture.transform.and_then(|id| places.get(id.index()).copied().flatten());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use effigy_scene::{Animated, Layer, Mesh, Rotation, Track, TransformOrder};

    /// Scaled by 2 and 0.5, then a quarter turn, about the middle: (1, 0) is (0.5, -0.5) from there, so (1, -0.25), so (0.25, 1).
    fn turned() -> TextureTransform {
        let half = std::f32::consts::FRAC_1_SQRT_2;
        TextureTransform {
            rotation: Animated::fixed(Rotation([0.0, 0.0, half, half])),
            scale: Animated::fixed([2.0, 0.5, 1.0]),
            order: TransformOrder::MoveScaleRotate,
            ..TextureTransform::default()
        }
    }

    fn texture(transform: Option<u32>, set: u32, role: Role) -> LayerTexture {
        let coordinates = Coordinates::Set(set);
        LayerTexture { transform: transform.map(Id::new), coordinates, role, ..LayerTexture::default() }
    }

    /// Two transforms, the second of which moves; the coordinates of both sets, and how many transforms stay.
    fn baked(textures: &[LayerTexture], physical: bool) -> ([[f32; 2]; 2], Vec<Option<usize>>, usize) {
        let mut scene = Scene::default();
        scene.texture_transforms.push(turned());
        let mut moving = turned();
        moving.translation.track = Some(Track::linear(vec![0, 9], vec![[0.0; 3], [1.0; 3]], [0.0; 3]));
        scene.texture_transforms.push(moving);
        scene.texture_transforms.push(turned());
        let layers =
            textures.iter().map(|it| Layer { textures: vec![it.clone()], ..Layer::default() }).collect();
        let material = scene.materials.push(Material { layers, physical, ..Material::default() });
        let mut mesh = Mesh::new("m");
        (mesh.material, mesh.uvs) = (Some(material), vec![vec![[1.0, 0.0]], vec![[1.0, 0.0]]]);
        scene.meshes.push(mesh);
        bake(&mut scene);
        let uvs = [0, 1].map(|set: usize| scene.meshes.as_slice()[0].uvs[set][0]);
        let left = super::super::each_texture(&mut scene).map(|it| it.transform.map(Id::index)).collect();
        (uvs, left, scene.texture_transforms.len())
    }

    #[test]
    fn a_transform_that_all_layers_share_becomes_part_of_the_coordinates() {
        let near = |found: [[f32; 2]; 2], wanted: [[f32; 2]; 2]| {
            let off = found.as_flattened().iter().zip(wanted.as_flattened()).map(|(a, b)| (a - b).abs());
            assert!(off.fold(0.0, f32::max) < 1e-6, "{found:?}");
        };
        let (plain, moved) = ([1.0, 0.0], [0.75, 1.5]);
        let base = |transform, set| texture(transform, set, Role::Base);
        let (uvs, left, _) = baked(&[base(Some(0), 0)], false);
        near(uvs, [moved, plain]);
        assert_eq!(left, [None]);
        // Equal ones agree, and each set has its own.
        let (uvs, left, count) = baked(&[base(Some(0), 1), base(Some(2), 1), base(Some(1), 0)], false);
        near(uvs, [plain, moved]);
        assert_eq!((left, count), (vec![None, None, Some(0)], 1));
        // One that moves, or a layer without one: all stay as they are.
        for other in [Some(1), None] {
            let (uvs, left, count) = baked(&[base(Some(0), 0), base(other, 0)], false);
            near(uvs, [plain, plain]);
            assert_eq!((left, count), (vec![Some(0), other.map(|at| at as usize)], 3));
        }
        // Maps are placed like the colour.
        let (uvs, left, _) = baked(&[base(Some(0), 0), texture(None, 0, Role::Normal)], true);
        near(uvs, [moved, plain]);
        assert_eq!(left, [None, None]);
    }
}
