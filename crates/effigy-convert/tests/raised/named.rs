//! Objects by the names of nodes, in the three games.

use crate::raised::{plain, raised, said, scene};
use effigy_convert::raise::{self, Names, RaiseOptions};
use effigy_mdx::{FilterMode, Shape};
use effigy_scene::{
    Id, Influence, KeyRule, Layer, LayerTexture, Material, Node, NodeKind, NodeRule, Scene, Skin, Texture,
    Track, validate,
};
use effigy_wire::Tag;

/// A glTF of another program: a bone with a skin, and empties with names.
fn named() -> Scene {
    let mut scene = scene("gltf");
    (scene.key_rule, scene.node_rule) = (KeyRule::Hold, NodeRule::Warcraft);
    let mut skin = Skin { vertex_groups: vec![0; 3], ..Skin::default() };
    skin.push_group([Influence { node: Id::new(0), weight: 1.0 }]);
    let texture = scene.textures.push(Texture { path: "Armor.png".into(), ..Texture::default() });
    let base = LayerTexture { texture: Some(texture), ..LayerTexture::default() };
    let layers = vec![Layer { textures: vec![base], ..Layer::default() }];
    scene.materials.push(Material { name: "TeamColor.001".into(), layers, ..Material::default() });
    let mesh = &mut scene.meshes.as_mut_slice()[0];
    (mesh.skin, mesh.material) = (Some(skin), Some(Id::new(0)));
    for (name, pivot) in [
        ("Hand Right Ref.001", [2.0, 0.0, 5.0]),
        ("FPTxFBL1", [0.0, 1.0, 0.0]),
        ("Collision Box", [0.0, 0.0, 4.0]),
        ("tag_flag", [0.0, 0.0, 9.0]),
    ] {
        scene.nodes.push(Node::new(name, NodeKind::Helper, Some(Id::new(0)), pivot));
    }
    scene.nodes.as_mut_slice()[2].translation.track =
        Some(Track::linear(vec![0, 250, 750], vec![[0.0; 3], [0.0, 0.0, 9.0], [0.0; 3]], [0.0; 3]));
    scene
}

#[test]
fn warcraft_gets_attachments_events_shapes_and_team_colour() {
    let made = plain(&named());
    let model = &made.model;
    let pivot = |id: i32| model.pivots[usize::try_from(id).unwrap()];
    let found: Vec<_> = model
        .attachments
        .iter()
        .map(|it| (it.node.name.text().into_owned(), it.node.parent, pivot(it.node.object_id)))
        .collect();
    let root = model.bones[0].node.object_id;
    let expected = [
        ("Hand Right Ref".to_owned(), root, [2.0, 0.0, 5.0]),
        ("Flag Ref".to_owned(), root, [0.0, 0.0, 9.0]),
        ("Origin Ref".to_owned(), -1, [0.0; 3]),
    ];
    assert_eq!(found, expected);
    let [event] = &model.event_objects[..] else { panic!("one event") };
    let start = i32::try_from(model.sequences[0].interval[0]).unwrap();
    assert_eq!(event.node.name.text(), "FPTxFBL1");
    assert_eq!(event.track.as_ref().unwrap().times, [start + 250, start + 750]);
    assert!(event.node.tracks.0.is_empty());
    let [shape] = &model.collision_shapes[..] else { panic!("one shape") };
    assert_eq!(shape.shape, Shape::Box { min: [-1.0; 3], max: [1.0; 3] });
    assert_eq!(pivot(shape.node.object_id), [0.0, 0.0, 4.0]);
    // Every node is one thing: a bone and four objects. Added are the origin and the node that hides a dead unit.
    assert_eq!((model.pivots.len(), model.helpers.len()), (7, 1));
    assert_eq!(model.helpers[0].node.name.text(), "Root");
    let material = &model.materials[usize::try_from(model.geosets[0].material).unwrap()];
    let layers: Vec<_> = material
        .layers
        .iter()
        .map(|it| (it.filter_mode, model.textures[usize::try_from(it.texture).unwrap()].replaceable))
        .collect();
    assert_eq!(layers, [(FilterMode::NONE, 1), (FilterMode::BLEND, 0)]);
    assert!(said(&made, "attachments: by the names of nodes: Hand Right Ref (Hand Right Ref.001), Flag Ref"));
    assert!(said(&made, "events: by the names of nodes: FPTxFBL1 at 2 moments"), "{}", made.report);
    assert!(said(&made, "TeamColor.001: the player's colour by its name; it shows where"));
}

