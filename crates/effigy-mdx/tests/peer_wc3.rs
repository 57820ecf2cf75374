//! Comparison with the crate `wc3`: it reads the files of Effigy with the same values, and Effigy reads its files.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use effigy_mdx::track::{KeyValue, tags};
use effigy_mdx::{Dialect, Model, Shape, Track, Tracks};
use effigy_samples::mdx;
use effigy_wire::{Flat, Tag};
use wc3::model::animation::{self, TrackValue};
use wc3::model::mdx::Write as _;
use wc3::model::{CommonModelAccess as _, DynamicModel, visit_model};

/// Both models in every version of Warcraft III. `wc3` has the modelling tools' planes and cylinders, not the game's, so
/// those stay out.
fn models() -> impl Iterator<Item = (String, Model)> {
    Dialect::Warcraft3.versions().iter().flat_map(|&version| {
        let mut everything = mdx::everything(Dialect::Warcraft3, version);
        everything
            .collision_shapes
            .retain(|c| !matches!(c.shape, Shape::Plane { .. } | Shape::Cylinder { .. }));
        let creature = mdx::creature(Dialect::Warcraft3, version);
        [(format!("creature {version}"), creature), (format!("everything {version}"), everything)]
    })
}

fn theirs(name: &str, model: &Model) -> DynamicModel {
    let bytes = model.write().unwrap();
    DynamicModel::decode_mdx(&bytes, 0).unwrap_or_else(|error| panic!("{name}: wc3 says {error}"))
}

/// Every field with its path; in no order, since `wc3` writes tracks in one of its own.
fn leaves(model: &Model) -> Vec<(String, String)> {
    let mut flat = Flat::default();
    model.visit(&mut flat);
    flat.leaves.sort();
    flat.leaves
}

#[test]
fn we_read_every_field_back_from_what_it_writes() {
    for (name, model) in models() {
        let other = theirs(&name, &model);
        let bytes = visit_model!(&other, |m| m.encode_mdx()).unwrap();
        let back = effigy_mdx::read(&bytes).unwrap();
        let (ours, read) = (leaves(&model), leaves(&back));
        for (a, b) in ours.iter().zip(&read) {
            assert_eq!(a, b, "{name}");
        }
        assert_eq!(ours.len(), read.len(), "{name}");
    }
}

#[test]
fn it_writes_the_same_bytes_for_the_creature() {
    for version in Dialect::Warcraft3.versions() {
        let model = mdx::creature(Dialect::Warcraft3, *version);
        let other = theirs("creature", &model);
        let bytes = visit_model!(&other, |m| m.encode_mdx()).unwrap();
        assert_eq!(bytes, model.write().unwrap(), "{version}");
    }
}

/// The keys of both as one comparable list: time, value, tangents.
fn same_track<T>(tracks: &Tracks, tag: Tag, track: Option<&animation::Track<T>>, what: &str)
where
    T: TrackValue + KeyValue,
{
    let Some(ours) = tracks.get(tag) else {
        assert!(track.is_none(), "{what}: wc3 alone has {tag}");
        return;
    };
    let track = track.unwrap_or_else(|| panic!("{what}: wc3 misses {tag}"));
    let global = track.global_sequence_id().map_or(-1, u32::cast_signed);
    assert_eq!(ours.global_sequence, global, "{what} {tag}");
    assert_eq!(keys_of::<T>(ours), keys_in(track), "{what} {tag}");
}

fn keys_of<T: KeyValue + std::fmt::Debug>(track: &Track) -> (u32, Vec<String>) {
    let keys = track.keys::<T>().unwrap();
    let text = keys.map(|key| match key.tangents {
        Some(tangents) => format!("{} {:?} {:?}", key.time, key.value, tangents),
        None => format!("{} {:?}", key.time, key.value),
    });
    (track.interpolation().0, text.collect())
}

