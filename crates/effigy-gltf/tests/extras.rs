//! What glTF has no word for, in extras: every field under its name.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use crate::common;

use common::{File, bone, one_layer, sequence, skin, triangle};
use effigy_gltf::{ExportOptions, Model, NoTextures, export};
use effigy_scene::{
    Animated, Attachment, Billboard, Blend, Bounds, Cells, Combine, Coordinates, Effect, EmitterShape, Event,
    Extras, GlobalSequence, Id, Ignore, Interpolation, KeyRule, Layer, LayerTexture, Light, LightKind, Mesh,
    Node, NodeKind, NodeRule, OverLife, ParticleEmitter, Replaceable, Ribbon, RibbonGravity, Scene, Shape,
    ShapeKind, SortPoint, Texture, TextureTransform, Track, TurnRule, validate,
};
use serde_json::{Value, json};

/// The scene in a file, from which everything comes back as it was.
fn written(scene: &Scene) -> File {
    let valid = validate(scene.clone()).unwrap();
    let glb = export(&valid, &ExportOptions::default(), &mut NoTextures).unwrap().into_glb().unwrap();
    let (back, _) = Model::read(&glb).unwrap().lower().unwrap();
    assert_eq!(
        (back.key_rule, back.turn_rule, back.node_rule),
        (scene.key_rule, scene.turn_rule, scene.node_rule)
    );
    assert_eq!((&back.name, back.blend_time, back.bounds), (&scene.name, scene.blend_time, scene.bounds));
    assert_eq!(back.textures.as_slice(), scene.textures.as_slice());
    assert_eq!(back.texture_transforms.as_slice(), scene.texture_transforms.as_slice());
    assert_eq!(back.materials.as_slice(), scene.materials.as_slice());
    assert_eq!(back.sequences.as_slice(), scene.sequences.as_slice());
    assert_eq!(back.global_sequences.as_slice(), scene.global_sequences.as_slice());
    assert_eq!(back.nodes.as_slice(), scene.nodes.as_slice());
    assert_eq!(back.cameras.as_slice(), scene.cameras.as_slice());
    assert_eq!(back.attachments.as_slice(), scene.attachments.as_slice());
    assert_eq!(back.events.as_slice(), scene.events.as_slice());
    assert_eq!(back.lights.as_slice(), scene.lights.as_slice());
    assert_eq!(back.emitters.as_slice(), scene.emitters.as_slice());
    assert_eq!(back.ribbons.as_slice(), scene.ribbons.as_slice());
    assert_eq!(back.effects.as_slice(), scene.effects.as_slice());
    assert_eq!(back.shapes.as_slice(), scene.shapes.as_slice());
    File::new(scene, &ExportOptions::default())
}

#[test]
fn every_rule_every_kind_of_light_and_every_texture_of_the_game_come_back() {
    for key_rule in [KeyRule::Hold, KeyRule::Wrap, KeyRule::Continue] {
        for node_rule in [NodeRule::Warcraft, NodeRule::World, NodeRule::Wolfenstein] {
            let mut scene = helpers(3);
            (scene.key_rule, scene.node_rule) = (key_rule, node_rule);
            for (index, kind) in
                [LightKind::Omni, LightKind::Directional, LightKind::Ambient].into_iter().enumerate()
            {
                let node = Id::new(u32::try_from(index).unwrap());
                scene.lights.push(Light {
                    name: format!("L{index}"),
                    kind,
                    node,
                    position: [0.0; 3],
                    attenuation_start: Animated::fixed(80.0),
                    attenuation_end: Animated::fixed(200.0),
                    color: Animated::fixed([0.25, 0.5, 0.75]),
                    intensity: Animated::fixed(2.0),
                    ambient_color: Animated::fixed([0.5, 0.25, 1.0]),
                    ambient_intensity: Animated::fixed(0.5),
                    visibility: Animated::fixed(0.0),
                    extras: Extras::default(),
                });
            }
            for replaceable in
                [Replaceable::TeamColor, Replaceable::TeamGlow, Replaceable::Other(1), Replaceable::Other(2)]
            {
                let texture =
                    Texture { path: String::new(), replaceable: Some(replaceable), repeat: [false, true] };
                scene.textures.push(texture);
            }
            written(&scene);
        }
    }
}

