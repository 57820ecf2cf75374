//! MDS in the scene: sequences by hand, and vertices and tags where the games' own formulas put them.

use effigy_convert::mds::{Animation, Body, lower};
use effigy_mdc::sequences::Sequence as Named;
use effigy_mds::pose::{Formula, Mesh, Skeleton};
use effigy_mds::{Model, split};
use effigy_scene::sample::{Moment, Sampler};
use effigy_scene::{Extra, Id, KeyRule, NodeKind, NodeRule, Scene, validate};

fn row(name: &str, first: u32, count: u32, fps: f32, loop_frames: u32) -> Named {
    Named { name: name.into(), first, count, fps, loop_frames, move_speed: 25.0, ..Named::default() }
}

fn lowered(mesh: &Model, bones: &Model, rows: Vec<Named>) -> (Scene, Vec<String>) {
    let animations = vec![Animation { model: bones, rows }];
    let body = Body { mesh, animations, skin: None, detail: None, formula: Formula::Wolfenstein };
    let made = lower(&body).unwrap();
    let notes = made.report.notes().iter().map(|note| format!("{}: {}", note.path, note.message)).collect();
    (made.scene, notes)
}

#[test]
fn rows_become_sequences_that_follow_one_another() {
    let model = effigy_samples::mds::mds();
    let frames = u32::try_from(model.frames.len()).unwrap();
    let backwards = Named { reversed: true, ..row("back", 1, 2, 10.0, 0) };
    let rows = vec![
        row("walk", 0, 3, 15.0, 3),
        row("die", 2, 3, 20.0, 0),
        // A name that is already known, and frames that do not exist.
        row("walk", 0, 1, 1.0, 0),
        row("none", frames - 1, 2, 20.0, 0),
        row("last", frames - 1, 1, 0.5, 1),
        backwards,
    ];
    let (scene, notes) = lowered(&model, &model, rows);
    let list: Vec<_> = scene
        .sequences
        .as_slice()
        .iter()
        .map(|it| (it.name.as_str(), it.start, it.end, it.looping, it.move_speed))
        .collect();
    // A frame of 15 a second lasts 66 ms, whole; a loop shows its first frame again. One second between sequences.
    assert_eq!(
        list,
        [
            ("walk", 0, 198, true, 25.0),
            ("die", 1198, 1298, false, 25.0),
            ("last", 2298, 2298, true, 25.0),
            ("back", 3298, 3398, false, 25.0)
        ]
    );
    let text =
        format!("sequence none: frames {} to {} do not exist, there are {frames}", frames - 1, frames + 1);
    assert!(notes.contains(&text), "{notes:?}");
    let extras = &scene.sequences.as_slice()[1].extras;
    assert_eq!(
        (extras.get("firstFrame"), extras.get("frames")),
        (Some(&Extra::Int(2)), Some(&Extra::Int(3)))
    );
    assert_eq!(
        (scene.name.as_str(), scene.extras.get("format")),
        ("soldier", Some(&Extra::Text("mds".into())))
    );
    assert_eq!((scene.key_rule, scene.node_rule), (KeyRule::Hold, NodeRule::Wolfenstein));
    let (all, _) = lowered(&model, &model, Vec::new());
    assert_eq!(all.sequences.as_slice()[0].name, "all frames");
    for (_, material) in scene.materials.iter() {
        let texture = material.layers[0].textures[0].texture.and_then(|it| scene.textures.get(it));
        assert_eq!(texture.map_or("", |it| it.path.as_str()), material.name);
    }
}

/// The largest distance of a vertex or tag from where the games' formulas put it, over the frames of a sequence.
fn distance(mesh: &Model, bones: &Model, frames: &[usize], times: &[f64], rows: Vec<Named>) -> f32 {
    let (scene, _) = lowered(mesh, bones, rows);
    let scene = validate(scene).unwrap();
    let sampler = Sampler::new(&scene);
    let mut pose = sampler.pose();
    let (skeleton, surfaces) = (Skeleton::new(bones).unwrap(), Mesh::new(mesh));
    let mut worst = 0.0_f32;
    let off = |a: [f32; 3], b: [f32; 3]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    for (frame, time) in frames.iter().zip(times) {
        let truth = skeleton.frame(bones, *frame).unwrap();
        sampler.sample(&Moment::new(Id::new(0), *time), None, &mut pose);
        sampler.skin(&mut pose);
        for number in 0..mesh.surfaces.len() {
            let placed = surfaces.place(number, &truth);
            let found = &pose.meshes()[number];
            assert_eq!(found.positions.len(), placed.positions.len());
            for (found, expected) in found.positions.iter().zip(&placed.positions) {
                worst = worst.max(off(*found, *expected));
            }
        }
        for (number, tag) in mesh.tags.iter().enumerate() {
            let name = tag.name.text();
            let is_it = |node: &effigy_scene::Node| node.kind == NodeKind::Tag && node.name == name;
            let (id, node) = scene.nodes.iter().find(|(_, node)| is_it(node)).unwrap();
            assert_eq!(node.pivot, [0.0; 3]);
            let expected = truth.tag(mesh, number).unwrap();
            worst = worst.max(off(pose.point(id, [0.0; 3]), expected.origin));
            let ahead = pose.point(id, [1.0, 0.0, 0.0]);
            let forward = [0, 1, 2].map(|axis| expected.origin[axis] + expected.axes[0][axis]);
            worst = worst.max(off(ahead, forward));
        }
    }
    worst
}

