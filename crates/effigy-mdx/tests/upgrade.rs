//! Conversions from every version to every other of its dialect: the result can be read, every loss is reported, and converting
//! back restores the file where nothing was lost.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use effigy_mdx::{
    Bone, Dialect, FilterMode, Geoset, GeosetAnimation, Layer, Material, Model, ShaderKind, Shape,
    TextureSlot, codes,
};
use effigy_samples::mdx;
use effigy_wire::Status;
use wc3::model::DynamicModel;

/// Every pair of different versions with both models at the first.
fn pairs() -> impl Iterator<Item = (String, Model, u32)> {
    [Dialect::Warcraft3, Dialect::WowAlpha].into_iter().flat_map(|dialect| {
        dialect.versions().iter().flat_map(move |&from| {
            dialect.versions().iter().filter(move |to| **to != from).flat_map(move |&to| {
                [
                    (format!("creature {dialect} {from} to {to}"), mdx::creature(dialect, from), to),
                    (format!("everything {dialect} {from} to {to}"), mdx::everything(dialect, from), to),
                ]
            })
        })
    })
}

#[test]
fn the_result_is_a_valid_file_of_its_version() {
    for (name, model, to) in pairs() {
        let (there, _) = model.upgrade(to).unwrap();
        let bytes = there.write().unwrap();
        let read = effigy_mdx::read(&bytes).unwrap();
        assert_eq!((read.version(), read.layout()), (to, to), "{name}");
        assert_eq!(read.verify(&bytes).status, Status::Identical, "{name}");
        let odd: Vec<_> = read.diagnostics().iter().filter(|d| d.code != codes::UNKNOWN_CHUNK).collect();
        assert!(odd.is_empty(), "{name}: {odd:?}");
    }
}

#[test]
fn the_creature_is_upgraded_without_loss() {
    for (name, model, to) in
        pairs().filter(|(name, model, to)| name.starts_with("creature") && model.version() < *to)
    {
        // WoW alpha 1500 does not store bounds per sequence.
        if model.dialect() == Dialect::WowAlpha && to == 1500 {
            continue;
        }
        let (_, report) = model.upgrade(to).unwrap();
        assert!(!report.is_lossy(), "{name}: {report}");
    }
}

#[test]
fn converting_back_restores_every_byte_where_no_loss_was_reported() {
    let mut restored = 0;
    for (name, model, to) in pairs() {
        let (there, lost) = model.upgrade(to).unwrap();
        let (back, lost_again) = there.upgrade(model.version()).unwrap();
        if !lost.is_empty() || !lost_again.is_empty() {
            continue;
        }
        restored += 1;
        assert!(back.write().unwrap() == model.write().unwrap(), "{name}: lost in silence");
    }
    assert!(restored > 90, "{restored} pairs without loss");
}

#[test]
fn the_crate_wc3_reads_every_result() {
    for (name, mut model, to) in pairs().filter(|(_, model, _)| model.dialect() == Dialect::Warcraft3) {
        model.collision_shapes.retain(|c| !matches!(c.shape, Shape::Plane { .. } | Shape::Cylinder { .. }));
        let (there, _) = model.upgrade(to).unwrap();
        let read = DynamicModel::decode_mdx(&there.write().unwrap(), 0);
        assert!(read.is_ok(), "{name}: {}", read.unwrap_err());
    }
}

#[test]
fn a_level_of_detail_that_classic_models_cannot_have_is_reported() {
    let mut model = mdx::creature(Dialect::Warcraft3, 1000);
    model.geosets[0].lod = -1;
    let (there, report) = model.upgrade(800).unwrap();
    assert_eq!(there.geosets.len(), model.geosets.len());
    let text = report.to_string();
    assert!(text.contains("GEOS[0].lod"), "{text}");
    assert!(!text.contains("GEOS[1].lod"), "{text}");
}

#[test]
fn filter_mode_7_has_a_word_in_text() {
    let mut model = mdx::creature(Dialect::Warcraft3, 1000);
    model.materials[0].layers[0].filter_mode = effigy_mdx::FilterMode(7);
    let (bytes, _) = effigy_mdx::text::print(&model, &Default::default());
    assert!(String::from_utf8_lossy(&bytes).contains("FilterMode Fallback,"));
}

#[test]
fn what_refers_to_geosets_follows_when_coarse_levels_go() {
    let mut model = Model::new(Dialect::Warcraft3, 1000, "levels");
    model.geosets = [0, 1, 0].map(|lod| Geoset { lod, ..Geoset::default() }).to_vec();
    model.geoset_animations =
        [0, 1, 2].map(|geoset| GeosetAnimation { geoset, ..Default::default() }).to_vec();
    model.bones = [0, 1, 2, -1, 9].map(|geoset| Bone { geoset, ..Default::default() }).to_vec();
    let (there, report) = model.upgrade(800).unwrap();
    assert_eq!(there.geosets.len(), 2);
    assert_eq!(there.geoset_animations.iter().map(|it| it.geoset).collect::<Vec<_>>(), [0, 1]);
    assert_eq!(there.bones.iter().map(|it| it.geoset).collect::<Vec<_>>(), [0, -1, 1, -1, 9]);
    assert!(report.to_string().contains("GEOS[1]"), "{report}");
}

#[test]
fn an_hd_layer_becomes_its_diffuse_texture_over_the_team_colour() {
    let slot = |texture, slot| TextureSlot { texture, slot, ..TextureSlot::default() };
    let classic = |slots: Vec<TextureSlot>| {
        let mut model = Model::new(Dialect::Warcraft3, 1100, "hd");
        let layer = Layer { shader: ShaderKind::HD, slots, ..Layer::default() };
        model.materials = vec![Material { layers: vec![layer], ..Material::default() }];
        let (there, report) = model.upgrade(800).unwrap();
        let layers = &there.materials[0].layers;
        (layers.iter().map(|it| (it.texture, it.filter_mode)).collect::<Vec<_>>(), report.to_string())
    };
    let (layers, report) = classic(vec![slot(6, 4), slot(3, 0), slot(4, 1), slot(5, 2), slot(-1, 3)]);
    assert_eq!(layers, [(6, FilterMode::NONE), (3, FilterMode::BLEND)]);
    assert!(report.contains("2 textures of the HD shader"), "{report}");
    let (layers, report) = classic(vec![slot(3, 0), slot(-1, 4)]);
    assert_eq!(layers, [(3, FilterMode::NONE)]);
    assert!(!report.contains("textures of the HD shader"), "{report}");
}