/// A scene with helpers at the origin, one for each object.
fn helpers(count: usize) -> Scene {
    let mut scene = one_layer(Layer::default());
    for index in 0..count {
        scene.nodes.push(Node::new(format!("N{index}"), NodeKind::Helper, None, [0.0; 3]));
    }
    scene
}

fn extras(file: &File, node: &str) -> Value {
    file.json["nodes"][file.node(node)]["extras"].clone()
}

#[test]
fn the_model_its_rules_and_its_sequences() {
    let mut scene = helpers(0);
    scene.key_rule = KeyRule::Wrap;
    scene.turn_rule = TurnRule::Nlerp;
    scene.node_rule = NodeRule::World;
    scene.blend_time = 150;
    scene.bounds = Bounds { min: [-1.0, -2.0, -3.0], max: [1.0, 2.0, 3.0], radius: 4.0 };
    scene.extras.set("format", "mdx").set("textures", 7).set("more", true);
    scene.textures.as_mut_slice()[0].replaceable = Some(Replaceable::Other(11));
    scene.global_sequences.push(GlobalSequence { length: 300 });
    let sequence = &mut scene.sequences.as_mut_slice()[0];
    (sequence.looping, sequence.move_speed) = (true, 2.5);
    sequence.extras.set("rarity", 1.5_f32);
    let found = extras(&written(&scene), "Model");
    let sequences = json!([{"name": "Stand", "start": 1000, "end": 2000, "looping": true, "moveSpeed": 2.5, "rarity": 1.5}]);
    // A name that already means something else is put aside.
    assert_eq!(
        found,
        json!({
            "effigy": 1, "rules": {"keys": "wrap", "turns": "nlerp", "nodes": "world"},
            "format": "mdx", "blendTime": 150, "modelName": "Model",
            "textures": [{"path": "a\\Skin.blp", "replaceableId": 11, "other": true, "repeat": [true, false]}],
            "more": {"more": true},
            "min": [-1.0, -2.0, -3.0], "max": [1.0, 2.0, 3.0], "radius": 4.0,
            "sequences": sequences, "globalSequences": [300]
        })
    );
}

#[test]
fn nodes_with_their_flags_and_tracks() {
    let mut scene = helpers(0);
    let mut node = Node::new("Turn", NodeKind::Helper, None, [1.0, 2.0, 3.0]);
    node.ignore = Ignore { translation: true, rotation: false, scale: true };
    node.billboard = Billboard::LockY;
    node.camera_anchored = true;
    node.gate = Some(Id::new(0));
    node.extras.set("flags", 8);
    let mut track = Track::linear(vec![1000, 2000], vec![[0.0; 3], [1.0, 2.0, 3.0]], [9.0; 3]);
    track.interpolation = Interpolation::Hermite;
    track.tangents = vec![[[1.0; 3], [2.0; 3]], [[3.0; 3], [4.0; 3]]];
    track.windows = vec![[0, 1]];
    node.translation = Animated { base: [0.0; 3], track: Some(track) };
    node.scale = Animated::fixed([2.0; 3]);
    scene.nodes.push(node);
    scene.nodes.push(Node::new("Still", NodeKind::Tag, None, [0.0; 3]));
    let file = written(&scene);
    let mut found = extras(&file, "Turn");
    let tracks = found["tracks"].take();
    found.as_object_mut().unwrap().remove("tracks");
    assert_eq!(
        found,
        json!({
            "kind": "helper", "billboard": "lockY", "dontInherit": ["translation", "scale"], "cameraAnchored": true,
            "bindPivot": [1.0, 2.0, 3.0], "gate": 0, "flags": 8
        })
    );
    assert_eq!(
        tracks["translation"],
        json!({
            "interpolation": "hermite", "times": [1000, 2000], "windows": [0, 1], "default": [9.0, 9.0, 9.0],
            "values": [0.0, 0.0, 0.0, 1.0, 2.0, 3.0], "in": [1.0, 1.0, 1.0, 3.0, 3.0, 3.0],
            "out": [2.0, 2.0, 2.0, 4.0, 4.0, 4.0], "base": [0.0, 0.0, 0.0]
        })
    );
    assert_eq!((&tracks["scale"], &tracks["rotation"]), (&json!([2.0, 2.0, 2.0]), &Value::Null));
    assert_eq!(tracks["channels"].as_str().unwrap().len(), 16);
    assert_eq!(extras(&file, "Still"), json!({"kind": "tag", "bindPivot": [0.0, 0.0, 0.0]}));
    assert!(file.said("billboards: 1 nodes do not turn to the camera"));
}

