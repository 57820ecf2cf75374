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
    model.bones = [0, 1, 2, -1, 9]
        .map(|geoset| Bone { geoset, geoset_animation: geoset, ..Default::default() })
        .to_vec();
    let (there, report) = model.upgrade(800).unwrap();
    assert_eq!(there.geosets.len(), 2);
    assert_eq!(there.geoset_animations.iter().map(|it| it.geoset).collect::<Vec<_>>(), [0, 1]);
    assert_eq!(there.bones.iter().map(|it| it.geoset).collect::<Vec<_>>(), [0, -1, 1, -1, 9]);
    assert_eq!(there.bones.iter().map(|it| it.geoset_animation).collect::<Vec<_>>(), [0, -1, 1, -1, 9]);
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

fn notes(report: &effigy_wire::Report) -> Vec<String> {
    report.notes().iter().map(|note| note.path.clone()).collect()
}

/// One material with these layers, converted from one version to another.
fn material(from: u32, to: u32, shader: &str, layers: Vec<Layer>) -> (Material, Vec<String>) {
    let mut model = Model::new(Dialect::Warcraft3, from, "material");
    let shader = effigy_wire::FixedStr::new(shader).unwrap();
    model.materials = vec![Material { shader, layers, ..Material::default() }];
    let (there, report) = model.upgrade(to).unwrap();
    (there.materials[0].clone(), notes(&report))
}

#[test]
fn layers_get_slots_and_six_of_an_hd_material_become_one() {
    let hd = "Shader_HD_DefaultUnit";
    let textures = |count: i32| -> Vec<Layer> {
        (0..count).map(|texture| Layer { texture: texture + 10, ..Layer::default() }).collect()
    };
    let none: Vec<String> = vec![];
    for (shader, count, layers, kind, noted) in [
        (hd, 6, 1, ShaderKind::HD, none.clone()),
        (hd, 5, 5, ShaderKind::HD, none.clone()),
        ("", 6, 6, ShaderKind::SD, none.clone()),
        ("Shader_SD_FixedFunction", 1, 1, ShaderKind::SD, vec!["MTLS[0].shader".to_owned()]),
        ("Shader_Fur", 1, 1, ShaderKind::SD, vec!["MTLS[0].shader".to_owned()]),
    ] {
        let (made, found) = material(1000, 1100, shader, textures(count));
        assert_eq!((made.layers.len(), made.layers[0].shader), (layers, kind), "{shader} {count}");
        assert_eq!((found, made.shader.is_empty()), (noted, true), "{shader} {count}");
        let slots: Vec<_> =
            made.layers.iter().flat_map(|it| &it.slots).map(|it| (it.slot, it.texture)).collect();
        let expected: Vec<_> =
            (0..count).map(|at| (if layers == 1 { at.cast_unsigned() } else { 0 }, at + 10)).collect();
        assert_eq!(slots, expected, "{shader} {count}");
        assert!(made.layers.iter().all(|layer| layer.texture == 0));
    }
    // Settings of the other five layers are not kept.
    let mut odd = textures(6);
    odd[0].alpha = 0.25;
    odd[2].alpha = 0.5;
    let (made, found) = material(1000, 1100, hd, odd);
    assert_eq!((found, made.layers[0].alpha), (vec!["MTLS[0].layers[2]".to_owned()], 0.25));
    // A moving texture moves in its slot.
    let mut moving = textures(1);
    let keys = [effigy_mdx::Key::new(0, 3_u32)];
    let track = effigy_mdx::Track::new(effigy_mdx::track::tags::KMTF, effigy_mdx::Interpolation::STEP, &keys);
    moving[0].tracks.set(track.unwrap());
    let (made, _) = material(1000, 1100, "", moving.clone());
    assert!(made.layers[0].tracks.is_empty() && made.layers[0].slots[0].track.is_some());
    assert_eq!(material(1100, 1000, "", made.layers).0.layers, moving);
}

/// The classic game would draw all six textures over each other.
#[test]
fn six_layers_of_an_hd_material_become_its_diffuse_texture_over_the_team_colour() {
    let hd = "Shader_HD_DefaultUnit";
    let looks = |made: &Material| {
        made.layers.iter().map(|it| (it.texture, it.filter_mode, it.alpha)).collect::<Vec<_>>()
    };
    let mut layers: Vec<Layer> = (10..16).map(|texture| Layer { texture, ..Layer::default() }).collect();
    layers[0].alpha = 0.25;
    let (made, found) = material(1000, 800, hd, layers.clone());
    assert_eq!(looks(&made), [(14, FilterMode::NONE, 1.0), (10, FilterMode::BLEND, 0.25)]);
    assert!(made.shader.is_empty());
    assert_eq!(found, ["MTLS[0].layers[0].slots", "MTLS[0].layers[0].shader"]);
    // The same as by way of 1100.
    let (slots, _) = material(1000, 1100, hd, layers.clone());
    assert_eq!(material(1100, 800, "", slots.layers).0, made);
    // Other materials of six layers keep them.
    assert_eq!(material(1000, 800, "", layers.clone()).0.layers, layers);
    layers.pop();
    assert_eq!(material(1000, 800, hd, layers.clone()).0.layers, layers);
}

