//! Planes that stand for particles: one per emitter, as large, as coloured and with the picture that a particle has in the middle of
//! its life. It does not move by itself and does not turn to the camera.

use effigy_scene::{
    Animated, Id, Influence, Interpolation, Layer, LayerTexture, Material, Mesh, Node, ParticleEmitter,
    Scene, Skin, ValidScene, validate,
};
use effigy_wire::{Report, Result};

/// The name in extras of what was added, so that it is not read back.
pub(crate) const SPRITE: &str = "sprite";

/// The same scene with a mesh for each emitter that emits something.
pub(super) fn with_sprites(source: &ValidScene, report: &mut Report) -> Result<ValidScene> {
    let mut scene: Scene = (**source).clone();
    let mut count = 0_usize;
    for (id, emitter) in source.emitters.iter() {
        let Some(mesh) = plane(emitter, id.index()) else { continue };
        let material = scene.materials.push(material(emitter));
        scene.meshes.push(Mesh { material: Some(material), ..mesh });
        count += 1;
    }
    if count > 0 {
        report.approximated(
            "emitters",
            format!("{count} are shown by a plane each, which neither moves nor turns to the camera"),
        );
    }
    validate(scene)
}

/// The value in the middle of a particle's life, or the largest if that is 0.
fn typical([start, middle, end]: [f32; 3]) -> f32 {
    if middle > 0.0 { middle } else { start.max(end) }
}

