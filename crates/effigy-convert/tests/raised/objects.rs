//! Nodes, emitters and effects in Warcraft III, flag by flag.

use crate::raised::{raised, said, scene};
use effigy_convert::raise::{RaiseOptions, Raised};
use effigy_mdx::track::tags;
use effigy_mdx::{Model, NodeFlags, ParticleFilter, PopcornEmitter};
use effigy_scene::{
    Animated, Attachment, Billboard, Blend, Effect, Event, Extra, Extras, Id, KeyRule, Node, NodeKind,
    NodeRule, ParticleEmitter, Scene, Track,
};

fn at_version(scene: &Scene, version: u32) -> Raised<Model> {
    raised(scene, &RaiseOptions { version, scale: Some(1.0), ..RaiseOptions::default() })
}

/// A scene that follows Warcraft III's rules already.
fn native() -> Scene {
    let mut scene = scene("mdx");
    (scene.key_rule, scene.node_rule) = (KeyRule::Wrap, NodeRule::Warcraft);
    scene
}

fn effect(kind: &str) -> Effect {
    Effect {
        name: "fire".into(),
        kind: kind.into(),
        node: Id::new(0),
        path: "Fire.mdl".into(),
        visibility: Animated { base: 1.0, track: Some(Track::linear(vec![0], vec![0.5], 1.0)) },
        extras: Extras::default(),
    }
}

#[test]
fn effects_have_every_value_where_the_version_has_them() {
    let mut scene = native();
    let mut model_emitter = effect("modelEmitter");
    for (name, value) in [
        ("emissionRate", 1.0),
        ("gravity", 2.0),
        ("longitude", 3.0),
        ("latitude", 4.0),
        ("lifeSpan", 5.0),
        ("speed", 6.0),
    ] {
        model_emitter.extras.set(name, value);
    }
    scene.effects.push(model_emitter);
    let mut popcorn = effect("popcorn");
    for (name, value) in [("emissionRate", 7.0), ("lifeSpan", 8.0), ("speed", 9.0), ("alpha", 0.25)] {
        popcorn.extras.set(name, value);
    }
    popcorn.extras.set("color", Extra::Floats(vec![0.1, 0.2, 0.3])).set("replaceableId", 2_i64);
    popcorn.extras.set("visibilityGuide", "Always=on");
    // A track that was put aside wins over the one of the scene.
    let mut kept = Extras::default();
    kept.set("interpolation", 0_i64)
        .set("times", Extra::Ints(vec![7]))
        .set("values", Extra::Floats(vec![0.75]));
    popcorn.extras.set("KPPV", Extra::Map(kept));
    scene.effects.push(popcorn);
    scene.effects.push(effect("popcorn"));
    scene.effects.push(effect("smoke"));
    let made = at_version(&scene, 900);
    let it = &made.model.particle_emitters[0];
    assert_eq!([it.emission_rate, it.gravity, it.longitude, it.latitude], [1.0, 2.0, 3.0, 4.0]);
    assert_eq!((it.life_span, it.speed, it.path.text().as_ref()), (5.0, 6.0, "Fire.mdl"));
    assert!(it.tracks.get(tags::KPEV).is_some());
    let [full, bare] = &made.model.popcorn_emitters[..] else { panic!("two of them") };
    let wanted = PopcornEmitter {
        node: full.node.clone(),
        life_span: 8.0,
        emission_rate: 7.0,
        speed: 9.0,
        color: [0.1, 0.2, 0.3],
        alpha: 0.25,
        replaceable: 2,
        path: effigy_wire::FixedStr::new("Fire.mdl").unwrap(),
        visibility_guide: effigy_wire::FixedStr::new("Always=on").unwrap(),
        tracks: full.tracks.clone(),
    };
    assert_eq!(*full, wanted);
    let first = |it: &PopcornEmitter| {
        let key = it.tracks.get(tags::KPPV).unwrap().keys::<f32>().unwrap().next().unwrap();
        (it.tracks.0.len(), key.time, key.value)
    };
    assert_eq!((first(full), first(bare)), ((1, 7, 0.75), (1, 0, 0.5)));
    assert_eq!([bare.life_span, bare.emission_rate, bare.speed, bare.alpha], [1.0; 4]);
    assert_eq!((bare.color, bare.replaceable), ([1.0; 3], 0));
    assert_eq!(full.node.flags, NodeFlags::PARTICLE_EMITTER);
    assert!(said(&made, "effects[3]: effects of the kind smoke have no place"), "{}", made.report);
    assert!(!said(&made, "effects[1]"));
    let classic = at_version(&scene, 800);
    assert!(classic.model.popcorn_emitters.is_empty());
    assert!(said(&classic, "effects[1]: effects of the kind popcorn have no place"));
}

#[test]
fn flags_of_nodes_are_those_of_the_scene() {
    for (billboard, expected) in [
        (Billboard::None, NodeFlags::empty()),
        (Billboard::Full, NodeFlags::BILLBOARDED),
        (Billboard::LockX, NodeFlags::BILLBOARDED_LOCK_X),
        (Billboard::LockY, NodeFlags::BILLBOARDED_LOCK_Y),
        (Billboard::LockZ, NodeFlags::BILLBOARDED_LOCK_Z),
    ] {
        let mut scene = native();
        scene.nodes.as_mut_slice()[0].billboard = billboard;
        assert_eq!(at_version(&scene, 800).model.bones[0].node.flags, expected | NodeFlags::BONE);
    }
    for (at, expected) in [
        NodeFlags::DONT_INHERIT_TRANSLATION,
        NodeFlags::DONT_INHERIT_ROTATION,
        NodeFlags::DONT_INHERIT_SCALING,
        NodeFlags::CAMERA_ANCHORED,
    ]
    .into_iter()
    .enumerate()
    {
        let mut scene = native();
        let node = &mut scene.nodes.as_mut_slice()[0];
        (node.ignore.translation, node.ignore.rotation) = (at == 0, at == 1);
        (node.ignore.scale, node.camera_anchored) = (at == 2, at == 3);
        // Bits in the file that say the same are not read; others are.
        node.extras.set("flags", 0x1_0000_i64 | 0xff);
        let flags = at_version(&scene, 800).model.bones[0].node.flags;
        assert_eq!(flags, expected | NodeFlags::EMITTER_USES_TGA_OR_SORT_FAR_Z);
    }
}

