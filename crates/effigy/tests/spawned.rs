//! Models that others spawn: by emitters, by events, at attachments.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![cfg(feature = "render")]

use effigy::assets::Memory;
use effigy::pictures::Time;
use effigy::{OpenOptions, Picture, Pictures, Renderer};

/// Whether there is a graphics driver; without one the tests are skipped, and fail where one is required.
fn can_draw() -> bool {
    let opened = Renderer::shared();
    effigy_testkit::require("gpu", opened.is_ok(), "no graphics driver")
}

const HEAD: &str = r#"Version { FormatVersion 800, }
Model "Made" { BlendTime 150, MinimumExtent { 0, 0, 0 }, MaximumExtent { 0, 0, 0 }, }
Sequences 1 { Anim "Stand" { Interval { 1000, 2000 }, } }
"#;

/// A square of 20 units around (0, 0, 10) that faces +X.
const SQUARE: &str = r#"Materials 1 { Material { Layer { FilterMode None, TwoSided, Unshaded, static TextureID 0, } } }
Textures 1 { Bitmap { Image "", ReplaceableId 1, } }
Geoset {
  Vertices 4 { { 0, -10, 0 }, { 0, 10, 0 }, { 0, 10, 20 }, { 0, -10, 20 }, }
  Normals 4 { { 1, 0, 0 }, { 1, 0, 0 }, { 1, 0, 0 }, { 1, 0, 0 }, }
  TVertices 4 { { 0, 1 }, { 1, 1 }, { 1, 0 }, { 0, 0 }, }
  VertexGroup { 0, 0, 0, 0, }
  Faces 1 6 { Triangles { { 0, 1, 2, 0, 2, 3 }, } }
  Groups 1 1 { Matrices { 0 }, }
  MaterialID 0, SelectionGroup 0,
}
"#;

/// Draws `parent.mdl`, which consists of these records, with these files next to it.
fn drawn(records: &str, files: &[(&str, String)], picture: &Picture) -> Pictures {
    let mut all = Memory::new("made").with("parent.mdl", format!("{HEAD}{records}").into_bytes());
    for (name, text) in files {
        all.add(name, text.clone().into_bytes());
    }
    let model = effigy::open_in(all, "parent.mdl", &OpenOptions::default()).unwrap();
    model.render(picture).unwrap()
}

fn usual() -> Picture {
    Picture { size: [64, 64], shadow: false, ..Picture::default() }
}

fn square(more: &str) -> String {
    let bone = r#"Bone "Bone" { ObjectId 0, GeosetId Multiple, GeosetAnimId None, }"#;
    format!("{HEAD}{SQUARE}{bone}\n{more}")
}

fn emitter(id: u32, path: &str) -> String {
    format!(
        r#"ParticleEmitter "Emitter" {{ ObjectId {id}, EmitterUsesMDL, static EmissionRate 2, static Gravity 0,
  static Longitude 0, static Latitude 0, static Visibility 1,
  Particle {{ static LifeSpan 1, static InitVelocity 100, Path "{path}", }} }}
"#
    )
}

#[test]
fn an_emitter_shows_the_models_that_it_emits() {
    if !can_draw() {
        return;
    }
    let parent = emitter(0, "Child.mdl") + "PivotPoints 1 { { 0, 0, 0 }, }";
    let alone = drawn(&parent, &[], &usual());
    assert!(alone.empty);
    assert!(alone.report.to_string().contains("Child.mdl"), "{}", alone.report);
    let child = square("PivotPoints 1 { { 0, 0, 0 }, }");
    let with_child = drawn(&parent, &[("Child.mdl", child)], &usual());
    assert!(!with_child.empty);
    // Two copies a second that live for a second: one of them is half way up, 50 units above the other.
    let picture = &with_child.pictures[0];
    let red = |y: &u32| (0..64).any(|x| matches!(picture.pixel(x, *y), [200..=255, 0..=40, 0..=40, _]));
    let rows: Vec<u32> = (0..64).filter(red).collect();
    let parts = 1 + rows.windows(2).filter(|pair| pair[1] > pair[0] + 1).count();
    assert_eq!(parts, 2, "{rows:?}");
}

#[test]
fn a_model_that_spawns_itself_is_drawn_once_more() {
    if !can_draw() {
        return;
    }
    let own = square(&(emitter(1, "Child.mdl") + "PivotPoints 2 { { 0, 0, 0 }, { 0, 0, 0 }, }"));
    let parent = emitter(0, "Child.mdl") + "PivotPoints 1 { { 0, 0, 0 }, }";
    assert!(!drawn(&parent, &[("child.mdx", own.clone()), ("Child.mdl", own)], &usual()).empty);
}

