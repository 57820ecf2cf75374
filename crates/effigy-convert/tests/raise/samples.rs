//! Models made by code, of every format, in every version of the targets; and what a small creature becomes.

use effigy_convert::raise::{self, Names, RaiseOptions, Weapon};
use effigy_scene::{
    Animated, Attachment, Extras, Influence, KeyRule, Mesh, Node, NodeKind, NodeRule, Rotation, Scene,
    Sequence, Skin, Track, TurnRule, validate,
};

fn lowered(bytes: &[u8]) -> Option<Scene> {
    if effigy_mdx::sniff(bytes) {
        return effigy_mdx::read(bytes).ok().map(|model| effigy_convert::mdx::lower(&model).scene);
    }
    if effigy_m2::sniff(bytes) {
        return effigy_m2::read(bytes).ok().map(|model| effigy_convert::m2::lower(&model).scene);
    }
    let timing = effigy_convert::mdc::FrameTiming::default();
    let model = effigy_mdc::sniff(bytes).then(|| effigy_mdc::read(bytes).ok()).flatten()?;
    effigy_convert::mdc::lower(&model, &timing).ok().map(|it| it.scene)
}

fn scenes() -> Vec<(String, Scene)> {
    let samples = effigy_samples::all().into_iter();
    samples.filter_map(|sample| Some((sample.name.to_string(), lowered(&sample.bytes)?))).collect()
}

/// Samples with a few bytes replaced: every one that can still be read becomes a model, or is refused for its numbers.
#[test]
fn damaged_samples_never_panic() {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as usize % below.max(1)
    };
    let (mut raised, mut creatures) = (0_usize, 0_usize);
    for sample in effigy_samples::all() {
        for round in 0..4 {
            let mut bytes = sample.bytes.clone();
            for _ in 0..=random(6) {
                let at = random(bytes.len());
                bytes[at] = [0, 1, 0x7f, 0x80, 0xff, random(256) as u8][random(6)];
            }
            let Some(scene) = lowered(&bytes) else { continue };
            let scene = validate(scene).unwrap();
            let version = if round % 2 == 0 { 800 } else { 1100 };
            if let Ok(made) = raise::mdx(&scene, &RaiseOptions { version, ..RaiseOptions::default() }) {
                effigy_mdx::read(&made.model.write().unwrap()).unwrap();
                raised += 1;
            }
            let version = if round % 2 == 0 { 256 } else { 264 };
            if let Ok(made) = raise::m2(&scene, &RaiseOptions { version, ..RaiseOptions::default() }) {
                effigy_m2::read(&made.model.write().unwrap()).unwrap();
                creatures += 1;
            }
            if let Ok(made) = raise::md3(&scene, &RaiseOptions::default()) {
                effigy_mdc::read(&made.model.model.write().unwrap()).unwrap();
            }
        }
    }
    assert!(raised > 40 && creatures > 40, "only {raised} and {creatures}");
}

#[test]
fn every_sample_becomes_every_target() {
    let all = scenes();
    assert!(all.len() > 10, "only {} scenes", all.len());
    for (name, scene) in all {
        let scene = validate(scene).unwrap();
        for version in [800, 1000, 1100, 1200, 1400, 1800] {
            let raised = raise::mdx(&scene, &RaiseOptions { version, ..RaiseOptions::default() }).unwrap();
            let bytes = raised.model.write().unwrap();
            let again =
                effigy_mdx::read(&bytes).unwrap_or_else(|error| panic!("{name} as {version}: {error}"));
            assert!(!again.sequences.is_empty() || scene.sequences.is_empty(), "{name}");
        }
        for version in effigy_m2::Version::TARGETS {
            let options = RaiseOptions { version: *version, ..RaiseOptions::default() };
            let raised = raise::m2(&scene, &options).unwrap();
            let again = effigy_m2::read(&raised.model.write().unwrap()).unwrap();
            assert_eq!(again.version().number(), *version, "{name}");
            assert!(!again.sequences.is_empty() || scene.sequences.is_empty(), "{name}");
            assert!(again.lost().is_empty(), "{name}: {:?}", again.lost());
        }
        let raised = raise::md3(&scene, &RaiseOptions::default()).unwrap();
        let bytes = raised.model.model.write().unwrap();
        assert_eq!(effigy_mdc::read(&bytes).unwrap().frames.len(), raised.model.model.frames.len(), "{name}");
    }
}

