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
    soldier.parts_mut()[0].model.parts_mut().clear();
    assert_eq!(nodes(&soldier), expected - 2 * (nodes(&chest()) + 1));
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

/// A vertex of the hat, at the right of its brim, in the units of the creature.
const BRIM: [f32; 3] = [0.0, -24.0, 0.0];

fn times(point: [f32; 3], scale: f32) -> [f32; 3] {
    point.map(|number| number * scale)
}

/// All samples in one set of files.
fn samples() -> effigy::assets::Memory {
    let mut files = effigy::assets::Memory::new("samples");
    for sample in effigy_samples::all().into_iter().chain(effigy_samples::scripts()) {
        files.add(&sample.file_name, sample.bytes);
    }
    files
}

fn sample(name: &str) -> Model {
    effigy::open_in(samples(), name, &effigy::OpenOptions::default()).unwrap()
}

/// Where the vertex at the brim of a hat is, worn by a model at a time of a sequence.
fn brim_of(model: &Model, hat: &Model, scale: f32, sequence: &str, time: f64) -> [f32; 3] {
    let alone = hat.lower().unwrap().scene;
    let points = &alone.meshes.as_slice().last().unwrap().positions;
    let vertex = points.iter().position(|point| near(*point, times(BRIM, scale))).unwrap();
    let scene = effigy::scene::validate(model.lower().unwrap().scene).unwrap();
    let sampler = Sampler::new(&scene);
    let mut pose = sampler.pose();
    let played = effigy::scene::find_sequence(&scene.sequences, sequence);
    assert!(played.is_some(), "{sequence}");
    sampler.sample(&Moment { sequence: played, time, clock: 0.0 }, None, &mut pose);
    sampler.skin(&mut pose);
    // The meshes of the hat come last.
    pose.meshes().last().unwrap().positions[vertex]
}

/// Where the creature has that vertex when it wears the hat on its head, by the sample's own arithmetic.
fn expected_brim(sequence: &str, time: u32) -> [f32; 3] {
    let beetle = effigy_samples::creature::creature();
    let act = beetle.sequences.iter().find(|it| it.name == sequence).unwrap();
    let places = beetle.places(act, time);
    let node = beetle.nodes.iter().position(|node| node.name == "Head Ref").unwrap();
    let pivot = beetle.nodes[node].pivot;
    places[node].point([0, 1, 2].map(|axis| pivot[axis] + BRIM[axis]))
}

#[test]
fn the_creature_wears_a_hat_in_every_format() {
    // Model, hat, the place in some spelling, and the units of the format in those of the creature.
    let yards = 1.0 / 72.0;
    for (creature, hat, place, scale) in [
        ("mdx-800-creature.mdx", "mdx-800-hat.mdx", "head", 1.0),
        ("mdl-800-creature.mdl", "mdx-800-hat.mdx", "Head Ref", 1.0),
        ("mdx-wow-1300-creature.mdx", "mdx-wow-1300-hat.mdx", "HEAD-REF", 1.0),
        // The creature's third attachment has the number 20 in World of Warcraft.
        ("m2-256-creature.m2", "m2-256-hat.m2", "20", yards),
        ("m2-264-creature.m2", "m2-264-hat.m2", "20", yards),
        ("mdc-2-creature.mdc", "mdc-2-hat.mdc", "tag_head", 0.5),
        ("md3-15-creature.md3", "md3-15-hat.md3", "head", 0.5),
    ] {
        let (mut wearer, hat) = (sample(creature), sample(hat));
        wearer.add_part(place, hat.clone()).unwrap();
        let (sequence, act) = if scale == 0.5 { ("0", "Stand") } else { ("Walk", "Walk") };
        let found = brim_of(&wearer, &hat, scale, sequence, 0.0);
        let wanted = times(expected_brim(act, 0), scale);
        let off = found.iter().zip(wanted).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(off < 0.05 * scale, "{creature}: {found:?}, not {wanted:?}");
    }
}

#[test]
fn a_hat_follows_the_head_while_the_creature_walks() {
    let (mut creature, hat) = (sample("mdx-800-creature.mdx"), sample("mdx-800-hat.mdx"));
    creature.add_part("head", hat.clone()).unwrap();
    let mut heights = std::collections::BTreeSet::new();
    for (sequence, time) in [("Walk", 130), ("Walk", 410), ("Attack", 300), ("Death", 1100)] {
        let found = brim_of(&creature, &hat, 1.0, sequence, time.into());
        let wanted = expected_brim(sequence, time);
        let off = found.iter().zip(wanted).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(off < 0.2, "{sequence} at {time}: {found:?}, not {wanted:?}");
        heights.insert(format!("{:.1}", found[2]));
    }
    assert!(heights.len() > 2, "{heights:?}");
}