#[test]
fn an_event_spawns_its_model_when_it_happens() {
    if !can_draw() {
        return;
    }
    let parent = r#"EventObject "SPNxTEST" { ObjectId 0, EventTrack 1 { 1500, } }
PivotPoints 1 { { 0, 0, 0 }, }"#;
    let table = "C;X1;Y1;K\"code\"\nC;X2;K\"Model\"\nC;X1;Y2;K\"TEST\"\nC;X2;K\"Effects\\Child.mdl\"\nE\n";
    let files = [
        ("Splats/SpawnData.slk", table.to_owned()),
        ("Effects/Child.mdl", square("PivotPoints 1 { { 0, 0, 0 }, }")),
    ];
    for (seconds, expected) in [(0.2, true), (0.49, true), (0.52, false), (0.9, false)] {
        let picture = Picture { time: Some(Time::Seconds(seconds)), ..usual() };
        assert_eq!(drawn(parent, &files, &picture).empty, expected, "{seconds}");
    }
    let missing = drawn(parent, &[], &usual());
    assert!(missing.empty && missing.report.to_string().contains("SpawnData"), "{}", missing.report);
}

/// The glTF document of `parent.mdl`, with `Child.mdl` next to it.
fn exported(records: &str, attached_models: bool) -> serde_json::Value {
    let child = square("PivotPoints 1 { { 0, 0, 0 }, }");
    let all = Memory::new("made")
        .with("parent.mdl", format!("{HEAD}{records}").into_bytes())
        .with("Child.mdl", child.into_bytes());
    let model = effigy::open_in(all, "parent.mdl", &OpenOptions::default()).unwrap();
    let options = effigy::ConvertOptions { attached_models, ..effigy::ConvertOptions::default() };
    let files = model.convert_with(&"gltf".parse().unwrap(), &options).unwrap().into_files("x").unwrap();
    serde_json::from_slice(&files.main).unwrap()
}

#[test]
fn gltf_has_the_models_of_attachments_where_it_is_asked_for() {
    let parent = r#"Attachment "Overhead Ref" { ObjectId 0, AttachmentID 0, Path "Child.mdl", }
PivotPoints 1 { { 0, 0, 50 }, }"#;
    assert!(exported(parent, false)["meshes"].is_null());
    let document = exported(parent, true);
    assert_eq!(document["meshes"].as_array().unwrap().len(), 1);
    let nodes = document["nodes"].as_array().unwrap();
    let children = |name: &str| {
        let node = nodes.iter().find(|it| it["name"] == name).unwrap_or_else(|| panic!("{name}"));
        node["children"].as_array().unwrap().iter().map(|it| it.as_u64().unwrap()).collect::<Vec<_>>()
    };
    let carried = children("Overhead Ref");
    let at = |number: u64| &nodes[usize::try_from(number).unwrap()];
    assert!(carried.iter().any(|it| at(*it)["name"] == "spawned"), "{nodes:?}");
    assert!(children("spawned").iter().any(|it| at(*it)["name"] == "Bone"), "{nodes:?}");
}

#[test]
fn the_scene_of_pictures_has_the_models_of_attachments() {
    let parent = r#"Attachment "Overhead Ref" { ObjectId 0, AttachmentID 0, Path "Child.mdl", }
PivotPoints 1 { { 0, 0, 50 }, }"#;
    let all = Memory::new("made")
        .with("parent.mdl", format!("{HEAD}{parent}").into_bytes())
        .with("Child.mdl", square("PivotPoints 1 { { 0, 0, 0 }, }").into_bytes());
    let model = effigy::open_in(all, "parent.mdl", &OpenOptions::default()).unwrap();
    assert_eq!(model.lower().unwrap().scene.meshes.len(), 0);
    assert_eq!(model.lower_shown().unwrap().scene.meshes.len(), 1);
}

#[test]
fn an_attachment_shows_its_model() {
    if !can_draw() {
        return;
    }
    let parent = r#"Attachment "Origin Ref" { ObjectId 0, AttachmentID 0, Path "Child.mdl", }
PivotPoints 1 { { 0, 0, 0 }, }"#;
    assert!(drawn(parent, &[], &usual()).empty);
    let child = square("PivotPoints 1 { { 0, 0, 0 }, }");
    assert!(!drawn(parent, &[("Child.mdl", child)], &usual()).empty);
}