/// A creature of World of Warcraft with two bones: it stands, walks, strikes with and without a weapon, and dies.
fn creature() -> Scene {
    let mut scene = Scene {
        name: "Wolf".to_owned(),
        key_rule: KeyRule::Hold,
        turn_rule: TurnRule::Nlerp,
        node_rule: NodeRule::World,
        ..Scene::default()
    };
    scene.extras.set("format", "m2");
    for (at, (name, id, variation)) in [
        ("Stand", 0, 0),
        ("Stand 1", 0, 1),
        ("Run", 5, 0),
        ("AttackUnarmed", 16, 0),
        ("Attack1H", 17, 0),
        ("Death", 1, 0),
    ]
    .into_iter()
    .enumerate()
    {
        let start = i32::try_from(at).unwrap() * 2000;
        let mut extras = Extras::default();
        extras.set("id", id).set("variation", variation);
        scene.sequences.push(Sequence {
            name: name.to_owned(),
            start,
            end: start + 1000,
            looping: true,
            extras,
            ..Sequence::default()
        });
    }
    let mut root = Node::new("root", NodeKind::Bone, None, [0.0; 3]);
    // In the first sequence it rises by 0.5 yards between 200 and 700 ms; elsewhere it keeps the height of its first key.
    root.translation.track = Some(Track {
        windows: vec![[0, 1], [0, 0], [0, 0], [0, 0], [0, 0], [0, 0]],
        ..Track::linear(vec![200, 700], vec![[0.0; 3], [0.0, 0.0, 0.5]], [0.0; 3])
    });
    root.rotation = Animated::fixed(Rotation([0.0, 0.0, 0.6, 0.8]));
    let root = scene.nodes.push(root);
    let arm = scene.nodes.push(Node::new("arm", NodeKind::Bone, Some(root), [0.0, 0.0, 1.0]));
    let mut mesh = Mesh::new("skin");
    mesh.positions = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 2.0]];
    mesh.normals = vec![[0.0, 0.0, 1.0]; 3];
    mesh.uvs = vec![vec![[0.0; 2]; 3]];
    mesh.indices = vec![0, 1, 2];
    let mut skin = Skin { vertex_groups: vec![0, 0, 1], ..Skin::default() };
    skin.push_group([Influence { node: root, weight: 1.0 }]);
    skin.push_group([Influence { node: root, weight: 0.25 }, Influence { node: arm, weight: 0.75 }]);
    mesh.skin = Some(skin);
    scene.meshes.push(mesh);
    scene.attachments.push(Attachment {
        name: "HandRight".to_owned(),
        number: 1,
        node: arm,
        position: [0.0, 0.5, 1.0],
        path: String::new(),
        visibility: Animated::fixed(1.0),
    });
    scene
}

fn raised(options: &RaiseOptions) -> raise::Raised<effigy_mdx::Model> {
    raise::mdx(&validate(creature()).unwrap(), options).unwrap()
}

fn names(options: &RaiseOptions) -> Vec<String> {
    raised(options).model.sequences.iter().map(|it| it.name.text().into_owned()).collect()
}

#[test]
fn a_creature_gets_the_sequences_of_a_unit() {
    let made = ["Stand", "Stand - 2", "Walk", "Attack", "Death", "Decay Flesh", "Decay Bone", "Portrait"];
    assert_eq!(names(&RaiseOptions::default()), made);
    let model = raised(&RaiseOptions::default()).model;
    let rows: Vec<_> =
        model.sequences.iter().map(|it| (it.interval, it.flags.bits(), it.rarity, it.move_speed)).collect();
    // A gap of 333 ms before each; walking at 7 yards of 56 units a second; once: attack, death and decay.
    assert_eq!(rows[0], ([333, 1333], 0, 0.0, 0.0));
    assert_eq!(rows[1], ([1666, 2666], 0, 4.0, 0.0));
    assert_eq!(rows[2], ([2999, 3999], 0, 0.0, 392.0));
    assert_eq!(rows[3], ([4332, 5332], 1, 0.0, 0.0));
    assert_eq!(rows[5], ([6998, 66_998], 1, 0.0, 0.0));
    // One hand is the first kind of weapon that it has an attack for; the other attack is left out.
    let map = |options| {
        raised(&options).sequences.into_iter().map(|(_, new)| new.unwrap_or_default()).collect::<Vec<_>>()
    };
    assert_eq!(map(RaiseOptions::default()), ["Stand", "Stand - 2", "Walk", "", "Attack", "Death"]);
    let unarmed = RaiseOptions { weapon: Weapon::Unarmed, ..RaiseOptions::default() };
    assert_eq!(map(unarmed), ["Stand", "Stand - 2", "Walk", "Attack", "", "Death"]);
}