fn keys_in<T: TrackValue>(track: &animation::Track<T>) -> (u32, Vec<String>) {
    let plain = |keys: &[animation::ValueKeyframe<T>]| -> Vec<String> {
        keys.iter().map(|key| format!("{} {:?}", key.frame, key.value)).collect()
    };
    let curved = |keys: &[animation::TangentKeyframe<T>]| -> Vec<String> {
        keys.iter()
            .map(|k| format!("{} {:?} {:?}", k.frame, k.value, [k.in_tangent, k.out_tangent]))
            .collect()
    };
    match track.interpolation() {
        animation::Interpolation::Step => (0, plain(track.step_keys().unwrap())),
        animation::Interpolation::Linear => (1, plain(track.linear_keys().unwrap())),
        animation::Interpolation::Hermite => (2, curved(track.hermite_keys().unwrap())),
        animation::Interpolation::Bezier => (3, curved(track.bezier_keys().unwrap())),
    }
}

#[test]
fn sequences_are_the_same() {
    for (name, model) in models() {
        let list = theirs(&name, &model).sequences();
        assert_eq!(list.len(), model.sequences.len(), "{name}");
        for (ours, other) in model.sequences.iter().zip(&list) {
            assert_eq!(ours.name.bytes(), other.name.as_bytes(), "{name}");
            assert_eq!(ours.interval, other.interval, "{name}");
            assert_eq!(ours.flags.bits(), other.flags.bits(), "{name}");
            assert_eq!(ours.sync_point, other.sync_point, "{name}");
            assert_eq!([ours.move_speed, ours.rarity], [other.move_speed, other.rarity], "{name}");
            let extent = &other.extent;
            assert_eq!(ours.extent.radius, extent.bounds_radius, "{name}");
            assert_eq!([ours.extent.min, ours.extent.max], [extent.minimum, extent.maximum], "{name}");
        }
    }
}

#[test]
fn geosets_are_the_same() {
    for (name, model) in models() {
        visit_model!(&theirs(&name, &model), |other| {
            let list = other.geosets();
            assert_eq!(list.len(), model.geosets.len(), "{name}");
            for (ours, other) in model.geosets.iter().zip(&list) {
                assert_eq!(ours.vertices, other.vertices(), "{name}");
                assert_eq!(ours.normals, other.normals(), "{name}");
                assert_eq!(ours.uv_sets, other.uv_sets(), "{name}");
                assert_eq!(ours.primitive_types, other.primitive_types(), "{name}");
                assert_eq!(ours.primitive_counts, other.primitive_counts(), "{name}");
                assert_eq!(ours.indices, other.face_indices(), "{name}");
                assert_eq!(ours.vertex_groups, other.vertex_groups(), "{name}");
                assert_eq!(ours.group_sizes, other.matrix_group_sizes(), "{name}");
                assert_eq!(ours.group_nodes, other.matrix_indices(), "{name}");
                assert_eq!(ours.material, other.material_id, "{name}");
                assert_eq!(ours.selection_group, other.selection_group, "{name}");
                assert_eq!(ours.selection_flags, other.raw_unselectable(), "{name}");
                assert_eq!(ours.sequence_extents.len(), other.sequence_extents.len(), "{name}");
                if let Ok(lod) = other.try_level_of_detail() {
                    assert_eq!(ours.lod, lod.cast_signed(), "{name}");
                    assert_eq!(ours.name.text(), other.try_name().unwrap(), "{name}");
                    assert_eq!(ours.tangents.as_deref(), other.try_tangents().unwrap(), "{name}");
                    let skin = other.try_skin_weights().unwrap();
                    assert_eq!(ours.skin.is_some(), skin.is_some(), "{name}");
                    let rows = ours.skin.iter().flat_map(effigy_mdx::Skin::iter);
                    for ((bones, weights), other) in rows.zip(skin.unwrap_or_default()) {
                        assert_eq!(
                            (bones, weights),
                            (other.bone_indices, other.weights.map(u16::from)),
                            "{name}"
                        );
                    }
                }
            }
        });
    }
}

