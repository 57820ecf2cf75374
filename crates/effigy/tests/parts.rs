//! Models on models: a chest is attached to the sample of each game, and is where a hand-computed matrix puts it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![cfg(feature = "gltf")]

use effigy::scene::sample::{Moment, Sampler};
use effigy::{Attach, Kind, Model};

fn chest() -> Model {
    Model::from(effigy_samples::mdc::md3())
}

/// The first vertex of the chest in its own space.
const CORNER: [f32; 3] = [-16.0, -12.0, 0.0];

/// The first vertex of the mesh called `chest`, at the start of the first sequence.
fn corner_of(model: &Model, sequence: &str) -> [f32; 3] {
    let scene = effigy::scene::validate(model.lower().unwrap().scene).unwrap();
    let sampler = Sampler::new(&scene);
    let mut pose = sampler.pose();
    let played = scene.sequences.iter().find(|(_, it)| it.name == sequence).map(|(id, _)| id);
    sampler.sample(&Moment { sequence: played, time: 0.0, clock: 0.0 }, None, &mut pose);
    sampler.skin(&mut pose);
    let (id, _) = scene.meshes.iter().find(|(_, mesh)| mesh.name == "chest").unwrap();
    pose.meshes()[id.index()].positions[0]
}

fn near(found: [f32; 3], wanted: [f32; 3]) -> bool {
    found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 0.02)
}

#[test]
fn the_tin_soldier_carries_a_chest() {
    let mut soldier = Model::from(effigy_samples::mds::mds());
    soldier.add_part("weapon", chest()).unwrap();
    // In his first frame the tag is at (3, -9, 31) and not turned.
    let found = corner_of(&soldier, "all frames");
    assert!(near(found, [-13.0, -21.0, 31.0]), "{found:?}");
}

#[test]
fn a_chest_on_a_chest_follows_both_tags() {
    let mut lower = chest();
    lower.add_part("tag_lid", chest()).unwrap();
    // The lid is closed: its tag is at (16, 0, 20), and the mesh of the lower chest comes first.
    let scene = lower.lower().unwrap().scene;
    let corners: Vec<[f32; 3]> =
        scene.meshes.iter().filter(|(_, it)| it.name == "chest").map(|(_, it)| it.positions[0]).collect();
    assert_eq!(corners, [CORNER; 2]);
    let nodes = |model: &Model| model.lower().unwrap().scene.nodes.len();
    let mut soldier = Model::from(effigy_samples::mds::mds());
    let expected = nodes(&soldier) + 3 * (nodes(&chest()) + 1);
    soldier.add_part("tag_head", lower).unwrap();
    soldier.add_part("tag_head/tag_lid/tag_pennant", chest()).unwrap();
    assert_eq!(soldier.parts()[0].model.parts()[0].model.parts().len(), 1);
    // Each chest brings its nodes and one that carries it.
    assert_eq!(nodes(&soldier), expected);
}

#[test]
fn the_creature_of_each_game_carries_a_chest_at_its_attachment() {
    let mut tested = std::collections::BTreeSet::new();
    let samples = effigy_samples::all();
    for sample in samples.iter().filter(|sample| sample.name.contains("creature")) {
        let mut files = effigy::assets::Memory::new("samples");
        samples.iter().for_each(|sample| files.add(&sample.file_name, sample.bytes.clone()));
        let Ok(mut model) = effigy::open_in(files, &sample.file_name, &effigy::OpenOptions::default()) else {
            continue;
        };
        if tested.contains(model.format().name()) {
            continue;
        }
        let Ok(lowered) = model.lower() else { continue };
        let Some(attachment) = lowered.scene.attachments.as_slice().first().cloned() else { continue };
        model.add_part(&attachment.name.to_uppercase().replace(' ', "-"), chest()).unwrap();
        // Without a sequence every node rests, so the chest is moved by the attachment's place alone.
        let found = corner_of(&model, "no such sequence");
        let wanted = [0, 1, 2].map(|axis| CORNER[axis] + attachment.position[axis]);
        assert!(near(found, wanted), "{}: {found:?} {wanted:?}", sample.name);
        tested.insert(model.format().name());
    }
    assert!(tested.contains("mdx") && tested.contains("m2"), "{tested:?}");
}

#[test]
fn places_that_do_not_exist_are_errors_that_list_the_others() {
    let mut soldier = Model::from(effigy_samples::mds::mds());
    soldier.add_part("tag_tail", chest()).unwrap();
    let error = soldier.lower().unwrap_err();
    assert_eq!(error.kind(), Kind::Usage);
    assert!(error.to_string().contains("no place called tag_tail"), "{error}");
    assert!(error.to_string().contains("tag_back, tag_head, tag_weapon"), "{error}");
    let error = soldier.add_part("tag_head/tag_mouth", chest()).unwrap_err();
    assert_eq!(error.to_string(), "nothing is attached to tag_head that could carry tag_mouth");
}

#[test]
fn the_option_is_read_as_it_is_written() {
    let found: Attach = "tag_head/tag_mouth=a/helmet.mdc#wave".parse().unwrap();
    assert_eq!((found.at.as_str(), found.sequence.as_deref()), ("tag_head/tag_mouth", Some("wave")));
    assert_eq!(found.path, std::path::Path::new("a/helmet.mdc"));
    assert_eq!("1=b.m2".parse::<Attach>().unwrap().sequence, None);
    for wrong in ["tag_head", "=a.mdc", "tag_head="] {
        assert_eq!(wrong.parse::<Attach>().unwrap_err().kind(), Kind::Usage, "{wrong}");
    }
}

#[test]
fn the_soldier_is_converted_within_his_family_and_to_gltf() {
    let soldier = Model::from(effigy_samples::mds::mds());
    let files = soldier.convert(&"mdm".parse().unwrap()).unwrap().into_files("tin").unwrap();
    let names: Vec<&str> = files.companions.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["tin.mdx"]);
    assert!(effigy::read(&files.main, Some("mdm")).unwrap().format() == effigy::Format::Mdm);
    assert!(effigy::read(&files.companions[0].1, Some("mdx")).unwrap().format() == effigy::Format::EtMdx);
    let glb = soldier.convert(&"glb".parse().unwrap()).unwrap().into_bytes().unwrap();
    assert!(glb.starts_with(b"glTF"));
}

#[test]
fn real_soldiers_open_whole() {
    let Some(folder) = effigy_testkit::soldiers() else { return };
    let open = |path: &str| effigy::open(folder.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    let counts = |model: &Model| {
        let own = model.parts().len();
        let nested: usize = model.parts().iter().map(|part| part.model.parts().len()).sum();
        let scene = model.lower().unwrap().scene;
        (own, nested, scene.sequences.len(), scene.meshes.len())
    };
    // A head with a helmet, and a backpack.
    let (own, nested, sequences, meshes) = counts(&open("rtcw-mp/models/players/multi"));
    assert_eq!((own, nested), (2, 1));
    assert!(sequences > 10 && meshes > 6, "{sequences} {meshes}");
    // His wolfanim.cfg lists seated, seated_2 and base_frame.
    let (own, nested, sequences, _) = counts(&open("rtcw-sp/models/players/murphy"));
    assert_eq!((own, nested, sequences), (1, 0, 3));
    let (own, nested, sequences, _) = counts(&open("et/characters/temperate/allied/soldier.char"));
    assert_eq!((own, nested), (2, 1));
    assert!(sequences > 10, "{sequences}");
}
