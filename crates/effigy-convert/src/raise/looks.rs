//! Looks of other games as Warcraft III has them: one texture per layer, one colour per mesh, textures by path.

mod bake;
mod physical;
mod textures;
pub(super) mod world;

use super::RaisedTexture;
use effigy_scene::{
    Animated, Arena, Blend, Combine, Coordinates, Id, Layer, LayerTexture, Material, Mesh, Role, Rotation,
    Scene, TextureTransform, TransformOrder,
};
use effigy_wire::Report;
use physical::PlainTextures;
use std::collections::BTreeMap;
use textures::{Shelving, textures};

/// What the pass needs to know about the target.
#[derive(Clone, Copy, Debug)]
pub(super) struct LookRules<'a> {
    /// Materials may have normal and roughness maps.
    pub physical: bool,
    /// Meshes may have levels of detail.
    pub lods: bool,
    /// Where textures are placed.
    pub folder: &'a str,
}

/// Changes the looks of a scene; returns the textures that have to be written.
pub(super) fn looks(scene: &mut Scene, rules: LookRules<'_>, report: &mut Report) -> Vec<RaisedTexture> {
    meshes(scene, rules, report);
    let mut plain = PlainTextures::default();
    for material in scene.materials.as_mut_slice() {
        if rules.physical && material.physical {
            if physical::complete(material, &mut scene.textures, &mut plain, report) {
                continue;
            }
            let why = "its layers cannot be drawn by the shader for maps and are drawn by the classic one";
            report.approximated(material.name.as_str(), why);
        } else if material.physical {
            let why = "classic materials have no normal, roughness and metal maps";
            report.dropped(material.name.as_str(), why);
        }
        layers(material, report);
    }
    split_colors(scene, report);
    bake::bake(scene);
    transforms(scene, report);
    coordinates(scene, report);
    let mut list = textures(scene, rules.folder, Shelving::Warcraft);
    for texture in &mut list {
        texture.fill = plain.pixels.get(&texture.source.index()).copied().unwrap_or(texture.fill);
    }
    list
}

/// Whether a layer has a texture for a role.
fn has(layer: &Layer, role: Role) -> bool {
    layer.texture(role).is_some_and(|it| it.texture.is_some())
}

/// Leaves out what is not drawn.
fn meshes(scene: &mut Scene, rules: LookRules<'_>, report: &mut Report) {
    let before = scene.meshes.len();
    let drawn = |mesh: &Mesh| {
        mesh.shown && !mesh.indices.is_empty() && (rules.lods || mesh.lod.is_none_or(|level| level == 0))
    };
    let mut places = Vec::with_capacity(before);
    let mut kept = Arena::default();
    for mesh in std::mem::take(&mut scene.meshes) {
        places.push(drawn(&mesh).then(|| kept.push(mesh)));
    }
    scene.meshes = kept;
    for node in scene.nodes.as_mut_slice() {
        node.gate = node.gate.and_then(|gate| places.get(gate.index()).copied().flatten());
    }
    let hidden = before.saturating_sub(scene.meshes.len());
    if hidden > 0 {
        report.dropped(
            "meshes",
            format!("{hidden} of {before} are hidden, empty or a coarser level of detail"),
        );
    }
    let morphs = scene.meshes.as_mut_slice().iter_mut().filter_map(|mesh| mesh.morph.take()).count();
    if morphs > 0 {
        report.dropped(
            "meshes",
            format!("{morphs} change their shape from frame to frame, which the format cannot hold"),
        );
    }
}

/// Warcraft III has one texture in a classic layer: the others become layers of their own.
fn layers(material: &mut Material, report: &mut Report) {
    material.physical = false;
    let mut made = Vec::with_capacity(material.layers.len());
    for mut layer in std::mem::take(&mut material.layers) {
        let all = std::mem::take(&mut layer.textures);
        let base = all.iter().find(|it| it.role == Role::Base).cloned().unwrap_or_default();
        let cut = matches!(layer.blend, Blend::Opaque);
        layer.textures.push(LayerTexture { combine: Combine::Modulate, ..base });
        let first = layer.clone();
        made.push(layer);
        for texture in all.into_iter().filter(|it| matches!(it.role, Role::Second | Role::Emissive)) {
            let Some(blend) = second_blend(&texture, cut) else {
                report.dropped(
                    material.name.as_str(),
                    "a second texture that changes the transparency of the first",
                );
                continue;
            };
            if texture.role == Role::Emissive && texture.texture.is_none() {
                continue;
            }
            report.approximated(
                material.name.as_str(),
                format!("a second texture ({}) became a layer of its own", texture.combine.name()),
            );
            let alpha_test = if blend == Blend::Opaque { 0.0 } else { 4.0 / 255.0 };
            made.push(Layer {
                blend,
                alpha_test,
                unlit: true,
                textures: vec![LayerTexture { role: Role::Base, combine: Combine::Modulate, ..texture }],
                ..first.clone()
            });
        }
    }
    material.layers = made;
}