#[test]
fn the_creature_as_gltf_wears_a_hat() {
    let glb = sample("mdx-800-creature.mdx").convert(&"glb".parse().unwrap()).unwrap().into_bytes().unwrap();
    let (mut creature, hat) = (effigy::read(&glb, Some("glb")).unwrap(), sample("mdx-800-hat.mdx"));
    creature.add_part("Head Ref", hat.clone()).unwrap();
    let found = brim_of(&creature, &hat, 1.0, "Walk", 0.0);
    let wanted = expected_brim("Walk", 0);
    assert!(found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 0.05), "{found:?}, not {wanted:?}");
}

#[test]
fn the_tin_soldier_wears_a_hat_in_both_games() {
    let hat = sample("mdc-2-hat.mdc");
    for name in ["soldier.mds", "soldier.mdm"] {
        let mut soldier = sample(name);
        soldier.add_part("tag_head", hat.clone()).unwrap();
        // Sequence, its time of a frame, and the frame.
        for (sequence, step, number, frame) in
            [("walk", 50.0, 3.0, 11), ("shoot", 66.0, 2.0, 22), ("death", 66.0, 9.0, 35)]
        {
            let found = brim_of(&soldier, &hat, 0.5, sequence, step * number);
            let (axes, origin) = effigy_samples::mds::tag_place(frame, "tag_head").unwrap();
            let [x, y, z] = times(BRIM, 0.5);
            let wanted = [0, 1, 2]
                .map(|axis| origin[axis] + x * axes[0][axis] + y * axes[1][axis] + z * axes[2][axis]);
            assert!(near(found, wanted), "{name}, {sequence}: {found:?}, not {wanted:?}");
        }
    }
}

#[test]
fn a_hat_on_a_hat_is_at_its_top() {
    let (mut creature, upper) = (sample("mdx-800-creature.mdx"), sample("mdx-800-hat.mdx"));
    creature.add_part("head", sample("mdx-wow-1300-hat.mdx")).unwrap();
    creature.add_part("head/overhead", upper.clone()).unwrap();
    let found = brim_of(&creature, &upper, 1.0, "Walk", 0.0);
    let lower = expected_brim("Walk", 0);
    let height = [0, 1, 2].map(|axis| found[axis] - lower[axis]);
    // The hat is 30 high, and the head leans a little.
    let length = height.iter().map(|number| number * number).sum::<f32>().sqrt();
    assert!((length - 30.0).abs() < 0.1, "{height:?}");
}

#[test]
fn every_item_of_world_of_warcraft_has_its_own_look() {
    let folder = tempfile::tempdir().unwrap();
    // The games choose the texture of an item; without their tables it is the one of the nearest name.
    let version = effigy_samples::m2::versions().last().unwrap();
    for name in ["Sword_A_01", "Axe_B_02"] {
        let mut item = effigy_samples::m2::hat(version);
        item.textures[0].kind = 2;
        item.textures[0].name = Default::default();
        for sample in effigy_samples::m2::files(name, &item) {
            std::fs::write(folder.path().join(&sample.file_name), sample.bytes).unwrap();
        }
        std::fs::write(folder.path().join(format!("{name}.blp")), "x").unwrap();
    }
    let open = |name: &str| effigy::open(folder.path().join(name)).unwrap();
    let mut creature = sample("m2-264-creature.m2");
    creature.add_part("20", open("Sword_A_01.m2")).unwrap();
    creature.add_part("22", open("Axe_B_02.m2")).unwrap();
    let scene = creature.lower().unwrap().scene;
    let paths: Vec<&str> = scene.textures.iter().map(|(_, it)| it.path.as_str()).collect();
    let items = paths.get(paths.len() - 2..).unwrap();
    assert_eq!(items, ["Sword_A_01.blp", "Axe_B_02.blp"], "{paths:?}");
}

