//! Each operation changes what it names, and nothing else: the fields that differ are listed.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

use effigy_edit::{Operation, mdx};
use effigy_mdx::track::tags;
use effigy_mdx::{
    Bone, Camera, Dialect, Extent, Geoset, GeosetAnimation, Helper, Interpolation, Key, Layer, Material,
    Model, Node, ParticleEmitter2, PopcornEmitter, Sequence, Texture, Track, Tracks,
};
use effigy_wire::{FixedStr, Flat};

fn name<const N: usize>(text: &str) -> FixedStr<N> {
    FixedStr::new(text).unwrap()
}

fn node(name_of: &str, object_id: i32, parent: i32) -> Node {
    Node { name: name(name_of), object_id, parent, ..Node::default() }
}

fn moves(times: &[i32]) -> Tracks {
    let keys: Vec<Key<[f32; 3]>> =
        times.iter().map(|time| Key::new(*time, [*time as f32, 0.0, 0.0])).collect();
    Tracks(vec![Track::new(tags::KGTR, Interpolation::LINEAR, &keys).unwrap()])
}

/// Stand (100 to 200), Walk (200 to 400), Death (500 to 700); a root bone, an arm, an unused helper, an emitter, two
/// geosets, three textures of which the first is unused, two materials of which the first is unused.
fn model() -> Model {
    let mut model = Model::new(Dialect::Warcraft3, 1000, "Test");
    let sequence = |text: &str, interval| Sequence {
        name: name(text),
        interval,
        move_speed: 10.0,
        ..Sequence::default()
    };
    model.sequences =
        vec![sequence("Stand", [100, 200]), sequence("Walk", [200, 400]), sequence("Death", [500, 700])];
    let mut root = node("Root", 0, -1);
    root.tracks = moves(&[100, 150, 200, 300, 400, 500, 600, 700]);
    model.bones = vec![
        Bone { node: root, geoset: 0, geoset_animation: 0 },
        Bone { node: node("Arm", 1, 0), geoset: 1, geoset_animation: 1 },
    ];
    model.helpers = vec![Helper { node: node("Idle", 2, 0) }];
    model.particle_emitters_2 = vec![ParticleEmitter2 {
        node: node("Dust", 3, 1),
        texture: 2,
        speed: 5.0,
        ..ParticleEmitter2::default()
    }];
    model.popcorn_emitters = vec![PopcornEmitter {
        node: node("Glow", 4, 0),
        visibility_guide: name("Always=on, Death=off"),
        ..PopcornEmitter::default()
    }];
    model.pivots = (0..5).map(|id| [id as f32, 0.0, 0.0]).collect();
    let texture = |path: &str| Texture { path: name(path), ..Texture::default() };
    model.textures =
        vec![texture(r"Textures\Old.blp"), texture(r"Textures\Skin.blp"), texture(r"Other\Dust.blp")];
    let layer = |texture| Layer { texture, ..Layer::default() };
    model.materials = vec![
        Material { layers: vec![layer(1)], ..Material::default() },
        Material { layers: vec![layer(1)], ..Material::default() },
    ];
    let geoset = |group: u32| Geoset {
        vertices: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        normals: vec![[1.0, 0.0, 0.0]; 3],
        primitive_types: vec![4],
        primitive_counts: vec![3],
        indices: vec![0, 1, 2],
        vertex_groups: vec![0; 3],
        group_sizes: vec![1],
        group_nodes: vec![group],
        material: 1,
        sequence_extents: [1.0, 2.0, 3.0].map(|radius| Extent { radius, ..Extent::default() }).to_vec(),
        uv_sets: vec![vec![[0.0; 2]; 3]],
        ..Geoset::default()
    };
    model.geosets = vec![geoset(0), geoset(1)];
    model.geoset_animations =
        [0, 1].map(|geoset| GeosetAnimation { geoset, ..GeosetAnimation::default() }).to_vec();
    model.cameras = vec![Camera { name: name("Portrait"), ..Camera::default() }];
    effigy_mdx::read(&model.write().unwrap()).unwrap()
}

/// What differs after the operations, as `path: before -> after`.
fn changes(operations: &[(&str, &str)]) -> (Model, Vec<String>) {
    let before = model();
    let mut after = before.clone();
    for (verb, argument) in operations {
        mdx::apply(&mut after, &Operation::parse(verb, argument).unwrap()).unwrap();
    }
    // The file that is written has the same fields.
    let again = effigy_mdx::read(&after.write().unwrap()).unwrap();
    assert_eq!(leaves(&again), leaves(&after));
    let (old, new) = (leaves(&before), leaves(&after));
    let value = |list: &[(String, String)], path: &str| {
        list.iter().find(|(one, _)| one == path).map(|(_, it)| it.clone())
    };
    let mut paths: Vec<&String> = old.iter().chain(&new).map(|(path, _)| path).collect();
    paths.dedup();
    let mut found = Vec::new();
    for path in paths {
        let (a, b) = (value(&old, path), value(&new, path));
        if a != b {
            let line = format!("{path}: {} -> {}", a.unwrap_or_default(), b.unwrap_or_default());
            if !found.contains(&line) {
                found.push(line);
            }
        }
    }
    (after, found)
}