fn plane(emitter: &ParticleEmitter, index: usize) -> Option<Mesh> {
    let emits = emitter.rate.is_animated() || emitter.rate.base > 0.0;
    let half = typical(emitter.over_life.sizes).abs();
    if !emits || half <= 0.0 {
        return None;
    }
    let [x, y, z] = emitter.position;
    let corner = |right: f32, up: f32| match emitter.flat {
        true => [x + up * half, y + right * half, z],
        false => [x, y + right * half, z + up * half],
    };
    let [rows, columns] = emitter.cells.map(|it| it.max(1));
    let cell = emitter.over_life.head.first().map_or(0, |it| it.start) % rows.saturating_mul(columns).max(1);
    let (width, height) = (1.0 / columns as f32, 1.0 / rows as f32);
    let (left, top) = ((cell % columns) as f32 * width, (cell / columns) as f32 * height);
    let mut mesh = Mesh::new(format!("{} (sprite)", emitter.name));
    // Seen from the front, which is +X: y grows to the right.
    mesh.positions = vec![corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
    mesh.normals = vec![if emitter.flat { [0.0, 0.0, 1.0] } else { [1.0, 0.0, 0.0] }; 4];
    mesh.uvs =
        vec![vec![[left, top + height], [left + width, top + height], [left + width, top], [left, top]]];
    mesh.indices = if emitter.flat { vec![0, 2, 1, 0, 3, 2] } else { vec![0, 1, 2, 0, 2, 3] };
    mesh.skin = Some(following(emitter.node));
    mesh.alpha = shown(emitter);
    mesh.extras.set(SPRITE, i64::try_from(index).unwrap_or(i64::MAX));
    Some(mesh)
}

fn following(node: Id<Node>) -> Skin {
    let mut skin = Skin::default();
    let group = skin.push_group([Influence { node, weight: 1.0 }]);
    skin.vertex_groups = vec![group; 4];
    skin
}

/// 1 while it emits: by its visibility, or by its rate if only that changes.
fn shown(emitter: &ParticleEmitter) -> Animated<f32> {
    let source = if emitter.visibility.is_animated() { &emitter.visibility } else { &emitter.rate };
    let on = |value: f32| if value > 0.0 { 1.0 } else { 0.0 };
    let Some(track) = &source.track else { return Animated::fixed(on(emitter.visibility.base)) };
    let mut track = track.clone();
    track.interpolation = Interpolation::Step;
    track.tangents.clear();
    track.values.iter_mut().for_each(|value| *value = on(*value));
    track.default = on(track.default);
    Animated { base: on(source.base), track: Some(track) }
}

fn material(emitter: &ParticleEmitter) -> Material {
    let texture = LayerTexture { texture: emitter.texture, ..LayerTexture::default() };
    let layer = Layer {
        blend: emitter.blend,
        textures: vec![texture],
        color: Animated::fixed(emitter.over_life.colors[1]),
        alpha: Animated::fixed(typical(emitter.over_life.alphas).clamp(0.0, 1.0)),
        unlit: emitter.unlit,
        two_sided: true,
        no_depth_write: true,
        ..Layer::default()
    };
    let mut material = Material { name: emitter.name.clone(), layers: vec![layer], ..Material::default() };
    material.extras.set(SPRITE, true);
    material
}

#[cfg(test)]
mod tests {
    use super::*;
    use effigy_scene::{Id, Track};

    #[test]
    fn a_plane_shows_the_first_cell_of_its_texture() {
        let mut emitter = ParticleEmitter::new("Fire", Id::new(0));
        emitter.rate = effigy_scene::Animated::fixed(1.0);
        emitter.over_life.sizes = [0.0, 2.0, 0.0];
        emitter.cells = [2, 4];
        // The second cell of the second row.
        emitter.over_life.head[0].start = 5;
        let mesh = plane(&emitter, 0).unwrap();
        assert_eq!(mesh.uvs[0], [[0.25, 1.0], [0.5, 1.0], [0.5, 0.5], [0.25, 0.5]]);
        assert_eq!(mesh.positions, [[0.0, -2.0, -2.0], [0.0, 2.0, -2.0], [0.0, 2.0, 2.0], [0.0, -2.0, 2.0]]);
        emitter.flat = true;
        let flat = plane(&emitter, 0).unwrap();
        assert_eq!(flat.positions, [[-2.0, -2.0, 0.0], [-2.0, 2.0, 0.0], [2.0, 2.0, 0.0], [2.0, -2.0, 0.0]]);
        // Cells are counted anew after the last; what emits nothing has no plane.
        emitter.over_life.head[0].start = 13;
        assert_eq!(plane(&emitter, 0).unwrap().uvs, mesh.uvs);
        emitter.rate = effigy_scene::Animated::fixed(0.0);
        assert!(plane(&emitter, 0).is_none());
    }

    #[test]
    fn a_plane_shows_the_first_cell_at_the_typical_size() {
        let mut emitter = ParticleEmitter::new("Smoke", Id::new(3));
        emitter.rate = Animated::fixed(5.0);
        emitter.position = [10.0, 20.0, 30.0];
        emitter.cells = [2, 4];
        emitter.over_life.sizes = [1.0, 2.0, 3.0];
        emitter.over_life.alphas = [0.25, 0.0, 0.5];
        emitter.over_life.colors = [[0.0; 3], [0.25, 0.5, 0.75], [1.0; 3]];
        emitter.over_life.head[0].start = 6;
        emitter.unlit = true;
        let mesh = plane(&emitter, 7).unwrap();
        let corners = [[10.0, 18.0, 28.0], [10.0, 22.0, 28.0], [10.0, 22.0, 32.0], [10.0, 18.0, 32.0]];
        assert_eq!(
            (mesh.positions.as_slice(), mesh.indices.as_slice()),
            (&corners[..], &[0, 1, 2, 0, 2, 3][..])
        );
        // The seventh of eight cells: the third in the second row.
        assert_eq!(mesh.uvs, [[[0.5, 1.0], [0.75, 1.0], [0.75, 0.5], [0.5, 0.5]]]);
        assert_eq!((mesh.normals[0], mesh.name.as_str()), ([1.0, 0.0, 0.0], "Smoke (sprite)"));
        emitter.flat = true;
        let mesh = plane(&emitter, 7).unwrap();
        let corners = [[8.0, 18.0, 30.0], [8.0, 22.0, 30.0], [12.0, 22.0, 30.0], [12.0, 18.0, 30.0]];
        assert_eq!(
            (mesh.positions.as_slice(), mesh.indices.as_slice()),
            (&corners[..], &[0, 2, 1, 0, 3, 2][..])
        );
        assert_eq!(mesh.normals[3], [0.0, 0.0, 1.0]);
        let material = material(&emitter);
        let layer = &material.layers[0];
        assert_eq!((layer.color.base, layer.alpha.base), ([0.25, 0.5, 0.75], 0.5));
        assert!(layer.unlit && layer.two_sided && layer.no_depth_write);
        assert_eq!((layer.blend, layer.textures[0].texture), (emitter.blend, emitter.texture));
        emitter.rate = Animated::fixed(0.0);
        assert!(plane(&emitter, 7).is_none());
        emitter.rate = Animated::fixed(1.0);
        emitter.over_life.sizes = [0.0; 3];
        assert!(plane(&emitter, 7).is_none());
    }

    #[test]
    fn a_plane_is_shown_while_its_emitter_emits() {
        let track = |values: [f32; 3]| Track {
            tangents: vec![[9.0; 2]; 3],
            interpolation: Interpolation::Hermite,
            ..Track::linear(vec![0, 100, 200], values.to_vec(), values[2])
        };
        let mut emitter = ParticleEmitter::new("Fire", Id::new(0));
        emitter.rate = Animated { base: 7.0, track: Some(track([0.0, 30.0, -1.0])) };
        let stepped = |values: [f32; 3], default: f32| Track {
            interpolation: Interpolation::Step,
            ..Track::linear(vec![0, 100, 200], values.to_vec(), default)
        };
        let expected = Animated { base: 1.0, track: Some(stepped([0.0, 1.0, 0.0], 0.0)) };
        assert_eq!(shown(&emitter), expected);
        // The visibility counts more, if it changes.
        emitter.visibility = Animated { base: 0.0, track: Some(track([0.5, 0.0, 1.0])) };
        let expected = Animated { base: 0.0, track: Some(stepped([1.0, 0.0, 1.0], 1.0)) };
        assert_eq!(shown(&emitter), expected);
        emitter.rate = Animated::fixed(5.0);
        for (visibility, expected) in [(0.5, 1.0), (0.0, 0.0), (-1.0, 0.0)] {
            emitter.visibility = Animated::fixed(visibility);
            assert_eq!(shown(&emitter), Animated::fixed(expected));
        }
        // A rate that changes emits something at some time; sizes below 0 are sizes.
        emitter.rate = Animated { base: 0.0, track: Some(track([0.0, 30.0, 0.0])) };
        emitter.over_life.sizes = [-4.0, 0.0, -2.0];
        assert_eq!(plane(&emitter, 0).unwrap().positions[2], [0.0, 2.0, 2.0]);
        assert_eq!(
            [typical([1.0, 2.0, 3.0]), typical([1.0, 0.0, 3.0]), typical([4.0, -1.0, 3.0])],
            [2.0, 3.0, 4.0]
        );
    }
}