#[test]
fn nodes_are_the_same() {
    for (name, model) in models() {
        let list = visit_model!(&theirs(&name, &model), |other| other.nodes());
        let mut seen = 0;
        for (_, ours) in model.nodes() {
            let id = ours.object_id.cast_unsigned();
            let other = list.iter().find(|node| node.object_id == id).unwrap();
            let what = format!("{name}: {}", ours.name);
            assert_eq!(ours.name.bytes(), other.name.as_bytes(), "{what}");
            assert_eq!(ours.parent, other.parent_id.cast_signed(), "{what}");
            assert_eq!(ours.flags.bits(), other.flags.bits(), "{what}");
            same_track::<[f32; 3]>(&ours.tracks, tags::KGTR, other.translation.as_ref(), &what);
            same_track::<[f32; 4]>(&ours.tracks, tags::KGRT, other.rotation.as_ref(), &what);
            same_track::<[f32; 3]>(&ours.tracks, tags::KGSC, other.scaling.as_ref(), &what);
            seen += 1;
        }
        assert_eq!(seen, list.len(), "{name}");
        let pivots = theirs(&name, &model).pivot_points();
        assert_eq!(model.pivots, pivots, "{name}");
    }
}

#[test]
fn layers_are_the_same() {
    for (name, model) in models() {
        visit_model!(&theirs(&name, &model), |other| {
            let list = other.materials();
            assert_eq!(list.len(), model.materials.len(), "{name}");
            for (ours, other) in model.materials.iter().zip(&list) {
                assert_eq!(ours.priority_plane, other.priority_plane, "{name}");
                assert_eq!(ours.flags.bits(), other.render_mode.bits(), "{name}");
                if let Ok(shader) = other.try_shader() {
                    assert_eq!(ours.shader.text(), shader, "{name}");
                }
                assert_eq!(ours.layers.len(), other.layers.len(), "{name}");
                for (ours, other) in ours.layers.iter().zip(&other.layers) {
                    assert_eq!(ours.flags.bits(), other.shading_flags.bits(), "{name}");
                    assert_eq!(ours.texture, other.texture_id.value().unwrap().cast_signed(), "{name}");
                    assert_eq!(ours.texture_animation, other.texture_animation_id.cast_signed(), "{name}");
                    assert_eq!(ours.coordinates, other.coordinate_id.cast_signed(), "{name}");
                    assert_eq!(Some(&ours.alpha), other.alpha.value(), "{name}");
                    same_track::<f32>(&ours.tracks, tags::KMTA, other.alpha.track(), &name);
                    same_track::<u32>(&ours.tracks, tags::KMTF, other.texture_id.track(), &name);
                    if let Ok(gain) = other.try_emissive_gain() {
                        assert_eq!(Some(&ours.emissive_gain), gain.value(), "{name}");
                        same_track::<f32>(&ours.tracks, tags::KMTE, gain.track(), &name);
                    }
                    if let Ok(fresnel) = other.try_fresnel() {
                        assert_eq!(Some(&ours.fresnel_color), fresnel.color.value(), "{name}");
                        assert_eq!(Some(&ours.fresnel_opacity), fresnel.opacity.value(), "{name}");
                        assert_eq!(Some(&ours.fresnel_team_color), fresnel.team_color.value(), "{name}");
                        same_track::<[f32; 3]>(&ours.tracks, tags::KFC3, fresnel.color.track(), &name);
                        same_track::<f32>(&ours.tracks, tags::KFCA, fresnel.opacity.track(), &name);
                        same_track::<f32>(&ours.tracks, tags::KFTC, fresnel.team_color.track(), &name);
                    }
                    if let Ok(slots) = other.try_texture_slots() {
                        assert_eq!(ours.slots.len(), slots.len(), "{name}");
                        for (ours, other) in ours.slots.iter().zip(slots) {
                            assert_eq!(ours.slot, other.texture_type, "{name}");
                            assert_eq!(
                                ours.texture,
                                other.texture_id.value().unwrap().cast_signed(),
                                "{name}"
                            );
                            let tracks: Tracks = ours.track.iter().cloned().collect();
                            same_track::<u32>(&tracks, tags::KMTF, other.texture_id.track(), &name);
                        }
                    }
                }
            }
        });
    }
}