#[test]
fn world_of_warcraft_and_quake_get_what_they_have() {
    let scene = validate(named()).unwrap();
    let options = RaiseOptions { scale: Some(1.0), version: 264, ..RaiseOptions::default() };
    let world = raise::m2(&scene, &options).unwrap();
    let found: Vec<_> = world.model.attachments.iter().map(|it| (it.id, it.position)).collect();
    assert_eq!(found, [(1, [2.0, 0.0, 5.0]), (19, [0.0; 3]), (18, [0.0, 0.0, 10.0])]);
    let [step] = &world.model.events[..] else { panic!("one event") };
    assert_eq!((step.id, step.position), (Tag(*b"$FSD"), [0.0, 1.0, 0.0]));
    // Eight corners around the pivot, one unit to each side.
    assert_eq!(world.model.collision_bounds, [-1.0, -1.0, 3.0, 1.0, 1.0, 5.0]);
    let quake = raise::md3(&scene, &options).unwrap().model.model;
    let names: Vec<_> = (0..quake.tag_count()).map(|tag| quake.tag_name(tag).unwrap().into_owned()).collect();
    assert_eq!(names, ["tag_weapon", "tag_flag"]);
    assert_eq!(quake.tag_pose(1, 0).unwrap().origin, [0.0, 0.0, 9.0]);
}

#[test]
fn a_file_of_names_wins_over_the_names_of_nodes() {
    let mut names = Names::default();
    for (old, new) in [("Hand Right Ref", ""), ("root", "Hand Right Ref")] {
        names.attachments.insert(old.to_owned(), new.to_owned());
    }
    names.events.insert("FPTxFBL1".to_owned(), "SNDxAHFS".to_owned());
    names.materials.insert("TeamColor".to_owned(), String::new());
    let options = RaiseOptions { names, scale: Some(1.0), ..RaiseOptions::default() };
    let made = raised(&named(), &options);
    let model = &made.model;
    let points: Vec<_> =
        model.attachments.iter().map(|it| (it.node.name.text().into_owned(), it.node.parent)).collect();
    let root = model.bones[0].node.object_id;
    let expected = [("Hand Right Ref", root), ("Flag Ref", root), ("Origin Ref", -1)];
    assert_eq!(points, expected.map(|(name, parent)| (name.to_owned(), parent)));
    assert_eq!(model.event_objects[0].node.name.text(), "SNDxAHFS");
    assert!(model.textures.iter().all(|it| it.replaceable == 0));
    let list = |list: &[(&str, &str)]| -> Vec<(String, Option<String>)> {
        let new = |new: &str| Some(new.to_owned()).filter(|new| !new.is_empty());
        list.iter().map(|(old, name)| ((*old).to_owned(), new(name))).collect()
    };
    let points = [("root", "Hand Right Ref"), ("Hand Right Ref.001", ""), ("tag_flag", "Flag Ref")];
    assert_eq!(made.objects.attachments, list(&points));
    assert_eq!(made.objects.events, list(&[("FPTxFBL1", "SNDxAHFS")]));
    assert_eq!(made.objects.materials, list(&[("TeamColor.001", "")]));
}

#[test]
fn footprints_survive_the_way_to_world_of_warcraft_and_back() {
    let mut scene = named();
    // The right foot first, and both at their own moments.
    for (name, y, times) in [("FPTxFBR1", -1.0, [100, 900]), ("FPTxFBL1", 1.0, [300, 500])] {
        let mut foot = Node::new(name, NodeKind::Helper, Some(Id::new(0)), [0.0, y, 0.0]);
        foot.translation.track = Some(Track::linear(times.to_vec(), vec![[0.0; 3]; 2], [0.0; 3]));
        scene.nodes.push(foot);
    }
    scene.nodes.as_mut_slice()[2].name = "nothing".into();
    let options = RaiseOptions { scale: Some(1.0), version: 256, ..RaiseOptions::default() };
    let world = raise::m2(&validate(scene).unwrap(), &options).unwrap().model;
    let read = effigy_m2::read(&world.write().unwrap()).unwrap();
    let back = effigy_convert::m2::lower(&read).scene;
    let made = raised(&back, &RaiseOptions { scale: Some(1.0), ..RaiseOptions::default() });
    let start = i32::try_from(made.model.sequences[0].interval[0]).unwrap();
    let found: Vec<_> = made
        .model
        .event_objects
        .iter()
        .map(|it| {
            let times = it.track.as_ref().unwrap().times.iter().map(|time| time - start).collect::<Vec<_>>();
            (it.node.name.text().into_owned(), times)
        })
        .collect();
    assert_eq!(found, [("FPTxFBR1".to_owned(), vec![100, 900]), ("FPTxFBL1".to_owned(), vec![300, 500])]);
    assert!(said(&made, "events: 2 footfalls leave the print of the foot that is on their side"));
}
