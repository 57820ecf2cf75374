//! The moment whose look is kept where the target has no place for looks that change.

use super::{Names, loops, names};
use effigy_scene::sample::{Moment, Sampler};
use effigy_scene::{Id, Scene, Sequence, ValidScene};
use effigy_wire::Report;

/// The beginning of the first Stand, else of the first sequence. Clocks of their own are at their beginning.
pub(super) fn moment(scene: &Scene, chosen: &Names) -> Moment {
    let is_stand = |name: &str| names::is_stand(name) || names::is_stand(&loops::meaning(name));
    let name = |id: &Id<Sequence>| {
        let own = scene.sequences.get(*id).map_or("", |it| it.name.as_str());
        chosen.sequences.get(own).map_or(own, String::as_str)
    };
    let all = || scene.sequences.iter().map(|(id, _)| id);
    let stand = all().find(|id| is_stand(name(id))).or_else(|| all().find(|id| !name(id).is_empty()));
    Moment { sequence: stand.or_else(|| scene.sequences.id(0)), time: 0.0, clock: 0.0 }
}

/// Replaces textures that change over time by the one that is shown at the moment that is kept. `source` is the scene that `scene` is a
/// copy of.
pub(super) fn textures(scene: &mut Scene, source: &ValidScene, chosen: &Names, report: &mut Report) {
    let sampler = Sampler::new(source);
    let moment = moment(source, chosen);
    let count = scene.textures.len();
    let mut lost = 0_usize;
    let layers = scene.materials.as_mut_slice().iter_mut().flat_map(|material| &mut material.layers);
    for texture in layers.flat_map(|layer| &mut layer.textures) {
        let Some(track) = texture.flipbook.take() else { continue };
        let shown = sampler.track(&track, &moment);
        lost += usize::from(track.values.iter().any(|value| *value != shown));
        if (shown as usize) < count {
            texture.texture = Some(Id::new(shown));
        }
    }
    if lost > 0 {
        let text = format!("{lost} textures change over time; the one at the beginning of Stand is kept");
        report.dropped("materials", text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use effigy_scene::{
        GlobalSequence, Interpolation, KeyRule, Layer, LayerTexture, Material, Texture, Track, validate,
    };

    /// Four textures, sequences of a second from 1 s on, and a flipbook with these keys.
    fn scene(sequences: &[&str], times: &[i32], values: &[u32]) -> Scene {
        let mut scene = Scene { key_rule: KeyRule::Wrap, ..Scene::default() };
        for (start, name) in (1000..).step_by(2000).zip(sequences) {
            let name = (*name).to_owned();
            scene.sequences.push(Sequence { name, start, end: start + 1000, ..Sequence::default() });
        }
        for at in 0..4 {
            scene.textures.push(Texture { path: format!("{at}.blp"), ..Texture::default() });
        }
        let mut track = Track::linear(times.to_vec(), values.to_vec(), 0);
        track.interpolation = Interpolation::Step;
        let texture = LayerTexture { flipbook: Some(track), ..LayerTexture::default() };
        let layers = vec![Layer { textures: vec![texture], ..Layer::default() }];
        scene.materials.push(Material { layers, ..Material::default() });
        scene
    }

    fn found(source: Scene) -> (Option<usize>, usize) {
        let source = validate(source).unwrap();
        let (mut scene, mut report) = ((*source).clone(), Report::default());
        textures(&mut scene, &source, &Names::default(), &mut report);
        let texture = &scene.materials.as_slice()[0].layers[0].textures[0];
        assert!(texture.flipbook.is_none());
        (texture.texture.map(Id::index), report.notes().len())
    }

    #[test]
    fn the_texture_at_the_beginning_of_the_first_stand_is_kept() {
        let times = [0, 1000, 3000, 3500];
        assert_eq!(found(scene(&["Attack", "Stand - 1"], &times, &[0, 1, 2, 3])), (Some(2), 1));
        assert_eq!(found(scene(&["Attack", "Idle"], &times, &[0, 1, 2, 3])), (Some(2), 1));
        assert_eq!(found(scene(&["Attack", "Stand Ready"], &times, &[0, 1, 2, 3])), (Some(1), 1));
        // Nothing is lost where it is always the same.
        assert_eq!(found(scene(&["Stand"], &times, &[3, 3, 3, 3])), (Some(3), 0));
        // No key in the sequence: the default of the track.
        assert_eq!(found(scene(&["Stand"], &[0], &[3])), (Some(0), 1));
    }

    #[test]
    fn on_a_clock_of_its_own_it_is_the_texture_at_its_beginning() {
        let mut made = scene(&["Stand"], &[0, 1000], &[2, 1]);
        let global = made.global_sequences.push(GlobalSequence { length: 2000 });
        let texture = &mut made.materials.as_mut_slice()[0].layers[0].textures[0];
        texture.flipbook.as_mut().unwrap().global = Some(global);
        assert_eq!(found(made), (Some(2), 1));
    }
}