#[test]
fn lights_are_the_same() {
    for (name, model) in models() {
        visit_model!(&theirs(&name, &model), |other| {
            let list = other.lights();
            assert_eq!(list.len(), model.lights.len(), "{name}");
            for (ours, other) in model.lights.iter().zip(&list) {
                assert_eq!(Some(&ours.attenuation_start), other.attenuation_start.value(), "{name}");
                assert_eq!(Some(&ours.attenuation_end), other.attenuation_end.value(), "{name}");
                assert_eq!(Some(&ours.color), other.color.value(), "{name}");
                assert_eq!(Some(&ours.intensity), other.intensity.value(), "{name}");
                assert_eq!(Some(&ours.ambient_color), other.ambient_color.value(), "{name}");
                assert_eq!(Some(&ours.ambient_intensity), other.ambient_intensity.value(), "{name}");
                same_track::<f32>(&ours.tracks, tags::KLAS, other.attenuation_start.track(), &name);
                same_track::<f32>(&ours.tracks, tags::KLAE, other.attenuation_end.track(), &name);
                same_track::<[f32; 3]>(&ours.tracks, tags::KLAC, other.color.track(), &name);
                same_track::<f32>(&ours.tracks, tags::KLAI, other.intensity.track(), &name);
                same_track::<[f32; 3]>(&ours.tracks, tags::KLBC, other.ambient_color.track(), &name);
                same_track::<f32>(&ours.tracks, tags::KLBI, other.ambient_intensity.track(), &name);
                same_track::<f32>(&ours.tracks, tags::KLAV, other.visibility.as_ref(), &name);
                if let Ok(intensity) = other.try_shadow_intensity() {
                    assert_eq!(ours.shadow_intensity, intensity, "{name}");
                }
                if let Ok(range) = other.try_shadow_casting_range() {
                    assert_eq!(ours.shadow_casting != 0, other.try_shadow_casting().unwrap(), "{name}");
                    assert_eq!(Some(&ours.shadow_range[0]), range.start.value(), "{name}");
                    assert_eq!(Some(&ours.shadow_range[1]), range.end.value(), "{name}");
                    same_track::<f32>(&ours.tracks, tags::KLSS, range.start.track(), &name);
                    same_track::<f32>(&ours.tracks, tags::KLSE, range.end.track(), &name);
                }
                let falloff = other.falloff();
                assert_eq!(Some(&ours.quadratic_falloff), falloff.quadratic.value(), "{name}");
                assert_eq!(Some(&ours.linear_falloff), falloff.linear.value(), "{name}");
                assert_eq!(Some(&ours.damping), falloff.damping.value(), "{name}");
                same_track::<f32>(&ours.tracks, tags::KLQF, falloff.quadratic.track(), &name);
                same_track::<f32>(&ours.tracks, tags::KLLF, falloff.linear.track(), &name);
                same_track::<f32>(&ours.tracks, tags::KLDA, falloff.damping.track(), &name);
            }
        });
    }
}

#[test]
fn cameras_are_the_same() {
    for (name, model) in models() {
        visit_model!(&theirs(&name, &model), |other| {
            let list = other.cameras();
            assert_eq!(list.len(), model.cameras.len(), "{name}");
            for (ours, other) in model.cameras.iter().zip(&list) {
                assert_eq!(ours.name.bytes(), other.name.as_bytes(), "{name}");
                assert_eq!(ours.position, other.position, "{name}");
                assert_eq!(ours.target, other.target_position, "{name}");
                assert_eq!(ours.field_of_view, other.field_of_view, "{name}");
                assert_eq!([ours.far_clip, ours.near_clip], [other.far_clip, other.near_clip], "{name}");
                same_track::<[f32; 3]>(&ours.tracks, tags::KCTR, other.translation.as_ref(), &name);
                same_track::<[f32; 3]>(&ours.tracks, tags::KTTR, other.target_translation.as_ref(), &name);
                same_track::<f32>(&ours.tracks, tags::KCRL, other.rotation.as_ref(), &name);
                same_track::<f32>(&ours.tracks, tags::KCVS, other.visibility.as_ref(), &name);
                same_track::<f32>(&ours.tracks, tags::IDUF, other.focus_distance.as_ref(), &name);
                same_track::<f32>(&ours.tracks, tags::ELAF, other.focal_length.as_ref(), &name);
                same_track::<f32>(&ours.tracks, tags::PTSF, other.f_stop.as_ref(), &name);
            }
        });
    }
}