#[test]
fn every_frame_is_posed_as_the_games_do() {
    let whole = effigy_samples::mds::mds();
    let (mesh, bones, _) = split(&whole).unwrap();
    for (mesh, bones) in [(&whole, &whole), (&mesh, &bones)] {
        let walk = row("walk", 1, 4, 20.0, 2);
        // Frames 1 to 4, and the loop back to the second to last of them.
        let worst = distance(mesh, bones, &[1, 2, 3, 4, 3], &[0.0, 50.0, 100.0, 150.0, 200.0], vec![walk]);
        assert!(worst < 0.03, "{worst}");
        let back = Named { reversed: true, ..row("back", 1, 4, 20.0, 0) };
        let worst = distance(mesh, bones, &[4, 3, 2, 1], &[0.0, 50.0, 100.0, 150.0], vec![back]);
        assert!(worst < 0.03, "{worst}");
        // Without rows all frames are one sequence of 20 a second.
        let worst = distance(mesh, bones, &[0, 5], &[0.0, 250.0], Vec::new());
        assert!(worst < 0.03, "{worst}");
    }
}

#[test]
fn surfaces_have_shaders_weights_and_turned_triangles() {
    let model = effigy_samples::mds::mds();
    let skin = effigy_mdc::skin::Skin::parse(effigy_samples::mds::SKIN).unwrap();
    let animations = vec![Animation { model: &model, rows: Vec::new() }];
    let body =
        Body { mesh: &model, animations, skin: Some(&skin), detail: None, formula: Formula::Wolfenstein };
    let scene = lower(&body).unwrap().scene;
    let [torso, legs] = scene.meshes.as_slice() else { panic!() };
    let path = |mesh: &effigy_scene::Mesh| scene.materials.get(mesh.material.unwrap()).unwrap().name.clone();
    assert_eq!((torso.name.as_str(), path(torso)), ("u_body", "models/players/tin/red.tga".to_owned()));
    assert_eq!((legs.name.as_str(), path(legs)), ("l_legs", "models/players/tin/wood.tga".to_owned()));
    // Clockwise in the file.
    let [a, b, c] = model.surfaces[0].triangles[0];
    assert_eq!(torso.indices[..3], [c, b, a]);
    assert_eq!(torso.uvs[0][2], model.surfaces[0].vertices[2].texcoord);
    assert_eq!(torso.extras.get("minLod"), Some(&Extra::Int(i64::from(model.surfaces[0].min_lod))));
    // The first vertices of the chest follow it by three quarters and the spine by one.
    let skin = torso.skin.as_ref().unwrap();
    let shared =
        (0..torso.positions.len()).find(|it| skin.group(skin.vertex_groups[*it]).len() == 2).unwrap();
    let group: Vec<_> = skin
        .group(skin.vertex_groups[shared])
        .iter()
        .map(|it| (scene.nodes.get(it.node).unwrap().name.clone(), it.weight))
        .collect();
    assert_eq!(group, [("tin chest".to_owned(), 0.75), ("tin spine".to_owned(), 0.25)]);
    for normal in &torso.normals {
        let length: f32 = normal.iter().map(|it| it * it).sum();
        assert!((length - 1.0).abs() < 1e-3, "{normal:?}");
    }
    // Bones of tags that carry nothing are nodes of tags only.
    let names: Vec<_> =
        scene.nodes.as_slice().iter().filter(|it| it.name == "tag_head").map(|it| it.kind).collect();
    assert_eq!(names, [NodeKind::Tag]);
}

#[test]
fn bounds_are_those_of_the_first_frame() {
    let model = effigy_samples::mds::mds();
    let (mut scene, _) = lowered(&model, &model, Vec::new());
    let frame = &model.frames[0];
    let stored = |scene: &Scene| (scene.bounds.min, scene.bounds.max, scene.bounds.radius);
    assert_eq!(stored(&scene), (frame.min, frame.max, frame.radius));
    // Enemy Territory stores the corners the other way round.
    let (mesh, mut bones, _) = split(&model).unwrap();
    (bones.frames[0].min, bones.frames[0].max, bones.frames[0].radius) =
        ([3.0, 4.0, 5.0], [-1.0, -2.0, 0.0], 77.0);
    (scene, _) = lowered(&mesh, &bones, Vec::new());
    assert_eq!(stored(&scene), ([-1.0, -2.0, 0.0], [3.0, 4.0, 5.0], 77.0));
}

#[test]
fn a_body_without_frames_cannot_be_drawn() {
    let (mesh, ..) = split(&effigy_samples::mds::mds()).unwrap();
    let body =
        Body { mesh: &mesh, animations: Vec::new(), skin: None, detail: None, formula: Formula::Wolfenstein };
    assert!(lower(&body).is_err());
}