fn leaves(model: &Model) -> Vec<(String, String)> {
    let mut flat = Flat::default();
    model.visit(&mut flat);
    flat.leaves
}

#[test]
fn without_operations_nothing_changes() {
    assert_eq!(changes(&[]).1, Vec::<String>::new());
}

#[test]
fn set_changes_one_field() {
    assert_eq!(changes(&[("set", "SEQS[1].rarity=2.5")]).1, ["SEQS[1].rarity: 0 -> 2.5"]);
    assert_eq!(changes(&[("set", "MODL.name=Knight")]).1, ["MODL.name: \"Test\" -> \"Knight\""]);
    assert_eq!(
        changes(&[("set", "MTLS[*].layers[0].filter_mode=Additive")]).1,
        ["MTLS[0].layers[0].filter_mode: 0 -> 3", "MTLS[1].layers[0].filter_mode: 0 -> 3"]
    );
    assert_eq!(
        changes(&[("set", "MTLS[1].layers[0].flags=two_sided|unshaded")]).1,
        ["MTLS[1].layers[0].flags: 0x0 -> 0x11"]
    );
    assert_eq!(
        changes(&[("set", "GEOS[0].vertices[1][2]=-7")]).1,
        [
            "GEOS[0].vertices: [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0] -> [0.0, 0.0, 0.0, 1.0, 0.0, -7.0, 0.0, 1.0, 0.0]"
        ]
    );
    assert_eq!(changes(&[("set", "SEQS[0].interval=1,2")]).1, ["SEQS[0].interval: [100, 200] -> [1, 2]"]);
    assert_eq!(
        changes(&[("set", "BONE[0].node.tracks.KGTR.interpolation=DontInterp")]).1,
        ["BONE[0].node.tracks.KGTR.interpolation: 1 -> 0"]
    );
}

#[test]
fn set_refuses_what_is_not_there_or_does_not_fit() {
    for (path, part) in [
        ("SEQS[9].rarity=1", "no field SEQS[9].rarity"),
        ("SEQS[0].speed=1", "no field"),
        ("SEQS[0]=1", "record"),
        ("SEQS[0].rarity=much", "number"),
        ("SEQS[0].interval=1,2,3", "2 numbers"),
        ("SEQS[0].interval[2]=1", "no field"),
        ("MODL.blend_time=-1", "whole number"),
        ("MTLS[0].layers[0].filter_mode=Glow", "Additive"),
    ] {
        let mut model = model();
        let error = mdx::apply(&mut model, &Operation::parse("set", path).unwrap()).unwrap_err();
        let text = format!("{error} {}", error.hint_text().unwrap_or_default());
        assert!(text.contains(part), "{path}: {text}");
        assert_eq!(leaves(&model), leaves(&self::model()), "{path}");
    }
}

#[test]
fn a_renamed_sequence_is_renamed_in_guides() {
    assert_eq!(
        changes(&[("rename-sequence", "death=Decay")]).1,
        [
            "SEQS[2].name: \"Death\" -> \"Decay\"",
            "CORN[0].visibility_guide: \"Always=on, Death=off\" -> \"Always=on, Decay=off\"",
        ]
    );
    assert_eq!(changes(&[("rename-sequence", "Swim=Fly")]).1, Vec::<String>::new());
}

#[test]
fn a_node_is_renamed() {
    assert_eq!(changes(&[("rename-node", "Arm=Hand")]).1, ["BONE[1].node.name: \"Arm\" -> \"Hand\""]);
}