#[test]
fn slots_become_layers_in_the_order_of_their_purposes() {
    let slot = |texture, slot| TextureSlot { texture, slot, ..TextureSlot::default() };
    let layer = |shader, slots| Layer { shader, slots, alpha: 0.5, ..Layer::default() };
    let textures = |material: &Material| material.layers.iter().map(|it| it.texture).collect::<Vec<_>>();
    let (made, found) =
        material(1100, 1000, "", vec![layer(ShaderKind::HD, vec![slot(6, 4), slot(3, 0), slot(5, 2)])]);
    assert_eq!((textures(&made), found.len()), (vec![3, 5, 6], 0));
    assert_eq!(made.shader, "Shader_HD_DefaultUnit");
    // Only the first has the settings of the layer.
    assert_eq!(made.layers.iter().map(|it| it.alpha).collect::<Vec<_>>(), [0.5, 1.0, 1.0]);
    assert!(made.layers.iter().all(|it| it.slots.is_empty() && it.shader == ShaderKind::SD));
    let (made, _) = material(1100, 1000, "", vec![layer(ShaderKind::HD, vec![])]);
    assert_eq!((made.layers.len(), made.layers[0].shader, made.layers[0].alpha), (1, ShaderKind::SD, 0.5));
    for (slots, texture, noted) in [
        (vec![slot(7, 0)], 7, vec![]),
        (vec![slot(7, 0), slot(8, 1)], 7, vec!["MTLS[0].layers[0].slots"]),
        (vec![slot(7, 2)], 7, vec!["MTLS[0].layers[0].slots[0]"]),
        (vec![], 9, vec![]),
    ] {
        let one = Layer { texture: 9, ..layer(ShaderKind::SD, slots) };
        let (made, found) = material(1100, 1000, "", vec![one]);
        assert_eq!(
            (textures(&made), found),
            (vec![texture], noted.iter().map(ToString::to_string).collect())
        );
        assert!(made.shader.is_empty());
    }
    // Classic models have no name for the shader.
    let (made, found) = material(1100, 800, "", vec![layer(ShaderKind::HD, vec![slot(3, 1)])]);
    assert_eq!((textures(&made), made.shader.is_empty()), (vec![3], true));
    assert!(found.contains(&"MTLS[0].layers[0].shader".to_owned()), "{found:?}");
}

#[test]
fn skin_weights_get_the_width_of_their_version() {
    use effigy_mdx::Skin;
    let convert = |from, to, skin: Skin| {
        let mut model = Model::new(Dialect::Warcraft3, from, "skin");
        model.geosets = vec![Geoset { skin: Some(skin), ..Geoset::default() }];
        let (there, report) = model.upgrade(to).unwrap();
        (there.geosets[0].skin.clone().unwrap(), notes(&report))
    };
    let (narrow, wide) = ([9, 8, 7, 6, 255, 0, 0, 0], [9, 8, 7, 6, 255, 0, 0, 0]);
    assert_eq!(convert(1300, 1400, Skin::Narrow(vec![narrow])), (Skin::Wide(vec![wide]), vec![]));
    assert_eq!(convert(1400, 1300, Skin::Wide(vec![wide])), (Skin::Narrow(vec![narrow]), vec![]));
    let far = [300, 255, 7, 6, 255, 0, 0, 0];
    let near = [255, 255, 7, 6, 255, 0, 0, 0];
    let noted = vec!["GEOS[0].skin".to_owned()];
    assert_eq!(convert(1400, 1300, Skin::Wide(vec![far])), (Skin::Narrow(vec![near]), noted));
}

#[test]
fn weights_become_groups_of_their_strongest_bones() {
    use effigy_mdx::Skin;
    let classic = |rows: Vec<[u8; 8]>| {
        let mut model = Model::new(Dialect::Warcraft3, 1000, "weights");
        model.geosets = vec![Geoset { skin: Some(Skin::Narrow(rows)), ..Geoset::default() }];
        let (there, report) = model.upgrade(800).unwrap();
        (there.geosets[0].clone(), notes(&report))
    };
    let (geoset, found) =
        classic(vec![[5, 2, 9, 9, 200, 55, 0, 0], [2, 5, 0, 0, 100, 155, 0, 0], [7, 9, 9, 9, 255, 0, 0, 0]]);
    assert_eq!((found, geoset.skin.is_none()), (vec!["GEOS[0].skin".to_owned()], true));
    // 78 and 22 % are nearer to one bone than to two halves, 39 and 61 % are not.
    assert_eq!(geoset.vertex_groups, [0, 1, 2]);
    assert_eq!(geoset.groups().collect::<Vec<_>>(), [&[5][..], &[2, 5], &[7]]);
    let (geoset, _) = classic(vec![[1, 2, 3, 4, 70, 65, 60, 60], [1, 2, 3, 4, 120, 120, 10, 5]]);
    assert_eq!(geoset.groups().collect::<Vec<_>>(), [&[1, 2, 3, 4][..], &[1, 2]]);
    // Pairs of 16 and 16 bones are 256 groups; 17 and 16 would be 272, so that only the strongest bone counts.
    for (first, groups, size) in [(16, 256, 2), (17, 17, 1)] {
        let rows =
            (0..first).flat_map(|a| (0..16).map(move |b| [a, 100 + b, 0, 0, 130, 125, 0, 0])).collect();
        let (geoset, _) = classic(rows);
        assert_eq!((geoset.group_sizes.len(), geoset.group_sizes[0]), (groups, size));
        let last = usize::from(*geoset.vertex_groups.last().unwrap());
        assert_eq!(geoset.groups().nth(last).unwrap()[0], u32::from(first) - 1);
    }
}