#[test]
fn names_of_the_user_win() {
    let mut chosen = Names::default();
    chosen.sequences.insert("Run".to_owned(), "Walk Fast".to_owned());
    chosen.sequences.insert("Stand 1".to_owned(), String::new());
    chosen.attachments.insert("HandRight".to_owned(), "Weapon Ref".to_owned());
    let options = RaiseOptions { names: chosen, ..RaiseOptions::default() };
    let found = names(&options);
    assert_eq!(found[0], "Walk Fast");
    assert_eq!(found.iter().filter(|name| name.starts_with("Stand")).count(), 1);
    let model = raised(&options).model;
    assert!(model.attachments.iter().any(|it| it.node.name == "Weapon Ref"));
}

#[test]
fn keys_are_at_both_ends_of_every_sequence() {
    let model = raised(&RaiseOptions { keep_keys: true, ..RaiseOptions::default() }).model;
    let root = model.bones.iter().find(|bone| bone.node.name == "root").unwrap();
    let keys = root.node.tracks.get(effigy_mdx::track::tags::KGTR).unwrap();
    let stand: Vec<_> = keys
        .keys::<[f32; 3]>()
        .unwrap()
        .filter(|key| key.time <= 1333)
        .map(|key| (key.time, key.value[2]))
        .collect();
    // 0.5 yards are 28 units.
    assert_eq!(stand, [(333, 0.0), (533, 0.0), (1033, 28.0), (1333, 28.0)]);
    for sequence in &model.sequences {
        for time in sequence.interval {
            assert!(keys.times().any(|key| u32::try_from(key) == Ok(time)), "{time}");
        }
    }
    // A rotation that never changes has no field in the file: it is keyed everywhere.
    let turns = root.node.tracks.get(effigy_mdx::track::tags::KGRT).unwrap();
    assert_eq!(turns.len(), 2 * model.sequences.len());
    assert!(turns.keys::<[f32; 4]>().unwrap().all(|key| key.value == [0.0, 0.0, 0.6, 0.8]));
}

#[test]
fn weights_become_parts_and_points_keep_their_places() {
    let model = raised(&RaiseOptions::default()).model;
    let geoset = &model.geosets[0];
    assert_eq!(geoset.vertex_groups, [0, 0, 1]);
    assert_eq!(geoset.group_sizes, [1, 4]);
    // A quarter and three quarters: the root once, the arm three times, by bones that follow it.
    let bone =
        |id: u32| model.bones.iter().find(|bone| u32::try_from(bone.node.object_id) == Ok(id)).unwrap();
    let names: Vec<String> =
        geoset.group_nodes.iter().map(|id| bone(*id).node.name.text().into_owned()).collect();
    assert_eq!(names, ["root", "root", "arm", "arm x2", "arm x3"]);
    let arm = bone(geoset.group_nodes[2]).node.object_id;
    assert!(
        geoset.group_nodes[3..]
            .iter()
            .all(|id| bone(*id).node.parent == arm && bone(*id).node.tracks.is_empty())
    );
    let hand = model.attachments.iter().find(|it| it.node.name == "Hand Right Ref").unwrap();
    assert_eq!(model.pivots[usize::try_from(hand.node.object_id).unwrap()], [0.0, 28.0, 56.0]);
    assert_eq!(hand.node.parent, arm);
    assert!(model.attachments.iter().any(|it| it.node.name == "Origin Ref"));
    let skinned = raised(&RaiseOptions { version: 1100, ..RaiseOptions::default() }).model;
    let rows: Vec<_> = skinned.geosets[0].skin.as_ref().unwrap().iter().map(|(_, weights)| weights).collect();
    // 63.75 and 191.25 of 255.
    assert_eq!(rows, [[255, 0, 0, 0], [255, 0, 0, 0], [64, 191, 0, 0]]);
}

#[test]
fn height_and_scale_are_as_asked_for() {
    let top = |options: &RaiseOptions| {
        let model = raised(options).model;
        model.geosets[0].vertices.iter().map(|vertex| vertex[2]).fold(0.0, f32::max)
    };
    assert_eq!(top(&RaiseOptions::default()), 112.0);
    assert_eq!(top(&RaiseOptions { scale: Some(10.0), ..RaiseOptions::default() }), 20.0);
    assert!((top(&RaiseOptions { height: Some(80.0), ..RaiseOptions::default() }) - 80.0).abs() < 1e-4);
}

#[test]
fn a_portrait_has_a_camera_and_portrait_sequences_only() {
    let portrait = raise::portrait(&raised(&RaiseOptions::default()).model);
    let names: Vec<_> = portrait.sequences.iter().map(|it| it.name.text().into_owned()).collect();
    assert_eq!((names, portrait.cameras.len()), (vec!["Portrait".to_owned()], 1));
}