#[test]
fn every_kind_of_node_and_billboard_comes_back() {
    let mut scene = helpers(0);
    for (index, kind) in [
        NodeKind::Bone,
        NodeKind::Helper,
        NodeKind::Attachment,
        NodeKind::Light,
        NodeKind::Emitter,
        NodeKind::Ribbon,
        NodeKind::Event,
        NodeKind::Shape,
        NodeKind::Tag,
    ]
    .into_iter()
    .enumerate()
    {
        let mut node = Node::new(format!("{index}"), kind, None, [0.0; 3]);
        node.billboard =
            [Billboard::Full, Billboard::LockX, Billboard::LockY, Billboard::LockZ, Billboard::None]
                [index % 5];
        node.ignore = Ignore { translation: index % 2 == 0, rotation: index % 3 == 0, scale: index % 5 == 0 };
        scene.nodes.push(node);
    }
    // The comparison is in there.
    written(&scene);
}

#[test]
fn transforms_of_textures_come_back_shared_or_not() {
    let textured = |transform: u32| LayerTexture {
        texture: Some(Id::new(0)),
        transform: Some(Id::new(transform)),
        ..LayerTexture::default()
    };
    let mut scene = one_layer(Layer { textures: vec![textured(0)], ..Layer::default() });
    let layers = &mut scene.materials.as_mut_slice()[0].layers;
    for transform in [1, 0, 1] {
        layers.push(Layer { blend: Blend::Add, textures: vec![textured(transform)], ..Layer::default() });
    }
    for size in [2.0, 3.0] {
        let scale = Animated::fixed([size, size, 1.0]);
        scene.texture_transforms.push(TextureTransform { scale, ..TextureTransform::default() });
    }
    written(&scene);
}