#[test]
fn a_player_is_scaled_about_his_soles() {
    let files = samples().with("soldier_default.skin", b"playerscale,1.5\n".to_vec());
    let tall = effigy::open_in(files, "soldier.mds", &effigy::OpenOptions::default()).unwrap();
    let point = |model: &Model| {
        let scene = effigy::scene::validate(model.lower().unwrap().scene).unwrap();
        let sampler = Sampler::new(&scene);
        let mut pose = sampler.pose();
        sampler.sample(&Moment { sequence: scene.sequences.id(0), time: 0.0, clock: 0.0 }, None, &mut pose);
        sampler.skin(&mut pose);
        pose.meshes()[0].positions[0]
    };
    let [x, y, z] = point(&sample("soldier.mds"));
    // 24 below the origin is the ground: -24 stays -24.
    assert!(near(point(&tall), [1.5 * x, 1.5 * y, 1.5 * z + 12.0]), "{:?}", point(&tall));
}

#[test]
fn levels_of_detail_and_sines_are_chosen_when_a_body_is_opened() {
    let open = |options: effigy::OpenOptions| {
        effigy::open_in(samples(), "soldier.mds", &options).unwrap().lower().unwrap().scene
    };
    let triangles = |scene: &effigy::scene::Scene| -> usize {
        scene.meshes.as_slice().iter().map(|mesh| mesh.indices.len() / 3).sum()
    };
    let whole = open(effigy::OpenOptions::default());
    let half = open(effigy::OpenOptions { detail: Some(0.5), ..Default::default() });
    // Seven boxes of twelve triangles. Every other vertex collapses to the one before it.
    assert_eq!(triangles(&whole), 84);
    assert!(triangles(&half) < 60, "{}", triangles(&half));
    let sines = open(effigy::OpenOptions { et_sines: true, ..Default::default() });
    let moved = |scene: &effigy::scene::Scene| {
        let tracks = scene.nodes.as_slice().iter().filter_map(|node| node.translation.track.as_ref());
        tracks.flat_map(|track| track.values.iter().flatten().copied()).collect::<Vec<f32>>()
    };
    let (exact, table) = (moved(&whole), moved(&sines));
    assert_ne!(exact, table);
    let off = exact.iter().zip(&table).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    assert!(off < 0.5, "{off}");
}

#[test]
fn the_lists_next_to_a_model_name_its_frames() {
    let list = "VERSION 2\nSTARTANIMS\nLEGS_WALK 0 12 12 10 0\nwave 12 12 0 10 0\nlate 20 12 0 10 0\nbad x 1 2 3\nENDANIMS\n";
    let files = samples().with("animation.cfg", list.as_bytes().to_vec());
    for name in ["chest.md3", "chest.mdc"] {
        let chest = effigy::open_in(files.clone(), name, &effigy::OpenOptions::default()).unwrap();
        let scene = chest.lower().unwrap().scene;
        let names: Vec<&str> = scene.sequences.iter().map(|(_, it)| it.name.as_str()).collect();
        // The chest has 24 frames: a row beyond them is left out.
        assert_eq!(names, ["legs_walk", "wave"], "{name}");
        assert_eq!(effigy::scene::find_sequence(&scene.sequences, "walk").unwrap().index(), 0);
        let summary = chest.summary();
        assert_eq!(summary.files, ["animation.cfg"]);
        assert_eq!(summary.problems, ["animation.cfg: 6:5: a non-negative integer expected, found \"x\""]);
    }
    let soldier = sample("soldier.mds");
    assert_eq!(soldier.summary().files, ["soldier_default.skin", "wolfanim.cfg"]);
}