/// How a second texture is blended over the first; none: no blend does the same.
fn second_blend(texture: &LayerTexture, over_opaque: bool) -> Option<Blend> {
    if texture.role == Role::Emissive {
        return Some(Blend::AddAlpha);
    }
    match texture.combine {
        Combine::Add | Combine::AddColor => Some(Blend::Add),
        Combine::Decal | Combine::Fade => Some(Blend::Alpha),
        Combine::Modulate | Combine::ModulateColor if over_opaque => Some(Blend::Modulate),
        Combine::Modulate2x | Combine::Modulate2xColor if over_opaque => Some(Blend::Modulate2x),
        _ => None,
    }
}

/// Colour and alpha of a layer, which Warcraft III has on the mesh.
type Tint = (Animated<[f32; 3]>, Animated<f32>);

fn product(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    (glam::Vec3::from(a) * glam::Vec3::from(b)).into()
}

/// One animation multiplied by another; none if both change.
fn both<T: Copy + PartialEq>(
    a: &Animated<T>,
    b: &Animated<T>,
    product: impl Fn(T, T) -> T,
) -> Option<Animated<T>> {
    let (fixed, other) = if a.track.is_none() { (a, b) } else { (b, a) };
    if fixed.track.is_some() {
        return None;
    }
    let mut made = other.clone();
    made.base = product(fixed.base, other.base);
    if let Some(track) = &mut made.track {
        track.default = product(fixed.base, track.default);
        let tangents = track.tangents.iter_mut().flatten();
        track.values.iter_mut().chain(tangents).for_each(|value| *value = product(fixed.base, *value));
    }
    Some(made)
}

/// Moves colours from layers to meshes. Where the layers of a mesh have different ones, the mesh is repeated.
fn split_colors(scene: &mut Scene, report: &mut Report) {
    let sources: Vec<Material> = std::mem::take(&mut scene.materials).into_iter().collect();
    let mut made: Arena<Material> = Arena::default();
    let mut known: BTreeMap<(usize, usize), Id<Material>> = BTreeMap::new();
    let runs: Vec<Vec<(Tint, Vec<Layer>)>> = sources.iter().map(runs).collect();
    let mut material = |made: &mut Arena<Material>, source: usize, run: usize| {
        let origin = sources.get(source)?;
        let (_, layers) = runs.get(source)?.get(run)?;
        Some(
            *known
                .entry((source, run))
                .or_insert_with(|| made.push(Material { layers: layers.clone(), ..origin.clone() })),
        )
    };
    // Ribbons keep their own colour; their materials come first, since they need all layers.
    for ribbon in scene.ribbons.as_mut_slice() {
        let Some(source) = ribbon.material.and_then(|id| sources.get(id.index())) else { continue };
        ribbon.material = Some(made.push(source.clone()));
    }
    let mut repeated = 0_usize;
    let mut tinted = 0_usize;
    let mut meshes: Arena<Mesh> = Arena::default();
    let mut places = Vec::new();
    for mesh in std::mem::take(&mut scene.meshes) {
        places.push(u32::try_from(meshes.len()).unwrap_or(u32::MAX));
        let source = mesh.material.map(Id::index);
        let count = source.and_then(|source| runs.get(source)).map_or(0, Vec::len);
        let (Some(source), true) = (source, count > 0) else {
            meshes.push(Mesh { material: None, ..mesh });
            continue;
        };
        repeated += count.saturating_sub(1);
        for run in 0..count {
            let tint = runs.get(source).and_then(|runs| runs.get(run)).map(|(tint, _)| tint.clone());
            let mut copy = mesh.clone();
            copy.material = material(&mut made, source, run);
            if let Some((color, alpha)) = tint {
                match both(&copy.color, &color, product).zip(both(&copy.alpha, &alpha, |a, b| a * b)) {
                    Some((color, alpha)) => (copy.color, copy.alpha) = (color, alpha),
                    None => tinted += 1,
                }
            }
            meshes.push(copy);
        }
    }
    scene.meshes = meshes;
    scene.materials = made;
    for node in scene.nodes.as_mut_slice() {
        node.gate = node.gate.and_then(|gate| places.get(gate.index()).copied()).map(Id::new);
    }
    if repeated > 0 {
        report.approximated(
            "meshes",
            format!("{repeated} were repeated, since their layers have different colours"),
        );
    }
    if tinted > 0 {
        report.dropped(
            "meshes",
            format!("the layers of {tinted} have a changing colour besides that of the mesh"),
        );
    }
}