#[test]
fn meshes_materials_and_layers() {
    let textures = vec![
        LayerTexture {
            texture: Some(Id::new(0)),
            coordinates: Coordinates::Set(1),
            transform: Some(Id::new(0)),
            combine: Combine::Add,
            flipbook: Some(Track {
                interpolation: Interpolation::Step,
                ..Track::linear(vec![1000], vec![0], 0)
            }),
            ..LayerTexture::default()
        },
        LayerTexture {
            role: effigy_scene::Role::Second,
            coordinates: Coordinates::Ball,
            ..LayerTexture::default()
        },
    ];
    let mut scene = one_layer(Layer {
        blend: Blend::Alpha,
        textures,
        alpha: Animated::fixed(0.5),
        color_alpha: Animated::fixed(0.25),
        color: Animated::fixed([1.0, 0.0, 0.0]),
        emissive_gain: Animated::fixed(2.0),
        unlit: true,
        two_sided: true,
        unfogged: true,
        no_depth_test: true,
        no_depth_write: true,
        alpha_test: 0.5,
        ..Layer::default()
    });
    scene
        .texture_transforms
        .push(TextureTransform { scale: Animated::fixed([2.0, 2.0, 1.0]), ..TextureTransform::default() });
    let material = &mut scene.materials.as_mut_slice()[0];
    (material.priority, material.physical) = (-4, true);
    scene.nodes.push(bone("Root", None, [0.0; 3]));
    let mesh = &mut scene.meshes.as_mut_slice()[0];
    mesh.uvs.push(vec![[0.0; 2]; 3]);
    mesh.sort = Some(SortPoint { node: Id::new(0), point: [1.0, 2.0, 3.0], shift: 0.5 });
    (mesh.part, mesh.lod, mesh.shown) = (302, Some(0), false);
    mesh.alpha = Animated::fixed(0.5);
    mesh.color = Animated::fixed([0.0, 1.0, 0.0]);
    let file = File::new(&scene, &ExportOptions { all_parts: true, ..ExportOptions::default() });
    assert_eq!(
        extras(&file, "Body"),
        json!({
            "mesh": 0, "name": "Body", "shown": false, "sort": {"node": 0, "point": [1.0, 2.0, 3.0], "shift": 0.5},
            "part": 302, "lod": 0, "alpha": 0.5, "color": [0.0, 1.0, 0.0]
        })
    );
    let transform = json!({
        "id": 0, "order": "rotateScaleMove", "translation": [0.0, 0.0, 0.0], "rotation": [0.0, 0.0, 0.0, 1.0],
        "scale": [2.0, 2.0, 1.0]
    });
    let flipbook = json!({"interpolation": "step", "times": [1000], "default": [0.0], "values": [0.0]});
    let layer = json!({
        "blend": "alpha", "unlit": true, "twoSided": true, "unfogged": true, "noDepthTest": true, "noDepthWrite": true,
        "alphaTest": 0.5, "alpha": 0.5, "colorAlpha": 0.25, "color": [1.0, 0.0, 0.0], "emissiveGain": 2.0,
        "textures": [
            {
                "role": "base", "texture": 0, "path": "a\\Skin.blp", "flipbook": flipbook,
                "flipbookPaths": ["a\\Skin.blp"], "coordinates": 1, "combine": "add", "transform": transform
            },
            {"role": "second", "coordinates": "ball"}
        ]
    });
    let expected =
        json!({"layers": [layer], "material": 0, "name": "Look", "physical": true, "priority": -4});
    let mut found = file.material(0)["extras"].clone();
    // What was written of it, so that an edit can be told from it.
    let written = found.as_object_mut().unwrap().remove("written").unwrap();
    assert_eq!(written["layer"], 0);
    assert_eq!(found, expected);
}

#[test]
fn attachments_events_effects_and_shapes() {
    let mut scene = helpers(7);
    let node = Id::new;
    scene.global_sequences.push(GlobalSequence { length: 300 });
    scene.attachments.push(Attachment {
        name: "Hand".into(),
        number: 3,
        node: node(0),
        position: [0.0; 3],
        path: "x.mdl".into(),
        visibility: Animated::fixed(0.0),
    });
    scene.events.push(Event {
        name: "SND".into(),
        data: 5,
        node: node(1),
        position: [0.0; 3],
        times: vec![1, 2],
        global: Some(Id::new(0)),
    });
    scene.effects.push(Effect {
        name: "Pop".into(),
        kind: "popcorn".into(),
        node: node(2),
        path: "p.pkb".into(),
        visibility: Animated::fixed(0.5),
        extras: Extras::default(),
    });
    for (index, kind) in [
        ShapeKind::Box { min: [0.0; 3], max: [1.0; 3] },
        ShapeKind::Cylinder { base: [1.0; 3], height: 2.0, radius: 3.0 },
        ShapeKind::Sphere { center: [4.0; 3], radius: 5.0 },
        ShapeKind::Plane { length: 6.0, width: 7.0 },
    ]
    .into_iter()
    .enumerate()
    {
        scene.shapes.push(Shape { name: "S".into(), node: node(3 + u32::try_from(index).unwrap()), kind });
    }
    let file = written(&scene);
    let of = |name: &str, kind: &str| extras(&file, name)[kind].clone();
    assert_eq!(
        of("N0", "attachment"),
        json!({"name": "Hand", "id": 3, "path": "x.mdl", "visibility": 0.0, "index": 0})
    );
    assert_eq!(
        of("N1", "event"),
        json!({"name": "SND", "times": [1, 2], "data": 5, "globalSequence": 0, "index": 1})
    );
    assert_eq!(
        of("N2", "effect"),
        json!({"name": "Pop", "kind": "popcorn", "path": "p.pkb", "visibility": 0.5, "index": 2})
    );
    assert_eq!(
        of("N3", "collisionShape"),
        json!({"shape": "box", "min": [0.0, 0.0, 0.0], "max": [1.0, 1.0, 1.0], "name": "S", "index": 3})
    );
    assert_eq!(
        of("N4", "collisionShape"),
        json!({"shape": "cylinder", "base": [1.0, 1.0, 1.0], "height": 2.0, "radius": 3.0, "name": "S", "index": 4})
    );
    assert_eq!(
        of("N5", "collisionShape"),
        json!({"shape": "sphere", "center": [4.0, 4.0, 4.0], "radius": 5.0, "name": "S", "index": 5})
    );
    assert_eq!(
        of("N6", "collisionShape"),
        json!({"shape": "plane", "length": 6.0, "width": 7.0, "name": "S", "index": 6})
    );
    for words in ["attachments: 1, in", "events: 1, in", "effects: 1, in", "collision shapes: 4, in"] {
        assert!(file.said(words), "{words}");
    }
    assert!(!file.said("ribbons") && !file.said("billboards"));
}

