//! What a file says about itself, without being turned into a scene. All numbers are in the files written here.

use effigy_gltf::Model;
use effigy_wire::Flat;
use serde_json::{Value, json};

fn model(mut document: Value) -> Model {
    document["asset"] = json!({"version": "2.0", "generator": "by hand"});
    Model::read(document.to_string().as_bytes()).unwrap()
}

/// A document whose accessors have no bytes: counting needs none.
fn counted() -> Value {
    let accessor = |count: usize, kind: &str| json!({"componentType": 5126, "count": count, "type": kind});
    json!({
        "scene": 1,
        "scenes": [{"name": "First", "nodes": [0]}, {"name": "Shown", "nodes": [0]}],
        "nodes": [
            {"name": "A", "children": [1, 2]}, {"name": "B", "mesh": 0, "skin": 0}, {"name": ""}, {"name": "A"},
            {"name": "E"}
        ],
        "skins": [{"joints": [2, 3]}, {"joints": [3]}],
        "accessors": [accessor(30, "VEC3"), accessor(12, "SCALAR"), accessor(8, "VEC3")],
        "meshes": [
            {"name": "Body", "primitives": [
                {"attributes": {"POSITION": 0, "JOINTS_0": 0, "JOINTS_1": 0, "WEIGHTS_0": 0}, "indices": 1},
                {"attributes": {"POSITION": 2}, "mode": 5, "targets": [{"POSITION": 2}, {"POSITION": 2}]},
                {"attributes": {"POSITION": 2}, "mode": 6},
                {"attributes": {"POSITION": 0}, "mode": 1}
            ]},
            {"name": "Hat", "primitives": [{"attributes": {"POSITION": 0}, "targets": [{"POSITION": 0}]}]}
        ],
        "materials": [{}, {}, {}, {}],
        "cameras": [{"type": "perspective", "perspective": {"yfov": 1.0, "znear": 0.1}}],
        "extensionsUsed": ["KHR_lights_punctual", "KHR_materials_variants"],
        "extensions": {
            "KHR_lights_punctual": {"lights": [{"type": "point"}, {"type": "spot", "spot": {}}]},
            "KHR_materials_variants": {"variants": [{"name": "a"}, {"name": "b"}, {"name": "c"}, {"name": "d"}, {"name": "e"}]}
        }
    })
}

#[test]
fn things_are_counted() {
    let model = model(counted());
    assert_eq!(
        model.counts(),
        [
            ("material", 4),
            ("morph target", 3),
            ("camera", 1),
            ("light", 2),
            ("scene", 2),
            ("material variant", 5)
        ]
    );
    assert_eq!(model.node_names(), ["A", "B", "", "A", "E"]);
    assert_eq!(model.node_counts(), [2, 3]);
    assert_eq!((model.name(), model.generator()), ("Shown", Some("by hand")));
    // Twelve indices are four triangles; a strip and a fan of eight are six each; lines are none.
    let meshes: Vec<(String, usize, usize)> =
        model.meshes().into_iter().map(|it| (it.name, it.vertices, it.triangles)).collect();
    assert_eq!(meshes, [("Body".to_owned(), 76, 16), ("Hat".to_owned(), 30, 10)]);
    let primitives: Vec<(String, usize, usize, usize)> =
        model.primitives().into_iter().map(|it| (it.path, it.vertices, it.influences, it.targets)).collect();
    let expected = [
        ("meshes[0].primitives[0]", 30, 8, 0),
        ("meshes[0].primitives[1]", 8, 0, 2),
        ("meshes[0].primitives[2]", 8, 0, 0),
        ("meshes[0].primitives[3]", 30, 0, 0),
        ("meshes[1].primitives[0]", 30, 0, 1),
    ];
    assert_eq!(primitives, expected.map(|(path, a, b, c)| (path.to_owned(), a, b, c)));
}

#[test]
fn a_file_is_written_as_it_was_read() {
    let mut document = counted();
    document["asset"] = json!({"version": "2.0"});
    let text = document.to_string();
    let model = Model::read(text.as_bytes()).unwrap();
    assert_eq!(model.write().unwrap(), text.as_bytes());
    assert!(model.verify(text.as_bytes()).status == effigy_wire::Status::Identical);
    assert!(model.verify(&text.as_bytes()[1..]).status != effigy_wire::Status::Identical);
    assert_eq!(model.exported_from(), None);
}