#[cfg(feature = "config")]
#[test]
fn a_toml_file_opens_as_an_assembly_and_not_as_a_part_of_itself() {
    let folder = tempfile::tempdir().unwrap();
    for sample in effigy_samples::all() {
        if ["soldier.mds", "mdc-2-hat.mdc", "md3-15-hat.md3"].contains(&sample.file_name.as_str()) {
            std::fs::write(folder.path().join(&sample.file_name), sample.bytes).unwrap();
        }
    }
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let open = |name: &str| effigy::open(folder.path().join(name));
    let line = "attach = [\"tag_head=mdc-2-hat.mdc\", \"tag_head/overhead=md3-15-hat.md3\"]";
    write("effigy.toml", &format!("[check]\n[assembly]\nmodel = \"soldier.mds\"\n{line}\n"));
    let soldier = open("effigy.toml").unwrap();
    assert_eq!(soldier.format(), effigy::Format::Mds);
    assert_eq!((soldier.parts().len(), soldier.parts()[0].model.parts().len()), (1, 1));
    write("pair.toml", "[assembly]\nmodel = \"effigy.toml\"\nattach = [\"tag_weapon=mdc-2-hat.mdc\"]\n");
    assert_eq!(open("pair.toml").unwrap().parts().len(), 2);
    write("a.toml", "[assembly]\nmodel = \"soldier.mds\"\nattach = [\"tag_head=b.toml\"]\n");
    write("b.toml", "[assembly]\nmodel = \"mdc-2-hat.mdc\"\nattach = [\"overhead=a.toml\"]\n");
    let error = open("a.toml").unwrap_err();
    assert!(error.to_string().ends_with("a.toml is a part of itself"), "{error}");
    write("self.toml", "[assembly]\nmodel = \"soldier.mds\"\nattach = [\"tag_head=soldier.mds\"]\n");
    assert!(open("self.toml").unwrap_err().to_string().ends_with("cannot be attached to itself"));
    write("none.toml", "[check]\n");
    assert!(open("none.toml").unwrap_err().to_string().ends_with("has no table [assembly]"));
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

/// A table of World of Warcraft, whose cells are numbers or texts.
fn table(rows: &[Vec<Result<u32, &str>>]) -> Vec<u8> {
    let (mut cells, mut texts) = (Vec::new(), vec![0_u8]);
    for cell in rows.iter().flatten() {
        let number = match cell {
            Ok(number) => *number,
            Err(text) => {
                let at = u32::try_from(texts.len()).unwrap();
                texts.extend(text.bytes().chain([0]));
                at
            }
        };
        cells.extend(number.to_le_bytes());
    }
    let [rows, fields, texts_length] =
        [rows.len(), rows[0].len(), texts.len()].map(|count| u32::try_from(count).unwrap());
    let head = [rows, fields, fields * 4, texts_length].map(u32::to_le_bytes);
    [b"WDBC".as_slice(), head.as_flattened(), &cells, &texts].concat()
}

#[test]
fn hair_is_hidden_below_a_helmet() {
    // A character whose second part is a hair style, with the tables that know it: a male tauren, the sixth race.
    let mut body = effigy_samples::m2::everything(effigy::m2::Version::new(256).unwrap());
    for view in body.views.iter_mut() {
        for (submesh, id) in view.submeshes.iter_mut().zip([0, 4]) {
            submesh.id = id;
        }
    }
    let section = [1, 6, 0, 0, 0, 0].map(Ok).into_iter();
    let section: Vec<_> = section.chain([Err("TaurenMaleSkin00_00.blp"), Err(""), Err(""), Ok(1)]).collect();
    let mut helmet = vec![Ok(0); 23];
    (helmet[1], helmet[12]) = (Err("Helm_A_01.mdx"), Ok(3));
    let hidden = [3, 1 << 6, 0, 0, 0, 0].map(Ok).to_vec();
    let hat = effigy_samples::m2::hat(effigy::m2::Version::new(256).unwrap());
    let files = || {
        effigy::assets::Memory::new("game")
            .with("TaurenMale.m2", body.write().unwrap())
            .with("Helm_A_01_TaM.m2", hat.write().unwrap())
            .with("DBFilesClient/CharSections.dbc", table(std::slice::from_ref(&section)))
            .with("DBFilesClient/ItemDisplayInfo.dbc", table(std::slice::from_ref(&helmet)))
            .with("DBFilesClient/HelmetGeosetVisData.dbc", table(std::slice::from_ref(&hidden)))
    };
    let open = |name: &str| effigy::open_in(files(), name, &effigy::OpenOptions::default()).unwrap();
    let shown = |at: Option<&str>| {
        let mut model = open("TaurenMale.m2");
        if let Some(at) = at {
            model.add_part(at, open("Helm_A_01_TaM.m2")).unwrap();
        }
        let scene = model.lower().unwrap().scene;
        let hair = scene.meshes.as_slice().iter().filter(|mesh| mesh.part == 4);
        hair.map(|mesh| mesh.shown).collect::<std::collections::BTreeSet<bool>>()
    };
    assert_eq!(shown(None), [true].into());
    assert_eq!(shown(Some("helm")), [false].into());
    // In another place it is not worn.
    assert_eq!(shown(Some("19")), [true].into());
}