#[test]
fn what_is_not_at_its_node_is_a_child_of_it() {
    let mut scene = one_layer(Layer::default());
    scene.nodes.push(Node::new("Arm", NodeKind::Helper, None, [1.0, 2.0, 3.0]));
    let attachment = |name: &str, position: [f32; 3]| Attachment {
        name: name.into(),
        number: 0,
        node: Id::new(0),
        position,
        path: String::new(),
        visibility: Animated::fixed(1.0),
    };
    scene.attachments.push(attachment("Here", [1.0, 2.0, 3.0]));
    scene.attachments.push(attachment("There", [2.0, 4.0, 6.0]));
    // The node itself has an attachment already.
    scene.attachments.push(attachment("Again", [1.0, 2.0, 3.0]));
    let file = written(&scene);
    assert_eq!(extras(&file, "Arm")["attachment"], json!({"name": "Here", "id": 0, "index": 0}));
    let there = &file.json["nodes"][file.node("There")];
    common::near_json(&there["translation"], &[1.0, 3.0, -2.0]);
    assert_eq!(
        there["extras"]["attachment"],
        json!({"name": "There", "id": 0, "index": 1, "position": [2.0, 4.0, 6.0]})
    );
    let again = &file.json["nodes"][file.node("Again")];
    assert!(again["translation"].is_null() && again["extras"]["attachment"]["index"] == 2);
    assert_eq!(file.json["nodes"][1]["children"], json!([file.node("There"), file.node("Again")]));
}