#[test]
fn every_value_of_the_json_is_visited() {
    let extras = json!({
        "one": [7], "many": [1, 2.5], "mixed": [1, "two", null], "none": [], "yes": true, "no": false, "half": 0.5,
        "name": "text", "inner": {"deep": -3}
    });
    let model = model(json!({"extras": extras}));
    let mut flat = Flat::default();
    model.visit(&mut flat);
    let found = |path: &str| {
        let path = format!("extras.{path}");
        let all: Vec<&str> =
            flat.leaves.iter().filter(|(it, _)| *it == path).map(|(_, value)| value.as_str()).collect();
        assert!(all.len() < 2, "{path}");
        all.first().map(|it| it.trim_matches('"').to_owned())
    };
    assert_eq!(found("one[0]").as_deref(), Some("7"));
    assert!(found("one").is_none() && found("many[0]").is_none() && found("none").is_none());
    assert!(found("many").is_some_and(|it| it.contains("2.5")));
    assert_eq!(found("mixed[0]").as_deref(), Some("1"));
    assert_eq!(found("mixed[1]").as_deref(), Some("two"));
    assert_eq!(found("mixed[2]").as_deref(), Some("null"));
    assert_eq!((found("yes").as_deref(), found("no").as_deref()), (Some("true"), Some("false")));
    assert_eq!((found("half").as_deref(), found("name").as_deref()), (Some("0.5"), Some("text")));
    assert_eq!(found("inner.deep").as_deref(), Some("-3"));
}

/// Base 64, written again here.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let word =
            three.iter().chain(&[0, 0]).take(3).fold(0_usize, |word, byte| word * 256 + usize::from(*byte));
        for letter in 0..4 {
            let at = word >> (18 - 6 * letter) & 63;
            text.push(if letter <= three.len() { char::from(LETTERS[at]) } else { '=' });
        }
    }
    text
}

#[test]
fn pictures_have_their_size_by_their_header() {
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\x01\x02\0\0\x03\x04".to_vec();
    // A segment of six bytes, a table of Huffman codes, then the frame: precision, height, width.
    let jpeg = b"\xff\xd8\xff\xe0\0\x06abcd\xff\xc4\0\x03x\xff\xc2\0\x11\x08\x01\x10\x02\x20\x03".to_vec();
    let baseline = b"\xff\xd8\xff\xc0\0\x11\x08\0\x07\0\x09\x03".to_vec();
    let cut = b"\xff\xd8\xff\xe0\0\x06ab".to_vec();
    let other = b"\0\0\xff\xc0\0\x11\x08\0\x07\0\x09\x03".to_vec();
    let image = |bytes: &Vec<u8>| json!({"uri": format!("data:image/png;base64,{}", base64(bytes))});
    let mut images: Vec<Value> = [png, jpeg, baseline, cut, other].iter().map(image).collect();
    images.push(json!({"uri": "beside.png"}));
    let model = model(json!({"images": images}));
    assert_eq!(
        model.image_sizes(),
        [Some([0x102, 0x304]), Some([0x220, 0x110]), Some([9, 7]), None, None, None]
    );
    assert!((0..5).all(|image| model.is_embedded(image)));
    assert!(!model.is_embedded(5) && !model.is_embedded(6));
}

/// The sequences of a file with notes as our exporter writes them.
fn sequences(start: f64, end: f64) -> Vec<(String, i32, i32)> {
    let notes = json!({
        "effigy": 1.0, "format": "mdx", "rules": {"keys": "hold", "turns": "slerp", "nodes": "warcraft"},
        "modelName": "Model", "sequences": [{"name": "Stand", "start": start, "end": end}]
    });
    let nodes = json!([{"name": "Model", "extras": notes}]);
    let (scene, _) = model(json!({"scene": 0, "scenes": [{"nodes": [0]}], "nodes": nodes})).lower().unwrap();
    scene.sequences.as_slice().iter().map(|it| (it.name.clone(), it.start, it.end)).collect()
}

#[test]
fn whole_numbers_with_a_point_are_whole_numbers_in_notes() {
    // Some programs have only numbers with a point.
    assert_eq!(sequences(1000.0, 2000.0), [("Stand".to_owned(), 1000, 2000)]);
    assert_eq!(sequences(1000.5, 2000.0), []);
    assert_eq!(sequences(1000.0, 1e16), []);
}
