//! Keys of tracks, visits of all nodes and tracks, and what the beginning of a file says about its format.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use effigy_mdx::track::tags::{KGRT, KGTR, KMTA};
use effigy_mdx::{
    Attachment, Bone, Camera, CollisionShape, Dialect, EventObject, EventTrack, GeosetAnimation, Helper,
    HitTestShape, Interpolation, Key, Layer, Light, Material, Model, ParticleEmitter, ParticleEmitter2,
    PopcornEmitter, RibbonEmitter, TextureAnimation, Track,
};

#[test]
fn keys_are_read_with_their_times_values_and_tangents() {
    let keys = [
        Key { time: -5, value: [1.0_f32, 2.0, 3.0], tangents: Some([[4.0; 3], [5.0; 3]]) },
        Key { time: 10, value: [6.0; 3], tangents: None },
    ];
    let track = Track::new(KGTR, Interpolation::BEZIER, &keys).unwrap();
    // A time, three numbers, and two tangents of three numbers.
    assert_eq!((track.stride(), track.len(), track.is_empty()), (10, 2, false));
    assert_eq!(track.times().collect::<Vec<_>>(), [-5, 10]);
    let found: Vec<Key<[f32; 3]>> = track.keys().unwrap().collect();
    assert_eq!(found[0], keys[0]);
    // A key without tangents has its value in their place.
    assert_eq!(found[1].tangents, Some([[6.0; 3]; 2]));
    assert!(track.keys::<f32>().is_none());
    assert!(Track::new(KGRT, Interpolation::LINEAR, &keys).is_err());
    let straight = Track::new(KGTR, Interpolation::LINEAR, &keys).unwrap();
    assert_eq!((straight.stride(), straight.keys::<[f32; 3]>().unwrap().next().unwrap().tangents), (4, None));
}

#[test]
fn keys_are_replaced_whole_or_not_at_all() {
    let mut track =
        Track::new(KMTA, Interpolation::LINEAR, &[Key::new(7, 0.5_f32)]).unwrap().on_global_sequence(3);
    track.set_words(Interpolation::STEP, vec![1, 2.0_f32.to_bits(), 5, 4.0_f32.to_bits()]).unwrap();
    let keys: Vec<Key<f32>> = track.keys().unwrap().collect();
    assert_eq!(keys, [Key::new(1, 2.0), Key::new(5, 4.0)]);
    assert_eq!((track.interpolation(), track.global_sequence), (Interpolation::STEP, 3));
    let before = track.clone();
    assert!(track.set_words(Interpolation::STEP, vec![1, 2, 3]).is_err());
    // Two words are one key, but not one with tangents.
    assert!(track.set_words(Interpolation::HERMITE, vec![1, 2]).is_err());
    assert!(track.set_keys(Interpolation::LINEAR, &[Key::new(1, [1.0_f32; 3])]).is_err());
    assert_eq!(track, before);
    track.set_keys(Interpolation::LINEAR, &[Key::new(9, 1.5_f32)]).unwrap();
    assert_eq!(track.words(), [9, 1.5_f32.to_bits()]);
    assert_eq!((track.interpolation(), track.global_sequence), (Interpolation::LINEAR, 3));
}

#[test]
fn text_is_recognised_by_its_first_block() {
    for text in ["Version {", "// comment\nModel \"x\" {", "  Geoset {", "Sequences 3 {", "\u{feff}Version {"]
    {
        assert!(effigy_mdx::text::sniff(text.as_bytes()), "{text}");
    }
    for text in ["", "Version", "Versions {", "{", "model/shader { map }", "Geoset , {", "MDLX"] {
        assert!(!effigy_mdx::text::sniff(text.as_bytes()), "{text}");
    }
    assert!(effigy_mdx::sniff(b"MDLXVERS") && !effigy_mdx::sniff(b"MDL") && !effigy_mdx::sniff(b"Version {"));
}

/// A model with one record in every list that has nodes or tracks.
fn one_of_each() -> Model {
    let mut model = Model::new(Dialect::Warcraft3, 1100, "all");
    model.bones.push(Bone::default());
    model.lights.push(Light::default());
    model.helpers.push(Helper::default());
    model.attachments.push(Attachment::default());
    model.particle_emitters.push(ParticleEmitter::default());
    model.particle_emitters_2.push(ParticleEmitter2::default());
    model.popcorn_emitters.push(PopcornEmitter::default());
    model.ribbon_emitters.push(RibbonEmitter::default());
    model.event_objects.push(EventObject::default());
    model.collision_shapes.push(CollisionShape::default());
    model.hit_test_shapes.push(HitTestShape::default());
    model.cameras.push(Camera::default());
    model.texture_animations.push(TextureAnimation::default());
    model.geoset_animations.push(GeosetAnimation::default());
    model.materials.push(Material { layers: vec![Layer::default(); 2], ..Material::default() });
    model
}

#[test]
fn every_node_is_visited_once_in_the_order_of_the_list() {
    let mut model = one_of_each();
    assert_eq!(model.next_object_id(), 1);
    let mut next = 10;
    model.each_node_mut(|_, node| {
        node.object_id = next;
        next += 1;
    });
    let ids: Vec<i32> = model.nodes().map(|(_, node)| node.object_id).collect();
    assert_eq!(ids, (10..21).collect::<Vec<_>>());
    assert_eq!((model.bones[0].node.object_id, model.hit_test_shapes[0].node.object_id), (10, 20));
    assert_eq!(model.next_object_id(), 21);
    let mut kinds = Vec::new();
    model.each_node_mut(|kind, _| kinds.push(kind));
    assert!(model.nodes().map(|(kind, _)| kind).eq(kinds));
    assert_eq!(Model::new(Dialect::Warcraft3, 800, "").next_object_id(), 0);
}

#[test]
fn the_tracks_of_every_record_are_visited_once() {
    let mut model = one_of_each();
    let mut visited = 0;
    model.each_tracks_mut(|tracks| {
        visited += 1;
        assert!(tracks.is_empty(), "visited twice");
        *tracks =
            [Track::new(KMTA, Interpolation::LINEAR, &[Key::new(0, 1.0_f32)]).unwrap()].into_iter().collect();
    });
    // Eleven nodes, two layers, and one each of texture and geoset animations, lights, attachments, emitters (4) and cameras.
    assert_eq!(visited, 11 + 2 + 2 + 2 + 4 + 1);
    model.event_objects[0].track = Some(EventTrack { global_sequence: 4, times: vec![1, 2] });
    model.each_event_mut(|global, times| times.push(global));
    assert_eq!(model.event_objects[0].track.as_ref().unwrap().times, [1, 2, 4]);
}