#[test]
fn what_classic_models_do_not_have_is_reported_and_gone() {
    let mut model = Model::new(Dialect::Warcraft3, 1000, "classic");
    let name = effigy_wire::FixedStr::new("body").unwrap();
    let plain = Geoset::default();
    model.geosets = vec![Geoset { name, tangents: Some(vec![[0.0; 4]]), ..plain.clone() }, plain];
    model.face_fx = vec![effigy_mdx::FaceFx::default(); 2];
    let (there, report) = model.upgrade(800).unwrap();
    assert_eq!(notes(&report), ["GEOS[0].name", "GEOS[0].tangents", "FAFX"]);
    assert!(report.notes()[2].message.starts_with("2 records"), "{report}");
    let geoset = &there.geosets[0];
    assert_eq!((geoset.name.is_empty(), geoset.tangents.is_none(), there.face_fx.len()), (true, true, 0));
    // An empty chunk goes without a word; one of another kind stays.
    let mut bytes = Model::new(Dialect::Warcraft3, 1000, "empty").write().unwrap();
    bytes.extend(b"FAFX\0\0\0\0TEXS\0\0\0\0");
    let (there, report) = effigy_mdx::read(&bytes).unwrap().upgrade(800).unwrap();
    let tags: Vec<String> = there.chunk_tags().map(|tag| tag.to_string()).collect();
    assert_eq!((tags, report.is_empty()), (vec!["VERS".into(), "MODL".into(), "TEXS".into()], true));
}

#[test]
fn cameras_get_the_variant_of_their_version_unless_they_have_another() {
    let convert = |from, to, variants: [u8; 4]| {
        let mut model = Model::new(Dialect::Warcraft3, from, "cameras");
        model.cameras = variants.map(|variant| effigy_mdx::Camera { variant, ..Default::default() }).to_vec();
        let (there, _) = model.upgrade(to).unwrap();
        there.cameras.iter().map(|camera| camera.variant).collect::<Vec<_>>()
    };
    assert_eq!(convert(1100, 1200, [0, 3, 1, 7]), [3, 3, 1, 7]);
    assert_eq!(convert(1200, 1100, [0, 3, 2, 7]), [0, 0, 2, 7]);
    assert_eq!(convert(800, 1000, [0, 3, 2, 7]), [0, 3, 2, 7]);
    assert_eq!(convert(1200, 1300, [0, 3, 2, 7]), [0, 3, 2, 7]);
}

#[test]
fn a_chunk_that_could_not_be_read_is_reported_and_a_version_must_be_known() {
    let mut bytes = Model::new(Dialect::Warcraft3, 800, "opaque").write().unwrap();
    bytes.extend(b"SEQS\x03\0\0\0abcMDVI\x01\0\0\0x");
    let model = effigy_mdx::read(&bytes).unwrap();
    assert_eq!(notes(&model.upgrade(1000).unwrap().1), ["SEQS"]);
    assert!(model.upgrade(800).unwrap().1.is_empty());
    assert!(model.upgrade(801).is_err());
}

#[test]
fn tracks_that_the_version_does_not_play_go() {
    use effigy_mdx::track::tags::{KFC3, KMTA};
    let track = |tag, keys: &[effigy_mdx::Key<f32>]| {
        effigy_mdx::Track::new(tag, effigy_mdx::Interpolation::LINEAR, keys).unwrap()
    };
    let color = effigy_mdx::Track::new(
        KFC3,
        effigy_mdx::Interpolation::LINEAR,
        &[effigy_mdx::Key::new(0, [1.0_f32; 3])],
    );
    let mut layer = Layer::default();
    layer.tracks.set(track(KMTA, &[effigy_mdx::Key::new(0, 1.0)]));
    layer.tracks.set(color.unwrap());
    // The colour of the Fresnel term came with 1000.
    let (made, found) = material(1000, 900, "", vec![layer.clone()]);
    assert_eq!(found, ["MTLS[0].layers[0].KFC3"]);
    assert_eq!(made.layers[0].tracks.iter().map(|it| it.tag()).collect::<Vec<_>>(), [KMTA]);
    let (made, found) = material(1000, 1100, "", vec![layer]);
    assert_eq!((made.layers[0].tracks.len(), found.len()), (2, 0));
}