#[test]
fn particle_emitters_and_ribbons() {
    let mut scene = helpers(2);
    let mut emitter = ParticleEmitter::new("Smoke", Id::new(0));
    emitter.shape = EmitterShape::Spline(vec![[1.0, 2.0, 3.0]]);
    for (number, value) in (1_u8..).zip([
        &mut emitter.speed,
        &mut emitter.variation,
        &mut emitter.latitude,
        &mut emitter.longitude,
        &mut emitter.gravity,
        &mut emitter.lifespan,
        &mut emitter.rate,
        &mut emitter.length,
        &mut emitter.width,
        &mut emitter.z_source,
    ]) {
        *value = Animated::fixed(f32::from(number));
    }
    let cells = |start| Cells { start, end: start + 1, repeat: start + 2 };
    emitter.over_life = OverLife {
        middle: 0.25,
        colors: [[0.0, 0.5, 1.0]; 3],
        alphas: [1.0, 0.5, 0.0],
        sizes: [1.0, 2.0, 3.0],
        head: [cells(1), cells(4)],
        tail: [cells(7), cells(10)],
    };
    (emitter.texture, emitter.cells, emitter.tail_length) = (Some(Id::new(0)), [2, 4], 0.5);
    (emitter.drag, emitter.spin, emitter.priority) = (0.75, 1.5, -2);
    (emitter.tail, emitter.tail_grows, emitter.squirt, emitter.model_space) = (true, true, true, true);
    (emitter.flat, emitter.unfogged, emitter.sort, emitter.head) = (true, true, true, false);
    scene.emitters.push(emitter);
    scene.ribbons.push(Ribbon {
        name: "Trail".into(),
        node: Id::new(1),
        position: [0.0; 3],
        above: Animated::fixed(1.0),
        below: Animated::fixed(2.0),
        alpha: Animated::fixed(0.5),
        color: Animated::fixed([1.0, 0.0, 0.0]),
        slot: Animated::fixed(3),
        visibility: Animated::fixed(1.0),
        lifespan: 4.0,
        rate: 5.0,
        cells: [6, 7],
        material: Some(Id::new(0)),
        gravity: 8.0,
        gravity_direction: RibbonGravity::Up,
        extras: Extras::default(),
    });
    let file = written(&scene);
    assert_eq!(
        extras(&file, "N0")["particleEmitter"],
        json!({
            "name": "Smoke", "shape": "spline", "points": [1.0, 2.0, 3.0], "speed": 1.0, "variation": 2.0, "latitude": 3.0,
            "longitude": 4.0, "gravity": 5.0, "lifespan": 6.0, "rate": 7.0, "length": 8.0, "width": 9.0, "zSource": 10.0,
            "visibility": 1.0, "blend": "alpha", "texture": "a\\Skin.blp", "textureIndex": 0, "rows": 2, "columns": 4,
            "tailLength": 0.5, "tail": true, "tailGrows": true, "squirt": true, "modelSpace": true, "flat": true,
            "unlit": true, "unfogged": true, "sort": true, "middle": 0.25,
            "colors": [0.0, 0.5, 1.0, 0.0, 0.5, 1.0, 0.0, 0.5, 1.0], "alphas": [1.0, 0.5, 0.0], "sizes": [1.0, 2.0, 3.0],
            "cells": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], "drag": 0.75, "spin": 1.5, "priority": -2, "index": 0
        })
    );
    assert_eq!(
        extras(&file, "N1")["ribbon"],
        json!({
            "name": "Trail", "above": 1.0, "below": 2.0, "alpha": 0.5, "color": [1.0, 0.0, 0.0], "slot": 3.0,
            "visibility": 1.0, "lifespan": 4.0, "rate": 5.0, "gravity": 8.0, "rows": 6, "columns": 7, "material": 0,
            "gravityUp": true, "index": 1
        })
    );
}

#[test]
fn long_tracks_of_nodes_are_packed_and_come_back() {
    let mut scene = Scene { name: "Model".into(), ..Scene::default() };
    scene.sequences.push(sequence("Stand", 0, 1000));
    scene.nodes.push(bone("Root", None, [1.0, 2.0, 3.0]));
    let times: Vec<i32> = (0..13).map(|key| key * 50).collect();
    let values: Vec<[f32; 3]> = (0..13_u8).map(|key| [f32::from(key) * 0.1, -0.0, 1e-30]).collect();
    let tangents = values.iter().map(|value| [*value, [0.5, 0.0, 0.0]]).collect();
    let track =
        Track { interpolation: Interpolation::Hermite, tangents, ..Track::linear(times, values, [0.0; 3]) };
    scene.nodes.as_mut_slice()[0].translation.track = Some(track);
    scene.meshes.push(Mesh { skin: Some(skin(&[&[(0, 1.0)][..]; 3])), ..triangle("Body") });
    let exported = export(&validate(scene.clone()).unwrap(), &ExportOptions::default(), &mut NoTextures);
    let glb = exported.unwrap().into_glb().unwrap();
    let file = File::new(&scene, &ExportOptions::default());
    let noted = &file.json["nodes"][file.node("Root")]["extras"]["tracks"]["translation"];
    // 13 times of four bytes: the second is 50 (0x32).
    let text = noted["times"].as_str().unwrap();
    assert!(text.starts_with("AAAAADIAAABkAAAA") && text.len() == 70, "{text}");
    assert!(noted["values"].is_string() && noted["in"].is_string() && noted["default"].is_array());
    let again = effigy_gltf::Model::read(&glb).unwrap().lower().unwrap().0;
    assert_eq!(again.nodes.as_slice()[0].translation, scene.nodes.as_slice()[0].translation);
}