/// Layers of the same colour, one after another.
fn runs(material: &Material) -> Vec<(Tint, Vec<Layer>)> {
    let mut runs: Vec<(Tint, Vec<Layer>)> = Vec::new();
    for layer in &material.layers {
        let tint = (layer.color.clone(), layer.color_alpha.clone());
        let plain =
            Layer { color: Animated::fixed([1.0; 3]), color_alpha: Animated::fixed(1.0), ..layer.clone() };
        match runs.last_mut() {
            Some((last, layers)) if *last == tint => layers.push(plain),
            _ => runs.push((tint, vec![plain])),
        }
    }
    runs
}

/// Texture transforms in Warcraft III's order: `c + R S (uv + t - c)` is `c + S R (uv - c) + t'` with `t' = R S t`, where R and S
/// can be swapped.
fn transforms(scene: &mut Scene, report: &mut Report) {
    for (index, transform) in scene.texture_transforms.as_mut_slice().iter_mut().enumerate() {
        if transform.order == TransformOrder::RotateScaleMove {
            continue;
        }
        transform.order = TransformOrder::RotateScaleMove;
        let fixed = constant(&transform.rotation).zip(constant(&transform.scale));
        if let Some((Rotation([_, _, z, w]), [sx, sy, sz])) = fixed {
            let (sin, cos) = (2.0 * z.atan2(w)).sin_cos();
            move_by(transform, |[x, y, z]| {
                let (x, y) = (x * sx, y * sy);
                [x * cos - y * sin, x * sin + y * cos, z * sz]
            });
            if z != 0.0 && sx != sy {
                report.approximated(
                    format!("texture transform {index}"),
                    "it turns and scales; Warcraft III applies these in another order",
                );
            }
        } else if transform.translation.is_animated() {
            report.approximated(
                format!("texture transform {index}"),
                "it shifts, turns and scales; Warcraft III applies these in another order",
            );
        } else if transform.rotation.is_animated() && transform.scale.is_animated() {
            report.approximated(
                format!("texture transform {index}"),
                "it turns and scales; Warcraft III applies these in another order",
            );
        }
    }
}

fn move_by(transform: &mut TextureTransform, change: impl Fn([f32; 3]) -> [f32; 3]) {
    let translation = &mut transform.translation;
    translation.base = change(translation.base);
    if let Some(track) = &mut translation.track {
        track.default = change(track.default);
        for value in track.values.iter_mut().chain(track.tangents.iter_mut().flatten()) {
            *value = change(*value);
        }
    }
}

/// The value of an animation that does not change.
fn constant<T: Copy + PartialEq>(value: &Animated<T>) -> Option<T> {
    let Some(track) = &value.track else { return Some(value.base) };
    let first = track.values.first().copied()?;
    track.values.iter().all(|value| *value == first).then_some(first)
}

/// The textures of all layers.
fn each_texture(scene: &mut Scene) -> impl Iterator<Item = &mut LayerTexture> {
    let layers = scene.materials.as_mut_slice().iter_mut().flat_map(|material| &mut material.layers);
    layers.flat_map(|layer| &mut layer.textures)
}

/// Layers only name sets of coordinates that their meshes have, one of the first two.
fn coordinates(scene: &mut Scene, report: &mut Report) {
    let is_far = |it: &&mut LayerTexture| matches!(it.coordinates, Coordinates::Set(2..));
    let far = each_texture(scene).filter(is_far).count();
    if far > 0 {
        report.approximated(
            "materials",
            format!("{far} textures use a third or later set of coordinates and get the second"),
        );
    }
    let most = |material: &Material| {
        let sets = material.layers.iter().flat_map(|layer| &layer.textures).map(|it| match it.coordinates {
            Coordinates::Set(set) => set.min(1),
            _ => 0,
        });
        sets.max().unwrap_or(0)
    };
    for mesh in scene.meshes.as_mut_slice() {
        let wanted = mesh.material.and_then(|id| scene.materials.get(id)).map_or(0, most);
        let count = mesh.positions.len();
        while mesh.uvs.len() <= wanted as usize {
            mesh.uvs.push(vec![[0.0; 2]; count]);
        }
    }
    for texture in each_texture(scene) {
        texture.coordinates = match texture.coordinates {
            Coordinates::Set(set) => Coordinates::Set(set.min(1)),
            _ => Coordinates::Sphere,
        };
    }
}

#[cfg(test)]
mod tests;
