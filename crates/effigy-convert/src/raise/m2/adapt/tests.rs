use super::*;
use effigy_scene::{Animated, Attachment, Id, Layer, Material, Node, NodeKind};

#[test]
fn textures_are_in_a_folder_of_the_model_unless_one_is_chosen() {
    let named = |name: &str| Scene { name: name.to_owned(), ..Scene::default() };
    let usual = RaiseOptions::default();
    assert_eq!(folder(&named("Big-Wolf_2 \u{e9}/x"), &usual), "Creature\\Big-Wolf_2___x");
    assert_eq!(folder(&named(""), &usual), "Creature\\Imported");
    assert_eq!(folder(&named(&"w".repeat(70)), &usual), format!("Creature\\{}", "w".repeat(64)));
    let chosen = RaiseOptions { texture_folder: "World\\Mine".to_owned(), ..usual };
    assert_eq!(folder(&named("Wolf"), &chosen), "World\\Mine");
}

#[test]
fn transparent_layers_of_warcraft_do_not_write_depth() {
    let mut scene = Scene::default();
    let blends = [
        (Blend::Opaque, false),
        (Blend::AlphaKey, false),
        (Blend::Alpha, true),
        (Blend::Add, true),
        (Blend::AddAlpha, true),
        (Blend::Modulate, true),
        (Blend::Modulate2x, true),
    ];
    let layers = blends.iter().map(|(blend, _)| Layer { blend: *blend, ..Layer::default() }).collect();
    scene.materials.push(Material { layers, ..Material::default() });
    depth(&mut scene);
    let found = scene.materials.as_slice()[0].layers.iter().map(|it| (it.blend, it.no_depth_write));
    assert_eq!(found.collect::<Vec<_>>(), blends);
}

#[test]
fn attachments_have_the_names_and_numbers_that_were_chosen() {
    let mut scene = Scene::default();
    for name in ["a", "b", "c", "d", ""] {
        scene.attachments.push(Attachment {
            name: name.to_owned(),
            number: 5,
            node: Id::new(0),
            position: [0.0; 3],
            path: String::new(),
            visibility: Animated::fixed(1.0),
        });
    }
    let mut options = RaiseOptions::default();
    for (old, new) in [("a", "Head Ref"), ("b", ""), ("c", "Odd")] {
        options.names.attachments.insert(old.to_owned(), new.to_owned());
    }
    attachments(&mut scene, &options);
    let found: Vec<_> = scene.attachments.as_slice().iter().map(|it| (it.name.as_str(), it.number)).collect();
    assert_eq!(found, [("Head Ref", 20), ("Odd", 5), ("d", 5)]);
}

#[test]
fn rules_of_nodes_that_have_no_place_are_counted() {
    let mut scene = Scene { node_rule: NodeRule::Warcraft, ..Scene::default() };
    for at in 0..3 {
        let mut node = Node::new("n", NodeKind::Bone, None, [0.0; 3]);
        node.camera_anchored = at < 2;
        node.gate = (at == 1).then(|| Id::new(0));
        scene.nodes.push(node);
    }
    let mut report = Report::default();
    node_rules(&mut scene, &mut report);
    let found: Vec<_> = report.notes().iter().map(|note| note.message.as_ref()).collect();
    assert_eq!(
        found,
        [
            "2 keep their distance from the camera, which has no place",
            "1 switch what they carry off with a mesh, which has no place"
        ]
    );
    assert!(scene.nodes.as_slice().iter().all(|node| !node.camera_anchored && node.gate.is_none()));
    assert_eq!(scene.node_rule, NodeRule::World);
}