#[test]
fn objects_have_their_own_node_only_where_they_can() {
    let mut scene = native();
    let mark = |position: [f32; 3], node: u32| Attachment {
        name: "mark".into(),
        number: 4,
        node: Id::new(node),
        position,
        path: String::new(),
        visibility: Animated::fixed(1.0),
    };
    for kind in [NodeKind::Attachment, NodeKind::Helper] {
        scene.nodes.push(Node::new("place", kind, Some(Id::new(0)), [1.0, 1.0, 1.0]));
    }
    // At its node, beside it, a second one on it, and on a node of another kind.
    scene.attachments.push(mark([2.0, 1.0, 1.0], 1));
    scene.attachments.push(mark([1.0, 1.0, 1.0], 1));
    scene.attachments.push(mark([1.0, 1.0, 1.0], 1));
    scene.attachments.push(mark([1.0, 1.0, 1.0], 2));
    for times in [vec![100], vec![]] {
        let event = Event {
            name: "SNDxAAAA".into(),
            data: 0,
            node: Id::new(0),
            position: [3.0; 3],
            times,
            global: None,
        };
        scene.events.push(event);
    }
    let made = at_version(&scene, 800);
    let model = &made.model;
    let (own, helper) = (model.attachments[1].node.object_id, model.helpers[0].node.object_id);
    let found: Vec<_> = model
        .attachments
        .iter()
        .map(|it| {
            let at = usize::try_from(it.node.object_id).unwrap();
            (it.node.name.text().into_owned(), it.node.parent, model.pivots[at], it.id)
        })
        .collect();
    let root = model.bones[0].node.object_id;
    assert_eq!(
        found,
        [
            ("mark".to_owned(), own, [2.0, 1.0, 1.0], 4),
            ("place".to_owned(), root, [1.0; 3], 4),
            ("mark".to_owned(), own, [1.0; 3], 4),
            ("mark".to_owned(), helper, [1.0; 3], 4),
        ]
    );
    assert!(model.attachments.iter().all(|it| it.node.flags == NodeFlags::ATTACHMENT));
    // Bones come first; every object has a number of its own.
    assert_eq!((root, model.pivots.len()), (0, 8));
    assert_eq!(model.event_objects.len(), 1);
    assert_eq!(model.event_objects[0].node.flags, NodeFlags::EVENT);
    assert!(said(&made, "events[1]: it has no times"), "{}", made.report);
    // A scene of another game: the node has the name of what is on it.
    scene.extras.set("format", "gltf");
    scene.key_rule = KeyRule::Hold;
    let made = at_version(&scene, 800).model;
    let names: Vec<_> = made.attachments.iter().map(|it| (it.node.name.text().into_owned(), it.id)).collect();
    let expected = ["mark", "mark", "mark", "mark", "Origin Ref"].map(str::to_owned);
    assert_eq!(names, expected.into_iter().zip(0..).collect::<Vec<_>>());
}

#[test]
fn flags_of_emitters_are_those_of_the_scene() {
    let mut scene = native();
    for at in 0..6 {
        let mut emitter = ParticleEmitter::new("p", Id::new(0));
        (emitter.unlit, emitter.sort, emitter.unfogged) = (at == 0, at == 1, at == 3);
        (emitter.model_space, emitter.flat, emitter.squirt) = (at == 4, at == 5, at == 5);
        emitter.longitude = Animated::fixed(if at == 2 { 0.0 } else { 3.0 });
        emitter.extras.set("replaceableId", 2_i64);
        scene.emitters.push(emitter);
    }
    let model = at_version(&scene, 800).model;
    let flags: Vec<NodeFlags> = model.particle_emitters_2.iter().map(|it| it.node.flags).collect();
    let expected = [
        NodeFlags::EMITTER_USES_MDL_OR_UNSHADED,
        NodeFlags::EMITTER_USES_TGA_OR_SORT_FAR_Z,
        NodeFlags::LINE_EMITTER,
        NodeFlags::UNFOGGED,
        NodeFlags::MODEL_SPACE,
        NodeFlags::XY_QUAD,
    ];
    assert_eq!(flags, expected.map(|flag| flag | NodeFlags::PARTICLE_EMITTER));
    assert!(model.particle_emitters_2.iter().all(|it| (it.replaceable, it.texture) == (2, -1)));
    assert_eq!((model.particle_emitters_2[4].squirt, model.particle_emitters_2[5].squirt), (0, 1));
    for (blend, expected) in [
        (Blend::Opaque, ParticleFilter::BLEND),
        (Blend::Alpha, ParticleFilter::BLEND),
        (Blend::Add, ParticleFilter::ADDITIVE),
        (Blend::AddAlpha, ParticleFilter::ADDITIVE),
        (Blend::Modulate, ParticleFilter::MODULATE),
        (Blend::Modulate2x, ParticleFilter::MODULATE_2X),
        (Blend::AlphaKey, ParticleFilter::ALPHA_KEY),
    ] {
        scene.emitters.as_mut_slice()[0].blend = blend;
        assert_eq!(at_version(&scene, 800).model.particle_emitters_2[0].filter_mode, expected, "{blend:?}");
    }
}