#[test]
fn texture_paths_follow_an_expression() {
    assert_eq!(
        changes(&[("texture-path", r"^Textures\\(S.*)=war3mapImported\$1")]).1,
        [r#"TEXS[1].path: "Textures\\Skin.blp" -> "war3mapImported\\Skin.blp""#]
    );
}

#[test]
fn a_removed_sequence_takes_its_keys_and_bounds_but_not_a_neighbours_border() {
    let (model, changes) = changes(&[("remove", "sequence:Walk")]);
    let times: Vec<i32> = model.bones[0].node.tracks.get(tags::KGTR).unwrap().times().collect();
    assert_eq!(times, [100, 150, 200, 500, 600, 700], "200 is also the end of Stand");
    let radii: Vec<f32> = model.geosets[0].sequence_extents.iter().map(|extent| extent.radius).collect();
    assert_eq!(radii, [1.0, 3.0]);
    let names: Vec<String> = model.sequences.iter().map(|one| one.name.text().into_owned()).collect();
    assert_eq!(names, ["Stand", "Death"]);
    let touched = |line: &String| {
        ["SEQS[", "GEOS[0].sequence_extents", "GEOS[1].sequence_extents", "BONE[0].node.tracks.KGTR"]
            .iter()
            .any(|start| line.starts_with(start))
    };
    assert!(changes.iter().all(touched), "{changes:?}");
}

#[test]
fn the_guide_forgets_a_sequence_that_is_gone() {
    let (model, _) = changes(&[("keep-sequences", "Stand,W*")]);
    assert_eq!(model.popcorn_emitters[0].visibility_guide, "Always=on");
    assert_eq!(model.sequences.len(), 2);
}

#[test]
fn a_removed_geoset_takes_its_animation_and_references_follow() {
    let (model, _) = changes(&[("remove", "geoset:0")]);
    assert_eq!((model.geosets.len(), model.geoset_animations.len()), (1, 1));
    assert_eq!(model.geoset_animations[0].geoset, 0);
    let bones: Vec<(i32, i32)> =
        model.bones.iter().map(|bone| (bone.geoset, bone.geoset_animation)).collect();
    assert_eq!(bones, [(-1, -1), (0, 0)]);
    assert_eq!(model.geosets[0].group_nodes, [1]);
}

#[test]
fn a_removed_node_leaves_its_children_and_vertices_to_its_parent() {
    let (model, _) = changes(&[("remove", "node:Arm")]);
    assert_eq!(model.bones.len(), 1);
    assert_eq!(model.geosets[1].group_nodes, [0]);
    let dust = &model.particle_emitters_2[0].node;
    assert_eq!((dust.object_id, dust.parent), (2, 0));
    assert_eq!(model.pivots, [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [3.0, 0.0, 0.0], [4.0, 0.0, 0.0]]);
    let mut model = self::model();
    assert!(mdx::apply(&mut model, &Operation::parse("remove", "node:Root").unwrap()).is_err());
}

#[test]
fn emitters_and_cameras_are_removed_by_name() {
    let (model, _) = changes(&[("remove", "emitter:*"), ("remove", "camera:portrait")]);
    assert!(
        model.particle_emitters_2.is_empty() && model.popcorn_emitters.is_empty() && model.cameras.is_empty()
    );
    assert_eq!((model.bones.len(), model.helpers.len(), model.pivots.len()), (2, 1, 3));
}

#[test]
fn what_nothing_uses_is_removed() {
    let (model, _) = changes(&[("remove", "unused")]);
    let paths: Vec<String> = model.textures.iter().map(|texture| texture.path.text().into_owned()).collect();
    assert_eq!(paths, [r"Textures\Skin.blp", r"Other\Dust.blp"]);
    assert_eq!(
        (model.materials.len(), model.geosets[0].material, model.materials[0].layers[0].texture),
        (1, 0, 0)
    );
    assert_eq!(model.particle_emitters_2[0].texture, 1);
    assert!(model.helpers.is_empty());
    assert_eq!(
        (model.particle_emitters_2[0].node.object_id, model.popcorn_emitters[0].node.object_id),
        (2, 3)
    );
}

#[test]
fn a_faster_sequence_is_shorter_and_later_ones_come_earlier() {
    let (model, _) = changes(&[("sequence-speed", "Walk=2")]);
    let intervals: Vec<[u32; 2]> = model.sequences.iter().map(|one| one.interval).collect();
    assert_eq!(intervals, [[100, 200], [200, 300], [400, 600]]);
    let times: Vec<i32> = model.bones[0].node.tracks.get(tags::KGTR).unwrap().times().collect();
    assert_eq!(times, [100, 150, 200, 250, 300, 400, 500, 600]);
    assert_eq!([model.sequences[0].move_speed, model.sequences[1].move_speed], [10.0, 20.0]);
}

#[test]
fn normals_come_from_triangles() {
    let (model, changes) = changes(&[("recompute", "normals")]);
    assert_eq!(model.geosets[0].normals, [[0.0, 0.0, 1.0]; 3]);
    assert_eq!(changes.len(), 2, "{changes:?}");
}

#[test]
fn extents_come_from_posed_vertices() {
    let (model, _) = changes(&[("recompute", "extents")]);
    // The root moves from x = 100 to 200 in Stand, and both geosets follow it.
    let extent = &model.sequences[0].extent;
    assert_eq!((extent.min, extent.max), ([100.0, 0.0, 0.0], [201.0, 1.0, 0.0]));
    assert_eq!(model.geosets[0].extent.max, [1.0, 1.0, 0.0]);
}

#[test]
fn scale_changes_every_length_and_nothing_else() {
    let (model, changes) = changes(&[("scale", "2")]);
    assert_eq!(model.pivots[2], [4.0, 0.0, 0.0]);
    assert_eq!((model.sequences[0].move_speed, model.particle_emitters_2[0].speed), (20.0, 10.0));
    let allowed = [
        "SEQS[0].move_speed",
        "SEQS[1].move_speed",
        "SEQS[2].move_speed",
        "GEOS[0].vertices",
        "GEOS[1].vertices",
        "GEOS[0].sequence_extents",
        "GEOS[1].sequence_extents",
        "BONE[0].node.tracks.KGTR.values",
        "PIVT",
        "PRE2[0].speed",
    ];
    for line in &changes {
        assert!(allowed.iter().any(|start| line.starts_with(start)), "{line}");
    }
}
